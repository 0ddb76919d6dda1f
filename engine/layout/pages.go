package layout

import (
	"maps"
	"slices"

	"postext/engine/frame"
	"postext/engine/unit"
)

// open makes sure there is a page with a column to write in.
func (p *placer) open() error {
	if p.page != nil {
		return nil
	}
	if len(p.pages) > 0 && p.phys%64 == 0 {
		if err := p.j.ctx.Err(); err != nil {
			return err
		}
	}
	if err := p.leftHeads(); err != nil {
		return err
	}
	p.arrive()
	if err := p.turnedPages(); err != nil {
		return err
	}
	at := p.now
	at.pages, at.head, at.entries = len(p.pages), p.head, len(p.entries)
	at.part, at.onPart, at.look, at.phys, at.value, at.format, at.pending, at.center, at.wide = p.part, p.onPart, p.look, p.phys, p.value, p.format, p.pending, p.center, p.wide
	at.waiting = append([]notePart(nil), p.waiting...)
	at.cited = len(p.cited)
	at.stack = append([]openedBox(nil), p.stack...)
	at.queue, at.called, at.unnoted = p.queue, maps.Clone(p.called), p.unnoted
	at.sides = append(slices.Clone(p.side.rest), p.side.queue...)
	p.at = at
	p.newPage()
	if !p.onPart && !p.wide {
		p.keep(p.setHeads())
		p.keep(p.atPage())
	}
	p.openColumn(0)
	return p.err
}

// keep remembers the first error met on the way; the walk ends with it.
func (p *placer) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

// newPage begins the next page.
func (p *placer) newPage() {
	p.columnOpen = false
	if p.apart.W == 0 {
		p.adopt(true)
	}
	d := p.j.d
	recto := p.phys%2 == 1
	content := contentOf(d, recto)
	pg := &frame.Page{Number: p.phys, Value: p.value, Recto: recto, Width: d.Page.Width, Height: d.Page.Height,
		Content: content, Background: d.Page.Background, GridPitch: p.grid,
		GridTop: content.Y + unit.Sp(unit.MulDiv(int64(p.grid), 4, 5))}
	p.page = &placedPage{Page: pg, headTop: p.head, partTop: p.part}
	p.phys++
	p.number()
	p.full = max(content.H/p.grid, 1) * p.grid
	p.band = 0
	p.runs, p.frozen = nil, nil
	p.col, p.cur, p.foot, p.footLines = 0, cursor{empty: true}, noteArea{}, nil
	p.blocks, p.groups, p.made, p.parts = nil, nil, p.made[:0], nil
	p.wrap, p.wraps = wrapZone{}, nil
	if p.apart.W > 0 {
		pg.Content = p.apart
		p.full = p.apart.H
		if p.apartFirst > 0 && len(p.pages) == 0 {
			p.full = min(p.full, p.apartFirst)
		}
		p.height, p.cap, p.feet = p.full, 0, nil
		p.rects = []unit.Rect{{W: p.apart.W, H: p.full}}
		p.tops, p.foots, p.pageFoots = make([]unit.Sp, 1), make([]unit.Sp, 1), nil
		return
	}
	if p.onPart {
		pg.Role = frame.Part
	}
	p.openSide()
	if p.onPart || p.wide {
		p.height, p.cap, p.feet = p.full, 0, nil
		p.rects = []unit.Rect{{X: content.X, Y: content.Y, W: content.W, H: p.full}}
		p.tops, p.foots, p.pageFoots = make([]unit.Sp, 1), make([]unit.Sp, 1), nil
		return
	}
	p.pageFoots = nil
	p.startBand(0)
}

// number gives the page at hand its number and label.
func (p *placer) number() {
	if n := p.pending; n != nil {
		if n.format != "" {
			p.format = n.format
		}
		if n.at > 0 {
			p.value = n.at
		}
		p.pending, p.page.renumber = nil, n
	} else if p.page.Label != "" {
		return
	}
	if p.page.Label != "" {
		// Numbered already: the change applies to this very page.
		if p.value == p.page.Value+1 {
			p.value--
		}
	}
	p.page.Value, p.page.format = p.value, p.format
	p.page.Label = FormatNumber(p.value, p.format)
	p.value++
}

