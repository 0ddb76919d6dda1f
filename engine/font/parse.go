package font

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"sync"

	otfont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/go-text/typesetting/harfbuzz"
)

// Limits of a font file. The largest family in use, Japanese with 20,000
// glyphs, has 8 MB a weight; a desktop collection 27 MB.
const (
	maxFile = 64 << 20
	minFile = 100
)

// impl is what a Face keeps to itself.
type impl struct {
	font  *otfont.Font
	coord []tables.Coord // normalised variation, nil for a static face

	hb      *harfbuzz.Font
	buf     *harfbuzz.Buffer
	runes   []rune // scratch of the shaper, like offsets
	offsets []int
	pairs   *pairs // nil when words are not put together
	paired  bool   // pairs has been looked for
	store   Store

	last  *cache // the set of the last call
	sets  map[Features]*cache
	young int // bytes in the young generation, see cache.go

	latin   [4]uint64 // which of U+0000–U+00FF have a glyph
	space   uint32    // glyph of U+0020, 0 when there is none
	digit   int32     // advance of U+0030
	feature map[ot.Tag]struct{}
	math    []byte // the MATH table, nil when there is none

	mu       sync.Mutex // guards the following
	drawing  *otfont.Face
	outlines map[uint32]*Outline
	segments int // held in outlines
}

// Parse reads a font file that holds one face, or the first of several: TTF, OTF,
// TTC, WOFF and WOFF2. Family, weight and italic are what the face is known by;
// with an empty family or weight 0 they are taken from the file. A variable font
// is set to the weight asked for, within its range.
//
// Any data is safe: what cannot be read gives an error.
func Parse(data []byte, family string, weight int, italic bool) (*Face, error) {
	return ParseFile(File{Data: data, Family: family, Weight: weight, Italic: italic})
}

// ParseFile is Parse for a font of a collection and other axes than the weight.
func ParseFile(file File) (face *Face, err error) {
	data, family, weight, italic := file.Data, file.Family, file.Weight, file.Italic
	// The reader's own checks are good but not complete: a font is foreign data.
	defer func() {
		if p := recover(); p != nil {
			face, err = nil, fmt.Errorf("the font file is damaged (%v)", p)
		}
	}()
	ld, err := open(data, file.Index)
	if err != nil {
		return nil, err
	}
	if err := checkGlyf(ld); err != nil {
		return nil, err
	}
	if err := checkCFF(ld); err != nil {
		return nil, err
	}
	font, err := otfont.NewFont(ld)
	if err != nil {
		return nil, fmt.Errorf("the font cannot be read: %w", err)
	}
	upem := int32(font.Upem())
	if upem < 16 || upem > 16384 {
		return nil, fmt.Errorf("the font says %d units to the em; 16 to 16384 are possible", upem)
	}
	desc := font.Describe()
	if family == "" {
		family = desc.Family
		italic = desc.Aspect.Style == otfont.StyleItalic
	}
	if weight <= 0 {
		weight = clampWeight(int(math.Round(float64(desc.Aspect.Weight))))
	}
	f := &Face{
		Family: family, Weight: clampWeight(weight), Italic: italic,
		Key: hash(data), UPem: upem,
	}
	im := &impl{font: font, sets: map[Features]*cache{}, outlines: map[uint32]*Outline{}}
	shaping := otfont.NewFace(font)
	im.drawing = otfont.NewFace(font)
	if file.Index > 0 {
		f.Key = mix(f.Key, uint64(file.Index))
	}
	if at := variation(ld, f.Weight, file.Axes); at != nil {
		shaping.SetVariations(at)
		im.drawing.SetVariations(at)
		im.coord = shaping.Coords()
		for _, v := range at {
			f.Key = mix(f.Key, uint64(v.Tag)<<32|uint64(uint32(int32(v.Value*64))))
		}
	}
	im.hb = harfbuzz.NewFont(shaping)
	im.buf = harfbuzz.NewBuffer()
	im.feature = featureTags(font)
	if math, err := ld.RawTable(ot.MustNewTag("MATH")); err == nil {
		im.math = math
	}
	for r := rune(0); r < 256; r++ {
		if _, ok := font.NominalGlyph(r); ok {
			im.latin[r>>6] |= 1 << (r & 63)
		}
	}
	f.impl = im
	f.measure(ld, shaping)
	return f, nil
}

func clampWeight(w int) int {
	switch {
	case w < 1:
		return 400
	case w > 1000:
		return 1000
	}
	return w
}

// variation sets a variable font to a weight and other axes, each within its
// range; nil for a static font.
func variation(ld *ot.Loader, weight int, axes []Axis) (out []otfont.Variation) {
	ranges, _ := axesOf(ld)
	for _, a := range ranges {
		set := a.tag == weightTag
		v := float32(weight)
		for _, x := range axes {
			if x.Tag == a.tag.String() {
				set, v = true, x.Value
			}
		}
		if set {
			out = append(out, otfont.Variation{Tag: a.tag, Value: min(max(v, a.low), a.top)})
		}
	}
	return out
}

