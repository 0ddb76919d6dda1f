package settings

import (
	"math"

	"postext/engine/unit"
)

// inlineCode resolves how code spans look (settings.md 16, codeStyle.inline).
func (r *resolver) inlineCode(c *Code) {
	if !c.Inline {
		return
	}
	const p = "codeStyle.inline."
	s := &c.Span
	s.Family = r.family(p + "fontFamily")
	s.Color, s.ColorSet = r.color(p+"color"), r.set(p+"color")
	s.Bold, s.Italic = r.flag(p+"bold"), r.flag(p+"italic")
	s.Fill, s.Border = r.color(p+"background"), r.color(p+"borderColor")
	if s.Border.A > 0 {
		s.BorderWidth = r.relative(p + "borderWidth")
	}
	s.Radius = r.relative(p + "borderRadius")
	s.PadX, s.PadY = r.relative(p+"paddingX"), r.relative(p+"paddingY")
	if !r.set(p+"paddingX") && (s.Fill.A > 0 || s.Border.A > 0) {
		s.PadX = Relative{Ems: 200}
	}
}

// listing resolves how code blocks are set. Ems are the code's, those of its
// size the body's.
func (r *resolver) listing(d *Design) {
	const p = "codeStyle."
	em := d.Code.Size
	l := &d.Listing
	l.Frame = r.frame(p, em)
	l.Above, l.Below = r.len(p+"marginTop", em), r.len(p+"marginBottom", em)
	l.Snap = r.flag(p + "snapToGrid")
	l.SpanPage = r.str(p+"span") == "page"
	l.Overflow = r.str(p + "overflow")
	l.MinScale = int64(thousandths(r.num(p + "minFontScale")))
	l.Numbers = r.flag(p + "lineNumbers")
	l.NumberColor, l.NumberGap = r.color(p+"lineNumberColor"), r.len(p+"lineNumberGap", em)
	l.Mark = r.color(p + "highlightBackground")
	l.Weight, l.Bold = r.weight(p+"fontWeight"), r.weight(p+"boldFontWeight")
	l.Break = Break{KeepTogether: r.flag(p + "keepTogether"), MinLines: max(r.whole(p+"splitMinLines"), 1),
		RepeatTitle: r.flag(p + "repeatTitle"), Suffix: r.words.suffix, Align: "right", Italic: true}
	if r.flag(p + "continuesMarkerEnabled") {
		l.Break.Continues = r.str(p + "continuesMarker")
	}
	l.Heading = r.boxTitle(d, p+"titleStyle.", em)
	l.Label = r.boxLabel(d, p+"label", em)
	l.Highlight = r.str(p+"highlight") == "builtin"
	for i, k := range tokenKinds {
		t := p + "tokens." + k[0]
		d.Code.Tokens[i] = Token{Color: r.color(t + ".color"), Bold: r.flag(t + ".bold"), Italic: r.flag(t + ".italic")}
	}
}

// paragraphStyles resolves settings.md 14.
func (r *resolver) paragraphStyles(d *Design) {
	const p = "paragraphStyles[]."
	r.each("paragraphStyles", nil, func(key string, item *node) {
		s := ParagraphStyle{ID: keyText(item, "id"), Text: d.Body}
		t := &s.Text
		t.Family = r.family(p+"fontFamily", key)
		t.Size = max(r.len(p+"fontSize", d.Body.Size, key), unit.Pt/4)
		t.Leading = max(r.len(p+"lineHeight", t.Size, key), unit.Pt/4)
		t.Weight, t.BoldWeight = r.weight(p+"fontWeight", key), r.weight(p+"boldFontWeight", key)
		t.Color, t.BoldColor, t.ItalicColor = r.color(p+"color", key), r.color(p+"boldColor", key), r.color(p+"italicColor", key)
		t.Align = side(r.str(p+"textAlign", key))
		t.Italic, t.SmallCaps = r.flag(p+"italic", key), r.flag(p+"smallCaps", key)
		t.Transform = r.str(p+"textTransform", key)
		t.Hyphenate = r.flag(p+"hyphenation", key) && !unhyphenated(t.HyphenLang)
		em := t.Size
		s.Indent, s.EndIndent = max(r.len(p+"indent", em, key), 0), max(r.len(p+"endIndent", em, key), 0)
		s.Hang = max(r.len(p+"hangingIndent", em, key), 0)
		t.Hanging = false
		s.IndentGiven = r.set(p+"firstLineIndent", key)
		switch {
		case r.set(p+"firstLineIndent", key):
			t.Indent = r.len(p+"firstLineIndent", em, key)
		case s.Hang > 0:
			t.Indent = 0 // an inherited indent does not stand beside a hanging one
		case d.Body.Hanging:
			t.Indent, s.Hang = 0, d.Body.Indent
		default:
			t.Indent = r.len("bodyText.firstLineIndent", em)
		}
		s.Between = r.len(p+"spaceBetween", em, key)
		s.Above, s.Below = r.len(p+"marginTop", em, key), r.len(p+"marginBottom", em, key)
		s.Snap = r.flag(p+"snapToGrid", key)
		s.Tabs = r.tabs(d, p+"tabStops", p+"tabInterval", em, key)
		s.DropCap, _ = r.dropCap(p+"dropCap", em, key)
		s.CountLines, s.CountLinesGiven = r.flag(p+"lineNumbers", key), r.set(p+"lineNumbers", key)
		d.Styles = append(d.Styles, s)
	})
}

