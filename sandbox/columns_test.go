package sandbox

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every reason the layout gives for a short column is told in words.
func TestEveryEndingIsTold(t *testing.T) {
	src, err := os.ReadFile("../engine/frame/frame.go")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(src)
	doc = doc[strings.Index(doc, "// Short says which rule"):]
	doc = doc[:strings.Index(doc, "Short string")]
	for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(doc, -1) {
		if endings[m[1]] == "" {
			t.Errorf("nothing is said of %q", m[1])
		}
	}
}

// A picture of a page comes with the columns that end above their last line, and why.
func TestPicturesTellOfShortColumns(t *testing.T) {
	b := smallBook()
	b.Chapters = b.Chapters[:1]
	b.Chapters[0].Markdown = strings.Repeat("Some words of the text. ", 30) + "\n\n:::columnbreak\n\nThe end.\n"
	b, err := b.WithConfig([]byte(`{"layout":{"layoutType":"double"},"headings":{"balancing":{"enabled":false}}}`))
	if err != nil {
		t.Fatal(err)
	}
	s := typeset(t, b, func(o *Options) { o.Picture = nil })
	m := checked(t, s, "sandbox_render_page", `{"chapter":1,"position":1,"width":100}`)
	text, _ := within(t, m, "content", 0, "text").(string)
	for _, want := range []string{`"column":1,"fill":0.26,"ended":"columnbreak","why":"a column break follows"`, `"column":2,"fill":0.02,"ended":"end","why":"the text ends here"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	m = checked(t, s, "sandbox_inspect_pages", `{"chapter":1,"position":1}`)
	if got := within(t, m, "pages", 0, "columns", 0, "why"); got != endings["columnbreak"] {
		t.Errorf("%v", got)
	}
}
