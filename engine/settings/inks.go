package settings

import (
	"fmt"
	"reflect"
	"strconv"

	"postext/engine/unit"
)

// Inks numbers the colours of a book's designs, so that pages can be laid out
// without knowing them: the layout gets a design that has a number in each colour's
// place (Numbered) and copies the numbers into its frames, and the frames are coloured
// at the end (Design.Real, package frame). A design that differs from another in
// colours alone then lays out to the same frames, and nothing is laid out again.
//
// A setting keeps its number from design to design. A colour that is transparent is
// itself: whether there is one decides what is drawn. So are the inks of pictures that
// the layout draws. The zero value is ready.
type Inks struct {
	numbers  map[string]uint16 // by the place of the colour in the design
	literals map[uint16]unit.Color
	colored  map[reflect.Type]bool // types with colours inside
}

// numbered is the table of one design and of its looks.
type numbered struct {
	inks   *Inks
	colors []unit.Color // by number
}

// A number stands in red and green, under a mark in blue that no colour left as it is
// has: one that had it is a 256th part bluer.
const inkMark = 0x49

func isNumber(c unit.Color) bool { return c.B == inkMark && c.A == 255 }

// number gives the colour of a place in the design its number.
func (t *numbered) number(place string, c unit.Color) unit.Color {
	if c.A == 0 {
		return c
	}
	n, ok := t.inks.numbers[place]
	if !ok {
		if len(t.inks.numbers) == 1<<16-1 {
			return itself(c) // a change of it is laid out like any other
		}
		if t.inks.numbers == nil {
			t.inks.numbers = map[string]uint16{}
		}
		n = uint16(len(t.inks.numbers) + 1)
		t.inks.numbers[place] = n
	}
	for int(n) >= len(t.colors) {
		t.colors = append(t.colors, unit.Color{})
	}
	t.colors[n] = c
	return unit.Color{R: uint8(n >> 8), G: uint8(n), B: inkMark, A: 255}
}

func itself(c unit.Color) unit.Color {
	if isNumber(c) {
		c.B++
	}
	return c
}

// literal numbers a colour written in the text.
func (t *numbered) literal(c unit.Color) unit.Color {
	k := t.number(fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A), c)
	if isNumber(k) {
		if t.inks.literals == nil {
			t.inks.literals = map[uint16]unit.Color{}
		}
		t.inks.literals[uint16(k.R)<<8|uint16(k.G)] = c
	}
	return k
}

// Numbered is the design with numbers in place of its colours. Its keys are those of
// a design with such colours: equal where only colours differ.
func (d *Design) Numbered(k *Inks) *Design {
	return (&numbered{inks: k}).design(d, "")
}

func (t *numbered) design(d *Design, look string) *Design {
	out := *d
	t.walk(reflect.ValueOf(&out).Elem(), []byte(look))
	out.numbered = t
	out.looks = nil
	if d.looks != nil {
		out.looks = &looks{of: d, made: map[Look]*Design{}}
	}
	hashDesign(&out)
	return &out
}

// Real is the colour that a number of a numbered design stands for; any other colour
// is itself.
func (d *Design) Real(c unit.Color) unit.Color {
	if d.numbered == nil || !isNumber(c) {
		return c
	}
	n := uint16(c.R)<<8 | uint16(c.G)
	if int(n) < len(d.numbered.colors) && d.numbered.colors[n].A > 0 {
		return d.numbered.colors[n]
	}
	return d.numbered.inks.literals[n]
}

// numberedLook is Look for a numbered design.
func (d *Design) numberedLook(l Look) (*Design, bool) {
	f := d.looks
	f.mu.Lock()
	defer f.mu.Unlock()
	if out := f.made[l]; out != nil {
		return out, true
	}
	real, ok := f.of.Look(l)
	if real == f.of {
		return d, ok
	}
	out := d.numbered.design(real, fmt.Sprintf("%q %q %v", l.Palette, l.Style, l.Part))
	out.looks = nil
	if ok {
		f.made[l] = out
	}
	return out, ok
}

// drawn are the colours of pictures that the layout draws or draws anew.
var drawn = map[reflect.Type]string{
	playType:                   "",
	qrType:                     "",
	reflect.TypeFor[Figures](): "Ink",
}

// walk puts numbers in the place of the colours of v, which it owns but for what its
// slices share.
func (t *numbered) walk(v reflect.Value, place []byte) {
	if !t.inks.has(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		typ := v.Type()
		if typ == colorType {
			v.Set(reflect.ValueOf(t.number(string(place), v.Interface().(unit.Color))))
			return
		}
		only, is := drawn[typ]
		for i := range v.NumField() {
			f := v.Field(i)
			if !f.CanSet() {
				continue
			}
			name := typ.Field(i).Name
			if is && (only == "" || only == name) {
				if f.Type() == colorType {
					f.Set(reflect.ValueOf(itself(f.Interface().(unit.Color))))
				}
				continue
			}
			t.walk(f, append(append(place, '.'), name...))
		}
	case reflect.Slice:
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			t.walk(v.Index(i), append(append(place, '/'), nameOf(v.Index(i), i)...))
		}
	}
}

// nameOf tells an element of a list from others: its id, so that it keeps its number
// when the list changes, else its place.
func nameOf(v reflect.Value, i int) string {
	if v.Kind() == reflect.Struct {
		if id := v.FieldByName("ID"); id.IsValid() && id.Kind() == reflect.String && id.String() != "" {
			return id.String() + "/" + strconv.Itoa(i)
		}
	}
	return strconv.Itoa(i)
}

// has reports whether a type has colours inside.
func (k *Inks) has(t reflect.Type) bool {
	if t == colorType {
		return true
	}
	if known, ok := k.colored[t]; ok {
		return known
	}
	if k.colored == nil {
		k.colored = map[reflect.Type]bool{}
	}
	k.colored[t] = false // a type that contains itself has no more of them
	found := false
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && k.has(f.Type) {
				found = true
			}
		}
	case reflect.Slice, reflect.Array:
		found = k.has(t.Elem())
	}
	k.colored[t] = found
	return found
}
