package engine

import (
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// around gives the room over and under the first block of a kind.
func around(t *testing.T, b *frame.Book, kind frame.BlockKind) (above, below unit.Sp) {
	t.Helper()
	blocks := b.Chapters[0].Pages[0].Columns[0].Blocks
	for i, bl := range blocks {
		if bl.Kind != kind {
			continue
		}
		last := i
		for last+1 < len(blocks) && blocks[last+1].Kind == kind {
			last++
		}
		return bl.Box.Y - blocks[i-1].Box.Bottom(), blocks[last+1].Box.Y - blocks[last].Box.Bottom()
	}
	t.Fatalf("no %s", kind)
	return 0, 0
}

// What the grid leaves under a heading is shared in the proportion of its margins,
// so that it stands nearer to its own text; a list has as much above as below. The
// text itself stays where it is.
func TestBlocksSettleOnTheGrid(t *testing.T) {
	const para = "The keeper walked down."
	for _, size := range []string{"10.5", "12", "13", "15", "17"} {
		config := strings.Replace(mathBook(""), `"headings": {`, `"headings": {"marginTop": {"value": 15, "unit": "pt"}, "marginBottom": {"value": 5, "unit": "pt"}, `, 1)
		config = strings.Replace(config, `"levels": [`, `"levels": [{"level": 2, "fontSize": {"value": `+size+`, "unit": "pt"}}, `, 1)
		if !strings.Contains(config, size) {
			t.Fatal(config)
		}
		b := lay(t, config, para+"\n\n## Head\n\n"+para)
		above, below := around(t, b, frame.Heading)
		if above < 15*unit.Pt || below < 5*unit.Pt || above > 3*below+4 || above < 3*below-4 {
			t.Errorf("%s: %v pt above, %v below, margins of 15 and 5", size, above.Pt(), below.Pt())
		}
		p := b.Chapters[0].Pages[0]
		for _, bl := range blocksOf(b, frame.Paragraph) {
			if (bl.Lines[0].Baseline-p.GridTop)%p.GridPitch != 0 {
				t.Errorf("%s: text off the grid", size)
			}
		}
	}
	b := lay(t, mathBook(""), para+"\n\n- one\n- two\n\n"+para)
	if above, below := around(t, b, frame.ListItem); above-below > 2 || below-above > 2 {
		t.Errorf("a list has %v pt above and %v below", above.Pt(), below.Pt())
	}
}
