package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"postext/engine/font"
	"postext/engine/frame"
)

// An empty box is never printed in silence: every character no face has is named
// (warnings.md 4.1, missingGlyph). The pages themselves are asked, so that running
// heads, notes and captions count as well.

// lack is what one face was asked for in vain.
type lack struct {
	face  *font.Face
	chars []rune
	seen  map[rune]bool
	start int // of the first, in the source; -1 where it does not stand in the text
	page  int
}

// maxNamed is how many characters a warning names.
const maxNamed = 12

// missingGlyphs warns of the characters of a chapter that no face has, one
// warning a face.
func (j *job) missingGlyphs(c *frame.Chapter) {
	if !j.l.lacking {
		return
	}
	var lacks []*lack
	line := func(l *frame.LineSet, text *frame.Text, page int) {
		if l == nil {
			return
		}
		for i := range l.Runs {
			for k := range l.Runs[i].Words {
				w := &l.Runs[i].Words[k]
				if w.Shape == nil || !w.Shape.Missing {
					continue
				}
				w.Shape.Lacking(func(at int, r rune) {
					f := w.Shape.Face
					n := slices.IndexFunc(lacks, func(l *lack) bool { return l.face == f })
					if n < 0 {
						n = len(lacks)
						lacks = append(lacks, &lack{face: f, seen: map[rune]bool{}, start: -1, page: page})
					}
					l := lacks[n]
					if !l.seen[r] {
						l.seen[r] = true
						l.chars = append(l.chars, r)
					}
					if l.start < 0 && text != nil {
						if int(w.End-w.Start) != len(w.Shape.Text) {
							at = 0
						}
						l.start, l.page = text.Source(int(w.Start)+at), page
					}
				})
			}
		}
	}
	items := func(list []frame.Item, page int) {
		for i := range list {
			if t := list[i].Text; t != nil {
				line(t.LineSet, nil, page)
			}
		}
	}
	for i, p := range c.Pages {
		items(p.Under, i)
		for _, b := range p.Blocks() {
			items(b.Under, i)
			for k := range b.Lines {
				line(b.Lines[k].LineSet, b.Text, i)
			}
			items(b.Over, i)
		}
		items(p.LineNumbers, i)
		items(p.Header, i)
		items(p.Footer, i)
	}
	for _, l := range lacks {
		c.Problems = append(c.Problems, l.problem())
	}
}

func (l *lack) problem() frame.Problem {
	var named []string
	for _, r := range l.chars[:min(len(l.chars), maxNamed)] {
		named = append(named, fmt.Sprintf("%c (U+%04X)", r, r))
	}
	chars := string(l.chars[:min(len(l.chars), maxNamed)])
	more := ""
	if n := len(l.chars) - maxNamed; n > 0 {
		more = fmt.Sprintf(", … +%d", n)
	}
	style := "normal"
	if l.face.Italic {
		style = "italic"
	}
	return frame.Problem{Kind: "missingGlyph", Start: l.start, End: l.start + utf8.RuneLen(l.chars[0]), Page: l.page,
		Detail: fmt.Sprintf("neither %s nor any font at hand has %s%s: empty boxes are printed. Add a font that has them to the book",
			l.face, strings.Join(named, ", "), more),
		Fields: []frame.Field{{Key: "family", Value: l.face.Family}, {Key: "weight", Value: strconv.Itoa(l.face.Weight)},
			{Key: "style", Value: style}, {Key: "characters", Value: chars}}}
}
