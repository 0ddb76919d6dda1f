package layout

import (
	"strconv"
	"strings"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Inks of the box that stands where a picture is missing.
var (
	pictureFill = unit.Color{R: 0xf7, G: 0xf7, B: 0xf7, A: 255}
	pictureEdge = unit.Color{R: 0xcc, G: 0xcc, B: 0xcc, A: 255}
	pictureInk  = unit.Color{R: 0x55, G: 0x55, B: 0x55, A: 255}
)

// image sets an image that stands alone in its paragraph where it is written
// (document-format.md 19): as large as its pixels make it, no wider than the
// measure and no higher than the column.
func (w *walker) image(b *markup.Block, p place) error {
	found, err := w.look(b.Target)
	if err != nil {
		return err
	}
	if found.Picture == nil {
		return w.missing(b, p, found.Why)
	}
	w.pictureNotes(&found, b.Target, b.Start, b.End)
	s := &figureSpec{found: found, name: b.Target, alt: markup.PlainText(b.Inlines), id: b.Target, start: b.Start, end: b.End,
		caption: b.Caption, style: &w.d.Figures.Caption, place: settings.Placement{Width: 1, CaptionMeasure: "slot"}, centred: true}
	if b.ID != "" {
		// An image with an id of its own can be referred to: it is numbered, and
		// what it shows is told under it, in the title or else in the brackets.
		if n := w.numbered(b.ID, ""); n != nil && n.Resource == nil {
			s.id, s.number, s.style = b.ID, n.Number, &w.kindOf(n).Caption
			if len(s.caption) == 0 {
				s.caption, s.alt = b.Inlines, ""
			}
			s.label = n.captionLabel(len(s.caption) > 0)
		}
	}
	if v, ok := b.Attrs.Get("width"); ok {
		w.asked(s, v)
	}
	return w.inlineFigure(s, p)
}

// asked reads the width an image asks for: a share of the measure or a length.
func (w *walker) asked(s *figureSpec, v string) {
	number := strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz%")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x > 0) || x > 1e5 {
		return
	}
	points := map[string]float64{"pt": 1, "in": 72, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 72 / w.d.Page.DPI}
	switch u := v[len(number):]; {
	case u == "%":
		s.place.Width = min(x/100, 1)
		s.exact = unit.Sp(1 << 40) // the share caps it
	case u == "em":
		s.exact = unit.FromPt(float64(x * w.d.Body.Size.Pt()))
	case points[u] > 0:
		s.exact = unit.FromPt(float64(x * points[u]))
	}
}

// inlineFigure adds a figure to the flow where it is written.
func (w *walker) inlineFigure(s *figureSpec, p place) error {
	n := node{what: nFigure, kind: frame.Resource, spec: s, start: s.start, end: s.end, index: w.index, id: s.id, number: s.number,
		x: p.x, leading: p.leading, snap: true, group: p.group, whole: true}
	w.index++
	if p.group > 0 || p.subcolumn || p.onPart {
		s.place.CaptionSide = false
	}
	n.settles = !s.place.CaptionSide
	var err error
	if n.fig, err = w.job.inline(s, p.width, n.index); err != nil {
		return err
	}
	n.above, n.below = w.figureGaps(p)
	w.flow.nodes = append(w.flow.nodes, n)
	w.afterPara, w.afterHeading = false, false
	return nil
}

// figureGaps is the room above and below a figure or table in the flow
// (layout.inlineResourceGap).
func (w *walker) figureGaps(p place) (above, below unit.Sp) {
	above = w.d.Body.Leading
	if p.group > 0 {
		if above = p.leading; !w.d.Figures.GapInBoxes {
			above = 0
		}
	}
	if w.d.Figures.GapBelow {
		below = above
	}
	return above, below
}

// inline measures a figure for the flow: a picture too high for a column is made
// smaller.
func (j *job) inline(s *figureSpec, width unit.Sp, index int) (*figure, error) {
	f, err := j.build(s, width, j.columnHeight(), 1, 0)
	if err == nil {
		f.index = index
	}
	return f, err
}

// columnHeight is the height of a full column, in whole lines.
func (j *job) columnHeight() unit.Sp {
	g := max(j.d.Body.Leading, 1)
	return max(contentOf(j.d, true).H/g, 1) * g
}

// pictureNotes reports what of a picture's file is not honoured.
func (j *job) pictureNotes(f *Found, name string, start, end int) {
	for _, n := range f.Picture.Notes {
		j.figureProblem("pictureSimplified", name, name+" — "+n, start, end)
	}
	for _, family := range f.Picture.Missing {
		j.figureProblem("svgFontUnavailable", name, "#"+name+" · "+strconv.Quote(family)+" cannot be had; the image sets that text in another face", start, end,
			frame.Field{Key: "family", Value: family})
	}
}

// figureProblem reports something about a resource once.
func (j *job) figureProblem(kind, resource, detail string, start, end int, fields ...frame.Field) {
	n := len(j.problems)
	j.reportOnce(kind, detail, start, end)
	if len(j.problems) > n {
		p := &j.problems[n]
		p.Resource = resource
		p.Fields = append([]frame.Field{{Key: "resourceId", Value: resource}}, fields...)
	}
}

