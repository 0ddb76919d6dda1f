package math

import (
	"postext/engine/font"
	"postext/engine/unit"
)

// box is a set piece: its size around the start of its baseline, and what is
// drawn. Heights and places grow upwards.
type box struct {
	w, h, d unit.Sp
	kids    []kid

	// A leaf: a glyph, or a rule that fills the box.
	face *font.Face
	id   uint32
	size unit.Sp
	rule bool
	ink  unit.Color

	// What the neighbours of a single glyph need to know.
	char   bool    // it is one glyph of the mathematical face
	slant  bool    // drawn slanted
	italic unit.Sp // correction due behind it
	accent unit.Sp // where an accent is centred
	skew   bool    // accent is known
}

type kid struct {
	x, y unit.Sp
	b    *box
}

// put adds b with its baseline's start at x, y and grows the box to hold it;
// the width is the caller's.
func (b *box) put(x, y unit.Sp, k *box) {
	if k == nil {
		return
	}
	b.kids = append(b.kids, kid{x, y, k})
	b.h = max(b.h, y+k.h)
	b.d = max(b.d, k.d-y)
}

// hbox puts boxes side by side.
func hbox(bs ...*box) *box {
	out := empty()
	for _, b := range bs {
		if b == nil {
			continue
		}
		out.put(out.w, 0, b)
		out.w += b.w
	}
	return out
}

// low is a height or depth nothing reaches down to: the start of a maximum.
const low = -(1 << 40)

// empty is a box without ink: its height and depth are those of what comes in.
func empty() *box { return &box{h: low, d: low} }

// settle makes the height and depth of a box without ink nothing.
func (b *box) settle() *box {
	if b.h == low {
		b.h = 0
	}
	if b.d == low {
		b.d = 0
	}
	return b
}

// shifted is b raised by y.
func shifted(b *box, y unit.Sp) *box {
	out := &box{w: b.w, h: b.h + y, d: b.d - y}
	out.kids = []kid{{0, y, b}}
	return out
}

// rule is a filled box from the baseline up.
func ruleOf(w, h unit.Sp, ink unit.Color) *box { return &box{w: w, h: h, rule: true, ink: ink} }

// flatten adds what a box draws to a formula.
func (f *Formula) flatten(b *box, x, y unit.Sp) {
	switch {
	case b.face != nil:
		f.Glyphs = append(f.Glyphs, Glyph{Face: b.face, ID: b.id, Size: b.size, X: x, Y: y, Ink: b.ink})
	case b.rule:
		if b.w > 0 && b.h+b.d > 0 {
			f.Rules = append(f.Rules, Rule{X: x, Y: y - b.d, W: b.w, H: b.h + b.d, Ink: b.ink})
		}
	}
	for _, k := range b.kids {
		f.flatten(k.b, x+k.x, y+k.y)
	}
}
