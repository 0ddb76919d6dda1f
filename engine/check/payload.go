package check

import (
	"encoding/json"
	"strings"

	"postext/engine/frame"
)

// Fields of a payload are kept as text (frame.Field); here is what they are in
// JSON.

// numbers are the fields that hold one, lists those that hold JSON.
var (
	numbers = words("ratio threshold minimum from to level row col count weight lines scale overflowMm overlapPt renderedWidth bitmapWidth " +
		"columns widthPx elementIndex runLength")
	lists = words("variants")
)

// Value is a field as JSON.
func Value(f frame.Field) json.RawMessage {
	if (numbers[f.Key] || lists[f.Key]) && json.Valid([]byte(f.Value)) {
		return json.RawMessage(f.Value)
	}
	var v any = f.Value
	if f.Key == "characters" {
		v = strings.Split(f.Value, "")
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts always encode
	}
	return data
}
