package markup

import (
	"strings"
	"unicode/utf8"
)

// maxBrackets bounds the brackets open at one time; more of them print.
const maxBrackets = 1000

// bracket is an opening bracket that waits for its partner: a link's, a
// picture's or a directive's.
type bracket struct {
	node   int // index of its node
	start  int // buffer offset of the first byte of the opener
	pos    int // buffer offset after [
	active int // length of the list of unresolved runs
	line   int32
	name   string // directive; "!" for a picture, "" for a link
	dead   bool   // a link inside: no link around
	inner  bool   // holds brackets
}

// linkDef is a link definition.
type linkDef struct{ target, title string }

// openBracket reads a note marker or puts a bracket on the stack.
func (in *inliner) openBracket(i int) int {
	s := in.buf
	if i+1 < len(s) && s[i+1] == '^' {
		if end := scanID(s, i+2); end > i+2 && end < len(s) && s[end] == ']' {
			if in.readsNotes() {
				in.noteRef(s[i+2:end], i, end+1)
			}
			return end + 1 // else it prints: its caret raises nothing
		}
	}
	start, name := i, ""
	if i > in.textStart && s[i-1] == '!' && in.escaped != i-1 {
		start, name = i-1, "!"
	}
	return in.pushBracket(start, i+1, name)
}

// readsNotes reports whether note markers are read here (section 8).
func (in *inliner) readsNotes() bool {
	if in.flags&flagHeading != 0 && !in.p.o.HeadingNotes {
		return false
	}
	return in.flags&flagNote == 0
}

func (in *inliner) pushBracket(start, pos int, name string) int {
	if len(in.brackets) >= maxBrackets {
		return pos
	}
	in.put(nText, start, pos, 0)
	in.brackets = append(in.brackets, bracket{node: len(in.nodes) - 1, start: start, pos: pos,
		active: len(in.active), line: in.lineNo, name: name})
	if name == "chip" {
		in.chips++
	}
	return pos
}

func (in *inliner) popBracket() bracket {
	n := len(in.brackets) - 1
	b := in.brackets[n]
	in.brackets = in.brackets[:n]
	if b.name == "chip" {
		in.chips--
	}
	if n > 0 {
		in.brackets[n-1].inner = true
	}
	return b
}

func (in *inliner) noteRef(id string, i, j int) {
	p := in.p
	in.atom(i, j, Inline{Kind: NoteRef, ID: id})
	if p.cited == nil {
		p.cited = map[string]bool{}
	}
	if p.notes[id] == nil && !p.cited[id] {
		p.problem("undefinedFootnote", "[^"+id+"]: the note is empty, for nothing defines it", in.src(i), in.srcEnd(j), Attr{Key: "id", Value: id})
	}
	p.cited[id] = true
}

// closeBracket decides what the bracket on top of the stack was.
func (in *inliner) closeBracket(i int) int {
	if len(in.brackets) == 0 {
		return i
	}
	b := in.popBracket()
	if b.name != "" && b.name != "!" {
		return in.closeDirective(b, i)
	}
	image := b.name == "!"
	if image || !b.dead {
		if target, title, next, ok := in.inlineTarget(i+1, image); ok {
			in.flush(i)
			in.makeLink(b, i, next, target, title, image)
			return in.textStart
		}
	}
	if !image && in.namedWords(b, i) {
		return in.textStart
	}
	if len(in.p.links) > 0 && (image || !b.dead) {
		if def, next, ok := in.reference(b, i); ok {
			in.flush(i)
			in.makeLink(b, i, next, linkTarget{text: def.target}, titleSpan{text: def.title}, image)
			return in.textStart
		}
	}
	if !image && !b.inner && in.flags&flagCell == 0 {
		if next := in.citation(b, i); next > 0 {
			return next
		}
	}
	return i
}

// linkTarget is a destination as read; titleSpan a title, with its place in the
// buffer when it is written beside the words.
type linkTarget struct{ text string }
type titleSpan struct {
	text     string
	from, to int
}

// makeLink turns the nodes after the bracket b into a link or a picture; its
// closing bracket is at i, its whole text ends at next.
func (in *inliner) makeLink(b bracket, i, next int, target linkTarget, title titleSpan, image bool) {
	in.flush(i)
	in.resolve(b.active)
	in.lineNo += int32(strings.Count(in.buf[i:next], "\n"))
	if image {
		in.picture(b, next, target.text, title)
		return
	}
	in.targets = append(in.targets, keptTarget(target.text))
	n := &in.nodes[b.node]
	n.kind, n.end, n.arg = nLink, n.start, int32(len(in.targets)-1)
	in.put(nLinkEnd, i, next, 0)
	in.textStart = next
	for k := len(in.brackets) - 1; k >= 0 && !in.brackets[k].dead; k-- {
		in.brackets[k].dead = true // those below are dead already
	}
}

