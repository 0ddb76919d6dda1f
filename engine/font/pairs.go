package font

import (
	"unicode"
	"unicode/utf8"

	otfont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/go-text/typesetting/language"
)

// Most words are letters side by side: each is set by the glyph of its
// character, and two that meet are kerned. What two letters do is then all there
// is to know, and there are a few hundred pairs where there are tens of
// thousands of words: pairs learns them from the shaper and puts words together.
//
// That this is all the face does with a word is read from its layout tables. A
// letter is plain when no lookup in use starts at its glyph but ligatures,
// chained contexts and pair kerning, and the glyph is no mark. Two plain letters
// are a pair when no ligature and no context begins with them, and the shaper
// kerns the first by moving the second nearer or further, nothing else. A face
// whose pair lookups do more than that (move the second glyph, skip over
// letters) has no pairs at all. Words with anything else in them are shaped. A
// test holds words put together against words shaped.
type pairs struct {
	ligatures []tables.LigatureSubs
	contexts  []tables.ChainedContextualSubs3 // of two glyphs or more
	strict    []covered                       // whatever else is in use but pair kerning
	class     tables.ClassDef                 // of glyphs; nil when the face has none

	number  [apostrophe + 1]uint8 // of each letter met, from 1; 0: not met, noLetter: not plain
	letters []plainLetter
	kerns   []int16 // by the first and the second letter
	word    []uint8 // scratch: the letters at hand
}

// covered is a subtable that is looked at where a glyph is covered.
type covered interface{ Cov() tables.Coverage }

type plainLetter struct {
	id      uint32
	advance int32
	text    string
}

const (
	lastLetter = 0x24F // of Latin Extended-B: the Latin letters of nearly all languages
	apostrophe = lastLetter + 1
	maxLetters = 128
	noLetter   = 0xFF

	unmet  = int16(-1 << 15) // a pair not met
	noPair = unmet + 1       // one that must be shaped

	maxSubtables = 4096 // looked at for a letter; words of a face with more are shaped
)

// onByDefault reports whether the shaper applies a feature to Latin text unasked.
func onByDefault(feature ot.Tag) bool {
	switch feature.String() {
	case "rvrn", "ltra", "ltrm", "rand", "Harf", "HARF", "Buzz", "BUZZ", "abvm", "blwm", "ccmp", "locl", "mark", "mkmk",
		"rlig", "calt", "clig", "curs", "dist", "kern", "liga", "rclt":
		return true
	}
	return false
}

// newPairs reads a face's layout tables; nil when words cannot be put together.
// A damaged table costs the face its pairs, no more.
func newPairs(f *otfont.Font) (p *pairs) {
	defer func() {
		if recover() != nil {
			p = nil
		}
	}()
	if f.Kern != nil || f.Kerx != nil || f.Morx != nil || !f.Trak.IsEmpty() || f.GPOS.Lookups == nil {
		return nil // kerned by other rules
	}
	p = &pairs{class: f.GDEF.GlyphClassDef}
	if !inUse(&f.GSUB.Layout, func(i int) bool { return i >= len(f.GSUB.Lookups) || p.substitution(&f.GSUB.Lookups[i]) }) ||
		!inUse(&f.GPOS.Layout, func(i int) bool { return i >= len(f.GPOS.Lookups) || p.positioning(&f.GPOS.Lookups[i]) }) {
		return nil
	}
	p.kerns = make([]int16, maxLetters*maxLetters)
	for i := range p.kerns {
		p.kerns[i] = unmet
	}
	return p
}

// skipsLetters are the lookup flags by which base glyphs or ligatures are passed
// over: what stands side by side is then not what is looked at.
const skipsLetters = 2 | 4

