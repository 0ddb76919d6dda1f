package layout

import (
	"maps"
	"slices"

	"postext/engine/frame"
	"postext/engine/unit"
)

// Bands (layout.md 7). The columns of a page stand side by side in a band. A
// block across the columns ends the band above it, has a column of its own, and
// text goes on in a new band below. The band it ends is cut level: the walk goes
// back to the head of the page and fills columns no higher than the level, a
// line more where that fails. The closing band of a chapter is cut in the same
// way.

// bandCap is the height a band of a page is cut to.
type bandCap struct {
	node   int     // the block that ends the band; -1 for the end of the chapter
	height unit.Sp // 0: as it comes
	tries  int
}

// bandCaps are the heights the bands of one page are cut to.
type bandCaps struct {
	page int    // index of the page
	at   resume // its head
	cap  []bandCap
}

// maxCuts is how often a cut is tried again, each time a line lower.
const maxCuts = 4

// capOf is the cut of a band of the page at hand.
func (p *placer) capOf(band int) bandCap {
	if p.page == nil || p.caps.page != len(p.pages) || band >= len(p.caps.cap) {
		return bandCap{}
	}
	return p.caps.cap[band]
}

// startBand opens the columns of a band at a height below the head of the type
// area.
func (p *placer) startBand(top unit.Sp) {
	content := p.page.Content
	p.full = max(content.H/p.grid*p.grid-top, p.grid)
	p.height, p.feet = p.full, nil
	c := p.capOf(p.band)
	if p.cap = c.height; p.cap > 0 {
		p.height = min(p.height, p.cap)
		if c.node >= 0 {
			p.full = p.height // notes stand above the cut, too
		}
	}
	cols := columnsOf(p.j.d, p.page.Recto)
	p.rects = make([]unit.Rect, len(cols))
	for i, c := range cols {
		p.rects[i] = unit.Rect{X: content.X + c.X, Y: content.Y + top, W: c.W, H: p.full}
	}
	// Floats at the foot of the page stand under its last band.
	p.tops, p.foots = make([]unit.Sp, len(cols)), make([]unit.Sp, len(cols))
	p.wraps = nil
	if !p.cut() {
		copy(p.foots, p.pageFoots)
	}
}

// cut reports whether the band at hand ends above a block across the columns: it
// has neither the foot of the page nor floats of its own.
func (p *placer) cut() bool {
	c := p.capOf(p.band)
	return c.height > 0 && c.node >= 0
}

// closeBand closes the column at hand and those of its band behind it.
func (p *placer) closeBand(why string) {
	save := p.leaving
	p.leaving = true
	defer func() { p.leaving = save }()
	p.closeColumn(why)
	for k := p.col + 1; k < len(p.rects); k++ {
		p.openColumn(k)
		p.cur = cursor{}
		p.closeColumn(why)
	}
}

// columnRules draws the rules between the columns of the band at hand.
func (p *placer) columnRules() {
	r := &p.j.d.Layout.Rule
	n := len(p.page.Columns)
	if !r.Enabled || n == 0 || p.page.Columns[n-1].Band != p.band {
		return // the band has no columns
	}
	high := p.rects[0].H
	if p.cap > 0 {
		high = p.levelFoot()
	}
	for k := 1; k < len(p.rects); k++ {
		a, b := p.rects[k-1], p.rects[k]
		x := (a.Right() + b.X - r.Width) / 2
		p.page.Under = append(p.page.Under, frame.Item{Box: unit.Rect{X: x, Y: a.Y, W: r.Width, H: min(a.H, high)}, Fill: r.Color, ID: "columnRule"})
	}
}

// levelFoot is how far the columns of a band that is cut level reach: a rule between
// them ends with their text, unless something stands at the foot.
func (p *placer) levelFoot() (h unit.Sp) {
	for i := range p.page.Columns {
		c := &p.page.Columns[i]
		if c.Span || c.Band != p.band {
			continue
		}
		if p.foots[c.Index] > 0 || c.Index < len(p.feet) && p.feet[c.Index] > 0 {
			return p.rects[0].H
		}
		h = max(h, c.Used)
	}
	return h
}

// bandUse is how much of the band at hand is used.
type bandUse struct {
	most, least unit.Sp
	level       unit.Sp // height at which the columns would end level
	notes       bool
}

