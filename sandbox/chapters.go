package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"postext/book"
	"postext/bridge"
)

func (s *Session) chapterTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_manage_chapters", "Add, rename, move, split, merge chapters",
			"Adds, renames, moves or splits a chapter, merges it into the one before, or shows it to the reader. For the words in it use sandbox_edit_text. Not in the undo list. Example: {\"action\": \"split\", \"chapter\": \"Opening\", \"before\": \"## Second part\"}.",
			writes, s.manageChapters),
		define(s, "sandbox_remove_chapter", "Remove a chapter",
			"Takes a chapter out of the book. Not in the undo list: the answer has its text, and sandbox_manage_chapters puts it back (add, with its id as chapter).",
			removes, s.removeChapter),
	}
}

type chaptersArgs struct {
	Action   string    `json:"action" enum:"add,rename,move,split,split_at_headings,merge,show"`
	Chapter  any       `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id; left out: the one on screen. add: only the id of a removed one, to put it back"`
	Title    *string   `json:"title,omitempty" doc:"add, rename, split: not written into the text" maxLen:"300"`
	Markdown *string   `json:"markdown,omitempty" doc:"add: its text"`
	File     *fileArgs `json:"file,omitempty" doc:"add: its text from a .md file"`
	Position *int      `json:"position,omitempty" doc:"add, move: place in the list from 1; show: page of the chapter, -1 the last"`
	Before   *string   `json:"before,omitempty" doc:"split: exact passage that begins the new one"`
	Line     *int      `json:"line,omitempty" min:"1" doc:"split: at this line"`
	Offset   *int      `json:"offset,omitempty" min:"0" doc:"split: at this UTF-16 offset"`
	Page     any       `json:"page,omitempty" types:"integer,string" minLen:"1" doc:"show: number printed on it"`
	Wait     bool      `json:"wait" default:"true"`
}

type chaptersAnswer struct {
	Action   string       `json:"action"`
	Changed  bool         `json:"changed"`
	Chapter  int          `json:"chapter"`
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	From     any          `json:"from,omitempty"`
	Made     []madeRow    `json:"made,omitempty"`
	Merged   *madeRow     `json:"merged,omitempty"`
	Page     any          `json:"page,omitempty"`
	Position int          `json:"position,omitempty"`
	Chapters []chapterRow `json:"chapters"`
	// Truncated tells that not every chapter of a long book is listed.
	Truncated *leftOut `json:"truncated,omitempty"`
	Pages
}

// madeRow names a chapter that came or went.
type madeRow struct {
	Chapter int    `json:"chapter"`
	ID      string `json:"id"`
	Title   string `json:"title"`
}

type chapterRow struct {
	StateChapter
	PagesBefore *int `json:"pagesBefore,omitempty"`
}

// takes says which arguments each action has besides chapter and wait.
var takes = map[string][]string{
	"add":    {"title", "markdown", "file", "position"},
	"rename": {"title"},
	"move":   {"position"},
	"split":  {"before", "line", "offset", "title"},
	"show":   {"position", "page"},
}

func (a chaptersArgs) check() error {
	given := []struct {
		name string
		is   bool
	}{{"title", a.Title != nil}, {"markdown", a.Markdown != nil}, {"file", a.File != nil}, {"position", a.Position != nil},
		{"before", a.Before != nil}, {"line", a.Line != nil}, {"offset", a.Offset != nil}, {"page", a.Page != nil}}
	for _, g := range given {
		if g.is && !slices.Contains(takes[a.Action], g.name) {
			return bridge.Refuse("%s does not go with action %q, which takes %s", g.name, a.Action, strings.Join(append([]string{"chapter"}, takes[a.Action]...), ", "))
		}
	}
	switch a.Action {
	case "show":
		return pageArgs{Page: a.Page, Position: a.Position}.check()
	case "add":
		if a.File != nil {
			if err := a.File.check("file"); err != nil {
				return err
			}
		}
		if a.Markdown != nil && a.File != nil {
			return bridge.Refuse("give markdown (the text itself) or file (a .md file), not both")
		}
		if a.Chapter != nil && (a.Markdown != nil || a.File != nil) {
			return bridge.Refuse("add makes a new chapter from markdown or file; with chapter, the id of a removed one, it puts that one back: give one of the two. position is the place in the list")
		}
	case "rename":
		if a.Title == nil {
			return bridge.Refuse("rename needs title, the new one")
		}
	case "move":
		if a.Position == nil {
			return bridge.Refuse("move needs position, the place in the list from 1")
		}
	case "split":
		n := 0
		for _, is := range []bool{a.Before != nil, a.Line != nil, a.Offset != nil} {
			if is {
				n++
			}
		}
		if n != 1 {
			return bridge.Refuse("split needs to know where the new chapter begins: give one of before (a passage), line or offset; split_at_headings makes one chapter for each level-1 heading")
		}
	}
	return nil
}

