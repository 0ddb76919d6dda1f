package paint

import (
	"image"
	"image/draw"

	"postext/engine/frame"
	"postext/engine/unit"
)

// placeholder is drawn for a picture that is not there.
var placeholder = unit.Color{R: 0xD8, G: 0xD8, B: 0xD8, A: 0xFF}

// image draws a resource's picture into its box.
func (c *canvas) image(it *frame.Item) {
	x0, y0 := c.pixel(it.Box.X), c.pixel(it.Box.Y)
	x1, y1 := c.pixel(it.Box.Right()), c.pixel(it.Box.Bottom())
	if x1 <= x0 || y1 <= y0 || x1 <= int64(c.ox) || y1 <= int64(c.oy) || x0 >= int64(c.ox+c.w) || y0 >= int64(c.oy+c.h) {
		return
	}
	var src image.Image
	if c.picture != nil {
		src = c.picture(it.Image, int(x1-x0), int(y1-y0))
	}
	if src == nil || src.Bounds().Empty() {
		c.surface(it.Box, placeholder)
		return
	}
	c.m.pictures = true
	c.resample(rgba(src), int(x0)-c.ox, int(y0)-c.oy, int(x1-x0), int(y1-y0))
}

// rgba gives the pixels in one format, with premultiplied alpha.
func rgba(src image.Image) *image.RGBA {
	if m, ok := src.(*image.RGBA); ok {
		return m
	}
	b := src.Bounds()
	m := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(m, m.Bounds(), src, b.Min, draw.Src)
	return m
}

// resample lays a picture over w × h pixels at x, y. Each pixel is the mean of
// the part of the source it covers, or when enlarging, of the four pixels about
// its centre by nearness.
func (c *canvas) resample(src *image.RGBA, x, y, w, h int) {
	b := src.Bounds()
	for py := max(y, 0); py < min(y+h, c.h); py++ {
		v0, v1 := stretch(py-y, h, b.Dy())
		for px := max(x, 0); px < min(x+w, c.w); px++ {
			u0, u1 := stretch(px-x, w, b.Dx())
			var sum [4]int64
			var weight int64
			for sy := v0 >> 8; sy<<8 < v1; sy++ {
				wy := min((sy+1)<<8, v1) - max(sy<<8, v0)
				for sx := u0 >> 8; sx<<8 < u1; sx++ {
					f := wy * (min((sx+1)<<8, u1) - max(sx<<8, u0))
					cx, cy := min(max(int(sx), 0), b.Dx()-1), min(max(int(sy), 0), b.Dy()-1)
					p := src.Pix[src.PixOffset(b.Min.X+cx, b.Min.Y+cy):]
					for i := range sum {
						sum[i] += f * int64(p[i])
					}
					weight += f
				}
			}
			dst := c.m.Pix[4*(py*c.w+px) : 4*(py*c.w+px)+3]
			alpha := (sum[3] + weight/2) / weight
			for i := range dst {
				s := (sum[i] + weight/2) / weight
				dst[i] = uint8(min(s+(int64(dst[i])*(255-alpha)+127)/255, 255))
			}
		}
	}
}

// stretch is the part of n source pixels that pixel i of size stands for, in
// 1/256, at least one source pixel long.
func stretch(i, size, n int) (from, to int64) {
	from = int64(i) * int64(n) << 8 / int64(size)
	to = int64(i+1) * int64(n) << 8 / int64(size)
	if to-from < 256 {
		mid := (from + to) / 2
		from, to = mid-128, mid+128
	}
	return from, to
}
