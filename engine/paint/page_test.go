package paint

import (
	"strings"
	"testing"

	"postext/engine/font"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// The text of the test page, ours.
const sample = "The first thing a reader sees of a page is its colour: an even grey, made of letters that stand " +
	"neither too close nor too far from one another. Offices, waffles and fjords try the ligatures; AVATAR and " +
	"Type To try the kerning. A line that is set too loosely tears a white hole into the grey, and three such " +
	"lines in a row make a river. Numbers such as 1847 or 90210 stand in the line like anybody else. "

func word(f *font.Face, s string) *font.Shape { return f.Shape(s, font.Features{}) }

// textPage sets the sample again and again, justified without hyphenation, onto
// an A5 page: enough of a book's page to paint.
func textPage(t testing.TB) *frame.Page {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	const mm = unit.Inch * 10 / 254
	p := &frame.Page{Number: 7, Label: "7", Recto: true, Width: 148 * mm, Height: 210 * mm}
	p.Content = unit.Rect{X: 18 * mm, Y: 18 * mm, W: 112 * mm, H: 170 * mm}
	p.GridPitch = 14 * unit.Pt
	size := 11 * unit.Pt
	p.GridTop = p.Content.Y + size
	b := &frame.Block{Kind: frame.Paragraph, Box: p.Content, Text: &frame.Text{}}
	words := strings.Fields(strings.Repeat(sample, 20))
	space := unit.Scale(f.Space, size, f.UPem)
	for y := p.GridTop; y < p.Content.Bottom(); y += p.GridPitch {
		set := &frame.LineSet{Width: p.Content.W, Justified: true, Ratio: 1000}
		var x unit.Sp
		n := 0
		for n < len(words) {
			w := unit.Scale(word(f, words[n]).Advance, size, f.UPem)
			if n > 0 && x+space+w > p.Content.W {
				break
			}
			if n > 0 {
				x += space
			}
			x += w
			n++
		}
		run := frame.Run{Face: f, Size: size, Color: unit.Black}
		extra := unit.Sp(0)
		if n > 1 {
			extra = (p.Content.W - x) / unit.Sp(n-1)
			set.Ratio = int32((space + extra) * 1000 / space)
		}
		x = 0
		for _, w := range words[:n] {
			sh := word(f, w)
			run.Words = append(run.Words, frame.Word{X: x, Shape: sh})
			x += unit.Scale(sh.Advance, size, f.UPem) + space + extra
		}
		words = words[n:]
		set.Runs = []frame.Run{run}
		b.Lines = append(b.Lines, frame.Line{X: p.Content.X, Baseline: y, Top: y - 11*unit.Pt, Height: 14 * unit.Pt, LineSet: set})
	}
	p.Columns = []frame.Column{{Box: p.Content, Blocks: []*frame.Block{b}}}
	return p
}
