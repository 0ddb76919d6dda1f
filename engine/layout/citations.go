package layout

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
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
	// Use is what the chapter cites, Places and Firsts where these citations stand
	// among those of their works (cite.Set.Places, Firsts in this chapter; −1 in
	// another).
	Use    *CiteUse
	Places [][]cite.Place
	Firsts [][]int
	// Notes tells that citations of the text are notes.
	Notes bool
	// AfterStop sets their marks after a stop that follows them, as English does.
	AfterStop bool
}

// CiteUse is what a document has to do with citations.
type CiteUse struct {
	Keys    []string // cited, in reading order, notes where they are cited
	Cites   []Cite
	Sources []*markup.Block
	List    bool // it has a :::bibliography
	// Mentions are the resources it mentions, whose captions may cite.
	Mentions []CiteMention

	at map[int]int // of Cites, by their place in the source
}

// CiteMention is a mention of a resource; Keys are cited before it.
type CiteMention struct {
	ID, Alt string
	Keys    int
}

// Cite is a citation of a document.
type Cite struct {
	text      string // as it is written
	Items     []cite.Item
	Narrative bool
	Heading   int  // of the first level, so many before it
	Inside    bool // it stands in a note
	More      bool // text follows it there
	note      string
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
	heading, inside := 0, ""
	var walk func(bs []*markup.Block)
	inlines := func(in []markup.Inline) {
		for i := range in {
			switch in[i].Kind {
			case markup.Citation:
				parsed, narrative := markup.ParseCitation(in[i].Text)
				c := Cite{text: in[i].Text, Items: make([]cite.Item, len(parsed)), Narrative: narrative, Heading: heading, note: inside, Inside: inside != "", More: i+1 < len(in)}
				for k, it := range parsed {
					c.Items[k] = itemOf(&it)
					u.Keys = append(u.Keys, it.Key)
				}
				if u.at == nil {
					u.at = map[int]int{}
				}
				u.at[in[i].Start] = len(u.Cites)
				u.Cites = append(u.Cites, c)
			case markup.Ref:
				u.Mentions = append(u.Mentions, CiteMention{in[i].ID, in[i].Target, len(u.Keys)})
			case markup.NoteRef:
				if n := notes[in[i].ID]; n != nil {
					delete(notes, in[i].ID)
					saved := inside
					inside = n.ID
					walk(n.Blocks)
					inside = saved
				}
			}
		}
	}
	walk = func(bs []*markup.Block) {
		for _, b := range bs {
			switch {
			case b.Kind == markup.Heading && b.Level == 1:
				heading++
			case b.Kind == markup.Directive && b.Name == "bibliography":
				u.List = true
			case b.Kind == markup.Embed:
				u.Mentions = append(u.Mentions, CiteMention{ID: b.ID, Keys: len(u.Keys)})
			case b.Kind == markup.Raw && b.Name == "references":
				u.Sources = append(u.Sources, b)
			}
			inlines(b.Inlines)
			inlines(b.Caption)
			walk(b.Children)
		}
	}
	walk(doc.Blocks)
	return u
}

// CitedIn lists the keys that a caption cites.
func CitedIn(caption, locale string) (keys []string) {
	if strings.IndexByte(caption, '@') < 0 {
		return nil
	}
	doc := markup.Parse(caption, markup.Options{Locale: locale, NoCodeBlocks: true})
	markup.Walk(doc.Blocks, func(b *markup.Block) bool {
		for i := range b.Inlines {
			if b.Inlines[i].Kind == markup.Citation {
				items, _ := markup.ParseCitation(b.Inlines[i].Text)
				for _, it := range items {
					keys = append(keys, it.Key)
				}
			}
		}
		return true
	})
	return keys
}

// itemOf is a work of a citation as the styles take it.
func itemOf(it *markup.CiteItem) cite.Item {
	out := cite.Item{Key: it.Key, Prefix: it.Prefix, NoAuthor: it.NoAuthor}
	out.Label, out.Locator, out.Suffix = cite.Locator(it.Locator)
	if it.Bare && out.Locator == "" {
		out.Suffix = strings.TrimPrefix(out.Suffix, ",")
	}
	return out
}

// noteOfCite is the id of the note a citation of the text becomes: none that can be
// written.
func noteOfCite(k int) string { return "@" + strconv.Itoa(k) }

// Marks of the inlines that stand for a citation in the note it has become,
// and for its author in the text.
const (
	inItsNote = "note"
	itsAuthor = "author"
)

