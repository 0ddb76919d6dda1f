package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"postext/e2e/browser"
)

// hands finds controls as a person does: by role and name, as assistive
// technology hears them, never by class.
const hands = `window.hands = {
	*all(root = document) {
		for (const e of root.querySelectorAll('*')) {
			yield e;
			if (e.shadowRoot) yield* hands.all(e.shadowRoot);
		}
	},
	up(e) { return e.parentElement ?? e.getRootNode().host; },
	within(e, box) { for (; e; e = hands.up(e)) if (e === box) return true; return false; },
	seen(e) {
		if (!e.checkVisibility({visibilityProperty: true}) || e.getClientRects().length === 0 || e.disabled) return false;
		for (let p = e; p; p = hands.up(p)) if (p.inert) return false;
		return true;
	},
	// The controls of a role with a name (text, or a pattern), in order; in a group
	// when its heading's text is given.
	list(role, name, group) {
		const found = [];
		for (const e of hands.all()) {
			if (e.tabIndex < 0 && !e.hasAttribute('tabindex') && !e.hasAttribute('role') && !/^(H\d|A|OUTPUT|LI)$/.test(e.tagName)) continue;
			// Roles and names are dear to compute: only where the words are anywhere near.
			const words = [e.ariaLabel, e.title, e.labels?.[0]?.textContent, e.children.length < 9 ? e.textContent : ''];
			if (typeof name === 'string' && !words.some((w) => w?.includes(name))) continue;
			if (!hands.seen(e) || e.computedRole !== role) continue;
			const is = e.computedName;
			if (name instanceof RegExp ? !name.test(is) : is !== name) continue;
			if (group) {
				let s = e;
				while (s && ![...s.querySelectorAll(':scope > h2, :scope > h3')].some((t) => t.textContent === group)) s = hands.up(s);
				if (!s) continue;
			}
			found.push(e);
		}
		return found;
	},
	named(role, name, group) { return hands.list(role, name, group)[0] ?? null; },
	focused() {
		let e = document.activeElement;
		while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
		return e;
	},
	// Where to press a control, once it is in sight and nothing lies over it.
	place(role, name, group) {
		const e = hands.named(role, name, group);
		if (!e) return null;
		e.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
		const r = e.getBoundingClientRect();
		const x = r.left + r.width / 2, y = r.top + Math.min(r.height / 2, 200);
		let hit = document.elementFromPoint(x, y);
		while (hit?.shadowRoot) { const inner = hit.shadowRoot.elementFromPoint(x, y); if (!inner || inner === hit) break; hit = inner; }
		return {x, y, covered: hands.within(hit, e) ? '' : hit ? hit.outerHTML.slice(0, 120) : 'nothing there'};
	},
	// How far the focus is from a control: there, beside it in a group of arrow keys,
	// or before or after it. The control is looked up once and kept while it lives.
	where(role, name, group) {
		const key = [role, name, group].join();
		if (hands.key !== key || !hands.target.isConnected) {
			hands.key = key;
			hands.way = [];
			hands.target = hands.named(role, name, group);
		}
		const e = hands.target, f = hands.focused();
		if (!e) return 'missing';
		hands.way.push(f);
		if (e === f) return 'there';
		const bar = e.closest('[role=toolbar], [role=tablist]');
		if (bar && hands.within(f, bar) && /^(BUTTON|INPUT|SELECT)$/.test(f.tagName) && e.tabIndex < 0) return bar.getAttribute('aria-orientation') === 'vertical' ? 'below' : 'beside';
		const outer = (x) => { while (x.getRootNode().host) x = x.getRootNode().host; return x; };
		return outer(f).compareDocumentPosition(outer(e)) & Node.DOCUMENT_POSITION_PRECEDING ? 'before' : 'after';
	},
	// A fingerprint of what the pages on screen show.
	paper() {
		return [...document.querySelectorAll('canvas')].filter((c) => c.width > 1).map((c) => {
			const copy = new OffscreenCanvas(c.width, Math.min(c.height, 900)).getContext('2d');
			copy.drawImage(c, 0, 0);
			const d = copy.getImageData(0, 0, copy.canvas.width, copy.canvas.height).data;
			let h = 0;
			for (let i = 0; i < d.length; i += 4) h = (h * 31 + d[i]) | 0;
			return h;
		}).join(' ');
	},
};`

// control names one control: role, accessible name, and the heading of its group
// where several have the name. A name in slashes is a pattern.
type control struct{ role, name, group string }

func (c control) js() string {
	name := quote(c.name)
	if strings.HasPrefix(c.name, "/") {
		name = c.name
	}
	return fmt.Sprintf("%s, %s, %s", quote(c.role), name, quote(c.group))
}

func (c control) String() string { return c.role + " " + c.name }

// screen is a size and a theme.
type screen struct {
	width, height int64
	dark          bool
}

func (s screen) phone() bool { return s.width < 768 }

