// Package deflate compresses rows of pixels (RFC 1950, RFC 1951). On pages of
// text, four bits a pixel, it is as fast as compress/zlib at its usual level and
// gives 7 % less.
//
// A page repeats itself in few ways, and each has its own candidate for a match,
// so that no chain is searched: the byte before (paper), the row above (stems),
// the distance that served the byte above (the rest of a letter that stands in the
// line already), and the last place of the same four and of the same three bytes.
// Which of them to take, or none, is decided by the cheapest way through a stretch
// of bytes between two long matches (as in libdeflate and Zopfli), with prices in
// sixteenths of a bit from what the page has needed so far. All in integers: equal
// rows give equal bytes everywhere.
package deflate

import (
	"encoding/binary"
	"hash/adler32"
	"math/bits"
)

const (
	window   = 1 << 15 // bytes a match may reach back
	minMatch = 3
	maxMatch = 258
	hashBits = 15
	// stretch is the most bytes decided upon at once.
	stretch = 2048
	// enough is the length from which a match is taken without asking further.
	enough = 32
	// tail is how many bytes before the end of a run are looked at: what follows a
	// run is often found together with the last of it.
	tail = 2
	// fresh is how many tokens pass between two revisions of the prices.
	fresh = 1024
	bit   = 16 // the unit of prices
)

// token is a literal byte, or a match: its length in bits 16 to 24 and its
// distance less one below.
type token uint32

const isMatch token = 1 << 31

func match(length, distance int) token {
	return isMatch | token(length)<<16 | token(distance-1)
}

func (t token) length() int { return int(t >> 16 & 0x1FF) }
func (t token) back() int   { return int(t & 0x7FFF) } // distance less one

// Encoder keeps buffers from picture to picture; the zero value is ready.
type Encoder struct {
	four, three [1 << hashBits]int32 // last place of what has this hash, plus one
	above       []uint16             // distance of the match each byte came by; 0: a literal or a run
	tokens      []token
	symbols     [286]int32 // how often, for the prices
	distances   [30]int32
	literal     [256]uint32 // prices
	lengths     [maxMatch + 1]uint32
	distance    [30]uint32
	cost        [stretch + maxMatch + 1]uint32 // to get this far into the stretch
	by          [stretch + maxMatch + 1]token  // the last step of it
	reach       int                            // how far cost is known
	w           writer
}

// Zlib appends the zlib stream of src, rows of the given number of bytes, to dst.
func (e *Encoder) Zlib(dst, src []byte, row int) []byte {
	clear(e.four[:])
	clear(e.three[:])
	e.tokens = e.tokens[:0]
	if cap(e.above) < len(src) {
		e.above = make([]uint16, len(src))
	}
	e.above = e.above[:len(src)]
	e.expect()
	old := 0
	for at := 0; at < len(src); {
		end, long := e.decide(src, at, row)
		at = e.take(at, end)
		if long != 0 {
			at = e.run(src, at, long)
		}
		if len(e.tokens)-old >= fresh {
			e.price()
			old = len(e.tokens)
		}
	}
	e.w.out = append(dst, 0x78, 0x9C) // a window of 32 KB, the usual effort
	e.w.block(e.tokens)
	return binary.BigEndian.AppendUint32(e.w.out, adler32.Checksum(src))
}

// expect sets the prices a page begins with.
func (e *Encoder) expect() {
	for i := range 256 {
		e.symbols[i] = 10
	}
	for c := range lengthBase {
		e.symbols[257+c] = 200 >> (c / 4)
	}
	for c := range e.distances {
		e.distances[c] = 20 + 3*int32(c)
	}
	e.distances[0] = 100
	e.price()
}

// price sets the prices by what has occurred.
func (e *Encoder) price() {
	of := func(counts []int32) func(int32) uint32 {
		sum := int32(1)
		for _, n := range counts {
			sum += n
		}
		whole := log2(uint32(sum))
		return func(n int32) uint32 { return max(whole-log2(uint32(max(n, 1))), bit) }
	}
	symbol := of(e.symbols[:])
	for i := range e.literal {
		e.literal[i] = symbol(e.symbols[i])
	}
	for l := minMatch; l <= maxMatch; l++ {
		c := lengthCode[l]
		e.lengths[l] = symbol(e.symbols[257+int(c)]) + bit*uint32(lengthExtra(int(c)))
	}
	distance := of(e.distances[:])
	for c := range e.distance {
		e.distance[c] = distance(e.distances[c]) + bit*uint32(distanceExtra(c))
	}
}

// log2 is the logarithm of v > 0, straight between powers of two.
func log2(v uint32) uint32 {
	n := bits.Len32(v) - 1
	return uint32(n)*bit + uint32((uint64(v)<<16>>n&0xFFFF)*bit>>16)
}

