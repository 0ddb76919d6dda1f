package layout

import (
	"slices"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// The list of contents (document-format.md 5.5, settings.md 19): an entry for
// every heading of the levels listed, a row for every part, with the page labels
// of the build before (layout.md 12).

// overContents reports the heading of the list of contents itself: right over the
// directive. It is not listed, unless it says toc="true", and not counted among the
// chapters where headings print no numbers.
func overContents(b, next *markup.Block) bool {
	return next != nil && next.Kind == markup.Directive && next.Name == "toc" && !isOn(b.Attrs, "toc")
}

// entry is what the outline keeps of a heading with a block behind it.
func (j *job) entry(b, next *markup.Block, lv *settings.HeadingLevel, number string, ordinal int) Entry {
	e := Entry{Level: b.Level, Number: number, Title: titleText(b.Inlines), ID: b.ID,
		TOC:     lv.TOC && !isOff(b.Attrs, "toc") && !overContents(b, next),
		Spelled: spells(lv.Template), Unnumbered: !lv.Numbered, Marked: markedTitle(b.Inlines)}
	if number == "" {
		e.Ordinal = ordinal
	}
	if key := j.d.Contents.Subtitle; key != "" {
		e.Subtitle, _ = b.Attrs.Get(key)
	}
	return e
}

// partEntry is what the outline keeps of a part.
func partEntry(b *markup.Block) Entry {
	p := partOf(b)
	return Entry{Number: p.Number, Title: p.Title, ID: b.ID, TOC: true}
}

// markedTitle is a title with its bold, italic and other marks and its formulas,
// as inlines of no source; nil for plain words.
func markedTitle(in []markup.Inline) []markup.Inline {
	const kept = markup.Bold | markup.Italic | markup.Sup | markup.Sub | markup.SmallCaps
	plain := true
	for i := range in {
		if in[i].Style&kept != 0 || in[i].Kind == markup.Math {
			plain = false
		}
	}
	if plain {
		return nil
	}
	var out []markup.Inline
	for i := range in {
		n := markup.Inline{Kind: markup.Chip, Style: in[i].Style & kept, Text: in[i].Text}
		switch in[i].Kind {
		case markup.Text, markup.Chip, markup.Citation:
		case markup.Math:
			n.Kind = markup.Math
		case markup.Break, markup.Tab:
			n.Text = " "
		default:
			continue
		}
		if n.Text != "" {
			out = append(out, n)
		}
	}
	return out
}

// printed is an entry's number: the template's, else the chapter's ordinal.
func (e *Entry) printed() string {
	if e.Number == "" && e.Ordinal > 0 {
		return counter(e.Ordinal, "decimal")
	}
	return e.Number
}

// contents sets the list of the book's headings and parts.
func (w *walker) contents(b *markup.Block, p place) error {
	c := &w.d.Contents
	w.flow.contents = true
	columns, err := w.numberColumns()
	if err != nil {
		return err
	}
	listed := false
	for chapter, ch := range w.job.in.Outline {
		for i := range ch {
			e := &ch[i]
			if !e.TOC {
				continue
			}
			link := placeLink("heading", chapter, i)
			if e.Level == 0 {
				if !c.Parts {
					continue
				}
				if c.PartBreak && listed && p.group == 0 && !p.subcolumn {
					w.flow.nodes = append(w.flow.nodes, node{what: nBreak, parity: "any", start: b.Start, end: b.End})
				}
				err = w.contentsPart(b, p, e, columns[1], link)
			} else if l := c.Listed(e.Level); l != nil {
				style := &l.Entry
				if e.Unnumbered {
					style = &l.Unnumbered
				}
				err = w.contentsEntry(b, p, e, style, l, columns[e.Level], link)
			} else {
				continue
			}
			if err != nil {
				return err
			}
			listed = true
		}
	}
	w.afterPara, w.afterHeading = false, true
	return nil
}

// numberColumns measures the column of the numbers of each level: as wide as its
// setting, or as the widest of them.
func (w *walker) numberColumns() (out [7]unit.Sp, err error) {
	c := &w.d.Contents
	for i := range c.Levels {
		out[c.Levels[i].Level] = c.Levels[i].NumberWidth
	}
	for _, ch := range w.job.in.Outline {
		for i := range ch {
			e := &ch[i]
			level := max(e.Level, 1) // parts stand in the type of the first
			l := c.Listed(level)
			text := e.printed()
			if l == nil || !e.TOC || text == "" || e.Level == 0 && !c.Parts {
				continue
			}
			ls, err := w.label(text, l.Number)
			if err != nil {
				return out, err
			}
			out[level] = max(out[level], ls.Width)
		}
	}
	return out, nil
}

// contentsPart sets a part's row: from its design, or like an entry of the first
// level at the foot of the row's height.
func (w *walker) contentsPart(b *markup.Block, p place, e *Entry, column unit.Sp, link string) error {
	c := &w.d.Contents
	first := settings.ContentsEntry{Text: c.Page}
	l := c.Listed(1)
	if l == nil {
		l = &settings.ContentsLevel{Number: c.Page, NumberGap: c.Page.Size / 2}
	} else {
		first.Text = l.Entry.Text
	}
	first.Above, first.Below = c.PartAbove, c.PartBelow
	if len(c.PartDesign.Elements) == 0 {
		first.Above += max(c.PartHeight-first.Text.Leading, 0)
		return w.contentsEntry(b, p, e, &first, l, column, link)
	}
	n := node{kind: frame.TOC, in: contentsTitle(b, e, link), start: b.Start, end: b.End, x: p.x, level: 1, number: e.Number, label: e.Label,
		set:     w.setting(settingKey{text: first.Text, plainInk: true, width: p.width, align: flushLeft, flags: fByLine}),
		leading: first.Text.Leading, whole: true, above: first.Above, below: first.Below, keepNext: true, group: p.group}
	m, err := w.measure(n.in, n.set)
	if err != nil {
		return err
	}
	d := &drawing{slot: &c.PartDesign, kind: "contents",
		own: ownValues{title: e.Title, number: e.Number, count: partNumber(e.Number), page: e.Label}}
	return w.drawn(&n, m, d, c.PartHeight)
}

// contentsTitle is an entry's title as inlines of the directive: a click on it
// leads there.
func contentsTitle(b *markup.Block, e *Entry, link string) []markup.Inline {
	if e.Marked == nil {
		return []markup.Inline{{Kind: markup.Chip, Text: e.Title, Link: link, Start: b.Start, End: b.End}}
	}
	out := append([]markup.Inline(nil), e.Marked...)
	for i := range out {
		out[i].Start, out[i].End, out[i].Link = b.Start, b.End, link
	}
	return out
}

// contentsEntry sets an entry: its number in the level's column, the title beside
// it, leaders and the page's label at the end of the last line, and a second line
// where the heading has one.
func (w *walker) contentsEntry(b *markup.Block, p place, e *Entry, style *settings.ContentsEntry, l *settings.ContentsLevel, column unit.Sp, link string) error {
	c := &w.d.Contents
	label, err := w.label(e.Label, c.Page)
	if err != nil {
		return err
	}
	label = linked(label, link)
	right := p.x + p.width
	x := p.x + min(style.Indent, p.width/2)
	n := node{kind: frame.TOC, in: contentsTitle(b, e, link), start: b.Start, end: b.End, level: max(e.Level, 1), number: e.printed(), label: e.Label,
		leading: style.Text.Leading, whole: true, above: style.Above, below: style.Below, group: p.group,
		keepNext: e.Level == 0 || e.Subtitle != ""}
	if n.number != "" {
		if n.marker, err = w.label(n.number, l.Number); err != nil {
			return err
		}
		n.marker, n.markerX = linked(n.marker, link), x
		x += min(max(column, n.marker.Width)+l.NumberGap, p.width/2)
	}
	n.x = x
	air := style.Text.Size / 2
	width := right - x - max(label.Width, c.PageWidth) - air
	width = max(width, p.width/4)
	n.set = w.setting(settingKey{text: style.Text, plainInk: true, width: width, align: flushLeft, flags: fByLine})
	got, err := w.add(n)
	if err != nil {
		return err
	}
	end := got.x
	if k := len(got.m.lines); k > 0 {
		end += got.m.offs[k-1] + got.m.lines[k-1].Width
	}
	got.endMark = label
	dots, err := w.leader(end+air, right-max(label.Width+c.LeaderGap, c.PageWidth), right-label.Width)
	if err != nil {
		return err
	}
	if dots != nil {
		got.endMark = joinLines(dots, label, 0)
	}
	got.endMarkX = right - got.endMark.Width
	if e.Subtitle == "" {
		return nil
	}
	second := node{kind: frame.TOC, in: []markup.Inline{{Kind: markup.Chip, Text: e.Subtitle, Link: link, Start: b.Start, End: b.End}},
		start: b.Start, end: b.End, level: n.level, leading: c.SubtitleText.Leading, whole: true, below: style.Below, group: p.group}
	got.below = 0
	second.x = x + min(max(c.SubtitleIndent, 0), p.width/4)
	second.set = w.setting(settingKey{text: c.SubtitleText, plainInk: true, width: max(right-second.x-c.PageWidth-air, p.width/4),
		align: flushLeft, flags: fByLine})
	_, err = w.add(second)
	return err
}

// linked is a line whose words lead somewhere.
func linked(ls *frame.LineSet, link string) *frame.LineSet {
	out := *ls
	out.Runs = slices.Clone(ls.Runs)
	for i := range out.Runs {
		out.Runs[i].Link = link
	}
	return &out
}

// maxLeaders bounds the signs of one leader.
const maxLeaders = 1000

// leader repeats the leader's sign from one place to another, counted from the
// right so that the signs of all lines stand under one another; the line ends at
// end, where the label begins. Nil when there is no room for two.
func (w *walker) leader(from, to, end unit.Sp) (*frame.LineSet, error) {
	c := &w.d.Contents
	if c.Leader == "" {
		return nil, nil
	}
	sign, err := w.label(c.Leader, c.Page)
	if err != nil || sign.Width <= 0 || len(sign.Runs) == 0 {
		return nil, err
	}
	step := sign.Width + c.LeaderGap
	n := (to - from + c.LeaderGap) / step
	if n < 2 || n > maxLeaders {
		return nil, nil
	}
	start := to - n*step + c.LeaderGap
	out := *sign
	out.Runs = make([]frame.Run, 0, len(sign.Runs))
	for _, r := range sign.Runs {
		words := make([]frame.Word, 0, int(n)*len(r.Words))
		for i := unit.Sp(0); i < n; i++ {
			for _, word := range r.Words {
				word.X += i * step
				words = append(words, word)
			}
		}
		r.Words = words
		out.Runs = append(out.Runs, r)
	}
	out.Width = end - start
	return &out, nil
}
