//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"postext/book"
	"postext/bridge"
	"postext/sandbox"
)

// guide is the book that is there always.
const guide = "postext-guide"

// Limits of a book's files.
const (
	maxBookFile = 32 << 20
	maxBookSize = 200 << 20
	parallel    = 6 // downloads at a time
)

// library is the books the site serves.
type library struct {
	base string
	mu   sync.Mutex
	rows []bookRow
}

// bookRow is one entry of books/index.json.
type bookRow struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Author   string   `json:"author,omitempty"`
	Language string   `json:"language,omitempty"`
	Files    []string `json:"files"`
}

// list reads which books there are; folders served change, so it asks anew.
func (l *library) list(ctx context.Context) ([]bookRow, error) {
	data, err := get(ctx, l.base+"books/index.json", 16<<20)
	if err != nil {
		return nil, fmt.Errorf("the list of books: %w", err)
	}
	var rows []bookRow
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("the list of books: %w", err)
	}
	l.mu.Lock()
	l.rows = rows
	l.mu.Unlock()
	return rows, nil
}

// load downloads a book.
func (l *library) load(ctx context.Context, id string) (*book.Book, error) {
	rows, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(rows, func(r bookRow) bool { return r.ID == id })
	if at < 0 {
		var ids []string
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return nil, bridge.Refuse("there is no book %s; the books: %s", bridge.Quote(id), bridge.Choices(bridge.Nearest(id, ids), ""))
	}
	row := rows[at]
	files, err := l.files(ctx, row)
	if err != nil {
		return nil, err
	}
	b, err := book.ReadFolder(files, row.Name, "")
	if err != nil {
		return nil, fmt.Errorf("the book %q: %w", row.Name, err)
	}
	b.Kind, b.ID = "sample", row.ID
	if b.Language == "" {
		b.Language = row.Language
	}
	return b, nil
}

// files downloads what a book needs: texts must come, pictures may fail.
func (l *library) files(ctx context.Context, row bookRow) (memFS, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	files := memFS{}
	var mu sync.Mutex
	var failed error
	total := 0
	queue := make(chan string)
	var wg sync.WaitGroup
	for range parallel {
		wg.Add(1)
		go guard(func() {
			defer wg.Done()
			for name := range queue {
				data, err := get(ctx, l.base+"books/"+escape(row.ID)+"/"+escapePath(name), maxBookFile)
				mu.Lock()
				text := path.Ext(name) == ".md" || path.Ext(name) == ".json"
				switch {
				case err == nil && total+len(data) <= maxBookSize:
					files[name] = data
					total += len(data)
				case err == nil:
					err = errors.New("the book's files are more than 200 MB")
					fallthrough
				default:
					if text && failed == nil {
						failed = fmt.Errorf("the file %s of the book: %w", name, err)
						cancel()
					}
				}
				mu.Unlock()
			}
		})
	}
	for _, name := range row.Files {
		select {
		case queue <- name:
		case <-ctx.Done():
		}
	}
	close(queue)
	wg.Wait()
	if failed == nil && ctx.Err() != nil {
		failed = ctx.Err()
	}
	return files, failed
}

func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return strings.Join(parts, "/")
}

// start opens the book a link asks for, else the one that was open, else the
// guide.
func (w *worker) start(ctx context.Context, preset string) error {
	if preset == "" && w.store != nil {
		id, err := w.store.last(ctx)
		w.note(err)
		preset = id
	}
	if preset == "" {
		preset = guide
	}
	err := w.open(ctx, preset)
	if err != nil && preset != guide {
		w.note(err)
		return w.open(ctx, guide)
	}
	return err
}

// open opens a book of the site, with the changes that are kept of it.
func (w *worker) open(ctx context.Context, id string) error {
	w.mu.Lock()
	opening := w.opening
	if opening == nil {
		w.opening = make(chan struct{}, 1)
		w.opening <- struct{}{}
		opening = w.opening
	}
	w.mu.Unlock()
	select {
	case <-opening:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { opening <- struct{}{} }()

	original, err := w.books.load(ctx, id)
	if err != nil && w.store == nil {
		return err
	}
	var kept *sandbox.Record
	if w.store != nil {
		var failed error
		if kept, failed = w.store.record(ctx, "sample", id); failed != nil {
			w.note(failed)
		}
	}
	if err != nil && kept == nil {
		return err
	}
	name := id
	if original != nil {
		name = original.Name
	}
	w.note(w.session.Loading(ctx, name))
	defer w.session.Resume() // when the book cannot be opened after all
	if kept != nil {
		b, err := kept.Book(original)
		if err == nil {
			return w.session.Open(b, &kept.View, original)
		}
		w.note(err)
	}
	if original == nil {
		return errors.New("the book is not served any more, and what was kept of it cannot be read")
	}
	return w.session.Open(original, nil, nil)
}

type listedBook struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Author    string   `json:"author,omitempty"`
	Languages []string `json:"languages"`
	Edited    bool     `json:"edited"`
	Open      bool     `json:"open,omitempty"`
}

// list lists the books for the window.
func (w *worker) list(ctx context.Context) ([]listedBook, error) {
	rows, err := w.books.list(ctx)
	if err != nil {
		return nil, err
	}
	var edited []string
	if w.store != nil {
		if edited, err = w.store.keys(ctx); err != nil {
			return nil, err
		}
	}
	open := w.session.State().Book
	list := []listedBook{}
	for _, r := range rows {
		b := listedBook{ID: r.ID, Name: r.Name, Author: r.Author, Languages: []string{}, Edited: slices.Contains(edited, "sample/"+r.ID)}
		if r.Language != "" {
			b.Languages = append(b.Languages, r.Language)
		}
		b.Open = open != nil && open.ID == r.ID
		list = append(list, b)
	}
	return list, nil
}

type openBookArgs struct {
	Kind string `json:"kind" enum:"sample,project"`
	ID   string `json:"id"`
	Lang string `json:"language,omitempty"`
}

// bookTools are the window's commands about books.
func (w *worker) bookTools() []bridge.Tool {
	hints := bridge.Hints{Untrusted: true}
	return []bridge.Tool{
		bridge.Define("sandbox_list_books", "Books", "Lists the books there are.", hints, func(ctx context.Context, _ struct{}) (any, error) {
			list, err := w.list(ctx)
			return map[string]any{"samples": list, "projects": []any{}}, err
		}),
		bridge.Define("sandbox_open_book", "Open a book", "Opens another book.", hints, func(ctx context.Context, a openBookArgs) (any, error) {
			if a.Kind == "project" {
				return nil, bridge.Refuse("there are no own books yet; the sample books are listed by sandbox_list_books")
			}
			if err := w.open(ctx, a.ID); err != nil {
				return nil, err
			}
			return w.session.State(), nil
		}),
	}
}
