package sandbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

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
	case '’', '‘':
		return append(dst, '\'')
	case '“', '”', '„':
		return append(dst, '"')
	}
	d := norm.NFD.PropertiesString(string(r)).Decomposition()
	if d == nil {
		if unicode.Is(unicode.Mn, r) {
			return dst
		}
		return append(dst, unicode.ToLower(r))
	}
	for len(d) > 0 {
		c, n := utf8.DecodeRune(d)
		d = d[n:]
		if !unicode.Is(unicode.Mn, c) {
			dst = append(dst, unicode.ToLower(c))
		}
	}
	return dst
}

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
