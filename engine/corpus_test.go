package engine

import (
	"strings"
	"testing"
	"unicode"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/unit"
)

var corpusBooks = []string{"moby-dick", "don-quijote", "swann", "der-stechlin", "wealth-of-nations", "leaves-of-grass", "hamlet",
	"tech/college-physics", "tech/meta-review", "tech/eips"}

// sourceText gathers the words of a document in reading order: what its nodes
// say, notes included.
func sourceText(doc *markup.Document) map[string]int {
	words := map[string]int{}
	var buf strings.Builder
	end := func() {
		for _, w := range split(buf.String()) {
			words[w]++
		}
		buf.Reset()
	}
	inlines := func(in []markup.Inline) {
		for i := range in {
			switch in[i].Kind {
			case markup.Text:
				buf.WriteString(in[i].Text)
			case markup.Break, markup.Tab:
				buf.WriteByte(' ')
			case markup.Anchor, markup.IndexMark:
			default:
				buf.WriteString("\uFFFC")
			}
		}
		end()
	}
	var walk func(bs []*markup.Block)
	walk = func(bs []*markup.Block) {
		for _, b := range bs {
			switch b.Kind {
			case markup.Formula: // stands for itself, as one object
				end()
				continue
			case markup.Code:
				buf.WriteString(b.Literal)
				end()
				continue
			case markup.Raw:
				if b.Name == "verse" {
					buf.WriteString(b.Literal)
					end()
				}
				continue
			}
			inlines(b.Inlines)
			inlines(b.Caption)
			for _, r := range b.Rows {
				for i := range r {
					inlines(r[i].Inlines)
				}
			}
			walk(b.Children)
		}
	}
	walk(doc.Blocks)
	// A note nothing cites is not set, and the parser says so.
	unused := map[int]bool{}
	for _, p := range doc.Problems {
		if p.Kind == "unusedFootnote" {
			unused[p.Start] = true
		}
	}
	for _, n := range doc.Notes {
		if !unused[n.Start] {
			walk(n.Blocks)
		}
	}
	return words
}

func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == 0xFFFC || r == 0x2060 || r == 0xAD || r == 0x200B || r == 0xFEFF
	})
}

// frameText gathers the words set on a chapter's pages: of each block the bytes
// of its plain text that a word on some page covers.
func frameText(c *frame.Chapter) map[string]int {
	type seen struct {
		text *frame.Text
		have []bool
	}
	blocks := map[*frame.Text]*seen{}
	var order []*seen
	words := map[string]int{}
	for _, p := range c.Pages {
		for _, b := range p.Blocks() {
			if b.Text == nil {
				continue
			}
			if b.Part == "picture" { // its words go with it, unseen
				for _, w := range split(b.Over[0].Plain) {
					words[w]++
				}
			}
			s := blocks[b.Text]
			if s == nil {
				s = &seen{b.Text, make([]bool, len(b.Text.Plain))}
				blocks[b.Text] = s
				order = append(order, s)
			}
			for k := range b.Lines {
				for _, r := range b.Lines[k].Runs {
					for _, w := range r.Words {
						for x := w.Start; x < w.End; x++ {
							s.have[x] = true
						}
					}
				}
			}
		}
	}
	for _, s := range order {
		b := []byte(s.text.Plain)
		for i := range b {
			if !s.have[i] && b[i] < 0x80 {
				b[i] = ' '
			}
		}
		for _, w := range split(string(b)) {
			words[w]++
		}
	}
	return words
}

// TestCorpus lays every book of the corpus out and holds the checks of
// layout.md 14 that need no floats, and that no word is lost.
func TestCorpus(t *testing.T) {
	for _, name := range corpusBooks {
		t.Run(name, func(t *testing.T) {
			for _, config := range []string{bench1, "{}"} {
				bk := withConfig(t, corpus(t, name), config)
				r := typeset(t, New(fonttest.World(t)), bk)
				t.Logf("%d pages", r.Frames.PageCount())
				checkBook(t, r)
				for i, c := range r.Frames.Chapters {
					compareWords(t, c.Title, sourceText(r.Docs[i]), frameText(c))
				}
			}
		})
	}
}

func compareWords(t *testing.T, chapter string, want, have map[string]int) {
	t.Helper()
	bad := 0
	for w, n := range want {
		if have[w] != n {
			if bad++; bad < 5 {
				t.Errorf("%s: %q stands %d times in the source, %d times on the pages", chapter, w, n, have[w])
			}
		}
	}
}

