package layout

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FormatNumber writes n in a number format of document-format.md 5.4. Formats
// it does not know, and numbers a format cannot write, come out decimal.
func FormatNumber(n int, format string) string {
	low := strings.ToLower(format)
	switch format {
	case "i":
		low = "lower-roman"
	case "I":
		low = "upper-roman"
	case "a":
		low = "lower-alpha"
	case "A":
		low = "upper-alpha"
	}
	switch low {
	case "lower-roman", "roman-lower":
		return strings.ToLower(roman(n))
	case "upper-roman", "roman-upper":
		return roman(n)
	case "lower-alpha", "alpha-lower", "lower-latin", "latin-lower":
		return alpha(n, 'a')
	case "upper-alpha", "alpha-upper", "upper-latin", "latin-upper":
		return alpha(n, 'A')
	case "circled-decimal", "①":
		switch {
		case n >= 1 && n <= 20:
			return string(rune('①' + n - 1))
		case n >= 21 && n <= 35:
			return string(rune(0x3251 + n - 21))
		case n >= 36 && n <= 50:
			return string(rune(0x32B1 + n - 36))
		}
	case "fullwidth-decimal", "１":
		return shift(n, '０')
	case "arabic-indic":
		return shift(n, '٠')
	case "persian", "urdu":
		return shift(n, '۰')
	case "words":
		return words(n)
	}
	return strconv.Itoa(n)
}

var romans = []struct {
	n int
	s string
}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
	{10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}

func roman(n int) string {
	if n < 1 || n > 9999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, r := range romans {
		for n >= r.n {
			b.WriteString(r.s)
			n -= r.n
		}
	}
	return b.String()
}

// alpha counts a, b … z, aa, ab …
func alpha(n int, first byte) string {
	if n < 1 {
		return strconv.Itoa(n)
	}
	var b []byte
	for ; n > 0; n = (n - 1) / 26 {
		b = append([]byte{first + byte((n-1)%26)}, b...)
	}
	return string(b)
}

func shift(n int, zero rune) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return zero + r - '0'
		}
		return r
	}, strconv.Itoa(n))
}

var (
	small = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens  = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
)

// words spells a number in English.
func words(n int) string {
	switch {
	case n < 0 || n > 999:
		return strconv.Itoa(n)
	case n < 20:
		return small[n]
	case n < 100:
		if n%10 == 0 {
			return tens[n/10]
		}
		return tens[n/10] + "-" + small[n%10]
	case n%100 == 0:
		return small[n/100] + " hundred"
	}
	return small[n/100] + " hundred and " + words(n%100)
}

// ordinal spells a number's rank in English.
func ordinal(n int) string {
	w := words(n)
	cut := strings.LastIndexAny(w, " -") + 1
	head, last := w[:cut], w[cut:]
	irregular := map[string]string{"one": "first", "two": "second", "three": "third", "five": "fifth",
		"eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
	if o, ok := irregular[last]; ok {
		return head + o
	}
	if strings.HasSuffix(last, "y") {
		return head + strings.TrimSuffix(last, "y") + "ieth"
	}
	return w + "th"
}

// counter writes a heading counter in a template token's format.
func counter(n int, format string) string {
	switch format {
	case "":
		return strconv.Itoa(n)
	case "words":
		return words(n)
	case "Words":
		return title(words(n))
	case "WORDS":
		return strings.ToUpper(words(n))
	case "ordinal":
		return ordinal(n)
	case "Ordinal":
		return title(ordinal(n))
	case "ORDINAL":
		return strings.ToUpper(ordinal(n))
	}
	if len(format) > 1 && len(format) < 9 && strings.Trim(format, "0") == "1" && format[0] == '0' {
		s := strconv.Itoa(n)
		if pad := len(format) - len(s); pad > 0 {
			s = strings.Repeat("0", pad) + s
		}
		return s
	}
	return FormatNumber(n, format)
}

func title(s string) string {
	if s == "" {
		return s
	}
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// counts are counters by name, in one comparable value: "name=3;" in order of
// their names.
type counts string

// next advances a counter.
func (c *counts) next(name string) int {
	n := c.get(name) + 1
	c.set(name, n)
	return n
}

// get is what a counter stands at.
func (c counts) get(name string) int {
	name = strings.ReplaceAll(name, ";", ",")
	for _, f := range strings.Split(string(c), ";") {
		if i := strings.LastIndexByte(f, '='); i >= 0 && f[:i] == name {
			n, _ := strconv.Atoi(f[i+1:]) // written by set
			return n
		}
	}
	return 0
}

// set gives a counter a value; 0 drops it.
func (c *counts) set(name string, n int) {
	name = strings.ReplaceAll(name, ";", ",")
	var out []string
	for _, f := range strings.Split(string(*c), ";") {
		if i := strings.LastIndexByte(f, '='); i >= 0 && f[:i] != name {
			out = append(out, f)
		}
	}
	if n > 0 {
		out = append(out, name+"="+strconv.Itoa(n))
	}
	slices.Sort(out)
	*c = counts(strings.Join(out, ";"))
}

// headingNumber fills a numbering template such as "{1}.{2:a}" with the
// counters.
func headingNumber(template string, counters [6]int) string {
	return fillTemplate(template, func(name, format string) (string, bool, bool) {
		if len(name) != 1 || name[0] < '1' || name[0] > '6' {
			return "", false, false
		}
		n := counters[name[0]-'1']
		return counter(n, format), n != 0, true
	})
}

// fillTemplate fills a numbering template: value gives what a token prints,
// whether it has a value, and whether it is a token at all; one that is not
// prints as it stands. A token without a value vanishes with the separator
// before it, or the one behind it when it opens the template.
func fillTemplate(template string, value func(name, format string) (text string, has, known bool)) string {
	var out strings.Builder
	var sep strings.Builder // literal text not yet written
	wrote, dropped := false, false
	for i := 0; i < len(template); {
		c := template[i]
		if c == '\\' && i+1 < len(template) && strings.IndexByte(`{}\`, template[i+1]) >= 0 {
			sep.WriteByte(template[i+1])
			i += 2
			continue
		}
		if c == '{' {
			if end := strings.IndexByte(template[i:], '}'); end > 1 {
				name, format, _ := strings.Cut(template[i+1:i+end], ":")
				if text, has, known := value(name, format); known {
					if !has {
						if wrote {
							sep.Reset() // the separator before goes with the token
						} else {
							dropped = true
						}
					} else {
						if dropped {
							sep.Reset()
							dropped = false
						}
						out.WriteString(sep.String())
						sep.Reset()
						out.WriteString(text)
						wrote = true
					}
					i += end + 1
					continue
				}
			}
		}
		sep.WriteByte(c)
		i++
	}
	if wrote {
		out.WriteString(sep.String())
	}
	return out.String()
}
