package settings

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Fault is one thing wrong with a change, said so that the caller can mend it.
type Fault struct {
	Path    string
	Message string

	order int // place of the change in its call
}

// Faults are all that is wrong with a call; nothing was changed.
type Faults []Fault

// maxTold is how many faults an error tells; the others are counted.
const maxTold = 12

func (f Faults) Error() string {
	var b strings.Builder
	for i, x := range f {
		if i == maxTold && len(f) > maxTold+1 {
			b.WriteString(" … and " + strconv.Itoa(len(f)-maxTold) + " more faults: mend these and call again, and the next are named.")
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(x.Message)
	}
	return b.String()
}

// clip shortens text quoted in an error to 80 characters.
func clip(s string) string {
	r := []rune(s)
	if len(r) <= 80 {
		return s
	}
	return string(r[:79]) + "…"
}

// Limits of a text: of any, of a language tag (BCP 47 asks for 35 at least), and of
// a style in CSL (those of journals and law have up to 100,000 characters).
const maxString, maxTag, maxCSL = 20_000, 100, 500_000

// shortNumber writes a number for an error: in full while that is short.
func shortNumber(x float64) string {
	if s := string(appendNumber(nil, x)); len(s) <= 12 {
		return s
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// some names at most 12 of a list, and the path that sandbox_get_config tells all of
// it for; a single one more is named like the others.
func some(list []string, path string) string {
	if len(list) <= maxTold+1 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:maxTold], ", ") + " … and " + strconv.Itoa(len(list)-maxTold) + " more: call sandbox_get_config with path " + strconv.Quote(path)
}

// example is a length a caller could give for the setting.
func (s *Setting) example() (float64, string) {
	if strings.HasSuffix(s.name, "ontSize") && s.Unit == "pt" {
		return 11, "pt"
	}
	if v, u, ok := readLength(s.def); ok && v != 0 {
		return v, u
	}
	switch s.Unit {
	case "cm":
		return 17, "cm"
	case "mm":
		return 3, "mm"
	case "em":
		return 1.5, "em"
	}
	return 11, s.Unit
}

// normalize checks a value for a setting and returns its written form, or what
// is wrong. palette gives the colours links may name. Values the engine clamps
// pass unchanged.
func (s *Setting) normalize(path string, v *node, palette *node) (*node, string) {
	num := func(x float64) string { return string(appendNumber(nil, x)) }
	switch s.Type {
	case Length:
		if v.kind == text && hasWord(s.Enum, v.str) {
			return strNode(strings.ToLower(strings.TrimSpace(v.str))), ""
		}
		n, ok := toLength(v, s.Unit)
		if !ok {
			x, u := s.example()
			more := ""
			if len(s.Enum) > 0 {
				more = " Also: " + strings.Join(s.Enum, ", ") + "."
			}
			return nil, path + " is a length: give { \"value\": " + num(x) + ", \"unit\": \"" + u + "\" }, a number (in " + s.Unit +
				") or a text such as \"" + num(x) + u + "\". The units: " + strings.Join(lengthUnits, ", ") + "." + more
		}
		x, u, _ := readLength(n)
		if wrong := s.outside(path, x, u); wrong != "" {
			return nil, wrong
		}
		return n, ""
	case Number, Integer, Weight:
		x, ok := toNumber(v)
		if !ok {
			return nil, path + " is " + s.numberWords() + ": give " + num(s.numberExample()) + "."
		}
		if len(s.Enum) > 0 && !slices.Contains(s.Enum, num(x)) {
			return nil, path + " is one of " + strings.Join(s.Enum, ", ") + ": " + shortNumber(x) + " is not."
		}
		if s.Type == Integer && x != math.Trunc(x) && !s.Bounds.Clamp {
			return nil, path + " is a whole number: " + shortNumber(x) + " is not."
		}
		if wrong := s.outside(path, x, ""); wrong != "" {
			return nil, wrong
		}
		return numNode(x), ""
	case Bool, AutoBool:
		if v.kind == boolean {
			return v, ""
		}
		if v.kind == text {
			switch w := strings.ToLower(strings.TrimSpace(v.str)); {
			case w == "true" || w == "false":
				return boolNode(w == "true"), ""
			case w == "auto" && s.Type == AutoBool:
				return strNode("auto"), ""
			}
		}
		if s.Type == AutoBool {
			return nil, path + " is true, false or \"auto\"."
		}
		return nil, path + " is a switch: give true or false."
	case Enum, Parity:
		if v.kind == number {
			v = strNode(num(v.num))
		}
		if v.kind == text {
			for _, w := range s.Enum {
				if strings.EqualFold(w, strings.TrimSpace(v.str)) {
					return strNode(w), ""
				}
			}
		}
		return nil, path + " is one of " + strings.Join(s.Enum, ", ") + quoted(v, s.Enum)
	case Format:
		if v.kind == number {
			v = strNode(num(v.num))
		}
		if v.kind == text {
			if f, ok := numberFormat(strings.TrimSpace(v.str), s.formatColumn()); ok {
				return strNode(f), ""
			}
			if hasWord(s.Enum, v.str) {
				return v, ""
			}
		}
		names := make([]string, 0, 5+len(s.Enum))
		for _, f := range formatSpellings[:5] {
			names = append(names, f[s.formatColumn()])
		}
		names = append(names, s.Enum...)
		return nil, path + " is a number format such as " + strings.Join(names, ", ") + quoted(v, names)
	case Color:
		if n, ok := toColor(v, palette); ok {
			return n, ""
		}
		if link := v.get("paletteId"); link != nil && link.kind == text && v.get("hex") == nil {
			return nil, path + " links to the palette colour " + strconv.Quote(clip(link.str)) + ", which there is not. The palette has: " +
				some(itemKeys(palette, "id"), "colorPalette") + "."
		}
		return nil, path + " is a colour: give a text such as \"#1f3a5f\", { \"hex\": \"#1f3a5f\", \"model\": \"hex\" } or a palette link { \"paletteId\": \"main-color\" }."
	case Family:
		if v.kind == text {
			if f, _ := firstFamily(v.str); f != "" {
				return strNode(f), ""
			}
		}
		return nil, path + " is a font family: give one name such as \"EB Garamond\"; sandbox_list_fonts finds names."
	case String:
		if v.kind == text {
			most := maxString
			switch s.name {
			case "locale":
				most = maxTag
			case "customStyle":
				most = maxCSL
			}
			if n := len([]rune(v.str)); n > most {
				return nil, path + " is a text of at most " + strconv.Itoa(most) + " characters, not " + strconv.Itoa(n) + "."
			}
			return v, ""
		}
		if v.kind == number {
			return strNode(num(v.num)), ""
		}
		if v.kind == boolean && hasWord(s.Enum, strconv.FormatBool(v.on)) {
			return v, ""
		}
		return nil, path + " is a text."
	case Mixed:
		return s.normalizeMixed(path, v)
	case List:
		if v.kind != list {
			return nil, path + " is a list: give [ … ]."
		}
		if len(v.kids) > MaxItems {
			return nil, path + " has " + strconv.Itoa(len(v.kids)) + " items: at most " + strconv.Itoa(MaxItems) + " are taken."
		}
		for i, kid := range v.kids {
			if wrong := s.badValue(path+"["+strconv.Itoa(i)+"]", kid); wrong != "" {
				return nil, wrong
			}
		}
		return v, ""
	case Free:
		if v.kind == object {
			return v, ""
		}
		return nil, path + " is an object: give { … }."
	}
	return v, ""
}

func (s *Setting) normalizeMixed(path string, v *node) (*node, string) {
	if v.kind == text && hasWord(s.Enum, v.str) {
		return strNode(strings.ToLower(strings.TrimSpace(v.str))), ""
	}
	lengths := s.mixedLength()
	if x, ok := toNumber(v); ok {
		u := ""
		if s.name == "position" {
			u = s.Unit
		}
		if wrong := s.outside(path, x, u); wrong != "" {
			return nil, wrong
		}
		if s.name == "position" {
			return lengthNode(x, s.Unit), ""
		}
		return numNode(x), ""
	}
	if lengths {
		if n, ok := toLength(v, s.Unit); ok && n != nil {
			x, u, _ := readLength(n)
			if wrong := s.outside(path, x, u); wrong != "" {
				return nil, wrong
			}
			return n, ""
		}
		if v.kind == text && s.name == "position" {
			if x, err := strconv.ParseFloat(strings.TrimSuffix(v.str, "%"), 64); err == nil && strings.HasSuffix(v.str, "%") && x >= 0 && x <= 100 {
				return v, ""
			}
		}
	}
	msg := path + " is a number"
	if lengths {
		msg = path + " is a number or a length such as \"12pt\""
	}
	if len(s.Enum) > 0 {
		msg += ", or one of " + strings.Join(s.Enum, ", ")
	}
	return nil, msg + "."
}

// mixedLength reports whether a Mixed setting takes lengths.
func (s *Setting) mixedLength() bool {
	return s.name == "lineHeight" || s.name == "position" || s.name == "minTextWidth"
}

func hasWord(words []string, s string) bool {
	s = strings.TrimSpace(s)
	for _, w := range words {
		if strings.EqualFold(w, s) {
			return true
		}
	}
	return false
}

// quoted ends a sentence that listed words: what was given is none of them, and
// which is nearest.
func quoted(v *node, words []string) string {
	if v.kind != text {
		return "."
	}
	end := ": " + strconv.Quote(clip(v.str)) + " is not"
	if w := nearestWord(v.str, words); w != "" {
		end += "; the nearest is " + w
	}
	return end + "."
}

func (s *Setting) numberWords() string {
	what := "a number"
	if s.Type == Integer {
		what = "a whole number"
	}
	if s.Unit != "" {
		what += " (" + s.Unit + ")"
	}
	if b := s.Range(); b != "" {
		what += ", " + b
	}
	return what
}

func (s *Setting) numberExample() float64 {
	if s.def != nil && s.def.kind == number {
		return s.def.num
	}
	if s.Type == Weight {
		return 400
	}
	if s.Bounds.HasMin && !s.Bounds.OpenMin {
		return s.Bounds.Min
	}
	return 1
}

func toNumber(v *node) (float64, bool) {
	switch v.kind {
	case number:
		return v.num, true
	case text:
		x, err := strconv.ParseFloat(strings.TrimSpace(v.str), 64)
		if err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
			return x, true
		}
	}
	return 0, false
}

// usable reports whether a stored value can be read as the setting's; foreign
// files may hold anything.
func (s *Setting) usable(v *node) bool {
	if v == nil {
		return false
	}
	switch s.Type {
	case Length:
		if v.kind == text {
			if hasWord(s.Enum, v.str) {
				return true
			}
		}
		_, ok := toLength(v, s.Unit)
		return ok
	case Number, Integer, Weight:
		return v.kind == number
	case Bool:
		return v.kind == boolean
	case Color:
		_, ok := colorOf(v)
		return ok
	case Enum, Parity:
		return v.kind == text && hasWord(s.Enum, v.str)
	case Format:
		if v.kind != text {
			return false
		}
		_, ok := numberFormat(v.str, 0)
		return ok || hasWord(s.Enum, v.str)
	case String, Family:
		return v.kind == text
	case List, Items:
		return v.kind == list
	}
	return true
}
