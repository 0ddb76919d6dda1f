package layout

import (
	"postext/engine/bidi"
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// verseLine is a line of a poem before it is measured.
type verseLine struct {
	in         []markup.Inline
	start, end int
	indent     int  // steps
	shared     bool // begins where the line above ended
}

// stanzas gives the lines of a raw block: a poem as the parser read it, inline
// marks and all; another block as its plain lines.
func stanzas(b *markup.Block) (out [][]verseLine) {
	for _, st := range b.Children {
		if st.Kind != markup.Stanza {
			continue
		}
		var lines []verseLine
		for _, v := range st.Children {
			_, shared := v.Attrs.Get("shared")
			lines = append(lines, verseLine{v.Inlines, v.Start, v.End, v.Level, shared})
		}
		if len(lines) > 0 {
			out = append(out, lines)
		}
	}
	if len(out) > 0 || b.Name == "verse" {
		return out
	}
	var lines []verseLine
	at := b.LitStart
	for _, line := range strings.Split(b.Literal, "\n") {
		body := strings.TrimLeft(line, " \t")
		off := at + len(line) - len(body)
		at += len(line) + 1
		if strings.TrimSpace(body) == "" {
			if len(lines) > 0 {
				out = append(out, lines)
				lines = nil
			}
			continue
		}
		in := []markup.Inline{{Kind: markup.Text, Text: body, Start: off, End: off + len(body)}}
		lines = append(lines, verseLine{in, off, off + len(body), len(line) - len(body), false})
	}
	if len(lines) > 0 {
		out = append(out, lines)
	}
	return out
}

// poem is how a poem is set: the settings, and its attributes over them.
type poem struct {
	text       settings.Text
	leading    unit.Sp
	plainInk   bool
	step, hang unit.Sp
	right      bool
	mark       *frame.LineSet // before a turnover set flush right
	stanza     unit.Sp        // between stanzas
	keep       int
	tighten    bool
	start      bool // flush start instead of centred
	style      *settings.ParagraphStyle
	numbered   bool // its lines are counted, the first as number from, if not 0
	from       int
	every      int // lines from one number printed to the next, 0: the setting's
}

// counted is the part a line of the poem has in the numbering of lines.
func (m *poem) counted(first bool) *frame.Counted {
	c := &frame.Counted{Verse: true, Poem: first, Every: m.every}
	if first {
		c.From = m.from
	}
	return c
}

// poemOf reads a poem's attributes.
func (w *walker) poemOf(b *markup.Block, p place) (poem, error) {
	v := &w.d.Verse
	m := poem{text: p.text, leading: p.leading, plainInk: p.plainInk, right: v.Right, keep: v.Keep, tighten: v.Tighten}
	if m.style = w.paragraphStyle(b); m.style != nil {
		m.text, m.leading, m.plainInk = m.style.Text, m.style.Text.Leading, false
	} else {
		m.text.Hyphenate = false
	}
	t := &m.text
	t.Indent = 0
	em := t.Size
	m.step, m.hang = v.IndentStep.Of(em), v.Hang.Of(em)
	if m.style != nil && m.style.Hang > 0 {
		m.hang = m.style.Hang
	}
	length := func(key string, into *unit.Sp) {
		if s, ok := b.Attrs.Get(key); ok {
			if x, ok := lengthIn(s, "em", em, w.d); ok && x >= 0 {
				*into = x
			}
		}
	}
	length("indentStep", &m.step)
	length("hang", &m.hang)
	if s, ok := b.Attrs.Get("turnover"); ok {
		m.right = s == "right"
	}
	if n, ok := b.Attrs.Int("keepStanzas"); ok && n >= 0 {
		m.keep = n
	}
	if _, ok := b.Attrs.Get("tighten"); ok {
		m.tighten = b.Attrs.On("tighten")
	}
	m.numbered = true
	if _, ok := b.Attrs.Get("numbered"); ok {
		m.numbered = b.Attrs.On("numbered")
	}
	if n, ok := b.Attrs.Int("lineStart"); ok && n > 0 {
		m.from = n
	}
	if n, ok := b.Attrs.Int("interval"); ok && n > 0 {
		m.every = n
	}
	s, _ := b.Attrs.Get("align")
	m.start = s == "start" || s == "left"
	// A number of lines fills up lines of the grid; a length is one.
	lines := func(n int64) unit.Sp {
		room := unit.Sp(unit.MulDiv(int64(m.leading), n, 1000))
		if p.group == 0 {
			return up(room, max(w.d.Body.Leading, 1))
		}
		return room
	}
	m.stanza = lines(v.StanzaSpace)
	if s, ok := b.Attrs.Get("stanzaSpace"); ok {
		if n, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && n >= 0 && n <= 100 {
			m.stanza = lines(int64(float64(n*1000) + 0.5))
		} else {
			length("stanzaSpace", &m.stanza)
		}
	}
	if m.right {
		if sign := attrOr(b.Attrs, "turnoverMark", v.Mark); sign != "" {
			var err error
			if m.mark, err = w.label(sign, *t); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// verse sets a poem line by line, centred on its longest line (document-format.md
// 4.8). Columns break between stanzas first: two lines of one stay together at
// either end of it, and the whole of it where keepStanzas asks for that.
func (w *walker) verse(b *markup.Block, p place) error {
	m, err := w.poemOf(b, p)
	if err != nil {
		return err
	}
	if m.style != nil {
		w.narrow(&p, m.style.Indent, m.style.EndIndent)
	}
	flags := uint8(fVerse)
	if !m.tighten {
		flags |= fStrict
	}
	if b.Attrs.On("keepSpaces") {
		flags |= fSpaces
	}
	around := w.dir
	defer func() { w.dir = around }()
	rtl := w.runsRight(b)
	if rtl {
		w.dir = bidi.RTL
	}
	// reach is how far a line goes from the side it begins at.
	reach := func(m *measured, k int) unit.Sp {
		if rtl {
			return p.width - m.offs[k]
		}
		return m.offs[k] + m.lines[k].Width
	}
	first := len(w.flow.nodes)
	for i, st := range stanzas(b) {
		var end unit.Sp // of the line above
		for k, v := range st {
			indent := min(unit.Sp(v.indent)*m.step, p.width/2)
			if v.shared && end > 0 && end < p.width*3/4 {
				indent = end + m.text.Size/4
			}
			n := node{kind: frame.Verse, in: v.in, start: v.start, end: v.end, group: p.group, leading: m.leading, whole: true,
				keepNext: k == 0 && len(st) > 1 || k == len(st)-2 && len(st) > 2 || len(st) <= m.keep && k < len(st)-1,
				set: w.setting(settingKey{text: m.text, plainInk: m.plainInk, width: p.width, align: flushLeft, first: indent,
					hang: indent + m.hang, turn: max(m.hang, 1), flags: flags})}
			if m.style != nil {
				n.style = m.style.ID
			}
			if m.numbered && !v.shared {
				n.counted = m.counted(i == 0 && k == 0)
			}
			if i > 0 && k == 0 {
				n.above = m.stanza
			}
			got, err := w.add(n)
			if err != nil {
				return err
			}
			lines := len(got.m.lines)
			if lines == 0 {
				w.flow.nodes = w.flow.nodes[:len(w.flow.nodes)-1]
				continue
			}
			if m.right && lines > 1 && !rtl {
				m.turnRight(got, p.width)
			}
			end = reach(got.m, lines-1)
		}
	}
	nodes := w.flow.nodes[first:]
	var longest unit.Sp
	for i := range nodes {
		for k := range nodes[i].m.lines {
			longest = max(longest, reach(nodes[i].m, k))
		}
	}
	x := p.x
	if !m.start && longest < p.width {
		if x += (p.width - longest) / 2; rtl {
			x -= p.width - longest
		}
	}
	for i := range nodes {
		nodes[i].x = x
	}
	if n := len(nodes); n > 0 {
		above, below := p.leading/2, p.leading/2
		if m.style != nil {
			above, below = max(above, m.style.Above), max(below, m.style.Below)
		}
		nodes[0].above = max(nodes[0].above, above)
		nodes[n-1].below = below
		nodes[n-1].snap = p.group == 0
		nodes[n-1].keepNext = false
	}
	w.afterPara, w.afterHeading = false, false
	return nil
}

// turnRight sets what a line of verse turned over flush right, behind its mark.
func (m *poem) turnRight(n *node, width unit.Sp) {
	set := *n.m
	set.offs = append([]unit.Sp(nil), set.offs...)
	for k := 1; k < len(set.offs); k++ {
		set.offs[k] = max(width-set.lines[k].Width, 0)
	}
	n.from, n.m = n.m, &set
	n.turned = m.mark
}
