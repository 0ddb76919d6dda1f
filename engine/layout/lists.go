package layout

import (
	"unicode/utf8"

	"postext/engine/bidi"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// list sets a list (settings.md 12): markers flush right in a column as wide as
// the widest of the run, text behind it.
func (w *walker) list(b *markup.Block, p place) error {
	if p.depth++; p.depth == 1 {
		p.origin = p.x
	}
	lv := min(p.depth, 5) - 1
	ord, bul := &w.d.Numbers, &w.d.Bullets
	var mk settings.Marker
	var family string
	var top, bottom, between unit.Sp
	var hanging, snapTop bool
	if b.Ordered {
		mk, family = ord.Levels[lv], ord.Family
		top, bottom, between, hanging, snapTop = ord.MarginTop, ord.MarginBottom, ord.ItemSpacing, ord.Hanging, ord.SnapTop
	} else {
		mk, family = bul.Levels[lv], bul.Family
		top, bottom, between, hanging, snapTop = bul.MarginTop, bul.MarginBottom, bul.ItemSpacing, bul.Hanging, bul.SnapTop
	}
	if bl := p.lists; bl != nil {
		boxed(bl, &mk, b.Ordered, &between)
	}
	at := len(w.flow.nodes)
	text := p.text
	if family != "" && p.lists == nil {
		text.Family = family
	}
	text.Hanging, text.Indent = false, 0

	around := w.dir
	rtl := w.runsRight(b)
	if w.dir = bidi.LTR; rtl {
		w.dir = bidi.RTL
	} else if around == bidi.Auto && !bidi.Needed(w.doc.Source[b.Start:b.End]) {
		w.dir = around
	}
	defer func() { w.dir = around }()

	// The markers, and the width of their column.
	marks := make([]mark, 0, len(b.Children))
	var column unit.Sp
	n := b.First
	for _, it := range b.Children {
		m, err := w.mark(b, it, n, &mk)
		if err != nil {
			return err
		}
		column = max(column, m.line.Width)
		marks = append(marks, m)
		n++
	}
	if b.Ordered && ord.WidthByLevel {
		if err := w.listColumns(); err != nil {
			return err
		}
		column = max(column, w.numbers[lv])
	}
	// Insets count from the side the text begins at.
	far := p.x + p.width
	inset := unit.Sp(0)
	if p.depth == 1 {
		if inset = mk.Indent; rtl {
			p.origin = far
		}
	} else if mk.IndentSet {
		if inset = p.origin + mk.Indent - p.x; rtl {
			inset = far - p.origin + mk.Indent
		}
	}
	body := p
	body.list = true
	body.kind = frame.ListItem
	body.text = text
	room := inset + column + mk.Gap
	if p.width-room < 4*p.text.Size { // too deep for the measure
		room = 0
	}
	if !hanging {
		body.text.Indent, room = room, 0
	}
	body.width = p.width - room
	if !rtl {
		body.x = p.x + room
	}
	for i, it := range b.Children {
		start := len(w.flow.nodes)
		q := body
		if it.Task && it.Checked {
			if bul.TaskDoneColorSet {
				q.text.Color = bul.TaskDoneColor
			}
		}
		w.afterPara = false
		if err := w.item(it, q, hanging, bul.TaskStrike && it.Task && it.Checked); err != nil {
			return err
		}
		if len(w.flow.nodes) == start {
			// An empty item prints its marker all the same.
			k := settingKey{text: q.text, width: q.width, align: flushLeft}
			if _, err := w.add(node{kind: frame.ListItem, in: emptyText(it), start: it.Start, end: it.End, set: w.setting(k),
				x: q.x, level: p.depth, group: p.group, leading: p.leading}); err != nil {
				return err
			}
			nd := &w.flow.nodes[len(w.flow.nodes)-1]
			nd.m = &measured{plain: nd.m.plain, lines: make([]frame.LineSet, 1), offs: make([]unit.Sp, 1)}
		}
		first := &w.flow.nodes[start]
		if first.what == nText && first.marker == nil && first.kind != frame.Code {
			m := marks[i]
			first.marker, first.number = m.line, m.text
			if first.markerX = p.x + inset + column - m.line.Width; rtl {
				first.markerX = far - inset - column
			}
			first.markerY = mk.Offset
			first.tick, first.tickInk = m.tick, m.ink
		}
		if i > 0 && first.above < between {
			first.above = between
		}
		if first.kind == frame.ListItem && first.start > it.Start {
			first.start = it.Start
		}
	}
	w.afterPara = false
	if p.depth == 1 && len(w.flow.nodes) > at {
		first, last := &w.flow.nodes[at], &w.flow.nodes[len(w.flow.nodes)-1]
		first.above = max(first.above, top)
		first.snapTop = first.snapTop || snapTop
		first.settles = !first.snapTop
		last.below = max(last.below, bottom)
		last.snap = true
	}
	return nil
}

// listColumns finds how wide the widest number of each depth is in the chapter
// (orderedLists.numberWidth), once for each design.
func (w *walker) listColumns() error {
	if w.counted {
		return nil
	}
	w.counted = true
	w.numbers = [5]unit.Sp{}
	var walk func(bs []*markup.Block, depth int) error
	walk = func(bs []*markup.Block, depth int) error {
		for _, b := range bs {
			in := depth
			if b.Kind == markup.List {
				in = depth + 1
			}
			if b.Kind == markup.List && b.Ordered {
				lv := min(in, 5) - 1
				mk := w.d.Numbers.Levels[lv]
				for i, it := range b.Children {
					m, err := w.mark(b, it, b.First+i, &mk)
					if err != nil {
						return err
					}
					w.numbers[lv] = max(w.numbers[lv], m.line.Width)
				}
			}
			if err := walk(b.Children, in); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(w.doc.Blocks, 0)
}

// boxed applies what a box changes in its lists (settings.md 17, lists).
func boxed(l *settings.BoxLists, mk *settings.Marker, ordered bool, between *unit.Sp) {
	if l.ColorSet {
		mk.Color = l.Color
	}
	if l.IndentSet {
		mk.Indent = l.Indent
	}
	if l.GapSet {
		mk.Gap = l.Gap
	}
	if l.SpacingSet {
		*between = l.Spacing
	}
	if ordered {
		return
	}
	if l.CharSet {
		mk.Char = l.Char
	}
	if l.SizeSet {
		mk.Size = l.Size
	}
	if l.WeightSet {
		mk.Weight = l.Weight
	}
}

// item sets the blocks of one item.
func (w *walker) item(it *markup.Block, p place, hanging, strike bool) error {
	if !strike {
		return w.blocks(it.Children, p)
	}
	for _, c := range it.Children {
		if c.Kind == markup.Paragraph {
			d := *c
			d.Inlines = append([]markup.Inline(nil), c.Inlines...)
			for i := range d.Inlines {
				d.Inlines[i].Style |= markup.Strike
			}
			c = &d
		}
		if err := w.block(c, nil, p); err != nil {
			return err
		}
	}
	return nil
}

func emptyText(b *markup.Block) []markup.Inline {
	return []markup.Inline{{Kind: markup.Anchor, Start: b.Start, End: b.Start}}
}

// mark is a set marker.
type mark struct {
	line *frame.LineSet
	text string
	tick unit.Sp // side of a box drawn for want of a glyph
	ink  unit.Color
}

// mark sets an item's marker.
func (w *walker) mark(list, it *markup.Block, n int, mk *settings.Marker) (mark, error) {
	t := w.d.Body
	t.Family, t.Size, t.Weight, t.Italic, t.Color, t.Tracking = mk.Family, mk.Size, mk.Weight, mk.Italic, mk.Color, 0
	if t.Family == "" {
		t.Family = w.d.Body.Family
	}
	if t.Size <= 0 {
		t.Size = w.d.Body.Size
	}
	t.Hyphenate, t.Transform = false, "none"
	if it.Task {
		c := w.d.Bullets.TaskOpen
		if it.Checked {
			c = w.d.Bullets.TaskDone
		}
		ls, err := w.label(c, t)
		if err != nil || !missing(ls) {
			return mark{line: ls, text: c}, err
		}
		// No face has the sign: a box is drawn, with a cross in it when done.
		side := t.Size * 65 / 100
		in := *ls
		in.Runs, in.Width = nil, side
		if it.Checked {
			x, err := w.label("×", t)
			if err != nil {
				return mark{}, err
			}
			if !missing(x) {
				in = *joinLines(&frame.LineSet{}, x, (side-x.Width)/2)
				in.Width = side
			}
		}
		return mark{line: &in, text: c, tick: side, ink: t.Color}, nil
	}
	if !list.Ordered {
		ls, err := w.labelIn(mk.Char, t, w.dir)
		return mark{line: ls, text: mk.Char}, err
	}
	num := mk.Prefix + FormatNumber(n, mk.Format)
	if sep := mk.Separator; sep != "" {
		same := (mk.SepFamily == "" || mk.SepFamily == t.Family) && (mk.SepWeight == 0 || mk.SepWeight == t.Weight) &&
			mk.SepItalic == t.Italic && mk.SepColor.A == 0 && mk.SepGap == 0
		if same {
			ls, err := w.labelIn(num+sep, t, w.dir)
			return mark{line: ls, text: num + sep}, err
		}
		a, err := w.labelIn(num, t, w.dir)
		if err != nil {
			return mark{}, err
		}
		if mk.SepFamily != "" {
			t.Family = mk.SepFamily
		}
		if mk.SepWeight != 0 {
			t.Weight = mk.SepWeight
		}
		t.Italic = mk.SepItalic
		if mk.SepColor.A > 0 {
			t.Color = mk.SepColor
		}
		b, err := w.label(sep, t)
		if err != nil {
			return mark{}, err
		}
		if w.dir == bidi.RTL {
			return mark{line: joinLines(b, a, mk.SepGap), text: num + sep}, nil
		}
		return mark{line: joinLines(a, b, mk.SepGap), text: num + sep}, nil
	}
	ls, err := w.labelIn(num, t, w.dir)
	return mark{line: ls, text: num}, err
}

// missing reports whether a label has a character no face has.
func missing(l *frame.LineSet) bool {
	for _, r := range l.Runs {
		for _, w := range r.Words {
			if w.Shape.Missing {
				return true
			}
		}
	}
	return false
}

// joinLines sets two short lines beside one another.
func joinLines(a, b *frame.LineSet, gap unit.Sp) *frame.LineSet {
	out := *a
	out.Runs = append([]frame.Run(nil), a.Runs...)
	dx := a.Width + gap
	for _, r := range b.Runs {
		words := append([]frame.Word(nil), r.Words...)
		for i := range words {
			words[i].X += dx
		}
		r.Words = words
		out.Runs = append(out.Runs, r)
	}
	out.Width = dx + b.Width
	return &out
}

// label sets a short text on one line, whatever its width; it is kept like any
// measure.
func (j *job) label(text string, t settings.Text) (*frame.LineSet, error) {
	return j.labelIn(text, t, directions[j.d.Direction])
}

// labelIn is label in a base direction.
func (j *job) labelIn(text string, t settings.Text, dir bidi.Direction) (*frame.LineSet, error) {
	h := newHasher()
	ts := j.l.typeOf(t, &j.d.Code, true)
	h.num(ts.sig, ts.inks, uint64(dir))
	h.str(text)
	key := h.sum()
	if f := j.l.furnish[key]; f != nil && f.text == text {
		f.use = j.l.gen
		return f.line, nil
	}
	ls, err := j.setLabel(text, ts, dir)
	if err != nil {
		return nil, err
	}
	j.l.furnish[key] = &furnished{text: text, line: ls, use: j.l.gen}
	return ls, nil
}

// furnished is a kept label or line of a running head.
type furnished struct {
	text string
	line *frame.LineSet
	use  uint32
}

// setLabel sets text on one line with natural spaces.
func (j *job) setLabel(text string, ts *typeStyle, dir bidi.Direction) (*frame.LineSet, error) {
	rs, err := j.l.style(j.ctx, ts, 0, false)
	if err != nil {
		return nil, err
	}
	ls := &frame.LineSet{Last: true, Ratio: 1000}
	if rs.upper {
		text = capitals(text)
	}
	var levels []uint8
	if dir == bidi.RTL || bidi.Needed(text) {
		levels, _ = bidi.Levels(text, dir, nil)
	}
	var x unit.Sp
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			x += rs.f.space
			i++
			continue
		}
		k := i
		for k < len(text) && text[k] != ' ' && (k-i < maxPiece || !utf8.RuneStart(text[k])) && (levels == nil || levels[k] == levels[i]) {
			k++
		}
		rs := rs
		if levels != nil && levels[i]%2 == 1 {
			if rs, err = j.l.turned(j.ctx, rs); err != nil {
				return nil, err
			}
		}
		wd := rs.f.part(text[i:k])
		for s, sh := 0, wd.shape; ; s++ {
			if n := len(ls.Runs); n == 0 || ls.Runs[n-1].Face != sh.Face {
				ls.Runs = append(ls.Runs, frame.Run{Face: sh.Face, Size: rs.f.key.size, Color: rs.color, Tracking: rs.f.key.track})
			}
			r := &ls.Runs[len(ls.Runs)-1]
			r.Words = append(r.Words, frame.Word{X: x, Shape: sh, Start: int32(i), End: int32(min(i+len(sh.Text), k))})
			x += rs.f.extent(sh)
			if s >= len(wd.more) {
				break
			}
			sh = wd.more[s]
		}
		i = k
	}
	if levels != nil {
		arrange(ls.Runs, levels, x)
	}
	ls.Width = x
	ls.End = int32(len(text))
	return ls, nil
}
