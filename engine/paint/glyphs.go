package paint

import (
	"postext/engine/font"
	"postext/engine/raster"
)

// glyphKey names a mask: a glyph of a face at a size and at a quarter pixel.
type glyphKey struct {
	face  uint64
	glyph uint32
	size  int32 // pixels to the em, in 1/64
	phase uint8 // quarters: x, and y in the next two bits
}

// mask is the coverage of a glyph; left and top lead from its pen to the first
// pixel.
type mask struct {
	w, h, left, top int
	pix             []uint8
}

// glyphCache keeps masks in two generations, like the shapes of package font:
// masks in use survive, memory is bounded.
type glyphCache struct {
	young, old map[glyphKey]*mask
	bytes      int
}

const (
	maxMasks  = 12 << 20 // bytes in a generation
	maxKept   = 1 << 15  // largest mask worth keeping, pixels
	maxEm     = 1 << 22  // largest size drawn: 65,536 px to the em
	bigWindow = 1 << 22  // largest mask made whole; beyond, only what is visible
)

func (c *glyphCache) get(k glyphKey) *mask {
	if m := c.young[k]; m != nil {
		return m
	}
	m := c.old[k]
	if m != nil {
		c.put(k, m)
	}
	return m
}

func (c *glyphCache) put(k glyphKey, m *mask) {
	if c.bytes += len(m.pix) + 120; c.bytes > maxMasks {
		c.young, c.old, c.bytes = nil, c.young, len(m.pix)+120
	}
	if c.young == nil {
		c.young = make(map[glyphKey]*mask, 512)
	}
	c.young[k] = m
}

// fineness is the step glyphs stand on at a size, as a power of two quarters of
// a pixel: quarters for reading sizes, halves and whole pixels when the em is so
// large that no glyph is more than 1/96 em out of place. Fewer places mean fewer
// masks, and a smaller PNG, since the same pixels come again and again.
func fineness(size int32) int64 {
	switch {
	case size >= 48<<6:
		return 2
	case size >= 24<<6:
		return 1
	}
	return 0
}

// glyph draws one glyph with its pen at x, y (1/256 pixel of the whole page,
// rounded to the size's step here).
func (c *canvas) glyph(f *font.Face, id uint32, size int32, x, y int64, ink *ink) {
	step := fineness(size)
	xq, yq := (x+32<<step)>>(6+step)<<step, (y+32<<step)>>(6+step)<<step
	k := glyphKey{f.Key, id, size, uint8(xq&3 | yq&3<<2)}
	px, py := int(xq>>2)-c.ox, int(yq>>2)-c.oy
	m := c.glyphs.get(k)
	if m == nil {
		o := f.Outline(id)
		b := bounds(o, f.UPem, size, xq&3<<6, yq&3<<6)
		if (b.x1-b.x0)*(b.y1-b.y0) > bigWindow {
			// Enormous: only the visible part is made.
			b.x0, b.y0 = max(b.x0, -int64(px)), max(b.y0, -int64(py))
			b.x1, b.y1 = min(b.x1, int64(c.w-px)), min(b.y1, int64(c.h-py))
		}
		m = c.trace(o, f.UPem, size, xq&3<<6, yq&3<<6, b)
		if len(m.pix) <= maxKept {
			c.glyphs.put(k, m)
		}
	}
	if len(m.pix) > 0 {
		c.blend(m, px+m.left, py+m.top, ink)
	}
}

type window struct{ x0, y0, x1, y1 int64 }

// scale takes a coordinate of an outline to 1/256 pixel.
func scale(v, upem, size int32) int64 {
	// v/64/upem em, size/64 pixels to the em, 256 to a pixel
	return raster.RoundDiv(int64(v)*int64(size), 16*int64(upem))
}

func bounds(o *font.Outline, upem, size int32, dx, dy int64) window {
	if len(o.Segments) == 0 {
		return window{}
	}
	return window{
		(scale(o.MinX, upem, size) + dx) >> 8, (dy - scale(o.MaxY, upem, size)) >> 8,
		(scale(o.MaxX, upem, size)+dx)>>8 + 1, (dy-scale(o.MinY, upem, size))>>8 + 1,
	}
}

// trace scan converts an outline inside a window.
func (p *Painter) trace(o *font.Outline, upem, size int32, dx, dy int64, b window) *mask {
	m := &mask{}
	if b.x1 <= b.x0 || b.y1 <= b.y0 {
		return m
	}
	m.left, m.top, m.w, m.h = int(b.x0), int(b.y0), int(b.x1-b.x0), int(b.y1-b.y0)
	z := &p.raster
	z.Reset(m.w, m.h)
	dx -= b.x0 << 8
	dy -= b.y0 << 8
	at := func(q font.Point) (x, y int64) {
		return scale(q.X, upem, size) + dx, dy - scale(q.Y, upem, size)
	}
	for i := range o.Segments {
		s := &o.Segments[i]
		ax, ay := at(s.P[0])
		switch s.Op {
		case font.MoveTo:
			if i == 0 {
				z.Start(ax, ay)
			}
			z.MoveTo(ax, ay)
		case font.LineTo:
			z.LineTo(ax, ay)
		case font.QuadTo:
			bx, by := at(s.P[1])
			z.QuadTo(ax, ay, bx, by)
		case font.CubeTo:
			bx, by := at(s.P[1])
			cx, cy := at(s.P[2])
			z.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	z.Close()
	m.pix = make([]uint8, m.w*m.h)
	z.Mask(m.pix)
	return m
}
