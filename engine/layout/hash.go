package layout

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// hasher is a fast 64-bit hash for cache keys (multiply and fold, after Wang
// Yi's wyhash). Nothing is ordered by it; of what is kept between visits it only
// tells whether a shortcut holds (layout records).
type hasher struct{ a uint64 }

const (
	mixA = 0xa0761d6478bd642f
	mixB = 0xe7037ed1a0b428db
)

func newHasher() hasher { return hasher{mixA} }

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func (h *hasher) one(v uint64) { h.a = fold(h.a^v, mixB) ^ bits.RotateLeft64(h.a, 23) }

func (h *hasher) num(vs ...uint64) {
	for _, v := range vs {
		h.one(v)
	}
}

func (h *hasher) str(s string) {
	h.one(uint64(len(s)) | 1<<63)
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 16 {
		h.a = fold(h.a^binary.LittleEndian.Uint64(b), mixB^binary.LittleEndian.Uint64(b[8:]))
		b = b[16:]
	}
	var t [16]byte
	copy(t[:], b)
	h.a = fold(h.a^binary.LittleEndian.Uint64(t[:]), mixB^binary.LittleEndian.Uint64(t[8:]))
}

func (h *hasher) sum() uint64 { return fold(h.a, mixA) }

// Mix joins two keys.
func Mix(a, b uint64) uint64 {
	h := newHasher()
	h.num(a, b)
	return h.sum()
}

// KeyOf is a key of texts, in order.
func KeyOf(texts ...string) uint64 {
	h := newHasher()
	for _, t := range texts {
		h.str(t)
	}
	return h.sum()
}
