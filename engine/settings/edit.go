package settings

import (
	"slices"
	"strconv"
	"strings"
)

// editor writes into a tree by path.
type editor struct {
	stored  *node // what was there before
	palette *node // colours that links may name
	env     Env
	lang    string
	// lenient lets words and keys the table does not list stand (they are told in
	// notes): for whole files, which newer writers may have made.
	lenient bool
	foreign Foreign
	faults  Faults
	extra   []edit // changes that others bring with them
	notes   []Note
	order   int // of the change at hand
}

func (e *editor) fault(path, msg string) {
	e.faults = append(e.faults, Fault{path, msg, e.order})
}

// unknown tells that there is no such setting; the nearest is looked for as long
// as the fault will be read (Faults.Error tells maxTold of them).
func (e *editor) unknown(path string) {
	if len(e.faults) >= maxTold {
		e.fault(path, "There is no setting "+clip(path)+".")
		return
	}
	e.fault(path, unknownPath(path))
}

func (e *editor) note(path, msg string) { e.notes = append(e.notes, Note{path, msg}) }

// check brings a value into stored form, deeply. Faults are collected; the
// value returned then does not matter.
func (e *editor) check(s *Setting, path string, v *node) *node {
	switch {
	case v.kind == null:
		return v
	case s.Type == Object:
		if v.kind == boolean && !v.on && s.name == "dropCap" {
			return v
		}
		if v.kind != object {
			e.fault(path, path+" is a group of settings: give an object such as { "+strconv.Quote(s.children[0].name)+": … }.")
			return v
		}
		return e.checkFields(s, path, v)
	case s.Type == Items:
		return e.checkItems(s, path, v)
	}
	if s.Type == Free && v.kind == object {
		return e.checkFree(s, path, v)
	}
	n, wrong := s.normalize(path, v, e.palette)
	if wrong != "" {
		if (e.lenient || e.foreign.value(s, v)) && v.kind == text && (s.Type == Enum || s.Type == Parity || s.Type == Format) {
			e.note(path, strconv.Quote(clip(v.str))+" is not a value of this setting: it is kept, and the default is used.")
			return v
		}
		e.fault(path, wrong)
		return v
	}
	if s.Type == Family && e.env.FamilyKnown != nil {
		if known, near := e.env.FamilyKnown(n.str); !known && !e.lenient {
			msg := path + ": there is no font family " + strconv.Quote(clip(n.str)) + "."
			if len(near) > 0 {
				msg += " Near names: " + strings.Join(near[:min(len(near), 12)], ", ") + "."
			}
			e.fault(path, msg+" sandbox_list_fonts lists the families there are.")
		}
	}
	return n
}

func (e *editor) checkFields(s *Setting, path string, v *node) *node {
	out := &node{kind: object, keys: v.keys, kids: slices.Clone(v.kids)}
	for i, k := range v.keys {
		sub := path + "." + k
		f := s.kids[k]
		if f == nil {
			switch {
			case e.lenient || e.foreign.key(s, k):
				why := aboutUnknown
				if w := nearestWord(k, childNames(s)); w != "" {
					why += " Is " + w + " meant?"
				}
				e.note(sub, why)
			case v.kids[i].kind != null:
				e.unknown(sub)
			}
			continue
		}
		out.kids[i] = e.check(f, sub, v.kids[i])
	}
	return out
}

// MaxItems is how many items a change may put into one list.
const MaxItems = 1000

func (e *editor) checkItems(s *Setting, path string, v *node) *node {
	if v.kind != list {
		e.fault(path, path+" is a list: give [ { … }, … ], or name one item as in "+s.sample(path)+".")
		return v
	}
	if len(v.kids) > MaxItems {
		e.fault(path, path+" has "+strconv.Itoa(len(v.kids))+" items: at most "+strconv.Itoa(MaxItems)+" are taken.")
		return v
	}
	out := &node{kind: list, kids: slices.Clone(v.kids)}
	seen := make(map[string]bool)
	for i, it := range v.kids {
		sub := path + "[" + strconv.Itoa(i) + "]"
		if it.kind != object {
			e.fault(sub, sub+" is an item of a list: give an object.")
			continue
		}
		if s.Key != "" {
			key := keyText(it, s.Key)
			switch {
			case key == "" && s.name != "elements":
				e.fault(sub, sub+" needs its "+s.Key+", which tells the items apart.")
			case key != "" && seen[key]:
				e.fault(sub, sub+": the "+s.Key+" "+strconv.Quote(clip(key))+" is taken by an item before it.")
			}
			seen[key] = true
		}
		if s.name == "elements" && it.get("kind") == nil && !e.lenient {
			e.fault(sub, sub+" needs its kind: text, rule, box or image.")
		}
		out.kids[i] = e.checkFields(s, sub, it)
	}
	return out
}

