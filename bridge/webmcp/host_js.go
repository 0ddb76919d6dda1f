package webmcp

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/hack-pad/safejs"

	"postext/bridge"
)

// Forward is the Remote of tools whose work another program does: Send hands
// the name, the JSON text of the checked arguments and a signal to it, and gives
// a promise of the answer's JSON text, which goes to the caller without passing
// through Go.
type Forward struct {
	Send func(name string, args, signal safejs.Value) (safejs.Value, error)
}

// Start implements Remote.
func (f Forward) Start(name string, args, signal safejs.Value) (safejs.Value, error) {
	return f.Send(name, args, signal)
}

// Answer implements Remote.
func (f Forward) Answer(name string, result safejs.Value) (safejs.Value, error) {
	if typeOf(result) != safejs.TypeString {
		return result, errors.New("the answer is not JSON text")
	}
	object, err := parse(result)
	if err != nil {
		return object, errors.New("the answer is not JSON text: " + thrown(err))
	}
	if ok, err := get(object, "ok"); err != nil || typeOf(ok) != safejs.TypeBoolean {
		return object, errors.New("the answer has no ok")
	}
	return object, nil
}

// Fail implements Remote: the other side never rejects by its rules, so this is
// a bug or its death.
func (f Forward) Fail(name string, reason safejs.Value) error {
	return errors.New("the call was rejected: " + words(reason))
}

// hostTool is the Remote of a tool that a host page brought.
type hostTool struct{ execute safejs.Value }

func (h hostTool) Start(name string, args, signal safejs.Value) (safejs.Value, error) {
	input, err := parse(args)
	if err != nil {
		return input, err
	}
	result, err := h.execute.Invoke(input, map[string]any{"signal": signal})
	if err != nil {
		return result, bridge.Refuse("%s", hostWords(name, errorValue(err)))
	}
	return result, nil
}

// Answer shapes what a host's execute gave: an object passes with "ok":true
// put first, nothing is {"ok":true}, anything else becomes its result.
func (h hostTool) Answer(name string, result safejs.Value) (safejs.Value, error) {
	text, err := stringify(result)
	if err != nil {
		return result, bridge.Refuse("%s", hostWords(name, errorValue(err)))
	}
	if typeOf(text) != safejs.TypeString {
		return parse(`{"ok":true}`)
	}
	raw, err := goBytes(text)
	if err != nil {
		return result, err
	}
	if len(raw) > 0 && raw[0] != '{' {
		raw = append(append([]byte(`{"result":`), raw...), '}')
	}
	answer, err := bridge.Passed(raw)
	if err != nil {
		return result, err
	}
	return parse(answer.String())
}

func (h hostTool) Fail(name string, reason safejs.Value) error {
	return bridge.Refuse("%s", hostWords(name, reason))
}

// hostWords is what an agent reads when a host's tool throws: its message, as
// the host wrote it, within bounds.
func hostWords(name string, reason any) string {
	text := name + " failed"
	if v, ok := reason.(safejs.Value); ok {
		text = words(v)
	} else if s, ok := reason.(string); ok {
		text = s
	}
	if runes := []rune(text); len(runes) > 500 {
		text = string(runes[:500]) + "…"
	}
	return text
}

// Compiler checks a tool's schema; package bridge/check has one.
type Compiler interface{ Compile(t bridge.Tool) error }

// reserved are the beginnings of the page's own names.
var reserved = [...]string{"sandbox_", "site_"}

// RegisterHostTools registers a host's own tools: list is an array of
// {name, title?, description, inputSchema?, annotations?, execute}, signal an
// optional AbortSignal that takes them back. All or none; the error is a
// Refusal that says what is wrong with which tool.
func (s *Surface) RegisterHostTools(list, signal safejs.Value, compiler Compiler) error {
	if aborted, err := get(signal, "aborted"); err == nil && typeOf(aborted) == safejs.TypeBoolean {
		if is, err := aborted.Bool(); err == nil && is {
			return nil
		}
	}
	n, err := get(list, "length")
	if err != nil || typeOf(n) != safejs.TypeNumber {
		return bridge.Refuse("registerWebMcpTools takes a list of tools")
	}
	count, err := n.Int()
	if err != nil {
		return err
	}
	tools := make([]Tool, 0, count)
	for i := range count {
		one, err := list.Index(i)
		if err != nil {
			return err
		}
		t, err := hostToolOf(one)
		if err != nil {
			return err
		}
		if err := compiler.Compile(t.Tool); err != nil {
			return bridge.Refuse("the inputSchema of the tool %s is not usable: %s", t.Name, bridge.Quote(err.Error()))
		}
		tools = append(tools, t)
	}
	set, err := s.Register(tools, "the page took this tool back while it was running")
	if err != nil {
		return err
	}
	if isNothing(signal) {
		return nil
	}
	onAbort, err := callback("abort", func([]safejs.Value) any { set.Withdraw(); return safejs.Undefined() }, nil)
	if err == nil {
		_, err = signal.Call("addEventListener", "abort", onAbort, map[string]any{"once": true})
	}
	if err != nil {
		set.Withdraw()
		return bridge.Refuse("the second argument of registerWebMcpTools must be an AbortSignal")
	}
	return nil
}

func hostToolOf(v safejs.Value) (Tool, error) {
	name := getString(v, "name")
	for _, prefix := range reserved {
		if strings.HasPrefix(name, prefix) {
			return Tool{}, bridge.Refuse("%s cannot be a tool's name: names that begin with %s are the page's own", bridge.Quote(name), prefix)
		}
	}
	execute, err := get(v, "execute")
	if err != nil || !isFunction(execute) {
		return Tool{}, bridge.Refuse("the tool %s needs execute, a function", bridge.Quote(name))
	}
	schema := json.RawMessage(`{"type":"object"}`)
	given, err := get(v, "inputSchema")
	if err != nil {
		return Tool{}, bridge.Refuse("the inputSchema of the tool %s cannot be read", bridge.Quote(name))
	}
	if !given.IsUndefined() {
		text, err := stringify(given)
		if err != nil || typeOf(given) != safejs.TypeObject || typeOf(text) != safejs.TypeString {
			return Tool{}, bridge.Refuse("the inputSchema of the tool %s must be a JSON Schema object", bridge.Quote(name))
		}
		if schema, err = goBytes(text); err != nil {
			return Tool{}, err
		}
		if schema = bridge.WellFormedJSON(schema); schema[0] != '{' {
			return Tool{}, bridge.Refuse("the inputSchema of the tool %s must be a JSON Schema object", bridge.Quote(name))
		}
	}
	hints, err := get(v, "annotations")
	if err != nil {
		return Tool{}, bridge.Refuse("the annotations of the tool %s cannot be read", bridge.Quote(name))
	}
	return Tool{
		Tool: bridge.Tool{Name: name, Title: strings.ToValidUTF8(getString(v, "title"), "\uFFFD"),
			Description: strings.ToValidUTF8(getString(v, "description"), "\uFFFD"), Schema: schema,
			Hints: bridge.Hints{ReadOnly: hint(hints, "readOnlyHint"), Consequential: hint(hints, "consequentialHint"), Untrusted: hint(hints, "untrustedContentHint")}},
		Remote: hostTool{execute},
	}, nil
}

func hint(v safejs.Value, key string) bool {
	h, err := get(v, key)
	if err != nil || typeOf(h) != safejs.TypeBoolean {
		return false
	}
	is, err := h.Bool()
	return err == nil && is
}
