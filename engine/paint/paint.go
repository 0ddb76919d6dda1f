// Package paint turns a frame page into pixels: for the screen (RGBA), for a
// tool's answer (small PNG, JPEG) and for tests.
//
// The picture is the same to the bit natively and in wasm: positions are scaled
// to 1/256 pixel in integers, outlines are scan converted by exact areas in
// integers (package raster), and colours are mixed in integers.
//
// How text is set into pixels:
//   - Baselines are snapped to whole pixels, so that all lines of a page have
//     the same sharpness; marks and raised text keep quarter pixels.
//   - Along the line glyphs stand on quarter pixels, without hinting: the
//     spacing of the layout is kept.
//   - Coverage mixes ink and paper in sRGB values, as browsers and PDF readers
//     do. Mixing in linear light is right for pictures, but makes dark text of
//     reading size on white thinner than its printed weight.
//   - Edges of rectangles are snapped to whole pixels; a rule thinner than a
//     pixel becomes a pixel wide and paler.
//
// Everything is placed on the whole page at its magnified size, of which a crop
// shows a part: a crop equals that part of the whole picture exactly.
package paint

import (
	"context"
	"errors"
	"fmt"
	"math"

	"postext/engine/frame"
	"postext/engine/picture"
	"postext/engine/raster"
	"postext/engine/unit"
)

// Limits of a picture.
const (
	MinWidth, MaxWidth = 64, 4096
	maxHeight          = 16384
	maxPixels          = 40 << 20
	maxVirtual         = 1 << 16 // width of the whole page a crop is part of
)

// Crop is a part of the picture of the whole sheet, or trimmed page, in fractions of
// its width and height. The zero value is all of it.
type Crop struct{ X, Y, W, H float64 }

// Guides are drawn over the picture.
type Guides struct {
	BaselineGrid bool // the lines of the grid
	Margins      bool // the type area
	Columns      bool // each column's box
	// LooseLines tints the justified lines whose spaces are, or would have had to
	// be, more than LooseFrom times the natural one; 0: DefaultLoose.
	LooseLines bool
	LooseFrom  float64
	LooseColor unit.Color // transparent: one of ours
	Blocks     bool       // each block's box
}

// Options say what is painted.
type Options struct {
	// Width of the picture in pixels, MinWidth to MaxWidth: of the crop, when
	// there is one.
	Width  int
	Crop   Crop
	Guides Guides
	// Trimmed leaves out the margin of the sheet with the bleed and the crop marks.
	Trimmed bool
	// Paper is what the page is printed on; the zero value is white. The
	// page's own background is laid over it.
	Paper unit.Color
	// Negative turns the lightness of the finished picture round, for reading
	// in the dark.
	Negative bool
	// Yield lets the host run while pictures are decoded; it may be nil.
	Yield picture.Yield
}

// ErrSize is wrapped by the errors about impossible sizes and crops.
var ErrSize = errors.New("the picture cannot have this size")

// Painter paints pages. It keeps glyph masks, pictures and buffers from page to
// page; it is not safe for concurrent use. The zero value is ready.
type Painter struct {
	glyphs   glyphCache
	pictures picture.Cache
	raster   raster.Raster
	enc      encoder
}

// Page paints a page into a new image.
func (p *Painter) Page(ctx context.Context, page *frame.Page, o Options) (*Image, error) {
	m := &Image{}
	if err := p.Into(ctx, m, page, o); err != nil {
		return nil, err
	}
	return m, nil
}

// Into paints a page into an image, using its memory when it is large enough.
// After an error the image's pixels are undefined.
func (p *Painter) Into(ctx context.Context, m *Image, page *frame.Page, o Options) error {
	v, err := newView(page, o)
	if err != nil {
		return err
	}
	m.reset(v.w, v.h)
	c := canvas{Painter: p, ctx: ctx, m: m, view: v, yield: o.Yield}
	return c.page(page, o)
}

// Size says how many pixels the picture of a page will have.
func Size(page *frame.Page, o Options) (width, height int, err error) {
	v, err := newView(page, o)
	return v.w, v.h, err
}

// view is the mapping from the page to the picture.
type view struct {
	w, h   int                // pixels of the picture
	ox, oy int                // its place from the page's corner, in pixels
	whole  struct{ w, h int } // pixels of the whole page
	num    int64
	den    int64 // pixels = sp * num / den
}

func newView(page *frame.Page, o Options) (view, error) {
	var v view
	if o.Width < MinWidth || o.Width > MaxWidth {
		return v, fmt.Errorf("%w: width %d px; %d to %d are possible", ErrSize, o.Width, MinWidth, MaxWidth)
	}
	const most = 1 << 32 // 65,536 points
	sheet := page.Sheet()
	if o.Trimmed {
		sheet = unit.Rect{W: page.Width, H: page.Height}
	}
	if page.Width <= 0 || page.Height <= 0 || sheet.W > most || sheet.H > most {
		return v, fmt.Errorf("%w: the page measures %.1f × %.1f mm", ErrSize, sheet.W.MM(), sheet.H.MM())
	}
	c := o.Crop
	if c == (Crop{}) {
		c = Crop{0, 0, 1, 1}
	}
	// Fractions that do not quite add up to 1 are rounding of the caller's.
	const slack = 1e-6
	if !(c.X >= 0 && c.Y >= 0 && c.W > 0 && c.H > 0 && float64(c.X+c.W) <= 1+slack && float64(c.Y+c.H) <= 1+slack) {
		return v, fmt.Errorf("%w: crop x %g, y %g, width %g, height %g; they are fractions of the page, and x + width and y + height at most 1", ErrSize, c.X, c.Y, c.W, c.H)
	}
	whole := math.Round(float64(o.Width) / c.W)
	if whole > maxVirtual {
		return v, fmt.Errorf("%w: a crop %g of the page wide at %d px magnifies too much; %.4g is the least at this width",
			ErrSize, c.W, o.Width, float64(o.Width)/maxVirtual)
	}
	v.num, v.den = int64(whole), int64(sheet.W)
	wholeH := unit.MulDiv(int64(sheet.H), v.num, v.den)
	height := math.Round(float64(c.H * float64(wholeH)))
	if height > maxHeight || float64(height*float64(o.Width)) > maxPixels {
		return v, fmt.Errorf("%w: %d × %.0f px; take a smaller width", ErrSize, o.Width, height)
	}
	v.w, v.h = o.Width, max(1, int(height))
	v.whole.w, v.whole.h = int(v.pixel(page.Width)), int(v.pixel(page.Height))
	v.ox = int(math.Round(float64(c.X*whole))) + int(v.pixel(sheet.X))
	v.oy = int(math.Round(float64(c.Y*float64(wholeH)))) + int(v.pixel(sheet.Y))
	return v, nil
}

// far bounds every coordinate, so that products cannot overflow.
const far = 1 << 33

// fine scales a length or a place to 1/256 pixel of the whole page.
func (v *view) fine(s unit.Sp) int64 {
	n := min(max(int64(s), -far), far) * (v.num * 256)
	if n >= 0 {
		return (n + v.den/2) / v.den
	}
	return -((-n + v.den/2) / v.den)
}

// pixel scales to whole pixels of the whole page.
func (v *view) pixel(s unit.Sp) int64 { return (v.fine(s) + 128) >> 8 }
