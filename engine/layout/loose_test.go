package layout

import (
	"context"
	"os"
	"testing"

	"postext/book/booktest/tree"
	"postext/engine/font"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	liang "postext/engine/hyphen"
	"postext/engine/hyphen/patterns"
	"postext/engine/linebreak"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// bench2 is the page of layout.md 16.
const bench2 = `{
	"page": {"sizePreset": "custom", "width": {"value": 6, "unit": "in"}, "height": {"value": 9, "unit": "in"},
		"margins": {"top": {"value": 20, "unit": "mm"}, "bottom": {"value": 25, "unit": "mm"},
			"left": {"value": 20, "unit": "mm"}, "right": {"value": 20, "unit": "mm"}}},
	"layout": {"layoutType": "single"},
	"bodyText": {"fontFamily": "EB Garamond", "fontSize": {"value": 11, "unit": "pt"}, "lineHeight": {"value": 14, "unit": "pt"},
		"firstLineIndent": {"value": 11, "unit": "pt"}, "textAlign": "justify"},
	"headings": {"levels": [{"level": 1, "breakBefore": {"enabled": true, "parity": "any"}}]}
}`

// testLayouter is a layouter over the test fonts and all patterns.
func testLayouter(t testing.TB) *Layouter {
	t.Helper()
	world := fonttest.World(t)
	lib := liang.NewLibrary(patterns.File)
	faces := map[fountKey]*font.Face{}
	return New(Env{
		Face: func(_ context.Context, family string, weight int, italic bool) (*font.Face, error) {
			k := fountKey{family: family, weight: weight, italic: italic}
			if faces[k] == nil {
				faces[k] = fonttest.Face(t, family, weight, italic)
			}
			return faces[k], nil
		},
		Hyphenate: func(ctx context.Context, lang string) (func(string, []int) []int, error) {
			d, _, err := lib.For(ctx, lang)
			return d.Points, err
		},
		Yield: world.Yield,
	})
}

func testDesign(t testing.TB, config string) *settings.Design {
	t.Helper()
	tree, err := settings.Parse([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	d, err := settings.Resolve(tree, settings.Env{Language: "en-us"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLooseLinesAreUnavoidable: on bench 2 every paragraph with a line past
// maxWordSpacing has no set of breaks without one. All sets are tried, with the
// hyphens, dashes and syllables the paragraph offers, whatever they cost.
func TestLooseLinesAreUnavoidable(t *testing.T) {
	files := tree.Texts(t, "moby-dick")
	l := testLayouter(t)
	d := testDesign(t, bench2)
	loose, checked := 0, 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := &Input{Doc: markup.Parse(string(src), markup.Options{}), Design: d, Start: State{Next: 1, Format: "decimal"}}
		c, err := l.Chapter(context.Background(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.flow.nodes {
			n := &c.flow.nodes[i]
			if n.what != nText || n.kind != frame.Paragraph || n.set.align != justify || n.set.verse {
				continue
			}
			past := 0
			for k := range n.m.lines {
				if m := &n.m.lines[k]; m.Justified && m.Ratio > d.Body.MaxSpace || m.Ragged {
					past++
				}
			}
			b := &l.build
			b.j, b.s, b.in, b.overfull = &job{l: l, ctx: context.Background(), d: d, in: in, doc: in.Doc}, n.set, n.in, false
			b.join()
			if err := b.gather(); err != nil {
				t.Fatal(err)
			}
			if len(b.lines) > 0 {
				continue // forced breaks
			}
			checked++
			opt := b.options()
			if can := settable(b.items, opt.Widths); can != (past == 0) {
				t.Errorf("%q: %d lines past the limit, a way without: %v", n.m.plain[:min(60, len(n.m.plain))], past, can)
			}
			loose += past
		}
	}
	t.Logf("%d paragraphs, %d lines past the limit, none of which can be avoided", checked, loose)
}

// settable reports whether items can be set in lines whose spaces stay between
// the least and the widest.
func settable(items []linebreak.Item, widths []unit.Sp) bool {
	n := len(items)
	for n > 0 && items[n-1].Kind != linebreak.Box {
		n--
	}
	starts := []map[int]bool{{0: true}} // by line, where it may start
	for line := 0; line < len(starts); line++ {
		width := widths[min(line, len(widths)-1)]
		next := map[int]bool{}
		for from := range starts[line] {
			var w, stretch, shrink unit.Sp
			for i := from; i < n && w-shrink <= width; i++ {
				it := &items[i]
				ends := it.Kind == linebreak.Penalty || it.Kind == linebreak.Glue && i > 0 && items[i-1].Kind == linebreak.Box
				if ends {
					set := w
					if it.Kind == linebreak.Penalty {
						set += it.Width
					}
					if set-shrink <= width && set+stretch*looseShare >= width {
						at := i
						for at < n && items[at].Kind != linebreak.Box {
							at++
						}
						next[at] = true
					}
				}
				if it.Kind != linebreak.Penalty {
					w, stretch, shrink = w+it.Width, stretch+it.Stretch, shrink+it.Shrink
				}
				if i == n-1 && w-shrink <= width {
					return true
				}
			}
		}
		if len(next) > 0 {
			starts = append(starts, next)
		}
	}
	return false
}