// sample is a path to one item of the list.
func (s *Setting) sample(path string) string {
	switch s.Key {
	case "level":
		return path + "[level=2]"
	case "":
		return path + "[0]"
	}
	if s.def != nil && len(s.def.kids) > 0 {
		return path + "[" + s.Key + "=" + keyText(s.def.kids[0], s.Key) + "]"
	}
	return path + "[" + s.Key + "=…]"
}

func childNames(s *Setting) []string {
	out := make([]string, len(s.children))
	for i, c := range s.children {
		out[i] = c.name
	}
	return out
}

// put writes v (nil removes) at the place and returns the new root.
func (e *editor) put(root *node, p place, path string, v *node) *node {
	out := e.putField(nil, root, p.steps, nil, path, v, nil)
	if out == nil {
		out = &node{kind: object}
	}
	switch p.steps[0].name {
	case "locale", "bodyText":
		out = relocalised(root, out, e.env)
	case "colorPalette":
		out = e.unlinked(root, out)
	}
	return out
}

// relocalised renames the stored resource types with the language of the
// document, while they are still the built-in ones of the language before
// (settings.md 2).
func relocalised(before, after *node, env Env) *node {
	types := after.get("resourceTypes")
	if types == nil {
		return after
	}
	was, is := newView(before, env).lang, newView(after, env).lang
	s := schema().byPath["resourceTypes"]
	if was == is || !types.equal(s.canonical(s.builtInFor(was), nil)) {
		return after
	}
	return after.with("resourceTypes", s.canonical(s.builtInFor(is), nil))
}

// putField writes below the object n, the fields of s (nil: the whole
// configuration); builtIn is the object that stands here in a built-in list.
// It returns nil when nothing is left.
func (e *editor) putField(s *Setting, n *node, steps []step, keys []string, path string, v, builtIn *node) *node {
	st := steps[0]
	var f *Setting
	if s == nil {
		f = rootSetting(st.name)
	} else {
		f = s.kids[st.name]
	}
	if n != nil && n.kind != object {
		e.fault(path, path+" cannot be set: "+s.pathOf(keys)+" is "+clip(n.String())+". Set "+s.pathOf(keys)+" itself first.")
		return n
	}
	old := n.get(st.name)
	var kid *node
	switch {
	case st.item:
		kid = e.putItem(f, old, steps, keys, path, v)
	case len(steps) > 1:
		kid = e.putField(f, old, steps[1:], keys, path, v, builtIn.get(st.name))
	case v == nil:
		kid = builtIn.get(st.name)
	default:
		kid = f.canonical(v, keys)
	}
	if kid == nil {
		if n = n.without(st.name); n.empty() && s != nil {
			return nil
		}
		return n
	}
	return n.with(st.name, kid)
}

// putItem writes into one item of a list.
func (e *editor) putItem(s *Setting, l *node, steps []step, keys []string, path string, v *node) *node {
	st := steps[0]
	if s.Type == List {
		return e.putPlain(s, l, st, path, v)
	}
	whole := l
	standing := s.builtInFor(e.lang)
	if whole == nil {
		whole = standing
	}
	if whole == nil {
		whole = &node{kind: list}
	}
	if whole.kind != list {
		e.fault(path, path+" cannot be set: "+s.pathOf(keys)+" is not a list. Set "+s.pathOf(keys)+" itself first.")
		return l
	}
	i := itemAt(whole, s.Key, st.selector())
	key := st.selector()
	if i >= 0 && s.Key != "" {
		if k := keyText(whole.kids[i], s.Key); k != "" {
			key = k
		}
	}
	inner := append(keys[:len(keys):len(keys)], key)
	if i < 0 && v == nil {
		return l
	}
	var builtIn *node
	if standing != nil {
		builtIn = findItem(standing, s.Key, key)
	}
	if i < 0 && !e.mayAppend(s, whole, st, len(steps) == 1, path, v) {
		return l
	}
	item := (*node)(nil)
	if i >= 0 {
		item = whole.kids[i]
	} else if s.Key != "" && st.key != "" {
		item = objNode(s.Key, keyNode(s, st.value))
	}
	if len(steps) == 1 {
		if v != nil && s.Key != "" && st.key != "" {
			if k := keyText(v, s.Key); k != "" && k != st.value {
				e.fault(path, path+": the value's "+s.Key+" is "+strconv.Quote(clip(k))+"; leave it out or write "+strconv.Quote(clip(st.value))+".")
				return l
			}
			v = v.with(s.Key, keyNode(s, st.value))
		}
		item = v
		if v != nil {
			item = s.canonicalItem(v, inner)
		}
	} else {
		item = e.putField(s, item, steps[1:], inner, path, v, builtIn)
		if item != nil {
			item = s.pruned(item)
		} else if !s.sparse() {
			item = &node{kind: object}
		}
	}
	return s.withItem(whole, i, item)
}

