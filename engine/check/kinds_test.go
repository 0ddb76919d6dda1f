package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/unit"
)

// long is justified text whose long words leave loose lines.
var long = strings.Repeat("Incomprehensibilities characteristically interrupt straightforward paragraphs here. ", 12)

// lines is a paragraph of n short lines.
func lines(n int) string { return strings.TrimSuffix(strings.Repeat("line\\\n", n), "\\\n") }

func element(fields string) string {
	return `{"header":{"elements":[{"id":"e","kind":"text","content":"x",` + fields + `}]}}`
}

func opener(fields string) string {
	return `{"headings":{"levels":[{"level":1,` + fields + `}]}}`
}

func drawn(content string) string {
	return opener(`"advancedDesign":{"enabled":true,"slot":{"elements":[{"id":"t","kind":"text","content":"` + content + `"}]}}`)
}

// A fixture of a kind: what fires it, and what almost does.
type fixture struct {
	kind             string
	config, text     string // fires
	configNo, textNo string // does not; "=" as in what fires
	detail           string // what the detail begins with, "" for anything
	path             string // the setting it names, if any
	fields           string // of the payload, as JSON holds them
}

var fixtures = []fixture{
	{kind: "headingHierarchy", text: "# A\n\nx\n\n### B\n", textNo: "# A\n\nx\n\n## B\n\nx\n\n### C\n\nx\n\n# D\n", detail: "H1 → H3 — a level is skipped", fields: `from=1 to=3`},
	{kind: "consecutiveHeadings", config: `{"debug":{"warnings":{"consecutiveHeadings":true}}}`, configNo: "=", text: "# A\n\n## B\n", textNo: "# A\n\nx\n\n## B\n", detail: "no text between the two"},
	{kind: "listAfterHeading", config: `{"debug":{"warnings":{"listAfterHeading":true}}}`, configNo: "=", text: "# A\n\n- x\n", textNo: "# A\n\nThus:\n\n- x\n", detail: "no introduction before the list"},
	{kind: "unclosedMath", text: "a $x^2 b", textNo: "a $x^2$ b", detail: "$x^2 b", fields: `delimiter="$"`},
	{kind: "invalidMath", text: "a $\\frac{1$ b", textNo: "a $\\frac{1}{2}$ b"},
	{kind: "invalidFrontmatter", text: "---\na: [\n---\nx", textNo: "---\na: [1]\n---\nx"},
	{kind: "unknownDirective", text: ":::nonsense\n", textNo: ":::pagebreak\n", detail: ":::nonsense — set as text", fields: `name="nonsense"`},
	{kind: "unclosedContainer", text: ":::callout\nx\n", textNo: ":::callout\nx\n:::\n"},
	{kind: "unclosedCodeBlock", text: "```go\nx\n", textNo: "```go\nx\n```\n"},
	{kind: "malformedEmbed", text: "::resource{id=x}\n", textNo: "x ::y\n"},
	{kind: "fullwidthMarkup", text: "＃ 見出し\n", textNo: "＃1 見出し\n"},
	{kind: "attributeValueInvalid", text: ":::columns{count=99}\na\n\nb\n:::\n", textNo: ":::columns{count=6}\na\n\nb\n:::\n", detail: `count="99": set in 2 columns`, fields: `key="count" value="99"`},
	{kind: "attributeKeyInvalid", text: "# A {größe=\"1\"}\n", textNo: "# A {size=\"1\"}\n"},
	{kind: "unknownParagraphStyle", text: ":::paragraphs{style=\"none\"}\nx\n:::\n", textNo: ":::paragraphs\nx\n:::\n", fields: `style="none"`},
	{kind: "unknownCalloutType", config: `{"calloutStyles":[{"id":"tip"}]}`, configNo: "=", text: ":::callout{type=\"none\"}\nx\n:::\n", textNo: ":::callout{type=\"tip\"}\nx\n:::\n", fields: `type="none"`},
	{kind: "unknownChipStyle", config: `{"chipStyles":[{"id":"key"}]}`, configNo: "=", text: ":chip[x]{style=\"none\"}", textNo: ":chip[x]{style=\"key\"}", fields: `style="none"`},
	{kind: "unknownHeadingStyle", text: "# A {style=\"none\"}\n", textNo: "# A\n", fields: `style="none" level=1`},
	{kind: "duplicateAnchor", text: "# A {#a}\n\n# B {#a}\n", textNo: "# A {#a}\n\n# B {#b}\n", detail: "{#a}", fields: `anchorId="a"`},
	{kind: "unknownCitationKey", text: "[@none]\n\n:::references\n@book{a, title={T}}\n:::\n", textNo: "[@a]\n\n:::references\n@book{a, title={T}}\n:::\n", detail: "@none"},
	{kind: "undefinedFootnote", text: "x[^a]", textNo: "x[^a]\n\n[^a]: y", detail: "[^a]", fields: `id="a"`},
	{kind: "unusedFootnote", text: "x\n\n[^a]: y", textNo: "x[^a]\n\n[^a]: y", detail: "[^a]"},
	{kind: "numberingInvalidFormat", text: ":::numbering{format=\"tally\"}\n", textNo: ":::numbering{format=\"decimal\"}\n"},
	{kind: "numberingInvalidStartAt", text: ":::numbering{startAt=0}\n", textNo: ":::numbering{startAt=1}\n"},
	{kind: "pagebreakInvalidParity", text: ":::pagebreak{parity=\"left\"}\n", textNo: ":::pagebreak{parity=\"odd\"}\n"},
	{kind: "headingBreakInvalidParity", config: opener(`"breakBefore":{"parity":"left"}`), configNo: opener(`"breakBefore":{"parity":"odd"}`), text: "x", textNo: "=", detail: `H1 parity="left"`, fields: `level=1 value="left"`},
	{kind: "spaceInvalidLines", text: ":::space{lines=50}\n", textNo: ":::space{lines=5}\n"},
	{kind: "paperAttributeInvalid", text: ":::paper{type=glass}\nx\n:::\n", textNo: ":::paper{type=bible}\nx\n:::\n"},
	{kind: "columnsFlowUnknown", text: ":::columns{count=2 flow=\"zigzag\"}\nx\n:::\n", textNo: ":::columns{count=2 flow=\"snake\"}\nx\n:::\n"},
	{kind: "indexMarkInvalid", text: "x:index{main}", textNo: "x:index{term=y}"},
	{kind: "indexSeeUnknown", text: "b:index{term=b see=nowhere}\n\n:::index\n", textNo: "b:index{term=b see=c} c:index{term=c}\n\n:::index\n", fields: `target="nowhere"`},
	{kind: "indexRangeUnclosed", text: "b:index{term=b range=start}\n\n:::index\n", textNo: "b:index{term=b range=start} c:index{term=b range=end}\n\n:::index\n", fields: `term="b" missing="end"`},
	{kind: "referencesUnreadable", text: ":::references\n@book{a\n:::\n", textNo: ":::references\n@book{a, title={T}}\n:::\n"},
	{kind: "htmlIgnored", text: "<table>a</table>\n", textNo: "<b>a</b>\n"},

	{kind: "unknownResourceId", text: "::resource{id=\"none\"}\n", textNo: "x", fields: `resourceId="none" usage="embed"`},
	{kind: "missingImage", config: `{"header":{"elements":[{"id":"logo","kind":"image","resourceId":"none"}]}}`, configNo: `{"header":{"elements":[{"id":"logo","kind":"image","resourceId":"{attr.logo}"}]}}`, text: "x", textNo: "=", detail: "header · #none", path: "header.elements[id=logo].resourceId"},

	{kind: "fontFamilyStack", config: `{"bodyText":{"fontFamily":"Open Sans, serif"}}`, configNo: `{"bodyText":{"fontFamily":"EB Garamond"}}`, text: "x", textNo: "=", detail: `bodyText.fontFamily: "Open Sans, serif" — set in "Open Sans"`, fields: `used="Open Sans"`},
	{kind: "missingGlyph", text: "漢", textNo: "é", fields: `characters=["漢"]`},
	{kind: "missingFontFamily", config: `{"bodyText":{"fontFamily":"No Such"}}`, configNo: `{}`, text: "x", textNo: "=", detail: `"No Such" — no catalogue family and no uploaded one has this name`, fields: `family="No Such"`},
	{kind: "missingFont", config: `{"bodyText":{"fontFamily":"Far Away"}}`, configNo: `{"bodyText":{"fontFamily":"No Such"}}`, text: "x", textNo: "=", detail: `"Far Away" — has not loaded`},
	{kind: "missingFontVariant", config: `{"bodyText":{"fontFamily":"Mine"},"customFonts":[{"name":"Mine","variants":[{"weight":400,"style":"normal","fileId":"f"}]}]}`,
		configNo: `{"bodyText":{"fontFamily":"Mine"},"customFonts":[{"name":"Mine","variants":[{"weight":400,"style":"normal","fileId":"f"},{"weight":700,"style":"normal","fileId":"g"},{"weight":400,"style":"italic","fileId":"h"}]}]}`,
		text:     "x", textNo: "=", detail: `"Mine" [700, 400 italic] — no file for these`, fields: `variants=[{"weight":700,"style":"normal"},{"weight":400,"style":"italic"}]`},
	{kind: "duplicateFontVariant", config: `{"customFonts":[{"name":"Mine","variants":[{"weight":400,"style":"normal","fileId":"f"},{"weight":400,"style":"normal","fileId":"g"}]}]}`,
		configNo: `{"customFonts":[{"name":"Mine","variants":[{"weight":400,"style":"normal","fileId":"f"},{"weight":400,"style":"italic","fileId":"g"}]}]}`,
		text:     "x", textNo: "=", detail: `"Mine" [400 ×2]`},

	{kind: "headerFooterUnknownPlaceholder", config: element(`"content":"{chaptertitle}"`), configNo: element(`"content":"{chapterTitle} {attr.x} {{y}} {firstMark.h2}"`), text: "x", textNo: "=", detail: "header · {chaptertitle}", fields: `slot="header" elementIndex=0 name="chaptertitle"`},
	{kind: "headerFooterMetadataMissing", config: element(`"content":"{author}"`), configNo: "=", text: "x", textNo: "---\nauthor: Me\n---\nx", detail: "header · {author} — its field is empty", fields: `slot="header" name="author"`},
	{kind: "designDanglingAnchor", config: element(`"placement":{"anchor":{"to":"#gone"}}`), configNo: element(`"placement":{"anchor":{"to":"page"}}`), text: "x", textNo: "=", detail: "header · #e → #gone", fields: `elementId="e" referencedId="gone"`},
	{kind: "designCyclicAnchor", config: `{"footer":{"elements":[{"id":"a","kind":"text","content":"x","placement":{"anchor":{"to":"#b"}}},{"id":"b","kind":"text","content":"y","placement":{"anchor":{"to":"#a"}}}]}}`,
		configNo: `{"footer":{"elements":[{"id":"a","kind":"text","content":"x","placement":{"anchor":{"to":"#b"}}},{"id":"b","kind":"text","content":"y"}]}}`, text: "x", textNo: "=", detail: "footer · #a"},
	{kind: "designTextClipAlwaysTruncates", config: element(`"overflow":"clip","fontSize":"10pt","placement":{"size":{"height":"6pt"}}`), configNo: element(`"overflow":"clip","fontSize":"10pt","placement":{"size":{"height":"16pt"}}`), text: "x", textNo: "=", detail: "header · #e"},
	{kind: "designTextTruncated", config: element(`"content":"` + strings.Repeat("wide ", 60) + `"`), configNo: element(`"content":"` + strings.Repeat("wide ", 60) + `","overflow":"wrap"`), text: "x", textNo: "=", detail: "header · #e — wide wide", fields: `mode="ellipsis-end" slot="header"`},
	{kind: "headingSpanWithoutBreak", config: opener(`"span":"page","breakBefore":{"enabled":false}`), configNo: opener(`"span":"page"`), text: "x", textNo: "=", detail: "H1"},
	{kind: "headingAdvancedWithoutTitleText", config: drawn("{number}"), configNo: drawn("{number} {titleText}"), text: "x", textNo: "=", detail: "H1"},
	{kind: "headingDesignCut", config: opener(`"advancedDesign":{"enabled":true,"minHeight":"60cm","slot":{"elements":[{"id":"t","kind":"text","content":"{titleText}"}]}}`),
		configNo: opener(`"advancedDesign":{"enabled":true,"minHeight":"6cm","slot":{"elements":[{"id":"t","kind":"text","content":"{titleText}"}]}}`), text: "# A\n", textNo: "=", detail: "H1", fields: `level=1`},
	{kind: "columnCountClamped", config: `{"layout":{"layoutType":"multiple","columnCount":12}}`, configNo: `{"layout":{"layoutType":"multiple","columnCount":3}}`, text: "x", textNo: "=", detail: "layout.columnCount: 12 — 8 instead", path: "layout.columnCount"},
	{kind: "sideColumnPercentClamped", config: `{"layout":{"layoutType":"oneAndHalf","sideColumnPercent":99}}`, configNo: `{"layout":{"layoutType":"oneAndHalf","sideColumnPercent":30}}`, text: "x", textNo: "=", path: "layout.sideColumnPercent"},
	{kind: "unknownNumberFormat", config: `{"page":{"pageNumbering":{"format":"tally"}}}`, configNo: `{"page":{"pageNumbering":{"format":"lower-roman"}}}`, text: "x", textNo: "="},
	{kind: "unknownNumerals", config: `{"numerals":"klingon"}`, configNo: `{"numerals":"auto"}`, text: "x", textNo: "="},
	{kind: "unknownConfigKey", config: `{"headings":{"colour":"#000"}}`, configNo: `{"headings":{"color":"#000"}}`, text: "x", textNo: "=", detail: "headings.colour — ignored; did you mean color?", path: "headings.colour"},
	{kind: "unknownConfigValue", config: `{"bodyText":{"textAlign":"middle"}}`, configNo: `{"bodyText":{"textAlign":"left"}}`, text: "x", textNo: "=", path: "bodyText.textAlign"},
	{kind: "lowContrast", config: `{"bodyText":{"color":"#999999"}}`, configNo: `{"bodyText":{"color":"#707070"}}`, text: "x", textNo: "=", detail: "bodyText.color — ratio 2.8 : 1, wanted 4.5 : 1", fields: `ratio=2.8 minimum=4.5 color="#999999" background="#ffffff"`, path: "bodyText.color"},

	{kind: "looseLine", config: `{"debug":{"looseLineHighlight":{"threshold":1.05}}}`, configNo: `{"debug":{"looseLineHighlight":{"threshold":9}}}`, text: long, textNo: "="},
	{kind: "overfullLine", config: `{"bodyText":{"hyphenation":{"enabled":false}}}`, configNo: "=", text: strings.Repeat("x", 300), textNo: strings.Repeat("x ", 300)},
	{kind: "codeOverflow", text: "```\n" + strings.Repeat("x", 300) + "\n```\n", textNo: "```\nx\n```\n"},
	{kind: "columnsTooNarrow", config: `{"bodyText":{"fontSize":"20pt"}}`, configNo: "{}", text: ":::columns{count=3}\nx\n\ny\n:::\n", textNo: ":::columns{count=2}\nx\n\ny\n:::\n"},
	{kind: "dropCap", config: `{"bodyText":{"dropCap":{}}}`, configNo: "=", text: ":::paragraphs{dropcap}\n… …\n:::\n", textNo: "x"},
	{kind: "unsupportedHyphenationLocale", config: `{"bodyText":{"hyphenation":{"enabled":true,"locale":"tlh"}}}`, configNo: `{"bodyText":{"hyphenation":{"enabled":true,"locale":"es"}}}`, text: "x", textNo: "=", detail: "tlh", fields: `locale="tlh"`},
	{kind: "alphaPdfOverflow", config: `{"page":{"pageNumbering":{"format":"lower-alpha","startAt":26}}}`, configNo: `{"page":{"pageNumbering":{"startAt":26}}}`, text: "x\n\n:::pagebreak\n\ny", textNo: "="},
}

