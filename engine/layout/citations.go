package layout

import (
	"strings"
	"unicode/utf8"

	"postext/engine/cite"
	"postext/engine/frame"
	"postext/engine/linebreak"
	"postext/engine/markup"
	"postext/engine/unit"
)

// Cites is what the citations of a chapter print: a set of works shared by the
// book, or one for each chapter when their numbers begin anew.
type Cites struct {
	Set *cite.Set
	// Key is equal for sets that print the same.
	Key uint64
	// Here are the keys the chapter cites, in order; Fresh those and the keys of
	// the chapters before it, back to the last one with a list.
	Here, Fresh []string
	// List tells a list to be printed after the chapter's text.
	List bool
	// Extra are the works listed without being cited.
	Extra []string
	// Problems are the references that could not be read, and the like.
	Problems []frame.Problem
}

// CiteUse is what a document has to do with citations.
type CiteUse struct {
	Keys    []string // cited, in reading order, notes where they are cited
	Sources []*markup.Block
	List    bool // it has a :::bibliography
}

// Any reports whether there is anything.
func (u *CiteUse) Any() bool { return len(u.Keys) > 0 || len(u.Sources) > 0 || u.List }

// CitesOf finds the citations, references and lists of a document.
func CitesOf(doc *markup.Document) (u CiteUse) {
	notes := make(map[string]*markup.Note, len(doc.Notes))
	for _, n := range doc.Notes {
		if notes[n.ID] == nil {
			notes[n.ID] = n
		}
	}
	var walk func(bs []*markup.Block)
	inlines := func(in []markup.Inline) {
		for i := range in {
			switch in[i].Kind {
			case markup.Citation:
				items, _ := markup.ParseCitation(in[i].Text)
				for _, it := range items {
					u.Keys = append(u.Keys, it.Key)
				}
			case markup.NoteRef:
				if n := notes[in[i].ID]; n != nil {
					delete(notes, in[i].ID)
					walk(n.Blocks)
				}
			}
		}
	}
	walk = func(bs []*markup.Block) {
		for _, b := range bs {
			switch {
			case b.Kind == markup.Directive && b.Name == "bibliography":
				u.List = true
			case b.Kind == markup.Raw && b.Name == "references":
				u.Sources = append(u.Sources, b)
			}
			inlines(b.Inlines)
			walk(b.Children)
		}
	}
	walk(doc.Blocks)
	return u
}

// citation gives what a citation prints; nothing when none of its keys is known.
func (j *job) citation(in *markup.Inline) cite.Citation {
	if j.in.Cites == nil {
		return cite.Citation{}
	}
	parsed, narrative := markup.ParseCitation(in.Text)
	items := make([]cite.Item, len(parsed))
	for i, it := range parsed {
		items[i] = cite.Item{Key: it.Key, Prefix: it.Prefix, Locator: it.Locator, NoAuthor: it.NoAuthor}
	}
	return j.in.Cites.Set.Cite(items, narrative)
}

// citeKey is a key of what a citation prints.
func (j *job) citeKey(in *markup.Inline) uint64 {
	h := newHasher()
	for _, s := range j.citation(in).Spans {
		h.str(s.Text)
		h.str(s.Link)
		h.num(flag(s.Bold), flag(s.Raise))
	}
	return h.sum()
}

// cite adds a citation to the line.
func (b *builder) cite(in *markup.Inline, from, to int) error {
	c := b.j.citation(in)
	if len(c.Spans) == 0 {
		return b.atom(in, from, to) // as it was written
	}
	if c.Spans[0].Raise && len(b.items) > 0 && b.items[len(b.items)-1].Kind == linebreak.Glue {
		// A raised number touches the word before it.
		b.items, b.refs = b.items[:len(b.items)-1], b.refs[:len(b.refs)-1]
		b.glued = true
	}
	for _, s := range c.Spans {
		st := b.styleOf(in)
		if s.Bold {
			st |= markup.Bold
		}
		if s.Raise {
			st |= markup.Sup
		}
		rs, err := b.j.l.style(b.j.ctx, b.s.ts, st, false)
		if err != nil {
			return err
		}
		link := s.Link
		if in.Link != "" {
			link = in.Link
		}
		b.phrase(s.Text, rs, link, from, to)
	}
	return nil
}

// unknownCitations reports the keys of a text that name no work.
func (w *walker) unknownCitations(in []markup.Inline) {
	for i := range in {
		if in[i].Kind != markup.Citation {
			continue
		}
		items, _ := markup.ParseCitation(in[i].Text)
		for _, it := range items {
			if c := w.in.Cites; c == nil || !c.Set.Has(it.Key) {
				w.problems = append(w.problems, frame.Problem{Kind: "unknownCitationKey", Detail: "@" + it.Key + " — no reference has this key",
					Start: in[i].Start, End: in[i].End, Page: -1, Fields: []frame.Field{{Key: "key", Value: it.Key}}})
			}
		}
	}
}

