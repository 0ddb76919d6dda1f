package markup

// marker is a list marker and what it says.
type marker struct {
	x        int // column of the marker from the block's content edge
	contentX int // column of the item's content
	content  line
	ordered  bool
	number   int
	empty    bool // nothing after the marker
	task     bool
	checked  bool
	pos      int
}

// marker reads the list marker at pos, ind columns into line l (4.5): - * + or
// digits with . or ), then white space. Nothing after the marker makes an empty
// item.
func (p *parser) marker(l line, ind, pos int) (m marker, ok bool) {
	end := pos
	switch c := p.src[pos]; {
	case c == '-' || c == '*' || c == '+':
		end++
	case isDigit(c):
		for end < int(l.end) && isDigit(p.src[end]) {
			if end-pos == 9 {
				return m, false
			}
			m.number = m.number*10 + int(p.src[end]-'0')
			end++
		}
		if end == int(l.end) || p.src[end] != '.' && p.src[end] != ')' {
			return m, false
		}
		end++
		m.ordered = true
	default:
		return m, false
	}
	rest := l.from(end, ind+end-pos)
	cols, at := p.indent(rest)
	m.pos, m.x = pos, int(l.rel)+ind
	switch {
	case at == int(l.end):
		m.empty = true
		m.content = rest.from(at, cols)
		m.contentX = m.x + end - pos + 1
		return m, true
	case cols == 0:
		return m, false
	case cols > 4:
		cols = 1
	}
	m.content = p.cut(rest, cols)
	m.contentX = m.x + end - pos + cols
	if !m.ordered {
		p.task(&m)
	}
	return m, true
}

// task reads [ ], [x] or [X] and a space at the beginning of an item.
func (p *parser) task(m *marker) {
	s := p.src[m.content.start:m.content.end]
	if len(s) < 4 || s[0] != '[' || s[2] != ']' || s[3] != ' ' && s[3] != '\t' {
		return
	}
	switch s[1] {
	case 'x', 'X':
		m.checked = true
	case ' ':
	default:
		return
	}
	m.task = true
	m.content = m.content.from(int(m.content.start)+3, int(m.content.pad)+3)
}

// list reads the list whose first item begins at line i. An item's content is
// every line indented at least two columns past its marker; a marker less far
// in is its sibling; anything else ends the list.
func (r *run) list(i int, m marker) int {
	p := r.p
	b := p.newBlock(List, m.pos, m.pos)
	b.Ordered, b.First, b.Tight, b.Level = m.ordered, m.number, true, r.ctx.level+1
	depth := r.inner() + 1
	end := i
	for {
		next, blanks := r.itemLines(i, m)
		end = next
		item := p.newBlock(Item, m.pos, m.pos)
		item.Level, item.Task, item.Checked = b.Level, m.task, m.checked
		sub := p.lineRun(next - i)
		sub = append(sub, m.content)
		for k := i + 1; k < next; k++ {
			sub = append(sub, p.cutTo(r.ls[k], m.contentX))
		}
		last, lastStart := p.text(r.ls[next-1])
		item.End = lastStart + len(last)
		var gap bool
		item.Children, gap = p.blocksAndGap(sub, blockContext{item: true, note: r.ctx.note, level: b.Level}, depth)
		item.hold()
		b.End = item.End
		if gap {
			b.Tight = false
		}
		b.Children = append(b.Children, item)
		i = next
		if i+blanks >= len(r.ls) || blanks > 1 {
			break
		}
		i += blanks
		ind, pos := p.indent(r.ls[i])
		if ind >= 4 && p.o.IndentedCode && m.x+4 <= ind {
			break
		}
		sibling, ok := p.marker(r.ls[i], ind, pos)
		if !ok || sibling.ordered != m.ordered || ind < 4 && thematic(p.src[pos:r.ls[i].end]) {
			break
		}
		m = sibling
		if blanks > 0 {
			b.Tight = false
		}
	}
	r.add(b)
	return end
}

// itemLines finds the line after the content of the item at line i, and how
// many blank lines follow it.
func (r *run) itemLines(i int, m marker) (next, blanks int) {
	p := r.p
	var code codeTracker
	if !p.o.NoCodeBlocks {
		code.line(p.src[m.content.start:m.content.end])
	}
	next = i + 1
	for j := i + 1; j < len(r.ls); j++ {
		l := r.ls[j]
		ind, pos := p.indent(l)
		if pos == int(l.end) {
			blanks++
			continue
		}
		if m.empty && blanks > 0 && next == i+1 {
			break // an item begins with one blank line at most
		}
		s := p.src[pos:l.end]
		if int(l.rel)+ind < m.x+2 {
			if blanks > 0 || !p.marksOnly(s) {
				break
			}
		} else if !code.open() {
			if f, ok := parseFence(trimEnd(s)); ok && (f.bare || knownFence(f.name)) {
				break
			}
			if blanks > 1 {
				if _, ok := p.marker(l, ind, pos); ok {
					break
				}
			}
		}
		if !p.o.NoCodeBlocks {
			code.line(s)
		}
		next, blanks = j+1, 0
	}
	return next, blanks
}
