package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// boxed is the tiny page with box styles; its columns have seven lines of 12 pt.
func boxed(styles string) string {
	c := strings.TrimSuffix(fmt.Sprintf(tiny, "false", "any"), "}")
	return c + `, "calloutStyles": [` + styles + `]}`
}

// tight is a style whose measures are easy to reckon with: 6 pt all round.
const tight = `{"id": "t", "padding": {"top": {"value": 6, "unit": "pt"}, "right": {"value": 6, "unit": "pt"}, "bottom": {"value": 6, "unit": "pt"}, "left": {"value": 6, "unit": "pt"}},
	"marginTop": {"value": 6, "unit": "pt"}, "marginBottom": {"value": 6, "unit": "pt"}%s}`

func itemOf(b *frame.Block, id string) *frame.Item {
	for _, list := range [][]frame.Item{b.Under, b.Over} {
		for i := range list {
			if list[i].ID == id {
				return &list[i]
			}
		}
	}
	return nil
}

// inner lists the blocks of a column that follow a frame and stand inside it.
func inner(c *frame.Column, fb *frame.Block) (out []*frame.Block) {
	seen := false
	for _, b := range c.Blocks {
		if b == fb {
			seen = true
			continue
		}
		if seen && b.Box.Y >= fb.Box.Y && b.Box.Y < fb.Box.Bottom() {
			out = append(out, b)
		}
	}
	return
}

// TestBoxFrame: the frame stands at its margin, its text at the padding on all
// sides; a stripe narrows the text; the text after it returns to the grid.
func TestBoxFrame(t *testing.T) {
	b := lay(t, boxed(fmt.Sprintf(tight, `, "stripe": {"enabled": true, "width": {"value": 4, "unit": "pt"}}, "border": {"enabled": true}, "borderRadius": {"value": 3, "unit": "pt"}`)),
		"Before.\n\n:::callout\nInside.\n:::\n\nAfter.")
	col := &b.Chapters[0].Pages[0].Columns[0]
	fr := blocksOf(b, frame.Frame)[0]
	text, before, after := col.Blocks[2], col.Blocks[0], col.Blocks[3]
	if got, want := fr.Box.Y-before.Box.Bottom(), 6*unit.Pt; got != want {
		t.Errorf("margin above %v, want %v", got.Pt(), want.Pt())
	}
	if got := text.Box.Y - fr.Box.Y; got != 6*unit.Pt {
		t.Errorf("padding above %v", got.Pt())
	}
	if got := fr.Box.Bottom() - text.Box.Bottom(); got != 6*unit.Pt {
		t.Errorf("padding below %v", got.Pt())
	}
	if got := text.Box.X - fr.Box.X; got != 10*unit.Pt {
		t.Errorf("stripe and padding %v, want 10", got.Pt())
	}
	if fr.Box.X != col.Box.X || fr.Box.W != col.Box.W {
		t.Errorf("the frame is %v, the column %v", fr.Box, col.Box)
	}
	if s := itemOf(fr, "stripe"); s == nil || s.Box.W != 4*unit.Pt || s.Box.H != fr.Box.H {
		t.Errorf("stripe %+v", s)
	}
	if s := itemOf(fr, "border"); s == nil || s.Radius != 3*unit.Pt || s.Box != fr.Box {
		t.Errorf("border %+v", s)
	}
	p := b.Chapters[0].Pages[0]
	if (after.Lines[0].Baseline-p.GridTop)%p.GridPitch != 0 {
		t.Error("the text after the box stands off the grid")
	}
}

// TestBoxAtColumnHead: at the head of a column a box has no margin but keeps its
// padding.
func TestBoxAtColumnHead(t *testing.T) {
	b := lay(t, boxed(fmt.Sprintf(tight, "")), ":::callout\nInside.\n:::")
	col := &b.Chapters[0].Pages[0].Columns[0]
	if y := col.Blocks[0].Box.Y - col.Box.Y; y != 0 {
		t.Errorf("the frame begins %v down", y.Pt())
	}
	if y := col.Blocks[1].Box.Y - col.Box.Y; y != 6*unit.Pt {
		t.Errorf("its text begins %v down", y.Pt())
	}
}

