package layout

import (
	"maps"
	"slices"
	"strconv"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Boxes that stand apart from the text (document-format.md 6.1, layout.md 9):
// floated to a band, beside the text in the side column, pinned to the page, or
// with the text running beside them. Such a box is laid out by itself, in columns
// of its own width, and then placed whole, like a figure.

// aside is such a box. Its nodes stand in the flow behind a mark; the walk passes
// over them.
type aside struct {
	id          string
	first, last int
	width       unit.Sp
	place       settings.Placement
	pin         *settings.Pin
	after       bool // in the side column: it goes on with the text
	parts       []*figure
	high        unit.Sp // of the first part where it is lower than the others; 0: it is not
}

// asideOf reads where a box goes; nil when it stands in the flow.
func (w *walker) asideOf(st *settings.BoxStyle, b *markup.Block, p place) *aside {
	if p.group > 0 || p.subcolumn || p.onPart || p.kind == frame.Note {
		return nil
	}
	col := w.columnWidth()
	a := &aside{id: b.ID, width: col, after: st.SideAfter,
		place: settings.Placement{Position: attrOr(b.Attrs, "placement", st.Placement), Span: attrOr(b.Attrs, "span", st.Span), Width: 1,
			Columns: max(st.Columns, 1), Align: "left", Wrap: "none", Shrink: "never", WrapGap: w.d.Figures.Wrap.Gap}}
	pl := &a.place
	if n, ok := b.Attrs.Int("columns"); ok && n > 0 {
		pl.Columns = n
	}
	if v := wrapSide(attrOr(b.Attrs, "wrap", st.Wrap)); v != "none" {
		pl.Wrap = v
	}
	if v, ok := b.Attrs.Get("wrapGap"); ok {
		if x, ok := lengthIn(v, "pt", w.d.Body.Size, w.d); ok && x >= 0 {
			pl.WrapGap = x
		}
	}
	cols := columnsOf(w.d, true)
	switch pl.Position {
	case "fixed":
		a.pin, pl.Wrap = &st.Pin, "none"
	case "auto", "top", "bottom":
	default:
		pl.Position = "here"
	}
	switch {
	case pl.Span == "side" && hasSide(w.d):
		a.width, pl.Wrap = sideOf(w.d, true).W, "none"
		if a.pin == nil && pl.Position == "here" {
			pl.Position = "auto"
		}
	case pl.Span == "page":
		a.width, pl.Wrap = contentWidth(w.d), "none"
	case pl.Position == "here" && pl.Wrap == "none":
		return nil
	case pl.Columns >= len(cols) && len(cols) > 1 && pl.Position != "here":
		pl.Span, a.width = "page", contentWidth(w.d)
	case pl.Columns > 1 && pl.Columns < len(cols) && pl.Position != "here":
		a.width = cols[pl.Columns-1].Right() - cols[0].X
	}
	if pl.Position == "here" && pl.Wrap == "none" {
		return nil
	}
	if pl.Wrap != "none" {
		pl.Span, pl.Columns = "column", 1
		part := w.d.Figures.Wrap.Width
		if v, ok := b.Attrs.Get("width"); ok {
			if x, err := strconv.ParseFloat(v, 64); err == nil && x > 0 && x < 1 {
				part = int64(float64(x*1000) + 0.5)
			}
		}
		a.width = max(share(col, part), 1)
	}
	return a
}

// wrapSide reads the side a wrapped item stands at.
func wrapSide(v string) string {
	switch v {
	case "left", "start":
		return "left"
	case "right", "end":
		return "right"
	}
	return "none"
}

// setApart closes the nodes of a box that stands apart: the mark at node at
// brings it in, with the notes and figures cited in it.
func (w *walker) setApart(a *aside, at int, k int32) {
	a.first, a.last = at+1, len(w.flow.nodes)-1
	w.flow.floats = append(w.flow.floats, float{box: a, index: w.index})
	w.index++
	n := &w.flow.nodes[at]
	n.box = k
	n.floats = []floatCall{{float: int32(len(w.flow.floats) - 1)}}
	for i := a.first; i <= a.last; i++ {
		m := &w.flow.nodes[i]
		for _, c := range m.calls {
			n.calls = append(n.calls, call{note: c.note})
		}
		for _, c := range m.floats {
			n.floats = append(n.floats, floatCall{float: c.float})
		}
		m.calls, m.floats = nil, nil
	}
}

// lastOf is the last node that stands apart with the mark at node i.
func (n *node) lastOf(f *flow, i int) int {
	if n.what == nAside && n.box > 0 {
		return f.boxes[n.box-1].last
	}
	return i
}

// asidePart gives a part of a box: parts are as high as a column of the page.
func (p *placer) asidePart(fl *float, from int) (*figure, error) {
	a := fl.box
	if a.parts == nil {
		high := p.j.columnHeight() - p.grid
		q := &placer{j: p.j, f: p.f, grid: p.grid, phys: 1, called: map[int32]bool{}, until: a.last + 1, wide: true,
			apart: unit.Rect{W: a.width, H: max(high, p.grid)}, apartFirst: a.high}
		if err := q.run(a.first); err != nil {
			return nil, err
		}
		q.closePage("end")
		for i := range q.pages {
			if c := &q.pages[i].Columns[0]; len(c.Blocks) > 0 {
				a.parts = append(a.parts, &figure{index: fl.index, blocks: c.Blocks, width: a.width, height: max(c.Used, 1), scale: 1000, next: len(a.parts) + 1})
			}
		}
		if len(a.parts) == 0 {
			a.parts = []*figure{{blocks: []*frame.Block{}, width: a.width, height: 1, scale: 1000}}
		}
		a.parts[len(a.parts)-1].next = 0
		if fb := a.parts[0].blocks; a.pin != nil && len(fb) > 0 && fb[0].Kind == frame.Frame {
			a.parts[0].width = fb[0].Box.Right() // a box of a title alone may be narrower
		}
	}
	return a.parts[min(from, len(a.parts)-1)], nil
}

// lowered lays a box that is divided out again, with a first part no higher than
// high: what is left of its column.
func (p *placer) lowered(fl *float, high unit.Sp) (*figure, error) {
	a := fl.box
	a.parts, a.high = nil, max(high, 1)
	return p.asidePart(fl, 0)
}

// divisible reports whether a box that stands apart may be divided: one that no
// column holds whole, or whose style allows it.
func (p *placer) divisible(fl *float, whole *figure) bool {
	a := fl.box
	return a != nil && (whole.next > 0 || !p.f.boxes[p.f.nodes[a.first].box-1].brk.KeepTogether)
}

// copyBlocks gives blocks of a box at a place of the page.
func (p *placer) copyBlocks(from []*frame.Block, dx, dy unit.Sp) []*frame.Block {
	out := make([]*frame.Block, len(from))
	items := func(list []frame.Item) []frame.Item {
		if list == nil {
			return nil
		}
		list = append([]frame.Item(nil), list...)
		for i := range list {
			it := &list[i]
			it.Box.X, it.Box.Y = it.Box.X+dx, it.Box.Y+dy
			if it.Text != nil {
				t := *it.Text
				t.X, t.Top, t.Baseline = t.X+dx, t.Top+dy, t.Baseline+dy
				it.Text = &t
			}
		}
		return list
	}
	for i, b := range from {
		c := p.newBlock()
		*c = *b
		c.Box.X, c.Box.Y = c.Box.X+dx, c.Box.Y+dy
		c.Lines = p.newLines(len(b.Lines))
		for k, l := range b.Lines {
			l.X, l.Top, l.Baseline = l.X+dx, l.Top+dy, l.Baseline+dy
			c.Lines[k] = l
		}
		c.Under, c.Over = items(b.Under), items(b.Over)
		out[i] = c
	}
	return out
}

// millimetres writes a length with at most one decimal.
func millimetres(l unit.Sp) string {
	return strconv.FormatFloat(float64(int64(float64(l.Pt()*25.4/72*10)+0.5))/10, 'f', -1, 64)
}

// tooTall reports a box that no column holds.
func (j *job) tooTall(id string, start, end int, by unit.Sp) {
	mm := millimetres(by)
	j.reportOnce("calloutOverflow", "a box runs out of its column by "+mm+" mm and cannot be divided", start, end, frame.Field{Key: "overflowMm", Value: mm})
}

// aside brings in what the mark at node i stands for.
func (p *placer) aside(i int, n *node) error {
	p.now = resume{node: i}
	if err := p.open(); err != nil {
		return err
	}
	own := n.floats[0].float
	fl := &p.f.floats[own]
	if b := fl.box; b != nil {
		for k := b.first; k <= b.last; k++ {
			p.begin(&p.f.nodes[k])
		}
	}
	pl := fl.place()
	here := pl.Position == "here" && pl.Wrap != "none" && !p.called[own]
	before := p.noted()
	if len(n.calls) > 0 && !here {
		p.citeApart(n)
	}
	var err error
	switch {
	case p.called[own]:
	case fl.box != nil && fl.box.pin != nil:
		p.called[own] = true
		err = p.pin(fl)
	case here:
		p.called[own] = true
		err = p.wrapHere(i, n, fl, int(own))
	}
	if err != nil {
		return err
	}
	if err := p.mention(n); err != nil {
		return err
	}
	if len(n.calls) > 0 && !here && len(p.frozen) == before.frozen && !p.there(own) {
		// It waits for another page: its notes go with it.
		p.foot, p.footLines, p.waiting, p.cited, p.owed = before.foot, before.footLines, before.waiting, before.cited, before.owed
		p.unnoted = maps.Clone(p.unnoted)
		if p.unnoted == nil {
			p.unnoted = map[int32]bool{}
		}
		p.unnoted[own] = true
	}
	return nil
}

// notesWith is the height of the notes that come with a box that has waited, and of
// those that came before to the page about to be opened.
func (p *placer) notesWith(fl *float) (h unit.Sp) {
	if fl.box == nil {
		return 0
	}
	n := &p.f.nodes[fl.box.first-1]
	if !p.unnoted[n.floats[0].float] {
		return 0
	}
	for _, c := range n.calls {
		h += p.noteOf(c.note).height
	}
	if !p.columnOpen {
		h += p.owing()
	}
	if !p.columnOpen || p.foot.height == 0 {
		h += p.overhead()
	}
	return h
}

// notedState is what notes of the column at hand are made from.
type notedState struct {
	foot      noteArea
	footLines []int
	waiting   []notePart
	cited     []citation
	owed      bool
	frozen    int
}

func (p *placer) noted() notedState {
	p.footLines, p.waiting, p.cited, p.foot.parts = slices.Clip(p.footLines), slices.Clip(p.waiting), slices.Clip(p.cited), slices.Clip(p.foot.parts)
	return notedState{p.foot, p.footLines, p.waiting, p.cited, p.owed, len(p.frozen)}
}

// mention offers a place to what a mark of the flow names.
func (p *placer) mention(n *node) error {
	if err := p.open(); err != nil {
		return err
	}
	for k, c := range n.floats {
		if k > 0 && n.what == nAside && !p.there(n.floats[0].float) {
			break // they come with their box
		}
		if err := p.meets(c.float); err != nil {
			return err
		}
		if p.called[c.float] || p.toSide(int(c.float), p.cur.y) {
			continue
		}
		p.called[c.float] = true
		p.queued(int(c.float))
	}
	depth := max(p.cur.y, p.wrap.foot)
	if k := len(p.blocks); k > 0 && p.blocks[k-1].Kind == frame.Heading {
		depth = up(depth+p.cur.below, p.grid) + p.grid*unit.Sp(max(p.j.d.Para.WidowMin, 1)) // its text stands under it
	}
	if err := p.atCitation(depth); err != nil {
		return err
	}
	if p.cur.empty && len(p.stack) == 0 && (p.band == 0 || p.col > 0 || p.j.d.Figures.UnderOpener) {
		return p.atColumn()
	}
	return p.err
}

// pin puts a box at its point of the page, over whatever is there.
func (p *placer) pin(fl *float) error {
	f, err := p.asidePart(fl, 0)
	if err != nil {
		return err
	}
	at, r := fl.box.pin, p.page.Content
	if at.To == "page" || at.To == "bleed" {
		r = unit.Rect{W: p.page.Width, H: p.page.Height}.Grow(at.Bleed)
	}
	hx, vy := edgeOf(at.Edge)
	x, y := r.X+(r.W-f.width)*hx/2+at.X, r.Y+(r.H-f.height)*vy/2+at.Y
	p.page.Floats = append(p.page.Floats, p.figureBlocks(f, x, y)...)
	p.landed(fl, f.next == 0)
	return nil
}

// edgeOf tells where an edge or corner stands: 0 left or top, 1 the middle, 2
// right or bottom.
func edgeOf(edge string) (hx, vy unit.Sp) {
	switch edge {
	case "top", "bottom", "center":
		hx = 1
	case "top-right", "bottom-right", "right":
		hx = 2
	}
	switch edge {
	case "left", "right", "center":
		vy = 1
	case "bottom", "bottom-left", "bottom-right":
		vy = 2
	}
	return
}

// there reports whether a box that stands apart is on a page already.
func (p *placer) there(own int32) bool {
	for i := range p.queue {
		if p.queue[i].float == int(own) {
			return false
		}
	}
	for i := range p.side.queue {
		if p.side.queue[i].float == int(own) {
			return false
		}
	}
	return p.called[own]
}

// landed tells the headings in a box the page it came to stand on, and queues the
// figures it cites once all of it, last, stands.
func (p *placer) landed(fl *float, last bool) {
	if fl.box == nil {
		return
	}
	n := &p.f.nodes[fl.box.first-1]
	if own := n.floats[0].float; p.unnoted[own] {
		p.unnoted = maps.Clone(p.unnoted)
		delete(p.unnoted, own)
		for _, c := range n.calls {
			p.cited = append(p.cited, citation{c.note, p.page.Number, p.col})
			p.await(c.note)
		}
		if p.columnOpen {
			p.drain(false)
		}
	}
	for _, c := range n.floats[1:] {
		if last && !p.called[c.float] {
			p.called[c.float] = true
			p.came = append(p.came, c.float)
			p.arrived = append(p.arrived, waitingFloat{float: int(c.float)})
		}
	}
	for k := fl.box.first; k <= fl.box.last; k++ {
		h := p.f.nodes[k].head
		if h == nil {
			continue
		}
		for i := len(p.entries) - 1; i >= 0; i-- {
			if p.entries[i].ref == h {
				p.entries[i].page = len(p.pages)
				break
			}
		}
	}
}

// placeAll places what waits before a box that asks for it.
func (p *placer) placeAll() error {
	p.arrive()
	if len(p.queue)+p.side.pending() == 0 {
		return nil
	}
	if p.page != nil {
		p.closing = true
		err := p.atCitation(max(p.cur.y, p.wrap.foot))
		p.closing = false
		if err != nil {
			return err
		}
	}
	if len(p.queue)+p.side.pending() == 0 {
		return nil
	}
	return p.barrier("height")
}
