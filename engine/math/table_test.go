package math

import (
	"testing"

	"postext/engine/font/fonttest"
)

// A table cut off anywhere, or with a byte changed, is read or refused.
func TestDamagedTable(t *testing.T) {
	f := fonttest.Face(t, "STIX Two Math", 400, false)
	data := f.MathTable()
	if len(data) < 1000 {
		t.Fatalf("%d bytes", len(data))
	}
	if _, err := readTable(data); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 1 + n/16 {
		if _, err := readTable(data[:n]); err == nil && n < len(data)/2 {
			t.Errorf("%d of %d bytes are enough", n, len(data))
		}
	}
	bad := append([]byte(nil), data...)
	for i := 0; i < len(bad); i += 97 {
		was := bad[i]
		bad[i] ^= 0xff
		if tb, err := readTable(bad); err == nil {
			m := &Font{Face: f, t: tb, glyphs: map[glyphKey]uint32{}, boxes: map[uint32]metrics{}}
			if tree, err := Parse(`\left(\frac{\sqrt[3]{x^2_i}}{\hat y}\right)^{\sum_1^2}`); err == nil {
				if _, err := m.Set(tree, Options{Size: 1 << 19, Display: true}); err != nil {
					t.Errorf("byte %d: %v", i, err)
				}
			}
		}
		bad[i] = was
	}
}
