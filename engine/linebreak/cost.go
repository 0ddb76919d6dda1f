package linebreak

import "postext/engine/unit"

// floorCost is the least a line that ends at p can cost.
func floorCost(p *point) int64 {
	switch pen := int64(p.penalty); {
	case p.forced:
		return 1
	case pen >= 0:
		return (1 + pen) * (1 + pen)
	default:
		return 1 - pen*pen
	}
}

// line is one line judged on its own.
type line struct {
	cost         int64
	ratio, track int32 // ratio as told
	class        uint8
	past         bool // stretched past 1
	over         bool
}

// line judges the line from a to p. It reports false where r < −1, or where the
// zone forbids a hyphen.
func (b *Breaker) line(a *active, bi int, slack, stretch, shrink unit.Sp, last bool) (line, bool) {
	var ln line
	p := &b.points[bi]
	var r, extra int64 // ratio; badness for tracking
	filled := stretch >= Fill
	if slack >= 0 {
		switch {
		case slack == 0 || filled:
		case slack <= stretch:
			r = ratio(slack, stretch)
		default:
			if b.tracking && !last {
				need := slack - stretch
				ln.track = b.track(a, bi, need)
				extra = trackCost(ln.track)
				room := b.room(a, bi)
				if need <= room {
					r = int64(One)
					break
				}
				slack -= room // all there is, and the spaces take the rest
			}
			ln.past = true
			r = int64(MaxRatio)
			if slack < stretch*64 {
				r = ratio(slack, stretch)
			}
		}
	} else {
		switch {
		case -slack <= shrink:
			r = -ratio(-slack, shrink)
		case b.tracking:
			need := -slack - shrink
			if need > b.room(a, bi) {
				return ln, false
			}
			ln.track = -b.track(a, bi, need)
			r, extra = -int64(One), trackCost(-ln.track)
		default:
			return ln, false
		}
	}
	if b.o.Zone > 0 && b.o.Ragged && p.flagged && p.word >= a.next {
		w := &b.points[p.word]
		if slack+p.extra+(p.end.width-w.end.width)-w.extra <= b.o.Zone {
			return ln, false
		}
	}
	bad := badness(r) + extra
	if last {
		bad += b.runt(p.end.width - a.start.width + p.extra)
	}
	ln.cost = demerits(bad, p)
	if ln.past {
		ln.cost += int64(uint64(r*r) >> 10) // OverCost·r² with r in 1/65536
		if lim := int64(b.o.Limit); lim > 0 && r > lim {
			l := min(r, 16*int64(One))
			ln.cost += l*l*(LimitCost>>32) + (r-l)<<20 // LimitCost·r², from r = 16 on 4·LimitCost·(r − 16) more
		}
	}
	ln.class = class(r)
	if !b.o.Ragged {
		ln.ratio = int32(r)
		if r > int64(b.o.LooseFrom) {
			ln.cost += b.o.LooseDemerits
		}
	}
	return ln, true
}

// room is the letter spacing the line from a to p may take, 0 where it has a
// place that forbids it or no space.
func (b *Breaker) room(a *active, bi int) unit.Sp {
	t := b.spacing(a, bi)
	if t.noTrack > 0 || t.glues == 0 {
		return 0
	}
	return max(t.room-b.o.TrackEnd, 0)
}

// track is the share of the letter spacing of the line from a to p that makes up
// need, rounded up, at most all.
func (b *Breaker) track(a *active, bi int, need unit.Sp) int32 {
	room := b.room(a, bi)
	if room == 0 {
		return 0
	}
	for need >= 1<<46 {
		need, room = need>>1, room>>1
	}
	return int32(min((int64(need)<<16+int64(room)-1)/max(int64(room), 1), int64(One)))
}

// trackCost is the badness of letter spacing.
func trackCost(share int32) int64 { return (trackBadness*int64(share) + int64(One) - 1) / int64(One) }

func (b *Breaker) runt(width unit.Sp) int64 {
	if b.o.RuntWidth <= 0 || width >= b.o.RuntWidth {
		return 0
	}
	if b.o.GradedRunt {
		return unit.MulDiv(int64(b.o.RuntPenalty), int64(b.o.RuntWidth-max(width, 0)), int64(b.o.RuntWidth))
	}
	return int64(b.o.RuntPenalty)
}

// ratio returns part/whole in 1/65536, rounded down; 0 ≤ part, 0 < whole.
func ratio(part, whole unit.Sp) int64 {
	for part >= 1<<46 {
		part, whole = part>>1, whole>>1
	}
	return int64(uint64(part) << 16 / uint64(whole))
}

// badness is 100·|r|³ of a ratio in 1/65536, rounded, at most 10000.
func badness(r int64) int64 {
	if r < 0 {
		r = -r
	}
	if r > 5*int64(One) {
		return 10000
	}
	return min((100*r*r*r+1<<47)>>48, 10000)
}

func class(r int64) uint8 {
	switch {
	case r < -int64(One)/2:
		return 0
	case r < int64(One)/2:
		return classNormal
	case r < int64(One):
		return 2
	}
	return 3
}

func demerits(bad int64, p *point) int64 {
	bad++
	switch pen := int64(p.penalty); {
	case p.forced:
		return bad * bad
	case pen >= 0:
		return (bad + pen) * (bad + pen)
	default:
		return bad*bad - pen*pen
	}
}
