package settings

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// effectiveAt is the effective value of a place, whole objects and lists filled
// in; nil when there is none.
func (v *view) effectiveAt(p place) *node {
	keys := p.keys()
	if p.item && p.set.Type == Items {
		return v.effectiveItem(p.set, keys)
	}
	if p.item { // one value of a plain list
		if l := v.value(p.set, keys[:len(keys)-1]); l != nil && p.steps[len(p.steps)-1].index < len(l.kids) {
			return l.kids[p.steps[len(p.steps)-1].index]
		}
		return nil
	}
	return v.effective(p.set, keys)
}

// keyed names items given by index by their key, as far as the list stored (or
// standing) there has them.
func (v *view) keyed(p place) place {
	var keys []string
	var s *Setting
	steps := slices.Clone(p.steps)
	for i := range steps {
		st := &steps[i]
		if s == nil {
			s = rootSetting(st.name)
		} else {
			s = s.kids[st.name]
		}
		if !st.item {
			continue
		}
		if l := v.stored(s, keys); st.key == "" && s.Key != "" && l != nil && l.kind == list && st.index < len(l.kids) {
			if k := keyText(l.kids[st.index], s.Key); k != "" && itemAt(l, s.Key, k) == st.index {
				st.key, st.value = s.Key, k
			}
		}
		keys = append(keys, st.selector())
	}
	p.steps = steps
	return p
}

func (v *view) effective(s *Setting, keys []string) *node {
	switch s.Type {
	case Object:
		if s.presence != nil {
			n := v.literal(s, keys, true)
			if n == nil {
				return nil
			}
			if n.kind != object {
				return n
			}
		}
		return v.effectiveFields(s, keys)
	case Items:
		out := &node{kind: list}
		selectors, present := v.items(s, keys)
		if !present {
			return nil
		}
		for _, k := range selectors {
			out.kids = append(out.kids, v.effectiveItem(s, append(keys[:len(keys):len(keys)], k)))
		}
		return out
	}
	return v.value(s, keys)
}

func (v *view) effectiveFields(s *Setting, keys []string) *node {
	out := &node{kind: object}
	for _, f := range s.children {
		if n := v.effective(f, keys); n != nil {
			out = out.with(f.name, n)
		}
	}
	if len(out.keys) == 0 {
		return nil
	}
	return out
}

func (v *view) effectiveItem(s *Setting, keys []string) *node {
	if !s.sparse() {
		if i := itemAt(v.stored(s, keys[:len(keys)-1]), s.Key, keys[len(keys)-1]); i < 0 {
			return nil
		}
	}
	out := v.effectiveFields(s, keys)
	if s.sparse() && out.get("level") == nil {
		out = out.with("level", keyNode(s, keys[len(keys)-1]))
	}
	return out
}

// items are the selectors of a list's items; present is false for a list that
// is neither stored nor built in.
func (v *view) items(s *Setting, keys []string) (selectors []string, present bool) {
	if s.sparse() {
		for i := 1; i <= s.levels(); i++ {
			selectors = append(selectors, strconv.Itoa(i))
		}
		return selectors, true
	}
	l := v.stored(s, keys)
	if l == nil || l.kind != list {
		return nil, false
	}
	return itemKeys(l, s.Key), true
}

// followed lists the leaves that moved between two views outside the places
// written.
func followed(before, after *view, written []edit) []Moved {
	f := follower{before: before, after: after, written: make(map[string]bool)}
	for _, c := range written {
		f.written[c.path] = true
	}
	f.ink = !before.palette.equal(after.palette)
	for _, s := range schema().roots {
		f.setting(s, nil, before.root.get(s.name), after.root.get(s.name))
	}
	return f.out
}

// follower walks the table and both trees together. Where nothing is stored and
// nothing is followed, nothing can have moved, and no value is looked at.
type follower struct {
	before, after *view
	written       map[string]bool
	ink           bool // the palette differs
	out           []Moved
}

// setting compares one setting; was and is are what the trees store there.
func (f *follower) setting(s *Setting, keys []string, was, is *node) {
	switch s.Type {
	case Object:
		if was == nil && is == nil && (s.presence != nil || !s.moves) {
			return
		}
		for _, k := range s.children {
			f.setting(k, keys, was.get(k.name), is.get(k.name))
		}
	case Items:
		if was == nil && is == nil && !s.moves {
			return
		}
		before, after := f.list(f.before, s, was), f.list(f.after, s, is)
		selectors := itemKeys(before, s.Key)
		for _, k := range itemKeys(after, s.Key) {
			if !slices.Contains(selectors, k) {
				selectors = append(selectors, k)
			}
		}
		if s.sparse() {
			selectors, _ = f.after.items(s, keys)
		}
		for _, k := range selectors {
			inner := append(keys[:len(keys):len(keys)], k)
			a, b := findItem(before, s.Key, k), findItem(after, s.Key, k)
			for _, c := range s.children {
				if s.sparse() && c.name == s.Key {
					continue // it only says which level is meant
				}
				f.setting(c, inner, a.get(c.name), b.get(c.name))
			}
		}
	default:
		if was == is && (s.Type != Color || !f.ink) && (was != nil || !s.moves) {
			return
		}
		a, b := f.before.value(s, keys), f.after.value(s, keys)
		if a.equal(b) {
			return
		}
		path := s.pathOf(keys)
		if !f.covered(path) {
			f.leaves(path, a, b)
		}
	}
}

