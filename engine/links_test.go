package engine

import (
	"strings"
	"testing"

	"postext/engine/frame"
)

// linkIn is the link of the word that begins with a text, and the chapter it is in.
func linkIn(b *frame.Book, word string) (string, int) {
	look := func(ls *frame.LineSet) string {
		for _, r := range ls.Runs {
			text := ""
			for _, w := range r.Words {
				text += w.Shape.Text
			}
			if strings.HasPrefix(text, word) && r.Link != "" {
				return r.Link
			}
		}
		return ""
	}
	for i, c := range b.Chapters {
		for _, p := range c.Pages {
			for _, bl := range p.Blocks() {
				for k := range bl.Lines {
					if l := look(bl.Lines[k].LineSet); l != "" {
						return l, i
					}
				}
				for _, it := range bl.Over {
					if it.Text != nil {
						if l := look(it.Text.LineSet); l != "" {
							return l, i
						}
					}
				}
			}
		}
	}
	return "", 0
}

// Every link leads to a place on a page: entries of the contents to their headings,
// locators of the index to the mark's character, references, citations and notes to
// theirs.
func TestLinksLeadToTheirPlaces(t *testing.T) {
	b := lay(t, wideBook(`,"citations":{"style":"apa"},"toc":{"levels":[{"level":1},{"level":2}]}`),
		"# Front\n\n:::toc\n\n:::index\n\nEnd.",
		"# Bees {#bees}\n\nA word :index[Nectar].[^n] See :ref{id=\"deep\" text=\"there\"} and \\eqref{eq}, [@lim].\n\n## Wax\n\n@@filler\n\n:::pagebreak\n\nMore :anchor{#deep} text :index[Pollen].\n\n$$a=b \\label{eq}$$\n\n[^n]: Note text."+works)
	text := func(chapter int, t *frame.Target) string {
		for _, bl := range b.Chapters[chapter].Pages[t.Page].Blocks() {
			if bl.Index == t.Block {
				if bl.Text != nil && int(t.At) <= len(bl.Text.Plain) {
					return string(bl.Kind) + " " + bl.Text.Plain[t.At:]
				}
				return string(bl.Kind)
			}
		}
		return "no block"
	}
	for _, c := range []struct {
		word, begins string
		page         int
	}{
		{"Wax", "heading Wax", 0}, {"there", "paragraph text Pollen", 1}, {"(1)", "formula", 1}, {"Lim,", "paragraph Lim", 1},
	} {
		link, from := linkIn(b, c.word)
		at, target := b.Target(from, link)
		if target == nil {
			t.Errorf("%s: %q leads nowhere", c.word, link)
			continue
		}
		if got := text(at, target); !strings.HasPrefix(got, c.begins) || target.Page != c.page {
			t.Errorf("%s: %q leads to %q on page %d, want %q on page %d", c.word, link, got, target.Page, c.begins, c.page)
		}
	}
	marked := false
	for _, bl := range blocksOf(b, frame.Paragraph) {
		for _, ls := range bl.Lines {
			for _, r := range ls.Runs {
				marked = marked || r.Link == "#note/n" && r.Rise > 0
			}
		}
	}
	if at, target := b.Target(1, "#note/n"); !marked || target == nil || !strings.HasSuffix(text(at, target), "Note text.") {
		t.Errorf("the mark leads to %+v", target)
	}
	for _, bl := range blocksOf(b, frame.IndexEntry) {
		for _, ls := range bl.Lines {
			for _, r := range ls.Runs {
				if r.Link == "" {
					continue
				}
				at, target := b.Target(0, r.Link)
				if target == nil {
					t.Errorf("%q leads nowhere", r.Link)
					continue
				}
				if got := text(at, target); !strings.Contains(got, "Nectar") && !strings.Contains(got, "Pollen") {
					t.Errorf("%q leads to %q", r.Link, got)
				}
			}
		}
	}
	for _, nowhere := range []string{"https://a.b", "#gone", "#heading/x.y", "#heading/9.0", "#note/zz", "#"} {
		if _, target := b.Target(0, nowhere); target != nil {
			t.Errorf("%q leads to %+v", nowhere, target)
		}
	}
}
