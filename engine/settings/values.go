package settings

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"postext/engine/unit"
)

var lengthUnits = []string{"cm", "mm", "in", "pt", "px", "em", "rem"}

// lengthNode is a length in written form.
func lengthNode(v float64, u string) *node {
	return &node{kind: object, keys: []string{"value", "unit"}, kids: []*node{numNode(v), strNode(u)}}
}

// parseLength reads "2.5cm", "2,5 cm" or a number in the given unit.
func parseLength(s, bare string) (*node, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	u := bare
	for _, w := range [...]string{"rem", "cm", "mm", "in", "pt", "px", "em"} { // rem before em
		if strings.HasSuffix(s, w) {
			s, u = strings.TrimSpace(s[:len(s)-len(w)]), w
			break
		}
	}
	s = strings.Replace(s, ",", ".", 1)
	if s == "" || strings.IndexByte("+-.0123456789", s[0]) < 0 {
		return nil, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return nil, false
	}
	return lengthNode(v, u), true
}

// readLength returns value and unit of a length in written form.
func readLength(n *node) (v float64, u string, ok bool) {
	value, name := n.get("value"), n.get("unit")
	if value == nil || name == nil || value.kind != number || name.kind != text || !slices.Contains(lengthUnits, name.str) {
		return 0, "", false
	}
	return value.num, name.str, true
}

// toLength turns any accepted writing of a length into its written form.
func toLength(n *node, bare string) (*node, bool) {
	switch n.kind {
	case number:
		return lengthNode(n.num, bare), true
	case text:
		return parseLength(n.str, bare)
	case object:
		value := n.get("value")
		if value == nil || len(n.keys) > 2 {
			return nil, false
		}
		u := bare
		if name := n.get("unit"); name != nil {
			if name.kind != text || !slices.Contains(lengthUnits, name.str) {
				return nil, false
			}
			u = name.str
		} else if len(n.keys) == 2 {
			return nil, false
		}
		if value.kind == text {
			return parseLength(value.str, u)
		}
		if value.kind == number {
			return lengthNode(value.num, u), true
		}
	}
	return nil, false
}

// parseColor reads #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba() and
// transparent.
func parseColor(s string) (unit.Color, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "transparent":
		return unit.Transparent, true
	case "black":
		return unit.Black, true
	case "white":
		return unit.Color{R: 255, G: 255, B: 255, A: 255}, true
	}
	if rest, ok := strings.CutPrefix(s, "#"); ok {
		return parseHex(rest)
	}
	rest, ok := strings.CutPrefix(s, "rgba")
	if !ok {
		rest, ok = strings.CutPrefix(s, "rgb")
	}
	rest = strings.TrimSpace(rest)
	if !ok || len(rest) < 2 || rest[0] != '(' || rest[len(rest)-1] != ')' {
		return unit.Color{}, false
	}
	parts := strings.FieldsFunc(rest[1:len(rest)-1], func(r rune) bool { return r == ' ' || r == ',' || r == '/' })
	if len(parts) != 3 && len(parts) != 4 {
		return unit.Color{}, false
	}
	var c [4]float64
	c[3] = 255
	for i, p := range parts {
		full := 1.0
		if i == 3 {
			full = 255
		}
		if pc, ok := strings.CutSuffix(p, "%"); ok {
			p, full = pc, 2.55
		}
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || v != v {
			return unit.Color{}, false
		}
		c[i] = min(255, max(0, float64(v*full)))
	}
	round := func(v float64) uint8 { return uint8(math.Round(v)) }
	return unit.Color{R: round(c[0]), G: round(c[1]), B: round(c[2]), A: round(c[3])}, true
}

func parseHex(s string) (unit.Color, bool) {
	var d [8]uint8
	if len(s) > 8 {
		return unit.Color{}, false
	}
	for i := range len(s) {
		v := strings.IndexByte(hexDigits, s[i])
		if v < 0 {
			return unit.Color{}, false
		}
		d[i] = uint8(v)
	}
	switch len(s) {
	case 3:
		return unit.Color{R: d[0] * 17, G: d[1] * 17, B: d[2] * 17, A: 255}, true
	case 4:
		return unit.Color{R: d[0] * 17, G: d[1] * 17, B: d[2] * 17, A: d[3] * 17}, true
	case 6:
		return unit.Color{R: d[0]<<4 | d[1], G: d[2]<<4 | d[3], B: d[4]<<4 | d[5], A: 255}, true
	case 8:
		return unit.Color{R: d[0]<<4 | d[1], G: d[2]<<4 | d[3], B: d[4]<<4 | d[5], A: d[6]<<4 | d[7]}, true
	}
	return unit.Color{}, false
}

var colorModels = []string{"hex", "rgb", "cmyk", "hsl"}

