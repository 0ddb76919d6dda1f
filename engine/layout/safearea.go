package layout

import (
	"postext/book"
	"postext/engine/picture"
	"postext/engine/unit"
)

// Safe areas (document-format.md 13.7). A picture that names the part of it that
// must stay visible may be cropped to it: its width stays, its height goes from the
// safe area's share of it to the height at which the sides are cut to the safe
// area's width. What is cut is taken from both sides in proportion to the margins
// around the safe area.

// flexible is a picture that may be cropped, at a size: places of the safe area in
// 1/65536 of the picture.
type flexible struct {
	full           unit.Sp // height uncropped
	x0, x1, y0, y1 int64
}

const wholePicture = 1 << 16

// cropOnly asks build for a picture cropped to a height, and not made smaller.
const cropOnly = -2

// flexOf reads a safe area; nil when the picture is not to be cropped: an area with
// a side under 0.02, one that leaves the picture or covers it all.
func flexOf(a *book.Area) *flexible {
	if a == nil || !(a.Width >= 0.02 && a.Height >= 0.02 && a.X >= 0 && a.Y >= 0 && a.X+a.Width <= 1.0001 && a.Y+a.Height <= 1.0001) {
		return nil
	}
	part := func(v float64) int64 { return min(max(int64(float64(v*wholePicture)+0.5), 0), wholePicture) }
	f := &flexible{x0: part(a.X), x1: part(a.X + a.Width), y0: part(a.Y), y1: part(a.Y + a.Height)}
	if f.x0 == 0 && f.y0 == 0 && f.x1 == wholePicture && f.y1 == wholePicture {
		return nil
	}
	return f
}

// least and most are the heights a picture may have.
func (f *flexible) least() unit.Sp {
	return max(unit.Sp(unit.MulDiv(int64(f.full), f.y1-f.y0, wholePicture)), 1)
}

func (f *flexible) most() unit.Sp {
	return unit.Sp(unit.MulDiv(int64(f.full), wholePicture, max(f.x1-f.x0, 1)))
}

// crop is the part shown at a height between the two.
func (f *flexible) crop(h unit.Sp) picture.Crop {
	cut := func(shown, near, far int64) (a, z uint32) {
		lost := wholePicture - shown
		first := unit.MulDiv(lost, near, max(near+wholePicture-far, 1))
		return uint32(first), uint32(first + shown)
	}
	c := picture.Crop{X1: wholePicture, Y1: wholePicture}
	switch {
	case h < f.full:
		c.Y0, c.Y1 = cut(unit.MulDiv(int64(h), wholePicture, int64(f.full)), f.y0, f.y1)
	case h > f.full:
		c.X0, c.X1 = cut(unit.MulDiv(int64(f.full), wholePicture, int64(h)), f.x0, f.x1)
	default:
		return picture.Crop{}
	}
	return c
}

// picturePlaces are the pictures of the column at hand that may grow.
func (p *placer) picturePlaces() (at []int) {
	for i := range p.made {
		if f := p.made[i].flex; f != nil && p.groups[i] == 0 && p.blocks[i].Box.H < f.most() {
			at = append(at, i)
		}
	}
	return at
}

// growPictures brings the foot of a column down by whole lines that its pictures
// grow by within their crop, a line at a time in turn.
func (p *placer) growPictures(gap int) {
	at := p.picturePlaces()
	for grown := true; grown && gap > 0; {
		grown = false
		for _, i := range at {
			b, f := p.blocks[i], p.made[i].flex
			if gap == 0 || b.Box.H+p.grid > f.most() {
				continue
			}
			b.Box.H += p.grid
			for k := range b.Over {
				if it := &b.Over[k]; it.ID == "picture" {
					it.Box.H += p.grid
					it.Crop = f.crop(it.Box.H)
				}
			}
			p.push(i+1, p.grid)
			p.record(i, "picture").Growth += p.grid
			gap--
			grown = true
		}
	}
}

// fitted crops or, where the design asks for it, shrinks a figure of the flow to
// the room of the column at hand, so that it stays with its text; nil when it does
// not get small enough.
func (p *placer) fitted(n *node, room unit.Sp) (*figure, error) {
	s := n.spec
	if s == nil || s.found.Picture == nil || room <= 0 {
		return nil, nil
	}
	least := []int64{cropOnly}
	if p.j.d.Figures.FitToPage {
		least = append(least, 500)
	}
	if p.cur.empty && !p.crowded() {
		least = append(least, 1) // a box stands around it: no column has more room
	}
	for _, l := range least {
		if l == cropOnly && s.safe == nil {
			continue
		}
		f, err := p.j.build(s, n.fig.width, room, l, 0)
		if err != nil {
			return nil, err
		}
		if f.height <= room {
			f.index = n.index
			p.f.figures = append(p.f.figures, f)
			return f, nil
		}
	}
	return nil, nil
}
