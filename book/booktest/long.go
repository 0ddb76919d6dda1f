// Package booktest makes books for tests.
package booktest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/book"
	"postext/book/booktest/tree"
)

// Long gives the texts of 500 chapters, 1.5 million words in all, made of the
// passages of the corpus; the test is skipped where it is absent.
func Long(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(tree.Corpus(t, ""), "*", "*.md"))
	if err != nil || len(files) == 0 {
		t.Skipf("no corpus (%v)", err)
	}
	var passages []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range strings.Split(book.CleanText(string(text)), "\n\n") {
			if p = strings.TrimSpace(p); len(p) > 200 && !strings.ContainsAny(p[:1], "#:>|-`") {
				passages = append(passages, p)
			}
		}
	}
	out := make([]string, 500)
	at := 0
	for i := range out {
		var text strings.Builder
		fmt.Fprintf(&text, "# Chapter the %d\n", i+1)
		for n := 0; n < 3000; at++ {
			p := passages[at%len(passages)]
			n += book.Words(p, false)
			fmt.Fprintf(&text, "\n%s\n", p)
		}
		out[i] = text.String()
	}
	return out
}
