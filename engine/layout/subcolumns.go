package layout

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/unit"
)

// Groups in columns (document-format.md 6.3): a stretch of the flow set in narrow
// columns side by side, inside a column of the page or inside a box. The nodes of
// a group stand in the flow between two marks. Where they go is planned first,
// with the cursors the walk uses, and then set by the plan.

// subcolumns is a group set in columns.
type subcolumns struct {
	count       int
	gap, width  unit.Sp // of a column
	x           unit.Sp // of the first, from the column's left edge
	rule        bool
	first, last int   // its marks
	starts      []int // nodes that open the next columns, instead of levelling
}

// inColumns stands for the box of a block set in a group's columns: what the
// balancing of the page's columns does to blocks does not reach there.
const inColumns = -1

// spot is a place in a group: a node, and a line or, of a table, a row of it. Where
// the columns of the page have several widths a line is told by where in the text it
// begins, and how many stand before it.
type spot struct{ node, line, from, base int }

// portion is what of a node stands in a column of a group: lines of it, or with fig
// a part of a table.
type portion struct {
	node, from, lines int
	fig               *figure
}

// columns sets a group in columns.
func (w *walker) columns(b *markup.Block, p place) error {
	count := 2
	if n, ok := b.Attrs.Int("count"); ok && n >= 2 && n <= 6 {
		count = n
	}
	gap := p.columnGap
	span, _ := b.Attrs.Get("span")
	wide := span == "page" && p.group == 0 && !p.subcolumn && !p.onPart && across(w.d) && w.d.Layout.FlowColumns
	switch {
	case wide:
		gap = w.d.Layout.Gutter
		p.x, p.width = 0, contentWidth(w.d)
	case p.group == 0:
		gap = w.d.Body.Leading
	}
	if v, ok := b.Attrs.Get("gap"); ok {
		if x, ok := lengthIn(v, "em", p.text.Size, w.d); ok && x >= 0 {
			gap = x
		}
	}
	width := (p.width - gap*unit.Sp(count-1)) / unit.Sp(count)
	if p.group == 0 && !w.d.Layout.FlowColumns || p.subcolumn || width < p.text.Size {
		return w.blocks(b.Children, p)
	}
	if wide {
		at := len(w.flow.nodes)
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanOpen, kind: frame.Frame, above: p.leading, start: b.Start, end: b.End})
		defer func() {
			if len(w.flow.nodes) == at+1 {
				w.flow.nodes = w.flow.nodes[:at]
				return
			}
			w.flow.nodes = append(w.flow.nodes, node{what: nSpanClose, start: b.End, end: b.End})
		}()
	}
	if width < 6*p.text.Size {
		w.problems = append(w.problems, frame.Problem{Kind: "columnsTooNarrow", Detail: "the columns of this group are narrower than six ems of its text",
			Start: b.Start, End: b.End, Page: -1, Fields: []frame.Field{{Key: "columns", Value: strconv.Itoa(count)}, {Key: "widthPx", Value: strconv.Itoa(int(width.Pt() * w.d.Page.DPI / 72))}}})
	}
	w.flow.columns = append(w.flow.columns, subcolumns{count: count, gap: gap, width: width, x: p.x, rule: b.Attrs.On("rule"), first: len(w.flow.nodes)})
	k := int32(len(w.flow.columns))
	w.flow.nodes = append(w.flow.nodes, node{what: nColsOpen, cols: k, group: p.group, start: b.Start, end: b.End,
		above: p.leading / 2, snap: p.group == 0})
	q := p
	q.width, q.subcolumn = width, true
	w.inner++
	err := w.blocks(b.Children, q)
	w.inner--
	if err != nil {
		return err
	}
	g := &w.flow.columns[k-1]
	g.last = len(w.flow.nodes)
	if g.last == g.first+1 { // nothing in it
		w.flow.nodes = w.flow.nodes[:g.first]
		w.flow.columns = w.flow.columns[:k-1]
		return nil
	}
	for i := g.first + 1; i < g.last; i++ {
		w.flow.nodes[i].snap, w.flow.nodes[i].snapTop = false, false
	}
	if v, ok := b.Attrs.Get("breaks"); ok {
		g.starts = w.flow.opens(g, v)
	}
	w.flow.nodes = append(w.flow.nodes, node{what: nColsClose, cols: k, group: p.group, start: b.End, end: b.End,
		below: p.leading / 2, snap: p.group == 0})
	w.afterPara, w.afterHeading = false, false
	return nil
}

