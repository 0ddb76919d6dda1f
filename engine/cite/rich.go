package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Look is how a stretch of text is set.
type Look uint16

const (
	Italic Look = 1 << iota
	Bold
	Raise
	Lower
	SmallCaps
	Underline

	// What is inside says for itself: upright, and not bold, whatever is around.
	upright
	light
	// A field's own italics: in italics it is upright again.
	flips
	// Its letters stay as they are.
	noCase

	looks = Italic | Bold | Raise | Lower | SmallCaps | Underline
)

// Span is a stretch of text in one look.
type Span struct {
	Text string
	Look Look
	Link string // address, or "#ref-key"
}

// rich is text in several looks.
type rich []Span

// said is text in the look of what is around it. It and the likes of it are called
// from everywhere: set in where they are called they would double the program.
//
//go:noinline
func said(text string) rich { return rich{{Text: text}} }

//go:noinline
func (r rich) plain() string {
	if len(r) == 1 {
		return r[0].Text
	}
	var b strings.Builder
	for _, s := range r {
		b.WriteString(s.Text)
	}
	return b.String()
}

//go:noinline
func (r rich) empty() bool {
	for _, s := range r {
		if s.Text != "" {
			return false
		}
	}
	return true
}

// end is the last sign of the text, closing quotation marks passed over.
func (r rich) end() (last, seen rune) {
	for i := len(r) - 1; i >= 0; i-- {
		for t := r[i].Text; t != ""; {
			c, n := utf8.DecodeLastRuneInString(t)
			if last == 0 {
				last = c
			}
			if !strings.ContainsRune("”’»\u202f", c) {
				return last, c
			}
			t = t[:len(t)-n]
		}
	}
	return last, last
}

// add puts text behind text. Where both would set a stop one of them stands; in
// languages that have it so, a stop goes inside the quotation mark before it.
func (p *printer) add(r, more rich) rich {
	for _, s := range more {
		if !p.takes(len(s.Text)) {
			break
		}
		for s.Text != "" && len(r) > 0 {
			first, n := utf8.DecodeRuneInString(s.Text)
			last, seen := r.end()
			drop := false
			switch first {
			case '.':
				drop = strings.ContainsRune(".!?…:;", seen)
			case ',', ';', ':':
				drop = seen == first || first == ',' && seen == ';'
			case ' ':
				drop = last == ' ' || last == '\u00a0'
			}
			if drop {
				s.Text = s.Text[n:]
				continue
			}
			if (first == '.' || first == ',') && p.t.quoteInside && r.quoted(p.t) {
				k := len(r) - 1
				r = append(rich(nil), r...)
				shut := len(r[k].Text) - utf8.RuneLen(last)
				r[k].Text = r[k].Text[:shut] + s.Text[:n] + r[k].Text[shut:]
				s.Text = s.Text[n:]
			}
			break
		}
		if s.Text == "" {
			continue
		}
		if k := len(r) - 1; k >= 0 && r[k].Look == s.Look && r[k].Link == s.Link && len(r[k].Text) < longSpan {
			r[k].Text += s.Text
		} else {
			r = append(r, s)
		}
	}
	return r
}

// quoted reports whether a text ends in the quotation mark a style has put.
func (r rich) quoted(t *terms) bool {
	s := r[len(r)-1]
	shut := t.words["close-quote"][0]
	return strings.HasSuffix(s.Text, shut) && utf8.RuneCountInString(shut) == 1
}

// join puts a delimiter between the parts that are not empty.
func (p *printer) join(parts []rich, delimiter string) rich {
	var out rich
	for _, part := range parts {
		if part.empty() {
			continue
		}
		if len(out) > 0 && delimiter != "" {
			out = p.add(out, said(delimiter))
		}
		out = p.add(out, part)
	}
	return out
}

// field reads the marks that CSL allows in a field: <i>, <b>, <sup>, <sub>, small
// capitals and <span class="nocase">.
func field(s string) rich {
	if strings.IndexByte(s, '<') < 0 {
		return said(s)
	}
	marks := [...]struct {
		open, shut string
		look       Look
	}{
		{"<i>", "</i>", Italic | flips}, {"<b>", "</b>", Bold}, {"<sup>", "</sup>", Raise}, {"<sub>", "</sub>", Lower}, {"<sc>", "</sc>", SmallCaps},
		{`<span style="font-variant:small-caps;">`, "</span>", SmallCaps}, {`<span style="font-variant: small-caps;">`, "</span>", SmallCaps},
		{`<span class="nocase">`, "</span>", noCase},
	}
	var out rich
	var open []int
	look := func() (l Look) {
		for _, k := range open {
			l |= marks[k].look
		}
		return
	}
	from := 0
	for i := 0; i < len(s); {
		if s[i] != '<' {
			i++
			continue
		}
		n := 0
		if k := len(open) - 1; k >= 0 && strings.HasPrefix(s[i:], marks[open[k]].shut) {
			n = len(marks[open[k]].shut)
			out = append(out, Span{Text: s[from:i], Look: look()})
			open = open[:k]
		} else {
			for k := range marks {
				if strings.HasPrefix(s[i:], marks[k].open) && len(open) < 8 && strings.Contains(s[i:], marks[k].shut) {
					n = len(marks[k].open)
					out = append(out, Span{Text: s[from:i], Look: look()})
					open = append(open, k)
					break
				}
			}
		}
		if n == 0 {
			i++
			continue
		}
		i += n
		from = i
	}
	return append(out, Span{Text: s[from:], Look: look()})
}

