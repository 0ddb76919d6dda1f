package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// placesToType picks places inside words of paragraphs, the same every time.
func placesToType(b *book.Book, n int) (out [][2]int) {
	r := rand.New(rand.NewPCG(1, 2))
	for len(out) < n {
		c := r.IntN(len(b.Chapters))
		text := b.Chapters[c].Markdown
		if len(text) < 2000 {
			continue
		}
		at := 500 + r.IntN(len(text)-1000)
		line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
		if len(line) < 40 || strings.IndexByte("#>*|-[", line[0]) >= 0 || !isLetter(text[at]) || !isLetter(text[at-1]) {
			continue
		}
		out = append(out, [2]int{c, at})
	}
	return
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func typeLetter(b *book.Book, chapter, at int) *book.Book {
	text := b.Chapters[chapter].Markdown
	return b.WithText(chapter, text[:at]+"e"+text[at:])
}

// TestTyping types one letter at twenty places of Moby-Dick: each time one
// paragraph is shaped and broken, at most one chapter placed, and the pages are
// those of a layout from nothing.
func TestTyping(t *testing.T) {
	bk := withConfig(t, corpus(t, "moby-dick"), bench1)
	w := fonttest.World(t)
	ts := New(w)
	typeset(t, ts, bk)
	var worst time.Duration
	for i, pl := range placesToType(bk, 20) {
		bk = typeLetter(bk, pl[0], pl[1])
		before := ts.Counters()
		start := time.Now()
		r := typeset(t, ts, bk)
		worst = max(worst, time.Since(start))
		now := ts.Counters()
		if n := now.ParagraphsShaped - before.ParagraphsShaped; n != 1 {
			t.Errorf("place %d: %d paragraphs shaped", i, n)
		}
		if n := now.ChaptersParsed - before.ChaptersParsed; n != 1 {
			t.Errorf("place %d: %d chapters parsed", i, n)
		}
		if n := now.ChaptersPlaced - before.ChaptersPlaced; n != 1 {
			t.Errorf("place %d: %d chapters placed", i, n)
		}
		if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(w), bk).Frames) {
			t.Errorf("place %d: the pages differ from those of a cold layout", i)
		}
	}
	t.Logf("slowest %v", worst)
}

// TestPageCountChange adds pages at the book's beginning: later chapters are
// numbered anew, none of their paragraphs is broken again.
func TestPageCountChange(t *testing.T) {
	for _, config := range []string{bench1, "{}"} {
		bk := withConfig(t, corpus(t, "moby-dick"), config)
		w := fonttest.World(t)
		ts := New(w)
		typeset(t, ts, bk)
		for _, extra := range []string{"\n\n:::pagebreak\n\nOne page more.\n", "\n\n:::pagebreak\n\nOne.\n\n:::pagebreak\n\nTwo.\n"} {
			bk = bk.WithText(1, bk.Chapters[1].Markdown+extra)
			before := ts.Counters()
			r := typeset(t, ts, bk)
			now := ts.Counters()
			if n := now.ParagraphsShaped - before.ParagraphsShaped; n > 3 {
				t.Errorf("%d paragraphs shaped", n)
			}
			if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(w), bk).Frames) {
				t.Error("the pages differ from those of a cold layout")
			}
		}
	}
}

// TestTwice: laying out twice gives the same pages, and the second time nothing
// is done.
func TestTwice(t *testing.T) {
	bk := withConfig(t, corpus(t, "hamlet"), bench1)
	ts := New(fonttest.World(t))
	a := typeset(t, ts, bk)
	before := ts.Counters()
	b := typeset(t, ts, bk)
	if ts.Counters() != before {
		t.Errorf("the second layout did work: %+v, then %+v", before, ts.Counters())
	}
	if frame.Hash(a.Frames) != frame.Hash(b.Frames) {
		t.Error("two layouts differ")
	}
	for i := range a.Frames.Chapters {
		if a.Frames.Chapters[i] != b.Frames.Chapters[i] {
			t.Errorf("chapter %d was made again", i)
		}
	}
}

// TestTextBeforeOpener: text added before a chapter's opener never changes the
// lines inside the chapter (layout.md 14, check 7).
func TestTextBeforeOpener(t *testing.T) {
	bk := withConfig(t, corpus(t, "hamlet"), bench1)
	ts := New(fonttest.World(t))
	a := typeset(t, ts, bk)
	more := bk.WithText(0, bk.Chapters[0].Markdown+"\n\n"+strings.Repeat("More words before the opener. ", 400)+"\n")
	b := typeset(t, ts, more)
	for i := 1; i < len(a.Frames.Chapters); i++ {
		if la, lb := chapterLines(a.Frames.Chapters[i]), chapterLines(b.Frames.Chapters[i]); la != lb {
			t.Errorf("chapter %d changed", i)
		}
	}
}

func chapterLines(c *frame.Chapter) string {
	var b strings.Builder
	for _, p := range c.Pages {
		for i := range p.Columns {
			for _, bl := range p.Columns[i].Blocks {
				for k := range bl.Lines {
					b.WriteString(bl.Text.Plain[bl.Lines[k].Start:bl.Lines[k].End])
					b.WriteByte('\n')
				}
			}
		}
		b.WriteByte('\f')
	}
	return b.String()
}

// stopper ends the context after a number of yields.
type stopper struct {
	fonttest.Source
	left   int
	cancel context.CancelFunc
}

func (s *stopper) Yield(ctx context.Context) error {
	if s.left--; s.left == 0 {
		s.cancel()
	}
	return ctx.Err()
}

// TestCancel stops a layout half way; the next call gives the right pages.
func TestCancel(t *testing.T) {
	bk := withConfig(t, corpus(t, "moby-dick"), bench1)
	ctx, cancel := context.WithCancel(context.Background())
	w := &stopper{Source: fonttest.World(t), left: 10, cancel: cancel}
	ts := New(w)
	if _, err := ts.Typeset(ctx, bk, Observer{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	r := typeset(t, ts, bk)
	if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(fonttest.World(t)), bk).Frames) {
		t.Error("the pages differ from those of a cold layout")
	}
}

// BenchmarkEdit types one letter and lays the book out again.
func BenchmarkEdit(b *testing.B) {
	bk := withConfig(b, corpus(b, "moby-dick"), bench1)
	ts := New(fonttest.World(b))
	typeset(b, ts, bk)
	places := placesToType(bk, 20)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		p := places[i%len(places)]
		i++
		typeset(b, ts, typeLetter(bk, p[0], p[1]))
	}
}
