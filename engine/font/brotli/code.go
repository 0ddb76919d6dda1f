package brotli

import (
	"math/bits"
	"slices"
)

// A prefix code (section 3), in canonical order: short codes by table, longer
// ones length by length.
type code struct {
	quick   [256]uint16 // by the next eight bits: symbol<<4 | length, 0 for longer codes
	counts  [16]uint16  // of codes, by length
	symbols []uint16    // by code
	single  bool        // one symbol, of no bits
}

// symbol reads one symbol.
func (d *decoder) symbol(c *code) int {
	if c.single {
		return int(c.symbols[0])
	}
	d.need(15)
	if q := c.quick[uint8(d.bits)]; q != 0 {
		d.bits >>= q & 15
		d.n -= uint(q & 15)
		return int(q >> 4)
	}
	v, first, index := 0, 0, 0
	for length := uint(1); length < 16; length++ {
		v |= int(d.bits>>(length-1)) & 1
		n := int(c.counts[length])
		if v-first < n {
			d.bits >>= length
			d.n -= length
			return int(c.symbols[index+v-first])
		}
		index += n
		first = (first + n) << 1
		v <<= 1
	}
	d.over = true // no such code
	return 0
}

// build makes the code from the lengths of its symbols' codes.
func (c *code) build(lengths []uint8) {
	var at [16]int
	for _, l := range lengths {
		c.counts[l]++
	}
	c.counts[0] = 0
	n := 0
	for l := 1; l < 16; l++ {
		at[l] = n
		n += int(c.counts[l])
	}
	c.symbols = make([]uint16, n)
	for s, l := range lengths {
		if l > 0 {
			c.symbols[at[l]] = uint16(s)
			at[l]++
		}
	}
	v, i := 0, 0
	for l := 1; l <= 8; l++ {
		for range c.counts[l] {
			entry := c.symbols[i]<<4 | uint16(l)
			for k := int(bits.Reverse16(uint16(v)) >> (16 - l)); k < 256; k += 1 << l {
				c.quick[k] = entry
			}
			v++
			i++
		}
		v <<= 1
	}
}

// code reads the description of a prefix code over size symbols.
func (d *decoder) code(c *code, size int) bool {
	*c = code{}
	kind := d.read(2)
	if kind == 1 {
		return d.simple(c, size)
	}
	// Lengths of the codes that the lengths are written in.
	order := [18]uint8{1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	width := [16]uint8{2, 2, 2, 3, 2, 2, 2, 4, 2, 2, 2, 3, 2, 2, 2, 4}
	value := [16]uint8{0, 4, 3, 2, 0, 4, 3, 1, 0, 4, 3, 2, 0, 4, 3, 5}
	var meta [18]uint8
	space, used := 32, 0
	for i := kind; i < 18 && space > 0; i++ {
		d.need(4)
		k := d.bits & 15
		d.read(uint(width[k]))
		if l := value[k]; l > 0 {
			meta[order[i]] = l
			space -= 32 >> l
			used++
		}
	}
	if used != 1 && space != 0 {
		return false
	}
	var lc code
	lc.build(meta[:])
	lc.single = used == 1
	lengths := make([]uint8, size)
	before, repeated := uint8(8), 0
	var repeating uint8
	space = 1 << 15
	for s := 0; s < size && space > 0; {
		if d.ended() {
			return false
		}
		l := d.symbol(&lc)
		if l < 16 {
			repeated = 0
			lengths[s] = uint8(l)
			s++
			if l > 0 {
				before = uint8(l)
				space -= 1 << 15 >> l
			}
			continue
		}
		extra := uint(l - 14)
		of := uint8(0)
		if l == 16 {
			of = before
		}
		if repeating != of {
			repeated, repeating = 0, of
		}
		had := repeated
		if repeated > 0 {
			repeated = (repeated - 2) << extra
		}
		repeated += d.read(extra) + 3
		n := repeated - had
		if s+n > size {
			return false
		}
		if of > 0 {
			for i := range n {
				lengths[s+i] = of
			}
			space -= n << (15 - of)
		}
		s += n
	}
	if space != 0 {
		return false
	}
	c.build(lengths)
	return true
}

// simple reads a code of at most four symbols.
func (d *decoder) simple(c *code, size int) bool {
	n := d.read(2) + 1
	width := uint(bits.Len(uint(size - 1)))
	var s [4]int
	for i := range n {
		if s[i] = d.read(width); s[i] >= size || slices.Contains(s[:i], s[i]) {
			return false
		}
	}
	lengths := make([]uint8, size)
	shape := [...][4]uint8{{}, {1, 1}, {1, 2, 2}, {2, 2, 2, 2}}[n-1]
	if n == 4 && d.read(1) == 1 {
		shape = [4]uint8{1, 2, 3, 3}
	}
	if n == 1 {
		c.single, c.symbols = true, []uint16{uint16(s[0])}
		return true
	}
	for i := range n {
		lengths[s[i]] = shape[i]
	}
	c.build(lengths)
	return true
}
