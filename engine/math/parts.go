package math

import "postext/engine/unit"

// nullSpace is the room beside a fraction without delimiters (TeX's
// \nulldelimiterspace, 1.2 pt at ten), in thousandths of an em.
const nullSpace = 120

// aligned is b in a width, by l, c or r.
func within(b *box, w unit.Sp, align byte) *box {
	x := (w - b.w) / 2
	switch align {
	case 'l':
		x = 0
	case 'r':
		x = w - b.w
	}
	return &box{w: w, h: b.h, d: b.d, kids: []kid{{x, 0, b}}}
}

// fraction sets numerator over denominator (rule 15).
func (s *setter) fraction(n *node, st style) *box {
	t := s.t
	if n.force {
		st = n.st | st&cramped
	}
	num, den := st.numerator(), st.denominator()
	if n.flags&flagBrace != 0 { // \cfrac
		num, den = display, display.cramp()
	}
	a, b := s.list(n.body, num), s.list(n.second, den)
	if s.err != nil {
		return a
	}
	if n.flags&flagBrace != 0 { // a strut keeps the lines of a continued fraction apart
		a.h, b.h = max(a.h, s.milli(700, st)), max(b.h, s.milli(700, st))
	}
	w := max(a.w, b.w)
	axis := s.axis(st)
	out := empty()
	var u, v unit.Sp
	if n.rule == unruled {
		gap := t.StackGapMin
		u, v = s.units(t.StackTopShiftUp, st), s.units(t.StackBottomShiftDown, st)
		if st.big() {
			gap = t.StackDisplayStyleGapMin
			u, v = s.units(t.StackTopDisplayStyleShiftUp, st), s.units(t.StackBottomDisplayStyleShiftDown, st)
		}
		if lack := s.units(gap, st) - ((u - a.d) - (b.h - v)); lack > 0 {
			u += lack / 2
			v += lack - lack/2
		}
	} else {
		thick := s.units(t.FractionRuleThickness, st)
		gapA, gapB := t.FractionNumeratorGapMin, t.FractionDenominatorGapMin
		u, v = s.units(t.FractionNumeratorShiftUp, st), s.units(t.FractionDenominatorShiftDown, st)
		if st.big() {
			gapA, gapB = t.FractionNumDisplayStyleGapMin, t.FractionDenomDisplayStyleGapMin
			u, v = s.units(t.FractionNumeratorDisplayStyleShiftUp, st), s.units(t.FractionDenominatorDisplayStyleShiftDown, st)
		}
		u = max(u, axis+thick/2+s.units(gapA, st)+a.d)
		v = max(v, b.h+s.units(gapB, st)+thick/2-axis)
		out.put(0, axis-thick/2, ruleOf(w, thick, s.ink(n)))
	}
	out.put(0, u, within(a, w, n.align))
	out.put(0, -v, within(b, w, 'c'))
	out.w = w
	if n.left == 0 && n.right == 0 {
		side := s.milli(nullSpace, st)
		return &box{w: w + 2*side, h: out.h, d: out.d, kids: []kid{{side, 0, out}}}
	}
	size := s.reach(out, st)
	if st.big() {
		size = max(size, s.units(t.DelimitedSubFormulaMinHeight, st))
	}
	return hbox(s.side(n, n.left, size, st), out, s.side(n, n.right, size, st))
}

// reach is how high delimiters around b must be (rule 19): nine tenths of what
// covers it around the axis, or half an em short of it.
func (s *setter) reach(b *box, st style) unit.Sp {
	d := max(b.h-s.axis(st), b.d+s.axis(st))
	return max(d*2*901/1000, 2*d-s.em(st)/2)
}

// side is one delimiter of a pair; none leaves its space.
func (s *setter) side(n *node, r rune, size unit.Sp, st style) *box {
	if r == 0 {
		return &box{w: s.milli(nullSpace, st)}
	}
	return s.delim(n, r, size, st)
}

// delim is a delimiter at least size high, centred on the axis.
func (s *setter) delim(n *node, r rune, size unit.Sp, st style) *box {
	g, ok := s.f.glyph(r, 0)
	if !ok {
		return s.charBox(n, r, st)
	}
	return s.onAxis(s.grow(g, s.t.vertical[g], size, st, s.ink(n), true), st)
}

