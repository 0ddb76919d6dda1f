package layout

import (
	"strconv"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/unit"
)

// Inks of the box that stands where a picture will.
var (
	pictureFill = unit.Color{R: 0xf7, G: 0xf7, B: 0xf7, A: 255}
	pictureEdge = unit.Color{R: 0xcc, G: 0xcc, B: 0xcc, A: 255}
	pictureInk  = unit.Color{R: 0x55, G: 0x55, B: 0x55, A: 255}
)

// image sets a box in the place of a picture: its words inside, its caption
// under it, the two kept together.
func (w *walker) image(b *markup.Block, p place) error {
	w.report("notLaidOutImage", "pictures are not set yet; the words of "+strconv.Quote(b.Target)+" stand in their place", b.Start, b.End)
	t := p.text
	t.Size = share(t.Size, 850)
	t.Leading = share(p.leading, 850)
	t.Italic, t.Hyphenate, t.Indent, t.Color = false, false, 0, pictureInk
	words := b.Inlines
	if len(words) == 0 {
		words = []markup.Inline{{Kind: markup.Chip, Text: b.Target, Start: b.Start, End: b.End}}
	}
	L := w.d.Body.Leading
	pad := t.Size
	if p.width < 8*pad {
		pad = 0
	}
	n := node{kind: frame.Resource, in: words, start: b.Start, end: b.End, x: p.x + pad,
		set:   w.setting(settingKey{text: t, plainInk: true, width: p.width - 2*pad, align: centred, flags: fByLine}),
		above: L + pad, below: L + pad, snap: true, leading: t.Leading, group: p.group, id: b.Target, whole: true,
		fill: pictureFill, edge: pictureEdge, pad: pad}
	if b.Title != "" {
		n.below, n.snap, n.keepNext = pad+L/3, false, true
	}
	if _, err := w.add(n); err != nil {
		return err
	}
	if b.Title != "" {
		t.Color = p.text.Color
		c := node{kind: frame.Resource, in: []markup.Inline{{Kind: markup.Chip, Text: b.Title, Start: b.Start, End: b.End}},
			start: b.Start, end: b.End, x: p.x,
			set:   w.setting(settingKey{text: t, plainInk: true, width: p.width, align: flushLeft, flags: fByLine}),
			below: L, snap: true, leading: t.Leading, group: p.group, whole: true}
		if _, err := w.add(c); err != nil {
			return err
		}
	}
	w.afterPara = false
	return nil
}

// sceneBreak sets three centred asterisks on a line of the grid, lowered to the
// middle between the lines above and below.
func (w *walker) sceneBreak(b *markup.Block, p place) error {
	t := w.d.Body
	t.Hyphenate = false
	n := node{kind: frame.SceneBreak, start: b.Start, end: b.End, x: p.x,
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
