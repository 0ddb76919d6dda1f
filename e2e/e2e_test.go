// Package e2e runs the built program in a real Chromium: the server, the page,
// both wasm modules and every door to the tools, the way agents, scripts and
// readers meet them.
package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"postext/e2e/browser"
)

// binary is the built program; make test builds it first. POSTEXT names another
// one to test, with its site beside it.
func binary() string {
	if b := os.Getenv("POSTEXT"); b != "" {
		return b
	}
	return filepath.Join("..", "bin", "postext")
}

func TestMain(m *testing.M) { os.Exit(house.run(m)) }

// house is what the tests share: one server with every corpus book and one
// browser with WebMCP and one without, each started when it is first asked for.
var house shared

type shared struct {
	mu       sync.Mutex
	dir      string
	address  string
	browsers map[bool]context.Context // by WebMCP
	close    []func() error
}

func (s *shared) run(m *testing.M) int {
	code := m.Run()
	for _, end := range slices.Backward(s.close) {
		if err := end(); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, "e2e:", err)
			code = max(code, 1)
		}
	}
	return code
}

// folder gives a folder that lasts as long as the tests.
func (s *shared) folder(t testing.TB, name string) string {
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "postext-e2e")
		if err != nil {
			t.Fatal(err)
		}
		s.dir = dir
		s.close = append(s.close, func() error { return os.RemoveAll(dir) })
	}
	return filepath.Join(s.dir, name)
}

// tab opens a tab of the shared browsers with storage of its own.
func tab(t testing.TB, opts browser.Options) context.Context {
	t.Helper()
	house.mu.Lock()
	defer house.mu.Unlock()
	ctx := house.browsers[opts.WebMCP]
	if ctx == nil {
		start := browser.Options{WebMCP: opts.WebMCP}
		if !opts.WebMCP {
			// Roles and names of elements as assistive technology hears them.
			start.Flags = []string{"enable-blink-features=ComputedAccessibilityInfo"}
		}
		var end func() error
		var err error
		ctx, end, err = browser.Start(context.Background(), house.folder(t, fmt.Sprintf("profile-%v", opts.WebMCP)), start)
		if err != nil {
			t.Fatal(err)
		}
		if house.browsers == nil {
			house.browsers = map[bool]context.Context{}
		}
		house.browsers[opts.WebMCP] = ctx
		house.close = append(house.close, end)
	}
	return browser.Private(t, ctx, opts)
}

// server is the address of the shared server, "http://127.0.0.1:PORT", which
// offers the guide, the fixture book and the corpus; with books it is a server
// of the test's own that offers the guide and these.
func server(t testing.TB, books ...string) string {
	t.Helper()
	if len(books) > 0 {
		address, end, err := serve(books)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := end(); err != nil {
				t.Error(err)
			}
		})
		return address
	}
	house.mu.Lock()
	defer house.mu.Unlock()
	if house.address == "" {
		address, end, err := serve(append(corpusBooks(t), filepath.Join("..", "sandbox", "testdata", "book")))
		if err != nil {
			t.Fatal(err)
		}
		house.address = address
		house.close = append(house.close, end)
	}
	return house.address
}

