package markup

import (
	"strings"
)

// inlineFlags say what a text block does not read.
type inlineFlags uint8

const (
	flagHeading    inlineFlags = 1 << iota // no chips, markers or tabs
	flagCell                               // no tabs, index marks or citations
	flagNote                               // note markers print as text
	flagVerse                              // || parts hemistichs
	flagKeepSpaces                         // runs of spaces keep their width
	flagCaption                            // no tabs or index marks
)

// nodeKind is what a node of the scan is.
type nodeKind uint8

const (
	nText nodeKind = iota
	nCode
	nSoft  // a line end between two lines
	nBreak // a forced line break
	nDelim // a run of emphasis or script marks; arg: index in delims
	nAtom  // arg: index in atoms
	nLink  // arg: index in targets
	nLinkEnd
	nSpan // arg: index in spans
	nSpanEnd
	nStyle // style begins (arg 1) or ends (arg -1)
)

// node is a piece of a text block between scan and output: offsets are into the
// buffer.
type node struct {
	kind       nodeKind
	style      Style
	arg        int32
	start, end int32
}

// seg says where a line of a joined buffer stands in the source.
type seg struct{ buf, src int }

// inliner reads the inlines of one text block; it is used again for the next.
type inliner struct {
	p     *parser
	flags inlineFlags
	buf   string
	base  int   // source offset of buf when segs is empty
	segs  []seg // lines of a buffer that is a copy
	// textStart is where the text not yet in a node begins.
	textStart int
	nodes     []node
	delims    []delim
	active    []int32 // delims not yet resolved
	brackets  []bracket
	atoms     []Inline
	targets   []string
	spans     []*Span
	stack     []int32 // openers, inside resolve
	out       []Inline
	lineNo    int32
	escaped   int // offset of the last escaped byte
	chips     int // chips open
	noMath    bool
	asWritten bool // behind a formula that never closes: no mark opens anything
	ticks     tickMemo
	noHTML    htmlMemo
}

// special marks the bytes that may begin a construct.
var special = func() (t [256]bool) {
	for _, c := range []byte("\\`*_^~$[]<:@\n{|") {
		t[c] = true
	}
	return t
}()

// readText reads the inlines of a text block.
func (p *parser) readText(t *pendingText) {
	in := &p.in
	in.reset(t.flags)
	in.join(t.lines)
	*t.into = p.inlines(in.read())
	if t.flags&flagHeading != 0 && p.o.NoHeadingMarks {
		for i := range *t.into {
			(*t.into)[i].Style = 0
		}
	}
}

func (in *inliner) reset(flags inlineFlags) {
	in.flags = flags
	in.segs = in.segs[:0]
	in.textStart = 0
	in.nodes, in.delims, in.active = in.nodes[:0], in.delims[:0], in.active[:0]
	in.brackets, in.atoms, in.targets, in.spans = in.brackets[:0], in.atoms[:0], in.targets[:0], in.spans[:0]
	in.out = in.out[:0]
	in.lineNo, in.escaped, in.chips, in.noMath, in.asWritten = 0, -1, 0, false, false
	in.ticks, in.noHTML = tickMemo{}, htmlMemo{}
}

// join makes the buffer of a text block: the source itself when nothing but
// white space stands between its lines, else a copy with a map.
func (in *inliner) join(lines []line) {
	p := in.p
	first, start := p.text(lines[0])
	if len(lines) == 1 {
		in.buf, in.base = first, start
		return
	}
	last, lastStart := p.text(lines[len(lines)-1])
	whole := true
	for k := 1; k < len(lines) && whole; k++ {
		whole = onlyBlank(p.src[lines[k-1].end:lines[k].start])
	}
	if whole {
		in.buf, in.base = p.src[start:lastStart+len(last)], start
		return
	}
	var sb strings.Builder
	for k, l := range lines {
		_, pos := p.indent(l)
		end := int(l.end)
		if k == len(lines)-1 {
			end = lastStart + len(last)
		}
		in.segs = append(in.segs, seg{buf: sb.Len(), src: pos})
		sb.WriteString(p.src[pos:end])
		if k < len(lines)-1 {
			sb.WriteByte('\n')
		}
	}
	in.buf = sb.String()
}

func onlyBlank(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isBlankByte(s[i]) {
			return false
		}
	}
	return true
}

