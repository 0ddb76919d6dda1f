package font

import "unicode"

// Stack is a face with those that stand in for it, in order, where it lacks a
// character. The first face also sets what none of them has: its empty box.
type Stack struct{ Faces []*Face }

// Shape appends the shapes that make up the text: one when the first face has
// all of it, else one per stretch of a face. Characters joined to one another
// (a letter with its marks, joined emoji) are never set from two faces.
//
// Each shape's Text is its part of the text. A shape with Missing set has
// characters of no face in the stack; MissingRunes names them.
func (s *Stack) Shape(out []*Shape, text string, ft Features) []*Shape {
	if len(s.Faces) == 0 || text == "" {
		return out
	}
	whole := s.Faces[0].Shape(text, ft)
	if !whole.Missing || len(s.Faces) == 1 {
		return append(out, whole)
	}
	start, face := 0, s.Faces[0]
	for i := 0; i < len(text); {
		n := clusterLen(text[i:])
		next := s.face(text[i : i+n])
		if next != face && i > start {
			out = append(out, face.Shape(text[start:i], ft))
			start = i
		}
		face = next
		i += n
	}
	return append(out, face.Shape(text[start:], ft))
}

// face is the first face that has the whole cluster, else the first with its
// base, else the first of all.
func (s *Stack) face(cluster string) *Face {
	for _, f := range s.Faces {
		if hasAll(f, cluster) {
			return f
		}
	}
	base := runeAt(cluster, 0)
	for _, f := range s.Faces {
		if f.Has(base) {
			return f
		}
	}
	return s.Faces[0]
}

// Has reports whether any face of the stack has the character.
func (s *Stack) Has(r rune) bool {
	for _, f := range s.Faces {
		if f.Has(r) {
			return true
		}
	}
	return false
}

// MissingRunes appends the characters of text that no face of the stack has, in
// order, each once.
func (s *Stack) MissingRunes(out []rune, text string) []rune {
next:
	for _, r := range text {
		if s.Has(r) {
			continue
		}
		for _, have := range out {
			if have == r {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}

func hasAll(f *Face, text string) bool {
	for _, r := range text {
		if !f.Has(r) {
			return false
		}
	}
	return true
}

// clusterLen is the length in bytes of the first cluster of text: a character
// with the marks, selectors and joined characters that follow it.
func clusterLen(text string) int {
	joined := false
	for i, r := range text {
		if i > 0 && !joined && !extends(r) {
			return i
		}
		joined = r == 0x200D && i > 0
	}
	return len(text)
}

func extends(r rune) bool {
	if r < 0x300 {
		return false
	}
	return r == 0x200D || r >= 0xFE00 && r <= 0xFE0F || r >= 0x1F3FB && r <= 0x1F3FF ||
		r >= 0xE0100 && r <= 0xE01EF || unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc)
}
