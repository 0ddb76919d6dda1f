//go:build !js

package webmcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postext/book/booktest/tree"
	"postext/e2e/browser"
)

// programs holds the wasm programs that the tests load, built once.
var programs = map[string]string{"/test.wasm": "bridge/webmcp/internal/testpage", "/page.wasm": "wasm/page"}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "bridge")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for path, pkg := range programs {
		out := filepath.Join(dir, filepath.Base(path))
		if err := browser.Build(filepath.Join("..", ".."), pkg, out); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		programs[path] = out
	}
	return m.Run()
}

// serve gives the tests' page on an origin of its own, with further headers.
func serve(t *testing.T, headers ...string) string {
	t.Helper()
	root := tree.Root(t)
	files := map[string]string{
		"/wasm_exec.js": browser.WasmExec(t),
		"/webmcp.js":    filepath.Join(root, "web", "src", "webmcp.js"),
		"/polyfill.js":  filepath.Join(root, "web", "node_modules", "@mcp-b", "webmcp-polyfill", "dist", "index.iife.js"),
	}
	for path, file := range programs {
		files[path] = file
	}
	page, err := os.ReadFile("testdata/page.html")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for path, file := range files {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	}
	mux.Handle("/fakes/", http.StripPrefix("/fakes/", http.FileServer(http.Dir(filepath.Join(root, "e2e", "fakes")))))
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<!doctype html><title>elsewhere</title>") })
	mux.HandleFunc("/framing", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>framing</title><iframe id="inner" src="/"></iframe>`)
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		fake := ""
		switch name := r.URL.Query().Get("fake"); name {
		case "":
		case "polyfill":
			fake = `<script src="/polyfill.js"></script>`
		default:
			fake = `<script type="module" src="/fakes/` + name + `.js"></script>`
		}
		if _, err := w.Write(bytes.Replace(page, []byte("<!--FAKE-->"), []byte(fake), 1)); err != nil {
			t.Log(err)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// open loads the page in a tab and waits for its program.
func open(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	browser.Open(t, ctx, url)
	browser.Eval[bool](t, ctx, `ready.then(() => true)`)
}

var testTools = []string{"test_bad_remote", "test_echo", "test_error", "test_exit", "test_go", "test_panic", "test_refuse", "test_surrogate", "test_wait"}

func sorted(list []string) []string { slices.Sort(list); return list }

// one evaluates an expression that gives an answer and fails when it is not
// the object wanted.
func want(t *testing.T, ctx context.Context, expression, answer string) {
	t.Helper()
	got := browser.Eval[any](t, ctx, expression)
	var exp any
	if err := json.Unmarshal([]byte(answer), &exp); err != nil {
		t.Fatal(err)
	}
	g, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	e, err := json.Marshal(exp)
	if err != nil {
		t.Fatal(err)
	}
	if string(g) != string(e) {
		t.Errorf("%s\n got %s\nwant %s", expression, g, e)
	}
}

// contains evaluates an expression that gives an answer and looks for words in
// its JSON.
func contains(t *testing.T, ctx context.Context, expression string, words ...string) {
	t.Helper()
	got := browser.Eval[string](t, ctx, `Promise.resolve(`+expression+`).then((v) => JSON.stringify(v))`)
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("%s\n got %s\nwithout %s", expression, got, w)
		}
	}
}

// TestNative runs over the document.modelContext that Chromium itself has.
func TestNative(t *testing.T) {
	ctx := browser.New(t, browser.Options{WebMCP: true})
	url := serve(t)

	t.Run("both doors list the same names and schemas", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		want(t, tab, `atStart`, `"function"`)
		if got := sorted(browser.Eval[[]string](t, tab, `postextWebMcp.listTools().map((t) => t.name)`)); !slices.Equal(got, testTools) {
			t.Errorf("window: %v", got)
		}
		if got := browser.Eval[[]string](t, tab, `nativeNames()`); !slices.Equal(got, testTools) {
			t.Errorf("document: %v", got)
		}
		want(t, tab, `document.modelContext.getTools().then((list) => list.every((t) => {
			const mine = postextWebMcp.listTools().find((o) => o.name === t.name);
			return JSON.stringify(mine.inputSchema) === JSON.stringify(t.inputSchema) && mine.description === t.description && mine.title === t.title;
		}))`, `true`)
		want(t, tab, `document.modelContext.getTools().then((list) => {
			const a = list.find((t) => t.name === 'test_refuse').annotations;
			return [a.readOnlyHint, a.consequentialHint, a.untrustedContentHint];
		})`, `[false,true,false]`)
		want(t, tab, `postextBridge.problems()`, `[]`)
	})

	t.Run("a call gives the same by both doors", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		want(t, tab, `postextWebMcp.executeTool('test_echo', {text:'hi', chapter:'One'})`, `{"ok":true,"name":"test_echo","args":{"text":"hi","chapter":"One"}}`)
		for _, args := range []string{
			`{}`, `{widht:3, formt:'png'}`, `{width:'wide'}`, `{width:1e300}`, `{width:64.5}`, `{format:'gif'}`, `{edits:[{find:'a',replace:'b'},{fnd:'c'}]}`,
			`[1,2]`, `{edits:{}}`, `{text:'\ud800'}`, `{['\udc00']: 1}`, `{patch:{['\ud800']:{x:['\udfff']}}}`,
			`{patch: (() => { let o = {}; for (let i = 0; i < 90; i++) o = {o}; return o; })()}`,
			`{patch: (() => { let o = {}; for (let i = 0; i < 500; i++) o = {o}; return o; })()}`,
			`{text:'refuse'}`, `{text:'slow'}`,
		} {
			pair := browser.Eval[[]string](t, tab, `both('test_echo', `+args+`)`)
			if pair[0] != pair[1] {
				t.Errorf("%s\nwindow   %s\ndocument %s", args, pair[0], pair[1])
			}
		}
		for _, name := range []string{"test_go", "test_refuse", "test_surrogate"} {
			pair := browser.Eval[[]string](t, tab, `both('`+name+`', {})`)
			if pair[0] != pair[1] {
				t.Errorf("%s\nwindow   %s\ndocument %s", name, pair[0], pair[1])
			}
		}
	})

	t.Run("faults are told in plain words and start nothing", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', {widht:5, format:'gif', edits:[{find:1}]})`, `"ok":false`,
			`did you mean width?`, `format must be one of \"png\", \"jpeg\", \"webp\", not \"gif\"`, `edits[0].find must be a text, not 1`, `edits[0].replace is missing`)
		contains(t, tab, `postextWebMcp.executeTool('test_ecko', {})`, `did you mean test_echo?`)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', [])`, `must be an object`)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', 5n)`, `"ok":false`)
		contains(t, tab, `(() => { const o = {}; o.patch = o; return postextWebMcp.executeTool('test_echo', o); })()`, `"ok":false`, `patch`, `a part of itself`)
		// What JSON cannot say is refused by name, not made null or left out.
		for _, c := range [][2]string{
			{`{patch: {a: [1, NaN]}}`, `\"patch.a[1]\" is NaN`}, {`{patch: {a: -Infinity}}`, `\"patch.a\" is infinite`}, {`{patch: {a: undefined}}`, `\"patch.a\" is undefined`},
			{`{edits: [,{}]}`, `\"edits[0]\" is undefined`}, {`{patch: {a: 5n}}`, `is a BigInt`}, {`{patch: {f() {}}}`, `\"patch.f\" is a function`}, {`{text: Symbol('x')}`, `\"text\" is a symbol`},
			{`{text: new Date()}`, `\"text\" is a Date: give a text`}, {`{patch: {a: new Map()}}`, `is a Map`}, {`{patch: {a: new Uint8Array(3)}}`, `as base64`}, {`{text: new String('x')}`, `is a String`},
		} {
			contains(t, tab, `postextWebMcp.executeTool('test_echo', `+c[0]+`)`, `"ok":false`, c[1])
		}
		want(t, tab, `postextWebMcp.executeTool('test_echo', {text: 'a', chapter: undefined}).then((a) => { log.length = 0; return a.ok; })`, `true`)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', { get text() { throw new Error('trap'); } })`, `"ok":false`)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', {}, { get signal() { throw new Error('trap'); } })`, `"ok":false`)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', {}, { signal: 5 })`, `"ok":false`, `AbortSignal`)
		contains(t, tab, `postextWebMcp.executeTool(Symbol('x'))`, `"ok":false`)
		contains(t, tab, `postextWebMcp.executeTool()`, `"ok":false`)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', {patch: {a: 'x'.repeat(25 << 20)}})`, `"ok":false`, `25.0 MB`, `24 MB`)
		want(t, tab, `log`, `[]`)
		want(t, tab, `postextWebMcp.executeTool('test_echo', {patch: {file: {base64: 'x'.repeat(25 << 20)}}}).then((a) => [a.ok, log.length])`, `[true,1]`)
		want(t, tab, `postextWebMcp.executeTool('test_echo', null).then((a) => a.ok)`, `true`)
		want(t, tab, `postextWebMcp.executeTool('test_echo').then((a) => a.ok)`, `true`)
	})

	t.Run("errors, panics, surrogates and bad hosts still give an object", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		for _, call := range []string{`'test_error', {}`, `'test_panic', {}`, `'test_bad_remote', {}`, `'test_echo', {text:'reject'}`, `'test_echo', {text:'garbage'}`, `'test_echo', {text:'number'}`} {
			for _, door := range []string{`postextWebMcp.executeTool(`, `native(`} {
				got := browser.Eval[map[string]any](t, tab, door+call+`)`)
				text, ok := got["error"].(string)
				if got["ok"] != false || !ok || !strings.HasPrefix(text, "internal error ") || len(text) != len("internal error ")+8 {
					t.Errorf("%s%s): %v", door, call, got)
				}
				if door == `native(` && got["isError"] != true {
					t.Errorf("%s%s): no isError: %v", door, call, got)
				}
			}
		}
		want(t, tab, `postextWebMcp.executeTool('test_surrogate', {})`, `{"ok":true,"bytes":"a\ufffd\ufffd\ufffdb","text":"a\ufffdb"}`)
		want(t, tab, `postextWebMcp.executeTool('test_echo', {text:'a\ud800b'}).then((a) => a.args.text)`, `"a\ufffdb"`)
		want(t, tab, `postextWebMcp.executeTool('test_refuse', {})`, `{"ok":false,"error":"there is no chapter \"Nine\""}`)
		want(t, tab, `native('test_refuse', {})`, `{"ok":false,"isError":true,"error":"there is no chapter \"Nine\""}`)
	})

	t.Run("aborting rejects with an AbortError and tells the host", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		for _, call := range []string{`'test_echo', {text:'hang'}`, `'test_wait', {}`} {
			want(t, tab, `(() => { const c = new AbortController(); const p = rejection(postextWebMcp.executeTool(`+call+`, {signal: c.signal})); c.abort(new Error('mine')); return p; })()`, `"AbortError"`)
			want(t, tab, `rejection(postextWebMcp.executeTool(`+call+`, {signal: AbortSignal.abort()}))`, `"AbortError"`)
			want(t, tab, `(() => { const c = new AbortController(); const p = rejection(native(`+call+`, {signal: c.signal})); setTimeout(() => c.abort(), 20); return p; })()`, `"AbortError"`)
		}
		want(t, tab, `new Promise((done) => setTimeout(() => done(log.filter((e) => e.aborted).length), 50))`, `2`)
		want(t, tab, `(() => { const c = new AbortController(); return postextWebMcp.executeTool('test_echo', {}, {signal: c.signal}).then((a) => { c.abort(); return a.ok; }); })()`, `true`)
		want(t, tab, `rejection(postextWebMcp.executeTool('test_wait', {}, {signal: AbortSignal.timeout(10)}))`, `"AbortError"`)
	})

	t.Run("withdrawing answers the calls under way and frees the names", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		want(t, tab, `(async () => {
			const window_ = postextWebMcp.executeTool('test_echo', {text:'hang'});
			const native_ = native('test_wait', {});
			await new Promise((done) => setTimeout(done, 50));
			postextBridge.unmount();
			return [await window_, await native_, postextWebMcp.listTools().length, (await nativeNames()).length];
		})()`, `[{"ok":false,"error":"the set was withdrawn"},{"ok":false,"isError":true,"error":"the set was withdrawn"},0,0]`)
		contains(t, tab, `postextWebMcp.executeTool('test_echo', {})`, `"ok":false`, `no tool is registered`)
		want(t, tab, `(async () => { postextBridge.mount(); return [postextWebMcp.listTools().length, (await nativeNames()).length, (await native('test_echo', {})).ok]; })()`, `[9,9,true]`)
	})

	t.Run("withdraw and register again in one tick, one toolchange", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		want(t, tab, `(async () => {
			await new Promise((done) => setTimeout(done));
			changes = 0;
			for (let i = 0; i < 5; i++) { postextBridge.unmount(); postextBridge.mount(); }
			await new Promise((done) => setTimeout(done, 50));
			return [changes, (await nativeNames()).length, (await native('test_echo', {text:'x'})).ok, postextBridge.problems()];
		})()`, `[1,9,true,[]]`)
	})

	t.Run("calls start in the order they are made", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		want(t, tab, `Promise.all(Array.from({length: 12}, (_, i) => i % 6 ? native('test_echo', {width: 64 + i}) : postextWebMcp.executeTool('test_echo', {width: 64 + i})))
			.then((all) => [all.every((a) => a.ok), log.length])`, `[true,12]`)
		want(t, tab, `(() => { log.length = 0; return Promise.all(Array.from({length: 12}, (_, i) => postextWebMcp.executeTool('test_echo', {width: 64 + i}))).then(() => log.map((e) => JSON.parse(e.args).width - 64)); })()`,
			`[0,1,2,3,4,5,6,7,8,9,10,11]`)
	})

	t.Run("window.postextWebMcp is frozen and cannot be replaced", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		want(t, tab, `(() => {
			const before = postextWebMcp;
			const tries = [() => { window.postextWebMcp = 1; }, () => { delete window.postextWebMcp; }, () => { Object.defineProperty(window, 'postextWebMcp', {value: 1}); },
				() => { postextWebMcp.executeTool = 1; }, () => { postextWebMcp.extra = 1; }];
			for (const t of tries) { try { t(); } catch {} }
			return [window.postextWebMcp === before, typeof postextWebMcp.executeTool, postextWebMcp.extra === undefined, postextWebMcp.version, postextWebMcp instanceof EventTarget];
		})()`, `[true,"function",true,"test",true]`)
		want(t, tab, `(() => { const a = postextWebMcp.listTools(); a[0].name = 'x'; a.length = 1; return postextWebMcp.listTools().length; })()`, `9`)
	})

	t.Run("a host's own tools", func(t *testing.T) { testHostTools(t, browser.Tab(t, ctx), url, true) })

	t.Run("back/forward cache", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		browser.Eval[any](t, tab, `window.addEventListener('pageshow', (e) => { if (e.persisted) window.restored = true; })`)
		browser.Open(t, tab, url+"/elsewhere")
		back(t, tab)
		// With or without the cache the tools must be there.
		browser.Eval[bool](t, tab, `ready.then(() => true)`)
		want(t, tab, `nativeNames().then((list) => [list.length, postextWebMcp.listTools().length])`, `[9,9]`)
		want(t, tab, `native('test_echo', {}).then((a) => a.ok)`, `true`)
		t.Logf("restored from the cache: %v", browser.Eval[bool](t, tab, `window.restored === true`))
	})

	t.Run("a same-origin iframe has tools of its own", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		browser.Open(t, tab, url+"/framing")
		want(t, tab, `(async () => {
			const frame = document.getElementById('inner').contentWindow;
			await new Promise((done) => { const look = () => frame.ready ? done() : setTimeout(look, 20); look(); });
			await frame.ready;
			const all = await document.modelContext.getTools();
			const echo = all.find((t) => t.name === 'test_echo');
			const answer = JSON.parse(await document.modelContext.executeTool(echo, {text: 'from above'}));
			return [all.length, answer.args.text, (await frame.postextWebMcp.executeTool('test_echo', {})).ok];
		})()`, `[9,"from above",true]`)
	})

	t.Run("a hidden tab answers", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		other := browser.Tab(t, ctx)
		browser.Open(t, other, url+"/elsewhere")
		want(t, tab, `native('test_echo', {text:'slow'}).then((a) => a.ok)`, `true`)
	})

	t.Run("DevTools protocol", func(t *testing.T) { testProtocol(t, browser.Tab(t, ctx), url) })

	t.Run("Permissions-Policy tools=()", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, serve(t, "Permissions-Policy", "tools=()"))
		testRefusedByBrowser(t, tab)
	})

	t.Run("Origin-Agent-Cluster ?0", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, serve(t, "Origin-Agent-Cluster", "?0"))
		testRefusedByBrowser(t, tab)
	})

	t.Run("a polyfill does not disturb the native one", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url+"/?fake=polyfill")
		want(t, tab, `native('test_echo', {text:'x'}).then((a) => a.ok)`, `true`)
	})

	t.Run("when the program dies its tools go and every call is answered", func(t *testing.T) { testDeath(t, browser.Tab(t, ctx), url, true) })

	t.Run("wasm/page: the handshake", func(t *testing.T) { testPage(t, browser.Tab(t, ctx), url) })
}

