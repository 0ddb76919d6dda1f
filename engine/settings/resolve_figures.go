package settings

import (
	"math"
	"strconv"

	"postext/engine/unit"
)

// Figures is how resources are numbered, placed and captioned (settings.md 25 to
// 28, and the part of 6 that is about them).
type Figures struct {
	Types   []ResourceType
	Caption Caption
	// Dots is the resolution of bitmaps without one of their own, in pixels to
	// the inch; FromFile prefers what the file states.
	Dots     float64
	FromFile bool
	// FitToPage shrinks a figure taller than the page.
	FitToPage bool
	// GapBelow: an inline figure keeps a line of space under it as well;
	// GapInBoxes the same inside boxes.
	GapBelow, GapInBoxes bool
	HugClosing           bool
	// SingleInk draws SVG pictures in tints of Ink.
	SingleInk   bool
	Ink         unit.Color
	Table       TableStyle
	Tables      []TableStyle
	UnderOpener bool
	Video       Video
	Wrap        Wrap
	MaxTop      float64 // largest share of a column of a float at its citing page
}

// ResourceType is a kind of resource (settings.md 25).
type ResourceType struct {
	ID, Name, Plural, Short, Prefix string
	Template                        string
	Reset                           int    // heading level that restarts the count, 0: none
	Format                          string // of the counter
	Place                           Placement
	Caption                         Caption
}

// Placement says where a resource goes (document-format.md 13.5).
type Placement struct {
	Position       string // auto, top, bottom, here
	Span           string // column, page, side
	Width          float64
	Align          string // left, center, right
	Rotate         string // "", ccw, cw
	Columns        int
	CaptionSide    bool
	CaptionMeasure string // slot, body
	Shrink         string // never, page, slot
	MinScale       float64
	Wrap           string // none, left, right
	WrapGap        unit.Sp
	CitingPage     bool
}

// Wrap bounds the text beside a figure or box (settings.md 6).
type Wrap struct {
	MinText  unit.Sp // the narrowest text; or
	MinShare int64   // this share of the column, in thousandths, when not 0
	MinLines int
	Width    int64 // of an item that says none, in thousandths of the column
	Gap      unit.Sp
}

// Video is the look of videos in print (settings.md 29).
type Video struct {
	Play PlayMark
	QR   QRCode
}

// PlayMark is the play sign on a poster.
type PlayMark struct {
	Enabled       bool
	Shape         string // circle, rounded, triangle
	Edge          string // of the poster
	Size, Inset   unit.Sp
	Color, Ground unit.Color
	Opacity       float64
}

// QRCode is the QR code on a poster.
type QRCode struct {
	Enabled             bool
	Edge                string
	Size, Inset, Radius unit.Sp
	Correction          string // L, M, Q, H
	Quiet               int    // modules
	Color, Ground       unit.Color
}

// Caption is the look of captions (settings.md 26).
type Caption struct {
	Text                   Text
	LabelBold, LabelItalic bool
	LabelColor             unit.Color
	Italic                 bool // the description
	Gap                    unit.Sp
	Above                  bool
	Fill                   unit.Color // transparent: no bar
	Padding                unit.Sp
	NumberGap, Separator   string
	Note                   Text
	NoteGap                unit.Sp
}

// Type returns the resource type with an id, nil when there is none.
func (f *Figures) Type(id string) *ResourceType {
	for i := range f.Types {
		if f.Types[i].ID == id {
			return &f.Types[i]
		}
	}
	return nil
}

// TableStyle is the look of table resources (settings.md 27).
type TableStyle struct {
	ID                                  string
	Body, Header                        Text
	HeaderFill, BodyFill, AlternateFill unit.Color
	Borders                             bool
	Rules                               string // grid, horizontal, outer, none, booktabs
	RuleColor                           unit.Color
	RuleWidth, Heavy, Light             unit.Sp
	SpanRule, SpanTrim                  unit.Sp
	SpanRules                           string // trimmed, full, none
	GroupRules                          bool
	Radius                              unit.Sp // of the frame's corners
	ContinuedFoot                       string  // bottom, light, none
	Padding                             unit.Sp
	Overflow                            string // split, clip, hide
	SplitInline                         bool
	Suffix                              string // after the caption of a part that goes on
	Marker                              string // under a part that is to go on, "" for none
}

