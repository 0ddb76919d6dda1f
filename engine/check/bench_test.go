package check

import (
	"fmt"
	"testing"

	"postext/book"
	"postext/book/booktest"
)

// BenchmarkCheck checks a book of 100 chapters: all anew, as it is again, and after
// a change of one chapter, which is what each letter typed costs.
func BenchmarkCheck(b *testing.B) {
	long := &book.Book{Name: "Long", Language: "en"}
	for i, text := range booktest.Long(b)[:100] {
		long.Chapters = append(long.Chapters, &book.Chapter{ID: fmt.Sprint("c", i), Title: fmt.Sprint(i), Markdown: text})
	}
	s := laid(b, long)
	pages := 0
	for _, c := range s.Chapters {
		pages += len(c.Pages)
	}
	b.Run("anew", func(b *testing.B) {
		for b.Loop() {
			var c Checker
			c.Check(s)
		}
		b.ReportMetric(float64(pages), "pages")
	})
	var c Checker
	c.Check(s)
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			c.Check(s)
		}
	})
	b.Run("typed", func(b *testing.B) {
		for b.Loop() {
			delete(c.chapters, s.Chapters[50])
			c.Check(s)
		}
	})
}
