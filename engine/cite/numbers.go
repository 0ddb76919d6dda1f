package cite

import (
	"strconv"
	"strings"
	"unicode"
)

//go:noinline
func itoa(n int) string { return strconv.Itoa(n) }

// number reads a number in figures, 0 for what is none.
func number(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 1_000_000 {
		return 0
	}
	return n
}

// numeric is CSL's notion of numeric content: numbers, each perhaps with letters
// before or after it, with commas, ampersands and hyphens between.
func numeric(v string) bool {
	if v == "" {
		return false
	}
	for _, f := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '&' || r == '-' || r == '–' || r == ' ' }) {
		if !strings.ContainsFunc(f, unicode.IsDigit) || strings.ContainsFunc(f, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLetter(r) }) {
			return false
		}
	}
	return strings.ContainsFunc(v, unicode.IsDigit)
}

func (p *printer) numberOf(e *element) piece {
	name := e.get("variable")
	v := p.variable(name, "")
	out := piece{called: true, filled: v != ""}
	if v == "" {
		return out
	}
	if name == "page" {
		v = p.pages(v)
	}
	if form := e.get("form"); form != "" && form != "numeric" && numeric(v) {
		v = replaceNumbers(v, func(n int) string {
			switch form {
			case "ordinal":
				return p.t.ordinal(n)
			case "long-ordinal":
				if n <= 10 {
					if w := p.t.term("long-ordinal-"+string([]byte{'0' + byte(n/10), '0' + byte(n%10)}), "", false); w != "" {
						return w
					}
				}
				return p.t.ordinal(n)
			case "roman":
				return romanOf(n)
			}
			return itoa(n)
		})
	}
	out.rich = p.finish(e, field(v))
	return out
}

func replaceNumbers(s string, f func(n int) string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		k := i
		for k < len(s) && isFigure(s[k]) {
			k++
		}
		if n := number(s[i:k]); k > i && n > 0 {
			b.WriteString(f(n))
			i = k
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func romanOf(n int) string {
	if n >= 4000 {
		return itoa(n)
	}
	var b strings.Builder
	for _, s := range [...]struct {
		n int
		s string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for ; n >= s.n; n -= s.n {
			b.WriteString(s.s)
		}
	}
	return b.String()
}

// labelOf prints the word of a number: p. or pp., vol., chap.
func (p *printer) labelOf(e *element) piece {
	name := e.get("variable")
	v := p.variable(name, "")
	if v == "" {
		return piece{called: true}
	}
	word := name
	switch name {
	case "locator":
		word = p.it.Label
	case "page-first":
		word = "page"
	}
	several := manyIn(v)
	switch name {
	case "number-of-pages", "number-of-volumes":
		several = number(v) != 1
	}
	t := p.t.term(word, e.get("form"), plural(e, several))
	return piece{rich: p.finish(e, said(t)), called: true, filled: true}
}

// plural is whether a label stands in the plural.
func plural(e *element, several bool) bool {
	switch e.get("plural") {
	case "always":
		return true
	case "never":
		return false
	}
	return several
}

// manyIn reports whether a number names several: a range or a list.
func manyIn(v string) bool {
	return strings.ContainsAny(strings.Trim(v, "–-, "), "–,&-") && strings.ContainsFunc(v, unicode.IsDigit) || strings.Contains(v, "–")
}

// pages writes page ranges in the style's page-range-format.
func (p *printer) pages(v string) string {
	v = pageRange(v)
	format := p.st.root.get("page-range-format")
	dash := p.t.term("page-range-delimiter", "", false)
	if dash == "" {
		dash = "–"
	}
	if format == "" {
		if dash != "–" {
			v = strings.ReplaceAll(v, "–", dash)
		}
		return v
	}
	parts := strings.Split(v, ",")
	for i, part := range parts {
		a, b, ok := strings.Cut(part, "–")
		if ok {
			parts[i] = a + dash + pageEnd(a, b, format)
		}
	}
	return strings.Join(parts, ",")
}

// pageEnd writes the second number of a range (CSL 1.0.2, appendix V).
func pageEnd(first, last, format string) string {
	a, b := strings.TrimSpace(first), strings.TrimSpace(last)
	// Letters before both (S12–S18) stay out of it.
	k := 0
	for k < len(a) && !isFigure(a[k]) {
		k++
	}
	head, x := a[:k], a[k:]
	y := strings.TrimPrefix(b, head)
	if number(x) == 0 || number(y) == 0 {
		return last
	}
	if len(y) < len(x) { // 321–28 is 321–328
		y = x[:len(x)-len(y)] + y
	}
	if number(y) <= number(x) {
		return last
	}
	if len(x) != len(y) || format == "expanded" {
		return head + y
	}
	same := 0
	for same < len(x) && x[same] == y[same] {
		same++
	}
	switch format {
	case "minimal":
		return y[same:]
	case "minimal-two":
		return y[min(same, max(len(y)-2, 0)):]
	case "chicago", "chicago-15", "chicago-16":
		n := number(x)
		switch {
		case n < 100 || n%100 == 0:
			return y
		case n%100 < 10:
			return y[same:]
		}
		cut := min(same, max(len(y)-2, 0))
		if format != "chicago-16" && len(x) == 4 && same <= 1 {
			cut = 0 // three digits change: all are written
		}
		return y[cut:]
	}
	return head + y
}