// dress gives a text the look an element asks for.
func dress(e *element, r rich) rich {
	var on, stop Look
	switch e.get("font-style") {
	case "italic", "oblique":
		on |= Italic
	case "normal":
		stop |= upright
	}
	switch e.get("font-weight") {
	case "bold":
		on |= Bold
	case "normal", "light":
		stop |= light
	}
	if e.get("font-variant") == "small-caps" {
		on |= SmallCaps
	}
	if e.get("text-decoration") == "underline" {
		on |= Underline
	}
	switch e.get("vertical-align") {
	case "sup":
		on |= Raise
	case "sub":
		on |= Lower
	}
	if on|stop == 0 {
		return r
	}
	out := make(rich, len(r))
	for i, s := range r {
		l := on
		if s.Look&upright != 0 {
			l &^= Italic
		}
		if s.Look&light != 0 {
			l &^= Bold
		}
		if l&Italic != 0 && s.Look&flips != 0 {
			s.Look &^= Italic | flips
			s.Look |= upright
			l &^= Italic
		}
		s.Look |= l | stop
		out[i] = s
	}
	return out
}

// letters changes the letters of a text as text-case asks.
func letters(r rich, how string, english bool) rich {
	out := append(rich(nil), r...)
	switch how {
	case "lowercase", "uppercase":
		for i := range out {
			if out[i].Look&noCase == 0 {
				if how == "lowercase" {
					out[i].Text = strings.ToLower(out[i].Text)
				} else {
					out[i].Text = strings.ToUpper(out[i].Text)
				}
			}
		}
		return out
	case "title":
		if !english {
			return out
		}
	case "sentence", "capitalize-first", "capitalize-all":
	default:
		return out
	}
	shouted := !strings.ContainsFunc(r.plain(), unicode.IsLower)
	all := wordsIn(r)
	nth := 0
	first := true // of a sentence
	for i := range out {
		keep := out[i].Look&noCase != 0
		out[i].Text = eachWord(out[i].Text, func(w string, before rune) string {
			head := first || before == ':' || before == '?' || before == '!' || before == '—'
			first = false
			nth++
			if keep {
				return w
			}
			switch how {
			case "capitalize-all":
				return raised(w)
			case "capitalize-first":
				if nth == 1 {
					return raised(w)
				}
			case "sentence":
				if shouted {
					w = strings.ToLower(w)
				}
				if nth == 1 {
					return raised(w)
				}
			case "title":
				if shouted {
					w = strings.ToLower(w)
				}
				if head || nth == all || !small[strings.ToLower(w)] {
					return raised(w)
				}
				if w == raised(strings.ToLower(w)) {
					return strings.ToLower(w)
				}
			}
			return w
		})
	}
	return out
}

// small are the words that titles in English leave small (CSL 1.0.2, text-case).
var small = wordSet("a an and as at but by down for from in into nor of on onto or over so the till to up via with yet")

// raised makes a word's first letter a capital if the word has none.
func raised(w string) string {
	if strings.ContainsFunc(w, unicode.IsUpper) {
		return w
	}
	for i, c := range w {
		if unicode.IsLetter(c) {
			return w[:i] + string(unicode.ToUpper(c)) + w[i+utf8.RuneLen(c):]
		}
	}
	return w
}

func wordsIn(r rich) (n int) {
	for _, s := range r {
		eachWord(s.Text, func(w string, _ rune) string { n++; return w })
	}
	return
}

// eachWord replaces the words of a text; before is the last sign before a word
// that is no space.
func eachWord(s string, f func(w string, before rune) string) string {
	inside := func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) || c == '’' || c == '\'' || c == '.' || c == '-'
	}
	var b strings.Builder
	before := rune(0)
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			b.WriteString(s[i : i+n])
			if c != ' ' {
				before = c
			}
			i += n
			continue
		}
		k := i
		for k < len(s) {
			c, n := utf8.DecodeRuneInString(s[k:])
			if !inside(c) {
				break
			}
			k += n
		}
		w := f(s[i:k], before)
		b.WriteString(w)
		before, _ = utf8.DecodeLastRuneInString(w)
		if before == '.' {
			before = 0
		}
		i = k
	}
	return b.String()
}

// quote puts a text in quotation marks; those inside become the inner ones.
func (p *printer) quote(r rich) rich {
	w := func(name string) string { return p.t.words[name][0] }
	in := strings.NewReplacer(w("open-quote"), w("open-inner-quote"), w("close-quote"), w("close-inner-quote"), "“", w("open-inner-quote"), "”", w("close-inner-quote"))
	out := said(w("open-quote"))
	for _, s := range r {
		s.Text = in.Replace(s.Text)
		out = append(out, s)
	}
	return append(out, Span{Text: w("close-quote")})
}
