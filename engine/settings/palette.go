package settings

// Unlink returns the changes that write out every stored colour linked to a
// palette entry as the entry's value, without the link. They go before the
// removal of the entry (settings.md 30). Colours linked only by default take
// their default's own value once the entry is gone.
func (t *Tree) Unlink(env Env, id string) []Change {
	v := newView(t.node(), env)
	var out []Change
	var walk func(s *Setting, keys []string, n *node)
	walk = func(s *Setting, keys []string, n *node) {
		switch {
		case n == nil:
		case s.Type == Object:
			for _, f := range s.children {
				walk(f, keys, n.get(f.name))
			}
		case s.Type == Items && n.kind == list:
			for i, k := range itemKeys(n, s.Key) {
				inner := append(keys[:len(keys):len(keys)], k)
				for _, f := range s.children {
					walk(f, inner, n.kids[i].get(f.name))
				}
			}
		case s.Type == Color:
			if link := n.get("paletteId"); link != nil && link.kind == text && link.str == id {
				out = append(out, Change{s.pathOf(keys), v.linked(n).without("paletteId").raw()})
			}
		}
	}
	for _, s := range schema().roots {
		walk(s, nil, t.node().get(s.name))
	}
	return out
}
