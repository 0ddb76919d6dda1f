package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/book"
)

// Reading tools answer in a few words on the guide: under 1,500 characters, and
// where the shape asks for more no more than is said here (tools.md 1).
func TestReadingAnswersAreShortOnTheGuide(t *testing.T) {
	guide, err := book.ReadSample(os.DirFS(filepath.Join("..", "web", "books", "postext-guide")), "postext-guide", "")
	if err != nil {
		t.Fatal(err)
	}
	s := typeset(t, guide, nil)
	for _, c := range []struct {
		tool, args string
		most       int
		why        string // the shape asks for more
	}{
		{"sandbox_get_state", `{}`, 1500, ""},
		{"sandbox_inspect_pages", `{}`, 1500, ""},
		{"sandbox_inspect_pages", `{"position":2}`, 4000, "every block with its text, box and source"},
		{"sandbox_inspect_point", `{"x":0.3,"y":0.4}`, 1500, ""},
		{"sandbox_read_text", `{"fromLine":1,"toLine":8}`, 1500, ""},
		{"sandbox_read_text", `{}`, 5000, "the whole chapter"},
		{"sandbox_search_text", `{"query":"caret"}`, 1500, ""},
		{"sandbox_search_text", `{"query":"page"}`, 8500, "fifty matches"},
		{"sandbox_get_config", `{}`, 2300, "every section"},
		{"sandbox_get_config", `{"path":"bodyText.fontSize"}`, 500, ""},
		{"sandbox_get_config", `{"path":"bodyText.verse"}`, 1500, ""},
		{"sandbox_get_config", `{"path":"bodyText"}`, 6000, "every setting of a large section"},
		{"sandbox_find_setting", `{"query":"orphans"}`, 1500, ""},
		{"sandbox_find_setting", `{"query":"size"}`, 4200, "twenty settings"},
		{"sandbox_list_resources", `{}`, 1500, ""},
		{"sandbox_list_fonts", `{"search":"Garamond"}`, 1500, ""},
		{"sandbox_get_warnings", `{}`, 1500, ""},
	} {
		m, text := call(t, s, c.tool, c.args)
		if m["ok"] != true || len(text) > c.most {
			t.Errorf("%s %s: %d characters, at most %d: %.400s", c.tool, c.args, len(text), c.most, text)
		}
		t.Logf("%6d of %6d  %s %s %s", len(text), c.most, c.tool, c.args, c.why)
	}
}

// A view as it is at the beginning is not told in full; what differs is.
func TestStateTellsOfTheViewWhatDiffers(t *testing.T) {
	s := opened(t, smallBook(), nil)
	if _, text := call(t, s, "sandbox_get_state", `{}`); strings.Contains(text, "guides") || strings.Contains(text, "readerFontScale") || !strings.Contains(text, `"zoom":1`) {
		t.Errorf("state %s", text)
	}
	good(t, s, "sandbox_set_view", `{"readerFontScale":1.5,"readerColumns":"single","epubLayout":"fixed","guides":{"caret":false}}`)
	m := good(t, s, "sandbox_get_state", `{}`)
	if within(t, m, "view", "readerFontScale") != 1.5 || within(t, m, "view", "readerColumns") != "single" ||
		within(t, m, "view", "epubLayout") != "fixed" || within(t, m, "view", "guides", "caret") != false || within(t, m, "view", "guides", "selection") != true {
		t.Errorf("view %v", m["view"])
	}
}

// Without a path the sections say which of their settings the book stores;
// defaults false gives their values, as the Design panel takes them.
func TestSectionsNameWhatIsSet(t *testing.T) {
	s := opened(t, smallBook(), nil)
	good(t, s, "sandbox_set_config", `{"patch":{"bodyText":{"fontSize":"9pt","hyphenation":{"enabled":false}},"locale":"en","colorPalette":[{"id":"red","name":"Red","value":"#aa0000"}]}}`)
	section := func(args, path string) map[string]any {
		for _, c := range good(t, s, "sandbox_get_config", args)["children"].([]any) {
			if c := c.(map[string]any); c["path"] == path {
				return c
			}
		}
		t.Fatalf("%s: no %s", args, path)
		return nil
	}
	for path, want := range map[string]string{"bodyText": "[fontSize hyphenation]", "colorPalette": "[id=red]", "locale": "en", "page": "<nil>"} {
		if got := fmt.Sprint(section(`{}`, path)["set"]); got != want {
			t.Errorf("%s: set %s, want %s", path, got, want)
		}
	}
	if got := section(`{"defaults":false}`, "bodyText"); within(t, got, "set", "fontSize", "value") != 9.0 {
		t.Errorf("in full: %v", got)
	}
}

// A section is implemented when something in it is; what in it is only stored says
// so.
func TestSectionsTellTheirEffect(t *testing.T) {
	s := opened(t, smallBook(), nil)
	for path, want := range map[string]string{"bodyText": "implemented", "headings.levels[level=2]": "implemented", "comics": "stored"} {
		if m := good(t, s, "sandbox_get_config", `{"path":"`+path+`"}`); m["effect"] != want {
			t.Errorf("%s: effect %v, want %s", path, m["effect"], want)
		}
	}
	for _, c := range good(t, s, "sandbox_get_config", `{"path":"comics"}`)["children"].([]any) {
		if c := c.(map[string]any); c["effect"] != "stored" {
			t.Errorf("%v does not say that it is only stored", c)
		}
	}
}

// A misspelt family's near names are each told once, though the site's fonts are in
// the catalogue too.
func TestNearFamiliesAreToldOnce(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	_, text := call(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"EB Garamont"}]}`)
	if n := strings.Count(text, "EB Garamond"); n != 1 {
		t.Errorf("EB Garamond is told %d times: %s", n, text)
	}
}
