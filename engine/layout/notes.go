package layout

import (
	"strings"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Notes stand at the foot of the column that holds the line citing them first
// (layout.md 10). The walk measures a note when it meets the citation and hangs
// it on the citing node; the placer makes room for it together with the line.

// note is a measured note.
type note struct {
	id     string
	nodes  []node
	height unit.Sp // of its blocks, stacked
}

// call is the first citation of a note in a node.
type call struct {
	line int32 // of the node's lines
	note int32 // in flow.notes
	at   int32 // of its mark, in the plain text
}

// lineAt is the line of m that holds offset at of the plain text.
func (m *measured) lineAt(at int) int {
	line := 0
	for line+1 < len(m.lines) && int(m.lines[line+1].Start) <= at {
		line++
	}
	return line
}

func share(v unit.Sp, thousandths int64) unit.Sp {
	return unit.Sp(unit.MulDiv(int64(v), thousandths, 1000))
}

// noteNumber gives a note its number at its first citation. Where the count starts
// anew with the page, column or spread, the numbers come from the layout before.
func (j *job) noteNumber(id string) int {
	if n, ok := j.given[id]; ok {
		return n
	}
	if n, ok := j.notes[id]; ok {
		return n
	}
	if j.notes == nil {
		j.notes = map[string]int{}
	}
	j.noteCount++
	j.notes[id] = j.noteCount
	return j.noteCount
}

// noteMark writes a note's number as it is printed: in the format asked for, or as
// a sign, doubled and tripled when the signs are used up.
func (j *job) noteMark(id string) string {
	n, s := j.noteNumber(id), &j.d.Notes
	text := ""
	if s.Format == "symbols" && n > 0 {
		k := len(s.Symbols)
		text = strings.Repeat(s.Symbols[(n-1)%k], min((n-1)/k+1, 12))
	} else {
		text = FormatNumber(n, s.Format)
	}
	if strings.Contains(s.Template, "{n}") {
		text = strings.ReplaceAll(s.Template, "{n}", text)
	}
	return text
}

// parted sets a comma between the marks of two notes cited at one place: 2,3 and not
// 23.
func (b *builder) parted(in *markup.Inline, at int) error {
	rs, err := b.j.l.style(b.j.ctx, b.s.ts, b.styleOf(in)|markup.Sup, false)
	if err != nil {
		return err
	}
	b.phrase(",", rs, "", at, at)
	return nil
}

// placed reports whether notes are counted by where they stand.
func countsByPlace(d *settings.Design) bool {
	switch d.Notes.Numbering {
	case "page", "column", "spread":
		return true
	}
	return false
}

// noteNumbers counts the notes of a finished layout by the page, column or spread
// that cites them.
func (p *placer) noteNumbers() map[string]int {
	out := make(map[string]int, len(p.cited))
	last, n := -1, 0
	for _, c := range p.cited {
		at := c.page
		switch p.j.d.Notes.Numbering {
		case "column":
			at = c.page<<8 | c.col
		case "spread": // a verso and the recto beside it
			at = c.page / 2
		}
		if at != last {
			last, n = at, 0
		}
		n++
		out[p.f.notes[c.note].id] = n
	}
	return out
}

// citation says where a note was cited first.
type citation struct {
	note      int32
	page, col int // physical page
}

// callsOf finds the notes first cited in a text, in order, and measures them.
func (w *walker) callsOf(m *measured, in []markup.Inline) ([]call, error) {
	var calls []call
	at := 0
	for i := range in {
		start := at
		at += len(plainOf(&in[i]))
		id := in[i].ID
		if in[i].Kind != markup.NoteRef || w.noteSet[id] {
			continue
		}
		if w.noteSet == nil {
			w.noteSet = map[string]bool{}
		}
		w.noteSet[id] = true
		def := w.noteByID(id)
		if def == nil {
			continue // the parser has reported it
		}
		line := m.lineAt(start)
		more, err := w.note(def)
		if err != nil {
			return nil, err
		}
		if w.d.Notes.ChapterEnd {
			w.ending = append(w.ending, more...)
			continue
		}
		for _, n := range more {
			calls = append(calls, call{int32(line), n, int32(start)})
		}
	}
	return calls, nil
}

func (w *walker) noteByID(id string) *markup.Note {
	if w.noteIndex == nil {
		w.noteIndex = make(map[string]*markup.Note, len(w.doc.Notes))
		for _, n := range w.doc.Notes {
			if _, twice := w.noteIndex[n.ID]; !twice {
				w.noteIndex[n.ID] = n
			}
		}
	}
	return w.noteIndex[id]
}

// note measures one note and those cited in it; they follow it.
func (w *walker) note(n *markup.Note) ([]int32, error) {
	st := &w.d.Notes
	t := st.Text
	q := place{width: w.columnWidth(), text: t, kind: frame.Note, leading: t.Leading, tabs: &w.d.Tabs}
	mark := w.noteMark(n.ID)
	blocks := n.Blocks
	num := []markup.Inline{{Kind: markup.Chip, Style: markup.Sup, Text: mark, Start: n.Start, End: n.Start},
		{Kind: markup.Chip, Text: st.Gap, Start: n.Start, End: n.Start}}
	if st.NumberInline {
		num[0].Style = 0
	}
	if len(blocks) > 0 && blocks[0].Kind == markup.Paragraph {
		b := *blocks[0]
		b.Inlines = append(num, b.Inlines...)
		blocks = append([]*markup.Block{&b}, blocks[1:]...)
	} else {
		b := &markup.Block{Kind: markup.Paragraph, Start: n.Start, End: n.Start, Inlines: num}
		blocks = append([]*markup.Block{b}, blocks...)
	}
	// The note's blocks are no part of the flow: they are gathered apart.
	saved, para, head := w.flow.nodes, w.afterPara, w.afterHeading
	w.flow.nodes, w.afterPara, w.afterHeading = nil, false, false
	if len(blocks) > 1 {
		q.noteIndent = t.Size
	}
	err := w.blocks(blocks, q)
	nodes := w.flow.nodes
	w.flow.nodes, w.afterPara, w.afterHeading = saved, para, head
	if err != nil {
		return nil, err
	}
	out := note{id: n.ID}
	var inner []int32
	var c cursor
	c.empty = true
	for i := range nodes {
		nd := nodes[i]
		if nd.what != nText && nd.what != nRow && nd.what != nFigure {
			continue
		}
		for _, k := range nd.calls {
			inner = append(inner, k.note)
		}
		nd.calls = nil
		nd.keepNext, nd.snap, nd.snapTop, nd.head = false, false, false, nil
		if len(out.nodes) == 0 {
			nd.number, nd.above, nd.id = mark, st.Between, n.ID
		}
		if len(out.nodes) > 0 {
			nd.above = min(nd.above, t.Leading/2)
		}
		nd.below = min(nd.below, t.Leading/2)
		out.nodes = append(out.nodes, nd)
		c.set(&nd, c.top(&nd, 1)+nd.heightOf())
	}
	out.height = c.y + st.Between
	w.flow.notes = append(w.flow.notes, out)
	return append([]int32{int32(len(w.flow.notes) - 1)}, inner...), nil
}

// endNotes sets the notes gathered for the end of a chapter: under its text, or at
// the foot of its last column (footnotes.chapterEndAlign).
func (w *walker) endNotes() {
	notes := w.ending
	w.ending = nil
	if len(notes) == 0 {
		return
	}
	st := &w.d.Notes
	if !st.AtText {
		w.flow.nodes = append(w.flow.nodes, node{what: nNotes, notes: notes})
		return
	}
	for i, k := range notes {
		for j, n := range w.flow.notes[k].nodes {
			if i == 0 && j == 0 {
				n.above, n.rise, n.ruled = st.Above, st.RuleWidth+st.BelowRule, st.Rule
			}
			w.flow.moveMarks(n.index, w.index)
			n.index = w.index
			w.index++
			w.flow.nodes = append(w.flow.nodes, n)
		}
	}
	w.flow.nodes[len(w.flow.nodes)-1].snap = true
}

// footNotes puts a chapter's notes at the foot of the column at hand, and of the
// next ones where they do not fit.
func (p *placer) footNotes(n *node) error {
	if err := p.open(); err != nil {
		return err
	}
	for _, k := range n.notes {
		p.await(k)
	}
	p.drain(false)
	return nil
}

// notePart is a stretch of a note's lines that stands or will stand at a foot.
type notePart struct {
	node       *node
	from, base int // base: lines set before node was measured
	note       int32
	nth        int // of the note's blocks
}

// await puts a note on the list of those to be set.
func (p *placer) await(k int32) {
	nt := p.noteOf(k)
	for i := range nt.nodes {
		p.waiting = append(p.waiting, notePart{node: &nt.nodes[i], note: k, nth: i})
	}
}

// noteKey is a note as it is measured for a column of another width.
type noteKey struct {
	note  int32
	width unit.Sp
}

// noteOf is a note as the column at hand sets it: measured for its width, where the
// columns have several.
func (p *placer) noteOf(k int32) *note {
	nt := &p.f.notes[k]
	if !p.uneven || p.page == nil || p.wide || p.onPart || p.apart.W > 0 {
		return nt
	}
	by := p.rects[p.col].W - p.j.columnWidth()
	if by == 0 {
		return nt
	}
	key := noteKey{k, p.rects[p.col].W}
	if at := p.otherNotes[key]; at != nil {
		return at
	}
	other := &note{id: nt.id}
	c := cursor{empty: true}
	for i := range nt.nodes {
		nd := nt.nodes[i]
		if nd.what == nText {
			p.keep(p.widen(&nd, by, 0))
		}
		other.nodes = append(other.nodes, nd)
		c.set(&nd, c.top(&nd, 1)+nd.heightOf())
	}
	other.height = c.y + p.j.d.Notes.Between
	if p.otherNotes == nil {
		p.otherNotes = map[noteKey]*note{}
	}
	p.otherNotes[key] = other
	return other
}

// widen measures a block of a note, from a place in its text on, for a column wider
// by some.
func (p *placer) widen(nd *node, by unit.Sp, from int) error {
	s := *nd.set
	s.width, s.from = max(s.width+by, 1), from
	if nd.formula != nil {
		d := *nd.formula
		nd.formula, nd.set = &d, s.seal(p.j)
		return p.j.display(nd, s.width)
	}
	m, err := p.j.measure(nd.in, s.seal(p.j))
	if err != nil {
		return err
	}
	p.f.extra = append(p.f.extra, m)
	nd.set, nd.m = &s, m
	return nil
}

// refitted is a part of a note that waits, as the column at hand sets it.
func (p *placer) refitted(w notePart) notePart {
	nd := &p.noteOf(w.note).nodes[w.nth]
	if !p.uneven || nd.what != nText || nd.set.width == w.node.set.width || w.from >= len(w.node.m.lines) {
		return w
	}
	w.base += w.from
	if w.from == 0 && w.base == 0 {
		w.node = nd
		return w
	}
	from := int(w.node.m.lines[w.from].Start)
	again := *nd
	p.keep(p.widen(&again, 0, from))
	w.node, w.from = &again, 0
	return w
}

// noteArea is the foot of the column at hand.
type noteArea struct {
	parts  []notePart
	height unit.Sp // the area's, rule and spaces included; 0 without notes
	last   cursor
}

// overhead is what the first note of a column needs beside its own height.
func (p *placer) overhead() unit.Sp {
	n := &p.j.d.Notes
	return n.Above + n.RuleWidth + n.BelowRule
}

// notesHeight is how high the note area is with further notes.
func (p *placer) notesHeight(more unit.Sp) unit.Sp {
	h := p.foot.height
	if more > 0 && h == 0 {
		h = p.overhead()
	}
	return h + more
}

// limit is how far down text may reach.
func (p *placer) limit(more unit.Sp) unit.Sp {
	return min(p.height, p.full-p.notesHeight(more)-p.foots[p.col]) - p.padded
}

// owing is the height of the notes that wait to be set: those of what is set next
// stand under them.
func (p *placer) owing() (h unit.Sp) {
	for i := range p.waiting {
		w := &p.waiting[i]
		if h += w.node.above; w.node.what == nText {
			h += unit.Sp(len(w.node.m.lines)-w.from) * w.node.leading
		} else {
			h += w.node.heightOf()
		}
	}
	return h
}

// room is how many lines of a node, from line from on, fit at top with the
// notes they cite.
func (p *placer) room(n *node, from int, top unit.Sp) int {
	if len(n.calls) == 0 {
		return max(int((p.limit(0)-top)/n.leading), 0)
	}
	var notes unit.Sp
	k, c := 0, 0
	for from+k < len(n.m.lines) {
		for c < len(n.calls) && int(n.calls[c].line) <= from+k {
			if int(n.calls[c].line) >= from {
				if notes == 0 {
					notes = p.owing()
				}
				notes += p.noteOf(n.calls[c].note).height
			}
			c++
		}
		if max(top+unit.Sp(k+1)*n.leading, p.wrap.foot) > p.limit(notes) {
			return k
		}
		k++
	}
	return max(int((p.limit(notes)-top)/n.leading), k)
}

// cite puts the notes of the lines set into the foot, or, where they do not fit
// (a column can only hold so much), on the list for the next ones.
func (p *placer) cite(n *node, from, k int) {
	for _, c := range n.calls {
		if int(c.line) < from || int(c.line) >= from+k {
			continue
		}
		p.cited = append(p.cited, citation{c.note, p.page.Number, p.col})
		p.await(c.note)
	}
	p.owed = false
	p.drain(false)
}

// citeApart puts the notes of a box that stands apart into the foot of the column,
// where the text goes on. Under a heading its text comes first.
func (p *placer) citeApart(n *node) {
	if k := len(p.blocks); k == 0 || p.blocks[k-1].Kind != frame.Heading {
		p.cite(n, 0, 1)
		return
	}
	for _, c := range n.calls {
		p.cited = append(p.cited, citation{c.note, p.page.Number, p.col})
		p.await(c.note)
	}
	p.owed = true
}

// filled is how far down text, floats and what stands beside the text reach in the
// column at hand.
func (p *placer) filled() unit.Sp {
	y := max(p.cur.y, p.wrap.foot)
	if p.col < len(p.wraps) {
		y = max(y, p.wraps[p.col].foot)
	}
	return y
}

// untouched reports a column as high as the page that no float has taken room of: what
// does not fit there fits nowhere.
func (p *placer) untouched() bool {
	return p.band == 0 && p.tops[p.col]+p.foots[p.col] == 0 && p.filled() == 0
}

// drain moves waiting notes into the foot as far as they fit under the text.
// A note is divided only at the head of a column's foot, where nothing else
// would help.
func (p *placer) drain(fresh bool) {
	for len(p.waiting) > 0 {
		w := p.refitted(p.waiting[0])
		n := w.node
		h := p.foot.height
		if h == 0 {
			h = p.overhead()
		}
		gap := unit.Sp(0)
		if len(p.foot.parts) > 0 && w.from+w.base == 0 {
			gap = max(n.above, p.foot.last.below)
		}
		room := p.full - p.foots[p.col] - h - gap - p.filled()
		if fresh && !p.closing {
			room -= 3 * p.grid // some text must have a chance
		}
		lines := 1
		if n.what == nText {
			lines = len(n.m.lines) - w.from
		}
		fit := int(room / n.leading)
		if n.what != nText {
			if n.heightOf() > room && !(fresh && len(p.foot.parts) == 0 && p.untouched()) {
				return
			}
			fit = 1
		}
		if fit < lines && n.what == nText {
			if !fresh || fit < 1 {
				if !(fresh && len(p.foot.parts) == 0 && p.untouched()) {
					return
				}
				fit = max(fit, 1)
			}
		}
		fit = min(fit, lines)
		height := unit.Sp(fit) * n.leading
		if n.what != nText {
			height = n.heightOf()
		}
		p.foot.parts = append(p.foot.parts, w)
		p.footLines = append(p.footLines, fit)
		p.foot.height = h + gap + height
		p.foot.last.below = n.below
		if fit < lines {
			w.from += fit
			p.waiting[0] = w
			return
		}
		p.waiting = p.waiting[1:]
	}
}

// setNotes writes the note area of the column at hand.
func (p *placer) setNotes() {
	if len(p.foot.parts) == 0 {
		return
	}
	r := p.rects[p.col]
	area := p.foot.height
	// The last note line stands on the baseline of the page's last text line.
	last := p.foot.parts[len(p.foot.parts)-1].node
	y := p.full - p.foots[p.col] - area - (p.grid-last.leading)/5
	st := &p.j.d.Notes
	y += st.Above
	rule := frame.Item{ID: "noteRule", Fill: st.RuleColor,
		Box: unit.Rect{X: r.X, Y: r.Y + y, W: share(r.W, st.RuleShare), H: st.RuleWidth}}
	y += st.RuleWidth + st.BelowRule
	var below unit.Sp
	for i, part := range p.foot.parts {
		n := part.node
		if i > 0 && part.from+part.base == 0 {
			y += max(n.above, below)
		}
		at := len(p.blocks)
		y = p.set(n, part.from, p.footLines[i], part.base, y)
		if i == 0 && st.Rule && st.RuleWidth > 0 {
			p.blocks[at].Under = append(p.blocks[at].Under, rule)
		}
		below = n.below
	}
}
