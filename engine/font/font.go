// Package font turns font files into faces and text into shapes.
//
// A Shape is a word shaped once per face and feature set, in font design units,
// and shared for ever after: sizes are applied by the reader (unit.Scale), so
// changing a size shapes nothing again. Shaping is go-text/typesetting's
// HarfBuzz port; one shaper serves measuring and drawing in every output.
//
// Invariants:
//   - Everything is integer, in font units (outlines: 1/OutlineUnit of one), so
//     that native and wasm agree to the bit.
//   - A face comes from outside and is hostile until proved otherwise: parsing,
//     shaping and reading outlines never panic and never run away.
//   - Default ignorables (U+00AD, U+2060, joiners…) leave no glyph behind;
//     spaces a face lacks get the widths of document-format.md 7.6.
package font

import "fmt"

// Face is one font file (or one instance of a variable font). A Face is not
// safe for concurrent shaping; reading its fields, its Shapes and its outlines
// is.
type Face struct {
	Family string
	Weight int // 100..900, of the file
	Italic bool
	// Key identifies the font by content, stable between runs and platforms.
	Key uint64

	UPem                          int32
	Ascent, Descent               int32 // typographic; Descent is negative
	CapHeight, XHeight            int32
	Space                         int32 // advance of U+0020
	UnderlinePos, UnderlineHeight int32 // UnderlinePos is the stroke's top, negative below the baseline
	StrikePos, StrikeHeight       int32 // StrikePos is the stroke's top
	SubSize, SubPos               int32 // size and drop (positive) of subscripts
	SupSize, SupPos               int32 // size and rise of superscripts

	impl *impl
}

// String names the face for messages: "EB Garamond 400 italic".
func (f *Face) String() string {
	if f.Italic {
		return fmt.Sprintf("%s %d italic", f.Family, f.Weight)
	}
	return fmt.Sprintf("%s %d", f.Family, f.Weight)
}

// Glyph is one positioned glyph, in font units.
type Glyph struct {
	ID      uint32
	Advance int32
	X, Y    int32 // offset from the pen; Y grows upwards
	Cluster int32 // byte offset in Shape.Text of the first byte it stands for
}

// Invisible is the ID of a glyph that paints nothing: a space in a face that
// has no space glyph at all.
const Invisible = ^uint32(0)

// Shape is shaped text. Shapes are shared and must not be changed.
type Shape struct {
	Face    *Face
	Text    string
	Glyphs  []Glyph // in visual order, left to right
	Advance int32   // sum of the advances
	RTL     bool
	// Missing: the face lacks a glyph for some character (glyph 0 stands there).
	Missing bool
	// Joined: its letters are joined to one another (Arabic and its kin).
	Joined bool
}

// Spaced reports whether letter spacing goes behind glyph i: not between a letter
// and its marks, and never between joined letters.
func (s *Shape) Spaced(i int) bool {
	return !s.Joined && (i+1 >= len(s.Glyphs) || s.Glyphs[i+1].Cluster != s.Glyphs[i].Cluster)
}

// Spaces counts the glyphs letter spacing goes behind.
func (s *Shape) Spaces() int {
	if s.Joined {
		return 0
	}
	n := len(s.Glyphs)
	for i := 1; i < len(s.Glyphs); i++ {
		if s.Glyphs[i].Cluster == s.Glyphs[i-1].Cluster {
			n--
		}
	}
	return n
}

// Lacking calls yield with each character the shape's face has no glyph for and
// its place in the text, in no order and perhaps more than once.
func (s *Shape) Lacking(yield func(at int, r rune)) {
	if !s.Missing {
		return
	}
	for i, g := range s.Glyphs {
		if g.ID != 0 || i > 0 && s.Glyphs[i-1].ID == 0 && s.Glyphs[i-1].Cluster == g.Cluster {
			continue
		}
		at := int(g.Cluster)
		for k, r := range s.Text[at : at+ClusterLen(s.Text[at:])] {
			if !s.Face.Has(r) {
				yield(at+k, r)
			}
		}
	}
}

// File is a font as it lies in a folder, a book or a catalogue.
type File struct {
	Data   []byte
	Family string
	Weight int // 100..900; 0 when only the file itself knows
	Italic bool
	Index  int    // which font of a collection, from 0
	Axes   []Axis // of a variable font, besides the weight
}
