package paint

import (
	"context"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// TestRoundedCorners: a box's radius takes its corner pixels and nothing else; an
// outline leaves the middle alone; the four corners are mirror images.
func TestRoundedCorners(t *testing.T) {
	black := unit.Color{A: 255}
	for _, line := range []unit.Sp{0, 2 * unit.Pt} {
		it := frame.Item{Box: unit.Rect{X: 10 * unit.Pt, Y: 10 * unit.Pt, W: 60 * unit.Pt, H: 40 * unit.Pt}, Radius: 8 * unit.Pt, Fill: black}
		if line > 0 {
			it.Fill, it.Stroke, it.Line = unit.Color{}, black, line
		}
		page := &frame.Page{Width: 100 * unit.Pt, Height: 100 * unit.Pt, Under: []frame.Item{it}}
		var p Painter
		m, err := p.Page(context.Background(), page, Options{Width: 100})
		if err != nil {
			t.Fatal(err)
		}
		at := func(x, y int) int { return int(m.Pix[4*(y*100+x)]) }
		if at(10, 10) != 255 || at(69, 49) != 255 {
			t.Error("the corner is filled")
		}
		if at(40, 10) != 0 || at(10, 30) != 0 {
			t.Error("the edge is not drawn")
		}
		if mid := at(40, 30); line == 0 && mid != 0 || line > 0 && mid != 255 {
			t.Errorf("line %v: the middle is %d", line.Pt(), mid)
		}
		for y := range 8 {
			for x := range 8 {
				a := at(10+x, 10+y)
				if b, c, d := at(69-x, 10+y), at(10+x, 49-y), at(69-x, 49-y); max(a, b, c, d)-min(a, b, c, d) > 2 {
					t.Fatalf("corners differ at %d %d: %d %d %d %d", x, y, a, b, c, d)
				}
			}
		}
	}
}
