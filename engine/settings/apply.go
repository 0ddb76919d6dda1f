package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"postext/book"
)

// Change sets one setting; a null or empty Value removes it.
type Change struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// Changed is one change as it came out. From and To are what is stored (null
// when nothing); To of a value that equals the default and so is not stored is
// that value. Sending {Path, From} of all entries back, in this order or the
// other, restores the stored bytes.
type Changed struct {
	Path      string          `json:"path"`
	From      json.RawMessage `json:"from"`
	To        json.RawMessage `json:"to"`
	Effective *EffectiveMove  `json:"effective"`
}

// EffectiveMove is an effective value before and after.
type EffectiveMove struct {
	From json.RawMessage `json:"from"`
	To   json.RawMessage `json:"to"`
}

// Moved is a leaf of the resolved design that moved with a change.
type Moved struct {
	Path string          `json:"path"`
	From json.RawMessage `json:"from"`
	To   json.RawMessage `json:"to"`
}

// Note tells that something came out other than asked.
type Note struct {
	Path string `json:"path"`
	Note string `json:"note"`
}

// Outcome is a changed configuration and how to judge and undo the change.
type Outcome struct {
	Tree     *Tree
	Design   *Design // resolved
	Changed  []Changed
	Followed []Moved
	Notes    []Note
}

// MaxChanges is how many changes one Apply takes.
const MaxChanges = 100

// Apply makes the changes, all or none. The error is Faults when the caller can
// mend it.
func (t *Tree) Apply(env Env, changes []Change) (*Outcome, error) {
	if len(changes) == 0 || len(changes) > MaxChanges {
		return nil, Faults{{Path: "", Message: "Give 1 to " + strconv.Itoa(MaxChanges) + " changes, each { path, value }."}}
	}
	list := make([]edit, 0, len(changes))
	e := newEditor(t.node(), env)
	v := newView(t.node(), env)
	for i, c := range changes {
		e.order = i
		n := nullNode
		if len(c.Value) > 0 {
			var err error
			if n, err = parseNode(c.Value); err != nil {
				e.fault(c.Path, c.Path+": "+err.Error()+".")
				continue
			}
		}
		p, ok := t.locateIn(c.Path)
		if !ok || p.set.Type == Any && n.kind != null && !e.foreign.key(nil, p.set.name) {
			e.unknown(c.Path)
			continue
		}
		p = v.keyed(p)
		list = append(list, edit{p: p, path: canonicalPath(p), value: n, order: i})
	}
	return t.apply(e, list)
}

// edit is one located change; a null value removes.
type edit struct {
	p     place
	path  string
	value *node
	order int
}

func newEditor(stored *node, env Env) *editor {
	v := newView(stored, env)
	if f := env.FamilyKnown; f != nil {
		own := itemKeys(v.stored(schema().byPath["customFonts"], nil), "name")
		env.FamilyKnown = func(name string) (bool, []string) {
			if slices.Contains(own, name) {
				return true, nil
			}
			return f(name)
		}
	}
	return &editor{palette: v.palette, env: env, lang: v.lang, stored: stored, foreign: foreignOf(stored).with(env.Foreign)}
}

func (t *Tree) apply(e *editor, edits []edit) (*Outcome, error) {
	root := t.node()
	for i := range edits {
		c := &edits[i]
		e.order = c.order
		before := len(e.faults)
		if c.value.kind != null {
			c.value = e.checkAt(c)
		}
		if len(e.faults) > before {
			continue
		}
		v := c.value
		if v.kind == null {
			v = nil
		}
		root = e.put(root, c.p, c.path, v)
		if strings.HasPrefix(c.path, "colorPalette") {
			e.palette = newView(root, e.env).palette
		}
	}
	if len(e.faults) > 0 {
		slices.SortStableFunc(e.faults, func(a, b Fault) int { return a.order - b.order })
		return nil, e.faults
	}
	return t.outcome(e, newTree(root), append(edits, e.extra...))
}

// checkAt checks the value of a change: of an item when the path names one.
func (e *editor) checkAt(c *edit) *node {
	s := c.p.set
	switch {
	case c.p.item && s.Type == Items:
		if c.value.kind != object {
			e.fault(c.path, c.path+" is an item of a list: give an object.")
			return c.value
		}
		if last := c.p.steps[len(c.p.steps)-1]; s.name == "elements" && c.value.get("kind") == nil && last.key != "" {
			e.fault(c.path, c.path+" needs its kind: text, rule, box or image.")
		}
		return e.checkFields(s, c.path, c.value)
	case c.p.item: // a value of a plain list
		if wrong := s.badValue(c.path, c.value); wrong != "" {
			e.fault(c.path, wrong)
		}
		return c.value
	}
	return e.check(s, c.path, c.value)
}

