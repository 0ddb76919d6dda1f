package digest

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"
)

// The examples of FIPS 180-4, and the empty text.
func TestKnownDigests(t *testing.T) {
	for text, want := range map[string]string{
		"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	} {
		if got := Of([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// What the browser reckons is what the standard library does, at every length
// about the borders of blocks.
func TestPlainIsSHA256(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	data := make([]byte, 100_003)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	for n := range 300 {
		if plain(data[:n]) != sha256.Sum256(data[:n]) {
			t.Fatalf("%d bytes", n)
		}
	}
	if plain(data) != sha256.Sum256(data) {
		t.Errorf("%d bytes", len(data))
	}
}

func BenchmarkPlain(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		plain(data)
	}
}
