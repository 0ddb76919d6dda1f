package sandbox

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func TestFoldingDropsCaseAndAccents(t *testing.T) {
	for in, want := range map[string]string{
		"Éléonore":      "eleonore",
		"E\u0301cole":   "ecole",
		"STRAẞE Straße": "strasse strasse",
		"Łódź, Søren":   "lodz, soren",
		"Œuvre Ægir":    "oeuvre aegir",
		"Ἀθῆναι":        "αθηναι",
		"Йод Ёлка":      "иод елка",
		"Việt Nam":      "viet nam",
		"“don’t”":       "\"don't\"",
		"Đức ﬁnden ﬂach aﬀ oﬃce ﬄ ﬅ ﬆ ſo": "duc finden flach aff office ffl st st so",
		"ΟΔΟΣ οδος": "οδοσ οδοσ",
		"한국 漢字 がか":  "한국 漢字 かか",
	} {
		if got := foldText(in); got != want {
			t.Errorf("%q folds to %q, want %q", in, got, want)
		}
	}
}

// The table says what Unicode's canonical decompositions say of every letter of
// Latin, Greek and Cyrillic.
func TestAccentsAreThoseOfUnicode(t *testing.T) {
	special := map[rune]bool{'ß': true, 'ẞ': true, 'æ': true, 'Æ': true, 'œ': true, 'Œ': true, 'ø': true, 'Ø': true, 'ł': true, 'Ł': true, 'ı': true,
		'đ': true, 'Đ': true, 'ſ': true, 'ς': true, 'ﬀ': true, 'ﬁ': true, 'ﬂ': true, 'ﬃ': true, 'ﬄ': true, 'ﬅ': true, 'ﬆ': true}
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if special[r] || !unicode.IsLetter(r) || !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
			continue
		}
		var want []rune
		for _, c := range norm.NFD.String(string(r)) {
			if !unicode.Is(unicode.Mn, c) {
				want = append(want, unicode.ToLower(c))
			}
		}
		if got := foldRune(nil, r); string(got) != string(want) {
			t.Errorf("%c (%U) folds to %q, want %q", r, r, string(got), string(want))
		}
	}
}

// BenchmarkFolding folds English prose with its markup, as the first search does.
func BenchmarkFolding(b *testing.B) {
	text := strings.Repeat("Call me *Ishmael*. Some years ago — never mind how long precisely — having little or no money in my purse, and nothing particular to interest me on shore, I thought I’d sail about.\n", 5000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		makeSearchable(text, "a", true, nil)
	}
}
