package e2e

import (
	"strconv"
	"testing"

	"postext/e2e/browser"
)

// warnings.md 1.3, 1.4: what the checks found, by hand, on every kind of screen:
// groups with their counts, the badge, a press that leads to the place, and a list
// that follows the text.
func TestTheChecksPanelByHand(t *testing.T) {
	for _, s := range worked() {
		t.Run(s.String(), func(t *testing.T) {
			ctx, m := ownCopy(t, s)
			must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"header.elements","value":[{"id":"head","kind":"text","content":"{subtitle} · {chaptertitle}","color":"#bbbbbb"}]},{"path":"bodyText.fontFamily","value":"Gideon Roman"}]}`)
			must(t, ctx, "sandbox_write_text", `{"chapter":1,"markdown":"# Opening\n\nA note that nobody wrote[^gone] and a figure, :ref{id=\"ship\"}.\n\n### Too deep\n\n:::nonsense\n\n::resource{id=\"ship\"}\n\n{{x}} a formula $x^2 that never ends\n"}`)
			total := browser.Eval[int](t, ctx, `postextWebMcp.executeTool('sandbox_get_warnings', {scope: 'book'}).then((r) => r.total)`)
			until(t, ctx, `document.querySelector('.badge:not([hidden])')?.textContent === '`+strconv.Itoa(total)+`'`)
			m.press(control{"button", "Checks", ""})
			until(t, ctx, `[...document.querySelectorAll('.check')].filter((e) => e.checkVisibility()).length === `+strconv.Itoa(total))
			groups := browser.Eval[string](t, ctx, `[...document.querySelectorAll('.check-group summary')].map((e) => e.innerText.replace(/\s+/g, ' ').trim()).join(', ')`)
			if want := "Fonts 1, Figures & tables 2, Text & markup 4, Design 3"; groups != want {
				t.Errorf("groups %s, want %s", groups, want)
			}
			screenshot(t, ctx, "checks-"+s.String())
			browser.Eval[any](t, ctx, `(document.querySelector('.check-group summary').click(), null)`)
			until(t, ctx, `[...document.querySelectorAll('.check')].filter((e) => e.checkVisibility()).length === `+strconv.Itoa(total-1))
			m.press(control{"button", "/Unknown directive/", ""})
			until(t, ctx, `postextWebMcp.executeTool('sandbox_get_state', {}).then((r) => r.view.panel === 'text' && r.recent.some((c) => c.tool === 'sandbox_select_text' && c.outcome === 'ok'))`)
			screenshot(t, ctx, "checks-"+s.String()+"-place")
			must(t, ctx, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":":::nonsense\n\n","replace":""}]}`)
			m.press(control{"button", "Checks", ""})
			until(t, ctx, `!/Unknown directive/.test(document.body.innerText) && /Heading hierarchy jump/.test(document.body.innerText)`)
			browser.Eval[any](t, ctx, `(document.querySelector('.check-group summary').click(), null)`)
			until(t, ctx, `[...document.querySelectorAll('.check')].some((e) => e.checkVisibility() && /Missing font/.test(e.innerText))`)
			m.press(control{"button", "/^Missing font/", ""})
			until(t, ctx, `/Typefaces in this book/.test(document.body.innerText)`)
		})
	}
}

// warnings.md 1.3: a book without faults says so.
func TestTheChecksPanelAllClear(t *testing.T) {
	ctx, m := ownCopy(t, screens[0])
	must(t, ctx, "sandbox_write_text", `{"chapter":1,"markdown":"---\ntitle: Plain\n---\n# Opening\n\nPlain words.\n"}`)
	m.press(control{"button", "Checks", ""})
	until(t, ctx, `/All clear/.test(document.body.innerText)`)
	screenshot(t, ctx, "checks-clear")
}