// outcome describes the way from t to the new tree.
func (t *Tree) outcome(e *editor, to *Tree, edits []edit) (*Outcome, error) {
	design, err := Resolve(to, e.env)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Tree: to, Design: design, Notes: e.notes}
	before, after := newView(t.node(), e.env), newView(to.node(), e.env)
	entries := undoable(t, to, edits, e.env)
	for _, c := range entries {
		ch := Changed{Path: c.path, From: literalAt(t.node(), c.p).raw(), To: literalAt(to.node(), c.p).raw()}
		if string(ch.To) == "null" && c.value != nil && c.value.kind != null {
			ch.To = c.value.raw() // equals the default: not stored
		}
		ch.Effective = &EffectiveMove{before.effectiveAt(c.p).raw(), after.effectiveAt(c.p).raw()}
		if c.value != nil && c.value.kind != null && bytes.Equal(ch.From, literalAt(to.node(), c.p).raw()) && bytes.Equal(ch.Effective.From, ch.Effective.To) {
			o.Notes = append(o.Notes, Note{c.path, "nothing was changed here: this is the value already"})
		}
		o.Changed = append(o.Changed, ch)
		o.Notes = append(o.Notes, e.remarks(t, to, c, design)...)
	}
	o.Followed = followed(before, after, entries)
	return o, nil
}

// undoable returns the changes under paths that can be taken back: each change
// as asked, unless sending the stored values back would not give the same
// bytes. Then the lists on the way, and at last the top-level keys, stand for
// what was changed in them.
func undoable(from, to *Tree, edits []edit, env Env) []edit {
	env.FamilyKnown = nil // what was stored may come back

	for climb := 0; ; climb++ {
		var out []edit
		seen := make(map[string]bool)
		for _, c := range edits {
			c = c.climbed(climb)
			if !seen[c.path] {
				seen[c.path] = true
				out = append(out, c)
			}
		}
		if climb > 2 || restores(from, to, out, env) {
			return out
		}
	}
}

// climbed is the change seen from further up: 1 the outermost list on its way,
// 2 the top-level key.
func (c edit) climbed(climb int) edit {
	if climb == 0 || len(c.p.steps) == 1 && !c.p.item {
		return c
	}
	cut := 0
	if climb == 1 {
		for cut = range c.p.steps {
			if c.p.steps[cut].item {
				break
			}
		}
		if !c.p.steps[cut].item {
			return c
		}
	}
	steps := slices.Clone(c.p.steps[:cut+1])
	steps[cut] = step{name: steps[cut].name}
	s := rootSetting(steps[0].name)
	for _, st := range steps[1:] {
		s = s.kids[st.name]
	}
	p := place{set: s, steps: steps}
	return edit{p: p, path: canonicalPath(p)}
}

// restores tries whether sending the old values back restores the old bytes, in
// either order.
func restores(from, to *Tree, edits []edit, env Env) bool {
	was := foreignOf(from.node())
	for _, reverse := range [...]bool{false, true} {
		e := newEditor(to.node(), env)
		e.foreign = e.foreign.with(was)
		root := to.node()
		for i := range edits {
			c := edits[i]
			if reverse {
				c = edits[len(edits)-1-i]
			}
			c.value = literalAt(from.node(), c.p)
			if c.value != nil && c.value.kind != null {
				c.value = e.checkAt(&c)
			}
			root = e.put(root, c.p, c.path, c.value)
		}
		if len(e.faults) > 0 || string(root.marshal(nil)) != string(from.Marshal()) {
			return false
		}
	}
	return true
}

