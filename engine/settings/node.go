package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// kind is the JSON type of a node.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// node is an immutable JSON value. Objects keep their keys sorted by keyLess,
// so that equal values have equal bytes.
type node struct {
	kind kind
	on   bool
	num  float64
	str  string
	keys []string // of an object, parallel to kids
	kids []*node
}

var nullNode = &node{kind: null}

func strNode(s string) *node { return &node{kind: text, str: s} }

func boolNode(b bool) *node { return &node{kind: boolean, on: b} }

func numNode(v float64) *node { return &node{kind: number, num: v} }

// objNode builds an object from key, value pairs in any order.
func objNode(pairs ...any) *node {
	o := &node{kind: object}
	for i := 0; i+1 < len(pairs); i += 2 {
		o = o.with(pairs[i].(string), pairs[i+1].(*node))
	}
	return o
}

// keyRank puts what tells an item apart before its other fields.
func keyRank(k string) int {
	switch k {
	case "level":
		return 0
	case "id":
		return 1
	case "kind":
		return 2
	case "name":
		return 3
	case "value": // { "value": 11, "unit": "pt" } reads better this way round
		return 4
	}
	return 5
}

func keyCompare(a, b string) int {
	if ra, rb := keyRank(a), keyRank(b); ra != rb {
		return ra - rb
	}
	return strings.Compare(a, b)
}

// find returns the place of a key and whether it is there.
func (n *node) find(key string) (int, bool) {
	if n == nil || n.kind != object {
		return 0, false
	}
	return slices.BinarySearchFunc(n.keys, key, keyCompare)
}

// get returns the value of a key, nil when absent. A nil node has no keys.
func (n *node) get(key string) *node {
	if i, ok := n.find(key); ok {
		return n.kids[i]
	}
	return nil
}

// with returns the object with the key set; n may be nil.
func (n *node) with(key string, v *node) *node {
	if n == nil || n.kind != object {
		return &node{kind: object, keys: []string{key}, kids: []*node{v}}
	}
	i, ok := n.find(key)
	if ok {
		if n.kids[i] == v {
			return n
		}
		kids := slices.Clone(n.kids)
		kids[i] = v
		return &node{kind: object, keys: n.keys, kids: kids}
	}
	return &node{kind: object, keys: slices.Insert(slices.Clone(n.keys), i, key), kids: slices.Insert(slices.Clone(n.kids), i, v)}
}

// without returns the object without the key.
func (n *node) without(key string) *node {
	i, ok := n.find(key)
	if !ok {
		return n
	}
	return &node{kind: object, keys: slices.Delete(slices.Clone(n.keys), i, i+1), kids: slices.Delete(slices.Clone(n.kids), i, i+1)}
}

func (n *node) empty() bool { return n == nil || n.kind == object && len(n.keys) == 0 }

// equal compares two values; numbers by value.
func (n *node) equal(o *node) bool {
	if n == o {
		return true
	}
	if n == nil || o == nil || n.kind != o.kind || len(n.kids) != len(o.kids) {
		return false
	}
	switch n.kind {
	case boolean:
		return n.on == o.on
	case number:
		return n.num == o.num
	case text:
		return n.str == o.str
	}
	for i := range n.keys {
		if n.keys[i] != o.keys[i] {
			return false
		}
	}
	for i := range n.kids {
		if !n.kids[i].equal(o.kids[i]) {
			return false
		}
	}
	return true
}

// marshal appends the canonical text: compact, ECMAScript numbers, plain UTF-8.
func (n *node) marshal(b []byte) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	switch n.kind {
	case boolean:
		return strconv.AppendBool(b, n.on)
	case number:
		return appendNumber(b, n.num)
	case text:
		return appendString(b, n.str)
	case list:
		b = append(b, '[')
		for i, k := range n.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = k.marshal(b)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i, k := range n.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, n.keys[i])
			b = k.marshal(append(b, ':'))
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func (n *node) String() string { return string(n.marshal(nil)) }

func (n *node) raw() json.RawMessage { return n.marshal(nil) }

