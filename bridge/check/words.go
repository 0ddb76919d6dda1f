package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"postext/bridge"
)

// fault is one sentence (without its full stop) about one place.
type fault struct {
	path []string
	text string
}

// wording is how faults are worded: listing is the Checker's Listing.
type wording struct{ listing string }

// faults turns the library's tree of errors into sentences, in the order of the
// places they speak of, one for each wrong value, missing or unknown parameter.
func (w wording) faults(tree *jsonschema.ValidationError, schema *jsonschema.Schema, value any) []string {
	var list []fault
	seen := map[string]bool{}
	add := func(path []string, text string) {
		if !seen[text] {
			seen[text] = true
			list = append(list, fault{path, text})
		}
	}
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		path := e.InstanceLocation
		at := within(schema, path)
		switch k := e.ErrorKind.(type) {
		case *kind.AdditionalProperties:
			names := slices.Sorted(slices.Values(k.Properties))
			add(append(slices.Clone(path), names[0]), w.unknown(names, path, at))
			return
		case *kind.Required:
			for _, p := range k.Missing {
				add(append(slices.Clone(path), p), w.missing(append(slices.Clone(path), p), within(schema, append(slices.Clone(path), p))))
			}
			return
		case *kind.AnyOf, *kind.OneOf, *kind.Not:
			// A host's own schema: the branches' complaints contradict one another.
			add(path, where(path)+" has none of the forms it may have")
			return
		case *kind.Type, *kind.Enum, *kind.Const, *kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum,
			*kind.MinLength, *kind.MaxLength, *kind.MultipleOf, *kind.Pattern, *kind.FalseSchema, *kind.Format:
			add(path, w.wrong(path, at, get(value, path)))
			return
		case *kind.MinItems:
			add(path, fmt.Sprintf("%s must have at least %d entries, not %d", where(path), k.Want, k.Got))
			return
		case *kind.MaxItems:
			add(path, fmt.Sprintf("%s may have at most %d entries, not %d", where(path), k.Want, k.Got))
			return
		}
		if len(e.Causes) == 0 {
			add(path, where(path)+" does not have the form it must have")
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(tree)
	slices.SortStableFunc(list, func(a, b fault) int { return cmp.Or(comparePaths(a.path, b.path), cmp.Compare(a.text, b.text)) })
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = capital(f.text)
	}
	return out
}

// capital begins a sentence, unless it begins with a parameter.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if strings.HasPrefix(s, "there is ") || strings.HasPrefix(s, "there are ") || strings.HasPrefix(s, "the arguments") {
		return string(unicode.ToUpper(first)) + s[size:]
	}
	return s
}

