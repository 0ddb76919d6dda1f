package webmcp

import (
	"math"
	"strconv"

	"github.com/hack-pad/safejs"

	"postext/bridge"
)

// What JSON cannot say, JSON.stringify makes null of, or leaves out, or writes as
// {}: a call would do something else than was asked. So it is looked for first and
// refused by name. undefined in place of a whole parameter leaves it out, as in any
// JavaScript call.

// maxLooked is how many values are looked at, maxNested how deep.
const maxLooked, maxNested = 50_000, 100

// unsayable says which value of the arguments JSON cannot say, or "".
func unsayable(args safejs.Value) string {
	l := looker{}
	if isObject(args) {
		if is := tag(args); is != "Object" {
			return "" // a list, or something that is no object: the words for those come later
		}
		for _, key := range keysOf(args) {
			v, err := get(args, key)
			if err != nil {
				return bridge.Quote(key) + " cannot be read: " + bridge.Quote(thrown(err))
			}
			if v.IsUndefined() {
				continue
			}
			if wrong := l.look(v, key, 1); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

type looker struct {
	seen int
	on   []safejs.Value // the objects on the way
}

func (l *looker) look(v safejs.Value, path string, depth int) string {
	if l.seen++; l.seen > maxLooked {
		return ""
	}
	said := func(what, instead string) string { return bridge.Quote(path) + " is " + what + ": " + instead }
	switch t := typeOf(v); t {
	case safejs.TypeUndefined:
		return said("undefined", "give a value, or leave it out")
	case safejs.TypeNumber:
		f, err := v.Float()
		switch {
		case err != nil:
			return bridge.Quote(path) + " cannot be read: " + bridge.Quote(err.Error())
		case math.IsNaN(f):
			return said("NaN", "give a number")
		case math.IsInf(f, 0):
			return said("infinite", "give a number")
		}
		return ""
	case safejs.TypeSymbol:
		return said("a symbol", "give a text")
	case safejs.TypeFunction:
		return said("a function", "give a value")
	case other:
		return said("a BigInt", "give a plain number or a text")
	case safejs.TypeObject:
	default:
		return ""
	}
	is := tag(v)
	if is != "Object" && is != "Array" {
		instead := "give plain values, lists and objects"
		switch is {
		case "Date":
			instead = "give a text such as \"2026-11-30\""
		case "File", "Blob", "ArrayBuffer", "Uint8Array":
			instead = "give the bytes as base64"
		}
		return said("a "+is, instead)
	}
	if depth > maxNested {
		return said("nested too deeply", "at most "+strconv.Itoa(maxNested)+" lists and objects may stand in one another")
	}
	for _, up := range l.on {
		if up.Equal(v) {
			return said("a part of itself", "give each value in full")
		}
	}
	l.on = append(l.on, v)
	defer func() { l.on = l.on[:len(l.on)-1] }()
	if is == "Array" {
		n, err := v.Length()
		if err != nil {
			return bridge.Quote(path) + " cannot be read: " + bridge.Quote(err.Error())
		}
		for i := range min(n, maxLooked) {
			at := strconv.Itoa(i)
			kid, err := get(v, at)
			if err != nil {
				return bridge.Quote(path) + " cannot be read: " + bridge.Quote(thrown(err))
			}
			if wrong := l.look(kid, path+"["+at+"]", depth+1); wrong != "" {
				return wrong
			}
		}
		return ""
	}
	if own, err := get(v, "toJSON"); err == nil && isFunction(own) {
		return "" // it says itself what it is
	}
	for _, key := range keysOf(v) {
		kid, err := get(v, key)
		if err != nil {
			return bridge.Quote(path+"."+key) + " cannot be read: " + bridge.Quote(thrown(err))
		}
		if wrong := l.look(kid, path+"."+key, depth+1); wrong != "" {
			return wrong
		}
	}
	return ""
}

// tag is what kind of object a value is: "Object", "Array", "Date", "Map" …
func tag(v safejs.Value) string {
	object, err := safejs.Global().Get("Object")
	if err != nil {
		return "Object"
	}
	proto, err := object.Get("prototype")
	if err != nil {
		return "Object"
	}
	toString, err := proto.Get("toString")
	if err != nil {
		return "Object"
	}
	text, err := toString.Call("call", v)
	if err != nil {
		return "Object"
	}
	s, err := text.String()
	if err != nil || len(s) < len("[object ]") {
		return "Object"
	}
	return s[len("[object ") : len(s)-1]
}

// keysOf are the names that JSON would write of an object; none when it cannot be
// read, which JSON.stringify then tells.
func keysOf(v safejs.Value) []string {
	object, err := safejs.Global().Get("Object")
	if err != nil {
		return nil
	}
	list, err := object.Call("keys", v)
	if err != nil {
		return nil
	}
	n, err := list.Length()
	if err != nil {
		return nil
	}
	var keys []string
	for i := range min(n, maxLooked) {
		k, err := list.Index(i)
		if err != nil {
			return nil
		}
		s, err := k.String()
		if err != nil {
			return nil
		}
		keys = append(keys, s)
	}
	return keys
}
