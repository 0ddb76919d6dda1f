package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"postext/book/booktest"
	"postext/e2e/browser"
)

// longBook writes a book of 500 chapters and 1.5 million words made of the corpus.
func longBook(b testing.TB) string {
	b.Helper()
	texts := booktest.Long(b)
	dir := filepath.Join(b.TempDir(), "long")
	if err := os.Mkdir(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	for i, text := range texts {
		writeFile(b, filepath.Join(dir, fmt.Sprintf("%03d.md", i+1)), text)
	}
	return dir
}

// watching tells how long the window's thread was held while something ran: the
// longest task, and how many lasted more than 50 ms.
const watching = `
window.held = [];
new PerformanceObserver((l) => { for (const e of l.getEntries()) held.push([e.startTime, e.duration]); }).observe({type: 'longtask', buffered: true});
window.watched = async (run) => {
	await new Promise((done) => setTimeout(done, 200));
	const start = performance.now();
	const value = await run();
	const end = performance.now();
	await new Promise((done) => setTimeout(done, 200));
	const mine = held.filter(([at, d]) => at + d > start && at < end + 150).map(([, d]) => d);
	return {ms: end - start, longest: Math.max(0, ...mine), blocked: mine.length, value: value ?? null};
};
window.tool = async (name, args) => { const a = await postextWebMcp.executeTool(name, args); if (!a.ok && !a.content) throw new Error(name + ': ' + a.error); return a; };
window.when = async (test) => { for (let i = 0; ; i++) { if (await test()) return; if (i > 6000) throw new Error('never ' + test); await new Promise((done) => setTimeout(done, 20)); } };
// Asked seldom: an answer that lists 500 chapters is work for the window too.
window.laid = async () => {
	await new Promise((done) => setTimeout(done, 500));
	for (;;) {
		await when(() => document.querySelector('.status .progress').hidden);
		const s = await tool('sandbox_get_state', {});
		if (s.ready && s.pages !== null && !s.setting) return;
		await new Promise((done) => setTimeout(done, 1000));
	}
};
window.painted = () => when(() => [...document.querySelectorAll('canvas')].some((c) => c.width > 1));
`

type watched struct{ MS, Longest, Blocked float64 }

// BenchmarkALongBook works a book of 500 chapters and 1.5 million words in the
// browser: it is opened, copied, searched, edited, saved, looked through and opened
// again; each tells the longest time the window's thread was held.
func BenchmarkALongBook(b *testing.B) {
	address := server(b, longBook(b))
	ctx := browser.New(b, browser.Options{Timeout: 15 * time.Minute, BeforeScripts: hands + watching, Flags: []string{"enable-blink-features=ComputedAccessibilityInfo"}})
	step := func(name, run string) watched {
		var w watched
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w = browser.Eval[watched](b, ctx, `watched(async () => {`+run+`})`)
			}
			b.ReportMetric(w.MS, "ms")
			b.ReportMetric(w.Longest, "longest-task-ms")
			b.ReportMetric(w.Blocked, "tasks>50ms")
			b.ReportMetric(0, "ns/op")
		})
		return w
	}
	browser.Open(b, ctx, address+"/en/sandbox#preset=long")
	ready(b, ctx)
	step("first pages after ready", `await painted();`)
	step("the whole book set", `await laid();`)
	step("copied as an own book", `await tool('sandbox_save_book', {action: 'copy_current'}); await painted();`)
	step("the copy set", `await laid();`)
	step("searched", `await tool('sandbox_search_text', {query: 'the whale ' + Math.random().toString().slice(2, 4), limit: 50});`)
	step("searched again", `await tool('sandbox_search_text', {query: 'harpoon', limit: 50});`)
	step("edited in chapter 3 by a tool", `await tool('sandbox_edit_text', {chapter: 3, edits: [{find: '# Chapter the 3', replace: '# Chapter the 3'}]}); await tool('sandbox_write_text', {chapter: 3, markdown: (await tool('sandbox_read_text', {chapter: 3, numbers: false})).text + '\n\nA line more ' + Math.random() + '.\n'});`)
	step("a chapter added at the end", `await tool('sandbox_manage_chapters', {action: 'add', title: 'One more', position: 999, markdown: '# One more ' + Math.random() + '\n\n' + 'A few words of it. '.repeat(600)});`)
	step("and one more", `await tool('sandbox_manage_chapters', {action: 'add', title: 'One more still', position: 999, markdown: '# One more ' + Math.random() + '\n\n' + 'A few words of it. '.repeat(600)});`)
	step("saved", `await when(() => document.querySelector('.saved').textContent === 'Saved');`)
	browser.Eval[any](b, ctx, `(async () => {
		hands.named('button', 'Text').ariaPressed === 'true' || hands.named('button', 'Text').click();
		await when(() => [...hands.all()].some((x) => x.classList?.contains('cm-content')));
		window.content = [...hands.all()].find((x) => x.classList?.contains('cm-content'));
		window.chaptersButton = hands.named('button', 'Chapters');
		return null;
	})()`)
	step("typed in the editor", `
		content.focus();
		for (let i = 0; i < 20; i++) { document.execCommand('insertText', false, 'x'); await new Promise((done) => setTimeout(done, 60)); }
		await laid();`)
	step("the chapters' panel", `chaptersButton.click(); await when(() => document.querySelectorAll('.chapter').length >= 500);`)
	step("another chapter", `await tool('sandbox_manage_chapters', {action: 'show', chapter: 400}); await painted();`)
	step("the switcher opened", `const s = document.querySelector('.viewport .chapter-menu') ?? document.querySelector('.chapter-menu'); s.click(); await when(() => document.querySelector('[role=dialog]') !== null); s.click();`)
	step("a setting changed", `await tool('sandbox_set_config', {changes: [{path: 'bodyText.firstLineIndent', value: Math.random() < 0.5 ? '5mm' : '6mm'}], wait: false}); await laid();`)
	saved(b, ctx)
	time.Sleep(3 * time.Second)

	var known, first, all []float64
	b.Run("opened again", func(b *testing.B) {
		for b.Loop() {
			address := browser.Eval[string](b, ctx, `location.href`)
			browser.Open(b, ctx, "about:blank")
			browser.Open(b, ctx, address)
			r := browser.Eval[[3]float64](b, ctx, `(async () => {
				await when(async () => { const s = await window.postextWebMcp?.executeTool('sandbox_get_state', {}); return s?.ready && s.pages !== null; });
				const known = performance.now();
				await painted();
				const first = performance.now();
				await laid();
				return [known, first, performance.now()];
			})()`)
			known, first, all = append(known, r[0]), append(first, r[1]), append(all, r[2])
		}
		b.ReportMetric(median(known), "page-numbers-ms")
		b.ReportMetric(median(first), "reader's-page-ms")
		b.ReportMetric(median(all), "whole-book-ms")
		b.ReportMetric(0, "ns/op")
	})
}
