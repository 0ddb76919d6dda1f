package layout

import (
	"unicode"
	"unicode/utf8"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Drop caps (document-format.md 4.9, settings.md 8.5): the paragraph's first
// letter stands over several lines, which are shorter by it. It stays a part of
// the first line, so that the text reads on as it was written; it is large, and
// lowered to the baseline of the last line it drops into.

// drop is a drop cap as the builder sets it.
type drop struct {
	text  int // bytes of the plain text it takes: marks and letters
	marks int // of them, the opening marks
	lines int // lines shortened: those it drops into, and those its tail hangs into
	width unit.Sp
	sink  int     // the lines it drops into
	tail  unit.Sp // the width of the lines under it
	cap   *runStyle
	mark  *runStyle // of the marks; nil: as the cap
	shift unit.Sp   // leftwards: the letter's own bearing, hanging marks
	color unit.Color
	ends  int // offset of the space at which the first line ends; 0: anywhere
}

// opening reports the marks that may stand before the first letter.
func opening(r rune) bool {
	switch r {
	case '“', '‘', '"', '\'', '«', '‹', '„', '‚', '»', '›', '(', '[', '¿', '¡', '—', '–', '…', '「', '『':
		return true
	}
	return false
}

// joins reports the scripts whose letters are written together.
func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic)
}

// initial finds the letters of a drop cap at the start of a text: how many bytes
// of marks, and of marks and letters. why says that there are none.
func initial(text string, chars int) (marks, all int, why string) {
	for marks < len(text) {
		r, n := utf8.DecodeRuneInString(text[marks:])
		if !opening(r) && r != 0x2060 {
			break
		}
		marks += n
	}
	all = marks
	for k := 0; all < len(text); {
		r, n := utf8.DecodeRuneInString(text[all:])
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc) && k > 0 {
			all += n
			continue
		}
		if k == chars || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		if joins(r) {
			return 0, 0, "joiningScript"
		}
		all += n
		k++
	}
	if all == marks {
		return 0, 0, "noLetter"
	}
	return marks, all, ""
}

// takeDrop gives the drop cap the next paragraph is to have, once.
func (w *walker) takeDrop(p *place) settings.DropCap {
	c := w.drop
	w.drop = settings.DropCap{}
	if g := p.styled; g != nil && g.drop.On && (!g.dropped || g.drop.Each) {
		c = g.drop
		g.dropped = true
	}
	return c
}

// dropCap adds a paragraph with a drop cap; nil when it cannot have one.
func (w *walker) dropCap(c settings.DropCap, n node, k settingKey) (*node, error) {
	tell := func(reason, handling, words string) {
		w.problems = append(w.problems, frame.Problem{Kind: "dropCap", Detail: words, Start: n.start, End: n.end, Page: -1,
			Fields: []frame.Field{{Key: "reason", Value: reason}, {Key: "handling", Value: handling}}})
	}
	if len(n.in) == 0 || n.in[0].Kind != markup.Text {
		tell("noLetter", "skip", "the paragraph does not begin with a letter: it has no drop cap")
		return nil, nil
	}
	marks, all, why := initial(n.in[0].Text, c.Chars)
	switch why {
	case "noLetter":
		tell(why, "skip", "the paragraph does not begin with a letter: it has no drop cap")
		return nil, nil
	case "joiningScript":
		tell(why, "skip", "letters of a joining script cannot be parted: no drop cap")
		return nil, nil
	}
	k.first = 0
	leading := n.leading
	for {
		d, err := w.sizeDrop(c, &n, k, marks, all)
		if err != nil {
			return nil, err
		}
		if d.width > k.width/2 {
			tell("split", "skip", "the drop cap would leave no room for text beside it")
			return nil, nil
		}
		base := w.setting(k)
		s := *base
		s.drop = d
		s.seal(w.job)
		m := n
		m.in = w.leadIn(c, n.in, all, nil)
		m.set = &s
		probe, err := w.measure(m.in, m.set)
		if err != nil {
			return nil, err
		}
		if c.LeadWords == settings.LeadLine {
			if m.in, m.set, err = w.leadLine(c, n.in, all, m.set, probe); err != nil {
				return nil, err
			}
			if probe, err = w.measure(m.in, m.set); err != nil {
				return nil, err
			}
		}
		if lines := len(probe.lines); lines < c.Sink {
			switch {
			case c.Short == "skip":
				tell("shortParagraph", "skip", "the paragraph is shorter than its drop cap, which is left out")
				return nil, nil
			case c.Short == "shrink" && lines > 1:
				tell("shortParagraph", "shrink", "the paragraph is shorter than its drop cap, which is set smaller")
				c.Lines, c.Sink = max(c.Lines-(c.Sink-lines), 1), lines
				continue
			case c.Short == "shrink":
				tell("shortParagraph", "skip", "the paragraph is shorter than its drop cap, which is left out")
				return nil, nil
			}
			tell("shortParagraph", "reserve", "the paragraph is shorter than its drop cap: the lines beside it stay empty")
		}
		if len(probe.lines) < d.lines {
			m.least = unit.Sp(d.lines) * leading
		}
		m.solid = min(d.lines, len(probe.lines))
		m.rise = unit.Sp(c.Lines-c.Sink) * leading
		return w.add(m)
	}
}

