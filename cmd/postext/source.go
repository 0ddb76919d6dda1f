package main

import (
	"context"
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
	"postext/engine/font/fontdir"
)

// openBook reads a folder or a Markdown file; "" is the built-in guide.
func openBook(name string) (*book.Book, error) {
	if name == "" {
		files, err := assets.Guide()
		if err != nil {
			return nil, err
		}
		b, err := book.ReadFolder(files, "Postext guide", "")
		if err != nil {
			return nil, fmt.Errorf("the built-in guide: %w", err)
		}
		b.Kind, b.ID = "sample", "postext-guide"
		return b, nil
	}
	b, err := book.OpenFolder(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// world is the typesetter's surroundings natively: the fonts beside the book,
// then those in the program.
type world struct{ dirs []*fontdir.Dir }

// newWorld opens the fonts for a book; name as openBook takes it.
func newWorld(name string) (*world, error) {
	w := &world{}
	if info, err := os.Stat(name); name != "" && err == nil {
		folder := name
		if !info.IsDir() {
			folder = filepath.Dir(name)
		}
		if _, err := os.Stat(filepath.Join(folder, "fonts")); err == nil {
			d, err := fontdir.Open(filepath.Join(folder, "fonts"))
			if err != nil {
				return nil, err
			}
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
	return w, nil
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
	return engine.FontFile{}, fmt.Errorf("there is no font family %s; there are %s", bridge.Quote(family), strings.Join(w.families(), ", "))
}

// Yield implements engine.World: threads need no turn.
func (w *world) Yield(ctx context.Context) error { return ctx.Err() }

// download brings the bytes of an https: address.
func download(ctx context.Context, address string, limit int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
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
