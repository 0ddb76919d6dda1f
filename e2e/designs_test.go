package e2e

import (
	"strings"
	"testing"

	"postext/e2e/browser"
)

// A book without a design is offered those of the samples; what is taken can be
// given back, and what belongs to the book stays.
func TestABlankBookIsOfferedADesign(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: hands})
	screens[0].use(t, ctx)
	sandbox(t, ctx, server(t), "")
	pages(t, ctx)
	must(t, ctx, "sandbox_save_book", `{"action":"new_blank"}`)
	must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"locale","value":"es"}]}`)
	press := func(name string) {
		t.Helper()
		until(t, ctx, `hands.named('button', `+quote(name)+`) !== undefined`)
		browser.Eval[any](t, ctx, `(hands.named('button', `+quote(name)+`).click(), null)`)
	}
	columns := func() any {
		return must(t, ctx, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)["set"]
	}
	offer := func() string {
		return browser.Eval[string](t, ctx, `document.querySelector('.design-offer').textContent`)
	}
	press("Design")
	press("Report")
	until(t, ctx, `/has the design Report/.test(document.querySelector('.design-offer').textContent)`)
	if columns() == nil {
		t.Error("nothing was set")
	}
	if l := must(t, ctx, "sandbox_get_config", `{"path":"locale"}`)["set"]; l != "es" {
		t.Errorf("the book's language became %v", l)
	}
	press("Give it back")
	until(t, ctx, `/no design yet/.test(document.querySelector('.design-offer').textContent)`)
	if columns() != nil {
		t.Errorf("%v is left of it", columns())
	}
	// A change of one's own is a design, and is not given back with another's.
	press("Poems")
	until(t, ctx, `/has the design Poems/.test(document.querySelector('.design-offer').textContent)`)
	must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"12pt"}]}`)
	until(t, ctx, `document.querySelector('.design-offer').textContent === ''`)
	if s := offer(); strings.Contains(s, "Give") {
		t.Errorf("still offered: %s", s)
	}
}
