package sandbox

import (
	"context"
	"errors"
	"fmt"

	"postext/book"
	"postext/bridge"
	"postext/engine"
	"postext/engine/frame"
)

// A change is what a writer wants: the new book and what goes with it.
type change struct {
	typed bool // letter by letter, into the editor
	book  *book.Book
	step  *step       // for the undo list, or nil
	view  func(*View) // moves the view, or nil
	// texts are the ids of chapters whose text the editor must take anew.
	texts []string
	// history changes the undo list itself (undoing, redoing), instead of step.
	history func(*undoList)
	// noCover: the reader took the cover away.
	noCover bool
	// removed changes the list of removed chapters, or nil.
	removed func([]Removed) []Removed
}

// Pages is the part of a changing tool's answer that says what became of the
// pages (tools.md 1, Waiting).
type Pages struct {
	PagesBefore *int           `json:"pagesBefore"`
	PagesAfter  *int           `json:"pagesAfter"`
	Chapters    []ChapterPages `json:"chapters"`
	NewWarnings map[string]int `json:"newWarnings,omitempty"`
	Pending     bool           `json:"pending,omitempty"`
	LayoutError string         `json:"layoutError,omitempty"`
	// Saved: the change is in storage, whatever becomes of the program now. Left out
	// where nothing is kept, or only later.
	Saved    *bool    `json:"saved,omitempty"`
	Revision int64    `json:"revision"`
	after    *Settled // the pages after the change, when they were waited for
}

// ChapterPages is a chapter whose number of pages changed.
type ChapterPages struct {
	Chapter     int    `json:"chapter"`
	Title       string `json:"title"`
	Pages       int    `json:"pages"`
	PagesBefore int    `json:"pagesBefore"`
}

// write runs one writer: it waits for its turn, for the pages as they are (so
// that it can tell before from after), lets f make the change from the book as
// it then is, publishes it and, with wait, waits for the new pages. f returns
// nil to change nothing. An aborted ctx before publishing changes nothing;
// afterwards it only ends the waiting. then is run in the writer's turn, for
// what an answer counts after the change.
func (s *Session) write(ctx context.Context, wait bool, f func(snapshot) (*change, error), then ...func(Pages)) (p Pages, err error) {
	first, err := s.await(ctx)
	if err != nil {
		return Pages{}, err
	}
	if err := s.mayChange(); err != nil {
		return Pages{}, err
	}
	select {
	case <-s.writer:
	case <-ctx.Done():
		return Pages{}, ctx.Err()
	case <-s.closed:
		return Pages{}, errClosed
	}
	defer func() { s.writer <- struct{}{} }()
	defer func() {
		if err == nil {
			for _, g := range then {
				g(p)
			}
		}
	}()

	before, err := s.pagesNow(ctx, wait)
	if err != nil {
		return Pages{}, err
	}
	snap, err := s.await(ctx)
	if err == nil {
		err = first.same(snap)
	}
	if err != nil {
		return Pages{}, err
	}
	c, err := f(snap)
	if err != nil {
		return Pages{}, err
	}
	if c == nil {
		return s.unchanged(snap, before), nil
	}
	if err := ctx.Err(); err != nil {
		return Pages{}, err
	}
	rev, ok := s.publish(snap, c)
	if !ok {
		// Typing came in between, or another book: make the change from the book as
		// it is now.
		for range 20 {
			if snap, err = s.await(ctx); err == nil {
				err = first.same(snap)
			}
			if err != nil {
				return Pages{}, err
			}
			if c, err = f(snap); err != nil {
				return Pages{}, err
			}
			if c == nil {
				return s.unchanged(snap, before), nil
			}
			if rev, ok = s.publish(snap, c); ok {
				break
			}
		}
		if !ok {
			return Pages{}, bridge.Refuse("the book is being changed by hand at this moment; nothing was changed: call again")
		}
	}
	saved := s.keepAnswered(ctx)
	p = s.settled(ctx, before, rev, wait)
	p.Saved = saved()
	return p, nil
}

// same refuses when another book was opened since.
func (snap snapshot) same(now snapshot) error {
	if snap.number != now.number {
		return bridge.Refuse(otherBook + "; nothing was changed: ask sandbox_get_state")
	}
	return nil
}

// pagesNow gives the layout of the book as it is; nil when it failed or, not
// waiting, is not there yet.
func (s *Session) pagesNow(ctx context.Context, wait bool) (*Settled, error) {
	if wait {
		l, err := s.Layout(ctx)
		switch {
		case err == nil:
			return l, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, errClosed):
			return nil, err
		}
		return nil, nil // a book that cannot be laid out can still be mended
	}
	s.mu.Lock()
	snap := s.cur
	s.mu.Unlock()
	select {
	case <-snap.job.done:
		if snap.job.err == nil {
			return &Settled{snap.book, snap.rev, snap.job.res}, nil
		}
	default:
	}
	return nil, nil
}