// back turns a length into font units of a style.
func (s *setter) back(v unit.Sp, st style) int32 {
	u := unit.MulDiv(int64(v), int64(s.f.Face.UPem), int64(s.em(st)))
	return int32(min(max(u, 0), 1<<28))
}

// maxPieces are the pieces of one assembly; what is longer is cut there.
const maxPieces = 400

// grow is a glyph at least size long in its direction: a variant, else an
// assembly, else the largest there is.
func (s *setter) grow(g uint32, c *construction, size unit.Sp, st style, ink unit.Color, upwards bool) *box {
	need := s.back(size, st)
	if c == nil {
		return s.glyphBox(g, st, ink)
	}
	for _, v := range c.variants {
		g = v.glyph
		if v.advance >= need {
			return s.glyphBox(g, st, ink)
		}
	}
	if len(c.parts) == 0 {
		return s.glyphBox(g, st, ink)
	}
	return s.assemble(c, need, st, ink, upwards)
}

// assemble joins the parts of a construction to a length in font units
// (OpenType, GlyphAssembly): as few extenders as reach it, joined with equal
// overlaps.
func (s *setter) assemble(c *construction, need int32, st style, ink unit.Color, upwards bool) *box {
	least := max(s.t.overlap, 0)
	fixed, ext := int64(0), int64(0)
	nf, ne := int64(0), int64(0)
	for _, p := range c.parts {
		if p.extender {
			ext += int64(p.full)
			ne++
		} else {
			fixed += int64(p.full)
			nf++
		}
	}
	times := int64(0)
	if ne > 0 {
		gain := ext - int64(least)*ne
		lack := int64(need) - (fixed - int64(least)*max(nf-1, 0))
		if gain > 0 && lack > 0 {
			times = (lack + gain - 1) / gain
		}
		if nf == 0 {
			times = max(times, 1)
		}
		times = min(times, maxPieces/ne)
	}
	var pieces []part
	for _, p := range c.parts {
		k := int64(1)
		if p.extender {
			k = times
		}
		for ; k > 0; k-- {
			pieces = append(pieces, p)
		}
	}
	if len(pieces) == 0 {
		return &box{}
	}
	// The joints give way until the length is right.
	total := int64(0)
	for _, p := range pieces {
		total += int64(p.full)
	}
	joints := int64(len(pieces) - 1)
	overlaps := make([]int64, len(pieces))
	spare := total - int64(least)*joints - int64(need)
	for i := 1; i < len(pieces); i++ {
		most := int64(min(pieces[i-1].end, pieces[i].start))
		most = max(min(most, int64(pieces[i-1].full)-1, int64(pieces[i].full)-1), int64(least))
		add := int64(0)
		if spare > 0 {
			add = min(spare/(joints-int64(i)+1), most-int64(least))
			spare -= add
		}
		overlaps[i] = int64(least) + add
	}
	out := empty()
	at := int64(0)
	end := int64(0)
	for i, p := range pieces {
		at -= overlaps[i]
		b := s.glyphBox(p.glyph, st, ink)
		if upwards {
			m := s.f.metrics(p.glyph)
			out.put(0, s.units(int32(at)+m.depth, st), b)
			out.w = max(out.w, b.w)
		} else {
			m := s.f.metrics(p.glyph)
			out.put(s.units(int32(at)-m.left, st), 0, b)
		}
		at += int64(p.full)
		end = at
	}
	if !upwards {
		out.w = s.units(int32(end), st)
	}
	out.settle()
	if upwards {
		out.h, out.d = s.units(int32(end), st), 0
	}
	return out
}

// fence sets a list between growing delimiters (rule 19).
func (s *setter) fence(n *node, st style) *box {
	var inside, all []item
	start := 0
	flush := func(to int) {
		inside = append(inside, s.items(n.body[start:to], st)...)
		start = to
	}
	middles := map[int]*node{}
	cur := st
	for i, m := range n.body {
		switch m.what {
		case middle:
			flush(i)
			middles[len(inside)] = m
			inside = append(inside, item{b: &box{}, class: open})
			start = i + 1
		case styled:
			flush(i)
			st = m.st | st&cramped
			start = i + 1
		}
	}
	flush(len(n.body))
	st = cur
	if s.err != nil {
		return &box{}
	}
	probe := empty()
	for _, it := range inside {
		if it.b != nil {
			probe.put(0, 0, it.b)
		}
	}
	size := s.reach(probe.settle(), st)
	all = append(all, item{b: s.side(n, n.left, size, st), class: open})
	for i, it := range inside {
		if m := middles[i]; m != nil {
			it.b = s.side(m, m.r, size, st)
		}
		all = append(all, it)
	}
	all = append(all, item{b: s.side(n, n.right, size, st), class: shut})
	return s.join(all, st)
}

