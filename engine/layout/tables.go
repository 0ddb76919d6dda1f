package layout

import (
	"strings"
	"unicode/utf8"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// table sets a pipe table in the flow: columns as wide as their content asks,
// rules above, below and under the header, rows never divided.
func (w *walker) table(b *markup.Block, p place) error {
	cols := 0
	for _, r := range b.Rows {
		cols = max(cols, len(r))
	}
	if cols == 0 {
		return nil
	}
	t := p.text
	t.Hyphenate, t.Indent, t.Align = true, 0, "left"
	t.HyphenRagged = true
	most, least, err := w.extents(b, cols, t)
	if err != nil {
		return err
	}
	widths, scale, gap := fitColumns(most, least, p.width, t.Size)
	t.Size, t.Leading = share(t.Size, scale), share(p.leading, scale)
	tall := false
	first := len(w.flow.nodes)
	for i, row := range b.Rows {
		n := node{what: nRow, kind: frame.Table, start: b.Start, end: b.End, x: p.x, leading: t.Leading, group: p.group, whole: true,
			index: w.index, id: b.ID}
		w.index++
		x := p.x
		for c := range row {
			ct := t
			if i < b.HeaderRows {
				ct.Weight = ct.BoldWeight
			}
			al := flushLeft
			switch row[c].Align {
			case "right":
				al = flushRight
			case "center":
				al = centred
			}
			s := w.setting(settingKey{text: ct, width: widths[c], align: al, flags: fByLine})
			m, err := w.measure(row[c].Inlines, s)
			if err != nil {
				return err
			}
			cl := cell{m: m, text: w.textOf(m, row[c].Inlines), x: x, w: widths[c], start: b.Start, end: b.End}
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
		tall = tall || n.heightOf() > n.leading
		if i > 0 && (i == b.HeaderRows || tall) {
			n.above = p.leading / 6 // clear of the rule under the header, or of a row of several lines
		}
		if i == 0 {
			n.above = p.leading / 2
			n.settles = true
			n.rule |= 1
		}
		if i == b.HeaderRows-1 {
			n.rule |= 2
			n.keepNext = true
		}
		if i == len(b.Rows)-1 {
			n.rule |= 2
			n.below = p.leading / 2
			n.snap = true
			n.keepNext = false
			if len(b.Caption) > 0 {
				n.snap, n.keepNext = false, true
			}
		}
		w.flow.nodes = append(w.flow.nodes, n)
	}
	w.afterPara, w.afterHeading = false, false
	w.bindRows(w.flow.nodes[first:], b.HeaderRows)
	if len(b.Caption) == 0 {
		return nil
	}
	return w.tableCaption(b, p)
}

// fewRows are the body rows under which a table is not divided (splitInline).
const fewRows = 5

// bindRows keeps the rows of a small table together, of a larger one the first two
// and the last two; in a further column it goes on under its head.
func (w *walker) bindRows(rows []node, head int) {
	var high unit.Sp
	for i := range rows {
		high += rows[i].heightOf()
	}
	body := len(rows) - head
	whole := body < fewRows || high < w.columnHeight()/4
	var heads []node
	if head < len(rows) && head > 0 {
		for _, n := range rows[:head] {
			n.calls, n.floats, n.keepNext, n.id = nil, nil, false, ""
			heads = append(heads, n)
		}
	}
	for i := range rows {
		if i > head {
			rows[i].heads = heads
		}
		if i+1 < len(rows) && (whole || i == head || i+2 == len(rows)) {
			rows[i].keepNext = true
		}
	}
}

// tableCaption sets the caption of a pipe table under its last row.
func (w *walker) tableCaption(b *markup.Block, p place) error {
	s := &figureSpec{name: b.ID, id: b.ID, start: b.Caption[0].Start, end: b.Caption[len(b.Caption)-1].End, caption: b.Caption,
		style: &w.d.Figures.Caption, place: settings.Placement{Width: 1, CaptionMeasure: "slot"}}
	if b.ID != "" {
		if n := w.numbered(b.ID, ""); n != nil && n.Resource == nil {
			s.number, s.style = n.Number, &n.Type.Caption
			s.label = n.captionLabel(true)
		}
	}
	if err := w.inlineFigure(s, p); err != nil {
		return err
	}
	n := &w.flow.nodes[len(w.flow.nodes)-1]
	n.kind, n.above = frame.Table, s.style.Gap
	return nil
}

// tableScales are the sizes a table is tried at, in thousandths of the text's.
var tableScales = [...]int64{1000, 920, 850, 780, 700}

// fitColumns divides a width among columns whose content would take most and
// cannot do with less than least: the type is the largest at which no word is
// divided, and what room there is beyond that goes by what the columns lack.
func fitColumns(most, least []unit.Sp, width, size unit.Sp) (widths []unit.Sp, scale int64, gap unit.Sp) {
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
func (w *walker) extents(b *markup.Block, cols int, t settings.Text) (most, least []unit.Sp, err error) {
	most, least = make([]unit.Sp, cols), make([]unit.Sp, cols)
	for i, row := range b.Rows {
		ct := t
		if i < b.HeaderRows {
			ct.Weight = ct.BoldWeight
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
