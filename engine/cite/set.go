// Package cite turns bibliographic data into citations and lists of works.
//
// It reads BibTeX and CSL data (JSON, or the same fields in YAML) into Works and
// prints them by styles in CSL 1.0.2, the Citation Style Language: those of the
// program, which stand in the folder styles and are written after the manuals of
// their publishers, or one that a book brings. Languages are a table of terms.
//
// Invariants: reading never panics and takes time and memory linear in the
// source; a style's file is bounded, and so is what printing one work by it
// takes; a Set is never changed once made, and equal pools, orders and options
// give equal Sets.
package cite

import (
	"encoding/xml"
	"slices"
	"sort"
	"strings"

	"postext/engine/collate"
)

// Options say how works are cited.
type Options struct {
	Style string // id of a style, or custom; an unknown one is apa
	// Custom is the CSL text of the style custom.
	Custom   string
	Locale   string // BCP 47
	Marker   string // of numbered styles: style, brackets, parentheses, superscript, corner
	Link     bool
	Collapse bool   // 1–3 for 1, 2, 3, where the style has it so
	DOI      string // link, text, hide
	// ByLanguage lists works of the document's language first, then those of each
	// other together; styles that number their works are listed by number all the same.
	ByLanguage bool
}

// Position is where a citation stands among those of its work.
type Position uint8

const (
	First Position = iota
	Subsequent
	Ibid // of the work of the citation before, at the same place
	IbidWithLocator
)

// Place is a citation's position; First in it the number of the note that cites
// the work first, 0 where there is none.
type Place struct {
	Position
	First int
	Near  bool // the work was cited shortly before
}

// Item is one work of a citation: what stands around its key.
type Item struct {
	Key, Prefix string
	// Label is what the locator counts (page, chapter, …, a term of CSL), Suffix
	// what follows it.
	Label, Locator, Suffix string
	NoAuthor               bool
	Place                  Place
}

// more is what tells a work from others that would print the same.
type more struct {
	letter string // behind its year
	shown  int    // names, beyond those the style shows
	given  []uint8
	apart  bool // the style's own way
}

// How much of a given name is shown where the family name does not do.
const (
	initialsOf = 1
	fullName   = 2
)

// Set is the works of a book with what citing them needs: numbers, and what tells
// those apart that would print the same.
type Set struct {
	o      Options
	st     *style
	t      *terms
	other  *terms // of works in another language, where the style has it so
	works  map[string]*Work
	order  []string // cited works, in order of citation
	number map[string]int
	more   map[string]more
	// ownLetter: the style prints the letters of years itself, in citations and in
	// the list.
	ownLetter [2]bool
	fault     error
	overrun   bool
}

// New makes the set of a pool of works. cited are the keys in order of
// citation, repetitions and unknown keys included.
func New(works []Work, cited []string, o Options) *Set {
	s := &Set{o: o, works: make(map[string]*Work, len(works)), number: map[string]int{}, more: map[string]more{}}
	s.st, s.fault = styleFor(o)
	var err error
	if s.t, err = termsOf(o.Locale, s.st); s.fault == nil {
		s.fault = err
	}
	if s.st.root.get("words") == "work" {
		tag := "zh"
		if s.t.lang == "zh" {
			tag = "en"
		}
		s.other, _ = termsOf(tag, s.st) // its fault is the same
	}
	s.ownLetter = [2]bool{inText: s.st.prints(s.st.citation, "year-suffix"), inList: s.st.prints(s.st.list, "year-suffix")}
	for i := range works {
		if _, twice := s.works[works[i].ID]; !twice {
			s.works[works[i].ID] = &works[i]
		}
	}
	seen := map[string]bool{}
	for _, k := range cited {
		if s.works[k] != nil && !seen[k] {
			seen[k] = true
			s.order = append(s.order, k)
			s.number[k] = len(s.order)
		}
	}
	if s.st.numbered && s.st.list.kid("sort") != nil {
		for i, k := range s.sorted(s.order, s.st.list) {
			s.number[k] = i + 1
		}
	}
	s.tellApart()
	return s
}

// Fault says why the style asked for is not the one used, nil when it is.
func (s *Set) Fault() error { return s.fault }

// Numbered reports whether works are cited by number, Notes whether in notes.
func (s *Set) Numbered() bool { return s.st.numbered }
func (s *Set) Notes() bool    { return s.st.notes }

// Has reports whether a key is that of a work.
func (s *Set) Has(key string) bool { return s.works[key] != nil }

