package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/engine"
	"postext/engine/font/fonttest"
	"postext/sandbox/store"
)

// longBook is a book of 500 chapters and 1.5 million words made of the corpus.
func longBook(t testing.TB) *book.Book {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "shared", "corpus", "*", "*.md"))
	if err != nil || len(files) == 0 {
		t.Skipf("no corpus (%v)", err)
	}
	var words []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range strings.Split(book.CleanText(string(text)), "\n\n") {
			if p = strings.TrimSpace(p); len(p) > 200 && !strings.ContainsAny(p[:1], "#:>|-`") {
				words = append(words, p)
			}
		}
	}
	const chapters, each = 500, 3000
	b := &book.Book{Kind: "sample", ID: BuiltIn, Name: "A long book", Language: "en"}
	at := 0
	for i := range chapters {
		var text strings.Builder
		fmt.Fprintf(&text, "# Chapter the %d\n", i+1)
		for n := 0; n < each; at++ {
			p := words[at%len(words)]
			n += book.Words(p, false)
			fmt.Fprintf(&text, "\n%s\n", p)
		}
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i+1), Title: fmt.Sprint("Chapter the ", i+1), Markdown: text.String()})
	}
	return b
}

// A book of 500 chapters and 1.5 million words opens, is searched, edited and
// saved. (Its pages are the engine's affair: BenchmarkALongBook.)
func TestALongBookOpensIsSearchedEditedAndSaved(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(longBook(t))
	s, _ := visit(t, m, samples, nil)
	if st := s.State(); len(st.Chapters) != 500 {
		t.Fatalf("%d chapters", len(st.Chapters))
	}
	few := good(t, s, "sandbox_search_text", `{"query":"harpoon"}`)
	many := good(t, s, "sandbox_search_text", `{"query":"the","limit":3}`)
	if few["total"].(float64) < 50 || many["total"].(float64) < 50_000 || len(many["matches"].([]any)) != 3 {
		t.Errorf("found %v and %v", few["total"], many["total"])
	}
	good(t, s, "sandbox_edit_text", `{"chapter":250,"edits":[{"find":"# Chapter the 250","replace":"# Chapter two hundred and fifty"}]}`)
	save(t, s)
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	if st := s.State(); !st.Book.Edited || len(st.Chapters) != 500 || !strings.HasPrefix(textOf(t, s, 250), "# Chapter two hundred") {
		t.Errorf("the next visit: %+v", st.Book)
	}
}

// BenchmarkALongBook reports what the same book costs with real pages: all of
// them, then a search, an edit with its new pages, and a save.
func BenchmarkALongBook(b *testing.B) {
	book := longBook(b)
	for b.Loop() {
		s, _ := visit(b, store.NewMemory(), samplesOf(book), func(o *Options) { o.Typesetter = engine.New(fonttest.World(b)) })
		took := func(what string, f func()) {
			begun := time.Now()
			f()
			b.ReportMetric(float64(time.Since(begun).Milliseconds()), what+"-ms")
		}
		took("pages", func() {
			if _, err := s.Layout(b.Context()); err != nil {
				b.Fatal(err)
			}
		})
		b.ReportMetric(float64(*s.State().Pages), "pages")
		s.foldAhead(book)
		took("search", func() { good(b, s, "sandbox_search_text", `{"query":"the whale"}`) })
		took("edit", func() {
			good(b, s, "sandbox_edit_text", `{"chapter":250,"edits":[{"find":"# Chapter the 250","replace":"# Chapter two hundred and fifty"}]}`)
		})
		took("save", func() { save(b, s) })
	}
}
