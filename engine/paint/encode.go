package paint

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"slices"

	"postext/engine/unit"
)

// A page of text is a few inks on paper, each in some shades where an edge
// crosses a pixel. Sixteen shades cannot be told from 256 at reading size and
// make a third of the bytes: such a page becomes a PNG with a palette of the
// shades of each ink on each ground. A page of more inks, or with pictures, is
// an RGB PNG.
const (
	maxInks = 8
	shades  = 16
	alike   = 9 // half a step from black to white: the distance that cannot be told
	coarse  = 6 // shades on further grounds, when 256 colours do not suffice

	// level of Deflate: on pages of text 4 takes two thirds of the time of 6 and
	// gives 4 % more bytes; 9 takes ten times as long and gives 1 % less.
	level = 6
)

// encoder holds the buffers of PNG writing.
type encoder struct {
	index []uint8
	row   []byte
	zw    *zlib.Writer
	body  bytes.Buffer
	pool  pngPool
}

type pngPool struct{ b *png.EncoderBuffer }

func (p *pngPool) Get() *png.EncoderBuffer  { b := p.b; p.b = nil; return b }
func (p *pngPool) Put(b *png.EncoderBuffer) { p.b = b }

// PNG encodes an image; equal images give equal bytes.
func (p *Painter) PNG(m *Image) ([]byte, error) {
	if pal := m.palette(); pal != nil {
		return p.enc.indexed(m, pal)
	}
	var out bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.DefaultCompression, BufferPool: &p.enc.pool}
	if err := enc.Encode(&out, m.RGBA()); err != nil {
		return nil, fmt.Errorf("writing PNG: %w", err)
	}
	return out.Bytes(), nil
}

// JPEG encodes an image at a quality of 1 to 100; a page without colour becomes
// a grey JPEG.
func (p *Painter) JPEG(m *Image, quality int) ([]byte, error) {
	if quality < 1 || quality > 100 {
		return nil, fmt.Errorf("JPEG quality %d; 1 to 100 are possible", quality)
	}
	var out bytes.Buffer
	var pic image.Image = m.RGBA()
	if m.Grey() {
		g := image.NewGray(image.Rect(0, 0, m.Width, m.Height))
		for i := range g.Pix {
			g.Pix[i] = m.Pix[4*i]
		}
		pic = g
	}
	if err := jpeg.Encode(&out, pic, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("writing JPEG: %w", err)
	}
	return out.Bytes(), nil
}

// palette lists the colours of the picture, the paper first; nil when there are
// too many for one.
func (m *Image) palette() []unit.Color {
	if m.pictures || len(m.inks) > maxInks || len(m.grounds) >= maxNoted {
		return nil
	}
	for _, further := range []int{shades, coarse} {
		if pal := m.shadesOf(further); pal != nil {
			return pal
		}
	}
	return nil
}

// shadesOf lists the grounds, the inks on them, and then the shades between, of
// what stands out most first. A shade that another can stand for is left out: the
// greys of grey text on paper are those of black text.
func (m *Image) shadesOf(further int) []unit.Color {
	pal := append([]unit.Color(nil), m.grounds...)
	type ramp struct {
		ink    ink
		ground uint32
		shades int
		reach  int // from the ground to the ink
	}
	var ramps []ramp
	for g, ground := range m.grounds {
		n := shades
		if g > 0 {
			n = further
		}
		for _, c := range m.inks {
			c = over(c, ground)
			if !slices.Contains(pal, c) {
				pal = append(pal, c)
			}
			ramps = append(ramps, ramp{newInk(c), pack(ground), n, distance(c, ground)})
		}
	}
	slices.SortStableFunc(ramps, func(a, b ramp) int { return b.reach - a.reach })
	for _, r := range ramps {
		for i := 1; i < r.shades-1; i++ {
			p := r.ink.mix(r.ground, uint32(i*256/(r.shades-1)))
			c := unit.Color{R: uint8(p), G: uint8(p >> 8), B: uint8(p >> 16), A: 255}
			if !slices.ContainsFunc(pal, func(have unit.Color) bool { return distance(have, c) <= alike }) {
				pal = append(pal, c)
			}
		}
		if len(pal) > 256 {
			return nil
		}
	}
	return pal
}

// distance is how far two colours are apart in the channel that differs most.
func distance(a, b unit.Color) int {
	apart := func(v, w uint8) int { return max(int(v)-int(w), int(w)-int(v)) }
	return max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B))
}

