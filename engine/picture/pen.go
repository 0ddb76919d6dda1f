package picture

import "math"

// Contours is an outline to be drawn along with a pen: that of a letter.
type Contours struct{ p path }

// MoveTo begins a contour; every contour is closed.
func (c *Contours) MoveTo(x, y float64) {
	c.Close()
	c.p.move(x, y)
}

// LineTo, QuadTo and CubeTo go on with it.
func (c *Contours) LineTo(x, y float64)         { c.p.line(x, y) }
func (c *Contours) QuadTo(bx, by, x, y float64) { c.p.quad(bx, by, x, y) }
func (c *Contours) CubeTo(bx, by, cx, cy, x, y float64) {
	c.p.cube(bx, by, cx, cy, x, y)
}

// Close ends the contour under way.
func (c *Contours) Close() {
	if n := len(c.p); n > 0 && c.p[n-1].verb != closePath {
		c.p.close()
	}
}

// Pen gives what a pen of a width covers along the contours, its middle on them: as
// contours of x, y, x, y …, which all turn the same way and overlap, so that a
// raster makes them one. Units are pixels.
func (c *Contours) Pen(width float64) [][]float64 {
	c.Close()
	if !(width > 0) || math.IsInf(width, 0) {
		return nil
	}
	lines := strokeLines(c.p.flatten(1), &Stroke{Width: width, Join: joinMiter, Miter: 4}, 1)
	out := make([][]float64, len(lines))
	for i, l := range lines {
		if turning(l.pts) < 0 {
			for a, b := 0, len(l.pts)-2; a < b; a, b = a+2, b-2 {
				l.pts[a], l.pts[b], l.pts[a+1], l.pts[b+1] = l.pts[b], l.pts[a], l.pts[b+1], l.pts[a+1]
			}
		}
		out[i] = l.pts
	}
	return out
}
