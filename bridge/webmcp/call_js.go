package webmcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/hack-pad/safejs"

	"postext/bridge"
)

type rawJSON = json.RawMessage

// call is one call of a tool, from the caller's promise to its end.
type call struct {
	surface *Surface
	set     *Set
	tool    Tool
	native  bool // came through document.modelContext: refusals say isError

	promise, resolve, reject safejs.Value
	controller               safejs.Value // tells the work that nobody waits
	cancel                   context.CancelFunc
	signal                   safejs.Value // the caller's, or undefined
	onAbort                  safejs.Func
	listening                bool         // onAbort is on signal
	unrace                   safejs.Value // ends the wait for the work
	done                     bool
}

// invoke runs a call and gives its promise. It never fails: whatever goes wrong
// is in the answer.
func (s *Surface) invoke(native bool, name, args, options safejs.Value) (promise any) {
	c := &call{surface: s, native: native, controller: safejs.Undefined(), signal: safejs.Undefined(), unrace: safejs.Undefined()}
	if err := c.open(); err != nil {
		// Without Promise there is no way to answer later.
		return s.plainAnswer(native, s.registry.Fail("call", err, nil))
	}
	defer func() {
		if p := recover(); p != nil {
			c.answer(s.registry.Fail("call", panicked{p}, debug.Stack()))
			promise = c.promise
		}
	}()
	c.begin(name, args, options)
	return c.promise
}

// open makes the promise that the caller gets.
func (c *call) open() error {
	executor, err := callback("promise", func(args []safejs.Value) any {
		c.resolve, c.reject = argument(args, 0), argument(args, 1)
		return safejs.Undefined()
	}, nil)
	if err != nil {
		return err
	}
	defer executor.Release() // a promise calls its executor at once
	c.promise, err = construct("Promise", executor)
	return err
}

func (c *call) begin(nameValue, args, options safejs.Value) {
	s := c.surface
	if typeOf(nameValue) != safejs.TypeString {
		c.answer(bridge.Refused("the first argument of executeTool must be the name of a tool; listTools() names them"))
		return
	}
	name, err := nameValue.String()
	if err != nil {
		c.answer(s.registry.Fail("executeTool", err, nil))
		return
	}
	if stop := c.watch(name, options); stop {
		return
	}
	text, refusal := argumentText(name, args)
	if refusal != nil {
		c.answer(s.registry.Fail(name, refusal, nil))
		return
	}
	if n, err := textLength(text); err != nil || n > bridge.MaxWithFiles {
		c.answer(bridge.Refused(fmt.Sprintf("the arguments of %s are longer than %d MB; a call may have 24 MB, files apart", bridge.Quote(name), bridge.MaxWithFiles>>20)))
		return
	}
	raw, err := goBytes(text)
	if err != nil {
		c.answer(s.registry.Fail(name, err, nil))
		return
	}
	tool, clean, err := s.registry.Prepare(name, raw)
	if err != nil {
		c.answer(s.registry.Fail(name, err, nil))
		return
	}
	c.set = s.owner[name]
	c.tool = c.set.names[name]
	c.set.calls[c] = true
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(c.set.ctx)
	if c.tool.Remote == nil {
		go func() {
			defer func() {
				if p := recover(); p != nil {
					c.answer(s.registry.Fail(name, panicked{p}, debug.Stack()))
				}
			}()
			c.answer(s.registry.Run(ctx, tool, clean))
		}()
		return
	}
	if !bytes.Equal(raw, clean) {
		if text, err = safejs.ValueOf(string(clean)); err != nil {
			c.answer(s.registry.Fail(name, err, nil))
			return
		}
	}
	if err := c.remote(name, text); err != nil {
		c.answer(s.registry.Fail(name, err, nil))
	}
}

// argumentText writes the arguments as JSON. The error is a refusal.
func argumentText(name string, args safejs.Value) (safejs.Value, error) {
	if isNothing(args) {
		return safejs.ValueOf("{}")
	}
	if isFunction(args) || typeOf(args) == safejs.TypeSymbol {
		return safejs.Undefined(), bridge.Refuse(`the arguments of %s must be an object such as {"name": value}, not a function or symbol`, name)
	}
	if wrong := unsayable(args); wrong != "" {
		return safejs.Undefined(), bridge.Refuse("the arguments of %s: %s", name, wrong)
	}
	text, err := stringify(args)
	if err != nil {
		return safejs.Undefined(), bridge.Refuse("the arguments of %s cannot be written as JSON (an object that contains itself, a BigInt or too deep a nesting?): %s",
			name, bridge.Quote(thrown(err)))
	}
	if typeOf(text) != safejs.TypeString {
		return safejs.Undefined(), bridge.Refuse(`the arguments of %s must be an object such as {"name": value}`, name)
	}
	return text, nil
}

// watch follows the caller's signal. It reports true when the call ends here.
func (c *call) watch(name string, options safejs.Value) (stop bool) {
	signal, err := get(options, "signal")
	if err != nil {
		c.answer(bridge.Refused("the signal of " + bridge.Quote(name) + " cannot be read: " + bridge.Quote(thrown(err))))
		return true
	}
	if isNothing(signal) {
		return false
	}
	listen, err := get(signal, "addEventListener")
	if err != nil || !isFunction(listen) {
		c.answer(bridge.Refused("the signal of " + bridge.Quote(name) + " must be an AbortSignal"))
		return true
	}
	aborted, err := get(signal, "aborted")
	if err == nil && typeOf(aborted) == safejs.TypeBoolean {
		if is, err := aborted.Bool(); err == nil && is {
			c.signal = signal
			c.abort()
			return true
		}
	}
	c.onAbort, err = callback("abort", func([]safejs.Value) any { c.abort(); return safejs.Undefined() }, nil)
	if err != nil {
		c.answer(c.surface.registry.Fail(name, err, nil))
		return true
	}
	if _, err := signal.Call("addEventListener", "abort", c.onAbort); err != nil {
		c.onAbort.Release()
		c.answer(bridge.Refused("the signal of " + bridge.Quote(name) + " must be an AbortSignal"))
		return true
	}
	c.signal, c.listening = signal, true
	return false
}

