package paint

import (
	"image"

	"postext/engine/frame"
	"postext/engine/picture"
	"postext/engine/unit"
)

// placeholder is drawn for a picture that is not there.
var placeholder = unit.Color{R: 0xD8, G: 0xD8, B: 0xD8, A: 0xFF}

// maxWhole is the most pixels of a picture painted at the size of the whole page
// when a crop shows a part of it; a larger one is painted as far as it is seen.
const maxWhole = 8 << 20

// image draws an item's picture into its box.
func (c *canvas) image(it *frame.Item) { c.place(it.Box, it.Picture, it.Crop) }

// place draws a picture, a grey box in place of one that cannot be had.
func (c *canvas) place(box unit.Rect, p *picture.Picture, crop picture.Crop) {
	x0, y0 := c.pixel(box.X), c.pixel(box.Y)
	x1, y1 := c.pixel(box.Right()), c.pixel(box.Bottom())
	if c.failed != nil || x1 <= x0 || y1 <= y0 || x1 <= int64(c.ox) || y1 <= int64(c.oy) || x0 >= int64(c.ox+c.w) || y0 >= int64(c.oy+c.h) {
		return
	}
	if p == nil {
		c.surface(box, placeholder)
		return
	}
	w, h := x1-x0, y1-y0
	if w*h > maxWhole {
		// The part that is seen, to whole pixels.
		ax, ay := max(x0, int64(c.ox)), max(y0, int64(c.oy))
		bx, by := min(x1, int64(c.ox+c.w)), min(y1, int64(c.oy+c.h))
		if crop == (picture.Crop{}) {
			crop = picture.Crop{X1: 1 << 16, Y1: 1 << 16}
		}
		part := func(lo, hi uint32, at, size int64) uint32 {
			return lo + uint32((int64(hi-lo)*at+size/2)/size)
		}
		crop = picture.Crop{X0: part(crop.X0, crop.X1, ax-x0, w), X1: part(crop.X0, crop.X1, bx-x0, w),
			Y0: part(crop.Y0, crop.Y1, ay-y0, h), Y1: part(crop.Y0, crop.Y1, by-y0, h)}
		x0, y0, w, h = ax, ay, bx-ax, by-ay
	}
	m, err := c.pictures.Render(c.ctx, c.yield, p, int(w), int(h), crop)
	if err != nil {
		// Damaged beyond its header: the page stays, with a box in its place.
		if c.failed = c.ctx.Err(); c.failed == nil {
			c.surface(box, placeholder)
		}
		return
	}
	c.m.pictures = true
	c.lay(m, int(x0)-c.ox, int(y0)-c.oy)
}

// lay puts premultiplied pixels on the page, their corner at x, y.
func (c *canvas) lay(src *image.RGBA, x, y int) {
	b := src.Bounds()
	x0, x1 := max(x, 0), min(x+b.Dx(), c.w)
	for py := max(y, 0); py < min(y+b.Dy(), c.h) && x0 < x1; py++ {
		in := src.Pix[src.PixOffset(x0-x, py-y):][:4*(x1-x0)]
		out := c.m.Pix[4*(py*c.w+x0):][:4*(x1-x0)]
		for i := 0; i < len(in); i += 4 {
			s, d := in[i:i+4:i+4], out[i:i+4:i+4]
			if s[3] == 255 {
				copy(d, s)
				continue
			}
			a := 255 - uint32(s[3])
			for k := range 3 {
				d[k] = uint8(min(uint32(s[k])+(uint32(d[k])*a+127)/255, 255))
			}
		}
	}
}
