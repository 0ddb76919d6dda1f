package math

import (
	"postext/engine/font"
	"postext/engine/unit"
)

// setter sets one formula.
type setter struct {
	f    *Font
	t    *table
	o    Options
	size [3]unit.Sp // of an em, by level of scripts
	err  *Error
	rows []Row
}

// Set sets a tree. An error is an *Error: a character no face has.
func (f *Font) Set(tree *Tree, o Options) (*Formula, error) {
	s := &setter{f: f, t: f.t, o: o}
	s.size[0] = min(max(o.Size, 1), 1<<30)
	s.size[1] = max(s.size[0]*unit.Sp(f.t.ScriptPercentScaleDown)/100, 1)
	s.size[2] = max(s.size[0]*unit.Sp(f.t.ScriptScriptPercentScaleDown)/100, 1)
	st := text
	if o.Display {
		st = display
	}
	b := s.list(tree.list, st)
	if s.err != nil {
		return nil, s.err
	}
	out := &Formula{Width: b.w, Height: b.h, Depth: b.d}
	out.flatten(b, 0, 0)
	out.Rows = s.rows
	if len(out.Rows) != len(tree.rows) {
		out.Rows = append([]Row(nil), tree.rows...)
	}
	return out, nil
}

func (s *setter) fail(n *node, msg string) {
	if s.err == nil {
		s.err = &Error{n.at, msg}
	}
}

// em is the size of an em in a style.
func (s *setter) em(st style) unit.Sp { return s.size[st.level()] }

// units turns font units into a length in a style.
func (s *setter) units(v int32, st style) unit.Sp { return unit.Scale(v, s.em(st), s.f.Face.UPem) }

// milli is a number of thousandths of an em.
func (s *setter) milli(v int32, st style) unit.Sp { return unit.Scale(v, s.em(st), 1000) }

// length is a written length in a style.
func (s *setter) length(l length, st style) unit.Sp { return s.milli(l.em, st) + l.pt }

func (s *setter) axis(st style) unit.Sp { return s.units(s.t.AxisHeight, st) }

func (s *setter) ink(n *node) unit.Color {
	if n.ink.A != 0 {
		return n.ink
	}
	return s.o.Ink
}

// glyphBox is a glyph as a box.
func (s *setter) glyphBox(g uint32, st style, ink unit.Color) *box {
	m := s.f.metrics(g)
	return &box{w: s.units(m.advance, st), h: s.units(m.height, st), d: s.units(m.depth, st),
		face: s.f.Face, id: g, size: s.em(st), ink: ink, char: true}
}

// charBox sets a character.
func (s *setter) charBox(n *node, r rune, st style) *box {
	g, ok := s.f.glyph(r, st.level())
	if !ok {
		return s.foreign(n, string(r), st)
	}
	b := s.glyphBox(g, st, s.ink(n))
	b.slant = slanted(r)
	b.italic = s.units(s.t.italic[g], st)
	if a, ok := s.t.accent[g]; ok {
		b.accent, b.skew = s.units(a, st), true
	}
	return b
}

// foreign sets text the mathematical face has no glyph for in another face.
func (s *setter) foreign(n *node, str string, st style) *box {
	faces := []*font.Face{s.f.Face}
	if s.o.Others != nil {
		faces = append(faces, s.o.Others()...)
	}
	stack := font.Stack{Faces: faces}
	shapes := stack.Shape(nil, str, font.Features{})
	out := empty()
	for _, sh := range shapes {
		if sh.Missing {
			s.fail(n, "no face has the characters of “"+str+"”: leave them out or write their names")
			return out.settle()
		}
		s.shape(out, sh, st, s.ink(n))
	}
	return out.settle()
}

// shape adds a shaped word to a box.
func (s *setter) shape(out *box, sh *font.Shape, st style, ink unit.Color) {
	size, upem := s.em(st), sh.Face.UPem
	var pen int32
	x0 := out.w
	for _, g := range sh.Glyphs {
		if g.ID != font.Invisible {
			e := sh.Face.GlyphBox(g.ID)
			b := &box{face: sh.Face, id: g.ID, size: size, ink: ink,
				h: unit.Scale(e.MaxY, size, upem), d: unit.Scale(-e.MinY, size, upem)}
			if e == (font.Box{}) {
				b.h, b.d = low, low
			}
			out.put(x0+unit.Scale(pen+g.X, size, upem), unit.Scale(g.Y, size, upem), b)
		}
		pen += g.Advance
	}
	out.w = x0 + unit.Scale(sh.Advance, size, upem)
}

