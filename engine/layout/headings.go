package layout

import (
	"strings"
	"unicode"

	"postext/engine/bidi"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/math"
	"postext/engine/settings"
)

// levelOf resolves a heading's level through its style.
func (j *job) levelOf(b *markup.Block) (lv settings.HeadingLevel, style string) {
	n := min(max(b.Level, 1), 6) - 1
	lv = j.d.Headings.Levels[n]
	if id, ok := b.Attrs.Get("style"); ok {
		for i := range j.d.Headings.Styles {
			if s := &j.d.Headings.Styles[i]; s.ID == id {
				return s.Levels[n], id
			}
		}
		j.reportOnce("unknownHeadingStyle", "no heading style has the id "+id, b.Start, b.End,
			frame.Field{Key: "style", Value: id}, frame.Field{Key: "level", Value: string(rune('1' + n))})
	}
	return lv, ""
}

// count advances the heading counters and gives the printed number.
func (j *job) count(b *markup.Block, lv *settings.HeadingLevel) (number string) {
	if !lv.Numbered {
		return ""
	}
	j.resetEquations(b.Level)
	c := &j.st.Counters
	n := min(max(b.Level, 1), 6) - 1
	c[n]++
	if v, ok := b.Attrs.Int("startAt"); ok && v >= 1 {
		c[n] = v
	}
	for i := n + 1; i < 6; i++ {
		c[i] = 0
	}
	for i := range j.d.Boxes {
		if s := &j.d.Boxes[i].Numbering; s.ResetOn > n && j.st.Boxes != "" {
			j.st.Boxes.set(s.Counter, 0)
		}
	}
	return headingNumber(lv.Template, *c)
}

// ordinal counts a heading of the first level among the chapters: 0 for one that is
// not numbered, and for the heading of the contents where none prints a number.
func (j *job) ordinal(b, next *markup.Block, lv *settings.HeadingLevel) int {
	if !lv.Numbered || lv.Template == "" && overContents(b, next) {
		return 0
	}
	j.st.Ordinal++
	return j.st.Ordinal
}

// isOn and isOff read an attribute that switches something.
func isOn(a markup.Attrs, key string) bool {
	v, ok := a.Get(key)
	return ok && (v == "" || v == "true")
}

func isOff(a markup.Attrs, key string) bool {
	v, ok := a.Get(key)
	return ok && (v == "false" || v == "no")
}

// heading sets a heading, with the page break its level asks for.
func (w *walker) heading(b, next *markup.Block, p place) error {
	lv, style := w.levelOf(b)
	if b.Level == 1 && p.group == 0 {
		w.endNotes()
	}
	ref := &headingRef{level: b.Level, title: titleText(b.Inlines), attrs: b.Attrs,
		style: style, running: lv.RunningChapter, id: b.ID, look: w.worn, index: -1}
	ref.number = w.count(b, &lv)
	if b.Level == 1 {
		if w.d.Notes.Numbering == "chapter" {
			w.noteCount = 0
		}
		ref.ordinal = w.ordinal(b, next, &lv)
	}
	ref.entry = w.entry(b, next, &lv, ref.number, ref.ordinal)
	w.flow.heads = append(w.flow.heads, ref)
	wide := lv.SpanPage && across(w.d) && p.group == 0 && !p.subcolumn
	if (lv.BreakBefore || wide && lv.SpanBreak) && p.group == 0 && !p.subcolumn {
		parity := "any"
		if lv.BreakBefore {
			parity = lv.Parity
		}
		w.flow.nodes = append(w.flow.nodes, node{what: nBreak, parity: parity, start: b.Start, end: b.End})
	}
	w.afterHeading, w.afterPara = true, false
	w.drop = settings.DropCap{}
	if p.group == 0 {
		w.drop = dropCapOf(b.Attrs, lv.DropCap)
	}
	in := b.Inlines
	if ref.number != "" {
		num := markup.Inline{Kind: markup.Chip, Text: ref.number, Start: b.Start, End: b.Start}
		if lv.NumberReplaces {
			in = []markup.Inline{num}
		} else {
			num.Text += lv.Separator
			in = append([]markup.Inline{num}, in...)
		}
	}
	if lv.Hidden || isOn(b.Attrs, "hidden") || len(in) == 0 {
		w.flow.nodes = append(w.flow.nodes, node{what: nMark, head: ref, start: b.Start, end: b.End})
		return nil
	}
	t := lv.Text
	t.Hyphenate = false
	width := p.width
	if wide {
		width = contentWidth(w.d)
	}
	k := settingKey{text: t, width: width, align: alignOf(t.Align), flags: fByLine, dir: directionOf(b.Attrs, w.dir)}
	x := p.x
	if !lv.Designed && width-lv.Indent-max(lv.FirstIndent, 0) >= 2*t.Size { // else there is no room for it
		k.width -= lv.Indent
		if k.first = lv.FirstIndent; directionOf(b.Attrs, w.dir) != bidi.RTL {
			x += lv.Indent
		}
	}
	n := node{kind: frame.Heading, in: oneLineTitle(in), start: b.Start, end: b.End, x: x, level: b.Level,
		number: ref.number, style: style, id: b.ID, head: ref,
		set:   w.setting(k),
		above: lv.MarginTop, below: lv.MarginBottom, snap: lv.Snap, settles: lv.Snap, keepNext: w.d.Headings.KeepWithNext,
		whole: true, leading: t.Leading, group: p.group}
	if wide {
		n.keepNext = false
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanOpen, kind: frame.Heading, above: n.above, start: b.Start, end: b.End, keepNext: w.d.Headings.KeepWithNext})
	}
	ref.index = w.index
	var err error
	if lv.Designed {
		err = w.designed(&n, b.Inlines, &lv, ref)
	} else {
		_, err = w.add(n)
	}
	if err != nil {
		return err
	}
	if wide {
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanClose, start: b.End, end: b.End})
	}
	return nil
}

