package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// ConflictError says that files changed in the folder since the book was read.
// Nothing has been written then.
type ConflictError struct{ Files []string }

func (e *ConflictError) Error() string {
	return "changed in the folder since the book was read: " + strings.Join(e.Files, ", ")
}

// SaveFolder writes a book into a folder, which is made if need be, and returns
// the book as it stands there: new chapters and pictures have got their file
// names. old is the book as the folder holds it, nil for a new folder. Only
// files whose content changed are touched, each replaced in one step: the
// chapters, pictures and fonts first, then the configuration, then book.json,
// and last the files of what was removed. book.json is made only when file names
// alone do not tell order, titles and metadata; what it holds beside them stays.
//
// A chapter or the configuration that something else changed meanwhile is not
// overwritten: the error is a *ConflictError. The two files in JSON keep the order and
// the look of what did not change. After any error the folder is as it was before; when
// the program is ended meanwhile no file is half written.
func SaveFolder(dir string, old, b *Book) (*Book, error) {
	saved, _, err := saveFolder(dir, old, b)
	return saved, err
}

// saveFolder is SaveFolder that tells which files it touched.
func saveFolder(dir string, old, b *Book) (*Book, Touched, error) {
	if len(b.Chapters) == 0 {
		return nil, Touched{}, errors.New("a book without chapters cannot be saved")
	}
	made, err := makeFolder(filepath.Clean(dir))
	var saved *Book
	var did Touched
	if err == nil {
		saved, did, err = saveInto(dir, old, b)
	}
	if err == nil {
		return saved, did, nil
	}
	for _, name := range slices.Backward(made) {
		if e := os.Remove(name); e != nil {
			err = fmt.Errorf("%w; the folder %s is left over: %w", err, name, reason(e))
			break
		}
	}
	return nil, did, err
}

// saveInto is saveFolder for a folder that is there. What could not be written whole is
// taken back again.
func saveInto(dir string, old, b *Book) (_ *Book, did Touched, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, did, fmt.Errorf("the folder %s: %w", dir, reason(err))
	}
	defer root.Close()
	if old == nil {
		old = &Book{}
	}
	if IsBundle(root.FS()) {
		return nil, did, fmt.Errorf("the folder holds a bundle (%s), which is not written to: make a .postext file of it and import that", manifestFile)
	}
	s := saver{root: root, old: old, oldFiles: map[string]*Chapter{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.undo())
		}
	}()
	for _, c := range old.Chapters {
		s.oldFiles[c.File] = c
	}
	saved, err := s.named(b)
	if err != nil {
		return nil, did, err
	}
	if err := s.plan(saved); err != nil {
		return nil, did, err
	}
	if len(s.conflicts) > 0 {
		return nil, did, &ConflictError{s.conflicts}
	}
	for _, w := range s.writes {
		if err := s.write(w.name, w.data); err != nil {
			return nil, did, err
		}
		did.Written = append(did.Written, w.name)
	}
	for _, name := range s.removals {
		if err := s.remove(name); err != nil {
			return nil, did, err
		}
		did.Removed = append(did.Removed, name)
	}
	return saved, did, nil
}

type saver struct {
	root      *os.Root
	old       *Book
	oldFiles  map[string]*Chapter
	writes    []write
	removals  []string
	made      []string // files and folders that were not there before, in order
	before    []write  // what stood in the files replaced and removed, in order
	conflicts []string
}

type write struct {
	name string
	data []byte
}