// settled waits for the pages after a change and compares.
func (s *Session) settled(ctx context.Context, before *Settled, rev int64, wait bool) Pages {
	p := Pages{Chapters: []ChapterPages{}, Revision: rev}
	if before != nil {
		n := before.Frames.PageCount()
		p.PagesBefore = &n
	}
	if !wait {
		p.Pending = true
		return p
	}
	after, err := s.Layout(ctx)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, errClosed) {
			p.Pending = true
			return p
		}
		p.LayoutError = "the change is made, but its pages could not be laid out; undo it or change the text once more"
		var no *bridge.Refusal
		if s.isAnother(ctx) {
			p.LayoutError = "the change is made and kept, but " + otherBook + ": the pages of this one are not known"
			p.Pending = true
		} else if errors.As(err, &no) {
			p.LayoutError = "the change is made, but " + no.Message
		}
		return p
	}
	n := after.Frames.PageCount()
	p.PagesAfter = &n
	p.after = after
	p.Revision = max(rev, after.Revision)
	if why := unset(after.Frames.Chapters); why != "" {
		p.LayoutError = "the change is made, but " + why
	}
	if before != nil {
		p.Chapters = pageChanges(before, after)
		p.NewWarnings = s.appeared(before, after)
	}
	return p
}

// unset names the first chapter whose pages an empty one stands in for, "" when
// there is none.
func unset(chapters []*frame.Chapter) string {
	for i, c := range chapters {
		for _, p := range c.Problems {
			if p.Kind == engine.LayoutFailed {
				return fmt.Sprintf("chapter %d, %s, has an empty page in its place: %s", i+1, bridge.Quote(c.Title), p.Detail)
			}
		}
	}
	return ""
}

// unchanged answers a writer that had nothing to do.
func (s *Session) unchanged(snap snapshot, before *Settled) Pages {
	p := Pages{Chapters: []ChapterPages{}, Revision: snap.rev}
	if before != nil {
		n := before.Frames.PageCount()
		p.PagesBefore, p.PagesAfter = &n, &n
	}
	return p
}

// pageChanges lists the chapters whose number of pages changed, in the order of
// the new book.
func pageChanges(before, after *Settled) []ChapterPages {
	old := map[string]int{}
	for _, c := range before.Frames.Chapters {
		old[c.ID] = len(c.Pages)
	}
	list := []ChapterPages{}
	for i, c := range after.Frames.Chapters {
		if n := old[c.ID]; n != len(c.Pages) {
			list = append(list, ChapterPages{Chapter: i + 1, Title: shownTitle(after.Book.Chapters[i].Title), Pages: len(c.Pages), PagesBefore: n})
		}
	}
	return list
}

// publish installs the change when the book is still the one it was made from, and
// is not being left.
func (s *Session) publish(from snapshot, c *change) (int64, bool) {
	s.mu.Lock()
	if s.cur.rev != from.rev || !s.isOpenLocked() {
		s.mu.Unlock()
		return 0, false
	}
	s.put(c.book)
	rev := s.cur.rev
	for i, ch := range c.book.Chapters {
		if i < len(from.book.Chapters) && from.book.Chapters[i] == ch {
			continue
		}
		if old := chapterByID(from.book, ch.ID); old != ch && (old == nil || old.Markdown != ch.Markdown) {
			at := s.texts[ch.ID]
			if c.typed {
				at.Typed = rev
			} else {
				at.Tool = rev
			}
			s.texts[ch.ID] = at
		}
	}
	if c.step != nil {
		s.undo.push(*c.step)
	}
	if c.history != nil {
		c.history(&s.undo)
	}
	s.noCover = s.noCover || c.noCover
	if c.removed != nil {
		s.removed = c.removed(s.removed)
	}
	if c.view != nil {
		c.view(&s.view)
	}
	s.view.settle(c.book)
	s.save.touch(s, c.typed)
	s.mu.Unlock()
	if f := s.opts.Listener.Text; f != nil {
		for _, id := range c.texts {
			if ch := chapterByID(c.book, id); ch != nil {
				f(id, ch.Markdown, rev)
			}
		}
	}
	s.changed()
	return rev, true
}

// withText is the book with another text in one chapter.
func withText(b *book.Book, id, text string) *book.Book {
	for i, c := range b.Chapters {
		if c.ID == id {
			return b.WithText(i, text)
		}
	}
	return b
}

func chapterByID(b *book.Book, id string) *book.Chapter {
	for _, c := range b.Chapters {
		if c.ID == id {
			return c
		}
	}
	return nil
}
