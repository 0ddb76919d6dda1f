package layout

import (
	"postext/engine/frame"
	"postext/engine/unit"
)

// Line numbers (settings.md 22, layout.md 12) stand in the margin on the baseline
// of their line and move nothing: like running heads they are set after the pages
// are made. What is counted is decided with the flow, the numbers with the pages.

// prose is what lines of running text have of the count, always what those of a
// style that has its lines counted whatever is counted.
var (
	prose  = &frame.Counted{}
	always = &frame.Counted{Always: true}
	inner  = &frame.Counted{Inner: true}
)

// countLines decides whether the lines of a node are counted: those of paragraphs, list
// items, quotations and poems in the flow; those of boxes, parts and lists of works
// only where their paragraph style asks for it.
func (w *walker) countLines(n *node) {
	switch n.kind {
	case frame.Paragraph, frame.ListItem, frame.Quote:
		n.counted = prose
	case frame.Verse: // the poem has said
	default:
		return
	}
	set, on := false, false
	for i := range w.d.Styles {
		if s := &w.d.Styles[i]; n.style != "" && s.ID == n.style {
			set, on = s.CountLinesGiven, s.CountLines
		}
	}
	switch {
	case set && !on, !set && (w.uncounted > 0 || n.group > 0):
		n.counted = nil
	case set && n.kind != frame.Verse:
		n.counted = always
	case n.counted == prose && w.inner > 0:
		n.counted = inner
	}
	if n.counted != nil && (w.countFrom > 0 || w.inner > 0 && !n.counted.Inner) {
		c := *n.counted
		if w.countFrom > 0 {
			c.From, w.countFrom = w.countFrom, 0
		}
		c.Inner = w.inner > 0
		n.counted = &c
	}
}

// lineCount is the count as it goes through a chapter's pages.
type lineCount struct {
	next  int  // number of the next line, 0 before the first
	first bool // the next is the first of its count
	on    bool // a page of the chapter has been counted
}

// begin starts the count anew.
func (c *lineCount) begin(at int) { c.next, c.first = at, true }

// numberedLine is a number to be printed.
type numberedLine struct {
	set    *frame.LineSet
	text   string
	line   *frame.Line
	column unit.Rect
	right  bool    // beside the column's right edge
	room   unit.Sp // to what stands beside the column there; 0: nothing does
}

// lineNumbers numbers the lines of a page. Pages are passed in their order.
func (u *furnisher) lineNumbers(p *frame.Page) ([]frame.Item, error) {
	s, c := &u.j.d.LineNumbers, &u.lines
	if s.Restart == "page" || !c.on && (s.Restart != "document" || c.next == 0) {
		c.begin(s.StartAt)
	}
	c.on = true
	var list []numberedLine
	for k := range p.Columns {
		for _, b := range p.Columns[k].Blocks {
			if b.Kind == frame.Heading && !b.Continued && (s.Restart == "section" || s.Restart == "chapter" && b.Level == 1) {
				c.begin(s.StartAt)
			}
			v := b.Counted
			if v == nil || !s.All && !v.Verse && !v.Always {
				continue
			}
			if !b.Continued {
				switch {
				case v.From > 0:
					c.begin(v.From)
				case v.Poem && s.Restart == "poem":
					c.begin(s.StartAt)
				}
			}
			lines := b.Lines
			if v.Verse {
				if b.Continued {
					continue
				}
				lines = lines[:min(1, len(lines))]
			}
			every := s.Interval
			if v.Every > 0 {
				every = v.Every
			}
			for i := range lines {
				n := c.next
				c.next++
				first := c.first
				c.first = false
				if n%every != 0 && !(first && s.First) {
					continue
				}
				text := FormatNumber(n, s.Format)
				set, err := u.j.label(text, s.Text)
				if err != nil {
					return nil, err
				}
				list = append(list, u.besideColumn(p, k, b, numberedLine{set: set, text: text, line: &lines[i]}))
			}
		}
	}
	return u.setNumbers(p, list), nil
}

