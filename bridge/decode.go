package bridge

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
)

// decode reads arguments into the struct at into, with the defaults of its
// tags. What the schema let pass and the type cannot hold (5.5 for an integer
// of a call that nobody checked, 1e300) is refused in plain words.
func decode(name string, raw json.RawMessage, into any) error {
	if err := setDefaults(reflect.ValueOf(into).Elem()); err != nil {
		return err
	}
	if len(raw) == 0 {
		return nil
	}
	err := json.Unmarshal(wholeNumbers(raw), into)
	if err == nil {
		return nil
	}
	var no *Refusal
	if errors.As(err, &no) { // from a type's own UnmarshalJSON
		return no
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return Refuse("%s of %s must be %s", wrong.Field, name, plainType(wrong.Type))
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

// setDefaults fills the plain fields that carry a default tag.
func setDefaults(v reflect.Value) error {
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if !field.IsExported() {
			continue
		}
		if f.Kind() == reflect.Struct {
			if err := setDefaults(f); err != nil {
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
