package picture

import (
	"encoding/binary"
	"math"
)

// transform takes pixels of a profile's colours to sRGB: each channel through
// its tone curve, the three through a matrix, and back through sRGB's curve.
type transform struct {
	curve  [3][256]int64 // tone to light, in 1/65535
	matrix [9]int64      // in 1/65536
	encode []uint8       // light in 1/65535 to tone
}

// d50ToSRGB takes the profile connection space (XYZ, D50) to linear sRGB:
// the inverse of the primaries of IEC 61966-2-1, adapted to D50 by Bradford.
var d50ToSRGB = [9]float64{
	3.1338561, -1.6168667, -0.4906146,
	-0.9787684, 1.9161415, 0.0334540,
	0.0719453, -0.2289914, 1.4052427,
}

// readProfile makes the transform of an ICC profile; nil with a note when the
// profile is of a kind that is not honoured, nil alone when it is sRGB.
func readProfile(b []byte) (*transform, string) {
	const bad = "its colour profile cannot be read; sRGB is assumed"
	if len(b) < 132 || string(b[36:40]) != "acsp" {
		return nil, bad
	}
	space := string(b[16:20])
	n := int(min(binary.BigEndian.Uint32(b[128:]), 200))
	tags := map[string][]byte{}
	for i := range n {
		e := 132 + 12*i
		if e+12 > len(b) {
			break
		}
		off, size := uint64(binary.BigEndian.Uint32(b[e+4:])), uint64(binary.BigEndian.Uint32(b[e+8:]))
		if off+size <= uint64(len(b)) {
			tags[string(b[e:e+4])] = b[off : off+size]
		}
	}
	t := &transform{}
	switch space {
	case "GRAY":
		c, ok := toneCurve(tags["kTRC"])
		if !ok {
			return nil, bad
		}
		t.curve = [3][256]int64{c, c, c}
		t.matrix = [9]int64{65536, 0, 0, 0, 65536, 0, 0, 0, 65536}
	case "RGB ":
		var m [9]float64
		for i, name := range []string{"r", "g", "b"} {
			c, ok := toneCurve(tags[name+"TRC"])
			xyz := tags[name+"XYZ"]
			if !ok || len(xyz) < 20 || string(b[20:24]) != "XYZ " {
				return nil, "its colour profile is made of tables; its values are taken as sRGB"
			}
			t.curve[i] = c
			for k := range 3 {
				v := float64(int32(binary.BigEndian.Uint32(xyz[8+4*k:]))) / 65536
				for row := range 3 {
					m[3*row+i] += float64(d50ToSRGB[3*row+k] * v)
				}
			}
		}
		for i, v := range m {
			t.matrix[i] = int64(math.Round(float64(min(max(v, -16), 16) * 65536)))
		}
	default:
		return nil, "its colour profile is not for RGB or grey; sRGB is assumed"
	}
	t.encode = encodeSRGB()
	if t.identity() {
		return nil, ""
	}
	return t, ""
}

// toneCurve reads a curveType or parametricCurveType (ICC.1:2010 10.5, 10.15)
// as 256 values in 1/65535.
func toneCurve(b []byte) (c [256]int64, ok bool) {
	if len(b) < 12 {
		return c, false
	}
	f := func(x float64) float64 { return x }
	switch string(b[:4]) {
	case "curv":
		n := int(min(binary.BigEndian.Uint32(b[8:]), 1<<20))
		if len(b) < 12+2*n {
			return c, false
		}
		at := func(i int) float64 { return float64(binary.BigEndian.Uint16(b[12+2*i:])) }
		switch n {
		case 0:
		case 1:
			g := at(0) / 256
			f = func(x float64) float64 { return math.Pow(x, g) }
		default:
			f = func(x float64) float64 {
				p := float64(x * float64(n-1))
				i := min(int(p), n-2)
				return (at(i) + float64((at(i+1)-at(i))*(p-float64(i)))) / 65535
			}
		}
	case "para":
		kind := binary.BigEndian.Uint16(b[8:])
		count := []int{1, 3, 4, 5, 7}
		if int(kind) >= len(count) || len(b) < 12+4*count[kind] {
			return c, false
		}
		var p [7]float64 // g a b c d e f
		for i := range count[kind] {
			p[i] = float64(int32(binary.BigEndian.Uint32(b[12+4*i:]))) / 65536
		}
		g, a, bb, cc, d, e, ff := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
		power := func(x float64) float64 { return math.Pow(max(float64(a*x)+bb, 0), g) }
		switch kind {
		case 0:
			f = func(x float64) float64 { return math.Pow(x, g) }
		case 1, 2:
			f = func(x float64) float64 {
				if float64(a*x)+bb >= 0 {
					return power(x) + cc
				}
				return cc
			}
		default:
			f = func(x float64) float64 {
				if x >= d {
					return power(x) + e
				}
				return float64(cc*x) + ff
			}
		}
	default:
		return c, false
	}
	for i := range c {
		v := f(float64(i) / 255)
		if math.IsNaN(v) {
			return c, false
		}
		c[i] = int64(math.Round(float64(min(max(v, 0), 1) * 65535)))
	}
	return c, true
}

// encodeSRGB is sRGB's curve from light in 1/65535 to tone, by the light half way
// between two tones.
func encodeSRGB() []uint8 {
	out := make([]uint8, 65536)
	at := 0
	for tone := range 256 {
		v := (float64(tone) + 0.5) / 255
		light := v / 12.92
		if v > 0.04045 {
			light = math.Pow((v+0.055)/1.055, 2.4)
		}
		for end := min(int(math.Round(float64(light*65535))), 65536); at < end; at++ {
			out[at] = uint8(tone)
		}
	}
	for ; at < len(out); at++ {
		out[at] = 255
	}
	return out
}

// pixel converts straight (not premultiplied) values.
func (t *transform) pixel(r, g, b uint8) (uint8, uint8, uint8) {
	x, y, z := t.curve[0][r], t.curve[1][g], t.curve[2][b]
	m := &t.matrix
	row := func(i int) uint8 {
		v := (m[i]*x + m[i+1]*y + m[i+2]*z + 32768) >> 16
		return t.encode[min(max(v, 0), 65535)]
	}
	return row(0), row(3), row(6)
}

// identity reports whether the transform changes no colour by more than one
// step.
func (t *transform) identity() bool {
	near := func(a, b uint8) bool { return int(a) <= int(b)+1 && int(b) <= int(a)+1 }
	for r := 0; r < 256; r += 51 {
		for g := 0; g < 256; g += 51 {
			for b := 0; b < 256; b += 51 {
				x, y, z := t.pixel(uint8(r), uint8(g), uint8(b))
				if !near(x, uint8(r)) || !near(y, uint8(g)) || !near(z, uint8(b)) {
					return false
				}
			}
		}
	}
	return true
}
