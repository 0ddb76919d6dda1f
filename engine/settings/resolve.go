package settings

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"postext/engine/unit"
)

// Env is what settings need from outside.
type Env struct {
	// Language is the book's language, used where the configuration says none.
	Language string
	// FamilyKnown tells whether a font family can be had, and names near ones
	// when not; nil means every family can. Only Apply and its kin ask.
	FamilyKnown func(family string) (known bool, near []string)
	// Foreign is what the configuration once held that the table does not know, so
	// that a change which took it out can be taken back.
	Foreign Foreign
}

// ResolveEnv is Env under the name of the call it was made for.
type ResolveEnv = Env

// resolver fills a Design from a view.
type resolver struct {
	*view
	scale
	warnings []Warning
}

// last is the design that was resolved last: a change resolves it to tell what came of
// it, and the typesetter the same once more.
var last struct {
	sync.Mutex
	text, language string
	design         *Design
}

// Resolve fills in every default and cascade and converts every length to
// scaled points. What a file says wrongly is replaced by its default and told
// in Warnings; an error means that no book could be made of the configuration
// (a page without room for text). Nobody may write to the design: others have it.
func Resolve(t *Tree, env Env) (*Design, error) {
	text := string(t.Marshal())
	last.Lock()
	d := last.design
	same := d != nil && last.text == text && last.language == env.Language
	last.Unlock()
	if same {
		return d, nil
	}
	d, err := resolveTree(t, env)
	if err == nil {
		last.Lock()
		last.text, last.language, last.design = text, env.Language, d
		last.Unlock()
	}
	return d, err
}

func resolveTree(t *Tree, env Env) (*Design, error) {
	r := &resolver{view: newView(t.node(), env)}
	r.warnings = validate(t.node())
	d := &Design{Locale: r.lang}
	switch v := r.str("direction"); {
	case v == "rtl" || v == "ltr":
		d.Direction = v
	case r.rightToLeft():
		d.Direction = "rtl"
	}
	r.page(d)
	r.columns(d)
	r.body(d)
	r.paragraphs(&d.Para)
	r.headings(d)
	d.Quote = Quote{
		Color:       r.color("bodyText.blockquote.color"),
		Italic:      r.flag("bodyText.blockquote.italic"),
		Indent:      r.len("bodyText.blockquote.indent", d.Body.Size),
		FirstIndent: r.len("bodyText.blockquote.firstLineIndent", d.Body.Size),
	}
	r.bullets(d)
	r.numbers(d)
	d.Header = r.slot("header.elements")
	d.Footer = r.slot("footer.elements")
	r.parts(d)
	r.contents(d)
	r.code(d)
	r.math(d)
	r.citations(d)
	r.index(d)
	r.refs(d)
	d.Tabs = r.tabs(d, "bodyText.tabStops", "bodyText.tabInterval", d.Body.Size)
	r.listing(d)
	r.colors(d)
	r.boxStyles(d)
	r.paragraphStyles(d)
	r.chips(d)
	r.verse(d)
	r.notes(d)
	r.lineNumbers(d)
	r.figures(d)
	d.Debug = r.debug()
	if faults := r.room(d); faults != nil {
		return nil, faults
	}
	if faults := r.sections(d); faults != nil {
		return nil, faults
	}
	d.Warnings = r.warnings
	hashDesign(d)
	d.looks = &looks{tree: t, env: env, made: map[Look]*Design{}, palettes: map[string]*Design{}}
	return d, nil
}

// written says a length in words: 17cm.
func written(n *node) string {
	x, u, ok := readLength(n)
	if !ok {
		return n.String()
	}
	return string(appendNumber(nil, x)) + u
}

func (r *resolver) len(pattern string, em unit.Sp, keys ...string) unit.Sp {
	return r.length(r.at(pattern, keys...), em)
}

func (r *resolver) flag(pattern string, keys ...string) bool {
	n := r.at(pattern, keys...)
	return n != nil && n.on
}

func (r *resolver) str(pattern string, keys ...string) string {
	if n := r.at(pattern, keys...); n != nil {
		return n.str
	}
	return ""
}

