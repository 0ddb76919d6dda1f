package layout

import (
	"strings"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/unit"
)

// verseLine is a line of a poem before it is measured.
type verseLine struct {
	in         []markup.Inline
	start, end int
	indent     int  // steps
	shared     bool // begins where the line above ended
}

// stanzas gives the lines of a raw block: a poem as the parser read it, inline
// marks and all; another block as its plain lines.
func stanzas(b *markup.Block) (out [][]verseLine) {
	for _, st := range b.Children {
		if st.Kind != markup.Stanza {
			continue
		}
		var lines []verseLine
		for _, v := range st.Children {
			_, shared := v.Attrs.Get("shared")
			lines = append(lines, verseLine{v.Inlines, v.Start, v.End, v.Level, shared})
		}
		if len(lines) > 0 {
			out = append(out, lines)
		}
	}
	if len(out) > 0 || b.Name == "verse" {
		return out
	}
	var lines []verseLine
	at := b.LitStart
	for _, line := range strings.Split(b.Literal, "\n") {
		body := strings.TrimLeft(line, " \t")
		off := at + len(line) - len(body)
		at += len(line) + 1
		if strings.TrimSpace(body) == "" {
			if len(lines) > 0 {
				out = append(out, lines)
				lines = nil
			}
			continue
		}
		in := []markup.Inline{{Kind: markup.Text, Text: body, Start: off, End: off + len(body)}}
		lines = append(lines, verseLine{in, off, off + len(body), len(line) - len(body), false})
	}
	if len(lines) > 0 {
		out = append(out, lines)
	}
	return out
}

// verse sets a poem line by line, centred on its longest line (document-format.md
// 4.8). Columns break between stanzas first: two lines of one stay together at
// either end of it, and the whole of it where keepStanzas asks for that.
func (w *walker) verse(b *markup.Block, p place) error {
	t := p.text
	t.Hyphenate, t.Indent = false, 0
	step := t.Size / 2
	keep, _ := b.Attrs.Int("keepStanzas")
	first := len(w.flow.nodes)
	for i, st := range stanzas(b) {
		var end unit.Sp // of the line above
		for k, v := range st {
			indent := min(unit.Sp(v.indent)*step, p.width/2)
			if v.shared && end > 0 && end < p.width*3/4 {
				indent = end + t.Size/4
			}
			n := node{kind: frame.Verse, in: v.in, start: v.start, end: v.end, group: p.group, leading: p.leading, whole: true,
				keepNext: k == 0 && len(st) > 1 || k == len(st)-2 && len(st) > 2 || len(st) <= keep && k < len(st)-1,
				set:      w.setting(settingKey{text: t, plainInk: p.plainInk, width: p.width, align: flushLeft, first: indent, hang: indent + 2*t.Size, flags: fVerse})}
			if i > 0 && k == 0 {
				n.above = p.leading
			}
			got, err := w.add(n)
			if err != nil {
				return err
			}
			lines := len(got.m.lines)
			if lines == 0 {
				w.flow.nodes = w.flow.nodes[:len(w.flow.nodes)-1]
				continue
			}
			end = got.m.offs[lines-1] + got.m.lines[lines-1].Width
		}
	}
	nodes := w.flow.nodes[first:]
	var longest unit.Sp
	for i := range nodes {
		for k := range nodes[i].m.lines {
			longest = max(longest, nodes[i].m.offs[k]+nodes[i].m.lines[k].Width)
		}
	}
	x := p.x
	if v, _ := b.Attrs.Get("align"); v != "start" && longest < p.width {
		x += (p.width - longest) / 2
	}
	for i := range nodes {
		nodes[i].x = x
	}
	if n := len(nodes); n > 0 {
		nodes[0].above = max(nodes[0].above, p.leading/2)
		nodes[n-1].below = p.leading / 2
		nodes[n-1].snap = true
		nodes[n-1].keepNext = false
	}
	w.afterPara, w.afterHeading = false, false
	return nil
}
