package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// area is a page of twenty lines, in one column or two.
func area(columns int, more string) string {
	kind := "single"
	if columns == 2 {
		kind = "double"
	}
	return `{"page": {"sizePreset": "custom", "width": {"value": 260, "unit": "pt"}, "height": {"value": 296, "unit": "pt"},
	"margins": {"top": {"value": 20, "unit": "pt"}, "bottom": {"value": 36, "unit": "pt"}, "left": {"value": 20, "unit": "pt"}, "right": {"value": 20, "unit": "pt"}}},
	"layout": {"layoutType": "` + kind + `", "gutterWidth": {"value": 20, "unit": "pt"}}, "bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "hyphenation": {"enabled": false}},
	"headings": {"balancing": {"enabled": false}, "levels": [{"level": 1, "breakBefore": {"enabled": true, "parity": "any"}, "fontSize": {"value": 10, "unit": "pt"}}]}` + more + `}`
}

// drawing is a picture resource of a size in points.
func drawing(id string, w, h int, place *book.Placement) *book.Resource {
	return &book.Resource{ID: id, Kind: "svg", TypeID: "figure", Name: id + ".svg", Caption: "The " + id + ".", Alt: "alt of " + id, Placement: place,
		Data: []byte(fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%dpt" height="%dpt"><rect width="100%%" height="100%%"/></svg>`, w, h))}
}

func figures(t testing.TB, config string, resources []*book.Resource, chapters ...string) *Result {
	t.Helper()
	b := small(t, config, chapters...)
	b.Resources = resources
	return typeset(t, New(fonttest.World(t)), b)
}

// lines is a paragraph of n short lines, each of its own.
func lines(n int, words ...string) string {
	var out []string
	for i := range n {
		w := "line"
		if i < len(words) && words[i] != "" {
			w = words[i]
		}
		out = append(out, w)
	}
	return strings.Join(out, "\\\n")
}

// placed says where a figure stands: page, column (0 for the whole page) and the
// lines of the grid above its top.
type placed struct {
	page, column int
	top, foot    float64 // points from the type area's top
	floated      bool
}

func (p placed) String() string {
	kind := "text"
	if p.floated {
		kind = "float"
	}
	return fmt.Sprintf("%s page %d column %d", kind, p.page, p.column)
}

// where finds the picture of a resource.
func where(t testing.TB, b *frame.Book, id string) placed {
	t.Helper()
	out := placed{page: -1}
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			for ci, bl := range p.Blocks() {
				if bl.ID != id {
					continue
				}
				top, foot := (bl.Box.Y - p.Content.Y).Pt(), (bl.Box.Bottom() - p.Content.Y).Pt()
				if out.page < 0 {
					out = placed{page: p.Number, top: top, foot: foot, floated: ci < 0}
					if ci < 0 {
						for k := range p.Columns {
							if x := p.Columns[k].Box; bl.Box.X >= x.X && bl.Box.X < x.Right() && !p.Columns[k].Span {
								out.column = k + 1
							}
						}
					} else {
						out.column = ci + 1
					}
				}
				out.top, out.foot = min(out.top, top), max(out.foot, foot)
				if len(p.Columns) > 1 && bl.Box.W > p.Columns[0].Box.W && ci < 0 {
					out.column = 0
				}
			}
		}
	}
	if out.page < 0 {
		t.Errorf("%s is on no page", id)
	}
	return out
}

func near(a, b float64) bool { return a-b < 0.5 && b-a < 0.5 }

// TestFloatSlots holds the table of layout.md 9: where a float of each position
// goes, cited on the third line of the first column.
func TestFloatSlots(t *testing.T) {
	ref := "see :ref{id=\"a\"}"
	for _, c := range []struct {
		name    string
		columns int
		place   *book.Placement
		height  int
		before  int // lines above the citing one
		want    string
	}{
		{"auto at the foot of the citing column", 1, nil, 60, 2, "float page 1 column 1"},
		{"bottom likewise", 1, &book.Placement{Position: "bottom"}, 60, 2, "float page 1 column 1"},
		{"top heads the next page", 1, &book.Placement{Position: "top"}, 60, 2, "float page 2 column 1"},
		{"top heads the next column", 2, &book.Placement{Position: "top"}, 60, 2, "float page 1 column 2"},
		{"without room at the foot, the next page", 1, nil, 60, 17, "float page 2 column 1"},
		{"without room at the foot, the next column", 2, nil, 60, 17, "float page 1 column 2"},
		{"bottom without room, the foot of the next column", 2, &book.Placement{Position: "bottom"}, 60, 17, "float page 1 column 2"},
		{"across the page at its foot", 2, &book.Placement{Span: "page"}, 60, 2, "float page 1 column 0"},
		{"across the page, a full column: the next page", 2, &book.Placement{Span: "page"}, 60, 25, "float page 2 column 0"},
		{"top across the page: the next page only", 2, &book.Placement{Span: "page", Position: "top"}, 60, 2, "float page 2 column 0"},
		{"over all columns is over the page", 2, &book.Placement{Columns: 2}, 60, 2, "float page 1 column 0"},
	} {
		text := lines(c.before+1, append(make([]string, c.before), ref)...) + "\n\n" + lines(60)
		r := figures(t, area(c.columns, ""), []*book.Resource{drawing("a", 90, c.height, c.place)}, text)
		if got := where(t, r.Frames, "a"); got.String() != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		} else if strings.HasPrefix(c.name, "bottom without") && got.top < 120 {
			t.Errorf("%s: at %v", c.name, got.top)
		}
		checkFloats(t, c.name, r)
	}
}

