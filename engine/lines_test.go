package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
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

// lineEnds writes the last word of each line and the first of the next.
func lineEnds(b *frame.Book) (ends []string) {
	for _, p := range b.Chapters[0].Pages {
		for _, bl := range p.Columns[0].Blocks {
			for i := range bl.Lines {
				var words []string
				for _, r := range bl.Lines[i].Runs {
					for _, w := range r.Words {
						words = append(words, w.Shape.Text)
					}
				}
				if len(words) == 0 {
					continue
				}
				if n := len(ends); n > 0 {
					ends[n-1] += "|" + words[0]
				}
				if i+1 < len(bl.Lines) {
					ends = append(ends, words[len(words)-1])
				}
			}
		}
	}
	return
}

// TestRepeatHyphen: with repeatHyphen on, a line that ends at a hyphen of the
// text is followed by one that begins with it, and never one that ends at a
// hyphen of the breaker's.
func TestRepeatHyphen(t *testing.T) {
	text := strings.Repeat("O guarda-chuva, o quebra-nozes e o saca-rolhas foram-se embora, disse-lhe a bem-aventurada. ", 12)
	for _, c := range []struct {
		setting string
		want    bool
	}{{"", false}, {`, "repeatHyphen": true`, true}} {
		hard, repeated := 0, 0
		for _, e := range lineEnds(lay(t, fmt.Sprintf(narrow, c.setting+`, "hyphenation": {"enabled": false}`), text)) {
			a, z, _ := strings.Cut(e, "|")
			z, _, _ = strings.Cut(z, "|")
			if strings.HasSuffix(a, "-") {
				if hard++; z == "-" {
					repeated++
				}
			} else if z == "-" {
				t.Errorf("a hyphen is repeated that was not there: %s", e)
			}
		}
		if hard < 3 || (repeated == hard) != c.want || !c.want && repeated > 0 {
			t.Errorf("repeatHyphen %v: %d lines end in a hyphen, %d are followed by one", c.want, hard, repeated)
		}
	}
}

// TestCompounds: with hyphenation.compounds off no word of a hyphened compound
// is divided but at the compound's own hyphen; other words still are.
func TestCompounds(t *testing.T) {
	text := strings.Repeat("Characteristically well-documented circumstances-notwithstanding uncharacteristically bewildering-complications arise. ", 12)
	divided := func(setting string) (inside, others int) {
		for _, p := range lay(t, fmt.Sprintf(narrow, setting), text).Chapters[0].Pages {
			for _, bl := range p.Columns[0].Blocks {
				for i := range bl.Lines {
					l, plain := &bl.Lines[i], bl.Text.Plain
					if !l.Hyphenated {
						continue
					}
					from := strings.LastIndexByte(plain[:l.End], ' ') + 1
					to := int(l.End) + strings.IndexByte(plain[l.End:]+" ", ' ')
					if strings.Contains(plain[from:to], "-") {
						inside++
					} else {
						others++
					}
				}
			}
		}
		return
	}
	on, _ := divided("")
	off, others := divided(`, "hyphenation": {"enabled": true, "compounds": false}`)
	if on == 0 || off > 0 || others == 0 {
		t.Errorf("divided inside compounds: %d by default, %d with compounds off (%d other words)", on, off, others)
	}
}