// TableStyle returns the style a table names, the document's when it names none;
// known is false when there is none of the name.
func (f *Figures) TableStyle(id string) (s *TableStyle, known bool) {
	if id == "" {
		return &f.Table, true
	}
	for i := range f.Tables {
		if f.Tables[i].ID == id {
			return &f.Tables[i], true
		}
	}
	return &f.Table, false
}

// ParseColor reads a colour as settings write it: #rgb, #rrggbb, rgb() and so on.
func ParseColor(s string) (unit.Color, bool) { return parseColor(s) }

func (r *resolver) tableStyle(d *Design, p string, key ...string) TableStyle {
	var t TableStyle
	text := func(name string) Text {
		x := d.Body
		x.Family, x.Color = r.family(p+name+"FontFamily", key...), r.color(p+name+"Color", key...)
		x.Size = max(r.len(p+name+"FontSize", d.Body.Size, key...), unit.Pt/4)
		x.Leading = max(unit.Sp(unit.MulDiv(int64(d.Body.Leading), int64(x.Size), int64(max(d.Body.Size, 1)))), unit.Pt/4)
		x.BoldColor, x.ItalicColor = x.Color, x.Color
		x.Align, x.Indent, x.Hanging = "left", 0, false
		x.Hyphenate = d.Body.Hyphenate
		return x
	}
	t.Body, t.Header = text("body"), text("header")
	if r.flag(p+"headerBold", key...) {
		t.Header.Weight = t.Header.BoldWeight
	}
	t.Header.Italic = r.flag(p+"headerItalic", key...)
	t.Header.Tracking = r.len(p+"headerLetterSpacing", t.Header.Size, key...)
	t.Header.Transform = r.str(p+"headerTextTransform", key...)
	fill := func(name string) unit.Color {
		if r.flag(p+name+"Enabled", key...) {
			return r.color(p+name, key...)
		}
		return unit.Transparent
	}
	t.HeaderFill, t.BodyFill, t.AlternateFill = fill("headerBackground"), fill("bodyBackground"), fill("bodyAlternateBackground")
	em := t.Body.Size
	t.Borders, t.Rules = r.flag(p+"borders", key...), r.str(p+"rules", key...)
	t.RuleColor = r.color(p+"borderColor", key...)
	// A rule is never thinner than a quarter of a layout pixel.
	t.RuleWidth = max(r.len(p+"borderWidth", em, key...), unit.FromPt(float64(18/r.dpi)))
	t.Heavy, t.Light = r.len(p+"heavyRuleWidth", em, key...), r.len(p+"lightRuleWidth", em, key...)
	t.SpanRule, t.SpanTrim = max(r.len(p+"spanRuleWidth", em, key...), 0), max(r.len(p+"spanRuleTrim", em, key...), 0)
	t.SpanRules, t.GroupRules = r.str(p+"spanRules", key...), r.flag(p+"groupRules", key...)
	if t.Rules != "booktabs" {
		t.Radius = max(r.len(p+"borderRadius", em, key...), 0)
	}
	t.ContinuedFoot = r.str(p+"continuedFootRule", key...)
	t.Padding = max(r.len(p+"cellPadding", em, key...), 0)
	t.Overflow, t.SplitInline = r.str(p+"overflow", key...), r.flag(p+"splitInline", key...)
	t.Suffix = r.str(p+"continuedSuffix", key...)
	if r.flag(p+"continuesMarkerEnabled", key...) {
		t.Marker = r.str(p+"continuesMarker", key...)
	}
	return t
}

