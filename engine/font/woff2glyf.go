package font

import "encoding/binary"

// The outlines of a WOFF2 file: each property of all glyphs in a stream of its
// own (section 5.1 of the standard).

type outlines struct {
	glyf, loca []byte
	xMin       []int16 // of each glyph, for its left side bearing
}

type glyfStreams struct {
	contours, points, flags, glyphs, composites, boxes, instructions stream
	hasBox, overlap                                                  []byte
	out                                                              outlines
	ends                                                             []int
	xs, ys                                                           []int
	on                                                               []bool
}

func unpackGlyf(data []byte) (*outlines, error) {
	s := &stream{data: data}
	s.take(2)
	options := s.u16()
	n := s.u16()
	s.take(2) // the form of loca; ours is long
	var sizes [7]int64
	for i := range sizes {
		sizes[i] = s.u32()
	}
	var g glyfStreams
	for i, into := range [...]*stream{&g.contours, &g.points, &g.flags, &g.glyphs, &g.composites, &g.boxes, &g.instructions} {
		into.data = s.take(int(sizes[i]))
	}
	if options&1 != 0 {
		g.overlap = s.take((n + 7) / 8)
	}
	g.hasBox = g.boxes.take(4 * ((n + 31) / 32))
	if s.bad || g.boxes.bad || len(g.contours.data) < 2*n {
		return nil, errWOFF2
	}
	g.out.loca = make([]byte, 0, 4*n+4)
	g.out.xMin = make([]int16, n)
	for i := range n {
		g.out.loca = binary.BigEndian.AppendUint32(g.out.loca, uint32(len(g.out.glyf)))
		if !g.glyph(i) || len(g.out.glyf) > maxFile {
			return nil, errWOFF2
		}
		for len(g.out.glyf)&3 != 0 {
			g.out.glyf = append(g.out.glyf, 0)
		}
	}
	g.out.loca = binary.BigEndian.AppendUint32(g.out.loca, uint32(len(g.out.glyf)))
	return &g.out, nil
}

func (g *glyfStreams) put(v int) {
	g.out.glyf = append(g.out.glyf, byte(v>>8), byte(v))
}

// box writes the bounding box that the file gives.
func (g *glyfStreams) box(i int) {
	b := g.boxes.take(8)
	g.out.xMin[i] = int16(binary.BigEndian.Uint16(b))
	g.out.glyf = append(g.out.glyf, b...)
}

func (g *glyfStreams) glyph(i int) bool {
	boxed := g.hasBox[i/8]>>(7-i%8)&1 != 0
	n := g.contours.i16()
	switch {
	case n == 0:
		return !boxed
	case n < 0:
		return boxed && g.composite(i)
	}
	return g.simple(i, n, boxed)
}

// Flags of a component of a composite glyph.
const (
	wordArguments   = 1 << 0
	hasScale        = 1 << 3
	moreComponents  = 1 << 5
	hasTwoScales    = 1 << 6
	hasMatrix       = 1 << 7
	hasInstructions = 1 << 8
)

func (g *glyfStreams) composite(i int) bool {
	g.put(-1)
	g.box(i)
	instructed := false
	for {
		f := g.composites.u16()
		size := 2 + 2
		if f&wordArguments != 0 {
			size += 2
		}
		switch {
		case f&hasScale != 0:
			size += 2
		case f&hasTwoScales != 0:
			size += 4
		case f&hasMatrix != 0:
			size += 8
		}
		b := g.composites.take(size)
		if g.composites.bad {
			return false
		}
		g.put(f)
		g.out.glyf = append(g.out.glyf, b...)
		instructed = instructed || f&hasInstructions != 0
		if f&moreComponents == 0 {
			break
		}
	}
	if instructed {
		return g.instruct()
	}
	return true
}

func (g *glyfStreams) instruct() bool {
	n := g.glyphs.short()
	b := g.instructions.take(n)
	if g.glyphs.bad || g.instructions.bad {
		return false
	}
	g.put(n)
	g.out.glyf = append(g.out.glyf, b...)
	return true
}