func (f *fixture) check(t *testing.T, config, text string) (*Report, []Warning) {
	t.Helper()
	if config == "=" {
		config = f.config
	}
	if text == "=" {
		text = f.text
	}
	if config == "" {
		config = "{}"
	}
	s := laid(t, one(config, text))
	s.Family = func(name string) bool { return name != "No Such" }
	var c Checker
	r := c.Check(s)
	return r, find(r, f.kind)
}

// TestKinds: each kind fires where it should, in its words, and not beside it.
func TestKinds(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.kind, func(t *testing.T) {
			r, ws := f.check(t, f.config, f.text)
			if len(ws) == 0 {
				t.Fatalf("does not fire; there are %v", names(r))
			}
			w := ws[0]
			if !strings.HasPrefix(w.Detail, f.detail) {
				t.Errorf("detail %q, want %q", w.Detail, f.detail)
			}
			if f.path != "" && w.Path != f.path {
				t.Errorf("path %q, want %q", w.Path, f.path)
			}
			var have []string
			for _, x := range w.Fields {
				have = append(have, x.Key+"="+string(Value(x)))
			}
			for want := range strings.FieldsSeq(f.fields) {
				if !slices.ContainsFunc(have, func(h string) bool { return strings.ReplaceAll(h, " ", "") == want }) && !strings.Contains(strings.Join(have, " "), f.fields) {
					t.Errorf("payload %v, want %s", have, want)
				}
			}
			if _, ws := f.check(t, f.configNo, f.textNo); len(ws) > 0 {
				t.Errorf("near miss: %s", ws[0].Detail)
			}
		})
	}
}

