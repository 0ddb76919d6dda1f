package layout

import (
	"strconv"

	"postext/engine/frame"
	"postext/engine/unit"
)

// Text beside a figure or box (document-format.md 13.6, layout.md 9). The item
// stands at one side of its column; the lines of paragraphs, quotes and list items
// that start above its foot are broken to what it leaves. Anything else goes under
// it, and so does what leaves the column.

// beside narrows the first lines of a text.
type beside struct {
	lines       int
	left, right unit.Sp
}

// narrow takes the room of a wrapped item from the measures of lines; done lines
// stand already. The last measure holds for all lines behind.
func (s *beside) narrow(widths []unit.Sp, done int) []unit.Sp {
	n := s.lines - done
	if n <= 0 {
		return widths
	}
	for len(widths) <= n {
		widths = append(widths, widths[len(widths)-1])
	}
	for i := range n {
		widths[i] = max(widths[i]-s.left-s.right, 1)
	}
	return widths
}

// wrapZone is what a wrapped item takes of its column: from the head of the
// column, or where it begins, down to foot.
type wrapZone struct {
	foot        unit.Sp // 0: there is none
	left, right unit.Sp // with the gap to the text
}

// clearWrap goes on under the item the text stands beside.
func (p *placer) clearWrap() {
	if p.wrap.foot > p.cur.y {
		p.cur = cursor{y: p.wrap.foot, edge: true}
	}
	p.wrap = wrapZone{}
}

// standsBeside reports whether the lines of a node may stand beside an item.
func (n *node) standsBeside() bool {
	return n.what == nText && (n.kind == frame.Paragraph || n.kind == frame.Quote || n.kind == frame.ListItem) &&
		n.set.tabs == nil && !n.set.verse && !n.set.raw && n.formula == nil && n.group == 0
}

// narrow breaks what is left of a node to the measures it has beside an item, or to
// its own where it has left it.
func (p *placer) narrow(n *node, from, base *int) error {
	if n.what != nText || n.set == nil {
		p.clearWrap()
		return nil
	}
	want := beside{}
	if p.wrap.foot > 0 {
		top := p.cur.y
		if *from == 0 && *base == 0 {
			top = p.cur.top(n, p.grid)
		}
		switch {
		case top >= p.wrap.foot:
			p.wrap = wrapZone{}
		case !n.standsBeside():
			p.clearWrap()
		default:
			want = beside{int((p.wrap.foot - top + n.leading - 1) / n.leading), p.wrap.left, p.wrap.right}
		}
	}
	have := n.set.beside
	if have.lines -= *from; have.lines <= 0 {
		have = beside{}
	}
	if want == have {
		return nil
	}
	s := *n.set
	s.beside = want
	return p.remeasure(n, &s, from, base)
}

// wrapFits reports whether text can stand beside an item of a width in the column
// at hand, and tells why not.
func (p *placer) wrapFits(fl *float, k int, width unit.Sp) bool {
	w := &p.j.d.Figures.Wrap
	col := p.rects[k].W
	least := w.MinText
	if w.MinShare > 0 {
		least = share(col, w.MinShare)
	}
	if col-width-fl.place().WrapGap >= least {
		return true
	}
	p.wrapProblem(fl, "tooNarrow", "the text beside it would be too narrow: it takes its band whole")
	return false
}

func (p *placer) wrapProblem(fl *float, reason, detail string) {
	if b := fl.box; b != nil {
		n := &p.f.nodes[b.first]
		p.j.reportOnce("textWrap", "a box with text around it — "+detail, n.start, n.end,
			frame.Field{Key: "box", Value: b.id}, frame.Field{Key: "reason", Value: reason})
		return
	}
	p.j.figureProblem("textWrap", fl.spec.id, "#"+fl.spec.id+" — "+detail, fl.spec.start, fl.spec.end, frame.Field{Key: "reason", Value: reason})
}

// wrapWidth is the width of a wrapped item in a column.
func (p *placer) wrapWidth(fl *float, k int) unit.Sp {
	if fl.box != nil {
		return fl.box.width
	}
	return max(share(p.rects[k].W, fl.share), 1)
}

// zone is what an item of a height leaves to the text from top on.
func (p *placer) zone(fl *float, top, width, height unit.Sp) wrapZone {
	gap := fl.place().WrapGap
	// Leaving the column ends it.
	z := wrapZone{foot: min(top+up(height+gap/3, p.grid), max(p.full-p.foots[p.col], top+height))}
	if fl.place().Wrap == "left" {
		z.left = width + gap
	} else {
		z.right = width + gap
	}
	return z
}

// wrapPlace is where an item with text beside it would stand below c.
type wrapPlace struct {
	fig   *figure
	top   unit.Sp
	drop  unit.Sp // from there, to the height of the capitals beside it
	width unit.Sp
	fits  bool // there is room for it, with the notes of a box
	wraps bool // and for text beside it
}

