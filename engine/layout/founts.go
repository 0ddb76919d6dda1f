package layout

import (
	"context"
	"strings"

	"postext/engine/font"
	"postext/engine/lexicon"
	"postext/engine/markup"
	"postext/engine/picture"
	"postext/engine/settings"
	"postext/engine/unit"
)

// fount is a face at a size: what words are looked up in. Founts are kept from
// layout to layout, so that a word costs one map hit after its first meeting.
type fount struct {
	lay  *Layouter
	face *font.Face
	key  fountKey
	// hyphenate appends the byte offsets at which a word may be divided; nil when
	// words are not divided.
	hyphenate func(word string, dst []int) []int
	points    []int // scratch

	space  unit.Sp
	hyphen *word
	words  lexicon.Table[*word]
	parts  lexicon.Table[*word] // pieces of divided words, never divided again
	ends   lexicon.Table[hyphenEnd]
	seams  lexicon.Table[seam]

	store    font.Store // of composed words
	wordSlab []word
	cutSlab  []cut

	local   string // language whose letter forms the face has
	lastUse uint32
	sig     uint64
}

// fountKey is what makes two founts one.
type fountKey struct {
	family string
	weight int
	italic bool
	size   unit.Sp
	track  unit.Sp // added after every glyph
	caps   bool    // small capitals by the face's own feature
	plain  bool    // code: no ligatures, every sign as it was typed
	lang   string  // of the hyphenation; "" for none
	local  string  // language whose own letter forms are set; "" for none
	rtl    bool    // its words run from right to left
}

// maxWords bounds the words a fount remembers; a book of a million words has
// some 60,000 different ones.
const maxWords = 200_000

// runStyle is one way text is printed inside a block.
type runStyle struct {
	f          *fount
	rise       unit.Sp
	color      unit.Color
	underline  bool
	strike     bool
	upper      bool             // printed in capitals
	elastic    unit.Sp          // width its spaces stretch and shrink by as if it were theirs; 0: their own
	pic        *picture.Picture // a picture in the line
	picW, picH unit.Sp
	synth      *runStyle // small capitals made from capitals: the small ones
	back       *runStyle // the same for text that runs from right to left; nil until needed
	reserve    *runStyle // sets the words the face's own small capitals do not reach
	// key is its place in typeStyle.styles, from where a kept line takes its
	// colour anew when only inks changed. ownInk says that the colour comes from
	// the text itself and stays.
	key    markup.Style
	ownInk bool
}

// typeStyle is the type of a block: its body text and what the inline styles
// make of it.
type typeStyle struct {
	text     settings.Text
	code     *settings.Code
	flip     bool // italic runs come out upright, as the block is italic
	plainInk bool // emphasis has no colour of its own
	styles   map[markup.Style]*runStyle
	sig      uint64 // of everything that changes measures
	inks     uint64 // of the colours
}

// typeOf returns the type style of a text setting; equal settings share one.
func (l *Layouter) typeOf(t settings.Text, code *settings.Code, plainInk bool) *typeStyle {
	k := typeKey{t, *code, plainInk}
	if ts := l.types[k]; ts != nil {
		return ts
	}
	h := newHasher()
	h.str(t.Family)
	h.num(uint64(t.Size), uint64(t.Leading), uint64(t.Weight), uint64(t.BoldWeight), flag(t.Italic),
		flag(t.RefBold), flag(t.RefItalic), uint64(t.Tracking), flag(t.SmallCaps))
	h.str(t.Transform)
	h.str(t.HyphenLang)
	h.str(code.Family)
	h.str(code.Span.Family)
	h.num(uint64(code.Size), flag(code.Inline), flag(t.Hyphenate), uint64(code.InlineSize), uint64(code.TabSize))
	c := &code.Span
	h.num(flag(c.Bold)|flag(c.Italic)<<1|flag(c.ColorSet)<<2, uint64(c.PadX.Ems), uint64(c.PadX.Fixed), uint64(c.PadY.Ems), uint64(c.PadY.Fixed),
		uint64(c.Radius.Ems), uint64(c.Radius.Fixed), uint64(c.BorderWidth.Ems), uint64(c.BorderWidth.Fixed))
	inks := newHasher()
	inks.one(ink(c.Color))
	for i := range code.Tokens {
		k := &code.Tokens[i]
		h.one(flag(k.Bold) | flag(k.Italic)<<1)
		inks.one(ink(k.Color))
	}
	inks.num(ink(t.Color), ink(t.BoldColor), ink(t.ItalicColor), ink(t.RefColor), ink(t.MathColor), ink(code.Color), flag(plainInk))
	ts := &typeStyle{text: t, code: &k.code, flip: t.Italic, plainInk: plainInk,
		styles: map[markup.Style]*runStyle{}, sig: h.sum(), inks: inks.sum()}
	l.types[k] = ts
	return ts
}

