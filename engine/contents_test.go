package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// The list of contents (document-format.md 5.5, settings.md 19).

// contentsOf lays a book out whose first chapter is the contents, with settings
// of toc, and gives its entries.
func contentsOf(t *testing.T, toc string, chapters ...string) (entries []tocEntry, b *frame.Book) {
	t.Helper()
	config := strings.Replace(fmt.Sprintf(tiny, "true", "any"), `"headings":`, `"headingStyles": [{"id": "plain", "numbered": false}], "toc": {`+toc+`}, "headings":`, 1)
	b = lay(t, config, append([]string{":::toc"}, chapters...)...)
	for _, p := range b.Chapters[0].Pages {
		for i := range p.Columns {
			for _, bl := range p.Columns[i].Blocks {
				if bl.Kind != frame.TOC {
					continue
				}
				e := tocEntry{block: bl, title: bl.Text.Plain, page: p}
				if strings.TrimLeft(e.title, "\uFFFC") == "" {
					e.title = wordsOf(bl)
				}
				for k := range bl.Over {
					switch o := &bl.Over[k]; o.ID {
					case "marker":
						e.number, e.numberAt = o.Plain, o.Box.X-p.Columns[i].Box.X
					case "pageLabel":
						e.label, e.end = o.Plain, o.Box.Right()-p.Columns[i].Box.X
						for _, r := range o.Text.Runs {
							for _, w := range r.Words {
								if w.Shape.Text == "." || w.Shape.Text == "–" {
									e.dots = append(e.dots, o.Text.X+w.X)
								}
							}
						}
					}
				}
				if len(bl.Lines) > 0 {
					e.x = bl.Lines[0].X - p.Columns[i].Box.X
				}
				entries = append(entries, e)
			}
		}
	}
	return entries, b
}

type tocEntry struct {
	block                *frame.Block
	page                 *frame.Page
	title, number, label string
	x, numberAt, end     unit.Sp
	dots                 []unit.Sp
}

// wordsOf joins the words of a block's lines.
func wordsOf(b *frame.Block) string {
	var out []string
	for i := range b.Lines {
		for _, r := range b.Lines[i].Runs {
			for _, w := range r.Words {
				out = append(out, w.Shape.Text)
			}
		}
	}
	return strings.Join(out, " ")
}

func said(entries []tocEntry) string {
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSpace(e.number+" "+e.title+" "+e.label))
	}
	return strings.Join(out, "|")
}

var threeChapters = []string{"# Alpha\n\n## Under\n\ntext", "# Beta {style=plain}\n\ntext", "# Gamma {toc=false}\n\ntext\n\n# Delta\n\ntext"}

// toc.levels: the list says which levels are listed; an H1 without a template is
// numbered by its ordinal, an unnumbered one not at all; toc="false" leaves out.
func TestContentsLevelsAndNumbers(t *testing.T) {
	for toc, want := range map[string]string{
		"":                                   "1 Alpha 2|Beta 3|3 Delta 5",
		`"levels":[{"level":2},{"level":1}]`: "1 Alpha 2|Under 2|Beta 3|3 Delta 5",
		`"levels":[{"level":2}]`:             "Under 2",
		`"levels":[]`:                        "",
	} {
		entries, b := contentsOf(t, toc, threeChapters...)
		if got := said(entries); got != want {
			t.Errorf("{%s}: %s, want %s", toc, got, want)
		}
		if !b.Chapters[0].Converged {
			t.Errorf("{%s}: not converged", toc)
		}
	}
}

