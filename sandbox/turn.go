package sandbox

import (
	"context"
	"sync"

	"postext/bridge"
)

// Calls and the book they mean. A call is about the book that was to be on screen
// when it arrived: the open one, or the one that a call before it was about to
// open. Books are opened one at a time in the order of arrival, a call waits for
// the openings before it, and a call that finds another book opened since is
// refused; it never reads half of one book and half of another, or writes into a
// book its caller has not seen (tools.md 1, Concurrency).

// turn is a place in the queue of those who may open a book.
type turn struct {
	before *turn
	done   chan struct{} // closed when the next one may
	once   sync.Once
	taken  bool // by onlyOpener

	// Final once done is closed: the number of the book that is open then, and
	// whether a book was to be opened and was not. Until then guarded by Session.mu.
	number int
	failed bool
}

// arrival is what is known of a call when it comes in.
type arrival struct {
	after *turn // the last one that had a place in the queue, or nil when that is past
	mine  *turn // of a call that may open a book, else nil
	// number is that of the book the call is about; 0: the first one to be opened.
	number int
	// missed: a book was to be opened before the call, and was not.
	missed bool
}

type arrivalKey struct{}

func arrivalOf(ctx context.Context) *arrival {
	a, _ := ctx.Value(arrivalKey{}).(*arrival)
	return a
}

// openers are the tools that take their place in the queue as they arrive. An
// import does so when its file is there.
var openers = map[string]bool{"sandbox_open_book": true, "sandbox_save_book": true, "sandbox_delete_book": true}

// Arrive notes the arrival of a call, in the order in which it is called: by the
// receiver of messages, before the goroutine of the call begins. Registered tools
// do it themselves for a ctx that has not been through here. What is returned
// second ends the call's part in the queue.
func (s *Session) Arrive(ctx context.Context, tool string) (context.Context, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &arrival{number: s.cur.number}
	select {
	case <-s.lastTurn.done:
	default:
		a.after = s.lastTurn
	}
	end := func() {}
	if openers[tool] {
		a.mine = s.queueLocked()
		end = func() { s.endTurn(a.mine) }
	}
	return context.WithValue(ctx, arrivalKey{}, a), end
}

// queueLocked takes the next place in the queue; s.mu is held.
func (s *Session) queueLocked() *turn {
	t := &turn{before: s.lastTurn, done: make(chan struct{})}
	s.lastTurn = t
	return t
}

// endTurn lets the next one open a book. It may be called more than once.
func (s *Session) endTurn(t *turn) {
	t.once.Do(func() {
		end := func() {
			s.mu.Lock()
			t.number, t.failed = s.cur.number, t.failed || !t.taken && t.before.failed
			t.before = nil // what is past need not be kept
			s.mu.Unlock()
			close(t.done)
		}
		if t.taken {
			end()
			return
		}
		go func() { // it gave up, or opens nothing: the queue goes on in its order
			<-t.before.done
			end()
		}()
	})
}

// onlyOpener takes the right to open another book: in the turn of the call that
// ctx is of, else in a new one.
func (s *Session) onlyOpener(ctx context.Context) (done func(), err error) {
	var t *turn
	if a := arrivalOf(ctx); a != nil && a.mine != nil {
		t = a.mine
	} else {
		s.mu.Lock()
		t = s.queueLocked()
		s.mu.Unlock()
	}
	select {
	case <-t.before.done:
		t.taken = true
		return func() { s.endTurn(t) }, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-s.closed:
		err = errClosed
	}
	s.endTurn(t)
	return nil, err
}

// missed is deferred by who was to open a book: when that failed, the calls that
// came after it are not about the book that is still there.
func (s *Session) missed(ctx context.Context, err *error) {
	if a := arrivalOf(ctx); *err != nil && a != nil && a.mine != nil {
		s.mu.Lock()
		a.mine.failed = true
		s.mu.Unlock()
	}
}

// isReached waits for the openings that were to come before the call, and settles
// which book it is about.
func (s *Session) isReached(ctx context.Context, a *arrival) error {
	if a == nil || a.after == nil {
		return nil
	}
	select {
	case <-a.after.done:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return errClosed
	}
	a.number, a.missed = a.after.number, a.after.failed
	a.after = nil
	return nil
}

// adopts makes the book that the call has just opened the one it is about.
func (s *Session) adopts(ctx context.Context) {
	if a := arrivalOf(ctx); a != nil {
		s.mu.Lock()
		a.number = s.cur.number
		s.mu.Unlock()
	}
}

// independent are the tools for which it does not matter which book is open.
var independent = map[string]bool{"sandbox_open_book": true, "sandbox_delete_book": true, "sandbox_import_book": true, "sandbox_list_books": true, "sandbox_answer": true}

// otherBook is said when a call's book is no longer the open one.
const otherBook = "another book was opened meanwhile"

// about refuses a book that is not the one the call of ctx is about.
func about(ctx context.Context, snap snapshot) error {
	a := arrivalOf(ctx)
	if a == nil {
		return nil
	}
	if a.number == 0 {
		a.number = snap.number
	}
	if a.number != snap.number {
		return bridge.Refuse(otherBook + ": ask sandbox_get_state which one is open, and call again")
	}
	return nil
}

// isAnother reports whether the open book is not the one the call of ctx is about.
func (s *Session) isAnother(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := arrivalOf(ctx)
	return a != nil && a.number != s.cur.number
}
