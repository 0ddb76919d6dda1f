package layout

import (
	"context"
	"slices"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
)

// Input is what a chapter is laid out from.
type Input struct {
	ID, Title string
	Doc       *markup.Document
	Design    *settings.Design
	Start     State
	// Outline is the book's outline, for a chapter that prints the contents, Anchors
	// what its references print.
	Outline Outline
	Anchors map[string]Anchor
	// Labels are the page labels of what references reach, by id; Indexes are the
	// indexes the chapter prints, by name.
	Labels  map[string]string
	Indexes map[string]*Index
	// OutlineKey is equal where all that the chapter prints of the rest of the book
	// is; Faults are warnings found in the book as a whole.
	OutlineKey uint64
	Faults     []frame.Problem
	// Cites is what the chapter's citations print, nil when the book has none.
	Cites *Cites
	// BookTotal is the number of pages of the book as far as it is known.
	BookTotal int
	// Pictures finds the picture of a record, or with nil the one the text calls
	// by a name: a resource, or a file beside the chapter. It fails only when ctx
	// is done.
	Pictures func(ctx context.Context, name string, r *book.Resource) (Found, error)
	// Record finds a resource by its id, nil when there is none.
	Record func(id string) *book.Resource
	// Resources are those the book mentions, by id; Chapter is this chapter's
	// place in it.
	Resources map[string]*Numbered
	Chapter   int
}

// Chapter lays a chapter out. prev, when not nil, is an earlier layout of the
// same chapter: what still holds of it is used again, and when all of it does
// it is returned itself.
func (l *Layouter) Chapter(ctx context.Context, in *Input, prev *Chapter) (*Chapter, error) {
	j := &job{l: l, ctx: ctx, d: in.Design, in: in, doc: in.Doc, st: in.Start}
	var f *flow
	serves := prev != nil && prev.flow.serves(in) && prev.flow.holds(in)
	if serves {
		var err error
		if serves, err = prev.flow.same(ctx, in); err != nil {
			return nil, err
		}
	}
	if serves {
		f = prev.flow
		inked := func(was *settings.Design) bool {
			own := *f
			own.design = was
			return own.looksSame(in.Design, func(a, b *settings.Design) bool { return a.InkKey == b.InkKey })
		}
		if in.Start == prev.Start && (!prev.Totals || in.BookTotal == prev.total) &&
			inked(prev.design) && prev.Frame.ID == in.ID && prev.Frame.Title == in.Title {
			l.keep(f)
			return prev, nil
		}
	}
	build := func(given map[string]int) (err error) {
		*j = job{l: l, ctx: ctx, d: in.Design, in: in, doc: in.Doc, st: in.Start, given: given}
		if f, err = j.buildFlow(); err == nil {
			f.key = in.OutlineKey
		}
		return err
	}
	if f == nil {
		if err := build(nil); err != nil {
			return nil, err
		}
	} else {
		l.keep(f)
	}
	converged := true
	var pl *placer
	if prev != nil && prev.flow == f && prev.moves(in) {
		j.flow, j.problems, j.st = f, nil, in.Start
		pl = prev.shifted(j)
	} else {
		for pass := 0; ; pass++ {
			var err error
			j.flow, j.problems, j.st = f, nil, in.Start
			if pl, err = j.place(f); err != nil {
				return nil, err
			}
			l.counters.ChaptersPlaced++
			if !countsByPlace(in.Design) {
				break
			}
			// Notes counted by page: numbered where they landed, set again.
			want := pl.noteNumbers()
			if sameNumbers(want, f.given) {
				break
			}
			if converged = pass < maxNoteBuilds; !converged {
				break
			}
			if err := build(want); err != nil {
				return nil, err
			}
		}
	}
	c := &Chapter{Start: in.Start, Contents: f.contents, flow: f, design: in.Design, Totals: printsTotals(in.Design), total: in.BookTotal}
	c.pages = pl.pages
	c.placed = pl.entries

	ch := &frame.Chapter{ID: in.ID, Title: in.Title, FirstPage: in.Start.Pages + 1, Converged: converged}
	u := j.furnisher(f, len(pl.pages), in.BookTotal)
	ch.Pages = make([]*frame.Page, len(pl.pages))
	for i := range pl.pages {
		if i&31 == 31 {
			if err := j.tick(); err != nil {
				return nil, err
			}
		}
		var next *placedPage
		if i+1 < len(pl.pages) {
			next = &pl.pages[i+1]
		}
		var err error
		if ch.Pages[i], err = u.page(&pl.pages[i], next); err != nil {
			return nil, err
		}
	}
	ch.Problems = append(append([]frame.Problem(nil), f.problems...), j.problems...)
	ch.Problems = append(ch.Problems, in.Faults...)
	j.missingGlyphs(ch)
	locate(ch)
	c.Frame = ch
	ch.Targets = c.targets()
	for _, e := range pl.entries {
		en := e.ref.entry
		en.Page = e.page
		if e.page < len(ch.Pages) {
			en.Label = ch.Pages[e.page].Label
		}
		c.Entries = append(c.Entries, en)
	}
	c.End = in.Start
	c.End.Counters, c.End.Ordinal, c.End.Notes, c.End.Boxes, c.End.Part = f.end.Counters, f.end.Ordinal, f.end.Notes, f.end.Boxes, f.end.Part
	c.End.Equations = f.end.Equations
	c.End.Pages += len(pl.pages)
	c.End.Next, c.End.Format = pl.value, pl.format
	c.End.Running = u.last()
	c.End.Lines = u.lines.next
	return c, nil
}