// TestGoldenFigures compares small pages with figures with their recorded frames.
func TestGoldenFigures(t *testing.T) {
	place := func(position, span string) *book.Placement { return &book.Placement{Position: position, Span: span} }
	noted := drawing("a", 120, 50, nil)
	noted.Note = "Source: none."
	cite := lines(3, "", "see :ref{id=\"a\"}") + "\n\n" + lines(30)
	for _, c := range []struct {
		name      string
		columns   int
		more      string
		resources []*book.Resource
		text      string
	}{
		{"figure-foot", 1, "", []*book.Resource{noted}, cite},
		{"figure-head", 2, "", []*book.Resource{drawing("a", 120, 50, place("top", ""))}, cite},
		{"figure-page", 2, "", []*book.Resource{drawing("a", 300, 50, place("", "page"))}, cite},
		{"figure-here", 1, "", []*book.Resource{drawing("a", 120, 50, place("here", ""))}, lines(2) + "\n\n::resource{id=\"a\"}\n\n" + lines(2)},
		{"figure-caption-above", 1, `, "captionStyle": {"position": "above", "align": "center", "labelItalic": true}`, []*book.Resource{noted}, cite},
		{"figure-two-at-the-foot", 1, "", []*book.Resource{drawing("a", 60, 30, nil), drawing("b", 60, 40, nil)}, lines(3, "see :ref{id=\"a\"}", "and :ref{id=\"b\"}") + "\n\n" + lines(30)},
		{"figure-table", 1, `, "tableStyle": {"rules": "booktabs"}`, []*book.Resource{table(3, nil)}, "# One\n\nSee :ref{id=\"t\"}."},
		{"figure-table-cut", 1, "", []*book.Resource{table(14, nil)}, "See :ref{id=\"t\"}.\n\n" + lines(20)},
		{"figure-in-a-line", 1, "", []*book.Resource{drawing("a", 40, 40, nil)}, "Words ![alt](a.svg) around it."},
		{"figure-markdown", 1, "", []*book.Resource{drawing("a", 90, 40, nil)}, "Before.\n\n![alt](a.svg \"A *title*.\")\n\nAfter."},
		{"figure-missing", 1, "", nil, "Before.\n\n![words](none.png \"A title.\")\n\nAfter."},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, figures(t, area(c.columns, c.more), c.resources, c.text).Frames)
		})
	}
}

// A float at the foot ends level with the text: the last baseline of its caption
// is the last of the grid; a line's space parts it from the text.
func TestFloatAtTheFootIsLevel(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("a", 90, 61, nil)}, lines(3, "", "see :ref{id=\"a\"}")+"\n\n"+lines(40))
	p := r.Frames.Chapters[0].Pages[0]
	last := p.Floats[len(p.Floats)-1]
	base := last.Lines[len(last.Lines)-1].Baseline
	if d := base - p.GridTop; d%p.GridPitch != 0 || p.Content.Bottom()-base >= p.GridPitch {
		t.Errorf("the caption's last baseline is %v points off the grid, %v above the foot", (d % p.GridPitch).Pt(), (p.Content.Bottom() - base).Pt())
	}
	foot := p.Columns[0].Box.Y + p.Columns[0].Used
	if gap := p.Floats[0].Box.Y - foot; gap < p.GridPitch {
		t.Errorf("%v points between text and float", gap.Pt())
	}
}

// A band at the head is whole lines of the grid high.
func TestBandAtTheHeadKeepsTheGrid(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("a", 90, 61, &book.Placement{Position: "top"})}, lines(3, "", "see :ref{id=\"a\"}")+"\n\n"+lines(40))
	p := r.Frames.Chapters[0].Pages[1]
	if len(p.Floats) == 0 {
		t.Fatal("no float on the second page")
	}
	first := p.Columns[0].Blocks[0].Lines[0]
	if d := first.Baseline - p.GridTop; d%p.GridPitch != 0 || d < 72*unit.Pt {
		t.Errorf("the text under the band begins %v points from the grid's top", d.Pt())
	}
}

