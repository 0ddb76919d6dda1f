package settings

import (
	"slices"
	"strings"
)

// CustomFont is a family whose files the book carries (customFonts, settings.md
// 30).
type CustomFont struct {
	Name            string
	Variants        []FontVariant
	Redistributable bool
}

// FontVariant is one file of such a family.
type FontVariant struct {
	Weight         int
	Italic         bool
	FileID, Format string
	FileName       string
}

// CustomFonts lists the families of the setting customFonts; entries that cannot
// be read are left out.
func CustomFonts(t *Tree) []CustomFont {
	v := newView(t.node(), Env{})
	l := v.stored(schema().byPath["customFonts"], nil)
	if l == nil || l.kind != list {
		return nil
	}
	word := func(n *node) string {
		if n != nil && n.kind == text {
			return n.str
		}
		return ""
	}
	var out []CustomFont
	for i, it := range l.kids {
		f := CustomFont{Name: keyText(it, "name"), Redistributable: true}
		if f.Name == "" || i >= maxItems {
			continue
		}
		if r := it.get("redistributable"); r != nil && r.kind == boolean {
			f.Redistributable = r.on
		}
		if files := it.get("variants"); files != nil && files.kind == list {
			for _, x := range files.kids {
				w := x.get("weight")
				if w == nil || w.kind != number || w.num < 1 || w.num > 1000 || word(x.get("fileId")) == "" {
					continue
				}
				f.Variants = append(f.Variants, FontVariant{Weight: int(w.num), Italic: word(x.get("style")) == "italic",
					FileID: word(x.get("fileId")), Format: word(x.get("format")), FileName: word(x.get("fileName"))})
			}
		}
		out = append(out, f)
	}
	return out
}

// FamilyUse is a font family that settings name, with what it sets.
type FamilyUse struct {
	Family string
	// Paths are the settings that come to it, nearest to the body first.
	Paths []string
	// Faces are the weights and slants those settings ask of it, in that order.
	Faces []FaceAsked
}

// FaceAsked is a weight and slant asked of a family.
type FaceAsked struct {
	Weight int
	Italic bool
}

// FamiliesUsed lists the families the design comes to, the body's first. With
// implemented only those of settings the engine uses count.
func FamiliesUsed(t *Tree, env Env, implemented bool) []FamilyUse {
	v := newView(t.node(), env)
	var out []FamilyUse
	at := map[string]int{}
	var walk func(s *Setting, keys []string)
	walk = func(s *Setting, keys []string) {
		switch s.Type {
		case Object:
			if s.presence != nil && v.literal(s, keys, true) == nil {
				return
			}
			for _, k := range s.children {
				walk(k, keys)
			}
		case Items:
			selectors, _ := v.items(s, keys)
			for _, k := range selectors {
				inner := append(keys[:len(keys):len(keys)], k)
				for _, c := range s.children {
					walk(c, inner)
				}
			}
		case Family:
			if implemented && s.Effect != Implemented {
				return
			}
			n := v.value(s, keys)
			if n == nil || n.kind != text || n.str == "" {
				return
			}
			i, ok := at[n.str]
			if !ok {
				i = len(out)
				at[n.str] = i
				out = append(out, FamilyUse{Family: n.str})
			}
			out[i].Paths = append(out[i].Paths, s.pathOf(keys))
			for _, f := range v.facesAsked(s, keys) {
				if !slices.Contains(out[i].Faces, f) {
					out[i].Faces = append(out[i].Faces, f)
				}
			}
		}
	}
	walk(schema().byPath["bodyText"], nil)
	walk(schema().byPath["headings"], nil)
	for _, s := range schema().roots {
		if s.name != "bodyText" && s.name != "headings" {
			walk(s, nil)
		}
	}
	return out
}

// facesAsked are the weights that stand beside a family's setting, its own and
// that of bold runs, in the slant that stands beside it.
func (v *view) facesAsked(s *Setting, keys []string) (out []FaceAsked) {
	if s.parent == nil {
		return nil
	}
	beside := func(name string) *node {
		if k := s.parent.kids[name]; k != nil {
			return v.value(k, keys)
		}
		return nil
	}
	italic := beside("italic")
	stem := strings.TrimSuffix(strings.TrimSuffix(s.name, "fontFamily"), "FontFamily")
	names := []string{stem + "FontWeight"}
	if stem == "" {
		names = []string{"fontWeight", "boldFontWeight"}
	}
	for _, n := range names {
		if w := beside(n); w != nil && w.kind == number && w.num >= 1 && w.num <= 1000 {
			out = append(out, FaceAsked{int(w.num), italic != nil && italic.kind == boolean && italic.on})
		}
	}
	return out
}
