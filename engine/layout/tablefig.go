package layout

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// tableCut asks for as many rows of a table as fit a height.
const tableCut = -1

// rows counts the body rows of a table, 0 for a picture.
func (s *figureSpec) rows() int {
	if s.table == nil {
		return 0
	}
	return max(len(s.table.Rows)-s.table.HeaderRows, 0)
}

// canSplit reports whether the figure is a table that may go on in another slot.
func (s *figureSpec) canSplit() bool {
	return s != nil && s.rows() > 0 && s.tableStyle.Overflow == "split"
}

// grid is a table measured for a width: its columns, and the heights of its rows.
type grid struct {
	xs, ws  []unit.Sp
	heights []unit.Sp
	cells   []gridCell
	first   []int        // of each row, and behind the last: where its cells begin
	joined  []bool       // row i is tied to the one before by a merged cell
	groups  map[int]bool // rows of one cell over all columns
}

// of gives the cells that begin in a row.
func (g *grid) of(row int) []gridCell { return g.cells[g.first[row]:g.first[row+1]] }

// cellsOf goes over the cells that begin in rows.
func (g *grid) cellsOf(rows []int) iter.Seq[*gridCell] {
	return func(yield func(*gridCell) bool) {
		for _, r := range rows {
			list := g.of(r)
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// group reports whether a body row heads a group: one cell over all columns.
func (g *grid) group(row, head int) bool { return row >= head && g.groups[row] }

type gridCell struct {
	row, col, rows, cols int
	m                    *measured
	pic                  *Found
	picW, picH           unit.Sp
	name                 string
	header               bool
	fill                 unit.Color
	valign               string
	leading              unit.Sp
	height               unit.Sp
}

// cellText reads a cell's inline Markdown: a line end, or \\, begins a paragraph.
func (j *job) cellText(text string) []markup.Inline {
	var out []markup.Inline
	for i, line := range strings.Split(strings.ReplaceAll(text, `\\`, "\n"), "\n") {
		if i > 0 {
			out = append(out, markup.Inline{Kind: markup.Break})
		}
		for _, in := range j.words(strings.TrimSpace(line)) {
			if in.Kind == markup.Citation { // cells print them as they are written (10)
				in.Kind = markup.Text
			}
			out = append(out, in)
		}
	}
	return out
}

// words reads inline Markdown that stands in no chapter.
func (j *job) words(text string) []markup.Inline {
	if text == "" {
		return nil
	}
	if in, ok := j.l.words[text]; ok {
		return in
	}
	doc := markup.Parse(text, markup.Options{Locale: j.d.Locale, NoCodeBlocks: true})
	var in []markup.Inline
	markup.Walk(doc.Blocks, func(b *markup.Block) bool {
		if len(b.Inlines) > 0 {
			if len(in) > 0 {
				in = append(in, markup.Inline{Kind: markup.Text, Text: " "})
			}
			in = append(in, b.Inlines...)
		}
		return true
	})
	if len(in) == 0 {
		in = []markup.Inline{{Kind: markup.Text, Text: text}}
	}
	if j.l.words == nil || len(j.l.words) > 5000 {
		j.l.words = map[string][]markup.Inline{}
	}
	j.l.words[text] = in
	return in
}

// gridKey is a table and the width it was measured for.
type gridKey struct {
	spec  *figureSpec
	width unit.Sp
}

// gridOf measures a table for a width, once for all the parts it is set in.
func (j *job) gridOf(s *figureSpec, width unit.Sp) (*grid, error) {
	k := gridKey{s, width}
	if g := j.grids[k]; g != nil {
		return g, nil
	}
	g, err := j.measureTable(s, width)
	if err != nil {
		return nil, err
	}
	if j.grids == nil {
		j.grids = map[gridKey]*grid{}
	}
	j.grids[k] = g
	return g, nil
}

// measureTable measures a table's cells for a width.
func (j *job) measureTable(s *figureSpec, width unit.Sp) (*grid, error) {
	t, ts := s.table, s.tableStyle
	cols := 0
	for _, r := range t.Rows {
		cols = max(cols, len(r))
	}
	g := &grid{xs: make([]unit.Sp, cols), ws: make([]unit.Sp, cols), heights: make([]unit.Sp, len(t.Rows)), joined: make([]bool, len(t.Rows))}
	// Columns by weight; unset weights are equal.
	weight := func(c int) int64 {
		if c < len(t.Widths) && t.Widths[c] > 0 {
			return max(int64(float64(min(t.Widths[c], 1e6)*1000)), 1)
		}
		return 1000
	}
	var sum int64
	for c := range cols {
		sum += weight(c)
	}
	var at int64
	for c := range cols {
		g.xs[c] = unit.Sp(unit.MulDiv(int64(width), at, max(sum, 1)))
		at += weight(c)
		g.ws[c] = unit.Sp(unit.MulDiv(int64(width), at, max(sum, 1))) - g.xs[c]
	}
	pad := ts.Padding
	for ri, row := range t.Rows {
		g.first = append(g.first, len(g.cells))
		for ci := range row {
			c := &row[ci]
			if c.HiddenBy != nil {
				continue
			}
			gc := gridCell{row: ri, col: ci, rows: max(c.RowSpan, 1), cols: max(c.ColSpan, 1), header: c.IsHeader || ri < t.HeaderRows, valign: c.VerticalAlign}
			gc.rows, gc.cols = min(gc.rows, len(t.Rows)-ri), min(gc.cols, cols-ci)
			for k := ri + 1; k < ri+gc.rows; k++ {
				g.joined[k] = true
			}
			w := g.xs[ci+gc.cols-1] + g.ws[ci+gc.cols-1] - g.xs[ci]
			text := ts.Body
			if gc.header {
				text = ts.Header
			}
			gc.leading = text.Leading
			if c.Background != nil {
				if col, ok := settings.ParseColor(c.Background.Hex); ok {
					gc.fill = col
				}
			}
			inner := max(w-2*min(pad, w/4), 1)
			if im := c.Image; im != nil {
				gc.name = im.ResourceID
				if err := j.cellPicture(s, &gc, im, inner); err != nil {
					return nil, err
				}
			}
			if c.Content != "" {
				al := flushLeft
				if c.Align != "" {
					al = alignOf(c.Align)
				}
				var err error
				if gc.m, err = j.figText(j.cellText(c.Content), text, inner, al); err != nil {
					return nil, err
				}
				gc.height = unit.Sp(len(gc.m.lines)) * gc.leading
			}
			if gc.picH > 0 {
				gc.height += gc.picH
				if gc.m != nil {
					gc.height += pad
				}
			}
			gc.height = max(gc.height, gc.leading) + 2*pad
			if gc.rows == 1 {
				g.heights[ri] = max(g.heights[ri], gc.height)
			}
			if gc.cols == cols && cols > 1 && gc.rows == 1 {
				if g.groups == nil {
					g.groups = map[int]bool{}
				}
				g.groups[ri] = true
			}
			g.cells = append(g.cells, gc)
		}
		g.heights[ri] = max(g.heights[ri], ts.Body.Leading/2)
		if err := j.tick(); err != nil {
			return nil, err
		}
	}
	g.first = append(g.first, len(g.cells))
	// A merged cell that needs more than its rows have gets it in its last row.
	for i := range g.cells {
		if c := &g.cells[i]; c.rows > 1 {
			var have unit.Sp
			for k := c.row; k < c.row+c.rows; k++ {
				have += g.heights[k]
			}
			if have < c.height {
				g.heights[c.row+c.rows-1] += c.height - have
			}
		}
	}
	return g, nil
}

// cellPicture measures the picture of a cell.
func (j *job) cellPicture(s *figureSpec, gc *gridCell, im *book.CellImage, inner unit.Sp) error {
	var r *book.Resource
	if j.in.Record != nil {
		r = j.in.Record(im.ResourceID)
	}
	if r == nil {
		j.figureProblem("unknownResourceId", im.ResourceID, "a cell of #"+s.id+" shows the picture "+im.ResourceID+", which is no resource", s.start, s.end,
			frame.Field{Key: "usage", Value: "cellImage"}, frame.Field{Key: "inResource", Value: s.id})
		return nil
	}
	f, err := j.lookAt(im.ResourceID, r)
	if err != nil || f.Picture == nil {
		return err
	}
	gc.pic = &f
	gc.picW, gc.picH = f.Picture.Natural(j.dots(&f))
	most := inner
	if im.Width > 0 && im.Width < 1 {
		most = max(share(inner, int64(float64(im.Width*1000))), 1)
	}
	gc.picW, gc.picH = most, max(unit.Sp(unit.MulDiv(int64(gc.picH), int64(most), int64(max(gc.picW, 1)))), 1)
	return nil
}

// clip takes from a cell what stands lower than a height.
func (g *grid) clip(c *gridCell, high unit.Sp) {
	c.height = min(c.height, high)
	if c.picH > high {
		c.pic, c.picW, c.picH = nil, 0, 0
	}
	if c.m != nil {
		n := min(max(int((high-c.picH)/c.leading), 0), len(c.m.lines))
		m := *c.m
		m.lines, m.offs = m.lines[:n], m.offs[:n]
		c.m = &m
	}
}

// setTable appends a table's parts to a figure from y on: the header rows, then
// the body rows from the row from (counted in the body) as far as they fit; where
// it is not cut but may be, up to the row that passes high, for the figure to be
// known as too high. It returns the foot, and the body row it goes on from, 0 for
// none.
func (j *job) setTable(f *figure, s *figureSpec, y, high unit.Sp, cut bool, from int) (unit.Sp, int, error) {
	g, err := j.gridOf(s, f.width)
	if err != nil {
		return y, 0, err
	}
	t, ts := s.table, s.tableStyle
	most := unit.Sp(0)
	if !cut && s.canSplit() {
		most = high
	}
	head := min(max(t.HeaderRows, 0), len(t.Rows))
	var rows []int
	for i := range head {
		rows = append(rows, i)
		high -= g.heights[i]
	}
	next := 0
	used := unit.Sp(0)
	for i := head + from; i < len(t.Rows); {
		if most > 0 && used > most {
			next = i - head
			break
		}
		// Rows tied by a merged cell stay together.
		end, h := i+1, g.heights[i]
		for ; end < len(t.Rows) && g.joined[end]; end++ {
			h += g.heights[end]
		}
		if cut && used+h > high && (i > head+from || ts.Overflow == "hide") {
			if ts.Overflow == "split" {
				next = i - head
				break
			}
			// The rest is not shown: at the edge, or from the row on that passes it.
			j.figureProblem("notLaidOut", s.id, "#"+s.id+" is higher than its page: its rows from "+strconv.Itoa(i-head+1)+" on are left out, as tableStyle.overflow asks",
				s.start, s.end)
			if left := high - used; ts.Overflow == "clip" && left > ts.Padding && end == i+1 {
				own := *g
				own.heights, own.cells = slices.Clone(g.heights), slices.Clone(g.cells)
				g = &own
				g.heights[i] = left
				for k := range g.of(i) {
					g.clip(&g.of(i)[k], left-ts.Padding)
				}
				rows = append(rows, i)
			}
			break
		}
		used += h
		for ; i < end; i++ {
			rows = append(rows, i)
		}
	}
	tops := map[int]unit.Sp{}
	at := y
	for _, r := range rows {
		tops[r] = at
		at += g.heights[r]
	}
	shown := map[int]bool{}
	for _, r := range rows {
		shown[r] = true
	}
	pad := ts.Padding
	for c := range g.cellsOf(rows) {
		var h unit.Sp
		for k := c.row; k < c.row+c.rows && shown[k]; k++ {
			h += g.heights[k]
		}
		w := g.xs[c.col+c.cols-1] + g.ws[c.col+c.cols-1] - g.xs[c.col]
		p := figPart{part: "cell", x: g.xs[c.col], y: tops[c.row], w: w, h: h, row: c.row, col: c.col, fill: c.fill, leading: c.leading, dx: min(pad, w/4)}
		if p.fill.A == 0 {
			switch {
			case c.header:
				p.fill = ts.HeaderFill
			case ts.AlternateFill.A > 0 && (c.row-head)%2 == 1:
				p.fill = ts.AlternateFill
			default:
				p.fill = ts.BodyFill
			}
		}
		room := h - c.height
		p.dy = pad
		switch c.valign {
		case "middle":
			p.dy += room / 2
		case "bottom":
			p.dy += room
		}
		if c.pic != nil {
			p.pic, p.name = c.pic.Picture, c.name
			p.picBox = unit.Rect{X: p.dx, Y: p.dy, W: c.picW, H: c.picH}
			p.dy += c.picH + pad
		}
		p.m = c.m
		p.text = &frame.Text{}
		if c.m != nil {
			p.text = foreignText(c.m.plain, s.start, s.end)
		}
		f.parts = append(f.parts, p)
	}
	if next > 0 && cut {
		// A row that heads a group stays with the group.
		for n := len(rows) - 1; n > head && rows[n] > head+from && g.group(rows[n], t.HeaderRows); n-- {
			at -= g.heights[rows[n]]
			next = rows[n] - head
			f.parts = slices.DeleteFunc(f.parts, func(p figPart) bool { return p.part == "cell" && p.row == rows[n] })
			rows = rows[:n]
		}
	}
	if r := min(ts.Radius, f.width/2, (at-y)/2); r > 0 {
		f.roundCorners(r, unit.Rect{Y: y, W: f.width, H: at - y})
	}
	if len(f.parts) > 0 && len(rows) > 0 {
		// Rules are laid over the fills: with the last part.
		lastPart := &f.parts[len(f.parts)-1]
		lastPart.rules = append(lastPart.rules, tableRules(ts, g, rows, tops, y, at, f.width, head, next > 0)...)
	}
	return at, next, nil
}

// roundCorners rounds the fills of the cells in the corners of a table.
func (f *figure) roundCorners(r unit.Sp, table unit.Rect) {
	for i := range f.parts {
		p := &f.parts[i]
		if p.part != "cell" || p.fill.A == 0 {
			continue
		}
		p.cornersIn(unit.Rect{X: p.x, Y: p.y, W: p.w, H: p.h}, table)
		p.round = min(r, p.w, p.h)
	}
}

// cornersIn notes which corners of a cell are corners of its table.
func (p *figPart) cornersIn(cell, table unit.Rect) {
	left, right := cell.X <= table.X, cell.Right() >= table.Right()
	top, foot := cell.Y <= table.Y, cell.Bottom() >= table.Bottom()
	p.corners = [4]bool{left && top, right && top, left && foot, right && foot}
}

// cornerFills are what fills a part of which some corners are round: strips
// between the corners, and a square or a rounded one in each.
func (p *figPart) cornerFills(box unit.Rect) []frame.Item {
	r := p.round
	fill := func(x, y, w, h, radius unit.Sp) frame.Item {
		return frame.Item{Box: unit.Rect{X: x, Y: y, W: w, H: h}, Fill: p.fill, Radius: radius, ID: "fill"}
	}
	out := []frame.Item{fill(box.X+r, box.Y, box.W-2*r, box.H, 0), fill(box.X, box.Y+r, r, box.H-2*r, 0), fill(box.Right()-r, box.Y+r, r, box.H-2*r, 0)}
	if p.corners != [4]bool{} && 2*r <= box.W && 2*r <= box.H {
		// A round plate gives the round corners, squares the others.
		out = append(out, fill(box.X, box.Y, box.W, box.H, r))
	}
	for i, round := range p.corners {
		if round {
			continue
		}
		x, y := box.X, box.Y
		if i%2 == 1 {
			x = box.Right() - r
		}
		if i > 1 {
			y = box.Bottom() - r
		}
		out = append(out, fill(x, y, r, r, 0))
	}
	return out
}

// tableRules draws the rules of the rows set.
func tableRules(ts *settings.TableStyle, g *grid, rows []int, tops map[int]unit.Sp, top, foot, width unit.Sp, head int, goesOn bool) []frame.Item {
	if !ts.Borders || ts.Rules == "none" {
		return nil
	}
	var out []frame.Item
	flat := func(x, y, w, thick unit.Sp) {
		if thick > 0 {
			out = append(out, frame.Item{Box: unit.Rect{X: x, Y: y - thick/2, W: w, H: thick}, Fill: ts.RuleColor, ID: "rule"})
		}
	}
	if ts.Rules == "booktabs" {
		flat(0, top, width, ts.Heavy)
		if head > 0 && len(rows) > head {
			flat(0, tops[rows[head]], width, ts.Light)
		}
		for c := range g.cellsOf(rows) {
			// Under heads over several columns; not on the rule under all of them.
			if c.row+c.rows >= head || c.cols < 2 || c.m == nil || ts.SpanRules == "none" || len(rows) < head {
				continue
			}
			x, w := g.xs[c.col], g.xs[c.col+c.cols-1]+g.ws[c.col+c.cols-1]-g.xs[c.col]
			if trim := min(ts.SpanTrim, w/4); ts.SpanRules == "trimmed" {
				x, w = x+trim, w-2*trim
			}
			flat(x, tops[c.row+c.rows], w, ts.SpanRule)
		}
		for k, r := range rows {
			if ts.GroupRules && k > head && g.group(r, head) {
				flat(0, tops[r], width, ts.Light)
			}
		}
		end := ts.Heavy
		if goesOn {
			switch ts.ContinuedFoot {
			case "light":
				end = ts.Light
			case "none":
				end = 0
			}
		}
		flat(0, foot, width, end)
		return out
	}
	line := ts.RuleWidth
	round := min(ts.Radius, width/2, (foot-top)/2)
	if round > 0 && ts.Rules != "horizontal" {
		out = append(out, frame.Item{Box: unit.Rect{X: -line / 2, Y: top - line/2, W: width + line, H: foot - top + line},
			Stroke: ts.RuleColor, Line: line, Radius: round + line/2, ID: "rule"})
	} else {
		flat(0, top, width, line)
		flat(0, foot, width, line)
	}
	upright := func(x, y, h unit.Sp) {
		if line > 0 {
			out = append(out, frame.Item{Box: unit.Rect{X: x - line/2, Y: y, W: line, H: h}, Fill: ts.RuleColor, ID: "rule"})
		}
	}
	if ts.Rules != "horizontal" && round <= 0 {
		upright(0, top, foot-top)
		upright(width, top, foot-top)
	}
	if ts.Rules == "outer" {
		return out
	}
	// Inside: under and beside every cell that does not end the table.
	shown := map[int]bool{}
	for _, r := range rows {
		shown[r] = true
	}
	for c := range g.cellsOf(rows) {
		x, w := g.xs[c.col], g.xs[c.col+c.cols-1]+g.ws[c.col+c.cols-1]-g.xs[c.col]
		var h unit.Sp
		for k := c.row; k < c.row+c.rows && shown[k]; k++ {
			h += g.heights[k]
		}
		if y := tops[c.row] + h; y < foot {
			flat(x, y, w, line)
		}
		if ts.Rules == "grid" && x+w < width {
			upright(x+w, tops[c.row], h)
		}
	}
	return out
}