func (p *placer) openColumn(k int) {
	p.col = k
	p.cur = cursor{empty: true, y: p.tops[k]}
	p.frozen = nil
	p.settled, p.settling.from = p.settled[:0], -1
	p.blocks, p.groups, p.made, p.parts = nil, nil, p.made[:0], nil
	p.foot, p.footLines, p.columnOpen = noteArea{}, nil, true
	p.wrap, p.wrapped = wrapZone{}, false
	if len(p.waiting) > 0 {
		p.drain(true)
	}
	if len(p.queue) > 0 && !p.onPart && (p.closing || !p.leaving) {
		p.keep(p.atColumn())
	}
	if k < len(p.wraps) && p.wraps[k].foot > 0 {
		p.wrap, p.wrapped = p.wraps[k], true
		p.cur.edge = true
	}
	if len(p.stack) > 0 {
		p.reopen()
	}
}

// nextColumn goes on in the next column, on the next page after the last one.
func (p *placer) nextColumn(why string) error {
	if why != "columnbreak" {
		if err := p.balance(); err != nil {
			return err
		}
	}
	p.closeColumn(why)
	if p.col+1 < len(p.rects) {
		p.openColumn(p.col + 1)
		return p.err
	}
	p.endPage()
	return p.open()
}

// closeColumn writes the column down.
func (p *placer) closeColumn(why string) {
	p.columnOpen = false
	r := p.rects[p.col]
	p.endParts()
	if p.wrapped {
		p.cur.y = p.filled()
	}
	used := p.cur.y
	if len(p.blocks) == 0 && !p.wrapped {
		used = 0
	}
	p.moveSettled()
	p.drawBoxes()
	p.setNotes()
	p.feet = append(p.feet, p.foot.height)
	p.blocks = append(p.blocks, p.frozen...)
	c := frame.Column{Index: p.col, Band: p.band, Box: r, Blocks: p.blocks, Used: used, Span: p.wide}
	if used != r.H {
		switch c.Short = why; {
		case p.foots[p.col] > 0 && p.limit(0)-used < p.grid:
			c.Short = "float"
		case p.foot.height > 0 && p.limit(0)-used < p.grid:
			c.Short = "notes"
		case p.cap > 0 && p.height-used < p.grid && why != "end" && why != "break" && why != "opener":
			c.Short = "levelled"
		case why == "":
			c.Short = "height"
		}
	}
	p.page.Columns = append(p.page.Columns, c)
}

// closePage ends the page at hand, if there is one with anything on it.
func (p *placer) closePage(why string) {
	if p.page == nil {
		return
	}
	// What waits stays waiting, unless a barrier asks for it.
	p.leaving = true
	defer func() { p.leaving = false }()
	if p.band == 0 || p.col > 0 || len(p.blocks) > 0 || p.foot.height > 0 || p.closing && len(p.queue) > 0 {
		p.closeBand(why)
	}
	p.endPage()
	p.notePages(why)
}

// notePages sets the notes that found no room on pages of their own.
func (p *placer) notePages(why string) {
	for len(p.waiting) > 0 {
		p.newPage()
		for k := range p.rects {
			p.openColumn(k)
			p.cur = cursor{}
			p.closeColumn(why)
		}
		p.endPage()
	}
}

// barrier ends the page at hand and places every float that waits: in free slots
// of the page, else on pages of their own (layout.md 9).
func (p *placer) barrier(why string) error {
	p.arrive()
	if len(p.queue)+p.side.pending() == 0 {
		p.closePage(why)
		return p.err
	}
	p.closing = true
	defer func() { p.closing = false }()
	if p.page != nil && len(p.queue) > 0 {
		if err := p.atCitation(p.cur.y); err != nil {
			return err
		}
	}
	p.closePage(why)
	return p.floatPages()
}

// endPage hands the page over.
func (p *placer) endPage() {
	pg := p.page
	pg.head, pg.part = p.head, p.part
	p.columnRules()
	pg.Blank = true
	for i := range pg.Columns {
		if len(pg.Columns[i].Blocks) > 0 {
			pg.Blank = false
		}
	}
	if len(pg.Floats) > 0 {
		pg.Blank = false
		p.hug(pg)
	}
	if pg.Role != frame.Part {
		pg.Role = p.roleOf(pg)
	}
	if p.center {
		p.centre(pg)
	}
	p.center = false
	p.pages = append(p.pages, *pg)
	p.page = nil
	if p.apart.W > 0 {
		return
	}
	p.j.l.counters.PagesPlaced++
}

