// Package digest names bytes by their SHA-256, in hexadecimal.
//
// In the browser it does so by itself: crypto/sha256 brings AES, SHA-3, a generator
// of random numbers and the self tests of all of them, a tenth of a megabyte of
// program that every visitor would wait for.
package digest

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// Of is the SHA-256 of data in hexadecimal (FIPS 180-4).
func Of(data []byte) string {
	h := sum(data)
	return hex.EncodeToString(h[:])
}

const blockSize = 64

// roundConstants are the first 32 bits of the fractional parts of the cube roots of
// the first 64 primes, start those of the square roots of the first eight.
var roundConstants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

var start = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// plain is SHA-256 without anything but this file.
func plain(data []byte) (out [32]byte) {
	h := start
	whole := len(data) / blockSize * blockSize
	blocks(&h, data[:whole])
	// The rest, a bit that is set, zeros, and the length in bits.
	var last [2 * blockSize]byte
	n := copy(last[:], data[whole:])
	last[n] = 0x80
	end := blockSize
	if n+1+8 > blockSize {
		end = 2 * blockSize
	}
	binary.BigEndian.PutUint64(last[end-8:end], uint64(len(data))*8)
	blocks(&h, last[:end])
	for i, v := range h {
		binary.BigEndian.PutUint32(out[4*i:], v)
	}
	return out
}

func blocks(h *[8]uint32, p []byte) {
	var w [64]uint32
	for ; len(p) >= blockSize; p = p[blockSize:] {
		for i := range 16 {
			w[i] = binary.BigEndian.Uint32(p[4*i:])
		}
		for i := 16; i < 64; i++ {
			x, y := w[i-15], w[i-2]
			w[i] = w[i-16] + w[i-7] +
				(bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3) +
				(bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10)
		}
		a, b, c, d, e, f, g, k := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
		for i := range 64 {
			t := k + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) +
				(e&f ^ ^e&g) + roundConstants[i] + w[i]
			u := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) +
				(a&b ^ a&c ^ b&c)
			k, g, f, e, d, c, b, a = g, f, e, d+t, c, b, a, t+u
		}
		for i, v := range [8]uint32{a, b, c, d, e, f, g, k} {
			h[i] += v
		}
	}
}
