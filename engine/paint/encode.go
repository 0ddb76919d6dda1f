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

	"postext/engine/paint/deflate"
	"postext/engine/unit"
)

// A page of text is a few inks on paper, each in some shades where an edge
// crosses a pixel. Sixteen shades cannot be told from 256 at reading size and
// make a third of the bytes: such a page becomes a PNG with a palette of the
// shades of each ink on each ground. Where sixteen colours can stand for them all
// (fewest) it has four bits a pixel, which halve the time and are a tenth smaller.
// A page of more inks, or with pictures, is an RGB PNG.
const (
	maxInks = 8
	shades  = 16
	alike   = 9 // half a step from black to white: the distance that cannot be told
	coarse  = 6 // shades on further grounds, when 256 colours do not suffice

	// few is how many colours four bits tell apart, stray how far from its shade a
	// pixel at an edge may come to lie for that: a tenth of black to white. most
	// bounds the colours they may stand for: some three inks.
	few   = 16
	stray = 26
	most  = 64

	// level of compress/zlib, for the rows package deflate is not made for: on pages
	// of text 4 takes two thirds of the time of 6 and gives 4 % more bytes; 9 takes
	// ten times as long and gives 1 % less.
	level = 6
)

// encoder holds the buffers of PNG writing.
type encoder struct {
	index []uint8
	rows  []byte
	body  []byte
	flat  deflate.Encoder
	zw    *zlib.Writer
	pool  pngPool
}

type pngPool struct{ b *png.EncoderBuffer }

func (p *pngPool) Get() *png.EncoderBuffer  { b := p.b; p.b = nil; return b }
func (p *pngPool) Put(b *png.EncoderBuffer) { p.b = b }

// PNG encodes an image; equal images give equal bytes.
func (p *Painter) PNG(m *Image) ([]byte, error) {
	if pal, solid := m.palette(); pal != nil {
		return p.enc.indexed(m, pal, solid)
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
// too many for one. The first solid ones are grounds and inks, the others shades.
func (m *Image) palette() (pal []unit.Color, solid int) {
	if m.pictures || len(m.inks) > maxInks || len(m.grounds) >= maxNoted {
		return nil, 0
	}
	for _, further := range []int{shades, coarse} {
		if pal, solid := m.shadesOf(further); pal != nil {
			return pal, solid
		}
	}
	return nil, 0
}

// shadesOf lists the grounds, the inks on them, and then the shades between, of
// what stands out most first. A shade that another can stand for is left out: the
// greys of grey text on paper are those of black text.
func (m *Image) shadesOf(further int) (pal []unit.Color, solid int) {
	pal = append(pal, m.grounds...)
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
	solid = len(pal)
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
			return nil, 0
		}
	}
	return pal, solid
}

// distance is how far two colours are apart in the channel that differs most.
func distance(a, b unit.Color) int {
	apart := func(v, w uint8) int { return max(int(v)-int(w), int(w)-int(v)) }
	return max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B))
}

// indexed writes a PNG with a palette, of the fewest bits that will do.
func (e *encoder) indexed(m *Image, pal []unit.Color, solid int) ([]byte, error) {
	counts := e.assign(m, pal)
	stands := fewest(pal, solid, counts)
	// Shades nothing has are left out.
	var place [256]uint8
	kept := make([]unit.Color, 0, len(pal))
	for i, c := range pal {
		if counts[i] > 0 && int(stands[i]) == i {
			place[i] = uint8(len(kept))
			kept = append(kept, c)
		}
	}
	for i := range pal {
		place[i] = place[stands[i]]
	}
	bits := 8
	switch {
	case len(kept) <= 2:
		bits = 1
	case len(kept) <= 4:
		bits = 2
	case len(kept) <= few:
		bits = 4
	}
	per := 8 / bits
	stride := 1 + (m.Width+per-1)/per // the first byte is the row's filter: none
	if n := stride * m.Height; cap(e.rows) < n {
		e.rows = make([]byte, n)
	} else {
		e.rows = e.rows[:n]
	}
	for y := range m.Height {
		row := e.rows[y*stride : (y+1)*stride]
		row[0] = 0
		packRow(row[1:], e.index[y*m.Width:(y+1)*m.Width], bits, &place)
	}
	body, err := e.pack(bits, stride)
	if err != nil {
		return nil, fmt.Errorf("writing PNG: %w", err)
	}
	out := make([]byte, 0, 8+25+12+3*len(kept)+12+len(body)+12)
	out = append(out, "\x89PNG\r\n\x1a\n"...)
	head := binary.BigEndian.AppendUint32(nil, uint32(m.Width))
	head = binary.BigEndian.AppendUint32(head, uint32(m.Height))
	out = chunk(out, "IHDR", append(head, byte(bits), 3, 0, 0, 0)) // 3: palette
	plte := make([]byte, 0, 3*len(kept))
	for _, c := range kept {
		plte = append(plte, c.R, c.G, c.B)
	}
	out = chunk(out, "PLTE", plte)
	out = chunk(out, "IDAT", body)
	return chunk(out, "IEND", nil), nil
}