// wrapAt looks for the place of an item that is set where it is written. A box that
// is divided begins with what the column has left for it.
func (p *placer) wrapAt(n *node, fl *float, at int, c cursor) (wp wrapPlace, err error) {
	wp.width = p.wrapWidth(fl, p.col)
	if fl.box != nil && fl.box.high > 0 {
		fl.box.parts, fl.box.high = nil, 0
	}
	if wp.fig, err = p.figure(waitingFloat{float: at}, wp.width, p.pageFull(), 1); err != nil {
		return wp, err
	}
	var notes unit.Sp
	for _, k := range n.calls {
		notes += p.noteOf(k.note).height
	}
	wp.wraps = p.wrapFits(fl, p.col, wp.width)
	if wp.wraps && int(up(wp.fig.height, p.grid)/p.grid) < p.j.d.Figures.Wrap.MinLines {
		p.wrapProblem(fl, "fewLines", "fewer than "+strconv.Itoa(p.j.d.Figures.Wrap.MinLines)+" lines would stand beside it: it takes its band whole")
		wp.wraps = false
	}
	switch {
	case c.empty:
		wp.top = c.y
	case wp.wraps:
		wp.top = up(c.y+c.below+c.space, p.grid)
		wp.drop = max(share(p.grid, 800)-share(p.j.d.Body.Size, capitalsOver), 0)
	default:
		wp.top = up(max(c.y+c.below+c.space, c.y+p.grid), p.grid)
	}
	if wp.fits = wp.top+wp.drop+wp.fig.height <= p.limit(notes); wp.fits || !p.divisible(fl, wp.fig) {
		return wp, nil
	}
	room := p.limit(0) - wp.top - wp.drop
	if room < wrapLeast*p.grid {
		return wp, nil
	}
	if wp.fig, err = p.lowered(fl, room); err != nil {
		return wp, err
	}
	wp.fits = wp.fig.height <= room
	return wp, nil
}

// capitalsOver is how high capitals stand over the baseline, in thousandths of their
// size: what stands beside lines begins level with the capitals of the first, clear of
// the line above.
const capitalsOver = 650

// wrapLeast is how many lines of the grid the first part of a divided box needs.
const wrapLeast = 4

// wrapHere sets an item where it is written, with the text that follows beside it.
func (p *placer) wrapHere(i int, n *node, fl *float, at int) error {
	for {
		p.now = resume{node: i}
		if err := p.open(); err != nil {
			return err
		}
		p.clearWrap()
		r := p.rects[p.col]
		wp, err := p.wrapAt(n, fl, at, p.cur)
		if err != nil {
			return err
		}
		if !wp.fits && (!p.cur.empty || p.crowded()) {
			if gap := p.limit(0) - p.cur.y; gap > p.full/4 && !p.cur.empty {
				p.wrapProblem(fl, "moved", "it did not fit where it is written and heads the next column; "+millimetres(gap)+" mm stay empty before it")
			}
			if err := p.nextColumn("height"); err != nil {
				return err
			}
			continue
		}
		f, top, drop, width, fits := wp.fig, wp.top, wp.drop, wp.width, wp.wraps
		if !wp.fits && fl.spec.canSplit() {
			if f, err = p.figure(waitingFloat{float: at}, width, max(p.limit(0)-top-drop, p.grid), tableCut); err != nil {
				return err
			}
		}
		x := r.X
		if fl.place().Wrap == "right" {
			x += r.W - width
		}
		for _, b := range p.figureBlocks(f, x, r.Y+top+drop) {
			p.blocks = append(p.blocks, b)
			p.groups = append(p.groups, inColumns)
			p.made = append(p.made, placedNode{node: -1})
		}
		p.captionBeside(f, r.Y+top+drop)
		p.landed(fl, f.next == 0)
		if f.next > 0 {
			// The rest of a box higher than a column floats.
			p.queue = append(append([]waitingFloat(nil), p.queue...), waitingFloat{float: at, from: f.next})
		}
		if !fits {
			p.cur = cursor{y: top + f.height, below: p.grid, snap: true}
		} else {
			p.wrapped = true
			p.wrap = p.zone(fl, top, width, f.height+drop)
			p.cur = cursor{y: top, edge: true}
		}
		if len(n.calls) > 0 {
			p.cite(n, 0, 1)
		}
		return nil
	}
}

// citesNext reports whether the line that comes next, or the one behind it, cites a note.
func (p *placer) citesNext() bool {
	n := &p.now.n
	if !p.now.used {
		n = &p.f.nodes[p.now.node]
	}
	for _, c := range n.calls {
		if line := int(c.line); p.now.from <= line && line <= p.now.from+1 {
			return true
		}
	}
	return len(p.waiting) > 0
}

// tryWrap puts a float at the head of a column, with the column's text beside it; of
// a box higher than that a part. rest is the part it goes on from.
func (p *placer) tryWrap(w waitingFloat, s slot) (done bool, rest int, err error) {
	fl := &p.f.floats[w.float]
	width := p.wrapWidth(fl, s.col)
	if w.from > 0 && fl.box == nil || s.col < len(p.wraps) && p.wraps[s.col].foot > 0 || !p.wrapFits(fl, s.col, width) {
		return false, 0, nil
	}
	f, err := p.figure(w, width, p.full, 1)
	if err != nil || f.next > 0 && fl.box == nil {
		return false, 0, err
	}
	room := s.room
	if w.from+f.next > 0 { // its text stands beside it
		if p.citesNext() {
			return false, 0, nil // under it is no room for notes
		}
		room = p.full - p.taken(s.col, s.col)
	}
	if f.height > room {
		return false, 0, nil
	}
	if len(p.wraps) < len(p.rects) {
		p.wraps = append([]wrapZone(nil), make([]wrapZone, len(p.rects))...)
	}
	r := p.rects[s.col]
	x := r.X
	if fl.place().Wrap == "right" {
		x += r.W - width
	}
	p.wraps[s.col] = p.zone(fl, 0, width, f.height)
	p.page.Floats = append(p.page.Floats, p.figureBlocks(f, x, r.Y)...)
	p.landed(fl, f.next == 0)
	if s.col == p.col && p.cur.empty {
		p.wrap, p.wrapped = p.wraps[s.col], true
		p.cur.edge = true
	}
	return true, f.next, nil
}
