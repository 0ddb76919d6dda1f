package math

import (
	"strconv"
	"strings"
	"sync"

	"postext/engine/unit"
)

// command reads what a command of its name makes.
type command = func(p *parser, name string, at int) []*node

// The table is made at its first use: its functions read commands themselves.
var (
	commandOnce  sync.Once
	commandTable map[string]command
)

func commands() map[string]command {
	commandOnce.Do(func() { commandTable = makeCommands() })
	return commandTable
}

// makeCommands lists the commands that take arguments or change what follows.
func makeCommands() map[string]command {
	m := map[string]command{
		"frac": fractions, "dfrac": fractions, "tfrac": fractions, "cfrac": fractions,
		"binom": fractions, "dbinom": fractions, "tbinom": fractions, "genfrac": genfrac,
		"sqrt": root, "left": leftRight, "middle": middleDelim,
		"overset": stacked, "underset": stacked, "stackrel": stacked, "overunderset": stacked,
		"overline": lines, "underline": lines, "underbar": lines,
		"not": not, "operatorname": operatorName, "mathop": classed,
		"phantom": ghost, "hphantom": ghost, "vphantom": ghost, "smash": ghost, "mathstrut": ghost, "strut": ghost,
		"begin": begin, "substack": substack, "label": label, "tag": tag, "notag": silent, "nonumber": silent,
		"ref": refer, "eqref": refer, "color": colour, "textcolor": colour,
		"bmod": modulo, "pmod": modulo, "mod": modulo, "pod": modulo,
		"boxed": box_, "fbox": box_, "rule": rules, "raisebox": raise, "dots": dots,
		"iff": wide('⟺'), "implies": wide('⟹'), "impliedby": wide('⟸'),
		"displaylimits": nothing, "relax": nothing, "allowbreak": nothing, "nolinebreak": nothing, "nobreak": nothing,
		"nonscript": nothing, "strutbox": nothing, "noindent": nothing, "centering": nothing, "hfill": nothing, "hfil": nothing,
		"limits": stranded, "nolimits": stranded,
		"edef": defining, "newenvironment": defining, "newtheorem": defining,
		"newcommand": unexpanded, "renewcommand": unexpanded, "providecommand": unexpanded, "def": unexpanded, "gdef": unexpanded, "let": unexpanded,
		"DeclareMathOperator": unexpanded, "DeclareRobustCommand": unexpanded,
		"root": rootOf, "ensuremath": wrapped, "mathstrutbox": nothing,
	}
	for name, c := range map[string]class{"mathord": ord, "mathbin": bin, "mathrel": rel, "mathopen": open, "mathclose": shut,
		"mathpunct": punct, "mathinner": inner} {
		m[name] = func(p *parser, name string, at int) []*node {
			return []*node{{what: group, class: c, at: at, body: p.argument(name), ink: p.ink}}
		}
	}
	for name, st := range map[string]style{"displaystyle": display, "textstyle": text, "scriptstyle": script, "scriptscriptstyle": scriptscript} {
		m[name] = func(p *parser, name string, at int) []*node {
			return []*node{{what: styled, class: none, at: at, st: st, force: true}}
		}
	}
	for _, name := range []string{"text", "mbox", "hbox", "textrm", "textup", "textnormal", "textit", "emph", "textbf", "textsf", "texttt", "intertext"} {
		m[name] = textual
	}
	for i, name := range []string{"big", "Big", "bigg", "Bigg"} {
		for suffix, c := range map[string]class{"": ord, "l": open, "r": shut, "m": rel} {
			m[name+suffix] = func(p *parser, name string, at int) []*node {
				return []*node{{what: bigDelim, class: c, at: at, r: p.delimiter(name), width: length{em: bigSizes[i]}, ink: p.ink}}
			}
		}
	}
	for _, name := range []string{"hspace", "hskip", "kern", "mkern", "mskip", "mspace"} {
		m[name] = spaced
	}
	for _, name := range []string{"llap", "rlap", "clap", "mathllap", "mathrlap", "mathclap"} {
		m[name] = lapped
	}
	for name, r := range map[string]rune{"overbrace": '⏞', "underbrace": '⏟', "overparen": '⏜', "underparen": '⏝', "overbracket": '⎴',
		"underbracket": '⎵', "overrightarrow": '→', "overleftarrow": '←', "overleftrightarrow": '↔', "underrightarrow": '→',
		"underleftarrow": '←', "underleftrightarrow": '↔'} {
		m[name] = func(p *parser, name string, at int) []*node {
			n := &node{what: overUnder, class: ord, at: at, r: r, flags: flagStretch, ink: p.ink}
			if strings.HasPrefix(name, "under") {
				n.flags |= flagUnder
			}
			if strings.HasSuffix(name, "brace") || strings.HasSuffix(name, "bracket") || strings.HasSuffix(name, "paren") {
				n.flags |= flagBrace
				n.class, n.lim = op, limitsAlways
			}
			n.body = p.argument(name)
			return []*node{n}
		}
	}
	for name, r := range map[string]rune{"xrightarrow": '→', "xleftarrow": '←', "xleftrightarrow": '↔', "xRightarrow": '⇒',
		"xLeftarrow": '⇐', "xLeftrightarrow": '⇔', "xmapsto": '↦', "xhookrightarrow": '↪', "xhookleftarrow": '↩',
		"xrightharpoonup": '⇀', "xleftharpoonup": '↼', "xrightleftharpoons": '⇌'} {
		m[name] = func(p *parser, name string, at int) []*node {
			n := &node{what: arrow, class: rel, at: at, r: r, ink: p.ink}
			n.second, _ = p.bracket()
			n.body = p.argument(name)
			return []*node{n}
		}
	}
	return m
}