// TestBoxMargins: two boxes in a row stand the larger of their margins apart; the
// last child's margin does not reach beyond the box.
func TestBoxMargins(t *testing.T) {
	b := lay(t, boxed(fmt.Sprintf(tight, `, "marginTop": {"value": 9, "unit": "pt"}`)), ":::callout\na\n:::\n:::callout\n- b\n:::\n")
	f := blocksOf(b, frame.Frame)
	if got := f[1].Box.Y - f[0].Box.Bottom(); got < 9*unit.Pt {
		t.Errorf("%v apart", got.Pt())
	}
	l := blocksOf(b, frame.ListItem)[0]
	if got := f[1].Box.Bottom() - l.Box.Bottom(); got != 6*unit.Pt {
		t.Errorf("%v under the list", got.Pt())
	}
}

// TestBoxKeepsTogether: a box that fits no more goes to the next column whole,
// unless its style lets it be cut (settings.md 17, keepTogether).
func TestBoxKeepsTogether(t *testing.T) {
	text := strings.Repeat("x\\\n", 2) + "x\n\n:::callout\n" + strings.Repeat("y\\\n", 4) + "y\n:::"
	for _, c := range []struct {
		more string
		want string
	}{{"", "0 5"}, {`, "keepTogether": false`, "2 3"}} {
		b := lay(t, boxed(fmt.Sprintf(tight, c.more)), text)
		var got []string
		for _, p := range b.Chapters[0].Pages {
			n := 0
			for _, bl := range p.Columns[0].Blocks {
				if bl.Text != nil && strings.HasPrefix(bl.Text.Plain, "y") {
					n += len(bl.Lines)
				}
			}
			got = append(got, fmt.Sprint(n))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: lines on the pages %s, want %s", c.more, s, c.want)
		}
	}
}

// TestBoxSplit: a box taller than a column is cut; every part has its frame and
// padding, title and icon stand on the first part alone, at least two lines stand
// on each side of every cut (layout.md 9).
func TestBoxSplit(t *testing.T) {
	style := fmt.Sprintf(tight, `, "icon": {"kind": "glyph", "glyph": "i"}, "repeatTitle": %s, "continuesMarkerEnabled": %s`)
	for _, on := range []string{"false", "true"} {
		for n := 6; n < 30; n++ {
			b := lay(t, boxed(fmt.Sprintf(style, on, on)), "a\n\n:::callout{title=Title}\n"+strings.Repeat("y\\\n", n)+"y\n:::")
			parts := blocksOf(b, frame.Frame)
			if len(parts) < 2 {
				continue
			}
			k := 0
			for _, p := range b.Chapters[0].Pages {
				for i := range p.Columns {
					col := &p.Columns[i]
					for _, fr := range col.Blocks {
						if fr.Kind != frame.Frame {
							continue
						}
						titles, lines := 0, 0
						for _, in := range inner(col, fr) {
							if in.Kind == frame.Callout {
								titles++
							} else {
								lines += len(in.Lines)
							}
							if in.Box.Bottom() > fr.Box.Bottom()-6*unit.Pt {
								t.Errorf("%d lines: text stands in the padding of part %d", n, k)
							}
						}
						if want := k == 0 || on == "true"; (titles == 1) != want {
							t.Errorf("%d lines: part %d has %d titles", n, k, titles)
						}
						if lines < 2 {
							t.Errorf("%d lines: part %d has %d", n, k, lines)
						}
						if (itemOf(fr, "icon") != nil) != (k == 0) {
							t.Errorf("part %d: icon", k)
						}
						if last := k == len(parts)-1; (itemOf(fr, "continues") != nil) != (on == "true" && !last) || fr.Continues == last || fr.Continued != (k > 0) {
							t.Errorf("part %d of %d: continued %v, continues %v", k, len(parts), fr.Continued, fr.Continues)
						}
						if fr.Box.Bottom() > col.Box.Bottom() {
							t.Errorf("part %d leaves the column", k)
						}
						k++
					}
				}
			}
		}
	}
}

// TestBoxCutsBetweenChildren: the cut falls between children or inside one so
// that two lines of the box stand behind it.
func TestBoxCutsBetweenChildren(t *testing.T) {
	for n := 1; n < 7; n++ {
		b := lay(t, boxed(fmt.Sprintf(tight, `, "keepTogether": false`)), strings.Repeat("x\\\n", n)+"x\n\n:::callout\n"+strings.Repeat("y\n\n", 6)+":::")
		for k, fr := range blocksOf(b, frame.Frame) {
			for _, p := range b.Chapters[0].Pages {
				for i := range p.Columns {
					if in := inner(&p.Columns[i], fr); len(in) == 1 {
						t.Errorf("%d lines before: part %d holds one line", n, k)
					}
				}
			}
		}
	}
}

