package linebreak

import (
	"math/rand/v2"
	"testing"

	"postext/engine/unit"
)

// page makes paragraphs like those of a novel at 11 pt: words of English
// lengths, a third of them with hyphenation points, together about 410 words.
func page(r *rand.Rand, words int) (list [][]Item, points int) {
	for words > 0 {
		n := min(words, 20+r.IntN(160))
		words -= n
		var items []Item
		for w := range n {
			if w > 0 {
				items = append(items, Item{Kind: Glue, Width: 180224, Stretch: 180224, Shrink: 72090})
				points++
			}
			letters := 1 + r.IntN(4) + r.IntN(4) + r.IntN(3)
			for letters > 2 && r.IntN(10) > 0 {
				items = append(items, Item{Kind: Box, Width: unit.Sp(2 * (300000 + r.IntN(80000)))},
					Item{Kind: Penalty, Penalty: 50, Flagged: true, Width: 220000})
				letters -= 2
				points++
			}
			items = append(items, Item{Kind: Box, Width: unit.Sp(letters * (300000 + r.IntN(80000)))})
		}
		items = append(items, Item{Kind: Penalty, Penalty: Never}, Item{Kind: Glue, Stretch: Fill}, Item{Kind: Penalty, Penalty: Forced})
		list = append(list, items)
	}
	return list, points
}

func benchmarkPage(b *testing.B, width unit.Sp, change func(*Options)) {
	list, points := page(rand.New(rand.NewPCG(7, 7)), 410)
	o := DefaultOptions(width)
	o.Widths = []unit.Sp{width - 11*unit.Pt, width}
	o.MaxFlagged = 2
	o.RuntWidth, o.RuntPenalty = 20*180224, 1000
	if change != nil {
		change(&o)
	}
	var br Breaker
	lines := 0
	b.ReportAllocs()
	for b.Loop() {
		lines = 0
		for _, items := range list {
			lines += len(br.Break(items, o).Breaks)
		}
	}
	b.ReportMetric(float64(points), "points")
	b.ReportMetric(float64(lines), "lines")
}

func BenchmarkPage(b *testing.B)       { benchmarkPage(b, 319*unit.Pt, nil) }
func BenchmarkPageNarrow(b *testing.B) { benchmarkPage(b, 140*unit.Pt, nil) }
func BenchmarkPageAnyRun(b *testing.B) {
	benchmarkPage(b, 319*unit.Pt, func(o *Options) { o.MaxFlagged = 0 })
}
func BenchmarkPageRagged(b *testing.B) {
	benchmarkPage(b, 319*unit.Pt, func(o *Options) { o.Ragged, o.Em = true, 11*unit.Pt })
}
func BenchmarkPageLooser(b *testing.B) {
	benchmarkPage(b, 319*unit.Pt, func(o *Options) { o.Looseness = 1 })
}
func BenchmarkPageFirstFit(b *testing.B) {
	benchmarkPage(b, 319*unit.Pt, func(o *Options) { o.FirstFit = true })
}

func BenchmarkLongParagraph(b *testing.B) {
	var items []Item
	list, _ := page(rand.New(rand.NewPCG(7, 7)), 100000)
	for _, p := range list {
		items = append(items, p[:len(p)-3]...)
		items = append(items, Item{Kind: Glue, Width: 180224, Stretch: 180224, Shrink: 72090})
	}
	o := DefaultOptions(319 * unit.Pt)
	var br Breaker
	b.ReportAllocs()
	for b.Loop() {
		br.Break(items, o)
	}
	b.ReportMetric(float64(len(items)), "items")
}