// A float that fits nowhere holds up those behind it of its type, not others.
func TestFloatOrderWithinAType(t *testing.T) {
	tall := drawing("a", 90, 180, nil)
	low := drawing("b", 90, 20, nil)
	other := drawing("c", 90, 20, nil)
	other.TypeID = "table"
	text := lines(14, "", "", "", "", "", "", "", "", ":ref{id=\"a\"}", ":ref{id=\"b\"}", ":ref{id=\"c\"}") + "\n\n" + lines(40)
	r := figures(t, area(1, ""), []*book.Resource{tall, low, other}, text)
	a, b, c := where(t, r.Frames, "a"), where(t, r.Frames, "b"), where(t, r.Frames, "c")
	if a.page != 2 || b.page < 2 || b.page == a.page && b.top < a.top {
		t.Errorf("a %v, b %v", a, b)
	}
	if c.page != 1 {
		t.Errorf("c %v: a figure holds up a table", c)
	}
}

// Every float is placed before the next opener and before the end: in a free slot
// of the page, else on a page of its own.
func TestBarriers(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("a", 90, 60, &book.Placement{Position: "top"}), drawing("b", 90, 150, nil)},
		"# One\n\n"+lines(3, ":ref{id=\"a\"}")+"\n\n# Two\n\n"+lines(14)+"\n\n"+lines(1, ":ref{id=\"b\"}"), "# Three\n\n"+lines(3))
	if a := where(t, r.Frames, "a"); a.page != 1 {
		t.Errorf("a: %v", a)
	}
	b := where(t, r.Frames, "b")
	if b.page != 3 {
		t.Errorf("b: %v", b)
	}
	if n := r.Frames.Chapters[0].Pages[len(r.Frames.Chapters[0].Pages)-1].Number; n != 3 {
		t.Errorf("the chapter ends on page %d", n)
	}
}

// On a closing page floats across it move up to a line under the text.
func TestClosingFloatsHugTheText(t *testing.T) {
	for on, want := range map[string]bool{"true": true, "false": false} {
		r := figures(t, area(2, `, "x": 0`), nil, "x")
		config := strings.Replace(area(2, ""), `"layoutType"`, `"hugClosingFloats": `+on+`, "layoutType"`, 1)
		r = figures(t, config, []*book.Resource{drawing("a", 90, 60, &book.Placement{Span: "page"})}, lines(3, ":ref{id=\"a\"}"))
		if a := where(t, r.Frames, "a"); (a.top < 60) != want {
			t.Errorf("%s: at %v", on, a.top)
		}
	}
}

// here sets the resource where its embed stands, with a line of space above and
// below at least, what the grid leaves under it shared between the two, and the text
// under it back on the grid.
func TestHere(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("a", 90, 61, &book.Placement{Position: "here"})},
		lines(2)+"\n\n::resource{id=\"a\"}\n\n"+lines(2, "see :ref{id=\"a\"}"))
	a := where(t, r.Frames, "a")
	if a.floated || a.top < 36 || a.top > 36+12-1 {
		t.Errorf("%v at %v", a, a.top)
	}
	p := r.Frames.Chapters[0].Pages[0]
	blocks := p.Columns[0].Blocks
	last := blocks[len(blocks)-1].Lines[0]
	if d := last.Baseline - p.GridTop; d%p.GridPitch != 0 || (last.Top-p.Content.Y).Pt() < a.foot+12-0.01 {
		t.Errorf("the text goes on at %v under a figure that ends at %v", (last.Top - p.Content.Y).Pt(), a.foot)
	}
	// From baseline to picture, and from picture to the middle of small letters
	// and capitals, at a size of 10 on lines of 12.
	if above, below := a.top-24+12*0.2-10*0.1, (last.Top-p.Content.Y).Pt()-a.foot+12*0.8-10*0.6; !near(above, below) {
		t.Errorf("%v of white above, %v below", above, below)
	}
	above := figures(t, strings.Replace(area(1, ""), `"layoutType"`, `"inlineResourceGap": "above", "layoutType"`, 1), []*book.Resource{drawing("a", 90, 60, &book.Placement{Position: "here"})},
		lines(2)+"\n\n::resource{id=\"a\"}\n\n"+lines(2))
	bs := above.Frames.Chapters[0].Pages[0].Columns[0].Blocks
	if gap := bs[len(bs)-1].Lines[0].Top.Pt() - bs[len(bs)-2].Box.Bottom().Pt(); gap >= 12 {
		t.Errorf("above: %v points under the figure", gap)
	}
}

// A resource asked for by an embed, but not placed here, floats; one placed here
// that nothing embeds floats too, so that it is not lost.
func TestEmbedsAreReferences(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("a", 90, 60, nil), drawing("b", 90, 40, &book.Placement{Position: "here"})},
		lines(2)+"\n\n::resource{id=\"a\"}\n\n"+lines(2, "see :ref{id=\"b\"}"))
	for _, id := range []string{"a", "b"} {
		if p := where(t, r.Frames, id); !p.floated {
			t.Errorf("%s: %v", id, p)
		}
	}
}

