package paint

import (
	"context"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/picture"
	"postext/engine/unit"
)

// canvas is a page being painted.
type canvas struct {
	*Painter
	view
	ctx   context.Context
	m     *Image
	yield picture.Yield
	pen   *frame.Pen // along the edges of the letters of the item at hand
	spare []byte     // pixels while the picture is turned
	// failed is the error that ends painting: the context's.
	failed error
}

func (c *canvas) page(p *frame.Page, o Options) error {
	paper := o.Paper
	if paper.A == 0 {
		paper = unit.Color{R: 255, G: 255, B: 255, A: 255}
	}
	paper.A = 255
	sheet := paper
	if p.Background.A > 0 {
		paper = over(p.Background, paper)
	}
	c.m.paper = paper
	c.m.grounds = append(c.m.grounds, paper)
	c.fill(int64(c.ox), int64(c.oy), int64(c.ox+c.w), int64(c.oy+c.h), paper, 256)

	c.items(p.Under)
	if o.Guides.LooseLines {
		c.loose(p, o.Guides)
	}
	for i := range p.Columns {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		for _, b := range p.Columns[i].Blocks {
			c.block(b)
		}
	}
	for list := p.Floats; len(list) > 0; {
		n := 1
		for n < len(list) && list[n].Turn == list[0].Turn {
			n++
		}
		c.turned(list[0].Turn, list[:n])
		list = list[n:]
	}
	c.items(p.LineNumbers)
	c.items(p.Header)
	c.items(p.Footer)
	if p.Marks != nil && !o.Trimmed {
		c.marks(p, sheet)
	}
	c.guides(p, o.Guides)
	if o.Negative {
		c.m.negate()
	}
	if c.failed != nil {
		return c.failed
	}
	return c.ctx.Err()
}

// marks clears the sheet beyond the bleed and draws the crop marks there
// (settings.md 5).
func (c *canvas) marks(p *frame.Page, sheet unit.Color) {
	c.m.grounds = note(c.m.grounds, sheet)
	b := p.BleedBox()
	x0, y0, x1, y1 := c.pixel(b.X), c.pixel(b.Y), c.pixel(b.Right()), c.pixel(b.Bottom())
	left, top, right, bottom := int64(c.ox), int64(c.oy), int64(c.ox+c.w), int64(c.oy+c.h)
	c.fill(left, top, right, y0, sheet, 256)
	c.fill(left, y1, right, bottom, sheet, 256)
	c.fill(left, y0, x0, y1, sheet, 256)
	c.fill(x1, y0, right, y1, sheet, 256)
	for _, m := range p.MarkBoxes() {
		c.surface(m, p.Marks.Color)
	}
}

func (c *canvas) block(b *frame.Block) {
	c.items(b.Under)
	for k := range b.Lines {
		c.line(&b.Lines[k])
	}
	c.items(b.Over)
}

func (c *canvas) items(list []frame.Item) {
	for i := range list {
		it := &list[i]
		if it.Fill.A > 0 {
			c.ground(it.Box, it.Radius, it.Fill)
		}
		if it.Image != "" || it.Picture != nil {
			c.image(it)
		}
		if it.Stroke.A > 0 && it.Line > 0 {
			c.edge(it.Box, it.Radius, it.Line, it.Stroke)
		}
		if it.Text != nil {
			c.pen = it.Pen
			c.line(it.Text)
			c.pen = nil
		}
	}
}

// ground fills a box, its corners rounded where they are.
func (c *canvas) ground(r unit.Rect, radius unit.Sp, col unit.Color) {
	if c.fine(radius) < 128 {
		c.surface(r, col)
		return
	}
	c.roundRect(r, radius, 0, col)
	for _, g := range c.m.grounds {
		if len(c.m.grounds) < maxNoted {
			c.m.grounds = note(c.m.grounds, over(col, g))
		}
	}
}

// edge draws a box's outline.
func (c *canvas) edge(r unit.Rect, radius, line unit.Sp, col unit.Color) {
	if c.fine(radius) < 128 {
		c.stroke(r, line, col)
		return
	}
	c.roundRect(r, radius, line, col)
}

// surface fills a rectangle others may stand on, or draws a rule.
func (c *canvas) surface(r unit.Rect, col unit.Color) {
	if !c.rect(r, col) {
		return
	}
	// What is wider than a thick rule is a ground for text.
	if c.fine(r.W) > 8<<8 && c.fine(r.H) > 8<<8 {
		for _, g := range c.m.grounds {
			if len(c.m.grounds) < maxNoted {
				c.m.grounds = note(c.m.grounds, over(col, g))
			}
		}
		return
	}
	c.m.inks = note(c.m.inks, col)
}

