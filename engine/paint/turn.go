package paint

import "postext/engine/frame"

// turned paints blocks that stand on their side. The picture is turned so that they
// read upright, painted like any other and turned back: what is set on its side has
// the same pixels, on its side.
func (c *canvas) turned(t frame.Turn, blocks []*frame.Block) {
	if t != frame.Upright {
		upright := c.view
		c.quarter(t == frame.CCW)
		if t == frame.CCW {
			c.ox, c.oy = c.whole.h-upright.oy-upright.h, upright.ox
		} else {
			c.ox, c.oy = upright.oy, c.whole.w-upright.ox-upright.w
		}
		c.w, c.h = upright.h, upright.w
		defer func() {
			c.quarter(t == frame.CW)
			c.view = upright
		}()
	}
	for _, b := range blocks {
		c.block(b)
	}
}

// quarter turns the pixels by a quarter, clockwise or the other way.
func (c *canvas) quarter(clockwise bool) {
	w, h := c.m.Width, c.m.Height
	n := 4 * w * h
	if cap(c.spare) < n {
		c.spare = make([]byte, n)
	}
	out := c.spare[:n]
	for y := range h {
		row := c.m.Pix[4*y*w : 4*(y+1)*w]
		// A row of the picture is a column of the turned one, which is h pixels wide.
		at, step := (w-1)*h+y, -h
		if clockwise {
			at, step = h-1-y, h
		}
		for x := range w {
			copy(out[4*at:4*at+4], row[4*x:4*x+4])
			at += step
		}
	}
	c.m.Pix, c.spare = out, c.m.Pix
	c.m.Width, c.m.Height = h, w
}
