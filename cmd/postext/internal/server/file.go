package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

var errNotAFile = errors.New("not a regular file")

// types are the media types of what we serve; the system's table is not asked,
// so that every machine answers alike.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".json": "application/json", ".map": "application/json",
	".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8",
	".ts":  "text/plain; charset=utf-8",
	".ttf": "font/ttf", ".otf": "font/otf", ".woff": "font/woff", ".woff2": "font/woff2",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".gif": "image/gif", ".webp": "image/webp", ".ico": "image/x-icon",
	".mp4": "video/mp4", ".webm": "video/webm", ".pdf": "application/pdf",
	".epub": "application/epub+zip", ".bib": "text/plain; charset=utf-8",
	".postext": "application/zip", ".yaml": "text/plain; charset=utf-8", ".yml": "text/plain; charset=utf-8",
}

func typeOf(name string) string {
	if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	return "application/octet-stream"
}

// codings in the order we prefer them, with the file name's ending.
var codings = [...]struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// hashed matches a name that carries a hash of its content, as web/build writes
// them under /assets/.
var hashed = regexp.MustCompile(`^assets/.*-[0-9A-Za-z]{8,}\.[a-z0-9]+$`)

// file answers with one file of root, or returns an error and writes nothing.
func (s *Server) file(w http.ResponseWriter, r *http.Request, root *os.Root, name string) error {
	plain, err := root.Stat(name)
	if err != nil {
		return err
	}
	if !plain.Mode().IsRegular() {
		return errNotAFile
	}
	h := w.Header()
	coding, stored := "", name
	varies := false
	if root == s.site {
		accept := acceptEncoding(r.Header.Values("Accept-Encoding"))
		for _, c := range codings {
			info, err := root.Stat(name + c.suffix)
			// A compressed file older than its original is of another build.
			if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(plain.ModTime()) {
				continue
			}
			varies = true
			if coding == "" && accept(c.name) {
				coding, stored = c.name, name+c.suffix
			}
		}
	}
	f, err := root.Open(stored)
	if err != nil {
		return err
	}
	defer f.Close() // only read from
	info, err := f.Stat()
	if err != nil {
		return err
	}
	tag, err := s.tags.of(root.Name()+"\x00"+stored, f, info)
	if err != nil {
		return err
	}
	if varies {
		h.Set("Vary", "Accept-Encoding")
	}
	cache := "no-cache"
	if root == s.site && hashed.MatchString(name) {
		cache = "public, max-age=31536000, immutable"
	}
	h.Set("Cache-Control", cache)
	h.Set("ETag", tag)
	h.Set("Content-Type", typeOf(name))
	if coding == "" {
		// Ranges, as a player asks for them: by the tag above alone, for the file's
		// time is of no use to tell two states apart.
		http.ServeContent(w, r, name, time.Time{}, f)
		return nil
	}
	if matches(r.Header.Values("If-None-Match"), tag) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	h.Set("Content-Encoding", coding)
	if r.Method == http.MethodHead {
		return nil
	}
	// The status is out: a failing copy can only break the connection off, which
	// the length tells the reader.
	io.CopyN(w, f, info.Size())
	return nil
}

// bytes answers with content made here.
func (s *Server) bytes(w http.ResponseWriter, r *http.Request, contentType string, data []byte) {
	sum := sha256.Sum256(data)
	tag := quoteTag(sum[:])
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", tag)
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method != http.MethodHead {
		w.Write(data) // as in file: nobody is left to tell
	}
}

// acceptEncoding reads Accept-Encoding (RFC 9110, 12.5.3): the function it
// returns tells whether a coding is wanted.
func acceptEncoding(values []string) func(string) bool {
	quality := map[string]bool{}
	for _, v := range values {
		for item := range strings.SplitSeq(v, ",") {
			name, params, _ := strings.Cut(item, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if name == "" {
				continue
			}
			wanted := true
			for param := range strings.SplitSeq(params, ";") {
				key, value, _ := strings.Cut(strings.TrimSpace(param), "=")
				if strings.EqualFold(strings.TrimSpace(key), "q") {
					q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
					wanted = err == nil && q > 0
				}
			}
			quality[name] = wanted
		}
	}
	return func(coding string) bool {
		if wanted, named := quality[coding]; named {
			return wanted
		}
		return quality["*"]
	}
}

// matches compares If-None-Match with a strong tag (weak comparison, as the
// header asks for).
func matches(values []string, tag string) bool {
	for _, v := range values {
		for item := range strings.SplitSeq(v, ",") {
			item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
			if item == tag || item == "*" {
				return true
			}
		}
	}
	return false
}

func quoteTag(sum []byte) string { return `"` + hex.EncodeToString(sum[:16]) + `"` }

// tagCache remembers the hash of a file as long as its size and time stay.
type tagCache struct {
	mu   sync.Mutex
	tags map[string]cachedTag
}

type cachedTag struct {
	size int64
	time time.Time
	tag  string
}

// maxTags bounds the cache; a site has a few hundred files.
const maxTags = 20000

func (c *tagCache) of(key string, f *os.File, info fs.FileInfo) (string, error) {
	c.mu.Lock()
	known, ok := c.tags[key]
	c.mu.Unlock()
	if ok && known.size == info.Size() && known.time.Equal(info.ModTime()) {
		return known.tag, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("hashing: %w", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("hashing: %w", err)
	}
	tag := quoteTag(sum.Sum(nil))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tags == nil || len(c.tags) >= maxTags {
		c.tags = map[string]cachedTag{}
	}
	c.tags[key] = cachedTag{info.Size(), info.ModTime(), tag}
	return tag, nil
}
