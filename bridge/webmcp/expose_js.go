package webmcp

import (
	"github.com/hack-pad/safejs"

	"postext/bridge"
)

// Method is one function of an object that Expose defines. An error it returns
// goes to the console.
type Method struct {
	Name string
	Run  func(args []safejs.Value) (any, error)
}

// Expose defines a frozen, fixed global object with these methods and then
// fires an event of the given name on the global object.
func (s *Surface) Expose(name, event string, methods []Method) error {
	object, err := construct("Object")
	if err != nil {
		return err
	}
	for _, m := range methods {
		f, err := callback(name+"."+m.Name, func(args []safejs.Value) any {
			out, err := m.Run(args)
			if err != nil {
				console("error", "postext: "+name+"."+m.Name+": "+err.Error())
			}
			return out
		}, func(a bridge.Answer) any { return safejs.Undefined() })
		if err != nil {
			return err
		}
		if err := object.Set(m.Name, f); err != nil {
			return err
		}
	}
	class, err := safejs.Global().Get("Object")
	if err != nil {
		return err
	}
	if _, err := class.Call("freeze", object); err != nil {
		return err
	}
	if _, err := class.Call("defineProperty", safejs.Global(), name, map[string]any{
		"value": object, "writable": false, "configurable": false, "enumerable": false}); err != nil {
		return err
	}
	dispatch, err := get(safejs.Global(), "dispatchEvent")
	if err != nil || !isFunction(dispatch) {
		return err // a test without a window
	}
	e, err := construct("Event", event)
	if err != nil {
		return err
	}
	_, err = safejs.Global().Call("dispatchEvent", e)
	return err
}

// Flag reads a member of an object of the page's script: true only for true.
func Flag(v safejs.Value, key string) bool { return hint(v, key) }

// Text reads a text two levels down; "" when it is not there.
func Text(v safejs.Value, key, name string) string {
	inner, err := get(v, key)
	if err != nil {
		return ""
	}
	return getString(inner, name)
}
