package settings

// canonical brings a whole configuration into the form trees are kept in.
func canonical(root *node) *node {
	out := &node{kind: object}
	sc := schema()
	for i, k := range root.keys {
		v := root.kids[i]
		if s := sc.byPath[k]; s != nil && s.parent == nil {
			v = s.canonical(v, nil)
		}
		if v != nil {
			out.keys, out.kids = append(out.keys, k), append(out.kids, v)
		}
	}
	return out
}

// canonical returns the value as it is stored, nil when it says no more than
// its absence.
func (s *Setting) canonical(v *node, keys []string) *node {
	switch {
	case v == nil || v.kind == null:
		return nil
	case s.Type == Object && v.kind == object:
		return s.canonicalFields(v, keys)
	case s.Type == Items && v.kind == list:
		return s.canonicalItems(v, keys)
	}
	if s.usable(v) {
		if w := s.written(v); !s.storable(w, keys) {
			return nil
		}
	}
	return v
}

// canonicalFields drops what the fields need not say. An object left empty is
// dropped, unless its presence means something.
func (s *Setting) canonicalFields(v *node, keys []string) *node {
	out := &node{kind: object}
	for i, k := range v.keys {
		kid := v.kids[i]
		if f := s.kids[k]; f != nil {
			kid = f.canonical(kid, keys)
		}
		if kid != nil {
			out.keys, out.kids = append(out.keys, k), append(out.kids, kid)
		}
	}
	if len(out.keys) == 0 {
		return s.presence
	}
	return out
}

func (s *Setting) canonicalItems(v *node, keys []string) *node {
	out := &node{kind: list}
	for i, it := range v.kids {
		if it.kind == object {
			key := keyText(it, s.Key)
			if key == "" || s.Key == "" {
				key = "#" + itoa(i)
			}
			it = s.canonicalItem(it, append(keys[:len(keys):len(keys)], key))
			if it == nil {
				continue
			}
		}
		out.kids = append(out.kids, it)
	}
	if s.sparse() && len(out.kids) == 0 {
		return nil
	}
	if s.def != nil && s.droppable() && out.equal(s.def) {
		return nil
	}
	return out
}

// canonicalItem is nil for an item of a sparse list that says nothing. Fields a
// built-in item of the same key writes out are kept even when equal to their
// default: dropping them would be fine, but taking them back would not.
func (s *Setting) canonicalItem(it *node, keys []string) *node {
	out := &node{kind: object}
	for i, k := range it.keys {
		kid := it.kids[i]
		if f := s.kids[k]; f != nil && k != s.Key {
			kid = f.canonical(kid, keys)
		}
		if kid != nil {
			out.keys, out.kids = append(out.keys, k), append(out.kids, kid)
		}
	}
	if s.sparse() && (len(out.keys) == 0 || len(out.keys) == 1 && out.keys[0] == s.Key) {
		return nil
	}
	return out
}

// droppable reports a list that is not stored while it only repeats the
// built-in one. Lists whose built-in form depends on the language stay.
func (s *Setting) droppable() bool { return s.Path != "resourceTypes" }
