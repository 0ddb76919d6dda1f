package engine

import (
	"context"
	"errors"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// cutOff is a world whose hyphenation patterns may be out of reach.
type cutOff struct {
	fonttest.Source
	down bool
}

func (w *cutOff) Patterns(ctx context.Context, name string) ([]byte, error) {
	if w.down {
		return nil, errors.New("the server does not answer")
	}
	return w.Source.Patterns(ctx, name)
}

// Patterns that cannot be had leave words whole and are reported; the layout
// after they are there is the one that never missed them.
func TestPatternsOutOfReachAreReportedAndAskedForAgain(t *testing.T) {
	b := &book.Book{Language: "de", Config: []byte(`{"page": {"width": {"value": 6, "unit": "cm"}}, "layout": {"layoutType": "single"},
		"bodyText": {"textAlign": "justify"}}`),
		Chapters: []*book.Chapter{{ID: "a", Title: "A", Markdown: "Donaudampfschifffahrt und Silbentrennung, Verantwortungsbewusstsein und Sonnenuntergang: lauter lange Wörter, die sich gut trennen lassen.\n"}}}
	divided := func(r *Result) (n int) {
		for _, p := range r.Frames.Chapters[0].Pages {
			for _, c := range p.Columns {
				for _, bl := range c.Blocks {
					for _, l := range bl.Lines {
						if l.Hyphenated {
							n++
						}
					}
				}
			}
		}
		return n
	}
	set := func(ts *Typesetter) *Result {
		r, err := ts.Typeset(t.Context(), b, Observer{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	w := &cutOff{Source: fonttest.World(t), down: true}
	ts := New(w)
	r := set(ts)
	if divided(r) != 0 {
		t.Error("words are divided without patterns")
	}
	if len(r.Problems) != 1 || r.Problems[0].Kind != "hyphenationMissing" {
		t.Errorf("problems: %+v", r.Problems)
	}
	before := ts.Counters()
	w.down = false
	r = set(ts)
	if divided(r) == 0 {
		t.Error("words stay whole though the patterns are there")
	}
	if len(r.Problems) != 0 {
		t.Errorf("problems remain: %+v", r.Problems)
	}
	if cold := set(New(w)); frame.Hash(r.Frames) != frame.Hash(cold.Frames) {
		t.Error("the pages differ from those of a first layout")
	}
	if now := ts.Counters(); now.ParagraphsShaped <= before.ParagraphsShaped {
		t.Errorf("the counters fell: %+v, then %+v", before, now)
	}
}