// picture replaces the nodes from the bracket b on by one atom.
func (in *inliner) picture(b bracket, next int, target string, title titleSpan) {
	p := in.p
	words := in.extract(b.node + 1)
	in.nodes = in.nodes[:b.node]
	in.textStart = b.start
	inner := &Inner{Words: words, Title: joinWhite(unescape(title.text))}
	a := Inline{Kind: InlineImg, Target: target, Text: PlainText(words), Inner: inner}
	if next < len(in.buf) && in.buf[next] == '{' {
		if end := bracesEnd(in.buf, next); end > 0 {
			a.Attrs, _ = p.readAttrs(in.buf[next+1:end], in.src(next+1), false)
			if id, ok := a.Attrs.find("id"); ok && validAnchor(id.Value) {
				a.ID = id.Value
				p.setAnchor(id.Value, id.Start, id.End)
			}
			next = end + 1
		}
	}
	if title.to > title.from {
		inner.Caption = in.caption(title.from, title.to)
	}
	in.atom(b.start, next, a)
}

// caption reads buf[from:to] as a caption of its own.
func (in *inliner) caption(from, to int) []Inline {
	sub := inliner{p: in.p}
	sub.reset(flagCaption | in.flags&flagNote)
	sub.buf = in.buf[from:to]
	if len(in.segs) == 0 {
		sub.base = in.base + from
	} else {
		sub.segs = append(sub.segs, seg{buf: 0, src: in.src(from)})
		for _, g := range in.segs {
			if g.buf > from && g.buf < to {
				sub.segs = append(sub.segs, seg{buf: g.buf - from, src: g.src})
			}
		}
	}
	return append([]Inline(nil), sub.read()...)
}

// extract flattens the nodes from index from on into a list of their own.
func (in *inliner) extract(from int) []Inline {
	mark := len(in.out)
	in.flatten(from, len(in.nodes))
	words := append([]Inline(nil), in.out[mark:]...)
	in.out = in.out[:mark]
	return words
}

func joinWhite(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' || r == ' ' }), " ")
}

// keptTarget is the target, empty for a scheme no book needs (7.5).
func keptTarget(t string) string {
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case c == ':':
			switch strings.ToLower(t[:i]) {
			case "http", "https", "mailto", "tel", "ftp":
				return t
			}
			return ""
		case !isAlpha(c) && !isDigit(c) && c != '+' && c != '-' && c != '.':
			return t
		}
	}
	return t
}

// namedWords reads [words]{#id}: an anchor that keeps its words (section 9).
func (in *inliner) namedWords(b bracket, i int) bool {
	s := in.buf
	if i+1 >= len(s) || s[i+1] != '{' || b.pos == i {
		return false
	}
	if before := runeBefore(s, b.start); before == ']' || before == '!' || before == '\\' {
		return false
	}
	end := bracesEnd(s, i+1)
	if end < 0 {
		return false
	}
	id := strings.TrimSpace(s[i+2 : end])
	if !strings.HasPrefix(id, "#") || !validAnchor(id[1:]) {
		return false
	}
	id = id[1:]
	in.flush(i)
	in.resolve(b.active)
	in.anchorAt(b.node, id, b.start, i, end+1)
	in.textStart = end + 1
	return true
}

// anchorAt turns the node of an opening bracket into an anchor of the words up to
// the bracket at closing.
func (in *inliner) anchorAt(n int, id string, start, closing, end int) {
	in.atoms = append(in.atoms, Inline{Kind: Anchor, ID: id, Start: in.src(start), End: in.srcEnd(closing)})
	in.nodes[n] = node{kind: nAtom, start: int32(start), end: in.nodes[n].end, arg: int32(len(in.atoms) - 1)}
	in.p.setAnchor(id, in.src(start), in.srcEnd(end))
}

// inlineTarget reads (destination "title") at i. A picture's file name may have
// spaces: no other reading of the line would keep the picture.
func (in *inliner) inlineTarget(i int, image bool) (t linkTarget, title titleSpan, next int, ok bool) {
	s := in.buf
	if i >= len(s) || s[i] != '(' {
		return t, title, 0, false
	}
	j := skipBlank(s, i+1)
	if j < len(s) && s[j] != ')' {
		start := j
		if t.text, j, ok = destination(s, j); !ok {
			return t, title, 0, false
		}
		k := skipBlank(s, j)
		if image && k < len(s) && strings.IndexByte(")\"'(", s[k]) < 0 {
			t.text, j = fileName(s, start)
			k = skipBlank(s, j)
		}
		if k > j && k < len(s) && s[k] != ')' {
			if title.from, title.to, k, ok = titleAt(s, k); !ok {
				return t, title, 0, false
			}
			title.text = s[title.from:title.to]
			k = skipBlank(s, k)
		}
		j = k
	}
	if j >= len(s) || s[j] != ')' {
		return t, title, 0, false
	}
	return t, title, j + 1, true
}

