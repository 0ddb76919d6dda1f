package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"postext/book"
	"postext/sandbox/store"
)

// Keeper keeps the open book between visits, whole or not at all.
type Keeper interface {
	// Keep puts the book in place of what was kept of it before. pause is called
	// now and then during long work and ends it by an error. Errors that match
	// store.ErrQuota and store.ErrConflict are told apart.
	Keep(ctx context.Context, k Kept, pause func() error) error
}

// saver is the autosave: a pause after the last change, at once on demand. The
// pause is one second while a person types (sandbox.md 10.2). A change that was
// answered, of a tool or a panel, is saved in a moment: whoever has the answer may
// close the page, and a worker is given no time then.
// Guarded by Session.mu.
type saver struct {
	clean    bool // everything is in storage
	viewOnly bool // what is not is how the book is shown
	// answered: a change that was, or is about to be, answered is not in storage yet.
	answered bool
	changes  int64
	timer    *time.Timer
	busy     chan struct{} // one save at a time; holds a token
}

// answeredShare is the part of the pause after which an answered change is saved.
const answeredShare = 25

// touch notes a change; Session.mu is held.
func (v *saver) touch(s *Session, typed bool) {
	v.clean, v.viewOnly = false, false
	v.changes++
	if s.keeper == nil || s.ended || s.barred != "" {
		return
	}
	if typed && v.answered {
		return // the save is due already, and typing does not put it off
	}
	if v.timer != nil {
		v.timer.Stop()
	}
	pause := s.opts.SaveAfter
	if !typed {
		pause /= answeredShare
		v.answered = true
	}
	v.timer = time.AfterFunc(pause, s.autosave)
}

// keepAnswered puts a change that is about to be answered into storage, for a host
// whose program may be ended at any moment (Options.SaveAnswered); the function it
// gives waits for that and tells whether it is there, nil where nothing is kept. A
// failure stands in the state's notice.
func (s *Session) keepAnswered(ctx context.Context) func() *bool {
	s.mu.Lock()
	kept := s.opts.SaveAnswered && s.keeper != nil && s.barred == ""
	s.mu.Unlock()
	if !kept {
		return func() *bool { return nil }
	}
	done := make(chan bool, 1)
	go func() { done <- s.Save(ctx) == nil }()
	return func() *bool {
		saved := <-done
		return &saved
	}
}

// autosave saves when nobody waits for it: a failure is told in the state's
// notice, which Save has written, and shown once more.
func (s *Session) autosave() {
	if err := s.Save(context.Background()); err != nil {
		s.changed()
	}
}

func (v *saver) stop() {
	if v.timer != nil {
		v.timer.Stop()
	}
}

// Save puts the book into storage now, unless it is there. A failure is also
// told in the state's notice; the next change tries again.
func (s *Session) Save(ctx context.Context) error {
	s.mu.Lock()
	if s.save.busy == nil {
		s.save.busy = make(chan struct{}, 1)
		s.save.busy <- struct{}{}
	}
	busy := s.save.busy
	s.mu.Unlock()
	select {
	case <-busy:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { busy <- struct{}{} }()

	s.mu.Lock()
	keeper := s.keeper
	if keeper == nil || s.save.clean || s.cur.book == nil || s.barred != "" {
		s.mu.Unlock()
		return nil
	}
	changes := s.save.changes
	s.save.answered = false // what comes from here on is another save's
	k := Kept{Book: s.cur.book, Original: s.original, View: s.view, Revision: s.cur.rev, Removed: s.removed, Texts: maps.Clone(s.texts), Visit: s.visit}
	select {
	case <-s.cur.job.done:
		if s.cur.job.res != nil {
			n := s.cur.job.res.Frames.PageCount()
			k.Pages = &n
		}
	default:
	}
	s.mu.Unlock()

	err := keeper.Keep(ctx, k, func() error { return s.opts.Yield(ctx) })
	if errors.Is(err, store.ErrConflict) {
		err = s.rescue(ctx, k)
	}
	s.mu.Lock()
	switch {
	case err == nil:
		s.save.clean = s.save.changes == changes
		if s.saveFailed {
			s.notice, s.saveFailed = "", false
		}
	case errors.Is(err, context.Canceled):
	case errors.Is(err, store.ErrQuota) && !errors.As(err, new(*store.FullError)):
		s.saveFailed = true
		s.notice = "the changes cannot be kept: this browser's storage is full; delete books you no longer need, or export the book before closing the page"
	default:
		s.saveFailed = true
		s.notice = "the changes cannot be kept: " + err.Error()
	}
	s.mu.Unlock()
	s.changed()
	return err
}

// edited reports whether the book differs from the one it was opened from.
func edited(b, original *book.Book) bool {
	if b == original || original == nil {
		return false
	}
	return string(b.Config) != string(original.Config) || b.Name != original.Name || b.Description != original.Description || b.Cover != original.Cover ||
		!slices.EqualFunc(b.Resources, original.Resources, (*book.Resource).IsLike) || !slices.EqualFunc(b.Fonts, original.Fonts, (*book.Resource).IsLike) ||
		!slices.EqualFunc(b.Chapters, original.Chapters, func(x, y *book.Chapter) bool {
			return x == y || x.ID == y.ID && x.Title == y.Title && x.Markdown == y.Markdown
		})
}

// Folder is a Keeper that writes into a folder of plain files, touching only
// those whose content changed. The view is not kept.
type Folder struct {
	dir  string
	mu   sync.Mutex
	book *book.Book // as the folder holds it
	// config is the design as the session has it where it is that of the folder.
	config json.RawMessage
}

// NewFolder makes a keeper for the folder that b was read from.
func NewFolder(dir string, b *book.Book) *Folder {
	f := &Folder{dir: dir, book: b}
	if opened, err := canonical(b); err == nil { // else it will not be opened
		f.config = opened.Config
	}
	return f
}

// Keep implements Keeper.
func (f *Folder) Keep(_ context.Context, k Kept, _ func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := *k.Book
	if bytes.Equal(b.Config, f.config) {
		b.Config = f.book.Config
	}
	b.Chapters = slices.Clone(b.Chapters)
	for i, c := range b.Chapters {
		// A chapter made since has its file from the save before.
		if was := chapterByID(f.book, c.ID); c.File == "" && was != nil {
			d := *c
			d.File = was.File
			b.Chapters[i] = &d
		}
	}
	saved, err := book.SaveFolder(f.dir, f.book, &b)
	if err != nil {
		return err
	}
	f.book, f.config = saved, k.Book.Config
	return nil
}
