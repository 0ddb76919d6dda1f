package settings

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"postext/engine/unit"
)

// maxStyles bounds the styles read of a list: a file may hold any number.
const maxStyles = 200

// each calls f with the key of every item of a list.
func (r *resolver) each(pattern string, keys []string, f func(key string, item *node)) {
	list := r.stored(schema().byPath[pattern], keys)
	if list == nil {
		return
	}
	for i, item := range list.kids {
		if item.kind == object && i < maxStyles {
			f("#"+strconv.Itoa(i), item)
		}
	}
}

// relative reads a length whose ems count from the text around.
func (r *resolver) relative(pattern string, keys ...string) Relative {
	x, u, ok := readLength(r.at(pattern, keys...))
	if !ok {
		return Relative{}
	}
	if u == "em" {
		return Relative{Ems: int64(math.Round(min(max(float64(x*1000), -1e6), 1e6)))}
	}
	return Relative{Fixed: r.len(pattern, 0, keys...)}
}

// present reports whether an object is stored, whatever it holds.
func (r *resolver) present(pattern string, keys ...string) bool {
	n := r.literal(schema().byPath[pattern], keys, true)
	return n != nil && n.kind == object
}

func (r *resolver) sides(prefix string, em unit.Sp, keys ...string) Sides {
	return Sides{r.len(prefix+".top", em, keys...), r.len(prefix+".right", em, keys...),
		r.len(prefix+".bottom", em, keys...), r.len(prefix+".left", em, keys...)}
}

// frame reads the rectangle around a box or listing.
func (r *resolver) frame(p string, em unit.Sp, keys ...string) Frame {
	f := Frame{Radius: r.len(p+"borderRadius", em, keys...), Pad: r.sides(p+"padding", em, keys...)}
	if r.flag(p+"backgroundEnabled", keys...) {
		f.Fill = r.color(p+"background", keys...)
	}
	if r.flag(p+"border.enabled", keys...) {
		f.Border, f.BorderWidth = r.color(p+"border.color", keys...), r.len(p+"border.width", em, keys...)
	}
	return f
}

// colors resolves the palette.
func (r *resolver) colors(d *Design) {
	if r.palette == nil || r.palette.kind != list {
		return
	}
	for i, item := range r.palette.kids {
		if c, ok := colorOf(item.get("value")); ok && i < maxStyles {
			d.Palette = append(d.Palette, PaletteColor{ID: keyText(item, "id"), Color: c})
		}
	}
}

// boxStyles resolves settings.md 17. Ems of a box are its body's.
func (r *resolver) boxStyles(d *Design) {
	d.BoxesGiven = r.literal(schema().byPath["calloutStyles"], nil, false) != nil
	r.each("calloutStyles", nil, func(key string, item *node) {
		d.Boxes = append(d.Boxes, r.boxStyle(d, key, keyText(item, "id")))
	})
}

