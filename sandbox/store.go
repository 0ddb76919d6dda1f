package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"postext/book"
)

// Store keeps one open book between visits.
type Store interface {
	// Load gives the kept record, or nil when there is none.
	Load(ctx context.Context) (*Record, error)
	// Save keeps the record in place of the one before, whole or not at all. An
	// error that matches ErrQuota means there is no room.
	Save(ctx context.Context, r *Record) error
}

// ErrQuota is the error of a store that is full.
var ErrQuota = errors.New("the storage is full")

// recordVersion is the number of the record's form.
const recordVersion = 1

// Record is the open book as kept: what a reload needs, never files.
type Record struct {
	Version  int    `json:"version"`
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Name     string `json:"name"`
	Language string `json:"language,omitempty"`
	Title    string `json:"title,omitempty"`
	Subtitle string `json:"subtitle,omitempty"`
	Author   string `json:"author,omitempty"`
	// Chapters and Config are empty for a book that is as it was published: then
	// only the view is kept, and a newer edition shows.
	Chapters []RecordChapter `json:"chapters,omitempty"`
	Config   json.RawMessage `json:"config,omitempty"`
	View     View            `json:"view"`
	Revision int64           `json:"revision"`
}

// RecordChapter is one chapter of a Record.
type RecordChapter struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Markdown string `json:"markdown"`
	File     string `json:"file,omitempty"`
}

// NewRecord writes a book down; original is the book as published.
func NewRecord(b, original *book.Book, v View, rev int64) *Record {
	r := &Record{Version: recordVersion, Kind: b.Kind, ID: b.ID, Name: b.Name, Language: b.Language,
		Title: b.Title, Subtitle: b.Subtitle, Author: b.Author, View: v, Revision: rev}
	if !edited(b, original) {
		return r
	}
	r.Config = b.Config
	for _, c := range b.Chapters {
		r.Chapters = append(r.Chapters, RecordChapter{c.ID, c.Title, c.Markdown, c.File})
	}
	return r
}

// Book reads the record back. original is the book as published, nil when it
// cannot be had: its resources stay, and it stands in for a book that was not
// edited.
func (r *Record) Book(original *book.Book) (*book.Book, error) {
	if r.Version != recordVersion {
		return nil, fmt.Errorf("what is kept of the book has version %d: it is not read", r.Version)
	}
	if len(r.Chapters) == 0 {
		if original == nil {
			return nil, errors.New("the book was kept as published, and is not published any more")
		}
		return original, nil
	}
	b := &book.Book{Kind: r.Kind, ID: r.ID, Name: r.Name, Language: r.Language,
		Title: r.Title, Subtitle: r.Subtitle, Author: r.Author, Config: r.Config, ConfigVersion: book.ConfigVersion}
	if original != nil {
		b.Resources, b.Fonts = original.Resources, original.Fonts
	}
	seen := map[string]bool{}
	for _, c := range r.Chapters {
		if c.ID == "" || seen[c.ID] {
			return nil, errors.New("the kept book has two chapters with one id: it is not read")
		}
		seen[c.ID] = true
		b.Chapters = append(b.Chapters, &book.Chapter{ID: c.ID, Title: c.Title, Markdown: book.CleanText(c.Markdown), File: c.File})
	}
	return b, nil
}

// Memory is a Store that lasts as long as itself; the zero value is empty.
type Memory struct {
	mu   sync.Mutex
	text []byte
	// Full makes Save fail for lack of room.
	Full bool
}

// Load implements Store.
func (m *Memory) Load(context.Context) (*Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.text == nil {
		return nil, nil
	}
	r := new(Record)
	return r, json.Unmarshal(m.text, r)
}

// Save implements Store.
func (m *Memory) Save(_ context.Context, r *Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Full {
		return ErrQuota
	}
	m.text = text
	return nil
}

// saver is the autosave: one second after the last change, at once on demand.
// Guarded by Session.mu.
type saver struct {
	clean   bool // everything is in storage
	changes int64
	timer   *time.Timer
	busy    chan struct{} // one save at a time; holds a token
}

// touch notes a change; Session.mu is held.
func (v *saver) touch(s *Session) {
	v.clean = false
	v.changes++
	if s.opts.Store == nil || s.ended {
		return
	}
	if v.timer != nil {
		v.timer.Stop()
	}
	v.timer = time.AfterFunc(s.opts.SaveAfter, s.autosave)
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
	if s.opts.Store == nil {
		return nil
	}
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
	if s.save.clean || s.cur.book == nil {
		s.mu.Unlock()
		return nil
	}
	changes := s.save.changes
	r := NewRecord(s.cur.book, s.original, s.view, s.cur.rev)
	s.mu.Unlock()

	err := s.opts.Store.Save(ctx, r)
	s.mu.Lock()
	switch {
	case err == nil:
		s.save.clean = s.save.changes == changes
		s.notice = ""
	case errors.Is(err, ErrQuota):
		s.notice = "the changes cannot be kept: this browser's storage is full; export the book before closing the page"
	default:
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
	return string(b.Config) != string(original.Config) || b.Name != original.Name ||
		!slices.EqualFunc(b.Chapters, original.Chapters, func(x, y *book.Chapter) bool {
			return x == y || x.ID == y.ID && x.Title == y.Title && x.Markdown == y.Markdown
		})
}
