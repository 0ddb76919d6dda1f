package sandbox

import (
	"slices"

	"postext/book"
	"postext/engine"
	"postext/engine/frame"
)

// The list of chapters as the state tells it. It is asked for at every letter
// typed, and a book may have hundreds of chapters: rows are made anew only of what
// is another chapter by now, and the window is sent what changed of them.

// rowList is the list told last; neither slice is written to again.
type rowList struct {
	of   []rowParts
	rows []StateChapter
}

// rowParts are what a row is made of.
type rowParts struct {
	chapter     *book.Chapter
	frames      *frame.Chapter // nil while its pages are not known
	cjk         bool
	screen      bool
	pages       int // of an earlier visit, −1: not known
	first, last string
}

// chapterList lists the chapters of a book, the first of them with their pages.
func (s *Session) chapterList(b *book.Book, onScreen string, laid []*frame.Chapter, known []engine.KnownPages) []StateChapter {
	s.mu.Lock()
	was := s.rows
	s.mu.Unlock()
	cjk := isCJK(b.Language)
	of := func(i int) rowParts {
		c := b.Chapters[i]
		r := rowParts{chapter: c, cjk: cjk, screen: c.ID == onScreen, pages: -1}
		if i < len(laid) {
			r.frames = laid[i]
		} else if i < len(known) {
			r.pages, r.first, r.last = known[i].Pages, known[i].First, known[i].Last
		}
		return r
	}
	n, same := len(b.Chapters), 0
	for same < min(n, len(was.of)) && was.of[same] == of(same) {
		same++
	}
	if same == n && n == len(was.of) {
		return was.rows
	}
	now := rowList{slices.Grow(slices.Clone(was.of[:same]), n-same), slices.Grow(slices.Clone(was.rows[:same]), n-same)}
	for i := same; i < n; i++ {
		r := of(i)
		var row StateChapter
		if i < len(was.of) && was.of[i] == r {
			row = was.rows[i]
		} else {
			row = s.row(r)
		}
		row.Chapter = i + 1
		now.of, now.rows = append(now.of, r), append(now.rows, row)
	}
	s.mu.Lock()
	s.rows = now
	s.mu.Unlock()
	return now.rows
}

// row makes a row, but for its number.
func (s *Session) row(r rowParts) StateChapter {
	row := StateChapter{ID: r.chapter.ID, Title: shownTitle(r.chapter.Title), OnScreen: r.screen, Words: s.words(r.chapter, r.cjk)}
	switch {
	case r.frames != nil:
		n := len(r.frames.Pages)
		row.Pages = &n
		row.FirstPage, row.LastPage = ends(r.frames)
	case r.pages >= 0:
		row.Pages, row.FirstPage, row.LastPage = &r.pages, r.first, r.last
	}
	return row
}

// ends are the labels of a chapter's first and last numbered page.
func ends(c *frame.Chapter) (first, last string) {
	for _, p := range c.Pages {
		if p.Label == "" {
			continue
		}
		if first == "" {
			first = p.Label
		}
		last = p.Label
	}
	return first, last
}

// counted is a chapter with its number of words.
type counted struct {
	chapter *book.Chapter
	words   int
}

// words counts the words of a chapter, once for each text.
func (s *Session) words(c *book.Chapter, cjk bool) int {
	s.mu.Lock()
	last := s.counts[c.ID]
	s.mu.Unlock()
	if last.chapter == c {
		return last.words
	}
	n := book.Words(c.Markdown, cjk)
	s.mu.Lock()
	s.counts[c.ID] = counted{c, n}
	s.mu.Unlock()
	return n
}

// manyRows is the number of chapters from which on their list is sent to the window
// by its changes.
const manyRows = 40

// RowChanges is how a list of chapters changed: at place At, from 0, Gone rows went
// and Come rows came, the numbers of those after them moved, and Rows are the rows
// that are new or not as they were.
type RowChanges struct {
	At   int            `json:"at"`
	Gone int            `json:"gone"`
	Come int            `json:"come"`
	Rows []StateChapter `json:"rows"`
}

// ChangedRows says how a list of chapters changed since it was sent before; false
// when it is better sent whole.
func ChangedRows(before, now []StateChapter) (RowChanges, bool) {
	c := RowChanges{Rows: []StateChapter{}}
	if len(now) < manyRows || len(before) == 0 {
		return c, false
	}
	least := min(len(before), len(now))
	for c.At < least && before[c.At].ID == now[c.At].ID {
		c.At++
	}
	tail := 0
	for tail < least-c.At && before[len(before)-1-tail].ID == now[len(now)-1-tail].ID {
		tail++
	}
	c.Gone, c.Come = len(before)-c.At-tail, len(now)-c.At-tail
	for i := range now {
		k := i // its place before
		switch {
		case i >= c.At+c.Come:
			k += c.Gone - c.Come
		case i >= c.At:
			c.Rows = append(c.Rows, now[i])
			continue
		}
		if !sameRow(&before[k], &now[i]) {
			c.Rows = append(c.Rows, now[i])
		}
	}
	return c, len(c.Rows) <= len(now)/2
}

// sameRow tells whether two rows of one chapter say the same, whatever their number.
func sameRow(a, b *StateChapter) bool {
	return a.Title == b.Title && a.OnScreen == b.OnScreen && a.Words == b.Words && a.FirstPage == b.FirstPage && a.LastPage == b.LastPage &&
		(a.Pages == b.Pages || a.Pages != nil && b.Pages != nil && *a.Pages == *b.Pages)
}

// StillShown is the list of chapters as a window shows it while pages are being set:
// a chapter whose pages are not known yet keeps those that were sent before.
func StillShown(before, now []StateChapter) []StateChapter {
	unknown := slices.IndexFunc(now, func(r StateChapter) bool { return r.Pages == nil })
	if unknown < 0 || len(before) == 0 {
		return now
	}
	old := make(map[string]*StateChapter, len(before))
	for i := range before {
		old[before[i].ID] = &before[i]
	}
	list := slices.Clone(now)
	for i := unknown; i < len(list); i++ {
		if r := &list[i]; r.Pages == nil {
			if o := old[r.ID]; o != nil {
				r.Pages, r.FirstPage, r.LastPage = o.Pages, o.FirstPage, o.LastPage
			}
		}
	}
	return list
}
