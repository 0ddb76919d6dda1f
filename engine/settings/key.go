package settings

import (
	"math"
	"reflect"

	"postext/engine/unit"
)

// Hash over the fields of a Design, in declaration order: FNV-1a, 64 bits, fed
// with whole words and mixed at the end, so that neighbouring values spread.
// Walking the type means that a new field takes part by itself.

const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// hasher keeps two sums in one walk: of what layout reads, and of everything.
type hasher struct{ layout, all uint64 }

func (h *hasher) word(v uint64, ink bool) {
	h.all = (h.all ^ v) * fnvPrime
	h.all ^= h.all >> 29
	if !ink {
		h.layout = (h.layout ^ v) * fnvPrime
		h.layout ^= h.layout >> 29
	}
}

func (h *hasher) text(s string, ink bool) {
	for i := range len(s) {
		h.all = (h.all ^ uint64(s[i])) * fnvPrime
		if !ink {
			h.layout = (h.layout ^ uint64(s[i])) * fnvPrime
		}
	}
	h.word(uint64(len(s)), ink)
}

var (
	colorType  = reflect.TypeFor[unit.Color]()
	designType = reflect.TypeFor[Design]()
	pageType   = reflect.TypeFor[Page]()
	layoutType = reflect.TypeFor[Layout]()
	bulletType = reflect.TypeFor[BulletList]()
)

// furniture are fields no line or page break depends on; skipped ones are the
// results themselves.
func furniture(t reflect.Type, field string) (ink, skipped bool) {
	switch t {
	case designType:
		switch field {
		case "Key", "InkKey", "Warnings":
			return true, true
		case "Header", "Footer", "Debug":
			return true, false
		}
	case pageType:
		return field == "Grid", false
	case layoutType:
		return field == "Rule", false
	case bulletType:
		return field == "TaskDoneColorSet", false
	}
	return false, false
}

func (h *hasher) value(v reflect.Value, ink bool) {
	switch v.Kind() {
	case reflect.Struct:
		t := v.Type()
		if t == colorType {
			c := v.Interface().(unit.Color)
			h.word(uint64(c.R)<<24|uint64(c.G)<<16|uint64(c.B)<<8|uint64(c.A), true)
			return
		}
		named := t == designType || t == pageType || t == layoutType || t == bulletType
		for i := range v.NumField() {
			under := ink
			if named {
				furn, skipped := furniture(t, t.Field(i).Name)
				if skipped {
					continue
				}
				under = ink || furn
			}
			h.value(v.Field(i), under)
		}
	case reflect.Slice, reflect.Array:
		h.word(uint64(v.Len()), ink)
		for i := range v.Len() {
			h.value(v.Index(i), ink)
		}
	case reflect.String:
		h.text(v.String(), ink)
	case reflect.Bool:
		if v.Bool() {
			h.word(1, ink)
		} else {
			h.word(2, ink)
		}
	case reflect.Float64:
		h.word(math.Float64bits(v.Float()), ink)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		h.word(v.Uint(), ink)
	default:
		h.word(uint64(v.Int()), ink)
	}
}

// hashDesign returns Design.Key and Design.InkKey.
func hashDesign(d *Design) (key, ink uint64) {
	h := hasher{fnvOffset, fnvOffset}
	h.value(reflect.ValueOf(d).Elem(), false)
	return finish(h.layout), finish(h.all)
}

func finish(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return x
}
