package layout

import (
	"slices"
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Boxes stand in the flow between two nodes, one that opens and one that closes
// them (document-format.md 6.1, settings.md 17); listings are boxes too. What
// stands inside keeps its own places, off the page's grid; the placer draws the
// frame around what of it stands in a column (boxing.go).

// box is a box of the flow.
type box struct {
	parent  int32 // the box around it, from 1; 0 for none
	outline settings.Frame
	stripe  settings.Stripe
	x, w    unit.Sp // of its frame, from the column's left edge
	pad     settings.Sides
	least   unit.Sp // least height of what stands inside, for its icon
	brk     settings.Break
	first   int // its opening node
	last    int // its closing node
	again   *node
	goesOn  *frame.LineSet // under a part that goes on
	goesOnH unit.Sp
	signs   []sign
	block   frame.Block // what every part's block has
	short   bool        // its parts' minimum of lines is not asked for (a title alone)
}

// sign is an icon, badge, marker or label tab of a box's first part.
type sign struct {
	kind      string // icon, corner, marker, label
	line      *frame.LineSet
	above     unit.Sp // how far the sign's ink reaches above its baseline
	height    unit.Sp // of its ink
	x, w      unit.Sp // from the frame's left edge
	image     string
	imageW    unit.Sp // of a tab's picture, with the gap behind it
	gap       unit.Sp
	centre    bool
	side      string
	fill      unit.Color
	rise      unit.Sp // of a tab above the frame
	rule      settings.Rule
	ruleLeast unit.Sp
}

// boxStyleOf finds the style a box asks for: the first where it asks for none or
// one there is not.
func (w *walker) boxStyleOf(b *markup.Block) *settings.BoxStyle {
	id, given := b.Attrs.Get("type")
	for i := range w.d.Boxes {
		if w.d.Boxes[i].ID == id {
			return &w.d.Boxes[i]
		}
	}
	if given && w.d.BoxesGiven {
		w.unknown("unknownCalloutType", "type", id, "no box style has the id "+id+": the first style is used", b)
	}
	if len(w.d.Boxes) == 0 {
		return &plainBox
	}
	return &w.d.Boxes[0]
}

// plainBox stands in where a book's list of styles is empty.
var plainBox settings.BoxStyle

// unknown reports a style there is not.
func (j *job) unknown(kind, key, value, detail string, b *markup.Block) {
	j.problems = append(j.problems, frame.Problem{Kind: kind, Detail: detail, Start: b.Start, End: b.End, Page: -1,
		Fields: []frame.Field{{Key: key, Value: value}}})
}

// callout sets a box where it is written.
func (w *walker) callout(b *markup.Block, p place) error {
	st := w.boxStyleOf(b)
	if st == &plainBox {
		plain := plainBox
		plain.Body, plain.Heading.Text, plain.Break.MinLines = w.d.Body, w.d.Body, 2
		st = &plain
	}
	if w.tooDeep(st, p) {
		return w.unboxed(st, b, p)
	}
	if st.Barrier && p.group == 0 && !p.subcolumn && !p.onPart {
		w.flow.nodes = append(w.flow.nodes, node{what: nBarrier, start: b.Start, end: b.End})
	}
	apart := w.asideOf(st, b, p)
	at := len(w.flow.nodes)
	if apart != nil {
		w.flow.nodes = append(w.flow.nodes, node{what: nAside, start: b.Start, end: b.End})
		p.x, p.width, p.quote, p.depth, p.list = 0, apart.width, 0, 0, false
	}
	wide := apart == nil && attrOr(b.Attrs, "span", st.Span) == "page" && p.group == 0 && !p.subcolumn && !p.onPart && across(w.d)
	if wide {
		p.x, p.width = 0, contentWidth(w.d)
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanOpen, kind: frame.Frame, above: st.Above, start: b.Start, end: b.End})
	}
	in := w.openBox(p, box{outline: st.Frame, stripe: st.Stripe, brk: st.Break, pad: st.Frame.Pad,
		block: frame.Block{Kind: frame.Frame, Start: b.Start, End: b.End, Style: st.ID, ID: b.ID}}, st.Above, st.Below, st.Snap)
	k := in.group
	if err := w.boxSigns(st, b, &in); err != nil {
		return err
	}
	in.text, in.leading, in.plainInk, in.kind = st.Body, st.Body.Leading, false, frame.Paragraph
	in.spaced, in.tabs, in.lists, in.columnGap, in.align, in.style = st.Spaced, &st.Tabs, &st.Lists, st.ColumnGap, "", ""
	in.quote, in.depth, in.list = 0, 0, false

	title, lead := w.boxWords(st, b)
	if len(title) > 0 {
		only := len(b.Children) == 0
		n, err := w.boxTitle(&st.Heading, title, b, in, only)
		if err != nil {
			return err
		}
		bx := &w.flow.boxes[k-1]
		bx.short = only
		if st.AutoWidth && only {
			bx.w = min(bx.w, n.m.offs[0]+widest(n.m)+(bx.w-in.width))
		}
		if st.Break.RepeatTitle && !only {
			if err := w.titleAgain(k, &st.Heading, title, b, in); err != nil {
				return err
			}
		}
	}
	w.afterPara, w.afterHeading = false, true
	if w.lead = lead; len(lead) > 0 && (len(b.Children) == 0 || b.Children[0].Kind != markup.Paragraph) {
		w.lead = nil
		if err := w.paragraph(&markup.Block{Kind: markup.Paragraph, Start: b.Start, End: b.Start, Inlines: lead}, nil, in); err != nil {
			return err
		}
	}
	if err := w.blocks(b.Children, in); err != nil {
		return err
	}
	w.lead = nil
	if st.EndMark != "" {
		if err := w.endMark(st, k, b, in); err != nil {
			return err
		}
	}
	if err := w.continuation(k, st.Break, st.Body); err != nil {
		return err
	}
	w.closeBox(k, st.Below, st.Snap && p.group == 0, p)
	if wide {
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanClose, start: b.End, end: b.End})
	}
	if apart != nil {
		w.setApart(apart, at, k)
		return nil
	}
	w.afterPara, w.afterHeading = false, false
	return nil
}

