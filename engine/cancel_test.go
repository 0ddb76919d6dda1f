package engine

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"postext/engine/font/fonttest"
)

// A cancelled layout lets go within 20 ms. That is held by counting, not by the
// clock: whatever a chapter is made of, the layout is ready to stop for every
// paragraph, note and row, and every few thousand words of a paragraph without
// end.
func TestALayoutIsReadyToStop(t *testing.T) {
	const many = 600
	word := "word "
	for _, c := range []struct {
		name, text string
		pieces     int64
	}{
		{"paragraphs", strings.Repeat("Words of a paragraph.\n\n", many), many},
		{"list", strings.Repeat("- an item\n", many), many},
		{"pipe table", "| a | b |\n|---|---|\n" + strings.Repeat("| one | two |\n", many), many},
		{"notes", manyNotes(many), many},
		{"boxes", strings.Repeat(":::callout{title=\"A\"}\nwords\n:::\n\n", many), many},
		{"floated boxes", strings.Repeat(":::callout{placement=auto title=\"A\"}\nwords\n:::\n\nwords\n\n", many), many},
		{"poem", ":::verse\n" + strings.Repeat("a line\n\n", many) + ":::", many},
		{"groups in columns", strings.Repeat(":::columns\n- a\n- b\n:::\n\n", many), many},
		{"a listing", "```go\n" + strings.Repeat("return h.total\n", many) + "```\n", many / 16},
		{"formulas", strings.Repeat("$a$ ", many), many / 32},
		{"references", strings.Repeat("see :ref{id=x} ", many), many / 32},
		{"marks", strings.Repeat("*a* b ", many), many / 32},
		{"one paragraph of 60,000 words", strings.Repeat(word, 60_000), 60_000 / 4000},
		{"one word of a million letters", strings.Repeat("x", 1_000_000), 1_000_000 / 3000},
		{"lines that are alike", ":::verse\n" + strings.Repeat("a line\n", 20*many) + ":::", 20 * many / 64},
		{"a listing of one line", "```go\n" + strings.Repeat("f(a, \"b\") + ", 20_000) + "\n```\n", 20_000 / 16},
		{"a listing of a text that is all one token", "```go\n/*" + strings.Repeat("words ", 60_000) + "*/\n```\n", 60_000 / 4000},
	} {
		ts := New(fonttest.World(t))
		typeset(t, ts, small(t, "{}", c.text))
		got := ts.Counters().Looks
		t.Logf("%s: %d looks", c.name, got)
		if got < c.pieces {
			t.Errorf("%s: ready to stop %d times, want %d at least", c.name, got, c.pieces)
		}
	}
}

// stopAfter is a world that has its layout stopped at the nth time it is asked.
type stopAfter struct {
	fonttest.Source
	left   int
	cancel context.CancelFunc
}

func (w *stopAfter) Yield(ctx context.Context) error {
	if w.left--; w.left == 0 {
		w.cancel()
	}
	return ctx.Err()
}

// Stopped in the middle of one paragraph without end, the call returns the
// context's error, and what was kept of it does no harm to the next.
func TestCancelInsideAParagraph(t *testing.T) {
	text := strings.Repeat("The keeper walked down to the landing and counted the steps. ", 12_000)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &stopAfter{Source: fonttest.World(t), left: 4, cancel: cancel}
	ts := New(w)
	if _, err := ts.Typeset(ctx, small(t, "{}", text), Observer{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if r := typeset(t, ts, small(t, "{}", "A short one.")); len(r.Frames.Chapters[0].Pages) != 1 {
		t.Error("the next layout is harmed")
	}
}

// BenchmarkMemory lays a thousand pages out and tells what they hold: the pages
// alone, and with what is kept for the next edit.
func BenchmarkMemory(b *testing.B) {
	one := corpus(b, "moby-dick")
	twice := *one
	twice.Chapters = nil
	for _, suffix := range []string{"", "-again"} {
		for _, c := range one.Chapters {
			copied := *c
			copied.ID += suffix
			twice.Chapters = append(twice.Chapters, &copied)
		}
	}
	bk := withConfig(b, &twice, bench1)
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	b.ReportAllocs()
	for b.Loop() {
		before := heap()
		ts := New(fonttest.World(b))
		r := typeset(b, ts, bk)
		all := heap() - before
		pages := r.Frames.PageCount()
		runtime.KeepAlive(ts)
		ts = nil
		frames := heap() - before
		runtime.KeepAlive(r)
		b.ReportMetric(float64(pages), "pages")
		b.ReportMetric(all*1000/float64(pages), "MB/1000pages")
		b.ReportMetric(frames*1000/float64(pages), "MB-frames/1000pages")
	}
}
