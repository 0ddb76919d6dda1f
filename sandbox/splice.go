package sandbox

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A splice replaces Old, which stands at byte From of a text, by New.
type splice struct {
	From     int
	Old, New string
}

// A pass is a set of splices made at the same time: sorted by From, not
// overlapping, every From counted in the text before the pass.
type pass []splice

// apply makes the pass; the caller vouches that every Old is there.
func (p pass) apply(text string) string {
	if len(p) == 0 {
		return text
	}
	n := len(text)
	for _, s := range p {
		n += len(s.New) - len(s.Old)
	}
	var b strings.Builder
	b.Grow(n)
	at := 0
	for _, s := range p {
		b.WriteString(text[at:s.From])
		b.WriteString(s.New)
		at = s.From + len(s.Old)
	}
	b.WriteString(text[at:])
	return b.String()
}

// fits reports whether every Old stands where the pass says.
func (p pass) fits(text string) bool {
	at := 0
	for _, s := range p {
		if s.From < at || s.From+len(s.Old) > len(text) || text[s.From:s.From+len(s.Old)] != s.Old {
			return false
		}
		at = s.From + len(s.Old)
	}
	return true
}

// inverse takes the pass back.
func (p pass) inverse() pass {
	inv := make(pass, len(p))
	shift := 0
	for i, s := range p {
		inv[i] = splice{From: s.From + shift, Old: s.New, New: s.Old}
		shift += len(s.New) - len(s.Old)
	}
	return inv
}

// size is what the pass holds in memory, in bytes.
func (p pass) size() int {
	n := 0
	for _, s := range p {
		n += len(s.Old) + len(s.New) + 48
	}
	return n
}

// moved returns the pass as it has to be made after q was made on the same
// text; false when the two touch the same passage.
func (p pass) moved(q pass) (pass, bool) {
	out := make(pass, len(p))
	shift, j := 0, 0
	for i, s := range p {
		end := s.From + len(s.Old)
		for j < len(q) && q[j].From+len(q[j].Old) <= s.From && (q[j].From < s.From || len(q[j].Old) > 0 || len(s.Old) > 0) {
			shift += len(q[j].New) - len(q[j].Old)
			j++
		}
		if j < len(q) && q[j].From < end {
			return nil, false
		}
		out[i] = splice{From: s.From + shift, Old: s.Old, New: s.New}
	}
	return out, true
}

// difference is the smallest single splice that turns from into to, on
// character borders; an empty pass when they are equal.
func difference(from, to string) pass {
	if from == to {
		return nil
	}
	head := 0
	for head < len(from) && head < len(to) && from[head] == to[head] {
		head++
	}
	for head > 0 && (head < len(from) && !utf8.RuneStart(from[head]) || head < len(to) && !utf8.RuneStart(to[head])) {
		head--
	}
	tail := 0
	for tail < len(from)-head && tail < len(to)-head && from[len(from)-1-tail] == to[len(to)-1-tail] {
		tail++
	}
	for tail > 0 && (!utf8.RuneStart(from[len(from)-tail]) || !utf8.RuneStart(to[len(to)-tail])) {
		tail--
	}
	return pass{{From: head, Old: strings.Clone(from[head : len(from)-tail]), New: strings.Clone(to[head : len(to)-tail])}}
}

// An edit is what one call did to one chapter: passes made one after another.
type edit []pass

func (e edit) apply(text string) string {
	for _, p := range e {
		text = p.apply(text)
	}
	return text
}

// inverse takes the edit back.
func (e edit) inverse() edit {
	inv := make(edit, 0, len(e))
	for _, p := range slices.Backward(e) {
		inv = append(inv, p.inverse())
	}
	return inv
}

func (e edit) size() int {
	n := 0
	for _, p := range e {
		n += p.size() + 24
	}
	return n
}

// over moves the edit, made last on the text that q then changed, over q: it
// returns the edit as it would have been had q come first, and q as it would
// have been made before the edit. False when they touch the same passage.
func (e edit) over(q pass) (edit, pass, bool) {
	out := slices.Clone(e)
	for i, p := range slices.Backward(e) {
		// q follows p. Seen from the text after p, take p back: inverse(p) and q
		// are made on the same text.
		inv, ok := p.inverse().moved(q)
		if !ok {
			return nil, nil, false
		}
		before, ok := q.moved(p.inverse())
		if !ok {
			return nil, nil, false
		}
		out[i] = inv.inverse()
		q = before
	}
	return out, q, true
}
