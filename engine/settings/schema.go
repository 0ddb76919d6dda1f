package settings

import (
	"strconv"
	"strings"
	"sync"
)

// row is a line of the tables. Paths are relative to the part they stand in.
//
// def is the default in short form: "1.5em", "true", "justify", "#cccccc",
// "main" (the palette's main colour), JSON for lists; "" is none.
//
// rng is the range: words divided by |, or bounds (">0", ">=0", "0..1", "<=1",
// "(0..1)"), with ~ before bounds the engine clamps to and a unit in front where
// a bare number needs one ("in pt", "ppi: >0"); for Items the key of the items.
//
// follows is a pattern, ".name" for a neighbour in the same object, "0.85*…"
// for a share, or "!words" where the source is not a single setting.
type row struct {
	path         string
	t            Type
	def          string
	rng          string
	follows      string
	label, about string
	p            int
}

// part places a table at a prefix. from rewrites what its rows follow: "=path"
// makes every row follow the one of the same name at path, "!words" makes every
// row follow what the words say; in both cases fixed defaults do not apply.
type part struct {
	prefix string
	rows   []row
	from   string
}

// Schema is the table, expanded and indexed.
type Schema struct {
	roots    []*Setting
	byPath   map[string]*Setting
	all      []*Setting
	sections []*Section
	find     func() *index
}

// schema is built on first use and never changed.
var schema = sync.OnceValue(buildSchema)

// All returns every setting with a value of its own, in table order.
func All() []*Setting {
	var out []*Setting
	for _, s := range schema().all {
		if s.Leaf() {
			out = append(out, s)
		}
	}
	return out
}

// StoredCount returns how many settings are kept and validated but not used by
// the engine yet.
func StoredCount() int {
	n := 0
	for _, s := range schema().all {
		if s.Leaf() && s.Effect == Stored {
			n++
		}
	}
	return n
}

// At returns the setting of a pattern ("headings.levels[].fontSize"), nil when
// there is none.
func At(pattern string) *Setting { return schema().byPath[pattern] }

func buildSchema() *Schema {
	sc := &Schema{byPath: make(map[string]*Setting, 2048), sections: sectionTable()}
	for _, p := range assembly() {
		for i := range p.rows {
			sc.add(p, &p.rows[i])
		}
	}
	for pattern, word := range presenceObjects {
		if s := sc.byPath[pattern]; s != nil {
			field, value, _ := strings.Cut(word, "=")
			if kid := s.kids[field]; kid != nil {
				s.presence = objNode(field, kid.parseDefault(value))
				s.keepAll()
			}
		}
	}
	for _, s := range sc.all {
		if s.Type == Length && s.Unit == "" {
			s.Unit = "pt"
			if f := sc.byPath[s.Follows]; f != nil && f.Unit != "" {
				s.Unit = f.Unit
			}
		}
		if s.Follows != "" && sc.byPath[s.Follows] == nil {
			panic("settings: " + s.Path + " follows " + s.Follows + ", which is not in the table")
		}
		s.Section = sc.sectionOf(s.Path)
		if s.Effect = effectOf(s.Path); s.Effect == Stored && s.Leaf() {
			s.Why = whyStored(s.Path)
		}
	}
	for _, s := range sc.all {
		if s.Type == Items && s.def != nil {
			// Built-in lists are compared with stored ones: same form.
			list := &node{kind: list}
			for _, it := range s.def.kids {
				list.kids = append(list.kids, s.canonicalItem(it, []string{keyText(it, s.Key)}))
			}
			s.def = list
		}
	}
	for pattern, byLevel := range levelDefaults {
		s := sc.byPath[pattern]
		s.byLevel, s.keep = new([6]*node), false
		for i, d := range byLevel {
			s.byLevel[i] = s.parseDefault(d)
		}
	}
	for i := len(sc.all) - 1; i >= 0; i-- { // children stand after their parents
		s := sc.all[i]
		s.moves = s.moves || s.Follows != "" || s.FollowsAbout != ""
		if s.moves && s.parent != nil {
			s.parent.moves = true
		}
	}
	sc.find = sync.OnceValue(func() *index { return buildIndex(sc) })
	return sc
}

