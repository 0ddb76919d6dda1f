package e2e

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"postext/book/booktest/tree"
	"postext/e2e/browser"
)

// bench1 is the design of the speed bench (layout.md 16).
const bench1 = `{
	"page": {"sizePreset": "custom", "width": {"value": 6, "unit": "in"}, "height": {"value": 9, "unit": "in"},
		"margins": {"top": {"value": 20, "unit": "mm"}, "bottom": {"value": 25, "unit": "mm"},
			"left": {"value": 20, "unit": "mm"}, "right": {"value": 20, "unit": "mm"}}},
	"layout": {"layoutType": "single"},
	"bodyText": {"fontFamily": "EB Garamond", "fontSize": {"value": 11, "unit": "pt"}, "lineHeight": {"value": 14, "unit": "pt"},
		"firstLineIndent": {"value": 11, "unit": "pt"}, "textAlign": "justify"},
	"headings": {"levels": [{"level": 1, "breakBefore": {"enabled": true, "parity": "any"}}]}
}`

// benchBook is a copy of Moby-Dick with the bench's design; all is false for its
// first 270 pages or so.
func benchBook(b testing.TB, name string, all bool) string {
	b.Helper()
	from := tree.Corpus(b, "moby-dick")
	dir := filepath.Join(b.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		b.Fatal(err)
	}
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	// The copy is as unwritable as the corpus.
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o755)
	})
	if err != nil {
		b.Fatal(err)
	}
	write("postext-config.json", []byte(`{"type": "postext-config", "version": 1, "configVersion": 11, "config": `+bench1+`}`))
	if all {
		return dir
	}
	data, err := os.ReadFile(filepath.Join(dir, "book.json"))
	if err != nil {
		b.Fatal(err)
	}
	var meta map[string]any
	if err := json.Unmarshal(data, &meta); err != nil {
		b.Fatal(err)
	}
	chapters := meta["chapters"].([]any)
	words, keep := 0, 0
	for i, c := range chapters {
		file := c.(map[string]any)["file"].(string)
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			b.Fatal(err)
		}
		if words >= 108_000 {
			if err := os.Remove(filepath.Join(dir, file)); err != nil {
				b.Fatal(err)
			}
			continue
		}
		words += len(strings.Fields(string(text)))
		keep = i + 1
	}
	meta["chapters"] = chapters[:keep]
	if data, err = json.Marshal(meta); err != nil {
		b.Fatal(err)
	}
	write("book.json", data)
	return dir
}

// bench works a worker of the test's own beside the page's idle one, so that
// nothing else asks anything of it.
const bench = `
const states = (w) => { const f = (e) => { if (e.data.t === 'state') { const s = JSON.parse(e.data.json), now = performance.now(); for (const wait of [...w.waits]) if (wait.test(s)) { w.waits.delete(wait); wait.done(now); } } }; w.waits = new Set(); w.addEventListener('message', f); };
const state = (w, test) => new Promise((done) => w.waits.add({test, done}));
window.median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
// Opens a book in a new worker; gives milliseconds and pages.
window.fresh = async (preset) => {
	window.mine?.terminate();
	const w = window.mine = new Worker(workers[0].url), module = workers[0].module;
	states(w);
	const hello = new Promise((done) => { const f = (e) => { if (e.data.t === 'hello') { w.removeEventListener('message', f); done(performance.now()); } }; w.addEventListener('message', f); });
	const start = performance.now();
	w.postMessage({t: 'module', module, lock: 'bench-' + Math.random()});
	const running = await hello;
	const open = state(w, (s) => s.ready), laid = state(w, (s) => s.ready && s.pages !== null);
	w.postMessage({t: 'init', base: location.origin + '/', book: {preset}, language: 'en', storage: false});
	const [opened, done] = await Promise.all([open, laid]);
	const s = await command('sandbox_get_state', {}, w, 'call');
	if (s.book.id !== preset) throw new Error('the book that opened is ' + s.book.id);
	window.chapters = s.chapters;
	return {start: running - start, load: opened - running, layout: done - opened, pages: s.pages};
};
// Types a letter at a fraction of the book and takes it out again, n times; gives
// the median milliseconds to the end of the layout and to the page's picture.
window.typing = async (fraction, n, width) => {
	const w = mine, total = chapters.reduce((sum, c) => sum + c.words, 0);
	let at = 0, chapter = chapters.at(-1);
	for (const c of chapters) { if (at + c.words > fraction * total) { chapter = c; break; } at += c.words; }
	const {text} = await command('text', {chapter: chapter.id}, w);
	// In the middle of a word of a paragraph, at the chapter's own fraction.
	const inside = fraction === 0 ? 0.02 : fraction === 1 ? 0.98 : 0.5;
	let offset = text.indexOf('the ', Math.floor(text.length * inside));
	if (offset < 0) offset = text.lastIndexOf('the ');
	offset++;
	const layout = [], picture = [];
	for (let k = 0; k < n; k++) {
		for (const change of [{from: offset, to: offset, insert: 'x'}, {from: offset, to: offset + 1, insert: ''}]) {
			const start = performance.now();
			const {revision} = await command('type', {chapter: chapter.id, changes: [change]}, w);
			const now = await state(w, (s) => s.revision >= revision && s.pages !== null);
			layout.push(now - start);
		}
		for (const change of [{from: offset, to: offset, insert: 'x'}, {from: offset, to: offset + 1, insert: ''}]) {
			const {position} = await command('caret', {chapter: chapter.id, offset}, w);
			const start = performance.now();
			const typed = command('type', {chapter: chapter.id, changes: [change]}, w);
			await typed;
			await command('paint', {chapter: chapter.id, position, width}, w);
			picture.push(performance.now() - start);
			await command('sandbox_inspect_pages', {chapter: 1, count: 1}, w, 'call'); // settled
		}
	}
	return {layout: median(layout), picture: median(picture), chapter: chapter.chapter};
};
`