// opens finds the nodes that the numbers of breaks name: paragraphs, items,
// formulas, figures and tables count, a box as one. A number below 2, past the end
// or not after the one before is none.
func (f *flow) opens(g *subcolumns, list string) []int {
	var blocks []int
	for i := g.first + 1; i < g.last; i++ {
		switch n := &f.nodes[i]; n.what {
		case nBoxOpen:
			blocks = append(blocks, i)
			i = f.boxes[n.box-1].last
		case nFigure:
			blocks = append(blocks, i)
		case nText:
			if n.kind != frame.Heading {
				blocks = append(blocks, i)
			}
		case nRow:
			if i == g.first+1 || f.nodes[i-1].what != nRow || f.nodes[i-1].start != n.start {
				blocks = append(blocks, i)
			}
		}
	}
	var out []int
	last := 1
	for _, s := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		if k, err := strconv.Atoi(s); err == nil && k > last && k <= len(blocks) && len(out)+1 < g.count {
			out = append(out, blocks[k-1])
			last = k
		}
	}
	return out
}

// fill plans columns no higher than height from a place on, up to a node; next is
// where the group goes on, used the height of each column. forced says that rules
// had to give way: a line where two should stand, a box cut that is higher than a
// column, something taller than that which cannot be cut.
func (p *placer) fill(g *subcolumns, from spot, end, count int, height unit.Sp) (plan [][]portion, used []unit.Sp, next spot, forced bool) {
	at := from
	for col := 0; col < count && at.node < end; col++ {
		t := trial{cursor: cursor{edge: true}}
		var list []portion
		full, bare := false, true
		foot, pads := unit.Sp(0), unit.Sp(0)
		for _, o := range p.openAt(g, at.node) {
			t.y += p.f.boxes[o.box-1].pad.Top
			if b := p.f.boxes[o.box-1].again; b != nil {
				t.y += b.heightOf() + b.below
			}
			t.tops = append(t.tops, 0)
			pads += p.foot1(&o)
		}
		for at.node < end && !full {
			n := p.suited(at.node)
			switch n.what {
			case nText:
				top := t.top(n, p.grid)
				left := len(n.m.lines) - at.line
				k := min(left, max(int((height-pads-top)/n.leading), 0))
				if least := max(p.childMin(n), n.solid); k < left {
					if left-k < least {
						k = left - least
					}
					if n.whole || k < least && at.line == 0 && !n.goesOn || k < 0 {
						k = 0
					}
				}
				if k == 0 && bare {
					k = max(min(left, int((height-pads-top)/n.leading)), 1)
					forced = true
				}
				if k > 0 {
					list = append(list, portion{node: at.node, from: at.line, lines: k})
					bare = false
					y := top + unit.Sp(k)*n.leading
					foot = max(y, foot)
					if at.line += k; k == left {
						t.cursor.set(n, y)
						at = spot{node: at.node + 1}
						continue
					}
				}
				full = true
			case nBoxOpen, nRow, nFigure:
				last := at.node
				if n.what == nBoxOpen {
					last = p.f.boxes[n.box-1].last
				}
				for k := at.node + 1; k <= last; k++ {
					p.suited(k)
				}
				save := t
				for k := at.node; k <= last; k++ {
					p.step(&t, k)
				}
				if n.what == nFigure && n.spec.rows() > 0 && n.spec.canSplit() && (at.line > 0 || bare && t.y > height-pads) {
					top := save.top(n, p.grid)
					f := p.cutTable(n, at.line, height-pads-top)
					list = append(list, portion{node: at.node, from: at.line, lines: 1, fig: f})
					foot, bare, forced = max(foot, top+f.height), false, true
					if f.next > 0 {
						at.line, full = f.next, true
						continue
					}
					t = save
					t.cursor.set(n, top+f.height)
					at = spot{node: at.node + 1}
					continue
				}
				if t.y > height-pads && !bare {
					t, full = save, true
					continue
				}
				if t.y > height-pads && n.what == nBoxOpen {
					// No column holds it: it is cut.
					t = save
					p.step(&t, at.node)
					pads += p.foot1(&openedBox{box: n.box, split: true})
					list = append(list, portion{node: at.node})
					at, forced = spot{node: at.node + 1}, true
					continue
				}
				bare = false
				foot = max(foot, t.y)
				for k := at.node; k <= last; k++ {
					part := portion{node: k}
					if p.f.nodes[k].what == nText {
						part.lines = len(p.f.nodes[k].m.lines)
					}
					list = append(list, part)
				}
				forced = forced || t.y > height-pads
				at = spot{node: last + 1}
			default:
				if n.what == nBoxClose {
					pads -= p.foot1(&openedBox{box: n.box, split: true})
				}
				p.step(&t, at.node)
				foot = max(foot, t.y)
				list = append(list, portion{node: at.node})
				at = spot{node: at.node + 1}
			}
		}
		// A heading does not close a column.
		if full && at.line == 0 && col+1 < count {
			for n := len(list); n > 1 && p.f.nodes[list[n-1].node].what == nText && p.f.nodes[list[n-1].node].keepNext && p.f.nodes[list[n-2].node].what != nBoxOpen; n-- {
				at = spot{node: list[n-1].node, line: list[n-1].from}
				list = list[:n-1]
			}
		}
		plan, used = append(plan, list), append(used, foot+pads)
	}
	return plan, used, at, forced
}

