package math

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Macros are commands a text defines for its formulas: \newcommand,
// \renewcommand, \providecommand, \def with plain parameters, \let and
// \DeclareMathOperator. They are put in before the formula is read. The zero
// value has none.
//
// Expansion is bounded: a formula makes at most maxExpansions of them and at most
// maxSource bytes, whatever its macros call.
type Macros struct{ byName map[string]macro }

type macro struct {
	args     int
	optional bool // the first argument is, and stands for def where it is left out
	def      string
	body     string
}

const (
	maxExpansions = 4096
	maxNesting    = 256 // of macros that call macros
)

// definers are the commands that define others.
var definers = map[string]bool{"newcommand": true, "renewcommand": true, "providecommand": true, "def": true, "gdef": true, "let": true, "DeclareMathOperator": true, "DeclareRobustCommand": true}

// Defines reports whether a text may define commands.
func Defines(src string) bool {
	for name := range definers {
		if strings.Contains(src, `\`+name) {
			return true
		}
	}
	return false
}

// Any reports whether there are macros.
func (m *Macros) Any() bool { return len(m.byName) > 0 }

// Expand takes the definitions out of a formula, adds them to the macros and puts
// in what they stand for. An error is an *Error.
func (m *Macros) Expand(src string) (string, error) {
	if !strings.Contains(src, `\`) || !m.Any() && !Defines(src) {
		return src, nil
	}
	if len(src) > maxSource {
		return src, nil // too long whatever is in it
	}
	x := &expander{m: m, stack: []string{src}}
	for x.err == nil && len(x.stack) > 0 {
		x.step()
	}
	if x.err != nil {
		return "", x.err
	}
	return string(x.out), nil
}

// expander reads from a stack of texts, the innermost macro on top.
type expander struct {
	m     *Macros
	stack []string
	out   []byte
	word  bool // a command of letters was written last
	spent int  // expansions
	work  int  // bytes read again for them
	err   error
}

func (x *expander) fail(format string, args ...any) {
	if x.err == nil {
		x.err = &Error{0, fmt.Sprintf(format, args...)}
	}
}

func (x *expander) write(s string) {
	if x.word && s != "" && letter(s[0]) {
		x.out = append(x.out, ' ')
	}
	if x.word = false; len(x.out)+len(s) > maxSource {
		x.fail("the commands of the formula make more than %d characters of it: they call one another without end", maxSource)
		return
	}
	x.out = append(x.out, s...)
}

// token cuts the next token off the text on top; at the end of a text the one
// under it goes on.
func (x *expander) token() (t string, ok bool) {
	for len(x.stack) > 0 && x.stack[len(x.stack)-1] == "" {
		x.stack = x.stack[:len(x.stack)-1]
	}
	if len(x.stack) == 0 {
		return "", false
	}
	s := x.stack[len(x.stack)-1]
	n := 1
	switch {
	case s[0] == '\\':
		for n < len(s) && letter(s[n]) {
			n++
		}
		if n == 1 && len(s) > 1 {
			_, k := utf8.DecodeRuneInString(s[1:])
			n += k
		}
	case s[0] == '%':
		if n = strings.IndexByte(s, '\n') + 1; n == 0 {
			n = len(s)
		}
	default:
		// Everything up to the next sign that says something.
		for n < len(s) && strings.IndexByte("\\%{}[]# \n", s[n]) < 0 && strings.IndexByte("{}[]# \n", s[0]) < 0 {
			n++
		}
	}
	x.stack[len(x.stack)-1] = s[n:]
	return s[:n], true
}

func (x *expander) step() {
	t, ok := x.token()
	if !ok {
		return
	}
	if t[0] != '\\' || len(t) == 1 {
		x.write(t)
		return
	}
	name := t[1:]
	if definers[name] {
		x.define(name)
		return
	}
	if name == "global" || name == "long" { // prefixes of \def
		return
	}
	d, known := x.m.byName[name]
	if !known {
		x.write(t)
		x.word = letter(name[0])
		return
	}
	if x.spent++; x.spent > maxExpansions || len(x.stack) > maxNesting {
		x.fail("\\%s calls itself without end: take it out of what it stands for", name)
		return
	}
	if letter(name[0]) && d.args == 0 {
		x.blank()
	}
	args := make([]string, 0, d.args)
	if d.optional {
		a, given := x.bracketed()
		if !given {
			a = d.def
		}
		args = append(args, a)
	}
	for len(args) < d.args {
		a, ok := x.argument()
		if !ok {
			x.fail("\\%s takes %d arguments: put each in braces", name, d.args)
			return
		}
		args = append(args, a)
	}
	x.push(fill(d.body, args))
}

func (x *expander) push(s string) {
	if x.work += len(s); len(s) > maxSource || x.work > 64*maxSource {
		x.fail("the commands of the formula make more than %d characters of it: they call one another without end", maxSource)
		return
	}
	// An empty text does not count as nesting: a macro that ends in another is a loop.
	if n := len(x.stack); n > 0 && x.stack[n-1] == "" {
		x.stack = x.stack[:n-1]
	}
	x.stack = append(x.stack, s)
}

// fill puts arguments in for #1 to #9; ## is #.
func fill(body string, args []string) string {
	if strings.IndexByte(body, '#') < 0 {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '#' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		i++
		if c := body[i]; c >= '1' && int(c-'1') < len(args) {
			b.WriteString(args[c-'1'])
		} else if c != '#' {
			b.WriteByte('#')
			b.WriteByte(c)
		} else {
			b.WriteByte('#')
		}
		if b.Len() > maxSource {
			break
		}
	}
	return b.String()
}

// blank skips spaces.
func (x *expander) blank() {
	for len(x.stack) > 0 {
		n := len(x.stack) - 1
		x.stack[n] = strings.TrimLeft(x.stack[n], " \t\r\n")
		if x.stack[n] != "" {
			return
		}
		if n == 0 {
			return
		}
		x.stack = x.stack[:n]
	}
}

// argument is the next token or what stands in braces, without them.
func (x *expander) argument() (string, bool) {
	x.blank()
	t, ok := x.token()
	if !ok || t == "}" {
		return "", false
	}
	if t != "{" {
		if t[0] != '\\' && len(t) > 1 { // one character of a longer text
			_, n := utf8.DecodeRuneInString(t)
			x.push(t[n:])
			t = t[:n]
		}
		return t, true
	}
	return x.upTo("{", "}")
}

// bracketed is what stands in brackets here.
func (x *expander) bracketed() (string, bool) {
	x.blank()
	if len(x.stack) == 0 || !strings.HasPrefix(x.stack[len(x.stack)-1], "[") {
		return "", false
	}
	x.token()
	return x.upTo("", "]")
}

// upTo reads up to the bracket that closes what was opened; braces inside pair.
func (x *expander) upTo(open, shut string) (string, bool) {
	var b strings.Builder
	depth := 0
	for {
		t, ok := x.token()
		if !ok || b.Len() > maxSource {
			return "", false
		}
		if t == shut && depth == 0 {
			return b.String(), true
		}
		switch t {
		case "{":
			depth++
		case "}":
			depth--
		}
		if depth < 0 {
			return "", false
		}
		b.WriteString(t)
	}
}

// define reads a definition.
func (x *expander) define(how string) {
	x.blank()
	star := false
	if n := len(x.stack) - 1; n >= 0 && strings.HasPrefix(x.stack[n], "*") {
		x.stack[n], star = x.stack[n][1:], true
	}
	name, ok := x.argument()
	name = strings.TrimSpace(name)
	if !ok || len(name) < 2 || name[0] != '\\' || strings.Count(name, `\`) > 1 && name != `\\` {
		x.fail("\\%s defines no command: write \\%s{\\name}{what it stands for}", how, how)
		return
	}
	name = name[1:]
	var d macro
	switch how {
	case "let":
		x.blank()
		if n := len(x.stack) - 1; n >= 0 && strings.HasPrefix(x.stack[n], "=") {
			x.stack[n] = x.stack[n][1:]
		}
		if d.body, ok = x.argument(); ok && len(d.body) > 1 && d.body[0] == '\\' {
			if m, known := x.m.byName[d.body[1:]]; known {
				d = m
			}
		}
	case "def", "gdef":
		for {
			x.blank()
			n := len(x.stack) - 1
			if n < 0 || x.stack[n] == "" || x.stack[n][0] == '{' {
				break
			}
			s := x.stack[n]
			if len(s) < 2 || s[0] != '#' || int(s[1]-'0') != d.args+1 {
				x.fail("\\%s\\%s: its arguments are written #1#2 with nothing between them", how, name)
				return
			}
			d.args++
			x.stack[n] = s[2:]
		}
		d.body, ok = x.argument()
	default:
		if n, given := x.bracketed(); given {
			if len(n) != 1 || n[0] < '0' || n[0] > '9' {
				x.fail("\\%s{\\%s}[%s]: the number of arguments is a figure from 0 to 9", how, name, n)
				return
			}
			d.args = int(n[0] - '0')
			d.def, d.optional = x.bracketed()
			d.optional = d.optional && d.args > 0
		}
		d.body, ok = x.argument()
		if how == "DeclareMathOperator" {
			op := `\operatorname{`
			if star {
				op = `\operatorname*{`
			}
			d.body = op + d.body + "}"
		}
	}
	if !ok {
		x.fail("\\%s{\\%s} does not say what the command stands for: put it in braces", how, name)
		return
	}
	if _, there := x.m.byName[name]; there && how == "providecommand" {
		return
	}
	if x.m.byName == nil {
		x.m.byName = map[string]macro{}
	}
	if len(x.m.byName) >= maxExpansions {
		x.fail("more than %d commands are defined", maxExpansions)
		return
	}
	x.m.byName[name] = d
}
