package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Names of the two files with a meaning of their own.
const (
	metaFile   = "book.json"
	configFile = "postext-config.json"
)

// bom is the mark that some programs begin a text in UTF-8 with.
var bom = []byte("\uFEFF")

// MaxChapter is the most bytes of text a chapter may have, wherever it comes from.
const MaxChapter = 16 << 20

// ChapterTooLong says of a text of n bytes what to do, "" when a chapter may have it.
func ChapterTooLong(n int64) string {
	if n <= MaxChapter {
		return ""
	}
	return fmt.Sprintf("the text is %.1f MB; a chapter may have 16 MB: divide it into several chapters", float64(n)/(1<<20))
}

// readChapter reads the file of a chapter.
func readChapter(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil && info.Mode().IsRegular() {
		if why := ChapterTooLong(info.Size()); why != "" {
			return nil, fmt.Errorf("%s: %s", name, why)
		}
	}
	return readFile(fsys, name, MaxChapter)
}

// Limits of a folder. What is beyond is refused with a plain message; pictures
// and fonts are only left in their files.
const (
	maxTextBytes   = 256 << 20 // all chapters
	maxMetaBytes   = 32 << 20  // book.json and the configuration, each
	maxFileBytes   = 256 << 20 // a picture or font
	maxEntries     = 20000     // files and folders looked at
	maxDepth       = 8         // folders within folders
	eagerFileBytes = 8 << 20   // a picture or font read at once
	eagerBytes     = 64 << 20  // all of them
)

// kinds of resources by extension.
var kinds = map[string]string{
	".svg": "svg", ".png": "bitmap", ".jpg": "bitmap", ".jpeg": "bitmap", ".webp": "bitmap", ".gif": "bitmap",
	".mp4": "video", ".webm": "video", ".mov": "video",
	".bib": "bibliography", ".bibtex": "bibliography",
	".ttf": "font", ".otf": "font", ".ttc": "font", ".otc": "font", ".woff": "font", ".woff2": "font",
}

// OpenFolder reads the book in a folder, or the book of one chapter that is a
// Markdown file, whose folder is then the place for its pictures. Nothing
// outside the folder is read: links leading out are refused (a chapter) or left
// out with a warning (a picture or font).
func OpenFolder(name string) (*Book, error) { return OpenEdition(name, "") }

// ErrOneLanguage refuses a language of a book that is no bundle.
var ErrOneLanguage = errors.New("it is in one language only: leave the language out")

// OpenEdition is OpenFolder for a folder that holds a book in several languages (a
// bundle unzipped): language says which is wanted, "" the book's own. It is refused
// where the book has none like it.
func OpenEdition(name, language string) (*Book, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, Plain(err)
	}
	dir, file := name, ""
	if !info.IsDir() {
		if !isMarkdown(name) {
			return nil, fmt.Errorf("%s is neither a folder nor a Markdown file", name)
		}
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return nil, Plain(err)
		}
		dir, file = filepath.Dir(name), filepath.Base(name)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, Plain(err)
	}
	defer root.Close()
	if file == "" && IsBundle(root.FS()) {
		z, err := OpenBundleFS(laterFS{dir})
		if err != nil {
			return nil, err
		}
		return z.Wanted(language)
	}
	// A file left for later is read through a root of its own, so that an open
	// book holds no folder open.
	if language != "" {
		return nil, ErrOneLanguage
	}
	f := folder{fsys: root.FS(), later: func(name string) ([]byte, error) {
		r, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return readFile(r.FS(), name, maxFileBytes)
	}}
	title := file
	if file == "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		title = filepath.Base(abs)
	}
	return f.open(strings.TrimSuffix(title, filepath.Ext(file)), file)
}

// ReadFolder reads the book in a file system: a folder book's files, or with
// file not empty the one chapter at the top. name is its name when the files
// give none. The file system must not lead out of the folder by itself; large
// pictures and fonts are read from it when first asked for.
//
// A folder with a manifest (preset.json) is a bundle unzipped; it is read in its
// own language.
func ReadFolder(fsys fs.FS, name, file string) (*Book, error) {
	if file == "" && IsBundle(fsys) {
		return readBundleFolder(fsys)
	}
	f := folder{fsys: fsys, later: func(name string) ([]byte, error) { return readFile(fsys, name, maxFileBytes) }}
	return f.open(name, file)
}

// ReadSample reads a sample book in one of its languages ("" for its own): a
// bundle unzipped, or a folder book, which has but one.
func ReadSample(fsys fs.FS, name, language string) (*Book, error) {
	if !IsBundle(fsys) {
		return ReadFolder(fsys, name, "")
	}
	z, err := OpenBundleFS(fsys)
	if err != nil {
		return nil, err
	}
	return z.Book(language)
}

