package markup

import (
	"strings"
	"testing"
)

// ruleCase is a rule, a text and its tree as dump writes it.
type ruleCase struct{ rule, src, want string }

var ruleCases = append(append([]ruleCase(nil), blockCases...), inlineCases...)

func TestRules(t *testing.T) {
	for _, c := range ruleCases {
		t.Run(c.rule, func(t *testing.T) {
			doc := Parse(c.src, Options{FirstChapter: true})
			if got := dump(doc); got != c.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", c.src, got, c.want)
			}
			if err := checkTree(doc); err != nil {
				t.Error(err)
			}
		})
	}
}

// problemCases: each kind with a text that raises it, once and alone, and a
// near miss that raises nothing.
var problemCases = []struct{ kind, src, miss string }{
	{"invalidFrontmatter", "---\ntitle: [a\n---\n# b\n", "---\ntitle: a\n---\n# b\n"},
	{"unknownDirective", ":::other{a=b}\n", "```\n:::other\n```\n"},
	{"unknownDirective", "::::callout\n", ":::callout\n:::\n"},
	{"unknownDirective", ":::callout Hello\n", ":::callout\nHello\n:::\n"},
	{"malformedEmbed", "text\n::resource{id=\"a\"}\n", "text\n\n::resource{id=\"a\"}\n"},
	{"unclosedContainer", "a\n\n:::callout\nb\n", ":::callout\nb\n:::\n"},
	{"unclosedContainer", ":::verse\nb\n", ":::verse\nb\n:::\n"},
	{"unclosedCodeBlock", "```go\na\n", "```go\na\n```\n"},
	{"unclosedMath", "a $x + 1\n", "a $5 + 1\n"},
	{"unclosedMath", "$$\na\n\nb\n", "$$\na\n\nb\n$$\n"},
	{"attributeKeyInvalid", ":::callout{作者=\"a\" type=tip}\n:::\n", ":::callout{autor=\"作者\"}\n:::\n"},
	{"fullwidthMarkup", "：：：callout\n", "甲：：乙\n"},
	{"duplicateAnchor", "# a {#x}\n\n:anchor{#x}b\n", "# a {#x}\n\n:anchor{#y}b\n"},
	{"undefinedFootnote", "a[^1] b[^1]\n", "a[^1]\n\n[^1]: b\n"},
	{"unusedFootnote", "a\n\n[^1]: b\n", "a[^1]\n\n[^1]: b\n"},
	{"indexMarkInvalid", "a:index{main}\n", "a:index{term=b}\n"},
	{"columnsFlowUnknown", ":::columns{flow=river}\n:::\n", ":::columns{flow=parallel}\n:::\n"},
	{"paperAttributeInvalid", ":::paper{type=glass}\n:::\n", ":::paper{type=bible}\n:::\n"},
	{"pagebreakInvalidParity", ":::pagebreak{parity=left}\n", ":::pagebreak{parity=always-odd}\n"},
	{"numberingInvalidFormat", ":::numbering{format=runes}\n", ":::numbering{format=Lower-Roman}\n"},
	{"numberingInvalidStartAt", ":::numbering{startAt=0}\n", ":::numbering{startAt=1}\n"},
	{"spaceInvalidLines", ":::space{lines=21}\n", ":::space{lines=0.5}\n"},
	{"attributeValueInvalid", ":::columns{count=99}\n:::\n", ":::columns{count=6}\n:::\n"},
	{"attributeValueInvalid", ":::columns{gap=wide}\n:::\n", ":::columns{gap=2.5em}\n:::\n"},
	{"attributeValueInvalid", ":::columns{span=book}\n:::\n", ":::columns{span=page}\n:::\n"},
	{"attributeValueInvalid", ":::callout{span=full}\n:::\n", ":::callout{span=side}\n:::\n"},
	{"attributeValueInvalid", ":::callout{placement=left}\n:::\n", ":::callout{placement=bottom}\n:::\n"},
	{"attributeValueInvalid", ":::callout{wrap=top}\n:::\n", ":::callout{wrap=end}\n:::\n"},
	{"attributeValueInvalid", ":::callout{columns=0}\n:::\n", ":::callout{columns=2}\n:::\n"},
	{"attributeValueInvalid", ":::callout{width=40%}\n:::\n", ":::callout{width=0.4}\n:::\n"},
	{"attributeValueInvalid", ":::callout{wrapGap=-1}\n:::\n", ":::callout{wrapGap=3mm}\n:::\n"},
	{"attributeValueInvalid", ":::paragraphs{align=middle}\n:::\n", ":::paragraphs{align=center}\n:::\n"},
	{"attributeValueInvalid", ":::paragraphs{indent=much}\n:::\n", ":::paragraphs{indent=2}\n:::\n"},
	{"attributeValueInvalid", ":::paragraphs{dropcap=big}\na\n:::\n", ":::paragraphs{dropcap=4}\na\n:::\n"},
	{"attributeValueInvalid", ":::verse{turnover=left}\na\n:::\n", ":::verse{turnover=right}\na\n:::\n"},
	{"attributeValueInvalid", ":::verse{hang=far}\na\n:::\n", ":::verse{hang=2em stanzaSpace=1.5}\na\n:::\n"},
	{"attributeValueInvalid", ":::verse{keepStanzas=all}\na\n:::\n", ":::verse{keepStanzas=4}\na\n:::\n"},
	{"attributeValueInvalid", "# a {startAt=0}\n", "# a {startAt=4}\n"},
	{"attributeValueInvalid", "# a {dropcap=large}\n", "# a {dropcap=false}\n"},
	{"attributeValueInvalid", "```go {start=first}\na\n```\n", "```go {start=10}\na\n```\n"},
	{"notLaidOut", strings.Repeat("> ", maxDepth+5) + "a\n", strings.Repeat("> ", maxDepth-5) + "a\n"},
	{"notLaidOut", strings.Repeat(":::paragraphs\n", maxDepth+5) + "a\n" + strings.Repeat(":::\n", maxDepth+5), strings.Repeat(":::paragraphs\n", maxDepth) + "a\n" + strings.Repeat(":::\n", maxDepth)},
	{"htmlIgnored", "<table>a</table>\n", "<b>a</b><!-- c -->\n"},
}

