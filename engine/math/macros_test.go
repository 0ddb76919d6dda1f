package math_test

import (
	"strings"
	"testing"
	"time"

	"postext/engine/math"
)

// TestMacros: commands a text defines stand for what it says.
func TestMacros(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`\newcommand{\R}{\mathbb{R}}\R^n`, `\mathbb{R}^n`},
		{`\newcommand\R{\mathbb R}x\in\R`, `x\in\mathbb R`},
		{`\newcommand*{\abs}[1]{\left|#1\right|}\abs{x+\abs y}`, `\left|x+\left|y\right|\right|`},
		{`\newcommand{\norm}[2][2]{\|#2\|_{#1}}\norm{x}+\norm[p]{x}`, `\|x\|_{2}+\|x\|_{p}`},
		{`\def\pair#1#2{(#1,#2)}\pair ab`, `(a,b)`},
		{`\let\eps=\varepsilon\eps x`, `\varepsilon x`},
		{`\DeclareMathOperator{\tr}{tr}\tr A`, `\operatorname{tr}A`},
		{`\DeclareMathOperator*{\argmax}{arg\,max}\argmax_x`, `\operatorname*{arg\,max}_x`},
		{`\renewcommand{\epsilon}{\varepsilon}\epsilon`, `\varepsilon`},
		{`\providecommand{\a}{1}\providecommand{\a}{2}\a`, `1`},
		{`\newcommand{\a}{\alpha}\a x`, `\alpha x`},
		{`\newcommand{\a}{\b}\newcommand{\b}{c}\a`, `c`},
		{`\def\h{##}\h`, `#`},
		{`\frac{1}{2}% \newcommand`, `\frac{1}{2}% \newcommand`},
	} {
		var m math.Macros
		got, err := m.Expand(c.src)
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", c.src, got, err, c.want)
		}
	}
}

// TestMacrosEnd: what calls itself, grows without end or is no definition is an
// error, soon.
func TestMacrosEnd(t *testing.T) {
	start := time.Now()
	grow := ""
	for c := 'a'; c < 'z'; c++ {
		grow += `\newcommand{\` + string(c) + `}{` + strings.Repeat(`\`+string(c+1)+` `, 9) + `}`
	}
	for _, c := range []struct{ src, word string }{
		{`\def\x{\x}\x`, "without end"}, {`\def\x{\x\x}\x`, "without end"}, {`\def\x{a\x}\x`, "without end"}, {`\def\x#1{\x{#1#1}}\x{ab}`, "without end"},
		{grow + `\newcommand{\z}{x}\a`, "without end"}, {`\def\x#1.{}`, "#1#2"}, {`\newcommand{x}{y}`, `{\name}`}, {`\newcommand{\x}[a]{y}`, "figure"},
		{`\newcommand{\x}`, "braces"}, {`\newcommand`, `{\name}`}, {`\def\x#1#2{y}\x{a}`, "2 arguments"}, {`\newcommand{\x}{`, "braces"}, {`\let`, `{\name}`},
	} {
		var m math.Macros
		if got, err := m.Expand(c.src); err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%.60s: %q, %v, want %q", c.src, got, err, c.word)
		}
	}
	t.Log(time.Since(start))
}

// TestMacrosStay: definitions hold for the formulas after them.
func TestMacrosStay(t *testing.T) {
	var m math.Macros
	if got, err := m.Expand(`\newcommand{\R}{\mathbb{R}}`); strings.TrimSpace(got) != "" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if got, _ := m.Expand(`x\in\R`); got != `x\in\mathbb{R}` {
		t.Error(got)
	}
}

func FuzzMacros(f *testing.F) {
	for _, s := range []string{`\def\x{\x}\x`, `\newcommand{\a}[2][b]{#1#2}\a[c]{d}`, `\let\a=\b\a`, `\def\x#1{#1}\x`, `\DeclareMathOperator*{\a}{b}\a%`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var m math.Macros
		out, err := m.Expand(s)
		if err == nil && len(out) > 64<<10 && len(out) > len(s) {
			t.Errorf("%d bytes of %d", len(out), len(s))
		}
	})
}
