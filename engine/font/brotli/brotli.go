// Package brotli unpacks Brotli data (RFC 7932), which fonts of the web are
// packed in. It reads only: what writes Brotli is three quarters of the size of
// the libraries there are, and this code goes into the browser.
//
// Any data is safe: the result is bounded by the caller, every stretch of work by
// the data read or written.
package brotli

import (
	"errors"
	"fmt"
)

// Dictionary gives the static dictionary of appendix A, DictionarySize bytes: words
// of 4 to 24 bytes, by length. Package words sets it; a program that fetches the
// file when it is needed sets it before the first Decode. It may be called from
// several goroutines.
var Dictionary func() (string, error)

// DictionarySize is the length of the static dictionary.
const DictionarySize = 122784

// dictBits is, for each length, how many bits number its words.
var dictBits = [25]uint8{0, 0, 0, 0, 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5}

var errDamaged = errors.New("the Brotli data is damaged")

// Decode unpacks data whose result has at most limit bytes.
func Decode(data []byte, limit int) ([]byte, error) {
	d := decoder{src: data, limit: limit}
	if err := d.run(); err != nil {
		return nil, err
	}
	return d.out, nil
}

type decoder struct {
	src  []byte
	at   int
	bits uint64
	n    uint // bits held
	over bool // more was read than there is

	out    []byte
	limit  int
	window int
	ring   [4]int // the last distances, the youngest first
	words  string // the dictionary, once a word was asked for
}

// need holds at least n (≤ 32) bits; beyond the end they are zero.
func (d *decoder) need(n uint) {
	for d.n < n {
		var b byte
		if d.at < len(d.src) {
			b = d.src[d.at]
		} else if d.at > len(d.src)+8 {
			d.over = true
		}
		d.at++
		d.bits |= uint64(b) << d.n
		d.n += 8
	}
}

func (d *decoder) read(n uint) int {
	d.need(n)
	v := d.bits & (1<<n - 1)
	d.bits >>= n
	d.n -= n
	return int(v)
}

// ended reports that what was read reaches beyond the data.
func (d *decoder) ended() bool { return d.over || d.at-int(d.n/8) > len(d.src) }

func (d *decoder) run() error {
	if !d.windowSize() {
		return errDamaged
	}
	d.ring = [4]int{4, 11, 15, 16}
	for {
		last := d.read(1) == 1
		if last && d.read(1) == 1 {
			break
		}
		nibbles := d.read(2)
		if nibbles == 3 {
			if d.read(1) != 0 || last || !d.skip() {
				return errDamaged
			}
			continue
		}
		size := 0
		for i := range nibbles + 4 {
			v := d.read(4)
			if v == 0 && i == nibbles+3 && i > 3 {
				return errDamaged
			}
			size |= v << (4 * i)
		}
		size++
		if d.ended() {
			return errDamaged
		}
		if len(d.out)+size > d.limit {
			return fmt.Errorf("the Brotli data unpacks to more than %d bytes", d.limit)
		}
		if !last && d.read(1) == 1 {
			if !d.stored(size) {
				return errDamaged
			}
			continue
		}
		if err := d.block(len(d.out) + size); err != nil {
			return err
		}
		if last {
			break
		}
	}
	if d.ended() {
		return errDamaged
	}
	return nil
}

// windowSize reads how far back distances may reach (section 9.1).
func (d *decoder) windowSize() bool {
	bits := 16
	if d.read(1) == 1 {
		if n := d.read(3); n != 0 {
			bits = 17 + n
		} else {
			switch n := d.read(3); n {
			case 0:
				bits = 17
			case 1:
				return false
			default:
				bits = 8 + n
			}
		}
	}
	d.window = 1<<bits - 16
	return true
}

// skip passes over a block of metadata.
func (d *decoder) skip() bool {
	bytes, size := d.read(2), 0
	for i := range bytes {
		v := d.read(8)
		if v == 0 && i == bytes-1 && i > 0 {
			return false
		}
		size |= v << (8 * i)
	}
	if bytes > 0 {
		size++
	}
	at, ok := d.align()
	if !ok || at+size > len(d.src) {
		return false
	}
	d.at = at + size
	return true
}

// align goes to the next byte; the bits before it must be zero.
func (d *decoder) align() (at int, ok bool) {
	if d.read(d.n&7) != 0 {
		return 0, false
	}
	at = d.at - int(d.n/8)
	d.bits, d.n = 0, 0
	return at, at <= len(d.src)
}

// stored copies a block that is not packed.
func (d *decoder) stored(size int) bool {
	at, ok := d.align()
	if !ok || at+size > len(d.src) {
		return false
	}
	d.out = append(d.out, d.src[at:at+size]...)
	d.at = at + size
	return true
}

// kinds is one of the three categories of a block: literals, insert-and-copy
// lengths, distances. Each changes its type after a count of symbols.
type kinds struct {
	types       int
	typeCode    code
	countCode   code
	left        int // symbols until the next change
	now, before int
}

