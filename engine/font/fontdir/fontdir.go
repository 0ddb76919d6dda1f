// Package fontdir serves fonts from a folder of font files: the fonts/
// folder beside a book, a directory of npm font packages, or files embedded in
// the program.
//
// A file's family, weight and slant come from its name when it is written as
// the npm packages write it ("OpenSans_700Bold_Italic.ttf"), else from its
// tables. Only the index is built when a folder is opened; a font is read when
// it is first asked for and kept from then on.
package fontdir

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sort"
	"strconv"
	"strings"
	"sync"

	"postext/engine/font"
	_ "postext/engine/font/brotli/words" // files may be packed
)

// Limits of a folder.
const (
	maxFiles = 20_000    // files walked over
	maxSize  = 64 << 20  // bytes of one font
	maxHeld  = 512 << 20 // bytes of fonts kept in memory
)

// Dir is an open folder of fonts. It is safe for concurrent use.
type Dir struct {
	fsys     fs.FS
	families map[string]*family
	names    []string // display names, sorted
	skipped  []string // font files that could not be read

	mu   sync.Mutex
	read map[string][]byte
	held int
}

type family struct {
	name   string
	styles []font.Style
	from   []source
}

// source is where a face lies.
type source struct {
	path  string
	index int
	axes  []font.Axis
}

// Open indexes the fonts of a folder on disk, subfolders included.
func Open(dir string) (*Dir, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("no folder of fonts: %w", err)
	}
	return OpenFS(os.DirFS(dir))
}

// OpenFS indexes the fonts of a file system. Files that are not fonts are
// passed over; an error means the folder itself could not be read.
func OpenFS(fsys fs.FS) (*Dir, error) {
	d := &Dir{fsys: fsys, families: map[string]*family{}, read: map[string][]byte{}}
	seen := 0
	err := fs.WalkDir(fsys, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if seen++; seen > maxFiles {
			return fmt.Errorf("more than %d files in the folder of fonts", maxFiles)
		}
		if e.IsDir() {
			return nil
		}
		switch strings.ToLower(path.Ext(p)) {
		case ".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2":
			// A named pipe would wait for its writer for ever.
			kind := e.Type()
			if kind&fs.ModeSymlink != 0 {
				info, err := fs.Stat(fsys, p)
				if err != nil {
					d.skipped = append(d.skipped, p)
					return nil
				}
				kind = info.Mode().Type()
			}
			if !kind.IsRegular() {
				d.skipped = append(d.skipped, p)
				return nil
			}
			d.add(p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range d.families { // order comes from the sort below
		d.names = append(d.names, f.name)
	}
	sort.Strings(d.names)
	return d, nil
}

// npmName reads a name as the npm font packages write it: family without
// spaces, "_", weight and its name, "_Italic" for the italics.
func npmName(base string) (family string, style font.Style, ok bool) {
	base = strings.TrimSuffix(base, path.Ext(base))
	base, style.Italic = strings.CutSuffix(base, "_Italic")
	at := strings.LastIndexByte(base, '_')
	if at < 1 || len(base) < at+4 {
		return "", style, false
	}
	weight, err := strconv.Atoi(base[at+1 : at+4])
	if err != nil || weight < 100 || weight > 900 || weight%100 != 0 {
		return "", style, false // named otherwise: its tables will tell
	}
	style.Weight = weight
	return base[:at], style, true
}

// add puts the faces of a file into the index, or the file among the skipped.
func (d *Dir) add(p string) {
	if short, st, ok := npmName(path.Base(p)); ok {
		key := font.Fold(short)
		name := short
		if d.families[key] == nil {
			if m := d.members(p); len(m) > 0 && strings.HasPrefix(font.Fold(m[0].Family), key) {
				name = m[0].Family[:prefixLen(m[0].Family, key)]
			}
		}
		d.face(name, key, st, source{path: p})
		return
	}
	members := d.members(p)
	if len(members) == 0 {
		d.skipped = append(d.skipped, p)
	}
	for _, m := range members {
		from := source{p, m.Index, m.Axes}
		for _, w := range m.Weights() {
			d.face(m.Family, font.Fold(m.Family), font.Style{Weight: w, Italic: m.Italic}, from)
		}
	}
}

// face adds one style of a family; of two with the same style the first by path
// stays.
func (d *Dir) face(name, key string, style font.Style, from source) {
	f := d.families[key]
	if f == nil {
		f = &family{name: name}
		d.families[key] = f
	}
	for _, have := range f.styles {
		if have == style {
			return
		}
	}
	f.styles = append(f.styles, style)
	f.from = append(f.from, from)
}

// prefixLen is the length of the part of name that folds to key: the name table
// of a static face often says "EB Garamond Medium".
func prefixLen(name, key string) int {
	for i := range name {
		if font.Fold(name[:i]) == key {
			return len(strings.TrimRight(name[:i], " "))
		}
	}
	return len(name)
}

// members reads what a file holds from its tables; nil when it cannot be read.
func (d *Dir) members(p string) []font.Member {
	info, err := fs.Stat(d.fsys, p)
	if err != nil || info.Size() > maxSize {
		return nil
	}
	data, err := fs.ReadFile(d.fsys, p)
	if err != nil {
		return nil
	}
	list, err := font.Members(data)
	if err != nil {
		return nil
	}
	return list
}

// Families lists the families of the folder, sorted.
func (d *Dir) Families() []string { return d.names }

// Skipped lists the files that look like fonts by name and cannot be read.
func (d *Dir) Skipped() []string { return d.skipped }

// Styles lists the styles a family has, nil when it is not here.
func (d *Dir) Styles(name string) []font.Style {
	if f := d.families[font.Fold(name)]; f != nil {
		return f.styles
	}
	return nil
}

// UnknownFamily is the error for a family that is not there.
type UnknownFamily struct {
	Family string
	Known  []string
}

func (e *UnknownFamily) Error() string {
	const most = 30
	known := e.Known
	tail := ""
	if len(known) > most {
		known, tail = known[:most], fmt.Sprintf(" and %d more", len(e.Known)-most)
	}
	return fmt.Sprintf("there is no font family %q; there are %s%s", e.Family, strings.Join(known, ", "), tail)
}

// NoFamily says that asking again is of no use (engine.NoFamily).
func (e *UnknownFamily) NoFamily() {}

// Font returns the file nearest to the request: the same bytes for the same
// file every time. File.Weight and File.Italic say what was found.
func (d *Dir) Font(ctx context.Context, name string, weight int, italic bool) (font.File, error) {
	if err := ctx.Err(); err != nil {
		return font.File{}, err
	}
	f := d.families[font.Fold(name)]
	if f == nil {
		return font.File{}, &UnknownFamily{name, d.names}
	}
	i := font.Nearest(f.styles, weight, italic)
	from := f.from[i]
	data, err := d.load(from.path)
	if err != nil {
		return font.File{}, err
	}
	return font.File{Data: data, Family: f.name, Weight: f.styles[i].Weight, Italic: f.styles[i].Italic,
		Index: from.index, Axes: from.axes}, nil
}

func (d *Dir) load(p string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if data := d.read[p]; data != nil {
		return data, nil
	}
	info, err := fs.Stat(d.fsys, p)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("the font %s has %d MB; at most %d MB are read", p, info.Size()>>20, maxSize>>20)
	}
	data, err := fs.ReadFile(d.fsys, p)
	if err != nil {
		return nil, err
	}
	if d.held += len(data); d.held > maxHeld {
		clear(d.read)
		d.held = len(data)
	}
	d.read[p] = data
	return data, nil
}