// substitution sorts the subtables of a lookup; false when they are too many.
func (p *pairs) substitution(l *otfont.GSUBLookup) bool {
	for _, s := range l.Subtables {
		if l.Flag&skipsLetters == 0 {
			switch s := s.(type) {
			case tables.LigatureSubs:
				p.ligatures = append(p.ligatures, s)
				continue
			case tables.ChainedContextualSubs:
				if d, ok := s.Data.(tables.ChainedContextualSubs3); ok && len(d.InputCoverages) > 0 &&
					len(d.InputCoverages)+len(d.LookaheadCoverages) > 1 {
					p.contexts = append(p.contexts, d)
					continue
				}
			}
		}
		p.strict = append(p.strict, s)
	}
	return len(p.ligatures)+len(p.contexts)+len(p.strict) <= maxSubtables
}

// positioning does the same; false also when pairs are more than kerning.
func (p *pairs) positioning(l *otfont.GPOSLookup) bool {
	for _, s := range l.Subtables {
		pair, ok := s.(tables.PairPos)
		if !ok {
			p.strict = append(p.strict, s)
			continue
		}
		second := tables.ValueFormat(0)
		switch d := pair.Data.(type) {
		case tables.PairPosData1:
			second = d.ValueFormat2
		case tables.PairPosData2:
			second = d.ValueFormat2
		}
		if second != 0 || l.Flag&skipsLetters != 0 {
			return false
		}
	}
	return len(p.ligatures)+len(p.contexts)+len(p.strict) <= maxSubtables
}

// inUse calls each with every lookup the shaper applies to Latin text of no
// particular language. It reports false when that cannot be told, or each does.
func inUse(la *otfont.Layout, each func(lookup int) bool) bool {
	if len(la.FeatureVariations) > 0 {
		return false
	}
	if len(la.Scripts) == 0 {
		return len(la.Features) == 0
	}
	at := -1
	for _, tag := range []string{"latn", "DFLT", "dflt"} {
		if at = la.FindScript(ot.MustNewTag(tag)); at >= 0 {
			break
		}
	}
	if at < 0 || la.Scripts[at].DefaultLangSys == nil || la.Scripts[at].FindLanguage(ot.MustNewTag("dflt")) >= 0 {
		return false
	}
	sys := la.Scripts[at].DefaultLangSys
	for _, i := range append([]uint16{sys.RequiredFeatureIndex}, sys.FeatureIndices...) {
		if int(i) >= len(la.Features) {
			continue // 0xFFFF: no required feature
		}
		f := &la.Features[i]
		if i != sys.RequiredFeatureIndex && !onByDefault(f.Tag) {
			continue
		}
		for _, l := range f.LookupListIndices {
			if !each(int(l)) {
				return false
			}
		}
	}
	return true
}

// setPairs sets s.Text from pairs. It reports false, and leaves s alone, when
// the text must be shaped.
func (f *Face) setPairs(s *Shape, c *cache) bool {
	p := f.impl.pairs
	word := p.word[:0]
	before := 0
	for i, n := 0, 0; i < len(s.Text); i += n {
		r := rune(s.Text[i])
		if n = 1; r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s.Text[i:])
		}
		at := r
		if r > lastLetter {
			if at = apostrophe; r != '’' {
				return false
			}
		}
		k := p.number[at]
		if k == 0 {
			k = f.meetLetter(r, at, c)
		}
		if k == noLetter {
			return false
		}
		this := int(k) - 1
		if len(word) > 0 {
			kern := p.kerns[before*maxLetters+this]
			if kern == unmet {
				kern = f.meetPair(before, this, c)
			}
			if kern == noPair {
				return false
			}
		}
		word = append(word, uint8(this))
		before = this
	}
	p.word = word
	glyphs := f.impl.store.Glyphs(len(word))
	var sum, cluster int32
	for i, k := range word {
		l := &p.letters[k]
		g := Glyph{ID: l.id, Advance: l.advance, Cluster: cluster}
		if i+1 < len(word) {
			g.Advance += int32(p.kerns[int(k)*maxLetters+int(word[i+1])])
		}
		glyphs[i] = g
		sum += g.Advance
		cluster += int32(len(l.text))
	}
	s.Glyphs, s.Advance = glyphs, sum
	return true
}