// measure fills the metrics, each within four ems so that no sum of them can
// overflow, with fallbacks for fonts that leave them empty.
func (f *Face) measure(ld *ot.Loader, face *otfont.Face) {
	limit := 4 * f.UPem
	num := func(v float32) int32 {
		if !(v > -1e6 && v < 1e6) {
			return 0
		}
		return min(max(int32(math.Round(float64(v))), -limit), limit)
	}
	i16 := func(table []byte, at int) int32 {
		return min(max(int32(int16(binary.BigEndian.Uint16(table[at:]))), -limit), limit)
	}
	os2, err := ld.RawTable(ot.MustNewTag("OS/2"))
	if err == nil && len(os2) >= 72 {
		f.Ascent, f.Descent = i16(os2, 68), i16(os2, 70)
	}
	if f.Ascent <= 0 || f.Descent > 0 || f.Ascent-f.Descent < f.UPem/4 {
		f.Ascent, f.Descent = 0, 0
		if e, ok := face.FontHExtents(); ok {
			f.Ascent, f.Descent = num(e.Ascender), num(e.Descender)
		}
	}
	if f.Ascent <= 0 {
		f.Ascent, f.Descent = f.UPem*4/5, -f.UPem/5
	}
	if f.Descent > 0 {
		f.Descent = -f.Descent
	}
	f.CapHeight = num(face.LineMetric(otfont.CapHeight))
	if f.CapHeight <= 0 {
		f.CapHeight = f.height(face, 'H', f.UPem*7/10)
	}
	f.XHeight = num(face.LineMetric(otfont.XHeight))
	if f.XHeight <= 0 {
		f.XHeight = f.height(face, 'x', f.UPem/2)
	}
	f.UnderlinePos = num(face.LineMetric(otfont.UnderlinePosition))
	f.UnderlineHeight = num(face.LineMetric(otfont.UnderlineThickness))
	if f.UnderlineHeight <= 0 {
		f.UnderlineHeight = f.UPem / 20
	}
	if f.UnderlinePos >= 0 {
		f.UnderlinePos = -f.UPem / 10
	}
	f.StrikePos = num(face.LineMetric(otfont.StrikethroughPosition))
	f.StrikeHeight = num(face.LineMetric(otfont.StrikethroughThickness))
	if f.StrikeHeight <= 0 {
		f.StrikeHeight = f.UnderlineHeight
	}
	if f.StrikePos <= 0 {
		f.StrikePos = (f.XHeight + f.StrikeHeight) / 2
	}
	sane := func(size, pos *int32, size0, pos0 int32) {
		if *size < f.UPem/4 || *size > f.UPem {
			*size = size0
		}
		if *pos <= 0 || *pos > f.UPem {
			*pos = pos0
		}
	}
	f.SubSize, f.SubPos = num(face.LineMetric(otfont.SubscriptEmYSize)), num(face.LineMetric(otfont.SubscriptEmYOffset))
	sane(&f.SubSize, &f.SubPos, f.UPem*13/20, f.UPem*3/20)
	f.SupSize = num(face.LineMetric(otfont.SuperscriptEmYSize))
	if len(os2) >= 26 {
		f.SupPos = i16(os2, 24)
	}
	sane(&f.SupSize, &f.SupPos, f.UPem*13/20, f.UPem*7/20)

	f.Space = f.UPem / 4
	if gid, ok := face.Font.NominalGlyph(' '); ok {
		f.impl.space = uint32(gid)
		if w := num(face.HorizontalAdvance(gid)); w > 0 {
			f.Space = w
		}
	}
	f.impl.digit = f.UPem / 2
	if gid, ok := face.Font.NominalGlyph('0'); ok {
		f.impl.digit = num(face.HorizontalAdvance(gid))
	}
}

// height is the top of a letter, for fonts whose tables do not say.
func (f *Face) height(face *otfont.Face, r rune, fallback int32) int32 {
	gid, ok := face.Font.NominalGlyph(r)
	if !ok {
		return fallback
	}
	e, ok := face.GlyphExtents(gid)
	if !ok || !(e.YBearing > 0 && e.YBearing < float32(2*f.UPem)) {
		return fallback
	}
	return int32(math.Round(float64(e.YBearing)))
}

// featureTags lists the OpenType features of the face's layout tables.
func featureTags(font *otfont.Font) map[ot.Tag]struct{} {
	m := map[ot.Tag]struct{}{}
	for _, f := range font.GSUB.Features {
		m[f.Tag] = struct{}{}
	}
	for _, f := range font.GPOS.Features {
		m[f.Tag] = struct{}{}
	}
	return m
}

// HasFeature reports whether the face has an OpenType feature in any script:
// "smcp", "onum", "kern"…
func (f *Face) HasFeature(tag string) bool {
	if len(tag) != 4 {
		return false
	}
	_, ok := f.impl.feature[ot.MustNewTag(tag)]
	return ok
}

// hash is a stable 64-bit hash of the bytes, eight at a time: font files are
// large, and a file is hashed whenever a book is opened. It is no defence
// against a forged collision; two such fonts would only share their caches.
func hash(data []byte) uint64 {
	h := mix(0x9e3779b97f4a7c15, uint64(len(data)))
	for ; len(data) >= 8; data = data[8:] {
		h = mix(h, binary.LittleEndian.Uint64(data))
	}
	var tail [8]byte
	copy(tail[:], data)
	return mix(h, binary.LittleEndian.Uint64(tail[:]))
}

func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^v, 0xa0761d6478bd642f)
	return hi ^ lo + 0xe7037ed1a0b428db
}
