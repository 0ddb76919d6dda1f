package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// textsOf gives the plain text of every block of a kind.
func textsOf(b *frame.Book, kind frame.BlockKind) (out []string) {
	for _, bl := range blocksOf(b, kind) {
		out = append(out, bl.Text.Plain)
	}
	return
}

// fill is text for n pages of the tiny page.
func fill(n int) string {
	return strings.TrimSuffix(strings.Repeat("text\n\n:::pagebreak\n\n", n), "\n\n")
}

// TestIndexIsSet: entries in order with their pages, ranges joined, principal pages
// bold, sub-entries set in, cross-references behind (document-format.md 11).
func TestIndexIsSet(t *testing.T) {
	b := lay(t, with(`"index": {"locale": "en"}`),
		"A :index[queen] and a :index[drone]{main}.\n\n:::pagebreak\n\nSmoke:index{term=\"Honey!linden\"} on the :index[queen].\n\n:::pagebreak\n\n"+
			":index[Queens]{term=queen seealso=drone} at the :index[apiary]{see=hive} of the hive:index{term=hive range=start}.\n\n:::pagebreak\n\nThe end:index{term=hive range=end}.",
		":::index")
	want := "A|apiary. See hive|D|drone, 1|H|hive, 3–4|Honey|linden, 2|Q|queen, 1–3. See also drone"
	if got := strings.Join(textsOf(b, frame.IndexEntry), "|"); got != want {
		t.Errorf("the index is\n%s, want\n%s", got, want)
	}
	blocks := blocksOf(b, frame.IndexEntry)
	x := func(i int) float64 { return (blocks[i].Box.X - blocks[0].Box.X).Pt() }
	if x(7) != 10 || x(6) != 0 {
		t.Errorf("the sub-entry is set in by %v, its entry by %v", x(7), x(6))
	}
	if d := (blocks[2].Box.Y - blocks[1].Box.Y).Pt(); d != 24 {
		t.Errorf("a head stands %v below the entry before it, want two lines", d)
	}
	runs := blocks[3].Lines[0].Runs
	if len(runs) != 2 || runs[1].Face.Weight <= runs[0].Face.Weight {
		t.Error("the principal page is not bold")
	}
	if see := blocks[1].Lines[0].Runs; len(see) != 3 || !see[1].Face.Italic || see[2].Face.Italic {
		t.Error("the word See is not italic, or more than it")
	}
	if r := b.Chapters[1].Pages[0].Role; r != frame.Index {
		t.Errorf("its page is %v", r)
	}
	if len(b.Chapters[1].Problems) > 0 {
		t.Error(b.Chapters[1].Problems)
	}
}

// TestIndexMarksStandWithTheirWord: a mark's page is that of the character it
// belongs to, though the paragraph began on the page before.
func TestIndexMarksStandWithTheirWord(t *testing.T) {
	text := strings.Repeat("Bees and combs and wax. ", 18) + "Then :index[propolis] came:index{term=dust} and the rest of it all."
	b := lay(t, with(`"index": {"groups": {"enabled": false}}`), text, ":::index")
	page := 0
	for i, p := range b.Chapters[0].Pages {
		for _, bl := range p.Columns[0].Blocks {
			for _, l := range bl.Lines {
				if strings.Contains(bl.Text.Plain[l.Start:l.End], "propolis") {
					page = i + 1
				}
			}
		}
	}
	if page < 2 {
		t.Fatal("the word stands on the first page: the test shows nothing")
	}
	if got, want := strings.Join(textsOf(b, frame.IndexEntry), "|"), fmt.Sprintf("dust, %d|propolis, %d", page, page); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestIndexFaults: what does not work out prints and is told at the directive.
func TestIndexFaults(t *testing.T) {
	b := lay(t, with(`"index": {"groups": {"enabled": false}}`), "A:index{term=a range=start} b:index{term=b see=nowhere}", "text\n\n:::index")
	var got []string
	for _, p := range b.Chapters[1].Problems {
		got = append(got, fmt.Sprint(p.Kind, " ", p.Fields, " ", p.Start))
	}
	want := "indexRangeUnclosed [{term a} {missing end} {index }] 6|indexSeeUnknown [{target nowhere} {index }] 6"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("%s, want %s", s, want)
	}
	if s := strings.Join(textsOf(b, frame.IndexEntry), "|"); s != "a, 1|b. See nowhere" {
		t.Error(s)
	}
}