// radical sets a root (rule 11).
func (s *setter) radical(n *node, st style) *box {
	t := s.t
	b := s.list(n.body, st.cramp())
	if s.err != nil {
		return b
	}
	gap := s.units(t.RadicalVerticalGap, st)
	if st.big() {
		gap = s.units(t.RadicalDisplayStyleVerticalGap, st)
	}
	thick := s.units(t.RadicalRuleThickness, st)
	g, ok := s.f.glyph('√', 0)
	if !ok {
		s.fail(n, "the mathematical face has no radical sign")
		return b
	}
	// A short radicand keeps its bar at the height of an x.
	h := max(b.h, s.units(t.AccentBaseHeight, st))
	sign := s.grow(g, t.vertical[g], h+b.d+gap+thick, st, s.ink(n), true)
	extent := sign.h + sign.d
	if more := extent - (h + b.d + gap + thick); more > 0 {
		gap += more / 2
	}
	top := h + gap + thick
	out := empty()
	x := unit.Sp(0)
	if len(n.second) > 0 {
		deg := s.list(n.second, scriptscript|st&cramped)
		x = s.units(t.RadicalKernBeforeDegree, st)
		raise := extent*unit.Sp(t.RadicalDegreeBottomRaisePercent)/100 - (extent - top)
		out.put(x, raise+deg.d, deg)
		if x += deg.w + s.units(t.RadicalKernAfterDegree, st); x < 0 {
			// A degree narrower than the kern: the sign stays inside the box.
			x = 0
		}
	}
	out.put(x, top-sign.h, sign)
	x += sign.w
	out.put(x, top-thick, ruleOf(b.w, thick, s.ink(n)))
	out.put(x, 0, b)
	out.w = x + b.w
	out.h = max(out.h, top+s.units(t.RadicalExtraAscender, st))
	return out
}

// accent sets an accent over its base (rule 12).
func (s *setter) accent(n *node, st style) *box {
	t := s.t
	base := s.nucleusOf(n.body, st.cramp())
	if s.err != nil {
		return base
	}
	g, ok := s.f.glyph(n.r, st.level())
	if !ok {
		s.fail(n, "the mathematical face lacks this accent")
		return base
	}
	if n.flags&flagOverlay != 0 {
		m := s.f.metrics(g)
		a := s.glyphBox(g, st, s.ink(n))
		out := empty()
		out.put(0, 0, base)
		mid := s.units((m.left+m.right)/2, st)
		out.put(base.w/2-mid, (base.h-base.d)/2-(a.h-a.d)/2, a)
		out.w = base.w
		return out
	}
	if c := t.horizontal[g]; c != nil && n.flags&flagStretch != 0 {
		// The widest that does not reach beyond the base.
		for _, v := range c.variants {
			if v.advance <= s.back(base.w, st) {
				g = v.glyph
			}
		}
	}
	m := s.f.metrics(g)
	a := s.glyphBox(g, st, s.ink(n))
	at := (m.left + m.right) / 2
	if v, ok := t.accent[g]; ok {
		at = v
	}
	mid := base.w / 2
	if base.skew {
		mid = base.accent
	}
	up := base.h - min(base.h, s.units(t.AccentBaseHeight, st))
	out := empty()
	out.put(0, 0, base)
	out.put(mid-s.units(at, st), up, a)
	out.w = base.w
	out.slant, out.italic = base.slant, base.italic
	return out
}

// line draws a line over or under (rules 9 and 10).
func (s *setter) line(n *node, st style) *box {
	t := s.t
	under := n.flags&flagUnder != 0
	in := st
	if !under {
		in = st.cramp()
	}
	b := s.list(n.body, in)
	out := empty()
	out.put(0, 0, b)
	out.w = b.w
	if under {
		thick := s.units(t.UnderbarRuleThickness, st)
		out.put(0, -(b.d + s.units(t.UnderbarVerticalGap, st) + thick), ruleOf(b.w, thick, s.ink(n)))
		out.d += s.units(t.UnderbarExtraDescender, st)
		return out
	}
	thick := s.units(t.OverbarRuleThickness, st)
	out.put(0, b.h+s.units(t.OverbarVerticalGap, st), ruleOf(b.w, thick, s.ink(n)))
	out.h += s.units(t.OverbarExtraAscender, st)
	return out
}

