package linebreak

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"postext/engine/unit"
)

// brute tries every set of breaks of a short paragraph by the rules of the
// package comment, written out plainly, and returns the least cost for each
// number of lines.
type brute struct {
	items  []Item
	o      Options
	n      int // items that count
	filled bool
	legal  []int
	// best by the limit of stretch all lines keep to, and by number of lines.
	best [len(limits)]map[int]int64
}

func bruteForce(items []Item, o Options) [len(limits)]map[int]int64 {
	b := &brute{items: items, o: o}
	for i := range b.best {
		b.best[i] = map[int]int64{}
	}
	bruteLegal(b)
	b.extend(0, 0, 0, classNormal, false, 0, 0)
	return b.best
}

// bruteLegal lists the places where a line may end.
func bruteLegal(b *brute) {
	items := b.items
	for i, it := range items {
		if it.Kind == Box || it.Kind == Penalty && it.Penalty <= Forced {
			b.n = i + 1
		}
	}
	for i, it := range items[:b.n] {
		switch {
		case it.Kind == Glue && i > 0 && items[i-1].Kind == Box && it.Stretch < Fill,
			it.Kind == Penalty && it.Penalty < Never:
			b.legal = append(b.legal, i)
		}
	}
	if items[b.n-1].Kind == Box {
		b.filled = true
		b.legal = append(b.legal, b.n)
	}
}

// start is where the line after a break at item i begins.
func (b *brute) start(i int) int {
	for next := i; ; next++ {
		if it := b.items[next]; it.Kind == Box || it.Kind == Penalty && it.Penalty <= Forced && next != i {
			return next
		}
	}
}

// extend tries all lines that start at item from.
func (b *brute) extend(from, lines int, cost int64, class int, flagged bool, run, loosest int) {
	for k, at := range b.legal {
		if at < from {
			continue
		}
		unbroken := k == 0 || b.legal[k-1] < from
		last := at == b.legal[len(b.legal)-1]
		pen, isFlagged, forced := int32(0), false, at == b.n
		if at < len(b.items) && at < b.n {
			pen, isFlagged = b.items[at].Penalty, b.items[at].Flagged
			if b.items[at].Kind == Glue {
				pen = 0
			}
			forced = pen <= Forced
		}
		if c, cl, level, ok := b.lineCost(from, at, lines, pen, isFlagged, forced, last, unbroken); ok &&
			!(isFlagged && lines+1 == b.o.Unflagged && c < OverfullCost) {
			c += cost
			level = max(level, loosest)
			if isFlagged && flagged {
				c += b.o.FlaggedDemerits
				if b.o.MaxFlagged > 0 && run+1 > b.o.MaxFlagged {
					c += max(RunCost, b.o.Run)
				}
			}
			if cl-class > 1 || class-cl > 1 {
				c += b.o.FitnessDemerits
			}
			nrun := 0
			if isFlagged {
				nrun = run + 1
			}
			if last {
				for _, best := range b.best[level:] {
					if old, ok := best[lines+1]; !ok || c < old {
						best[lines+1] = c
					}
				}
			} else {
				b.extend(b.start(at), lines+1, c, cl, isFlagged, nrun, level)
			}
		}
		if forced {
			return
		}
	}
}

