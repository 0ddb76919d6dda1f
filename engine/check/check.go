// Package check gathers the warnings about a book: what the parser and the layout
// noted on the way, what the configuration had to have replaced, and what can be
// seen on its settings, fonts, resources and finished pages (warnings.md).
//
// It reads and changes nothing; equal books give equal warnings, in one order: by
// category, in each what concerns the whole book first, then chapter by chapter
// in the order of the source. What needs no pages is told before there are any.
//
// A warning belongs to the book or to one chapter. Those of a chapter are kept
// with its pages: a chapter that did not change is never looked at twice.
package check

import (
	"slices"
	"sort"

	"postext/book"
	"postext/engine"
	"postext/engine/frame"
	"postext/engine/layout"
	"postext/engine/markup"
	"postext/engine/settings"
)

// Warning is a problem with its kind and place.
type Warning struct {
	Of *Kind
	// Chapter is the index of the chapter, −1 for what concerns the book.
	Chapter int
	frame.Problem
}

// Source is a book as far as it is known.
type Source struct {
	Book *book.Book
	// Design is that of the pages; nil before there are any, and then the book's
	// configuration is asked.
	Design *settings.Design
	// Chapters are those laid out so far, from the first on.
	Chapters []*frame.Chapter
	// Problems are those of the book's last layout, Result.Problems.
	Problems []frame.Problem
	// Family says whether a font family is to be had: in the open catalogue or with
	// the program. nil: nobody knows. Families is another text when it may answer
	// otherwise.
	Family   func(name string) bool
	Families string
	// Unstored: nothing can be kept here between two visits.
	Unstored bool
	// Text says which of the chapters that have no pages yet to read for what needs
	// none; nil: none of them.
	Text func(chapter int) bool
}

// Report is what the checks found. A chapter that has not been looked at has no
// warnings in it.
type Report struct {
	Book     []Warning
	Chapters [][]Warning
}

// Checker checks books and remembers what it found in chapters. It is not for
// concurrent use.
type Checker struct {
	run      uint32
	chapters map[*frame.Chapter]*found
	plain    map[*frame.Chapter]*plain // by Chapter.Plain
	texts    map[*book.Chapter]*found
	book     bookKey
	whole    []Warning
	resolved resolved
}

// found are the warnings of a chapter under a design, before any is silenced.
type found struct {
	design uint64 // InkKey
	first  bool
	list   []Warning
	used   uses
	run    uint32
}

// resolved is the design of a configuration that has no pages.
type resolved struct {
	config, language string
	design           *settings.Design
	tree             *settings.Tree
	silent           []string
}

// Check looks at a book.
func (c *Checker) Check(s *Source) *Report {
	if c.run++; c.chapters == nil {
		c.chapters, c.plain, c.texts = map[*frame.Chapter]*found{}, map[*frame.Chapter]*plain{}, map[*book.Chapter]*found{}
	}
	tree, design := c.resolve(s)
	silent := func(w *Warning) bool {
		if s.Unstored && w.Kind == "missingImage" {
			return true // told by storageUnavailable
		}
		return w.Of.Switch != "" && slices.Contains(c.resolved.silent, w.Of.Switch)
	}
	r := &Report{Chapters: make([][]Warning, len(s.Book.Chapters))}
	r.Book = slices.DeleteFunc(slices.Clone(c.ofBook(s, tree, design)), func(w Warning) bool { return silent(&w) })
	for i, ch := range s.Book.Chapters {
		var f *found
		switch {
		case i < len(s.Chapters):
			f = c.ofPages(s.Chapters[i], design)
		case s.Text != nil && s.Text(i):
			f = c.ofText(ch, design, i == 0)
		default:
			continue
		}
		f.run = c.run
		for k := range f.list {
			if w := f.list[k]; !silent(&w) {
				w.Chapter = i
				r.Chapters[i] = append(r.Chapters[i], w)
			}
		}
	}
	// The run before stays, for who compares two of them.
	kept := map[*frame.Chapter]bool{}
	for k, f := range c.chapters {
		if c.run-f.run > keepRuns {
			delete(c.chapters, k)
		} else {
			kept[k.Plain()] = true
		}
	}
	for k, p := range c.plain {
		if c.run-p.run > keepRuns && !kept[k] {
			delete(c.plain, k)
		}
	}
	for k, f := range c.texts {
		if c.run-f.run > keepRuns {
			delete(c.texts, k)
		}
	}
	return r
}

