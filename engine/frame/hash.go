package frame

import (
	"encoding/binary"
	"math/bits"

	"postext/engine/unit"
)

// Sum is a summary of pages; equal pages have equal sums, and that others have
// the same one is as good as impossible unless somebody sets out to make them.
type Sum [16]byte

// Hash sums up everything a reader can see of a book's pages: geometry, text,
// glyphs, colours, numbers. Equal books have equal hashes, whatever way they
// were made; it is the measure of "the same pages" in tests and reports.
// Problems take no part.
func Hash(b *Book) Sum {
	s := newSummer()
	s.num(int64(len(b.Chapters)))
	for _, c := range b.Chapters {
		s.chapter(c)
	}
	return s.sum()
}

// HashChapter is Hash for one chapter.
func HashChapter(c *Chapter) Sum {
	s := newSummer()
	s.chapter(c)
	return s.sum()
}

// summer sums up a series of numbers in two lanes. A lane takes a number by
// exclusive or and then mixes: by an odd factor, which moves what differs up, and
// by folding the upper half down. Every step can be undone, so two states that
// differ stay different under equal numbers; and as factors and folds of the two
// lanes differ, numbers that meet by chance in one do not in the other. There is
// no cryptography in it: crypto/sha256 would be a fiftieth of the worker's size.
type summer struct{ a, b uint64 }

// The factors are the golden ratio and √2 − 1 as fractions of 2⁶⁴, made odd.
const (
	factorA = 0x9e3779b97f4a7c15
	factorB = 0x6a09e667f3bcc909
)

func newSummer() *summer { return &summer{a: factorB, b: factorA} }

func (s *summer) mix(v uint64) {
	s.a = (s.a ^ v) * factorA
	s.a ^= s.a >> 32
	s.b = (bits.RotateLeft64(s.b, 23) ^ v) * factorB
	s.b ^= s.b >> 29
}

// sum ends the series. The last numbers are mixed some more, that they reach
// every bit.
func (s *summer) sum() (out Sum) {
	end := *s
	for range 3 {
		end.mix(0)
	}
	binary.BigEndian.PutUint64(out[:8], end.a)
	binary.BigEndian.PutUint64(out[8:], end.b)
	return out
}

func (s *summer) num(vs ...int64) {
	for _, v := range vs {
		s.mix(uint64(v))
	}
}

// text adds the length and then eight bytes at a time.
func (s *summer) text(t string) {
	s.mix(uint64(len(t)))
	for i := 0; i < len(t); i += 8 {
		var word uint64
		for k, c := range []byte(t[i:min(i+8, len(t))]) {
			word |= uint64(c) << (8 * k)
		}
		s.mix(word)
	}
}

func (s *summer) flag(vs ...bool) {
	var v int64
	for i, b := range vs {
		if b {
			v |= 1 << i
		}
	}
	s.num(v)
}

func (s *summer) rect(r unit.Rect) {
	s.num(int64(r.X), int64(r.Y), int64(r.W), int64(r.H))
}

func (s *summer) color(c unit.Color) {
	s.num(int64(c.R)<<24 | int64(c.G)<<16 | int64(c.B)<<8 | int64(c.A))
}

func (s *summer) chapter(c *Chapter) {
	s.text(c.ID)
	s.text(c.Title)
	s.num(int64(c.FirstPage), int64(len(c.Pages)))
	for _, p := range c.Pages {
		s.page(p)
	}
}

func (s *summer) page(p *Page) {
	s.num(int64(p.Number), int64(p.Value), int64(p.Role), int64(p.Width), int64(p.Height), int64(p.GridTop), int64(p.GridPitch))
	s.text(p.Label)
	s.flag(p.Blank, p.Recto)
	s.rect(p.Content)
	s.color(p.Background)
	s.num(int64(len(p.Columns)))
	for i := range p.Columns {
		c := &p.Columns[i]
		s.num(int64(c.Index), int64(c.Band), int64(c.Used), int64(len(c.Blocks)))
		s.rect(c.Box)
		s.text(c.Short)
		s.flag(c.Span)
		for _, b := range c.Blocks {
			s.block(b)
		}
	}
	s.num(int64(len(p.Floats)))
	for _, b := range p.Floats {
		s.block(b)
	}
	s.items(p.Header)
	s.items(p.Footer)
	s.items(p.Under)
	s.items(p.LineNumbers)
	s.flag(p.Marks != nil)
	if m := p.Marks; m != nil {
		s.num(int64(m.Bleed), int64(m.Margin), int64(m.Start), int64(m.Length), int64(m.Width))
		s.color(m.Color)
	}
}

