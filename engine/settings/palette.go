package settings

// A colour linked to a palette entry takes the entry's value; it keeps a value of
// its own for the day the entry is gone. Before an entry is removed every colour
// linked to it is therefore written out with the value the entry has (settings.md
// 30): the stored ones without their link, and those linked only by their default
// where that default has another value.

// Unlink returns the changes that write out the colours linked to a palette
// entry. They go before the removal of the entry; Apply makes them by itself.
func (t *Tree) Unlink(env Env, id string) []Change {
	var out []Change
	for _, c := range unlinks(newView(t.node(), env), id) {
		out = append(out, Change{c.path, c.value.raw()})
	}
	return out
}

// links calls f for every colour that is linked to a palette entry: what stands there
// is the stored colour, that of a built-in list or, with byDefault, the default of one
// that is not set.
func links(v *view, id string, f func(s *Setting, keys []string, n *node, byDefault bool)) {
	linked := func(n *node) bool {
		link := n.get("paletteId")
		return link != nil && link.kind == text && link.str == id
	}
	var walk func(s *Setting, keys []string, n *node)
	walk = func(s *Setting, keys []string, n *node) {
		switch {
		case s.Type == Object && (n != nil || s.presence == nil):
			for _, f := range s.children {
				walk(f, keys, n.get(f.name))
			}
		case s.Type == Items:
			if n == nil {
				n = v.builtIn(s)
			}
			if n == nil || n.kind != list {
				return
			}
			for i, k := range itemKeys(n, s.Key) {
				if n.kids[i].kind != object {
					continue
				}
				inner := append(keys[:len(keys):len(keys)], k)
				for _, f := range s.children {
					walk(f, inner, n.kids[i].get(f.name))
				}
			}
		case s.Type == Color && n != nil:
			if linked(n) {
				f(s, keys, n, false)
			}
		case s.Type == Color && s.Follows == "" && s.FollowsAbout == "":
			if d := s.defaultAt(keys); linked(d) {
				f(s, keys, d, true)
			}
		}
	}
	for _, s := range schema().roots {
		if s.name != "colorPalette" {
			walk(s, nil, v.root.get(s.name))
		}
	}
}

// unlinks are those changes, located.
func unlinks(v *view, id string) (out []edit) {
	links(v, id, func(s *Setting, keys []string, n *node, byDefault bool) {
		plain := v.linked(n).without("paletteId")
		// In a built-in list the colour stands written already.
		if (byDefault || v.literal(s, keys, false) == nil) && plain.equal(n.without("paletteId")) {
			return
		}
		if p, ok := locate(s.pathOf(keys)); ok {
			out = append(out, edit{p: p, path: canonicalPath(p), value: plain})
		}
	})
	return out
}

// Uses are the settings that have the colour of a palette entry, each with its section
// and label.
func (p *Panel) Uses(id string) (out []Field) {
	links(p.now, id, func(s *Setting, keys []string, _ *node, _ bool) {
		label := s.Label
		if s.Section != nil {
			label = s.Section.Label + " › " + label
		}
		out = append(out, Field{Path: s.pathOf(keys), Label: label})
	})
	return out
}

// unlinked writes out what is linked to the palette entries that a change takes
// away, and remembers those changes.
func (e *editor) unlinked(before, after *node) *node {
	was, is := newView(before, e.env), newView(after, e.env)
	for _, id := range itemKeys(was.palette, "id") {
		if findItem(is.palette, "id", id) != nil {
			continue
		}
		old := *is
		old.palette = was.palette
		for _, c := range unlinks(&old, id) {
			c.order = e.order
			e.extra = append(e.extra, c)
			if out := e.putField(nil, after, c.p.steps, nil, c.path, c.value, nil); out != nil {
				after = out
			}
		}
	}
	return after
}

// Recoloured is a tree whose palette entries have other values, as a part or a
// section gives them (settings.md 11, 18): every colour linked to them follows.
// Ids the palette does not have and values that are no colours are passed over.
func Recoloured(t *Tree, env Env, values map[string]string) *Tree {
	v := newView(t.node(), env)
	if v.palette == nil || v.palette.kind != list {
		return t
	}
	out := &node{kind: list}
	changed := false
	for _, it := range v.palette.kids {
		if hex, ok := values[keyText(it, "id")]; ok && it.kind == object {
			if c, ok := toColor(strNode(hex), v.palette); ok {
				it, changed = it.with("value", c), true
			}
		}
		out.kids = append(out.kids, it)
	}
	if !changed {
		return t
	}
	return newTree(t.node().with("colorPalette", out))
}