// src maps a buffer offset to the source. The byte of a line end in a copy maps
// to the line end.
func (in *inliner) src(i int) int {
	if len(in.segs) == 0 {
		return in.base + i
	}
	lo, hi := 0, len(in.segs)
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if in.segs[mid].buf <= i {
			lo = mid
		} else {
			hi = mid
		}
	}
	return in.segs[lo].src + i - in.segs[lo].buf
}

// srcEnd maps the end of a stretch: the offset after its last byte.
func (in *inliner) srcEnd(i int) int {
	if i == 0 {
		return in.src(0)
	}
	return in.src(i-1) + 1
}

// read scans the buffer and returns its inlines, valid until the next read.
func (in *inliner) read() []Inline {
	in.scan()
	in.resolve(0)
	in.flatten(0, len(in.nodes))
	return in.out
}

// flush puts the text up to i into a node.
func (in *inliner) flush(i int) {
	if in.textStart < i {
		in.nodes = append(in.nodes, node{kind: nText, start: int32(in.textStart), end: int32(i)})
	}
	in.textStart = i
}

// put adds a node for the stretch i to j after the text before it.
func (in *inliner) put(kind nodeKind, i, j int, arg int) {
	in.flush(i)
	in.nodes = append(in.nodes, node{kind: kind, start: int32(i), end: int32(j), arg: int32(arg)})
	in.textStart = j
}

// atom adds an inline whose whole span is i to j.
func (in *inliner) atom(i, j int, a Inline) {
	a.Start, a.End = in.src(i), in.srcEnd(j)
	in.atoms = append(in.atoms, a)
	in.put(nAtom, i, j, len(in.atoms)-1)
}

func (in *inliner) scan() {
	s := in.buf
	for i := 0; i < len(s); {
		for i < len(s) && !special[s[i]] {
			i++
		}
		if i == len(s) || in.p.unwanted() {
			break
		}
		next := i
		switch s[i] {
		case '\n':
			next = in.lineEnd(i)
		case '\\':
			next = in.backslash(i)
		case '`':
			next = in.code(i)
		case '*', '_', '^', '~':
			next = in.run(i)
		case '$':
			next = in.math(i)
		case '[':
			next = in.openBracket(i)
		case ']':
			next = in.closeBracket(i)
		case '<':
			next = in.angle(i)
		case ':':
			next = in.directive(i)
		case '@':
			next = in.cite(i)
		case '{':
			next = in.compactRuby(i)
		case '|':
			if in.flags&flagVerse != 0 && strings.HasPrefix(s[i:], "||") {
				in.breakAt(i, i+2)
				next = in.textStart
			}
		}
		if next == i {
			next++
		}
		i = next
	}
	in.flush(len(s))
}

// lineEnd joins two lines, or breaks the line after two spaces.
func (in *inliner) lineEnd(i int) int {
	s := in.buf
	j := i
	for j > in.textStart && (s[j-1] == ' ' || s[j-1] == '\t' || s[j-1] == '\r') {
		j--
	}
	k := i + 1
	for k < len(s) && isBlankByte(s[k]) {
		k++
	}
	in.lineNo++
	if strings.HasPrefix(s[j:], "  ") && !in.p.o.NoHardBreaks {
		in.put(nBreak, j, k, 0)
		return k
	}
	in.put(nSoft, j, k, i)
	return k
}

// breakAt puts a forced break for the stretch i to j and takes the white space
// beside it.
func (in *inliner) breakAt(i, j int) {
	s := in.buf
	for i > in.textStart && (s[i-1] == ' ' || s[i-1] == '\t') {
		i--
	}
	for j < len(s) && isBlankByte(s[j]) {
		if s[j] == '\n' {
			in.lineNo++
		}
		j++
	}
	in.put(nBreak, i, j, 0)
}

