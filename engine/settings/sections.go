package settings

import (
	"slices"
	"strings"
	"sync"

	"postext/engine/unit"
)

// Sections and parts change the design on their pages (settings.md 11, 18): a
// heading style its text block, columns, running text, running heads and palette;
// a part the text block and running text of its own page, and by the attribute of
// its fence the palette of everything up to the next part. What they change is
// resolved by the rules of the document's own settings, over a configuration in
// which theirs stand in the place of the document's. Everything else (boxes,
// captions, tables, notes) keeps what it has from the document.

// Pages is what a heading style or a part changes on its pages.
type Pages struct {
	// Varies: it changes any of the following, which are whole then.
	Varies  bool
	Page    Page
	Layout  Layout
	Figures Figures
	Body    Text
	Bullets BulletList
	Numbers NumberList
	// Palette are the entries that have another colour, in the form of a part's
	// attribute.
	Palette string
}

// section resolves what stands at margins, layout and text, each with the keys of
// its items; "" is for a place that is not there.
func (r *resolver) section(d *Design, margins, layout, text string, keys ...string) (s Pages, faults Faults) {
	stored := func(pattern string) *node {
		if pattern == "" {
			return nil
		}
		n := r.literal(schema().byPath[pattern], keys, false)
		if n == nil || n.kind != object {
			return nil
		}
		return n
	}
	m, l, t := stored(margins), stored(layout), stored(text)
	if m.empty() && l.empty() && t.empty() {
		return s, nil
	}
	root := r.root
	if !m.empty() {
		root = root.with("page", root.get("page").with("margins", laidOver(root.get("page").get("margins"), m)))
	}
	if !l.empty() {
		root = root.with("layout", laidOver(root.get("layout"), l))
	}
	v := *d
	on := r.over(root)
	on.page(&v)
	on.columns(&v)
	if !l.empty() {
		v.Figures = Figures{}
		on.figures(&v)
	}
	faults = on.room(&v)
	for _, w := range on.warnings {
		if rest, ok := strings.CutPrefix(w.Path, "layout."); ok && l.get(rest) != nil {
			w.Path = itemPath(layout, keys) + "." + rest
			r.warnings = append(r.warnings, w)
		}
	}
	if !t.empty() {
		if x, u, ok := readLength(t.get("fontSize")); ok && (u == "em" || u == "rem") { // of the document's
			t = t.with("fontSize", lengthNode(float64(x*r.rem.Pt()), "pt"))
		}
		root = withText(root, t)
		on = r.over(root)
		on.rem = on.bodySize()
		on.body(&v)
		on.bullets(&v)
		on.numbers(&v)
	}
	return Pages{Varies: true, Page: v.Page, Layout: v.Layout, Figures: v.Figures, Body: v.Body, Bullets: v.Bullets, Numbers: v.Numbers}, faults
}

// itemPath writes a pattern with its keys, for messages.
func itemPath(pattern string, keys []string) string {
	for _, k := range keys {
		pattern = strings.Replace(pattern, "[]", "["+strings.TrimPrefix(k, "#")+"]", 1)
	}
	return pattern
}

// over is a resolver of another configuration, with the scale of this one.
func (r *resolver) over(root *node) *resolver {
	v := *r.view
	v.root = root
	return &resolver{view: &v, scale: r.scale}
}

// withText puts the running text of a section in the place of the document's.
func withText(root, t *node) *node {
	body := root.get("bodyText")
	for _, name := range [...]string{"fontFamily", "fontSize", "lineHeight", "color", "textAlign"} {
		if v := t.get(name); v != nil {
			body = body.with(name, v)
		}
	}
	if body != nil {
		root = root.with("bodyText", body)
	}
	for _, l := range [...]struct{ list, ink string }{{"unorderedLists", "bulletColor"}, {"orderedLists", "numberColor"}} {
		v := root.get(l.list)
		if c := t.get(l.ink); c != nil {
			v = inked(v, c)
		}
		if own := t.get(l.list); own != nil {
			v = laidOver(v, own)
		}
		if v != nil {
			root = root.with(l.list, v)
		}
	}
	return root
}

// inked gives the markers of lists a colour at every depth.
func inked(lists, c *node) *node {
	lists = lists.with("color", c)
	levels := lists.get("levels")
	if levels == nil || levels.kind != list {
		return lists
	}
	out := &node{kind: list}
	for _, l := range levels.kids {
		if l.kind == object {
			l = l.without("color")
		}
		out.kids = append(out.kids, l)
	}
	return lists.with("levels", out)
}

// laidOver lays an object over another, field by field; lists of levels are
// merged level by level (settings.md 2).
func laidOver(under, over *node) *node {
	if over == nil || over.kind != object {
		return under
	}
	if under == nil || under.kind != object {
		return over
	}
	out := under
	for i, key := range over.keys {
		v, old := over.kids[i], under.get(key)
		switch {
		case key == "levels" && v.kind == list && old != nil && old.kind == list:
			v = levelsOver(old, v)
		case v.kind == object && !isValue(v):
			v = laidOver(old, v)
		}
		out = out.with(key, v)
	}
	return out
}

// isValue tells the objects that are one value: lengths and colours.
func isValue(n *node) bool { return n.get("unit") != nil || n.get("hex") != nil }

func levelsOver(under, over *node) *node {
	out := &node{kind: list, kids: slices.Clone(under.kids)}
	for _, l := range over.kids {
		if i := itemAt(out, "level", keyText(l, "level")); i >= 0 {
			out.kids[i] = laidOver(out.kids[i], l)
		} else {
			out.kids = append(out.kids, l)
		}
	}
	return out
}