// boxWords is what a box says before its text: its title, and its label with its
// number, which opens the text.
func (w *walker) boxWords(st *settings.BoxStyle, b *markup.Block) (title, lead []markup.Inline) {
	w.statement(st, b)
	title = b.Caption
	if len(title) == 0 {
		if v := attrOr(b.Attrs, "title", st.Title); v != "" {
			title = w.said(b, v)
		}
	}
	label, number := w.runIn.label, w.runIn.number
	w.runIn = statement{}
	lead = statementInlines(b, &st.Numbering, label, number, title)
	switch {
	case len(lead) == 0:
		return title, nil
	case st.Numbering.InTitle:
		return lead, nil
	}
	return nil, lead // the title stands behind the number
}

// maxBoxes is how deep boxes stand in boxes. No book goes half as far; without a
// bound, what they keep above and under their text would be more than the page has,
// and a chapter of nothing but nested boxes a page for each of them.
const maxBoxes = 8

// tooDeep reports that a box in boxes is set without its frame: it stands in as many
// as there can be, or their paddings would take half of the column's height.
func (w *walker) tooDeep(st *settings.BoxStyle, p place) bool {
	if p.boxes == 0 {
		return false
	}
	return p.boxes >= maxBoxes || p.padded+st.Frame.Pad.Top+st.Frame.Pad.Bottom > contentOf(w.d, true).H/2
}

// unboxed sets what a box holds in the box around it.
func (w *walker) unboxed(st *settings.BoxStyle, b *markup.Block, p place) error {
	w.reportOnce("notLaidOut", "boxes stand in boxes more than "+strconv.Itoa(p.boxes)+" deep: those further in are set without their frames, in the one around them", b.Start, b.End)
	title, lead := w.boxWords(st, b)
	if text, _ := b.Attrs.Get("label"); st.Label.Enabled && text != "" {
		title = slices.Concat(w.said(b, text), title)
	}
	if title = slices.Concat(title, lead); len(title) > 0 {
		if _, err := w.boxTitle(&st.Heading, title, b, p, len(b.Children) == 0); err != nil {
			return err
		}
	}
	return w.blocks(b.Children, p)
}

func attrOr(a markup.Attrs, key, otherwise string) string {
	if v, ok := a.Get(key); ok && v != "" {
		return v
	}
	return otherwise
}

