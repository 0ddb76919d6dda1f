package settings

import (
	"strconv"

	"postext/engine/unit"
)

// headings resolves the six levels and the named styles (settings.md 10, 11).
func (r *resolver) headings(d *Design) {
	h := &d.Headings
	h.KeepWithNext = r.flag("headings.keepWithNext")
	h.KeepWithNextSpread = r.flag("headings.keepWithNextSpread")
	h.KeepWithNextSplit = r.str("headings.keepWithNextSplit")
	h.InlineMarks = r.flag("headings.inlineMarks")
	h.Balance = r.balance()
	for i := range h.Levels {
		level := strconv.Itoa(i + 1)
		h.Levels[i] = r.level(d, nil, "headings.levels[].", level, level)
		h.Levels[i].Numbered, h.Levels[i].TOC, h.Levels[i].RunningChapter = true, true, i == 0
	}
	styles := r.stored(schema().byPath["headingStyles"], nil)
	if styles == nil || styles.kind != list {
		return
	}
	for i, item := range styles.kids {
		key := "#" + strconv.Itoa(i)
		if item.kind != object || i >= 200 {
			continue
		}
		st := HeadingStyle{ID: keyText(item, "id")}
		for l := range st.Levels {
			st.Levels[l] = r.level(d, &h.Levels[l], "headingStyles[].", key, strconv.Itoa(l+1))
			v := &st.Levels[l]
			v.Numbered, v.TOC = r.flag("headingStyles[].numbered", key), r.flag("headingStyles[].toc", key)
			v.RunningChapter = l == 0 && r.flag("headingStyles[].runningChapter", key)
		}
		st.Header, st.HeaderSet = r.sectionSlot("headingStyles[].header", key)
		st.Footer, st.FooterSet = r.sectionSlot("headingStyles[].footer", key)
		h.Styles = append(h.Styles, st)
	}
}

// balance resolves what brings columns to their foot (settings.md 10.2).
func (r *resolver) balance() Balance {
	const p = "headings.balancing."
	b := Balance{Enabled: r.flag(p + "enabled"), PerHeading: max(r.whole(p+"maxLinesPerHeading"), 0),
		Trailing: r.flag(p + "trailing"), BeforeSpan: r.flag(p + "beforeSpan"), ClosingBox: r.str(p + "closingBox")}
	if r.flag(p + "stretchAfterLists") {
		b.AfterList = max(r.whole(p+"maxLinesAfterList"), 0)
	}
	if r.flag(p + "stretchAfterFloats") {
		b.AfterFloat = max(r.whole(p+"maxLinesAfterFloat"), 0)
	}
	if r.flag(p + "looseParagraphs") {
		b.Loose = max(r.whole(p+"maxLooseParagraphs"), 0)
		if r.flag(p + "trackParagraphs") {
			b.Tracking = int32(min(max(r.num(p+"maxTracking"), 0), 1000))
		}
	}
	return b
}

// level resolves one heading level. With base, only what is written at the
// prefix overrides it (a style over its level).
func (r *resolver) level(d *Design, base *HeadingLevel, p, key, level string) HeadingLevel {
	var h HeadingLevel
	over := func(string) bool { return true }
	if base != nil {
		h = *base
		over = func(name string) bool { return r.set(p+name, key) }
	} else {
		h.Text = Text{
			BoldColor: r.color(p+"color", key), MathColor: d.Body.MathColor, RefBold: d.Body.RefBold, RefItalic: d.Body.RefItalic, RefColor: d.Body.RefColor,
			Align: side(r.str("headings.textAlign")), HyphenLang: d.Body.HyphenLang,
			MaxSpace: d.Body.MaxSpace, MinSpace: d.Body.MinSpace,
			AfterDashes: d.Body.AfterDashes, AfterHyphens: d.Body.AfterHyphens,
		}
	}
	t := &h.Text
	if over("fontSize") {
		t.Size = max(r.len(p+"fontSize", r.rem, key), unit.Pt/4)
	}
	if over("fontFamily") {
		t.Family = r.family(p+"fontFamily", key)
	}
	if over("fontWeight") {
		t.Weight = r.weight(p+"fontWeight", key)
		t.BoldWeight = max(700, t.Weight)
	}
	if over("color") {
		t.Color = r.color(p+"color", key)
		t.BoldColor, t.ItalicColor = t.Color, t.Color
	}
	if over("italic") {
		t.Italic = r.flag(p+"italic", key)
	}
	if over("textTransform") {
		t.Transform = r.str(p+"textTransform", key)
	}
	// Lengths in ems of the level follow a size the style changes.
	lengthOf := func(name string) unit.Sp {
		if base != nil && !r.set(p+name, key) {
			return r.len("headings.levels[]."+name, t.Size, level)
		}
		return r.len(p+name, t.Size, key)
	}
	t.Leading = max(lengthOf("lineHeight"), unit.Pt/4)
	t.Tracking = lengthOf("letterSpacing")
	h.MarginTop, h.MarginBottom = lengthOf("marginTop"), lengthOf("marginBottom")
	if over("snapToGrid") {
		h.Snap = r.flag(p+"snapToGrid", key)
	}
	if over("numberingTemplate") {
		h.Template = r.str(p+"numberingTemplate", key)
	}
	if over("numberSeparator") {
		h.Separator = r.str(p+"numberSeparator", key)
	}
	if over("numberPosition") {
		h.NumberReplaces = r.str(p+"numberPosition", key) == "replace"
	}
	if over("indent") { // in ems of the body
		h.Indent = r.len(p+"indent", d.Body.Size, key)
	}
	if over("firstLineIndent") {
		h.FirstIndent = r.len(p+"firstLineIndent", d.Body.Size, key)
	}
	if over("breakBefore.enabled") {
		h.BreakBefore = r.flag(p+"breakBefore.enabled", key)
	}
	if over("breakBefore.parity") {
		h.Parity = r.str(p+"breakBefore.parity", key)
	}
	if over("hidden") {
		h.Hidden = r.flag(p+"hidden", key)
	}
	if over("span") {
		h.SpanPage = r.str(p+"span", key) == "page"
	}
	if over("spanBreak") {
		h.SpanBreak = r.flag(p+"spanBreak", key)
	}
	if c, given := r.dropCap(p+"dropCap", d.Body.Size, key); given {
		h.DropCap = c
	}
	if over("advancedDesign.enabled") {
		h.Designed = r.flag(p+"advancedDesign.enabled", key)
	}
	if over("advancedDesign.minHeight") {
		h.MinHeight = r.len(p+"advancedDesign.minHeight", t.Size, key)
	}
	if over("advancedDesign.slot.elements") {
		h.Design = r.slot(p+"advancedDesign.slot.elements", key)
	}
	return h
}

