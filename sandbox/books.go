package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// The session and the library: which book is open, and how another one is opened.

// heldElsewhere is said of a book that another window has.
const heldElsewhere = "the book is open in another window, which keeps it: here it can be looked at, searched, exported and copied (sandbox_save_book, copy_current). It can be changed here once that window closes it"

// mayChange refuses a change of a book that may only be looked at, and any while
// a question waits for its answer.
func (s *Session) mayChange() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.question != nil {
		return bridge.Refuse("a question waits for its answer before the book can be changed: %s Answer it with sandbox_answer", s.question.Text)
	}
	if s.barred != "" {
		return bridge.Refuse("nothing was changed: %s", s.barred)
	}
	return nil
}

// editedAs remembers whether a book is edited.
type editedAs struct {
	book, original *book.Book
	is             bool
}

// editedLocked reports whether the open sample differs from what is published;
// s.mu is held.
func (s *Session) editedLocked() bool {
	b := s.cur.book
	switch {
	case b == nil || b.Kind == "project":
		return false
	case s.original == nil: // changed, and published no more
		return true
	case s.edits.book != b || s.edits.original != s.original:
		s.edits = editedAs{b, s.original, edited(b, s.original)}
	}
	return s.edits.is
}

// openRef names the open book; zero when it is not of the library.
func (s *Session) openRef() Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened == nil {
		return Ref{}
	}
	return s.opened.Ref
}

// OpenBook opens a book of the library; the one being left is saved first. When
// it is open already nothing happens. Where it cannot be opened the book that
// was open stays.
func (s *Session) OpenBook(ctx context.Context, r Ref) (err error) {
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return err
	}
	defer done()
	defer s.missed(ctx, &err)
	return s.openBook(ctx, r, "", false)
}

// openBook does the work of OpenBook, for who may open; name is what the book is
// called while it loads, again opens it anew even if it is open.
func (s *Session) openBook(ctx context.Context, r Ref, name string, again bool) error {
	l := s.opts.Library
	if l == nil {
		return bridge.Refuse("there is only the one book here")
	}
	now := s.openRef()
	if !again && now.ID == r.ID && now.Kind == r.Kind && (r.Language == "" || now.Language == r.Language) {
		return nil
	}
	if name == "" {
		name = l.nameOf(ctx, r)
	}
	if err := s.Loading(ctx, name); err != nil {
		return asPartly(saveRefusal(err), "the open book could not be saved, so it stays open: ")
	}
	s.mu.Lock()
	left := s.opened
	s.mu.Unlock()
	if again && left != nil {
		left.Release()
	}
	o, err := l.Open(ctx, r)
	if err == nil {
		if err = s.install(o.Book, o.View, o.Original, o); err != nil {
			o.Release()
		}
	}
	if err != nil {
		if again && left != nil {
			if e := left.lock(ctx); e != nil {
				err = errors.Join(err, e)
			}
		}
		s.Resume()
		return err
	}
	s.adopts(ctx)
	if left != nil {
		left.Release()
	}
	s.remember(ctx, o.Ref)
	if !o.Held() {
		go s.waitForBook(o)
	}
	return nil
}

// remember notes which book is open, for the next visit.
func (s *Session) remember(ctx context.Context, r Ref) {
	if err := s.opts.Library.setOpen(ctx, r); err != nil {
		s.tell("the browser could not note which book is open: " + err.Error())
	}
}

// afterwards is how long the page that was here before may keep the book without being
// called another window.
const afterwards = 3 * time.Second

// waitForBook waits until another window lets go of the open book, and then
// opens it anew, as that window left it.
func (s *Session) waitForBook(o *Opened) {
	began := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.mu.Lock()
				here := s.opened == o && !s.ended
				s.mu.Unlock()
				if !here {
					cancel()
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	unlock, err := o.lib.Store.Lock(ctx, o.lockName(), true)
	if err != nil {
		return // another book is open by now, or the program ends
	}
	another := time.Since(began) > afterwards
	unlock() // opening takes it again
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return
	}
	defer done()
	s.mu.Lock()
	here := s.opened == o
	name := ""
	if s.cur.book != nil {
		name = s.cur.book.Name
	}
	view := s.view
	s.mu.Unlock()
	if !here {
		return
	}
	if err := s.openBook(context.Background(), o.Ref, name, true); err != nil {
		s.tell("the book could not be opened again after the other window closed it: " + err.Error())
		return
	}
	s.SetView(func(v *View) { *v = view }) // the reader stays where they were
	s.mu.Lock()
	free := s.barred == ""
	s.mu.Unlock()
	if free && another {
		s.tell("The other window has closed this book: it can be changed here now.")
	}
}