// testRefusedByBrowser holds where document.modelContext is there but refuses.
func testRefusedByBrowser(t *testing.T, tab context.Context) {
	t.Helper()
	want(t, tab, `postextWebMcp.executeTool('test_echo', {text:'x'}).then((a) => [a.ok, a.args.text, postextWebMcp.listTools().length])`, `[true,"x",9]`)
	want(t, tab, `new Promise((done) => setTimeout(done, 100)).then(() => postextBridge.problems().length)`, `4`)
	contains(t, tab, `postextBridge.problems()`, `the browser refused`, `window.postextWebMcp has them all`)
	want(t, tab, `(async () => { postextBridge.unmount(); postextBridge.mount(); return (await postextWebMcp.executeTool('test_echo', {})).ok; })()`, `true`)
}

// TestFeatureOff runs in a browser without WebMCP, bare and with stand-ins.
func TestFeatureOff(t *testing.T) {
	ctx := browser.New(t, browser.Options{})
	url := serve(t)

	t.Run("only the window handle", func(t *testing.T) {
		tab := browser.Tab(t, ctx)
		open(t, tab, url)
		want(t, tab, `atStart`, `"none"`)
		want(t, tab, `postextWebMcp.executeTool('test_echo', {text:'x'}).then((a) => [a.ok, postextWebMcp.listTools().length, postextBridge.problems().length])`, `[true,9,0]`)
	})
	t.Run("a host's own tools", func(t *testing.T) { testHostTools(t, browser.Tab(t, ctx), url, false) })
	t.Run("when the program dies", func(t *testing.T) { testDeath(t, browser.Tab(t, ctx), url, false) })

	for _, fake := range []string{"chrome150", "chrome155", "chrome159", "chrome160", "strict", "polyfill"} {
		t.Run(fake, func(t *testing.T) {
			tab := browser.Tab(t, ctx)
			open(t, tab, url+"/?fake="+fake)
			want(t, tab, `atStart`, `"function"`)
			browser.Eval[any](t, tab, `new Promise((done) => setTimeout(done, 50)).then(() => null)`)
			if got := sorted(browser.Eval[[]string](t, tab, `nativeNames()`)); !slices.Equal(got, testTools) {
				t.Errorf("listed: %v", got)
			}
			want(t, tab, `postextBridge.problems()`, `[]`)
			want(t, tab, `native('test_echo', {text:'x'})`, `{"ok":true,"name":"test_echo","args":{"text":"x"}}`)
			for _, args := range []string{`{widht: 5}`, `{format: 'gif'}`, `{text: '\ud800'}`, `{width: 64}`} {
				pair := browser.Eval[[]string](t, tab, `both('test_echo', `+args+`)`)
				if pair[0] != pair[1] {
					t.Errorf("%s\nwindow   %s\ndocument %s", args, pair[0], pair[1])
				}
			}
			want(t, tab, `native('test_refuse', {})`, `{"ok":false,"isError":true,"error":"there is no chapter \"Nine\""}`)
			contains(t, tab, `native('test_panic', {})`, `internal error`)
			want(t, tab, `(async () => {
				for (let i = 0; i < 3; i++) { postextBridge.unmount(); postextBridge.mount(); }
				await new Promise((done) => setTimeout(done, 50));
				return [(await nativeNames()).length, (await native('test_echo', {})).ok, postextBridge.problems()];
			})()`, `[9,true,[]]`)
			want(t, tab, `(() => { const c = new AbortController(); const p = rejection(native('test_wait', {}, {signal: c.signal})); setTimeout(() => c.abort(), 20); return p; })()`, `"AbortError"`)
			want(t, tab, `(async () => { postextBridge.unmount(); await 0; return (await nativeNames()).length; })()`, `0`)
		})
	}
}