// captions gives the captions of a book's figures in order.
func captions(b *frame.Book) (out []string) {
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			for _, bl := range p.Blocks() {
				if bl.Part == "caption" {
					out = append(out, setText(bl))
				}
			}
		}
	}
	return
}

// setText is what a block prints.
func setText(b *frame.Block) string {
	var w []string
	for i := range b.Lines {
		for _, r := range b.Lines[i].Runs {
			for _, x := range r.Words {
				w = append(w, x.Shape.Text)
			}
		}
	}
	return strings.ReplaceAll(strings.Join(w, " "), "\u00a0", " ")
}

// Resources are counted by first mention through the book, anew in each chapter,
// each type by itself (document-format.md 13.4).
func TestResourceNumbers(t *testing.T) {
	tab := drawing("t", 50, 20, nil)
	tab.TypeID = "table"
	res := []*book.Resource{drawing("a", 50, 20, nil), drawing("b", 50, 20, nil), drawing("c", 50, 20, nil), tab, drawing("unused", 9, 9, nil)}
	for _, c := range []struct {
		name, types string
		text        []string
		want        string
	}{
		{"by chapter", "", []string{"# One\n\nSee :ref{id=\"b\"}, :ref{id=\"a\"}, :ref{id=\"t\"} and :ref{id=\"b\"}.", "# Two\n\n:ref{id=\"c\"} and :ref{id=\"a\"}."},
			"Figure 1.1. The b. / Figure 1.2. The a. / Table 1.1. The t. / Figure 2.1. The c."},
		{"before any heading", "", []string{"See :ref{id=\"b\"} and :ref{id=\"a\"}."}, "Figure 1. The b. / Figure 2. The a."},
		{"never reset, roman, alone", `, "resourceTypes": [{"id": "figure", "name": "Plate", "captionPrefix": "Plate", "numberingTemplate": "{n}", "resetOn": "never", "counterFormat": "upper-roman"}]`,
			[]string{"# One\n\n:ref{id=\"a\"}", "# Two\n\n:ref{id=\"b\"}"}, "Plate I. The a. / Plate II. The b."},
		{"no number", `, "resourceTypes": [{"id": "figure", "name": "Figure", "captionPrefix": "Fig.", "numberingTemplate": ""}]`,
			[]string{"# One\n\n:ref{id=\"a\"}"}, "Fig. The a."},
	} {
		r := figures(t, area(1, c.types), res, c.text...)
		if got := strings.Join(captions(r.Frames), " / "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What references to a resource print (document-format.md 9).
func TestResourceReferences(t *testing.T) {
	for ref, want := range map[string]string{
		`:ref{id="a"}`:                    "Fig. 1.1",
		`:ref{id="a" style=number}`:       "1.1",
		`:ref{id="a" style=full}`:         "Figure 1.1",
		`:ref{id="a" case=lower}`:         "fig. 1.1",
		`:ref{id="a" text="this one"}`:    "this one",
		`\ref{a}`:                         "1.1",
		`@fig:a`:                          "Fig. 1.1",
		`:ref{id="nothing"}`:              "?",
		`:ref{id="nothing" text="words"}`: "words",
	} {
		r := figures(t, area(1, ""), []*book.Resource{drawing("a", 50, 20, nil)}, "# One\n\nSee "+ref+" there.")
		got := setText(r.Frames.Chapters[0].Pages[0].Columns[0].Blocks[1])
		if got != "See "+want+" there." {
			t.Errorf("%s: %q, want %q", ref, got, want)
		}
		if strings.Contains(ref, "nothing") {
			if ps := kinds(r); !strings.Contains(ps, "unknownResourceId") {
				t.Errorf("%s: warnings %s", ref, ps)
			}
		}
	}
}

func kinds(r *Result) string {
	var out []string
	for _, c := range r.Frames.Chapters {
		for _, p := range c.Problems {
			out = append(out, p.Kind)
		}
	}
	return strings.Join(out, " ")
}

// Each thing wrong with a resource leaves a warning and a page.
func TestResourceWarnings(t *testing.T) {
	gone := drawing("a", 50, 20, nil)
	gone.Data = []byte("no picture")
	bomb := drawing("a", 50, 20, nil)
	bomb.Kind, bomb.Data = "bitmap", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\xea\x60\x00\x00\xea\x60\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00IDAT\x00\x00\x00\x00")
	odd := drawing("a", 50, 20, nil)
	odd.TypeID = "none"
	video := &book.Resource{ID: "a", Kind: "video", TypeID: "video", Caption: "Film.", Video: &book.Video{}}
	ragged := &book.Resource{ID: "a", Kind: "table", TypeID: "table", Table: &book.Table{StyleID: "none", Rows: [][]book.Cell{{{Content: "x"}, {Content: "y"}}, {{Content: "z"}}}}}
	lettered := drawing("a", 50, 20, nil)
	lettered.Data = []byte(`<svg width="90" height="20"><text y="15" font-family="Nonesuch">words</text></svg>`)
	for kind, r := range map[string]*book.Resource{"missingImage": gone, "missingImage ": bomb, "danglingTypeRef": odd, "videoWithoutPoster": video,
		"raggedTableGrid": ragged, "unknownTableStyle": ragged, "svgFontUnavailable": lettered} {
		res := figures(t, area(1, ""), []*book.Resource{r}, "# One\n\n:ref{id=\"a\"} words.")
		if ps := kinds(res); !strings.Contains(ps, strings.TrimSpace(kind)) {
			t.Errorf("%s: warnings %s", kind, ps)
		}
		where(t, res.Frames, "a")
	}
	res := figures(t, area(1, ""), nil, "# One\n\n::resource{id=\"none\"}\n\nWords ![alt words](none.png) and\n\n![more words](none.png \"A title\")")
	if ps := kinds(res); !strings.Contains(ps, "missingImage") || !strings.Contains(ps, "unknownResourceId") {
		t.Errorf("warnings %s", ps)
	}
}

// The caption above, with its separator, gap and note; a type's own style.
func TestCaptionSettings(t *testing.T) {
	a := drawing("a", 90, 40, nil)
	a.Note = "Source: none."
	r := figures(t, area(1, `, "captionStyle": {"position": "above", "labelSeparator": " — ", "gap": {"value": 7, "unit": "pt"}, "backgroundEnabled": true, "background": {"hex": "#eeeeee", "model": "hex"}, "padding": {"value": 3, "unit": "pt"}}`),
		[]*book.Resource{a}, "# One\n\n:ref{id=\"a\"}")
	fl := r.Frames.Chapters[0].Pages[0].Floats
	if len(fl) != 3 || fl[0].Part != "caption" || fl[1].Part != "picture" || fl[2].Part != "note" {
		t.Fatalf("%d parts", len(fl))
	}
	if s := setText(fl[0]); s != "Figure 1.1 — The a." {
		t.Errorf("%q", s)
	}
	if gap := fl[1].Box.Y - fl[0].Box.Bottom(); !near(gap.Pt(), 7) {
		t.Errorf("gap %v", gap.Pt())
	}
	if u := fl[0].Under; len(u) == 0 || u[0].Fill.R != 0xee || fl[0].Lines[0].X-fl[0].Box.X != 3*unit.Pt {
		t.Errorf("no bar: %v", u)
	}
	if fl[1].Over[0].Plain != "alt of a" {
		t.Error("the alternative text is lost")
	}
}

// A picture is as large as its pixels at the book's resolution, never wider than
// its slot, never higher than the column.
func TestPictureSizes(t *testing.T) {
	for _, c := range []struct {
		name        string
		w, h        int
		place       *book.Placement
		wide, high  float64
		left, right bool
	}{
		{"its own size", 90, 60, nil, 90, 60, true, false},
		{"no wider than the slot", 440, 220, nil, 220, 110, true, true},
		{"a share of the slot", 440, 220, &book.Placement{Width: 0.5}, 110, 55, true, false},
		{"never enlarged", 20, 10, &book.Placement{Width: 0.5}, 20, 10, true, false},
		{"at the right", 90, 60, &book.Placement{Align: "right"}, 90, 60, false, true},
		{"no higher than the column", 100, 900, nil, 24.5, 220.5, true, false},
	} {
		r := figures(t, area(1, ""), []*book.Resource{drawing("a", c.w, c.h, c.place)}, ":ref{id=\"a\"}")
		var pic *frame.Block
		var page *frame.Page
		for _, p := range r.Frames.Chapters[0].Pages {
			for _, b := range p.Floats {
				if b.Part == "picture" {
					pic, page = b, p
				}
			}
		}
		if pic == nil {
			t.Errorf("%s: no picture", c.name)
			continue
		}
		if d := pic.Box.W.Pt() - c.wide; d > 2 || d < -2 {
			t.Errorf("%s: %v wide", c.name, pic.Box.W.Pt())
		}
		if d := pic.Box.H.Pt() - c.high; d > 12 || d < -12 {
			t.Errorf("%s: %v high", c.name, pic.Box.H.Pt())
		}
		if c.left != (pic.Box.X == page.Content.X) || c.right != near(pic.Box.Right().Pt(), page.Content.Right().Pt()) {
			t.Errorf("%s: from %v to %v", c.name, pic.Box.X.Pt(), pic.Box.Right().Pt())
		}
	}
}

// shrink makes a float smaller for its slot, down to minScale, and says so.
func TestShrink(t *testing.T) {
	for _, c := range []struct {
		place *book.Placement
		page  int
		warns bool
	}{
		{nil, 2, false},
		{&book.Placement{Shrink: "slot", MinScale: 0.5}, 1, true},
		{&book.Placement{Shrink: "slot", MinScale: 0.98}, 2, false},
		{&book.Placement{Shrink: "page", MinScale: 0.5}, 2, false},
	} {
		text := lines(8, "", "", "", "", ":ref{id=\"a\"}") + "\n\n" + lines(40)
		r := figures(t, area(1, ""), []*book.Resource{drawing("a", 200, 160, c.place)}, text)
		if a := where(t, r.Frames, "a"); a.page != c.page || strings.Contains(kinds(r), "floatShrunk") != c.warns {
			t.Errorf("%+v: %v, warnings %s", c.place, a, kinds(r))
		}
	}
}

// table is a table resource of n body rows.
func table(n int, place *book.Placement) *book.Resource {
	rows := [][]book.Cell{{{Content: "Head"}, {Content: "Number", Align: "right"}}}
	for i := range n {
		rows = append(rows, []book.Cell{{Content: fmt.Sprint("row ", i+1)}, {Content: fmt.Sprint(i + 1), Align: "right"}})
	}
	return &book.Resource{ID: "t", Kind: "table", TypeID: "table", Caption: "Rows.", Note: "Counted.", Placement: place, Table: &book.Table{Rows: rows, HeaderRows: 1}}
}

// A table taller than its slot is cut between rows: the head is repeated, the
// caption says that it goes on, and the note stands under the last part.
func TestTablesAreCut(t *testing.T) {
	for name, c := range map[string]struct {
		place *book.Placement
		text  string
	}{
		"float": {nil, "See :ref{id=\"t\"}.\n\n" + lines(30)},
		"here":  {&book.Placement{Position: "here"}, lines(4) + "\n\n::resource{id=\"t\"}\n\n" + lines(3)},
	} {
		r := figures(t, area(1, ""), []*book.Resource{table(30, c.place)}, c.text)
		var rows []string
		var heads, notes int
		for _, p := range r.Frames.Chapters[0].Pages {
			for _, b := range p.Blocks() {
				if b.Kind == frame.Resource && b.Box.Bottom() > p.Content.Bottom()+unit.Pt {
					t.Errorf("%s: page %d: %q reaches below the page", name, p.Number, setText(b))
				}
				switch s := setText(b); {
				case b.Part == "cell" && s == "Head":
					heads++
				case b.Part == "cell" && b.Col == 0:
					rows = append(rows, s)
				case b.Part == "note" && s == "Counted.":
					notes++
				}
			}
		}
		if len(rows) != 30 {
			t.Errorf("%s: %d rows: %q", name, len(rows), rows)
		}
		for i, s := range rows {
			if s != fmt.Sprint("row ", i+1) {
				t.Errorf("%s: row %d is %q", name, i+1, s)
			}
		}
		cs := captions(r.Frames)
		if heads < 2 || heads != len(cs) || notes != 1 {
			t.Errorf("%s: %d heads, captions %q, %d notes", name, heads, cs, notes)
		}
		for i, s := range cs {
			if strings.Contains(s, "(cont.)") != (i > 0) {
				t.Errorf("%s: caption %d: %q", name, i, s)
			}
		}
	}
}

// Merged cells cover what they merge; booktabs has three rules.
func TestTableSpansAndRules(t *testing.T) {
	tab := &book.Resource{ID: "t", Kind: "table", TypeID: "table", Table: &book.Table{HeaderRows: 1, Widths: []float64{1, 2, 1}, Rows: [][]book.Cell{
		{{Content: "a"}, {Content: "b"}, {Content: "c"}},
		{{Content: "wide", ColSpan: 2}, {HiddenBy: &book.CellPlace{Row: 1}}, {Content: "tall", RowSpan: 2}},
		{{Content: "d"}, {Content: "e"}, {HiddenBy: &book.CellPlace{Row: 1, Col: 2}}},
	}}}
	r := figures(t, area(1, `, "tableStyle": {"rules": "booktabs"}`), []*book.Resource{tab}, ":ref{id=\"t\"}")
	rules := 0
	boxes := map[string]unit.Rect{}
	for _, b := range r.Frames.Chapters[0].Pages[0].Floats {
		if b.Part == "cell" {
			boxes[setText(b)] = b.Box
		}
		for _, u := range b.Under {
			if u.ID == "rule" {
				rules++
			}
		}
	}
	if rules != 3 {
		t.Errorf("%d rules", rules)
	}
	if w := boxes["wide"].W.Pt(); !near(w, 165) {
		t.Errorf("the merged cell is %v wide", w)
	}
	if boxes["tall"].H != boxes["wide"].H+boxes["d"].H || boxes["b"].W.Pt() < 109 {
		t.Errorf("%v", boxes)
	}
}

// A picture inside a line is no higher than the line and stands between its words.
func TestInlinePictures(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("a", 60, 60, nil)}, "Words ![alt](a.svg) around it.")
	l := r.Frames.Chapters[0].Pages[0].Columns[0].Blocks[0].Lines[0]
	var pic *frame.Run
	for i := range l.Runs {
		if l.Runs[i].Picture != nil {
			pic = &l.Runs[i]
		}
	}
	if pic == nil {
		t.Fatal("no picture in the line")
	}
	if pic.PicH != 12*unit.Pt || pic.PicW != 12*unit.Pt {
		t.Errorf("%v × %v", pic.PicW.Pt(), pic.PicH.Pt())
	}
	if top := l.Baseline - pic.Rise - pic.PicH; top < l.Top {
		t.Errorf("it reaches %v points above its line", (l.Top - top).Pt())
	}
}

// An image alone in its paragraph is set where it stands, looked up beside its
// chapter; with an id it is numbered.
func TestMarkdownImages(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("images/a", 90, 60, nil)},
		"# One\n\n![Alt.](images/a.svg \"The title.\")\n\n![What it shows.](images/a.svg){#fig:x width=50%}\n\nSee @fig:x.")
	cs := captions(r.Frames)
	if strings.Join(cs, " / ") != "The title. / Figure 1.1. What it shows." {
		t.Errorf("%q", cs)
	}
	var widths []float64
	for _, b := range r.Frames.Chapters[0].Pages[0].Columns[0].Blocks {
		if b.Part == "picture" {
			widths = append(widths, b.Box.W.Pt())
		}
	}
	if len(widths) != 2 || !near(widths[0], 90) || !near(widths[1], 110) {
		t.Errorf("widths %v", widths)
	}
}

