package settings

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The Design panel goes through the table by its groups and sections (settings.md
// 39), and in a section from field to field, so that every setting can be reached.

// PanelGroup is a group of the Design panel.
type PanelGroup struct {
	ID       string         `json:"id"`
	Label    string         `json:"label"`
	Sections []PanelSection `json:"sections"`
}

// PanelSection is a section with how many settings the book stores in it.
type PanelSection struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Changed int    `json:"changed"`
}

// Field is what stands at one place of a section or under a path.
type Field struct {
	Path  string `json:"path"`
	Label string `json:"label"`
	// Setting is told of one with a value of its own.
	Setting *Info `json:"setting,omitempty"`
	// Takes names where it takes its value from when it is not set.
	Takes string `json:"takes,omitempty"`
	// List: it holds items, told apart by Key, "" for by their place.
	List  bool        `json:"list,omitempty"`
	Key   string      `json:"key,omitempty"`
	Items []FieldItem `json:"items,omitempty"`
	// Changed is how many settings the book stores in it.
	Changed int `json:"changed"`
}

// FieldItem is an item of a list; Stored when it is the book's own.
type FieldItem struct {
	Path    string `json:"path"`
	Label   string `json:"label"`
	Stored  bool   `json:"stored,omitempty"`
	Changed int    `json:"changed"`
}

// Panel lists the groups and sections of the Design panel.
func (t *Tree) Panel() []PanelGroup {
	changed := map[*Section]int{}
	eachStored(schema().roots, t.node(), func(s *Setting) { changed[s.Section]++ })
	var out []PanelGroup
	for _, g := range Groups() {
		pg := PanelGroup{ID: g.ID, Label: g.Label}
		for _, sec := range Sections() {
			if sec.GroupID == g.ID {
				pg.Sections = append(pg.Sections, PanelSection{sec.ID, sec.Label, changed[sec]})
			}
		}
		out = append(out, pg)
	}
	return out
}

// eachStored calls f for every setting that a stored object has, of each item of a
// list.
func eachStored(fields []*Setting, n *node, f func(*Setting)) {
	for _, s := range fields {
		v := n.get(s.name)
		switch {
		case v == nil:
		case s.Type == Items && v.kind == list:
			for _, item := range v.kids {
				eachStored(s.children, item, func(of *Setting) {
					if of.parent != s || of.name != s.Key {
						f(of)
					}
				})
			}
		case s.Type == Object && v.kind == object:
			eachStored(s.children, v, f)
		default:
			f(s)
		}
	}
}

// SectionFields are the fields of a section of the panel, those under a path that
// other sections show left out; nil for a section there is not.
func (t *Tree) SectionFields(env Env, id string) (out []Field) {
	v := newView(t.node(), env)
	for _, sec := range Sections() {
		if sec.ID != id {
			continue
		}
		for _, key := range sec.Keys {
			s := schema().byPath[key]
			if s.Type != Object {
				out = append(out, t.field(v, env, s, nil))
				continue
			}
			for _, c := range s.children {
				if c.Section == sec {
					out = append(out, t.field(v, env, c, nil))
				}
			}
		}
	}
	return out
}

// Fields are what stands directly under a path: of an object or an item its fields.
func (t *Tree) Fields(env Env, path string) ([]Field, error) {
	p, ok := t.locateIn(path)
	if !ok {
		return nil, Faults{{Path: path, Message: unknownPath(path)}}
	}
	v := newView(t.node(), env)
	p = v.keyed(p)
	if wrong := v.absent(p); wrong != "" {
		return nil, Faults{{Path: path, Message: wrong}}
	}
	var out []Field
	for _, c := range p.set.children {
		if p.set.Type != Items || c.name != p.set.Key || p.set.Key != "level" {
			out = append(out, t.field(v, env, c, p.keys()))
		}
	}
	return out, nil
}

func (t *Tree) field(v *view, env Env, s *Setting, keys []string) Field {
	f := Field{Path: s.pathOf(keys), Label: s.Label}
	if f.Label == "" {
		f.Label = spoken(s.name)
	}
	stored := v.literal(s, keys, false)
	if s.Leaf() {
		if info, err := t.Describe(env, f.Path, true); err == nil {
			f.Setting, f.Takes = info, s.takes()
		}
		if stored != nil {
			f.Changed = 1
		}
		return f
	}
	count := func(n *node) (changed int) {
		eachStored(s.children, n, func(*Setting) { changed++ })
		return changed
	}
	if s.Type == Object {
		f.Changed = count(stored)
		return f
	}
	f.List, f.Key = true, s.Key
	selectors, _ := v.items(s, keys)
	for _, k := range selectors {
		it := FieldItem{Path: f.Path + itemSelector(s, k), Label: strings.TrimPrefix(k, "#")}
		switch s.Key {
		case "level":
			it.Label = "Level " + k
		case "":
			it.Label = "Number " + it.Label
		}
		if at := itemAt(stored, s.Key, k); at >= 0 {
			it.Stored, it.Changed = true, count(stored.kids[at])
			if name := stored.kids[at].get("name"); name != nil && name.kind == text && name.str != "" {
				it.Label = name.str
			}
		}
		f.Items = append(f.Items, it)
		f.Changed += it.Changed
	}
	return f
}

// spoken writes a name as a heading: "columnRule" as "Column rule".
func spoken(name string) string {
	words := strings.Join(splitWords(name), " ")
	r, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(r)) + words[n:]
}

// takes names what an unset setting takes in the words of the panel: the section and
// the label of its source.
func (s *Setting) takes() string {
	from := schema().byPath[s.Follows]
	if from == nil || from.Label == "" || from.Section == nil {
		return s.FollowsAbout
	}
	label := from.Section.Label + " › " + from.Label
	if s.Factor != 1 {
		return string(appendNumber(nil, s.Factor)) + " × " + label
	}
	return label
}
