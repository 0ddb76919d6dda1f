package webmcp

import (
	"encoding/json"
	"errors"

	"github.com/hack-pad/safejs"

	"postext/bridge"
)

// defineHandle puts window.postextWebMcp in place: a frozen EventTarget with
// executeTool, listTools and version (tools.md 13). A page that has one from its
// first moment hands it over as the host's door.
func (s *Surface) defineHandle() error {
	global := safejs.Global()
	door, err := get(s.host, "door")
	if err != nil {
		return err
	}
	if there, err := get(global, "postextWebMcp"); !isFunction(door) && (err != nil || !there.IsUndefined()) {
		return errors.Join(errors.New("it is there already"), err)
	}
	listTools, err := callback("listTools", func([]safejs.Value) any { return s.listTools() },
		func(bridge.Answer) any { return []any{} })
	if err != nil {
		return err
	}
	executeTool, err := callback("executeTool", func(args []safejs.Value) any {
		return s.invoke(false, argument(args, 0), argument(args, 1), argument(args, 2))
	}, func(a bridge.Answer) any { return s.promised(false, a) })
	if err != nil {
		return err
	}
	list, err := s.guarded(listTools.Value(), "list")
	if err != nil {
		return err
	}
	execute, err := s.guarded(executeTool.Value(), "answer")
	if err != nil {
		return err
	}
	if s.notice, err = callback("toolchange", func([]safejs.Value) any { s.fire(); return safejs.Undefined() }, nil); err != nil {
		return err
	}
	if isFunction(door) {
		s.handle, err = door.Invoke(list, execute)
		return err
	}
	handle, err := construct("EventTarget")
	if err != nil {
		return err
	}
	for key, value := range map[string]any{"listTools": list, "executeTool": execute, "version": s.version} {
		if err := handle.Set(key, value); err != nil {
			return err
		}
	}
	object, err := global.Get("Object")
	if err != nil {
		return err
	}
	if _, err := object.Call("freeze", handle); err != nil {
		return err
	}
	if _, err := object.Call("defineProperty", global, "postextWebMcp", map[string]any{
		"value": handle, "writable": false, "configurable": false, "enumerable": true}); err != nil {
		return err
	}
	s.handle = handle
	return nil
}

// guarded lets the host wrap a function of ours, so that it answers in words
// even when the Go program is dead; without the host's guard it stays as it is.
func (s *Surface) guarded(f safejs.Value, kind string) (safejs.Value, error) {
	guard, err := get(s.host, "guard")
	if err != nil || !isFunction(guard) {
		return f, err
	}
	return guard.Invoke(f, kind)
}

// promised gives an answer as a promise.
func (s *Surface) promised(native bool, a bridge.Answer) any {
	object := s.plainAnswer(native, a)
	promise, err := safejs.Global().Get("Promise")
	if err == nil {
		if p, err := promise.Call("resolve", object); err == nil {
			return p
		}
	}
	return object
}

// listTools gives fresh plain copies: each call parses the listing anew.
func (s *Surface) listTools() any {
	if s.listing.IsUndefined() {
		tools := s.registry.Tools()
		entries := make([]bridge.Entry, len(tools))
		for i, t := range tools {
			entries[i] = bridge.Entry{Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.Schema, Annotations: t.Hints}
		}
		text, err := json.Marshal(entries)
		if err == nil {
			s.listing, err = safejs.ValueOf(string(bridge.WellFormedJSON(text)))
		}
		if err != nil {
			console("error", "postext: the tools cannot be listed: "+err.Error())
			return []any{}
		}
	}
	list, err := parse(s.listing)
	if err != nil {
		console("error", "postext: the tools cannot be listed: "+err.Error())
		return []any{}
	}
	return list
}

// changed forgets the listing and sees to it that toolchange fires once for
// all that happens in this tick.
func (s *Surface) changed() {
	s.listing = safejs.Undefined()
	if s.noticed {
		return
	}
	s.noticed = true
	if _, err := safejs.Global().Call("queueMicrotask", s.notice); err != nil {
		s.noticed = false
		console("warn", "postext: toolchange cannot be told: "+err.Error())
	}
}

func (s *Surface) fire() {
	s.noticed = false
	event, err := construct("Event", "toolchange")
	if err == nil {
		_, err = s.handle.Call("dispatchEvent", event)
	}
	if err != nil {
		console("warn", "postext: toolchange cannot be told: "+err.Error())
	}
}
