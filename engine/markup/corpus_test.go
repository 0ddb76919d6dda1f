package markup

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The corpus's own markup, taken off by patterns that know nothing of the
// parser.
var corpusMarkup = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(?s)<!--.*?-->`), ""},
	{regexp.MustCompile(`\\\$`), " "},
	{regexp.MustCompile(`(?m)^\[@[^\]]*\]:.*$`), ""}, // Manubot's names for works: link definitions
	{regexp.MustCompile(`[@]?(fig|tbl):\w+`), ""},
	{regexp.MustCompile(`\^(\w+)\^`), "$1"},
	{regexp.MustCompile("(?m)^ *```.*$"), ""},
	{regexp.MustCompile(`(?s)\]\((?:images|\.\./resources)/[^")]*?(?:\s+"((?:[^"\\]|\\.)*)")?\)(\{[^}]*\})?`), " $1 "},
	{regexp.MustCompile(`(?s)\$\$.*?\$\$`), " "},
	{regexp.MustCompile(`\$[^\s$](?:[^$]*[^\s$])?\$`), " "},
	{regexp.MustCompile(`\[\^[^\]]*\]:?`), ""},
	{regexp.MustCompile("`"), ""},
	{regexp.MustCompile(`\[(\[?[^\]]*\]?)\]\(<?[^)\s]*?>?( "[^"]*")?\)`), "$1"},
	{regexp.MustCompile(`(?m)\{#[^}]*\}$`), ""},
	{regexp.MustCompile(`(?m)^Table:`), ""},
	{regexp.MustCompile(`(?m)^\|[-:| ]+\|$`), ""},
	{regexp.MustCompile(`(?m)^(> ?)*#+ `), ""},
	{regexp.MustCompile(`(?m)^[ >]*[-*+] `), ""},
	{regexp.MustCompile(`(?m)^(> ?)+`), ""},
	{regexp.MustCompile(`(?m)^\* \* \*$`), ""},
	{regexp.MustCompile(`(?m)\\$`), ""},
	{regexp.MustCompile(`</?[a-zA-Z][^>:@]*>`), ""},
}

// letters keeps what no markup is made of.
var letters = regexp.MustCompile(`[\p{L}\p{N}]+`)

func TestNoWordOfTheCorpusIsLost(t *testing.T) {
	for name, chapters := range corpusBooks(t) {
		words := 0
		for i, src := range chapters {
			doc := Parse(src, Options{FirstChapter: i == 0, HeadingNotes: true})
			if err := checkTree(doc); err != nil {
				t.Errorf("%s, chapter %d: %v", name, i+1, err)
			}
			plain := src[doc.Body:]
			for _, m := range corpusMarkup {
				plain = m.pattern.ReplaceAllString(plain, m.with)
			}
			// Notes stand after the flow in the tree, so the order is left out.
			// A short number may be an item's or, under a line of text, text (2.2).
			want := drop(letters.FindAllString(plain, -1))
			all := Words(doc)
			cited := map[string]bool{}
			for _, p := range doc.Problems {
				if p.Kind == "unusedFootnote" {
					cited[p.Fields[0].Value] = true
				}
			}
			for _, n := range doc.Notes {
				if cited[n.ID] {
					all = append(all, Words(&Document{Blocks: n.Blocks})...)
				}
			}
			got := letters.FindAllString(strings.Join(all, "\n"), -1)
			got = append(got, letters.FindAllString(alternatives(doc), -1)...)
			got = drop(got)
			words += len(got)
			slices.Sort(want)
			slices.Sort(got)
			if missing, more := difference(want, got); len(missing)+len(more) > 0 {
				t.Errorf("%s, chapter %d of %d words: lost %.300q, not in the source %.300q", name, i+1, len(want), missing, more)
			}
		}
		t.Logf("%s: %d words", name, words)
	}
}

var shortNumber = regexp.MustCompile(`^\d{1,2}$`)

func drop(words []string) []string { return slices.DeleteFunc(words, shortNumber.MatchString) }

// alternatives is the alternative text of all pictures.
func alternatives(doc *Document) string {
	var sb strings.Builder
	visit := func(b *Block) bool {
		if b.Kind == Image {
			sb.WriteString(" " + strings.Join(wordsOf(b.Inlines), " "))
		}
		b.EachText(func(list []Inline) {
			for _, a := range list {
				if a.Kind == InlineImg {
					sb.WriteString(" " + strings.Join(wordsOf(a.Inner.Words), " "))
				}
			}
		})
		return true
	}
	Walk(doc.Blocks, visit)
	for _, n := range doc.Notes {
		Walk(n.Blocks, visit)
	}
	return sb.String()
}

// difference compares two sorted lists.
func difference(a, b []string) (onlyA, onlyB []string) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			a, b = a[1:], b[1:]
		case a[0] < b[0]:
			onlyA, a = append(onlyA, a[0]), a[1:]
		default:
			onlyB, b = append(onlyB, b[0]), b[1:]
		}
	}
	return append(onlyA, a...), append(onlyB, b...)
}