func (g *glyfStreams) simple(i, contours int, boxed bool) bool {
	total := 0
	g.ends = g.ends[:0]
	for range contours {
		total += g.points.short()
		if g.points.bad || total < 1 || total > maxPoints {
			return false
		}
		g.ends = append(g.ends, total-1)
	}
	flags := g.flags.take(total)
	if g.flags.bad {
		return false
	}
	g.xs, g.ys, g.on = g.xs[:0], g.ys[:0], g.on[:0]
	x, y := 0, 0
	var low, high [2]int
	for k, f := range flags {
		dx, dy := g.step(int(f & 0x7f))
		x, y = x+dx, y+dy
		if x < -1<<15 || x >= 1<<15 || y < -1<<15 || y >= 1<<15 {
			return false
		}
		g.xs, g.ys, g.on = append(g.xs, dx), append(g.ys, dy), append(g.on, f < 0x80)
		if k == 0 {
			low, high = [2]int{x, y}, [2]int{x, y}
		}
		low = [2]int{min(low[0], x), min(low[1], y)}
		high = [2]int{max(high[0], x), max(high[1], y)}
	}
	g.put(contours)
	if boxed {
		g.box(i)
	} else {
		g.out.xMin[i] = int16(low[0])
		g.put(low[0])
		g.put(low[1])
		g.put(high[0])
		g.put(high[1])
	}
	for _, e := range g.ends {
		g.put(e)
	}
	if g.glyphs.bad || g.boxes.bad || !g.instruct() {
		return false
	}
	g.write(i)
	return true
}

// step reads the way from one point to the next, by the table of section 5.2.
func (g *glyfStreams) step(f int) (dx, dy int) {
	sign := func(f, v int) int {
		if f&1 == 0 {
			return -v
		}
		return v
	}
	s := &g.glyphs
	switch {
	case f < 10:
		return 0, sign(f, (f&14)<<7+s.u8())
	case f < 20:
		return sign(f, ((f-10)&14)<<7+s.u8()), 0
	case f < 84:
		b := s.u8()
		return sign(f, 1+(f-20)&0x30+b>>4), sign(f>>1, 1+((f-20)&0x0c)<<2+b&0x0f)
	case f < 120:
		a, b := s.u8(), s.u8()
		return sign(f, 1+(f-84)/12<<8+a), sign(f>>1, 1+(f-84)%12>>2<<8+b)
	case f < 124:
		a, b, c := s.u8(), s.u8(), s.u8()
		return sign(f, a<<4+b>>4), sign(f>>1, b&0x0f<<8+c)
	}
	return sign(f, s.u16()), sign(f>>1, s.u16())
}

// write packs flags and coordinates as TrueType has them.
func (g *glyfStreams) write(i int) {
	const (
		onCurve = 1 << iota
		xShort
		yShort
		repeat
		xSame // short: positive
		ySame
		overlapping
	)
	axis := func(d, short, same int) int {
		switch {
		case d == 0:
			return same
		case d > 0 && d < 256:
			return short | same
		case d < 0 && d > -256:
			return short
		}
		return 0
	}
	last, runs := -1, 0
	for k := range g.xs {
		f := axis(g.xs[k], xShort, xSame) | axis(g.ys[k], yShort, ySame)
		if g.on[k] {
			f |= onCurve
		}
		if k == 0 && g.overlap != nil && g.overlap[i/8]>>(7-i%8)&1 != 0 {
			f |= overlapping
		}
		if f == last && runs < 255 {
			at := len(g.out.glyf)
			if runs == 0 {
				g.out.glyf[at-1] |= repeat
				g.out.glyf = append(g.out.glyf, 0)
				at++
			}
			runs++
			g.out.glyf[at-1] = byte(runs)
			continue
		}
		g.out.glyf = append(g.out.glyf, byte(f))
		last, runs = f, 0
	}
	for _, list := range [...][]int{g.xs, g.ys} {
		for _, d := range list {
			switch {
			case d == 0:
			case d > -256 && d < 256:
				g.out.glyf = append(g.out.glyf, byte(max(d, -d)))
			default:
				g.put(d)
			}
		}
	}
}
