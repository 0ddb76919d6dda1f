package sandbox

import (
	"strings"
	"testing"

	"postext/book"
)

// sandbox.md 5: what is selected in the text is marked on its pages, line by line,
// and nothing beside it; the guide of that name can be switched off (tools.md 6).
func TestASelectionIsMarkedOnThePages(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	text := textOf(t, s, 1)
	from := strings.Index(text, "A page is the smallest")
	to := from + len("A page is the smallest thing a reader sees whole. Everything smaller, a letter, a word,\na line")
	id := s.cur.book.Chapters[0].ID
	parts, _, err := s.Passage(t.Context(), id, book.UTF16Len(text[:from]), book.UTF16Len(text[:to]))
	if err != nil {
		t.Fatal(err)
	}
	whole, _, err := s.Passage(t.Context(), id, 0, book.UTF16Len(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) < 2 || len(whole) <= len(parts) {
		t.Fatalf("%d lines of a passage, %d of the chapter", len(parts), len(whole))
	}
	for i, p := range parts {
		if p.Position != 1 || p.Width <= 0 || p.Height <= 0 || i > 0 && p.Y <= parts[i-1].Y {
			t.Errorf("part %d: %+v", i, p)
		}
	}
	if last := parts[len(parts)-1]; last.Width >= parts[0].Width {
		t.Errorf("the last line is marked over %v, the first over %v", last.Width, parts[0].Width)
	}
	if none, _, err := s.Passage(t.Context(), id, 5, 5); err != nil || len(none) != 0 {
		t.Errorf("an empty passage: %v, %v", none, err)
	}
	m := good(t, s, "sandbox_set_view", `{"guides":{"selection":false}}`)
	if within(t, m, "view", "guides", "selection") != false || s.View().Guides.Selection != "off" {
		t.Errorf("%v", m["view"])
	}
}

// tools.md 6: an entry of the contents, by its number or its title.
func TestGoToAnEntryOfTheContents(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	if m := good(t, s, "sandbox_go_to_page", `{"contents":"the MEASURE"}`); m["chapter"] != float64(1) {
		t.Errorf("%v", m)
	}
	first := good(t, s, "sandbox_go_to_page", `{"contents":1}`)
	if first["chapter"] != float64(1) || first["position"] != float64(1) {
		t.Errorf("%v", first)
	}
	if m := good(t, s, "sandbox_go_to_page", `{"contents":"Second"}`); m["chapter"] != float64(2) {
		t.Errorf("%v", m)
	}
	refused(t, s, "sandbox_go_to_page", `{"contents":"Measur"}`, "The measure")
	refused(t, s, "sandbox_go_to_page", `{"contents":99}`, "1 to")
	refused(t, s, "sandbox_go_to_page", `{"contents":1,"page":2}`, "contents")
}
