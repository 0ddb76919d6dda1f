package font

import (
	"slices"
	"unicode"

	otfont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// Figures chooses among a face's figures.
type Figures uint8

// Figure styles; a face without them keeps its own.
const (
	DefaultFigures Figures = iota
	Lining
	OldStyle
)

// Direction is the way a text runs.
type Direction uint8

// Directions of a text.
const (
	ByScript Direction = iota
	LeftToRight
	RightToLeft
)

// Features say how text is shaped. Values are comparable and small: they are
// half of the key of the shape cache. The zero value is ordinary text: kerning,
// standard ligatures, contextual forms and marks on.
type Features struct {
	// Language is a BCP 47 tag in lower case, "" for none; it chooses local forms.
	Language string
	Figures  Figures
	Tabular  bool // figures of one width
	// Direction is the text's, when it is known (UAX #9 finds it); ByScript lets
	// each stretch of a script have its own.
	Direction Direction
	SmallCaps,
	AllSmallCaps, // capitals as small capitals too
	NoLigatures,
	NoContextual, // no contextual alternates (code ligatures of many fonts)
	NoKerning,
	Superior, // real superior figures and letters, where the face has them
	Inferior,
	Fractions,
	Discretionary, Historical bool // rare ligatures
}

// choices ties each field to the OpenType features it sets.
func (f Features) list() []harfbuzz.Feature {
	var out []harfbuzz.Feature
	set := func(on bool, value uint32, tags ...string) {
		if !on {
			return
		}
		for _, t := range tags {
			out = append(out, harfbuzz.Feature{Tag: ot.MustNewTag(t), Value: value,
				Start: harfbuzz.FeatureGlobalStart, End: harfbuzz.FeatureGlobalEnd})
		}
	}
	set(f.Figures == Lining, 1, "lnum")
	set(f.Figures == OldStyle, 1, "onum")
	set(f.Tabular, 1, "tnum")
	set(f.SmallCaps || f.AllSmallCaps, 1, "smcp")
	set(f.AllSmallCaps, 1, "c2sc")
	set(f.NoLigatures, 0, "liga", "clig")
	set(f.NoContextual, 0, "calt")
	set(f.NoKerning, 0, "kern")
	set(f.Superior, 1, "sups")
	set(f.Inferior, 1, "subs")
	set(f.Fractions, 1, "frac")
	set(f.Discretionary, 1, "dlig")
	set(f.Historical, 1, "hlig")
	return out
}

// Shape returns the text shaped in this face, the same *Shape for the same text
// and features while it stays in the cache. The text should be a word or a
// small group of words: longer texts are shaped as well, but not kept.
//
// Scripts are found from the text; a word in a right-to-left script is set from
// right to left whatever f.RTL says.
func (f *Face) Shape(text string, ft Features) *Shape {
	c := f.impl.last
	if c == nil || c.features != ft {
		c = f.impl.set(ft)
	}
	if s, ok := c.young.Get(text); ok {
		return s
	}
	return f.miss(c, text)
}

// segment is a stretch of one script and direction.
type segment struct {
	from, to int // runes
	script   language.Script
	rtl      bool
}

// shape does the work of Shape.
func (f *Face) shape(text string, c *cache) *Shape {
	im := f.impl
	s := im.store.Shape()
	*s = Shape{Face: f, Text: im.store.Text(text)}
	if c.plain {
		if !im.paired {
			im.pairs, im.paired = newPairs(im.font), true
		}
		if im.pairs != nil && f.setPairs(s, c) {
			return s
		}
	}
	f.shapeText(s, c)
	return s
}

// shapeText has s.Text shaped by the shaper.
func (f *Face) shapeText(s *Shape, c *cache) {
	im := f.impl
	text := s.Text
	// A damaged layout table may trip the shaper: the word is then set plainly.
	defer func() {
		if recover() != nil {
			im.buf = harfbuzz.NewBuffer() // its state is unknown
			*s = Shape{Face: f, Text: text, RTL: c.features.Direction == RightToLeft}
			f.plain(s)
		}
	}()
	dir := c.features.Direction
	s.RTL = dir == RightToLeft
	runes, offsets := im.runes[:0], im.offsets[:0]
	ascii := true
	for i, r := range text {
		if r >= 0x80 {
			ascii = false
		}
		runes, offsets = append(runes, visible(r)), append(offsets, i)
	}
	if len(text) <= maxKept {
		im.runes, im.offsets = runes, offsets
	}
	s.Glyphs = im.store.Glyphs(len(runes))[:0]
	if ascii && !s.RTL {
		f.shapeSegment(s, c, runes, offsets, segment{0, len(runes), language.Latin, false})
	} else {
		segs := segments(runes, dir)
		if dir == ByScript {
			s.RTL = len(segs) > 0 && segs[0].rtl && firstStrongRTL(runes)
		}
		if s.RTL { // visual order: the first segment stands at the right
			slices.Reverse(segs)
		}
		for _, g := range segs {
			s.Joined = s.Joined || joins(g.script)
			f.shapeSegment(s, c, runes, offsets, g)
		}
	}
	f.finish(s)
}

func (f *Face) shapeSegment(s *Shape, c *cache, runes []rune, offsets []int, g segment) {
	b := f.impl.buf
	b.Clear()
	// HarfBuzz wants the surroundings of a segment, for joining scripts.
	b.AddRunes(runes, g.from, g.to-g.from)
	b.Flags = harfbuzz.RemoveDefaultIgnorables
	b.ClusterLevel = harfbuzz.MonotoneGraphemes
	b.Props = harfbuzz.SegmentProperties{Language: c.language, Script: g.script, Direction: harfbuzz.LeftToRight}
	if g.rtl {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.Shape(f.impl.hb, c.list)
	limit := 16 * f.UPem
	for i := range b.Info {
		p := &b.Pos[i]
		gl := Glyph{
			ID:      uint32(b.Info[i].Glyph),
			Advance: min(max(int32(p.XAdvance), -limit), limit),
			X:       min(max(int32(p.XOffset), -limit), limit),
			Y:       min(max(int32(p.YOffset), -limit), limit),
			Cluster: int32(offsets[min(max(b.Info[i].Cluster, 0), len(offsets)-1)]),
		}
		if otfont.GID(gl.ID) == otfont.EmptyGlyph {
			gl.ID = Invisible
		}
		s.Glyphs = append(s.Glyphs, gl)
	}
}

// finish gives missing spaces their width and sums up.
func (f *Face) finish(s *Shape) {
	var sum int64
	for i := range s.Glyphs {
		g := &s.Glyphs[i]
		if g.ID == 0 {
			r := runeAt(s.Text, int(g.Cluster))
			if w, ok := f.spaceWidth(r); ok {
				g.ID, g.Advance, g.X, g.Y = f.impl.space, w, 0, 0
				if g.ID == 0 {
					g.ID = Invisible
				}
			} else {
				s.Missing = true
			}
		}
		sum += int64(g.Advance)
	}
	const limit = 1 << 30
	s.Advance = int32(min(max(sum, -limit), limit))
}

// plain sets each character's nominal glyph, without layout tables.
func (f *Face) plain(s *Shape) {
	for i, r := range s.Text {
		if r = visible(r); harfbuzz.IsDefaultIgnorable(r) {
			continue
		}
		gid, _ := f.impl.font.NominalGlyph(r)
		s.Glyphs = append(s.Glyphs, Glyph{ID: uint32(gid), Advance: f.GlyphAdvance(uint32(gid)), Cluster: int32(i)})
	}
	f.finish(s)
}

// visible maps control characters, which no font has, to what is set for them:
// a tab or a line end is a space, any other is nothing.
func visible(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case r >= 0 && r < 0x20 || r >= 0x7F && r < 0xA0:
		return 0x200B
	}
	return r
}

// spaceWidth gives the width of a space character the face may lack
// (document-format.md 7.6; the general punctuation block's own definitions).
func (f *Face) spaceWidth(r rune) (int32, bool) {
	switch visible(r) {
	case ' ', 0xA0:
		return f.Space, true
	case 0x202F: // narrow no-break space
		return f.Space / 2, true
	case 0x2007: // figure space
		return f.impl.digit, true
	case 0x2000, 0x2002:
		return f.UPem / 2, true
	case 0x2001, 0x2003, 0x3000:
		return f.UPem, true
	case 0x2004:
		return f.UPem / 3, true
	case 0x2005:
		return f.UPem / 4, true
	case 0x2006:
		return f.UPem / 6, true
	case 0x2008:
		return f.Space / 2, true
	case 0x2009:
		return f.UPem / 5, true
	case 0x200A:
		return f.UPem / 10, true
	case 0x205F:
		return f.UPem * 4 / 18, true
	}
	return 0, false
}

// Has reports whether the face can set the character: it has a glyph for it, or
// the character is a space or leaves no mark.
func (f *Face) Has(r rune) bool {
	if r >= 0 && r < 256 {
		if f.impl.latin[r>>6]&(1<<(r&63)) != 0 {
			return true
		}
	} else if _, ok := f.impl.font.NominalGlyph(r); ok {
		return true
	}
	r = visible(r)
	if _, ok := f.spaceWidth(r); ok {
		return true
	}
	return harfbuzz.IsDefaultIgnorable(r)
}

// Glyph returns the nominal glyph of a character, without shaping.
func (f *Face) Glyph(r rune) (id uint32, ok bool) {
	gid, ok := f.impl.font.NominalGlyph(r)
	return uint32(gid), ok
}

// GlyphAdvance returns a glyph's own advance in font units, 0 for one the face
// does not have.
func (f *Face) GlyphAdvance(id uint32) (advance int32) {
	if id == Invisible || id > 0xFFFF {
		return 0
	}
	defer func() {
		if recover() != nil {
			advance = 0
		}
	}()
	f.impl.mu.Lock()
	defer f.impl.mu.Unlock()
	w := f.impl.drawing.HorizontalAdvance(otfont.GID(id))
	if !(w >= 0 && w < 1<<20) {
		return 0
	}
	return int32(w + 0.5)
}

// Hyphen is the shape of the hyphen a line may end with.
func (f *Face) Hyphen(ft Features) *Shape {
	if !f.Has('-') && f.Has(0x2010) {
		return f.Shape("\u2010", ft)
	}
	return f.Shape("-", ft)
}

// segments cuts a word into stretches of one script and direction. Characters
// of no script of their own join the stretch before them, those at the start
// the one behind; a word of none is Latin, so that figures and stops are kerned
// alike everywhere. Where the script tells the direction, figures among letters
// from right to left run from left to right.
func segments(runes []rune, dir Direction) []segment {
	var out []segment
	for i, r := range runes {
		sc := language.LookupScript(r)
		neutral := sc == language.Common || sc == language.Inherited || sc == language.Unknown
		if neutral && !(dir == ByScript && unicode.IsDigit(r) && len(out) > 0 && out[len(out)-1].rtl) {
			if len(out) > 0 {
				out[len(out)-1].to = i + 1
				continue
			}
			out = append(out, segment{i, i + 1, language.Common, dir == RightToLeft})
			continue
		}
		right := rightToLeft(sc) && !unicode.IsDigit(r) // figures run from left to right in every script
		if neutral {                                    // a digit among right-to-left letters
			sc, right = language.Common, false
		}
		if dir != ByScript {
			right = dir == RightToLeft
		}
		if n := len(out); n > 0 {
			l := &out[n-1]
			if l.script == language.Common && !(neutral || l.rtl != right && n > 1) {
				l.script, l.rtl, l.to = sc, right, i+1
				continue
			}
			if l.script == sc && l.rtl == right {
				l.to = i + 1
				continue
			}
		}
		out = append(out, segment{i, i + 1, sc, right})
	}
	for i := range out {
		if out[i].script == language.Common {
			out[i].script = language.Latin
		}
	}
	return out
}

func firstStrongRTL(runes []rune) bool {
	for _, r := range runes {
		switch sc := language.LookupScript(r); sc {
		case language.Common, language.Inherited, language.Unknown:
		default:
			return rightToLeft(sc)
		}
	}
	return false
}

func rightToLeft(s language.Script) bool {
	switch s {
	case language.Arabic, language.Hebrew, language.Syriac, language.Thaana, language.Nko,
		language.Samaritan, language.Mandaic, language.Adlam, language.Hanifi_Rohingya:
		return true
	}
	return false
}

// joins reports whether the letters of a script are joined.
func joins(s language.Script) bool {
	switch s {
	case language.Arabic, language.Syriac, language.Nko, language.Mandaic, language.Adlam, language.Hanifi_Rohingya,
		language.Mongolian, language.Phags_Pa:
		return true
	}
	return false
}

// Script is a character's script as ISO 15924 has it, "" for characters of no
// script or of all.
func Script(r rune) string {
	switch s := language.LookupScript(r); s {
	case language.Common, language.Inherited, language.Unknown:
		return ""
	default:
		return s.String()
	}
}

func runeAt(s string, i int) rune {
	if i < 0 || i >= len(s) {
		return -1
	}
	for _, r := range s[i:] {
		return r
	}
	return -1
}
