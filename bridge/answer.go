package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Answer is one answer as JSON text: an object whose first key is "ok".
type Answer struct {
	JSON    json.RawMessage
	Refused bool // "ok" is false
}

// String gives the JSON text.
func (a Answer) String() string { return string(a.JSON) }

// WithIsError gives the answer as document.modelContext and MCP carry it: a
// refusal with "isError":true added, anything else unchanged.
func (a Answer) WithIsError() Answer {
	if !a.Refused {
		return a
	}
	return Answer{JSON: append([]byte(`{"isError":true,`), a.JSON[1:]...), Refused: true}
}

// Succeed shapes what a tool returned: "ok":true is put first into the JSON
// object it marshals to (nil is the empty object). An Answer, or an object that
// has "ok" already, passes as it is. A value that is no object is a bug.
func Succeed(value any) (Answer, error) {
	if a, ok := value.(Answer); ok {
		return a, nil
	}
	if value == nil {
		return Answer{JSON: json.RawMessage(`{"ok":true}`)}, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return Answer{}, fmt.Errorf("the answer cannot be written as JSON: %w", err)
	}
	return shape(bytes.TrimSpace(buf.Bytes()))
}

// Passed takes an answer that came as JSON text from elsewhere (the worker, a
// host's tool) by the same rules as Succeed.
func Passed(text []byte) (Answer, error) {
	text = bytes.TrimSpace(text)
	if !json.Valid(text) {
		return Answer{}, fmt.Errorf("the answer is not JSON: %s", Quote(string(text[:min(len(text), 200)])))
	}
	return shape(text)
}

func shape(text []byte) (Answer, error) {
	text = WellFormedJSON(text)
	if len(text) < 2 || text[0] != '{' {
		return Answer{}, fmt.Errorf("the answer is not a JSON object: %s", Quote(string(text[:min(len(text), 200)])))
	}
	if bytes.HasPrefix(text, []byte(`{"ok":true`)) {
		return Answer{JSON: text}, nil
	}
	if bytes.HasPrefix(text, []byte(`{"ok":false`)) {
		return Answer{JSON: text, Refused: true}, nil
	}
	if bytes.Contains(text, []byte(`"ok"`)) { // perhaps deeper, perhaps in a string: look properly
		var head struct {
			OK *bool `json:"ok"`
		}
		if err := json.Unmarshal(text, &head); err != nil {
			return Answer{}, fmt.Errorf("the answer's ok is not true or false: %w", err)
		}
		if head.OK != nil {
			return Answer{JSON: text, Refused: !*head.OK}, nil
		}
	}
	if string(bytes.TrimSpace(text[1:len(text)-1])) == "" {
		return Answer{JSON: json.RawMessage(`{"ok":true}`)}, nil
	}
	return Answer{JSON: append([]byte(`{"ok":true,`), text[1:]...)}, nil
}

// Refused shapes a refusal with the given words.
func Refused(message string) Answer {
	if message == "" {
		message = "the call was refused"
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	// A struct of two plain fields always encodes.
	if err := enc.Encode(struct {
		OK    bool   `json:"ok"`
		Error string `json:"error"`
	}{false, message}); err != nil {
		return Answer{JSON: json.RawMessage(`{"ok":false,"error":"the call was refused"}`), Refused: true}
	}
	return Answer{JSON: WellFormedJSON(bytes.TrimSpace(buf.Bytes())), Refused: true}
}
