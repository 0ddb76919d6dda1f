package check

import (
	"reflect"
	"strconv"
	"strings"

	"postext/engine/frame"
	"postext/engine/layout"
	"postext/engine/settings"
)

// The design's slots: what their texts ask for and what their elements hang on
// (warnings.md 4.4, settings.md 7).

// aSlot is a slot and how warnings call it (warnings.md 3).
type aSlot struct {
	*settings.Slot
	where string
	// kind is header, footer, heading, part or tocRow: which placeholders have a
	// meaning there.
	kind   string
	fields []frame.Field
}

// slotsOf lists the slots of a design that print something.
func slotsOf(d *settings.Design) []aSlot {
	var out []aSlot
	add := func(s *settings.Slot, where, kind string, fields ...frame.Field) {
		if len(s.Elements) > 0 {
			out = append(out, aSlot{s, where, kind, append([]frame.Field{{Key: "slot", Value: kind}}, fields...)})
		}
	}
	level := func(n int) frame.Field { return frame.Field{Key: "level", Value: strconv.Itoa(n)} }
	path := func(p string) frame.Field { return frame.Field{Key: "configPath", Value: p} }
	add(&d.Header, "header", "header")
	add(&d.Footer, "footer", "footer")
	for i := range d.Headings.Levels {
		if l := &d.Headings.Levels[i]; l.Designed {
			add(&l.Design, "H"+strconv.Itoa(i+1), "heading", level(i+1))
		}
	}
	for i := range d.Headings.Styles {
		st := &d.Headings.Styles[i]
		where, id := `{style="`+st.ID+`"}`, frame.Field{Key: "styleId", Value: st.ID}
		for k := range st.Levels {
			l, base := &st.Levels[k], &d.Headings.Levels[k]
			if !l.Designed || base.Designed && reflect.DeepEqual(l.Design, base.Design) {
				continue
			}
			// A style draws every level alike: once is enough.
			add(&l.Design, where, "heading", level(k+1), id)
			break
		}
		if st.HeaderSet {
			add(&st.Header, where+" header", "header", id)
		}
		if st.FooterSet {
			add(&st.Footer, where+" footer", "footer", id)
		}
	}
	add(&d.Parts.Design, "part", "part")
	add(&d.Parts.Verso, "parts.versoDesign", "part", path("parts.versoDesign"))
	add(&d.Contents.PartDesign, "toc.parts.design", "tocRow", path("toc.parts.design"))
	return out
}

// slotProblems checks every slot of a design for a book of that metadata.
func slotProblems(d *settings.Design, meta *layout.Meta, wordless bool) []frame.Problem {
	var out []frame.Problem
	for _, s := range slotsOf(d) {
		out = append(out, s.placeholders(meta, wordless)...)
		out = append(out, s.anchors()...)
		out = append(out, s.lowBoxes()...)
	}
	return append(out, headingProblems(d)...)
}

// problem is one of the slot's; about is what of it is at fault.
func (s *aSlot) problem(kind, about, explanation string, fields ...frame.Field) frame.Problem {
	return frame.Problem{Kind: kind, Start: -1, Page: -1, Detail: s.where + " · " + about + explanation,
		Fields: append(s.fields[:len(s.fields):len(s.fields)], fields...)}
}