// fileName reads a file name with spaces: up to a title's quotation mark or the
// closing parenthesis on its line.
func fileName(s string, i int) (name string, next int) {
	n := strings.IndexAny(s[i:], ")\"\n[<")
	if n < 0 {
		n = len(s) - i
	}
	name = strings.TrimRight(s[i:i+n], " \t")
	return name, i + len(name)
}

// destination reads a link destination at i: <…> or a run without spaces whose
// parentheses balance.
func destination(s string, i int) (target string, next int, ok bool) {
	if i < len(s) && s[i] == '<' {
		for j := i + 1; j < len(s); j++ {
			switch s[j] {
			case '\n', '<':
				return "", 0, false
			case '\\':
				j++
			case '>':
				return strings.ReplaceAll(unescape(s[i+1:j]), " ", "%20"), j + 1, true
			}
		}
		return "", 0, false
	}
	depth := 0
	j := i
scan:
	for ; j < len(s); j++ {
		switch c := s[j]; {
		case c == '\\' && j+1 < len(s) && isASCIIPunct(s[j+1]):
			j++
		case c == '(':
			if depth++; depth > 32 {
				return "", 0, false
			}
		case c == ')':
			if depth == 0 {
				break scan
			}
			depth--
		case c <= ' ' || c == 0x7F:
			break scan
		}
	}
	if depth > 0 || j == i {
		return "", 0, false
	}
	return unescape(s[i:j]), j, true
}

// titleAt reads "…", '…' or (…) at i; from and to are its inside. A blank line
// ends the search, so no title is longer than its paragraph.
func titleAt(s string, i int) (from, to, next int, ok bool) {
	end := s[i]
	switch end {
	case '"', '\'':
	case '(':
		end = ')'
	default:
		return 0, 0, 0, false
	}
	for j := i + 1; j < len(s); j++ {
		switch c := s[j]; {
		case c == '\\':
			j++
		case c == end:
			return i + 1, j, j + 1, true
		case c == '(' && end == ')':
			return 0, 0, 0, false
		}
	}
	return 0, 0, 0, false
}

// reference looks the words of the bracket b, or the label after them, up among
// the chapter's link definitions: [words][label], [label][], [label].
func (in *inliner) reference(b bracket, i int) (def linkDef, next int, ok bool) {
	s, p := in.buf, in.p
	if i+1 < len(s) && s[i+1] == '[' {
		if label, end, ok := labelAt(s, i+1); ok {
			if strings.TrimSpace(label) == "" {
				if b.inner || i-b.pos > p.longest {
					return def, 0, false
				}
				def, ok = p.links[foldLabel(s[b.pos:i])]
				return def, end, ok
			}
			def, ok = p.links[foldLabel(label)]
			return def, end, ok
		}
	}
	if b.inner || i-b.pos > p.longest {
		return def, 0, false
	}
	def, ok = p.links[foldLabel(s[b.pos:i])]
	return def, i + 1, ok
}

// labelAt reads [label] at i: no brackets inside but escaped ones, at most 999
// bytes.
func labelAt(s string, i int) (label string, next int, ok bool) {
	for j := i + 1; j < len(s) && j-i <= 1000; j++ {
		switch s[j] {
		case '\\':
			j++
		case '[':
			return "", 0, false
		case ']':
			return s[i+1 : j], j + 1, true
		}
	}
	return "", 0, false
}

// foldLabel is the form in which labels are compared: case folded, white space
// collapsed.
func foldLabel(s string) string {
	// Upper after lower folds what neither does alone (ſ).
	s = strings.ToLower(strings.Join(strings.Fields(s), " "))
	return strings.ToUpper(strings.ReplaceAll(s, "ß", "ss"))
}

