package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"postext/book"
)

// The rows of the Figures panel say what the pages show: a figure that was floated
// from where it is cited has its page, a picture the design of a heading draws has
// the page it is drawn on, and a picture in Markdown the caption that its title is.
func TestFigureRowsSayWhereEachStands(t *testing.T) {
	for _, c := range []struct{ sample, language string }{{"postext-guide", ""}, {"one-pot", "en"}, {"one-pot", "es"}} {
		b, err := book.ReadSample(os.DirFS(filepath.Join("..", "web", "books", c.sample)), c.sample, c.language)
		if err != nil {
			t.Fatal(err)
		}
		s := typeset(t, b, nil)
		for _, r := range b.Resources {
			row := good(t, s, "sandbox_list_resources", `{"id":`+jsonOf(r.ID)+`}`)
			placed, _ := row["placedIn"].([]any)
			if len(placed) == 0 || placed[0].(map[string]any)["page"] == nil {
				t.Errorf("%s %s: %s stands at %v", c.sample, c.language, r.ID, placed)
			}
		}
	}
	b, err := book.ReadSample(os.DirFS(filepath.Join("..", "web", "books", "postext-guide")), "postext-guide", "")
	if err != nil {
		t.Fatal(err)
	}
	b.Chapters = b.Chapters[:1]
	b.Chapters[0].Markdown = "# One\n\n![Bars](window \"Bars of honey.\")\n"
	row := good(t, typeset(t, b, nil), "sandbox_list_resources", `{"id":"window"}`)
	if row["captionInText"] != "Bars of honey." {
		t.Errorf("the caption is %v", row["captionInText"])
	}
}

// A sample in another language is called what its pages call it.
func TestTheStateSaysTheTitleOnThePages(t *testing.T) {
	for language, want := range map[string]string{"es": "Una sola olla", "en": ""} {
		b, err := book.ReadSample(os.DirFS(filepath.Join("..", "web", "books", "one-pot")), "one-pot", language)
		if err != nil {
			t.Fatal(err)
		}
		if got := typeset(t, b, nil).State().Book.Title; got != want {
			t.Errorf("%s: %q", language, got)
		}
	}
}
