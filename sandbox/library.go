package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// BuiltIn is the sample that is there always.
const BuiltIn = "postext-guide"

// Ref names a book: an own one by its id, a sample by id and language.
type Ref struct {
	Kind     string `json:"kind"` // sample, project
	ID       string `json:"id"`
	Language string `json:"language,omitempty"`
}

// name is a book's key in its table.
func (r Ref) name() string {
	if r.Kind == "project" {
		return r.ID
	}
	return r.ID + " " + r.Language
}

func (r Ref) table() store.Table {
	if r.Kind == "project" {
		return store.Projects
	}
	return store.Drafts
}

func (r Ref) key() store.Key { return store.Key{Table: r.table(), Name: r.name()} }

// Sample is a sample book as its source lists it.
type Sample struct {
	ID          string
	Name        string
	Author      string
	Description string
	Languages   []string // in the source's order; may be empty
	Open        string   // the language to open when none is asked for
	Licence     string
	Credits     string
	Private     bool
	Folder      bool   // of the reader: read anew while it is served
	Default     bool   // opened by itself in a Sandbox nobody has used yet
	Cover       string // address of a picture, or ""
}

// SampleOf is the sample that a row of a site's list of books speaks of.
func SampleOf(l *book.Listing) Sample {
	return Sample{ID: l.ID, Name: l.Name, Author: l.Author, Description: l.Description, Languages: l.Editions(),
		Licence: l.Licence, Credits: l.Credits, Folder: l.Live}
}

// Samples is where sample books come from.
type Samples interface {
	// List lists the samples there are now.
	List(ctx context.Context) ([]Sample, error)
	// Load reads a sample in one of its languages, as published; Kind is
	// "sample". A Refusal says that there is no such sample.
	Load(ctx context.Context, id, language string) (*book.Book, error)
	// Edition tells the published states of a sample apart; "" when its source
	// is not followed.
	Edition(ctx context.Context, id string) (string, error)
}

// Library is the reader's books: own ones, samples with the reader's changes,
// and what is remembered of them.
type Library struct {
	Store   store.Store
	Samples Samples
	// Language is the interface's; Now the clock (nil: the system's).
	Language string
	Now      func() time.Time

	clock atomic.Int64 // what it said last, in milliseconds
}

func (l *Library) now() time.Time {
	if l.Now != nil {
		return l.Now().UTC()
	}
	for {
		// No two answers are the same, so that what was made later comes later.
		last := l.clock.Load()
		ms := max(time.Now().UnixMilli(), last+1)
		if l.clock.CompareAndSwap(last, ms) {
			return time.UnixMilli(ms).UTC()
		}
	}
}

// Names in the table Meta.
const (
	openName   = "open"   // the Ref of the book open last
	hiddenName = "hidden" // ids of samples not shown
	commitName = "commit" // another value after every change
	viewName   = "view "  // + name: how an unchanged sample was looked at
)

func metaKey(name string) store.Key { return store.Key{Table: store.Meta, Name: name} }

// commit makes a change, and marks that there was one (see Sweep).
func (l *Library) commit(ctx context.Context, b store.Batch) error {
	b.Puts = append(slices.Clone(b.Puts), store.Put{Key: metaKey(commitName), Data: []byte(strconv.FormatUint(rand.Uint64(), 36))})
	err := l.Store.Commit(ctx, b)
	if !errors.Is(err, store.ErrQuota) {
		return err
	}
	// Deleted books make room first.
	freed, e := l.emptyTrash(ctx)
	if e != nil || !freed {
		return err
	}
	return l.Store.Commit(ctx, b)
}

// readRecord reads a book's record and its bytes; nil when there is none.
func (l *Library) readRecord(ctx context.Context, k store.Key) (*record, []byte, error) {
	data, err := l.Store.Get(ctx, k)
	if err != nil || data == nil {
		return nil, nil, err
	}
	r := new(record)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, data, fmt.Errorf("what is kept of the book %q cannot be read: %w", k.Name, err)
	}
	return r, data, nil
}

