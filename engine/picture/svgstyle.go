package picture

import (
	"strconv"
	"strings"
)

// style is what an element inherits and what holds for itself alone.
type style struct {
	// Inherited.
	fill, stroke, color        string
	fillOpacity, strokeOpacity float64
	evenOdd, clipEvenOdd       bool
	strokeWidth                float64
	cap, join                  uint8
	miter                      float64
	dashes                     []float64
	dashOffset                 float64
	invisible, markers         bool
	family                     string
	size                       float64
	weight                     int
	italic                     bool
	anchor, baseline           string
	spacing                    float64
	preserve                   bool

	// The element's own.
	opacity     float64
	hidden      bool
	clip        string
	mask        bool
	shift       float64 // baseline-shift
	stopColor   string
	stopOpacity float64
}

func initial() style {
	return style{fill: "#000", fillOpacity: 1, strokeOpacity: 1, strokeWidth: 1, miter: 4, color: "#000",
		size: 16, weight: 400, opacity: 1, stopColor: "#000", stopOpacity: 1}
}

// style is the style of an element: presentation attributes, then rules by
// weight, then its style attribute.
func (b *builder) style(e *element, up style) style {
	s := up
	s.opacity, s.hidden, s.clip, s.mask, s.shift, s.stopColor, s.stopOpacity = 1, false, "", false, 0, "#000", 1
	for i := range e.attrs {
		s.set(e.attrs[i].name, e.attrs[i].value, &up)
	}
	if b.work += len(b.rules); b.work < maxMatch {
		for i := range b.rules {
			if r := &b.rules[i]; r.matches(e) {
				for k := range r.decls {
					s.set(r.decls[k].name, r.decls[k].value, &up)
				}
			}
		}
	} else if len(b.rules) > 0 {
		b.note("the style sheet has too many rules for so many elements")
	}
	if st := e.attr("style"); st != "" {
		for _, d := range declarations(st) {
			s.set(d.name, d.value, &up)
		}
	}
	return s
}

func opacityOf(v string) float64 {
	x, ok := lengthIn(v, 1, 1)
	if !ok {
		return 1
	}
	return min(max(x, 0), 1)
}

// set applies one property.
func (s *style) set(name, v string, up *style) {
	v = strings.TrimSpace(v)
	if v == "inherit" {
		s.inherit(name, up)
		return
	}
	switch name {
	case "fill":
		s.fill = v
	case "stroke":
		s.stroke = v
	case "color":
		s.color = v
	case "fill-opacity":
		s.fillOpacity = opacityOf(v)
	case "stroke-opacity":
		s.strokeOpacity = opacityOf(v)
	case "opacity":
		s.opacity = opacityOf(v)
	case "fill-rule":
		s.evenOdd = v == "evenodd"
	case "clip-rule":
		s.clipEvenOdd = v == "evenodd"
	case "stroke-width":
		if x, ok := lengthIn(v, 100, s.size); ok && x >= 0 {
			s.strokeWidth = x
		}
	case "stroke-linecap":
		s.cap = map[string]uint8{"round": capRound, "square": capSquare}[v]
	case "stroke-linejoin":
		s.join = map[string]uint8{"round": joinRound, "bevel": joinBevel}[v]
	case "stroke-miterlimit":
		if x, err := strconv.ParseFloat(v, 64); err == nil && x >= 1 && finite(x) {
			s.miter = x
		}
	case "stroke-dasharray":
		s.dashes = dashesOf(v, s.size)
	case "stroke-dashoffset":
		s.dashOffset, _ = lengthIn(v, 100, s.size)
	case "visibility":
		s.invisible = v == "hidden" || v == "collapse"
	case "display":
		s.hidden = v == "none"
	case "clip-path":
		s.clip, _, _ = urlID(v)
	case "mask", "filter":
		s.mask = v != "none" && v != ""
	case "marker", "marker-end", "marker-start", "marker-mid":
		s.markers = v != "none" && v != ""
	case "stop-color":
		s.stopColor = v
	case "stop-opacity":
		s.stopOpacity = opacityOf(v)
	case "font-family":
		s.family = v
	case "font-size":
		s.fontSize(v, up.size)
	case "font-weight":
		switch v {
		case "bold":
			s.weight = 700
		case "normal":
			s.weight = 400
		case "bolder":
			s.weight = min(up.weight+300, 900)
		case "lighter":
			s.weight = max(up.weight-300, 100)
		default:
			if n, err := strconv.Atoi(v); err == nil && n >= 1 && n <= 1000 {
				s.weight = n
			}
		}
	case "font-style":
		s.italic = v == "italic" || strings.HasPrefix(v, "oblique")
	case "font":
		s.font(v, up.size)
	case "text-anchor":
		s.anchor = v
	case "dominant-baseline", "alignment-baseline":
		s.baseline = v
	case "baseline-shift":
		switch v {
		case "super":
			s.shift = 0.4
		case "sub":
			s.shift = -0.2
		default:
			if x, ok := lengthIn(v, s.size, s.size); ok && s.size > 0 {
				s.shift = x / s.size
			}
		}
	case "letter-spacing":
		s.spacing, _ = lengthIn(v, s.size, s.size)
	case "space", "white-space":
		s.preserve = v == "preserve" || strings.HasPrefix(v, "pre")
	}
}

// inherit takes one of an element's own properties from its parent; the others
// are inherited already.
func (s *style) inherit(name string, up *style) {
	switch name {
	case "opacity":
		s.opacity = up.opacity
	case "stop-color":
		s.stopColor = up.stopColor
	case "fill":
		s.fill = up.fill
	case "stroke":
		s.stroke = up.stroke
	}
}

func (s *style) fontSize(v string, up float64) {
	sizes := map[string]float64{"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32,
		"smaller": float64(up * 0.83), "larger": float64(up * 1.2)}
	if x, ok := sizes[v]; ok {
		s.size = x
	} else if x, ok := lengthIn(v, up, up); ok && x >= 0 && x < 1e6 {
		s.size = x
	}
}

// font reads the short form: style and weight, size/leading, family.
func (s *style) font(v string, up float64) {
	s.italic, s.weight = false, 400
	for v != "" {
		word, rest, _ := strings.Cut(v, " ")
		if word == "" {
			v = rest
			continue
		}
		if word[0] >= '0' && word[0] <= '9' && !strings.HasSuffix(word, "00") || word[0] == '.' {
			size, _, _ := strings.Cut(word, "/")
			s.fontSize(size, up)
			s.family = strings.TrimSpace(rest)
			return
		}
		switch word {
		case "italic", "oblique":
			s.italic = true
		case "bold":
			s.weight = 700
		default:
			if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= 1000 {
				s.weight = n
			}
		}
		v = rest
	}
}

// dashesOf reads a dash array; an odd one is doubled, and nil draws whole lines.
func dashesOf(v string, em float64) []float64 {
	if v == "none" || v == "" {
		return nil
	}
	var out []float64
	sum := 0.0
	for _, f := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		x, ok := lengthIn(f, 100, em)
		if !ok || x < 0 || len(out) >= 100 {
			return nil
		}
		out = append(out, x)
		sum += x
	}
	if sum <= 0 {
		return nil
	}
	if len(out)%2 == 1 {
		out = append(out, out...)
	}
	return out
}
