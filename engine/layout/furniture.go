package layout

import (
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Running heads and folios (settings.md 7) are set after the pages are made:
// they never move text, so pages whose numbers changed are furnished again and
// nothing else is done to them.

// furnisher sets the header and footer of a chapter's pages.
type furnisher struct {
	j         *job
	heads     []*headingRef
	running   []int // for each count of headings begun, the running chapter's index or -1
	total     int   // pages of the chapter
	bookTotal int
	meta      Meta
	lines     lineCount
	plates    map[string]*Found // pictures of the slots, nil for one that is not there
}

func (j *job) furnisher(f *flow, pages, bookTotal int) *furnisher {
	u := &furnisher{j: j, heads: f.heads, total: pages, bookTotal: bookTotal, meta: j.st.Meta}
	u.running = make([]int, len(f.heads)+1)
	u.running[0] = -1
	for i, h := range f.heads {
		u.running[i+1] = u.running[i]
		if h.level == 1 && h.running {
			u.running[i+1] = i
		}
	}
	u.lines.next = j.st.Lines
	return u
}

// lookOf is the design of a page that ends after so many headings: that of the
// section in force then (layout.md 11).
func (u *furnisher) lookOf(heads int) *settings.Design {
	l := u.j.flow.look
	if heads > 0 {
		l = u.heads[heads-1].look
	}
	d, _ := u.j.in.Design.Look(l)
	return d
}

// page returns a page with its header and footer set.
func (u *furnisher) page(pg *placedPage, next *placedPage) (*frame.Page, error) {
	out := *pg.Page
	pc := &pageContext{u: u, page: &out, head: pg.head, headTop: pg.headTop, part: pg.part}
	if pg.after && next != nil {
		pc.head, pc.part = next.head, next.part
	}
	if pg.before && u.running[pg.head] < 0 {
		pc.before = &u.j.st.Running
	}
	d := u.lookOf(pc.head)
	c := out.Content
	var err error
	header := unit.Rect{X: c.X, Y: 0, W: c.W, H: c.Y}
	footer := unit.Rect{X: c.X, Y: c.Bottom(), W: c.W, H: out.Height - c.Bottom()}
	out.Background = d.Page.Background
	out.Marks = marksOf(&d.Page.Cut)
	if out.Header, err = pc.slot(&d.Header, header, "header"); err != nil {
		return nil, err
	}
	if out.Footer, err = pc.slot(&d.Footer, footer, "footer"); err != nil {
		return nil, err
	}
	if err := pc.draw(pg.drawings); err != nil {
		return nil, err
	}
	if d.LineNumbers.On {
		if out.LineNumbers, err = u.lineNumbers(&out); err != nil {
			return nil, err
		}
	}
	if d.Page.Grid.Enabled {
		out.Under = append(gridLines(&out, &d.Page.Grid), out.Under...)
	}
	return &out, nil
}

// gridLines draws the baseline grid of a page, from its first line of text to
// its last (settings.md 5).
func gridLines(p *frame.Page, r *settings.Rule) (out []frame.Item) {
	first, last := p.Height, unit.Sp(0)
	for i := range p.Columns {
		for _, b := range p.Columns[i].Blocks {
			for k := range b.Lines {
				first, last = min(first, b.Lines[k].Baseline), max(last, b.Lines[k].Baseline)
			}
		}
	}
	if p.GridPitch < unit.Pt/4 || r.Width <= 0 {
		return nil
	}
	y := p.GridTop + (max(first-p.GridTop, 0)+p.GridPitch/2)/p.GridPitch*p.GridPitch
	for ; y <= last+p.GridPitch/2; y += p.GridPitch {
		out = append(out, frame.Item{Box: unit.Rect{X: p.Content.X, Y: y, W: p.Content.W, H: r.Width}, Fill: r.Color, ID: frame.GridLine})
	}
	return out
}

// last is the heading the chapter's last pages run under.
func (u *furnisher) last() (r Running) {
	i := u.running[len(u.heads)]
	if i < 0 {
		return
	}
	h := u.heads[i]
	r.Title, r.Number = h.title, h.printed()
	for _, a := range h.attrs {
		r.Attrs += a.Key + "\x00" + a.Value + "\x00"
	}
	return
}

// printed is the number running heads print for a chapter.
func (h *headingRef) printed() string {
	switch {
	case h.number != "":
		return h.number
	case h.ordinal > 0:
		return strconv.Itoa(h.ordinal)
	}
	return ""
}

// pageContext answers the placeholders of one page.
type pageContext struct {
	u             *furnisher
	page          *frame.Page
	head, headTop int
	part          Part
	before        *Running // on a blank that belongs to the chapter before
	own           *ownValues
}

func (pc *pageContext) chapter(heads int) *headingRef {
	if i := pc.u.running[heads]; i >= 0 {
		return pc.u.heads[i]
	}
	return nil
}

// value gives what a placeholder prints (settings.md 7.5).
func (pc *pageContext) value(name string) string {
	u := pc.u
	if r := pc.before; r != nil {
		switch name {
		case "chapterTitle", "chapterTitleAtTop":
			return r.Title
		case "chapterNumber", "chapterNumberAtTop":
			return r.Number
		}
		if key, ok := strings.CutPrefix(name, "attr."); ok {
			return r.attr(key)
		}
	}
	number := func(h *headingRef) string {
		if h == nil {
			return ""
		}
		return h.printed()
	}
	title := func(h *headingRef) string {
		if h == nil {
			return ""
		}
		return h.title
	}
	if pc.own != nil {
		if v, ok := pc.own.value(name); ok {
			return v
		}
	}
	switch name {
	case "pageNumber":
		return pc.page.Label
	case "totalPages":
		return strconv.Itoa(u.total)
	case "bookTotalPages":
		return strconv.Itoa(u.bookTotal)
	case "title":
		return u.meta.Title
	case "subtitle":
		return u.meta.Subtitle
	case "author":
		return u.meta.Author
	case "publishDate":
		return u.meta.PublishDate
	case "chapterTitle":
		return title(pc.chapter(pc.head))
	case "chapterNumber":
		return number(pc.chapter(pc.head))
	case "chapterTitleAtTop":
		return title(pc.chapter(pc.headTop))
	case "chapterNumberAtTop":
		return number(pc.chapter(pc.headTop))
	case "partTitle":
		return pc.part.Title
	case "partNumber":
		return pc.part.Number
	}
	if key, ok := strings.CutPrefix(name, "firstMark."); ok {
		return pc.guideWord(key, true)
	}
	if key, ok := strings.CutPrefix(name, "lastMark."); ok {
		return pc.guideWord(key, false)
	}
	if key, ok := strings.CutPrefix(name, "attr."); ok {
		if h := pc.chapter(pc.head); h != nil {
			v, _ := h.attrs.Get(key)
			return v
		}
	}
	return ""
}

// guideWord is the first or the last heading of a level (h1 to h6) begun on the
// page, or else the one in force on it.
func (pc *pageContext) guideWord(key string, first bool) string {
	if len(key) != 2 || key[0] != 'h' || key[1] < '1' || key[1] > '6' {
		return ""
	}
	found := ""
	for i, h := range pc.u.heads[:pc.head] {
		if h.part != nil || h.level != int(key[1]-'0') {
			continue
		}
		if found = h.title; first && i >= pc.headTop {
			break
		}
	}
	return found
}

// expand fills a template; {{ and }} are literal braces.
func (pc *pageContext) expand(s string) string {
	if strings.IndexByte(s, '{') < 0 && strings.IndexByte(s, '}') < 0 && strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "{{"):
			b.WriteByte('{')
			i += 2
		case strings.HasPrefix(s[i:], "}}"):
			b.WriteByte('}')
			i += 2
		case strings.HasPrefix(s[i:], `\n`):
			b.WriteByte('\n')
			i += 2
		case s[i] == '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				b.WriteString(s[i:])
				return b.String()
			}
			b.WriteString(pc.value(s[i+1 : i+end]))
			i += end + 1
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// printsTotals reports whether a slot of the design prints the number of pages
// of the whole book.
func printsTotals(d *settings.Design) bool {
	slots := []*settings.Slot{&d.Header, &d.Footer, &d.Parts.Design, &d.Parts.Verso, &d.Contents.PartDesign}
	for i := range d.Headings.Levels {
		slots = append(slots, &d.Headings.Levels[i].Design)
	}
	for i := range d.Headings.Styles {
		st := &d.Headings.Styles[i]
		slots = append(slots, &st.Header, &st.Footer)
		for k := range st.Levels {
			slots = append(slots, &st.Levels[k].Design)
		}
	}
	for _, s := range slots {
		for i := range s.Elements {
			if strings.Contains(s.Elements[i].Content, "{bookTotalPages}") {
				return true
			}
		}
	}
	return false
}