// widest is the width of the widest line.
func widest(m *measured) (x unit.Sp) {
	for i := range m.lines {
		x = max(x, m.lines[i].Width)
	}
	return
}

// openBox begins a box at a place and returns the place inside it.
func (w *walker) openBox(p place, b box, above, below unit.Sp, snap bool) place {
	b.parent, b.x, b.w, b.first = p.group, p.x, p.width, len(w.flow.nodes)
	if b.stripe.Enabled {
		switch b.stripe.Side {
		case "right":
			b.pad.Right += b.stripe.Width
		case "top":
			b.pad.Top += b.stripe.Width
		default:
			b.pad.Left += b.stripe.Width
		}
	}
	if room := p.width - b.pad.Left - b.pad.Right; room < 4*p.text.Size {
		b.pad.Left, b.pad.Right = 0, 0 // no room for any
	}
	b.block.Index = w.index
	w.index++
	b.block.Text = &frame.Text{}
	w.flow.boxes = append(w.flow.boxes, b)
	k := int32(len(w.flow.boxes))
	w.flow.nodes = append(w.flow.nodes, node{what: nBoxOpen, kind: frame.Frame, box: k, group: p.group, above: above, below: below,
		snap: snap && p.group == 0, settles: snap && p.group == 0, start: b.block.Start, end: b.block.End})
	in := p
	in.group = k
	in.boxes++
	in.padded += b.pad.Top + b.pad.Bottom
	in.x += b.pad.Left
	in.width -= b.pad.Left + b.pad.Right
	return in
}

// closeBox ends a box. Nothing inside it returns to the page's grid.
func (w *walker) closeBox(k int32, below unit.Sp, snap bool, p place) {
	b := &w.flow.boxes[k-1]
	b.last = len(w.flow.nodes)
	for i := b.first + 1; i < b.last; i++ {
		w.flow.nodes[i].snap, w.flow.nodes[i].snapTop = false, false
	}
	w.flow.nodes = append(w.flow.nodes, node{what: nBoxClose, kind: frame.Frame, box: k, group: p.group, below: below, snap: snap,
		start: b.block.Start, end: b.block.End})
}

// boxTitle sets the title over a box's text.
func (w *walker) boxTitle(h *settings.BoxTitle, title []markup.Inline, b *markup.Block, in place, only bool) (*node, error) {
	n := node{kind: frame.Callout, in: oneLineTitle(title), start: b.Start, end: b.End, x: in.x + h.Indent, group: in.group,
		leading: h.Text.Leading, below: h.Gap, keepNext: !only, whole: true, free: true,
		set: w.setting(settingKey{text: h.Text, width: max(in.width-h.Indent, h.Text.Size), align: alignOf(h.Text.Align), flags: fByLine})}
	if only {
		n.below = 0
	}
	return w.add(n)
}

// titleAgain sets the title of the parts that go on in a further column.
func (w *walker) titleAgain(k int32, h *settings.BoxTitle, title []markup.Inline, b *markup.Block, in place) error {
	brk := &w.flow.boxes[k-1].brk
	more := append([]markup.Inline(nil), oneLineTitle(title)...)
	if brk.Suffix != "" {
		more = append(more, markup.Inline{Kind: markup.Tab, Start: b.Start, End: b.Start},
			markup.Inline{Kind: markup.Chip, Text: brk.Suffix, Start: b.Start, End: b.Start})
	}
	// Notes of the title are not cited twice.
	for i := range more {
		if more[i].Kind == markup.NoteRef {
			more[i].Kind, more[i].Text = markup.Anchor, ""
		}
	}
	at := len(w.flow.nodes)
	n, err := w.boxTitle(h, more, b, in, false)
	if err != nil {
		return err
	}
	again := *n
	w.flow.nodes = w.flow.nodes[:at]
	w.flow.boxes[k-1].again = &again
	return nil
}

// continuation sets the line under a part that goes on.
func (w *walker) continuation(k int32, brk settings.Break, t settings.Text) error {
	if brk.Continues == "" {
		return nil
	}
	t.Italic = brk.Italic
	t.Hyphenate, t.Indent = false, 0
	ls, err := w.label(brk.Continues, t)
	b := &w.flow.boxes[k-1]
	b.goesOn, b.goesOnH = ls, t.Leading
	return err
}