// overUnder sets a brace or an arrow as wide as what it covers.
func (s *setter) overUnder(n *node, st style) *box {
	b := s.list(n.body, st)
	g, ok := s.f.glyph(n.r, 0)
	if s.err != nil || !ok {
		return b
	}
	mark := s.grow(g, s.t.horizontal[g], b.w, st, s.ink(n), false)
	w := max(b.w, mark.w)
	out := empty()
	out.put((w-b.w)/2, 0, b)
	if n.flags&flagUnder != 0 {
		gap := s.units(max(s.t.StretchStackGapAboveMin, 1), st)
		out.put((w-mark.w)/2, -(b.d + gap + mark.h), mark)
	} else {
		gap := s.units(max(s.t.StretchStackGapBelowMin, 1), st)
		out.put((w-mark.w)/2, b.h+gap+mark.d, mark)
	}
	out.w = w
	return out
}

// arrow sets an arrow as long as the labels on it.
func (s *setter) arrow(n *node, st style) *box {
	over, under := s.list(n.body, st.sup()), s.list(n.second, st.sub())
	g, ok := s.f.glyph(n.r, 0)
	if s.err != nil || !ok {
		return over
	}
	pad := s.milli(400, st)
	want := max(over.w, under.w, s.milli(1000, st)) + 2*pad
	a := s.grow(g, s.t.horizontal[g], want, st, s.ink(n), false)
	w := max(a.w, over.w, under.w)
	out := empty()
	out.put((w-a.w)/2, 0, a)
	if len(n.body) > 0 {
		out.put((w-over.w)/2, a.h+s.units(s.t.StretchStackGapAboveMin, st)+over.d, over)
	}
	if len(n.second) > 0 {
		out.put((w-under.w)/2, -(a.d + s.units(s.t.StretchStackGapBelowMin, st) + under.h), under)
	}
	out.w = w
	return out
}

// phantom takes the room of what it holds, and shows it or not.
func (s *setter) phantom(n *node, st style) *box {
	b := s.list(n.body, st)
	out := &box{}
	if n.flags&flagWidth != 0 {
		out.w = b.w
	}
	if n.flags&flagHeight != 0 {
		out.h, out.d = b.h, b.d
	}
	if n.flags&flagShown != 0 {
		x := unit.Sp(0)
		switch n.align {
		case 'c':
			x = -b.w / 2
		case 'r':
			x = -b.w
		}
		out.kids = []kid{{x, 0, b}}
	}
	return out
}

// boxed frames a formula (LaTeX's \fboxsep 3 pt and \fboxrule 0.4 pt at ten).
func (s *setter) boxed(n *node, st style) *box {
	b := s.list(n.body, st)
	pad, thick := s.milli(300, st), s.milli(40, st)
	ink := s.ink(n)
	w, h := b.w+2*pad, b.h+b.d+2*pad
	foot := -(b.d + pad)
	out := empty()
	out.put(pad, 0, b)
	out.put(0, foot, ruleOf(w, thick, ink))
	out.put(0, foot+h-thick, ruleOf(w, thick, ink))
	out.put(0, foot, ruleOf(thick, h, ink))
	out.put(w-thick, foot, ruleOf(thick, h, ink))
	out.w = w
	return out
}