func TestProblems(t *testing.T) {
	kinds := func(src string) string {
		var list []string
		for _, p := range Parse(src, Options{FirstChapter: true}).Problems {
			list = append(list, p.Kind)
		}
		return strings.Join(list, " ")
	}
	for _, c := range problemCases {
		t.Run(c.kind, func(t *testing.T) {
			if got := kinds(c.src); got != c.kind {
				t.Errorf("%q raises %q", c.src, got)
			}
			if got := kinds(c.miss); got != "" {
				t.Errorf("%q raises %q", c.miss, got)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		rule, src string
		o         Options
		want      string
	}{
		{"headings.inlineMarks off: markers are dropped", "# *a* :smallcaps[b]\n", Options{NoHeadingMarks: true}, "h1 a b"},
		{"hardLineBreaks off: backslashes print", "a\\\nb \\\\ c  \nd\n", Options{NoHardBreaks: true}, "p a\\ b \\\\ c d"},
		{"codeStyle.blocks off: fences are text", "```\n*a*\n```\n", Options{NoCodeBlocks: true}, "p <code *a*>"},
		{"codeStyle.indentedCode on: four spaces make code", "a\n\n    # b\n    - c\n", Options{IndentedCode: true}, "p a\ncode \"# b\\n- c\""},
		{"a later chapter's front matter is cut out unparsed", "---\ntitle: [\n---\na\n", Options{}, "p a"},
	} {
		if got := dump(Parse(c.src, c.o)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.rule, got, c.want)
		}
	}
	doc := Parse("---\ntitle: [\n---\na\n", Options{})
	if len(doc.Problems) != 1 || doc.Problems[0].Kind != "chapterFrontmatterIgnored" || doc.Problems[0].End != 0 {
		t.Errorf("problems: %v", doc.Problems)
	}
}

func TestFrontMatterIsPrinted(t *testing.T) {
	for _, c := range []struct{ yaml, locale, want string }{
		{"1984", "en", "1984"},
		{"1.50", "en", "1.5"},
		{"017", "en", "15"},
		{"1:30", "en", "90"},
		{"\"1:30\"", "en", "1:30"},
		{"true", "en", "true"},
		{"2027-03-01", "en", "March 1, 2027"},
		{"2027-03-01", "en-GB", "1 March 2027"},
		{"2027-03-01", "es", "1 de marzo de 2027"},
		{"2027-03-01", "de-AT", "1. März 2027"},
		{"2027-03-01", "fr", "1 mars 2027"},
		{"2027-03-01", "it", "1 marzo 2027"},
		{"2027-03-01", "pt-BR", "1 de março de 2027"},
		{"2027-04-01", "ca", "1 d’abril del 2027"},
		{"2027-03-01", "nl", "1 maart 2027"},
		{"2027-03-01", "ja", "2027年3月1日"},
		{"2027-03-01", "ar-MA", "1 مارس 2027"},
		{"2027-03-01", "ar-EG", "١ مارس ٢٠٢٧"},
		{"2027-03-01T23:30:00-05:00", "en", "March 2, 2027"},
		{"[Rosa Vidal, Ivo Kern, 3]", "en", "Rosa Vidal, Ivo Kern, 3"},
		{"'  as  written '", "en", "  as  written "},
		{"{a: b}", "en", ""},
		{"", "en", ""},
		{"~", "en", ""},
	} {
		src := "---\ntitle: " + c.yaml + "\nother: [1, {2: x}]\n---\nbody\n"
		doc := Parse(src, Options{FirstChapter: true, Locale: c.locale})
		if doc.Meta == nil || doc.Meta.Title != c.want {
			t.Errorf("%s (%s): %+v, want %q; %v", c.yaml, c.locale, doc.Meta, c.want, doc.Problems)
		}
		if src[doc.Body:] != "body\n" {
			t.Errorf("body at %d", doc.Body)
		}
	}
	if doc := Parse("---\ntitle: a\n", Options{FirstChapter: true}); doc.Meta != nil || doc.Body != 0 {
		t.Error("front matter without an end was read")
	}
}

func TestTitleAndHeadings(t *testing.T) {
	src := "---\ntitle: Book\n---\n```\n# no\n```\n\n> # quoted\n\n## A\n\n:::part\n# The *Hive* \\\\ in Summer[^1] {#x}\n:::\n\nB\n===\n"
	if got := Title(Parse(src, Options{FirstChapter: true})); got != "The Hive in Summer[^1]" {
		t.Errorf("title %q", got)
	}
	if got := Title(Parse("---\ntitle: Book\n---\n## A\n", Options{FirstChapter: true})); got != "Book" {
		t.Errorf("title %q", got)
	}
	var got []string
	for _, h := range Headings(src) {
		got = append(got, strings.Repeat("#", h.Level)+h.Title+"|"+src[h.Start:h.End])
	}
	want := "##A|## A; #The Hive in Summer[^1]|# The *Hive* \\\\ in Summer[^1] {#x}; #B|B\n==="
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("headings\ngot  %q\nwant %q", s, want)
	}
}

func TestWords(t *testing.T) {
	src := "# A *b*c\n\nd[^1] $e$ ![f](g) `h i`\n\n| j |\n|---|\n| k |\n\nTable: l\n\n[^1]: m\n\n[^2]: n\n\n# o {hidden}\n"
	if got := strings.Join(Words(Parse(src, Options{})), " "); got != "A bc d h i j k l m" {
		t.Errorf("words %q", got)
	}
}

func TestParseCitation(t *testing.T) {
	items, narrative := ParseCitation("[see @a1, pp. 3--5; -@b:c and more]")
	if narrative || len(items) != 2 || items[0].Prefix != "see" || items[0].Key != "a1" || items[0].Locator != "pp. 3--5" ||
		!items[1].NoAuthor || items[1].Key != "b:c" || items[1].Locator != "and more" {
		t.Errorf("%+v", items)
	}
	if items, narrative = ParseCitation("@a [chap. 2]"); !narrative || items[0].Locator != "chap. 2" {
		t.Errorf("%+v", items)
	}
}
