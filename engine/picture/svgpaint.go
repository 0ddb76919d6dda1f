package picture

import (
	"context"
	"image"
	"math"

	"postext/engine/raster"
	"postext/engine/unit"
)

// Limits of painting one drawing.
const (
	maxLayers = 12      // groups inside groups that are painted apart
	maxPieces = 200_000 // of one stroke
	maxDashes = 20_000
	// workShare times the picture's pixels, and workBase, are painted at most;
	// a drawing that asks for more stays unfinished.
	workShare = 200
	workBase  = 64 << 20
)

// painter paints a display list.
type painter struct {
	ctx   context.Context
	yield Yield
	w, h  int
	work  int64
	fit   matrix // points of the drawing to pixels
	z     raster.Raster
	mask  []uint8
	depth int
	last  struct { // the clip made last
		clip *Clip
		mask []uint8
	}
}

// layer is a picture being painted, premultiplied.
type layer struct {
	pix []uint8
	box image.Rectangle // what has been painted on
}

// paint gives the part of a drawing that is shown at w × h pixels.
func (d *Drawing) paint(ctx context.Context, yield Yield, w, h int, c Crop) (*image.RGBA, error) {
	if c.whole() {
		c = Crop{0, 0, 1 << 16, 1 << 16}
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	pw := float64(d.W.Pt()*float64(c.X1-c.X0)) / 65536
	ph := float64(d.H.Pt()*float64(c.Y1-c.Y0)) / 65536
	if !(pw > 0 && ph > 0) {
		return out, nil
	}
	sx, sy := float64(w)/pw, float64(h)/ph
	p := &painter{ctx: ctx, yield: yield, w: w, h: h, work: int64(w)*int64(h)*workShare + workBase}
	p.fit = matrix{a: sx, d: sy, e: float64(-sx*float64(d.W.Pt()*float64(c.X0))) / 65536, f: float64(-sy*float64(d.H.Pt()*float64(c.Y0))) / 65536}
	l := &layer{pix: out.Pix}
	if err := p.ops(d.Ops, l, nil); err != nil {
		return nil, err
	}
	return out, nil
}

func (p *painter) ops(ops []Op, l *layer, clip []uint8) error {
	for i := range ops {
		if p.work <= 0 {
			return nil
		}
		if i&7 == 0 {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			if p.yield != nil {
				if err := p.yield(p.ctx); err != nil {
					return err
				}
			}
		}
		o := &ops[i]
		if o.Group == nil {
			p.op(o, l, clip)
			continue
		}
		inner := clip
		if o.Clip != nil {
			inner = p.clip(o.Clip)
			if clip != nil {
				both := make([]uint8, len(inner))
				for i := range both {
					both[i] = times(inner[i], uint32(clip[i]))
				}
				inner = both
				p.work -= int64(len(both))
			}
		}
		if o.Opacity >= 1 || p.depth >= maxLayers {
			if err := p.ops(o.Group, l, inner); err != nil {
				return err
			}
			continue
		}
		p.depth++
		sub := &layer{pix: make([]uint8, len(l.pix))}
		p.work -= int64(len(l.pix)) / 4
		err := p.ops(o.Group, sub, inner)
		p.depth--
		if err != nil {
			return err
		}
		l.lay(sub, uint32(byteOf(float64(o.Opacity*255))), p.w)
	}
	return nil
}

// lay puts a layer on another at an opacity.
func (l *layer) lay(s *layer, opacity uint32, w int) {
	b := s.box
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for i := 4 * (y*w + b.Min.X); i < 4*(y*w+b.Max.X); i += 4 {
			src, dst := s.pix[i:i+4:i+4], l.pix[i:i+4:i+4]
			a := 255 - uint32(times(src[3], opacity))
			for k := range 4 {
				dst[k] = uint8(min(uint32(times(src[k], opacity))+uint32(times(dst[k], a)), 255))
			}
		}
	}
	l.box = l.box.Union(b)
}

