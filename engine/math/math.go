// Package math sets TeX mathematics: source → tree of nodes → boxes.
//
// The tree is TeX's math list (Knuth, The TeXbook, chapters 17 and 18, and the
// LaTeX and AMS commands on top of it); the boxes follow appendix G with its
// font parameters replaced by the constants, italics corrections, cut-in kerns,
// variants and assemblies of an OpenType MATH table (OpenType 1.9, "MATH";
// Vieth, "OpenType math illuminated", 2009, for which parameter replaces which).
//
// Invariants:
//   - All lengths are integers (engine/unit): the same formula is the same
//     natively and in wasm.
//   - Any source is safe: it gives a formula or an *Error that says where and
//     what to write instead. Work and memory are linear in the source; groups
//     nest at most maxDepth deep.
//   - A Tree and a Formula are never changed once made.
package math

import (
	"fmt"

	"postext/engine/font"
	"postext/engine/unit"
)

// Error is what is wrong with a formula.
type Error struct {
	At  int    // byte offset in the source
	Msg string // one sentence, with what to write instead
}

func (e *Error) Error() string { return e.Msg }

// Font is a face with a MATH table. It keeps what it learned of its glyphs and
// is not for concurrent use.
type Font struct {
	Face *font.Face
	t    *table

	glyphs map[glyphKey]uint32
	boxes  map[uint32]metrics
}

type glyphKey struct {
	r     rune
	level uint8 // 0 text, 1 script, 2 script of a script
}

// metrics are what is asked of a glyph, in font units.
type metrics struct {
	advance, height, depth int32
	left, right            int32 // of the ink
}

// NewFont reads a face's MATH table.
func NewFont(f *font.Face) (*Font, error) {
	data := f.MathTable()
	if data == nil {
		return nil, fmt.Errorf("%s has no MATH table: formulas need a mathematical font", f)
	}
	t, err := readTable(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	return &Font{Face: f, t: t, glyphs: map[glyphKey]uint32{}, boxes: map[uint32]metrics{}}, nil
}

// Constants returns the font's constants.
func (f *Font) Constants() *Constants { return &f.t.Constants }

// glyph is the glyph of a character at a level of scripts.
func (f *Font) glyph(r rune, level uint8) (uint32, bool) {
	k := glyphKey{r, level}
	if g, ok := f.glyphs[k]; ok {
		return g, g != 0
	}
	g, ok := f.Face.Glyph(r)
	if !ok {
		g = 0
	} else if level > 0 {
		g = f.Face.Alternate(r, "ssty", uint32(level))
	}
	f.glyphs[k] = g
	return g, g != 0
}

func (f *Font) metrics(g uint32) metrics {
	if m, ok := f.boxes[g]; ok {
		return m
	}
	b := f.Face.GlyphBox(g)
	m := metrics{advance: f.Face.GlyphAdvance(g), height: b.MaxY, depth: -b.MinY, left: b.MinX, right: b.MaxX}
	f.boxes[g] = m
	return m
}

// Options say how a formula is set.
type Options struct {
	Size    unit.Sp // of an em
	Display bool
	Ink     unit.Color // transparent: what draws it chooses
	// Ref gives what \ref and \eqref print for an id; nil or false: "?".
	Ref func(id string) (text string, ok bool)
	// Others gives faces that have characters the mathematical face lacks, for
	// the words of \text. May be nil.
	Others func() []*font.Face
}

// Formula is a set formula: glyphs and rules around the start of its baseline.
type Formula struct {
	Width, Height, Depth unit.Sp
	Glyphs               []Glyph
	Rules                []Rule
	// Rows are the numbered lines of a display, one for a formula of one line.
	Rows []Row
}

// Glyph is one glyph at its place; X grows to the right, Y upwards from the
// baseline.
type Glyph struct {
	Face *font.Face
	ID   uint32
	Size unit.Sp
	X, Y unit.Sp
	Ink  unit.Color
}

// Rule is a filled rectangle; Y is its lower edge, upwards from the baseline.
type Rule struct {
	X, Y, W, H unit.Sp
	Ink        unit.Color
}

// Row is a line of a display that may have a number.
type Row struct {
	Y      unit.Sp // of its baseline, upwards from the formula's
	Labels []string
	Tag    string // what \tag prints, with its parentheses
	Tagged bool
	Silent bool // \notag
}

// Limits of a formula.
const (
	maxSource = 64 << 10
	maxDepth  = 96
)
