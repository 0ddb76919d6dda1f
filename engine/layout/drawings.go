package layout

import (
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Headings and parts drawn from a design (settings.md 10.3, 18). In the flow a
// designed heading is a block of one empty line as high as its design; what is
// drawn on it is set with the running heads, when the page's number is known.

// drawing is a design with what it prints of its own heading or part.
type drawing struct {
	slot *settings.Slot
	kind string // heading, part, or a part's row in the contents
	own  ownValues
}

// placedDrawing is a drawing on a page: over a block, or the whole page.
type placedDrawing struct {
	*drawing
	block *frame.Block
}

// ownValues answer the placeholders of a heading's or part's own design.
type ownValues struct {
	title, number string
	count         int    // 0 for none
	page          string // the label a row of the contents prints
	attrs         markup.Attrs
}

// value answers a placeholder (settings.md 7.5).
func (o *ownValues) value(name string) (string, bool) {
	as := func(format string) (string, bool) {
		if o.count <= 0 {
			return "", true
		}
		return counter(o.count, format), true
	}
	switch name {
	case "titleText":
		return o.title, true
	case "number":
		return o.number, true
	case "pageNumber":
		return o.page, o.page != ""
	case "numberDecimal":
		return as("decimal")
	case "numberRoman":
		return as("upper-roman")
	case "numberRomanLower":
		return as("lower-roman")
	case "numberAlpha":
		return as("upper-alpha")
	case "numberAlphaLower":
		return as("lower-alpha")
	case "numberWords":
		return as("Words")
	case "numberWordsLower":
		return as("words")
	case "numberOrdinalWords":
		return as("Ordinal")
	case "numberOrdinalWordsLower":
		return as("ordinal")
	}
	if key, ok := strings.CutPrefix(name, "attr."); ok && o.attrs != nil {
		if v, ok := o.attrs.Get(key); ok {
			return v, true
		}
	}
	return "", false
}

// partNumber reads a part's number, decimal or roman; 0 where it is neither.
func partNumber(s string) int {
	s = strings.TrimSpace(s)
	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return n
	}
	for n := 1; n < 200; n++ {
		if strings.EqualFold(s, roman(n)) {
			return n
		}
	}
	return 0
}

// designed adds a heading drawn from its design: as high as its own text would
// be, as its elements reach and as asked for.
func (w *walker) designed(n *node, title []markup.Inline, lv *settings.HeadingLevel, ref *headingRef) error {
	m, err := w.measure(n.in, n.set)
	if err != nil {
		return err
	}
	d := &drawing{slot: &lv.Design, kind: "heading",
		own: ownValues{title: titleLines(title), number: ref.number, attrs: ref.attrs}}
	if lv.Numbered {
		if d.own.count = w.st.Counters[min(max(ref.level, 1), 6)-1]; d.own.count == 0 && ref.level == 1 {
			d.own.count = ref.ordinal
		}
	}
	return w.drawn(n, m, d, max(unit.Sp(len(m.lines))*n.leading, lv.MinHeight))
}

// drawn adds a block of one empty line, at least so high, that a design is drawn
// on; m holds the words it has.
func (w *walker) drawn(n *node, m *measured, d *drawing, least unit.Sp) error {
	reach, err := w.reach(d, n.set.width)
	if err != nil {
		return err
	}
	h := min(max(least, reach), contentOf(w.d, true).H/w.d.Body.Leading*w.d.Body.Leading)
	if cut := max(least, reach) - h; cut > 0 && d.kind == "heading" {
		w.report("headingDesignCut", "H"+strconv.Itoa(n.level)+" — runs out of its page by "+millimetres(cut)+" mm", n.start, n.end,
			frame.Field{Key: "level", Value: strconv.Itoa(n.level)}, frame.Field{Key: "overflowMm", Value: millimetres(cut)})
	}
	n.m = &measured{plain: m.plain, lines: []frame.LineSet{{Last: true, End: int32(len(m.plain))}}, offs: make([]unit.Sp, 1)}
	n.from, n.drawn, n.leading = m, d, max(h, 1)
	n.text = w.textOf(m, n.in)
	n.index = w.index
	w.index++
	w.landmarks(n.in, n.index)
	w.flow.nodes = append(w.flow.nodes, *n)
	return nil
}

// titleLines is a heading's title as designs print it, forced breaks kept.
func titleLines(in []markup.Inline) string {
	var b strings.Builder
	for i := range in {
		switch in[i].Kind {
		case markup.Text, markup.Math, markup.Chip, markup.Citation:
			b.WriteString(in[i].Text)
		case markup.Break:
			b.WriteByte('\n')
		case markup.Tab:
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}

// reach is how far down the elements of a design reach that ask for room: not
// those that follow the band's height, but texts among them must fit it.
func (w *walker) reach(d *drawing, width unit.Sp) (unit.Sp, error) {
	c := contentOf(w.d, true)
	pg := &frame.Page{Recto: true, Width: w.d.Page.Width, Height: w.d.Page.Height, Content: c, Role: frame.Opener}
	u := &furnisher{j: w.job, heads: w.flow.heads, meta: w.st.Meta}
	u.running = make([]int, len(w.flow.heads)+1)
	for i := range u.running {
		u.running[i] = -1
	}
	pc := &pageContext{u: u, page: pg, head: len(w.flow.heads), headTop: len(w.flow.heads), part: w.st.Part, own: &d.own}
	s := &slotSetter{pc: pc, slot: d.slot, kind: d.kind, container: unit.Rect{X: c.X, Y: c.Y, W: width}}
	var h unit.Sp
	for i := range d.slot.Elements {
		e := &d.slot.Elements[i]
		if !pc.shown(e) {
			continue
		}
		follows := s.follows(e, 0)
		if follows && e.Kind != "text" || !follows && !e.Reserve {
			continue
		}
		items, box, err := s.element(i, 0)
		if err != nil {
			return 0, err
		}
		switch {
		case e.Kind == "text" && len(items) == 0:
		case follows:
			h = max(h, box.H)
		default:
			h = max(h, box.Bottom()-c.Y)
		}
	}
	return h, nil
}

// follows reports whether an element's place depends on the height of its
// container.
func (s *slotSetter) follows(e *settings.Element, depth int) bool {
	if id, ok := strings.CutPrefix(e.AnchorTo, "#"); ok {
		for i := range s.slot.Elements {
			if o := &s.slot.Elements[i]; o.ID == id && o != e && depth < len(s.slot.Elements) {
				return s.follows(o, depth+1)
			}
		}
		return false
	}
	if e.AnchorTo == "page" || e.AnchorTo == "bleed" {
		return false
	}
	if e.Height.Mode == "fill" {
		return true
	}
	switch e.Edge {
	case "bottom", "bottom-left", "bottom-right", "left", "right", "center":
		return true
	}
	return false
}

// draw sets the designs of a page under its text.
func (pc *pageContext) draw(ds []placedDrawing) error {
	pg := pc.page
	for _, d := range ds {
		c := unit.Rect{W: pg.Width, H: pg.Height}
		if d.block != nil {
			c = d.block.Box
		}
		pc.own = &d.own
		items, err := pc.slot(d.slot, c, d.kind)
		pc.own = nil
		if err != nil {
			return err
		}
		pg.Under = append(pg.Under[:len(pg.Under):len(pg.Under)], items...)
	}
	return nil
}
