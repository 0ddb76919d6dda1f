package settings

import (
	"strings"
	"testing"
)

// tools.md 1: an error says what to ask instead. A path that is none leads to the
// setting meant, among the first two named, and only to settings like it.
func TestUnknownPathsLeadToWhatWasMeant(t *testing.T) {
	for path, want := range map[string]string{
		"page.margins.inner":                      "page.margins.left",
		"page.margins.outer":                      "page.margins.right",
		"page.margin.top":                         "page.margins.top",
		"pageMargins.top":                         "page.margins.top",
		"page.marginTop":                          "page.margins.top",
		"page.size":                               "page.sizePreset",
		"page.orientation":                        "page.height",
		"page.bleed":                              "page.cutLines.bleed",
		"cropMarks":                               "page.cutLines.enabled",
		"body.fontSize":                           "bodyText.fontSize",
		"bodyText.size":                           "bodyText.fontSize",
		"bodyText.font":                           "bodyText.fontFamily",
		"bodyText.fontsize":                       "bodyText.fontSize",
		"bodyText.leading":                        "bodyText.lineHeight",
		"bodyText.align":                          "bodyText.textAlign",
		"typography.body.font":                    "bodyText.fontFamily",
		"fontSize":                                "bodyText.fontSize",
		"h1.fontSize":                             "headings.levels[level=1].fontSize",
		"headings.h2.fontSize":                    "headings.levels[level=2].fontSize",
		"headings.3.size":                         "headings.levels[level=3].fontSize",
		"headings.levels[level=2].marginAbove":    "headings.levels[level=2].marginTop",
		"layout.columns":                          "layout.columnCount",
		"layout.columnGap":                        "layout.gutterWidth",
		"layout.gap":                              "layout.gutterWidth",
		"colors.main":                             "colorPalette[id=main-color].value",
		"header.text":                             "header.elements[id=titleOdd].content",
		"header.elements.titleOdd.content":        "header.elements[id=titleOdd].content",
		"calloutStyles.note.background":           "calloutStyles[id=note].background",
		"callouts.note.title":                     "calloutStyles[id=note].title",
		"boxes.background":                        "calloutStyles[id=note].background",
		"quote.indent":                            "bodyText.blockquote.indent",
		"toc.depth":                               "toc.levels[level=1].level",
		"footnote.size":                           "footnotes.fontSize",
		"lists.bullet":                            "unorderedLists.bulletChar",
		"figure.caption.size":                     "captionStyle.fontSize",
		"paragraphs.firstIndent":                  "paragraphStyles[id=…].firstLineIndent",
		"pdf.bookmarks":                           "pdfGeneration.outlines",
		"bodyText.hyphenation.langauge":           "bodyText.hyphenation.locale",
		"unorderedLists.levels[level=1].bulletch": "unorderedLists.levels[level=1].bulletChar",
	} {
		_, named, _ := strings.Cut(unknownPath(path), "The nearest: ")
		list := strings.Split(strings.TrimSuffix(named, "."), ", ")
		if list[0] != want && (len(list) < 2 || list[1] != want) {
			t.Errorf("%s leads to %v, want %s", path, list, want)
		}
	}
	for path, want := range map[string]string{
		"":                         "single dots",
		"a..b":                     "single dots",
		"bodyText..fontSize":       "It may mean bodyText.fontSize.",
		".page":                    "It may mean page.",
		"bodyText.color.hex":       "set whole as bodyText.color.",
		"a":                        "sandbox_find_setting",
		"xyzzy":                    "sandbox_find_setting",
		"folio.hovercraft":         "What folio has: tilt",
		"crossRefs.zzz":            "What crossRefs has: chapter, section, page, defaultStyle.",
		"headings.balancing.zzzzz": "What headings.balancing has: enabled",
	} {
		if msg := unknownPath(path); !strings.Contains(msg, want) || strings.Contains(msg, "nearest") {
			t.Errorf("%q: %s", path, msg)
		}
	}
}
