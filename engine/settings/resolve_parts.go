package settings

import "postext/engine/unit"

// sectionSlot is the running heads of a section, where it has its own
// (settings.md 11).
func (r *resolver) sectionSlot(pattern, key string) (Slot, bool) {
	if !r.set(pattern+".elements", key) {
		return Slot{}, false
	}
	return r.slot(pattern+".elements", key), true
}

// parts resolves settings.md 18.
func (r *resolver) parts(d *Design) {
	v := &d.Parts
	v.Page = r.flag("parts.page")
	v.Parity = r.str("parts.breakBefore.parity")
	v.AfterParity = r.str("parts.breakAfter.parity")
	v.Design, v.Verso = r.slot("parts.design.elements"), r.slot("parts.versoDesign.elements")
	p := &d.Page
	margin := func(name string, otherwise unit.Sp) unit.Sp {
		if !r.set("parts.margins." + name) {
			return otherwise
		}
		return r.len("parts.margins."+name, r.rem)
	}
	v.Top, v.Bottom = margin("top", p.Top), margin("bottom", p.Bottom)
	v.Left, v.Right = margin("left", p.Left), margin("right", p.Right)
	if v.Mirror = p.Mirror; r.set("parts.margins.mirror") {
		v.Mirror = r.flag("parts.margins.mirror")
	}
	const b = "parts.bodyStyle."
	t := d.Body
	if r.set(b + "fontFamily") {
		t.Family = r.family(b + "fontFamily")
	}
	if r.set(b + "fontSize") {
		t.Size = max(r.len(b+"fontSize", d.Body.Size), unit.Pt/4)
	}
	if r.set(b + "lineHeight") {
		t.Leading = max(r.len(b+"lineHeight", t.Size), unit.Pt/4)
	}
	if r.set(b + "color") {
		t.Color = r.color(b + "color")
	}
	if r.set(b + "textAlign") {
		t.Align = side(r.str(b + "textAlign"))
	}
	v.Body = t
}
