// Package sandbox is the open book and everything done to it: the session, its
// edits and their undo, the view, the storage, and the tools an agent calls
// (tools.md; sandbox.md 18 says what each action changes).
//
// One Session holds one open book. The book is a value (package book): a change
// makes a new one and publishes it together with a larger revision, so whoever
// reads holds a whole book, never half of an edit.
//
//   - Writers queue and run one after another; each keeps its place until it has
//     its answer, so calls are answered in the order of their effects.
//   - Readers take the book as it is between two writers.
//   - One goroutine lays out. A change cancels the layout under way and asks for
//     another; Layout waits for the one that belongs to the current revision.
//   - Looking (rendering, inspecting, searching) never moves the view.
//
// Offsets inside this package are bytes; the tools speak UTF-16 code units and
// convert at their border.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/engine"
	"postext/engine/font/catalogue"
	"postext/engine/frame"
	"postext/engine/paint"
	"postext/engine/settings"
)

// Typesetter turns books into pages; *engine.Typesetter is the one.
type Typesetter interface {
	Typeset(ctx context.Context, b *book.Book, o engine.Observer) (*engine.Result, error)
}

// Listener hears what happens in a session. Every field may be nil. The
// functions are called with no lock held, one at a time per kind, and must not
// wait.
type Listener struct {
	// Changed: the published state (State) is another one.
	Changed func()
	// Text: a chapter's text was changed by a tool; the whole new text is given.
	Text func(chapter, markdown string, revision int64)
	// Reveal: a tool moved the reader.
	Reveal func(Reveal)
	// Progress: a layout has done i of n chapters.
	Progress func(done, of int)
	// Bug explains an "internal error" that happened outside a call; its id, where
	// it has one, is in the error.
	Bug func(err error, stack []byte)
}

// Reveal says where a tool led the reader.
type Reveal struct {
	Panel    string `json:"panel,omitempty"` // opened, when not ""
	Chapter  string `json:"chapter"`         // id
	Offset   int    `json:"offset"`          // selection, UTF-16
	ToOffset int    `json:"toOffset"`
	Position int    `json:"position,omitempty"` // page among the chapter's, from 1
}

// Options set up a Session.
type Options struct {
	Typesetter Typesetter
	// Yield lets the host's event loop run during long work and returns ctx's
	// error once the work is no longer wanted; nil means only the latter.
	Yield func(ctx context.Context) error
	// Library is the reader's books; nil where there is only the one opened.
	Library *Library
	// Keeper keeps a book opened by Open; nil: it is not kept.
	Keeper   Keeper
	Listener Listener
	// Picture encodes pixels in a format Go does not write (WebP), or nil.
	Picture PictureEncoder
	// Fetch brings the bytes of an https: address, or nil where nothing may be
	// fetched; limit is the most bytes to take.
	Fetch func(ctx context.Context, url string, limit int) ([]byte, error)
	// Families lists the font families there are, or nil when unknown.
	Families func() []string
	// Catalogue brings the list of the open font catalogue, or nil where there is
	// none.
	Catalogue func(ctx context.Context) (catalogue.List, error)
	// Catalogued tells whether the files of a family of the catalogue can be had
	// here, once there is a Catalogue; nil when unknown.
	Catalogued func(f *catalogue.Family) bool
	// Show puts a picture on the screen of sandbox_render_page's show, or nil
	// where there is no screen.
	Show func(ctx context.Context, p Picture) (Shown, error)
	// Download hands a file to the person, or nil where nobody can take one.
	Download func(ctx context.Context, name, mime string, data []byte) error
	// Face names a font file of the book that its design does not, or nil.
	Face func(data []byte) (family string, weight int, italic bool, err error)
	// Unstored: the browser keeps nothing between two visits.
	Unstored bool
	// Notice is shown in the state until something is saved.
	Notice string
	// Build tells programs apart that may lay out differently: layout records are
	// believed only of the same one. "" keeps none.
	Build string
	// Revision is the last one an earlier session of the same window told: this one
	// counts on from it.
	Revision int64
	// SaveAnswered keeps a change of a tool before the call is answered: for a program
	// that may be ended at any moment, such as a worker.
	SaveAnswered bool
	// SaveAfter is the pause between the last change and its saving; 0 means one
	// second.
	SaveAfter time.Duration
}

