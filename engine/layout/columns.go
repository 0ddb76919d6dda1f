package layout

import (
	"postext/engine/settings"
	"postext/engine/unit"
)

// contentOf is the type area of a page: inside the margins, which swap sides on
// versos when they are mirrored.
func contentOf(d *settings.Design, recto bool) unit.Rect {
	p := &d.Page
	left, right := p.Left, p.Right
	if p.Mirror && recto == p.RightBound {
		left, right = right, left
	}
	r := unit.Rect{X: left, Y: p.Top, W: p.Width - left - right, H: p.Height - p.Top - p.Bottom}
	r.W = max(r.W, d.Body.Size)
	r.H = max(r.H, d.Body.Leading)
	return r
}

// contentWidth is the width of the type area.
func contentWidth(d *settings.Design) unit.Sp { return contentOf(d, true).W }

// across reports whether something can stand across the text's column: others, or
// the side column, stand beside it.
func across(d *settings.Design) bool { return len(columnsOf(d, true)) > 1 || hasSide(d) }

// hasSide reports whether the pages have a side column that no running text enters.
func hasSide(d *settings.Design) bool {
	return d.Layout.Type == "oneAndHalf" && d.Layout.SideRole == "floats"
}

// sideOf is the side column, X from the left of the type area; its height is not
// set. Without one its width is 0.
func sideOf(d *settings.Design, recto bool) unit.Rect {
	if !hasSide(d) {
		return unit.Rect{}
	}
	w, main := contentOf(d, recto).W, columnsOf(d, recto)[0]
	if main.X > 0 {
		return unit.Rect{W: max(main.X-d.Layout.Gutter, 1)}
	}
	return unit.Rect{X: main.Right() + d.Layout.Gutter, W: max(w-main.W-d.Layout.Gutter, 1)}
}

// columnsOf gives the columns running text stands in, in reading order, X from
// the left of the type area (settings.md 6). Heights are not set.
func columnsOf(d *settings.Design, recto bool) []unit.Rect {
	w := contentOf(d, recto).W
	l := &d.Layout
	g := l.Gutter
	n := max(l.Columns, 1)
	switch l.Type {
	case "single":
		n = 1
	case "oneAndHalf":
		side := unit.Sp(unit.MulDiv(int64(w), int64(float64(l.SidePercent*100)), 10000))
		main := max(w-side-g, 1)
		left := l.SideSide == "left" || l.SideSide == "outer" && !recto || l.SideSide == "inner" && recto
		a, b := unit.Rect{W: main}, unit.Rect{X: main + g, W: side}
		if left {
			a, b = unit.Rect{W: side}, unit.Rect{X: side + g, W: main}
		}
		if l.SideRole == "floats" {
			if left {
				return []unit.Rect{b}
			}
			return []unit.Rect{a}
		}
		return []unit.Rect{a, b}
	}
	for n > 1 && (w-g*unit.Sp(n-1))/unit.Sp(n) < d.Body.Size*2 {
		n-- // columns too narrow for any text
	}
	cw := max((w-g*unit.Sp(n-1))/unit.Sp(n), 1)
	out := make([]unit.Rect, n)
	for i := range out {
		out[i] = unit.Rect{X: unit.Sp(i) * (cw + g), W: cw}
	}
	return out
}
