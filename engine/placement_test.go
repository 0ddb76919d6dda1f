package engine

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// The checks of layout.md 14 that are about places, for any book: nothing lies over
// anything else or outside its column, a column that is not full says which rule
// ended it (2), no heading closes a column while its text opens the next (3), no
// float stands before its citing line and each type keeps its order (4), a note
// stands in the column of its citation (5).

// SEEDS is how many generated books are looked at by hand: go test ./engine -run
// Placement -seeds 200.
var manySeeds = flag.Int("seeds", 0, "how many generated books TestPlacement lays out")

const placementSeeds = 24

// misplaced is one thing out of place.
type misplaced struct {
	kind string
	page int
	what string
}

func (f misplaced) String() string { return fmt.Sprintf("page %d: %s: %s", f.page, f.kind, f.what) }

// placementFaults finds what is out of place in a book.
func placementFaults(r *Result) (out []misplaced) {
	for ci, c := range r.Frames.Chapters {
		src := r.Docs[ci].Source
		for pi, p := range c.Pages {
			tooHigh := func(b *frame.Block) bool { // told of as too high for any column
				return slices.ContainsFunc(c.Problems, func(q frame.Problem) bool {
					return q.Kind == "calloutOverflow" && q.Start <= b.Start && b.Start < q.End
				})
			}
			add := func(kind, format string, args ...any) {
				out = append(out, misplaced{kind, p.Number, fmt.Sprintf(format, args...)})
			}
			collisions(p, tooHigh, add)
			columnFeet(c, pi, add)
			strandedHeadings(c, pi, add)
		}
		if !r.Design.Notes.ChapterEnd {
			out = append(out, notesApart(c, src)...)
		}
		out = append(out, earlyFloats(c, src)...)
	}
	return out
}

// inked are the rectangles a block covers: those of its lines, or its box.
func inked(b *frame.Block) (out []unit.Rect) {
	for i := range b.Lines {
		l := &b.Lines[i]
		// What cannot be cut, a formula or a chip, may be wider than its line.
		x := max(l.X, b.Box.X)
		out = append(out, unit.Rect{X: x, Y: l.Top, W: max(min(l.X+l.Width, b.Box.Right())-x, 0), H: l.Height})
	}
	if len(b.Lines) == 0 || b.Turn != frame.Upright {
		out = []unit.Rect{b.Box}
	}
	return out
}

func bounds(rs []unit.Rect) unit.Rect {
	b := rs[0]
	for _, r := range rs[1:] {
		x, y := min(b.X, r.X), min(b.Y, r.Y)
		b.W, b.H = max(b.Right(), r.Right())-x, max(b.Bottom(), r.Bottom())-y
		b.X, b.Y = x, y
	}
	return b
}

func named(b *frame.Block) string {
	return fmt.Sprintf("%s %s%s %q at %.1f–%.1f", b.Kind, b.ID, b.Part, cut(setText(b)), b.Box.Y.Pt(), b.Box.Bottom().Pt())
}

func corners(r unit.Rect) string {
	return fmt.Sprintf("%.1f,%.1f–%.1f,%.1f", r.X.Pt(), r.Y.Pt(), r.Right().Pt(), r.Bottom().Pt())
}

// collisions finds blocks that lie over one another, and what leaves the type area.
func collisions(p *frame.Page, tooHigh func(*frame.Block) bool, add func(kind, format string, args ...any)) {
	var blocks []*frame.Block
	var rects [][]unit.Rect
	var at []int
	for i, b := range p.Blocks() {
		blocks = append(blocks, b)
		rects = append(rects, inked(b))
		at = append(at, i)
	}
	for i, a := range blocks {
		box := bounds(rects[i])
		if tooHigh(a) {
			if box.H = 0; a.Part != "" {
				box = bounds(rects[slices.IndexFunc(blocks, func(o *frame.Block) bool { return o.Start == a.Start && o.Part != "" })])
				box.H = 0 // the parts of a figure that runs out begin where it begins
			}
		}
		if box.Bottom() > p.Content.Bottom()+unit.Pt || box.Y < p.Content.Y-unit.Pt {
			add("outside", "%s leaves the type area, %.1f–%.1f", named(a), p.Content.Y.Pt(), p.Content.Bottom().Pt())
		}
		if k := at[i]; k >= 0 {
			if c := p.Columns[k].Box; box.Bottom() > c.Bottom()+unit.Pt || box.Y < c.Y-unit.Pt {
				add("outside", "%s leaves its column, %.1f–%.1f", named(a), c.Y.Pt(), c.Bottom().Pt())
			}
		}
		for j := i + 1; j < len(blocks); j++ {
			b := blocks[j]
			if !overlap(box, bounds(rects[j])) || inside(a, b) || inside(b, a) || a.Part != "" && b.Part != "" && a.ID == b.ID && a.Start == b.Start {
				continue
			}
		search:
			for _, x := range rects[i] {
				for _, y := range rects[j] {
					if overlap(x, y) {
						add("overlap", "%s lies over %s: %s, %s", named(a), named(b), corners(x), corners(y))
						break search
					}
				}
			}
		}
	}
}

