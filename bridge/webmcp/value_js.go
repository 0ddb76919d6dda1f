package webmcp

import (
	"errors"
	"runtime/debug"
	"syscall/js"

	"github.com/hack-pad/safejs"

	"postext/bridge"
)

// get reads a property of an object that somebody else made.
func get(v safejs.Value, key string) (safejs.Value, error) {
	if !isObject(v) {
		return safejs.Undefined(), nil
	}
	reflect, err := safejs.Global().Get("Reflect")
	if err != nil {
		return safejs.Undefined(), err
	}
	return reflect.Call("get", v, key)
}

// getString reads a property that is a string; anything else is "".
func getString(v safejs.Value, key string) string {
	s, err := get(v, key)
	if err != nil || typeOf(s) != safejs.TypeString {
		return ""
	}
	text, err := s.String()
	if err != nil {
		return ""
	}
	return text
}

// other is the type of values that syscall/js has no type for: a BigInt.
const other = safejs.Type(-1)

// typeOf is Value.Type, which panics for a BigInt.
func typeOf(v safejs.Value) (t safejs.Type) {
	defer func() {
		if recover() != nil {
			t = other
		}
	}()
	return v.Type()
}

func isObject(v safejs.Value) bool { return typeOf(v) == safejs.TypeObject || isFunction(v) }

func isFunction(v safejs.Value) bool { return typeOf(v) == safejs.TypeFunction }

func isNothing(v safejs.Value) bool { return v.IsUndefined() || v.IsNull() }

// argument gives the i-th argument of a callback, undefined when it is missing.
func argument(args []safejs.Value, i int) safejs.Value {
	if i < len(args) {
		return args[i]
	}
	return safejs.Undefined()
}

// construct makes an object of a global class.
func construct(class string, args ...any) (safejs.Value, error) {
	c, err := safejs.Global().Get(class)
	if err != nil {
		return safejs.Undefined(), err
	}
	return c.New(args...)
}

// parse turns JSON text, given as a Go or a JavaScript string, into a value.
func parse(text any) (safejs.Value, error) {
	json, err := safejs.Global().Get("JSON")
	if err != nil {
		return safejs.Undefined(), err
	}
	return json.Call("parse", text)
}

// stringify is JSON.stringify: undefined for what has no JSON form.
func stringify(v safejs.Value) (safejs.Value, error) {
	json, err := safejs.Global().Get("JSON")
	if err != nil {
		return safejs.Undefined(), err
	}
	return json.Call("stringify", v)
}

// textLength gives the length of a JavaScript string in UTF-16 units, without
// copying it.
func textLength(text safejs.Value) (int, error) {
	object, err := safejs.Global().Get("Object")
	if err != nil {
		return 0, err
	}
	boxed, err := object.Invoke(text)
	if err != nil {
		return 0, err
	}
	return boxed.Length()
}

// goBytes copies a JavaScript string out as UTF-8, through a TextEncoder: for
// long ones that is several times faster than a Go string.
func goBytes(text safejs.Value) ([]byte, error) {
	encoder, err := construct("TextEncoder")
	if err != nil {
		return nil, err
	}
	encoded, err := encoder.Call("encode", text)
	if err != nil {
		return nil, err
	}
	n, err := encoded.Length()
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = safejs.CopyBytesToGo(b, encoded)
	return b, err
}

// words gives the message of something thrown, whatever it is.
func words(reason safejs.Value) string {
	if s := getString(reason, "message"); s != "" {
		return s
	}
	str, err := safejs.Global().Get("String")
	if err == nil {
		if s, err := str.Invoke(reason); err == nil {
			if text, err := s.String(); err == nil {
				return text
			}
		}
	}
	return "something that has no text"
}

// thrown gives the words of an error that came out of a JavaScript call.
func thrown(err error) string {
	var e js.Error
	if errors.As(err, &e) {
		return words(safejs.Safe(e.Value))
	}
	return err.Error()
}

// console writes to the browser's console. There is nowhere else to report
// that this failed.
func console(level, message string) {
	c, err := safejs.Global().Get("console")
	if err != nil {
		return
	}
	if _, err := c.Call(level, message); err != nil {
		println(message)
	}
}

// Log reports an internal error to the console: the Log of a Registry.
func Log(id, tool string, err error, stack []byte) {
	message := "postext: internal error " + id + " in " + tool + ": " + err.Error()
	if len(stack) > 0 {
		message += "\n" + string(stack)
	}
	console("error", message)
}

// callback makes a JavaScript function of f. A panic in f is logged and the
// function gives what onPanic makes of it (nil: undefined).
func callback(name string, f func(args []safejs.Value) any, onPanic func(answer bridge.Answer) any) (safejs.Func, error) {
	return safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) (out any) {
		defer func() {
			if p := recover(); p != nil {
				answer := bridge.NewRegistry(bridge.Options{Log: Log}).Fail(name, panicked{p}, debug.Stack())
				out = safejs.Undefined()
				if onPanic != nil {
					out = onPanic(answer)
				}
			}
		}()
		return f(args)
	})
}

// panicked is a recovered panic as an error.
type panicked struct{ value any }

func (p panicked) Error() string {
	if err, ok := p.value.(error); ok {
		return "panic: " + err.Error()
	}
	if s, ok := p.value.(string); ok {
		return "panic: " + s
	}
	return "panic"
}

// errorValue gives what was thrown as a JavaScript value.
func errorValue(err error) any {
	var e js.Error
	if errors.As(err, &e) {
		return safejs.Safe(e.Value)
	}
	return err.Error()
}
