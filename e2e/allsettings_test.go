package e2e

import (
	"testing"

	"postext/e2e/browser"
)

// Every setting can be reached by mouse: through the groups and sections of the Design
// panel, in the items of lists, which can be added and removed; a colour is linked to
// the palette there, and a section is reset and given back.
func TestEverySettingIsReachedByItsGroup(t *testing.T) {
	for _, s := range worked() {
		t.Run(s.String(), func(t *testing.T) {
			ctx := tab(t, browser.Options{BeforeScripts: hands})
			s.use(t, ctx)
			sandbox(t, ctx, server(t), "")
			pages(t, ctx)
			must(t, ctx, "sandbox_save_book", `{"action":"new_blank"}`)
			must(t, ctx, "sandbox_set_view", `{"panel":"design"}`)
			at := func(names ...string) string {
				e := `document.querySelector('.all-settings')`
				for _, n := range names {
					e = `[...` + e + `.querySelectorAll('details')].find((d) => d.querySelector('.fold-label').textContent === ` + quote(n) + `)`
				}
				return e
			}
			open := func(names ...string) {
				t.Helper()
				until(t, ctx, at(names...)+` !== undefined`)
				browser.Eval[any](t, ctx, `(`+at(names...)+`.querySelector('summary').click(), null)`)
				until(t, ctx, at(names...)+`.querySelector('.fold-body').childElementCount > 0`)
			}
			get := func(path string) any {
				t.Helper()
				return must(t, ctx, "sandbox_get_config", `{"path":`+quote(path)+`}`)["set"]
			}
			until(t, ctx, `document.querySelectorAll('.all-settings > details').length === 14`)
			browser.Eval[any](t, ctx, `(document.querySelector('.all-settings').scrollIntoView(), null)`)
			// A switch in a section that a search would have to be known for.
			open("Page & columns")
			open("Page & columns", "Page")
			screenshot(t, ctx, "design-groups-"+s.String())
			open("Export")
			open("Export", "Print preparation")
			browser.Eval[any](t, ctx, `(document.getElementById('all-page-cutLines-enabled').click(), null)`)
			until(t, ctx, at("Export", "Print preparation")+`.querySelector('.fold-count').textContent === '1 changed'`)
			if get("page.cutLines.enabled") != true {
				t.Error("the switch sets nothing")
			}
			// A style is made, and a colour of it linked to the palette.
			open("Typography")
			open("Typography", "Paragraph styles")
			browser.Eval[any](t, ctx, `(() => {
				const box = `+at("Typography", "Paragraph styles")+`;
				box.querySelector('input[aria-label^="New in"]').value = 'lead';
				[...box.querySelectorAll('button')].find((b) => b.textContent === 'Add').click();
				return null;
			})()`)
			// What is new opens itself.
			until(t, ctx, at("Typography", "Paragraph styles", "lead")+`?.querySelector('.fold-body').childElementCount > 0`)
			until(t, ctx, `document.getElementById('all-paragraphStyles-id-lead-color') !== null`)
			screenshot(t, ctx, "design-list-"+s.String())
			browser.Eval[any](t, ctx, `(() => {
				const link = document.getElementById('all-paragraphStyles-id-lead-color').parentElement.querySelector('select');
				link.value = 'main-color';
				link.dispatchEvent(new Event('change'));
				return null;
			})()`)
			until(t, ctx, `document.getElementById('all-paragraphStyles-id-lead-color').value === '#295aa3'`)
			if c, _ := get("paragraphStyles[id=lead].color").(map[string]any); c["paletteId"] != "main-color" {
				t.Errorf("the colour is %v", c)
			}
			press := func(label string) {
				t.Helper()
				find := `[...document.querySelectorAll('.all-settings button')].find((b) => b.textContent.trim() === ` + quote(label) + `)`
				until(t, ctx, find+` !== undefined`)
				browser.Eval[any](t, ctx, `(`+find+`.click(), null)`)
			}
			press("Remove lead")
			until(t, ctx, at("Typography", "Paragraph styles", "lead")+` === undefined`)
			if list := get("paragraphStyles"); list != nil {
				t.Errorf("left are %v", list)
			}
		})
	}
}