func (f *follower) list(v *view, s *Setting, stored *node) *node {
	if stored == nil {
		return v.builtIn(s)
	}
	return stored
}

// covered reports whether the path or something around it was written.
func (f *follower) covered(path string) bool {
	if len(f.written) == 0 {
		return false
	}
	for i := range len(path) {
		if (path[i] == '.' || path[i] == '[') && f.written[path[:i]] {
			return true
		}
	}
	return f.written[path]
}

// leaves compares two values down to their single fields.
func (f *follower) leaves(path string, a, b *node) {
	if a.equal(b) {
		return
	}
	if a != nil && b != nil && a.kind == object && b.kind == object {
		for i, k := range a.keys {
			f.leaves(path+"."+k, a.kids[i], b.get(k))
		}
		for i, k := range b.keys {
			if a.get(k) == nil {
				f.leaves(path+"."+k, nil, b.kids[i])
			}
		}
		return
	}
	f.out = append(f.out, Moved{path, a.raw(), b.raw()})
}

// Info is what can be said of a setting or a section of them.
type Info struct {
	Path      string          `json:"path"`
	Effect    Effect          `json:"effect,omitempty"`
	Set       json.RawMessage `json:"set"`
	Effective json.RawMessage `json:"effective,omitempty"`
	Type      string          `json:"type"`
	Unit      string          `json:"unit,omitempty"`
	Default   json.RawMessage `json:"default,omitempty"`
	Enum      []string        `json:"enum,omitempty"`
	Range     string          `json:"range,omitempty"`
	Follows   string          `json:"follows,omitempty"`
	Label     string          `json:"label,omitempty"`
	About     string          `json:"about,omitempty"`
	Children  []Child         `json:"children,omitempty"`
}

// absent says which item on the way to a place is not there, "" when all are.
func (v *view) absent(p place) string {
	var keys []string
	var s *Setting
	for i, st := range p.steps {
		if s == nil {
			s = rootSetting(st.name)
		} else {
			s = s.kids[st.name]
		}
		if !st.item {
			continue
		}
		here := canonicalPath(place{set: s, steps: p.steps[:i+1]})
		if s.Type == List {
			n := 0
			if l := v.value(s, keys); l != nil && l.kind == list {
				n = len(l.kids)
			}
			if st.index >= n {
				return "There is no item " + clip(here) + ": the list has " + strconv.Itoa(n) + " items, counted from 0."
			}
			continue
		}
		have, _ := v.items(s, keys)
		there := slices.Contains(have, st.selector())
		if !s.sparse() {
			there = itemAt(v.stored(s, keys), s.Key, st.selector()) >= 0
		}
		if !there {
			msg := "There is no item " + clip(here) + "."
			if len(have) == 0 {
				return msg + " The list is empty."
			}
			named := make([]string, len(have))
			for k := range named {
				named[k] = clip(itemSelector(s, have[k]))
			}
			return msg + " There is " + some(named, here[:strings.LastIndexByte(here, '[')]) + "."
		}
		keys = append(keys, st.selector())
	}
	return ""
}

// Child is a field of a section. Its values stand in those of the section; of a
// top-level key Set is what the book stores.
type Child struct {
	Path string `json:"path"`
	Type string `json:"type,omitempty"` // left out of a section
	// Effect is told where it is Stored.
	Effect Effect          `json:"effect,omitempty"`
	Set    json.RawMessage `json:"set,omitempty"`
}

// Describe tells about a path; with defaults false, sections list only what is
// set. An empty path lists the top-level keys: with defaults each with the names of
// what is set in it, otherwise with all of that.
func (t *Tree) Describe(env Env, path string, defaults bool) (*Info, error) {
	v := newView(t.node(), env)
	if path == "" {
		info := &Info{Set: t.Marshal(), Type: "object"}
		for _, s := range schema().roots {
			if c := v.child(s, nil, s.name); c.Set != nil || defaults {
				if defaults {
					c.Set = names(s, v.literal(s, nil, false))
				}
				info.Children = append(info.Children, c)
			}
		}
		for _, k := range v.root.keys {
			if s := rootSetting(k); s.Type == Any {
				info.Children = append(info.Children, v.child(s, nil, s.Path))
			}
		}
		return info, nil
	}
	p, ok := t.locateIn(path)
	if !ok {
		return nil, Faults{{Path: path, Message: unknownPath(path)}}
	}
	p = v.keyed(p)
	if wrong := v.absent(p); wrong != "" {
		return nil, Faults{{Path: path, Message: wrong}}
	}
	s, keys := p.set, p.keys()
	info := &Info{Path: canonicalPath(p), Set: literalAt(t.node(), p).raw(), Type: s.Type.String(), Unit: s.Unit,
		Enum: s.Enum, Range: s.Range(), Label: s.Label, About: s.About, Follows: s.followText()}
	info.Effect = s.effect()
	if s.Why != "" {
		info.About += " Kept, but not used: it is " + s.Why + "."
	}
	if p.item {
		info.Type = "object"
		if s.Type == Items {
			info.About = "One item of " + s.Path + ". " + s.About
		}
	}
	if s.Leaf() || defaults {
		info.Effective = v.effectiveAt(p).raw()
	}
	if s.Type == Format {
		for _, f := range formatSpellings {
			info.Enum = append(info.Enum, orFirst(f, s.formatColumn()))
		}
	}
	if d := v.defaultOf(s, keys); d != nil && !p.item {
		info.Default = d.raw()
	}
	if s.Type == Object || p.item && s.Type == Items {
		for _, f := range s.children {
			if c := v.child(f, keys, info.Path+"."+f.name); c.Set != nil || defaults {
				c.Set = nil
				info.Children = append(info.Children, c)
			}
		}
	}
	if s.Type == Items && !p.item {
		selectors, _ := v.items(s, keys)
		for _, k := range selectors {
			sub := info.Path + itemSelector(s, k)
			if defaults || itemAt(v.literal(s, keys, false), s.Key, k) >= 0 {
				info.Children = append(info.Children, Child{Path: sub})
			}
		}
	}
	return info, nil
}

