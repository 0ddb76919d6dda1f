package e2e

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"

	"postext/e2e/browser"
)

// sandbox.md 7: a font file dropped on the panel sets the pages once it is chosen,
// by hand and by an agent; a family of the catalogue whose files the site does not
// have is refused in words.
func TestTheFontsPanelByHand(t *testing.T) {
	data, err := os.ReadFile("../engine/font/testdata/JetBrainsMono_400Regular.woff2")
	if err != nil {
		t.Fatal(err)
	}
	woff2 := base64.StdEncoding.EncodeToString(data)
	for _, s := range worked() {
		t.Run(s.String(), func(t *testing.T) {
			ctx, m := ownCopy(t, s)
			fonts := func(what string) {
				t.Helper()
				until(t, ctx, `postextWebMcp.executeTool('sandbox_list_fonts', {}).then((r) => r.ok && (`+what+`))`)
			}
			m.press(control{"button", "Fonts", ""})
			until(t, ctx, `document.querySelector('.font-name') !== null`)
			before := rendered(t, ctx)
			browser.Eval[any](t, ctx, `fetch('data:font/woff2;base64,`+woff2+`').then((r) => r.blob()).then((b) => drop(new File([b], 'MyMono.woff2'), new File(['no'], 'notes.ttf')))`)
			fonts(`r.custom.length === 1 && r.custom[0].family === 'JetBrains Mono' && r.custom[0].variants[0].weight === 400`)
			until(t, ctx, `/notes.ttf: .*no font/.test(document.body.innerText)`)
			m.press(control{"button", "Actions for JetBrains Mono", ""})
			m.press(control{"button", "Rename…", ""})
			m.write("My Mono")
			browser.Eval[any](t, ctx, `(document.activeElement.blur(), null)`)
			fonts(`r.custom[0].family === 'My Mono'`)
			until(t, ctx, `[...hands.named('combobox', 'Body text').options].some((o) => o.value === 'My Mono')`)
			browser.Eval[any](t, ctx, `(() => { const s = hands.named('combobox', 'Body text'); s.value = 'My Mono'; s.dispatchEvent(new Event('change', {bubbles: true})); return null; })()`)
			fonts(`r.inUse.some((u) => u.family === 'My Mono' && u.role === 'Body text' && u.source === 'file' && u.loaded)`)
			if rendered(t, ctx) == before {
				t.Error("the page is not set in the file's face")
			}
			screenshot(t, ctx, "fonts-"+s.String())
			browser.Eval[any](t, ctx, `(() => { const f = hands.named('searchbox', 'Search the font catalogue'); f.focus(); return null; })()`)
			m.write("gara")
			until(t, ctx, `hands.named('button', /^Body text in .*Garamond/) !== null`)
			screenshot(t, ctx, "fonts-"+s.String()+"-catalogue")
			// Its files are there, or the refusal says that they are not.
			browser.Eval[any](t, ctx, `(hands.named('button', /^Headings in EB Garamond/).click(), null)`)
			fonts(`r.inUse.some((u) => u.family === 'EB Garamond' && u.loaded)`)
		})
	}
}

// A family of the catalogue sets the pages when its files can be had; where they
// cannot, another stands in, and the answers say so.
func TestACatalogueFamilyIsHadOrSetInAnother(t *testing.T) {
	ctx, _ := ownCopy(t, screens[0])
	before := rendered(t, ctx)
	const family = "Cormorant Garamond"
	a := must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"`+family+`"}]}`)
	if set := must(t, ctx, "sandbox_get_config", `{"path":"bodyText.fontFamily"}`)["set"]; set != family {
		t.Errorf("it is set to %v", set)
	}
	changed := rendered(t, ctx) != before
	list := must(t, ctx, "sandbox_list_fonts", `{"search":"`+family+`"}`)
	said := fmt.Sprint(a["newWarnings"], list["inUse"])
	switch here := strings.Contains(fmt.Sprint(list["catalogue"]), "here:true"); {
	case here && !changed:
		t.Error("the site has the family, and the page is as it was")
	case !here && (!strings.Contains(said, "fonts:") || !strings.Contains(said, "setIn:EB Garamond")):
		t.Errorf("the site has not the family, and does not say what it is set in: %s", said)
	}
}

// rendered is the picture of the first page.
func rendered(t testing.TB, ctx context.Context) string {
	t.Helper()
	return browser.Eval[string](t, ctx, `postextWebMcp.executeTool('sandbox_render_page', {chapter: 1, position: 1, width: 300}).then((r) => r.content[1].data)`)
}
