package engine

import (
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// TestFloatsAtTheCitingPage: a float with citingPage may head the page or column
// where its citing line lands (layout.md 9), unless it takes too much of it, a break
// opens the page, or its line would not stay there.
func TestFloatsAtTheCitingPage(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name         string
		columns      int
		high         int
		place        book.Placement
		everywhere   bool // layout.floatsAtCitingPage
		text         string
		page, column int
		head         bool
	}{
		{"it heads the page", 1, 60, book.Placement{CitingPage: &yes}, false, lines(24) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 2, 1, true},
		{"a setting of the book", 1, 60, book.Placement{}, true, lines(24) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 2, 1, true},
		{"the resource over the book", 1, 60, book.Placement{CitingPage: &no}, true, lines(24) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 2, 1, false},
		{"too high", 1, 180, book.Placement{CitingPage: &yes}, false, lines(24) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 3, 1, true},
		{"a break opens the page", 1, 60, book.Placement{CitingPage: &yes}, false, "a\n\n:::pagebreak\n\n" + lines(3) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 2, 1, false},
		{"its line would move on", 1, 60, book.Placement{CitingPage: &yes, Position: "top"}, false, lines(37) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 3, 1, true},
		{"the head of its column", 2, 40, book.Placement{CitingPage: &yes}, false, lines(24) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 1, 2, true},
		{"across the page", 2, 40, book.Placement{CitingPage: &yes, Span: "page"}, false, lines(44) + "\n\nsee :ref{id=\"a\"}\n\n" + lines(30), 2, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := area(c.columns, "")
			if c.everywhere {
				config = replaceOnce(t, config, `"gutterWidth"`, `"floatsAtCitingPage": true, "gutterWidth"`)
			}
			r := figures(t, config, []*book.Resource{drawing("a", 60, c.high, &c.place)}, c.text)
			got := where(t, r.Frames, "a")
			if got.page != c.page || got.column != c.column || (got.top < 1) != c.head {
				t.Errorf("it stands on %v, %v from the head", got, got.top)
			}
			if sum := frame.Hash(figures(t, config, []*book.Resource{drawing("a", 60, c.high, &c.place)}, c.text).Frames); sum != frame.Hash(r.Frames) {
				t.Error("laid out twice, two results")
			}
		})
	}
}

// Several floats cited on one page keep their order at its head, and many end.
func TestFloatsAtTheCitingPageKeepTheirOrder(t *testing.T) {
	b := small(t, replaceOnce(t, area(2, ""), `"gutterWidth"`, `"floatsAtCitingPage": true, "gutterWidth"`),
		lines(30)+"\n\nsee :ref{id=\"a\"} and :ref{id=\"b\"}\n\n"+lines(5)+"\n\nsee :ref{id=\"c\"} "+lines(12)+":ref{id=\"d\"} "+lines(60)+"\n\n:ref{id=\"e\"} "+lines(70))
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		b.Resources = append(b.Resources, drawing(id, 60, 30, nil))
	}
	r := typeset(t, New(fonttest.World(t)), b)
	last := 0
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		at := where(t, r.Frames, id)
		order := at.page*10000 + at.column*1000 + int(at.top)
		if order < last {
			t.Errorf("%s stands on %v, before the one cited before it", id, at)
		}
		last = order
	}
	for _, f := range placementFaults(r) {
		if f.kind != "float" {
			t.Error(f)
		}
	}
}

func replaceOnce(t testing.TB, s, old, with string) string {
	t.Helper()
	if strings.Count(s, old) != 1 {
		t.Fatalf("%q is not in it once", old)
	}
	return strings.Replace(s, old, with, 1)
}