// num is a number, brought within the setting's bounds.
func (r *resolver) num(pattern string, keys ...string) float64 {
	s := schema().byPath[pattern]
	n := r.value(s, keys)
	if n == nil || n.kind != number {
		return 0
	}
	v, b := n.num, s.Bounds
	if b.HasMin {
		v = max(v, b.Min)
	}
	if b.HasMax {
		v = min(v, b.Max)
	}
	return v
}

func (r *resolver) whole(pattern string, keys ...string) int {
	return int(math.Round(min(max(r.num(pattern, keys...), -1e6), 1e6)))
}

func (r *resolver) color(pattern string, keys ...string) unit.Color {
	c, _ := colorOf(r.at(pattern, keys...))
	return c
}

func (r *resolver) family(pattern string, keys ...string) string {
	return r.str(pattern, keys...)
}

func (r *resolver) weight(pattern string, keys ...string) int { return r.whole(pattern, keys...) }

func (r *resolver) warn(kind, path, value, used string) {
	r.warnings = append(r.warnings, Warning{Kind: kind, Path: path, Value: value, Used: used})
}

// thousandths turns a share into thousandths, within what a word space can be.
func thousandths(v float64) int32 { return int32(math.Round(min(max(float64(v*1000), 0), 1e6))) }

func (r *resolver) page(d *Design) {
	r.dpi = r.num("page.dpi")
	if !(r.dpi > 0) {
		r.dpi = 300
	}
	// Page lengths in ems count body ems.
	r.rem = r.bodySize()
	p := &d.Page
	p.DPI = r.dpi
	p.Width, p.Height = r.len("page.width", r.rem), r.len("page.height", r.rem)
	p.Top, p.Bottom = r.len("page.margins.top", r.rem), r.len("page.margins.bottom", r.rem)
	p.Left, p.Right = r.len("page.margins.left", r.rem), r.len("page.margins.right", r.rem)
	p.Mirror = r.flag("page.margins.mirror")
	p.Background = r.color("page.backgroundColor")
	binding := r.str("page.binding")
	if binding == "auto" {
		binding = r.derived(schema().byPath["page.binding"], nil).str
	}
	p.RightBound = binding == "right"
	p.NumberFormat, _ = numberFormat(r.str("page.pageNumbering.format"), 0)
	p.StartAt = r.whole("page.pageNumbering.startAt")
	p.Grid = r.rule("page.baselineGrid")
	if r.flag("page.cutLines.enabled") {
		const c = "page.cutLines."
		p.Cut = CutLines{Enabled: true, Bleed: r.len(c+"bleed", r.rem), Offset: r.len(c+"markOffset", r.rem),
			Length: r.len(c+"markLength", r.rem), Width: r.len(c+"markWidth", r.rem), Color: r.color(c + "color")}
	}
}

// bodySize is the size all ems come down to. Written in ems itself, it counts
// the default size.
func (r *resolver) bodySize() unit.Sp {
	def := scale{dpi: r.dpi, rem: 8 * unit.Pt}
	size := def.length(r.at("bodyText.fontSize"), 8*unit.Pt)
	if size <= 0 {
		size = 8 * unit.Pt
	}
	return size
}

func (r *resolver) rule(prefix string) Rule {
	return Rule{Enabled: r.flag(prefix + ".enabled"), Color: r.color(prefix + ".color"), Width: r.len(prefix+".lineWidth", r.rem)}
}

func (r *resolver) columns(d *Design) {
	l := &d.Layout
	l.Type = r.str("layout.layoutType")
	l.Gutter = r.len("layout.gutterWidth", r.rem)
	l.SideRole, l.SideSide = r.str("layout.sideColumnRole"), r.str("layout.sideColumnSide")
	l.Rule = r.rule("layout.columnRule")
	l.FlowColumns = r.flag("layout.flowColumns")
	l.BoxChildMin = r.whole("layout.boxChildSplitMinLines")
	written := r.at("layout.sideColumnPercent").num
	l.SidePercent = written
	switch l.Type {
	case "single":
		l.Columns = 1
	case "double":
		l.Columns = 2
	case "oneAndHalf":
		l.Columns = 2
		if l.SideRole == "floats" {
			l.Columns = 1
		}
		most := 99.0
		if w := d.Page.Width - d.Page.Left - d.Page.Right; w > 0 {
			most = math.Floor(float64((99-float64(100*float64(l.Gutter))/float64(w))*1000)) / 1000
		}
		l.SidePercent = max(1, min(written, most))
		if l.SidePercent != written {
			r.warn("sideColumnPercentClamped", "layout.sideColumnPercent", string(appendNumber(nil, written)), string(appendNumber(nil, l.SidePercent)))
		}
	default:
		n := r.at("layout.columnCount").num
		l.Columns = int(max(3, min(8, math.Round(n))))
		if float64(l.Columns) != n {
			r.warn("columnCountClamped", "layout.columnCount", string(appendNumber(nil, n)), strconv.Itoa(l.Columns))
		}
	}
}

