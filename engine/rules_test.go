package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// small makes a book of chapters for the rules' tests.
func small(t testing.TB, config string, chapters ...string) *book.Book {
	t.Helper()
	b := &book.Book{ID: "b", Name: "Small", Title: "Small", Language: "en"}
	for i, c := range chapters {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i), Title: fmt.Sprint("Chapter ", i+1), Markdown: c})
	}
	return withConfig(t, b, config)
}

// rules is the typesetter of the rules' tests: the pages of a book do not depend
// on what was laid out before, and the fonts are read once.
var rules *Typesetter

func lay(t testing.TB, config string, chapters ...string) *frame.Book {
	t.Helper()
	return typeset(t, rulesTypesetter(t), small(t, config, chapters...)).Frames
}

func rulesTypesetter(t testing.TB) *Typesetter {
	if rules == nil {
		rules = New(fonttest.World(t))
	}
	return rules
}

// tiny is a page of six lines or so.
const tiny = `{"page": {"sizePreset": "custom", "width": {"value": 200, "unit": "pt"}, "height": {"value": 140, "unit": "pt"},
	"margins": {"top": {"value": 20, "unit": "pt"}, "bottom": {"value": 36, "unit": "pt"}, "left": {"value": 20, "unit": "pt"}, "right": {"value": 20, "unit": "pt"}}},
	"layout": {"layoutType": "single"}, "bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}},
	"headings": {"levels": [{"level": 1, "breakBefore": {"enabled": %s, "parity": "%s"}, "fontSize": {"value": 10, "unit": "pt"}}]}}`

// pages writes a book's pages as one letter each: the first letter of what it
// holds, "-" for a blank.
func pages(b *frame.Book) string {
	var s strings.Builder
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			first := "-"
			for i := range p.Columns {
				if bs := p.Columns[i].Blocks; len(bs) > 0 && first == "-" {
					first = bs[0].Text.Plain[:1]
				}
			}
			s.WriteString(first)
		}
	}
	return s.String()
}

// TestOpeners holds the parities of layout.md 11.
func TestOpeners(t *testing.T) {
	for _, c := range []struct {
		on, parity string
		chapters   []string
		want       string
	}{
		{"true", "any", []string{"# A\n\ntext", "# B\n\ntext"}, "AB"},
		{"true", "odd", []string{"# A\n\ntext", "# B\n\ntext"}, "A-B"},
		{"true", "even", []string{"# A\n\ntext", "# B\n\ntext"}, "AB"},
		{"true", "always-odd", []string{"# A\n\ntext", "# B\n\ntext"}, "A-B"},
		{"true", "always-even", []string{"# A\n\ntext", "# B\n\ntext"}, "A--B"},
		{"true", "always-odd", []string{"# A\n\nx\n\n:::pagebreak\n\ny", "# B\n\ntext"}, "Ay--B"},
		{"true", "any", []string{"a\n\n:::pagebreak\n\n# B"}, "aB"},
		{"false", "any", []string{"a\n\n:::pagebreak{parity=odd}\n\nb"}, "a-b"},
		{"false", "any", []string{":::pagebreak{parity=even}\n\na"}, "a"},
		{"false", "any", []string{"a\n\n:::pagebreak\n\n:::pagebreak\n\nb"}, "ab"},
		{"false", "any", []string{"a\n\n:::columnbreak\n\nb"}, "ab"},
		{"false", "any", []string{""}, "-"},
	} {
		if got := pages(lay(t, fmt.Sprintf(tiny, c.on, c.parity), c.chapters...)); got != c.want {
			t.Errorf("%s %v: pages %s, want %s", c.parity, c.chapters, got, c.want)
		}
	}
}

// TestNumbering: page labels follow :::numbering from the next page on, at once
// after a page break, and through chapters.
func TestNumbering(t *testing.T) {
	b := lay(t, fmt.Sprintf(tiny, "true", "any"), "a\n\n:::numbering{format=lower-roman startAt=5}\n\n:::pagebreak\n\nb\n\n:::pagebreak\n\n:::numbering{format=decimal startAt=1}\n\nc", "# D\n\ntext")
	var got []string
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			got = append(got, p.Label)
		}
	}
	if s := strings.Join(got, " "); s != "1 v 1 2" {
		t.Errorf("labels %q", s)
	}
}

