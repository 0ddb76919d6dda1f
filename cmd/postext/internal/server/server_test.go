package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/engine/font/catalogue"
)

// write makes the files of a folder, all with one time so that a compressed
// sibling is never older than its original.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func site(t *testing.T, books ...string) *Server {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"index.html":                          "home",
		"en/index.html":                       "english",
		"en/sandbox.html":                     "<!doctype html>sandbox",
		"assets/app-0123456789abcdef.js":      "plain script",
		"assets/app-0123456789abcdef.js.br":   "brotli",
		"assets/app-0123456789abcdef.js.gz":   "gzip",
		"assets/worker-abcdef0123456789.wasm": "\x00asm",
		"fonts/index.json":                    "[]",
		"fonts/catalogue.txt":                 "# files: none\nLora\tserif\t4\t\tlatin\tOFL-1.1\n",
		"fonts/A.ttf":                         "font",
		"films/whale.mp4":                     "0123456789",
		".stamp":                              "hidden",
		"books/guide/01.md":                   "# Guide",
		"books/index.json":                    `[{"id":"guide","name":"Guide","files":["01.md"]}]`,
	})
	s, err := New(dir, books...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func get(s http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "http://localhost/", nil)
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAddresses(t *testing.T) {
	s := site(t)
	for _, c := range []struct {
		path   string
		status int
		body   string // prefix, when 200
		other  string // Content-Type or Location
	}{
		{"/", 200, "home", "text/html; charset=utf-8"},
		{"/en/", 200, "english", "text/html; charset=utf-8"},
		{"/en", 308, "", "/en/"},
		{"/en/sandbox", 200, "<!doctype html>sandbox", "text/html; charset=utf-8"},
		{"/en/sandbox/", 308, "", "/en/sandbox"},
		{"/en/sandbox/?a=1", 308, "", "/en/sandbox?a=1"},
		{"/assets/app-0123456789abcdef.js", 200, "plain script", "text/javascript; charset=utf-8"},
		{"/assets/worker-abcdef0123456789.wasm", 200, "\x00asm", "application/wasm"},
		{"/fonts/A.ttf", 200, "font", "font/ttf"},
		{"/fonts/index.json", 200, "[]", "application/json"},
		{"/books/guide/01.md", 200, "# Guide", "text/markdown; charset=utf-8"},
		{"/assets", 404, "", ""},
		{"/assets/", 404, "", ""},
		{"/nothing", 404, "", ""},
		{"/assets/app-0123456789abcdef.js.br", 404, "", ""},
		{"/.stamp", 404, "", ""},
		{"/../server.go", 404, "", ""},
		{"/en/../../x", 404, "", ""},
		{"//en/", 404, "", ""},
		{"/en//sandbox", 404, "", ""},
		{"/en\\sandbox", 400, "", ""},
		{"/\x00", 400, "", ""},
		{"*", 400, "", ""},
	} {
		r := get(s, "GET", c.path)
		if r.StatusCode != c.status {
			t.Errorf("GET %q: status %d, want %d", c.path, r.StatusCode, c.status)
			continue
		}
		switch c.status {
		case 200:
			if b := body(t, r); b != c.body {
				t.Errorf("GET %q: body %q, want %q", c.path, b, c.body)
			}
			if got := r.Header.Get("Content-Type"); got != c.other {
				t.Errorf("GET %q: type %q, want %q", c.path, got, c.other)
			}
		case 308:
			if got := r.Header.Get("Location"); got != c.other {
				t.Errorf("GET %q: location %q, want %q", c.path, got, c.other)
			}
		}
	}
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	s := site(t)
	for _, path := range []string{"/", "/en/sandbox", "/nothing", "/books/index.json"} {
		r := get(s, "GET", path)
		for _, h := range headers {
			if got := r.Header.Get(h.name); got != h.value {
				t.Errorf("%s: %s is %q", path, h.name, got)
			}
		}
		csp := r.Header.Get("Content-Security-Policy")
		if strings.Contains(csp, "unsafe-inline") || !strings.Contains(csp, "script-src 'self' 'wasm-unsafe-eval';") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
}

func TestMethods(t *testing.T) {
	s := site(t)
	for _, m := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		r := get(s, m, "/")
		if r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d, Allow %q", m, r.StatusCode, r.Header.Get("Allow"))
		}
	}
	r := get(s, "HEAD", "/")
	if b := body(t, r); r.StatusCode != 200 || b != "" || r.Header.Get("Content-Length") != "4" {
		t.Errorf("HEAD: %d, %q, length %q", r.StatusCode, b, r.Header.Get("Content-Length"))
	}
	if b := body(t, get(s, "HEAD", "/nothing")); b != "" {
		t.Errorf("HEAD of a missing page has the body %q", b)
	}
}

