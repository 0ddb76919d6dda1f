package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

func mathBook(extra string) string {
	c := strings.TrimSuffix(fmt.Sprintf(tiny, "false", "any"), "}")
	return c + extra + "}"
}

// drawings lists the formulas of a block with the line each stands in.
func drawings(b *frame.Block) (out []*frame.Drawing) {
	for i := range b.Lines {
		for _, r := range b.Lines[i].Runs {
			for _, w := range r.Words {
				if w.Drawing != nil {
					out = append(out, w.Drawing)
				}
			}
		}
	}
	return
}

// textOfLine is what a line prints, a formula as □.
func textOfLine(l *frame.Line) string {
	var s strings.Builder
	for _, r := range l.Runs {
		for _, w := range r.Words {
			if w.Drawing != nil {
				s.WriteString("□")
			} else {
				s.WriteString(w.Shape.Text)
			}
		}
	}
	return s.String()
}

// A formula in the line is one word: it is not divided, touches the text around
// it and leaves the line's height as it is.
func TestInlineFormula(t *testing.T) {
	b := lay(t, mathBook(""), "Let ($E=mc^2$), said he, and $\\frac{a}{b}$ be there, and $x_{\\text{f}}$ too.")
	bl := blocksOf(b, frame.Paragraph)[0]
	if d := drawings(bl); len(d) != 3 || d[0].Width <= 0 {
		t.Fatalf("%d formulas", len(d))
	}
	all := ""
	for i := range bl.Lines {
		all += textOfLine(&bl.Lines[i]) + " "
		if bl.Lines[i].Height != 12*unit.Pt {
			t.Errorf("line %d is %v pt high", i, bl.Lines[i].Height.Pt())
		}
	}
	if !strings.Contains(all, "(□),") {
		t.Errorf("%q", all)
	}
	for _, p := range b.Chapters[0].Problems {
		t.Errorf("%s: %s", p.Kind, p.Detail)
	}
}

// A formula that would meet the lines around it, or is wider than its line, is
// set smaller.
func TestInlineFormulaFits(t *testing.T) {
	b := lay(t, mathBook(""), "A tall $\\begin{matrix}1\\\\2\\\\3\\\\4\\end{matrix}$ one.\n\nA wide $"+strings.Repeat("a+", 60)+"b$ one.")
	for _, bl := range blocksOf(b, frame.Paragraph) {
		d := drawings(bl)[0]
		if d.Height > 12*unit.Pt || d.Depth > 12*unit.Pt || d.Width > bl.Box.W {
			t.Errorf("%v pt wide, %v high, %v deep", d.Width.Pt(), d.Height.Pt(), d.Depth.Pt())
		}
	}
}

// A display is centred on the measure; the text under it returns to the grid;
// right under a line it goes on with its paragraph, without an indent.
func TestDisplayFormula(t *testing.T) {
	b := lay(t, mathBook(""), "The sugar grows as\n$$m(t) = m_0 e^{kt}$$\nwhere $k$ depends.\n\nNew.")
	f := blocksOf(b, frame.Formula)[0]
	d := drawings(f)[0]
	if x := f.Lines[0].X - f.Box.X; x-(f.Box.W-d.Width)/2 > 1 || x <= 0 {
		t.Errorf("it stands %v pt in", x.Pt())
	}
	if f.Box.H != d.Height+d.Depth {
		t.Errorf("the box is %v pt high, the formula %v", f.Box.H.Pt(), (d.Height + d.Depth).Pt())
	}
	ps := blocksOf(b, frame.Paragraph)
	above := f.Box.Y - ps[0].Box.Bottom()
	if above < 8*unit.Pt {
		t.Errorf("%v pt above, want 0.8 em at least", above.Pt())
	}
	if gap := ps[1].Box.Y - f.Box.Bottom(); gap < 8*unit.Pt || gap >= 20*unit.Pt {
		t.Errorf("%v pt below", gap.Pt())
	} else if white := above - gap + unit.FromPt(12*0.2-10*0.1-12*0.8+10*0.6); white > unit.Pt/100 || white < -unit.Pt/100 {
		t.Errorf("the white above and below differ by %v pt", white.Pt())
	}
	page := b.Chapters[0].Pages[0]
	if off := (ps[1].Lines[0].Baseline - page.GridTop) % (12 * unit.Pt); off != 0 {
		t.Errorf("the text below is %v pt off the grid", off.Pt())
	}
	if ps[1].Lines[0].X != ps[1].Box.X || ps[2].Lines[0].X == ps[2].Box.X {
		t.Error("the text under a display is flush, the next paragraph is not")
	}
}

