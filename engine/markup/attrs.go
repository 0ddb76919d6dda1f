package markup

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// On reports a boolean attribute: a bare flag or "true" is on, "false" and "no"
// are off, anything else is on as well (it was written). An absent key is off.
func (a Attrs) On(key string) bool {
	v, ok := a.Get(key)
	return ok && v != "false" && v != "no"
}

// Off reports an attribute that says no: key=false or key=no.
func (a Attrs) Off(key string) bool {
	v, ok := a.Get(key)
	return ok && (v == "false" || v == "no")
}

// find returns the attribute whose value counts.
func (a Attrs) find(key string) (Attr, bool) {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i].Key == key {
			return a[i], true
		}
	}
	return Attr{}, false
}

// attrReader reads what stands between two braces. base is the source offset of
// s[0]; problems go to p.
type attrReader struct {
	p      *parser
	s      string
	base   int
	strict bool
}

// readAttrs reads the inside of an attribute block (document-format.md 3). In
// the lenient mode what is no token is passed over; in the strict mode ok is
// false when tokens do not cover the whole block or are not separated.
func (p *parser) readAttrs(s string, base int, strict bool) (attrs Attrs, ok bool) {
	r := attrReader{p: p, s: s, base: base, strict: strict}
	return r.read()
}

func skipBlank(s string, i int) int {
	for i < len(s) && (isBlankByte(s[i]) || strings.HasPrefix(s[i:], "\u3000")) {
		if s[i] >= utf8.RuneSelf {
			i += 2
		}
		i++
	}
	return i
}

func isKeyByte(c byte, first bool) bool {
	return isAlpha(c) || c == '_' || !first && (isDigit(c) || c == '-')
}

func (r *attrReader) read() (attrs Attrs, ok bool) {
	s := r.s
	var bad []Attr // keys outside ASCII
	separated := true
	for i := skipBlank(s, 0); i < len(s); {
		if !separated && r.strict {
			return nil, false
		}
		start := i
		switch c := s[i]; {
		case c == '#':
			end := scanID(s, i+1)
			if end > i+1 && validAnchor(s[i+1:end]) {
				attrs = append(attrs, Attr{Key: "id", Value: s[i+1 : end], Start: r.base + i + 1, End: r.base + end})
				i = end
			}
		case isKeyByte(c, true):
			for i++; i < len(s) && isKeyByte(s[i], false); i++ {
			}
			if i < len(s) && s[i] >= utf8.RuneSelf && !strings.HasPrefix(s[i:], "＝") && unicode.IsLetter(runeAt(s, i)) {
				if end, ok := foreignKey(s, start); ok {
					bad = append(bad, Attr{Key: s[start:end], Start: r.base + start, End: r.base + end})
					_, _, i, _ = r.value(s, end)
					break
				}
			}
			key, keyEnd := s[start:i], i
			if from, to, end, hasValue := r.value(s, i); hasValue {
				attrs = append(attrs, Attr{Key: key, Value: s[from:to], Start: r.base + from, End: r.base + to})
				i = end
			} else {
				attrs = append(attrs, Attr{Key: key, Flag: true, Start: r.base + start, End: r.base + keyEnd})
			}
		case c >= utf8.RuneSelf:
			if end, ok := foreignKey(s, i); ok {
				bad = append(bad, Attr{Key: s[start:end], Start: r.base + start, End: r.base + end})
				_, _, i, _ = r.value(s, end)
			}
		}
		if i == start { // no token
			if r.strict {
				return nil, false
			}
			for i < len(s) && !isBlankByte(s[i]) {
				i++
			}
		}
		quoted := i > start && (s[i-1] == '"' || s[i-1] == '\'' || strings.HasSuffix(s[start:i], "”") || strings.HasSuffix(s[start:i], "」"))
		next := skipBlank(s, i)
		separated = next > i || quoted
		i = next
	}
	for _, b := range bad {
		r.p.problem("attributeKeyInvalid", b.Key+"= is ignored: a key is written with ASCII letters, digits, - and _",
			b.Start, b.End, Attr{Key: "key", Value: b.Key})
	}
	return attrs, true
}

// foreignKey finds the end of a key with letters outside ASCII; it is a key
// only when a value follows.
func foreignKey(s string, i int) (end int, ok bool) {
	for end = i; end < len(s); {
		r, n := utf8.DecodeRuneInString(s[end:])
		if r == '＝' || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r != '-' {
			break
		}
		end += n
	}
	j := skipBlank(s, end)
	return end, end > i && j < len(s) && (s[j] == '=' || strings.HasPrefix(s[j:], "＝"))
}

// attrQuotes pairs each opening quote with its closing one.
var attrQuotes = [...][2]string{{`"`, `"`}, {`'`, `'`}, {"“", "”"}, {"「", "」"}}

// value reads "= value" after a key that ends at i.
func (r *attrReader) value(s string, i int) (from, to, end int, ok bool) {
	j := skipBlank(s, i)
	switch {
	case j < len(s) && s[j] == '=':
		j++
	case strings.HasPrefix(s[j:], "＝"):
		j += len("＝")
	default:
		return 0, 0, i, false
	}
	j = skipBlank(s, j)
	for _, q := range attrQuotes {
		if strings.HasPrefix(s[j:], q[0]) {
			if n := strings.Index(s[j+len(q[0]):], q[1]); n >= 0 {
				from = j + len(q[0])
				return from, from + n, from + n + len(q[1]), true
			}
			break
		}
	}
	for end = j; end < len(s) && !isBlankByte(s[end]); end++ {
	}
	return j, end, end, true
}

// bracesEnd returns the index of the } that ends the block opened by the { at
// i, or -1: the block stays on its line and holds no other brace.
func bracesEnd(s string, i int) int {
	n := strings.IndexAny(s[i+1:], "{}\n")
	if n < 0 || s[i+1+n] != '}' {
		return -1
	}
	return i + 1 + n
}

// headingAttrs splits the attribute block off a title. s is the title as
// written without trailing blanks; base its offset.
func (p *parser) headingAttrs(s string, base int) (title string, attrs Attrs) {
	if !strings.HasSuffix(s, "}") {
		return s, nil
	}
	open := strings.LastIndexByte(s, '{')
	if open <= 0 {
		return s, nil
	}
	inside := s[open+1 : len(s)-1]
	if strings.IndexByte(inside, '}') >= 0 {
		return s, nil
	}
	before := runeBefore(s, open)
	glued := before != ' ' && before != '\t' && before != '\u3000'
	if glued && !isChineseJapanese(before) {
		return s, nil
	}
	// A block with a brace in a value stays: "another brace" before the last
	// opening one that is not closed.
	if i := strings.LastIndexByte(s[:open], '{'); i >= 0 && strings.IndexByte(s[i:open], '}') < 0 {
		return s, nil
	}
	mark := len(p.doc.Problems)
	attrs, ok := p.readAttrs(inside, base+open+1, true)
	if !ok || len(attrs) == 0 && len(p.doc.Problems) == mark {
		p.doc.Problems = p.doc.Problems[:mark]
		return s, nil
	}
	if glued {
		flags := true
		for _, a := range attrs {
			flags = flags && a.Flag
		}
		if flags {
			p.doc.Problems = p.doc.Problems[:mark]
			return s, nil
		}
	}
	return strings.TrimRight(s[:open], " \t\u3000"), attrs
}

// Int reads a whole number from an attribute; ok is false when the attribute is
// absent or is none.
func (a Attrs) Int(key string) (n int, ok bool) {
	v, ok := a.Get(key)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(v))
	return n, err == nil
}
