package picture

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A reader of XML for drawings: elements, attributes and text, no more. A
// document type is skipped whole, so that no entity of its own exists; entities
// but the five of XML and numbers print as written. It never fails: what is not
// closed is closed at the end.

// Limits of a document.
const (
	maxElements = 400_000
	maxNesting  = 200 // what is nested deeper is left out
	maxSVG      = 32 << 20
)

// element is a node of the tree; text nodes have no name.
type element struct {
	name  string // without its prefix
	attrs []attr
	kids  []*element
	text  string
	up    *element
}

type attr struct{ name, value string }

func (e *element) attr(name string) string {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			return e.attrs[i].value
		}
	}
	return ""
}

// looksLikeSVG reports whether a file begins as an SVG does.
func looksLikeSVG(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	head := bytes.TrimLeft(data[:min(len(data), 4096)], " \t\r\n")
	return len(head) > 0 && head[0] == '<' && (bytes.Contains(data[:min(len(data), 1<<16)], []byte("<svg")) || bytes.Contains(data[:min(len(data), 1<<16)], []byte(":svg")))
}

// readXML gives the root element, nil when there is none or stop says true.
func readXML(src string, stop func() bool) *element {
	root := &element{}
	at, depth, count := root, 0, 0
	add := func(e *element) {
		if count++; count <= maxElements && depth <= maxNesting {
			e.up = at
			at.kids = append(at.kids, e)
		}
	}
	for n := 1; src != ""; n++ {
		if n%askEvery == 0 && stop != nil && stop() {
			return nil
		}
		k := strings.IndexByte(src, '<')
		if k != 0 {
			if k < 0 {
				k = len(src)
			}
			if at != root {
				add(&element{text: entities(src[:k])})
			}
			src = src[k:]
			continue
		}
		switch {
		case strings.HasPrefix(src, "<!--"):
			src = past(src[4:], "-->")
		case strings.HasPrefix(src, "<![CDATA["):
			body, rest, _ := strings.Cut(src[9:], "]]>")
			add(&element{text: body})
			src = rest
		case strings.HasPrefix(src, "<?"):
			src = past(src[2:], "?>")
		case strings.HasPrefix(src, "<!"):
			src = pastDoctype(src)
		case strings.HasPrefix(src, "</"):
			name, rest, _ := strings.Cut(src[2:], ">")
			src = rest
			name = local(strings.TrimSpace(name))
			if depth > maxNesting {
				depth--
				break
			}
			// Close the nearest element of the name; a stray end closes nothing.
			e := at
			n := 0
			for e != root && e.name != name {
				e = e.up
				n++
			}
			if e != root {
				at = e.up
				depth -= n + 1
			}
		default:
			var e *element
			var closed bool
			e, closed, src = readTag(src)
			if e == nil {
				break
			}
			add(e)
			if closed {
				break
			}
			// What is nested too deep, or too much, is not in the tree; its end
			// tag must be counted all the same.
			if depth++; depth <= maxNesting {
				e.up = at
				at = e
			}
		}
	}
	for _, e := range root.kids {
		if e.name == "svg" {
			return e
		}
	}
	return nil
}

// past is what follows a mark, nothing when it is not there.
func past(s, mark string) string {
	_, rest, _ := strings.Cut(s, mark)
	return rest
}

// pastDoctype skips a declaration with what stands in its brackets.
func pastDoctype(s string) string {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '>' && depth <= 0:
			return s[i+1:]
		}
	}
	return ""
}

// readTag reads <name a="b" …> or <name …/>.
func readTag(src string) (e *element, closed bool, rest string) {
	i := 1
	for i < len(src) && !strings.ContainsRune(" \t\r\n/>", rune(src[i])) {
		i++
	}
	if i == 1 {
		return nil, false, src[1:] // a lone <
	}
	e = &element{name: local(src[1:i])}
	for i < len(src) {
		switch c := src[i]; {
		case c == '>':
			return e, false, src[i+1:]
		case c == '/' && i+1 < len(src) && src[i+1] == '>':
			return e, true, src[i+2:]
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '/':
			i++
			continue
		}
		k := i
		for k < len(src) && !strings.ContainsRune(" \t\r\n=/>", rune(src[k])) {
			k++
		}
		name := src[i:k]
		for k < len(src) && strings.IndexByte(" \t\r\n", src[k]) >= 0 {
			k++
		}
		if k >= len(src) || src[k] != '=' {
			i = max(k, i+1)
			continue
		}
		for k++; k < len(src) && strings.IndexByte(" \t\r\n", src[k]) >= 0; {
			k++
		}
		if k >= len(src) || src[k] != '"' && src[k] != '\'' {
			i = max(k, i+1)
			continue
		}
		end := strings.IndexByte(src[k+1:], src[k])
		if end < 0 {
			return e, true, ""
		}
		if len(e.attrs) < 200 {
			e.attrs = append(e.attrs, attr{local(name), entities(src[k+1 : k+1+end])})
		}
		i = k + end + 2
	}
	return e, true, ""
}

// local is a name without its prefix.
func local(name string) string {
	return name[strings.IndexByte(name, ':')+1:]
}

var named = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

// entities puts characters for the five entities of XML and for numbers.
func entities(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for {
		k := strings.IndexByte(s, '&')
		if k < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:k])
		s = s[k:]
		end := strings.IndexByte(s[:min(len(s), 12)], ';')
		if end < 2 {
			b.WriteByte('&')
			s = s[1:]
			continue
		}
		name := s[1:end]
		if t, ok := named[name]; ok {
			b.WriteString(t)
		} else if name[0] == '#' {
			base, digits := 10, name[1:]
			if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
				base, digits = 16, digits[1:]
			}
			if n, err := strconv.ParseInt(digits, base, 32); err == nil && n > 0 && utf8.ValidRune(rune(n)) {
				b.WriteRune(rune(n))
			}
		} else {
			b.WriteString(s[:end+1])
		}
		s = s[end+1:]
	}
}