func orFirst(list []string, i int) string {
	if list[i] != "" {
		return list[i]
	}
	return list[0]
}

// names are the names of the fields that a section stores, or what tells the items
// of a list apart; of a setting it is the value.
func names(s *Setting, n *node) json.RawMessage {
	if n == nil {
		return nil
	}
	var told []string
	switch {
	case s.Type == Object && n.kind == object:
		told = n.keys
	case s.Type == Items && n.kind == list:
		for _, item := range n.kids {
			if k := item.get(s.Key); k != nil {
				told = append(told, s.Key+"="+strings.Trim(string(k.raw()), `"`))
			}
		}
	default:
		return n.raw()
	}
	const most = 12
	if len(told) > 2*most {
		told = append(told[:most:most], "… and "+strconv.Itoa(len(told)-most)+" more: ask for its path")
	}
	data, err := json.Marshal(told)
	if err != nil {
		return nil // strings are always written
	}
	return data
}

// effect is that of a setting, or of a section: stored when all that is in it is.
func (s *Setting) effect() Effect {
	if s.Leaf() {
		return s.Effect
	}
	for _, f := range s.children {
		if f.effect() == Implemented {
			return Implemented
		}
	}
	return Stored
}

func (v *view) child(s *Setting, keys []string, path string) Child {
	c := Child{Path: path}
	if s.Type != Object {
		c.Type = s.Type.String()
	}
	if s.effect() == Stored {
		c.Effect = Stored
	}
	if n := v.literal(s, keys, false); n != nil {
		c.Set = n.raw()
	}
	return c
}

// defaultOf is what an unset setting comes to when that is fixed: inside a
// built-in item, the item's own value.
func (v *view) defaultOf(s *Setting, keys []string) *node {
	if up := s.parent; up != nil && len(keys) > 0 {
		rest := []string{s.name}
		for up != nil && up.Type != Items {
			rest = append(rest, up.name)
			up = up.parent
		}
		if up != nil {
			n := findItem(v.builtIn(up), up.Key, keys[len(keys)-1])
			for i := len(rest) - 1; i >= 0; i-- {
				n = n.get(rest[i])
			}
			if n != nil {
				return n
			}
		}
	}
	return s.defaultAt(keys)
}

// followText says what an unset setting takes.
func (s *Setting) followText() string {
	switch {
	case s.FollowsAbout != "":
		return s.FollowsAbout
	case s.Follows == "":
		return ""
	case s.Factor != 1:
		return string(appendNumber(nil, s.Factor)) + " × " + s.Follows
	}
	return s.Follows
}

// Get returns what is stored at a path, null when nothing is.
func (t *Tree) Get(path string) (json.RawMessage, error) {
	p, ok := t.locateIn(path)
	if !ok {
		return nil, Faults{{Path: path, Message: unknownPath(path)}}
	}
	return literalAt(t.node(), p).raw(), nil
}

// Effective returns the effective value at a path in written form, null when
// there is none.
func (t *Tree) Effective(env Env, path string) (json.RawMessage, error) {
	p, ok := t.locateIn(path)
	if !ok {
		return nil, Faults{{Path: path, Message: unknownPath(path)}}
	}
	v := newView(t.node(), env)
	return v.effectiveAt(v.keyed(p)).raw(), nil
}

// Diff lists every leaf of the resolved design that differs between two trees.
func Diff(env Env, before, after *Tree) []Moved {
	return followed(newView(before.node(), env), newView(after.node(), env), nil)
}

// Set makes one change; it returns the tree after it and what was stored
// before.
func (t *Tree) Set(env Env, path string, value json.RawMessage) (*Tree, json.RawMessage, error) {
	o, err := t.Apply(env, []Change{{path, value}})
	if err != nil {
		return nil, nil, err
	}
	from, err := t.Get(path)
	return o.Tree, from, err
}