// pack compresses the rows.
func (e *encoder) pack(bits, stride int) ([]byte, error) {
	if bits < 8 {
		e.body = e.flat.Zlib(e.body[:0], e.rows, stride)
		return e.body, nil
	}
	var body bytes.Buffer
	if e.zw == nil {
		zw, err := zlib.NewWriterLevel(&body, level)
		if err != nil {
			return nil, err
		}
		e.zw = zw
	} else {
		e.zw.Reset(&body)
	}
	if _, err := e.zw.Write(e.rows); err != nil {
		return nil, err
	}
	err := e.zw.Close()
	return body.Bytes(), err
}

// fewest says which colour stands for each: every one for itself, or, when four
// bits will then do, others for those missed least. Grounds and inks stay, no pixel
// goes far, and only a grey stands for a grey, a hue for a hue: black text has no blue
// edges, nor blue text grey ones.
func fewest(pal []unit.Color, solid int, counts *[256]int) (stands [256]uint8) {
	var itself [256]uint8
	var used []int
	for i := range itself {
		itself[i] = uint8(i)
		if i < len(pal) && counts[i] > 0 {
			used = append(used, i)
		}
	}
	if len(used) <= few || len(used) > most {
		return itself
	}
	stands = itself
	left := slices.Clone(used)
	// nearest is what else could stand for a colour while without is gone.
	nearest := func(i, without int) (at, far int) {
		at, far = -1, stray+1
		for _, j := range left {
			if d := distance(pal[i], pal[j]); j != without && d < far && grey(pal[i]) == grey(pal[j]) {
				at, far = j, d
			}
		}
		return at, far
	}
	for len(left) > few {
		var missed [256]int
		for _, i := range used {
			s := stands[i]
			if _, d := nearest(i, int(s)); int(s) < solid || d > stray {
				missed[s] = -1
			} else if missed[s] >= 0 {
				missed[s] += counts[i] * d * d
			}
		}
		gone := -1
		for _, s := range left {
			if missed[s] >= 0 && (gone < 0 || missed[s] < missed[gone]) {
				gone = s
			}
		}
		if gone < 0 {
			return itself
		}
		left = slices.DeleteFunc(left, func(i int) bool { return i == gone })
		for _, i := range used {
			if int(stands[i]) == gone {
				at, _ := nearest(i, gone)
				stands[i] = uint8(at)
			}
		}
	}
	return stands
}

func grey(c unit.Color) bool { return c.R == c.G && c.G == c.B }

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
		for i := 0; i < n; i++ {
			if i+4 <= n && binary.LittleEndian.Uint64(src[2*i:]) == 0 { // paper, which has the first place
				clear(dst[i : i+4])
				i += 3
				continue
			}
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

// assign gives each pixel the nearest colour of the palette, and counts them.
func (e *encoder) assign(m *Image, pal []unit.Color) *[256]int {
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
	var counts [256]int
	counts[0] = 1 // the paper, even where nothing is left of it
	pix := m.Pix[: 4*n : 4*n]
	for i := 0; i < n; {
		px := binary.LittleEndian.Uint32(pix[4*i:])
		k := &known[(px*0x9E3779B1)>>20]
		if k.pixel != px {
			k.pixel, k.at = px, nearest(pal, px)
		}
		from := i
		i++
		for two := uint64(px)<<32 | uint64(px); i+2 <= n && binary.LittleEndian.Uint64(pix[4*i:]) == two; {
			i += 2
		}
		counts[k.at] += i - from
		run := e.index[from:i]
		if k.at == 0 {
			clear(run)
			continue
		}
		for j := range run {
			run[j] = k.at
		}
	}
	return &counts
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
