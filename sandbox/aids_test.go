package sandbox

import (
	"testing"
)

// settings.md 36: the caret and the selection on the pages have the colours of the
// design and can be switched off there.
func TestTheCaretAndTheSelectionHaveTheDesignsColours(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	id := s.cur.book.Chapters[0].ID
	colors := func() (caret, selection string, parts int) {
		t.Helper()
		c, err := s.Caret(t.Context(), id, 30)
		if err != nil {
			t.Fatal(err)
		}
		p, color, err := s.Passage(t.Context(), id, 0, 200)
		if err != nil {
			t.Fatal(err)
		}
		return c.Color, color, len(p)
	}
	if caret, selection, parts := colors(); caret != "#2563ebff" || selection != "#fde04780" || parts == 0 {
		t.Errorf("%s, %s, %d parts", caret, selection, parts)
	}
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"debug.cursorSync.color","value":"#102030"},{"path":"debug.selectionSync.color","value":"#40506070"}]}`)
	if caret, selection, parts := colors(); caret != "#102030ff" || selection != "#40506070" || parts == 0 {
		t.Errorf("%s, %s, %d parts", caret, selection, parts)
	}
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"debug.cursorSync.enabled","value":false},{"path":"debug.selectionSync.enabled","value":false}]}`)
	if caret, selection, parts := colors(); caret != "" || selection != "" || parts != 0 {
		t.Errorf("%q, %q, %d parts", caret, selection, parts)
	}
	// The design's are the first values; what the view says counts.
	if m := good(t, s, "sandbox_set_view", `{"guides":{"caret":true,"selection":true}}`); within(t, m, "view", "guides", "caret") != true {
		t.Errorf("%v", m)
	}
	if caret, selection, parts := colors(); caret == "" || selection == "" || parts == 0 {
		t.Errorf("%q, %q, %d parts", caret, selection, parts)
	}
}

// settings.md 36: debug.looseLineHighlight tints loose lines on screen, past its
// threshold and in its colour; the pages are painted anew when one of them changes.
func TestLooseLinesAreTintedAsTheDesignSays(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	id := s.cur.book.Chapters[0].ID
	seen := map[string]string{}
	look := func(what, change string) {
		t.Helper()
		if change != "" {
			good(t, s, "sandbox_set_config", `{"changes":[`+change+`]}`)
		}
		m, key, err := s.Paint(t.Context(), PaintRequest{Chapter: id, Position: 1, Width: 200})
		if err != nil {
			t.Fatal(err)
		}
		if pages, _, _ := s.PageList(); pages[0].Key != key {
			t.Errorf("%s: the list says %s, the picture is %s", what, pages[0].Key, key)
		}
		for old, was := range seen {
			if (was == string(m.Pix)) != (old == what) {
				t.Errorf("%s looks like %s", what, old)
			}
		}
		seen[what] = string(m.Pix)
	}
	look("plain", "")
	look("tinted", `{"path":"debug.looseLineHighlight.enabled","value":true},{"path":"debug.looseLineHighlight.threshold","value":1.001}`)
	look("in blue", `{"path":"debug.looseLineHighlight.color","value":"#0000ff40"}`)
	look("fewer", `{"path":"debug.looseLineHighlight.threshold","value":1.2}`)
	// The view switches off what the design has switched on, and no more.
	good(t, s, "sandbox_set_view", `{"guides":{"looseLines":false}}`)
	look("plain", "")
	look("plain", `{"path":"debug.pageNegative.enabled","value":false}`)
	look("negative", `{"path":"debug.pageNegative.enabled","value":true}`)
	good(t, s, "sandbox_set_view", `{"guides":{"negative":false}}`)
	look("plain", "")
}

// A line too loose to be filled is set short; the check, the tint and
// inspect_pages tell of it as of any loose line, with the spaces it would have had
// (layout.md 5.1, warnings.md 4.5).
func TestALineSetShortIsALooseLine(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"layout.layoutType","value":"single"},{"path":"page.sizePreset","value":"custom"},{"path":"page.width","value":"9cm"},{"path":"page.margins.left","value":"1cm"},{"path":"page.margins.right","value":"5cm"},{"path":"bodyText.textAlign","value":"justify"},{"path":"bodyText.hyphenation.enabled","value":false}]}`)
	good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"An incomprehensibility a misunderstanding characteristically of it and more of it.\n"}`)
	w := good(t, s, "sandbox_get_warnings", `{"kind":"looseLine"}`)
	if w["total"].(float64) == 0 {
		t.Fatal("no loose line is told")
	}
	loose := 0
	for _, b := range within(t, good(t, s, "sandbox_inspect_pages", `{"position":1}`), "pages", 0, "blocks").([]any) {
		for _, l := range b.(map[string]any)["looseLines"].([]any) {
			if loose++; l.(map[string]any)["ratio"].(float64) <= 3 {
				t.Errorf("%v", l)
			}
		}
	}
	if loose != int(w["total"].(float64)) {
		t.Errorf("%d loose lines on the page, %v in the checks", loose, w["total"])
	}
}