// clip makes the mask of a clip, w × h.
func (p *painter) clip(c *Clip) []uint8 {
	if p.last.clip == c && c != nil {
		return p.last.mask
	}
	out := make([]uint8, p.w*p.h)
	p.work -= int64(len(out))
	for i := range c.Ops {
		o := &c.Ops[i]
		box, ok := p.trace(o)
		if !ok {
			continue
		}
		for y := box.Min.Y; y < box.Max.Y; y++ {
			src := p.mask[(y-box.Min.Y)*box.Dx():][:box.Dx()]
			dst := out[y*p.w+box.Min.X:][:box.Dx()]
			for x, v := range src {
				dst[x] = max(dst[x], v)
			}
		}
	}
	if c.Outer != nil {
		outer := p.clip(c.Outer)
		for i := range out {
			out[i] = times(out[i], uint32(outer[i]))
		}
	}
	p.last.clip, p.last.mask = c, out
	return out
}

// far bounds pixel coordinates, so that products in 1/256 cannot overflow.
const far = 1 << 22

// trace scan converts a step into p.mask and gives its box.
func (p *painter) trace(o *Op) (box image.Rectangle, ok bool) {
	m := p.fit.mul(o.Matrix)
	if !finite(m.a, m.b, m.c, m.d, m.e, m.f) {
		return box, false
	}
	px := m.scale()
	if px <= 0 || px > 1e6 {
		px = max(min(px, 1e6), 1e-6)
	}
	lines := o.Path.flatten(px)
	if o.Stroke != nil {
		lines = strokeLines(lines, o.Stroke, px)
	}
	// To pixels, in 1/256.
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, l := range lines {
		for i := 0; i < len(l.pts); i += 2 {
			x, y := m.apply(l.pts[i], l.pts[i+1])
			x, y = min(max(x, -far), far), min(max(y, -far), far)
			l.pts[i], l.pts[i+1] = x, y
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
	}
	if !(x0 <= x1) {
		return box, false
	}
	box = image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1))+1, int(math.Ceil(y1))+1).Intersect(image.Rect(0, 0, p.w, p.h))
	if box.Empty() {
		return box, false
	}
	w, h := box.Dx(), box.Dy()
	p.work -= int64(w)*int64(h) + int64(len(lines))*8
	p.z.Reset(w, h)
	dx, dy := float64(box.Min.X), float64(box.Min.Y)
	first := true
	for _, l := range lines {
		flip := o.Stroke != nil && turning(l.pts) < 0
		n := len(l.pts) / 2
		for i := range n {
			k := i
			if flip {
				k = n - 1 - i
			}
			x, y := int64(math.Round((l.pts[2*k]-dx)*256)), int64(math.Round((l.pts[2*k+1]-dy)*256))
			switch {
			case i == 0 && first:
				p.z.Start(x, y)
				first = false
			case i == 0:
				p.z.MoveTo(x, y)
			default:
				p.z.LineTo(x, y)
			}
		}
	}
	p.z.Close()
	if n := w * h; n > cap(p.mask) {
		p.mask = make([]uint8, n)
	} else {
		p.mask = p.mask[:n]
	}
	if o.EvenOdd && o.Stroke == nil {
		p.z.MaskEvenOdd(p.mask)
	} else {
		p.z.Mask(p.mask)
	}
	return box, true
}

// turning is the sign of a polygon's area.
func turning(p []float64) float64 {
	sum := 0.0
	for i := 0; i < len(p); i += 2 {
		k := (i + 2) % len(p)
		sum += float64(p[i]*p[k+1]) - float64(p[k]*p[i+1])
	}
	return sum
}

