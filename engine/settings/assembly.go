package settings

import "strings"

// assembly lists every table at its place, in the order of settings.md 3.
func assembly() []part {
	var parts []part
	at := func(prefix string, rows []row, from ...string) {
		p := part{prefix: prefix, rows: rows}
		if len(from) > 0 {
			p.from = from[0]
		}
		parts = append(parts, p)
	}
	at("", pageRows)
	at("layout", layoutRows)
	at("", headerRows)
	at("header.elements[]", elementRows)
	at("", footerRows)
	at("footer.elements[]", elementRows)
	at("bodyText", bodyRows)
	at("bodyText.tabStops[]", tabRows)
	at("", languageRows)
	at("headings", headingRows)
	at("headings.levels[]", levelRows)
	at("headings.levels[].advancedDesign.slot", designRows)
	at("headings.levels[].advancedDesign.slot.elements[]", openerElements())
	at("headings.levels[].dropCap", dropCapRows)
	at("headingStyles", headingStyleRows)
	at("headingStyles[]", levelRows[1:], "!the heading's level")
	at("headingStyles[].advancedDesign.slot", designRows)
	at("headingStyles[].advancedDesign.slot.elements[]", openerElements())
	at("headingStyles[].dropCap", dropCapRows)
	at("headingStyles[].header", sectionSlotRows)
	at("headingStyles[].header.elements[]", elementRows)
	at("headingStyles[].footer", sectionSlotRows)
	at("headingStyles[].footer.elements[]", elementRows)
	at("headingStyles[].margins", marginRows, "=page.margins")
	at("headingStyles[].layout", layoutRows, "=layout")
	at("unorderedLists", bulletRows)
	at("orderedLists", numberRows)
	at("codeStyle", codeRows)
	at("codeStyle.titleStyle", codeTitleRows)
	at("codeStyle", []row{{"label", Object, "", "", "", "Label tab", "When present, a listing's title stands in a tab.", 2}})
	at("codeStyle.label", boxLabelRows)
	at("codeStyle.tokens", tokenRows())
	at("math", mathRows)
	at("paragraphStyles", paragraphStyleRows)
	at("paragraphStyles[].tabStops[]", tabRows)
	at("paragraphStyles[].dropCap", dropCapRows)
	at("chipStyles", chipRows)
	at("calloutStyles", boxRows)
	at("calloutStyles[].label", boxLabelRows)
	at("calloutStyles[].titleStyle", boxTitleRows)
	at("calloutStyles[].body.tabStops[]", tabRows)
	at("parts", partRows)
	at("parts.margins", marginRows, "=page.margins")
	at("parts.design", designRows)
	at("parts.design.elements[]", openerElements())
	at("parts.versoDesign", designRows)
	at("parts.versoDesign.elements[]", openerElements())
	at("parts.bodyStyle", sectionTextRows)
	at("parts.bodyStyle.unorderedLists", bulletRows, "=unorderedLists")
	at("parts.bodyStyle.orderedLists", numberRows, "=orderedLists")
	at("headingStyles[].bodyStyle", sectionTextRows)
	at("headingStyles[].bodyStyle.unorderedLists", bulletRows, "=unorderedLists")
	at("headingStyles[].bodyStyle.orderedLists", numberRows, "=orderedLists")
	at("toc", tocRows)
	at("toc.parts.design", designRows)
	at("toc.parts.design.elements[]", elementRows)
	at("index", indexRows)
	at("footnotes", footnoteRows)
	at("lineNumbers", lineNumberRows)
	at("crossRefs", crossRefRows)
	at("citations", citationRows)
	at("resourceTypes", resourceTypeRows)
	at("resourceTypes[].defaultPlacement", placementRows)
	at("resourceTypes[].captionStyle", captionRows, "=captionStyle")
	at("captionStyle", captionRows)
	at("tableStyle", tableRows)
	at("tableStyles", tableStyleRows)
	at("tableStyles[]", tableRows, "=tableStyle")
	at("diagramStyle", diagramRows)
	at("videoStyle", videoRows)
	at("colorPalette", paletteRows)
	at("customFonts", fontRows)
	at("htmlViewer", htmlRows)
	at("pdfGeneration", pdfRows)
	at("print", printRows)
	at("folio", folioRows)
	at("debug", debugRows)
	at("cjk", cjkRows)
	at("comics", comicRows)
	at("comics.frame.margins", later(marginRows), "=page.margins")
	at("comics.panel", panelRows)
	at("comics.panelStyles[]", panelRows, "=comics.panel")
	at("comics.balloonStyles[]", balloonRows)
	return parts
}

