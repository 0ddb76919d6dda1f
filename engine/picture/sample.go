package picture

import (
	"context"
	"image"
	"image/color"
)

// Crop is the part of a picture that is shown, in 1/65536 of its width and
// height; the zero value is the whole.
type Crop struct{ X0, Y0, X1, Y1 uint32 }

func (c Crop) whole() bool { return c == Crop{} }

// readRow writes a row of pixels as RGBA, 8 bits, premultiplied.
func readRow(m image.Image, y int, dst []uint8) {
	b := m.Bounds()
	w := b.Dx()
	y += b.Min.Y
	switch m := m.(type) {
	case *image.RGBA:
		copy(dst, m.Pix[m.PixOffset(b.Min.X, y):][:4*w])
	case *image.YCbCr:
		for x := range w {
			i, k := m.YOffset(b.Min.X+x, y), m.COffset(b.Min.X+x, y)
			d := dst[4*x : 4*x+4]
			d[0], d[1], d[2] = color.YCbCrToRGB(m.Y[i], m.Cb[k], m.Cr[k])
			d[3] = 255
		}
	case *image.Gray:
		row := m.Pix[m.PixOffset(b.Min.X, y):][:w]
		for x, v := range row {
			d := dst[4*x : 4*x+4]
			d[0], d[1], d[2], d[3] = v, v, v, 255
		}
	case *image.NRGBA:
		row := m.Pix[m.PixOffset(b.Min.X, y):][:4*w]
		for x := 0; x < len(row); x += 4 {
			s, d := row[x:x+4:x+4], dst[x:x+4:x+4]
			if a := uint32(s[3]); a == 255 {
				copy(d, s)
			} else {
				d[0], d[1], d[2], d[3] = times(s[0], a), times(s[1], a), times(s[2], a), s[3]
			}
		}
	case *image.Paletted:
		var pal [256][4]uint8
		for i, c := range m.Palette[:min(len(m.Palette), 256)] {
			r, g, bl, a := c.RGBA()
			pal[i] = [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), uint8(a >> 8)}
		}
		for x, v := range m.Pix[m.PixOffset(b.Min.X, y):][:w] {
			copy(dst[4*x:4*x+4], pal[v][:])
		}
	default:
		for x := range w {
			r, g, bl, a := m.At(b.Min.X+x, y).RGBA()
			d := dst[4*x : 4*x+4]
			d[0], d[1], d[2], d[3] = uint8(r>>8), uint8(g>>8), uint8(bl>>8), uint8(a>>8)
		}
	}
}

// times is v of a/255, rounded.
func times(v uint8, a uint32) uint8 { return uint8((uint32(v)*a + 127) / 255) }

// span is the part of the source a pixel stands for, in 1/256 of its pixels.
type span struct{ from, to int64 }

// spans divides the source's extent among n pixels. A pixel smaller than the
// source's takes one of theirs about its centre, so that an enlarged picture is
// interpolated.
func spans(n, size int, lo, hi uint32) []span {
	out := make([]span, n)
	a, z := int64(lo)*int64(size)>>8, int64(hi)*int64(size)>>8
	for i := range out {
		s := span{a + (z-a)*int64(i)/int64(n), a + (z-a)*int64(i+1)/int64(n)}
		if s.to-s.from < 256 {
			mid := (s.from + s.to) / 2
			s = span{mid - 128, mid + 128}
		}
		out[i] = s
	}
	return out
}

// sample scales part of a picture to w × h pixels: each is the mean of the area
// of the source it covers. Rows are summed along x once and then by their weight
// into the rows of the result.
func sample(ctx context.Context, yield Yield, m image.Image, w, h int, c Crop) (*image.RGBA, error) {
	b := m.Bounds()
	sw, sh := b.Dx(), b.Dy()
	if c.whole() {
		c = Crop{0, 0, 1 << 16, 1 << 16}
	}
	cols, rows := spans(w, sw, c.X0, c.X1), spans(h, sh, c.Y0, c.Y1)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	line := make([]uint8, 4*sw)
	var known [2]struct {
		y    int // of the source, from 1; 0: none
		sums []int64
	}
	for i := range known {
		known[i].sums = make([]int64, 4*w)
	}
	sums := func(y int) []int64 {
		k := &known[y&1]
		if k.y != y+1 {
			k.y = y + 1
			readRow(m, y, line)
			reduce(k.sums, line, cols, sw)
		}
		return k.sums
	}
	acc := make([]int64, 4*w)
	for y, r := range rows {
		clear(acc)
		for sy := r.from >> 8; sy<<8 < r.to; sy++ {
			if sy&7 == 0 && yield != nil {
				if err := yield(ctx); err != nil {
					return nil, err
				}
			}
			wy := min((sy+1)<<8, r.to) - max(sy<<8, r.from)
			for i, v := range sums(min(max(int(sy), 0), sh-1)) {
				acc[i] += wy * v
			}
		}
		dst := out.Pix[y*out.Stride:][:4*w]
		high := r.to - r.from
		for x := range w {
			weight := high * (cols[x].to - cols[x].from)
			for i := range 4 {
				dst[4*x+i] = uint8((acc[4*x+i] + weight/2) / weight)
			}
		}
	}
	return out, ctx.Err()
}

// reduce sums a row's pixels over each span, in 1/256.
func reduce(sums []int64, line []uint8, cols []span, sw int) {
	for x, c := range cols {
		var r, g, b, a int64
		for sx := c.from >> 8; sx<<8 < c.to; sx++ {
			f := int64(256)
			if sx<<8 < c.from || (sx+1)<<8 > c.to {
				f = min((sx+1)<<8, c.to) - max(sx<<8, c.from)
			}
			p := line[4*min(max(int(sx), 0), sw-1):]
			r += f * int64(p[0])
			g += f * int64(p[1])
			b += f * int64(p[2])
			a += f * int64(p[3])
		}
		s := sums[4*x : 4*x+4]
		s[0], s[1], s[2], s[3] = r, g, b, a
	}
}

// convert takes the pixels of a sampled picture to sRGB.
func (t *transform) convert(m *image.RGBA) {
	var last, is [3]uint8
	first := true
	for i := 0; i < len(m.Pix); i += 4 {
		p := m.Pix[i : i+4 : i+4]
		a := uint32(p[3])
		if a == 0 {
			continue
		}
		r, g, b := p[0], p[1], p[2]
		if a < 255 {
			straight := func(v uint8) uint8 { return uint8(min((uint32(v)*255+a/2)/a, 255)) }
			r, g, b = straight(r), straight(g), straight(b)
		}
		if v := [3]uint8{r, g, b}; first || v != last {
			last, first = v, false
			is[0], is[1], is[2] = t.pixel(r, g, b)
		}
		if a < 255 {
			p[0], p[1], p[2] = times(is[0], a), times(is[1], a), times(is[2], a)
		} else {
			p[0], p[1], p[2] = is[0], is[1], is[2]
		}
	}
}
