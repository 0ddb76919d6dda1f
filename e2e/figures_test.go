package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"postext/e2e/browser"
)

// drop gives files to the panel that is on screen as a person drops them; each is
// an expression for a File.
const drop = `window.drop = async (...files) => {
	const data = new DataTransfer();
	for (const f of files) data.items.add(await f);
	const panel = [...document.querySelectorAll('.panel')].find((p) => !p.hidden);
	for (const type of ['dragenter', 'dragover', 'drop']) panel.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data}));
	return null;
};
window.png = async (name, width, height, colour) => {
	const c = new OffscreenCanvas(width, height), d = c.getContext('2d');
	d.fillStyle = colour;
	d.fillRect(0, 0, width, height);
	return new File([await c.convertToBlob({type: 'image/png'})], name, {type: 'image/png'});
};`

// ownCopy opens a copy of the fixture book.
func ownCopy(t *testing.T, s screen) (context.Context, mouse) {
	t.Helper()
	ctx := tab(t, browser.Options{BeforeScripts: hands + drop, Timeout: 5 * time.Minute})
	s.use(t, ctx)
	sandbox(t, ctx, server(t), "#preset=book")
	must(t, ctx, "sandbox_save_book", `{"action":"copy_current"}`)
	pages(t, ctx)
	return ctx, mouse{t, ctx, s.phone()}
}

// sandbox.md 6: pictures and tables added, described, placed, renamed and deleted
// by hand, on every kind of screen.
func TestTheFiguresPanelByHand(t *testing.T) {
	for _, s := range worked() {
		t.Run(s.String(), func(t *testing.T) {
			ctx, m := ownCopy(t, s)
			figures := func(id, what string) {
				t.Helper()
				until(t, ctx, `postextWebMcp.executeTool('sandbox_list_resources', {id: `+quote(id)+`}).then((r) => r.ok && (`+what+`))`)
			}
			field := func(name, text string) {
				t.Helper()
				until(t, ctx, `hands.named('textbox', `+quote(name)+`) !== null`)
				browser.Eval[any](t, ctx, `(() => { const f = hands.named('textbox', `+quote(name)+`); f.scrollIntoView({block: 'center'}); f.focus(); f.select(); return null; })()`)
				m.write(text)
				browser.Eval[any](t, ctx, `(document.activeElement.blur(), null)`)
			}
			m.press(control{"button", "Figures", ""})
			until(t, ctx, `document.querySelector('.empty')?.checkVisibility()`)
			screenshot(t, ctx, "figures-"+s.String()+"-empty")
			browser.Eval[any](t, ctx, `drop(png('Red square.png', 300, 200, '#a33'), new File(['x'], 'notes.txt', {type: 'text/plain'}))`)
			figures("red-square", `r.pixels.width === 300`)
			until(t, ctx, `/file left out/.test(document.body.innerText)`)
			m.press(control{"button", "/red-square/", ""})
			field("Caption", "A *red* square")
			figures("red-square", `r.caption === 'A *red* square'`)
			field("Alternative text", "A square in red")
			figures("red-square", `r.altText === 'A square in red'`)
			field("Id", "square")
			figures("square", `true`)
			m.press(control{"button", "Place at the caret", ""})
			figures("square", `r.placedIn.length === 1`)
			m.press(control{"button", "Figures", ""})
			until(t, ctx, `/Placed in chapter 1/.test(document.body.innerText) && document.querySelector('.figure-preview img')?.complete`)
			// Its id everywhere: what the text says is renamed with it.
			field("Id", "tile")
			figures("tile", `r.placedIn.length === 1`)
			screenshot(t, ctx, "figures-"+s.String()+"-picture")
			m.press(control{"button", "All figures", ""})

			m.press(control{"button", "New", ""})
			m.press(control{"button", "/^Table/", ""})
			figures("table", `r.rows === 2 && r.columns === 2`)
			cell := func(y, x int, text string) {
				t.Helper()
				field(fmt.Sprintf("Row %d, column %d", y, x), text)
				figures("table", fmt.Sprintf(`JSON.stringify(r.table.rows[%d][%d]).includes(%s)`, y-1, x-1, quote(text)))
			}
			cell(1, 1, "Item")
			cell(1, 2, "Price")
			cell(2, 1, "Ink")
			m.press(control{"button", "Add row", ""})
			figures("table", `r.rows === 3`)
			until(t, ctx, `document.activeElement.ariaLabel === 'Row 3, column 1'`)
			// The arrows and the keyboard's undo.
			k := keyboard{t, ctx}
			k.key(kb.ArrowUp)
			if at := browser.Eval[string](t, ctx, `document.activeElement.ariaLabel`); at != "Row 2, column 1" {
				t.Errorf("arrow up goes to %q", at)
			}
			until(t, ctx, `hands.named('button', 'Undo in the table') !== null`) // its change is answered
			browser.Eval[any](t, ctx, `(hands.named('button', 'Undo in the table').click(), null)`)
			figures("table", `r.rows === 2`)
			until(t, ctx, `hands.named('button', 'Redo in the table') !== null`) // its change is answered
			browser.Eval[any](t, ctx, `(hands.named('button', 'Redo in the table').click(), null)`)
			figures("table", `r.rows === 3`)
			screenshot(t, ctx, "figures-"+s.String()+"-table")
			m.press(control{"button", "All figures", ""})
			screenshot(t, ctx, "figures-"+s.String())

			m.press(control{"button", "/tile/", ""})
			m.press(control{"button", "Actions for the figure", ""})
			m.press(control{"button", "Delete…", ""})
			if q := browser.Eval[string](t, ctx, `document.querySelector('[role=alertdialog]').innerText`); !strings.Contains(q, "One place in the text names it") {
				t.Errorf("the question is %q", q)
			}
			screenshot(t, ctx, "figures-"+s.String()+"-delete")
			m.press(control{"button", "Delete", ""})
			until(t, ctx, `postextWebMcp.executeTool('sandbox_list_resources', {}).then((r) => r.total === 1)`)
		})
	}
}

