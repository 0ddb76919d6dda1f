package e2e

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"postext/e2e/browser"
)

// fakes are the stand-ins of document.modelContext: Chrome's versions as the
// tables of webmcp-api.md have them, and the polyfill of others.
var fakes = []string{"chrome150", "chrome155", "chrome159", "chrome160", "strict", "polyfill"}

var importLine = regexp.MustCompile(`(?m)^import .*$`)

// fakeScript is a stand-in as one script that runs before those of the page.
func fakeScript(t testing.TB, name string) string {
	t.Helper()
	read := func(path string) string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if name == "polyfill" {
		return read(filepath.Join("..", "web", "node_modules", "@mcp-b", "webmcp-polyfill", "dist", "index.iife.js"))
	}
	shared := strings.Replace(read(filepath.Join("fakes", "modelcontext.js")), "export function", "function", 1)
	return "(() => {\n" + shared + importLine.ReplaceAllString(read(filepath.Join("fakes", name+".js")), "") + "})();"
}

// fakeCaller is a client that works from Chrome 150 on: schemas may be text,
// arguments may have to be (webmcp-api.md 6). It never spreads or clones a tool.
const fakeCaller = `
window.agent = {
	async names() { return (await document.modelContext.getTools()).map((t) => t.name).sort(); },
	async schema(name) {
		const s = (await document.modelContext.getTools()).find((t) => t.name === name).inputSchema;
		return typeof s === 'string' ? JSON.parse(s) : s;
	},
	async call(name, args, options) {
		const tool = (await document.modelContext.getTools()).find((t) => t.name === name);
		let text;
		try {
			text = await document.modelContext.executeTool(tool, args, options);
		} catch (e) {
			if (!/parse input/i.test(e.message)) throw e;
			text = await document.modelContext.executeTool(tool, JSON.stringify(args), options);
		}
		const answer = typeof text === 'string' ? JSON.parse(text) : text;
		delete answer.isError;
		return answer;
	},
};`

// Over every stand-in the page's tools are listed, answer as at the window
// handle, go when the Sandbox leaves, and come back with it, also in one tick.
func TestTheToolsWorkOverEveryModelContext(t *testing.T) {
	for _, fake := range fakes {
		t.Run(fake, func(t *testing.T) {
			ctx := tab(t, browser.Options{BeforeScripts: fakeScript(t, fake) + fakeCaller})
			sandbox(t, ctx, server(t), "#preset=book")
			overFake(t, ctx, fake)
		})
	}
}

func overFake(t *testing.T, ctx context.Context, fake string) {
	eval := func(what, js string) {
		t.Helper()
		if got := browser.Eval[any](t, ctx, js); got != true {
			t.Errorf("%s: %v", what, got)
		}
	}
	eval("problems of registration", `(() => { const p = postextBridge.problems(); return p.length === 0 || p; })()`)
	eval("both doors list the same names", `agent.names().then((a) => {
		const b = postextWebMcp.listTools().map((t) => t.name).sort();
		return a.length >= 13 && JSON.stringify(a) === JSON.stringify(b) || [a, b];
	})`)
	eval("the schema names its parameters", `agent.schema('sandbox_render_page').then((s) => 'width' in s.properties && s.type === 'object' || s)`)
	for _, r := range reading {
		args := r.args
		if strings.Contains(r.tool, "search_text") {
			args = `{"query":"the"}`
		}
		eval(r.tool+" "+args+" answers alike", `(async () => {
			const a = JSON.stringify(await agent.call(`+quote(r.tool)+`, `+args+`));
			const b = JSON.stringify(await postextWebMcp.executeTool(`+quote(r.tool)+`, `+args+`));
			return a === b || [a, b];
		})()`)
	}
	eval("a change is made", `agent.call('sandbox_set_config', {changes: [{path: 'bodyText.fontSize', value: '11pt'}]}).then((a) => a.ok || a)`)
	eval("a refusal is an answer", `agent.call('sandbox_render_page', {widht: 300}).then((a) => a.ok === false && /width/.test(a.error) || a)`)
	eval("leaving withdraws the tools", `(async () => {
		postextBridge.unmount();
		const gone = [(await agent.names()).filter((n) => n.startsWith('sandbox_')), postextWebMcp.listTools().map((t) => t.name).filter((n) => n.startsWith('sandbox_'))];
		const a = await postextWebMcp.executeTool('sandbox_get_state', {});
		return gone[0].length === 0 && gone[1].length === 0 && a.ok === false || [gone, a];
	})()`)
	eval("returning registers them again", `(async () => {
		postextBridge.mount();
		await new Promise((done) => setTimeout(done, 50));
		const names = await agent.names();
		const a = await agent.call('sandbox_get_state', {});
		return names.length >= 13 && a.ready === true || [names, a];
	})()`)
	eval("leaving and returning in one tick keeps them", `(async () => {
		postextBridge.unmount(); postextBridge.mount(); postextBridge.unmount(); postextBridge.mount();
		await new Promise((done) => setTimeout(done, 50));
		const names = await agent.names();
		const a = await agent.call('sandbox_get_state', {});
		const p = postextBridge.problems();
		return names.length >= 13 && a.ready === true && p.length === 0 || [names, a, p];
	})()`)
	eval("a call under way when the Sandbox leaves is answered", `(async () => {
		const calls = [agent.call('sandbox_render_page', {count: 3, width: 1500}), agent.call('sandbox_search_text', {query: 'e', pages: true})].map((p) => p.then((a) => 'content' in a || 'ok' in a, (e) => e.name));
		await new Promise((done) => setTimeout(done, 5));
		postextBridge.unmount();
		const ended = await Promise.race([Promise.all(calls), new Promise((done) => setTimeout(() => done('nothing came'), 10000))]);
		postextBridge.mount();
		return Array.isArray(ended) && ended.every((x) => x === true || typeof x === 'string') || ended;
	})()`)
}