// wordBox sets words in an alphabet.
func (s *setter) wordBox(n *node, str string, a alphabet, st style) *box {
	if a != upright {
		m := make([]rune, 0, len(str))
		for _, r := range str {
			m = append(m, a.in(r))
		}
		str = string(m)
	}
	sh := s.f.Face.Shape(str, font.Features{})
	if sh.Missing {
		return s.foreign(n, str, st)
	}
	out := empty()
	s.shape(out, sh, st, s.ink(n))
	return out.settle()
}

// item is an atom or a space in a list that is being set.
type item struct {
	b     *box
	class class
	gap   unit.Sp // of a space
}

// list sets a math list (The TeXbook, appendix G).
func (s *setter) list(nodes []*node, st style) *box {
	return s.join(s.items(nodes, st), st)
}

// nucleusOf sets a group: one of a single sign is the sign (rule 17).
func (s *setter) nucleusOf(nodes []*node, st style) *box {
	if len(nodes) == 1 && nodes[0].what == symbol && nodes[0].has == 0 {
		return s.symbol(nodes[0], st)
	}
	return s.list(nodes, st)
}

// items sets the elements of a list.
func (s *setter) items(nodes []*node, st style) []item {
	out := make([]item, 0, len(nodes))
	for _, n := range nodes {
		if s.err != nil {
			return nil
		}
		switch n.what {
		case styled:
			st = n.st | st&cramped
			out = append(out, item{class: none, gap: 0, b: nil})
		case space:
			out = append(out, item{class: none, gap: s.length(n.width, st)})
		default:
			out = append(out, item{b: s.nucleus(n, st), class: n.class})
		}
	}
	return out
}

// The space between two atoms, left by right (The TeXbook, page 170): 1 thin,
// 2 medium, 3 thick; negative: not in script styles. Bin beside what makes it
// an Ord does not come up.
var between = [8][8]int8{
	ord:   {0, 1, -2, -3, 0, 0, 0, -1},
	op:    {1, 1, 0, -3, 0, 0, 0, -1},
	bin:   {-2, -2, 0, 0, -2, 0, 0, -2},
	rel:   {-3, -3, 0, 0, -3, 0, 0, -3},
	open:  {0, 0, 0, 0, 0, 0, 0, 0},
	shut:  {0, 1, -2, -3, 0, 0, 0, -1},
	punct: {-1, -1, 0, -1, -1, -1, -1, -1},
	inner: {-1, 1, -2, -3, -1, 0, -1, -1},
}

// mu are the spaces in thousandths of an em: 3, 4 and 5 of 18 mu.
var mu = [4]int32{0, 167, 222, 278}

// join sets items side by side with the space their classes ask for.
func (s *setter) join(items []item, st style) *box {
	// Rules 5 and 6: an operator without operands is an ordinary sign.
	last := -1
	for i := range items {
		it := &items[i]
		if it.class == none {
			continue
		}
		switch {
		case it.class == bin:
			if last < 0 {
				it.class = ord
			} else if c := items[last].class; c == bin || c == op || c == rel || c == open || c == punct {
				it.class = ord
			}
		case it.class == rel || it.class == shut || it.class == punct:
			if last >= 0 && items[last].class == bin {
				items[last].class = ord
			}
		}
		last = i
	}
	if last >= 0 && items[last].class == bin {
		items[last].class = ord
	}
	out := empty()
	prev := -1
	for i := range items {
		it := &items[i]
		if it.class == none {
			out.w += it.gap
			continue
		}
		if prev >= 0 {
			p := items[prev].b
			// An upright neighbour keeps clear of a slanted letter.
			if p.slant && !it.b.slant {
				out.w += p.italic
			}
			g := between[items[prev].class][it.class]
			if g < 0 {
				if g = -g; st >= script {
					g = 0
				}
			}
			out.w += s.milli(mu[g], st)
		}
		out.put(out.w, 0, it.b)
		out.w += it.b.w
		prev = i
	}
	if prev >= 0 && items[prev].b.slant {
		out.w += items[prev].b.italic
	}
	return out.settle()
}

