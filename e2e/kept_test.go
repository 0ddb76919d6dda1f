package e2e

import (
	"context"
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

// atWork opens the small book with scripts before the page's own, and sets the caret
// into its first chapter.
func atWork(t *testing.T, scripts string) (ctx context.Context, address string, m mouse) {
	t.Helper()
	ctx = tab(t, browser.Options{BeforeScripts: tap + scripts + hands})
	screens[0].use(t, ctx)
	address = server(t)
	sandbox(t, ctx, address, "#preset=book")
	pages(t, ctx)
	until(t, ctx, `/smallest thing a reader sees/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	m = mouse{t, ctx, false}
	m.press(chapterText)
	return ctx, address, m
}

// What was typed last and noted down by a page that goes is put over what a tool
// changed at the same moment, not in its place.
func TestWhatWasTypedLastLeavesAToolsEditStanding(t *testing.T) {
	// The window does not hear of the tool's edit before it goes.
	const deaf = `{ const Heard = window.Worker; window.Worker = class extends Heard {
		constructor(...a) { super(...a); this.addEventListener('message', (e) => { if (window.deaf && e.data.t === 'text') e.stopImmediatePropagation(); }); }
	}; }`
	ctx, address, m := atWork(t, deaf)
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

// What was typed and taken by a typesetter that never came to save it is noted down by
// the page that goes: also when it has not heard of its being unsaved, and when another
// chapter has been shown since.
func TestWhatTheTypesetterTookAndDidNotSaveIsPutBack(t *testing.T) {
	// From `late` on the window hears of no state, and the page that goes gives the
	// typesetter no time.
	const late = `{ const Heard = window.Worker; window.Worker = class extends Heard {
		constructor(...a) { super(...a); this.addEventListener('message', (e) => { if (window.late && e.data.t === 'state') e.stopImmediatePropagation(); }); }
	}; addEventListener('beforeunload', () => window.worker?.()?.terminate()); }`
	for _, c := range []struct {
		name  string
		late  bool
		leave string
	}{
		{"the state comes late", true, ""},
		{"another chapter is shown", false, "Next chapter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, address, m := atWork(t, late)
			m.write("Curlews. ")
			saved(t, ctx)
			if c.late {
				browser.Eval[any](t, ctx, `(window.late = true, null)`)
			}
			m.write("Godwits. ")
			if c.leave != "" {
				m.press(control{"button", c.leave, ""})
			}
			until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {chapter: 1, numbers: false}).then((a) => a.text?.includes('Godwits. '))`)
			browser.Open(t, ctx, "about:blank")
			sandbox(t, ctx, address, "#preset=book")
			until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {chapter: 1, numbers: false}).then((a) => a.text?.includes('Curlews. Godwits. '))`)
		})
	}
}

// A page that goes to another process may write its note a second time when the next
// page has read the first: it is not put over what was written since. A note that was
// not read before is put over what another visit wrote, not in its place.
func TestANoteIsPutBackOnce(t *testing.T) {
	const copies = `{ const set = Storage.prototype.setItem;
		Storage.prototype.setItem = function (k, v) { set.call(this, k, v); if (k.includes('unsaved-')) set.call(this, 'copy', JSON.stringify([k, v])); };
		addEventListener('beforeunload', () => window.worker?.()?.terminate()); }`
	ctx, address, m := atWork(t, copies)
	m.write("Curlews. ")
	again := func() {
		browser.Open(t, ctx, "about:blank")
		sandbox(t, ctx, address, "#preset=book")
		ready(t, ctx)
	}
	again()
	until(t, ctx, `/Curlews/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	must(t, ctx, "sandbox_write_text", `{"chapter":1,"markdown":"# Later\n\nThe later write wins.\n"}`)
	saved(t, ctx)
	if !browser.Eval[bool](t, ctx, `(() => { const [k, v] = JSON.parse(localStorage.copy); localStorage.setItem(k, v); return v.includes('Curlews'); })()`) {
		t.Fatal("what was typed was not noted down")
	}
	again()
	if text := must(t, ctx, "sandbox_read_text", `{"chapter":1,"numbers":false}`)["text"]; text != "# Later\n\nThe later write wins.\n" {
		t.Errorf("a note is put back a second time: %.200q", text)
	}
	browser.Eval[any](t, ctx, `(localStorage.setItem('postext-sandbox-unsaved-other', JSON.parse(localStorage.copy)[1]), null)`)
	again()
	text, _ := must(t, ctx, "sandbox_read_text", `{"chapter":1,"numbers":false}`)["text"].(string)
	if !strings.Contains(text, "The later write wins.") || !strings.Contains(text, "Curlews.") {
		t.Errorf("of a note and what another visit wrote there is %.300q", text)
	}
}
