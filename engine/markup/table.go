package markup

import "strings"

// maxFilled bounds the empty cells added to rows that are too short.
const maxFilled = 1 << 17

// delimiterRow reads the row of dashes under a table's head: one alignment a
// column. ok is false when the line is none.
func delimiterRow(s string, aligns []string) (_ []string, ok bool) {
	s = strings.Trim(s, " \t")
	if strings.IndexByte(s, '|') < 0 && strings.IndexByte(s, ':') < 0 && !strings.HasPrefix(s, "-") {
		return nil, false
	}
	s = strings.TrimPrefix(s, "|")
	s = strings.TrimSuffix(s, "|")
	for i := 0; ; {
		i = skipBlank(s, i)
		left := i < len(s) && s[i] == ':'
		if left {
			i++
		}
		n := i
		for i < len(s) && s[i] == '-' {
			i++
		}
		if i == n {
			return nil, false
		}
		right := i < len(s) && s[i] == ':'
		if right {
			i++
		}
		i = skipBlank(s, i)
		align := ""
		switch {
		case left && right:
			align = "center"
		case left:
			align = "left"
		case right:
			align = "right"
		}
		aligns = append(aligns, align)
		if i == len(s) {
			return aligns, true
		}
		if s[i] != '|' {
			return nil, false
		}
		i++
	}
}

// cells cuts a row at its pipes and gives each cell's span; a pipe after a
// backslash belongs to the cell.
func (p *parser) cells(l line, give func(start, end int)) int {
	s, base := p.text(l)
	from := 0
	if strings.HasPrefix(s, "|") {
		from = 1
	}
	n := 0
	for i := from; i <= len(s); i++ {
		if i+1 < len(s) && s[i] == '\\' {
			i++
			continue
		}
		if i < len(s) && s[i] != '|' {
			continue
		}
		end := i
		if end == len(s) && from == len(s) && n > 0 {
			break // after the closing pipe
		}
		a, b := from, end
		for a < b && isBlankByte(s[a]) {
			a++
		}
		for b > a && isBlankByte(s[b-1]) {
			b--
		}
		if give != nil {
			give(base+a, base+b)
		}
		n++
		from = i + 1
	}
	return n
}

// tableHead reports that line i is the head row of a table.
func (r *run) tableHead(i int) bool {
	if i+1 >= len(r.ls) {
		return false
	}
	p := r.p
	ind, pos := p.indent(r.ls[i+1])
	if pos == int(r.ls[i+1].end) || ind > 3 {
		return false
	}
	switch p.src[pos] {
	case '|', '-', ':':
	default:
		return false
	}
	head := p.src[r.ls[i].start:r.ls[i].end]
	under := p.src[pos:r.ls[i+1].end]
	if strings.IndexByte(head, '|') < 0 {
		return false
	}
	var room [16]string
	aligns, ok := delimiterRow(under, room[:0])
	return ok && p.cells(r.ls[i], nil) == len(aligns)
}

// table reads a pipe table and the caption line after it; it returns i when
// there is none.
func (r *run) table(i int) int {
	if !r.tableHead(i) {
		return i
	}
	p := r.p
	aligns, _ := delimiterRow(p.src[r.ls[i+1].start:r.ls[i+1].end], nil)
	_, start := p.text(r.ls[i])
	b := p.newBlock(Table, start, start)
	b.HeaderRows = 1
	r.row(b, i, aligns)
	j := i + 2
	for ; j < len(r.ls); j++ {
		ind, pos := p.indent(r.ls[j])
		if pos == int(r.ls[j].end) || r.interrupts(j, ind, pos) && p.src[pos] != '|' {
			break
		}
		if isCaption(p.src[pos:r.ls[j].end]) {
			break
		}
		r.row(b, j, aligns)
	}
	last, lastStart := p.text(r.ls[j-1])
	b.End = lastStart + len(last)
	for y := range b.Rows {
		for x := range b.Rows[y] {
			c := &b.Rows[y][x]
			if c.End > c.Start {
				p.later(b, []line{{start: int32(c.Start), end: int32(c.End)}}, flagCell|r.flags(), &c.Inlines)
			}
		}
	}
	r.add(b)
	return r.caption(b, j)
}

// row adds line j to the table; short rows are filled up, what is over is cut
// into the last cell's place only when there is one.
func (r *run) row(b *Block, j int, aligns []string) {
	room := len(aligns)
	if r.p.filled >= maxFilled {
		room = 4
	}
	row := make([]Cell, 0, room)
	end := 0
	r.p.cells(r.ls[j], func(start, stop int) {
		if len(row) < len(aligns) {
			row = append(row, Cell{Align: aligns[len(row)], Start: start, End: stop})
		}
		end = stop
	})
	// Filling up costs what the text did not pay for: there is a bound.
	for len(row) < len(aligns) && r.p.filled < maxFilled {
		r.p.filled++
		row = append(row, Cell{Align: aligns[len(row)], Start: end, End: end})
	}
	b.Rows = append(b.Rows, row)
}

func isCaption(s string) bool { return strings.HasPrefix(s, "Table:") }

// caption reads "Table: words {#id}" after a table, a blank line between them
// or none.
func (r *run) caption(b *Block, j int) int {
	p := r.p
	k := j
	if k < len(r.ls) && p.blank(r.ls[k]) {
		k++
	}
	if k >= len(r.ls) {
		return j
	}
	s, _ := p.text(r.ls[k])
	if !isCaption(s) {
		return j
	}
	end := k + 1
	for end < len(r.ls) {
		ind, pos := p.indent(r.ls[end])
		if pos == int(r.ls[end].end) || r.interrupts(end, ind, pos) {
			break
		}
		end++
	}
	lines := append([]line(nil), r.ls[k:end]...)
	_, start := p.text(lines[0])
	lines[0] = line{start: int32(start + len("Table:")), end: lines[0].end}
	last, lastStart := p.text(lines[len(lines)-1])
	b.End = lastStart + len(last)
	if strings.HasSuffix(last, "}") {
		if o := strings.LastIndexByte(last, '{'); o >= 0 && (o == 0 || isBlankByte(last[o-1])) {
			b.Attrs, _ = p.readAttrs(last[o+1:len(last)-1], lastStart+o+1, false)
			p.takeID(b)
			last = last[:o]
		}
	}
	lines[len(lines)-1].end = int32(lastStart + len(last))
	p.later(b, lines, flagCaption|r.flags(), &b.Caption)
	return end
}
