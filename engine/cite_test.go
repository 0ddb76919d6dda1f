package engine

import (
	"strings"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// wideBook is a page on which entries stand on a line or two.
func wideBook(extra string) string {
	return `{"page":{"sizePreset":"custom","width":{"value":500,"unit":"pt"},"height":{"value":600,"unit":"pt"}},"layout":{"layoutType":"single"},
		"headings":{"levels":[{"level":1,"breakBefore":{"enabled":false}}]}` + extra + `}`
}

// The works of these tests, ours.
const works = "\n\n:::references{format=bibtex}\n" +
	"@article{lim, author={Lim, Chi}, title={Combs}, journal={Bees}, year=2011, volume=3, pages={1--9}, doi={10.1/c}}\n" +
	"@book{vidal, author={Vidal, Rosa and Kern, Ivo}, title={The Year}, publisher={Hive}, address={Vic}, year=2005}\n" +
	"@book{dee, author={Dee, Ada}, title={Wax}, publisher={Nord}, year=1990}\n:::\n\n"

// printedText is the text of all blocks of a book, page by page.
func printedText(b *frame.Book) string {
	var s strings.Builder
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			for i := range p.Columns {
				for _, bl := range p.Columns[i].Blocks {
					for _, it := range bl.Over {
						if it.ID == "marker" && it.Text != nil {
							s.WriteString(textOfLine(it.Text) + " ")
						}
					}
					for k := range bl.Lines {
						l := &bl.Lines[k]
						x := l.X
						for _, r := range l.Runs {
							for _, w := range r.Words {
								if l.X+w.X > x+1000 {
									s.WriteByte(' ')
								}
								s.WriteString(w.Shape.Text)
								x = l.X + w.X + unit.Scale(w.Shape.Advance, r.Size, w.Shape.Face.UPem)
							}
						}
						s.WriteByte(' ')
					}
				}
			}
		}
	}
	return strings.ReplaceAll(s.String(), "\u00a0", " ")
}

func wants(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%q lacks %q", got, w)
		}
	}
}

// Citations print in the style's form; the list of works stands after the last
// chapter under the title of the language.
func TestCitations(t *testing.T) {
	b := lay(t, wideBook(""), "See [@vidal, p. 3; cf. @lim] and @lim [12]; not [@lost]."+works, "Again @dee.")
	got := printedText(b)
	wants(t, got, "(Vidal & Kern, 2005, p. 3; cf. Lim, 2011)", "Lim (2011, p. 12)", "[@lost].", "Dee (1990)", "References",
		"Dee, A. (1990). Wax. Nord.", "Lim, C. (2011). Combs. Bees, 3, 1–9. https://doi.org/10.1/c", "Vidal, R., & Kern, I. (2005). The Year. Hive.")
	if strings.Index(got, "References") < strings.Index(got, "Dee (1990)") {
		t.Error("the list stands before the text")
	}
	var kinds []string
	for _, c := range b.Chapters {
		for _, p := range c.Problems {
			kinds = append(kinds, p.Kind+" "+p.Fields[0].Value)
		}
	}
	if got := strings.Join(kinds, "|"); got != "unknownCitationKey lost" {
		t.Errorf("problems: %s", got)
	}
	ids := ""
	for _, bl := range blocksOf(b, frame.Paragraph) {
		if strings.HasPrefix(bl.ID, "ref-") {
			ids += bl.ID + " "
		}
	}
	if ids != "ref-dee ref-lim ref-vidal " {
		t.Errorf("anchors %q", ids)
	}
	wants(t, printedText(lay(t, wideBook(`,"locale":"es"`), "Según @vidal."+works)), "Vidal y Kern (2005)", "Referencias")
}