func (r *resolver) bullets(d *Design) {
	const p = "unorderedLists."
	em := d.Body.Size
	b := &d.Bullets
	b.Family = r.family(p + "fontFamily")
	b.MarginTop, b.MarginBottom = r.len(p+"marginTop", em), r.len(p+"marginBottom", em)
	b.ItemSpacing = r.len(p+"itemSpacing", em)
	b.Hanging, b.SnapTop = r.flag(p+"hangingIndent"), r.flag(p+"snapTopToGrid")
	b.TaskOpen, b.TaskDone = r.str(p+"taskCheckboxChar"), r.str(p+"taskCheckedChar")
	b.TaskStrike = r.flag(p + "taskCompletedStrikethrough")
	b.TaskDoneColorSet = r.set(p + "taskCompletedColor")
	b.TaskDoneColor = r.color(p + "taskCompletedColor")
	for i := range b.Levels {
		key := strconv.Itoa(i + 1)
		b.Levels[i] = r.marker(p, key, em, i == 0)
		b.Levels[i].Char = r.str(p+"levels[].bulletChar", key)
	}
}

func (r *resolver) numbers(d *Design) {
	const p = "orderedLists."
	em := d.Body.Size
	n := &d.Numbers
	n.Family = r.family(p + "fontFamily")
	n.MarginTop, n.MarginBottom = r.len(p+"marginTop", em), r.len(p+"marginBottom", em)
	n.ItemSpacing = r.len(p+"itemSpacing", em)
	n.Hanging, n.SnapTop = r.flag(p+"hangingIndent"), r.flag(p+"snapTopToGrid")
	n.WidthByLevel = r.str(p+"numberWidth") == "level"
	for i := range n.Levels {
		key := strconv.Itoa(i + 1)
		m := r.marker(p, key, em, i == 0)
		m.Format, _ = numberFormat(r.str(p+"levels[].numberFormat", key), 0)
		m.Prefix, m.Separator = r.str(p+"levels[].prefix", key), r.str(p+"levels[].separator", key)
		m.SepFamily = r.family(p+"levels[].separatorFontFamily", key)
		m.SepWeight = r.weight(p+"levels[].separatorFontWeight", key)
		m.SepItalic = r.flag(p+"levels[].separatorItalic", key)
		if c := r.color(p+"levels[].separatorColor", key); c != m.Color {
			m.SepColor = c
		}
		m.SepGap = r.len(p+"levels[].separatorGap", em, key)
		n.Levels[i] = m
	}
}

// marker resolves what bullets and numbers have in common. List ems are body
// ems (settings.md 1.1).
func (r *resolver) marker(p, key string, em unit.Sp, first bool) Marker {
	m := Marker{
		Family: r.family(p+"levels[].fontFamily", key),
		Size:   r.len(p+"levels[].fontSize", em, key),
		Weight: r.weight(p+"levels[].fontWeight", key),
		Italic: r.flag(p+"levels[].italic", key),
		Color:  r.color(p+"levels[].color", key),
		Offset: r.len(p+"levels[].verticalOffset", em, key),
		Gap:    r.len(p+"gap", em),
		Indent: r.len(p+"levels[].indent", em, key),
	}
	m.IndentSet = first || r.set(p+"levels[].indent", key)
	return m
}
