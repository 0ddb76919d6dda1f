package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"postext/book/booktest/tree"
	"postext/e2e/browser"
)

// The snippet for the console, as the public page prints it.
func TestConsoleSnippet(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "")
	names := browser.Eval[[]string](t, ctx, `postextWebMcp.listTools().map((t) => t.name)`)
	if len(names) < 13 {
		t.Errorf("listTools: %v", names)
	}
	state := browser.Eval[answer](t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {})`)
	if !state.ok() || state["ready"] != true {
		t.Errorf("sandbox_get_state: %v", state)
	}
	set := browser.Eval[answer](t, ctx, `postextWebMcp.executeTool('sandbox_set_config', {
		changes: [{ path: 'bodyText.fontSize', value: '10.5pt' }],
	})`)
	if !set.ok() {
		t.Errorf("sandbox_set_config: %v", set)
	}
}

// The Puppeteer script of the public page, step for step.
func TestPuppeteerScriptTranscribed(t *testing.T) {
	ctx := tab(t, browser.Options{})
	browser.Open(t, ctx, server(t)+"/en/sandbox")
	for _, wait := range []string{
		`window.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_get_state')`,
		`window.postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready)`,
	} {
		deadline := time.Now().Add(patience)
		for !browser.Eval[bool](t, ctx, `Promise.resolve(`+wait+`).then(Boolean)`) {
			if time.Now().After(deadline) {
				t.Fatalf("never true: %s", wait)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	result := browser.Eval[answer](t, ctx, `window.postextWebMcp.executeTool('sandbox_render_page',
		{ chapter: 1, position: 1, width: 1200, format: 'png' })`)
	checkWidth(t, pictureBytes(t, result), 1200)
}

func checkWidth(t *testing.T, data []byte, width int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("the picture does not decode: %v", err)
	}
	if img.Bounds().Dx() != width {
		t.Errorf("the picture is %d px wide, want %d", img.Bounds().Dx(), width)
	}
}

// The script itself, run by npm's puppeteer; only the address is changed.
func TestPuppeteerScriptItself(t *testing.T) {
	script := `import fs from 'node:fs';
import puppeteer from 'puppeteer';

const browser = await puppeteer.launch();
const page = await browser.newPage();
await page.goto('https://postext.dev/en/sandbox');
await page.waitForFunction(() => window.postextWebMcp?.listTools().some((t) => t.name === 'sandbox_get_state'));
await page.waitForFunction(async () => (await window.postextWebMcp.executeTool('sandbox_get_state', {})).ready);

const result = await page.evaluate(() =>
  window.postextWebMcp.executeTool('sandbox_render_page', { chapter: 1, position: 1, width: 1200, format: 'png' }),
);
const picture = result.content.find((part) => part.type === 'image');
fs.writeFileSync('page-1.png', Buffer.from(picture.data, 'base64'));
await browser.close();
`
	script = strings.Replace(script, "https://postext.dev", server(t), 1)
	dir := t.TempDir()
	modules := filepath.Join(tree.Root(t), "web", "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "puppeteer")); err != nil {
		t.Fatalf("npm's puppeteer is not installed: run `make test` once: %v", err)
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "page.mjs"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	chromium, err := browser.Path()
	if err != nil {
		t.Fatal(err)
	}
	// Under root Chromium wants --no-sandbox, which the script does not pass.
	launcher := filepath.Join(dir, "chromium")
	text := fmt.Sprintf("#!/bin/sh\nexec %q --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync \"$@\"\n", chromium)
	if err := os.WriteFile(launcher, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "page.mjs")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PUPPETEER_SKIP_DOWNLOAD=1", "PUPPETEER_EXECUTABLE_PATH="+launcher)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the script failed: %v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "page-1.png"))
	if err != nil {
		t.Fatal(err)
	}
	checkWidth(t, data, 1200)
}

// "Make the text a little larger, but keep the book under N pages."
func TestSessionLargerTextAndBack(t *testing.T) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "")
	before := pages(t, ctx)
	frames := func() any {
		return must(t, ctx, "sandbox_inspect_pages", `{"chapter":2,"position":1,"count":4,"text":"full","lines":true}`)["pages"]
	}
	first := frames()
	set := must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"12.5pt"}]}`)
	if set.num("pagesBefore") != before || set.num("pagesAfter") <= before {
		t.Errorf("pages %v before, %v after; the state said %v", set["pagesBefore"], set["pagesAfter"], before)
	}
	if reflect.DeepEqual(frames(), first) {
		t.Error("a larger body changed no page")
	}
	checkWidth(t, pictureBytes(t, must(t, ctx, "sandbox_render_page", `{"chapter":2,"position":2}`)), 1000)

	var back []map[string]any
	for _, c := range set["changed"].([]any) {
		change := c.(map[string]any)
		back = append(back, map[string]any{"path": change["path"], "value": change["from"]})
	}
	args, err := json.Marshal(map[string]any{"changes": back})
	if err != nil {
		t.Fatal(err)
	}
	undo := must(t, ctx, "sandbox_set_config", string(args))
	if undo.num("pagesAfter") != before {
		t.Errorf("%v pages after undoing, %v at first", undo["pagesAfter"], before)
	}
	if !reflect.DeepEqual(frames(), first) {
		t.Error("the pages did not return to the same frames")
	}
}

// Every call that the guide prints runs, in order, on the guide in the same language.
func TestEveryCallOfTheGuideRuns(t *testing.T) {
	for _, language := range []string{"en", "es"} {
		t.Run(language, func(t *testing.T) { guideCallsRun(t, language) })
	}
}

func guideCallsRun(t *testing.T, language string) {
	ctx := tab(t, browser.Options{})
	sandbox(t, ctx, server(t), "#preset=postext-guide&lang="+language)
	files, err := filepath.Glob("../web/books/postext-guide/chapters/" + language + "/*.md")
	if err != nil || len(files) < 4 {
		t.Fatalf("the guide: %v, %v", files, err)
	}
	n := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for i := 0; i < len(lines); i++ {
			tool, call := strings.CutPrefix(lines[i], "```json {title=\"")
			console := strings.HasPrefix(lines[i], "```js ")
			if !call && !console {
				continue
			}
			var body []string
			for i++; lines[i] != "```"; i++ {
				body = append(body, lines[i])
			}
			text := strings.Join(body, "\n")
			if call {
				must(t, ctx, strings.TrimSuffix(tool, "\"}"), text)
				n++
				continue
			}
			for statement := range strings.SplitSeq(strings.TrimSuffix(text, ";"), ";\n") {
				if !browser.Eval[bool](t, ctx, `(async () => { const a = `+statement+`; return a.ok === true || a.length > 0; })()`) {
					t.Errorf("in the console: %s", statement)
				}
				n++
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d calls found in the guide", n)
	}
	t.Logf("%d calls", n)
}

// What a tool changes is seen by the person at once, and a reload keeps it.
func TestAnAgentsEditIsSeenSavedAndSurvivesAReload(t *testing.T) {
	ctx := tab(t, browser.Options{})
	address := server(t)
	sandbox(t, ctx, address, "")
	must(t, ctx, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"This book is open in the Sandbox.","replace":"Quokkas have edited this book."}]}`)
	must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"11.25pt"}]}`)
	saved(t, ctx)
	if err := chromedp.Do(ctx, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	ready(t, ctx)
	text := must(t, ctx, "sandbox_read_text", `{"chapter":1}`)
	if !strings.Contains(text["text"].(string), "Quokkas have edited this book.") {
		t.Error("the edit is gone after a reload")
	}
	config := must(t, ctx, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)
	if set, _ := config["set"].(map[string]any); set["value"] != 11.25 {
		t.Errorf("the setting is gone after a reload: %v", config)
	}
	if undo := call(t, ctx, "sandbox_undo_text", `{}`); undo.ok() {
		t.Error("the undo list is said to be lost on reload")
	}
}
