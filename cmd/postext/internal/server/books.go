package server

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"postext/book"
)

// folderBook is a folder shown as a book: its Markdown files are the chapters.
type folderBook struct {
	id   string
	name string
	only string // the single Markdown file that was named, or ""
	root *os.Root
}

// Bounds on what a folder may hold; more is cut off, and said in no way but by
// the missing file: a book has no such depth.
const (
	maxDepth = 5
	maxFiles = 5000
	maxMeta  = 1 << 20 // bytes of a book.json
)

// openBook opens a folder or a Markdown file as a book and gives it an id that
// is not in ids, where it is put.
func openBook(name string, ids map[string]bool) (*folderBook, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("--book %s: %w", name, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, fmt.Errorf("--book %s: %w", name, book.Plain(err))
	}
	b := &folderBook{name: filepath.Base(abs)}
	folder := abs
	switch {
	case info.IsDir():
	case isMarkdown(abs):
		b.only, folder = filepath.Base(abs), filepath.Dir(abs)
		b.name = strings.TrimSuffix(b.only, filepath.Ext(b.only))
	default:
		return nil, fmt.Errorf("--book %s: give a folder with Markdown files, or one .md file", name)
	}
	if b.root, err = os.OpenRoot(folder); err != nil {
		return nil, fmt.Errorf("--book %s: %w", name, err)
	}
	b.id = Slug(b.name)
	for n := 2; ids[b.id]; n++ {
		b.id = fmt.Sprintf("%s-%d", Slug(b.name), n)
	}
	ids[b.id] = true
	entry, err := b.entry()
	if err == nil && !hasChapter(entry.Files) {
		err = errors.New("it holds no Markdown file")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--book %s: %w", name, err), b.root.Close())
	}
	return b, nil
}

func isMarkdown(name string) bool { return strings.EqualFold(path.Ext(name), ".md") }

func hasChapter(files []string) bool {
	for _, f := range files {
		if isMarkdown(f) {
			return true
		}
	}
	return false
}

// Slug turns a name into the id of its address: compatibility decomposition,
// marks removed, lower case, every run of other characters one hyphen.
func Slug(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(name) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		default:
			gap = true
		}
	}
	if b.Len() == 0 {
		return "book"
	}
	return b.String()
}

// shown tells whether a path of a book is given out.
func (b *folderBook) shown(name string) bool {
	if name == "" || !fs.ValidPath(name) {
		return false
	}
	parts := strings.Split(name, "/")
	if len(parts) > maxDepth {
		return false
	}
	for _, part := range parts {
		if strings.HasPrefix(part, ".") || part == "node_modules" {
			return false
		}
	}
	return b.only == "" || name == b.only || !isMarkdown(name) && name != "book.json"
}

// entry reads the folder as it is now.
func (b *folderBook) entry() (book.Listing, error) {
	e := book.Listing{ID: b.id, Name: b.name, Live: true, Files: []string{}}
	err := fs.WalkDir(b.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == ".":
			return err
		case !b.shown(name):
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case err != nil:
			return nil // a folder that cannot be read holds nothing for us
		case d.Type().IsRegular():
			e.Files = append(e.Files, name)
			if len(e.Files) == maxFiles {
				return fs.SkipAll
			}
		}
		return nil
	})
	if err != nil {
		return e, err
	}
	if b.only != "" {
		return e, nil
	}
	err = b.describe(&e)
	return e, err
}

// describe reads book.json, or the manifest of a bundle unzipped.
func (b *folderBook) describe(e *book.Listing) error {
	name := "preset.json"
	f, err := b.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		name = "book.json"
		f, err = b.root.Open(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() // only read from
	data, err := io.ReadAll(io.LimitReader(f, maxMeta))
	if err != nil {
		return err
	}
	if err := e.Describe(data); err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return nil
}

// siteBooks reads the index of the books that come with the site.
func (s *Server) siteBooks() ([]book.Listing, error) {
	data, err := s.site.ReadFile("books/index.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the site's book index: %w", err)
	}
	var list []book.Listing
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("the site's book index: %w", err)
	}
	return list, nil
}

// serveIndex lists the folder books first, as they are now, then the site's.
func (s *Server) serveIndex(w http.ResponseWriter, r *http.Request) {
	list := []book.Listing{}
	for _, b := range s.books {
		e, err := b.entry()
		if err != nil {
			// The folder went away or its book.json broke: the others still serve.
			continue
		}
		list = append(list, e)
	}
	shipped, err := s.siteBooks()
	if err != nil {
		s.problem(w, r, http.StatusInternalServerError, "The list of books cannot be read.")
		return
	}
	data, err := json.Marshal(append(list, shipped...))
	if err != nil {
		s.problem(w, r, http.StatusInternalServerError, "The list of books cannot be written.")
		return
	}
	s.bytes(w, r, "application/json", data)
}

// serveBook answers with a file of a folder book and tells whether name belongs
// to one.
func (s *Server) serveBook(w http.ResponseWriter, r *http.Request, name string) bool {
	id, file, _ := strings.Cut(name, "/")
	for _, b := range s.books {
		if b.id != id {
			continue
		}
		if file == fingerprintFile {
			s.serveFingerprint(w, r, b)
			return true
		}
		if !b.shown(file) || s.file(w, r, b.root, file) != nil {
			s.problem(w, r, http.StatusNotFound, "The book has no such file.")
		}
		return true
	}
	return false
}

// fingerprintFile is computed for every folder book, whatever it holds.
const fingerprintFile = "fingerprint.json"

// serveFingerprint answers with what tells the states of a folder apart: path,
// size and time of every file, never their contents.
func (s *Server) serveFingerprint(w http.ResponseWriter, r *http.Request, b *folderBook) {
	e, err := b.entry()
	if err != nil {
		s.problem(w, r, http.StatusNotFound, "The book cannot be read at this moment.")
		return
	}
	sum := sha256.New()
	for _, name := range e.Files {
		info, err := b.root.Stat(name)
		if err != nil {
			continue // gone since it was listed: the next look tells
		}
		fmt.Fprintf(sum, "%s\x00%d\x00%d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	text := fmt.Sprintf(`{"fingerprint":"%x","files":%d}`, sum.Sum(nil), len(e.Files))
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method != http.MethodHead {
		io.WriteString(w, text) // as in bytes: nobody is left to tell
	}
}
