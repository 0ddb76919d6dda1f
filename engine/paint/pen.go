package paint

import (
	"math"

	"postext/engine/font"
	"postext/engine/picture"
)

// penned draws the edges of a glyph with a pen, its pen point at x, y (1/256 pixel
// of the whole page) and the pen's width in 1/256 pixel.
func (c *canvas) penned(f *font.Face, id uint32, size int32, x, y, width int64, k *ink) {
	o := f.Outline(id)
	if len(o.Segments) == 0 || width <= 0 {
		return
	}
	x -= int64(c.ox) << 8
	y -= int64(c.oy) << 8
	var path picture.Contours
	at := func(q font.Point) (float64, float64) {
		return float64(x+scale(q.X, f.UPem, size)) / 256, float64(y-scale(q.Y, f.UPem, size)) / 256
	}
	for i := range o.Segments {
		s := &o.Segments[i]
		ax, ay := at(s.P[0])
		switch s.Op {
		case font.MoveTo:
			path.MoveTo(ax, ay)
		case font.LineTo:
			path.LineTo(ax, ay)
		case font.QuadTo:
			bx, by := at(s.P[1])
			path.QuadTo(ax, ay, bx, by)
		case font.CubeTo:
			bx, by := at(s.P[1])
			cx, cy := at(s.P[2])
			path.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	m := c.covered(path.Pen(float64(width)/256), window{0, 0, int64(c.w), int64(c.h)})
	if len(m.pix) > 0 {
		c.blend(m, m.left, m.top, k)
	}
}

// covered scan converts contours of pixels inside a window.
func (p *Painter) covered(contours [][]float64, b window) *mask {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, pts := range contours {
		for i := 0; i+1 < len(pts); i += 2 {
			x0, y0, x1, y1 = min(x0, pts[i]), min(y0, pts[i+1]), max(x1, pts[i]), max(y1, pts[i+1])
		}
	}
	m := &mask{}
	if !(x0 <= x1) || x1 < float64(b.x0) || y1 < float64(b.y0) || x0 > float64(b.x1) || y0 > float64(b.y1) {
		return m
	}
	b.x0, b.y0 = max(b.x0, int64(math.Floor(x0))), max(b.y0, int64(math.Floor(y0)))
	b.x1, b.y1 = min(b.x1, int64(math.Ceil(x1))+1), min(b.y1, int64(math.Ceil(y1))+1)
	if b.x1 <= b.x0 || b.y1 <= b.y0 {
		return m
	}
	m.left, m.top, m.w, m.h = int(b.x0), int(b.y0), int(b.x1-b.x0), int(b.y1-b.y0)
	z := &p.raster
	z.Reset(m.w, m.h)
	for i, pts := range contours {
		for k := 0; k+1 < len(pts); k += 2 {
			x, y := int64(math.Round(float64((pts[k]-float64(b.x0))*256))), int64(math.Round(float64((pts[k+1]-float64(b.y0))*256)))
			switch {
			case k > 0:
				z.LineTo(x, y)
			case i == 0:
				z.Start(x, y)
			default:
				z.MoveTo(x, y)
			}
		}
	}
	z.Close()
	m.pix = make([]uint8, m.w*m.h)
	z.Mask(m.pix)
	return m
}
