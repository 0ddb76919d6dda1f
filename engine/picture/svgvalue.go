package picture

import (
	"math"
	"strconv"
	"strings"

	"postext/engine/unit"
)

// matrix takes x, y to a*x + c*y + e, b*x + d*y + f. Products are rounded one by
// one, so that no processor fuses them.
type matrix struct{ a, b, c, d, e, f float64 }

var unity = matrix{a: 1, d: 1}

func (m matrix) apply(x, y float64) (float64, float64) {
	return float64(m.a*x) + float64(m.c*y) + m.e, float64(m.b*x) + float64(m.d*y) + m.f
}

// mul is the matrix that applies n first, then m.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		float64(m.a*n.a) + float64(m.c*n.b), float64(m.b*n.a) + float64(m.d*n.b),
		float64(m.a*n.c) + float64(m.c*n.d), float64(m.b*n.c) + float64(m.d*n.d),
		float64(m.a*n.e) + float64(m.c*n.f) + m.e, float64(m.b*n.e) + float64(m.d*n.f) + m.f,
	}
}

func (m matrix) det() float64 { return float64(m.a*m.d) - float64(m.b*m.c) }

func (m matrix) inverse() (matrix, bool) {
	d := m.det()
	if math.Abs(d) < 1e-18 || math.IsNaN(d) || math.IsInf(d, 0) {
		return m, false
	}
	return matrix{m.d / d, -m.b / d, -m.c / d, m.a / d,
		(float64(m.c*m.f) - float64(m.d*m.e)) / d, (float64(m.b*m.e) - float64(m.a*m.f)) / d}, true
}

// scale is about how much the matrix enlarges.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.det())) }

func finite(vs ...float64) bool {
	for _, v := range vs {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return false
		}
	}
	return true
}

// scanner reads numbers from path data, lists and transforms.
type scanner struct{ s string }

func (s *scanner) blanks() {
	s.s = strings.TrimLeft(s.s, " \t\r\n,")
}

