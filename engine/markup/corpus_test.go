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
	{regexp.MustCompile("(?m)^ *```.*$"), ""},
	{regexp.MustCompile(`(?s)!\[[^\]]*\]\([^\s)]*(?:\s+"((?:[^"\\]|\\.)*)")?\)(\{[^}]*\})?`), " $1 "},
	{regexp.MustCompile(`(?s)\$\$.*?\$\$`), " "},
	{regexp.MustCompile(`\$[^\s$](?:[^$]*[^\s$])?\$`), " "},
	{regexp.MustCompile(`\[\^[^\]]*\]:?`), ""},
	{regexp.MustCompile("`"), ""},
	{regexp.MustCompile(`\[(\[?[^\]]*\]?)\]\(<?[^)\s]*?>?( "[^"]*")?\)`), "$1"},
	{regexp.MustCompile(`(?m)\{#[^}]*\}$`), ""},
	{regexp.MustCompile(`(?m)^Table:`), ""},
	{regexp.MustCompile(`(?m)^\|[-:| ]+\|$`), ""},
	{regexp.MustCompile(`(?m)^(> ?)*#+ `), ""},
	{regexp.MustCompile(`(?m)^[ >]*(\d+[.)]|[-*+]) `), ""},
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
			want := letters.FindAllString(plain, -1)
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