// array sets a grid (LaTeX's array and the environments made of it).
func (s *setter) array(n *node, st style) *box {
	a := n.array
	cols := a.cols
	trailing := 0
	if k := len(cols) - 1; k >= 0 && cols[k].align == 'x' {
		trailing, cols = cols[k].rules, cols[:k]
	}
	grid := make([][]*box, len(a.rows))
	many := 0
	for i := range a.rows {
		grid[i] = make([]*box, len(a.rows[i].cells))
		many = max(many, len(grid[i]))
		for k, c := range a.rows[i].cells {
			items := s.items(c, a.cell)
			if a.jot > 0 && k%2 == 1 && len(cols) == 2 { // {} before the right side: a relation keeps its space
				items = append([]item{{b: &box{}, class: ord}}, items...)
			}
			grid[i][k] = s.join(items, a.cell)
			if s.err != nil {
				return &box{}
			}
		}
	}
	column := func(k int) column {
		if k < len(cols) {
			return cols[k]
		}
		c := cols[k%len(cols)]
		c.rules = 0
		return c
	}
	hair := s.milli(40, a.cell)
	widths := make([]unit.Sp, many)
	for i := range grid {
		for k, b := range grid[i] {
			widths[k] = max(widths[k], b.w)
		}
	}
	// The left edge of each column, and where its vertical rules stand.
	xs := make([]unit.Sp, many)
	var verticals []unit.Sp
	x := s.milli(a.edge, a.cell)
	bars := func(n int, at unit.Sp) {
		for r := range n {
			verticals = append(verticals, at-hair/2+unit.Sp(r-n+1)*4*hair)
		}
	}
	for k := range many {
		c := column(k)
		gap := c.gap
		if k > 0 && len(cols) <= 2 && c.gap == 0 {
			gap = a.sep
			if len(cols) == 2 && k%2 == 1 {
				gap = 0
			}
		}
		if k > 0 {
			x += s.milli(gap, a.cell)
		}
		if k == 0 { // the first at the very edge
			bars(c.rules, x-s.milli(a.edge, a.cell)+hair/2+unit.Sp(max(c.rules-1, 0))*4*hair)
		} else {
			bars(c.rules, x-s.milli(gap, a.cell)/2)
		}
		xs[k] = x
		x += widths[k]
	}
	x += s.milli(a.edge, a.cell)
	bars(trailing, x-hair/2)
	w := x
	if a.stair {
		w += s.milli(2000, a.cell)
	}

	// Rows: each at least its strut high.
	up, down := s.milli(a.strut, a.cell), s.milli(a.strut*3/7, a.cell)
	if a.cell == script {
		up, down = s.milli(a.strut, text), s.milli(a.strut*3/7, text)
	}
	base := make([]unit.Sp, len(grid))
	var y unit.Sp // downwards from the top
	var ruleAt []unit.Sp
	next := 0
	for i := range grid {
		for next < len(a.rules) && a.rules[next] == i {
			ruleAt = append(ruleAt, y)
			y += hair
			if next++; next < len(a.rules) && a.rules[next] == i {
				y += 3 * hair
			}
		}
		h, d := up, down
		for _, b := range grid[i] {
			h, d = max(h, b.h), max(d, b.d)
		}
		if i == 0 && a.jot > 0 { // a display's first line needs no strut above
			h = 0
			for _, b := range grid[i] {
				h = max(h, b.h)
			}
		}
		y += h
		base[i] = y
		if i == len(grid)-1 && a.jot > 0 {
			d = 0
			for _, b := range grid[i] {
				d = max(d, b.d)
			}
		}
		y += d
		if i+1 < len(grid) {
			y += s.milli(a.jot, a.cell) + s.length(a.rows[i].gap, a.cell)
		}
	}
	for ; next < len(a.rules); next++ {
		ruleAt = append(ruleAt, y)
		y += hair
	}
	total := max(y, 0)
	top := s.axis(st) + total/2 // of the array, over the baseline
	switch {
	case a.top == 't' && len(base) > 0:
		top = base[0]
	case a.top == 'b' && len(base) > 0:
		top = base[len(base)-1]
	}
	out := empty()
	for i := range grid {
		for k, b := range grid[i] {
			align := column(k).align
			bx := within(b, widths[k], align)
			x := xs[k]
			if a.stair {
				bx, x = b, (w-b.w)/2
				if i == 0 {
					x = 0
				} else if i == len(grid)-1 {
					x = w - b.w
				}
			}
			out.put(x, top-base[i], bx)
		}
		if a.spread {
			r := a.rows[i].label
			r.Y = top - base[i]
			s.rows = append(s.rows, r)
		}
	}
	for _, v := range verticals {
		out.put(v, top-total, ruleOf(hair, total, s.ink(n)))
	}
	for _, r := range ruleAt {
		out.put(0, top-r-hair, ruleOf(w, hair, s.ink(n)))
	}
	out.w = w
	out.h, out.d = top, total-top
	if a.open == 0 && a.shut == 0 {
		return out
	}
	size := s.reach(out, st)
	side := func(r rune) *box { return s.side(n, r, size, st) }
	gap := &box{w: s.milli(100, st)}
	return hbox(side(a.open), gap, out, gap, side(a.shut))
}