// records reads all of a table; records that cannot be read are left out and
// told in bad.
func (l *Library) records(ctx context.Context, t store.Table) (list []*record, names []string, bad error, err error) {
	keys, err := l.Store.Keys(ctx, t)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, name := range keys {
		r, data, e := l.readRecord(ctx, store.Key{Table: t, Name: name})
		if e != nil && data == nil {
			return nil, nil, nil, e
		}
		if e != nil {
			bad = errors.Join(bad, e)
			continue
		}
		if r != nil {
			list, names = append(list, r), append(names, name)
		}
	}
	return list, names, bad, nil
}

// Last is the book that was open last; false when none was.
func (l *Library) Last(ctx context.Context) (Ref, bool, error) {
	data, err := l.Store.Get(ctx, metaKey(openName))
	if err != nil || data == nil {
		return Ref{}, false, err
	}
	var r Ref
	if json.Unmarshal(data, &r) == nil && r.ID != "" {
		return r, true, nil
	}
	kind, id, ok := strings.Cut(string(data), "/") // the first issue's form
	return Ref{Kind: kind, ID: id}, ok && id != "", nil
}

// Opened is a book that is open here: it holds the book's lock, if it could be
// had, and keeps the book.
type Opened struct {
	lib *Library
	Ref Ref
	// Book and the rest are as they were found.
	Book     *book.Book
	Original *book.Book
	View     *View
	Removed  []Removed
	// Edition is the published state that the book was made from, Published the
	// one there is now; "" for samples that are not followed.
	Edition, Published string
	// Changed: what is kept differs from what is published.
	Changed bool

	mu     sync.Mutex
	unlock func() // nil: another window has the book
	shelf  shelf
	rec    *record
	head   []byte          // the record's bytes as stored
	stored map[string]bool // what that record needs
	left   map[string]Left // how the chapters were left by the visit before
	// layouts are the layout records kept of it, or nil.
	layouts []byte
}

// Held reports whether the book is this window's to change.
func (o *Opened) Held() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.unlock != nil
}

// revision is the one at which the book was kept, 0 for one that never was.
func (o *Opened) revision() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.rec == nil {
		return 0
	}
	return o.rec.Revision
}

// Release lets the book go to another window.
func (o *Opened) Release() {
	o.mu.Lock()
	unlock := o.unlock
	o.unlock = nil
	o.mu.Unlock()
	if unlock != nil {
		unlock()
	}
}

// patience is how long the lock of a book is waited for: a page that is being
// reloaded lets go of it a moment later.
const patience = 700 * time.Millisecond

// resolve completes the name of a book: the language of a sample.
func (l *Library) resolve(ctx context.Context, r Ref, samples []Sample) (Ref, error) {
	if r.Kind == "project" {
		r.Language = ""
		return r, nil
	}
	r.Kind = "sample"
	asked := r.Language
	at := slices.IndexFunc(samples, func(s Sample) bool { return s.ID == r.ID })
	if at < 0 {
		// No source serves it: a draft may be there all the same.
		if asked == "" {
			r.Language = l.newestDraft(ctx, r.ID, nil, "")
		}
		return r, nil
	}
	s := samples[at]
	switch {
	case asked != "":
		r.Language = book.PickLanguage(asked, s.Languages, s.Open)
	default:
		r.Language = book.PickLanguage(cmp.Or(s.Open, l.Language), s.Languages, s.Open)
		if rec, _, err := l.readRecord(ctx, r.key()); err == nil && rec == nil {
			// Changed only in another language: that one opens.
			r.Language = l.newestDraft(ctx, r.ID, s.Languages, r.Language)
		}
	}
	return r, nil
}