func (r *resolver) figures(d *Design) {
	f := &d.Figures
	f.Caption = r.caption(d, "captionStyle.")
	f.Dots = r.dpi
	switch n := r.at("layout.bitmapResolution"); {
	case n == nil:
	case n.kind == number && n.num >= 1 && n.num <= 100_000:
		f.Dots = n.num
	case n.kind == text && n.str == "file":
		f.FromFile = true
	}
	f.FitToPage = r.flag("layout.fitFiguresToPage")
	f.GapBelow = r.str("layout.inlineResourceGap") != "above"
	f.GapInBoxes = r.flag("layout.inlineResourceGapInBoxes")
	f.HugClosing = r.flag("layout.hugClosingFloats")
	if f.SingleInk = r.flag("diagramStyle.singleInk"); f.SingleInk {
		f.Ink = r.color("diagramStyle.inkColor")
	}
	const v = "videoStyle."
	f.Video = Video{
		Play: PlayMark{Enabled: r.flag(v + "playMark.enabled"), Shape: r.str(v + "playMark.shape"), Edge: side(r.str(v + "playMark.position")),
			Size: r.len(v+"playMark.size", d.Body.Size), Inset: r.len(v+"playMark.inset", d.Body.Size),
			Color: r.color(v + "playMark.color"), Ground: r.color(v + "playMark.background"), Opacity: min(max(r.num(v+"playMark.backgroundOpacity"), 0), 1)},
		QR: QRCode{Enabled: r.flag(v + "qr.enabled"), Edge: side(r.str(v + "qr.position")), Size: r.len(v+"qr.size", d.Body.Size),
			Inset: r.len(v+"qr.inset", d.Body.Size), Radius: r.len(v+"qr.radius", d.Body.Size), Correction: r.str(v + "qr.errorCorrection"),
			Quiet: min(max(r.whole(v+"qr.quietZone"), 0), 8), Color: r.color(v + "qr.color"), Ground: r.color(v + "qr.background")},
	}
	f.UnderOpener = r.flag("layout.floatsUnderOpener")
	f.MaxTop = r.num("layout.maxTopFraction")
	f.Wrap = Wrap{MinLines: max(r.whole("layout.wrap.minLinesBeside"), 1), Width: int64(math.Round(float64(r.num("layout.wrap.defaultWidth") * 1000))), Gap: d.Body.Leading}
	if f.Wrap.Width <= 0 || f.Wrap.Width >= 1000 {
		f.Wrap.Width = 450
	}
	if r.set("layout.wrap.gap") {
		f.Wrap.Gap = max(r.len("layout.wrap.gap", d.Body.Size), 0)
	}
	if n := r.at("layout.wrap.minTextWidth"); n != nil && n.kind == number && n.num > 0 && n.num <= 1 {
		f.Wrap.MinShare = int64(math.Round(float64(n.num * 1000)))
	} else {
		f.Wrap.MinText = max(r.len("layout.wrap.minTextWidth", d.Body.Size), 0)
	}
	f.Table = r.tableStyle(d, "tableStyle.")
	if styles := r.stored(schema().byPath["tableStyles"], nil); styles != nil && styles.kind == list {
		for i, item := range styles.kids {
			if item.kind != object || i >= 200 {
				continue
			}
			t := r.tableStyle(d, "tableStyles[].", "#"+strconv.Itoa(i))
			t.ID = keyText(item, "id")
			f.Tables = append(f.Tables, t)
		}
	}
	types := r.stored(schema().byPath["resourceTypes"], nil)
	if types == nil || types.kind != list {
		return
	}
	for i, item := range types.kids {
		key := "#" + strconv.Itoa(i)
		if item.kind != object || i >= 200 {
			continue
		}
		f.Types = append(f.Types, r.resourceType(d, key, keyText(item, "id")))
	}
	if f.Type("video") == nil {
		w := wordsOf(r.lang)
		f.Types = append(f.Types, ResourceType{ID: "video", Name: w.video, Plural: w.videos, Short: w.video, Prefix: w.video,
			Template: "{h1}.{n}", Reset: 1, Format: "decimal", Place: r.placement(d, ""), Caption: f.Caption})
	}
}

func (r *resolver) resourceType(d *Design, key, id string) ResourceType {
	const p = "resourceTypes[]."
	t := ResourceType{ID: id, Name: r.str(p+"name", key), Plural: r.str(p+"namePlural", key), Short: r.str(p+"shortLabel", key),
		Prefix: r.str(p+"captionPrefix", key), Template: r.str(p+"numberingTemplate", key)}
	t.Format, _ = numberFormat(r.str(p+"counterFormat", key), 0)
	if s := r.str(p+"resetOn", key); len(s) == 2 && s[0] == 'h' {
		t.Reset = int(s[1] - '0')
	}
	if w := wordsOf(r.lang); t.Name == "" {
		t.Name = map[string]string{"figure": w.figure, "table": w.table, "video": w.video}[id]
		if t.Name == "" {
			t.Name = id
		}
	}
	if t.Short == "" {
		t.Short = t.Name
	}
	if !r.set(p+"captionPrefix", key) {
		t.Prefix = t.Name
	}
	t.Place = r.placement(d, key)
	t.Caption = r.caption(d, p+"captionStyle.", key)
	return t
}

