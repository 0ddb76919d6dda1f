package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"postext/e2e/browser"
)

// sandbox.md 10.3: the open book, its text and configuration, and the view.
func TestAReloadKeepsTextConfigurationAndView(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: tap + hands})
	address := server(t)
	sandbox(t, ctx, address, "#preset=book")
	must(t, ctx, "sandbox_manage_chapters", `{"action":"add","position":3,"title":"Third","markdown":"# Third\n\nKept words.\n"}`)
	must(t, ctx, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Paper is a word.","replace":"Papyrus is a word."}]}`)
	must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"9.5pt"}]}`)
	must(t, ctx, "sandbox_manage_chapters", `{"action":"show","chapter":2}`)
	browser.Eval[any](t, ctx, `command('view', {pages: 'spread', fit: 'none', zoom: 0.75, panel: 'design'})`)
	view := func() string {
		v, _ := must(t, ctx, "sandbox_get_state", `{}`)["view"].(map[string]any)
		return fmt.Sprintf("chapter %v pages %v fit %v zoom %v panel %v", v["chapter"], v["pages"], v["fit"], v["zoom"], v["panel"])
	}
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.view.zoom === 0.75)`)
	before := view()
	saved(t, ctx)
	// As another visit would find it: no link, only the address.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address+"/en/sandbox")); err != nil {
		t.Fatal(err)
	}
	ready(t, ctx)
	if got := view(); got != before {
		t.Errorf("the view was %s and is %s", before, got)
	}
	if !strings.Contains(fmt.Sprint(must(t, ctx, "sandbox_read_text", `{"chapter":2}`)["text"]), "Papyrus is a word.") {
		t.Error("the edit is gone")
	}
	if !strings.Contains(fmt.Sprint(must(t, ctx, "sandbox_read_text", `{"chapter":"Third"}`)["text"]), "Kept words.") {
		t.Error("the added chapter is gone")
	}
	if set, _ := must(t, ctx, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)["set"].(map[string]any); set["value"] != 9.5 {
		t.Errorf("the setting is gone: %v", set)
	}
	state := must(t, ctx, "sandbox_get_state", `{}`)
	if b, _ := state["book"].(map[string]any); b["id"] != "book" || b["edited"] != true {
		t.Errorf("the book open after the visit: %v", b)
	}
}

// A link to the open book keeps its edits; a link to another book opens that one
// and the first is still edited when one comes back.
func TestEachBookKeepsItsOwnEdits(t *testing.T) {
	ctx := tab(t, browser.Options{})
	address := server(t)
	sandbox(t, ctx, address, "#preset=book")
	must(t, ctx, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Paper is a word.","replace":"Papyrus is a word."}]}`)
	// The other book by its link, in place: what is open is saved first.
	browser.Eval[any](t, ctx, `(location.hash = '#preset=postext-guide', null)`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.book.id === 'postext-guide')`)
	browser.Eval[any](t, ctx, `(location.hash = '#preset=book', null)`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.book.id === 'book')`)
	if !strings.Contains(fmt.Sprint(must(t, ctx, "sandbox_read_text", `{"chapter":2}`)["text"]), "Papyrus is a word.") {
		t.Error("the edit is gone")
	}
}

// sandbox.md 10.2: a change is saved by itself, and when the page is hidden; what
// is said to be saved is found by another page. The figures are reported.
func TestAutosaveAndHiding(t *testing.T) {
	ctx := tab(t, browser.Options{})
	address := server(t)
	sandbox(t, ctx, address, "#preset=book")
	saved(t, ctx)
	ms := browser.Eval[[]float64](t, ctx, `(async () => {
		const call = (n, a) => postextWebMcp.executeTool(n, a);
		const done = async () => { const start = performance.now(); while (!(await call('sandbox_get_state', {})).saved) await new Promise((f) => setTimeout(f, 10)); return performance.now() - start; };
		await call('sandbox_set_config', {changes: [{path: 'bodyText.fontSize', value: '9pt'}]});
		const first = await done();
		await call('sandbox_set_config', {changes: [{path: 'bodyText.fontSize', value: '9.25pt'}], wait: false});
		Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => 'hidden'});
		document.dispatchEvent(new Event('visibilitychange'));
		const hidden = await done();
		delete document.visibilityState;
		return [first, hidden];
	})()`)
	t.Logf("saved %.0f ms after the change's answer; %.0f ms after hiding", ms[0], ms[1])
	// What is said to be saved is there without the page that said so.
	other := browser.Tab(t, ctx)
	sandbox(t, other, address, "#preset=book")
	if set := fmt.Sprint(must(t, other, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)["set"]); !strings.Contains(set, "9.25") {
		t.Errorf("saved, and another page finds %s", set)
	}
}

