package engine

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
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

func nested(open, in, end string, n int) string {
	return strings.Repeat(open, n) + in + strings.Repeat(end, n)
}

// manyRows is a table resource of n rows.
func manyRows(n int, place book.Placement) *book.Resource {
	t := &book.Table{}
	for i := range n {
		t.Rows = append(t.Rows, []book.Cell{{Content: fmt.Sprint(i)}, {Content: "number"}})
	}
	return &book.Resource{ID: "t", Kind: "table", TypeID: "table", Caption: "Rows", Placement: &place, Table: t}
}

// TestNestedBoxes: boxes stand in boxes to a depth no book needs; what is deeper is
// set in the innermost of them, with its words and a warning.
func TestNestedBoxes(t *testing.T) {
	for _, n := range []int{20, 300, 10_000} {
		for _, open := range []string{":::callout\n", ":::callout{title=\"title\"}\n", ":::callout{placement=auto}\n", ":::columns\n:::callout\n"} {
			end := strings.Repeat(":::\n", strings.Count(open, ":::"))
			r := typeset(t, rulesTypesetter(t), small(t, area(1, ""), nested(open, "word\n\n", end, n)+"\nafter"))
			c := r.Frames.Chapters[0]
			frames, titles, words, told := 0, 0, 0, 0
			for _, p := range c.Pages {
				for _, b := range append(slices.Concat(p.Floats), columnBlocks(p)...) {
					switch {
					case b.Kind == frame.Frame && !b.Continued:
						frames++
					case b.Text == nil:
					case strings.HasPrefix(b.Text.Plain, "title"):
						titles++
					case b.Text.Plain == "word" || b.Text.Plain == "after":
						words++
					}
				}
			}
			for _, p := range c.Problems {
				if p.Kind == "notLaidOut" {
					told++
				}
			}
			if frames < 3 || frames > 8 || words != 2 || told == 0 {
				t.Errorf("%q, %d deep: %d frames, %d of 2 words, %d warnings", open, n, frames, words, told)
			}
			if strings.Contains(open, "title") {
				if titles != n {
					t.Errorf("%d titles of %d", titles, n)
				}
			} else if len(c.Pages) > 2 {
				t.Errorf("%q, %d deep: %d pages", open, n, len(c.Pages))
			}
		}
	}
}

func columnBlocks(p *frame.Page) (out []*frame.Block) {
	for i := range p.Columns {
		out = append(out, p.Columns[i].Blocks...)
	}
	return out
}

// TestLongTablesStayLinear: a table of twice the rows, wherever it is set, costs
// twice as much, and no row is lost.
func TestLongTablesStayLinear(t *testing.T) {
	for _, place := range []book.Placement{{Position: "here"}, {Position: "auto"}, {Position: "here", Wrap: "left", Width: 0.5}, {Span: "side"}} {
		for _, config := range []string{area(1, ""), strings.Replace(area(2, ""), `"double"`, `"oneAndHalf", "sideColumnRole": "floats"`, 1)} {
			var bytes [2]uint64
			for k, n := range []int{1500, 3000} {
				ts := New(fonttest.World(t))
				typeset(t, ts, small(t, config, "The fonts are read before what counts."))
				b := small(t, config, "See :ref{id=\"t\"}.\n\n::resource{id=\"t\"}\n\nafter")
				b.Resources = append(b.Resources, manyRows(n, place))
				had := allocated()
				r := typeset(t, ts, b)
				bytes[k] = allocated() - had
				rows := map[int]bool{}
				for _, p := range r.Frames.Chapters[0].Pages {
					for _, b := range append(slices.Concat(p.Floats), columnBlocks(p)...) {
						if b.Part == "cell" {
							rows[b.Row] = true
						}
					}
				}
				if len(rows) != n {
					t.Errorf("%+v: %d rows of %d", place, len(rows), n)
				}
			}
			if bytes[1] > bytes[0]*5/2+1<<20 {
				t.Errorf("%+v: %d bytes, for twice as many rows %d", place, bytes[0], bytes[1])
			}
		}
	}
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
		"boxes in boxes":       {300, func(n int) string { return nested(":::callout\n", "x\n", ":::\n", n) }},
		"titled boxes":         {300, func(n int) string { return nested(":::callout{title=\"A\"}\n", "x\n", ":::\n", n) }},
		"groups in columns":    {300, func(n int) string { return nested(":::columns\n", "x\n", ":::\n", n) }},
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