// dropCap resolves settings.md 8.5; given is false when nothing is stored.
func (r *resolver) dropCap(p string, em unit.Sp, key string) (c DropCap, given bool) {
	n := r.literal(schema().byPath[p], []string{key}, true)
	if n == nil {
		return DropCap{}, false
	}
	if n.kind != object {
		return DropCap{}, n.kind == boolean
	}
	p += "."
	c = DropCap{On: true, Lines: min(max(r.whole(p+"lines", key), 1), 20), Chars: min(max(r.whole(p+"characters", key), 1), 50),
		Italic: r.flag(p+"italic", key), ItalicSet: r.set(p+"italic", key), Color: r.color(p+"color", key), ColorSet: r.set(p+"color", key),
		Gap: r.relative(p+"gap", key), Punctuation: r.str(p+"punctuation", key),
		LeadCaps: r.flag(p+"leadIn.smallCaps", key), LeadUpper: r.flag(p+"leadIn.uppercase", key),
		Short: r.str(p+"shortParagraph", key), Each: r.flag(p+"each", key)}
	c.Sink = c.Lines
	if r.set(p+"sink", key) {
		c.Sink = min(max(r.whole(p+"sink", key), 1), c.Lines)
	}
	if r.set(p+"fontFamily", key) {
		c.Family = r.family(p+"fontFamily", key)
	}
	if r.set(p+"fontWeight", key) {
		c.Weight = r.weight(p+"fontWeight", key)
	}
	if r.set(p+"fontSize", key) {
		c.Size = r.relative(p+"fontSize", key)
	}
	if w := r.at(p+"leadIn.words", key); w != nil {
		switch {
		case w.kind == text && w.str == "line":
			c.LeadWords = LeadLine
		case w.kind == number:
			c.LeadWords = int(min(max(math.Round(w.num), 0), 100))
		}
	}
	return c, true
}

// DefaultDropCap is the drop cap of an attribute where no setting gives one.
func DefaultDropCap(lines int) DropCap {
	return DropCap{On: true, Lines: lines, Sink: lines, Chars: 1, Gap: Relative{Ems: 150}, Punctuation: "with-cap", LeadCaps: true, Short: "reserve"}
}

// chips resolves settings.md 15.
func (r *resolver) chips(d *Design) {
	const p = "chipStyles[]."
	r.each("chipStyles", nil, func(key string, item *node) {
		c := ChipStyle{ID: keyText(item, "id"), BorderWidth: r.relative(p+"borderWidth", key), Radius: r.relative(p+"borderRadius", key),
			PadX: r.relative(p+"paddingX", key), PadTop: r.relative(p+"paddingTop", key), PadBottom: r.relative(p+"paddingBottom", key),
			Size: Relative{Ems: 1000}, Bold: r.flag(p+"bold", key), Italic: r.flag(p+"italic", key), Gap: r.relative(p+"gap", key)}
		if r.flag(p+"backgroundEnabled", key) {
			c.Fill = r.color(p+"background", key)
		}
		if c.BorderWidth != (Relative{}) {
			c.Border = r.color(p+"borderColor", key)
		}
		if r.set(p+"fontFamily", key) {
			c.Family = r.family(p+"fontFamily", key)
		}
		if r.set(p+"fontSize", key) {
			c.Size = r.relative(p+"fontSize", key)
		}
		if c.ColorSet = r.set(p+"color", key); c.ColorSet {
			c.Color = r.color(p+"color", key)
		}
		d.Chips = append(d.Chips, c)
	})
}