func (b *brute) lineCost(from, at, nth int, pen int32, flagged, forced, last, unbroken bool) (cost int64, class, level int, ok bool) {
	width := b.o.Widths[min(nth, len(b.o.Widths)-1)]
	var natural, stretch, shrink, track unit.Sp
	filled := at == b.n && b.filled
	glues, barred := 0, false
	for i := from; i < at; i++ {
		it := b.items[i]
		if it.Kind == Penalty {
			continue
		}
		natural += it.Width
		track += it.Track
		barred = barred || it.NoTrack
		if it.Kind == Glue {
			glues++
			shrink += it.Shrink
			if it.Stretch >= Fill {
				filled = true
			} else {
				stretch += it.Stretch
			}
		}
	}
	if at < len(b.items) && b.items[at].Kind == Penalty {
		natural += b.items[at].Width
	}
	if b.o.Ragged {
		stretch, shrink, track = 3*b.o.Em, 0, 0
	}
	track = max(track-b.o.TrackEnd, 0)
	if barred || glues == 0 {
		track = 0
	}
	slack := width - natural
	var r *big.Rat
	bonus := int64(0)
	past, over := false, false
	trackShare := func(need unit.Sp) int64 {
		t := (int64(need)<<16 + int64(track) - 1) / int64(track)
		return (t*50 + 65535) / 65536
	}
	switch {
	case slack == 0 || slack > 0 && filled:
		r = new(big.Rat)
	case slack > 0 && slack <= stretch:
		r = big.NewRat(int64(slack), int64(stretch))
	case slack > 0 && !last && track > 0 && slack-stretch <= track:
		r = big.NewRat(1, 1)
		bonus = trackShare(slack - stretch)
	case slack > 0:
		past = true
		if track > 0 && !last {
			slack -= track
			bonus = 50
		}
		r = big.NewRat(64, 1)
		if slack < 64*stretch {
			r = big.NewRat(int64(slack), int64(stretch))
		}
	case -slack <= shrink:
		r = big.NewRat(int64(slack), int64(shrink))
	case track > 0 && -slack-shrink <= track:
		r = big.NewRat(-1, 1)
		bonus = trackShare(-slack - shrink)
	case unbroken:
		r, over = big.NewRat(-1, 1), true
	default:
		return 0, 0, 0, false
	}
	// In 1/65536, cut off.
	fixed := new(big.Int).Mul(r.Num(), big.NewInt(65536))
	fixed.Quo(fixed, r.Denom())
	f := fixed.Int64()
	if b.o.Ragged && b.o.Zone > 0 && flagged && !over {
		// The last unflagged break before this one, if the line has one.
		prev := -1
		for _, l := range b.legal {
			if l >= from && l < at && !(b.items[l].Flagged) {
				prev = l
			}
		}
		if prev >= 0 {
			w := unit.Sp(0)
			for i := from; i < prev; i++ {
				if b.items[i].Kind != Penalty {
					w += b.items[i].Width
				}
			}
			if b.items[prev].Kind == Penalty {
				w += b.items[prev].Width
			}
			if width-w <= b.o.Zone {
				return 0, 0, 0, false
			}
		}
	}
	real := math.Abs(float64(f) / 65536)
	bad := int64(math.Min(10000, math.Floor(100*real*real*real+0.5))) + bonus
	if last && natural < b.o.RuntWidth {
		p := int64(b.o.RuntPenalty)
		if b.o.GradedRunt {
			p = unit.MulDiv(p, int64(b.o.RuntWidth-max(natural, 0)), int64(b.o.RuntWidth))
		}
		bad += p
	}
	var c int64
	switch p := int64(pen); {
	case forced:
		c = (1 + bad) * (1 + bad)
	case p >= 0:
		c = (1 + bad + p) * (1 + bad + p)
	default:
		c = (1+bad)*(1+bad) - p*p
	}
	if !b.o.Ragged && f > int64(b.o.LooseFrom) {
		c += b.o.LooseDemerits
	}
	if past {
		c += new(big.Int).Rsh(new(big.Int).Mul(fixed, fixed), 10).Int64()
		if b.o.Limit > 0 && f > int64(b.o.Limit) {
			l := min(f, 16*65536)
			c += l*l*(LimitCost>>32) + (f-l)<<20
		}
	}
	if over {
		c += OverfullCost
	}
	class = 3
	switch {
	case f < -32768:
		class = 0
	case f < 32768:
		class = 1
	case f < 65536:
		class = 2
	}
	if past {
		for level < len(limits)-1 && int64(slack) > limits[level]*int64(stretch) {
			level++
		}
	}
	if over {
		level = len(limits) - 1
	}
	return c, class, level, true
}

// least is the smallest cost and its number of lines; unique is false when
// others cost the same.
func least(costs map[int]int64) (cost int64, lines int, unique bool) {
	cost = math.MaxInt64
	for k, c := range costs {
		switch {
		case c < cost:
			cost, lines, unique = c, k, true
		case c == cost:
			unique = false
		}
	}
	return cost, lines, unique
}

// randomParagraph makes a paragraph with at most about a dozen breakpoints.
func randomParagraph(r *rand.Rand, tracking bool) []Item {
	var items []Item
	pt := func(n int) unit.Sp { return unit.Sp(r.IntN(n)) * unit.Pt / 4 }
	words := 1 + r.IntN(6)
	for w := range words {
		if w > 0 {
			switch r.IntN(12) {
			case 0:
				items = append(items, Item{Kind: Penalty, Penalty: Never}, Item{Kind: Glue, Width: 3 * unit.Pt, Stretch: 2 * unit.Pt, Shrink: unit.Pt})
			case 1:
				items = append(items, Item{Kind: Penalty, Penalty: Never}, Item{Kind: Glue, Stretch: Fill}, Item{Kind: Penalty, Penalty: Forced})
			case 2: // a break that is welcome
				items = append(items, Item{Kind: Penalty, Penalty: -int32(r.IntN(200))}, Item{Kind: Glue, Width: pt(20), Stretch: pt(12)})
			case 3: // a hanging comma
				items = append(items, Item{Kind: Penalty, Width: -unit.Pt}, Item{Kind: Glue, Width: 3 * unit.Pt, Stretch: 3 * unit.Pt, Shrink: unit.Pt})
			default:
				items = append(items, Item{Kind: Glue, Width: 2*unit.Pt + pt(4), Stretch: pt(16), Shrink: pt(6)})
			}
		}
		for part := range 1 + r.IntN(3) {
			if part > 0 {
				items = append(items, Item{Kind: Penalty, Penalty: int32(r.IntN(80)), Flagged: r.IntN(5) > 0, Width: pt(12)})
			}
			it := Item{Kind: Box, Width: pt(80)}
			if tracking {
				it.Track = it.Width / 10
				it.NoTrack = r.IntN(10) == 0
				if n := len(items); part == 0 && n > 0 && items[n-1].Kind == Glue && r.IntN(2) == 0 {
					items[n-1].Track = -unit.Pt / 20
				}
			}
			items = append(items, it)
		}
	}
	switch r.IntN(3) {
	case 0:
		items = append(items, Item{Kind: Penalty, Penalty: Never}, Item{Kind: Glue, Stretch: Fill}, Item{Kind: Penalty, Penalty: Forced})
	case 1:
		items = append(items, Item{Kind: Penalty, Penalty: Forced})
	}
	return items
}