func (r *resolver) body(d *Design) {
	t := &d.Body
	t.Family = r.family("bodyText.fontFamily")
	t.Size = r.rem
	t.Leading = max(r.len("bodyText.lineHeight", t.Size), unit.Pt/4)
	t.Weight, t.BoldWeight = r.weight("bodyText.fontWeight"), r.weight("bodyText.boldFontWeight")
	t.Color, t.BoldColor = r.color("bodyText.color"), r.color("bodyText.boldColor")
	t.ItalicColor, t.RefColor = r.color("bodyText.italicColor"), r.color("bodyText.referenceColor")
	if r.set("math.color") {
		t.MathColor = r.color("math.color")
	}
	t.RefBold, t.RefItalic = r.flag("bodyText.referenceBold"), r.flag("bodyText.referenceItalic")
	t.Align = side(r.str("bodyText.textAlign"))
	t.Indent = r.len("bodyText.firstLineIndent", t.Size)
	t.Hanging = r.flag("bodyText.hangingIndent")
	t.Transform = "none"
	t.HyphenLang = r.hyphenLanguage()
	t.Hyphenate = r.flag("bodyText.hyphenation.enabled")
	if unhyphenated(t.HyphenLang) {
		t.Hyphenate = false // there are no patterns to divide it with
	}
	t.HyphenRagged = r.flag("bodyText.hyphenation.ragged")
	t.HyphenZone = r.len("bodyText.hyphenation.zone", t.Size)
	t.Compounds = r.flag("bodyText.hyphenation.compounds")
	t.MaxSpace = max(1001, thousandths(r.num("bodyText.maxWordSpacing")))
	t.MinSpace = min(1000, thousandths(r.num("bodyText.minWordSpacing")))
	t.MaxTracking = int32(min(1e6, math.Round(r.num("bodyText.maxJustifyTracking"))))
	t.Optimal, t.OptimalRagged = r.flag("bodyText.optimalLineBreaking"), r.flag("bodyText.optimalRagged")
	t.AfterDashes, t.AfterHyphens = r.flag("bodyText.breakAfterDashes"), r.flag("bodyText.breakAfterHyphens")
	t.RepeatHyphen, t.AcrossColumns = r.flag("bodyText.repeatHyphen"), r.flag("bodyText.hyphenateAcrossColumns")
	d.Reading = Reading{
		HeadingMarks: r.flag("headings.inlineMarks"),
		HardBreaks:   r.flag("bodyText.hardLineBreaks"),
		CodeBlocks:   r.flag("codeStyle.blocks"),
		IndentedCode: r.flag("codeStyle.indentedCode"),
	}
}

// side reads the synonyms of settings.md 9.1: left and right mean the start and
// the end of the line.
func side(align string) string {
	switch align {
	case "start":
		return "left"
	case "end":
		return "right"
	}
	return align
}

func (r *resolver) paragraphs(p *ParaRules) {
	p.IndentAfterHeading = r.flag("bodyText.indentAfterHeading")
	p.ParagraphSpacing = r.flag("bodyText.paragraphSpacing")
	p.AddUnderGroups = r.str("bodyText.paragraphContainerSpacing") == "add"
	p.AvoidOrphans, p.OrphanMin = r.flag("bodyText.avoidOrphans"), r.whole("bodyText.orphanMinLines")
	p.OrphanPenalty = int64(math.Round(r.num("bodyText.orphanPenalty")))
	p.OrphansInLists = r.flag("bodyText.avoidOrphansInLists")
	p.AvoidWidows, p.WidowMin = r.flag("bodyText.avoidWidows"), r.whole("bodyText.widowMinLines")
	p.WidowPenalty = int64(math.Round(r.num("bodyText.widowPenalty")))
	p.WidowsInLists = r.flag("bodyText.avoidWidowsInLists")
	p.SlackWeight = int64(math.Round(min(1e6, r.num("bodyText.slackWeight"))))
	p.AvoidRunts = r.flag("bodyText.avoidRunts")
	p.RuntMinSpaces = r.num("bodyText.runtMinCharacters")
	p.RuntPenalty = int32(math.Round(r.num("bodyText.runtPenalty")))
	p.GradedRunt, p.RuntsInLists = r.flag("bodyText.gradedRuntPenalty"), r.flag("bodyText.avoidRuntsInLists")
	p.TightenRunts = r.flag("bodyText.tightenRunts")
	p.MaxRuntTracking = int32(min(1e6, math.Round(r.num("bodyText.maxRuntTracking"))))
	p.KeepColonWithList = r.flag("bodyText.keepColonWithList")
	p.ColonRoom = r.str("bodyText.colonListRoom")
}

