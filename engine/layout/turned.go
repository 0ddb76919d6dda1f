package layout

import (
	"slices"
	"strconv"

	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Figures and tables turned by a quarter (document-format.md 13.5, layout.md 9). One
// has a page of its own behind the page that cites it, is laid along the height of
// the type area less a line, its caption with it, and stands flush to the spine. A
// table higher than the type area is wide goes on on the next page, turned.

// turnOf is the turn a placement asks for.
func turnOf(pl *settings.Placement) frame.Turn {
	switch pl.Rotate {
	case "ccw":
		return frame.CCW
	case "cw":
		return frame.CW
	}
	return frame.Upright
}

// turned reports whether a float stands on its side.
func (f *float) turned() bool { return f.spec != nil && turnOf(&f.spec.place) != frame.Upright }

// turnedWidth is the measure of what is turned: the height of the type area in whole
// lines, less one.
func turnedWidth(d *settings.Design) unit.Sp {
	grid := d.Body.Leading
	return max(contentOf(d, true).H/grid-1, 1) * grid
}

// turnedPages sets the turned figures that wait, each on its page, as far as none
// waits before it that has to stand first.
func (p *placer) turnedPages() error {
	if p.onPart || p.wide || p.apart.W > 0 {
		return nil
	}
	for again := true; again; {
		again = false
		held := map[string]bool{}
		for i, w := range p.queue {
			fl := &p.f.floats[w.float]
			if held[fl.kind()] || !fl.turned() {
				held[fl.kind()] = true
				continue
			}
			rest, err := p.turnedPage(w)
			if err != nil {
				return err
			}
			p.queue = slices.Clone(p.queue)
			if p.queue[i].from = rest; rest == 0 {
				p.queue = slices.Delete(p.queue, i, i+1)
			}
			again = true
			break
		}
		if again {
			if err := p.j.tick(); err != nil {
				return err
			}
		}
	}
	return nil
}

// turnedPage makes the page of a turned figure. It returns the row a table goes on
// from, 0 when all of it is set.
func (p *placer) turnedPage(w waitingFloat) (rest int, err error) {
	// What waits for a side column waits for one beside text.
	side, center := p.side, p.center
	p.side, p.center = sideColumn{}, false
	p.newPage()
	fl, c := &p.f.floats[w.float], p.page.Content
	width := turnedWidth(p.j.d)
	f, err := p.figure(w, width, c.W, 1)
	if err == nil && f.height > c.W && fl.spec.canSplit() {
		f, err = p.figure(w, width, c.W, tableCut)
	}
	if err != nil {
		return 0, err
	}
	if f.scale < 1000 && fl.spec.found.Picture != nil {
		p.shrunk(fl, f)
	}
	box := unit.Rect{X: c.X, Y: c.Y, W: f.height, H: width}
	if !outerIsRight(p.j.d, p.page.Recto) {
		box.X = c.Right() - f.height
	}
	at := p.page.Reading(f.turn, box)
	p.page.Floats = append(p.page.Floats, p.figureBlocks(f, at.X, at.Y)...)
	p.page.Columns = append(p.page.Columns, frame.Column{Box: unit.Rect{X: c.X, Y: c.Y, W: c.W, H: p.pageFull()}, Short: "float"})
	p.rects = p.rects[:1]
	p.endPage()
	p.side, p.center = side, center
	return f.next, nil
}

// shrunk reports a picture set smaller than its slot would have it.
func (p *placer) shrunk(fl *float, f *figure) {
	p.j.figureProblem("floatShrunk", fl.n.ID, "#"+fl.n.ID+" is set at "+strconv.Itoa(int(f.scale/10))+" %", fl.spec.start, fl.spec.end,
		frame.Field{Key: "scale", Value: hundredths(f.scale)})
}
