package bridge

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
)

// decode reads arguments into the struct at into, with the defaults of its
// tags. What the schema let pass and the type cannot hold (5.5 for an integer
// of a call that nobody checked, 1e300) is refused in plain words.
func decode(name string, raw json.RawMessage, into any) error {
	raw = wholeNumbers(raw)
	if err := setDefaults(reflect.ValueOf(into).Elem(), raw); err != nil {
		return err
	}
	if len(raw) == 0 {
		return nil
	}
	err := json.Unmarshal(raw, into)
	if err == nil {
		return nil
	}
	var no *Refusal
	if errors.As(err, &no) { // from a type's own UnmarshalJSON
		return no
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return Refuse("%s of %s must be %s", parameter(reflect.TypeOf(into), wrong.Field), name, plainType(wrong.Type))
	}
	return Refuse("the arguments of %s cannot be read as JSON", name)
}

func plainType(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number of reasonable size"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	}
	return "an object"
}

// wholeNumbers rewrites numbers such as 5.0 and 2e3 as 5 and 2000: JSON Schema
// calls them integers, encoding/json does not.
func wholeNumbers(raw []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(raw); {
		c := raw[i]
		if c == '"' {
			i = stringEnd(raw, i)
			continue
		}
		if c != '-' && (c < '0' || c > '9') {
			i++
			continue
		}
		end, plain := i+1, true
		for end < len(raw) {
			d := raw[end]
			if d == '.' || d == 'e' || d == 'E' || d == '+' || d == '-' {
				plain = false
			} else if d < '0' || d > '9' {
				break
			}
			end++
		}
		if !plain {
			if f, err := strconv.ParseFloat(string(raw[i:end]), 64); err == nil && f == float64(int64(f)) && f > -1<<53 && f < 1<<53 {
				out = append(out, raw[copied:i]...)
				out = strconv.AppendInt(out, int64(f), 10)
				copied = end
			}
		}
		i = end
	}
	if out == nil {
		return raw
	}
	return append(out, raw[copied:]...)
}

// parameter writes the field encoding/json complains of as a caller knows it:
// without the names of embedded structs.
func parameter(t reflect.Type, field string) string {
	var names []string
	for part := range strings.SplitSeq(field, ".") {
		for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
			t = t.Elem()
		}
		var next reflect.Type
		embedded := false
		if t != nil && t.Kind() == reflect.Struct {
			for i := range t.NumField() {
				f := t.Field(i)
				tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if tag == part || tag == "" && f.Name == part {
					next, embedded = f.Type, f.Anonymous && tag == ""
					break
				}
			}
		}
		if t = next; !embedded {
			names = append(names, part)
		}
	}
	return strings.Join(names, ".")
}

// setDefaults fills the plain fields that carry a default tag. An optional
// object that raw holds is made, so that its fields can have theirs too.
func setDefaults(v reflect.Value, raw json.RawMessage) error {
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if !field.IsExported() && !field.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case f.Kind() == reflect.Struct && field.Anonymous && name == "":
			if err := setDefaults(f, raw); err != nil {
				return err
			}
			continue
		case f.Kind() == reflect.Struct:
			if hasDefaults(f.Type()) {
				if err := setDefaults(f, member(raw, name)); err != nil {
					return err
				}
			}
			continue
		case f.Kind() == reflect.Pointer && hasDefaults(f.Type().Elem()) && f.CanSet():
			inner := member(raw, name)
			if len(inner) == 0 || inner[0] != '{' {
				continue
			}
			f.Set(reflect.New(f.Type().Elem()))
			if err := setDefaults(f.Elem(), inner); err != nil {
				return err
			}
			continue
		}
		text, ok := field.Tag.Lookup("default")
		if !ok {
			continue
		}
		var err error
		switch f.Kind() {
		case reflect.Bool:
			var b bool
			b, err = strconv.ParseBool(text)
			f.SetBool(b)
		case reflect.String:
			f.SetString(text)
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			var n int64
			n, err = strconv.ParseInt(text, 10, 64)
			f.SetInt(n)
		case reflect.Float32, reflect.Float64:
			var n float64
			n, err = strconv.ParseFloat(text, 64)
			f.SetFloat(n)
		}
		if err != nil {
			return errors.New("the default of " + field.Name + " does not fit its type: " + text)
		}
	}
	return nil
}

// hasDefaults tells whether a struct, or one inside it, has a default tag.
func hasDefaults(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if _, ok := f.Tag.Lookup("default"); ok {
			return true
		}
		for f.Type.Kind() == reflect.Pointer {
			f.Type = f.Type.Elem()
		}
		if f.Type != t && hasDefaults(f.Type) {
			return true
		}
	}
	return false
}

// member is one value of the object raw, nil when it is not there. What is wrong
// with raw is told by reading it.
func member(raw json.RawMessage, name string) json.RawMessage {
	var m map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m[name]
}
