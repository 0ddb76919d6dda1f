package settings

import (
	"slices"
	"strings"
	"testing"
)

// Sixty queries as agents and designers type them, in English and in the
// languages of the interface, each with the setting it should give among the
// first three. At least 57 must.
var queries = []struct{ query, want string }{
	// What a designer says.
	{"margin", "page.margins.top"},
	{"outer margin", "page.margins.right"},
	{"inside margin", "page.margins.left"},
	{"make the text bigger", "bodyText.fontSize"},
	{"line height", "bodyText.lineHeight"},
	{"space between lines", "bodyText.lineHeight"},
	{"two columns", "layout.layoutType"},
	{"space between columns", "layout.gutterWidth"},
	{"justified text", "bodyText.textAlign"},
	{"turn off hyphenation", "bodyText.hyphenation.enabled"},
	{"paragraph indent", "bodyText.firstLineIndent"},
	{"space between paragraphs", "bodyText.paragraphSpacing"},
	{"heading font", "headings.fontFamily"},
	{"heading colour", "headings.color"},
	{"space above headings", "headings.marginTop"},
	{"chapter opens on a right-hand page", "headings.levels[level=1].breakBefore.parity"},
	{"page numbers roman", "page.pageNumbering.format"},
	{"start page numbering at", "page.pageNumbering.startAt"},
	{"footer text", "footer.elements[id=pageNumber].content"},
	{"crop marks", "page.cutLines.enabled"},
	{"drop cap lines", "paragraphStyles[id=…].dropCap.lines"},
	{"footnotes at end of chapter", "footnotes.placement"},
	{"table borders", "tableStyle.borders"},
	{"zebra rows", "tableStyle.bodyAlternateBackgroundEnabled"},
	{"box background", "calloutStyles[id=note].background"},
	{"caption above the figure", "captionStyle.position"},
	{"small caps", "paragraphStyles[id=…].smallCaps"},
	{"code font", "codeStyle.fontFamily"},
	{"line numbers in code", "codeStyle.lineNumbers"},
	{"equation numbers", "math.equationNumbering.enabled"},
	{"citation style", "citations.style"},
	{"index see also", "index.see.alsoLabel"},
	{"table of contents dots", "toc.leader.enabled"},
	{"cmyk", "pdfGeneration.colorSpace"},
	{"pdf/x", "print.standard"},
	{"paper colour", "page.backgroundColor"},
	// Options, parts of paths, slips.
	{"always-odd", "headings.levels[level=1].breakBefore.parity"},
	{"oneAndHalf", "layout.layoutType"},
	{"minWordSpacing", "bodyText.minWordSpacing"},
	{"levels.fontSize", "headings.levels[level=1].fontSize"},
	{"justifcation", "bodyText.textAlign"},
	{"footnoet size", "footnotes.fontSize"},
	// Spanish, Catalan, Portuguese.
	{"márgenes", "page.margins.top"},
	{"tamaño del texto", "bodyText.fontSize"},
	{"sangría de primera línea", "bodyText.firstLineIndent"},
	{"color de los títulos", "headings.color"},
	{"notas al pie", "footnotes.placement"},
	{"interlineat", "bodyText.lineHeight"},
	{"margem superior", "page.margins.top"},
	// French, German, Italian.
	{"marge du haut", "page.margins.top"},
	{"couleur du texte", "bodyText.color"},
	{"police des titres", "headings.fontFamily"},
	{"Schriftgröße", "bodyText.fontSize"},
	{"Seitenränder", "page.margins.top"},
	{"Silbentrennung", "bodyText.hyphenation.enabled"},
	{"interlinea", "bodyText.lineHeight"},
	{"distanza tra le colonne", "layout.gutterWidth"},
	// Chinese, Japanese, Arabic.
	{"行距", "bodyText.lineHeight"},
	{"本文サイズ", "bodyText.fontSize"},
	{"لون النص", "bodyText.color"},
}

func TestSixtyQueries(t *testing.T) {
	if len(queries) < 60 {
		t.Fatalf("%d queries", len(queries))
	}
	held := 0
	for _, c := range queries {
		f := Find(Empty, Env{}, c.query, 0)
		var got []string
		for _, p := range f.Paths[:min(3, len(f.Paths))] {
			got = append(got, p.Path)
		}
		if slices.Contains(got, c.want) {
			held++
			continue
		}
		t.Logf("%q finds %s; want %s", c.query, strings.Join(got, ", "), c.want)
	}
	t.Logf("%d of %d", held, len(queries))
	if held < 57 {
		t.Error("fewer than 57 hold")
	}
}