// decide finds the cheapest tokens from at on, up to a match that is long enough
// or to the end of the stretch; long is the distance of that match, or 0.
func (e *Encoder) decide(src []byte, at, row int) (end, long int) {
	n := min(len(src)-at, stretch, max(row, maxMatch)) // the row above is decided
	e.cost[0], e.reach = 0, 0
	for i := 0; i < n; i++ {
		p := at + i
		e.step(i, src[p])
		limit := min(len(src)-p, maxMatch)
		if limit < 4 {
			continue
		}
		best := minMatch - 1
		if p > 0 && src[p-1] == src[p] {
			if l := same(src[p-1:], src[p:], limit); l > best {
				if l >= enough {
					return i, 1
				}
				e.relax(i, best, l, 1)
				if k := l - tail; k >= minMatch && i+k < n {
					i += k - 1 // what begins inside the run can begin at its end as well
					continue
				}
				best = l
			}
		}
		v := binary.LittleEndian.Uint32(src[p:])
		last, last3 := &e.four[v*0x9E3779B1>>(32-hashBits)], &e.three[v<<8*0x9E3779B1>>(32-hashBits)]
		q, q3 := int(*last)-1, int(*last3)-1
		*last, *last3 = int32(p+1), int32(p+1)
		if q3 >= 0 && best < minMatch && p-q3 <= window && (binary.LittleEndian.Uint32(src[q3:])^v)<<8 == 0 {
			e.relax(i, best, minMatch, p-q3)
			best = minMatch
		}
		places := [3]int{q, -1, p - row}
		if p >= row && p-row < at {
			if d := int(e.above[p-row]); d > 1 {
				places[1] = p - d
			}
		}
		for _, q := range places {
			if q < 0 || p-q > window || best >= limit || src[q+best] != src[p+best] {
				continue
			}
			l := same(src[q:], src[p:], limit)
			if l <= best {
				continue
			}
			if l >= enough {
				return i, p - q
			}
			e.relax(i, best, l, p-q)
			best = l
		}
	}
	return n, 0
}

// step notes that a literal leads on from i.
func (e *Encoder) step(i int, b byte) {
	c := e.cost[i] + e.literal[b]
	if i+1 > e.reach {
		e.reach = i + 1
	} else if c >= e.cost[i+1] {
		return
	}
	e.cost[i+1], e.by[i+1] = c, token(b)
}

// relax notes that matches of this distance lead on from i, of lengths above from
// up to to.
func (e *Encoder) relax(i, from, to, distance int) {
	if e.reach < i+to {
		ahead := e.cost[e.reach+1 : i+to+1]
		for k := range ahead {
			ahead[k] = 1<<32 - 1
		}
		e.reach = i + to
	}
	base := e.cost[i] + e.distance[distanceCode(distance-1)]
	cost := e.cost[i+from+1 : i+to+1]
	by := e.by[i+from+1 : i+to+1][:len(cost)]
	lengths := e.lengths[from+1 : to+1][:len(cost)]
	t := match(from+1, distance)
	for k := range cost {
		if c := base + lengths[k]; c < cost[k] {
			cost[k], by[k] = c, t+token(k)<<16
		}
	}
}

// take adds the tokens that lead to the end of what was decided; it gives the
// place behind it.
func (e *Encoder) take(at, end int) int {
	from := len(e.tokens)
	for k := end; k > 0; {
		t := e.by[k]
		e.tokens = append(e.tokens, t)
		if t&isMatch == 0 {
			k--
		} else {
			k -= t.length()
		}
	}
	list := e.tokens[from:]
	for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
		list[a], list[b] = list[b], list[a]
	}
	for _, t := range list {
		at = e.note(at, t)
	}
	return at
}

// note counts a token that stands at a place; it gives the place behind it.
func (e *Encoder) note(at int, t token) int {
	if t&isMatch == 0 {
		e.symbols[t]++
		e.above[at] = 0
		return at + 1
	}
	l := t.length()
	e.symbols[257+int(lengthCode[l])]++
	e.distances[distanceCode(t.back())]++
	above := e.above[at : at+l]
	if t.back() == 0 {
		clear(above) // a run serves nothing below it
		return at + l
	}
	for k := range above {
		above[k] = uint16(t.back() + 1)
	}
	return at + l
}

// run takes a long match as far as it holds, and gives the place behind it.
func (e *Encoder) run(src []byte, at, distance int) int {
	for {
		l := same(src[at-distance:], src[at:], min(len(src)-at, maxMatch))
		if l < minMatch {
			return at
		}
		t := match(l, distance)
		e.tokens = append(e.tokens, t)
		end := e.note(at, t)
		if distance > 1 { // it can be found again from inside
			for p := at + 1; p < end && p+4 <= len(src); p++ {
				v := binary.LittleEndian.Uint32(src[p:])
				e.four[v*0x9E3779B1>>(32-hashBits)] = int32(p + 1)
				e.three[v<<8*0x9E3779B1>>(32-hashBits)] = int32(p + 1)
			}
		}
		at = end
		if l < maxMatch {
			return at
		}
	}
}

// same counts how many bytes a and b begin with alike, up to limit, which b has.
func same(a, b []byte, limit int) int {
	n := 0
	for ; n+8 <= limit; n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)>>3
		}
	}
	for n < limit && a[n] == b[n] {
		n++
	}
	return n
}
