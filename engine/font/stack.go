package font

import (
	"unicode"
	"unicode/utf8"
)

// Stack is a face with those that stand in for it, in order, where it lacks a
// character. The first face also sets what none of them has: its empty box.
type Stack struct{ Faces []*Face }

// Shape appends the shapes that make up the text: one when the first face has
// all of it, else one per stretch of a face. Characters joined to one another
// (a letter with its marks, joined emoji) are never set from two faces.
//
// Each shape's Text is its part of the text. A shape with Missing set has
// characters of no face in the stack, which its Lacking names.
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
		n := ClusterLen(text[i:])
		next := s.face(text[i:i+n], ft)
		if next != face && i > start {
			out = append(out, face.Shape(text[start:i], ft))
			start = i
		}
		face = next
		i += n
	}
	return append(out, face.Shape(text[start:], ft))
}

// face is the first face that sets the whole cluster (a letter and a mark it has
// not may be one it has), else the first with its base, else the first of all.
func (s *Stack) face(cluster string, ft Features) *Face {
	for _, f := range s.Faces {
		if hasAll(f, cluster) {
			return f
		}
	}
	base := runeAt(cluster, 0)
	if utf8.RuneLen(base) < len(cluster) {
		for _, f := range s.Faces {
			if f.Has(base) && !f.Shape(cluster, ft).Missing {
				return f
			}
		}
	}
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

func hasAll(f *Face, text string) bool {
	for _, r := range text {
		if !f.Has(r) {
			return false
		}
	}
	return true
}

// ClusterLen is the length in bytes of the first cluster of text, what a reader
// takes for one character: a character with its marks, joined emoji, a flag, a
// syllable of Korean letters.
func ClusterLen(text string) int {
	var last rune
	for i, r := range text {
		switch {
		case i == 0 || extends(r):
		case last == 0x200D && r >= 0x2000: // joined emoji
		case flag(last) && flag(r) && i == 4:
		case hangul(last, r):
		default:
			return i
		}
		last = r
	}
	return len(text)
}

// flag reports whether r is half of a flag.
func flag(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// hangul reports whether two Korean letters belong to one syllable (UAX #29, GB6
// to GB8).
func hangul(a, b rune) bool {
	lead := func(r rune) bool { return r >= 0x1100 && r <= 0x115F || r >= 0xA960 && r <= 0xA97C }
	vowel := func(r rune) bool { return r >= 0x1160 && r <= 0x11A7 || r >= 0xD7B0 && r <= 0xD7C6 }
	final := func(r rune) bool { return r >= 0x11A8 && r <= 0x11FF || r >= 0xD7CB && r <= 0xD7FB }
	whole := func(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }
	open := func(r rune) bool { return whole(r) && (r-0xAC00)%28 == 0 }
	switch {
	case a < 0x1100:
		return false
	case lead(a):
		return lead(b) || vowel(b) || whole(b)
	case vowel(a), open(a):
		return vowel(b) || final(b)
	case final(a), whole(a):
		return final(b)
	}
	return false
}

// extends reports whether r belongs to the character before it.
func extends(r rune) bool {
	if r < 0x300 {
		return false
	}
	return r == 0x200C || r == 0x200D || r >= 0xFE00 && r <= 0xFE0F || r >= 0x1F3FB && r <= 0x1F3FF ||
		r >= 0xE0020 && r <= 0xE007F || r >= 0xE0100 && r <= 0xE01EF || unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc)
}
