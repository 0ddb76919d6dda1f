package book

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// rewrite gives a JSON text the value of another one and keeps of it what holds:
// the order of members, the spaces and the spelling of every value that is the
// same. New members come after the others, laid out as they are. A text that is no
// JSON, or a value of another kind, is replaced whole.
func rewrite(text, value []byte) ([]byte, error) {
	if !json.Valid(text) {
		var v any = json.RawMessage(value)
		return indented(v, "  ")
	}
	w := rewriter{old: text, now: value, unit: indentOf(text), colon: ": "}
	if bytes.Contains(text, []byte(`":`)) && !bytes.Contains(text, []byte(`": `)) {
		w.colon = ":"
	}
	was, is := parse(text), parse(value)
	w.out.Write(text[:was.start])
	w.value(was, is)
	w.out.Write(text[was.end:])
	return w.out.Bytes(), nil
}

// node is a value in a JSON text; its children are the members of an object or the
// items of a list.
type node struct {
	start, end int
	kind       byte // its first letter: { [ " t f n, or of a number 0
	children   []child
}

type child struct {
	key           string // of a member
	start, keyEnd int    // where the member begins, and its name ends
	node
}

// parse reads a text that is valid JSON.
func parse(text []byte) node {
	p := parser{text: text}
	return p.value()
}

type parser struct {
	text []byte
	at   int
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) value() node {
	p.space()
	n := node{start: p.at, kind: p.text[p.at]}
	switch n.kind {
	case '{', '[':
		p.at++
		for {
			p.space()
			if c := p.text[p.at]; c == '}' || c == ']' {
				p.at++
				break
			} else if c == ',' {
				p.at++
				p.space()
			}
			c := child{start: p.at}
			if n.kind == '{' {
				key := p.value()
				c.key, c.keyEnd = textOf(p.text[key.start:key.end]), key.end
				p.space()
				p.at++ // the colon
			}
			c.node = p.value()
			n.children = append(n.children, c)
		}
	case '"':
		for p.at++; p.text[p.at] != '"'; p.at++ {
			if p.text[p.at] == '\\' {
				p.at++
			}
		}
		p.at++
	default:
		if c := n.kind; c == '-' || '0' <= c && c <= '9' {
			n.kind = '0'
		}
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n,]}:", p.text[p.at]) < 0 {
			p.at++
		}
	}
	n.end = p.at
	return n
}

// textOf is the value of a JSON string that has been found valid.
func textOf(quoted []byte) string {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return string(quoted)
	}
	return s
}

type rewriter struct {
	old, now []byte
	unit     string // of indentation
	colon    string // between a name and its value
	out      bytes.Buffer
}

// value writes the value is, as was is written where the two are alike.
func (w *rewriter) value(was, is node) {
	text := w.old[was.start:was.end]
	switch {
	case was.kind != is.kind:
		w.fresh(is, w.indentAt(was.start), bytes.IndexByte(text, '\n') < 0 && len(was.children) > 0)
	case was.kind == '{':
		w.object(was, is)
	case was.kind == '[':
		w.list(was, is)
	case was.kind == '0' && sameNumber(text, w.now[is.start:is.end]), was.kind == '"' && textOf(text) == textOf(w.now[is.start:is.end]):
		w.out.Write(text)
	default:
		w.out.Write(w.now[is.start:is.end])
	}
}

// sameNumber compares two numbers as written; those with vast exponents only by
// their letters.
func sameNumber(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if len(a) > 40 || len(b) > 40 || bytes.ContainsAny(a, "eE") || bytes.ContainsAny(b, "eE") {
		return false
	}
	x, okA := new(big.Rat).SetString(string(a))
	y, okB := new(big.Rat).SetString(string(b))
	return okA && okB && x.Cmp(y) == 0
}

func (w *rewriter) object(was, is node) {
	fresh := map[string]node{}
	for _, c := range is.children {
		fresh[c.key] = c.node
	}
	w.out.WriteByte('{')
	written, end := 0, was.start+1
	for i, c := range was.children {
		now, ok := fresh[c.key]
		if !ok {
			continue // gone, or written twice and this is the first
		}
		if slices.ContainsFunc(was.children[i+1:], func(d child) bool { return d.key == c.key }) {
			continue // the last one counts
		}
		delete(fresh, c.key)
		from := was.children[0].start
		if written > 0 {
			from = c.start
			w.out.Write(w.old[was.children[i-1].end:from])
		} else {
			w.out.Write(w.old[was.start+1 : from])
		}
		w.out.Write(w.old[c.start:c.node.start])
		w.value(c.node, now)
		written++
	}
	if len(was.children) > 0 {
		end = was.children[len(was.children)-1].end
	}
	lead, sep, oneLine := w.between(was)
	for _, c := range is.children {
		if _, ok := fresh[c.key]; !ok {
			continue
		}
		if written > 0 {
			w.out.WriteString(sep)
		} else {
			w.out.WriteString(lead)
		}
		w.out.Write(w.now[c.start:c.keyEnd])
		w.out.WriteString(w.colon)
		w.fresh(c.node, w.indentOfChild(was), oneLine)
		written++
	}
	w.close(was, end, written)
	w.out.WriteByte('}')
}

