package layout

import (
	"postext/engine/frame"
	"postext/engine/unit"
)

// What breaks the grid (a heading, a list, a figure, a formula, a box) is followed
// by room up to the next line of it (layout.md 4). Left where it falls that room
// makes a display hang on the text above it and a heading stand as near to the
// text before it as to its own. So the block is moved down into it, within the
// column it stands in and without moving anything else: a heading so that its
// spaces keep the proportion of its margins, everything else so that the white
// above it looks like the white below. A heading that heads its column has no room
// above it; one as small as the text is brought down to the baseline of the text in
// the columns beside it.

// settling is a block that may be moved down once it is known what follows it.
type settling struct {
	from  int     // its first block in the column; −1: nothing settles
	gap   unit.Sp // between it and what stands above
	edged bool    // it ends in an edge of its own on both sides, not in lines of text
	head  bool    // a heading: its margins' proportion holds
	opens bool    // it heads its column
}

// settled is a stretch of blocks of the column at hand that may be moved down: the
// white over and under it, what of the white over it is to be, in thousandths, and
// the room the grid leaves under it.
type settled struct {
	from, to           int
	above, below, free unit.Sp
	part               int64
	opens              bool
}

// The ink of a line, in thousandths of its size: between the height of x and that
// of capitals over the baseline, between none and a descender under it.
const (
	inkOver  = 600
	inkUnder = 100
)

// settle is told of every node before it is placed at top in the column at hand:
// what settles is moved, by what the node leaves free above it.
func (p *placer) settle(n *node, top unit.Sp) {
	if n.group > 0 {
		return // inside a box nothing returns to the grid
	}
	s := p.settling
	if s.from >= 0 && p.cur.snap && s.from < len(p.blocks) {
		gap := max(p.cur.below, n.above)
		if p.cur.add {
			gap = p.cur.below + n.above
		}
		if free := top - n.rise - p.cur.space - p.cur.y - gap; free >= 0 && free < p.grid {
			above, below, part := s.gap, gap, int64(500)
			switch {
			case s.head && above+below > 0:
				part = unit.MulDiv(int64(above), 1000, int64(above+below))
			case s.edged:
				t := &p.j.d.Body
				above += t.Leading - share(t.Leading, 800) - share(t.Size, inkUnder)
				below += share(t.Leading, 800) - share(t.Size, inkOver)
			}
			p.settled = append(p.settled, settled{s.from, len(p.blocks), above, below, free, part, s.opens})
		}
	}
	if p.cur.snap || n.settles {
		p.settling.from = -1
	}
	if p.cur.empty && p.opensLevel(n) {
		p.settling = settling{from: len(p.blocks), opens: true}
		return
	}
	if n.settles && !p.cur.empty && !p.cur.edge && !p.wide && !p.wrapped && p.apart.W == 0 && n.drawn == nil {
		p.settling = settling{from: len(p.blocks), gap: top - p.cur.y, head: n.kind == frame.Heading,
			edged: n.what != nText || n.formula != nil}
	}
}

// opensLevel reports whether a heading that heads its column is brought to the grid:
// one of a single line, no higher than those of the text in the columns beside it.
func (p *placer) opensLevel(n *node) bool {
	return n.kind == frame.Heading && n.what == nText && n.settles && n.snap && n.drawn == nil && len(n.m.lines) == 1 && n.leading < p.grid &&
		len(p.rects) > 1 && !p.cur.edge && !p.wide && !p.onPart && !p.wrapped && p.apart.W == 0
}

// headDrop is how far a heading at the head of its column is moved down so that its
// baseline stands on the grid, level with the text beside it.
func (p *placer) headDrop(s *settled) unit.Sp {
	b := p.blocks[s.from]
	if len(b.Lines) == 0 {
		return 0
	}
	drop := share(p.grid, 800)
	base := b.Lines[0].Baseline - p.rects[p.col].Y
	if dy := up(max(base-drop, 0), p.grid) + drop - base; dy <= s.free {
		return dy
	}
	return 0
}

// moveSettled moves what settles in the column at hand. A line that balancing has
// put under a list or a display is shared in the same way.
func (p *placer) moveSettled() {
	for _, s := range p.settled {
		if s.to > len(p.blocks) {
			continue
		}
		free := s.free
		if s.to < len(p.blocks) && p.blocks[s.to].Kind != frame.Heading {
			if b := p.blocks[s.to].Balance; b != nil {
				free += b.SpaceAbove
			}
		}
		dy := min(share(s.above+s.below+free, s.part)-s.above, free)
		if s.opens {
			dy = p.headDrop(&s)
		}
		for i := s.from; i < s.to && dy > 0; i++ {
			moveBlock(p.blocks[i], dy)
		}
	}
	p.settled, p.settling.from = p.settled[:0], -1
}
