package linebreak

import (
	"math/bits"
	"slices"

	"postext/engine/unit"
)

// Breaker holds the scratch memory of the search, so that breaking one
// paragraph after another allocates nothing once the buffers have grown. The
// zero value is ready; a nil Breaker works too, with buffers of its own for each
// call. It is not for concurrent use.
type Breaker struct {
	// Stop, when not nil, is asked now and then in a long paragraph; once it says
	// true Break returns at once, without breaks.
	Stop func() bool

	points []point
	tracks []track // beside points, when tracking
	active []active
	nodes  []node
	slots  []slot
	breaks []Break
	costs  []int64

	// The paragraph at hand.
	o        Options
	widths   []unit.Sp
	minWidth unit.Sp
	base     unit.Sp // stretch of a line beside its glue: 3 em when ragged
	hang     unit.Sp // the most a penalty narrows its line
	tracking bool
	varied   bool  // lines differ in width
	keyed    bool  // paths of different line counts are kept apart
	counted  bool  // a number of lines is asked for
	lastKey  int32 // line counts from here on are alike
	maxRun   uint8
}

// sums are totals of all items before a place.
type sums struct{ width, stretch, shrink unit.Sp }

// spacing are totals for letter spacing.
type spacing struct {
	room           unit.Sp
	glues, noTrack int32
}

// track is the letter spacing before a point's break, and before the first item
// of a line that starts after it.
type track struct{ end, start spacing }

// point is a place where a line may end.
type point struct {
	end     sums    // before the break
	start   sums    // before the first item of a line that starts after it
	extra   unit.Sp // width of the penalty
	after   unit.Sp // what the next line begins with
	item    int32
	next    int32 // first point at which a line that starts here may end
	word    int32 // last unflagged point before this one, −1 for none
	penalty int32
	flagged bool
	forced  bool
}

// active is a way to break everything up to a point, still able to start a line.
type active struct {
	start   sums
	cost    int64
	node    int32
	point   int32 // −1 at the start of the paragraph
	line    int32 // lines so far
	next    int32
	class   uint8
	run     uint8 // flagged ends in a row, up to MaxFlagged
	flagged bool
	dead    bool
}

// node remembers how a point was reached. line is kept apart from the width
// index because Looseness counts lines.
type node struct {
	prev  int32 // −1 at the start of the paragraph
	point int32
	line  int32
	ratio int32
	track int32
	over  bool // overfull
}

// slot collects the best candidates at one point for one line count, by run of
// flagged ends and fitness class.
type slot struct {
	line int32
	best int64
	used uint64 // candidates in use, bit 4·run + class
	c    [(maxFlaggedLimit + 1) * classes]candidate
}

type candidate struct {
	cost         int64
	from         int32 // node
	line         int32
	ratio, track int32
	over         bool
}

// Fitness classes by ratio: tight below −1/2, normal below 1/2, loose below 1,
// very loose from there.
const (
	classNormal = 1
	classes     = 4
)

const (
	none      = int64(1)<<62 + int64(1)<<61 // a cost no path reaches
	maxLength = unit.Sp(1) << 38
	// maxSlots bounds the line counts kept at one point. It is passed only by
	// paragraphs of several hundred lines with Looseness or many widths, where
	// the dearest counts are then dropped.
	maxSlots = 64
	// maxActive bounds the active list; passed only by lines of hundreds of
	// breakpoints, where the dearer half is then dropped. Paragraphs beyond
	// longParagraph points have the smaller bound.
	maxActive       = 4096
	maxActiveLong   = 512
	longParagraph   = 20000
	keepScratch     = 1 << 15 // points; larger buffers are given back
	maxRunts        = 1000000
	maxUnflagged    = 1 << 20
	maxFlaggedLimit = 15
	askEvery        = 512 // points between two calls of Stop
)

// The search is repeated with a rising limit on the stretch of a line. Whatever
// is left out at limit T costs at least OverCost·T²; a cheaper result is
// therefore the best of all. Nearly every paragraph is settled at 1, where most
// pairs of breaks are dismissed by one comparison.
var limits = [...]int64{1, 3, 8, 0} // 0: no limit

// Break breaks a paragraph.
func (b *Breaker) Break(items []Item, o Options) Result {
	if b == nil {
		b = new(Breaker)
	}
	if len(items) == 0 {
		return Result{Feasible: true}
	}
	b.prepare(items, o)
	if len(b.points) == 0 { // nothing but glue
		b.breaks = append(b.breaks[:0], Break{Item: len(items)})
		return Result{Breaks: b.breaks, Feasible: true}
	}
	var r Result
	done := false
	if !o.FirstFit {
		credit := b.credit()
		for _, t := range limits {
			bound := none
			if t > 0 {
				bound = OverCost*t*t - credit
			}
			if r, done = b.search(t, bound); done {
				break
			}
		}
	}
	if !done {
		r = b.firstFit()
	}
	b.release()
	return r
}

