// Package server serves the built site, and folders as books beside it.
//
// Everything comes from two kinds of place, each opened as an os.Root so that no
// path and no link leads out of it: the site, a folder that web/build wrote, and
// the book folders named on the command line. Nothing is written and nothing is
// run. A file goes out with a strong ETag (a hash of its bytes, told apart by
// coding), precompressed where the build left a .br or .gz file beside it; names
// that carry a hash may be kept for ever, everything else is asked for again. What
// goes out as it is stored can be asked for in ranges.
package server

import (
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"

	"postext/book"
	"postext/engine/font/catalogue"
)

// Policy is the Content-Security-Policy of every answer: no inline script, no
// inline style, WebAssembly allowed.
const Policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
	"connect-src 'self' https: data: blob:; img-src 'self' https: data: blob:; media-src 'self' https: data: blob:; " +
	"object-src 'none'; style-src 'self'; base-uri 'none'"

// headers go with every answer, whatever its status. The Permissions-Policy
// says what is the default anyway, so that a proxy in front cannot take the
// tools away unseen; a browser that does not know the feature says so in its
// console and goes on.
var headers = [...]struct{ name, value string }{
	{"Content-Security-Policy", Policy},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Origin-Agent-Cluster", "?1"},
	{"Permissions-Policy", "tools=(self)"},
	{"Referrer-Policy", "strict-origin-when-cross-origin"},
	{"X-Content-Type-Options", "nosniff"},
}

// Server is an http.Handler for one site and its books. It is safe for
// concurrent use; Close it when it is no longer needed.
type Server struct {
	site  *os.Root
	fonts *os.Root // packages of fonts, nil without any
	books []*folderBook
	tags  tagCache
	// loopback: only names of this machine are answered.
	loopback bool
}

// LoopbackOnly has requests answered only when they are made to a name of this
// machine: localhost, 127.0.0.0/8 or [::1]. A page from elsewhere whose name was
// made to lead here (DNS rebinding) could read the books otherwise. It is for a
// server that listens there alone, and is set before the first request.
func (s *Server) LoopbackOnly() { s.loopback = true }

// isLoopback tells whether a Host header names this machine.
func isLoopback(host string) bool {
	u := url.URL{Host: host}
	name := u.Hostname()
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Zone() == "" && ip.IsLoopback()
}

// Books are the folders that are served as books, in the order they were named; one
// that cannot be read any more bears its folder's name.
func (s *Server) Books() []book.Listing {
	var list []book.Listing
	for _, b := range s.books {
		e, err := b.entry()
		if err != nil {
			e = book.Listing{Name: b.name}
		}
		e.ID = b.id
		list = append(list, e)
	}
	return list
}

// New opens the built site in the folder site and the book folders (or single
// Markdown files) named. The error says which one cannot be used.
func New(site string, books ...string) (*Server, error) {
	root, err := os.OpenRoot(site)
	if err != nil {
		return nil, fmt.Errorf("the site folder cannot be opened: %w", err)
	}
	s := &Server{site: root}
	if _, err := root.Stat("index.html"); err != nil {
		s.Close()
		return nil, fmt.Errorf("%s is not a built site (it has no index.html); make build writes one", site)
	}
	taken, err := s.siteBooks()
	if err != nil {
		s.Close()
		return nil, err
	}
	ids := map[string]bool{}
	for _, b := range taken {
		ids[b.ID] = true
	}
	for _, name := range books {
		b, err := openBook(name, ids)
		if err != nil {
			s.Close()
			return nil, err
		}
		s.books = append(s.books, b)
	}
	return s, nil
}

// Fonts serves a folder of npm font packages (@expo-google-fonts) as the files of
// the font catalogue.
func (s *Server) Fonts(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("the folder of font packages cannot be opened: %w", err)
	}
	s.fonts = root
	return nil
}

// serveFont answers with a file of the font packages, false when it has none.
func (s *Server) serveFont(w http.ResponseWriter, r *http.Request, name string) bool {
	if s.fonts == nil || hidden(name) || !strings.HasSuffix(name, ".ttf") {
		return false
	}
	err := s.file(w, r, s.fonts, name)
	if err != nil && !missing(err) {
		s.problem(w, r, http.StatusInternalServerError, "That file cannot be read.")
		return true
	}
	return err == nil
}

// serveCatalogue answers with the list of the font catalogue, saying of which
// families there are files.
func (s *Server) serveCatalogue(w http.ResponseWriter, r *http.Request) {
	list, err := s.site.ReadFile("fonts/" + catalogue.File)
	var packages []fs.DirEntry
	if err == nil {
		packages, err = fs.ReadDir(s.fonts.FS(), ".")
	}
	if err != nil {
		s.problem(w, r, http.StatusInternalServerError, "The list of fonts cannot be read.")
		return
	}
	there := catalogue.Place{Base: "catalogue/", Folders: []string{}}
	for _, p := range packages {
		there.Folders = append(there.Folders, p.Name())
	}
	s.bytes(w, r, "text/plain; charset=utf-8", []byte(catalogue.WithPlace(string(list), there)))
}