// remarks are the notes of one change: stored only, clamped, or overridden.
func (e *editor) remarks(from, to *Tree, c edit, d *Design) []Note {
	var out []Note
	s := c.p.set
	if s.Leaf() && s.Effect == Stored {
		why := "kept and validated, but the engine does not use it yet"
		if s.Why != "" {
			why += ": it is " + s.Why
		}
		out = append(out, Note{c.path, why})
	}
	for _, w := range d.Warnings {
		if w.Path == c.path && w.Used != "" {
			out = append(out, Note{c.path, "the engine uses " + w.Used + " instead of " + w.Value})
		}
	}
	v := newView(to.node(), e.env)
	switch {
	case c.path == "page.sizePreset" && c.value != nil && c.value.kind == text && c.value.str != "custom":
		for _, p := range [...]string{"page.width", "page.height"} {
			if v.set(p) {
				out = append(out, Note{c.path, p + " is set to " + written(v.at(p)) + " and wins over the preset; set it to null to take the preset's"})
			}
		}
	case strings.HasPrefix(c.path, "layout.columnCount") && v.at("layout.layoutType").str != "multiple":
		out = append(out, Note{c.path, "layout.layoutType is " + v.at("layout.layoutType").str + ": the number of columns counts with multiple"})
	case s.Type == Color && c.value.get("paletteId") != nil:
		if findItem(v.palette, "id", c.value.get("paletteId").str) == nil {
			out = append(out, Note{c.path, "the palette has no colour of this id: the hex written beside it is used"})
		}
	case s.Path == "citations.notes" && d.Citations.InLine:
		out = append(out, Note{c.path, "notes stand in the line, in parentheses: lines of half the size inside a line, as in Chinese and Japanese, are not set yet"})
	case s.Path == "citations.customStyle" && c.value != nil && d.Citations.Style != "custom":
		out = append(out, Note{c.path, "citations.style is " + d.Citations.Style + ": set it to custom to cite in this style"})
	case strings.HasPrefix(s.Path, "bodyText.hyphenation") && !d.Body.Hyphenate && s.name == "enabled" && c.value != nil && c.value.on:
		out = append(out, Note{c.path, "words of the language " + d.Body.HyphenLang + " are not divided"})
	}
	return out
}

// Patch merges an object into the configuration: objects merge, null removes,
// lists are replaced whole.
func (t *Tree) Patch(env Env, patch json.RawMessage) (*Outcome, error) {
	n, err := parseNode(patch)
	if err != nil {
		return nil, Faults{{Path: "", Message: "The patch cannot be read: " + err.Error() + "."}}
	}
	if n.kind != object {
		return nil, Faults{{Path: "", Message: "A patch is an object of settings, such as { \"bodyText\": { \"fontSize\": \"10pt\" } }."}}
	}
	e := newEditor(t.node(), env)
	var edits []edit
	e.flatten(nil, nil, n, t.node(), &edits)
	if len(edits) == 0 && len(e.faults) == 0 {
		return nil, Faults{{Path: "", Message: "The patch holds no setting."}}
	}
	return t.apply(e, edits)
}

// flatten turns a patch into changes of single settings.
func (e *editor) flatten(s *Setting, steps []step, n, stored *node, out *[]edit) {
	for i, k := range n.keys {
		v := n.kids[i]
		var f *Setting
		if s == nil {
			f = schema().byPath[k]
		} else {
			f = s.kids[k]
		}
		here := append(steps[:len(steps):len(steps)], step{name: k})
		p := place{set: f, steps: here}
		path := canonicalPath(p)
		switch {
		case s == nil && f == nil && e.stored.get(k) != nil:
			p.set = rootSetting(k)
			*out = append(*out, edit{p: p, path: p.set.Path, value: merged(stored.get(k), v)})
		case f == nil || s == nil && f.parent != nil:
			if s == nil {
				path = k
			}
			e.unknown(path)
		case f.Type == Object && v.kind == object && e.foreignIn(f, v):
			// A key outside the table has no path of its own: the object it stands in
			// changes whole.
			*out = append(*out, edit{p: p, path: path, value: merged(stored.get(k), v)})
		case f.Type == Object && v.kind == object && (len(v.keys) > 0 || f.presence == nil):
			e.flatten(f, here, v, stored.get(k), out)
		case f.Type == Free && v.kind == object:
			*out = append(*out, edit{p: p, path: path, value: merged(stored.get(k), v)})
		default:
			*out = append(*out, edit{p: p, path: path, value: v})
		}
	}
}

// foreignIn reports whether an object of a patch has keys of its own that the table
// does not know and that the configuration holds or held.
func (e *editor) foreignIn(s *Setting, n *node) bool {
	return slices.ContainsFunc(n.keys, func(k string) bool { return s.kids[k] == nil && e.foreign.key(s, k) })
}