// placement resolves a type's default placement; without a key the built-in one.
func (r *resolver) placement(d *Design, key string) Placement {
	const p = "resourceTypes[].defaultPlacement."
	pl := Placement{Position: "auto", Span: "column", Align: "left", Columns: 1, CaptionMeasure: "slot", Wrap: "none",
		Shrink: r.str("layout.floatShrink.mode"), MinScale: r.num("layout.floatShrink.minScale"),
		WrapGap: d.Body.Leading, CitingPage: r.flag("layout.floatsAtCitingPage"), Width: 1}
	if r.set("layout.wrap.gap") {
		pl.WrapGap = max(r.len("layout.wrap.gap", d.Body.Size), 0)
	}
	if key != "" {
		pl.Position, pl.Span = r.str(p+"position", key), r.str(p+"span", key)
		pl.Align, pl.Wrap = side(r.str(p+"align", key)), side(r.str(p+"wrap", key))
		pl.Rotate = r.str(p+"rotate", key)
		pl.Columns = max(r.whole(p+"columns", key), 1)
		pl.CaptionSide = r.flag(p+"captionSide", key)
		if r.str(p+"captionMeasure", key) == "body" {
			pl.CaptionMeasure = "body"
		}
		if w := r.num(p+"width", key); w > 0 && w < 1 {
			pl.Width = w
		}
		pl.Shrink, pl.MinScale = r.str(p+"shrink", key), r.num(p+"minScale", key)
		pl.CitingPage = r.flag(p+"citingPage", key)
		if r.set(p+"wrapGap", key) {
			pl.WrapGap = max(r.len(p+"wrapGap", d.Body.Size, key), 0)
		}
	}
	if pl.MinScale <= 0 || pl.MinScale > 1 || math.IsNaN(pl.MinScale) {
		pl.MinScale = 0.7
	}
	return pl
}

// caption resolves a caption style, the document's or a type's over it.
func (r *resolver) caption(d *Design, p string, key ...string) Caption {
	var c Caption
	t := d.Body
	t.Family, t.Color = r.family(p+"fontFamily", key...), r.color(p+"color", key...)
	t.Size = max(r.len(p+"fontSize", d.Body.Size, key...), unit.Pt/4)
	// The leading keeps the body's proportion to the size.
	t.Leading = max(unit.Sp(unit.MulDiv(int64(d.Body.Leading), int64(t.Size), int64(max(d.Body.Size, 1)))), unit.Pt/4)
	t.BoldColor, t.ItalicColor = t.Color, t.Color
	t.Align = side(r.str(p+"align", key...))
	t.Indent, t.Hanging, t.Hyphenate = 0, false, false
	c.Text = t
	c.LabelBold, c.LabelItalic = r.flag(p+"labelBold", key...), r.flag(p+"labelItalic", key...)
	c.LabelColor = r.color(p+"labelColor", key...)
	c.Italic = r.flag(p+"descriptionItalic", key...)
	c.Gap = max(r.len(p+"gap", t.Size, key...), 0)
	c.Above = r.str(p+"position", key...) == "above"
	if r.flag(p+"backgroundEnabled", key...) {
		c.Fill = r.color(p+"background", key...)
		c.Padding = r.len(p+"padding", t.Size, key...)
	}
	c.NumberGap, c.Separator = r.str(p+"labelNumberGap", key...), r.str(p+"labelSeparator", key...)
	n := t
	n.Size = max(r.len(p+"note.fontSize", t.Size, key...), unit.Pt/4)
	n.Leading = max(unit.Sp(unit.MulDiv(int64(d.Body.Leading), int64(n.Size), int64(max(d.Body.Size, 1)))), unit.Pt/4)
	n.Color = r.color(p+"note.color", key...)
	if len(key) > 0 {
		// A type's size and colour drag the note's along (settings.md 40.4).
		if r.set(p+"fontSize", key...) && !r.set(p+"note.fontSize", key...) {
			n.Size = max(unit.Sp(unit.MulDiv(int64(t.Size), 85, 100)), unit.Pt/4)
		}
		if r.set(p+"color", key...) && !r.set(p+"note.color", key...) {
			n.Color = t.Color
		}
	}
	n.BoldColor, n.ItalicColor = n.Color, n.Color
	n.Italic = r.flag(p+"note.italic", key...)
	n.Align = side(r.str(p+"note.align", key...))
	c.Note = n
	c.NoteGap = max(r.len(p+"note.gap", n.Size, key...), 0)
	return c
}
