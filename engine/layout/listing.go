package layout

import (
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/highlight"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Listings (document-format.md 4.6, settings.md 16): code as it was typed, in a
// box of its own, its words coloured by their part, its lines numbered and marked
// where that is asked for.

// listing is what the lines of a listing carry beside their text.
type listing struct {
	source  []int32          // the line of code each set line belongs to, from 0
	numbers []*frame.LineSet // of each line of code; nil for none
	gutter  unit.Sp          // right edge of the numbers, from the code's left edge: negative
	marked  map[int32]bool   // lines of code with a tint
	tint    unit.Color
	left    unit.Sp // of the tint, from the code's left edge
	width   unit.Sp
}

// code sets a listing.
func (w *walker) code(b *markup.Block, p place) error {
	c, l := &w.d.Code, &w.d.Listing
	t := p.text
	t.Family, t.Size, t.Leading, t.Color, t.Italic, t.Hyphenate, t.Tracking = c.Family, c.Size, c.Leading, c.Color, false, false, 0
	t.Weight, t.BoldWeight, t.Transform, t.SmallCaps = l.Weight, l.Bold, "none", false
	span := "column"
	if l.SpanPage {
		span = "page"
	}
	if attrOr(b.Attrs, "span", span) == "page" && p.group == 0 && !p.subcolumn && !p.onPart && p.kind != frame.Note && across(w.d) {
		p.x, p.width = 0, contentWidth(w.d)
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanOpen, kind: frame.Frame, above: l.Above, start: b.Start, end: b.End})
		defer func() {
			w.flow.nodes = append(w.flow.nodes, node{what: nSpanClose, start: b.End, end: b.End})
		}()
	}
	in := w.openBox(p, box{outline: l.Frame, brk: l.Break, pad: l.Frame.Pad,
		block: frame.Block{Kind: frame.Frame, Start: b.Start, End: b.End, Style: b.Info, ID: b.ID}}, l.Above, l.Below, l.Snap)
	k := in.group
	title, _ := b.Attrs.Get("title")
	if l.Label.Enabled {
		tab := *b
		if v, ok := b.Attrs.Get("label"); !ok || v == "" {
			// The title stands in the tab.
			tab.Attrs = markup.Attrs{{Key: "label", Value: title}}
			title = ""
		}
		if err := w.boxTab(&l.Label, &tab, &w.flow.boxes[k-1]); err != nil {
			return err
		}
	}
	if title != "" {
		words := w.said(b, title)
		if _, err := w.boxTitle(&l.Heading, words, b, in, false); err != nil {
			return err
		}
		if l.Break.RepeatTitle {
			if err := w.titleAgain(k, &l.Heading, words, b, in); err != nil {
				return err
			}
		}
	}
	ln := &listing{tint: l.Mark, left: -w.flow.boxes[k-1].pad.Left, width: w.flow.boxes[k-1].w}
	lines := strings.Count(strings.TrimSuffix(b.Literal, "\n"), "\n") + 1
	if err := w.lineNumbers(b, ln, lines, t, &in); err != nil {
		return err
	}
	if v, ok := b.Attrs.Get("highlight"); ok && l.Mark.A > 0 {
		ln.marked = markedLines(v, lines)
	}
	n := node{kind: frame.Code, start: b.Start, end: b.End, x: in.x, group: k, style: b.Info, leading: c.Leading}
	if n.in = w.literal(b); l.Highlight && b.Info != "" && len(b.Literal) < 1<<20 {
		in, err := w.coloured(n.in, b)
		if err != nil {
			return err
		}
		n.in = in
	}
	got, err := w.codeLines(b, n, t, in.width)
	if err != nil {
		return err
	}
	ln.source = sourceLines(got.m, 0)
	got.listing = ln
	if err := w.continuation(k, l.Break, w.d.Body); err != nil {
		return err
	}
	w.closeBox(k, l.Below, l.Snap && p.group == 0, p)
	w.afterPara, w.afterHeading = false, false
	return nil
}