// numberedAtRight tells the side of a column its numbers stand on. Of several
// columns side by side the first has them on its left and the others on their
// right, towards the edges of the page; in the gutter it is the other way round.
func (u *furnisher) numberedAtRight(p *frame.Page, column int) bool {
	s, d := &u.j.d.LineNumbers, u.j.d
	box := p.Columns[column].Box
	leftmost, rightmost := true, true
	for i := range p.Columns {
		if o := &p.Columns[i]; o.Band == p.Columns[column].Band && o.Span == p.Columns[column].Span && i != column {
			leftmost = leftmost && o.Box.X > box.X
			rightmost = rightmost && o.Box.X < box.X
		}
	}
	if several := !leftmost || !rightmost; several {
		switch s.Columns {
		case "outer-edges":
			return !leftmost
		case "gutter":
			return leftmost
		}
	}
	outer := outerIsRight(d, p.Recto)
	switch s.Position {
	case "inner":
		return !outer
	case "left":
		return false
	case "right":
		return true
	case "start":
		return d.Direction == "rtl"
	case "end":
		return d.Direction != "rtl"
	case "side": // towards the side column, where there is one
		if r := sideOf(d, p.Recto); r.W > 0 {
			return r.X > 0
		}
	}
	return outer
}

// besideColumn gives a number its column. In a group in columns it stands at the
// outer edges of the group, in the middle of one before its own column.
func (u *furnisher) besideColumn(p *frame.Page, k int, b *frame.Block, n numberedLine) numberedLine {
	n.column, n.right = p.Columns[k].Box, u.numberedAtRight(p, k)
	if b.Counted.Inner {
		first, last := b.Box.X-n.column.X < b.Box.W/2, n.column.Right()-b.Box.Right() < b.Box.W/2
		if first && last { // the group has one column here
			return n
		}
		if n.right = last; !first && !last {
			n.column = b.Box
		}
	}
	for i := range p.Columns {
		if o := &p.Columns[i]; o.Band == p.Columns[k].Band && i != k {
			room := n.column.X - o.Box.Right()
			if n.right {
				room = o.Box.X - n.column.Right()
			}
			if room > 0 && (n.room == 0 || room < n.room) {
				n.room = room
			}
		}
	}
	return n
}

// setNumbers puts the numbers in their places. Flush to the text they stand at the
// gap from it; with another alignment the widest of the page does.
func (u *furnisher) setNumbers(p *frame.Page, list []numberedLine) []frame.Item {
	s := &u.j.d.LineNumbers
	var widest unit.Sp
	for i := range list {
		widest = max(widest, list[i].set.Width)
	}
	var out []frame.Item
	told := false
	for i := range list {
		n := &list[i]
		w := n.set.Width
		gap := s.Gap
		if n.room > 0 { // the gutter is shared with the numbers of the column beside
			gap = max(min(gap, n.room/2-w), 0)
		}
		x := n.column.X - gap - w
		if n.right {
			x = n.column.Right() + gap
		}
		switch {
		case s.Align == "left" && !n.right:
			x = n.column.X - gap - widest
		case s.Align == "right" && n.right:
			x += widest - w
		}
		l := n.line
		it := frame.Item{ID: "lineNumber", Plain: n.text, Box: unit.Rect{X: x, Y: l.Top, W: w, H: l.Height},
			Text: &frame.Line{X: x, Top: l.Top, Height: l.Height, Baseline: l.Baseline, LineSet: n.set}}
		if !told {
			hit := n.room > 0 && w > n.room/2
			for _, f := range p.Floats {
				hit = hit || meet(it.Box, f.Box)
			}
			if hit {
				told = true
				u.j.problems = append(u.j.problems, frame.Problem{Kind: "lineNumberOverlap", Start: -1, Page: p.Number - u.j.st.Pages - 1,
					Detail: "the number " + n.text + " of a line falls on what stands beside the text: take another side (lineNumbers.position, lineNumbers.multiColumn), a smaller size or a smaller gap",
					Fields: []frame.Field{{Key: "number", Value: n.text}}})
			}
		}
		out = append(out, it)
	}
	return out
}

func meet(a, b unit.Rect) bool {
	return a.X < b.Right() && b.X < a.Right() && a.Y < b.Bottom() && b.Y < a.Bottom()
}
