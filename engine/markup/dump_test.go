package markup

import (
	"fmt"
	"strings"
)

// dump writes a tree in one line per node.
func dump(doc *Document) string {
	var sb strings.Builder
	dumpBlocks(&sb, doc.Blocks, 0)
	for _, n := range doc.Notes {
		fmt.Fprintf(&sb, "note %s\n", n.ID)
		dumpBlocks(&sb, n.Blocks, 1)
	}
	return strings.TrimRight(sb.String(), "\n")
}

var kindNames = [...]string{"p", "h", "quote", "list", "item", "code", "formula", "embed", "image", "table", "scene", "container", "raw", "directive", "stanza"}

func dumpBlocks(sb *strings.Builder, list []*Block, depth int) {
	for _, b := range list {
		sb.WriteString(strings.Repeat(" ", depth))
		sb.WriteString(kindNames[b.Kind])
		switch b.Kind {
		case Heading:
			fmt.Fprintf(sb, "%d", b.Level)
		case List:
			if b.Ordered {
				fmt.Fprintf(sb, " %d", b.First)
			}
			if !b.Tight {
				sb.WriteString(" loose")
			}
		case Item:
			if b.Task {
				fmt.Fprintf(sb, " task=%v", b.Checked)
			}
		case Paragraph:
			if b.Level > 0 {
				fmt.Fprintf(sb, " indent=%d", b.Level)
			}
			if b.AfterDisplay {
				sb.WriteString(" after")
			}
		}
		if b.Name != "" {
			fmt.Fprintf(sb, " %s", b.Name)
		}
		if b.ID != "" {
			fmt.Fprintf(sb, " #%s", b.ID)
		}
		if b.Info != "" {
			fmt.Fprintf(sb, " %s", b.Info)
		}
		if b.Target != "" {
			fmt.Fprintf(sb, " <%s>", b.Target)
		}
		dumpAttrs(sb, b.Attrs)
		if b.Kind == Code || b.Kind == Formula || b.Kind == Raw && len(b.Children) == 0 {
			fmt.Fprintf(sb, " %q", b.Literal)
		}
		if len(b.Inlines) > 0 {
			sb.WriteString(" " + dumpInlines(b.Inlines))
		}
		for _, row := range b.Rows {
			sb.WriteString("\n" + strings.Repeat(" ", depth+1) + "row")
			for _, c := range row {
				fmt.Fprintf(sb, " |%s %s", c.Align, dumpInlines(c.Inlines))
			}
		}
		if len(b.Caption) > 0 {
			sb.WriteString(" caption: " + dumpInlines(b.Caption))
		}
		sb.WriteString("\n")
		dumpBlocks(sb, b.Children, depth+1)
	}
}

func dumpAttrs(sb *strings.Builder, attrs Attrs) {
	for _, a := range attrs {
		if a.Flag {
			fmt.Fprintf(sb, " {%s}", a.Key)
		} else {
			fmt.Fprintf(sb, " {%s=%s}", a.Key, a.Value)
		}
	}
}

var styleNames = [...]string{"b", "i", "sup", "sub", "code", "s", "u", "sc", "mark", "small", "kbd"}

var inlineNames = [...]string{"", "br", "math", "ref", "note", "cite", "swatch", "chip", "tab", "img", "anchor", "index"}

// dumpInlines writes text as it is and everything else in angle brackets.
func dumpInlines(list []Inline) string {
	var sb strings.Builder
	for _, a := range list {
		mark := ""
		for k, n := range styleNames {
			if a.Style&(1<<k) != 0 {
				mark += "," + n
			}
		}
		if a.Link != "" {
			mark += ",link=" + a.Link
		}
		for s := a.Span; s != nil; s = s.Outer {
			mark += ",:" + s.Name
			if v, ok := s.Attrs.Get("rt"); ok {
				mark += "=" + v
			}
		}
		if a.Kind == Text && mark == "" {
			sb.WriteString(a.Text)
			continue
		}
		sb.WriteString("<" + strings.TrimPrefix(inlineNames[a.Kind]+mark, ","))
		if a.ID != "" {
			sb.WriteString(" #" + a.ID)
		}
		if a.Target != "" && a.Target != a.ID {
			sb.WriteString(" ->" + a.Target)
		}
		dumpAttrs(&sb, a.Attrs)
		if a.Text != "" {
			sb.WriteString(" " + a.Text)
		}
		sb.WriteString(">")
	}
	return sb.String()
}
