package hyphen

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxUnpacked bounds an unpacked pattern file, in bytes.
const maxUnpacked = 8 << 20

var errPatterns = errors.New("damaged pattern file")

// unpack reads a pattern file, as internal/gen writes it: deflated, and in it
// the alphabet (full stop first), the lists of levels, the sorted patterns as
// codes (for each the length shared with the one before and the length of the
// rest; then all rests; then the list of each), and the exceptions with hyphens,
// one a line. Counts are unsigned varints, texts begin with their length.
func unpack(name string, packed []byte) (*Dict, error) {
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxUnpacked))
	if err != nil {
		return nil, err
	}
	r := stream{b: data}
	d := &Dict{name: name, other: map[rune]uint8{}, exceptions: map[string][]uint8{}}
	code := uint8(0)
	for _, c := range r.text() {
		switch {
		case c < utf8.RuneSelf:
			d.ascii[c] = code
			if 'a' <= c && c <= 'z' {
				d.ascii[c-'a'+'A'] = code
			}
		default:
			d.other[c] = code
		}
		code++
	}
	if code == 0 || code > unknown {
		return nil, errPatterns
	}
	d.ascii['.'] = 0
	d.apostrophe = d.ascii['\''] != 0

	d.levels = []uint32{0}
	lists := r.count(1)
	for range lists {
		list := r.text()
		for gap := range len(list) {
			if list[gap] != 0 {
				d.steps = append(d.steps, step{uint8(gap), list[gap]})
			}
		}
		d.levels = append(d.levels, uint32(len(d.steps)))
	}

	n := r.count(2)
	shared := r.bytes(2 * n)
	if r.failed {
		return nil, errPatterns
	}
	total := 0
	for i := range n {
		total += int(shared[2*i+1])
	}
	rest := r.bytes(total)
	if r.failed {
		return nil, errPatterns
	}
	texts := make([][]uint8, n)
	var arena []uint8
	for i := range n {
		keep, more := int(shared[2*i]), int(shared[2*i+1])
		start := len(arena)
		if i > 0 && keep > len(texts[i-1]) || i == 0 && keep > 0 || keep+more == 0 {
			return nil, errPatterns
		}
		if i > 0 {
			arena = append(arena, texts[i-1][:keep]...)
		}
		arena = append(arena, rest[:more]...)
		rest = rest[more:]
		texts[i] = arena[start:len(arena):len(arena)]
	}
	level := make([]uint16, n)
	for i := range level {
		k := r.uvarint()
		if k >= uint64(lists) {
			return nil, errPatterns
		}
		level[i] = uint16(k) + 1
	}
	for _, word := range strings.Fields(r.text()) {
		places := []uint8{}
		letters := 0
		for _, c := range word {
			if c == '-' {
				places = append(places, uint8(letters))
			} else {
				letters++
			}
		}
		d.exceptions[strings.ReplaceAll(word, "-", "")] = places
	}
	if r.failed {
		return nil, errPatterns
	}
	return d, d.build(texts, level)
}

// build makes the trie, level by level, so that children stand side by side.
func (d *Dict) build(texts [][]uint8, level []uint16) error {
	type group struct{ lo, hi, depth int }
	queue := []group{{0, len(texts), 0}}
	d.nodes = []node{{}}
	for at := 0; at < len(queue); at++ {
		g := queue[at]
		nd := node{first: uint32(len(d.nodes))}
		if g.lo < g.hi && len(texts[g.lo]) == g.depth {
			nd.level = level[g.lo]
			g.lo++
		}
		last := -1
		for lo := g.lo; lo < g.hi; {
			if len(texts[lo]) <= g.depth {
				return errPatterns
			}
			c := texts[lo][g.depth]
			if int(c) <= last || c >= unknown {
				return errPatterns // not sorted
			}
			last = int(c)
			hi := lo + 1
			for hi < g.hi && len(texts[hi]) > g.depth && texts[hi][g.depth] == c {
				hi++
			}
			nd.mask |= 1 << c
			queue = append(queue, group{lo, hi, g.depth + 1})
			d.nodes = append(d.nodes, node{})
			lo = hi
		}
		d.nodes[at] = nd
	}
	return nil
}

// stream reads a pattern file; once anything is out of bounds it has failed and
// gives zeros.
type stream struct {
	b      []byte
	failed bool
}

func (r *stream) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.failed = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads the number of things of at least size bytes each.
func (r *stream) count(size int) int {
	v := r.uvarint()
	if v > uint64(len(r.b)/size) {
		r.failed = true
		return 0
	}
	return int(v)
}

func (r *stream) bytes(n int) []byte {
	if n > len(r.b) {
		r.failed = true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *stream) text() string { return string(r.bytes(r.count(1))) }
