package markup

import (
	"strconv"
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
	if f.name == "callout" {
		p.titleMarks(b)
	}
	switch kind {
	case Directive:
		r.add(b)
		return i + 1
	case Raw:
		return r.raw(b, i)
	}
	if r.deep() {
		r.skipped++
		r.addParagraph(i, i+1)
		return i + 1
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

// checkFence reports attribute values no directive can use.
func (p *parser) checkFence(b *Block) {
	bad := func(kind, key, detail string, allowed func(string) bool) {
		a, ok := b.Attrs.find(key)
		if ok && !allowed(a.Value) {
			p.problem(kind, key+`="`+a.Value+`": `+detail, b.Start, b.End, Attr{Key: "key", Value: key}, Attr{Key: "value", Value: a.Value})
		}
	}
	oneOf := func(names ...string) func(string) bool {
		return func(v string) bool { return has(names, v) }
	}
	number := func(lo, hi float64) func(string) bool {
		return func(v string) bool {
			f, err := strconv.ParseFloat(v, 64)
			return err == nil && f > lo && f <= hi
		}
	}
	switch b.Name {
	case "pagebreak":
		bad("pagebreakInvalidParity", "parity", "read as any; a parity is odd, even, always-odd or always-even",
			oneOf("any", "odd", "even", "always-odd", "always-even"))
	case "space":
		bad("spaceInvalidLines", "lines", "one line is used; lines is a number above 0, at most 20", number(0, 20))
	case "numbering":
		bad("numberingInvalidFormat", "format", "no number format has this name: kept as before", IsNumberFormat)
		for _, key := range []string{"startAt", "lines"} {
			bad("numberingInvalidStartAt", key, "ignored; "+key+" is a whole number from 1 on", func(v string) bool {
				n, err := strconv.Atoi(v)
				return err == nil && n >= 1
			})
		}
	case "columns":
		bad("columnsFlowUnknown", "flow", "the default flow is used; a flow is snake or parallel", oneOf("snake", "parallel"))
	case "paper":
		const kind = "paperAttributeInvalid"
		bad(kind, "type", "ignored", oneOf("uncoated", "bookWove", "coatedMatte", "coatedSilk", "coatedGloss", "bible", "newsprint", "cardStock", "board"))
		bad(kind, "finish", "ignored", oneOf("auto", "uncoated", "matte", "silk", "gloss"))
		bad(kind, "texture", "ignored", oneOf("auto", "smooth", "vellum", "wove", "laid", "linen", "felt"))
		bad(kind, "bulk", "ignored; bulk is a number above 0", number(0, 1e6))
		bad(kind, "grammage", "ignored; grammage is a number above 0", number(0, 1e6))
		bad(kind, "textureStrength", "ignored; textureStrength is a number from 0 to 2", func(v string) bool {
			f, err := strconv.ParseFloat(v, 64)
			return err == nil && f >= 0 && f <= 2
		})
	}
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
