package layout

import (
	"slices"
	"strings"

	"postext/engine/index"
	"postext/engine/markup"
	"postext/engine/settings"
)

// What references and indexes reach, found in the text alone: numbers and titles
// are known before anything is laid out; only pages are not.

// Target is what a reference reaches beside headings, parts and resources.
type Target struct {
	ID   string
	Kind string // "equation", "box", "anchor"
	// Number is the bare number, Printed what a reference prints without a style,
	// Title the words of an anchor or a box's title.
	Number, Printed, Title string
}

// anchors lists the anchors in a text, with the words they name.
func anchors(in []markup.Inline, out []Target) []Target {
	for i := range in {
		a := &in[i]
		if a.Kind != markup.Anchor {
			continue
		}
		end := i + 1
		for end < len(in) && in[end].End <= a.End {
			end++
		}
		out = append(out, Target{ID: a.ID, Kind: "anchor", Title: titleText(in[i+1 : end])})
	}
	return out
}

// box is the target of a container with an id.
func (j *job) boxTarget(b *markup.Block, n *settings.Statement, number string) Target {
	t := Target{ID: b.ID, Kind: "anchor", Number: number}
	if t.Title = titleText(b.Caption); t.Title == "" {
		title, _ := b.Attrs.Get("title")
		t.Title = titleText(j.words(title))
	}
	if n != nil && n.On() {
		t.Kind, t.Printed = "box", n.Label
		if number != "" {
			t.Printed += "\u00a0" + number
		}
	}
	return t
}

// Use is what a document prints of the rest of the book.
type Use struct {
	Contents bool
	Indexes  []IndexPlace // the indexes it prints
	Refs     []RefUse
	// Marks are its index marks in source order, by the index they belong to.
	Marks []IndexMark
}

// IndexPlace is where an index is printed.
type IndexPlace struct {
	Name       string
	Start, End int
}

// RefUse is a reference in a text.
type RefUse struct{ ID, Alt, Style string }

// IndexMark is a mark with its place in the source.
type IndexMark struct {
	Start int
	Index string
	Mark  index.Mark
}

// Any reports whether the document prints anything of the rest of the book.
func (u *Use) Any() bool { return u.Contents || len(u.Indexes) > 0 || len(u.Refs) > 0 }

// UseOf finds what a document prints of the rest of the book.
func UseOf(doc *markup.Document) (u Use) {
	formula := func(tex string) {
		for rest := tex; ; {
			k := strings.Index(rest, `ref{`)
			if k < 0 {
				return
			}
			rest = rest[k+len(`ref{`):]
			if n := strings.IndexByte(rest, '}'); n >= 0 {
				u.Refs = append(u.Refs, RefUse{ID: strings.TrimSpace(rest[:n]), Style: "number"})
			}
		}
	}
	inlines := func(in []markup.Inline) {
		for i := range in {
			switch a := &in[i]; a.Kind {
			case markup.Math:
				formula(a.Text)
			case markup.Ref:
				style, _ := a.Attrs.Get("style")
				u.Refs = append(u.Refs, RefUse{a.ID, a.Target, style})
			case markup.IndexMark:
				u.Marks = append(u.Marks, indexMark(a))
			}
		}
	}
	var walk func(bs []*markup.Block)
	walk = func(bs []*markup.Block) {
		for _, b := range bs {
			if b.Kind == markup.Directive {
				switch b.Name {
				case "toc":
					u.Contents = true
				case "index":
					name, _ := b.Attrs.Get("index")
					u.Indexes = append(u.Indexes, IndexPlace{name, b.Start, b.End})
				}
			}
			if b.Kind == markup.Formula {
				formula(b.Literal)
			}
			inlines(b.Inlines)
			inlines(b.Caption)
			for _, r := range b.Rows {
				for i := range r {
					inlines(r[i].Inlines)
				}
			}
			walk(b.Children)
		}
	}
	walk(doc.Blocks)
	for _, n := range doc.Notes {
		walk(n.Blocks)
	}
	slices.SortStableFunc(u.Marks, func(a, b IndexMark) int { return a.Start - b.Start })
	return u
}

