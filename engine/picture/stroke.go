package picture

import "math"

// A stroke is painted as the union of simple pieces: a quadrangle for each
// straight stretch, a wedge or a fan at each join, a cap at each open end. All
// pieces turn the same way, so that the nonzero rule makes them one.

// stroker gathers the pieces.
type stroker struct {
	out    []polyline
	half   float64
	s      *Stroke
	detail float64 // pixels to the unit
}

// strokeLines gives the pieces of lines drawn with a stroke; px is pixels to the
// unit.
func strokeLines(lines []polyline, s *Stroke, px float64) []polyline {
	if len(s.Dashes) > 0 {
		lines = dashed(lines, s)
	}
	k := &stroker{half: s.Width / 2, s: s, detail: px}
	for _, l := range lines {
		if len(k.out) > maxPieces {
			break
		}
		k.line(l)
	}
	return k.out
}

func (k *stroker) piece(pts ...float64) { k.out = append(k.out, polyline{pts: pts, closed: true}) }

// line strokes one polyline.
func (k *stroker) line(l polyline) {
	// Points that fall together are one.
	pts := l.pts[:0:0]
	for i := 0; i+1 < len(l.pts); i += 2 {
		n := len(pts)
		if n == 0 || pts[n-2] != l.pts[i] || pts[n-1] != l.pts[i+1] {
			pts = append(pts, l.pts[i], l.pts[i+1])
		}
	}
	closed := l.closed
	if n := len(pts); closed && n > 2 && pts[0] == pts[n-2] && pts[1] == pts[n-1] {
		pts = pts[:n-2]
	}
	n := len(pts) / 2
	if n == 0 {
		return
	}
	if n == 1 {
		// A point shows its caps.
		x, y, h := pts[0], pts[1], k.half
		switch {
		case k.s.Cap == capRound:
			k.fan(x, y, 0, 2*math.Pi)
		case k.s.Cap == capSquare:
			k.piece(x-h, y-h, x+h, y-h, x+h, y+h, x-h, y+h)
		}
		return
	}
	segs := n - 1
	if closed && n > 2 {
		segs = n
	} else {
		closed = false
	}
	dir := make([]float64, 2*segs)
	for i := range segs {
		j := (i + 1) % n
		dx, dy := pts[2*j]-pts[2*i], pts[2*j+1]-pts[2*i+1]
		d := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		if !(d > 0) {
			d = 1
		}
		dx, dy = dx/d, dy/d
		dir[2*i], dir[2*i+1] = dx, dy
		nx, ny := float64(-dy*k.half), float64(dx*k.half)
		ax, ay, bx, by := pts[2*i], pts[2*i+1], pts[2*j], pts[2*j+1]
		k.piece(ax+nx, ay+ny, bx+nx, by+ny, bx-nx, by-ny, ax-nx, ay-ny)
	}
	for i := range segs {
		j := i + 1
		if j == segs {
			if !closed {
				break
			}
			j = 0
		}
		at := (i + 1) % n
		k.join(pts[2*at], pts[2*at+1], dir[2*i], dir[2*i+1], dir[2*j], dir[2*j+1])
	}
	if !closed {
		k.cap(pts[0], pts[1], -dir[0], -dir[1])
		k.cap(pts[2*n-2], pts[2*n-1], dir[2*segs-2], dir[2*segs-1])
	}
}