func TestCoding(t *testing.T) {
	s := site(t)
	const p = "/assets/app-0123456789abcdef.js"
	tags := map[string]string{}
	for _, c := range []struct{ accept, coding, body string }{
		{"", "", "plain script"},
		{"gzip", "gzip", "gzip"},
		{"gzip, deflate, br", "br", "brotli"},
		{"br;q=0, gzip", "gzip", "gzip"},
		{"br;q=0, gzip;q=0.0", "", "plain script"},
		{"*", "br", "brotli"},
		{"*;q=0", "", "plain script"},
		{"BR", "br", "brotli"},
		{"identity", "", "plain script"},
		{"br;q=nonsense", "", "plain script"},
	} {
		r := get(s, "GET", p, "Accept-Encoding", c.accept)
		if got := r.Header.Get("Content-Encoding"); got != c.coding {
			t.Errorf("Accept-Encoding %q: coding %q, want %q", c.accept, got, c.coding)
		}
		if b := body(t, r); b != c.body {
			t.Errorf("Accept-Encoding %q: body %q", c.accept, b)
		}
		if r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: no Vary", c.accept)
		}
		if got := r.Header.Get("Content-Type"); got != "text/javascript; charset=utf-8" {
			t.Errorf("Accept-Encoding %q: type %q", c.accept, got)
		}
		tags[c.coding] = r.Header.Get("ETag")
	}
	if tags["br"] == tags["gzip"] || tags["br"] == tags[""] {
		t.Errorf("codings share an ETag: %v", tags)
	}
	if v := get(s, "GET", "/").Header.Get("Vary"); v != "" {
		t.Errorf("a file with one form has Vary %q", v)
	}
}

func TestAStaleCompressedFileIsNotServed(t *testing.T) {
	s := site(t)
	name := filepath.Join(s.site.Name(), "assets/app-0123456789abcdef.js.br")
	old := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	if b := body(t, get(s, "GET", "/assets/app-0123456789abcdef.js", "Accept-Encoding", "br")); b != "plain script" {
		t.Errorf("body %q", b)
	}
}

func TestCaching(t *testing.T) {
	s := site(t)
	for _, c := range []struct{ path, cache string }{
		{"/en/sandbox", "no-cache"},
		{"/fonts/A.ttf", "no-cache"},
		{"/books/index.json", "no-cache"},
		{"/assets/app-0123456789abcdef.js", "public, max-age=31536000, immutable"},
	} {
		r := get(s, "GET", c.path)
		if got := r.Header.Get("Cache-Control"); got != c.cache {
			t.Errorf("%s: Cache-Control %q, want %q", c.path, got, c.cache)
		}
		tag := r.Header.Get("ETag")
		if !strings.HasPrefix(tag, `"`) || len(tag) != 34 {
			t.Errorf("%s: ETag %q", c.path, tag)
		}
		for _, match := range []string{tag, `"x", ` + tag, "W/" + tag, "*"} {
			r := get(s, "GET", c.path, "If-None-Match", match)
			if b := body(t, r); r.StatusCode != 304 || b != "" || r.Header.Get("ETag") != tag {
				t.Errorf("%s, If-None-Match %q: %d %q", c.path, match, r.StatusCode, b)
			}
		}
		if r := get(s, "GET", c.path, "If-None-Match", `"other"`); r.StatusCode != 200 {
			t.Errorf("%s: another tag gives %d", c.path, r.StatusCode)
		}
	}
}