// use measures the band at hand, its open column included, with its notes or
// without. Columns of different widths are weighed by their area.
func (p *placer) use(notes bool) bandUse {
	u := bandUse{least: p.full}
	var area, widths unit.Sp // in lines of a width
	first := len(p.page.Columns) - p.col
	for k, r := range p.rects {
		widths += r.W
		var h, foot unit.Sp
		switch {
		case k < p.col:
			h, foot = p.page.Columns[first+k].Used, p.feet[k]
		case k == p.col:
			h, foot = p.cur.y, p.foot.height
		}
		h = max(h, p.headFoot(k))
		if notes {
			h += foot
		}
		u.notes = u.notes || foot > 0
		u.most, u.least = max(u.most, h), min(u.least, h)
		area += unit.Sp(unit.MulDiv(int64(h), int64(r.W), int64(p.grid)))
	}
	u.level = max((area+widths-1)/widths, 1) * p.grid
	return u
}

// headFoot is how far down the floats at the head of a column of the band reach.
func (p *placer) headFoot(k int) unit.Sp {
	h := max(p.tops[k]-p.grid, 0)
	if k < len(p.wraps) {
		h = max(h, p.wraps[k].foot)
	}
	return h
}

// spanOpen ends the band at hand under the block that opens at node i and makes
// room across the columns. It reports that the walk has to go back to the head
// of p.caps.page, to cut the band level first.
func (p *placer) spanOpen(i int, n *node) (again bool, err error) {
	p.now = resume{node: i}
	if err := p.open(); err != nil {
		return false, err
	}
	if len(p.rects) < 2 && p.side.W == 0 || p.onPart {
		return false, nil
	}
	p.clearWrap()
	need := p.spanHeight(i, n)
	fresh := p.col == 0 && p.cur.empty && p.foot.height == 0
	if !fresh {
		if c := p.cutAgain(i); c {
			return true, nil
		}
		own := p.capOf(p.band)
		u := p.use(true)
		level := p.j.d.Headings.Balance.Enabled && p.j.d.Headings.Balance.BeforeSpan
		if own.node != i && (u.notes || level && u.most-u.least > p.grid) && u.level < p.full {
			p.setCap(p.band, bandCap{node: i, height: u.level})
			return true, nil
		}
		foot := up(u.most, p.grid)
		if own.height > 0 && own.node == i {
			foot = p.full
		}
		top := foot + up(max(p.cur.below, n.above), p.grid)
		if p.side.W > 0 { // it crosses the side column, too
			top = max(top, up(p.side.used()-(p.rects[0].Y-p.page.Content.Y), p.grid))
		}
		if u.notes && own.height == 0 || top+need > p.room0() && !(p.ledAcross(i) && top+6*p.grid <= p.room0()) {
			// It cannot stand on this page any more.
			if err := p.nextPage("height"); err != nil {
				return false, err
			}
		} else {
			p.cutBand(foot, top)
			return false, nil
		}
	} else if y := p.spanTop(); y > 0 && y+need > p.pageFull()-p.deepest() {
		if err := p.nextPage("height"); err != nil {
			return false, err
		}
	}
	// Floats that waited may head the page, and fill it.
	for y := p.spanTop(); y > 0 && y+need > p.pageFull()-p.deepest() && p.band == 0; y = p.spanTop() {
		if err := p.nextPage("float"); err != nil {
			return false, err
		}
	}
	p.openSpan(p.spanTop())
	return false, nil
}

// ledAcross reports whether the block across the columns at node i is a box, and
// nothing but headings stands on the page above it: no page has more room under
// them, and the box is divided.
func (p *placer) ledAcross(i int) bool {
	if p.band > 0 || i+1 >= len(p.f.nodes) || p.f.nodes[i+1].what != nBoxOpen || len(p.page.Floats) > 0 {
		return false
	}
	for _, c := range p.page.Columns {
		for _, b := range c.Blocks {
			if b.Kind != frame.Heading {
				return false
			}
		}
	}
	return p.led()
}

// nextPage closes the page at hand and opens the next.
func (p *placer) nextPage(why string) error {
	at := p.now
	p.closePage(why)
	p.now = at
	return p.open()
}

