package math

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"postext/engine/unit"
)

// Tree is a formula read and not yet set.
type Tree struct {
	list []*node
	rows []Row
}

// Rows returns the lines of a display that carry labels, tags or may have
// numbers; a formula of one line has one.
func (t *Tree) Rows() []Row { return t.rows }

// Parse reads TeX source. An error is an *Error.
func Parse(src string) (*Tree, error) {
	if len(src) > maxSource {
		return nil, &Error{0, fmt.Sprintf("the formula has %d characters; set it as several of at most %d", len(src), maxSource)}
	}
	for i, r := range src {
		if r == utf8.RuneError && !strings.HasPrefix(src[i:], "\uFFFD") {
			return nil, &Error{i, "the formula has a byte that is no UTF-8: write its characters anew"}
		}
	}
	p := &parser{src: src, row: &Row{}}
	first := p.row
	list := p.list()
	if p.err == nil && p.row == first && p.at(`\\`) {
		// Lines without an environment: one under the other.
		a := &array{cols: []column{{align: 'c'}}, cell: display, jot: 300, strut: 840, top: 'c', spread: true}
		p.rows(a, "", list, 0)
		list = []*node{{what: arrays, class: inner, array: a}}
	}
	if p.err == nil && p.pos < len(p.src) {
		p.stray()
	}
	if p.err != nil {
		return nil, p.err
	}
	t := &Tree{list: list}
	for _, n := range list {
		if n.what == arrays && n.array.spread {
			for i := range n.array.rows {
				t.rows = append(t.rows, n.array.rows[i].label)
			}
		}
	}
	if len(t.rows) == 0 || len(first.Labels) > 0 || first.Tagged {
		t.rows = []Row{*first}
	}
	return t, nil
}

// parser reads a formula. The first error stays; every loop ends on it.
type parser struct {
	src   string
	pos   int
	depth int
	err   *Error

	alpha    alphabet
	ink      unit.Color
	row      *Row // takes labels and tags; nil inside groups
	fence    int  // open \left
	optional bool // a ] ends the list
}

func (p *parser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{at, fmt.Sprintf(format, args...)}
	}
}

// stray reports what no list can go on with.
func (p *parser) stray() {
	rest := p.src[p.pos:]
	switch {
	case rest[0] == '}':
		p.fail(p.pos, "a } closes no {: take it out or write \\}")
	case rest[0] == '&':
		p.fail(p.pos, "& aligns nothing here: put the lines between \\begin{aligned} and \\end{aligned}, or write \\&")
	case strings.HasPrefix(rest, `\right`):
		p.fail(p.pos, "\\right has no \\left before it")
	case strings.HasPrefix(rest, `\end`):
		p.fail(p.pos, "\\end closes no \\begin")
	default:
		p.fail(p.pos, "\\\\ ends a line where there are none: put the lines between \\begin{aligned} and \\end{aligned}")
	}
}

// blank skips spaces and comments.
func (p *parser) blank() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case c == '%':
			n := strings.IndexByte(p.src[p.pos:], '\n')
			if n < 0 {
				p.pos = len(p.src)
				return
			}
			p.pos += n + 1
		case strings.HasPrefix(p.src[p.pos:], "\u00a0"):
			p.pos += 2
		default:
			return
		}
	}
}

func (p *parser) at(s string) bool { return strings.HasPrefix(p.src[p.pos:], s) }

// command reads the name after a backslash: letters, or one other character.
// ok is false when there is no backslash here.
func (p *parser) command() (name string, ok bool) {
	if p.pos >= len(p.src) || p.src[p.pos] != '\\' {
		return "", false
	}
	i := p.pos + 1
	for i < len(p.src) && letter(p.src[i]) {
		i++
	}
	if i == p.pos+1 && i < len(p.src) {
		_, n := utf8.DecodeRuneInString(p.src[i:])
		i += n
	}
	name = p.src[p.pos+1 : i]
	p.pos = i
	if name == "" {
		p.fail(p.pos-1, "a backslash ends the formula: write \\backslash for the sign")
	}
	return name, true
}

// peek is the name of the command here, "" when there is none.
func (p *parser) peek() string {
	was := p.pos
	err := p.err
	name, _ := p.command()
	p.pos, p.err = was, err
	return name
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// ends reports whether a list ends here.
func (p *parser) ends() bool {
	if p.err != nil || p.pos >= len(p.src) {
		return true
	}
	switch p.src[p.pos] {
	case '}', '&':
		return true
	case ']':
		return p.optional
	case '\\':
		switch p.peek() {
		case "\\", "cr", "newline", "end", "right":
			return true
		}
	}
	return false
}

// enter counts the nesting; leave it with p.depth--.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.pos, "groups are nested more than %d deep: set the formula in parts", maxDepth)
	}
	return p.err == nil
}