// inside reports whether b stands in the box whose frame a is.
func inside(a, b *frame.Block) bool {
	return a.Kind == frame.Frame && a != b && a.Start <= b.Start && b.End <= a.End
}

// columnFeet finds columns that end above their foot without a rule that says so.
func columnFeet(c *frame.Chapter, pi int, add func(kind, format string, args ...any)) {
	p := c.Pages[pi]
	for i := range p.Columns {
		col := &p.Columns[i]
		if col.Used != col.Box.H && col.Short == "" {
			add("foot", "column %d ends at %.1f of %.1f and no rule says why", i, col.Used.Pt(), col.Box.H.Pt())
		}
	}
}

// strandedHeadings finds headings that close a column while their text opens the
// next. Headings that leave no room for a line of their text in a column of their
// own do; text that stands across the page right below is not apart.
func strandedHeadings(c *frame.Chapter, pi int, add func(kind, format string, args ...any)) {
	p := c.Pages[pi]
	lastText := -1
	for _, o := range c.Pages {
		for _, b := range o.Blocks() {
			if b.Kind != frame.Note && b.Part == "" {
				lastText = max(lastText, b.Index)
			}
		}
	}
	for i := range p.Columns {
		col := &p.Columns[i]
		switch col.Short {
		case "columnbreak", "break", "end", "opener":
			continue
		}
		if col.Span {
			continue
		}
		below := slices.ContainsFunc(p.Columns[i:], func(o frame.Column) bool { return o.Span })
		text := col.Blocks
		for len(text) > 0 && text[len(text)-1].Kind == frame.Note {
			text = text[:len(text)-1]
		}
		first := len(text)
		for first > 0 && text[first-1].Kind == frame.Heading {
			first--
		}
		if first == len(text) || below {
			continue
		}
		last := text[len(text)-1]
		if last.Index == lastText {
			continue // nothing follows
		}
		if high := last.Box.Bottom() - text[first].Box.Y; high+4*p.GridPitch+firstHigh(c, pi, i) > p.Content.H {
			continue
		}
		add("heading", "%s closes column %d (%s)", named(last), i, col.Short)
	}
}

// firstHigh is the height of what opens the text behind a column: of a figure or
// table, or of a box that stands whole, all of it; of text the notes of its column.
func firstHigh(c *frame.Chapter, pi, ci int) unit.Sp {
	for ; pi < len(c.Pages); pi, ci = pi+1, -1 {
		p := c.Pages[pi]
		for i := ci + 1; i < len(p.Columns); i++ {
			bs := p.Columns[i].Blocks
			if len(bs) == 0 || bs[0].Kind == frame.Note {
				continue
			}
			switch b := bs[0]; {
			case b.Kind == frame.Frame, b.Kind == frame.TOC: // an entry of the contents stands whole
				return b.Box.H
			case b.Part != "":
				h := b.Box.H
				for _, o := range bs {
					if o.ID == b.ID && o.Part != "" {
						h = max(h, o.Box.Bottom()-b.Box.Y)
					}
				}
				return h
			}
			var notes unit.Sp
			for _, o := range bs {
				if o.Kind == frame.Note {
					notes += o.Box.H
				}
			}
			return notes
		}
	}
	return 0
}