// Notes set before a float stand under it, notes set after it above it.
func TestNotesAndFloatsAtTheFoot(t *testing.T) {
	r := figures(t, area(1, ""), []*book.Resource{drawing("a", 90, 40, nil)},
		lines(6, "one[^a]", "", "see :ref{id=\"a\"}", "", "two[^b]")+"\n\n"+lines(30)+"\n\n[^a]: First.\n[^b]: Second.")
	p := r.Frames.Chapters[0].Pages[0]
	var first, second unit.Sp
	for _, b := range p.Columns[0].Blocks {
		if b.Kind == frame.Note && strings.Contains(setText(b), "First") {
			first = b.Box.Y
		}
		if b.Kind == frame.Note && strings.Contains(setText(b), "Second") {
			second = b.Box.Y
		}
	}
	if len(p.Floats) == 0 || first == 0 || second == 0 {
		t.Fatalf("%d floats, notes at %v and %v", len(p.Floats), first.Pt(), second.Pt())
	}
	// Both notes are cited in one paragraph, set at once: their place is what holds.
	if fl := p.Floats[0].Box.Y; first == second || fl == first {
		t.Errorf("float at %v, notes at %v and %v", fl.Pt(), first.Pt(), second.Pt())
	}
	checkFloats(t, "notes", r)
}

