package check

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"postext/book"
	"postext/engine"
	"postext/engine/font/fonttest"
)

// laid is a book with its pages.
func laid(t testing.TB, b *book.Book) *Source {
	t.Helper()
	r, err := engine.New(fonttest.World(t)).Typeset(context.Background(), b, engine.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	return &Source{Book: b, Design: r.Design, Chapters: r.Frames.Chapters, Problems: r.Problems}
}

// one is a book of one chapter.
func one(config, text string) *book.Book {
	return &book.Book{Name: "Book", Language: "en", Config: json.RawMessage(config), Chapters: []*book.Chapter{{ID: "a", Title: "A", Markdown: text}}}
}

func find(r *Report, kind string) []Warning {
	return slices.DeleteFunc(r.Select(-1, ""), func(w Warning) bool { return w.Kind != kind })
}

// TestOrder: by category in triage order; in each the book's first, then chapter
// by chapter in the order of the source.
func TestOrder(t *testing.T) {
	b := one(`{"debug":{"looseLineHighlight":{"threshold":1.2}},"bodyText":{"fontFamily":"No Such Family"},"nonsense":1}`,
		"# One\n\n### Three\n\nSome text, [^x] long enough to be justified over several lines of a column, with incomprehensibilities, characteristically, here and there in between, so that one of the lines is loose.\n\n:::nonsense\n")
	b.Chapters = append(b.Chapters, &book.Chapter{ID: "b", Title: "B", Markdown: "::resource{id=\"none\"}\n\n:::other\n"})
	s := laid(t, b)
	s.Family = func(name string) bool { return name != "No Such Family" }
	var c Checker
	r := c.Check(s)
	at := func(w *Warning) [3]int { return [3]int{slices.Index(Categories[:], w.Of.Category), w.Chapter, w.Start} }
	last := [3]int{-1}
	seen := map[string]int{}
	for _, w := range r.Select(-1, "") {
		seen[w.Kind]++
		now := at(&w)
		if slices.Compare(now[:], last[:]) < 0 {
			t.Errorf("%s %v stands behind %v", w.Kind, now, last)
		}
		last = now
	}
	for _, k := range []string{"missingFontFamily", "unknownResourceId", "unknownDirective", "undefinedFootnote", "headingHierarchy", "unknownConfigKey", "looseLine"} {
		if seen[k] == 0 {
			t.Errorf("no %s among %v", k, seen)
		}
	}
	if seen["fontFallback"] > 0 {
		t.Error("a family that is unknown is told a second time as a fallback")
	}
	again := c.Check(s)
	if n := len(again.Select(-1, "")); n != len(r.Select(-1, "")) || n != again.Count() {
		t.Errorf("%d warnings, then %d, counted %d", len(r.Select(-1, "")), n, again.Count())
	}
	// A chapter's answer holds the book's own too, once.
	if n, m := len(r.Select(1, "markup")), len(r.Select(0, "markup")); n != 1 || m < 3 {
		t.Errorf("%d in the second chapter, %d in the first", n, m)
	}
}
