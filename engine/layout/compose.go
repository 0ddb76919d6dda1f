package layout

import (
	"unicode/utf8"

	"postext/engine/font"
)

// Half of the different words of a book are words met before with a comma, a
// stop or a quote at one end. Such a word is not shaped anew: the shape of the
// bare word is joined with that of its marks. What a font does where the two
// meet (kerning, mostly) is learned once for each pair of letter and marks; a
// pair that is more than kerning is not joined, and the word shaped whole. A
// test compares joined and whole shapes over the corpus.

// seam is what happens where a letter meets the marks behind or before it.
type seam struct {
	ok bool
	// pair is the letter with its marks; letter the letter alone.
	pair, letter *font.Shape
}

// opens and closes are the marks that are joined.
func opens(r rune) bool {
	switch r {
	case '“', '‘', '(', '[', '"', '\'', '«', '„', '‚', '¿', '¡':
		return true
	}
	return false
}

func closes(r rune) bool {
	switch r {
	case ',', '.', ';', ':', '!', '?', '”', '’', ')', ']', '"', '\'', '»':
		return true
	}
	return false
}

const minCore = 3 // bytes of a bare word worth keeping apart

// bare finds the word without the marks around it.
func bare(text string) (from, to int) {
	to = len(text)
	for from < to {
		r, n := utf8.DecodeRuneInString(text[from:])
		if !opens(r) {
			break
		}
		from += n
	}
	for to > from {
		r, n := utf8.DecodeLastRuneInString(text[:to])
		if !closes(r) {
			break
		}
		to -= n
	}
	return
}

// compose makes a word of a bare word and its marks, nil when that cannot be.
func (f *fount) compose(text string) *word {
	from, to := bare(text)
	if to-from < minCore || to-from == len(text) {
		return nil
	}
	core := f.word(text[from:to])
	cs := core.shape
	if core.more != nil || cs.RTL || cs.Missing || len(cs.Glyphs) == 0 {
		return nil
	}
	s := f.store.Shape()
	*s = font.Shape{Face: cs.Face, Text: f.store.Text(text), Glyphs: f.store.Glyphs(len(cs.Glyphs) + len(text) - (to - from))[:0]}
	if from > 0 {
		_, n := utf8.DecodeRuneInString(text[from:])
		m := f.seam(text[:from+n], from, false)
		k := 0
		if m.ok {
			k = len(m.pair.Glyphs) - 1
		}
		if !m.ok || !alone(cs, 0, n) || cs.Glyphs[0].ID != m.letter.Glyphs[0].ID {
			return nil
		}
		s.Glyphs = append(s.Glyphs, m.pair.Glyphs[:k]...)
	}
	for _, g := range cs.Glyphs {
		g.Cluster += int32(from)
		s.Glyphs = append(s.Glyphs, g)
	}
	if to < len(text) {
		r, n := utf8.DecodeLastRuneInString(text[:to])
		m := f.seam(text[to-n:], n, true)
		last := len(cs.Glyphs) - 1
		if !m.ok || !letter(r) || !alone(cs, last, len(cs.Text)) || int(cs.Glyphs[last].Cluster) != len(cs.Text)-n ||
			cs.Glyphs[last].ID != m.letter.Glyphs[0].ID {
			return nil
		}
		g := &s.Glyphs[len(s.Glyphs)-1]
		g.Advance += m.pair.Glyphs[0].Advance - m.letter.Glyphs[0].Advance
		for _, q := range m.pair.Glyphs[1:] {
			q.Cluster += int32(to - n)
			s.Glyphs = append(s.Glyphs, q)
		}
	}
	for i := range s.Glyphs {
		s.Advance += s.Glyphs[i].Advance
	}
	w := f.newWord()
	w.shape, w.face, w.width = s, s.Face, f.extent(s)
	if len(core.cuts) > 0 {
		// The marks move the cuts, no more.
		lead := f.extent(s)
		if from > 0 {
			lead -= f.extentFrom(s, int32(from))
		} else {
			lead = 0
		}
		w.cuts = f.newCuts(len(core.cuts))
		for i, c := range core.cuts {
			w.cuts[i] = cut{at: c.at + int32(from), pos: c.pos + lead, hyphen: c.hyphen}
		}
	}
	return w
}

// alone reports whether glyph i is the only one of its cluster and the cluster
// ends at byte end.
func alone(s *font.Shape, i, end int) bool {
	g := s.Glyphs
	if i > 0 && g[i-1].Cluster == g[i].Cluster {
		return false
	}
	if i+1 < len(g) {
		return int(g[i+1].Cluster) == end
	}
	return end == len(s.Text)
}

// seam learns how a letter and marks meet. text is both; the letter is its
// first n bytes when behind is set (marks stand behind it), else what follows
// its first n bytes.
func (f *fount) seam(text string, n int, behind bool) seam {
	if m, ok := f.seams.Get(text); ok {
		return m
	}
	letter := text[n:]
	if behind {
		letter = text[:n]
	}
	m := seam{pair: f.face.Shape(text, f.features()), letter: f.face.Shape(letter, f.features())}
	p, l := m.pair, m.letter
	if m.ok = !p.Missing && !p.RTL && len(l.Glyphs) == 1 && len(p.Glyphs) > 1; m.ok {
		g, at := p.Glyphs[0], 0
		if !behind {
			g = p.Glyphs[len(p.Glyphs)-1]
			at = n
		}
		m.ok = g.ID == l.Glyphs[0].ID && g.X == l.Glyphs[0].X && g.Y == l.Glyphs[0].Y && int(g.Cluster) == at
		if behind {
			m.ok = m.ok && int(p.Glyphs[1].Cluster) == n
		} else {
			m.ok = m.ok && g.Advance == l.Glyphs[0].Advance && int(p.Glyphs[len(p.Glyphs)-2].Cluster) < n
		}
	}
	f.seams.Add(f.store.Text(text), m)
	return m
}