// tableCutKey is a part of a table of the flow.
type tableCutKey struct {
	spec  *figureSpec
	width unit.Sp
	from  int
	high  unit.Sp
}

// cutTable is the part of a table from a row on that fits a height: one row at
// least.
func (p *placer) cutTable(n *node, from int, high unit.Sp) *figure {
	key := tableCutKey{n.spec, n.fig.width, from, max(high, p.grid)}
	if f := p.cutTables[key]; f != nil {
		return f
	}
	at := *n
	at.next = from
	f, err := p.tablePart(&at, key.high, tableCut)
	if err != nil {
		p.keep(err)
		return n.fig
	}
	if p.cutTables == nil {
		p.cutTables = map[tableCutKey]*figure{}
	}
	p.cutTables[key] = f
	return f
}

// openAt gives the boxes of a group that are open before node k, outermost first:
// those cut in a column before.
func (p *placer) openAt(g *subcolumns, k int) (open []openedBox) {
	n := &p.f.nodes[k]
	box := n.group
	if n.what == nBoxClose {
		box = n.box
	}
	for outer := p.f.nodes[g.first].group; box > 0 && box != outer; box = p.f.boxes[box-1].parent {
		open = append(open, openedBox{box: box, split: true, begun: true})
	}
	slices.Reverse(open)
	return open
}

// level plans a group whose columns end as level as they can, no higher than most;
// ok is false when it does not fit.
func (p *placer) level(g *subcolumns, from spot, most unit.Sp) (plan [][]portion, used []unit.Sp, ok bool) {
	fits := func(h unit.Sp) bool {
		_, _, next, forced := p.fill(g, from, g.last, g.count, h)
		return next.node >= g.last && !forced
	}
	if !fits(most) {
		return nil, nil, false
	}
	const step = unit.Pt / 4
	n := sort.Search(int(most/step)+1, func(i int) bool { return fits(unit.Sp(i) * step) })
	h := min(unit.Sp(n)*step, most)
	if !fits(h) {
		h = most
	}
	plan, used, _, _ = p.fill(g, from, g.last, g.count, h)
	return plan, used, true
}

// parted plans a group whose columns begin at given blocks.
func (p *placer) parted(g *subcolumns, at []spot, most unit.Sp) (plan [][]portion, used []unit.Sp, next []spot, done, forced bool) {
	done = true
	for i := range at {
		end := g.last
		if i < len(g.starts) {
			end = g.starts[i]
		}
		if at[i].node >= end {
			plan, used, next = append(plan, nil), append(used, 0), append(next, at[i])
			continue
		}
		one, u, n, f := p.fill(g, at[i], end, 1, most)
		forced = forced || f
		plan, used, next = append(plan, one[0]), append(used, u[0]), append(next, n)
		done = done && n.node >= end
	}
	return
}