// TestNamedIndexes: a mark belongs to the index it names.
func TestNamedIndexes(t *testing.T) {
	b := lay(t, with(`"index": {"groups": {"enabled": false}}`), ":index[Ada]{index=people} kept :index[bees].", ":::index{index=people}\n\n:::pagebreak\n\n:::index")
	if s := strings.Join(textsOf(b, frame.IndexEntry), "|"); s != "Ada, 1|bees, 1" {
		t.Error(s)
	}
}

// TestIndexConverges: an index before the text moves the pages it prints; the
// labels printed are those of the pages, and an index that stays is not laid out
// again.
func TestIndexConverges(t *testing.T) {
	marks := func(from, n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "Word :index[w%03d] here.\n\n", from+i)
		}
		return s.String()
	}
	ts := New(fonttest.World(t))
	bk := small(t, with(`"index": {"groups": {"enabled": false}}`), ":::index", marks(0, 20), marks(20, 20))
	check := func(r *Result) {
		t.Helper()
		at := map[string]string{}
		for _, c := range r.Frames.Chapters[1:] {
			if !c.Converged {
				t.Error("not converged")
			}
			for _, p := range c.Pages {
				for _, bl := range p.Columns[0].Blocks {
					if f := strings.Fields(bl.Text.Plain); len(f) > 1 {
						at[f[1]] = p.Label
					}
				}
			}
		}
		entries := textsOf(r.Frames, frame.IndexEntry)
		if len(entries) != len(at) {
			t.Errorf("%d entries of %d", len(entries), len(at))
		}
		for _, e := range entries {
			if word, label, _ := strings.Cut(e, ", "); at[word] != label {
				t.Errorf("%s stands on page %s and is listed on %s", word, at[word], label)
			}
		}
	}
	r := typeset(t, ts, bk)
	check(r)
	before := ts.Counters().ChaptersPlaced
	again := typeset(t, ts, bk.WithText(2, strings.Replace(marks(20, 20), "here", "hare", 1)))
	check(again)
	if n := ts.Counters().ChaptersPlaced - before; n != 1 {
		t.Errorf("a letter changed laid out %d chapters", n)
	}
	if r.Frames.Chapters[0] != again.Frames.Chapters[0] {
		t.Error("the index was laid out again though it stayed as it was")
	}
	more := typeset(t, ts, bk.WithText(1, marks(0, 20)+"\n\n"+fill(3)))
	check(more)
}

// TestReferenceForms holds the table of document-format.md 9.
func TestReferenceForms(t *testing.T) {
	const config = `"headings": {"levels": [{"level": 1, "breakBefore": {"enabled": false}, "numberingTemplate": "{1}", "fontSize": {"value": 10, "unit": "pt"}},
		{"level": 2, "numberingTemplate": "{1}.{2}"}, {"level": 3, "numberingTemplate": "Step {3}"}]},
		"calloutStyles": [{"id": "th", "numbering": {"label": "Theorem"}}]`
	text := "# One {#one}\n\n## Two {#two}\n\n### Three {#three}\n\n## \u200bFour {#four style=plain}\n\n" +
		":::callout{type=th title=\"Of *bees*\" #thm}\nText.\n:::\n\n$$a=b\\label{eq}$$\n\nSome [words of *note*]{#words} and a bare :anchor{#bare}point.\n\n"
	for _, c := range []struct{ ref, want string }{
		{"id=one", "chapter\u00a01"}, {"id=two", "section\u00a01.1"}, {"id=three", "Step 1"}, {"id=thm", "Theorem\u00a01"}, {"id=eq", "(1)"}, {"id=words", "words of note"},
		{"id=bare", "p.\u00a0PAGE"},
		{"id=two style=number", "1.1"}, {"id=thm style=number", "1"}, {"id=eq style=number", "1"}, {"id=words style=number", "words of note"},
		{"id=two style=title", "Two"}, {"id=thm style=title", "Of bees"}, {"id=words style=title", "words of note"},
		{"id=two style=full", "section\u00a01.1"},
		{"id=two case=capitalize", "Section\u00a01.1"}, {"id=thm case=upper", "THEOREM\u00a01"}, {"id=two style=nonsense", "section\u00a01.1"},
		{`id=two text="above" style=page`, "above"},
		{"id=one style=page", "p.\u00a0PAGE"}, {"id=one style=pageNumber", "PAGE"}, {"id=thm style=pageNumber", "PAGE"}, {"id=eq style=pageNumber", "PAGE"},
		{"id=words style=pageNumber", "PAGE"}, {"id=nothing", "?"},
	} {
		page := "xi"
		b := lay(t, with(config), ":::numbering{format=lower-roman startAt=9}\n\nText.\n\n:::pagebreak\n\nText.\n\n:::pagebreak\n\n"+text, ":ref{"+c.ref+"}")
		for _, p := range b.Chapters[0].Pages {
			for _, bl := range p.Columns[0].Blocks {
				id := strings.Fields(c.ref)[0][3:]
				if id == "words" && strings.Contains(bl.Text.Plain, "words of") || bl.ID == id {
					page = p.Label
				}
				if id == "bare" && strings.Contains(bl.Text.Plain, "bare") {
					page = p.Label
				}
			}
		}
		if got, want := shown(b.Chapters[1]), strings.ReplaceAll(c.want, "PAGE", page); got != want {
			t.Errorf("%s prints %q, want %q", c.ref, got, want)
		}
	}
}

