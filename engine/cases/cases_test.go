package cases

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"postext/engine"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/paint"
)

var (
	update  = flag.Bool("update", false, "write the frames and pictures of the cases anew; look at them")
	gallery = flag.String("gallery", "", "write a sheet of each family into this folder")
)

// read gives the cases in the order of their files.
func read(t *testing.T) []*Case {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.case")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases: ", err)
	}
	slices.Sort(files)
	var out []*Case
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse(filepath.Base(filepath.Dir(f)), strings.TrimSuffix(filepath.Base(f), ".case"), string(data))
		if err != nil {
			t.Error(err)
			continue
		}
		out = append(out, c)
	}
	return out
}

// TestCases sets every case and holds its frame and picture against those beside
// it. What a case shows is told at its head.
func TestCases(t *testing.T) {
	ts := engine.New(fonttest.World(t))
	var painter paint.Painter
	for _, c := range read(t) {
		t.Run(c.Family+"/"+c.Name, func(t *testing.T) {
			if c.Rule == "" {
				t.Error("the case does not tell its rule")
			}
			r, err := ts.Typeset(t.Context(), c.Book, engine.Observer{})
			if err != nil {
				t.Fatal(err)
			}
			base := filepath.Join("testdata", c.Family, c.Name)
			got, pic := Text(r.Frames), sheet(t, &painter, r.Frames)
			if *update {
				var out bytes.Buffer
				enc := png.Encoder{CompressionLevel: png.BestCompression}
				if err := enc.Encode(&out, pic); err != nil {
					t.Fatal(err)
				}
				for name, data := range map[string][]byte{base + ".frame": got, base + ".png": out.Bytes()} {
					if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
						continue
					}
					if err := os.WriteFile(name, data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				return
			}
			want, err := os.ReadFile(base + ".frame")
			if err != nil {
				t.Fatal(err)
			}
			if d := firstDifference(string(want), string(got)); d != "" {
				t.Errorf("%s\n%s", c.Rule, d)
			}
			f, err := os.Open(base + ".png")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			old, err := png.Decode(f)
			if err != nil {
				t.Fatal(err)
			}
			if n := differing(old, pic); n > 0 {
				t.Errorf("%s\nthe picture differs in %d pixels (go test ./engine/cases -update, and look)", c.Rule, n)
			}
		})
	}
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("line %d of the frame:\nwant %s\ngot  %s", i+1, x, y)
		}
	}
	return ""
}

// palette is what pictures of cases are kept in: 6 steps of each colour, and grey.
var palette = func() (p color.Palette) {
	for r := range 6 {
		for g := range 6 {
			for b := range 6 {
				p = append(p, color.RGBA{uint8(r * 51), uint8(g * 51), uint8(b * 51), 255})
			}
		}
	}
	for k := range 16 {
		p = append(p, color.Gray{uint8(17 * k)})
	}
	return p
}()

// shade is the palette's nearest to a colour.
func shade(r, g, b uint8) uint8 {
	if r == g && g == b {
		return uint8(216 + (int(r)+8)/17)
	}
	step := func(v uint8) uint8 { return uint8((int(v) + 25) / 51) }
	return step(r)*36 + step(g)*6 + step(b)
}

// lay copies a picture into a sheet.
func lay(out *image.Paletted, m image.Image, at image.Point) {
	r := m.Bounds()
	switch m := m.(type) {
	case *image.RGBA:
		for y := range r.Dy() {
			for x := range r.Dx() {
				px := m.Pix[y*m.Stride+4*x:]
				out.SetColorIndex(at.X+x, at.Y+y, shade(px[0], px[1], px[2]))
			}
		}
	case *image.Paletted: // of the same palette
		for y := range r.Dy() {
			copy(out.Pix[(at.Y+y)*out.Stride+at.X:], m.Pix[y*m.Stride:y*m.Stride+r.Dx()])
		}
	}
}

// ground is a sheet of a size.
func ground(w, h int) *image.Paletted {
	out := image.NewPaletted(image.Rect(0, 0, w, h), palette)
	for i := range out.Pix {
		out.Pix[i] = shade(187, 187, 187)
	}
	return out
}