// sourceLines tells which line of code each set line belongs to; the first stands
// at an offset of the text.
func sourceLines(m *measured, from int) []int32 {
	out := make([]int32, len(m.lines))
	at := int32(strings.Count(m.plain[:min(from, len(m.plain))], "\n"))
	for i := range out {
		out[i] = at
		if m.lines[i].Last {
			at++
		}
	}
	return out
}

// lineNumbers sets the numbers of a listing's lines in a gutter.
func (w *walker) lineNumbers(b *markup.Block, ln *listing, lines int, t settings.Text, in *place) error {
	l := &w.d.Listing
	start, given := b.Attrs.Int("start")
	on := l.Numbers || given
	if _, ok := b.Attrs.Get("lineNumbers"); ok {
		on = b.Attrs.On("lineNumbers")
	}
	if !on {
		return nil
	}
	if !given {
		start = 1
	}
	t.Color = l.NumberColor
	widest, err := w.label(strings.Repeat("0", len(strconv.Itoa(max(start+lines-1, start)))), t)
	if err != nil {
		return err
	}
	room := widest.Width + l.NumberGap
	if in.width < room+8*t.Size {
		return nil // no room for numbers beside the code
	}
	in.x, in.width = in.x+room, in.width-room
	ln.left, ln.gutter = ln.left-room, -l.NumberGap
	ln.numbers = make([]*frame.LineSet, lines)
	for i := range ln.numbers {
		if ln.numbers[i], err = w.label(strconv.Itoa(start+i), t); err != nil {
			return err
		}
	}
	return nil
}

// markedLines reads "2,4-6": lines counted from 1.
func markedLines(list string, lines int) map[int32]bool {
	m := map[int32]bool{}
	for _, f := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		a, z, ranged := strings.Cut(f, "-")
		from, err := strconv.Atoi(a)
		if err != nil {
			continue
		}
		to := from
		if ranged {
			if to, err = strconv.Atoi(z); err != nil {
				continue
			}
		}
		for i := max(from, 1); i <= min(to, lines); i++ {
			m[int32(i-1)] = true
		}
	}
	return m
}

// codeLines breaks the lines of a listing, or fits them as codeStyle.overflow
// says.
func (w *walker) codeLines(b *markup.Block, n node, t settings.Text, width unit.Sp) (*node, error) {
	c, l := &w.d.Code, &w.d.Listing
	const endless = unit.Sp(1) << 35
	cell, err := w.label(" ", t)
	if err != nil {
		return nil, err
	}
	if l.Overflow != "wrap" {
		m, err := w.measure(n.in, w.setting(settingKey{text: t, width: endless, align: flushLeft, flags: fRaw | fByLine}))
		if err != nil {
			return nil, err
		}
		if over := widest(m); over > width {
			wide := int64(0)
			for i := range m.lines {
				if m.lines[i].Width > width {
					wide++
				}
			}
			fields := []frame.Field{{Key: "mode", Value: l.Overflow}, {Key: "lines", Value: strconv.FormatInt(wide, 10)}, {Key: "lang", Value: b.Info}}
			if l.Overflow == "clip" {
				w.overflow(b, codeLines(wide, "is cut at the edge of its box", "are cut at the edge of their box"), fields)
				n.set = w.setting(settingKey{text: t, width: endless, align: flushLeft, flags: fRaw | fByLine})
				got, err := w.add(n)
				if err != nil {
					return nil, err
				}
				got.from, got.m = got.m, clipped(got.m, width)
				s := *got.set
				s.width = width
				got.set = &s
				return got, nil
			}
			// A little less, as words are rounded one by one.
			scale := max(unit.MulDiv(int64(width), 1000, int64(over))-2, l.MinScale)
			t.Size = max(share(t.Size, scale), 1)
			w.overflow(b, codeLines(wide, "is wider than its box", "are wider than their box")+": the listing is set at "+
				strconv.FormatInt(scale/10, 10)+" per cent", append(fields, frame.Field{Key: "scale", Value: strconv.FormatFloat(float64(scale)/1000, 'f', -1, 64)}))
		}
	}
	k := settingKey{text: t, width: width, align: flushLeft, flags: fRaw | fByLine}
	if k.hang = unit.Sp(c.WrapIndent) * cell.Width; k.hang > k.width/2 {
		k.hang = 0
	}
	n.set = w.setting(k)
	if c.WrapMarker != "" && k.hang > 0 {
		mt := t
		mt.Color = l.NumberColor
		if n.wrapped, err = w.label(c.WrapMarker, mt); err != nil {
			return nil, err
		}
		if n.wrapped.Width > k.hang {
			n.wrapped = nil
		}
	}
	got, err := w.add(n)
	if err != nil {
		return nil, err
	}
	turned := 0
	for i := 1; i < len(got.m.lines); i++ {
		if !got.m.lines[i-1].Last && (i == 1 || got.m.lines[i-2].Last) {
			turned++
		}
	}
	if turned > 0 && l.Overflow == "wrap" {
		w.overflow(b, codeLines(int64(turned), "is wider than its box and turns over", "are wider than their box and turn over"),
			[]frame.Field{{Key: "mode", Value: "wrap"}, {Key: "lines", Value: strconv.Itoa(turned)}, {Key: "lang", Value: b.Info}})
	}
	return got, nil
}

