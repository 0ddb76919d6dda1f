package frame

import (
	"slices"

	"postext/engine/unit"
)

// Inking is a chapter in its colours, made of frames in which numbers stand for them
// (settings.Inks). Words and pictures are shared with these.
type Inking struct {
	Chapter *Chapter
	of      *Chapter
	blocks  map[*Block]inked
	inks    map[unit.Color]ink // by number
}

// inked is a coloured block and which inks are in it.
type inked struct {
	block *Block
	inks  inkSet
}

// ink is the colour a number stood for, and its place in sets.
type ink struct {
	color unit.Color
	bit   inkSet
}

// inkSet is a set of inks; those past the 63rd are one.
type inkSet uint64

// Ink colours a chapter; real gives the colour of a number. before is the same
// chapter's colouring at an earlier time, or nil: it is returned itself when it
// holds, and blocks of it that stay are used again, also where other blocks have
// other colours now.
func Ink(c *Chapter, before *Inking, real func(unit.Color) unit.Color) *Inking {
	k := &Inking{of: c, blocks: map[*Block]inked{}, inks: map[unit.Color]ink{}}
	p := inker{k: k, real: real}
	if before != nil {
		p.had, k.blocks = before.blocks, make(map[*Block]inked, len(before.blocks))
		for n, was := range before.inks {
			is := ink{real(n), was.bit}
			k.inks[n] = is
			if is != was {
				p.moved |= is.bit
			}
		}
		if p.moved == 0 && before.of == c {
			return before
		}
	}
	out := *c
	out.plain = c
	out.Pages = make([]*Page, len(c.Pages))
	pages := make([]Page, len(c.Pages))
	for i, pg := range c.Pages {
		pages[i] = *pg
		out.Pages[i] = &pages[i]
		p.page(&pages[i])
	}
	k.Chapter = &out
	return k
}

// inker colours copies of frames.
type inker struct {
	k     *Inking
	real  func(unit.Color) unit.Color
	had   map[*Block]inked // coloured before
	moved inkSet           // the inks that were other colours then
	in    inkSet           // those of the block at hand
	last  unit.Color       // most colours are that of the one before
	is    ink
}

func (p *inker) color(c *unit.Color) {
	if c.A == 0 {
		return
	}
	if *c != p.last || p.is.bit == 0 {
		p.last = *c
		is, ok := p.k.inks[*c]
		if !ok {
			is = ink{p.real(*c), 1 << min(len(p.k.inks), 63)}
			p.k.inks[*c] = is
		}
		p.is = is
	}
	p.in |= p.is.bit
	*c = p.is.color
}

func (p *inker) page(pg *Page) {
	p.color(&pg.Background)
	pg.Columns = slices.Clone(pg.Columns)
	for i := range pg.Columns {
		pg.Columns[i].Blocks = p.list(pg.Columns[i].Blocks)
	}
	pg.Floats = p.list(pg.Floats)
	pg.Header, pg.Footer = p.items(pg.Header), p.items(pg.Footer)
	pg.LineNumbers, pg.Under = p.items(pg.LineNumbers), p.items(pg.Under)
	if pg.Marks != nil {
		marks := *pg.Marks
		p.color(&marks.Color)
		pg.Marks = &marks
	}
}

func (p *inker) list(blocks []*Block) []*Block {
	out := slices.Clone(blocks)
	for i, b := range blocks {
		out[i] = p.block(b)
	}
	return out
}

func (p *inker) block(b *Block) *Block {
	if out := p.k.blocks[b]; out.block != nil {
		return out.block
	}
	out := p.had[b]
	if out.block == nil || out.inks&p.moved != 0 {
		own := *b
		p.in = 0
		own.Lines = p.lines(b.Lines)
		own.Under, own.Over = p.items(b.Under), p.items(b.Over)
		out = inked{&own, p.in}
	}
	p.k.blocks[b] = out
	return out.block
}

// lines copies the lines of a block with their runs, each into one piece of memory.
func (p *inker) lines(lines []Line) []Line {
	out := slices.Clone(lines)
	n, runs := 0, 0
	for i := range lines {
		if s := lines[i].LineSet; s != nil {
			n++
			runs += len(s.Runs)
		}
	}
	sets, all := make([]LineSet, 0, n), make([]Run, 0, runs)
	for i := range out {
		s := out[i].LineSet
		if s == nil {
			continue
		}
		from := len(all)
		all = append(all, s.Runs...)
		sets = append(sets, *s)
		s = &sets[len(sets)-1]
		s.Runs = all[from:len(all):len(all)]
		p.set(s)
		out[i].LineSet = s
	}
	return out
}

// set colours a line whose runs are the inker's to write.
func (p *inker) set(s *LineSet) {
	for i := range s.Runs {
		r := &s.Runs[i]
		p.color(&r.Color)
		copied := false
		for k := range r.Words {
			d := r.Words[k].Drawing
			if d == nil || !d.colored() {
				continue
			}
			if !copied {
				r.Words, copied = slices.Clone(r.Words), true
			}
			r.Words[k].Drawing = p.drawing(d)
		}
	}
	s.Plates = slices.Clone(s.Plates)
	for i := range s.Plates {
		p.color(&s.Plates[i].Fill)
		p.color(&s.Plates[i].Stroke)
	}
}

// colored reports whether parts of a drawing have colours of their own.
func (d *Drawing) colored() bool {
	return slices.ContainsFunc(d.Marks, func(m Mark) bool { return m.Color.A > 0 }) ||
		slices.ContainsFunc(d.Bars, func(b Bar) bool { return b.Color.A > 0 })
}

func (p *inker) drawing(d *Drawing) *Drawing {
	out := *d
	out.Marks, out.Bars = slices.Clone(d.Marks), slices.Clone(d.Bars)
	for i := range out.Marks {
		p.color(&out.Marks[i].Color)
	}
	for i := range out.Bars {
		p.color(&out.Bars[i].Color)
	}
	return &out
}

func (p *inker) items(list []Item) []Item {
	out := slices.Clone(list)
	for i := range out {
		it := &out[i]
		p.color(&it.Fill)
		p.color(&it.Stroke)
		if it.Text != nil {
			it.Text = &p.lines([]Line{*it.Text})[0]
		}
		if it.Pen != nil {
			pen := *it.Pen
			p.color(&pen.Color)
			it.Pen = &pen
		}
	}
	return out
}
