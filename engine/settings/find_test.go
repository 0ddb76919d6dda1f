package settings

import (
	"slices"
	"strings"
	"testing"
)

func TestSeedExampleOfFindSetting(t *testing.T) {
	f := Find(Empty, Env{}, "orphans", 0)
	if len(f.Paths) < 2 || f.Paths[0].Path != "bodyText.avoidOrphans" || f.Paths[1].Path != "bodyText.avoidOrphansInLists" {
		t.Errorf("paths: %+v", f.Paths)
	}
	if string(f.Paths[0].Effective) != "true" {
		t.Errorf("effective %s", f.Paths[0].Effective)
	}
	if len(f.Sections) == 0 {
		t.Fatal("no sections")
	}
	s := f.Sections[0]
	if s.Section != "Body text" || s.Group != "Typography" || s.SettingsGroup != "text" || !slices.Equal(s.ConfigKeys, []string{"bodyText"}) {
		t.Errorf("section %+v", s)
	}
}

func TestFindUnderstands(t *testing.T) {
	for _, c := range []struct{ query, want string }{ // want among the first three
		{"orphan", "bodyText.avoidOrphans"},
		{"widows", "bodyText.avoidWidows"},
		{"leading", "bodyText.lineHeight"},
		{"line spacing", "bodyText.lineHeight"},
		{"interlinea", "bodyText.lineHeight"},
		{"interligne", "bodyText.lineHeight"},
		{"text size", "bodyText.fontSize"},
		{"font size", "bodyText.fontSize"},
		{"FONT SIZE", "bodyText.fontSize"},
		{"typeface", "bodyText.fontFamily"},
		{"bodyText.fontSize", "bodyText.fontSize"},
		{"fontsize", "bodyText.fontSize"},
		{"gutter", "layout.gutterWidth"},
		{"measure", "page.margins.left"},
		{"top margin", "page.margins.top"},
		{"marg", "page.margins.top"},
		{"paper size", "page.sizePreset"},
		{"a4", "page.sizePreset"},
		{"folio", "page.pageNumbering.format"},
		{"page number", "page.pageNumbering.format"},
		{"running head", "header.elements[id=titleOdd].content"},
		{"justify", "bodyText.textAlign"},
		{"ragged", "bodyText.textAlign"},
		{"hyphenation", "bodyText.hyphenation.enabled"},
		{"hyphenaton", "bodyText.hyphenation.enabled"},
		{"sillabazione", "bodyText.hyphenation.enabled"},
		{"first line indent", "bodyText.firstLineIndent"},
		{"blockquote colour", "bodyText.blockquote.color"},
		{"quotation", "bodyText.blockquote.color"},
		{"chapter new page", "headings.levels[level=1].breakBefore.enabled"},
		{"recto", "headings.levels[level=1].breakBefore.enabled"},
		{"h3 size", "headings.levels[level=3].fontSize"},
		{"h2 colour", "headings.levels[level=2].color"},
		{"numbering template", "headings.levels[level=1].numberingTemplate"},
		{"bullet", "unorderedLists.bulletChar"},
		{"number format", "orderedLists.numberFormat"},
		{"language", "locale"},
		{"idioma", "locale"},
		{"main colour", "colorPalette[id=main-color].value"},
		{"tracking", "bodyText.maxJustifyTracking"},
		{"word space", "bodyText.maxWordSpacing"},
		{"runts", "bodyText.avoidRunts"},
		{"bleed", "page.cutLines.bleed"},
		{"baseline grid", "page.baselineGrid.enabled"},
		{"columns", "layout.columnCount"},
		{"column rule", "layout.columnRule.enabled"},
		{"mirror", "page.margins.mirror"},
		{"loose lines", "debug.warnings.looseLines"},
		{"balancing", "headings.balancing.enabled"},
		{"bookmarks", "pdfGeneration.outlines"},
		{"caption position", "captionStyle.position"},
		{"widwos", "bodyText.avoidWidows"},
		{"código", "codeStyle.fontFamily"},
		{"booktabs", "tableStyle.rules"},
	} {
		f := Find(Empty, Env{}, c.query, 0)
		var got []string
		for _, p := range f.Paths[:min(3, len(f.Paths))] {
			got = append(got, p.Path)
		}
		if !slices.Contains(got, c.want) {
			t.Errorf("%q finds %s; want %s", c.query, strings.Join(got, ", "), c.want)
		}
	}
}

func TestFindKeepsToItsLimits(t *testing.T) {
	if f := Find(Empty, Env{}, "colour", 5); len(f.Paths) != 5 {
		t.Errorf("%d paths", len(f.Paths))
	}
	if f := Find(Empty, Env{}, "xyzzyqwv", 0); len(f.Paths) != 0 || f.Paths == nil || f.Sections == nil {
		t.Errorf("%+v", f)
	}
	if f := Find(Empty, Env{}, "", 0); len(f.Paths) != 0 {
		t.Errorf("%+v", f)
	}
	Find(Empty, Env{}, strings.Repeat("é ", 5000), 0)
}

func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		Find(Empty, Env{}, "line spacing", 20)
	}
}