// notesApart finds notes that stand in another column than their citation. The notes
// cited in a box stand where the text after it goes on; notes that with the line
// that cites them are higher than a column, where there is room.
func notesApart(c *frame.Chapter, src string) (out []misplaced) {
	at := map[string]string{}
	high := map[string]unit.Sp{}
	for _, p := range c.Pages {
		for k := range p.Columns {
			for _, b := range p.Columns[k].Blocks {
				if b.Kind != frame.Note {
					continue
				}
				id := b.ID
				if id == "" { // a further paragraph of the one before
					continue
				}
				high[id] += unit.Sp(unit.MulDiv(int64(b.Box.H), int64(b.Box.W), int64(unit.Pt))) // its parts may have several widths
				if !b.Continued {
					at[id] = fmt.Sprint(p.Number, ".", k)
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, p := range c.Pages {
		for k := range p.Columns {
			for i, b := range p.Columns[k].Blocks {
				boxed := slices.ContainsFunc(p.Columns[k].Blocks[:i], func(f *frame.Block) bool { return inside(f, b) })
				for l := range b.Lines {
					ids := notesIn(src, b, &b.Lines[l])
					need := b.Lines[l].Height + 2*p.GridPitch
					for _, id := range ids {
						need += unit.Sp(unit.MulDiv(int64(high[id]), int64(unit.Pt), int64(p.Columns[k].Box.W)))
					}
					for _, id := range ids {
						if seen[id] {
							continue
						}
						seen[id] = true
						if at[id] != "" && at[id] != fmt.Sprint(p.Number, ".", k) && !boxed && need <= p.Columns[k].Box.H {
							out = append(out, misplaced{"note", p.Number, fmt.Sprintf("[^%s] is cited in column %d by %s and stands in %s", id, k, named(b), at[id])})
						}
					}
				}
			}
		}
	}
	return out
}

// earlyFloats finds floats before the line that cites them, or out of the order of
// their type.
func earlyFloats(c *frame.Chapter, src string) (out []misplaced) {
	last := map[string]int{}
	cited := -1
	// An embed is cited where the text before it ends.
	var ends []int
	for _, p := range c.Pages {
		for _, b := range p.Blocks() {
			if b.Text != nil && !b.Continues && len(b.Lines) > 0 && b.Kind != frame.Note && b.Part == "" {
				ends = append(ends, b.Text.Source(int(b.Lines[len(b.Lines)-1].End)))
			}
		}
	}
	slices.Sort(ends)
	citation := func(at int) int {
		if strings.HasPrefix(src[at:], "::resource") {
			k, _ := slices.BinarySearch(ends, at)
			if k == 0 {
				return -1
			}
			return ends[k-1]
		}
		return at
	}
	for _, p := range c.Pages {
		upto := make([]int, len(p.Columns))
		for i := range p.Columns {
			upto[i] = cited
			for _, b := range p.Columns[i].Blocks {
				if b.Kind == frame.Note || b.Kind == frame.Resource || b.Text == nil {
					continue
				}
				for k := range b.Lines {
					upto[i] = max(upto[i], b.Text.Source(int(b.Lines[k].End)))
					cited = max(cited, upto[i])
				}
			}
		}
		for _, b := range p.Floats {
			if b.Part == "" && b.Text != nil { // of a box, which cites what stands behind it
				for k := range b.Lines {
					cited = max(cited, b.Text.Source(int(b.Lines[k].End)))
				}
			}
		}
		for i, b := range p.Floats {
			if b.Start == 0 && b.End == 0 || b.Part == "" || slices.ContainsFunc(p.Floats[:i], func(f *frame.Block) bool { return inside(f, b) }) {
				continue
			}
			have := -1
			for i := range p.Columns {
				if b.Box.Right() > p.Columns[i].Box.X || i == 0 {
					have = max(have, upto[i])
				}
			}
			if at := citation(b.Start); at > have && at > cited {
				out = append(out, misplaced{"float", p.Number, fmt.Sprintf("%s stands before its citation (%d, text up to %d)", named(b), b.Start, have)})
			}
			key := strings.SplitN(b.ID, "-", 2)[0]
			if b.Start < last[key] {
				out = append(out, misplaced{"float", p.Number, named(b) + " is out of order"})
			}
			last[key] = max(last[key], b.Start)
		}
	}
	return out
}

// TestPlacement holds the checks of layout.md 14 that are about places (2 to 5) on
// books that mix every construct, in one column and in several narrow ones.
func TestPlacement(t *testing.T) {
	from, to := 0, placementSeeds
	if testing.Short() {
		to = 3
	}
	if *oneSeed >= 0 {
		from, to = *oneSeed, *oneSeed+1
	}
	if *manySeeds > 0 {
		to = *manySeeds
	}
	for seed := from; seed < to; seed++ {
		b := generated(t, seed)
		for _, f := range placementFaults(typeset(t, New(fonttest.World(t)), b)) {
			t.Errorf("seed %d: %s", seed, f)
		}
	}
}

// TestPlacementOfTheCorpus holds the checks on real books with pictures, tables and
// formulas, in one column and in several.
func TestPlacementOfTheCorpus(t *testing.T) {
	names := []string{"tech/meta-review", "tech/college-physics", "hamlet"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		for _, layout := range []string{`"single"`, `"double"`, `"multiple","columnCount":3`, `"oneAndHalf"`} {
			b := withConfig(t, corpus(t, name), `{"page":{"sizePreset":"custom","width":"17cm","height":"24cm"},"layout":{"gutterWidth":"5mm","layoutType":`+layout+`},
				"bodyText":{"fontFamily":"EB Garamond","fontSize":"9pt","lineHeight":"12pt"}}`)
			for _, f := range placementFaults(typeset(t, New(fonttest.World(t)), b)) {
				t.Errorf("%s, %s: %s", name, layout, f)
			}
		}
	}
}

// turnedFaults finds turned figures that share their page or do not stand at the
// spine (document-format.md 13.5).
func turnedFaults(r *Result) (out []misplaced) {
	for _, c := range r.Frames.Chapters {
		for _, p := range c.Pages {
			area, turned, others := unit.Rect{}, 0, 0
			for _, b := range p.Blocks() {
				if b.Turn == frame.Upright {
					others++
					continue
				}
				if turned++; turned == 1 {
					area = b.Box
				}
				area = bounds([]unit.Rect{area, b.Box})
				if b.ID != p.Floats[0].ID {
					others++
				}
			}
			if turned == 0 {
				continue
			}
			if others > 0 {
				out = append(out, misplaced{"turned", p.Number, "something stands on the page of a turned figure"})
			}
			// The picture of a figure may be narrower than its slot, never lower.
			if p.Recto && area.X != p.Content.X || !p.Recto && area.Right() != p.Content.Right() {
				out = append(out, misplaced{"turned", p.Number, fmt.Sprintf("it stands from %.1f to %.1f, not at the spine", area.X.Pt(), area.Right().Pt())})
			}
		}
	}
	return out
}

// TestPlacementOfTurnedFigures holds the same checks with every second figure that
// floats turned, and those of turned figures.
func TestPlacementOfTurnedFigures(t *testing.T) {
	from, to := 0, placementSeeds/2
	if testing.Short() {
		to = 3
	}
	if *oneSeed >= 0 {
		from, to = *oneSeed, *oneSeed+1
	}
	if *manySeeds > 0 {
		to = *manySeeds
	}
	pages := 0
	for seed := from; seed < to; seed++ {
		b := generated(t, seed)
		for i, r := range b.Resources {
			if i%2 == 0 && r.Placement.Position != "here" {
				r.Placement.Rotate = []string{"ccw", "cw"}[i/2%2]
			}
		}
		r := typeset(t, New(fonttest.World(t)), b)
		for _, f := range append(placementFaults(r), turnedFaults(r)...) {
			t.Errorf("seed %d: %s", seed, f)
		}
		for _, c := range r.Frames.Chapters {
			for _, p := range c.Pages {
				if len(p.Floats) > 0 && p.Floats[0].Turn != frame.Upright {
					pages++
				}
			}
		}
	}
	if pages == 0 && *oneSeed < 0 {
		t.Error("no figure was turned")
	}
}

// A note cited in a box that floats stands on the page of its box, at the foot of the
// column where the text goes on there, and is never lost: not where the box waits for the next page,
// not where it stands on a page of its own behind the text (layout.md 14).
func TestNotesGoWithTheirBoxes(t *testing.T) {
	all, next := 0, 0
	for _, layout := range []string{`"layoutType": "single"`, `"layoutType": "double"`, `"layoutType": "oneAndHalf", "sideColumnRole": "floats"`, `"layoutType": "oneAndHalf"`} {
		for _, attrs := range []string{`placement="top"`, `placement="bottom"`, `placement="auto"`, `placement="auto" span="page"`, `placement="top" span="page"`, `placement="auto" wrap="left"`, `span="side"`} {
			for _, before := range []int{1, 20, 45, 80, 140} {
				var text strings.Builder
				for k := range 3 {
					text.WriteString(strings.Repeat("word ", before) + "\n\n")
					fmt.Fprintf(&text, ":::callout{%s}\nBox%d here.[^n%d]\n:::\n\n[^n%d]: Note%d.\n\n", attrs, k, k, k, k)
				}
				config := strings.Replace(with(`"layout": {`+layout+`}`), `"height": {"value": 140`, `"height": {"value": 260`, 1)
				b := lay(t, config, text.String())
				at := map[string][]int{}
				for i, p := range b.Chapters[0].Pages {
					for _, bl := range p.Blocks() {
						if bl.Text == nil || bl.Continued {
							continue
						}
						if w := regexp.MustCompile(`(Box|Note)\d`).FindString(bl.Text.Plain); w != "" {
							at[w] = append(at[w], i)
						}
					}
				}
				for k := range 3 {
					box, note := at[fmt.Sprint("Box", k)], at[fmt.Sprint("Note", k)]
					if len(box) != 1 || len(note) != 1 || note[0] < box[0] || note[0] > box[0]+1 {
						t.Errorf("%s, %s, %d words: box %d on the pages %v, its note on %v", layout, attrs, before, k, box, note)
						continue
					}
					all, next = all+1, next+note[0]-box[0]
				}
			}
		}
	}
	if next*50 > all {
		t.Errorf("%d of %d notes had no room on the page of their box", next, all)
	}
}
