package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// A folder book goes out in a .postext file and comes back. In the file its parts have
// the names of bundle.md 8.4; which file of the folder each is stands in a file of ours
// beside them, with what the folder's file held when the book was read from it. So a
// bundle made into a folder has the names it came with, and WriteInto can tell what a
// person changed in the book from what was changed in the folder meanwhile.

// originName is the name of that file. Others pass over it (bundle.md 1).
const originName = "folder.json"

// folderOrigin is what it holds.
type folderOrigin struct {
	Files map[string]originFile `json:"files"` // by their paths in the folder
	// Changed says which of the two files in JSON tell something else now: "design",
	// "metadata". It is known where the book as read is.
	Changed []string `json:"changed,omitempty"`
	Known   bool     `json:"known,omitempty"`
}

type originFile struct {
	At  string `json:"at,omitempty"`  // in the bundle; "" for what the book has not any more
	Was string `json:"was,omitempty"` // sum of what was read, "" when that is not known
	// Loose: a font file that no family of the design names.
	Loose bool `json:"loose,omitempty"`
}

// sum tells the states of a file apart.
func sum(data []byte) string { return fmt.Sprintf("%x-%08x", len(data), crc32.ChecksumIEEE(data)) }

// originOf begins the list for a book, with what its files held.
func originOf(read *Book) (*folderOrigin, error) {
	o := &folderOrigin{Files: map[string]originFile{}}
	if read == nil {
		return o, nil
	}
	o.Known = true
	for _, c := range read.Chapters {
		if c.File != "" {
			o.Files[c.File] = originFile{Was: sum([]byte(c.Markdown))}
		}
	}
	for _, f := range read.Files() {
		if f.Name == "" {
			continue
		}
		data, err := f.Bytes()
		if err != nil {
			return nil, err
		}
		o.Files[f.Name] = originFile{Was: sum(data)}
	}
	for _, r := range read.Resources {
		text, err := r.MarshalJSON()
		if err != nil {
			return nil, err
		}
		o.Files[toldOf(r)] = originFile{Was: sum(text)}
	}
	if read.design != nil {
		o.Files[configFile] = originFile{Was: sum(read.design)}
	}
	return o, nil
}

// before is what was known of the folder, without the places in a bundle.
func (o *folderOrigin) before() *folderOrigin {
	n := &folderOrigin{Files: make(map[string]originFile, len(o.Files)), Changed: slices.Clone(o.Changed), Known: o.Known}
	for name, f := range o.Files {
		if f.Was != "" {
			n.Files[name] = originFile{Was: f.Was}
		}
	}
	return n
}

// readOrigin reads the file of a bundle, nil when there is none or it is none of ours.
func readOrigin(files bundleFiles) *folderOrigin {
	if !files.has(originName) {
		return nil
	}
	data, err := files.read(originName, maxManifest)
	if err != nil {
		return nil
	}
	o := &folderOrigin{}
	if json.Unmarshal(data, o) != nil || o.Files == nil {
		return nil
	}
	return o
}

// toldOf names what book.json tells of a resource.
func toldOf(r *Resource) string { return metaFile + "#" + r.ID }

// inBook is the place of what a bundle does not hold, but the book has.
const inBook = "-"

// stay notes what the book has, whether the bundle can hold it or not.
func (o *folderOrigin) stay(b *Book) {
	for _, f := range b.Files() {
		o.put(f.Name, inBook, false)
	}
	for _, r := range b.Resources {
		o.put(toldOf(r), inBook, false)
	}
}

// differs notes which of the two files in JSON tell something else than they did.
func (o *folderOrigin) differs(b, read *Book) {
	if read == nil {
		return
	}
	changed := func(what string) {
		if !slices.Contains(o.Changed, what) {
			o.Changed = append(o.Changed, what)
		}
	}
	if !bytes.Equal(b.Config, read.Config) {
		changed("design")
	}
	if b.Title != read.Title || b.Subtitle != read.Subtitle || b.Author != read.Author || b.Language != read.Language ||
		b.Description != read.Description || b.Licence != read.Licence || b.Credits != read.Credits || !slices.Equal(b.Tags, read.Tags) {
		changed("metadata")
	}
}

// put notes which file of the folder a file of the bundle is.
func (o *folderOrigin) put(file, at string, loose bool) {
	if o == nil || file == "" {
		return
	}
	f := o.Files[file]
	f.At, f.Loose = at, loose
	o.Files[file] = f
}

