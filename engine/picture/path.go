package picture

import "math"

// verb is what a step of a path does.
type verb uint8

const (
	moveTo verb = iota
	lineTo
	quadTo
	cubeTo
	closePath
)

// step of a path: up to three points.
type pathStep struct {
	verb verb
	p    [6]float64
}

// path is an outline in user units.
type path []pathStep

func (p *path) move(x, y float64) { *p = append(*p, pathStep{moveTo, [6]float64{x, y}}) }
func (p *path) line(x, y float64) { *p = append(*p, pathStep{lineTo, [6]float64{x, y}}) }
func (p *path) quad(a, b, x, y float64) {
	*p = append(*p, pathStep{quadTo, [6]float64{a, b, x, y}})
}
func (p *path) cube(a, b, c, d, x, y float64) {
	*p = append(*p, pathStep{cubeTo, [6]float64{a, b, c, d, x, y}})
}
func (p *path) close() { *p = append(*p, pathStep{verb: closePath}) }

// maxPath bounds the steps of one path.
const maxPath = 500_000

// pathData reads the d attribute (SVG 2, 9.3). An error ends the path where it
// stands, as the standard asks.
func pathData(d string) path {
	var p path
	s := scanner{d}
	var cmd byte
	var x, y, sx, sy, cx, cy float64 // pen, start, last control point
	var last byte
	num := func(vs ...*float64) bool {
		for _, v := range vs {
			n, ok := s.number()
			if !ok {
				return false
			}
			*v = n
		}
		return true
	}
	for len(p) < maxPath {
		s.blanks()
		if s.s == "" {
			break
		}
		if c := s.s[0]; c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			cmd = c
			s.s = s.s[1:]
		} else if cmd == 0 {
			break
		}
		rel := cmd >= 'a'
		ox, oy := 0.0, 0.0
		if rel {
			ox, oy = x, y
		}
		if len(p) == 0 && cmd != 'm' && cmd != 'M' {
			break
		}
		var a, b, c, e, f, g float64
		ok := true
		up := cmd &^ 0x20
		switch up {
		case 'Z':
			p.close()
			x, y = sx, sy
			cmd = 0 // numbers after it are an error
		case 'M':
			if ok = num(&a, &b); ok {
				x, y = a+ox, b+oy
				sx, sy = x, y
				p.move(x, y)
				cmd = cmd&0x20 | 'L'
			}
		case 'L':
			if ok = num(&a, &b); ok {
				x, y = a+ox, b+oy
				p.line(x, y)
			}
		case 'H':
			if ok = num(&a); ok {
				x = a + ox
				p.line(x, y)
			}
		case 'V':
			if ok = num(&a); ok {
				y = a + oy
				p.line(x, y)
			}
		case 'C':
			if ok = num(&a, &b, &c, &e, &f, &g); ok {
				cx, cy = c+ox, e+oy
				x, y = f+ox, g+oy
				p.cube(a+ox, b+oy, cx, cy, x, y)
			}
		case 'S':
			if ok = num(&c, &e, &f, &g); ok {
				a, b = x, y
				if last == 'C' || last == 'S' {
					a, b = 2*x-cx, 2*y-cy
				}
				cx, cy = c+ox, e+oy
				x, y = f+ox, g+oy
				p.cube(a, b, cx, cy, x, y)
			}
		case 'Q':
			if ok = num(&a, &b, &f, &g); ok {
				cx, cy = a+ox, b+oy
				x, y = f+ox, g+oy
				p.quad(cx, cy, x, y)
			}
		case 'T':
			if ok = num(&f, &g); ok {
				if last == 'Q' || last == 'T' {
					cx, cy = 2*x-cx, 2*y-cy
				} else {
					cx, cy = x, y
				}
				x, y = f+ox, g+oy
				p.quad(cx, cy, x, y)
			}
		case 'A':
			ok = num(&a, &b, &c)
			large, k1 := s.flag()
			sweep, k2 := s.flag()
			if ok = ok && k1 && k2 && num(&f, &g); ok {
				p.arc(x, y, a, b, c, large, sweep, f+ox, g+oy)
				x, y = f+ox, g+oy
			}
		default:
			ok = false
		}
		if !ok {
			break
		}
		last = up
	}
	return p
}

