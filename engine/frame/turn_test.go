package frame

import (
	"testing"

	"postext/engine/unit"
)

func TestPlacedAndReadingAreInverse(t *testing.T) {
	p := &Page{Width: 300, Height: 500}
	r := unit.Rect{X: 20, Y: 30, W: 100, H: 40}
	for _, c := range []struct {
		turn Turn
		want unit.Rect
		x, y unit.Sp // where the page's point 40, 60 lies
	}{
		{Upright, r, 40, 60},
		{CCW, unit.Rect{X: 30, Y: 380, W: 40, H: 100}, 440, 40},
		{CW, unit.Rect{X: 230, Y: 20, W: 40, H: 100}, 60, 260},
	} {
		if got := p.Placed(c.turn, r); got != c.want || p.Reading(c.turn, got) != r {
			t.Errorf("%q: %v stands at %v and reads as %v", c.turn, r, got, p.Reading(c.turn, got))
		}
		if x, y := p.Within(c.turn, 40, 60); x != c.x || y != c.y {
			t.Errorf("%q: 40, 60 lies at %d, %d", c.turn, x, y)
		}
	}
}