// oneLineTitle reads forced breaks in a title as spaces.
func oneLineTitle(in []markup.Inline) []markup.Inline {
	for i := range in {
		if in[i].Kind != markup.Break {
			continue
		}
		out := append([]markup.Inline(nil), in...)
		for k := range out {
			if out[k].Kind == markup.Break {
				out[k].Kind = markup.Tab
			}
		}
		return out
	}
	return in
}

// titleText is a heading's text as running heads and contents print it.
func titleText(in []markup.Inline) string {
	if len(in) == 1 && in[0].Kind == markup.Text {
		return strings.TrimSpace(in[0].Text)
	}
	var b strings.Builder
	for i := range in {
		switch in[i].Kind {
		case markup.Text, markup.Chip, markup.Citation:
			b.WriteString(in[i].Text)
		case markup.Math:
			b.WriteString(math.Plain(in[i].Text))
		case markup.Break, markup.Tab:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Scan counts the headings, equations and boxes of a document without laying it
// out: it gives the outline's structure, what else references reach, the headings
// as the count of resources sees them, and the state's counters at the document's
// end.
func Scan(doc *markup.Document, d *settings.Design, st State) ([]Entry, []Target, []HeadMark, State) {
	j := &job{l: &Layouter{}, d: d, st: st, doc: doc}
	var out []Entry
	var targets []Target
	var marks []HeadMark
	var walk func(bs []*markup.Block)
	walk = func(bs []*markup.Block) {
		for i, b := range bs {
			targets = anchors(b.Inlines, targets)
			switch b.Kind {
			case markup.Heading:
				lv, _ := j.levelOf(b)
				number, ordinal := j.count(b, &lv), 0
				var next *markup.Block
				if i+1 < len(bs) {
					next = bs[i+1]
				}
				if b.Level == 1 {
					ordinal = j.ordinal(b, next, &lv)
				}
				out = append(out, j.entry(b, next, &lv, number, ordinal))
				marks = append(marks, HeadMark{Level: b.Level, Numbered: lv.Numbered, Counters: j.st.Counters})
			case markup.Formula:
				targets = append(targets, j.equations(b)...)
			case markup.Container:
				switch b.Name {
				case "callout":
					n, number := j.scanBox(b)
					if b.ID != "" {
						targets = append(targets, j.boxTarget(b, n, number))
					}
				case "part":
					j.st.Part = partOf(b)
					out = append(out, partEntry(b))
					marks = append(marks, HeadMark{})
				default:
					if b.ID != "" {
						targets = append(targets, j.boxTarget(b, nil, ""))
					}
				}
				walk(b.Children)
			case markup.Quote, markup.List, markup.Item:
				walk(b.Children)
			}
		}
	}
	walk(doc.Blocks)
	for _, n := range doc.Notes {
		for _, b := range n.Blocks {
			targets = anchors(b.Inlines, targets)
		}
	}
	return out, targets, marks, j.st
}

// spells reports whether a numbering template spells a word before its number.
func spells(template string) bool {
	open := false
	letters := 0
	for _, r := range template {
		switch {
		case r == '{' || r == '}':
			open = r == '{'
		case !open && unicode.IsLetter(r):
			if letters++; letters > 2 {
				return true
			}
		}
	}
	return false
}

// scanBox counts a numbered box.
func (j *job) scanBox(b *markup.Block) (n *settings.Statement, number string) {
	id, _ := b.Attrs.Get("type")
	for i := range j.d.Boxes {
		if s := &j.d.Boxes[i]; s.ID == id || i == 0 && !j.hasBox(id) {
			if n = &s.Numbering; n.On() && n.Counter != "" {
				number = j.countStatement(n)
			}
			return n, number
		}
	}
	return nil, ""
}

func (j *job) hasBox(id string) bool {
	for i := range j.d.Boxes {
		if j.d.Boxes[i].ID == id {
			return true
		}
	}
	return false
}

func partOf(b *markup.Block) Part {
	var p Part
	p.Number, _ = b.Attrs.Get("number")
	p.Palette, _ = b.Attrs.Get("palette")
	p.Title, _ = b.Attrs.Get("title")
	p.Title = strings.Join(strings.Fields(strings.ReplaceAll(p.Title, `\\`, " ")), " ")
	return p
}
