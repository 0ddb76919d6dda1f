package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/frame"
)

// stage is a page of ten lines in a column, its headings and lists without
// margins, for the levers of column balancing.
const stage = `{"page": {"sizePreset": "custom", "width": {"value": 240, "unit": "pt"}, "height": {"value": 176, "unit": "pt"},
	"margins": {"top": {"value": 20, "unit": "pt"}, "bottom": {"value": 36, "unit": "pt"}, "left": {"value": 20, "unit": "pt"}, "right": {"value": 20, "unit": "pt"}}},
	"layout": {"layoutType": "%s", "gutterWidth": {"value": 10, "unit": "pt"}},
	"bodyText": {"fontFamily": "EB Garamond", "fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "textAlign": "justify"},
	"unorderedLists": {"marginTop": {"value": 0, "unit": "pt"}, "marginBottom": {"value": 0, "unit": "pt"}, "itemSpacing": {"value": 0, "unit": "pt"}},
	"headings": {"fontFamily": "EB Garamond", "marginTop": {"value": 0, "unit": "pt"}, "marginBottom": {"value": 0, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"},
		"balancing": {%s},
		"levels": [{"level": 2, "fontSize": {"value": 10, "unit": "pt"}}, {"level": 3, "fontSize": {"value": 10, "unit": "pt"}}]}}`

// fixed is a paragraph of n lines that no lever changes.
func fixed(n int) string {
	return "**b**" + strings.TrimSuffix(strings.Repeat("x\\\n", n), "\\\n")
}

// levers writes what was done to the blocks of the first column: the first
// letter of the block's kind, the lever and the lines added above or inside.
func levers(b *frame.Book) string {
	p := b.Chapters[0].Pages[0]
	var out []string
	for _, bl := range p.Columns[0].Blocks {
		if v := bl.Balance; v != nil {
			lines := float64(v.SpaceAbove)/float64(p.GridPitch) + float64(v.ExtraLines)
			out = append(out, fmt.Sprintf("%s %s %.4g", bl.Kind, strings.Join(v.Levers, "+"), lines))
		}
	}
	if s := p.Columns[0].Short; s != "" {
		out = append(out, "short by "+s)
	}
	return strings.Join(out, ", ")
}

// TestBalancingLevers holds the levers of layout.md 8 one by one. In each case
// the column would end short because the three lines that follow are not
// divided (two lines at least on either side).
func TestBalancingLevers(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("of an if so ", 25))
	for _, c := range []struct {
		name, layout, settings, text, want string
	}{
		{"room above a heading", "single", "", fixed(3) + "\n\n## H\n\n" + fixed(4), "heading heading 2"},
		{"the most important first", "single", "", fixed(2) + "\n\n### I\n\n" + fixed(2) + "\n\n## H\n\n" + fixed(2), "heading heading 1, heading heading 1"},
		{"one line at a time in turn", "single", "", fixed(2) + "\n\n### I\n\n" + fixed(3) + "\n\n## H\n\n" + fixed(2), "heading heading 1"},
		{"at most maxLinesPerHeading", "single", `"maxLinesPerHeading": 1`, fixed(3) + "\n\n## H\n\n" + fixed(4), "heading heading 1, short by orphans"},
		{"not above a heading at the head", "single", "", "## H\n\n" + fixed(7), "short by orphans"},
		{"a line where a list ends", "single", "", fixed(3) + "\n\n- x\n- x\n\n" + fixed(4), "paragraph list 1"},
		{"more lines where the setting allows", "single", `"maxLinesAfterList": 2`, fixed(3) + "\n\n- x\n- x\n\n" + fixed(3), "paragraph list 2"},
		{"no line after a list", "single", `"stretchAfterLists": false`, fixed(3) + "\n\n- x\n- x\n\n" + fixed(4), "short by widows"},
		{"off", "single", `"enabled": false`, fixed(3) + "\n\n## H\n\n" + fixed(4), "short by orphans"},
		{"heading before list", "single", "", fixed(2) + "\n\n- x\n\n" + fixed(2) + "\n\n## H\n\n" + fixed(3), "heading heading 1"},
		{"a box drops to the foot", "double", "", fixed(3) + "\n\n:::callout\n" + fixed(4) + "\n:::", "frame closingBox 1.125"},
		{"not in the only column", "single", "", fixed(3) + "\n\n:::callout\n" + fixed(4) + "\n:::", "short by height"},
		{"not when it is off", "double", `"closingBox": "off"`, fixed(3) + "\n\n:::callout\n" + fixed(4) + "\n:::", "short by height"},
		{"last: after the headings", "double", `"closingBox": "last"`, fixed(1) + "\n\n## H\n\n" + fixed(1) + "\n\n:::callout\n" + fixed(4) + "\n:::", "heading heading 1, frame closingBox 0.125"},
		{"a paragraph a line longer", "single", "", fixed(4) + "\n\n" + long, "paragraph paragraph 1"},
		{"no loose paragraphs", "single", `"looseParagraphs": false`, fixed(4) + "\n\n" + long, "short by widows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lay(t, fmt.Sprintf(stage, c.layout, c.settings), c.text+"\n\n"+fixed(3)+"\n\n"+fixed(30))
			if got := levers(b); got != c.want {
				n := 0
				for _, bl := range b.Chapters[0].Pages[0].Columns[0].Blocks {
					n += len(bl.Lines)
				}
				t.Errorf("%s, want %s (%d lines)", got, c.want, n)
			}
		})
	}
}
