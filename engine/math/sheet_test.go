package math_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"postext/engine/font"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/math"
	"postext/engine/paint"
	"postext/engine/unit"
)

var update = flag.Bool("update", false, "write the golden pictures anew; look at them")

func fontOf(t testing.TB) *math.Font {
	t.Helper()
	f, err := math.NewFont(fonttest.Face(t, "STIX Two Math", 400, false))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func set(t testing.TB, f *math.Font, tex string, display bool) *math.Formula {
	t.Helper()
	tree, err := math.Parse(tex)
	if err != nil {
		t.Fatalf("%s: %v", tex, err)
	}
	out, err := f.Set(tree, math.Options{Size: 10 * unit.Pt, Display: display})
	if err != nil {
		t.Fatalf("%s: %v", tex, err)
	}
	return out
}

// drawing is a formula as pages hold it.
func drawing(m *math.Formula) *frame.Drawing {
	d := &frame.Drawing{Width: m.Width, Height: m.Height, Depth: m.Depth}
	for _, g := range m.Glyphs {
		d.Marks = append(d.Marks, frame.Mark{Face: g.Face, Glyph: g.ID, Size: g.Size, X: g.X, Y: g.Y, Color: g.Ink})
	}
	for _, r := range m.Rules {
		d.Bars = append(d.Bars, frame.Bar{X: r.X, Y: r.Y, W: r.W, H: r.H, Color: r.Ink})
	}
	return d
}

// sheets are the golden pictures: one formula a line.
var sheets = map[string][]string{
	"basics": {
		`a+b=c,\ -x,\ f(x)=2x^2-3x+1,\ x_{\text{f}}-x_0,\ V_0^2,\ x'_f+x''^2`,
		`\frac{1}{2},\ \frac{a+b}{c+d},\ \frac{\Delta x}{\Delta t}=\frac{x_{\text{f}}-x_{0}}{t_{\text{f}}-t_{0}},\ \binom{n}{k},\ \cfrac{1}{1+\cfrac{1}{x}}`,
		`\sqrt{2},\ \sqrt{x^2+y^2},\ \sqrt[3]{a},\ \sqrt{\frac{2y}{-g}},\ \sqrt{\sqrt{\sqrt{x}}}`,
		`\bar{v},\ \hat{x},\ \vec{F},\ \tilde{n},\ \dot{q}+\ddot{q},\ \widehat{abc},\ \overline{AB},\ \underline{x},\ \bar{f}_g`,
		`\sum_{k=1}^{\infty}(1-\alpha)^k\cdot s[i-k+1],\ \prod_{i=1}^n a_i,\ \int_0^1 f(x)\,dx,\ \oint_C,\ \lim_{x\to 0}\frac{\sin x}{x}=1`,
		`\left(\frac{a}{b}\right),\ \left[\sum_{i=1}^n x_i\right],\ \left\{\frac{\frac ab}{c}\right\},\ \left.\frac{dy}{dx}\right|_{x=0},\ \left\langle\frac{a}{b}\middle|c\right\rangle`,
		`\bigl(\Bigl(\biggl(\Biggl(x\Biggr)\biggr)\Bigr)\bigr),\ \|x\|,\ |x|,\ \lfloor x\rfloor`,
	},
	"grids": {
		`A=\begin{pmatrix}a&b\\c&d\end{pmatrix},\ \begin{vmatrix}a&b\\c&d\end{vmatrix}=ad-bc`,
		`\begin{bmatrix}1&0&\cdots&0\\0&1&\cdots&0\\\vdots&\vdots&\ddots&\vdots\\0&0&\cdots&1\end{bmatrix}`,
		`f(x)=\begin{cases}x&\text{if }x\ge 0\\-x&\text{otherwise}\end{cases}`,
		`\begin{aligned}(a+b)^2&=a^2+2ab+b^2\\&=\frac{1}{2}c\end{aligned}`,
		`\left.\begin{aligned} \Delta t & = & t \\ \Delta x & = & x-x_{0} \\ \Delta v & = & v-v_{0} \end{aligned}\right\}`,
		`\begin{array}{|l|c|r|}\hline a&bb&ccc\\\hline aaa&b&c\\\hline\end{array},\ \bigl(\begin{smallmatrix}a&b\\c&d\end{smallmatrix}\bigr)`,
		`\sum_{\substack{0\le i\le m\\0<j<n}}P(i,j),\ \overbrace{a+b+c}^{3},\ \underbrace{x+y}_{\text{two}},\ \overrightarrow{AB}`,
		`A\xrightarrow{f}B\xleftarrow[\text{below}]{g+h}C,\ a\stackrel{?}{=}b,\ \overset{!}{\le},\ x\not=y,\ a\not\parallel b`,
	},
	"letters": {
		`\alpha\beta\gamma\delta\epsilon\varepsilon\zeta\eta\theta\vartheta\iota\kappa\lambda\mu\nu\xi\pi\rho\sigma\tau\upsilon\phi\varphi\chi\psi\omega`,
		`\Gamma\Delta\Theta\Lambda\Xi\Pi\Sigma\Upsilon\Phi\Psi\Omega\ \mathbf{ABCabc123}\ \boldsymbol{x\alpha}\ \mathbb{NZQRC}\ \mathcal{ABL}\ \mathfrak{gG}\ \mathsf{Sans}\ \mathtt{Mono}`,
		`\forall\epsilon>0\,\exists\delta>0: |x-a|<\delta\implies|f(x)-f(a)|<\epsilon`,
		`a\equiv b\pmod n,\ a\bmod b,\ A\subseteq B\cup C\setminus D,\ x\in\emptyset,\ \nabla\times\mathbf{E}=-\frac{\partial\mathbf{B}}{\partial t}`,
		`1,2,\dots,n;\ a_1+\dots+a_n;\ \operatorname{rank}A\le\min(m,n),\ \log_2 n,\ \sin^2\theta+\cos^2\theta=1,\ \text{50 }\mu\text{m/s}`,
		`\color{red}{x}+\textcolor{blue}{y}=\boxed{z},\ e^{i\pi}+1=0,\ {}^{14}_{6}\mathrm{C},\ 20^\circ\text{C},\ \hbar\omega,\ \iint\limits_D`,
		`F_{n}=\frac{\varphi^n-(-\varphi)^{-n}}{\sqrt5},\ x^{2^{2^2}},\ e^{-\frac{x^2}{2\sigma^2}},\ T^{ij}_{k},\ \mathcal{L}_f,\ P^2f^2`,
	},
}

// TestSheets: the pictures of the sheets are those looked at.
func TestSheets(t *testing.T) {
	f := fontOf(t)
	for name, list := range sheets {
		t.Run(name, func(t *testing.T) {
			page := &frame.Page{Width: 380 * unit.Pt}
			y := 6 * unit.Pt
			b := &frame.Block{Text: &frame.Text{}}
			for _, tex := range list {
				m := set(t, f, tex, true)
				if m.Width > page.Width-12*unit.Pt {
					t.Errorf("%s: wider than the sheet", tex)
				}
				y += m.Height
				run := frame.Run{Face: f.Face, Size: 10 * unit.Pt, Color: unit.Black, Words: []frame.Word{{Shape: &font.Shape{Face: f.Face}, Drawing: drawing(m)}}}
				b.Lines = append(b.Lines, frame.Line{X: 6 * unit.Pt, Baseline: y, LineSet: &frame.LineSet{Runs: []frame.Run{run}}})
				y += m.Depth + 8*unit.Pt
			}
			page.Height = y
			page.Columns = []frame.Column{{Blocks: []*frame.Block{b}}}
			var p paint.Painter
			m, err := p.Page(context.Background(), page, paint.Options{Width: 1000})
			if err != nil {
				t.Fatal(err)
			}
			png, err := p.PNG(m)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".png")
			if *update {
				if err := os.MkdirAll("testdata", 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, png, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(png, want) {
				t.Errorf("the picture differs from %s: look at both, then -update", file)
			}
		})
	}
}

func otherFace(t testing.TB) *font.Face { return fonttest.Face(t, "EB Garamond", 400, false) }