// InNotes is a document whose citations are notes, as styles that cite in notes
// ask: each becomes the marker of a note of its own, which holds the citation. Those
// that stand in a note already stay there, and so do those of headings and tables,
// where notes are not read. A citation none of whose works is known stays as well.
func InNotes(doc *markup.Document, c *Cites) *markup.Document {
	out := *doc
	out.Notes = slices.Clone(doc.Notes)
	inlines := func(in []markup.Inline) []markup.Inline {
		var to []markup.Inline
		taken := 0 // of the text at hand, by the mark before it
		for i := range in {
			a := &in[i]
			if taken > 0 {
				rest := *a
				rest.Text, rest.Start = a.Text[taken:], a.Start+taken
				a, taken = &rest, 0
				if rest.Text == "" {
					continue
				}
			}
			k, ok := c.Use.at[a.Start]
			if a.Kind != markup.Citation || !ok || c.Use.Cites[k].Inside || !c.known(k) {
				if to != nil {
					to = append(to, *a)
				}
				continue
			}
			if to == nil {
				to = slices.Clone(in[:i])
			}
			id := noteOfCite(k)
			if c.Use.Cites[k].Narrative {
				author := *a
				author.Target = itsAuthor
				to = append(to, author)
			} else if n := len(to); n > 0 && to[n-1].Kind == markup.Text { // the mark touches the word before it
				if t := strings.TrimRight(to[n-1].Text, " \u00a0\n"); t != "" {
					to[n-1].Text = t
				}
			}
			if c.AfterStop && i+1 < len(in) {
				if n := stops(&in[i+1]); n > 0 {
					next := in[i+1]
					next.Text, next.End, taken = next.Text[:n], next.Start+n, n
					to = append(to, next)
				}
			}
			to = append(to, markup.Inline{Kind: markup.NoteRef, ID: id, Style: a.Style, Start: a.Start, End: a.End})
			cited := *a
			cited.Target, cited.Style, cited.Link = inItsNote, 0, ""
			out.Notes = append(out.Notes, &markup.Note{ID: id, Start: a.Start, End: a.End, Blocks: []*markup.Block{
				{Kind: markup.Paragraph, Start: a.Start, End: a.End, Inlines: []markup.Inline{cited}}}})
		}
		if to == nil {
			return in
		}
		return to
	}
	var walk func(bs []*markup.Block) []*markup.Block
	walk = func(bs []*markup.Block) []*markup.Block {
		var to []*markup.Block
		for i, b := range bs {
			n := b
			if b.Kind != markup.Heading {
				in, kids := inlines(b.Inlines), walk(b.Children)
				if len(in) != len(b.Inlines) || len(in) > 0 && &in[0] != &b.Inlines[0] || len(kids) > 0 && &kids[0] != &b.Children[0] {
					one := *b
					one.Inlines, one.Children = in, kids
					n = &one
				}
			}
			if n != b && to == nil {
				to = slices.Clone(bs[:i])
			}
			if to != nil {
				to = append(to, n)
			}
		}
		if to == nil {
			return bs
		}
		return to
	}
	out.Blocks = walk(doc.Blocks)
	return &out
}

// stops is how much of a text stands before the mark of a note that is set after
// the stop.
func stops(in *markup.Inline) int {
	if in.Kind != markup.Text || in.End-in.Start != len(in.Text) {
		return 0
	}
	n := len(in.Text) - len(strings.TrimLeft(in.Text, ".,;:!?"))
	for _, q := range []string{"”", "’", "\"", "'"} {
		if n > 0 && strings.HasPrefix(in.Text[n:], q) {
			n += len(q)
		}
	}
	return n
}

// known reports whether a citation has a work that is there.
func (c *Cites) known(k int) bool {
	for _, it := range c.Use.Cites[k].Items {
		if c.Set.Has(it.Key) {
			return true
		}
	}
	return false
}

// KnownKey is equal for chapters whose citations become the same notes.
func (c *Cites) KnownKey() uint64 {
	h := newHasher()
	for k := range c.Use.Cites {
		h.one(flag(c.known(k)))
	}
	return h.sum() | 1
}

// citation gives what a citation prints; nothing when none of its keys is known.
func (j *job) citation(in *markup.Inline) cite.Citation {
	c := j.in.Cites
	if c == nil {
		return cite.Citation{}
	}
	k, ok := c.Use.at[in.Start]
	if !ok || c.Use.Cites[k].text != in.Text { // a caption that stands outside the text
		parsed, narrative := markup.ParseCitation(in.Text)
		items := make([]cite.Item, len(parsed))
		for i := range parsed {
			items[i] = itemOf(&parsed[i])
		}
		return j.inLine(c.Set.Cite(items, narrative))
	}
	use := &c.Use.Cites[k]
	items := slices.Clone(use.Items)
	for i := range items {
		items[i].Place = c.Places[k][i]
		if at := c.Firsts[k][i]; at >= 0 && c.Notes {
			id := c.Use.Cites[at].note
			if id == "" {
				id = noteOfCite(at)
			}
			items[i].Place.First = j.noteNumber(id)
		}
	}
	out := c.Set.Cite(items, use.Narrative)
	switch {
	case !c.Set.Notes() || len(out.Spans) == 0:
	case in.Target == itsAuthor:
		out.Spans = out.Author
	case in.Target == inItsNote:
		if items[0].Prefix != "" {
			out.Spans[0].Text = capital(out.Spans[0].Text)
		}
	case use.Inside:
		if use.Narrative {
			out.Spans = append(append(out.Author, cite.Span{Text: ", "}), out.Spans...)
		}
		if use.More {
			out.Spans = withoutStop(out.Spans)
		}
	default:
		out = j.inLine(out)
	}
	return out
}

