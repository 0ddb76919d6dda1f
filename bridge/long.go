package bridge

import "bytes"

// LongText is the length in bytes from which WithoutLongTexts cuts the contents
// of a JSON string, and KeptText how many characters at least are left of it: an
// escaped pair of surrogates takes twelve bytes.
const (
	LongText = 64 << 10
	KeptText = (LongText - 12) / 12
)

// WithoutLongTexts gives JSON text with its long strings cut, for readers to whom
// the rest of them does not matter: the length of a call is the length of the
// chapter or file in it, and reading that through takes the window's thread too
// long. Keys stay whole, and so does a string that is no JSON inside. Without
// long strings the text is returned as it is. With sound the text is known to be
// JSON, as JSON.stringify writes it, and its strings are not looked at inside.
func WithoutLongTexts(text []byte, sound bool) []byte {
	var out []byte
	copied := 0
	for i := 0; len(text)-i > LongText; {
		quote := bytes.IndexByte(text[i:], '"')
		if quote < 0 {
			break
		}
		i += quote
		end := stringEnd(text, i)
		if end-i-2 > LongText && isValue(text, end) && (sound || soundString(text[i+1:end])) {
			kept := cutString(text[i+1:end], LongText)
			out = append(out, text[copied:i+1+kept]...)
			copied = end - 1
		}
		i = end
	}
	if out == nil {
		return text
	}
	return append(out, text[copied:]...)
}

// isValue tells a string's end from that of a key, and from that of the text.
func isValue(text []byte, end int) bool {
	rest := bytes.TrimLeft(text[end:], " \t\r\n")
	return len(rest) > 0 && rest[0] != ':'
}

// soundString reports whether s, the contents of a JSON string with the closing
// quote, is one that a decoder takes.
func soundString(s []byte) bool {
	if s[len(s)-1] != '"' {
		return false
	}
	s = s[:len(s)-1]
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < 0x20 {
			return false
		}
		if c != '\\' {
			continue
		}
		i++ // stringEnd did not take the quote for escaped: there is a byte
		switch s[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			if _, ok := escapedUnit(s, i-1); !ok {
				return false
			}
			i += 4
		default:
			return false
		}
	}
	return true
}

// cutString gives where to cut the contents of a sound JSON string, at n bytes or
// a little before: not within a character, an escape or a pair of escapes.
func cutString(s []byte, n int) int {
	at := 0
	for at < n {
		size := 1
		switch {
		case s[at] == '\\' && s[at+1] == 'u':
			size = 6
			if at+12 <= len(s) && s[at+6] == '\\' && s[at+7] == 'u' {
				size = 12 // perhaps a pair
			}
		case s[at] == '\\':
			size = 2
		default:
			for at+size < len(s) && s[at+size]&0xC0 == 0x80 {
				size++
			}
		}
		if at+size > n {
			break
		}
		at += size
	}
	return at
}

// stringEnd gives the index after the closing quote of the JSON string that
// opens at i, or the end of the text.
func stringEnd(text []byte, i int) int {
	for j := i + 1; j < len(text); j++ {
		k := bytes.IndexByte(text[j:], '"')
		if k < 0 {
			break
		}
		j += k
		slash := j
		for slash > i+1 && text[slash-1] == '\\' {
			slash--
		}
		if (j-slash)%2 == 0 {
			return j + 1
		}
	}
	return len(text)
}
