package layout

import (
	"context"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/picture"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Found is what became of the search for a picture.
type Found struct {
	Picture *picture.Picture
	// Why tells, when there is no picture, what is wrong, in plain words.
	Why string
	// Resource is the book's record of it, if there is one.
	Resource *book.Resource
}

func (f *Found) key() uint64 {
	h := newHasher()
	if f.Picture != nil {
		h.one(f.Picture.Hash)
	}
	h.str(f.Why)
	if r := f.Resource; r != nil {
		h.str(r.ID)
		h.num(uint64(int64(r.Resolution * 1000)))
	}
	return h.sum()
}

// used is a picture a flow was built with; the flow holds while looking it up
// gives the same.
type used struct {
	name   string
	record *book.Resource
	key    uint64
}

// look finds a picture the text names.
func (j *job) look(target string) (Found, error) { return j.lookAt(target, nil) }

// lookAt finds the picture of a resource; without one, that of a name.
func (j *job) lookAt(name string, r *book.Resource) (Found, error) {
	f := Found{Why: "the book has no pictures"}
	if j.in != nil && j.in.Pictures != nil {
		var err error
		if f, err = j.in.Pictures(j.ctx, name, r); err != nil {
			return f, err
		}
	}
	if j.flow != nil {
		j.flow.used = append(j.flow.used, used{name, r, f.key()})
	}
	if g := &j.d.Figures; g.SingleInk && f.Picture != nil && f.Picture.Drawing != nil {
		f.Picture = j.l.inked(f.Picture, g.Ink)
	}
	return f, nil
}

// inkedKey is a picture in an ink.
type inkedKey struct {
	hash uint64
	ink  unit.Color
}

// inked recolours an SVG, and keeps the last ones.
func (l *Layouter) inked(p *picture.Picture, ink unit.Color) *picture.Picture {
	const kept = 200
	k := inkedKey{p.Hash, ink}
	if q := l.inks[k]; q != nil {
		return q
	}
	if l.inks == nil || len(l.inks) >= kept {
		l.inks = map[inkedKey]*picture.Picture{}
	}
	q := p.Inked(ink)
	l.inks[k] = q
	return q
}

// same reports whether every picture a flow was built with is what it was.
func (f *flow) same(ctx context.Context, in *Input) (bool, error) {
	for _, u := range f.used {
		if in.Pictures == nil {
			return false, nil
		}
		now, err := in.Pictures(ctx, u.name, u.record)
		if err != nil {
			return false, err
		}
		if now.key() != u.key {
			return false, nil
		}
	}
	return true, nil
}

// figure is a picture or table with its caption and note, measured for a slot:
// parts at their places from its top left corner.
type figure struct {
	id, number    string
	start, end    int // span in the source of what brings it in
	index         int
	parts         []figPart
	width, height unit.Sp
	// last is the leading of the last line when the figure ends in text, else 0.
	last unit.Sp
	// scale is the picture's size in thousandths of what its slot gives it.
	scale int64
	// next is the body row a table goes on from in its next part, 0 for none.
	next int
	// blocks are those of a box, from its corner; it has no parts.
	blocks []*frame.Block
	// flex says how its picture may be cropped, nil: not at all.
	flex *flexible
	// beside is the caption where it stands in the side column.
	beside *figure
	turn   frame.Turn
}

// figPart is one part of a figure.
type figPart struct {
	part       string
	x, y, w, h unit.Sp
	m          *measured // text
	text       *frame.Text
	leading    unit.Sp
	dx, dy     unit.Sp // of the text inside the part
	row, col   int

	pic     *picture.Picture
	picBox  unit.Rect // inside the part; zero: all of it
	crop    picture.Crop
	name    string
	alt     string
	fill    unit.Color
	round   unit.Sp      // radius of its round corners
	corners [4]bool      // which are: upper left, upper right, lower left, lower right
	marks   []frame.Item // laid over the part, from its corner
	rules   []frame.Item // from the figure's corner
}

// figureSpec says what a figure is made of, whatever its slot.
type figureSpec struct {
	found      Found
	name, alt  string
	id, number string
	start, end int
	label      string
	caption    []markup.Inline
	foreign    bool // the caption's words stand in no chapter
	note       []markup.Inline
	style      *settings.Caption
	place      settings.Placement
	table      *book.Table
	tableStyle *settings.TableStyle
	safe       *flexible // how its picture may be cropped, without a size
	poster     bool      // a video's: always as wide as its slot
	video      bool
	address    string  // where the print of a video leads, "" for nowhere
	exact      unit.Sp // the picture's width as the text asks for it, 0: its own
	noPicture  bool    // it has none: a box stands for it
	centred    bool    // a picture without a record: centred, its caption too when it is short
}

// text measures words of a figure in a width.
func (j *job) figText(in []markup.Inline, t settings.Text, width unit.Sp, al alignment) (*measured, error) {
	s := &setting{ts: j.l.typeOf(t, &j.d.Code, false), width: width, leading: t.Leading, align: al, byLine: al != justify, turn: t.Size * 2}
	s.seal(j)
	return j.measure(in, s)
}

// noPictureInk fills the box in place of a picture or a poster.
var noPictureInk = unit.Color{R: 0x3a, G: 0x3a, B: 0x3a, A: 255}

// foreignText is the text of words that stand in no chapter: all of it leads to
// what brought it in.
func foreignText(plain string, start, end int) *frame.Text {
	return &frame.Text{Plain: plain, Map: []frame.MapEntry{{Src: int32(start), SrcLen: int32(max(end-start, 1))}}}
}

// captionAgain is the most lines of a caption that a table repeats where it goes on;
// of a longer one it repeats the number.
const captionAgain = 3

// caption lays out a caption of a width.
func (j *job) caption(s *figureSpec, width unit.Sp, al alignment, again bool) (part figPart, ok bool, err error) {
	c := s.style
	in := make([]markup.Inline, 0, len(s.caption)+1)
	if s.label != "" {
		l := markup.Inline{Kind: markup.Chip, Text: s.label, Start: s.start, End: s.end}
		if c.LabelBold {
			l.Style |= markup.Bold
		}
		if c.LabelItalic {
			l.Style |= markup.Italic
		}
		in = append(in, l)
	}
	for _, x := range s.caption {
		if c.Italic {
			x.Style ^= markup.Italic
		}
		in = append(in, x)
	}
	if len(in) == 0 {
		return part, false, nil
	}
	if again && s.tableStyle != nil && s.tableStyle.Suffix != "" {
		in = append(in, markup.Inline{Kind: markup.Chip, Text: " " + s.tableStyle.Suffix, Style: markup.Italic, Start: s.start, End: s.end})
	}
	t := c.Text
	if c.LabelBold {
		t.BoldColor = c.LabelColor
	} else if c.LabelItalic {
		t.ItalicColor = c.LabelColor
	}
	pad := min(c.Padding, width/4)
	m, err := j.figText(in, t, width-2*pad, al)
	if err != nil || len(m.lines) == 0 {
		return part, false, err
	}
	part = figPart{part: "caption", w: width, h: unit.Sp(len(m.lines))*t.Leading + 2*pad, m: m, leading: t.Leading, dx: pad, dy: pad, fill: c.Fill}
	if s.foreign {
		part.text = foreignText(m.plain, s.start, s.end)
	} else {
		part.text = j.textOf(m, in)
	}
	return part, true, nil
}

// build measures a figure for a slot. high is the most height it may have, 0 for
// any; a picture is made smaller for it, down to least thousandths. A table is
// set from a body row on; with tableCut for least, as far as it fits.
func (j *job) build(s *figureSpec, slot, high unit.Sp, least int64, from int) (*figure, error) {
	f := &figure{id: s.id, number: s.number, start: s.start, end: s.end, width: slot, scale: 1000, turn: turnOf(&s.place)}
	area := slot
	if s.place.Width > 0 && s.place.Width < 1 {
		area = max(share(slot, int64(float64(s.place.Width*1000)+0.5)), 1)
	}
	var pw, ph unit.Sp
	if p := s.found.Picture; p != nil {
		pw, ph = p.Natural(j.dots(&s.found))
		if to := s.exact; s.poster || to > 0 {
			if s.poster {
				to = area
			}
			pw, ph = to, max(unit.Sp(unit.MulDiv(int64(ph), int64(to), int64(pw))), 1)
		}
		if pw > area {
			pw, ph = area, max(unit.Sp(unit.MulDiv(int64(ph), int64(area), int64(pw))), 1)
		}
	}
	if s.noPicture {
		pw = area
		ph = pw * 9 / 16
		if r := s.found.Resource; r != nil && r.Width > 0 && r.Height > 0 {
			if h := unit.Sp(float64(float64(pw) * r.Height / r.Width)); h > 0 && h < 4*pw {
				ph = h
			}
		}
	}
	if s.safe != nil && ph > 0 && !s.noPicture {
		fl := *s.safe
		fl.full = ph
		f.flex = &fl
	}
	for try := 0; ; try++ {
		f.parts = f.parts[:0]
		cut := least == tableCut || s.table != nil && high > 0 && !s.canSplit()
		if err := j.stack(f, s, slot, pw, ph, high, cut, from); err != nil {
			return nil, err
		}
		if high <= 0 || f.height <= high || ph == 0 || least == tableCut || try == 4 {
			break
		}
		// What the words leave is the picture's.
		to := max(ph-(f.height-high), 1)
		if f.flex != nil && ph > f.flex.least() && (to >= f.flex.least() || least != cropOnly) {
			ph = max(to, f.flex.least())
			continue
		}
		if least == cropOnly {
			break
		}
		by := max(int64(to)*f.scale/int64(ph), least) // rounded down: it has to fit
		if by >= f.scale {
			break
		}
		pw, ph = max(unit.Sp(unit.MulDiv(int64(pw), by, f.scale)), 1), max(unit.Sp(unit.MulDiv(int64(ph), by, f.scale)), 1)
		if f.flex != nil {
			f.flex.full = max(unit.Sp(unit.MulDiv(int64(f.flex.full), by, f.scale)), 1)
		}
		f.scale = by
	}
	return f, nil
}

// stack puts the parts under one another.
func (j *job) stack(f *figure, s *figureSpec, slot, pw, ph, high unit.Sp, cut bool, from int) error {
	c := s.style
	f.next = 0
	wide := slot
	if s.place.CaptionMeasure == "body" && pw > 0 {
		wide = min(max(pw, 8*c.Text.Size), slot)
	}
	al := alignOf(c.Text.Align)
	if s.place.CaptionSide {
		wide = sideOf(j.d, true).W
	}
	cap, said, err := j.caption(s, wide, al, from > 0)
	if err != nil {
		return err
	}
	if from > 0 && said && len(cap.m.lines) > captionAgain {
		short := *s
		short.caption = nil
		if cap, said, err = j.caption(&short, wide, al, true); err != nil {
			return err
		}
	}
	if f.beside = nil; s.place.CaptionSide {
		if f.beside, err = j.captionFigure(s, cap, said, wide); err != nil {
			return err
		}
		said = false
	}
	if s.centred && said && len(cap.m.lines) == 1 {
		if cap, said, err = j.caption(s, wide, centred, from > 0); err != nil {
			return err
		}
	}
	at := func(w unit.Sp) unit.Sp {
		switch {
		case s.centred || s.place.Align == "center":
			return (slot - w) / 2
		case s.place.Align == "right":
			return slot - w
		}
		return 0
	}
	var note *measured
	if len(s.note) > 0 && !s.place.CaptionSide {
		if note, err = j.figText(s.note, c.Note, wide, alignOf(c.Note.Align)); err != nil {
			return err
		}
	}
	var y unit.Sp
	f.last = 0
	if said && c.Above {
		cap.x, cap.y = at(wide), 0
		f.parts = append(f.parts, cap)
		y += cap.h + c.Gap
	}
	if s.table != nil {
		room := high - y
		if said && !c.Above {
			room -= c.Gap + cap.h
		}
		mark := s.tableStyle.Marker
		var more *measured
		under := unit.Sp(0) // what the note takes
		if cut {
			if note != nil {
				under = c.NoteGap + unit.Sp(len(note.lines))*c.Note.Leading
			}
			if mark != "" && s.canSplit() {
				if more, err = j.figText([]markup.Inline{{Kind: markup.Chip, Text: mark, Style: markup.Italic}}, c.Note, slot, flushRight); err != nil {
					return err
				}
				room -= c.NoteGap + c.Note.Leading
			}
		}
		top, parts := y, len(f.parts)
		if y, f.next, err = j.setTable(f, s, top, room-under, cut, from); err != nil {
			return err
		}
		if f.next > 0 && under > 0 {
			// It goes on: the note stands under its last part alone, with a row at least.
			f.parts = f.parts[:parts]
			if y, f.next, err = j.setTable(f, s, top, room, cut, from); err != nil {
				return err
			}
			if f.next == 0 {
				f.parts = f.parts[:parts]
				if y, f.next, err = j.setTable(f, s, top, y-top-1, cut, from); err != nil {
					return err
				}
			}
		}
		if f.next > 0 {
			note = nil // the last part has it
			if more != nil && len(more.lines) > 0 {
				y += c.NoteGap
				f.parts = append(f.parts, figPart{part: "note", y: y, w: slot, h: c.Note.Leading, m: more, leading: c.Note.Leading,
					text: foreignText(more.plain, s.start, s.end)})
				y += c.Note.Leading
			}
		}
	}
	var marks []frame.Item
	if s.video {
		marks = j.videoMarks(s, pw, ph)
	}
	if s.noPicture {
		f.parts = append(f.parts, figPart{part: "picture", marks: marks, x: at(pw), y: y, w: pw, h: ph, fill: noPictureInk, name: s.name, alt: s.alt,
			text: foreignText(object, s.start, s.end)})
		y += ph
	} else if pw > 0 {
		var crop picture.Crop
		if f.flex != nil {
			crop = f.flex.crop(ph)
		}
		f.parts = append(f.parts, figPart{part: "picture", marks: marks, crop: crop, x: at(pw), y: y, w: pw, h: ph, pic: s.found.Picture, name: s.name, alt: s.alt,
			text: foreignText(object, s.start, s.end)})
		y += ph
	}
	if said && !c.Above {
		y += c.Gap
		cap.x, cap.y = at(wide), y
		f.parts = append(f.parts, cap)
		y += cap.h
		f.last = cap.leading
	}
	if note != nil {
		if m := note; len(m.lines) > 0 {
			y += c.NoteGap
			h := unit.Sp(len(m.lines)) * c.Note.Leading
			f.parts = append(f.parts, figPart{part: "note", x: at(wide), y: y, w: wide, h: h, m: m, leading: c.Note.Leading,
				text: foreignText(m.plain, s.start, s.end)})
			y += h
			f.last = c.Note.Leading
		}
	}
	f.height = max(y, 1)
	return nil
}

// captionFigure is the caption of a figure, with its note, that stands in the side
// column beside it; nil without either.
func (j *job) captionFigure(s *figureSpec, cap figPart, said bool, width unit.Sp) (*figure, error) {
	f := &figure{id: s.id, number: s.number, start: s.start, end: s.end, width: width, scale: 1000}
	if said {
		f.parts = append(f.parts, cap)
		f.height = cap.h
	}
	if c := s.style; len(s.note) > 0 {
		m, err := j.figText(s.note, c.Note, width, alignOf(c.Note.Align))
		if err != nil {
			return nil, err
		}
		if f.height > 0 {
			f.height += c.NoteGap
		}
		h := unit.Sp(len(m.lines)) * c.Note.Leading
		f.parts = append(f.parts, figPart{part: "note", y: f.height, w: width, h: h, m: m, leading: c.Note.Leading, text: foreignText(m.plain, s.start, s.end)})
		f.height += h
	}
	if len(f.parts) == 0 {
		return nil, nil
	}
	return f, nil
}

// dots is the resolution a bitmap is set at (settings.md 6, bitmapResolution).
func (j *job) dots(f *Found) float64 {
	switch fg := &j.d.Figures; {
	case f.Resource != nil && f.Resource.Resolution > 0:
		return f.Resource.Resolution
	case fg.FromFile && f.Picture.DPI > 0:
		return f.Picture.DPI
	default:
		return fg.Dots
	}
}

// figureBlocks makes the frame's blocks of a figure with its corner at x, y; of a
// turned one as the page lies when it reads upright.
func (p *placer) figureBlocks(f *figure, x, y unit.Sp) []*frame.Block {
	if f.blocks != nil {
		return p.copyBlocks(f.blocks, x, y)
	}
	out := make([]*frame.Block, 0, len(f.parts))
	for i := range f.parts {
		pt := &f.parts[i]
		b := p.newBlock()
		*b = frame.Block{Kind: frame.Resource, Index: f.index, Start: f.start, End: f.end, ID: f.id, Number: f.number, Text: pt.text,
			Part: pt.part, Row: pt.row, Col: pt.col, Snapped: true, Box: unit.Rect{X: x + pt.x, Y: y + pt.y, W: pt.w, H: pt.h}}
		if pt.round > 0 && pt.corners != [4]bool{} && 2*pt.round <= pt.w && 2*pt.round <= pt.h {
			b.Under = append(b.Under, pt.cornerFills(b.Box)...)
		} else if pt.fill.A != 0 {
			b.Under = append(b.Under, frame.Item{Box: b.Box, Fill: pt.fill, ID: "fill"})
		}
		for _, r := range pt.rules {
			r.Box.X += x
			r.Box.Y += y
			b.Under = append(b.Under, r)
		}
		if pt.pic != nil {
			box := b.Box
			if r := pt.picBox; r.W > 0 {
				box = unit.Rect{X: box.X + r.X, Y: box.Y + r.Y, W: r.W, H: r.H}
			}
			b.Over = append(b.Over, frame.Item{Box: box, Image: pt.name, Picture: pt.pic, Crop: pt.crop, ID: "picture", Plain: pt.alt})
		}
		for _, it := range pt.marks {
			it.Box.X += b.Box.X
			it.Box.Y += b.Box.Y
			b.Over = append(b.Over, it)
		}
		if pt.m != nil {
			b.Lines = p.newLines(len(pt.m.lines))
			top, drop := b.Box.Y+pt.dy, share(pt.leading, 800)
			for k := range b.Lines {
				b.Lines[k] = frame.Line{X: b.Box.X + pt.dx + pt.m.offs[k], Top: top, Height: pt.leading, Baseline: top + drop, LineSet: &pt.m.lines[k]}
				top += pt.leading
			}
		}
		b.Turn, b.Box = f.turn, p.page.Placed(f.turn, b.Box)
		out = append(out, b)
	}
	return out
}

// keep marks what a figure uses as used.
func (f *figure) keep(gen uint32) {
	if f.beside != nil {
		f.beside.keep(gen)
	}
	for i := range f.parts {
		if m := f.parts[i].m; m != nil {
			m.use = gen
		}
	}
}