// spanTop is how far down the page, whose band at hand is empty, a column across
// begins: under the floats at the heads of the columns.
func (p *placer) spanTop() unit.Sp {
	var taken unit.Sp
	for k := range p.tops {
		taken = max(taken, p.tops[k])
		if k < len(p.wraps) && p.wraps[k].foot > 0 {
			taken = max(taken, p.tops[k]+p.wraps[k].foot+p.grid)
		}
	}
	return p.rects[0].Y - p.page.Content.Y + up(taken, p.grid)
}

// pageFull is the height of the type area in whole lines.
func (p *placer) pageFull() unit.Sp { return max(p.page.Content.H/p.grid, 1) * p.grid }

// room0 is the height left on the page from the head of the band at hand.
func (p *placer) room0() unit.Sp {
	return p.pageFull() - (p.rects[0].Y - p.page.Content.Y) - p.deepest()
}

// deepest is the room floats take at the foot of the page.
func (p *placer) deepest() (d unit.Sp) {
	for _, f := range p.pageFoots {
		d = max(d, f)
	}
	return d
}

// setCap cuts a band of the page at hand.
func (p *placer) setCap(band int, c bandCap) {
	if p.caps.page != len(p.pages) || p.caps.cap == nil {
		p.caps = bandCaps{page: len(p.pages), at: p.at}
	}
	for len(p.caps.cap) <= band {
		p.caps.cap = append(p.caps.cap, bandCap{node: -1})
	}
	p.caps.cap = p.caps.cap[:band+1] // what stood below moves
	p.caps.cap[band] = c
}

// cutAgain reports that the band cut for the block at node i did not hold its
// text, or left a heading alone: it is cut a line lower, and in the end not at
// all.
func (p *placer) cutAgain(i int) bool {
	for band, c := range p.caps.cap {
		if c.node != i || c.height == 0 {
			continue
		}
		if p.caps.page == len(p.pages) && p.band == band && !p.stranded() && p.use(false).most <= p.full {
			return false
		}
		c.tries++
		c.height += p.grid
		if c.tries >= maxCuts {
			c.height = 0
		}
		p.caps.cap = p.caps.cap[:band+1]
		p.caps.cap[band] = c
		return true
	}
	return false
}

// spanFits reports whether the block across the columns that opens at node i fits on
// the page at hand below c, which stands in its column.
func (p *placer) spanFits(i int, c cursor) bool {
	if len(p.rects) < 2 && p.side.W == 0 || p.onPart {
		return true
	}
	n := &p.f.nodes[i]
	used := c.y
	for k := range p.rects {
		used = max(used, p.headFoot(k))
	}
	for k := range p.page.Columns {
		if o := &p.page.Columns[k]; o.Band == p.band && !o.Span {
			used = max(used, o.Used)
		}
	}
	return up(used, p.grid)+up(max(c.below, n.above), p.grid)+p.spanHeight(i, n) <= p.room0()
}

// spanHeight is the room the block that opens at node i needs on a page: its
// own, or that of a column where it is higher, and the first lines under it
// where it is kept with them.
func (p *placer) spanHeight(i int, n *node) unit.Sp {
	t := trial{cursor: cursor{empty: true}}
	k := i + 1
	for ; k < len(p.f.nodes) && p.f.nodes[k].what != nSpanClose; k++ {
		p.step(&t, k)
	}
	h := t.y
	if n.keepNext && k+1 < len(p.f.nodes) && p.f.nodes[k+1].what != nBreak {
		h = up(h+t.below, p.grid) + unit.Sp(max(p.j.d.Para.WidowMin, 1))*p.grid
	}
	return min(h, p.pageFull())
}

// cutBand ends the band at hand at foot and opens the column across at top, both
// from the band's head.
func (p *placer) cutBand(foot, top unit.Sp) {
	p.endBand(foot)
	at := p.rects[0].Y - p.page.Content.Y + top
	p.band++
	p.openSpan(at)
}

// endBand ends the band at hand at foot, from its head.
func (p *placer) endBand(foot unit.Sp) {
	first := len(p.page.Columns) - p.col
	for k := range p.rects {
		p.rects[k].H = foot
	}
	for k := 0; k < p.col; k++ {
		c := &p.page.Columns[first+k]
		c.Box.H = foot
		switch {
		case c.Used == foot:
			c.Short = ""
		case c.Short != "columnbreak":
			c.Short = "levelled"
		}
	}
	p.full, p.height, p.cap = foot, foot, foot
	p.closeBand("levelled")
	p.columnRules()
}

