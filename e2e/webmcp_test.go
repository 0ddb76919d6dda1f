package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"postext/e2e/browser"
)

// The lines of webmcp-api.md 18 that the tools of this page reach, each a test.
// The bridge's own tests (bridge/webmcp) go through the same with tools that
// throw, panic and exit.

// keywords are those a browser that checks input would allow (webmcp-api.md 14).
var keywords = []string{"type", "properties", "required", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"minLength", "maxLength", "pattern", "items", "prefixItems", "additionalProperties", "default", "description"}

func TestEverySchemaIsInTheSubsetAndPassesTheMetaCheck(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "#preset=book")
	tools := browser.Eval[[]struct {
		Name        string
		Description string
		InputSchema any
		Annotations map[string]any
	}](t, ctx, `postextWebMcp.listTools()`)
	var subset func(where string, schema any)
	subset = func(where string, schema any) {
		m, ok := schema.(map[string]any)
		if !ok {
			t.Errorf("%s is %T", where, schema)
			return
		}
		for key, v := range m {
			if !slices.Contains(keywords, key) {
				t.Errorf("%s has the keyword %s", where, key)
			}
			switch key {
			case "properties":
				for name, p := range v.(map[string]any) {
					subset(where+"."+name, p)
				}
			case "items":
				subset(where+"[]", v)
			case "additionalProperties":
				if v != false {
					t.Errorf("%s allows additional properties by %v", where, v)
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, tool := range tools {
		subset(tool.Name, tool.InputSchema)
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		if err := c.AddResource(tool.Name+".json", tool.InputSchema); err != nil {
			t.Error(err)
		} else if _, err := c.Compile(tool.Name + ".json"); err != nil {
			t.Error(err)
		}
		start := tool.Description[:min(160, len(tool.Description))]
		if seen[start] {
			t.Errorf("%s begins like another tool", tool.Name)
		}
		seen[start] = true
		for _, hint := range []string{"readOnlyHint", "untrustedContentHint", "consequentialHint"} {
			if _, ok := tool.Annotations[hint].(bool); !ok {
				t.Errorf("%s says nothing of %s", tool.Name, hint)
			}
		}
	}
}

// atBothDoors evaluates an expression with call(name, args) at the window handle
// and at document.modelContext.
const bothDoors = `
	const handle = (name, args) => postextWebMcp.executeTool(name, args);
	const native = async (name, args) => {
		const tool = (await document.modelContext.getTools()).find((t) => t.name === name);
		const a = JSON.parse(await document.modelContext.executeTool(tool, args));
		delete a.isError;
		return a;
	};`

func TestBadArgumentsAreRefusedAlikeByBothDoors(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	sandbox(t, ctx, server(t), "#preset=book")
	for _, c := range []struct{ name, tool, args string }{
		{"misspelt", "sandbox_render_page", `{widht: 300}`},
		{"wrong type", "sandbox_render_page", `{width: 'wide'}`},
		{"missing", "sandbox_edit_text", `{}`},
		{"a huge number", "sandbox_read_text", `{fromLine: 1e308}`},
		{"deep nesting", "sandbox_set_config", `{patch: JSON.parse('{"a":'.repeat(3000) + '1' + '}'.repeat(3000))}`},
		{"a lone surrogate", "sandbox_find_setting", `{query: '\ud800', limit: 0}`},
		{"a lone surrogate in a name", "sandbox_read_text", `{'chap\ud800ter': 1}`},
	} {
		got := browser.Eval[[]any](t, ctx, `(async () => {`+bothDoors+`
			const before = (await handle('sandbox_get_state', {})).revision;
			const a = await handle(`+quote(c.tool)+`, `+c.args+`), b = await native(`+quote(c.tool)+`, `+c.args+`);
			const after = (await handle('sandbox_get_state', {})).revision;
			return [a.ok === false && JSON.stringify(a) === JSON.stringify(b) && before === after, a, b];
		})()`)
		if got[0] != true {
			t.Errorf("%s: %.600v", c.name, got[1:])
		}
	}
	// document.modelContext refuses a list itself in some versions; ours does too.
	if a := browser.Eval[answer](t, ctx, `postextWebMcp.executeTool('sandbox_get_state', [1])`); a["ok"] != false {
		t.Errorf("a list for arguments: %v", a)
	}
}

func TestALoneSurrogateStillGivesAnObjectThatParses(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	sandbox(t, ctx, server(t), "#preset=book")
	got := browser.Eval[[]any](t, ctx, `(async () => {`+bothDoors+`
		await handle('sandbox_write_text', {chapter: 2, markdown: '# Second\n\nbroken \ud83d half\udc00 pair\n'});
		const a = await native('sandbox_read_text', {chapter: 2}), b = await native('sandbox_search_text', {query: 'broken \ud83d'});
		const c = await native('sandbox_inspect_pages', {chapter: 2, position: 1, text: 'full'});
		return [[a, b, c].every((x) => JSON.stringify(x).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(x))), a.ok, c.ok];
	})()`)
	if fmt.Sprint(got) != "[true true true]" {
		t.Errorf("%v", got)
	}
}

func TestCancellingByTheProtocol(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	sandbox(t, ctx, server(t), "#preset=book")
	responded := chromedp.Events(ctx, webmcp.ToolResponded)
	if _, err := chromedp.Call(ctx, webmcp.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	tree, err := chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	inv, err := chromedp.Call(ctx, webmcp.InvokeTool, webmcp.InvokeToolParams{FrameID: tree.FrameTree.Frame.ID,
		ToolName: "sandbox_render_page", Input: jsonv2.Value(`{"count":3,"width":4000}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, webmcp.CancelInvocation, webmcp.CancelInvocationParams{InvocationID: inv.InvocationID}); err != nil {
		t.Fatal(err)
	}
	for ev, err := range responded {
		if err != nil {
			t.Fatal(err)
		}
		if ev.InvocationID == inv.InvocationID {
			if ev.Status != webmcp.InvocationStatusCanceled {
				t.Errorf("status %s", ev.Status)
			}
			break
		}
	}
	must(t, ctx, "sandbox_get_state", `{}`)
}

func TestTwoWritersAndTenReadersAtOnce(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "#preset=book")
	got := browser.Eval[[]any](t, ctx, `(async () => {
		const call = (n, a) => postextWebMcp.executeTool(n, a);
		const line = (k) => '# Second\n\nversion ' + k + ' begins here, and version ' + k + ' ends here\n';
		await call('sandbox_write_text', {chapter: 2, markdown: line(0)});
		const work = [];
		for (let k = 1; k <= 2; k++) work.push(call('sandbox_write_text', {chapter: 2, markdown: line(k)}));
		for (let k = 0; k < 10; k++) work.push(call('sandbox_read_text', {chapter: 2, numbers: false}));
		const all = await Promise.all(work);
		const whole = all.slice(2).every((a) => { const v = a.text.match(/version \d/g); return v.length === 2 && v[0] === v[1]; });
		const order = all[0].revision < all[1].revision;
		const last = (await call('sandbox_read_text', {chapter: 2})).text.includes('version 2 begins');
		return [all.every((a) => a.ok), whole, order, last];
	})()`)
	if fmt.Sprint(got) != "[true true true true]" {
		t.Errorf("all ok, readers whole, writers in order, the second stays: %v", got)
	}
}

func TestLeavingAndReturningInOneTickKeepsTheTools(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	sandbox(t, ctx, server(t), "#preset=book")
	got := browser.Eval[[]any](t, ctx, `(async () => {`+bothDoors+`
		const names = async () => JSON.stringify((await document.modelContext.getTools()).map((t) => t.name));
		const before = await names();
		let fired = 0;
		postextWebMcp.addEventListener('toolchange', () => fired++);
		postextBridge.unmount(); postextBridge.mount();
		await new Promise((done) => setTimeout(done, 100));
		const same = before === await names();
		const a = await native('sandbox_get_state', {});
		postextBridge.unmount();
		const left = (await document.modelContext.getTools()).filter((t) => t.name.startsWith('sandbox_')).length;
		postextBridge.mount();
		return [same, a.ready, left, fired <= 2, postextBridge.problems().length];
	})()`)
	if fmt.Sprint(got) != "[true true 0 true 0]" {
		t.Errorf("same names, ready, tools left, one toolchange a batch, problems: %v", got)
	}
}

func TestBackAndForwardBringsTheToolsBack(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	address := server(t)
	sandbox(t, ctx, address, "#preset=book")
	browser.Open(t, ctx, address+"/en/")
	browser.Eval[any](t, ctx, `(setTimeout(() => history.back()), null)`)
	deadline := time.Now().Add(patience)
	for {
		short, cancel := context.WithTimeout(ctx, time.Second)
		ok, err := chromedp.Run(short, chromedp.Evaluate[bool](`location.pathname.endsWith('/sandbox') && window.postextWebMcp !== undefined`))
		cancel()
		if err == nil && ok {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the page did not come back: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	ready(t, ctx)
	n := browser.Eval[float64](t, ctx, `document.modelContext.getTools().then((list) => list.length)`)
	if n < 13 {
		t.Errorf("%v tools", n)
	}
	must(t, ctx, "sandbox_render_page", `{"chapter":1,"position":1,"width":200}`)
}

func TestAHiddenTabAnswers(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "#preset=book")
	// Another tab of the same window in front takes timers and frames away.
	other, cancel := chromedp.NewContext(ctx, chromedp.WithNewWindow(false))
	defer cancel()
	if err := chromedp.Do(other, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(other, page.BringToFront, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	t.Logf("visibility: %s", browser.Eval[string](t, ctx, `document.visibilityState`))
	start := time.Now()
	must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"12pt"}]}`)
	must(t, ctx, "sandbox_render_page", `{"chapter":1,"position":1,"width":600}`)
	t.Logf("a change and a picture took %d ms", time.Since(start).Milliseconds())
}

func TestASameOriginFrameHasToolsOfItsOwn(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	address := server(t)
	frame := through(t, address, func(r *http.Response) error {
		if r.Request.URL.Path == "/framing" {
			body := `<!doctype html><title>Framing</title><iframe id="inner" src="/en/sandbox#preset=book" style="width:900px;height:600px"></iframe>`
			r.StatusCode, r.Status = http.StatusOK, "200 OK"
			r.Header = http.Header{"Content-Type": {"text/html; charset=utf-8"}}
			r.Body = readCloser(body)
			r.ContentLength = int64(len(body))
		}
		for _, h := range []string{"X-Frame-Options"} {
			r.Header.Del(h)
		}
		if p := r.Header.Get("Content-Security-Policy"); p != "" {
			r.Header.Set("Content-Security-Policy", strings.Replace(p, "frame-ancestors 'none'", "frame-ancestors 'self'", 1))
		}
		return nil
	})
	browser.Open(t, ctx, frame+"/framing")
	until(t, ctx, `inner.contentWindow.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_get_state')
		&& inner.contentWindow.postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready)`)
	got := browser.Eval[[]any](t, ctx, `(async () => {
		const tools = await document.modelContext.getTools();
		const tool = tools.find((t) => t.name === 'sandbox_read_text');
		const a = JSON.parse(await document.modelContext.executeTool(tool, {chapter: 1, fromLine: 1, toLine: 1}));
		return [tools.length >= 13, a.ok];
	})()`)
	if fmt.Sprint(got) != "[true true]" {
		t.Errorf("the frame's tools in the parent: %v", got)
	}
}

// The browser refuses to take tools: the window handle has them all the same,
// and the page says what was refused.
func TestWhereTheBrowserTakesNoToolsTheWindowHandleHasThem(t *testing.T) {
	address := server(t)
	for _, c := range []struct{ name, header, value string }{
		{"Permissions-Policy tools=()", "Permissions-Policy", "tools=()"},
		{"Origin-Agent-Cluster ?0", "Origin-Agent-Cluster", "?0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := tab(t, browser.Options{WebMCP: true})
			forbidding := through(t, address, func(r *http.Response) error {
				r.Header.Set(c.header, c.value)
				return nil
			})
			sandbox(t, ctx, forbidding, "#preset=book")
			must(t, ctx, "sandbox_read_text", `{"chapter":1}`)
			problems := browser.Eval[[]string](t, ctx, `postextBridge.problems()`)
			if len(problems) == 0 {
				t.Error("the page says nothing of the refusal")
			}
		})
	}
}

// through is a proxy before the server that changes its answers.
func through(t testing.TB, address string, change func(*http.Response) error) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = change
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL
}

type body struct{ *bytes.Reader }

func (body) Close() error { return nil }

func readCloser(text string) body { return body{bytes.NewReader([]byte(text))} }

// Every call that the public document prints for these tools, at both doors.
func TestEveryCallOfThePublicPageIsAcceptedAtBothDoors(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	sandbox(t, ctx, server(t), "#preset=book")
	pages(t, ctx)
	for _, c := range seedCalls {
		got := browser.Eval[[2]string](t, ctx, `(async () => {`+bothDoors+`
			const args = `+c.args+`;
			const a = JSON.stringify(await handle(`+quote(c.tool)+`, args));
			`+c.between+`
			const b = JSON.stringify(await native(`+quote(c.tool)+`, args));
			return [a, b];
		})()`)
		for door, text := range got {
			var a answer
			if err := json.Unmarshal([]byte(text), &a); err != nil {
				t.Fatal(err)
			}
			if _, picture := a["content"]; !picture && !a.ok() {
				t.Errorf("%s at door %d: %.400s", c.tool, door, text)
			}
		}
		if c.between == "" && got[0] != got[1] {
			t.Errorf("%s answers differently:\n%.500s\n%.500s", c.tool, got[0], got[1])
		}
	}
}
