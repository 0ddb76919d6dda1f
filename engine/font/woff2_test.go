package font_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"postext/engine/font"
	"postext/engine/font/fonttest"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A font packed by another program gives the outlines, the widths and the shapes
// of the font it was packed from.
func TestWOFF2IsTheFontItWasPackedFrom(t *testing.T) {
	packed, err := font.Parse(read(t, "testdata/JetBrainsMono_400Regular.woff2"), "", 0, false)
	if err != nil {
		t.Fatal(err)
	}
	plain := fonttest.Face(t, "JetBrains Mono", 400, false)
	if packed.Family != "JetBrains Mono" || packed.Weight != 400 || packed.UPem != plain.UPem || packed.Ascent != plain.Ascent {
		t.Errorf("%v %+v", packed, packed)
	}
	n := 0
	for id := uint32(0); id < 2000; id++ {
		a, b := packed.Outline(id), plain.Outline(id)
		if (a == nil) != (b == nil) {
			t.Fatalf("glyph %d", id)
		}
		if a == nil {
			continue
		}
		if len(a.Segments) != len(b.Segments) || a.MinX != b.MinX || a.MaxY != b.MaxY {
			t.Fatalf("glyph %d: %d and %d segments", id, len(a.Segments), len(b.Segments))
		}
		for i := range a.Segments {
			if a.Segments[i] != b.Segments[i] {
				t.Fatalf("glyph %d, segment %d", id, i)
			}
		}
		n++
	}
	if n < 500 {
		t.Errorf("%d glyphs compared", n)
	}
	text := "Añadir != <= 0123 fi"
	a, b := packed.Shape(text, font.Features{}), plain.Shape(text, font.Features{})
	if a.Advance != b.Advance || len(a.Glyphs) != len(b.Glyphs) {
		t.Errorf("shapes: %d and %d", a.Advance, b.Advance)
	}
}

// collection joins fonts into a TTC.
func collection(fonts ...[]byte) []byte {
	be := binary.BigEndian
	out := append([]byte("ttcf"), 0, 1, 0, 0)
	out = be.AppendUint32(out, uint32(len(fonts)))
	at := len(out) + 4*len(fonts)
	for _, f := range fonts {
		out = be.AppendUint32(out, uint32(at))
		at += (len(f) + 3) &^ 3
	}
	for _, f := range fonts {
		base := len(out)
		out = append(out, f...)
		for len(out)&3 != 0 {
			out = append(out, 0)
		}
		for i := range int(be.Uint16(f[4:])) {
			e := out[base+12+16*i+8:]
			be.PutUint32(e, be.Uint32(e)+uint32(base))
		}
	}
	return out
}

func TestEveryFontOfACollection(t *testing.T) {
	w := fonttest.World(t)
	var files [][]byte
	for _, family := range []string{"Open Sans", "JetBrains Mono"} {
		f, err := w.Font(t.Context(), family, 400, false)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f.Data)
	}
	data := collection(files...)
	list, err := font.Members(data)
	if err != nil || len(list) != 2 || list[0].Family != "Open Sans" || list[1].Family != "JetBrains Mono" || list[1].Index != 1 {
		t.Fatalf("%+v %v", list, err)
	}
	second, err := font.ParseFile(font.File{Data: data, Index: 1})
	if err != nil || second.Family != "JetBrains Mono" || second.Space != fonttest.Face(t, "JetBrains Mono", 400, false).Space {
		t.Errorf("%v %v", second, err)
	}
	first, _ := font.ParseFile(font.File{Data: data})
	if first.Key == second.Key {
		t.Error("two fonts of a collection have one key")
	}
	if _, err := font.ParseFile(font.File{Data: data, Index: 2}); err == nil {
		t.Error("a font that is not there is read")
	}
}

// Truncated and damaged files are refused, every one, and quickly.
func TestDamagedWOFF2(t *testing.T) {
	data := read(t, "testdata/JetBrainsMono_400Regular.woff2")
	for cut := 0; cut < len(data); cut += 1 + cut/3 {
		if _, err := font.Parse(data[:cut], "X", 400, false); err == nil {
			t.Errorf("cut at %d: read", cut)
		}
	}
	for at := 4; at < 400; at += 3 {
		bad := bytes.Clone(data)
		bad[at] ^= 0x5a
		if f, err := font.Parse(bad, "X", 400, false); err == nil {
			f.Shape("abc", font.Features{})
			f.Outline(20)
		}
	}
}

func FuzzMembers(f *testing.F) {
	f.Add(read(f, "testdata/JetBrainsMono_400Regular.woff2"), 0)
	f.Add(append([]byte("wOF2ttcf"), make([]byte, 120)...), 1)
	f.Add(append([]byte("\x00\x01\x00\x00\x00\x01"), make([]byte, 120)...), 0)
	f.Fuzz(func(t *testing.T, data []byte, index int) {
		font.Members(data)
		face, err := font.ParseFile(font.File{Data: data, Family: "X", Weight: 400, Index: index})
		if err != nil {
			return
		}
		face.Shape("Affix 12", font.Features{})
		for id := range uint32(40) {
			face.Outline(id)
		}
	})
}