// TestSplitScores holds the scoring of layout.md 6 on pages of seven lines.
func TestSplitScores(t *testing.T) {
	line := strings.Repeat("x", 12) + `\` + "\n"
	para := func(n int) string { return "**b**" + strings.TrimSuffix(strings.Repeat(line, n), `\`+"\n") }
	for _, c := range []struct {
		first, second int
		want          string // lines of the second paragraph on each page
	}{
		{3, 4, "4"}, {3, 6, "4+2"}, {3, 5, "3+2"}, {6, 4, "0+4"}, {5, 3, "0+3"}, {5, 4, "2+2"}, {4, 4, "2+2"},
	} {
		b := lay(t, fmt.Sprintf(tiny, "false", "any"), para(c.first)+"\n\n"+para(c.second))
		var got []string
		for _, p := range b.Chapters[0].Pages {
			n := 0
			for _, bl := range p.Columns[0].Blocks {
				if bl.Index == 1 {
					n += len(bl.Lines)
				}
			}
			got = append(got, fmt.Sprint(n))
		}
		if s := strings.Join(got, "+"); s != c.want {
			t.Errorf("%d lines, then %d: %s, want %s", c.first, c.second, s, c.want)
		}
	}
}

// TestNotesAtTheirColumn: every note stands in the column of its citation
// (layout.md 14, check 5).
func TestNotesAtTheirColumn(t *testing.T) {
	for _, config := range []string{bench1, "{}"} {
		r := typeset(t, New(fonttest.World(t)), withConfig(t, corpus(t, "wealth-of-nations"), config))
		cited, apart := 0, 0
		for i, c := range r.Frames.Chapters {
			at := map[string]string{} // note id: column it begins in
			for _, p := range c.Pages {
				for k := range p.Columns {
					for _, b := range p.Columns[k].Blocks {
						if b.Kind == frame.Note && b.ID != "" && !b.Continued {
							at[b.ID] = fmt.Sprint(p.Number, ".", k)
						}
					}
				}
			}
			seen := map[string]bool{}
			for _, p := range c.Pages {
				for k := range p.Columns {
					for _, b := range p.Columns[k].Blocks {
						for l := range b.Lines {
							for _, id := range notesIn(r.Docs[i].Source, b, &b.Lines[l]) {
								if seen[id] {
									continue
								}
								seen[id] = true
								cited++
								if at[id] != fmt.Sprint(p.Number, ".", k) {
									apart++
								}
							}
						}
					}
				}
			}
		}
		t.Logf("%d notes cited, %d begin in a later column for want of room", cited, apart)
		if cited < 1000 || apart*100 > cited {
			t.Errorf("%d of %d notes apart from their citation", apart, cited)
		}
	}
}

// notesIn lists the notes a line cites.
func notesIn(source string, b *frame.Block, l *frame.Line) (ids []string) {
	if b.Text == nil {
		return nil
	}
	for _, e := range b.Text.Map {
		if e.SrcLen > 0 && e.Plain >= l.Start && e.Plain < l.End {
			s := source[e.Src : e.Src+e.SrcLen]
			if strings.HasPrefix(s, "[^") {
				ids = append(ids, strings.TrimSuffix(s[2:], "]"))
			}
		}
	}
	return
}

// TestGolden compares small books with their recorded frames; -update is the
// environment variable UPDATE=1.
func TestGolden(t *testing.T) {
	page := fmt.Sprintf(tiny, "false", "any")
	for _, c := range []struct{ name, config, text string }{
		{"paragraphs", page, "The first paragraph is long enough to be broken into several lines of text, one of them with an incomprehensibly long word.\n\nThe *second* has **bold** and ~~struck~~ and x^2^ words."},
		{"list", page, "Before:\n\n1. one\n2. two, which is long enough to turn over\n   - inner\n\nAfter."},
		{"code", page, "```go\nfunc main() {\n\tprintln(1)\n}\n```"},
		{"quote", page, "> Quoted words in a block of their own, long enough to turn.\n>\n> Second."},
		{"scene", page, "One.\n\n* * *\n\nTwo."},
		{"note", page, "Words[^a] with a note.\n\n[^a]: The note."},
		{"heading", page, "# Title\n\nText under it.\n\n## Section\n\nMore."},
		{"callout", page, ":::callout{title=\"Mind\"}\nInside the box.\n:::\n\nAfter."},
		{"table", page, "| a | b |\n|---|--:|\n| one | 1 |\n| two | 22 |"},
		{"verse", page, ":::verse\nA line of verse,\n  and one set in;\n\na new stanza.\n:::"},
		{"bands", fmt.Sprintf(stage, "double", ""), strings.Repeat("Words above the cut, in two columns. ", 12) + "\n\n:::callout{span=page title=Across}\nInside the box.\n:::\n\n" + strings.Repeat("Words below it, in two more. ", 9)},
		{"opener", fmt.Sprintf(designed, title("{chapterTitle}"), `"minHeight": {"value": 80, "unit": "pt"},`, title("{numberWords}: {titleText}")+`, {"kind": "rule", "id": "r", "placement": {"anchor": {"edge": "bottom"}}}`), "# The opener\n\nText under it."},
		{"part", strings.Replace(fmt.Sprintf(designed, title("{partTitle}"), "", title("{titleText}")), `"headings":`, `"parts": {"design": {"elements": [`+title("{number} {titleText}")+`]}, "versoDesign": {"elements": [`+title("verso")+`]}, "breakAfter": {"parity": "odd"}}, "headings":`, 1),
			":::part{number=II title=\"The Hive\"}\n- a list\n:::\n\n# One\n\nText."},
		{"columns", "{}", strings.Repeat("Words that fill two columns, which end level at the close of the chapter. ", 20)},
	} {
		t.Run(c.name, func(t *testing.T) { golden(t, c.name, lay(t, c.config, c.text)) })
	}
}

// golden compares a book's geometry with the one recorded.
func golden(t *testing.T, name string, b *frame.Book) {
	t.Helper()
	got := dumpGeometry(b)
	file := filepath.Join("testdata", name+".json")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("frames differ from %s; run with UPDATE=1 and look", file)
	}
}

// dumpGeometry writes the lines of a book with their places in points.
func dumpGeometry(b *frame.Book) []byte {
	type line struct {
		Text     string
		X, Y, W  float64
		Ratio    int32 `json:",omitempty"`
		Hyphened bool  `json:",omitempty"`
	}
	type block struct {
		Kind   string
		Part   string `json:",omitempty"`
		Number string `json:",omitempty"`
		Lines  []line
		Marks  []string `json:",omitempty"`
	}
	type page struct {
		Label, Role string
		Columns     [][]block
		Short       []string
		Under       []string `json:",omitempty"`
		Floats      []block  `json:",omitempty"`
	}
	pt := func(v interface{ Pt() float64 }) float64 { return float64(int(v.Pt()*100+0.5)) / 100 }
	dump := func(bl *frame.Block) block {
		o := block{Kind: string(bl.Kind), Part: bl.Part, Number: bl.Number}
		for k := range bl.Lines {
			l := &bl.Lines[k]
			var words []string
			for _, r := range l.Runs {
				for _, w := range r.Words {
					words = append(words, w.Shape.Text)
				}
			}
			o.Lines = append(o.Lines, line{strings.Join(words, "|"), pt(l.X), pt(l.Baseline), pt(l.Width), l.Ratio, l.Hyphenated})
		}
		for _, it := range append(append([]frame.Item(nil), bl.Under...), bl.Over...) {
			o.Marks = append(o.Marks, fmt.Sprintf("%s %s %.2f %.2f %.2f %.2f", it.ID, it.Plain, pt(it.Box.X), pt(it.Box.Y), pt(it.Box.W), pt(it.Box.H)))
		}
		return o
	}
	var out []page
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			pg := page{Label: p.Label, Role: p.Role.String()}
			for i := range p.Columns {
				bs := []block{}
				for _, bl := range p.Columns[i].Blocks {
					bs = append(bs, dump(bl))
				}
				pg.Columns = append(pg.Columns, bs)
				pg.Short = append(pg.Short, p.Columns[i].Short)
			}
			for _, it := range p.Under {
				pg.Under = append(pg.Under, fmt.Sprintf("%s %s %.2f %.2f %.2f %.2f", it.ID, it.Plain, pt(it.Box.X), pt(it.Box.Y), pt(it.Box.W), pt(it.Box.H)))
			}
			for _, bl := range p.Floats {
				pg.Floats = append(pg.Floats, dump(bl))
			}
			out = append(out, pg)
		}
	}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		panic(err) // plain structs always marshal
	}
	return append(data, '\n')
}

// TestHostile: no text makes the layout panic, run away or lose its pages.
func TestHostile(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for name, text := range map[string]string{
		"huge word":       long,
		"huge word in it": "a " + long + " b",
		"huge heading":    "# " + strings.Repeat("word ", 20_000),
		"many headings":   strings.Repeat("# a\n\n## b\n\n", 3000),
		"deep list":       deepList(80),
		"deep quote":      strings.Repeat("> ", 90) + "x",
		"only breaks":     strings.Repeat(":::pagebreak{parity=always-odd}\n\n", 500),
		"marks":           strings.Repeat("̈", 5000),
		"joiners":         strings.Repeat("a\u2060\u200b\u00ad", 5000),
		"spaces":          strings.Repeat("\u2003\u00a0 ", 5000),
		"dashes":          strings.Repeat("—", 20_000),
		"hyphens":         strings.Repeat("ab-", 20_000),
		"arabic":          strings.Repeat("السلام عليكم ", 500),
		"chinese":         strings.Repeat("漢字仮名交じり文。", 800),
		"notes":           strings.Repeat("a[^n]", 500) + "\n\n[^n]: " + strings.Repeat("long note ", 3000),
		"many notes":      manyNotes(400),
		"wide table":      "|" + strings.Repeat("a|", 200) + "\n|" + strings.Repeat("-|", 200) + "\n|" + strings.Repeat("word|", 200),
		"tall cell":       "|a|b|\n|-|-|\n|" + strings.Repeat("word ", 3000) + "|x|",
		"code":            "```\n" + strings.Repeat(strings.Repeat("y", 3000)+"\n", 20) + "```",
		"formulas":        strings.Repeat("$"+strings.Repeat("x", 400)+"$ ", 50),
		"smallcaps":       ":smallcaps[" + strings.Repeat("Ab", 3000) + "]",
		"links":           strings.Repeat("[a](http://x.y/"+strings.Repeat("z/", 300)+") ", 20),
		"breaks":          strings.Repeat("a\\\n", 5000) + "b",
		"spaced":          strings.Repeat("a\n\n:::space{lines=20}\n\n", 300),
	} {
		t.Run(name, func(t *testing.T) {
			for _, config := range []string{fmt.Sprintf(tiny, "true", "always-odd"), "{}", `{"layout": {"layoutType": "oneAndHalf"}}`, `{"layout": {"layoutType": "multiple", "columnCount": 8}}`} {
				b := lay(t, config, text, "# After\n\nx")
				if b.PageCount() == 0 {
					t.Error("no pages")
				}
			}
		})
	}
}

func deepList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- item\n")
	}
	return b.String()
}

func manyNotes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word[^%d] ", i)
	}
	b.WriteString("\n\n")
	for i := range n {
		fmt.Fprintf(&b, "[^%d]: note of some words\n\n", i)
	}
	return b.String()
}

// TestCancelledBefore: a context that is done gives its error.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(fonttest.World(t)).Typeset(ctx, small(t, "{}", "text"), Observer{}); err == nil {
		t.Error("no error")
	}
}

// TestContents: the contents print the labels the pages print (layout.md 14,
// check 8), and page references hold.
func TestContents(t *testing.T) {
	b := lay(t, fmt.Sprintf(tiny, "true", "any"), ":::toc\n\nSee :ref{id=\"b\" style=page}.", "# A\n\n"+strings.Repeat("word ", 200), "# B {#b}\n\ntext")
	labels := map[string]string{}
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			for i := range p.Columns {
				for _, bl := range p.Columns[i].Blocks {
					if bl.Kind == frame.Heading {
						labels[bl.Text.Plain] = p.Label
					}
				}
			}
		}
	}
	var found []string
	for _, bl := range b.Chapters[0].Pages[0].Columns[0].Blocks {
		for i := range bl.Over {
			if bl.Kind == frame.TOC && bl.Over[i].ID == "pageLabel" {
				found = append(found, bl.Over[i].Plain)
			}
		}
	}
	if want := []string{labels["A"], labels["B"]}; strings.Join(found, " ") != strings.Join(want, " ") || len(found) != 2 {
		t.Errorf("contents %v, pages %v", found, want)
	}
	if d := dump(b.Chapters[0].Pages[0]); !strings.Contains(d, "p.\u00a0"+labels["B"]) {
		t.Errorf("the page reference is missing in %s", d)
	}
	if !b.Chapters[0].Converged {
		t.Error("not converged")
	}
}

// TestTotals: the book's number of pages stands in the running heads.
func TestTotals(t *testing.T) {
	config := strings.TrimSuffix(fmt.Sprintf(tiny, "true", "any"), "}") + `, "footer": {"elements": [{"kind": "text", "id": "f", "content": "{pageNumber} of {bookTotalPages}, {totalPages}",
		"placement": {"anchor": {"to": "container", "edge": "top"}}}]}}`
	b := lay(t, config, "# A\n\n"+strings.Repeat("word ", 300), "# B\n\ntext")
	n := b.PageCount()
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			want := fmt.Sprintf("%s of %d, %d", p.Label, n, len(c.Pages))
			if len(p.Footer) != 1 || p.Footer[0].Plain != want {
				t.Errorf("page %d: footer %+v, want %q", p.Number, p.Footer, want)
			}
		}
	}
}

// TestPart: a part stands on a page of its own and names the pages behind it.
func TestPart(t *testing.T) {
	b := lay(t, fmt.Sprintf(tiny, "true", "any"), ":::part{number=\"II\" title=\"Summer\"}\n:::\n\n# A\n\ntext")
	c := b.Chapters[0]
	if c.Pages[0].Role != frame.Part || c.Pages[1].Role != frame.Opener || len(c.Pages) != 2 {
		t.Fatalf("roles %v, %d pages", c.Pages[0].Role, len(c.Pages))
	}
	if got := c.Pages[0].Columns[0].Blocks[0].Text.Plain; got != "II\tSummer" {
		t.Errorf("the part prints %q", got)
	}
}

// TestHeadingAtTheFootOfASpread: with keepWithNextSpread a heading may close an even
// page, its text opens the page beside it; an odd page it never closes
// (layout.md 6).
func TestHeadingAtTheFootOfASpread(t *testing.T) {
	page := strings.TrimSuffix(strings.Repeat("x\\\n", 5), "\\\n") + "\n\n"
	for _, c := range []struct {
		spread string
		before string
		want   string
	}{
		{"false", "o\n\n:::pagebreak\n\n", "oxH"}, {"true", "o\n\n:::pagebreak\n\n", "oxT"}, {"true", "", "xH"},
	} {
		config := strings.Replace(fmt.Sprintf(tiny, "false", "any"), `"headings": {`, `"headings": {"keepWithNextSpread": `+c.spread+`, `, 1)
		config = strings.Replace(config, `"level": 1,`, `"level": 1, "marginTop": {"value": 0, "unit": "pt"}, "marginBottom": {"value": 0, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"},`, 1)
		if got := pages(lay(t, config, c.before+page+"# H\n\nText of it\\\nthat goes\\\non and on.")); got != c.want {
			t.Errorf("spread %s after %q: pages %s, want %s", c.spread, c.before, got, c.want)
		}
	}
}
