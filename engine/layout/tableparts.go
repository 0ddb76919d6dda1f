package layout

import (
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Pipe tables over several columns (settings.md 27). The rows of a small table stay
// together; a larger one goes on in the next column under its head, a line under
// each part that goes on says so, and each part has a frame of its own.

// tableMark is the line under a part of a table that goes on.
type tableMark struct {
	words     string
	line      *frame.LineSet
	x         unit.Sp // from the table's left edge
	gap, high unit.Sp
}

// height is the room the line takes with the space over it.
func (m *tableMark) height() unit.Sp {
	if m == nil {
		return 0
	}
	return m.gap + m.high
}

// tableMark sets the line for a table of a width, which it may pass up to most; nil
// where the style has none.
func (w *walker) tableMark(ts *settings.TableStyle, width, most unit.Sp) (*tableMark, error) {
	if ts.Marker == "" {
		return nil, nil
	}
	c := &w.d.Figures.Caption
	m, err := w.figText([]markup.Inline{{Kind: markup.Chip, Text: ts.Marker, Style: markup.Italic}}, c.Note, most, flushLeft)
	if err != nil || len(m.lines) != 1 {
		return nil, err
	}
	line := &m.lines[0]
	return &tableMark{words: ts.Marker, line: line, x: max(width-line.Width, 0), gap: c.NoteGap, high: c.Note.Leading}, nil
}

// captionAgain is the caption over the further parts of a pipe table.
func (w *walker) captionAgain(b *markup.Block, p place, suffix string) ([]node, error) {
	at, index := len(w.flow.nodes), w.index
	if err := w.tableCaption(b, p, suffix); err != nil {
		return nil, err
	}
	again := append([]node(nil), w.flow.nodes[at:]...)
	w.flow.nodes, w.index = w.flow.nodes[:at], index
	for i := range again {
		n := &again[i]
		n.above, n.below, n.snap, n.settles, n.keepNext, n.id = 0, 0, false, false, false, ""
	}
	return again, nil
}

// fewRows are the body rows under which a table is not divided (splitInline).
const fewRows = 5

// bindRows keeps the rows of a small table together, of a larger one the first two
// and the last two; in a further column it goes on under again, its caption, and its
// head.
func (w *walker) bindRows(rows []node, head int, again []node) {
	var high unit.Sp
	for i := range rows {
		high += rows[i].heightOf()
	}
	body := len(rows) - head
	whole := body < fewRows || high < w.columnHeight()/4
	var heads []node
	if head < len(rows) && head > 0 {
		heads = append(heads, again...)
		for _, n := range rows[:head] {
			n.calls, n.floats, n.keepNext, n.id = nil, nil, false, ""
			heads = append(heads, n)
		}
	}
	for i := range rows {
		high -= rows[i].heightOf()
		if rows[i].row.rest = high; i > head {
			rows[i].heads = heads
		}
		if i+1 < len(rows) && (whole || i == head || i+2 == len(rows)) {
			rows[i].keepNext = true
		}
	}
}

// markRoom is the room to be kept under a row set at top, for the line that says that
// the table goes on: none where all of the table follows.
func (p *placer) markRoom(n *node, top unit.Sp) unit.Sp {
	if n.row == nil || n.row.last || n.row.mark == nil || top+n.heightOf()+n.row.rest <= p.limit(0) {
		return 0
	}
	return n.row.mark.height()
}

// goesOn ends the part of a pipe table before row n, which moves to the next column:
// a rule under it, and the line that says that it goes on.
func (p *placer) goesOn(n *node) {
	if n.row == nil || n.row.first || len(p.blocks) == 0 {
		return
	}
	ts := n.row.style
	last := p.blocks[len(p.blocks)-1]
	if last.Kind != frame.Table {
		return
	}
	thick := ts.RuleWidth
	if ts.Rules == "booktabs" {
		switch thick = ts.Heavy; ts.ContinuedFoot {
		case "light":
			thick = ts.Light
		case "none":
			thick = 0
		}
	}
	left, y := p.rects[p.col].X+n.row.x, p.rects[p.col].Y+p.cur.y
	if round := n.row.round(); round > 0 {
		p.frameTable(n.row, left, y)
	} else if ts.Borders && ts.Rules != "none" && thick > 0 {
		last.Under = append(last.Under, frame.Item{ID: "rule", Fill: ts.RuleColor,
			Box: unit.Rect{X: left, Y: y - thick/2, W: n.row.edges[len(n.row.edges)-1], H: thick}})
	}
	if m := n.row.mark; m != nil && p.cur.y+m.height() <= p.limit(0) {
		top := y + m.gap
		last.Over = append(last.Over, frame.Item{ID: "continues", Plain: m.words, Box: unit.Rect{X: left + m.x, Y: top, W: m.line.Width, H: m.high},
			Text: &frame.Line{X: left + m.x, Top: top, Height: m.high, Baseline: top + share(m.high, 800), LineSet: m.line}})
		p.cur.y += m.height()
	}
}

// round is the radius of the corners of the table's frame, 0 for square ones.
func (r *tableRow) round() unit.Sp {
	if r.style.Rules == "booktabs" {
		return 0
	}
	return min(r.style.Radius, r.edges[len(r.edges)-1]/2)
}

// frameTable rounds the corners of the part of a table that ends at foot, and draws
// its frame.
func (p *placer) frameTable(r *tableRow, left, foot unit.Sp) {
	from := p.tableFrom
	if from >= len(p.blocks) || p.blocks[from].Kind != frame.Table || p.blocks[from].Box.X != left {
		return
	}
	area := unit.Rect{X: left, Y: p.blocks[from].Box.Y, W: r.edges[len(r.edges)-1]}
	area.H = foot - area.Y
	round := min(r.round(), area.H/2)
	for _, b := range p.blocks[from:] {
		if len(b.Under) == 0 || b.Under[0].ID != "fill" {
			continue
		}
		pt := figPart{fill: b.Under[0].Fill, round: min(round, b.Box.W, b.Box.H), w: b.Box.W, h: b.Box.H}
		if pt.cornersIn(b.Box, area); pt.corners != [4]bool{} && 2*pt.round <= pt.w && 2*pt.round <= pt.h {
			b.Under = append(pt.cornerFills(b.Box), b.Under[1:]...)
		}
	}
	ts := r.style
	if !ts.Borders || ts.Rules == "none" || ts.RuleWidth <= 0 {
		return
	}
	line := ts.RuleWidth
	last := p.blocks[len(p.blocks)-1]
	if ts.Rules == "horizontal" { // it has no sides to be rounded
		for _, y := range []unit.Sp{area.Y, foot} {
			last.Under = append(last.Under, frame.Item{ID: "rule", Fill: ts.RuleColor, Box: unit.Rect{X: left, Y: y - line/2, W: area.W, H: line}})
		}
		return
	}
	last.Under = append(last.Under, frame.Item{ID: "rule", Stroke: ts.RuleColor, Line: line, Radius: round + line/2,
		Box: unit.Rect{X: left - line/2, Y: area.Y - line/2, W: area.W + line, H: area.H + line}})
}
