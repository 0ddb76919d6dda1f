package engine

import (
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// wordAt finds a word of a line and gives its left and right ends on the page.
func wordAt(l *frame.Line, text string) (left, right unit.Sp, ok bool) {
	for _, r := range l.Runs {
		for _, w := range r.Words {
			if strings.Contains(w.Shape.Text, text) && w.End > w.Start {
				x := l.X + w.X
				return x, x + unit.Scale(w.Shape.Advance, r.Size, w.Shape.Face.UPem), true
			}
		}
	}
	return
}

func close2(a, b unit.Sp) bool { return a-b < 32 && b-a < 32 }

// TestTabs: text behind a tab stands at, ends at, is centred on or has its decimal
// sign at the stop (document-format.md 7.8).
func TestTabs(t *testing.T) {
	const flush = `"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "firstLineIndent": {"value": 0, "unit": "pt"}`
	line := func(stops, text string) (*frame.Block, *frame.Line) {
		b := lay(t, with(flush+stops+"}"), text)
		bl := blocksOf(b, frame.Paragraph)[0]
		return bl, &bl.Lines[0]
	}
	bl, l := line("", "a :tab{at=60} b")
	if x, _, _ := wordAt(l, "b"); !close2(x-bl.Box.X, 60*unit.Pt) {
		t.Errorf("start: %v", (x - bl.Box.X).Pt())
	}
	bl, l = line("", "a:tab{at=end align=end}bbb")
	if _, x, _ := wordAt(l, "bbb"); !close2(x, bl.Box.Right()) {
		t.Errorf("end: %v short", (bl.Box.Right() - x).Pt())
	}
	bl, l = line("", "a:tab{at=50% align=center}bbb")
	if x, y, _ := wordAt(l, "bbb"); !close2((x+y)/2, bl.Box.X+bl.Box.W/2) {
		t.Errorf("center: %v", ((x + y) / 2).Pt())
	}
	stops := `, "tabStops": [{"position": {"value": 80, "unit": "pt"}, "align": "decimal"}, {"position": "end", "align": "end", "leader": "."}]`
	b := lay(t, with(flush+stops+"}"), "a\t1.5\\\nbbb\t123.25\tend")
	bl = blocksOf(b, frame.Paragraph)[0]
	dots := 0
	var signs []unit.Sp
	for i := range bl.Lines {
		l := &bl.Lines[i]
		for _, r := range l.Runs {
			for _, w := range r.Words {
				if w.Shape.Text == "." && w.Start == w.End {
					dots++
				} else if k := strings.IndexByte(w.Shape.Text, '.'); k > 0 {
					x := l.X + w.X
					for _, g := range w.Shape.Glyphs {
						if int(g.Cluster) < k {
							x += unit.Scale(g.Advance, r.Size, r.Face.UPem)
						}
					}
					signs = append(signs, x-bl.Box.X)
				}
			}
		}
	}
	if dots < 3 {
		t.Errorf("%d dots of a leader", dots)
	}
	if len(signs) != 2 || signs[0]-80*unit.Pt > unit.Pt/5 || 80*unit.Pt-signs[0] > unit.Pt/5 || signs[1]-signs[0] > unit.Pt/5 || signs[0]-signs[1] > unit.Pt/5 {
		t.Errorf("decimal signs at %v", signs)
	}
	// A typed tab is a space where there are no stops, and so is a tab past the last.
	b = lay(t, with(flush+"}"), "a\tb")
	if bl = blocksOf(b, frame.Paragraph)[0]; len(bl.Lines[0].Runs) != 1 {
		t.Error("a typed tab is a tab without stops")
	}
}

// TestTabsFillLines: a paragraph with tabs is filled line by line; of its spaces
// only those behind the last tab stretch, and no word is lost.
func TestTabsFillLines(t *testing.T) {
	src := strings.Repeat("one two three ", 8) + ":tab{at=end align=end leader=rule} last"
	b := lay(t, with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "textAlign": "justify"}`), src)
	bl := blocksOf(b, frame.Paragraph)[0]
	words := 0
	for i := range bl.Lines {
		l := &bl.Lines[i]
		if i < len(bl.Lines)-1 && !l.Justified {
			t.Errorf("line %d is not filled", i)
		}
		if l.X+l.Width > bl.Box.Right()+32 {
			t.Errorf("line %d leaves the measure", i)
		}
		for _, r := range l.Runs {
			words += len(r.Words)
		}
	}
	if words < 25 {
		t.Errorf("%d words", words)
	}
	last := &bl.Lines[len(bl.Lines)-1]
	if len(last.Plates) != 1 || last.Plates[0].W <= 0 {
		t.Errorf("leader %+v", last.Plates)
	}
}