// toColor turns any accepted writing of a colour into its written form. A link
// alone, { "paletteId": … }, takes its hex from the palette.
func toColor(n *node, palette *node) (*node, bool) {
	if n.kind == text {
		s := strings.TrimSpace(n.str)
		if _, ok := parseColor(s); !ok {
			return nil, false
		}
		switch s {
		case "black":
			s = "#000000"
		case "white":
			s = "#ffffff"
		}
		return objNode("hex", strNode(s), "model", strNode("hex")), true
	}
	if n.kind != object {
		return nil, false
	}
	for _, k := range n.keys {
		if k != "hex" && k != "model" && k != "paletteId" && k != "cmyk" {
			return nil, false
		}
	}
	hex, model, link, cmyk := n.get("hex"), n.get("model"), n.get("paletteId"), n.get("cmyk")
	if model != nil && (model.kind != text || !slices.Contains(colorModels, model.str)) || link != nil && link.kind != text {
		return nil, false
	}
	if cmyk != nil {
		for _, ink := range [...]string{"c", "m", "y", "k"} {
			v := cmyk.get(ink)
			if v == nil || v.kind != number || v.num < 0 || v.num > 100 {
				return nil, false
			}
		}
	}
	if hex == nil {
		switch {
		case link != nil:
			entry := findItem(palette, "id", link.str)
			if entry.get("value") == nil {
				return nil, false
			}
			v := entry.get("value")
			hex = v.get("hex")
			if model == nil {
				model = v.get("model")
			}
		case cmyk != nil:
			hex = strNode(cmykHex(cmyk))
			if model == nil {
				model = strNode("cmyk")
			}
		}
	}
	if hex == nil || hex.kind != text {
		return nil, false
	}
	if _, ok := parseColor(hex.str); !ok {
		return nil, false
	}
	if model == nil {
		model = strNode("hex")
	}
	return n.with("hex", hex).with("model", model), true
}

// cmykHex is the plain screen rendering of an ink mixture.
func cmykHex(cmyk *node) string {
	b := []byte{'#'}
	for _, ink := range [...]string{"c", "m", "y"} {
		v := math.Round(float64(255 * (1 - cmyk.get(ink).num/100) * (1 - cmyk.get("k").num/100)))
		b = append(b, hexDigits[int(v)>>4], hexDigits[int(v)&15])
	}
	return string(b)
}

// colorOf returns the colour of a written form.
func colorOf(n *node) (unit.Color, bool) {
	if n == nil {
		return unit.Color{}, false
	}
	if n.kind == text {
		return parseColor(n.str)
	}
	if hex := n.get("hex"); hex != nil && hex.kind == text {
		return parseColor(hex.str)
	}
	return unit.Color{}, false
}

// firstFamily reads a font family value: the first of a CSS stack, without its
// quotes. stack tells that there was more than one.
func firstFamily(s string) (family string, stack bool) {
	s = strings.TrimSpace(s)
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return strings.TrimSpace(s[1 : 1+end]), strings.Contains(s[end+2:], ",")
		}
		return strings.TrimSpace(s[1:]), false
	}
	first, _, stack := strings.Cut(s, ",")
	return strings.TrimSpace(first), stack
}

// formatSpellings lists, for each number format, page.pageNumbering's spelling,
// orderedLists' and resourceTypes', then what else is read (settings.md 1.5).
var formatSpellings = [][]string{
	{"decimal", "arabic", "decimal", "1"},
	{"lower-roman", "lower-roman", "roman-lower", "i"},
	{"upper-roman", "upper-roman", "roman-upper", "I"},
	{"lower-alpha", "lower-alpha", "alpha-lower", "lower-latin", "a"},
	{"upper-alpha", "upper-alpha", "alpha-upper", "upper-latin", "A"},
	{"simp-chinese-informal", "", "", "一"},
	{"trad-chinese-informal", "", "", "cjk-ideographic"},
	{"simp-chinese-formal", "", "", "壹"},
	{"trad-chinese-formal", "", ""},
	{"cjk-decimal", "", "", "〇"},
	{"cjk-heavenly-stem", "", "", "甲"},
	{"cjk-earthly-branch", "", "", "子"},
	{"japanese-informal", "", ""},
	{"japanese-formal", "", "", "壱"},
	{"hiragana", "", "", "あ"},
	{"katakana", "", "", "ア"},
	{"hiragana-iroha", "", "", "い"},
	{"katakana-iroha", "", "", "イ"},
	{"circled-decimal", "", "", "①"},
	{"fullwidth-decimal", "", "", "１"},
	{"arabic-indic", "", "", "١"},
	{"persian", "", "", "urdu", "۱"},
	{"abjad", "", ""},
	{"hijai", "", "", "arabic-alpha", "arabic-alphabetic"},
	{"arabic-abjad", "", ""},
	{"arabic-abjad-maghrebi", "", "", "maghrebi-abjad"},
}

// numberFormat reads any spelling of a number format and returns the one of
// page.pageNumbering (column 0), orderedLists (1) or resourceTypes (2).
func numberFormat(s string, column int) (string, bool) {
	low := strings.ToLower(s)
	for _, f := range formatSpellings {
		for _, w := range f {
			single := len(w) > 0 && len([]rune(w)) == 1
			if w != "" && (s == w || !single && low == w) {
				if f[column] != "" {
					return f[column], true
				}
				return f[0], true
			}
		}
	}
	return "", false
}

// formatColumn tells which spelling a setting keeps.
func (s *Setting) formatColumn() int {
	switch {
	case strings.HasPrefix(s.Path, "orderedLists") || strings.Contains(s.Path, ".orderedLists."):
		return 1
	case s.name == "counterFormat":
		return 2
	}
	return 0
}
