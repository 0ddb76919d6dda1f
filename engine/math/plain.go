package math

import "strings"

// Plain is a formula as a line of plain text, for running heads, contents and
// bookmarks: its signs in reading order, letters in their ordinary form,
// fractions with a solidus. A source that cannot be read comes out as it is.
func Plain(tex string) string {
	t, err := Parse(tex)
	if err != nil {
		return strings.TrimSpace(tex)
	}
	var b strings.Builder
	plainList(&b, t.list)
	return strings.Join(strings.Fields(b.String()), " ")
}

func plainList(b *strings.Builder, list []*node) {
	for _, n := range list {
		plainNode(b, n)
	}
}

func plainNode(b *strings.Builder, n *node) {
	wrap := func(list []*node) {
		if len(list) > 1 {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
		plainList(b, list)
	}
	switch n.what {
	case symbol:
		if n.class == rel || n.class == bin {
			b.WriteByte(' ')
			defer b.WriteByte(' ')
		}
		b.WriteRune(ordinary(n.r))
	case words:
		b.WriteString(n.name)
		if n.class == op {
			b.WriteByte(' ')
		}
	case fraction:
		wrap(n.body)
		b.WriteByte('/')
		wrap(n.second)
	case radical:
		b.WriteRune('√')
		wrap(n.body)
	case accent:
		plainList(b, n.body)
		b.WriteRune(n.r)
	case fence:
		if n.left != 0 {
			b.WriteRune(n.left)
		}
		plainList(b, n.body)
		if n.right != 0 {
			b.WriteRune(n.right)
		}
	case middle, bigDelim:
		if n.r != 0 {
			b.WriteRune(n.r)
		}
	case space:
		b.WriteByte(' ')
	case phantom:
		if n.flags&flagShown != 0 {
			plainList(b, n.body)
		}
	case arrow:
		b.WriteString(" " + string(n.r) + " ")
	case arrays:
		for _, r := range n.array.rows {
			for _, c := range r.cells {
				plainList(b, c)
				b.WriteByte(' ')
			}
		}
	default:
		plainList(b, n.body)
	}
	plainScript(b, n.sub, "₀₁₂₃₄₅₆₇₈₉", "_")
	plainScript(b, n.sup, "⁰¹²³⁴⁵⁶⁷⁸⁹", "^")
}

// plainScript writes a script: digits as small figures, anything else behind a sign.
func plainScript(b *strings.Builder, list []*node, figures, sign string) {
	if len(list) == 0 {
		return
	}
	var s strings.Builder
	plainList(&s, list)
	t := s.String()
	small := []rune(figures)
	out := make([]rune, 0, len(t))
	for _, r := range t {
		switch {
		case r >= '0' && r <= '9':
			out = append(out, small[r-'0'])
		case prime(r):
			out = append(out, r)
		default:
			b.WriteString(sign)
			b.WriteString(t)
			return
		}
	}
	b.WriteString(string(out))
}

// ordinary undoes an alphabet.
func ordinary(r rune) rune {
	if r < 0x2100 {
		return r
	}
	for m, h := range holes {
		if h == r {
			r = m
			break
		}
	}
	if r < 0x1D400 || r > 0x1D7FF {
		return r
	}
	for _, a := range alphabets {
		for _, t := range []struct{ start, first, count rune }{{a.upper, 'A', 26}, {a.lower, 'a', 26}, {a.digit, '0', 10},
			{a.greekUpper, 0x391, 25}, {a.greekLower, 0x3B1, 25}} {
			if t.start != 0 && r >= t.start && r < t.start+t.count {
				return t.first + r - t.start
			}
		}
		if k := r - a.greekLower - 25; a.greekLower != 0 && k >= 0 && int(k) < len(greekVariants) {
			return greekVariants[k]
		}
	}
	return r
}
