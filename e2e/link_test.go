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
