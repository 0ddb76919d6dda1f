package layout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/index"
	"postext/engine/markup"
)

// Where anchors and index marks stand is read from the finished pages: a mark
// keeps its block and its place in the block's text, and stands on the page of
// the line that holds the character it belongs to.

// landmark is an anchor or index mark in the flow.
type landmark struct {
	index int32  // of its block
	at    int32  // in the plain text: the character it belongs to
	start int    // of an index mark, in the source
	id    string // of an anchor
}

// landmarks notes the anchors and marks of a block's text.
func (w *walker) landmarks(in []markup.Inline, index int) {
	at := 0
	for i := range in {
		a := &in[i]
		switch {
		case a.Kind == markup.Anchor:
			w.flow.marks = append(w.flow.marks, landmark{index: int32(index), at: int32(at), id: a.ID})
		case a.Kind == markup.IndexMark:
			m := landmark{index: int32(index), at: int32(at), start: a.Start}
			if at > 0 && w.followsWord(a) {
				m.at--
			}
			w.flow.marks = append(w.flow.marks, m)
		default:
			at += len(plainOf(a))
		}
	}
}

// followsWord reports whether an index mark belongs to the word before it: it
// prints no words itself, and there is a word before it on its line.
func (w *walker) followsWord(a *markup.Inline) bool {
	src := w.doc.Source
	if a.End > len(src) || a.End == 0 || src[a.End-1] == '[' {
		return false
	}
	line := src[strings.LastIndexByte(src[:a.Start], '\n')+1 : a.Start]
	return strings.TrimSpace(line) != ""
}

// moveMarks gives the marks of a block that is not set to another.
func (f *flow) moveMarks(from, to int) {
	for i := len(f.marks) - 1; i >= 0 && f.marks[i].index >= int32(min(from, to)); i-- {
		if f.marks[i].index == int32(from) {
			f.marks[i].index = int32(to)
		}
	}
}

// The ids of places that have none in the text (frame.Target): those of a chapter
// are numbered in it, links name the chapter as well.
func noteTarget(id string) string { return "note/" + id }

func placeTarget(kind string, k int) string { return kind + "/" + strconv.Itoa(k) }

func placeLink(kind string, chapter, k int) string {
	return "#" + kind + "/" + strconv.Itoa(chapter) + "." + strconv.Itoa(k)
}

// MarkLink is the link to the kth index mark of a chapter, in source order.
func MarkLink(chapter, k int) string { return placeLink("mark", chapter, k) }

// targets lists the places of a chapter that links lead to.
func (c *Chapter) targets() (out []frame.Target) {
	for k, e := range c.placed {
		out = append(out, frame.Target{ID: placeTarget("heading", k), Page: e.page, Block: e.ref.index})
	}
	for i, pg := range c.Frame.Pages {
		for _, b := range pg.Blocks() {
			if b.Continued || b.ID == "" {
				continue
			}
			id := b.ID
			if b.Kind == frame.Note {
				id = noteTarget(id)
			}
			out = append(out, frame.Target{ID: id, Page: i, Block: b.Index})
		}
	}
	if len(c.flow.marks) == 0 {
		return out
	}
	l := c.landed()
	var marks []frame.Target
	var starts []int
	for i := range c.flow.marks {
		m := &c.flow.marks[i]
		k := l.page(m)
		if k < 0 {
			continue
		}
		t := frame.Target{ID: m.id, Page: k, Block: int(m.index), At: m.at}
		if m.id != "" {
			out = append(out, t)
			continue
		}
		marks, starts = append(marks, t), append(starts, m.start)
	}
	order := make([]int, len(marks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return starts[a] - starts[b] })
	for k, i := range order {
		marks[i].ID = placeTarget("mark", k)
	}
	return append(out, marks...)
}

// MarkPage is the page of an index mark.
type MarkPage struct {
	Start int
	Page  index.Page
}

// landed finds the pages of the chapter's blocks by their place in the flow.
type landed struct {
	c *Chapter
	// first block of each index, and where each begins in a list of stretches.
	parts []landedPart
}

type landedPart struct {
	index int
	from  int32 // plain-text offset its lines begin at
	page  int
}

func (c *Chapter) landed() *landed {
	l := &landed{c: c}
	for i, pg := range c.Frame.Pages {
		for _, b := range pg.Blocks() {
			if b.Kind == frame.Frame {
				continue
			}
			p := landedPart{index: b.Index, page: i}
			if len(b.Lines) > 0 {
				p.from = b.Lines[0].Start
			}
			l.parts = append(l.parts, p)
		}
	}
	slices.SortStableFunc(l.parts, func(a, b landedPart) int {
		return cmp.Or(a.index-b.index, int(a.from-b.from))
	})
	return l
}

// page is the page of a mark, -1 for a chapter without blocks. A mark in a block
// that is not set stands where the next one does.
func (l *landed) page(m *landmark) int {
	k, _ := slices.BinarySearchFunc(l.parts, m, func(p landedPart, m *landmark) int {
		return cmp.Or(p.index-int(m.index), int(p.from-m.at))
	})
	if k < len(l.parts) && l.parts[k].index == int(m.index) && l.parts[k].from == m.at {
		return l.parts[k].page
	}
	switch {
	case k > 0 && l.parts[k-1].index == int(m.index):
		return l.parts[k-1].page
	case k < len(l.parts):
		return l.parts[k].page
	case k > 0:
		return l.parts[k-1].page
	}
	return -1
}

// Marks gives the pages of the chapter's index marks, in source order.
func (c *Chapter) Marks() (out []MarkPage) {
	var l *landed
	for i := range c.flow.marks {
		m := &c.flow.marks[i]
		if m.id != "" {
			continue
		}
		if l == nil {
			l = c.landed()
		}
		if k := l.page(m); k >= 0 {
			pg := c.Frame.Pages[k]
			out = append(out, MarkPage{m.start, index.Page{Order: pg.Number, Value: pg.Value, Format: c.pages[k].format, Label: pg.Label}})
		}
	}
	slices.SortStableFunc(out, func(a, b MarkPage) int { return a.Start - b.Start })
	return out
}

// Labels adds the page labels of everything with an id in the chapter: anchors,
// headings, boxes, formulas, figures. What is there already stays.
func (c *Chapter) Labels(into map[string]string) {
	put := func(id, label string) {
		if _, there := into[id]; !there && id != "" {
			into[id] = label
		}
	}
	var l *landed
	for i := range c.flow.marks {
		m := &c.flow.marks[i]
		if m.id == "" {
			continue
		}
		if l == nil {
			l = c.landed()
		}
		if k := l.page(m); k >= 0 {
			put(m.id, c.Frame.Pages[k].Label)
		}
	}
	for i := range c.Entries {
		put(c.Entries[i].ID, c.Entries[i].Label)
	}
	for _, pg := range c.Frame.Pages {
		for _, b := range pg.Blocks() {
			if b.Kind != frame.Note {
				put(b.ID, pg.Label)
			}
		}
	}
}
