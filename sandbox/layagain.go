package sandbox

import (
	"context"
	"errors"
	"time"

	"postext/book"
	"postext/engine"
)

// A layout that found no font at all, or had to set others in the place of some, says
// nothing about the book: the network may be back a moment later. The session asks
// again by itself, at growing pauses, and when it hears of the network; without any
// font each call that needs pages tries once more before it says that there are none.

// The pauses between two attempts: the first, doubled each time up to the last. Where
// there are pages nothing waits for what is asked, and there is more time.
const (
	firstPause = 2 * time.Second
	lastPause  = 16 * time.Second
	idlePause  = time.Minute
	askFor     = 30 * time.Second // how long fonts are waited for when asked again
)

// isFontless reports whether a layout failed because no font could be had.
func isFontless(err error) bool {
	var none *engine.NoFont
	return errors.As(err, &none)
}

// layAgain asks for another layout of the book as it is, after one that found no
// font, or not every one; nothing when that is past.
func (s *Session) layAgain(lacking *job) {
	s.mu.Lock()
	again := s.cur.job == lacking && !s.ended
	if again {
		s.cur.job = newJob(lacking.book, lacking.rev)
		s.cur.job.retry = true
		s.wakeLayouts()
	}
	s.mu.Unlock()
	if again {
		s.changed()
	}
}

// tryLater plans the next attempt after a layout; s.mu is held.
func (s *Session) tryLater(j *job) {
	switch {
	case s.cur.job != j || s.ended:
	case isFontless(j.err):
		s.pause = min(max(2*s.pause, firstPause), lastPause)
		time.AfterFunc(s.pause, func() { s.layAgain(j) })
	case j.err == nil && j.res.Again != nil:
		s.pause = min(max(2*s.pause, firstPause), idlePause)
		time.AfterFunc(s.pause, func() { s.askAgain(j) })
	default:
		s.pause = 0
	}
}

// askAgain lays a book out anew when a font that others stand in for can be had, and
// plans to ask once more when none can. The pages there are stay while it asks.
func (s *Session) askAgain(j *job) {
	s.mu.Lock()
	past := s.cur.job != j || s.ended
	s.mu.Unlock()
	if past {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), askFor)
	defer cancel()
	if j.res.Again(ctx) {
		s.layAgain(j)
		return
	}
	s.mu.Lock()
	s.tryLater(j)
	s.mu.Unlock()
}

// Online says that the network is back: what could not be had is asked for at once.
func (s *Session) Online() {
	s.mu.Lock()
	j := s.cur.job
	s.pause = 0
	s.mu.Unlock()
	if j == nil {
		return
	}
	select {
	case <-j.done:
	default:
		return // it is asking
	}
	switch {
	case isFontless(j.err):
		s.layAgain(j)
	case j.err == nil && j.res.Again != nil:
		go s.askAgain(j)
	}
}

// newJob is the layout of a book at a revision, not begun.
func newJob(b *book.Book, rev int64) *job {
	ctx, cancel := context.WithCancel(context.Background())
	return &job{rev: rev, book: b, ctx: ctx, cancel: cancel, done: make(chan struct{})}
}

// wakeLayouts tells the layout goroutine that there is a job.
func (s *Session) wakeLayouts() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
