//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/engine"
	"postext/engine/font"
	"postext/engine/font/brotli"
	"postext/engine/font/catalogue"
)

// The most bytes of one font file, of one file of hyphenation patterns, and of the
// styles of citations.
const (
	maxFont      = 40 << 20
	maxPatterns  = 1 << 20
	maxCitations = 1 << 20
)

// turn is how long work goes on before the browser has its turn.
const turn = 8 * time.Millisecond

// world is the typesetter's surroundings in the browser.
type world struct {
	base string
	hop  *hopper
	last time.Time // of the last turn given

	mu    sync.Mutex
	index []fontRow
	files map[string]*fileLoad
	list  catalogue.List
	place catalogue.Place // where the files of the catalogue lie

	citationsNext  time.Time // from when on they are asked for again
	citationsFault error
}

// fontRow is one entry of fonts/index.json.
type fontRow struct {
	Family string `json:"family"`
	Weight int    `json:"weight"`
	Italic bool   `json:"italic"`
	File   string `json:"file"`
}

type fileLoad struct {
	done chan struct{}
	data []byte
	err  error
}

func newWorld(base string) *world {
	return &world{base: base, hop: newHopper(), last: time.Now(), files: map[string]*fileLoad{}}
}

// loadIndex reads which fonts the site has, unless it is known.
func (w *world) loadIndex(ctx context.Context) error {
	w.mu.Lock()
	known := w.index != nil
	w.mu.Unlock()
	if known {
		return nil
	}
	data, err := w.file(ctx, "fonts/index.json", 4<<20)
	if err != nil {
		return fmt.Errorf("the list of fonts cannot be fetched: %w", err)
	}
	var rows []fontRow
	if err := json.Unmarshal(data, &rows); err != nil {
		return fmt.Errorf("the list of fonts: %w", err)
	}
	w.mu.Lock()
	w.index = rows
	w.mu.Unlock()
	return nil
}

// families lists the families there are, in order.
func (w *world) families() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	for _, r := range w.index {
		if !slices.Contains(list, r.Family) {
			list = append(list, r.Family)
		}
	}
	return list
}

// Font implements engine.World.
func (w *world) Font(ctx context.Context, family string, weight int, italic bool) (engine.FontFile, error) {
	if err := w.loadIndex(ctx); err != nil {
		return engine.FontFile{}, err
	}
	w.mu.Lock()
	var rows []fontRow
	var styles []font.Style
	for _, r := range w.index {
		if font.Fold(r.Family) == font.Fold(family) {
			rows = append(rows, r)
			styles = append(styles, font.Style{Weight: r.Weight, Italic: r.Italic})
		}
	}
	w.mu.Unlock()
	if len(rows) == 0 {
		list, err := w.catalogue(ctx)
		if ctx.Err() != nil {
			return engine.FontFile{}, ctx.Err()
		}
		if err != nil {
			return engine.FontFile{}, err
		}
		if f, ok := list.Find(family); ok {
			return w.catalogued(ctx, f, weight, italic)
		}
		return engine.FontFile{}, &engine.NoFamily{Reason: fmt.Sprintf("there is no font family %s; there are %s", bridge.Quote(family), strings.Join(w.families(), ", "))}
	}
	row := rows[font.Nearest(styles, weight, italic)]
	data, err := w.file(ctx, "fonts/"+escape(row.File), maxFont)
	if err != nil {
		return engine.FontFile{}, fmt.Errorf("the font %s: %w", row.File, err)
	}
	return engine.FontFile{Data: data, Family: row.Family, Weight: row.Weight, Italic: row.Italic}, nil
}

