package settings

// JSONSchema describes postext-config.json as a JSON Schema (2020-12), made
// from the table. Unknown keys are allowed: they are kept.
func JSONSchema() []byte {
	number, str := objNode("type", strNode("number")), objNode("type", strNode("string"))
	units := &node{kind: list}
	for _, u := range lengthUnits {
		units.kids = append(units.kids, strNode(u))
	}
	models := &node{kind: list}
	for _, m := range colorModels {
		models.kids = append(models.kids, strNode(m))
	}
	defs := objNode(
		"length", objNode("type", strNode("object"), "required", wordList("value", "unit"),
			"properties", objNode("value", number, "unit", objNode("enum", units))),
		"colour", objNode("type", strNode("object"), "required", wordList("hex", "model"),
			"properties", objNode("hex", str, "model", objNode("enum", models), "paletteId", str,
				"cmyk", objNode("type", strNode("object"), "required", wordList("c", "m", "y", "k")))))
	config := &node{kind: object}
	for _, s := range schema().roots {
		config = config.with(s.name, s.jsonSchema())
	}
	return objNode(
		"$schema", strNode("https://json-schema.org/draft/2020-12/schema"),
		"title", strNode("postext-config.json"),
		"type", strNode("object"),
		"required", wordList("type", "version", "config"),
		"properties", objNode(
			"type", objNode("const", strNode("postext-config")),
			"version", objNode("const", numNode(1)),
			"configVersion", objNode("type", strNode("integer")),
			"config", objNode("type", strNode("object"), "properties", config)),
		"$defs", defs).marshal(nil)
}

func wordList(names ...string) *node {
	out := &node{kind: list}
	for _, w := range names {
		out.kids = append(out.kids, strNode(w))
	}
	return out
}

func (s *Setting) jsonSchema() *node {
	var n *node
	ref := func(name string) *node { return objNode("$ref", strNode("#/$defs/"+name)) }
	typed := func(name string) *node { return objNode("type", strNode(name)) }
	either := func(alts ...*node) *node { return objNode("anyOf", &node{kind: list, kids: alts}) }
	switch s.Type {
	case Length:
		n = ref("length")
		if len(s.Enum) > 0 {
			n = either(n, objNode("enum", wordList(s.Enum...)))
		}
	case Color:
		n = ref("colour")
	case Number, Integer, Weight:
		n = typed("number")
		if s.Type == Integer {
			n = typed("integer")
		}
		b := s.Bounds
		for _, lim := range [...]struct {
			has, open    bool
			v            float64
			key, openKey string
		}{{b.HasMin, b.OpenMin, b.Min, "minimum", "exclusiveMinimum"}, {b.HasMax, b.OpenMax, b.Max, "maximum", "exclusiveMaximum"}} {
			switch {
			case !lim.has || b.Clamp:
			case lim.open:
				n = n.with(lim.openKey, numNode(lim.v))
			default:
				n = n.with(lim.key, numNode(lim.v))
			}
		}
	case Bool:
		n = typed("boolean")
	case AutoBool:
		n = either(typed("boolean"), objNode("const", strNode("auto")))
	case Enum, Parity:
		n = objNode("enum", wordList(s.Enum...))
	case Mixed:
		n = either(typed("number"), typed("string"), ref("length"))
	case List:
		n = typed("array")
	case Free:
		n = typed("object")
	case Object, Items:
		fields := &node{kind: object}
		for _, f := range s.children {
			fields = fields.with(f.name, f.jsonSchema())
		}
		n = objNode("type", strNode("object"), "properties", fields)
		if s.name == "dropCap" {
			n = either(n, objNode("const", boolNode(false)))
		}
		if s.Type == Items {
			if s.Key != "" && s.name != "elements" {
				n = n.with("required", wordList(s.Key))
			}
			n = objNode("type", strNode("array"), "items", n)
		}
	default:
		n = typed("string")
	}
	if s.About != "" {
		n = n.with("description", strNode(s.About))
	}
	if s.def != nil && s.Leaf() {
		n = n.with("default", s.def)
	}
	return n
}
