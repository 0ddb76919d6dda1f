package check

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// What is seen on the finished pages of a chapter (warnings.md 4.5).

// pages are the problems of a chapter's pages. Colourings of the same chapter share
// what does not depend on colours.
func (c *Checker) pages(ch *frame.Chapter, d *settings.Design) []frame.Problem {
	p := c.plain[ch.Plain()]
	if p == nil || p.threshold != d.Debug.LooseThreshold || p.para != d.Para {
		p = &plain{threshold: d.Debug.LooseThreshold, para: d.Para,
			lines: slices.Concat(looseLines(ch, d.Debug.LooseThreshold), strandedLines(ch, &d.Para), paddingPages(ch)), letters: pastZ(ch)}
		c.plain[ch.Plain()] = p
	}
	p.run = c.run
	return slices.Concat(p.lines, chipOverlaps(ch, d.Chips), p.letters)
}

// plain is what was found in the pages of a chapter whatever their colours.
type plain struct {
	threshold      float64
	para           settings.ParaRules
	lines, letters []frame.Problem
	run            uint32
}

// maxLoose bounds what a low threshold makes of a long chapter.
const maxLoose = 2000

// looseLines finds justified lines whose spaces pass the threshold, in times the
// natural space. Lines of ideographs have none worth judging, and a word alone on its
// line has none.
func looseLines(c *frame.Chapter, threshold float64) []frame.Problem {
	if threshold <= 0 {
		threshold = 3
	}
	limit := int32(float64(threshold*1000) + 0.5)
	limitText := hundredths(limit)
	var out []frame.Problem
	for i, pg := range c.Pages {
		for _, b := range pg.Blocks() {
			for l := range b.Lines {
				ln := &b.Lines[l]
				if ln.LineSet == nil || ln.Loose() <= limit || b.Text == nil || !strings.ContainsAny(strings.TrimSpace(b.Text.Plain[ln.Start:ln.End]), " \u00a0") || ideographic(b.Text.Plain[ln.Start:ln.End]) {
					continue
				}
				if len(out) == maxLoose {
					return out
				}
				ratio := hundredths(ln.Loose())
				out = append(out, frame.Problem{Kind: "looseLine", Page: i, Start: b.Text.Source(int(ln.Start)), End: b.Text.Source(int(ln.End)),
					Detail: ratio + "× · threshold " + limitText + "×",
					Fields: []frame.Field{{Key: "ratio", Value: ratio}, {Key: "threshold", Value: limitText}}})
			}
		}
	}
	return out
}

// hundredths writes thousandths as a number with two decimals.
func hundredths(v int32) string { return fmt.Sprintf("%d.%02d", v/1000, v%1000/10) }

func ideographic(s string) bool {
	for _, r := range s {
		if r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return true
		}
	}
	return false
}

// strandedLines finds paragraphs divided with too few lines at the foot of a
// column, which the settings call widows, or at the head of the next: orphans.
func strandedLines(c *frame.Chapter, r *settings.ParaRules) []frame.Problem {
	var out []frame.Problem
	add := func(kind string, page int, b *frame.Block, place string) {
		n := len(b.Lines)
		lines := "1 line"
		if n > 1 {
			lines = strconv.Itoa(n) + " lines"
		}
		p := frame.Problem{Kind: kind, Page: page, Start: b.Start, End: b.End, Detail: lines + " alone at the " + place + " of a column",
			Fields: []frame.Field{{Key: "lines", Value: strconv.Itoa(n)}}}
		if l := b.Lines[0]; l.LineSet != nil && b.Text != nil {
			p.Start, p.End = b.Text.Source(int(l.Start)), b.Text.Source(int(b.Lines[n-1].End))
		}
		out = append(out, p)
	}
	counts := func(b *frame.Block, on, inLists bool) bool {
		return on && len(b.Lines) > 0 && (b.Kind == frame.Paragraph || b.Kind == frame.ListItem && inLists)
	}
	for i, pg := range c.Pages {
		for k := range pg.Columns {
			list := pg.Columns[k].Blocks
			for len(list) > 0 && list[len(list)-1].Kind == frame.Note {
				list = list[:len(list)-1]
			}
			if len(list) == 0 {
				continue
			}
			if b := list[0]; b.Continued && !b.Continues && len(b.Lines) < r.OrphanMin && counts(b, r.AvoidOrphans, r.OrphansInLists) {
				add("orphan", i, b, "head")
			}
			if b := list[len(list)-1]; b.Continues && !b.Continued && len(b.Lines) < r.WidowMin && counts(b, r.AvoidWidows, r.WidowsInLists) {
				add("widow", i, b, "foot")
			}
		}
	}
	return out
}

