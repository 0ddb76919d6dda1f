package font

import (
	"math"

	otfont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// MathTable returns the face's MATH table as it lies in the file, nil when it
// has none. It must not be changed.
func (f *Face) MathTable() []byte { return f.impl.math }

// Box is the extent of a glyph's ink around its pen, in font units; Y grows
// upwards. A glyph without ink has the zero Box.
type Box struct{ MinX, MinY, MaxX, MaxY int32 }

// GlyphBox returns the extent of a glyph's ink.
func (f *Face) GlyphBox(id uint32) (b Box) {
	if id > 0xFFFF {
		return Box{}
	}
	defer func() {
		if recover() != nil { // damaged glyph data
			b = Box{}
		}
	}()
	f.impl.mu.Lock()
	defer f.impl.mu.Unlock()
	e, ok := f.impl.drawing.GlyphExtents(otfont.GID(id))
	if !ok {
		return Box{}
	}
	limit := 16 * float64(f.UPem)
	num := func(v float64) int32 {
		if !(math.Abs(v) <= limit) {
			return 0
		}
		return int32(math.Round(v))
	}
	b.MinX, b.MaxY = num(float64(e.XBearing)), num(float64(e.YBearing))
	b.MaxX, b.MinY = num(float64(e.XBearing+e.Width)), num(float64(e.YBearing+e.Height))
	return b
}

// Alternate returns the glyph a character has under one OpenType feature at the
// given value, its nominal glyph when the feature says nothing of it. It is
// meant for features of single glyphs, such as "ssty".
func (f *Face) Alternate(r rune, tag string, value uint32) (id uint32) {
	nominal, _ := f.Glyph(r)
	if !f.HasFeature(tag) {
		return nominal
	}
	im := f.impl
	defer func() {
		if recover() != nil { // a damaged layout table
			im.buf = harfbuzz.NewBuffer()
			id = nominal
		}
	}()
	im.buf.Clear()
	im.buf.AddRunes([]rune{r}, 0, 1)
	im.buf.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: language.Latin}
	im.buf.Shape(im.hb, []harfbuzz.Feature{{Tag: ot.MustNewTag(tag), Value: value,
		Start: harfbuzz.FeatureGlobalStart, End: harfbuzz.FeatureGlobalEnd}})
	if len(im.buf.Info) != 1 {
		return nominal
	}
	return uint32(im.buf.Info[0].Glyph)
}
