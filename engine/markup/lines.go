package markup

import (
	"slices"
	"strings"
)

// line is what is left of a source line inside its block: the bytes from start
// to end (no line end), of which the first stands at column col after pad
// columns of a tab that was cut in two. rel is where the line begins counted
// from its block's content edge: 0, or less when the line is indented less than
// the list item it belongs to.
type line struct {
	start, end int32
	col, pad   int32
	rel        int32
}

// splitLines cuts the source from offset from into lines. A CR before the LF is
// not part of the line.
func splitLines(src string, from int) []line {
	if from >= len(src) {
		return nil
	}
	lines := make([]line, 0, strings.Count(src[from:], "\n")+1)
	for from < len(src) {
		n := strings.IndexByte(src[from:], '\n')
		end, next := len(src), len(src)
		if n >= 0 {
			end, next = from+n, from+n+1
		}
		if end > from && src[end-1] == '\r' {
			end--
		}
		lines = append(lines, line{start: int32(from), end: int32(end)})
		from = next
	}
	return lines
}

// indent returns the columns of white space a line begins with and the offset
// of the first byte after it.
func (p *parser) indent(l line) (cols int, pos int) {
	c := int(l.pad)
	pos = int(l.start)
	for pos < int(l.end) {
		switch p.src[pos] {
		case ' ':
			c++
		case '\t':
			c += 4 - (int(l.col)+c)%4
		default:
			return c, pos
		}
		pos++
	}
	return c, pos
}

func (p *parser) blank(l line) bool {
	_, pos := p.indent(l)
	return pos == int(l.end)
}

// text is a line without white space at its ends, and its offset.
func (p *parser) text(l line) (s string, start int) {
	_, pos := p.indent(l)
	end := int(l.end)
	for end > pos && (p.src[end-1] == ' ' || p.src[end-1] == '\t') {
		end--
	}
	return p.src[pos:end], pos
}

// cut takes up to n columns of white space off a line's beginning.
func (p *parser) cut(l line, n int) line {
	c := int(l.pad)
	if c >= n {
		l.pad -= int32(n)
		l.col += int32(n)
		return l
	}
	pos := int(l.start)
	for c < n && pos < int(l.end) {
		w := 1
		if p.src[pos] == '\t' {
			w = 4 - (int(l.col)+c)%4
		} else if p.src[pos] != ' ' {
			break
		}
		c += w
		pos++
	}
	if c > n {
		l.pad = int32(c - n)
		c = n
	} else {
		l.pad = 0
	}
	l.col += int32(c)
	l.start = int32(pos)
	return l
}

// cutTo takes the white space up to column x of the block's content edge.
func (p *parser) cutTo(l line, x int) line {
	n := x - int(l.rel)
	before := l.col
	l = p.cut(l, n)
	l.rel = l.col - before - int32(n)
	return l
}

// from is the line from offset pos on, which stands cols columns in.
func (l line) from(pos, cols int) line {
	return line{start: int32(pos), end: l.end, col: l.col + int32(cols)}
}

func stableByStart(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int { return a.Start - b.Start })
}
