package markup

import (
	"unicode"
	"unicode/utf8"
)

// Character classes the rules speak of.

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isAlpha(c byte) bool { return isLower(c | 0x20) }

// isBlankByte reports a space, a tab or a line end.
func isBlankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isASCIIPunct reports what a backslash can escape, the backslash included.
func isASCIIPunct(c byte) bool {
	return c > ' ' && c < 0x7F && !isDigit(c) && !isAlpha(c)
}

// isSpaceRune reports Unicode white space, and 0 for the text's two ends.
func isSpaceRune(r rune) bool {
	if r < 0x80 {
		return r == 0 || r == ' ' || (r >= '\t' && r <= '\r')
	}
	return unicode.Is(unicode.Zs, r)
}

// isPunctRune reports punctuation and symbols (CommonMark's sense).
func isPunctRune(r rune) bool {
	if r < 0x80 {
		return isASCIIPunct(byte(r))
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

func isWordRune(r rune) bool {
	if r < 0x80 {
		return r > 0 && (isDigit(byte(r)) || isAlpha(byte(r)))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isChineseJapanese reports ideographs, kana, bopomofo and full-width marks:
// the characters between which a line end leaves no space.
func isChineseJapanese(r rune) bool {
	switch {
	case r < 0x2E80:
		return false
	case r <= 0x303F, // radicals, CJK punctuation, ideographic space
		r >= 0x3040 && r <= 0x312F,   // kana, bopomofo
		r >= 0x3190 && r <= 0x31FF,   // kanbun, strokes, small kana
		r >= 0x3220 && r <= 0x9FFF,   // enclosed forms, ideographs
		r >= 0xF900 && r <= 0xFAFF,   // compatibility ideographs
		r >= 0xFE30 && r <= 0xFE4F,   // vertical forms
		r >= 0xFF01 && r <= 0xFF9F,   // full-width forms, half-width kana
		r >= 0x1B000 && r <= 0x1B16F, // kana supplement
		r >= 0x20000 && r <= 0x3FFFF: // ideographs, planes 2 and 3
		return true
	}
	return false
}

func isHangul(r rune) bool {
	return r >= 0x1100 && (r <= 0x11FF || r >= 0xAC00 && r <= 0xD7FF || r >= 0x3130 && r <= 0x318F ||
		r >= 0xA960 && r <= 0xA97F)
}

// isEastAsian reports the letters that do not count as word letters beside _.
func isEastAsian(r rune) bool { return isChineseJapanese(r) || isHangul(r) }

// isSharedMark reports the marks Chinese and Japanese share with the West.
func isSharedMark(r rune) bool {
	switch r {
	case '‘', '’', '“', '”', '–', '—', '―', '…', '‥', '·':
		return true
	}
	return false
}

// holdsRubyBase reports whether s has a Han, kana or bopomofo letter.
func holdsRubyBase(s string) bool {
	for _, r := range s {
		if r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo) {
			return true
		}
	}
	return false
}

func runeBefore(s string, i int) rune {
	if i <= 0 {
		return 0
	}
	if c := s[i-1]; c < utf8.RuneSelf {
		return rune(c)
	}
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}

func runeAt(s string, i int) rune {
	if i >= len(s) {
		return 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c)
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}

// isIDByte reports an ASCII byte of an anchor's or a note's id.
func isIDByte(c byte) bool {
	return isDigit(c) || isAlpha(c) || c == '-' || c == '_' || c == '.' || c == ':'
}

// scanID returns the end of the id that starts at i, i itself when there is
// none. Letters of any script count.
func scanID(s string, i int) int {
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if !isIDByte(c) {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		i += n
	}
	return i
}

// validAnchor: an id is letters, digits, - _ . : and starts with a letter, a
// digit or _.
func validAnchor(id string) bool {
	if id == "" || scanID(id, 0) != len(id) {
		return false
	}
	c := id[0]
	return c != '-' && c != '.' && c != ':'
}