func readBundleFolder(fsys fs.FS) (*Book, error) { return ReadSample(fsys, "", "") }

// laterFS opens files of a folder through a root of its own each time, so that a
// book holds no folder open and no link leads out of it.
type laterFS struct{ dir string }

// Open implements fs.FS.
func (l laterFS) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close() // an open file outlives its root
	return root.FS().Open(name)
}

// folder is a folder book being read.
type folder struct {
	fsys  fs.FS
	later func(name string) ([]byte, error)
	book  Book
	seen  map[string]bool // ids and names given out
	used  map[string]bool // files taken up
	eager int64           // bytes of resources read at once
	text  int             // bytes of chapters
}

// meta is the form of book.json. Author may be a list.
type meta struct {
	Title    string        `json:"title"`
	Subtitle string        `json:"subtitle"`
	Author   names         `json:"author"`
	Language string        `json:"language"`
	Chapters []metaChapter `json:"chapters"`
	// Resources are those of which something is to be told beside their file, in
	// the manifest's form (bundle.md 3); tables have no file.
	Resources   []*Resource `json:"resources"`
	Description string      `json:"description"`
	Licence     string      `json:"license"`
	Credits     string      `json:"credits"`
	Tags        []string    `json:"tags"`
	Cover       string      `json:"cover"`
}

type metaChapter struct {
	File  string `json:"file"`
	Title string `json:"title"`
}

// names is a text, or a list of texts joined.
type names string

func (n *names) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*n = names(strings.Join(list, ", "))
		return nil
	}
	return json.Unmarshal(b, (*string)(n))
}

