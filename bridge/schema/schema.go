// Package schema derives the JSON Schema (2020-12) of a tool's arguments from
// the Go type of its arguments, and writes the listing of tools that the page
// embeds. It runs natively, in tests and under go generate; browser programs
// read the listing instead.
//
// The published schemas keep to the few keywords of tools.md 1 ("Schemas"): a
// general library gives more ($ref, $defs, formats, nullable lists of types)
// and in an order of its own, so that more code would be needed to cut its
// answer down than to write the subset. Keys always come in one order, fields
// in the order of the struct: equal types give equal bytes.
//
// Tags of a field:
//
//	json:"name,omitempty"   the parameter's name; it is required unless it has
//	                        omitempty or omitzero, is a pointer, or has a default
//	doc:"…"                 description, at most 150 characters
//	enum:"a,b"              the allowed values
//	min:"1" max:"8"         range of a number, both ends allowed
//	minLen:"1" maxLen:"80"  length of a text in characters
//	default:"…"             what a missing value means, as JSON or plain text; false
//	                        goes without saying
//	types:"integer,string"  the type or types, whatever the Go type is
//	any:"true"              a value of any type: no "type"
//	free:"true"             an object with keys of any name
//
// Tags of a slice field other than doc and default speak of its elements.
// Structs are closed objects, maps free ones. A type that reads its own JSON
// must say what it takes: by a tag, or by a method SchemaJSON() string that
// gives its schema within the subset.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"postext/bridge"
)

// maxDoc is the budget of a parameter's description (webmcp-api.md 14).
const maxDoc = 150

// Keywords are the keywords a published schema may use.
var Keywords = [...]string{"type", "description", "enum", "default", "minimum", "maximum", "minLength", "maxLength",
	"properties", "required", "items", "additionalProperties"}

// node is one schema; its fields are in the order in which they are written.
type node struct {
	Type        any        `json:"type,omitempty"` // string or []string
	Description string     `json:"description,omitempty"`
	Enum        []any      `json:"enum,omitempty"`
	Default     any        `json:"default,omitempty"`
	Minimum     *float64   `json:"minimum,omitempty"`
	Maximum     *float64   `json:"maximum,omitempty"`
	MinLength   *int       `json:"minLength,omitempty"`
	MaxLength   *int       `json:"maxLength,omitempty"`
	Properties  properties `json:"properties,omitzero"`
	Required    []string   `json:"required,omitempty"`
	Items       *node      `json:"items,omitempty"`
	Additional  *bool      `json:"additionalProperties,omitempty"`

	own string // the text of a type's SchemaJSON, in place of all but Description
}

// properties keeps the order of the fields; nil is written as nothing, an
// empty list as {}.
type properties []property

type property struct {
	name   string
	schema *node
}

func (p properties) IsZero() bool { return p == nil }

func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := encode(one.name)
		if err != nil {
			return nil, err
		}
		value, err := encode(one.schema)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (n *node) MarshalJSON() ([]byte, error) {
	if n.own == "" {
		type plain node
		return encode((*plain)(n))
	}
	if n.Description == "" {
		return []byte(n.own), nil
	}
	doc, err := encode(n.Description)
	if err != nil {
		return nil, err
	}
	rest := strings.TrimSpace(n.own)[1:]
	if strings.TrimSpace(rest) != "}" {
		rest = "," + rest
	}
	return []byte(`{"description":` + string(doc) + rest), nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// For gives the schema of a tool's arguments: the one it carries, or the one
// derived from its Args type. A tool without either takes no arguments.
func For(t bridge.Tool) (json.RawMessage, error) {
	if t.Schema != nil {
		return t.Schema, nil
	}
	root := &node{Type: "object", Properties: properties{}, Additional: closed()}
	if t.Args != nil {
		at := reflect.TypeOf(t.Args)
		for at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
		if at.Kind() != reflect.Struct {
			return nil, fmt.Errorf("tool %s: the arguments must be a struct, not %s", t.Name, at)
		}
		var err error
		if root, err = object(at, nil); err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
	}
	text, err := encode(root)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.Name, err)
	}
	return text, nil
}

func closed() *bool { no := false; return &no }

// object makes the closed object of a struct. path holds the structs it is
// inside of: a type that contains itself has no finite schema in the subset.
func object(t reflect.Type, path []reflect.Type) (*node, error) {
	if slices.Contains(path, t) {
		return nil, fmt.Errorf("%s contains itself; give the field types or free", t)
	}
	path = append(slices.Clone(path), t)
	n := &node{Type: "object", Properties: properties{}, Additional: closed()}
	if err := fields(n, t, path); err != nil {
		return nil, err
	}
	return n, nil
}

func fields(n *node, t reflect.Type, path []reflect.Type) error {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" && options == "" {
			continue
		}
		ft := f.Type
		if f.Anonymous && name == "" {
			for ft.Kind() == reflect.Pointer {
				ft = ft.Elem()
			}
			if ft.Kind() == reflect.Struct {
				if err := fields(n, ft, path); err != nil {
					return err
				}
				continue
			}
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		for _, p := range n.Properties {
			if p.name == name {
				return fmt.Errorf("%s: the parameter %s is there twice", t, name)
			}
		}
		child, err := value(ft, f.Tag, path)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		child.Description = f.Tag.Get("doc")
		if utf8.RuneCountInString(child.Description) > maxDoc {
			return fmt.Errorf("%s.%s: the doc is longer than %d characters", t, f.Name, maxDoc)
		}
		text, hasDefault := f.Tag.Lookup("default")
		if hasDefault {
			if child.Default, err = literal(text, child.Type); err != nil {
				return fmt.Errorf("%s.%s: default: %w", t, f.Name, err)
			}
			if child.Default == false {
				child.Default = nil // a switch is off unless it is said to be on
			}
		}
		n.Properties = append(n.Properties, property{name, child})
		optional := strings.Contains(","+options+",", ",omitempty,") || strings.Contains(","+options+",", ",omitzero,")
		if !optional && !hasDefault && f.Type.Kind() != reflect.Pointer {
			n.Required = append(n.Required, name)
		}
	}
	return nil
}