// checkBook holds checks 2, 3 and 6 of layout.md 14 and the geometry of lines.
func checkBook(t *testing.T, r *Result) {
	t.Helper()
	bad := map[string]int{}
	fail := func(kind, format string, args ...any) {
		t.Helper()
		if bad[kind]++; bad[kind] <= 3 {
			t.Errorf(kind+": "+format, args...)
		}
	}
	grid := r.Design.Body.Leading
	number := 0
	for _, c := range r.Frames.Chapters {
		for pi, p := range c.Pages {
			if number++; p.Number != number {
				fail("numbers", "page %d is numbered %d", number, p.Number)
			}
			for i := range p.Columns {
				col := &p.Columns[i]
				if col.Span {
					continue
				}
				if n := len(col.Blocks); col.Short == "" {
					if n == 0 {
						fail("full", "page %d: a column without blocks counts as full", p.Number)
						continue
					}
					last := col.Blocks[n-1]
					if len(last.Lines) == 0 || last.Kind == frame.Table {
						continue
					}
					if fr := frameAround(col, last); fr != nil {
						// A box that closes its column ends at the foot with its edge.
						if d := col.Box.Bottom() - fr.Box.Bottom(); d < 0 || d >= grid {
							fail("full", "page %d column %d: its box ends %v above the foot", p.Number, i, d.Pt())
						}
						continue
					}
					base := last.Lines[len(last.Lines)-1].Baseline
					if d := base - p.GridTop; d < 0 || d%grid != 0 || col.Box.Bottom()-base >= grid {
						fail("full", "page %d column %d: last baseline %v above the foot", p.Number, i, (col.Box.Bottom() - base).Pt())
					}
				}
				for k, b := range col.Blocks {
					if k == len(col.Blocks)-1 && b.Kind == frame.Heading && !b.Continues {
						// It closes its column: nothing of its chapter may follow.
						if i+1 < len(p.Columns) && len(p.Columns[i+1].Blocks) > 0 || pi+1 < len(c.Pages) && !startsFresh(c.Pages[pi+1]) {
							fail("heading", "page %d: the heading %q closes a column", p.Number, b.Text.Plain)
						}
					}
					for l := range b.Lines {
						ln := &b.Lines[l]
						if ln.Justified && ln.Ratio > 3000 {
							fail("loose", "page %d: %d", p.Number, ln.Ratio)
						}
						if ln.Justified && ln.LineSet.Tracking == 0 && ln.Ratio < r.Design.Body.MinSpace-2 && ln.Ratio > 0 {
							fail("tight", "page %d: %d %q", p.Number, ln.Ratio, b.Text.Plain[ln.Start:ln.End])
						}
						if ln.Justified && len(ln.Plates) == 0 { // a plate reaches past its words
							if end := lineEnd(ln); end != ln.Width {
								fail("measure", "page %d: the last word ends at %d of %d", p.Number, end, ln.Width)
							}
						}
						if ln.Top < b.Box.Y || ln.Top+ln.Height > b.Box.Bottom() {
							fail("box", "page %d: line %d of a %s stands out of its box", p.Number, l, b.Kind)
						}
					}
				}
			}
		}
	}
}

// frameAround is the outermost frame a block stands in, nil for none.
func frameAround(col *frame.Column, b *frame.Block) *frame.Block {
	for _, f := range col.Blocks {
		if f.Kind == frame.Frame && f.Box.Y <= b.Box.Y && f.Box.Bottom() >= b.Box.Bottom() && f.Box.X <= b.Box.X && f.Box.Right() >= b.Box.Right() {
			return f
		}
	}
	return nil
}

func startsFresh(p *frame.Page) bool {
	return p.Blank || p.Role == frame.Opener || p.Role == frame.Part
}

// lineEnd is the right edge of the glyph that stands farthest to the right: letter
// spacing put into a line for its measure stands between characters only.
func lineEnd(l *frame.Line) (end unit.Sp) {
	for i := range l.Runs {
		r := &l.Runs[i]
		for _, w := range r.Words {
			switch {
			case w.Drawing != nil:
				end = max(end, w.X+w.Drawing.Width)
				continue
			case r.Picture != nil:
				end = max(end, w.X+r.PicW)
				continue
			}
			n := unit.Sp(len(w.Shape.Glyphs))
			if l.LineSet.Tracking != 0 {
				n--
			}
			end = max(end, w.X+unit.Scale(w.Shape.Advance, r.Size, w.Shape.Face.UPem)+r.Tracking*n)
		}
	}
	return end
}
