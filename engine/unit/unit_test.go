package unit

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exact is a*b/c rounded half away from zero, held within int64.
func exact(a, b, c int64) int64 {
	num := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	den := big.NewInt(c)
	neg := num.Sign()*den.Sign() < 0
	num.Abs(num)
	den.Abs(den)
	num.Add(num.Lsh(num, 1), den) // (2ab + c) / 2c, downwards
	num.Quo(num, den.Lsh(den, 1))
	if neg {
		num.Neg(num)
	}
	switch {
	case num.IsInt64():
		return num.Int64()
	case neg:
		return math.MinInt64
	}
	return math.MaxInt64
}

func TestMulDivRoundsOnceHalfAwayFromZero(t *testing.T) {
	for _, c := range []struct{ a, b, c, want int64 }{
		{1, 1, 2, 1}, {-1, 1, 2, -1}, {1, -1, 2, -1}, {-1, -1, 2, 1}, {1, 1, -2, -1},
		{1, 1, 3, 0}, {2, 1, 3, 1}, {5, 1, 2, 3}, {-5, 1, 2, -3}, {0, 7, 3, 0},
		{1 << 62, 4, 8, 1 << 61},                         // the product needs 128 bits
		{math.MaxInt64, 2, 1, math.MaxInt64},             // beyond int64
		{math.MaxInt64, -2, 1, math.MinInt64},            // and below it
		{math.MinInt64, 1, 1, math.MinInt64},             // whose magnitude is no int64
		{math.MinInt64, math.MinInt64, 1, math.MaxInt64}, //
		{math.MinInt64, math.MaxInt64, math.MaxInt64, math.MinInt64},
	} {
		if got := MulDiv(c.a, c.b, c.c); got != c.want {
			t.Errorf("%d × %d / %d = %d, want %d", c.a, c.b, c.c, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	any := func() int64 { return int64(r.Uint64()) >> r.IntN(64) }
	for range 100_000 {
		a, b, c := any(), any(), any()
		if c == 0 {
			continue
		}
		if got, want := MulDiv(a, b, c), exact(a, b, c); got != want {
			t.Fatalf("%d × %d / %d = %d, want %d", a, b, c, got, want)
		}
	}
}

// The path without 128 bits gives what the other would.
func TestScaleRoundsAsMulDiv(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		v, upem := int32(r.Uint32())>>r.IntN(32), int32(1+r.IntN(16384))
		size := Sp(int64(r.Uint64()) >> (20 + r.IntN(44)))
		if got, want := Scale(v, size, upem), Sp(exact(int64(v), int64(size), int64(upem))); got != want {
			t.Fatalf("%d units of %d at %d = %d, want %d", v, upem, size, got, want)
		}
	}
	if Scale(500, 10*Pt, 0) != 0 {
		t.Error("a font without an em has no widths")
	}
}

func TestFromPtRoundsAndIsBounded(t *testing.T) {
	for _, c := range []struct {
		pt   float64
		want Sp
	}{
		{1, Pt}, {-0.5, -Pt / 2}, {1.0 / 131072, 1}, {-1.0 / 131072, -1}, {1.0 / 262144, 0},
		{math.NaN(), 0}, {math.Inf(1), 1 << 56}, {math.Inf(-1), -1 << 56}, {1e300, 1 << 56},
	} {
		if got := FromPt(c.pt); got != c.want {
			t.Errorf("%v pt = %d, want %d", c.pt, got, c.want)
		}
	}
	if Inch.MM() != 25.4 || Inch.Pt() != 72 {
		t.Errorf("an inch has %v mm and %v points", Inch.MM(), Inch.Pt())
	}
	for _, s := range []Sp{0, 1, -1, 12345678901} {
		if FromPt(s.Pt()) != s {
			t.Errorf("%d does not come back from points", s)
		}
	}
}

func TestARectangleHoldsItsNearEdgesOnly(t *testing.T) {
	r := Rect{10, 20, 5, 0}
	if r.Contains(10, 20) {
		t.Error("an empty rectangle holds a point")
	}
	r.H = 1
	for _, c := range []struct {
		x, y Sp
		want bool
	}{{10, 20, true}, {14, 20, true}, {15, 20, false}, {10, 21, false}, {9, 20, false}, {10, 19, false}} {
		if r.Contains(c.x, c.y) != c.want {
			t.Errorf("(%d, %d): %v", c.x, c.y, !c.want)
		}
	}
}