// inLine puts what belongs into a note into the line, in parentheses: where notes
// are not read, and where a style's notes are to stand in the text.
func (j *job) inLine(c cite.Citation) cite.Citation {
	if !j.in.Cites.Set.Notes() || len(c.Spans) == 0 {
		return c
	}
	spans := append([]cite.Span{{Text: "("}}, withoutStop(c.Spans)...)
	spans = append(spans, cite.Span{Text: ")"})
	if len(c.Author) > 0 {
		spans = append(append(c.Author, cite.Span{Text: " "}), spans...)
	}
	c.Spans = spans
	return c
}

// withoutStop takes the full stop off the end of a citation.
func withoutStop(spans []cite.Span) []cite.Span {
	out := slices.Clone(spans)
	if n := len(out); n > 0 {
		out[n-1].Text = strings.TrimSuffix(out[n-1].Text, ".")
	}
	return out
}

func capital(t string) string {
	r, n := utf8.DecodeRuneInString(t)
	return string(unicode.ToUpper(r)) + t[n:]
}

// citeKey is a key of what a citation prints.
func (j *job) citeKey(in *markup.Inline) uint64 {
	h := newHasher()
	for _, s := range j.citation(in).Spans {
		h.str(s.Text)
		h.str(s.Link)
		h.num(uint64(s.Look))
	}
	return h.sum()
}

// lookOf is the style of a span of a citation.
func lookOf(l cite.Look) (st markup.Style) {
	for _, one := range [...]struct {
		look cite.Look
		st   markup.Style
	}{{cite.Italic, markup.Italic}, {cite.Bold, markup.Bold}, {cite.Raise, markup.Sup}, {cite.Lower, markup.Sub},
		{cite.SmallCaps, markup.SmallCaps}, {cite.Underline, markup.Underline}} {
		if l&one.look != 0 {
			st |= one.st
		}
	}
	return st
}

// cite adds a citation to the line.
func (b *builder) cite(in *markup.Inline, from, to int) error {
	c := b.j.citation(in)
	if len(c.Spans) == 0 {
		if in.Target == itsAuthor {
			return nil // nobody is named
		}
		return b.atom(in, from, to) // as it was written
	}
	if c.Spans[0].Look&cite.Raise != 0 && len(b.items) > 0 && b.items[len(b.items)-1].Kind == linebreak.Glue {
		// A raised number touches the word before it.
		b.items, b.refs = b.items[:len(b.items)-1], b.refs[:len(b.refs)-1]
		b.glued = true
	}
	for _, s := range c.Spans {
		st := b.styleOf(in) | lookOf(s.Look)
		if s.Look&cite.Italic != 0 {
			st |= quietStyle // a title, which nobody emphasises
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
		if in[i].Kind != markup.Citation || in[i].Target == itsAuthor {
			continue
		}
		c := w.in.Cites
		if c != nil && c.Set.Overrun() && w.citation(&in[i]).Overrun {
			w.overrun("citations are set as they are written", in[i].Start, in[i].End)
		}
		items, _ := markup.ParseCitation(in[i].Text)
		for _, it := range items {
			if c == nil || !c.Set.Has(it.Key) {
				w.problems = append(w.problems, frame.Problem{Kind: "unknownCitationKey", Detail: "@" + it.Key + " — no reference has this key",
					Start: in[i].Start, End: in[i].End, Page: -1, Fields: []frame.Field{{Key: "key", Value: it.Key}}})
			}
		}
	}
}

// overrun reports that the style prints without end.
func (w *walker) overrun(instead string, start, end int) {
	w.reportOnce("citationsUnavailable", "the style prints many times what there is to say of a work: "+instead+"; look for macros in citations.customStyle that call others twice, and those again", start, end)
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
	for i := range list {
		if list[i].Overrun {
			w.overrun("entries are set as their keys", b.Start, b.End)
		}
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
	above := unit.Sp(0)
	if title == "" {
		above = w.d.Body.Leading // it is no part of the text before it
	}
	return w.worksList(list, b, p, above)
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
func (w *walker) worksList(list []cite.Entry, b *markup.Block, p place, above unit.Sp) error {
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
			in = append(in, generated(s.Text, lookOf(s.Look), s.Link, b)...)
		}
		n := node{kind: frame.Paragraph, in: in, start: b.Start, end: b.End, x: x, id: "ref-" + list[i].Key, group: p.group, leading: t.Leading,
			set: w.setting(settingKey{text: t, plainInk: true, width: width, align: flushLeft, hang: hang}), number: list[i].Label}
		if n.above = above; i > 0 {
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
