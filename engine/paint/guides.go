package paint

import (
	"postext/engine/frame"
	"postext/engine/unit"
)

// Colours of the guides; those that cross text are translucent.
var (
	gridColor   = unit.Color{R: 0x2B, G: 0x8C, B: 0xFF, A: 0x70}
	marginColor = unit.Color{R: 0xE8, G: 0x60, B: 0xD0, A: 0xFF}
	columnColor = unit.Color{R: 0x40, G: 0xB0, B: 0x70, A: 0xFF}
	looseColor  = unit.Color{R: 0xFF, G: 0x8C, B: 0x00, A: 0x60}
	blockColor  = unit.Color{R: 0x80, G: 0x80, B: 0xF4, A: 0xFF}
)

// DefaultLoose is the word space, in natural ones, beyond which a line counts as
// loose (settings.md 36, debug.looseLineHighlight.threshold).
const DefaultLoose = 3

func (c *canvas) guides(p *frame.Page, g Guides) {
	if g.BaselineGrid && p.GridPitch > 0 && c.fine(p.GridPitch) > 512 {
		c.m.inks = note(c.m.inks, gridColor)
		area := p.Content
		first := max(0, (area.Y-p.GridTop+p.GridPitch-1)/p.GridPitch)
		for y := p.GridTop + first*p.GridPitch; y <= min(area.Bottom(), p.Height); y += p.GridPitch {
			// Just below the baseline, where no letter stands.
			at := c.pixel(y)
			c.fill(c.pixel(area.X), at, c.pixel(area.Right()), at+1, gridColor, 256)
		}
	}
	if g.Margins {
		c.outline(p.Content, 1, marginColor)
	}
	for i := range p.Columns {
		col := &p.Columns[i]
		if g.Columns {
			c.outline(col.Box, 0, columnColor)
		}
		for _, b := range col.Blocks {
			if g.Blocks {
				c.outline(b.Box, -1, blockColor)
			}
		}
	}
	if g.Blocks {
		for _, b := range p.Floats {
			c.outline(b.Box, -1, blockColor)
		}
	}
}

// loose tints the loose lines; it comes before the text, as a ground of it.
func (c *canvas) loose(p *frame.Page, g Guides) {
	from, tint := g.LooseFrom, g.LooseColor
	if from <= 0 {
		from = DefaultLoose
	}
	if tint.A == 0 {
		tint = looseColor
	}
	for i := range p.Columns {
		for _, b := range p.Columns[i].Blocks {
			for k := range b.Lines {
				l := &b.Lines[k]
				if l.LineSet != nil && float64(l.Loose()) > float64(from*1000) {
					c.surface(unit.Rect{X: l.X, Y: l.Top, W: l.Width, H: l.Height}, tint)
				}
			}
		}
	}
}

// outline draws the edge of a box one pixel wide, the given pixels outside it:
// margins, columns and blocks often coincide and must all be seen.
func (c *canvas) outline(r unit.Rect, out int64, col unit.Color) {
	if r.W <= 0 || r.H <= 0 {
		return
	}
	c.m.inks = note(c.m.inks, col)
	x0, y0, x1, y1 := c.pixel(r.X)-out, c.pixel(r.Y)-out, c.pixel(r.Right())+out, c.pixel(r.Bottom())+out
	c.fill(x0, y0, x1, y0+1, col, 256)
	c.fill(x0, y1-1, x1, y1, col, 256)
	c.fill(x0, y0+1, x0+1, y1-1, col, 256)
	c.fill(x1-1, y0+1, x1, y1-1, col, 256)
}