// Session is the open book. Its methods may be called from any goroutine.
type Session struct {
	opts   Options
	writer chan struct{} // holds one token: the right to change the book
	wake   chan struct{} // a job is waiting for the layout goroutine
	closed chan struct{}
	visit  string // names this session
	aidsOf aidsCache
	began  beganCache
	// painters holds the one painter while nobody paints.
	painters chan *paint.Painter

	mu       sync.Mutex
	lastTurn *turn         // of those who open books
	pause    time.Duration // before the next attempt to find a font
	ready    chan struct{} // closed while a book is open
	waiting  string        // why not ready, in a sentence
	cur      snapshot
	original *book.Book // as published, to tell whether it was edited
	opened   *Opened    // the open book of the library, or nil
	keeper   Keeper     // keeps the open book, or nil
	barred   string     // why the book may only be looked at, or ""
	edits    editedAs
	view     View
	undo     undoList
	recent   []Call
	fontList catalogue.List // the open catalogue, once it was asked for
	// foreign is what the book's configurations held that no setting is, foreignIn
	// the last configuration that was looked at.
	foreign   settings.Foreign
	foreignIn []byte
	save      saver
	notice    string
	instead   string    // the notice that another book is open than was wanted
	question  *Question // waits for an answer
	newer     bool      // the open sample has been published anew
	coverDue  bool      // a cover is going to be made
	noCover   bool      // the reader took the cover away during this visit
	// saveFailed: the notice tells that saving failed, and goes once it works.
	saveFailed bool
	ended      bool
	counts     map[string]counted // words, by chapter id
	rows       rowList            // the list of chapters told last
	texts      map[string]TextAt  // when a chapter's text was last changed
	removed    []Removed          // chapters taken out, the last one last
	records    layoutState
	checks     checks
	// exportedLast is a file too long for one answer, kept for its further parts.
	exportedLast *exported
	// folds are the chapters folded for the search, foldsSize the bytes of text in
	// them, ahead the opening whose chapters were folded ahead of any search.
	folds            map[*book.Chapter]foldedChapter
	foldsSize, ahead int
}

// snapshot is the book at one revision.
type snapshot struct {
	book *book.Book
	rev  int64
	job  *job
	// opening counts the books opened; number does, too, but the book that is open
	// already and is opened anew (published anew, let go of by another window, taken
	// back to its original) keeps its own: a call is about one of them only.
	opening, number int
}

// Call is one of the last calls of tools.
type Call struct {
	Tool     string `json:"tool"`
	Revision int64  `json:"revision"`
	Outcome  string `json:"outcome"`
	MS       int64  `json:"ms"`
}

// New makes a session with no book yet: its tools wait until Open.
func New(opts Options) *Session {
	if opts.SaveAfter == 0 {
		opts.SaveAfter = time.Second
	}
	if opts.Yield == nil {
		opts.Yield = func(ctx context.Context) error { return ctx.Err() }
	}
	s := &Session{
		opts:     opts,
		writer:   make(chan struct{}, 1),
		wake:     make(chan struct{}, 1),
		closed:   make(chan struct{}),
		visit:    fmt.Sprintf("%08x", rand.Uint32()),
		painters: make(chan *paint.Painter, 1),
		counts:   map[string]counted{},
		folds:    map[*book.Chapter]foldedChapter{},
		texts:    map[string]TextAt{},
		notice:   opts.Notice,
		ready:    make(chan struct{}),
		waiting:  "the typesetter is loading",
		view:     startView,
	}
	s.cur.rev = max(opts.Revision, 0)
	s.writer <- struct{}{}
	s.painters <- new(paint.Painter)
	s.lastTurn = &turn{done: make(chan struct{})}
	close(s.lastTurn.done)
	go s.layouts()
	return s
}

// Wait says why the session is not ready; it is shown by sandbox_get_state and
// ends at the next Open.
func (s *Session) Wait(why string) {
	s.mu.Lock()
	s.waiting = why
	s.mu.Unlock()
	s.changed()
}