// maxNoteBuilds bounds the builds that notes counted by page, column or spread ask
// for beside the first (layout.md 12).
const maxNoteBuilds = 3

// sameNumbers reports whether every note has the number wanted.
func sameNumbers(want, have map[string]int) bool {
	for id, n := range want {
		if have[id] != n {
			return false
		}
	}
	return true
}

// serves reports whether a flow built earlier is what this input needs.
func (f *flow) serves(in *Input) bool {
	return f != nil && f.doc == in.Doc && f.start == in.Start.structure() && f.key == in.OutlineKey &&
		f.looksSame(in.Design, func(a, b *settings.Design) bool {
			return a.FlowKey == b.FlowKey && (!f.swatches || slices.Equal(a.Palette, b.Palette)) &&
				(!f.posters || a.Figures.Video == b.Figures.Video)
		})
}

// looksSame compares the designs the flow is set in with those of another
// document's design.
func (f *flow) looksSame(d *settings.Design, same func(a, b *settings.Design) bool) bool {
	if !same(f.design, d) {
		return false
	}
	for i := -1; i < len(f.looks); i++ {
		l := f.look
		if i >= 0 {
			l = f.looks[i]
		}
		a, _ := f.design.Look(l)
		b, _ := d.Look(l)
		if a != b && !same(a, b) {
			return false
		}
	}
	return true
}

// keep marks what a kept flow uses as used, so that its measures stay.
func (l *Layouter) keep(f *flow) {
	if !l.sweeping {
		return
	}
	mark := func(nodes []node) {
		for i := range nodes {
			if m := nodes[i].m; m != nil {
				m.use = l.gen
			}
			if m := nodes[i].from; m != nil {
				m.use = l.gen
			}
			if f := nodes[i].fig; f != nil {
				f.keep(l.gen)
			}
			for k := range nodes[i].cells {
				nodes[i].cells[k].m.use = l.gen
			}
		}
	}
	mark(f.nodes)
	for _, m := range f.extra {
		m.use = l.gen
	}
	for _, g := range f.figures {
		g.keep(l.gen)
	}
	for i := range f.notes {
		mark(f.notes[i].nodes)
	}
}

// moves reports whether the chapter's pages stay what they were but for their
// numbers: it starts on the same side of a sheet, and neither is the document's
// start.
func (c *Chapter) moves(in *Input) bool {
	a, b := c.Start, in.Start
	return a.Pages%2 == b.Pages%2 && (a.Pages == 0) == (b.Pages == 0)
}

// shifted renumbers the pages of an earlier layout.
func (c *Chapter) shifted(j *job) *placer {
	p := &placer{j: j, f: c.flow, value: j.st.Next, format: j.st.Format, entries: c.placed}
	dp := j.st.Pages - c.Start.Pages
	p.pages = make([]placedPage, len(c.pages))
	for i := range c.pages {
		o := c.pages[i]
		pg := *o.Page
		pg.Number += dp
		if o.renumber != nil {
			p.pending = o.renumber
		}
		o.Page = &pg
		o.Label = ""
		p.page = &o
		p.number()
		p.pages[i] = o
	}
	p.page = nil
	return p
}

// locate finds the page of each problem that has a place in the source.
func locate(c *frame.Chapter) {
	if len(c.Problems) == 0 {
		return
	}
	for k := range c.Problems {
		pr := &c.Problems[k]
		if pr.Page >= 0 || pr.Start < 0 {
			continue
		}
	search:
		for i, pg := range c.Pages {
			for x := range pg.Columns {
				for _, b := range pg.Columns[x].Blocks {
					if b.Start <= pr.Start && pr.Start < b.End || b.Start > pr.Start {
						pr.Page = i
						break search
					}
				}
			}
		}
	}
}