// tell sets the notice.
func (s *Session) tell(text string) {
	s.mu.Lock()
	s.notice = text
	s.mu.Unlock()
	s.changed()
}

// rescue keeps the open book as a copy of its own, when another window changed
// what is kept of it meanwhile: nobody's work is lost.
func (s *Session) rescue(ctx context.Context, k Kept) error {
	l := s.opts.Library
	if l == nil {
		return store.ErrConflict
	}
	copied := *k.Book
	copied.Name += " (from another window)"
	ref, err := l.Add(ctx, &copied, k.View, nil, "", func() error { return s.opts.Yield(ctx) })
	if err != nil {
		return err
	}
	o, err := l.Open(ctx, ref)
	if err != nil {
		return err
	}
	s.mu.Lock()
	left, same := s.opened, s.cur.book == k.Book
	s.mu.Unlock()
	if !same {
		// Something was typed meanwhile: the next save makes another copy.
		o.Release()
		if _, err := l.Delete(ctx, ref, ""); err != nil {
			return err
		}
		return store.ErrConflict
	}
	if err := s.install(o.Book, o.View, nil, o); err != nil {
		return err
	}
	if left != nil {
		left.Release()
	}
	s.remember(ctx, ref)
	s.tell(fmt.Sprintf("This book was changed in another window meanwhile. Your changes are kept in a copy of their own, %q, which is open now.", copied.Name))
	return nil
}

// Start opens the book a link asks for, else the one that was open last, else
// the sample a private source offers, else the built-in one.
func (s *Session) Start(ctx context.Context, link Ref) error {
	l := s.opts.Library
	if err := l.Migrate(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.tell(err.Error())
	}
	var tries []Ref
	linked := link.ID != ""
	if linked {
		tries = append(tries, link)
	}
	last, ok, err := l.Last(ctx)
	if err != nil {
		return err
	}
	if ok {
		tries = append(tries, last)
	} else if r, ok := l.byDefault(ctx); ok && link.ID == "" {
		tries = append(tries, r)
	}
	tries = append(tries, Ref{Kind: "sample", ID: BuiltIn})
	var failed error
	for _, r := range tries {
		done, err := s.onlyOpener(ctx)
		if err != nil {
			return err
		}
		if s.openRef() != (Ref{}) { // a call has opened one meanwhile: it is what is wanted now
			done()
			go s.tidy()
			return nil
		}
		err = s.openBook(ctx, r, "", false)
		done()
		if err == nil {
			if failed != nil {
				s.tellInstead(ctx, tries[0], linked, failed)
			}
			go s.tidy()
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed == nil {
			failed = err
		}
	}
	return failed
}

// Follow opens the book that a link names. When it cannot be opened the book that is
// open stays, and a notice says which was not found and which is open instead; found
// is false then.
func (s *Session) Follow(ctx context.Context, link Ref) (found bool, err error) {
	if err = s.OpenBook(ctx, link); err == nil || ctx.Err() != nil {
		return err == nil, err
	}
	s.tellInstead(ctx, link, true, err)
	return false, nil
}

// tellInstead sets the notice that another book is open than the one wanted, by a
// link or from the last visit. It goes when the next book opens.
func (s *Session) tellInstead(ctx context.Context, wanted Ref, linked bool, why error) {
	var text string
	reason := strings.TrimSuffix(why.Error(), ".") + ". "
	switch lacks := s.opts.Library.lacks(ctx, wanted); {
	case !linked:
		text = "The book that was open last could not be opened: " + reason
	case lacks && wanted.Kind == "project":
		text = "The link leads to the own book " + bridge.Quote(wanted.ID) + ", which is not in this browser. "
	case lacks:
		text = "The link leads to the sample book " + bridge.Quote(wanted.ID) + ", which is not on this site. "
	default:
		text = "The book that the link leads to could not be opened: " + reason
	}
	s.mu.Lock()
	if b := s.cur.book; b != nil {
		s.instead = text + bridge.Quote(b.Name) + " is open instead."
		s.notice = s.instead
	}
	s.mu.Unlock()
	s.changed()
}

// tidy clears the storage of what no book needs, when nothing else goes on.
func (s *Session) tidy() {
	select {
	case <-time.After(5 * time.Second):
	case <-s.closed:
		return
	}
	if err := s.opts.Library.Sweep(context.Background()); err != nil {
		if f := s.opts.Listener.Bug; f != nil {
			f(fmt.Errorf("clearing the storage: %w", err), nil)
		}
	}
}
