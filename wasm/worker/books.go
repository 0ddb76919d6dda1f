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

// Limits of a book's files.
const (
	maxBookFile = 32 << 20
	maxBookSize = 200 << 20
	parallel    = 6 // downloads at a time
)

// library is the books the site serves: the session's samples.
type library struct{ base string }

// list reads which books there are; folders served change, so it asks anew.
func (l *library) list(ctx context.Context) ([]book.Listing, error) {
	data, err := get(ctx, l.base+"books/index.json", 16<<20)
	if err != nil {
		return nil, fmt.Errorf("the list of books: %w", err)
	}
	var rows []book.Listing
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("the list of books: %w", err)
	}
	return rows, nil
}

// List implements sandbox.Samples.
func (l *library) List(ctx context.Context) ([]sandbox.Sample, error) {
	rows, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]sandbox.Sample, len(rows))
	for i := range rows {
		list[i] = sandbox.SampleOf(&rows[i])
	}
	return list, nil
}

// Edition implements sandbox.Samples.
func (l *library) Edition(ctx context.Context, id string) (string, error) {
	rows, err := l.list(ctx)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(rows, func(r book.Listing) bool { return r.ID == id && r.Live }) {
		return "", nil
	}
	data, err := fetch(ctx, l.base+"books/"+escape(id)+"/fingerprint.json", 1<<16, map[string]any{"cache": "no-store"})
	if err != nil {
		return "", err
	}
	var f struct {
		Fingerprint string `json:"fingerprint"`
	}
	return f.Fingerprint, json.Unmarshal(data, &f)
}

// Load implements sandbox.Samples: it downloads a book.
func (l *library) Load(ctx context.Context, id, language string) (*book.Book, error) {
	rows, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(rows, func(r book.Listing) bool { return r.ID == id })
	if at < 0 {
		var ids []string
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return nil, bridge.Refuse("there is no book %s; the books: %s", bridge.Quote(id), bridge.Choices(bridge.Nearest(id, ids), ""))
	}
	row := rows[at]
	row.Files = ofLanguage(row, language)
	files, err := l.files(ctx, row)
	if err != nil {
		return nil, err
	}
	b, err := book.ReadSample(files, row.Name, language)
	if err != nil {
		return nil, fmt.Errorf("the book %q: %w", row.Name, err)
	}
	b.Kind, b.ID = "sample", row.ID
	if b.Language == "" {
		b.Language = row.Language
	}
	return b, nil
}

// ofLanguage leaves out of a book's files the chapters of other languages.
func ofLanguage(row book.Listing, language string) []string {
	served := book.PickLanguage(language, row.Languages, row.Language)
	var other []string
	for _, tag := range row.Languages {
		if tag != served {
			other = append(other, "chapters/"+tag+"/")
		}
	}
	var list []string
	for _, name := range row.Files {
		if !slices.ContainsFunc(other, func(folder string) bool { return strings.HasPrefix(name, folder) }) {
			list = append(list, name)
		}
	}
	return list
}

// files downloads what a book needs: texts must come, pictures may fail.
func (l *library) files(ctx context.Context, row book.Listing) (memFS, error) {
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
