package layout

import (
	"strings"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/math"
	"postext/engine/unit"
)

// mathFamily is the family whose MATH table sets formulas. It is asked for when
// the first formula comes up, and not before.
const mathFamily = "STIX Two Math"

// formulaKey is what a set formula depends on.
type formulaKey struct {
	tex     string
	size    unit.Sp
	display bool
	refs    uint64 // of the numbers its \ref's print
}

// formula is a set formula or the reason why there is none.
type formula struct {
	drawing *frame.Drawing
	rows    []math.Row
	err     error
	use     uint32
}

// formulaOf sets a formula, or finds it set. An error of the formula's is in the
// result; the error returned is the context's.
func (j *job) formulaOf(tex string, size unit.Sp, display bool) (*formula, error) {
	l := j.l
	k := formulaKey{tex, size, display, j.refsIn(tex)}
	if f := l.formulas[k]; f != nil {
		f.use = l.gen
		return f, nil
	}
	if err := j.tick(); err != nil {
		return nil, err
	}
	f := &formula{use: l.gen}
	tree, err := math.Parse(tex)
	if err != nil {
		f.err = err
		l.formulas[k] = f
		return f, nil
	}
	mf, err := l.mathFont(j)
	if err != nil {
		if j.ctx.Err() != nil {
			return nil, j.ctx.Err()
		}
		f.err = err // not kept: the font may come yet
		return f, nil
	}
	o := math.Options{Size: size, Display: display, Ref: func(id string) (string, bool) {
		a, ok := j.in.Anchors[id]
		return a.Number, ok && a.Number != ""
	}}
	if l.env.Others != nil {
		o.Others = func() []*font.Face { return l.env.Others(mf.Face, "") }
	}
	set, err := mf.Set(tree, o)
	if err != nil {
		f.err = err
	} else {
		f.drawing, f.rows = drawn(set), set.Rows
	}
	l.formulas[k] = f
	return f, nil
}

// mathFont opens the mathematical face.
func (l *Layouter) mathFont(j *job) (*math.Font, error) {
	if l.maths != nil {
		return l.maths, nil
	}
	face, err := l.env.Face(j.ctx, mathFamily, 400, false)
	if err != nil {
		return nil, err
	}
	f, err := math.NewFont(face)
	if err != nil {
		return nil, err
	}
	l.maths = f
	return f, nil
}

// drawn is a formula as frames hold it.
func drawn(m *math.Formula) *frame.Drawing {
	d := &frame.Drawing{Width: m.Width, Height: m.Height, Depth: m.Depth,
		Marks: make([]frame.Mark, len(m.Glyphs)), Bars: make([]frame.Bar, len(m.Rules))}
	for i, g := range m.Glyphs {
		d.Marks[i] = frame.Mark{Face: g.Face, Glyph: g.ID, Size: g.Size, X: g.X, Y: g.Y, Color: g.Ink}
	}
	for i, r := range m.Rules {
		d.Bars[i] = frame.Bar{X: r.X, Y: r.Y, W: r.W, H: r.H, Color: r.Ink}
	}
	return d
}

// refsIn is a key of the numbers a formula's references print.
func (j *job) refsIn(tex string) uint64 {
	if !strings.Contains(tex, `ref{`) {
		return 0
	}
	h := newHasher()
	for rest := tex; ; {
		k := strings.Index(rest, `ref{`)
		if k < 0 {
			return h.sum()
		}
		rest = rest[k+len(`ref{`):]
		if n := strings.IndexByte(rest, '}'); n >= 0 {
			h.str(j.in.Anchors[strings.TrimSpace(rest[:n])].Number)
		}
	}
}

// badMath reports a formula that cannot be set.
func (j *job) badMath(tex string, err error, start, end int) {
	tex = strings.Join(strings.Fields(tex), " ")
	j.problems = append(j.problems, frame.Problem{Kind: "invalidMath", Detail: cutText(tex, 60) + " — " + err.Error(),
		Start: start, End: end, Page: -1,
		Fields: []frame.Field{{Key: "tex", Value: tex}, {Key: "message", Value: err.Error()}}})
}

// cutText is the first n characters of a text.
func cutText(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}

