package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"

	"postext/book"
	"postext/e2e/browser"
)

// sandbox.md 3: own books made, renamed, deleted and put back by hand, on every
// kind of screen.
func TestTheBooksPanelByHand(t *testing.T) {
	for _, s := range worked() {
		t.Run(s.String(), func(t *testing.T) {
			ctx := tab(t, browser.Options{BeforeScripts: hands})
			s.use(t, ctx)
			sandbox(t, ctx, server(t), "#preset=book")
			pages(t, ctx)
			var m hand = mouse{t, ctx, s.phone()}
			books := func() {
				t.Helper()
				browser.Eval[any](t, ctx, `(() => { const b = hands.named('button', 'Books'); if (b.ariaPressed !== 'true') b.click(); return null; })()`)
			}
			kind := func(want string) {
				t.Helper()
				until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && `+want+`)`)
			}
			books()
			m.press(control{"button", "New", ""})
			m.press(control{"button", "/^Copy of the open book/", ""})
			kind(`s.book.kind === 'project'`)
			// The page goes on to the new book's chapters by itself.
			until(t, ctx, `hands.named('button', 'Chapters')?.ariaPressed === 'true'`)
			must(t, ctx, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Paper is a word.","replace":"Vellum is a word."}]}`)
			books()
			name := browser.Eval[string](t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.book.name)`)
			until(t, ctx, `hands.named('button', `+quote("Actions for "+name)+`) !== null`)
			m.press(control{"button", "Actions for " + name, ""})
			m.press(control{"button", "Rename…", ""})
			browser.Eval[any](t, ctx, `(hands.named('textbox', 'Name of the book').select(), null)`)
			m.write("My vellum book")
			browser.Eval[any](t, ctx, `(hands.named('textbox', 'Description').focus(), null)`)
			m.write("A book of the test's own")
			screenshot(t, ctx, "books-"+s.String()+"-rename")
			m.press(control{"button", "Rename", ""})
			kind(`s.book.name === 'My vellum book'`)
			// A cover of the first page, once it was on screen.
			until(t, ctx, `document.querySelector('.book.active .cover img') !== null || (hands.named('button', 'Books').click(), hands.named('button', 'Books').click(), false)`)
			books()
			screenshot(t, ctx, "books-"+s.String())
			m.press(control{"button", "Actions for My vellum book", ""})
			m.press(control{"button", "Delete…", ""})
			screenshot(t, ctx, "books-"+s.String()+"-delete")
			m.press(control{"button", "Delete", ""})
			kind(`s.book.id === 'postext-guide'`)
			until(t, ctx, `document.querySelector('.books-more') !== null`)
			browser.Eval[any](t, ctx, `(document.querySelector('.books-more').open = true, null)`)
			until(t, ctx, `hands.named('button', 'Put back: My vellum book') !== null`)
			screenshot(t, ctx, "books-"+s.String()+"-deleted")
			m.press(control{"button", "Put back: My vellum book", ""})
			until(t, ctx, `hands.named('button', /^My vellum book/) !== null`)
			m.press(control{"button", "/^My vellum book/", ""})
			kind(`s.book.name === 'My vellum book'`)
			if text := fmt.Sprint(must(t, ctx, "sandbox_read_text", `{"chapter":2}`)["text"]); !strings.Contains(text, "Vellum is a word.") {
				t.Error("the book put back has lost its words")
			}
			if s.phone() {
				// A book that is opened shows its pages; from any panel the button Pages
				// leads back to them.
				const bare = `document.querySelector('.activity[aria-pressed="true"]') === null`
				until(t, ctx, bare)
				m.press(control{"button", "Figures", ""})
				until(t, ctx, `hands.named('button', 'Figures')?.ariaPressed === 'true'`)
				m.press(control{"button", "Pages", ""})
				until(t, ctx, bare)
			}
		})
	}
}

// sandbox.md 10 and the storage's rule: two tabs of one profile do not lose each
// other's work; the second says what it may do and gets the book later.
func TestTwoTabsOfOneProfile(t *testing.T) {
	first := browser.New(t, browser.Options{})
	address := server(t)
	sandbox(t, first, address, "#preset=book")
	second := browser.Tab(t, first)
	sandbox(t, second, address, "#preset=book")
	until(t, second, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.readOnly !== undefined)`)
	if a := call(t, second, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Paper is a word.","replace":"x"}]}`); a.ok() || !strings.Contains(a.error(), "another window") {
		t.Errorf("the second tab changes the book: %v", a)
	}
	screenshot(t, second, "second-tab")
	must(t, first, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Paper is a word.","replace":"Papyrus is a word."}]}`)
	// The first tab goes to another book: the second gets this one as it was left.
	must(t, first, "sandbox_open_book", `{"kind":"sample","id":"postext-guide"}`)
	until(t, second, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.readOnly === undefined)`)
	if text := fmt.Sprint(must(t, second, "sandbox_read_text", `{"chapter":2}`)["text"]); !strings.Contains(text, "Papyrus is a word.") {
		t.Error("the second tab has not what the first left")
	}
	must(t, second, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Papyrus is a word.","replace":"Parchment is a word."}]}`)
	saved(t, second)
	must(t, first, "sandbox_manage_chapters", `{"action":"add","title":"Mine","wait":false}`)
	saved(t, first)
}

// sandbox.md 9.3: a book served from a folder is shown anew when its files change.
func TestAFolderThatChangesIsShownAnew(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/one.md", "# One\n\nThe first state.\n")
	address := server(t, dir)
	ctx := tab(t, browser.Options{})
	id := browser.Eval[string](t, openPage(t, ctx, address), `fetch('/books/index.json').then((r) => r.json()).then((l) => l.find((b) => b.live).id)`)
	sandbox(t, ctx, address, "#preset="+id)
	writeFile(t, dir+"/one.md", "# One\n\nThe second state.\n")
	until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {}).then((a) => a.text.includes('second state'))`)
	must(t, ctx, "sandbox_edit_text", `{"edits":[{"find":"second","replace":"reader's"}]}`)
	writeFile(t, dir+"/one.md", "# One\n\nThe third state.\n")
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.book.newer === true && s.book.edited === true)`)
	if text := fmt.Sprint(must(t, ctx, "sandbox_read_text", `{}`)["text"]); !strings.Contains(text, "reader's state") {
		t.Errorf("the reader's change is gone: %s", text)
	}
	browser.Eval[any](t, ctx, `([...document.querySelectorAll('button')].find((b) => b.textContent === 'Books').click(), null)`)
	until(t, ctx, `document.querySelector('.banner') !== null`)
	screenshot(t, ctx, "newer-version")
	press := func(label string) {
		t.Helper()
		browser.Eval[any](t, ctx, `([...document.querySelectorAll('.banner button')].find((b) => b.textContent === `+quote(label)+`).click(), null)`)
	}
	// What would be lost is asked about first, and may be kept.
	press("Load the folder as it is now")
	screenshot(t, ctx, "newer-version-sure")
	press("Keep mine")
	if text := fmt.Sprint(must(t, ctx, "sandbox_read_text", `{}`)["text"]); !strings.Contains(text, "reader's state") {
		t.Errorf("kept, the reader's change is gone: %s", text)
	}
	press("Load the folder as it is now")
	press("Load it")
	until(t, ctx, `postextWebMcp.executeTool('sandbox_read_text', {}).then((a) => a.ok && a.text.includes('third state'))`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.book.newer === undefined && s.notice === undefined && s.book.folder === true)`)
	if n := browser.Eval[int](t, ctx, `document.querySelectorAll('.banner').length`); n != 0 {
		t.Errorf("%d banners stay", n)
	}
	// What is changed here goes back into the folder by its file.
	must(t, ctx, "sandbox_edit_text", `{"edits":[{"find":"third","replace":"reader's third"}]}`)
	a := must(t, ctx, "sandbox_export", `{"format":"postext","deliver":"data"}`)
	data, err := base64.StdEncoding.DecodeString(fmt.Sprint(a["base64"]))
	if err != nil {
		t.Fatal(err)
	}
	z, err := book.OpenBundle(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := z.Book("")
	if err != nil {
		t.Fatal(err)
	}
	did, err := z.WriteInto(dir, b, false)
	if text, _ := os.ReadFile(dir + "/one.md"); err != nil || len(did.Written) != 1 || len(did.Removed) != 0 || string(text) != "# One\n\nThe reader's third state.\n" {
		t.Errorf("%v %+v %s", err, did, text)
	}
	// The folder is then as the reader's book is: nothing is told of.
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.book.newer === undefined && !s.book.edited)`)
}

