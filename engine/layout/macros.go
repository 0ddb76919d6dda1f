package layout

import (
	"strings"

	"postext/engine/markup"
	"postext/engine/math"
)

// ExpandMacros puts in what the commands stand for that a chapter's formulas
// define. A definition holds from where it stands to the end of its chapter. A
// formula of definitions alone prints nothing. The document is changed: it must
// not have been laid out yet. A formula that cannot be expanded, or not be read
// then, stays as it is written.
func ExpandMacros(doc *markup.Document) {
	if !math.Defines(doc.Source) {
		return
	}
	var m math.Macros
	expand := func(tex string) (out string, gone bool) {
		if !m.Any() && !math.Defines(tex) {
			return tex, false
		}
		out, err := m.Expand(tex)
		if err != nil {
			return tex, false
		}
		if strings.TrimSpace(out) == "" {
			return tex, true
		}
		if _, err := math.Parse(out); err != nil {
			return tex, false
		}
		return out, false
	}
	inlines := func(in []markup.Inline) []markup.Inline {
		out := in[:0]
		for i := range in {
			if in[i].Kind == markup.Math {
				tex, gone := expand(in[i].Text)
				if gone {
					continue
				}
				in[i].Text = tex
			}
			out = append(out, in[i])
		}
		return out
	}
	var walk func(bs []*markup.Block) []*markup.Block
	walk = func(bs []*markup.Block) []*markup.Block {
		out := bs[:0]
		for _, b := range bs {
			if b.Kind == markup.Formula {
				tex, gone := expand(b.Literal)
				if gone {
					continue
				}
				b.Literal = tex
			}
			b.Inlines, b.Caption = inlines(b.Inlines), inlines(b.Caption)
			for _, r := range b.Rows {
				for i := range r {
					r[i].Inlines = inlines(r[i].Inlines)
				}
			}
			b.Children = walk(b.Children)
			out = append(out, b)
		}
		return out
	}
	doc.Blocks = walk(doc.Blocks)
	for _, n := range doc.Notes {
		n.Blocks = walk(n.Blocks)
	}
}