// bigSizes are the heights of \big, \Big, \bigg and \Bigg in thousandths of an
// em, a little under plain TeX's 12, 18, 24 and 30 points at ten: the next
// variant up is taken.
var bigSizes = [...]int32{1150, 1730, 2300, 2880}

func nothing(*parser, string, int) []*node { return nil }

func stranded(p *parser, name string, at int) []*node {
	p.fail(at, "\\%s belongs behind an operator such as \\sum", name)
	return nil
}

func defining(p *parser, name string, at int) []*node {
	p.fail(at, "\\%s is not understood in a formula: define commands with \\newcommand or \\def", name)
	return nil
}

// unexpanded says why a definition is still there: it could not be taken up.
func unexpanded(p *parser, name string, at int) []*node {
	var m Macros
	if _, err := m.Expand(p.src[at:]); err != nil {
		p.fail(at, "%s", err.Error())
	} else {
		p.fail(at, "\\%s defines a command that cannot be set", name)
	}
	return nil
}

func wrapped(p *parser, name string, at int) []*node {
	return []*node{{what: group, class: ord, at: at, body: p.argument(name), ink: p.ink}}
}

func wide(r rune) func(p *parser, name string, at int) []*node {
	return func(p *parser, name string, at int) []*node {
		gap := func() *node { return &node{what: space, class: none, at: at, width: length{em: 278}} }
		return []*node{gap(), p.sym(r, rel, at), gap()}
	}
}

func fractions(p *parser, name string, at int) []*node {
	n := &node{what: fraction, class: ord, at: at, align: 'c', ink: p.ink}
	switch name[0] {
	case 'd':
		n.st, n.force = display, true
	case 't':
		n.st, n.force = text, true
	case 'c':
		n.st, n.force = display, true
		switch a := strings.TrimSpace(p.rawBracket()); a {
		case "", "c":
		case "l", "r":
			n.align = a[0]
		default:
			p.fail(at, "\\cfrac[%s]: l, c or r is possible", a)
		}
		n.flags = flagBrace // its parts stay in display style
	}
	if strings.HasSuffix(name, "binom") {
		n.rule, n.left, n.right = unruled, '(', ')'
	}
	n.body = p.argument(name)
	n.second = p.argument(name)
	return []*node{n}
}

func genfrac(p *parser, name string, at int) []*node {
	n := &node{what: fraction, class: ord, at: at, align: 'c', ink: p.ink}
	side := func() rune {
		s := strings.TrimSpace(p.raw(name))
		if s == "" || p.err != nil {
			return 0
		}
		q := parser{src: s}
		r := q.delimiter(name)
		if q.err != nil {
			p.fail(at, "%s", q.err.Msg)
		}
		return r
	}
	n.left, n.right = side(), side()
	if t := strings.TrimSpace(p.raw(name)); strings.HasPrefix(t, "0") {
		n.rule = unruled
	}
	if s := strings.TrimSpace(p.raw(name)); len(s) == 1 && s[0] >= '0' && s[0] <= '3' {
		n.st, n.force = style(s[0]-'0')<<1, true
	}
	n.body = p.argument(name)
	n.second = p.argument(name)
	return []*node{n}
}

func root(p *parser, name string, at int) []*node {
	n := &node{what: radical, class: ord, at: at, ink: p.ink}
	n.second, _ = p.bracket()
	n.body = p.argument(name)
	return []*node{n}
}