// indexMark reads the attributes of a mark (document-format.md 11).
func indexMark(in *markup.Inline) IndexMark {
	m := IndexMark{Start: in.Start}
	a := in.Attrs
	m.Index, _ = a.Get("index")
	term, _ := a.Get("term")
	levels := strings.Split(term, "!")
	if sub, _ := a.Get("sub"); sub != "" {
		levels = append(levels, sub)
	}
	for _, l := range levels {
		if l = strings.TrimSpace(l); l != "" {
			m.Mark.Levels = append(m.Mark.Levels, index.Level{Text: l})
		}
	}
	if n := len(m.Mark.Levels); n > 0 {
		for _, key := range []string{"reading", "yomi", "sort"} {
			if v, _ := a.Get(key); v != "" {
				m.Mark.Levels[n-1].Sort = v
			}
		}
	}
	m.Mark.Main = isOn(a, "main")
	if r, _ := a.Get("range"); r == "start" || r == "end" {
		m.Mark.Range = r
	}
	m.Mark.See, _ = a.Get("see")
	m.Mark.Also, _ = a.Get("seealso")
	return m
}

// Links is what references print, for a whole book.
type Links struct {
	Anchors map[string]Anchor
	// Labels are the printed numbers of the pages targets stand on, by id, as far
	// as they are known.
	Labels map[string]string
	// Contents is a key of the outline with its page labels, Indexes of each index.
	Contents uint64
	Indexes  map[string]uint64
}

// Key is equal where everything a document prints of the rest of the book is.
func (u *Use) Key(l *Links, d *settings.Design, resource func(id, alt string) string) uint64 {
	if !u.Any() {
		return 0
	}
	h := newHasher()
	if u.Contents {
		h.one(l.Contents)
	}
	for _, x := range u.Indexes {
		h.one(l.Indexes[x.Name])
	}
	for i := range u.Refs {
		r := &u.Refs[i]
		a, ok := l.Anchors[r.ID]
		h.num(flag(ok) | flag(a.Spelled)<<1)
		h.str(a.Kind)
		h.str(a.Number)
		h.str(a.Printed)
		h.str(a.Title)
		id := r.ID
		if n := resource(r.ID, r.Alt); n != "" {
			id = n
			ok = true
		}
		if style := formOf(r.Style, &a, &d.Refs); ok && (style == "page" || style == "pageNumber") {
			h.str(l.Labels[id])
		}
	}
	return h.sum() | 1
}

// formOf is the form of a reference: what it asks for, else what the design
// says, else, for an anchor that has neither number nor words, its page.
func formOf(asked string, a *Anchor, r *settings.Refs) string {
	switch asked {
	case "number", "full", "title", "page", "pageNumber":
	default:
		asked = r.Style
	}
	if a.Kind == "anchor" && a.Title == "" && asked != "pageNumber" {
		return "page"
	}
	return asked
}

// Anchors gives what references print of the headings, parts and targets; the
// first setting of an id holds.
func (o Outline) Anchors(targets [][]Target) map[string]Anchor {
	out := map[string]Anchor{}
	for ci := range o {
		for _, t := range targets[ci] {
			if _, twice := out[t.ID]; !twice {
				out[t.ID] = Anchor{Kind: t.Kind, Number: t.Number, Printed: t.Printed, Title: t.Title}
			}
		}
		for i := range o[ci] {
			e := &o[ci][i]
			if e.ID == "" {
				continue
			}
			if _, twice := out[e.ID]; twice {
				continue
			}
			kind := "section"
			switch e.Level {
			case 0:
				kind = "part"
			case 1:
				kind = "chapter"
			}
			out[e.ID] = Anchor{Kind: kind, Number: e.Number, Title: e.Title, Spelled: e.Spelled}
		}
	}
	return out
}

// Key is equal for equal outlines, page labels included.
func (o Outline) Key() uint64 {
	h := newHasher()
	for _, ch := range o {
		h.num(uint64(len(ch)))
		for i := range ch {
			e := &ch[i]
			h.num(uint64(e.Level), flag(e.TOC)|flag(e.Unnumbered)<<1, uint64(e.Ordinal), uint64(len(e.Marked)))
			for k := range e.Marked {
				h.num(uint64(e.Marked[k].Kind), uint64(e.Marked[k].Style), uint64(len(e.Marked[k].Text)))
			}
			h.str(e.Subtitle)
			h.str(e.Number)
			h.str(e.Title)
			h.str(e.ID)
			h.str(e.Label)
		}
	}
	return h.sum() | 1
}