// verse resolves bodyText.verse.
func (r *resolver) verse(d *Design) {
	const p = "bodyText.verse."
	d.Verse = Verse{IndentStep: r.relative(p + "indentStep"), Right: r.str(p+"turnover") == "right", Hang: r.relative(p + "hang"),
		Mark: r.str(p + "turnoverMark"), StanzaSpace: int64(thousandths(min(r.num(p+"stanzaSpace"), 100))),
		Keep: r.whole(p + "keepStanzas"), Tighten: r.flag(p + "tighten")}
}

// notes resolves settings.md 21.
func (r *resolver) notes(d *Design) {
	const p = "footnotes."
	n := &d.Notes
	n.ChapterEnd = r.str(p+"placement") == "chapterEnd"
	n.AtText = r.str(p+"chapterEndAlign") == "text"
	n.Format = r.str(p + "numberFormat")
	if n.Format == "*" {
		n.Format = "symbols"
	}
	if n.Format != "symbols" {
		n.Format, _ = numberFormat(n.Format, 0)
	}
	n.Numbering = r.str(p + "numbering")
	if !r.set(p + "numbering") {
		n.Numbering = "chapter"
		if n.Format == "symbols" && !n.ChapterEnd {
			n.Numbering = "page"
		}
	}
	if n.ChapterEnd && n.Numbering != "document" {
		n.Numbering = "chapter" // pages and columns count at the column's foot only
	}
	if l := r.at(p + "symbols"); l != nil && l.kind == list {
		for _, s := range l.kids {
			if s.kind == text && s.str != "" && len(n.Symbols) < 50 {
				n.Symbols = append(n.Symbols, s.str)
			}
		}
	}
	if len(n.Symbols) == 0 {
		n.Symbols = []string{"*", "†", "‡", "§", "‖", "¶"}
	}
	inline := func(position string, fallback bool) bool {
		switch position {
		case "superscript":
			return false
		case "auto", "":
			return fallback
		}
		return true
	}
	n.Inline = inline(r.str(p+"markerPosition"), n.Format == "circled-decimal")
	n.NumberInline = n.Inline
	if r.set(p + "noteNumberPosition") {
		n.NumberInline = inline(r.str(p+"noteNumberPosition"), n.Inline)
	}
	n.Template = r.str(p + "markerTemplate")
	n.Gap = "\u2002"
	if r.str(p+"numberGap") == "em" {
		n.Gap = "\u2003"
	}
	t := &n.Text
	*t = d.Body
	t.Size = max(r.len(p+"fontSize", d.Body.Size), unit.Pt/4)
	t.Leading = max(r.len(p+"lineHeight", t.Size), unit.Pt/4)
	t.Indent, t.Hanging = 0, false
	t.Color = r.color(p + "color")
	t.Align = side(r.str(p + "textAlign"))
	n.Hang, n.Between = r.len(p+"hangingIndent", t.Size), r.len(p+"spaceBetween", t.Size)
	n.Above, n.BelowRule = r.len(p+"spaceAbove", d.Body.Size), r.len(p+"spaceBelowRule", t.Size)
	n.Rule = r.flag(p + "separator.enabled")
	n.RuleShare = min(int64(thousandths(r.num(p+"separator.width"))), 1000)
	n.RuleWidth, n.RuleColor = r.len(p+"separator.lineWidth", d.Body.Size), r.color(p+"separator.color")
}

// lineNumbers resolves settings.md 22.
func (r *resolver) lineNumbers(d *Design) {
	const p = "lineNumbers."
	n := &d.LineNumbers
	if n.On = r.flag(p + "enabled"); !n.On {
		return
	}
	n.All = r.str(p+"count") == "all"
	n.Interval = max(r.whole(p+"interval"), 1)
	n.First = r.flag(p + "numberFirst")
	if n.Restart = r.str(p + "restart"); !r.set(p + "restart") {
		if n.Restart = "poem"; n.All {
			n.Restart = "page"
		}
	}
	n.StartAt = min(max(r.whole(p+"startAt"), 1), 1e6)
	n.Position, n.Columns, n.Align = r.str(p+"position"), r.str(p+"multiColumn"), r.str(p+"align")
	n.Format, _ = numberFormat(r.str(p+"format"), 0)
	t := &n.Text
	*t = d.Body
	t.Family, t.Weight, t.Italic = r.family(p+"fontFamily"), r.weight(p+"fontWeight"), r.flag(p+"italic")
	t.Size = max(r.len(p+"fontSize", d.Body.Size), unit.Pt/4)
	t.Leading = t.Size
	t.Color = r.color(p + "color")
	t.Indent, t.Hanging, t.Hyphenate = 0, false, false
	n.Gap = r.len(p+"gap", t.Size)
}
