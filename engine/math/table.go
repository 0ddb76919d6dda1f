package math

import (
	"encoding/binary"
	"errors"
	"sort"
)

// Constants are the values of MathConstants (OpenType 1.9, "MATH — The
// mathematical typesetting table"), in font units but for the three percentages.
// The names are the specification's.
type Constants struct {
	ScriptPercentScaleDown, ScriptScriptPercentScaleDown int32 // percent

	DelimitedSubFormulaMinHeight, DisplayOperatorMinHeight int32

	MathLeading, AxisHeight, AccentBaseHeight, FlattenedAccentBaseHeight              int32
	SubscriptShiftDown, SubscriptTopMax, SubscriptBaselineDropMin                     int32
	SuperscriptShiftUp, SuperscriptShiftUpCramped, SuperscriptBottomMin               int32
	SuperscriptBaselineDropMax, SubSuperscriptGapMin                                  int32
	SuperscriptBottomMaxWithSubscript, SpaceAfterScript                               int32
	UpperLimitGapMin, UpperLimitBaselineRiseMin                                       int32
	LowerLimitGapMin, LowerLimitBaselineDropMin                                       int32
	StackTopShiftUp, StackTopDisplayStyleShiftUp                                      int32
	StackBottomShiftDown, StackBottomDisplayStyleShiftDown                            int32
	StackGapMin, StackDisplayStyleGapMin                                              int32
	StretchStackTopShiftUp, StretchStackBottomShiftDown                               int32
	StretchStackGapAboveMin, StretchStackGapBelowMin                                  int32
	FractionNumeratorShiftUp, FractionNumeratorDisplayStyleShiftUp                    int32
	FractionDenominatorShiftDown, FractionDenominatorDisplayStyleShiftDown            int32
	FractionNumeratorGapMin, FractionNumDisplayStyleGapMin                            int32
	FractionRuleThickness, FractionDenominatorGapMin, FractionDenomDisplayStyleGapMin int32
	SkewedFractionHorizontalGap, SkewedFractionVerticalGap                            int32
	OverbarVerticalGap, OverbarRuleThickness, OverbarExtraAscender                    int32
	UnderbarVerticalGap, UnderbarRuleThickness, UnderbarExtraDescender                int32
	RadicalVerticalGap, RadicalDisplayStyleVerticalGap, RadicalRuleThickness          int32
	RadicalExtraAscender, RadicalKernBeforeDegree, RadicalKernAfterDegree             int32

	RadicalDegreeBottomRaisePercent int32 // percent
}

// fields lists the constants in the order of the table.
func (c *Constants) fields() []*int32 {
	return []*int32{
		&c.MathLeading, &c.AxisHeight, &c.AccentBaseHeight, &c.FlattenedAccentBaseHeight,
		&c.SubscriptShiftDown, &c.SubscriptTopMax, &c.SubscriptBaselineDropMin,
		&c.SuperscriptShiftUp, &c.SuperscriptShiftUpCramped, &c.SuperscriptBottomMin,
		&c.SuperscriptBaselineDropMax, &c.SubSuperscriptGapMin,
		&c.SuperscriptBottomMaxWithSubscript, &c.SpaceAfterScript,
		&c.UpperLimitGapMin, &c.UpperLimitBaselineRiseMin, &c.LowerLimitGapMin, &c.LowerLimitBaselineDropMin,
		&c.StackTopShiftUp, &c.StackTopDisplayStyleShiftUp, &c.StackBottomShiftDown, &c.StackBottomDisplayStyleShiftDown,
		&c.StackGapMin, &c.StackDisplayStyleGapMin,
		&c.StretchStackTopShiftUp, &c.StretchStackBottomShiftDown, &c.StretchStackGapAboveMin, &c.StretchStackGapBelowMin,
		&c.FractionNumeratorShiftUp, &c.FractionNumeratorDisplayStyleShiftUp,
		&c.FractionDenominatorShiftDown, &c.FractionDenominatorDisplayStyleShiftDown,
		&c.FractionNumeratorGapMin, &c.FractionNumDisplayStyleGapMin, &c.FractionRuleThickness,
		&c.FractionDenominatorGapMin, &c.FractionDenomDisplayStyleGapMin,
		&c.SkewedFractionHorizontalGap, &c.SkewedFractionVerticalGap,
		&c.OverbarVerticalGap, &c.OverbarRuleThickness, &c.OverbarExtraAscender,
		&c.UnderbarVerticalGap, &c.UnderbarRuleThickness, &c.UnderbarExtraDescender,
		&c.RadicalVerticalGap, &c.RadicalDisplayStyleVerticalGap, &c.RadicalRuleThickness,
		&c.RadicalExtraAscender, &c.RadicalKernBeforeDegree, &c.RadicalKernAfterDegree,
	}
}

