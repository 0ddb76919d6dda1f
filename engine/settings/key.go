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

// use is what a field is for.
type use uint8

const (
	geometry  use = iota // decides lines and pages
	ink                  // colours the flow
	furniture            // stands around the text, or is drawn over it on screen
)

// hasher keeps three sums in one walk: of what decides lines and pages, of that
// with the colours, and of everything.
type hasher struct{ sums [3]uint64 }

func (h *hasher) word(v uint64, u use) {
	for i := u; i <= furniture; i++ {
		x := (h.sums[i] ^ v) * fnvPrime
		h.sums[i] = x ^ x>>29
	}
}

func (h *hasher) text(s string, u use) {
	for i := u; i <= furniture; i++ {
		x := h.sums[i]
		for k := range len(s) {
			x = (x ^ uint64(s[k])) * fnvPrime
		}
		h.sums[i] = x
	}
	h.word(uint64(len(s)), u)
}

var (
	colorType  = reflect.TypeFor[unit.Color]()
	designType = reflect.TypeFor[Design]()
	pageType   = reflect.TypeFor[Page]()
	layoutType = reflect.TypeFor[Layout]()
	bulletType = reflect.TypeFor[BulletList]()
	playType   = reflect.TypeFor[PlayMark]()
	qrType     = reflect.TypeFor[QRCode]()
	pagesType  = reflect.TypeFor[Pages]()
)

// useOf tells the fields no line or page break depends on; skipped ones are the
// results themselves.
func useOf(t reflect.Type, field string) (u use, skipped bool) {
	switch t {
	case designType:
		switch field {
		case "Key", "FlowKey", "InkKey", "Warnings", "looks", "numbered":
			return furniture, true
		case "Palette": // counts where a text has swatches: the layout asks
			return furniture, true
		case "Header", "Footer", "Debug", "LineNumbers":
			return furniture, false
		}
	case pageType:
		if field == "Grid" || field == "Cut" {
			return furniture, false
		}
	case layoutType:
		if field == "Rule" {
			return ink, false
		}
	case pagesType:
		if field == "Palette" {
			return ink, false
		}
	case playType, qrType:
		if field == "Color" || field == "Ground" { // count where they are drawn: the layout asks
			return furniture, true
		}
	case bulletType:
		if field == "TaskDoneColorSet" {
			return ink, false
		}
	}
	return geometry, false
}

func (h *hasher) value(v reflect.Value, u use) {
	switch v.Kind() {
	case reflect.Struct:
		t := v.Type()
		if t == colorType {
			c := v.Interface().(unit.Color)
			h.word(uint64(c.R)<<24|uint64(c.G)<<16|uint64(c.B)<<8|uint64(c.A), max(u, ink))
			return
		}
		named := t == designType || t == pageType || t == layoutType || t == bulletType || t == pagesType || t == playType || t == qrType
		for i := range v.NumField() {
			under := u
			if named {
				own, skipped := useOf(t, t.Field(i).Name)
				if skipped {
					continue
				}
				under = max(u, own)
			}
			h.value(v.Field(i), under)
		}
	case reflect.Slice, reflect.Array:
		h.word(uint64(v.Len()), u)
		for i := range v.Len() {
			h.value(v.Index(i), u)
		}
	case reflect.String:
		h.text(v.String(), u)
	case reflect.Bool:
		if v.Bool() {
			h.word(1, u)
		} else {
			h.word(2, u)
		}
	case reflect.Float64:
		h.word(math.Float64bits(v.Float()), u)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		h.word(v.Uint(), u)
	default:
		h.word(uint64(v.Int()), u)
	}
}

// hashDesign fills in the keys of a design.
func hashDesign(d *Design) {
	h := hasher{[3]uint64{fnvOffset, fnvOffset, fnvOffset}}
	h.value(reflect.ValueOf(d).Elem(), geometry)
	d.Key, d.FlowKey, d.InkKey = finish(h.sums[geometry]), finish(h.sums[ink]), finish(h.sums[furniture])
}

func finish(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return x
}