// Loading closes the session's doors until Open: nothing can be changed any more,
// what is open is saved, and tools wait. When it cannot be saved the doors open
// again.
func (s *Session) Loading(ctx context.Context, name string) error {
	for shut := false; !shut; {
		s.mu.Lock()
		if s.isOpenLocked() {
			s.ready = make(chan struct{})
		}
		s.waiting = fmt.Sprintf("the book %q is loading", name)
		s.mu.Unlock()
		if err := s.Save(ctx); err != nil {
			s.Resume()
			return err
		}
		s.mu.Lock()
		shut = !s.isOpenLocked() // saving opens a copy when another window kept the book
		s.mu.Unlock()
	}
	s.changed()
	return nil
}

// isOpenLocked reports whether the doors are open; s.mu is held.
func (s *Session) isOpenLocked() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// Open opens a book that has at least one chapter, with the view it was left
// with (nil: the first chapter). original is the book as published when b is a
// changed copy of it, else nil.
func (s *Session) Open(b *book.Book, view *View, original *book.Book) error {
	return s.install(b, view, original, nil)
}

// install makes a book the open one; o is its place in the library, or nil.
func (s *Session) install(b *book.Book, view *View, original *book.Book, o *Opened) error {
	if len(b.Chapters) == 0 {
		return errors.New("a book has at least one chapter")
	}
	b, err := canonical(b)
	if err != nil {
		return err
	}
	if original == nil {
		if o == nil || o.Ref.Kind != "sample" {
			original = b
		}
	} else if original, err = canonical(original); err != nil {
		return err
	}
	s.mu.Lock()
	if o == nil || s.opened == nil || o.Ref != s.opened.Ref {
		s.cur.number++
	}
	s.original, s.opened, s.keeper, s.barred = original, o, s.opts.Keeper, ""
	if o != nil {
		s.keeper = o
		if !o.Held() {
			s.barred = heldElsewhere
		}
	}
	s.question, s.noCover, s.coverDue = nil, false, false
	if s.notice == s.instead {
		s.notice, s.instead = "", ""
	}
	s.undo = undoList{}
	s.removed = nil
	s.untellNewer()
	if o != nil {
		s.removed = o.Removed
		if o.Changed && o.Edition != "" && o.Published != "" && o.Edition != o.Published && edited(b, original) {
			s.tellNewer(b)
		}
	}
	s.records.now, s.records.cold = nil, true
	if o != nil {
		s.records.now = s.parseLayouts(o.layouts)
	}
	clear(s.texts)
	clear(s.counts)
	clear(s.folds)
	s.foreign, s.foreignIn = nil, nil
	s.foldsSize = 0
	s.cur.opening++
	window, was := s.view, s.cur.book != nil
	s.view = startView
	if view != nil {
		s.view = *view
	}
	if was {
		// How the window is arranged is the reader's, whatever book is in it; the
		// book's own are chapter, page and scope.
		window.Chapter, window.Position, window.Scope = s.view.Chapter, s.view.Position, s.view.Scope
		s.view = window
	}
	s.view.settle(b)
	s.waiting = ""
	if o != nil {
		// The revision goes on where the book was left: an agent whose page was loaded
		// again can tell whether its last change is in (tools.md 1).
		s.cur.rev = max(s.cur.rev, o.revision()-1)
	}
	s.put(b)
	select {
	case <-s.ready:
	default:
		close(s.ready)
	}
	s.save.clean = true
	s.mu.Unlock()
	s.changed()
	return nil
}

// Resume opens the session's doors again with the book that was open before
// Loading, when the next one could not be had; without one it stays shut.
func (s *Session) Resume() {
	s.mu.Lock()
	if s.cur.book != nil {
		s.waiting = ""
		select {
		case <-s.ready:
		default:
			close(s.ready)
		}
	}
	s.mu.Unlock()
	s.changed()
}

// canonical brings the book's configuration into the form that settings write,
// so that taking a change back gives the same bytes.
func canonical(b *book.Book) (*book.Book, error) {
	b, err := settings.Modernise(b)
	if err != nil {
		return nil, err
	}
	tree, err := settings.Parse(b.Config)
	if err != nil {
		return nil, fmt.Errorf("the configuration of the book: %w", err)
	}
	return b.WithConfig(tree.Marshal())
}

