package settings

import "strconv"

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
	v.After, v.AfterParity = r.flag("parts.breakAfter.enabled"), r.str("parts.breakAfter.parity")
	v.Design, v.Verso = r.slot("parts.design.elements"), r.slot("parts.versoDesign.elements")
}

// sections resolves what heading styles and parts change on their pages, once all
// else is known.
func (r *resolver) sections(d *Design) Faults {
	named := func(faults Faults, path string) Faults {
		for i := range faults {
			faults[i].Path = path
			faults[i].Message = path + ": " + faults[i].Message
		}
		return faults
	}
	var faults Faults
	if d.Parts.Pages, faults = r.section(d, "parts.margins", "", "parts.bodyStyle"); faults != nil {
		return named(faults, "parts.margins")
	}
	styles := r.stored(schema().byPath["headingStyles"], nil)
	at := 0
	for i := range d.Headings.Styles {
		st := &d.Headings.Styles[i]
		for styles.kids[at].kind != object {
			at++
		}
		key := "#" + strconv.Itoa(at)
		at++
		const p = "headingStyles[]."
		if st.Pages, faults = r.section(d, p+"margins", p+"layout", p+"bodyStyle", key); faults != nil {
			return named(faults, "headingStyles[id="+st.ID+"]")
		}
		st.Pages.Palette = r.paletteOf(p+"palette", key)
	}
	return nil
}
