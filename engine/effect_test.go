package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/settings"
)

// PROBE=footnotes in the environment tries the settings of that prefix alone.
//
// The marks "implemented" and "stored" of the settings table are held against
// the engine: a setting marked implemented is changed on the probe book
// (testdata/probe) until the pages differ; one marked stored must change
// nothing. Who makes a setting work marks it (settings/assembly.go) and, where
// the probe does not show it yet, adds to the probe a text that uses it, to
// probeNeeds what else must be set, or to probeValues a telling value.

// probeBase holds an item of every list that settings are looked for in.
const probeBase = `{"page":{"sizePreset":"custom","width":{"value":12,"unit":"cm"},"height":{"value":15,"unit":"cm"}},
"headingStyles":[{"id":"probe","name":"Probe"}],"paragraphStyles":[{"id":"probe"}],"tableStyles":[{"id":"probe","name":"Probe"}],
"resourceTypes":[{"id":"figure","name":"Figure","defaultPlacement":{},"captionStyle":{}},{"id":"table","name":"Table"}],"layout":{"gutterWidth":{"value":0.6,"unit":"cm"}},
"header":{"elements":[{"id":"t","kind":"text","content":"{title} and a good deal more than that to fill the width of the page or go over it","placement":{"anchor":{"edge":"bottom-left"},"offset":{"y":{"value":-16,"unit":"pt"}}}},
 {"id":"r","kind":"rule","placement":{"anchor":{"edge":"bottom"},"offset":{"y":{"value":-13,"unit":"pt"}}}},
 {"id":"b","kind":"box","placement":{"anchor":{"edge":"top-left"},"size":{"width":{"value":20,"unit":"pt"},"height":{"value":9,"unit":"pt"}}},"style":{"backgroundColor":{"hex":"#eeeeee","model":"hex"}}},
 {"id":"i","kind":"image","placement":{"anchor":{"edge":"top-right"}}}]},
"footer":{"elements":[{"id":"t","kind":"text","content":"{pageNumber} of {totalPages}, and a good deal more than that to fill the width of the page or go over it","placement":{"anchor":{"edge":"top-left"},"offset":{"y":{"value":16,"unit":"pt"}}}},
 {"id":"r","kind":"rule","placement":{"anchor":{"edge":"top"},"offset":{"y":{"value":13,"unit":"pt"}}}},
 {"id":"b","kind":"box","placement":{"anchor":{"edge":"bottom-left"},"size":{"width":{"value":20,"unit":"pt"},"height":{"value":9,"unit":"pt"}}},"style":{"backgroundColor":{"hex":"#eeeeee","model":"hex"}}},
 {"id":"i","kind":"image","placement":{"anchor":{"edge":"bottom-right"}}}]}}`