func randomOptions(r *rand.Rand) (Options, bool) {
	o := Options{FlaggedDemerits: int64(r.IntN(2)) * 3000, FitnessDemerits: int64(r.IntN(3)) * 5000}
	for range 1 + r.IntN(2)*r.IntN(4) {
		o.Widths = append(o.Widths, unit.Sp(20+r.IntN(60))*unit.Pt)
	}
	if r.IntN(3) == 0 {
		o.Ragged, o.Em = true, unit.Sp(2+r.IntN(10))*unit.Pt
		o.Zone = unit.Sp(r.IntN(2)*r.IntN(20)) * unit.Pt
	}
	if r.IntN(2) == 0 {
		o.RuntWidth, o.RuntPenalty, o.GradedRunt = unit.Sp(r.IntN(40))*unit.Pt, int32(r.IntN(4000)), r.IntN(2) == 0
	}
	if r.IntN(3) == 0 {
		o.MaxFlagged, o.Run = 1+r.IntN(3), int64(r.IntN(2))<<30
	}
	if r.IntN(3) == 0 {
		o.LooseDemerits, o.LooseFrom = int64(r.IntN(20000)), int32(r.IntN(80000))-5000
	}
	if r.IntN(4) == 0 {
		o.Looseness = r.IntN(5) - 2
		if r.IntN(3) == 0 {
			o.Lines = 1 + r.IntN(5)
		}
	}
	if r.IntN(5) == 0 {
		o.Unflagged = 1 + r.IntN(3)
	}
	o.TrackEnd = unit.Sp(r.IntN(2)) * unit.Pt / 20
	if r.IntN(2) == 0 {
		o.Limit = One + int32(r.IntN(3))*One/2
	}
	return o, r.IntN(3) == 0
}

// The total must be the least of all sets of breaks, and with Looseness the
// least of those with the lines asked for, or the nearest number.
func TestSearchFindsTheBestBreaks(t *testing.T) {
	count := 6000
	if testing.Short() {
		count = 2000
	}
	r := rand.New(rand.NewPCG(1, 2))
	var br Breaker
	for n := range count {
		o, tracking := randomOptions(r)
		items := randomParagraph(r, tracking)
		got := br.Break(items, o)
		all := bruteForce(items, o)
		want, lines, unique := least(all[len(all)-1])
		if lines == 0 {
			if o.Zone == 0 && o.Unflagged == 0 {
				t.Fatalf("case %d: brute force found nothing", n)
			}
			continue // everything is forbidden: broken line by line
		}
		if o.Looseness != 0 || o.Lines > 0 {
			if !unique {
				continue // any of them may be the one counted from
			}
			// The tightest limit, from 3 on, that surely has the best paragraph.
			credit := int64(0)
			for _, it := range items {
				if it.Kind == Penalty && it.Penalty < 0 && it.Penalty > Forced {
					credit += int64(it.Penalty) * int64(it.Penalty)
				}
			}
			level := 1
			for limits[level] != 0 && want >= OverCost*limits[level]*limits[level]-credit {
				level++
			}
			goal, off := lines+o.Looseness, math.MaxInt
			if o.Lines > 0 {
				goal = o.Lines
			}
			want = math.MaxInt64
			for k, c := range all[level] {
				d := max(k-goal, goal-k)
				if d < off || d == off && c < want {
					off, want = d, c
				}
			}
		}
		if got.Demerits != want {
			t.Fatalf("case %d: got %d in %d lines, want %d (%v)\n%s", n, got.Demerits, len(got.Breaks), want, all, dump(items, o))
		}
		checkBreaks(t, items, o, got)
	}
}