// join fills the wedge between two stretches.
func (k *stroker) join(x, y, ax, ay, bx, by float64) {
	cross := float64(ax*by) - float64(ay*bx)
	dot := float64(ax*bx) + float64(ay*by)
	if math.Abs(cross) < 1e-9 && dot > 0 {
		return
	}
	// The outer side is to the right of a left turn.
	side := k.half
	if cross > 0 {
		side = -k.half
	}
	px, py := float64(-ay*side), float64(ax*side)
	qx, qy := float64(-by*side), float64(bx*side)
	switch k.s.Join {
	case joinRound:
		if float64(k.half*k.detail) < 0.4 {
			break
		}
		a0 := math.Atan2(py, px)
		turn := math.Atan2(float64(px*qy)-float64(py*qx), float64(px*qx)+float64(py*qy))
		k.fan(x, y, a0, turn)
		return
	case joinMiter:
		// The miter's length over the width is 1/sin(θ/2); cos θ = −dot.
		if s := (1 + dot) / 2; s > 1e-12 && 1/s <= float64(k.s.Miter*k.s.Miter) {
			mx, my := float64((px+qx)/2)/s, float64((py+qy)/2)/s
			k.piece(x, y, x+px, y+py, x+mx, y+my, x+qx, y+qy)
			return
		}
	}
	k.piece(x, y, x+px, y+py, x+qx, y+qy)
}

// cap ends a line at x, y, in the direction away from it.
func (k *stroker) cap(x, y, dx, dy float64) {
	h := k.half
	switch k.s.Cap {
	case capRound:
		k.fan(x, y, math.Atan2(dy, dx)-math.Pi/2, math.Pi)
	case capSquare:
		nx, ny := float64(-dy*h), float64(dx*h)
		ex, ey := float64(dx*h), float64(dy*h)
		k.piece(x+nx, y+ny, x+nx+ex, y+ny+ey, x-nx+ex, y-ny+ey, x-nx, y-ny)
	}
}

// fan is a sector of the pen's circle.
func (k *stroker) fan(x, y, from, turn float64) {
	n := int(min(math.Ceil(float64(math.Abs(turn)*math.Sqrt(float64(k.half*k.detail)+1))*1.2), 64)) + 1
	pts := make([]float64, 0, 2*n+4)
	if math.Abs(turn) < 6.28 {
		pts = append(pts, x, y)
	}
	for i := 0; i <= n; i++ {
		s, c := math.Sincos(from + float64(turn*float64(i))/float64(n))
		pts = append(pts, x+float64(c*k.half), y+float64(s*k.half))
	}
	k.piece(pts...)
}

// dashed cuts lines into dashes.
func dashed(lines []polyline, s *Stroke) []polyline {
	var period float64
	for _, d := range s.Dashes {
		period += d
	}
	if !(period > 0) {
		return lines
	}
	var out []polyline
	for _, l := range lines {
		pts := l.pts
		if l.closed && len(pts) > 2 {
			pts = append(append([]float64(nil), pts...), pts[0], pts[1])
		}
		at := math.Mod(s.Offset, period)
		if at < 0 {
			at += period
		}
		i := 0
		for at >= s.Dashes[i] {
			at -= s.Dashes[i]
			if i = (i + 1) % len(s.Dashes); s.Dashes[i] == 0 && at == 0 {
				break
			}
		}
		left := s.Dashes[i] - at
		on := i%2 == 0
		var cur []float64
		if on && len(pts) > 1 {
			cur = append(cur, pts[0], pts[1])
		}
		for k := 2; k+1 < len(pts); k += 2 {
			x, y := pts[k-2], pts[k-1]
			dx, dy := pts[k]-x, pts[k+1]-y
			length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
			done := 0.0
			for length-done > left {
				if len(out) > maxDashes {
					return lines // finer than can be told apart
				}
				done += left
				cx, cy := x+float64(dx*done)/length, y+float64(dy*done)/length
				if on {
					out = append(out, polyline{pts: append(cur, cx, cy)})
					cur = nil
				} else {
					cur = []float64{cx, cy}
				}
				on = !on
				i = (i + 1) % len(s.Dashes)
				left = s.Dashes[i]
			}
			left -= length - done
			if on {
				cur = append(cur, pts[k], pts[k+1])
			}
		}
		if on && len(cur) > 2 {
			out = append(out, polyline{pts: cur})
		}
	}
	return out
}