// arc appends an elliptical arc as cubics (SVG 2, appendix B.2.4), at most a
// quarter turn each.
func (p *path) arc(x0, y0, rx, ry, deg float64, large, sweep bool, x, y float64) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || x0 == x && y0 == y {
		p.line(x, y)
		return
	}
	sin, cos := sincos(deg)
	dx, dy := (x0-x)/2, (y0-y)/2
	x1 := float64(cos*dx) + float64(sin*dy)
	y1 := float64(cos*dy) - float64(sin*dx)
	l := float64(x1*x1)/float64(rx*rx) + float64(y1*y1)/float64(ry*ry)
	if l > 1 {
		k := math.Sqrt(l)
		rx, ry = float64(rx*k), float64(ry*k)
	}
	rx2, ry2 := float64(rx*rx), float64(ry*ry)
	den := float64(rx2*float64(y1*y1)) + float64(ry2*float64(x1*x1))
	k := 0.0
	if den > 0 {
		k = math.Sqrt(max(0, (float64(rx2*ry2)-den)/den))
	}
	if large == sweep {
		k = -k
	}
	cx1, cy1 := float64(k*float64(rx*y1))/ry, float64(-k*float64(ry*x1))/rx
	cx := float64(cos*cx1) - float64(sin*cy1) + (x0+x)/2
	cy := float64(sin*cx1) + float64(cos*cy1) + (y0+y)/2
	a0 := math.Atan2((y1-cy1)/ry, (x1-cx1)/rx)
	a1 := math.Atan2((-y1-cy1)/ry, (-x1-cx1)/rx)
	turn := a1 - a0
	if sweep && turn < 0 {
		turn += 2 * math.Pi
	} else if !sweep && turn > 0 {
		turn -= 2 * math.Pi
	}
	n := max(1, int(math.Ceil(math.Abs(turn)/(math.Pi/2)-1e-9)))
	step := turn / float64(n)
	t := float64(math.Tan(step/4)*4) / 3
	m := matrix{float64(rx * cos), float64(rx * sin), float64(-ry * sin), float64(ry * cos), cx, cy}
	for i := range n {
		s, c := math.Sincos(a0 + float64(step*float64(i)))
		s2, c2 := math.Sincos(a0 + float64(step*float64(i+1)))
		ax, ay := m.apply(c-float64(t*s), s+float64(t*c))
		bx, by := m.apply(c2+float64(t*s2), s2-float64(t*c2))
		ex, ey := m.apply(c2, s2)
		if i == n-1 {
			ex, ey = x, y
		}
		p.cube(ax, ay, bx, by, ex, ey)
	}
}

// quarter is the place of the control points of a quarter circle.
const quarter = 0.5522847498

// ellipse appends a whole one.
func (p *path) ellipse(cx, cy, rx, ry float64) {
	kx, ky := float64(rx*quarter), float64(ry*quarter)
	p.move(cx+rx, cy)
	p.cube(cx+rx, cy+ky, cx+kx, cy+ry, cx, cy+ry)
	p.cube(cx-kx, cy+ry, cx-rx, cy+ky, cx-rx, cy)
	p.cube(cx-rx, cy-ky, cx-kx, cy-ry, cx, cy-ry)
	p.cube(cx+kx, cy-ry, cx+rx, cy-ky, cx+rx, cy)
	p.close()
}

