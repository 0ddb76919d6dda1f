package sandbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"postext/book"
	"postext/bridge"
)

// Chapters divided, joined and taken out (sandbox.md 4.1).

// removes are the hints of what cannot be undone.
var removes = bridge.Hints{Consequential: true, Untrusted: true}

func splitChapter(b *book.Book, i int, a chaptersArgs, ans *chaptersAnswer) (*change, error) {
	c := b.Chapters[i]
	at, err := splitPlace(c, i, a)
	if err != nil {
		return nil, err
	}
	if _, body := book.FrontMatter(c.Markdown); at > 0 && at < body {
		return nil, bridge.Refuse("the front matter of chapter %d ends on line %d: the new chapter can begin after it", i+1, indexText(c.Markdown).line(body-1))
	}
	fresh := &book.Chapter{ID: freshID(b)}
	if a.Title != nil {
		fresh.Title = chapterTitle(*a.Title)
	}
	next := b.SplitChapter(i, at, fresh)
	if next == b {
		ans.mark(b, i)
		return nil, nil
	}
	if _, body := book.FrontMatter(c.Markdown); strings.TrimSpace(c.Markdown[min(body, at):at]) == "" {
		return nil, bridge.Refuse("nothing stands before that place in chapter %d, which would be left empty: give a later one, or rename the chapter", i+1)
	}
	ans.mark(next, i+1)
	ans.From = i + 1
	ans.Made = made(next, i+1, i+2)
	return divided(b, next, i, func(v *View) { v.Chapter, v.Position = fresh.ID, 1 }), nil
}

// splitPlace is the byte at which the new chapter begins.
func splitPlace(c *book.Chapter, i int, a chaptersArgs) (int, error) {
	lines := indexText(c.Markdown)
	switch {
	case a.Line != nil:
		if n := lines.count(); *a.Line < 1 || *a.Line > n {
			return 0, bridge.Refuse("chapter %d has lines 1 to %d, not %d", i+1, n, *a.Line)
		}
		_, at := lines.Line(*a.Line - 1)
		return at, nil
	case a.Offset != nil:
		if n := lines.UTF16Len(); *a.Offset < 0 || *a.Offset > n {
			return 0, bridge.Refuse("chapter %d has offsets 0 to %d, not %d", i+1, n, *a.Offset)
		}
		return lines.Byte(*a.Offset), nil
	}
	return passage(c.Markdown, book.CleanText(*a.Before), "before")
}

// passage finds the one place of a passage; arg names the argument it came in.
func passage(text, find, arg string) (int, error) {
	if find == "" {
		return 0, bridge.Refuse("%s is empty: give the exact passage", arg)
	}
	switch n := strings.Count(text, find); n {
	case 1:
		return strings.Index(text, find), nil
	case 0:
		return 0, notFound(text, find, arg)
	default:
		return 0, bridge.Refuse("the passage %s occurs %d times, on %s; give more of its surroundings in %s", bridge.Quote(find), n, linesOf(text, find), arg)
	}
}

func splitAtHeadings(b *book.Book, i int, ans *chaptersAnswer) (*change, error) {
	n := len(book.Headings(b.Chapters[i].Markdown))
	if n < 2 {
		have := "none"
		if n == 1 {
			have = "one"
		}
		return nil, bridge.Refuse("chapter %d has %s level-1 heading (# …): split_at_headings needs two; split divides at a passage, line or offset", i+1, have)
	}
	next := b.SplitAtHeadings(i, func() string { return freshID(b) })
	ans.mark(next, i)
	ans.Made = made(next, i+1, i+1+len(next.Chapters)-len(b.Chapters))
	return divided(b, next, i, nil), nil
}

// maxMade is how many new chapters an answer names one by one.
const maxMade = 50

// made names the chapters at the positions from to to.
func made(b *book.Book, from, to int) []madeRow {
	var list []madeRow
	for k := from; k < min(to, from+maxMade); k++ {
		list = append(list, madeRow{k + 1, b.Chapters[k].ID, shownTitle(b.Chapters[k].Title)})
	}
	return list
}

// divided is the change that took text out of chapter i.
func divided(b, next *book.Book, i int, view func(*View)) *change {
	c := b.Chapters[i]
	return &change{book: next, texts: []string{c.ID}, view: view,
		history: func(u *undoList) {
			u.changed(c.ID, difference(c.Markdown, next.Chapters[i].Markdown), "the chapter has been divided since")
		}}
}

func (s *Session) mergeChapter(b *book.Book, i int, ans *chaptersAnswer) (*change, error) {
	if i == 0 {
		return nil, bridge.Refuse("the first chapter has none before it to be merged into")
	}
	into, gone := b.Chapters[i-1], b.Chapters[i]
	if err := fitsChapter(into.Markdown + gone.Markdown); err != nil {
		return nil, err
	}
	next := b.MergeChapter(i)
	ans.mark(next, i-1)
	ans.Merged = &madeRow{i + 1, gone.ID, gone.Title}
	return &change{book: next, texts: []string{into.ID},
		view: func(v *View) {
			if v.Chapter == gone.ID {
				v.Chapter, v.Position = into.ID, 1
			}
		},
		history: func(u *undoList) {
			u.drop(gone.ID, "the chapter has been merged since")
			u.changed(into.ID, difference(into.Markdown, next.Chapters[i-1].Markdown), "the chapter has been merged since")
		}}, nil
}

