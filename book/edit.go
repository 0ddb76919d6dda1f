package book

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// WithChapter returns the book with chapter i replaced. i must be a position in
// the book.
func (b *Book) WithChapter(i int, c *Chapter) *Book {
	n := *b
	n.Chapters = slices.Clone(b.Chapters)
	n.Chapters[i] = c
	return &n
}

// WithText returns the book with the text of chapter i replaced; the same book
// when the text is the same.
func (b *Book) WithText(i int, markdown string) *Book {
	if b.Chapters[i].Markdown == markdown {
		return b
	}
	c := *b.Chapters[i]
	c.Markdown = markdown
	return b.WithChapter(i, &c)
}

// InsertChapter returns the book with a chapter more, at position i clamped to
// the list (0 is before the first).
func (b *Book) InsertChapter(i int, c *Chapter) *Book {
	n := *b
	n.Chapters = slices.Insert(slices.Clone(b.Chapters), min(max(i, 0), len(b.Chapters)), c)
	return &n
}

// RemoveChapter returns the book without chapter i. i must be a position in the
// book.
func (b *Book) RemoveChapter(i int) *Book {
	n := *b
	n.Chapters = slices.Delete(slices.Clone(b.Chapters), i, i+1)
	return &n
}

// MoveChapter returns the book with chapter from standing at position to, which
// is clamped to the list; the same book when it stands there already. from must
// be a position in the book.
func (b *Book) MoveChapter(from, to int) *Book {
	to = min(max(to, 0), len(b.Chapters)-1)
	if from == to {
		return b
	}
	n := *b
	c := b.Chapters[from]
	n.Chapters = slices.Insert(slices.Delete(slices.Clone(b.Chapters), from, from+1), to, c)
	return &n
}

// RenameChapter returns the book with the title of chapter i replaced, trimmed;
// the same book when the title is empty or the same.
func (b *Book) RenameChapter(i int, title string) *Book {
	title = strings.TrimSpace(title)
	if title == "" || title == b.Chapters[i].Title {
		return b
	}
	c := *b.Chapters[i]
	c.Title = title
	return b.WithChapter(i, &c)
}

// WithConfig returns the book with another configuration, under the current
// ConfigVersion. config must be a JSON object or empty; it is stored in
// canonical form.
func (b *Book) WithConfig(config json.RawMessage) (*Book, error) {
	c, err := CanonicalConfig(config)
	if err != nil {
		return nil, err
	}
	n := *b
	n.Config, n.ConfigVersion = c, ConfigVersion
	return &n, nil
}

// WithResources returns the book with other resources.
func (b *Book) WithResources(list []*Resource) *Book {
	n := *b
	n.Resources = list
	return &n
}

// CanonicalConfig returns a JSON object with its keys sorted and no white space,
// numbers as written; nil for an empty text and for an object without members.
func CanonicalConfig(config []byte) (json.RawMessage, error) {
	if len(bytes.TrimSpace(config)) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(config))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the configuration is not a JSON object: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("the configuration has text after the JSON object")
	}
	if len(v) == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return json.RawMessage(bytes.TrimSpace(out.Bytes())), nil
}
