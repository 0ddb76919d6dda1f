// Package highlight finds the kinds of words in a program's text, for listings
// whose words are coloured by their part (settings.md 16, codeStyle.tokens).
//
// It is no parser. A language is a row of a table: its keywords and types, how
// comments and strings begin and end, what may stand in a name. One scanner reads
// them all, in one pass and linear time; a few languages that are not made of
// words and strings (markup, style sheets, configuration, differences, sessions
// at a console) have a scanner of their own. What it does not know keeps the
// colour of code.
package highlight

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a word of a program is. The order is that of
// settings.TokenNames.
type Kind uint8

// Kinds of words.
const (
	Keyword Kind = iota
	String
	Number
	Comment
	Function
	Type
	Variable
	Meta
	Output
	Prompt
	Operator
	Punctuation
)

// Token is a stretch of the text of one kind; what lies between tokens is plain.
type Token struct {
	Start, End int // byte offsets
	Kind       Kind
}

// Known reports whether a language has a row.
func Known(name string) bool { return find(name) != nil }

// Tokens reads a program in a language; nil when the language is not known.
// Tokens stand in order and do not overlap. stop, when not nil, is asked now and then
// in a long text; once it says yes the reading ends where it stands.
func Tokens(name, src string, stop func() bool) []Token {
	l := find(name)
	if l == nil {
		return nil
	}
	s := scanner{lang: l, src: src, stop: stop}
	if l.scan != nil {
		l.scan(&s)
	} else {
		s.program()
	}
	return s.out
}

// scanner is one reading of a text.
type scanner struct {
	lang *language
	src  string
	i    int
	out  []Token

	stop    func() bool
	asked   int
	stopped bool
}

// askEvery is how many steps are taken between two calls of stop.
const askEvery = 512

// more reports whether there is more to read.
func (s *scanner) more() bool {
	if s.asked++; s.stop != nil && s.asked%askEvery == 0 {
		s.stopped = s.stopped || s.stop()
	}
	return s.i < len(s.src) && !s.stopped
}

// emit adds a token up to end and goes on there.
func (s *scanner) emit(end int, k Kind) {
	if end > s.i {
		if n := len(s.out); n > 0 && s.out[n-1].End == s.i && s.out[n-1].Kind == k {
			s.out[n-1].End = end
		} else {
			s.out = append(s.out, Token{s.i, end, k})
		}
		s.i = end
	}
}

func (s *scanner) rest() string { return s.src[s.i:] }

// lineEnd is the end of the line offset i stands in, its line feed left out.
func (s *scanner) lineEnd(i int) int {
	if n := strings.IndexByte(s.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s.src)
}

// program reads a text of words, strings and comments.
func (s *scanner) program() {
	l := s.lang
	start := true // of a line, blanks aside
	prev := byte(0)
	for s.more() {
		c := s.src[s.i]
		switch {
		case c == '\n':
			s.i++
			start, prev = true, 0
			continue
		case c == ' ' || c == '\t' || c == '\r':
			s.i++
			continue
		case s.comment(start), l.meta != "" && s.meta(start), s.text():
		case c >= '0' && c <= '9' || c == '.' && s.i+1 < len(s.src) && isDigit(s.src[s.i+1]) && !nameByte(prev):
			s.emit(number(s.src, s.i), Number)
		case l.sigils != "" && strings.IndexByte(l.sigils, c) >= 0 && s.i+1 < len(s.src) && (nameByte(s.src[s.i+1]) || s.src[s.i+1] == '{'):
			s.sigil()
		case nameStart(s.src, s.i):
			s.word(prev)
		case strings.IndexByte("()[]{},;", c) >= 0:
			s.emit(s.i+1, Punctuation)
		case c < utf8.RuneSelf:
			s.emit(s.i+1, Operator)
		default:
			_, n := utf8.DecodeRuneInString(s.rest())
			s.i += n
		}
		start = false
		prev = s.src[s.i-1]
	}
}

// comment reads a comment.
func (s *scanner) comment(start bool) bool {
	l := s.lang
	for _, open := range l.line {
		if strings.HasPrefix(s.rest(), open) && (!l.hashAtWord || s.i == 0 || isBlank(s.src[s.i-1])) {
			s.emit(s.lineEnd(s.i), Comment)
			return true
		}
	}
	for _, b := range l.block {
		if strings.HasPrefix(s.rest(), b[0]) {
			end := len(s.src)
			if n := strings.Index(s.src[s.i+len(b[0]):], b[1]); n >= 0 {
				end = s.i + len(b[0]) + n + len(b[1])
			}
			s.emit(end, Comment)
			return true
		}
	}
	return false
}