// number reads the next number; false at anything else.
func (s *scanner) number() (float64, bool) {
	s.blanks()
	i := 0
	t := s.s
	if i < len(t) && (t[i] == '+' || t[i] == '-') {
		i++
	}
	digits := 0
	for i < len(t) && t[i] >= '0' && t[i] <= '9' {
		i, digits = i+1, digits+1
	}
	if i < len(t) && t[i] == '.' {
		for i++; i < len(t) && t[i] >= '0' && t[i] <= '9'; i++ {
			digits++
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i+1 < len(t) && (t[i] == 'e' || t[i] == 'E') {
		k := i + 1
		if t[k] == '+' || t[k] == '-' {
			k++
		}
		if k < len(t) && t[k] >= '0' && t[k] <= '9' {
			for i = k; i < len(t) && t[i] >= '0' && t[i] <= '9'; i++ {
			}
		}
	}
	v, err := strconv.ParseFloat(t[:i], 64)
	s.s = t[i:]
	if err != nil || !finite(v) {
		v = 0
	}
	return v, true
}

// flag reads a 0 or 1 of an arc, which may stand without a blank after it.
func (s *scanner) flag() (bool, bool) {
	s.blanks()
	if s.s == "" || s.s[0] != '0' && s.s[0] != '1' {
		return false, false
	}
	v := s.s[0] == '1'
	s.s = s.s[1:]
	return v, true
}

// numbers reads a list.
func numbers(s string, most int) []float64 {
	sc := scanner{s}
	var out []float64
	for len(out) < most {
		v, ok := sc.number()
		if !ok {
			break
		}
		out = append(out, v)
	}
	return out
}

// lengthIn reads a length in user units (1/96 inch); a percentage counts of
// whole, ems of em.
func lengthIn(s string, whole, em float64) (float64, bool) {
	sc := scanner{strings.TrimSpace(s)}
	v, ok := sc.number()
	if !ok {
		return 0, false
	}
	switch strings.TrimSpace(sc.s) {
	case "pt":
		v = float64(v*96) / 72
	case "mm":
		v = float64(v*96) / 25.4
	case "cm":
		v = float64(v*96) / 2.54
	case "in":
		v = float64(v * 96)
	case "pc":
		v = float64(v * 16)
	case "em", "rem":
		v = float64(v * em)
	case "ex":
		v = float64(v*em) / 2
	case "%":
		v = float64(v*whole) / 100
	}
	if !finite(v) {
		return 0, false
	}
	return v, true
}

// transformOf reads a transform list.
func transformOf(s string) matrix {
	m := unity
	for n := 0; n < 100; n++ {
		name, rest, ok := strings.Cut(s, "(")
		if !ok {
			break
		}
		args, after, _ := strings.Cut(rest, ")")
		s = after
		v := numbers(args, 6)
		at := func(i int) float64 {
			if i < len(v) {
				return v[i]
			}
			return 0
		}
		t := unity
		switch strings.Trim(name, " \t\r\n,") {
		case "matrix":
			if len(v) == 6 {
				t = matrix{v[0], v[1], v[2], v[3], v[4], v[5]}
			}
		case "translate":
			t.e, t.f = at(0), at(1)
		case "scale":
			t.a, t.d = at(0), at(0)
			if len(v) > 1 {
				t.d = v[1]
			}
		case "rotate":
			sin, cos := sincos(at(0))
			t = matrix{a: 1, d: 1, e: at(1), f: at(2)}.mul(matrix{cos, sin, -sin, cos, 0, 0}).mul(matrix{a: 1, d: 1, e: -at(1), f: -at(2)})
		case "skewX":
			sin, cos := sincos(at(0))
			if cos != 0 {
				t.c = sin / cos
			}
		case "skewY":
			sin, cos := sincos(at(0))
			if cos != 0 {
				t.b = sin / cos
			}
		}
		m = m.mul(t)
	}
	return m
}

// sincos takes degrees; quarter turns are exact.
func sincos(deg float64) (sin, cos float64) {
	switch math.Mod(math.Mod(deg, 360)+360, 360) {
	case 0:
		return 0, 1
	case 90:
		return 1, 0
	case 180:
		return 0, -1
	case 270:
		return -1, 0
	}
	return math.Sincos(float64(deg*math.Pi) / 180)
}

// colour reads a colour; ok is false for what is none.
func colour(s string) (c unit.Color, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if strings.HasPrefix(s, "#") {
		h := s[1:]
		var v [8]uint8
		for i := range min(len(h), 8) {
			n, err := strconv.ParseUint(h[i:i+1], 16, 8)
			if err != nil {
				return c, false
			}
			v[i] = uint8(n)
		}
		switch len(h) {
		case 3, 4:
			c = unit.Color{R: v[0] * 17, G: v[1] * 17, B: v[2] * 17, A: 255}
			if len(h) == 4 {
				c.A = v[3] * 17
			}
		case 6, 8:
			c = unit.Color{R: v[0]<<4 | v[1], G: v[2]<<4 | v[3], B: v[4]<<4 | v[5], A: 255}
			if len(h) == 8 {
				c.A = v[6]<<4 | v[7]
			}
		default:
			return c, false
		}
		return c, true
	}
	if name, args, found := strings.Cut(s, "("); found {
		args = strings.TrimSuffix(strings.TrimSpace(args), ")")
		parts := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' || r == '/' || r == '\t' || r == '\n' })
		if len(parts) < 3 {
			return c, false
		}
		val := func(i int, full float64) float64 {
			p := parts[i]
			pct := strings.HasSuffix(p, "%")
			v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(p, "%"), "deg"), 64)
			if err != nil || math.IsNaN(v) {
				return 0
			}
			if pct {
				v = float64(v*full) / 100
			}
			return v
		}
		alpha := 1.0
		if len(parts) > 3 {
			alpha = val(3, 1)
		}
		switch name {
		case "rgb", "rgba":
			return unit.Color{R: byteOf(val(0, 255)), G: byteOf(val(1, 255)), B: byteOf(val(2, 255)), A: byteOf(float64(alpha * 255))}, true
		case "hsl", "hsla":
			r, g, b := hsl(val(0, 360), val(1, 1), val(2, 1))
			return unit.Color{R: byteOf(float64(r * 255)), G: byteOf(float64(g * 255)), B: byteOf(float64(b * 255)), A: byteOf(float64(alpha * 255))}, true
		}
		return c, false
	}
	if s == "transparent" {
		return unit.Color{}, true
	}
	if v, found := colourNames[s]; found {
		return unit.Color{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}, true
	}
	return c, false
}

func byteOf(v float64) uint8 { return uint8(math.Round(min(max(v, 0), 255))) }

func hsl(h, s, l float64) (r, g, b float64) {
	f := func(n float64) float64 {
		k := math.Mod(math.Mod(n+h/30, 12)+12, 12)
		a := float64(s * min(l, 1-l))
		return l - float64(a*max(-1, min(k-3, min(9-k, 1))))
	}
	return f(0), f(8), f(4)
}

