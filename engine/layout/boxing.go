package layout

import (
	"slices"

	"postext/engine/frame"
	"postext/engine/unit"
)

// The placer's side of boxes (layout.md 9). A box that opens puts a frame block
// into the column, without a height yet; its text follows at its padding. Where
// the box or the column ends, the frame is brought down to what stands in it. A
// box that goes on is opened anew at the head of the next column.

// openedBox is a box the walk stands in.
type openedBox struct {
	box   int32
	part  int     // its part in the column at hand
	top   unit.Sp // where what stands inside begins
	split bool    // it does not fit whole where it began
	begun bool    // something of it stands in an earlier column
	y     unit.Sp // of its frame
}

// boxPart is what of a box stands in a column.
type boxPart struct {
	box         int32
	block, last int // its frame block, and the block behind its last one
	first       bool
}

// foot is the room a box keeps under its text: its padding, and the line that
// says that it goes on.
func (p *placer) foot1(o *openedBox) unit.Sp {
	b := &p.f.boxes[o.box-1]
	h := b.pad.Bottom
	if o.split && b.goesOn != nil {
		h += b.goesOnH
	}
	return h
}

// restack makes stack the boxes the walk stands in, before they are opened in a
// column.
func (p *placer) restack(stack []openedBox) {
	p.stack = slices.Clone(stack)
	p.padded = 0
	for i := range p.stack {
		p.padded += p.foot1(&p.stack[i])
	}
}

// enter opens a box, in this column or the next.
func (p *placer) enter(i int, n *node) error {
	b := &p.f.boxes[n.box-1]
	for {
		p.now = resume{node: i}
		if err := p.open(); err != nil {
			return err
		}
		p.clearWrap()
		if p.cur.empty || p.boxFits(i, p.cur) {
			break
		}
		if n.keepNext && p.unled(i) || b.brk.KeepTogether && p.boxFits(i, p.fresh()) && !p.led() || !p.beginFits(i, p.cur, 0) && !p.opensUnder(i) {
			if err := p.nextColumn("keep"); err != nil {
				return err
			}
			continue
		}
		break
	}
	split := !p.boxFits(i, p.cur)
	top := p.cur.top(n, p.grid)
	p.settle(n, top)
	p.startPart(openedBox{box: n.box, split: split}, top)
	return nil
}

// led reports whether nothing but headings stands in the column at hand, and frames
// of boxes that begin under them: they lead into what follows, and no column has more
// room under them. What follows begins there wherever something of it fits.
func (p *placer) led() bool {
	heading := false
	for _, b := range p.blocks {
		if b.Kind != frame.Heading && b.Kind != frame.Frame {
			return false
		}
		heading = heading || b.Kind == frame.Heading
	}
	return heading && !p.crowded()
}

// opensUnder reports whether a line of the text that begins the box at node i fits
// under the headings that lead into it.
func (p *placer) opensUnder(i int) bool {
	if !p.led() {
		return false
	}
	t := trial{cursor: p.cur}
	last := p.f.boxes[p.f.nodes[i].box-1].last
	for ; i < last && p.f.nodes[i].what == nBoxOpen; i++ {
		p.step(&t, i)
	}
	n := &p.f.nodes[i]
	if n.what != nText || n.keepNext || n.whole {
		return false
	}
	save := p.padded
	defer func() { p.padded = save }()
	p.padded += t.padded
	return p.room(n, 0, t.top(n, p.grid)) > 0
}

// unled reports whether no block before i carries it along.
func (p *placer) unled(i int) bool { return i == 0 || !p.f.nodes[i-1].keepNext }

// fresh is a column with nothing in it but the boxes that are open.
func (p *placer) fresh() cursor {
	var y unit.Sp
	for i := range p.stack {
		y += p.f.boxes[p.stack[i].box-1].pad.Top
	}
	return cursor{y: y, empty: true, edge: len(p.stack) > 0}
}