func (s *Session) manageChapters(ctx context.Context, a chaptersArgs) (any, error) {
	switch a.Action {
	case "show":
		return s.showChapter(ctx, a)
	case "add":
		return s.addChapter(ctx, a)
	}
	return s.changeChapters(ctx, a, func(b *book.Book, ans *chaptersAnswer) (*change, error) {
		i, err := s.chapterAt(b, a.Chapter)
		if err != nil {
			return nil, err
		}
		switch a.Action {
		case "rename":
			next := b.RenameChapter(i, chapterTitle(*a.Title))
			ans.mark(next, i)
			if next == b {
				return nil, nil
			}
			ans.From = shownTitle(b.Chapters[i].Title)
			return &change{book: next}, nil
		case "move":
			to := min(max(*a.Position, 1), len(b.Chapters)) - 1
			next := b.MoveChapter(i, to)
			ans.mark(next, to)
			if next == b {
				return nil, nil
			}
			ans.From = i + 1
			return &change{book: next}, nil
		case "split":
			return splitChapter(b, i, a, ans)
		case "split_at_headings":
			return splitAtHeadings(b, i, ans)
		}
		return s.mergeChapter(b, i, ans)
	})
}

// chapterTitle is a chapter's title as a call gives it.
func chapterTitle(title string) string {
	return strings.Join(strings.Fields(book.CleanText(title)), " ")
}

// addChapter makes a new chapter, or puts a removed one back.
func (s *Session) addChapter(ctx context.Context, a chaptersArgs) (any, error) {
	var text string
	if a.Markdown != nil {
		text = *a.Markdown
	}
	if a.File != nil {
		var err error
		if text, err = s.fetchText(ctx, *a.File); err != nil {
			return nil, err
		}
	}
	if err := fitsChapter(text); err != nil {
		return nil, err
	}
	text = book.CleanText(text)
	return s.changeChapters(ctx, a, func(b *book.Book, ans *chaptersAnswer) (*change, error) {
		at := positionOf(b, s.View().Chapter) // after the one on screen
		c := &book.Chapter{ID: freshID(b), Markdown: text}
		if a.Chapter != nil {
			was, err := s.removedChapter(b, a.Chapter)
			if err != nil {
				return nil, err
			}
			c, at = was.Chapter, min(was.At, len(b.Chapters))
		}
		if a.Position != nil {
			at = min(max(*a.Position-1, 0), len(b.Chapters))
		}
		if a.Title != nil {
			if t := chapterTitle(*a.Title); t != "" {
				renamed := *c
				renamed.Title = t
				c = &renamed
			}
		}
		if c.Title == "" {
			c.Title = untitled(b)
		}
		next := b.InsertChapter(at, c)
		ans.mark(next, at)
		return &change{book: next, texts: []string{c.ID}, view: func(v *View) { v.Chapter, v.Position = c.ID, 1 },
			removed: func(list []Removed) []Removed {
				return slices.DeleteFunc(slices.Clone(list), func(r Removed) bool { return r.Chapter.ID == c.ID })
			}}, nil
	})
}

// untitled is a title for a chapter that got none.
func untitled(b *book.Book) string {
	for n := len(b.Chapters) + 1; ; n++ {
		name := "Chapter " + strconv.Itoa(n)
		if !slices.ContainsFunc(b.Chapters, func(o *book.Chapter) bool { return o.Title == name }) {
			return name
		}
	}
}

// shorten keeps of a long list the chapters around the one that the answer is about.
func (a *chaptersAnswer) shorten() { a.Chapters, a.Truncated = listedAround(a.Chapters, a.Chapter) }

// wholeList is the number of chapters up to which the answer to a change lists them
// all; of more it lists aroundChange, for each call would cost as much as the book
// has chapters.
const (
	wholeList    = 60
	aroundChange = 12
)

