package engine

import (
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// A part or a section in other colours lays out no text again: what was shaped and
// broken is coloured anew, through all the chapters the part runs over.
func TestAPaletteIsNotMeasured(t *testing.T) {
	w := fonttest.World(t)
	config := func(section string) string {
		return `{"layout":{"layoutType":"single"},"headingStyles":[{"id":"night","palette":{"main-color":"` + section + `"}}]}`
	}
	made := func(part, section string) *book.Book {
		long := strings.Repeat("Some *words* of a **chapter** that go on for a while, until there is a page or two of them. ", 60)
		return withConfig(t, &book.Book{ID: "b", Language: "en", Chapters: []*book.Chapter{
			{ID: "a", Markdown: ":::part{number=I title=One palette=\"" + part + "\"}\nIts *text*.\n:::\n\n# First\n\n" + long},
			{ID: "b", Markdown: "# Second {style=night}\n\n" + long + "\n\n- item\n\n## Below\n\n" + long},
			{ID: "c", Markdown: ":::part{number=II title=Two}\n:::\n\n# Third\n\n" + long},
		}}, config(section))
	}
	ts := New(w)
	typeset(t, ts, made("main-color=#b02020", "#205020"))
	for _, c := range [][2]string{{"main-color=#2020b0", "#205020"}, {"main-color=#2020b0", "#502050"}, {"", "#502050"}, {"main-color=#b02020", ""}} {
		before := ts.Counters()
		bk := made(c[0], c[1])
		r := typeset(t, ts, bk)
		now := ts.Counters()
		if now.ParagraphsShaped != before.ParagraphsShaped || now.ParagraphsBroken != before.ParagraphsBroken {
			t.Errorf("%v: %+v, then %+v", c, before, now)
		}
		if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(w), bk).Frames) {
			t.Errorf("%v: the pages differ from those of a cold layout", c)
		}
	}
}

// What a palette cannot be read from is told, and the rest of it holds.
func TestAPaletteThatIsNone(t *testing.T) {
	b := withConfig(t, &book.Book{ID: "b", Language: "en", Chapters: []*book.Chapter{
		{ID: "a", Markdown: ":::part{title=One palette=\"main-color=#b02020, what, x=notacolour\"}\n:::\n\n*In* it.\n"}}}, `{}`)
	r := typeset(t, New(fonttest.World(t)), b)
	told := ""
	for _, p := range r.Frames.Chapters[0].Problems {
		if p.Kind == "partPaletteIgnored" {
			told = p.Detail
		}
	}
	if told != "palette: what, x=notacolour is no pair of an id and a colour" {
		t.Errorf("told %q", told)
	}
	red := 0
	for _, p := range r.Frames.Chapters[0].Pages {
		for _, c := range p.Columns {
			for _, bl := range c.Blocks {
				for i := range bl.Lines {
					for _, run := range bl.Lines[i].Runs {
						if run.Color.R == 0xb0 {
							red++
						}
					}
				}
			}
		}
	}
	if red == 0 {
		t.Error("nothing is red")
	}
}

// Any number of palettes is set, in linear time; those past the most a book can
// have are set in the document's, and that is told.
func TestPalettesWithoutEnd(t *testing.T) {
	var s strings.Builder
	for i := range 700 {
		s.WriteString(":::part{title=x palette=\"main-color=#")
		for _, k := range []int{i / 100, i / 10 % 10, i % 10} {
			s.WriteByte(byte('0' + k))
		}
		s.WriteString("\"}\n:::\n\n")
	}
	b := withConfig(t, &book.Book{ID: "b", Language: "en", Chapters: []*book.Chapter{{ID: "a", Markdown: s.String()}}}, `{"parts":{"page":false}}`)
	r := typeset(t, New(fonttest.World(t)), b)
	for _, p := range r.Frames.Chapters[0].Problems {
		if p.Kind == "partPaletteIgnored" {
			return
		}
	}
	t.Error("not told")
}