// colourNames are those of CSS Color 4, 6.1.
var colourNames = map[string]uint32{
	"aliceblue": 0xf0f8ff, "antiquewhite": 0xfaebd7, "aqua": 0x00ffff, "aquamarine": 0x7fffd4, "azure": 0xf0ffff,
	"beige": 0xf5f5dc, "bisque": 0xffe4c4, "black": 0x000000, "blanchedalmond": 0xffebcd, "blue": 0x0000ff,
	"blueviolet": 0x8a2be2, "brown": 0xa52a2a, "burlywood": 0xdeb887, "cadetblue": 0x5f9ea0, "chartreuse": 0x7fff00,
	"chocolate": 0xd2691e, "coral": 0xff7f50, "cornflowerblue": 0x6495ed, "cornsilk": 0xfff8dc, "crimson": 0xdc143c,
	"cyan": 0x00ffff, "darkblue": 0x00008b, "darkcyan": 0x008b8b, "darkgoldenrod": 0xb8860b, "darkgray": 0xa9a9a9,
	"darkgreen": 0x006400, "darkgrey": 0xa9a9a9, "darkkhaki": 0xbdb76b, "darkmagenta": 0x8b008b, "darkolivegreen": 0x556b2f,
	"darkorange": 0xff8c00, "darkorchid": 0x9932cc, "darkred": 0x8b0000, "darksalmon": 0xe9967a, "darkseagreen": 0x8fbc8f,
	"darkslateblue": 0x483d8b, "darkslategray": 0x2f4f4f, "darkslategrey": 0x2f4f4f, "darkturquoise": 0x00ced1, "darkviolet": 0x9400d3,
	"deeppink": 0xff1493, "deepskyblue": 0x00bfff, "dimgray": 0x696969, "dimgrey": 0x696969, "dodgerblue": 0x1e90ff,
	"firebrick": 0xb22222, "floralwhite": 0xfffaf0, "forestgreen": 0x228b22, "fuchsia": 0xff00ff, "gainsboro": 0xdcdcdc,
	"ghostwhite": 0xf8f8ff, "gold": 0xffd700, "goldenrod": 0xdaa520, "gray": 0x808080, "green": 0x008000,
	"greenyellow": 0xadff2f, "grey": 0x808080, "honeydew": 0xf0fff0, "hotpink": 0xff69b4, "indianred": 0xcd5c5c,
	"indigo": 0x4b0082, "ivory": 0xfffff0, "khaki": 0xf0e68c, "lavender": 0xe6e6fa, "lavenderblush": 0xfff0f5,
	"lawngreen": 0x7cfc00, "lemonchiffon": 0xfffacd, "lightblue": 0xadd8e6, "lightcoral": 0xf08080, "lightcyan": 0xe0ffff,
	"lightgoldenrodyellow": 0xfafad2, "lightgray": 0xd3d3d3, "lightgreen": 0x90ee90, "lightgrey": 0xd3d3d3, "lightpink": 0xffb6c1,
	"lightsalmon": 0xffa07a, "lightseagreen": 0x20b2aa, "lightskyblue": 0x87cefa, "lightslategray": 0x778899, "lightslategrey": 0x778899,
	"lightsteelblue": 0xb0c4de, "lightyellow": 0xffffe0, "lime": 0x00ff00, "limegreen": 0x32cd32, "linen": 0xfaf0e6,
	"magenta": 0xff00ff, "maroon": 0x800000, "mediumaquamarine": 0x66cdaa, "mediumblue": 0x0000cd, "mediumorchid": 0xba55d3,
	"mediumpurple": 0x9370db, "mediumseagreen": 0x3cb371, "mediumslateblue": 0x7b68ee, "mediumspringgreen": 0x00fa9a, "mediumturquoise": 0x48d1cc,
	"mediumvioletred": 0xc71585, "midnightblue": 0x191970, "mintcream": 0xf5fffa, "mistyrose": 0xffe4e1, "moccasin": 0xffe4b5,
	"navajowhite": 0xffdead, "navy": 0x000080, "oldlace": 0xfdf5e6, "olive": 0x808000, "olivedrab": 0x6b8e23,
	"orange": 0xffa500, "orangered": 0xff4500, "orchid": 0xda70d6, "palegoldenrod": 0xeee8aa, "palegreen": 0x98fb98,
	"paleturquoise": 0xafeeee, "palevioletred": 0xdb7093, "papayawhip": 0xffefd5, "peachpuff": 0xffdab9, "peru": 0xcd853f,
	"pink": 0xffc0cb, "plum": 0xdda0dd, "powderblue": 0xb0e0e6, "purple": 0x800080, "rebeccapurple": 0x663399,
	"red": 0xff0000, "rosybrown": 0xbc8f8f, "royalblue": 0x4169e1, "saddlebrown": 0x8b4513, "salmon": 0xfa8072,
	"sandybrown": 0xf4a460, "seagreen": 0x2e8b57, "seashell": 0xfff5ee, "sienna": 0xa0522d, "silver": 0xc0c0c0,
	"skyblue": 0x87ceeb, "slateblue": 0x6a5acd, "slategray": 0x708090, "slategrey": 0x708090, "snow": 0xfffafa,
	"springgreen": 0x00ff7f, "steelblue": 0x4682b4, "tan": 0xd2b48c, "teal": 0x008080, "thistle": 0xd8bfd8,
	"tomato": 0xff6347, "turquoise": 0x40e0d0, "violet": 0xee82ee, "wheat": 0xf5deb3, "white": 0xffffff,
	"whitesmoke": 0xf5f5f5, "yellow": 0xffff00, "yellowgreen": 0x9acd32,
}
