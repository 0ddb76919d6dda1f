package sandbox

import (
	"context"
	"strings"

	"postext/book"
)

// Chapters folded for the search are kept, so that a long book is folded once
// and not at every search; without the way back to the source they are no larger
// than the text.

// foldedChapter is a chapter's text without case, accents and markup.
type foldedChapter struct {
	text string
	// expands: some letter became several, so that matches inside it must be told
	// apart by where they come from.
	expands bool
}

// maxFolded is the most bytes of folded text kept.
const maxFolded = 64 << 20

// foldedChapter gives a chapter folded, from what is kept if it is.
func (s *Session) foldedChapter(c *book.Chapter) foldedChapter {
	s.mu.Lock()
	f, ok := s.folds[c]
	s.mu.Unlock()
	if ok {
		return f
	}
	f.text, f.expands = makeSearchable(c.Markdown, "a", true, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.foldsSize += len(f.text); s.foldsSize > maxFolded {
		clear(s.folds) // chapters changed long ago are among them
		s.foldsSize = len(f.text)
	}
	s.folds[c] = f
	return f
}

// count is the number of matches of a folded query; −1 when only the source can
// tell.
func (f foldedChapter) count(want string, wholeWord bool) int {
	n := 0
	for at := 0; ; {
		j := strings.Index(f.text[at:], want)
		if j < 0 {
			return n
		}
		if f.expands {
			return -1
		}
		from, to := at+j, at+j+len(want)
		at = to
		if wholeWord && !wordBorders(f.text, from, to) {
			at = from + 1
			continue
		}
		n++
	}
}

// plainQuery is a query folded, when it is one that the folded chapters answer:
// words without markup, case and accents ignored. "" otherwise.
func plainQuery(a searchArgs) string {
	query := book.CleanText(a.Query)
	if a.Regex || a.CaseSensitive || strings.ContainsAny(query, "*_~^`\\[]()") {
		return ""
	}
	return strings.TrimSpace(searchable(query, "", true).text)
}

// foldAhead folds the book's chapters when nothing else goes on, so that the
// first search of a long book need not.
func (s *Session) foldAhead(b *book.Book) {
	for _, c := range b.Chapters {
		s.mu.Lock()
		here := !s.ended && s.cur.book != nil && s.cur.book.ID == b.ID
		s.mu.Unlock()
		if !here || s.opts.Yield(context.Background()) != nil {
			return
		}
		s.foldedChapter(c)
	}
}