// op paints one path.
func (p *painter) op(o *Op, l *layer, clip []uint8) {
	box, ok := p.trace(o)
	if !ok {
		return
	}
	l.box = l.box.Union(box)
	var sh *shader
	if o.Paint.Gradient != nil {
		if sh = p.shader(o); sh == nil {
			return
		}
	}
	c := o.Paint.Color
	for y := box.Min.Y; y < box.Max.Y; y++ {
		src := p.mask[(y-box.Min.Y)*box.Dx():][:box.Dx()]
		row := l.pix[4*(y*p.w+box.Min.X):]
		for x, v := range src {
			if v == 0 {
				continue
			}
			a := uint32(v)
			if clip != nil {
				a = uint32(times(clip[y*p.w+box.Min.X+x], a))
			}
			if sh != nil {
				c = sh.at(box.Min.X+x, y)
			}
			if a = (a*uint32(c.A) + 127) / 255; a == 0 {
				continue
			}
			d := row[4*x : 4*x+4 : 4*x+4]
			if a == 255 {
				d[0], d[1], d[2], d[3] = c.R, c.G, c.B, 255
				continue
			}
			d[0] = mixed(c.R, d[0], a)
			d[1] = mixed(c.G, d[1], a)
			d[2] = mixed(c.B, d[2], a)
			d[3] = mixed(255, d[3], a)
		}
	}
}

// mixed lays straight v over premultiplied d at alpha a.
func mixed(v, d uint8, a uint32) uint8 {
	return uint8((uint32(v)*a + uint32(d)*(255-a) + 127) / 255)
}

// shader gives a gradient's colour at a pixel.
type shader struct {
	g     *Gradient
	back  matrix // pixels to gradient units
	table [256]unit.Color
}

func (p *painter) shader(o *Op) *shader {
	g := o.Paint.Gradient
	back, ok := p.fit.mul(o.Matrix).mul(g.Matrix).inverse()
	if !ok {
		return nil
	}
	s := &shader{g: g, back: back}
	k := 0
	for i := range s.table {
		t := float64(i) / 255
		for k+1 < len(g.Stops) && g.Stops[k+1].At <= t {
			k++
		}
		a := g.Stops[k]
		if t <= a.At || k+1 >= len(g.Stops) {
			s.table[i] = a.Color
			continue
		}
		b := g.Stops[k+1]
		f := int64(math.Round(float64((t-a.At)*65536) / (b.At - a.At)))
		mix := func(x, y uint8) uint8 { return uint8((int64(x)*(65536-f) + int64(y)*f + 32768) >> 16) }
		s.table[i] = unit.Color{R: mix(a.Color.R, b.Color.R), G: mix(a.Color.G, b.Color.G), B: mix(a.Color.B, b.Color.B), A: mix(a.Color.A, b.Color.A)}
	}
	return s
}

func (s *shader) at(px, py int) unit.Color {
	x, y := s.back.apply(float64(px)+0.5, float64(py)+0.5)
	g := s.g
	var t float64
	if !g.Radial {
		dx, dy := g.X2-g.X1, g.Y2-g.Y1
		t = (float64((x-g.X1)*dx) + float64((y-g.Y1)*dy)) / (float64(dx*dx) + float64(dy*dy))
	} else {
		// The circle of the family from the focus that passes through the point.
		fx, fy := g.X1-g.X2, g.Y1-g.Y2
		if d := math.Sqrt(float64(fx*fx) + float64(fy*fy)); d > float64(0.99*g.R) {
			k := float64(0.99*g.R) / d
			fx, fy = float64(fx*k), float64(fy*k)
		}
		dx, dy := x-g.X2-fx, y-g.Y2-fy
		a := float64(g.R*g.R) - float64(fx*fx) - float64(fy*fy)
		b := float64(dx*fx) + float64(dy*fy)
		c := float64(dx*dx) + float64(dy*dy)
		t = (b + math.Sqrt(max(float64(b*b)+float64(a*c), 0))) / a
	}
	switch g.Spread {
	case spreadRepeat:
		t -= math.Floor(t)
	case spreadReflect:
		t = math.Abs(t - float64(2*math.Floor((t+1)/2)))
	}
	if !(t > 0) {
		t = 0
	}
	return s.table[int(math.Round(float64(min(t, 1)*255)))]
}
