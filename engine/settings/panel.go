package settings

// Section is one page section of the Design panel (settings.md 39).
type Section struct {
	ID    string
	Label string
	// Group is the group's label, GroupID its id.
	Group, GroupID string
	// Keys are the configuration keys it shows.
	Keys []string
	// About is the search text beside the label: names people look for.
	About string

	paths []string // longest prefix decides; usually Keys
}

// Group is a group of sections of the Design panel.
type Group struct{ ID, Label string }

// Groups returns the panel's groups in order.
func Groups() []Group {
	return []Group{
		{"page", "Page & columns"}, {"writing", "Writing system"}, {"colors", "Colours"},
		{"text", "Typography"}, {"headings", "Headings & contents"}, {"lists", "Lists"},
		{"figures", "Figures & tables"}, {"callouts", "Boxes"}, {"comics", "Comics"},
		{"running", "Headers & footers"}, {"parts", "Parts"}, {"output", "Export"},
		{"folio", "Folio"}, {"advanced", "Advanced"},
	}
}

// Sections returns the panel's sections in order.
func Sections() []*Section { return schema().sections }

func sectionTable() []*Section {
	labels := make(map[string]string)
	for _, g := range Groups() {
		labels[g.ID] = g.Label
	}
	rows := []struct {
		group, id, label string
		keys             []string
		about            string
	}{
		{"page", "page", "Page", []string{"page"}, "size margins paper numbering trim"},
		{"page", "layout", "Columns", []string{"layout"}, "layout gutter side column figures boxes"},
		{"page", "wrap", "Text wrap", []string{"layout.wrap"}, "runaround text beside figures"},
		{"writing", "writing", "Language and direction", []string{"locale", "direction", "numerals", "layout.writingMode", "page.binding"}, "digits vertical right-to-left"},
		{"writing", "cjk", "East Asian typography", []string{"cjk"}, "Chinese Japanese ruby warichu grid"},
		{"colors", "color-palette", "Palette", []string{"colorPalette"}, "main colour swatches"},
		{"text", "bodyText", "Body text", []string{"bodyText"}, "typeface paragraphs colour widows orphans short lines blockquotes verse cross-references"},
		{"text", "paragraphStyles", "Paragraph styles", []string{"paragraphStyles", "bodyText.paragraphContainerSpacing"}, "named styles drop cap"},
		{"text", "chipStyles", "Inline labels", []string{"chipStyles"}, "chips badges keys"},
		{"text", "math", "Formulas", []string{"math"}, "maths equations tex"},
		{"text", "codeStyle", "Code listings", []string{"codeStyle"}, "source program monospace"},
		{"text", "footnotes", "Footnotes", []string{"footnotes"}, "notes endnotes"},
		{"text", "lineNumbers", "Line numbers", []string{"lineNumbers"}, "verse numbering"},
		{"headings", "headings", "Headings", []string{"headings"}, "h1 h2 h3 h4 h5 h6 titles column balancing general"},
		{"headings", "headingStyles", "Heading styles", []string{"headingStyles"}, "preface appendix unnumbered"},
		{"headings", "toc", "Contents", []string{"toc"}, "table of contents leaders"},
		{"headings", "crossRefs", "Cross-references", []string{"crossRefs"}, "references to chapters sections pages"},
		{"headings", "citations", "Citations", []string{"citations"}, "bibliography csl apa"},
		{"headings", "index", "Index", []string{"index"}, "entries locators"},
		{"lists", "unordered-lists", "Bulleted lists", []string{"unorderedLists"}, "bullets levels tasks"},
		{"lists", "ordered-lists", "Numbered lists", []string{"orderedLists"}, "numbers levels"},
		{"figures", "resource-types", "Numbering & placement", []string{"resourceTypes"}, "figures tables videos caption prefix"},
		{"figures", "captionStyle", "Captions", []string{"captionStyle"}, "note source legend"},
		{"figures", "tableStyle", "Tables", []string{"tableStyle"}, "header cells body cells rules"},
		{"figures", "tableStyles", "Table styles", []string{"tableStyles"}, "named table styles"},
		{"figures", "diagramStyle", "Diagrams", []string{"diagramStyle"}, "svg single ink"},
		{"figures", "videoStyle", "Videos", []string{"videoStyle"}, "play mark qr code player"},
		{"callouts", "calloutStyles", "Box styles", []string{"calloutStyles"}, "callouts admonitions notes label tab icon title body split"},
		{"comics", "comics", "Comics", []string{"comics"}, "panels balloons lettering cast"},
		{"running", "headerFooter", "Headers & footers", []string{"header", "footer"}, "running heads page number folio"},
		{"parts", "parts", "Parts", []string{"parts"}, "divider pages"},
		{"output", "pdfGeneration", "PDF", []string{"pdfGeneration"}, "bookmarks accessible tagged"},
		{"output", "print", "Print preparation", []string{"print", "page.cutLines"}, "bleed crop marks pdf/x preflight black"},
		{"output", "htmlViewer", "Web reader (HTML)", []string{"htmlViewer"}, "screen reading"},
		{"folio", "folio", "Folio viewer (3D)", []string{"folio"}, "paper binding surface lighting"},
		{"advanced", "debug", "On-screen aids", []string{"debug", "page.baselineGrid"}, "guides caret selection loose lines"},
		{"advanced", "warnings", "Warnings", []string{"debug.warnings"}, "checks"},
	}
	out := make([]*Section, 0, len(rows))
	for _, r := range rows {
		out = append(out, &Section{ID: r.id, Label: r.label, GroupID: r.group, Group: labels[r.group], Keys: r.keys, About: r.about, paths: r.keys})
	}
	return out
}