type typeKey struct {
	text     settings.Text
	code     settings.Code
	plainInk bool
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func ink(c unit.Color) uint64 {
	return uint64(c.R)<<24 | uint64(c.G)<<16 | uint64(c.B)<<8 | uint64(c.A)
}

// Scripts in the line (document-format.md 7.2): 58 % of the size; superscripts
// raised a third of it, subscripts lowered 0.15 of it.
const scriptSize, supRise, subDrop = 580, 333, 150

// style returns how text of an inline style is printed in ts. ref adds the look
// of reference labels.
func (l *Layouter) style(ctx context.Context, ts *typeStyle, st markup.Style, ref bool) (*runStyle, error) {
	k := st
	if ref {
		k |= refStyle
	}
	if rs := ts.styles[k]; rs != nil {
		rs.f.lastUse = l.gen
		if rs.synth != nil {
			rs.synth.f.lastUse = l.gen
		}
		if r := rs.reserve; r != nil {
			r.f.lastUse, r.synth.f.lastUse = l.gen, l.gen
		}
		return rs, nil
	}
	t := &ts.text
	if t.SmallCaps && st&(markup.CodeSpan|markup.Kbd|codeBlock) == 0 {
		st |= markup.SmallCaps
	}
	fk := fountKey{family: t.Family, weight: t.Weight, italic: t.Italic, size: t.Size, track: t.Tracking}
	if t.Hyphenate {
		fk.lang = t.HyphenLang
		if fk.lang == "" {
			fk.lang = "en-us"
		}
	}
	fk.local = localForms(t.HyphenLang)
	rs := &runStyle{color: t.Color, upper: t.Transform == "uppercase" || st&upperStyle != 0, key: k}
	if st&markup.Bold != 0 {
		fk.weight = t.BoldWeight
		if !ts.plainInk && st&quietStyle == 0 {
			rs.color = t.BoldColor
		}
	}
	if st&markup.Italic != 0 {
		fk.italic = !ts.flip
		if st&markup.Bold == 0 && !ts.plainInk && st&quietStyle == 0 {
			rs.color = t.ItalicColor
		}
	}
	if st&mathStyle != 0 && t.MathColor.A != 0 {
		rs.color = t.MathColor
	}
	if ref {
		rs.color = t.RefColor
		if t.RefBold {
			fk.weight = t.BoldWeight
		}
		if t.RefItalic {
			fk.italic = !ts.flip
		}
	}
	if st&(markup.CodeSpan|markup.Kbd|codeBlock) != 0 {
		fk.lang = ""
		fk.plain = true
		if ts.code.Inline && ts.code.Span.Family != "" && st&codeBlock == 0 {
			// The wide spaces of a code face give no more than those of the text.
			base, err := l.fount(ctx, fk)
			if err != nil {
				return nil, err
			}
			rs.elastic = base.space
			fk.family = ts.code.Span.Family
			if c := &ts.code.Span; c.ColorSet {
				rs.color = c.Color
			}
			if ts.code.Span.Bold {
				fk.weight = t.BoldWeight
			}
			if ts.code.Span.Italic {
				fk.italic = !ts.flip
			}
			// The size is a share: beside smaller text the span is smaller too.
			fk.size = max(share(t.Size, ts.code.InlineSize), 1)
		}
	}
	if k := st >> tokenShift; k > 0 && st&codeBlock != 0 && int(k) <= len(ts.code.Tokens) {
		t := &ts.code.Tokens[k-1]
		rs.color = t.Color
		if t.Bold {
			fk.weight = ts.text.BoldWeight
		}
		if t.Italic {
			fk.italic = !ts.flip
		}
	}
	if st&markup.Small != 0 {
		fk.size = fk.size * 85 / 100
	}
	switch {
	case st&markup.Sup != 0:
		rs.rise = unit.Sp(unit.MulDiv(int64(fk.size), supRise, 1000))
		fk.size = unit.Sp(unit.MulDiv(int64(fk.size), scriptSize, 1000))
	case st&markup.Sub != 0:
		rs.rise = -unit.Sp(unit.MulDiv(int64(fk.size), subDrop, 1000))
		fk.size = unit.Sp(unit.MulDiv(int64(fk.size), scriptSize, 1000))
	}
	rs.underline = st&markup.Underline != 0
	rs.strike = st&markup.Strike != 0
	var err error
	if st&markup.SmallCaps != 0 {
		// The face's own small capitals are drawn to their size; else capitals
		// at 70 % stand in.
		base, err := l.fount(ctx, fk)
		if err != nil {
			return nil, err
		}
		small := *rs
		sk := fk
		sk.size = sk.size * 70 / 100
		if small.f, err = l.fount(ctx, sk); err != nil {
			return nil, err
		}
		small.upper = true
		if base.face.HasFeature("smcp") {
			fk.caps = true
			reserve := *rs
			reserve.f, reserve.synth = base, &small
			rs.reserve = &reserve
		} else {
			rs.synth = &small
		}
	}
	if rs.f, err = l.fount(ctx, fk); err != nil {
		return nil, err
	}
	ts.styles[k] = rs
	return rs, nil
}

// tokenShift is where the kind of a word of a program stands in a style, counted
// from 1; no kind is 0.
const tokenShift = 20

// refStyle marks reference labels among the keys of typeStyle.styles, codeBlock
// the text of listings, mathStyle formulas.
const (
	refStyle  markup.Style = 1 << 15
	codeBlock markup.Style = 1 << 14
	// upperStyle is text printed in capitals.
	upperStyle markup.Style = 1 << 13
	mathStyle  markup.Style = 1 << 12
	// quietStyle is emphasis that has no colour of its own.
	quietStyle markup.Style = 1 << 16
)

// localForms is the language to shape a text in when its letters have forms of its
// own (the OpenType feature locl: the comma under a Romanian s, the Turkish i that
// keeps its dot, the Polish acute, Serbian italics); "" for the others, whose words
// are put together without asking.
func localForms(lang string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(lang), "_", "-"), "-")
	switch base {
	case "az", "bg", "ca", "crh", "gag", "kk", "lt", "lv", "mk", "mo", "mt", "nl", "pl", "ro", "ru", "sr", "tr", "tt", "sah", "ba", "cv":
		return base
	}
	return ""
}