// add puts a row into the table, making the objects on its way.
func (sc *Schema) add(p part, r *row) {
	path := r.path
	if p.prefix != "" {
		path = p.prefix + "." + r.path
		if strings.HasPrefix(r.path, "[") {
			path = p.prefix + r.path
		}
	}
	s := sc.node(path)
	s.Type, s.Label, s.About, s.Priority = r.t, r.label, r.about, r.p
	def, follows := r.def, r.follows
	if p.from != "" && r.t != Items && r.t != Object && !itemKey(r.path) {
		def = ""
		if strings.HasPrefix(p.from, "=") {
			follows = p.from[1:] + "." + r.path
		} else {
			follows = p.from
		}
	}
	s.setRange(r.rng)
	switch {
	case strings.HasPrefix(follows, "!"):
		s.FollowsAbout, s.keep = follows[1:], true
	case follows != "":
		s.Factor, s.keep = 1, true
		if share, rest, ok := strings.Cut(follows, "*"); ok {
			s.Factor, _ = strconv.ParseFloat(share, 64)
			follows = rest
		}
		if strings.HasPrefix(follows, ".") {
			follows = s.parent.itemPath() + follows
		}
		s.Follows = follows
	}
	if def != "" {
		s.def = s.parseDefault(def)
	}
}

// keepAll keeps the fields of an object whose presence means something even when
// they equal their defaults.
func (s *Setting) keepAll() {
	for _, k := range s.children {
		k.keep = true
		k.keepAll()
	}
}

// itemKey tells the names that say which item this is.
func itemKey(path string) bool {
	name := path[strings.LastIndexByte(path, '.')+1:]
	return name == "id" || name == "level"
}

// itemPath is the pattern its fields stand under.
func (s *Setting) itemPath() string {
	if s.Type == Items {
		return s.Path + "[]"
	}
	return s.Path
}

// node returns the setting of a pattern, made with its ancestors when new.
func (sc *Schema) node(path string) *Setting {
	path = strings.TrimSuffix(path, "[]")
	if s := sc.byPath[path]; s != nil {
		return s
	}
	s := &Setting{Path: path, Type: Object, Priority: 2, order: len(sc.all)}
	sc.byPath[path] = s
	sc.all = append(sc.all, s)
	up, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		up, name = path[:i], path[i+1:]
	}
	s.name = name
	if up == "" {
		sc.roots = append(sc.roots, s)
		return s
	}
	s.parent = sc.node(up)
	s.depth = strings.Count(path, "[]")
	if strings.HasSuffix(up, "[]") {
		s.parent.Type = Items
	}
	if s.parent.kids == nil {
		s.parent.kids = make(map[string]*Setting)
	}
	s.parent.kids[name] = s
	s.parent.children = append(s.parent.children, s)
	return s
}

// setRange reads the short form of a range.
func (s *Setting) setRange(rng string) {
	switch s.Type {
	case Items:
		s.Key = rng
		return
	case Weight:
		s.Bounds = Bounds{Min: 100, Max: 900, HasMin: true, HasMax: true}
		return
	case Parity:
		s.Enum = parities
		return
	}
	if unit, rest, ok := strings.Cut(rng, ": "); ok {
		s.Unit, rng = unit, rest
	}
	if rng == "" {
		return
	}
	bounds := rng
	if words, rest, ok := strings.Cut(rng, "; "); ok { // "document|file; >0"
		s.Enum = strings.Split(words, "|")
		bounds = rest
	} else if strings.IndexByte("~><=(0123456789-", rng[0]) < 0 || s.Type == Enum {
		s.Enum = strings.Split(rng, "|")
		return
	}
	s.Bounds = parseBounds(bounds)
}

var parities = []string{"any", "odd", "even", "always-odd", "always-even"}

func parseBounds(s string) Bounds {
	var b Bounds
	if strings.HasPrefix(s, "~") {
		b.Clamp = true
		s = s[1:]
	}
	num := func(t string) float64 {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil {
			panic("settings: bounds " + s)
		}
		return v
	}
	switch {
	case strings.HasPrefix(s, ">="):
		b.Min, b.HasMin = num(s[2:]), true
	case strings.HasPrefix(s, ">"):
		b.Min, b.HasMin, b.OpenMin = num(s[1:]), true, true
	case strings.HasPrefix(s, "<="):
		b.Max, b.HasMax = num(s[2:]), true
	default:
		b.OpenMin = strings.HasPrefix(s, "(")
		b.OpenMax = strings.HasSuffix(s, ")")
		lo, hi, ok := strings.Cut(strings.Trim(s, "()]"), "..")
		if !ok {
			panic("settings: bounds " + s)
		}
		b.Min, b.Max, b.HasMin, b.HasMax = num(lo), num(hi), true, true
	}
	return b
}

