package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"postext/engine/frame"
)

// numbersOf are the line numbers of a book, page by page with a bar between.
func numbersOf(b *frame.Book) string {
	var out []string
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			var page []string
			for _, it := range p.LineNumbers {
				page = append(page, it.Plain)
			}
			out = append(out, strings.Join(page, " "))
		}
	}
	return strings.Join(out, "|")
}

func numbered(more string) string {
	return `{"page":{"sizePreset":"custom","width":"10cm","height":"10cm","margins":{"top":"1cm","bottom":"1cm","left":"2cm","right":"2cm"}},"layout":{"layoutType":"single"},
"header":{"elements":[]},"bodyText":{"fontSize":"10pt","lineHeight":"12pt"},"headings":{"levels":[{"level":1,"breakBefore":{"enabled":false}}]},
"lineNumbers":{"enabled":true,"interval":1` + more + `}}`
}

// TestLineNumbersCount: what is counted, from what number, and where the count
// starts again (settings.md 22, layout.md 12).
func TestLineNumbersCount(t *testing.T) {
	poem := func(attrs string, lines ...string) string {
		return ":::verse" + attrs + "\n" + strings.Join(lines, "\n") + "\n:::\n"
	}
	wide := strings.Repeat("a long line of verse ", 4)
	for name, c := range map[string]struct {
		config, text, want string
	}{
		"poems alone":                  {numbered(""), "prose\n\n" + poem("", "one", "two"), "1 2"},
		"a line turned over is one":    {numbered(""), poem("{tighten=false}", wide, "two"), "1 2"},
		"a shared line is one":         {numbered(""), poem("", "Who's there?", "+ Stand.", "Long live"), "1 2"},
		"each poem":                    {numbered(""), poem("", "one", "two") + "\n" + poem("", "one"), "1 2 1"},
		"through the chapter":          {numbered(`,"restart":"chapter"`), poem("", "one", "two") + "\n" + poem("", "three"), "1 2 3"},
		"a chapter begins anew":        {numbered(`,"restart":"chapter"`), poem("", "one", "two") + "\n# Next\n\n" + poem("", "one"), "1 2 1"},
		"a section goes on in it":      {numbered(`,"restart":"chapter"`), poem("", "one", "two") + "\n## Next\n\n" + poem("", "three"), "1 2 3"},
		"lineStart":                    {numbered(""), poem("{lineStart=20}", "x", "y"), "20 21"},
		"startAt":                      {numbered(`,"startAt":7`), poem("", "x", "y"), "7 8"},
		"interval of a poem":           {numbered(""), poem("{interval=2}", "1", "2", "3", "4"), "2 4"},
		"the first one too":            {numbered(`,"numberFirst":true`), poem("{interval=3}", "1", "2", "3", "4"), "1 3"},
		"not numbered":                 {numbered(""), poem("{numbered=false}", "1", "2"), ""},
		"a number for the next line":   {numbered(""), ":::numbering{lines=9}\n\n" + poem("", "nine", "ten"), "9 10"},
		"no poem restarts it again":    {numbered(""), ":::numbering{lines=9}\n\n" + poem("", "nine") + "\n" + poem("", "one"), "9 1"},
		"format":                       {numbered(`,"format":"lower-roman"`), poem("", "1", "2"), "i ii"},
		"prose":                        {numbered(`,"count":"all"`), "# Head\n\nOne.\n\n- two\n- three\n\n> four\n", "1 2 3 4"},
		"not boxes":                    {numbered(`,"count":"all"`), "One.\n\n:::callout{type=note}\nBoxed.\n:::\n\nTwo.", "1 2"},
		"not formulas, not notes":      {numbered(`,"count":"all"`), "One.[^a]\n\n$$x$$\n\nTwo.\n\n[^a]: A note.", "1 2"},
		"columns within the text":      {numbered(`,"count":"all"`), "One.\n\n:::columns\nleft\n\nright\n:::\n\nTwo.", "1 2 3 4"},
		"poems in columns":             {numbered(""), ":::columns{count=2}\n" + poem("", "one", "two") + "\n" + poem("", "one", "two") + ":::\n", "1 2 1 2"},
		"a verse line counts in prose": {numbered(`,"count":"all"`), "One.\n\n" + poem("{tighten=false}", wide, "x"), "1 2 3"},
		"off":                          {strings.Replace(numbered(""), `"enabled":true`, `"enabled":false`, 2), poem("", "1"), ""},
	} {
		if got := numbersOf(lay(t, c.config, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestLineNumbersMoveNothing: with numbers every line stands where it stands
// without (layout.md 12), and turning them on lays no chapter out again.
func TestLineNumbersMoveNothing(t *testing.T) {
	text := "# Head\n\n" + strings.Repeat("A line of some words that goes on and on for a while. ", 40)
	off := lay(t, strings.Replace(numbered(`,"count":"all"`), `"enabled":true`, `"enabled":false`, 1), text)
	on := lay(t, numbered(`,"count":"all"`), text)
	lines := func(b *frame.Book) (out []string) {
		for _, p := range b.Chapters[0].Pages {
			for _, bl := range p.Blocks() {
				for _, l := range bl.Lines {
					out = append(out, fmt.Sprint(l.X, l.Baseline))
				}
			}
		}
		return
	}
	if !slices.Equal(lines(off), lines(on)) {
		t.Error("the lines moved")
	}
	ts := rulesTypesetter(t)
	b := small(t, strings.Replace(numbered(`,"count":"all"`), `"enabled":true`, `"enabled":false`, 1), text)
	typeset(t, ts, b)
	before := ts.Counters()
	r := typeset(t, ts, withConfig(t, b, numbered(`,"count":"all"`)))
	after := ts.Counters()
	if after.ChaptersPlaced != before.ChaptersPlaced || after.ParagraphsBroken != before.ParagraphsBroken {
		t.Errorf("laid out again: %+v, then %+v", before, after)
	}
	if numbersOf(r.Frames) == "" {
		t.Error("no numbers")
	}
}

// TestLineNumbersGoOnThroughTheBook: counted through the document the numbers go
// on from chapter to chapter, also after an edit of the first one.
func TestLineNumbersGoOnThroughTheBook(t *testing.T) {
	config := numbered(`,"count":"all","restart":"document"`)
	ts := rulesTypesetter(t)
	if got := numbersOf(typeset(t, ts, small(t, config, "One.\n\nTwo.", "Three.", "Four.")).Frames); got != "1 2|3|4" {
		t.Errorf("%q", got)
	}
	if got := numbersOf(typeset(t, ts, small(t, config, "One.\n\nTwo.\n\nA new one.", "Three.", "Four.")).Frames); got != "1 2 3|4|5" {
		t.Errorf("after an edit %q", got)
	}
	if got := numbersOf(typeset(t, ts, small(t, numbered(`,"count":"all"`), "One.\n\nTwo.", "Three.", "Four.")).Frames); got != "1 2|1|1" {
		t.Errorf("page by page %q", got)
	}
}

// TestLineNumbersStandOutside: numbers stand the gap away from the text, in the
// outer margin: right on a recto, left on a verso.
func TestLineNumbersStandOutside(t *testing.T) {
	b := lay(t, numbered(`,"count":"all","gap":"5pt"`), strings.Repeat("A line of some words that goes on and on for a while. ", 60))
	for i, p := range b.Chapters[0].Pages[:2] {
		if len(p.LineNumbers) == 0 {
			t.Fatalf("page %d has no numbers", i+1)
		}
		for _, it := range p.LineNumbers {
			gap := it.Box.X - p.Content.Right()
			if !p.Recto {
				gap = p.Content.X - it.Box.Right()
			}
			if gap.Pt() != 5 {
				t.Errorf("page %d: %s is %v pt from the text", i+1, it.Plain, gap.Pt())
			}
		}
	}
}