// meta reads a preprocessor line, an attribute or a decorator.
func (s *scanner) meta(start bool) bool {
	l := s.lang
	c := s.src[s.i]
	if strings.IndexByte(l.meta, c) < 0 {
		return false
	}
	switch c {
	case '#':
		if strings.HasPrefix(s.rest(), "#[") || strings.HasPrefix(s.rest(), "#![") { // Rust
			if n := strings.IndexByte(s.rest(), ']'); n > 0 {
				s.emit(s.i+n+1, Meta)
				return true
			}
		}
		if !start {
			return false
		}
		end := s.i + 1
		for end < len(s.src) && (s.src[end] == ' ' || s.src[end] == '\t') {
			end++
		}
		s.emit(wordEnd(s.src, end, ""), Meta)
		return true
	case '@':
		end := wordEnd(s.src, s.i+1, ".")
		if end == s.i+1 {
			return false
		}
		s.emit(end, Meta)
		return true
	}
	return false
}

// text reads a string.
func (s *scanner) text() bool {
	for _, q := range s.lang.quotes {
		open := q.open
		if !strings.HasPrefix(s.rest(), open) {
			continue
		}
		if open == "'" && s.lang.lifetimes && !isChar(s.src, s.i) {
			continue // a lifetime or a label
		}
		i := s.i + len(open)
		for i < len(s.src) {
			switch {
			case q.escape && s.src[i] == '\\' && i+1 < len(s.src):
				i += 2
				continue
			case strings.HasPrefix(s.src[i:], q.close):
				s.emit(i+len(q.close), String)
				return true
			case s.src[i] == '\n' && !q.lines:
				s.emit(i, String)
				return true
			}
			i++
		}
		s.emit(len(s.src), String)
		return true
	}
	return false
}

// isChar tells 'x' from a lifetime.
func isChar(src string, i int) bool {
	if i+1 < len(src) && src[i+1] == '\\' {
		return true
	}
	_, n := utf8.DecodeRuneInString(src[i+1:])
	return i+1+n < len(src) && src[i+1+n] == '\''
}

// sigil reads a name that a sign marks as a variable: $x, ${x}, @x.
func (s *scanner) sigil() {
	i := s.i + 1
	if s.src[i] == '{' {
		if n := strings.IndexByte(s.src[i:], '}'); n > 0 && n < 200 {
			s.emit(i+n+1, Variable)
			return
		}
		s.emit(i, Operator)
		return
	}
	s.emit(wordEnd(s.src, i, ""), Variable)
}

// word reads a name and tells what it is.
func (s *scanner) word(prev byte) {
	l := s.lang
	end := wordEnd(s.src, s.i, l.inName)
	w := s.src[s.i:end]
	key := w
	if l.caseless {
		key = strings.ToLower(w)
	}
	after := end
	for after < len(s.src) && s.src[after] == ' ' {
		after++
	}
	if l.macros && after == end && after < len(s.src) && s.src[after] == '!' {
		s.emit(end+1, Function)
		return
	}
	// A string may carry a prefix: r"…", f'…', b"…".
	if l.prefixed && len(w) <= 2 && end < len(s.src) && (s.src[end] == '"' || s.src[end] == '\'') && strings.Trim(strings.ToLower(w), "rbuf") == "" {
		s.emit(end, String)
		return
	}
	switch {
	case prev == '.' && l.members:
		if after < len(s.src) && s.src[after] == '(' {
			s.emit(end, Function)
			return
		}
		s.i = end
	case l.keywords[key]:
		s.emit(end, Keyword)
	case l.types[key]:
		s.emit(end, Type)
	case l.constants[key]:
		s.emit(end, Number)
	case after < len(s.src) && s.src[after] == '(' && !l.noCalls:
		s.emit(end, Function)
	case l.capitals && unicode.IsUpper(rune(w[0])) && strings.ToUpper(w) != w:
		s.emit(end, Type)
	case l.keys != "" && after < len(s.src) && strings.IndexByte(l.keys, s.src[after]) >= 0:
		s.emit(end, Variable)
	default:
		s.i = end
	}
}

// number is the end of a number that begins at i.
func number(src string, i int) int {
	start := i
	for i < len(src) {
		c := src[i]
		if isDigit(c) || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' && i+1 < len(src) && isDigit(src[i+1]) {
			i++
			continue
		}
		if (c == '+' || c == '-') && i > start && src[i-1]|0x20 == 'e' && !strings.HasPrefix(src[start:], "0x") {
			i++
			continue
		}
		break
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func nameByte(c byte) bool {
	return c == '_' || isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

func nameStart(src string, i int) bool {
	c := src[i]
	if c < utf8.RuneSelf {
		return nameByte(c) && !isDigit(c)
	}
	r, _ := utf8.DecodeRuneInString(src[i:])
	return unicode.IsLetter(r)
}

// wordEnd is the end of a name; more are bytes that may stand inside one.
func wordEnd(src string, i int, more string) int {
	for i < len(src) {
		c := src[i]
		switch {
		case c < utf8.RuneSelf:
			if !nameByte(c) && (more == "" || strings.IndexByte(more, c) < 0 || i+1 >= len(src) || !nameByte(src[i+1])) {
				return i
			}
			i++
		default:
			r, n := utf8.DecodeRuneInString(src[i:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
				return i
			}
			i += n
		}
	}
	return i
}
