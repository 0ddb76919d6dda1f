package markup

import (
	"strings"
	"unicode/utf8"
)

// flat is the state of the walk over the nodes: how often each style is on.
type flat struct {
	in      *inliner
	counts  [11]int32 // by bit of Style
	style   Style
	link    string
	span    *Span
	lang    string
	dir     string
	soft    int // source offset of a line end not yet decided on, -1: none
	softBuf int
	held    []Inline // invisible marks that stand behind the line end
	last    rune     // last character set, 0 after nothing or a break
	beyond  rune     // the character before last
	broken  bool     // a forced break came before
	space   bool     // last is a space that more white space joins
	cell    bool
	keep    bool
}

func (f *flat) turn(style Style, by int32) {
	for bit := range f.counts {
		if style&(1<<bit) == 0 {
			continue
		}
		if f.counts[bit] += by; f.counts[bit] <= 0 {
			f.counts[bit] = 0
			f.style &^= 1 << bit
		} else {
			f.style |= 1 << bit
		}
	}
}

// flatten appends the inlines of nodes from to to to in.out.
func (in *inliner) flatten(from, to int) {
	mark := len(in.out)
	f := flat{in: in, soft: -1, cell: in.flags&flagCell != 0, keep: in.flags&flagKeepSpaces != 0}
	for k := from; k < to; k++ {
		if k&15 == 15 && in.p.unwanted() {
			break
		}
		n := &in.nodes[k]
		switch n.kind {
		case nText:
			f.text(int(n.start), int(n.end))
		case nCode:
			f.code(int(n.start), int(n.end))
		case nSoft:
			if f.last != 0 && f.soft < 0 {
				f.soft, f.softBuf = in.src(int(n.arg)), int(n.arg)
			}
		case nBreak:
			f.hardBreak(in.src(int(n.start)), in.srcEnd(int(n.end)), mark)
		case nDelim:
			d := &in.delims[n.arg]
			f.turn(d.off, -1)
			f.turn(Italic, -d.closes[0])
			f.turn(Bold, -d.closes[1])
			if d.on == 0 && d.off == 0 && d.n > 0 {
				f.text(int(d.start+d.used[0]), int(d.end-d.used[1]))
			}
			f.turn(Italic, d.opens[0])
			f.turn(Bold, d.opens[1])
			f.turn(d.on, 1)
		case nAtom:
			f.atom(in.atoms[n.arg], mark)
		case nLink:
			f.link = in.targets[n.arg]
		case nLinkEnd:
			f.link = ""
		case nSpan:
			in.spans[n.arg].Outer = f.span
			f.span = in.spans[n.arg]
			f.direction()
		case nSpanEnd:
			if f.span != nil {
				f.span = f.span.Outer
			}
			f.direction()
		case nStyle:
			f.turn(n.style, n.arg)
		}
	}
	f.trim(mark)
}

// direction takes language and direction from the spans around.
func (f *flat) direction() {
	f.lang, f.dir = "", ""
	for s := f.span; s != nil && (f.lang == "" || f.dir == ""); s = s.Outer {
		if v, ok := s.Attrs.Get("lang"); ok && f.lang == "" {
			f.lang = v
		}
		if f.dir == "" && (s.Name == "ltr" || s.Name == "rtl") {
			f.dir = s.Name
		}
	}
}

// text sets a stretch of the buffer: runs of white space collapse to their
// first tab or space.
func (f *flat) text(i, j int) {
	s := f.in.buf
	for i < j {
		if s[i] == ' ' || s[i] == '\t' || s[i] == '\r' {
			k := i
			at := i
			for k < j && (s[k] == ' ' || s[k] == '\t' || s[k] == '\r') {
				if s[k] == '\t' && s[at] != '\t' {
					at = k
				}
				k++
			}
			if f.keep {
				f.joinLine(rune(s[k-1]))
				f.piece(i, k, f.style)
				f.space = true
				i = k
				continue
			}
			if f.last != 0 && !f.space && f.soft < 0 {
				f.piece(at, at+1, f.style)
				f.space = true
			}
			i = k
			continue
		}
		if f.last == 0 && !f.broken && strings.HasPrefix(s[i:j], "\u3000") {
			i += len("\u3000")
			continue
		}
		// A stretch with single spaces only.
		k := i + 1
		for k < j && s[k] != '\t' && s[k] != '\r' && !(s[k] == ' ' && s[k-1] == ' ') {
			k++
		}
		if k < j && s[k] == ' ' {
			k-- // leave the run of spaces to the next round
		}
		f.joinLine(runeAt(s[:j], i))
		f.piece(i, k, f.style)
		f.space = s[k-1] == ' '
		i = k
	}
}

// joinLine decides on a pending line end now that the next character is known.
func (f *flat) joinLine(next rune) {
	if f.soft < 0 {
		return
	}
	at, i := f.soft, f.softBuf
	f.soft = -1
	if !f.space && !f.dropsLineEnd(next, i) {
		f.emit(Inline{Kind: Text, Style: f.style, Start: at, End: at + 1, Text: " "})
		f.beyond, f.last, f.space = f.last, ' ', true
	}
	f.release()
}

// release sets the marks held back behind a line end.
func (f *flat) release() {
	f.in.out = append(f.in.out, f.held...)
	f.held = f.held[:0]
}

