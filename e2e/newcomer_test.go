package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"postext/e2e/browser"
)

var (
	chapterText = control{"textbox", "Chapter text", ""}
	textButton  = control{"button", "Text", ""}
	designTab   = control{"button", "Design", ""}
	bodySize    = control{"textbox", "Size", "Body text"}
	settingUndo = control{"button", "Undo", ""}
	typingUndo  = control{"button", "Undo typing", ""}
)

// A newcomer who is given only the page edits the text, changes a setting and
// takes it back, with the mouse or a finger, and with the keyboard alone.
func TestANewcomerEditsSetsAndUndoes(t *testing.T) {
	address := server(t)
	for _, s := range screens {
		for _, keys := range []bool{false, true} {
			if keys == s.dark && !*everyScreen {
				continue // each size with either hand, each hand in one theme
			}
			name := s.String() + "-mouse"
			if keys {
				name = s.String() + "-keyboard"
			}
			t.Run(name, func(t *testing.T) {
				ctx := tab(t, browser.Options{BeforeScripts: hands})
				s.use(t, ctx)
				sandbox(t, ctx, address, "")
				pages(t, ctx)
				until(t, ctx, `hands.paper() !== ''`)
				var h hand = mouse{t, ctx, s.phone()}
				if keys {
					h = keyboard{t, ctx}
				}
				newcomer(t, ctx, s, h, name)
			})
		}
	}
}