func names(r *Report) (out []string) {
	for _, w := range r.Select(-1, "") {
		out = append(out, fmt.Sprintf("%s (%s)", w.Kind, w.Detail))
	}
	return out
}

// TestStrandedLines: a line alone is told where avoidWidows and avoidOrphans are
// on and no better place was left, and not where they are off.
func TestStrandedLines(t *testing.T) {
	config := func(on bool) string {
		return fmt.Sprintf(`{"page":{"height":"62mm"},"headings":{"balancing":{"enabled":false}},"bodyText":{"avoidWidows":%v,"avoidOrphans":%v,"widowMinLines":9,"orphanMinLines":9}}`, on, on)
	}
	for _, on := range []bool{true, false} {
		var c Checker
		r := c.Check(laid(t, one(config(on), lines(30))))
		n := len(find(r, "widow")) + len(find(r, "orphan"))
		if n > 0 != on {
			t.Errorf("on %v: %d warnings; %v", on, n, names(r))
		}
	}
}

// TestParityCascade: three blank pages in a row are told, one is not.
func TestParityCascade(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 1} {
		text := "x\n\n" + strings.Repeat(":::pagebreak{parity=\"always-odd\"}\n\n", n) + "y\n"
		s := laid(t, one(`{}`, text))
		var c Checker
		if got := find(c.Check(s), "parityCascade"); len(got) != want {
			t.Errorf("%d breaks: %d warnings on %d pages", n, len(got), len(s.Chapters[0].Pages))
		}
	}
}