// The New menu: a blank book begins in a design that is chosen, Markdown files and a
// folder of them become a book.
func TestTheNewMenuByHand(t *testing.T) {
	for _, s := range worked() {
		t.Run(s.String(), func(t *testing.T) {
			// A browser without a head has no window to choose files in.
			ctx := tab(t, browser.Options{BeforeScripts: hands + `
				HTMLInputElement.prototype.click = function () { if (this.type === 'file') window.chooser = this; else HTMLElement.prototype.click.call(this); };`})
			s.use(t, ctx)
			sandbox(t, ctx, server(t), "#preset=book")
			pages(t, ctx)
			var m hand = mouse{t, ctx, s.phone()}
			menu := func(entry string) {
				t.Helper()
				browser.Eval[any](t, ctx, `(() => { const b = hands.named('button', 'Books'); if (b.ariaPressed !== 'true') b.click(); return null; })()`)
				until(t, ctx, `hands.named('button', 'New') !== null`)
				m.press(control{"button", "New", ""})
				screenshot(t, ctx, "new-"+s.String())
				m.press(control{"button", "/^" + entry + "/", ""})
			}
			is := func(want string) {
				t.Helper()
				until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.book.kind === 'project' && `+want+`)`)
				until(t, ctx, `hands.named('button', 'Chapters')?.ariaPressed === 'true'`)
			}
			menu("Blank book")
			screenshot(t, ctx, "new-blank-"+s.String())
			m.press(control{"button", "/^Novel/", ""})
			is(`s.book.name === 'New book' && s.chapters.length === 1`)
			until(t, ctx, `postextWebMcp.executeTool('sandbox_get_config', {path: 'page.width'}).then((a) => a.set?.value === 125)`)

			choose := func(files string) {
				t.Helper()
				until(t, ctx, `window.chooser !== undefined`)
				browser.Eval[any](t, ctx, `(() => {
					const input = chooser;
					chooser = undefined;
					const list = new DataTransfer();
					for (const [path, text] of `+files+`) {
						const file = new File([text], path.split('/').at(-1));
						if (path.includes('/')) Object.defineProperty(file, 'webkitRelativePath', {value: path});
						list.items.add(file);
					}
					Object.defineProperty(input, 'files', {value: [...list.files]});
					input.dispatchEvent(new Event('change'));
					return null;
				})()`)
			}
			menu("Open a file")
			choose(`[['2.md', '# The end\n'], ['1.md', '# The start\n\nWords.\n']]`)
			is(`s.chapters.length === 2 && s.chapters[0].title === 'The start'`)
			menu("Open a folder")
			choose(`[['tides/book.json', '{"title": "Two tides"}'], ['tides/text/.hidden.md', 'no'], ['tides/1.md', '# High\n\n![A dot](art/dot.svg)\n'],
				['tides/art/dot.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'], ['tides/notes.txt', 'no']]`)
			is(`s.book.name === 'Two tides' && s.chapters.length === 1 && s.resources === 1`)
		})
	}
}
