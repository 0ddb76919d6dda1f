package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"postext/e2e/browser"
)

// counted is a response's body whose bytes are added up as they are read.
type counted struct {
	io.ReadCloser
	add func(n int)
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.add(n)
	return n, err
}

// BenchmarkDownload counts the bytes that an empty cache fetches before the
// first page is seen, as compressed as the site was built: make build compresses
// as well as can be, make run quickly.
func BenchmarkDownload(b *testing.B) {
	target, err := url.Parse(server(b))
	if err != nil {
		b.Fatal(err)
	}
	var mu sync.Mutex
	bytes := map[string]int{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		kind := "page"
		switch p := r.Request.URL.Path; {
		case strings.HasSuffix(p, ".wasm"):
			kind = "wasm"
		case strings.Contains(p, "Math"):
			kind = "mathfont" // of formulas: none before the first page
		case strings.HasPrefix(p, "/fonts/"):
			kind = "fonts"
		case strings.HasPrefix(p, "/books/"):
			kind = "book"
		}
		r.Body = counted{r.Body, func(n int) {
			mu.Lock()
			bytes[kind] += n
			mu.Unlock()
		}}
		return nil
	}
	front := httptest.NewServer(proxy)
	defer front.Close()
	for b.Loop() {
		clear(bytes)
		ctx := browser.New(b, browser.Options{})
		browser.Open(b, ctx, front.URL+"/en/sandbox")
		until(b, ctx, `document.querySelector('.leaf canvas')?.width > 1`)
	}
	mu.Lock()
	defer mu.Unlock()
	for kind, n := range bytes {
		b.ReportMetric(float64(n)/1e3, kind+"-kB")
	}
}

// BenchmarkProgramSize tells the sizes of both programs, as they are and in
// brotli.
func BenchmarkProgramSize(b *testing.B) {
	for b.Loop() {
		for _, program := range []string{"page", "worker"} {
			for _, form := range []string{"", ".br"} {
				files, err := filepath.Glob(filepath.Join("..", "web", "dist", "assets", program+"-*.wasm"+form))
				if err != nil || len(files) != 1 {
					b.Fatalf("%d files of wasm/%s%s (%v): run make build", len(files), program, form, err)
				}
				info, err := os.Stat(files[0])
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(info.Size())/1e3, program+form+"-kB")
			}
		}
	}
}
