package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"

	"postext/book"
)

// Yield lets the host run and returns the context's error when the work is not
// wanted any more; it may be nil.
type Yield func(ctx context.Context) error

// step is how many bytes of a file a decoder is given between two looks at the
// host: a few milliseconds of work in wasm.
const step = 4 << 10

// source feeds a decoder and lets the host run between the pieces.
type source struct {
	ctx   context.Context
	yield Yield
	data  []byte
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if s.yield != nil {
		if err := s.yield(s.ctx); err != nil {
			return 0, err
		}
	}
	return bytesReader(&s.data, p)
}

func bytesReader(data *[]byte, p []byte) (int, error) {
	r := bytes.NewReader(*data)
	n, err := r.Read(p[:min(len(p), step)])
	*data = (*data)[n:]
	return n, err
}

// decode gives the pixels upright, in the colours of the file.
func (p *Picture) decode(ctx context.Context, yield Yield) (m image.Image, err error) {
	defer func() {
		if x := recover(); x != nil {
			m, err = nil, fmt.Errorf("the picture is damaged: %v", x)
		}
	}()
	r := &source{ctx, yield, p.data}
	switch p.Format {
	case "png":
		m, err = png.Decode(r)
	case "jpeg":
		m, err = jpeg.Decode(r)
	case "gif":
		m, err = p.gif(r)
	case "webp":
		m, err = webp.Decode(r)
	default:
		return nil, fmt.Errorf("%w: %s", ErrFormat, p.Format)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the picture is damaged: %w", err)
	}
	if b := m.Bounds(); book.CheckPixels(b.Dx(), b.Dy()) != nil {
		return nil, fmt.Errorf("the picture is damaged: its pixels are not those of its header")
	}
	if p.orient > 1 {
		return turn(ctx, yield, m, p.orient)
	}
	return m, nil
}

// gif lays the first image on the file's canvas.
func (p *Picture) gif(r *source) (image.Image, error) {
	first, err := gif.Decode(r)
	if err != nil {
		return nil, err
	}
	canvas := image.Rect(0, 0, p.Width, p.Height)
	if first.Bounds() == canvas {
		return first, nil
	}
	m := image.NewNRGBA(canvas)
	draw.Draw(m, first.Bounds().Intersect(canvas), first, first.Bounds().Intersect(canvas).Min, draw.Src)
	return m, nil
}

// turn sets a picture upright by its EXIF orientation: the value names where the
// first row and column of the file are seen (EXIF 2.32, 4.6.4 A).
func turn(ctx context.Context, yield Yield, m image.Image, orient uint8) (image.Image, error) {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	ow, oh := w, h
	if orient >= 5 {
		ow, oh = h, w
	}
	out := image.NewRGBA(image.Rect(0, 0, ow, oh))
	row := make([]uint8, 4*w)
	for y := range h {
		if y&31 == 0 && yield != nil {
			if err := yield(ctx); err != nil {
				return nil, err
			}
		}
		readRow(m, y, row)
		for x := range w {
			dx, dy := x, y
			switch orient {
			case 2:
				dx = w - 1 - x
			case 3:
				dx, dy = w-1-x, h-1-y
			case 4:
				dy = h - 1 - y
			case 5:
				dx, dy = y, x
			case 6:
				dx, dy = h-1-y, x
			case 7:
				dx, dy = h-1-y, w-1-x
			case 8:
				dx, dy = y, w-1-x
			}
			copy(out.Pix[out.PixOffset(dx, dy):][:4], row[4*x:])
		}
	}
	return out, nil
}
