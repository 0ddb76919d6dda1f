package layout

import (
	"slices"

	"postext/engine/frame"
	"postext/engine/unit"
)

// How much of a node a column takes: what fits it, and where the rules on orphans,
// widows and what stays together let it be divided (layout.md 6).

// heightOf is the height of a whole node.
func (n *node) heightOf() unit.Sp {
	if n.what == nFigure {
		return n.fig.height
	}
	if n.what == nRow {
		k := 1
		for i := range n.cells {
			k = max(k, len(n.cells[i].m.lines))
		}
		return unit.Sp(k)*n.leading + 2*n.row.pad
	}
	return max(unit.Sp(len(n.m.lines))*n.leading, n.least)
}

// decide says how many lines of a node, from line from on, are set at top in
// the column at hand: 0 moves it on. total is the node's count; why names the
// rule that left lines out.
func (p *placer) decide(i int, n *node, from int, top unit.Sp, empty bool) (k, total int, why string) {
	if n.what == nFigure {
		if top+n.fig.height <= p.limit(0) || empty {
			return 1, 1, ""
		}
		return 0, 1, "height"
	}
	if n.what == nRow {
		var notes unit.Sp
		for k, c := range n.calls {
			if k == 0 {
				notes = p.owing()
			}
			notes += p.noteOf(c.note).height
		}
		if top+n.heightOf()+p.markRoom(n, top) <= p.limit(notes) || empty {
			return 1, 1, ""
		}
		return 0, 1, "height"
	}
	total = len(n.m.lines)
	left := total - from
	m := p.room(n, from, top)
	if from == 0 && n.least > 0 && top+n.least > p.limit(0) && !empty {
		return 0, total, "height"
	}
	if left <= m {
		if !n.colon || empty || p.colonFits(i, n, top+unit.Sp(left)*n.leading) {
			return left, total, ""
		}
		m = left - 1
	}
	if m == 0 {
		if empty {
			return 1, total, "height"
		}
		return 0, total, "height"
	}
	if n.whole && !empty {
		return 0, total, "keep"
	}
	k, why = p.split(n, left, m, from, empty)
	if from == 0 && k < n.solid {
		if k = 0; empty {
			k = min(n.solid, m)
		}
		why = "keep"
	}
	return k, total, why
}

// split weighs where to divide a paragraph of left lines with room for m
// (layout.md 6).
func (p *placer) split(n *node, left, m, from int, empty bool) (int, string) {
	r := &p.j.d.Para
	widows, orphans := r.AvoidWidows, r.AvoidOrphans
	if n.kind == frame.ListItem {
		widows, orphans = widows && r.WidowsInLists, orphans && r.OrphansInLists
	}
	if n.free {
		widows, orphans = false, false
	}
	first := 0
	if empty {
		first = 1
	}
	best, bestCost := -1, int64(0)
	for k := first; k <= min(m, left); k++ {
		d := int64(m - k)
		cost := r.SlackWeight * d * d
		rest := left - k
		if n.group > 0 && rest > 0 && k > 0 && (from == 0 && k < p.childMin(n) || rest < p.childMin(n)) {
			cost += 1 << 40 // a box is cut elsewhere if it can be
		}
		if widows && k > 0 && from == 0 && !n.goesOn && k < r.WidowMin && rest > 0 {
			cost += r.WidowPenalty
		}
		if orphans && k > 0 && rest > 0 && rest < r.OrphanMin {
			cost += r.OrphanPenalty
		}
		if best < 0 || cost < bestCost {
			best, bestCost = k, cost
		}
	}
	why := ""
	switch {
	case best == 0 && m < r.WidowMin:
		why = "widows"
	case best < m:
		why = "orphans"
	}
	return best, why
}

// clean reports whether dividing after k of left lines breaks no rule.
func (p *placer) clean(n *node, left, k, from int) bool {
	r := &p.j.d.Para
	rest := left - k
	if rest <= 0 {
		return true
	}
	return !(r.AvoidWidows && from == 0 && !n.goesOn && k < r.WidowMin || r.AvoidOrphans && rest < r.OrphanMin)
}