// rect appends a rectangle with rounded corners.
func (p *path) rect(x, y, w, h, rx, ry float64) {
	rx, ry = min(rx, w/2), min(ry, h/2)
	if rx <= 0 || ry <= 0 {
		p.move(x, y)
		p.line(x+w, y)
		p.line(x+w, y+h)
		p.line(x, y+h)
		p.close()
		return
	}
	kx, ky := float64(rx*(1-quarter)), float64(ry*(1-quarter))
	p.move(x+rx, y)
	p.line(x+w-rx, y)
	p.cube(x+w-kx, y, x+w, y+ky, x+w, y+ry)
	p.line(x+w, y+h-ry)
	p.cube(x+w, y+h-ky, x+w-kx, y+h, x+w-rx, y+h)
	p.line(x+rx, y+h)
	p.cube(x+kx, y+h, x, y+h-ky, x, y+h-ry)
	p.line(x, y+ry)
	p.cube(x, y+ky, x+kx, y, x+rx, y)
	p.close()
}

// polyline is a flattened contour.
type polyline struct {
	pts    []float64 // x, y, x, y …
	closed bool
}

// flatten turns a path into lines that stray from it by a twentieth of a pixel
// at most, with px pixels to the unit. Contours are never empty.
func (p path) flatten(px float64) []polyline {
	var out []polyline
	var cur polyline
	var x, y, sx, sy float64
	end := func() {
		if len(cur.pts) > 0 {
			out = append(out, cur)
		}
		cur = polyline{}
	}
	begin := func() {
		if len(cur.pts) == 0 {
			cur.pts = append(cur.pts, x, y)
		}
	}
	steps := func(d float64) int {
		// A curve strays from n chords by an eighth of its second difference over n².
		n := math.Ceil(math.Sqrt(float64(float64(d*px) * 2.5)))
		if !(n >= 1) {
			return 1
		}
		return int(min(n, 200))
	}
	for i := range p {
		s := &p[i]
		v := &s.p
		switch s.verb {
		case moveTo:
			end()
			x, y = v[0], v[1]
			sx, sy = x, y
			begin()
		case lineTo:
			begin()
			x, y = v[0], v[1]
			cur.pts = append(cur.pts, x, y)
		case quadTo:
			begin()
			d := math.Abs(x-float64(2*v[0])+v[2]) + math.Abs(y-float64(2*v[1])+v[3])
			n := steps(d)
			for k := 1; k < n; k++ {
				t := float64(k) / float64(n)
				u := 1 - t
				a, b, c := float64(u*u), float64(2*float64(u*t)), float64(t*t)
				cur.pts = append(cur.pts, float64(a*x)+float64(b*v[0])+float64(c*v[2]), float64(a*y)+float64(b*v[1])+float64(c*v[3]))
			}
			x, y = v[2], v[3]
			cur.pts = append(cur.pts, x, y)
		case cubeTo:
			begin()
			d := max(math.Abs(x-float64(2*v[0])+v[2])+math.Abs(y-float64(2*v[1])+v[3]),
				math.Abs(v[0]-float64(2*v[2])+v[4])+math.Abs(v[1]-float64(2*v[3])+v[5]))
			n := steps(float64(3 * d))
			for k := 1; k < n; k++ {
				t := float64(k) / float64(n)
				u := 1 - t
				a, b := float64(float64(u*u)*u), float64(float64(u*u)*float64(3*t))
				c, e := float64(float64(u*t)*float64(3*t)), float64(float64(t*t)*t)
				cur.pts = append(cur.pts, float64(a*x)+float64(b*v[0])+float64(c*v[2])+float64(e*v[4]),
					float64(a*y)+float64(b*v[1])+float64(c*v[3])+float64(e*v[5]))
			}
			x, y = v[4], v[5]
			cur.pts = append(cur.pts, x, y)
		case closePath:
			if len(cur.pts) > 0 {
				cur.closed = true
				end()
			}
			x, y = sx, sy
		}
	}
	end()
	return out
}

// bounds is the box of the path in user units.
func (p path) bounds() (x0, y0, x1, y1 float64, ok bool) {
	for _, l := range p.flatten(4) {
		for i := 0; i < len(l.pts); i += 2 {
			x, y := l.pts[i], l.pts[i+1]
			if !ok {
				x0, y0, x1, y1, ok = x, y, x, y, true
			}
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
	}
	return
}
