package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"postext/engine/font"
	"postext/engine/linebreak"
	"postext/engine/unit"
)

// piece is a word in its place: between two pieces there may be glue, a place
// to break, or nothing.
type piece struct {
	w          *word
	st         *runStyle
	link       string
	start, end int32   // span in the plain text
	dx         unit.Sp // how far it stands from its place
	// The plate it stands on, from 1, and the plate's padding at its ends.
	plate       int32
	left, right unit.Sp
	bare        bool // it is no text of its own: a swatch, room
	empty       bool // it sets no word
	tab         *tabbed
}

// stop adds a place where the line may end.
func (b *builder) stop(penalty int32, flagged bool, width unit.Sp, piece, seg int32) {
	b.items = append(b.items, linebreak.Item{Kind: linebreak.Penalty, Penalty: penalty, Flagged: flagged, Width: width})
	b.refs = append(b.refs, ref{piece, seg})
}

// put adds a word.
func (b *builder) put(w *word, rs *runStyle, link string, start, end int) {
	if w.more != nil {
		text, at := w.text(), 0
		for s := range w.shapes() {
			from, to := b.spot(text, start, end, at, at+len(s.Text))
			b.put(&word{shape: s, face: s.Face, width: rs.f.extent(s)}, rs, link, from, to)
			at += len(s.Text)
		}
		return
	}
	b.afterTab = false
	if b.gap > 0 {
		// Text stands against a chip: a word keeps its distance, a mark does not.
		gap := b.gap
		b.gap = 0
		if r := after(b.plain, start); start == b.gapAt && (letter(r) || digit(r)) {
			b.glued = true
			b.roomBefore(gap, b.gapAt)
		}
	}
	k := int32(len(b.pieces))
	b.pieces = append(b.pieces, piece{w: w, st: rs, link: link, start: int32(start), end: int32(end)})
	var pos unit.Sp
	for i := range w.cuts {
		c := &w.cuts[i]
		b.items = append(b.items, linebreak.Item{Kind: linebreak.Box, Width: c.pos - pos})
		b.refs = append(b.refs, ref{k, int32(i)})
		pos = c.pos
		b.stop(hyphenPenalty, true, c.hyphen, k, int32(i+1))
	}
	b.items = append(b.items, linebreak.Item{Kind: linebreak.Box, Width: w.width - pos})
	b.refs = append(b.refs, ref{k, int32(len(w.cuts))})
	b.glued = true
}

// piece adds plain[from:to], which has no break but syllables.
func (b *builder) piece(rs *runStyle, link string, from, to int) {
	if from >= to {
		return
	}
	text := b.plain[from:to]
	if len(text) > maxPiece {
		n := font.ClusterLen(text[:maxPiece])
		for { // whole characters with their marks
			k := font.ClusterLen(text[n:min(n+maxPiece, len(text))])
			if n+k > maxPiece {
				break
			}
			n += k
		}
		b.piece(rs, link, from, from+n)
		b.piece(rs, link, from+n, to)
		return
	}
	if rs.synth != nil {
		b.smallCaps(rs, link, from, to)
		return
	}
	if rs.upper {
		text = capitals(text)
	}
	w := (*word)(nil)
	if !b.s.ts.text.Compounds && b.compound(from, to) {
		w = rs.f.part(text)
	} else {
		w = rs.f.word(text)
	}
	if rs.reserve != nil && !smallCapped(w) {
		b.smallCaps(rs.reserve, link, from, to)
		return
	}
	b.put(w, rs, link, from, to)
}

// compound reports whether plain[from:to] is a part of a hyphened compound or one
// itself.
func (b *builder) compound(from, to int) bool {
	if from > 0 && b.plain[from-1] == '-' {
		return true
	}
	k := strings.IndexByte(b.plain[from:to], '-')
	return k > 0 && from+k+1 < len(b.plain) && asciiClassAt(b.plain[from+k+1]) != blank
}

// narrowest is the width of the narrowest line of the stretch at hand, or, before
// one has been broken, of the block.
func (b *builder) narrowest() unit.Sp {
	if b.s.tabs == nil && len(b.widths) > 0 {
		return slices.Min(b.widths)
	}
	return max(min(b.s.width-b.s.first, b.s.width-b.s.hang), 1)
}

// cutUp sets a word that fits no line in steps, each an eighth of a line, with
// a place to break behind each.
func (b *builder) cutUp(w *word, rs *runStyle, link string, from, to int) error {
	if w.drawing != nil { // a formula is never divided
		b.put(w, rs, link, from, to)
		return nil
	}
	text := w.text()
	room, start := b.narrowest()/8, 0
	for i, nth := 0, 1; i < len(text); nth++ {
		if nth&1023 == 0 {
			if err := b.j.wanted(); err != nil {
				return err
			}
		}
		n := font.ClusterLen(text[i:min(i+maxPiece, len(text))])
		i += n
		p := rs.f.part(text[start:i])
		if p.width < room && i < len(text) {
			continue
		}
		first, end := b.spot(text, from, to, start, i)
		b.put(p, rs, link, first, end)
		if i < len(text) {
			b.stop(cutPenalty, false, 0, -1, 0)
		}
		start = i
	}
	if to < len(b.plain) && b.plain[to] != ' ' {
		b.stop(cutPenalty, false, 0, -1, 0)
	}
	return nil
}

// spot is the part of the plain text that text[i:k] is printed for, where text is
// printed for plain[from:to]. Capitals may take other bytes than the letters they
// are for, but as many characters; a reference or the source of a formula is
// printed for one sign of the plain text, and so is every part of it.
func (b *builder) spot(text string, from, to, i, k int) (int, int) {
	src := b.plain[from:to]
	switch {
	case src == object:
		return from, to
	case len(src) == len(text):
		return from + i, from + k
	case utf8.RuneCountInString(src) != utf8.RuneCountInString(text):
		return from, to
	}
	behind := func(n int) int { // n characters
		at := 0
		for ; n > 0; n-- {
			_, size := utf8.DecodeRuneInString(src[at:])
			at += size
		}
		return from + at
	}
	n := utf8.RuneCountInString(text[:i])
	return behind(n), behind(n + utf8.RuneCountInString(text[i:k]))
}

// smallCaps sets lowercase letters as small capitals, the rest as it is; marks
// stay with their letters.
func (b *builder) smallCaps(rs *runStyle, link string, from, to int) {
	low := func(i int) bool {
		r, _ := utf8.DecodeRuneInString(b.plain[i:to])
		return unicode.IsLower(r)
	}
	for i := from; i < to; {
		k := i
		for k < to && low(k) == low(i) {
			k += font.ClusterLen(b.plain[k:to])
		}
		if low(i) {
			st := rs.synth
			b.put(st.f.part(capitals(b.plain[i:k])), st, link, i, k)
		} else {
			b.put(rs.f.part(b.plain[i:k]), rs, link, i, k)
		}
		i = k
	}
}

// smallCapped reports whether the face's own small capitals have set every
// lowercase letter of a word: many faces have them for Latin letters alone.
func smallCapped(w *word) bool {
	for s := range w.shapes() {
		for _, g := range s.Glyphs {
			r, _ := utf8.DecodeRuneInString(s.Text[g.Cluster:])
			if r >= utf8.RuneSelf && unicode.IsLower(r) {
				if id, ok := s.Face.Glyph(r); ok && id == g.ID || s.Missing && g.ID == 0 {
					return false
				}
			}
		}
	}
	return true
}

// capitals is text in capitals, character by character, so that its length in
// characters stays (ß stays).
func capitals(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 'ß' {
			return r
		}
		return unicode.ToUpper(r)
	}, s)
}