// shown is the text a chapter's pages show, line by line; a space stands where
// there is room between words.
func shown(c *frame.Chapter) string {
	var s strings.Builder
	for _, p := range c.Pages {
		for _, bl := range p.Columns[0].Blocks {
			for _, l := range bl.Lines {
				end := unit.Sp(0)
				for _, r := range l.Runs {
					for _, w := range r.Words {
						if w.X > end+unit.Pt/2 && end > 0 {
							s.WriteByte(' ')
						}
						s.WriteString(w.Shape.Text)
						end = w.X + unit.Scale(w.Shape.Advance, r.Size, r.Face.UPem)
					}
				}
			}
		}
	}
	return s.String()
}

// TestPageReferencesToFigures: a figure's page is that of its picture.
func TestPageReferencesToFigures(t *testing.T) {
	bk := small(t, with(`"headings": {"levels": [{"level": 1, "breakBefore": {"enabled": false}}]}`), "See :ref{id=plan}.\n\n"+fill(2)+"\n\nmore", ":ref{id=plan style=page}")
	bk.Resources = append(bk.Resources, &book.Resource{ID: "plan", TypeID: "table", Kind: "table", Caption: "A plan",
		Table: &book.Table{Rows: [][]book.Cell{{{Content: "a"}}}}})
	r := typeset(t, New(fonttest.World(t)), bk)
	page := ""
	for _, p := range r.Frames.Chapters[0].Pages {
		for _, bl := range p.Blocks() {
			if bl.ID == "plan" {
				page = p.Label
			}
		}
	}
	if got := shown(r.Frames.Chapters[1]); page == "" || got != "p.\u00a0"+page {
		t.Errorf("the reference prints %q, the figure stands on %q", got, page)
	}
}

// TestUsualForm: crossRefs.defaultStyle and the words of the references.
func TestUsualForm(t *testing.T) {
	for _, c := range []struct{ config, want string }{
		{`"crossRefs": {"defaultStyle": "page"}`, "p.\u00a01"},
		{`"crossRefs": {"defaultStyle": "number"}`, "1"},
		{`"crossRefs": {"defaultStyle": "title"}`, "One"},
		{`"crossRefs": {"chapter": "ch."}`, "ch.\u00a01"},
		{`"crossRefs": {"defaultStyle": "page", "page": "page {n}"}`, "page\u00a01"},
		{`"locale": "es"`, "capítulo\u00a01"},
	} {
		config := strings.Replace(with(c.config), `"fontSize": {"value": 10, "unit": "pt"}}]}`, `"numberingTemplate": "{1}"}]}`, 1)
		b := lay(t, config, "# One {#one}\n\ntext", ":ref{id=one}")
		if got := shown(b.Chapters[1]); got != c.want {
			t.Errorf("%s: %q, want %q", c.config, got, c.want)
		}
	}
}

// TestSharedEquationCounter: statements whose counter is "equation" count with
// the formulas (document-format.md 6.1).
func TestSharedEquationCounter(t *testing.T) {
	b := lay(t, with(`"calloutStyles": [{"id": "th", "numbering": {"label": "Theorem", "counter": "equation"}}]`),
		"$$a\\label{a}$$\n\n:::callout{type=th #thm}\nText.\n:::\n\n$$b\\label{b}$$", ":ref{id=a} :ref{id=thm} :ref{id=b}")
	if got := shown(b.Chapters[1]); got != "(1) Theorem\u00a02 (3)" {
		t.Errorf("%q", got)
	}
}