// serve starts `postext serve` on a free port with the given books.
func serve(books []string) (address string, end func() error, err error) {
	if _, err := os.Stat(binary()); err != nil {
		return "", nil, fmt.Errorf("%s is not built: run `make build` first", binary())
	}
	args := []string{"serve", "--addr", "127.0.0.1:0"}
	for _, b := range books {
		args = append(args, "--book", b)
	}
	cmd := exec.Command(binary(), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	end = func() error {
		err := cmd.Process.Signal(syscall.SIGTERM)
		if err = errors.Join(err, cmd.Wait()); err != nil {
			return fmt.Errorf("the server did not stop gracefully: %w", err)
		}
		return nil
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if i := strings.Index(lines.Text(), "http://127.0.0.1:"); i >= 0 {
			parts := strings.FieldsFunc(lines.Text()[i:], func(r rune) bool { return r == ' ' || r == '/' })
			go func() {
				for lines.Scan() {
				}
			}()
			return "http://" + parts[1], end, nil
		}
	}
	return "", nil, errors.Join(fmt.Errorf("the server printed no address: %w", lines.Err()), end())
}

// corpusBooks lists the paths of the corpus books, none where there is no corpus.
func corpusBooks(t testing.TB) (paths []string) {
	t.Helper()
	for _, pattern := range []string{"*", filepath.Join("tech", "*")} {
		found, err := filepath.Glob(filepath.Join("..", "..", "shared", "corpus", pattern, "book.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			paths = append(paths, filepath.Dir(f))
		}
	}
	return paths
}

// sandbox opens the Sandbox, with a fragment such as "#preset=x", and waits
// until the book is ready.
func sandbox(t testing.TB, ctx context.Context, address, fragment string) {
	t.Helper()
	browser.Open(t, ctx, address+"/en/sandbox"+fragment)
	ready(t, ctx)
}

// patience is how long a test waits for what must come: long enough for a busy
// machine, for no speed is asserted.
const patience = 2 * time.Minute

// ready waits until sandbox_get_state answers ready.
func ready(t testing.TB, ctx context.Context) {
	t.Helper()
	deadline := time.Now().Add(patience)
	var last string
	for time.Now().Before(deadline) {
		last = browser.Eval[string](t, ctx, `(async () => {
			if (!window.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_get_state')) return 'no tools';
			return JSON.stringify(await window.postextWebMcp.executeTool('sandbox_get_state', {}));
		})()`)
		if strings.Contains(last, `"ready":true`) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("not ready after %v: %.300s", patience, last)
}

// pages waits until the whole book is laid out and gives its page count.
func pages(t testing.TB, ctx context.Context) float64 {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		state := must(t, ctx, "sandbox_get_state", `{}`)
		if n, ok := state["pages"].(float64); ok {
			return n
		}
		if time.Now().After(deadline) {
			t.Fatalf("not laid out after %v: %.300v", patience, state)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// until waits for an expression of the page to be true.
func until(t testing.TB, ctx context.Context, expression string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !browser.Eval[bool](t, ctx, `Promise.resolve(`+expression+`).then(Boolean)`) {
		if time.Now().After(deadline) {
			t.Fatalf("never true within %v: %s", patience, expression)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// saved waits until everything is in storage.
func saved(t testing.TB, ctx context.Context) {
	t.Helper()
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.saved && !s.viewUnsaved)`)
}

// answer is a tool's answer.
type answer map[string]any

func (a answer) ok() bool      { return a["ok"] == true }
func (a answer) error() string { s, _ := a["error"].(string); return s }
func (a answer) num(key string) float64 {
	n, _ := a[key].(float64)
	return n
}

// call runs a tool through the window handle. args is JSON.
func call(t testing.TB, ctx context.Context, tool, args string) answer {
	t.Helper()
	return browser.Eval[answer](t, ctx, fmt.Sprintf(`window.postextWebMcp.executeTool(%s, %s)`, quote(tool), args))
}

// must is call for an answer that has to be a success.
func must(t testing.TB, ctx context.Context, tool, args string) answer {
	t.Helper()
	a := call(t, ctx, tool, args)
	if _, picture := a["content"]; !picture && !a.ok() {
		t.Fatalf("%s %s: %v", tool, args, a)
	}
	return a
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(b)
}

// pictureBytes gives the first image of a sandbox_render_page answer.
func pictureBytes(t testing.TB, a answer) []byte {
	t.Helper()
	parts, _ := a["content"].([]any)
	for _, p := range parts {
		part, _ := p.(map[string]any)
		if part["type"] == "image" {
			return decode64(t, part["data"].(string))
		}
	}
	t.Fatalf("no picture in %.300v", a)
	return nil
}

// screenshot writes what the tab shows, for a person to look at, into
// e2e/screenshots (not kept in the repository).
func screenshot(t testing.TB, ctx context.Context, name string) {
	t.Helper()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatalf("screenshot %s: %v", name, err)
	}
	if err := os.MkdirAll("screenshots", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("screenshots", name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// openPage opens the site's first page and gives the context again.
func openPage(t testing.TB, ctx context.Context, address string) context.Context {
	t.Helper()
	browser.Open(t, ctx, address+"/en/")
	return ctx
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
