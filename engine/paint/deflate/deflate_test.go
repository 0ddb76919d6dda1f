package deflate

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"testing"
)

func unpack(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rows are pictures of several kinds: paper, noise, letters that come again, long
// and short repetitions, symbols so unlike in number that codes reach their limit.
func rows() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	letters := make([]byte, 301*400)
	for range 3000 {
		glyph := noise[64*r.IntN(30):][:64]
		at := r.IntN(len(letters) - 10*301)
		for y := range 8 {
			copy(letters[at+y*301:], glyph[8*y:8*y+1+r.IntN(8)])
		}
	}
	steep := []byte{}
	for i, n := 0, 1; n < 60_000; i, n = i+1, n*3/2+1 {
		for k := range n {
			steep = append(steep, byte(i), byte(k*k))
		}
	}
	return map[string][]byte{
		"nothing": {}, "one byte": {7}, "three bytes": {7, 7, 7}, "four bytes": {0, 1, 2, 3},
		"paper": make([]byte, 300_000), "noise": noise, "letters": letters, "steep": steep,
		"twice": append(append(append([]byte{}, noise[:window]...), noise[:window]...), noise[:window-1]...),
	}
}

// What is packed unpacks to the same by the standard library, whatever the length
// of a row, and the encoder's buffers leave no trace in the next picture.
func TestUnpacksToTheSame(t *testing.T) {
	var e Encoder
	for name, src := range rows() {
		for _, row := range []int{1, 3, 301, window, window + 1, len(src) + 5} {
			data := e.Zlib(nil, src, row)
			if !bytes.Equal(unpack(t, data), src) {
				t.Fatalf("%s in rows of %d comes back changed", name, row)
			}
			var other Encoder
			if !bytes.Equal(other.Zlib(nil, src, row), data) {
				t.Errorf("%s in rows of %d: the same picture gave other bytes", name, row)
			}
		}
	}
}

// A code is never longer than Deflate allows, and uses its room up exactly.
func TestCodesKeepTheirLimit(t *testing.T) {
	fib := make([]int, 40)
	a, b := 1, 1
	for i := range fib {
		fib[i], a, b = a, b, a+b
	}
	for _, counts := range [][]int{fib, {1, 1}, {0, 5, 0, 9, 1}, make([]int, 19)} {
		for _, limit := range []int{7, 15} {
			room, n := 0, 0
			for _, l := range newCode(counts, limit).length {
				if int(l) > limit {
					t.Errorf("a symbol has %d bits, limit %d", l, limit)
				}
				if l > 0 {
					room += 1 << (limit - int(l))
					n++
				}
			}
			if n > 1 && room != 1<<limit {
				t.Errorf("%v, limit %d: the code fills %d of %d", counts, limit, room, 1<<limit)
			}
		}
	}
}

func FuzzUnpacksToTheSame(f *testing.F) {
	f.Add([]byte("abcabcabcabcabc"), 3)
	f.Add(bytes.Repeat([]byte{0, 0, 0, 9}, 300), 40)
	f.Fuzz(func(t *testing.T, src []byte, row int) {
		var e Encoder
		row = max(row, 1)
		if !bytes.Equal(unpack(t, e.Zlib(nil, src, row)), src) {
			t.Error("comes back changed")
		}
	})
}