// construction is how a glyph grows: ready variants, smallest first, then an
// assembly of parts.
type construction struct {
	variants []variant
	parts    []part
	italic   int32 // italics correction of the assembly
}

type variant struct {
	glyph   uint32
	advance int32 // extent along the direction of growth
}

// part is one piece of an assembly, from the bottom up or from the left.
type part struct {
	glyph      uint32
	start, end int32 // connectors
	full       int32
	extender   bool
}

// corner names the four corners of a glyph that kerns are known for.
type corner uint8

const (
	topRight corner = iota
	topLeft
	bottomRight
	bottomLeft
)

// kern is the cut-in of one corner: up to heights[i] kerns[i] holds, above the
// last height the last kern.
type kern struct{ heights, kerns []int32 }

func (k *kern) at(height int32) int32 {
	i := sort.Search(len(k.heights), func(i int) bool { return height < k.heights[i] })
	if i < len(k.kerns) {
		return k.kerns[i]
	}
	return 0
}

// table is a MATH table, read whole: there are some thousand entries.
type table struct {
	Constants
	italic     map[uint32]int32
	accent     map[uint32]int32
	kerns      map[uint32]*[4]kern
	vertical   map[uint32]*construction
	horizontal map[uint32]*construction
	overlap    int32 // minConnectorOverlap
}

// cursor reads big-endian numbers and remembers whether one lay outside.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) u16(at int) int {
	if at < 0 || at+2 > len(r.data) {
		r.bad = true
		return 0
	}
	return int(binary.BigEndian.Uint16(r.data[at:]))
}

func (r *reader) i16(at int) int32 { return int32(int16(r.u16(at))) }

// at is the place an offset field leads to from base; 0 means there is nothing.
func (r *reader) at(base, field int) int {
	if o := r.u16(field); o != 0 {
		return base + o
	}
	return 0
}

// Bounds of what is read: no font has more of either, and a file that says so
// costs little.
const (
	maxGlyphs = 1 << 16
	maxParts  = 64
	maxSteps  = 64
)

// coverage gives the glyphs of a coverage table in the order of their index.
func (r *reader) coverage(at int) []uint32 {
	var out []uint32
	n := r.u16(at + 2)
	switch r.u16(at) {
	case 1:
		for i := 0; i < n && !r.bad; i++ {
			out = append(out, uint32(r.u16(at+4+2*i)))
		}
	case 2:
		for i := 0; i < n && !r.bad; i++ {
			first, last := r.u16(at+4+6*i), r.u16(at+6+6*i)
			for g := first; g <= last && len(out) < maxGlyphs; g++ {
				out = append(out, uint32(g))
			}
		}
	default:
		r.bad = true
	}
	return out
}

