package paint

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"postext/engine/font"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/picture"
	"postext/engine/unit"
)

var update = flag.Bool("update", false, "write the golden pictures anew; look at them before committing")

// small is a page of 120 × 80 points for hand-built frames.
func small(items ...frame.Item) *frame.Page {
	return &frame.Page{Width: 120 * unit.Pt, Height: 80 * unit.Pt,
		Content: unit.Rect{X: 10 * unit.Pt, Y: 10 * unit.Pt, W: 100 * unit.Pt, H: 60 * unit.Pt},
		GridTop: 22 * unit.Pt, GridPitch: 12 * unit.Pt, Under: items}
}

// set makes a line of one run.
func set(x, base unit.Sp, r frame.Run, texts ...string) *frame.Line {
	l := &frame.Line{X: x, Baseline: base, LineSet: &frame.LineSet{}}
	var at unit.Sp
	for _, t := range texts {
		sh := word(r.Face, t)
		r.Words = append(r.Words, frame.Word{X: at, Shape: sh})
		at += unit.Scale(sh.Advance+r.Face.Space, r.Size, r.Face.UPem) + unit.Sp(len(sh.Glyphs))*r.Tracking
	}
	l.Runs = []frame.Run{r}
	return l
}

func box(x, y, w, h float64) unit.Rect {
	return unit.Rect{X: unit.FromPt(x), Y: unit.FromPt(y), W: unit.FromPt(w), H: unit.FromPt(h)}
}

var (
	red   = unit.Color{R: 200, G: 30, B: 30, A: 255}
	blue  = unit.Color{R: 20, G: 60, B: 180, A: 255}
	cream = unit.Color{R: 250, G: 240, B: 210, A: 255}
	glass = unit.Color{R: 20, G: 60, B: 180, A: 128}
)