func (s screen) String() string {
	theme := "light"
	if s.dark {
		theme = "dark"
	}
	return fmt.Sprintf("%d-%s", s.width, theme)
}

var screens = []screen{{1440, 900, false}, {1440, 900, true}, {390, 844, false}, {390, 844, true}}

var everyScreen = flag.Bool("screens", false, "work the panels at every size in both themes, not at each size and in each theme once")

// worked are the screens at which a panel is worked by hand: what differs between
// them is size and touch, or colour, and seldom both together.
func worked() []screen {
	if *everyScreen {
		return screens
	}
	return []screen{screens[0], screens[3]}
}

// use gives the tab the screen's size, touch and theme.
func (s screen) use(t testing.TB, ctx context.Context) {
	t.Helper()
	var opts []chromedp.EmulateViewportOption
	if s.phone() {
		opts = append(opts, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(s.width, s.height, opts...)); err != nil {
		t.Fatal(err)
	}
	theme := "light"
	if s.dark {
		theme = "dark"
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}); err != nil {
		t.Fatal(err)
	}
}

// hand is how a person works the page.
type hand interface {
	// press works a control; it must be in sight.
	press(control)
	// write enters text where the focus is.
	write(string)
	String() string
}

// place waits until a control is there and can be hit.
func place(t testing.TB, ctx context.Context, c control) (x, y float64) {
	t.Helper()
	var p *struct {
		X, Y    float64
		Covered string
	}
	deadline := time.Now().Add(patience)
	for last := p; ; last = p {
		p = browser.Eval[*struct {
			X, Y    float64
			Covered string
		}](t, ctx, `hands.place(`+c.js()+`)`)
		// What still moves would be missed.
		if p != nil && p.Covered == "" && last != nil && *p == *last {
			return p.X, p.Y
		}
		if time.Now().After(deadline) {
			if p == nil {
				t.Fatalf("there is no %v on screen", c)
			}
			t.Fatalf("the %v is covered by %s", c, p.Covered)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// mouse is a pointer, or a finger on a phone.
type mouse struct {
	t     testing.TB
	ctx   context.Context
	touch bool
}

func (m mouse) String() string { return "mouse" }

func (m mouse) press(c control) {
	m.t.Helper()
	x, y := place(m.t, m.ctx, c)
	var err error
	if m.touch {
		err = touch(m.ctx, x, y)
	} else {
		err = chromedp.Do(m.ctx, chromedp.MouseClickXY(x, y))
	}
	if err != nil {
		m.t.Fatalf("pressing %v: %v", c, err)
	}
}

// touch puts a finger down and lifts it. The finger is lifted without waiting for the
// page's answer to the touch: a busy page would make a long press of it, which is
// no click.
func touch(ctx context.Context, x, y float64) error {
	down := make(chan error, 1)
	go func() {
		radius, force, id := 1.0, 1.0, 0.0
		_, err := chromedp.Call(ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{
			Type:        input.DispatchTouchEventTypeTouchStart,
			TouchPoints: []*input.TouchPoint{{X: x, Y: y, RadiusX: &radius, RadiusY: &radius, Force: &force, ID: &id}},
		})
		down <- err
	}()
	time.Sleep(30 * time.Millisecond)
	_, err := chromedp.Call(ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{
		Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	return errors.Join(<-down, err)
}

func (m mouse) write(text string) {
	m.t.Helper()
	if _, err := chromedp.Call(m.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		m.t.Fatal(err)
	}
}

// keyboard is keys only.
type keyboard struct {
	t   testing.TB
	ctx context.Context
}

func (k keyboard) String() string { return "keyboard" }

func (k keyboard) key(key string, modifiers ...chromedp.Modifier) {
	k.t.Helper()
	if err := chromedp.Do(k.ctx, chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...))); err != nil {
		k.t.Fatal(err)
	}
}

// reach moves the focus with Tab, and with arrows inside a toolbar, until it is
// on the control.
func (k keyboard) reach(c control) {
	k.t.Helper()
	place(k.t, k.ctx, c)
	for range 150 {
		switch browser.Eval[string](k.t, k.ctx, `hands.where(`+c.js()+`)`) {
		case "there":
			return
		case "below":
			k.key(kb.ArrowDown)
		case "beside":
			k.key(kb.ArrowRight)
		case "before":
			k.key(kb.Tab, chromedp.ModifierShift)
		default:
			k.key(kb.Tab)
		}
	}
	way := browser.Eval[[]string](k.t, k.ctx, `hands.way.map((f) => f ? f.computedRole + ' ' + f.computedName : 'nothing')`)
	k.t.Fatalf("the keyboard does not reach %v; the way was %q", c, way)
}

func (k keyboard) press(c control) {
	k.t.Helper()
	k.reach(c)
	if c.role == "button" {
		k.key(kb.Enter)
	}
}

func (k keyboard) write(text string) {
	k.t.Helper()
	k.key(text)
}
