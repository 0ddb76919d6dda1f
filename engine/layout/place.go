package layout

import (
	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// cursor is how far a column has been filled.
type cursor struct {
	y     unit.Sp // foot of what stands there
	below unit.Sp // the margin it asks for
	space unit.Sp // room added by :::space
	snap  bool    // what comes next returns to the grid
	empty bool    // nothing stands in the column, but for the frames of open boxes
	add   bool    // the margin it asks for adds to that of what comes next
	edge  bool    // at the upper edge of a box: no margin above what comes next
}

// top is where a node would begin: margins merge, the larger one holds; at the
// head of a column there is none (layout.md 4). After a block that left the grid
// the space under it grows to the next line; a block that leaves it again by
// itself stands at its own margin where that is larger, text on the grid.
func (c *cursor) top(n *node, grid unit.Sp) unit.Sp {
	if c.empty || c.edge {
		return c.y + n.rise
	}
	gap := max(c.below, n.above)
	if c.add {
		gap = c.below + n.above
	}
	y := c.y + gap
	switch {
	case n.snapTop:
		return up(y+c.space, grid)
	case c.snap && !n.offGrid():
		y = up(y, grid)
	case c.snap:
		y = max(up(c.y+c.below, grid), y)
	}
	return y + c.space + n.rise
}

// up rounds to the next whole line of the grid.
func up(y, grid unit.Sp) unit.Sp { return (y + grid - 1) / grid * grid }

// offGrid reports whether the text behind the node returns to the grid whatever
// the node stands on.
func (n *node) offGrid() bool {
	return n.snap || n.kind == frame.ListItem || n.what == nRow || n.what == nBoxOpen || n.what == nColsOpen
}

func (c *cursor) set(n *node, foot unit.Sp) {
	*c = cursor{y: foot, below: n.below, snap: n.snap, add: n.addBelow}
}

// placedPage is a page with what its running heads need to know.
type placedPage struct {
	*frame.Page
	headTop, head int // headings begun before the page, and up to its end
	partTop, part Part
	after, before bool   // a blank that belongs to what follows, to what precedes
	renumber      *node  // the change of numbering that took effect on it
	format        string // of its number
	drawings      []placedDrawing
}

// placer pours a flow into pages.
type placer struct {
	j     *job
	f     *flow
	look  settings.Look    // of the next page
	worn  settings.Look    // of d
	d     *settings.Design // put on
	grid  unit.Sp
	pages []placedPage

	phys   int // number of the next page to open
	value  int
	format string
	start  int // physical pages before the chapter

	page      *placedPage
	rects     []unit.Rect
	col, band int
	full      unit.Sp // height of the columns of this page
	height    unit.Sp // how far down text may reach in them
	cap       unit.Sp // height the band at hand is cut to, 0: none
	wide      bool    // the walk stands in a block across the columns
	caps      bandCaps
	feet      []unit.Sp // heights of the notes of the band's closed columns
	cur       cursor
	blocks    []*frame.Block
	groups    []int32
	made      []placedNode
	uneven    bool

	cited []citation
	// resumed is where the group in columns goes on that the walk was taken back to.
	resumed []spot
	suit    suit
	stack   []openedBox // the boxes the walk stands in, outermost first
	parts   []boxPart   // of the column at hand
	// tableFrom is the first block of the part of a pipe table at hand.
	tableFrom int
	// What may be moved down, and what is, in the column at hand.
	settling settling
	settled  []settled
	padded   unit.Sp // room the open boxes keep under their text
	// Room taken by floats at the head and the foot of each column of the page.
	tops, foots []unit.Sp
	queue       []waitingFloat
	called      map[int32]bool // floats that have been queued
	arrived     []waitingFloat // those cited in boxes that have just landed
	came        []int32        // those that boxes brought in
	heads       []headFloat    // at the head of page headsPage, ahead of their citation
	headsPage   int
	tried       map[int32]bool // floats that have been tried there
	againAt     resume
	owed        bool           // notes of a box wait for text of the column
	unnoted     map[int32]bool // boxes that wait with their notes; never changed
	columnOpen  bool           // the column at hand takes notes
	frozen      []*frame.Block // notes set under a float
	runs        []footRun      // floats at the foot of the page
	pageFoots   []unit.Sp      // room they take at the foot of each text column
	side        sideColumn
	wrap        wrapZone   // what the text of the column at hand stands beside
	wraps       []wrapZone // the same of the columns of the band to come
	wrapped     bool       // the column at hand has had one
	apart       unit.Rect  // a box laid out by itself: its measure and the height of a part
	apartFirst  unit.Sp    // of its first part, where that is lower
	until       int        // the walk's end, 0: that of the flow
	err         error      // met where no error is returned
	leaving     bool       // the page is being closed
	closing     bool       // a barrier: what waits has to be placed

	foot noteArea
	// otherNotes are notes measured for columns of other widths than the text's.
	otherNotes map[noteKey]*note
	cutTables  map[tableCutKey]*figure
	footLines  []int // lines of each part of the foot
	waiting    []notePart

	head    int // headings begun so far
	part    Part
	onPart  bool
	center  bool
	pending *node // a change of numbering that waits for a page

	entries []placedHead
	at      resume // where the page at hand began
	now     resume // where the walk stands

	lineChunk  []frame.Line
	blockChunk []frame.Block
}

// placedHead says on which page a heading stands.
type placedHead struct {
	ref  *headingRef
	page int
}

// resume is a place to take the walk up again: the state at a page's start.
type resume struct {
	node, from, base int
	n                node
	pages, head      int
	entries          int
	part             Part
	onPart           bool
	phys, value      int
	format           string
	pending          *node
	center, wide     bool
	look             settings.Look
	queue, sides     []waitingFloat
	called, unnoted  map[int32]bool
	used             bool // a node is under way
	waiting          []notePart
	stack            []openedBox
	cited            int
	cols             []spot // how far a group in columns is set
}

func (j *job) place(f *flow) (*placer, error) {
	p := &placer{j: j, f: f, look: f.look, phys: j.st.Pages + 1, start: j.st.Pages,
		value: j.st.Next, format: j.st.Format, part: j.st.Part, called: map[int32]bool{}}
	p.part = f.start.Part
	f.extra, f.figures = f.extra[:0], f.figures[:0]
	for i := range f.floats {
		if b := f.floats[i].box; b != nil {
			b.parts = nil
		}
	}
	p.adopt(true)
	if err := p.run(0); err != nil {
		return nil, err
	}
	if err := p.balanceEnd(); err != nil {
		return nil, err
	}
	if err := p.barrier("end"); err != nil {
		return nil, err
	}
	if len(p.pages) == 0 {
		if err := p.open(); err != nil {
			return nil, err
		}
		p.closePage("end")
	}
	return p, nil
}

// walk places the nodes from i on.
func (p *placer) walk(i int) error {
	end := len(p.f.nodes)
	if p.until > 0 {
		end = p.until
	}
	for ; i < end; i++ {
		if p.err != nil {
			return p.err
		}
		n := &p.f.nodes[i]
		p.now = resume{node: i}
		switch n.what {
		case nBreak:
			reason := "break"
			next := i + 1
			if next < len(p.f.nodes) && p.f.nodes[next].what == nSpanOpen {
				next++
			}
			if next < len(p.f.nodes) && p.f.nodes[next].head != nil {
				reason = "opener"
			}
			part := next < len(p.f.nodes) && p.f.nodes[next].what == nPartOpen
			if reason == "opener" || part {
				if err := p.levelTo(i); err != nil {
					return err
				}
			}
			if reason == "opener" {
				if err := p.barrier(reason); err != nil {
					return err
				}
			} else {
				p.closePage(reason)
			}
			p.blanks(n.parity)
			p.center = n.center
		case nColumn:
			if p.page != nil && !p.cur.empty {
				if err := p.nextColumn("columnbreak"); err != nil {
					return err
				}
			}
		case nSpace:
			if p.page == nil || p.cur.empty && !p.cur.edge {
				break
			}
			p.addSpace(&p.cur, i)
			if p.cur.y+p.cur.below+p.cur.space >= p.limit(0) {
				if err := p.nextColumn("height"); err != nil {
					return err
				}
			}
		case nNumbering:
			p.pending = n
			if p.page != nil && p.cur.empty && p.col == 0 {
				p.number()
			}
		case nMark:
			if err := p.open(); err != nil {
				return err
			}
			p.begin(n)
		case nCite:
			if err := p.open(); err != nil {
				return err
			}
			if err := p.mention(n); err != nil {
				return err
			}
		case nAside:
			if err := p.aside(i, n); err != nil {
				return err
			}
			i = n.lastOf(p.f, i)
		case nBarrier:
			if err := p.placeAll(); err != nil {
				return err
			}
		case nPartOpen:
			// The page is opened in the part; a walk taken back to its head opens the
			// part again.
			head, entries, part := p.head, len(p.entries), p.part
			p.onPart = true
			p.begin(n)
			if err := p.open(); err != nil {
				return err
			}
			p.at.head, p.at.entries, p.at.part, p.at.onPart = head, entries, part, false
			if n.drawn != nil {
				p.page.drawings = append(p.page.drawings, placedDrawing{drawing: n.drawn})
			}
		case nLook, nSpanOpen:
			open := p.relook
			if n.what == nSpanOpen {
				open = p.spanOpen
			}
			again, err := open(i, n)
			if err != nil {
				return err
			}
			if again {
				if i, err = p.back(p.caps.at); err != nil {
					return err
				}
				i--
			}
		case nPartClose:
			if n.goesOn { // the look that follows opens a band under it
				break
			}
			p.closePage("break")
			p.onPart = false
		case nBoxOpen:
			if err := p.enter(i, n); err != nil {
				return err
			}
		case nBoxClose:
			p.leave(n)
		case nSpanClose:
			p.spanClose()
		case nColsOpen:
			last, err := p.setColumns(i)
			if err != nil {
				return err
			}
			i = last - 1
		case nColsClose:
			p.cur = cursor{y: p.cur.y, below: n.below, snap: n.snap, empty: p.cur.empty}
		case nNotes:
			if err := p.footNotes(n); err != nil {
				return err
			}
		default:
			if err := p.block(i, *n, 0, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin notes a heading that starts here.
func (p *placer) begin(n *node) {
	if n.head == nil {
		return
	}
	page := len(p.pages)
	p.entries = append(p.entries, placedHead{n.head, page})
	if n.head.part != nil {
		p.part = *n.head.part
	}
	p.head++
}

// block places a node from line from on; base counts the lines placed in an
// earlier measure of it.
func (p *placer) block(i int, n node, from, base int) error {
	if err := p.j.tick(); err != nil {
		return err
	}
	for {
		p.now = resume{node: i, from: from, base: base, n: n, used: true}
		if err := p.open(); err != nil {
			return err
		}
		if p.uneven && !p.wide && n.what == nFigure {
			if want := p.rects[p.col].W - p.j.columnWidth() + p.f.nodes[i].fig.width; want != n.fig.width && want > 0 {
				fig, err := p.j.inline(n.spec, want, n.index)
				if err != nil {
					return err
				}
				n.fig = fig
				p.f.figures = append(p.f.figures, fig)
			}
		}
		if p.uneven && n.what == nRow {
			n = p.f.nodes[i]
			if by := p.widerBy(); by != 0 {
				if err := p.refitRow(&n, by); err != nil {
					return err
				}
			}
		}
		if p.uneven && !p.wide && n.what == nText {
			if err := p.refit(&n, &from, &base); err != nil {
				return err
			}
		}
		if err := p.narrow(&n, &from, &base); err != nil {
			return err
		}
		if n.what == nText && len(n.m.lines) == 0 {
			return nil // nothing of it stands anywhere: no column would ever take it
		}
		if n.keepNext && from == 0 && (!p.cur.empty || p.crowded() || p.col > 0 && p.leadsAcross(i)) && (i == 0 || !p.f.nodes[i-1].keepNext || p.cur.empty) && !p.fits(i, p.cur) && !p.facing(i, p.cur) {
			p.goesOn(&n)
			turn := p.nextColumn
			if p.leadsAcross(i) {
				turn = p.nextPage // no column of this page is free of the block below
			}
			if err := turn("keepWithNext"); err != nil {
				return err
			}
			continue
		}
		if p.cur.empty && p.crowded() && !p.startsHere(&n, from) {
			why := "float"
			if p.tops[p.col]+p.foots[p.col] == 0 {
				why = "notes"
			}
			if err := p.nextColumn(why); err != nil { // they fill it
				return err
			}
			continue
		}
		if p.cur.empty && len(n.heads) > 0 && len(p.stack) == 0 {
			row := *n.row
			row.under = p.headAgain(n.heads)
			row.first = !row.under
			n.row = &row
		}
		top := p.cur.top(&n, p.grid)
		if n.what == nFigure && n.spec.rows() > 0 {
			done, err := p.tableNode(&n, top)
			if err != nil || done {
				return err
			}
			continue
		}
		if n.what == nFigure && top+n.fig.height > p.limit(0) {
			fig, err := p.fitted(&n, p.limit(0)-top)
			if err != nil {
				return err
			}
			if fig != nil {
				n.fig = fig
			}
		}
		first := p.cur.empty || n.what == nText && !n.keepNext && !n.whole && p.led() && p.room(&n, from, top) > 0
		k, total, why := p.decide(i, &n, from, top, first)
		if c := p.cutBox(i, &n, from, k, total, top); c < k && (c > 0 || !first) {
			k, why = c, "keep"
		}
		if k > 0 && len(n.floats) > 0 {
			var err error
			var cut string
			if k, total, cut, err = p.cites(i, &n, from, k, total, top); err != nil {
				return err
			}
			if cut != "" {
				why = cut
			}
		}
		if k == 0 {
			p.goesOn(&n)
			if err := p.nextColumn(why); err != nil {
				return err
			}
			continue
		}
		if k < total-from && !p.j.d.Body.AcrossColumns && n.m.lines[from+k-1].Hyphenated {
			done, err := p.undivide(i, &n, &from, &base, k, top)
			if err != nil {
				return err
			}
			if done {
				k, total, why = p.decide(i, &n, from, top, p.cur.empty)
			}
		}
		if from == 0 && base == 0 {
			p.begin(&n)
		}
		p.settle(&n, top)
		foot := p.set(&n, from, k, base, top)
		if n.least > 0 && k == total {
			foot = max(foot, top+n.least)
		}
		p.cur.y = foot
		if len(n.calls) > 0 || p.owed {
			p.cite(&n, from, k)
		}
		from += k
		if from >= total {
			p.cur.set(&n, foot)
			return nil
		}
		p.cur = cursor{y: foot}
		p.now.from, p.now.base, p.now.n = from, base, n
		if err := p.nextColumn(why); err != nil {
			return err
		}
	}
}

// leadsAcross reports whether the headings from node i on stand over a block across
// the columns.
func (p *placer) leadsAcross(i int) bool {
	for ; i < len(p.f.nodes); i++ {
		switch n := &p.f.nodes[i]; {
		case n.what == nSpanOpen:
			return true
		case n.what == nText && n.keepNext, n.what == nMark, n.what == nNumbering, n.what == nSpace:
		default:
			return false
		}
	}
	return false
}

// crowded reports whether the column at hand has less room than one of the next may
// have: floats or notes take some of it, or it stands under a block across the page.
func (p *placer) crowded() bool {
	return p.tops[p.col]+p.foots[p.col]+p.foot.height > 0 || p.band > 0 && !p.wide && p.apart.W == 0
}

// startsHere reports whether the first line of a node, from line from on, fits the
// empty column at hand with the notes it cites. What no column of the page would
// hold starts wherever a line fits.
func (p *placer) startsHere(n *node, from int) bool {
	top := p.cur.top(n, p.grid)
	need, notes := n.leading, unit.Sp(0)
	switch {
	case n.what == nFigure && n.spec.canSplit(): // it starts with the rows that fit
		return true
	case n.what == nFigure && top+n.fig.height > p.limit(0):
		f, err := p.fitted(n, p.limit(0)-top)
		p.keep(err)
		if f != nil {
			return true
		}
		need = n.heightOf()
	case n.what != nText:
		need = n.heightOf()
	}
	for _, c := range n.calls {
		if n.what != nText || int(c.line) == from {
			notes += p.noteOf(c.note).height
		}
	}
	more := notes
	if notes > 0 {
		more += p.overhead()
		notes += p.owing()
	}
	if need+more > p.pageFull() {
		need, notes = n.leading, 0
	}
	return top+need <= p.limit(notes)
}

// headAgain sets the head of a table at the head of a column, where there is room
// for more than that, and reports whether there is.
func (p *placer) headAgain(heads []node) bool {
	var high unit.Sp
	for i := range heads {
		high += heads[i].heightOf()
	}
	if p.cur.y+2*high > p.limit(0) {
		return false
	}
	for i := range heads {
		n := &heads[i]
		p.cur.set(n, p.set(n, 0, 1, 0, p.cur.top(n, p.grid)))
	}
	return true
}

// facing reports whether the headings from node i on may close the page at hand:
// its last column, on an even page, whose text opens the page beside it
// (headings.keepWithNextSpread).
func (p *placer) facing(i int, c cursor) bool {
	if !p.j.d.Headings.KeepWithNextSpread || p.f.nodes[i].kind != frame.Heading || p.page.Number%2 != 0 || p.wide || p.col+1 < len(p.rects) {
		return false
	}
	for ; i < len(p.f.nodes) && p.f.nodes[i].kind == frame.Heading && p.f.nodes[i].keepNext; i++ {
		n := &p.f.nodes[i]
		top := c.top(n, p.grid)
		if top+n.heightOf() > p.limit(0) {
			return false
		}
		c.set(n, top+n.heightOf())
	}
	return true
}