func (j *job) overflow(b *markup.Block, detail string, fields []frame.Field) {
	j.problems = append(j.problems, frame.Problem{Kind: "codeOverflow", Detail: detail, Start: b.Start, End: b.End, Page: -1, Fields: fields})
}

// clipped cuts lines at a width, glyph by glyph.
func clipped(m *measured, width unit.Sp) *measured {
	out := *m
	out.lines = append([]frame.LineSet(nil), m.lines...)
	for i := range out.lines {
		l := &out.lines[i]
		if l.Width <= width {
			continue
		}
		var runs []frame.Run
		for _, r := range l.Runs {
			var words []frame.Word
			for _, wd := range r.Words {
				x, k := wd.X, 0
				for k < len(wd.Shape.Glyphs) {
					step := unit.Scale(wd.Shape.Glyphs[k].Advance, r.Size, r.Face.UPem) + r.Tracking
					if x+step > width {
						break
					}
					x += step
					k++
				}
				if k == 0 {
					break
				}
				if k < len(wd.Shape.Glyphs) {
					wd.To = int32(k)
				}
				words = append(words, wd)
			}
			if len(words) > 0 {
				r.Words = words
				runs = append(runs, r)
			}
		}
		l.Runs, l.Width = runs, width
	}
	return &out
}

// literal makes inlines of a listing's text: texts and tabs, a break between
// lines.
func (w *walker) literal(b *markup.Block) []markup.Inline {
	if len(b.LineStarts) == 0 {
		return literal(b.Literal, b.LitStart)
	}
	// The lines stand apart in the source, behind the marks of a quotation or list;
	// blanks that such a line was given stand before its own text.
	var in []markup.Inline
	foot := b.Start // where the line before ended
	for i, line := range strings.Split(strings.TrimSuffix(b.Literal, "\n"), "\n") {
		at := b.End
		if i < len(b.LineStarts) {
			at = b.LineStarts[i]
		}
		if i > 0 {
			in = append(in, markup.Inline{Kind: markup.Break, Start: foot, End: at})
		}
		given := 0
		for given < len(line) && line[given] == ' ' && !strings.HasPrefix(w.doc.Source[min(at, len(w.doc.Source)):], line[given:]) {
			given++
		}
		if given > 0 {
			in = append(in, markup.Inline{Kind: markup.Text, Text: line[:given], Start: at, End: at})
		}
		in = append(in, literal(line[given:], at)...)
		foot = at + len(line) - given
	}
	return in
}

