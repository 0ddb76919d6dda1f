package linebreak

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"postext/engine/unit"
)

const pt = unit.Pt

// words makes boxes of the given widths in points with spaces of 3 pt between,
// stretching by 3 and shrinking by 1.2, and the usual end.
func words(widths ...int) []Item {
	var items []Item
	for i, w := range widths {
		if i > 0 {
			items = append(items, Item{Kind: Glue, Width: 3 * pt, Stretch: 3 * pt, Shrink: 6 * pt / 5})
		}
		items = append(items, Item{Kind: Box, Width: unit.Sp(w) * pt})
	}
	return append(items, Item{Kind: Penalty, Penalty: Never}, Item{Kind: Glue, Stretch: Fill}, Item{Kind: Penalty, Penalty: Forced})
}

func ends(r Result) []int {
	var out []int
	for _, b := range r.Breaks {
		out = append(out, b.Item)
	}
	return out
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestBadness(t *testing.T) {
	for _, c := range []struct {
		ratio float64
		want  int64
	}{{0, 0}, {1, 100}, {-1, 100}, {0.5, 13}, {-0.5, 13}, {0.1, 0}, {2, 800}, {4.641, 9996}, {4.65, 10000}, {64, 10000}} {
		if got := badness(int64(c.ratio * 65536)); got != c.want {
			t.Errorf("badness(%v) = %d, want %d", c.ratio, got, c.want)
		}
	}
}

func TestFitnessClasses(t *testing.T) {
	for _, c := range []struct {
		ratio int64
		want  uint8
	}{{-65536, 0}, {-32769, 0}, {-32768, 1}, {0, 1}, {32767, 1}, {32768, 2}, {65535, 2}, {65536, 3}} {
		if got := class(c.ratio); got != c.want {
			t.Errorf("class(%d) = %d, want %d", c.ratio, got, c.want)
		}
	}
}

// A line past the limit costs more than a runt, a run of hyphens and a line at
// the limit together, and more the further it is past.
func TestPastTheLimitCostsMost(t *testing.T) {
	worst := int64(1+100+50+1000)*(1+100+50+1000) + 3000 + 100 + RunCost
	if OverCost <= worst {
		t.Errorf("%d for a line past r = 1, %d for the worst within", OverCost, worst)
	}
	if lines := int64(64); LimitCost < lines*4*OverCost {
		t.Errorf("%d for a line past the widest space, as much as %d lines at it", LimitCost, LimitCost/(4*OverCost))
	}
}

func TestEmptyAndOddParagraphs(t *testing.T) {
	o := DefaultOptions(100 * pt)
	for _, c := range []struct {
		name  string
		items []Item
		want  []int
	}{
		{"nothing", nil, nil},
		{"only glue", []Item{{Kind: Glue, Width: pt}}, []int{1}},
		{"one box", []Item{{Kind: Box, Width: pt}}, []int{1}},
		{"trailing glue is not broken at", []Item{{Kind: Box, Width: pt}, {Kind: Glue, Width: pt}}, []int{1}},
		{"only a forced break", []Item{{Kind: Penalty, Penalty: Forced}}, []int{0}},
		{"two forced breaks leave an empty line", []Item{{Kind: Box}, {Kind: Penalty, Penalty: Forced}, {Kind: Penalty, Penalty: Forced}}, []int{1, 2}},
		{"after a forced break", []Item{{Kind: Box}, {Kind: Penalty, Penalty: Forced}, {Kind: Glue, Width: pt}, {Kind: Box}}, []int{1, 4}},
		{"no break between glue", []Item{{Kind: Box, Width: 90 * pt}, {Kind: Penalty, Penalty: Never}, {Kind: Glue, Width: pt}, {Kind: Box, Width: 90 * pt}}, []int{4}},
	} {
		var br *Breaker // nil works
		if got := ends(br.Break(c.items, o)); !equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if got := Paragraph(words(10, 10), Options{}); len(got) != 2 {
		t.Errorf("no widths at all: %v", got)
	}
}

func TestLastLineIsNaturalOrShrunk(t *testing.T) {
	r := new(Breaker).Break(words(40, 40), DefaultOptions(100*pt))
	if len(r.Breaks) != 1 || r.Breaks[0].Ratio != 0 {
		t.Errorf("short: %+v", r.Breaks)
	}
	r = new(Breaker).Break(words(40, 40), DefaultOptions(82*pt+pt/2))
	if len(r.Breaks) != 1 || r.Breaks[0].Ratio >= 0 {
		t.Errorf("too long at its natural width: %+v", r.Breaks)
	}
}

// A unit wider than the measure stands alone, and the lines around it are as
// good as they can be.
func TestOverwideBoxStandsAlone(t *testing.T) {
	items := words(30, 30, 150, 30, 30)
	r := new(Breaker).Break(items, DefaultOptions(100*pt))
	if r.Feasible || !equal(ends(r), []int{3, 5, 11}) {
		t.Errorf("feasible %v, %v", r.Feasible, ends(r))
	}
	o := DefaultOptions(100 * pt)
	o.FirstFit = true
	r = new(Breaker).Break(items, o)
	if r.Feasible || !equal(ends(r), []int{3, 5, 11}) {
		t.Errorf("first fit: feasible %v, %v", r.Feasible, ends(r))
	}
}

func TestFirstFit(t *testing.T) {
	o := DefaultOptions(100 * pt)
	o.FirstFit = true
	if got := ends(new(Breaker).Break(words(30, 30, 30, 30, 30), o)); !equal(got, []int{5, 11}) {
		t.Errorf("got %v", got)
	}
	// A hyphen only where the line would be stretched past the limit without.
	for _, c := range []struct {
		first, part int
		want        []int
	}{{90, 5, []int{1, 5, 7}}, {40, 30, []int{5, 7}}, {80, 2, []int{3, 7}}} {
		space := Item{Kind: Glue, Width: 3 * pt, Stretch: 10 * pt}
		items := []Item{{Kind: Box, Width: 10 * pt}, space, {Kind: Box, Width: unit.Sp(c.first) * pt}, space,
			{Kind: Box, Width: unit.Sp(c.part) * pt}, {Kind: Penalty, Penalty: 50, Flagged: true, Width: 2 * pt}, {Kind: Box, Width: 60 * pt}}
		if got := ends(new(Breaker).Break(items, o)); !equal(got, c.want) {
			t.Errorf("%d and %d: got %v, want %v", c.first, c.part, got, c.want)
		}
	}
	// The last line may shrink.
	if got := ends(new(Breaker).Break(words(49, 49), o)); !equal(got, []int{5}) {
		t.Errorf("last line: %v", got)
	}
}

func TestTrackingBringsSpacesBack(t *testing.T) {
	// 40 + 40 in 90: the space would have to grow to 10, past 6.
	items := words(40, 40, 60)
	for i := range items {
		if items[i].Kind == Box {
			items[i].Track = 4 * pt
		}
	}
	o := DefaultOptions(90 * pt)
	r := new(Breaker).Break(items, o)
	if b := r.Breaks[0]; b.Item != 3 || b.Ratio != One || b.Track < One/2-2 || b.Track > One/2+2 {
		t.Errorf("got %+v, want half of the tracking", b)
	}
	items[2].NoTrack = true
	r = new(Breaker).Break(items, o)
	if b := r.Breaks[0]; b.Track != 0 || b.Ratio <= One {
		t.Errorf("with a chip: %+v", b)
	}
}

func TestRatiosFillTheLine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var br Breaker
	for range 300 {
		var widths []int
		for range 10 + r.IntN(200) {
			widths = append(widths, 5+r.IntN(40))
		}
		items := words(widths...)
		o := DefaultOptions(unit.Sp(120+r.IntN(300)) * pt)
		res := br.Break(items, o)
		checkBreaks(t, items, o, res)
		from := 0
		for n, b := range res.Breaks[:len(res.Breaks)-1] {
			var set unit.Sp
			for _, it := range items[from:b.Item] {
				set += it.Width
				if b.Ratio >= 0 {
					set += unit.Sp(unit.MulDiv(int64(it.Stretch), int64(b.Ratio), int64(One)))
				} else {
					set += unit.Sp(unit.MulDiv(int64(it.Shrink), int64(b.Ratio), int64(One)))
				}
			}
			if d := (set - o.Widths[0]).Abs(); d > 200 && b.Ratio < MaxRatio {
				t.Fatalf("line %d misses by %d sp", n, d)
			}
			from = b.Item + 1
		}
	}
}

// The same items give the same answer from a used Breaker and a fresh one.
func TestBreakerKeepsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var used Breaker
	for range 2000 {
		o, tracking := randomOptions(r)
		items := randomParagraph(r, tracking)
		got := used.Break(items, o)
		want := new(Breaker).Break(items, o)
		if got.Demerits != want.Demerits || !equal(ends(got), ends(want)) {
			t.Fatalf("%v and %v\n%s", ends(got), ends(want), dump(items, o))
		}
	}
}

func TestMaxFlaggedAvoidsRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	list, _ := page(r, 20000)
	o := DefaultOptions(200 * pt)
	o.Widths = []unit.Sp{189 * pt, 200 * pt}
	runs := func(o Options) (threes int) {
		var br Breaker
		for _, items := range list {
			n := 0
			for _, b := range br.Break(items, o).Breaks {
				if b.Item < len(items) && items[b.Item].Flagged {
					if n++; n > 2 {
						threes++
					}
				} else {
					n = 0
				}
			}
		}
		return threes
	}
	free := runs(o)
	o.MaxFlagged = 2
	held := runs(o)
	if held*10 > free || free == 0 {
		t.Errorf("%d third hyphens in a row without the rule, %d with it", free, held)
	}
	o.Run = 1 << 34
	if n := runs(o); n > held {
		t.Errorf("%d third hyphens in a row at the rule's cost, %d at a higher one", held, n)
	}
}

// Hostile sizes end, in bounded time and memory. The limit is wide: it only
// tells linear from quadratic.
func TestLongParagraphs(t *testing.T) {
	n := 300000
	if testing.Short() {
		n = 30000
	}
	for _, c := range []struct {
		name string
		item func(i int) []Item
		o    Options
	}{
		{"words", func(i int) []Item {
			return []Item{{Kind: Box, Width: unit.Sp(5+i%31) * pt}, {Kind: Glue, Width: 3 * pt, Stretch: 3 * pt, Shrink: pt}}
		}, DefaultOptions(300 * pt)},
		{"nothing has a width", func(int) []Item { return []Item{{Kind: Box}, {Kind: Glue}} }, DefaultOptions(300 * pt)},
		{"every word is too wide", func(int) []Item { return []Item{{Kind: Box, Width: 400 * pt}, {Kind: Glue, Width: pt}} }, DefaultOptions(300 * pt)},
		{"no width at all", func(int) []Item { return []Item{{Kind: Box, Width: pt}, {Kind: Glue, Width: pt}} }, Options{}},
		{"no spaces to stretch", func(int) []Item { return []Item{{Kind: Box, Width: pt}, {Kind: Glue, Width: pt}} }, DefaultOptions(300 * pt)},
		{"longer by one", func(i int) []Item {
			return []Item{{Kind: Box, Width: unit.Sp(5+i%31) * pt}, {Kind: Glue, Width: 3 * pt, Stretch: 3 * pt, Shrink: pt}}
		}, Options{Widths: []unit.Sp{300 * pt}, Looseness: 1, FitnessDemerits: 100}},
		{"first fit", func(int) []Item { return []Item{{Kind: Box}, {Kind: Glue}} }, Options{Widths: []unit.Sp{pt}, FirstFit: true}},
		{"forced breaks", func(int) []Item {
			return []Item{{Kind: Box, Width: pt}, {Kind: Glue, Stretch: Fill}, {Kind: Penalty, Penalty: Forced}}
		}, DefaultOptions(300 * pt)},
	} {
		var items []Item
		for i := 0; len(items) < n; i++ {
			items = append(items, c.item(i)...)
		}
		start := time.Now()
		r := new(Breaker).Break(items, c.o)
		if len(r.Breaks) == 0 || r.Breaks[len(r.Breaks)-1].Item < len(items)-2 {
			t.Errorf("%s: %d lines", c.name, len(r.Breaks))
		}
		t.Logf("%s: %d lines in %v", c.name, len(r.Breaks), time.Since(start))
	}
}