// What was typed right before the page is left is there at the next visit.
func TestLeavingThePageSaves(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: hands})
	address := server(t)
	sandbox(t, ctx, address, "#preset=book")
	until(t, ctx, `/smallest thing a reader sees/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	m := mouse{t, ctx, false}
	m.press(chapterText)
	m.write("Typed at the last moment. ")
	until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {chapter: 1}).then((a) => a.text.includes('Typed at the last moment.'))`)
	if err := chromedp.Do(ctx, chromedp.Navigate(address+"/en/")); err != nil {
		t.Fatal(err)
	}
	sandbox(t, ctx, address, "#preset=book")
	// The window hands over what the worker had no time to save once the editor is there.
	until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {chapter: 1}).then((a) => a.text.includes('Typed at the last moment.'))`)
}

// An answered change outlives the page that is left a moment after.
func TestAnAnsweredEditOutlivesAReload(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: tap + hands})
	sandbox(t, ctx, server(t), "#preset=book")
	must(t, ctx, "sandbox_write_text", `{"chapter":2,"markdown":"# Fresh\n\nHardly written, already left.\n"}`)
	time.Sleep(250 * time.Millisecond) // the second of the autosave has not passed
	if err := chromedp.Do(ctx, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	ready(t, ctx)
	if !strings.Contains(fmt.Sprint(must(t, ctx, "sandbox_read_text", `{"chapter":2}`)["text"]), "already left") {
		t.Error("the edit is gone")
	}
}

// A panel opened while the typesetter is loading stays open, and the state tells it.
func TestAPanelOpenedEarlyStaysOpen(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: tap + hands + `
		const early = setInterval(() => {
			const b = [...document.querySelectorAll('button.activity')].find((b) => b.textContent === 'Design');
			if (!b) return;
			clearInterval(early);
			window.early = !window.postextWebMcp;
			b.click();
		}, 5);`})
	sandbox(t, ctx, server(t), "#preset=book")
	if !browser.Eval[bool](t, ctx, `window.early`) {
		t.Log("the tools were there first")
	}
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.view.panel === 'design')`)
	if !browser.Eval[bool](t, ctx, `[...document.querySelectorAll('button.activity')].find((b) => b.textContent === 'Design').ariaPressed === 'true'`) {
		t.Error("the panel is closed again")
	}
}

// A chapter has at most 16 MB: what would make it longer is not taken into the editor,
// a message says what to do, and typing goes on.
func TestTextThatAChapterCannotHoldIsNotTaken(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: hands})
	sandbox(t, ctx, server(t), "")
	must(t, ctx, "sandbox_save_book", `{"action":"new_blank","name":"Long"}`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.book.kind === 'project')`)
	browser.Eval[any](t, ctx, `(() => { const b = hands.named('button', 'Text'); if (b.ariaPressed !== 'true') b.click(); return null; })()`)
	until(t, ctx, `[...hands.all()].some((x) => x.classList?.contains('cm-content'))`)
	browser.Eval[any](t, ctx, `(() => {
		window.content = [...hands.all()].find((x) => x.classList?.contains('cm-content'));
		content.focus();
		const data = new DataTransfer();
		data.setData('text/plain', ('All of it is one long chapter. '.repeat(30) + '\n').repeat(20000));
		content.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
		return null;
	})()`)
	until(t, ctx, `document.querySelector('.status').textContent.includes('A chapter may have 16 MB')`)
	browser.Eval[any](t, ctx, `(content.focus(), document.execCommand('insertText', false, 'Short.'), null)`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {numbers: false}).then((a) => a.ok && a.text.trim() === 'Short.')`)
	saved(t, ctx)
}