// Room of a formula in its line, in thousandths of the text's size: what the
// lines above and below may reach into it with, a descender and an ascender.
// Beyond, a formula is set smaller.
const (
	inkAbove = 230
	inkBelow = 720
)

// math adds a formula to the line: one unbreakable word (document-format.md
// 7.9), smaller when it would meet the lines around or is wider than its own.
func (b *builder) math(in *markup.Inline, from, to int) error {
	if !b.j.d.Math.Enabled {
		return b.source(in, from, to)
	}
	rs, err := b.j.l.style(b.j.ctx, b.s.ts, b.styleOf(in)&^(markup.Italic|markup.Bold)|mathStyle, false)
	if err != nil {
		return err
	}
	size := max(share(rs.f.key.size, b.j.d.Math.Scale), 1)
	f, err := b.j.formulaOf(in.Text, size, false)
	if err != nil {
		return err
	}
	if f.err == nil {
		text, lead := b.s.ts.text.Size, b.s.leading
		up, down := lead-share(text, inkAbove), lead-share(text, inkBelow)
		fit := func(have, room unit.Sp) {
			if have > room && room > 0 && have > 0 {
				size = max(min(size, unit.Sp(unit.MulDiv(int64(rs.f.key.size*unit.Sp(b.j.d.Math.Scale)/1000), int64(room), int64(have)))), 1)
			}
		}
		was := size
		fit(f.drawing.Height, up)
		fit(f.drawing.Depth, down)
		fit(f.drawing.Width, min(b.s.width-b.s.first, b.s.width-b.s.hang))
		if size != was {
			if f, err = b.j.formulaOf(in.Text, size, false); err != nil {
				return err
			}
		}
	}
	if f.err != nil {
		return b.source(in, from, to)
	}
	w := rs.f.newWord()
	face := b.j.l.maths.Face
	*w = word{shape: &font.Shape{Face: face}, face: face, width: f.drawing.Width, drawing: f.drawing}
	b.put(w, rs, in.Link, from, to)
	return nil
}

// source prints a formula as it is written.
func (b *builder) source(in *markup.Inline, from, to int) error { return b.atom(in, from, to) }

// badFormulas reports the formulas of a text that cannot be set; their sources
// print.
func (w *walker) badFormulas(in []markup.Inline, s *setting) error {
	if !w.d.Math.Enabled {
		return nil
	}
	for i := range in {
		if in[i].Kind != markup.Math {
			continue
		}
		f, err := w.formulaOf(in[i].Text, max(share(s.ts.text.Size, w.d.Math.Scale), 1), false)
		if err != nil {
			return err
		}
		if f.err != nil {
			w.badMath(in[i].Text, f.err, in[i].Start, in[i].End)
		}
	}
	return nil
}

// displayed is a display formula in the flow: what it takes to set it again at
// another measure.
type displayed struct {
	block   *markup.Block
	numbers []string // printed, by row
	place   place
	drop    unit.Sp // from its top to its baseline
}

// formula sets a display formula (document-format.md 4.7).
func (w *walker) formula(b *markup.Block, p place) error {
	m := &w.d.Math
	above, below := m.Above, m.Below
	if !m.Enabled {
		return w.formulaSource(b, p)
	}
	size := max(share(p.text.Size, m.Scale), 1)
	f, err := w.formulaOf(b.Literal, size, true)
	if err != nil {
		return err
	}
	if f.err != nil {
		w.badMath(b.Literal, f.err, b.Start, b.End)
		return w.formulaSource(b, p)
	}
	dis := &displayed{block: b, place: p, numbers: w.numberRows(f.rows)}
	n := node{kind: frame.Formula, start: b.Start, end: b.End, x: p.x, set: w.setting(settingKey{text: p.text, width: p.width, align: centred}),
		above: above, below: below, snap: true, settles: true, group: p.group, id: b.ID, free: true, whole: true, style: p.style, formula: dis,
		number: strings.Join(dis.numbers, " ")}
	if err := w.display(&n, p.width); err != nil {
		return err
	}
	n.index = w.index
	w.index++
	for i := range f.rows {
		for _, id := range f.rows[i].Labels {
			w.flow.marks = append(w.flow.marks, landmark{index: int32(n.index), id: id})
		}
	}
	n.text = &frame.Text{Plain: object, Map: []frame.MapEntry{{Src: int32(b.Start), SrcLen: int32(b.End - b.Start)}}}
	w.flow.nodes = append(w.flow.nodes, n)
	w.afterPara, w.afterHeading = false, false
	return nil
}

