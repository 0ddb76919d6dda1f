package engine

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// breaking is a world in which a picture makes the layout panic.
type breaking struct {
	fonttest.Source
	whole bool
}

func (w *breaking) Picture(ctx context.Context, r *book.Resource) ([]byte, error) {
	if !w.whole && r.ID == "bad" {
		panic("the picture is bad")
	}
	return w.Source.Picture(ctx, r)
}

// fingerprint writes the pages of a chapter down as far as a reader sees them.
func fingerprint(c *frame.Chapter) string {
	var s strings.Builder
	for _, p := range c.Pages {
		fmt.Fprintln(&s, p.Number, p.Label)
		for _, bl := range p.Blocks() {
			fmt.Fprintln(&s, bl.Kind, bl.Box, bl.Number)
			for _, w := range wordsIn(bl) {
				fmt.Fprintln(&s, w.word.X, w.word.Shape.Text, w.run.Face)
			}
		}
	}
	return s.String()
}

// TestPanicCostsOneChapter: where the layout of a chapter panics, an empty page with
// a warning stands in its place, the others keep their pages and numbers, the
// panic is told once, and what comes after is as if it had never been.
func TestPanicCostsOneChapter(t *testing.T) {
	text := func(n int) string { return fmt.Sprintf("# Chapter %d\n\n%s", n, strings.Repeat(sentences, 6)) }
	bad := text(2) + "\n\n## Below\n\n![](bad)\n\nMore."
	b := small(t, with(`"headings": {"levels": [{"level": 1, "numberingTemplate": "{1}"}]}`), text(1), bad, text(3)+"\n\nSee [@ref](#below)")
	b.Resources = []*book.Resource{{ID: "bad", Kind: "bitmap", Name: "bad.png"}}
	w := &breaking{Source: fonttest.World(t)}
	ts := New(w)
	var told []string
	set := func(b *book.Book) *Result {
		t.Helper()
		r, err := ts.Typeset(t.Context(), b, Observer{Bug: func(err error, stack []byte) {
			if !strings.Contains(string(stack), "Picture") {
				t.Errorf("the stack is another: %s", stack)
			}
			told = append(told, err.Error())
		}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	failed := func(r *Result) (out []string) {
		for _, p := range problemsOf(r.Frames, LayoutFailed) {
			out = append(out, p.Detail)
		}
		return
	}
	r := set(b)
	if len(r.Frames.Chapters) != 3 || len(r.Frames.Chapters[0].Pages) == 0 || len(r.Frames.Chapters[2].Pages) == 0 {
		t.Fatal("the other chapters have no pages")
	}
	if c := r.Frames.Chapters[1]; len(c.Pages) != 1 || len(textOf(c)) != 0 {
		t.Errorf("%d pages stand in, with %v", len(c.Pages), textOf(c))
	}
	if r.Records.Chapters["c1"] != nil || r.Records.Chapters["c2"] == nil {
		t.Error("the pages that stand in are remembered, or others are not")
	}
	said := failed(r)
	if len(said) != 1 || len(told) != 1 || !strings.HasSuffix(said[0], "edit chapter 2") || !strings.HasPrefix(told[0], "internal error ") ||
		!strings.Contains(said[0], strings.Fields(told[0])[2][:8]) {
		t.Errorf("said %q, told %q", said, told)
	}
	// The same again, and a change elsewhere: nothing is tried in vain.
	before := ts.Counters()
	if again := set(b); again.Frames.Chapters[1] != r.Frames.Chapters[1] || ts.Counters().ParagraphsShaped != before.ParagraphsShaped {
		t.Error("a chapter that failed is laid out again without a change")
	}
	change := func(b *book.Book, i int, text string) *book.Book {
		n := *b
		n.Chapters = append([]*book.Chapter(nil), b.Chapters...)
		c := *b.Chapters[i]
		c.Markdown = text
		n.Chapters[i] = &c
		return &n
	}
	elsewhere := change(b, 2, b.Chapters[2].Markdown+" A word more.")
	r = set(elsewhere)
	if len(failed(r)) != 1 || len(told) != 1 {
		t.Errorf("said %q, told %q", failed(r), told)
	}
	// The chapter is mended: all is as in a typesetter that never failed.
	mended := change(elsewhere, 1, strings.Replace(bad, "![](bad)", "Instead.", 1))
	r = set(mended)
	fresh := typeset(t, New(fonttest.World(t)), mended)
	for i := range r.Frames.Chapters {
		a, b := r.Frames.Chapters[i], fresh.Frames.Chapters[i]
		if fingerprint(a) != fingerprint(b) || !reflect.DeepEqual(a.Problems, b.Problems) {
			t.Errorf("chapter %d is another than that of a new typesetter", i+1)
		}
	}
	if len(failed(r)) != 0 {
		t.Errorf("still %q", failed(r))
	}
	// The chapter breaks and the next one counts on behind it.
	if n := blocksOf(set(b).Frames, frame.Heading); n[len(n)-1].Number != "3" {
		t.Errorf("the chapter behind it is numbered %q", n[len(n)-1].Number)
	}
}

// textOf lists the words of the text of a chapter.
func textOf(c *frame.Chapter) (out []string) {
	for _, p := range c.Pages {
		for i := range p.Columns {
			for _, bl := range p.Columns[i].Blocks {
				for _, w := range wordsIn(bl) {
					out = append(out, w.word.Shape.Text)
				}
			}
		}
	}
	return
}