// BenchmarkBrowser measures what the issue asks of the browser, on bench 1.
func BenchmarkBrowser(b *testing.B) {
	address := server(b, benchBook(b, "bench", true), benchBook(b, "part", false))
	ctx := browser.New(b, browser.Options{Timeout: 9 * time.Minute, BeforeScripts: tap + bench + `
		addEventListener('postextbridge', () => window.bridgeAt = performance.now());
		for (const name of ['instantiate', 'instantiateStreaming']) {
			const real = WebAssembly[name];
			WebAssembly[name] = (...args) => { window.startAt ??= performance.now(); return real.apply(WebAssembly, args); };
		}
		window.longTasks = [];
		new PerformanceObserver((l) => { for (const e of l.getEntries()) longTasks.push([e.startTime, e.duration]); }).observe({type: 'longtask', buffered: true});`})
	browser.Open(b, ctx, address+"/en/sandbox")
	ready(b, ctx)

	// From navigation to the tools, and the start of page.wasm in the window, after
	// its rehearsal in a worker.
	b.Run("start", func(b *testing.B) {
		var listed, start, longest []float64
		for b.Loop() {
			// A blank page between: the second open would otherwise only change the fragment.
			browser.Open(b, ctx, "about:blank")
			browser.Open(b, ctx, address+"/en/sandbox")
			r := browser.Eval[[3]float64](b, ctx, `new Promise((done) => {
				const look = () => {
					if (!window.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_get_state')) return setTimeout(look, 2);
					setTimeout(() => done([bridgeAt, bridgeAt - startAt, Math.max(0, ...longTasks.filter(([at]) => at < bridgeAt).map(([, d]) => d))]), 50);
				};
				look();
			})`)
			listed, start, longest = append(listed, r[0]), append(start, r[1]), append(longest, r[2])
		}
		b.ReportMetric(median(listed), "tools-listed-ms")
		b.ReportMetric(median(start), "page.wasm-start-ms")
		b.ReportMetric(median(longest), "longest-task-ms")
	})

	ready(b, ctx)
	pages(b, ctx)
	type opened struct{ Start, Load, Layout, Pages float64 }

	// Laying the book out from nothing; the first time the browser has not yet
	// optimised the program.
	b.Run("cold", func(b *testing.B) {
		var rate []float64
		var r opened
		for b.Loop() {
			r = browser.Eval[opened](b, ctx, `fresh('bench')`)
			rate = append(rate, r.Pages/(r.Layout/1000))
		}
		b.ReportMetric(rate[0], "first-pages/s")
		b.ReportMetric(median(rate), "pages/s")
		b.ReportMetric(r.Pages, "pages")
		b.ReportMetric(r.Start, "worker-start-ms")
	})

	for _, at := range []struct {
		name     string
		fraction float64
	}{{"near the start", 0}, {"in the middle", 0.5}, {"near the end", 1}} {
		b.Run("one letter "+at.name, func(b *testing.B) {
			r := browser.Eval[opened](b, ctx, `fresh('part')`)
			var layout, picture []float64
			for b.Loop() {
				x := browser.Eval[struct{ Layout, Picture float64 }](b, ctx, `typing(`+quoteNumber(at.fraction)+`, 5, 1000)`)
				layout, picture = append(layout, x.Layout), append(picture, x.Picture)
			}
			b.ReportMetric(median(layout), "layout-ms")
			b.ReportMetric(median(picture), "picture-ms")
			b.ReportMetric(r.Pages, "pages")
		})
	}

	b.Run("picture of 1200 px", func(b *testing.B) {
		browser.Eval[opened](b, ctx, `fresh('part')`)
		var ms []float64
		for b.Loop() {
			ms = append(ms, browser.Eval[float64](b, ctx, `(async () => {
				const list = [];
				for (let k = 1; k <= 6; k++) {
					const start = performance.now();
					const a = await command('sandbox_render_page', {chapter: 'XVI. The Ship', position: k, width: 1200}, mine, 'call');
					if (!a.content) throw new Error(a.error);
					list.push(performance.now() - start);
				}
				return median(list);
			})()`))
		}
		b.ReportMetric(median(ms), "png-ms")
	})

	// The agent's way, in the whole page: a one-word edit, then the page's picture.
	b.Run("edit by a tool", func(b *testing.B) {
		browser.Open(b, ctx, address+"/en/sandbox#preset=part")
		ready(b, ctx)
		pages(b, ctx)
		var edit, total []float64
		for b.Loop() {
			r := browser.Eval[[2]float64](b, ctx, `(async () => {
				const call = (n, a) => postextWebMcp.executeTool(n, a);
				// The chapter whose length is nearest to 20 pages.
				window.twenty ??= (await call('sandbox_get_state', {})).chapters.sort((a, b) => Math.abs(a.pages - 20) - Math.abs(b.pages - 20))[0].chapter;
				window.line ??= (await call('sandbox_read_text', {chapter: twenty, numbers: false})).text.split('\n').reduce((a, b) => b.length > a.length ? b : a).slice(0, 80);
				window.to = window.now === undefined ? line + ' quokka' : now.endsWith(' quokka') ? line : line + ' quokka';
				const start = performance.now();
				const a = await call('sandbox_edit_text', {chapter: twenty, edits: [{find: window.now ?? line, replace: to}]});
				if (!a.ok) throw new Error(a.error);
				const middle = performance.now();
				const where = await call('sandbox_search_text', {chapter: twenty, query: line.slice(0, 40), pages: true, limit: 1});
				const p = performance.now();
				const picture = await call('sandbox_render_page', {chapter: twenty, page: where.matches[0].page, width: 1000});
				const end = performance.now();
				if (!picture.content) throw new Error(picture.error);
				window.now = to;
				return [middle - start, (middle - start) + (end - p)];
			})()`)
			edit, total = append(edit, r[0]), append(total, r[1])
		}
		b.ReportMetric(median(edit), "edit-ms")
		b.ReportMetric(median(total), "edit+picture-ms")
	})

	// A colour moves no text: the answer of the tool that changes it.
	b.Run("colour by a tool", func(b *testing.B) {
		browser.Open(b, ctx, address+"/en/sandbox#preset=part")
		ready(b, ctx)
		pages(b, ctx)
		for _, path := range []string{"bodyText.color", "headings.color"} {
			var ms []float64
			for range b.N {
				ms = append(ms, browser.Eval[float64](b, ctx, `(async () => {
					window.shade = ((window.shade ?? 0) + 17) % 200;
					const start = performance.now();
					const a = await postextWebMcp.executeTool('sandbox_set_config', {changes: [{path: '`+path+`', value: {hex: '#0000' + (16 + shade).toString(16)}}]});
					if (!a.ok) throw new Error(a.error);
					return performance.now() - start;
				})()`))
			}
			b.ReportMetric(median(ms), path+"-ms")
		}
	})
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

func quoteNumber(n float64) string {
	data, err := json.Marshal(n)
	if err != nil {
		panic(err) // a finite number always marshals
	}
	return string(data)
}