// subcolumnsHeight is how high a group stands where there is room enough.
func (p *placer) subcolumnsHeight(k int32) unit.Sp {
	g := p.columnsOfGroup(k, p.f.columns[k-1].begin())
	_, used, _, _ := p.planOf(g, g.begin(), p.pageFull()*4)
	return tallest(used)
}

func tallest(used []unit.Sp) (h unit.Sp) {
	for _, u := range used {
		h = max(h, u)
	}
	return h
}

// begin gives the places a group's columns begin at: one where they are levelled.
func (g *subcolumns) begin() []spot {
	at := []spot{{node: g.first + 1}}
	for _, n := range g.starts {
		at = append(at, spot{node: n})
	}
	return at
}

// planOf plans what of a group fits a height: levelled when all does. next is nil
// when all is planned; forced says that rules had to give way.
func (p *placer) planOf(g *subcolumns, at []spot, most unit.Sp) (plan [][]portion, used []unit.Sp, next []spot, forced bool) {
	if len(g.starts) > 0 {
		plan, used, next, done, forced := p.parted(g, at, most)
		if done {
			next = nil
		}
		return plan, used, next, forced
	}
	if plan, used, ok := p.level(g, at[0], most); ok {
		return plan, used, nil, false
	}
	plan, used, n, forced := p.fill(g, at[0], g.last, g.count, most)
	if n.node >= g.last {
		return plan, used, nil, forced
	}
	return plan, used, []spot{n}, forced
}

// groupPlan is what of a group in columns stands in a column of the page.
type groupPlan struct {
	columns [][]portion
	next    []spot  // where it goes on; nil: it does not
	high    unit.Sp // of its highest column
	fits    bool    // with the notes it cites, and no rule had to give way
	holds   bool    // it fits, whatever gave way
}

// plan plans what of a group stands under top, together with the notes cited in it;
// notes is the height of others that come with them. A column that cannot hold the
// notes of one line of the group takes the line alone.
func (p *placer) plan(g *subcolumns, at []spot, top, notes unit.Sp) (gp groupPlan) {
	least := p.j.d.Body.Leading
	for room := p.limit(notes) - top; ; {
		plan, used, next, forced := p.planOf(g, at, room)
		high := tallest(used)
		more := notes + p.citedIn(plan)
		fits := top+high <= p.limit(more)
		gp = groupPlan{plan, next, high, fits && !forced, fits}
		if fits || room <= least {
			return gp
		}
		room = max(min(room, high)-p.grid, least)
	}
}

// begins reports whether a group planned at its beginning may begin there.
func (p *placer) begins(gp *groupPlan, room unit.Sp) bool {
	return gp.fits && (gp.next == nil || room >= 2*p.j.d.Body.Leading)
}

// citedIn is the height of the notes cited in a plan.
func (p *placer) citedIn(plan [][]portion) (h unit.Sp) {
	for _, list := range plan {
		for _, part := range list {
			n := &p.f.nodes[part.node]
			for _, c := range n.calls {
				if n.what != nText || int(c.line) >= part.from && int(c.line) < part.from+part.lines {
					h += p.noteOf(c.note).height
				}
			}
		}
	}
	return h
}

// setColumns sets the group that opens at node i and returns its closing node.
func (p *placer) setColumns(i int) (int, error) {
	n := &p.f.nodes[i]
	defer p.unsuit()
	at := p.f.columns[n.cols-1].begin()
	started := p.resumed != nil && !slices.Equal(p.resumed, at)
	if p.resumed != nil {
		at, p.resumed = p.resumed, nil
	}
	for {
		if err := p.j.tick(); err != nil {
			return 0, err
		}
		p.now = resume{node: i, cols: at}
		if err := p.open(); err != nil {
			return 0, err
		}
		p.clearWrap()
		g := p.columnsOfGroup(n.cols, at)
		top := p.cur.top(n, p.grid)
		if started {
			top = p.cur.y
		}
		room := p.limit(0) - top
		gp := p.plan(g, at, top, 0)
		if !p.cur.empty && !p.begins(&gp, room) && !(gp.holds && p.led()) || p.cur.empty && !gp.fits && p.crowded() {
			if err := p.nextColumn("height"); err != nil {
				return 0, err
			}
			continue
		}
		if !started {
			p.settle(n, top)
		}
		if em := p.j.d.Body.Size; g.width < 6*em && p.f.columns[n.cols-1].width >= 6*em {
			p.j.reportOnce("columnsTooNarrow", "the columns of this group are narrower than six ems of its text in the narrow column of the page", n.start, n.end,
				frame.Field{Key: "columns", Value: strconv.Itoa(g.count)}, frame.Field{Key: "widthPx", Value: strconv.Itoa(int(g.width.Pt() * p.j.d.Page.DPI / 72))})
		}
		if gp.high > room {
			p.j.report("calloutOverflow", "what stands in a group in columns is taller than the page's column", n.start, n.end,
				frame.Field{Key: "overflowMm", Value: millimetres(gp.high - room)})
		}
		p.setPlan(g, gp.columns, top, gp.high)
		if gp.next == nil {
			p.cur = cursor{y: top + gp.high}
			return g.last, nil
		}
		at, started = p.portable(gp.next), true
		p.now = resume{node: i, cols: at}
		p.cur = cursor{y: top + gp.high}
		if err := p.nextColumn("height"); err != nil {
			return 0, err
		}
	}
}