// openSpan opens a column across the others.
func (p *placer) openSpan(at unit.Sp) {
	c := p.page.Content
	p.wide, p.wraps = true, nil
	p.full = max(p.pageFull()-at, p.grid)
	p.height, p.cap, p.feet = p.full, 0, nil
	p.rects = []unit.Rect{{X: c.X, Y: c.Y + at, W: c.W, H: p.full}}
	p.tops, p.foots = make([]unit.Sp, 1), []unit.Sp{p.deepest()}
	p.openColumn(0)
}

// spanClose ends a block across the columns and opens the band under it.
func (p *placer) spanClose() {
	if !p.wide {
		return
	}
	r := &p.rects[0]
	at := r.Y - p.page.Content.Y
	r.H = p.cur.y
	below := up(p.cur.y+p.cur.below+p.cur.space, p.grid)
	// Its notes go to the foot of the column where the text goes on.
	notes := p.foot.parts
	p.foot, p.footLines = noteArea{}, nil
	p.closeColumn("")
	p.wide = false
	p.waiting = append(append([]notePart(nil), notes...), p.waiting...)
	p.side.head = max(p.side.head, at+below)
	if at+below+2*p.grid > p.pageFull()-p.deepest() {
		p.endPage()
		return
	}
	p.band++
	p.startBand(at + below)
	p.openColumn(0)
}

// levelTo cuts the columns of the last band before node i level, where a chapter ends
// inside the text.
func (p *placer) levelTo(i int) error {
	end := p.until
	p.until = i
	err := p.balanceEnd()
	p.until, p.now = end, resume{node: i}
	return err
}

// balanceEnd cuts the columns of the last band of a chapter level.
func (p *placer) balanceEnd() error {
	h := &p.j.d.Headings.Balance
	if p.page == nil || len(p.rects) < 2 || !h.Enabled || !h.Trailing || p.onPart || p.wide {
		return nil
	}
	u := p.use(false)
	if u.most-u.least <= p.grid {
		return nil
	}
	at, full, band := p.at, p.height, p.band
	p.unsuit()
	whole := *p
	whole.settled, whole.made = slices.Clone(p.settled), slices.Clone(p.made) // tries write over them
	wholePages := append([]placedPage(nil), p.pages...)
	wholeEntries := append([]placedHead(nil), p.entries...)
	for try, level := 0, u.level; try < maxCuts && level < full; try, level = try+1, level+p.grid {
		p.pages, p.at = p.pages[:at.pages], at // a try that ran over the page left it
		p.setCap(band, bandCap{node: -1, height: level})
		i, err := p.back(at)
		if err != nil {
			return err
		}
		if err := p.run(i); err != nil {
			return err
		}
		if len(p.pages) == at.pages && p.page != nil && p.band == band && !p.stranded() {
			return nil
		}
		if p.caps.page != at.pages {
			break
		}
	}
	p.unsuit()
	*p = whole
	p.j.d = p.d
	p.pages, p.entries = wholePages, wholeEntries
	return nil
}

// rewind takes the walk back to a page's head: what was under way there is
// placed, and the node that follows is returned.
func (p *placer) rewind(at resume) (next int, err error) {
	p.pages = p.pages[:at.pages]
	p.entries = p.entries[:at.entries]
	p.head, p.part, p.onPart, p.look, p.phys, p.value, p.format, p.pending, p.center = at.head, at.part, at.onPart, at.look, at.phys, at.value, at.format, at.pending, at.center
	p.page, p.wide = nil, at.wide
	p.waiting = append([]notePart(nil), at.waiting...)
	p.restack(at.stack)
	p.cited = p.cited[:at.cited:at.cited]
	p.resumed = at.cols
	p.queue, p.called, p.unnoted, p.arrived = at.queue, maps.Clone(at.called), at.unnoted, nil
	p.side.queue, p.side.rest = at.sides, nil
	if !at.used {
		return at.node, nil
	}
	p.now = at
	if err := p.block(at.node, at.n, at.from, at.base); err != nil {
		return 0, err
	}
	return at.node + 1, nil
}
