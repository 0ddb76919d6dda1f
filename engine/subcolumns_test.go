package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// lefts groups the blocks of a page by their left edge and names them by their
// first words.
func lefts(b *frame.Book, page int) string {
	var out []string
	last := unit.Sp(-1)
	for _, bl := range b.Chapters[0].Pages[page].Columns[0].Blocks {
		if bl.Text == nil || len(bl.Lines) == 0 {
			continue
		}
		word := bl.Text.Plain[bl.Lines[0].Start:bl.Lines[0].End]
		if bl.Box.X != last && last >= 0 {
			word = "| " + word
		}
		last = bl.Box.X
		out = append(out, fmt.Sprintf("%s%d", word, len(bl.Lines)))
	}
	return strings.Join(out, " ")
}

// TestSubcolumns: a group is cut where its columns level best, at given blocks
// with breaks, and goes on over pages (document-format.md 6.3).
func TestSubcolumns(t *testing.T) {
	config := with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "firstLineIndent": {"value": 0, "unit": "pt"}}`)
	item := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "%c\n\n", 'a'+i)
		}
		return s.String()
	}
	for _, c := range []struct{ attrs, body, want string }{
		{"", item(4), "a1 b1 | c1 d1"},
		{"count=3", item(6), "a1 b1 | c1 d1 | e1 f1"},
		{"count=3", item(4), "a1 b1 | c1 d1"},
		{"", item(5), "a1 b1 c1 | d1 e1"},
		{`breaks="2"`, item(4), "a1 | b1 c1 d1"},
		{`count=3 breaks="2,4"`, item(4), "a1 | b1 c1 | d1"},
		{`breaks="1,9,3"`, item(4), "a1 b1 | c1 d1"},
		{"", "a\\\na\\\na\\\na\n", "a2 | a2"}, // two lines on each side of a cut
		{"", "a\\\na\\\na\n", "a3"},
	} {
		b := lay(t, config, ":::columns{"+c.attrs+"}\n"+c.body+":::\n")
		if got := lefts(b, 0); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.attrs, c.body, got, c.want)
		}
	}
	// What does not fit a page fills its columns and goes on in the next page's.
	b := lay(t, config, "x\n\n:::columns\n"+item(20)+":::\n\ny")
	words := strings.Fields(strings.NewReplacer("|", "", "1", "").Replace(lefts(b, 0) + " " + lefts(b, 1)))
	if got := strings.Join(words, ""); got != "x"+"abcdefghijklmnopqrst"+"y" {
		t.Errorf("%s", got)
	}
	for _, p := range b.Chapters[0].Pages {
		for _, bl := range p.Columns[0].Blocks {
			if bl.Box.Bottom() > p.Columns[0].Box.Bottom() {
				t.Error("a block leaves the page")
			}
		}
	}
	// The text after the group stands below its longest column, on the grid.
	b = lay(t, config, ":::columns{rule gap=10pt}\n"+item(3)+":::\n\ny")
	col := &b.Chapters[0].Pages[0].Columns[0]
	y := col.Blocks[len(col.Blocks)-1]
	p := b.Chapters[0].Pages[0]
	if y.Box.Y < col.Blocks[1].Box.Bottom() || (y.Lines[0].Baseline-p.GridTop)%p.GridPitch != 0 {
		t.Errorf("the text goes on at %v", y.Box.Y.Pt())
	}
	if r := itemOf(col.Blocks[0], "columnRule"); r == nil || r.Box.X+r.Box.W/2 != col.Box.X+col.Box.W/2 {
		t.Errorf("rule %+v", r)
	}
	if x := col.Blocks[2].Box.X - col.Box.X; x != (col.Box.W-10*unit.Pt)/2+10*unit.Pt {
		t.Errorf("the second column begins at %v", x.Pt())
	}
}

// TestSubcolumnsInBox: inside a box a group has the box's gap, the frame reaches
// round it, and boxes inside it stay whole.
func TestSubcolumnsInBox(t *testing.T) {
	b := lay(t, boxed(fmt.Sprintf(tight, `, "columnGap": {"value": 8, "unit": "pt"}`)), ":::callout\n:::columns\n- a\n- b\n- c\n\n:::callout\nd\n:::\n:::\n:::\n\nAfter.")
	f := blocksOf(b, frame.Frame)
	if len(f) != 2 {
		t.Fatalf("%d frames", len(f))
	}
	if w := f[1].Box.W; w != (f[0].Box.W-12*unit.Pt-8*unit.Pt)/2 {
		t.Errorf("the inner box is %v wide", w.Pt())
	}
	for _, kind := range []frame.BlockKind{frame.ListItem, frame.Frame} {
		for _, bl := range blocksOf(b, kind) {
			if bl.Box.Bottom() > f[0].Box.Bottom() || bl.Box.Right() > f[0].Box.Right() {
				t.Errorf("%v leaves the box %v", bl.Box, f[0].Box)
			}
		}
	}
}

// TestSubcolumnsHostile: any group ends, and no word is lost.
func TestSubcolumnsHostile(t *testing.T) {
	for name, text := range map[string]string{
		"nested":    strings.Repeat(":::columns\n", 40) + "x\n\n" + strings.Repeat(":::\n", 40),
		"long":      ":::columns{count=6}\n" + strings.Repeat("word ", 5000) + "\n:::",
		"many":      ":::columns\n" + strings.Repeat("a\n\n", 2000) + ":::",
		"table":     ":::columns\n|a|b|\n|-|-|\n" + strings.Repeat("|x|y|\n", 300) + "\n:::",
		"headings":  ":::columns\n" + strings.Repeat("# h\n\n## i\n\n", 50) + ":::",
		"boxes":     ":::columns\n" + strings.Repeat(":::callout\n"+strings.Repeat("word ", 300)+"\n:::\n", 5) + ":::",
		"in a box":  ":::callout\n:::columns\n" + strings.Repeat("a\n\n", 300) + ":::\n:::",
		"notes":     ":::columns\n" + strings.Repeat("a[^n]\n\n", 60) + ":::\n\n[^n]: note",
		"breaks":    ":::columns{breaks=\"2,3\" count=3}\n" + strings.Repeat("a\n\n", 300) + ":::",
		"pagebreak": ":::columns\na\n\n:::pagebreak\n\nb\n:::",
	} {
		t.Run(name, func(t *testing.T) {
			for _, config := range []string{fmt.Sprintf(tiny, "true", "always-odd"), "{}", `{"layout": {"layoutType": "oneAndHalf"}}`} {
				r := typeset(t, New(fonttest.World(t)), small(t, config, text, "# After\n\nx"))
				src, set := sourceText(r.Docs[0]), frameText(r.Frames.Chapters[0])
				for w, n := range src {
					if set[w] < n {
						t.Errorf("%q stands %d times, %d are set", w, n, set[w])
						break
					}
				}
			}
		})
	}
}

// TestGroupInColumnsOfSeveralWidths: a group is as wide as the column it stands in,
// and every line of its text is set once, in order, where it goes on in a column of
// another width, in boxes and tables of it, too (document-format.md 6.3).
func TestGroupInColumnsOfSeveralWidths(t *testing.T) {
	config := with(`"layout": {"layoutType": "oneAndHalf"}`)
	words := strings.Repeat("The keeper walked down to the landing before the light was out. ", 12)
	for name, text := range map[string]string{
		"text":   words + "\n\n:::columns\n" + words + "\n\n" + words + "\n:::\n\n" + words,
		"breaks": ":::columns{breaks=\"2\"}\n" + words + "\n\n" + words + "\n:::\n\n" + words,
		"box":    words + "\n\n:::columns\n" + words + "\n\n:::callout\n" + words + "\n:::\n\n" + words + "\n:::",
		"in box": words + "\n\n:::callout\n:::columns\n" + words + "\n\n" + words + "\n:::\n:::\n\n" + words,
		"list":   words + "\n\n:::columns\n- " + words + "\n- " + words + "\n:::",
	} {
		b := lay(t, config, text)
		at := map[int]int{} // of each block, how far its text is set
		for _, p := range b.Chapters[0].Pages {
			for _, c := range p.Columns {
				for _, bl := range c.Blocks {
					if bl.Box.X < c.Box.X || bl.Box.Right() > c.Box.Right()+unit.Pt/100 {
						t.Errorf("%s: a block at %v leaves its column %v", name, bl.Box, c.Box)
					}
					if bl.Text == nil {
						continue
					}
					for _, l := range bl.Lines {
						if got := strings.TrimSpace(bl.Text.Plain[at[bl.Index]:max(int(l.Start), at[bl.Index])]); got != "" || int(l.Start) < at[bl.Index] {
							t.Fatalf("%s: block %d goes on at %d after %d", name, bl.Index, l.Start, at[bl.Index])
						}
						at[bl.Index] = int(l.End)
					}
				}
			}
		}
		for _, bl := range blocksOf(b, frame.Paragraph) {
			if at[bl.Index] < len(bl.Text.Plain) {
				t.Errorf("%s: block %d ends at %d of %d", name, bl.Index, at[bl.Index], len(bl.Text.Plain))
			}
		}
	}
}
