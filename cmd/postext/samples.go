package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"

	"postext/book"
	"postext/bridge"
	"postext/cmd/postext/assets"
	"postext/sandbox"
)

// samples are the sample books the program carries with it.
type samples struct{}

// List implements sandbox.Samples.
func (samples) List(context.Context) ([]sandbox.Sample, error) {
	books, err := assets.Books()
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(books, "index.json")
	if err != nil {
		return nil, fmt.Errorf("the list of sample books: %w", err)
	}
	var rows []book.Listing
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("the list of sample books: %w", err)
	}
	list := make([]sandbox.Sample, len(rows))
	for i := range rows {
		list[i] = sandbox.SampleOf(&rows[i])
	}
	return list, nil
}

// Load implements sandbox.Samples.
func (samples) Load(_ context.Context, id, language string) (*book.Book, error) {
	books, err := assets.Books()
	if err != nil {
		return nil, err
	}
	if !fs.ValidPath(id) || id == "." {
		return nil, bridge.Refuse("there is no sample %s; sandbox_list_books lists them", bridge.Quote(id))
	}
	folder, err := fs.Sub(books, id)
	if err != nil {
		return nil, err
	}
	b, err := book.ReadSample(folder, id, language)
	if err != nil {
		return nil, fmt.Errorf("the sample %q: %w", id, err)
	}
	b.Kind, b.ID = "sample", id
	return b, nil
}

// Edition implements sandbox.Samples: what the program carries does not change.
func (samples) Edition(context.Context, string) (string, error) { return "", nil }
