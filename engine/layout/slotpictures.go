package layout

import (
	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Pictures of design slots (settings.md 7.3): furniture, neither numbered nor
// captioned.

// plate finds the picture an image element calls, nil when there is none: such an
// element draws nothing. What was found belongs to what the chapter was built with.
func (u *furnisher) plate(id string) (*Found, error) {
	if id == "" {
		return nil, nil
	}
	if f, ok := u.plates[id]; ok {
		return f, nil
	}
	j := u.j
	known := 0
	if j.flow != nil {
		known = len(j.flow.used)
	}
	found, err := j.look(id)
	if err != nil {
		return nil, err
	}
	if j.flow != nil && len(j.flow.used) > known {
		now := j.flow.used[known]
		for _, u := range j.flow.used[:known] {
			if u == now { // a page furnished again
				j.flow.used = j.flow.used[:known]
				break
			}
		}
	}
	f := &found
	if found.Picture == nil {
		f = nil
	}
	if u.plates == nil {
		u.plates = map[string]*Found{}
	}
	u.plates[id] = f
	return f, nil
}

// plateSize gives a picture's size from what its element asks for: one side alone
// draws the other with it, none leaves the natural size.
func (j *job) plateSize(e *settings.Element, f *Found, w, h unit.Sp) (unit.Sp, unit.Sp) {
	nw, nh := f.Picture.Natural(j.dots(f))
	if nw <= 0 || nh <= 0 {
		return 0, 0
	}
	wide, high := e.Width.Mode != "auto", e.Height.Mode != "auto"
	switch {
	case wide && !high:
		return w, unit.Sp(unit.MulDiv(int64(w), int64(nh), int64(nw)))
	case high && !wide:
		return unit.Sp(unit.MulDiv(int64(h), int64(nw), int64(nh))), h
	case !wide && !high:
		return nw, nh
	}
	return w, h
}

// plate draws a picture in its box, in the middle of it where both sides were
// given.
func (s *slotSetter) plate(e *settings.Element, f *Found, box unit.Rect) []frame.Item {
	nw, nh := f.Picture.Natural(s.pc.u.j.dots(f))
	if e.Width.Mode != "auto" && e.Height.Mode != "auto" && nw > 0 && nh > 0 {
		w, h := box.W, unit.Sp(unit.MulDiv(int64(box.W), int64(nh), int64(nw)))
		if h > box.H {
			w, h = unit.Sp(unit.MulDiv(int64(box.H), int64(nw), int64(nh))), box.H
		}
		box = unit.Rect{X: box.X + (box.W-w)/2, Y: box.Y + (box.H-h)/2, W: w, H: h}
	}
	it := frame.Item{Box: box, Image: e.ResourceID, Picture: f.Picture, ID: e.ID}
	if r := f.Resource; r != nil {
		it.Image = r.ID
		// Heads and feet are furniture; the design of a heading may show what the
		// text speaks of.
		if s.kind != "header" && s.kind != "footer" && !e.Decorative {
			it.Plain = r.Alt
		}
	}
	return []frame.Item{it}
}
