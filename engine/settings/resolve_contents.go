package settings

import (
	"postext/engine/unit"
)

// Contents is how the list of contents is set (settings.md 19).
type Contents struct {
	Levels []ContentsLevel // those listed, each level once
	// Page is the type of the page labels, PageWidth their column at the right.
	Page      Text
	PageWidth unit.Sp
	// Leader is the sign repeated between title and page; empty for none.
	// LeaderGap is the room between two signs.
	Leader    string
	LeaderGap unit.Sp
	// Subtitle names the heading's attribute that makes a second line; empty for
	// none.
	Subtitle       string
	SubtitleText   Text
	SubtitleIndent unit.Sp

	Parts      bool
	PartBreak  bool // a page for each part
	PartDesign Slot
	PartHeight unit.Sp
	PartAbove  unit.Sp
	PartBelow  unit.Sp
}

// ContentsLevel is one level of the contents.
type ContentsLevel struct {
	Level      int // of the headings, 1 to 6
	Entry      ContentsEntry
	Unnumbered ContentsEntry // of headings that are not counted
	Number     Text
	// NumberWidth is the least width of the numbers' column, NumberGap the room
	// between it and the titles.
	NumberWidth, NumberGap unit.Sp
}

// ContentsEntry is one line of it.
type ContentsEntry struct {
	Text         Text
	Indent       unit.Sp
	Above, Below unit.Sp
}

// Listed returns how a level is listed, nil when it is not.
func (c *Contents) Listed(level int) *ContentsLevel {
	for i := range c.Levels {
		if c.Levels[i].Level == level {
			return &c.Levels[i]
		}
	}
	return nil
}

// contents resolves settings.md 19. Lengths in ems count those of the entry's
// own size, the parts' those of the body.
func (r *resolver) contents(d *Design) {
	c := &d.Contents
	keys, given := r.items(schema().byPath["toc.levels"], nil)
	if !given {
		keys = []string{"1"}
	}
	for _, key := range keys {
		const p = "toc.levels[]."
		l := ContentsLevel{Level: r.whole(p+"level", key)}
		if !given {
			l.Level = 1
		}
		if l.Level < 1 || l.Level > 6 || c.Listed(l.Level) != nil {
			continue
		}
		l.Entry = r.contentsEntry(d, p, nil, key)
		l.Unnumbered = r.contentsEntry(d, "toc.unnumbered.", &l.Entry)
		l.Number = l.Entry.Text
		l.Number.Family = r.family(p+"numberFontFamily", key)
		l.Number.Size = max(r.len(p+"numberFontSize", l.Entry.Text.Size, key), unit.Pt/4)
		l.Number.Weight, l.Number.Color = r.weight(p+"numberFontWeight", key), r.color(p+"numberColor", key)
		l.NumberWidth = max(r.len(p+"numberWidth", l.Entry.Text.Size, key), 0)
		l.NumberGap = r.len(p+"numberGap", l.Entry.Text.Size, key)
		c.Levels = append(c.Levels, l)
	}
	base := d.Body
	if len(c.Levels) > 0 {
		base = c.Levels[0].Entry.Text
	}
	part := func(p string) Text {
		t := base
		t.Family = r.family(p + "fontFamily")
		t.Size = max(r.len(p+"fontSize", base.Size), unit.Pt/4)
		t.Weight, t.Italic, t.Color = r.weight(p+"fontWeight"), r.flag(p+"italic"), r.color(p+"color")
		t.BoldColor, t.ItalicColor = t.Color, t.Color
		return t
	}
	c.Page = part("toc.pageNumber.")
	c.PageWidth = max(r.len("toc.pageNumber.width", c.Page.Size), 0)
	if r.flag("toc.leader.enabled") {
		c.Leader = r.str("toc.leader.char")
	}
	c.LeaderGap = max(r.len("toc.leader.gap", c.Page.Size), 0)
	if r.flag("toc.subtitle.enabled") {
		c.Subtitle = r.str("toc.subtitle.attr")
	}
	c.SubtitleText = part("toc.subtitle.")
	c.SubtitleIndent = r.len("toc.subtitle.indent", c.SubtitleText.Size)
	c.Parts, c.PartBreak = r.flag("toc.parts.enabled"), r.flag("toc.parts.breakBefore")
	c.PartDesign = r.slot("toc.parts.design.elements")
	c.PartHeight = max(r.len("toc.parts.height", d.Body.Size), 0)
	c.PartAbove, c.PartBelow = max(r.len("toc.parts.marginTop", d.Body.Size), 0), max(r.len("toc.parts.marginBottom", d.Body.Size), 0)
}

// contentsEntry resolves an entry: that of a level, or over it, in what is set,
// that of headings without number.
func (r *resolver) contentsEntry(d *Design, p string, base *ContentsEntry, keys ...string) ContentsEntry {
	e := ContentsEntry{Text: d.Body}
	over := func(string) bool { return true }
	if base != nil {
		e = *base
		over = func(name string) bool { return r.set(p+name, keys...) }
	}
	t := &e.Text
	t.Hyphenate, t.Align = false, "left"
	if over("fontFamily") {
		t.Family = r.family(p+"fontFamily", keys...)
	}
	if over("fontSize") {
		t.Size = max(r.len(p+"fontSize", d.Body.Size, keys...), unit.Pt/4)
	}
	if over("lineHeight") {
		t.Leading = max(r.len(p+"lineHeight", t.Size, keys...), unit.Pt/4)
	}
	if over("fontWeight") {
		t.Weight = r.weight(p+"fontWeight", keys...)
		t.BoldWeight = max(d.Body.BoldWeight, t.Weight)
	}
	if over("color") {
		t.Color = r.color(p+"color", keys...)
		t.BoldColor, t.ItalicColor = t.Color, t.Color
	}
	if over("italic") {
		t.Italic = r.flag(p+"italic", keys...)
	}
	if over("indent") {
		e.Indent = max(r.len(p+"indent", t.Size, keys...), 0)
	}
	if over("marginTop") {
		e.Above = max(r.len(p+"marginTop", t.Size, keys...), 0)
	}
	if over("marginBottom") {
		e.Below = max(r.len(p+"marginBottom", t.Size, keys...), 0)
	}
	return e
}
