// Package fonttest gives tests the fonts of the web folder's npm packages: EB
// Garamond, Open Sans, JetBrains Mono and Source Code Pro, all weights, STIX Two Math, Noto Serif
// Hebrew and Noto Naskh Arabic.
package fonttest

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"postext/book"
	"postext/book/booktest/tree"
	_ "postext/engine/cite/library" // styles of citations
	"postext/engine/font"
	"postext/engine/font/fontdir"
	"postext/engine/hyphen/patterns"
)

// Source is an engine.World over the test fonts and all hyphenation patterns.
type Source struct{ *fontdir.Dir }

// Patterns gives the pattern files of package hyphen.
func (Source) Patterns(ctx context.Context, name string) ([]byte, error) {
	return patterns.File(ctx, name)
}

// Picture gives a resource's own bytes.
func (Source) Picture(_ context.Context, r *book.Resource) ([]byte, error) { return r.Bytes() }

// Yield never interrupts; it passes on the end of the context.
func (Source) Yield(ctx context.Context) error { return ctx.Err() }

// open indexes the folder once for all tests of a program.
var open = sync.OnceValues(func() (*fontdir.Dir, error) {
	root, err := tree.Find()
	if err != nil {
		return nil, err
	}
	return fontdir.Open(filepath.Join(root, "web", "node_modules", "@expo-google-fonts"))
})

// World returns the source of the test fonts; the test fails when they are not
// installed.
func World(t testing.TB) Source {
	t.Helper()
	d, err := open()
	if err != nil {
		t.Fatalf("no test fonts (%v): run make test once: it installs the fonts", err)
	}
	if len(d.Families()) == 0 {
		t.Fatal("no test fonts: run make test once: it installs the fonts")
	}
	return Source{d}
}

// Face returns a test face.
func Face(t testing.TB, family string, weight int, italic bool) *font.Face {
	t.Helper()
	file, err := World(t).Font(context.Background(), family, weight, italic)
	if err != nil {
		t.Fatalf("%v; fonts of the tests are npm packages: in web, remove node_modules and run npm ci", err)
	}
	f, err := font.Parse(file.Data, file.Family, file.Weight, file.Italic)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
