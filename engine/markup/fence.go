package markup

import (
	"strings"
)

// The names a fence may have (sections 4.8, 5, 6, 10; comics.md).
var (
	containerNames = [...]string{"callout", "paragraphs", "columns", "part", "paper"}
	rawNames       = [...]string{"verse", "references", "page", "strip"}
	directiveNames = [...]string{"pagebreak", "columnbreak", "space", "numbering", "toc", "index", "bibliography"}
)

func has(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func knownFence(name string) bool {
	return has(containerNames[:], name) || has(rawNames[:], name) || has(directiveNames[:], name)
}

// knownNames lists what may stand after :::, for messages.
func knownNames() string {
	all := append(append(append([]string(nil), containerNames[:]...), rawNames[:]...), directiveNames[:]...)
	return strings.Join(all, ", ")
}

// fenceLine is a line of the form :::, :::name or :::name{…}.
type fenceLine struct {
	bare     bool
	name     string
	from, to int // inside of the braces; to = 0 without braces
}

// parseFence reads a trimmed line by the fence grammar (2.2).
func parseFence(s string) (f fenceLine, ok bool) {
	if !strings.HasPrefix(s, ":::") {
		return f, false
	}
	if len(s) == 3 {
		return fenceLine{bare: true}, true
	}
	i := 3
	for i < len(s) && s[i] == ' ' {
		i++
	}
	start := i
	if i == len(s) || !isLower(s[i]) {
		return f, false
	}
	for i < len(s) && (isLower(s[i]) || isDigit(s[i]) || s[i] == '-') {
		i++
	}
	f.name = s[start:i]
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == len(s) {
		return f, true
	}
	if s[i] != '{' || strings.IndexByte(s[i:], '}') != len(s)-1-i {
		return f, false
	}
	f.from, f.to = i+1, len(s)-1
	return f, true
}

// fence reads a line that begins with a colon; it returns i when the line is
// text.
func (r *run) fence(i int) int {
	p := r.p
	s, start := p.text(r.ls[i])
	if !strings.HasPrefix(s, "::") || len(s) == 2 {
		return i
	}
	if s[2] != ':' {
		id, ok := embedID(s)
		if !ok {
			return i
		}
		b := p.newBlock(Embed, start, start+len(s))
		b.Name, b.ID = "resource", id
		r.add(b)
		return i + 1
	}
	f, ok := parseFence(s)
	if !ok {
		if name := fenceName(s); name != "" {
			r.unknown(name, start, start+len(s))
		} else if name := strings.TrimLeft(s, ":"); name != "" {
			if name = fenceName(":::" + name); knownFence(name) {
				r.p.problem("unknownDirective", "more than three colons before "+name+" — set as text: a fence has three, inside another, too", start, start+len(s), Attr{Key: "name", Value: name})
			}
		}
		return i
	}
	if f.bare {
		switch n := len(r.open); {
		case r.skipped > 0:
			r.skipped--
		case n > 0:
			r.open[n-1].End = start + len(s)
			r.open = r.open[:n-1]
		default:
			return i
		}
		return i + 1
	}
	kind := Container
	switch {
	case has(rawNames[:], f.name):
		kind = Raw
		if (f.name == "page" || f.name == "strip") && (!r.ctx.top || len(r.open) > 0) {
			r.unknown(f.name, start, start+len(s))
			return i
		}
	case has(directiveNames[:], f.name):
		kind = Directive
	case !has(containerNames[:], f.name):
		r.unknown(f.name, start, start+len(s))
		return i
	}
	b := p.newBlock(kind, start, start+len(s))
	b.Name = f.name
	if f.to > 0 {
		b.Attrs, _ = p.readAttrs(s[f.from:f.to], start+f.from, false)
		if kind != Directive && !(kind == Raw && (f.name == "page" || f.name == "strip")) {
			p.takeID(b)
		}
	}
	p.checkFence(b)
	switch kind {
	case Directive:
		r.add(b)
		return i + 1
	case Raw:
		return r.raw(b, i)
	}
	if r.deep() {
		// What it holds is set in the group around it, with its title before.
		r.skipped++
		p.tooDeep(b.Start, b.End)
		if a, ok := b.Attrs.find("title"); ok && a.End > a.Start {
			t := p.newBlock(Paragraph, a.Start, a.End)
			p.later(t, []line{{start: int32(a.Start), end: int32(a.End)}}, 0, &t.Inlines)
			r.add(t)
		}
		return i + 1
	}
	if f.name == "callout" {
		p.titleMarks(b)
	}
	r.add(b)
	r.open = append(r.open, b)
	return i + 1
}

// titleMarks has the marks in a box's or listing's title read; its words become
// the block's caption.
func (p *parser) titleMarks(b *Block) {
	if a, ok := b.Attrs.find("title"); ok && a.End > a.Start {
		p.later(b, []line{{start: int32(a.Start), end: int32(a.End)}}, flagCaption, &b.Caption)
	}
}

// fenceName is the name after ::: on a line that is no fence.
func fenceName(s string) string {
	s = strings.TrimLeft(s[3:], " ")
	n := 0
	for n < len(s) && (isLower(s[n]) || n > 0 && (isDigit(s[n]) || s[n] == '-')) {
		n++
	}
	return s[:n]
}

func (r *run) unknown(name string, start, end int) {
	why := " — set as text; the known names are " + knownNames()
	if knownFence(name) {
		why = " — set as text: nothing but {attributes} may follow the name"
		if name == "page" || name == "strip" {
			why = " — set as text: it is read at the top level of a chapter only, with nothing but {attributes} after the name"
		}
	}
	r.p.problem("unknownDirective", ":::"+name+why, start, end, Attr{Key: "name", Value: name})
}

// raw reads the body of a raw block up to the first bare ::: line.
func (r *run) raw(b *Block, i int) int {
	p := r.p
	j := i + 1
	closed := false
	for ; j < len(r.ls); j++ {
		if s, _ := p.text(r.ls[j]); s == ":::" {
			closed = true
			break
		}
	}
	r.literal(b, i+1, j, 0)
	if b.Name == "verse" {
		r.verse(b, i+1, j)
	}
	r.add(b)
	if !closed {
		p.problem("unclosedContainer", ":::"+b.Name+" is never closed and runs to the end of the text", b.Start, b.End, Attr{Key: "name", Value: b.Name})
		r.reach(b, j)
		return j
	}
	s, start := p.text(r.ls[j])
	b.End = start + len(s)
	return j + 1
}

// verse reads the lines of a poem into stanzas (4.8). A line's Level counts the
// steps of its indent; the attribute "shared" marks a line that begins where
// the line above ended.
func (r *run) verse(b *Block, i, j int) {
	p := r.p
	var stanza *Block
	for ; i < j; i++ {
		l := r.ls[i]
		s, start := p.text(l)
		steps := 0
		if strings.HasPrefix(s, "\u3000") {
			for strings.HasPrefix(s, "\u3000") {
				s, start, steps = s[3:], start+3, steps+2
			}
			from := skipBlank(s, 0)
			s, start = s[from:], start+from
		}
		if s == "" {
			stanza = nil
			continue
		}
		if stanza == nil {
			stanza = p.newBlock(Stanza, start, start)
			b.Children = append(b.Children, stanza)
		}
		v := p.newBlock(Paragraph, start, start+len(s))
		steps += int(l.pad)
		for _, c := range p.src[l.start:start] {
			switch c {
			case ' ':
				steps++
			case '\t':
				steps += 4
			}
		}
		v.Level = steps
		if strings.HasPrefix(s, "+ ") {
			v.Attrs = Attrs{{Key: "shared", Flag: true}}
			from := skipBlank(s, 1)
			s, start = s[from:], start+from
		}
		flags := flagVerse
		if b.Attrs.On("keepSpaces") {
			flags |= flagKeepSpaces
		}
		p.later(v, []line{{start: int32(start), end: int32(start + len(s))}}, flags|r.flags(), &v.Inlines)
		stanza.Children = append(stanza.Children, v)
		stanza.End = v.End
	}
}

// embedID reads ::resource{id="…"} in its strict form (13.3).
func embedID(s string) (id string, ok bool) {
	const head, tail = `::resource{id="`, `"}`
	if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) || len(s) <= len(head)+len(tail) {
		return "", false
	}
	id = s[len(head) : len(s)-len(tail)]
	return id, strings.IndexAny(id, `"{}`) < 0
}

