package layout

import (
	"slices"

	"postext/engine/unit"
)

// The side column (settings.md 6, layout.md 9): with sideColumnRole floats no
// running text enters it. Figures stack from its head on the page that cites them
// first; boxes stand level with the text they interrupt and slide up where room
// is short; captions stand beside their figure. What finds no room waits for the
// next page.

// sideColumn is the side column of the page at hand; heights count from the head
// of the type area.
type sideColumn struct {
	X, W       unit.Sp // W 0: there is none
	head, foot unit.Sp // taken by what stands across the page
	items      []sideItem
	queue      []waitingFloat
	rest       []waitingFloat // parts of boxes that go on on the next page
}

type sideItem struct {
	top, foot unit.Sp
	box       bool
}

// pending is how much waits for a side column.
func (s *sideColumn) pending() int { return len(s.queue) + len(s.rest) }

// used is the foot of the lowest item.
func (s *sideColumn) used() (y unit.Sp) {
	for i := range s.items {
		y = max(y, s.items[i].foot)
	}
	return y
}

// openSide begins the side column of a page with what waits.
func (p *placer) openSide() {
	r := sideOf(p.j.d, p.page.Recto)
	p.side = sideColumn{X: p.page.Content.X + r.X, W: r.W, queue: append(p.side.rest, p.side.queue...)}
	if p.onPart {
		p.side.W = 0
	}
	if p.side.W == 0 {
		return
	}
	for len(p.side.queue) > 0 {
		done, err := p.beside(p.side.queue[0], -1)
		p.keep(err)
		if !done {
			return
		}
		p.side.queue = p.side.queue[1:]
	}
}

// toSide places a float in the side column, level with a depth of the text's
// column; it reports false when that is not its place.
func (p *placer) toSide(i int, depth unit.Sp) bool {
	fl := &p.f.floats[i]
	if p.side.W == 0 || fl.place().Span != "side" || fl.box != nil && fl.box.pin != nil || p.onPart || p.page == nil {
		return false
	}
	if p.called[int32(i)] {
		return true
	}
	p.called[int32(i)] = true
	w := waitingFloat{float: i}
	elsewhere := fl.box != nil && fl.box.after && depth+2*p.grid > p.limit(0)
	if len(p.side.queue) == 0 && !elsewhere {
		done, err := p.beside(w, p.rects[p.col].Y-p.page.Content.Y+up(depth, p.grid))
		p.keep(err)
		if done {
			return true
		}
	}
	p.side.queue = append(slices.Clip(p.side.queue), w)
	return true
}

// beside puts what waits into the side column: a box as near as it can to a
// depth, anything else, and with a depth below 0 a box, as high as it can. An item
// higher than the column takes an empty one.
func (p *placer) beside(w waitingFloat, depth unit.Sp) (bool, error) {
	f, box := w.fig, w.fig != nil
	var fl *float
	if f == nil {
		fl = &p.f.floats[w.float]
		box = fl.box != nil
		var err error
		if f, err = p.figure(w, p.side.W, p.pageFull(), 1); err != nil {
			return false, err
		}
	}
	want := p.side.head
	if box && depth > want {
		want = depth
	}
	y, ok := p.side.find(f.height, want, box, p.pageFull(), p.grid)
	if !ok && len(p.side.items) == 0 && depth < 0 {
		y, ok = p.side.head, true
		if fl != nil && fl.spec.canSplit() {
			var err error
			if f, err = p.figure(w, p.side.W, max(p.pageFull()-y, p.grid), tableCut); err != nil {
				return false, err
			}
		}
	}
	if !ok {
		return false, nil
	}
	p.side.items = append(slices.Clip(p.side.items), sideItem{y, y + f.height, box})
	p.page.Floats = append(p.page.Floats, p.figureBlocks(f, p.side.X, p.page.Content.Y+y)...)
	if fl != nil {
		p.landed(fl, f.next == 0)
		if f.next > 0 { // the rest of a box or table higher than the column
			p.side.rest = append(p.side.rest, waitingFloat{float: w.float, from: f.next})
		}
	}
	return true, nil
}

// find looks for room of a height as near as it can to want, behind the last item
// of the same kind.
func (s *sideColumn) find(h, want unit.Sp, box bool, full, gap unit.Sp) (y unit.Sp, ok bool) {
	from := s.head
	for i := range s.items {
		if s.items[i].box == box {
			from = max(from, s.items[i].foot+gap)
		}
	}
	items := slices.Clone(s.items)
	slices.SortFunc(items, func(a, b sideItem) int { return int(a.top - b.top) })
	best := unit.Sp(-1)
	try := func(lo, hi unit.Sp) {
		lo = max(lo, from)
		if hi-lo < h {
			return
		}
		at := min(max(want, lo), hi-h)
		if d := max(at-want, want-at); best < 0 || d < best {
			best, y, ok = d, at, true
		}
	}
	lo := s.head
	for i := range items {
		try(lo, items[i].top-gap)
		lo = max(lo, items[i].foot+gap)
	}
	try(lo, full-s.foot)
	return y, ok
}

// captionBeside sets the caption of a figure at y of the page beside it.
func (p *placer) captionBeside(f *figure, y unit.Sp) {
	if f.beside == nil || p.side.W == 0 {
		return
	}
	w := waitingFloat{float: -1, fig: f.beside}
	done, err := p.beside(w, max(y-p.page.Content.Y, 0))
	p.keep(err)
	if !done {
		p.side.queue = append(slices.Clip(p.side.queue), w)
	}
}

// afterText reports what stands on a page behind the text it belongs to.
func (p *placer) afterText() {
	for _, w := range slices.Concat(p.side.rest, p.side.queue, p.queue) {
		switch {
		case w.from > 0: // it began with the text
		case w.float >= 0 && p.f.floats[w.float].turned(): // it has a page of its own wherever it comes
		case w.float < 0:
			p.j.figureProblem("afterText", w.fig.id, "the caption of #"+w.fig.id+" stands on a page behind the text", w.fig.start, w.fig.end)
		case p.f.floats[w.float].box != nil:
			n := &p.f.nodes[p.f.floats[w.float].box.first]
			p.j.reportOnce("afterText", "a box stands on a page behind the text", n.start, n.end)
		default:
			s := p.f.floats[w.float].spec
			p.j.figureProblem("afterText", s.id, "#"+s.id+" stands on a page behind the text", s.start, s.end)
		}
	}
}
