// Package browser starts a real Chromium for a test: headless, with a new empty
// profile, closed again when the test ends. It also builds the programs for
// GOOS=js that the tests load, and finds files of the repository.
//
// The browser is the one named by CHROME, else chromium or google-chrome on the
// PATH. The native WebMCP API is off unless Options.WebMCP asks for it.
package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"postext/book/booktest/tree"
)

// Options sets up a browser. The zero value is a plain one.
type Options struct {
	// WebMCP turns document.modelContext on.
	WebMCP bool
	// Flags are further command line flags, "name" or "name=value". A second
	// enable-features would replace the first: name WebMCPTesting in it.
	Flags []string
	// BeforeScripts is JavaScript that runs before the scripts of every document.
	BeforeScripts string
	// Timeout ends the browser; 10 minutes when it is zero.
	Timeout time.Duration
}

// New starts a browser with one tab and gives its chromedp context. The first
// call has been made: contexts derived from it may have timeouts of their own.
func New(t testing.TB, opts Options) context.Context {
	t.Helper()
	profile := t.TempDir()
	timeout := opts.Timeout
	if timeout == 0 {
		timeout = 10 * time.Minute
	}
	deadline, stop := context.WithTimeout(context.Background(), timeout)
	ctx, end, err := Start(deadline, profile, opts)
	if err != nil {
		stop()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The end of the process is waited for, so that the profile can be removed.
		if err := end(); err != nil && !errors.Is(err, context.Canceled) && deadline.Err() == nil {
			t.Logf("closing the browser: %v", err)
		}
		stop()
	})
	Before(t, ctx, opts.BeforeScripts)
	return ctx
}

// Start starts a browser that several tests share, with its profile in the
// folder given; end closes it. Options.Timeout and BeforeScripts are for tabs
// and not looked at.
func Start(parent context.Context, profile string, opts Options) (ctx context.Context, end func() error, err error) {
	path, err := Path()
	if err != nil {
		return nil, nil, err
	}
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(profile),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	}
	if opts.WebMCP {
		flags = append(flags, chromedp.Flag("enable-features", "WebMCPTesting"))
	}
	for _, f := range opts.Flags {
		name, value, has := strings.Cut(f, "=")
		if has {
			flags = append(flags, chromedp.Flag(name, value))
		} else {
			flags = append(flags, chromedp.Flag(name, true))
		}
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(parent, flags...)
	ctx, cancel := chromedp.NewContext(allocator)
	end = func() error {
		err := chromedp.Cancel(ctx)
		cancel()
		stopAllocator()
		return err
	}
	if err := chromedp.Do(ctx); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("starting %s: %w", path, err), end())
	}
	return ctx, end, nil
}

// Private opens a tab that shares nothing with the browser's others: cookies,
// storage and caches are its own. It closes with the test.
func Private(t testing.TB, ctx context.Context, opts Options) context.Context {
	t.Helper()
	timeout := opts.Timeout
	if timeout == 0 {
		timeout = 10 * time.Minute
	}
	tab, cancel := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(tab); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	Before(t, tab, opts.BeforeScripts)
	// The first call's context owns the tab: only what follows is limited.
	tab, stop := context.WithTimeout(tab, timeout)
	t.Cleanup(stop)
	return tab
}

// Before makes a script run before those of every document of the tab.
func Before(t testing.TB, ctx context.Context, script string) {
	t.Helper()
	if script == "" {
		return
	}
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		t.Fatal(err)
	}
}

// Path is the browser that the tests use.
func Path() (string, error) {
	for _, name := range []string{os.Getenv("CHROME"), "chromium", "google-chrome", "chromium-browser"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no browser: install chromium, or name one in CHROME")
}

// Open navigates the tab and fails the test when that fails.
func Open(t testing.TB, ctx context.Context, url string) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
}

// Eval evaluates an expression in the tab, waits for the promise it may give,
// and decodes the JSON of the result.
func Eval[T any](t testing.TB, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("evaluating %s: %v", expression, err)
	}
	return v
}

// Tab opens another tab of the browser; it closes when the test ends.
func Tab(t testing.TB, ctx context.Context) context.Context {
	t.Helper()
	tab, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(tab); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	return tab
}

// WasmExec is the path of the Go distribution's wasm_exec.js.
func WasmExec(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js")
}

// BuildWasm builds a package of the repository ("wasm/page") for the browser,
// as it is shipped, and gives the path of the file, which the test's cleanup removes.
func BuildWasm(t testing.TB, pkg string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), filepath.Base(pkg)+".wasm")
	if err := Build(tree.Root(t), pkg, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Build is BuildWasm for a TestMain: it builds pkg of the repository at root
// into the file out.
func Build(root, pkg, out string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./"+pkg)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, text.String())
	}
	return nil
}