// openerElements are the element fields of heading and part designs, whose
// texts wrap.
func openerElements() []row {
	rows := append([]row(nil), elementRows...)
	for i := range rows {
		if rows[i].path == "overflow" {
			rows[i].def = "wrap"
		}
	}
	return rows
}

// later are rows of the last priority, where what they belong to has it.
func later(rows []row) []row {
	rows = append([]row(nil), rows...)
	for i := range rows {
		rows[i].p = 3
	}
	return rows
}

// implemented are the patterns the engine uses; everything under them counts.
var implemented = []string{
	"videoStyle.playMark", "videoStyle.qr",
	"page.sizePreset", "page.width", "page.height", "page.margins", "page.backgroundColor", "page.dpi", "page.cutLines",
	"page.binding", "page.pageNumbering", "page.baselineGrid",
	"layout.layoutType", "layout.columnCount", "layout.gutterWidth", "layout.sideColumnPercent",
	"layout.sideColumnRole", "layout.sideColumnSide", "layout.columnRule",
	"header.elements", "footer.elements",
	"bodyText", "locale", "direction", "headings", "unorderedLists", "orderedLists",
	"codeStyle",
	"headingStyles", "math",
	"calloutStyles", "layout.boxChildSplitMinLines", "layout.flowColumns",
	"paragraphStyles", "chipStyles", "footnotes",
	"layout.bitmapResolution", "layout.floatShrink", "layout.floatsAtCitingPage", "layout.maxTopFraction", "layout.wrap", "layout.fitFiguresToPage", "layout.floatsUnderOpener", "layout.hugClosingFloats", "layout.inlineResourceGap",
	"layout.inlineResourceGapInBoxes", "resourceTypes", "captionStyle", "tableStyle", "tableStyles",
	"colorPalette", "customFonts", "debug",
	"parts",
	"citations", "index", "lineNumbers", "crossRefs", "toc", "diagramStyle.singleInk", "diagramStyle.inkColor",
}

// notYet are the exceptions among them.
var notYet = []string{
	"bodyText.emphasis", "bodyText.tashkil", "bodyText.kashida",
	"bodyText.kashidaPatterns", "bodyText.kashidaPerWord", "bodyText.kashidaMaxLength", "bodyText.verse.layout",
	"headings.levels[].lineSpan",
	"headings.levels[].jidori",
	"headings.balancing.gridLines",
	"headingStyles[].lineSpan", "headingStyles[].jidori",
	"headingStyles[].layout.writingMode",
	"paragraphStyles[].wordBreak",
	"footnotes.markerSize", "headings.levels[].dropCap.each", "headingStyles[].dropCap.each",
}

// Design slots are drawn by the same code wherever they stand: running heads,
// heading designs, parts.
var (
	slotLists = []string{"header.elements[]", "footer.elements[]", "headings.levels[].advancedDesign.slot.elements[]",
		"headingStyles[].advancedDesign.slot.elements[]", "headingStyles[].header.elements[]", "headingStyles[].footer.elements[]",
		"parts.design.elements[]", "parts.versoDesign.elements[]", "toc.parts.design.elements[]"}
	slotNotYet = []string{".writingMode"}
)

// slotLacks reports whether a pattern is a field of an element that nothing is
// drawn from yet. Only the designs of headings reserve room.
func slotLacks(pattern string) bool {
	for _, l := range slotLists {
		if field, ok := strings.CutPrefix(pattern, l); ok {
			return under(field, slotNotYet) || field == ".reserve" && !strings.Contains(l, "advancedDesign")
		}
	}
	return false
}

// effectOf is the one place that says what the engine uses.
func effectOf(pattern string) Effect {
	if under(pattern, implemented) && !under(pattern, notYet) && !slotLacks(pattern) {
		return Implemented
	}
	return Stored
}

func under(pattern string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(pattern, p) && (len(pattern) == len(p) || pattern[len(p)] == '.' || pattern[len(p)] == '[') {
			return true
		}
	}
	return false
}
