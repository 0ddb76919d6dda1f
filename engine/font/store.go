package font

import "strings"

// Store hands out memory for shapes that are kept, in slabs: a book has tens of
// thousands of words, each a shape with some glyphs and a text, and a slab is
// one piece of work for the allocator and the garbage collector. A slab lives as
// long as anything in it. The zero value is ready.
type Store struct {
	shapes []Shape
	glyphs []Glyph
	texts  strings.Builder
}

// The sizes of slabs: small enough that one word in use holds on to little.
const (
	shapeSlab = 32
	glyphSlab = 256
	textSlab  = 2048 // bytes
)

// Shape is a new empty shape.
func (s *Store) Shape() *Shape {
	if len(s.shapes) == 0 {
		s.shapes = make([]Shape, shapeSlab)
	}
	sh := &s.shapes[0]
	s.shapes = s.shapes[1:]
	return sh
}

// Glyphs is room for n glyphs. It has no more capacity than that: what is
// appended beyond goes elsewhere.
func (s *Store) Glyphs(n int) []Glyph {
	if n > glyphSlab/4 {
		return make([]Glyph, n)
	}
	if n > len(s.glyphs) {
		s.glyphs = make([]Glyph, glyphSlab)
	}
	g := s.glyphs[:n:n]
	s.glyphs = s.glyphs[n:]
	return g
}

// Text is a copy of a text.
func (s *Store) Text(text string) string {
	if len(text) > textSlab/4 {
		return strings.Clone(text)
	}
	if s.texts.Cap()-s.texts.Len() < len(text) {
		s.texts = strings.Builder{}
		s.texts.Grow(textSlab)
	}
	from := s.texts.Len()
	s.texts.WriteString(text)
	return s.texts.String()[from:]
}
