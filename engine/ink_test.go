package engine

import (
	"context"
	"errors"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// A change of ink moves no text: no paragraph is shaped or broken again, and the
// pages are those of a layout from nothing.
func TestInkIsNotMeasured(t *testing.T) {
	w := fonttest.World(t)
	for _, name := range []string{"hamlet", "wealth-of-nations"} {
		bk := withConfig(t, corpus(t, name), bench1)
		ts := New(w)
		first := typeset(t, ts, bk)
		for _, config := range []string{
			`{"layout":{"layoutType":"single"},"bodyText":{"color":{"hex":"#402010","model":"hex"}}}`,
			`{"layout":{"layoutType":"single"},"bodyText":{"italicColor":{"hex":"#113355","model":"hex"},"boldColor":{"hex":"#aa0000","model":"hex"}}}`,
			`{"layout":{"layoutType":"single"},"colorPalette":[{"id":"main-color","name":"Main","value":{"hex":"#007744","model":"hex"}}],"codeStyle":{"color":{"hex":"#333366","model":"hex"}}}`,
		} {
			base := withConfig(t, bk, `{"layout":{"layoutType":"single"}}`)
			typeset(t, ts, base)
			before := ts.Counters()
			other := withConfig(t, bk, config)
			r := typeset(t, ts, other)
			now := ts.Counters()
			if now.ParagraphsShaped != before.ParagraphsShaped || now.ParagraphsBroken != before.ParagraphsBroken || now.ChaptersParsed != before.ChaptersParsed {
				t.Errorf("%s, %s: %+v, then %+v", name, config, before, now)
			}
			if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(w), other).Frames) {
				t.Errorf("%s, %s: the pages differ from those of a cold layout", name, config)
			}
			if frame.Hash(r.Frames) == frame.Hash(first.Frames) {
				t.Errorf("%s, %s: nothing is coloured", name, config)
			}
		}
	}
}

// Running heads stand around the pages: to change them places nothing again.
func TestFurnitureIsNotPlaced(t *testing.T) {
	w := fonttest.World(t)
	bk := withConfig(t, corpus(t, "hamlet"), bench1)
	ts := New(w)
	typeset(t, ts, bk)
	config := bench1[:len(bench1)-1] + `,"footer":{"elements":[{"id":"n","kind":"text","content":"— {pageNumber} —","placement":{"anchor":{"edge":"top"}}}]}}`
	for _, c := range []string{config, bench1, config} {
		before := ts.Counters()
		other := withConfig(t, bk, c)
		r := typeset(t, ts, other)
		if now := ts.Counters(); now != before {
			t.Errorf("%+v, then %+v", before, now)
		}
		if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(w), other).Frames) {
			t.Error("the pages differ from those of a cold layout")
		}
	}
	again := typeset(t, ts, withConfig(t, bk, config))
	if once := typeset(t, ts, withConfig(t, bk, config)); once.Frames.Chapters[0] != again.Frames.Chapters[0] {
		t.Error("the chapter was made again")
	}
}

// A change of the body's size sets everything anew: it tells how far it is, and
// can be stopped; the next call gives the right pages.
func TestASizeChangeTellsItsProgressAndStops(t *testing.T) {
	bk := withConfig(t, corpus(t, "hamlet"), bench1)
	w := &stopper{Source: fonttest.World(t), left: 1 << 30, cancel: func() {}}
	ts := New(w)
	typeset(t, ts, bk)
	larger := withConfig(t, bk, bench1[:len(bench1)-1]+`,"headings":{"fontWeight":600},"bodyText":{"fontSize":{"value":13,"unit":"pt"}}}`)
	ctx, cancel := context.WithCancel(context.Background())
	w.left, w.cancel = 3, cancel
	if _, err := ts.Typeset(ctx, larger, Observer{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("not stopped: %v", err)
	}
	w.left, w.cancel = 1<<30, func() {}
	told := 0
	r, err := ts.Typeset(context.Background(), larger, Observer{Chapter: func(i, of int, _ *frame.Chapter, _ bool) {
		if i != told || of != len(larger.Chapters) {
			t.Errorf("chapter %d of %d, after %d", i, of, told)
		}
		told++
	}})
	if err != nil || told != len(larger.Chapters) {
		t.Fatalf("%d chapters told, %v", told, err)
	}
	if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(fonttest.World(t)), larger).Frames) {
		t.Error("the pages differ from those of a cold layout")
	}
}

func BenchmarkInk(b *testing.B) {
	bk := corpus(b, "moby-dick")
	ts := New(fonttest.World(b))
	inks := [2]string{"#402010", "#102040"}
	pages := 0
	inked := func(i int) {
		pages = typeset(b, ts, withConfig(b, bk, `{"bodyText":{"color":{"hex":"`+inks[i%2]+`","model":"hex"}}}`)).Frames.PageCount()
	}
	inked(0)
	for i := 1; b.Loop(); i++ {
		inked(i)
	}
	b.ReportMetric(float64(pages), "pages")
}
