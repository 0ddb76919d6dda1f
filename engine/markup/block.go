package markup

import "strings"

// blockContext says where a run of lines stands.
type blockContext struct {
	top   bool // the chapter itself, no container around
	item  bool // a list item: every list marker interrupts a paragraph
	note  bool // a footnote: markers inside print as text
	level int  // depth of the innermost list item
}

// run reads one run of lines into blocks. Containers are a stack, not
// recursion: their fences stand among the other lines.
type run struct {
	p     *parser
	ls    []line
	ctx   blockContext
	depth int
	root  []*Block
	open  []*Block
	// skipped counts fences nested beyond maxDepth, so that their closing
	// lines do not close others.
	skipped int
	// paragraphEnd is the line after the last paragraph, displayEnd the line
	// after a formula that interrupted one.
	paragraphEnd, displayEnd int
	// noEnd: nothing of this kind (see vanishing) is closed from here on in
	// this run.
	noEnd [len(vanishing)]bool
}

// blocks reads lines into blocks.
func (p *parser) blocks(ls []line, ctx blockContext, depth int) []*Block {
	list, _ := p.blocksAndGap(ls, ctx, depth)
	return list
}

// blocksAndGap also reports whether a blank line stands between two blocks.
func (p *parser) blocksAndGap(ls []line, ctx blockContext, depth int) (list []*Block, gap bool) {
	r := run{p: p, ls: ls, ctx: ctx, depth: depth, paragraphEnd: -1, displayEnd: -1}
	blank, any := false, false
	for i := 0; i < len(ls) && !p.unwanted(); {
		ind, pos := p.indent(ls[i])
		if pos == int(ls[i].end) {
			blank = true
			i++
			continue
		}
		gap = gap || blank && any
		blank, any = false, true
		i = r.block(i, ind, pos)
	}
	r.closeAll()
	return r.root, gap
}

func (r *run) add(b *Block) {
	if n := len(r.open); n > 0 {
		r.open[n-1].Children = append(r.open[n-1].Children, b)
		return
	}
	r.root = append(r.root, b)
}

// deep reports that nothing may nest any further.
func (r *run) deep() bool { return r.depth+len(r.open) >= maxDepth }

// inner is the depth of what is read inside the current block.
func (r *run) inner() int { return r.depth + len(r.open) + 1 }

// closeAll closes the containers still open at the end of the run.
func (r *run) closeAll() {
	for n := len(r.open) - 1; n >= 0; n-- {
		b := r.open[n]
		s, start := r.p.lineAt(b.Start)
		r.p.problem("unclosedContainer", ":::"+b.Name+" is never closed and runs to the end of the text", start, start+len(s),
			Attr{Key: "name", Value: b.Name})
		b.End = r.lastEnd()
		b.hold()
	}
	r.open = nil
}

// lineAt is the rest of the source line from offset start, trimmed at its end.
func (p *parser) lineAt(start int) (string, int) {
	end := start + strings.IndexByte(p.src[start:], '\n')
	if end < start {
		end = len(p.src)
	}
	return strings.TrimRight(p.src[start:end], " \t\r"), start
}

func (r *run) lastEnd() int {
	for i := len(r.ls) - 1; i >= 0; i-- {
		if s, start := r.p.text(r.ls[i]); s != "" {
			return start + len(s)
		}
	}
	return 0
}

// block reads the block that begins at line i, whose first byte that is no
// white space is at pos, ind columns in. It returns the line after the block.
func (r *run) block(i, ind, pos int) int {
	p, l := r.p, r.ls[i]
	c := p.src[pos]
	if ind >= 4 && p.o.IndentedCode {
		return r.indentedCode(i)
	}
	switch {
	case c == '`' || c == '~':
		if next := r.fencedCode(i, ind, pos); next > i {
			return next
		}
	case c == '$':
		if next := r.display(i, pos); next > i {
			return next
		}
	case c == ':':
		if next := r.fence(i); next > i {
			return next
		}
	case c == '#':
		if level := atxLevel(p.src[pos:l.end]); level > 0 {
			return r.heading(i, pos, level)
		}
	case c == '>':
		if !r.deep() {
			return r.quote(i, pos)
		}
		p.tooDeep(pos, int(l.end))
	case c == '-' || c == '*' || c == '+' || c == '_' || isDigit(c):
		if ind < 4 && thematic(p.src[pos:l.end]) {
			s, start := p.text(l)
			r.add(p.newBlock(SceneBreak, start, start+len(s)))
			return i + 1
		}
		if m, ok := p.marker(l, ind, pos); ok {
			if !r.deep() {
				return r.list(i, m)
			}
			p.tooDeep(pos, int(l.end))
		}
	}
	if ind >= 4 {
		return r.indentedCode(i)
	}
	switch c {
	case '[':
		if end := p.noteStart(l, pos); end > 0 && !r.deep() && !r.ctx.note {
			return r.note(i, pos, end)
		}
	case '<':
		if next := r.htmlBlock(i, pos); next > i {
			return next
		}
		if r.ls[i] != l { // a comment was cut off
			return i
		}
	}
	if next := r.table(i); next > i {
		return next
	}
	return r.paragraph(i)
}