// sizeDrop finds size and place of a drop cap: its top level with the capitals of
// the line lines above the one it stands on.
func (w *walker) sizeDrop(c settings.DropCap, n *node, k settingKey, marks, all int) (*drop, error) {
	t := k.text
	body, err := w.l.style(w.ctx, w.l.typeOf(t, &w.d.Code, k.plainInk), n.in[0].Style, false)
	if err != nil {
		return nil, err
	}
	t.Hyphenate, t.Transform, t.SmallCaps, t.Tracking = false, "none", false, 0
	if c.Family != "" {
		t.Family = c.Family
	}
	if c.Weight != 0 {
		t.Weight = c.Weight
	}
	if c.ItalicSet {
		t.Italic = c.Italic
	}
	ink := body.color
	if c.ColorSet {
		ink = c.Color
	}
	t.Color = ink
	face, err := w.l.env.Face(w.ctx, t.Family, t.Weight, t.Italic)
	if err != nil {
		return nil, err
	}
	capital := func(height, upem int32, size unit.Sp) unit.Sp {
		if height <= 0 {
			return share(size, 720)
		}
		return unit.Scale(height, size, upem)
	}
	if t.Size = c.Size.Of(k.text.Size); t.Size <= 0 {
		tall := unit.Sp(c.Lines-1)*n.leading + capital(body.f.face.CapHeight, body.f.face.UPem, body.f.key.size)
		if face.CapHeight > 0 {
			t.Size = unit.Sp(unit.MulDiv(int64(tall), int64(face.UPem), int64(face.CapHeight)))
		} else {
			t.Size = unit.Sp(unit.MulDiv(int64(tall), 1000, 720))
		}
	}
	style := func(size unit.Sp, rise unit.Sp) (*runStyle, error) {
		t.Size = size
		rs, err := w.l.style(w.ctx, w.l.typeOf(t, &w.d.Code, true), 0, false)
		if err != nil {
			return nil, err
		}
		own := *rs
		own.rise, own.color, own.ownInk = rise, ink, true
		return &own, nil
	}
	text := n.in[0].Text
	d := &drop{text: all, marks: marks, lines: c.Sink, sink: c.Sink, color: ink}
	if d.cap, err = style(t.Size, -unit.Sp(c.Sink-1)*n.leading); err != nil {
		return nil, err
	}
	if marks > 0 && c.Punctuation == "text" {
		if d.mark, err = style(body.f.key.size, 0); err != nil {
			return nil, err
		}
	}
	letter := d.cap.f.part(text[marks:all])
	d.width = letter.width
	// The letter's ink stands on the edge, not its bearing.
	if o := letter.face.Outline(firstGlyph(letter)); len(o.Segments) > 0 && marks == 0 {
		bearing := outlineY(letter.face, o.MinX, d.cap.f.key.size)
		if bearing > 0 {
			d.shift = bearing
			d.width -= bearing
		}
	}
	if marks > 0 {
		rs := d.cap
		if d.mark != nil {
			rs = d.mark
		}
		mark := rs.f.part(text[:marks]).width
		if c.Punctuation == "hang" {
			d.shift = mark
		} else {
			d.width += mark
		}
	}
	gap := c.Gap.Of(k.text.Size)
	d.width += gap
	d.tail = d.width
	// What hangs below the base line (Q, J) keeps clear of the capitals under it.
	x, clear := -d.shift, n.leading-share(k.text.Size, 720)
	for _, g := range letter.shape.Glyphs {
		o := letter.face.Outline(g.ID)
		deep := -outlineY(letter.face, o.MinY, d.cap.f.key.size)
		if len(o.Segments) > 0 && deep > clear && n.leading > 0 {
			d.lines = max(d.lines, c.Sink+int((deep-clear+n.leading-1)/n.leading))
			if marks == 0 {
				d.tail = max(d.tail, x+outlineY(letter.face, o.MaxX, d.cap.f.key.size)+gap)
			}
		}
		x += unit.Scale(int32(g.Advance), d.cap.f.key.size, letter.face.UPem)
	}
	d.tail = min(d.tail, k.width/2)
	return d, nil
}

