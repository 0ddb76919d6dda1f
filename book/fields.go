package book

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// A field ties a member of a JSON object to the variable that holds it. One
// table of fields reads and writes a type, so that the two never differ, and
// members that are in no table are kept as they were written.
type field struct {
	key    string
	at     any  // pointer to the variable
	always bool // written even when it is zero
}

// readFields fills the variables of a table from a JSON object and returns the
// members that it does not name. A member that is null counts as absent. A value
// of another type than the variable's is an error that names the member.
func readFields(data []byte, fields []field) (extra object, err error) {
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, err
	}
members:
	for _, m := range o {
		if string(m.value) == "null" {
			continue
		}
		for _, f := range fields {
			if f.key == m.key {
				if err := json.Unmarshal(m.value, f.at); err != nil {
					return nil, fmt.Errorf("%s: %w", m.key, plainType(err))
				}
				continue members
			}
		}
		extra = append(extra, m)
	}
	return extra, nil
}

// plainType words a value of the wrong type without the names of Go types.
func plainType(err error) error {
	e, ok := err.(*json.UnmarshalTypeError)
	if !ok {
		return err
	}
	want := map[reflect.Kind]string{
		reflect.String: "a text", reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Int64: "a whole number",
		reflect.Float64: "a number", reflect.Slice: "a list", reflect.Struct: "an object", reflect.Map: "an object", reflect.Pointer: "an object",
	}[e.Type.Kind()]
	if want == "" {
		return err
	}
	return fmt.Errorf("it is a %s, not %s", e.Value, want)
}

// writeFields is the JSON object of a table: what is not zero, in the table's
// order, and after it the members kept.
func writeFields(fields []field, extra object) ([]byte, error) {
	var o object
	for _, f := range fields {
		v := reflect.ValueOf(f.at).Elem()
		if !f.always && (v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0) {
			continue
		}
		text, err := marshal(f.at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.key, err)
		}
		o = append(o, member{f.key, text})
	}
	return append(o, extra...).MarshalJSON()
}
