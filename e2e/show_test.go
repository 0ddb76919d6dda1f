package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png"
	"math"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"postext/e2e/browser"
)

// box is where a picture stands on the screen.
type box struct {
	Selector            string
	X, Y, Width, Height float64
}

// shownPages is the part of a sandbox_render_page answer this file looks at.
type shownPages struct {
	Pages []struct {
		Pixels struct{ Width, Height int }
		Shown  box
	}
	Shown box
}

// A picture that is shown is on the screen pixel for pixel, at every ratio of
// pixels, also where the window is too small for it; and the person goes on
// typing.
func TestShownPicturesStandPixelForPixel(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int64
		ratio         float64
		args          string
		pages         int
	}{
		{"small", 1440, 900, 1, `"width":420`, 1},
		{"taller than the window", 1440, 900, 1, `"width":1000`, 1},
		{"two device pixels", 1280, 800, 2, `"width":1100`, 1},
		{"odd ratio", 1280, 800, 1.25, `"width":500`, 1},
		{"phone", 390, 844, 3, `"width":1000`, 1},
		{"a crop", 1440, 900, 1, `"width":600,"crop":{"x":0.1,"y":0.1,"width":0.6,"height":0.3}`, 1},
		{"two pages", 1440, 900, 1, `"width":400,"count":2`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := tab(t, browser.Options{BeforeScripts: hands})
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(c.width, c.height, chromedp.EmulateScale(c.ratio))); err != nil {
				t.Fatal(err)
			}
			sandbox(t, ctx, server(t), "")
			pages(t, ctx)
			typing := c.width > 768
			if typing {
				browser.Eval[any](t, ctx, `(hands.named('textbox', 'Chapter text').focus(), null)`)
			}

			whole := must(t, ctx, "sandbox_render_page", `{"chapter":1,"position":1,`+c.args+`}`)
			about, pictures := shown(t, must(t, ctx, "sandbox_render_page", `{"chapter":1,"position":1,"show":true,"data":false,`+c.args+`}`))
			if pictures != 0 || len(about.Pages) != c.pages || about.Shown != about.Pages[0].Shown {
				t.Fatalf("%d pictures in the answer with data: false; %+v", pictures, about)
			}
			for i, p := range about.Pages {
				at := p.Shown
				if at.Width*c.ratio != float64(p.Pixels.Width) || at.Height*c.ratio != float64(p.Pixels.Height) {
					t.Errorf("%d × %d pixels are shown as %g × %g at %g pixels each", p.Pixels.Width, p.Pixels.Height, at.Width, at.Height, c.ratio)
				}
				stands(t, ctx, at, c.ratio, imageOf(t, whole, i))
			}
			if typing {
				if f := browser.Eval[string](t, ctx, `hands.focused().computedName`); f != "Chapter text" {
					t.Errorf("the picture took the focus: it is on %q", f)
				}
			}

			// Another call takes the place of the first, Escape puts it away.
			next, _ := shown(t, must(t, ctx, "sandbox_render_page", `{"chapter":2,"position":1,"show":true,"width":300}`))
			if there := browser.Eval[int](t, ctx, `document.querySelectorAll('[id^=postext-shown]').length`); there != 1 {
				t.Errorf("%d pictures on the screen after the second call", there)
			}
			if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)); err != nil {
				t.Fatal(err)
			}
			until(t, ctx, `document.querySelector(`+quote(next.Shown.Selector)+`) === null`)
			if typing {
				if f := browser.Eval[string](t, ctx, `hands.focused().computedName`); f != "Chapter text" {
					t.Errorf("after Escape the focus is on %q", f)
				}
			}
		})
	}
}

// The button puts a picture away too.
func TestAShownPictureIsPutAwayByItsButton(t *testing.T) {
	ctx := tab(t, browser.Options{BeforeScripts: hands})
	screens[0].use(t, ctx)
	sandbox(t, ctx, server(t), "")
	pages(t, ctx)
	must(t, ctx, "sandbox_render_page", `{"chapter":1,"position":1,"show":true,"data":false,"width":500}`)
	screenshot(t, ctx, "shown")
	mouse{t, ctx, false}.press(control{"button", "Put the picture away", ""})
	until(t, ctx, `document.querySelector('[id^=postext-shown]') === null`)
}

// shown reads the text part of an answer and counts its pictures.
func shown(t testing.TB, a answer) (about shownPages, pictures int) {
	t.Helper()
	parts, ok := a["content"].([]any)
	if !ok || len(parts) == 0 {
		t.Fatalf("no content: %v", a)
	}
	text, ok := parts[0].(map[string]any)["text"].(string)
	if !ok {
		t.Fatalf("no text part: %v", parts[0])
	}
	if err := json.Unmarshal([]byte(text), &about); err != nil {
		t.Fatal(err)
	}
	return about, len(parts) - 1
}

// imageOf decodes picture i of an answer.
func imageOf(t testing.TB, a answer, i int) image.Image {
	t.Helper()
	part, ok := a["content"].([]any)[1+i].(map[string]any)
	if !ok {
		t.Fatalf("part %d of %v", 1+i, a)
	}
	m, _, err := image.Decode(bytes.NewReader(decode64(t, part["data"].(string))))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stands compares what stands at a place of the document with a picture.
func stands(t testing.TB, ctx context.Context, at box, ratio float64, want image.Image) {
	t.Helper()
	// The browser clips at whole CSS pixels only; the place itself falls on
	// pixels of the screen.
	left, top := math.Floor(at.X), math.Floor(at.Y)
	beyond := true
	shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip:                  &page.Viewport{X: left, Y: top, Width: math.Ceil(at.X + at.Width - left), Height: math.Ceil(at.Y + at.Height - top), Scale: 1},
		CaptureBeyondViewport: &beyond})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := image.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		t.Fatal(err)
	}
	corner := image.Pt(int(math.Round((at.X-left)*ratio)), int(math.Round((at.Y-top)*ratio)))
	if !want.Bounds().Add(corner).In(got.Bounds()) {
		t.Errorf("the place %+v holds %v, the picture is %v", at, got.Bounds(), want.Bounds())
		return
	}
	if differ := different(got, want, corner); differ != "" {
		t.Error(differ)
	}
}

// different says how many pixels of a picture are not the same in another, where
// its corner is.
func different(got, want image.Image, corner image.Point) string {
	n, first := 0, ""
	for y := want.Bounds().Min.Y; y < want.Bounds().Max.Y; y++ {
		for x := want.Bounds().Min.X; x < want.Bounds().Max.X; x++ {
			r, g, b, _ := got.At(corner.X+x, corner.Y+y).RGBA()
			wr, wg, wb, _ := want.At(x, y).RGBA()
			if r>>8 != wr>>8 || g>>8 != wg>>8 || b>>8 != wb>>8 {
				if n++; n == 1 {
					first = fmt.Sprintf("the first at %d,%d: %v, not %v", x, y, got.At(corner.X+x, corner.Y+y), want.At(x, y))
				}
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d pixels differ, %s", n, first)
}