// keepRuns is for how many runs a chapter's warnings are kept unused: those of the
// pages before a change are asked for after it.
const keepRuns = 4

// resolve gives the stored tree of the book's configuration and its design, nil
// for what cannot be had.
func (c *Checker) resolve(s *Source) (*settings.Tree, *settings.Design) {
	r := &c.resolved
	if r.tree == nil || r.config != string(s.Book.Config) || r.language != s.Book.Language {
		*r = resolved{config: string(s.Book.Config), language: s.Book.Language}
		config := s.Book.Config
		if len(config) == 0 {
			config = []byte("{}")
		}
		tree, err := settings.Parse(config)
		if err != nil {
			return nil, s.Design // opening the book tells it
		}
		r.tree, r.silent = tree, settings.SilentChecks(tree)
	}
	if s.Design != nil {
		return r.tree, s.Design
	}
	if r.design == nil {
		// A configuration that does not resolve is told by the layout; what can be
		// checked without a design is.
		r.design, _ = settings.Resolve(r.tree, settings.Env{Language: s.Book.Language})
	}
	return r.tree, r.design
}

// inkKey tells designs apart, 0 where there is none.
func inkKey(d *settings.Design) uint64 {
	if d == nil {
		return 0
	}
	return d.InkKey
}

// ofPages are the warnings of a chapter that has pages.
func (c *Checker) ofPages(ch *frame.Chapter, d *settings.Design) *found {
	f := c.chapters[ch]
	if f != nil && f.design == inkKey(d) {
		return f
	}
	ps := slices.Clone(ch.Problems)
	if d != nil {
		ps = append(ps, c.pages(ch, d)...)
	}
	f = &found{design: inkKey(d), list: listed(ps), used: usesOf(ch)}
	c.chapters[ch] = f
	return f
}

// ofText are the warnings of a chapter that has no pages.
func (c *Checker) ofText(ch *book.Chapter, d *settings.Design, first bool) *found {
	f := c.texts[ch]
	if f != nil && f.design == inkKey(d) && f.first == first {
		return f
	}
	doc := markup.Parse(ch.Markdown, engine.ReadingOptions(d, first))
	ps := make([]frame.Problem, len(doc.Problems))
	for i := range doc.Problems {
		ps[i] = layout.ProblemOf(&doc.Problems[i])
	}
	f = &found{design: inkKey(d), first: first, list: listed(ps)}
	c.texts[ch] = f
	return f
}

// listed gives the warnings of one place: category by category, each in the order
// of the source.
func listed(ps []frame.Problem) []Warning {
	out := make([]Warning, 0, len(ps))
	for _, p := range ps {
		k := KindOf(p.Kind)
		if k == nil {
			k = &Kind{Name: p.Kind, Category: "markup", Title: p.Kind}
		}
		out = append(out, Warning{Of: k, Chapter: -1, Problem: p})
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Start < out[b].Start })
	return out
}

// Select lists the warnings in their order: those of the book, and of one chapter
// or with −1 of all; of one category or of all ("").
func (r *Report) Select(chapter int, category string) (out []Warning) {
	for _, c := range Categories {
		if category != "" && c != category {
			continue
		}
		take := func(list []Warning) {
			for i := range list {
				if list[i].Of.Category == c {
					out = append(out, list[i])
				}
			}
		}
		take(r.Book)
		for i, list := range r.Chapters {
			if chapter < 0 || i == chapter {
				take(list)
			}
		}
	}
	return out
}

// Count is how many warnings there are.
func (r *Report) Count() int {
	n := len(r.Book)
	for _, list := range r.Chapters {
		n += len(list)
	}
	return n
}