// named gives chapters and resources without a file their names.
func (s *saver) named(b *Book) (*Book, error) {
	n := *b
	n.Chapters = slices.Clone(b.Chapters)
	n.Resources = slices.Clone(b.Resources)
	taken := map[string]bool{}
	claim := func(name string) error {
		if !fs.ValidPath(name) || name == "." {
			return fmt.Errorf("%q is not the path of a file in a folder", name)
		}
		if taken[strings.ToLower(name)] {
			return fmt.Errorf("two parts of the book have the file %s", name)
		}
		taken[strings.ToLower(name)] = true
		return nil
	}
	width := max(2, len(fmt.Sprint(len(b.Chapters))))
	for _, c := range b.Chapters {
		if c.File == "" {
			continue
		}
		if err := claim(c.File); err != nil {
			return nil, err
		}
		width = max(width, min(digits(c.File), 6))
	}
	for _, f := range b.Files() {
		if err := claim(f.Name); err != nil {
			return nil, err
		}
	}
	fresh := func(stem, ext string) string {
		name := stem + ext
		for k := 2; taken[strings.ToLower(name)] || s.exists(name); k++ {
			name = fmt.Sprintf("%s-%d%s", stem, k, ext)
		}
		taken[strings.ToLower(name)] = true
		return name
	}
	for i, c := range n.Chapters {
		if c.File != "" {
			continue
		}
		word := Slug(c.Title)
		for len(word) > 60 { // file names have limits
			_, size := utf8.DecodeLastRuneInString(word)
			word = word[:len(word)-size]
		}
		if word == "" {
			word = "chapter"
		}
		d := *c
		d.File = fresh(path.Join(besideChapter(n.Chapters, i), fmt.Sprintf("%0*d-%s", width, i+1, word)), ".md")
		n.Chapters[i] = &d
	}
	for i, r := range n.Resources {
		if r.Name != "" || r.Data == nil && r.lazy == nil {
			continue // a table has no file
		}
		data, err := r.Bytes()
		if err != nil {
			return nil, err
		}
		pic, err := ReadPicture(data)
		if err != nil {
			return nil, fmt.Errorf("resource %s: %w", r.ID, err)
		}
		word := Slug(r.ID)
		if word == "" {
			word = "picture"
		}
		named := *r
		named.Data, named.Name = data, fresh("images/"+word, pic.Ext())
		n.Resources[i] = &named
	}
	return &n, nil
}

// besideChapter is the folder of the chapter before chapter i, or else of one after it:
// a folder without book.json has its chapters in one place.
func besideChapter(list []*Chapter, i int) string {
	for _, c := range slices.Backward(list[:i]) {
		if c.File != "" {
			return path.Dir(c.File)
		}
	}
	for _, c := range list[i:] {
		if c.File != "" {
			return path.Dir(c.File)
		}
	}
	return "."
}

func (s *saver) exists(name string) bool {
	_, err := s.root.Lstat(filepath.FromSlash(name))
	return err == nil
}

// plan lists what has to be written and removed.
func (s *saver) plan(b *Book) error {
	kept := map[string]bool{}
	for _, c := range b.Chapters {
		kept[c.File] = true
		if o := s.oldFiles[c.File]; o != nil && o.Markdown == c.Markdown {
			continue
		}
		if err := s.put(c.File, c.Markdown); err != nil {
			return err
		}
	}
	for _, c := range s.old.Chapters {
		if c.File == "" || kept[c.File] {
			continue
		}
		ok, err := s.free(c.File, "")
		if err != nil {
			return err
		}
		if ok {
			s.removals = append(s.removals, c.File)
		}
	}
	if err := s.files(b); err != nil {
		return err
	}
	if err := s.config(b); err != nil {
		return err
	}
	return s.meta(b)
}

// config plans postext-config.json.
func (s *saver) config(b *Book) error {
	if bytes.Equal(s.old.Config, b.Config) {
		return nil
	}
	data, err := configText(b.Config)
	if err != nil {
		return err
	}
	was, err := readFile(s.root.FS(), configFile, maxMetaBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case s.old.design != nil && !bytes.Equal(s.old.design, was):
		// The file's design is the one wanted, or somebody else's.
		var is struct{ Config json.RawMessage }
		if err := json.Unmarshal(bytes.TrimPrefix(was, bom), &is); err == nil {
			if now, err := CanonicalConfig(is.Config); err == nil && bytes.Equal(now, b.Config) {
				return nil
			}
		}
		s.conflicts = append(s.conflicts, configFile)
		return nil
	default:
		if data, err = rewrite(bytes.TrimPrefix(was, bom), data); err != nil {
			return err
		}
	}
	b.design = data
	if !bytes.Equal(data, was) {
		s.writes = append(s.writes, write{configFile, data})
	}
	return nil
}

// put plans the text of a chapter, unless the file has it already.
func (s *saver) put(name, text string) error {
	ok, err := s.free(name, text)
	if err != nil {
		return err
	}
	if ok {
		s.writes = append(s.writes, write{name, []byte(text)})
	}
	return nil
}

// free reports whether the file of a chapter may be replaced by text: it holds
// what the old book says. A file that has the text already need not be.
func (s *saver) free(name, text string) (bool, error) {
	data, err := readFile(s.root.FS(), name, MaxChapter)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	now := CleanText(string(data))
	if o := s.oldFiles[name]; o != nil && o.Markdown == now {
		return true, nil
	}
	if now != text {
		s.conflicts = append(s.conflicts, name)
	}
	return false, nil
}