// nucleus sets an atom with its scripts.
func (s *setter) nucleus(n *node, st style) *box {
	b := s.base(n, st)
	if s.err != nil || n.has == 0 {
		return b
	}
	if n.class == op && (n.lim == limitsAlways || n.lim == limitsInDisplay && st.big()) || n.what == group && n.flags&flagBrace != 0 {
		return s.limited(n, b, st)
	}
	return s.scripted(n, b, st)
}

// base sets an atom without its scripts.
func (s *setter) base(n *node, st style) *box {
	switch n.what {
	case symbol:
		return s.symbol(n, st)
	case group:
		return s.nucleusOf(n.body, st)
	case words:
		return s.wordBox(n, n.name, n.alpha, st)
	case reference:
		t, ok := "", false
		if s.o.Ref != nil {
			t, ok = s.o.Ref(n.name)
		}
		if !ok {
			t = "?"
		}
		if n.flags&flagEq != 0 {
			t = "(" + t + ")"
		}
		return s.wordBox(n, t, upright, st)
	case fraction:
		return s.fraction(n, st)
	case radical:
		return s.radical(n, st)
	case accent:
		return s.accent(n, st)
	case fence:
		return s.fence(n, st)
	case middle: // outside a fence it cannot be
		return s.delim(n, n.r, 0, st)
	case bigDelim:
		if n.r == 0 {
			return &box{}
		}
		return s.delim(n, n.r, s.milli(n.width.em, st), st)
	case phantom:
		return s.phantom(n, st)
	case overUnder:
		return s.overUnder(n, st)
	case arrow:
		return s.arrow(n, st)
	case line:
		return s.line(n, st)
	case arrays:
		return s.array(n, st)
	case boxed:
		return s.boxed(n, st)
	case ruleBox:
		b := ruleOf(max(s.length(n.width, st), 0), s.length(n.height, st), s.ink(n))
		return shifted(b, s.length(n.depth, st))
	case raised:
		return shifted(s.list(n.body, st), s.length(n.height, st))
	}
	return &box{}
}

// prime marks hang at the height of scripts, whatever font they come from.
func prime(r rune) bool { return r >= '′' && r <= '‴' || r == '⁗' }

// symbol sets one character.
func (s *setter) symbol(n *node, st style) *box {
	if prime(n.r) && st.level() > 0 {
		// The face draws primes raised, for the line: they take the size of the
		// text and come down by what the script will be raised.
		up := st - script + text
		b := s.charBox(n, n.r, up)
		return shifted(&box{w: b.w, h: b.h, d: b.d, kids: []kid{{0, 0, b}}}, -s.units(s.t.SuperscriptShiftUp, up))
	}
	if !n.large || !st.big() && !integral(n.r) {
		b := s.charBox(n, n.r, st)
		if n.class == op && b.char {
			return s.onAxis(b, st)
		}
		return b
	}
	g, ok := s.f.glyph(n.r, st.level())
	if !ok {
		return s.charBox(n, n.r, st)
	}
	if st.big() {
		g = s.variantOf(s.t.vertical[g], g, s.t.DisplayOperatorMinHeight)
	}
	b := s.glyphBox(g, st, s.ink(n))
	b.italic = s.units(s.t.italic[g], st)
	return s.onAxis(b, st)
}

// onAxis centres an operator on the axis (rule 13).
func (s *setter) onAxis(b *box, st style) *box {
	out := shifted(b, s.axis(st)-(b.h-b.d)/2)
	out.italic, out.char, out.id, out.face = b.italic, false, b.id, nil
	return out
}

// variantOf is the first variant at least min high, else the largest.
func (s *setter) variantOf(c *construction, g uint32, min int32) uint32 {
	if c == nil {
		return g
	}
	for _, v := range c.variants {
		g = v.glyph
		if v.advance >= min {
			break
		}
	}
	return g
}