// dropsLineEnd applies 4.2: between two Chinese or Japanese characters, shared
// marks beside them included, the line end leaves no space.
func (f *flat) dropsLineEnd(next rune, i int) bool {
	a, b := f.last, next
	if a < 0x80 || b < 0x80 {
		return false
	}
	cjA, cjB := isChineseJapanese(a), isChineseJapanese(b)
	switch {
	case cjA && cjB:
		return true
	case cjA:
		return isSharedMark(b)
	case cjB:
		return isSharedMark(a)
	case !isSharedMark(a) || !isSharedMark(b):
		return false
	}
	// Both are shared marks: what stands beyond them decides.
	s := f.in.buf
	k := i + 1
	for n := 0; k < len(s) && n < 8; n++ {
		r, size := utf8.DecodeRuneInString(s[k:])
		if !isSharedMark(r) && !isSpaceRune(r) {
			if isChineseJapanese(r) {
				return true
			}
			break
		}
		k += size
	}
	return isChineseJapanese(f.beyond)
}

// code sets the content of a code span as written; a line end is a space.
func (f *flat) code(i, j int) {
	s := f.in.buf
	style := f.style | CodeSpan
	for i < j {
		k := i
		for k < j && s[k] != '\n' && !(f.cell && s[k] == '\\' && k+1 < j && s[k+1] == '|') {
			k++
		}
		if k > i {
			end := k
			for end > i && s[end-1] == '\r' {
				end--
			}
			f.joinLine(runeAt(s, i))
			f.piece(i, end, style)
		}
		if k == j {
			break
		}
		if s[k] == '\\' {
			f.joinLine('|')
			f.piece(k+1, k+2, style)
			i = k + 2
			continue
		}
		f.joinLine(' ')
		at := f.in.src(k)
		f.emit(Inline{Kind: Text, Style: style, Start: at, End: at + 1, Text: " "})
		i = k + 1
		for i < j && isBlankByte(s[i]) {
			i++
		}
	}
	f.space = false
}

// piece sets buf[i:j]; it grows the inline before it when that ends here.
func (f *flat) piece(i, j int, style Style) {
	if i >= j {
		return
	}
	in := f.in
	s := in.buf
	text := s[i:j]
	f.beyond = f.last
	if k := len(text) - 1; text[k] < utf8.RuneSelf {
		f.last = rune(text[k])
		if k > 0 {
			f.beyond = runeBefore(text, k)
		}
	} else {
		r, n := utf8.DecodeLastRuneInString(text)
		f.last = r
		if len(text) > n {
			f.beyond = runeBefore(text, len(text)-n)
		}
	}
	start := in.src(i)
	f.emit(Inline{Kind: Text, Style: style, Start: start, End: start + j - i, Text: text})
	f.space = false
}

// emit appends an inline with the link and span it stands in. Text that goes on
// where the text before it ends, in step with the source, becomes one piece.
func (f *flat) emit(a Inline) {
	in := f.in
	a.Link, a.Span, a.Lang, a.Dir = f.link, f.span, f.lang, f.dir
	if n := len(in.out); n > 0 && a.Kind == Text {
		b := &in.out[n-1]
		if b.Kind == Text && b.Style == a.Style && b.End == a.Start && b.Link == a.Link && b.Span == a.Span &&
			in.exact(b) && in.exact(&a) {
			b.Text = in.p.src[b.Start:a.End]
			b.End = a.End
			return
		}
	}
	in.out = append(in.out, a)
}

// exact reports a piece that is a stretch of the source: all are but the space
// of a joined line and what is substituted.
func (in *inliner) exact(a *Inline) bool {
	return len(a.Text) == a.End-a.Start && (len(a.Text) != 1 || in.p.src[a.Start] == a.Text[0])
}

func (f *flat) atom(a Inline, mark int) {
	switch a.Kind {
	case Anchor, IndexMark:
		if f.soft >= 0 {
			f.held = append(f.held, a)
			return
		}
		f.emit(a)
		return
	case Tab:
		f.soft = -1
		f.release()
		f.trimSpace(mark)
		a.Style = f.style
		f.emit(a)
		f.last, f.space = '\t', true
		return
	}
	a.Style |= f.style
	f.joinLine('x')
	f.emit(a)
	f.beyond, f.last, f.space = f.last, 'x', false
}

// hardBreak sets a forced break: white space before it goes, two in a row count
// as one, none begins a text.
func (f *flat) hardBreak(start, end, mark int) {
	f.soft = -1
	f.release()
	f.trimSpace(mark)
	if f.last == 0 {
		return
	}
	f.emit(Inline{Kind: Break, Style: f.style, Start: start, End: end})
	f.last, f.beyond, f.space, f.broken = 0, 0, false, true
}

// trimSpace takes a trailing space off the last text.
func (f *flat) trimSpace(mark int) {
	out := f.in.out
	for k := len(out) - 1; k >= mark; k-- {
		a := &out[k]
		if a.Kind == Anchor || a.Kind == IndexMark {
			continue
		}
		if a.Kind != Text || a.Style&CodeSpan != 0 {
			return
		}
		n := len(a.Text)
		for n > 0 && (a.Text[n-1] == ' ' || a.Text[n-1] == '\t' || a.Text[n-1] == '\r') {
			n--
		}
		if n == len(a.Text) {
			return
		}
		a.End -= len(a.Text) - n
		a.Text = a.Text[:n]
		if n > 0 {
			return
		}
		copy(out[k:], out[k+1:])
		f.in.out = out[:len(out)-1]
		out = f.in.out
	}
}

// trim takes white space and breaks off the end.
func (f *flat) trim(mark int) {
	f.release()
	f.trimSpace(mark)
	out := f.in.out
	for k := len(out) - 1; k >= mark; k-- {
		switch out[k].Kind {
		case Anchor, IndexMark:
			continue
		case Break:
			copy(out[k:], out[k+1:])
			out = out[:len(out)-1]
			f.in.out = out
			continue
		}
		return
	}
}