var (
	rawMessage  = reflect.TypeFor[json.RawMessage]()
	jsonNumber  = reflect.TypeFor[json.Number]()
	selfReading = reflect.TypeFor[json.Unmarshaler]()
	selfSchema  = reflect.TypeFor[interface{ SchemaJSON() string }]()
)

// value makes the schema of one field or element.
func value(t reflect.Type, tag reflect.StructTag, path []reflect.Type) (*node, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	n := &node{}
	switch {
	case tag.Get("any") == "true":
		return n, nil
	case tag.Get("types") != "" && !isList(t):
		types := strings.Split(tag.Get("types"), ",")
		if n.Type = types[0]; len(types) > 1 {
			n.Type = types
		}
		return n, limits(n, tag)
	case tag.Get("free") == "true" && !isList(t):
		n.Type = "object"
		return n, nil
	case t.Implements(selfSchema) || reflect.PointerTo(t).Implements(selfSchema):
		return own(t)
	case t == jsonNumber:
		n.Type = "number"
		return n, limits(n, tag)
	case t == rawMessage || t.Kind() == reflect.Interface || reflect.PointerTo(t).Implements(selfReading):
		return nil, fmt.Errorf("%s reads its own JSON: say what it takes by types, free, any or SchemaJSON", t)
	}
	switch t.Kind() {
	case reflect.Bool:
		n.Type = "boolean"
	case reflect.String:
		n.Type = "string"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n.Type = "integer"
	case reflect.Float32, reflect.Float64:
		n.Type = "number"
	case reflect.Map:
		n.Type = "object"
		return n, nil
	case reflect.Struct:
		return object(t, path)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			n.Type = "string" // bytes travel as base64
			return n, nil
		}
		item, err := value(t.Elem(), tag, path)
		if err != nil {
			return nil, err
		}
		n.Type = "array"
		if !reflect.DeepEqual(item, &node{}) {
			n.Items = item
		}
		return n, nil
	default:
		return nil, fmt.Errorf("%s has no JSON form", t)
	}
	return n, limits(n, tag)
}

func isList(t reflect.Type) bool {
	return (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem().Kind() != reflect.Uint8
}

// own takes the schema a type gives of itself and holds it to the subset.
func own(t reflect.Type) (*node, error) {
	text := reflect.New(t).Interface().(interface{ SchemaJSON() string }).SchemaJSON()
	if err := InSubset([]byte(text)); err != nil {
		return nil, fmt.Errorf("SchemaJSON of %s: %w", t, err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		return nil, fmt.Errorf("SchemaJSON of %s: %w", t, err)
	}
	return &node{own: b.String()}, nil
}

// limits reads the tags that bound a value.
func limits(n *node, tag reflect.StructTag) error {
	if text := tag.Get("enum"); text != "" {
		for _, one := range strings.Split(text, ",") {
			v, err := literal(one, n.Type)
			if err != nil {
				return fmt.Errorf("enum: %w", err)
			}
			n.Enum = append(n.Enum, v)
		}
	}
	for key, to := range map[string]**float64{"min": &n.Minimum, "max": &n.Maximum} {
		if text := tag.Get(key); text != "" {
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			*to = &f
		}
	}
	for key, to := range map[string]**int{"minLen": &n.MinLength, "maxLen": &n.MaxLength} {
		if text := tag.Get(key); text != "" {
			i, err := strconv.Atoi(text)
			if err != nil || i < 0 {
				return fmt.Errorf("%s: %q is no length", key, text)
			}
			*to = &i
		}
	}
	return nil
}

// literal reads the text of a tag as a value of the type.
func literal(text string, typ any) (any, error) {
	switch typ {
	case "string":
		return text, nil
	case "boolean":
		return strconv.ParseBool(text)
	case "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err
	case "number":
		f, err := strconv.ParseFloat(text, 64)
		return f, err
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text), nil
	}
	return text, nil
}

// InSubset says what is wrong with a schema by the rules of tools.md 1: an
// unknown keyword, or an object that is neither closed nor free.
func InSubset(text []byte) error {
	var s any
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	return inSubset(s, "the schema")
}

func inSubset(s any, where string) error {
	m, ok := s.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is no object", where)
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if !slices.Contains(Keywords[:], k) {
			return fmt.Errorf("%s uses %s, which is outside the subset", where, k)
		}
	}
	extra, has := m["additionalProperties"]
	if has && extra != false {
		return fmt.Errorf("%s: additionalProperties may only be false", where)
	}
	if _, listed := m["properties"]; listed != has {
		return fmt.Errorf("%s: properties and additionalProperties:false go together", where)
	}
	if props, ok := m["properties"].(map[string]any); ok {
		names := make([]string, 0, len(props))
		for name := range props {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if err := inSubset(props[name], where+"."+name); err != nil {
				return err
			}
		}
	}
	if items, ok := m["items"]; ok {
		return inSubset(items, where+"[]")
	}
	return nil
}
