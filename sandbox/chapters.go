package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"postext/book"
	"postext/bridge"
)

func (s *Session) chapterTools() []bridge.Tool {
	return []bridge.Tool{
		bridge.Define("sandbox_manage_chapters", "Add, rename, move, show chapters",
			"Adds a chapter, renames or moves one, or shows one on the reader's screen. For the words inside a chapter use sandbox_edit_text. Not in the undo list. Answers the whole list of chapters with their pages. Example: {\"action\": \"add\", \"title\": \"Epilogue\", \"markdown\": \"# Epilogue\\n\\nThe end.\\n\", \"position\": 3}.",
			writes, s.manageChapters),
	}
}

type chaptersArgs struct {
	Action   string    `json:"action" enum:"add,rename,move,show"`
	Chapter  any       `json:"chapter,omitempty" types:"integer,string" doc:"position from 1, title or id; left out: the chapter on screen"`
	Title    *string   `json:"title,omitempty" doc:"add, rename: a label, not written into the text" maxLen:"300"`
	Markdown *string   `json:"markdown,omitempty" doc:"add: its text"`
	File     *fileArgs `json:"file,omitempty" doc:"add: its text from a .md file"`
	Position *int      `json:"position,omitempty" doc:"add, move: place in the list, from 1; show: page among the chapter's, negative from the end"`
	Page     any       `json:"page,omitempty" types:"integer,string" doc:"show: number printed on the page"`
	Wait     bool      `json:"wait" default:"true" doc:"wait for the pages"`
}

type chaptersAnswer struct {
	Action   string       `json:"action"`
	Changed  bool         `json:"changed"`
	Chapter  int          `json:"chapter"`
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	From     any          `json:"from,omitempty"`
	Page     any          `json:"page,omitempty"`
	Position int          `json:"position,omitempty"`
	Chapters []chapterRow `json:"chapters"`
	// Truncated tells that not every chapter of a long book is listed.
	Truncated *leftOut `json:"truncated,omitempty"`
	Pages
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
	"show":   {"position", "page"},
}

func (a chaptersArgs) check() error {
	given := []struct {
		name string
		is   bool
	}{{"title", a.Title != nil}, {"markdown", a.Markdown != nil}, {"file", a.File != nil}, {"position", a.Position != nil}, {"page", a.Page != nil}}
	for _, g := range given {
		if g.is && !slices.Contains(takes[a.Action], g.name) {
			return bridge.Refuse("%s does not go with action %q, which takes %s", g.name, a.Action, strings.Join(append([]string{"chapter"}, takes[a.Action]...), ", "))
		}
	}
	switch a.Action {
	case "add":
		if a.Chapter != nil {
			return bridge.Refuse("add makes a new chapter: leave chapter out and give position (its place in the list)")
		}
		if a.Markdown != nil && a.File != nil {
			return bridge.Refuse("give markdown (the text itself) or file (a .md file), not both")
		}
	case "rename":
		if a.Title == nil {
			return bridge.Refuse("rename needs title, the new one")
		}
	case "move":
		if a.Position == nil {
			return bridge.Refuse("move needs position, the place in the list from 1")
		}
	}
	if a.Position != nil && a.Action != "show" && *a.Position < 1 {
		return bridge.Refuse("position is a place in the list from 1, not %d", *a.Position)
	}
	return nil
}

