package cite

import (
	"sort"
	"strconv"
	"strings"
)

// Citation is what a citation prints, and the keys in it that name no work.
type Citation struct {
	Spans   []Span
	Unknown []string
}

// Cite prints a citation of one work or several; narrative names the author in
// the sentence. When none of its keys is known there are no spans: the citation
// then prints as it was written.
func (s *Set) Cite(items []Item, narrative bool) Citation {
	var c Citation
	var known []Item
	for _, it := range items {
		if s.works[it.Key] == nil {
			c.Unknown = append(c.Unknown, it.Key)
		} else {
			known = append(known, it)
		}
	}
	if len(known) == 0 {
		return c
	}
	switch {
	case s.style.numbered:
		s.numbers(&c, known, narrative)
	case narrative:
		s.narrative(&c, known)
	default:
		s.parenthesis(&c, known)
	}
	// A key that names nothing stands bold behind the others (10).
	for _, k := range c.Unknown {
		c.Spans = append(c.Spans, Span{Text: " " + k + "?", Bold: true})
	}
	return c
}

func (s *Set) link(key string) string {
	if !s.o.Link {
		return ""
	}
	return "#ref-" + key
}

// locator writes a locator and what follows it.
func (s *Set) locator(l string) string {
	if l == "" {
		return ""
	}
	l = pageRange(l)
	term, rest, label := splitLocator(l, s.words)
	if rest == "" {
		return s.style.locGap + l
	}
	if label == "page" {
		if !s.style.pageWord {
			return s.style.locGap + rest
		}
		number, _, _ := strings.Cut(rest, ", ")
		return s.style.locGap + s.pageWord(number) + "\u00a0" + rest
	}
	return s.style.locGap + term + "\u00a0" + rest
}

// terms of locators, and what each is called; the page is the one that styles
// treat apart.
var terms = map[string]string{"p": "page", "pp": "page", "page": "page", "pages": "page", "pág": "page", "págs": "page", "s": "page", "página": "page", "páginas": "page",
	"chap": "chapter", "chapter": "chapter", "cap": "chapter", "capítulo": "chapter", "kap": "chapter", "sec": "section", "section": "section", "sección": "section",
	"fig": "figure", "figure": "figure", "vol": "volume", "volume": "volume", "n": "note", "l": "line", "§": "section", "para": "paragraph", "col": "column", "bk": "book",
	"pt": "part", "v": "verse", "no": "number", "op": "opus", "s.v": "entry", "art": "article"}

// splitLocator takes a term off a locator; a bare number is a page.
func splitLocator(l string, w *words) (term, rest, label string) {
	if isFigure(l[0]) || roman(l) {
		return "", l, "page"
	}
	head, tail, ok := strings.Cut(l, " ")
	if !ok {
		head, tail, ok = strings.Cut(l, ".")
		if !ok || tail == "" {
			return "", "", ""
		}
		head += "."
	}
	name := terms[strings.ToLower(strings.TrimSuffix(head, "."))]
	if name == "" || tail == "" {
		return "", "", ""
	}
	if name == "chapter" {
		return w.chapter, tail, name
	}
	return head, tail, name
}

// roman reports whether text begins with a roman numeral.
func roman(l string) bool {
	head, _, _ := strings.Cut(l, "–")
	head, _, _ = strings.Cut(head, ",")
	return head != "" && strings.Trim(head, "ivxlcdm") == ""
}

// parenthesis prints an author-date citation in parentheses. Works of the same
// authors in a row share the name.
func (s *Set) parenthesis(c *Citation, items []Item) {
	add := func(t, link string) { c.Spans = append(c.Spans, Span{Text: t, Link: link}) }
	add("(", "")
	before := ""
	for i, it := range items {
		w := s.works[it.Key]
		name := s.short(w)
		year := s.year(w) + s.letter[it.Key]
		t := ""
		shared := i > 0 && before == name && it.Prefix == "" && !it.NoAuthor && items[i-1].Locator == "" && !s.style.noYear
		switch {
		case shared:
			add(", ", "")
			t = year
		default:
			if i > 0 {
				add("; ", "")
			}
			if it.Prefix != "" {
				add(it.Prefix+" ", "")
			}
			switch {
			case s.style.noYear && it.NoAuthor:
			case s.style.noYear:
				t = name
			case it.NoAuthor:
				t = year
			default:
				t = name + s.style.yearGap + year
			}
		}
		loc := s.locator(it.Locator)
		if t == "" {
			loc = strings.TrimLeft(loc, " ,")
		}
		add(t+loc, s.link(it.Key))
		if before = name; it.NoAuthor {
			before = ""
		}
	}
	add(")", "")
}

// narrative prints the author in the sentence, the rest in parentheses.
func (s *Set) narrative(c *Citation, items []Item) {
	it := items[0]
	w := s.works[it.Key]
	link := s.link(it.Key)
	inside := s.year(w) + s.letter[it.Key] + s.locator(it.Locator)
	if s.style.noYear {
		inside = strings.TrimLeft(s.locator(it.Locator), " ,")
	}
	t := s.shortAs(w, true)
	if inside != "" {
		t += " (" + inside + ")"
	}
	c.Spans = append(c.Spans, Span{Text: t, Link: link})
}

// numbers prints a numbered citation.
func (s *Set) numbers(c *Citation, items []Item, narrative bool) {
	marker := s.o.Marker
	if marker == "" || marker == "style" || marker == "corner" {
		marker = s.style.marker
	}
	open, shut, raise := "[", "]", false
	switch marker {
	case "parentheses":
		open, shut = "(", ")"
	case "superscript":
		open, shut, raise = "", "", true
	}
	if narrative {
		c.Spans = append(c.Spans, Span{Text: s.shortAs(s.works[items[0].Key], true) + "\u00a0"})
		if raise {
			c.Spans[0].Text = strings.TrimSuffix(c.Spans[0].Text, "\u00a0")
		}
	}
	add := func(t, link string) { c.Spans = append(c.Spans, Span{Text: t, Link: link, Raise: raise}) }
	plain := true
	for _, it := range items {
		plain = plain && it.Prefix == "" && it.Locator == ""
	}
	if open != "" {
		add(open, "")
	}
	sep := ", "
	if raise || s.style.ids[0] == "elsevier-vancouver" {
		sep = ","
	}
	if plain {
		items = append([]Item(nil), items...)
		sort.SliceStable(items, func(i, j int) bool { return s.number[items[i].Key] < s.number[items[j].Key] })
		for i := 0; i < len(items); {
			k := i
			for k+1 < len(items) && s.number[items[k+1].Key]-s.number[items[k].Key] <= 1 {
				k++
			}
			if i > 0 {
				add(sep, "")
			}
			first, last := s.number[items[i].Key], s.number[items[k].Key]
			if last-first < 2 || !s.o.Collapse {
				add(strconv.Itoa(first), s.link(items[i].Key))
				i++
				for i < len(items) && s.number[items[i].Key] == first {
					i++
				}
				continue
			}
			add(strconv.Itoa(first), s.link(items[i].Key))
			add("–", "")
			add(strconv.Itoa(last), s.link(items[k].Key))
			i = k + 1
		}
	} else {
		for i, it := range items {
			if i > 0 {
				add(sep, "")
			}
			if it.Prefix != "" {
				add(it.Prefix+" ", "")
			}
			loc := s.locator(it.Locator)
			if raise && loc != "" {
				loc = "(" + strings.TrimLeft(loc, " ,") + ")"
			}
			add(strconv.Itoa(s.number[it.Key])+loc, s.link(it.Key))
		}
	}
	if shut != "" {
		add(shut, "")
	}
}