func comparePaths(a, b []string) int {
	for i := range min(len(a), len(b)) {
		x, errX := strconv.Atoi(a[i])
		y, errY := strconv.Atoi(b[i])
		c := cmp.Compare(a[i], b[i])
		if errX == nil && errY == nil {
			c = cmp.Compare(x, y)
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// where writes a place as a caller would: edits[1].find.
func where(path []string) string {
	if len(path) == 0 {
		return "the arguments object"
	}
	var b strings.Builder
	for i, p := range path {
		if _, err := strconv.Atoi(p); err == nil && i > 0 {
			b.WriteString("[" + clip(p) + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(clip(p))
	}
	return b.String()
}

// clip bounds a caller's word and takes control characters out of it.
func clip(s string) string {
	if s == "" {
		return s
	}
	q := bridge.Quote(s)
	return q[1 : len(q)-1]
}

// unknown says of parameters that there are not which were meant and which there are.
func (w wording) unknown(wrong []string, path []string, at *jsonschema.Schema) string {
	in := ""
	if len(path) > 0 {
		in = " in " + where(path)
	}
	names := parameters(at)
	meant := make([]string, 0, len(wrong))
	for _, n := range wrong[:min(len(wrong), maxFaults)] {
		said := bridge.Quote(n)
		if near, ok := bridge.Closest(n, names); ok && len(wrong) > 1 {
			said += " (did you mean " + near + "?)"
		}
		meant = append(meant, said)
	}
	s := "there is no parameter " + meant[0] + in
	if len(wrong) > 1 {
		s = "there are no parameters " + strings.Join(meant, ", ")
		if more := len(wrong) - len(meant); more > 0 {
			s += fmt.Sprintf(" and %d others", more)
		}
		s += in
	}
	if len(names) == 0 {
		if len(path) == 0 {
			return s + ": the tool takes none"
		}
		return s + ": it takes none"
	}
	names = bridge.Nearest(wrong[0], names)
	if near, ok := bridge.Closest(wrong[0], names); ok && len(wrong) == 1 {
		s += "; did you mean " + near + "?"
	} else {
		s += "."
	}
	return s + " The parameters" + in + " are " + bridge.Choices(names, w.listing)
}

func parameters(at *jsonschema.Schema) []string {
	if at == nil {
		return nil
	}
	names := make([]string, 0, len(at.Properties))
	for n := range at.Properties {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func (w wording) missing(path []string, at *jsonschema.Schema) string {
	s := where(path) + " is missing"
	if what := w.mustBe(at); what != "" {
		s += ": it must be " + what
	}
	return s
}

func (w wording) wrong(path []string, at *jsonschema.Schema, got any) string {
	what := w.mustBe(at)
	if what == "" {
		return where(path) + " cannot be " + given(got)
	}
	s := where(path) + " must be " + what + ", not " + given(got)
	if text, ok := got.(string); ok && at.Enum != nil {
		if near, ok := bridge.Closest(text, texts(at.Enum.Values)); ok {
			s += "; did you mean " + strconv.Quote(near) + "?"
		}
	}
	return s
}

func texts(values []any) []string {
	var list []string
	for _, v := range values {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// mustBe says what a value must be, "" when anything goes.
func (w wording) mustBe(s *jsonschema.Schema) string {
	if s == nil {
		return ""
	}
	if s.Enum != nil {
		var list []string
		for _, v := range s.Enum.Values {
			list = append(list, given(v))
		}
		return "one of " + bridge.Choices(list, w.listing)
	}
	if s.Const != nil {
		return given(*s.Const)
	}
	if s.Types == nil {
		return ""
	}
	var kinds []string
	for _, t := range s.Types.ToStrings() {
		switch t {
		case "integer":
			kinds = append(kinds, "a whole number"+numberRange(s))
		case "number":
			kinds = append(kinds, "a number"+numberRange(s))
		case "string":
			kinds = append(kinds, "a text"+textRange(s))
		case "boolean":
			kinds = append(kinds, "true or false")
		case "array":
			kinds = append(kinds, "a list"+w.of(s))
		case "object":
			kinds = append(kinds, "an object"+w.with(s))
		case "null":
			kinds = append(kinds, "null")
		}
	}
	return strings.Join(kinds, " or ")
}

// of says what a list holds, where that is objects of its own form.
func (w wording) of(list *jsonschema.Schema) string {
	item := list.Items2020
	if item == nil || item.Types == nil || len(item.Properties) == 0 || len(item.Types.ToStrings()) != 1 {
		return ""
	}
	return " of objects" + w.with(item)
}

func (w wording) with(s *jsonschema.Schema) string {
	names := parameters(s)
	if len(names) == 0 {
		return ""
	}
	return " with " + bridge.Choices(names, w.listing)
}

func numberRange(s *jsonschema.Schema) string {
	var r string
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		r = " from " + number(s.Minimum) + " to " + number(s.Maximum)
	case s.Minimum != nil:
		r = " of at least " + number(s.Minimum)
	case s.Maximum != nil:
		r = " of at most " + number(s.Maximum)
	}
	if s.ExclusiveMinimum != nil {
		r += " above " + number(s.ExclusiveMinimum)
	}
	if s.ExclusiveMaximum != nil {
		r += " below " + number(s.ExclusiveMaximum)
	}
	if s.MultipleOf != nil {
		r += " in steps of " + number(s.MultipleOf)
	}
	return r
}

func textRange(s *jsonschema.Schema) string {
	var r string
	switch {
	case s.MinLength != nil && s.MaxLength != nil:
		r = fmt.Sprintf(" of %d to %d characters", *s.MinLength, *s.MaxLength)
	case s.MinLength != nil && *s.MinLength == 1:
		r = " that is not empty"
	case s.MinLength != nil:
		r = fmt.Sprintf(" of at least %d characters", *s.MinLength)
	case s.MaxLength != nil:
		r = fmt.Sprintf(" of at most %d characters", *s.MaxLength)
	}
	if s.Pattern != nil {
		r += " of the form " + s.Pattern.String()
	}
	return r
}

func number(r *big.Rat) string {
	if r.IsInt() {
		if s := r.Num().String(); len(s) <= 12 {
			return s
		}
	}
	f, _ := r.Float64()
	return bridge.ShortNumber(f)
}

// given shows a value in a few words.
func given(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return bridge.Quote(v)
	case json.Number:
		if f, err := v.Float64(); err == nil && len(v) > 12 {
			return bridge.ShortNumber(f)
		}
		return clip(string(v))
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return clip(fmt.Sprint(v))
}

// within finds the schema of the place the path names; nil when the schema does
// not speak of it.
func within(s *jsonschema.Schema, path []string) *jsonschema.Schema {
	for _, p := range path {
		for s != nil && s.Ref != nil {
			s = s.Ref
		}
		if s == nil {
			return nil
		}
		if child, ok := s.Properties[p]; ok {
			s = child
			continue
		}
		i, err := strconv.Atoi(p)
		switch {
		case err == nil && i < len(s.PrefixItems):
			s = s.PrefixItems[i]
		case err == nil && s.Items2020 != nil:
			s = s.Items2020
		default:
			more, _ := s.AdditionalProperties.(*jsonschema.Schema)
			s = more
		}
	}
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	return s
}

// get finds the value at the path.
func get(v any, path []string) any {
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[p]
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}
