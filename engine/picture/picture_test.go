package picture

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/engine/font"
	"postext/engine/font/fonttest"
)

var update = flag.Bool("update", false, "write the golden pictures anew; look at them before committing")

// faces gives one face for every family.
func faces(t testing.TB) FaceFunc {
	return func(string, int, bool) (*font.Face, bool) { return fonttest.Face(t, "EB Garamond", 400, false), true }
}

func open(t testing.TB, data []byte) *Picture {
	t.Helper()
	p, err := Open(data, Options{Face: faces(t)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func render(t testing.TB, p *Picture, w, h int) *image.RGBA {
	t.Helper()
	var c Cache
	m, err := c.Render(context.Background(), nil, p, w, h, Crop{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withChunk puts a chunk behind a PNG's header.
func withChunk(png []byte, name string, data []byte) []byte {
	c := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	c = append(append(c, name...), data...)
	c = binary.BigEndian.AppendUint32(c, crc32.ChecksumIEEE(c[4:]))
	return append(append(append([]byte(nil), png[:33]...), c...), png[33:]...)
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// A picture of 60,000 × 60,000 pixels is refused by its header, before anything
// is decoded.
func TestBombIsRefusedByItsHeader(t *testing.T) {
	data := encodePNG(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	binary.BigEndian.PutUint32(data[16:], 60_000)
	binary.BigEndian.PutUint32(data[20:], 60_000)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	_, err := Open(data, Options{})
	if err == nil || !strings.Contains(err.Error(), "60000 × 60000") || !strings.Contains(err.Error(), "scale it down") {
		t.Errorf("%v", err)
	}
	for _, c := range [][]byte{nil, []byte("no picture"), []byte("\x89PNG\r\n\x1a\n"), []byte("\xff\xd8\xff\xe0"), []byte("GIF89a\x00\x00\x00\x00"), []byte("RIFF\x00\x00\x00\x00WEBPVP8 ")} {
		if _, err := Open(c, Options{}); err == nil {
			t.Errorf("%q is taken for a picture", c)
		}
	}
}

// exif is a block that says nothing but the orientation.
func exif(orient uint16) []byte {
	b := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	b = binary.BigEndian.AppendUint16(b, orient)
	return append(b, 0, 0, 0, 0, 0, 0)
}

// A picture is shown upright whatever its EXIF orientation (EXIF 2.32, 4.6.4 A).
func TestOrientation(t *testing.T) {
	// Two by three pixels, a red one in a corner: where it is seen.
	for orient, want := range map[uint16]image.Point{1: {0, 0}, 2: {1, 0}, 3: {1, 2}, 4: {0, 2}, 5: {0, 0}, 6: {2, 0}, 7: {2, 1}, 8: {0, 1}} {
		m := image.NewNRGBA(image.Rect(0, 0, 2, 3))
		for i := range m.Pix {
			m.Pix[i] = 255
		}
		m.SetNRGBA(0, 0, color.NRGBA{255, 0, 0, 255})
		p := open(t, withChunk(encodePNG(t, m), "eXIf", exif(orient)))
		if w, h := p.Width, p.Height; orient < 5 && (w != 2 || h != 3) || orient >= 5 && (w != 3 || h != 2) {
			t.Errorf("orientation %d: %d × %d", orient, w, h)
		}
		out := render(t, p, p.Width, p.Height)
		if c := out.RGBAAt(want.X, want.Y); c != (color.RGBA{255, 0, 0, 255}) {
			t.Errorf("orientation %d: %v at %v", orient, c, want)
		}
	}
}

// profile builds an ICC profile of primaries in XYZ (D50) and one gamma.
func profile(space string, gamma float64, xyz [3][3]float64) []byte {
	tags := []string{"rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC"}
	body := make([]byte, 132+12*len(tags))
	copy(body[16:], space)
	copy(body[20:], "XYZ ")
	copy(body[36:], "acsp")
	binary.BigEndian.PutUint32(body[128:], uint32(len(tags)))
	for i, name := range tags {
		var data []byte
		if i < 3 {
			data = append(data, "XYZ \x00\x00\x00\x00"...)
			for _, v := range xyz[i] {
				data = binary.BigEndian.AppendUint32(data, uint32(int32(v*65536)))
			}
		} else {
			data = append(data, "curv\x00\x00\x00\x00\x00\x00\x00\x01"...)
			data = binary.BigEndian.AppendUint16(data, uint16(gamma*256))
			data = append(data, 0, 0)
		}
		e := body[132+12*i:]
		copy(e, name)
		binary.BigEndian.PutUint32(e[4:], uint32(len(body)))
		binary.BigEndian.PutUint32(e[8:], uint32(len(data)))
		body = append(body, data...)
	}
	return body
}

// sRGB's primaries, adapted to D50.
var srgb = [3][3]float64{{0.4360, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7141}}

// A profile of primaries and tone curves is converted to sRGB; one made of tables
// is not, and says so.
func TestColourProfiles(t *testing.T) {
	grey := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	grey.SetNRGBA(0, 0, color.NRGBA{128, 128, 128, 255})
	red := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	red.SetNRGBA(0, 0, color.NRGBA{200, 30, 30, 255})
	swapped := [3][3]float64{srgb[1], srgb[0], srgb[2]}
	for _, c := range []struct {
		name    string
		m       image.Image
		profile []byte
		want    color.RGBA
		note    bool
	}{
		{"linear light", grey, profile("RGB ", 1, srgb), color.RGBA{188, 188, 188, 255}, false},
		{"linear grey", grey, profile("GRAY", 1, srgb), color.RGBA{188, 188, 188, 255}, false},
		{"red and green exchanged", red, profile("RGB ", 2.2, swapped), color.RGBA{24, 200, 24, 255}, false},
		{"tables", grey, append(profile("RGB ", 1, srgb)[:132], 0), color.RGBA{128, 128, 128, 255}, true},
		{"CMYK", grey, profile("CMYK", 1, srgb), color.RGBA{128, 128, 128, 255}, true},
		{"rubbish", grey, []byte("rubbish"), color.RGBA{128, 128, 128, 255}, true},
	} {
		data := withChunk(encodePNG(t, c.m), "iCCP", append([]byte("p\x00\x00"), deflated(c.profile)...))
		p := open(t, data)
		if c.note != (len(p.Notes) > 0) {
			t.Errorf("%s: notes %q", c.name, p.Notes)
		}
		got := render(t, p, 1, 1).RGBAAt(0, 0)
		near := func(a, b uint8) bool { return int(a) <= int(b)+6 && int(b) <= int(a)+6 }
		if !near(got.R, c.want.R) || !near(got.G, c.want.G) || !near(got.B, c.want.B) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A bomb in a profile's place is no profile.
func TestProfileBomb(t *testing.T) {
	data := withChunk(encodePNG(t, image.NewGray(image.Rect(0, 0, 1, 1))), "iCCP", append([]byte("p\x00\x00"), deflated(make([]byte, 64<<20))...))
	if p := open(t, data); p.color != nil {
		t.Error("taken")
	}
}

// The formats are known by their content; each gives its pixels.
func TestFormats(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	for y := range 8 {
		for x := range 8 {
			m.SetNRGBA(x, y, color.NRGBA{40, 90, 160, 255})
		}
	}
	var j, g bytes.Buffer
	if err := jpeg.Encode(&j, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	pal := color.Palette{color.NRGBA{40, 90, 160, 255}, color.White}
	first := image.NewPaletted(image.Rect(2, 2, 6, 6), pal)
	second := image.NewPaletted(image.Rect(0, 0, 8, 8), pal)
	if err := gif.EncodeAll(&g, &gif.GIF{Image: []*image.Paletted{first, second}, Delay: []int{1, 1}, Config: image.Config{Width: 8, Height: 8, ColorModel: pal}}); err != nil {
		t.Fatal(err)
	}
	webp, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		format string
		data   []byte
		size   int
		want   color.RGBA
	}{
		{"png", encodePNG(t, m), 8, color.RGBA{40, 90, 160, 255}},
		{"jpeg", j.Bytes(), 8, color.RGBA{40, 90, 160, 255}},
		{"gif", g.Bytes(), 8, color.RGBA{40, 90, 160, 255}}, // the first image, at its place
		{"webp", webp, 1, color.RGBA{}},
	} {
		p := open(t, c.data)
		if p.Format != c.format || p.Width != c.size || p.Height != c.size {
			t.Errorf("%s: %s %d × %d", c.format, p.Format, p.Width, p.Height)
		}
		out := render(t, p, c.size, c.size)
		got := out.RGBAAt(c.size/2, c.size/2)
		near := func(a, b uint8) bool { return int(a) <= int(b)+3 && int(b) <= int(a)+3 }
		if c.format != "webp" && (!near(got.R, c.want.R) || !near(got.G, c.want.G) || !near(got.B, c.want.B) || got.A != 255) {
			t.Errorf("%s: %v", c.format, got)
		}
		if c.format == "gif" && out.RGBAAt(0, 0).A != 0 {
			t.Error("gif: around its first image something is painted")
		}
	}
}

// What the file states as its resolution counts, but for 72 and 96.
func TestResolution(t *testing.T) {
	m := encodePNG(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	phys := func(perMetre uint32) []byte {
		b := binary.BigEndian.AppendUint32(nil, perMetre)
		return append(binary.BigEndian.AppendUint32(b, perMetre), 1)
	}
	if p := open(t, withChunk(m, "pHYs", phys(11811))); p.DPI < 299.9 || p.DPI > 300.1 {
		t.Errorf("%v", p.DPI)
	}
	if p := open(t, m); p.DPI != 0 {
		t.Errorf("%v", p.DPI)
	}
}

// A pixel of a picture made smaller is the mean of what it covers; the mean of
// black and white squares is a middle grey at any width.
func TestSmallerPicturesAreMeans(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range m.Pix {
		if (i%64+i/64)%2 == 0 {
			m.Pix[i] = 255
		}
	}
	p := open(t, encodePNG(t, m))
	for _, w := range []int{32, 16, 8, 1} {
		out := render(t, p, w, w)
		for i := 0; i < len(out.Pix); i += 4 {
			if v := out.Pix[i]; v < 126 || v > 129 || out.Pix[i+3] != 255 {
				t.Fatalf("%d: %d", w, v)
			}
		}
	}
	// Transparent pixels weigh nothing: no dark edge.
	half := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	half.SetNRGBA(0, 0, color.NRGBA{255, 255, 255, 255})
	if c := render(t, open(t, encodePNG(t, half)), 1, 1).RGBAAt(0, 0); c.R != c.A || c.A < 127 || c.A > 128 {
		t.Errorf("%v", c)
	}
}

// A crop of a picture is that part of the whole.
func TestCropShowsItsPart(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	for y := range 40 {
		for x := range 40 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(6 * x), uint8(6 * y), 9, 255})
		}
	}
	var c Cache
	p := open(t, encodePNG(t, m))
	part, err := c.Render(context.Background(), nil, p, 20, 10, Crop{X0: 16384, X1: 49152, Y0: 32768, Y1: 49152})
	if err != nil {
		t.Fatal(err)
	}
	whole := render(t, p, 40, 40)
	for y := range 10 {
		for x := range 20 {
			if part.RGBAAt(x, y) != whole.RGBAAt(x+10, y+20) {
				t.Fatalf("%d, %d", x, y)
			}
		}
	}
}

// A picture painted again at its size is not decoded or painted anew.
func TestCacheKeepsWhatWasPainted(t *testing.T) {
	var c Cache
	p := open(t, encodePNG(t, image.NewGray(image.Rect(0, 0, 9, 9))))
	a, err1 := c.Render(context.Background(), nil, p, 5, 5, Crop{})
	b, err2 := c.Render(context.Background(), nil, p, 5, 5, Crop{})
	if err1 != nil || err2 != nil || a != b {
		t.Error("painted twice")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Render(ctx, nil, p, 6, 6, Crop{}); err == nil {
		t.Error("painted for nobody")
	}
}

// Drawings are compared with the pictures kept in testdata.
func TestGoldenDrawings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p := open(t, data)
		m := render(t, p, 360, max(360*p.Height/p.Width, 1))
		name := strings.TrimSuffix(f, ".svg") + ".png"
		if *update {
			if err := os.WriteFile(name, encodePNG(t, m), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := png.Decode(bytes.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		if string(encodePNG(t, m)) != string(encodePNG(t, w)) && !same(m, w) {
			t.Errorf("%s differs; run with -update and look at it", name)
		}
	}
}

// same allows for what PNG's straight alpha loses.
func same(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			for _, d := range []int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2), int(a1) - int(a2)} {
				if d > 600 || d < -600 {
					return false
				}
			}
		}
	}
	return true
}

// TestDrawings holds rules of SVG by the colour of one point, in a picture of 100
// × 100 pixels.
func TestDrawings(t *testing.T) {
	red, none, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{}, color.RGBA{0, 0, 255, 255}
	for _, c := range []struct {
		name, body string
		x, y       int
		want       color.RGBA
	}{
		{"shape", `<rect x="10" y="10" width="50" height="50" fill="red"/>`, 30, 30, red},
		{"outside", `<rect x="10" y="10" width="50" height="50" fill="red"/>`, 70, 70, none},
		{"percent", `<rect x="50%" width="50%" height="100%" fill="red"/>`, 75, 50, red},
		{"units", `<rect width="1in" height="2.54cm" fill="red"/>`, 95, 95, red},
		{"nonzero", `<path d="M0 0H100V100H0z M20 20H80V80H20z" fill="red"/>`, 50, 50, red},
		{"even-odd", `<path d="M0 0H100V100H0z M20 20H80V80H20z" fill="red" fill-rule="evenodd"/>`, 50, 50, none},
		{"hole by sense", `<path d="M0 0H100V100H0z M20 20V80H80V20z" fill="red"/>`, 50, 50, none},
		{"class", `<style>.a{fill:blue} rect{fill:red}</style><rect class="a" width="100" height="100"/>`, 50, 50, blue},
		{"id beats class", `<style>#i{fill:blue} .a{fill:red}</style><rect id="i" class="a" width="100" height="100"/>`, 50, 50, blue},
		{"descendant", `<style>g .a{fill:blue}</style><g><rect class="a" width="100" height="100"/></g>`, 50, 50, blue},
		{"style beats rule", `<style>rect{fill:red}</style><rect style="fill:blue" width="100" height="100"/>`, 50, 50, blue},
		{"rule beats attribute", `<style>rect{fill:blue}</style><rect fill="red" width="100" height="100"/>`, 50, 50, blue},
		{"inherited", `<g fill="red"><g><rect width="100" height="100"/></g></g>`, 50, 50, red},
		{"currentColor", `<g color="red"><rect width="100" height="100" fill="currentColor"/></g>`, 50, 50, red},
		{"rgb percent", `<rect width="100" height="100" fill="rgb(100%, 0%, 0%)"/>`, 50, 50, red},
		{"rgba decimals", `<rect width="100" height="100" fill="rgba(255.0,0,0,1.0)"/>`, 50, 50, red},
		{"display none", `<g display="none"><rect width="100" height="100" fill="red"/></g>`, 50, 50, none},
		{"hidden", `<rect width="100" height="100" fill="red" visibility="hidden"/>`, 50, 50, none},
		{"use", `<defs><rect id="r" width="20" height="20" fill="red"/></defs><use href="#r" x="40" y="40"/>`, 50, 50, red},
		{"symbol", `<symbol id="s" viewBox="0 0 1 1"><rect width="1" height="1" fill="red"/></symbol><use href="#s" x="40" y="40" width="40" height="40"/>`, 70, 70, red},
		{"transform", `<rect transform="translate(50 50) rotate(90)" width="20" height="20" fill="red"/>`, 40, 60, red},
		{"clip", `<clipPath id="c"><rect width="50" height="100"/></clipPath><rect clip-path="url(#c)" width="100" height="100" fill="red"/>`, 75, 50, none},
		{"clipped in", `<clipPath id="c"><rect width="50" height="100"/></clipPath><rect clip-path="url(#c)" width="100" height="100" fill="red"/>`, 25, 50, red},
		{"stroke", `<path d="M0 50H100" stroke="red" stroke-width="10"/>`, 50, 53, red},
		{"dashes", `<path d="M0 50H100" stroke="red" stroke-width="10" stroke-dasharray="20 20"/>`, 30, 50, none},
		{"dash", `<path d="M0 50H100" stroke="red" stroke-width="10" stroke-dasharray="20 20"/>`, 10, 50, red},
		{"square cap", `<path d="M30 50H60" stroke="red" stroke-width="20" stroke-linecap="square"/>`, 25, 50, red},
		{"butt cap", `<path d="M30 50H60" stroke="red" stroke-width="20"/>`, 25, 50, none},
		{"miter", `<path d="M20 80L50 20L80 80" fill="none" stroke="red" stroke-width="10" stroke-miterlimit="9"/>`, 50, 13, red},
		{"bevel", `<path d="M20 80L50 20L80 80" fill="none" stroke="red" stroke-width="10" stroke-linejoin="bevel"/>`, 50, 13, none},
		{"arc", `<path d="M50 10A40 40 0 0 1 50 90z" fill="red"/>`, 80, 50, red},
		{"arc flags without blanks", `<path d="M50 10A40 40 0 0150 90z" fill="red"/>`, 80, 50, red},
		{"smooth curve", `<path d="M0 50C0 0 50 0 50 50S100 100 100 50V100H0z" fill="red"/>`, 25, 50, red},
		{"gradient", `<linearGradient id="g"><stop offset="0.5" stop-color="red"/><stop offset="0.5" stop-color="blue"/></linearGradient><rect width="100" height="100" fill="url(#g)"/>`, 90, 50, blue},
		{"gradient of another", `<linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="red"/></linearGradient><linearGradient id="g" href="#a"/><rect width="100" height="100" fill="url(#g)"/>`, 90, 50, red},
		{"radial", `<radialGradient id="g"><stop offset="0.9" stop-color="red"/><stop offset="0.95" stop-color="blue"/></radialGradient><rect width="100" height="100" fill="url(#g)"/>`, 2, 2, blue},
		{"no such gradient", `<rect width="100" height="100" fill="url(#none) red"/>`, 50, 50, red},
		{"group opacity", `<g opacity="0"><rect width="100" height="100" fill="red"/></g>`, 50, 50, none},
		{"switch", `<switch><foreignObject/><rect width="100" height="100" fill="red"/></switch>`, 50, 50, red},
		{"prefix", `<svg:rect width="100" height="100" fill="red"/>`, 50, 50, red},
		{"script", `<script>alert(1)</script><rect width="100" height="100" fill="red"/>`, 50, 50, red},
		{"external use", `<use href="https://example.org/x.svg#r"/><rect width="100" height="100" fill="red"/>`, 50, 50, red},
	} {
		p := open(t, []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100">`+c.body+`</svg>`))
		got := render(t, p, 100, 100).RGBAAt(c.x, c.y)
		near := func(a, b uint8) bool { return int(a) <= int(b)+2 && int(b) <= int(a)+2 }
		if !near(got.R, c.want.R) || !near(got.G, c.want.G) || !near(got.B, c.want.B) || !near(got.A, c.want.A) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The size of a drawing: its width and height, else its view box.
func TestDrawingSize(t *testing.T) {
	for _, c := range []struct {
		attrs string
		w, h  float64
	}{
		{`width="100mm" height="50mm"`, 283.46, 141.73},
		{`viewBox="0 0 96 48"`, 72, 36},
		{`width="96" viewBox="0 0 10 20"`, 72, 144},
		{`width="100%" height="100%" viewBox="0 0 96 48"`, 72, 36},
		{`width="72pt" height="36pt"`, 72, 36},
	} {
		p := open(t, []byte(`<svg `+c.attrs+`></svg>`))
		w, h := p.Natural(300)
		if d := w.Pt() - c.w; d > 0.01 || d < -0.01 {
			t.Errorf("%s: %v wide", c.attrs, w.Pt())
		}
		if d := h.Pt() - c.h; d > 0.01 || d < -0.01 {
			t.Errorf("%s: %v high", c.attrs, h.Pt())
		}
	}
}

// hostile are drawings that ask for more than they should get.
var hostile = map[string]string{
	"entities":  `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><svg><text>&c;</text></svg>`,
	"external":  `<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg><image href="file:///etc/passwd"/><use href="/etc/passwd#a"/></svg>`,
	"self":      `<svg><g id="a"><use href="#a"/><use href="#a"/></g></svg>`,
	"doubling":  `<svg><rect id="a0" width="9" height="9"/>` + doubling() + `<use href="#a30"/></svg>`,
	"deep":      `<svg>` + strings.Repeat("<g>", 100_000) + `<rect width="9" height="9"/>` + strings.Repeat("</g>", 100_000) + `</svg>`,
	"clips":     `<svg><clipPath id="a" clip-path="url(#b)"><rect width="9" height="9"/></clipPath><clipPath id="b" clip-path="url(#a)"><rect width="9" height="9"/></clipPath><rect clip-path="url(#a)" width="9" height="9"/></svg>`,
	"gradients": `<svg><linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/></svg>`,
	"dashes":    `<svg><path d="M0 0H1e8" stroke="red" stroke-width="9" stroke-dasharray="1e-9"/></svg>`,
	"numbers":   `<svg><path d="M1e308 -1e308L1e999 NaN 0,0 1e30 1e30" stroke="red" stroke-width="1e30"/><rect transform="scale(1e300)" width="9" height="9"/></svg>`,
	"layers":    `<svg>` + strings.Repeat(`<g opacity="0.9">`, 150) + `<rect width="9" height="9"/>` + strings.Repeat("</g>", 150) + `</svg>`,
	"cover":     `<svg width="100" height="100">` + strings.Repeat(`<rect width="100" height="100"/>`, 20_000) + `</svg>`,
	"unclosed":  `<svg><g><path d="M0 0`,
	"rules":     `<svg><style>` + strings.Repeat(`.a .b .c{fill:red}`, 5000) + `</style>` + strings.Repeat(`<g class="a b c"/>`, 20_000) + `</svg>`,
	"text":      `<svg><text font-size="1e9">` + strings.Repeat("long ", 100_000) + `</text></svg>`,
	"size":      `<svg width="1e9" height="1e-9"/>`,
	"attribute": `<svg ` + strings.Repeat(`a="b" `, 50_000) + `/>`,
}

func doubling() string {
	var b strings.Builder
	for i := 1; i <= 30; i++ {
		n := string(rune('0'+i/10)) + string(rune('0'+i%10))
		m := string(rune('0'+(i-1)/10)) + string(rune('0'+(i-1)%10))
		b.WriteString(`<g id="a` + strings.TrimPrefix(n, "0") + `"><use href="#a` + strings.TrimPrefix(m, "0") + `"/><use href="#a` + strings.TrimPrefix(m, "0") + `"/></g>`)
	}
	return b.String()
}

// Hostile drawings give a picture or an error, soon.
func TestHostileDrawings(t *testing.T) {
	for name, src := range hostile {
		start := time.Now()
		p, err := Open([]byte(src), Options{Face: faces(t)})
		if err != nil {
			continue
		}
		var c Cache
		if _, err := c.Render(context.Background(), nil, p, 300, 300, Crop{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %v", name, time.Since(start).Round(time.Millisecond))
	}
}

// FuzzOpen: any bytes give a picture or an error.
func FuzzOpen(f *testing.F) {
	for _, s := range hostile {
		if len(s) < 4000 {
			f.Add([]byte(s))
		}
	}
	m := image.NewNRGBA(image.Rect(0, 0, 3, 3))
	f.Add(withChunk(encodePNG(f, m), "eXIf", exif(6)))
	f.Add(withChunk(encodePNG(f, m), "iCCP", append([]byte("p\x00\x00"), deflated(profile("RGB ", 2.2, srgb))...)))
	var j, g bytes.Buffer
	if jpeg.Encode(&j, m, nil) != nil || gif.Encode(&g, m, nil) != nil {
		f.Fatal("no seeds")
	}
	f.Add(j.Bytes())
	f.Add(g.Bytes())
	if files, err := filepath.Glob("testdata/*.svg"); err == nil {
		for _, name := range files {
			if data, err := os.ReadFile(name); err == nil {
				f.Add(data)
			}
		}
	}
	face := fonttest.Face(f, "EB Garamond", 400, false)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Open(data, Options{Face: func(string, int, bool) (*font.Face, bool) { return face, false }})
		if err != nil || p.Width*p.Height > 1<<20 {
			return
		}
		var c Cache
		m, err := c.Render(context.Background(), nil, p, 20, 20, Crop{})
		if err == nil && m.Bounds().Dx() != 20 {
			t.Error("no picture and no error")
		}
	})
}

// What a picture is taken in by and what a page is set by are the same: its size as
// it is to be seen, its resolution and its limits.
func TestTakingInAndSettingAgreeOnAPicture(t *testing.T) {
	files := [][]byte{encodePNG(t, image.NewGray(image.Rect(0, 0, 7, 5)))}
	var j bytes.Buffer
	if err := jpeg.Encode(&j, image.NewGray(image.Rect(0, 0, 12, 9)), nil); err != nil {
		t.Fatal(err)
	}
	files = append(files, j.Bytes())
	// The same turned by its camera, at 300 pixels to the inch.
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x02\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x01\x1a\x00\x05\x00\x00\x00\x01\x00\x00\x00\x26\x00\x00\x00\x00\x00\x00\x01\x2c\x00\x00\x00\x01"
	turned := append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	files = append(files, append(turned, j.Bytes()[2:]...))
	var g bytes.Buffer
	if err := gif.Encode(&g, image.NewGray(image.Rect(0, 0, 3, 4)), nil); err != nil {
		t.Fatal(err)
	}
	files = append(files, g.Bytes())
	for _, data := range files {
		about, err := book.ReadPicture(data)
		if err != nil {
			t.Fatal(err)
		}
		p := open(t, data)
		if float64(p.Width) != about.Width || float64(p.Height) != about.Height || p.Format != about.Format || math.Abs(p.DPI-about.Resolution) > 0.01 {
			t.Errorf("taken in as %+v, set as %s %d × %d at %v", about, p.Format, p.Width, p.Height, p.DPI)
		}
	}
}

// An SVG that is not wanted any more is given up while it is read.
func TestSVGStops(t *testing.T) {
	src := `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">` + strings.Repeat(`<rect width="1" height="1"/>`, 20_000) + `</svg>`
	asked := 0
	if _, err := Open([]byte(src), Options{Stop: func() bool { asked++; return false }}); err != nil || asked < 30 {
		t.Fatalf("asked %d times: %v", asked, err)
	}
	for at := 1; at <= asked; at += 6 {
		n := 0
		if _, err := Open([]byte(src), Options{Stop: func() bool { n++; return n >= at }}); !errors.Is(err, ErrStopped) || n != at {
			t.Errorf("stopped at %d, asked %d times: %v", at, n, err)
		}
	}
}