// colonFits reports whether the start of the list a line leads into fits under
// it at foot.
func (p *placer) colonFits(i int, n *node, foot unit.Sp) bool {
	var c cursor
	c.set(n, foot)
	for i++; i < len(p.f.nodes); i++ {
		x := &p.f.nodes[i]
		switch x.what {
		case nSpace:
			c.space += x.room
			continue
		case nText:
			top := c.top(x, p.grid)
			need := unit.Sp(1)
			if p.j.d.Para.ColonRoom != "line" {
				if need = unit.Sp(len(x.m.lines)); need > 2 && !x.whole {
					need = unit.Sp(max(p.j.d.Para.WidowMin, 1))
				}
			}
			return top+need*x.leading <= p.limit(0)
		case nMark, nNumbering, nBarrier, nLook:
			continue
		case nAside:
			i = x.lastOf(p.f, i)
			continue
		}
		return true
	}
	return true
}

// seen is node i as the column at hand would set it: measured for its width, where the
// columns have several.
func (p *placer) seen(i int) *node {
	n := &p.f.nodes[i]
	by := p.widerBy()
	if by == 0 || p.suit.holds(i) {
		return n
	}
	at := *n
	switch {
	case n.what == nText && n.set != nil:
		now := p.now
		p.now = resume{node: i}
		var from, base int
		p.keep(p.refit(&at, &from, &base))
		p.now = now
	case n.what == nRow:
		p.keep(p.refitRow(&at, by))
	default:
		return n
	}
	return &at
}

// fits reports whether a node that must stand with what follows it fits below
// c together with the lines it needs under it.
func (p *placer) fits(i int, c cursor) bool {
	save, waiting := p.padded, p.waiting
	defer func() { p.padded, p.waiting = save, waiting }()
	t := trial{cursor: c}
	for ; i < len(p.f.nodes); i++ {
		n := p.seen(i)
		switch n.what {
		case nBoxOpen:
			if p.boxFits(i, t.cursor) {
				return true
			}
			return !(p.f.boxes[n.box-1].brk.KeepTogether && p.boxFits(i, p.fresh())) && p.beginFits(i, t.cursor, 0)
		case nColsOpen:
			g := p.columnsOfGroup(n.cols, p.f.columns[n.cols-1].begin())
			top := t.top(n, p.grid)
			gp := p.plan(g, g.begin(), top, t.notes)
			return p.begins(&gp, p.limit(t.notes)-top)
		case nSpace, nBoxClose:
			p.step(&t, i)
			p.padded = save + t.padded
			continue
		case nMark, nNumbering, nBarrier, nLook:
			continue
		case nAside:
			own := n.floats[0].float
			if fl := &p.f.floats[own]; fl.place().Position == "here" && fl.place().Wrap != "none" && !p.called[own] {
				wp, err := p.wrapAt(n, fl, int(own), t.cursor)
				p.keep(err)
				return wp.fits
			}
			// Its notes wait for the text that comes next.
			p.waiting = slices.Clip(p.waiting)
			for _, k := range n.calls {
				p.await(k.note)
			}
			i = n.lastOf(p.f, i)
			continue
		case nSpanOpen:
			return p.spanFits(i, t.cursor)
		case nText, nRow, nFigure:
		default:
			return true
		}
		top := t.top(n, p.grid)
		if n.keepNext {
			if top+n.heightOf() > p.limit(0) {
				return false
			}
			t.cursor.set(n, top+n.heightOf())
			continue
		}
		if len(p.waiting) > len(waiting) && top+n.leading > p.limit(p.owing()) {
			return false
		}
		k, total, _ := p.decide(i, n, 0, top, false)
		switch {
		case k == 0 && n.what == nFigure:
			f, err := p.fitted(n, p.limit(0)-top)
			p.keep(err)
			return f != nil
		case k == 0:
			return false
		case k == total || n.what != nText:
			return true
		}
		if p.j.d.Headings.KeepWithNextSplit == "fill" {
			return true
		}
		return n.free || p.clean(n, total, k, 0)
	}
	return true
}
