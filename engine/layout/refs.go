package layout

import (
	"strings"

	"postext/engine/markup"
)

// Anchor is what a reference prints of its target.
type Anchor struct {
	Kind   string // "chapter", "section", "part", "equation", ""
	Number string
	Title  string
	Label  string // page, "" while unknown
}

// printed gives the text an atom prints, the style it adds, and whether it is a
// reference label.
func (j *job) printed(in *markup.Inline) (text string, st markup.Style, ref bool) {
	switch in.Kind {
	case markup.NoteRef:
		if j.d.Notes.Inline {
			return j.noteMark(in.ID), 0, false
		}
		return j.noteMark(in.ID), markup.Sup, false
	case markup.Ref:
		return j.reference(in), 0, true
	case markup.Math:
		return "$" + in.Text + "$", 0, false
	case markup.Swatch:
		return "■", 0, false
	case markup.InlineImg:
		if in.Text != "" {
			return in.Text, 0, false
		}
		return "□", 0, false
	}
	return in.Text, 0, false
}

// reference gives the words of a cross-reference (document-format.md 9).
func (j *job) reference(in *markup.Inline) string {
	style, _ := in.Attrs.Get("style")
	n := j.numbered(in.ID, in.Target)
	a, ok := j.in.Anchors[in.ID]
	t, said := in.Attrs.Get("text")
	if n == nil && !ok {
		j.unknownResource(in.ID, "ref", in.Start, in.End)
		if said && t != "" {
			return t
		}
		return "?"
	}
	if said && t != "" {
		return t
	}
	if n != nil {
		how, _ := in.Attrs.Get("case")
		return letters(n.label(style), how)
	}
	switch style {
	case "page":
		if a.Label == "" {
			return "?"
		}
		return "p.\u00a0" + a.Label
	case "pageNumber":
		if a.Label == "" {
			return "?"
		}
		return a.Label
	case "title":
		if a.Kind != "equation" {
			return a.Title
		}
	case "number":
		if a.Number != "" {
			return a.Number
		}
	}
	if a.Kind == "equation" {
		if a.Number == "" {
			j.reportOnce("unknownResourceId", "the formula "+in.ID+" has no number", in.Start, in.End)
			return "?"
		}
		return a.Title
	}
	if a.Number == "" {
		return a.Title
	}
	if a.Kind == "" {
		return a.Number
	}
	return a.Kind + "\u00a0" + a.Number
}

// Uses tells what a document prints of the rest of the book: the contents or
// page numbers (labels), or only numbers and titles (refs).
func Uses(doc *markup.Document) (labels, refs bool) {
	var inlines func(in []markup.Inline)
	inlines = func(in []markup.Inline) {
		for i := range in {
			if in[i].Kind == markup.Math && strings.Contains(in[i].Text, `ref{`) {
				refs = true
			}
			if in[i].Kind == markup.Ref {
				refs = true
				if s, _ := in[i].Attrs.Get("style"); s == "page" || s == "pageNumber" {
					labels = true
				}
			}
		}
	}
	var walk func(bs []*markup.Block)
	walk = func(bs []*markup.Block) {
		for _, b := range bs {
			if b.Kind == markup.Directive && b.Name == "toc" {
				labels = true
			}
			if b.Kind == markup.Formula && strings.Contains(b.Literal, `ref{`) {
				refs = true
			}
			inlines(b.Inlines)
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
	return
}

// Keys are equal for equal outlines and equations: full with page labels, bare
// without.
func (o Outline) Keys(equations [][]Equation) (full, bare uint64) {
	a, b := newHasher(), newHasher()
	for _, ch := range equations {
		for i := range ch {
			for _, h := range []*hasher{&a, &b} {
				h.str(ch[i].ID)
				h.str(ch[i].Number)
				h.str(ch[i].Printed)
			}
		}
	}
	for _, ch := range o {
		for i := range ch {
			e := &ch[i]
			for _, h := range []*hasher{&a, &b} {
				h.num(uint64(e.Level), flag(e.TOC))
				h.str(e.Number)
				h.str(e.Title)
				h.str(e.ID)
			}
			a.str(e.Label)
		}
	}
	return a.sum() | 1, b.sum() | 1
}

// Anchors gives what references print of the headings, parts and equations.
func (o Outline) Anchors(equations [][]Equation) map[string]Anchor {
	out := map[string]Anchor{}
	for _, ch := range equations {
		for _, e := range ch {
			if _, twice := out[e.ID]; !twice {
				out[e.ID] = Anchor{Kind: "equation", Number: e.Number, Title: e.Printed}
			}
		}
	}
	for _, ch := range o {
		for i := range ch {
			e := &ch[i]
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
			out[e.ID] = Anchor{Kind: kind, Number: e.Number, Title: e.Title, Label: e.Label}
		}
	}
	return out
}
