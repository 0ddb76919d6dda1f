package markup

import "strings"

// fenceRun counts the backticks or tildes s begins with.
func fenceRun(s string) int {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

// opensCode reports an opening code fence; s begins with its first mark.
func (p *parser) opensCode(s string) bool {
	n := fenceRun(s)
	return n >= 3 && !p.o.NoCodeBlocks && (s[0] == '~' || strings.IndexByte(s[n:], '`') < 0)
}

// codeTracker follows the code fences of a run of lines without reading them.
type codeTracker struct {
	mark byte
	n    int
}

func (t *codeTracker) open() bool { return t.mark != 0 }

func (t *codeTracker) line(s string) {
	s = strings.TrimLeft(s, " \t")
	n := fenceRun(s)
	switch {
	case n < 3:
	case t.mark == 0:
		if s[0] == '~' || strings.IndexByte(s[n:], '`') < 0 {
			t.mark, t.n = s[0], n
		}
	case s[0] == t.mark && n >= t.n && trimEnd(s[n:]) == "":
		t.mark = 0
	}
}

func trimEnd(s string) string { return strings.TrimRight(s, " \t") }

// fencedCode reads a code block (4.6); it returns i when there is none.
func (r *run) fencedCode(i, ind, pos int) int {
	p := r.p
	s, start := p.text(r.ls[i])
	if ind > 3 || !p.opensCode(s) {
		return i
	}
	n := fenceRun(s)
	b := p.newBlock(Code, start, start+len(s))
	p.info(b, s[n:], start+n)
	p.checkListing(b)
	j := i + 1
	closed := false
	for ; j < len(r.ls); j++ {
		cols, at := p.indent(r.ls[j])
		if at == int(r.ls[j].end) || p.src[at] != s[0] || cols > 3 {
			continue
		}
		t := p.src[at:r.ls[j].end]
		if k := fenceRun(t); k >= n && trimEnd(t[k:]) == "" {
			closed = true
			break
		}
	}
	r.literal(b, i+1, j, ind)
	r.add(b)
	if !closed {
		fields := []Attr{{Key: "delimiter", Value: s[:n]}}
		if b.Info != "" {
			fields = append(fields, Attr{Key: "lang", Value: b.Info})
		}
		p.problem("unclosedCodeBlock", s[:n]+" is never closed: the rest is set as code", start, start+len(s), fields...)
		r.reach(b, j)
		return j
	}
	last, lastStart := p.text(r.ls[j])
	b.End = lastStart + len(last)
	return j + 1
}

// reach stretches the block b to the end of the line before j, white space at
// its end included: it may belong to a listing.
func (r *run) reach(b *Block, j int) {
	if end := int(r.ls[j-1].end); end > b.End {
		b.End = end
	}
}

// hold stretches the block b over its children.
func (b *Block) hold() {
	if n := len(b.Children); n > 0 && b.Children[n-1].End > b.End {
		b.End = b.Children[n-1].End
	}
}

// literal stores lines i to j as the block's text, each cut by up to cut
// columns. The text is a piece of the source when that is the same.
func (r *run) literal(b *Block, i, j, cut int) {
	p := r.p
	if i >= j {
		if i < len(r.ls) {
			b.LitStart = int(r.ls[i].start)
		} else {
			b.LitStart = b.End
		}
		return
	}
	whole := true
	for k := i; k < j && whole; k++ {
		l := r.ls[k]
		c := p.cut(l, cut)
		whole = c.pad == 0 && (k == i || int(c.start) == int(r.ls[k-1].end)+1)
	}
	first := p.cut(r.ls[i], cut)
	b.LitStart = int(first.start)
	if whole {
		b.Literal = p.src[first.start:r.ls[j-1].end]
		return
	}
	var sb strings.Builder
	b.LineStarts = make([]int, 0, j-i)
	for k := i; k < j; k++ {
		c := p.cut(r.ls[k], cut)
		if k > i {
			sb.WriteByte('\n')
		}
		for n := c.pad; n > 0; n-- {
			sb.WriteByte(' ')
		}
		b.LineStarts = append(b.LineStarts, int(c.start))
		sb.WriteString(p.src[c.start:c.end])
	}
	b.Literal = sb.String()
}

// info reads an info string: a language, then attributes in braces or bare, or
// a title.
func (p *parser) info(b *Block, s string, base int) {
	from := skipBlank(s, 0)
	s, base = s[from:], base+from
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") && strings.IndexByte(s, '}') == len(s)-1 {
		inside := s[1 : len(s)-1]
		b.Attrs, _ = p.readAttrs(inside, base+1, false)
		for _, w := range strings.Fields(inside) {
			if len(w) > 1 && w[0] == '.' || isAlpha(w[0]) && !strings.ContainsAny(w, "=\"'") {
				b.Info = strings.TrimPrefix(w, ".")
				break
			}
		}
		p.takeID(b)
		return
	}
	n := strings.IndexAny(s, " \t")
	if n < 0 {
		n = len(s)
		if k := strings.IndexByte(s, '{'); k > 0 && strings.HasSuffix(s, "}") {
			n = k
		}
	}
	b.Info = unescape(s[:n])
	from = skipBlank(s, n)
	rest, base := s[from:], base+from
	if rest == "" {
		return
	}
	if rest[0] == '{' && strings.IndexByte(rest, '}') == len(rest)-1 {
		b.Attrs, _ = p.readAttrs(rest[1:len(rest)-1], base+1, false)
		p.takeID(b)
		return
	}
	mark := len(p.doc.Problems)
	attrs, ok := p.readAttrs(rest, base, true)
	for _, a := range attrs {
		ok = ok && (!a.Flag || a.Key == "lineNumbers")
	}
	if ok {
		b.Attrs = attrs
		p.takeID(b)
		return
	}
	p.doc.Problems = p.doc.Problems[:mark]
	b.Attrs = Attrs{{Key: "title", Value: unescape(rest), Start: base, End: base + len(rest)}}
}

