package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/cmd/postext/assets"
	"postext/engine"
	_ "postext/engine/cite/library" // styles of citations
	"postext/engine/font/fontdir"
	"postext/engine/hyphen/patterns"
	"postext/engine/settings"
)

// openBook reads a folder, a Markdown or a .postext file, "" for the built-in guide,
// in one of its languages, "" for its own.
func openBook(name, language string) (*book.Book, error) {
	if name == "" {
		files, err := assets.Guide()
		if err != nil {
			return nil, err
		}
		b, err := book.ReadSample(files, "postext-guide", language)
		if err != nil {
			return nil, fmt.Errorf("the built-in guide: %w", err)
		}
		b.Kind, b.ID = "sample", "postext-guide"
		return b, nil
	}
	b, err := readBook(name, language)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, w := range b.Warnings {
		fmt.Fprintf(os.Stderr, "postext: %s: %s\n", name, w)
	}
	if b, err = settings.Modernise(b); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// readBook reads a book by the kind of its file. A bundle's large files are read
// when they are wanted: its archive stays open as long as the program runs.
func readBook(name, language string) (*book.Book, error) {
	if !isBundle(name) {
		return book.OpenEdition(name, language)
	}
	z, _, err := openBundle(name)
	if err != nil {
		return nil, err
	}
	return z.Wanted(language)
}

func isBundle(name string) bool { return strings.EqualFold(filepath.Ext(name), ".postext") }

// world is the typesetter's surroundings natively: the fonts beside the book,
// then those in the program.
type world struct{ dirs []*fontdir.Dir }

// newWorld opens the fonts for a book; name as openBook takes it. fonts is a
// folder of further ones, or "".
func newWorld(name, fonts string) (*world, error) {
	w := &world{}
	if info, err := os.Stat(name); name != "" && err == nil && !isBundle(name) {
		folder := name
		if !info.IsDir() {
			folder = filepath.Dir(name)
		}
		d, err := bookFonts(folder)
		if err != nil {
			return nil, err
		}
		if d != nil {
			w.dirs = append(w.dirs, d)
		}
	}
	files, err := assets.Fonts()
	if err != nil {
		return nil, err
	}
	d, err := fontdir.OpenFS(files)
	if err != nil {
		return nil, err
	}
	w.dirs = append(w.dirs, d)
	if fonts != "" {
		d, err := fontdir.Open(fonts)
		if err != nil {
			return nil, fmt.Errorf("--fonts: %w", err)
		}
		w.dirs = append(w.dirs, d)
	}
	return w, nil
}

// bookFonts opens the folder fonts of a book, nil when it has none. Links that
// lead out of it are not followed. The folder stays open: a font is read when it
// is first used.
func bookFonts(folder string) (*fontdir.Dir, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat("fonts"); err != nil || !info.IsDir() {
		return nil, nil // there need not be one
	}
	fonts, err := root.OpenRoot("fonts")
	if err != nil {
		return nil, err
	}
	d, err := fontdir.OpenFS(fonts.FS())
	if err != nil {
		return nil, errors.Join(err, fonts.Close())
	}
	return d, nil
}

// families lists the families there are, in order.
func (w *world) families() []string {
	var list []string
	for _, d := range w.dirs {
		list = append(list, d.Families()...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Font implements engine.World.
func (w *world) Font(ctx context.Context, family string, weight int, italic bool) (engine.FontFile, error) {
	for _, d := range w.dirs {
		if len(d.Styles(family)) > 0 {
			return d.Font(ctx, family, weight, italic)
		}
	}
	return engine.FontFile{}, &engine.NoFamily{Reason: fmt.Sprintf("there is no font family %s; there are %s", bridge.Quote(family), strings.Join(w.families(), ", "))}
}

// Patterns implements engine.World.
func (w *world) Patterns(ctx context.Context, name string) ([]byte, error) {
	return patterns.File(ctx, name)
}

// Picture implements engine.World.
func (w *world) Picture(_ context.Context, r *book.Resource) ([]byte, error) { return r.Bytes() }

// Yield implements engine.World: threads need no turn.
func (w *world) Yield(ctx context.Context) error { return ctx.Err() }

// downloads follows redirections, but only to https: addresses.
var downloads = http.Client{CheckRedirect: func(req *http.Request, via []*http.Request) error {
	switch {
	case req.URL.Scheme != "https":
		return fmt.Errorf("it is sent on to a %s: address, and only https: is read", req.URL.Scheme)
	case len(via) >= 10:
		return errors.New("it is sent on more than 10 times")
	}
	return nil
}}

// download brings the bytes of an https: address.
func download(ctx context.Context, address string, limit int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	res, err := downloads.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close() // only read from
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s", res.Status)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = fmt.Errorf("it is larger than %d MB", limit>>20)
	}
	return data, err
}