// probeNeeds are changes that make a setting count, by the beginning of its
// pattern: the longest one that fits is used.
var probeNeeds = map[string]string{
	"citations.customStyle":                 `[{"path":"citations.style","value":"custom"}]`,
	"citations.notes":                       `[{"path":"citations.style","value":"chicago-notes-bibliography"}]`,
	"citations.marker":                      `[{"path":"citations.style","value":"ieee"}]`,
	"citations.collapseRanges":              `[{"path":"citations.style","value":"ieee"}]`,
	"citations.numbering":                   `[{"path":"citations.style","value":"ieee"}]`,
	"citations.bibliography.labelWidth":     `[{"path":"citations.style","value":"ieee"}]`,
	"citations.bibliography.labelAlign":     `[{"path":"citations.style","value":"ieee"},{"path":"citations.bibliography.labelWidth","value":"40pt"}]`,
	"page.sizePreset":                       `[{"path":"page.width","value":null},{"path":"page.height","value":null}]`,
	"page.margins.mirror":                   `[{"path":"page.margins.left","value":"3cm"}]`,
	"page.binding":                          `[{"path":"page.margins.left","value":"3cm"},{"path":"page.margins.mirror","value":true}]`,
	"page.dpi":                              `[{"path":"bodyText.firstLineIndent","value":"40px"}]`,
	"page.baselineGrid.color":               `[{"path":"page.baselineGrid.enabled","value":true}]`,
	"page.baselineGrid.lineWidth":           `[{"path":"page.baselineGrid.enabled","value":true}]`,
	"page.cutLines":                         `[{"path":"page.cutLines.enabled","value":true}]`,
	"page.cutLines.enabled":                 `[]`,
	"page.cutLines.markOffset":              `[{"path":"page.cutLines.enabled","value":true},{"path":"page.cutLines.bleed","value":"1mm"}]`,
	"layout.columnCount":                    `[{"path":"layout.layoutType","value":"multiple"},{"path":"layout.gutterWidth","value":"1mm"}]`,
	"layout.sideColumnPercent":              `[{"path":"layout.layoutType","value":"oneAndHalf"}]`,
	"layout.sideColumnRole":                 `[{"path":"layout.layoutType","value":"oneAndHalf"}]`,
	"layout.sideColumnSide":                 `[{"path":"layout.layoutType","value":"oneAndHalf"}]`,
	"layout.columnRule.color":               `[{"path":"layout.columnRule.enabled","value":true}]`,
	"layout.columnRule.lineWidth":           `[{"path":"layout.columnRule.enabled","value":true}]`,
	"header.elements[].align":               `[{"path":"header.elements[id=t].placement.size.width","value":"3cm"}]`,
	"header.elements[].verticalAlign":       `[{"path":"header.elements[id=t].placement.size.height","value":"2cm"}]`,
	"header.elements[].overflow":            `[{"path":"header.elements[id=t].placement.size.width","value":"3cm"}]`,
	"header.elements[].hyphenate":           `[{"path":"header.elements[id=t].content","value":"characteristically incomprehensible misunderstandings"},{"path":"header.elements[id=t].overflow","value":"wrap"},{"path":"header.elements[id=t].placement.size.width","value":"3cm"}]`,
	"footer.elements[].hyphenate":           `[{"path":"footer.elements[id=t].content","value":"characteristically incomprehensible misunderstandings"},{"path":"footer.elements[id=t].overflow","value":"wrap"},{"path":"footer.elements[id=t].placement.size.width","value":"3cm"}]`,
	"header.elements[].inlineMarks":         `[{"path":"header.elements[id=t].content","value":"a **bold** head"}]`,
	"header.elements[].box":                 `[{"path":"header.elements[id=t].box.backgroundColor","value":"#dddddd"},{"path":"header.elements[id=t].box.borderColor","value":"#333333"},{"path":"header.elements[id=t].box.borderWidth","value":"2pt"}]`,
	"header.elements[].style":               `[{"path":"header.elements[id=b].style.borderColor","value":"#333333"},{"path":"header.elements[id=b].style.borderWidth","value":"2pt"}]`,
	"footer.elements[].align":               `[{"path":"footer.elements[id=t].placement.size.width","value":"3cm"}]`,
	"footer.elements[].verticalAlign":       `[{"path":"footer.elements[id=t].placement.size.height","value":"2cm"}]`,
	"footer.elements[].overflow":            `[{"path":"footer.elements[id=t].placement.size.width","value":"3cm"}]`,
	"footer.elements[].inlineMarks":         `[{"path":"footer.elements[id=t].content","value":"a **bold** foot"}]`,
	"footer.elements[].box":                 `[{"path":"footer.elements[id=t].box.backgroundColor","value":"#dddddd"},{"path":"footer.elements[id=t].box.borderColor","value":"#333333"},{"path":"footer.elements[id=t].box.borderWidth","value":"2pt"}]`,
	"footer.elements[].style":               `[{"path":"footer.elements[id=b].style.borderColor","value":"#333333"},{"path":"footer.elements[id=b].style.borderWidth","value":"2pt"}]`,
	"bodyText.hyphenation.ragged":           `[{"path":"bodyText.textAlign","value":"left"}]`,
	"bodyText.hyphenation.zone":             `[{"path":"bodyText.textAlign","value":"left"},{"path":"bodyText.hyphenation.ragged","value":true}]`,
	"bodyText.optimalRagged":                `[{"path":"bodyText.textAlign","value":"left"}]`,
	"bodyText.avoidRuntsInLists":            `[{"path":"bodyText.runtMinCharacters","value":40}]`,
	"headings.keepWithNextSplit":            `[{"path":"bodyText.slackWeight","value":9999}]`,
	"headings.levels[].numberSeparator":     `[{"path":"headings.levels[level=1].numberingTemplate","value":"{1}"}]`,
	"headings.levels[].numberPosition":      `[{"path":"headings.levels[level=1].numberingTemplate","value":"{1}"}]`,
	"headingStyles[].numberPosition":        `[{"path":"headings.levels[level=1].numberingTemplate","value":"{1}"}]`,
	"headings.levels[].spanBreak":           `[{"path":"headings.levels[level=2].span","value":"page"},{"path":"headings.levels[level=2].breakBefore.enabled","value":false}]`,
	"bodyText.gradedRuntPenalty":            `[{"path":"bodyText.runtMinCharacters","value":60}]`,
	"headingStyles[].numbered":              `[{"path":"headings.levels[level=1].numberingTemplate","value":"{1}"},{"path":"headings.levels[level=2].numberingTemplate","value":"{2}"}]`,
	"headingStyles[].numberSeparator":       `[{"path":"headings.levels[level=1].numberingTemplate","value":"{1}"}]`,
	"headingStyles[].runningChapter":        `[{"path":"header.elements[id=t].content","value":"{chapterTitle}"}]`,
	"headingStyles[].spanBreak":             `[{"path":"headingStyles[id=probe].span","value":"page"},{"path":"headingStyles[id=probe].breakBefore.enabled","value":false}]`,
	"headingStyles[].marginTop":             `[{"path":"headingStyles[id=probe].breakBefore.enabled","value":false}]`,
	"unorderedLists.snapTopToGrid":          `[{"path":"unorderedLists.marginTop","value":"3pt"}]`,
	"orderedLists.snapTopToGrid":            `[{"path":"orderedLists.marginTop","value":"3pt"}]`,
	"codeStyle.inline":                      `[{"path":"codeStyle.inline","value":{}}]`,
	"calloutStyles[].stripe":                `[{"path":"calloutStyles[id=note].stripe.enabled","value":true}]`,
	"calloutStyles[].stripe.enabled":        `[]`,
	"calloutStyles[].border":                `[{"path":"calloutStyles[id=note].border.enabled","value":true}]`,
	"calloutStyles[].border.enabled":        `[]`,
	"calloutStyles[].borderRadius":          `[]`,
	"calloutStyles[].icon":                  `[{"path":"calloutStyles[id=note].icon.kind","value":"glyph"},{"path":"calloutStyles[id=note].icon.glyph","value":"i"}]`,
	"calloutStyles[].icon.resourceId":       `[{"path":"calloutStyles[id=note].icon.kind","value":"resource"}]`,
	"calloutStyles[].icon.cornerSide":       `[{"path":"calloutStyles[id=note].icon.kind","value":"glyph"},{"path":"calloutStyles[id=note].icon.glyph","value":"i"},{"path":"calloutStyles[id=note].icon.position","value":"corner"}]`,
	"calloutStyles[].marker":                `[{"path":"calloutStyles[id=note].marker.kind","value":"glyph"},{"path":"calloutStyles[id=note].marker.glyph","value":"i"}]`,
	"calloutStyles[].marker.resourceId":     `[{"path":"calloutStyles[id=note].marker.kind","value":"resource"}]`,
	"calloutStyles[].marker.rule":           `[{"path":"calloutStyles[id=note].marker.kind","value":"glyph"},{"path":"calloutStyles[id=note].marker.glyph","value":"i"},{"path":"calloutStyles[id=note].marker.rule.enabled","value":true}]`,
	"calloutStyles[].label":                 `[{"path":"calloutStyles[id=note].label","value":{}}]`,
	"calloutStyles[].label.rule":            `[{"path":"calloutStyles[id=note].label","value":{}},{"path":"calloutStyles[id=note].label.rule.enabled","value":true}]`,
	"calloutStyles[].label.icon":            `[{"path":"calloutStyles[id=note].label","value":{}},{"path":"calloutStyles[id=note].label.icon.resourceId","value":"a"}]`,
	"calloutStyles[].splitMinLines":         `[{"path":"calloutStyles[id=note].keepTogether","value":false}]`,
	"calloutStyles[].continuedSuffix":       `[{"path":"calloutStyles[id=note].repeatTitle","value":true}]`,
	"calloutStyles[].continuesMarker":       `[{"path":"calloutStyles[id=note].continuesMarkerEnabled","value":true}]`,
	"calloutStyles[].continuesMarkerAlign":  `[{"path":"calloutStyles[id=note].continuesMarkerEnabled","value":true}]`,
	"calloutStyles[].continuesMarkerItalic": `[{"path":"calloutStyles[id=note].continuesMarkerEnabled","value":true}]`,
	"calloutStyles[].numbering":             `[{"path":"calloutStyles[id=note].numbering.label","value":"Box"}]`,
	"calloutStyles[].numbering.label":       `[]`,
	"headings.levels[].advancedDesign":      `[{"path":"headings.levels[level=1].advancedDesign.enabled","value":true},{"path":"headings.levels[level=1].advancedDesign.slot.elements","value":[{"kind":"text","id":"t","content":"{titleText}","placement":{"anchor":{"edge":"top-left"}}}]}]`,
	"headings.levels[].advancedDesign.slot": `[{"path":"headings.levels[level=1].advancedDesign.enabled","value":true}]`,
	"headingStyles[].advancedDesign":        `[{"path":"headingStyles[id=probe].advancedDesign.enabled","value":true}]`,
	"lineNumbers":                           `[{"path":"lineNumbers.enabled","value":true},{"path":"lineNumbers.count","value":"all"}]`,
	"lineNumbers.enabled":                   `[{"path":"lineNumbers.count","value":"all"}]`,
	"lineNumbers.count":                     `[{"path":"lineNumbers.enabled","value":true}]`,
	"lineNumbers.align":                     `[{"path":"lineNumbers.enabled","value":true},{"path":"lineNumbers.count","value":"all"},{"path":"lineNumbers.interval","value":1}]`,
	"lineNumbers.position":                  `[{"path":"lineNumbers.enabled","value":true},{"path":"lineNumbers.count","value":"all"},{"path":"lineNumbers.multiColumn","value":"each"}]`,
	"paragraphStyles[].lineNumbers":         `[{"path":"lineNumbers.enabled","value":true},{"path":"lineNumbers.interval","value":1}]`,
	"diagramStyle.inkColor":                 `[{"path":"diagramStyle.singleInk","value":true}]`,
	"toc.unnumbered":                        `[{"path":"headingStyles[id=probe].numbered","value":false}]`,
	"toc.subtitle":                          `[{"path":"toc.subtitle.enabled","value":true}]`,
	"toc.subtitle.enabled":                  `[]`,
	"parts.margins.mirror":                  `[{"path":"parts.margins.left","value":"3cm"},{"path":"parts.breakBefore.parity","value":"even"}]`,
	"headings.balancing.beforeSpan":         `[{"path":"headings.levels[level=2].span","value":"page"},{"path":"headings.levels[level=2].spanBreak","value":false}]`,
	"headings.balancing.looseParagraphs":    `[{"path":"layout.layoutType","value":"single"},{"path":"headings.balancing.maxLinesPerHeading","value":0},{"path":"headings.balancing.stretchAfterLists","value":false}]`,
	"headings.balancing.maxLooseParagraphs": `[{"path":"layout.layoutType","value":"single"},{"path":"headings.balancing.maxLinesPerHeading","value":0},{"path":"headings.balancing.stretchAfterLists","value":false}]`,
	"headings.balancing.trackParagraphs":    `[{"path":"layout.layoutType","value":"single"},{"path":"headings.balancing.maxLinesPerHeading","value":0},{"path":"headings.balancing.stretchAfterLists","value":false}]`,
	"headings.balancing.maxTracking":        `[{"path":"layout.layoutType","value":"single"},{"path":"headings.balancing.maxLinesPerHeading","value":0},{"path":"headings.balancing.stretchAfterLists","value":false}]`,
	"layout.boxChildSplitMinLines":          `[{"path":"calloutStyles","value":[{"id":"note","keepTogether":false}]}]`,
	"codeStyle.border":                      `[{"path":"codeStyle.border.enabled","value":true}]`,
	"codeStyle.border.enabled":              `[]`,
	"codeStyle.minFontScale":                `[{"path":"codeStyle.overflow","value":"shrink"}]`,
	"codeStyle.lineNumberGap":               `[{"path":"codeStyle.lineNumbers","value":true}]`,
	"codeStyle.label":                       `[{"path":"codeStyle.label","value":{}}]`,
	"codeStyle.label.rule":                  `[{"path":"codeStyle.label","value":{}},{"path":"codeStyle.label.rule.enabled","value":true}]`,
	"codeStyle.label.icon":                  `[{"path":"codeStyle.label","value":{}},{"path":"codeStyle.label.icon.resourceId","value":"a"}]`,
	"codeStyle.continuesMarker":             `[{"path":"codeStyle.continuesMarkerEnabled","value":true}]`,
}

