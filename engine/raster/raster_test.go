package raster

import (
	"math/rand/v2"
	"testing"
)

// polygon scan converts points given in 1/256 pixel.
func polygon(w, h int, pts ...int64) []uint8 {
	var z Raster
	z.Reset(w, h)
	z.Start(pts[0], pts[1])
	for i := 2; i < len(pts); i += 2 {
		z.LineTo(pts[i], pts[i+1])
	}
	z.Close()
	out := make([]uint8, w*h)
	z.Mask(out)
	return out
}

func TestCoverageIsTheArea(t *testing.T) {
	for _, c := range []struct {
		name string
		pts  []int64
		want []uint8 // 3 × 2 pixels
	}{
		{"two whole pixels", []int64{0, 0, 512, 0, 512, 256, 0, 256}, []uint8{255, 255, 0, 0, 0, 0}},
		{"half a pixel", []int64{128, 0, 256, 0, 256, 256, 128, 256}, []uint8{128, 0, 0, 0, 0, 0}},
		{"the other way round", []int64{128, 256, 256, 256, 256, 0, 128, 0}, []uint8{128, 0, 0, 0, 0, 0}},
		{"a quarter of four", []int64{128, 128, 384, 128, 384, 384, 128, 384}, []uint8{64, 64, 0, 64, 64, 0}},
		{"a triangle", []int64{0, 0, 256, 0, 0, 256}, []uint8{128, 0, 0, 0, 0, 0}},
		{"a long slope", []int64{0, 0, 768, 256, 0, 256}, []uint8{213, 128, 43, 0, 0, 0}},
		{"beyond every side", []int64{-999, -999, 9999, -999, 9999, 9999, -999, 9999}, []uint8{255, 255, 255, 255, 255, 255}},
		{"across the left side", []int64{-256, 0, 256, 0, 256, 512, -256, 512}, []uint8{255, 0, 0, 255, 0, 0}},
		{"outside", []int64{-500, 0, -300, 0, -300, 512, -500, 512}, []uint8{0, 0, 0, 0, 0, 0}},
		{"to the right", []int64{900, 0, 1200, 0, 1200, 512, 900, 512}, []uint8{0, 0, 0, 0, 0, 0}},
	} {
		got := polygon(3, 2, c.pts...)
		for i := range got {
			if d := int(got[i]) - int(c.want[i]); d < -1 || d > 1 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// A window shows what the whole shows: crops of enormous glyphs rest on it.
func TestWindowIsAPartOfTheWhole(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var pts, moved []int64
		const ox, oy, w, h = 7, 5, 6, 9
		for range 3 + rnd.IntN(5) {
			x, y := rnd.Int64N(24<<8)-1000, rnd.Int64N(24<<8)-1000
			pts = append(pts, x, y)
			moved = append(moved, x-ox<<8, y-oy<<8)
		}
		whole, part := polygon(24, 24, pts...), polygon(w, h, moved...)
		for y := range h {
			for x := range w {
				if a, b := whole[(y+oy)*24+x+ox], part[y*w+x]; a != b {
					t.Fatalf("%v at %d, %d: %d in the whole, %d in the window", pts, x, y, a, b)
				}
			}
		}
	}
}

func TestWholeNumberRoots(t *testing.T) {
	for v := int64(0); v < 5000; v++ {
		r := isqrt(v)
		if r*r > v || (r+1)*(r+1) <= v {
			t.Fatalf("isqrt(%d) = %d", v, r)
		}
	}
	for _, v := range []int64{1 << 20, 1 << 40, 1<<62 - 1, 1 << 62} {
		if r := isqrt(v); r*r > v || (r+1)*(r+1) <= v {
			t.Errorf("isqrt(%d) = %d", v, r)
		}
	}
}