// Removed is a chapter taken out of the book, kept so that it can be put back.
type Removed struct {
	Chapter *book.Chapter
	At      int // its place in the list, from 0
}

// How many removed chapters are kept, and how much text in them.
const (
	maxRemoved      = 100
	maxRemovedBytes = 64 << 20
)

// kept is the list with one more at its end; the oldest fall off.
func kept(list []Removed, r Removed) []Removed {
	list = append(slices.Clone(list), r)
	bytes := 0
	for k := len(list) - 1; k >= 0; k-- {
		bytes += len(list[k].Chapter.Markdown)
		if k < len(list)-1 && (bytes > maxRemovedBytes || len(list)-k > maxRemoved) {
			return list[k+1:]
		}
	}
	return list
}

// removedChapter finds the removed chapter that a call wants back.
func (s *Session) removedChapter(b *book.Book, arg any) (Removed, error) {
	s.mu.Lock()
	list := s.removed
	s.mu.Unlock()
	id, _ := arg.(string)
	for _, r := range list {
		if r.Chapter.ID == id && chapterByID(b, id) == nil {
			return r, nil
		}
	}
	if len(list) == 0 {
		return Removed{}, bridge.Refuse("add makes a new chapter: leave chapter out and give position (its place in the list). No chapter of this book has been removed that could be put back")
	}
	var ids []string
	for _, r := range slices.Backward(list) {
		ids = append(ids, r.Chapter.ID+" ("+bridge.Quote(r.Chapter.Title)+")")
	}
	older := ""
	if n := len(ids) - 12; n > 1 {
		ids, older = ids[:12], fmt.Sprintf(" … and %d older ones, by the ids that sandbox_remove_chapter answered", n)
	}
	return Removed{}, bridge.Refuse("add makes a new chapter: leave chapter out and give position (its place in the list). To put a removed chapter back give its id, one of %s%s", strings.Join(ids, ", "), older)
}

type removeArgs struct {
	Chapter any  `json:"chapter" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id"`
	Wait    bool `json:"wait" default:"true"`
}

type removeAnswer struct {
	Removed  removedText  `json:"removed"`
	Chapters []chapterRow `json:"chapters"`
	// Truncated tells that not every chapter of a long book is listed.
	Truncated *leftOut `json:"truncated,omitempty"`
	Pages
}

type removedText struct {
	Chapter   int       `json:"chapter"`
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	Words     int       `json:"words"`
	Markdown  string    `json:"markdown"`
	Truncated *cutShort `json:"truncated,omitempty"`
}

// cutShort says that a text is only given in part.
type cutShort struct {
	Of   int    `json:"of"`
	Note string `json:"note"`
}

func (s *Session) removeChapter(ctx context.Context, a removeArgs) (any, error) {
	if a.Chapter == nil {
		return nil, bridge.Refuse("chapter says which one to remove: its position, title or id")
	}
	var ans removeAnswer
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		b := snap.book
		i, err := s.chapterAt(b, a.Chapter)
		if err != nil {
			return nil, err
		}
		if len(b.Chapters) == 1 {
			return nil, bridge.Refuse("a book has at least one chapter: this is the only one. sandbox_write_text with an empty markdown empties it")
		}
		c := b.Chapters[i]
		ans = removeAnswer{Removed: removedText{Chapter: i + 1, ID: c.ID, Title: shownTitle(c.Title),
			Words: book.Words(c.Markdown, isCJK(b.Language)), Markdown: c.Markdown}}
		if x := book.NewIndex(c.Markdown); x.UTF16Len() > maxText {
			ans.Removed.Markdown = c.Markdown[:x.Byte(maxText)]
			ans.Removed.Truncated = &cutShort{x.UTF16Len(), "this is the beginning; sandbox_manage_chapters with action add and this id as chapter puts the whole chapter back"}
		}
		next := b.RemoveChapter(i)
		to := next.Chapters[min(i, len(next.Chapters)-1)].ID
		return &change{book: next,
			view: func(v *View) {
				if v.Chapter == c.ID {
					v.Chapter, v.Position = to, 1
				}
			},
			history: func(u *undoList) { u.drop(c.ID, "the chapter has been removed since") },
			removed: func(list []Removed) []Removed { return kept(list, Removed{c, i}) }}, nil
	}, func(pages Pages) { ans.Chapters = s.chapterRows(pages) })
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	ans.Chapters, ans.Truncated = listedAround(ans.Chapters, ans.Removed.Chapter)
	return ans, nil
}

// fetchText brings the text of a Markdown file.
func (s *Session) fetchText(ctx context.Context, f fileArgs) (string, error) {
	data, err := s.fetchFile(ctx, "file", f, maxChapter)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(data) {
		return "", bridge.Refuse("the file is no UTF-8 text: give a Markdown file")
	}
	return string(data), nil
}
