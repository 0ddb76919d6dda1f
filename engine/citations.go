package engine

import (
	"fmt"
	"strings"

	"postext/engine/cite"
	"postext/engine/frame"
	"postext/engine/layout"
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
	parts := []string{fmt.Sprintf("%+v", *c)}
	for _, e := range entries {
		parts = append(parts, e.cites.Keys...)
		parts = append(parts, fmt.Sprint(len(e.works), e.cites.List))
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
		return t.cited.cites
	}
	var pool []cite.Work
	var keys []string
	placed := false
	for _, e := range entries {
		pool = append(pool, e.works...)
		keys = append(keys, e.cites.Keys...)
		placed = placed || e.cites.List
	}
	o := cite.Options{Style: c.Style, Locale: c.Locale, Marker: c.Marker, Link: c.Link, Collapse: c.Collapse, DOI: c.DOI, ByLanguage: c.ByLanguage}
	whole := cite.New(pool, keys, o)
	if c.Uncited || len(extra) == 1 && extra[0] == "*" {
		extra = whole.All()
	}
	out := make([]*layout.Cites, len(entries))
	at, listed := 0, 0 // keys cited so far; of those, in chapters up to the last with a list
	for i, e := range entries {
		n := len(e.cites.Keys)
		x := &layout.Cites{Set: whole, Here: keys[at : at+n], Fresh: keys[listed : at+n], Extra: extra, Problems: e.faults}
		if c.PerChapter && whole.Numbered() {
			x.Set = cite.New(pool, e.cites.Keys, o)
		}
		if !whole.Known() && i == 0 {
			x.Problems = append(append([]frame.Problem(nil), e.faults...), frame.Problem{Kind: "citationsUnavailable", Start: -1, Page: -1, Path: "citations.style",
				Detail: fmt.Sprintf("the citation style %q is not there; works are cited in apa. There are %s", c.Style, strings.Join(cite.Styles(), ", "))})
		}
		perChapter := c.Scope == "chapter" || c.PerChapter && whole.Numbered()
		x.List = c.Auto && !placed && (perChapter && len(e.cites.Keys) > 0 || !perChapter && i == len(entries)-1)
		x.Key = layout.Mix(key, uint64(i))
		if e.cites.Any() || x.List || len(x.Problems) > 0 {
			out[i] = x
		}
		if at += n; e.cites.List {
			listed = at
		}
	}
	t.cited = &citedBook{key, out}
	return out
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
