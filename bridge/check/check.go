// Package check holds the arguments of a call against its tool's JSON Schema
// and says in plain words everything that is wrong with them: which parameter,
// what it must be, which names and values there are. The caller reads neither
// JSON Schema's terms nor the library's.
//
// A schema is compiled once, on the first call of its tool. Before a value
// reaches the library it is bounded: nesting of 100 levels, numbers that a
// float64 can hold (the library computes with exact fractions, in which 1e999999999
// would fill the memory).
package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"postext/bridge"
)

// maxDepth is how deep arguments may be nested.
const maxDepth = 100

// maxFaults is how many faults one answer describes; the others are counted.
const maxFaults = 12

// Checker implements bridge.Checker. It is safe for concurrent use.
type Checker struct {
	// Sound is set, before the first call, where arguments are always JSON text
	// that JSON.stringify wrote: long texts in it need no look.
	Sound bool
	// Listing names the call that shows every tool with its parameters, for errors
	// that cannot name them all; "" names them all.
	Listing string

	schemaOf func(bridge.Tool) (json.RawMessage, error)

	mu       sync.Mutex
	compiled map[string]compiled // by tool name
}

type compiled struct {
	text   string       // the schema the tool carried
	args   reflect.Type // or the type it is derived from
	schema *jsonschema.Schema
	starts bool // startDecides
}

// New makes a checker. schemaOf gives a tool's schema: schema.For natively; nil
// takes the Schema that the tool carries.
func New(schemaOf func(bridge.Tool) (json.RawMessage, error)) *Checker {
	if schemaOf == nil {
		schemaOf = func(t bridge.Tool) (json.RawMessage, error) { return t.Schema, nil }
	}
	return &Checker{schemaOf: schemaOf, compiled: map[string]compiled{}}
}

// Compile makes the tool's schema ready, and says what is wrong with it.
func (c *Checker) Compile(t bridge.Tool) error {
	_, err := c.schema(t)
	return err
}

func (c *Checker) schema(t bridge.Tool) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	args := reflect.TypeOf(t.Args)
	if known, ok := c.compiled[t.Name]; ok && known.text == string(t.Schema) && known.args == args {
		return known.schema, nil
	}
	text, err := c.schemaOf(t)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		text = json.RawMessage(`{"type":"object"}`)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("the schema of %s is no JSON: %w", t.Name, err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	const url = "tool:arguments"
	if err := compiler.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", t.Name, err)
	}
	schema, err := compiler.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", t.Name, err)
	}
	c.compiled[t.Name] = compiled{text: string(t.Schema), args: args, schema: schema, starts: startDecides(doc)}
	return schema, nil
}

// noLoader refuses to fetch what a schema refers to: a tool reaches nothing
// outside itself.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not loaded", bridge.Quote(url))
}

// Check returns nil when args, a JSON object, fits, or a Refusal that names
// every fault.
func (c *Checker) Check(t bridge.Tool, args json.RawMessage) error {
	schema, err := c.schema(t)
	if err != nil {
		return err
	}
	looked := []byte(args)
	if c.startsDecide(t.Name) {
		looked = bridge.WithoutLongTexts(args, c.Sound)
	}
	value, err := read(t.Name, looked)
	if err != nil && len(looked) < len(args) {
		value, err = read(t.Name, args) // the fault's place is told in the whole
	}
	if err != nil {
		return err
	}
	if err := bounded(t.Name, value, nil); err != nil {
		return err
	}
	err = schema.Validate(value)
	if err == nil {
		return nil
	}
	var wrong *jsonschema.ValidationError
	if !errors.As(err, &wrong) {
		return fmt.Errorf("checking %s: %w", t.Name, err)
	}
	return refuse(t.Name, wording{c.Listing}.faults(wrong, schema, value))
}

// startsDecide tells of a compiled schema what compiled.starts says.
func (c *Checker) startsDecide(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.compiled[name].starts
}

// startDecides reports whether the first bridge.KeptText characters of a text
// decide whether it fits the schema, and in which words it does not: no keyword
// looks at the whole of it, no limit of length is beyond.
func startDecides(schema any) bool {
	switch v := schema.(type) {
	case map[string]any:
		for key, value := range v {
			switch key {
			case "pattern", "format", "uniqueItems":
				return false
			case "minLength", "maxLength":
				n, ok := value.(json.Number)
				if !ok {
					break // a property of that name
				}
				if limit, err := n.Float64(); err != nil || limit >= bridge.KeptText {
					return false
				}
			}
			if !startDecides(value) {
				return false
			}
		}
	case []any:
		for _, value := range v {
			if !startDecides(value) {
				return false
			}
		}
	case string: // of enum or const, perhaps
		return len(v) < bridge.KeptText
	}
	return true
}

// read decodes arguments. The error is a refusal.
func read(name string, args []byte) (value any, err error) {
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		return nil, unreadable(name, err)
	}
	if dec.More() {
		return nil, bridge.Refuse("the arguments of %s must be one object; more follows it", name)
	}
	return value, nil
}

func unreadable(name string, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		if strings.Contains(syntax.Error(), "max depth") {
			return bridge.Refuse("the arguments of %s are nested deeper than %d levels", name, maxDepth)
		}
		return bridge.Refuse("the arguments of %s are no JSON: the fault is at character %d", name, syntax.Offset)
	}
	return bridge.Refuse("the arguments of %s are no JSON: they end too early", name)
}

// bounded refuses what would cost too much to look at.
func bounded(name string, v any, path []string) error {
	if len(path) > maxDepth {
		return bridge.Refuse("the arguments of %s are nested deeper than %d levels, at %s", name, maxDepth, clip(where(path[:8])))
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if err := bounded(name, v[k], append(path, k)); err != nil {
				return err
			}
		}
	case []any:
		for i, e := range v {
			if err := bounded(name, e, append(path, strconv.Itoa(i))); err != nil {
				return err
			}
		}
	case json.Number:
		if !usable(string(v)) {
			return bridge.Refuse("%s of %s cannot be %s: a number is at most 1.8e308 and has at most 400 digits", where(path), name, clip(string(v)))
		}
	}
	return nil
}

// usable tells numbers the library can turn into a fraction cheaply.
func usable(n string) bool {
	if len(n) > 420 {
		return false
	}
	if _, err := strconv.ParseFloat(n, 64); err != nil {
		return false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(n), "e"); ok {
		e, err := strconv.Atoi(exponent)
		return err == nil && -400 <= e && e <= 400
	}
	return true
}

// refuse joins the faults into one answer.
func refuse(name string, list []string) error {
	list = append([]string{name + " was not started"}, list...)
	if more := len(list) - 1 - maxFaults; more > 1 {
		list = append(list[:1+maxFaults], fmt.Sprintf("… and %d more faults: mend these and call again, and the next are named", more))
	}
	return bridge.Refuse("%s", bridge.Sentences(list))
}
