package e2e

import (
	"strings"
	"testing"

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
