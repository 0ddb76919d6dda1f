package settings

import (
	"slices"
	"strconv"
	"strings"
)

// Document writes the reference of every setting as Markdown, a table for each
// section of the Design panel.
func Document() []byte {
	var b strings.Builder
	b.WriteString("# Settings\n\n" +
		"Every setting of a book's design: its path, what it takes, what it is when nobody sets it, and what it does.\n" +
		"Items of a list are addressed by what tells them apart: `headings.levels[level=2].fontSize`,\n" +
		"`header.elements[id=titleOdd].italic`. Settings marked ○ are kept and checked, but not used yet.\n")
	group := ""
	sc := schema()
	// What the panel shows nowhere stands at the end.
	for _, sec := range append(slices.Clone(sc.sections), nil) {
		if sec == nil {
			b.WriteString("\n## Fonts\n\n| Setting | Value | Default | What it does |\n| --- | --- | --- | --- |\n")
		} else if sec.Group != group {
			group = sec.Group
			b.WriteString("\n## " + group + "\n")
		}
		if sec != nil {
			b.WriteString("\n### " + sec.Label + "\n\n| Setting | Value | Default | What it does |\n| --- | --- | --- | --- |\n")
		}
		for _, s := range sc.all {
			if s.Section != sec || !s.Leaf() || s.Label == "" || nested(s.Path) {
				continue
			}
			b.WriteString("| `" + s.Path + "`")
			if s.Effect == Stored {
				b.WriteString(" ○")
			}
			b.WriteString(" | " + cell(s.valueWords()) + " | " + cell(s.defaultWords()) + " | **" + cell(s.Label) + ".** " + cell(s.About) + " |\n")
		}
	}
	return []byte(b.String())
}

// cell makes text fit for a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
}

func (s *Setting) valueWords() string {
	words := ""
	if len(s.Enum) > 0 {
		words = "`" + strings.Join(s.Enum, "`, `") + "`"
	}
	switch s.Type {
	case Enum, Parity:
		return words
	case Format:
		if words != "" {
			return "number format, or " + words
		}
		return "number format"
	}
	out := s.Type.String()
	if s.Unit != "" {
		out += " (" + s.Unit + ")"
	}
	if b := s.Bounds.String(); b != "" {
		out += ", " + b
	}
	if words != "" {
		out += ", or " + words
	}
	return out
}

func (s *Setting) defaultWords() string {
	if s.byLevel != nil {
		var list []string
		for _, d := range s.byLevel {
			list = append(list, plain(d))
		}
		return "by level: " + strings.Join(list, ", ")
	}
	follows := s.followText()
	if s.FollowsAbout == "" && follows != "" {
		follows = "`" + follows + "`"
	}
	switch {
	case s.def == nil && follows != "":
		return "follows " + follows
	case s.def == nil:
		return "—"
	}
	return s.def.words()
}

// words is a default as a person reads it.
func (n *node) words() string {
	if hex := n.get("hex"); hex != nil {
		if link := n.get("paletteId"); link != nil {
			return "the palette's `" + link.str + "`"
		}
		return "`" + hex.str + "`"
	}
	if n.kind == text && strings.TrimSpace(n.str) != n.str || n.kind == text && n.str == "" {
		return "`" + strconv.Quote(n.str) + "`"
	}
	if t := plain(n); len(t) <= 80 {
		return "`" + t + "`"
	}
	return "a list of its own"
}