// sectionsOf are settings that a section or a part has in the place of the
// document's: what the document's need, theirs need in their own place.
var sectionsOf = [][2]string{
	{"headingStyles[].layout", "layout"},
	{"headingStyles[].margins", "page.margins"},
	{"headingStyles[].bodyStyle.unorderedLists", "unorderedLists"},
	{"headingStyles[].bodyStyle.orderedLists", "orderedLists"},
	{"parts.bodyStyle.unorderedLists", "unorderedLists"},
	{"parts.bodyStyle.orderedLists", "orderedLists"},
}

func init() {
	for _, slot := range []string{"header", "footer"} {
		p := slot + ".elements[id=t]."
		for field, needs := range map[string]string{
			"stroke":          `[{"path":"` + p + `stroke.width","value":"0.4pt"}]`,
			"stroke.width":    `[]`,
			"dropCap":         `[{"path":"` + p + `dropCap","value":{"lines":2}},{"path":"` + p + `placement.size.width","value":"4cm"}]`,
			"paragraphIndent": `[{"path":"` + p + `content","value":"One\nTwo"}]`,
		} {
			probeNeeds[slot+".elements[]."+field] = needs
		}
	}
	for _, s := range sectionsOf {
		own := strings.ReplaceAll(s[0], "[]", "[id=probe]")
		for pattern, value := range probeValues {
			if rest, ok := strings.CutPrefix(pattern, s[1]+"."); ok {
				probeValues[s[0]+"."+rest] = value
			}
		}
		for _, table := range []map[string]string{probeNeeds, figureNeeds} {
			for pattern, needs := range table {
				if rest, ok := strings.CutPrefix(pattern, s[1]+"."); ok && probeNeeds[s[0]+"."+rest] == "" {
					probeNeeds[s[0]+"."+rest] = strings.ReplaceAll(needs, `"path":"`+s[1]+".", `"path":"`+own+".")
				}
			}
		}
	}
}

