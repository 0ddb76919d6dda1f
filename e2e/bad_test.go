package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"postext/book/booktest/tree"
	"postext/e2e/browser"
)

// Each bad call gets an answer in its form, and the next call works.
func TestBadCallsAreAnsweredAndTheNextOneWorks(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "")
	revision := must(t, ctx, "sandbox_get_state", `{}`).num("revision")

	refusals := []struct{ name, js, says string }{
		{"unknown tool", `executeTool('sandbox_rendr_page', {})`, "sandbox_render_page"},
		{"no name", `executeTool()`, ""},
		{"unknown parameter", `executeTool('sandbox_render_page', {chapter: 1, widht: 300})`, "width"},
		{"several faults at once", `executeTool('sandbox_render_page', {widht: 300, count: 99, format: 'bmp'})`, "format"},
		{"wrong type", `executeTool('sandbox_render_page', {width: 'wide'})`, "width"},
		{"an array", `executeTool('sandbox_get_state', [])`, ""},
		{"a text for arguments", `executeTool('sandbox_read_text', 'chapter 1')`, ""},
		{"a cyclic object", `(() => { const a = {}; a.a = a; return executeTool('sandbox_read_text', a); })()`, ""},
		{"a BigInt", `executeTool('sandbox_read_text', {chapter: 1n})`, ""},
		{"a huge number", `executeTool('sandbox_read_text', {chapter: 1e300})`, ""},
		{"deep nesting", `executeTool('sandbox_set_config', {patch: JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000))})`, ""},
		{"page out of range", `executeTool('sandbox_render_page', {chapter: 1, page: 9999})`, ""},
		{"position out of range", `executeTool('sandbox_render_page', {chapter: 1, position: 9999})`, ""},
		{"page and position", `executeTool('sandbox_render_page', {chapter: 1, position: 1, page: 1})`, "position"},
		{"no such chapter", `executeTool('sandbox_read_text', {chapter: 'Atlantis'})`, "A first look"},
		{"chapter out of range", `executeTool('sandbox_read_text', {chapter: 77})`, "77"},
		{"1,000 edits", `executeTool('sandbox_edit_text', {chapter: 1, edits: Array.from({length: 1000}, () => ({find: 'a', replace: 'b'}))})`, "200"},
		{"no edits", `executeTool('sandbox_edit_text', {chapter: 1, edits: []})`, ""},
		{"a passage that is not there", `executeTool('sandbox_edit_text', {chapter: 1, edits: [{find: 'the lamp  stood', replace: 'x'}]})`, "lamp"},
		{"a passage that occurs twice", `executeTool('sandbox_edit_text', {chapter: 1, edits: [{find: 'page', replace: 'x'}]})`, ""},
		{"one good edit and one bad", `executeTool('sandbox_edit_text', {chapter: 1, edits: [{find: 'the lamp stood', replace: 'y'}, {find: 'zzzz', replace: 'x'}]})`, "edits[1]"},
		{"a bad regular expression", `executeTool('sandbox_search_text', {query: '(', regex: true})`, ""},
		{"a wrong length", `executeTool('sandbox_set_config', {changes: [{path: 'bodyText.fontSize', value: '11 bananas'}]})`, "bodyText.fontSize is a length"},
		{"an unknown path", `executeTool('sandbox_set_config', {changes: [{path: 'bodyText.fontsize', value: '11pt'}]})`, "bodyText.fontSize"},
		{"one good change and one bad", `executeTool('sandbox_set_config', {changes: [{path: 'bodyText.fontSize', value: '13pt'}, {path: 'page.width', value: 'wide'}]})`, "page.width"},
		{"changes and patch", `executeTool('sandbox_set_config', {changes: [], patch: {}})`, "patch"},
		{"an unknown action", `executeTool('sandbox_manage_chapters', {action: 'explode'})`, "add"},
		{"a 17 MB text", `executeTool('sandbox_write_text', {chapter: 1, markdown: 'a'.repeat(17e6)})`, "16"},
		{"an ftp file", `executeTool('sandbox_write_text', {chapter: 1, file: {url: 'ftp://example.org/a.md'}})`, "data:"},
	}
	for _, r := range refusals {
		a := browser.Eval[answer](t, ctx, strings.Replace(r.js, "executeTool", "window.postextWebMcp.executeTool", 1))
		if a["ok"] != false || a.error() == "" {
			t.Errorf("%s: not refused in words: %.300v", r.name, a)
		} else if !strings.Contains(a.error(), r.says) {
			t.Errorf("%s: the error does not mention %q: %s", r.name, r.says, a.error())
		} else if strings.Contains(a.error(), "internal error") {
			t.Errorf("%s: %s", r.name, a.error())
		}
		next := must(t, ctx, "sandbox_get_state", `{}`)
		if next.num("revision") != revision {
			t.Errorf("%s: the refused call changed the book", r.name)
			revision = next.num("revision")
		}
	}
}