// literal makes inlines of one stretch of verbatim text.
func literal(s string, at int) []markup.Inline {
	s = strings.TrimSuffix(s, "\n")
	var in []markup.Inline
	for {
		k := strings.IndexByte(s, '\n')
		line := s
		if k >= 0 {
			line = s[:k]
		}
		for off := 0; off < len(line); {
			n := strings.IndexByte(line[off:], '\t')
			switch {
			case n == 0:
				in = append(in, markup.Inline{Kind: markup.Tab, Start: at + off, End: at + off + 1})
				off++
				continue
			case n < 0:
				n = len(line) - off
			}
			in = append(in, markup.Inline{Kind: markup.Text, Text: line[off : off+n], Start: at + off, End: at + off + n})
			off += n
		}
		if k < 0 {
			return in
		}
		in = append(in, markup.Inline{Kind: markup.Break, Start: at + k, End: at + k + 1})
		s, at = s[k+1:], at+k+1
	}
}

// coloured divides the texts of a listing at its tokens and gives each its style.
func (j *job) coloured(in []markup.Inline, b *markup.Block) ([]markup.Inline, error) {
	src := strings.TrimSuffix(b.Literal, "\n")
	var stopped error
	tokens := highlight.Tokens(b.Info, src, func() bool {
		stopped = j.wanted()
		return stopped != nil
	})
	if stopped != nil || len(tokens) == 0 {
		return in, stopped
	}
	out := make([]markup.Inline, 0, len(in)+2*len(tokens))
	at, k := 0, 0 // offset in the literal; token
	for i := range in {
		if i&1023 == 1023 {
			if err := j.wanted(); err != nil {
				return nil, err
			}
		}
		a := in[i]
		if a.Kind != markup.Text {
			at++ // a tab or a line's end
			out = append(out, a)
			continue
		}
		for text := a.Text; text != ""; {
			for k < len(tokens) && tokens[k].End <= at {
				k++
			}
			n, style := len(text), markup.Style(0)
			if k < len(tokens) {
				if t := tokens[k]; t.Start > at {
					n = min(n, t.Start-at)
				} else {
					n, style = min(n, t.End-at), markup.Style(t.Kind+1)<<tokenShift
				}
			}
			piece := a
			piece.Text, piece.Style = text[:n], a.Style|style
			if piece.End = a.Start + n; a.End == a.Start {
				piece.End = a.Start // blanks that do not stand in the source
			}
			out = append(out, piece)
			a.Start = piece.End
			text, at = text[n:], at+n
		}
	}
	return out, nil
}

// setListing draws what the set lines of a listing carry: marks behind them,
// numbers before them.
func (p *placer) setListing(n *node, b *frame.Block, from int) {
	ln := n.listing
	x := p.rects[p.col].X + n.x
	for i := range b.Lines {
		k := from + i
		if k >= len(ln.source) {
			break
		}
		src := ln.source[k]
		l := &b.Lines[i]
		if ln.marked[src] {
			b.Under = append(b.Under, frame.Item{ID: "marked", Fill: ln.tint, Box: unit.Rect{X: x + ln.left, Y: l.Top, W: ln.width, H: l.Height}})
		}
		if first := k == 0 || ln.source[k-1] != src; first && int(src) < len(ln.numbers) {
			num := ln.numbers[src]
			at := x + ln.gutter - num.Width
			b.Over = append(b.Over, frame.Item{ID: "lineNumber", Box: unit.Rect{X: at, Y: l.Top, W: num.Width, H: l.Height},
				Text: &frame.Line{X: at, Top: l.Top, Height: l.Height, Baseline: l.Baseline, LineSet: num}})
		}
	}
}

// codeLines says of n lines what became of them.
func codeLines(n int64, one, several string) string {
	if n == 1 {
		return "1 line of code " + one
	}
	return strconv.FormatInt(n, 10) + " lines of code " + several
}