// rect fills a rectangle with its edges on whole pixels; what is thinner than a
// pixel is a pixel wide and as much paler. It reports whether any of it is in
// the picture.
func (c *canvas) rect(r unit.Rect, col unit.Color) bool {
	if r.W <= 0 || r.H <= 0 || col.A == 0 {
		return false
	}
	x0, x1, px := c.snap(r.X, r.W)
	y0, y1, py := c.snap(r.Y, r.H)
	if x1 <= int64(c.ox) || y1 <= int64(c.oy) || x0 >= int64(c.ox+c.w) || y0 >= int64(c.oy+c.h) {
		return false
	}
	c.fill(x0, y0, x1, y1, col, px*py>>8)
	return true
}

// snap gives the pixels of a stretch, and the part of 256 of its ink.
func (c *canvas) snap(at, length unit.Sp) (from, to int64, part uint32) {
	thick := c.fine(length)
	if thick < 256 {
		from = c.fine(at+length/2) >> 8
		return from, from + 1, uint32(max(thick, 1))
	}
	if thick < 8<<8 { // a rule: all of one thickness wherever they stand
		from = c.pixel(at)
		return from, from + (thick+128)>>8, 256
	}
	return c.pixel(at), c.pixel(at + length), 256
}

// stroke draws the four sides of a box, inside it.
func (c *canvas) stroke(r unit.Rect, line unit.Sp, col unit.Color) {
	c.m.inks = note(c.m.inks, col)
	if 2*line >= r.W || 2*line >= r.H {
		c.rect(r, col)
		return
	}
	c.rect(unit.Rect{X: r.X, Y: r.Y, W: r.W, H: line}, col)
	c.rect(unit.Rect{X: r.X, Y: r.Bottom() - line, W: r.W, H: line}, col)
	c.rect(unit.Rect{X: r.X, Y: r.Y + line, W: line, H: r.H - 2*line}, col)
	c.rect(unit.Rect{X: r.Right() - line, Y: r.Y + line, W: line, H: r.H - 2*line}, col)
}

// line draws a set line.
func (c *canvas) line(l *frame.Line) {
	if l.LineSet == nil {
		return
	}
	base := c.pixel(l.Baseline) << 8
	for i := range l.Plates {
		p := &l.Plates[i]
		// Reckoned from the baseline in the layout, so that plates of one line are
		// level whatever the size of the picture.
		r := unit.Rect{X: l.X + p.X, Y: l.Baseline - p.Above, W: p.W, H: p.Above + p.Below}
		if p.Fill.A > 0 {
			c.ground(r, p.Radius, p.Fill)
		}
		if p.Stroke.A > 0 && p.Line > 0 {
			c.edge(r, p.Radius, p.Line, p.Stroke)
		}
	}
	for i := range l.Runs {
		c.run(l, &l.Runs[i], base)
	}
}

func (c *canvas) run(l *frame.Line, r *frame.Run, base int64) {
	f := r.Face
	if r.Picture != nil && len(r.Words) > 0 {
		y := l.Baseline - r.Rise - r.PicH
		c.place(unit.Rect{X: l.X + r.Words[0].X, Y: y, W: r.PicW, H: r.PicH}, r.Picture, picture.Crop{})
		return
	}
	if f == nil || f.UPem <= 0 || r.Color.A == 0 || len(r.Words) == 0 {
		return
	}
	em := c.fine(r.Size)
	size := int32(min((em+2)/4, maxEm+1))
	if size <= 0 || size > maxEm {
		return
	}
	base -= c.fine(r.Rise)
	// Glyphs reach beyond the em, but not by more than two of them.
	if y := base>>8 - int64(c.oy); r.Words[0].Drawing == nil && (y < -2*(em>>8)-2 || y > int64(c.h)+2*(em>>8)+2) {
		return
	}
	k := newInk(r.Color)
	c.m.inks = note(c.m.inks, r.Color)
	if c.pen != nil {
		c.m.inks = note(c.m.inks, c.pen.Color)
	}
	for i := range r.Words {
		w := &r.Words[i]
		switch {
		case w.Drawing != nil:
			c.drawing(l.X+w.X, base, w.Drawing, r.Color)
		case w.Shape != nil:
			c.word(f, l.X+w.X, base, size, r, w, &k)
		}
	}
	if r.Underline || r.Strike {
		c.lines(l, r, base)
	}
}

func (c *canvas) word(f *font.Face, x unit.Sp, base int64, size int32, r *frame.Run, w *frame.Word, k *ink) {
	if w.Shape.Face != nil {
		f = w.Shape.Face
	}
	var pen int32 // font units
	var track unit.Sp
	from, to := part(w)
	for i := from; i < to; i++ {
		g := &w.Shape.Glyphs[i]
		if g.ID != font.Invisible {
			at := x + track + unit.Scale(pen+g.X, r.Size, f.UPem)
			y := base
			if g.Y != 0 {
				y -= c.fine(unit.Scale(g.Y, r.Size, f.UPem))
			}
			if c.pen == nil || !c.pen.Hollow {
				c.glyph(f, g.ID, size, c.fine(at), y, k)
			}
			if c.pen != nil {
				edge := newInk(c.pen.Color)
				c.penned(f, g.ID, size, c.fine(at), y, c.fine(c.pen.Width), &edge)
			}
		}
		pen += g.Advance
		if r.Tracking != 0 && w.Shape.Spaced(i) {
			track += r.Tracking
		}
	}
}

