package layout

import (
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/unit"
)

// measured is a block's text broken into lines: a function of the text, its
// inline styles and its setting alone, and therefore shared by every layout
// that has the same text, wherever in its chapter the text stands.
type measured struct {
	plain    string
	lines    []frame.LineSet
	offs     []unit.Sp // of each line, from the block's left edge
	overfull bool      // a word was wider than its line and was cut
	runt     unit.Sp   // a last line under this width is short
	styles   []int32   // of each run, line after line: where its colour comes from
	use      uint32
}

// measure returns the lines of a text, from the cache when it has been set
// before; in other inks, its lines are only coloured anew.
func (j *job) measure(in []markup.Inline, s *setting) (*measured, error) {
	h := newHasher()
	h.one(s.sig)
	for i := range in {
		n := &in[i]
		h.num(uint64(n.Kind)<<32 | uint64(n.Style))
		switch n.Kind {
		case markup.Text:
			h.str(n.Text)
		case markup.Break, markup.Anchor, markup.IndexMark, markup.Tab:
		case markup.Math:
			h.str(n.Text)
			h.num(flag(j.d.Math.Enabled), uint64(j.d.Math.Scale), j.refsIn(n.Text))
		case markup.Citation:
			h.str(n.Text)
			h.one(j.citeKey(n))
		default:
			text, _, _ := j.printed(n)
			h.str(text)
			h.str(n.ID)
			h.str(j.target(n))
			if n.Kind == markup.InlineImg {
				f, err := j.look(n.Target)
				if err != nil {
					return nil, err
				}
				h.one(f.key())
			}
		}
		if n.Kind == markup.Chip || n.Kind == markup.Swatch || n.Style&markup.CodeSpan != 0 {
			j.hashPlates(&h, n, s)
		}
		if n.Kind == markup.Tab {
			for _, a := range n.Attrs {
				h.str(a.Key)
				h.str(a.Value)
			}
		}
		if n.Lang != "" {
			h.str(n.Lang)
		}
		if n.Link != "" {
			h.str(n.Link)
		}
		if d := directedSpan(n.Span); d != nil {
			h.str(d.Name)
			h.num(uint64(d.End - d.Start))
		}
	}
	shape := h.sum()
	h.one(s.ts.inks)
	key := h.sum()
	if err := j.tick(); err != nil { // what is found at once is not free, either
		return nil, err
	}
	l := j.l
	if m := l.measures[key]; m != nil && sameText(m.plain, in) {
		m.use = l.gen
		return m, nil
	}
	if m := l.shapes[shape]; m != nil && sameText(m.plain, in) {
		same, err := m.inked(j, s.ts)
		if err != nil {
			return nil, err
		}
		same.use = l.gen
		l.measures[key], l.shapes[shape] = same, same
		return same, nil
	}
	if s.loose == 0 {
		l.counters.ParagraphsShaped++
		l.counters.ParagraphsBroken++
	}
	b := &l.build
	b.j, b.s, b.in = j, s, in
	b.overfull = false
	b.join()
	b.directed()
	if err := b.build(); err != nil {
		return nil, err
	}
	m := b.finish()
	m.use = l.gen
	l.measures[key], l.shapes[shape] = m, m
	return m, nil
}

// inkKey tells where the colour of a run comes from: a key of typeStyle.styles,
// or -1 for a colour of the text's own.
func (rs *runStyle) inkKey() int32 {
	if rs.ownInk {
		return -1
	}
	return int32(rs.key)
}

// inked is the same text in the inks of another type style that measures alike.
// Words and shapes are shared.
func (m *measured) inked(j *job, ts *typeStyle) (*measured, error) {
	out := *m
	out.lines = append([]frame.LineSet(nil), m.lines...)
	runs := make([]frame.Run, 0, len(m.styles))
	for i := range out.lines {
		from := len(runs)
		for _, r := range m.lines[i].Runs {
			if k := m.styles[len(runs)]; k >= 0 {
				rs, err := j.l.style(j.ctx, ts, markup.Style(k)&^refStyle, markup.Style(k)&refStyle != 0)
				if err != nil {
					return nil, err
				}
				r.Color = rs.color
			}
			runs = append(runs, r)
		}
		out.lines[i].Runs = runs[from:len(runs):len(runs)]
	}
	return &out, nil
}

// sameText reports whether the inlines' plain text is plain.
func sameText(plain string, in []markup.Inline) bool {
	for i := range in {
		p := plainOf(&in[i])
		if len(plain) < len(p) || plain[:len(p)] != p {
			return false
		}
		plain = plain[len(p):]
	}
	return plain == ""
}

// finish copies the lines out of the scratch memory.
func (b *builder) finish() *measured {
	m := &measured{plain: b.plain, overfull: b.overfull, runt: b.runtWidth(),
		lines: make([]frame.LineSet, len(b.lines)), offs: make([]unit.Sp, len(b.offs))}
	words := make([]frame.Word, len(b.words))
	runs := make([]frame.Run, len(b.runs))
	copy(words, b.words)
	copy(runs, b.runs)
	copy(m.lines, b.lines)
	copy(m.offs, b.offs)
	m.styles = append([]int32(nil), b.styles...)
	w := int32(0)
	for i := range runs {
		runs[i].Words = words[w:b.ends[i]:b.ends[i]]
		w = b.ends[i]
	}
	r := int32(0)
	for i := range m.lines {
		m.lines[i].Runs = runs[r:b.tails[i]:b.tails[i]]
		r = b.tails[i]
	}
	if cap(b.words) > 1<<20 {
		*b = builder{}
	}
	return m
}

// textOf makes the way back from a block's plain text to its source.
func (j *job) textOf(m *measured, in []markup.Inline) *frame.Text {
	t := &frame.Text{Plain: m.plain, Map: make([]frame.MapEntry, 0, len(in))}
	at := int32(0)
	for i := range in {
		n := &in[i]
		p := plainOf(n)
		if p == "" {
			continue
		}
		e := frame.MapEntry{Plain: at, Src: int32(n.Start)}
		if n.Kind != markup.Text || int(n.End-n.Start) != len(n.Text) { // generated text stands for its block
			e.SrcLen = int32(n.End - n.Start)
		}
		t.Map = append(t.Map, e)
		at += int32(len(p))
	}
	return t
}
