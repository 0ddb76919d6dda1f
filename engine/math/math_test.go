package math_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"postext/engine/math"
	"postext/engine/unit"
)

// Expectations are in thousandths of an em, STIX Two Math's own unit.
const em = 10 * unit.Pt

// mil turns a length into thousandths of an em, rounded.
func mil(v unit.Sp) int { return int(unit.MulDiv(int64(v), 1000, int64(em))) }

func near(t *testing.T, what string, got unit.Sp, want int) {
	t.Helper()
	if g := mil(got); g < want-1 || g > want+1 {
		t.Errorf("%s is at %d thousandths of an em, want %d", what, g, want)
	}
}

// glyphs are those of a formula by character, in order.
func glyphs(t *testing.T, f *math.Font, m *math.Formula, r rune) (out []math.Glyph) {
	t.Helper()
	id, ok := f.Face.Glyph(r)
	if !ok {
		t.Fatalf("no glyph for %c", r)
	}
	for _, g := range m.Glyphs {
		if g.ID == id {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%c is not set", r)
	}
	return out
}

// Rule 15: the bar lies on the axis; numerator and denominator are shifted by
// the constants of their style.
func TestFractionOnAxis(t *testing.T) {
	f := fontOf(t)
	for _, c := range []struct {
		display  bool
		up, down int
	}{{true, 640, -640}, {false, 585, -585}} {
		m := set(t, f, `\frac{1}{2}`, c.display)
		if len(m.Rules) != 1 {
			t.Fatalf("%d rules", len(m.Rules))
		}
		r := m.Rules[0]
		near(t, "the middle of the bar", r.Y+r.H/2, 258)
		near(t, "the thickness of the bar", r.H, 68)
		near(t, "the numerator", glyphs(t, f, m, '1')[0].Y, c.up)
		near(t, "the denominator", glyphs(t, f, m, '2')[0].Y, c.down)
		if g := glyphs(t, f, m, '1')[0].Size; !c.display && g != em*70/100 || c.display && g != em {
			t.Errorf("display %v: the numerator is %v pt", c.display, g.Pt())
		}
	}
}

// Rule 15d: a deep numerator keeps its distance from the bar.
func TestFractionGap(t *testing.T) {
	f := fontOf(t)
	m := set(t, f, `\frac{\frac{1}{y}}{2}`, true)
	inner := glyphs(t, f, m, '𝑦')[0]
	top := m.Rules[0].Y + m.Rules[0].H
	for _, r := range m.Rules {
		if r.W > m.Rules[0].W {
			top = r.Y + r.H
		}
	}
	b := f.Face.GlyphBox(inner.ID)
	if foot := inner.Y + unit.Scale(b.MinY, inner.Size, 1000); mil(foot-top) < 150 {
		t.Errorf("the numerator ends %d over the bar, want 150", mil(foot-top))
	}
}

// Rule 18: scripts of one letter are shifted by the constants, less under a
// root; together they keep their gap.
func TestScripts(t *testing.T) {
	f := fontOf(t)
	near(t, "a superscript", glyphs(t, f, set(t, f, `x^2`, true), '2')[0].Y, 360)
	near(t, "a cramped superscript", glyphs(t, f, set(t, f, `\sqrt{x^2}`, true), '2')[0].Y, 252)
	near(t, "a subscript", glyphs(t, f, set(t, f, `x_2`, true), '2')[0].Y, -210)
	if s := glyphs(t, f, set(t, f, `x^{2^3}`, true), '3')[0].Size; s != em*55/100 {
		t.Errorf("a script of a script is %v pt", s.Pt())
	}
	m := set(t, f, `x_2^3`, true)
	up, down := glyphs(t, f, m, '3')[0], glyphs(t, f, m, '2')[0]
	foot := up.Y + unit.Scale(f.Face.GlyphBox(up.ID).MinY, up.Size, 1000)
	top := down.Y + unit.Scale(f.Face.GlyphBox(down.ID).MaxY, down.Size, 1000)
	if mil(foot-top) < 149 {
		t.Errorf("the scripts are %d apart, want 150", mil(foot-top))
	}
}

// Rule 17 and MathItalicsCorrectionInfo: a superscript moves out by the italics
// correction of its base, a subscript does not; an upright neighbour keeps clear.
func TestItalicsCorrection(t *testing.T) {
	f := fontOf(t)
	// 𝑉 is 640 wide with a correction of 100.
	sub := glyphs(t, f, set(t, f, `V_2`, true), '2')[0].X
	sup := glyphs(t, f, set(t, f, `V^2`, true), '2')[0].X
	if mil(sub) > 640 || mil(sup) < 660 || mil(sup-sub) < 90 {
		t.Errorf("V: subscript at %d, superscript at %d", mil(sub), mil(sup))
	}
	near(t, "( behind V", glyphs(t, f, set(t, f, `V(x)`, true), '(')[0].X, 740)
	near(t, "x behind V", glyphs(t, f, set(t, f, `Vx`, true), '𝑥')[0].X, 640)
}

// The space between atoms is that of the table on page 170 of The TeXbook, and
// nothing in scripts.
func TestAtomSpacing(t *testing.T) {
	f := fontOf(t)
	for _, c := range []struct {
		tex   string
		r     rune
		want  int // gap before r, beside the width of what precedes
		after string
	}{
		{`1+2`, '+', 222, `1`}, {`1=2`, '=', 278, `1`}, {`1,2`, '2', 167, `1,`}, {`1(2`, '(', 0, `1`},
		{`-2`, '2', 0, `-`}, {`1\cdot2`, '⋅', 222, `1`}, {`2\sin3`, '3', 167, `2\sin`}, {`(-2)`, '2', 0, `(-`},
		{`1{+}2`, '+', 0, `1`}, {`1\mathbin{=}2`, '=', 222, `1`}, {`1:2`, ':', 278, `1`}, {`a!2`, '2', 0, `a!`},
	} {
		before := set(t, f, c.after, true).Width
		x := glyphs(t, f, set(t, f, c.tex, true), c.r)[0].X
		near(t, c.tex+": "+string(c.r), x-before, c.want)
	}
	m := set(t, f, `x^{1+2}`, true)
	one, plus := glyphs(t, f, m, '1')[0], glyphs(t, f, m, '+')[0]
	if gap := plus.X - one.X - unit.Scale(f.Face.GlyphAdvance(one.ID), one.Size, 1000); mil(gap) != 0 {
		t.Errorf("%d of space around + in a script", mil(gap))
	}
	if g := set(t, f, `a\quad b`, true).Width - set(t, f, `ab`, true).Width; mil(g) != 1000 {
		t.Errorf("a quad is %d", mil(g))
	}
}

// Rule 13: an operator is large in display, centred on the axis, and has its
// limits above and below; in text they stand beside it.
func TestOperators(t *testing.T) {
	f := fontOf(t)
	m := set(t, f, `\sum_{i}^{n}`, true)
	s := m.Glyphs[0]
	b := f.Face.GlyphBox(s.ID)
	if b.MaxY-b.MinY != 1325 {
		t.Errorf("the sum is %d high", b.MaxY-b.MinY)
	}
	near(t, "the middle of the sum", s.Y+unit.Scale((b.MaxY+b.MinY)/2, s.Size, 1000), 258)
	sub := glyphs(t, f, m, '𝑖')[0]
	if foot := s.Y + unit.Scale(b.MinY, s.Size, 1000); mil(foot-sub.Y) < 670-2 { // LowerLimitBaselineDropMin
		t.Errorf("the lower limit stands %d below, want 670", mil(foot-sub.Y))
	}
	small := set(t, f, `\sum_{i}^{n}`, false)
	if x := glyphs(t, f, small, '𝑖')[0].X; mil(x) < 900 {
		t.Errorf("in text the limit stands at %d", mil(x))
	}
	if x := glyphs(t, f, set(t, f, `\int_{i}^{n}`, true), '𝑖')[0].X; mil(x) < 400 || mil(x) > 520 {
		t.Errorf("the lower limit of an integral stands at %d: its width less the italics correction is 492", mil(x))
	}
	if y := glyphs(t, f, set(t, f, `\int\limits_{i}`, true), '𝑖')[0].Y; mil(y) > -1000 {
		t.Errorf("\\limits: at %d", mil(y))
	}
}

// Rule 11: the bar of a root stands off its radicand by the gap of the style or
// more, and as high as the sign.
func TestRadical(t *testing.T) {
	f := fontOf(t)
	m := set(t, f, `\sqrt{2}`, true)
	two := glyphs(t, f, m, '2')[0]
	top := unit.Scale(f.Face.GlyphBox(two.ID).MaxY, two.Size, 1000)
	if gap := m.Rules[0].Y - top; mil(gap) < 170 {
		t.Errorf("the bar is %d above, want 170 or more", mil(gap))
	}
	near(t, "the bar's thickness", m.Rules[0].H, 68)
	sign := m.Glyphs[0]
	near(t, "the sign's top against the bar's", sign.Y+unit.Scale(f.Face.GlyphBox(sign.ID).MaxY, sign.Size, 1000)-m.Rules[0].Y-m.Rules[0].H, 0)
	deg := set(t, f, `\sqrt[3]{2}`, true)
	if g := glyphs(t, f, deg, '3')[0]; g.Size != em*55/100 || mil(g.Y) < 200 {
		t.Errorf("the degree: %v pt at %d", g.Size.Pt(), mil(g.Y))
	}
}

// Rule 19: delimiters cover nine tenths of what is between them and are centred
// on the axis; what is larger than every variant is put together from parts.
func TestDelimiters(t *testing.T) {
	f := fontOf(t)
	cover := func(tex string) (h, mid int, n int) {
		m := set(t, f, tex, true)
		first := m.Glyphs[0]
		lo, hi := 1<<40, -1<<40
		for _, g := range m.Glyphs {
			if g.X == first.X {
				b := f.Face.GlyphBox(g.ID)
				lo = min(lo, mil(g.Y+unit.Scale(b.MinY, g.Size, 1000)))
				hi = max(hi, mil(g.Y+unit.Scale(b.MaxY, g.Size, 1000)))
				n++
			}
		}
		return hi - lo, (hi + lo) / 2, n
	}
	h, mid, _ := cover(`\left(\frac{1}{2}\right)`)
	if h < 1600 || h > 2300 || mid < 256 || mid > 260 {
		t.Errorf("around a fraction: %d high, middle at %d", h, mid)
	}
	tall := `\left(\begin{matrix}1` + strings.Repeat(`\\1`, 9) + `\end{matrix}\right)`
	h, mid, n := cover(tall)
	if n < 3 || h < 10_000 || h > 13_000 || mid < 250 || mid > 266 {
		t.Errorf("around ten rows: %d parts, %d high, middle at %d", n, h, mid)
	}
	for i, want := range []int{1186, 1906, 2384, 2864} {
		if h, _, _ := cover(`\` + []string{"big", "Big", "bigg", "Bigg"}[i] + `(`); h < want-25 || h > want+270 {
			t.Errorf("size %d is %d high, want about %d", i, h, want)
		}
	}
}

// Rule 12 and MathTopAccentAttachment: an accent is centred where the letter
// says, and rises with letters higher than AccentBaseHeight.
func TestAccents(t *testing.T) {
	f := fontOf(t)
	// 𝑥 attaches at 345, the circumflex at -230: its pen stands at 575.
	near(t, "the hat of x", glyphs(t, f, set(t, f, `\hat{x}`, true), 0x302)[0].X, 575)
	near(t, "the hat over x", glyphs(t, f, set(t, f, `\hat{x}`, true), 0x302)[0].Y, 0)
	near(t, "the hat over V", glyphs(t, f, set(t, f, `\hat{V}`, true), 0x302)[0].Y, 657-480)
}

// MathKernInfo: a subscript moves under a letter that leans away.
func TestCutInKerns(t *testing.T) {
	f := fontOf(t)
	with := glyphs(t, f, set(t, f, `V_2`, true), '2')[0].X
	without := glyphs(t, f, set(t, f, `{V{}}_2`, true), '2')[0].X
	if with >= without {
		t.Errorf("the subscript of V stands at %d, of a group at %d", mil(with), mil(without))
	}
}

// Columns are aligned, rows stand a line apart, a matrix is centred on the axis.
func TestArrays(t *testing.T) {
	f := fontOf(t)
	m := set(t, f, `\begin{matrix}1&2\\3&4\end{matrix}`, true)
	one, two, three := glyphs(t, f, m, '1')[0], glyphs(t, f, m, '2')[0], glyphs(t, f, m, '3')[0]
	near(t, "a line's distance", one.Y-three.Y, 1200)
	near(t, "the column's distance", two.X-one.X, 1000+494)
	near(t, "the middle", (m.Height-m.Depth)/2, 258)
	al := set(t, f, `\begin{aligned}a&=b\\aaa&=b\end{aligned}`, true)
	eq := glyphs(t, f, al, '=')
	if len(eq) != 2 || eq[0].X != eq[1].X {
		t.Errorf("the relations do not stand below one another")
	}
	bs := glyphs(t, f, al, '𝑏')
	near(t, "the space behind an aligned relation", bs[0].X-eq[0].X-unit.Scale(f.Face.GlyphAdvance(eq[0].ID), em, 1000), 278)
	rows := set(t, f, `\begin{align}a&=b\label{x}\\c&=d\notag\\e&=f\tag{A}\end{align}`, true).Rows
	if len(rows) != 3 || len(rows[0].Labels) != 1 || !rows[1].Silent || rows[2].Tag != "(A)" {
		t.Fatalf("rows: %+v", rows)
	}
	if mil(rows[0].Y-rows[1].Y) < 1400 {
		t.Errorf("rows of a display are %d apart", mil(rows[0].Y-rows[1].Y))
	}
}

// \text is set upright with its spaces, \mathbb and its kin in their alphabets.
func TestLetters(t *testing.T) {
	f := fontOf(t)
	for tex, r := range map[string]rune{`x`: '𝑥', `h`: 'ℎ', `\mathrm{x}`: 'x', `\mathbb{R}`: 'ℝ', `\mathcal{L}`: 'ℒ', `\mathfrak{C}`: 'ℭ',
		`\mathbf{x}`: '𝐱', `\boldsymbol{\alpha}`: '𝜶', `\alpha`: '𝛼', `\Gamma`: 'Γ', `\partial`: '𝜕', `\epsilon`: '𝜖', `\varepsilon`: '𝜀',
		`\phi`: '𝜙', `\varphi`: '𝜑', `-`: '−', `*`: '∗', `\not=`: '≠', `\not\in`: '∉', `\text{é}`: 'é', `\imath`: '𝚤', `\mathbf 1`: '𝟏',
		`{\rm d}`: 'd', `\mathbb{1}`: '𝟙', `\|`: '‖', `\{`: '{', `\dots+`: '⋯', `\dots,`: '…'} {
		glyphs(t, f, set(t, f, tex, true), r)
	}
	for tex, plain := range map[string]string{`E=mc^2`: "E = mc²", `\alpha_{10}`: "α₁₀", `\frac{a+b}{2}`: "(a + b)/2", `\mathbb{R}^n`: "ℝ^n",
		`\text{if } x>0`: "if x > 0", `x'`: "x′", `\oops{`: `\oops{`} {
		if tex == `\mathbb{R}^n` {
			plain = "R^n"
		}
		if got := math.Plain(tex); got != plain {
			t.Errorf("%s in plain text: %q, want %q", tex, got, plain)
		}
	}
}

// What cannot be read says where, and what to write instead.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		tex  string
		at   int
		word string
	}{
		{`\frac{1}`, 8, "argument"}, {`{a`, 0, "add a }"}, {`a}`, 1, "closes no {"}, {`a & b`, 2, `\begin{aligned}`},
		{`\left( a`, 0, `\right`}, {`a \right)`, 2, `\left`}, {`x^2^3`, 3, "braces"}, {`x''^2'`, 5, "prime"}, {`\alphax`, 0, `\alpha`},
		{`\foo`, 0, `\text`}, {`\begin{foo}`, 0, "environment"}, {`\begin{matrix}a`, 0, `\end{matrix}`},
		{`\begin{matrix}a\end{pmatrix}`, 15, "matrix"}, {`a \end{matrix}`, 2, `\begin`}, {`\left* a \right)`, 5, "bracket"},
		{`#`, 0, `\#`}, {`a $ b`, 2, `\$`}, {`\`, 0, `\backslash`}, {`x\limits_2`, 1, `\mathop`}, {`\edef\R{x}`, 0, "newcommand"},
		{`\text{\foo}`, 6, `\text`}, {`\hspace{5}`, 0, "unit"}, {`\color{nope}x`, 0, "#rrggbb"}, {`^`, 1, "argument"}, {`\middle|`, 0, `\left`},
		{`\begin{array}{q}a\end{array}`, 13, "l, c or r"}, {`x_`, 2, "argument"}, {`\sqrt[3{2}`, 5, "]"},
		{strings.Repeat("{", 200) + strings.Repeat("}", 200), 96, "nested"},
	} {
		_, err := math.Parse(c.tex)
		var e *math.Error
		if !errors.As(err, &e) {
			t.Errorf("%.40s: no error (%v)", c.tex, err)
			continue
		}
		if e.At != c.at || !strings.Contains(e.Msg, c.word) {
			t.Errorf("%.40s: at %d %q; want at %d with %q", c.tex, e.At, e.Msg, c.at, c.word)
		}
	}
	f := fontOf(t)
	tree, err := math.Parse(`\text{字}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Set(tree, math.Options{Size: em}); err == nil || !strings.Contains(err.Error(), "字") {
		t.Errorf("a character no face has: %v", err)
	}
}

// Short sources that ask for much are cut down; long ones take their time and no
// more.
func TestHostileFormulas(t *testing.T) {
	f := fontOf(t)
	for name, tex := range map[string]string{
		"tall":     `\left(\rule{1em}{99999em}\right)`,
		"rows":     `\left(\begin{matrix}1\\[99999in]2\end{matrix}\right)`,
		"wide":     `\overbrace{\hspace{99999in}x}`,
		"scripts":  strings.Repeat(`x_{`, 90) + "1" + strings.Repeat("}", 90),
		"roots":    strings.Repeat(`\sqrt{`, 90) + "1" + strings.Repeat("}", 90),
		"fences":   strings.Repeat(`\left(`, 90) + strings.Repeat(`\right)`, 90),
		"columns":  `\begin{array}{*{9999}{*{9999}{c}}}1\end{array}`,
		"cells":    `\begin{matrix}` + strings.Repeat(`&`, 60) + strings.Repeat(`\\`, 3000) + `\end{matrix}`,
		"fraction": strings.Repeat(`\frac1`, 90) + "2",
		"long":     strings.Repeat(`x^2+`, 16000) + "1",
		"primes":   strings.Repeat(`x''''''''`, 2000),
	} {
		tree, err := math.Parse(tex)
		if err != nil {
			continue
		}
		start := time.Now()
		m, err := f.Set(tree, math.Options{Size: em, Display: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(m.Glyphs) > 200_000 {
			t.Errorf("%s: %d glyphs in %v", name, len(m.Glyphs), time.Since(start))
		}
	}
}

// A damaged MATH table is an error, never a panic.
func TestFontWithoutMath(t *testing.T) {
	if _, err := math.NewFont(otherFace(t)); err == nil || !strings.Contains(err.Error(), "MATH") {
		t.Errorf("a text face: %v", err)
	}
}

var seeds = func() (out []string) {
	for _, s := range sheets {
		out = append(out, s...)
	}
	return append(out, `\left(\middle|\right.`, `\begin{array}{|c|}\hline\\\hline\end{array}`, `\genfrac(]{0pt}{2}{a}{b}`, `{a\over b}`, `\root 3\of x`,
		`\text{a $b$ \textbf{c}}`, `\hspace*{-1em plus 1fil}`, `\smash[b]{x}`, `\tag*{x}\label{y}`, `x\!\,\:\;\ y`, "%\n", `\xrightarrow[a]{b}`,
		`\sqrt[\sqrt[2]{3}]{4}`, `\substack{a\\b}`, `\cfrac[l]{1}{2}`, `\overset{a}{b}\underset{c}{d}`, `\ref{a}\eqref{b}`, `a\\b\\c`, `\pmod{n}`)
}()

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	font := fontOf(f)
	f.Fuzz(func(t *testing.T, tex string) {
		tree, err := math.Parse(tex)
		if err != nil {
			var e *math.Error
			if !errors.As(err, &e) || e.At < 0 || e.At > len(tex) || e.Msg == "" {
				t.Errorf("error %#v", err)
			}
			return
		}
		for _, display := range []bool{true, false} {
			m, err := font.Set(tree, math.Options{Size: em, Display: display})
			if err != nil {
				continue
			}
			if len(m.Glyphs) > 500*(len(tex)+10) || m.Height < -1<<38 || m.Depth < -1<<38 {
				t.Errorf("%d glyphs, %v high, %v deep", len(m.Glyphs), m.Height.Pt(), m.Depth.Pt())
			}
		}
		math.Plain(tex)
	})
}

func BenchmarkFormula(b *testing.B) {
	f := fontOf(b)
	n := 0
	for b.Loop() {
		for _, s := range seeds {
			tree, err := math.Parse(s)
			if err != nil {
				continue
			}
			if _, err := f.Set(tree, math.Options{Size: em, Display: true}); err == nil {
				n++
			}
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "formulas/s")
}