// TestChipOverlap: chips whose padding runs into the next line.
func TestChipOverlap(t *testing.T) {
	text := strings.Repeat(":chip[label]{style=\"key\"} ", 40)
	for padding, want := range map[string]bool{"20pt": true, "0pt": false} {
		config := `{"chipStyles":[{"id":"key","background":"#eeeeff","paddingTop":"` + padding + `","paddingBottom":"` + padding + `"}]}`
		var c Checker
		r := c.Check(laid(t, one(config, text)))
		if got := find(r, "chipOverlap"); len(got) > 0 != want || len(got) > 1 {
			t.Errorf("padding %s: %v", padding, names(r))
		}
	}
}

// TestResourceKinds: ids shared and types unknown are told of resources nobody
// uses, once.
func TestResourceKinds(t *testing.T) {
	b := one(`{}`, "x")
	b.Resources = []*book.Resource{{ID: "a", Kind: "table", TypeID: "nothing", Table: &book.Table{}}, {ID: "a", Kind: "table", Table: &book.Table{}}, {ID: "b", Kind: "table", TypeID: "table", Table: &book.Table{}}}
	var c Checker
	r := c.Check(laid(t, b))
	if d, u := find(r, "duplicateResourceId"), find(r, "danglingTypeRef"); len(d) != 1 || len(u) != 1 || d[0].Detail != "#a ×2 — only one of them is found" || !strings.HasPrefix(u[0].Detail, "#a → nothing") {
		t.Errorf("%v", names(r))
	}
	b.Chapters[0] = &book.Chapter{ID: "a", Title: "A", Markdown: "::resource{id=\"a\"}\n"}
	if u := find(c.Check(laid(t, b)), "danglingTypeRef"); len(u) != 1 || u[0].Chapter != 0 {
		t.Errorf("used: %v", u)
	}
}

