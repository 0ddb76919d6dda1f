package layout

import (
	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/linebreak"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Chips, swatches and the ground of inline code are plates behind the words of a
// line (document-format.md 7.3, 7.7; settings.md 15, 16). A plate takes part in
// the line by the padding of its first and last word; how high it is changes no
// leading.

// plate is a plate as the builder sets it; it covers the words of consecutive
// pieces.
type plate struct {
	above, below unit.Sp
	fill, stroke unit.Color
	line, radius unit.Sp
}

// plated is a word set on a plate.
type plated struct {
	word, plate int32
	left, right unit.Sp // padding
	width       unit.Sp // of the word itself
}

// chipBand is how far a chip reaches above and below the baseline before its
// padding, in thousandths of its size.
const chipAbove, chipBelow = 800, 250

// chipStyle finds the style of a chip: the first where it names none or one there
// is not. nil: the book has none.
func (j *job) chipStyle(in *markup.Inline) *settings.ChipStyle {
	id, given := in.Attrs.Get("style")
	for i := range j.d.Chips {
		if j.d.Chips[i].ID == id {
			return &j.d.Chips[i]
		}
	}
	if given {
		j.reportOnce("unknownChipStyle", "no chip style has the id "+id+": the first style is used", in.Start, in.End, frame.Field{Key: "style", Value: id})
	}
	if len(j.d.Chips) == 0 {
		return nil
	}
	return &j.d.Chips[0]
}

// hashPlates adds what a chip, swatch or span of code looks like to a measure's
// key.
func (j *job) hashPlates(h *hasher, n *markup.Inline, s *setting) {
	switch {
	case n.Kind == markup.Chip && n.Inner != nil:
		h.one(s.ts.inks)
		for i := range n.Inner.Words {
			h.num(uint64(n.Inner.Words[i].Style))
			h.str(n.Inner.Words[i].Text)
		}
		if c := j.chipStyle(n); c != nil {
			h.str(c.ID)
			h.str(c.Family)
			for _, l := range []settings.Relative{c.BorderWidth, c.Radius, c.PadX, c.PadTop, c.PadBottom, c.Size, c.Gap} {
				h.num(uint64(l.Ems), uint64(l.Fixed))
			}
			h.num(ink(c.Fill), ink(c.Border), ink(c.Color), flag(c.ColorSet)|flag(c.Bold)<<1|flag(c.Italic)<<2)
		}
	case n.Kind == markup.Swatch:
		j.flow.swatches = true
		h.one(s.ts.inks)
		c, _ := n.Attrs.Get("color")
		col, ok := j.d.Color(c)
		h.num(ink(col), flag(ok))
	case n.Kind == markup.Text && n.Style&markup.CodeSpan != 0 && !s.raw:
		c := &j.d.Code.Span
		h.num(ink(c.Fill), ink(c.Border))
	}
}

// chip sets a chip: its words as one unbreakable run on a plate.
func (b *builder) chip(in *markup.Inline, from, to int) error {
	c := b.j.chipStyle(in)
	if c == nil {
		return b.atom(in, from, to)
	}
	t := b.s.ts.text
	t.Size = max(c.Size.Of(t.Size), 1)
	t.Hyphenate = false
	if c.Family != "" {
		t.Family = c.Family
	}
	if c.Bold {
		t.Weight = t.BoldWeight
	}
	t.Italic = t.Italic || c.Italic
	if c.ColorSet {
		t.Color, t.BoldColor, t.ItalicColor = c.Color, c.Color, c.Color
	}
	ts := b.j.l.typeOf(t, b.s.ts.code, b.s.ts.plainInk || c.ColorSet)
	em := t.Size
	line := c.BorderWidth.Of(em)
	if c.Border.A == 0 {
		line = 0
	}
	pad := c.PadX.Of(em) + line
	b.plates = append(b.plates, plate{above: share(em, chipAbove) + c.PadTop.Of(em) + line, below: share(em, chipBelow) + c.PadBottom.Of(em) + line,
		fill: c.Fill, stroke: c.Border, line: line, radius: c.Radius.Of(em)})
	gap := c.Gap.Of(em)
	b.roomBefore(gap, from)
	first := len(b.pieces)
	outer := in.Style
	for i := range in.Inner.Words {
		w := &in.Inner.Words[i]
		text := w.Text
		if w.Kind != markup.Text {
			if text, _, _ = b.j.printed(w); text == "" {
				continue
			}
		}
		base, err := b.j.l.style(b.j.ctx, ts, w.Style|outer, false)
		if err != nil {
			return err
		}
		rs := *base
		rs.ownInk = true
		if rs.upper {
			text = capitals(text)
		}
		b.put(rs.f.part(text), &rs, in.Link, from, to)
	}
	if len(b.pieces) == first { // an empty box, to be ticked
		rs, err := b.j.l.style(b.j.ctx, ts, outer, false)
		if err != nil {
			return err
		}
		b.put(&word{shape: &font.Shape{Face: rs.f.face, Text: object}, face: rs.f.face, width: em / 2}, rs, in.Link, from, to)
	}
	b.onPlate(first, len(b.pieces), pad, pad)
	for i := len(b.items) - 1; i >= 0 && b.refs[i].piece >= int32(first); i-- {
		b.items[i].NoTrack = true
	}
	b.gap, b.gapAt = gap, to
	return nil
}

// swatch sets a square of a colour on the baseline.
func (b *builder) swatch(in *markup.Inline, from, to int) error {
	base, err := b.j.l.style(b.j.ctx, b.s.ts, b.styleOf(in), false)
	if err != nil {
		return err
	}
	rs := *base
	rs.ownInk = true
	side := share(rs.f.key.size, 750)
	name, _ := in.Attrs.Get("color")
	fill, _ := b.j.d.Color(name)
	b.plates = append(b.plates, plate{above: side, fill: fill, stroke: base.color, line: max(side/18, unit.Pt/4)})
	w := &word{shape: &font.Shape{Face: rs.f.face}, face: rs.f.face, width: side}
	first := len(b.pieces)
	b.put(w, &rs, in.Link, from, to)
	b.onPlate(first, first+1, 0, 0)
	b.pieces[first].bare = true
	return nil
}

// codeGround puts the pieces from first on, a span of code, on its plate; opens
// and closes say that the span begins and ends there.
func (b *builder) codeGround(rs *runStyle, first int, opens, closes bool) {
	c := &b.j.d.Code.Span
	if len(b.pieces) == first {
		return
	}
	em := rs.f.key.size
	left, right := unit.Sp(0), unit.Sp(0)
	if opens {
		left = c.PadX.Of(em)
		b.plates = append(b.plates, plate{above: share(em, chipAbove) + c.PadY.Of(em), below: share(em, chipBelow) + c.PadY.Of(em),
			fill: c.Fill, stroke: c.Border, line: c.BorderWidth.Of(em), radius: c.Radius.Of(em)})
	}
	if closes {
		right = c.PadX.Of(em)
	}
	b.onPlate(first, len(b.pieces), left, right)
}

// onPlate puts pieces on the plate made last and pads the first and last of them.
func (b *builder) onPlate(first, last int, left, right unit.Sp) {
	id := int32(len(b.plates))
	for i := first; i < last; i++ {
		b.pieces[i].plate = id
	}
	grow := func(k int, by unit.Sp) {
		p := &b.pieces[k]
		w := *p.w
		w.width += by
		p.w = &w
	}
	if left != 0 && len(b.pieces[first].w.cuts) == 0 {
		for i := len(b.items) - 1; i >= 0; i-- {
			if b.refs[i].piece == int32(first) && b.items[i].Kind == linebreak.Box {
				b.items[i].Width += left
				break
			}
		}
		grow(first, left)
		b.pieces[first].dx, b.pieces[first].left = left, left
	}
	if right != 0 && len(b.pieces[last-1].w.cuts) == 0 {
		for i := len(b.items) - 1; i >= 0; i-- {
			if b.refs[i].piece == int32(last-1) && b.items[i].Kind == linebreak.Box {
				b.items[i].Width += right
				break
			}
		}
		grow(last-1, right)
		b.pieces[last-1].right = right
	}
}

// roomBefore sees that at least gap stands between what comes next and the word
// before it.
func (b *builder) roomBefore(gap unit.Sp, at int) {
	n := len(b.items)
	if n == 0 || gap <= 0 {
		return
	}
	if it := &b.items[n-1]; it.Kind == linebreak.Glue {
		it.Width = max(it.Width, gap)
		it.Shrink = min(it.Shrink, it.Width-gap)
		return
	}
	if r := before(b.plain, at); b.glued && (letter(r) || digit(r) || r == 0xFFFC) {
		b.items = append(b.items, linebreak.Item{Kind: linebreak.Box, Width: gap, NoTrack: true})
		w := &word{shape: &font.Shape{}, width: gap}
		b.pieces = append(b.pieces, piece{w: w, bare: true, start: int32(at), end: int32(at), empty: true})
		b.refs = append(b.refs, ref{int32(len(b.pieces) - 1), 0})
	}
}

// linePlates makes the plates of a line whose words stand at their places.
func (b *builder) linePlates() []frame.Plate {
	var out []frame.Plate
	open := int32(0)
	for _, k := range b.platedWords {
		w := &b.words[k.word]
		x, right := w.X-k.left, w.X+k.width+k.right
		if k.plate == open {
			p := &out[len(out)-1]
			p.W = right - p.X
			continue
		}
		l := &b.plates[k.plate-1]
		open = k.plate
		out = append(out, frame.Plate{X: x, W: right - x, Above: l.above, Below: l.below, Fill: l.fill, Stroke: l.stroke, Line: l.line, Radius: l.radius})
	}
	return out
}