// catalogue is the list of the open font catalogue, fetched when it is first
// asked for.
func (w *world) catalogue(ctx context.Context) (catalogue.List, error) {
	data, err := w.file(ctx, "fonts/"+catalogue.File, 4<<20)
	if err != nil {
		return nil, fmt.Errorf("the font catalogue could not be fetched: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.list == nil {
		if w.list, err = catalogue.Parse(string(data)); err != nil {
			return nil, err
		}
		w.place = catalogue.PlaceOf(string(data))
	}
	return w.list, nil
}

// catalogued fetches a face of a family of the catalogue from where the site
// keeps its files.
func (w *world) catalogued(ctx context.Context, f catalogue.Family, weight int, italic bool) (engine.FontFile, error) {
	weight, italic = f.Nearest(weight, italic)
	w.mu.Lock()
	place := w.place
	w.mu.Unlock()
	if !place.Has(&f) {
		return engine.FontFile{}, &engine.NoFamily{Reason: "the family " + bridge.Quote(f.Family) + " is in the catalogue, but its files cannot be had here: they are not on this server"}
	}
	base := place.Base
	if !strings.Contains(base, ":") { // of the site
		base = "fonts/" + base
	}
	data, err := w.file(ctx, base+escapePath(f.Path(weight, italic)), maxFont)
	if err != nil {
		return engine.FontFile{}, fmt.Errorf("the family %s is in the catalogue, but its files cannot be had here (%w)", bridge.Quote(f.Family), err)
	}
	return engine.FontFile{Data: data, Family: f.Family, Weight: weight, Italic: italic}, nil
}

// has tells whether the files of a family of the catalogue can be had here.
func (w *world) has(f *catalogue.Family) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.place.Has(f)
}

// Patterns implements engine.World.
func (w *world) Patterns(ctx context.Context, name string) ([]byte, error) {
	return w.file(ctx, "hyphenation/"+escape(name)+".bin", maxPatterns)
}

// dictionary is the dictionary packed fonts are read with.
func (w *world) dictionary() (string, error) {
	data, err := w.file(context.Background(), "fonts/brotli-dictionary.bin", brotli.DictionarySize)
	return string(data), err
}

// How long a layout waits for the styles of citations, and how long it does without
// them before they are asked for again.
const (
	citationsWithin = 10 * time.Second
	citationsAgain  = 5 * time.Second
	citationsLater  = time.Minute // where the server does not answer
)

// citations are the styles of citations. A layout waits for them: not for ever, and
// not each time that they cannot be had.
func (w *world) citations() (string, error) {
	w.mu.Lock()
	next, err := w.citationsNext, w.citationsFault
	w.mu.Unlock()
	if err != nil && time.Now().Before(next) {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), citationsWithin)
	defer cancel()
	data, err := w.file(ctx, "citations/library.txt", maxCitations)
	again := citationsAgain
	if errors.Is(err, context.DeadlineExceeded) {
		again, err = citationsLater, errors.New("the server does not answer")
	}
	w.mu.Lock()
	w.citationsNext, w.citationsFault = time.Now().Add(again), err
	w.mu.Unlock()
	return string(data), err
}

// file downloads a file of the site once, of at most limit bytes; a failure is
// tried again the next time.
func (w *world) file(ctx context.Context, name string, limit int) ([]byte, error) {
	w.mu.Lock()
	load := w.files[name]
	if load == nil {
		load = &fileLoad{done: make(chan struct{})}
		w.files[name] = load
		go guard(func() {
			address := w.base + name
			if strings.Contains(name, "://") {
				address = name
			}
			load.data, load.err = get(context.Background(), address, limit)
			if load.err != nil {
				w.mu.Lock()
				delete(w.files, name)
				w.mu.Unlock()
			}
			close(load.done)
		})
	}
	w.mu.Unlock()
	select {
	case <-load.done:
		return load.data, load.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Picture implements engine.World. A book's files come with it.
func (w *world) Picture(_ context.Context, r *book.Resource) ([]byte, error) { return r.Bytes() }

// Yield implements engine.World: the browser has a turn every few milliseconds
// of work, however often it is asked.
func (w *world) Yield(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if time.Since(w.last) < turn {
		return nil
	}
	w.hop.hop()
	w.last = time.Now()
	return ctx.Err()
}
