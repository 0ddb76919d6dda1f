package settings

import (
	"slices"
	"strconv"
	"strings"
)

// Foreign is what a configuration holds that the table does not know: keys, and
// words that are none of a setting's. They are kept wherever they stand, and a
// change may write them back; others than these a change may not bring in.
type Foreign map[string]bool

// maxForeign bounds what is remembered of a hostile file.
const maxForeign = 10_000

// ForeignOf lists what the table does not know of a stored configuration.
func ForeignOf(t *Tree) Foreign { return foreignOf(t.node()) }

func foreignOf(root *node) Foreign {
	f := Foreign{}
	for i, k := range root.keys {
		if s := schema().byPath[k]; s == nil || s.parent != nil {
			f.add("." + k)
		} else {
			f.collect(s, root.kids[i])
		}
	}
	return f
}

func (f Foreign) add(what string) {
	if len(f) < maxForeign {
		f[what] = true
	}
}

func (f Foreign) collect(s *Setting, v *node) {
	switch {
	case s.Type == Object && v.kind == object:
		f.fields(s, v)
	case s.Type == Items && v.kind == list:
		for _, it := range v.kids {
			if it.kind == object {
				f.fields(s, it)
			}
		}
	case v.kind == text && !s.usable(v):
		f.add(s.Path + "=" + v.str)
	case v.kind == object:
		for _, k := range v.keys {
			f.add(s.Path + "." + k)
		}
	}
}

func (f Foreign) fields(s *Setting, v *node) {
	for i, k := range v.keys {
		if c := s.kids[k]; c != nil {
			f.collect(c, v.kids[i])
		} else {
			f.add(s.Path + "." + k)
		}
	}
}

// key reports whether a key the table does not have may stand in s (nil: at the
// top).
func (f Foreign) key(s *Setting, k string) bool {
	if s == nil {
		return f["."+k]
	}
	return f[s.Path+"."+k]
}

// value reports whether a word that is none of the setting's was there before.
func (f Foreign) value(s *Setting, v *node) bool {
	return v.kind == text && f[s.Path+"="+v.str]
}

// With is both together.
func (f Foreign) With(more Foreign) Foreign { return f.with(more) }

func (f Foreign) with(more Foreign) Foreign {
	if len(more) == 0 {
		return f
	}
	both := make(Foreign, len(f)+len(more))
	for _, one := range [...]Foreign{f, more} {
		for k := range one {
			both.add(k)
		}
	}
	return both
}

// inks are the parts of a recipe.
var inks = []string{"c", "m", "y", "k"}

// checkFree checks the objects whose keys are not settings of their own: a palette
// from id to colour, a recipe of inks, and the settings that differ on screen.
func (e *editor) checkFree(s *Setting, path string, v *node) *node {
	for i, k := range v.keys {
		kid, sub := v.kids[i], path+"."+k
		if kid.kind == null || e.lenient || e.foreign.key(s, k) {
			continue
		}
		switch s.name {
		case "overrides":
			f := schema().byPath[k]
			if f == nil || f.parent != nil || k == "htmlViewer" {
				e.fault(sub, "There is no setting "+clip(k)+" for the screen."+nearName(k, rootNames()))
				continue
			}
			e.check(f, sub, kid)
		case "palette":
			if _, ok := toColor(kid, e.palette); !ok {
				e.fault(sub, sub+" is a colour: give a text such as \"#1f3a5f\".")
			}
		case "richBlackColor":
			if !slices.Contains(inks, k) {
				e.fault(sub, path+" has no "+strconv.Quote(clip(k))+": its parts are "+strings.Join(inks, ", ")+".")
			} else if x, ok := toNumber(kid); !ok || x < 0 || x > 100 {
				e.fault(sub, sub+" is an ink in percent: give a number from 0 to 100.")
			}
		}
	}
	return v
}

func nearName(k string, among []string) string {
	if w := nearestWord(k, among); w != "" {
		return " Is " + w + " meant?"
	}
	return ""
}

// badValue says what is wrong with one value of a list without fields, or "".
func (s *Setting) badValue(path string, v *node) string {
	switch {
	case v.kind == null:
		return ""
	case s.name == "bookTitleBrackets":
		if v.kind == object && v.get("open") != nil && v.get("close") != nil && v.get("open").kind == text && v.get("close").kind == text && len(v.keys) == 2 {
			return ""
		}
		return path + " is a pair of brackets: give { \"open\": \"《\", \"close\": \"》\" }."
	case v.kind != text:
		return path + " is a text: give one sign such as \"*\"."
	case len([]rune(v.str)) > 100:
		return path + " is a text of at most 100 characters."
	}
	return ""
}
