package layout

import (
	"postext/engine/frame"
	"postext/engine/markup"
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
	if cols > 4 {
		t.Size = t.Size * 85 / 100
	}
	gap := t.Size
	room := p.width - gap*unit.Sp(cols-1)
	if room < unit.Sp(cols)*t.Size {
		gap = 0
		room = p.width
	}
	widths, err := w.columnWidths(b, p, t.Size, cols, room)
	if err != nil {
		return err
	}
	for i, row := range b.Rows {
		n := node{what: nRow, kind: frame.Table, start: b.Start, end: b.End, x: p.x, leading: p.leading, group: p.group, whole: true,
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
			x += widths[c] + gap
		}
		if i > 0 && i == b.HeaderRows {
			n.above = p.leading / 6 // clear of the rule under the header
		}
		if i == 0 {
			n.above = p.leading / 2
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
		}
		w.flow.nodes = append(w.flow.nodes, n)
	}
	w.afterPara, w.afterHeading = false, false
	return nil
}

// columnWidths divides the room among the columns: each has at least its widest
// word, up to a fair share; the rest goes by the length of the content.
func (w *walker) columnWidths(b *markup.Block, p place, size unit.Sp, cols int, room unit.Sp) ([]unit.Sp, error) {
	most := make([]unit.Sp, cols)
	least := make([]unit.Sp, cols)
	for _, row := range b.Rows {
		for c := range row {
			var len, word, long unit.Sp
			for i := range row[c].Inlines {
				for _, r := range row[c].Inlines[i].Text {
					len++
					if word++; r == ' ' {
						word = 0
					}
					long = max(long, word)
				}
			}
			// Half an em a letter is a fair guess; the measure that follows decides.
			most[c] = max(most[c], min(len*size*55/100+size/2, 4*room))
			least[c] = max(least[c], min(long*size*60/100+size/2, room/unit.Sp(cols)))
		}
	}
	var sum, low unit.Sp
	for c := range most {
		most[c] = max(most[c], least[c], size)
		least[c] = max(least[c], size/2)
		sum += most[c]
		low += least[c]
	}
	out := make([]unit.Sp, cols)
	if sum <= room {
		copy(out, most)
		return out, nil
	}
	spare := max(room-low, 0)
	for c := range out {
		out[c] = least[c]
		if d := sum - low; d > 0 {
			out[c] += unit.Sp(unit.MulDiv(int64(spare), int64(most[c]-least[c]), int64(d)))
		}
		if low > room {
			out[c] = unit.Sp(unit.MulDiv(int64(least[c]), int64(room), int64(low)))
		}
		out[c] = max(out[c], 1)
	}
	return out, nil
}