// within reports whether any set of breaks keeps every line within the limit: it
// tries them all, place by place.
func within(items []Item, o Options) bool {
	b := &brute{items: items, o: o}
	bruteLegal(b)
	type at struct{ from, line int }
	seen := map[at]bool{}
	var reach func(from, line int) bool
	reach = func(from, line int) bool {
		key := at{from, line}
		if seen[key] {
			return false
		}
		seen[key] = true
		for k, i := range b.legal {
			if i < from {
				continue
			}
			pen, flagged, forced := int32(0), false, i == b.n
			if i < b.n && items[i].Kind == Penalty {
				pen, flagged = items[i].Penalty, items[i].Flagged
				forced = pen <= Forced
			}
			last := k == len(b.legal)-1
			c, _, _, ok := b.lineCost(from, i, line, pen, flagged, forced, last, k == 0 || b.legal[k-1] < from)
			if ok && c < LimitCost && (last || reach(b.start(i), line+1)) {
				return true
			}
			if forced {
				break
			}
		}
		return false
	}
	return reach(0, 0)
}

// A line passes the limit only where no set of breaks keeps to it.
func TestLimitIsPassedOnlyWhereItMust(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var br Breaker
	must := 0
	for n := range 4000 {
		o, tracking := randomOptions(r)
		o.Ragged, o.Zone, o.Looseness, o.Lines, o.Unflagged = false, 0, 0, 0, 0
		o.Limit = One + int32(r.IntN(3))*One/2
		items := randomParagraph(r, tracking)
		got := br.Break(items, o)
		past := !got.Feasible
		for _, b := range got.Breaks {
			past = past || b.Ratio > o.Limit
		}
		if past {
			must++
		}
		if ok := within(items, o); ok == past {
			t.Fatalf("case %d: past the limit %v, a way within it %v\n%s", n, past, ok, dump(items, o))
		}
	}
	if must < 400 || must > 3600 {
		t.Errorf("%d of 4000 paragraphs pass the limit: the cases say nothing", must)
	}
}

func dump(items []Item, o Options) string {
	s := fmt.Sprintf("%+v\n", o)
	for i, it := range items {
		s += fmt.Sprintf("%3d %+v\n", i, it)
	}
	return s
}

// checkBreaks holds for every answer: legal places in rising order, the last at
// the end, ratios within bounds, and feasible lines that fit.
func checkBreaks(t *testing.T, items []Item, o Options, r Result) {
	t.Helper()
	if len(items) == 0 {
		if len(r.Breaks) != 0 {
			t.Fatal("breaks in nothing")
		}
		return
	}
	if len(r.Breaks) == 0 {
		t.Fatal("no lines")
	}
	prev, from := -1, 0
	for n, b := range r.Breaks {
		if b.Item <= prev || b.Item > len(items) {
			t.Fatalf("line %d ends at %d after %d\n%s", n, b.Item, prev, dump(items, o))
		}
		if b.Ratio < -One || b.Ratio > MaxRatio {
			t.Fatalf("line %d has ratio %d", n, b.Ratio)
		}
		if o.Ragged && b.Ratio != 0 {
			t.Fatalf("ragged line %d has ratio %d", n, b.Ratio)
		}
		if b.Track < -One || b.Track > One || b.Track > 0 && b.Ratio < One || b.Track > 0 && b.Ratio > One && b.Track != One || b.Track < 0 && b.Ratio != -One {
			t.Fatalf("line %d has ratio %d and tracking %d", n, b.Ratio, b.Track)
		}
		for i := from; i < b.Item; i++ {
			if items[i].Kind == Penalty && items[i].Penalty <= Forced {
				t.Fatalf("line %d runs over the forced break %d", n, i)
			}
		}
		if r.Feasible {
			width := o.Widths[min(n, len(o.Widths)-1)]
			var set unit.Sp
			for i := from; i < b.Item; i++ {
				it := items[i]
				if it.Kind == Penalty {
					continue
				}
				set += it.Width + unit.Sp(int64(it.Track)*int64(b.Track)/int64(One))
				switch {
				case b.Ratio < 0:
					set -= unit.Sp(int64(it.Shrink) * -int64(b.Ratio) / int64(One))
				case it.Stretch < Fill:
					set += unit.Sp(int64(it.Stretch) * int64(b.Ratio) / int64(One))
				}
			}
			if b.Item < len(items) && items[b.Item].Kind == Penalty {
				set += items[b.Item].Width
			}
			end := unit.Sp(int64(o.TrackEnd) * int64(b.Track) / int64(One))
			if set-end > width+unit.Sp(2*len(items)+16) {
				t.Fatalf("line %d is %d wide in %d\n%s", n, set, width, dump(items, o))
			}
		}
		prev, from = b.Item, b.Item
		for from < len(items) && items[from].Kind != Box && !(from > b.Item && items[from].Kind == Penalty && items[from].Penalty <= Forced) {
			from++
		}
	}
}
