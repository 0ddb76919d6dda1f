package e2e

import (
	"testing"

	"postext/e2e/browser"
)

// sandbox.md 11 and 12: a link to a book that is not there leaves open what was open;
// a notice, for tools and on the page, says which was not found and what is open, and
// the address is that of the open book.
func TestALinkToABookThatIsNotThereSaysWhatIsOpen(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: hands})
	screens[0].use(t, ctx)
	address := server(t)
	said := func(want, id string) {
		t.Helper()
		until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.notice === `+quote(want)+` && s.book.id === '`+id+`')`)
		until(t, ctx, `document.querySelector('[aria-label=Status]').innerText.includes(`+quote(want)+`)`)
		until(t, ctx, `location.hash.startsWith('#preset=`+id+`&')`)
	}
	sandbox(t, ctx, address, "#project=pnope")
	said(`The link leads to the own book "pnope", which is not in this browser. "Postext guide" is open instead.`, "postext-guide")
	browser.Eval[any](t, ctx, `(location.hash = '#preset=book', null)`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.book.id === 'book' && s.notice === undefined)`)
	browser.Eval[any](t, ctx, `(location.hash = '#preset=nope&chapter=2', null)`)
	said(`The link leads to the sample book "nope", which is not on this site. "A small fixture" is open instead.`, "book")
}

// sandbox.md 11: a link leads to its place before any call of an agent is answered, so
// that it undoes nothing an agent shows; loaded again, a page shows the view it had,
// not what its address said before.
func TestALinkIsFollowedBeforeAnAgentsCalls(t *testing.T) {
	ctx := tab(t, browser.Options{})
	address := server(t)
	browser.Open(t, ctx, address+"/en/sandbox#preset=book&chapter=2&page=nowhere")
	if got := browser.Eval[string](t, ctx, `(async () => {
		while (!postextWebMcp.listTools().length) await new Promise((f) => setTimeout(f, 5));
		const first = await postextWebMcp.executeTool('sandbox_read_text', {});
		return JSON.stringify([first.ok, first.chapter]);
	})()`); got != "[true,2]" {
		t.Errorf("the first call is about %s", got)
	}
	until(t, ctx, `location.hash.includes('chapter=2')`)
	// An agent shows another chapter, and the page is loaded again at once.
	must(t, ctx, "sandbox_manage_chapters", `{"action":"show","chapter":1}`)
	until(t, ctx, `location.hash.includes('chapter=1')`)
	must(t, ctx, "sandbox_manage_chapters", `{"action":"show","chapter":2}`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.saved)`)
	browser.Eval[any](t, ctx, `(history.replaceState(null, '', '#preset=book&chapter=1&page=1'), setTimeout(() => location.reload()), null)`)
	until(t, ctx, `performance.getEntriesByType('navigation')[0]?.type === 'reload' && window.postextWebMcp?.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.view.chapter === 2)`)
	must(t, ctx, "sandbox_manage_chapters", `{"action":"show","chapter":1}`)
	browser.Eval[any](t, ctx, `new Promise((f) => setTimeout(f, 1500)).then(() => null)`)
	until(t, ctx, `location.hash.includes('chapter=1')`)
	if got := browser.Eval[float64](t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.view.chapter)`); got != 1 {
		t.Errorf("the address undid what an agent showed: chapter %v", got)
	}
}
