package sandbox

import (
	"bytes"
	"fmt"
	"sync"

	"postext/book"
	"postext/engine/paint"
	"postext/engine/settings"
	"postext/engine/unit"
)

// The screen aids of a design (settings.md 36): the caret and the selection shown on
// the pages, the tint of loose lines. They are the screen's and no page's.

// aidsCache keeps the aids of the configuration asked for last.
type aidsCache struct {
	mu     sync.Mutex
	config []byte
	debug  settings.Debug
}

// aids are the screen aids of a book; those of the defaults where its configuration
// cannot be read, which other answers say.
func (s *Session) aids(b *book.Book) settings.Debug {
	c := &s.aidsOf
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.config != nil && bytes.Equal(c.config, b.Config) {
		return c.debug
	}
	tree, err := settings.Parse(b.Config)
	if err != nil {
		tree = settings.Empty
	}
	c.config, c.debug = append([]byte{}, b.Config...), settings.ScreenAids(tree)
	return c.debug
}

// tinted completes guides with the design's threshold and tint of loose lines.
func tinted(g paint.Guides, d settings.Debug) paint.Guides {
	g.LooseFrom, g.LooseColor = d.LooseThreshold, d.LooseColor
	return g
}

// screenGuides are the guides of a page on screen.
func screenGuides(v guidesOnView, d settings.Debug) paint.Guides {
	return tinted(paint.Guides{BaselineGrid: v.BaselineGrid, LooseLines: v.LooseLines}, d)
}

// guidesKey tells apart what the guides make of a page's picture.
func guidesKey(v guidesOnView, d settings.Debug) string {
	k := v.key()
	if v.LooseLines {
		k += fmt.Sprintf("%g%s", d.LooseThreshold, cssColor(d.LooseColor))
	}
	return k
}

// cssColor writes a colour as CSS does.
func cssColor(c unit.Color) string {
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}
