package frame

import "postext/engine/unit"

// CropMarks say how a page stands on the larger sheet it is cut out of
// (settings.md 5, page.cutLines). Nothing on the page is moved by them.
type CropMarks struct {
	Bleed  unit.Sp // what is painted at the edge reaches that far beyond it
	Margin unit.Sp // from the page to the sheet's edge, on every side
	Start  unit.Sp // from the page to a mark, never inside the bleed
	Length unit.Sp
	Width  unit.Sp
	Color  unit.Color
}

// Sheet is what the page is printed on: the page itself, or with crop marks the
// page and the margin they stand in. Its corner is at negative places then, for
// places count from the page's corner.
func (p *Page) Sheet() unit.Rect {
	if p.Marks == nil {
		return unit.Rect{W: p.Width, H: p.Height}
	}
	return unit.Rect{W: p.Width, H: p.Height}.Grow(p.Marks.Margin)
}

// BleedBox is the page and its bleed. Everything but the marks ends there.
func (p *Page) BleedBox() unit.Rect {
	if p.Marks == nil {
		return unit.Rect{W: p.Width, H: p.Height}
	}
	return unit.Rect{W: p.Width, H: p.Height}.Grow(p.Marks.Bleed)
}

// MarkBoxes are the crop marks: two at each corner, in line with the edges.
func (p *Page) MarkBoxes() []unit.Rect {
	m := p.Marks
	if m == nil || m.Width <= 0 || m.Length <= 0 {
		return nil
	}
	boxes := make([]unit.Rect, 0, 8)
	for _, y := range [...]unit.Sp{0, p.Height} {
		for _, x := range [...]unit.Sp{-m.Start - m.Length, p.Width + m.Start} {
			boxes = append(boxes, unit.Rect{X: x, Y: y - m.Width/2, W: m.Length, H: m.Width})
		}
	}
	for _, x := range [...]unit.Sp{0, p.Width} {
		for _, y := range [...]unit.Sp{-m.Start - m.Length, p.Height + m.Start} {
			boxes = append(boxes, unit.Rect{X: x - m.Width/2, Y: y, W: m.Width, H: m.Length})
		}
	}
	return boxes
}
