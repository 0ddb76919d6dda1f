package engine

import (
	"os"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// The first face on the pages.
func firstFace(b *frame.Book) string {
	for _, p := range b.Chapters[0].Pages {
		for i := range p.Columns {
			for _, bl := range p.Columns[i].Blocks {
				for _, l := range bl.Lines {
					for _, r := range l.Runs {
						return r.Face.String()
					}
				}
			}
		}
	}
	return ""
}

// A family of the book's own files sets its pages: by customFonts under any name,
// by the file's own name without; it goes with its file.
func TestTheBooksOwnFonts(t *testing.T) {
	data, err := os.ReadFile("font/testdata/JetBrainsMono_400Regular.woff2")
	if err != nil {
		t.Fatal(err)
	}
	w := fonttest.World(t)
	ts := New(w)
	file := &book.Resource{ID: "f1", Name: "fonts/mono.woff2", Kind: "font", Data: data}
	const named = `{"bodyText":{"fontFamily":"My Serif"},"customFonts":[{"name":"My Serif","variants":[{"weight":400,"style":"normal","fileId":"f1","format":"woff2"}]}]}`
	bk := small(t, named, "A line of text.\n")
	if got := firstFace(typeset(t, ts, bk).Frames); !strings.HasPrefix(got, "EB Garamond") && !strings.HasPrefix(got, "Open Sans") {
		t.Errorf("without its file: %s", got)
	}
	with := *bk
	with.Fonts = []*book.Resource{file}
	r := typeset(t, ts, &with)
	if got := firstFace(r.Frames); got != "My Serif 400" {
		t.Errorf("with its file: %s", got)
	}
	if len(r.Problems) != 0 {
		t.Errorf("%+v", r.Problems)
	}
	loose := small(t, `{"bodyText":{"fontFamily":"JetBrains Mono"}}`, "A line of text.\n")
	loose.Fonts = []*book.Resource{file}
	if got := firstFace(typeset(t, ts, loose).Frames); got != "JetBrains Mono 400" {
		t.Errorf("by the file's name: %s", got)
	}
	damaged := *bk
	damaged.Fonts = []*book.Resource{{ID: "f1", Name: "x.ttf", Kind: "font", Data: []byte("no font at all, and long enough to be looked at, that is a hundred bytes or more of it, I should think")}}
	r = typeset(t, ts, &damaged)
	if got := firstFace(r.Frames); got == "My Serif 400" || got == "" {
		t.Errorf("a damaged file: %s", got)
	}
	if len(r.Problems) == 0 {
		t.Error("a damaged file is not told")
	}
}
