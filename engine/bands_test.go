package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// checkBands holds what is true of every page: bands stand under one another
// and do not overlap, columns of a band begin and end at one height, and the
// text runs on from column to column.
func checkBands(t *testing.T, b *frame.Book) {
	t.Helper()
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			var foot, top, bottom unit.Sp
			band, last := -1, -1
			for i := range p.Columns {
				col := &p.Columns[i]
				if col.Band != band {
					if col.Band < band {
						t.Errorf("page %d: band %d after %d", p.Number, col.Band, band)
					}
					if col.Box.Y < foot {
						t.Errorf("page %d: band %d begins at %v, above the foot of the one before, %v", p.Number, col.Band, col.Box.Y.Pt(), foot.Pt())
					}
					band, top, bottom = col.Band, col.Box.Y, col.Box.Bottom()
				}
				if col.Box.Y != top || col.Box.Bottom() != bottom {
					t.Errorf("page %d band %d: columns from %v to %v and from %v to %v", p.Number, band, top.Pt(), bottom.Pt(), col.Box.Y.Pt(), col.Box.Bottom().Pt())
				}
				foot = max(foot, col.Box.Bottom())
				for _, bl := range col.Blocks {
					if bl.Box.Bottom() > col.Box.Bottom()+unit.Pt/10 || bl.Box.Y < col.Box.Y {
						t.Errorf("page %d column %d: %s from %v to %v in a column from %v to %v", p.Number, i, bl.Kind,
							bl.Box.Y.Pt(), bl.Box.Bottom().Pt(), col.Box.Y.Pt(), col.Box.Bottom().Pt())
					}
					if bl.Kind == frame.Note {
						continue
					}
					if bl.Index < last {
						t.Errorf("page %d column %d: block %d after %d", p.Number, i, bl.Index, last)
					}
					last = bl.Index
				}
			}
			if foot > p.Content.Bottom()+unit.Pt {
				t.Errorf("page %d: a column ends under the type area", p.Number)
			}
		}
	}
}

// bands writes the columns of a page: their band, w for one across the others,
// and the lines in them.
func bands(p *frame.Page) string {
	var out []string
	for i := range p.Columns {
		c := &p.Columns[i]
		n := 0
		for _, bl := range c.Blocks {
			if bl.Kind != frame.Note {
				n += len(bl.Lines)
			}
		}
		w := ""
		if c.Span {
			w = "w"
		}
		out = append(out, fmt.Sprintf("%d%s:%d", c.Band, w, n))
	}
	return strings.Join(out, " ")
}