// listedAround keeps of a long list the chapters around a position, from 1, and the
// one on screen.
func listedAround(list []chapterRow, chapter int) ([]chapterRow, *leftOut) {
	if len(list) <= wholeList {
		return list, nil
	}
	from := min(max(chapter-1-aroundChange/2, 0), len(list)-aroundChange)
	kept := slices.Clone(list[from : from+aroundChange])
	for i := range list {
		if list[i].OnScreen && i < from {
			kept = slices.Insert(kept, 0, list[i])
		} else if list[i].OnScreen && i >= from+aroundChange {
			kept = append(kept, list[i])
		}
	}
	return kept, &leftOut{len(kept), len(list), "the chapters around the one changed, and the one on screen; sandbox_get_state lists them all"}
}

// mark names the chapter the answer is about.
func (a *chaptersAnswer) mark(b *book.Book, i int) {
	a.Chapter, a.ID, a.Title = i+1, b.Chapters[i].ID, shownTitle(b.Chapters[i].Title)
}

// changeChapters runs one change of the list and answers with the whole list.
func (s *Session) changeChapters(ctx context.Context, a chaptersArgs, f func(*book.Book, *chaptersAnswer) (*change, error)) (any, error) {
	var ans chaptersAnswer
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		ans = chaptersAnswer{Action: a.Action}
		c, err := f(snap.book, &ans)
		ans.Changed = c != nil
		return c, err
	}, func(pages Pages) { ans.Chapters = s.chapterRows(pages) })
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	ans.shorten()
	return ans, nil
}

// chapterRows is the whole list of chapters after a change.
func (s *Session) chapterRows(pages Pages) []chapterRow {
	before := map[int]int{}
	for _, c := range pages.Chapters {
		before[c.Chapter] = c.PagesBefore
	}
	var list []chapterRow
	for _, row := range s.State().Chapters {
		r := chapterRow{StateChapter: row}
		if n, ok := before[row.Chapter]; ok {
			r.PagesBefore = &n
		}
		list = append(list, r)
	}
	return list
}

// showChapter brings a chapter, and a page of it, on the screen at once, and waits
// for the pages unless told not to.
func (s *Session) showChapter(ctx context.Context, a chaptersArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	b := snap.book
	i, err := s.chapterAt(b, a.Chapter)
	if err != nil {
		return nil, err
	}
	was := s.View()
	position := 1
	paged := pageArgs{Page: a.Page, Position: a.Position}
	if paged.given() {
		var k int
		var found bool
		if snap, i, _, k, found, err = s.pageOfChapter(ctx, a.Chapter, paged); err != nil {
			return nil, err
		}
		b = snap.book
		if !found {
			l, err := s.Layout(ctx)
			if err != nil {
				return nil, err
			}
			b = l.Book
			if i, err = s.chapterAt(b, a.Chapter); err != nil {
				return nil, err
			}
			if k, err = s.pageAt(l, i, paged); err != nil {
				return nil, err
			}
		}
		position = k + 1
	} else if was.Chapter == b.Chapters[i].ID {
		position = was.Position
	}
	now := s.SetView(func(v *View) { v.Chapter, v.Position = b.Chapters[i].ID, position })
	if f := s.opts.Listener.Reveal; f != nil {
		f(Reveal{Chapter: now.Chapter, Position: now.Position})
	}
	if !paged.given() && a.Wait {
		// The chapter is on the screen already; only the waiting may be broken off.
		if _, err := s.pagesNow(ctx, true); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	st := s.State()
	ans := chaptersAnswer{Action: a.Action, Changed: was != now, Position: now.Position}
	ans.mark(b, i)
	if st.View != nil {
		ans.Page = st.View.Page
	}
	for _, row := range st.Chapters {
		ans.Chapters = append(ans.Chapters, chapterRow{StateChapter: row})
	}
	ans.shorten()
	ans.Pages = Pages{PagesBefore: st.Pages, PagesAfter: st.Pages, Revision: st.Revision, Pending: st.Pages == nil}
	return ans, nil
}

// freshID makes a chapter id that no chapter of the book has.
func freshID(b *book.Book) string {
	for {
		id := fmt.Sprintf("c%012x", rand.Uint64()>>16)
		if chapterByID(b, id) == nil {
			return id
		}
	}
}
