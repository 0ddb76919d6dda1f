package settings

import (
	"encoding/json"
	"slices"
	"testing"

	"postext/engine/unit"
)

func resolve(t testing.TB, config string) *Design {
	t.Helper()
	d, err := Resolve(mustParse(t, config), Env{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func pt(v float64) unit.Sp { return unit.FromPt(v) }

func mm(v float64) unit.Sp { return unit.FromPt(v * 72 / 25.4) }

func TestAnUntouchedBook(t *testing.T) {
	d := resolve(t, `{}`)
	main := unit.Color{R: 0x29, G: 0x5A, B: 0xA3, A: 255}
	if d.Page.Width != mm(170) || d.Page.Height != mm(240) || d.Page.Top != mm(20) || d.Page.Left != mm(15) {
		t.Errorf("page %+v", d.Page)
	}
	if d.Layout.Columns != 2 || d.Layout.Gutter != mm(7.5) {
		t.Errorf("layout %+v", d.Layout)
	}
	if d.Body.Size != pt(8) || d.Body.Leading != pt(12) || d.Body.Indent != pt(12) || d.Body.MaxSpace != 2000 || d.Body.MinSpace != 600 || d.Body.BoldColor != main {
		t.Errorf("body %+v", d.Body)
	}
	sizes := []float64{18, 15, 12, 10, 9, 8}
	for i, l := range d.Headings.Levels {
		if l.Text.Size != pt(sizes[i]) || l.Text.Leading != unit.FromPt(float64(1.2*sizes[i])) || l.MarginTop != pt(1.5*sizes[i]) || l.BreakBefore != (i == 0) || l.Text.Color != main || l.Text.Family != "Open Sans" || !l.Snap {
			t.Errorf("level %d %+v", i+1, l)
		}
	}
	if d.Headings.Levels[0].Parity != "always-odd" || d.Headings.Levels[1].Parity != "any" {
		t.Error("parity of the levels")
	}
	if len(d.Header.Elements) != 3 || len(d.Footer.Elements) != 1 {
		t.Fatalf("%d header and %d footer elements", len(d.Header.Elements), len(d.Footer.Elements))
	}
	e := d.Header.Elements[0]
	if e.Content != "{title}" || e.Parity != "odd" || e.Edge != "bottom-right" || e.OffsetY != -pt(16) || e.Text.Weight != 600 || e.Text.Size != pt(8) || e.Text.Align != "right" || e.Overflow != "ellipsis-end" {
		t.Errorf("titleOdd %+v", e)
	}
	r := d.Header.Elements[2]
	if r.Kind != "rule" || r.Width.Mode != "fill" || r.Thickness != pt(1) || r.OffsetY != -pt(13) {
		t.Errorf("rule %+v", r)
	}
	if d.Numbers.Levels[0].Format != "decimal" || d.Numbers.Levels[0].Separator != "." || d.Bullets.Levels[4].Char != "•" || d.Bullets.Levels[1].IndentSet {
		t.Error("lists")
	}
	if !d.Reading.HeadingMarks || !d.Reading.HardBreaks || !d.Reading.CodeBlocks || d.Reading.IndentedCode || d.Code.Inline {
		t.Errorf("reading %+v", d.Reading)
	}
	if len(d.Warnings) != 0 {
		t.Errorf("warnings %+v", d.Warnings)
	}
}

func TestHeadingFamilyAloneKeepsTheBreakToARecto(t *testing.T) {
	// settings.md 40.2
	d := resolve(t, `{"headings":{"fontFamily":"Lora","levels":[{"level":1,"breakBefore":{"parity":"odd"}},{"level":2,"fontFamily":"Inter","marginTop":{"value":1,"unit":"em"}}]}}`)
	l := d.Headings.Levels
	if !l[0].BreakBefore || l[0].Parity != "odd" || l[0].Text.Family != "Lora" {
		t.Errorf("level 1 %+v", l[0])
	}
	if l[1].Text.Family != "Inter" || l[1].MarginTop != pt(15) || l[2].Text.Family != "Lora" {
		t.Errorf("level 2 %+v", l[1])
	}
}

func TestExplicitSizeWinsOverThePreset(t *testing.T) {
	d := resolve(t, `{"page":{"sizePreset":"12x19","height":{"value":200,"unit":"mm"}}}`)
	if d.Page.Width != mm(120) || d.Page.Height != mm(200) {
		t.Errorf("%v × %v", d.Page.Width.MM(), d.Page.Height.MM())
	}
}

func TestPixelsCountByTheResolution(t *testing.T) {
	px := `{"page":{"dpi":%,"margins":{"top":{"value":300,"unit":"px"}}}}`
	for dpi, want := range map[string]unit.Sp{"300": unit.Inch, "150": 2 * unit.Inch} {
		d := resolve(t, px[:15]+dpi+px[16:])
		if d.Page.Top != want {
			t.Errorf("300px at %s ppi: %v pt", dpi, d.Page.Top.Pt())
		}
		if d.Page.Bottom != mm(20) || d.Body.Size != pt(8) {
			t.Error("the resolution moves nothing set in absolute units")
		}
	}
}

func TestPaletteLinksAreFollowedInDefaultsToo(t *testing.T) {
	d := resolve(t, `{"colorPalette":[{"id":"main-color","value":{"hex":"#ff0000","model":"hex"}},{"id":"ink","value":{"hex":"#101010","model":"hex"}}],
	"bodyText":{"color":{"hex":"#000","model":"hex","paletteId":"ink"},"italicColor":{"hex":"#00ff00","model":"hex","paletteId":"gone"}}}`)
	red := unit.Color{R: 255, A: 255}
	if d.Body.BoldColor != red || d.Headings.Levels[3].Text.Color != red || d.Header.Elements[0].Text.Color != red {
		t.Error("defaults link to the main colour")
	}
	if d.Body.Color != (unit.Color{R: 16, G: 16, B: 16, A: 255}) || d.Body.ItalicColor != (unit.Color{G: 255, A: 255}) {
		t.Errorf("%v %v", d.Body.Color, d.Body.ItalicColor)
	}
}

func TestClampsAreTold(t *testing.T) {
	for _, c := range []struct{ config, kind, used string }{
		{`{"layout":{"layoutType":"multiple","columnCount":2.4}}`, "columnCountClamped", "3"},
		{`{"layout":{"layoutType":"multiple","columnCount":99}}`, "columnCountClamped", "8"},
		{`{"layout":{"layoutType":"oneAndHalf","sideColumnPercent":200}}`, "sideColumnPercentClamped", "93.642"},
		{`{"bodyText":{"fontFamily":"'Libre Baskerville', Georgia, serif"}}`, "fontFamilyStack", "Libre Baskerville"},
		{`{"page":{"pageNumbering":{"format":"klingon"}}}`, "unknownNumberFormat", "decimal"},
		{`{"bodyText":{"textAlign":"justified"}}`, "unknownConfigValue", "justify"},
		{`{"headings":{"levels":[{"level":2,"fontsize":{"value":9,"unit":"pt"}}]}}`, "unknownConfigKey", ""},
		{`{"numerals":"roman"}`, "unknownNumerals", "auto"},
	} {
		d := resolve(t, c.config)
		if !slices.ContainsFunc(d.Warnings, func(w Warning) bool { return w.Kind == c.kind && w.Used == c.used }) {
			t.Errorf("%s: %+v", c.config, d.Warnings)
		}
	}
	w := Validate(mustParse(t, `{"headings":{"levels":[{"level":2,"fontsize":1}]},"bodytext":{}}`))
	if len(w) != 2 || w[0].Suggestion != "bodyText" || w[1].Path != "headings.levels[level=2].fontsize" || w[1].Suggestion != "fontSize" {
		t.Errorf("%+v", w)
	}
}

func TestLanguageCascade(t *testing.T) {
	for _, c := range []struct {
		config, book   string
		locale, hyphen string
		on             bool
	}{
		{`{}`, "", "en-us", "en-us", true},
		{`{}`, "de", "de", "de", true},
		{`{"locale":"es"}`, "de", "es", "es", true},
		{`{"bodyText":{"hyphenation":{"locale":"fr"}}}`, "de", "fr", "fr", true},
		{`{"locale":"es","bodyText":{"hyphenation":{"locale":"ca"}}}`, "", "es", "ca", true},
		{`{"locale":"ja"}`, "", "ja", "ja", false},
		{`{"locale":"zh","bodyText":{"hyphenation":{"locale":"en-us"}}}`, "", "zh", "en-us", true},
	} {
		d, err := Resolve(mustParse(t, c.config), Env{Language: c.book})
		if err != nil || d.Locale != c.locale || d.Body.HyphenLang != c.hyphen || d.Body.Hyphenate != c.on {
			t.Errorf("%s %q: %s %s %v", c.config, c.book, d.Locale, d.Body.HyphenLang, d.Body.Hyphenate)
		}
	}
	if resolve(t, `{"locale":"ar"}`).Quote.Italic || !resolve(t, `{"locale":"ar"}`).Page.RightBound {
		t.Error("Arabic: upright quotations, bound on the right")
	}
}

func TestListCascades(t *testing.T) {
	d := resolve(t, `{"bodyText":{"fontFamily":"Lora"},"orderedLists":{"fontWeight":600,"separatorItalic":true,"levels":[{"level":2,"fontWeight":300,"numberFormat":"upper-roman","indent":{"value":2,"unit":"em"}}]},
	"unorderedLists":{"bulletChar":"–","levels":[{"level":3,"bulletChar":"*"}]}}`)
	n := d.Numbers.Levels
	if d.Numbers.Family != "Lora" || n[0].SepWeight != 600 || n[1].SepWeight != 300 || !n[1].SepItalic || n[1].Italic || n[1].Format != "upper-roman" || n[1].Indent != pt(16) || !n[1].IndentSet || n[2].IndentSet {
		t.Errorf("%+v", n[1])
	}
	if b := d.Bullets.Levels; b[0].Char != "–" || b[2].Char != "*" || b[3].Char != "–" {
		t.Errorf("%+v", b)
	}
}

func TestReferenceColourFollowsTheBoldColourWhenSet(t *testing.T) {
	if d := resolve(t, `{"bodyText":{"boldColor":{"hex":"#00ff00","model":"hex"}}}`); d.Body.RefColor != d.Body.BoldColor {
		t.Errorf("%v", d.Body.RefColor)
	}
	if d := resolve(t, `{}`); d.Body.RefColor != (unit.Color{R: 0x29, G: 0x5A, B: 0xA3, A: 255}) {
		t.Errorf("%v", d.Body.RefColor)
	}
}

func TestHeadingStylesLieOverTheirLevel(t *testing.T) {
	d := resolve(t, `{"headingStyles":[{"id":"pref","numbered":false,"fontSize":{"value":30,"unit":"pt"},"breakBefore":{"parity":"any"}}]}`)
	if len(d.Headings.Styles) != 1 {
		t.Fatal("no style")
	}
	l := d.Headings.Styles[0].Levels
	if d.Headings.Styles[0].ID != "pref" || l[0].Text.Size != pt(30) || l[0].MarginTop != pt(45) || !l[0].BreakBefore || l[0].Parity != "any" || l[0].Numbered || !l[0].TOC || !l[0].RunningChapter || l[1].BreakBefore {
		t.Errorf("%+v", l[0])
	}
}

func TestKeysTellLayoutFromInk(t *testing.T) {
	base := resolve(t, `{}`)
	again := resolve(t, `{}`)
	if base.Key != again.Key || base.InkKey != again.InkKey {
		t.Fatal("equal designs have equal keys")
	}
	for _, c := range []struct {
		config string
		layout bool
	}{
		{`{"bodyText":{"color":{"hex":"#ff0000","model":"hex"}}}`, false},
		{`{"headings":{"color":{"hex":"#ff0000","model":"hex"}}}`, false},
		{`{"header":{"elements":[]}}`, false},
		{`{"layout":{"columnRule":{"enabled":true}}}`, false},
		{`{"page":{"baselineGrid":{"enabled":true}}}`, false},
		{`{"page":{"backgroundColor":{"hex":"#ff0000","model":"hex"}}}`, false},
		{`{"debug":{"looseLineHighlight":{"enabled":true}}}`, false},
		{`{"bodyText":{"fontSize":{"value":9,"unit":"pt"}}}`, true},
		{`{"bodyText":{"avoidOrphans":false}}`, true},
		{`{"headings":{"levels":[{"level":5,"italic":true}]}}`, true},
		{`{"page":{"margins":{"mirror":true}}}`, true},
		{`{"orderedLists":{"levels":[{"level":5,"prefix":"x"}]}}`, true},
	} {
		d := resolve(t, c.config)
		if (d.Key != base.Key) != c.layout || d.InkKey == base.InkKey {
			t.Errorf("%s: layout key differs %v, ink key differs %v", c.config, d.Key != base.Key, d.InkKey != base.InkKey)
		}
	}
}

func TestOldShapesAreRead(t *testing.T) {
	tree := mustParse(t, `{"page":{"cutLines":true},"header":{"elements":[{"kind":"text","id":"a","content":"x","align":"right","marginFromEdge":{"value":2,"unit":"mm"}},{"kind":"rule","id":"r","width":"full"}]}}`)
	if got, _ := tree.Get("page.cutLines.enabled"); string(got) != "true" {
		t.Errorf("%s", tree.Marshal())
	}
	d, err := Resolve(tree, Env{})
	if err != nil {
		t.Fatal(err)
	}
	e := d.Header.Elements
	if e[0].Edge != "bottom-right" || e[0].OffsetX != -mm(2) || e[0].OffsetY != -pt(6) || e[1].Width.Mode != "fill" || e[1].Edge != "bottom" {
		t.Errorf("%+v", e)
	}
}

func TestCanonicalForm(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"bodyText":{"textAlign":"justify","fontSize":{"unit":"pt","value":8.0}},"page":{"margins":{}}}`, `{}`},
		{`{"bodyText":{"lineHeight":{"value":12,"unit":"pt"}}}`, `{"bodyText":{"lineHeight":{"value":12,"unit":"pt"}}}`},
		{`{"headings":{"levels":[{"level":1,"fontSize":{"value":18,"unit":"pt"},"fontFamily":"Open Sans"},{"level":2}]}}`, `{"headings":{"levels":[{"level":1,"fontFamily":"Open Sans"}]}}`},
		{`{"calloutStyles":[{"id":"note","name":"Note"}],"chipStyles":[{"id":"chip"}]}`, `{}`},
		{`{"header":` + `{"elements":` + builtInHeader + `}}`, `{}`},
		{`{"footer":{"elements":[]}}`, `{"footer":{"elements":[]}}`},
		{`{"zzz":{},"future":null,"page":{"odd":[1.50,1e-7]}}`, `{"future":null,"page":{"odd":[1.5,1e-7]},"zzz":{}}`},
		{`{"tableStyles":[{"rules":"grid","id":"a"}]}`, `{"tableStyles":[{"id":"a","rules":"grid"}]}`},
		{`{"codeStyle":{"inline":{}}}`, `{"codeStyle":{"inline":{"bold":false}}}`},
		{`{"toc":{"levels":[{"level":1},{"level":2}]}}`, `{"toc":{"levels":[{"level":1},{"level":2}]}}`},
	} {
		if got := string(mustParse(t, c.in).Marshal()); got != c.want {
			t.Errorf("%s\nis stored %s\nwant      %s", c.in, got, c.want)
		}
	}
}

func TestJSONSchemaIsJSON(t *testing.T) {
	var v struct {
		Properties struct {
			Config struct{ Properties map[string]any }
		}
	}
	data := JSONSchema()
	if err := json.Unmarshal(data, &v); err != nil || len(v.Properties.Config.Properties) != len(schema().roots) {
		t.Errorf("%v, %d keys", err, len(v.Properties.Config.Properties))
	}
	t.Logf("%d bytes", len(data))
}

func BenchmarkResolve(b *testing.B) {
	for b.Loop() {
		if _, err := resolveTree(nil, Env{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSchema(b *testing.B) {
	for b.Loop() {
		buildSchema()
	}
}
