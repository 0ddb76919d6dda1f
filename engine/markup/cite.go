package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CiteItem is one work of a citation (section 10), its parts as written.
type CiteItem struct {
	Prefix     string
	NoAuthor   bool // -@key
	Key        string
	Locator    string // what stands after the key's comma, locator and suffix
	Bare       bool   // no comma stands before it
	Start, End int    // byte span in the text given
}

// keyEnd returns the end of the citation key at i: a letter, digit or _, then
// those and inner :.#$%&-+?<>~/ signs; a Latin key ends where an East Asian
// script begins.
func keyEnd(s string, i int) int {
	end := i
	latin := false
	for j := i; j < len(s); {
		r, n := utf8.DecodeRuneInString(s[j:])
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			if j == i {
				latin = !isEastAsian(r)
			} else if latin && isEastAsian(r) {
				return end
			}
			end = j + n
		case j > i && r < 0x80 && strings.IndexByte(":.#$%&-+?<>~/", byte(r)) >= 0:
		default:
			return end
		}
		j += n
	}
	return end
}

// cite reads a narrative citation @key [locator], or a reference @fig:id.
func (in *inliner) cite(i int) int {
	s := in.buf
	if in.flags&flagCell != 0 || in.chips > 0 || isWordRune(runeBefore(s, i)) {
		return i
	}
	end := keyEnd(s, i+1)
	if end == i+1 {
		return i
	}
	key := s[i+1 : end]
	if id := unprefixed(key); id != key {
		in.atom(i, end, Inline{Kind: Ref, ID: key, Target: id})
		return end
	}
	next := end
	if k := end; k < len(s) && s[k] == ' ' {
		for k < len(s) && s[k] == ' ' {
			k++
		}
		if k < len(s) && s[k] == '[' && k+1 < len(s) && s[k+1] != '^' {
			n := strings.IndexAny(s[k+1:], "[]@\n")
			if n > 0 && s[k+1+n] == ']' {
				after := byte(0)
				if k+2+n < len(s) {
					after = s[k+2+n]
				}
				if after != '(' && after != '[' && after != '{' && after != ':' {
					next = k + 2 + n
				}
			}
		}
	}
	in.atom(i, next, Inline{Kind: Citation, Text: s[i:next], ID: key})
	return next
}

// ParseCitation reads a citation as written, [@key, p. 3; see @other] or
// @key [p. 3], into its items; narrative tells the second form. No items: it is
// no citation.
func ParseCitation(text string) (items []CiteItem, narrative bool) {
	if strings.HasPrefix(text, "@") {
		end := keyEnd(text, 1)
		it := CiteItem{Key: text[1:end], End: len(text)}
		if i := strings.IndexByte(text[end:], '['); i >= 0 {
			it.Locator = strings.Trim(text[end+i+1:], "[] ")
		}
		return []CiteItem{it}, true
	}
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, false
	}
	from := 1
	for from < len(text) {
		end := len(text) - 1
		if i := strings.IndexByte(text[from:end], ';'); i >= 0 {
			end = from + i
		}
		it, ok := citeItem(text[from:end])
		if !ok {
			return nil, false
		}
		it.Start += from
		it.End += from
		items = append(items, it)
		from = end + 1
	}
	return items, false
}

// citeItem reads prefix, -@key, locator and suffix.
func citeItem(s string) (it CiteItem, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] != '@' || i > 0 && (s[i-1] == '\\' || isWordRune(runeBefore(s, i))) {
			continue
		}
		end := keyEnd(s, i+1)
		if end == i+1 {
			continue
		}
		it.Key = s[i+1 : end]
		pre := s[:i]
		if strings.HasSuffix(pre, "-") {
			it.NoAuthor = true
			pre = pre[:len(pre)-1]
		}
		it.Prefix = strings.TrimSpace(pre)
		rest := strings.TrimSpace(s[end:])
		rest, comma := strings.CutPrefix(rest, ",")
		it.Locator, it.Bare = strings.TrimSpace(rest), !comma
		it.Start = len(s) - len(strings.TrimLeft(s, " \t\n"))
		it.End = it.Start + len(strings.TrimSpace(s))
		return it, true
	}
	return it, false
}

// citation makes the bracket b, closed at i, a citation or a list of
// references when each of its parts has a key. It returns the offset after it,
// 0 when the brackets are text.
func (in *inliner) citation(b bracket, i int) int {
	s := in.buf
	if in.chips > 0 || strings.IndexByte(s[b.pos:i], '@') < 0 {
		return 0
	}
	switch runeBefore(s, b.start) {
	case '\\', '!', ']':
		return 0
	}
	if i+1 < len(s) && strings.IndexByte("({[:", s[i+1]) >= 0 {
		return 0
	}
	items, _ := ParseCitation(s[b.start : i+1])
	if items == nil {
		return 0
	}
	in.active = in.active[:b.active]
	in.nodes = in.nodes[:b.node]
	in.textStart = b.start
	refs := true
	for _, it := range items {
		refs = refs && it.Prefix == "" && it.Locator == "" && unprefixed(it.Key) != it.Key
	}
	if !refs {
		in.atom(b.start, i+1, Inline{Kind: Citation, Text: s[b.start : i+1], ID: items[0].Key})
		return i + 1
	}
	for k, it := range items {
		from, to := b.start+it.Start, b.start+it.End
		if k == 0 {
			from = b.start
		} else {
			in.textStart = b.start + items[k-1].End
		}
		if k == len(items)-1 {
			to = i + 1
		}
		a := Inline{Kind: Ref, ID: it.Key, Target: unprefixed(it.Key)}
		if it.NoAuthor {
			a.Attrs = Attrs{{Key: "style", Value: "number"}}
		}
		in.atom(from, to, a)
	}
	in.textStart = i + 1
	return i + 1
}
