package cite

import (
	"sort"
	"strings"
)

// Entry is one work of a list.
type Entry struct {
	Key   string
	Label string // of numbered styles
	Spans []Span
	// Overrun: the style printed far more of it than it has to say; the entry is its
	// key.
	Overrun bool
}

// List gives the entries of the keys given, which may repeat, in the order of
// the style. Keys of no work are left out.
func (s *Set) List(keys []string) []Entry {
	if s.st.list == nil {
		return nil
	}
	seen := map[string]bool{}
	var unique []string
	for _, k := range keys {
		if s.works[k] != nil && !seen[k] {
			seen[k] = true
			unique = append(unique, k)
		}
	}
	unique, numbers := s.counted(unique)
	if s.o.ByLanguage && !s.st.numbered {
		s.byLanguage(unique)
	}
	by := s.st.list.get("subsequent-author-substitute")
	var before []string
	out := make([]Entry, 0, len(unique))
	for _, k := range unique {
		e := Entry{Key: k}
		p := numbers.printer(s.works[k], inList)
		p.bare = s.st.numbered && s.o.Marker != "" && s.o.Marker != "style"
		if s.st.list.has("subsequent-author-substitute") {
			p.replaced = &replacement{by: by, rule: s.st.list.get("subsequent-author-substitute-rule"), before: before}
		}
		spans, label := p.entry(s.st.list)
		before = p.firsts
		if e.Overrun = p.spent(spans); e.Overrun {
			spans, label, s.overrun = nil, "", true
		}
		e.Label = label
		if n := numbers.number[k]; p.bare && label != "" {
			switch s.o.Marker {
			case "brackets", "corner":
				e.Label = "[" + itoa(n) + "]"
			case "parentheses":
				e.Label = "(" + itoa(n) + ")"
			}
		}
		if e.Spans = spans; blank(spans) {
			e.Spans = []Span{{Text: k}} // the style has nothing to say of it: no work is lost
		}
		out = append(out, e)
	}
	return out
}

// blank reports whether nothing of an entry would be seen.
func blank(spans []Span) bool {
	for _, s := range spans {
		if strings.TrimSpace(s.Text) != "" {
			return false
		}
	}
	return true
}

// sortedList orders keys as the list does.
func (s *Set) sortedList(keys []string) []string {
	if s.st.list == nil {
		return keys
	}
	return s.sorted(keys, s.st.list)
}

// counted orders keys as the list does and numbers the works no citation has
// numbered, behind the others.
func (s *Set) counted(keys []string) ([]string, *Set) {
	if !s.st.numbered {
		return s.sortedList(keys), s
	}
	with := *s
	with.number = make(map[string]int, len(s.number))
	for k, n := range s.number {
		with.number[k] = n
	}
	var cited, other []string
	for _, k := range keys {
		if s.number[k] > 0 {
			cited = append(cited, k)
		} else {
			other = append(other, k)
		}
	}
	other = s.sortedList(other)
	for i, k := range other {
		with.number[k] = len(s.order) + i + 1
	}
	sort.SliceStable(cited, func(a, b int) bool { return s.number[cited[a]] < s.number[cited[b]] })
	return append(cited, other...), &with
}

// entry prints a work for the list: the number, where the style sets it in a
// column of its own, apart.
func (p *printer) entry(list *element) (spans []Span, label string) {
	layout := list.kid("layout")
	var parts []rich
	column := list.get("second-field-align") != ""
	for i, k := range layout.kids {
		one := p.element(k)
		if i == 0 && column && k.name == "text" {
			label = strings.TrimSpace(one.plain())
			continue
		}
		if one.rich.empty() {
			continue
		}
		if k.get("display") == "block" && len(parts) > 0 {
			parts = append(parts, said(" "))
		}
		parts = append(parts, one.rich)
	}
	r := p.affixed(layout, dress(layout, p.join(parts, layout.get("delimiter"))))
	if n := len(r); n > 0 {
		r[n-1].Text = strings.TrimRight(r[n-1].Text, " ")
		r[0].Text = strings.TrimLeft(r[0].Text, " ")
	}
	for i := range r {
		r[i].Look &= looks
	}
	return r, label
}
