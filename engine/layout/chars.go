package layout

import (
	"unicode"
	"unicode/utf8"
)

// charClass sorts the characters the paragraph builder must stop at.
type charClass uint8

const (
	plain     charClass = iota // part of a word
	blank                      // a space that stretches and where a line may end
	hyphen                     // - and ‐
	dash                       // – — ―
	joiner                     // U+2060, U+FEFF: glues, prints nothing
	zeroBreak                  // U+200B: a line may end, prints nothing
	softHyph                   // U+00AD
	fixedGap                   // em space and its like: fixed width, a line may end after it
	ideograph                  // a line may end on either side
	solidus                    // joints of addresses
)

// asciiClass is the class of each ASCII byte; the loop over a paragraph's
// characters reads this table and nothing else for most text.
var asciiClass = func() (t [128]charClass) {
	for _, c := range " \t\n\r\v\f" {
		t[c] = blank
	}
	t['-'] = hyphen
	t['/'] = solidus
	return t
}()

// classify gives the class of a character beyond ASCII.
func classify(r rune) charClass {
	switch {
	case r < 0x2000:
		if r == 0xAD {
			return softHyph
		}
		if r == 0x85 {
			return blank
		}
		return plain
	case r < 0x2070:
		switch r {
		case 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2008, 0x205F:
			return fixedGap
		case 0x2010:
			return hyphen
		case 0x2013, 0x2014, 0x2015:
			return dash
		case 0x200B:
			return zeroBreak
		case 0x2028, 0x2029:
			return blank
		case 0x2060:
			return joiner
		}
		return plain
	case r == 0xFEFF:
		return joiner
	case r >= 0x2E80 && isIdeograph(r):
		return ideograph
	}
	return plain
}

func isIdeograph(r rune) bool {
	switch {
	case r >= 0x2E80 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF, r >= 0xFF00 && r <= 0xFF60,
		r >= 0x20000 && r <= 0x3FFFF:
		return true
	}
	return false
}

// noStart are the marks an ideographic line may not begin with, noEnd those it
// may not end with (the common subset of the region rules).
func noStart(r rune) bool {
	switch r {
	case '、', '。', '，', '．', '：', '；', '？', '！', '）', '」', '』', '】', '〉', '》', '〕', '・', 'ー', '々',
		'”', '’', ')', ']', ',', '.', ';', ':', '!', '?', '…', '—':
		return true
	}
	return false
}

func noEnd(r rune) bool {
	switch r {
	case '（', '「', '『', '【', '〈', '《', '〔', '“', '‘', '(', '[':
		return true
	}
	return false
}

// letter reports whether r is a letter or a mark that belongs to one.
func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r)
}

func digit(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9'
	}
	return unicode.IsDigit(r)
}

// before and after give the neighbours of byte offset i in s, looking past
// characters that print nothing; 0 at the ends.
func before(s string, i int) rune {
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if r != 0x2060 && r != 0xFEFF && r != 0x200B && r != 0xAD {
			return r
		}
		i -= n
	}
	return 0
}

func after(s string, i int) rune {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			return rune(c)
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != 0x2060 && r != 0xFEFF && r != 0x200B && r != 0xAD {
			return r
		}
		i += n
	}
	return 0
}

// breakAfterHyphen: a line may end after a hyphen that stands between words of
// at least two letters each (layout.md 5.3). h is the offset of the hyphen, n
// the offset behind it.
func breakAfterHyphen(s string, h, n int) bool {
	a, an := utf8.DecodeLastRuneInString(s[:h])
	if an == 0 || !letter(a) {
		return false
	}
	a, an = utf8.DecodeLastRuneInString(s[:h-an])
	if an == 0 || !letter(a) {
		return false
	}
	b, bn := utf8.DecodeRuneInString(s[n:])
	if bn == 0 || !letter(b) {
		return false
	}
	b, bn = utf8.DecodeRuneInString(s[n+bn:])
	return bn != 0 && letter(b)
}

// breakAfterDash: a line may end after a dash closed between words, never after
// one that opens speech or an aside, before punctuation, quotes or brackets, in
// a run of dashes or in a range of numbers (layout.md 5.3).
func breakAfterDash(s string, d, n int) bool {
	a, b := before(s, d), after(s, n)
	if !letter(b) && !digit(b) {
		return false
	}
	switch {
	case letter(a):
		return true
	case digit(a):
		return !digit(b)
	}
	switch a {
	case '.', ',', '!', '?', ';', ':', ')', ']', '’', '”', '»', '…', '\'', '"', 0xFFFC:
		return true
	}
	return false
}

// addressLike reports whether the word of s around offset i reads as a web or
// mail address or a path; such words break at their joints, without a hyphen.
func addressLike(w string) bool {
	slashes := 0
	for i := 0; i < len(w); i++ {
		switch w[i] {
		case '/':
			slashes++
			if i > 0 && i+1 < len(w) && w[i-1] == ':' && w[i+1] == '/' {
				return true
			}
		case '@':
			return i > 0 && i+1 < len(w)
		}
	}
	return slashes > 1 || len(w) > 4 && w[:4] == "www."
}