func (s *summer) block(b *Block) {
	for _, t := range []string{string(b.Kind), b.Number, b.Style, b.ID, b.Part} {
		s.text(t)
	}
	s.num(int64(b.Index), int64(b.Level), int64(b.Start), int64(b.End), int64(b.FirstLine), int64(len(b.Lines)), int64(b.Turn))
	s.rect(b.Box)
	s.flag(b.Continued, b.Continues, b.Snapped, b.Text != nil)
	if b.Text != nil {
		s.text(b.Text.Plain)
		for _, e := range b.Text.Map {
			s.num(int64(e.Plain), int64(e.Src), int64(e.SrcLen))
		}
	}
	for i := range b.Lines {
		s.line(&b.Lines[i])
	}
	s.items(b.Under)
	s.items(b.Over)
	s.flag(b.Balance != nil)
	if v := b.Balance; v != nil {
		for _, l := range v.Levers {
			s.text(l)
		}
		s.num(int64(v.SpaceAbove), int64(v.ExtraLines), int64(v.Tracking), int64(v.Growth))
	}
}

func (s *summer) line(l *Line) {
	s.num(int64(l.X), int64(l.Baseline), int64(l.Top), int64(l.Height))
	if l.LineSet == nil {
		s.num(-1)
		return
	}
	s.num(int64(l.Width), int64(l.Start), int64(l.End), int64(l.Ratio), int64(l.Wanted), int64(l.LineSet.Tracking), int64(len(l.Runs)))
	s.flag(l.Hyphenated, l.HardHyphen, l.Last, l.Ragged, l.Justified)
	for i := range l.Plates {
		p := &l.Plates[i]
		s.num(int64(p.X), int64(p.W), int64(p.Above), int64(p.Below), int64(p.Line), int64(p.Radius))
		s.color(p.Fill)
		s.color(p.Stroke)
	}
	for i := range l.Runs {
		r := &l.Runs[i]
		if r.Face != nil {
			s.num(int64(r.Face.Key))
		}
		s.num(int64(r.Size), int64(r.Rise), int64(r.Tracking), int64(len(r.Words)))
		s.color(r.Color)
		s.flag(r.Underline, r.Strike)
		s.text(r.Link)
		if r.Picture != nil {
			s.num(int64(r.Picture.Hash), int64(r.PicW), int64(r.PicH))
		}
		for k := range r.Words {
			w := &r.Words[k]
			s.num(int64(w.X), int64(w.Start), int64(w.End), int64(w.From), int64(w.To))
			if w.Shape == nil {
				s.num(-1)
				continue
			}
			s.text(w.Shape.Text)
			for _, g := range w.Shape.Glyphs {
				s.num(int64(g.ID), int64(g.Advance), int64(g.X), int64(g.Y), int64(g.Cluster))
			}
			s.drawing(w.Drawing)
		}
	}
}

func (s *summer) drawing(d *Drawing) {
	if d == nil {
		return
	}
	s.num(int64(d.Width), int64(d.Height), int64(d.Depth), int64(len(d.Marks)), int64(len(d.Bars)))
	for i := range d.Marks {
		m := &d.Marks[i]
		if m.Face != nil {
			s.num(int64(m.Face.Key))
		}
		s.num(int64(m.Glyph), int64(m.Size), int64(m.X), int64(m.Y))
		s.color(m.Color)
	}
	for i := range d.Bars {
		b := &d.Bars[i]
		s.num(int64(b.X), int64(b.Y), int64(b.W), int64(b.H))
		s.color(b.Color)
	}
}

func (s *summer) items(items []Item) {
	s.num(int64(len(items)))
	for i := range items {
		it := &items[i]
		s.rect(it.Box)
		s.color(it.Fill)
		s.color(it.Stroke)
		s.num(int64(it.Line), int64(it.Radius))
		s.text(it.Plain)
		s.text(it.ID)
		s.text(it.Image)
		if it.Picture != nil {
			s.num(int64(it.Picture.Hash), int64(it.Crop.X0), int64(it.Crop.Y0), int64(it.Crop.X1), int64(it.Crop.Y1))
		}
		s.flag(it.Text != nil)
		if it.Text != nil {
			s.line(it.Text)
		}
		if it.Pen != nil {
			s.num(int64(it.Pen.Width))
			s.color(it.Pen.Color)
			s.flag(it.Pen.Hollow)
		}
	}
}
