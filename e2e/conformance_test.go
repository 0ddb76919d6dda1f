package e2e

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"postext/book/booktest/tree"
	"postext/e2e/browser"
)

// storeWorker runs a Go test program in a Web Worker and collects what it says.
const storeWorker = `
importScripts('/wasm_exec.js');
let said = '';
const decoder = new TextDecoder();
fs.writeSync = (fd, bytes) => { said += decoder.decode(bytes, {stream: true}); return bytes.length; };
const go = new Go();
go.argv = ['store.test', '-test.v', '-test.timeout=90s'];
let code = -1;
go.exit = (c) => { code = c; };
WebAssembly.instantiateStreaming(fetch('/store.wasm'), go.importObject)
	.then((r) => go.run(r.instance))
	.then(() => postMessage({code, said}), (e) => postMessage({code: -2, said: said + '\n' + e}));
`

// The rules every store is held to hold for IndexedDB in a real browser: the
// store's own conformance test, compiled for the browser.
func TestTheRulesOfStoresHoldInIndexedDB(t *testing.T) {
	root := tree.Root(t)
	dir := t.TempDir()
	build := exec.Command("go", "test", "-c", "-o", filepath.Join(dir, "store.wasm"), "./sandbox/store")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the test: %v\n%s", err, out)
	}
	mux := http.NewServeMux()
	page := func(path, kind, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			if _, err := w.Write([]byte(text)); err != nil {
				t.Error(err)
			}
		})
	}
	page("/{$}", "text/html", "<!doctype html><title>stores</title>")
	page("/worker.js", "text/javascript", storeWorker)
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, browser.WasmExec(t)) })
	mux.HandleFunc("/store.wasm", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(dir, "store.wasm")) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: mux}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	ctx := tab(t, browser.Options{})
	browser.Open(t, ctx, "http://"+listener.Addr().String()+"/")
	got := browser.Eval[struct {
		Code int
		Said string
	}](t, ctx, `new Promise((done) => {
		const w = new Worker('/worker.js');
		w.onmessage = (e) => done({Code: e.data.code, Said: e.data.said});
		w.onerror = (e) => done({Code: -3, Said: String(e.message)});
	})`)
	if got.Code != 0 || !strings.Contains(got.Said, "--- PASS: TestAGuardThatDoesNotHoldChangesNothing/IndexedDB") {
		t.Errorf("the tests ended with %d:\n%s", got.Code, got.Said)
	}
}
