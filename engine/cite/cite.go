// Package cite turns bibliographic data into citations and lists of works.
//
// It reads BibTeX and CSL data (JSON, or the same fields in YAML) into Works,
// and prints them in the usual author-date and numbered styles. A style is a row
// of a table: how names are written, and a template for each kind of work. The
// forms follow the manuals of the styles (APA 7, Chicago 17, Cite Them Right 12,
// MLA 9, IEEE, ICMJE/Vancouver, AMA 11, Nature), the field names those of CSL
// 1.0.2.
//
// Invariants: reading never panics and takes time and memory linear in the
// source; a Set is never changed once made, and equal pools, orders and options
// give equal Sets.
package cite

import (
	"strconv"
	"strings"

	"postext/engine/collate"
)

// Work is one entry of a bibliography.
type Work struct {
	ID   string
	Type string // of CSL: article-journal, book, chapter, paper-conference, thesis, report, webpage, …

	Title, Container, Collection string
	Authors, Editors             []Name
	Translators                  []Name
	Issued, Accessed             Date
	Volume, Issue, Page, Number  string
	Edition, Publisher, Place    string
	Genre, Language              string
	DOI, URL                     string
}

// Name is a person, or a body in Literal.
type Name struct {
	Family, Given, Particle, Suffix string
	Literal                         string
}

// others is the name that stands for "and others".
func (n *Name) others() bool {
	return strings.EqualFold(n.Literal, "others") || n.Given == "" && n.Particle == "" && strings.EqualFold(n.Family, "others")
}

// last is the name's family part, or the body.
func (n *Name) last() string {
	if n.Literal != "" {
		return n.Literal
	}
	if n.Particle != "" {
		return n.Particle + " " + n.Family
	}
	if n.Family == "" {
		return n.Given
	}
	return n.Family
}

// Date is a date as far as it is known; Year 0: not at all.
type Date struct {
	Year, Month, Day int
	Literal          string
}

// Span is a stretch of text in one style.
type Span struct {
	Text                string
	Italic, Bold, Raise bool
	Link                string // address, or "#ref-key"
}

// text joins spans without their styles.
func plainText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Options say how works are cited.
type Options struct {
	Style    string // id of a style; an unknown one is apa
	Locale   string // BCP 47
	Marker   string // of numbered styles: style, brackets, parentheses, superscript
	Link     bool
	Collapse bool   // 1–3 for 1, 2, 3
	DOI      string // link, text, hide
	// ByLanguage lists works of the document's language first, then those of each
	// other together; styles that number their works are listed by number all the same.
	ByLanguage bool
}

// Item is one work of a citation: what stands around its key.
type Item struct {
	Key, Prefix, Locator string
	NoAuthor             bool
}

// Set is the works of a book with what citing them needs: numbers by first
// citation, letters where author and year are the same.
type Set struct {
	o      Options
	style  *style
	words  *words
	works  map[string]*Work
	number map[string]int
	letter map[string]string
	order  []string // cited works, in order of citation
	known  bool
}

// New makes the set of a pool of works. cited are the keys in order of
// citation, repetitions and unknown keys included.
func New(works []Work, cited []string, o Options) *Set {
	s := &Set{o: o, words: wordsOf(o.Locale), works: make(map[string]*Work, len(works)), number: map[string]int{}, letter: map[string]string{}}
	s.style, s.known = styleOf(o.Style)
	for i := range works {
		if _, twice := s.works[works[i].ID]; !twice {
			s.works[works[i].ID] = &works[i]
		}
	}
	for _, k := range cited {
		if s.works[k] != nil && s.number[k] == 0 {
			s.order = append(s.order, k)
			s.number[k] = len(s.order)
		}
	}
	if !s.style.numbered {
		s.letters()
	}
	return s
}

// Known reports whether the style asked for is one of those there are.
func (s *Set) Known() bool { return s.known }

// Styles lists the ids of the styles, the default first.
func Styles() []string {
	var out []string
	for i := range styles {
		out = append(out, styles[i].ids...)
	}
	return out
}

// Has reports whether a key is that of a work.
func (s *Set) Has(key string) bool { return s.works[key] != nil }

// Numbered reports whether works are cited by number.
func (s *Set) Numbered() bool { return s.style.numbered }

// letters tells works of one author and year apart, in the order of the list.
func (s *Set) letters() {
	groups := map[string]int{}
	sorted := s.sorted(s.order)
	label := func(k string) string {
		w := s.works[k]
		return s.short(w) + "\x00" + s.year(w)
	}
	for _, k := range sorted {
		groups[label(k)]++
	}
	next := map[string]int{}
	for _, k := range sorted {
		l := label(k)
		if groups[l] > 1 {
			n := next[l]
			next[l]++
			s.letter[k] = letters(n)
		}
	}
}

// letters counts a, b … z, aa.
func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letters(n/26-1) + string(rune('a'+n%26))
}

// sorted orders keys as the list of an author-date style does: by names, year,
// title.
func (s *Set) sorted(keys []string) []string {
	type entry struct {
		key, by, title string
		year           int
	}
	list := make([]entry, 0, len(keys))
	for _, k := range keys {
		w := s.works[k]
		var b strings.Builder
		names := w.Authors
		if len(names) == 0 {
			names = w.Editors
		}
		for i := range names {
			n := &names[i]
			if n.others() {
				continue
			}
			b.WriteString(collate.Key(n.last(), s.o.Locale))
			b.WriteByte(1)
			b.WriteString(collate.Key(n.Given, s.o.Locale))
			b.WriteByte(2)
		}
		e := entry{key: k, by: b.String(), title: collate.Key(w.Title, s.o.Locale), year: w.Issued.Year}
		if e.by == "" {
			e.by = e.title
		}
		list = append(list, e)
	}
	sortBy(list, func(a, b entry) bool {
		if a.by != b.by {
			return a.by < b.by
		}
		if a.year != b.year {
			return a.year < b.year
		}
		if a.title != b.title {
			return a.title < b.title
		}
		return a.key < b.key
	})
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].key
	}
	return out
}

// year is a work's year as it is printed.
func (s *Set) year(w *Work) string {
	switch {
	case w.Issued.Year < 0:
		return strconv.Itoa(-w.Issued.Year) + " BCE"
	case w.Issued.Year > 0:
		return strconv.Itoa(w.Issued.Year)
	case w.Issued.Literal != "":
		return w.Issued.Literal
	}
	return s.words.noDate
}