// rootOf reads plain TeX's \root n \of x.
func rootOf(p *parser, name string, at int) []*node {
	n := &node{what: radical, class: ord, at: at, ink: p.ink}
	for p.err == nil {
		p.blank()
		if p.ends() {
			p.fail(at, "\\root wants \\of: write \\sqrt[3]{x}")
			return nil
		}
		if p.peek() == "of" {
			p.command()
			break
		}
		ns := p.atom()
		if len(ns) > 0 && p.err == nil {
			p.scripts(ns[len(ns)-1])
		}
		n.second = append(n.second, ns...)
	}
	n.body = p.argument(name)
	return []*node{n}
}

// delimiter reads the sign behind \left, \big and their kin; 0 is none.
func (p *parser) delimiter(of string) rune {
	p.blank()
	at := p.pos
	if p.err != nil {
		return 0
	}
	if p.pos >= len(p.src) {
		p.fail(at, "\\%s wants a bracket behind it, or a . for none", of)
		return 0
	}
	if name, ok := p.command(); ok {
		switch name {
		case "{", "}":
			return rune(name[0])
		case "|":
			return '‖'
		case "vert":
			return '|'
		case "Vert":
			return '‖'
		case "backslash":
			return '\\'
		}
		if s, ok := symbols()[name]; ok {
			switch {
			case s.class == open || s.class == shut:
				return s.r
			case strings.HasSuffix(name, "parrow") || strings.HasSuffix(name, "ownarrow"):
				return s.r
			}
		}
		p.fail(at, "\\%s is no bracket: behind \\%s stands one of ( ) [ ] \\{ \\} | \\| / \\langle \\rangle \\lfloor \\rfloor \\lceil \\rceil, or a . for none", name, of)
		return 0
	}
	for i, r := range p.src[p.pos:] {
		if i > 0 {
			break
		}
		p.pos += len(string(r))
		switch r {
		case '.':
			return 0
		case '<', '⟨':
			return '⟨'
		case '>', '⟩':
			return '⟩'
		case '(', ')', '[', ']', '|', '/', '‖', '∣', '∥', '⌈', '⌉', '⌊', '⌋', '⟦', '⟧':
			return r
		}
		p.pos = at
		p.fail(at, "%c is no bracket: behind \\%s stands one of ( ) [ ] \\{ \\} | \\| / \\langle \\rangle \\lfloor \\rfloor \\lceil \\rceil, or a . for none", r, of)
	}
	return 0
}

func leftRight(p *parser, name string, at int) []*node {
	n := &node{what: fence, class: inner, at: at, left: p.delimiter(name), ink: p.ink}
	row, opt := p.row, p.optional
	p.row, p.optional = nil, false
	p.fence++
	n.body = p.list()
	p.fence--
	p.row, p.optional = row, opt
	if p.err != nil {
		return nil
	}
	if p.peek() != "right" {
		p.fail(at, "\\left has no \\right: end it with \\right and a bracket, or \\right. for none")
		return nil
	}
	p.command()
	n.right = p.delimiter("right")
	return []*node{n}
}

func middleDelim(p *parser, name string, at int) []*node {
	if p.fence == 0 {
		p.fail(at, "\\middle stands between \\left and \\right only")
		return nil
	}
	return []*node{{what: middle, class: open, at: at, r: p.delimiter(name), ink: p.ink}}
}

func stacked(p *parser, name string, at int) []*node {
	first := p.argument(name)
	n := &node{what: group, at: at, lim: limitsAlways, has: hasSup, sup: first, ink: p.ink, flags: flagBrace}
	switch name {
	case "underset":
		n.sup, n.sub, n.has = nil, first, hasSub
	case "overunderset":
		n.sub = p.argument(name)
		n.has = hasSup | hasSub
	}
	n.body = p.argument(name)
	n.class = ord
	switch {
	case name == "stackrel":
		n.class = rel
	case len(n.body) == 1 && n.body[0].class != none:
		n.class = n.body[0].class
	}
	// The stack is a nucleus of its own: scripts may follow.
	return []*node{{what: group, class: n.class, at: at, body: []*node{n}, flags: flagShown}}
}

func lines(p *parser, name string, at int) []*node {
	n := &node{what: line, class: ord, at: at, ink: p.ink}
	if name != "overline" {
		n.flags = flagUnder
	}
	n.body = p.argument(name)
	return []*node{n}
}

