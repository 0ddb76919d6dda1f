package layout

import (
	"strings"

	"postext/engine/frame"
	"postext/engine/index"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// The back-of-book index (document-format.md 11): package index makes its entries
// from the marks of the whole book, here they are set.

// Index is an index of the book as far as pages are known.
type Index struct {
	Groups []index.Group
	Key    uint64 // equal for equal indexes
}

// BuildIndex makes an index from marks in reading order.
func BuildIndex(marks []index.Mark, d *settings.Design) (*Index, []index.Problem) {
	j := &job{l: &Layouter{}, d: d}
	x := &d.Index
	groups, problems := index.Build(marks, index.Options{Lang: x.Locale, Merge: x.Merge, Groups: x.Groups, Symbols: x.Symbols,
		Numbers: x.Figures, Article: x.NoArticle, Plain: func(text string) string { return titleText(j.words(text)) }})
	out := &Index{Groups: groups}
	h := newHasher()
	for i := range groups {
		h.str(groups[i].Head)
		for _, e := range groups[i].Entries {
			h.str(e.Term)
			h.num(uint64(e.Depth), uint64(len(e.Locators)), uint64(len(e.Refs)))
			for k := range e.Locators {
				l := &e.Locators[k]
				h.str(l.First.Label)
				h.str(l.First.Link)
				h.str(l.Last.Label)
				h.num(flag(l.Main) | flag(l.First.Format == l.Last.Format)<<1)
			}
			for _, r := range e.Refs {
				h.str(r.Target)
				h.one(flag(r.Also))
			}
		}
	}
	h.num(uint64(len(problems)))
	out.Key = h.sum() | 1
	return out, problems
}

// indexList sets the index a directive asks for.
func (w *walker) indexList(b *markup.Block, p place) error {
	name, _ := b.Attrs.Get("index")
	idx := w.in.Indexes[name]
	if idx == nil || len(idx.Groups) == 0 {
		return nil
	}
	x := &w.d.Index
	// A group's head and the entries that lead to the first with pages stay
	// together; the text under the index returns to the grid.
	for gi := range idx.Groups {
		g := &idx.Groups[gi]
		if g.Head != "" {
			n := w.indexNode(generated(g.Head, 0, "", b), x.Head, b, p, 0)
			n.level, n.keepNext, n.whole = 1, true, true
			if gi > 0 {
				n.above = x.HeadAbove
			}
			if _, err := w.add(n); err != nil {
				return err
			}
		}
		for i := range g.Entries {
			e := &g.Entries[i]
			n := w.indexNode(w.indexLine(e, b), x.Text, b, p, e.Depth)
			n.level = e.Depth + 2
			n.keepNext = len(e.Locators) == 0 && len(e.Refs) == 0
			n.whole = n.keepNext
			if i > 0 {
				n.above = x.Spacing
			}
			n.snap = gi == len(idx.Groups)-1 && i == len(g.Entries)-1
			if _, err := w.add(n); err != nil {
				return err
			}
		}
	}
	w.afterPara, w.afterHeading = false, true
	return nil
}

// indexNode is a line of the index, its turnovers set in.
func (w *walker) indexNode(in []markup.Inline, t settings.Text, b *markup.Block, p place, depth int) node {
	x := &w.d.Index
	step := min(x.Indent*unit.Sp(depth), p.width/2)
	hang := min(x.Turnover, (p.width-step)/2)
	return node{kind: frame.IndexEntry, in: in, start: b.Start, end: b.End, x: p.x + step, leading: t.Leading, group: p.group, free: true,
		set: w.setting(settingKey{text: t, plainInk: true, width: p.width - step, align: flushLeft, flags: fByLine, hang: hang})}
}

// indexLine is an entry as it is printed: term, pages, cross-references.
func (w *walker) indexLine(e *index.Entry, b *markup.Block) []markup.Inline {
	x := &w.d.Index
	var in []markup.Inline
	link := ""
	add := func(text string, st markup.Style) { in = append(in, generated(text, st, link, b)...) }
	words := func(text string) {
		for _, a := range w.words(text) {
			a.Start, a.End = b.Start, b.End
			in = append(in, a)
		}
	}
	words(e.Term)
	for i := range e.Locators {
		l := &e.Locators[i]
		sep := x.Between
		if i == 0 {
			sep = x.Separator
		}
		add(sep, 0)
		var st markup.Style
		if l.Main && x.MainBold {
			st |= markup.Bold
		}
		if l.Main && x.MainItalic {
			st |= markup.Italic
		}
		label := l.Text(x.Dash, x.Short)
		if label == "" {
			label = "?"
		}
		link = l.First.Link
		add(label, st)
		link = ""
	}
	for i, r := range e.Refs {
		also := r.Also || len(e.Locators) > 0
		if i > 0 && (e.Refs[i-1].Also || len(e.Locators) > 0) == also {
			add("; ", 0)
		} else {
			word := x.See
			if also {
				word = x.Also
			}
			var st markup.Style
			if x.SeeItalic {
				st = markup.Italic
			}
			add(". ", 0)
			add(title(word), st)
			add(" ", 0)
		}
		words(strings.ReplaceAll(r.Target, "!", ", "))
	}
	return in
}