// TestNestedBox: a box in a box takes its full inner width, and is carried over
// whole when the outer one is cut.
func TestNestedBox(t *testing.T) {
	b := lay(t, boxed(fmt.Sprintf(tight, `, "keepTogether": false`)), "x\n\n:::callout\ny\\\ny\n:::callout{span=page}\nz\\\nz\\\nz\n:::\n:::")
	f := blocksOf(b, frame.Frame)
	if len(f) < 2 {
		t.Fatalf("%d frames", len(f))
	}
	in := f[len(f)-1]
	if in.Box.W != f[0].Box.W-12*unit.Pt || in.Box.X != f[0].Box.X+6*unit.Pt {
		t.Errorf("inner box %v in %v", in.Box, f[0].Box)
	}
}

// TestBoxTitle: the fence's title wins over the style's and takes marks.
func TestBoxTitle(t *testing.T) {
	b := lay(t, boxed(fmt.Sprintf(tight, `, "title": "Style"`)), ":::callout{title=\"Of the *fence*\"}\na\n:::\n\n:::callout\nb\n:::")
	titles := blocksOf(b, frame.Callout)
	if titles[0].Text.Plain != "Of the fence" || titles[1].Text.Plain != "\uFFFC" {
		t.Errorf("titles %q %q", titles[0].Text.Plain, titles[1].Text.Plain)
	}
	if r := titles[0].Lines[0].Runs; !r[len(r)-1].Face.Italic {
		t.Error("the mark in the title is not set")
	}
}

// TestBoxNumbers: boxes of styles that share a counter are numbered in reading
// order, the title follows in parentheses (document-format.md 6.1).
func TestBoxNumbers(t *testing.T) {
	config := boxed(`{"id": "thm", "numbering": {"label": "Theorem", "counter": "x"}}, {"id": "lem", "numbering": {"label": "Lemma", "counter": "x"}, "endMark": "□"}, {"id": "rem", "numbering": {"label": "Remark", "counter": false}}`)
	b := lay(t, config, ":::callout{type=thm}\na\n:::\n:::callout{type=lem title=Short}\nb\n:::\n:::callout{type=rem}\nc\n:::", ":::callout{type=thm}\nd\n:::")
	var got []string
	for _, bl := range blocksOf(b, frame.Paragraph) {
		var s strings.Builder
		for _, r := range bl.Lines[0].Runs {
			for _, w := range r.Words {
				s.WriteString(w.Shape.Text + " ")
			}
		}
		got = append(got, strings.TrimSpace(s.String()))
	}
	want := []string{"Theorem\u00a01. a", "Lemma\u00a02 ( Short ) . b", "Remark. c", "Theorem\u00a03. d"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", got, want)
	}
	for _, bl := range blocksOf(b, frame.Paragraph) {
		if it := itemOf(bl, "endMark"); it != nil {
			if right := it.Text.X + it.Text.Width; right > bl.Box.Right()+16 || right < bl.Box.Right()-16 {
				t.Errorf("the end mark ends at %v, the box at %v", right.Pt(), bl.Box.Right().Pt())
			}
			return
		}
	}
	t.Error("no end mark")
}

// TestUnknownCalloutType: a type there is not takes the first style and says so,
// once the book has styles.
func TestUnknownCalloutType(t *testing.T) {
	for config, want := range map[string]int{boxed(`{"id": "a"}`): 1, fmt.Sprintf(tiny, "false", "any"): 0} {
		b := lay(t, config, ":::callout{type=zzz}\na\n:::")
		n := 0
		for _, p := range b.Chapters[0].Problems {
			if p.Kind == "unknownCalloutType" {
				n++
			}
		}
		if n != want {
			t.Errorf("%d warnings, want %d", n, want)
		}
	}
}

// TestSpaceInBox: room at the head of a box is dropped unless the box holds
// nothing else (document-format.md 5.3).
func TestSpaceInBox(t *testing.T) {
	b := lay(t, boxed(fmt.Sprintf(tight, "")), ":::callout\n:::space{lines=2}\n:::\n\n:::callout\n:::space{lines=2}\na\n:::")
	f := blocksOf(b, frame.Frame)
	if f[0].Box.H != 36*unit.Pt || f[1].Box.H != 24*unit.Pt {
		t.Errorf("heights %v and %v, want 36 and 24", f[0].Box.H.Pt(), f[1].Box.H.Pt())
	}
}