// merged lays a patch over a free value: objects merge, anything else replaces.
func merged(old, patch *node) *node {
	if patch.kind != object {
		return patch
	}
	if old == nil || old.kind != object || patch.kind != object {
		old = &node{kind: object}
	}
	for i, k := range patch.keys {
		switch v := patch.kids[i]; {
		case v.kind == null:
			old = old.without(k)
		case v.kind == object:
			old = old.with(k, merged(old.get(k), v))
		default:
			old = old.with(k, v)
		}
	}
	return old
}

// Replace puts a whole configuration in place of the stored one: a bare object,
// an exported postext-config.json, or either as a JSON text.
func (t *Tree) Replace(env Env, data json.RawMessage) (*Outcome, error) {
	n, err := parseNode(data)
	for tries := 0; err == nil && n.kind == text && tries < 2; tries++ {
		n, err = parseNode([]byte(strings.TrimPrefix(n.str, "\ufeff")))
	}
	if err != nil {
		return nil, Faults{{Path: "", Message: "The configuration cannot be read: " + err.Error() + "."}}
	}
	if n.kind != object {
		return nil, Faults{{Path: "", Message: "A configuration is a JSON object: { … }, or an exported postext-config.json."}}
	}
	rules, isFile := book.ConfigVersion, false
	if kind := n.get("type"); kind != nil {
		if kind.kind != text || kind.str != "postext-config" {
			return nil, Faults{{Path: "", Message: "This is not a postext-config.json: its type is " + clip(kind.String()) + "."}}
		}
		if v := n.get("version"); v == nil || v.kind != number || v.num != 1 {
			return nil, Faults{{Path: "", Message: "This postext-config.json has a version other than 1, which cannot be read."}}
		}
		rules, isFile = rulesNumber(n.get("configVersion")), true
		if n = n.get("config"); n == nil || n.kind != object {
			return nil, Faults{{Path: "", Message: "This postext-config.json holds no config object."}}
		}
	}
	n = modern(n)
	if rules < book.ConfigVersion {
		n = pinned(n, env, rules, everything)
	}
	e := newEditor(n, env)
	// A file is loaded as its writer left it; what a call writes itself is checked
	// like any change.
	e.lenient = isFile
	e.foreign = foreignOf(t.node()).with(env.Foreign)
	switch {
	case rules > book.ConfigVersion:
		e.note("configVersion", "The file was written for configuration rules "+strconv.Itoa(rules)+": it is read by the rules "+strconv.Itoa(book.ConfigVersion)+".")
	case rules < book.ConfigVersion:
		e.note("configVersion", "The file was written for older configuration rules: settings that keep its pages as they were are written into it.")
	}
	checked := &node{kind: object, keys: n.keys, kids: slices.Clone(n.kids)}
	var edits []edit
	for i, k := range n.keys {
		s := schema().byPath[k]
		if s == nil || s.parent != nil {
			if !e.lenient && !e.foreign.key(nil, k) && n.kids[i].kind != null {
				e.unknown(k)
				continue
			}
			e.note(rootSetting(k).Path, aboutUnknown)
			continue
		}
		checked.kids[i] = e.check(s, k, n.kids[i])
	}
	if len(e.faults) > 0 {
		return nil, e.faults
	}
	to := newTree(canonical(checked))
	keys := rootNames()
	for _, had := range [...]*node{t.node(), to.node()} {
		for _, k := range had.keys {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	for _, k := range keys {
		if !t.node().get(k).equal(to.node().get(k)) {
			p := place{set: rootSetting(k), steps: []step{{name: k}}}
			edits = append(edits, edit{p: p, path: canonicalPath(p)})
		}
	}
	return t.outcome(e, to, edits)
}

// canonicalPath writes a located path: items by key.
func canonicalPath(p place) string {
	var b strings.Builder
	var s *Setting
	for i, st := range p.steps {
		if s == nil {
			s = rootSetting(st.name)
		} else {
			s = s.kids[st.name]
		}
		if i > 0 {
			b.WriteByte('.')
		}
		if s != nil && s.Type == Any {
			return s.Path
		}
		b.WriteString(st.name)
		if st.item && s != nil {
			b.WriteString(itemSelector(s, st.selector()))
		}
		if s == nil {
			s = &Setting{}
		}
	}
	return b.String()
}