// TestStorageUnavailable: told once, and instead of the pictures that are missing.
func TestStorageUnavailable(t *testing.T) {
	s := laid(t, one(`{}`, "![x](gone.png)\n"))
	var c Checker
	if r := c.Check(s); len(find(r, "missingImage")) != 1 || len(find(r, "storageUnavailable")) != 0 {
		t.Errorf("with storage: %v", names(r))
	}
	s.Unstored = true
	if r := c.Check(s); len(find(r, "missingImage")) != 0 || len(find(r, "storageUnavailable")) != 1 {
		t.Errorf("without: %v", names(r))
	}
}

// TestDefaultDesignIsClear: a book of plain text in the design of a new book has
// no warnings.
func TestDefaultDesignIsClear(t *testing.T) {
	var c Checker
	text := "---\ntitle: Clear\n---\n# One\n\nWords, **bold** and *italic*.\n\n> Quoted.\n\n- item\n\n```go\nx\n```\n\n:::callout{title=\"T\"}\nBox.\n:::\n\nA note.[^1]\n\n[^1]: Here.\n\n| a | b |\n|---|---|\n| c | d |\n"
	if r := c.Check(laid(t, one(`{}`, text))); r.Count() != 0 {
		t.Errorf("%v", names(r))
	}
}

// A word alone on its line has no spaces that could be loose.
func TestAWordAloneIsNotLoose(t *testing.T) {
	var c Checker
	r := c.Check(laid(t, one(`{}`, strings.Repeat("a", 400))))
	if n := len(find(r, "looseLine")); n != 0 || len(find(r, "overfullLine")) != 1 {
		t.Errorf("%v", names(r))
	}
}