const (
	pageWidth = 300 // pixels
	pageGap   = 10
	mostPages = 4
)

// sheet paints the first pages of a case side by side.
func sheet(t *testing.T, painter *paint.Painter, b *frame.Book) *image.Paletted {
	t.Helper()
	var list []*image.RGBA
	high := 0
	for _, c := range b.Chapters {
		for _, p := range c.Pages {
			if len(list) == mostPages {
				break
			}
			m, err := painter.Page(t.Context(), p, paint.Options{Width: pageWidth})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, m.RGBA())
			high = max(high, m.Height)
		}
	}
	out := ground(len(list)*(pageWidth+pageGap)+pageGap, high+2*pageGap)
	for i, m := range list {
		lay(out, m, image.Pt(pageGap+i*(pageWidth+pageGap), pageGap))
	}
	return out
}

// differing counts the pixels that differ by more than a shade.
func differing(a, b image.Image) (n int) {
	if a.Bounds() != b.Bounds() {
		return a.Bounds().Dx() * a.Bounds().Dy()
	}
	if p, ok := a.(*image.Paletted); ok && bytes.Equal(p.Pix, b.(*image.Paletted).Pix) {
		return 0
	}
	r := a.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if far(r1, r2) || far(g1, g2) || far(b1, b2) {
				n++
			}
		}
	}
	return n
}

func far(a, b uint32) bool { return max(a, b)-min(a, b) > 52<<8 }

// TestGallery writes a sheet of each family's pictures, and one of all families:
// make gallery.
func TestGallery(t *testing.T) {
	if *gallery == "" {
		return
	}
	if err := os.MkdirAll(*gallery, 0o755); err != nil {
		t.Fatal(err)
	}
	var families []string
	of := map[string][]image.Image{}
	for _, c := range read(t) {
		f, err := os.Open(filepath.Join("testdata", c.Family, c.Name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if of[c.Family] == nil {
			families = append(families, c.Family)
		}
		of[c.Family] = append(of[c.Family], m)
	}
	var all []image.Image
	for _, f := range families {
		for i, part := range sheets(of[f]) {
			name := f
			if i > 0 {
				name += fmt.Sprint("-", i+1)
			}
			save(t, filepath.Join(*gallery, name+".png"), rows(part, sheetWidth))
		}
		all = append(all, half(of[f][0]))
	}
	save(t, filepath.Join(*gallery, "contact.png"), rows(all, 1600))
}

// sheetWidth and sheetHeight are what an eye takes in at once, in pixels.
const sheetWidth, sheetHeight = 4*(pageWidth+pageGap) + pageGap, 1600

// sheets divides a family's pictures among sheets.
func sheets(list []image.Image) (out [][]image.Image) {
	for len(list) > 0 {
		n := 1
		for n < len(list) && rows(list[:n+1], sheetWidth).Bounds().Dy() <= sheetHeight {
			n++
		}
		out, list = append(out, list[:n]), list[n:]
	}
	return out
}

// rows lays pictures in rows of a width.
func rows(list []image.Image, width int) image.Image {
	place := func(put func(m image.Image, at image.Point)) int {
		x, y, high := 0, 0, 0
		for _, m := range list {
			if x > 0 && x+m.Bounds().Dx() > width {
				x, y, high = 0, y+high, 0
			}
			if put != nil {
				put(m, image.Pt(x, y))
			}
			x += m.Bounds().Dx()
			high = max(high, m.Bounds().Dy())
		}
		return y + high
	}
	out := ground(width, place(nil))
	place(func(m image.Image, at image.Point) { lay(out, m, at) })
	return out
}

// half is a picture at half its size.
func half(m image.Image) image.Image {
	r := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, r.Dx()/2, r.Dy()/2))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			var sum [3]uint32
			for k := range 4 {
				a, b, c, _ := m.At(2*x+k%2, 2*y+k/2).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+a, sum[1]+b, sum[2]+c
			}
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] >> 10), uint8(sum[1] >> 10), uint8(sum[2] >> 10), 255})
		}
	}
	return out
}

func save(t *testing.T, name string, m image.Image) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}