// files plans the pictures, fonts and the other payloads.
func (s *saver) files(b *Book) error {
	had := map[string]*File{}
	for _, f := range s.old.Files() {
		had[f.Name] = f
	}
	for _, f := range b.Files() {
		o := had[f.Name]
		delete(had, f.Name)
		if o != nil && o.isSame(f) {
			continue
		}
		data, err := f.Bytes()
		if err != nil {
			return err
		}
		if data == nil {
			continue
		}
		if o != nil {
			was, err := o.Bytes()
			if err != nil {
				return err
			}
			if bytes.Equal(was, data) {
				continue
			}
		}
		s.writes = append(s.writes, write{f.Name, data})
	}
	for _, f := range s.old.Files() {
		if had[f.Name] != nil {
			s.removals = append(s.removals, f.Name)
		}
	}
	return nil
}

// ConfigFile is the content of a postext-config.json: the design without the
// font files, which do not travel with it (bundle.md 10).
func ConfigFile(config json.RawMessage) ([]byte, error) {
	var o object
	if len(config) > 0 {
		if err := json.Unmarshal(config, &o); err != nil {
			return nil, fmt.Errorf("the configuration: %w", err)
		}
	}
	o.set("customFonts", nil, "")
	text, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return configText(text)
}

// configText is the content of postext-config.json.
func configText(config json.RawMessage) ([]byte, error) {
	if len(config) == 0 {
		config = json.RawMessage("{}")
	}
	return indented(struct {
		Type          string          `json:"type"`
		Version       int             `json:"version"`
		ConfigVersion int             `json:"configVersion"`
		Config        json.RawMessage `json:"config"`
	}{"postext-config", 1, ConfigVersion, config}, "  ")
}

func indented(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// write replaces a file in one step, in a folder that is made if need be.
func (s *saver) write(name string, data []byte) error {
	file := filepath.FromSlash(name)
	fresh := !s.exists(name)
	err := s.folders(filepath.Dir(file))
	if err == nil && !fresh {
		err = s.remember(name)
	}
	if err == nil {
		err = replace(s.root, file, data)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	if fresh {
		s.made = append(s.made, file)
	}
	return nil
}

// remove takes a file away; one that is gone already is no error.
func (s *saver) remove(name string) error {
	if !s.exists(name) {
		return nil
	}
	err := s.remember(name)
	if err == nil {
		err = s.root.Remove(filepath.FromSlash(name))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be removed: %w", name, reason(err))
	}
	return nil
}

// remember keeps what a file holds, to put it back.
func (s *saver) remember(name string) error {
	data, err := readFile(s.root.FS(), name, maxFileBytes)
	if err == nil {
		s.before = append(s.before, write{name, data})
	}
	return err
}

// folders makes a folder and those it is in.
func (s *saver) folders(dir string) error {
	if dir == "." {
		return nil
	}
	if _, err := s.root.Stat(dir); err == nil {
		return nil
	}
	if err := s.folders(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := s.root.Mkdir(dir, 0o777); err != nil {
		return reason(err)
	}
	s.made = append(s.made, dir)
	return nil
}

// undo puts back what was replaced or removed and removes what was made, the last
// first.
func (s *saver) undo() error {
	var errs []error
	for _, w := range slices.Backward(s.before) {
		if now, err := readFile(s.root.FS(), w.name, maxFileBytes); err == nil && bytes.Equal(now, w.data) {
			continue
		}
		if err := replace(s.root, filepath.FromSlash(w.name), w.data); err != nil {
			errs = append(errs, fmt.Errorf("%s cannot be put back: %w", w.name, err))
		}
	}
	for _, name := range slices.Backward(s.made) {
		if err := s.root.Remove(name); err != nil {
			errs = append(errs, fmt.Errorf("%s is left over: %w", filepath.ToSlash(name), reason(err)))
		}
	}
	return errors.Join(errs...)
}

// makeFolder makes a folder and those it is in, and lists those it made.
func makeFolder(dir string) (made []string, err error) {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if up := filepath.Dir(dir); up != dir {
		if made, err = makeFolder(up); err != nil {
			return made, err
		}
	}
	err = os.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrExist) { // somebody else just did
		return made, nil
	}
	if err != nil {
		return made, fmt.Errorf("the folder %s cannot be made: %w", dir, reason(err))
	}
	return append(made, dir), nil
}
