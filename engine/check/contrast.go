package check

import (
	"fmt"
	"math"
	"strconv"

	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Text too faint for what is behind it (warnings.md 4.4, lowContrast): the contrast
// ratio of WCAG 2, success criterion 1.4.3. Only what the book uses counts.

// uses are the styles that the pages of a chapter use: "heading1", "box:tip",
// "paragraph:motto", "code", "cell", "note", "blockquote", and "fill:…" for the
// fills of chips; "dangling:…" for resources whose unknown type it tells of.
type uses map[string]bool

func usesOf(c *frame.Chapter) uses {
	u := uses{}
	for i := range c.Problems {
		if c.Problems[i].Kind == "danglingTypeRef" {
			u["dangling:"+c.Problems[i].Resource] = true
		}
	}
	for _, p := range c.Pages {
		for _, b := range p.Blocks() {
			switch b.Kind {
			case frame.Heading:
				u["heading"+strconv.Itoa(b.Level)] = true
			case frame.Frame:
				u["box:"+b.Style] = true
			case frame.Paragraph:
				if b.Style != "" {
					u["paragraph:"+b.Style] = true
				}
			case frame.Resource:
				u[b.Part] = true
			default:
				u[string(b.Kind)] = true
			}
			for i := range b.Lines {
				if l := b.Lines[i].LineSet; l != nil {
					for k := range l.Plates {
						u[fillOf(l.Plates[k].Fill)] = true
					}
				}
			}
		}
	}
	return u
}

func fillOf(c unit.Color) string { return "fill:" + hex(c) }

func hex(c unit.Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// pair is text in a colour over a ground, both as settings.
type pair struct {
	path string
	ink  unit.Color
	on   []unit.Color // grounds it may stand on; the best counts
	size unit.Sp
	bold bool
}

// faint finds the pairs of a design whose contrast is too low.
func faint(d *settings.Design, used uses) []frame.Problem {
	var out []frame.Problem
	told := map[string]bool{}
	page := over(d.Page.Background, unit.Color{R: 255, G: 255, B: 255, A: 255})
	for _, p := range pairs(d, page, used) {
		least := 4.5
		if p.size >= 18*unit.Pt || p.bold && p.size >= 14*unit.Pt {
			least = 3
		}
		best, ground := 0.0, page
		for _, g := range p.on {
			g = over(g, page)
			if r := contrast(over(p.ink, g), g); r > best {
				best, ground = r, g
			}
		}
		ink := over(p.ink, ground)
		key := hex(ink) + hex(ground) + fmt.Sprint(least)
		if p.ink.A == 0 || best >= least || told[key] {
			continue
		}
		told[key] = true
		ratio, minimum := strconv.FormatFloat(math.Floor(float64(best*10))/10, 'f', 1, 64), strconv.FormatFloat(least, 'f', -1, 64)
		out = append(out, frame.Problem{Kind: "lowContrast", Start: -1, Page: -1, Path: p.path,
			Detail: p.path + " — ratio " + ratio + " : 1, wanted " + minimum + " : 1",
			Fields: []frame.Field{{Key: "color", Value: hex(ink)}, {Key: "background", Value: hex(ground)}, {Key: "ratio", Value: ratio}, {Key: "minimum", Value: minimum}}})
	}
	return out
}

// pairs lists what the design prints in a colour of its own.
func pairs(d *settings.Design, page unit.Color, used uses) (out []pair) {
	add := func(path string, ink unit.Color, t *settings.Text, on ...unit.Color) {
		out = append(out, pair{path, ink, on, t.Size, t.Weight >= 700})
	}
	runs := func(prefix string, t *settings.Text, on unit.Color) {
		add(prefix+"color", t.Color, t, on)
		bold := *t
		bold.Weight = t.BoldWeight
		add(prefix+"boldColor", t.BoldColor, &bold, on)
		add(prefix+"italicColor", t.ItalicColor, t, on)
	}
	runs("bodyText.", &d.Body, page)
	if used["blockquote"] {
		add("bodyText.blockquote.color", d.Quote.Color, &d.Body, page)
	}
	for i := range d.Headings.Levels {
		if l := &d.Headings.Levels[i]; used["heading"+strconv.Itoa(i+1)] && !l.Designed {
			add("headings.levels[level="+strconv.Itoa(i+1)+"].color", l.Text.Color, &l.Text, page)
		}
	}
	for _, s := range slotsOf(d) {
		out = append(out, s.pairs(page)...)
	}
	for i := range d.Styles {
		if st := &d.Styles[i]; used["paragraph:"+st.ID] {
			runs("paragraphStyles[id="+st.ID+"].", &st.Text, page)
		}
	}
	for i := range d.Boxes {
		st := &d.Boxes[i]
		if !used["box:"+st.ID] {
			continue
		}
		path := "calloutStyles[id=" + st.ID + "]."
		fill := over(st.Frame.Fill, page)
		runs(path+"body.", &st.Body, fill)
		add(path+"titleStyle.color", st.Heading.Text.Color, &st.Heading.Text, fill)
		if st.Label.Enabled {
			add(path+"label.color", st.Label.Text.Color, &st.Label.Text, over(st.Label.Background, page))
		}
	}
	for i := range d.Chips {
		if st := &d.Chips[i]; used[fillOf(st.Fill)] && st.ColorSet {
			add("chipStyles[id="+st.ID+"].color", st.Color, &d.Body, over(st.Fill, page))
		}
	}
	if used["code"] {
		code := d.Body
		code.Size, code.Weight = d.Code.Size, d.Listing.Weight
		add("codeStyle.color", d.Code.Color, &code, over(d.Listing.Frame.Fill, page))
	}
	if used["note"] {
		add("footnotes.color", d.Notes.Text.Color, &d.Notes.Text, page)
	}
	if used["caption"] {
		c := &d.Figures.Caption
		add("captionStyle.color", c.Text.Color, &c.Text, over(c.Fill, page))
		add("captionStyle.labelColor", c.LabelColor, &c.Text, over(c.Fill, page))
	}
	if used["cell"] {
		t := &d.Figures.Table
		add("tableStyle.headerColor", t.Header.Color, &t.Header, over(t.HeaderFill, page))
		add("tableStyle.bodyColor", t.Body.Color, &t.Body, over(t.BodyFill, page))
		add("tableStyle.bodyColor", t.Body.Color, &t.Body, over(t.AlternateFill, page))
	}
	return out
}

// pairs are the texts of a slot. A text stands on its plate; without one, on the
// page or on a box of the slot, wherever its anchors bring it: it is given the
// benefit of the doubt, and beside pictures not judged.
func (s *aSlot) pairs(page unit.Color) (out []pair) {
	grounds := []unit.Color{page}
	for i := range s.Elements {
		switch e := &s.Elements[i]; e.Kind {
		case "image":
			return nil
		case "box":
			grounds = append(grounds, over(e.Fill, page))
		}
	}
	for i := range s.Elements {
		e := &s.Elements[i]
		if e.Kind != "text" || e.Content == "" {
			continue
		}
		on := grounds
		if e.Fill.A == 255 {
			on = []unit.Color{e.Fill}
		}
		out = append(out, pair{s.path() + ".elements[id=" + e.ID + "].color", e.Text.Color, on, e.Text.Size, e.Text.Weight >= 700})
	}
	return out
}

// path is where the slot stands in the configuration.
func (s *aSlot) path() string {
	field := func(key string) string {
		for _, f := range s.fields {
			if f.Key == key {
				return f.Value
			}
		}
		return ""
	}
	id, level := field("styleId"), field("level")
	switch {
	case field("configPath") != "":
		return field("configPath")
	case s.kind == "part":
		return "parts.design"
	case s.kind == "heading" && id != "":
		return "headingStyles[id=" + id + "].advancedDesign.slot"
	case s.kind == "heading":
		return "headings.levels[level=" + level + "].advancedDesign.slot"
	case id != "":
		return "headingStyles[id=" + id + "]." + s.kind
	}
	return s.kind
}

// over composes a translucent colour over an opaque one.
func over(c, ground unit.Color) unit.Color {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(c.A) + int(b)*(255-int(c.A)) + 127) / 255) }
	return unit.Color{R: mix(c.R, ground.R), G: mix(c.G, ground.G), B: mix(c.B, ground.B), A: 255}
}

// contrast is the ratio of two opaque colours, from 1 to 21.
func contrast(a, b unit.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c unit.Color) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
}