func not(p *parser, name string, at int) []*node {
	body := p.argument(name)
	if p.err != nil {
		return nil
	}
	if len(body) == 1 && body[0].what == group && len(body[0].body) == 1 {
		body = body[0].body
	}
	if len(body) == 1 && body[0].what == symbol {
		s := *body[0]
		if r, ok := negated[s.r]; ok {
			s.r = r
			return []*node{&s}
		}
		return []*node{{what: accent, class: s.class, at: at, r: 0x338, flags: flagOverlay, body: body, ink: p.ink}}
	}
	p.fail(at, "\\not strikes through one sign, as in \\not=")
	return nil
}

func operatorName(p *parser, name string, at int) []*node {
	n := &node{what: words, class: op, at: at, lim: limitsNever, alpha: upright, ink: p.ink}
	if p.at("*") {
		p.pos++
		n.lim = limitsInDisplay
	}
	s := p.raw(name)
	if p.err != nil {
		return nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == ',' || s[i+1] == ' ' || s[i+1] == ';' || s[i+1] == ':'):
			b.WriteString("\u2009")
			i++
		case strings.HasPrefix(s[i:], `\text`), strings.HasPrefix(s[i:], `\mathrm`):
			for i+1 < len(s) && letter(s[i+1]) {
				i++
			}
		case s[i] == '\\':
			p.fail(at, "\\operatorname{%s}: only letters, figures and \\, stand in a name", s)
			return nil
		case s[i] == '{' || s[i] == '}' || s[i] == ' ' || s[i] == '\n':
		case s[i] == '*':
			b.WriteString("∗")
		default:
			b.WriteByte(s[i])
		}
	}
	n.name = b.String()
	return []*node{n}
}

func classed(p *parser, name string, at int) []*node {
	n := &node{what: group, class: op, at: at, body: p.argument(name), lim: limitsInDisplay, ink: p.ink}
	if len(n.body) == 1 && n.body[0].what == symbol && n.body[0].class == op {
		n.body[0].at = at
		return n.body
	}
	return []*node{n}
}

func ghost(p *parser, name string, at int) []*node {
	n := &node{what: phantom, class: ord, at: at}
	switch name {
	case "phantom":
		n.flags = flagWidth | flagHeight
	case "hphantom":
		n.flags = flagWidth
	case "vphantom":
		n.flags = flagHeight
	case "mathstrut", "strut":
		n.flags = flagHeight
		n.body = []*node{p.sym('(', open, at)}
		return []*node{n}
	case "smash":
		n.flags = flagWidth | flagShown
		p.rawBracket()
	}
	n.body = p.argument(name)
	return []*node{n}
}

func lapped(p *parser, name string, at int) []*node {
	n := &node{what: phantom, class: ord, at: at, flags: flagHeight | flagShown, align: 'c'}
	switch strings.TrimPrefix(name, "math") {
	case "llap":
		n.align = 'r'
	case "rlap":
		n.align = 'l'
	}
	n.body = p.argument(name)
	return []*node{n}
}

func box_(p *parser, name string, at int) []*node {
	n := &node{what: boxed, class: ord, at: at, ink: p.ink}
	if name == "fbox" {
		n.body = p.textual(p.raw(name), at, upright, 0)
	} else {
		n.body = p.argument(name)
	}
	return []*node{n}
}

// spaced reads a space of a given length: \hspace{1em}, \kern3mu.
func spaced(p *parser, name string, at int) []*node {
	if p.at("*") {
		p.pos++
	}
	p.blank()
	var l length
	if p.at("{") {
		q := parser{src: p.raw(name)}
		l = q.dimension()
		if q.err != nil {
			p.fail(at, "%s", q.err.Msg)
		}
	} else {
		l = p.dimension()
	}
	return []*node{{what: space, class: none, at: at, width: l}}
}

// Lengths are cut to these, so that a short source makes no huge formula.
const (
	maxEms = 60_000 // thousandths
	maxPt  = 720 * unit.Pt
)

// units of length: thousandths of an em, or scaled points.
var units = map[string]length{
	"em": {em: 1000}, "ex": {em: 442}, "mu": {em: 56}, "pt": {pt: unit.Pt * 7200 / 7227}, "bp": {pt: unit.Pt}, "pc": {pt: 12 * unit.Pt},
	"mm": {pt: unit.Inch * 10 / 254}, "cm": {pt: unit.Inch * 100 / 254}, "in": {pt: unit.Inch}, "sp": {pt: 1}, "px": {pt: unit.Pt * 3 / 4},
}

