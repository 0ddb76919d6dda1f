package linebreak

import (
	"slices"

	"postext/engine/unit"
)

// width of line n, from 0.
func (b *Breaker) width(n int32) unit.Sp {
	return clampLength(b.widths[min(int(n), len(b.widths)-1)])
}

func clampLength(v unit.Sp) unit.Sp { return min(max(v, -maxLength), maxLength) }

// prepare lists the points with their sums and settles what the options imply.
func (b *Breaker) prepare(items []Item, o Options) {
	b.o = o
	b.widths = o.Widths
	if len(b.widths) == 0 {
		b.widths = []unit.Sp{0}
	}
	b.minWidth = clampLength(slices.Min(b.widths))
	b.varied = b.minWidth != clampLength(slices.Max(b.widths))
	// After the first line a paragraph of two widths has but one.
	b.counted = o.Looseness != 0 || o.Lines > 0
	b.keyed = b.counted || o.Unflagged > 0 || b.varied && len(b.widths) > 2
	b.lastKey = int32(max(len(b.widths)-1, min(o.Unflagged, maxUnflagged)))
	b.o.RuntPenalty = min(max(o.RuntPenalty, 0), maxRunts)
	b.maxRun = uint8(min(max(o.MaxFlagged, 0), maxFlaggedLimit))
	b.base, b.hang = 0, 0
	b.tracking = !o.Ragged && slices.ContainsFunc(items, func(it Item) bool { return it.Track > 0 })
	if o.Ragged {
		em := clampLength(o.Em)
		if em <= 0 {
			em = 10 * unit.Pt
		}
		b.base = 3 * em
	}

	// The items that count end with the last box or forced penalty.
	n := len(items)
	for n > 0 && items[n-1].Kind != Box && !(items[n-1].Kind == Penalty && items[n-1].Penalty <= Forced) {
		n--
	}
	b.points = b.points[:0]
	if n == 0 {
		return
	}

	var s sums
	var t spacing
	pending := 0      // first point whose following line has not started
	word := int32(-1) // last unflagged point
	b.tracks = b.tracks[:0]
	for i := range items[:n] {
		if i&(4*askEvery-1) == 4*askEvery-1 && b.Stop != nil && b.Stop() {
			return // the search asks as well
		}
		it := &items[i]
		var extra, after unit.Sp
		penalty := int32(0)
		flagged := it.Flagged
		switch it.Kind {
		case Box:
			if pending < len(b.points) {
				pending = b.begin(pending, s, t)
			}
			s.width += clampLength(it.Width)
			if b.tracking {
				t.room += clampLength(it.Track)
				if it.NoTrack {
					t.noTrack++
				}
			}
			continue
		case Glue:
			after := s
			after.width += clampLength(it.Width)
			switch {
			case it.Stretch >= Fill:
				after.stretch += Fill
			case !o.Ragged:
				after.stretch += min(max(it.Stretch, 0), maxLength)
			}
			if !o.Ragged {
				after.shrink += min(max(it.Shrink, 0), maxLength)
			}
			if i > 0 && items[i-1].Kind == Box && it.Stretch < Fill {
				word = b.add(point{end: s, item: int32(i), word: word, flagged: flagged}, t)
			}
			s = after
			if b.tracking {
				t.room += clampLength(it.Track)
				t.glues++
			}
			continue
		case Penalty:
			if it.Penalty >= Never {
				continue
			}
			penalty = max(it.Penalty, Forced)
			if penalty == Forced && pending < len(b.points) {
				pending = b.begin(pending, s, t)
			}
			extra, after = clampLength(it.Width), clampLength(it.After)
			b.hang = max(b.hang, -extra)
		}
		word = b.add(point{end: s, extra: extra, after: after, item: int32(i), word: word,
			penalty: penalty, flagged: flagged, forced: penalty == Forced}, t)
	}
	if items[n-1].Kind == Box {
		s.stretch += Fill
		b.add(point{end: s, item: int32(n), word: word, penalty: Forced, forced: true}, t)
	}
}

// add appends a point and returns the last unflagged one.
func (b *Breaker) add(p point, t spacing) (word int32) {
	b.points = append(b.points, p)
	if b.tracking {
		b.tracks = append(b.tracks, track{end: t})
	}
	if p.flagged {
		return p.word
	}
	return int32(len(b.points) - 1)
}

// begin starts the line after each point from pending on.
func (b *Breaker) begin(pending int, s sums, t spacing) int {
	n := len(b.points)
	for ; pending < n; pending++ {
		p := &b.points[pending]
		p.start, p.next = s, int32(n)
		p.start.width -= p.after
		if b.tracking {
			b.tracks[pending].start = t
		}
	}
	return n
}

// spacing of the line from a to point bi.
func (b *Breaker) spacing(a *active, bi int) spacing {
	t := b.tracks[bi].end
	if a.point >= 0 {
		s := &b.tracks[a.point].start
		t.room -= s.room
		t.glues -= s.glues
		t.noTrack -= s.noTrack
	}
	return t
}
