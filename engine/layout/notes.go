package layout

import (
	"strconv"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/unit"
)

// Notes stand at the foot of the column that holds the line citing them first
// (layout.md 10). The walk measures a note when it meets the citation and hangs
// it on the citing node; the placer makes room for it together with the line.

// note is a measured note.
type note struct {
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

// Measures of the note area, in thousandths: the type of the body's size, its
// leading of the note's size, the rest of the body's size (settings.md 21).
const (
	noteSize      = 800
	noteLeading   = 1250
	noteAbove     = 500 // text to rule
	noteBelowRule = 400
	noteRuleShare = 300 // of the column's width
	noteRule      = unit.Pt / 2
)

func share(v unit.Sp, thousandths int64) unit.Sp {
	return unit.Sp(unit.MulDiv(int64(v), thousandths, 1000))
}

// noteNumber gives a note its number at its first citation.
func (j *job) noteNumber(id string) int {
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
		more, err := w.note(def, w.noteNumber(id))
		if err != nil {
			return nil, err
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
func (w *walker) note(n *markup.Note, number int) ([]int32, error) {
	t := w.d.Body
	t.Size = share(t.Size, noteSize)
	t.Leading = share(t.Size, noteLeading)
	t.Indent = 0
	q := place{width: w.columnWidth(), text: t, kind: frame.Note, leading: t.Leading}
	blocks := n.Blocks
	mark := strconv.Itoa(number)
	num := markup.Inline{Kind: markup.Chip, Style: markup.Sup, Text: mark + "\u2002", Start: n.Start, End: n.Start}
	if len(blocks) > 0 && blocks[0].Kind == markup.Paragraph {
		b := *blocks[0]
		b.Inlines = append([]markup.Inline{num}, b.Inlines...)
		blocks = append([]*markup.Block{&b}, blocks[1:]...)
	} else {
		b := &markup.Block{Kind: markup.Paragraph, Start: n.Start, End: n.Start, Inlines: []markup.Inline{num}}
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
	var out note
	var inner []int32
	var c cursor
	c.empty = true
	for i := range nodes {
		nd := nodes[i]
		if nd.what != nText && nd.what != nRow {
			continue
		}
		for _, k := range nd.calls {
			inner = append(inner, k.note)
		}
		nd.calls = nil
		nd.keepNext, nd.snap, nd.snapTop, nd.head = false, false, false, nil
		if len(out.nodes) == 0 {
			nd.number, nd.above, nd.id = mark, 0, n.ID
		}
		nd.above = min(nd.above, t.Leading/2)
		nd.below = min(nd.below, t.Leading/2)
		out.nodes = append(out.nodes, nd)
		c.set(&nd, c.top(&nd, 1)+nd.heightOf())
	}
	out.height = c.y
	w.flow.notes = append(w.flow.notes, out)
	return append([]int32{int32(len(w.flow.notes) - 1)}, inner...), nil
}

// notePart is a stretch of a note's lines that stands or will stand at a foot.
type notePart struct {
	node *node
	from int
}

// noteArea is the foot of the column at hand.
type noteArea struct {
	parts  []notePart
	height unit.Sp // the area's, rule and spaces included; 0 without notes
	last   cursor
}

// overhead is what the first note of a column needs beside its own height.
func (p *placer) overhead() unit.Sp {
	s := p.j.d.Body.Size
	return share(s, noteAbove) + noteRule + share(s, noteBelowRule)
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
	return min(p.height, p.full-p.notesHeight(more)) - p.padded
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
				notes += p.f.notes[n.calls[c].note].height
			}
			c++
		}
		if top+unit.Sp(k+1)*n.leading > p.limit(notes) {
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
		nt := &p.f.notes[c.note]
		for i := range nt.nodes {
			p.waiting = append(p.waiting, notePart{node: &nt.nodes[i]})
		}
	}
	p.drain(false)
}

// drain moves waiting notes into the foot as far as they fit under the text.
// A note is divided only at the head of a column's foot, where nothing else
// would help.
func (p *placer) drain(fresh bool) {
	for len(p.waiting) > 0 {
		w := p.waiting[0]
		n := w.node
		h := p.foot.height
		if h == 0 {
			h = p.overhead()
		}
		gap := unit.Sp(0)
		if len(p.foot.parts) > 0 && w.from == 0 {
			gap = max(n.above, p.foot.last.below)
		}
		room := p.full - h - gap - p.cur.y
		if fresh {
			room -= 3 * p.grid // some text must have a chance
		}
		lines := 1
		if n.what == nText {
			lines = len(n.m.lines) - w.from
		}
		fit := int(room / n.leading)
		if n.what == nRow {
			if n.heightOf() > room && !(fresh && len(p.foot.parts) == 0) {
				return
			}
			fit = 1
		}
		if fit < lines && n.what == nText {
			if !fresh || fit < 1 {
				if !(fresh && len(p.foot.parts) == 0) {
					return
				}
				fit = max(fit, 1)
			}
		}
		fit = min(fit, lines)
		height := unit.Sp(fit) * n.leading
		if n.what == nRow {
			height = n.heightOf()
		}
		p.foot.parts = append(p.foot.parts, notePart{n, w.from})
		p.footLines = append(p.footLines, fit)
		p.foot.height = h + gap + height
		p.foot.last.below = n.below
		if fit < lines {
			p.waiting[0].from += fit
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
	y := p.full - area - (p.grid-last.leading)/5
	y += share(p.j.d.Body.Size, noteAbove)
	rule := frame.Item{ID: "noteRule", Fill: p.j.d.Body.Color,
		Box: unit.Rect{X: r.X, Y: r.Y + y, W: share(r.W, noteRuleShare), H: noteRule}}
	y += noteRule + share(p.j.d.Body.Size, noteBelowRule)
	var below unit.Sp
	for i, part := range p.foot.parts {
		n := part.node
		if i > 0 && part.from == 0 {
			y += max(n.above, below)
		}
		at := len(p.blocks)
		y = p.set(n, part.from, p.footLines[i], 0, y)
		if i == 0 {
			p.blocks[at].Under = append(p.blocks[at].Under, rule)
		}
		below = n.below
	}
}
