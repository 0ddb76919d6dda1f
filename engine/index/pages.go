package index

import (
	"slices"
	"strconv"
)

// locators sorts the pages of an entry, each once. A page inside a range is part
// of it, and makes it a main one when it is main itself. With merge, consecutive
// pages of one format become a range; main pages stay apart.
func locators(in []Locator, merge bool) []Locator {
	if len(in) == 0 {
		return nil
	}
	for i := range in {
		if in[i].Last.Label == in[i].First.Label {
			in[i].Last = Page{}
		}
	}
	slices.SortStableFunc(in, func(a, b Locator) int {
		if a.First.Order != b.First.Order {
			return a.First.Order - b.First.Order
		}
		return b.end().Order - a.end().Order
	})
	out := in[:1]
	for _, l := range in[1:] {
		p := &out[len(out)-1]
		switch {
		case l.First.Order <= p.end().Order && (p.Last.Label != "" || l.First.Order == p.First.Order):
			if l.end().Order > p.end().Order { // ranges that overlap are one
				p.Last = l.end()
			}
			p.Main = p.Main || l.Main
		case merge && !p.Main && !l.Main && follows(p.end(), l.First):
			p.Last = l.end()
		default:
			out = append(out, l)
		}
	}
	return out
}

// end is the last page of a locator.
func (l *Locator) end() Page {
	if l.Last.Label != "" {
		return l.Last
	}
	return l.First
}

// follows reports whether b is the page after a in the same numbering.
func follows(a, b Page) bool {
	return a.Label != "" && b.Order == a.Order+1 && b.Value == a.Value+1 && a.Format == b.Format
}

// Text is how a locator is printed; short writes the second number of a range
// as the Chicago Manual does (17th edition, 9.61).
func (l *Locator) Text(between string, short bool) string {
	if l.Last.Label == "" {
		return l.First.Label
	}
	last := l.Last.Label
	if short && l.First.Format == l.Last.Format {
		if a, err := strconv.Atoi(l.First.Label); err == nil {
			if b, err := strconv.Atoi(last); err == nil {
				last = chicago(a, b)
			}
		}
	}
	return l.First.Label + between + last
}

// chicago is the second number of a range behind the first: whole below 100 and
// after multiples of 100; after 101 to 109 and the like the part that changes;
// else two digits, or more where more change.
func chicago(a, b int) string {
	whole := strconv.Itoa(b)
	if a < 100 || a%100 == 0 || b < a || len(strconv.Itoa(a)) != len(whole) {
		return whole
	}
	first, n := strconv.Itoa(a), 0
	for n < len(whole) && first[n] == whole[n] {
		n++
	}
	keep := 2
	if a%100 < 10 {
		keep = 1
	}
	keep = max(keep, len(whole)-n)
	if keep >= len(whole) {
		return whole
	}
	return whole[len(whole)-keep:]
}
