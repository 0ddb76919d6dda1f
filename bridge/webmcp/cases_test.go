//go:build !js

package webmcp_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"

	"postext/e2e/browser"
)

// back goes back in the history and waits for the page with the bridge. A page
// restored from the back/forward cache fires no load event to wait for.
func back(t *testing.T, ctx context.Context) {
	t.Helper()
	browser.Eval[any](t, ctx, `(setTimeout(() => history.back()), null)`)
	for range 100 {
		there, cancel := context.WithTimeout(ctx, time.Second)
		ok, err := chromedp.Run(there, chromedp.Evaluate[bool](`location.pathname === '/' && window.ready !== undefined`))
		cancel()
		if err == nil && ok {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the page did not come back")
}

// testHostTools: registerWebMcpTools of web/src/webmcp.js.
func testHostTools(t *testing.T, tab context.Context, url string, native bool) {
	open(t, tab, url)
	browser.Eval[any](t, tab, `(() => {
		window.host = new AbortController();
		registerWebMcpTools([
			{ name: 'shop_list_titles', description: 'The titles of this shop.', inputSchema: { type: 'object', properties: { limit: { type: 'integer', minimum: 1 } }, additionalProperties: false },
			  annotations: { readOnlyHint: true }, execute: async ({ limit }) => ({ titles: ['A', 'B'].slice(0, limit) }) },
			{ name: 'shop_throw', description: 'Throws.', execute() { throw new Error('out of \ud800 stock'); } },
			{ name: 'shop_reject', description: 'Rejects.', execute: () => Promise.reject('no') },
			{ name: 'shop_list', description: 'A list.', execute: () => [1, 2] },
			{ name: 'shop_nothing', description: 'Nothing.', execute() {} },
			{ name: 'shop_cycle', description: 'A cycle.', execute() { const o = {}; o.o = o; return o; } },
			{ name: 'shop_hang', description: 'Never answers.', execute: (_, { signal }) => new Promise(() => { signal.addEventListener('abort', () => log.push({ hang: 'aborted' })); }) },
		], host.signal);
	})()`)
	want(t, tab, `postextWebMcp.executeTool('shop_list_titles', {limit: 1})`, `{"ok":true,"titles":["A"]}`)
	contains(t, tab, `postextWebMcp.executeTool('shop_list_titles', {limt: 1})`, `did you mean limit?`)
	want(t, tab, `postextWebMcp.executeTool('shop_throw')`, `{"ok":false,"error":"out of \ufffd stock"}`)
	want(t, tab, `postextWebMcp.executeTool('shop_reject')`, `{"ok":false,"error":"no"}`)
	want(t, tab, `postextWebMcp.executeTool('shop_list')`, `{"ok":true,"result":[1,2]}`)
	want(t, tab, `postextWebMcp.executeTool('shop_nothing')`, `{"ok":true}`)
	contains(t, tab, `postextWebMcp.executeTool('shop_cycle')`, `"ok":false`)
	if native {
		want(t, tab, `native('shop_list_titles', {limit: 2})`, `{"ok":true,"titles":["A","B"]}`)
	}
	for _, bad := range []string{
		`{ name: 'shop_list', description: 'd', execute() {} }`,
		`{ name: 'sandbox_mine', description: 'd', execute() {} }`,
		`{ name: 'two words', description: 'd', execute() {} }`,
		`{ name: 'fine', description: '', execute() {} }`,
		`{ name: 'fine', description: 'd' }`,
		`{ name: 'fine', description: 'd', inputSchema: { type: 'nonsense' }, execute() {} }`,
		`{ name: 'fine', description: 'd', inputSchema: { type: 'string', pattern: '(' }, execute() {} }`,
		`{ name: 'fine', description: 'd', inputSchema: 5, execute() {} }`,
		`{ name: 'fine', description: 'd', execute() {} }, { name: 'fine', description: 'd', execute() {} }`,
	} {
		want(t, tab, `(() => { try { registerWebMcpTools([{ name: 'never', description: 'd', execute() {} }, `+bad+`]); } catch (e) { return [e.name, postextWebMcp.listTools().some((t) => t.name === 'never' || t.name === 'fine')]; } })()`,
			`["TypeError",false]`)
	}
	want(t, tab, `(async () => { const p = postextWebMcp.executeTool('shop_hang'); await new Promise((done) => setTimeout(done, 20)); host.abort(); return [(await p).ok, log.filter((e) => e.hang).length, postextWebMcp.listTools().length]; })()`, `[false,1,9]`)
	if native {
		want(t, tab, `nativeNames().then((list) => list.length)`, `9`)
	}
	// Before the program is up: checked at once, registered when it is.
	browser.Open(t, tab, url)
	want(t, tab, `(async () => {
		const late = [];
		for (const name of ['early', 'early']) { try { registerWebMcpTools([{ name, description: 'd', execute: () => ({}) }]); late.push('taken'); } catch (e) { late.push(e.name); } }
		await ready;
		return [late, (await postextWebMcp.executeTool('early')).ok];
	})()`, `[["taken","TypeError"],true]`)
}

// testDeath: the Go program exits in the middle of a call.
func testDeath(t *testing.T, tab context.Context, url string, native bool) {
	open(t, tab, url)
	want(t, tab, `(async () => {
		const other = postextWebMcp.executeTool('test_echo', {text: 'hang'});
		const fatal = postextWebMcp.executeTool('test_exit');
		const answers = [(await fatal).ok, (await other).ok];
		const later = await postextWebMcp.executeTool('test_echo', {});
		return [...answers, later.ok, typeof later.error, postextWebMcp.listTools(), log.some((e) => e.exit)];
	})()`, `[false,false,false,"string",[],true]`)
	if native {
		want(t, tab, `nativeNames()`, `[]`)
	}
}

// testPage: the real program of the window.
func testPage(t *testing.T, tab context.Context, url string) {
	open(t, tab, url+"/?wasm=/page.wasm&mounted=no")
	t.Logf("page.wasm fetched, compiled and started in %.0f ms", browser.Eval[float64](t, tab, `startMs`))
	want(t, tab, `[postextWebMcp.listTools().length, postextBridge.mounted()]`, `[0,false]`)
	contains(t, tab, `postextWebMcp.executeTool('sandbox_get_state')`, `"ok":false`, `while the Sandbox is on screen`)
	want(t, tab, `(async () => { postextBridge.mount(); return [postextBridge.mounted(), (await postextWebMcp.executeTool('sandbox_get_state')).ok, (await native('sandbox_get_state')).ok]; })()`, `[true,true,true]`)
	want(t, tab, `postextWebMcp.listTools().find((t) => t.name === 'sandbox_get_state').title`, `"Was offen ist"`)
	want(t, tab, `(async () => { const a = postextWebMcp.listTools().map((t) => t.name).sort(); const b = await nativeNames(); return [a.length === b.length, a.every((n, i) => n === b[i])]; })()`, `[true,true]`)
	contains(t, tab, `postextWebMcp.executeTool('sandbox_get_stat')`, `did you mean sandbox_get_state?`)
	want(t, tab, `(async () => { postextBridge.unmount(); return [postextWebMcp.listTools().length, (await nativeNames()).length]; })()`, `[0,0]`)
}

// testProtocol: the DevTools protocol's own way to the tools.
func testProtocol(t *testing.T, tab context.Context, url string) {
	ctx, cancel := context.WithTimeout(tab, 30*time.Second)
	defer cancel()
	open(t, tab, url)
	added := chromedp.Events(ctx, webmcp.ToolsAdded)
	responded := chromedp.Events(ctx, webmcp.ToolResponded)
	if _, err := chromedp.Call(ctx, webmcp.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	for ev, err := range added {
		if err != nil {
			t.Fatal(err)
		}
		if len(ev.Tools) != len(testTools) {
			t.Errorf("%d tools", len(ev.Tools))
		}
		break
	}
	tree, err := chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	invoke := func(name, input string) string {
		t.Helper()
		r, err := chromedp.Call(ctx, webmcp.InvokeTool, webmcp.InvokeToolParams{FrameID: tree.FrameTree.Frame.ID, ToolName: name, Input: jsonv2.Value(input)})
		if err != nil {
			t.Fatal(err)
		}
		return r.InvocationID
	}
	answer := func(responses func(func(webmcp.EventToolResponded, error) bool), id string) webmcp.EventToolResponded {
		t.Helper()
		for ev, err := range responses {
			if err != nil {
				t.Fatal(err)
			}
			if ev.InvocationID == id {
				return ev
			}
		}
		t.Fatal("no answer")
		return webmcp.EventToolResponded{}
	}
	ev := answer(responded, invoke("test_echo", `{"text":"hi"}`))
	if ev.Status != webmcp.InvocationStatusCompleted || string(ev.Output) != `{"ok":true,"name":"test_echo","args":{"text":"hi"}}` {
		t.Errorf("%s %s", ev.Status, ev.Output)
	}
	again := chromedp.Events(ctx, webmcp.ToolResponded)
	id := invoke("test_echo", `{"text":"hang"}`)
	if _, err := chromedp.Call(ctx, webmcp.CancelInvocation, webmcp.CancelInvocationParams{InvocationID: id}); err != nil {
		t.Fatal(err)
	}
	if ev := answer(again, id); ev.Status != webmcp.InvocationStatusCanceled {
		t.Errorf("cancelled: %s %s", ev.Status, ev.Output)
	}
	want(t, tab, `new Promise((done) => setTimeout(() => done(log.filter((e) => e.aborted).length), 50))`, `1`)
}
