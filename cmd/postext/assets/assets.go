// Package assets holds what the native program carries with it: the fonts in
// fonts/ and the sample books in books/. Both folders are filled by make build
// from the site's sources and are not kept in the repository, so a program
// built by hand may have none: Fonts and Guide then say so.
package assets

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *
var files embed.FS

// ErrEmpty is the error of a program that was built without its assets.
var ErrEmpty = errors.New("this program was built without fonts and books: run make build")

// Fonts are the font files.
func Fonts() (fs.FS, error) { return folder("fonts") }

// Books are the sample books, a folder each, with index.json.
func Books() (fs.FS, error) { return folder("books") }

// Guide is the folder of the built-in book.
func Guide() (fs.FS, error) { return folder("books/postext-guide") }

// Book is the folder of a sample book; the error names those there are.
func Book(id string) (fs.FS, error) {
	entries, err := fs.ReadDir(files, "books")
	if err != nil {
		return nil, ErrEmpty
	}
	var ids []string
	for _, e := range entries {
		if e.Name() == id {
			return folder("books/" + id)
		}
		if e.IsDir() {
			ids = append(ids, e.Name())
		}
	}
	return nil, fmt.Errorf("there is no sample book %q; there are %s", id, strings.Join(ids, ", "))
}

func folder(name string) (fs.FS, error) {
	entries, err := fs.ReadDir(files, name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil, ErrEmpty
	}
	if err != nil {
		return nil, err
	}
	return fs.Sub(files, name)
}
