package settings

import (
	"strings"
	"testing"
)

func TestTheReferenceNamesEverySetting(t *testing.T) {
	doc := string(Document())
	for _, s := range All() {
		if s.Label == "" || nested(s.Path) {
			continue
		}
		if !strings.Contains(doc, "| `"+s.Path+"`") {
			t.Errorf("%s is not in the reference", s.Path)
		}
	}
	for _, want := range []string{
		"| `bodyText.fontSize` | length (pt), more than 0 | `8pt` | **Text size.**",
		"| `captionStyle.fontSize`", "follows `bodyText.fontSize`",
		"by level: 18pt, 15pt, 12pt, 10pt, 9pt, 8pt", "the palette's `main-color`",
		"`justify`", "### Columns", "## Typography",
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("the reference lacks %q", want)
		}
	}
	for line := range strings.Lines(doc) {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 5 {
			t.Errorf("a row that is none: %s", line)
		}
	}
}
