// Package raster turns outlines into coverage masks. Glyphs and drawings share it.
package raster

// Raster is a scan converter by exact areas. Each edge adds, for every pixel it
// crosses, the height it covers and the area between it and the pixel's left
// side, to differences along the row; their running sum is the coverage. All in
// integers, so every machine gives the same mask; the windings of overlapping
// contours add up and are cut off at full coverage (the nonzero rule, up to
// contours of opposite sense that overlap).
type Raster struct {
	w, h   int
	diff   []int32 // h rows of w+1, in 1/512 of 1/256 pixel
	x, y   int64   // pen, in 1/256 pixel from the window's corner, Y down
	x0, y0 int64   // start of the contour
}

// Reset begins a window of w × h pixels.
func (z *Raster) Reset(w, h int) {
	z.w, z.h = w, h
	n := (w + 1) * h
	if n > cap(z.diff) {
		z.diff = make([]int32, n)
	} else {
		z.diff = z.diff[:n]
		clear(z.diff)
	}
}

// Start begins the first contour; the pen is in 1/256 pixel, Y downwards.
func (z *Raster) Start(x, y int64) { z.x, z.y, z.x0, z.y0 = x, y, x, y }

// MoveTo closes the contour under way and begins the next.
func (z *Raster) MoveTo(x, y int64) {
	z.Close()
	z.x, z.y, z.x0, z.y0 = x, y, x, y
}

// Close draws the line back to the contour's start.
func (z *Raster) Close() {
	if z.x != z.x0 || z.y != z.y0 {
		z.LineTo(z.x0, z.y0)
	}
}

// maxSteps bounds the lines a curve becomes.
const maxSteps = 1024

// QuadTo draws a quadratic curve over b to c.
func (z *Raster) QuadTo(bx, by, cx, cy int64) {
	ax, ay := z.x, z.y
	// A quadratic strays from its chord by a quarter of its second difference,
	// and n chords by n² less: a 1/32 pixel is allowed.
	d := max(abs(ax-2*bx+cx), abs(ay-2*by+cy))
	n := min(isqrt(d/32)+1, maxSteps)
	nn := n * n
	for i := int64(1); i < n; i++ {
		j := n - i
		p, q, r := j*j, 2*i*j, i*i
		z.LineTo(RoundDiv(p*ax+q*bx+r*cx, nn), RoundDiv(p*ay+q*by+r*cy, nn))
	}
	z.LineTo(cx, cy)
}

// CubeTo draws a cubic curve over b and c to d.
func (z *Raster) CubeTo(bx, by, cx, cy, dx, dy int64) {
	ax, ay := z.x, z.y
	d := max(abs(ax-2*bx+cx), abs(ay-2*by+cy), abs(bx-2*cx+dx), abs(by-2*cy+dy))
	n := min(isqrt(3*d/32)+1, maxSteps)
	nnn := n * n * n
	for i := int64(1); i < n; i++ {
		j := n - i
		p, q, r, s := j*j*j, 3*i*j*j, 3*i*i*j, i*i*i
		z.LineTo(RoundDiv(p*ax+q*bx+r*cx+s*dx, nnn), RoundDiv(p*ay+q*by+r*cy+s*dy, nnn))
	}
	z.LineTo(dx, dy)
}

// LineTo draws an edge.
func (z *Raster) LineTo(x, y int64) {
	ax, ay, bx, by := z.x, z.y, x, y
	z.x, z.y = x, y
	sign := int64(1)
	if ay > by {
		ax, ay, bx, by, sign = bx, by, ax, ay, -1
	}
	bottom := int64(z.h) << 8
	if ay == by || by <= 0 || ay >= bottom {
		return
	}
	dx, dy := bx-ax, by-ay
	at := func(y int64) int64 { return ax + floorDiv(dx*(y-ay), dy) }
	ya, yend, xa := max(ay, 0), min(by, bottom), ax
	if ya != ay {
		xa = at(ya)
	}
	for ya < yend {
		row := ya >> 8
		yb := min((row+1)<<8, yend)
		xb := bx
		if yb != by {
			xb = at(yb)
		}
		z.span(z.diff[int(row)*(z.w+1):int(row+1)*(z.w+1)], xa, xb, sign*(yb-ya))
		ya, xa = yb, xb
	}
}

// span adds the part of an edge inside one row: from xa to xb, dy high.
func (z *Raster) span(row []int32, xa, xb, dy int64) {
	if xa > xb {
		xa, xb = xb, xa // where the height lies along x is all that matters
	}
	right := int64(z.w) << 8
	if xa >= right {
		return // nothing to the right of it is in the window
	}
	if xb <= 0 {
		row[0] += int32(dy * 512)
		return
	}
	if cell := xa >> 8; xa >= 0 && cell == (xb-1)>>8 || xa == xb { // within one pixel
		a := dy * (xa + xb - 2*cell<<8)
		row[cell] += int32(dy*512 - a)
		row[cell+1] += int32(a)
		return
	}
	width, done, x := xb-xa, int64(0), xa
	if xa < 0 {
		done, x = floorDiv(dy*-xa, width), 0
		row[0] += int32(done * 512)
	}
	for x < xb && x < right {
		cell := x >> 8
		next := min((cell+1)<<8, xb)
		upto := dy
		if next != xb {
			upto = floorDiv(dy*(next-xa), width)
		}
		part := upto - done
		a := part * (x + next - 2*cell<<8)
		row[cell] += int32(part*512 - a)
		row[cell+1] += int32(a)
		done, x = upto, next
	}
}

// Mask writes the coverage, 0 to 255, w*h bytes.
func (z *Raster) Mask(dst []uint8) {
	for y := range z.h {
		in := z.diff[y*(z.w+1) : y*(z.w+1)+z.w]
		out := dst[y*z.w : y*z.w+z.w]
		sum := int32(0)
		for x, d := range in {
			sum += d
			c := sum >> 9
			if c < 0 {
				c = -c
			}
			out[x] = uint8(min(c, 255))
		}
	}
}

// MaskEvenOdd is Mask by the even-odd rule: full coverage counts down again from
// the second winding on.
func (z *Raster) MaskEvenOdd(dst []uint8) {
	for y := range z.h {
		in := z.diff[y*(z.w+1) : y*(z.w+1)+z.w]
		out := dst[y*z.w : y*z.w+z.w]
		sum := int32(0)
		for x, d := range in {
			sum += d
			c := sum >> 9
			if c < 0 {
				c = -c
			}
			if c &= 511; c > 256 {
				c = 512 - c
			}
			out[x] = uint8(min(c, 255))
		}
	}
}

func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// RoundDiv is a/b rounded to the nearest, halves up.
func RoundDiv(a, b int64) int64 { return floorDiv(2*a+b, 2*b) }

// isqrt is the root rounded down, for v up to 2^62.
func isqrt(v int64) int64 {
	if v <= 0 {
		return 0
	}
	r := int64(1)
	for r*r < v {
		r *= 2
	}
	for { // Newton's method, from above
		n := (r + v/r) / 2
		if n >= r {
			return r
		}
		r = n
	}
}
