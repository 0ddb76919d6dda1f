package frame

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"postext/engine/unit"
)

// sample makes one chapter of one page; change alters it.
func sample(change func(c *Chapter)) *Chapter {
	c := &Chapter{ID: "c1", Title: "One", FirstPage: 1, Pages: []*Page{{
		Number: 1, Label: "i", Width: 100 * unit.Pt, Height: 200 * unit.Pt,
		Columns: []Column{{Blocks: []*Block{{ID: "b1", Kind: "body", Lines: []Line{
			{X: 10, Baseline: 20}, {X: 30, Baseline: 40},
		}}}}},
	}}}
	change(c)
	return c
}

func TestHashTellsPagesApart(t *testing.T) {
	line := func(c *Chapter, i int) *Line { return &c.Pages[0].Columns[0].Blocks[0].Lines[i] }
	changes := map[string]func(c *Chapter){
		"nothing":          func(*Chapter) {},
		"title":            func(c *Chapter) { c.Title = "Two" },
		"letter moved":     func(c *Chapter) { c.ID, c.Title = "c1O", "ne" },
		"zero byte more":   func(c *Chapter) { c.Title += "\x00" },
		"one scaled point": func(c *Chapter) { line(c, 1).X++ },
		"highest bit":      func(c *Chapter) { line(c, 1).X ^= -1 << 31 },
		"lines exchanged":  func(c *Chapter) { a, b := line(c, 0), line(c, 1); *a, *b = *b, *a },
		"numbers exchanged": func(c *Chapter) {
			l := line(c, 0)
			l.X, l.Baseline = l.Baseline, l.X
		},
		"blank":     func(c *Chapter) { c.Pages[0].Blank = true },
		"page more": func(c *Chapter) { c.Pages = append(c.Pages, &Page{}) },
	}
	lanes := [2]map[uint64]string{{}, {}}
	for name, change := range changes {
		h := HashChapter(sample(change))
		if h != HashChapter(sample(change)) {
			t.Errorf("%s: two hashes of the same", name)
		}
		for i, lane := range lanes {
			v := binary.BigEndian.Uint64(h[8*i:])
			if other, seen := lane[v]; seen {
				t.Errorf("%s and %s agree in lane %d", name, other, i)
			}
			lane[v] = name
		}
	}
}

// One bit of one number, wherever it stands, changes about half of the sum.
func TestHashSpreadsOneBit(t *testing.T) {
	sum := func(numbers [12]int64) Sum {
		s := newSummer()
		s.num(numbers[:]...)
		return s.sum()
	}
	var numbers [12]int64
	before := sum(numbers)
	seen := map[Sum]bool{before: true}
	for at := range numbers {
		for bit := range 64 {
			changed := numbers
			changed[at] ^= 1 << bit
			after := sum(changed)
			if seen[after] {
				t.Fatalf("number %d, bit %d: a sum seen before", at, bit)
			}
			seen[after] = true
			for i := 0; i < 16; i += 8 {
				n := bits.OnesCount64(binary.BigEndian.Uint64(before[i:]) ^ binary.BigEndian.Uint64(after[i:]))
				if n < 8 || n > 56 {
					t.Errorf("number %d, bit %d: %d bits of the lane at %d changed", at, bit, n, i)
				}
			}
		}
	}
}
