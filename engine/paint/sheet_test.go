package paint

import (
	"context"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// settings.md 5: a sheet with crop marks shows the page where it was, the ground and
// what hangs over the edge as far as the bleed, the marks beyond it, and nothing
// else there; trimmed, it is the page as if there were no marks.
func TestSheetWithCropMarks(t *testing.T) {
	const pt = unit.Pt
	page := &frame.Page{Width: 100 * pt, Height: 200 * pt, Background: unit.Color{R: 240, G: 240, A: 255}}
	page.Under = []frame.Item{{Box: unit.Rect{X: -30 * pt, Y: 50 * pt, W: 60 * pt, H: 20 * pt}, Fill: unit.Color{B: 255, A: 255}}}
	page.Floats = []*frame.Block{{Turn: frame.CW, Under: []frame.Item{{Box: unit.Rect{X: 20 * pt, Y: 10 * pt, W: 30 * pt, H: 7 * pt}, Fill: unit.Color{G: 255, A: 255}}}}}
	plain := *page
	page.Marks = &frame.CropMarks{Bleed: 10 * pt, Margin: 50 * pt, Start: 15 * pt, Length: 20 * pt, Width: 2 * pt, Color: unit.Color{R: 255, A: 255}}
	var p Painter
	paint := func(pg *frame.Page, o Options) *Image {
		m, err := p.Page(context.Background(), pg, o)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := paint(page, Options{Width: 200}) // a pixel to the point
	if m.Width != 200 || m.Height != 300 {
		t.Fatalf("%d × %d px", m.Width, m.Height)
	}
	for _, c := range []struct {
		what    string
		x, y    int
		r, g, b uint8
	}{
		{"the sheet's corner", 1, 1, 255, 255, 255},
		{"the page", 60, 60, 240, 240, 0},
		{"the bleed", 41, 60, 240, 240, 0},
		{"beyond the bleed", 38, 60, 255, 255, 255},
		{"a picture over the edge", 45, 110, 0, 0, 255},
		{"the same beyond the bleed", 38, 110, 255, 255, 255},
		{"the mark at the head's left end", 30, 50, 255, 0, 0},
		{"before it", 13, 50, 255, 255, 255},
		{"between it and the bleed", 37, 50, 255, 255, 255},
		{"the mark under the foot's right end", 150, 280, 255, 0, 0},
	} {
		px := m.Pix[4*(c.y*m.Width+c.x):]
		if px[0] != c.r || px[1] != c.g || px[2] != c.b {
			t.Errorf("%s: #%02x%02x%02x", c.what, px[0], px[1], px[2])
		}
	}
	want := paint(&plain, Options{Width: 100})
	if got := paint(page, Options{Width: 100, Trimmed: true}); string(got.Pix) != string(want.Pix) || got.Height != want.Height {
		t.Error("trimmed, the page is not what it is without marks")
	}
	part := paint(page, Options{Width: 100, Crop: Crop{X: .25, Y: 1. / 6, W: .5, H: 2. / 3}})
	if string(part.Pix) != string(want.Pix) {
		t.Error("the crop of the trimmed page is not the page")
	}
}

func TestGoldenSheet(t *testing.T) {
	page := textPage(t)
	const mm = unit.Inch * 10 / 254
	page.Marks = &frame.CropMarks{Bleed: 3 * mm, Margin: 11 * mm, Start: 3 * mm, Length: 5 * mm, Width: unit.Pt / 4, Color: unit.Black}
	page.Under = []frame.Item{{Box: page.BleedBox(), Fill: unit.Color{R: 0xF4, G: 0xE8, B: 0xD0, A: 255}}}
	golden(t, "sheet", page, Options{Width: 320})
}