// checkFloats holds what layout.md 14 asks of floats, checks 4 and 1: no float
// precedes its citing line, the order within a type holds, nothing overlaps, every
// resource cited stands on a page, and the same again gives the same.
func checkFloats(t testing.TB, name string, r *Result) {
	t.Helper()
	for ci, c := range r.Frames.Chapters {
		last := map[string]int{} // of each type: source place of the float placed last
		cited := -1              // how far the text has been set
		for _, p := range c.Pages {
			// The text of a page counts as set when its floats are looked at, but
			// for what stands in columns behind them.
			upto := make([]int, len(p.Columns))
			for i := range p.Columns {
				upto[i] = cited
				for _, b := range p.Columns[i].Blocks {
					if b.Kind == frame.Note || b.Kind == frame.Resource || b.Text == nil {
						continue
					}
					for k := range b.Lines {
						upto[i] = max(upto[i], b.Text.Source(int(b.Lines[k].End)))
						cited = max(cited, upto[i])
					}
				}
			}
			for fi, b := range p.Floats {
				if b.Start == 0 && b.End == 0 {
					continue
				}
				// The last column the float stands over, or left of it.
				have := -1
				for i := range p.Columns {
					if b.Box.Right() > p.Columns[i].Box.X || i == 0 {
						have = max(have, upto[i])
					}
				}
				if b.Start > have && b.Start > cited {
					t.Errorf("%s: chapter %d page %d: float %s stands before its citation (%d, text up to %d)", name, ci, p.Number, b.ID, b.Start, have)
				}
				key := strings.SplitN(b.ID, "-", 2)[0]
				if b.Start < last[key] {
					t.Errorf("%s: chapter %d page %d: %s is out of order", name, ci, p.Number, b.ID)
				}
				last[key] = max(last[key], b.Start)
				if b.Box.Y < p.Content.Y-unit.Pt || b.Box.Bottom() > p.Content.Bottom()+unit.Pt {
					t.Errorf("%s: chapter %d page %d: %s %s stands out of the type area: %v to %v", name, ci, p.Number, b.ID, b.Part, b.Box.Y.Pt(), b.Box.Bottom().Pt())
				}
				for _, o := range p.Floats[fi+1:] {
					if o.ID != b.ID && overlap(b.Box, o.Box) {
						t.Errorf("%s: chapter %d page %d: %s lies over %s", name, ci, p.Number, b.ID, o.ID)
					}
				}
				for i := range p.Columns {
					for _, o := range p.Columns[i].Blocks {
						if overlap(b.Box, o.Box) {
							t.Errorf("%s: chapter %d page %d: float %s lies over a %s %q", name, ci, p.Number, b.ID, o.Kind, cut(setText(o)))
						}
					}
				}
			}
		}
	}
}

