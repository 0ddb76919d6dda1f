package engine

import (
	"context"
	"encoding/json"
	"testing"

	"postext/book"
	"postext/book/booktest/tree"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// corpus opens a book of the shared corpus, and skips the test where it is not.
func corpus(t testing.TB, name string) *book.Book {
	t.Helper()
	b, err := book.OpenFolder(tree.Corpus(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bench1 is the page of the bench books (layout.md 16).
const bench1 = `{
	"page": {"sizePreset": "custom", "width": {"value": 6, "unit": "in"}, "height": {"value": 9, "unit": "in"},
		"margins": {"top": {"value": 20, "unit": "mm"}, "bottom": {"value": 25, "unit": "mm"},
			"left": {"value": 20, "unit": "mm"}, "right": {"value": 20, "unit": "mm"}}},
	"layout": {"layoutType": "single"},
	"bodyText": {"fontFamily": "EB Garamond", "fontSize": {"value": 11, "unit": "pt"}, "lineHeight": {"value": 14, "unit": "pt"},
		"firstLineIndent": {"value": 11, "unit": "pt"}, "textAlign": "justify"},
	"headings": {"levels": [{"level": 1, "breakBefore": {"enabled": true, "parity": "any"}}]}
}`

func withConfig(t testing.TB, b *book.Book, config string) *book.Book {
	t.Helper()
	out, err := b.WithConfig(json.RawMessage(config))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func typeset(t testing.TB, ts *Typesetter, b *book.Book) *Result {
	t.Helper()
	r, err := ts.Typeset(context.Background(), b, Observer{Bug: func(err error, stack []byte) { t.Errorf("%v\n%s", err, stack) }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func filled(b *frame.Book) (n int) {
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			if !p.Blank {
				n++
			}
		}
	}
	return n
}

// BenchmarkCold lays Moby-Dick out from nothing: parsing, shaping, breaking,
// placing. Fonts are read from disk before.
func BenchmarkCold(b *testing.B) {
	bk := withConfig(b, corpus(b, "moby-dick"), bench1)
	w := fonttest.World(b)
	typeset(b, New(w), bk)
	b.ReportAllocs()
	b.ResetTimer()
	pages, start := 0, cpuTime(b)
	for b.Loop() {
		r := typeset(b, New(w), bk)
		pages += filled(r.Frames)
	}
	if spent := cpuTime(b) - start; spent > 0 {
		b.ReportMetric(float64(pages)/spent.Seconds(), "pages/cpu-s")
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(pages)/float64(b.N), "pages")
}
