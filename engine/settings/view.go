package settings

import (
	"math"
	"strings"

	"postext/engine/unit"
)

// view reads effective values: what is stored, else what the table says, with
// palette links followed. Values come in written form.
type view struct {
	root    *node
	palette *node
	lang    string // document language
	words   *words // its built-in strings
	types   *node  // the built-in resource types, once asked for
}

func newView(root *node, env Env) *view {
	v := &view{root: root, lang: "en-us"}
	v.palette = v.stored(schema().byPath["colorPalette"], nil)
	if v.palette == nil {
		v.palette = schema().byPath["colorPalette"].def
	}
	if env.Language != "" {
		v.lang = env.Language
	}
	for _, p := range [...]string{"locale", "bodyText.hyphenation.locale"} {
		if n := v.stored(schema().byPath[p], nil); n != nil && n.kind == text && n.str != "" {
			v.lang = n.str
			break
		}
	}
	v.lang = strings.ToLower(v.lang)
	v.words, v.types = wordsOf(v.lang), nil
	return v
}

// builtIn is the list that stands where none is stored, nil for lists without
// one.
func (v *view) builtIn(s *Setting) *node {
	if s.Path != "resourceTypes" {
		return s.def
	}
	if v.types == nil {
		v.types = s.builtInFor(v.lang)
	}
	return v.types
}

// stored returns what the tree holds at a place, the built-in list where a
// list is absent; nil when nothing is there.
func (v *view) stored(s *Setting, keys []string) *node {
	n := v.literal(s, keys, true)
	if n == nil && s.Type == Items {
		return v.builtIn(s)
	}
	return n
}

// literal is stored without built-in lists unless asked for.
func (v *view) literal(s *Setting, keys []string, builtIn bool) *node {
	if s.parent == nil {
		return v.root.get(s.name)
	}
	up := v.literal(s.parent, keys, builtIn)
	if s.parent.Type == Items {
		if up == nil && builtIn {
			up = v.builtIn(s.parent)
		}
		if len(keys) < s.depth {
			return nil
		}
		i := itemAt(up, s.parent.Key, keys[s.depth-1])
		if i < 0 {
			return nil
		}
		up = up.kids[i]
	}
	return up.get(s.name)
}

// value is the effective value, nil when there is none.
func (v *view) value(s *Setting, keys []string) *node {
	n := v.stored(s, keys)
	switch {
	case n != nil && s.usable(n):
		n = s.written(n)
	default:
		n = v.unset(s, keys)
	}
	if s.Type == Color && n != nil {
		n = v.linked(n)
	}
	return n
}

// unset is the value a setting takes when nothing usable is stored.
func (v *view) unset(s *Setting, keys []string) *node {
	if n := v.derived(s, keys); n != nil {
		return n
	}
	if d := s.defaultAt(keys); d != nil {
		return d
	}
	if s.Follows == "" {
		return nil
	}
	t := schema().byPath[s.Follows]
	if t.depth > len(keys) {
		return nil
	}
	n := v.value(t, keys[:t.depth])
	if x, u, ok := readLength(n); ok && s.Factor != 1 {
		return lengthNode(math.Round(float64(x*s.Factor*1e6))/1e6, u)
	}
	return n
}

// written is the one form of a stored value.
func (s *Setting) written(n *node) *node {
	switch s.Type {
	case Length:
		if l, ok := toLength(n, s.Unit); ok && !(n.kind == text && hasWord(s.Enum, n.str)) {
			return l
		}
	case Family:
		if f, stack := firstFamily(n.str); stack || f != n.str {
			return strNode(f)
		}
	case Color:
		if n.kind == text {
			return objNode("hex", n, "model", strNode("hex"))
		}
	case Format:
		if f, ok := numberFormat(n.str, s.formatColumn()); ok && f != n.str {
			return strNode(f)
		}
	}
	return n
}

// linked gives a colour the value its palette entry has now.
func (v *view) linked(n *node) *node {
	link := n.get("paletteId")
	if link == nil || link.kind != text {
		return n
	}
	value := findItem(v.palette, "id", link.str)
	if value == nil {
		return n
	}
	c := value.get("value")
	if c == nil {
		return n
	}
	if c.kind == text {
		c = objNode("hex", c, "model", strNode("hex"))
	}
	if _, ok := colorOf(c); !ok {
		return n
	}
	out := n.with("hex", c.get("hex"))
	if m := c.get("model"); m != nil {
		out = out.with("model", m)
	}
	if ink := c.get("cmyk"); ink != nil {
		out = out.with("cmyk", ink)
	} else {
		out = out.without("cmyk")
	}
	return out
}

func (v *view) at(pattern string, keys ...string) *node {
	return v.value(schema().byPath[pattern], keys)
}

// set reports whether something usable is stored at the place itself.
func (v *view) set(pattern string, keys ...string) bool {
	s := schema().byPath[pattern]
	n := v.literal(s, keys, true)
	return n != nil && s.usable(n)
}