func cut(s string) string { return s[:min(len(s), 30)] }

func overlap(a, b unit.Rect) bool {
	const slack = unit.Pt / 2
	return a.X+slack < b.Right() && b.X+slack < a.Right() && a.Y+slack < b.Bottom() && b.Y+slack < a.Bottom()
}

// TestFloatsOfGeneratedBooks holds the checks on books made by chance: figures
// and tables of all sizes and places, notes, headings, lists, boxes.
func TestFloatsOfGeneratedBooks(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 7))
		var res []*book.Resource
		var text strings.Builder
		n := 0
		for i := range 3 + rnd.IntN(12) {
			if i > 0 && rnd.IntN(6) == 0 {
				fmt.Fprintf(&text, "%s Heading %d\n\n", strings.Repeat("#", 1+rnd.IntN(3)), i)
			}
			words := 10 + rnd.IntN(120)
			for w := range words {
				text.WriteString([]string{"bee ", "hive ", "winter ", "nectar ", "frame "}[rnd.IntN(5)])
				if rnd.IntN(60) == 0 {
					pl := &book.Placement{Position: []string{"", "top", "bottom", "auto"}[rnd.IntN(4)], Span: []string{"", "", "page"}[rnd.IntN(3)],
						Shrink: []string{"", "slot", "page"}[rnd.IntN(3)]}
					kind := []string{"figure", "figure", "table"}[rnd.IntN(3)]
					r := drawing(fmt.Sprintf("%s-%d", kind, n), 20+rnd.IntN(300), 10+rnd.IntN(260), pl)
					r.TypeID = kind
					if kind == "table" && rnd.IntN(2) == 0 {
						r = table(1+rnd.IntN(40), pl)
						r.ID = fmt.Sprintf("%s-%d", kind, n)
					}
					res = append(res, r)
					fmt.Fprintf(&text, ":ref{id=\"%s\"} ", r.ID)
					n++
				}
				if rnd.IntN(90) == 0 {
					fmt.Fprintf(&text, "noted[^n%d%d] ", i, w)
				}
			}
			text.WriteString("\n\n")
			if rnd.IntN(5) == 0 {
				text.WriteString("- an item\n- another\n\n")
			}
			if rnd.IntN(8) == 0 {
				text.WriteString(":::callout{title=\"Box\"}\nInside it.\n:::\n\n")
			}
		}
		src := text.String()
		for _, f := range strings.Split(src, "noted[^")[1:] {
			id, _, _ := strings.Cut(f, "]")
			src += fmt.Sprintf("[^%s]: A note of some words.\n", id)
		}
		for _, columns := range []int{1, 2} {
			name := fmt.Sprintf("seed %d, %d columns", seed, columns)
			config := strings.Replace(area(columns, ""), `"balancing": {"enabled": false}, `, "", 1)
			r := figures(t, config, res, src, "# Next\n\nThe next chapter.")
			checkFloats(t, name, r)
			for _, x := range res {
				where(t, r.Frames, x.ID)
			}
			if frame.Hash(r.Frames) != frame.Hash(figures(t, config, res, src, "# Next\n\nThe next chapter.").Frames) {
				t.Errorf("%s: laid out twice, two results", name)
			}
			if t.Failed() {
				t.Fatalf("%s:\n%s", name, src)
			}
		}
	}
}

// A resource that changes lays out the chapters that mention it, and no others;
// the same book again lays out nothing.
func TestResourcesAreIncremental(t *testing.T) {
	ts := New(fonttest.World(t))
	b := small(t, area(1, ""), "# One\n\n:ref{id=\"a\"} words.", "# Two\n\n:ref{id=\"b\"} words.", "# Three\n\nwords.")
	b.Resources = []*book.Resource{drawing("a", 90, 60, nil), drawing("b", 90, 60, nil)}
	typeset(t, ts, b)
	before := ts.Counters()
	typeset(t, ts, b)
	if c := ts.Counters(); c != before {
		t.Errorf("the same book: %+v, then %+v", before, c)
	}
	next := *b
	next.Resources = []*book.Resource{b.Resources[0], drawing("b", 90, 100, nil)}
	r := typeset(t, ts, &next)
	if c := ts.Counters(); c.ChaptersPlaced != before.ChaptersPlaced+1 {
		t.Errorf("%d chapters laid out for one picture", c.ChaptersPlaced-before.ChaptersPlaced)
	}
	if frame.Hash(r.Frames) != frame.Hash(typeset(t, New(fonttest.World(t)), &next).Frames) {
		t.Error("the incremental pages differ from fresh ones")
	}
}