// startPart puts a box's frame into the column at hand.
func (p *placer) startPart(o openedBox, top unit.Sp) {
	b := &p.f.boxes[o.box-1]
	r := p.rects[p.col]
	fb := p.newBlock()
	*fb = b.block
	fb.Continued = o.begun
	fb.Box = unit.Rect{X: r.X + b.x, Y: r.Y + top, W: max(b.w+p.boxWider(), 1)}
	p.blocks = append(p.blocks, fb)
	p.groups = append(p.groups, o.box)
	p.made = append(p.made, placedNode{node: -1})
	o.part = len(p.parts)
	p.parts = append(p.parts, boxPart{box: o.box, block: len(p.blocks) - 1, first: !o.begun})
	o.y = top
	o.top = top + b.pad.Top
	p.cur = cursor{y: o.top, edge: true, empty: p.cur.empty}
	p.padded += p.foot1(&o)
	p.stack = append(p.stack, o)
}

// reopen opens the boxes the walk stands in at the head of a column.
func (p *placer) reopen() {
	stack := p.stack
	p.stack, p.padded = nil, 0
	for _, o := range stack {
		p.startPart(o, p.cur.y)
		if b := &p.f.boxes[o.box-1]; o.begun && b.again != nil {
			foot := p.set(b.again, 0, len(b.again.m.lines), 0, p.cur.y)
			p.cur = cursor{y: foot + b.again.below, edge: true, empty: p.cur.empty}
		}
	}
}

// leave closes the innermost box.
func (p *placer) leave(n *node) {
	o := &p.stack[len(p.stack)-1]
	b := &p.f.boxes[n.box-1]
	y := p.cur.y + p.cur.space
	if p.parts[o.part].first {
		y = max(y, o.top+b.least)
	}
	y += b.pad.Bottom
	if over := y - p.full + p.foots[p.col]; over > 0 && b.parent == 0 && p.apart.W == 0 {
		p.j.tooTall(b.block.ID, b.block.Start, b.block.End, over)
	}
	part := &p.parts[o.part]
	part.last = len(p.blocks)
	fb := p.blocks[part.block]
	fb.Box.H = y - o.y
	if o.begun && part.last == part.block+1 {
		p.dropPart(part)
	}
	p.padded -= p.foot1(o)
	p.stack = p.stack[:len(p.stack)-1]
	p.cur = cursor{y: y, below: n.below, snap: n.snap}
}

// dropPart takes back the frame of a part in which nothing stands, and those in it.
func (p *placer) dropPart(part *boxPart) {
	for i := range p.parts {
		if q := &p.parts[i]; q.block > part.block {
			q.box = 0
		}
	}
	p.blocks, p.groups, p.made = p.blocks[:part.block], p.groups[:part.block], p.made[:part.block]
	part.box = 0
}

// endParts brings the frames of the open boxes down to the end of their column.
func (p *placer) endParts() {
	y := p.cur.y
	for i := len(p.stack) - 1; i >= 0; i-- {
		o := &p.stack[i]
		part := &p.parts[o.part]
		b := &p.f.boxes[o.box-1]
		part.last = len(p.blocks)
		if p.bare(part) {
			p.dropPart(part)
			y = o.y
			continue
		}
		o.begun = true
		fb := p.blocks[part.block]
		fb.Continues = true
		if b.goesOn != nil && o.split {
			p.setGoesOn(b, fb, y)
			y += b.goesOnH
		}
		y += b.pad.Bottom
		fb.Box.H = y - o.y
		p.cur.y = y
	}
}

// bare reports a part without text.
func (p *placer) bare(part *boxPart) bool {
	for _, b := range p.blocks[part.block+1:] {
		if b.Kind != frame.Frame && b.Kind != frame.Note {
			return false
		}
	}
	return true
}