// paddingPages finds more than two blank pages in a row.
func paddingPages(c *frame.Chapter) (out []frame.Problem) {
	for i := 0; i < len(c.Pages); i++ {
		from := i
		for i < len(c.Pages) && c.Pages[i].Role == frame.Blank {
			i++
		}
		if n := i - from; n > 2 {
			out = append(out, frame.Problem{Kind: "parityCascade", Start: -1, Page: from, Detail: strconv.Itoa(n) + " blank pages",
				Fields: []frame.Field{{Key: "runLength", Value: strconv.Itoa(n)}}})
		}
	}
	return out
}

// pastZ finds the page after z of a numbering by letters: a PDF's own labels go on
// with aa, bb, cc where the pages print aa, ab, ac.
func pastZ(c *frame.Chapter) []frame.Problem {
	for i, p := range c.Pages {
		if p.Value == 27 && (p.Label == "aa" || p.Label == "AA") {
			return []frame.Problem{{Kind: "alphaPdfOverflow", Start: -1, Page: i,
				Detail: "page " + p.Label + " and those after it have other letters in a PDF reader's list of pages"}}
		}
	}
	return nil
}

// chipOverlaps finds chips that run into a chip of the line above or below, the
// worst of each style.
func chipOverlaps(c *frame.Chapter, styles []settings.ChipStyle) []frame.Problem {
	if len(styles) == 0 {
		return nil
	}
	worst := make([]frame.Problem, len(styles))
	most := make([]unit.Sp, len(styles))
	for i, pg := range c.Pages {
		for _, b := range pg.Blocks() {
			for k := 1; k < len(b.Lines); k++ {
				over, under := &b.Lines[k-1], &b.Lines[k]
				if over.LineSet == nil || under.LineSet == nil || len(over.Plates) == 0 || len(under.Plates) == 0 {
					continue
				}
				for _, p := range over.Plates {
					style := chipOf(styles, p)
					if style < 0 {
						continue
					}
					for _, q := range under.Plates {
						apart := over.X+p.X+p.W <= under.X+q.X || under.X+q.X+q.W <= over.X+p.X
						by := over.Baseline + p.Below - (under.Baseline - q.Above)
						if apart || chipOf(styles, q) < 0 || by <= most[style] {
							continue
						}
						most[style] = by
						pt := strconv.FormatFloat(math.Round(float64(by.Pt()*10))/10, 'f', 1, 64)
						worst[style] = frame.Problem{Kind: "chipOverlap", Page: i, Start: b.Text.Source(int(under.Start)), End: b.Text.Source(int(under.End)),
							Detail: styles[style].ID + ", " + pt + " pt", Fields: []frame.Field{{Key: "style", Value: styles[style].ID}, {Key: "overlapPt", Value: pt}}}
					}
				}
			}
		}
	}
	return slices.DeleteFunc(worst, func(p frame.Problem) bool { return p.Kind == "" })
}

// chipOf is the style a plate is drawn by, by its fill and outline; −1 for another
// plate.
func chipOf(styles []settings.ChipStyle, p frame.Plate) int {
	return slices.IndexFunc(styles, func(s settings.ChipStyle) bool {
		return s.Fill == p.Fill && (s.Border == p.Stroke || p.Stroke.A == 0) && s.Fill.A+s.Border.A > 0
	})
}
