package layout

import (
	"sort"

	"postext/engine/frame"
	"postext/engine/unit"
)

// Column balancing (layout.md 8): a column that text flowed past, but that break
// rules left short, is brought to its last grid line. What opens the next column
// did not fit into the gap and will not fit into a smaller one, so this is a
// matter of the column alone.

// Limits of the levers (settings.md 10.2).
const (
	maxHeadingLines = 4
	maxListLines    = 1
	maxLoose        = 2
	// looseLimit is the widest space of a loosened paragraph, in thousandths of
	// the natural one. The rule allows maxWordSpacing; a level foot is not worth
	// a line that looks loose.
	looseLimit    = 1600
	looseTracking = 10 // thousandths of an em it may take
)

// placedNode says what a block of the column at hand was made from.
type placedNode struct {
	node  int // in the flow, -1 for notes and cells
	whole bool
	m     *measured
}

// balance fills the column at hand, which text is about to flow past.
func (p *placer) balance() error {
	if !p.j.d.Headings.Balancing || len(p.blocks) == 0 || p.onPart {
		return nil
	}
	gap := int((p.limit(0) - p.cur.y) / p.grid)
	if gap <= 0 {
		return nil
	}
	gap = p.stretchHeadings(gap)
	gap = p.stretchLists(gap)
	if gap > 0 && p.j.d.Body.Optimal {
		return p.loosen(gap)
	}
	return nil
}

// push moves the blocks from i on down by whole lines of the grid.
func (p *placer) push(i, lines int) {
	dy := unit.Sp(lines) * p.grid
	for k := range p.parts {
		// A box around it grows.
		if part := &p.parts[k]; part.box > 0 && part.block < i && part.last > i {
			p.blocks[part.block].Box.H += dy
		}
	}
	for ; i < len(p.blocks); i++ {
		moveBlock(p.blocks[i], dy)
	}
	p.cur.y += dy
}

// stretchHeadings adds lines above headings, the most important first, one at a
// time in turn.
func (p *placer) stretchHeadings(gap int) int {
	var at []int
	for i, b := range p.blocks {
		if i > 0 && i < len(p.blocks)-1 && b.Kind == frame.Heading && p.groups[i] == 0 && p.blocks[i-1].Kind != frame.Heading {
			at = append(at, i)
		}
	}
	if len(at) == 0 || gap > maxHeadingLines*len(at) {
		return gap
	}
	sort.SliceStable(at, func(a, b int) bool { return p.blocks[at[a]].Level < p.blocks[at[b]].Level })
	for round := 0; round < maxHeadingLines && gap > 0; round++ {
		for _, i := range at {
			if gap > 0 {
				p.push(i, 1)
				gap--
			}
		}
	}
	return gap
}

// stretchLists adds a line where a list ends.
func (p *placer) stretchLists(gap int) int {
	for i := 1; i < len(p.blocks) && gap > 0; i++ {
		if p.blocks[i-1].Kind == frame.ListItem && p.blocks[i].Kind != frame.ListItem && p.groups[i] == p.groups[i-1] {
			p.push(i, maxListLines)
			gap -= maxListLines
		}
	}
	return gap
}

// loosen sets paragraphs a line longer, the longest first.
func (p *placer) loosen(gap int) error {
	var at []int
	for i, pl := range p.made {
		if pl.node < 0 || !pl.whole || p.groups[i] > 0 || p.blocks[i].Kind != frame.Paragraph {
			continue
		}
		if n := &p.f.nodes[pl.node]; n.set.align == justify && !n.set.verse && len(n.m.lines) > 2 && len(n.m.lines) < maxTightened && pl.m == n.m && n.leading == p.grid {
			at = append(at, i)
		}
	}
	sort.SliceStable(at, func(a, b int) bool { return len(p.blocks[at[a]].Lines) > len(p.blocks[at[b]].Lines) })
	done := 0
	for step := 1; step <= 3; step++ {
		for _, i := range at {
			if gap == 0 || done == maxLoose {
				return nil
			}
			if p.made[i].node < 0 {
				continue // done already
			}
			ok, err := p.loosenBlock(i, step)
			if err != nil {
				return err
			}
			if ok {
				p.made[i].node = -1
				gap--
				done++
			}
		}
	}
	return nil
}

// loosenBlock sets one paragraph of the column at hand a line longer.
func (p *placer) loosenBlock(i, step int) (bool, error) {
	n := &p.f.nodes[p.made[i].node]
	m, err := p.longer(n, step)
	if err != nil || m == nil {
		return false, err
	}
	b := p.blocks[i]
	lines := p.newLines(len(m.lines))
	x, y, drop := b.Box.X, b.Box.Y, share(n.leading, 800)
	for k := range lines {
		lines[k] = frame.Line{X: x + m.offs[k], Top: y, Height: n.leading, Baseline: y + drop, LineSet: &m.lines[k]}
		y += n.leading
	}
	b.Lines = lines
	b.Box.H += n.leading
	p.push(i+1, 1)
	return true, nil
}

// longer is the node's text set a line longer, nil when that cannot be done
// well: every line within the limit and no short last line.
func (p *placer) longer(n *node, step int) (*measured, error) {
	if p.tooShort(n, step) {
		return nil, nil
	}
	s := *n.set
	s.loose = step
	s.seal(p.j)
	m, err := p.j.measure(n.in, &s)
	if err == nil {
		p.f.extra = append(p.f.extra, m)
	}
	if err != nil || len(m.lines) != len(n.m.lines)+1 {
		return nil, err
	}
	for i := range m.lines {
		l := &m.lines[i]
		if l.Ragged || l.Ratio > looseLimit {
			return nil, nil
		}
		if l.Last && l.Width < p.j.runtWidth() {
			return nil, nil
		}
	}
	return m, nil
}

// tooShort reports whether a node cannot be set a line longer whatever the
// breaks: even spread evenly its spaces would pass the limit.
func (p *placer) tooShort(n *node, step int) bool {
	var text, gaps unit.Sp // natural widths
	for i := range n.m.lines {
		l := &n.m.lines[i]
		words := unit.Sp(0)
		for k := range l.Runs {
			words += unit.Sp(len(l.Runs[k].Words))
		}
		g := max(words-1, 0) * n.set.ts.text.Size / 4
		gaps += g
		text += l.Width
		if l.Ratio > 0 {
			text -= g * unit.Sp(l.Ratio-1000) / 1000
		}
	}
	need := unit.Sp(len(n.m.lines))*n.set.width + p.j.runtWidth() - n.set.first - text
	track := text / 50 * unit.Sp(step-1) / 2 // what letter spacing may give, roughly
	return need > gaps*(looseLimit-1000)/1000+track
}

// runtWidth is the width under which a last line of body text is short.
func (j *job) runtWidth() unit.Sp {
	return unit.Sp(int64(j.d.Para.RuntMinSpaces*1000)) * j.d.Body.Size / 4000
}
