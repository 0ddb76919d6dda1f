//go:build !js

package sandbox

import (
	"context"
	"sync"

	"postext/book"
)

// Folder is a Store that writes into a folder of plain files, touching only
// those whose content changed.
type Folder struct {
	dir      string
	original *book.Book // as it was opened
	mu       sync.Mutex
	book     *book.Book // as the folder holds it
}

// NewFolder makes a store for the folder that b was read from.
func NewFolder(dir string, b *book.Book) *Folder { return &Folder{dir: dir, original: b, book: b} }

// Load implements Store: the files are the book, nothing else is kept.
func (f *Folder) Load(context.Context) (*Record, error) { return nil, nil }

// Save implements Store. The view is not kept.
func (f *Folder) Save(_ context.Context, r *Record) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b, err := r.Book(f.original) // itself, when everything was taken back
	if err != nil {
		return err
	}
	saved, err := book.SaveFolder(f.dir, f.book, b)
	if err != nil {
		return err
	}
	f.book = saved
	return nil
}