func FuzzBreak(f *testing.F) {
	f.Add([]byte("abcdefgh12345678"), int64(100), uint8(0), int8(0))
	f.Add(make([]byte, 400), int64(math.MaxInt64), uint8(255), int8(-3))
	f.Fuzz(func(t *testing.T, data []byte, width int64, flags uint8, looseness int8) {
		var items []Item
		for len(data) >= 4 && len(items) < 2000 {
			k, v := data[0], int64(int16(binary.LittleEndian.Uint16(data[1:])))<<(data[3]%50)
			it := Item{Kind: Kind(k % 3), Flagged: k&8 != 0, NoTrack: k&16 != 0, Width: unit.Sp(v)}
			switch it.Kind {
			case Glue:
				it.Stretch, it.Shrink = unit.Sp(v/2), unit.Sp(v/3)
				if k&32 != 0 {
					it.Stretch = Fill
				}
			case Penalty:
				it.Penalty = int32(v)
			}
			if k&64 != 0 {
				it.Track = unit.Sp(v / 4)
			}
			items = append(items, it)
			data = data[4:]
		}
		o := Options{Widths: []unit.Sp{unit.Sp(width), unit.Sp(width / 2), unit.Sp(width / 3)}[:1+flags%3],
			Ragged: flags&4 != 0, Em: unit.Sp(width / 7), Zone: unit.Sp(width / 5), FlaggedDemerits: 3000, FitnessDemerits: 100,
			MaxFlagged: int(flags >> 6), RuntWidth: unit.Sp(width), RuntPenalty: int32(width), GradedRunt: flags&8 != 0,
			Looseness: int(looseness), FirstFit: flags&16 != 0}
		r := new(Breaker).Break(items, o)
		r.Feasible = false // widths may be negative: only the form is checked
		checkBreaks(t, items, o, r)
		if n := len(items); n > 0 {
			end := r.Breaks[len(r.Breaks)-1].Item
			for _, it := range items[min(end+1, n):] {
				if it.Kind == Box {
					t.Fatal("a box after the last line")
				}
			}
		}
	})
}