func TestAChangedFileHasAnotherTag(t *testing.T) {
	s := site(t)
	before := get(s, "GET", "/").Header.Get("ETag")
	if err := s.site.WriteFile("index.html", []byte("work"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := get(s, "GET", "/", "If-None-Match", before)
	if r.StatusCode != 200 || r.Header.Get("ETag") == before {
		t.Errorf("status %d, tag %s", r.StatusCode, r.Header.Get("ETag"))
	}
}

func TestBooks(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	write(t, outside, map[string]string{"secret.md": "secret"})
	write(t, dir, map[string]string{
		"Mi Libro ñ/book.json":           `{"title":"Mi libro","author":"A. Autora","language":"es"}`,
		"Mi Libro ñ/2-two.md":            "# Two",
		"Mi Libro ñ/10-ten.md":           "# Ten",
		"Mi Libro ñ/images/a.png":        "png",
		"Mi Libro ñ/.git/config":         "hidden",
		"Mi Libro ñ/node_modules/x.md":   "hidden",
		"Mi Libro ñ/a/b/c/d/e/f/deep.md": "deep",
		"guide/one.md":                   "# One",
		"single/only.md":                 "# Only",
		"single/other.md":                "# Other",
		"single/pic.svg":                 "<svg/>",
	})
	if err := os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "guide", "link.md")); err != nil {
		t.Fatal(err)
	}
	s := site(t, filepath.Join(dir, "Mi Libro ñ"), filepath.Join(dir, "guide"), filepath.Join(dir, "single/only.md"))
	var list []book.Listing
	if err := json.Unmarshal([]byte(body(t, get(s, "GET", "/books/index.json"))), &list); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"id":"mi-libro-n","name":"Mi libro","author":"A. Autora","language":"es","live":true,"files":["10-ten.md","2-two.md","book.json","images/a.png"]},` +
		`{"id":"guide-2","name":"guide","live":true,"files":["one.md"]},` +
		`{"id":"only","name":"only","live":true,"files":["only.md","pic.svg"]},` +
		`{"id":"guide","name":"Guide","files":["01.md"]}]`
	if string(got) != want {
		t.Errorf("index:\n got %s\nwant %s", got, want)
	}
	for _, c := range []struct {
		path   string
		status int
	}{
		{"/books/mi-libro-n/2-two.md", 200},
		{"/books/mi-libro-n/images/a.png", 200},
		{"/books/mi-libro-n/.git/config", 404},
		{"/books/mi-libro-n/node_modules/x.md", 404},
		{"/books/mi-libro-n/images", 404},
		{"/books/mi-libro-n/", 404},
		{"/books/mi-libro-n/../../x", 404},
		{"/books/guide-2/one.md", 200},
		{"/books/guide-2/link.md", 404},
		{"/books/only/only.md", 200},
		{"/books/only/other.md", 404},
		{"/books/only/pic.svg", 200},
		{"/books/guide/01.md", 200},
		{"/books/none/01.md", 404},
	} {
		if r := get(s, "GET", c.path); r.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.path, r.StatusCode, c.status)
		}
	}
	write(t, dir, map[string]string{"guide/two.md": "# Two"})
	if b := body(t, get(s, "GET", "/books/index.json")); !strings.Contains(b, `"two.md"`) {
		t.Errorf("a new chapter is not in the index: %s", b)
	}
}

func TestFoldersThatAreNoBooks(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"empty/readme.txt": "x", "broken/book.json": "{", "broken/a.md": "x", "file.txt": "x",
	})
	siteDir := t.TempDir()
	write(t, siteDir, map[string]string{"index.html": "x"})
	for name, want := range map[string]string{
		"nowhere": "no such file or folder", "empty": "no Markdown file", "broken": "book.json cannot be read", "file.txt": "one .md file",
	} {
		s, err := New(siteDir, filepath.Join(dir, name))
		if err == nil {
			s.Close()
			t.Errorf("%s: no error", name)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(dir); err == nil || !strings.Contains(err.Error(), "not a built site") {
		t.Errorf("a folder without a site: %v", err)
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"Moby-Dick; or, The Whale": "moby-dick-or-the-whale", "  Él niño ": "el-nino", "ﬁn": "fin", "東京": "東京", "!!!": "book",
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzPaths(f *testing.F) {
	for _, p := range []string{"/", "/en/sandbox", "/books/b/../x", "/%2e%2e/", "/assets/\x00", "/books//"} {
		f.Add(p)
	}
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("home"), 0o644); err != nil {
		f.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b", "a.md"), []byte("chapter"), 0o644); err != nil {
		f.Fatal(err)
	}
	s, err := New(dir, filepath.Join(dir, "b"))
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	f.Fuzz(func(t *testing.T, p string) {
		r := get(s, "GET", p)
		if r.StatusCode == 200 {
			if b := body(t, r); b != "home" && b != "chapter" && !strings.HasPrefix(b, "[") {
				t.Errorf("%q gives %q", p, b)
			}
		} else if r.StatusCode >= 500 {
			t.Errorf("%q: %d", p, r.StatusCode)
		}
	})
}

// bundle.md 9: the fingerprint changes with the files, not with being looked at.
func TestFingerprintTellsTheStatesOfAFolderApart(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"guide/one.md": "# One"})
	s := site(t, filepath.Join(dir, "guide"))
	look := func() string {
		w := get(s, "GET", "/books/guide-2/fingerprint.json")
		if w.StatusCode != 200 || w.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("status %d, %v", w.StatusCode, w.Header)
		}
		return body(t, w)
	}
	first := look()
	if look() != first || !strings.Contains(first, `"files":1`) {
		t.Errorf("%s, then %s", first, look())
	}
	write(t, dir, map[string]string{"guide/one.md": "# One more"})
	if second := look(); second == first {
		t.Error("a changed file is not told")
	}
}

// Packages of fonts are the files of the catalogue; nothing else of the folder is
// given, and what is missing is missing.
func TestFontPackagesAreMirrored(t *testing.T) {
	s := site(t)
	if r := get(s, "GET", "/fonts/catalogue/lora/400Regular/Lora_400Regular.ttf"); r.StatusCode != 404 {
		t.Errorf("without packages: %d", r.StatusCode)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"lora/400Regular/Lora_400Regular.ttf": "lora", "lora/package.json": "{}", "secret.ttf": "s"})
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "lora", "out.ttf")); err != nil {
		t.Fatal(err)
	}
	if err := s.Fonts(dir); err != nil {
		t.Fatal(err)
	}
	r := get(s, "GET", "/fonts/catalogue/lora/400Regular/Lora_400Regular.ttf")
	if body, _ := io.ReadAll(r.Body); r.StatusCode != 200 || string(body) != "lora" || r.Header.Get("Content-Type") != "font/ttf" {
		t.Errorf("%d %s %s", r.StatusCode, body, r.Header.Get("Content-Type"))
	}
	// The list of the catalogue says which families there are.
	list, _ := io.ReadAll(get(s, "GET", "/fonts/catalogue.txt").Body)
	if p := catalogue.PlaceOf(string(list)); !p.Has(&catalogue.Family{Family: "Lora"}) || p.Has(&catalogue.Family{Family: "Merriweather"}) || !strings.HasSuffix(string(list), "OFL-1.1\n") {
		t.Errorf("%q", list)
	}
	for _, p := range []string{"lora/package.json", "lora/out.ttf", "lora", "nope/x.ttf"} {
		if r := get(s, "GET", "/fonts/catalogue/"+p); r.StatusCode != 404 {
			t.Errorf("%s: %d", p, r.StatusCode)
		}
	}
	if err := s.Fonts(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there is taken")
	}
}

func TestNamesOfThisMachine(t *testing.T) {
	s := site(t)
	s.LoopbackOnly()
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LocalHost:1": 200, "127.0.0.1": 200, "127.0.0.1:8080": 200, "127.9.8.7:1": 200, "[::1]": 200, "[::1]:8080": 200,
		"": 421, "example.com": 421, "localhost.example.com": 421, "127.0.0.1.example.com:8080": 421, "10.0.0.1:8080": 421, "[::2]:80": 421, "0.0.0.0:80": 421, "[::1": 421,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != want || w.Header().Get("Content-Security-Policy") != Policy {
			t.Errorf("Host %q: %d, want %d", host, w.Code, want)
		}
	}
}

// A player asks for parts of a film (RFC 9110, 14): what is not compressed is given
// in ranges, and what has changed since is given whole.
func TestRanges(t *testing.T) {
	s := site(t)
	whole := get(s, "GET", "/films/whale.mp4")
	tag := whole.Header.Get("ETag")
	if whole.StatusCode != 200 || body(t, whole) != "0123456789" || whole.Header.Get("Accept-Ranges") != "bytes" || whole.ContentLength != 10 {
		t.Fatalf("whole: %d, %v", whole.StatusCode, whole.Header)
	}
	for _, c := range []struct {
		header              []string
		status              int
		body, contentRanges string
	}{
		{[]string{"Range", "bytes=0-3"}, 206, "0123", "bytes 0-3/10"},
		{[]string{"Range", "bytes=7-"}, 206, "789", "bytes 7-9/10"},
		{[]string{"Range", "bytes=-2"}, 206, "89", "bytes 8-9/10"},
		{[]string{"Range", "bytes=4-99"}, 206, "456789", "bytes 4-9/10"},
		{[]string{"Range", "bytes=10-"}, 416, "", "bytes */10"},
		{[]string{"Range", "bytes=1-0"}, 416, "", ""},
		{[]string{"Range", "bytes=0-3", "If-Range", tag}, 206, "0123", "bytes 0-3/10"},
		{[]string{"Range", "bytes=0-3", "If-Range", `"another"`}, 200, "0123456789", ""},
		{[]string{"Range", "bytes=0-3", "If-Range", "Thu, 01 Jan 2026 00:00:00 GMT"}, 200, "0123456789", ""},
		{[]string{"If-None-Match", tag}, 304, "", ""},
		{[]string{"If-None-Match", `W/"x", ` + tag}, 304, "", ""},
	} {
		r := get(s, "GET", "/films/whale.mp4", c.header...)
		got := body(t, r)
		if r.StatusCode != c.status || c.status < 300 && got != c.body || r.Header.Get("Content-Range") != c.contentRanges {
			t.Errorf("%q: %d %q, Content-Range %q", c.header, r.StatusCode, got, r.Header.Get("Content-Range"))
		}
		if c.status != 416 && (r.Header.Get("ETag") != tag || r.Header.Get("Cache-Control") == "") {
			t.Errorf("%q: %v", c.header, r.Header)
		}
	}
	if r := get(s, "HEAD", "/films/whale.mp4", "Range", "bytes=0-3"); r.StatusCode != 206 || r.Header.Get("Content-Length") != "4" || body(t, r) != "" {
		t.Errorf("HEAD: %d, %v", r.StatusCode, r.Header)
	}
	// What goes out compressed goes out whole.
	r := get(s, "GET", "/assets/app-0123456789abcdef.js", "Range", "bytes=0-3", "Accept-Encoding", "br")
	if r.StatusCode != 200 || body(t, r) != "brotli" || r.Header.Get("Accept-Ranges") != "" {
		t.Errorf("compressed: %d, %v", r.StatusCode, r.Header)
	}
	r = get(s, "GET", "/assets/app-0123456789abcdef.js", "Range", "bytes=0-4")
	if r.StatusCode != 206 || body(t, r) != "plain" {
		t.Errorf("not compressed: %d, %v", r.StatusCode, r.Header)
	}
}

// What is wrong is said on a page of the site, with its script and so its tools.
func TestErrorPagesAreOfTheSite(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"index.html":  "home",
		".error.html": `<title>{status}</title><script src="/assets/site-0123456789abcdef.js" defer></script><p>{text}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		method, path, text string
		status             int
	}{
		{"GET", "/nothing", "There is no such page here.", 404},
		{"GET", "/books/none/01.md", "There is no such page here.", 404},
		{"POST", "/", "This server only gives: use GET or HEAD.", 405},
		{"GET", "/a\\b", "That is no path of this site.", 400},
		{"GET", "/.error.html", "There is no such page here.", 404},
	} {
		r := get(s, c.method, c.path)
		want := fmt.Sprintf(`<title>%d</title><script src="/assets/site-0123456789abcdef.js" defer></script><p>%s`, c.status, c.text)
		if got := body(t, r); r.StatusCode != c.status || got != want || r.Header.Get("Content-Security-Policy") != Policy {
			t.Errorf("%s %s: %d %q", c.method, c.path, r.StatusCode, got)
		}
	}
	// For who asks under another name nothing else of the site may be had either.
	s.LoopbackOnly()
	r := httptest.NewRequest("GET", "http://elsewhere.example/nothing", nil)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 421 || strings.Contains(w.Body.String(), "script") {
		t.Errorf("another name: %d %q", w.Code, w.Body.String())
	}
}
