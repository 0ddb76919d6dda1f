package engine

import (
	"strings"
	"testing"

	"postext/engine/font/fonttest"
)

// The three books of the tables of line quality, in one column (bench 2) and in the
// two columns of the usual page.
var (
	qualityBooks = []string{"moby-dick", "der-stechlin", "don-quijote"}
	twoColumns   = `{"layout": {"layoutType": "double"},
		"bodyText": {"fontFamily": "EB Garamond", "fontSize": {"value": 9, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "textAlign": "justify"},
		"headings": {"levels": [{"level": 1, "breakBefore": {"enabled": true, "parity": "any"}}]}}`
)

// The words of German are longer: without letter spacing one line in five ends in a
// hyphen, with 18 thousandths of an em it comes under what the others need 15 for.
var germanQuality = map[string][2]float64{"0": {5, 20}, "15": {0.5, 4.6}}

// TestCorpusLineQuality prints the table of line quality: three books and languages,
// in one column and in two, without and with freedom of letter spacing in the search
// (thousandths of an em either way), and holds what is aimed at for one column.
func TestCorpusLineQuality(t *testing.T) {
	w := fonttest.World(t)
	t.Log("book, columns, tracking: pages, lines; over 1.5, over 2, hyphenated; runs of two, of three; ragged; runts in 300 pages, clubs, widows")
	for _, name := range qualityBooks {
		b := corpus(t, name)
		for columns, config := range []string{bench1, twoColumns} {
			for _, by := range []string{"0", "15", "18"} {
				if by == "18" && (columns == 1 || b.Language != "de") {
					continue
				}
				r := typeset(t, New(w), withConfig(t, b, strings.Replace(config, `"textAlign"`, `"maxJustifyTracking": `+by+`, "textAlign"`, 1)))
				q := measureQuality(r.Frames, r.Design.Body.MinSpace)
				loose, past, hyphened := pct(q.loose15, q.justified), pct(q.loose20, q.justified), pct(q.hyphened, q.justified)
				t.Logf("%-13s %d ±%-2s: %4d %6d; %5.2f %% %5.2f %% (%d) %5.2f %%; %3d %3d; %3d; %5.1f (%d) %3d %3d; worst %d %q", name, columns+1, by, q.pages, q.lines,
					loose, past, q.loose20, hyphened, q.run2, q.run3, q.ragged, float64(q.runts*300)/float64(q.pages), q.runts, q.clubs, q.widows, q.worstRatio, q.worst)
				if q.over3 > 0 || q.under > 0 {
					t.Errorf("%d justified lines over three times the space, %d under the least", q.over3, q.under)
				}
				if columns == 1 {
					continue
				}
				limit := map[string][2]float64{"0": {3, 10}, "15": {0.5, 3.5}, "18": {0.5, 3.5}}[by]
				run3 := 0
				if german, ok := germanQuality[by]; ok && b.Language == "de" {
					limit, run3 = german, 2
				}
				if loose > limit[0] || hyphened > limit[1] || q.run3 > run3 || q.runts*300 >= 10*q.pages {
					t.Errorf("%s ±%s: %.2f %% loose, %.2f %% hyphenated, %d runs of three, %d runts in %d pages", name, by, loose, hyphened, q.run3, q.runts, q.pages)
				}
				if by != "0" && q.loose20 > 0 {
					t.Errorf("%s ±%s: %d lines past the widest space", name, by, q.loose20)
				}
			}
		}
	}
}
