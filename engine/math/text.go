package math

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"postext/engine/unit"
)

// textual reads \text and its kin: words, with formulas between dollars.
func textual(p *parser, name string, at int) []*node {
	a := upright
	switch name {
	case "textit", "emph":
		a = italic
	case "textbf":
		a = bold
	case "textsf":
		a = sans
	case "texttt":
		a = mono
	}
	s := p.raw(name)
	if p.err != nil {
		return nil
	}
	list := p.textual(s, at+len(name)+2, a, 0)
	if p.err != nil {
		return nil
	}
	if len(list) == 1 {
		return list
	}
	return []*node{{what: group, class: ord, at: at, body: list, ink: p.ink}}
}

// textEscapes are the commands that print a character in text.
var textEscapes = map[string]string{
	"%": "%", "$": "$", "&": "&", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", ",": "\u2009", ";": "\u2005", ":": "\u2005",
	"quad": "\u2003", "qquad": "\u2003\u2003", "ldots": "…", "dots": "…", "textbackslash": `\`, "backslash": `\`, "S": "§", "P": "¶",
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "ı",
	"textdegree": "°", "degree": "°", "textmu": "µ", "copyright": "©", "pounds": "£", "dag": "†", "ddag": "‡", "-": "", "/": "", "\\": " ",
}

func (p *parser) textual(s string, at int, a alphabet, depth int) []*node {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	var out []*node
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, &node{what: words, class: ord, at: at, name: b.String(), alpha: a, ink: p.ink})
			b.Reset()
		}
	}
	for i := 0; i < len(s) && p.err == nil; {
		c := s[i]
		switch {
		case c == '\\':
			k := i + 1
			for k < len(s) && letter(s[k]) {
				k++
			}
			if k == i+1 && k < len(s) {
				_, n := utf8.DecodeRuneInString(s[k:])
				k += n
			}
			name := s[i+1 : k]
			if letter0(name) {
				for k < len(s) && s[k] == ' ' {
					k++
				}
			}
			if t, ok := textEscapes[name]; ok {
				b.WriteString(t)
				i = k
				continue
			}
			inside := a
			switch name {
			case "textit", "emph", "itshape", "it", "em":
				inside = italic
			case "textbf", "bfseries", "bf":
				inside = bold
			case "textsf":
				inside = sans
			case "texttt":
				inside = mono
			case "text", "textrm", "textup", "mathrm", "mbox", "textnormal", "rm":
				inside = upright
			default:
				if sy, ok := symbols()[name]; ok {
					b.WriteRune(sy.r)
					i = k
					continue
				}
				p.fail(at+i, "\\%s is not known inside \\text: put a formula there between $ and $", name)
				return nil
			}
			q := parser{src: s, pos: k}
			if !q.at("{") {
				a = inside // a switch, up to the end
				flush()
				i = k
				continue
			}
			sub := q.raw(name)
			if q.err != nil {
				p.fail(at+i, "%s", q.err.Msg)
				return nil
			}
			flush()
			out = append(out, p.textual(sub, at+k+1, inside, depth+1)...)
			i = q.pos
		case c == '$':
			n := strings.IndexByte(s[i+1:], '$')
			if n < 0 {
				p.fail(at+i, "a $ inside \\text is never closed: write \\$ for the sign")
				return nil
			}
			flush()
			q := parser{src: s[i+1 : i+1+n], depth: p.depth, ink: p.ink}
			list := q.list()
			if q.err == nil && q.pos < len(q.src) {
				q.stray()
			}
			if q.err != nil {
				p.fail(at+i+1+q.err.At, "%s", q.err.Msg)
				return nil
			}
			out = append(out, &node{what: group, class: ord, at: at + i, body: list, ink: p.ink})
			i += n + 2
		case c == '{' || c == '}':
			i++
		case c == '~':
			b.WriteString("\u00a0")
			i++
		case c == '`' && strings.HasPrefix(s[i:], "``"):
			b.WriteString("“")
			i += 2
		case c == '\'' && strings.HasPrefix(s[i:], "''"):
			b.WriteString("”")
			i += 2
		case c == '\'':
			b.WriteString("’")
			i++
		case c == '-' && strings.HasPrefix(s[i:], "---"):
			b.WriteString("—")
			i += 3
		case c == '-' && strings.HasPrefix(s[i:], "--"):
			b.WriteString("–")
			i += 2
		case c == '\n' || c == '\t' || c == ' ':
			if t := b.String(); t == "" || t[len(t)-1] != ' ' {
				b.WriteByte(' ')
			}
			i++
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
			i += n
		}
	}
	flush()
	return out
}

func letter0(s string) bool { return s != "" && letter(s[0]) }

// colours by name: those of HTML and the usual ones of LaTeX's xcolor.
var colours = map[string]uint32{
	"black": 0x000000, "white": 0xffffff, "red": 0xff0000, "green": 0x008000, "blue": 0x0000ff, "cyan": 0x00aeef, "magenta": 0xec008c,
	"yellow": 0xfff200, "orange": 0xf58220, "purple": 0x800080, "brown": 0x8b4513, "gray": 0x808080, "grey": 0x808080, "darkgray": 0x404040,
	"lightgray": 0xc0c0c0, "lime": 0x8cc63f, "olive": 0x808000, "pink": 0xff9aa2, "teal": 0x008080, "violet": 0x7f3f98, "maroon": 0x800000,
	"navy": 0x000080, "silver": 0xc0c0c0,
}

// colour reads \color and \textcolor: for a group behind it, else up to the end
// of the list.
func colour(p *parser, name string, at int) []*node {
	model := strings.TrimSpace(p.rawBracket())
	spec := strings.TrimSpace(p.raw(name))
	if p.err != nil {
		return nil
	}
	ink, ok := readColour(model, spec)
	if !ok {
		p.fail(at, "\\%s{%s}: a colour is a name such as red or blue, or #rrggbb", name, spec)
		return nil
	}
	was := p.ink
	p.ink = ink
	p.blank()
	if name == "color" && !p.at("{") {
		return nil
	}
	body := p.argument(name)
	p.ink = was
	if p.err != nil {
		return nil
	}
	return body
}

func readColour(model, spec string) (unit.Color, bool) {
	rgb := func(v uint32) unit.Color { return unit.Color{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255} }
	hex := func(s string) (unit.Color, bool) {
		if len(s) == 3 {
			s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
		}
		v, err := strconv.ParseUint(s, 16, 32)
		return rgb(uint32(v)), err == nil && len(s) == 6
	}
	parts := strings.Split(spec, ",")
	switch model {
	case "HTML":
		return hex(spec)
	case "rgb", "RGB", "gray":
		var c [3]uint8
		for i, s := range parts {
			v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
			if err != nil || i > 2 {
				return unit.Color{}, false
			}
			if model != "RGB" {
				v = float64(v * 255)
			}
			c[i] = uint8(min(max(v+0.5, 0), 255))
		}
		if model == "gray" {
			c[1], c[2] = c[0], c[0]
		}
		return unit.Color{R: c[0], G: c[1], B: c[2], A: 255}, len(parts) == 3 || model == "gray"
	}
	if s, ok := strings.CutPrefix(spec, "#"); ok {
		return hex(s)
	}
	v, ok := colours[strings.ToLower(spec)]
	return rgb(v), ok
}
