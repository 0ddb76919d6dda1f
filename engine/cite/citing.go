package cite

import (
	"slices"
	"sort"
	"strings"
)

// Citation is what a citation prints, and the keys in it that name no work.
type Citation struct {
	Spans []Span
	// Author is what stands in the sentence before a note that holds the rest.
	Author  []Span
	Unknown []string
	// Overrun: the style printed far more of a work than the work has to say. There
	// are no spans then: the citation prints as it was written.
	Overrun bool
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
	var out rich
	p := s.printer(s.works[known[0].Key], inText)
	p.free()
	if narrative {
		author := s.named(&known[0])
		known[0].NoAuthor = !s.st.numbered
		rest, over := s.cluster(known)
		c.Overrun = over
		if s.st.notes {
			for i := range author {
				author[i].Look &= looks
			}
			c.Author, out = author, rest
		} else {
			gap := " "
			if s.st.numbered {
				gap = "\u00a0"
			}
			if len(rest) > 0 && rest[0].Look&Raise != 0 {
				gap = ""
			}
			if rest.empty() {
				gap = ""
			}
			link := ""
			if !s.st.numbered {
				link = s.link(known[0].Key)
			}
			for i := range author {
				author[i].Link = link
			}
			out = p.add(author, rich{{Text: gap, Link: link}})
			for _, one := range rest {
				if one.Link == "" {
					one.Link = link
				}
				out = append(out, one)
			}
		}
	} else {
		out, c.Overrun = s.cluster(known)
	}
	if s.overrun = s.overrun || c.Overrun; c.Overrun {
		return c
	}
	for i := range out {
		out[i].Look &= looks
	}
	// A key that names nothing stands bold behind the others (10).
	for _, k := range c.Unknown {
		out = append(out, Span{Text: " " + k + "?", Look: Bold})
	}
	c.Spans = out
	return c
}

//go:noinline
func (s *Set) link(key string) string {
	if !s.o.Link {
		return ""
	}
	return "#ref-" + key
}

// named prints the author of a citation as the sentence names him: the first
// names of the style's citation, or, where it has none, a short form of them.
func (s *Set) named(it *Item) rich {
	p := s.printer(s.works[it.Key], inText)
	first := Item{Key: it.Key}
	p.it, p.author = &first, authorOnly
	if r := p.children(s.st.citation.kid("layout"), "").rich; p.met && !r.empty() {
		return trimmed(r)
	}
	p = s.printer(s.works[it.Key], inText)
	p.it, p.author = &first, authorOnly
	return trimmed(p.children(byName, "").rich)
}

// trimmed takes the stops off the ends of a text.
func trimmed(r rich) rich {
	r = slices.Clone(r)
	if n := len(r); n > 0 {
		r[0].Text = strings.TrimLeft(r[0].Text, " (")
		r[n-1].Text = strings.TrimRight(r[n-1].Text, " ,.:;(")
		if strings.HasSuffix(r[n-1].Text, " al") { // et al.
			r[n-1].Text += "."
		}
	}
	return r
}

// byName is how authors are named by styles that name none in their citations.
var byName = mustRead(`<layout><names variable="author"><name form="short" and="text" et-al-min="3" et-al-use-first="1"/><substitute><names variable="editor"/><text variable="title" form="short"/></substitute></names></layout>`)

func mustRead(src string) *element {
	e, err := readXML(src)
	if err != nil {
		panic(err)
	}
	return e
}

// cited is a work of a citation as it prints.
type cited struct {
	it     *Item
	text   rich
	names  string // that print before it, "" where none do
	number int
	bare   string // the text without names and without its letter
	letter string
	plain  bool // nothing stands around its key
	over   bool // it took more than its budget
}