func newcomer(t *testing.T, ctx context.Context, s screen, h hand, name string) {
	size := func() any { return must(t, ctx, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)["set"] }
	text := func() string {
		return must(t, ctx, "sandbox_read_text", `{"numbers":false}`)["text"].(string)
	}
	eventually := func(what string, is func() bool) {
		t.Helper()
		deadline := time.Now().Add(patience)
		for !is() {
			if time.Now().After(deadline) {
				screenshot(t, ctx, "newcomer-"+name+"-FAILED")
				t.Fatalf("%s: nothing of it after %v", what, patience)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	screenshot(t, ctx, "newcomer-"+name+"-0-arrival")
	before, paper := size(), browser.Eval[string](t, ctx, `hands.paper()`)

	// One edit: what is typed is in the book, and on the page.
	if s.phone() {
		h.press(textButton)
	}
	h.press(chapterText)
	const words = "Quokkas are smiling at this page. "
	h.write(words)
	eventually("the edit", func() bool { return strings.Contains(text(), words) })
	eventually("the edit on the page", func() bool { return browser.Eval[string](t, ctx, `hands.paper()`) != paper })
	if state := must(t, ctx, "sandbox_get_state", `{}`); state["book"].(map[string]any)["edited"] != true {
		t.Errorf("the state does not say that the book was edited: %v", state["book"])
	}
	screenshot(t, ctx, "newcomer-"+name+"-1-edit")

	// One setting: the body's size.
	h.press(designTab)
	switch h := h.(type) {
	case mouse:
		x, y := place(t, ctx, bodySize)
		if s.phone() {
			// A finger: the field, its text, the new one.
			h.press(bodySize)
			browser.Eval[any](t, ctx, `(hands.focused().select(), null)`)
			h.write("13")
			if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
				t.Fatal(err)
			}
		} else {
			// The button beside the field that makes it more.
			p := browser.Eval[struct{ X, Y float64 }](t, ctx, `(() => {
				const r = hands.named(`+bodySize.js()+`).parentElement.querySelector('[aria-label^="More"], [aria-label^="More "]').getBoundingClientRect();
				return {x: r.left + r.width / 2, y: r.top + r.height / 2};
			})()`)
			if p.X <= x || p.Y < y-20 || p.Y > y+20 {
				t.Errorf("More is at %v, the field at %v,%v", p, x, y)
			}
			if err := chromedp.Do(ctx, chromedp.MouseClickXY(p.X, p.Y)); err != nil {
				t.Fatal(err)
			}
		}
	case keyboard:
		h.reach(bodySize)
		h.key(kb.ArrowUp)
	}
	eventually("the setting", func() bool { return fmt.Sprint(size()) != fmt.Sprint(before) })
	t.Logf("body size %v, then %v", before, size())
	screenshot(t, ctx, "newcomer-"+name+"-2-setting")

	// Undo of the setting, offered where it was made.
	h.press(settingUndo)
	eventually("the setting's undo", func() bool { return fmt.Sprint(size()) == fmt.Sprint(before) })

	// And undo of the typing.
	h.press(textButton)
	if k, ok := h.(keyboard); ok {
		k.reach(chapterText)
		k.key("z", chromedp.ModifierCtrl)
	} else {
		h.press(typingUndo)
	}
	eventually("the edit's undo", func() bool { return !strings.Contains(text(), words) })
	screenshot(t, ctx, "newcomer-"+name+"-3-undone")
}

// What an agent changes is on the screen at once, without a touch.
func TestWhatAnAgentChangesIsSeen(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: hands})
	screens[0].use(t, ctx)
	sandbox(t, ctx, server(t), "#preset=book")
	pages(t, ctx)
	until(t, ctx, `hands.paper() !== '' && /smallest thing a reader sees/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	time.Sleep(300 * time.Millisecond)
	paper := browser.Eval[string](t, ctx, `hands.paper()`)
	must(t, ctx, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"A page is the smallest thing a reader sees whole.","replace":"Quokkas were here."}]}`)
	until(t, ctx, `/Quokkas were here/.test(hands.named('textbox', 'Chapter text')?.textContent)`)
	until(t, ctx, `hands.paper() !== `+quote(paper))
	paper = browser.Eval[string](t, ctx, `hands.paper()`)
	must(t, ctx, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"14pt"}]}`)
	until(t, ctx, `hands.paper() !== `+quote(paper))
}

// axe-core finds nothing serious or critical, in both themes and widths, with
// each panel open.
func TestThePageIsAccessible(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join("..", "web", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("npm's axe-core is not installed: run `make test` once: %v", err)
	}
	address := server(t)
	for _, s := range screens {
		t.Run(s.String(), func(t *testing.T) {
			ctx := tab(t, browser.Options{BeforeScripts: hands})
			s.use(t, ctx)
			sandbox(t, ctx, address, "")
			pages(t, ctx)
			if err := chromedp.Do(ctx, chromedp.EvaluateAsDevTools[chromedp.Void](string(axe)+"; undefined")); err != nil {
				// The script gives nothing back.
				t.Logf("loading axe: %v", err)
			}
			panels := []string{"Books", "Chapters", "Text", "Design"}
			if s.phone() {
				panels = append(panels, "")
			}
			for _, panel := range panels {
				if panel != "" {
					browser.Eval[any](t, ctx, `(() => { const b = hands.named('button', `+quote(panel)+`); if (b.ariaPressed !== 'true') b.click(); return null; })()`)
				} else {
					browser.Eval[any](t, ctx, `(() => { for (const b of hands.list('button', /^(Books|Chapters|Text|Design)$/)) if (b.ariaPressed === 'true') b.click(); return null; })()`)
				}
				time.Sleep(400 * time.Millisecond)
				screenshot(t, ctx, "panel-"+s.String()+"-"+strings.ToLower(panel))
				found := browser.Eval[[]struct {
					ID, Impact, Help string
					Nodes            []string
				}](t, ctx, `axe.run(document, {resultTypes: ['violations']}).then((r) => (window.passed = r.passes.length, r).violations.map((v) => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.map((n) => n.html.slice(0, 160) + ' ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ''))})))`)
				if passed := browser.Eval[float64](t, ctx, `passed`); passed < 15 {
					t.Errorf("axe looked at %v rules only", passed)
				}
				for _, v := range found {
					text, err := json.MarshalIndent(v.Nodes[:min(4, len(v.Nodes))], "", " ")
					if err != nil {
						t.Fatal(err)
					}
					if v.Impact == "serious" || v.Impact == "critical" {
						t.Errorf("%s panel %q: %s (%s): %s\n%s", s, panel, v.ID, v.Impact, v.Help, text)
					} else {
						t.Logf("%s panel %q: %s (%s): %s\n%s", s, panel, v.ID, v.Impact, v.Help, text)
					}
				}
			}
		})
	}
}