func (r *resolver) code(d *Design) {
	size := r.len("codeStyle.fontSize", d.Body.Size)
	d.Code = Code{
		Family: r.family("codeStyle.fontFamily"), Size: size, Leading: d.Body.Leading,
		Color:  r.color("codeStyle.color"),
		Inline: r.literal(schema().byPath["codeStyle.inline"], nil, false) != nil,
		Blocks: d.Reading.CodeBlocks, Indented: d.Reading.IndentedCode,
		TabSize:    int(min(max(r.num("codeStyle.tabSize"), 1), 100)),
		WrapIndent: int(min(max(r.num("codeStyle.wrapIndent"), 0), 100)),
		WrapMarker: r.str("codeStyle.wrapMarker"), InlineSize: 900,
	}
	r.inlineCode(&d.Code)
	if d.Code.Inline && d.Body.Size > 0 {
		if s := r.len("codeStyle.inline.fontSize", d.Body.Size); s > 0 {
			d.Code.InlineSize = unit.MulDiv(int64(s), 1000, int64(d.Body.Size))
		}
	}
	if r.set("codeStyle.lineHeight") {
		d.Code.Leading = max(r.len("codeStyle.lineHeight", size), unit.Pt/4)
	}
}

func (r *resolver) math(d *Design) {
	const p = "math."
	const n = p + "equationNumbering."
	m := &d.Math
	m.Enabled = r.flag(p + "enabled")
	m.Scale = int64(math.Round(min(max(float64(r.num(p+"fontSizeScale")*1000), 100), 10_000)))
	em := unit.Sp(unit.MulDiv(int64(d.Body.Size), m.Scale, 1000))
	m.Above, m.Below = max(r.len(p+"marginTop", em), 0), max(r.len(p+"marginBottom", em), 0)
	m.IndentAfter, m.KeepWithLeadIn = r.flag(p+"indentAfterDisplay"), r.flag(p+"keepWithLeadIn")
	m.Numbered = r.flag(n + "enabled")
	m.Template, m.Format = r.str(n+"numberingTemplate"), r.str(n+"format")
	m.Counter, _ = numberFormat(r.str(n+"counterFormat"), 0)
	if reset := r.str(n + "resetOn"); len(reset) == 2 && reset[0] == 'h' {
		m.Reset = int(reset[1] - '0')
	}
}

func (r *resolver) citations(d *Design) {
	const p = "citations."
	const b = p + "bibliography."
	c := &d.Citations
	c.Style, c.Locale, c.Marker = r.str(p+"style"), r.str(p+"locale"), r.str(p+"marker")
	if c.Locale == "" {
		c.Locale = d.Locale
	}
	c.Link, c.Collapse, c.PerChapter = r.flag(p+"link"), r.flag(p+"collapseRanges"), r.str(p+"numbering") == "chapter"
	c.InLine = r.str(p+"notes") == "warichu"
	if c.Style == "custom" {
		c.Custom = r.str(p + "customStyle")
	}
	c.TitleGiven, c.Title = r.set(b+"title"), r.str(b+"title")
	c.Scope, c.Auto = r.str(b+"scope"), r.flag(b+"auto")
	c.Size = max(r.len(b+"fontSize", d.Body.Size), unit.Pt/4)
	c.Leading = d.Body.Leading
	if r.set(b + "lineHeight") {
		c.Leading = max(r.len(b+"lineHeight", c.Size), unit.Pt/4)
	}
	c.Hanging, c.Spacing = max(r.len(b+"hangingIndent", c.Size), 0), max(r.len(b+"entrySpacing", c.Size), 0)
	if r.set(b + "labelWidth") {
		c.LabelWidth = max(r.len(b+"labelWidth", c.Size), 0)
	}
	c.LabelRight, c.DOI, c.Uncited = r.str(b+"labelAlign") == "right", r.str(b+"doi"), r.flag(b+"includeUncited")
	c.ByLanguage = r.flag(b + "groupByLanguage")
}

