package e2e

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"postext/book"
	"postext/book/booktest/tree"
	"postext/e2e/browser"
	"postext/engine"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// tap lets a test hear and speak to the page's own worker: worker() is the one
// that runs now, command(name, args) sends one of the commands of
// wasm/worker/main.go and gives its answer with its buffers.
const tap = `(() => {
	const Plain = window.Worker, all = [];
	window.Worker = class extends Plain {
		constructor(url, o) { super(url, o); this.url = String(url); if (o?.name !== 'postext-rehearsal') all.push(this); }
		postMessage(m, ...more) { if (m.module) this.module = m.module; super.postMessage(m, ...more); }
	};
	window.workers = all;
	window.worker = () => all.at(-1);
	let next = 1e9;
	window.command = (name, args = {}, to = worker(), t = 'cmd') => new Promise((done) => {
		const id = next++;
		const hear = (e) => {
			if (e.data.t !== 'answer' || e.data.id !== id) return;
			to.removeEventListener('message', hear);
			done(Object.assign(JSON.parse(e.data.json), { buffers: e.data.buffers }));
		};
		to.addEventListener('message', hear);
		to.postMessage({ t, id, name, args: JSON.stringify(args) });
	});
})();`

// native lays a corpus book out without a browser and gives the hash of its
// frames and the number of its pages.
func native(t testing.TB, path string) (hash string, pages int) {
	t.Helper()
	b, err := book.OpenFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(fonttest.World(t)).Typeset(context.Background(), b, engine.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	sum := frame.Hash(r.Frames)
	return hex.EncodeToString(sum[:]), r.Frames.PageCount()
}

// Every corpus book is laid out whole in the browser, by the worker that opened
// it, and its frames are those of a native layout to the byte.
func TestEveryCorpusBookIsLaidOutInTheBrowserAsNatively(t *testing.T) {
	paths := corpusBooks(t)
	if len(paths) == 0 {
		t.Skip("no corpus")
	}
	address := server(t)
	// One tab for all: the browser compiles the programs once.
	ctx := tab(t, browser.Options{BeforeScripts: tap})
	total := 0
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			browser.Open(t, ctx, "about:blank")
			start := time.Now()
			browser.Open(t, ctx, address+"/en/sandbox#preset="+name)
			ready(t, ctx)
			state := must(t, ctx, "sandbox_get_state", `{}`)
			if b, _ := state["book"].(map[string]any); b["id"] != name {
				t.Fatalf("the book that is open is %v", b)
			}
			n := pages(t, ctx)
			took := time.Since(start)
			sum, want := native(t, path)
			if int(n) != want {
				t.Errorf("%v pages in the browser, %d natively", n, want)
			}
			last := must(t, ctx, "sandbox_render_page", `{"chapter":1,"position":-1,"width":200}`)
			pictureBytes(t, last)
			if got := browser.Eval[answer](t, ctx, `command('hash')`); got["hash"] != sum {
				t.Errorf("the frames differ: %v in the browser, %s natively", got["hash"], sum)
			}
			if died := browser.Eval[float64](t, ctx, `workers.length`); died != 1 {
				t.Errorf("%v workers were needed", died)
			}
			total += want
			t.Logf("%d pages, opened and laid out %.1f s after navigation", want, took.Seconds())
		})
	}
	t.Logf("%d pages", total)
}

// The same page is the same picture, byte for byte, from the command line and
// from the browser.
func TestThePictureOfAPageIsTheSameNativelyAndInTheBrowser(t *testing.T) {
	path := tree.Corpus(t, "moby-dick")
	for _, c := range []struct {
		name, args, flags string
	}{
		{"page 12", `{"page":12,"width":1200}`, "--page=12"},
	} {
		file := filepath.Join(t.TempDir(), "page.png")
		out, err := exec.Command(binary(), "render", path, c.flags, "--width", "1200", "-o", file).CombinedOutput()
		if err != nil {
			t.Fatalf("postext render: %v\n%s", err, out)
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ctx := tab(t, browser.Options{})
		sandbox(t, ctx, server(t), "#preset=moby-dick")
		// render finds the page through the whole book, the tool in a chapter.
		chapter := browser.Eval[float64](t, ctx, `(async () => {
			for (let k = 1; k < 10; k++) {
				const a = await postextWebMcp.executeTool('sandbox_inspect_pages', {chapter: k});
				if (a.pages.some((p) => p.label === '12')) return k;
			}
			return 0;
		})()`)
		got := pictureBytes(t, must(t, ctx, "sandbox_render_page", fmt.Sprintf(`{"chapter":%v,"page":12,"width":1200}`, chapter)))
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes in the browser, %d natively, and they differ", c.name, len(got), len(want))
		}
	}
}
