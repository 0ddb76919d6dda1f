package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"

	"postext/e2e/browser"
)

func decode64(t testing.TB, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// reading are calls that change nothing, so that asking twice gives the same.
var reading = []struct{ tool, args string }{
	{"sandbox_inspect_pages", `{"chapter":1}`},
	{"sandbox_inspect_pages", `{"chapter":1,"position":1,"text":"full","lines":true}`},
	{"sandbox_inspect_point", `{"chapter":1,"position":1,"x":0.5,"y":0.5}`},
	{"sandbox_read_text", `{"chapter":1}`},
	{"sandbox_search_text", `{"query":"page","pages":true}`},
	{"sandbox_get_config", `{"path":"bodyText.fontSize"}`},
	{"sandbox_find_setting", `{"query":"orphans"}`},
	{"sandbox_render_page", `{"chapter":1,"position":1,"width":300}`},
	{"sandbox_read_text", `{"chapter":99}`},
	{"sandbox_read_text", `{"chaper":1}`},
	{"sandbox_undo_text", `{}`},
}

// same compares two answers as the rules say: isError is the one difference
// between the doors.
func same(t *testing.T, door, tool, args string, got, want answer) {
	t.Helper()
	delete(got, "isError")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s %s %s differs from the window handle:\n got %.600v\nwant %.600v", door, tool, args, got, want)
	}
}

// With WebMCP on: found with getTools, run with document.modelContext and
// through the DevTools protocol, with the answers of the window handle.
func TestBothDoorsAndTheProtocolGiveTheSameAnswers(t *testing.T) {
	ctx := tab(t, browser.Options{WebMCP: true})
	sandbox(t, ctx, server(t), "")

	names := browser.Eval[[2][]string](t, ctx, `(async () => [
		(await document.modelContext.getTools()).map((t) => t.name),
		window.postextWebMcp.listTools().map((t) => t.name).sort()])()`)
	if len(names[0]) < 13 || !reflect.DeepEqual(names[0], names[1]) {
		t.Fatalf("the doors list different tools:\n%v\n%v", names[0], names[1])
	}

	for _, r := range reading {
		want := call(t, ctx, r.tool, r.args)
		text := browser.Eval[string](t, ctx, fmt.Sprintf(`(async () => {
			const tool = (await document.modelContext.getTools()).find((t) => t.name === %s);
			return document.modelContext.executeTool(tool, %s);
		})()`, quote(r.tool), r.args))
		var got answer
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: the text does not parse: %v", r.tool, err)
		}
		if want["ok"] == false && got["isError"] != true {
			t.Errorf("%s: a refusal without isError through document.modelContext", r.tool)
		}
		same(t, "document.modelContext", r.tool, r.args, got, want)
	}

	added := chromedp.Events(ctx, webmcp.ToolsAdded)
	responded := chromedp.Events(ctx, webmcp.ToolResponded)
	if _, err := chromedp.Call(ctx, webmcp.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	for ev, err := range added {
		if err != nil {
			t.Fatal(err)
		}
		if len(ev.Tools) != len(names[0]) {
			t.Errorf("the protocol lists %d tools, the page %d", len(ev.Tools), len(names[0]))
		}
		break
	}
	tree, err := chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan webmcp.EventToolResponded, 1)
	go func() {
		defer close(answers)
		for ev, err := range responded {
			if err != nil {
				return
			}
			answers <- ev
		}
	}()
	for _, r := range reading {
		want := call(t, ctx, r.tool, r.args)
		inv, err := chromedp.Call(ctx, webmcp.InvokeTool, webmcp.InvokeToolParams{
			FrameID: tree.FrameTree.Frame.ID, ToolName: r.tool, Input: jsonv2.Value(r.args)})
		if err != nil {
			t.Fatal(err)
		}
		for ev := range within(t, answers) {
			if ev.InvocationID != inv.InvocationID {
				continue
			}
			if ev.Status != webmcp.InvocationStatusCompleted {
				t.Fatalf("%s: status %v, %s", r.tool, ev.Status, ev.ErrorText)
			}
			// Chromium 156 passes an answer on unparsed, as a string, when its text has
			// signs beyond ASCII and none beyond Latin-1.
			output := []byte(ev.Output)
			var text string
			if json.Unmarshal(output, &text) == nil {
				output = []byte(text)
			}
			var got answer
			if err := json.Unmarshal(output, &got); err != nil {
				t.Fatalf("%s %s: %v in %.300s", r.tool, r.args, err, output)
			}
			same(t, "the protocol", r.tool, r.args, got, want)
			break
		}
	}
}

// within ranges over a channel and fails the test when nothing comes in time.
func within[T any](t *testing.T, ch <-chan T) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		for {
			select {
			case v, ok := <-ch:
				if !ok {
					t.Error("the events ended")
					return
				}
				if !yield(v) {
					return
				}
			case <-time.After(patience):
				t.Errorf("nothing came within %v", patience)
				return
			}
		}
	}
}

// Without WebMCP everything goes through the window handle.
func TestWithoutWebMCPTheWindowHandleHasEverything(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "")
	if browser.Eval[bool](t, ctx, `document.modelContext !== undefined`) {
		t.Fatal("this browser has WebMCP on")
	}
	for _, r := range reading {
		a := call(t, ctx, r.tool, r.args)
		if _, picture := a["content"]; !picture && a["ok"] == nil {
			t.Errorf("%s answers in no form: %.200v", r.tool, a)
		}
	}
	set := must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"12pt"}]}`)
	if set["changed"] == nil || set.num("pagesAfter") == 0 {
		t.Errorf("set_config: %v", set)
	}
}

// Tools are listed within a moment of page load, whatever the book.
func TestToolsAreListedSoonAfterNavigation(t *testing.T) {
	ctx := tab(t, browser.Options{})
	address := server(t)
	sandbox(t, ctx, address, "") // once, so that the compiled modules are cached as for a returning reader
	browser.Open(t, ctx, address+"/en/sandbox")
	ms := browser.Eval[float64](t, ctx, `new Promise((done) => {
		const look = () => window.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_get_state')
			? done(performance.now()) : setTimeout(look, 5);
		look();
	})`)
	t.Logf("tools listed %.0f ms after navigation", ms)
}

func TestCancellingACallLeavesTheBookWhole(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "")
	before := must(t, ctx, "sandbox_get_state", `{}`)
	got := browser.Eval[string](t, ctx, `(async () => {
		const c = new AbortController();
		const p = window.postextWebMcp.executeTool('sandbox_set_config',
			{changes: [{path: 'bodyText.fontSize', value: '13pt'}]}, {signal: c.signal});
		c.abort();
		try { await p; return 'answered'; } catch (e) { return e.name; }
	})()`)
	if got != "AbortError" {
		t.Errorf("an aborted call gave %q", got)
	}
	after := must(t, ctx, "sandbox_get_state", `{}`)
	config := must(t, ctx, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)
	moved := after.num("revision") != before.num("revision")
	set, _ := config["set"].(map[string]any)
	if in := set["value"] == 13.0; in != moved {
		t.Errorf("revision moved: %v, but the change is in: %v", moved, in)
	}
}
