package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// listed is the tiny page with a code face and further settings of listings.
func listed(more string) string {
	c := strings.TrimSuffix(fmt.Sprintf(tiny, "false", "any"), "}")
	return c + `, "codeStyle": {"fontFamily": "JetBrains Mono"` + more + `}}`
}

func overs(b *frame.Book, id string) (out []frame.Item) {
	for _, bl := range blocksOf(b, frame.Code) {
		for _, it := range append(append([]frame.Item(nil), bl.Under...), bl.Over...) {
			if it.ID == id {
				out = append(out, it)
			}
		}
	}
	return
}

// TestListingNumbers: numbers stand flush right in a gutter, one for each line of
// code and none for the rest of a line that turned over; start turns them on.
func TestListingNumbers(t *testing.T) {
	for _, c := range []struct {
		config, info string
		want         int
	}{
		{listed(""), "", 0}, {listed(`, "lineNumbers": true`), "", 3}, {listed(`, "lineNumbers": true`), " {lineNumbers=false}", 0},
		{listed(""), " {lineNumbers}", 3}, {listed(""), " {start=99}", 3},
	} {
		b := lay(t, c.config, "```go"+c.info+"\na b c d e f g h i j k l m n o p q r s t u v w x y z\nb\nc\n```")
		got := overs(b, "lineNumber")
		if len(got) != c.want {
			t.Errorf("%s: %d numbers, want %d", c.info, len(got), c.want)
		}
		code := blocksOf(b, frame.Code)[0]
		for _, it := range got {
			if gap := code.Lines[0].X - it.Box.Right(); gap < 8*unit.Pt || gap > 9*unit.Pt { // 1em of 8.5 pt
				t.Errorf("%s: number ends %v before the code", c.info, gap.Pt())
			}
		}
		if c.want > 0 && strings.Contains(c.info, "99") {
			last := got[2].Text.Runs[0].Words[0].Shape.Text
			if last != "101" {
				t.Errorf("the last number is %s", last)
			}
		}
	}
}

// TestListingMarks: marked lines have a tint as wide as the box, the rest of a
// line that turned over too.
func TestListingMarks(t *testing.T) {
	b := lay(t, listed(""), "```{highlight=\"1,3-9\"}\na b c d e f g h i j k l m n o p q r s t u v w x y z\nb\nc\n```")
	marks := overs(b, "marked")
	lines := len(blocksOf(b, frame.Code)[0].Lines)
	if len(marks) != lines-1 {
		t.Errorf("%d marks for %d lines", len(marks), lines)
	}
	fr := blocksOf(b, frame.Frame)[0]
	for _, m := range marks {
		if m.Box.X != fr.Box.X || m.Box.W != fr.Box.W {
			t.Errorf("mark %v, box %v", m.Box, fr.Box)
		}
	}
}

// TestListingOverflow: a line wider than the box turns over, makes the listing
// smaller down to the floor, or is cut; each says so.
func TestListingOverflow(t *testing.T) {
	text := "```go\nfunc f(a, b, c, d, e, g, h int) {}\n```"
	for _, c := range []struct {
		mode  string
		lines int
	}{{"wrap", 2}, {"shrink", 1}, {"clip", 1}} {
		b := lay(t, listed(`, "overflow": "`+c.mode+`"`), text)
		bl := blocksOf(b, frame.Code)[0]
		if len(bl.Lines) != c.lines {
			t.Errorf("%s: %d lines", c.mode, len(bl.Lines))
		}
		for i := range bl.Lines {
			if l := &bl.Lines[i]; c.mode != "clip" && l.X+lineEnd(l) > bl.Box.Right()+unit.Pt/10 || l.X+l.Width > bl.Box.Right()+unit.Pt/10 {
				t.Errorf("%s: line %d leaves the box by %v", c.mode, i, (l.X + lineEnd(l) - bl.Box.Right()).Pt())
			}
		}
		found := ""
		for _, p := range b.Chapters[0].Problems {
			if p.Kind == "codeOverflow" {
				found = p.Fields[0].Value
			}
		}
		if found != c.mode {
			t.Errorf("%s: warning %q", c.mode, found)
		}
	}
}

// TestListingCut: a listing that goes on has its frame in both columns and two
// lines at least on each side of the cut.
func TestListingCut(t *testing.T) {
	for n := 1; n < 8; n++ {
		b := lay(t, listed(""), strings.Repeat("x\\\n", n)+"x\n\n```\n"+strings.Repeat("y\n", 9)+"```")
		total := 0
		for _, bl := range blocksOf(b, frame.Code) {
			if len(bl.Lines) < 2 {
				t.Errorf("%d lines before: a part of %d lines", n, len(bl.Lines))
			}
			total += len(bl.Lines)
		}
		if total != 9 {
			t.Errorf("%d lines of 9", total)
		}
	}
}

// TestListingInList: the lines of a listing in a list or quotation lead back to
// their own places in the source.
func TestListingInList(t *testing.T) {
	src := "- item\n\n  ```go\n  func a() {}\n  func b() {}\n  ```\n\n> ```\n> quoted\n> twice\n> ```\n"
	b := lay(t, listed(""), src)
	for i, want := range []string{"func a() {}", "quoted"} {
		bl := blocksOf(b, frame.Code)[i]
		for k := range bl.Lines {
			l := &bl.Lines[k]
			from, to := bl.Text.Source(int(l.Start)), bl.Text.Source(int(l.End))
			text := bl.Text.Plain[l.Start:l.End]
			if src[from:to] != text || k == 0 && text != want {
				t.Errorf("line %q comes from %q", text, src[from:min(to, len(src))])
			}
		}
	}
}

// TestListingColours: words take the ink of their part; without a known language,
// or with highlight none, all are in the ink of code.
func TestListingColours(t *testing.T) {
	inks := func(config, info string) int {
		seen := map[unit.Color]bool{}
		for _, bl := range blocksOf(lay(t, config, "```"+info+"\nfunc f() { return 1 } // x\n```"), frame.Code) {
			for i := range bl.Lines {
				for _, r := range bl.Lines[i].Runs {
					seen[r.Color] = true
				}
			}
		}
		return len(seen)
	}
	if n := inks(listed(""), "go"); n != 5 { // keyword, function, number, comment, code
		t.Errorf("%d inks", n)
	}
	if n := inks(listed(""), "nosuch"); n != 1 {
		t.Errorf("unknown language: %d inks", n)
	}
	if n := inks(listed(`, "highlight": "none"`), "go"); n != 1 {
		t.Errorf("highlight none: %d inks", n)
	}
}