// appendNumber writes a number the way JavaScript does, so that a value that
// went through a browser comes back with the same bytes.
func appendNumber(b []byte, v float64) []byte {
	if v == 0 {
		return append(b, '0')
	}
	format := byte('f')
	if abs := math.Abs(v); abs < 1e-6 || abs >= 1e21 {
		format = 'e'
	}
	start := len(b)
	b = strconv.AppendFloat(b, v, format, -1, 64)
	if format == 'e' {
		// 1e-07 is written 1e-7.
		if n := len(b); n-start > 4 && b[n-4] == 'e' && b[n-2] == '0' {
			b[n-2] = b[n-1]
			b = b[:n-1]
		}
	}
	return b
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s { // broken UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r < 0x20:
			b = append(b, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

// Limits on foreign configurations.
const (
	maxBytes = 24 << 20
	maxDepth = 64
)

// parseNode reads JSON text. Of a key written twice the last one counts.
func parseNode(data []byte) (*node, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("the configuration has %d bytes; at most %d are read", len(data), maxBytes)
	}
	p := parser{data: data}
	p.space()
	n, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.data) {
		return nil, p.fail("text after the value")
	}
	return n, nil
}

type parser struct {
	data []byte
	at   int
}

func (p *parser) fail(what string) error {
	return fmt.Errorf("this is not JSON: %s at byte %d", what, p.at)
}

func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, p.fail("nesting too deep")
	}
	if p.at >= len(p.data) {
		return nil, p.fail("the text ends")
	}
	switch c := p.data[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"':
		s, err := p.string()
		if err != nil {
			return nil, err
		}
		return strNode(s), nil
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, w := range [...]struct {
		word string
		n    *node
	}{{"true", boolNode(true)}, {"false", boolNode(false)}, {"null", nullNode}} {
		if strings.HasPrefix(string(p.data[p.at:min(len(p.data), p.at+5)]), w.word) {
			p.at += len(w.word)
			return w.n, nil
		}
	}
	return nil, p.fail("an unexpected character")
}

func (p *parser) object(depth int) (*node, error) {
	p.at++
	n := &node{kind: object}
	for {
		p.space()
		if p.at < len(p.data) && p.data[p.at] == '}' && len(n.keys) == 0 {
			p.at++
			return n, nil
		}
		if p.at >= len(p.data) || p.data[p.at] != '"' {
			return nil, p.fail("a key is missing")
		}
		key, err := p.string()
		if err != nil {
			return nil, err
		}
		p.space()
		if p.at >= len(p.data) || p.data[p.at] != ':' {
			return nil, p.fail("a colon is missing")
		}
		p.at++
		p.space()
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.keys, n.kids = append(n.keys, key), append(n.kids, v)
		p.space()
		if p.at < len(p.data) && p.data[p.at] == ',' {
			p.at++
			continue
		}
		if p.at < len(p.data) && p.data[p.at] == '}' {
			p.at++
			return n.sorted(), nil
		}
		return nil, p.fail("a comma or } is missing")
	}
}

// sorted puts the keys of a freshly read object in order; the last of equal
// keys wins.
func (n *node) sorted() *node {
	order := make([]int, len(n.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return keyCompare(n.keys[a], n.keys[b]) })
	out := &node{kind: object, keys: make([]string, 0, len(order)), kids: make([]*node, 0, len(order))}
	for _, i := range order {
		if k := len(out.keys); k > 0 && out.keys[k-1] == n.keys[i] {
			out.kids[k-1] = n.kids[i]
			continue
		}
		out.keys, out.kids = append(out.keys, n.keys[i]), append(out.kids, n.kids[i])
	}
	return out
}

func (p *parser) list(depth int) (*node, error) {
	p.at++
	n := &node{kind: list}
	for {
		p.space()
		if p.at < len(p.data) && p.data[p.at] == ']' && len(n.kids) == 0 {
			p.at++
			return n, nil
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, v)
		p.space()
		if p.at < len(p.data) && p.data[p.at] == ',' {
			p.at++
			continue
		}
		if p.at < len(p.data) && p.data[p.at] == ']' {
			p.at++
			return n, nil
		}
		return nil, p.fail("a comma or ] is missing")
	}
}

func (p *parser) string() (string, error) {
	start := p.at
	for i := p.at + 1; i < len(p.data); i++ {
		switch p.data[i] {
		case '\\':
			i++
		case '"':
			var s string
			if err := json.Unmarshal(p.data[start:i+1], &s); err != nil {
				return "", p.fail("a broken text")
			}
			p.at = i + 1
			return s, nil
		}
	}
	return "", p.fail("a text without end")
}

func (p *parser) number() (*node, error) {
	start := p.at
	for p.at < len(p.data) && strings.IndexByte("+-.0123456789eE", p.data[p.at]) >= 0 {
		p.at++
	}
	s := string(p.data[start:p.at])
	if !json.Valid([]byte(s)) {
		p.at = start
		return nil, p.fail("a broken number")
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return nil, p.fail("a broken number")
	}
	if math.IsInf(v, 0) {
		return nil, p.fail("a number too large")
	}
	return numNode(v), nil
}
