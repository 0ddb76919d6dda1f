package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/font"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// coded is the tiny page with a code face for spans and listings.
func coded() string {
	c := strings.TrimSuffix(fmt.Sprintf(tiny, "false", "any"), "}")
	return c + `, "codeStyle": {"fontFamily": "JetBrains Mono", "inline": {"fontFamily": "JetBrains Mono"}}}`
}

// blocksOf lists a kind of block in reading order.
func blocksOf(b *frame.Book, kind frame.BlockKind) (out []*frame.Block) {
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			for i := range p.Columns {
				for _, bl := range p.Columns[i].Blocks {
					if bl.Kind == kind {
						out = append(out, bl)
					}
				}
			}
		}
	}
	return
}

// TestCodeHasNoLigatures: code prints every sign as it was typed, in listings
// and in the line.
func TestCodeHasNoLigatures(t *testing.T) {
	b := lay(t, coded(), "Text `:::a` and `->b`.\n\n```\n::: --- != >= =>\n```")
	seen := 0
	for _, bl := range append(blocksOf(b, frame.Paragraph), blocksOf(b, frame.Code)...) {
		for i := range bl.Lines {
			for _, r := range bl.Lines[i].Runs {
				if !strings.Contains(r.Face.Family, "JetBrains") {
					continue
				}
				for _, w := range r.Words {
					for k, g := range w.Shape.Glyphs {
						alone := r.Face.Shape(w.Shape.Text[k:k+1], font.Features{NoLigatures: true, NoContextual: true})
						if len(w.Shape.Glyphs) != len(w.Shape.Text) || g.ID != alone.Glyphs[0].ID {
							t.Fatalf("%q is set with a ligature", w.Shape.Text)
						}
						seen++
					}
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d signs of code", seen)
	}
}

// TestCodeTabs: a tab in a listing fills up to the next column of four.
func TestCodeTabs(t *testing.T) {
	b := lay(t, coded(), "```\n\tx\nab\tx\nabcd\tx\n    x\n        x\n```")
	l := blocksOf(b, frame.Code)[0].Lines
	at := func(i int) unit.Sp {
		r := l[i].Runs[len(l[i].Runs)-1]
		return r.Words[len(r.Words)-1].X
	}
	near := func(a, b unit.Sp) bool { return a-b < 16 && b-a < 16 }
	if !near(at(0), at(3)) || !near(at(1), at(3)) || !near(at(2), at(4)) {
		t.Errorf("tabs end at %v %v %v, spaces at %v %v", at(0).Pt(), at(1).Pt(), at(2).Pt(), at(3).Pt(), at(4).Pt())
	}
}

// TestCodeWraps: the rest of a line too wide for its box is set two cells in
// from the line's own blanks, behind a mark, and reaches no farther than the box.
func TestCodeWraps(t *testing.T) {
	b := lay(t, coded(), "```\n\tone two three four five six seven eight\nx\n```")
	bl := blocksOf(b, frame.Code)[0]
	cell := bl.Lines[len(bl.Lines)-1].Width
	if len(bl.Lines) < 3 {
		t.Fatalf("%d lines", len(bl.Lines))
	}
	marks := 0
	for _, it := range bl.Over {
		if it.ID == "wrap" {
			marks++
		}
	}
	for i := range bl.Lines[:len(bl.Lines)-1] {
		l := &bl.Lines[i]
		if d := l.X - bl.Box.X - 6*cell; i > 0 && (d > 16 || d < -16) {
			t.Errorf("line %d begins %v in, want %v", i, (l.X - bl.Box.X).Pt(), (6 * cell).Pt())
		}
		if l.X+lineEnd(l) > bl.Box.Right()+cell { // a blank may hang out
			t.Errorf("line %d stands out of the box", i)
		}
	}
	if marks != len(bl.Lines)-2 {
		t.Errorf("%d marks for %d lines", marks, len(bl.Lines))
	}
}

// TestCodeCutsLongNames: a name that the colours take apart is cut where it is
// wider than the turned line as a whole, and so are words that touch in a text
// (layout.md 5.4); nothing stands out of its column.
func TestCodeCutsLongNames(t *testing.T) {
	b := lay(t, coded(), "```python\ndef f():\n        return get_base_fee_per_blob_gas_of(block.parent.header)\n```\n\n"+
		"Averyveryveryverylongwordofnumbers**thatgoesoninboldwithoutaspaceforquite**alongwhileyet.")
	for _, kind := range []frame.BlockKind{frame.Code, frame.Paragraph} {
		for _, bl := range blocksOf(b, kind) {
			for i := range bl.Lines {
				if l := &bl.Lines[i]; l.X+lineEnd(l) > bl.Box.Right() {
					t.Errorf("%s, line %d stands %v out of its box", kind, i, (l.X + lineEnd(l) - bl.Box.Right()).Pt())
				}
			}
		}
	}
}

// TestSpacesOfInlineCode: in a justified line the wide spaces of a code face give
// as much as the text's and no more.
func TestSpacesOfInlineCode(t *testing.T) {
	b := lay(t, coded(), "Words before `a b c d` and words after it, so that lines are filled from edge to edge as they should be.")
	for _, bl := range blocksOf(b, frame.Paragraph) {
		for i := range bl.Lines {
			l := &bl.Lines[i]
			if !l.Justified {
				continue
			}
			var text, code unit.Sp // what each kind of space has gained
			for _, r := range l.Runs {
				for k := 1; k < len(r.Words); k++ {
					w := r.Words[k-1]
					if r.Words[k].Start == w.End { // no space between
						continue
					}
					gap := r.Words[k].X - w.X - unit.Scale(w.Shape.Advance, r.Size, r.Face.UPem)
					more := gap - unit.Scale(r.Face.Space, r.Size, r.Face.UPem)
					if strings.Contains(r.Face.Family, "JetBrains") {
						code = more
					} else {
						text = more
					}
				}
			}
			if code != 0 && (code-text > 8 || text-code > 8) {
				t.Errorf("line %d: code spaces gain %d, text spaces %d", i, code, text)
			}
		}
	}
}

// TestVerseMarks: a line of verse has its inline marks, its indent is counted in
// steps, and a shared line begins where the line above ended.
func TestVerseMarks(t *testing.T) {
	b := lay(t, fmt.Sprintf(tiny, "false", "any"), ":::verse\nThe *queen* is\n  late, **late**;\nSay\n+ more.\n:::")
	v := blocksOf(b, frame.Verse)
	if len(v) != 4 {
		t.Fatalf("%d lines of verse", len(v))
	}
	if got := v[0].Text.Plain; got != "The queen is" || len(v[0].Lines[0].Runs) != 3 {
		t.Errorf("the first line is %q in %d runs", got, len(v[0].Lines[0].Runs))
	}
	if d := v[1].Lines[0].X - v[0].Lines[0].X; d != 10*unit.Pt {
		t.Errorf("two spaces indent by %v", d.Pt())
	}
	if d := v[3].Lines[0].X - (v[2].Lines[0].X + v[2].Lines[0].Width); d <= 0 || d > 4*unit.Pt {
		t.Errorf("the shared line begins %v behind the line above", d.Pt())
	}
}

// TestBlankPagesRunningHeads: the separator of always-odd has the heads of the
// chapter before, a parity blank those of the one that follows (settings.md 10.3).
func TestBlankPagesRunningHeads(t *testing.T) {
	head := `, "header": {"elements": [{"kind": "text", "id": "h", "content": "{chapterTitle} {attr.k}", "placement": {"anchor": {"to": "container", "edge": "bottom"}}}]}}`
	config := strings.TrimSuffix(fmt.Sprintf(tiny, "true", "always-odd"), "}") + head
	for _, chapters := range [][]string{
		{"# A {k=1}\n\nx\n\n:::pagebreak\n\ny", "# B {k=2}\n\ntext"},
		{"# A {k=1}\n\nx\n\n:::pagebreak\n\ny\n\n# B {k=2}\n\ntext"},
	} {
		var got []string
		for _, c := range lay(t, config, chapters...).Chapters {
			for _, p := range c.Pages {
				h := "-"
				for _, it := range p.Header {
					h = it.Plain
				}
				got = append(got, h)
			}
		}
		if s := strings.Join(got, ","); s != "A 1,A 1,A 1,B 2,B 2" {
			t.Errorf("%d chapters: heads %s", len(chapters), s)
		}
	}
}

// TestHeadingKeepsItsSpace: a block that returns the text to the grid does not
// widen the space under a heading that follows it (layout.md 4).
func TestHeadingKeepsItsSpace(t *testing.T) {
	page := strings.Replace(fmt.Sprintf(tiny, "false", "any"), `"value": 140`, `"value": 400`, 1)
	page = strings.Replace(page, `"layout"`, `"unorderedLists": {"marginTop": {"value": 5, "unit": "pt"}, "marginBottom": {"value": 5, "unit": "pt"}}, "layout"`, 1)
	under := func(text string) unit.Sp {
		b := lay(t, page, text+"\n\n## Head\n\nAfter.")
		h := blocksOf(b, frame.Heading)[0]
		p := blocksOf(b, frame.Paragraph)
		base := p[len(p)-1].Lines[0].Baseline
		if pg := b.Chapters[0].Pages[0]; (base-pg.GridTop)%pg.GridPitch != 0 {
			t.Errorf("after %q the text is off the grid", text)
		}
		return base - h.Lines[0].Baseline
	}
	if a, b := under("Words."), under("- item"); b > a {
		t.Errorf("%v under a heading behind a paragraph, %v behind a list", a.Pt(), b.Pt())
	}
}

// TestClosingBandHasNoWidow: a closing band is not cut so that a paragraph leaves
// one line at the head of its second column.
func TestClosingBandHasNoWidow(t *testing.T) {
	for _, n := range []int{20, 30, 40, 55} {
		b := lay(t, "{}", strings.TrimSpace(strings.Repeat("word ", n))+".")
		for _, c := range b.Chapters[0].Pages[0].Columns {
			for _, bl := range c.Blocks {
				if (bl.Continued || bl.Continues) && len(bl.Lines) < 2 {
					t.Errorf("%d words: a line alone in a column", n)
				}
			}
		}
	}
}

// TestASceneBreakIsALinesPause: a scene break has the room of a blank line besides
// its own, the ornament in its middle, and the text goes on on the grid; between
// paragraphs a blank line apart it has one on each side.
func TestASceneBreakIsALinesPause(t *testing.T) {
	for text, want := range map[string][2]unit.Sp{
		fmt.Sprintf(tiny, "false", "any"): {18 * unit.Pt, 36 * unit.Pt},
		strings.Replace(fmt.Sprintf(tiny, "false", "any"), `"bodyText": {`, `"bodyText": {"paragraphSpacing": true, `, 1): {24 * unit.Pt, 48 * unit.Pt},
	} {
		b := lay(t, text, "One.\n\n* * *\n\nTwo.")
		p, o := blocksOf(b, frame.Paragraph), blocksOf(b, frame.SceneBreak)
		if got := [2]unit.Sp{o[0].Box.Y - p[0].Box.Y, p[1].Box.Y - p[0].Box.Y}; got != want {
			t.Errorf("the ornament is %v pt below, the text %v pt", got[0].Pt(), got[1].Pt())
		}
	}
}

// TestAQuotationStandsOffByHalfALine: above and below, and the text goes on on the
// grid; between paragraphs a blank line apart it stands off as they do.
func TestAQuotationStandsOffByHalfALine(t *testing.T) {
	for text, want := range map[string][2]unit.Sp{
		fmt.Sprintf(tiny, "false", "any"): {18 * unit.Pt, 36 * unit.Pt},
		strings.Replace(fmt.Sprintf(tiny, "false", "any"), `"bodyText": {`, `"bodyText": {"paragraphSpacing": true, `, 1): {24 * unit.Pt, 48 * unit.Pt},
	} {
		b := lay(t, text, "One.\n\n> Said.\n\nTwo.")
		p, q := blocksOf(b, frame.Paragraph), blocksOf(b, frame.Quote)
		if got := [2]unit.Sp{q[0].Box.Y - p[0].Box.Y, p[1].Box.Y - p[0].Box.Y}; got != want {
			t.Errorf("the quotation is %v pt below, the text %v pt", got[0].Pt(), got[1].Pt())
		}
	}
}

// TestSceneBreakStandsInTheMiddle: the ornament's middle is that of the small
// letters of its line.
func TestSceneBreakStandsInTheMiddle(t *testing.T) {
	b := lay(t, fmt.Sprintf(tiny, "false", "any"), "One.\n\n* * *\n\nTwo.")
	r := blocksOf(b, frame.SceneBreak)[0].Lines[0].Runs[0]
	if r.Rise >= 0 || r.Rise < -r.Size/2 {
		t.Errorf("the asterisks are raised by %v", r.Rise.Pt())
	}
}

// TestPictureBox: what stands for a picture is a box with its words, and the
// caption under it, kept together.
func TestPictureBox(t *testing.T) {
	page := fmt.Sprintf(tiny, "false", "any")
	b := lay(t, page, strings.Repeat("Line.\\\n", 4)+"end.\n\n![A whale](w.png \"In its sea.\")\n\nAfter.")
	r := blocksOf(b, frame.Resource)
	if len(r) != 2 || len(r[0].Under) != 1 || r[0].Under[0].Stroke.A == 0 {
		t.Fatalf("%d blocks for the picture", len(r))
	}
	for _, p := range b.Chapters[0].Pages {
		n := 0
		for _, bl := range p.Columns[0].Blocks {
			if bl.Kind == frame.Resource {
				n++
			}
		}
		if n == 1 {
			t.Error("the picture and its caption stand on two pages")
		}
	}
	if gap := r[1].Box.Y - r[0].Under[0].Box.Bottom(); gap < 0 {
		t.Errorf("the caption begins %v above the box's foot", -gap.Pt())
	}
}

// TestTableFits: a table of many columns gets smaller type before its words are
// divided, and never leaves its column.
func TestTableFits(t *testing.T) {
	r := typeset(t, New(fonttest.World(t)), small(t, "{}", "| Feature | Manubot | Authorea | Overleaf | Documents | Permission |\n|---|---|---|---|---|---|\n| Propose changes | Yes | No | No | Requires permission | No |"))
	cells := 0
	for _, c := range r.Frames.Chapters[0].Pages[0].Columns {
		for _, bl := range c.Blocks {
			for i := range bl.Lines {
				cells++
				l := &bl.Lines[i]
				if l.Hyphenated {
					t.Errorf("%q is divided", bl.Text.Plain)
				}
				if l.Runs[0].Size >= r.Design.Body.Size {
					t.Errorf("the type is %v", l.Runs[0].Size.Pt())
				}
				if l.X+l.Width > c.Box.Right() {
					t.Errorf("%q leaves its column", bl.Text.Plain)
				}
			}
		}
	}
	if cells < 12 {
		t.Errorf("%d lines in cells", cells)
	}
}

// TestShortPoems: in a chapter of poems a poem of two lines is set like the
// others, flush.
func TestShortPoems(t *testing.T) {
	poem := "One,\\\ntwo,\\\nthree.\n\n"
	b := lay(t, fmt.Sprintf(tiny, "false", "any"), "# A\n\n"+poem+poem+poem+"## B\n\nThou reader,\\\nand I.\n\n## C\n\n"+poem)
	for _, bl := range blocksOf(b, frame.Paragraph) {
		if bl.Lines[0].X != bl.Box.X {
			t.Errorf("%q is indented", bl.Text.Plain)
		}
	}
}

// TestStanzasOfOneLine: among stanzas a paragraph of one line is one of them: flush,
// with a blank line around it, its turnover hanging.
func TestStanzasOfOneLine(t *testing.T) {
	poem := "One,\\\ntwo,\\\nthree.\n\n"
	line := "Through me the afflatus surging and surging, through me the current and index."
	b := lay(t, fmt.Sprintf(tiny, "false", "any"), poem+line+"\n\n"+poem+poem)
	ps := blocksOf(b, frame.Paragraph)
	bl := ps[1]
	if len(bl.Lines) < 2 || bl.Lines[0].X != bl.Box.X || bl.Lines[1].X <= bl.Box.X {
		t.Errorf("%d lines, at %v and %v", len(bl.Lines), bl.Lines[0].X.Pt(), bl.Lines[1].X.Pt())
	}
	if gap := bl.Box.Y - ps[0].Box.Bottom(); gap < 10*unit.Pt {
		t.Errorf("%v pt over it", gap.Pt())
	}
}
