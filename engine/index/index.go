// Package index makes a back-of-book index from its marks: entries in the order
// of a language, sub-entries under them, pages sorted and joined to ranges,
// cross-references (document-format.md 11, settings.md 20). It knows neither
// pages nor type: a mark comes with the page it stands on, and what comes out is
// words to be set.
//
// Order follows package collate: signs first, then figures, then letters. A word
// that opens with a quotation mark or a bracket is filed under its first letter.
package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"postext/engine/collate"
)

// Page is where a mark stands.
type Page struct {
	Order  int    // physical number in the book; 0: not known yet
	Value  int    // by the book's numbering
	Format string // of that numbering
	Label  string // as printed
	Link   string // to the mark
}

// Mark is one mark of the text.
type Mark struct {
	Levels []Level
	Main   bool
	Range  string // "", "start", "end"
	See    string // the mark is a cross-reference and has no page
	Also   string
	Page   Page
}

// Level is one level of an entry.
type Level struct {
	Text string // with its inline marks
	Sort string // "": Text without them
}

// Options are how an index is made.
type Options struct {
	Lang    string // BCP 47: whose order holds
	Plain   func(text string) string
	Merge   bool // consecutive pages become a range
	Groups  bool // entries stand under heads
	Symbols string
	Numbers string
	Article bool // the Arabic article is passed over in sorting
}

// Group is a run of entries under one head.
type Group struct {
	Head    string // "" when there are no heads
	Entries []Entry
}

// Entry is one line of the index; its sub-entries follow it.
type Entry struct {
	Depth    int
	Term     string
	Locators []Locator
	Refs     []Ref
}

// Locator is a page or a range of pages.
type Locator struct {
	First, Last Page // Last.Label is "" for one page
	Main        bool
}

// Ref is a cross-reference.
type Ref struct {
	Also   bool
	Target string
}

// Problem is a mark that does not work out.
type Problem struct {
	Kind    string // indexSeeUnknown, indexRangeUnclosed
	Term    string
	Missing string // of a range: "start" or "end"
}

// entry is a node of the tree of entries.
type entry struct {
	term, plain, sort string
	class             int
	key               string
	kids              []*entry
	byPlain           map[string]*entry
	pages             []Locator
	open              *Locator // a range that has begun
	refs              []Ref
}

func (e *entry) child(l Level, o *Options) *entry {
	plain := o.plain(l.Text)
	k := e.byPlain[plain]
	if k == nil {
		k = &entry{term: l.Text, plain: plain}
		if e.byPlain == nil {
			e.byPlain = map[string]*entry{}
		}
		e.byPlain[plain] = k
		e.kids = append(e.kids, k)
	}
	if k.sort == "" {
		k.sort = l.Sort
	}
	return k
}

func (o *Options) plain(text string) string {
	if o.Plain != nil {
		text = o.Plain(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

// Build makes the index of marks in reading order.
func Build(marks []Mark, o Options) (groups []Group, problems []Problem) {
	root := &entry{}
	var touched []*entry // with ranges, in order
	names := map[*entry]string{}
	for i := range marks {
		m := &marks[i]
		e := root
		var path []string
		for _, l := range m.Levels {
			e = e.child(l, &o)
			path = append(path, e.plain)
		}
		if e == root {
			continue
		}
		if m.See != "" {
			e.refs = append(e.refs, Ref{Target: m.See})
			continue
		}
		if m.Also != "" {
			e.refs = append(e.refs, Ref{Also: true, Target: m.Also})
		}
		at := Locator{First: m.Page, Main: m.Main}
		switch m.Range {
		case "start":
			if e.open != nil {
				problems = append(problems, Problem{Kind: "indexRangeUnclosed", Term: strings.Join(path, "!"), Missing: "end"})
				e.pages = append(e.pages, *e.open)
			}
			e.open = &at
			touched = append(touched, e)
			names[e] = strings.Join(path, "!")
		case "end":
			if e.open == nil {
				problems = append(problems, Problem{Kind: "indexRangeUnclosed", Term: strings.Join(path, "!"), Missing: "start"})
				e.pages = append(e.pages, at)
				break
			}
			r := *e.open
			r.Main = r.Main || m.Main
			if m.Page.Order > r.First.Order && r.First.Order > 0 {
				r.Last = m.Page
			}
			e.pages = append(e.pages, r)
			e.open = nil
		default:
			e.pages = append(e.pages, at)
		}
	}
	for _, e := range touched {
		if e.open != nil {
			problems = append(problems, Problem{Kind: "indexRangeUnclosed", Term: names[e], Missing: "end"})
			e.pages = append(e.pages, *e.open)
			e.open = nil
		}
	}
	root.settle(&o)
	for i := range marks {
		for _, target := range []string{marks[i].See, marks[i].Also} {
			if target != "" && !root.has(target, &o) {
				problems = append(problems, Problem{Kind: "indexSeeUnknown", Term: target})
			}
		}
	}
	for _, e := range root.kids {
		head := ""
		if o.Groups {
			head = o.head(e)
		}
		if n := len(groups); n == 0 || groups[n-1].Head != head {
			groups = append(groups, Group{Head: head})
		}
		g := &groups[len(groups)-1]
		e.list(0, &g.Entries)
	}
	return groups, problems
}

// has reports whether a see mark's target is an entry: by its levels, or by the
// name it is printed under.
func (e *entry) has(target string, o *Options) bool {
	for _, level := range strings.Split(target, "!") {
		if e = e.byPlain[o.plain(level)]; e == nil {
			return false
		}
	}
	return true
}

// list writes an entry and those under it.
func (e *entry) list(depth int, out *[]Entry) {
	*out = append(*out, Entry{Depth: depth, Term: e.term, Locators: e.pages, Refs: e.refs})
	for _, k := range e.kids {
		k.list(depth+1, out)
	}
}

// settle sorts what stands under an entry and puts its pages in order.
func (e *entry) settle(o *Options) {
	e.pages = locators(e.pages, o.Merge)
	slices.SortStableFunc(e.refs, func(a, b Ref) int {
		if a.Also != b.Also {
			if b.Also {
				return -1
			}
			return 1
		}
		return collate.Compare(a.Target, b.Target, o.Lang)
	})
	e.refs = slices.Compact(e.refs)
	for _, k := range e.kids {
		if k.sort == "" {
			k.sort = k.plain
		}
		if o.Article {
			k.sort = strings.TrimPrefix(k.sort, "ال")
		}
		k.sort = strings.TrimLeftFunc(k.sort, opening)
		k.class = classOf(k.sort)
		k.key = collate.Key(k.sort, o.Lang)
		k.settle(o)
	}
	slices.SortStableFunc(e.kids, func(a, b *entry) int {
		if a.class != b.class {
			return a.class - b.class
		}
		if a.class > 0 {
			if c := strings.Compare(a.key, b.key); c != 0 {
				return c
			}
		}
		if c := collate.Compare(a.sort, b.sort, o.Lang); c != 0 {
			return c
		}
		return strings.Compare(a.plain, b.plain)
	})
}

// opening are the marks that may open a word and say nothing of its place.
func opening(r rune) bool {
	return unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'‚„«»¿¡ \u00a0", r)
}

// classOf tells signs (0), figures (1) and letters (2) by their first character.
func classOf(s string) int {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsDigit(r):
		return 1
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return 2
	}
	return 0
}

// head is the head an entry stands under.
func (o *Options) head(e *entry) string {
	switch e.class {
	case 0:
		return o.Symbols
	case 1:
		return o.Numbers
	}
	return collate.Initial(e.sort, o.Lang)
}