// endMark sets the sign that closes a box flush right on its last line, on a line
// of its own where there is no room.
func (w *walker) endMark(st *settings.BoxStyle, k int32, b *markup.Block, in place) error {
	t := st.Body
	t.Hyphenate, t.Indent = false, 0
	mark, err := w.label(st.EndMark, t)
	if err != nil {
		return err
	}
	if i := len(w.flow.nodes) - 1; i > w.flow.boxes[k-1].first {
		n := &w.flow.nodes[i]
		if last := 0; n.what == nText && n.group == k && n.endMark == nil && n.m != nil && len(n.m.lines) > 0 {
			last = len(n.m.lines) - 1
			if n.x+n.m.offs[last]+n.m.lines[last].Width+t.Size <= in.x+in.width-mark.Width {
				n.endMark, n.endMarkX = mark, in.x+in.width-mark.Width
				return nil
			}
		}
	}
	n := node{kind: frame.Paragraph, in: []markup.Inline{{Kind: markup.Chip, Text: st.EndMark, Start: b.End, End: b.End}},
		start: b.End, end: b.End, x: in.x, group: k, leading: t.Leading, whole: true,
		set: w.setting(settingKey{text: t, plainInk: true, width: in.width, align: flushRight, flags: fByLine})}
	_, err = w.add(n)
	return err
}

// boxSigns sets a box's icon, badge, marker and tab, and narrows the place inside
// by those that stand beside the text.
func (w *walker) boxSigns(st *settings.BoxStyle, b *markup.Block, in *place) error {
	bx := &w.flow.boxes[in.group-1]
	if m := &st.Marker; m.Shown() && bx.w > m.Width+m.Gap+6*in.text.Size {
		s, err := w.sign("marker", m)
		if err != nil {
			return err
		}
		// It stands outside on the left: the box gives way.
		width := max(s.w, m.Width)
		step := width + m.Gap
		s.x = -step + (width-s.w)/2
		if st.MarkRule.Enabled {
			s.rule, s.ruleLeast = st.MarkRule, st.MarkRuleH
		}
		bx.x, bx.w = bx.x+step, bx.w-step
		in.x, in.width = in.x+step, in.width-step
		s.rise = m.Gap
		bx.signs = append(bx.signs, s)
	}
	if c := &st.Icon; c.Shown() {
		s, err := w.sign("icon", c)
		if err != nil {
			return err
		}
		width := max(s.w, c.Width)
		switch {
		case c.Corner != "":
			s.kind, s.side = "corner", c.Corner
			bx.signs = append(bx.signs, s)
		case in.width > width+c.Gap+6*in.text.Size:
			s.x = in.x - bx.x + (width-s.w)/2
			in.x += width + c.Gap
			in.width -= width + c.Gap
			bx.least = s.height
			bx.signs = append(bx.signs, s)
		}
	}
	return w.boxTab(&st.Label, b, bx)
}

// boxTab sets the label on a box's upper edge.
func (w *walker) boxTab(l *settings.BoxLabel, b *markup.Block, bx *box) error {
	text, _ := b.Attrs.Get("label")
	if !l.Enabled || text == "" {
		return nil
	}
	ls, err := w.label(text, l.Text)
	if err != nil {
		return err
	}
	s := sign{kind: "label", line: ls, w: min(ls.Width+2*l.PadX, bx.w), height: l.Height, rise: l.Offset, fill: l.Background, rule: l.Rule}
	if l.Resource != "" {
		s.image = l.Resource
		s.gap, s.imageW = l.IconGap, l.IconWidth+l.IconGap
		s.w = min(s.w+s.imageW, bx.w)
	}
	s.x = bx.w - s.w - l.Inset
	if l.Left {
		s.x = l.Inset
	}
	bx.signs = append(bx.signs, s)
	return nil
}

// sign sets an icon: a glyph by its ink, a picture by its measures.
func (w *walker) sign(kind string, c *settings.Icon) (sign, error) {
	s := sign{kind: kind, centre: c.Centre, image: c.Resource, w: c.Width, height: c.Text.Size, above: c.Text.Size}
	if c.Glyph == "" {
		return s, nil
	}
	ls, err := w.label(c.Glyph, c.Text)
	if err != nil {
		return s, err
	}
	s.line, s.w = ls, ls.Width
	if top, foot, ok := inkOf(ls); ok {
		s.above, s.height = top, top-foot
	}
	return s, nil
}

