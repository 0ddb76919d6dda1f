package frame

import "postext/engine/unit"

// Turn is the quarter turn of a block on its page (document-format.md 13.5). What a
// turned block holds is laid out as on a page that lies on its side: its lines and
// items count from the left upper corner of the page as one holds it to read them.
// The block's Box, like every other, is a place on the page as it stands.
type Turn int8

// Turns.
const (
	Upright Turn = iota
	CCW          // counter-clockwise: it reads from the foot of the page up
	CW           // clockwise: it reads from the head of the page down
)

// String gives the turn as placement.rotate writes it; "" for upright.
func (t Turn) String() string { return [...]string{"", "ccw", "cw"}[t] }

// Placed is where a rectangle of a block turned by t stands on the page.
func (p *Page) Placed(t Turn, r unit.Rect) unit.Rect {
	switch t {
	case CCW:
		return unit.Rect{X: r.Y, Y: p.Height - r.Right(), W: r.H, H: r.W}
	case CW:
		return unit.Rect{X: p.Width - r.Bottom(), Y: r.X, W: r.H, H: r.W}
	}
	return r
}

// Within is where a point of the page lies for a block turned by t.
func (p *Page) Within(t Turn, x, y unit.Sp) (unit.Sp, unit.Sp) {
	switch t {
	case CCW:
		return p.Height - y, x
	case CW:
		return y, p.Width - x
	}
	return x, y
}

// Reading is the rectangle of the page as a block turned by t sees it: the inverse
// of Placed.
func (p *Page) Reading(t Turn, r unit.Rect) unit.Rect {
	switch t {
	case CCW:
		return unit.Rect{X: p.Height - r.Bottom(), Y: r.X, W: r.H, H: r.W}
	case CW:
		return unit.Rect{X: r.Y, Y: p.Width - r.Right(), W: r.H, H: r.W}
	}
	return r
}