// Close closes the folders.
func (s *Server) Close() error {
	errs := []error{s.site.Close()}
	if s.fonts != nil {
		errs = append(errs, s.fonts.Close())
	}
	for _, b := range s.books {
		errs = append(errs, b.root.Close())
	}
	return errors.Join(errs...)
}

// ServeHTTP answers GET and HEAD; anything else is refused.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, h := range headers {
		w.Header().Set(h.name, h.value)
	}
	if s.loopback && !isLoopback(r.Host) {
		plainProblem(w, r, http.StatusMisdirectedRequest, "This server is for this machine alone: open it as localhost or 127.0.0.1 with the same port, or start it with --addr and an address of the network to have it answer to other names.")
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.problem(w, r, http.StatusMethodNotAllowed, "This server only gives: use GET or HEAD.")
		return
	}
	p := r.URL.Path
	if !strings.HasPrefix(p, "/") || strings.ContainsAny(p, "\x00\\") {
		s.problem(w, r, http.StatusBadRequest, "That is no path of this site.")
		return
	}
	if clean := path.Clean(p); clean != strings.TrimSuffix(p, "/") && p != "/" {
		s.problem(w, r, http.StatusNotFound, "There is no such page here.")
		return
	}
	switch {
	case s.fonts != nil && p == "/fonts/"+catalogue.File:
		s.serveCatalogue(w, r)
	case p == "/books/index.json":
		s.serveIndex(w, r)
	case strings.HasPrefix(p, "/books/") && s.serveBook(w, r, strings.TrimPrefix(p, "/books/")):
	case strings.HasPrefix(p, "/fonts/catalogue/") && s.serveFont(w, r, strings.TrimPrefix(p, "/fonts/catalogue/")):
	default:
		s.serveSite(w, r, p)
	}
}

// serveSite answers with a file of the site: /en/sandbox is en/sandbox.html,
// /en/ is en/index.html.
func (s *Server) serveSite(w http.ResponseWriter, r *http.Request, p string) {
	name := strings.Trim(p, "/")
	if hidden(name) {
		s.problem(w, r, http.StatusNotFound, "There is no such page here.")
		return
	}
	candidates := []string{name}
	switch {
	case name == "":
		candidates = []string{"index.html"}
	case strings.HasSuffix(p, "/"):
		candidates = []string{name + "/index.html"}
	case path.Ext(name) == "":
		candidates = []string{name + ".html", name}
	}
	for _, c := range candidates {
		err := s.file(w, r, s.site, c)
		if err == nil {
			return
		}
		if !missing(err) {
			s.problem(w, r, http.StatusInternalServerError, "That file cannot be read.")
			return
		}
	}
	// One address per page: a slash too many or too few is sent on.
	if name != "" {
		if to, ok := strings.CutSuffix(p, "/"); ok && s.isFile(name+".html") {
			redirect(w, r, to)
			return
		}
		if s.isFile(name + "/index.html") {
			redirect(w, r, p+"/")
			return
		}
	}
	s.problem(w, r, http.StatusNotFound, "There is no such page here.")
}

func (s *Server) isFile(name string) bool {
	info, err := s.site.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// hidden tells the files that are never given by name: compressed siblings, and
// anything that begins with a dot.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz")
}

// missing tells whether err means "no such file", also for a folder and for a
// path that would lead out of its root.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, errNotAFile) ||
		errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ENOTDIR) ||
		strings.Contains(err.Error(), "escapes from parent") // os has no name for it
}

func redirect(w http.ResponseWriter, r *http.Request, to string) {
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	w.Header().Set("Cache-Control", "no-cache")
	http.Redirect(w, r, to, http.StatusPermanentRedirect)
}

// errorTemplate is the site's page of what is wrong, with {status} and {text} in it.
const errorTemplate = ".error.html"

// problem answers with a page that says what is wrong. It is a page of the site, so
// that an agent finds the site's tools on it as on every other.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, status int, text string) {
	page, err := s.site.ReadFile(errorTemplate)
	if err != nil { // a site that was built without, or that cannot be read at all
		plainProblem(w, r, status, text)
		return
	}
	answer(w, r, status, strings.NewReplacer("{status}", strconv.Itoa(status), "{text}", html.EscapeString(text)).Replace(string(page)))
}

// plainProblem answers with a small page that needs nothing else.
func plainProblem(w http.ResponseWriter, r *http.Request, status int, text string) {
	answer(w, r, status, fmt.Sprintf("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>%d</title>\n<p>%s <a href=\"/en/\">Postext</a>\n",
		status, html.EscapeString(text)))
}

func answer(w http.ResponseWriter, r *http.Request, status int, page string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(page)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		io.WriteString(w, page) // the reader may be gone; there is nobody left to tell
	}
}