// definitions takes link definitions off the paragraph of lines i to j and
// returns the line after them.
func (r *run) definitions(i, j int) int {
	p := r.p
	in := &p.in
	in.reset(0)
	in.join(r.ls[i:j])
	s := in.buf
	at := 0
	for at < len(s) && s[at] == '[' {
		label, def, next, ok := definition(s, at)
		if !ok {
			break
		}
		if p.links == nil {
			p.links = map[string]linkDef{}
		}
		key := foldLabel(label)
		if _, dup := p.links[key]; !dup {
			p.links[key] = def
		}
		if n := 4*len(label) + 16; n > p.longest {
			p.longest = n
		}
		i += strings.Count(s[at:next], "\n")
		at = next
		if at == len(s) {
			return j
		}
		at = skipBlank(s, at)
	}
	return i
}

// definition reads [label]: destination "title" at i; next is after the line's
// end.
func definition(s string, i int) (label string, def linkDef, next int, ok bool) {
	label, j, ok := labelAt(s, i)
	if !ok || j >= len(s) || s[j] != ':' || strings.TrimSpace(label) == "" || label[0] == '^' {
		return "", def, 0, false
	}
	j = skipBlank(s, j+1)
	if j >= len(s) {
		return "", def, 0, false
	}
	if def.target, j, ok = destination(s, j); !ok {
		return "", def, 0, false
	}
	end, clean := restOfLine(s, j)
	k := skipBlank(s, j)
	if k > j && k < len(s) {
		if from, to, after, ok := titleAt(s, k); ok {
			if titleEnd, ok := restOfLine(s, after); ok {
				def.title = s[from:to]
				return label, def, titleEnd, true
			}
		}
	}
	return label, def, end, clean
}

// restOfLine reports whether only white space is left on the line, and the
// offset after its end.
func restOfLine(s string, i int) (next int, blank bool) {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	if i == len(s) {
		return i, true
	}
	return i + 1, s[i] == '\n'
}

// angle reads an autolink or an HTML tag at <.
func (in *inliner) angle(i int) int {
	s := in.buf
	if target, end := autolink(s, i); end > 0 {
		in.flush(i)
		in.textStart = i
		in.targets = append(in.targets, keptTarget(target))
		in.put(nLink, i, i+1, len(in.targets)-1)
		in.put(nText, i+1, end-1, 0)
		in.put(nLinkEnd, end-1, end, 0)
		return end
	}
	return in.html(i)
}

// autolink reads <scheme:…> or <name@host> at i.
func autolink(s string, i int) (target string, end int) {
	j := i + 1
	if j >= len(s) {
		return "", 0
	}
	for j < len(s) && (isAlpha(s[j]) || isDigit(s[j]) || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", s[j]) >= 0) {
		j++
	}
	if j == i+1 || j >= len(s) {
		return "", 0
	}
	if s[j] == ':' {
		scheme := s[i+1 : j]
		if len(scheme) < 2 || len(scheme) > 32 || !isAlpha(scheme[0]) || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
			return "", 0
		}
		for ; j < len(s) && s[j] > ' ' && s[j] != '<' && s[j] != '>'; j++ {
		}
		if j < len(s) && s[j] == '>' {
			return s[i+1 : j], j + 1
		}
		return "", 0
	}
	if s[j] != '@' {
		return "", 0
	}
	label := 0
	for j++; j < len(s); j++ {
		switch c := s[j]; {
		case isAlpha(c) || isDigit(c):
			label++
		case c == '-' && label > 0:
			label++
		case c == '.' && label > 0 && s[j-1] != '-':
			label = 0
		case c == '>' && label > 0 && s[j-1] != '-':
			return "mailto:" + s[i+1:j], j + 1
		default:
			return "", 0
		}
		if label > 63 {
			return "", 0
		}
	}
	return "", 0
}

// compactRuby reads {base|reading|…} over Han, kana or bopomofo.
func (in *inliner) compactRuby(i int) int {
	s := in.buf
	r, _ := utf8.DecodeRuneInString(s[i+1:])
	if r < 0x2E80 || in.chips > 0 {
		return i
	}
	end := bracesEnd(s, i)
	if end < 0 {
		return i
	}
	bar := strings.IndexByte(s[i:end], '|')
	if bar < 2 {
		return i
	}
	bar += i
	base := s[i+1 : bar]
	if strings.ContainsAny(s[i+1:end], "{\\") || !holdsRubyBase(base) || end == bar+1 {
		return i
	}
	in.flush(i)
	at := in.src(bar + 1)
	span := &Span{Name: "ruby", Start: in.src(i), End: in.srcEnd(end + 1),
		Attrs: Attrs{{Key: "rt", Value: s[bar+1 : end], Start: at, End: at + end - bar - 1}}}
	in.spans = append(in.spans, span)
	in.put(nSpan, i, i+1, len(in.spans)-1)
	in.put(nText, i+1, bar, 0)
	in.put(nSpanEnd, bar, end+1, 0)
	return end + 1
}