// credit is the most that negative penalties can take off a total.
func (b *Breaker) credit() int64 {
	var c int64
	for i := range b.points {
		if p := &b.points[i]; p.penalty < 0 && !p.forced {
			c += int64(p.penalty) * int64(p.penalty)
		}
	}
	return c
}

// release gives back the memory of an uncommonly long paragraph.
func (b *Breaker) release() {
	if cap(b.points) > keepScratch {
		b.points, b.tracks, b.active, b.nodes = nil, nil, nil, nil
	}
	b.o.Widths, b.widths = nil, nil
}

// search finds the cheapest set of breaks among the lines stretched to at most
// limit (0: any). It reports false when there is none, or none cheaper than
// bound, so that a wider search is needed.
func (b *Breaker) search(limit, bound int64) (Result, bool) {
	most := maxActive
	if len(b.points) > longParagraph {
		most = maxActiveLong
	}
	b.nodes = b.nodes[:0]
	b.active = append(b.active[:0], active{class: classNormal, node: -1, point: -1})
	head := 0 // active[:head] are gone
	dead := 0
	var cuts [maxFlaggedLimit + 1]int64 // a path this dear is of no use, by run
	width := b.width(0)
	narrower := width - b.minWidth
	for bi := range b.points {
		if bi&(askEvery-1) == askEvery-1 && b.Stop != nil && b.Stop() {
			return Result{}, true
		}
		p := &b.points[bi]
		b.slots = b.slots[:0]
		last := bi == len(b.points)-1
		floor := floorCost(p)
		for i := range cuts[:b.maxRun+1] {
			cuts[i] = none
		}
		for i := head; i < len(b.active); i++ {
			a := &b.active[i]
			if int(a.next) > bi {
				break
			}
			if b.varied {
				if a.dead {
					continue
				}
				width = b.width(a.line)
				narrower = width - b.minWidth
			}
			natural := p.end.width - a.start.width
			shrink := p.end.shrink - a.start.shrink
			stretch := b.base + p.end.stretch - a.start.stretch
			var room unit.Sp // letter spacing
			if b.tracking {
				room = b.spacing(a, bi).room
			}
			if natural-shrink-b.hang-room > width {
				if limit == 0 && int(a.next) == bi {
					b.overfull(a, bi, last)
				}
				if i == head {
					head++
				} else {
					a.dead = true
					dead++
				}
				continue
			}
			slack := width - natural - p.extra
			if short := int64(slack-room) - limit*int64(stretch); short > 0 && limit != 0 {
				if short > int64(narrower) {
					break // and so is every line that starts later
				}
				continue
			}
			run := b.run(a, p)
			if a.cost+floor >= cuts[run] {
				continue
			}
			ln, ok := b.line(a, bi, slack, stretch, shrink, last)
			if !ok {
				if limit == 0 && slack < 0 && int(a.next) == bi {
					b.overfull(a, bi, last)
				}
				continue
			}
			if p.flagged && int(a.line)+1 == b.o.Unflagged {
				continue
			}
			if ln.past && limit != 0 && int64(ln.ratio) > limit*int64(One) {
				continue // letter spacing could not bring it back
			}
			cost := b.join(a, p, &ln)
			b.offer(a, &ln, cost, run)
			if !b.keyed {
				for i := run; i <= b.maxRun; i++ {
					cuts[i] = min(cuts[i], cost+b.o.FitnessDemerits)
				}
			}
		}
		if p.forced {
			b.active, head, dead = b.active[:0], 0, 0
		}
		b.keep(p, int32(bi))
		if head == len(b.active) {
			return Result{}, false
		}
		if n := len(b.active) - head; dead > 64 && dead*2 > n || n > most || head > 4096 {
			b.compact(head, most)
			head, dead = 0, 0
		}
	}
	return b.choose(limit, bound)
}

// overfull offers the line from a to p, a unit wider than its line.
func (b *Breaker) overfull(a *active, bi int, last bool) {
	p := &b.points[bi]
	bad := badness(-int64(One))
	if last {
		bad += b.runt(p.end.width - a.start.width + p.extra)
	}
	ln := line{cost: demerits(bad, p) + OverfullCost, over: true}
	if !b.o.Ragged {
		ln.ratio = -One
	}
	b.offer(a, &ln, b.join(a, p, &ln), b.run(a, p))
}

// join is the total cost of the path through a that ends with ln at p.
func (b *Breaker) join(a *active, p *point, ln *line) int64 {
	cost := a.cost + ln.cost
	if p.flagged && a.flagged {
		cost += b.o.FlaggedDemerits
		if b.maxRun > 0 && a.run >= b.maxRun {
			cost += max(RunCost, b.o.Run)
		}
	}
	if d := int(ln.class) - int(a.class); d > 1 || d < -1 {
		cost += b.o.FitnessDemerits
	}
	return cost
}

func (b *Breaker) run(a *active, p *point) uint8 {
	if b.maxRun == 0 || !p.flagged {
		return 0
	}
	return min(a.run+1, b.maxRun)
}

