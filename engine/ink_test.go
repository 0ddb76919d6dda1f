package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"postext/book"
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

// A colour changes no place: no chapter is placed again, whatever the colour is of,
// and the pages are those of a layout from nothing, also after the next letter typed.
func TestAColourLaysNothingOut(t *testing.T) {
	const base = `"colorPalette":[{"id":"main-color","name":"Main","value":{"hex":"#295aa3","model":"hex"}}],"layout":{"layoutType":"double","columnRule":{"enabled":true}},"page":{"backgroundColor":{"hex":"#fffff0","model":"hex"}},` +
		`"headings":{"levels":[{"level":1,"breakBefore":{"enabled":true,"parity":"any"}}]}`
	text := strings.Repeat("Some *words* of a **chapter**, [a link](https://example.org), `code` and $x^2$ that go on. ", 30)
	bk := &book.Book{ID: "b", Language: "en", Chapters: []*book.Chapter{
		{ID: "a", Markdown: "# First {#first}\n\nSee :ref{id=first}. " + text + "\n\n1. one\n2. two\n\n- dot\n- [x] done\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n:::callout{type=note}\nA box.\n:::\n"},
		{ID: "b", Markdown: ":::part{title=One palette=\"main-color=#b02020\"}\n:::\n\n# Second\n\n" + text + "\n\n```go\nfunc f() {}\n```\n\n" + text},
	}}
	w := fonttest.World(t)
	ts := New(w)
	plain := typeset(t, ts, withConfig(t, bk, "{"+base+"}"))
	for _, change := range []string{
		`"bodyText":{"color":{"hex":"#402010","model":"hex"}}`,
		`"bodyText":{"boldColor":{"hex":"#402010","model":"hex"},"italicColor":{"hex":"#0000f0","model":"hex"}}`,
		`"headings":{"color":{"hex":"#402010","model":"hex"},"levels":[{"level":1,"breakBefore":{"enabled":true,"parity":"any"}}]}`,
		`"colorPalette":[{"id":"main-color","name":"Main","value":{"hex":"#007744","model":"hex"}}]`,
		`"page":{"backgroundColor":{"hex":"#e0f0ff","model":"hex"}}`,
		`"layout":{"layoutType":"double","columnRule":{"enabled":true,"color":{"hex":"#402010","model":"hex"}}}`,
		`"bodyText":{"referenceColor":{"hex":"#402010","model":"hex"}}`,
		`"codeStyle":{"color":{"hex":"#333366","model":"hex"},"backgroundColor":{"hex":"#e0e0ff","model":"hex"}}`,
	} {
		other := withConfig(t, bk, merged(base, change))
		before := ts.Counters()
		r := typeset(t, ts, other)
		now := ts.Counters()
		now.Looks = before.Looks
		if now != before {
			t.Errorf("%s: %+v, then %+v", change, before, now)
		}
		want := typeset(t, New(w), other)
		if frame.Hash(r.Frames) != frame.Hash(want.Frames) {
			t.Errorf("%s: the pages differ from those of a cold layout", change)
		}
		if frame.Hash(r.Frames) == frame.Hash(plain.Frames) {
			t.Errorf("%s: nothing is coloured", change)
		}
		typed := typeLetter(other, 1, strings.Index(other.Chapters[1].Markdown, "words")+1)
		if frame.Hash(typeset(t, ts, typed).Frames) != frame.Hash(typeset(t, New(w), typed).Frames) {
			t.Errorf("%s: after a letter typed the pages differ from those of a cold layout", change)
		}
		typeset(t, ts, withConfig(t, bk, "{"+base+"}"))
	}
}

// merged is a configuration of members, of which the later of a name counts.
func merged(members ...string) string { return "{" + strings.Join(members, ",") + "}" }