// Numbers follow the first citation through the book, or begin anew in each
// chapter; three in a row make a range.
func TestNumberedCitations(t *testing.T) {
	ieee := wideBook(`,"citations":{"style":"ieee"}`)
	got := printedText(lay(t, ieee, "One [@vidal], two [@lim; @dee; @vidal]."+works, "Three [@lim]."))
	wants(t, got, "One [1], two [1]–[3].", "Three [2].", "[1] R. Vidal and I. Kern, The Year. Vic: Hive, 2005.", "[2] C. Lim, “Combs,” Bees, vol. 3, pp. 1–9, 2011, doi: 10.1/c.")
	chapters := wideBook(`,"citations":{"style":"ieee","numbering":"chapter"}`)
	got = printedText(lay(t, chapters, "One [@vidal]."+works, "Two [@lim]."))
	wants(t, got, "One [1].", "Two [1].")
	if strings.Count(got, "References") != 2 {
		t.Errorf("%q: a list for each chapter", got)
	}
	raised := printedText(lay(t, wideBook(`,"citations":{"style":"nature"}`), "One [@vidal]."+works))
	wants(t, raised, "One1.")
}

// :::bibliography places the list; title, scope.
func TestBibliographyDirective(t *testing.T) {
	got := printedText(lay(t, wideBook(""), "A @vidal."+works+":::bibliography{scope=chapter title=\"Here\"}", "B @lim.\n\n:::bibliography{title=\"\" scope=new}\n\nEnd."))
	wants(t, got, "Here Vidal, R., & Kern, I.")
	if strings.Count(got, "Vidal, R.") != 1 || strings.Count(got, "Lim, C.") != 1 || strings.Contains(got, "References") {
		t.Errorf("%q", got)
	}
	got = printedText(lay(t, wideBook(""), "---\nnocite: \"@*\"\nreferences:\n- id: x\n  type: book\n  title: Ex\n  author: [{family: Aa, given: Bo}]\n  issued: 1999\n---\nText.\n\n:::bibliography"))
	wants(t, got, "Aa, B. (1999). Ex.")
	bad := lay(t, wideBook(""), "A @x.\n\n:::references{format=bibtex}\n@book{x, title={X}\n:::")
	found := false
	for _, p := range bad.Chapters[0].Problems {
		found = found || p.Kind == "referencesUnreadable" && strings.Contains(p.Detail, "never closed")
	}
	if !found {
		t.Errorf("%+v", bad.Chapters[0].Problems)
	}
	style := lay(t, wideBook(`,"citations":{"style":"turabian-fullnote"}`), "A @vidal."+works)
	if p := style.Chapters[0].Problems; len(p) != 1 || p[0].Kind != "citationsUnavailable" || !strings.Contains(p[0].Detail, "apa") {
		t.Errorf("%+v", p)
	}
}

// A new citation changes the numbers behind it and nothing else; pages come out
// as in a cold layout.
func TestCitationsAreKept(t *testing.T) {
	ts := New(fonttest.World(t))
	config := wideBook(`,"citations":{"style":"ieee"}`)
	typeset(t, ts, small(t, config, "Plain text.\n\nOne [@vidal].\n\nTwo [@lim]."+works, "Three [@vidal]."))
	before := ts.Counters()
	changed := small(t, config, "Plain text.\n\nOne [@vidal].\n\nTwo [@dee; @lim]."+works, "Three [@vidal].")
	r := typeset(t, ts, changed)
	// The paragraph, and the entries whose text or number is new.
	if n := ts.Counters().ParagraphsShaped - before.ParagraphsShaped; n > 3 {
		t.Errorf("%d paragraphs are shaped", n)
	}
	if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(fonttest.World(t)), changed).Frames) {
		t.Error("the pages differ from those of a cold layout")
	}
}

// A work of which the style has nothing to say stands in the list by its key: no
// work is lost, and no empty paragraph turns pages for ever.
func TestAWorkThatPrintsNothingStandsByItsKey(t *testing.T) {
	for _, entry := range []string{"@misc{quokka}", "@misc{quokka, note={}}", "@book{quokka, title={}, author={}}", "@book{quokka, title={ }}"} {
		for _, style := range []string{"apa", "ieee", "nature", "chicago-notes-bibliography", "oscola", "modern-language-association"} {
			b := lay(t, wideBook(`,"citations":{"style":"`+style+`"}`), "# One\n\nT [@quokka].\n\n:::references{format=bibtex}\n"+entry+"\n:::\n\n:::bibliography\n:::\n")
			wants(t, printedText(b), "quokka")
		}
	}
}
