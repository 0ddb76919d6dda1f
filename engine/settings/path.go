package settings

import (
	"strconv"
	"strings"
)

// step is one part of a concrete path: a name, and for a list the item meant.
type step struct {
	name string
	// An item is chosen by key=value, or by index.
	item  bool
	key   string // "" when by index
	value string
	index int
}

// splitPath reads "headings.levels[level=2].fontSize", "a.b[0].c" or "a.b.0.c".
// A part that is only digits is an index.
func splitPath(path string) ([]step, bool) {
	var out []step
	if len(path) > 400 {
		return nil, false
	}
	for rest := strings.TrimSpace(path); ; {
		end := strings.IndexAny(rest, ".[")
		name := rest
		if end >= 0 {
			name = rest[:end]
		}
		if name == "" {
			return nil, false
		}
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && len(out) > 0 && !out[len(out)-1].item {
			out[len(out)-1].item, out[len(out)-1].index = true, i
		} else {
			out = append(out, step{name: name})
		}
		if end < 0 {
			return out, true
		}
		rest = rest[end:]
		if rest[0] == '[' {
			closing := strings.IndexByte(rest, ']')
			if closing < 0 || out[len(out)-1].item {
				return nil, false
			}
			inner := rest[1:closing]
			last := &out[len(out)-1]
			last.item = true
			if key, value, ok := strings.Cut(inner, "="); ok {
				last.key, last.value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"'`)
				if last.key == "" {
					return nil, false
				}
			} else if i, err := strconv.Atoi(strings.TrimSpace(inner)); err == nil && i >= 0 {
				last.index = i
			} else {
				return nil, false
			}
			rest = rest[closing+1:]
			if rest == "" {
				return out, true
			}
		}
		if rest[0] != '.' {
			return nil, false
		}
		rest = rest[1:]
	}
}

// place is a path of the table: the setting, the keys of the items on the way,
// and whether the path names an item rather than the list.
type place struct {
	set   *Setting
	steps []step
	item  bool
}

// locate finds the setting a path means; ok is false for paths the table does
// not have.
func locate(path string) (place, bool) {
	steps, ok := splitPath(path)
	if !ok {
		return place{}, false
	}
	sc := schema()
	var at *Setting
	for i, st := range steps {
		var next *Setting
		if at == nil {
			next = sc.byPath[st.name]
			if next != nil && next.parent != nil {
				next = nil
			}
		} else {
			next = at.kids[st.name]
		}
		if next == nil {
			return place{}, false
		}
		if st.item {
			if next.Type != Items && next.Type != List {
				return place{}, false
			}
			if st.key != "" && st.key != next.Key {
				return place{}, false
			}
			if next.Type == List && i < len(steps)-1 {
				return place{}, false
			}
		} else if next.Type == Items && i < len(steps)-1 {
			return place{}, false
		}
		at = next
	}
	return place{set: at, steps: steps, item: steps[len(steps)-1].item}, true
}

// A top-level key the table does not have is kept (settings.md, Every key is
// optional): newer writers may know it. It is addressed as ["name"], or by its
// bare name while it is stored, and read, set and removed as one value; so what
// Replace did to it can be taken back like any change.

// rootSetting is the top-level setting of a name; outside the table, one that takes
// any value.
func rootSetting(name string) *Setting {
	if s := schema().byPath[name]; s != nil && s.parent == nil {
		return s
	}
	b := append(appendString([]byte("["), name), ']')
	return &Setting{Path: string(b), name: name, Type: Any, Effect: Stored, keep: true, About: aboutUnknown}
}

const aboutUnknown = "There is no setting of this name: it is kept but does nothing."

// locateIn is locate, with the keys outside the table.
func (t *Tree) locateIn(path string) (place, bool) {
	name := strings.TrimSpace(path)
	if strings.HasPrefix(name, `["`) && strings.HasSuffix(name, `"]`) && len(name) <= maxString {
		if n, err := parseNode([]byte(name)); err == nil && len(n.kids) == 1 && n.kids[0].kind == text {
			name = n.kids[0].str
			return place{set: rootSetting(name), steps: []step{{name: name}}}, true
		}
	}
	if p, ok := locate(path); ok {
		return p, true
	}
	if t.node().get(name) != nil {
		return place{set: rootSetting(name), steps: []step{{name: name}}}, true
	}
	return place{}, false
}

// keys returns, for each item on the way, its key or "#index".
func (p place) keys() []string {
	var out []string
	for _, st := range p.steps {
		if st.item {
			out = append(out, st.selector())
		}
	}
	return out
}

func (st step) selector() string {
	if st.key == "" {
		return "#" + strconv.Itoa(st.index)
	}
	return st.value
}

// pathOf writes a pattern with its keys filled in.
func (s *Setting) pathOf(keys []string) string {
	if len(keys) == 0 {
		return s.Path
	}
	var b strings.Builder
	rest, at := s.Path, (*Setting)(nil)
	for i := 0; ; i++ {
		j := strings.Index(rest, "[]")
		if j < 0 || i >= len(keys) {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:j])
		at = schema().byPath[s.Path[:len(s.Path)-len(rest)+j]]
		b.WriteString(itemSelector(at, keys[i]))
		rest = rest[j+2:]
	}
	if s.Type == Items && len(keys) > strings.Count(s.Path, "[]") {
		b.WriteString(itemSelector(s, keys[len(keys)-1]))
	}
	return b.String()
}

func itemSelector(list *Setting, key string) string {
	if n, ok := strings.CutPrefix(key, "#"); ok || list.Key == "" {
		return "[" + n + "]"
	}
	return "[" + list.Key + "=" + key + "]"
}

// keyText is the value of an item's key as text, "" when it has none.
func keyText(item *node, key string) string {
	v := item.get(key)
	if v == nil {
		return ""
	}
	switch v.kind {
	case text:
		return v.str
	case number:
		return string(appendNumber(nil, v.num))
	}
	return ""
}

// itemAt finds an item of a list by selector and returns its place, -1 when it
// is not there.
func itemAt(l *node, key, selector string) int {
	if l == nil || l.kind != list {
		return -1
	}
	if n, ok := strings.CutPrefix(selector, "#"); ok {
		i, err := strconv.Atoi(n)
		if err != nil || i >= len(l.kids) {
			return -1
		}
		return i
	}
	for i, it := range l.kids {
		if keyText(it, key) == selector {
			return i
		}
	}
	return -1
}

func findItem(l *node, key, value string) *node {
	if i := itemAt(l, key, value); i >= 0 {
		return l.kids[i]
	}
	return nil
}

// maxItems is how many items of one list effective values are told of; a hostile
// file may hold any number.
const maxItems = MaxItems

// itemKeys lists the keys of a list's items; an item without key is "#index".
func itemKeys(l *node, key string) []string {
	if l == nil || l.kind != list {
		return nil
	}
	out := make([]string, min(len(l.kids), maxItems))
	for i, it := range l.kids[:len(out)] {
		if out[i] = keyText(it, key); out[i] == "" || key == "" {
			out[i] = "#" + strconv.Itoa(i)
		}
	}
	return out
}
