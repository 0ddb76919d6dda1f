package sandbox

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:generate go run ./internal/accents

// accent is a letter with accents and the small letter that is left without.
type accent struct{ from, base uint16 }

// foldRune appends r without case and accents.
func foldRune(dst []rune, r rune) []rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(dst, r)
	}
	switch r {
	case 'ß', 'ẞ':
		return append(dst, 's', 's')
	case 'æ', 'Æ':
		return append(dst, 'a', 'e')
	case 'œ', 'Œ':
		return append(dst, 'o', 'e')
	case 'ø', 'Ø':
		return append(dst, 'o')
	case 'ł', 'Ł':
		return append(dst, 'l')
	case 'ı':
		return append(dst, 'i')
	case 'đ', 'Đ':
		return append(dst, 'd')
	case 'ς': // ends words only
		return append(dst, 'σ')
	case 'ſ':
		return append(dst, 's')
	case 'ﬀ', 'ﬁ', 'ﬂ', 'ﬃ', 'ﬄ', 'ﬅ', 'ﬆ':
		return append(dst, ligatures[r-'ﬀ']...)
	case '’', '‘':
		return append(dst, '\'')
	case '“', '”', '„':
		return append(dst, '"')
	}
	i, ok := slices.BinarySearchFunc(accented[:], r, func(a accent, r rune) int { return cmp.Compare(rune(a.from), r) })
	switch {
	case ok:
		return append(dst, rune(accented[i].base))
	case unicode.Is(unicode.Mn, r):
		return dst
	}
	return append(dst, unicode.ToLower(r))
}

// ligatures are the letters of U+FB00 and the six after it, as old files and
// PDFs have them.
var ligatures = [...][]rune{[]rune("ff"), []rune("fi"), []rune("fl"), []rune("ffi"), []rune("ffl"), []rune("st"), []rune("st")}

// foldText is s without case and accents.
func foldText(s string) string {
	var out []rune
	for _, r := range s {
		out = foldRune(out, r)
	}
	return string(out)
}

// isCJK reports whether words of this language are counted by characters.
func isCJK(language string) bool {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	return primary == "zh" || primary == "ja" || primary == "ko"
}