// paletteOf writes the palette of a heading style in the form of a part's
// attribute.
func (r *resolver) paletteOf(pattern string, keys ...string) string {
	n := r.literal(schema().byPath[pattern], keys, false)
	if n == nil || n.kind != object {
		return ""
	}
	var out []string
	for i, id := range n.keys {
		if v := n.kids[i]; v.kind == text {
			out = append(out, id+"="+v.str)
		} else if hex := v.get("hex"); hex != nil && hex.kind == text {
			out = append(out, id+"="+hex.str)
		}
	}
	return strings.Join(out, ",")
}

// PaletteValues reads the palette attribute of a part: pairs of an entry's id and a
// colour, joined by = or :, separated by commas, semicolons or spaces; the # of a
// colour may be left out (document-format.md 6.4). What is no such pair is
// returned as bad.
func PaletteValues(s string) (values map[string]string, bad []string) {
	for _, pair := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\t' || r == '\n' }) {
		id, hex, ok := strings.Cut(pair, "=")
		if !ok {
			id, hex, ok = strings.Cut(pair, ":")
		}
		if _, plain := colorOf(strNode("#" + hex)); ok && plain && !strings.HasPrefix(hex, "#") {
			hex = "#" + hex
		}
		if _, fine := colorOf(strNode(hex)); !ok || id == "" || !fine {
			bad = append(bad, pair)
			continue
		}
		if values == nil {
			values = map[string]string{}
		}
		values[id] = hex
	}
	return values, bad
}

// Look says which pages a design is for: those of a part with a palette, and in it
// those of a section or the part's own.
type Look struct {
	Palette string // a part's attribute
	Style   string // the id of a heading style; "" for none
	Part    bool   // the page of a part
}

// looks makes the designs of a configuration, and keeps them.
type looks struct {
	tree     *Tree
	env      Env
	mu       sync.Mutex
	made     map[Look]*Design
	palettes map[string]*Design
	of       *Design // whose looks these are with numbers for colours; else nil
}

// maxPalettes bounds the palettes a book's parts and sections are set in: each is
// a configuration of its own. Further ones are set in the document's.
const maxPalettes = 500

// Look returns the design of these pages: the document's own where nothing
// changes. ok is false when a book has too many palettes to follow this one.
// Equal looks have one design.
func (d *Design) Look(l Look) (out *Design, ok bool) {
	f := d.looks
	if l == (Look{}) || f == nil {
		return d, true
	}
	if f.of != nil {
		return d.numberedLook(l)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if out := f.made[l]; out != nil {
		return out, true
	}
	at := -1
	palette := l.Palette
	for i := range d.Headings.Styles {
		if s := &d.Headings.Styles[i]; l.Style != "" && s.ID == l.Style {
			if at = i; s.Pages.Palette != "" {
				palette += "," + s.Pages.Palette
			}
			break
		}
	}
	base, ok := f.recoloured(d, palette)
	out = base
	var s *Pages
	var st *HeadingStyle
	switch {
	case l.Part:
		s = &base.Parts.Pages
	case at >= 0 && at < len(base.Headings.Styles):
		st = &base.Headings.Styles[at]
		s = &st.Pages
	}
	if s != nil && s.Varies || st != nil && (st.HeaderSet || st.FooterSet) || l.Part {
		v := *base
		if s.Varies {
			v.Page, v.Layout, v.Figures, v.Body, v.Bullets, v.Numbers = s.Page, s.Layout, s.Figures, s.Body, s.Bullets, s.Numbers
		}
		if l.Part {
			v.Layout.Type, v.Layout.Columns = "single", 1
		}
		if st != nil && st.HeaderSet {
			v.Header = st.Header
		}
		if st != nil && st.FooterSet {
			v.Footer = st.Footer
		}
		v.looks = nil
		hashDesign(&v)
		out = &v
	}
	f.made[l] = out
	return out, ok
}

// HasHeadingStyle reports whether a heading style has this id.
func (d *Design) HasHeadingStyle(id string) bool {
	for i := range d.Headings.Styles {
		if d.Headings.Styles[i].ID == id {
			return true
		}
	}
	return false
}

// recoloured is the design in other values of its palette.
func (f *looks) recoloured(d *Design, palette string) (*Design, bool) {
	values, _ := PaletteValues(palette)
	if len(values) == 0 {
		return d, true
	}
	if out := f.palettes[palette]; out != nil {
		return out, true
	}
	if len(f.palettes) >= maxPalettes {
		return d, false
	}
	out := d
	if t := Recoloured(f.tree, f.env, values); t != f.tree {
		if v, err := Resolve(t, f.env); err == nil {
			out = v
		}
	}
	f.palettes[palette] = out
	return out, true
}

// room checks that a page has room for text.
func (r *resolver) room(d *Design) Faults {
	if w := d.Page.Width - d.Page.Left - d.Page.Right; w < unit.Pt {
		return Faults{{Path: "page.margins", Message: "The left and right margins leave no room for text on a page " +
			written(r.at("page.width")) + " wide: make page.margins.left or page.margins.right smaller."}}
	}
	if h := d.Page.Height - d.Page.Top - d.Page.Bottom; h < d.Body.Leading || h < unit.Pt {
		return Faults{{Path: "page.margins", Message: "The top and bottom margins leave no room for a line of text on a page " +
			written(r.at("page.height")) + " high: make page.margins.top or page.margins.bottom smaller."}}
	}
	if d.Layout.Type != "single" {
		n := unit.Sp(max(2, d.Layout.Columns))
		if room := d.Page.Width - d.Page.Left - d.Page.Right - (n-1)*d.Layout.Gutter; room < n*unit.Pt {
			return Faults{{Path: "layout.gutterWidth", Message: "The gutters leave no room for the columns: make layout.gutterWidth smaller or take fewer columns."}}
		}
	}
	return nil
}