// names in braces that print something in every slot, and those of some.
var (
	everywhere = words("pageNumber totalPages bookTotalPages title subtitle author publishDate chapterTitle chapterNumber partTitle partNumber")
	runningOf  = words("chapterTitleAtTop chapterNumberAtTop")
	ownOf      = words("titleText number numberDecimal numberRoman numberRomanLower numberAlpha numberAlphaLower")
	spelledOf  = words("numberWords numberWordsLower numberOrdinalWords numberOrdinalWordsLower numberHan")
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// allows reports whether a placeholder means something in the slot (settings.md
// 7.5).
func (s *aSlot) allows(name string) bool {
	if everywhere[name] || strings.HasPrefix(name, "attr.") && len(name) > len("attr.") {
		return true
	}
	switch s.kind {
	case "header", "footer":
		return runningOf[name] || strings.HasPrefix(name, "firstMark.") || strings.HasPrefix(name, "lastMark.")
	case "heading", "part":
		return ownOf[name] || spelledOf[name]
	}
	return ownOf[name]
}

// placeholders finds names in braces that mean nothing, and, unless the book has no
// words yet, those whose field of the book is empty.
func (s *aSlot) placeholders(meta *layout.Meta, wordless bool) (out []frame.Problem) {
	told := map[string]bool{}
	for i := range s.Elements {
		e := &s.Elements[i]
		text := e.Content
		if e.Kind == "image" {
			text = e.ResourceID
		} else if e.Kind != "text" {
			continue
		}
		for _, name := range layout.Placeholders(text) {
			if told[name] {
				continue
			}
			fields := []frame.Field{{Key: "elementIndex", Value: strconv.Itoa(i)}, {Key: "name", Value: name}}
			switch empty, field := emptyField(meta, name); {
			case !s.allows(name):
				told[name] = true
				out = append(out, s.problem("headerFooterUnknownPlaceholder", "{"+name+"}", " — is no placeholder here, so nothing prints", fields...))
			case field && empty && !wordless:
				told[name] = true
				out = append(out, s.problem("headerFooterMetadataMissing", "{"+name+"}", " — its field is empty, so nothing prints", fields...))
			}
		}
	}
	return out
}

// emptyField reports whether a placeholder prints a field of the book, and whether
// the book leaves it empty.
func emptyField(m *layout.Meta, name string) (empty, field bool) {
	switch name {
	case "title":
		return m.Title == "", true
	case "subtitle":
		return m.Subtitle == "", true
	case "author":
		return m.Author == "", true
	case "publishDate":
		return m.PublishDate == "", true
	}
	return false, false
}

// anchors finds elements that hang on one the slot lacks, or on each other in a
// ring.
func (s *aSlot) anchors() (out []frame.Problem) {
	at := map[string]int{}
	for i := range s.Elements {
		if _, taken := at[s.Elements[i].ID]; !taken {
			at[s.Elements[i].ID] = i
		}
	}
	next := make([]int, len(s.Elements))
	for i := range s.Elements {
		e := &s.Elements[i]
		id := frame.Field{Key: "elementId", Value: e.ID}
		next[i] = -1
		to, hangs := strings.CutPrefix(e.AnchorTo, "#")
		if !hangs {
			continue
		}
		k, ok := at[to]
		if !ok {
			out = append(out, s.problem("designDanglingAnchor", "#"+e.ID+" → #"+to, "", id, frame.Field{Key: "referencedId", Value: to}))
			continue
		}
		next[i] = k
	}
	// Each ring is told once, at its first element.
	seen := make([]int, len(next)) // the walk that came by, from 1
	for i := range next {
		k := i
		for ; k >= 0 && seen[k] == 0; k = next[k] {
			seen[k] = i + 1
		}
		if k >= 0 && seen[k] == i+1 {
			first := k
			for m := next[k]; m != k; m = next[m] {
				first = min(first, m)
			}
			out = append(out, s.problem("designCyclicAnchor", "#"+s.Elements[first].ID, "", frame.Field{Key: "elementId", Value: s.Elements[first].ID}))
		}
	}
	return out
}

// lowBoxes finds clipped texts whose box is lower than one line.
func (s *aSlot) lowBoxes() (out []frame.Problem) {
	for i := range s.Elements {
		e := &s.Elements[i]
		if e.Kind == "text" && e.Overflow == "clip" && e.Height.Mode == "length" && e.Height.Length-e.Pad[0]-e.Pad[2] < e.Text.Leading {
			out = append(out, s.problem("designTextClipAlwaysTruncates", "#"+e.ID, "", frame.Field{Key: "elementId", Value: e.ID}))
		}
	}
	return out
}

// headingProblems are those of levels that cannot come out as they are asked.
func headingProblems(d *settings.Design) (out []frame.Problem) {
	for i := range d.Headings.Levels {
		l := &d.Headings.Levels[i]
		name := "H" + strconv.Itoa(i+1)
		p := frame.Problem{Start: -1, Page: -1, Detail: name, Fields: []frame.Field{{Key: "level", Value: strconv.Itoa(i + 1)}}}
		if l.SpanPage && !l.BreakBefore && l.SpanBreak {
			p.Kind, p.Path = "headingSpanWithoutBreak", "headings.levels[level="+strconv.Itoa(i+1)+"].breakBefore.enabled"
			out = append(out, p)
		}
		if l.Designed && !l.Hidden && len(l.Design.Elements) > 0 && !printsTitle(&l.Design) {
			p.Kind, p.Path = "headingAdvancedWithoutTitleText", "headings.levels[level="+strconv.Itoa(i+1)+"].advancedDesign.slot.elements"
			out = append(out, p)
		}
	}
	return out
}

func printsTitle(s *settings.Slot) bool {
	for i := range s.Elements {
		for _, name := range layout.Placeholders(s.Elements[i].Content) {
			if name == "titleText" {
				return true
			}
		}
	}
	return false
}
