package font

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	otfont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// A font file may hold several faces: a collection has several fonts, a variable
// font every weight between two, and named instances of its other axes.

// Axis sets an axis of a variable font.
type Axis struct {
	Tag   string // "wdth", "slnt", "ital", "opsz"…
	Value float32
}

// Member is a family at one style, or at a range of weights, that a file holds.
type Member struct {
	Family string
	Italic bool
	// Weight, or the weights from Weight to MaxWeight of a variable font.
	Weight, MaxWeight int
	Index             int    // of the font in a collection
	Axes              []Axis // of a variable font, besides the weight
}

// Weights are the weights a member offers: its own, or every hundred of its range.
func (m *Member) Weights() (out []int) {
	for w := (m.Weight + 99) / 100 * 100; w <= m.MaxWeight && m.MaxWeight > m.Weight; w += 100 {
		out = append(out, w)
	}
	if len(out) == 0 {
		out = []int{m.Weight}
	}
	return out
}

// maxInstances of a variable font are looked at; real ones have up to a hundred.
const maxInstances = 512

// Members lists what a font file holds: of each font in it the face at the
// default of its axes, then the named instances at which another axis than the
// weight moves. Such an instance is a family of its own ("Archivo Condensed"),
// or the italics of its family.
func Members(data []byte) (list []Member, err error) {
	defer func() {
		if p := recover(); p != nil { // the reader's checks are not complete
			list, err = nil, fmt.Errorf("the font file is damaged (%v)", p)
		}
	}()
	fonts := 1
	if len(data) >= minFile && (string(data[:4]) == "ttcf" || string(data[:8]) == "wOF2ttcf") {
		fonts = maxFonts
	}
	for i := range fonts {
		ld, err := open(data, i)
		if err != nil {
			if i > 0 {
				break // as many as there are
			}
			return nil, err
		}
		list = append(list, membersOf(ld, i)...)
	}
	return list, nil
}

// open gives the tables of one font in a file, after the checks a foreign file
// asks for; WOFF2 is unpacked.
func open(data []byte, index int) (*ot.Loader, error) {
	if len(data) < minFile {
		return nil, errors.New("not a font: the file is too short")
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("the font file has %d MB; at most %d MB are read", len(data)>>20, maxFile>>20)
	}
	if string(data[:4]) == "wOF2" {
		var err error
		if data, err = unpackWOFF2(data, index); err != nil {
			return nil, err
		}
		if len(data) < minFile {
			return nil, errTruncated
		}
		index = 0
	}
	if err := checkDirectory(data); err != nil {
		return nil, err
	}
	loaders, err := ot.NewLoaders(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not a font that can be read: %w", err)
	}
	if len(loaders) == 0 {
		return nil, errors.New("the font collection is empty")
	}
	if index < 0 || index >= len(loaders) {
		return nil, fmt.Errorf("the file holds %d fonts; there is no font %d", len(loaders), index+1)
	}
	return loaders[index], nil
}

func membersOf(ld *ot.Loader, index int) []Member {
	desc, _ := otfont.Describe(ld, nil)
	m := Member{Family: desc.Family, Weight: clampWeight(int(math.Round(float64(desc.Aspect.Weight)))),
		Italic: desc.Aspect.Style == otfont.StyleItalic, Index: index}
	if m.Family == "" {
		return nil
	}
	m.MaxWeight = m.Weight
	out := []Member{m}
	axes, instances := axesOf(ld)
	for _, a := range axes {
		if a.tag == weightTag {
			out[0].Weight = clampWeight(int(math.Ceil(float64(a.low))))
			out[0].MaxWeight = max(out[0].Weight, min(900, int(a.top)))
		}
	}
	var names tables.Name
	if raw, err := ld.RawTable(ot.MustNewTag("name")); err == nil {
		names, _, _ = tables.ParseName(raw)
	}
	seen := map[string]bool{}
	for _, in := range instances {
		v := m
		for k, a := range axes {
			at := in.coord[k]
			switch {
			case a.tag == weightTag || at == a.def || at < a.low || at > a.top:
			case a.tag == ot.MustNewTag("ital") && at >= 0.5, a.tag == ot.MustNewTag("slnt") && at < 0:
				v.Italic = true
				fallthrough
			default:
				v.Axes = append(v.Axes, Axis{a.tag.String(), at})
			}
		}
		if len(v.Axes) == 0 {
			continue
		}
		v.Weight, v.MaxWeight = out[0].Weight, out[0].MaxWeight
		if width := instanceName(names.Name(tables.NameID(in.name))); width != "" {
			v.Family += " " + width
		} else if !v.Italic {
			continue // the name tells nothing a family could be called by
		}
		key := fmt.Sprint(v.Family, v.Italic)
		if !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

var weightTag = ot.MustNewTag("wght")

// axisRange is an axis of a variable font, instance a named place on its axes.
type axisRange struct {
	tag           ot.Tag
	low, def, top float32
}

type instance struct {
	name  uint16 // in the name table
	coord []float32
}

// axesOf reads the axes and instances of a variable font; none for a static font
// or a table that cannot be read. (go-text reads the axes, but takes a wrong size
// for the instances.)
func axesOf(ld *ot.Loader) (axes []axisRange, instances []instance) {
	raw, err := ld.RawTable(ot.MustNewTag("fvar"))
	if err != nil {
		return nil, nil // a static font
	}
	s := &stream{data: raw}
	s.take(4)
	at := s.u16()
	s.take(2)
	n, size, count, each := s.u16(), s.u16(), s.u16(), s.u16()
	if s.bad || at > len(raw) || n == 0 || n > 64 || size != 20 {
		return nil, nil
	}
	fixed := func(s *stream) float32 { return float32(int32(s.u32())) / (1 << 16) }
	s = &stream{data: raw[at:]}
	for range n {
		a := axisRange{tag: ot.Tag(s.u32())}
		a.low, a.def, a.top = fixed(s), fixed(s), fixed(s)
		s.take(4)
		if a.low > a.def || a.def > a.top {
			return nil, nil
		}
		axes = append(axes, a)
	}
	if s.bad {
		return nil, nil
	}
	for i := 0; i < min(count, maxInstances) && each >= 4+4*n; i++ {
		r := &stream{data: s.take(each)}
		if s.bad {
			break
		}
		in := instance{name: uint16(r.u16())}
		r.take(2)
		for range n {
			in.coord = append(in.coord, fixed(r))
		}
		instances = append(instances, in)
	}
	return axes, instances
}

// styleWords are the parts of an instance's name that say its weight or slant.
var styleWords = " thin hairline extralight ultralight light regular normal book text medium semibold demibold bold extrabold ultrabold black heavy extra ultra semi demi italic oblique roman "

// instanceName is what is left of an instance's name without weight and slant:
// "SemiCondensed Bold Italic" is "SemiCondensed".
func instanceName(name string) string {
	var kept []string
	for _, w := range strings.Fields(name) {
		if !strings.Contains(styleWords, " "+strings.ToLower(w)+" ") {
			kept = append(kept, w)
		}
	}
	if name = strings.Join(kept, " "); len(name) > 64 {
		return ""
	}
	return name
}