// TestBands holds layout.md 7: a block across the columns cuts the page.
func TestBands(t *testing.T) {
	box := ":::callout{span=page}\nx\n:::\n\n"
	lines := func(n int) string { return strings.Repeat(fixed(1)+"\n\n", n) }
	for _, c := range []struct{ name, layout, settings, text, want string }{
		{"the band above is cut level", "double", "", lines(8) + box + lines(4), "0:4 0:4 1w:1 2:2 2:2"},
		{"one line more where it is odd", "double", "", lines(7) + box + lines(4), "0:4 0:3 1w:1 2:2 2:2"},
		{"columns that differ by a line stay", "double", "", lines(1) + box + lines(2), "0:1 0:0 1w:1 2:1 2:1"},
		{"at the head of the page there is none", "double", "", box + lines(4), "0w:1 1:2 1:2"},
		{"three columns", "multiple", "", lines(7) + box + lines(6), "0:3 0:3 0:1 1w:1 2:2 2:2 2:2"},
		{"two on a page", "double", "", lines(4) + box + lines(2) + box + lines(2), "0:2 0:2 1w:1 2:1 2:1 3w:1 4:1 4:1"},
		{"one that does not fit goes to the next page, and leaves its band level", "double", "", lines(26) + box + lines(2), "0:13 0:13"},
		{"beforeSpan off", "double", `"beforeSpan": false`, lines(6) + box + lines(4), "0:6 0:0 1w:1 2:2 2:2"},
		{"in a single column it is a box", "single", "", lines(2) + box + lines(2), "0:5"},
		{"a heading across, where the text reaches", "double", `"enabled": true`, lines(6) + "### H\n\n" + lines(4), "0:3 0:3 1w:1 2:2 2:2"},
		{"a heading is kept with its text", "double", "", lines(28) + "### H\n\n" + lines(4), "0:14 0:14"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := strings.Replace(fmt.Sprintf(stage, c.layout, c.settings), "176", "236", 1)
			config = strings.Replace(config, `{"level": 3, `, `{"level": 3, "span": "page", "spanBreak": false, `, 1)
			b := lay(t, config, c.text)
			checkBands(t, b)
			if got := bands(b.Chapters[0].Pages[0]); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestBandsKeepNotes: the notes of a band stand above its cut, in the column
// that cites them.
func TestBandsKeepNotes(t *testing.T) {
	text := "One[^a] line.\n\nTwo.\n\nThree[^b].\n\n:::callout{span=page}\nacross\n:::\n\nFour[^c].\n\nFive.\n\n[^a]: Alpha.\n[^b]: Beta.\n[^c]: Gamma.\n"
	b := lay(t, fmt.Sprintf(stage, "double", ""), text)
	checkBands(t, b)
	found := 0
	for _, p := range b.Chapters[0].Pages {
		for i := range p.Columns {
			for _, bl := range p.Columns[i].Blocks {
				if bl.Kind == frame.Note {
					found++
				}
			}
		}
	}
	if found != 3 {
		t.Errorf("%d notes", found)
	}
}

// TestClosingBandByArea: columns of different widths close level (layout.md 7).
func TestClosingBandByArea(t *testing.T) {
	b := lay(t, fmt.Sprintf(strings.Replace(stage, `"gutterWidth"`, `"sideColumnPercent": 40, "gutterWidth"`, 1), "oneAndHalf", ""), strings.Repeat(sentences, 5))
	checkBands(t, b)
	p := b.Chapters[0].Pages[len(b.Chapters[0].Pages)-1]
	a, z := p.Columns[0].Used, p.Columns[1].Used
	if d := a - z; d > 2*p.GridPitch || d < -2*p.GridPitch || z == 0 {
		t.Errorf("columns of %v and %v", a.Pt(), z.Pt())
	}
}

// TestColumnRulesByBand: each band has its own rules (layout.md 7).
func TestColumnRulesByBand(t *testing.T) {
	config := strings.Replace(fmt.Sprintf(stage, "double", ""), `"gutterWidth"`, `"columnRule": {"enabled": true}, "gutterWidth"`, 1)
	b := lay(t, config, fixed(4)+"\n\n"+fixed(4)+"\n\n:::callout{span=page}\nx\n:::\n\n"+fixed(2)+"\n\n"+fixed(2))
	p := b.Chapters[0].Pages[0]
	var got []string
	for _, it := range p.Under {
		if it.ID == "columnRule" {
			got = append(got, fmt.Sprintf("%.0f-%.0f", it.Box.Y.Pt(), it.Box.Bottom().Pt()))
		}
	}
	if len(got) != 2 || got[0] != "20-68" {
		t.Errorf("rules %v", got)
	}
}

// TestClosingBandIsCutLower: where the level cut does not hold the text, the band is
// cut a line lower, up to three times (layout.md 7).
func TestClosingBandIsCutLower(t *testing.T) {
	// Six lines in two columns are three each, but four of them keep together.
	config := strings.Replace(with(`"index": {"groups": {"enabled": false}}`), `"layoutType": "single"`, `"layoutType": "double"`, 1)
	b := lay(t, config, `:index[a] :index[b] :index[f]{term="c!d!e!f"}`, ":::index")
	var used []float64
	for _, c := range b.Chapters[1].Pages[0].Columns {
		used = append(used, c.Used.Pt()/12)
	}
	if fmt.Sprint(used) != "[2 4]" {
		t.Errorf("the columns hold %v lines, want 2 and 4", used)
	}
}