// cluster prints the works of a citation together, and tells whether one of them
// took more than its budget.
func (s *Set) cluster(items []Item) (out rich, over bool) {
	layout := s.st.citation.kid("layout")
	items = slices.Clone(items)
	override := s.st.numbered && s.o.Marker != "" && s.o.Marker != "style"
	list := make([]cited, len(items))
	for i := range items {
		if list[i] = s.one(&items[i], layout, override); list[i].over {
			return nil, true
		}
	}
	list = s.inOrder(list)
	collapse := s.st.citation.get("collapse")
	if s.st.numbered && !s.o.Collapse {
		collapse = ""
	}
	p := s.printer(s.works[items[0].Key], inText)
	p.free()
	delimiter := layout.get("delimiter")
	switch {
	case collapse == "citation-number":
		out = s.ranges(p, list, delimiter)
	case strings.HasPrefix(collapse, "year"):
		out = s.years(p, list, delimiter, collapse)
	default:
		for i := range list {
			if i > 0 {
				out = p.add(out, said(delimiter))
			}
			out = p.add(out, list[i].text)
		}
	}
	if !override {
		return p.affixed(layout, dress(layout, out)), false
	}
	open, shut := "", ""
	switch s.o.Marker {
	case "brackets", "corner":
		open, shut = "[", "]"
	case "parentheses":
		open, shut = "(", ")"
	}
	out = append(append(said(open), out...), Span{Text: shut})
	var kept rich
	for _, one := range out {
		if one.Text == "" {
			continue
		}
		one.Look &^= Raise
		if s.o.Marker == "superscript" || s.o.Marker == "corner" {
			one.Look |= Raise
		}
		kept = append(kept, one)
	}
	return kept, false
}

// one prints a work of a citation.
func (s *Set) one(it *Item, layout *element, bare bool) cited {
	c := cited{it: it, number: s.number[it.Key], plain: it.Prefix == "" && it.Locator == "" && it.Suffix == ""}
	w := s.works[it.Key]
	p := s.printer(w, inText)
	p.it, p.bare = it, bare
	if it.NoAuthor {
		p.author = withoutAuthor
	}
	r := p.children(layout, "").rich
	if c.over = p.spent(r); c.over {
		return c
	}
	if it.NoAuthor {
		r = leading(r)
	}
	if r.empty() && !it.NoAuthor { // a style that prints nothing of a work at all
		r = said(it.Key)
	}
	for i := range r {
		if r[i].Link == "" {
			r[i].Link = s.link(it.Key)
		}
	}
	p.free()
	if it.Prefix != "" {
		gap := " "
		if last, _ := (said(it.Prefix)).end(); eastern(string(last)) {
			gap = ""
		}
		r = p.add(said(it.Prefix+gap), r)
	}
	if it.Suffix != "" {
		gap := ""
		if !strings.ContainsAny(it.Suffix[:1], ",.;:)") {
			gap = " "
		}
		suffix := it.Suffix
		if len(r) == 0 {
			gap, suffix = "", strings.TrimLeft(suffix, ", ")
		}
		r = p.add(r, said(gap+suffix))
	}
	c.text = r
	if !s.st.numbered && strings.HasPrefix(s.st.citation.get("collapse"), "year") || s.st.citation.has("cite-group-delimiter") {
		p := s.printer(w, inText)
		first := *it
		p.it, p.author = &first, authorOnly
		if names := p.children(layout, "").rich; p.met {
			c.names = names.plain()
		}
		c.letter = s.more[it.Key].letter
		q := s.printer(w, inText)
		q.it, q.author, q.letter = &first, withoutAuthor, ""
		c.bare = leading(q.children(layout, "").rich).plain()
	}
	return c
}

// leading takes off what would part the author that is not there from the rest.
func leading(r rich) rich {
	for len(r) > 0 {
		r = slices.Clone(r)
		if r[0].Text = strings.TrimLeft(r[0].Text, " ,.:;"); r[0].Text != "" {
			break
		}
		r = r[1:]
	}
	return r
}

