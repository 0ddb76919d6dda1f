package layout

import (
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// container sets a fenced group.
func (w *walker) container(b *markup.Block, p place) error {
	if b.ID != "" && b.Name != "callout" && b.Name != "part" { // those have blocks of their own
		w.flow.marks = append(w.flow.marks, landmark{index: int32(w.index), id: b.ID})
	}
	around := w.dir
	w.dir = directionOf(b.Attrs, around)
	defer func() { w.dir = around }()
	switch b.Name {
	case "part":
		return w.part(b, p)
	case "callout":
		return w.callout(b, p)
	case "columns":
		return w.columns(b, p)
	case "paragraphs":
		return w.paragraphs(b, p)
	}
	return w.blocks(b.Children, p)
}

// said makes an inline of words that stand in a block's attributes: text with
// its place where they stand there as they are, else an object.
func (w *walker) said(b *markup.Block, text string) []markup.Inline {
	src := w.doc.Source[min(b.Start, len(w.doc.Source)):min(b.End, len(w.doc.Source))]
	if k := strings.Index(src, text); k >= 0 {
		return []markup.Inline{{Kind: markup.Text, Text: text, Start: b.Start + k, End: b.Start + k + len(text)}}
	}
	return []markup.Inline{{Kind: markup.Chip, Text: text, Start: b.Start, End: min(b.Start+1, b.End)}}
}

// part sets a part on a page of its own.
func (w *walker) part(b *markup.Block, p place) error {
	w.st.Part = partOf(b)
	pt := w.st.Part
	w.open = nil
	after := settings.Look{Palette: pt.Palette}
	if _, bad := settings.PaletteValues(pt.Palette); len(bad) > 0 {
		w.report("partPaletteIgnored", "palette: "+strings.Join(bad[:min(len(bad), 10)], ", ")+" is no pair of an id and a colour", b.Start, b.End)
	}
	ref := &headingRef{level: 0, title: pt.Title, number: pt.Number, part: &pt, id: b.ID, entry: partEntry(b), look: after, index: -1}
	w.flow.heads = append(w.flow.heads, ref)
	if !w.d.Parts.Page {
		w.turn(after, b.Start)
		w.flow.nodes = append(w.flow.nodes, node{what: nMark, head: ref, start: b.Start, end: b.End})
		return nil
	}
	w.turn(settings.Look{Palette: pt.Palette, Part: true}, b.Start)
	v := &w.d.Parts
	open := node{what: nPartOpen, head: ref, start: b.Start, end: b.End}
	if len(v.Design.Elements) > 0 {
		title, _ := b.Attrs.Get("title")
		open.drawn = &drawing{slot: &v.Design, kind: "part", own: ownValues{title: strings.ReplaceAll(title, `\\`, "\n"),
			number: pt.Number, count: partNumber(pt.Number), attrs: b.Attrs}}
	}
	w.flow.nodes = append(w.flow.nodes, node{what: nBreak, parity: v.Parity, start: b.Start, end: b.End}, open)
	p = w.running()
	p.onPart = true
	if text := strings.TrimSpace(pt.Number + " " + pt.Title); text != "" && open.drawn == nil {
		lv := &w.d.Headings.Levels[0]
		t := lv.Text
		t.Hyphenate = false
		var in []markup.Inline
		if pt.Number != "" {
			in = append(in, w.said(b, pt.Number)...)
		}
		if pt.Number != "" && pt.Title != "" {
			in = append(in, markup.Inline{Kind: markup.Tab, Start: b.Start, End: b.Start})
		}
		if pt.Title != "" {
			in = append(in, w.said(b, pt.Title)...)
		}
		n := node{kind: frame.Heading, in: in,
			start: b.Start, end: b.End, level: 1, number: pt.Number, id: b.ID, leading: t.Leading, whole: true, snap: true,
			below: lv.MarginBottom, set: w.setting(settingKey{text: t, width: p.width, align: alignOf(t.Align), flags: fByLine})}
		ref.index = w.index
		if _, err := w.add(n); err != nil {
			return err
		}
	}
	w.afterHeading = true
	w.uncounted++
	err := w.blocks(b.Children, p)
	w.uncounted--
	if err != nil {
		return err
	}
	w.flow.nodes = append(w.flow.nodes, node{what: nPartClose, start: b.End, end: b.End, goesOn: !v.After})
	w.turn(after, b.End)
	if v.After {
		w.flow.nodes = append(w.flow.nodes, node{what: nBreak, parity: v.AfterParity, start: b.End, end: b.End})
	}
	w.afterHeading = true
	return nil
}

var parities = map[string]bool{"any": true, "odd": true, "even": true, "always-odd": true, "always-even": true}

// directive does what a one-line directive says.
func (w *walker) directive(b *markup.Block, p place) error {
	n := node{start: b.Start, end: b.End}
	switch b.Name {
	case "pagebreak", "columnbreak":
		if p.group > 0 || p.subcolumn {
			w.reportOnce("notLaidOut", ":::"+b.Name+" inside a box or a group in columns does nothing", b.Start, b.End)
			return nil
		}
		if n.what = nColumn; b.Name == "columnbreak" {
			break
		}
		n.what, n.parity = nBreak, "any"
		if v, ok := b.Attrs.Get("parity"); ok {
			if parities[v] { // the parser reports what is none
				n.parity = v
			}
		}
		n.center = isOn(b.Attrs, "center")
	case "space":
		lines := 1.0
		if v, ok := b.Attrs.Get("lines"); ok {
			if f, err := strconv.ParseFloat(v, 64); err == nil && f > 0 && f <= 20 {
				lines = f
			}
		}
		n.what = nSpace
		n.room = unit.Sp(unit.MulDiv(int64(float64(lines*1000)+0.5), int64(w.d.Body.Leading), 1000))
		w.afterHeading, w.afterPara = true, false
	case "numbering":
		n.what = nNumbering
		if v, ok := b.Attrs.Get("format"); ok {
			if markup.IsNumberFormat(v) {
				n.format = v
			}
		}
		if k, ok := b.Attrs.Int("lines"); ok {
			if k > 0 { // the parser reports what is none
				w.countFrom = k
			}
			return nil
		}
		if v, ok := b.Attrs.Get("startAt"); ok {
			if k, err := strconv.Atoi(v); err == nil && k > 0 {
				n.at = k
			}
		}
	case "toc":
		return w.contents(b, p)
	case "bibliography":
		return w.bibliography(b, p)
	case "index":
		return w.indexList(b, p)
	default:
		return nil
	}
	w.flow.nodes = append(w.flow.nodes, n)
	return nil
}

// raw sets a raw-body block: verse; the others are not set yet.
func (w *walker) raw(b *markup.Block, p place) error {
	if b.Name == "references" {
		return nil
	}
	if b.Name != "verse" {
		w.reportOnce("notLaidOut", ":::"+b.Name+" is set as its plain lines", b.Start, b.End)
	}
	return w.verse(b, p)
}