// slotOfOne is a slot with one text.
const slotOfOne = `[{"kind":"text","id":"t","content":"X","placement":{"anchor":{"edge":"top-left"}}}]`

// probeValues are telling values where those of the type tell nothing.
var probeValues = map[string]string{
	"citations.style":                                `"ieee" | "nature"`,
	"citations.customStyle":                          `"<style class='in-text'><citation><layout><text variable='title'/></layout></citation></style>"`,
	"header.elements[].placement.anchor.to":          `"page" | "#b"`,
	"footer.elements[].placement.anchor.to":          `"page" | "#b"`,
	"header.elements[].resourceId":                   `"third"`,
	"footer.elements[].resourceId":                   `"third"`,
	"page.width":                                     `"11cm"`,
	"headings.levels[].advancedDesign.enabled":       `false`,
	"headings.levels[].advancedDesign.minHeight":     `"4cm"`,
	"headings.levels[].advancedDesign.slot.elements": slotOfOne,
	"headingStyles[].advancedDesign.enabled":         `false`,
	"headingStyles[].advancedDesign.minHeight":       `"4cm"`,
	"headingStyles[].advancedDesign.slot.elements":   slotOfOne,
	"headingStyles[].header.elements":                slotOfOne,
	"headingStyles[].footer.elements":                slotOfOne,
	"parts.design.elements":                          slotOfOne,
	"parts.versoDesign.elements":                     slotOfOne,
	"toc.parts.design.elements":                      slotOfOne,
	"headings.balancing.maxLooseParagraphs":          `0 | 1`,
	"headings.balancing.maxLinesAfterFloat":          `0 | 2`,
	"calloutStyles[].numbering.counter":              `"false"`,
	"page.height":                                    `"13cm"`,
	"footnotes.markerTemplate":                       `"({n})"`,
}