// beside is how far a drop cap sets in a line of its paragraph, from the second on.
func (d *drop) beside(line int) unit.Sp {
	switch {
	case line >= d.lines:
		return 0
	case line >= d.sink:
		return d.tail
	}
	return d.width
}

func firstGlyph(w *word) uint32 {
	if len(w.shape.Glyphs) == 0 {
		return 0
	}
	return w.shape.Glyphs[0].ID
}

// leadIn sets the words after the letter in small capitals or capitals: as many
// as are asked for, or up to an offset of the plain text.
func (w *walker) leadIn(c settings.DropCap, in []markup.Inline, from int, upto *int) []markup.Inline {
	if c.LeadWords == 0 || !c.LeadCaps && !c.LeadUpper || c.LeadWords == settings.LeadLine && upto == nil {
		return in
	}
	var style markup.Style
	if c.LeadCaps {
		style = markup.SmallCaps
	}
	if c.LeadUpper {
		style = upperStyle
	}
	end, words := 0, 0
	if upto != nil {
		end = *upto
	} else {
		at := 0
	count:
		for i := range in {
			text := plainOf(&in[i])
			for k := 0; k < len(text); k++ {
				if at+k >= from && (text[k] == ' ' || text[k] == '\n') {
					if words++; words == c.LeadWords {
						end = at + k
						break count
					}
				}
			}
			at += len(text)
			end = at
		}
	}
	var out []markup.Inline
	at := 0
	for i := range in {
		a := in[i]
		n := len(plainOf(&a))
		if a.Kind != markup.Text || at >= end || at+n <= from {
			out = append(out, a)
			at += n
			continue
		}
		cut := func(lo, hi int, style markup.Style) {
			if lo < hi {
				p := a
				p.Text, p.Style = a.Text[lo:hi], a.Style|style
				if a.End-a.Start == len(a.Text) {
					p.Start, p.End = a.Start+lo, a.Start+hi
				}
				out = append(out, p)
			}
		}
		lo, hi := max(from-at, 0), min(end-at, n)
		cut(0, lo, 0)
		cut(lo, hi, style)
		cut(hi, n, 0)
		at += n
	}
	return out
}

// leadLine sets the whole first line in small capitals. What stands in it depends
// on how it is set: it is tried a few times, and where two ends take turns the
// line is made to end at the nearer one.
func (w *walker) leadLine(c settings.DropCap, in []markup.Inline, from int, s *setting, m *measured) ([]markup.Inline, *setting, error) {
	least := 0
	for range 4 {
		if len(m.lines) == 0 {
			return in, s, nil
		}
		end := int(m.lines[0].End)
		if m.lines[0].Hyphenated {
			for end < len(m.plain) && m.plain[end] != ' ' {
				end++
			}
		}
		if least == 0 || end < least {
			least = end
		}
		out := w.leadIn(c, in, from, &end)
		again, err := w.measure(out, s)
		if err != nil {
			return nil, nil, err
		}
		if len(again.lines) > 0 && int(again.lines[0].End) == int(m.lines[0].End) {
			return out, s, nil
		}
		m = again
	}
	d, t := *s.drop, *s
	d.ends = least
	t.drop = &d
	t.seal(w.job)
	return w.leadIn(c, in, from, &least), &t, nil
}