// parseDefault reads the short form of a default of the setting's type.
func (s *Setting) parseDefault(def string) *node {
	switch s.Type {
	case Length:
		if n, ok := parseLength(def, "pt"); ok {
			if s.Unit == "" {
				s.Unit = n.get("unit").str
			}
			return n
		}
		return strNode(def)
	case Number, Integer, Weight:
		v, err := strconv.ParseFloat(def, 64)
		if err != nil {
			panic("settings: default of " + s.Path)
		}
		return numNode(v)
	case Bool:
		return boolNode(def == "true")
	case Color:
		switch def {
		case "main":
			return mainColor
		case "black":
			return objNode("hex", strNode("#000000"), "model", strNode("cmyk"))
		}
		return objNode("hex", strNode(def), "model", strNode("hex"))
	case Mixed:
		if n, err := parseNode([]byte(def)); err == nil {
			return n
		}
		if n, ok := parseLength(def, "pt"); ok {
			return n
		}
		return strNode(def)
	case List, Items, Object, Free:
		n, err := parseNode([]byte(def))
		if err != nil {
			panic("settings: default of " + s.Path)
		}
		return n
	}
	if def == `""` {
		def = ""
	}
	return strNode(def)
}

var mainColor = objNode("hex", strNode("#295AA3"), "model", strNode("hex"), "paletteId", strNode("main-color"))

// sparse reports a list whose unlisted items have defaults of their own, so
// that an item without fields says nothing.
func (s *Setting) sparse() bool { return s.Type == Items && s.Key == "level" && s.def == nil }

// levelDefaults are the defaults that differ from level to level.
var levelDefaults = map[string][6]string{
	"headings.levels[].fontSize":            {"18pt", "15pt", "12pt", "10pt", "9pt", "8pt"},
	"headings.levels[].breakBefore.enabled": {"true", "false", "false", "false", "false", "false"},
	"headings.levels[].breakBefore.parity":  {"always-odd", "any", "any", "any", "any", "any"},
}

// defaultAt returns the fixed default where the keys of the enclosing items are
// known, nil when there is none.
func (s *Setting) defaultAt(keys []string) *node {
	if s.byLevel != nil && len(keys) > 0 {
		if k := keys[0]; len(k) == 1 && k[0] >= '1' && k[0] <= '6' {
			return s.byLevel[k[0]-'1']
		}
	}
	return s.def
}

// storable reports whether a value written at this place says more than its
// absence does.
func (s *Setting) storable(v *node, keys []string) bool {
	if s.keep || s.Type == Items || s.Type == Object {
		return true
	}
	d := s.defaultAt(keys)
	return d == nil || !d.equal(v)
}

func (sc *Schema) sectionOf(path string) *Section {
	var best *Section
	length := -1
	for _, sec := range sc.sections {
		for _, k := range sec.paths {
			if (path == k || strings.HasPrefix(path, k) && (path[len(k)] == '.' || path[len(k)] == '[')) && len(k) > length {
				best, length = sec, len(k)
			}
		}
	}
	return best
}

// presenceObjects are objects whose mere presence means something. {} is stored
// as the field given here with its default, so that taking back a change of a
// field can tell "there was an empty one" from "there was none".
var presenceObjects = map[string]string{
	"codeStyle.inline":          "bold=false",
	"codeStyle.label":           "position=top-right",
	"calloutStyles[].label":     "position=top-right",
	"headings.levels[].dropCap": "each=false",
	"headingStyles[].dropCap":   "each=false",
	"paragraphStyles[].dropCap": "each=false",
}

func init() {
	for _, l := range slotLists {
		presenceObjects[l+".dropCap"] = "lines=2"
	}
}

// levelOf tells the level numbers of a level list, for patterns of list paths.
func (s *Setting) levels() int {
	if s.Key != "level" {
		return 0
	}
	if strings.HasPrefix(s.Path, "headings") || strings.HasPrefix(s.Path, "toc") {
		return 6
	}
	return 5
}
