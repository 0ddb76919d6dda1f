package sandbox

import (
	"context"
	"errors"
	"time"

	"postext/book"
	"postext/engine"
)

// A layout that found no font at all says nothing about the book: the network may be
// back a moment later. The session tries again by itself, at growing pauses, and each
// call that needs pages tries once more before it says that there are none.

// The pauses between two attempts: the first, doubled each time up to the last.
const (
	firstPause = 2 * time.Second
	lastPause  = 16 * time.Second
)

// isFontless reports whether a layout failed because no font could be had.
func isFontless(err error) bool {
	var none *engine.NoFont
	return errors.As(err, &none)
}

// layAgain asks for another layout of the book as it is, after one that found no
// font; nothing when that is past.
func (s *Session) layAgain(failed *job) {
	s.mu.Lock()
	again := s.cur.job == failed && !s.ended && isFontless(failed.err)
	if again {
		s.cur.job = newJob(failed.book, failed.rev)
		s.wakeLayouts()
	}
	s.mu.Unlock()
	if again {
		s.changed()
	}
}

// tryLater plans the next attempt after a layout; s.mu is held.
func (s *Session) tryLater(j *job) {
	if s.cur.job != j || !isFontless(j.err) {
		s.pause = 0
		return
	}
	s.pause = min(max(2*s.pause, firstPause), lastPause)
	time.AfterFunc(s.pause, func() { s.layAgain(j) })
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