// roleOf says what a page is for (settings.md 7.4).
func (p *placer) roleOf(pg *placedPage) frame.Role {
	if pg.Blank {
		return frame.Blank
	}
	for i := range pg.Columns {
		if bs := pg.Columns[i].Blocks; len(bs) > 0 {
			if b := bs[0]; b.Kind == frame.Heading && !b.Continued {
				lv := p.j.d.Headings.Levels[min(max(b.Level, 1), 6)-1]
				if b.Style != "" {
					for s := range p.j.d.Headings.Styles {
						if st := &p.j.d.Headings.Styles[s]; st.ID == b.Style {
							lv = st.Levels[min(max(b.Level, 1), 6)-1]
						}
					}
				}
				if lv.BreakBefore || lv.SpanPage {
					return frame.Opener
				}
			}
			switch bs[0].Kind {
			case frame.TOC:
				return frame.Contents
			case frame.IndexEntry:
				return frame.Index
			}
			break
		}
	}
	return frame.Body
}

// blanks adds the empty pages a break asks for (layout.md 11).
func (p *placer) blanks(parity string) {
	if p.phys == 1 {
		return // at the document's start parity says nothing
	}
	want := -1
	switch parity {
	case "odd", "always-odd":
		want = 1
	case "even", "always-even":
		want = 0
	}
	if parity == "always-odd" || parity == "always-even" {
		p.blank(false)
	}
	if want >= 0 && p.phys%2 != want {
		p.blank(true)
	}
}

// blank adds an empty page.
func (p *placer) blank(after bool) {
	part, look := p.onPart, p.look
	if p.onPart = false; !after {
		p.look = p.worn
	}
	p.look.Part = false
	p.newPage()
	p.page.after, p.page.before = after, !after
	if n := len(p.pages); n > 0 && p.pages[n-1].Role == frame.Part && len(p.j.d.Parts.Verso.Elements) > 0 {
		p.page.drawings = append(p.page.drawings, placedDrawing{drawing: &drawing{slot: &p.j.d.Parts.Verso, kind: "part"}})
	}
	p.rects = p.rects[:1]
	p.col, p.cur, p.blocks, p.groups, p.made = 0, cursor{empty: true}, nil, nil, p.made[:0]
	p.foot, p.footLines, p.frozen, p.parts = noteArea{}, nil, nil, nil
	p.center = false
	p.closeColumn("break")
	p.endPage()
	p.onPart, p.look = part, look
}