// stripes is a picture of four by three pixels, some of them transparent.
func stripes(t testing.TB) *picture.Picture {
	m := image.NewNRGBA(image.Rect(0, 0, 4, 3))
	for i := range 12 {
		m.SetNRGBA(i%4, i/4, color.NRGBA{uint8(60 * (i % 4)), uint8(80 * (i / 4)), 128, uint8(255 - 15*i)})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	p, err := picture.Open(b.Bytes(), picture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// goldens are the pictures kept in testdata.
func goldens(t testing.TB) []struct {
	name string
	page *frame.Page
	opt  Options
} {
	serif := fonttest.Face(t, "EB Garamond", 400, false)
	italic := fonttest.Face(t, "EB Garamond", 400, true)
	mono := fonttest.Face(t, "JetBrains Mono", 400, false)
	run := func(f *font.Face, size float64, c unit.Color) frame.Run {
		return frame.Run{Face: f, Size: unit.FromPt(size), Color: c}
	}
	text := small()
	text.Columns = []frame.Column{{Box: text.Content, Blocks: []*frame.Block{{Box: text.Content, Lines: []frame.Line{
		*set(10*unit.Pt, 22*unit.Pt, run(serif, 12, unit.Black), "AVATAR", "offices"),
		*set(10*unit.Pt, 34*unit.Pt, run(italic, 12, unit.Black), "fjord", "Type", "e\u0301a\u0308"),
		*set(10*unit.Pt, 46*unit.Pt, run(mono, 7, unit.Black), "x", ":=", "[]int{0}"),
	}}}}}
	looks := small()
	under, strike, track, sup, sub := run(serif, 10, red), run(serif, 10, unit.Black), run(serif, 10, blue), run(serif, 7, unit.Black), run(serif, 7, unit.Black)
	under.Underline, strike.Strike, track.Tracking = true, true, unit.Pt
	sup.Rise, sub.Rise = 4*unit.Pt, -2*unit.Pt
	looks.Header = []frame.Item{
		{Text: set(10*unit.Pt, 20*unit.Pt, under, "under", "line")},
		{Text: set(10*unit.Pt, 34*unit.Pt, strike, "struck", "out")},
		{Text: set(10*unit.Pt, 48*unit.Pt, track, "tracked")},
		{Text: set(10*unit.Pt, 62*unit.Pt, run(serif, 10, unit.Black), "H")},
		{Text: set(18*unit.Pt, 62*unit.Pt, sub, "2")},
		{Text: set(22*unit.Pt, 62*unit.Pt, run(serif, 10, unit.Black), "O")},
		{Text: set(30*unit.Pt, 62*unit.Pt, sup, "12")},
	}
	part := set(60*unit.Pt, 62*unit.Pt, run(serif, 10, unit.Black), "hyphen")
	part.Runs[0].Words[0].To = 2
	looks.Footer = []frame.Item{{Text: part}}
	rules := small(
		frame.Item{Box: box(10, 10, 100, 0.1), Fill: unit.Black},
		frame.Item{Box: box(10, 14, 100, 0.25), Fill: unit.Black},
		frame.Item{Box: box(10, 18, 100, 0.5), Fill: unit.Black},
		frame.Item{Box: box(10, 22, 100, 1), Fill: unit.Black},
		frame.Item{Box: box(10, 26, 40, 20), Fill: cream, Stroke: red, Line: unit.Pt / 2},
		frame.Item{Box: box(30, 36, 40, 20), Fill: glass},
		frame.Item{Box: box(80, 30, 0.5, 40), Fill: blue},
		frame.Item{Box: box(90, 30, 2, 2), Stroke: blue, Line: unit.Pt},
		frame.Item{Text: set(14*unit.Pt, 42*unit.Pt, run(serif, 12, unit.Black), "on", "fills")},
	)
	pictures := small(
		frame.Item{Box: box(10, 10, 40, 30), Picture: stripes(t)},
		frame.Item{Box: box(60, 10, 40, 30), Image: "absent"},
	)
	loose := *text
	l := loose.Columns[0].Blocks[0].Lines[0]
	l.LineSet = &frame.LineSet{Runs: l.Runs, Width: 100 * unit.Pt, Justified: true, Ratio: 3600}
	l.Top, l.Height = 12*unit.Pt, 12*unit.Pt
	loose.Columns = []frame.Column{{Box: loose.Content, Blocks: []*frame.Block{{Box: box(10, 10, 100, 24), Lines: []frame.Line{l}}}}}
	inked := *looks
	inked.Background = cream
	return []struct {
		name string
		page *frame.Page
		opt  Options
	}{
		{"text", text, Options{Width: 360}},
		{"text-small", text, Options{Width: 120}},
		{"looks", looks, Options{Width: 360}},
		{"looks-paper", &inked, Options{Width: 240}},
		{"negative", looks, Options{Width: 240, Negative: true}},
		{"rules", rules, Options{Width: 240}},
		{"crop", rules, Options{Width: 240, Crop: Crop{X: 0.05, Y: 0.3, W: 0.5, H: 0.4}}},
		{"guides", &loose, Options{Width: 240, Guides: Guides{BaselineGrid: true, Margins: true, Columns: true, LooseLines: true, Blocks: true}}},
		{"pictures", pictures, Options{Width: 240}},
	}
}

func TestGoldenPictures(t *testing.T) {
	for _, c := range goldens(t) {
		golden(t, c.name, c.page, c.opt)
	}
}

// golden compares a picture with the one in testdata.
func golden(t *testing.T, name string, page *frame.Page, o Options) {
	t.Helper()
	var p Painter
	m, err := p.Page(context.Background(), page, o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, err := p.PNG(m)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	file := filepath.Join("testdata", name+".png")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: the picture differs from %s; run with -update and look at it", name, file)
	}
}

// What the palette gives back is the painted picture, to half a shade.
func TestPNGIsThePicture(t *testing.T) {
	var p Painter
	for _, c := range goldens(t) {
		m, err := p.Page(context.Background(), c.page, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.PNG(m)
		if err != nil {
			t.Fatal(err)
		}
		pic, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if pic.Bounds() != image.Rect(0, 0, m.Width, m.Height) {
			t.Fatalf("%s: %v, want %d × %d", c.name, pic.Bounds(), m.Width, m.Height)
		}
		far := 0
		for y := range m.Height {
			for x := range m.Width {
				r, g, b, _ := pic.At(x, y).RGBA()
				px := m.Pix[4*(y*m.Width+x):]
				for i, v := range []uint32{r, g, b} {
					if d := int(v>>8) - int(px[i]); d > 40 || d < -40 {
						far++
					}
				}
			}
		}
		// Two inks meeting in one pixel may be further off.
		if far > m.Width*m.Height/500 {
			t.Errorf("%s: %d values are far from the painted ones", c.name, far)
		}
	}
}

func TestPaintingTwiceIsEqual(t *testing.T) {
	for _, c := range goldens(t) {
		var p, q Painter
		a, err := p.Page(context.Background(), c.page, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		b, err := q.Page(context.Background(), c.page, Options{Width: 500})
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Into(context.Background(), b, c.page, c.opt); err != nil { // memory in use
			t.Fatal(err)
		}
		if !bytes.Equal(a.Pix, b.Pix) {
			t.Errorf("%s: pixels differ", c.name)
		}
		pa, err1 := p.PNG(a)
		pb, err2 := q.PNG(b)
		if err1 != nil || err2 != nil || !bytes.Equal(pa, pb) {
			t.Errorf("%s: PNG differs (%v, %v)", c.name, err1, err2)
		}
	}
}

func TestCropIsAPartOfTheMagnifiedPage(t *testing.T) {
	page := textPage(t)
	var p Painter
	whole, err := p.Page(context.Background(), page, Options{Width: 1600})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Crop{{0.25, 0.25, 0.25, 0.25}, {0, 0, 0.5, 0.1}, {0.5, 0.5, 0.5, 0.5}, {0.1, 0.07, 0.0625, 0.33}} {
		part, err := p.Page(context.Background(), page, Options{Width: int(1600 * c.W), Crop: c})
		if err != nil {
			t.Fatal(err)
		}
		ox, oy := int(math.Round(1600*c.X)), int(math.Round(float64(whole.Height)*c.Y))
		for y := range min(part.Height, whole.Height-oy) {
			a := part.Pix[4*y*part.Width : 4*(y+1)*part.Width]
			b := whole.Pix[4*((y+oy)*1600+ox):][:4*part.Width]
			if !bytes.Equal(a, b) {
				t.Fatalf("crop %v: row %d differs", c, y)
			}
		}
	}
}

// A glyph too large for the cache is made only where it is seen, and is the
// same there.
func TestEnormousGlyphs(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	page := small(frame.Item{Text: set(10*unit.Pt, 70*unit.Pt, frame.Run{Face: f, Size: 100 * unit.Pt, Color: unit.Black}, "S")})
	var p Painter
	whole, err := p.Page(context.Background(), page, Options{Width: 4096})
	if err != nil {
		t.Fatal(err)
	}
	part, err := p.Page(context.Background(), page, Options{Width: 1024, Crop: Crop{0.25, 0.25, 0.25, 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	oy := int(math.Round(float64(whole.Height) * 0.25))
	for y := range part.Height {
		a := part.Pix[4*y*part.Width : 4*(y+1)*part.Width]
		b := whole.Pix[4*((y+oy)*4096+1024):][:4*part.Width]
		if !bytes.Equal(a, b) {
			t.Fatalf("row %d differs", y)
		}
	}
	if m, err := p.Page(context.Background(), page, Options{Width: 4096, Crop: Crop{0.3, 0.3, 0.0625, 0.0625}}); err != nil || m.Width != 4096 {
		t.Errorf("sixteen-fold magnification: %v", err)
	}
}

func TestImpossibleSizesAreRefused(t *testing.T) {
	page := small()
	huge := small()
	huge.Width, huge.Height = math.MaxInt64, math.MaxInt64
	long := small()
	long.Height = 100 * long.Width
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		page *frame.Page
		o    Options
	}{
		{page, Options{Width: 0}}, {page, Options{Width: 63}}, {page, Options{Width: 4097}}, {page, Options{Width: -5}},
		{&frame.Page{}, Options{Width: 500}}, {huge, Options{Width: 500}}, {long, Options{Width: 500}},
		{&frame.Page{Width: -unit.Pt, Height: unit.Pt}, Options{Width: 500}},
		{page, Options{Width: 500, Crop: Crop{W: 0.5}}}, {page, Options{Width: 500, Crop: Crop{H: 0.5}}},
		{page, Options{Width: 500, Crop: Crop{0.6, 0, 0.5, 0.5}}}, {page, Options{Width: 500, Crop: Crop{-0.1, 0, 0.5, 0.5}}},
		{page, Options{Width: 500, Crop: Crop{nan, 0, 0.5, 0.5}}}, {page, Options{Width: 500, Crop: Crop{0, 0, nan, 0.5}}},
		{page, Options{Width: 500, Crop: Crop{0, 0, inf, 0.5}}}, {page, Options{Width: 500, Crop: Crop{0, 0, 1e-9, 0.5}}},
	} {
		var p Painter
		if _, err := p.Page(context.Background(), c.page, c.o); !errors.Is(err, ErrSize) {
			t.Errorf("width %d crop %v page %v: error %v", c.o.Width, c.o.Crop, c.page.Width, err)
		}
	}
}

// Frames from a broken layout must not break the painter.
func TestHostileFrames(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	const big = unit.Sp(math.MaxInt64)
	shape := word(f, "fine")
	var items []frame.Item
	for _, v := range []unit.Sp{0, -1, big, -big, big / 2, unit.Pt} {
		items = append(items,
			frame.Item{Box: unit.Rect{X: v, Y: v, W: v, H: v}, Fill: glass, Stroke: red, Line: v, Image: "x"},
			frame.Item{Text: &frame.Line{X: v, Baseline: v, LineSet: &frame.LineSet{Runs: []frame.Run{
				{Face: f, Size: v, Rise: v, Tracking: v, Color: unit.Black, Underline: true, Words: []frame.Word{{X: v, Shape: shape, From: -5, To: 99}, {}}},
				{Face: &font.Face{}, Size: unit.Pt, Words: []frame.Word{{Shape: shape}}}, {},
			}}}},
			frame.Item{Text: &frame.Line{}})
	}
	page := small(items...)
	page.GridPitch = 1
	page.Columns = []frame.Column{{Blocks: []*frame.Block{{Under: items, Over: items}}}}
	var p Painter
	for _, w := range []int{64, 300} {
		m, err := p.Page(context.Background(), page, Options{Width: w, Guides: Guides{BaselineGrid: true, Margins: true, Columns: true, LooseLines: true, Blocks: true}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.PNG(m); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPageOfTextIsSmall(t *testing.T) {
	var p Painter
	m, err := p.Page(context.Background(), textPage(t), Options{Width: 1000})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.PNG(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) >= 100_000 {
		t.Errorf("the PNG has %d bytes", len(data))
	}
	if bits, kind := data[24], data[25]; bits != 4 || kind != 3 {
		t.Errorf("bit depth %d, colour type %d; want a palette of four bits", bits, kind)
	}
	if !m.Grey() || m.Inks() != 1 {
		t.Errorf("grey %v, %d inks", m.Grey(), m.Inks())
	}
}

// colours counts the pixels of each colour of a page written as a PNG.
func colours(t *testing.T, page *frame.Page, width int) (map[unit.Color]int, []byte) {
	t.Helper()
	var p Painter
	m, err := p.Page(context.Background(), page, Options{Width: width})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.PNG(m)
	if err != nil {
		t.Fatal(err)
	}
	pic, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[unit.Color]int{}
	for y := range m.Height {
		for x := range m.Width {
			r, g, b, _ := pic.At(x, y).RGBA()
			counts[unit.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 255}]++
		}
	}
	return counts, data
}

// Black text beside blue text is black at its edges.
func TestTextKeepsItsHueBesideAnother(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	black := set(10*unit.Pt, 30*unit.Pt, frame.Run{Face: f, Size: 12 * unit.Pt, Color: unit.Black}, "Weiss", "und", "schwarz")
	alone, _ := colours(t, small(frame.Item{Text: black}), 400)
	rule := frame.Item{Box: box(10, 50, 40, 1), Fill: blue}
	beside, _ := colours(t, small(frame.Item{Text: black}, rule), 400)
	sum := func(counts map[unit.Color]int) (n int) {
		for c, k := range counts {
			if c.R == c.G && c.G == c.B && c.R < 255 {
				n += k
			}
		}
		return n
	}
	if sum(alone) != sum(beside) || sum(alone) == 0 {
		t.Errorf("%d pixels are grey, beside blue %d", sum(alone), sum(beside))
	}
}

// A page of black text with a little of another ink has four bits: sixteen colours
// stand for the shades of both. Inks and paper are themselves, the others not far
// from what was painted, and blue stays blue.
func TestTwoInksShareSixteenColours(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	page := textPage(t)
	page.Under = []frame.Item{{Text: set(20*unit.Pt, 20*unit.Pt, frame.Run{Face: f, Size: 12 * unit.Pt, Color: blue}, "Ein", "Kolumnentitel")}}
	var p Painter
	m, err := p.Page(context.Background(), page, Options{Width: 1000})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.PNG(m)
	if err != nil {
		t.Fatal(err)
	}
	if data[24] != 4 {
		t.Fatalf("%d bits a pixel", data[24])
	}
	pic, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[unit.Color]int{}
	for i := 0; i < len(m.Pix); i += 4 {
		r, g, b, _ := pic.At(i/4%m.Width, i/4/m.Width).RGBA()
		got := unit.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 255}
		want := unit.Color{R: m.Pix[i], G: m.Pix[i+1], B: m.Pix[i+2], A: 255}
		counts[got]++
		if grey(want) != grey(got) && distance(want, unit.Color{R: 255, G: 255, B: 255}) > stray { // else a breath on the paper
			t.Fatalf("%v became %v", want, got)
		}
		if distance(want, got) > alike+stray {
			t.Fatalf("%v became %v", want, got)
		}
	}
	for _, c := range []unit.Color{blue, unit.Black, {R: 255, G: 255, B: 255, A: 255}} {
		if counts[c] == 0 {
			t.Errorf("no pixel is %v", c)
		}
	}
}

// Grey text takes the greys of black text: together they are sixteen shades, and
// four bits.
func TestGreysAreSharedByInks(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	line := func(y unit.Sp, level uint8) frame.Item {
		return frame.Item{Text: set(10*unit.Pt, y, frame.Run{Face: f, Size: 12 * unit.Pt, Color: unit.Color{R: level, G: level, B: level, A: 255}}, "Weiss", "und", "grau")}
	}
	// Grey first, as the picture should not depend on it.
	counts, data := colours(t, small(line(30*unit.Pt, 0x66), line(50*unit.Pt, 0)), 400)
	if len(counts) > shades || data[24] != 4 {
		t.Errorf("%d shades in %d bits", len(counts), data[24])
	}
	for _, level := range []uint8{0, 0x66, 255} {
		if counts[unit.Color{R: level, G: level, B: level, A: 255}] == 0 {
			t.Errorf("no pixel is %d", level)
		}
	}
}

func TestManyInksGiveRGB(t *testing.T) {
	var items []frame.Item
	for i := range 9 {
		items = append(items, frame.Item{Box: box(10, float64(10+5*i), 50, 1), Fill: unit.Color{R: uint8(20 * i), G: 90, A: 255}})
	}
	for n, kind := range map[int]byte{8: 3, 9: 2} {
		var p Painter
		m, err := p.Page(context.Background(), small(items[:n]...), Options{Width: 200})
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.PNG(m)
		if err != nil {
			t.Fatal(err)
		}
		if data[25] != kind {
			t.Errorf("%d inks: colour type %d, want %d", n, data[25], kind)
		}
	}
}

func TestJPEG(t *testing.T) {
	var p Painter
	m, err := p.Page(context.Background(), textPage(t), Options{Width: 300})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.JPEG(m, 85)
	if err != nil {
		t.Fatal(err)
	}
	pic, kind, err := image.Decode(bytes.NewReader(data))
	if err != nil || kind != "jpeg" {
		t.Fatal(kind, err)
	}
	if _, grey := pic.(*image.Gray); !grey {
		t.Errorf("a page without colour is %T", pic)
	}
	for _, q := range []int{0, -1, 101} {
		if _, err := p.JPEG(m, q); err == nil {
			t.Errorf("quality %d is taken", q)
		}
	}
}

func TestCancelledPainting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var p Painter
	if _, err := p.Page(ctx, textPage(t), Options{Width: 300}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestMaskCacheIsBounded(t *testing.T) {
	var p Painter
	page := textPage(t)
	for w := 1000; w < 1060; w++ {
		if _, err := p.Page(context.Background(), page, Options{Width: w}); err != nil {
			t.Fatal(err)
		}
	}
	if p.glyphs.bytes > maxMasks {
		t.Errorf("%d bytes in the young generation", p.glyphs.bytes)
	}
}

func BenchmarkPageRGBA1200(b *testing.B) {
	page := textPage(b)
	var p Painter
	var m Image
	for b.Loop() {
		if err := p.Into(context.Background(), &m, page, Options{Width: 1200}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPagePNG1200(b *testing.B) {
	page := textPage(b)
	var p Painter
	var m Image
	for b.Loop() {
		if err := p.Into(context.Background(), &m, page, Options{Width: 1200}); err != nil {
			b.Fatal(err)
		}
		data, err := p.PNG(&m)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(data)), "bytes")
	}
}

func BenchmarkGlyphMask(b *testing.B) {
	f := fonttest.Face(b, "EB Garamond", 400, false)
	o := f.Outline(word(f, "g").Glyphs[0].ID)
	var p Painter
	for b.Loop() {
		p.trace(o, f.UPem, 31<<6, 0, 0, bounds(o, f.UPem, 31<<6, 0, 0))
	}
}
