package markup

import (
	"runtime"
	"strings"
	"testing"
)

// hostile are pieces of text that make careless parsers slow when repeated.
var hostile = []string{
	"*", "_", "**a", "a**", "*a_", "[", "![", "[a](", "[a](b", "[a](<b", "[a](b \"", "[a][b]", "[^", "[^a]", "]", "[a]{#", "[[a]]", "`", "`` ", "a`", "$", "$a", "$ ", "$$\n", "$$x\n", "<", "<a ", "<a b='", "<!--", "<!-- ", "<?", "<![CDATA[", "<script\n", "<!-- x\n\n", "</", "<a@", "<a:",
	">", "> ", ">\n", "- ", "-\n", "1. ", "* * ", "- - x\n", " - a\n", "- a\n ", ":::callout\n", ":::callout{a=b}\n", ":::\n", ":::verse\n", "::resource{", ":dots[", ":chip[", ":index[", ":ref{id=", ":smallcaps[a]", "{漢", "{漢|", "{漢|a}", "@a [", "[@a", "[@a;", "@", "@a", "^", "~", "~~", "^a", "~a ", "a^b^", "\\", "\\\\ ", "\\\n", "\\ref{", "~\\ref{a}",
	"#", "# {", "# a {b=\"", "# a {b=c}\n", "=\n", "a\n=\n", "a\n-\n", "|", "|a", "a|b\n-|-\n", "|\n", "-|", "```\n", "```", "~~~\n", "    a\n", "\t", " ", "\n", "\r", "\r\n", "\n\n\n", "[a]: b\n", "[a]: b \"", "[a]: (", "[^a]: b\n", "[^a]: [^b]: ", "    [^a]: ", "---\n", "\u3000", "漢\n", "“\n", "＊＊", "\x00", "\xff", "&amp;", "Table: a\n",
}

// TestTimeAndMemoryAreLinear reads a quarter of a megabyte of each hostile piece;
// a quadratic reader would not come back.
func TestTimeAndMemoryAreLinear(t *testing.T) {
	size := 1 << 18
	if testing.Short() {
		size = 1 << 15
	}
	for _, h := range hostile {
		src := strings.Repeat(h, size/len(h)+1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		doc := Parse(src, Options{FirstChapter: true})
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > uint64(len(src))*2000 {
			t.Errorf("%q: %d bytes allocated for each byte of text", h, got/uint64(len(src)))
		}
		if err := checkTree(doc); err != nil {
			t.Errorf("%q: %v", h, err)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	const n = 10000
	for _, src := range []string{
		strings.Repeat("> ", n) + "x",
		strings.Repeat("- ", n) + "x",
		strings.Repeat("1. ", n) + "x",
		strings.Repeat("[^a]: ", n) + "x",
		strings.Repeat(":::callout\n", n) + "x\n" + strings.Repeat(":::\n", n),
		strings.Repeat("> - ", n) + "x",
		strings.Repeat("[", n) + "x" + strings.Repeat("](y)", n),
		strings.Repeat(":dots[", n) + "x" + strings.Repeat("]", n),
		strings.Repeat("*a **b ", n) + "x" + strings.Repeat("** *", n),
		strings.Repeat("<b>", n) + "x" + strings.Repeat("</b>", n),
		nestedList(n),
	} {
		doc := Parse(src, Options{})
		if err := checkTree(doc); err != nil {
			t.Errorf("%.20q: %v", src, err)
		}
		if !strings.Contains(strings.Join(append(Words(doc), noteWords(doc)...), " "), "x") {
			t.Errorf("%.20q: the word is lost", src)
		}
	}
}

func noteWords(doc *Document) (words []string) {
	for _, n := range doc.Notes {
		words = append(words, Words(&Document{Blocks: n.Blocks})...)
	}
	return words
}

// nestedList is a list n items deep, each on a line of its own.
func nestedList(n int) string {
	if n > 1000 {
		n = 1000 // the indent alone makes the text quadratic
	}
	var sb strings.Builder
	for i := range n {
		sb.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return sb.String()
}

func TestOneLongLine(t *testing.T) {
	doc := Parse(strings.Repeat("word ", 2<<20), Options{})
	if len(doc.Blocks) != 1 || len(doc.Blocks[0].Inlines) != 1 {
		t.Fatalf("%d blocks", len(doc.Blocks))
	}
}

// A reading that is not wanted any more is given up soon, whatever the text is made
// of: it is asked for every few blocks, texts and marks.
func TestReadingStops(t *testing.T) {
	for _, piece := range []string{"a\n\n", "*a* ", "- a\n", "> a\n\n", ":::callout\na\n:::\n", "a[^1] ", ":ref{id=a} ", "$a$ ", "<b>a</b> ", "| a | b |\n|---|---|\n| c | d |\n\n", "[^a]: b\n\n", "```\na\n```\n"} {
		src := strings.Repeat(piece, 20_000)
		asked := 0
		if ParseUntil(src, Options{}, func() bool { asked++; return false }) == nil {
			t.Fatalf("%q: given up unasked", piece)
		}
		if asked < 200 {
			t.Errorf("%q: asked %d times", piece, asked)
		}
		left := 5
		if ParseUntil(src, Options{}, func() bool { left--; return left <= 0 }) != nil {
			t.Errorf("%q: not given up", piece)
		}
		if left != 0 {
			t.Errorf("%q: asked %d times more", piece, -left)
		}
	}
}