// ScreenAids are the screen aids alone: none of them waits for the rest of the design.
func ScreenAids(t *Tree) Debug {
	r := &resolver{view: newView(t.node(), Env{})}
	return r.debug()
}

func (r *resolver) debug() Debug {
	return Debug{
		LooseThreshold: r.num("debug.looseLineHighlight.threshold"),
		LooseColor:     r.color("debug.looseLineHighlight.color"),
		Loose:          r.flag("debug.looseLineHighlight.enabled"),
		Caret:          r.flag("debug.cursorSync.enabled"),
		CaretColor:     r.color("debug.cursorSync.color"),
		Selection:      r.flag("debug.selectionSync.enabled"),
		SelectionColor: r.color("debug.selectionSync.color"),
		Negative:       r.flag("debug.pageNegative.enabled"),
	}
}

func (r *resolver) slot(pattern string, keys ...string) Slot {
	s := schema().byPath[pattern]
	items := r.stored(s, keys)
	if items == nil || items.kind != list {
		items = s.def
	}
	var out Slot
	for i := range items.kids {
		if items.kids[i].kind != object || len(out.Elements) >= 200 {
			continue
		}
		out.Elements = append(out.Elements, r.element(pattern+"[].", append(keys[:len(keys):len(keys)], "#"+strconv.Itoa(i)), i+1))
	}
	return out
}

func (r *resolver) element(p string, keys []string, ordinal int) Element {
	e := Element{
		Kind: r.str(p+"kind", keys...), ID: r.str(p+"id", keys...),
		Parity: r.str(p+"parity", keys...), Pages: r.str(p+"pages", keys...),
		AnchorTo: r.str(p+"placement.anchor.to", keys...), Edge: r.str(p+"placement.anchor.edge", keys...),
		Content:       r.str(p+"content", keys...),
		VerticalAlign: r.str(p+"verticalAlign", keys...), Overflow: r.str(p+"overflow", keys...),
		Reserve:     r.flag(p+"reserve", keys...),
		InlineMarks: r.flag(p+"inlineMarks", keys...),
		ResourceID:  r.str(p+"resourceId", keys...),
		Decorative:  r.flag(p+"decorative", keys...),
		Vertical:    r.str(p+"direction", keys...) == "vertical",
	}
	if e.Kind == "" {
		e.Kind = "text"
	}
	if e.ID == "" {
		e.ID = e.Kind + "-" + strconv.Itoa(ordinal)
	}
	if e.Edge == "" {
		e.Edge = "top-left"
	}
	t := &e.Text
	t.Family = r.family(p+"fontFamily", keys...)
	t.Size = r.len(p+"fontSize", r.rem, keys...)
	em := t.Size
	t.Weight = r.weight(p+"fontWeight", keys...)
	t.BoldWeight = max(700, t.Weight)
	t.Italic = r.flag(p+"italic", keys...)
	t.Color = r.color(p+"color", keys...)
	t.BoldColor, t.ItalicColor, t.RefColor = t.Color, t.Color, t.Color
	t.Align = side(r.str(p+"align", keys...))
	t.Transform = r.str(p+"textTransform", keys...)
	t.Tracking = r.len(p+"letterSpacing", em, keys...)
	t.Hyphenate = r.flag(p+"hyphenate", keys...)
	t.HyphenLang = r.hyphenLanguage()
	t.Leading = r.multiple(r.at(p+"lineHeight", keys...), em)
	t.MaxSpace, t.MinSpace = 2000, 600

	e.OffsetX = r.len(p+"placement.offset.x", em, keys...)
	e.OffsetY = r.len(p+"placement.offset.y", em, keys...)
	e.Width = r.extent(p+"placement.size.width", em, keys)
	e.Height = r.extent(p+"placement.size.height", em, keys)
	if e.Kind == "rule" && e.Vertical && e.Height.Mode == "auto" {
		e.Height.Mode = "fill"
	}
	e.MaxWidth = r.len(p+"placement.size.maxWidth", em, keys...)
	e.Color = t.Color
	e.Thickness = r.len(p+"thickness", em, keys...)
	if e.Kind == "text" {
		e.ParaIndent = max(r.len(p+"paragraphIndent", em, keys...), 0)
		if e.Pen = max(r.len(p+"stroke.width", em, keys...), 0); e.Pen > 0 {
			if e.PenColor = t.Color; r.set(p+"stroke.color", keys...) {
				e.PenColor = r.color(p+"stroke.color", keys...)
			}
			e.Hollow = r.flag(p+"stroke.hollow", keys...)
		}
		e.DropCap = r.elementDropCap(p+"dropCap", t, keys)
		e.Fill, e.Border = r.color(p+"box.backgroundColor", keys...), r.color(p+"box.borderColor", keys...)
		e.BorderWidth, e.Radius = r.len(p+"box.borderWidth", em, keys...), r.len(p+"box.borderRadius", em, keys...)
		for i, side := range [...]string{"top", "right", "bottom", "left"} {
			e.Pad[i] = r.len(p+"box.padding."+side, em, keys...)
		}
		return e
	}
	e.Fill, e.Border = r.color(p+"style.backgroundColor", keys...), r.color(p+"style.borderColor", keys...)
	e.BorderWidth, e.Radius = r.len(p+"style.borderWidth", em, keys...), r.len(p+"style.borderRadius", em, keys...)
	return e
}

