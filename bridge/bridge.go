// Package bridge says what a tool is and how a call becomes an answer, whatever
// door it comes through: WebMCP, the window handle, MCP or the command line.
//
// A tool is declared once, as a Go value with typed arguments. Answers are JSON
// objects: {"ok":true, …} or {"ok":false,"error":"…"} (tools.md 1). A tool's
// function returns an ordinary error built by Refuse for everything the caller
// can mend; any other error or a panic becomes "internal error <id>" and a log
// entry that explains it.
package bridge

import (
	"context"
	"encoding/json"
	"fmt"
)

// Version is that of the tools, which window.postextWebMcp.version tells.
const Version = "0.1.0"

// Hints tell an agent what a tool does to the world.
type Hints struct {
	ReadOnly      bool `json:"readOnlyHint"`
	Consequential bool `json:"consequentialHint"`
	Untrusted     bool `json:"untrustedContentHint"`
}

// Tool is one tool.
type Tool struct {
	Name        string
	Title       string
	Description string
	Hints       Hints
	// Args is the zero value of the argument type; its fields' tags give the
	// schema (package bridge/schema): `json:"name,omitempty"`,
	// `doc:"…"`, `enum:"a,b"`, `min:"1" max:"8"`, `default:"…"`, `types:"integer,string"`.
	Args any
	// Schema is the JSON Schema of the arguments of a tool that has no Args type:
	// one read from a listing, or a host page's own.
	Schema json.RawMessage
	// Run decodes args (already checked against the schema) and answers with a
	// value that marshals to a JSON object. "ok":true is added by the registry.
	Run func(ctx context.Context, args json.RawMessage) (any, error)
}

// Define makes a Tool from a typed function. Plain (not pointer) fields of type
// bool, number or string that carry a `default` tag have that value when the
// call leaves them out.
func Define[A any](name, title, description string, hints Hints, run func(ctx context.Context, args A) (any, error)) Tool {
	var zero A
	return Tool{Name: name, Title: title, Description: description, Hints: hints, Args: zero,
		Run: func(ctx context.Context, raw json.RawMessage) (any, error) {
			var a A
			if err := decode(name, raw, &a); err != nil {
				return nil, err
			}
			return run(ctx, a)
		}}
}

// Refusal is an error meant for the caller: what was wrong and what to ask
// instead, one sentence or two.
type Refusal struct{ Message string }

func (r *Refusal) Error() string { return r.Message }

// Refuse builds a Refusal.
func Refuse(format string, args ...any) error {
	return &Refusal{Message: fmt.Sprintf(format, args...)}
}

// Content is an answer in MCP form (tools.md 1, Pictures).
type Content struct {
	Content []Part `json:"content"`
}

// Part is one part of a Content answer.
type Part struct {
	Type     string `json:"type"` // "text" or "image"
	Text     string `json:"text,omitempty"`
	MIMEType string `json:"mimeType,omitempty"`
	Data     []byte `json:"data,omitempty"` // base64 in JSON
}
