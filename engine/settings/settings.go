// Package settings knows every setting of a book: its path, type, unit, default,
// range, what it follows when unset, and where the Design panel shows it.
//
// One table (the rows of page.go, body.go, … assembled by schema.go) drives
// everything: reading and writing a stored configuration by path (Tree),
// filling in what is not written (Effective), turning it into the typed Design
// the layout reads (Resolve), searching (Find), checking foreign files
// (Validate) and describing the file format (JSONSchema). The catalogue it
// follows is settings.md.
//
// A stored configuration is sparse: an absent key means "default or inherited",
// never "off". Trees are values in a canonical form, so that equal
// configurations have equal bytes:
//
//   - keys are sorted, with what tells a list item apart (level, id, kind, name)
//     first; numbers and strings are written one way;
//   - values equal to a fixed default are not stored, nor are empty objects;
//     fields whose default is inherited or depends on the language stay;
//   - a list that only repeats the built-in one is not stored;
//   - keys the table does not have are kept as they are.
//
// Every change can be taken back: Apply reports for each change a path and the
// value stored there before, has tried that sending them back gives the same
// bytes, and climbs to the enclosing list where a single item could not do it.
package settings

import (
	"strings"
)

// Type is the form of a setting's value.
type Type uint8

// The types.
const (
	Length   Type = iota // {value, unit}; with words in Enum also those
	Number               // a number
	Integer              // a whole number
	Bool                 // true or false
	String               // any text
	Enum                 // one of Enum
	Color                // {hex, model, paletteId?, cmyk?}
	Family               // one font family
	Weight               // a font weight, 100 to 900
	Format               // a number format (settings.md 1.5)
	Parity               // page parity of a break
	List                 // a list of values without fields of their own
	Items                // a list of objects, addressed by key or index
	Object               // an object whose fields are settings
	Free                 // an object kept as it is
	Mixed                // a number or a word, or a length or a number: see Enum
	AutoBool             // true, false or "auto"
	Any                  // any value: a key the table does not have
)

var typeNames = [...]string{"length", "number", "integer", "boolean", "string", "string", "colour",
	"font family", "number", "string", "string", "list", "list", "object", "object", "number or string", "boolean or string", "any"}

func (t Type) String() string { return typeNames[t] }

// Effect tells whether the engine uses a setting.
type Effect string

// The effects.
const (
	Implemented Effect = "implemented"
	Stored      Effect = "stored"
)

// Setting is one row of the table, expanded. It is immutable.
type Setting struct {
	// Path is the pattern: names joined by dots, "[]" after a list of items.
	Path string
	Type Type
	// Unit is what a bare number means: a unit of length, or a word in help
	// ("ppi", "× space").
	Unit string
	// Enum are the words allowed; for lengths and Mixed, words beside numbers.
	Enum []string
	// Bounds of numbers (and of a length's value).
	Bounds Bounds
	// Follows is the pattern whose value this takes when unset, with Factor.
	Follows string
	Factor  float64
	// FollowsAbout is said when the source is not a single setting.
	FollowsAbout string
	Label, About string
	Priority     int
	Effect       Effect
	// Why completes "it is kept and validated, but not used: it is …", of one that
	// is Stored.
	Why     string
	Section *Section
	// Key tells items of this list apart ("level", "id", "name"; "" by index).
	Key string

	def      *node     // written form; nil: none
	byLevel  *[6]*node // defaults of levels 1 to 6, where they differ
	keep     bool      // a stored value equal to the default is not dropped
	presence *node     // object whose mere presence means something: what {} stands for
	children []*Setting
	kids     map[string]*Setting
	name     string // last part of Path
	parent   *Setting
	// moves: its value, or one under it, can change without being written.
	moves bool
	depth int // lists of items above it: how many keys a place needs
	order int
}

// Bounds are the limits of a number. With Clamp a value outside is taken and
// clamped by the engine; without it is refused.
type Bounds struct {
	Min, Max         float64
	HasMin, HasMax   bool
	OpenMin, OpenMax bool
	Clamp            bool
}

// Contains reports whether v is within.
func (b Bounds) Contains(v float64) bool {
	if b.HasMin && (v < b.Min || b.OpenMin && v == b.Min) {
		return false
	}
	if b.HasMax && (v > b.Max || b.OpenMax && v == b.Max) {
		return false
	}
	return v == v
}

// String says the limits in words; "" when there are none.
func (b Bounds) String() string {
	num := func(v float64) string { return string(appendNumber(nil, v)) }
	var parts []string
	if b.HasMin && b.HasMax && !b.OpenMin && !b.OpenMax {
		return "from " + num(b.Min) + " to " + num(b.Max)
	}
	if b.HasMin {
		word := "at least "
		if b.OpenMin {
			word = "more than "
		}
		parts = append(parts, word+num(b.Min))
	}
	if b.HasMax {
		word := "at most "
		if b.OpenMax {
			word = "less than "
		}
		parts = append(parts, word+num(b.Max))
	}
	return strings.Join(parts, " and ")
}

// Default returns the fixed default in written form as JSON, or nil when there
// is none (a followed value, or simply nothing).
func (s *Setting) Default() []byte {
	if s.def == nil {
		return nil
	}
	return s.def.marshal(nil)
}

// Leaf reports whether the setting holds a value of its own rather than fields.
func (s *Setting) Leaf() bool { return s.Type != Object && s.Type != Items }

// Children are the fields of an object or of a list's items, in table order.
func (s *Setting) Children() []*Setting { return s.children }
