package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/engine/frame"
)

// designed is a page whose level-1 headings are drawn from a design.
const designed = `{"page": {"sizePreset": "custom", "width": {"value": 300, "unit": "pt"}, "height": {"value": 400, "unit": "pt"},
	"margins": {"top": {"value": 50, "unit": "pt"}, "bottom": {"value": 50, "unit": "pt"}, "left": {"value": 40, "unit": "pt"}, "right": {"value": 40, "unit": "pt"}}},
	"layout": {"layoutType": "single"},
	"bodyText": {"fontFamily": "EB Garamond", "fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}},
	"header": {"elements": [%s]}, "footer": {"elements": []},
	"headings": {"fontFamily": "EB Garamond", "marginBottom": {"value": 0, "unit": "pt"}, "levels": [{"level": 1, "fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"},
		"numberingTemplate": "{1:I}.", "breakBefore": {"enabled": true, "parity": "any"},
		"advancedDesign": {"enabled": true, %s "slot": {"elements": [%s]}}}]}}`

// element writes an element of a slot.
func element(kind, id, more string) string {
	return fmt.Sprintf(`{"kind": %q, "id": %q, "placement": {"anchor": {"edge": "top-left"}}%s}`, kind, id, more)
}

func title(content string) string {
	return element("text", "t", `, "content": "`+content+`", "align": "left", "lineHeight": {"value": 20, "unit": "pt"}`)
}

// printed joins the texts of items.
func printed(items []frame.Item) string {
	var out []string
	for _, it := range items {
		if it.Plain != "" {
			out = append(out, it.Plain)
		}
	}
	return strings.Join(out, "/")
}

// TestDesignedHeadingHeight holds the height a heading's design keeps free
// (settings.md 10.3).
func TestDesignedHeadingHeight(t *testing.T) {
	box := func(h int, more string) string {
		return fmt.Sprintf(`{"kind": "box", "id": "b", "placement": {"anchor": {"edge": "top-left"}, "size": {"width": {"value": 20, "unit": "pt"}, "height": {"value": %d, "unit": "pt"}}}%s}`, h, more)
	}
	at := func(edge string) string {
		return fmt.Sprintf(`{"kind": "box", "id": "b", "placement": {"anchor": {"edge": %q}, "size": {"width": {"value": 20, "unit": "pt"}, "height": {"value": 90, "unit": "pt"}}}}`, edge)
	}
	for _, c := range []struct {
		name, min, elements string
		want                float64 // of the heading; the text under it stands on the grid
	}{
		{"its own text at least", "", "", 12},
		{"the lowest element", "", title("{titleText}"), 20},
		{"minHeight", `"minHeight": {"value": 100, "unit": "pt"},`, title("{titleText}"), 100},
		{"a box", "", box(70, ""), 70},
		{"what does not count", "", box(70, `, "reserve": false`), 12},
		{"what follows the band does not count", "", at("bottom-left"), 12},
		{"nor does what hangs on it", "", at("bottom-left") + `, {"kind": "box", "id": "c", "placement": {"anchor": {"to": "#b", "edge": "below"}, "size": {"width": {"value": 9, "unit": "pt"}, "height": {"value": 9, "unit": "pt"}}}}`, 12},
		{"a text that follows must fit", "", strings.Replace(title("{titleText}"), "top-left", "bottom-left", 1), 20},
		{"the page at most", "", box(900, ""), 300},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lay(t, fmt.Sprintf(designed, "", c.min, c.elements), "# A title\n\nText under it.")
			h := b.Chapters[0].Pages[0].Columns[0].Blocks[0]
			if h.Kind != frame.Heading || h.Box.H.Pt() != c.want {
				t.Errorf("%s %.1f pt high, want %.1f", h.Kind, h.Box.H.Pt(), c.want)
			}
			if !strings.HasSuffix(h.Text.Plain, "A title") || h.Number != "I." {
				t.Errorf("the heading's text is %q", h.Text.Plain)
			}
		})
	}
}