// probeItems choose the item of a list a pattern is tried on; otherwise the
// first.
var probeItems = map[string]string{
	"header.elements[].direction":      "header.elements[id=r]",
	"header.elements[].thickness":      "header.elements[id=r]",
	"header.elements[].style":          "header.elements[id=b]",
	"footer.elements[].direction":      "footer.elements[id=r]",
	"footer.elements[].thickness":      "footer.elements[id=r]",
	"footer.elements[].style":          "footer.elements[id=b]",
	"header.elements[].resourceId":     "header.elements[id=i]",
	"footer.elements[].resourceId":     "footer.elements[id=i]",
	"headings.levels[].marginTop":      "headings.levels[level=2]",
	"headings.levels[].advancedDesign": "headings.levels[level=1]",
	"headings.levels[].spanBreak":      "headings.levels[level=2]",
}

// unseen are settings that work without a trace in the frames, and why.
var unseen = map[string]string{
	"customFonts":                  "they name files of the book, which the probe has not: TestTheBooksOwnFonts",
	"resourceTypes[].namePlural":   "it heads the group of its resources in the panel of figures",
	"debug":                        "screen aids and the choice of checks: no layout reads them",
	"header.elements[].decorative": "pictures of heads and feet never have words in their place: TestPicturesOfDesigns",
	"footer.elements[].decorative": "as in the header",
	"headings.levels[].advancedDesign.slot.elements[]": slotsAlike,
	"headingStyles[].advancedDesign.slot.elements[]":   slotsAlike,
	"headingStyles[].header.elements[]":                slotsAlike,
	"headingStyles[].footer.elements[]":                slotsAlike,
	"parts.design.elements[]":                          slotsAlike,
	"parts.versoDesign.elements[]":                     slotsAlike,
	"toc.parts.design.elements[]":                      slotsAlike,
}

