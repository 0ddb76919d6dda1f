package engine

import (
	"slices"
	"strings"

	"postext/engine/frame"
	"postext/engine/index"
	"postext/engine/layout"
	"postext/engine/markup"
	"postext/engine/settings"
)

// What one chapter prints of the others (layout.md 12): contents, indexes and
// references. Numbers and titles are known before the layout, pages only after
// it: the book is laid out with the pages of the layout before until they hold,
// a bounded number of times, and each time only the chapters are laid out again
// that print something that changed.

// references is what is known of the book around a chapter.
type references struct {
	outline layout.Outline
	targets [][]layout.Target
	links   layout.Links
	marks   [][]layout.MarkPage // of the last layout, by chapter
	indexes map[string]*layout.Index
	faults  map[string][]frame.Problem // of the marks of an index
	// What the chapters print: nothing of what they do not is worked out.
	contents, labels bool
	printed          []string // names of indexes
}

// scan is what the text of a chapter says of its outline, kept as long as it would
// be the same. The labels in it are of no layout.
type scan struct {
	scanKey
	outline []layout.Entry
	targets []layout.Target
	heads   []layout.HeadMark
	end     layout.State
}

type scanKey struct {
	doc    *markup.Document
	design *settings.Design
	start  layout.State
}

// references gathers what the chapters' texts say, with the pages of the last
// run.
func (t *Typesetter) references(entries []*chapter, d *settings.Design, start layout.State) (*references, [][]layout.HeadMark) {
	r := &references{outline: make(layout.Outline, len(entries)), targets: make([][]layout.Target, len(entries)), marks: make([][]layout.MarkPage, len(entries))}
	heads := make([][]layout.HeadMark, len(entries))
	st := start
	seen := map[string]bool{}
	for i, e := range entries {
		if k := (scanKey{e.doc, d, st}); e.scan.scanKey != k {
			e.scan.scanKey = k
			e.scan.outline, e.scan.targets, e.scan.heads, e.scan.end = layout.Scan(e.doc, d, st)
		}
		r.outline[i], r.targets[i], heads[i], st = slices.Clone(e.scan.outline), e.scan.targets, e.scan.heads, e.scan.end
		if i < len(t.outline) && len(t.outline[i]) == len(r.outline[i]) {
			for k := range r.outline[i] {
				r.outline[i][k].Label = t.outline[i][k].Label
			}
		}
		r.contents = r.contents || e.prints.Contents
		r.labels = r.labels || len(e.prints.Refs) > 0
		for _, x := range e.prints.Indexes {
			if !seen[x.Name] {
				seen[x.Name] = true
				r.printed = append(r.printed, x.Name)
			}
		}
	}
	if r.labels {
		r.links.Anchors = r.outline.Anchors(r.targets)
		if r.links.Labels = t.labels; r.links.Labels == nil {
			r.links.Labels = map[string]string{}
		}
	}
	if len(r.printed) > 0 {
		for i, e := range entries {
			if e.laid != nil {
				r.marks[i] = e.laid.Marks()
			}
		}
	}
	r.settle(entries, d)
	return r, heads
}

// settle makes contents and indexes of the pages known now.
func (r *references) settle(entries []*chapter, d *settings.Design) {
	if r.contents {
		r.links.Contents = r.outline.Key()
	}
	if len(r.printed) == 0 {
		return
	}
	marks := map[string][]index.Mark{}
	for i, e := range entries {
		same := len(r.marks[i]) == len(e.prints.Marks)
		for k := range e.prints.Marks {
			m := e.prints.Marks[k].Mark
			if same {
				m.Page = r.marks[i][k].Page
				m.Page.Link = layout.MarkLink(i, k)
			}
			name := e.prints.Marks[k].Index
			marks[name] = append(marks[name], m)
		}
	}
	r.indexes, r.links.Indexes = map[string]*layout.Index{}, map[string]uint64{}
	r.faults = map[string][]frame.Problem{}
	for _, name := range r.printed {
		x, problems := layout.BuildIndex(marks[name], d)
		r.indexes[name], r.links.Indexes[name] = x, x.Key
		for _, p := range problems {
			r.faults[name] = append(r.faults[name], indexProblem(p, name))
		}
	}
}

// indexProblem is a fault of an index mark as the book's warnings tell it.
func indexProblem(p index.Problem, name string) frame.Problem {
	out := frame.Problem{Kind: p.Kind, Page: -1}
	if p.Kind == "indexSeeUnknown" {
		out.Detail = "no entry is called " + strings.ReplaceAll(p.Term, "!", ", ") + "; the reference to it prints anyway"
		out.Fields = []frame.Field{{Key: "target", Value: p.Term}}
	} else {
		out.Detail = "the range of " + strings.ReplaceAll(p.Term, "!", ", ") + " has no " + p.Missing + ": it prints as one page"
		out.Fields = []frame.Field{{Key: "term", Value: p.Term}, {Key: "missing", Value: p.Missing}}
	}
	out.Fields = append(out.Fields, frame.Field{Key: "index", Value: name})
	return out
}

// into hands a chapter what it prints of the book.
func (r *references) into(in *layout.Input, e *chapter, resources map[string]*layout.Numbered) {
	u := &e.prints
	if !u.Any() {
		return
	}
	in.Outline, in.Anchors, in.Labels, in.Indexes = r.outline, r.links.Anchors, r.links.Labels, r.indexes
	in.OutlineKey = u.Key(&r.links, in.Design, func(id, alt string) string {
		n := resources[id]
		if n == nil && alt != "" {
			n = resources[alt]
		}
		if n == nil {
			return ""
		}
		return n.ID
	})
	for _, at := range u.Indexes {
		for _, p := range r.faults[at.Name] {
			p.Start, p.End = at.Start, at.End
			in.Faults = append(in.Faults, p)
		}
	}
}

// landed takes up the pages of a finished layout and reports whether they are
// those it was made with.
func (r *references) landed(laid []*layout.Chapter, entries []*chapter, d *settings.Design) (same bool) {
	same = true
	for i, c := range laid {
		if len(c.Entries) != len(r.outline[i]) {
			continue
		}
		for k := range c.Entries {
			if r.outline[i][k].Label != c.Entries[k].Label {
				r.outline[i][k].Label = c.Entries[k].Label
				same = same && !r.contents
			}
		}
	}
	if r.labels {
		labels := map[string]string{}
		for _, c := range laid {
			c.Labels(labels)
		}
		for _, e := range entries {
			for _, u := range e.prints.Refs {
				same = same && labels[u.ID] == r.links.Labels[u.ID] && labels[u.Alt] == r.links.Labels[u.Alt]
			}
		}
		r.links.Labels = labels
	}
	if len(r.printed) > 0 {
		before := r.links.Indexes
		for i, c := range laid {
			r.marks[i] = c.Marks()
		}
		r.settle(entries, d)
		for _, name := range r.printed {
			same = same && before[name] == r.links.Indexes[name]
		}
	} else {
		r.settle(entries, d)
	}
	return same
}
