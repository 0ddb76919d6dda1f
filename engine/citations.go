package engine

import (
	"errors"
	"fmt"
	"strings"

	"postext/engine/cite"
	"postext/engine/frame"
	"postext/engine/layout"
	"postext/engine/markup"
	"postext/engine/settings"
)

// citedBook is what the citations of a book print, kept while nothing of it
// changes.
type citedBook struct {
	key   uint64
	cites []*layout.Cites
}

// readWorks reads the works a chapter declares.
func (e *chapter) readWorks(first bool) {
	e.works, e.faults = nil, nil
	for _, b := range e.cites.Sources {
		format, _ := b.Attrs.Get("format")
		works, err := cite.Read(b.Literal, format)
		e.works = append(e.works, works...)
		if err != nil {
			e.faults = append(e.faults, frame.Problem{Kind: "referencesUnreadable", Detail: err.Error(), Start: b.Start, End: b.End, Page: -1,
				Fields: []frame.Field{{Key: "message", Value: err.Error()}}})
		}
	}
	if m := e.doc.Meta; first && m != nil && m.Raw["references"] != nil {
		works, err := cite.FromCSL(m.Raw["references"])
		e.works = append(e.works, works...)
		if err != nil {
			e.faults = append(e.faults, frame.Problem{Kind: "referencesUnreadable", Detail: "the front matter: " + err.Error(), Start: 0, End: 3, Page: -1,
				Fields: []frame.Field{{Key: "message", Value: err.Error()}}})
		}
	}
}

// citations makes what the chapters' citations print: the references of all
// chapters are one pool, numbers follow the first citation in the book, or in
// the chapter. Nil when the book has neither citations nor lists.
func (t *Typesetter) citations(entries []*chapter, d *settings.Design) []*layout.Cites {
	any := false
	for _, e := range entries {
		any = any || e.cites.Any() || len(e.works) > 0
	}
	if !any {
		t.cited = nil
		return nil
	}
	c := &d.Citations
	extra := nocite(entries)
	cited, captions := t.keysOf(entries, d)
	parts := []string{fmt.Sprintf("%+v", *c)}
	for i, e := range entries {
		for k := range e.cites.Cites {
			parts = append(parts, fmt.Sprintf("%+v", e.cites.Cites[k]))
		}
		parts = append(parts, fmt.Sprint(len(e.works), e.cites.List))
		parts = append(parts, cited[i]...)
		for _, b := range e.cites.Sources {
			parts = append(parts, b.Literal)
		}
	}
	parts = append(parts, extra...)
	if m := entries[0].doc.Meta; m != nil && m.Raw["references"] != nil {
		parts = append(parts, fmt.Sprint(m.Raw["references"]))
	}
	key := layout.KeyOf(parts...)
	if t.cited != nil && t.cited.key == key && len(t.cited.cites) == len(entries) {
		for i, x := range t.cited.cites {
			if x != nil {
				x.Use = &entries[i].cites // its places in the source may have moved
			}
		}
		return t.cited.cites
	}
	var pool []cite.Work
	var keys []string
	placed := false
	for i, e := range entries {
		pool = append(pool, e.works...)
		keys = append(keys, cited[i]...)
		placed = placed || e.cites.List
	}
	o := cite.Options{Style: c.Style, Locale: c.Locale, Marker: c.Marker, Link: c.Link, Collapse: c.Collapse, DOI: c.DOI, ByLanguage: c.ByLanguage, Custom: c.Custom}
	whole := cite.New(pool, keys, o)
	unread := errors.Is(whole.Fault(), cite.ErrLibrary) // as may not be the next time
	if c.Uncited || len(extra) == 1 && extra[0] == "*" {
		extra = whole.All()
	}
	out := make([]*layout.Cites, len(entries))
	at, listed := 0, 0 // keys cited so far; of those, in chapters up to the last with a list
	for i, e := range entries {
		n := len(cited[i])
		x := &layout.Cites{Set: whole, Here: keys[at : at+n], Fresh: keys[listed : at+n], Extra: extra, Problems: e.faults}
		if c.PerChapter && whole.Numbered() {
			x.Set = cite.New(pool, cited[i], o)
		}
		x.Use, x.Notes = &e.cites, whole.Notes() && !c.InLine
		x.AfterStop = x.Notes && strings.HasPrefix(strings.ToLower(d.Locale), "en")
		if err := whole.Fault(); err != nil && i == 0 {
			path := "citations.style"
			if c.Style == "custom" {
				path = "citations.customStyle"
			}
			x.Problems = append(append([]frame.Problem(nil), e.faults...), frame.Problem{Kind: "citationsUnavailable", Start: -1, Page: -1, Path: path,
				Detail: cite.Instead(err)})
		}
		perChapter := c.Scope == "chapter" || c.PerChapter && whole.Numbered()
		x.List = c.Auto && !placed && (perChapter && n > 0 || !perChapter && i == len(entries)-1)
		x.Key = layout.Mix(key, uint64(i))
		if unread {
			x.Key = layout.Mix(x.Key, 1)
		}
		if e.cites.Any() || n > 0 || captions && len(e.cites.Mentions) > 0 || x.List || len(x.Problems) > 0 {
			out[i] = x
		}
		if at += n; e.cites.List {
			listed = at
		}
	}
	place(out, entries, whole, d)
	t.cited = nil
	if !unread {
		t.cited = &citedBook{key, out}
	}
	return out
}