// names are the paths in the folder by those in the bundle. A path that a folder book
// could not have where it stands is passed over.
func (o *folderOrigin) names() map[string]string {
	if o == nil {
		return nil
	}
	list := map[string]string{}
	taken := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(o.Files)) {
		at := o.Files[file].At
		if at == "" || at == inBook || list[at] != "" || taken[strings.ToLower(file)] || !fs.ValidPath(file) || !wanted(file) || isMarkdown(file) != isMarkdown(at) || hidden(file) ||
			strings.HasPrefix(at, "fonts/") != (kinds[strings.ToLower(path.Ext(file))] == "font") {
			continue
		}
		taken[strings.ToLower(file)] = true
		list[at] = file
	}
	return list
}

// hidden reports whether a folder book passes over a file.
func hidden(file string) bool {
	for _, part := range strings.Split(file, "/") {
		if strings.HasPrefix(part, ".") || part == "node_modules" {
			return true
		}
	}
	return strings.Count(file, "/") > maxDepth
}

// rename gives the parts of a book the names of the folder it came from. A chapter
// that was none of the folder's has no file yet.
func (o *folderOrigin) rename(b *Book) {
	if o == nil {
		return
	}
	b.Folder, b.origin = true, o
	names := o.names()
	for _, c := range b.Chapters {
		c.File = names[c.File]
	}
	as := func(name *string) {
		if to := names[*name]; to != "" {
			*name = to
		}
	}
	for _, r := range b.Resources {
		as(&r.Name)
		for _, f := range []**File{&r.Master, &r.Poster} {
			if *f != nil {
				c := **f
				as(&c.Name)
				*f = &c
			}
		}
	}
	if b.Cover != nil {
		c := *b.Cover
		as(&c.Name)
		b.Cover = &c
	}
}

// Touched is what WriteInto did to a folder, by the files' names.
type Touched struct{ Written, Removed []string }

// ErrForeign says that a bundle was not made of the folder it is to be written into.
var ErrForeign = errors.New("the file does not say which folder it was made of")

// WriteInto writes a book of the bundle, as Wanted gives it, back into the folder it was
// made of: what changed in the book is changed in its files, and all else stays.
// Where a file was changed in the folder too since the book was read from it, nothing
// is written, and the error is a *ConflictError.
//
// With overwrite the book of the folder becomes that of the bundle, whatever it was
// made of and whatever changed in the folder: a chapter goes into the file of the
// chapter with its text or its title, and those of the folder that the bundle has not
// are removed. Pictures and fonts of the folder that the bundle does not have stay.
//
// Each file is replaced in one step; when one cannot be, those written before it are
// put back.
func (z *Bundle) WriteInto(dir string, b *Book, overwrite bool) (Touched, error) {
	var did Touched
	if info, err := os.Stat(dir); err != nil {
		return did, Plain(err)
	} else if !info.IsDir() {
		return did, errors.New("it is no folder")
	}
	old, err := OpenFolder(dir)
	if err != nil {
		return did, err
	}
	origin := z.m.Folder
	next, err := origin.into(old, b)
	if err != nil {
		return did, err
	}
	if !overwrite {
		if origin == nil || !origin.Known {
			return did, ErrForeign
		}
		if list := origin.changedIn(old, next); len(list) > 0 {
			return did, &ConflictError{list}
		}
	}
	if _, did, err = saveFolder(dir, old, next); err != nil {
		return Touched{}, err
	}
	return did, nil
}

