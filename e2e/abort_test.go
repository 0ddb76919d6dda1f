package e2e

import (
	"testing"

	"postext/e2e/browser"
)

// manyPages begins a book of some three hundred pages in thirty chapters.
const manyPages = `(async () => {
	const tool = async (name, args) => { const a = await postextWebMcp.executeTool(name, args); if (!a.ok) throw new Error(name + ': ' + a.error); return a; };
	const words = 'The tide clerk counts the boats that come in before the bell, and writes their names in a column of their own. '.repeat(8);
	const text = (n) => '# Chapter ' + n + '\n\n' + Array.from({length: 45}, (_, i) => (i + 1) + '. ' + words).join('\n\n');
	await tool('sandbox_save_book', {action: 'new_blank', name: 'Three hundred pages'});
	await tool('sandbox_write_text', {markdown: text(1), wait: false});
	for (let n = 2; n <= 30; n++) await tool('sandbox_manage_chapters', {action: 'add', markdown: text(n), position: n, wait: false});
	return true;
})()`

// A long change shows its progress in the status bar and is broken off by the call's
// signal: the change is whole, the revision tells that it is in, and the next call is
// about the same book and works (tools.md 1).
func TestALongChangeShowsItsProgressAndIsBrokenOff(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "")
	browser.Eval[bool](t, ctx, manyPages)
	if n := pages(t, ctx); n < 250 {
		t.Fatalf("%v pages", n)
	}
	before := must(t, ctx, "sandbox_get_state", `{}`)
	outcome := browser.Eval[map[string]any](t, ctx, `(async () => {
		const call = new AbortController();
		const bar = document.querySelector('.status .progress');
		let shown = 0;
		const look = setInterval(() => { if (!bar.hidden && ++shown === 3) call.abort(); }, 5);
		const outcome = await postextWebMcp.executeTool('sandbox_set_config', {changes: [{path: 'bodyText.fontSize', value: '12pt'}]}, {signal: call.signal})
			.then((a) => JSON.stringify(a), (e) => e.name);
		clearInterval(look);
		const next = await postextWebMcp.executeTool('sandbox_inspect_pages', {chapter: 30});
		const size = await postextWebMcp.executeTool('sandbox_get_config', {path: 'bodyText.fontSize'});
		return {shown, outcome, ok: next.ok, error: next.error ?? '', pages: next.chapterPages ?? 0, revision: next.revision ?? 0, set: size.set ? size.set.value : null};
	})()`)
	if outcome["shown"].(float64) < 3 || outcome["outcome"] != "AbortError" {
		t.Errorf("the progress was seen %v times, and the call came to %v", outcome["shown"], outcome["outcome"])
	}
	if outcome["ok"] != true || outcome["revision"] != before.num("revision")+1 || outcome["set"] != 12.0 {
		t.Errorf("after the abort: %v, at revision %v before", outcome, before.num("revision"))
	}
	if n := pages(t, ctx); n <= before.num("pages") {
		t.Errorf("%v pages in the larger type, %v before", n, before.num("pages"))
	}
}

// A chapter whose text nests deeper than a stack is high is shown in the editor,
// edited and left like any other.
func TestTheEditorShowsWhatNestsDeeply(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: `
		window.faults = [];
		addEventListener('error', (e) => faults.push(String(e.message)));
		const said = console.error; console.error = (...a) => { faults.push(a.map(String).join(' ')); said(...a); };`})
	sandbox(t, ctx, server(t), "")
	for name, text := range map[string]string{
		"quotes":   `'>'.repeat(5000) + ' deep\n'`,
		"lists":    `'- '.repeat(5000) + 'deep\n'`,
		"numbers":  `'1. '.repeat(5000) + 'deep\n'`,
		"emphasis": `Array.from({length: 5000}, (_, i) => i < 2500 ? '*a' : 'b*').join('\n') + ' deep\n'`,
		"pictures": `Array.from({length: 4000}, () => '![').join('\n') + 'deep' + '](x)'.repeat(4000)`,
	} {
		browser.Eval[bool](t, ctx, `postextWebMcp.executeTool('sandbox_write_text', {chapter: 1, markdown: `+text+`}).then((a) => { if (!a.ok) throw new Error(a.error); return true; })`)
		must(t, ctx, "sandbox_select_text", `{"chapter":1,"text":"deep"}`)
		until(t, ctx, `[...document.querySelectorAll('*')].some((e) => e.shadowRoot?.querySelector('.cm-content')?.textContent.includes('deep'))`)
		if faults := browser.Eval[[]string](t, ctx, `window.faults.splice(0)`); len(faults) > 0 {
			t.Errorf("%s: %.300v", name, faults)
		}
	}
}