const slotsAlike = "drawn by the code that draws header.elements; TestDesignedHeadingHeight, TestSectionRunningHeads, TestParts and TestContentsPartRows show them"

func TestImplementedSettingsShow(t *testing.T) {
	p := newProbe(t)
	var missing []string
	n := 0
	for _, s := range settings.All() {
		if s.Effect != settings.Implemented || keyField(s.Path) || longest(unseen, s.Path) != "" || !strings.HasPrefix(s.Path, os.Getenv("PROBE")) {
			continue
		}
		n++
		if why := p.shows(s, 99); why != "" {
			missing = append(missing, s.Path+": "+why)
		}
	}
	t.Logf("%d settings tried", n)
	for _, m := range missing {
		t.Errorf("marked implemented, shows nothing: %s", m)
	}
	if len(missing) > 0 {
		t.Log("add a text that uses it to testdata/probe, or to probeNeeds, probeValues, probeItems or unseen")
	}
}

func TestStoredSettingsChangeNothing(t *testing.T) {
	p := newProbe(t)
	for _, s := range settings.All() {
		if s.Effect != settings.Stored || keyField(s.Path) || !strings.HasPrefix(s.Path, os.Getenv("PROBE")) {
			continue
		}
		if p.shows(s, 2) == "" {
			t.Errorf("%s is marked stored, and changes the pages", s.Path)
		}
	}
}

type probe struct {
	t     *testing.T
	ts    *Typesetter
	book  *book.Book
	tree  *settings.Tree
	bases map[string]frame.Sum
}