// Block counts (section 6).
var countBase = [26]int{1, 5, 9, 13, 17, 25, 33, 41, 49, 65, 81, 97, 113, 145, 177, 209, 241, 305, 369, 497, 753, 1265, 2289, 4337, 8433, 16625}
var countExtra = [26]uint{2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24}

// number reads a count from 1 to 256.
func (d *decoder) number() int {
	if d.read(1) == 0 {
		return 1
	}
	n := uint(d.read(3))
	return 1<<n + 1 + d.read(n)
}

func (d *decoder) kinds(k *kinds) bool {
	*k = kinds{types: d.number(), left: 1 << 24, before: 1}
	if k.types < 2 {
		return true
	}
	if !d.code(&k.typeCode, k.types+2) || !d.code(&k.countCode, 26) {
		return false
	}
	k.left = d.count(&k.countCode)
	return true
}

func (d *decoder) count(c *code) int {
	s := d.symbol(c)
	return countBase[s] + d.read(countExtra[s])
}

// change goes to the next type when the count is used up.
func (d *decoder) change(k *kinds) {
	if k.left == 0 && k.types > 1 {
		s := d.symbol(&k.typeCode)
		next := s - 2
		switch s {
		case 0:
			next = k.before
		case 1:
			next = k.now + 1
		}
		if next >= k.types {
			next -= k.types
		}
		k.before, k.now = k.now, next
		k.left = d.count(&k.countCode)
	}
	k.left--
}

// Insert and copy lengths (section 5).
var (
	insertBase  = [24]int{0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 18, 26, 34, 50, 66, 98, 130, 194, 322, 578, 1090, 2114, 6210, 22594}
	insertExtra = [24]uint{0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24}
	copyBase    = [24]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 22, 30, 38, 54, 70, 102, 134, 198, 326, 582, 1094, 2118}
	copyExtra   = [24]uint{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24}
	insertCell  = [11]int{0, 0, 0, 0, 8, 8, 0, 16, 8, 16, 16}
	copyCell    = [11]int{0, 8, 0, 8, 0, 8, 16, 0, 16, 8, 16}
)

// block unpacks a compressed block until the result has end bytes.
func (d *decoder) block(end int) error {
	var lit, cmd, dist kinds
	if !d.kinds(&lit) || !d.kinds(&cmd) || !d.kinds(&dist) {
		return errDamaged
	}
	postfix := uint(d.read(2))
	direct := d.read(4) << postfix
	modes := make([]int, lit.types)
	for i := range modes {
		modes[i] = d.read(2)
	}
	litMap, litTrees := d.contextMap(lit.types * 64)
	if litMap == nil {
		return errDamaged
	}
	distMap, distTrees := d.contextMap(dist.types * 4)
	if distMap == nil {
		return errDamaged
	}
	codes := make([]code, litTrees+cmd.types+distTrees)
	litCodes, cmdCodes, distCodes := codes[:litTrees], codes[litTrees:litTrees+cmd.types], codes[litTrees+cmd.types:]
	for _, g := range [...]struct {
		codes []code
		size  int
	}{{litCodes, 256}, {cmdCodes, 704}, {distCodes, 16 + direct + 48<<postfix}} {
		for i := range g.codes {
			if !d.code(&g.codes[i], g.size) || d.ended() {
				return errDamaged
			}
		}
	}
	for len(d.out) < end {
		if d.ended() {
			return errDamaged
		}
		d.change(&cmd)
		s := d.symbol(&cmdCodes[cmd.now])
		ins, cop := insertCell[s>>6]+s>>3&7, copyCell[s>>6]+s&7
		insert := insertBase[ins] + d.read(insertExtra[ins])
		length := copyBase[cop] + d.read(copyExtra[cop])
		if len(d.out)+insert > end {
			return errDamaged
		}
		for range insert {
			d.change(&lit)
			p1, p2 := byte(0), byte(0)
			if n := len(d.out); n > 1 {
				p1, p2 = d.out[n-1], d.out[n-2]
			} else if n > 0 {
				p1 = d.out[0]
			}
			c := litMap[lit.now*64+context(modes[lit.now], p1, p2)]
			d.out = append(d.out, byte(d.symbol(&litCodes[c])))
		}
		if len(d.out) >= end {
			break
		}
		distance := d.ring[0]
		known := true
		if s >= 128 {
			d.change(&dist)
			ds := d.symbol(&distCodes[distMap[dist.now*4+min(length-2, 3)]])
			distance = d.distance(ds, postfix, direct)
			known = ds == 0
		}
		if distance <= 0 {
			return errDamaged
		}
		back := min(d.window, len(d.out))
		if distance > back {
			if err := d.open(); err != nil {
				return err
			}
			word := d.word(length, distance-back-1)
			if word == nil || len(d.out)+len(word) > end {
				return errDamaged
			}
			d.out = append(d.out, word...)
			continue
		}
		if !known {
			d.ring = [4]int{distance, d.ring[0], d.ring[1], d.ring[2]}
		}
		if len(d.out)+length > end {
			return errDamaged
		}
		for from := len(d.out) - distance; length > 0; {
			n := min(length, len(d.out)-from)
			d.out = append(d.out, d.out[from:from+n]...)
			from, length = from+n, length-n
		}
	}
	return nil
}