// newestDraft is the language of the draft of a sample that was changed last,
// among those it has (nil: any); else fallback.
func (l *Library) newestDraft(ctx context.Context, id string, languages []string, fallback string) string {
	keys, err := l.Store.Keys(ctx, store.Drafts)
	if err != nil {
		return fallback
	}
	var newest time.Time
	found := fallback
	for _, k := range keys {
		language, ok := strings.CutPrefix(k, id+" ")
		if !ok || languages != nil && !slices.Contains(languages, language) {
			continue
		}
		r, _, err := l.readRecord(ctx, store.Key{Table: store.Drafts, Name: k})
		if err == nil && r != nil && r.UpdatedAt.After(newest) {
			newest, found = r.UpdatedAt, language
		}
	}
	return found
}

// Open reads a book, with what is kept of it, and takes its lock if it can.
func (l *Library) Open(ctx context.Context, r Ref) (o *Opened, err error) {
	var samples []Sample
	var listed error
	if r.Kind != "project" {
		if samples, listed = l.Samples.List(ctx); listed != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if r, err = l.resolve(ctx, r, samples); err != nil {
		return nil, err
	}
	o = &Opened{lib: l, Ref: r}
	if err := o.lock(ctx); err != nil {
		return nil, err
	}
	held := o // what is returned with an error is nil
	defer func() {
		if err != nil {
			held.Release()
		}
	}()
	if o.rec, o.head, err = l.readRecord(ctx, r.key()); err != nil {
		return nil, err
	}
	if o.layouts, err = l.Store.Get(ctx, r.layoutsKey()); err != nil {
		return nil, err
	}
	if r.Kind == "project" {
		if o.rec == nil {
			return nil, l.unknown(ctx, r.ID)
		}
		return o, o.fill(ctx)
	}
	edition, err := l.Samples.Edition(ctx, r.ID)
	if err != nil {
		edition = "" // not followed then
	}
	original, err := l.Samples.Load(ctx, r.ID, r.Language)
	switch {
	case err == nil:
		original.Kind, original.ID, original.Language = "sample", r.ID, cmp.Or(original.Language, r.Language)
		o.Original, o.Edition, o.Published = original, edition, edition
	case o.rec == nil:
		return nil, cmp.Or(listed, err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return o, o.fill(ctx)
}

// lock takes the book's lock; when somebody has it for longer than a moment the book
// is only to be looked at. It is asked for, not waited for: a browser with much to do
// may answer late, and that is no other window.
func (o *Opened) lock(ctx context.Context) error {
	var held time.Time // when somebody was first found to have it
	for {
		unlock, err := o.lib.Store.Lock(ctx, o.lockName(), false)
		switch {
		case err == nil:
			o.unlock = unlock
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, store.ErrHeld):
			return err
		case held.IsZero():
			held = time.Now()
		case time.Since(held) > patience:
			return nil
		}
		select {
		case <-time.After(patience / 16):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (o *Opened) lockName() string { return string(o.Ref.table()) + "/" + o.Ref.name() }

// fill makes the book of what was read.
// Read reads an own book as it is kept, or a sample as it is published, without
// opening it: no lock is taken, and nothing can be kept of it.
func (l *Library) Read(ctx context.Context, r Ref) (*book.Book, error) {
	o := &Opened{lib: l, Ref: r}
	var err error
	if o.rec, _, err = l.readRecord(ctx, r.key()); err != nil {
		return nil, err
	}
	if r.Kind == "project" {
		if o.rec == nil {
			return nil, l.unknown(ctx, r.ID)
		}
		err = o.fill(ctx)
		return o.Book, err
	}
	if o.Original, err = l.Samples.Load(ctx, r.ID, r.Language); err != nil {
		return nil, err
	}
	return o.Original, nil
}

func (o *Opened) fill(ctx context.Context) error {
	var err error
	if o.rec != nil {
		if o.Book, o.Removed, err = o.shelf.read(ctx, o.lib.Store, o.rec, o.Original); err != nil {
			return err
		}
		view := o.rec.View
		o.View, o.Changed = &view, true
		if o.rec.Edition != "" {
			o.Edition = o.rec.Edition
		}
		o.rec.Spare = nil
		o.left = map[string]Left{}
		for _, c := range o.rec.Chapters {
			o.left[c.ID] = Left{o.rec.Visit, c.Changed}
		}
		o.stored = storedBy(o.rec)
		return nil
	}
	o.Book = o.Original
	data, err := o.lib.Store.Get(ctx, metaKey(viewName+o.Ref.name()))
	if err != nil {
		return err
	}
	if data != nil {
		view := startView
		if err := json.Unmarshal(data, &view); err != nil {
			return fmt.Errorf("how the book was shown: %w", err)
		}
		o.View = &view
	}
	return nil
}

func storedBy(r *record) map[string]bool {
	texts, blobs := r.hashes()
	set := make(map[string]bool, len(texts)+len(blobs))
	for _, h := range slices.Concat(texts, blobs) {
		set[h] = true
	}
	return set
}

// Keep keeps the open book, whole or not at all. A sample that is as it was
// published keeps only how it is shown. An error that matches store.ErrConflict
// says that another window changed what is kept meanwhile.
func (o *Opened) Keep(ctx context.Context, k Kept, pause func() error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unlock == nil {
		return errors.New("the book is open in another window, which keeps it")
	}
	l := o.lib
	open, err := json.Marshal(o.Ref)
	if err != nil {
		return err
	}
	b := store.Batch{Puts: []store.Put{{Key: metaKey(openName), Data: open}}}
	b.Guards = []store.Guard{{Key: o.Ref.key(), Want: o.head}}
	if o.Ref.Kind == "sample" && k.Original != nil && !edited(k.Book, k.Original) {
		view, err := json.Marshal(k.View)
		if err != nil {
			return err
		}
		b.Puts = append(b.Puts, store.Put{Key: metaKey(viewName + o.Ref.name()), Data: view})
		if o.head != nil {
			b.Deletes = append(b.Deletes, o.Ref.key())
		}
		if err := l.commit(ctx, b); err != nil {
			return err
		}
		o.rec, o.head, o.stored = nil, nil, nil
		return nil
	}
	w, err := o.shelf.write(k, o.rec, o.stored, l.now(), pause)
	if err != nil {
		return err
	}
	if o.Ref.Kind == "sample" {
		w.Edition = o.Edition
	}
	w.Language = cmp.Or(w.Language, o.Ref.Language)
	head, err := json.Marshal(&w.record)
	if err != nil {
		return err
	}
	b.Puts = append(b.Puts, w.batch()...)
	b.Puts = append(b.Puts, store.Put{Key: o.Ref.key(), Data: head})
	if err := l.commit(ctx, b); err != nil {
		return err
	}
	o.rec, o.head, o.stored = &w.record, head, storedBy(&w.record)
	return nil
}

// batch is what the record needs stored, in a fixed order.
func (w *written) batch() []store.Put {
	var list []store.Put
	for k, data := range w.puts {
		list = append(list, store.Put{Key: k, Data: data})
	}
	slices.SortFunc(list, func(a, b store.Put) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// freshBookID makes an id for an own book.
func freshBookID() string { return fmt.Sprintf("p%012x", rand.Uint64()>>16) }

// Add keeps a book as a new own one and gives its name. Chapters get fresh ids.
func (l *Library) Add(ctx context.Context, b *book.Book, view View, source *Ref, origin string, pause func() error) (Ref, error) {
	n := *b
	n.Kind, n.ID = "project", freshBookID()
	n.Chapters = slices.Clone(b.Chapters)
	for i, c := range n.Chapters {
		d := *c
		d.ID = freshID(&n)
		n.Chapters[i] = &d
		if c.ID == view.Chapter {
			view.Chapter = d.ID
		}
	}
	if pause == nil {
		pause = ctx.Err
	}
	ref := Ref{Kind: "project", ID: n.ID}
	var s shelf
	w, err := s.write(Kept{Book: &n, View: view}, nil, nil, l.now(), pause)
	if err != nil {
		return ref, err
	}
	w.Source, w.Origin = source, origin
	head, err := json.Marshal(&w.record)
	if err != nil {
		return ref, err
	}
	return ref, l.commit(ctx, store.Batch{Guards: []store.Guard{{Key: ref.key()}}, Puts: append(w.batch(), store.Put{Key: ref.key(), Data: head})})
}

// unknown refuses the id of an own book that is not there.
func (l *Library) unknown(ctx context.Context, id string) error {
	list, names, _, err := l.records(ctx, store.Projects)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return bridge.Refuse("there is no own book %s; there are none yet: sandbox_save_book makes one (copy_current, new_blank)", bridge.Quote(id))
	}
	shown := map[string]string{}
	for i, r := range list {
		shown[names[i]] = names[i] + " " + bridge.Quote(r.Name)
	}
	near := bridge.Nearest(id, names)
	for i := range near {
		near[i] = shown[near[i]]
	}
	return bridge.Refuse("there is no own book %s; the own books: %s", bridge.Quote(id), bridge.Choices(near, "sandbox_list_books"))
}

// lacks reports whether a book is certainly not there, neither kept nor published.
func (l *Library) lacks(ctx context.Context, r Ref) bool {
	if r.Kind == "project" {
		rec, data, err := l.readRecord(ctx, r.key())
		return err == nil && data == nil && rec == nil
	}
	samples, err := l.Samples.List(ctx)
	return err == nil && !slices.ContainsFunc(samples, func(s Sample) bool { return s.ID == r.ID })
}

// find looks an own book up by id or, failing that, by name.
func (l *Library) find(ctx context.Context, id string) (Ref, error) {
	list, names, _, err := l.records(ctx, store.Projects)
	if err != nil {
		return Ref{}, err
	}
	if slices.Contains(names, id) {
		return Ref{Kind: "project", ID: id}, nil
	}
	var found []string
	for i, r := range list {
		if foldText(r.Name) == foldText(id) {
			found = append(found, names[i])
		}
	}
	switch len(found) {
	case 1:
		return Ref{Kind: "project", ID: found[0]}, nil
	case 0:
		return Ref{}, l.unknown(ctx, id)
	}
	return Ref{}, bridge.Refuse("%d own books are called %s: give the id, one of %s", len(found), bridge.Quote(id), bridge.Choices(found, "sandbox_list_books"))
}

// setOpen notes the book that is open, for the next visit.
func (l *Library) setOpen(ctx context.Context, r Ref) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return l.Store.Commit(ctx, store.Batch{Puts: []store.Put{{Key: metaKey(openName), Data: data}}})
}

// nameOf is what a book is called, for a message while it loads.
func (l *Library) nameOf(ctx context.Context, r Ref) string {
	if r.Kind == "project" {
		if rec, _, err := l.readRecord(ctx, r.key()); err == nil && rec != nil {
			return rec.Name
		}
		return r.ID
	}
	if samples, err := l.Samples.List(ctx); err == nil {
		for _, s := range samples {
			if s.ID == r.ID {
				return s.Name
			}
		}
	}
	return r.ID
}

// byDefault is the sample that opens by itself in a Sandbox nobody has used yet:
// of several the one in the interface's language.
func (l *Library) byDefault(ctx context.Context) (Ref, bool) {
	samples, err := l.Samples.List(ctx)
	if err != nil {
		return Ref{}, false // the built-in one will do
	}
	best, found := Ref{}, false
	for _, s := range samples {
		if !s.Default || !s.Private {
			continue
		}
		match := slices.ContainsFunc(s.Languages, func(t string) bool { return sameLanguage(t, l.Language) })
		if !found || match {
			best, found = Ref{Kind: "sample", ID: s.ID}, true
			if match {
				break
			}
		}
	}
	return best, found
}

func sameLanguage(a, b string) bool {
	x, _, _ := strings.Cut(strings.ToLower(a), "-")
	y, _, _ := strings.Cut(strings.ToLower(b), "-")
	return x == y
}
