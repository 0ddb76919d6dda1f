package settings

import (
	"encoding/json"
	"strings"
)

// A design is seldom made from nothing: a book comes with its sample's, or takes one.
// What the reader changed is what differs from that one, and taking a change back
// gives its value again, not the bare default (sandbox.md 8).

// Difference is a setting that stands otherwise than in the design a book began with,
// or an item of a list that only one of the two has.
type Difference struct {
	Path string `json:"path"`
	// Was is what that design stores there, null for nothing: setting it makes the
	// difference go.
	Was json.RawMessage `json:"was"`
	set *Setting
}

// Since lists the differences from the design a book began with, in the order of the
// table; nil is the design without any setting.
func (t *Tree) Since(was *Tree, env Env) (out []Difference) {
	a, b := newView(was.node(), env), newView(t.node(), env)
	for _, s := range schema().roots {
		a.differences(b, s, nil, was.node().get(s.name), t.node().get(s.name), &out)
	}
	return out
}

func (v *view) differences(now *view, s *Setting, keys []string, a, b *node, out *[]Difference) {
	add := func(path string, s *Setting, a *node) { *out = append(*out, Difference{path, a.raw(), s}) }
	isObject := func(n *node) bool { return n == nil || n.kind == object }
	switch {
	case a.equal(b):
	case s.Type == Object && isObject(a) && isObject(b) && (s.presence == nil || a != nil && b != nil):
		for _, f := range s.children {
			v.differences(now, f, keys, a.get(f.name), b.get(f.name), out)
		}
	case s.Type == Items && s.Key != "" && (b != nil || s.sparse() || now.builtIn(s) == nil):
		if a == nil {
			a = v.builtIn(s)
		}
		seen := map[string]bool{}
		for _, k := range append(itemKeys(a, s.Key), itemKeys(b, s.Key)...) {
			if seen[k] {
				continue
			}
			seen[k] = true
			inner := append(keys[:len(keys):len(keys)], k)
			var x, y *node
			if at := itemAt(a, s.Key, k); at >= 0 {
				x = a.kids[at]
			}
			if at := itemAt(b, s.Key, k); at >= 0 {
				y = b.kids[at]
			}
			// Level lists are sparse: a level not listed has its defaults.
			if (x == nil || y == nil) && !s.sparse() {
				add(s.pathOf(inner), s, x)
				continue
			}
			for _, f := range s.children {
				if f.name != s.Key {
					v.differences(now, f, inner, x.get(f.name), y.get(f.name), out)
				}
			}
		}
	case !v.same(s, keys, a, b):
		add(s.pathOf(keys), s, a)
	}
}

// same reports whether two stored values are one: "11pt" is that as an object, too,
// and a default may be written out or not.
func (v *view) same(s *Setting, keys []string, a, b *node) bool {
	form := func(n *node) *node {
		if n == nil && s.Follows == "" && s.FollowsAbout == "" {
			return s.defaultAt(keys)
		}
		if n != nil && s.Leaf() && s.usable(n) {
			return s.written(n)
		}
		return n
	}
	return form(a).equal(form(b))
}

// within counts the differences at a path and under it.
func within(diffs []Difference, path string) (n int) {
	for _, d := range diffs {
		if rest, ok := strings.CutPrefix(d.Path, path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			n++
		}
	}
	return n
}

// SectionOf are fields of one section.
type SectionOf struct {
	Section string  `json:"section"`
	Group   string  `json:"group"`
	Fields  []Field `json:"fields"`
}