// inkOf is how far the ink of a line reaches above its baseline and where it ends
// (below zero: under it).
func inkOf(ls *frame.LineSet) (top, foot unit.Sp, ok bool) {
	for _, r := range ls.Runs {
		for _, wd := range r.Words {
			f := wd.Shape.Face
			for _, g := range wd.Shape.Glyphs {
				o := f.Outline(g.ID)
				if len(o.Segments) == 0 {
					continue
				}
				a, z := outlineY(f, o.MaxY, r.Size)+r.Rise, outlineY(f, o.MinY, r.Size)+r.Rise
				if !ok || a > top {
					top = a
				}
				if !ok || z < foot {
					foot = z
				}
				ok = true
			}
		}
	}
	return
}

// statement is a box's label and number, printed before its text.
type statement struct{ label, number string }

// statement counts a numbered box.
func (w *walker) statement(st *settings.BoxStyle, b *markup.Block) {
	n := &st.Numbering
	if !n.On() {
		return
	}
	w.runIn = statement{label: n.Label}
	if n.Counter != "" {
		w.runIn.number = w.countStatement(n)
	}
}

// equationCounter is the name of the counter statements share with formulas.
const equationCounter = "equation"

// countStatement advances a counter and gives the number it prints.
func (j *job) countStatement(n *settings.Statement) string {
	k := 0
	if n.Counter == equationCounter {
		j.st.Equations++
		k = j.st.Equations
	} else {
		k = j.st.Boxes.next(n.Counter)
	}
	return numberOf(n.Template, k, n.Format, j.st.Counters)
}

// numberOf fills a template of {n} and {h1}…{h6}; a heading without a number
// vanishes with the separator behind it.
func numberOf(template string, n int, format string, heads [6]int) string {
	var out strings.Builder
	for i := 0; i < len(template); {
		end := strings.IndexByte(template[i:], '}')
		if template[i] != '{' || end < 0 {
			out.WriteByte(template[i])
			i++
			continue
		}
		tok := template[i+1 : i+end]
		i += end + 1
		switch {
		case tok == "n":
			out.WriteString(FormatNumber(n, format))
		case len(tok) == 2 && tok[0] == 'h' && tok[1] >= '1' && tok[1] <= '6':
			if v := heads[tok[1]-'1']; v > 0 {
				out.WriteString(FormatNumber(v, "decimal"))
			} else {
				for i < len(template) && template[i] != '{' {
					i++
				}
			}
		default:
			out.WriteString("{" + tok + "}")
		}
	}
	return out.String()
}

// statementInlines is "Theorem 2 (Title)." as it opens a box's text, or its title.
func statementInlines(b *markup.Block, n *settings.Statement, label, number string, title []markup.Inline) []markup.Inline {
	if label == "" {
		return nil
	}
	text := label
	if number != "" {
		text += "\u00a0" + number
	}
	var style markup.Style
	if n.Bold {
		style |= markup.Bold
	}
	if n.Italic {
		style |= markup.Italic
	}
	atom := func(text string, style markup.Style) markup.Inline {
		return markup.Inline{Kind: markup.Chip, Style: style, Text: text, Start: b.Start, End: b.Start}
	}
	if n.InTitle {
		out := []markup.Inline{atom(text+n.Separator, style)}
		if len(title) > 0 {
			out = append(out, markup.Inline{Kind: markup.Tab, Start: b.Start, End: b.Start})
			out = append(out, title...)
		}
		return out
	}
	if len(title) == 0 {
		return []markup.Inline{atom(text+n.Separator, style), {Kind: markup.Tab, Start: b.Start, End: b.Start}}
	}
	out := []markup.Inline{atom(text, style), {Kind: markup.Tab, Start: b.Start, End: b.Start}, atom("(", 0)}
	out = append(out, title...)
	return append(out, atom(")", 0), atom(n.Separator, style), markup.Inline{Kind: markup.Tab, Start: b.Start, End: b.Start})
}