func newProbe(t *testing.T) *probe {
	p := &probe{t: t, ts: New(fonttest.World(t)), bases: map[string]frame.Sum{}}
	b := &book.Book{ID: "probe", Name: "Probe", Title: "Probe", Language: "en"}
	files, err := filepath.Glob("testdata/probe/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.Chapters = append(b.Chapters, &book.Chapter{ID: filepath.Base(file), Markdown: string(data)})
	}
	for _, name := range []string{"figures", "visits"} {
		data, err := os.ReadFile("testdata/probe/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		b.Chapters = append(b.Chapters, &book.Chapter{ID: name, Markdown: string(data)})
	}
	b.Resources = probeResources()
	p.book = b
	if p.tree, err = settings.Parse([]byte(probeBase)); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *probe) pages(tree *settings.Tree) (sum frame.Sum, ok bool) {
	r, err := p.ts.Typeset(p.t.Context(), withConfig(p.t, p.book, string(tree.Marshal())), Observer{})
	if err != nil {
		return sum, false
	}
	return frame.Hash(r.Frames), true
}

// heights of the page the probe is tried at: what happens at a column's foot
// depends on where it falls.
var heights = []string{"15cm", "10cm", "10.7cm", "11.4cm", "12.1cm", "12.8cm", "13.5cm"}

// shows tries values until the pages differ; it says why none did.
func (p *probe) shows(s *settings.Setting, most int) string {
	why := ""
	for _, h := range heights {
		if why = p.showsAt(s, most, h); why == "" || most < 99 || strings.HasPrefix(s.Path, "page.") {
			break
		}
	}
	return why
}

func (p *probe) showsAt(s *settings.Setting, most int, height string) string {
	tree := p.tree
	var list []settings.Change
	needs := longest(probeNeeds, s.Path)
	if needs != "" {
		if err := json.Unmarshal([]byte(needs), &list); err != nil {
			p.t.Fatalf("%s: %v", s.Path, err)
		}
	}
	if height != heights[0] {
		list = append(list, settings.Change{Path: "page.height", Value: json.RawMessage(`"` + height + `"`)})
		needs += height
	}
	if len(list) > 0 {
		o, err := tree.Apply(settings.Env{}, list)
		if err != nil {
			p.t.Fatalf("needs of %s: %v", s.Path, err)
		}
		tree = o.Tree
	}
	base, ok := p.bases[needs]
	if !ok {
		if base, ok = p.pages(tree); !ok {
			p.t.Fatalf("the probe cannot be laid out with %s", needs)
		}
		p.bases[needs] = base
	}
	path := tree.Sample(settings.Env{}, s)
	if strings.Contains(path, "…") {
		return "the list has no item to try it on"
	}
	if item := longest(probeItems, s.Path); item != "" {
		path = item + path[strings.Index(path, "]")+1:]
	}
	refused := ""
	values := probeValue(s)
	for _, v := range values[:min(most, len(values))] {
		o, err := tree.Apply(settings.Env{}, []settings.Change{{Path: path, Value: json.RawMessage(v)}})
		if err != nil {
			refused = err.Error()
			continue
		}
		if got, ok := p.pages(o.Tree); ok && got != base {
			return ""
		}
	}
	if refused != "" {
		return refused
	}
	return "with " + path + " = " + strings.Join(values, ", ")
}

func probeValue(s *settings.Setting) []string {
	if v := longest(probeValues, s.Path); v != "" {
		return strings.Split(v, " | ")
	}
	quote := func(words ...string) (out []string) {
		for _, w := range words {
			b, _ := json.Marshal(w)
			out = append(out, string(b))
		}
		return
	}
	switch s.Type {
	case settings.Length:
		return append(quote("13pt", "0.9cm", "3em", "0pt", "1pt"), quote(s.Enum...)...)
	case settings.Number, settings.Integer:
		var out []string
		for _, v := range []float64{0, 1, 2, 3, 5, 0.5, 0.9, 1.1, 20, 60, 300, 9999} {
			if s.Bounds.Contains(v) {
				out = append(out, fmt.Sprint(v))
			}
		}
		return out
	case settings.Weight:
		return []string{"800", "500", "400"}
	case settings.Bool, settings.AutoBool:
		return []string{"true", "false"}
	case settings.Enum, settings.Parity:
		return quote(s.Enum...)
	case settings.Format:
		return quote("upper-roman", "lower-alpha")
	case settings.Color:
		return quote("#c01020")
	case settings.Family:
		return quote("JetBrains Mono", "Open Sans")
	case settings.Mixed:
		return append(quote(s.Enum...), "3", "0.5", `"20pt"`)
	case settings.List:
		return []string{`["¤","¥"]`, `[]`}
	case settings.Free:
		return []string{`{"main-color":"#c01020"}`}
	}
	return quote("X", "{1}", "%", "es")
}

func keyField(path string) bool {
	name := path[strings.LastIndexByte(path, '.')+1:]
	return name == "id" || name == "level" || name == "name"
}

// longest returns the value of the longest key that a pattern is or stands under.
func longest(m map[string]string, pattern string) string {
	keys := make([]string, 0, len(m))
	for k := range m {
		if pattern == k || strings.HasPrefix(pattern, k) && (pattern[len(k)] == '.' || pattern[len(k)] == '[') {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return ""
	}
	return m[slices.MaxFunc(keys, func(a, b string) int { return len(a) - len(b) })]
}
