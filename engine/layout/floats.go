package layout

import (
	"slices"
	"strconv"

	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Floats (layout.md 9). A resource waits from the line that first cites it until
// a slot takes it: the foot of the citing column; the head, then the foot of the
// next empty column; the bands of the next page. Each column knows how much of
// it is taken at its head and its foot; text keeps a line's distance from both.

// float is a resource that is placed apart from the text that cites it.
type float struct {
	n     *Numbered
	spec  *figureSpec
	box   *aside // instead of the two: a box
	share int64  // of a wrapped figure, in thousandths of its column
	index int
	built map[builtKey]*figure
}

// boxKind is the sequence in which boxes keep their order.
const boxKind = "\x00box"

// kind is the sequence in which a float keeps its place.
func (f *float) kind() string {
	if f.box != nil {
		return boxKind
	}
	return f.n.Type.ID
}

func (f *float) place() *settings.Placement {
	if f.box != nil {
		return &f.box.place
	}
	return &f.spec.place
}

// id is what warnings call it.
func (f *float) id() string {
	if f.box != nil {
		return f.box.id
	}
	return f.n.ID
}

type builtKey struct {
	width, high unit.Sp
	least       int64
	from        int
}

// waiting is a float in the queue; from is the first row that has not been set.
type waitingFloat struct {
	float int
	from  int
	fig   *figure // a caption that waits for room in the side column
}

// floatCall is the first citation of a float in a node.
type floatCall struct {
	line, at int32
	float    int32
}

// minBand is the fewest lines of text a column keeps beside a band.
const minBand = 3

// queued appends a float to the queue.
func (p *placer) queued(i int) { p.queue = append(slices.Clone(p.queue), waitingFloat{float: i}) }

// measured gives a float for a slot.
func (p *placer) figure(w waitingFloat, width, high unit.Sp, least int64) (*figure, error) {
	fl := &p.f.floats[w.float]
	if fl.box != nil {
		return p.asidePart(fl, w.from)
	}
	k := builtKey{width, high, least, w.from}
	if f := fl.built[k]; f != nil {
		return f, nil
	}
	f, err := p.j.build(fl.spec, width, high, least, w.from)
	if err != nil {
		return nil, err
	}
	f.index = fl.index
	if fl.built == nil {
		fl.built = map[builtKey]*figure{}
	}
	fl.built[k] = f
	p.f.figures = append(p.f.figures, f)
	return f, nil
}

// call queues the floats cited in lines of a node, without offering them a place.
func (p *placer) call(n *node, from, k int) {
	for _, c := range n.floats {
		p.keep(p.meets(c.float))
		if line := int(c.line); line >= from && line < from+k && !p.called[c.float] {
			if p.toSide(int(c.float), p.cur.y) {
				continue
			}
			p.called[c.float] = true
			p.queued(int(c.float))
		}
	}
}

// slot is a place for a float.
type slot struct {
	col   int // −1: across the page
	cols  int // columns it lies over, 0: one
	foot  bool
	room  unit.Sp
	fresh bool // on a page without text yet
	force bool // nothing else is on the page: it has to take it
}

// try puts a waiting float into a slot, if it fits. rest is the row a table goes
// on from, 0 when all of it is set.
func (p *placer) try(w waitingFloat, s slot) (done bool, rest int, err error) {
	fl := &p.f.floats[w.float]
	pl := fl.place()
	width := p.slotWidth(s)
	whole := p.full
	if s.room < p.grid && !s.force || fl.box != nil && fl.box.width != width && pl.Wrap == "none" {
		return false, 0, nil
	}
	if first, last := p.over(s); !s.foot {
		for k := first; k <= last; k++ {
			if k < len(p.wraps) && p.wraps[k].foot > 0 {
				return false, 0, nil
			}
		}
	}
	if pl.Wrap != "none" && s.col >= 0 && s.cols < 2 && !s.foot && p.tops[s.col] == 0 {
		if done, rest, err := p.tryWrap(w, s); done || err != nil {
			return done, rest, err
		}
	}
	f, err := p.figure(w, width, whole, 1)
	if err != nil {
		return false, 0, err
	}
	notes := p.notesWith(fl)
	need := func(f *figure) unit.Sp { return f.height + p.grid + p.lift(f, s) + notes }
	fits := need(f) <= s.room
	if !fits && fl.spec != nil && fl.spec.safe != nil {
		g, err := p.figure(w, width, max(s.room-p.grid-p.lift(f, s), 1), cropOnly)
		if err != nil {
			return false, 0, err
		}
		if need(g) <= s.room {
			f, fits = g, true
		}
	}
	if !fits && (pl.Shrink == "slot" || pl.Shrink == "page" && s.fresh) && f.scale > 0 {
		g, err := p.figure(w, width, max(s.room-p.grid-p.lift(f, s), 1), int64(float64(pl.MinScale*1000)))
		if err != nil {
			return false, 0, err
		}
		if need(g) <= s.room {
			f, fits = g, true
		}
	}
	if !fits && fl.spec.canSplit() && (s.fresh || s.force || !s.foot) {
		// A table that would wait is cut.
		g, err := p.figure(w, width, max(s.room-p.grid, p.grid), tableCut)
		if err != nil {
			return false, 0, err
		}
		if g.next > 0 && need(g) <= s.room {
			f, fits = g, true
		}
	}
	if !fits && !s.force || s.foot && p.outOfOrder(s, fl.kind()) {
		return false, 0, nil
	}
	if need(f) > s.room && fl.box != nil {
		n := &p.f.nodes[fl.box.first]
		p.j.tooTall(fl.box.id, n.start, n.end, need(f)-s.room)
	}
	if f.scale < 1000 && fl.spec != nil && fl.spec.found.Picture != nil {
		p.shrunk(fl, f)
	}
	p.put(f, s, fl.kind())
	p.landed(fl, f.next == 0)
	return true, f.next, nil
}

// over gives the first and the last column of a slot.
func (p *placer) over(s slot) (first, last int) {
	if s.col < 0 {
		return 0, len(p.rects) - 1
	}
	return s.col, min(s.col+max(s.cols, 1), len(p.rects)) - 1
}

func hundredths(v int64) string {
	s := strconv.Itoa(int(v/10 + 100))
	return strconv.Itoa(int(v/1000)) + "." + s[len(s)-2:]
}

// footRun is a float at the foot of some columns: its blocks in Page.Floats, and
// how far its foot stands above that of the page.
type footRun struct {
	first, last, from, to int
	bottom                unit.Sp
	kind                  string
	sealed                bool // notes stand above it
}

// outOfOrder reports whether a float at the foot of a column would come to stand
// above an earlier one of its type: one that lies over other columns than itself,
// or under notes.
func (p *placer) outOfOrder(s slot, kind string) bool {
	first, last := p.over(s)
	free := true
	for i := len(p.runs) - 1; i >= 0; i-- {
		r := &p.runs[i]
		if r.last < first || r.first > last {
			continue
		}
		free = free && r.first == first && r.last == last && !r.sealed
		if !free && r.kind == kind {
			return true
		}
	}
	return false
}

// lift is how far the foot of a float is moved up so that its last baseline
// stands on the last of the grid.
func (p *placer) lift(f *figure, s slot) unit.Sp {
	if !s.foot || f.last == 0 || f.last > p.grid {
		return 0
	}
	first, last := p.over(s)
	for k := first; k <= last; k++ {
		if p.foots[k] > 0 && len(p.runs) == 0 {
			return 0 // notes stand under it
		}
	}
	return (p.grid - f.last) / 5
}

func (p *placer) slotWidth(s slot) unit.Sp {
	if s.col < 0 {
		return p.page.Content.W
	}
	first, last := p.over(s)
	return p.rects[last].Right() - p.rects[first].X
}

// put sets a float in a slot and takes the room.
func (p *placer) put(f *figure, s slot, kind string) {
	x, top := p.page.Content.X, p.rects[0].Y
	first, last := p.over(s)
	if s.col >= 0 {
		x = p.rects[first].X
	}
	y := top
	switch {
	case s.foot:
		if first <= p.col && p.col <= last {
			p.freezeNotes()
		}
		taken, lift := unit.Sp(0), p.lift(f, s)
		for k := first; k <= last; k++ {
			taken = max(taken, p.foots[k])
		}
		more := f.height + lift + p.grid
		bottom := taken
		// One that comes later stands lower: those of the same columns move up.
		for i := len(p.runs) - 1; i >= 0 && p.runs[i].first == first && p.runs[i].last == last && !p.runs[i].sealed; i-- {
			r := &p.runs[i]
			bottom = r.bottom
			for _, b := range p.page.Floats[r.from:r.to] {
				moveBlock(b, -more)
			}
		}
		for i := len(p.runs) - 1; i >= 0 && p.runs[i].first == first && p.runs[i].last == last && !p.runs[i].sealed; i-- {
			p.runs[i].bottom += more
		}
		y += p.full - bottom - f.height - lift
		for k := first; k <= last; k++ {
			p.foots[k] = taken + more
		}
		if s.col < 0 {
			p.side.foot = max(p.side.foot, taken+more)
		}
		p.pageFoots = slices.Clone(p.foots)
		n := len(p.page.Floats)
		p.runs = append(slices.Clip(p.runs), footRun{first: first, last: last, from: n, to: n + len(f.parts) + len(f.blocks), bottom: bottom, kind: kind})
	default:
		var taken unit.Sp
		for k := first; k <= last; k++ {
			taken = max(taken, p.tops[k])
		}
		y += taken
		for k := first; k <= last; k++ {
			p.tops[k] = up(taken+f.height+p.grid, p.grid)
		}
		if s.col < 0 {
			p.side.head = max(p.side.head, top-p.page.Content.Y+p.tops[first])
		}
	}
	p.page.Floats = append(p.page.Floats, p.figureBlocks(f, x, y)...)
	p.captionBeside(f, y)
	if p.cur.empty && !s.foot && first <= p.col && p.col <= last {
		p.cur.y = p.tops[p.col]
	}
}

// take goes through the queue in order and puts what a slot takes; a float that
// finds none holds up those behind it of its type.
func (p *placer) take(slots func(w waitingFloat, pl *settings.Placement) []slot) error {
	p.arrive()
	if len(p.queue) == 0 || p.wide || p.cut() {
		return nil
	}
	held := map[string]bool{}
	var left []waitingFloat
	// What a box brings in as it lands is offered a slot right behind it.
	for i := 0; i < len(p.queue); i++ {
		w := p.queue[i]
		fl := &p.f.floats[w.float]
		if held[fl.kind()] || fl.turned() {
			held[fl.kind()] = true
			left = append(left, w)
			continue
		}
		placed := false
		for _, s := range slots(w, fl.place()) {
			done, rest, err := p.try(w, s)
			if err != nil {
				return err
			}
			if done {
				placed = rest == 0
				w.from = rest
				break
			}
		}
		if !placed {
			held[fl.kind()] = true
			left = append(left, w)
		}
		p.arrive()
	}
	p.queue = left
	return nil
}

// arrive queues what the boxes that have landed cite: a figure does not stand before
// the box that speaks of it.
func (p *placer) arrive() {
	if len(p.arrived) > 0 {
		p.queue = append(slices.Clone(p.queue), p.arrived...)
		p.arrived = nil
	}
}

// span reads a placement's extent on this page.
func (p *placer) span(pl *settings.Placement) string {
	switch {
	case pl.Span == "page" && p.side.W > 0:
		return "page"
	case len(p.rects) < 2:
		return "column"
	case pl.Span == "page", pl.Columns >= len(p.rects):
		return "page"
	}
	return "column"
}

// atCitation offers the foot of the citing column, or of the page, to what
// waits; depth is the foot of the citing line.
func (p *placer) atCitation(depth unit.Sp) error {
	return p.take(func(w waitingFloat, pl *settings.Placement) []slot {
		if pl.Position == "top" && !p.closing {
			return nil
		}
		if p.span(pl) == "page" {
			room := p.footRoom(0, len(p.rects)-1, depth)
			for i := range p.page.Columns {
				c := &p.page.Columns[i]
				if c.Span || c.Band != p.band {
					continue
				}
				for _, b := range c.Blocks {
					if b.Kind == frame.Note {
						room = 0 // its foot is taken
					}
				}
			}
			if p.side.W > 0 {
				room = min(room, p.pageFull()-p.side.used()-p.side.foot)
			}
			return []slot{{col: -1, foot: true, room: room}}
		}
		if pl.Wrap != "none" && pl.Position != "bottom" && !p.closing {
			return nil // text stands beside it where it heads a column
		}
		s := slot{col: p.col, cols: pl.Columns, foot: true}
		first, last := p.over(s)
		if last-first+1 < pl.Columns {
			return nil
		}
		s.room = p.footRoom(first, last, depth)
		return []slot{s}
	})
}

// footRoom is the room over some columns between what stands in them, in the column at
// hand down to depth, and what stands at their foot. What lies over all of them stands
// above the highest foot and below the longest column.
func (p *placer) footRoom(first, last int, depth unit.Sp) unit.Sp {
	var foot, reach unit.Sp
	for k := first; k <= last; k++ {
		f, d := p.foots[k], p.tops[k]
		if k == p.col {
			f, d = f+p.foot.height, depth+p.padded
		}
		foot, reach = max(foot, f), max(reach, d)
	}
	for i := range p.page.Columns {
		if c := &p.page.Columns[i]; !c.Span && c.Band == p.band && first <= c.Index && c.Index <= last {
			reach = max(reach, c.Used)
		}
	}
	return p.full - foot - reach
}

// atColumn offers the head, then the foot of the column just opened.
func (p *placer) atColumn() error {
	keep := p.grid * minBand
	if p.closing {
		keep = 0
	}
	return p.take(func(w waitingFloat, pl *settings.Placement) []slot {
		if p.span(pl) == "page" {
			return nil
		}
		var out []slot
		s := slot{col: p.col, cols: pl.Columns, fresh: len(p.page.Columns) == 0}
		first, last := p.over(s)
		if last-first+1 < pl.Columns {
			return nil
		}
		s.room = p.full - keep - p.taken(first, last)
		if p.closing {
			s.room += p.grid // nothing has to follow under it
		}
		if pl.Position != "bottom" {
			out = append(out, s)
		}
		if s.foot = true; (pl.Position != "top" || p.closing) && (pl.Wrap == "none" || pl.Position == "bottom" || p.closing) {
			out = append(out, s)
		}
		return out
	})
}

// atPage offers the bands of a page just opened: page-wide ones over all its
// columns, others in the column with most room. What fits no page is forced into
// the first, so that the queue moves on.
func (p *placer) atPage() error {
	first := true
	return p.take(func(w waitingFloat, pl *settings.Placement) []slot {
		keep := p.grid * minBand
		if p.closing {
			keep = -p.grid
		}
		taken := p.taken(0, len(p.rects)-1)
		best, most := 0, unit.Sp(-1)
		wide := max(min(pl.Columns, len(p.rects)), 1)
		for k := 0; k+wide <= len(p.rects); k++ {
			if b := p.f.floats[w.float].box; b != nil && p.uneven && p.rects[k].W != b.width {
				continue
			}
			if t := p.taken(k, k+wide-1); p.full-t > most {
				best, most = k, p.full-t
			}
		}
		force := first && taken == 0
		s := slot{col: best, cols: wide, room: most - keep, fresh: true}
		if p.span(pl) == "page" {
			s.col, s.room = -1, p.full-taken-keep
		}
		first = false
		var out []slot
		if pl.Position != "bottom" {
			out = append(out, s)
		}
		if pl.Position != "top" || p.closing {
			b := s
			b.foot = true
			out = append(out, b)
		}
		if force {
			s.force, s.room = true, p.full
			out = append(out, s)
		}
		return out
	})
}

// taken is the most that floats, and the notes of the column at hand, take of some
// columns.
func (p *placer) taken(first, last int) (t unit.Sp) {
	for k := first; k <= last; k++ {
		head := p.tops[k]
		if k < len(p.wraps) {
			head += p.wraps[k].foot
		}
		if k == p.col {
			head += p.foot.height
		}
		t = max(t, head+p.foots[k])
	}
	return t
}

// cites notes the floats cited by the lines of a node about to be set at top and
// offers them the foot of the column. k lines were to be set; a float at the foot
// may leave room for fewer, never so few that its citation moves on.
func (p *placer) cites(i int, n *node, from, k, total int, top unit.Sp) (int, int, string, error) {
	why := ""
	for _, c := range n.floats {
		line := int(c.line)
		if line < from || line >= from+k {
			continue
		}
		if err := p.meets(c.float); err != nil {
			return k, total, why, err
		}
		if p.called[c.float] {
			continue
		}
		again, err := p.tryHead(c.float)
		if err == nil && again {
			err = errAgain
		}
		if err != nil {
			return k, total, why, err
		}
		if p.toSide(int(c.float), top+unit.Sp(line-from)*n.leading) {
			continue
		}
		before := p.footState()
		held := n.what == nText && p.room(n, from, top) > line-from
		p.called[c.float] = true
		p.queued(int(c.float))
		depth := top + unit.Sp(line-from+1)*n.leading
		if n.what != nText {
			depth = top + n.heightOf()
		}
		depth = max(depth, p.wrap.foot)
		waiting := len(p.queue)
		if err := p.atCitation(depth); err != nil {
			return k, total, why, err
		}
		if len(p.queue) == waiting {
			continue
		}
		nk, nt, nw := p.decide(i, n, from, top, p.cur.empty)
		if held && p.room(n, from, top) <= line-from {
			nk = 0 // at a column's head a line is set without room for its notes
		}
		if nk > line-from && nt == total {
			k, why = nk, nw
			continue
		}
		p.restore(before)
		p.queued(int(c.float))
	}
	return k, total, why, nil
}

// footState is what a float at a foot changes.
type footState struct {
	page   []unit.Sp
	foots  []unit.Sp
	floats int
	queue  []waitingFloat
	foot   noteArea
	lines  []int
	frozen int
	runs   []footRun
	side   sideColumn
	came   int
}

func (p *placer) footState() footState {
	return footState{p.pageFoots, slices.Clone(p.foots), len(p.page.Floats), p.queue, p.foot, p.footLines, len(p.frozen), slices.Clone(p.runs), p.side, len(p.came)}
}

func (p *placer) restore(s footState) {
	p.foots, p.pageFoots, p.queue, p.foot, p.footLines = s.foots, s.page, s.queue, s.foot, s.lines
	p.page.Floats = p.page.Floats[:s.floats]
	p.side = s.side
	for _, c := range p.came[s.came:] {
		delete(p.called, c)
	}
	p.came = p.came[:s.came]
	for i := range s.runs { // back to where they stood
		if d := p.runs[i].bottom - s.runs[i].bottom; d != 0 {
			for _, b := range p.page.Floats[s.runs[i].from:s.runs[i].to] {
				moveBlock(b, d)
			}
		}
	}
	p.frozen, p.runs = p.frozen[:s.frozen], s.runs
}

// freezeNotes sets the notes gathered so far where they stand: a float comes
// above them, and later notes above the float.
func (p *placer) freezeNotes() {
	if len(p.foot.parts) == 0 {
		return
	}
	at := len(p.blocks)
	p.setNotes()
	p.frozen = append(p.frozen, p.blocks[at:]...)
	p.blocks, p.groups, p.made = p.blocks[:at], p.groups[:at], p.made[:at]
	p.foots[p.col] += p.foot.height
	p.pageFoots = slices.Clone(p.foots)
	for i := range p.runs {
		if r := &p.runs[i]; r.first <= p.col && p.col <= r.last {
			r.sealed = true
		}
	}
	p.foot, p.footLines = noteArea{}, nil
}

// floatPages makes pages of floats alone until the queue is empty.
func (p *placer) floatPages() error {
	p.wide = false
	for len(p.queue)+p.side.pending() > 0 {
		waiting, from := len(p.queue), 0
		side := len(p.side.queue)
		if len(p.queue) > 0 {
			from = p.queue[0].from
		}
		if err := p.turnedPages(); err != nil {
			return err
		}
		if len(p.queue)+p.side.pending() == 0 {
			break
		}
		if len(p.queue) != waiting {
			continue
		}
		p.afterText()
		p.newPage()
		if err := p.atPage(); err != nil {
			return err
		}
		if p.err != nil {
			return p.err
		}
		for k := range p.rects {
			p.openColumn(k)
			p.cur = cursor{}
			p.closeColumn("float")
		}
		p.endPage()
		if len(p.queue) == waiting && (waiting == 0 || p.queue[0].from == from) && len(p.side.queue) == side && len(p.side.rest) == 0 {
			break // cannot be: a page of its own takes anything
		}
	}
	p.notePages("notes")
	return p.err
}

// hug moves the page-wide floats at the foot of a closing page up to a line under
// the text (hugClosingFloats).
func (p *placer) hug(pg *placedPage) {
	if !p.j.d.Figures.HugClosing || len(p.runs) == 0 || !p.leaving {
		return
	}
	var used unit.Sp
	for i := range pg.Columns {
		c := &pg.Columns[i]
		if c.Span {
			continue
		}
		used = max(used, c.Used)
		for _, b := range c.Blocks {
			if b.Kind == frame.Note {
				return
			}
		}
	}
	if used == 0 {
		return
	}
	top := unit.Sp(1 << 62)
	for _, r := range p.runs {
		if r.first != 0 || r.last != len(p.rects)-1 || r.sealed {
			return // another stands beside, or notes above
		}
		for _, b := range pg.Floats[r.from:r.to] {
			top = min(top, b.Box.Y)
		}
	}
	if dy := p.rects[0].Y + up(used, p.grid) + p.grid - top; dy <= -p.grid {
		for _, r := range p.runs {
			for _, b := range pg.Floats[r.from:r.to] {
				moveBlock(b, dy)
			}
		}
	}
}

// tableNode sets a table in the flow, in parts where it fits no column whole or
// where a part of it is worth the room. It reports whether all of it is set;
// else n says what is left.
func (p *placer) tableNode(n *node, top unit.Sp) (bool, error) {
	room := p.limit(0) - top
	whole := n.fig
	var err error
	if n.next > 0 {
		if whole, err = p.tablePart(n, max(room, p.grid), 1); err != nil {
			return false, err
		}
	}
	set := func(f *figure) {
		n.fig = f
		p.settle(n, top)
		p.cur.y = p.setFigure(n, top)
	}
	if whole.height <= room {
		set(whole)
		p.cur.set(n, p.cur.y)
		return true, nil
	}
	st := n.spec.tableStyle
	if n.spec.canSplit() && (p.cur.empty || st.SplitInline && n.spec.rows()-n.next >= 5 && room > p.full/4) {
		f, err := p.tablePart(n, max(room, p.grid), tableCut)
		if err != nil {
			return false, err
		}
		if p.cur.empty && f.height > room && p.crowded() {
			return false, p.nextColumn("height")
		}
		if p.cur.empty || f.next > 0 && f.height <= room {
			set(f)
			if f.next == 0 {
				p.cur.set(n, p.cur.y)
				return true, nil
			}
			n.next = f.next
		}
	}
	if p.cur.empty && !n.spec.canSplit() {
		set(whole)
		p.cur.set(n, p.cur.y)
		return true, nil
	}
	return false, p.nextColumn("height")
}

// tablePart measures a table of the flow from its next row on.
func (p *placer) tablePart(n *node, high unit.Sp, least int64) (*figure, error) {
	f, err := p.j.build(n.spec, n.fig.width, high, least, n.next)
	if err != nil {
		return nil, err
	}
	f.index = n.index
	p.f.figures = append(p.f.figures, f)
	return f, nil
}
