package layout

import (
	"strconv"
	"strings"

	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Groups of paragraphs with a style of their own (document-format.md 6.2,
// settings.md 14). The style holds for the paragraphs; headings, lists and other
// blocks among them keep theirs.

// group is what a place inside a group knows of it.
type group struct {
	style   *settings.ParagraphStyle // nil: attributes alone
	outer   *place                   // for blocks that are no paragraphs
	between unit.Sp
	hang    unit.Sp
	indent  bool // the style says how first lines are set in
	drop    settings.DropCap
	dropped bool // the first paragraph has had it
}

// paragraphs sets a group.
func (w *walker) paragraphs(b *markup.Block, p place) error {
	outer := p
	if p.styled != nil {
		outer = *p.styled.outer
	}
	g := &group{outer: &outer}
	if p.styled != nil { // without a style, attributes apply over the enclosing one
		*g = *p.styled
		g.dropped = false
	}
	q := p
	q.styled = g
	st := w.paragraphStyle(b)
	if st != nil {
		q = outer
		q.styled = g
		g.style, g.between, g.hang, g.indent, g.drop = st, st.Between, st.Hang, st.IndentGiven || st.Hang > 0, st.DropCap
		q.text, q.leading, q.plainInk, q.style, q.tabs = st.Text, st.Text.Leading, false, st.ID, &st.Tabs
		q.align = ""
		w.narrow(&q, st.Indent, st.EndIndent)
	}
	if v, ok := b.Attrs.Get("align"); ok && alignments[v] {
		q.align = v
	}
	em := q.text.Size
	in, end := unit.Sp(0), unit.Sp(0)
	if v, ok := b.Attrs.Get("indent"); ok {
		if x, ok := lengthOf(v, em, w.d); ok {
			in = max(x, 0)
			if st != nil {
				in -= st.Indent
			}
		}
	}
	if v, ok := b.Attrs.Get("endIndent"); ok {
		if x, ok := lengthOf(v, em, w.d); ok {
			end = max(x, 0)
			if st != nil {
				end -= st.EndIndent
			}
		}
	}
	w.narrow(&q, in, end)
	g.drop = dropCapOf(b.Attrs, g.drop)

	at := len(w.flow.nodes)
	save := w.afterPara
	w.afterPara = false
	if err := w.blocks(b.Children, q); err != nil {
		return err
	}
	if len(w.flow.nodes) == at {
		w.afterPara = save
		return nil
	}
	if st == nil {
		return nil
	}
	nodes := w.flow.nodes[at:]
	first, last := &nodes[0], &nodes[len(nodes)-1]
	first.above = addMargin(first.above, st.Above)
	last.below = addMargin(last.below, st.Below)
	last.addBelow = w.d.Para.AddUnderGroups && st.Below > 0
	last.snap = last.snap || st.Snap && p.group == 0
	w.afterPara = p.spaced
	return nil
}

// addMargin merges a group's margin with a block's own; a negative one draws the
// neighbours together.
func addMargin(own, margin unit.Sp) unit.Sp {
	if margin < 0 {
		return own + margin
	}
	return max(own, margin)
}

var alignments = map[string]bool{"start": true, "end": true, "left": true, "right": true, "center": true, "justify": true}

// narrow sets a place in on both sides as far as there is room.
func (w *walker) narrow(p *place, start, end unit.Sp) {
	if p.width-start-end < 3*p.text.Size {
		return
	}
	p.x += start
	p.width -= start + end
}

// paragraphStyle finds the style a group asks for.
func (w *walker) paragraphStyle(b *markup.Block) *settings.ParagraphStyle {
	id, ok := b.Attrs.Get("style")
	if !ok || id == "" {
		return nil
	}
	for i := range w.d.Styles {
		if w.d.Styles[i].ID == id {
			return &w.d.Styles[i]
		}
	}
	w.unknown("unknownParagraphStyle", "style", id, "no paragraph style has the id "+id+": set as body text", b)
	return nil
}

// lengthOf reads a length of an attribute; bare numbers count ems.
func lengthOf(s string, em unit.Sp, d *settings.Design) (unit.Sp, bool) {
	return lengthIn(s, "em", em, d)
}

// lengthIn reads a length of an attribute whose bare numbers count a unit.
func lengthIn(s, bare string, em unit.Sp, d *settings.Design) (unit.Sp, bool) {
	s = strings.TrimSpace(s)
	n := len(s)
	for n > 0 && (s[n-1]|0x20 >= 'a' && s[n-1]|0x20 <= 'z') {
		n--
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s[:n]), 64)
	if err != nil || !(v > -1e5 && v < 1e5) {
		return 0, false
	}
	u := strings.ToLower(s[n:])
	if u == "" {
		u = bare
	}
	switch u {
	case "em":
		return unit.FromPt(float64(v * em.Pt())), true
	case "rem":
		return unit.FromPt(float64(v * d.Body.Size.Pt())), true
	case "pt":
		return unit.FromPt(v), true
	case "mm":
		return unit.FromPt(float64(v * 72 / 25.4)), true
	case "cm":
		return unit.FromPt(float64(v * 72 / 2.54)), true
	case "in":
		return unit.FromPt(float64(v * 72)), true
	case "px":
		return unit.FromPt(float64(v * 72 / d.Page.DPI)), true
	}
	return 0, false
}

// dropCapOf applies the attribute dropcap to what a style or level says: alone it
// is on, a number gives its lines, false takes it away.
func dropCapOf(a markup.Attrs, c settings.DropCap) settings.DropCap {
	v, ok := a.Get("dropcap")
	if !ok {
		return c
	}
	if a.Off("dropcap") {
		return settings.DropCap{}
	}
	n, given := a.Int("dropcap")
	if !c.On {
		c = settings.DefaultDropCap(3)
	}
	if given && n >= 1 {
		c.Lines = min(n, 20)
		c.Sink = c.Lines
	} else if v != "" && v != "true" {
		return c
	}
	return c
}