// shown reports whether an element stands on the page.
func (pc *pageContext) shown(e *settings.Element) bool {
	switch e.Parity {
	case "odd":
		if !pc.page.Recto {
			return false
		}
	case "even":
		if pc.page.Recto {
			return false
		}
	}
	switch e.Pages {
	case "", "all":
		return true
	case "body":
		return pc.page.Role == frame.Body || pc.page.Role == frame.Contents || pc.page.Role == frame.Index
	}
	return pc.page.Role.String() == e.Pages
}

// slot sets the elements of a slot in its container.
func (pc *pageContext) slot(s *settings.Slot, container unit.Rect, kind string) ([]frame.Item, error) {
	if len(s.Elements) == 0 {
		return nil, nil
	}
	sl := &slotSetter{pc: pc, slot: s, container: container, kind: kind}
	var out []frame.Item
	for i := range s.Elements {
		if !pc.shown(&s.Elements[i]) {
			continue
		}
		items, _, err := sl.element(i, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, items...)
	}
	return out, nil
}

type slotSetter struct {
	pc        *pageContext
	slot      *settings.Slot
	container unit.Rect
	kind      string // header, footer, heading, part
}

// frameOf gives the rectangle an element hangs on; sibling is true when it is
// another element. depth stops cycles.
func (s *slotSetter) frameOf(e *settings.Element, depth int) (r unit.Rect, sibling bool, err error) {
	pg := s.pc.page
	switch {
	case e.AnchorTo == "page":
		return unit.Rect{W: pg.Width, H: pg.Height}, false, nil
	case e.AnchorTo == "bleed":
		return pg.BleedBox(), false, nil
	case e.AnchorTo == "outer" && (s.kind == "header" || s.kind == "footer"):
		c := pg.Content
		if outerIsRight(s.pc.u.j.d, pg.Recto) {
			return unit.Rect{X: c.Right(), Y: c.Y, W: pg.Width - c.Right(), H: c.H}, false, nil
		}
		return unit.Rect{Y: c.Y, W: c.X, H: c.H}, false, nil
	case strings.HasPrefix(e.AnchorTo, "#") && depth < len(s.slot.Elements):
		for i := range s.slot.Elements {
			o := &s.slot.Elements[i]
			if o.ID == e.AnchorTo[1:] && o != e && s.pc.shown(o) {
				_, r, err := s.element(i, depth+1)
				return r, true, err
			}
		}
	}
	return s.container, false, nil
}