// fount finds or makes a fount.
func (l *Layouter) fount(ctx context.Context, k fountKey) (*fount, error) {
	if f := l.founts[k]; f != nil {
		f.lastUse = l.gen
		return f, nil
	}
	face, err := l.env.Face(ctx, k.family, k.weight, k.italic)
	if err != nil {
		return nil, err
	}
	f := &fount{lay: l, face: face, key: k, lastUse: l.gen}
	f.space = unit.Scale(f.face.Space, k.size, f.face.UPem) + k.track
	if f.space <= 0 {
		f.space = k.size / 4
	}
	if k.lang != "" && l.env.Hyphenate != nil {
		if f.hyphenate, err = l.env.Hyphenate(ctx, k.lang); err != nil {
			return nil, err
		}
	}
	h := newHasher()
	h.num(f.face.Key, uint64(k.size), uint64(k.track), flag(k.caps)|flag(k.plain)<<1|flag(k.rtl)<<2)
	h.str(k.lang)
	if k.local != "" && f.face.HasFeature("locl") {
		f.local = k.local
	}
	h.str(f.local)
	f.sig = h.sum()
	l.founts[k] = f
	f.hyphen = f.part("-")
	return f, nil
}

func (f *fount) features() font.Features {
	ft := font.Features{Language: f.local, SmallCaps: f.key.caps, NoLigatures: f.key.plain, NoContextual: f.key.plain}
	if f.key.rtl {
		ft.Direction = font.RightToLeft
	}
	return ft
}