// setGoesOn prints the line under a part that goes on.
func (p *placer) setGoesOn(b *box, fb *frame.Block, y unit.Sp) {
	r := p.rects[p.col]
	left, right := fb.Box.X+b.pad.Left, fb.Box.Right()-b.pad.Right
	x := right - b.goesOn.Width
	switch b.brk.Align {
	case "left":
		x = left
	case "center":
		x = (left + right - b.goesOn.Width) / 2
	}
	base := r.Y + y + share(b.goesOnH, 800)
	fb.Over = append(fb.Over, frame.Item{ID: "continues", Plain: b.brk.Continues,
		Box:  unit.Rect{X: x, Y: r.Y + y, W: b.goesOn.Width, H: b.goesOnH},
		Text: &frame.Line{X: x, Top: r.Y + y, Height: b.goesOnH, Baseline: base, LineSet: b.goesOn}})
}

// trial follows nodes that are not placed yet.
type trial struct {
	cursor
	tops   []unit.Sp // of the boxes opened on the way: where their text begins
	padded unit.Sp
	notes  unit.Sp
	skip   int // nodes before it stand in columns of their own
}

// step moves a trial over a whole node.
func (p *placer) step(t *trial, k int) {
	n := p.seen(k)
	for _, c := range n.calls {
		t.notes += p.noteOf(c.note).height
	}
	if k < t.skip {
		return
	}
	switch n.what {
	case nAside:
		t.skip = n.lastOf(p.f, k) + 1
	case nColsOpen:
		t.cursor = cursor{y: t.top(n, p.grid) + p.subcolumnsHeight(n.cols)}
		t.skip = p.f.columns[n.cols-1].last
	case nColsClose:
		t.cursor = cursor{y: t.y, below: n.below, snap: n.snap}
	case nBoxOpen:
		b := &p.f.boxes[n.box-1]
		y := t.top(n, p.grid) + b.pad.Top
		t.cursor = cursor{y: y, edge: true, empty: t.empty}
		t.tops = append(t.tops, y)
		t.padded += b.pad.Bottom
	case nBoxClose:
		b := &p.f.boxes[n.box-1]
		y := t.y + t.space
		if m := len(t.tops); m > 0 {
			y = max(y, t.tops[m-1]+b.least)
			t.tops = t.tops[:m-1]
		}
		t.padded -= b.pad.Bottom
		t.cursor = cursor{y: y + b.pad.Bottom, below: n.below, snap: n.snap}
	case nSpace:
		p.addSpace(&t.cursor, k)
	case nText, nRow, nFigure:
		t.cursor.set(n, t.top(n, p.grid)+n.heightOf())
	}
}

// addSpace adds vertical room: none at the head of a column, and at the head of a
// box only where there is nothing else in it.
func (p *placer) addSpace(c *cursor, k int) {
	if c.edge {
		if k+1 < len(p.f.nodes) && p.f.nodes[k+1].what == nBoxClose {
			c.y += p.f.nodes[k].room
		}
		return
	}
	if !c.empty {
		c.space += p.f.nodes[k].room
	}
}

// boxFits reports whether the box that opens at node i fits whole below c.
func (p *placer) boxFits(i int, c cursor) bool {
	t := trial{cursor: c}
	last := p.f.boxes[p.f.nodes[i].box-1].last
	for k := i; k <= last; k++ {
		p.step(&t, k)
		if t.y > p.full {
			return false
		}
	}
	return t.y <= p.limit(t.notes)
}