// toc.levels[].numberWidth, .numberGap, .indent: titles stand beside the column
// of the numbers, which widens to the widest; unnumbered entries are flush.
func TestContentsNumberColumn(t *testing.T) {
	const toc = `"levels":[{"level":1,"indent":{"value":10,"unit":"pt"},"numberWidth":{"value":30,"unit":"pt"},"numberGap":{"value":5,"unit":"pt"}}]`
	e, _ := contentsOf(t, toc, threeChapters...)
	if e[0].numberAt != 10*unit.Pt || e[0].x != 45*unit.Pt || e[2].x != e[0].x {
		t.Errorf("number at %v, title at %v and %v", e[0].numberAt.Pt(), e[0].x.Pt(), e[2].x.Pt())
	}
	if e[1].x != 10*unit.Pt {
		t.Errorf("the unnumbered entry stands at %v", e[1].x.Pt())
	}
	narrow, _ := contentsOf(t, `"levels":[{"level":1,"numberWidth":{"value":0,"unit":"pt"},"numberGap":{"value":5,"unit":"pt"}}]`, threeChapters...)
	if narrow[0].x <= 5*unit.Pt || narrow[0].x != narrow[2].x || narrow[0].x > 12*unit.Pt {
		t.Errorf("the column does not widen to the widest number: %v, %v", narrow[0].x.Pt(), narrow[2].x.Pt())
	}
	flush, _ := contentsOf(t, `"unnumbered":{"indent":{"value":20,"unit":"pt"},"italic":true}`, threeChapters...)
	if flush[1].x != 20*unit.Pt || !flush[1].block.Lines[0].Runs[0].Face.Italic || flush[0].block.Lines[0].Runs[0].Face.Italic {
		t.Errorf("toc.unnumbered: at %v", flush[1].x.Pt())
	}
}

// toc.pageNumber.width, toc.leader: labels end at the right edge, the signs of
// all lines stand under one another and keep out of the labels' column.
func TestContentsLeaders(t *testing.T) {
	e, _ := contentsOf(t, `"pageNumber":{"width":{"value":20,"unit":"pt"}},"leader":{"gap":{"value":4,"unit":"pt"}}`, threeChapters...)
	right := e[0].page.Columns[0].Box.W
	for i := range e {
		if e[i].end != right {
			t.Errorf("label %d ends at %v of %v", i, e[i].end.Pt(), right.Pt())
		}
		if len(e[i].dots) < 5 {
			t.Fatalf("entry %d has %d dots", i, len(e[i].dots))
		}
		last := e[i].dots[len(e[i].dots)-1] - e[i].page.Columns[0].Box.X
		if last > right-20*unit.Pt || last != e[0].dots[len(e[0].dots)-1]-e[0].page.Columns[0].Box.X {
			t.Errorf("the last dot of entry %d stands at %v", i, last.Pt())
		}
	}
	step := e[0].dots[1] - e[0].dots[0]
	if wide, _ := contentsOf(t, `"leader":{"gap":{"value":9,"unit":"pt"}}`, threeChapters...); wide[0].dots[1]-wide[0].dots[0] != step+5*unit.Pt {
		t.Errorf("leader.gap: a step of %v, then %v", step.Pt(), (wide[0].dots[1] - wide[0].dots[0]).Pt())
	}
	if off, _ := contentsOf(t, `"leader":{"enabled":false}`, threeChapters...); len(off[0].dots) > 0 || off[0].end != right {
		t.Error("leader.enabled false still has dots, or moves the label")
	}
	if dash, _ := contentsOf(t, `"leader":{"char":"–"}`, threeChapters...); len(dash[0].dots) < 3 {
		t.Error("leader.char is not used")
	}
}

// A title longer than its line goes on under itself; the label stands on its
// last line.
func TestContentsLongTitle(t *testing.T) {
	e, _ := contentsOf(t, "", "# A title that goes on for much longer than one line of the contents can hold\n\ntext")
	lines := e[0].block.Lines
	if len(lines) < 2 || lines[1].X != lines[0].X {
		t.Fatalf("%d lines", len(lines))
	}
	for _, o := range e[0].block.Over {
		if want := lines[len(lines)-1].Baseline; o.ID == "pageLabel" && o.Text.Baseline != want {
			t.Error("the label is not on the last line")
		}
		if o.ID == "marker" && o.Text.Baseline != lines[0].Baseline {
			t.Error("the number is not on the first line")
		}
	}
}

// Bold and italic of a title are kept (document-format.md 5.5).
func TestContentsKeepMarks(t *testing.T) {
	e, _ := contentsOf(t, "", "# One *slanted* and **bold** title\n\ntext")
	styles := map[string]string{}
	for _, r := range e[0].block.Lines[0].Runs {
		for _, w := range r.Words {
			styles[w.Shape.Text] = fmt.Sprintf("%v %v", r.Face.Italic, r.Face.Weight >= 600)
		}
	}
	for word, want := range map[string]string{"One": "false false", "slanted": "true false", "bold": "false true", "title": "false false"} {
		if styles[word] != want {
			t.Errorf("%s is italic, bold: %s", word, styles[word])
		}
	}
}