// set writes k lines of a node, from line from on, into the column at top and
// returns where they end.
func (p *placer) set(n *node, from, k, base int, top unit.Sp) unit.Sp {
	r := p.rects[p.col]
	switch n.what {
	case nRow:
		return p.setRow(n, top)
	case nFigure:
		return p.setFigure(n, top)
	}
	b := p.newBlock()
	y := r.Y + top
	*b = frame.Block{Kind: n.kind, Index: n.index, Level: n.level, Text: n.text, Start: n.start, End: n.end,
		Number: n.number, Style: n.style, ID: n.id, FirstLine: base + from, Continued: base+from > 0,
		Continues: from+k < len(n.m.lines), Snapped: n.snap, Counted: n.counted,
		Box: unit.Rect{X: r.X + n.x, Y: y, W: n.set.width, H: unit.Sp(k) * n.leading}}
	b.Lines = p.newLines(k)
	drop := share(n.leading, 800)
	if n.formula != nil {
		drop = n.formula.drop
	}
	for i := range b.Lines {
		b.Lines[i] = frame.Line{X: r.X + n.x + n.m.offs[from+i], Top: y, Height: n.leading, Baseline: y + drop, LineSet: &n.m.lines[from+i]}
		y += n.leading
	}
	if n.fill.A != 0 {
		b.Under = []frame.Item{{Fill: n.fill, Stroke: n.edge, Line: hairline(n.edge), ID: "fill",
			Box: unit.Rect{X: b.Box.X - n.pad, Y: b.Box.Y - n.pad, W: b.Box.W + 2*n.pad, H: b.Box.H + 2*n.pad}}}
	}
	if st := &p.j.d.Notes; n.ruled && base+from == 0 && st.RuleWidth > 0 {
		b.Under = append(b.Under, frame.Item{ID: "noteRule", Fill: st.RuleColor,
			Box: unit.Rect{X: b.Box.X, Y: b.Box.Y - st.BelowRule - st.RuleWidth, W: share(r.W, st.RuleShare), H: st.RuleWidth}})
	}
	if n.listing != nil {
		p.setListing(n, b, from)
	}
	if t := n.turned; t != nil {
		for i := range b.Lines {
			if from+i == 1 {
				l := &b.Lines[i]
				x := l.X - t.Width
				b.Over = append(b.Over, frame.Item{ID: "turnover", Box: unit.Rect{X: x, Y: l.Top, W: t.Width, H: n.leading},
					Text: &frame.Line{X: x, Baseline: l.Baseline, Top: l.Top, Height: n.leading, LineSet: t}})
			}
		}
	}
	if n.wrapped != nil {
		for i := range b.Lines {
			if k := from + i; k > 0 && !n.m.lines[k-1].Last {
				l := &b.Lines[i]
				x := l.X - n.set.hang
				b.Over = append(b.Over, frame.Item{ID: "wrap", Box: unit.Rect{X: x, Y: l.Top, W: n.wrapped.Width, H: n.leading},
					Text: &frame.Line{X: x, Baseline: l.Baseline, Top: l.Top, Height: n.leading, LineSet: n.wrapped}})
			}
		}
	}
	if n.marker != nil && base+from == 0 {
		base := b.Lines[0].Baseline + n.markerY
		b.Over = append(b.Over, frame.Item{Box: unit.Rect{X: r.X + n.markerX, Y: base - drop, W: n.marker.Width, H: n.leading},
			Text: &frame.Line{X: r.X + n.markerX, Baseline: base, Top: base - drop, Height: n.leading, LineSet: n.marker}, Plain: n.number, ID: "marker"})
		if in := n.set.beside.left; in > 0 && n.set.beside.lines > 0 {
			it := &b.Over[len(b.Over)-1]
			it.Box.X += in
			it.Text.X += in
		}
		if n.tick > 0 {
			side := n.tick
			b.Over = append(b.Over, frame.Item{ID: "checkbox", Stroke: n.tickInk, Line: max(side/14, unit.Pt/3),
				Box: unit.Rect{X: b.Over[len(b.Over)-1].Box.X, Y: base - side*9/10, W: side, H: side}})
		}
	}
	if n.endMark != nil && from+k == len(n.m.lines) && k > 0 {
		l := &b.Lines[k-1]
		id := "endMark"
		if n.kind == frame.TOC {
			id = "pageLabel"
		}
		b.Over = append(b.Over, frame.Item{ID: id, Plain: n.label, Box: unit.Rect{X: r.X + n.endMarkX, Y: l.Top, W: n.endMark.Width, H: l.Height},
			Text: &frame.Line{X: r.X + n.endMarkX, Top: l.Top, Height: l.Height, Baseline: l.Baseline, LineSet: n.endMark}})
	}
	if n.drawn != nil {
		p.page.drawings = append(p.page.drawings, placedDrawing{drawing: n.drawn, block: b})
	}
	p.blocks = append(p.blocks, b)
	p.groups = append(p.groups, n.group)
	made := placedNode{node: -1, whole: base+from == 0 && k == len(n.m.lines), m: n.m}
	if n.kind != frame.Note {
		made.node = p.now.node
	}
	p.made = append(p.made, made)
	return top + unit.Sp(k)*n.leading
}

// hairline is the thickness of an edge, if there is one.
func hairline(c unit.Color) unit.Sp {
	if c.A == 0 {
		return 0
	}
	return unit.Pt / 2
}