// numberGap is the least room between a formula and its number, in thousandths
// of the text's size.
const numberGap = 1000

// display sets a node's formula in a measure: centred, its numbers flush right
// on the baselines of their rows. A formula that leaves no room for its number
// moves to the left; one that fills the measure has it on a line of its own
// below. One wider than the measure is set smaller.
func (j *job) display(n *node, width unit.Sp) error {
	d := n.formula
	p := &d.place
	size := max(share(p.text.Size, j.d.Math.Scale), 1)
	f, err := j.formulaOf(d.block.Literal, size, true)
	if err != nil {
		return err
	}
	if f.err == nil && f.drawing.Width > width {
		size = max(unit.Sp(unit.MulDiv(int64(size), int64(width), int64(f.drawing.Width))), 1)
		if f, err = j.formulaOf(d.block.Literal, size, true); err != nil {
			return err
		}
	}
	if f.err != nil {
		return f.err
	}
	t := p.text
	t.Italic, t.Transform = false, "none"
	ts := j.l.typeOf(t, &j.d.Code, p.plainInk)
	rs, err := j.l.style(j.ctx, ts, mathStyle, false)
	if err != nil {
		return err
	}
	labels := make([]*frame.LineSet, len(d.numbers))
	var widest unit.Sp
	for i, text := range d.numbers {
		if text == "" {
			continue
		}
		if labels[i], err = j.label(text, t); err != nil {
			return err
		}
		widest = max(widest, labels[i].Width)
	}
	dr := f.drawing
	x := max((width-dr.Width)/2, 0)
	height, depth := dr.Height, dr.Depth
	drop := unit.Sp(0) // of the numbers, when they stand below
	if widest > 0 {
		gap := share(t.Size, numberGap)
		switch room := width - widest - gap - dr.Width; {
		case room < 0:
			drop = dr.Depth + p.leading
			depth += p.leading + share(p.leading, 200)
		case x > room:
			x = room
		}
		height, depth = max(height, share(t.Size, 700)), max(depth, share(t.Size, 250))
	}
	face := j.l.maths.Face
	ls := frame.LineSet{Width: dr.Width, End: int32(len(object)), Last: true, Ratio: 0}
	ls.Runs = append(ls.Runs, frame.Run{Face: face, Size: size, Color: rs.color,
		Words: []frame.Word{{Shape: &font.Shape{Face: face}, End: int32(len(object)), Drawing: dr}}})
	for i, label := range labels {
		if label == nil {
			continue
		}
		y := -drop
		if drop == 0 && i < len(f.rows) {
			y = f.rows[i].Y
		}
		for _, r := range label.Runs {
			words := append([]frame.Word(nil), r.Words...)
			for k := range words {
				words[k].X += width - label.Width - x
				words[k].Start, words[k].End = int32(len(object)), int32(len(object))
			}
			r.Words, r.Rise = words, r.Rise+y
			ls.Runs = append(ls.Runs, r)
		}
		ls.Width = width - x
	}
	n.m = &measured{plain: object, lines: []frame.LineSet{ls}, offs: []unit.Sp{x}, use: j.l.gen}
	n.leading, d.drop = max(height+depth, 1), height
	return nil
}

// formulaSource prints a display formula's source, centred.
func (w *walker) formulaSource(b *markup.Block, p place) error {
	t := p.text
	t.Italic, t.Hyphenate = false, false
	src := strings.TrimSpace(b.Literal)
	at := b.LitStart + strings.Index(b.Literal, src)
	n := node{kind: frame.Formula, in: literal(src, at), start: b.Start, end: b.End, x: p.x,
		set:   w.setting(settingKey{text: t, plainInk: true, width: p.width, align: centred, flags: fByLine}),
		above: w.d.Math.Above, below: w.d.Math.Below, snap: true, leading: p.leading, group: p.group, id: b.ID, free: true}
	_, err := w.add(n)
	w.afterPara, w.afterHeading = false, false
	return err
}
