//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/hack-pad/go-indexeddb/idb"

	"postext/sandbox"
)

// The database: in books one record of each book that was changed, by "kind/id";
// in meta, under "open", which book was open last, and under "view/kind/id" the
// record of a book that was only looked at.
const (
	databaseName    = "postext-sandbox"
	databaseVersion = 1
	bookStore       = "books"
	metaStore       = "meta"
	openKey         = "open"
	viewKey         = "view/"
)

// store keeps books in IndexedDB.
type store struct{ db *idb.Database }

// openStore opens the database; an error means that this browser gives none.
func openStore() (s *store, err error) {
	defer func() {
		if p := recover(); p != nil { // idb.Global panics without IndexedDB
			s, err = nil, fmt.Errorf("no storage: %v", p)
		}
	}()
	ctx := context.Background()
	req, err := idb.Global().Open(ctx, databaseName, databaseVersion, func(db *idb.Database, _, _ uint) error {
		for _, name := range []string{bookStore, metaStore} {
			if _, err := db.CreateObjectStore(name, idb.ObjectStoreOptions{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("no storage: %w", err)
	}
	db, err := req.Await(ctx)
	if err != nil {
		return nil, fmt.Errorf("no storage: %w", err)
	}
	return &store{db}, nil
}

// get reads one value as text; "" when there is none.
func (s *store) get(ctx context.Context, name, key string) (string, error) {
	tx, err := s.db.Transaction(idb.TransactionReadOnly, name)
	if err != nil {
		return "", storageError(err)
	}
	from, err := tx.ObjectStore(name)
	if err != nil {
		return "", storageError(err)
	}
	req, err := from.Get(js.ValueOf(key))
	if err != nil {
		return "", storageError(err)
	}
	value, err := req.Await(ctx)
	if err != nil {
		return "", storageError(err)
	}
	if value.Type() != js.TypeString {
		return "", nil
	}
	return value.String(), nil
}

// last is the id of the book that was open last.
func (s *store) last(ctx context.Context) (string, error) {
	key, err := s.get(ctx, metaStore, openKey)
	_, id, _ := strings.Cut(key, "/")
	return id, err
}

// record reads what is kept of a book; nil when nothing is.
func (s *store) record(ctx context.Context, kind, id string) (*sandbox.Record, error) {
	text, err := s.get(ctx, bookStore, kind+"/"+id)
	if err == nil && text == "" {
		text, err = s.get(ctx, metaStore, viewKey+kind+"/"+id)
	}
	if err != nil || text == "" {
		return nil, err
	}
	r := new(sandbox.Record)
	if err := json.Unmarshal([]byte(text), r); err != nil {
		return nil, fmt.Errorf("what is kept of the book cannot be read: %w", err)
	}
	return r, nil
}

// Load implements sandbox.Store: the book that was open last.
func (s *store) Load(ctx context.Context) (*sandbox.Record, error) {
	id, err := s.last(ctx)
	if err != nil || id == "" {
		return nil, err
	}
	return s.record(ctx, "sample", id)
}

// Save implements sandbox.Store, in one transaction.
func (s *store) Save(ctx context.Context, r *sandbox.Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	key := r.Kind + "/" + r.ID
	tx, err := s.db.Transaction(idb.TransactionReadWrite, bookStore, metaStore)
	if err != nil {
		return storageError(err)
	}
	books, err := tx.ObjectStore(bookStore)
	if err != nil {
		return storageError(err)
	}
	meta, err := tx.ObjectStore(metaStore)
	if err != nil {
		return storageError(err)
	}
	if len(r.Chapters) > 0 {
		_, err = books.PutKey(js.ValueOf(key), js.ValueOf(string(text)))
	} else if _, err = books.Delete(js.ValueOf(key)); err == nil {
		_, err = meta.PutKey(js.ValueOf(viewKey+key), js.ValueOf(string(text)))
	}
	if err == nil {
		_, err = meta.PutKey(js.ValueOf(openKey), js.ValueOf(key))
	}
	if err != nil {
		return storageError(err)
	}
	return storageError(tx.Await(ctx))
}

// keys lists the books of which something is kept.
func (s *store) keys(ctx context.Context) ([]string, error) {
	tx, err := s.db.Transaction(idb.TransactionReadOnly, bookStore)
	if err != nil {
		return nil, storageError(err)
	}
	from, err := tx.ObjectStore(bookStore)
	if err != nil {
		return nil, storageError(err)
	}
	req, err := from.GetAllKeys()
	if err != nil {
		return nil, storageError(err)
	}
	values, err := req.Await(ctx)
	if err != nil {
		return nil, storageError(err)
	}
	var list []string
	for _, v := range values {
		list = append(list, v.String())
	}
	return list, nil
}

// storageError tells a full storage apart.
func storageError(err error) error {
	var dom idb.DOMException
	if err == nil {
		return nil
	}
	if errors.As(err, &dom) && errors.Is(err, idb.NewDOMException("QuotaExceededError")) || strings.Contains(err.Error(), "Quota") {
		return fmt.Errorf("%w: %v", sandbox.ErrQuota, err)
	}
	return err
}