// distance reads a distance (section 4).
func (d *decoder) distance(s int, postfix uint, direct int) int {
	switch {
	case s < 4:
		return d.ring[s]
	case s < 16:
		k := (s - 4) % 6
		step := k/2 + 1
		if k%2 == 0 {
			step = -step
		}
		return d.ring[(s-4)/6] + step
	case s < 16+direct:
		return s - 15
	}
	s -= 16 + direct
	h, low := s>>postfix, s&(1<<postfix-1)
	bits := uint(1 + s>>(postfix+1))
	return ((2+h&1)<<bits-4+d.read(bits))<<postfix + low + direct + 1
}

// open gets the dictionary.
func (d *decoder) open() error {
	if d.words != "" {
		return nil
	}
	if Dictionary == nil {
		return errors.New("Brotli's dictionary is not with this program")
	}
	words, err := Dictionary()
	if err == nil && len(words) != DictionarySize {
		err = fmt.Errorf("it has %d bytes, not %d", len(words), DictionarySize)
	}
	if err != nil {
		return fmt.Errorf("Brotli's dictionary cannot be had: %w", err)
	}
	d.words = words
	return nil
}

// word is a word of the dictionary, transformed (section 8); nil for none.
func (d *decoder) word(length, id int) []byte {
	if length >= len(dictBits) || dictBits[length] == 0 {
		return nil
	}
	bits := dictBits[length]
	t := id >> bits
	if t >= len(transforms) {
		return nil
	}
	at := 0
	for l := range length {
		if dictBits[l] > 0 {
			at += l << dictBits[l]
		}
	}
	at += (id & (1<<bits - 1)) * length
	w := []byte(d.words[at : at+length])
	tr := &transforms[t]
	switch c := int(tr.change); {
	case c == first || c == all:
		for i := 0; i < len(w); {
			i += capital(w[i:])
			if c == first {
				break
			}
		}
	case c > 0:
		w = w[min(c, len(w)):]
	case c < 0:
		w = w[:max(0, len(w)+c)]
	}
	out := make([]byte, 0, len(tr.prefix)+len(w)+len(tr.suffix))
	return append(append(append(out, tr.prefix...), w...), tr.suffix...)
}

// capital turns the letter at the start of a text into its capital, in the way
// of the format, and returns its length.
func capital(p []byte) int {
	switch {
	case p[0] < 0xC0:
		if p[0] >= 'a' && p[0] <= 'z' {
			p[0] ^= 32
		}
		return 1
	case p[0] < 0xE0:
		if len(p) > 1 {
			p[1] ^= 32
		}
		return 2
	}
	if len(p) > 2 {
		p[2] ^= 5
	}
	return 3
}

// context is the context of a literal (section 7.1).
func context(mode int, p1, p2 byte) int {
	switch mode {
	case 0:
		return int(p1 & 63)
	case 1:
		return int(p1 >> 2)
	case 2:
		return int(utf8First[p1] | utf8Second[p2])
	}
	return signed(p1)<<3 | signed(p2)
}

func signed(b byte) int {
	switch {
	case b == 0:
		return 0
	case b < 16:
		return 1
	case b < 64:
		return 2
	case b < 128:
		return 3
	case b < 192:
		return 4
	case b < 240:
		return 5
	case b < 255:
		return 6
	}
	return 7
}

// contextMap reads which code serves which context (section 7.3); nil when it
// cannot be.
func (d *decoder) contextMap(size int) (m []uint8, trees int) {
	trees = d.number()
	m = make([]uint8, size)
	if trees < 2 {
		return m, trees
	}
	runs := 0
	if d.read(1) == 1 {
		runs = d.read(4) + 1
	}
	var c code
	if !d.code(&c, trees+runs) {
		return nil, 0
	}
	for i := 0; i < size; {
		if d.ended() {
			return nil, 0
		}
		s := d.symbol(&c)
		switch {
		case s == 0:
			i++
		case s <= runs:
			n := 1<<s + d.read(uint(s))
			if i+n > size {
				return nil, 0
			}
			i += n
		default:
			m[i] = uint8(s - runs)
			i++
		}
	}
	if d.read(1) == 1 {
		var list [256]uint8
		for i := range list {
			list[i] = uint8(i)
		}
		for i, at := range m {
			v := list[at]
			m[i] = v
			copy(list[1:at+1], list[:at])
			list[0] = v
		}
	}
	for _, t := range m {
		if int(t) >= trees {
			return nil, 0
		}
	}
	return m, trees
}
