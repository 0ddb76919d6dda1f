package engine

import (
	"strings"
	"testing"

	"postext/engine/frame"
)

// TestSceneBreakKeepsItsOrnament: a scene break prints its ornament wherever it
// falls, at the head and at the foot of a page too (document-format.md 19).
func TestSceneBreakKeepsItsOrnament(t *testing.T) {
	for n := 17; n <= 22; n++ {
		b := lay(t, area(1, ""), lines(n)+"\n\n* * *\n\n"+lines(8))
		found := false
		for _, p := range b.Chapters[0].Pages {
			for _, bl := range p.Columns[0].Blocks {
				if bl.Kind != frame.SceneBreak {
					continue
				}
				found = len(bl.Lines) == 1 && len(bl.Lines[0].Runs) > 0 && strings.Count(bl.Text.Plain, "\ufffc") == 1 && bl.Lines[0].Width > 0
			}
		}
		if !found {
			t.Errorf("after %d lines the scene break has no ornament", n)
		}
	}
}

// TestHeadingAcrossOneAndAHalfColumns: a heading of level 1 with span page stands
// across the text's column and the one beside it, whatever that is for; the text
// goes on below (layout.md 11).
func TestHeadingAcrossOneAndAHalfColumns(t *testing.T) {
	for _, role := range []string{"text", "floats"} {
		config := replaceOnce(t, strings.Replace(area(2, ""), `"double"`, `"oneAndHalf"`, 1), `"gutterWidth"`, `"sideColumnRole": "`+role+`", "gutterWidth"`)
		config = replaceOnce(t, config, `{"level": 1, `, `{"level": 1, "span": "page", `)
		r := figures(t, config, nil, "# "+strings.Repeat("A long heading ", 6)+"\n\n"+lines(60))
		p := r.Frames.Chapters[0].Pages[0]
		head := &p.Columns[0]
		if !head.Span || head.Box.W != p.Content.W || len(head.Blocks) == 0 || head.Blocks[0].Kind != frame.Heading {
			t.Fatalf("%s: the first column is %v, across %v", role, head.Box, head.Span)
		}
		if text := &p.Columns[1]; text.Box.Y < head.Box.Bottom() || text.Box.W >= p.Content.W || len(text.Blocks) == 0 {
			t.Errorf("%s: the text stands in %v, under a heading down to %v", role, text.Box, head.Box.Bottom())
		}
		for _, f := range placementFaults(r) {
			t.Errorf("%s: %s", role, f)
		}
	}
}

// TestWrapEndsWithItsColumn: text beside an item runs to the last grid line of the
// column at most; what goes on in the next column has its full measure.
func TestWrapEndsWithItsColumn(t *testing.T) {
	for n := 6; n <= 16; n++ {
		r := figures(t, area(1, ""), nil, lines(n)+"\n\n:::callout{wrap=left}\nA box of a few words, in some lines of its own, that stands beside the text.\n:::\n\n"+
			strings.Repeat("The text beside the box is long enough to leave it. ", 12))
		for _, f := range placementFaults(r) {
			t.Errorf("after %d lines: %s", n, f)
		}
		for _, p := range r.Frames.Chapters[0].Pages {
			c := &p.Columns[0]
			if c.Used > c.Box.H {
				t.Errorf("after %d lines: page %d is used down to %.1f of %.1f", n, p.Number, c.Used.Pt(), c.Box.H.Pt())
			}
			for _, b := range c.Blocks {
				if b.Continued && b.Kind == frame.Paragraph && b.Lines[0].X != c.Box.X {
					t.Errorf("after %d lines: page %d goes on beside nothing", n, p.Number)
				}
			}
		}
	}
}
