package layout

import (
	"sort"

	"postext/engine/frame"
	"postext/engine/unit"
)

// Column balancing (layout.md 8): a column that text flowed past, but that break
// rules left short, is brought to its last grid line. What opens the next column
// did not fit into the gap and will not fit into a smaller one, so this is a
// matter of the column alone: no lever moves anything from one column to another.

// looseLimit is the widest space of a loosened paragraph, in thousandths of the
// natural one. The rule allows maxWordSpacing; a level foot is not worth a line
// that counts as loose (layout.md 16).
const looseLimit = 1500

// placedNode says what a block of the column at hand was made from.
type placedNode struct {
	node  int // in the flow, -1 for notes and cells
	whole bool
	m     *measured
	flex  *flexible // of a picture that may be cropped
}

// balance fills the column at hand, which text is about to flow past. Each lever
// acts on what those before it left.
func (p *placer) balance() error {
	h := &p.j.d.Headings.Balance
	if !h.Enabled || len(p.blocks) == 0 || p.onPart || p.wide || p.wrapped {
		return nil
	}
	rest := func() unit.Sp { return p.limit(0) - p.cur.y }
	if rest() <= 0 || h.ClosingBox == "first" && p.dropBox(rest()) {
		return nil
	}
	p.growPictures(int(rest() / p.grid))
	for _, l := range []struct {
		name  string
		most  int // lines at one place
		heads bool
		at    []int
	}{
		{"heading", h.PerHeading, true, p.headingPlaces()},
		{"list", h.AfterList, false, p.listPlaces()},
		{"display", h.AfterList, false, p.displayPlaces()},
		{"float", h.AfterFloat, true, p.floatPlaces()},
	} {
		p.stretch(l.name, l.at, l.most, int(rest()/p.grid))
	}
	if gap := int(rest() / p.grid); gap > 0 && p.j.d.Body.Optimal && h.Loose > 0 {
		if err := p.loosen(gap); err != nil {
			return err
		}
	}
	if h.ClosingBox == "last" {
		p.dropBox(rest())
	}
	return nil
}

// push moves the blocks from i on down.
func (p *placer) push(i int, dy unit.Sp) {
	for k := range p.parts {
		// A box around it grows.
		if part := &p.parts[k]; part.box > 0 && part.block < i && part.last > i {
			p.blocks[part.block].Box.H += dy
		}
	}
	for k := range p.stack {
		// One that is still open moves along.
		if o := &p.stack[k]; p.parts[o.part].block >= i {
			o.y, o.top = o.y+dy, o.top+dy
		}
	}
	for ; i < len(p.blocks); i++ {
		moveBlock(p.blocks[i], dy)
	}
	p.cur.y += dy
}

// record notes on block i what was done to it.
func (p *placer) record(i int, lever string) *frame.Balance {
	b := p.blocks[i]
	if b.Balance == nil {
		b.Balance = &frame.Balance{}
	}
	if n := len(b.Balance.Levers); n == 0 || b.Balance.Levers[n-1] != lever {
		b.Balance.Levers = append(b.Balance.Levers, lever)
	}
	return b.Balance
}

// stretch adds up to gap lines above the blocks at, one at a time in turn, most
// at each.
func (p *placer) stretch(lever string, at []int, most, gap int) {
	for round := 0; round < most; round++ {
		for _, i := range at {
			if gap <= 0 {
				return
			}
			p.push(i, p.grid)
			p.record(i, lever).SpaceAbove += p.grid
			gap--
		}
	}
}

// dropBox moves a box that closes the column to its foot, be it by a part of a
// line; not one that heads it, and not in the only column of a band.
func (p *placer) dropBox(rest unit.Sp) bool {
	if rest <= 0 || len(p.rects) < 2 {
		return false
	}
	i := 0
	for k := range p.parts {
		part := &p.parts[k]
		fb := p.blocks[min(part.block, len(p.blocks)-1)]
		if part.box > 0 && part.last == len(p.blocks) && p.f.boxes[part.box-1].parent == 0 && !fb.Continued && !fb.Continues {
			i = part.block
		}
	}
	if i == 0 {
		return false
	}
	p.push(i, rest)
	p.record(i, "closingBox").SpaceAbove += rest
	return true
}

// levelHeads reports whether the heads of the columns stay level: in a band that
// is cut level nothing moves under a picture that heads a column.
func (p *placer) levelHeads() bool { return p.cap > 0 }

