package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"postext/engine/frame"
	"postext/engine/markup"
)

// column is a page of one column of a width in points.
func column(width int) string {
	return fmt.Sprintf(`{"page": {"sizePreset": "custom", "width": {"value": %d, "unit": "pt"}, "height": {"value": 500, "unit": "pt"},
	"margins": {"top": {"value": 20, "unit": "pt"}, "bottom": {"value": 36, "unit": "pt"}, "left": {"value": 20, "unit": "pt"}, "right": {"value": 20, "unit": "pt"}}},
	"layout": {"layoutType": "single"}, "bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}}}`, width+40)
}

// signs counts the signs of a text but its blanks.
func signs(text string, into map[rune]int) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			into[r]++
		}
	}
}

// TestUnbrokenRunsKeepTheirWords: whatever signs stand in a word, and however narrow
// the column it is cut up for, each is printed once; a formula that cannot be set
// prints as it is written (layout.md 5.4).
func TestUnbrokenRunsKeepTheirWords(t *testing.T) {
	alphabet := []string{"a", "m", "U", "\ufffd", "א", "ש\u05c1", "一", "ԃ", "$", "\\", "{", "😀", "👩\u200d🚀", "e\u0301", "\u0301", "ß", "1"}
	const strange = 2000
	r := rand.New(rand.NewPCG(7, 11))
	texts := make([]string, strange)
	for i := range texts {
		var s strings.Builder
		s.WriteString("a")
		for n := 3 + r.IntN(60); n > 0; n-- {
			s.WriteString(alphabet[r.IntN(len(alphabet))])
			if r.IntN(40) == 0 {
				s.WriteString(" ")
			}
		}
		texts[i] = strings.TrimRight(s.String(), " \\") + "a"
	}
	for _, width := range []int{30, 400} {
		res := typeset(t, rulesTypesetter(t), small(t, column(width), strings.Join(texts, "\n\n")))
		paras := res.Docs[0].Blocks
		if len(paras) != strange {
			t.Fatalf("%d paragraphs", len(paras))
		}
		printed, drawn := map[int]map[rune]int{}, map[int]int{}
		for _, bl := range blocksOf(res.Frames, frame.Paragraph) {
			if printed[bl.Start] == nil {
				printed[bl.Start] = map[rune]int{}
			}
			for _, w := range wordsIn(bl) {
				if w.word.Drawing != nil {
					drawn[bl.Start]++
				} else if w.word.Start < w.word.End { // not the hyphen of a divided word
					signs(w.word.Shape.Text, printed[bl.Start])
				}
			}
		}
		for i, p := range paras {
			want := map[rune]int{}
			formulas := 0
			for k := range p.Inlines {
				switch in := &p.Inlines[k]; in.Kind {
				case markup.Text:
					signs(in.Text, want)
				case markup.Math:
					formulas++
				}
			}
			switch drawn[p.Start] {
			case 0:
				for k := range p.Inlines {
					if in := &p.Inlines[k]; in.Kind == markup.Math {
						signs("$"+in.Text+"$", want)
					}
				}
			case formulas:
			default:
				continue
			}
			if !maps.Equal(printed[p.Start], want) {
				t.Errorf("%d points wide: %q prints %v, not %v", width, texts[i], printed[p.Start], want)
			}
		}
	}
}