// changedIn lists the files of the folder's book that were changed there since it was
// read, and are not what the other book has for them.
func (o *folderOrigin) changedIn(old, b *Book) []string {
	var list []string
	has := map[string]string{}
	for _, c := range b.Chapters {
		has[c.File] = c.Markdown
	}
	there := map[string]bool{}
	for _, c := range old.Chapters {
		there[c.File] = true
		f, known := o.Files[c.File]
		text, stays := has[c.File]
		if (!known || f.Was != sum([]byte(c.Markdown))) && (!stays || text != c.Markdown) {
			list = append(list, c.File)
		}
	}
	for _, c := range b.Chapters {
		// One that was taken out of the folder would come back with its changes.
		if f := o.Files[c.File]; c.File != "" && !there[c.File] && f.Was != "" {
			list = append(list, c.File)
		}
	}
	mine := map[string]*File{}
	for _, f := range b.Files() {
		mine[f.Name] = f
	}
	for _, f := range old.Files() {
		o, known := o.Files[f.Name]
		if !known || o.Was == "" {
			continue // it stays
		}
		data, err := f.Bytes()
		if err != nil || sum(data) == o.Was {
			continue
		}
		if n := mine[f.Name]; n != nil {
			if now, err := n.Bytes(); err == nil && bytes.Equal(now, data) {
				continue
			}
		}
		list = append(list, f.Name)
	}
	for _, r := range old.Resources {
		f, known := o.Files[toldOf(r)]
		text, err := r.MarshalJSON()
		if !known || err != nil || f.Was == "" || f.Was == sum(text) {
			continue
		}
		if i := slices.IndexFunc(b.Resources, func(n *Resource) bool { return n.ID == r.ID }); i >= 0 {
			if now, err := b.Resources[i].MarshalJSON(); err == nil && bytes.Equal(now, text) {
				continue
			}
		}
		list = append(list, fmt.Sprintf("%s (%s)", metaFile, r.ID))
	}
	if slices.Contains(o.Changed, "design") {
		if was := o.Files[configFile].Was; was != sum(old.design) && (was != "" || old.design != nil) && !bytes.Equal(old.Config, b.Config) {
			list = append(list, configFile)
		}
	}
	return list
}

// into is the book b as it stands in the folder of the book old.
func (o *folderOrigin) into(old, b *Book) (*Book, error) {
	n := *b
	n.Chapters = fileChapters(old, b, o != nil)
	if o != nil && o.Known {
		if !slices.Contains(o.Changed, "design") {
			n.Config, n.ConfigVersion = old.Config, old.ConfigVersion
		}
		if !slices.Contains(o.Changed, "metadata") {
			n.Title, n.Subtitle, n.Author, n.Language = old.Title, old.Subtitle, old.Author, old.Language
			n.Description, n.Licence, n.Credits, n.Tags = old.Description, old.Licence, old.Credits, old.Tags
		}
	} else if n.Title == "" && old.Title != "" {
		n.KeepName()
	}
	// A picture or font of the folder stays, unless it was in the book and was taken
	// out of it; what a bundle cannot hold never was.
	gone := func(r *Resource) bool {
		if o == nil || !o.Known {
			return false
		}
		name := toldOf(r)
		if r.Kind == "font" {
			name = r.Name
		}
		f, known := o.Files[name]
		return known && f.At == ""
	}
	var err error
	if n.Resources, err = merged(old.Resources, b.Resources, gone); err != nil {
		return nil, err
	}
	if n.Fonts, err = merged(old.Fonts, b.Fonts, gone); err != nil {
		return nil, err
	}
	if n.Cover == nil && !(o != nil && o.Known) {
		n.Cover = old.Cover
	}
	return &n, nil
}

// fileChapters gives the chapters of b the files of a folder. Where they do not know
// theirs, they take those of the chapters with the same text, or the same title.
func fileChapters(old, b *Book, known bool) []*Chapter {
	list := make([]*Chapter, len(b.Chapters))
	taken := map[string]bool{}
	for i, c := range b.Chapters {
		d := *c
		if !known {
			d.File = ""
		}
		taken[d.File] = true
		list[i] = &d
	}
	for _, same := range []func(x, y *Chapter) bool{
		func(x, y *Chapter) bool { return x.Markdown == y.Markdown },
		func(x, y *Chapter) bool { return x.Title == y.Title },
	} {
		for _, c := range list {
			if c.File != "" {
				continue
			}
			for _, was := range old.Chapters {
				if !taken[was.File] && same(was, c) {
					c.File, taken[was.File] = was.File, true
					break
				}
			}
		}
	}
	return list
}

// merged are the resources of b, under the names they have in the folder, and those of
// old beside them that are not gone. What is as it was is old's own.
func merged(old, list []*Resource, gone func(*Resource) bool) ([]*Resource, error) {
	var out []*Resource
	had := map[string]bool{}
	for _, r := range list {
		at := slices.IndexFunc(old, func(o *Resource) bool { return o.ID == r.ID || o.Name == r.Name && r.Name != "" })
		if at < 0 {
			out = append(out, r)
			continue
		}
		was := old[at]
		had[was.ID] = true
		c := *r
		if r.Name != "" && was.Name != "" && path.Ext(r.Name) == path.Ext(was.Name) {
			c.Name = was.Name
		}
		out = append(out, &c)
	}
	for _, r := range old {
		if !had[r.ID] && !gone(r) {
			out = append(out, r)
		}
	}
	return out, nil
}
