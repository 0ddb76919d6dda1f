package layout

import (
	"strings"
	"unicode/utf8"

	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// The texts of designs (settings.md 7.2): short ones are labels, cut or broken at
// their spaces; those with marks, hyphens, indents or a drop cap are set like
// paragraphs.

// slotLine is a line of a text; without content, room beside a drop cap.
type slotLine struct {
	*frame.LineSet
	text string
	off  unit.Sp // it is set in by
}

func (l *slotLine) width() unit.Sp {
	if l.LineSet == nil {
		return 0
	}
	return l.Width
}

// maxHead is the longest running head looked at, in bytes.
const maxHead = 2000

// text sets the lines of a text element, shortened or wrapped to limit. A line end
// in it begins a paragraph.
func (s *slotSetter) text(e *settings.Element, limit unit.Sp) (lines []slotLine, err error) {
	content := strings.TrimRight(s.pc.expand(e.Content), " ")
	if strings.TrimSpace(content) == "" {
		return nil, nil
	}
	j := s.pc.u.j
	if len(content) > maxHead {
		n := maxHead
		for !utf8.RuneStart(content[n]) {
			n--
		}
		content = content[:n]
	}
	for i, t := range strings.Split(content, "\n") {
		own := *e
		if i == 0 {
			own.ParaIndent = 0
		} else {
			own.DropCap.On = false
		}
		if own.DropCap.On {
			own.Overflow = "wrap"
		}
		in := own.ParaIndent
		if own.InlineMarks || own.DropCap.On || own.Overflow == "wrap" && (own.Text.Hyphenate || own.Text.Align == "justify" || in > 0) {
			more, plain, err := s.set(t, &own, limit)
			if err != nil {
				return nil, err
			}
			if more != nil {
				lines = append(lines, more...)
				continue
			}
			t = plain
		}
		l, err := j.label(t, own.Text)
		if err != nil {
			return nil, err
		}
		if l.Width > limit-in {
			switch own.Overflow {
			case "wrap":
				more, err := s.wrap(t, &own, limit)
				if err != nil {
					return nil, err
				}
				lines = append(lines, more...)
				continue
			case "clip":
				s.truncated(t, e)
			default:
				s.truncated(t, e)
				if t, l, err = s.shorten(t, &own, limit-in); err != nil {
					return nil, err
				}
			}
		}
		lines = append(lines, slotLine{l, t, in})
	}
	return lines, nil
}

// set sets a text with its marks, hyphens, indent and drop cap like a paragraph.
// There are no lines where it is too wide and must be shortened: its plain text
// is then returned.
func (s *slotSetter) set(t string, e *settings.Element, limit unit.Sp) (lines []slotLine, plain string, err error) {
	j := s.pc.u.j
	in := []markup.Inline{{Kind: markup.Text, Text: t}}
	if e.InlineMarks {
		// The joiner keeps a text from opening as a heading or a list.
		doc := markup.Parse("\u2060"+t, markup.Options{})
		if len(doc.Blocks) == 1 && doc.Blocks[0].Kind == markup.Paragraph {
			in = doc.Blocks[0].Inlines
			if len(in) > 0 {
				in[0].Text = strings.TrimPrefix(in[0].Text, "\u2060")
			}
		}
	}
	k := settingKey{text: e.Text, plainInk: true, width: max(limit, 1), first: e.ParaIndent, align: flushLeft, flags: fByLine}
	if e.Overflow != "wrap" {
		k.width = 1 << 40
	} else if e.Text.Align == "justify" {
		k.align = justify
	}
	w := &walker{job: j}
	st := w.setting(k)
	if e.DropCap.On {
		if st, err = w.withInitial(e.DropCap, in, k, st); err != nil {
			return nil, "", err
		}
	}
	m, err := j.measure(in, st)
	if err != nil {
		return nil, "", err
	}
	if e.Overflow != "wrap" && len(m.lines) == 1 && m.lines[0].Width > limit-e.ParaIndent {
		return nil, m.plain, nil
	}
	for i := range m.lines {
		l := &m.lines[i]
		lines = append(lines, slotLine{l, m.plain[l.Start:l.End], m.offs[i]})
	}
	if st.drop != nil {
		for len(lines) < st.drop.lines {
			lines = append(lines, slotLine{})
		}
	}
	return lines, m.plain, nil
}

// withInitial is a setting with a drop cap, where the text begins with a letter
// and leaves room beside it.
func (w *walker) withInitial(c settings.DropCap, in []markup.Inline, k settingKey, plain *setting) (*setting, error) {
	if len(in) == 0 || in[0].Kind != markup.Text {
		return plain, nil
	}
	marks, all, why := initial(in[0].Text, c.Chars)
	if why != "" {
		return plain, nil
	}
	d, err := w.sizeDrop(c, &node{in: in, leading: k.text.Leading}, k, marks, all)
	if err != nil || d.width > k.width/2 {
		return plain, err
	}
	s := *plain
	s.drop = d
	return s.seal(w.job), nil
}

// wrap breaks a text at its spaces, line by line.
func (s *slotSetter) wrap(t string, e *settings.Element, limit unit.Sp) (lines []slotLine, err error) {
	words := strings.Fields(t)
	for len(words) > 0 {
		n := 1
		best, err := s.pc.u.j.label(words[0], e.Text)
		if err != nil {
			return nil, err
		}
		for n < len(words) {
			l, err := s.pc.u.j.label(strings.Join(words[:n+1], " "), e.Text)
			if err != nil {
				return nil, err
			}
			if l.Width > limit {
				break
			}
			best = l
			n++
		}
		lines = append(lines, slotLine{best, strings.Join(words[:n], " "), 0})
		words = words[n:]
	}
	return lines, nil
}

// shorten cuts a text to its room with an ellipsis, at a word where at least
// half of the text remains.
func (s *slotSetter) shorten(t string, e *settings.Element, limit unit.Sp) (string, *frame.LineSet, error) {
	j := s.pc.u.j
	var cuts []int // ends of characters
	for i := range t {
		cuts = append(cuts, i)
	}
	form := func(n int) string {
		switch e.Overflow {
		case "ellipsis-start":
			return "…" + strings.TrimLeft(t[cuts[len(cuts)-1-n]:], " ")
		case "ellipsis-middle":
			a := (n + 1) / 2
			tail := ""
			if n-a > 0 {
				tail = t[cuts[len(cuts)-(n-a)]:]
			}
			return strings.TrimRight(t[:cuts[a]], " ") + "…" + strings.TrimLeft(tail, " ")
		}
		return strings.TrimRight(t[:cuts[n]], " ,.;:–—-") + "…"
	}
	lo, hi := 0, len(cuts)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		l, err := j.label(form(mid), e.Text)
		if err != nil {
			return "", nil, err
		}
		if l.Width <= limit {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if e.Overflow != "ellipsis-middle" && e.Overflow != "ellipsis-start" && lo > 0 {
		if k := strings.LastIndexByte(t[:cuts[lo]], ' '); k > 0 && 2*utf8.RuneCountInString(t[:k]) >= lo && t[cuts[lo]] != ' ' {
			for lo > 0 && cuts[lo] > k {
				lo--
			}
		}
	}
	out := form(lo)
	l, err := j.label(out, e.Text)
	return out, l, err
}

// Placeholders lists the names in braces of a design text, in order.
func Placeholders(s string) (names []string) {
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "{{"), strings.HasPrefix(s[i:], "}}"):
			i++
		case s[i] == '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				return names
			}
			names = append(names, s[i+1:i+end])
			i += end
		}
	}
	return names
}

// truncated reports a text that is cut, once however many pages it runs over.
func (s *slotSetter) truncated(t string, e *settings.Element) {
	j := s.pc.u.j
	slot := s.kind
	if slot == "contents" {
		slot = "tocRow"
	}
	n := len(j.problems)
	j.reportOnce("designTextTruncated", slot+" · #"+e.ID+" — "+t, -1, -1, frame.Field{Key: "slot", Value: slot},
		frame.Field{Key: "elementId", Value: e.ID}, frame.Field{Key: "text", Value: t}, frame.Field{Key: "mode", Value: e.Overflow})
	if at := s.pc.page.Number - j.in.Start.Pages - 1; at >= 0 && len(j.problems) > n {
		j.problems[n].Page = at
	}
}
