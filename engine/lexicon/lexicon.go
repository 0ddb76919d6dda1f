// Package lexicon is a table of words: from short texts to what is known of
// them. A typesetter looks up every word of every paragraph, and nearly always
// finds it; this table is made for that case. It takes some two thirds of the time
// of a built-in map, and gains most where the machine has no instructions for
// hashing (WebAssembly).
//
// Words stand in the order of their first meeting, apart from the hash slots
// that point at them: common words are met early, so that those looked up again
// and again lie close together; growing moves eight bytes a word; and the
// garbage collector never looks at the slots. Slots are searched one after the
// other from a word's hash (Knuth, The Art of Computer Programming, volume 3,
// 6.4, algorithm L) and are at most half in use.
//
// Nothing may be ordered by a hash: hashes differ from run to run, so that no
// text can be written to make all its words collide.
package lexicon

import "hash/maphash"

// Table maps words to values of one type. The zero value is an empty table. It
// is not for concurrent use, and no word is ever taken out.
type Table[V any] struct {
	seed  uint64
	slots []slot
	words []entry[V]
}

// slot is 0 where it is free; else at is one more than the word's index.
type slot struct{ hash, at uint32 }

type entry[V any] struct {
	text  string
	value V
}

// least is the number of slots of a table that is not empty.
const least = 64

// Len is the number of words.
func (t *Table[V]) Len() int { return len(t.words) }

// Get returns the value of a word, and whether the table has it.
func (t *Table[V]) Get(text string) (value V, ok bool) {
	if len(t.slots) == 0 {
		return value, false
	}
	h := hash(t.seed, text)
	mask := uint32(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s.at == 0 {
			return value, false
		}
		if s.hash == h {
			if e := &t.words[s.at-1]; e.text == text {
				return e.value, true
			}
		}
	}
}

// Add puts in a word that the table does not have. It keeps text: the caller
// sees to it that text does not hold on to a whole chapter.
func (t *Table[V]) Add(text string, value V) {
	if 2*len(t.words) >= len(t.slots) {
		t.grow()
	}
	t.words = append(t.words, entry[V]{text, value})
	t.place(slot{hash(t.seed, text), uint32(len(t.words))})
}

func (t *Table[V]) place(s slot) {
	mask := uint32(len(t.slots) - 1)
	i := s.hash & mask
	for t.slots[i].at != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}

func (t *Table[V]) grow() {
	old := t.slots
	if old == nil {
		t.seed = maphash.String(maphash.MakeSeed(), "")
	}
	t.slots = make([]slot, max(least, 2*len(old)))
	for _, s := range old {
		if s.at != 0 {
			t.place(s)
		}
	}
}

// odd is 2⁶⁴ divided by the golden ratio, made odd: multiplying by it spreads
// what differs in a few bits over the upper half.
const odd = 0x9e3779b97f4a7c15

// hash takes a text in steps of eight bytes, the last of which may overlap the
// one before.
func hash(seed uint64, s string) uint32 {
	h := seed ^ uint64(len(s))
	for len(s) > 8 {
		h = (h ^ eight(s)) * odd
		h ^= h >> 32
		s = s[8:]
	}
	var v uint64
	switch n := len(s); {
	case n == 8:
		v = eight(s)
	case n >= 4:
		v = four(s) | four(s[n-4:])<<32
	case n > 0:
		v = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	h = (h ^ v) * odd
	h = (h ^ h>>32) * odd
	return uint32(h >> 32)
}

// eight and four read the first bytes of a text as a number; compilers make one
// load of it.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func four(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}
