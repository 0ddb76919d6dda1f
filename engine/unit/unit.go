// Package unit holds the quantities of a laid-out book: lengths, rectangles and
// colours.
//
// Layout computes in scaled points, the integer unit of TeX: 65,536 to a point
// (72 points to an inch). Integers give the same pages natively and in wasm;
// where a product needs a fraction on the way, MulDiv rounds once, half away
// from zero. Floating point appears only at the edges: reading a written length
// and handing coordinates to a rasterizer.
package unit

import (
	"math"
	"math/bits"
)

// Sp is a length in scaled points.
type Sp int64

// Common lengths.
const (
	Pt   Sp = 65536
	Inch Sp = 72 * Pt
)

// FromPt converts points to scaled points, rounding half away from zero.
// Values beyond ±2^40 points, infinities and NaN are clamped (NaN to 0).
func FromPt(pt float64) Sp {
	const limit = 1 << 40
	switch {
	case math.IsNaN(pt):
		return 0
	case pt > limit:
		pt = limit
	case pt < -limit:
		pt = -limit
	}
	return Sp(math.Round(float64(pt * 65536)))
}

// Pt returns the length in points.
func (s Sp) Pt() float64 { return float64(s) / 65536 }

// MM returns the length in millimetres.
func (s Sp) MM() float64 { return float64(s) / 65536 * 25.4 / 72 }

// Abs returns the magnitude of s.
func (s Sp) Abs() Sp {
	if s < 0 {
		return -s
	}
	return s
}

// MulDiv returns a*b/c rounded half away from zero, computed in 128 bits.
// c must not be zero; a result beyond int64 saturates.
func MulDiv(a, b, c int64) int64 {
	neg := (a < 0) != (b < 0) != (c < 0)
	ua, ub, uc := abs64(a), abs64(b), abs64(c)
	hi, lo := bits.Mul64(ua, ub)
	lo, carry := bits.Add64(lo, uc/2, 0)
	hi += carry
	q := uint64(math.MaxUint64)
	if hi < uc {
		q, _ = bits.Div64(hi, lo, uc)
	}
	switch {
	case q <= math.MaxInt64 && neg:
		return -int64(q)
	case q <= math.MaxInt64:
		return int64(q)
	case neg:
		return math.MinInt64
	}
	return math.MaxInt64
}

func abs64(v int64) uint64 {
	if v < 0 {
		return uint64(-v)
	}
	return uint64(v)
}

// Scale returns v design units of a font with upem units to the em at the given
// size. The usual sizes take a fast path without 128-bit arithmetic.
func Scale(v int32, size Sp, upem int32) Sp {
	p := int64(v) * int64(size)
	if upem <= 0 {
		return 0
	}
	if size < 1<<31 && size > -(1<<31) {
		u := int64(upem)
		if p >= 0 {
			return Sp((p + u/2) / u)
		}
		return Sp((p - u/2) / u)
	}
	return Sp(MulDiv(int64(v), int64(size), int64(upem)))
}

// Rect is an axis-parallel rectangle; Y grows downwards from the top edge.
type Rect struct{ X, Y, W, H Sp }

// Right and Bottom are the far edges.
func (r Rect) Right() Sp  { return r.X + r.W }
func (r Rect) Bottom() Sp { return r.Y + r.H }

// Grow is the rectangle with every side moved out by a length.
func (r Rect) Grow(by Sp) Rect {
	return Rect{r.X - by, r.Y - by, r.W + 2*by, r.H + 2*by}
}

// Contains reports whether the point lies in r (far edges excluded).
func (r Rect) Contains(x, y Sp) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Color is a colour with straight (not premultiplied) alpha, sRGB.
type Color struct{ R, G, B, A uint8 }

// Black and Transparent are the ends of the ink scale.
var (
	Black       = Color{0, 0, 0, 255}
	Transparent = Color{}
)
