package layout

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/linebreak"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Tabs (document-format.md 7.8, settings.md 8.4). Where a tab leads depends on
// where it stands, so a paragraph with tabs is filled line by line; of its spaces
// only those behind the last tab of a line stretch.

// tabbed is a tab among the pieces of a paragraph.
type tabbed struct {
	own  *settings.TabStop // the stop it brings along
	rs   *runStyle
	stop settings.TabStop // where it led, on its line
	fill unit.Sp          // room its leader fills
	open bool             // nothing follows it on the line
}

// hasTabs reports whether a text has a tab that is one: a :tab, or a typed one
// where there are stops.
func hasTabs(in []markup.Inline, stops *settings.TabStops) bool {
	for i := range in {
		switch in[i].Kind {
		case markup.Tab:
			if in[i].End-in[i].Start >= len(":tab") {
				return true
			}
		case markup.Text:
			if stops != nil && stops.Any() && strings.IndexByte(in[i].Text, '\t') >= 0 {
				return true
			}
		}
	}
	return false
}

// ownStop reads the stop that :tab{…} sets, nil for a tab without one.
func (b *builder) ownStop(a markup.Attrs) *settings.TabStop {
	at, ok := a.Get("at")
	if !ok {
		return nil
	}
	em := b.s.ts.text.Size
	s := &settings.TabStop{Align: attrOr(a, "align", "start"), Leader: attrOr(a, "leader", ""), Gap: em / 2,
		Decimal: attrOr(a, "decimal", settings.DecimalSign(b.j.d.Locale))}
	if v, ok := a.Get("gap"); ok {
		if x, ok := lengthIn(v, "pt", em, b.j.d); ok {
			s.Gap = max(x, 0)
		}
	}
	at = strings.TrimSpace(at)
	if n, ok := strings.CutSuffix(at, "%"); ok {
		v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
		if err != nil || !(v > 0 && v <= 100) {
			return nil
		}
		s.Share = int64(float64(v*1000) + 0.5)
	} else if at == "end" {
		s.Share = 100_000
	} else if x, ok := lengthIn(at, "pt", em, b.j.d); ok && x > 0 {
		s.At = x
	} else {
		return nil
	}
	return s
}

// tabStop adds a tab.
func (b *builder) tabStop(rs *runStyle, own *settings.TabStop, at int) {
	for n := len(b.items); n > 0 && b.items[n-1].Kind == linebreak.Glue; n-- {
		b.items, b.refs = b.items[:n-1], b.refs[:n-1]
	}
	b.pieces = append(b.pieces, piece{w: &word{shape: &font.Shape{}}, st: rs, start: int32(at), end: int32(at + 1), empty: true,
		tab: &tabbed{own: own, rs: rs}})
	b.items = append(b.items, linebreak.Item{Kind: linebreak.Box, NoTrack: true})
	b.refs = append(b.refs, ref{int32(len(b.pieces) - 1), 0})
	b.glued = false
	b.afterTab = true
}

// place is where a stop stands on a line of a width.
func placeOf(s *settings.TabStop, width unit.Sp) unit.Sp {
	if s.Share > 0 {
		return unit.Sp(unit.MulDiv(int64(width), s.Share, 100_000))
	}
	return s.At
}

// nextStop finds the stop of a tab at x whose predecessor on the line led to past.
func (b *builder) nextStop(t *tabbed, x, past unit.Sp) (settings.TabStop, bool) {
	if t.own != nil {
		return *t.own, true
	}
	stops := b.s.tabs
	last := unit.Sp(0)
	for i := range stops.Stops {
		s := stops.Stops[i]
		at := placeOf(&s, b.s.width)
		if at > x && at > past && at <= b.s.width {
			return s, true
		}
		last = max(last, at)
	}
	if stops.Interval > 0 {
		from := max(x, past, last)
		at := last + (from-last)/stops.Interval*stops.Interval + stops.Interval
		if at <= b.s.width {
			return settings.TabStop{At: at, Align: "start"}, true
		}
	}
	return settings.TabStop{}, false
}