// sandbox.md 6.1, 6.4: the cells of a spreadsheet pasted into the panel are a table.
func TestPastedCellsAreATable(t *testing.T) {
	ctx, m := ownCopy(t, screens[0])
	m.press(control{"button", "Figures", ""})
	until(t, ctx, `document.querySelector('.empty')?.checkVisibility()`)
	browser.Eval[any](t, ctx, `(() => { const d = new DataTransfer(); d.setData('text/plain', 'a\tb\tc\n1\t2\t3\n'); document.body.dispatchEvent(new ClipboardEvent('paste', {bubbles: true, cancelable: true, clipboardData: d})); return null; })()`)
	until(t, ctx, `postextWebMcp.executeTool('sandbox_list_resources', {id: 'table'}).then((r) => r.ok && r.rows === 2 && r.columns === 3)`)
}

// sandbox.md 6.6: the safe area is drawn on the picture, moved by dragging it or with
// the arrow keys, and two small pictures show the crops that keep it in sight.
func TestTheSafeAreaIsDrawnOnThePicture(t *testing.T) {
	ctx, m := ownCopy(t, screens[0])
	m.press(control{"button", "Figures", ""})
	until(t, ctx, `document.querySelector('.empty')?.checkVisibility()`)
	// A figure that comes alone is shown at once.
	browser.Eval[any](t, ctx, `drop(png('Red square.png', 300, 200, '#a33'))`)
	until(t, ctx, `[...document.querySelectorAll('.figure-more')].some((d) => d.checkVisibility())`)
	browser.Eval[any](t, ctx, `(() => { const d = document.querySelector('.figure-more'); d.open = true; d.scrollIntoView(); return null; })()`)
	until(t, ctx, `document.querySelector('.safe-stage img')?.naturalWidth === 300`)
	drag := func(x1, y1, x2, y2 float64) {
		t.Helper()
		browser.Eval[any](t, ctx, fmt.Sprintf(`(() => {
			const stage = document.querySelector('.safe-stage'), r = stage.querySelector('img').getBoundingClientRect();
			const at = (type, x, y) => {
				const p = {clientX: r.left + x * r.width, clientY: r.top + y * r.height, pointerId: 1, button: 0, isPrimary: true, bubbles: true, cancelable: true};
				const e = type === 'pointerdown' ? document.elementFromPoint(p.clientX, p.clientY) : stage;
				e.dispatchEvent(new PointerEvent(type, p));
			};
			stage.setPointerCapture = () => {};
			at('pointerdown', %[1]v, %[2]v);
			at('pointermove', (%[1]v + %[3]v) / 2, (%[2]v + %[4]v) / 2);
			at('pointermove', %[3]v, %[4]v);
			at('pointerup', %[3]v, %[4]v);
			return null;
		})()`, x1, y1, x2, y2))
	}
	is := func(x, y, width, height float64) {
		t.Helper()
		until(t, ctx, fmt.Sprintf(`postextWebMcp.executeTool('sandbox_list_resources', {id: 'red-square'}).then((r) => {
			const a = r.resource.safeArea, near = (p, q) => Math.abs(p - q) < 0.011;
			return a !== undefined && near(a.x, %v) && near(a.y, %v) && near(a.width, %v) && near(a.height, %v);
		})`, x, y, width, height))
	}
	drag(0.2, 0.3, 0.6, 0.7)
	is(0.2, 0.3, 0.4, 0.4)
	drag(0.4, 0.5, 0.5, 0.6) // inside: moved
	is(0.3, 0.4, 0.4, 0.4)
	k := keyboard{t, ctx}
	k.key(kb.ArrowRight)
	is(0.31, 0.4, 0.4, 0.4)
	k.key(kb.ArrowDown, chromedp.ModifierShift)
	is(0.31, 0.4, 0.4, 0.41)
	if n := browser.Eval[float64](t, ctx, `[...document.querySelectorAll('.safe-crop img')].filter((i) => i.checkVisibility()).length`); n != 2 {
		t.Errorf("%v crops are shown", n)
	}
	screenshot(t, ctx, "figures-safe-area")
}