// remote starts the work in JavaScript and waits for it. The wait is for a race
// of the work with a promise of our own, which end settles when the call ends
// early: so one of the two callbacks is called exactly once, and releases both.
func (c *call) remote(name string, text safejs.Value) error {
	var err error
	if c.controller, err = construct("AbortController"); err != nil {
		return err
	}
	signal, err := c.controller.Get("signal")
	if err != nil {
		return err
	}
	result, err := c.tool.Remote.Start(name, text, signal)
	if err != nil {
		return err
	}
	executor, err := callback(name, func(args []safejs.Value) any {
		c.unrace = argument(args, 0)
		return safejs.Undefined()
	}, nil)
	if err != nil {
		return err
	}
	defer executor.Release()
	stopped, err := construct("Promise", executor)
	if err != nil {
		return err
	}
	promise, err := safejs.Global().Get("Promise")
	if err != nil {
		return err
	}
	race, err := promise.Call("race", []any{result, stopped})
	if err != nil {
		return err
	}
	var onResult, onFailure safejs.Func
	letGo := func() {
		c.unrace = safejs.Undefined()
		onResult.Release()
		onFailure.Release()
	}
	failed := func(answer bridge.Answer) any { c.answer(answer); return safejs.Undefined() }
	onResult, err = callback(name, func(args []safejs.Value) any {
		letGo()
		if c.done {
			return safejs.Undefined()
		}
		answer, err := c.tool.Remote.Answer(name, argument(args, 0))
		if err != nil {
			c.answer(c.surface.registry.Fail(name, err, nil))
			return safejs.Undefined()
		}
		c.finish(answer)
		return safejs.Undefined()
	}, failed)
	if err != nil {
		return err
	}
	onFailure, err = callback(name, func(args []safejs.Value) any {
		letGo()
		if !c.done {
			c.answer(c.surface.registry.Fail(name, c.tool.Remote.Fail(name, argument(args, 0)), nil))
		}
		return safejs.Undefined()
	}, failed)
	if err != nil {
		onResult.Release()
		return err
	}
	if _, err := race.Call("then", onResult, onFailure); err != nil {
		letGo()
		return err
	}
	return nil
}

// answer ends the call with an answer made in Go.
func (c *call) answer(a bridge.Answer) {
	if c.done {
		return
	}
	if c.native {
		a = a.WithIsError()
	}
	object, err := parse(a.String())
	if err != nil {
		object = c.surface.plainAnswer(c.native, c.surface.registry.Fail(c.tool.Name, fmt.Errorf("the answer: %w", err), nil))
	}
	c.end(func() error { _, err := c.resolve.Invoke(object); return err })
}

// finish ends the call with an answer object made in JavaScript.
func (c *call) finish(object safejs.Value) {
	if c.done {
		return
	}
	if c.native {
		if ok, err := get(object, "ok"); err == nil && typeOf(ok) == safejs.TypeBoolean {
			if fine, err := ok.Bool(); err == nil && !fine {
				if err := object.Set("isError", true); err != nil {
					console("warn", "postext: an answer cannot be marked: "+err.Error())
				}
			}
		}
	}
	c.end(func() error { _, err := c.resolve.Invoke(object); return err })
}

// abort ends the call because its caller aborted it: the one case of a
// rejection, always with an AbortError.
func (c *call) abort() {
	if c.done {
		return
	}
	reason, err := get(c.signal, "reason")
	if err != nil || getString(reason, "name") != "AbortError" {
		if reason, err = construct("DOMException", "The call was aborted.", "AbortError"); err != nil {
			c.answer(c.surface.registry.Fail(c.tool.Name, err, nil))
			return
		}
	}
	c.end(func() error { _, err := c.reject.Invoke(reason); return err })
}

// end settles the promise once, tells work that goes on that nobody waits, and
// lets go of the callbacks.
func (c *call) end(settle func() error) {
	if c.done {
		return
	}
	c.done = true
	if err := settle(); err != nil {
		console("error", "postext: a call could not be answered: "+err.Error())
	}
	if c.listening {
		if _, err := c.signal.Call("removeEventListener", "abort", c.onAbort); err != nil {
			console("warn", "postext: a listener could not be taken back: "+err.Error())
		}
		c.onAbort.Release()
	}
	if isFunction(c.unrace) { // the work has not ended
		if _, err := c.unrace.Invoke(); err != nil {
			console("warn", "postext: a call could not be let go: "+err.Error())
		}
		if _, err := c.controller.Call("abort"); err != nil {
			console("warn", "postext: a call could not be stopped: "+err.Error())
		}
	}
	if c.cancel != nil {
		c.cancel()
	}
	if c.set != nil {
		delete(c.set.calls, c)
	}
}

// plainAnswer makes the answer object without a call; undefined when even that
// fails.
func (s *Surface) plainAnswer(native bool, a bridge.Answer) safejs.Value {
	if native {
		a = a.WithIsError()
	}
	object, err := parse(a.String())
	if err != nil {
		console("error", "postext: an answer could not be made: "+err.Error())
		return safejs.Undefined()
	}
	return object
}