// Close saves and ends the session.
func (s *Session) Close(ctx context.Context) error {
	err := s.Save(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened != nil {
		defer s.opened.Release()
	}
	if !s.ended {
		s.ended = true
		close(s.closed)
		if s.cur.job != nil {
			s.cur.job.cancel()
		}
		s.save.stop()
		if s.records.timer != nil {
			s.records.timer.Stop()
		}
	}
	return err
}

// put publishes a book under the next revision; s.mu is held.
func (s *Session) put(b *book.Book) {
	old := s.cur.job
	s.cur = snapshot{book: b, rev: s.cur.rev + 1, opening: s.cur.opening, number: s.cur.number, job: newJob(b, s.cur.rev+1)}
	if old != nil {
		old.cancel()
		if !old.begun { // nobody will begin it now: who waits for it goes on
			old.begun = true
			old.err = context.Canceled
			old.hasMoved()
			close(old.done)
		}
	}
	s.wakeLayouts()
}

// await waits until a book is open and gives it. A call of a tool gets the book
// it is about, or a refusal.
func (s *Session) await(ctx context.Context) (snapshot, error) {
	if err := s.isReached(ctx, arrivalOf(ctx)); err != nil {
		return snapshot{}, err
	}
	for {
		s.mu.Lock()
		ready := s.ready
		snap := s.cur
		s.mu.Unlock()
		select {
		case <-ready:
			return snap, about(ctx, snap)
		default:
		}
		select {
		case <-ready:
		case <-ctx.Done():
			return snapshot{}, ctx.Err()
		case <-s.closed:
			return snapshot{}, errClosed
		}
	}
}

var errClosed = errors.New("the session has ended")

// Book gives the open book and its revision; it waits while none is open.
func (s *Session) Book(ctx context.Context) (*book.Book, int64, error) {
	snap, err := s.await(ctx)
	return snap.book, snap.rev, err
}

// changed tells the listener that the published state is another one.
func (s *Session) changed() {
	if f := s.opts.Listener.Changed; f != nil {
		f()
	}
}

// job is the layout of one revision.
type job struct {
	rev    int64
	book   *book.Book
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when res or err is set
	res    *engine.Result
	err    error

	// Guarded by Session.mu: the chapters done so far, and a channel that is
	// closed at the next; nil while nobody waits for it.
	begun    bool
	retry    bool // it is for fonts that can be had again
	chapters []*frame.Chapter
	moved    chan struct{}
	// known is what layout records say of the first chapters, early a chapter laid
	// out before its turn.
	known []engine.KnownPages
	early *frame.Chapter
}

// next is closed when there are more chapters; Session.mu is held.
func (j *job) next() <-chan struct{} {
	if j.moved == nil {
		j.moved = make(chan struct{})
	}
	return j.moved
}

// hasMoved tells who waits that there are more chapters; Session.mu is held.
func (j *job) hasMoved() {
	if j.moved != nil {
		close(j.moved)
		j.moved = nil
	}
}

// layouts is the layout goroutine.
func (s *Session) layouts() {
	for {
		select {
		case <-s.wake:
		case <-s.closed:
			return
		}
		s.mu.Lock()
		j := s.cur.job
		begun := j == nil || j.begun
		if !begun {
			j.begun = true
		}
		s.mu.Unlock()
		if begun {
			continue
		}
		res, err := s.typeset(j)
		s.mu.Lock()
		j.res, j.err = res, err
		if res != nil {
			j.chapters = res.Frames.Chapters
			j.early = nil
			if s.cur.job == j {
				s.records.cold = false
			}
		}
		j.hasMoved()
		close(j.done)
		s.tryLater(j)
		s.mu.Unlock()
		if res != nil {
			s.rememberLayout(j, res.Records)
		}
		j.cancel()
		s.changed()
		s.mu.Lock()
		first := err == nil && s.ahead != s.cur.opening
		if first {
			s.ahead = s.cur.opening
		}
		s.mu.Unlock()
		if first {
			go s.foldAhead(j.book)
		}
	}
}

// typeset runs one layout; a panic in it is an error of that book only.
func (s *Session) typeset(j *job) (res *engine.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("laying out: %v", p)
			if f := s.opts.Listener.Bug; f != nil {
				f(err, debug.Stack())
			}
		}
	}()
	s.mu.Lock()
	records, wanted := s.records.now, positionOf(j.book, s.view.Chapter)-1
	if !s.records.cold {
		records = nil // what the typesetter has in hand is better
	}
	s.mu.Unlock()
	return s.opts.Typesetter.Typeset(j.ctx, j.book, engine.Observer{
		Bug:     s.opts.Listener.Bug,
		Retry:   j.retry,
		Records: records,
		Wanted:  wanted,
		Known: func(pages []engine.KnownPages) {
			s.mu.Lock()
			j.known = pages
			s.mu.Unlock()
			s.changed()
		},
		Early: func(_ int, c *frame.Chapter) {
			s.mu.Lock()
			j.early = c
			j.hasMoved()
			s.mu.Unlock()
			s.changed()
		},
		Chapter: func(i, of int, c *frame.Chapter, fresh bool) {
			s.mu.Lock()
			if i == len(j.chapters) {
				j.chapters = append(j.chapters, c)
				j.hasMoved()
			}
			known := len(j.chapters)
			s.mu.Unlock()
			if f := s.opts.Listener.Progress; f != nil && (fresh || known == of) {
				f(known, of)
			}
		},
	})
}