func (r *resolver) boxStyle(d *Design, key, id string) BoxStyle {
	const p = "calloutStyles[]."
	b := BoxStyle{ID: id, Title: r.str(p+"title", key), Span: r.str(p+"span", key), Columns: r.whole(p+"columns", key),
		Placement: r.str(p+"placement", key), Barrier: r.flag(p+"floatBarrier", key), Wrap: side(r.str(p+"wrap", key)),
		SideAfter: r.str(p+"sideAtColumnEnd", key) == "after",
		AutoWidth: r.str(p+"width", key) == "auto", EndMark: r.str(p+"endMark", key)}
	t := &b.Body
	*t = d.Body
	t.Family = r.family(p+"body.fontFamily", key)
	t.Size = max(r.len(p+"body.fontSize", d.Body.Size, key), unit.Pt/4)
	t.Leading = max(r.len(p+"body.lineHeight", t.Size, key), unit.Pt/4)
	t.Weight, t.BoldWeight = r.weight(p+"body.fontWeight", key), r.weight(p+"body.boldFontWeight", key)
	t.Color, t.BoldColor, t.ItalicColor = r.color(p+"body.color", key), r.color(p+"body.boldColor", key), r.color(p+"body.italicColor", key)
	t.Align = side(r.str(p+"body.textAlign", key))
	t.Hyphenate = r.flag(p+"body.hyphenation", key) && !unhyphenated(t.HyphenLang)
	t.Indent = r.len(p+"body.firstLineIndent", t.Size, key)
	if !r.set(p+"body.firstLineIndent", key) && t.Size != d.Body.Size {
		t.Indent = r.len("bodyText.firstLineIndent", t.Size)
	}
	t.Italic, t.SmallCaps = r.flag(p+"body.italic", key), r.flag(p+"body.smallCaps", key)
	b.Spaced = r.flag(p+"body.paragraphSpacing", key)
	b.Tabs = r.tabs(d, p+"body.tabStops", p+"body.tabInterval", t.Size, key)
	em := t.Size
	b.Frame = r.frame(p, em, key)
	b.Stripe = Stripe{Enabled: r.flag(p+"stripe.enabled", key), Width: r.len(p+"stripe.width", em, key),
		Color: r.color(p+"stripe.color", key), Side: side(r.str(p+"stripe.side", key))}
	b.Icon = r.icon(d, p+"icon.", em, key)
	if r.str(p+"icon.position", key) == "corner" {
		b.Icon.Corner = side(r.str(p+"icon.cornerSide", key))
	}
	if w := r.len(p+"icon.width", em, key); w > 0 {
		b.Icon.Width = w
	}
	b.Marker = r.icon(d, p+"marker.", em, key)
	b.Marker.Gap = r.len(p+"marker.gap", em, key)
	b.MarkRule = Rule{Enabled: r.flag(p+"marker.rule.enabled", key), Color: r.color(p+"marker.rule.color", key), Width: r.len(p+"marker.rule.width", em, key)}
	b.MarkRuleH = r.len(p+"marker.rule.length", em, key)
	b.Label = r.boxLabel(d, p+"label", em, key)
	b.Heading = r.boxTitle(d, p+"titleStyle.", em, key)
	b.Icon.Gap = b.Heading.Gap
	b.Lists = BoxLists{
		Char: r.str(p+"lists.bulletChar", key), Color: r.color(p+"lists.color", key),
		Indent: r.len(p+"lists.indent", em, key), Gap: r.len(p+"lists.gap", em, key), Spacing: r.len(p+"lists.itemSpacing", em, key),
		Size: r.len(p+"lists.bulletFontSize", em, key), Weight: r.weight(p+"lists.bulletFontWeight", key),
		// A sign or colour equal to the document's leaves overrides of single
		// levels alone.
		CharSet:   r.str(p+"lists.bulletChar", key) != r.str("unorderedLists.bulletChar"),
		ColorSet:  r.color(p+"lists.color", key) != r.color("unorderedLists.color"),
		IndentSet: r.set(p+"lists.indent", key), GapSet: r.set(p+"lists.gap", key), SpacingSet: r.set(p+"lists.itemSpacing", key),
		SizeSet: r.set(p+"lists.bulletFontSize", key), WeightSet: r.set(p+"lists.bulletFontWeight", key),
	}
	b.ColumnGap = r.len(p+"columnGap", em, key)
	b.Above, b.Below = r.len(p+"marginTop", em, key), r.len(p+"marginBottom", em, key)
	b.Snap = r.flag(p+"snapToGrid", key)
	b.Pin = Pin{To: r.str(p+"fixed.anchor.to", key), Edge: side(r.str(p+"fixed.anchor.edge", key)),
		X: r.len(p+"fixed.offset.x", em, key), Y: r.len(p+"fixed.offset.y", em, key)}
	if b.Pin.To == "bleed" && d.Page.Cut.Enabled {
		b.Pin.Bleed = d.Page.Cut.Bleed
	}
	b.Break = Break{KeepTogether: r.flag(p+"keepTogether", key), MinLines: max(r.whole(p+"splitMinLines", key), 1),
		RepeatTitle: r.flag(p+"repeatTitle", key), Suffix: r.str(p+"continuedSuffix", key),
		Align: r.str(p+"continuesMarkerAlign", key), Italic: r.flag(p+"continuesMarkerItalic", key)}
	if r.flag(p+"continuesMarkerEnabled", key) {
		b.Break.Continues = r.str(p+"continuesMarker", key)
	}
	b.Numbering = r.statement(p+"numbering.", id, key)
	return b
}

func (r *resolver) statement(p, id, key string) Statement {
	s := Statement{Label: r.str(p+"label", key), Template: r.str(p+"numberingTemplate", key), Format: r.str(p+"counterFormat", key),
		InTitle: r.str(p+"placement", key) == "title", Bold: r.flag(p+"bold", key), Italic: r.flag(p+"italic", key), Separator: r.str(p+"suffix", key)}
	if f, ok := numberFormat(s.Format, 0); ok {
		s.Format = f
	}
	switch n := r.literal(schema().byPath[p+"counter"], []string{key}, true); {
	case n == nil:
		s.Counter = id
	case n.kind == text && n.str != "false":
		s.Counter = n.str
	}
	if reset := r.str(p+"resetOn", key); len(reset) == 2 && reset[0] == 'h' {
		s.ResetOn = int(reset[1] - '0')
	}
	return s
}

// plainText is how a short piece of furniture is set: without division.
func plainText(d *Design) Text {
	t := d.Body
	t.Hyphenate, t.Indent, t.Hanging, t.Italic, t.Tracking = false, 0, false, false, 0
	t.Align, t.Transform = "left", "none"
	return t
}

// dye gives all runs of a text one colour.
func dye(t *Text, c unit.Color) { t.Color, t.BoldColor, t.ItalicColor, t.RefColor = c, c, c, c }