// inOrder sorts the works of a citation as the style asks, and brings those of the
// same authors together where it does.
func (s *Set) inOrder(list []cited) []cited {
	part := s.st.citation
	plain := true
	for i := range list {
		plain = plain && list[i].it.Prefix == ""
	}
	if part.kid("sort") != nil && plain {
		keys := make([]string, len(list))
		at := map[string]int{}
		for i := range list {
			keys[i] = list[i].it.Key
		}
		for i, k := range s.sorted(keys, part) {
			if _, twice := at[k]; !twice {
				at[k] = i
			}
		}
		sort.SliceStable(list, func(a, b int) bool { return at[list[a].it.Key] < at[list[b].it.Key] })
	}
	if s.st.numbered || !strings.HasPrefix(part.get("collapse"), "year") && !part.has("cite-group-delimiter") {
		return list
	}
	var out []cited
	done := make([]bool, len(list))
	for i := range list {
		if done[i] {
			continue
		}
		out = append(out, list[i])
		for k := i + 1; k < len(list); k++ {
			if !done[k] && list[k].names != "" && list[k].names == list[i].names && list[k].it.Prefix == "" {
				done[k] = true
				out = append(out, list[k])
			}
		}
	}
	return out
}

// ranges prints numbers, three and more in a row as a range.
func (s *Set) ranges(p *printer, list []cited, delimiter string) (out rich) {
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k].plain && list[k+1].plain && list[k+1].number-list[k].number <= 1 && list[k+1].number >= list[k].number {
			k++
		}
		if i > 0 {
			out = p.add(out, said(delimiter))
		}
		if first, last := list[i].number, list[k].number; last-first >= 2 {
			out = p.add(out, list[i].text)
			out = append(out, Span{Text: "–"})
			out = p.add(out, list[k].text)
			i = k + 1
			continue
		}
		out = p.add(out, list[i].text)
		n := list[i].number
		for i++; i < len(list) && list[i].number == n && list[i].plain && list[i-1].plain; i++ { // cited twice
		}
	}
	return out
}

// years prints works, those of the same authors with the authors once.
func (s *Set) years(p *printer, list []cited, delimiter, collapse string) (out rich) {
	c := s.st.citation
	group := c.get("cite-group-delimiter")
	if !c.has("cite-group-delimiter") {
		group = ", "
	}
	after := delimiter
	if c.has("after-collapse-delimiter") {
		after = c.get("after-collapse-delimiter")
	}
	between := group
	if c.has("year-suffix-delimiter") {
		between = c.get("year-suffix-delimiter")
	}
	layout := c.kid("layout")
	for i := 0; i < len(list); {
		k := i + 1
		for k < len(list) && list[i].names != "" && list[k].names == list[i].names && list[k].it.Prefix == "" && !list[i].it.NoAuthor && !list[k].it.NoAuthor {
			k++
		}
		out = p.add(out, list[i].text)
		for n := i + 1; n < k; n++ {
			b := &list[n-1]
			l := &list[n]
			if collapse != "year" && l.letter != "" && b.letter != "" && l.bare == b.bare && b.plain && l.plain {
				if collapse == "year-suffix-ranged" {
					m := n
					for m+1 < k && list[m+1].letter != "" && list[m+1].bare == l.bare && list[m+1].plain && next(list[m].letter, list[m+1].letter) {
						m++
					}
					if next(b.letter, l.letter) && m > n {
						out = append(out, Span{Text: "–"}, Span{Text: list[m].letter, Link: s.link(list[m].it.Key)})
						n = m
						continue
					}
				}
				out = p.add(out, said(between))
				out = append(out, Span{Text: l.letter, Link: s.link(l.it.Key)})
				continue
			}
			it := *l.it
			it.NoAuthor = true
			rest := s.one(&it, layout, false)
			out = p.add(out, said(group))
			out = p.add(out, rest.text)
		}
		if i = k; i < len(list) {
			d := delimiter
			if k-1 > 0 && list[k-1].names != "" && k >= 2 && list[k-2].names == list[k-1].names {
				d = after
			}
			out = p.add(out, said(d))
		}
	}
	return out
}

// next reports whether a letter follows another.
func next(a, b string) bool {
	return len(a) == 1 && len(b) == 1 && b[0] == a[0]+1
}
