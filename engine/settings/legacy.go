package settings

import "slices"

// modern rewrites the old shapes a configuration may have (settings.md 2, 7.6):
// page.cutLines as a switch, and header and footer elements without placement.
func modern(root *node) *node {
	if c := root.get("page").get("cutLines"); c != nil && c.kind == boolean {
		root = root.with("page", root.get("page").with("cutLines", objNode("enabled", c)))
	}
	for _, slot := range [...]string{"header", "footer"} {
		l := root.get(slot).get("elements")
		if l == nil || l.kind != list {
			continue
		}
		kids := slices.Clone(l.kids)
		for i, it := range kids {
			kids[i] = placed(it, slot == "header")
		}
		root = root.with(slot, root.get(slot).with("elements", &node{kind: list, kids: kids}))
	}
	return root
}

// placed gives a flat element a placement: its alignment names the corner of the
// container nearest the text, its margins become offsets.
func placed(it *node, header bool) *node {
	kind := it.get("kind")
	if it.kind != object || it.get("placement") != nil || kind == nil || kind.str != "text" && kind.str != "rule" {
		return it
	}
	if it.get("align") == nil && it.get("marginFromBody") == nil && it.get("marginFromEdge") == nil && it.get("width") == nil {
		return it
	}
	edge, align := "top", ""
	if header {
		edge = "bottom"
	}
	if a := it.get("align"); a != nil {
		align = a.str
	}
	if align == "left" || align == "right" {
		edge += "-" + align
	}
	offset := func(name string, def float64, negative bool) *node {
		v, u := def, "pt"
		if n := it.get(name); n != nil {
			if l, ok := toLength(n, "pt"); ok {
				v, u, _ = readLength(l)
			}
		}
		if negative {
			v = -v
		}
		return lengthNode(v, u)
	}
	p := objNode("anchor", objNode("to", strNode("container"), "edge", strNode(edge)),
		"offset", objNode("x", offset("marginFromEdge", 0, align == "right"), "y", offset("marginFromBody", 6, header)))
	if w := it.get("width"); w != nil {
		if w.kind == text && w.str == "full" {
			w = strNode("fill")
		}
		p = p.with("size", objNode("width", w))
	}
	return it.without("marginFromBody").without("marginFromEdge").without("width").with("placement", p)
}
