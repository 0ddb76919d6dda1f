package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/unit"
)

// narrow is a page of one column of ten lines, its text to be configured.
const narrow = `{"page": {"sizePreset": "custom", "width": {"value": 190, "unit": "pt"}, "height": {"value": 176, "unit": "pt"},
	"margins": {"top": {"value": 20, "unit": "pt"}, "bottom": {"value": 36, "unit": "pt"}, "left": {"value": 20, "unit": "pt"}, "right": {"value": 20, "unit": "pt"}}},
	"layout": {"layoutType": "single"},
	"bodyText": {"fontFamily": "EB Garamond", "fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "textAlign": "justify" %s}}`

// sentences of uncommon length, for paragraphs that run over pages.
const sentences = "Whenever considerable quantities of uncommonly interesting information accumulate unexpectedly, " +
	"experienced typographers deliberately reconsider their arrangements; nevertheless extraordinary circumstances " +
	"occasionally necessitate unconventional compromises between uniformity and readability. "

// TestHyphenateAcrossColumns: with hyphenateAcrossColumns off, a paragraph is
// broken again so that its last line in a column does not end in a hyphen
// (layout.md 5.3), and no line passes the widest space for it.
func TestHyphenateAcrossColumns(t *testing.T) {
	var q [2]quality
	for i, setting := range []string{"true", "false"} {
		config := strings.Replace(bench1, `"textAlign"`, `"hyphenateAcrossColumns": `+setting+`, "textAlign"`, 1)
		r := typeset(t, New(fonttest.World(t)), withConfig(t, corpus(t, "moby-dick"), config))
		q[i] = measureQuality(r.Frames, r.Design.Body.MinSpace)
	}
	t.Logf("%d columns end in a hyphen by default, %d with hyphenateAcrossColumns off; lines past the widest space %d and %d",
		q[0].hyphenPage, q[1].hyphenPage, q[0].loose20, q[1].loose20)
	if q[0].hyphenPage < 10 || q[1].hyphenPage*8 > q[0].hyphenPage || q[1].loose20+q[1].ragged > q[0].loose20+q[0].ragged {
		t.Errorf("the rule changed too little, or cost loose lines")
	}
	if q[1].clubs+q[1].widows > 0 {
		t.Errorf("%d clubs, %d widows", q[1].clubs, q[1].widows)
	}
}

// TestTrackedLines: letter spacing brings the spaces of a line back to their
// limit, never widens a last line, and lets every line end at the measure.
func TestTrackedLines(t *testing.T) {
	tracked := 0
	b := lay(t, fmt.Sprintf(narrow, `, "maxJustifyTracking": 30`), strings.Repeat(sentences, 8))
	for _, p := range b.Chapters[0].Pages {
		for _, bl := range p.Columns[0].Blocks {
			for k := range bl.Lines {
				l := &bl.Lines[k]
				if l.LineSet.Tracking == 0 {
					continue
				}
				tracked++
				if l.LineSet.Tracking > 30 || l.LineSet.Tracking < -30 {
					t.Errorf("letter spacing of %d", l.LineSet.Tracking)
				}
				if l.Last && l.LineSet.Tracking > 0 {
					t.Errorf("a last line is spaced out")
				}
				if l.LineSet.Tracking > 0 && l.LineSet.Tracking < 30 && (l.Ratio > 1501 || l.Ratio < 1450) {
					t.Errorf("spaces of %d, not at the limit", l.Ratio)
				}
				last := l.Runs[len(l.Runs)-1]
				w := last.Words[len(last.Words)-1]
				end := w.X
				for i, g := range w.Shape.Glyphs {
					end += unit.Scale(g.Advance, last.Size, last.Face.UPem)
					if i > 0 {
						end += last.Tracking
					}
				}
				if d := l.Width - end; d > 40 || d < -40 { // scaled points
					t.Errorf("a line of %d ends at %d", l.Width, end)
				}
			}
		}
	}
	if tracked < 10 {
		t.Errorf("%d tracked lines", tracked)
	}
}
