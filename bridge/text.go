package bridge

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxQuoted is how many characters of somebody's text an error quotes.
const maxQuoted = 80

// maxChoices is how many names an error lists.
const maxChoices = 12

// Quote puts text into an error: in double quotes, on one line, without control
// characters, cut after 80 characters. An empty text is said in words.
func Quote(s string) string {
	if s == "" {
		return "an empty text"
	}
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for _, c := range s {
		if n == maxQuoted {
			b.WriteString("…")
			break
		}
		n++
		if unicode.IsControl(c) || c == '\u2028' || c == '\u2029' {
			c = ' '
		}
		b.WriteRune(c)
	}
	b.WriteByte('"')
	return b.String()
}

// Choices lists names for an error: at most 12, in the order given (put the
// nearest first), then how many more there are and the call that names them all:
// "… and 5 more: call sandbox_list_fonts". A single one more is named like the
// others, and without a call to name all of them are.
func Choices(names []string, call string) string {
	if len(names) <= maxChoices+1 || call == "" {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:maxChoices], ", ") + " … and " + strconv.Itoa(len(names)-maxChoices) + " more: call " + call
}

// Sentences puts sentences after one another; each ends with a full stop unless
// it has a stop of its own.
func Sentences(list []string) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
		if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "!") {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// Nearest sorts names by their likeness to want, the nearest first; equally
// near ones keep their order. The slice given is left as it is.
func Nearest(want string, names []string) []string {
	type ranked struct {
		name string
		cost int
	}
	w := likened(want)
	list := make([]ranked, len(names))
	for i, n := range names {
		list[i] = ranked{n, likeness(w, fold(n))}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return a.cost - b.cost })
	out := make([]string, len(list))
	for i, r := range list {
		out[i] = r.name
	}
	return out
}

// maxLikened is how many letters of a name are compared with the names there are.
const maxLikened = 100

func likened(want string) []rune {
	if len(want) > 4*maxLikened {
		want = strings.ToValidUTF8(want[:4*maxLikened], "")
	}
	w := fold(want)
	return w[:min(len(w), maxLikened)]
}

// Closest gives the nearest name when it is near enough to be what was meant:
// at most a third of its letters differ, it alone begins so, or one contains the
// other.
func Closest(want string, names []string) (string, bool) {
	w := likened(want)
	best, cost := "", 0
	for _, n := range names {
		if c := likeness(w, fold(n)); best == "" || c < cost {
			best, cost = n, c
		}
	}
	if best == "" || len(w) == 0 {
		return "", false
	}
	f := fold(best)
	if distance(w, f)*3 <= max(len(w), len(f)) {
		return best, true
	}
	var begun []string // by what may be short for them, as w for width
	for _, n := range names {
		if strings.HasPrefix(string(fold(n)), string(w)) {
			begun = append(begun, n)
		}
	}
	if len(begun) == 1 {
		return begun[0], true
	}
	if len(w) >= 3 && len(f) >= 3 && (strings.Contains(string(f), string(w)) || strings.Contains(string(w), string(f))) {
		return best, true
	}
	return "", false
}

// fold drops case and separators, and bounds the length: nothing longer is a
// misspelt name.
func fold(s string) []rune {
	out := make([]rune, 0, 64)
	for _, c := range s {
		if c == '_' || c == '-' || c == ' ' || c == '.' {
			continue
		}
		if len(out) == 64 {
			break
		}
		out = append(out, unicode.ToLower(c))
	}
	return out
}

// likeness is the edit distance, lowered when one word contains the other, in
// halves so that an equally distant contained word comes first.
func likeness(a, b []rune) int {
	d := 2 * distance(a, b)
	if len(a) >= 3 && len(b) >= 3 && (strings.Contains(string(a), string(b)) || strings.Contains(string(b), string(a))) {
		d = d/2 - 1
	}
	return d
}

// distance counts insertions, deletions, substitutions and swaps of two
// neighbours (optimal string alignment).
func distance(a, b []rune) int {
	before := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

// WellFormedJSON replaces, in JSON text, lone surrogates written as \ud800
// escapes and bytes that are no UTF-8 by U+FFFD. Text without fault is returned
// as it is.
func WellFormedJSON(text []byte) []byte {
	if !utf8.Valid(text) {
		text = []byte(string([]rune(string(text)))) // one U+FFFD for each bad byte, as encoding/json does
	}
	return withoutLoneSurrogates(text)
}

// withoutLoneSurrogates does the first part of WellFormedJSON.
func withoutLoneSurrogates(text []byte) []byte {
	var out []byte // begun at the first fault
	copied := 0
	for i := 0; i < len(text); i++ {
		slash := bytes.IndexByte(text[i:], '\\')
		if slash < 0 {
			break
		}
		i += slash
		hi, ok := escapedUnit(text, i)
		if !ok {
			i++ // the escaped character
			continue
		}
		if hi >= 0xD800 && hi < 0xDC00 {
			if lo, ok := escapedUnit(text, i+6); ok && lo >= 0xDC00 && lo < 0xE000 {
				i += 11
				continue
			}
		}
		if hi >= 0xD800 && hi < 0xE000 {
			out = append(out, text[copied:i]...)
			out = append(out, `\ufffd`...)
			copied = i + 6
		}
		i += 5
	}
	if out == nil {
		return text
	}
	return append(out, text[copied:]...)
}

// escapedUnit reads a \uXXXX escape at i.
func escapedUnit(text []byte, i int) (rune, bool) {
	if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
		return 0, false
	}
	var v rune
	for _, c := range text[i+2 : i+6] {
		switch {
		case '0' <= c && c <= '9':
			v = v<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			v = v<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			v = v<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

// ShortNumber writes a number for an error: in full while that is short.
func ShortNumber(x float64) string {
	if s := strconv.FormatFloat(x, 'f', -1, 64); len(s) <= 12 {
		return s
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