// missing sets a box with the words of a picture that cannot be had, where the
// picture would stand, with its caption, the two kept together. The box keeps its
// padding at the head of a column, too: its edge is on the type area's.
func (w *walker) missing(b *markup.Block, p place, why string) error {
	w.figureProblem("missingImage", b.Target, strconv.Quote(b.Target)+" — "+why+"; a box with its words stands in its place", b.Start, b.End)
	t := p.text
	t.Size = share(t.Size, 850)
	t.Leading = share(p.leading, 850)
	t.Italic, t.Hyphenate, t.Indent, t.Color = false, false, 0, pictureInk
	pad := t.Size
	if p.width < 8*pad {
		pad = 0
	}
	above, below := w.figureGaps(p)
	box := node{in: standing(b.Inlines, b.Target, b), x: p.x + pad, rise: pad, above: above, below: below, leading: t.Leading, id: b.Target,
		set:  w.setting(settingKey{text: t, plainInk: true, width: p.width - 2*pad, align: centred, flags: fByLine}),
		fill: pictureFill, edge: pictureEdge, pad: pad}
	c := &w.d.Figures.Caption
	words := node{in: standing(b.Caption, b.Title, b), x: p.x, above: above, below: below, leading: c.Text.Leading}
	ct := c.Text
	ct.Italic = ct.Italic != c.Italic
	if al := alignOf(ct.Align); b.Title != "" {
		words.set = w.setting(settingKey{text: ct, plainInk: true, width: p.width, align: al, flags: fByLine})
		m, err := w.measure(words.in, words.set)
		if err != nil {
			return err
		}
		if len(m.lines) == 1 { // as under a picture
			words.set = w.setting(settingKey{text: ct, plainInk: true, width: p.width, align: centred, flags: fByLine})
		}
	}
	parts := []*node{&box, &words}
	switch {
	case b.Title == "":
		parts = parts[:1]
	case c.Above:
		parts[0], parts[1] = &words, &box
	}
	for i, n := range parts {
		n.kind, n.start, n.end, n.group, n.whole, n.snap = frame.Resource, b.Start, b.End, p.group, true, true
		n.settles = i == 0
		if i+1 < len(parts) {
			n.below, parts[i+1].above, n.snap, n.keepNext = c.Gap, 0, false, true
		}
		set, err := w.add(*n)
		if err != nil {
			return err
		}
		if n == &box {
			set.least = unit.Sp(len(set.m.lines))*set.leading + pad
		}
	}
	w.afterPara = false
	return nil
}

// standing are the words of an image as they are printed, or a name in their place.
func standing(in []markup.Inline, name string, b *markup.Block) []markup.Inline {
	if len(in) == 0 {
		in = []markup.Inline{{Kind: markup.Chip, Text: name, Start: b.Start, End: b.End}}
	}
	return in
}

// picture gives how an image inside a line is set: its file at the text's
// resolution, no higher than the line and no wider than the measure.
func (b *builder) picture(in *markup.Inline, rs *runStyle) (*runStyle, error) {
	found, err := b.j.look(in.Target)
	if err != nil {
		return nil, err
	}
	if found.Picture == nil {
		b.j.figureProblem("missingImage", in.Target, strconv.Quote(in.Target)+" — "+found.Why+"; its words stand in its place", in.Start, in.End)
		return nil, nil
	}
	b.j.pictureNotes(&found, in.Target, in.Start, in.End)
	w, h := found.Picture.Natural(b.j.dots(&found))
	high, wide := max(b.s.leading, 1), max(b.narrowest(), 1)
	if h > high {
		w, h = max(unit.Sp(unit.MulDiv(int64(w), int64(high), int64(h))), 1), high
	}
	if w > wide {
		w, h = wide, max(unit.Sp(unit.MulDiv(int64(h), int64(wide), int64(w))), 1)
	}
	out := *rs
	out.pic, out.picW, out.picH = found.Picture, w, h
	// It stands on the baseline, or lower where it would reach into the line above.
	out.rise = min(0, share(high, 800)-h)
	return &out, nil
}

// sceneBreak sets three centred asterisks, lowered to the middle of their line, in
// the room of a blank line of the grid: half of it above, half below (document-
// format.md 19). Between paragraphs a blank line apart it has one on each side, or
// it would part less than they do.
func (w *walker) sceneBreak(b *markup.Block, p place) error {
	t := w.d.Body
	t.Hyphenate = false
	room := t.Leading / 2
	if p.spaced {
		room = t.Leading
	}
	n := node{kind: frame.SceneBreak, above: room, below: room, start: b.Start, end: b.End, x: p.x,
		in:  []markup.Inline{{Kind: markup.Chip, Text: "*\u2003*\u2003*", Start: b.Start, End: b.End}},
		set: w.setting(settingKey{text: t, plainInk: true, width: p.width, align: centred}), whole: true,
		leading: w.d.Body.Leading, snap: true, group: p.group}
	got, err := w.add(n)
	if err != nil {
		return err
	}
	m := *got.m
	m.lines = append([]frame.LineSet(nil), m.lines...)
	for i := range m.lines {
		runs := append([]frame.Run(nil), m.lines[i].Runs...)
		for k := range runs {
			runs[k].Rise += middle(&runs[k])
		}
		m.lines[i].Runs = runs
	}
	got.m, got.from = &m, got.m
	w.afterPara, w.afterHeading = false, true
	return nil
}

// outlineY takes a height of an outline to its size on the page.
func outlineY(f *font.Face, y int32, size unit.Sp) unit.Sp {
	return unit.Sp(unit.MulDiv(int64(y), int64(size), int64(f.UPem)*font.OutlineUnit))
}

// middle is how far a run is raised so that its first glyph's middle stands at
// half the height of small letters.
func middle(r *frame.Run) unit.Sp {
	if len(r.Words) == 0 || len(r.Words[0].Shape.Glyphs) == 0 {
		return 0
	}
	f := r.Face
	o := f.Outline(r.Words[0].Shape.Glyphs[0].ID)
	if len(o.Segments) == 0 {
		return 0
	}
	return unit.Scale(f.XHeight/2-(o.MinY+o.MaxY)/2/font.OutlineUnit, r.Size, f.UPem)
}