// pruned is nil for an item of a sparse list that says nothing.
func (s *Setting) pruned(item *node) *node {
	if s.sparse() && len(item.keys) == 1 && item.keys[0] == s.Key {
		return nil
	}
	return item
}

// withItem puts an item at i (-1 appends, by level in level lists; a nil item is
// taken out) and drops a list that only repeats what stands there anyway.
func (s *Setting) withItem(l *node, i int, item *node) *node {
	kids := slices.Clone(l.kids)
	switch {
	case item == nil && i >= 0:
		kids = slices.Delete(kids, i, i+1)
	case item == nil:
	case i >= 0:
		kids[i] = item
	default:
		at := len(kids)
		if s.Key == "level" {
			for at > 0 {
				before, after := kids[at-1].get("level"), item.get("level")
				if before == nil || after == nil || before.num <= after.num {
					break
				}
				at--
			}
		}
		kids = slices.Insert(kids, at, item)
	}
	out := &node{kind: list, kids: kids}
	if s.sparse() && len(kids) == 0 || s.def != nil && s.droppable() && out.equal(s.def) {
		return nil
	}
	return out
}

// mayAppend decides whether naming an item that is not there makes it: in level
// lists, when the whole item is given, and at the end of lists without keys.
func (e *editor) mayAppend(s *Setting, l *node, st step, wholeItem bool, path string, v *node) bool {
	if s.Key == "level" && st.key != "" {
		n, err := strconv.Atoi(st.value)
		if err != nil || n < 1 || n > s.levels() {
			e.fault(path, path+": levels go from 1 to "+strconv.Itoa(s.levels())+".")
			return false
		}
		return true
	}
	if st.key == "" {
		if s.Key == "" && st.index == len(l.kids) || wholeItem && st.index == len(l.kids) {
			return true
		}
		e.fault(path, path+": the list has "+strconv.Itoa(len(l.kids))+" items, counted from 0.")
		return false
	}
	if wholeItem {
		return true
	}
	have := itemKeys(l, s.Key)
	msg := path + ": there is no item with " + s.Key + " " + strconv.Quote(clip(st.value)) + "."
	if len(have) > 0 {
		list, _, _ := strings.Cut(path, "[")
		msg += " There is " + some(have, list) + "."
	}
	e.fault(path, msg+" To add an item, set it whole: "+path[:strings.Index(path, "]")+1]+" = { … }.")
	return false
}

func keyNode(s *Setting, value string) *node {
	if s.Key == "level" {
		if x, err := strconv.Atoi(value); err == nil {
			return numNode(float64(x))
		}
	}
	return strNode(value)
}

// putPlain writes one value of a list without fields.
func (e *editor) putPlain(s *Setting, l *node, st step, path string, v *node) *node {
	if l == nil {
		l = s.def
	}
	if l == nil || l.kind != list {
		l = &node{kind: list}
	}
	if st.index > len(l.kids) {
		e.fault(path, path+": the list has "+strconv.Itoa(len(l.kids))+" items, counted from 0.")
		return l
	}
	kids := slices.Clone(l.kids)
	switch {
	case v == nil && st.index < len(kids):
		kids = slices.Delete(kids, st.index, st.index+1)
	case v == nil:
	case st.index < len(kids):
		kids[st.index] = v
	default:
		kids = append(kids, v)
	}
	out := &node{kind: list, kids: kids}
	if !s.storable(out, nil) {
		return nil
	}
	return out
}

// literalAt is what the tree stores at a place, nil when nothing.
func literalAt(root *node, p place) *node {
	n := root
	var s *Setting
	for _, st := range p.steps {
		if s == nil {
			s = rootSetting(st.name)
		} else {
			s = s.kids[st.name]
		}
		n = n.get(st.name)
		if st.item {
			i := itemAt(n, s.Key, st.selector())
			if i < 0 {
				return nil
			}
			n = n.kids[i]
		}
	}
	return n
}
