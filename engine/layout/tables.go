package layout

import (
	"slices"
	"strings"
	"unicode/utf8"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// table sets a pipe table in the flow, in the document's table style: columns as
// wide as their content asks, rows never divided.
func (w *walker) table(b *markup.Block, p place) error {
	cols := 0
	for _, r := range b.Rows {
		cols = max(cols, len(r))
	}
	if cols == 0 {
		return nil
	}
	// In a box or a note the table's type is smaller as theirs is.
	ts := &w.d.Figures.Table
	body, head := ts.Body, ts.Header
	pad := ts.Padding
	smaller := func(num, den int64) {
		for _, t := range []*settings.Text{&body, &head} {
			t.Size, t.Leading = max(unit.Sp(unit.MulDiv(int64(t.Size), num, den)), 1), max(unit.Sp(unit.MulDiv(int64(t.Leading), num, den)), 1)
		}
		pad = unit.Sp(unit.MulDiv(int64(pad), num, den))
	}
	if d := &w.d.Body; p.text.Size != d.Size && d.Size > 0 {
		smaller(int64(p.text.Size), int64(d.Size))
	}
	pad = min(pad, p.width/8)
	for _, t := range []*settings.Text{&body, &head} {
		t.Hyphenate, t.HyphenRagged = true, true
	}
	most, least, err := w.extents(b, cols, body, head)
	if err != nil {
		return err
	}
	fit := &tableFit{most: slices.Clone(most), least: slices.Clone(least), width: p.width, size: max(body.Size, head.Size)}
	widths, scale, gap := fitColumns(most, least, p.width-2*pad, max(body.Size, head.Size), 2*pad)
	if fit.scale = scale; scale < 1000 {
		smaller(scale, 1000)
	}
	edges := tableEdges(widths, pad, gap)
	first := len(w.flow.nodes)
	above, below := w.figureGaps(p)
	mark, err := w.tableMark(ts, edges[cols], p.width)
	if err != nil {
		return err
	}
	caption := w.d.Figures.Caption
	if b.ID != "" {
		if n := w.numbered(b.ID, ""); n != nil && n.Resource == nil {
			caption = w.kindOf(n).Caption
		}
	}
	if len(b.Caption) > 0 && caption.Above {
		if err := w.tableCaption(b, p, ""); err != nil {
			return err
		}
		n := &w.flow.nodes[first]
		n.above, n.below, n.snap, n.keepNext = above, 0, false, true // its gap is a part of it
		above = 0
		first++
	}
	for i, row := range b.Rows {
		r := &tableRow{style: ts, pad: pad, x: p.x, fit: fit, edges: edges, header: i < b.HeaderRows,
			alternate: i >= b.HeaderRows && (i-b.HeaderRows)%2 == 1, first: i == 0, under: i == b.HeaderRows && i > 0, last: i == len(b.Rows)-1, mark: mark}
		t := body
		if r.header {
			t = head
		}
		n := node{what: nRow, kind: frame.Table, start: b.Start, end: b.End, x: p.x, leading: t.Leading, group: p.group, whole: true,
			index: w.index, id: b.ID, row: r, keepNext: i < b.HeaderRows}
		w.index++
		x := p.x + pad
		for c := range row {
			al := flushLeft
			switch row[c].Align {
			case "right":
				al = flushRight
			case "center":
				al = centred
			}
			s := w.setting(settingKey{text: t, width: widths[c], align: al, flags: fByLine})
			m, err := w.measure(row[c].Inlines, s)
			if err != nil {
				return err
			}
			cl := cell{in: row[c].Inlines, set: s, m: m, text: w.textOf(m, row[c].Inlines), x: x, w: widths[c], start: b.Start, end: b.End}
			if k := len(row[c].Inlines); k > 0 {
				cl.start, cl.end = row[c].Inlines[0].Start, row[c].Inlines[k-1].End
			}
			n.cells = append(n.cells, cl)
			calls, err := w.callsOf(m, row[c].Inlines)
			if err != nil {
				return err
			}
			for i := range calls {
				calls[i].line = 0
			}
			n.calls = append(n.calls, calls...)
			floats, err := w.floatsOf(m, row[c].Inlines)
			if err != nil {
				return err
			}
			for i := range floats {
				floats[i].line = 0
			}
			n.floats = append(n.floats, floats...)
			x += widths[c] + gap
		}
		if i == 0 {
			n.above, n.settles = above, above > 0
		}
		if r.last {
			n.below, n.snap, n.keepNext = below, true, false
			if len(b.Caption) > 0 && !caption.Above {
				n.below, n.snap, n.keepNext = 0, false, true
			}
		}
		w.flow.nodes = append(w.flow.nodes, n)
	}
	w.afterPara, w.afterHeading = false, false
	var again []node
	if len(b.Caption) > 0 && caption.Above && ts.Suffix != "" {
		if again, err = w.captionAgain(b, p, ts.Suffix); err != nil {
			return err
		}
	}
	w.bindRows(w.flow.nodes[first:], b.HeaderRows, again)
	if len(b.Caption) == 0 || caption.Above {
		return nil
	}
	return w.tableCaption(b, p, "")
}

// tableRow is how a row of a pipe table is drawn.
type tableRow struct {
	style             *settings.TableStyle
	pad               unit.Sp   // over and under the text
	x                 unit.Sp   // of the table, from the column's left edge
	edges             []unit.Sp // of the columns, from there; one more than there are
	header, alternate bool
	first, under      bool // of the table; the first under the head
	last              bool
	rest              unit.Sp // of the rows behind it
	fit               *tableFit
	mark              *tableMark
}

// fill is the ground of the row's cells.
func (r *tableRow) fill() unit.Color {
	switch {
	case r.header:
		return r.style.HeaderFill
	case r.alternate && r.style.AlternateFill.A > 0:
		return r.style.AlternateFill
	}
	return r.style.BodyFill
}

// rules draws the rules over and beside the row, and under the last: from the
// table's left edge at x, the row's top and its height.
func (r *tableRow) rules(x, top, h unit.Sp) (out []frame.Item) {
	ts := r.style
	if !ts.Borders || ts.Rules == "none" {
		return nil
	}
	width := r.edges[len(r.edges)-1]
	flat := func(y, thick unit.Sp) {
		if thick > 0 {
			out = append(out, frame.Item{Box: unit.Rect{X: x, Y: y - thick/2, W: width, H: thick}, Fill: ts.RuleColor, ID: "rule"})
		}
	}
	if ts.Rules == "booktabs" {
		switch {
		case r.first:
			flat(top, ts.Heavy)
		case r.under:
			flat(top, ts.Light)
		}
		if r.last {
			flat(top+h, ts.Heavy)
		}
		return out
	}
	line := ts.RuleWidth
	round := r.round() > 0 // the frame is drawn where the part ends
	if !(r.first && round) && (r.first || ts.Rules != "outer") {
		flat(top, line)
	}
	if r.last && !round {
		flat(top+h, line)
	}
	if ts.Rules == "horizontal" || line <= 0 {
		return out
	}
	for i, e := range r.edges {
		if outer := i == 0 || i == len(r.edges)-1; outer && !round || !outer && ts.Rules == "grid" {
			out = append(out, frame.Item{Box: unit.Rect{X: x + e - line/2, Y: top, W: line, H: h}, Fill: ts.RuleColor, ID: "rule"})
		}
	}
	return out
}

// tableCaption sets the caption of a pipe table, with words behind it.
func (w *walker) tableCaption(b *markup.Block, p place, suffix string) error {
	s := &figureSpec{name: b.ID, id: b.ID, start: b.Caption[0].Start, end: b.Caption[len(b.Caption)-1].End, caption: b.Caption,
		style: &w.d.Figures.Caption, place: settings.Placement{Width: 1, CaptionMeasure: "slot"}}
	if b.ID != "" {
		if n := w.numbered(b.ID, ""); n != nil && n.Resource == nil {
			s.number, s.style = n.Number, &w.kindOf(n).Caption
			s.label = n.captionLabel(true)
		}
	}
	if suffix != "" {
		s.caption = append(slices.Clip(s.caption), markup.Inline{Kind: markup.Chip, Text: " " + suffix, Style: markup.Italic, Start: s.end, End: s.end})
	}
	if err := w.inlineFigure(s, p); err != nil {
		return err
	}
	n := &w.flow.nodes[len(w.flow.nodes)-1]
	n.kind, n.above, n.settles = frame.Table, 0, s.style.Above
	return nil
}

// tableScales are the sizes a table is tried at, in thousandths of the text's.
var tableScales = [...]int64{1000, 920, 850, 780, 700}

// fitColumns divides a width among columns whose content would take most and
// cannot do with less than least, with an em between them, or two paddings: the
// type is the largest at which no word is divided, and what room there is beyond
// that goes by what the columns lack.
func fitColumns(most, least []unit.Sp, width, size, pads unit.Sp) (widths []unit.Sp, scale int64, gap unit.Sp) {
	n := unit.Sp(len(most))
	var sum, low unit.Sp
	for i := range most {
		// A word much wider than the columns' share (an address) has to be cut.
		least[i] = min(least[i], width*3/2/n)
		most[i] = max(most[i], least[i], 1)
		sum, low = sum+most[i], low+least[i]
	}
	var room unit.Sp
	for _, scale = range tableScales {
		gap = share(size, scale)
		if n > 5 {
			gap = gap * 2 / 3
		}
		gap = max(gap, share(pads, scale))
		if room = width - gap*(n-1); room < width/2 {
			gap = width / 2 / n
			room = width - gap*(n-1)
		}
		if share(low, scale) <= room {
			break
		}
	}
	sum, low = share(sum, scale), share(low, scale)
	widths = make([]unit.Sp, n)
	for i := range widths {
		a, z := share(least[i], scale), share(most[i], scale)
		switch {
		case sum <= room:
			widths[i] = z
		case low > room:
			widths[i] = unit.Sp(unit.MulDiv(int64(a), int64(room), int64(max(low, 1))))
		default:
			widths[i] = a + unit.Sp(unit.MulDiv(int64(room-low), int64(z-a), int64(max(sum-low, 1))))
		}
		widths[i] = max(widths[i], 1)
	}
	return widths, scale, gap
}

// extents measures, for each column, its widest line and its widest word.
func (w *walker) extents(b *markup.Block, cols int, body, head settings.Text) (most, least []unit.Sp, err error) {
	most, least = make([]unit.Sp, cols), make([]unit.Sp, cols)
	for i, row := range b.Rows {
		ct := body
		if i < b.HeaderRows {
			ct = head
		}
		ts := w.l.typeOf(ct, &w.d.Code, false)
		for c := range row {
			var line, word unit.Sp
			for k := range row[c].Inlines {
				in := &row[c].Inlines[k]
				text, st, isRef := in.Text, markup.Style(0), false
				switch in.Kind {
				case markup.Text:
				case markup.Break:
					line, word = 0, 0
					continue
				case markup.Anchor, markup.IndexMark, markup.Tab:
					continue
				default:
					text, st, isRef = w.printed(in)
				}
				rs, err := w.l.style(w.ctx, ts, in.Style|st, isRef)
				if err != nil {
					return nil, nil, err
				}
				for rest := text; rest != ""; {
					n := strings.IndexByte(rest, ' ')
					if n == 0 {
						line += rs.f.space
						word, rest = 0, rest[1:]
						continue
					}
					if n < 0 || n > maxPiece {
						n = min(len(rest), maxPiece)
						for n < len(rest) && !utf8.RuneStart(rest[n]) {
							n++
						}
					}
					// A share above the width, so that rounding at another size does no harm.
					x := rs.f.part(rest[:n]).width * 101 / 100
					line, word, rest = line+x, word+x, rest[n:]
					most[c], least[c] = max(most[c], line), max(least[c], word)
				}
			}
		}
	}
	return most, least, nil
}
