package layout

import (
	"strings"

	"postext/engine/markup"
)

// Anchor is what a reference prints of its target.
type Anchor struct {
	Kind    string // "chapter", "section", "part", "equation", "box", "anchor"
	Number  string
	Printed string // what prints without a style, where it is not made of Number
	Title   string
	Spelled bool // the number spells its word itself: "Chapter 3"
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

// target is the link of a reference or the mark of a note; nothing leads to what is
// not there.
func (j *job) target(in *markup.Inline) string {
	switch in.Kind {
	case markup.NoteRef:
		return "#" + noteTarget(in.ID)
	case markup.Ref:
		if n := j.numbered(in.ID, in.Target); n != nil {
			return "#" + n.ID
		}
		if _, ok := j.in.Anchors[in.ID]; ok {
			return "#" + in.ID
		}
	}
	return ""
}

// reference gives the words of a cross-reference (document-format.md 9).
func (j *job) reference(in *markup.Inline) string {
	asked, _ := in.Attrs.Get("style")
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
	how, _ := in.Attrs.Get("case")
	id := in.ID
	if n != nil {
		a, id = Anchor{}, n.ID
	}
	style := formOf(asked, &a, &j.d.Refs)
	if style == "page" || style == "pageNumber" {
		label := j.in.Labels[id]
		switch {
		case label == "":
			return "?"
		case style == "pageNumber":
			return label
		}
		return labelled(j.d.Refs.Page, label, how)
	}
	if n != nil {
		return n.label(style, how)
	}
	switch {
	case style == "title" && a.Title != "" && a.Kind != "equation":
		return a.Title
	case style == "number" && a.Number != "":
		return a.Number
	}
	switch a.Kind {
	case "equation":
		if a.Number == "" {
			j.reportOnce("unknownResourceId", "the formula "+in.ID+" has no number", in.Start, in.End)
			return "?"
		}
		return a.Printed
	case "box":
		return strings.TrimSuffix(letters(strings.TrimSuffix(a.Printed, a.Number), how)+a.Number, "\u00a0")
	}
	if a.Number == "" || a.Kind == "anchor" || a.Kind == "part" && a.Title != "" {
		return a.Title
	}
	if a.Spelled {
		return a.Number
	}
	switch a.Kind {
	case "chapter":
		return labelled(j.d.Refs.Chapter, a.Number, how)
	case "section":
		return labelled(j.d.Refs.Section, a.Number, how)
	}
	return a.Number
}

// labelled fills the words of a reference with its number; how changes the
// letters of the words alone.
func labelled(words, number, how string) string {
	before, after, _ := strings.Cut(words, "{n}")
	if before == "" {
		return number + letters(after, how)
	}
	if how == "capitalize" {
		return letters(before, how) + number + after
	}
	return letters(before, how) + number + letters(after, how)
}