// readTable reads a MATH table.
func readTable(data []byte) (*table, error) {
	r := &reader{data: data}
	t := &table{italic: map[uint32]int32{}, accent: map[uint32]int32{}, kerns: map[uint32]*[4]kern{},
		vertical: map[uint32]*construction{}, horizontal: map[uint32]*construction{}}
	if r.u16(0) != 1 {
		return nil, errors.New("the font's MATH table has an unknown version")
	}
	constants, info, variants := r.at(0, 4), r.at(0, 6), r.at(0, 8)
	if constants == 0 {
		return nil, errors.New("the font's MATH table has no constants")
	}
	t.ScriptPercentScaleDown, t.ScriptScriptPercentScaleDown = r.i16(constants), r.i16(constants+2)
	t.DelimitedSubFormulaMinHeight, t.DisplayOperatorMinHeight = int32(r.u16(constants+4)), int32(r.u16(constants+6))
	at := constants + 8
	for _, f := range t.fields() {
		*f = r.i16(at)
		at += 4 // value and device offset
	}
	t.RadicalDegreeBottomRaisePercent = r.i16(at)
	percent := func(p *int32, usual int32) {
		if *p < 20 || *p > 100 {
			*p = usual
		}
	}
	percent(&t.ScriptPercentScaleDown, 70)
	percent(&t.ScriptScriptPercentScaleDown, 50)
	percent(&t.RadicalDegreeBottomRaisePercent, 60)
	if info != 0 {
		r.values(r.at(info, info), t.italic)
		r.values(r.at(info, info+2), t.accent)
		r.corners(r.at(info, info+6), t)
	}
	if variants != 0 {
		t.overlap = int32(r.u16(variants))
		nv, nh := r.u16(variants+6), r.u16(variants+8)
		r.constructions(variants, r.at(variants, variants+2), variants+10, nv, t.vertical)
		r.constructions(variants, r.at(variants, variants+4), variants+10+2*nv, nh, t.horizontal)
	}
	if r.bad {
		return nil, errors.New("the font's MATH table is damaged")
	}
	return t, nil
}

// values reads a table of one value for each covered glyph.
func (r *reader) values(at int, into map[uint32]int32) {
	if at == 0 {
		return
	}
	n := r.u16(at + 2)
	for i, g := range r.coverage(r.at(at, at)) {
		if i >= n || r.bad {
			return
		}
		into[g] = r.i16(at + 4 + 4*i)
	}
}

func (r *reader) corners(at int, t *table) {
	if at == 0 {
		return
	}
	n := r.u16(at + 2)
	for i, g := range r.coverage(r.at(at, at)) {
		if i >= n || r.bad {
			return
		}
		var ks [4]kern
		any := false
		for c := range ks {
			k := r.at(at, at+4+8*i+2*c)
			if k == 0 {
				continue
			}
			steps := min(r.u16(k), maxSteps)
			any = true
			for s := 0; s <= steps && !r.bad; s++ {
				if s < steps {
					ks[c].heights = append(ks[c].heights, r.i16(k+2+4*s))
				}
				ks[c].kerns = append(ks[c].kerns, r.i16(k+2+4*r.u16(k)+4*s))
			}
		}
		if any {
			t.kerns[g] = &ks
		}
	}
}

func (r *reader) constructions(base, cover, offsets, n int, into map[uint32]*construction) {
	if cover == 0 {
		return
	}
	for i, g := range r.coverage(cover) {
		if i >= n || r.bad {
			return
		}
		at := r.at(base, offsets+2*i)
		if at == 0 {
			continue
		}
		c := &construction{}
		for k := 0; k < min(r.u16(at+2), maxParts) && !r.bad; k++ {
			c.variants = append(c.variants, variant{uint32(r.u16(at + 4 + 4*k)), int32(r.u16(at + 6 + 4*k))})
		}
		if a := r.at(at, at); a != 0 {
			c.italic = r.i16(a)
			for k := 0; k < min(r.u16(a+4), maxParts) && !r.bad; k++ {
				p := a + 6 + 10*k
				c.parts = append(c.parts, part{uint32(r.u16(p)), int32(r.u16(p + 2)), int32(r.u16(p + 4)), int32(r.u16(p + 6)), r.u16(p+8)&1 != 0})
			}
		}
		into[g] = c
	}
}
