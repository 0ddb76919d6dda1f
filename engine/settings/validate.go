package settings

import "strconv"

func itoa(i int) string { return strconv.Itoa(i) }

// Validate lists what a stored configuration holds that the table does not
// know or cannot read. It never refuses: such keys are kept, such values count
// as their default (settings.md 36.1).
func Validate(t *Tree) []Warning { return validate(t.node()) }

func validate(root *node) []Warning {
	var w validator
	sc := schema()
	for i, k := range root.keys {
		s := sc.byPath[k]
		if s == nil || s.parent != nil {
			w.unknown(k, k, rootNames())
			continue
		}
		w.value(s, k, root.kids[i])
	}
	return w.out
}

// maxWarnings bounds what a hostile file can make.
const maxWarnings = 200

type validator struct{ out []Warning }

func (w *validator) add(x Warning) {
	if len(w.out) < maxWarnings {
		w.out = append(w.out, x)
	}
}

func rootNames() []string {
	var out []string
	for _, s := range schema().roots {
		out = append(out, s.name)
	}
	return out
}

func (w *validator) unknown(path, key string, among []string) {
	w.add(Warning{Kind: "unknownConfigKey", Path: path, Value: clip(key), Suggestion: nearestWord(key, among)})
}

func (w *validator) value(s *Setting, path string, v *node) {
	switch {
	case v.kind == null:
	case s.Type == Object && v.kind == object:
		w.fields(s, path, v)
	case s.Type == Items && v.kind == list:
		for i, it := range v.kids {
			sub := path + "[" + itoa(i) + "]"
			if k := keyText(it, s.Key); s.Key != "" && k != "" {
				sub = path + "[" + s.Key + "=" + clip(k) + "]"
			}
			if it.kind != object {
				w.add(Warning{Kind: "unknownConfigValue", Path: sub, Value: clip(it.String())})
				continue
			}
			w.fields(s, sub, it)
		}
	case s.Path == "htmlViewer.overrides" && v.kind == object:
		for i, k := range v.keys {
			f := schema().byPath[k]
			if f == nil || f.parent != nil || k == "htmlViewer" {
				w.unknown(path+"."+k, k, rootNames())
				continue
			}
			w.value(f, path+"."+k, v.kids[i])
		}
	case s.Type == Object || s.Type == Items || !s.usable(v):
		if s.name == "dropCap" && v.kind == boolean {
			return
		}
		x := Warning{Kind: "unknownConfigValue", Path: path, Value: clip(plain(v))}
		if s.Type == Format {
			x.Kind, x.Used = "unknownNumberFormat", "decimal"
		} else if s.Path == "numerals" {
			x.Kind = "unknownNumerals"
		}
		if s.def != nil && x.Used == "" {
			x.Used = clip(plain(s.def))
		}
		if v.kind == text {
			x.Suggestion = nearestWord(v.str, s.Enum)
		}
		w.add(x)
	case s.Type == Family:
		if first, stack := firstFamily(v.str); stack {
			w.add(Warning{Kind: "fontFamilyStack", Path: path, Value: clip(v.str), Used: clip(first)})
		}
	}
}

func (w *validator) fields(s *Setting, path string, v *node) {
	for i, k := range v.keys {
		f := s.kids[k]
		if f == nil {
			w.unknown(path+"."+clip(k), k, childNames(s))
			continue
		}
		w.value(f, path+"."+k, v.kids[i])
	}
}

// plain is a value as a person would write it.
func plain(v *node) string {
	if v.kind == text {
		return v.str
	}
	if _, _, ok := readLength(v); ok {
		return written(v)
	}
	return v.String()
}