// underFloat reports whether block i stands right under a picture that heads the
// column.
func (p *placer) underFloat(i int) bool {
	k := 0
	for k < len(p.blocks) && p.blocks[k].Kind == frame.Resource {
		k++
	}
	return k > 0 && i == k
}

// headingPlaces are the headings that may have room above them, the most
// important first: not at the head of the column, not its last block, and of
// several in a row the first.
func (p *placer) headingPlaces() (at []int) {
	for i := 1; i < len(p.blocks)-1; i++ {
		if p.blocks[i].Kind == frame.Heading && p.groups[i] == 0 && p.blocks[i-1].Kind != frame.Heading && !(p.levelHeads() && p.underFloat(i)) {
			at = append(at, i)
		}
	}
	sort.SliceStable(at, func(a, b int) bool { return p.blocks[at[a]].Level < p.blocks[at[b]].Level })
	return at
}

// listPlaces are the blocks after which a list has ended.
func (p *placer) listPlaces() (at []int) {
	for i := 1; i < len(p.blocks); i++ {
		if p.blocks[i-1].Kind == frame.ListItem && p.blocks[i].Kind != frame.ListItem && p.groups[i] == p.groups[i-1] && p.groups[i] >= 0 {
			at = append(at, i)
		}
	}
	return at
}

// displayPlaces are the paragraphs at which text resumes under a formula or a box.
func (p *placer) displayPlaces() (at []int) {
	for i := 1; i < len(p.blocks); i++ {
		if p.blocks[i].Kind != frame.Paragraph {
			continue
		}
		box := p.groups[i-1] > 0 && p.groups[i] == 0
		if p.blocks[i-1].Kind == frame.Formula && p.groups[i] == p.groups[i-1] && p.groups[i] >= 0 || box {
			at = append(at, i)
		}
	}
	return at
}

// floatPlaces is the block under a picture that heads the column.
func (p *placer) floatPlaces() []int {
	if p.levelHeads() {
		return nil
	}
	if p.tops[p.col] > 0 && len(p.blocks) > 0 && p.blocks[0].Kind != frame.Note {
		return []int{0} // a float stands over the column's text
	}
	for i := 1; i < len(p.blocks); i++ {
		if p.underFloat(i) {
			return []int{i}
		}
	}
	return nil
}

// loosen sets paragraphs a line longer, the longest first: with their word
// spaces alone, then with half the letter spacing allowed, then with all of it.
func (p *placer) loosen(gap int) error {
	h := &p.j.d.Headings.Balance
	var at []int
	for i, pl := range p.made {
		if pl.node < 0 || !pl.whole || p.groups[i] > 0 || p.blocks[i].Kind != frame.Paragraph {
			continue
		}
		if n := &p.f.nodes[pl.node]; n.set.align == justify && !n.set.verse && n.set.tabs == nil && len(n.m.lines) > 2 && len(n.m.lines) < maxTightened && pl.m == n.m && n.leading == p.grid {
			at = append(at, i)
		}
	}
	sort.SliceStable(at, func(a, b int) bool { return len(p.blocks[at[a]].Lines) > len(p.blocks[at[b]].Lines) })
	done, steps := 0, 3
	if h.Tracking <= 0 {
		steps = 1
	}
	for step := 1; step <= steps; step++ {
		for _, i := range at {
			if gap == 0 || done == h.Loose {
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
	p.push(i+1, n.leading)
	r := p.record(i, "paragraph")
	r.ExtraLines++
	for k := range m.lines {
		r.Tracking = max(r.Tracking, m.lines[k].Tracking)
	}
	return true, nil
}

// longer is the node's text set a line longer, nil when that cannot be done
// well: every line within the limit and no short last line.
func (p *placer) longer(n *node, step int) (*measured, error) {
	if p.tooShort(n, step) {
		return nil, nil
	}
	s := *n.set
	s.loose, s.lines = step, len(n.m.lines)+1
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
		if l.Last && l.Width < m.runt {
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
	need := unit.Sp(len(n.m.lines))*n.set.width + n.m.runt - n.set.first - text
	// What letter spacing may give, roughly: characters are half an em wide.
	track := text / 500 * unit.Sp(p.j.d.Headings.Balance.Tracking) * unit.Sp(step-1) / 2
	return need > gaps*(looseLimit-1000)/1000+track
}