// close writes what stands between the last child and the bracket.
func (w *rewriter) close(was node, end, written int) {
	switch {
	case len(was.children) > 0 && written > 0:
		w.out.Write(w.old[end : was.end-1])
	case written > 0:
		w.out.WriteString("\n" + w.indentAt(was.start))
	}
}

// list writes a list: an item that was there keeps its letters, wherever it now
// stands; another is written over the one with its file or id.
func (w *rewriter) list(was, is node) {
	lead, sep, oneLine := w.between(was)
	had := map[string][]int{} // places in was by content, and by what tells items apart
	for i, c := range was.children {
		for _, k := range keys(w.old, c.node) {
			had[k] = append(had[k], i)
		}
	}
	used := make([]bool, len(was.children))
	w.out.WriteByte('[')
	for j, c := range is.children {
		if j == 0 {
			w.out.WriteString(lead)
		} else {
			w.out.WriteString(sep)
		}
		at := -1
	search:
		for _, k := range keys(w.now, c.node) {
			for _, i := range had[k] {
				if !used[i] {
					at = i
					break search
				}
			}
		}
		if at < 0 {
			w.fresh(c.node, w.indentOfChild(was), oneLine)
			continue
		}
		used[at] = true
		w.value(was.children[at].node, c.node)
	}
	end := was.start + 1
	if n := len(was.children); n > 0 {
		end = was.children[n-1].end
	}
	w.close(was, end, len(is.children))
	w.out.WriteByte(']')
}

// keys tell an item of a list from others: its content, then the members that name
// things in our files.
func keys(text []byte, n node) []string {
	var b bytes.Buffer
	if json.Compact(&b, text[n.start:n.end]) != nil {
		return nil
	}
	list := []string{b.String()}
	for _, name := range []string{"file", "id", "name"} {
		for _, c := range n.children {
			if n.kind == '{' && c.key == name {
				list = append(list, name+"="+string(text[c.node.start:c.node.end]))
			}
		}
	}
	return list
}

// between is what stands before the first child of an object or list and between
// two of them, and whether it is written in one line.
func (w *rewriter) between(was node) (lead, sep string, oneLine bool) {
	n := len(was.children)
	if n == 0 {
		lead = "\n" + w.indentAt(was.start) + w.unit
		return lead, "," + lead, false
	}
	lead = string(w.old[was.start+1 : was.children[0].start])
	oneLine = bytes.IndexByte(w.old[was.start:was.end], '\n') < 0
	if grouped := slices.IndexFunc(was.children, func(c child) bool { return len(c.children) > 0 }); grouped >= 0 && !oneLine {
		// Whether the groups in it are written in one line.
		oneLine = !slices.ContainsFunc(was.children, func(c child) bool { return bytes.IndexByte(w.old[c.start:c.end], '\n') >= 0 })
	}
	switch {
	case n > 1:
		sep = string(w.old[was.children[n-2].end:was.children[n-1].start])
	case oneLine:
		sep = ", "
	default:
		sep = "," + lead
	}
	return lead, sep, oneLine
}

// indentAt is the white space that the line of a place begins with.
func (w *rewriter) indentAt(at int) string {
	line := w.old[bytes.LastIndexByte(w.old[:at], '\n')+1 : at]
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return string(line[:n])
}

// indentOfChild is how the children of an object or list are indented.
func (w *rewriter) indentOfChild(was node) string {
	if len(was.children) > 0 {
		return w.indentAt(was.children[len(was.children)-1].start)
	}
	return w.indentAt(was.start) + w.unit
}

// fresh writes a value that was not there: in one line, or in lines of their own.
func (w *rewriter) fresh(is node, indent string, oneLine bool) {
	text := w.now[is.start:is.end]
	if !oneLine {
		if json.Indent(&w.out, text, indent, w.unit) == nil {
			return
		}
	}
	switch is.kind {
	case '{', '[':
		w.out.Write(w.now[is.start : is.start+1])
		for i, c := range is.children {
			if i > 0 {
				w.out.WriteString("," + w.colon[1:])
			}
			if is.kind == '{' {
				w.out.Write(w.now[c.start:c.keyEnd])
				w.out.WriteString(w.colon)
			}
			w.fresh(c.node, indent, true)
		}
		w.out.Write(w.now[is.end-1 : is.end])
	default:
		w.out.Write(text)
	}
}