// Settled is a book with its pages.
type Settled struct {
	Book     *book.Book
	Revision int64
	*engine.Result
}

// Layout waits for the pages of the current revision; when the book changes
// meanwhile, for those of the newer one.
func (s *Session) Layout(ctx context.Context) (*Settled, error) {
	for again := true; ; {
		snap, err := s.await(ctx)
		if err != nil {
			return nil, err
		}
		select {
		case <-snap.job.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.closed:
			return nil, errClosed
		}
		if snap.job.err == nil {
			return &Settled{snap.book, snap.rev, snap.job.res}, nil
		}
		s.mu.Lock()
		stale := s.cur.job != snap.job
		s.mu.Unlock()
		switch {
		case stale:
		case again && isFontless(snap.job.err):
			again = false
			s.layAgain(snap.job)
		default:
			return nil, unlaid(snap.job.err)
		}
	}
}

// unlaid is why there are no pages, in words when it is the book's own doing, a
// stored configuration that does not resolve, as a damaged file may hold; or when
// no font is in reach.
func unlaid(err error) error {
	var f settings.Faults
	if errors.As(err, &f) {
		return bridge.Refuse("the book has no pages, because its design does not work out. %s Set it with sandbox_set_config", f.Error())
	}
	var none *engine.NoFont
	if errors.As(err, &none) {
		return bridge.Refuse("the book has no pages, because no font can be had: %v. It is tried again by itself, and by every call that needs pages", none.Cause)
	}
	return err
}

// chapterFrames waits for the pages of one chapter only, which may come long
// before those of the whole book. It is for painting the screen.
func (s *Session) chapterFrames(ctx context.Context, id string) (snapshot, *frame.Chapter, error) {
	for again := true; ; {
		snap, err := s.await(ctx)
		if err != nil {
			return snap, nil, err
		}
		s.mu.Lock()
		stale := s.cur.job != snap.job
		moved := snap.job.next()
		at := slices.IndexFunc(snap.job.chapters, func(c *frame.Chapter) bool { return c.ID == id })
		c := snap.job.early
		if at >= 0 {
			c = snap.job.chapters[at]
		} else if c != nil && c.ID != id {
			c = nil
		}
		s.mu.Unlock()
		if stale {
			continue
		}
		if c != nil {
			return snap, c, nil
		}
		select {
		case <-snap.job.done:
			if snap.job.err == nil {
				return snap, nil, fmt.Errorf("the pages of chapter %q are missing", id)
			}
			if again && isFontless(snap.job.err) {
				again = false
				s.layAgain(snap.job)
				continue
			}
			if !errors.Is(snap.job.err, context.Canceled) {
				return snap, nil, unlaid(snap.job.err)
			}
			select {
			case <-ctx.Done():
				return snap, nil, ctx.Err()
			case <-s.closed:
				return snap, nil, errClosed
			default:
				continue
			}
		default:
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return snap, nil, ctx.Err()
		case <-s.closed:
			return snap, nil, errClosed
		}
	}
}
