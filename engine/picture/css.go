package picture

import (
	"sort"
	"strings"
)

// Style sheets inside drawings: rules whose selectors are made of element names,
// classes, ids and the descendant's blank. Other selectors match nothing.

const maxRules = 2000

// rule is one selector with its declarations.
type rule struct {
	parts []compound // outermost first
	weight,
	order int
	decls []attr
}

// compound is what one element must be.
type compound struct {
	name, id string
	classes  []string
}

// sheet is a drawing's rules, lightest first.
type sheet []rule

func (s *sheet) read(css string) {
	css = stripComments(css)
	for css != "" && len(*s) < maxRules {
		open := strings.IndexByte(css, '{')
		if open < 0 {
			return
		}
		head := strings.TrimSpace(css[:open])
		if strings.HasPrefix(head, "@") {
			css = pastBraces(css[open:])
			continue
		}
		body, rest, _ := strings.Cut(css[open+1:], "}")
		css = rest
		decls := declarations(body)
		for _, sel := range strings.Split(head, ",") {
			if r, ok := selector(sel); ok && len(*s) < maxRules {
				r.decls, r.order = decls, len(*s)
				*s = append(*s, r)
			}
		}
	}
}

func (s sheet) sorted() {
	sort.SliceStable(s, func(i, k int) bool { return s[i].weight < s[k].weight })
}

func stripComments(css string) string {
	var b strings.Builder
	for {
		k := strings.Index(css, "/*")
		if k < 0 {
			b.WriteString(css)
			return b.String()
		}
		b.WriteString(css[:k])
		css = past(css[k+2:], "*/")
	}
}

// pastBraces skips a block with the blocks inside it.
func pastBraces(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}

// declarations reads "name: value; …".
func declarations(s string) []attr {
	var out []attr
	for _, d := range strings.Split(s, ";") {
		name, value, ok := strings.Cut(d, ":")
		if !ok || len(out) >= 200 {
			continue
		}
		value = strings.TrimSpace(value)
		value = strings.TrimSpace(strings.TrimSuffix(value, "!important"))
		out = append(out, attr{strings.ToLower(strings.TrimSpace(name)), value})
	}
	return out
}

// selector reads one selector.
func selector(s string) (r rule, ok bool) {
	for _, word := range strings.Fields(s) {
		var c compound
		for word != "" {
			k := strings.IndexAny(word[1:], ".#") + 1
			if k == 0 {
				k = len(word)
			}
			part := word[:k]
			word = word[k:]
			switch {
			case strings.ContainsAny(part, "[]:>+~()"):
				return r, false
			case part[0] == '.':
				c.classes = append(c.classes, part[1:])
				r.weight += 100
			case part[0] == '#':
				c.id = part[1:]
				r.weight += 10000
			case part == "*":
			default:
				c.name = part
				r.weight++
			}
		}
		r.parts = append(r.parts, c)
	}
	return r, len(r.parts) > 0 && len(r.parts) < 20
}

func (c *compound) matches(e *element) bool {
	if c.name != "" && c.name != e.name || c.id != "" && c.id != e.attr("id") {
		return false
	}
	if len(c.classes) == 0 {
		return true
	}
	have := e.attr("class")
	for _, want := range c.classes {
		if !hasWord(have, want) {
			return false
		}
	}
	return true
}

// hasWord reports whether a list of words, blanks between them, has a word.
func hasWord(list, word string) bool {
	for rest := list; ; {
		k := strings.Index(rest, word)
		if k < 0 || word == "" {
			return false
		}
		at := len(list) - len(rest) + k
		end := at + len(word)
		if (at == 0 || list[at-1] <= ' ') && (end == len(list) || list[end] <= ' ') {
			return true
		}
		rest = rest[k+1:]
	}
}

// matches reports whether a rule holds for an element.
func (r *rule) matches(e *element) bool {
	n := len(r.parts) - 1
	if !r.parts[n].matches(e) {
		return false
	}
	for n--; n >= 0; n-- {
		for e = e.up; e != nil && !r.parts[n].matches(e); e = e.up {
		}
		if e == nil {
			return false
		}
	}
	return true
}
