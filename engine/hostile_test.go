package engine

import (
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
)

// TestCorpusOfHostileText lays out what no book is, at its full size: chapters of ten
// million letters, tables of a hundred thousand rows, a word of a million letters,
// ten thousand notes at one place, everything that nests ten thousand deep. Each gets
// its pages, for no more memory than its size explains (MB taken in all, most of it
// given back on the way); TestHostileBooksStayLinear holds that the rest is linear.
func TestCorpusOfHostileText(t *testing.T) {
	const deep = 10_000
	table := func(place book.Placement) *book.Resource { return manyRows(100_000, place) }
	sentence := "Nectar is brought to the hive by the foragers and handed over to the house bees, who dry it."
	for _, c := range []struct {
		name, text string
		table      *book.Resource
		most       uint64 // MB
		pages      int    // at most
	}{
		{"a chapter of 10 MB", strings.Repeat(sentence+"\n\n", 10<<20/len(sentence)), nil, 800, 13_000},
		{"a paragraph of 10 MB", strings.Repeat(sentence+" ", 10<<20/len(sentence)), nil, 5000, 11_000},
		{"a pipe table of 100,000 rows", "| a | b |\n|---|---|\n" + strings.Repeat("| row | number |\n", 100_000), nil, 1800, 11_000},
		{"a table of 100,000 rows where written", "::resource{id=\"t\"}\n", table(book.Placement{Position: "here"}), 5000, 12_000},
		{"a table of 100,000 rows that floats", "See :ref{id=\"t\"}.\n", table(book.Placement{}), 5000, 12_000},
		{"a word of a million letters", strings.Repeat("honey", 200_000), nil, 800, 1500},
		{"10,000 notes at one word", strings.ReplaceAll(manyNotes(10_000), "word[", "["), nil, 400, 700},
		{"quotes", nested("> ", "x", "", deep), nil, 60, 120},
		{"lists", nested("- ", "x", "", deep), nil, 60, 60},
		{"quotes in lists", nested("> - ", "x", "", deep), nil, 120, 300},
		{"boxes", nested(":::callout\n", "x\n", ":::\n", deep), nil, 20, 2},
		{"boxes with titles", nested(":::callout{title=\"A\"}\n", "x\n", ":::\n", deep), nil, 150, 1200},
		{"floated boxes", nested(":::callout{placement=auto}\n", "x\n", ":::\n", deep), nil, 20, 2},
		{"columns", nested(":::columns\n", "x\n", ":::\n", deep), nil, 20, 2},
		{"columns in boxes", nested(":::columns\n:::callout\n", "x\n", ":::\n:::\n", deep/2), nil, 20, 2},
		{"styled paragraphs", nested(":::paragraphs{indent=1}\n", "x\n", ":::\n", deep), nil, 20, 2},
		{"emphasis", nested("*a **b ", "x", "** *", deep), nil, 200, 100},
		{"brackets", nested("[", "x", "](y)", deep), nil, 60, 60},
		{"spans", nested(":smallcaps[", "x", "]", deep), nil, 120, 150},
		{"braces of a formula", "$" + nested("{", "x", "}", deep) + "$", nil, 20, 40},
		{"fractions", "$$" + nested(`\frac{1}{`, "x", "}", deep) + "$$", nil, 60, 120},
		{"tags", nested("<b>", "x", "</b>", deep), nil, 20, 2},
		{"blocks of HTML", nested("<div>\n", "x\n", "</div>\n", deep), nil, 60, 2},
		{"notes in notes", nested("[^a]: ", "x", "", deep) + "\n\na[^a]\n", nil, 150, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			ts := New(fonttest.World(t))
			typeset(t, ts, small(t, area(1, ""), "The fonts are read before what counts."))
			b := small(t, area(1, ""), c.text)
			if c.table != nil {
				b.Resources = append(b.Resources, c.table)
			}
			had := allocated()
			r := typeset(t, ts, b)
			took := (allocated() - had) >> 20
			n := r.Frames.PageCount()
			t.Logf("%d bytes: %d pages, %d MB taken", len(c.text), n, took)
			if n == 0 || n > c.pages {
				t.Errorf("%d pages", n)
			}
			if took > c.most {
				t.Errorf("%d MB taken", took)
			}
		})
	}
}
