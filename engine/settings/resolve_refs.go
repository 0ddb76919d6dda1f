package settings

import (
	"strings"

	"postext/engine/unit"
)

// index resolves settings.md 20. Ems are the index's own.
func (r *resolver) index(d *Design) {
	const p = "index."
	x := &d.Index
	t := d.Body
	t.Family, t.Weight = r.family(p+"fontFamily"), r.weight(p+"fontWeight")
	t.Size = max(r.len(p+"fontSize", d.Body.Size), unit.Pt/4)
	t.Leading = d.Body.Leading
	if r.set(p + "lineHeight") {
		t.Leading = max(r.len(p+"lineHeight", t.Size), unit.Pt/4)
	}
	if r.set(p + "color") {
		c := r.color(p + "color")
		t.Color, t.BoldColor, t.ItalicColor = c, c, c
	}
	t.Hyphenate, t.Hanging, t.Indent, t.Align = false, false, 0, "left"
	x.Text = t
	x.Indent, x.Turnover = max(r.len(p+"indent", t.Size), 0), max(r.len(p+"turnoverIndent", t.Size), 0)
	x.Spacing = max(r.len(p+"entrySpacing", t.Size), 0)
	x.Separator, x.Between, x.Dash = r.str(p+"separator"), r.str(p+"locatorSeparator"), r.str(p+"rangeSeparator")
	x.Merge, x.Short = r.flag(p+"mergeRanges"), r.str(p+"rangeFormat") == "chicago"
	x.MainBold, x.MainItalic = r.flag(p+"main.bold"), r.flag(p+"main.italic")
	x.See, x.Also, x.SeeItalic = r.str(p+"see.label"), r.str(p+"see.alsoLabel"), r.flag(p+"see.italic")
	if x.Locale = r.str(p + "locale"); x.Locale == "" {
		x.Locale = d.Locale
	}
	x.Groups = r.flag(p+"groups.enabled") && r.str(p+"groupBy") != "none"
	h := t
	h.Family, h.Weight, h.Italic = r.family(p+"groups.fontFamily"), r.weight(p+"groups.fontWeight"), r.flag(p+"groups.italic")
	h.BoldWeight = max(700, h.Weight)
	if r.set(p + "groups.fontSize") {
		h.Size = max(r.len(p+"groups.fontSize", t.Size), unit.Pt/4)
		if h.Size > t.Size {
			h.Leading = max(t.Leading, unit.Sp(unit.MulDiv(int64(h.Size), 1200, 1000)))
		}
	}
	if r.set(p + "groups.color") {
		h.Color = r.color(p + "groups.color")
	}
	x.Head = h
	if x.HeadAbove = t.Leading; r.set(p + "groups.marginTop") {
		x.HeadAbove = max(r.len(p+"groups.marginTop", t.Size), 0)
	}
	x.Symbols, x.Figures = r.str(p+"groups.symbolsLabel"), r.str(p+"groups.numbersLabel")
	x.NoArticle = r.flag(p + "ignoreArticle")
}

// refs resolves settings.md 23. Label and number are never parted: the space
// before {n} is a no-break space, and a template without {n} ends in one.
func (r *resolver) refs(d *Design) {
	words := func(path string) string {
		s := r.str(path)
		if !strings.Contains(s, "{n}") {
			return s + "\u00a0{n}"
		}
		return strings.ReplaceAll(strings.ReplaceAll(s, " {n}", "\u00a0{n}"), "{n} ", "{n}\u00a0")
	}
	d.Refs = Refs{Chapter: words("crossRefs.chapter"), Section: words("crossRefs.section"), Page: words("crossRefs.page")}
	if s := r.str("crossRefs.defaultStyle"); s != "default" {
		d.Refs.Style = s
	}
}
