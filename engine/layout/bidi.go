package layout

import (
	"context"

	"postext/engine/bidi"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Text that runs both ways (document-format.md 15, UAX 9). Lines are broken in the
// order of the text; then the words of each line, and the spaces between them,
// are put in the order in which they are read across it. Words stay in the order
// of the text in their runs: only their places change.
//
// A paragraph runs from right to left where its container or heading says so
// (dir), else where most of its letters do. It then begins at the right.

// directions are the values of the attribute dir.
var directions = map[string]bidi.Direction{"ltr": bidi.LTR, "rtl": bidi.RTL}

// directionOf is the direction a block says, that of the language it says, or else
// what holds around it.
func directionOf(a markup.Attrs, around bidi.Direction) bidi.Direction {
	v, _ := a.Get("dir")
	if d, ok := directions[v]; ok {
		return d
	}
	if v, ok := a.Get("lang"); ok {
		if settings.RightToLeft(v) {
			return bidi.RTL
		}
		if around == bidi.RTL {
			return bidi.LTR
		}
	}
	return around
}

// runsRight reports whether a list or poem runs from right to left as a whole:
// where that is said, else where most of its letters do.
func (w *walker) runsRight(b *markup.Block) bool {
	if w.dir != bidi.Auto {
		return w.dir == bidi.RTL
	}
	source := w.doc.Source[b.Start:b.End]
	if !bidi.Needed(source) {
		return false
	}
	left, right := bidi.Letters(source)
	return right > left
}

// directed works out the levels of the block's text, where it needs any.
func (b *builder) directed() {
	b.levels, b.rtl = nil, false
	if b.s.raw || b.s.dir != bidi.RTL && !bidi.Needed(b.plain) && !b.isolated() {
		return
	}
	levels, base := bidi.Levels(b.plain, b.s.dir, b.isolates())
	b.levels, b.rtl = levels, base == 1
}

// isolated reports whether a run of the text is set apart in a direction.
func (b *builder) isolated() bool {
	for i := range b.in {
		if directedSpan(b.in[i].Span) != nil {
			return true
		}
	}
	return false
}

// directedSpan is the innermost :ltr[…] or :rtl[…] around.
func directedSpan(s *markup.Span) *markup.Span {
	for ; s != nil; s = s.Outer {
		if _, ok := directions[s.Name]; ok {
			return s
		}
	}
	return nil
}

// isolates are the runs set apart, outer ones before those inside.
func (b *builder) isolates() (out []bidi.Isolate) {
	var open []*markup.Span
	var at []int // of out
	start := 0
	for i := range b.in {
		var want []*markup.Span // outermost first
		for s := directedSpan(b.in[i].Span); s != nil; s = directedSpan(s.Outer) {
			want = append([]*markup.Span{s}, want...)
		}
		n := 0
		for n < len(open) && n < len(want) && open[n] == want[n] {
			n++
		}
		open, at = open[:n], at[:n]
		for _, s := range want[n:] {
			open, at = append(open, s), append(at, len(out))
			out = append(out, bidi.Isolate{From: start, RTL: s.Name == "rtl"})
		}
		start = int(b.bounds[i])
		for _, k := range at {
			out[k].To = start
		}
	}
	return out
}

// stretches calls set for each stretch of plain[from:to] of one level, with the
// style that shapes it in its direction.
func (b *builder) stretches(rs *runStyle, from, to int, set func(rs *runStyle, from, to int)) error {
	for from < to {
		end := from + 1
		for end < to && b.levels[end] == b.levels[from] {
			end++
		}
		st := rs
		if b.levels[from]%2 == 1 {
			var err error
			if st, err = b.j.l.turned(b.j.ctx, rs); err != nil {
				return err
			}
		}
		set(st, from, end)
		from = end
	}
	return nil
}

// turned is a style for text that runs from right to left: its words are shaped
// so, brackets mirrored.
func (l *Layouter) turned(ctx context.Context, rs *runStyle) (*runStyle, error) {
	if rs.back == nil {
		k := rs.f.key
		k.rtl, k.lang = true, ""
		f, err := l.fount(ctx, k)
		if err != nil {
			return nil, err
		}
		back := *rs
		back.f, back.synth, back.reserve = f, nil, nil // the scripts have no capitals
		rs.back = &back
	}
	rs.back.f.lastUse = l.gen
	return rs.back, nil
}

// cell is a word or a space of a line, in the order of the text.
type bidiCell struct {
	level uint8
	word  int32 // -1: a space
	width unit.Sp
}

// reorder puts the words of a line, set from words[first] and runs[run] on, where
// they are read.
func (b *builder) reorder(first, run int) {
	words := b.words[first:]
	if b.levels == nil || len(words) == 0 {
		return
	}
	cells := make([]bidiCell, 0, 2*len(words))
	any := false
	end := words[0].X
	at := 0
	for r := run; r < len(b.runs); r++ {
		for ; first+at < int(b.ends[r]); at++ {
			w := &words[at]
			level := b.levelAt(w)
			if w.Start == w.End && at > 0 { // a hyphen goes with its word
				level = b.levelAt(&words[at-1])
			}
			if gap := w.X - end; at > 0 && gap != 0 {
				between := min(level, cells[len(cells)-1].level)
				if k := int(words[at-1].End); gap > 0 && k < len(b.levels) && int32(k) < w.Start {
					between = b.levels[k]
				}
				cells = append(cells, bidiCell{between, -1, gap})
			}
			width := wordWidth(&b.runs[r], w)
			cells = append(cells, bidiCell{level, int32(at), width})
			end = w.X + width
			any = any || level > 0
		}
	}
	if !any {
		return
	}
	levels := make([]uint8, len(cells))
	for i := range cells {
		levels[i] = cells[i].level
	}
	x := words[0].X
	for _, k := range bidi.Order(levels) {
		if c := &cells[k]; c.word >= 0 {
			words[c.word].X = x
		}
		x += cells[k].width
	}
}

// levelAt is the level of a word. What an object prints is read from left to
// right, whatever is around it.
func (b *builder) levelAt(w *frame.Word) uint8 {
	if int(w.Start) >= len(b.levels) {
		return b.levels[len(b.levels)-1] &^ 1
	}
	l := b.levels[w.Start]
	if l%2 == 1 && int(w.End) <= len(b.plain) && b.plain[w.Start:w.End] == object && !w.Shape.RTL {
		l++
	}
	return l
}

// wordWidth is the room a word takes in its line.
func wordWidth(r *frame.Run, w *frame.Word) unit.Sp {
	switch {
	case w.Drawing != nil:
		return w.Drawing.Width
	case r.Picture != nil:
		return r.PicW
	}
	upem := r.Face.UPem
	if w.Shape.Face != nil {
		upem = w.Shape.Face.UPem
	}
	return unit.Scale(w.Shape.Advance, r.Size, upem) + r.Tracking*unit.Sp(w.Shape.Spaces())
}

// arrange puts the words of a label, set in the order of its text over a width,
// where they are read.
func arrange(runs []frame.Run, levels []uint8, width unit.Sp) {
	type part struct {
		word  *frame.Word
		width unit.Sp
	}
	var parts []part
	var at []uint8
	end, last := unit.Sp(0), 0
	for r := range runs {
		for i := range runs[r].Words {
			w := &runs[r].Words[i]
			if gap := w.X - end; gap > 0 {
				parts, at = append(parts, part{nil, gap}), append(at, levels[last])
			}
			wide := wordWidth(&runs[r], w)
			parts, at = append(parts, part{w, wide}), append(at, levels[w.Start])
			end, last = w.X+wide, min(int(w.End), len(levels)-1)
		}
	}
	if width > end && len(levels) > 0 {
		parts, at = append(parts, part{nil, width - end}), append(at, levels[last])
	}
	var x unit.Sp
	for _, k := range bidi.Order(at) {
		if w := parts[k].word; w != nil {
			w.X = x
		}
		x += parts[k].width
	}
}