// longTasks notes the tasks of the window's thread that took over 50 ms:
// [start, duration].
const longTasks = `
	window.longTasks = [];
	new PerformanceObserver((l) => { for (const e of l.getEntries()) longTasks.push([Math.round(e.startTime), Math.round(e.duration)]); })
		.observe({type: 'longtask', buffered: true});`

// Hostile text is set, not refused: the page lives on and every call is answered.
func TestHostileTextIsSet(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: longTasks})
	sandbox(t, ctx, server(t), "")
	texts := []struct{ name, js string }{
		{"5 MB of words", `'lorem ipsum dolor sit amet '.repeat(190000)`},
		{"one word of a million letters", `'a'.repeat(1e6)`},
		{"NUL bytes", `'a\u0000b\u0000\u0000c'`},
		{"lone surrogates", `'a\ud800b\udc00c \ud83d'`},
		{"unclosed everything", "'---\\ntitle: [\\n# *a **b `c $d [e](f ![g <h> ::: \\n:::callout{\\n```\\n$$\\n> - 1. [^x]: \\n'.repeat(200)"},
		{"deep quotes", `'>'.repeat(20000) + ' a'`},
		{"deep lists", `Array.from({length: 3000}, (_, i) => ' '.repeat(2 * (i % 1000)) + '- a').join('\n')`},
		{"open brackets", `'['.repeat(50000)`},
		{"asterisks", `'*a_'.repeat(50000)`},
		{"only front matter", `'---\ntitle: x\n---\n'`},
		{"nothing", `''`},
	}
	for _, x := range texts {
		start := time.Now()
		a := browser.Eval[answer](t, ctx, fmt.Sprintf(`window.postextWebMcp.executeTool('sandbox_write_text', {chapter: 1, markdown: %s})`, x.js))
		if !a.ok() {
			t.Errorf("%s: %.300v", x.name, a)
		}
		if p := call(t, ctx, "sandbox_render_page", `{"chapter":1,"position":1,"width":200}`); p["content"] == nil {
			t.Errorf("%s: no picture afterwards: %.300v", x.name, p)
		}
		if s := must(t, ctx, "sandbox_get_state", `{}`); s["ready"] != true {
			t.Errorf("%s: not ready afterwards: %.300v", x.name, s)
		}
		longest := browser.Eval[float64](t, ctx, `Math.max(0, ...longTasks.splice(0).map(([, d]) => d))`)
		t.Logf("%s: %d ms; the window's longest task %.0f ms", x.name, time.Since(start).Milliseconds(), longest)
	}
	read := must(t, ctx, "sandbox_read_text", `{"chapter":2,"fromLine":1,"toLine":1}`)
	if !strings.Contains(read["text"].(string), "# Writing") {
		t.Errorf("another chapter suffered: %v", read["text"])
	}
}

// While a book of 300 pages is laid out, the window's thread is never blocked
// for long. The figure is reported, not asserted.
func TestTheWindowStaysFreeWhileALongBookIsLaidOut(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: longTasks})
	tree.Corpus(t, "moby-dick")
	address := server(t)
	browser.Open(t, ctx, address+"/en/sandbox#preset=moby-dick")
	listed := browser.Eval[float64](t, ctx, `new Promise((done) => {
		const look = () => window.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_get_state')
			? done(performance.now()) : setTimeout(look, 10);
		look();
	})`)
	ready(t, ctx)
	n := pages(t, ctx)
	if n < 300 {
		t.Fatalf("only %v pages", n)
	}
	if err := chromedp.Do(ctx, chromedp.Sleep(500*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	tasks := browser.Eval[[][2]float64](t, ctx, `longTasks`)
	var during, start [][2]float64
	for _, task := range tasks {
		if task[0] > listed {
			during = append(during, task)
		} else {
			start = append(start, task)
		}
	}
	t.Logf("tools listed at %.0f ms; long tasks [start, ms] before that: %v; after, over %v pages: %v", listed, start, n, during)
}
