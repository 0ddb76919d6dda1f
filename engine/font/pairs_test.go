package font_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postext/engine/font"
	"postext/engine/font/fonttest"
)

// hardWords are where putting words together might go wrong: ligatures of two
// and three letters, marks, dotless letters, figures, kerned pairs.
const hardWords = `office waffle fjord ij ijsvogel Affin flfifffl AVAVA Tom To Ty LaTeX fig. don’t 'tis o'er well-known
	naïve façade Ægir Øl Łódź İstanbul ıi straße Œuvre J́j i̇ q̣ – —x x— a1b2 1/2 ½ f’f f-f --f fb fh fk fj ffj Qu Th ct st ’ - ' aא אa`

// TestPairs: words put together from pairs of letters are the words the shaper
// makes. A word asked for in a language is always shaped; English has no forms
// of its own in these faces.
func TestPairs(t *testing.T) {
	words := strings.Fields(hardWords)
	for _, name := range []string{"moby-dick", "don-quijote", "swann", "der-stechlin"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpus", name, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files { // none where the corpus is not here
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, strings.Fields(string(data))...)
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	for _, family := range []string{"EB Garamond", "Open Sans", "JetBrains Mono"} {
		for _, italic := range []bool{false, true} {
			f := fonttest.Face(t, family, 400, italic)
			bad := 0
			for i, w := range words {
				if len(words) > 1000 && i%15 != 0 && !strings.Contains(hardWords, w) {
					continue
				}
				a, b := f.Shape(w, font.Features{}), f.Shape(w, font.Features{Language: "en"})
				if a.Text != b.Text || a.Advance != b.Advance || a.RTL != b.RTL || a.Missing != b.Missing || !slices.Equal(a.Glyphs, b.Glyphs) {
					if bad++; bad < 5 {
						t.Errorf("%v %q:\n%v\n%v", f, w, a.Glyphs, b.Glyphs)
					}
				}
			}
		}
	}
}