// beginFits reports whether a box may begin below c although it does not fit
// whole: the fewest lines of text its style asks for must stand above the cut, or
// a figure, a row or a box in it. lead is the room that boxes around it take at the
// head of a column.
func (p *placer) beginFits(i int, c cursor, lead unit.Sp) bool {
	save := p.padded
	defer func() { p.padded = save }()
	b := &p.f.boxes[p.f.nodes[i].box-1]
	t := trial{cursor: c}
	lines := 0
	for k := i; k <= b.last; k++ {
		n := &p.f.nodes[k]
		if n.what == nBoxOpen && k > i {
			if p.boxFits(k, t.cursor) {
				return true
			}
			fresh := p.fresh()
			fresh.y += lead
			return !(p.f.boxes[n.box-1].brk.KeepTogether && p.boxFits(k, fresh)) && p.beginFits(k, t.cursor, lead)
		}
		if n.what == nBoxOpen {
			lead += b.pad.Top
		}
		if n.what == nColsOpen {
			g := p.columnsOfGroup(n.cols, p.f.columns[n.cols-1].begin())
			top := t.top(n, p.grid)
			gp := p.plan(g, g.begin(), top, t.notes)
			return p.begins(&gp, p.limit(t.notes)-top)
		}
		if n.what == nText && !n.keepNext {
			m := p.room(n, 0, t.top(n, p.grid))
			if m < len(n.m.lines) {
				if n.whole || m < p.childMin(n) || len(n.m.lines)-m < p.childMin(n) && m <= p.childMin(n) {
					m = 0
				}
				return lines+m >= b.brk.MinLines
			}
			lines += len(n.m.lines)
		}
		p.step(&t, k)
		p.padded = save + t.padded
		if t.y > p.limit(t.notes) {
			return false
		}
		if n.what == nRow || n.what == nFigure || lines >= b.brk.MinLines {
			return true
		}
	}
	return true
}

// childMin is how many lines of a child of a box stand on either side of a cut
// through it.
func (p *placer) childMin(n *node) int {
	if n.free {
		return 1
	}
	return max(p.j.d.Layout.BoxChildMin, 1)
}

// rest is how many lines of text stand in a box behind node i, up to most, and
// whether all of them fit below c.
func (p *placer) rest(i int, c cursor, most int) (lines int, fits bool) {
	b := &p.f.boxes[p.stack[len(p.stack)-1].box-1]
	t := trial{cursor: c}
	for k := i + 1; k < b.last; k++ {
		n := &p.f.nodes[k]
		switch n.what {
		case nText:
			lines += len(n.m.lines)
		case nRow, nFigure, nBoxOpen, nColsOpen:
			lines += most // they stand for themselves
		}
		if lines >= most {
			return lines, false
		}
		p.step(&t, k)
	}
	return lines, t.y <= p.limit(t.notes)
}

// cutBox takes lines back from a node in a box so that enough of the box stands
// behind the cut: of the k lines that fit, how many are set.
func (p *placer) cutBox(i int, n *node, from, k, total int, top unit.Sp) int {
	if len(p.stack) == 0 || n.what != nText || n.keepNext {
		return k
	}
	b := &p.f.boxes[p.stack[len(p.stack)-1].box-1]
	if b.short {
		return k
	}
	var c cursor
	c.set(n, top+unit.Sp(k)*n.leading)
	behind, fits := p.rest(i, c, b.brk.MinLines)
	left := total - from - k
	if left == 0 && (behind == 0 || fits) || left+behind >= b.brk.MinLines {
		return k
	}
	need := b.brk.MinLines - behind // lines of this node to go over
	k = total - from - need
	if n.whole || k < p.childMin(n) && from == 0 || k < 1 {
		k = 0
	}
	return k
}

// drawBoxes paints the frames of the column at hand.
func (p *placer) drawBoxes() {
	for i := range p.parts {
		part := &p.parts[i]
		if part.box == 0 {
			continue
		}
		b := &p.f.boxes[part.box-1]
		fb := p.blocks[part.block]
		r := fb.Box
		o := &b.outline
		line := o.BorderWidth
		if o.Fill.A > 0 || o.Border.A > 0 && line > 0 {
			fb.Under = append(fb.Under, frame.Item{ID: "fill", Box: r, Fill: o.Fill, Radius: o.Radius})
			if line > 0 && o.Border.A > 0 {
				fb.Under = append(fb.Under, frame.Item{ID: "border", Box: r, Stroke: o.Border, Line: line, Radius: o.Radius})
			}
		}
		if s := &b.stripe; s.Enabled && s.Width > 0 {
			at := unit.Rect{X: r.X, Y: r.Y, W: min(s.Width, r.W), H: r.H}
			switch s.Side {
			case "right":
				at.X = r.Right() - at.W
			case "top":
				at.W, at.H = r.W, min(s.Width, r.H)
			}
			if s.Side != "top" || part.first {
				fb.Under = append(fb.Under, frame.Item{ID: "stripe", Box: at, Fill: s.Color})
			}
		}
		if part.first {
			for k := range b.signs {
				p.drawSign(&b.signs[k], b, part)
			}
		}
	}
}

