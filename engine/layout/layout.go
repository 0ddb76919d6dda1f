// Package layout turns document trees into frames: it measures text, pours it
// into columns and pages and sets running heads, numbers and marks
// (layout.md; the break costs are Knuth & Plass, the rest is that page's).
//
// The work goes in three steps, each kept for the next time:
//
//   - measure: a block's text becomes lines. Cached by text, type and measure,
//     so text that did not change is never shaped or broken again;
//   - flow: a chapter becomes a list of nodes (lines with margins and the rules
//     that bind them). Kept while the chapter, the design and the counters it
//     starts from stay;
//   - place: nodes are poured into pages. Kept while the chapter also starts
//     from the same page; when only the page numbers moved, the pages are
//     furnished anew and their blocks shared.
//
// Invariants: all arithmetic is in integers; the same text, design and start
// give the same frames whatever was laid out before; published frames are never
// written to again.
package layout

import (
	"context"
	"time"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/math"
	"postext/engine/picture"
	"postext/engine/settings"
)

// Env is what the layout needs from outside.
type Env struct {
	// Face gives the face that sets a family at a weight and slant, or the nearest
	// there is. It fails only when there is no face at all or ctx is done.
	Face func(ctx context.Context, family string, weight int, italic bool) (*font.Face, error)
	// Others gives the faces that stand in for characters of a script (ISO 15924;
	// "" for signs of none) that a face lacks, in order, the same for the same
	// question. May be nil.
	Others func(f *font.Face, script string) []*font.Face
	// Hyphenate returns the function that appends the byte offsets at which a
	// word may be divided, or nil for a language whose words are not. It fails
	// only when ctx is done. May be nil.
	Hyphenate func(ctx context.Context, lang string) (func(word string, dst []int) []int, error)
	// Yield lets others run and returns ctx's error when the work is not wanted
	// any more.
	Yield func(ctx context.Context) error
}

// maxFounts is how many founts are kept whether they are used or not; a book
// uses ten or twenty.
const maxFounts = 64

// Counters tell what the layouts so far cost. A paragraph set again a line longer
// to fill its column counts once, with its own setting.
type Counters struct {
	ParagraphsShaped, ParagraphsBroken int64
	ChaptersPlaced, PagesPlaced        int64
	Looks                              int64 // how often it was ready to stop
}

// Layouter lays chapters out and keeps what it learned. It is not for
// concurrent use.
type Layouter struct {
	env      Env
	gen      uint32 // counts the runs
	founts   map[fountKey]*fount
	types    map[typeKey]*typeStyle
	measures map[uint64]*measured
	shapes   map[uint64]*measured // the same by what they measure, whatever their inks
	furnish  map[uint64]*furnished
	formulas map[formulaKey]*formula
	maths    *math.Font // nil until the first formula
	build    builder
	words    map[string][]markup.Inline // of captions and cells, by their source
	inks     map[inkedKey]*picture.Picture
	lacking  bool // a character met has no glyph in any face
	counters Counters
	lastLook time.Time
	ticks    int
	// sweeping: this run drops at its end what is of no use any more; swept is how
	// many measures the last such run left.
	sweeping bool
	swept    int
}

// New returns a layouter.
func New(env Env) *Layouter {
	return &Layouter{env: env, founts: map[fountKey]*fount{}, types: map[typeKey]*typeStyle{},
		measures: map[uint64]*measured{}, shapes: map[uint64]*measured{}, furnish: map[uint64]*furnished{},
		formulas: map[formulaKey]*formula{}}
}

// Renew forgets all that was measured, and the work a panic broke off; the counts
// go on. Chapters laid out before stay good.
func (l *Layouter) Renew() {
	fresh := New(l.env)
	fresh.gen, fresh.counters, fresh.lastLook, fresh.ticks = l.gen, l.counters, l.lastLook, l.ticks
	*l = *fresh
}

// Counters returns what the layouts so far cost.
func (l *Layouter) Counters() Counters { return l.counters }

// Begin starts a run over a book: what is used from here on counts as used in
// this run.
func (l *Layouter) Begin() {
	l.gen++
	n := l.held()
	l.sweeping = n < fewMeasures || n > l.swept+l.swept/4
	l.lastLook = time.Now()
}

// fewMeasures is the number of measures up to which every run looks for those that
// are of no use any more. In a long book that look would cost more than a letter
// typed: it is taken when there are a quarter more of them than it left.
const fewMeasures = 4000

// held is how many measures there are.
func (l *Layouter) held() int {
	return len(l.measures) + len(l.shapes) + len(l.furnish) + len(l.formulas)
}

// End drops what neither this run nor the one before it used.
func (l *Layouter) End() {
	if !l.sweeping {
		return
	}
	stale := func(use uint32) bool { return l.gen-use > 1 }
	for k, m := range l.measures {
		if stale(m.use) {
			delete(l.measures, k)
		}
	}
	for k, m := range l.shapes {
		if stale(m.use) {
			delete(l.shapes, k)
		}
	}
	for k, m := range l.furnish {
		if stale(m.use) {
			delete(l.furnish, k)
		}
	}
	for k, f := range l.formulas {
		if stale(f.use) {
			delete(l.formulas, k)
		}
	}
	dropped := false
	for k, f := range l.founts {
		if len(l.founts) <= maxFounts {
			break
		}
		if stale(f.lastUse) {
			delete(l.founts, k)
			dropped = true
		}
	}
	if dropped || len(l.types) > 256 {
		clear(l.types)
	}
	l.swept = l.held()
}

// job is one chapter's layout under way.
type job struct {
	l   *Layouter
	ctx context.Context
	d   *settings.Design
	in  *Input
	doc *markup.Document

	st        State // as the flow moves on
	problems  []frame.Problem
	notes     map[string]int // numbers given to notes so far
	noteCount int
	given     map[string]int  // numbers of notes by the layout before
	unset     map[string]bool // kinds reported once
	flow      *flow
	worn      settings.Look // the look of d
	grids     map[gridKey]*grid
}

// lookEvery is how much work may be done before the host is let run.
const lookEvery = 8 * time.Millisecond

// tick is called before every stretch of work that is not tiny.
func (j *job) tick() error {
	l := j.l
	l.counters.Looks++
	if l.ticks++; l.ticks&7 != 0 {
		return nil
	}
	return j.wanted()
}

// wanted is called in stretches of work that are long by themselves.
func (j *job) wanted() error {
	l := j.l
	l.counters.Looks++
	if now := time.Now(); now.Sub(l.lastLook) >= lookEvery {
		if err := j.ctx.Err(); err != nil {
			return err
		}
		if l.env.Yield != nil {
			if err := l.env.Yield(j.ctx); err != nil {
				return err
			}
		}
		l.lastLook = time.Now()
	}
	return nil
}

// report adds a warning.
func (j *job) report(kind, detail string, start, end int, fields ...frame.Field) {
	j.problems = append(j.problems, frame.Problem{Kind: kind, Detail: detail, Start: start, End: end, Page: -1, Fields: fields})
}

// reportOnce adds a warning the first time its kind and detail come up.
func (j *job) reportOnce(kind, detail string, start, end int, fields ...frame.Field) {
	k := kind + "\x00" + detail
	if j.unset[k] {
		return
	}
	if j.unset == nil {
		j.unset = map[string]bool{}
	}
	j.unset[k] = true
	j.report(kind, detail, start, end, fields...)
}
