package layout

import (
	"os"
	"strings"
	"testing"

	"postext/book/booktest/tree"
	"postext/engine/font"
	"postext/engine/font/fonttest"
	"postext/engine/unit"
)

// testFount is a fount outside any layouter.
func testFount(t testing.TB, family string, weight int, italic bool) *fount {
	face := fonttest.Face(t, family, weight, italic)
	f := &fount{lay: New(Env{}), face: face, key: fountKey{family: family, weight: weight, italic: italic, size: 11 * unit.Pt}}
	f.hyphen = f.part("-")
	return f
}

// corpusWords lists the different words of a book of the corpus.
func corpusWords(t testing.TB, name string) []string {
	seen := map[string]bool{}
	var out []string
	for _, n := range tree.Texts(t, name) {
		data, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range strings.FieldsFunc(string(data), func(r rune) bool {
			return r == ' ' || r == '\n' || r == 0x2060 || r == '*' || r == '#' || r == '—'
		}) {
			if !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}

// TestComposedWords: a word joined from a bare word and its marks has the very
// glyphs and places of the word shaped whole.
func TestComposedWords(t *testing.T) {
	for _, c := range []struct {
		family string
		weight int
		italic bool
	}{{"EB Garamond", 400, false}, {"EB Garamond", 400, true}, {"EB Garamond", 700, false}, {"Open Sans", 400, false}, {"JetBrains Mono", 400, false}} {
		f := testFount(t, c.family, c.weight, c.italic)
		joined, bad := 0, 0
		for _, book := range []string{"moby-dick", "don-quijote", "swann", "der-stechlin"} {
			for _, text := range corpusWords(t, book) {
				w := f.compose(text)
				if w == nil {
					continue
				}
				joined++
				whole := f.face.Shape(text, f.features())
				if !sameGlyphs(w.shape, whole) {
					if bad++; bad < 10 {
						t.Errorf("%s: %q is joined otherwise than shaped", f.face, text)
					}
				}
			}
		}
		t.Logf("%s: %d words joined, %d wrong", f.face, joined, bad)
	}
}

func sameGlyphs(a, b *font.Shape) bool {
	if len(a.Glyphs) != len(b.Glyphs) || a.Advance != b.Advance {
		return false
	}
	for i := range a.Glyphs {
		if a.Glyphs[i] != b.Glyphs[i] {
			return false
		}
	}
	return true
}
