package sandbox

import (
	"testing"

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
