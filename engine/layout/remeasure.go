package layout

import "postext/engine/unit"

// What is left of a node is measured again where it goes on in a column of another
// width, or so that a column does not close with a hyphen.

// refit measures what is left of a node again when its column is of another
// width than the one it was measured for.
func (p *placer) refit(n *node, from, base *int) error {
	want := n.set.width + p.rects[p.col].W - p.j.columnWidth()
	if f := p.f.nodes[p.now.node].set; f != nil {
		want = f.width + p.rects[p.col].W - p.j.columnWidth()
	}
	if want == n.set.width || want <= 0 {
		return nil
	}
	if n.formula != nil {
		d := *n.formula
		n.formula = &d
		s := *n.set
		s.width = want
		n.set = s.seal(p.j)
		return p.j.display(n, want)
	}
	s := *n.set
	s.width = want
	return p.remeasure(n, &s, from, base)
}

// remeasure measures what is left of a node again, by a setting of its own.
func (p *placer) remeasure(n *node, s *setting, from, base *int) error {
	if *from > 0 {
		s.from = int(n.m.lines[*from].Start)
	}
	m, err := p.j.measure(n.in, s.seal(p.j))
	if err != nil {
		return err
	}
	p.f.extra = append(p.f.extra, m)
	p.remeasured(n, s, m, from, base)
	return nil
}

// remeasured gives a node the lines of what was left of it, measured anew.
func (p *placer) remeasured(n *node, s *setting, m *measured, from, base *int) {
	if n.listing != nil {
		ln := *n.listing
		ln.source = sourceLines(m, s.from)
		ln.width += s.width - n.set.width
		n.listing = &ln
	}
	n.set, n.m = s, m
	*base += *from
	*from = 0
	n.goesOn = *base > 0
	calls := n.calls
	n.calls = nil
	for _, c := range calls {
		if int(c.at) >= s.from {
			c.line = int32(m.lineAt(int(c.at)))
			n.calls = append(n.calls, c)
		}
	}
	floats := n.floats
	n.floats = nil
	for _, c := range floats {
		if int(c.at) >= s.from {
			c.line = int32(m.lineAt(int(c.at)))
			n.floats = append(n.floats, c)
		}
	}
}

// undivide breaks what is left of a node again so that line k, which closes the
// column, does not end in a hyphen (hyphenateAcrossColumns, layout.md 5.3). It
// reports false where that would cost a line past the limits, or another
// division that ends in one.
func (p *placer) undivide(i int, n *node, from, base *int, k int, top unit.Sp) (bool, error) {
	if n.what != nText || n.set.raw || n.set.verse {
		return false, nil
	}
	s := *n.set
	if *from > 0 {
		s.from = int(n.m.lines[*from].Start)
	}
	s.closing = k
	s.seal(p.j)
	m, err := p.j.measure(n.in, &s)
	if err != nil {
		return false, err
	}
	p.f.extra = append(p.f.extra, m)
	if m.overfull != n.m.overfull {
		return false, nil
	}
	worst, ragged := p.j.d.Body.MaxSpace, 0
	for i := range n.m.lines[*from:] {
		l := &n.m.lines[*from+i]
		worst = max(worst, l.Ratio)
		ragged += int(flag(l.Ragged))
	}
	for i := range m.lines {
		l := &m.lines[i]
		ragged -= int(flag(l.Ragged))
		if l.Ratio > worst {
			return false, nil
		}
	}
	if ragged < 0 {
		return false, nil
	}
	again := *n
	again.set, again.m, again.goesOn = &s, m, *base+*from > 0
	at, _, _ := p.decide(i, &again, 0, top, p.cur.empty)
	if at == 0 || at < len(m.lines) && m.lines[at-1].Hyphenated {
		return false, nil
	}
	p.remeasured(n, &s, m, from, base)
	return true, nil
}
