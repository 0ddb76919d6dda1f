package picture

import (
	"context"
	"fmt"
	"image"
	"sync"
)

// Limits of a cache, in bytes of pixels.
const (
	maxPainted = 48 << 20 // pictures at the sizes they were painted
	maxDecoded = 64 << 20 // whole pictures, for the next size
	maxTarget  = 40 << 20 // pixels of one painted picture
)

// Cache keeps pictures as they were last painted, and the pixels of the last few
// bitmaps, by content. The zero value is ready; it is safe for concurrent use.
type Cache struct {
	mu      sync.Mutex
	painted list[paintKey, *image.RGBA]
	decoded list[uint64, image.Image]
}

type paintKey struct {
	hash uint64
	w, h int
	crop Crop
}

// Render returns a picture at w × h pixels, premultiplied sRGB. The image is
// shared and must not be changed.
func (c *Cache) Render(ctx context.Context, yield Yield, p *Picture, w, h int, crop Crop) (*image.RGBA, error) {
	if w < 1 || h < 1 || int64(w)*int64(h) > maxTarget {
		return nil, fmt.Errorf("a picture cannot be painted at %d × %d pixels", w, h)
	}
	k := paintKey{p.Hash, w, h, crop}
	c.mu.Lock()
	m, ok := c.painted.get(k)
	c.mu.Unlock()
	if ok {
		return m, nil
	}
	m, err := c.render(ctx, yield, p, w, h, crop)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.painted.put(k, m, len(m.Pix), maxPainted)
	c.mu.Unlock()
	return m, nil
}

func (c *Cache) render(ctx context.Context, yield Yield, p *Picture, w, h int, crop Crop) (*image.RGBA, error) {
	if p.Drawing != nil {
		return p.Drawing.paint(ctx, yield, w, h, crop)
	}
	c.mu.Lock()
	src, ok := c.decoded.get(p.Hash)
	c.mu.Unlock()
	if !ok {
		var err error
		if src, err = p.decode(ctx, yield); err != nil {
			return nil, err
		}
		c.mu.Lock()
		c.decoded.put(p.Hash, src, sizeOf(src), maxDecoded)
		c.mu.Unlock()
	}
	m, err := sample(ctx, yield, src, w, h, crop)
	if err == nil && p.color != nil {
		p.color.convert(m)
	}
	return m, err
}

// sizeOf is about how many bytes an image's pixels take.
func sizeOf(m image.Image) int {
	n := m.Bounds().Dx() * m.Bounds().Dy()
	switch m := m.(type) {
	case *image.Gray, *image.Paletted:
		return n
	case *image.YCbCr:
		return len(m.Y) + len(m.Cb) + len(m.Cr)
	}
	return 4 * n
}

// list is a small store of values, the last used first, of bounded bytes.
type list[K comparable, V any] struct {
	items []item[K, V]
	bytes int
}

type item[K comparable, V any] struct {
	key   K
	value V
	bytes int
}

func (l *list[K, V]) get(k K) (v V, ok bool) {
	for i := range l.items {
		if l.items[i].key == k {
			it := l.items[i]
			copy(l.items[1:i+1], l.items[:i])
			l.items[0] = it
			return it.value, true
		}
	}
	return v, false
}

// put keeps a value if it is within the limit, and lets go of what was used
// longest ago.
func (l *list[K, V]) put(k K, v V, bytes, limit int) {
	if bytes > limit {
		return
	}
	l.items = append([]item[K, V]{{k, v, bytes}}, l.items...)
	l.bytes += bytes
	for l.bytes > limit || len(l.items) > 256 {
		last := len(l.items) - 1
		l.bytes -= l.items[last].bytes
		l.items = l.items[:last]
	}
}