// TestPlaceholders holds what each placeholder prints, in a heading's design and
// in running heads (settings.md 7.5).
func TestPlaceholders(t *testing.T) {
	text := "---\ntitle: The Book\nsubtitle: A Tale\nauthor: A. N. Other\npublishDate: 2020\n---\n\n# One \\\\ more {motto=\"Nil\"}\n\nText.\n\n# Two {motto=\"Spes\"}\n\nText."
	for _, c := range []struct{ content, heading, header string }{
		{"{titleText}", "Two", ""}, {"{number}", "II.", ""}, {"{numberDecimal}", "2", ""}, {"{numberRoman}", "II", ""},
		{"{numberRomanLower}", "ii", ""}, {"{numberAlpha}", "B", ""}, {"{numberAlphaLower}", "b", ""},
		{"{numberWords}", "Two", ""}, {"{numberWordsLower}", "two", ""}, {"{numberOrdinalWords}", "Second", ""}, {"{numberOrdinalWordsLower}", "second", ""},
		{"{attr.motto}", "Spes", "Spes"}, {"{attr.none}", "", ""},
		{"{pageNumber}", "2", "2"}, {"{totalPages}", "2", "2"}, {"{bookTotalPages}", "2", "2"},
		{"{title}", "The Book", "The Book"}, {"{subtitle}", "A Tale", "A Tale"}, {"{author}", "A. N. Other", "A. N. Other"}, {"{publishDate}", "2020", "2020"},
		{"{chapterTitle}", "Two", "Two"}, {"{chapterNumber}", "II.", "II."},
		{"{chapterTitleAtTop}", "One more", "One more"}, {"{chapterNumberAtTop}", "I.", "I."},
		{"{{titleText}}", "{titleText}", "{titleText}"}, {"{unknown}", "", ""}, {"a {pageNumber} b", "a 2 b", "a 2 b"},
	} {
		p := lay(t, fmt.Sprintf(designed, title(c.content), "", title(c.content)), text).Chapters[0].Pages[1]
		if got := printed(p.Under); got != c.heading {
			t.Errorf("%s in a heading's design prints %q, want %q", c.content, got, c.heading)
		}
		if got := printed(p.Header); got != c.header {
			t.Errorf("%s in a header prints %q, want %q", c.content, got, c.header)
		}
	}
	p := lay(t, fmt.Sprintf(designed, "", "", title("{titleText}")), text).Chapters[0].Pages[0]
	if got := printed(p.Under); got != "One/more" {
		t.Errorf("a title of two lines prints %q", got)
	}
}

// TestSectionRunningHeads: a heading style's header and footer hold on the pages
// of its section: from its heading to the next of its level or a higher one; an
// empty slot prints nothing; a part closes it (layout.md 11).
func TestSectionRunningHeads(t *testing.T) {
	config := strings.Replace(fmt.Sprintf(designed, title("book"), "", title("{titleText}")), `"headings":`,
		`"headingStyles": [{"id": "app", "header": {"elements": [`+title("appendix")+`]}}, {"id": "bare", "header": {"elements": []}}], "headings":`, 1)
	b := lay(t, config, "# One\n\nText.\n\n# Two {style=\"app\"}\n\nText.\n\n:::pagebreak\n\nMore.\n\n## Under it\n\nText.\n\n"+
		":::pagebreak\n\nMore.\n\n# Three {style=\"bare\"}\n\nText.\n\n# Four\n\nText.\n\n# Five {style=\"app\"}\n\nText.\n\n:::part{title=\"P\"}\n:::\n\nText.")
	var got []string
	for _, p := range b.Chapters[0].Pages {
		got = append(got, printed(p.Header))
	}
	if s := strings.Join(got, " "); s != "book appendix appendix appendix  book appendix book book book" {
		t.Errorf("running heads: %s", s)
	}
}

