package markup

import "strings"

// inlineDirective says what may follow :name.
type inlineDirective struct {
	name    string
	bracket bool // :name[…]
	braces  bool // :name{…}
	not     inlineFlags
}

// inlineDirectives are the inline directives (sections 7, 9, 11, 15). Those
// without a rule of their own in closeDirective become spans.
var inlineDirectives = [...]inlineDirective{
	{name: "ref", braces: true},
	{name: "index", bracket: true, braces: true, not: flagCell | flagCaption},
	{name: "anchor", braces: true},
	{name: "smallcaps", bracket: true},
	{name: "chip", bracket: true, not: flagHeading},
	{name: "swatch", braces: true},
	{name: "tab", braces: true, not: flagHeading | flagCell | flagCaption},
	{name: "dots", bracket: true},
	{name: "name", bracket: true},
	{name: "book", bracket: true},
	{name: "sideline", bracket: true},
	{name: "ruby", bracket: true},
	{name: "warichu", bracket: true},
	{name: "kunten", bracket: true},
	{name: "tcy", bracket: true},
	{name: "upright", bracket: true},
	{name: "sideways", bracket: true},
	{name: "ltr", bracket: true},
	{name: "rtl", bracket: true},
}

// directive reads :name at i.
func (in *inliner) directive(i int) int {
	s := in.buf
	j := i + 1
	for j < len(s) && isLower(s[j]) {
		j++
	}
	if j == i+1 || j-i > 12 {
		return i
	}
	name := s[i+1 : j]
	var d *inlineDirective
	for k := range inlineDirectives {
		if inlineDirectives[k].name == name {
			d = &inlineDirectives[k]
		}
	}
	if d == nil || in.flags&d.not != 0 {
		return i
	}
	switch {
	case d.bracket && j < len(s) && s[j] == '[':
		if in.chips > 0 && name == "chip" {
			return i
		}
		return in.pushBracket(i, j+1, name)
	case d.braces && j < len(s) && s[j] == '{':
		if end := bracesEnd(s, j); end > 0 && in.braced(name, i, j, end) {
			return in.textStart
		}
	}
	if name == "tab" && (j == len(s) || !isWordRune(runeAt(s, j)) && s[j] != '{') {
		in.atom(i, j, Inline{Kind: Tab})
		return j
	}
	return i
}

// braced reads :name{…} with its braces at open and end. False: it is text.
func (in *inliner) braced(name string, i, open, end int) bool {
	p, s := in.p, in.buf
	if in.chips > 0 && (name == "ref" || name == "swatch") {
		return false
	}
	mark := len(p.doc.Problems)
	attrs, _ := p.readAttrs(s[open+1:end], in.src(open+1), false)
	a := Inline{Attrs: attrs}
	switch name {
	case "ref":
		a.Kind = Ref
		a.ID, _ = attrs.Get("id")
		if a.ID == "" {
			p.doc.Problems = p.doc.Problems[:mark]
			return false
		}
		a.Target = unprefixed(a.ID)
	case "anchor":
		a.Kind = Anchor
		a.ID, _ = attrs.Get("id")
		if !validAnchor(a.ID) {
			p.doc.Problems = p.doc.Problems[:mark]
			return false
		}
		p.setAnchor(a.ID, in.src(i), in.srcEnd(end+1))
	case "swatch":
		a.Kind = Swatch
		if c, _ := attrs.Get("color"); c == "" {
			p.doc.Problems = p.doc.Problems[:mark]
			return false
		}
	case "tab":
		a.Kind = Tab
	case "index":
		a.Kind = IndexMark
		if t, _ := attrs.Get("term"); t == "" {
			p.problem("indexMarkInvalid", "an index mark without a term indexes nothing", in.src(i), in.srcEnd(end+1))
			in.flush(i)
			in.textStart = end + 1
			return true
		}
	}
	in.atom(i, end+1, a)
	return true
}

