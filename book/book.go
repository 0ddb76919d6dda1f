// Package book says what a book is: chapters, resources and settings as stored.
// A Book is a value: editing makes a new one that shares what did not change, so
// that a layout under way never sees half an edit. Whoever holds a *Book, a
// *Chapter or a *Resource must not write to it.
//
// A book is read from a folder of plain files (bundle.md, "A folder as a book")
// and written back so that only files whose content changed are touched.
package book

import (
	"encoding/json"
	"sync"
)

// ConfigVersion is the number of the configuration rules written (settings.md 2).
const ConfigVersion = 11

// Book is a whole book.
type Book struct {
	ID       string
	Name     string
	Kind     string // "sample" or "project"
	Language string // BCP 47
	Chapters []*Chapter
	// Config is the stored configuration: sparse JSON object, canonical form.
	Config json.RawMessage
	// ConfigVersion is the number Config was read with; 0 when it had none
	// (release 1.4 or earlier) and when there is no configuration.
	ConfigVersion int
	Resources     []*Resource
	// Fonts are the font files the book brings along, by name.
	Fonts []*Resource
	// Meta stands in for front matter in a folder book (book.json); where the
	// first chapter's front matter speaks, it wins.
	Title, Subtitle, Author string
	// BundleID is the id of the bundle the book came in, and goes out in.
	BundleID string
	// Description, Licence and Credits are lines for a shelf, Tags free words.
	Description, Licence, Credits string
	Tags                          []string
	// Scope is how the book asks to be shown: "book" for all chapters in a row,
	// else "".
	Scope string
	// Folder: the files have their names from a folder, and keep them when the book goes
	// out in a bundle and comes back (bundle.md 8).
	Folder bool
	// Cover is a picture of the book, none of its resources; nil without one.
	Cover *File
	// design is postext-config.json as it was read from the book's folder, or written
	// there; nil when there was none.
	design []byte
	// origin is what the bundle the book was read from says of its folder, read how it
	// was read from there; nil without a bundle.
	origin *folderOrigin
	read   *Book
	// Warnings tell what was odd when the book was read, for a person to read.
	Warnings []string
}

// Chapter is one chapter; immutable.
type Chapter struct {
	ID       string
	Title    string
	Markdown string // well-formed UTF-8, LF line ends
	// File is the path in a folder book, with slashes; empty for a chapter not
	// saved yet.
	File string
}

// lazyFile reads a file once, when it is first wanted.
type lazyFile struct {
	once sync.Once
	read func() ([]byte, error)
	data []byte
	err  error
}

func (f *lazyFile) bytes() ([]byte, error) {
	f.once.Do(func() { f.data, f.err = f.read() })
	return f.data, f.err
}

// Bytes returns the content, reading it from its file when it was left there.
func (r *Resource) Bytes() ([]byte, error) {
	if r.Data != nil || r.lazy == nil {
		return r.Data, nil
	}
	return r.lazy.bytes()
}

// Chapter returns the position of the chapter with an id, −1 if there is none.
func (b *Book) Chapter(id string) int {
	for i, c := range b.Chapters {
		if c.ID == id {
			return i
		}
	}
	return -1
}

// Files lists the payloads of the book: those of its resources, its fonts and
// its cover.
func (b *Book) Files() []*File {
	var list []*File
	for _, r := range b.Resources {
		list = append(list, r.Files()...)
	}
	for _, r := range b.Fonts {
		list = append(list, r.Files()...)
	}
	if b.Cover != nil {
		list = append(list, b.Cover)
	}
	return list
}

// Resource returns the resource with a name or, failing that, an id; nil if
// there is none.
func (b *Book) Resource(name string) *Resource {
	var byID *Resource
	for _, r := range b.Resources {
		if r.Name == name && name != "" {
			return r
		}
		if r.ID == name && byID == nil {
			byID = r
		}
	}
	return byID
}
