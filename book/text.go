package book

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanText makes a chapter's text of what a file or a tool gives: a byte order
// mark at the start is dropped, CRLF and lone CR become LF, what is not UTF-8
// and NUL become U+FFFD.
func CleanText(s string) string {
	s = strings.TrimPrefix(s, "\uFEFF")
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// Cleaned says in words what CleanText changes of a text, "" when nothing.
func Cleaned(s string) string {
	var did []string
	if strings.HasPrefix(s, "\uFEFF") {
		did = append(did, "the byte order mark at the start was left out")
	}
	if strings.IndexByte(s, '\r') >= 0 {
		did = append(did, "lines end in LF, not CR LF or CR")
	}
	// Half of a surrogate pair in JSON is U+FFFD by the time it is a string.
	if n := strings.Count(CleanText(s), "\uFFFD"); n > 0 {
		did = append(did, "it holds U+FFFD (�), which stands for NUL, half of a surrogate pair and what is not UTF-8, "+times(n))
	}
	return strings.Join(did, "; ")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// FrontMatter returns the lines between the two `---` lines at the head of a
// text and the byte offset at which the body starts. Without a closing line
// there is no front matter and body is 0.
func FrontMatter(markdown string) (matter string, body int) {
	first, _, _ := strings.Cut(markdown, "\n")
	if !isRule(first) || len(first) == len(markdown) {
		return "", 0
	}
	start := len(first) + 1
	for at := start; at < len(markdown); {
		line, _, more := strings.Cut(markdown[at:], "\n")
		end := at + len(line)
		if more {
			end++
		}
		if isRule(line) {
			return markdown[start:at], end
		}
		at = end
	}
	return "", 0
}

func isRule(line string) bool { return strings.TrimRight(line, " \t") == "---" }

// matterValue is the plain value of a key at the top of a front matter, for
// labels: a scalar on the key's line, without quotes, or a list in brackets.
// The typesetter reads front matter as YAML; this does not.
func matterValue(matter, key string) string {
	for line := range strings.Lines(matter) {
		v, ok := strings.CutPrefix(strings.TrimRight(line, " \t\n"), key+":")
		if !ok || v != "" && v[0] != ' ' && v[0] != '\t' {
			continue
		}
		v = strings.TrimSpace(v)
		if list, ok := strings.CutPrefix(v, "["); ok {
			items := strings.Split(strings.TrimSuffix(list, "]"), ",")
			for i := range items {
				items[i] = unquote(strings.TrimSpace(items[i]))
			}
			return strings.Join(items, ", ")
		}
		if strings.HasPrefix(v, "|") || strings.HasPrefix(v, ">") || strings.HasPrefix(v, "{") {
			return ""
		}
		return unquote(v)
	}
	return ""
}

// unquote drops the quotes of a YAML scalar, or the comment after a bare one.
func unquote(v string) string {
	if len(v) >= 2 && (v[0] == '"' || v[0] == '\'') {
		if end := strings.IndexByte(v[1:], v[0]); end >= 0 {
			return v[1 : end+1]
		}
	}
	if strings.HasPrefix(v, "#") {
		return ""
	}
	if i := strings.Index(v, " #"); i >= 0 {
		v = v[:i]
	}
	return strings.TrimSpace(v)
}

// Heading is a level-1 heading found in a text.
type Heading struct {
	Offset int    // byte at which its line starts
	Title  string // plain, as DeriveTitle gives it
}

// Headings returns the level-1 headings of a text (sandbox.md 4.1): those in
// front matter and in code fences do not count.
func Headings(markdown string) []Heading {
	var out []Heading
	eachHeading(markdown, func(at int, text string) bool {
		out = append(out, Heading{at, plainTitle(text)})
		return true
	})
	return out
}

// eachHeading calls f for the level-1 headings in order until it says false.
func eachHeading(markdown string, f func(at int, text string) bool) {
	_, at := FrontMatter(markdown)
	fence := "" // the marker of the open fence
	for at < len(markdown) {
		line, _, _ := strings.Cut(markdown[at:], "\n")
		start := at
		at += len(line) + 1
		t := strings.TrimLeft(line, " ")
		mark := fenceMark(t)
		switch {
		case len(line)-len(t) > 3:
		case fence != "":
			if len(mark) >= len(fence) && mark[0] == fence[0] && strings.TrimSpace(t[len(mark):]) == "" {
				fence = ""
			}
		case mark != "":
			if mark[0] == '~' || strings.IndexByte(t[len(mark):], '`') < 0 {
				fence = mark
			}
		case strings.HasPrefix(line, "# "):
			if !f(start, line[2:]) {
				return
			}
		}
	}
}

// fenceMark returns the run of three or more backticks or tildes at the start.
func fenceMark(s string) string {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return s[:n]
}

// DeriveTitle is the title of a chapter by its text: the first level-1 heading
// without markup, else the front matter's title, else the fallback.
func DeriveTitle(markdown, fallback string) string {
	title := ""
	eachHeading(markdown, func(_ int, text string) bool {
		title = plainTitle(text)
		return title == ""
	})
	if title != "" {
		return title
	}
	matter, _ := FrontMatter(markdown)
	if title = strings.TrimSpace(matterValue(matter, "title")); title != "" {
		return title
	}
	return fallback
}

// plainTitle takes the markup out of a heading: trailing attributes, forced line
// breaks, emphasis and code marks, links (their text stays), escapes.
func plainTitle(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasSuffix(s, "}") {
		if i := strings.LastIndexByte(s, '{'); i >= 0 {
			s = strings.TrimSpace(s[:i])
		}
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && s[i+1] == '\\':
			b.WriteByte(' ')
			i += 2
		case c == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
		case c == '\\' && i+1 == len(s):
			i++
		case c == '*' || c == '`':
			i++
		case c == '_' && !(inWord(s, i)):
			i++
		case c == '!' && i+1 < len(s) && s[i+1] == '[' && linkAt(s[i+1:]) > 0:
			i++
		case c == '[':
			if n := linkAt(s[i:]); n > 0 {
				inner := s[i+1 : i+strings.IndexByte(s[i:], ']')]
				b.WriteString(plainTitle(inner))
				i += n
				continue
			}
			b.WriteByte(c)
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// linkAt is the length of `[text](target)` or `[text]{…}` at the start of s, 0
// when there is none.
func linkAt(s string) int {
	close := strings.IndexByte(s, ']')
	if close < 0 || close+1 >= len(s) || strings.IndexByte(s[1:close], '[') >= 0 {
		return 0
	}
	end := map[byte]byte{'(': ')', '{': '}'}[s[close+1]]
	if end == 0 {
		return 0
	}
	n := strings.IndexByte(s[close:], end)
	if n < 0 {
		return 0
	}
	return close + n + 1
}

func isPunct(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && !('0' <= c && c <= '9') && !('a' <= c|0x20 && c|0x20 <= 'z')
}

// inWord reports whether the byte at i has letters or digits on both sides.
func inWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	return isWord(before) && isWord(after)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Words counts the words of a text (sandbox.md 4.1): a word is a run that starts
// with a letter or digit and goes on with letters, digits, apostrophes and
// hyphens; front matter is left out. With cjk every Han, kana or hangul
// character counts one, and so does each other word between them.
func Words(markdown string, cjk bool) int {
	_, body := FrontMatter(markdown)
	s := markdown[body:]
	n := 0
	in := false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch wordByte[c] {
			case wordStart:
				if !in {
					n++
					in = true
				}
			case wordOther:
				in = false
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case cjk && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n++
			in = false
		case isWord(r):
			if !in {
				n++
				in = true
			}
		case in && (r == '’' || r == '\u2010' || r == '\u2011' || r == '\u00AD' || unicode.IsMark(r)):
		default:
			in = false
		}
	}
	return n
}

// Kinds of ASCII characters for Words.
const (
	wordOther = iota
	wordStart
	wordInside
)

var wordByte = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
			t[c] = wordStart
		case c == '\'' || c == '-':
			t[c] = wordInside
		}
	}
	return t
}()