// indexed writes a PNG with a palette, of the fewest bits that will do.
func (e *encoder) indexed(m *Image, pal []unit.Color) ([]byte, error) {
	used := e.assign(m, pal)
	// Shades nothing has are left out: most pages then need four bits.
	var place [256]uint8
	kept := make([]unit.Color, 0, len(pal))
	for i, c := range pal {
		if used[i] {
			place[i] = uint8(len(kept))
			kept = append(kept, c)
		}
	}
	bits := 8
	switch {
	case len(kept) <= 2:
		bits = 1
	case len(kept) <= 4:
		bits = 2
	case len(kept) <= 16:
		bits = 4
	}
	e.body.Reset()
	if e.zw == nil {
		zw, err := zlib.NewWriterLevel(&e.body, level)
		if err != nil {
			return nil, fmt.Errorf("writing PNG: %w", err)
		}
		e.zw = zw
	} else {
		e.zw.Reset(&e.body)
	}
	per := 8 / bits
	stride := 1 + (m.Width+per-1)/per // the first byte is the row's filter: none
	if cap(e.row) < stride {
		e.row = make([]byte, stride)
	}
	e.row = e.row[:stride]
	e.row[0] = 0
	for y := range m.Height {
		packRow(e.row[1:], e.index[y*m.Width:(y+1)*m.Width], bits, &place)
		if _, err := e.zw.Write(e.row); err != nil {
			return nil, fmt.Errorf("writing PNG: %w", err)
		}
	}
	if err := e.zw.Close(); err != nil {
		return nil, fmt.Errorf("writing PNG: %w", err)
	}
	out := make([]byte, 0, 8+25+12+3*len(kept)+12+e.body.Len()+12)
	out = append(out, "\x89PNG\r\n\x1a\n"...)
	head := binary.BigEndian.AppendUint32(nil, uint32(m.Width))
	head = binary.BigEndian.AppendUint32(head, uint32(m.Height))
	out = chunk(out, "IHDR", append(head, byte(bits), 3, 0, 0, 0)) // 3: palette
	plte := make([]byte, 0, 3*len(kept))
	for _, c := range kept {
		plte = append(plte, c.R, c.G, c.B)
	}
	out = chunk(out, "PLTE", plte)
	out = chunk(out, "IDAT", e.body.Bytes())
	return chunk(out, "IEND", nil), nil
}

func chunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	from := len(out)
	out = append(out, name...)
	out = append(out, data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
}

func packRow(dst []byte, src []uint8, bits int, place *[256]uint8) {
	switch bits {
	case 8:
		for i, v := range src {
			dst[i] = place[v]
		}
	case 4:
		n := len(src) / 2
		for i := range n {
			dst[i] = place[src[2*i]]<<4 | place[src[2*i+1]]
		}
		if len(src)&1 != 0 {
			dst[n] = place[src[2*n]] << 4
		}
	default:
		clear(dst)
		per := 8 / bits
		for i, v := range src {
			dst[i/per] |= place[v] << (8 - bits - i%per*bits)
		}
	}
}

// assign gives each pixel the nearest colour of the palette.
func (e *encoder) assign(m *Image, pal []unit.Color) (used [256]bool) {
	n := m.Width * m.Height
	if cap(e.index) < n {
		e.index = make([]uint8, n)
	}
	e.index = e.index[:n]
	// Few colours occur: what was found once is kept by the pixel's low bits.
	var known [4096]struct {
		pixel uint32 // opaque, so never zero
		at    uint8
	}
	last, at := pack(pal[0]), uint8(0)
	used[0] = true
	pix := m.Pix[: 4*n : 4*n]
	for i := range e.index {
		px := binary.LittleEndian.Uint32(pix[4*i:])
		if px != last {
			k := &known[(px*0x9E3779B1)>>20]
			if k.pixel != px {
				k.pixel, k.at = px, nearest(pal, px)
				used[k.at] = true
			}
			last, at = px, k.at
		}
		e.index[i] = at
	}
	return used
}

// nearest is the palette's colour least far, green weighing most as the eye
// does; of equals the first. A grey pixel takes a grey where one is at hand: black
// text has no blue edges because blue text stands on the page too.
func nearest(pal []unit.Color, px uint32) uint8 {
	best, at := int(1<<30), 0
	bestGrey, grey := 2*alike, -1
	isGrey := px&0xFF == px>>8&0xFF && px&0xFF == px>>16&0xFF
	for i, c := range pal {
		dr, dg, db := int(c.R)-int(px&0xFF), int(c.G)-int(px>>8&0xFF), int(c.B)-int(px>>16&0xFF)
		if d := 3*dr*dr + 6*dg*dg + db*db; d < best {
			best, at = d, i
		}
		if isGrey && dr == dg && dg == db && max(dg, -dg) < bestGrey {
			bestGrey, grey = max(dg, -dg), i
		}
	}
	if grey >= 0 {
		return uint8(grey)
	}
	return uint8(at)
}