// list reads a math list up to what ends it.
func (p *parser) list() []*node {
	if !p.enter() {
		return nil
	}
	alpha, ink := p.alpha, p.ink
	defer func() { p.depth--; p.alpha, p.ink = alpha, ink }()
	var out []*node
	for {
		p.blank()
		if p.ends() {
			return out
		}
		at := p.pos
		switch name := p.peek(); name {
		case "over", "atop", "choose", "brace", "brack", "above":
			p.command()
			n := &node{what: fraction, class: ord, at: at, body: out, align: 'c', ink: p.ink}
			switch name {
			case "atop":
				n.rule = unruled
			case "choose":
				n.rule, n.left, n.right = unruled, '(', ')'
			case "brace":
				n.rule, n.left, n.right = unruled, '{', '}'
			case "brack":
				n.rule, n.left, n.right = unruled, '[', ']'
			case "above":
				p.dimension()
			}
			n.second = p.list()
			return []*node{n}
		}
		ns := p.atom()
		if p.err != nil {
			return nil
		}
		if len(ns) == 0 {
			continue
		}
		p.scripts(ns[len(ns)-1])
		out = append(out, ns...)
	}
}

// scripts reads what is attached to a nucleus.
func (p *parser) scripts(n *node) {
	primes := 0
	flush := func() {
		for primes > 0 {
			k := min(primes, 4)
			r := []rune{'′', '″', '‴', '⁗'}[k-1]
			n.sup = append(n.sup, &node{what: symbol, r: r, at: n.at, ink: p.ink})
			n.has |= hasSup
			primes -= k
		}
	}
	for p.err == nil {
		p.blank()
		if p.pos >= len(p.src) {
			break
		}
		at := p.pos
		switch c := p.src[p.pos]; {
		case c == '\'':
			if n.has&hasSup != 0 {
				p.fail(at, "a prime after a superscript: write the prime first, or put braces around the base")
				return
			}
			p.pos++
			primes++
		case c == '^' || c == '_':
			which, what := hasSup, "superscript"
			if c == '_' {
				which, what = hasSub, "subscript"
			}
			if n.has&which != 0 {
				p.fail(at, "a second %s on one base: put braces around the base or around both scripts", what)
				return
			}
			p.pos++
			body := p.argument(string(c))
			if c == '^' {
				flush()
				n.sup = append(n.sup, body...)
			} else {
				n.sub = body
			}
			n.has |= which
		case c == '\\':
			switch p.peek() {
			case "limits":
				n.lim = limitsAlways
			case "nolimits":
				n.lim = limitsNever
			case "displaylimits":
				n.lim = limitsInDisplay
			default:
				flush()
				return
			}
			if n.class != op {
				p.fail(at, "\\limits belongs behind an operator such as \\sum; \\mathop{…} makes one")
				return
			}
			p.command()
		default:
			flush()
			return
		}
	}
	flush()
}

// argument reads what a command takes: a group in braces, or one atom.
func (p *parser) argument(of string) []*node {
	p.blank()
	if p.ends() && p.err == nil {
		p.fail(p.pos, "%s has nothing to stand on: give it an argument in braces", shown(of))
	}
	if p.err != nil {
		return nil
	}
	row := p.row
	p.row = nil
	defer func() { p.row = row }()
	if p.src[p.pos] == '{' {
		return p.braces()
	}
	if c := p.src[p.pos]; c == '^' || c == '_' {
		p.fail(p.pos, "%s and %c follow one another: put braces around what is meant", shown(of), c)
		return nil
	}
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	return p.atom()
}