// setPlan sets the columns of a group side by side at top.
func (p *placer) setPlan(g *subcolumns, plan [][]portion, top, high unit.Sp) {
	r := &p.rects[p.col]
	x := r.X
	first := len(p.blocks)
	outer, padded := p.stack, p.padded
	p.suit.under = p.suit.group > 0
	defer func() { p.suit.under = false }()
	for c, list := range plan {
		if len(list) == 0 {
			continue
		}
		r.X = x + unit.Sp(c)*(g.width+g.gap)
		p.cur = cursor{y: top, edge: true}
		if p.stack = p.openAt(g, list[0].node); len(p.stack) > 0 {
			p.reopen()
		}
		for _, part := range list {
			p.setPortion(part, list[len(list)-1].node)
		}
		p.endParts()
	}
	p.stack, p.padded = outer, padded
	r.X = x
	for i := first; i < len(p.groups); i++ {
		p.groups[i] = inColumns
	}
	if g.rule && len(p.blocks) > first {
		rule := p.j.d.Layout.Rule
		width, ink := rule.Width, rule.Color
		if width <= 0 {
			width = unit.Pt / 2
		}
		if ink.A == 0 {
			ink = p.j.d.Body.Color
		}
		for c := 1; c < g.count; c++ {
			at := r.X + g.x + unit.Sp(c)*(g.width+g.gap) - (g.gap+width)/2
			p.blocks[first].Under = append(p.blocks[first].Under, frame.Item{ID: "columnRule", Fill: ink, Box: unit.Rect{X: at, Y: r.Y + top, W: width, H: high}})
		}
	}
}

// setPortion sets what of a node the plan says; last is the last node of its column.
func (p *placer) setPortion(part portion, last int) {
	n := &p.f.nodes[part.node]
	switch n.what {
	case nText, nRow, nFigure:
		top := p.cur.top(n, p.grid)
		base := 0
		if n.what == nText {
			_, base = p.begun(part.node)
		}
		if part.from+base == 0 {
			p.begin(n)
		}
		k, total := part.lines, 1
		if n.what == nText {
			total = len(n.m.lines)
		} else {
			k = 1
		}
		p.now.node = part.node
		if part.fig != nil {
			again := *n
			again.fig, n = part.fig, &again
			if part.fig.next > 0 {
				total = part.from + k + 1 // it goes on
			}
		}
		foot := p.set(n, part.from, k, base, top)
		p.made[len(p.made)-1].node = -1 // balancing does not reach in here
		p.cur.y = foot
		if len(n.calls) > 0 {
			p.cite(n, part.from, k)
		}
		p.call(n, part.from, k)
		if p.cur = (cursor{y: foot}); part.from+k >= total {
			p.cur.set(n, foot)
		}
	case nBoxOpen:
		p.startPart(openedBox{box: n.box, split: p.f.boxes[n.box-1].last > last}, p.cur.top(n, p.grid))
	case nBoxClose:
		p.leave(n)
	case nCite:
		p.call(n, 0, 1)
	case nSpace:
		p.addSpace(&p.cur, part.node)
	case nMark:
		p.begin(n)
	}
}