// drawing paints a formula whose baseline starts at x, base (base in 1/256
// pixel). Its rules keep quarter pixels like its raised signs, so that a bar
// stays where its fraction is.
func (c *canvas) drawing(x unit.Sp, base int64, d *frame.Drawing, ink unit.Color) {
	for i := range d.Marks {
		m := d.Marks[i]
		if m.Color.A == 0 {
			m.Color = ink
		}
		size := int32(min((c.fine(m.Size)+2)/4, maxEm+1))
		if m.Face == nil || m.Face.UPem <= 0 || size <= 0 || size > maxEm {
			continue
		}
		y := base - c.fine(m.Y)
		if y>>8 < int64(c.oy)-maxReach || y>>8 > int64(c.oy+c.h)+maxReach {
			continue
		}
		k := newInk(m.Color)
		c.m.inks = note(c.m.inks, m.Color)
		c.glyph(m.Face, m.Glyph, size, c.fine(x+m.X), y, &k)
	}
	for i := range d.Bars {
		b := d.Bars[i]
		if b.Color.A == 0 {
			b.Color = ink
		}
		c.m.inks = note(c.m.inks, b.Color)
		c.bar(c.fine(x+b.X), base-c.fine(b.Y+b.H), c.fine(x+b.X+b.W), base-c.fine(b.Y), b.Color)
	}
}

// maxReach is how far, in pixels, the glyphs of a formula may reach from their
// baseline into the picture.
const maxReach = 1 << 13

// bar fills a rectangle given in 1/256 pixel. Its long edges lie on whole
// pixels, its thickness is rounded to them but never below one: thinner is paler.
func (c *canvas) bar(x0, y0, x1, y1 int64, col unit.Color) {
	if x1 <= x0 || y1 <= y0 {
		return
	}
	w, px := thickness(x1 - x0)
	h, py := thickness(y1 - y0)
	x, y := (x0+x1-w<<8+256)>>9, (y0+y1-h<<8+256)>>9
	c.fill(x, y, x+w, y+h, col, px*py>>8)
}

// thickness is a length in whole pixels, at least one, and the part of 256 of
// its ink.
func thickness(v int64) (pixels int64, part uint32) {
	if v < 256 {
		return 1, uint32(max(v, 1))
	}
	return (v + 128) >> 8, 256
}

// part is which glyphs of a word are set.
func part(w *frame.Word) (from, to int) {
	n := len(w.Shape.Glyphs)
	from, to = int(w.From), int(w.To)
	if to <= 0 || to > n {
		to = n
	}
	if from < 0 || from > to {
		from = 0
	}
	return from, to
}

// lines draws the underline and the strike of a run, from its first word's
// left end to its last one's right.
func (c *canvas) lines(l *frame.Line, r *frame.Run, base int64) {
	f := r.Face
	left, right := l.X+r.Words[0].X, l.X+r.Words[0].X
	for i := range r.Words {
		w := &r.Words[i]
		if w.Shape == nil {
			continue
		}
		var advance int32
		var track unit.Sp
		from, to := part(w)
		for i := from; i < to; i++ {
			advance += w.Shape.Glyphs[i].Advance
			if r.Tracking != 0 && w.Shape.Spaced(i) {
				track += r.Tracking
			}
		}
		upem := f.UPem
		if w.Shape.Face != nil {
			upem = w.Shape.Face.UPem
		}
		left = min(left, l.X+w.X)
		right = max(right, l.X+w.X+unit.Scale(advance, r.Size, upem)+track)
	}
	draw := func(top, thick int32) {
		y := (base-c.fine(unit.Scale(top, r.Size, f.UPem)))>>8 + 1
		h := max(1, (c.fine(unit.Scale(thick, r.Size, f.UPem))+128)>>8)
		c.fill(c.pixel(left), y, c.pixel(right), y+h, r.Color, 256)
	}
	if r.Underline {
		draw(f.UnderlinePos, f.UnderlineHeight)
	}
	if r.Strike {
		draw(f.StrikePos, f.StrikeHeight)
	}
}

// negate turns lightness round and keeps hue: each channel is mirrored about
// the middle of the pixel's largest and smallest.
func (m *Image) negate() {
	flip := func(r, g, b uint8) (uint8, uint8, uint8) {
		s := 255 - int(max(r, g, b)) - int(min(r, g, b))
		return uint8(int(r) + s), uint8(int(g) + s), uint8(int(b) + s)
	}
	for i := 0; i < len(m.Pix); i += 4 {
		p := m.Pix[i : i+3 : i+3]
		p[0], p[1], p[2] = flip(p[0], p[1], p[2])
	}
	turn := func(c unit.Color) unit.Color {
		c.R, c.G, c.B = flip(c.R, c.G, c.B)
		return c
	}
	m.paper = turn(m.paper)
	for i, c := range m.inks {
		m.inks[i] = turn(c)
	}
	for i, c := range m.grounds {
		m.grounds[i] = turn(c)
	}
}