// meetLetter looks at a letter for the first time.
func (f *Face) meetLetter(r, at rune, c *cache) (number uint8) {
	p := f.impl.pairs
	p.number[at] = noLetter
	defer func() {
		if recover() != nil { // a damaged table
			number = noLetter
		}
	}()
	latin := unicode.IsLetter(r) && language.LookupScript(r) == language.Latin
	if len(p.letters) == maxLetters || !(latin || r == '-' || r == '\'' || r == '’') {
		return noLetter
	}
	gid, ok := f.impl.font.NominalGlyph(r)
	if !ok || gid == 0 || gid > 0xFFFF || !p.plain(tables.GlyphID(gid)) {
		return noLetter
	}
	l := plainLetter{id: uint32(gid), text: string(r)}
	g := f.try(l.text, c)
	if len(g) != 1 || g[0].ID != l.id || g[0].X != 0 || g[0].Y != 0 || g[0].Cluster != 0 {
		return noLetter
	}
	l.advance = g[0].Advance
	p.letters = append(p.letters, l)
	p.number[at] = uint8(len(p.letters))
	return p.number[at]
}

// meetPair looks at two letters side by side for the first time.
func (f *Face) meetPair(a, b int, c *cache) (kern int16) {
	p := f.impl.pairs
	p.kerns[a*maxLetters+b] = noPair
	defer func() {
		if recover() != nil { // a damaged table
			kern = noPair
		}
	}()
	l, r := &p.letters[a], &p.letters[b]
	if p.begins(tables.GlyphID(l.id), tables.GlyphID(r.id)) {
		return noPair
	}
	g := f.try(l.text+r.text, c)
	if len(g) != 2 || g[0].ID != l.id || g[1].ID != r.id || g[1].Advance != r.advance || int(g[1].Cluster) != len(l.text) ||
		g[0].X != 0 || g[0].Y != 0 || g[1].X != 0 || g[1].Y != 0 {
		return noPair
	}
	d := g[0].Advance - l.advance
	if d <= int32(noPair) || d >= 1<<15 {
		return noPair
	}
	p.kerns[a*maxLetters+b] = int16(d)
	return int16(d)
}

// try shapes a letter or two for their glyphs alone.
func (f *Face) try(text string, c *cache) []Glyph {
	s := Shape{Text: text}
	f.shapeText(&s, c)
	return s.Glyphs
}

// plain reports whether a glyph is a plain letter's.
func (p *pairs) plain(g tables.GlyphID) bool {
	const mark = 3
	if p.class != nil {
		if c, _ := p.class.Class(g); c == mark {
			return false
		}
	}
	for _, s := range p.ligatures {
		for _, l := range ligatures(s, g) {
			if len(l.ComponentGlyphIDs) == 0 {
				return false
			}
		}
	}
	for _, s := range p.strict {
		if covers(s.Cov(), g) {
			return false
		}
	}
	return true
}

// begins reports whether a ligature or a context may begin with two glyphs.
func (p *pairs) begins(a, b tables.GlyphID) bool {
	for _, s := range p.ligatures {
		for _, l := range ligatures(s, a) {
			if l.ComponentGlyphIDs[0] == b {
				return true
			}
		}
	}
	for i := range p.contexts {
		in, ahead := p.contexts[i].InputCoverages, p.contexts[i].LookaheadCoverages
		if !covers(in[0], a) {
			continue
		}
		if len(in) > 1 {
			ahead = in[1:]
		}
		if covers(ahead[0], b) {
			return true
		}
	}
	return false
}

// ligatures of a subtable that start with a glyph.
func ligatures(s tables.LigatureSubs, g tables.GlyphID) []tables.Ligature {
	if i, ok := s.Coverage.Index(g); ok && i < len(s.LigatureSets) {
		return s.LigatureSets[i].Ligatures
	}
	return nil
}

// covers is true for a coverage that is not there: nothing is known of it.
func covers(c tables.Coverage, g tables.GlyphID) bool {
	if c == nil {
		return true
	}
	_, ok := c.Index(g)
	return ok
}
