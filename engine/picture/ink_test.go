package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"postext/engine/unit"
)

// settings.md 28: an SVG in one ink has the ink at 1 − relative luminance; white
// stays paper, opacity stays, gradients are recoloured stop by stop.
func TestInked(t *testing.T) {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><defs><linearGradient id="g"><stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient></defs>
<g opacity=".5"><rect width="1" height="1" fill="#000000"/><rect width="2" height="2" fill="#000000"/></g><rect width="1" height="1" fill="#ffffff"/><rect width="1" height="1" fill="#ff0000" fill-opacity=".25"/><rect width="9" height="9" fill="url(#g)"/></svg>`
	p, err := Open([]byte(svg), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ink := unit.Color{R: 10, G: 60, B: 110, A: 255}
	q := p.Inked(ink)
	ops := q.Drawing.Ops
	if got := ops[0].Group[0].Paint.Color; got != ink {
		t.Errorf("black in a group became %v", got)
	}
	if got := ops[1].Paint.Color; got != (unit.Color{R: 255, G: 255, B: 255, A: 255}) {
		t.Errorf("white became %v", got)
	}
	// Red has a luminance of 0.2126: 255 − (255 − 10) × 0.7874 = 62.09 and so on.
	if got, want := ops[2].Paint.Color, (unit.Color{R: 62, G: 101, B: 141, A: 64}); got != want {
		t.Errorf("red became %v, want %v", got, want)
	}
	if g := ops[3].Paint.Gradient; g == nil || g.Stops[0].Color != ink || g.Stops[1].Color.R != 255 {
		t.Errorf("the gradient became %+v", g)
	}
	if p.Drawing.Ops[0].Group[0].Paint.Color.B != 0 || p.Drawing.Ops[3].Paint.Gradient.Stops[0].Color.B != 0 {
		t.Error("the picture itself was changed")
	}
	if q.Hash == p.Hash || q.Hash != p.Inked(ink).Hash || q.Hash == p.Inked(unit.Color{A: 255}).Hash {
		t.Error("the hash does not tell the ink")
	}
	img := image.NewRGBA(image.Rect(0, 0, 2, 2))
	img.Set(0, 0, color.RGBA{255, 0, 0, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	bitmap, err := Open(b.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if bitmap.Inked(ink) != bitmap {
		t.Error("a bitmap is recoloured")
	}
}
