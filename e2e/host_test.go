package e2e

import (
	"strings"
	"testing"
	"time"

	"postext/bridge"
	"postext/e2e/browser"
)

// The handle is on every page that is served, also on one that says that there is
// no such page; a host's module adds its own tools there.
func TestTheWindowHandleIsOnErrorPagesAndTakesAHostsTools(t *testing.T) {
	ctx := tab(t, browser.Options{})
	url := server(t)
	browser.Open(t, ctx, url+"/nothing-here")
	deadline := time.Now().Add(20 * time.Second)
	for !browser.Eval[bool](t, ctx, `Boolean(window.postextWebMcp) && document.body.textContent.includes('There is no such page here.')`) {
		if time.Now().After(deadline) {
			t.Fatal("there is no window.postextWebMcp on the error page")
		}
		time.Sleep(50 * time.Millisecond)
	}
	got := browser.Eval[string](t, ctx, `(async () => {
		const { registerWebMcpTools, startTools } = await import('/assets/webmcp.js');
		await startTools(); // it runs here already
		const host = new AbortController();
		registerWebMcpTools([{
			name: 'shop_price', description: 'The price of a book.',
			inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'], additionalProperties: false },
			execute: ({ title }) => ({ price: title.length }),
		}], host.signal);
		const good = await postextWebMcp.executeTool('shop_price', { title: 'Emma' });
		const bad = await postextWebMcp.executeTool('shop_price', { titel: 'Emma' });
		host.abort();
		const there = postextWebMcp.listTools().some((t) => t.name === 'shop_price');
		return JSON.stringify([good, bad.ok, bad.error.includes('did you mean title'), there]);
	})()`)
	if want := `[{"ok":true,"price":4},false,true,false]`; got != want {
		t.Errorf("a host's tool answers %s, want %s", got, want)
	}
}

// A page of the owner's without Postext's script starts the tools itself, once.
func TestAHostPageStartsTheToolsItself(t *testing.T) {
	ctx := tab(t, browser.Options{})
	url := server(t)
	// Any address that is no page: here the list of licences.
	browser.Open(t, ctx, url+"/licenses.txt")
	got := browser.Eval[string](t, ctx, `(async () => {
		const before = typeof window.postextWebMcp;
		const { registerWebMcpTools, startTools } = await import('/assets/webmcp.js');
		registerWebMcpTools([{ name: 'early_bird', description: 'Asked for before the program is up.', execute: () => ({ early: true }) }]);
		await Promise.all([startTools(), startTools()]);
		const answer = await postextWebMcp.executeTool('early_bird');
		return JSON.stringify([before, answer, postextWebMcp.listTools().filter((t) => t.name === 'early_bird').length]);
	})()`)
	if want := `["undefined",{"ok":true,"early":true},1]`; got != want {
		t.Errorf("it gives %s, want %s", got, want)
	}
}

// tools.md 13: the handle is there, frozen, before any tool is: a script need not
// wait for anything but the page. What it asks at once is answered when the program
// is there, or ended by its signal.
func TestTheWindowHandleIsThereFromTheFirstMoment(t *testing.T) {
	ctx := tab(t, browser.Options{})
	url := server(t)
	for _, c := range []struct{ path, answer string }{
		{"/en/sandbox", `"ok":true,"ready":false`},
		{"/en/", `"ok":false,"error":"there is no tool`},
		{"/nothing-here", `"ok":false,"error":"there is no tool`},
	} {
		browser.Open(t, ctx, url+c.path)
		got := browser.Eval[string](t, ctx, `(() => {
			const handle = window.postextWebMcp;
			const left = new AbortController();
			const ended = handle.executeTool('sandbox_read_text', {}, { signal: left.signal }).then(() => 'answered', (e) => e.name);
			left.abort();
			const state = handle.executeTool('sandbox_get_state', {});
			try { window.postextWebMcp = null; } catch {}
			return Promise.all([ended, state]).then(([e, s]) =>
				JSON.stringify([handle === window.postextWebMcp, Object.isFrozen(handle), handle.version, e]) + JSON.stringify(s));
		})()`)
		if !strings.HasPrefix(got, `[true,true,"`+bridge.Version+`","AbortError"]{`+c.answer) {
			t.Errorf("%s: %.300s", c.path, got)
		}
	}
}