// dimension reads a number with a unit; what TeX allows behind it (plus, minus)
// is passed over.
func (p *parser) dimension() length {
	p.blank()
	at := p.pos
	i := p.pos
	for i < len(p.src) && strings.IndexByte("+-.0123456789 ", p.src[i]) >= 0 {
		i++
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(p.src[p.pos:i], " ", ""), 64)
	u := ""
	if i+2 <= len(p.src) {
		u = p.src[i : i+2]
	}
	l, ok := units[u]
	if err != nil || !ok {
		p.fail(at, "a length is a number and a unit, such as 1em, 5mu or 3pt")
		return length{}
	}
	p.pos = i + 2
	for {
		p.blank()
		if !p.at("plus") && !p.at("minus") {
			break
		}
		n := strings.IndexAny(p.src[p.pos+4:], "0123456789.")
		if n < 0 {
			break
		}
		p.pos += 4 + n
		p.dimension()
	}
	v = min(max(v, -1e6), 1e6)
	em := float64(v * float64(l.em))
	pt := float64(v * float64(l.pt))
	return length{em: int32(min(max(em, -maxEms), maxEms)), pt: unit.Sp(min(max(pt, -float64(maxPt)), float64(maxPt)))}
}

func rules(p *parser, name string, at int) []*node {
	n := &node{what: ruleBox, class: ord, at: at, ink: p.ink}
	read := func(s string) length {
		q := parser{src: s}
		l := q.dimension()
		if q.err != nil {
			p.fail(at, "%s", q.err.Msg)
		}
		return l
	}
	if s := p.rawBracket(); s != "" {
		n.depth = read(s)
	}
	n.width = read(p.raw(name))
	if p.err == nil {
		n.height = read(p.raw(name))
	}
	return []*node{n}
}

func raise(p *parser, name string, at int) []*node {
	q := parser{src: p.raw(name)}
	l := q.dimension()
	if q.err != nil {
		p.fail(at, "%s", q.err.Msg)
	}
	n := &node{what: raised, class: ord, at: at, height: l}
	n.body = p.textual(p.raw(name), at, upright, 0)
	return []*node{n}
}

// dots are low or centred by what follows them (amsmath's rule).
func dots(p *parser, name string, at int) []*node {
	was := p.pos
	p.blank()
	r := '…'
	if p.err == nil && p.pos < len(p.src) {
		var c class
		if n := p.peek(); n != "" {
			if s, ok := symbols()[n]; ok {
				c = s.class
			}
		} else {
			for _, x := range p.src[p.pos:] {
				c = classes()[x]
				if x == '-' {
					c = bin
				}
				break
			}
		}
		if c == bin || c == rel || c == op {
			r = '⋯'
		}
	}
	p.pos = was
	return []*node{p.sym(r, inner, at)}
}

func modulo(p *parser, name string, at int) []*node {
	gap := func(em int32) *node { return &node{what: space, class: none, at: at, width: length{em: em}} }
	mod := &node{what: words, class: ord, at: at, name: "mod", alpha: upright, ink: p.ink}
	switch name {
	case "bmod":
		mod.class = bin
		return []*node{mod}
	case "mod":
		return append([]*node{gap(667), mod, gap(333)}, p.argument(name)...)
	}
	out := []*node{gap(667), p.sym('(', open, at)}
	if name == "pmod" {
		out = append(out, mod, gap(333))
	}
	out = append(out, p.argument(name)...)
	return append(out, p.sym(')', shut, at))
}

func label(p *parser, name string, at int) []*node {
	id := strings.TrimSpace(p.raw(name))
	if p.row != nil && id != "" && len(p.row.Labels) < 64 {
		p.row.Labels = append(p.row.Labels, id)
	}
	return nil
}

func tag(p *parser, name string, at int) []*node {
	bare := p.at("*")
	if bare {
		p.pos++
	}
	s := plainTag(p.raw(name))
	if p.err != nil || p.row == nil {
		return nil
	}
	if !bare {
		s = "(" + s + ")"
	}
	p.row.Tag, p.row.Tagged = s, true
	return nil
}

// plainTag is the text of a tag: its commands for letters are few.
func plainTag(s string) string {
	s = strings.NewReplacer(`\ast`, "∗", `\star`, "⋆", `\dagger`, "†", `\ddagger`, "‡", `\S`, "§", `\P`, "¶", `\prime`, "′",
		"$", "", "{", "", "}", "", `\text`, "", `\mathrm`, "", "~", "\u00a0", "--", "–", `\`, "").Replace(s)
	return strings.Join(strings.Fields(s), " ")
}

func silent(p *parser, name string, at int) []*node {
	if p.row != nil {
		p.row.Silent = true
	}
	return nil
}

func refer(p *parser, name string, at int) []*node {
	n := &node{what: reference, class: ord, at: at, name: strings.TrimSpace(p.raw(name)), alpha: upright, ink: p.ink}
	if name == "eqref" {
		n.flags = flagEq
	}
	return []*node{n}
}