// Labels number formulas in reading order, rows of align each its own; tags
// print as they are; numbers stand flush right on their row's baseline.
func TestEquationNumbers(t *testing.T) {
	b := lay(t, mathBook(""), "# A\n\n$$a=b\\label{eq:a}$$\n\nSee \\eqref{eq:b}, :ref{id=\"eq:c\"}, :ref{id=\"eq:a\" style=number}, \\ref{eq:t} and $\\eqref{eq:a}$.\n\n"+
		"$$\\begin{align}a&=b\\label{eq:b}\\\\c&=d\\\\e&=f\\label{eq:c}\\end{align}$$",
		"# B\n\n$$x\\tag{*}\\label{eq:t}$$\n\n$$y$$\n\n$$z\\label{eq:z}$$\n\n:ref{id=\"eq:z\"}")
	var numbers []string
	for _, f := range blocksOf(b, frame.Formula) {
		numbers = append(numbers, f.Number)
		l := &f.Lines[0]
		for _, r := range l.Runs[1:] {
			w := &r.Words[len(r.Words)-1]
			end := l.X + w.X + unit.Scale(w.Shape.Advance, r.Size, w.Shape.Face.UPem)
			if d := f.Box.Right() - end; d < -2 || d > 2 {
				t.Errorf("a number ends %v pt from the right", d.Pt())
			}
		}
	}
	if got := strings.Join(numbers, "|"); got != "(1)|(2)  (3)|(*)||(4)" {
		t.Errorf("numbers %q", got)
	}
	text := ""
	for _, p := range blocksOf(b, frame.Paragraph) {
		for i := range p.Lines {
			text += textOfLine(&p.Lines[i]) + " "
		}
	}
	for _, want := range []string{"(2),", "(3),", "1,", "*and", "□.", "(4)"} {
		if !strings.Contains(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(want, " ", "")) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	rows := blocksOf(b, frame.Formula)[1].Lines[0].Runs
	if len(rows) != 3 || rows[1].Rise <= rows[2].Rise {
		t.Errorf("numbers of rows: %d runs", len(rows))
	}
	// By chapter, in the words of the book.
	b = lay(t, mathBook(`,"math":{"equationNumbering":{"numberingTemplate":"{h1}.{n}","resetOn":"h1","counterFormat":"lower-alpha","format":"[{n}]"}}`),
		"# A\n\n$$a\\label{a}$$\n\n$$b\\label{b}$$\n\n# B\n\n$$c\\label{c}$$")
	numbers = nil
	for _, f := range blocksOf(b, frame.Formula) {
		numbers = append(numbers, f.Number)
	}
	if got := strings.Join(numbers, "|"); got != "[1.a]|[1.b]|[2.a]" {
		t.Errorf("numbers %q", got)
	}
}

// A formula that cannot be set shows its source, with a warning that says why.
func TestInvalidMath(t *testing.T) {
	b := lay(t, mathBook(""), "Here $\\frac{a}$ it is.\n\n$$\\foo{x}$$\n\nEnd.")
	var seen []string
	for _, p := range b.Chapters[0].Problems {
		seen = append(seen, p.Kind)
		if p.Kind != "invalidMath" || len(p.Fields) != 2 || p.Fields[0].Key != "tex" || p.Fields[1].Value == "" || p.End <= p.Start || p.Page != 0 {
			t.Errorf("%+v", p)
		}
	}
	if len(seen) != 2 {
		t.Errorf("%v", seen)
	}
	if l := textOfLine(&blocksOf(b, frame.Formula)[0].Lines[0]); l != `\foo{x}` {
		t.Errorf("the display shows %q", l)
	}
	if l := textOfLine(&blocksOf(b, frame.Paragraph)[0].Lines[0]); !strings.Contains(l, `$\frac{a}$`) {
		t.Errorf("the line shows %q", l)
	}
	off := lay(t, mathBook(`,"math":{"enabled":false}`), "Here $\\frac{a}$ it is.\n\n$$x$$")
	if p := off.Chapters[0].Problems; len(p) != 0 {
		t.Errorf("with math.enabled off: %v", p)
	}
}

// keepWithLeadIn: a display that goes to the next column takes the line that
// leads in with it.
func TestKeepWithLeadIn(t *testing.T) {
	text := "One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive leads in:\n\n$$\\sum_{k=1}^n\\frac{k}{2}$$"
	for _, keep := range []bool{false, true} {
		b := lay(t, mathBook(fmt.Sprintf(`,"math":{"keepWithLeadIn":%v}`, keep)), text)
		c := b.Chapters[0]
		if len(c.Pages) != 2 {
			t.Fatalf("%d pages", len(c.Pages))
		}
		n := len(c.Pages[1].Columns[0].Blocks)
		if keep && n != 2 || !keep && n != 1 {
			t.Errorf("keep %v: %d blocks on page 2", keep, n)
		}
	}
}

// counted is a world that notes which families are asked for.
type counted struct {
	fonttest.Source
	asked map[string]int
}

func (c counted) Font(ctx context.Context, family string, weight int, italic bool) (FontFile, error) {
	c.asked[family]++
	return c.Source.Font(ctx, family, weight, italic)
}

// The mathematical font is fetched for the first formula; a formula that did not
// change is not set again, and pages come out as in a cold layout.
func TestFormulasAreKept(t *testing.T) {
	w := counted{fonttest.World(t), map[string]int{}}
	ts := New(w)
	typeset(t, ts, small(t, mathBook(""), "No formula."))
	if w.asked["STIX Two Math"] != 0 {
		t.Error("the font of formulas is fetched for a book that has none")
	}
	text := "Here $x$ it is.\n\n$$y=\\frac12\\label{y}$$\n\nSee \\eqref{y}.\n\n"
	typeset(t, ts, small(t, mathBook(""), text))
	if w.asked["STIX Two Math"] != 1 {
		t.Errorf("fetched %d times", w.asked["STIX Two Math"])
	}
	before := ts.Counters()
	more := small(t, mathBook(""), text+"A line more.")
	r := typeset(t, ts, more)
	if now := ts.Counters(); now.ParagraphsShaped != before.ParagraphsShaped+1 {
		t.Errorf("%d paragraphs are shaped for one new line", now.ParagraphsShaped-before.ParagraphsShaped)
	}
	if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(w), more).Frames) {
		t.Error("the pages differ from those of a cold layout")
	}
}

