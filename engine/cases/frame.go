package cases

import (
	"fmt"
	"strings"

	"postext/engine/frame"
	"postext/engine/picture"
	"postext/engine/unit"
)

// Text writes the geometry of a book for the golden files: pages, columns, blocks
// and lines, in points from the page's corner.
func Text(b *frame.Book) []byte {
	var s strings.Builder
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			fmt.Fprintf(&s, "page %d %s %q\n", p.Number, p.Role, p.Label)
			items(&s, "  under", p.Under)
			for i := range p.Columns {
				col := &p.Columns[i]
				fmt.Fprintf(&s, "  column %d", i+1)
				if col.Band > 0 || col.Span {
					fmt.Fprintf(&s, " band %d", col.Band+1)
				}
				if col.Span {
					s.WriteString(" across")
				}
				fmt.Fprintf(&s, " %s used %s", box(col.Box), pt(col.Used))
				if col.Short != "" {
					fmt.Fprintf(&s, " (%s)", col.Short)
				}
				s.WriteByte('\n')
				for _, bl := range col.Blocks {
					block(&s, bl)
				}
			}
			if len(p.Floats) > 0 {
				s.WriteString("  apart\n")
			}
			for _, bl := range p.Floats {
				block(&s, bl)
			}
			items(&s, "  line", p.LineNumbers)
			items(&s, "  head", p.Header)
			items(&s, "  foot", p.Footer)
		}
		for _, pr := range c.Problems {
			fmt.Fprintf(&s, "warning %s: %s", pr.Kind, pr.Detail)
			for _, f := range pr.Fields {
				fmt.Fprintf(&s, " [%s=%s]", f.Key, f.Value)
			}
			s.WriteByte('\n')
		}
	}
	return []byte(s.String())
}

func pt(v unit.Sp) string {
	t := fmt.Sprintf("%.2f", v.Pt())
	return strings.TrimSuffix(strings.TrimRight(t, "0"), ".")
}

func box(r unit.Rect) string { return pt(r.X) + "," + pt(r.Y) + " " + pt(r.W) + "x" + pt(r.H) }

func block(s *strings.Builder, b *frame.Block) {
	fmt.Fprintf(s, "    %s", b.Kind)
	if b.Part != "" {
		s.WriteString(" " + b.Part)
	}
	if b.ID != "" {
		s.WriteString(" #" + b.ID)
	}
	if b.Number != "" {
		s.WriteString(" " + b.Number)
	}
	s.WriteString(" " + box(b.Box))
	if b.Continued {
		s.WriteString(" continued")
	}
	if b.Continues {
		s.WriteString(" continues")
	}
	if b.Turn != frame.Upright {
		s.WriteString(" turned " + b.Turn.String())
	}
	if l := b.Balance; l != nil {
		fmt.Fprintf(s, " levers %s", strings.Join(l.Levers, "+"))
	}
	s.WriteByte('\n')
	items(s, "      under", b.Under)
	for i := range b.Lines {
		l := &b.Lines[i]
		var words []string
		for _, r := range l.Runs {
			for _, w := range r.Words {
				words = append(words, w.Shape.Text)
			}
		}
		fmt.Fprintf(s, "      %s,%s +%s", pt(l.X), pt(l.Baseline), pt(l.Width))
		if l.Ratio != 0 && l.Ratio != 1000 {
			fmt.Fprintf(s, " x%d.%02d", l.Ratio/1000, l.Ratio%1000/10)
		}
		fmt.Fprintf(s, " %s\n", strings.Join(words, " "))
	}
	items(s, "      over", b.Over)
}

func items(s *strings.Builder, what string, list []frame.Item) {
	for i := range list {
		it := &list[i]
		fmt.Fprintf(s, "%s %s %s", what, it.ID, box(it.Box))
		if it.Plain != "" {
			fmt.Fprintf(s, " %q", it.Plain)
		}
		if c := it.Crop; c != (picture.Crop{}) {
			fmt.Fprintf(s, " crop %v", c)
		}
		s.WriteByte('\n')
	}
}
