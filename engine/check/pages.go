package check

import (
	"fmt"
	"strconv"
	"unicode"

	"postext/engine/frame"
	"postext/engine/settings"
)

// What is seen on the finished pages of a chapter (warnings.md 4.5).

func pages(c *frame.Chapter, d *settings.Design) []frame.Problem {
	out := looseLines(c, d.Debug.LooseThreshold)
	out = append(out, strandedLines(c, &d.Para)...)
	out = append(out, paddingPages(c)...)
	return append(out, pastZ(c)...)
}

// looseLines finds justified lines whose spaces pass the threshold, in times the
// natural space. Lines of ideographs have none worth judging.
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
				if ln.LineSet == nil || !ln.Justified || ln.Ratio <= limit || b.Text == nil || ideographic(b.Text.Plain[ln.Start:ln.End]) {
					continue
				}
				ratio := hundredths(ln.Ratio)
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
