package linebreak

import "postext/engine/unit"

// firstFit breaks line by line: each line takes what fits at its natural width.
// It ends flagged only where the break before that word would stretch it past
// r = 1 (ragged: leave it more than Zone short). A line on which nothing fits
// takes the first unit whole.
func (b *Breaker) firstFit() Result {
	b.breaks = b.breaks[:0]
	r := Result{Feasible: true}
	a := active{class: classNormal, point: -1}
	for int(a.next) < len(b.points) {
		width := b.width(a.line)
		at := b.fitting(&a, width)
		p := &b.points[at]
		last := at == len(b.points)-1
		slack, stretch := b.slack(&a, p, width)
		ln, ok := b.line(&a, at, slack, stretch, p.end.shrink-a.start.shrink, last)
		if !ok {
			ln = line{cost: demerits(badness(-int64(One)), p), over: slack < 0}
			if slack < 0 {
				ln.cost += OverfullCost
				r.Feasible = false
				if !b.o.Ragged {
					ln.ratio = -One
				}
			}
		}
		cost := b.join(&a, p, &ln)
		b.breaks = append(b.breaks, Break{Item: int(p.item), Ratio: ln.ratio, Track: ln.track})
		a = active{start: p.start, cost: cost, point: int32(at), line: a.line + 1, next: p.next,
			class: ln.class, run: b.run(&a, p), flagged: p.flagged}
		if last {
			break
		}
	}
	r.Breaks, r.Demerits = b.breaks, a.cost
	return r
}

// slack of the line from a to p, and its stretch.
func (b *Breaker) slack(a *active, p *point, width unit.Sp) (slack, stretch unit.Sp) {
	return width - (p.end.width - a.start.width) - p.extra, b.base + p.end.stretch - a.start.stretch
}

// fitting returns the point at which a first-fit line ends.
func (b *Breaker) fitting(a *active, width unit.Sp) int {
	plain, flagged := -1, -1
	for i := int(a.next); i < len(b.points); i++ {
		p := &b.points[i]
		slack, _ := b.slack(a, p, width)
		fits := slack >= 0
		if p.forced { // a last line may be shrunk
			fits = slack+(p.end.shrink-a.start.shrink) >= 0
		}
		switch {
		case !fits:
		case p.flagged:
			flagged = i
		default:
			plain = i
		}
		if p.forced || width-(p.end.width-a.start.width)+b.hang+(p.end.shrink-a.start.shrink) < 0 {
			if p.forced && fits {
				return i
			}
			break
		}
	}
	switch {
	case plain < 0 && flagged < 0:
		return int(a.next)
	case plain < 0:
		return flagged
	case flagged < plain:
		return plain
	}
	slack, stretch := b.slack(a, &b.points[plain], width)
	if b.o.Ragged && slack > b.o.Zone || !b.o.Ragged && slack > stretch {
		return flagged
	}
	return plain
}
