package settings

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The Design panel goes through the table by its groups and sections (settings.md
// 39), and in a section from field to field, so that every setting can be reached.

// Panel shows a configuration field by field, and what of it differs from the design
// the book began with.
type Panel struct {
	tree  *Tree
	env   Env
	now   *view
	was   *view
	diffs []Difference
}

// NewPanel shows a configuration; was is the design the book began with, nil for none.
func NewPanel(t, was *Tree, env Env) *Panel {
	return &Panel{t, env, newView(t.node(), env), newView(was.node(), env), t.Since(was, env)}
}

// PanelGroup is a group of the Design panel.
type PanelGroup struct {
	ID       string         `json:"id"`
	Label    string         `json:"label"`
	Sections []PanelSection `json:"sections"`
}

// PanelSection is a section with how many settings in it differ.
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
	// Optional: it is there or not, as a drop cap is; On when it is.
	Optional bool `json:"optional,omitempty"`
	On       bool `json:"on,omitempty"`
	// List: it holds items, told apart by Key, "" for by their place.
	List  bool        `json:"list,omitempty"`
	Key   string      `json:"key,omitempty"`
	Items []FieldItem `json:"items,omitempty"`
	// Changed is how many settings in it differ from the design the book began with;
	// Was is what that design stores in its place, null for nothing, and WasEffective
	// what comes of it.
	Changed      int             `json:"changed"`
	Was          json.RawMessage `json:"was,omitempty"`
	WasEffective json.RawMessage `json:"wasEffective,omitempty"`
}

// FieldItem is an item of a list; Stored when it is the book's own.
type FieldItem struct {
	Path    string `json:"path"`
	Label   string `json:"label"`
	Stored  bool   `json:"stored,omitempty"`
	Changed int    `json:"changed"`
}

// Groups lists the groups and sections.
func (p *Panel) Groups() []PanelGroup {
	changed := map[*Section]int{}
	for _, d := range p.diffs {
		changed[d.set.Section]++
	}
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

// Section are the fields of a section of the panel, those under a path that other
// sections show left out; nil for a section there is not.
func (p *Panel) Section(id string) (out []Field) {
	for _, sec := range Sections() {
		if sec.ID != id {
			continue
		}
		for _, key := range sec.Keys {
			s := schema().byPath[key]
			if s.Type != Object {
				out = append(out, p.field(s, nil))
				continue
			}
			for _, c := range s.children {
				if c.Section == sec {
					out = append(out, p.field(c, nil))
				}
			}
		}
	}
	return out
}

// locate finds what stands at a path.
func (p *Panel) locate(path string) (place, error) {
	at, ok := p.tree.locateIn(path)
	if !ok {
		return at, Faults{{Path: path, Message: unknownPath(path)}}
	}
	at = p.now.keyed(at)
	if wrong := p.now.absent(at); wrong != "" {
		return at, Faults{{Path: path, Message: wrong}}
	}
	return at, nil
}

// Under are the fields directly under a path: of an object or an item its own.
func (p *Panel) Under(path string) ([]Field, error) {
	at, err := p.locate(path)
	if err != nil {
		return nil, err
	}
	var out []Field
	for _, c := range at.set.children {
		if at.set.Type != Items || c.name != at.set.Key || at.set.Key != "level" {
			out = append(out, p.field(c, at.keys()))
		}
	}
	return out, nil
}

// At are the fields at paths; those that the book does not have are left out.
func (p *Panel) At(paths []string) (out []Field) {
	for _, path := range paths {
		if at, err := p.locate(path); err == nil {
			out = append(out, p.fieldAt(at))
		}
	}
	return out
}

// Changed are the fields that differ from the design the book began with, by section;
// a section's own are in Fields of it.
func (p *Panel) Changed() (out []SectionOf) {
	for _, sec := range Sections() {
		of := SectionOf{Section: sec.Label, Group: sec.Group}
		for _, d := range p.diffs {
			if d.set.Section != sec {
				continue
			}
			// An item that only the first design has is at no place of this one.
			f := Field{Path: d.Path, Label: d.set.Label, Changed: 1, Was: d.Was}
			if at, err := p.locate(d.Path); err == nil {
				f = p.fieldAt(at)
			}
			of.Fields = append(of.Fields, f)
		}
		if of.Fields != nil {
			out = append(out, of)
		}
	}
	return out
}

// fieldAt is the field at a place. An item of a list is told of without a value.
func (p *Panel) fieldAt(at place) Field {
	f := p.field(at.set, at.keys())
	if at.item && at.set.Type == Items {
		f.Path = canonicalPath(at)
		f.List, f.Items, f.Changed = false, nil, within(p.diffs, f.Path)
		if d := p.difference(f.Path); d != nil {
			f.Was = d.Was
		}
	}
	return f
}

func (p *Panel) difference(path string) *Difference {
	for i := range p.diffs {
		if p.diffs[i].Path == path {
			return &p.diffs[i]
		}
	}
	return nil
}

func (p *Panel) field(s *Setting, keys []string) Field {
	f := Field{Path: s.pathOf(keys), Label: s.Label}
	if f.Label == "" {
		f.Label = spoken(s.name)
	}
	f.Changed = within(p.diffs, f.Path)
	if s.Leaf() {
		if info, err := p.tree.Describe(p.env, f.Path, true); err == nil {
			f.Setting, f.Takes = info, s.takes()
		}
		if d := p.difference(f.Path); d != nil {
			f.Was = d.Was
			if n := p.was.value(s, keys); n != nil {
				f.WasEffective = n.raw()
			}
		}
		return f
	}
	stored := p.now.literal(s, keys, false)
	if s.Type == Object {
		if f.Optional = s.presence != nil; f.Optional {
			n := p.now.literal(s, keys, true)
			f.On = n != nil && n.kind == object
		}
		return f
	}
	f.List, f.Key = true, s.Key
	selectors, _ := p.now.items(s, keys)
	for _, k := range selectors {
		it := FieldItem{Path: f.Path + itemSelector(s, k), Label: strings.TrimPrefix(k, "#")}
		switch s.Key {
		case "level":
			it.Label = "Level " + k
		case "":
			it.Label = "Number " + it.Label
		}
		it.Changed = within(p.diffs, it.Path)
		if at := itemAt(stored, s.Key, k); at >= 0 {
			it.Stored = true
			if name := stored.kids[at].get("name"); name != nil && name.kind == text && name.str != "" {
				it.Label = name.str
			}
		}
		f.Items = append(f.Items, it)
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