func (in *inliner) backslash(i int) int {
	s := in.buf
	if i+1 == len(s) {
		return i
	}
	c := s[i+1]
	if isBlankByte(c) && c != '\t' {
		j := i + 1
		for j < len(s) && (s[j] == ' ' || s[j] == '\t' || s[j] == '\r') {
			j++
		}
		if j < len(s) && s[j] == '\n' && !in.p.o.NoHardBreaks {
			in.breakAt(i, j)
			return in.textStart
		}
		return i
	}
	if c == '\\' {
		if i+2 < len(s) && isBlankByte(s[i+2]) && !in.p.o.NoHardBreaks && !onlyBlank(s[i+2:]) {
			in.breakAt(i, i+2)
			return in.textStart
		}
		return i
	}
	if c == 'r' || c == 'e' {
		if next := in.texRef(i); next > i {
			return next
		}
	}
	if !isASCIIPunct(c) {
		return i
	}
	in.flush(i)
	in.textStart = i + 1
	in.escaped = i + 1
	return i + 2
}

// tickMemo remembers how far each length of backtick run was looked for in
// vain, so that a text of unclosed runs is scanned once.
type tickMemo struct {
	none [32]bool
	long bool // runs of 32 and more
}

// codeEnd finds the run of n backticks that closes a code span whose content
// begins at from; -1 when there is none.
func (in *inliner) codeEnd(from, n int) int {
	if n < 32 && in.ticks.none[n] || n >= 32 && in.ticks.long {
		return -1
	}
	s := in.buf
	for j := from; j < len(s); {
		k := strings.IndexByte(s[j:], '`')
		if k < 0 {
			break
		}
		j += k
		m := fenceRun(s[j:])
		if m == n {
			return j
		}
		j += m
	}
	if n < 32 {
		in.ticks.none[n] = true
	} else {
		in.ticks.long = true
	}
	return -1
}

// code reads a code span: one backtick keeps its content exactly, a longer run
// gives up one space at each end.
func (in *inliner) code(i int) int {
	s := in.buf
	n := fenceRun(s[i:])
	end := in.codeEnd(i+n, n)
	if end < 0 {
		return i + n
	}
	a, b := i+n, end
	if n > 1 && b-a > 2 && isBlankByte(s[a]) && isBlankByte(s[b-1]) && !onlyBlank(s[a:b]) {
		a, b = a+1, b-1
	}
	in.put(nCode, i, i, 0)
	in.nodes[len(in.nodes)-1].start = int32(a)
	in.nodes[len(in.nodes)-1].end = int32(b)
	in.textStart = end + n
	return end + n
}

// math reads $…$: no space after the opening mark; the next unescaped $ closes
// it when no space stands before it and no digit after it. Otherwise the mark
// is money, or prints.
func (in *inliner) math(i int) int {
	s := in.buf
	n := i + 1
	for n < len(s) && s[n] == '$' {
		n++
	}
	if n-i > 1 {
		return n // $$ inside a paragraph is literal
	}
	if n == len(s) || isBlankByte(s[n]) || in.chips > 0 {
		return i
	}
	if !in.noMath {
		for j := n; j < len(s); {
			k := strings.IndexAny(s[j:], "$\\`")
			if k < 0 {
				break
			}
			j += k
			switch s[j] {
			case '\\':
				j += 2
			case '`':
				m := fenceRun(s[j:])
				if end := in.codeEnd(j+m, m); end >= 0 {
					j = end
				}
				j += m
			default:
				if j+1 < len(s) && s[j+1] == '$' {
					for j < len(s) && s[j] == '$' {
						j++
					}
					continue
				}
				if isBlankByte(s[j-1]) || j+1 < len(s) && isDigit(s[j+1]) {
					in.moneyOrMath(i)
					return i
				}
				in.lineNo += int32(strings.Count(s[i:j], "\n"))
				in.atom(i, j+1, Inline{Kind: Math, Text: s[n:j]})
				return j + 1
			}
		}
		in.noMath = true
	}
	in.moneyOrMath(i)
	return i
}

// moneyOrMath reports a formula that never closes; before a digit a lone $ is
// an amount. The rest of the text prints as written (7.9): what would be read
// after formulas, emphasis and scripts, is not read in what was meant for one.
func (in *inliner) moneyOrMath(i int) {
	if isDigit(in.buf[i+1]) {
		return
	}
	in.asWritten = true
	tex := cutRunes(in.buf[i+1:], 40)
	if n := strings.IndexByte(tex, '\n'); n >= 0 {
		tex = tex[:n]
	}
	at := in.src(i)
	in.p.problem("unclosedMath", "$"+tex+" — no $ closes it in this paragraph: it prints as written", at, at+1,
		Attr{Key: "delimiter", Value: "$"}, Attr{Key: "tex", Value: tex})
}