// offer records a path if it is the cheapest of its kind.
func (b *Breaker) offer(a *active, ln *line, cost int64, run uint8) {
	s := b.slot(a, cost)
	if s == nil {
		return
	}
	s.best = min(s.best, cost)
	at := run*classes + ln.class
	c := &s.c[at]
	if s.used&(1<<at) != 0 && c.cost <= cost {
		return
	}
	s.used |= 1 << at
	*c = candidate{cost: cost, from: a.node, line: a.line + 1, ratio: ln.ratio, track: ln.track, over: ln.over}
}

// slot finds or makes the slot for the paths that go on from a; nil when all
// are taken by cheaper ones.
func (b *Breaker) slot(a *active, cost int64) *slot {
	key := int32(0)
	if b.keyed {
		key = a.line + 1
		if !b.counted { // lines past the last that differs are all alike
			key = min(key, b.lastKey)
		}
	}
	for i := len(b.slots) - 1; i >= 0; i-- {
		if b.slots[i].line == key {
			return &b.slots[i]
		}
	}
	if len(b.slots) < maxSlots {
		if len(b.slots) < cap(b.slots) {
			b.slots = b.slots[:len(b.slots)+1]
		} else {
			b.slots = append(b.slots, slot{})
		}
		s := &b.slots[len(b.slots)-1]
		s.line, s.best, s.used = key, none, 0
		return s
	}
	worst := 0
	for i := range b.slots {
		if b.slots[i].best > b.slots[worst].best {
			worst = i
		}
	}
	if s := &b.slots[worst]; s.best > cost {
		s.line, s.best, s.used = key, none, 0
		return s
	}
	return nil
}

// keep turns the candidates at a point into active nodes, leaving out those that
// can never win: another of the same line count and no longer run of flagged
// ends is cheaper by as much as a fitness class can make up.
func (b *Breaker) keep(p *point, bi int32) {
	for i := range b.slots {
		s := &b.slots[i]
		best := none
		for used := s.used; used != 0; {
			run := bits.TrailingZeros64(used) / classes
			here := used & (1<<((run+1)*classes) - 1)
			used &^= here
			for u := here; u != 0; u &= u - 1 {
				best = min(best, s.c[bits.TrailingZeros64(u)].cost)
			}
			for u := here; u != 0; u &= u - 1 {
				at := bits.TrailingZeros64(u)
				c := &s.c[at]
				if c.cost > best && c.cost-best >= b.o.FitnessDemerits {
					continue
				}
				b.active = append(b.active, active{start: p.start, cost: c.cost, node: int32(len(b.nodes)), point: bi,
					line: c.line, next: p.next, class: uint8(at % classes), run: uint8(run), flagged: p.flagged})
				b.nodes = append(b.nodes, node{prev: c.from, point: bi, line: c.line,
					ratio: c.ratio, track: c.track, over: c.over})
			}
		}
	}
}

// compact drops what is dead from the active list and, when it is still longer
// than most, the dearer half, but never the nodes of the newest point.
func (b *Breaker) compact(head, most int) {
	b.active = append(b.active[:0], b.active[head:]...)
	b.active = slices.DeleteFunc(b.active, func(a active) bool { return a.dead })
	if len(b.active) <= most {
		return
	}
	b.costs = b.costs[:0]
	for i := range b.active {
		b.costs = append(b.costs, b.active[i].cost)
	}
	slices.Sort(b.costs)
	median := b.costs[len(b.costs)/2]
	newest := b.active[len(b.active)-1].next
	room := most / 2
	b.active = slices.DeleteFunc(b.active, func(a active) bool {
		if a.next == newest || a.cost < median {
			return false
		}
		room--
		return room < 0 || a.cost > median
	})
}

// choose picks the end of the paragraph and walks back from it.
func (b *Breaker) choose(limit, bound int64) (Result, bool) {
	best := &b.active[0]
	for i := range b.active {
		if b.active[i].cost < best.cost {
			best = &b.active[i]
		}
	}
	if best.cost >= bound {
		return Result{}, false
	}
	if b.counted {
		want := int(best.line) + b.o.Looseness
		if b.o.Lines > 0 {
			want = b.o.Lines
		}
		off := func(a *active) int { return max(int(a.line)-want, want-int(a.line)) }
		for i := range b.active {
			a := &b.active[i]
			if off(a) < off(best) || off(a) == off(best) && a.cost < best.cost {
				best = a
			}
		}
		if limit == limits[0] && (off(best) != 0 || best.cost >= bound) {
			return Result{}, false // perhaps with longer stretches
		}
	}
	r := Result{Demerits: best.cost, Feasible: true}
	n := int(best.line)
	b.breaks = slices.Grow(b.breaks[:0], n)[:n]
	for at := best.node; at >= 0; at = b.nodes[at].prev {
		nd := &b.nodes[at]
		n--
		b.breaks[n] = Break{Item: int(b.points[nd.point].item), Ratio: nd.ratio, Track: nd.track}
		if nd.over {
			r.Feasible = false
		}
	}
	r.Breaks = b.breaks
	return r, true
}