// derived are the values that depend on more than one setting or on the
// language (settings.md 4).
func (v *view) derived(s *Setting, keys []string) *node {
	switch s.Path {
	case "page.width", "page.height":
		preset := v.at("page.sizePreset")
		size, ok := pageSizes[preset.str]
		if !ok {
			size = pageSizes["17x24"]
		}
		side := size[0]
		if s.name == "height" {
			side = size[1]
		}
		n, _ := parseLength(side, "cm")
		return n
	case "page.binding":
		if v.at("layout.writingMode").str == "vertical-rl" || v.rightToLeft() {
			return strNode("right")
		}
		return strNode("left")
	case "locale":
		return strNode(v.lang)
	case "bodyText.hyphenation.enabled":
		return boolNode(!unhyphenated(v.hyphenLanguage()))
	case "bodyText.hyphenation.locale":
		return strNode(v.hyphenLanguage())
	case "bodyText.referenceColor":
		if v.set("bodyText.boldColor") {
			return v.at("bodyText.boldColor")
		}
		return mainColor
	case "bodyText.blockquote.italic":
		return boolNode(!arabicScript(v.lang))
	case "layout.wrap.gap":
		return v.at("bodyText.lineHeight")
	case "unorderedLists.taskCompletedColor":
		return v.at("bodyText.color")
	case "unorderedLists.levels[].indent", "orderedLists.levels[].indent":
		if len(keys) > 0 && keys[0] == "1" {
			return v.at(strings.TrimSuffix(s.Path, ".levels[].indent") + ".indent")
		}
		return nil
	case "orderedLists.separatorFontFamily":
		return v.at("orderedLists.fontFamily")
	case "orderedLists.separatorFontWeight":
		return v.at("orderedLists.fontWeight")
	case "orderedLists.separatorItalic":
		return v.at("orderedLists.italic")
	case "orderedLists.separatorColor":
		return v.at("orderedLists.color")
	case "orderedLists.levels[].separatorFontFamily":
		return v.separator("FontFamily", "fontFamily", keys)
	case "orderedLists.levels[].separatorFontWeight":
		return v.separator("FontWeight", "fontWeight", keys)
	case "orderedLists.levels[].separatorItalic":
		return v.separator("Italic", "italic", keys)
	case "orderedLists.levels[].separatorColor":
		return v.separator("Color", "color", keys)
	case "codeStyle.lineHeight":
		return v.at("bodyText.lineHeight")
	}
	if s.name == "width" && strings.HasSuffix(s.Path, ".elements[].placement.size.width") {
		if kind := v.at(strings.TrimSuffix(s.Path, "placement.size.width")+"kind", keys...); kind != nil && kind.str == "rule" {
			return strNode("fill")
		}
		return strNode("auto")
	}
	return v.byLanguage(s, keys)
}

// separator: the list-wide setting if given, else the level's own number style.
func (v *view) separator(of, number string, keys []string) *node {
	if v.set("orderedLists.separator" + of) {
		return v.at("orderedLists.separator" + of)
	}
	return v.at("orderedLists.levels[]."+number, keys...)
}

func (v *view) hyphenLanguage() string {
	for _, p := range [...]string{"bodyText.hyphenation.locale", "locale"} {
		if n := v.stored(schema().byPath[p], nil); n != nil && n.kind == text && n.str != "" {
			return strings.ToLower(n.str)
		}
	}
	return v.lang
}

func baseLanguage(tag string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	return base
}

func unhyphenated(tag string) bool {
	switch baseLanguage(tag) {
	case "zh", "ja", "ko":
		return true
	}
	return arabicScript(tag) || baseLanguage(tag) == "he" || baseLanguage(tag) == "yi"
}

func arabicScript(tag string) bool {
	switch baseLanguage(tag) {
	case "ar", "fa", "ur", "ps", "ckb", "ug", "sd":
		return true
	}
	return strings.Contains(strings.ToLower(tag), "-arab")
}

func (v *view) rightToLeft() bool {
	if d := v.root.get("direction"); d != nil && d.kind == text && (d.str == "rtl" || d.str == "ltr") {
		return d.str == "rtl"
	}
	return RightToLeft(v.lang)
}

// RightToLeft reports whether a language is written from right to left.
func RightToLeft(tag string) bool {
	switch baseLanguage(tag) {
	case "he", "yi", "dv", "syr", "arc":
		return true
	}
	return arabicScript(tag) || strings.Contains(strings.ToLower(tag), "-hebr")
}

// scale turns written lengths into scaled points.
type scale struct {
	dpi float64
	rem unit.Sp // body size
}

// length converts a length in written form; em is the size its ems count.
// Rounding happens once, half away from zero.
func (sc scale) length(n *node, em unit.Sp) unit.Sp {
	x, u, ok := readLength(n)
	if !ok {
		return 0
	}
	switch u {
	case "cm":
		return unit.FromPt(float64(x * 72 / 2.54))
	case "mm":
		return unit.FromPt(float64(x * 72 / 25.4))
	case "in":
		return unit.FromPt(float64(x * 72))
	case "px":
		return unit.FromPt(float64(x * 72 / sc.dpi))
	case "em":
		return unit.FromPt(float64(x * em.Pt()))
	case "rem":
		return unit.FromPt(float64(x * sc.rem.Pt()))
	}
	return unit.FromPt(x)
}
