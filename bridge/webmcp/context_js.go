package webmcp

import (
	"strconv"

	"github.com/hack-pad/safejs"

	"postext/bridge"
)

// modelContext reads document.modelContext, anew each time (a wrapper may have
// taken its place). ok is false where there is none; being there does not mean
// that it works.
func modelContext() (mc safejs.Value, ok bool) {
	document, err := get(safejs.Global(), "document")
	if err != nil {
		return mc, false
	}
	if mc, err = get(document, "modelContext"); err != nil {
		return mc, false
	}
	register, err := get(mc, "registerTool")
	return mc, err == nil && isFunction(register)
}

// offer starts the registration of the whole set with the browser, in this
// tick.
func (set *Set) offer() error {
	mc, ok := modelContext()
	if !ok {
		return nil
	}
	var err error
	if set.controller, err = construct("AbortController"); err != nil {
		return err
	}
	if isObject(set.surface.alive) {
		abort, err := set.controller.Get("abort")
		if err != nil {
			return err
		}
		if set.stop, err = abort.Call("bind", set.controller); err != nil {
			return err
		}
		if _, err := set.surface.alive.Call("addEventListener", "abort", set.stop); err != nil {
			return err
		}
	}
	pending := make([]any, len(set.tools))
	descriptors := make([]safejs.Value, len(set.tools))
	for i, t := range set.tools {
		if descriptors[i], err = set.descriptor(t); err != nil {
			return err
		}
		pending[i] = set.register(mc, descriptors[i])
	}
	set.settle(pending, func(i int, reason safejs.Value) {
		if getString(reason, "name") != "TypeError" {
			set.report(set.tools[i].Name, reason)
			return
		}
		set.again(mc, set.tools[i], descriptors[i])
	})
	return nil
}

// descriptor makes what registerTool takes.
func (set *Set) descriptor(t Tool) (safejs.Value, error) {
	s := set.surface
	execute, err := s.execute(t.Name)
	if err != nil {
		return safejs.Undefined(), err
	}
	guarded, err := s.guarded(execute.Value(), "execute")
	if err != nil {
		return safejs.Undefined(), err
	}
	input, err := parse(string(t.Schema))
	if err != nil {
		return safejs.Undefined(), err
	}
	output, err := parse(answerSchema)
	if err != nil {
		return safejs.Undefined(), err
	}
	return safejs.ValueOf(map[string]any{
		"name": t.Name, "title": t.Title, "description": t.Description,
		"inputSchema": safejs.Unsafe(input), "outputSchema": safejs.Unsafe(output),
		"annotations": map[string]any{
			"readOnlyHint": t.Hints.ReadOnly, "consequentialHint": t.Hints.Consequential,
			"untrustedContentHint": t.Hints.Untrusted, "debugging": false},
		"execute": safejs.Unsafe(guarded),
	})
}

// execute gives the function that a browser calls for a tool. It belongs to the
// name, not to the set: a call that arrives after the tool was withdrawn is
// answered that there is no such tool.
func (s *Surface) execute(name string) (safejs.Func, error) {
	if f, ok := s.executes[name]; ok {
		return f, nil
	}
	value, err := safejs.ValueOf(name)
	if err != nil {
		return safejs.Func{}, err
	}
	// The input comes first, then {signal}; before Chrome 153 the second is missing.
	f, err := callback(name, func(args []safejs.Value) any {
		return s.invoke(true, value, argument(args, 0), argument(args, 1))
	}, func(a bridge.Answer) any { return s.promised(true, a) })
	if err == nil {
		s.executes[name] = f
	}
	return f, err
}

// register starts one registration and gives its promise. A browser that
// throws instead of rejecting gets its rejection made here; one that answers
// nothing (Chrome 150) counts as having taken the tool.
func (set *Set) register(mc safejs.Value, descriptor safejs.Value) any {
	signal, err := set.controller.Get("signal")
	if err == nil {
		var pending safejs.Value
		if pending, err = mc.Call("registerTool", descriptor, map[string]any{"signal": signal}); err == nil {
			return pending
		}
	}
	promise, perr := safejs.Global().Get("Promise")
	if perr == nil {
		if rejected, perr := promise.Call("reject", errorValue(err)); perr == nil {
			return rejected
		}
	}
	return nil
}

// settle waits for registrations and calls failed for each that was refused
// while the set was still wanted.
func (set *Set) settle(pending []any, failed func(i int, reason safejs.Value)) {
	promise, err := safejs.Global().Get("Promise")
	if err == nil {
		var all safejs.Value
		if all, err = promise.Call("allSettled", pending); err == nil {
			var done safejs.Func
			done, err = callback("registerTool", func(args []safejs.Value) any {
				done.Release()
				if set.withdrawn {
					return safejs.Undefined()
				}
				for i := range pending {
					outcome, err := argument(args, 0).Index(i)
					if err != nil || getString(outcome, "status") != "rejected" {
						continue
					}
					if reason, err := get(outcome, "reason"); err == nil {
						failed(i, reason)
					}
				}
				return safejs.Undefined()
			}, nil)
			if err == nil {
				_, err = all.Call("then", done)
			}
		}
	}
	if err != nil {
		set.surface.problem("WebMCP: it is not known whether the browser took the tools: " + err.Error())
	}
}

// again offers a tool with its schema cut down, after a TypeError.
func (set *Set) again(mc safejs.Value, t Tool, descriptor safejs.Value) {
	small, err := reduced(t.Schema)
	if err == nil {
		var input safejs.Value
		if input, err = parse(string(small)); err == nil {
			err = descriptor.Set("inputSchema", input)
		}
	}
	if err != nil {
		set.surface.problem("WebMCP: " + t.Name + " could not be offered: " + err.Error())
		return
	}
	set.settle([]any{set.register(mc, descriptor)}, func(_ int, reason safejs.Value) { set.report(t.Name, reason) })
}

// report says which tool the browser refused and why, the first of a set in
// full.
func (set *Set) report(name string, reason safejs.Value) {
	set.refused++
	if set.refused > 3 {
		if set.refused == 4 {
			set.surface.problem("WebMCP: the browser refused more of these " + strconv.Itoa(len(set.tools)) + " tools; window.postextWebMcp has them all")
		}
		return
	}
	set.surface.problem("WebMCP: the browser refused " + name + ": " + bridge.Quote(getString(reason, "name")+": "+words(reason)))
}