// outerIsRight: the fore-edge of a recto is its right side in a left-bound book.
func outerIsRight(d *settings.Design, recto bool) bool { return recto != d.Page.RightBound }

// element sets one element and says where it stands.
func (s *slotSetter) element(i, depth int) ([]frame.Item, unit.Rect, error) {
	e := &s.slot.Elements[i]
	f, sibling, err := s.frameOf(e, depth)
	if err != nil {
		return nil, unit.Rect{}, err
	}
	// Horizontal and vertical place of the anchor: 0 near edge, 1 middle, 2 far.
	hx, vy := 0, 0
	if !sibling {
		switch e.Edge {
		case "top", "bottom", "center":
			hx = 1
		case "top-right", "bottom-right", "right":
			hx = 2
		}
		switch e.Edge {
		case "left", "right", "center":
			vy = 1
		case "bottom", "bottom-left", "bottom-right":
			vy = 2
		}
	}
	ax := f.X + f.W*unit.Sp(hx)/2 + e.OffsetX
	room := f.Right() - ax
	switch hx {
	case 1:
		room = 2 * min(ax-f.X, f.Right()-ax)
	case 2:
		room = ax - f.X
	}
	if sibling {
		room = s.container.W
	}
	fillW := e.Width.Mode == "fill" || e.Kind == "rule" && !e.Vertical && e.Width.Mode != "length"
	var w, h unit.Sp
	switch {
	case e.Width.Mode == "length":
		w = e.Width.Length
	case fillW:
		w = f.W
		if sibling {
			w = s.container.W
		}
	}
	var lines []slotLine
	switch e.Kind {
	case "text":
		limit := max(room, 0)
		if w > 0 {
			limit = w
		} else if e.MaxWidth > 0 {
			limit = min(limit, e.MaxWidth)
		}
		limit -= e.Pad[1] + e.Pad[3]
		if lines, err = s.text(e, limit); err != nil {
			return nil, unit.Rect{}, err
		}
		if w == 0 {
			for _, l := range lines {
				w = max(w, l.off+l.width())
			}
			w += e.Pad[1] + e.Pad[3]
		}
		h = unit.Sp(len(lines))*e.Text.Leading + e.Pad[0] + e.Pad[2]
	case "rule":
		if e.Vertical {
			w, h = e.Thickness, f.H
		} else {
			h = e.Thickness
		}
	}
	switch e.Height.Mode {
	case "length":
		h = e.Height.Length
	case "fill":
		h = f.H
	}
	var plate *Found
	if e.Kind == "image" {
		if plate, err = s.pc.u.plate(s.pc.expand(e.ResourceID)); err != nil {
			return nil, unit.Rect{}, err
		}
		if plate != nil {
			w, h = s.pc.u.j.plateSize(e, plate, w, h)
		}
	}
	box := unit.Rect{W: w, H: h}
	if sibling {
		box.X, box.Y = f.X, f.Y
		switch e.Edge {
		case "right-of":
			box.X = f.Right()
		case "left-of":
			box.X = f.X - w
		case "below":
			box.Y = f.Bottom()
		case "above":
			box.Y = f.Y - h
		case "align-bottom":
			box.Y = f.Bottom() - h
		case "align-right":
			box.X = f.Right() - w
		}
		box.X += e.OffsetX
		box.Y += e.OffsetY
	} else {
		box.X = ax - w*unit.Sp(hx)/2
		box.Y = f.Y + f.H*unit.Sp(vy)/2 + e.OffsetY - h*unit.Sp(vy)/2
		if fillW && hx == 1 {
			box.X = f.X + e.OffsetX
		}
	}
	var items []frame.Item
	switch e.Kind {
	case "rule":
		items = []frame.Item{{Box: box, Fill: e.Color, ID: e.ID}}
	case "box":
		items = []frame.Item{{Box: box, Fill: e.Fill, Stroke: e.Border, Line: e.BorderWidth, Radius: min(e.Radius, min(box.W, box.H)/2), ID: e.ID}}
	case "image":
		if plate != nil {
			items = s.plate(e, plate, box)
		}
	case "text":
		if len(lines) == 0 {
			return nil, box, nil
		}
		if e.Fill.A != 0 || e.Border.A != 0 {
			items = append(items, frame.Item{Box: box, Fill: e.Fill, Stroke: e.Border, Line: e.BorderWidth, Radius: min(e.Radius, min(box.W, box.H)/2), ID: e.ID})
		}
		inner := unit.Rect{X: box.X + e.Pad[3], Y: box.Y + e.Pad[0], W: box.W - e.Pad[1] - e.Pad[3], H: box.H - e.Pad[0] - e.Pad[2]}
		free := inner.H - unit.Sp(len(lines))*e.Text.Leading
		switch e.VerticalAlign {
		case "top":
			free = 0
		case "bottom":
		default:
			free /= 2
		}
		y := inner.Y + free
		var pen *frame.Pen
		if e.Pen > 0 && e.PenColor.A > 0 {
			pen = &frame.Pen{Width: e.Pen, Color: e.PenColor, Hollow: e.Hollow}
		}
		for _, l := range lines {
			if l.LineSet == nil { // beside a drop cap
				y += e.Text.Leading
				continue
			}
			x := inner.X + l.off
			switch alignOf(e.Text.Align) {
			case flushRight:
				x = inner.Right() - l.Width
			case centred:
				x += (inner.W - l.off - l.Width) / 2
			}
			drop := unit.Sp(unit.MulDiv(int64(e.Text.Leading), 4, 5))
			items = append(items, frame.Item{Box: unit.Rect{X: x, Y: y, W: l.Width, H: e.Text.Leading}, ID: e.ID, Plain: l.text, Pen: pen,
				Text: &frame.Line{X: x, Top: y, Height: e.Text.Leading, Baseline: y + drop, LineSet: l.LineSet}})
			y += e.Text.Leading
		}
	}
	return items, box, nil
}