// atxLevel is the level of a heading line that begins with #, 0 for text: one
// to six marks, white space, then text.
func atxLevel(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n > 6 || n == len(s) || s[n] != ' ' && s[n] != '\t' && !strings.HasPrefix(s[n:], "\u3000") {
		return 0
	}
	if strings.Trim(s[n:], " \t\u3000") == "" {
		return 0
	}
	return n
}

func (r *run) heading(i, pos, level int) int {
	p := r.p
	s, start := p.text(r.ls[i])
	from := skipBlank(s, level)
	b := p.newBlock(Heading, start, start+len(s))
	b.Level = level
	title, attrs := p.headingAttrs(s[from:], start+from)
	b.Attrs = attrs
	p.checkHeading(b)
	p.takeID(b)
	p.later(b, []line{{start: int32(start + from), end: int32(start + from + len(title))}}, flagHeading, &b.Inlines)
	r.add(b)
	return i + 1
}

// later leaves a text block's lines for the second pass.
func (p *parser) later(b *Block, ls []line, flags inlineFlags, into *[]Inline) {
	p.texts = append(p.texts, pendingText{block: b, lines: ls, flags: flags, into: into})
}

// thematic reports a thematic break: three or more of one of * - _, white space
// between them allowed.
func thematic(s string) bool {
	c := s[0]
	if c != '*' && c != '-' && c != '_' {
		return false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// paragraph reads a paragraph from line i on; a setext underline makes it a
// heading, a table's head or link definitions at its beginning shorten it.
func (r *run) paragraph(i int) int {
	p := r.p
	r.checkEmbed(i)
	j := i + 1
	if end := r.openTitle(i); end > j {
		j = end
	}
	for j < len(r.ls) {
		ind, pos := p.indent(r.ls[j])
		if pos == int(r.ls[j].end) {
			break
		}
		c := p.src[pos]
		if (c == '=' || c == '-') && ind < 4 {
			if level := setextLevel(p.src[pos:r.ls[j].end]); level > 0 && !r.onlyDefinitions(i, j) {
				return r.setext(i, j, level)
			}
		}
		if r.interrupts(j, ind, pos) {
			break
		}
		if c == ':' {
			r.checkEmbed(j)
		}
		j++
	}
	from := i
	if p.firstByte(r.ls[i]) == '[' {
		from = r.definitions(i, j)
	}
	if from < j {
		r.addParagraph(from, j)
	}
	return j
}

// maxTitleLines bounds how far the end of a picture's title is looked for.
const maxTitleLines = 40

// openTitle returns the line after the picture that begins line i when its
// title goes on over blank lines, as converters write captions of several
// blocks; i when it does not.
func (r *run) openTitle(i int) int {
	s, _ := r.p.text(r.ls[i])
	if !strings.HasPrefix(s, "![") {
		return i
	}
	k := strings.Index(s, "](")
	if k < 0 {
		return i
	}
	open := strings.IndexByte(s[k:], '"')
	if open < 0 || strings.IndexByte(s[k+open+1:], '"') >= 0 || !isBlankByte(s[k+open-1]) {
		return i
	}
	for j := i + 1; j < len(r.ls) && j < i+maxTitleLines; j++ {
		t, _ := r.p.text(r.ls[j])
		if n := strings.IndexByte(t, '"'); n >= 0 {
			if n > 0 && t[n-1] == '\\' || !strings.HasPrefix(t[n:], `")`) {
				return i
			}
			return j + 1
		}
	}
	return i
}

func (p *parser) firstByte(l line) byte {
	if _, pos := p.indent(l); pos < int(l.end) {
		return p.src[pos]
	}
	return 0
}

func (r *run) addParagraph(i, j int) {
	p := r.p
	_, start := p.text(r.ls[i])
	last, lastStart := p.text(r.ls[j-1])
	b := p.newBlock(Paragraph, start, lastStart+len(last))
	b.AfterDisplay = r.displayEnd == i
	r.paragraphEnd = j
	p.later(b, r.ls[i:j], r.flags(), &b.Inlines)
	r.add(b)
}

func (r *run) flags() inlineFlags {
	if r.ctx.note {
		return flagNote
	}
	return 0
}

// setextLevel is 1 for a line of =, 2 for a line of -, else 0.
func setextLevel(s string) int {
	s = strings.TrimRight(s, " \t")
	if strings.Trim(s, s[:1]) != "" {
		return 0
	}
	if s[0] == '=' {
		return 1
	}
	return 2
}

// onlyDefinitions reports that the lines hold nothing but link definitions, so
// that there is no title to underline.
func (r *run) onlyDefinitions(i, j int) bool {
	return r.p.firstByte(r.ls[i]) == '[' && r.definitions(i, j) == j
}

func (r *run) setext(i, j, level int) int {
	p := r.p
	if p.firstByte(r.ls[i]) == '[' {
		i = r.definitions(i, j)
	}
	_, start := p.text(r.ls[i])
	under, underStart := p.text(r.ls[j])
	b := p.newBlock(Heading, start, underStart+len(under))
	b.Level = level
	lines := append([]line(nil), r.ls[i:j]...)
	last, lastStart := p.text(lines[len(lines)-1])
	title, attrs := p.headingAttrs(last, lastStart)
	b.Attrs = attrs
	lines[len(lines)-1].end = int32(lastStart + len(title))
	p.takeID(b)
	p.later(b, lines, flagHeading, &b.Inlines)
	r.add(b)
	return j + 1
}

// interrupts reports that line j ends the paragraph above it (2.2).
func (r *run) interrupts(j, ind, pos int) bool {
	p, l := r.p, r.ls[j]
	s := p.src[pos:l.end]
	switch c := s[0]; c {
	case '#':
		return atxLevel(s) > 0 && (ind < 4 || !p.o.IndentedCode)
	case '>':
		return ind < 4 || !p.o.IndentedCode
	case '-', '*', '+', '_':
		if ind < 4 && thematic(s) {
			return true
		}
		m, ok := p.marker(l, ind, pos)
		return ok && !m.empty
	case '`', '~':
		return ind < 4 && p.opensCode(s)
	case ':':
		if strings.HasPrefix(s, ":::") {
			f, ok := parseFence(strings.TrimRight(s, " \t"))
			return ok && (f.name != "" || f.bare)
		}
	case '$':
		return r.displayEndLine(j, true) > j
	case '[':
		return p.noteStart(l, pos) > 0 && !r.ctx.note
	case '<':
		return ind < 4 && htmlInterrupts(s)
	default:
		if isDigit(c) && r.ctx.item {
			m, ok := p.marker(l, ind, pos)
			return ok && !m.empty
		}
	}
	return r.tableHead(j)
}

// quote reads the block quote that begins at line i.
func (r *run) quote(i, pos int) int {
	p := r.p
	b := p.newBlock(Quote, pos, pos)
	j := i
	for j < len(r.ls) {
		ind, at := p.indent(r.ls[j])
		if at == int(r.ls[j].end) || p.src[at] != '>' || ind >= 4 && p.o.IndentedCode {
			break
		}
		j++
	}
	sub := p.lineRun(j - i)
	for k := i; k < j; k++ {
		ind, at := p.indent(r.ls[k])
		l := r.ls[k].from(at+1, ind+1)
		if cols, _ := p.indent(l); cols > 0 {
			l = p.cut(l, 1)
		}
		sub = append(sub, l)
	}
	last, lastStart := p.text(r.ls[j-1])
	b.End = lastStart + len(last)
	b.Children = p.blocks(sub, blockContext{note: r.ctx.note, level: r.ctx.level}, r.inner())
	b.hold()
	r.add(b)
	return j
}

// lineRun gives room for n lines from a slab.
func (p *parser) lineRun(n int) []line {
	if cap(p.lineMem)-len(p.lineMem) < n {
		size := 256
		if n > size {
			size = n
		}
		p.lineMem = make([]line, 0, size)
	}
	at := len(p.lineMem)
	p.lineMem = p.lineMem[:at+n]
	return p.lineMem[at : at : at+n]
}
