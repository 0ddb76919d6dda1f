// Package store keeps bytes under names, in tables, and changes them by whole
// batches. It is what books are kept in: in IndexedDB in the browser, in a folder
// natively, in memory for tests. One conformance test holds all three to the same
// rules:
//
//   - a Batch is made whole or not at all, whatever ends the program and when;
//   - its Guards are looked at and its changes made in one step, so that of two
//     programs that change the same thing the second is told (ErrConflict);
//   - what Commit answered nil for is there at the next visit;
//   - a store that is full says so (ErrQuota) and has changed nothing.
//
// What the bytes mean is not known here.
package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Table names a table.
type Table string

// The tables there are. A store has no others.
const (
	Meta     Table = "meta"     // small things: what was open, what is hidden, how books were looked at
	Projects Table = "projects" // own books, by id
	Drafts   Table = "drafts"   // changed samples, by id and language
	Covers   Table = "covers"   // covers made of samples, by id and language
	Trash    Table = "trash"    // books deleted lately
	Texts    Table = "texts"    // chapters' texts, by hash
	Blobs    Table = "blobs"    // files, by hash
	Layouts  Table = "layouts"  // layout records, by book
	Early    Table = "books"    // the records of the first issue
)

// Tables lists every table.
var Tables = []Table{Meta, Projects, Drafts, Covers, Trash, Texts, Blobs, Layouts, Early}

// MaxName is the most bytes a name may have.
const MaxName = 600

// Key is a place in a store.
type Key struct {
	Table Table
	Name  string
}

// Put stores bytes under a key, in place of what was there. Data may be empty
// but not nil.
type Put struct {
	Key
	Data []byte
}

// Guard asks that a key has exactly these bytes; nil, that there is nothing.
type Guard struct {
	Key
	Want []byte
}

// Batch is a change. Its parts are made in the order guards, puts, deletes; no
// key may be in it twice.
type Batch struct {
	Guards  []Guard
	Puts    []Put
	Deletes []Key
}

// Errors of stores, told apart by errors.Is.
var (
	// ErrQuota: there is no room. Nothing was changed.
	ErrQuota = errors.New("the storage is full")
	// ErrConflict: a guard does not hold. Nothing was changed.
	ErrConflict = errors.New("it was changed meanwhile by another window")
	// ErrHeld: somebody else has the lock.
	ErrHeld = errors.New("another window has it")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the storage is closed")
)

// FullError is ErrQuota of a folder: which one, and what the disk said.
type FullError struct {
	Folder string
	Cause  error
}

func (e *FullError) Error() string {
	return "there is no room on the disk of the folder " + e.Folder + ": " + e.Cause.Error()
}

// Is makes it an ErrQuota.
func (e *FullError) Is(target error) bool { return target == ErrQuota }

// Unwrap gives what the disk said.
func (e *FullError) Unwrap() error { return e.Cause }

// Store is one store. Its methods may be called from any goroutine; the bytes
// they give must not be written to, nor those given to them changed afterwards.
type Store interface {
	// Get gives what is kept under a key, nil when nothing is.
	Get(ctx context.Context, k Key) ([]byte, error)
	// Keys lists the names in a table, sorted.
	Keys(ctx context.Context, t Table) ([]string, error)
	// Commit makes a change, whole or not at all. When ctx ends first the change
	// may have been made or not.
	Commit(ctx context.Context, b Batch) error
	// Lock takes the lock with a name, which one holder has at a time, across
	// programs. When somebody has it the error is ErrHeld, or with wait the lock
	// is waited for. It is let go by unlock and by the program's end.
	Lock(ctx context.Context, name string, wait bool) (unlock func(), err error)
	// Close ends the use of the store; what is kept stays.
	Close() error
}

// check refuses a batch that no store could make.
func (b Batch) check() error {
	seen := map[Key]bool{}
	key := func(k Key, once bool) error {
		switch {
		case !slices.Contains(Tables, k.Table):
			return fmt.Errorf("store: there is no table %q", k.Table)
		case k.Name == "" || len(k.Name) > MaxName:
			return fmt.Errorf("store: a name has 1 to %d bytes, not %d", MaxName, len(k.Name))
		case once && seen[k]:
			return fmt.Errorf("store: %s/%s is changed twice in one batch", k.Table, k.Name)
		}
		seen[k] = seen[k] || once
		return nil
	}
	for _, g := range b.Guards {
		if err := key(g.Key, false); err != nil {
			return err
		}
	}
	for _, p := range b.Puts {
		if err := key(p.Key, true); err != nil {
			return err
		}
		if p.Data == nil {
			return fmt.Errorf("store: nothing to put under %s/%s", p.Table, p.Name)
		}
	}
	for _, k := range b.Deletes {
		if err := key(k, true); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether a guard's key has what it asks for.
func (g Guard) holds(now []byte) bool {
	return (now == nil) == (g.Want == nil) && bytes.Equal(now, g.Want)
}