// TestTheNameOfABookIsNotItsTitle: {title} prints the title of the front matter or
// of book.json and nothing else (settings.md 7.5); a book with words and without
// title is told so, one that has just begun is not.
func TestTheNameOfABookIsNotItsTitle(t *testing.T) {
	for _, c := range []struct {
		text, title string
		missing     int
		printed     string
	}{
		{"", "", 0, ""},
		{"\n \n", "", 0, ""},
		{"Words.", "", 1, ""},
		{"---\nauthor: Me\n---\nWords.", "", 1, ""},
		{"---\ntitle: T\n---\nWords.", "", 0, "T"},
		{"Words.", "T", 0, "T"},
	} {
		b := one(`{}`, c.text)
		b.Title = c.title
		s := laid(t, b)
		var k Checker
		if r := k.Check(s); r.Count() != c.missing || len(find(r, "headerFooterMetadataMissing")) != c.missing {
			t.Errorf("%q with the title %q: %v", c.text, c.title, names(r))
		}
		printed := ""
		for _, it := range s.Chapters[0].Pages[0].Header {
			printed += it.Plain
		}
		if printed != c.printed {
			t.Errorf("%q with the title %q prints %q", c.text, c.title, printed)
		}
	}
}

// A chapter in other colours is not looked through for its lines again.
func TestOtherColoursKeepWhatIsSaidOfLines(t *testing.T) {
	s := laid(t, one(`{"debug":{"looseLineHighlight":{"threshold":1.05}}}`, long))
	var c Checker
	before := c.Check(s)
	lines := c.plain[s.Chapters[0].Plain()]
	red := *s
	red.Chapters = []*frame.Chapter{frame.Ink(s.Chapters[0].Plain(), nil, func(unit.Color) unit.Color { return unit.Color{R: 200, A: 255} }).Chapter}
	after := c.Check(&red)
	if lines == nil || len(lines.lines) == 0 || c.plain[red.Chapters[0].Plain()] != lines || len(c.plain) != 1 {
		t.Errorf("looked through again: %d chapters", len(c.plain))
	}
	if before.Count() != after.Count() {
		t.Errorf("%d warnings, in red %d", before.Count(), after.Count())
	}
}