func (r *resolver) icon(d *Design, p string, em unit.Sp, key string) Icon {
	var i Icon
	switch r.str(p+"kind", key) {
	case "glyph":
		i.Glyph = r.str(p+"glyph", key)
	case "resource":
		i.Resource = r.str(p+"resourceId", key)
	}
	i.Text = plainText(d)
	i.Text.Family = r.family(p+"fontFamily", key)
	i.Text.Weight = r.weight(p+"fontWeight", key)
	i.Text.Size = max(r.len(p+"size", em, key), unit.Pt/4)
	i.Text.Leading = i.Text.Size
	dye(&i.Text, r.color(p+"color", key))
	i.Width = i.Text.Size
	i.Centre = r.str(p+"align", key) == "center"
	return i
}

// boxLabel reads the tab on a box's edge. All its lengths are the box's.
func (r *resolver) boxLabel(d *Design, p string, em unit.Sp, keys ...string) BoxLabel {
	if !r.present(p, keys...) {
		return BoxLabel{}
	}
	p += "."
	l := BoxLabel{Enabled: true, Text: plainText(d), Background: r.color(p+"background", keys...)}
	l.Text.Family = r.family(p+"fontFamily", keys...)
	l.Text.Size = max(r.len(p+"fontSize", em, keys...), unit.Pt/4)
	l.Text.Leading = l.Text.Size
	l.Text.Weight = r.weight(p+"fontWeight", keys...)
	dye(&l.Text, r.color(p+"color", keys...))
	l.Left = strings.HasSuffix(side(r.str(p+"position", keys...)), "left") || strings.HasSuffix(r.str(p+"position", keys...), "start")
	size := em
	l.Height, l.PadX = r.len(p+"height", size, keys...), r.len(p+"paddingX", size, keys...)
	l.Offset, l.Inset = r.len(p+"offset", size, keys...), r.len(p+"inset", size, keys...)
	l.Resource, l.IconWidth, l.IconGap = r.str(p+"icon.resourceId", keys...), r.len(p+"icon.width", size, keys...), r.len(p+"icon.gap", size, keys...)
	l.Rule = Rule{Enabled: r.flag(p+"rule.enabled", keys...), Color: r.color(p+"rule.color", keys...), Width: r.len(p+"rule.width", size, keys...)}
	return l
}

func (r *resolver) boxTitle(d *Design, p string, em unit.Sp, keys ...string) BoxTitle {
	t := plainText(d)
	t.Family = r.family(p+"fontFamily", keys...)
	t.Size = max(r.len(p+"fontSize", em, keys...), unit.Pt/4)
	t.Weight = r.weight(p+"fontWeight", keys...)
	t.BoldWeight = max(t.Weight, d.Body.BoldWeight)
	t.Italic = r.flag(p+"italic", keys...)
	t.Transform = r.str(p+"textTransform", keys...)
	t.Leading = max(r.len(p+"lineHeight", t.Size, keys...), unit.Pt/4)
	t.Tracking = r.len(p+"letterSpacing", t.Size, keys...)
	dye(&t, r.color(p+"color", keys...))
	return BoxTitle{Text: t, Gap: r.len(p+"gap", em, keys...), Indent: r.len(p+"indent", t.Size, keys...)}
}

// tabs resolves the stops of a paragraph (settings.md 8.4); without a list of
// its own it has the body's. Stops stand in order of their places.
func (r *resolver) tabs(d *Design, stops, interval string, em unit.Sp, keys ...string) TabStops {
	t := TabStops{Interval: r.len(interval, em, keys...)}
	list := r.literal(schema().byPath[stops], keys, true)
	if list == nil {
		t.Stops = d.Tabs.Stops
		return t
	}
	r.each(stops, keys, func(key string, item *node) {
		k := append(slices.Clone(keys), key)
		p := stops + "[]."
		s := TabStop{Align: r.str(p+"align", k...), Leader: r.str(p+"leader", k...), Gap: r.len(p+"leaderGap", em, k...), Decimal: r.str(p+"decimalChar", k...)}
		if s.Decimal == "" {
			s.Decimal = DecimalSign(r.lang)
		}
		at := item.get("position")
		if at == nil {
			return
		}
		if at.kind == text {
			word := strings.TrimSpace(at.str)
			if word == "end" {
				s.Share = 100_000
			} else if n, ok := strings.CutSuffix(word, "%"); ok {
				v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
				if err != nil || !(v > 0 && v <= 100) {
					return
				}
				s.Share = int64(math.Round(float64(v * 1000)))
			}
		}
		if s.Share == 0 {
			n, ok := toLength(at, "pt")
			if !ok {
				return
			}
			if s.At = r.length(n, em); s.At <= 0 {
				return
			}
		}
		t.Stops = append(t.Stops, s)
	})
	return t
}

// DecimalSign is the decimal sign of a language.
func DecimalSign(lang string) string {
	switch baseLanguage(lang) {
	case "en", "zh", "ja", "ko", "he", "th", "hi", "ga", "cy", "mt":
		return "."
	}
	if tag := strings.ToLower(lang); strings.HasSuffix(tag, "-mx") || strings.HasSuffix(tag, "-ch") {
		return "."
	}
	return ","
}
