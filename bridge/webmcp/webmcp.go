// Package webmcp gives a page's tools to agents by two doors: document.modelContext
// where the browser has it (WebMCP, a moving draft: spec webmcp-api.md), and
// window.postextWebMcp always. Both are thin: they take the arguments apart,
// hand the call to the one bridge.Registry, and put the answer into JavaScript.
//
// What holds at both doors:
//
//   - An answer is always a plain object with well-formed strings. Nothing is
//     thrown or rejected, except an AbortError after the caller's signal fired.
//   - Calls are looked up, checked and handed on within the caller's own turn of
//     the event loop, so that they start in the order in which they were made.
//   - A panic in a callback is recovered: it becomes "internal error <id>" and
//     an entry in the console.
//   - Properties of objects that page scripts made are read through Reflect.get:
//     a getter that throws would otherwise end the Go program.
//
// The two differ only in this: document.modelContext adds "isError":true to
// refusals.
//
// Tools come and go in sets (the page's, the Sandbox's, a host's). A set is
// registered within one tick under one AbortController; withdrawing it takes it
// off both doors at once and answers its calls under way with a refusal.
package webmcp

import "encoding/json"

// answerSchema describes every answer, for browsers that take an outputSchema.
const answerSchema = `{"type":"object","properties":{"ok":{"type":"boolean"},"error":{"type":"string"}}}`

// reduced cuts an argument schema down to property names, single types and
// descriptions, for a browser that refuses the full one: the arguments are
// checked here in any case.
func reduced(schema json.RawMessage) ([]byte, error) {
	var full struct {
		Properties map[string]struct {
			Type        any    `json:"type"`
			Description string `json:"description"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(schema, &full); err != nil {
		return nil, err
	}
	props := map[string]any{}
	for name, p := range full.Properties {
		one := map[string]any{}
		if t, ok := p.Type.(string); ok {
			one["type"] = t
		}
		if p.Description != "" {
			one["description"] = p.Description
		}
		props[name] = one
	}
	return json.Marshal(map[string]any{"type": "object", "properties": props})
}
