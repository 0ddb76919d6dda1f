package e2e

import (
	"testing"

	"postext/e2e/browser"
)

// sandbox.md 8.2, by hand: nothing is marked in a book as it came; what is changed is
// marked, listed and taken back to what the book came with; a colour in use is deleted
// and its places keep it; the design is reset as a whole.
func TestDesignJobsByHand(t *testing.T) {
	for _, s := range worked() {
		t.Run(s.String(), func(t *testing.T) {
			ctx := tab(t, browser.Options{BeforeScripts: hands})
			s.use(t, ctx)
			sandbox(t, ctx, server(t), "#preset=the-tide-clerk")
			m := mouse{t, ctx, s.phone()}
			get := func(path, key string) any {
				t.Helper()
				return must(t, ctx, "sandbox_get_config", `{"path":`+quote(path)+`}`)[key]
			}
			length := func(path string) float64 {
				t.Helper()
				v, _ := get(path, "effective").(map[string]any)["value"].(float64)
				return v
			}
			write := func(role, name, group, text string) {
				t.Helper()
				place(t, ctx, control{role, name, group})
				browser.Eval[any](t, ctx, `(() => { const f = hands.named(`+control{role, name, group}.js()+`); f.focus(); f.select(); return null; })()`)
				m.write(text)
				browser.Eval[any](t, ctx, `(document.activeElement.blur(), null)`)
			}
			marks := `[...document.querySelectorAll('.setting .reset')].filter((e) => hands.seen(e)).length`
			came := must(t, ctx, "sandbox_export", `{"format":"config","deliver":"data"}`)["data"]

			m.press(control{"button", "Design", ""})
			until(t, ctx, `hands.named('textbox', 'Leading') !== null`)
			if n := browser.Eval[float64](t, ctx, marks); n != 0 {
				t.Errorf("%v settings are marked as changed in a book as it came", n)
			}
			// A size by a step, and back to the design's own.
			m.press(control{"button", "More", "Body text"})
			until(t, ctx, `document.querySelector('.only-changed').textContent === 'Changed 1'`)
			if got := length("bodyText.fontSize"); got != 11.5 {
				t.Errorf("a step makes 11 pt %v", got)
			}
			m.press(control{"button", "Reset Size", "Body text"})
			until(t, ctx, marks+` === 0`)
			if got := length("bodyText.fontSize"); got != 11 {
				t.Errorf("the size goes back to %v", got)
			}
			// The palette: a colour half seen, and one in use deleted.
			write("textbox", "Opacity in per cent", "Colours", "50")
			until(t, ctx, marks+` === 1`)
			if c, _ := get("colorPalette[id=main-color].value", "set").(map[string]any); c["hex"] != "#1d3b4a80" {
				t.Errorf("half of the ink is %v", c)
			}
			m.press(control{"button", "Actions for Ink", ""})
			m.press(control{"button", "Delete…", ""})
			until(t, ctx, `/^Ink is the colour of .+ They keep it/.test(document.querySelector('.asking')?.textContent)`)
			screenshot(t, ctx, "jobs-"+s.String()+"-palette")
			m.press(control{"button", "Delete it", ""})
			until(t, ctx, `hands.named('button', 'Give it back') !== null`)
			if c, _ := get("unorderedLists.color", "set").(map[string]any); c["hex"] != "#1d3b4a80" || c["paletteId"] != nil {
				t.Errorf("the bullets have %v", c)
			}
			// A drop cap is there by a switch in its fold.
			for _, fold := range []string{"Headings & contents", "Headings", "Level 1", "Drop cap"} {
				e := `[...document.querySelectorAll('.all-settings details')].find((d) => d.querySelector('.fold-label').textContent === ` + quote(fold) + `)`
				until(t, ctx, e+` !== undefined`)
				browser.Eval[any](t, ctx, `(`+e+`.querySelector('summary').click(), null)`)
			}
			m.press(control{"switch", "With drop cap", ""})
			until(t, ctx, `hands.named('textbox', 'Letters') !== null`)
			screenshot(t, ctx, "jobs-"+s.String()+"-dropcap")
			// All that is changed, and the whole design as it came.
			browser.Eval[any](t, ctx, `(document.querySelector('.search-box').scrollIntoView({block: 'end'}), null)`)
			browser.Eval[any](t, ctx, `(document.querySelector('.only-changed').click(), null)`)
			until(t, ctx, `hands.named('button', 'Reset Drop cap') !== null`)
			screenshot(t, ctx, "jobs-"+s.String()+"-changed")
			m.press(control{"button", "More for the design", ""})
			m.press(control{"button", "Reset the design…", ""})
			m.press(control{"button", "Reset the design", ""})
			until(t, ctx, `/Nothing is changed/.test(document.querySelector('.settings').textContent)`)
			if now := must(t, ctx, "sandbox_export", `{"format":"config","deliver":"data"}`)["data"]; now != came {
				t.Error("the design is not as it came")
			}
		})
	}
}