// unescape drops the backslash before ASCII punctuation.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var sb strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isASCIIPunct(s[i+1]) {
			i++
		}
		sb.WriteByte(s[i])
	}
	return sb.String()
}

// indentedCode reads code set off by four columns of indent.
func (r *run) indentedCode(i int) int {
	p := r.p
	j := i + 1
	for k := i + 1; k < len(r.ls); k++ {
		ind, pos := p.indent(r.ls[k])
		if pos == int(r.ls[k].end) {
			continue
		}
		if ind < 4 {
			break
		}
		j = k + 1
	}
	_, start := p.text(r.ls[i])
	last, lastStart := p.text(r.ls[j-1])
	b := p.newBlock(Code, start, lastStart+len(last))
	r.literal(b, i, j, 4)
	r.reach(b, j)
	if b.LitStart < b.Start {
		b.Start = b.LitStart
	}
	r.add(b)
	return j
}

// display reads a display formula that begins a block (4.7); it returns i when
// there is none.
func (r *run) display(i, pos int) int {
	p := r.p
	s, start := p.text(r.ls[i])
	if len(s) < 2 || s[1] != '$' {
		return i
	}
	end := r.displayEndLine(i, false)
	if end <= i {
		if s != "$$" {
			return i
		}
		end = len(r.ls)
		tex := ""
		if i+1 < end {
			tex, _ = p.text(r.ls[i+1])
		}
		p.problem("unclosedMath", "$$ "+cutRunes(tex, 40)+" is never closed: the rest is read as a formula", start, start+2,
			Attr{Key: "delimiter", Value: "$$"}, Attr{Key: "tex", Value: cutRunes(tex, 40)})
		b := p.newBlock(Formula, start, start+2)
		b.Interrupts = r.paragraphEnd == i || r.displayEnd == i
		r.literal(b, i+1, end, 0)
		r.reach(b, end)
		r.add(b)
		return end
	}
	last, lastStart := p.text(r.ls[end-1])
	b := p.newBlock(Formula, start, lastStart+len(last))
	if k := strings.LastIndex(last, "$$"); k >= 0 && strings.HasSuffix(last, "}") {
		if o := k + 2 + strings.IndexByte(last[k+2:], '{'); o > k+1 {
			b.Attrs, _ = p.readAttrs(last[o+1:len(last)-1], lastStart+o+1, false)
			p.takeID(b)
		}
		last = last[:k+2]
	}
	switch {
	case end == i+1:
		b.LitStart = start + 2
		b.Literal = last[2 : len(last)-2]
	case s == "$$" && last == "$$":
		r.literal(b, i+1, end-1, 0)
	default:
		// TeX beside the fences: cut them off a copy of the lines.
		ls := append([]line(nil), r.ls[i:end]...)
		ls[0].start, ls[0].pad = int32(start+2), 0
		ls[len(ls)-1].end = int32(lastStart + len(last) - 2)
		if trimEnd(s[2:]) == "" {
			ls = ls[1:]
		}
		if n := len(ls) - 1; n > 0 && p.blank(ls[n]) {
			ls = ls[:n]
		}
		sub := run{p: p, ls: ls}
		sub.literal(b, 0, len(ls), 0)
	}
	if b.ID == "" {
		p.label(b)
	}
	b.Interrupts = r.paragraphEnd == i || r.displayEnd == i
	if b.Interrupts {
		r.displayEnd = end
	}
	r.add(b)
	return end
}

// label takes the formula's first \label as its anchor.
func (p *parser) label(b *Block) {
	for from := 0; ; {
		k := strings.Index(b.Literal[from:], `\label{`)
		if k < 0 {
			return
		}
		from += k + len(`\label{`)
		n := strings.IndexByte(b.Literal[from:], '}')
		if n < 0 {
			return
		}
		id := b.Literal[from : from+n]
		if !validAnchor(id) {
			continue
		}
		if b.ID == "" {
			b.ID = id
		}
		p.setAnchor(id, b.Start, b.End)
	}
}

// displayEndLine returns the line after the display formula that begins at line
// i, i when there is no whole one. Inside a paragraph it must close before the
// next blank line.
func (r *run) displayEndLine(i int, interrupting bool) int {
	p := r.p
	s, start := p.text(r.ls[i])
	if !strings.HasPrefix(s, "$$") {
		return i
	}
	if k := strings.Index(s[2:], "$$"); k >= 0 {
		k += 2
		tail := s[k+2:]
		if k > 2 && (tail == "" || isAttrTail(tail)) {
			return i + 1
		}
		return i
	}
	if start < p.noDisplay {
		return i
	}
	blank := false
	for j := i + 1; j < len(r.ls); j++ {
		t, at := p.text(r.ls[j])
		if t == "" {
			if interrupting || s != "$$" {
				p.noDisplay = at
				return i
			}
			blank = true
			continue
		}
		k := strings.Index(t, "$$")
		if k < 0 {
			continue
		}
		if blank && t != "$$" || strings.Contains(t[k+2:], "$$") || t[k+2:] != "" && !isAttrTail(t[k+2:]) {
			if blank {
				continue
			}
			p.noDisplay = at
			return i
		}
		return j + 1
	}
	if n := len(r.ls); n > 0 && (interrupting || s != "$$") {
		p.noDisplay = int(r.ls[n-1].end)
	}
	return i
}

// isAttrTail reports { … } and nothing else after a formula's closing mark.
func isAttrTail(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return len(s) > 2 && s[0] == '{' && strings.IndexByte(s, '}') == len(s)-1
}

func cutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