// keysOf lists the keys the chapters cite, in order, those of captions where their
// figure or table is first mentioned, and whether any caption cites.
func (t *Typesetter) keysOf(entries []*chapter, d *settings.Design) (out [][]string, captions bool) {
	out = make([][]string, len(entries))
	seen := map[string]bool{}
	for i, e := range entries {
		u := &e.cites
		keys, at := u.Keys, 0
		var with []string
		for _, m := range u.Mentions {
			r := t.pics.record(m.ID)
			if r == nil && m.Alt != "" {
				r = t.pics.record(m.Alt)
			}
			if r == nil || seen[r.ID] {
				continue
			}
			seen[r.ID] = true
			more := append(layout.CitedIn(r.Caption, d.Locale), layout.CitedIn(r.Note, d.Locale)...)
			if len(more) == 0 {
				continue
			}
			captions = true
			with = append(append(with, keys[at:m.Keys]...), more...)
			at = m.Keys
		}
		if with != nil {
			keys = append(with, keys[at:]...)
		}
		out[i] = keys
	}
	return out, captions
}

// place tells citations where they stand among those of their work. The count goes
// through the book, or begins anew with each chapter; where later citations send
// the reader to the note of the first, it begins anew wherever the notes' numbers
// do.
func place(out []*layout.Cites, entries []*chapter, set *cite.Set, d *settings.Design) {
	crosses := set.Crosses()
	var uses []cite.Use
	scope := 0
	for i, e := range entries {
		if i > 0 && (d.Citations.PerChapter || crosses) {
			scope++
		}
		for k := range e.cites.Cites {
			u := &e.cites.Cites[k]
			if crosses && d.Notes.Numbering == "chapter" && k > 0 && u.Heading != e.cites.Cites[k-1].Heading {
				scope++
			}
			uses = append(uses, cite.Use{Items: u.Items, Scope: scope, Chapter: i})
		}
	}
	places, firsts := set.Places(uses)
	at := 0
	for i, e := range entries {
		n := len(e.cites.Cites)
		if x := out[i]; x != nil {
			x.Places, x.Firsts = places[at:at+n], firsts[at:at+n]
			for _, f := range x.Firsts {
				for k := range f {
					if f[k] = f[k] - at; f[k] < 0 { // in another chapter
						f[k] = -1
					}
				}
			}
		}
		at += n
	}
}

// nocite lists the works to be listed without being cited: "@a, @b", or "@*"
// for all.
func nocite(entries []*chapter) (out []string) {
	m := entries[0].doc.Meta
	if m == nil {
		return nil
	}
	text, _ := m.Raw["nocite"].(string)
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\n' }) {
		if k, ok := strings.CutPrefix(f, "@"); ok && k != "" {
			out = append(out, k)
		}
	}
	return out
}

// notedDoc is a chapter's text with its citations as notes, kept as long as it
// would be the same.
type notedDoc struct {
	of, doc *markup.Document
	key     uint64
}

// noted is the chapter's text as it is laid out: with citations as notes where the
// style has it so.
func (e *chapter) noted(c *layout.Cites) *markup.Document {
	if !c.Notes {
		return e.doc
	}
	if k := c.KnownKey(); e.notedBy.of != e.doc || e.notedBy.key != k {
		e.notedBy = notedDoc{of: e.doc, doc: layout.InNotes(e.doc, c), key: k}
	}
	return e.notedBy.doc
}