// TestChecksAreKept: a chapter that did not change is not looked at again.
func TestChecksAreKept(t *testing.T) {
	b := one(`{"debug":{"looseLineHighlight":{"threshold":1.05}}}`, long)
	s := laid(t, b)
	var c Checker
	c.Check(s)
	first := c.chapters[s.Chapters[0]]
	c.Check(s)
	if c.chapters[s.Chapters[0]] != first {
		t.Error("the chapter was looked at twice")
	}
	for range keepRuns + 2 {
		c.Check(laid(t, one(`{}`, "other")))
	}
	if len(c.chapters) > keepRuns+1 {
		t.Errorf("%d chapters are kept", len(c.chapters))
	}
}

// TestEveryKindReportedIsInTheTable reads the sources of those who report.
func TestEveryKindReportedIsInTheTable(t *testing.T) {
	call := regexp.MustCompile(`\b(?:report|reportOnce|problem|figureProblem|unknown|warn|add)\("([a-z][A-Za-z]+)", |\bKind: +"([a-z][A-Za-z]+)", (?:Start|Detail|Page|Resource|Path)`)
	seen := 0
	for _, dir := range []string{".", "..", "../layout", "../markup", "../settings"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range call.FindAllSubmatch(src, -1) {
				kind := string(m[1]) + string(m[2])
				seen++
				if KindOf(kind) == nil {
					t.Errorf("%s reports %s, which is not in the table", f, kind)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("%d reports found: the expression does not find them any more", seen)
	}
	for i := range kinds {
		if k := &kinds[i]; KindOf(k.Name) != k || !slices.Contains(Categories[:], k.Category) || k.Title == "" {
			t.Errorf("%+v", *k)
		}
	}
}

// TestPayloadIsJSON: numbers are numbers, lists lists, the rest texts.
func TestPayloadIsJSON(t *testing.T) {
	for field, want := range map[[2]string]string{{"from", "1"}: "1", {"name", "1"}: `"1"`, {"ratio", "3.20"}: "3.20", {"ratio", "x"}: `"x"`, {"characters", "a漢"}: `["a","漢"]`} {
		got := Value(fieldNamed(field[0], field[1]))
		if string(got) != want || !json.Valid(got) {
			t.Errorf("%v is %s, want %s", field, got, want)
		}
	}
}

func fieldNamed(key, value string) frame.Field { return frame.Field{Key: key, Value: value} }
