package font

import (
	"fmt"
	"sort"
	"strings"
)

// Set holds loaded faces and finds the nearest to what is asked for. The zero
// value is an empty set.
type Set struct {
	faces  []*Face
	loaded map[loadKey]*Face
}

type loadKey struct {
	first *byte // a file handed out twice is the same memory
	size  int
	about string
	w     int
	it    bool
	index int
	axes  string
}

// Add puts a face into the set.
func (s *Set) Add(f *Face) { s.faces = append(s.faces, f) }

// Faces lists the set in the order of adding.
func (s *Set) Faces() []*Face { return s.faces }

// Load parses a file and adds its face, or returns the face that is there
// already for the same bytes, family, weight and slant.
func (s *Set) Load(file File) (*Face, error) {
	var k loadKey
	if len(file.Data) > 0 {
		k = loadKey{&file.Data[0], len(file.Data), Fold(file.Family), file.Weight, file.Italic, file.Index, fmt.Sprint(file.Axes)}
		if f := s.loaded[k]; f != nil {
			return f, nil
		}
	}
	f, err := ParseFile(file)
	if err != nil {
		return nil, err
	}
	for _, have := range s.faces { // the same bytes from another buffer
		if have.Key == f.Key && have.Weight == f.Weight && have.Italic == f.Italic && Fold(have.Family) == Fold(f.Family) {
			f = have
			break
		}
	}
	if s.loaded == nil {
		s.loaded = map[loadKey]*Face{}
	}
	s.loaded[k] = f
	if len(s.faces) == 0 || s.index(f) < 0 {
		s.Add(f)
	}
	return f, nil
}

func (s *Set) index(f *Face) int {
	for i, have := range s.faces {
		if have == f {
			return i
		}
	}
	return -1
}

// Lookup returns the face of the family nearest to weight and slant, nil when
// the family is not in the set. The slant is kept before the weight.
func (s *Set) Lookup(family string, weight int, italic bool) *Face {
	key := Fold(family)
	styles := make([]Style, 0, 8)
	faces := make([]*Face, 0, 8)
	for _, f := range s.faces {
		if Fold(f.Family) == key {
			faces, styles = append(faces, f), append(styles, Style{f.Weight, f.Italic})
		}
	}
	if i := Nearest(styles, weight, italic); i >= 0 {
		return faces[i]
	}
	return nil
}

// Families lists the families of the set, sorted.
func (s *Set) Families() []string {
	seen := map[string]bool{}
	var out []string
	for _, f := range s.faces {
		if k := Fold(f.Family); !seen[k] {
			seen[k] = true
			out = append(out, f.Family)
		}
	}
	sort.Strings(out)
	return out
}

// Fold reduces a family name to what distinguishes it: "EB Garamond",
// "eb-garamond" and "EBGaramond" are one family.
func Fold(family string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-' || r == '_':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, family)
}

// Style is what distinguishes the faces of a family.
type Style struct {
	Weight int
	Italic bool
}

// Nearest returns the index of the style that serves a request best, by the
// font matching rules of CSS (Fonts Level 4, 5.2): slant first, then weight;
// among weights, a request of 400 to 500 looks up to 500, then down, then up; a
// lighter one down, then up; a heavier one up, then down. -1 without styles.
func Nearest(styles []Style, weight int, italic bool) int {
	best, cost := -1, 0
	for i, s := range styles {
		c := weightCost(s.Weight, weight)
		if s.Italic != italic {
			c += 1 << 20
		}
		if best < 0 || c < cost {
			best, cost = i, c
		}
	}
	return best
}

// weightCost orders weights by CSS's search: each leg of it costs more than all
// of the one before.
func weightCost(have, want int) int {
	const leg = 1 << 12
	switch {
	case have == want:
		return 0
	case want >= 400 && want <= 500:
		switch {
		case have > want && have <= 500:
			return have - want
		case have < want:
			return leg + want - have
		}
		return 2*leg + have - want
	case want < 400:
		if have < want {
			return want - have
		}
		return leg + have - want
	}
	if have > want {
		return have - want
	}
	return leg + want - have
}
