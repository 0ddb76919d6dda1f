package frame

import (
	"testing"

	"postext/engine/unit"
)

// A change of one colour makes anew only the blocks that have it; so it does with more
// colours than a set tells apart.
func TestInkKeepsBlocksOfOtherColours(t *testing.T) {
	number := func(i int) unit.Color { return unit.Color{R: uint8(i), G: 1, A: 255} }
	page := &Page{Columns: []Column{{}}}
	for i := range 80 {
		page.Columns[0].Blocks = append(page.Columns[0].Blocks, &Block{Lines: []Line{{LineSet: &LineSet{Runs: []Run{{Color: number(i)}, {Color: number(0)}}}}}})
	}
	c := &Chapter{Pages: []*Page{page}}
	shades := map[unit.Color]unit.Color{}
	real := func(n unit.Color) unit.Color { return unit.Color{R: n.R, B: shades[n].B, A: 255} }
	blocks := func(k *Inking) []*Block { return k.Chapter.Pages[0].Columns[0].Blocks }
	first := Ink(c, nil, real)
	if Ink(c, first, real) != first {
		t.Error("what holds is made again")
	}
	for _, changed := range []struct{ number, atLeast, atMost int }{{3, 1, 1}, {70, 1, 17}, {0, 80, 80}} {
		shades[number(changed.number)] = unit.Color{B: 99}
		next, anew := Ink(c, first, real), 0
		for i, b := range blocks(next) {
			if b != blocks(first)[i] {
				anew++
			}
			for k, of := range []int{i, 0} {
				if got, want := b.Lines[0].Runs[k].Color, real(number(of)); got != want {
					t.Errorf("after %d block %d has %v, want %v", changed.number, i, got, want)
				}
			}
		}
		if anew < changed.atLeast || anew > changed.atMost {
			t.Errorf("%d blocks are made anew for colour %d", anew, changed.number)
		}
		first = next
	}
}
