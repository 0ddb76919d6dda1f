package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"postext/e2e/browser"
)

// What a tool answered is in storage, whatever becomes of the worker in the next
// moment.
func TestWhatIsAnsweredOutlivesTheWorker(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: tap + hands})
	sandbox(t, ctx, server(t), "#preset=book")
	got := browser.Eval[map[string]any](t, ctx, `(async () => {
		const before = (await postextWebMcp.executeTool('sandbox_read_text', {chapter: 1, numbers: false})).text;
		for (let i = 0; i < 5; i++) {
			const a = await postextWebMcp.executeTool('sandbox_write_text', {chapter: 1, markdown: before + '\n\nAnswered ' + i + '.\n', wait: i % 2 === 0});
			if (!a.ok || a.saved !== true) return a;
		}
		worker().terminate();
		return {ok: true};
	})()`)
	if got["ok"] != true {
		t.Fatalf("%v", got)
	}
	until(t, ctx, `workers.length === 2`)
	ready(t, ctx)
	if text, _ := must(t, ctx, "sandbox_read_text", `{"chapter":1,"numbers":false}`)["text"].(string); !strings.Contains(text, "Answered 4.") {
		t.Errorf("the answered change is gone: %.300q", text)
	}
}

// What was typed last and noted down by a page that goes is put over what a tool
// changed at the same moment, not in its place.
func TestWhatWasTypedLastLeavesAToolsEditStanding(t *testing.T) {
	// The window does not hear of the tool's edit before it goes.
	const deaf = `{ const Heard = window.Worker; window.Worker = class extends Heard {
		constructor(...a) { super(...a); this.addEventListener('message', (e) => { if (window.deaf && e.data.t === 'text') e.stopImmediatePropagation(); }); }
	}; }`
	ctx := tab(t, browser.Options{BeforeScripts: tap + deaf + hands})
	screens[0].use(t, ctx)
	address := server(t)
	sandbox(t, ctx, address, "#preset=book")
	pages(t, ctx)
	until(t, ctx, `/smallest thing a reader sees/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	m := mouse{t, ctx, false}
	m.press(chapterText)
	m.write("Curlews were typed. ")
	saved(t, ctx)
	browser.Eval[any](t, ctx, `(window.deaf = true, null)`)
	must(t, ctx, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"A page is the smallest thing a reader sees whole.","replace":"A page is what a tool says it is."}]}`)
	m.write("Godwits came last. ")
	browser.Open(t, ctx, "about:blank")
	sandbox(t, ctx, address, "#preset=book")
	const both = `['Curlews were typed. Godwits came last.', 'A page is what a tool says it is.'].every((s) => a.text.includes(s))`
	until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {chapter: 1, numbers: false}).then((a) => a.ok && `+both+`)`)
}

// After a reload no tool answers before what was typed last is in the book again
// (tools.md 1, Before ready): the first reading sees it, the first writing is not
// overwritten by it, and the state says so meanwhile.
func TestAfterAReloadTheFirstCallSeesWhatWasTypedLast(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: tap + hands})
	screens[0].use(t, ctx)
	address := server(t)
	sandbox(t, ctx, address, "#preset=book")
	pages(t, ctx)
	// What the first calls of a visit are answered, asked as soon as the tools are there.
	const first = `(async () => {
		while (!window.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_read_text')) await new Promise((f) => setTimeout(f, 5));
		const call = (n, a) => postextWebMcp.executeTool(n, a);
		const state = call('sandbox_get_state', {}), read = call('sandbox_read_text', {chapter: 1, numbers: false});
		window.firstState = await state;
		window.firstRead = (await read).text;
		if (window.thenWrite) window.written = await call('sandbox_write_text', {chapter: 1, markdown: thenWrite});
		window.firstDone = true;
	})();`
	m := mouse{t, ctx, false}
	for i, pause := range []time.Duration{0, 50, 200, 500} {
		mark := fmt.Sprintf("Ospreys number %d. ", i)
		until(t, ctx, `/smallest thing a reader sees/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
		m.press(chapterText)
		m.write(mark)
		time.Sleep(pause * time.Millisecond)
		browser.Before(t, ctx, first)
		browser.Open(t, ctx, "about:blank")
		sandbox(t, ctx, address, "#preset=book")
		until(t, ctx, `window.firstDone === true`)
		if text := browser.Eval[string](t, ctx, `firstRead`); !strings.Contains(text, mark) {
			t.Errorf("%d ms after typing: the first call of the next visit reads %.120q", pause, text)
		}
		st := browser.Eval[answer](t, ctx, `firstState`)
		if st["ready"] != false || st["waitingFor"] == nil {
			t.Errorf("the state, before anything is put back, is ready %v, waiting for %v", st["ready"], st["waitingFor"])
		}
		until(t, ctx, `hands.named('textbox', 'Chapter text')?.textContent.includes('`+strings.TrimSpace(mark)+`')`)
	}
	m.press(chapterText)
	m.write("Ospreys come last. ")
	browser.Before(t, ctx, `window.thenWrite = '# Later\n\nThe later write wins.\n';`+first)
	browser.Open(t, ctx, "about:blank")
	sandbox(t, ctx, address, "#preset=book")
	until(t, ctx, `window.firstDone === true`)
	if text := browser.Eval[string](t, ctx, `firstRead`); !strings.Contains(text, "Ospreys come last.") {
		t.Errorf("the first call of the next visit reads %.120q", text)
	}
	until(t, ctx, `/The later write wins/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	saved(t, ctx)
	if text := must(t, ctx, "sandbox_read_text", `{"chapter":1,"numbers":false}`)["text"]; text != "# Later\n\nThe later write wins.\n" {
		t.Errorf("something was put over what was written after it: %.200q", text)
	}
}
