package layout

import (
	"slices"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Sections (layout.md 11, settings.md 11). A heading with a style opens a section,
// which runs to the next heading of its level or a higher one; a part closes all.
// In the walk a section changes the design at hand and with it the measure and the
// type; the placer puts on the design of a section when it opens a page in it. A
// section that begins inside a page goes on in a new band there where its text
// block or its columns are others.

// opened is a section the walk stands in.
type opened struct {
	level int
	style string
}

// wear takes up the design of a look.
func (j *job) wear(l settings.Look, at int) {
	d, ok := j.in.Design.Look(l)
	if !ok {
		j.reportOnce("partPaletteIgnored", "the parts and sections of the book have more palettes than can be kept: the document's is used", at, at)
	}
	j.worn, j.d = l, d
}

// turn goes on in another design; what follows is placed by it.
func (w *walker) turn(l settings.Look, at int) {
	if l == w.worn {
		return
	}
	w.wear(l, at)
	w.settings = nil // they hold the look of code
	w.counted = false
	if !slices.Contains(w.flow.looks, l) {
		w.flow.looks = append(w.flow.looks, l)
	}
	w.flow.nodes = append(w.flow.nodes, node{what: nLook, look: l, start: at, end: at})
}

// running is the place of running text in the design at hand.
func (w *walker) running() place {
	return place{width: w.columnWidth(), text: w.d.Body, kind: frame.Paragraph, leading: w.d.Body.Leading,
		spaced: w.d.Para.ParagraphSpacing, tabs: &w.d.Tabs, look: w.worn}
}

// inFlow reports whether the place is that of running text, inside nothing.
func (p *place) inFlow() bool {
	return p.group == 0 && p.depth == 0 && p.quote == 0 && !p.list && !p.subcolumn && !p.onPart && p.styled == nil &&
		p.kind == frame.Paragraph
}

// section opens and closes sections at a heading.
func (w *walker) section(b *markup.Block) {
	n := len(w.open)
	for n > 0 && w.open[n-1].level >= b.Level {
		n--
	}
	w.open = w.open[:n]
	if id, ok := b.Attrs.Get("style"); ok && w.in.Design.HasHeadingStyle(id) {
		w.open = append(w.open, opened{b.Level, id})
	}
	l := w.worn
	if l.Style = ""; len(w.open) > 0 {
		l.Style = w.open[len(w.open)-1].style
	}
	w.turn(l, b.Start)
}

// adopt puts on the design of what follows. With pages, a page is about to be laid
// out by it.
func (p *placer) adopt(page bool) {
	d, _ := p.j.in.Design.Look(p.look)
	p.worn, p.d, p.j.d = p.look, d, d
	if !page {
		return
	}
	p.grid = max(d.Body.Leading, 1)
	cols := columnsOf(d, true)
	p.uneven = false
	for i := range cols {
		p.uneven = p.uneven || cols[i].W != cols[0].W
	}
}

// shaped alike: two designs have the same text block and columns on a page.
func shapedAlike(a, b *settings.Design, recto bool) bool {
	if a == b {
		return true
	}
	if contentOf(a, recto) != contentOf(b, recto) || sideOf(a, recto) != sideOf(b, recto) {
		return false
	}
	x, y := columnsOf(a, recto), columnsOf(b, recto)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// relook places the beginning of a section, or its end, at node i. It reports that
// the walk has to go back to the head of p.caps.page, to cut a band level first.
func (p *placer) relook(i int, n *node) (again bool, err error) {
	p.look = n.look
	defer func() { p.onPart = false }() // where text goes on under a part, too
	next := nBreak
	if i+1 < len(p.f.nodes) {
		next = p.f.nodes[i+1].what
	}
	if p.page == nil || next == nBreak || p.wide || len(p.stack) > 0 {
		return false, nil // it holds from the next page on
	}
	d, _ := p.j.in.Design.Look(n.look)
	if shapedAlike(p.j.d, d, p.page.Recto) && !p.onPart {
		p.adopt(false)
		return false, nil
	}
	if err := p.placeAll(); err != nil || p.page == nil {
		return false, err
	}
	p.clearWrap()
	p.now = resume{node: i}
	u := p.use(true)
	if u.most == 0 && p.band == 0 && len(p.page.Floats) == 0 && !p.onPart {
		p.adopt(true)
		p.reshape(0)
		return false, nil
	}
	if p.cutAgain(i) {
		return true, nil
	}
	own := p.capOf(p.band)
	level := p.j.d.Headings.Balance.Enabled && p.j.d.Headings.Balance.BeforeSpan
	if own.node != i && (u.notes || level && u.most-u.least > p.grid) && u.level < p.full && !p.onPart {
		p.setCap(p.band, bandCap{node: i, height: u.level})
		return true, nil
	}
	foot := up(u.most, p.grid)
	if own.height > 0 && own.node == i {
		foot = p.full
	}
	above := p.aboveOf(i + 1)
	top := foot + up(max(p.cur.below, above), p.grid)
	need := unit.Sp(max(p.j.d.Para.WidowMin, 1)) * p.grid
	if u.notes && own.height == 0 || top+max(p.startHeight(i+1)-above, 0)+need > p.room0() {
		p.closePage("height")
		return false, nil
	}
	p.endBand(foot)
	at := p.rects[0].Y + top
	p.band++
	p.onPart = false
	p.adopt(true)
	p.reshape(at)
	return false, nil
}

// aboveOf is the space node i asks for above it.
func (p *placer) aboveOf(i int) unit.Sp {
	if i < len(p.f.nodes) {
		return p.f.nodes[i].above
	}
	return 0
}

// startHeight is the height of the headings that open what begins at node i.
func (p *placer) startHeight(i int) (h unit.Sp) {
	for ; i < len(p.f.nodes); i++ {
		n := &p.f.nodes[i]
		switch {
		case n.what == nMark || n.what == nNumbering || n.what == nBarrier:
		case n.what == nText && n.kind == frame.Heading:
			h += n.above + n.heightOf() + n.below
		default:
			return h
		}
	}
	return h
}

// reshape gives the page at hand the text block and columns of the design put on,
// from a height of the sheet on; 0 is the head of the text block.
func (p *placer) reshape(at unit.Sp) {
	pg := p.page
	low := pg.Content.Bottom() - p.deepest() // floats at the foot of the page stay
	pg.Content = contentOf(p.j.d, pg.Recto)
	pg.GridPitch, pg.GridTop = p.grid, pg.Content.Y+share(p.grid, 800)
	top := up(max(at-pg.Content.Y, 0), p.grid)
	n := len(columnsOf(p.j.d, pg.Recto))
	if len(p.pageFoots) > 0 {
		foots := make([]unit.Sp, n)
		for k := range foots {
			foots[k] = max(pg.Content.Bottom()-low, 0)
		}
		p.pageFoots = foots
	}
	taken := p.side.head
	p.openSide()
	p.side.head = max(taken, top)
	p.startBand(top)
	p.openColumn(0)
}