// A number before a formula changes what is printed for its references, in other
// chapters too.
func TestReferencesFollowEquations(t *testing.T) {
	ts := New(fonttest.World(t))
	one, two := "$$a\\label{a}$$", "See \\eqref{a} and $\\ref{a}$."
	typeset(t, ts, small(t, mathBook(""), one, two))
	changed := small(t, mathBook(""), "$$n\\label{n}$$\n\n"+one, two)
	r := typeset(t, ts, changed)
	if l := textOfLine(&blocksOf(r.Frames, frame.Paragraph)[0].Lines[0]); !strings.Contains(l, "(2)") {
		t.Errorf("%q", l)
	}
	if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(fonttest.World(t)), changed).Frames) {
		t.Error("the pages differ from those of a cold layout")
	}
}

// TestMacrosInAChapter: a command defined in one formula holds in those after it,
// in the chapter alone; a formula of definitions prints nothing.
func TestMacrosInAChapter(t *testing.T) {
	b := lay(t, with(`"math": {"enabled": true}`), "$$\\newcommand{\\R}{\\mathbb{R}}$$\n\nLet $\\newcommand{\\two}[1]{#1+#1}$ us see $\\two{x}\\in\\R$ now.[^n]\n\n$$\\two{y}\\label{e}$$\n\n[^n]: And $\\R$ too.", "Here $\\R$ is unknown; see :ref{id=e}.")
	if got := len(blocksOf(b, frame.Formula)); got != 1 {
		t.Errorf("%d displays, want one", got)
	}
	if p := b.Chapters[0].Problems; len(p) > 0 {
		t.Error(p)
	}
	line := blocksOf(b, frame.Paragraph)[0].Lines[0]
	glyphs := 0
	for _, r := range line.Runs {
		for _, w := range r.Words {
			if w.Drawing != nil {
				glyphs = len(w.Drawing.Marks)
			}
		}
	}
	if glyphs != 5 {
		t.Errorf("x+x∈ℝ has %d glyphs", glyphs)
	}
	if p := b.Chapters[1].Problems; len(p) != 1 || p[0].Kind != "invalidMath" {
		t.Errorf("the other chapter: %v", p)
	}
}