// TestParts holds the settings of parts (settings.md 18).
func TestParts(t *testing.T) {
	parts := func(p string) string {
		return strings.Replace(fmt.Sprintf(designed, title("{partNumber} {partTitle}"), "", title("{titleText}")), `"headings":`, `"parts": {`+p+`}, "headings":`, 1)
	}
	text := "# One\n\nText.\n\n:::part{number=\"II\" title=\"The Hive\\\\in Summer\"}\n- a list\n:::\n\n# Two\n\nText."
	page := func(b *frame.Book, role frame.Role) *frame.Page {
		for _, p := range b.Chapters[0].Pages {
			if p.Role == role {
				return p
			}
		}
		t.Fatalf("no page of role %v", role)
		return nil
	}
	roles := func(b *frame.Book) string {
		var out []string
		for _, p := range b.Chapters[0].Pages {
			out = append(out, p.Role.String())
		}
		return strings.Join(out, " ")
	}
	b := lay(t, parts(""), text)
	if got := roles(b); got != "opener blank part opener" {
		t.Errorf("a part opens on a recto: %s", got)
	}
	p := page(b, frame.Part)
	if bl := p.Columns[0].Blocks; len(bl) < 2 || bl[0].Kind != frame.Heading || bl[0].Number != "II" {
		t.Errorf("without a design: %q", bl[0].Text.Plain)
	}
	if got := printed(b.Chapters[0].Pages[3].Header); got != "II The Hive in Summer" {
		t.Errorf("the part in running heads: %q", got)
	}
	if got := roles(lay(t, parts(`"breakBefore": {"parity": "any"}, "breakAfter": {"parity": "odd"}`), text)); got != "opener part opener" {
		t.Errorf("parities: %s", got)
	}
	if got := roles(lay(t, parts(`"page": false`), text)); got != "opener opener" {
		t.Errorf("parts.page off: %s", got)
	}
	b = lay(t, parts(`"design": {"elements": [`+title("{number}/{numberDecimal}/{titleText}")+`]}, "versoDesign": {"elements": [`+title("verso")+`]},
		"breakAfter": {"parity": "odd"}, "margins": {"left": {"value": 100, "unit": "pt"}, "top": {"value": 200, "unit": "pt"}},
		"bodyStyle": {"fontSize": {"value": 14, "unit": "pt"}}`), text)
	p = page(b, frame.Part)
	if got := printed(p.Under); got != "II/2/The Hive/in Summer" {
		t.Errorf("the design prints %q", got)
	}
	bl := p.Columns[0].Blocks
	if len(bl) != 1 || bl[0].Kind != frame.ListItem {
		t.Fatalf("blocks on the part's page: %d", len(bl))
	}
	if l := bl[0].Lines[0]; l.Runs[0].Size.Pt() != 14 || bl[0].Box.X.Pt() < 100 || bl[0].Box.Y.Pt() != 200 {
		t.Errorf("its text: %v pt at %v, %v", l.Runs[0].Size.Pt(), bl[0].Box.X.Pt(), bl[0].Box.Y.Pt())
	}
	if got := roles(b); got != "opener blank part blank opener" {
		t.Errorf("%s", got)
	}
	if got := printed(b.Chapters[0].Pages[3].Under); got != "verso" {
		t.Errorf("on its back: %q", got)
	}
}

// TestBlankOwnership: the blank a parity asks for belongs to what follows it, the
// separator of always-odd and always-even to what precedes, and both keep the
// running heads of what they belong to (layout.md 11).
func TestBlankOwnership(t *testing.T) {
	for _, c := range []struct{ parity, want string }{
		{"odd", "One/Two/Two"},
		{"even", "One/Two"},
		{"always-odd", "One/One/Two"},
		{"always-even", "One/One/Two/Two"},
	} {
		config := strings.Replace(fmt.Sprintf(designed, title("{chapterTitle}"), "", title("{titleText}")), `"parity": "any"`, `"parity": "`+c.parity+`"`, 1)
		for _, chapters := range [][]string{{"# One\n\nText.\n\n# Two\n\nText."}, {"# One\n\nText.", "# Two\n\nText."}} {
			var got []string
			for _, ch := range lay(t, config, chapters...).Chapters {
				for _, p := range ch.Pages {
					got = append(got, printed(p.Header))
				}
			}
			if s := strings.Join(got, "/"); s != c.want {
				t.Errorf("%s in %d chapters: %s, want %s", c.parity, len(chapters), s, c.want)
			}
		}
	}
}

// TestGuideWords: {firstMark.h2} and {lastMark.h2} print the first and the last
// heading of the level begun on the page, else the one in force.
func TestGuideWords(t *testing.T) {
	config := fmt.Sprintf(designed, title("{firstMark.h2} to {lastMark.h2}"), "", title("{titleText}"))
	b := lay(t, config, "# One\n\n## Apple\n\nText.\n\n## Pear\n\nText.\n\n:::pagebreak\n\nMore.\n\n:::pagebreak\n\n## Plum\n\nText.")
	var got []string
	for _, p := range b.Chapters[0].Pages {
		got = append(got, printed(p.Header))
	}
	if s := strings.Join(got, "/"); s != "Apple to Pear/Pear to Pear/Plum to Plum" {
		t.Errorf("%s", s)
	}
}

// TestInlineMarks: with inlineMarks a design's text is read for bold, italic,
// superiors and inferiors; without, the marks print (settings.md 7.2).
func TestInlineMarks(t *testing.T) {
	el := func(on string) string {
		return element("text", "t", `, "content": "a **bold** *slanted* x^2^", "align": "left", "inlineMarks": `+on)
	}
	runs := func(on string) (n int, text string) {
		p := lay(t, fmt.Sprintf(designed, el(on), "", ""), "# One\n\nText.").Chapters[0].Pages[0]
		for _, it := range p.Header {
			if it.Text != nil {
				n += len(it.Text.Runs)
				text += it.Plain
			}
		}
		return
	}
	if n, s := runs("false"); n != 1 || s != "a **bold** *slanted* x^2^" {
		t.Errorf("off: %d runs, %q", n, s)
	}
	if n, s := runs("true"); n < 5 || s != "a bold slanted x2" {
		t.Errorf("on: %d runs, %q", n, s)
	}
}