// All lists the keys of every work, sorted.
func (s *Set) All() []string {
	out := make([]string, 0, len(s.works))
	for k := range s.works {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Cited lists the keys cited, in order of their first citation.
func (s *Set) Cited() []string { return s.order }

func (s *Set) numberOf(key string) int { return s.number[key] }

// printer makes the printer of a work.
func (s *Set) printer(w *Work, r role) *printer {
	p := &printer{s: s, st: s.st, t: s.t, part: s.st.citation, w: w, role: r, budget: budgetOf(w), more: s.more[w.ID]}
	if r == inList {
		p.part = s.st.list
	}
	if s.other != nil && s.languageOf(w) != s.t.lang {
		p.t = s.other
	}
	return p
}

// languageOf is the language of a work where a style has words in two (GB/T 7714):
// Chinese or the one that is not.
func (s *Set) languageOf(w *Work) string {
	l := languageOf(w.Text["language"])
	switch {
	case l == "zh" || l == "" && eastern(w.Text["title"]):
		return "zh"
	case s.t.lang == "zh":
		return "en"
	}
	return s.t.lang
}

// trigraph is a citation label: letters of the names and the year's last figures.
func (s *Set) trigraph(w *Work) string {
	names := w.Names["author"]
	if len(names) == 0 {
		names = w.Names["editor"]
	}
	each := 4
	switch n := len(names); {
	case n >= 4:
		each = 1
	case n >= 2:
		each = 2
	}
	var b strings.Builder
	for i := range names {
		if i == 4 {
			break
		}
		f := []rune(names[i].Family + names[i].Literal)
		b.WriteString(string(f[:min(each, len(f))]))
	}
	if y := itoa(w.Dates["issued"].Year); len(y) >= 2 {
		b.WriteString(y[len(y)-2:])
	}
	return b.String() + s.more[w.ID].letter
}

// sorted orders keys as a part of the style asks; those that are equal stay in
// their order.
func (s *Set) sorted(keys []string, part *element) []string {
	order := part.kid("sort")
	out := slices.Clone(keys)
	if order == nil {
		return out
	}
	by := order.all("key")
	type row struct {
		key    string
		values []string
	}
	rows := make([]row, len(keys))
	for i, k := range keys {
		rows[i].key = k
		for _, e := range by {
			rows[i].values = append(rows[i].values, s.sortKey(s.works[k], e, part))
		}
	}
	sort.SliceStable(rows, func(a, b int) bool {
		for i, e := range by {
			x, y := rows[a].values[i], rows[b].values[i]
			switch {
			case x == y:
				continue
			case x == "" || y == "": // what is not known comes last
				return y == ""
			case e.get("sort") == "descending":
				return x > y
			}
			return x < y
		}
		// Of one year: by their letters.
		return part == s.st.citation && s.more[rows[a].key].letter < s.more[rows[b].key].letter
	})
	for i := range rows {
		out[i] = rows[i].key
	}
	return out
}

// sortKey is what a work is sorted by under one key.
func (s *Set) sortKey(w *Work, e, part *element) string {
	p := s.printer(w, forSort)
	p.part = part
	if v := e.get("variable"); v != "" {
		switch {
		case v == "citation-number":
			return sortNumber(itoa(s.number[w.ID]))
		case dateVariables[v]:
			d := w.Dates[v]
			if d.Year == 0 {
				return ""
			}
			return sortDate(d)
		case nameVariables[v]:
			f := nameForm{form: "long", order: "all", demote: s.st.root.get("demote-non-dropping-particle"), delimiter: " ", separator: " "}
			if f.demote == "" {
				f.demote = "display-and-sort"
			}
			return collate.Key(p.list(w.Names[v], &f).plain(), s.o.Locale)
		case numberVariables[v]:
			if x := p.variable(v, ""); numeric(x) {
				return sortNumber(x)
			}
		}
		return collate.Key(field(p.variable(v, "")).plain(), s.o.Locale)
	}
	m := s.st.macros[e.get("macro")]
	if m == nil {
		return ""
	}
	// The key may ask for more or fewer names than the style shows.
	over := &element{name: part.name, attr: slices.Clone(part.attr)}
	for from, to := range map[string]string{"names-min": "et-al-min", "names-use-first": "et-al-use-first", "names-use-last": "et-al-use-last"} {
		if e.has(from) {
			over.attr = append([]xml.Attr{{Name: xml.Name{Local: to}, Value: e.get(from)}}, over.attr...)
		}
	}
	p.part = over
	text := p.children(m, "").plain()
	if numeric(text) && !strings.ContainsAny(text, "–-, ") {
		return sortNumber(text)
	}
	return collate.Key(text, s.o.Locale)
}

// sortNumber is a number that sorts by its size.
func sortNumber(s string) string {
	i := 0
	for i < len(s) && isFigure(s[i]) {
		i++
	}
	return strings.Repeat("0", max(12-i, 0)) + s
}

// languageNames are the names BibTeX files give to languages (langid, those of the
// babel package), in the place of tags.
var languageNames = map[string]string{
	"english": "en", "american": "en", "usenglish": "en", "british": "en", "ukenglish": "en", "canadian": "en", "australian": "en",
	"french": "fr", "acadian": "fr", "german": "de", "ngerman": "de", "austrian": "de", "naustrian": "de", "spanish": "es", "italian": "it",
	"portuguese": "pt", "brazilian": "pt", "catalan": "ca", "dutch": "nl", "latin": "la", "greek": "el", "russian": "ru", "polish": "pl",
	"czech": "cs", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "chinese": "zh", "japanese": "ja", "korean": "ko",
	"arabic": "ar", "hebrew": "he", "turkish": "tr",
}

func languageOf(tag string) string {
	base := primary(tag)
	if t := languageNames[base]; t != "" {
		return t
	}
	return base
}

// byLanguage brings the works of a language together: first the document's own,
// which works that name none count to, then the others by their tags. Inside a
// language the order stays.
func (s *Set) byLanguage(keys []string) {
	own := languageOf(s.o.Locale)
	of := func(key string) string {
		if l := languageOf(s.works[key].Text["language"]); l != own {
			return l
		}
		return ""
	}
	sort.SliceStable(keys, func(a, b int) bool { return of(keys[a]) < of(keys[b]) })
}