// toc.subtitle: a second line from an attribute of the heading.
func TestContentsSubtitle(t *testing.T) {
	e, _ := contentsOf(t, `"subtitle":{"enabled":true,"indent":{"value":8,"unit":"pt"}}`, "# Alpha {author=\"A. Nonymous\"}\n\ntext", "# Beta\n\ntext")
	if got := said(e); got != "1 Alpha 2|A. Nonymous|2 Beta 3" {
		t.Fatal(got)
	}
	if e[1].x != e[0].x+8*unit.Pt || !e[1].block.Lines[0].Runs[0].Face.Italic {
		t.Errorf("the second line stands at %v, the title at %v", e[1].x.Pt(), e[0].x.Pt())
	}
	other, _ := contentsOf(t, `"subtitle":{"enabled":true,"attr":"by"}`, "# Alpha {by=\"B. Other\"}\n\ntext")
	if got := said(other); got != "1 Alpha 2|B. Other" {
		t.Errorf("subtitle.attr: %s", got)
	}
}

const partBooks = ":::part{number=\"I\" title=\"First\"}\n:::\n\n# Alpha\n\ntext"

// toc.parts: a row for every part, in the first level's type or from a design
// with the part's number, title and page; a page per part; off.
func TestContentsPartRows(t *testing.T) {
	second := ":::part{number=\"II\" title=\"Second\"}\n:::\n\n# Beta\n\ntext"
	e, b := contentsOf(t, `"parts":{"height":{"value":40,"unit":"pt"}}`, partBooks, second)
	labels := partLabels(b)
	if got, want := said(e), fmt.Sprintf("I First %s|1 Alpha %s|II Second %s|2 Beta %s", labels[0], alphaLabel(b, 1), labels[1], alphaLabel(b, 2)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if off, _ := contentsOf(t, `"parts":{"enabled":false}`, partBooks, second); len(off) != 2 {
		t.Errorf("toc.parts.enabled false: %s", said(off))
	}
	if broken, _ := contentsOf(t, `"parts":{"breakBefore":true}`, partBooks, second); broken[0].page == broken[2].page || broken[2].page != broken[3].page {
		t.Error("toc.parts.breakBefore: the second part does not begin a page")
	}
	row, b := contentsOf(t, `"parts":{"height":{"value":30,"unit":"pt"},"design":{"elements":[{"id":"t","kind":"text","content":"{numberDecimal} {titleText}, {pageNumber}","placement":{"anchor":{"edge":"left"}}}]}}`, partBooks, second)
	if got := row[0].block.Box.H; got != 30*unit.Pt {
		t.Errorf("the row is %v high", got.Pt())
	}
	var drawn []string
	for _, it := range row[0].page.Under {
		drawn = append(drawn, it.Plain)
	}
	if got, want := strings.Join(drawn, "|"), "1 First, "+partLabels(b)[0]; !strings.HasPrefix(got, want) {
		t.Errorf("drawn %q, want %q", got, want)
	}
}

// partLabels are the labels of the pages of parts.
func partLabels(b *frame.Book) (out []string) {
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			if p.Role == frame.Part {
				out = append(out, p.Label)
			}
		}
	}
	return out
}

// alphaLabel is the label of the page with the heading of a chapter.
func alphaLabel(b *frame.Book, chapter int) string {
	for _, p := range b.Chapters[chapter].Pages {
		if p.Role == frame.Opener {
			return p.Label
		}
	}
	return ""
}

// The heading right over the directive is the list's own: it is not listed, nor
// counted among the chapters, unless it says toc="true".
func TestContentsDoNotListThemselves(t *testing.T) {
	for head, want := range map[string]string{
		"# Contents":                      "1 One, 2 Two",
		"# Contents {toc=\"true\"}":       "1 Contents, 2 One, 3 Two",
		"# Preface\n\nWords.\n\n## In it": "1 Preface, 2 One, 3 Two",
	} {
		b := lay(t, fmt.Sprintf(tiny, "true", "any"), head+"\n\n:::toc", "# One\n\nWords.", "# Two\n\nWords.")
		var got []string
		for _, p := range b.Chapters[0].Pages {
			for i := range p.Columns {
				for _, bl := range p.Columns[i].Blocks {
					if bl.Kind != frame.TOC {
						continue
					}
					for k := range bl.Over {
						if bl.Over[k].ID == "marker" {
							got = append(got, bl.Over[k].Plain+" "+wordsOf(bl))
						}
					}
				}
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q lists %s, want %s", head, s, want)
		}
	}
}
