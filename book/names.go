package book

import (
	"cmp"
	"strings"
	"unicode"
)

// compareNatural orders file names with the numbers in them in numeric order;
// letter case counts only between names otherwise equal.
func compareNatural(a, b string) int {
	x, y := strings.ToLower(a), strings.ToLower(b)
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		if m > 0 && n > 0 {
			p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
			if c := cmp.Compare(len(p), len(q)); c != 0 {
				return c
			}
			if c := cmp.Compare(p, q); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	if c := cmp.Compare(len(x), len(y)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// digits is the length of the number at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// Slug makes a name fit for files and ids: letters and digits of any script in
// lower case, Latin letters without their accents, a hyphen for each run of
// anything else.
func Slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if r >= 0xC0 {
			r = unaccented(r)
		}
		switch {
		case unicode.IsMark(r):
		case isWord(r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	return b.String()
}

// accented lists the accented small letters of Latin-1 and Latin Extended-A
// after the letter they are made of.
var accented = []string{
	"aàáâãäåāăą", "cçćĉċč", "dď", "eèéêëēĕėęě", "gĝğġģ", "hĥ", "iìíîïĩīĭį", "jĵ", "kķ", "lĺļľ",
	"nñńņň", "oòóôõöōŏő", "rŕŗř", "sśŝşš", "tţť", "uùúûüũūŭůűų", "wŵ", "yýÿŷ", "zźżž",
}

func unaccented(r rune) rune {
	for _, group := range accented {
		if strings.ContainsRune(group, r) {
			return rune(group[0])
		}
	}
	return r
}