// behind measures what stands between a tab and the next one or the end of the
// line: its width, and the part of it before the decimal sign.
func (b *builder) behind(i int, decimal string) (whole, before unit.Sp) {
	found := false
	for k := i + 1; k < len(b.items); k++ {
		it, r := &b.items[k], b.refs[k]
		if it.Kind == linebreak.Penalty {
			continue
		}
		if r.piece >= 0 && b.pieces[r.piece].tab != nil {
			break
		}
		if it.Kind == linebreak.Box && !found && decimal != "" && r.seg == 0 {
			p := &b.pieces[r.piece]
			if n := strings.LastIndex(p.w.shape.Text, decimal); n >= 0 && p.st != nil {
				found = true
				before = whole + p.st.f.part(p.w.shape.Text[:n]).width
			}
		}
		whole += it.Width
	}
	if !found {
		before = whole
	}
	return
}

// setTab gives the tab at item i, which stands at x, its width.
func (b *builder) setTab(i int, x, past unit.Sp) unit.Sp {
	p := &b.pieces[b.refs[i].piece]
	t := p.tab
	s, ok := b.nextStop(t, x, past)
	width := unit.Sp(0)
	if t.stop = s; ok {
		at := placeOf(&s, b.s.width)
		whole, before := b.behind(i, "")
		t.open = whole == 0
		switch s.Align {
		case "end", "right":
			at -= whole
		case "center":
			at -= whole / 2
		case "decimal":
			_, before = b.behind(i, s.Decimal)
			at -= before
		}
		width = at - x
	}
	least := t.rs.f.space
	if width < least {
		width, t.stop.Leader = least, ""
	}
	t.fill = width
	w := *p.w
	w.width = width
	p.w = &w
	b.items[i].Width = width
	return placeOf(&s, b.s.width)
}

// flushTabs breaks a stretch with tabs line by line.
func (b *builder) flushTabs(last bool) {
	s := b.s
	from := 0
	nth := 0
	for from < len(b.items) {
		opening := len(b.lines) == 0 && s.from == 0
		off := s.hang
		if opening {
			off = s.first
		}
		width := max(s.width-off, 1)
		var x, past unit.Sp
		brk, lastTab := -1, -1
		i := from
		started := false
		for ; i < len(b.items); i++ {
			it := &b.items[i]
			switch it.Kind {
			case linebreak.Glue:
				if started {
					brk = i
					x += it.Width
				}
				continue
			case linebreak.Penalty:
				if it.Penalty < linebreak.Never && started && x+it.Width <= width {
					brk = i
				}
				continue
			}
			if r := b.refs[i]; b.pieces[r.piece].tab != nil {
				past = b.setTab(i, off+x, past)
				lastTab = i
				if started {
					brk = i // what does not fit behind it takes the tab along
				}
				started = true
			}
			if x+it.Width > width && brk >= from {
				break
			}
			started = true
			x += it.Width
		}
		end := len(b.items)
		if i < len(b.items) {
			end = brk
		} else if x > width {
			b.overfull = true
		}
		// Spaces before the last tab keep their width.
		for k := from; k < lastTab && lastTab < end; k++ {
			if b.items[k].Kind == linebreak.Glue {
				b.refs[k].seg = 0
			}
		}
		b.line(from, linebreak.Break{Item: end}, width, opening, nth, last && end == len(b.items))
		nth++
		if from = end; end < len(b.items) && b.items[end].Kind != linebreak.Box {
			from++
		}
	}
}

// setLeader fills the room of a tab whose left end stands at x on a line that
// begins at off: with signs that stand under one another, or with a rule.
func (b *builder) setLeader(t *tabbed, x, off unit.Sp, at int32, gap unit.Sp) {
	from, to := x+t.stop.Gap, x+t.fill-t.stop.Gap
	if t.open {
		to += t.stop.Gap
	}
	if t.stop.Leader == "" || to <= from {
		return
	}
	if t.stop.Leader == "rule" {
		b.rules = append(b.rules, frame.Plate{X: from, W: to - from, Above: max(t.rs.f.key.size/20, unit.Pt/4), Fill: t.rs.color})
		return
	}
	text := t.stop.Leader
	if utf8.RuneCountInString(text) > 20 {
		return
	}
	w := t.rs.f.part(text)
	step := w.width
	if step <= 0 {
		return
	}
	if len(text) == 1 { // dots are set apart
		step = step * 2
	}
	for k := (off + from + step - 1) / step; ; k++ {
		at0 := k*step - off
		if at0+w.width > to || len(b.words) > 1<<22 {
			return
		}
		b.words = append(b.words, frame.Word{X: at0, Shape: w.shape, Start: at, End: at})
		b.gaps = append(b.gaps, gap)
	}
}