func (f *folder) open(name, file string) (*Book, error) {
	f.seen, f.used = map[string]bool{}, map[string]bool{}
	b := &f.book
	b.Kind, b.ID, b.Name, b.Folder = "project", Slug(name), name, true
	var m meta
	var files []string
	if file == "" {
		var err error
		if m, err = f.meta(); err != nil {
			return nil, err
		}
		if err := f.config(); err != nil {
			return nil, err
		}
		if files, err = f.files(); err != nil {
			return nil, err
		}
	} else {
		m.Chapters = []metaChapter{{File: file}}
		if err := f.config(); err != nil {
			return nil, err
		}
		var err error
		if files, err = f.nearby(file); err != nil {
			return nil, err
		}
	}
	if m.Chapters == nil {
		m.Chapters = chaptersOf(files)
	}
	if len(m.Chapters) == 0 {
		return nil, errors.New("no chapters: the folder has no Markdown files")
	}
	for i, c := range m.Chapters {
		if err := f.chapter(i, c); err != nil {
			return nil, err
		}
	}
	for _, text := range []*string{&m.Title, &m.Subtitle, (*string)(&m.Author), &m.Language} {
		*text = CleanText(*text)
	}
	b.Title, b.Subtitle, b.Author, b.Language = m.Title, m.Subtitle, string(m.Author), m.Language
	matter, _ := FrontMatter(b.Chapters[0].Markdown)
	for _, t := range []string{matterValue(matter, "title"), m.Title} {
		if t = strings.TrimSpace(t); t != "" {
			b.Name = t
			break
		}
	}
	if b.Language == "" {
		b.Language = strings.TrimSpace(matterValue(matter, "language"))
	}
	b.Description, b.Licence, b.Credits, b.Tags = CleanText(m.Description), CleanText(m.Licence), CleanText(m.Credits), m.Tags
	if err := f.declared(m.Resources); err != nil {
		return nil, err
	}
	for _, name := range files {
		if name == m.Cover {
			b.Cover = f.payload(name)
			continue
		}
		if err := f.resource(name); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// declared takes up the resources that book.json tells of.
func (f *folder) declared(list []*Resource) error {
	ids := map[string]bool{}
	for i, r := range list {
		if r == nil {
			return fmt.Errorf("%s: resource %d is null", metaFile, i+1)
		}
		if why := r.Faults(); why != nil {
			return fmt.Errorf("%s: resource %d: %s", metaFile, i+1, why[0])
		}
		if ids[r.ID] {
			return fmt.Errorf("%s: two resources have the id %q", metaFile, r.ID)
		}
		ids[r.ID] = true
		missing := false
		for _, name := range []*string{&r.Name, fileName(r.Master), fileName(r.Poster)} {
			if name == nil || *name == "" {
				continue
			}
			*name = path.Clean(strings.ReplaceAll(*name, `\`, "/"))
			if !fs.ValidPath(*name) {
				return fmt.Errorf("%s: resource %q: %q is not the path of a file in the folder", metaFile, r.ID, *name)
			}
			p := f.payload(*name)
			if p == nil {
				f.warn("resource %s is left out: its file %s cannot be had", r.ID, *name)
				missing = true
				continue
			}
			switch name {
			case &r.Name:
				r.Data, r.lazy = p.Data, p.lazy
			case fileName(r.Master):
				r.Master = p
			default:
				r.Poster = p
			}
		}
		if missing {
			continue
		}
		r.measure()
		f.book.Resources = append(f.book.Resources, r)
	}
	return nil
}

func fileName(f *File) *string {
	if f == nil {
		return nil
	}
	return &f.Name
}

// payload takes up a file once; nil with a warning when it cannot be had. The
// same file asked for again is not a resource of its own any more.
func (f *folder) payload(name string) *File {
	f.used[name] = true
	info, err := fs.Stat(f.fsys, name)
	switch {
	case err != nil:
		f.warn("%s is left out: %v", name, reason(err))
		return nil
	case !info.Mode().IsRegular():
		return nil
	case info.Size() > maxFileBytes:
		f.warn("%s is left out: it is larger than %d MiB", name, maxFileBytes>>20)
		return nil
	}
	p := &File{Name: name}
	if info.Size() <= eagerFileBytes && f.eager+info.Size() <= eagerBytes && kinds[strings.ToLower(path.Ext(name))] != KindVideo {
		if p.Data, err = f.read(name, maxFileBytes); err != nil {
			f.warn("%s is left out: %v", name, reason(err))
			return nil
		}
		f.eager += info.Size()
		return p
	}
	later := f.later
	p.lazy = &lazyFile{read: func() ([]byte, error) { return later(name) }}
	return p
}

// meta reads book.json.
func (f *folder) meta() (m meta, err error) {
	data, err := readFile(f.fsys, metaFile, maxMetaBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, bom), &m); err != nil {
		return m, fmt.Errorf("%s: %w", metaFile, err)
	}
	seen := map[string]bool{}
	for i := range m.Chapters {
		c := &m.Chapters[i]
		c.File = path.Clean(strings.ReplaceAll(c.File, `\`, "/"))
		switch {
		case c.File == "." || !fs.ValidPath(c.File):
			return m, fmt.Errorf("%s: chapter %d: %q is not the path of a file in the folder", metaFile, i+1, c.File)
		case seen[c.File]:
			return m, fmt.Errorf("%s: chapter %d: %s is listed twice", metaFile, i+1, c.File)
		}
		seen[c.File] = true
	}
	return m, nil
}

// config reads postext-config.json (bundle.md 10).
func (f *folder) config() error {
	data, err := readFile(f.fsys, configFile, maxMetaBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var c struct {
		Type          string          `json:"type"`
		Version       int             `json:"version"`
		ConfigVersion int             `json:"configVersion"`
		Config        json.RawMessage `json:"config"`
	}
	f.book.design = data
	if err := json.Unmarshal(bytes.TrimPrefix(data, bom), &c); err != nil {
		return fmt.Errorf("%s: %w", configFile, err)
	}
	if c.Type != "postext-config" || c.Version != 1 {
		return fmt.Errorf(`%s: "type" must be "postext-config" and "version" 1`, configFile)
	}
	if f.book.Config, err = CanonicalConfig(c.Config); err != nil {
		return fmt.Errorf("%s: %w", configFile, err)
	}
	f.book.ConfigVersion = c.ConfigVersion
	if c.ConfigVersion > ConfigVersion {
		f.warn("%s was written for configuration rules %d; read as %d", configFile, c.ConfigVersion, ConfigVersion)
		f.book.ConfigVersion = ConfigVersion
	}
	return nil
}

func (f *folder) warn(format string, args ...any) {
	f.book.Warnings = append(f.book.Warnings, fmt.Sprintf(format, args...))
}

// files lists the folder's files, sorted by name with numbers in numeric order;
// hidden files and folders, and those of package managers, are left out.
func (f *folder) files() ([]string, error) {
	var list []string
	n := 0
	err := fs.WalkDir(f.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if name == "." {
				return err
			}
			f.warn("%s cannot be read: %v", name, reason(err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if n++; n > maxEntries {
			return fmt.Errorf("the folder has more than %d files: it does not look like a book", maxEntries)
		}
		base := path.Base(name)
		switch {
		case name == ".":
		case strings.HasPrefix(base, ".") || base == "node_modules":
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			if strings.Count(name, "/") >= maxDepth {
				return fs.SkipDir
			}
		case wanted(name) && !fs.ValidPath(name):
			f.warn("%s is left out: its name is not UTF-8", strings.ToValidUTF8(name, "\uFFFD"))
		case wanted(name):
			list = append(list, name)
		}
		return nil
	})
	slices.SortFunc(list, compareNatural)
	return list, err
}

// nearby lists the files of a book that is one chapter: those beside it, in
// images and fonts, and those its text names.
func (f *folder) nearby(file string) ([]string, error) {
	text, err := readChapter(f.fsys, file)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, dir := range []string{".", "images", "fonts"} {
		entries, err := fs.ReadDir(f.fsys, dir)
		if err != nil {
			if dir == "." {
				return nil, err
			}
			continue // there need not be one
		}
		for _, e := range entries[:min(len(entries), maxEntries)] {
			if name := path.Join(dir, e.Name()); !e.IsDir() && wanted(name) && !isMarkdown(name) && e.Name()[0] != '.' {
				list = append(list, name)
			}
		}
	}
	for _, part := range strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune("()<>\"' \t\r\n", r) }) {
		name := path.Clean(part)
		if strings.Contains(name, "/") && wanted(name) && !isMarkdown(name) && fs.ValidPath(name) {
			if info, err := fs.Stat(f.fsys, name); err == nil && info.Mode().IsRegular() {
				list = append(list, name)
			}
		}
	}
	slices.SortFunc(list, compareNatural)
	return slices.Compact(list), nil
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

func wanted(name string) bool {
	return isMarkdown(name) || kinds[strings.ToLower(path.Ext(name))] != ""
}

// chaptersOf are the Markdown files at the top, or else those in chapters/.
func chaptersOf(files []string) []metaChapter {
	for _, dir := range []string{".", "chapters"} {
		var list []metaChapter
		for _, name := range files {
			if isMarkdown(name) && path.Dir(name) == dir {
				list = append(list, metaChapter{File: name})
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// chapter reads a chapter. Its id comes from its file, so that it stays the same
// when others come and go.
func (f *folder) chapter(i int, m metaChapter) error {
	data, err := readChapter(f.fsys, m.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("chapter %d: there is no file %s", i+1, m.File)
	case err != nil:
		return fmt.Errorf("chapter %d: %w", i+1, err)
	}
	if f.text += len(data); f.text > maxTextBytes {
		return fmt.Errorf("the chapters have more than %d MiB of text", maxTextBytes>>20)
	}
	c := &Chapter{File: m.File, Markdown: CleanText(string(data)), Title: strings.TrimSpace(CleanText(m.Title))}
	c.ID = f.unique(strings.ReplaceAll(strings.TrimSuffix(m.File, path.Ext(m.File)), "/", "-"))
	if why := ChapterTooLong(int64(len(c.Markdown))); why != "" {
		return fmt.Errorf("chapter %d: %s: %s", i+1, m.File, why)
	}
	if c.Title == "" {
		c.Title = DeriveTitle(c.Markdown, fmt.Sprintf("Chapter %d", i+1))
	}
	f.book.Chapters = append(f.book.Chapters, c)
	return nil
}

func (f *folder) unique(id string) string {
	for n, base := 2, id; f.seen[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	f.seen[id] = true
	return id
}

// resource takes up a picture, font or bibliography. Fonts count only in
// fonts/.
func (f *folder) resource(name string) error {
	kind := kinds[strings.ToLower(path.Ext(name))]
	if kind == "" || kind == "font" && !strings.HasPrefix(name, "fonts/") || f.used[name] {
		return nil
	}
	p := f.payload(name)
	if p == nil {
		return nil
	}
	r := &Resource{ID: name, Name: name, Kind: kind, Data: p.Data, lazy: p.lazy}
	if kind == KindBitmap || kind == KindSVG {
		r.TypeID = "figure"
		r.measure()
	}
	if kind == "font" {
		f.book.Fonts = append(f.book.Fonts, r)
	} else {
		f.book.Resources = append(f.book.Resources, r)
	}
	return nil
}

func (f *folder) read(name string, limit int64) ([]byte, error) { return readFile(f.fsys, name, limit) }

// readFile reads a regular file of at most limit bytes. What is no file is not
// opened: a named pipe would wait for its writer for ever.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, unread(name, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, unread(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, unread(name, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, limit>>20)
	}
	return data, nil
}

// unread says which file cannot be read, and why. That a file is not there is for
// the caller to say.
func unread(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s cannot be read: %w", name, reason(err))
}