// shown is how a command or character is named in a message.
func shown(of string) string {
	if len(of) > 0 && letter(of[0]) {
		return `\` + of
	}
	return of
}

// braces reads { … }.
func (p *parser) braces() []*node {
	at := p.pos
	p.pos++
	opt, row := p.optional, p.row
	p.optional, p.row = false, nil
	list := p.list()
	p.optional, p.row = opt, row
	p.close(at)
	return list
}

// close takes the } that belongs to the { at at.
func (p *parser) close(at int) {
	if p.err != nil {
		return
	}
	if p.pos >= len(p.src) {
		p.fail(at, "a { is never closed: add a }")
		return
	}
	if p.src[p.pos] != '}' {
		p.stray()
		return
	}
	p.pos++
}

// bracket reads an optional argument in brackets; ok is false without one.
func (p *parser) bracket() (list []*node, ok bool) {
	p.blank()
	if !p.at("[") {
		return nil, false
	}
	at := p.pos
	p.pos++
	opt, row := p.optional, p.row
	p.optional, p.row = true, nil
	list = p.list()
	p.optional, p.row = opt, row
	if p.err == nil && !p.at("]") {
		p.fail(at, "a [ is never closed: add a ]")
	}
	if p.err == nil {
		p.pos++
	}
	return list, true
}

// raw reads a braced argument as it is written.
func (p *parser) raw(of string) string {
	p.blank()
	at := p.pos
	if !p.at("{") {
		p.fail(at, "%s wants its argument in braces", shown(of))
		return ""
	}
	depth := 0
	for i := p.pos; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.pos = i + 1
				return p.src[at+1 : i]
			}
		}
	}
	p.fail(at, "a { is never closed: add a }")
	return ""
}

// rawBracket reads an optional argument as it is written.
func (p *parser) rawBracket() string {
	p.blank()
	if !p.at("[") {
		return ""
	}
	n := strings.IndexByte(p.src[p.pos:], ']')
	if n < 0 {
		p.fail(p.pos, "a [ is never closed: add a ]")
		return ""
	}
	s := p.src[p.pos+1 : p.pos+n]
	p.pos += n + 1
	return s
}

// sym makes the node of a character.
func (p *parser) sym(r rune, c class, at int) *node {
	return &node{what: symbol, r: r, class: c, at: at, ink: p.ink}
}

// atom reads one element. Nil without an error means that it prints nothing.
func (p *parser) atom() []*node {
	at := p.pos
	c := p.src[p.pos]
	switch c {
	case '\\':
		name, _ := p.command()
		if p.err != nil {
			return nil
		}
		return p.named(name, at)
	case '{':
		body := p.braces()
		if p.err != nil {
			return nil
		}
		return []*node{{what: group, class: ord, at: at, body: body, ink: p.ink}}
	case '^', '_', '\'':
		// Scripts of nothing, as in {}^{14}C.
		return []*node{{what: group, class: ord, at: at}}
	case '~':
		p.pos++
		return []*node{{what: space, class: none, at: at, width: length{em: 333}}}
	case '#':
		p.fail(at, "# stands for nothing here: write \\#")
		return nil
	case '$':
		p.fail(at, "a $ inside a formula: write \\$ for the sign")
		return nil
	}
	r, n := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += n
	switch r {
	case '-':
		r = '−'
	case '*':
		r = '∗'
	case '·', '•':
		r = '⋅'
	case '`':
		r = '‘'
	}
	cl := classes()[r]
	s := p.sym(p.alpha.in(r), cl, at)
	if cl == op {
		s.large = true
		if integral(r) {
			s.lim = limitsNever
		}
	}
	return []*node{s}
}

// named reads the element a command makes.
func (p *parser) named(name string, at int) []*node {
	if w, ok := spaces[name]; ok {
		return []*node{{what: space, class: none, at: at, width: length{em: w}}}
	}
	if a, ok := alphabetNames[name]; ok {
		return p.lettered(name, a, at)
	}
	if a, ok := switches[name]; ok {
		p.alpha = a
		return nil
	}
	if a, ok := accents[name]; ok {
		n := &node{what: accent, class: ord, at: at, r: a.r, ink: p.ink}
		if a.stretch {
			n.flags = flagStretch
		}
		n.body = p.argument(name)
		return []*node{n}
	}
	if strings.Contains(operators, " "+name+" ") || strings.Contains(limitOperators, " "+name+" ") {
		n := &node{what: words, class: op, at: at, name: name, lim: limitsNever, ink: p.ink, alpha: upright}
		if s, ok := spelled[name]; ok {
			n.name = strings.ReplaceAll(s, " ", "\u2009")
		}
		if strings.Contains(limitOperators, " "+name+" ") {
			n.lim = limitsInDisplay
		}
		return []*node{n}
	}
	if f, ok := commands()[name]; ok {
		return f(p, name, at)
	}
	if s, ok := symbols()[name]; ok {
		n := p.sym(s.r, s.class, at)
		switch {
		case s.class == op:
			n.large = name != "smallint"
			if integral(s.r) && name != "intop" {
				n.lim = limitsNever
			}
		case s.class == ord:
			n.r = p.alpha.in(s.r)
		}
		return []*node{n}
	}
	p.fail(at, "\\%s is not known%s", name, p.near(name))
	return nil
}

// lettered reads the argument of an alphabet's command.
func (p *parser) lettered(name string, a alphabet, at int) []*node {
	was := p.alpha
	p.alpha = a
	body := p.argument(name)
	p.alpha = was
	if p.err != nil {
		return nil
	}
	if len(body) == 1 && (body[0].what == symbol || body[0].what == words) && body[0].has == 0 {
		return body
	}
	return []*node{{what: group, class: ord, at: at, body: body, ink: p.ink}}
}

// near suggests what may have been meant.
func (p *parser) near(name string) string {
	for n := len(name) - 1; n > 0; n-- {
		if _, ok := symbols()[name[:n]]; ok {
			return fmt.Sprintf(": a space may be missing after \\%s; words stand in \\text{…}", name[:n])
		}
	}
	return ": words stand in \\text{…}, operators in \\operatorname{…}"
}
