package layout

import (
	"slices"

	"postext/engine/unit"
)

// Where the columns of the page have several widths, a group in columns is measured
// for the one it stands in (document-format.md 6.3). Its nodes are exchanged for
// others while it is placed there: those that are looked at, no more, so that a
// group over many columns costs what it is long.

// suit is the group that is measured for the column at hand.
type suit struct {
	group int32 // from 1; 0: none
	by    unit.Sp
	at    []spot
	cols  subcolumns
	saved map[int]node // the nodes as the flow has them
	under bool         // its columns are being set
}

// widerBy is by how much the column at hand is wider than the one the flow was
// measured for.
func (p *placer) widerBy() unit.Sp {
	if !p.uneven || p.page == nil || p.wide || p.onPart || p.apart.W > 0 {
		return 0
	}
	return p.rects[p.col].W - p.j.columnWidth()
}

// boxWider is by how much a box is wider than it was measured for where it is set.
func (p *placer) boxWider() unit.Sp {
	switch {
	case p.suit.under:
		return p.suit.cols.width - p.f.columns[p.suit.group-1].width
	case p.onPart || p.wide:
		return 0
	}
	return p.rects[p.col].W - p.j.columnWidth()
}

// columnsOfGroup is a group as the column at hand sets it from some places on.
func (p *placer) columnsOfGroup(k int32, at []spot) *subcolumns {
	by := p.widerBy()
	if p.suit.group == k && p.suit.by == by && slices.Equal(p.suit.at, at) {
		return &p.suit.cols
	}
	p.unsuit()
	g := &p.f.columns[k-1]
	if by == 0 && !slices.ContainsFunc(at, func(s spot) bool { return s.from > 0 }) {
		return g
	}
	cols := *g
	cols.width = max((g.width*unit.Sp(g.count)+by)/unit.Sp(g.count), 1)
	p.suit = suit{group: k, by: by, at: slices.Clone(at), cols: cols, saved: map[int]node{}}
	return &p.suit.cols
}

// holds reports whether node i stands in the group.
func (s *suit) holds(i int) bool { return s.group > 0 && s.cols.first < i && i < s.cols.last }

// unsuit gives the flow its own nodes back.
func (p *placer) unsuit() {
	for i, n := range p.suit.saved {
		p.f.nodes[i] = n
	}
	p.suit = suit{}
}

// suited is a node of the group at hand, measured for its columns.
func (p *placer) suited(i int) *node {
	n := &p.f.nodes[i]
	s := &p.suit
	if !s.holds(i) {
		return n
	}
	if _, done := s.saved[i]; done {
		return n
	}
	by := s.cols.width - p.f.columns[s.group-1].width
	from, base := p.begun(i)
	if by == 0 && from == 0 {
		return n
	}
	s.saved[i] = *n
	switch n.what {
	case nText:
		if n.formula != nil {
			p.keep(p.widen(n, by, 0))
			break
		}
		set := *n.set
		set.width, set.from = max(set.width+by, 1), from
		m, err := p.j.measure(n.in, set.seal(p.j))
		if err != nil {
			p.keep(err)
			break
		}
		p.f.extra = append(p.f.extra, m)
		zero := 0
		p.remeasured(n, &set, m, &zero, &base)
	case nRow:
		p.keep(p.refitRow(n, by))
	case nFigure:
		if want := n.fig.width + by; want > 0 {
			fig, err := p.j.inline(n.spec, want, n.index)
			if err != nil {
				p.keep(err)
				break
			}
			n.fig = fig
			p.f.figures = append(p.f.figures, fig)
		}
	}
	return n
}

// begun says where in its text node i of the group at hand goes on, and how many of
// its lines stand before.
func (p *placer) begun(i int) (from, base int) {
	for _, s := range p.suit.at {
		if s.node == i {
			return s.from, s.base
		}
	}
	return 0, 0
}

// portable are places of a group as columns of any width find them: lines told by
// where in the text they begin.
func (p *placer) portable(at []spot) []spot {
	if !p.uneven {
		return at
	}
	out := slices.Clone(at)
	for k := range out {
		s := &out[k]
		n := p.suited(s.node)
		if n.what != nText {
			continue
		}
		from, base := p.begun(s.node)
		if s.line > 0 {
			from, base = int(n.m.lines[s.line].Start), base+s.line
		}
		s.line, s.from, s.base = 0, from, base
	}
	return out
}

// refitRow sets a row of a table for a column wider by some: the widths of the
// table's columns are shared out anew.
func (p *placer) refitRow(n *node, by unit.Sp) error {
	fit, pad := n.row.fit, n.row.pad
	pad = min(pad, (fit.width+by)/8)
	widths, scale, gap := fitColumns(slices.Clone(fit.most), slices.Clone(fit.least), max(fit.width+by-2*pad, 1), fit.size, 2*pad)
	row := *n.row
	row.pad, row.edges = pad, tableEdges(widths, pad, gap)
	cells := slices.Clone(n.cells)
	x := row.x + pad
	for i := range cells {
		c := &cells[i]
		s := *c.set
		s.width = widths[i]
		if scale != fit.scale {
			t := s.ts.text
			t.Size, t.Leading = max(unit.Sp(unit.MulDiv(int64(t.Size), scale, fit.scale)), 1), max(unit.Sp(unit.MulDiv(int64(t.Leading), scale, fit.scale)), 1)
			s.ts, s.leading = p.j.l.typeOf(t, &p.j.d.Code, false), t.Leading
			n.leading = t.Leading
		}
		m, err := p.j.measure(c.in, s.seal(p.j))
		if err != nil {
			return err
		}
		p.f.extra = append(p.f.extra, m)
		c.x, c.w, c.set, c.m = x, widths[i], &s, m
		x += widths[i] + gap
	}
	n.row, n.cells = &row, cells
	return nil
}

// tableFit is what the widths of a table's columns are made from: what their content
// would take and cannot do without, at the size of its type, in a measure.
type tableFit struct {
	most, least []unit.Sp
	width, size unit.Sp
	scale       int64 // of the type, in thousandths
}

// tableEdges are the edges of a table's columns, from its left.
func tableEdges(widths []unit.Sp, pad, gap unit.Sp) (edges []unit.Sp) {
	x := pad
	for _, wd := range widths {
		if edges = append(edges, x-gap/2); len(edges) == 1 {
			edges[0] = 0
		}
		x += wd + gap
	}
	return append(edges, x-gap+pad)
}
