package paint

import (
	"encoding/binary"
	"image"

	"postext/engine/unit"
)

// Image is a painted page: opaque RGBA pixels, row by row without gaps, and
// what the encoders want to know about it.
type Image struct {
	Width, Height int
	Pix           []byte // 4*Width*Height

	paper    unit.Color
	inks     []unit.Color // colours laid on, without repetition, in order
	grounds  []unit.Color // plain surfaces the inks stand on; [0] is the paper
	pictures bool         // holds continuous tones
}

// reset gives the image its size; pixels are undefined.
func (m *Image) reset(w, h int) {
	m.Width, m.Height = w, h
	n := 4 * w * h
	if n > cap(m.Pix) {
		m.Pix = make([]byte, n)
	}
	m.Pix = m.Pix[:n]
	m.inks, m.grounds, m.pictures = m.inks[:0], m.grounds[:0], false
}

// RGBA is the image for the standard library, sharing the pixels.
func (m *Image) RGBA() *image.RGBA {
	return &image.RGBA{Pix: m.Pix, Stride: 4 * m.Width, Rect: image.Rect(0, 0, m.Width, m.Height)}
}

// Inks counts the colours besides the paper.
func (m *Image) Inks() int { return len(m.inks) }

// Grey reports whether the picture has no colour.
func (m *Image) Grey() bool {
	if m.pictures {
		return false
	}
	for _, c := range m.inks {
		if c.R != c.G || c.G != c.B {
			return false
		}
	}
	for _, c := range m.grounds {
		if c.R != c.G || c.G != c.B {
			return false
		}
	}
	return true
}

// maxNoted bounds the lists; a page with more colours is encoded as RGB anyway.
const maxNoted = 32

func note(list []unit.Color, c unit.Color) []unit.Color {
	for _, have := range list {
		if have == c {
			return list
		}
	}
	if len(list) < maxNoted {
		list = append(list, c)
	}
	return list
}

// ink is a colour ready for blending.
type ink struct {
	unit.Color
	rb, g  uint32 // red and blue, green: in their places
	packed uint32 // the opaque pixel
}

func newInk(c unit.Color) ink {
	return ink{c, uint32(c.R) | uint32(c.B)<<16, uint32(c.G), pack(c)}
}

func pack(c unit.Color) uint32 {
	return uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | 0xFF<<24
}

// mix lays the ink over a pixel with coverage a of 256, red and blue at once.
func (k *ink) mix(p, a uint32) uint32 {
	b := 256 - a
	rb := ((p&0xFF00FF)*b + k.rb*a + 0x800080) >> 8 & 0xFF00FF
	g := ((p>>8&0xFF)*b + k.g*a + 0x80) >> 8
	return rb | g<<8 | 0xFF<<24
}

// over is the colour that c gives when laid over an opaque ground.
func over(c, ground unit.Color) unit.Color {
	k := newInk(c)
	p := k.mix(pack(ground), uint32(c.A)+uint32(c.A)>>7)
	return unit.Color{R: uint8(p), G: uint8(p >> 8), B: uint8(p >> 16), A: 255}
}

// blend lays ink through a mask with its corner at x, y.
func (c *canvas) blend(m *mask, x, y int, k *ink) {
	x0, y0, x1, y1 := max(x, 0), max(y, 0), min(x+m.w, c.w), min(y+m.h, c.h)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	alpha := uint32(k.A) + uint32(k.A)>>7
	for row := y0; row < y1; row++ {
		cover := m.pix[(row-y)*m.w+x0-x : (row-y)*m.w+x1-x]
		dst := c.m.Pix[4*(row*c.w+x0) : 4*(row*c.w+x1)]
		for i, a := range cover {
			if a == 0 {
				continue
			}
			px := dst[4*i : 4*i+4 : 4*i+4]
			if a == 255 && alpha == 256 {
				binary.LittleEndian.PutUint32(px, k.packed)
				continue
			}
			full := (uint32(a) + uint32(a)>>7) * alpha >> 8
			binary.LittleEndian.PutUint32(px, k.mix(binary.LittleEndian.Uint32(px), full))
		}
	}
}

// fill lays a colour over whole pixels; part of 256 of it when the rectangle
// stands for a thinner one.
func (c *canvas) fill(x0, y0, x1, y1 int64, col unit.Color, part uint32) {
	ax, ay := max(x0-int64(c.ox), 0), max(y0-int64(c.oy), 0)
	bx, by := min(x1-int64(c.ox), int64(c.w)), min(y1-int64(c.oy), int64(c.h))
	if ax >= bx || ay >= by || col.A == 0 || part == 0 {
		return
	}
	k := newInk(col)
	a := (uint32(col.A) + uint32(col.A)>>7) * part >> 8
	first := c.m.Pix[4*(int(ay)*c.w+int(ax)) : 4*(int(ay)*c.w+int(bx))]
	if a == 256 {
		for i := 0; i < len(first); i += 4 {
			binary.LittleEndian.PutUint32(first[i:], k.packed)
		}
		for row := int(ay) + 1; row < int(by); row++ {
			copy(c.m.Pix[4*(row*c.w+int(ax)):4*(row*c.w+int(bx))], first)
		}
		return
	}
	for row := int(ay); row < int(by); row++ {
		dst := c.m.Pix[4*(row*c.w+int(ax)) : 4*(row*c.w+int(bx))]
		for i := 0; i < len(dst); i += 4 {
			binary.LittleEndian.PutUint32(dst[i:], k.mix(binary.LittleEndian.Uint32(dst[i:]), a))
		}
	}
}
