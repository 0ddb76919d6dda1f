package sandbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/book/booktest"
	"postext/engine"
	"postext/engine/font/fonttest"
	"postext/sandbox/store"
)

// longBook is a book of 500 chapters and 1.5 million words made of the corpus.
func longBook(t testing.TB) *book.Book {
	t.Helper()
	b := &book.Book{Kind: "sample", ID: BuiltIn, Name: "A long book", Language: "en"}
	for i, text := range booktest.Long(t) {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i+1), Title: fmt.Sprint("Chapter the ", i+1), Markdown: text})
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

// BenchmarkManyChapters adds 499 chapters one after the other, each with its pages.
func BenchmarkManyChapters(b *testing.B) {
	for b.Loop() {
		s, _ := visit(b, store.NewMemory(), samplesOf(smallBook()), func(o *Options) {
			o.Typesetter, o.SaveAfter = engine.New(fonttest.World(b)), 0
		})
		for i := range 499 {
			begun := time.Now()
			good(b, s, "sandbox_manage_chapters", fmt.Sprintf(`{"action":"add","title":"Chapter the %d","markdown":"# Chapter the %[1]d\n\nA few words of it."}`, i+2))
			if i%100 == 10 || i == 498 {
				b.ReportMetric(float64(time.Since(begun).Microseconds())/1000, fmt.Sprintf("ms-for-the-%dth", i+2))
			}
		}
	}
}

// BenchmarkTypingInALongBook types letters into a chapter of the same book, each with
// the pages it gives.
func BenchmarkTypingInALongBook(b *testing.B) {
	s, _ := visit(b, store.NewMemory(), samplesOf(longBook(b)), func(o *Options) { o.Typesetter = engine.New(fonttest.World(b)) })
	if _, err := s.Layout(b.Context()); err != nil {
		b.Fatal(err)
	}
	c := s.cur.book.Chapters[249]
	for b.Loop() {
		if _, err := s.Type(b.Context(), Typed{Chapter: c.ID, Changes: []TypedChange{{From: len("# Chapter "), To: len("# Chapter "), Insert: "x"}}}); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Layout(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
