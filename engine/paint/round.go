package paint

import "postext/engine/unit"

// Rounded rectangles: straight parts are filled like any rectangle, so that edges
// stay on whole pixels; only the four corners are scan converted.

// arc is how far the controls of a cubic quarter circle lead along its tangents,
// in ten-thousandths of the radius.
const arc = 5523

// roundRect fills a rectangle with rounded corners, or with line > 0 draws its
// outline, inside the edge. The radius is at most half of either side.
func (c *canvas) roundRect(r unit.Rect, radius, line unit.Sp, col unit.Color) {
	if r.W <= 0 || r.H <= 0 || col.A == 0 {
		return
	}
	x0, x1 := c.pixel(r.X), c.pixel(r.Right())
	y0, y1 := c.pixel(r.Y), c.pixel(r.Bottom())
	x1, y1 = max(x1, x0+1), max(y1, y0+1)
	rad := min(c.fine(min(radius, r.W/2, r.H/2)), (x1-x0)<<7, (y1-y0)<<7)
	if x1 <= int64(c.ox) || y1 <= int64(c.oy) || x0 >= int64(c.ox+c.w) || y0 >= int64(c.oy+c.h) {
		return
	}
	c.m.inks = note(c.m.inks, col)
	corner := (rad + 255) >> 8 // pixels the corners take
	part := uint32(256)
	thick := int64(0) // of the outline, in whole pixels
	if line > 0 {
		fine := c.fine(line)
		if thick = (fine + 128) >> 8; thick < 1 {
			thick, part = 1, uint32(max(fine, 1))
		}
		if 2*thick >= min(x1-x0, y1-y0) {
			thick = 0
		}
	}
	if thick == 0 {
		c.fill(x0+corner, y0, x1-corner, y0+corner, col, part)
		c.fill(x0, y0+corner, x1, y1-corner, col, part)
		c.fill(x0+corner, y1-corner, x1-corner, y1, col, part)
	} else {
		c.fill(x0+corner, y0, x1-corner, y0+thick, col, part)
		c.fill(x0+corner, y1-thick, x1-corner, y1, col, part)
		c.fill(x0, y0+corner, x0+thick, y1-corner, col, part)
		c.fill(x1-thick, y0+corner, x1, y1-corner, col, part)
	}
	if corner <= 0 || corner > 1<<12 {
		return
	}
	ink := newInk(col)
	ink.A = uint8(uint32(ink.A) * part >> 8)
	for _, q := range [4]struct{ right, low bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		m := c.corner(rad, thick<<8, corner, q.right, q.low)
		x, y := x0, y0
		if q.right {
			x = x1 - corner
		}
		if q.low {
			y = y1 - corner
		}
		c.blend(m, int(x)-c.ox, int(y)-c.oy, &ink)
	}
}

// corner makes the mask of one corner, size pixels square: a quarter disc, or
// with thick > 0 (1/256 pixel) the ring along its edge.
func (p *Painter) corner(rad, thick, size int64, right, low bool) *mask {
	z := &p.raster
	z.Reset(int(size), int(size))
	edge := size << 8
	at := func(x, y int64) (int64, int64) {
		if right {
			x = edge - x
		}
		if low {
			y = edge - y
		}
		return x, y
	}
	// The window's corner is the rectangle's; the disc's middle is rad away. What
	// lies between the disc and the window's inner sides is filled too.
	quarter := func(r, in int64, back bool) {
		k := r * arc / 10000
		pts := [][2]int64{{in, in + r}, {in, in + r - k}, {in + r - k, in}, {in + r, in}}
		corner := [][2]int64{{edge, in}, {edge, edge}, {in, edge}}
		var x, y int64
		if !back {
			x, y = at(pts[0][0], pts[0][1])
			z.Start(x, y)
			bx, by := at(pts[1][0], pts[1][1])
			cx, cy := at(pts[2][0], pts[2][1])
			dx, dy := at(pts[3][0], pts[3][1])
			z.CubeTo(bx, by, cx, cy, dx, dy)
			for _, q := range corner {
				x, y = at(q[0], q[1])
				z.LineTo(x, y)
			}
			z.Close()
			return
		}
		x, y = at(pts[3][0], pts[3][1])
		z.Start(x, y)
		bx, by := at(pts[2][0], pts[2][1])
		cx, cy := at(pts[1][0], pts[1][1])
		dx, dy := at(pts[0][0], pts[0][1])
		z.CubeTo(bx, by, cx, cy, dx, dy)
		for i := len(corner) - 1; i >= 0; i-- {
			x, y = at(corner[i][0], corner[i][1])
			z.LineTo(x, y)
		}
		z.Close()
	}
	quarter(rad, 0, false)
	if thick > 0 {
		quarter(max(rad-thick, 0), thick, true)
	}
	m := &mask{w: int(size), h: int(size), pix: make([]uint8, size*size)}
	z.Mask(m.pix)
	return m
}
