package e2e

import (
	"strings"
	"testing"

	"postext/e2e/browser"
)

// The worker dies while calls are under way: they are answered, the page says
// so, another worker starts from what is stored, and the next call works.
func TestWhenTheWorkerDiesTheCallsAreAnsweredAndTheNextOneWorks(t *testing.T) {
	for _, way := range []struct{ name, kill string }{
		{"ended from outside", `worker().terminate()`},
		{"a panic of the program", `worker().postMessage({t: 'call', id: 'no number', name: 'x', args: '{}'})`},
		{"an error that nobody caught", `worker().dispatchEvent(new ErrorEvent('error', {message: 'out of memory', cancelable: true}))`},
	} {
		t.Run(way.name, func(t *testing.T) {
			ctx := tab(t, browser.Options{BeforeScripts: tap + hands})
			sandbox(t, ctx, server(t), "#preset=book")
			must(t, ctx, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"A page is the smallest thing a reader sees whole.","replace":"Quokkas outlive their workers."}]}`)
			must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"10.75pt"}]}`)
			saved(t, ctx)
			browser.Eval[any](t, ctx, `(() => {
				window.said = [];
				new MutationObserver(() => { for (const e of document.querySelectorAll('[role=status]')) if (e.textContent && !said.includes(e.textContent)) said.push(e.textContent); })
					.observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
				return null;
			})()`)
			got := browser.Eval[[]answer](t, ctx, `(async () => {
				const call = (n, a) => postextWebMcp.executeTool(n, a);
				const under = [call('sandbox_render_page', {count: 2, width: 3000}), call('sandbox_render_page', {width: 3000, format: 'jpeg'}),
					call('sandbox_set_config', {changes: [{path: 'bodyText.fontSize', value: '12pt'}]}), call('sandbox_search_text', {query: 'e', pages: true})];
				await 0;
				`+way.kill+`;
				return Promise.all(under.map((p) => Promise.race([p, new Promise((f) => setTimeout(() => f({hangs: true}), 20000))])));
			})()`)
			refused := 0
			for i, a := range got {
				_, picture := a["content"]
				if a["hangs"] == true || !picture && a["ok"] == nil {
					t.Errorf("call %d got no answer: %v", i, a)
				}
				if a["ok"] == false {
					refused++
				}
			}
			if refused == 0 {
				t.Errorf("no call was under way when the worker died: %.300v", got)
			}
			ready(t, ctx)
			if n := browser.Eval[float64](t, ctx, `workers.length`); n != 2 {
				t.Errorf("%v workers were started", n)
			}
			if !browser.Eval[bool](t, ctx, `said.some((s) => /stopped/i.test(s))`) {
				t.Errorf("the page said nothing of it: %q", browser.Eval[[]string](t, ctx, `said`))
			}
			text, _ := must(t, ctx, "sandbox_read_text", `{"chapter":1,"numbers":false}`)["text"].(string)
			if !strings.Contains(text, "Quokkas outlive their workers.") {
				t.Error("the saved edit is gone")
			}
			config := must(t, ctx, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)
			if set, _ := config["set"].(map[string]any); set["value"] != 10.75 && set["value"] != 12.0 {
				t.Errorf("the saved setting is gone: %v", config["set"])
			}
			must(t, ctx, "sandbox_render_page", `{"chapter":1,"position":1,"width":300}`)
			// The interface goes on too: its text is that of the new worker.
			until(t, ctx, `/Quokkas outlive/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
		})
	}
}

// What was typed and had not reached the store when the worker died is given to
// the next one, with what is typed meanwhile; the revision goes on.
func TestWhatWasTypedOutlivesTheWorker(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: tap + hands})
	screens[0].use(t, ctx)
	sandbox(t, ctx, server(t), "#preset=book")
	pages(t, ctx)
	until(t, ctx, `/smallest thing a reader sees/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	before := must(t, ctx, "sandbox_get_state", `{}`).num("revision")
	m := mouse{t, ctx, false}
	m.press(chapterText)
	m.write("Ibises wrote this before. ")
	browser.Eval[any](t, ctx, `(worker().terminate(), null)`)
	m.write("Ibises wrote this after. ")
	until(t, ctx, `workers.length === 2 && postextWebMcp.executeTool('sandbox_read_text', {numbers: false}).then((a) => a.ok && a.text.includes('Ibises wrote this before. Ibises wrote this after.'))`)
	until(t, ctx, `hands.named('textbox', 'Chapter text')?.textContent.includes('Ibises wrote this before. Ibises wrote this after.')`)
	saved(t, ctx)
	if after := must(t, ctx, "sandbox_get_state", `{}`).num("revision"); after <= before {
		t.Errorf("the revision was %v, and is %v with the next worker", before, after)
	}
}
