package engine

import (
	"math/rand/v2"
	"regexp"
	"strconv"
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

// Whatever stands in and around sections, the walk ends, every word is on a page
// once, and the pages are the same however they were come by.
func TestSectionsOfEverything(t *testing.T) {
	const config = `{"page":{"sizePreset":"custom","width":{"value":9,"unit":"cm"},"height":{"value":11,"unit":"cm"},"margins":{"mirror":true,"left":{"value":1.2,"unit":"cm"}}},
"layout":{"layoutType":"%s"},"headings":{"levels":[{"level":1,"breakBefore":{"enabled":false}},{"level":2},{"level":3,"span":"page","spanBreak":false}]},
"headingStyles":[{"id":"two","layout":{"layoutType":"double"}},{"id":"three","layout":{"layoutType":"multiple","columnCount":3,"gutterWidth":{"value":1,"unit":"mm"}},"bodyStyle":{"fontSize":{"value":6,"unit":"pt"}}},
{"id":"one","layout":{"layoutType":"single"},"margins":{"left":{"value":25,"unit":"mm"},"top":{"value":3,"unit":"cm"}}},{"id":"side","layout":{"layoutType":"oneAndHalf","sideColumnRole":"floats"}},
{"id":"uneven","layout":{"layoutType":"oneAndHalf"}},{"id":"opens","breakBefore":{"enabled":true,"parity":"always-odd"},"bodyStyle":{"lineHeight":{"value":9,"unit":"pt"}}},{"id":"ink","palette":{"main-color":"#702020"}}],
"parts":{"breakAfter":{"enabled":false}}}`
	styles := []string{"two", "three", "one", "side", "uneven", "opens", "ink", ""}
	numbered := regexp.MustCompile(`w[0-9]+`)
	w := fonttest.World(t)
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		word := 0
		words := func(n int) string {
			var s strings.Builder
			for range n {
				word++
				s.WriteString("w" + strconv.Itoa(word) + " ")
			}
			return s.String()
		}
		var s strings.Builder
		notes := 0
		for range 14 {
			switch rnd.IntN(9) {
			case 0, 1, 2:
				s.WriteString(strings.Repeat("#", 1+rnd.IntN(3)) + " " + words(2))
				if st := styles[rnd.IntN(len(styles))]; st != "" {
					s.WriteString("{style=" + st + "}")
				}
			case 3:
				notes++
				s.WriteString(words(10) + "end[^n" + strconv.Itoa(notes) + "] " + words(20) + "\n\n[^n" + strconv.Itoa(notes) + "]: " + words(8))
			case 4:
				s.WriteString(":::callout{title=\"Box\"}\n" + words(20) + "\n:::")
			case 5:
				s.WriteString("- " + words(12) + "\n- " + words(5))
			case 6:
				s.WriteString(":::part{title=P palette=\"main-color=#207020\"}\n" + words(4) + "\n:::")
			case 7:
				s.WriteString(":::pagebreak")
			default:
				s.WriteString(words(10 + rnd.IntN(160)))
			}
			s.WriteString("\n\n")
		}
		layouts := []string{"single", "double", "oneAndHalf"}
		bk := withConfig(t, &book.Book{ID: "b", Language: "en", Chapters: []*book.Chapter{{ID: "a", Markdown: s.String()}}},
			strings.Replace(config, "%s", layouts[seed%3], 1))
		ts := New(w)
		r := typeset(t, ts, bk)
		seen := map[string]int{}
		for _, p := range r.Frames.Chapters[0].Pages {
			count := func(b *frame.Block) {
				for i := range b.Lines {
					l := &b.Lines[i]
					for _, f := range numbered.FindAllString(b.Text.Plain[l.Start:l.End], -1) {
						seen[f]++
					}
				}
			}
			for k := range p.Columns {
				for _, b := range p.Columns[k].Blocks {
					if b.Text != nil {
						count(b)
					}
					if b.Box.X < -1 || b.Box.Right() > p.Width+1 {
						t.Errorf("seed %d: a block beside page %d: %v in %v (%s)", seed, p.Number, b.Box, p.Columns[k].Box, b.Kind)
					}
				}
			}
			for _, b := range p.Floats {
				if b.Text != nil {
					count(b)
				}
			}
		}
		for k := 1; k <= word; k++ {
			if n := seen["w"+strconv.Itoa(k)]; n != 1 {
				at := strings.Index(s.String(), "w"+strconv.Itoa(k)+" ")
				t.Errorf("seed %d: w%d stands on the pages %d times: …%s", seed, k, n, s.String()[max(at-120, 0):min(at+40, s.Len())])
				break
			}
		}
		edited := *bk
		edited.Chapters = []*book.Chapter{{ID: "a", Markdown: "Before it.\n\n" + s.String()}}
		typeset(t, ts, &edited)
		if frame.Hash(typeset(t, ts, bk).Frames) != frame.Hash(r.Frames) || frame.Hash(typeset(t, New(w), bk).Frames) != frame.Hash(r.Frames) {
			t.Errorf("seed %d: the pages depend on how they were come by", seed)
		}
	}
}
