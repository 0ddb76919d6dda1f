package engine

import (
	"runtime"
	"strings"
	"testing"

	"postext/engine/font/fonttest"
)

// work is what setting a book costs, in counts that are the same on every machine
// and in every run but for the bytes.
type work struct {
	counts [4]int64
	bytes  uint64
}

func workOf(t *testing.T, config, text string) (w work) {
	t.Helper()
	ts := New(fonttest.World(t))
	typeset(t, ts, small(t, config, "The fonts are read before what counts."))
	before, had := ts.Counters(), allocated()
	if typeset(t, ts, small(t, config, text)).Frames.PageCount() == 0 {
		t.Error("no pages")
	}
	c := ts.Counters()
	w.counts = [4]int64{c.ParagraphsShaped - before.ParagraphsShaped, c.ParagraphsBroken - before.ParagraphsBroken,
		c.PagesPlaced - before.PagesPlaced, c.Looks - before.Looks}
	w.bytes = allocated() - had
	return w
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestHostileBooksStayLinear: twice of what is meant to hurt costs no more than a
// little over twice the work and the memory, whatever the machine: long chapters,
// long tables, a word without end, notes without number, deep quotes and lists.
func TestHostileBooksStayLinear(t *testing.T) {
	narrow := strings.Replace(area(2, ""), `"double"`, `"multiple"`, 1)
	for name, c := range map[string]struct {
		n     int
		build func(n int) string
	}{
		"a long chapter": {400, func(n int) string { return strings.Repeat("Nectar is brought to the hive by the foragers.\n\n", n) }},
		"a table of many rows": {300, func(n int) string {
			return "| a | b |\n|---|---|\n" + strings.Repeat("| row | number |\n", n)
		}},
		"a word without end":   {20_000, func(n int) string { return strings.Repeat("x", n) }},
		"notes at one place":   {150, manyNotes},
		"quotes in quotes":     {1000, func(n int) string { return strings.Repeat("> ", n) + "x" }},
		"lists in lists":       {60, deepList},
		"emphasis in emphasis": {2000, func(n int) string { return strings.Repeat("*a **b ", n) }},
	} {
		t.Run(name, func(t *testing.T) {
			for _, config := range []string{area(1, ""), narrow} {
				once, twice := workOf(t, config, c.build(c.n)), workOf(t, config, c.build(2*c.n))
				for i, k := range once.counts {
					if twice.counts[i] > k*5/2+64 {
						t.Errorf("count %d: %d, for twice as much %d", i, k, twice.counts[i])
					}
				}
				if twice.bytes > once.bytes*3+1<<20 {
					t.Errorf("%d bytes, for twice as much %d", once.bytes, twice.bytes)
				}
			}
		})
	}
}