func (s *Session) manageChapters(ctx context.Context, a chaptersArgs) (any, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	switch a.Action {
	case "show":
		return s.showChapter(ctx, a)
	case "rename":
		return s.changeChapters(ctx, a, func(b *book.Book, ans *chaptersAnswer) (*change, error) {
			i, err := s.chapterAt(b, a.Chapter)
			if err != nil {
				return nil, err
			}
			title := strings.Join(strings.Fields(book.CleanText(*a.Title)), " ")
			next := b.RenameChapter(i, title)
			ans.mark(next, i)
			if next == b {
				return nil, nil
			}
			ans.From = b.Chapters[i].Title
			return &change{book: next}, nil
		})
	case "move":
		return s.changeChapters(ctx, a, func(b *book.Book, ans *chaptersAnswer) (*change, error) {
			i, err := s.chapterAt(b, a.Chapter)
			if err != nil {
				return nil, err
			}
			to := min(*a.Position, len(b.Chapters)) - 1
			next := b.MoveChapter(i, to)
			ans.mark(next, to)
			if next == b {
				return nil, nil
			}
			ans.From = i + 1
			return &change{book: next}, nil
		})
	}
	var text string
	if a.Markdown != nil {
		text = *a.Markdown
	}
	if a.File != nil {
		data, err := s.fetchFile(ctx, "file", *a.File, maxChapter)
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(data) {
			return nil, bridge.Refuse("the file is no UTF-8 text: give a Markdown file")
		}
		text = string(data)
	}
	if err := fitsChapter(text); err != nil {
		return nil, err
	}
	text = book.CleanText(text)
	return s.changeChapters(ctx, a, func(b *book.Book, ans *chaptersAnswer) (*change, error) {
		at := positionOf(b, s.View().Chapter) // after the one on screen
		if a.Position != nil {
			at = min(*a.Position-1, len(b.Chapters))
		}
		c := &book.Chapter{ID: freshID(b), Markdown: text}
		if a.Title != nil {
			c.Title = strings.Join(strings.Fields(book.CleanText(*a.Title)), " ")
		}
		for n := len(b.Chapters) + 1; c.Title == ""; n++ {
			name := "Chapter " + strconv.Itoa(n)
			if !slices.ContainsFunc(b.Chapters, func(o *book.Chapter) bool { return o.Title == name }) {
				c.Title = name
			}
		}
		next := b.InsertChapter(at, c)
		ans.mark(next, at)
		return &change{book: next, view: func(v *View) { v.Chapter, v.Position = c.ID, 1 }}, nil
	})
}

// shorten keeps the list within what an answer may hold.
func (a *chaptersAnswer) shorten() {
	a.Chapters, a.Truncated = listedChapters(a.Chapters, func(r chapterRow) StateChapter { return r.StateChapter })
}

// mark names the chapter the answer is about.
func (a *chaptersAnswer) mark(b *book.Book, i int) {
	a.Chapter, a.ID, a.Title = i+1, b.Chapters[i].ID, b.Chapters[i].Title
}

// changeChapters runs one change of the list and answers with the whole list.
func (s *Session) changeChapters(ctx context.Context, a chaptersArgs, f func(*book.Book, *chaptersAnswer) (*change, error)) (any, error) {
	var ans chaptersAnswer
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		ans = chaptersAnswer{Action: a.Action}
		c, err := f(snap.book, &ans)
		ans.Changed = c != nil
		return c, err
	})
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	before := map[int]int{}
	for _, c := range pages.Chapters {
		before[c.Chapter] = c.PagesBefore
	}
	for _, row := range s.State().Chapters {
		r := chapterRow{StateChapter: row}
		if n, ok := before[row.Chapter]; ok {
			r.PagesBefore = &n
		}
		ans.Chapters = append(ans.Chapters, r)
	}
	ans.shorten()
	return ans, nil
}

// showChapter brings a chapter, and a page of it, on the screen. Without a page
// it does not wait for the pages.
func (s *Session) showChapter(ctx context.Context, a chaptersArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	b := snap.book
	var l *Settled
	if a.Page != nil || a.Position != nil {
		if l, err = s.Layout(ctx); err != nil {
			return nil, err
		}
		b = l.Book
	}
	i, err := s.chapterAt(b, a.Chapter)
	if err != nil {
		return nil, err
	}
	was := s.View()
	position := 1
	if l != nil {
		k, err := s.pageAt(l, i, pageArgs{Page: a.Page, Position: a.Position})
		if err != nil {
			return nil, err
		}
		position = k + 1
	} else if was.Chapter == b.Chapters[i].ID {
		position = was.Position
	}
	now := s.SetView(func(v *View) { v.Chapter, v.Position = b.Chapters[i].ID, position })
	if f := s.opts.Listener.Reveal; f != nil {
		f(Reveal{Chapter: now.Chapter, Position: now.Position})
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
