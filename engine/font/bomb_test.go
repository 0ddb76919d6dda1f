package font

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	ot "github.com/go-text/typesetting/font/opentype"
)

func loader(t *testing.T, tables ...ot.Table) *ot.Loader {
	t.Helper()
	ld, err := ot.NewLoader(bytes.NewReader(ot.WriteTTF(tables)))
	if err != nil {
		t.Fatal(err)
	}
	return ld
}

// Thirty glyphs, each made of ten of the one before: 10^29 points.
func TestCompositeBombIsRefused(t *testing.T) {
	build := func(levels, copies int) *ot.Loader {
		simple := make([]byte, 10+2+2+4) // one contour, one point
		simple[1] = 1
		glyphs := [][]byte{simple}
		for i := range levels {
			g := make([]byte, 10)
			binary.BigEndian.PutUint16(g, 0xFFFF)
			for k := range copies {
				flags := uint16(0x20)
				if k == copies-1 {
					flags = 0
				}
				g = binary.BigEndian.AppendUint16(g, flags)
				g = binary.BigEndian.AppendUint16(g, uint16(i))
				g = append(g, 0, 0)
			}
			glyphs = append(glyphs, g)
		}
		var glyf, loca []byte
		for _, g := range glyphs {
			loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
			glyf = append(glyf, g...)
		}
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		head := make([]byte, 54)
		head[51] = 1
		return loader(t, ot.Table{Tag: ot.MustNewTag("glyf"), Content: glyf},
			ot.Table{Tag: ot.MustNewTag("head"), Content: head}, ot.Table{Tag: ot.MustNewTag("loca"), Content: loca})
	}
	if err := checkGlyf(build(30, 10)); err == nil || !strings.Contains(err.Error(), "points") {
		t.Errorf("error %v", err)
	}
	if err := checkGlyf(build(3, 10)); err != nil {
		t.Errorf("a thousand points are refused: %v", err)
	}
}

func index(items ...[]byte) []byte {
	out := binary.BigEndian.AppendUint16(nil, uint16(len(items)))
	if len(items) == 0 {
		return out
	}
	out = append(out, 4)
	at := uint32(1)
	out = binary.BigEndian.AppendUint32(out, at)
	for _, it := range items {
		at += uint32(len(it))
		out = binary.BigEndian.AppendUint32(out, at)
	}
	for _, it := range items {
		out = append(out, it...)
	}
	return out
}

// Nine levels of subroutines, each calling the next a hundred times.
func TestSubroutineBombIsRefused(t *testing.T) {
	build := func(times int) *ot.Loader {
		var subrs [][]byte
		const levels = 9
		for i := range levels {
			var code []byte
			for range times {
				if i+1 < levels {
					code = append(code, byte(139+i+1-107), 29) // i+1, callgsubr
				}
			}
			subrs = append(subrs, append(code, 11))
		}
		head := []byte{1, 0, 4, 4}
		global := index(subrs...)
		top := func(at int) []byte {
			return index([]byte{29, byte(at >> 24), byte(at >> 16), byte(at >> 8), byte(at), 17})
		}
		front := append(append(append([]byte{}, head...), index([]byte("x"))...), top(0)...)
		at := len(front) + len(index()) + len(global)
		table := append(append(append([]byte{}, head...), index([]byte("x"))...), top(at)...)
		table = append(table, index()...)
		table = append(table, global...)
		table = append(table, index([]byte{139 - 107, 29, 14})...)
		return loader(t, ot.Table{Tag: ot.MustNewTag("CFF "), Content: table})
	}
	if err := checkCFF(build(100)); err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("error %v", err)
	}
	if err := checkCFF(build(2)); err != nil {
		t.Errorf("a thousand steps are refused: %v", err)
	}
}

func TestSizesThatLieAreRefused(t *testing.T) {
	sfnt := ot.WriteTTF([]ot.Table{{Tag: ot.MustNewTag("head"), Content: make([]byte, 200)}})
	binary.BigEndian.PutUint32(sfnt[12+12:], 0xFFFFFFF0)
	woff := append([]byte("wOFF"), make([]byte, 200)...)
	binary.BigEndian.PutUint16(woff[12:], 1)
	binary.BigEndian.PutUint32(woff[44+12:], 0xFFFFFFF0)
	ttc := append([]byte("ttcf"), make([]byte, 200)...)
	binary.BigEndian.PutUint32(ttc[8:], 0xFFFFFFF0)
	for name, data := range map[string][]byte{"sfnt": sfnt, "woff": woff, "ttc": ttc, "dfont": append([]byte{0, 0, 1, 0}, make([]byte, 300)...)} {
		if _, err := Parse(data, "x", 400, false); err == nil || strings.Contains(err.Error(), "damaged (") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