// setRow writes a table row: each cell a block of its own.
func (p *placer) setRow(n *node, top unit.Sp) unit.Sp {
	r := p.rects[p.col]
	h := n.heightOf()
	fill := n.row.fill()
	if n.row.first {
		p.tableFrom = len(p.blocks)
	}
	for i := range n.cells {
		c := &n.cells[i]
		b := p.newBlock()
		left := r.X + n.row.x
		*b = frame.Block{Kind: n.kind, Index: n.index, Text: c.text, Start: c.start, End: c.end, ID: n.id, Snapped: n.snap,
			Box: unit.Rect{X: left + n.row.edges[i], Y: r.Y + top, W: n.row.edges[i+1] - n.row.edges[i], H: h}}
		b.Lines = p.newLines(len(c.m.lines))
		y := r.Y + top + n.row.pad
		drop := unit.Sp(unit.MulDiv(int64(n.leading), 4, 5))
		for k := range b.Lines {
			b.Lines[k] = frame.Line{X: r.X + c.x + c.m.offs[k], Top: y, Height: n.leading, Baseline: y + drop, LineSet: &c.m.lines[k]}
			y += n.leading
		}
		if fill.A > 0 {
			b.Under = append(b.Under, frame.Item{Box: b.Box, Fill: fill, ID: "fill"})
		}
		if i == len(n.cells)-1 { // over the fills
			b.Under = append(b.Under, n.row.rules(left, r.Y+top, h)...)
		}
		p.blocks = append(p.blocks, b)
		p.groups = append(p.groups, n.group)
		p.made = append(p.made, placedNode{node: -1})
	}
	if n.row.last && n.row.round() > 0 {
		p.frameTable(n.row, r.X+n.row.x, r.Y+top+h)
	}
	return top + h
}

// setFigure writes a figure into the column.
func (p *placer) setFigure(n *node, top unit.Sp) unit.Sp {
	r := p.rects[p.col]
	for i, b := range p.figureBlocks(n.fig, r.X+n.x, r.Y+top) {
		p.blocks = append(p.blocks, b)
		p.groups = append(p.groups, n.group)
		made := placedNode{node: -1}
		if i < len(n.fig.parts) && n.fig.parts[i].part == "picture" {
			made.flex = n.fig.flex
		}
		p.made = append(p.made, made)
	}
	p.captionBeside(n.fig, r.Y+top)
	return top + n.fig.height
}

// newBlock and newLines take from chunks: a page has many of both.
func (p *placer) newBlock() *frame.Block {
	if len(p.blockChunk) == 0 {
		p.blockChunk = make([]frame.Block, 32)
	}
	b := &p.blockChunk[0]
	p.blockChunk = p.blockChunk[1:]
	return b
}

func (p *placer) newLines(n int) []frame.Line {
	if n > len(p.lineChunk) {
		p.lineChunk = make([]frame.Line, max(256, n))
	}
	out := p.lineChunk[:n:n]
	p.lineChunk = p.lineChunk[n:]
	return out
}

// centre moves the text of a page to the middle of the type area.
func (p *placer) centre(pg *placedPage) {
	var used unit.Sp
	for i := range pg.Columns {
		used = max(used, pg.Columns[i].Used)
	}
	dy := (p.height - used) / 2
	if dy <= 0 {
		return
	}
	for i := range pg.Columns {
		for _, b := range pg.Columns[i].Blocks {
			moveBlock(b, dy)
		}
	}
}

// moveBlock shifts a block that is not published yet.
func moveBlock(b *frame.Block, dy unit.Sp) {
	b.Box.Y += dy
	for i := range b.Lines {
		b.Lines[i].Top += dy
		b.Lines[i].Baseline += dy
	}
	for _, items := range [][]frame.Item{b.Under, b.Over} {
		for i := range items {
			items[i].Box.Y += dy
			if t := items[i].Text; t != nil {
				t.Top += dy
				t.Baseline += dy
			}
		}
	}
}

// stranded reports whether a column of the page at hand ends in a heading whose
// text stands in the next, or in too few lines of a paragraph, or begins with
// too few.
func (p *placer) stranded() bool {
	r := &p.j.d.Para
	for i := range p.page.Columns {
		for k := len(p.page.Columns[i].Blocks) - 1; k >= 0; k-- {
			b := p.page.Columns[i].Blocks[k]
			if b.Kind == frame.Note {
				continue
			}
			if b.Kind == frame.Heading && !p.page.Columns[i].Span {
				return true
			}
			if b.Kind == frame.Paragraph && b.Continues && !b.Continued && r.AvoidWidows && len(b.Lines) < r.WidowMin {
				return true
			}
			break
		}
	}
	// The last column is still open: its blocks are p.blocks.
	for i := 1; i <= len(p.page.Columns); i++ {
		bs := p.blocks
		if i < len(p.page.Columns) {
			bs = p.page.Columns[i].Blocks
		}
		if len(bs) > 0 && bs[0].Kind == frame.Paragraph && bs[0].Continued && !bs[0].Continues && r.AvoidOrphans && len(bs[0].Lines) < r.OrphanMin {
			return true
		}
	}
	return false
}