// elementDropCap is the enlarged first letter of a text of a design. Where no size is
// given its capitals, taken as 0.72 em, are as high as those of the text and the
// leading of the lines above together (settings.md 7.2).
func (r *resolver) elementDropCap(p string, t *Text, keys []string) DropCap {
	if n := r.literal(schema().byPath[p], keys, true); n == nil || n.kind != object {
		return DropCap{}
	}
	p += "."
	c := DefaultDropCap(min(max(r.whole(p+"lines", keys...), 1), 20))
	c.Size = Relative{Fixed: t.Size + unit.Sp(unit.MulDiv(int64(c.Lines-1)*int64(t.Leading), 100, 72))}
	if r.set(p+"fontSize", keys...) {
		c.Size = Relative{Fixed: max(r.len(p+"fontSize", t.Size, keys...), unit.Pt/4)}
	}
	if r.set(p+"fontFamily", keys...) {
		c.Family = r.family(p+"fontFamily", keys...)
	}
	if r.set(p+"fontWeight", keys...) {
		c.Weight = r.weight(p+"fontWeight", keys...)
	}
	if c.ColorSet = r.set(p+"color", keys...); c.ColorSet {
		c.Color = r.color(p+"color", keys...)
	}
	if r.set(p+"gap", keys...) {
		c.Gap = r.relative(p+"gap", keys...)
	}
	return c
}

// multiple reads a leading: a multiple of the size, or a length whose ems are
// multiples too; anything not above zero reads as 1.2.
func (r *resolver) multiple(n *node, size unit.Sp) unit.Sp {
	out := unit.Sp(0)
	if n != nil {
		switch n.kind {
		case number:
			out = unit.FromPt(float64(n.num * size.Pt()))
		case text:
			if l, ok := parseLength(n.str, "em"); ok {
				n = l
			}
			out = r.leadingLength(n, size)
		case object:
			out = r.leadingLength(n, size)
		}
	}
	if out <= 0 {
		out = unit.FromPt(float64(1.2 * size.Pt()))
	}
	return out
}

func (r *resolver) leadingLength(n *node, size unit.Sp) unit.Sp {
	if x, u, ok := readLength(n); ok && u == "rem" {
		return unit.FromPt(float64(x * size.Pt()))
	}
	return r.length(n, size)
}

func (r *resolver) extent(pattern string, em unit.Sp, keys []string) Extent {
	n := r.at(pattern, keys...)
	if n == nil || n.kind == text {
		mode := "auto"
		if n != nil && strings.EqualFold(strings.TrimSpace(n.str), "fill") {
			mode = "fill"
		}
		return Extent{Mode: mode}
	}
	return Extent{Mode: "length", Length: r.length(n, em)}
}
