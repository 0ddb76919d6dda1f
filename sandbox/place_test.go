package sandbox

import (
	"encoding/json"
	"strings"
	"testing"

	"postext/book"
	"postext/engine"
	"postext/engine/font"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// TestPointsOfTextFromTheRight: the place of a character is found again from its
// place on the page, in words from the left and from the right, letterspaced and
// with marks.
func TestPointsOfTextFromTheRight(t *testing.T) {
	latin, hebrew := fonttest.Face(t, "EB Garamond", 400, false), fonttest.Face(t, "Noto Serif Hebrew", 400, false)
	rtl := font.Features{Direction: font.RightToLeft}
	for _, track := range []unit.Sp{0, unit.Pt} {
		// "ab שלום דג e\u0301": the two Hebrew words stand in the order they are read.
		word := func(f *font.Face, text string, ft font.Features, at int32) (frame.Word, unit.Sp) {
			s := f.Shape(text, ft)
			w := frame.Word{Shape: s, Start: at, End: at + int32(len(text))}
			return w, wordWidth(&frame.Run{Face: f, Size: 10 * unit.Pt, Tracking: track}, &w)
		}
		a, aw := word(latin, "ab", font.Features{}, 0)
		s, sw := word(hebrew, "שלום", rtl, 3)
		d, dw := word(hebrew, "דג", rtl, 12)
		e, _ := word(latin, "e\u0301", font.Features{}, 17)
		gap := 3 * unit.Pt
		d.X = aw + gap
		s.X = d.X + dw + gap
		e.X = s.X + sw + gap
		run := func(f *font.Face, w ...frame.Word) frame.Run {
			return frame.Run{Face: f, Size: 10 * unit.Pt, Tracking: track, Words: w}
		}
		l := &frame.Line{X: 50 * unit.Pt, LineSet: &frame.LineSet{End: 20, Runs: []frame.Run{run(latin, a), run(hebrew, s, d), run(latin, e)}}}
		for _, off := range []int{0, 1, 3, 5, 7, 9, 12, 14, 17} {
			x := l.X + xAt(l, off)
			if off >= 3 && off < 16 { // its glyph stands to the left of its edge
				x -= unit.Pt / 10
			} else {
				x += unit.Pt / 10
			}
			if got, _ := plainAt(l, x); got != off {
				t.Errorf("letter spacing %v: the point of %d is that of %d", track.Pt(), off, got)
			}
		}
	}
}

// What stands in the place of an object is given in words: entries of contents,
// references and formulas.
func TestTextsOfBlocksHaveTheWordsThatArePrinted(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = ":::toc\n\nSee :ref{id=\"far\" style=\"full\"} where $a^2$ is.\n\n$$\nb = c\n$$\n"
	b.Chapters[1].Markdown = "# Beyond the *last* hill {#far}\n\nWords.\n"
	s := typeset(t, b, nil)
	for _, args := range []string{`{"chapter":1}`, `{"chapter":1,"position":1,"text":"full","lines":true}`} {
		m := good(t, s, "sandbox_inspect_pages", args)
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\uFFFC") || !strings.Contains(string(text), "Beyond the last hill") {
			t.Errorf("%s: %s", args, text)
		}
		if strings.Contains(args, "full") && (!strings.Contains(string(text), "where $a^2$ is.") || !strings.Contains(string(text), "$$ b = c $$")) {
			t.Errorf("%s: %s", args, text)
		}
	}
}

func TestEachLineOfAPassageIsToldOnce(t *testing.T) {
	for find, want := range map[string]string{"a": "lines 1, 3", "\nb": "line 1"} {
		if got := linesOf("aaa\nb\na a", find); got != want {
			t.Errorf("%q is on %s", find, got)
		}
	}
}

// The caret is never higher than a line of its text: not in a formula of many rows,
// nor in a picture or the frame of a box.
func TestTheCaretIsAsHighAsALine(t *testing.T) {
	const text = "Words before it.\n\n$$\\begin{matrix}a\\\\b\\\\c\\\\d\\\\e\\end{matrix}$$\n\n![a picture](nowhere.png)\n\n:::callout{title=\"Mind\"}\nWords.\n\nMore words.\n:::\n"
	b := &book.Book{ID: "x", Name: "x", Language: "en", Chapters: []*book.Chapter{{ID: "a", Title: "One", Markdown: text}}}
	s := opened(t, b, func(o *Options) { o.Typesetter = engine.New(fonttest.World(t)) })
	if _, err := s.Layout(t.Context()); err != nil {
		t.Fatal(err)
	}
	for off := range text {
		c, err := s.Caret(t.Context(), "a", off)
		if err != nil {
			t.Fatal(err)
		}
		if most := 20.0 / 680; c.Height > most || c.Height <= 0 { // the page is 24 cm high, its lines 12 pt
			t.Errorf("at %d, %q: %.3f of the page", off, text[off:min(off+8, len(text))], c.Height)
		}
	}
}