// bibliography sets a list of works (document-format.md 5.7).
func (w *walker) bibliography(b *markup.Block, p place) error {
	c := w.in.Cites
	if c == nil {
		return nil
	}
	w.uncounted++
	defer func() { w.uncounted-- }()
	var keys []string
	scope := w.d.Citations.Scope
	if v, ok := b.Attrs.Get("scope"); ok {
		scope = v
	}
	switch scope {
	case "chapter":
		keys = c.Here
	case "new":
		for _, k := range c.Fresh {
			if !w.listed[k] {
				keys = append(keys, k)
			}
		}
	default:
		keys = append(append(keys, c.Set.Cited()...), c.Extra...)
	}
	if w.listed == nil {
		w.listed = map[string]bool{}
	}
	for _, k := range keys {
		w.listed[k] = true
	}
	list := c.Set.List(keys)
	if len(list) == 0 {
		return nil
	}
	title := w.d.Citations.Title
	if !w.d.Citations.TitleGiven {
		title = cite.Title(w.d.Citations.Locale)
	}
	if v, ok := b.Attrs.Get("title"); ok {
		title = v
	}
	if title = strings.TrimSpace(title); title != "" {
		if err := w.listTitle(title, b, p); err != nil {
			return err
		}
	}
	return w.worksList(list, b, p)
}

// listTitle sets the title of a list as a heading of the second level that is
// not counted.
func (w *walker) listTitle(title string, b *markup.Block, p place) error {
	lv := &w.d.Headings.Levels[1]
	t := lv.Text
	t.Hyphenate = false
	_, err := w.add(node{kind: frame.Heading, in: generated(title, 0, "", b), start: b.Start, end: b.End, x: p.x, level: 2,
		set:   w.setting(settingKey{text: t, width: p.width, align: alignOf(t.Align), flags: fByLine}),
		above: lv.MarginTop, below: lv.MarginBottom, snap: lv.Snap, keepNext: true, whole: true, leading: t.Leading, group: p.group})
	return err
}

// generated is text that stands for all of its block's source.
func generated(text string, st markup.Style, link string, b *markup.Block) []markup.Inline {
	return []markup.Inline{{Kind: markup.Text, Text: text, Style: st, Link: link, Start: b.Start, End: b.End}}
}

// worksList sets the entries of a list, with a column for their numbers when
// they have any.
func (w *walker) worksList(list []cite.Entry, b *markup.Block, p place) error {
	c := &w.d.Citations
	t := p.text
	t.Size, t.Leading = c.Size, c.Leading
	t.Hyphenate, t.Hanging, t.Indent = false, false, 0
	labels := make([]*frame.LineSet, len(list))
	column := unit.Sp(0)
	for i := range list {
		if list[i].Label == "" {
			continue
		}
		var err error
		if labels[i], err = w.label(list[i].Label, t); err != nil {
			return err
		}
		column = max(column, labels[i].Width)
	}
	x, width, hang := p.x, p.width, min(c.Hanging, p.width/2)
	if column > 0 {
		if c.LabelWidth > 0 {
			column = c.LabelWidth
		}
		in := min(column+t.Size/2, p.width/2)
		x, width, hang = x+in, width-in, 0
	}
	for i := range list {
		var in []markup.Inline
		for _, s := range list[i].Spans {
			st := markup.Style(0)
			if s.Italic {
				st |= markup.Italic
			}
			if s.Bold {
				st |= markup.Bold
			}
			in = append(in, generated(s.Text, st, s.Link, b)...)
		}
		n := node{kind: frame.Paragraph, in: in, start: b.Start, end: b.End, x: x, id: "ref-" + list[i].Key, group: p.group, leading: t.Leading,
			set: w.setting(settingKey{text: t, plainInk: true, width: width, align: flushLeft, hang: hang}), number: list[i].Label}
		if i > 0 {
			n.above = c.Spacing
		}
		if i == len(list)-1 {
			n.snap = true
		}
		if labels[i] != nil {
			n.marker, n.markerX = labels[i], p.x
			if c.LabelRight {
				n.markerX = p.x + column - labels[i].Width
			}
		}
		if _, err := w.add(n); err != nil {
			return err
		}
	}
	w.afterPara, w.afterHeading = false, false
	return nil
}

// phrase adds text to the line: its spaces are word spaces, a piece of it too
// long for the line is cut.
func (b *builder) phrase(rest string, rs *runStyle, link string, from, to int) {
	for rest != "" {
		k := strings.IndexByte(rest, ' ')
		if k == 0 {
			b.glue(rs)
			rest = rest[1:]
			continue
		}
		if k < 0 || k > maxPiece {
			k = min(len(rest), maxPiece)
			for k < len(rest) && !utf8.RuneStart(rest[k]) {
				k++
			}
		}
		b.put(rs.f.part(rest[:k]), rs, link, from, to)
		rest = rest[k:]
	}
}