// closeDirective ends the directive whose bracket is b at the ] at i.
func (in *inliner) closeDirective(b bracket, i int) int {
	p, s := in.p, in.buf
	words := s[b.pos:i]
	if b.line != in.lineNo || words == "" || b.name != "chip" && onlyBlank(words) {
		return i
	}
	next := i + 1
	var attrs Attrs
	if next < len(s) && s[next] == '{' {
		if end := bracesEnd(s, next); end > 0 {
			attrs, _ = p.readAttrs(s[next+1:end], in.src(next+1), false)
			next = end + 1
		}
	}
	in.flush(i)
	n := &in.nodes[b.node]
	switch b.name {
	case "smallcaps":
		in.resolve(b.active)
		*n = node{kind: nStyle, style: SmallCaps, arg: 1, start: n.start, end: n.end}
		in.put(nStyle, i, next, -1)
		in.nodes[len(in.nodes)-1].style = SmallCaps
	case "chip":
		in.resolve(b.active)
		inner := in.extract(b.node + 1)
		in.nodes = in.nodes[:b.node]
		in.textStart = b.start
		in.atom(b.start, next, Inline{Kind: Chip, Text: PlainText(inner), Inner: &Inner{Words: inner}, Attrs: attrs})
	case "index":
		if t, _ := attrs.Get("term"); t == "" {
			at := in.src(b.pos)
			attrs = append(attrs, Attr{Key: "term", Value: joinWhite(words), Start: at, End: at + len(words)})
		}
		in.atoms = append(in.atoms, Inline{Kind: IndexMark, Attrs: attrs, Start: in.src(b.start), End: in.srcEnd(b.pos)})
		*n = node{kind: nAtom, start: n.start, end: n.end, arg: int32(len(in.atoms) - 1)}
		in.textStart = next
	default:
		in.resolve(b.active)
		in.spans = append(in.spans, &Span{Name: b.name, Attrs: attrs, Start: in.src(b.start), End: in.srcEnd(next)})
		*n = node{kind: nSpan, start: n.start, end: n.end, arg: int32(len(in.spans) - 1)}
		in.put(nSpanEnd, i, next, 0)
	}
	in.textStart = next
	return next
}

// marksOnly reports a line that holds only invisible marks: it vanishes with its
// line end, so it ends nothing.
func (p *parser) marksOnly(s string) bool {
	any := false
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" {
			return any
		}
		open := 0
		switch {
		case strings.HasPrefix(s, ":index{"):
			open = len(":index")
		case strings.HasPrefix(s, ":anchor{"):
			open = len(":anchor")
		default:
			return false
		}
		end := bracesEnd(s, open)
		if end < 0 {
			return false
		}
		s, any = s[end+1:], true
	}
}

// texRefEnd is the offset after \ref{id} or \eqref{id} at i, 0 when there is
// none.
func (in *inliner) texRefEnd(i int) int {
	s := in.buf
	rest := s[i:]
	n := 0
	switch {
	case strings.HasPrefix(rest, `\ref{`):
		n = len(`\ref{`)
	case strings.HasPrefix(rest, `\eqref{`):
		n = len(`\eqref{`)
	default:
		return 0
	}
	end := scanID(s, i+n)
	if end == i+n || end >= len(s) || s[end] != '}' {
		return 0
	}
	return end + 1
}

// texRef reads \ref{id} (number only) or \eqref{id}.
func (in *inliner) texRef(i int) int {
	end := in.texRefEnd(i)
	if end == 0 || in.chips > 0 {
		return i
	}
	s := in.buf
	open := strings.IndexByte(s[i:], '{') + i
	a := Inline{Kind: Ref, ID: s[open+1 : end-1]}
	a.Target = unprefixed(a.ID)
	if s[i+1] == 'r' {
		a.Attrs = Attrs{{Key: "style", Value: "number"}}
	}
	in.atom(i, end, a)
	return end
}

// refPrefixes are the kinds of reference pandoc-crossref writes before an id.
var refPrefixes = [...]string{"sec:", "fig:", "tbl:", "eq:", "lst:"}

// unprefixed is an id without such a prefix, which may or may not be part of
// it.
func unprefixed(id string) string {
	for _, p := range refPrefixes {
		if strings.HasPrefix(id, p) && len(id) > len(p) {
			return id[len(p):]
		}
	}
	return id
}