// drawSign prints an icon, badge, marker or tab on the first part of a box.
func (p *placer) drawSign(s *sign, b *box, part *boxPart) {
	fb := p.blocks[part.block]
	r := fb.Box
	at := unit.Rect{X: r.X + s.x, W: s.w, H: s.height}
	switch s.kind {
	case "label":
		at.Y = r.Y - s.rise
		if s.rule.Enabled && s.rule.Width > 0 {
			fb.Over = append(fb.Over, frame.Item{ID: "labelRule", Fill: s.rule.Color, Box: unit.Rect{X: r.X, Y: r.Y, W: r.W, H: s.rule.Width}})
		}
		fb.Over = append(fb.Over, frame.Item{ID: "label", Box: at, Fill: s.fill})
		x := at.X + (at.W-s.line.Width-s.imageW)/2
		if s.image != "" {
			side := s.imageW - s.gap
			fb.Over = append(fb.Over, frame.Item{ID: "labelIcon", Image: s.image,
				Box: unit.Rect{X: x, Y: at.Y + (at.H-side)/2, W: side, H: side}})
			x += s.imageW
		}
		if s.line != nil {
			top, foot := capOf(s.line)
			base := at.Y + (at.H+top-foot)/2
			fb.Over = append(fb.Over, frame.Item{ID: "labelText", Box: at, Text: &frame.Line{X: x, Top: at.Y, Height: at.H, Baseline: base, LineSet: s.line}})
		}
		return
	case "corner":
		at.Y = r.Y - s.height/2
		at.X = r.Right() - s.w/2 - b.pad.Right
		left := s.side == "left" || s.side == "outer" && !p.page.Recto || s.side == "inner" && p.page.Recto
		if left {
			at.X = r.X + b.pad.Left - s.w/2
		}
	case "marker":
		at.Y = r.Y + b.pad.Top
		if s.centre {
			at.Y = r.Y + (r.H-s.height)/2
		}
		if s.rule.Enabled {
			h := max(r.H, s.ruleLeast)
			fb.Over = append(fb.Over, frame.Item{ID: "markerRule", Fill: s.rule.Color,
				Box: unit.Rect{X: r.X - s.rise/2 - s.rule.Width/2, Y: r.Y, W: s.rule.Width, H: h}})
		}
	default:
		at.Y = r.Y + b.pad.Top
		if s.centre {
			at.Y = r.Y + b.pad.Top + (r.H-b.pad.Top-b.pad.Bottom-s.height)/2
		} else if first := p.firstLine(part); first != nil && s.line != nil {
			// The icon's top stands level with the capitals of the first line.
			top, _ := capOf(first.LineSet)
			at.Y = first.Baseline - top
		}
	}
	it := frame.Item{ID: s.kind, Box: at}
	if s.line != nil {
		base := at.Y + s.above
		it.Text = &frame.Line{X: at.X, Top: at.Y, Height: at.H, Baseline: base, LineSet: s.line}
	} else {
		it.Image = s.image
	}
	fb.Over = append(fb.Over, it)
}

// firstLine is the first set line of a part.
func (p *placer) firstLine(part *boxPart) *frame.Line {
	for _, b := range p.blocks[part.block+1 : part.last] {
		if len(b.Lines) > 0 {
			return &b.Lines[0]
		}
	}
	return nil
}

// capOf is the height of the capitals of a line's first face above the baseline,
// and where they end: on it.
func capOf(ls *frame.LineSet) (top, foot unit.Sp) {
	if ls == nil || len(ls.Runs) == 0 {
		return 0, 0
	}
	r := &ls.Runs[0]
	return unit.Scale(r.Face.CapHeight, r.Size, r.Face.UPem), 0
}
