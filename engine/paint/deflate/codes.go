package deflate

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// lengthBase is the shortest length of each length code (RFC 1951, 3.2.5).
var lengthBase = [29]int{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}

// lengthCode is the code of each length, less 257.
var lengthCode = func() (of [maxMatch + 1]uint8) {
	for c, l := range lengthBase {
		for ; l <= maxMatch; l++ {
			of[l] = uint8(c)
		}
	}
	return of
}()

// lengthExtra is how many bits follow a length code.
func lengthExtra(code int) uint {
	if code < 8 || code == 28 {
		return 0
	}
	return uint(code/4 - 1)
}

// distanceCode is the code of a distance less one.
func distanceCode(back int) int {
	if back < 4 {
		return back
	}
	n := bits.Len32(uint32(back)) - 2
	return 2*n + 2 + back>>n&1
}

// distanceExtra is how many bits follow a distance code.
func distanceExtra(code int) uint {
	if code < 4 {
		return 0
	}
	return uint(code/2 - 1)
}

// writer puts bits together, the lowest first.
type writer struct {
	out  []byte
	bits uint64
	n    uint
}

func (w *writer) put(v uint64, n uint) {
	w.bits |= v << w.n
	if w.n += n; w.n >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.bits))
		w.bits >>= 32
		w.n -= 32
	}
}

func (w *writer) flush() {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
}

// code is a prefix code: how many bits each symbol has, and which.
type code struct {
	length []uint8
	bits   []uint16
}

func (w *writer) symbol(c *code, s int) { w.put(uint64(c.bits[s]), uint(c.length[s])) }

// block writes the tokens as one last block with codes of its own, filled up to a
// whole byte (RFC 1951, 3.2.7).
func (w *writer) block(tokens []token) {
	var symbols [286]int
	var distances [30]int
	symbols[256] = 1 // the end
	for _, t := range tokens {
		if t&isMatch == 0 {
			symbols[t]++
			continue
		}
		symbols[257+int(lengthCode[t.length()])]++
		distances[distanceCode(t.back())]++
	}
	lits, dists := newCode(symbols[:], 15), newCode(distances[:], 15)
	w.put(1, 1)
	w.put(2, 2)
	w.codes(lits, dists)
	for _, t := range tokens {
		if t&isMatch == 0 {
			w.symbol(lits, int(t))
			continue
		}
		l, c := t.length(), int(lengthCode[t.length()])
		w.symbol(lits, 257+c)
		w.put(uint64(l-lengthBase[c]), lengthExtra(c))
		d := distanceCode(t.back())
		w.symbol(dists, d)
		w.put(uint64(t.back()&(1<<distanceExtra(d)-1)), distanceExtra(d))
	}
	w.symbol(lits, 256)
	w.flush()
}

// repeats are the symbols that stand for runs in the list of code lengths: 16 of
// the length before, 17 and 18 of none.
var repeats = [19]struct{ from, most, extra int }{16: {3, 6, 2}, 17: {3, 10, 3}, 18: {11, 138, 7}}

// order is that of the code lengths' own code lengths.
var order = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codes writes both codes by their lengths.
func (w *writer) codes(lits, dists *code) {
	type entry struct{ symbol, times int }
	used := func(c *code, least int) []uint8 {
		n := len(c.length)
		for n > least && c.length[n-1] == 0 {
			n--
		}
		return c.length[:n]
	}
	l, d := used(lits, 257), used(dists, 1)
	all := slices.Concat(l, d)
	var list []entry
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		i += n
		first := int(all[i-1])
		if first != 0 {
			list = append(list, entry{first, 1})
			n--
		}
		for n > 0 {
			s := 16
			switch {
			case n < 3:
				s = first
			case first == 0 && n < 11:
				s = 17
			case first == 0:
				s = 18
			}
			k := 1
			if s >= 16 {
				k = min(n, repeats[s].most)
			}
			list = append(list, entry{s, k})
			n -= k
		}
	}
	var counts [19]int
	for _, e := range list {
		counts[e.symbol]++
	}
	lengths := newCode(counts[:], 7)
	n := len(order)
	for n > 4 && lengths.length[order[n-1]] == 0 {
		n--
	}
	w.put(uint64(len(l)-257), 5)
	w.put(uint64(len(d)-1), 5)
	w.put(uint64(n-4), 4)
	for _, s := range order[:n] {
		w.put(uint64(lengths.length[s]), 3)
	}
	for _, e := range list {
		w.symbol(lengths, e.symbol)
		if r := repeats[e.symbol]; r.most > 0 {
			w.put(uint64(e.times-r.from), uint(r.extra))
		}
	}
}

// newCode is Huffman's code for symbols that occur so often, no symbol of it
// longer than limit: when one would be, the rare ones are taken for less rare.
func newCode(counts []int, limit int) *code {
	c := &code{make([]uint8, len(counts)), make([]uint16, len(counts))}
	type node struct{ count, left, right int } // a leaf has left -1 and its symbol right
	var leaves []node
	for s, n := range counts {
		if n > 0 {
			leaves = append(leaves, node{n, -1, s})
		}
	}
	if len(leaves) == 1 {
		c.length[leaves[0].right] = 1
	}
	for longest := limit + 1; len(leaves) > 1 && longest > limit; {
		slices.SortFunc(leaves, func(a, b node) int { return cmp.Or(a.count-b.count, a.right-b.right) })
		nodes := slices.Clone(leaves)
		leaf, inner := 0, len(leaves)
		least := func() int {
			if leaf < len(leaves) && (inner == len(nodes) || nodes[leaf].count <= nodes[inner].count) {
				leaf++
				return leaf - 1
			}
			inner++
			return inner - 1
		}
		for range len(leaves) - 1 {
			a := least()
			b := least()
			nodes = append(nodes, node{nodes[a].count + nodes[b].count, a, b})
		}
		depth := make([]int, len(nodes))
		longest = 0
		for i := len(nodes) - 1; i >= 0; i-- {
			if nodes[i].left < 0 {
				c.length[nodes[i].right] = uint8(depth[i])
				longest = max(longest, depth[i])
				continue
			}
			depth[nodes[i].left], depth[nodes[i].right] = depth[i]+1, depth[i]+1
		}
		for i := range leaves {
			leaves[i].count = leaves[i].count/2 + 1
		}
	}
	// Codes of one length follow each other (RFC 1951, 3.2.2).
	var of, next [17]int
	for _, n := range c.length {
		of[n]++
	}
	of[0] = 0
	for n := 1; n < len(next); n++ {
		next[n] = (next[n-1] + of[n-1]) << 1
	}
	for s, n := range c.length {
		if n > 0 {
			c.bits[s] = bits.Reverse16(uint16(next[n])) >> (16 - n)
			next[n]++
		}
	}
	return c
}
