package frame

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"postext/engine/unit"
)

// Hash sums up everything a reader can see of a book's pages: geometry, text,
// glyphs, colours, numbers. Equal books have equal hashes, whatever way they
// were made; it is the measure of "the same pages" in tests and reports.
// Problems take no part.
func Hash(b *Book) [32]byte {
	h := &summer{h: sha256.New()}
	h.num(int64(len(b.Chapters)))
	for _, c := range b.Chapters {
		h.chapter(c)
	}
	return h.sum()
}

// HashChapter is Hash for one chapter.
func HashChapter(c *Chapter) [32]byte {
	h := &summer{h: sha256.New()}
	h.chapter(c)
	return h.sum()
}

// summer feeds values to a hash through a buffer.
type summer struct {
	h   hash.Hash
	buf []byte
}

func (s *summer) flush() {
	s.h.Write(s.buf) // a hash never fails
	s.buf = s.buf[:0]
}

func (s *summer) sum() (out [32]byte) {
	s.flush()
	copy(out[:], s.h.Sum(nil))
	return
}

func (s *summer) num(vs ...int64) {
	for _, v := range vs {
		s.buf = binary.AppendVarint(s.buf, v)
	}
	if len(s.buf) > 1<<13 {
		s.flush()
	}
}

func (s *summer) text(t string) {
	s.num(int64(len(t)))
	s.buf = append(s.buf, t...)
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
	s.items(p.Header)
	s.items(p.Footer)
	s.items(p.Under)
}

func (s *summer) block(b *Block) {
	for _, t := range []string{string(b.Kind), b.Number, b.Style, b.ID} {
		s.text(t)
	}
	s.num(int64(b.Index), int64(b.Level), int64(b.Start), int64(b.End), int64(b.FirstLine), int64(len(b.Lines)))
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
}

func (s *summer) line(l *Line) {
	s.num(int64(l.X), int64(l.Baseline), int64(l.Top), int64(l.Height))
	if l.LineSet == nil {
		s.num(-1)
		return
	}
	s.num(int64(l.Width), int64(l.Start), int64(l.End), int64(l.Ratio), int64(l.LineSet.Tracking), int64(len(l.Runs)))
	s.flag(l.Hyphenated, l.HardHyphen, l.Last, l.Ragged, l.Justified)
	for i := range l.Runs {
		r := &l.Runs[i]
		if r.Face != nil {
			s.num(int64(r.Face.Key))
		}
		s.num(int64(r.Size), int64(r.Rise), int64(r.Tracking), int64(len(r.Words)))
		s.color(r.Color)
		s.flag(r.Underline, r.Strike)
		s.text(r.Link)
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
		}
	}
}

func (s *summer) items(items []Item) {
	s.num(int64(len(items)))
	for i := range items {
		it := &items[i]
		s.rect(it.Box)
		s.color(it.Fill)
		s.color(it.Stroke)
		s.num(int64(it.Line))
		s.text(it.Plain)
		s.text(it.ID)
		s.text(it.Image)
		s.flag(it.Text != nil)
		if it.Text != nil {
			s.line(it.Text)
		}
	}
}
