package paint

import (
	"bytes"
	"context"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// quarterOf turns a picture by a quarter, clockwise or the other way.
func quarterOf(m *Image, clockwise bool) []byte {
	out := make([]byte, 0, len(m.Pix))
	for y := range m.Width {
		for x := range m.Height {
			sx, sy := y, m.Height-1-x
			if !clockwise {
				sx, sy = m.Width-1-y, x
			}
			out = append(out, m.Pix[4*(sy*m.Width+sx):][:4]...)
		}
	}
	return out
}

// A turned block has the pixels it has upright, on its side, and a crop shows the
// same part of it as the whole page.
func TestTurnedBlocksArePaintedOnTheirSide(t *testing.T) {
	ctx := context.Background()
	upright := textPage(t)
	block := *upright.Columns[0].Blocks[0]
	block.Under = []frame.Item{{Box: unit.Rect{X: 20 * unit.Pt, Y: 30 * unit.Pt, W: 90 * unit.Pt, H: 50 * unit.Pt}, Fill: unit.Color{R: 200, G: 220, B: 90, A: 128}}}
	upright.Columns = nil
	upright.Floats = []*frame.Block{&block}
	// A page whose sides are whole pixels, so that no scale differs.
	upright.Width, upright.Height = 420*unit.Pt, 600*unit.Pt
	for _, turn := range []frame.Turn{frame.CCW, frame.CW} {
		on := *upright
		on.Width, on.Height = upright.Height, upright.Width
		b := block
		b.Turn = turn
		on.Floats = []*frame.Block{&b}
		var p Painter
		want, err := p.Page(ctx, upright, Options{Width: 420})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Page(ctx, &on, Options{Width: 600})
		if err != nil {
			t.Fatal(err)
		}
		if got.Width != 600 || got.Height != 420 || !bytes.Equal(got.Pix, quarterOf(want, turn == frame.CW)) {
			t.Errorf("%s: not the upright page on its side", turn)
		}
		part, err := p.Page(ctx, &on, Options{Width: 150, Crop: Crop{X: 0.25, Y: 0.5, W: 0.25, H: 0.25}})
		if err != nil {
			t.Fatal(err)
		}
		for y := range part.Height {
			if !bytes.Equal(part.Pix[4*y*150:4*(y+1)*150], got.Pix[4*((210+y)*600+150):][:600]) {
				t.Fatalf("%s: row %d of the crop is not that of the page", turn, y)
			}
		}
	}
}