// checkEmbed reports a line of a paragraph that looks like an embed.
func (r *run) checkEmbed(j int) {
	s, start := r.p.text(r.ls[j])
	if !strings.HasPrefix(s, "::") || len(s) < 3 || !isLower(s[2]) {
		return
	}
	n := 2
	for n < len(s) && (isLower(s[n]) || isDigit(s[n]) || s[n] == '-') {
		n++
	}
	if n < len(s) && s[n] != '{' && s[n] != ' ' {
		return
	}
	r.p.problem("malformedEmbed", s[:n]+" is set as text: write ::resource{id=\"…\"} alone on its line, after a blank line, the id in double quotes",
		start, start+len(s), Attr{Key: "name", Value: s[2:n]})
}

// numberFormats are the format names of 5.4; the long ones ignore case.
var numberFormats = [...]string{
	"decimal", "arabic", "lower-roman", "roman-lower", "upper-roman", "roman-upper", "lower-alpha", "alpha-lower",
	"lower-latin", "upper-alpha", "alpha-upper", "upper-latin", "circled-decimal", "fullwidth-decimal",
	"simp-chinese-informal", "trad-chinese-informal", "cjk-ideographic", "simp-chinese-formal", "trad-chinese-formal",
	"cjk-decimal", "cjk-heavenly-stem", "cjk-earthly-branch", "japanese-informal", "japanese-formal", "hiragana",
	"katakana", "hiragana-iroha", "katakana-iroha", "arabic-indic", "persian", "urdu", "abjad", "hijai",
	"arabic-abjad", "arabic-abjad-maghrebi",
}

// shortFormats are the one-character forms; they do not ignore case.
const shortFormats = "1iIaA①１一壹〇甲子壱あアいイ"

// IsNumberFormat reports whether name is a number format of
// document-format.md 5.4.
func IsNumberFormat(name string) bool {
	if r := []rune(name); len(r) == 1 {
		return strings.ContainsRune(shortFormats, r[0])
	}
	return has(numberFormats[:], strings.ToLower(name))
}
