package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"postext/book"
)

// Older configurations were written for other layout rules. When one is read,
// the settings that keep its pages as they were are written into it once, each
// only where the key is not set already and where the text has the construct in
// question (settings.md 2.1, bundle.md 6); after that it counts as current. The
// numbers name the rules: a pin belongs to configurations older than its number.

// construct is something in a text that some pin asks for.
type construct uint32

const (
	hasMaths construct = 1 << iota
	hasEmbed           // a resource on its own line
	hasBoxEmbed
	hasBox
	hasHeading
	hasMarkedHeading
	hasColonList
	hasClosedDash
	hasCompound
	hasParagraphGroup
	hasBaytless // a poem without || and without a layout of its own
	hasHardBreak
	hasFence
	hasColumns
	hasEastAsian
	hasCircled
	everything construct = math.MaxUint32
)

// Modernise pins the settings of a book read from files of older rules. A book
// of current rules, or without a configuration, is returned as it is.
func Modernise(b *book.Book) (*book.Book, error) {
	if b.ConfigVersion >= book.ConfigVersion || len(b.Config) == 0 {
		return b, nil
	}
	root, err := parseNode(b.Config)
	if err != nil {
		return nil, fmt.Errorf("the book's configuration: %w", err)
	}
	if root.kind != object {
		return b, nil
	}
	var has construct
	for _, c := range b.Chapters {
		has |= constructsOf(c.Markdown)
	}
	// What is written out counts even where it equals its default: the pins come
	// before the canonical form.
	root = pinned(modern(root), Env{Language: b.Language}, b.ConfigVersion, has)
	return b.WithConfig(newTree(canonical(root)).Marshal())
}

// pin is one pin: the setting, the value, what the text must have, and what else
// must hold.
type pin struct {
	older int
	path  string
	value string
	needs construct
	when  func(v *view) bool
}

var pins = []pin{
	{5, "layout.inlineResourceGap", `"above"`, hasEmbed, nil},
	{6, "layout.inlineResourceGapInBoxes", "false", hasBoxEmbed, nil},
	{6, "headings.inlineMarks", "false", hasMarkedHeading, nil},
	{6, "bodyText.colonListRoom", `"line"`, hasColonList, nil},
	{6, "layout.boxChildSplitMinLines", "1", hasBox, nil},
	{7, "bodyText.breakAfterDashes", "false", hasClosedDash, nil},
	{7, "bodyText.optimalRagged", "false", 0, (*view).someRagged},
	{8, "headings.keepWithNextSplit", `"fill"`, hasHeading, func(v *view) bool {
		return v.at("headings.keepWithNext").on && v.at("bodyText.avoidOrphans").on
	}},
	{8, "bodyText.paragraphContainerSpacing", `"add"`, hasParagraphGroup, func(v *view) bool {
		l := v.root.get("paragraphStyles")
		return l != nil && len(l.kids) > 0
	}},
	{8, "bodyText.breakAfterHyphens", "false", hasCompound, nil},
	{9, "bodyText.verse.layout", `"bayt"`, hasBaytless, nil},
	{9, "bodyText.hardLineBreaks", "false", hasHardBreak, nil},
	{9, "codeStyle.blocks", "false", hasFence, nil},
	{10, "bodyText.verse.tighten", "false", hasBaytless, nil},
	{11, "headings.balancing.enabled", "true", 0, func(v *view) bool {
		return v.at("cjk.grid.enabled").on && v.at("layout.writingMode").str != "vertical-rl"
	}},
	{11, "cjk.titleMinChars", "1", hasEastAsian, nil},
	{11, "cjk.circledNumbers", `"western"`, hasCircled, nil},
	{11, "cjk.composeDesignText", "false", hasEastAsian, nil},
	{11, "tableStyle.splitInline", "false", hasEmbed, nil},
	{11, "layout.flowColumns", "false", hasColumns, nil},
	{11, "layout.floatsUnderOpener", "false", hasHeading, func(v *view) bool {
		for _, l := range itemKeys(levelList, "level") {
			if v.at("headings.levels[].span", l).str == "page" {
				return true
			}
		}
		return false
	}},
}

var levelList = func() *node {
	l := &node{kind: list}
	for i := 1; i <= 6; i++ {
		l.kids = append(l.kids, objNode("level", numNode(float64(i))))
	}
	return l
}()

// someRagged reports whether running text is set ragged somewhere.
func (v *view) someRagged() bool {
	ragged := func(n *node) bool { return n != nil && n.kind == text && n.str != "justify" }
	if ragged(v.root.get("bodyText").get("textAlign")) || ragged(v.root.get("parts").get("bodyStyle").get("textAlign")) {
		return true
	}
	for _, l := range [...]struct{ list, field string }{{"paragraphStyles", ""}, {"calloutStyles", "body"}, {"headingStyles", "bodyStyle"}} {
		items := v.root.get(l.list)
		if items == nil {
			continue
		}
		for _, it := range items.kids {
			if l.field != "" {
				it = it.get(l.field)
			}
			if ragged(it.get("textAlign")) {
				return true
			}
		}
	}
	return false
}

// pinned returns a configuration with the pins of all rules after version.
func pinned(root *node, env Env, version int, has construct) *node {
	v := newView(root, env)
	if version < 3 {
		root = pinBreaks(root)
	}
	if version < 4 && has&hasMaths != 0 {
		root = pinMaths(root)
	}
	for _, p := range pins {
		if version >= p.older || p.needs&^has != 0 || p.when != nil && !p.when(v) {
			continue
		}
		root = setMissing(root, strings.Split(p.path, "."), mustNode(p.value))
	}
	if version < 9 {
		root = unindented(root)
	}
	return onDesigns(root, func(v *view, design bool, it *node) *node {
		if version < 6 {
			it = pinDropCap(v, it)
		}
		if version < 10 && design && it.get("kind") != nil && it.get("kind").str == "text" && it.get("overflow") == nil {
			it = it.with("overflow", strNode("ellipsis-end"))
		}
		return it
	}, v)
}

func mustNode(s string) *node {
	n, err := parseNode([]byte(s))
	if err != nil {
		panic("settings: " + s)
	}
	return n
}

// setMissing writes a value where none is, making the objects on the way.
func setMissing(n *node, path []string, v *node) *node {
	if n != nil && n.kind != object {
		return n
	}
	kid := n.get(path[0])
	if len(path) > 1 {
		return n.with(path[0], setMissing(kid, path[1:], v))
	}
	if kid != nil {
		return n
	}
	return n.with(path[0], v)
}

// pinBreaks: before rules 3 a chapter heading broke the page only where it said
// so, and then on any side.
func pinBreaks(root *node) *node {
	h := root.get("headings")
	if h == nil || h.kind != object {
		return root
	}
	sided := func(it *node) *node {
		b := it.get("breakBefore")
		if on := b.get("enabled"); on != nil && on.on && b.get("parity") == nil {
			return it.with("breakBefore", b.with("parity", strNode("any")))
		}
		return it
	}
	levels := h.get("levels")
	if levels == nil || levels.kind != list {
		levels = &node{kind: list}
	}
	s := schema().byPath["headings.levels"]
	i := itemAt(levels, "level", "1")
	item := objNode("level", numNode(1))
	if i >= 0 {
		item = levels.kids[i]
	}
	if b := item.get("breakBefore"); b.get("enabled") == nil && (b == nil || b.kind == object) {
		item = item.with("breakBefore", b.with("enabled", boolNode(false)))
	}
	if l := s.withItem(levels, i, sided(item)); l != nil {
		h = h.with("levels", l)
	}
	root = root.with("headings", h)
	if styles := root.get("headingStyles"); styles != nil && styles.kind == list {
		out := &node{kind: list}
		for _, it := range styles.kids {
			out.kids = append(out.kids, sided(it))
		}
		root = root.with("headingStyles", out)
	}
	return root
}

// mathsGrowth is by how much formulas came out larger before rules 4.
const mathsGrowth = 1.1312

func pinMaths(root *node) *node {
	m := root.get("math")
	if m != nil && m.kind != object || m.get("enabled") != nil && !m.get("enabled").on {
		return root
	}
	round := func(x float64) float64 { return math.Round(float64(x*1e4)) / 1e4 }
	scale := 1.0
	if n := m.get("fontSizeScale"); n != nil && n.kind == number {
		scale = n.num
	}
	m = m.with("fontSizeScale", numNode(round(float64(scale*mathsGrowth))))
	for _, side := range [...]string{"marginTop", "marginBottom"} {
		n := m.get(side)
		if n == nil {
			n = schema().byPath["math."+side].def
		}
		if l, ok := toLength(n, "em"); ok {
			if x, u, _ := readLength(l); u == "em" {
				m = m.with(side, lengthNode(round(x/mathsGrowth), u))
			}
		}
	}
	return root.with("math", m)
}

// unindented: since rules 9 an indent of the first line beside a hanging one
// counts from it; before, it did nothing.
func unindented(root *node) *node {
	styles := root.get("paragraphStyles")
	if styles == nil || styles.kind != list {
		return root
	}
	out := &node{kind: list}
	for _, it := range styles.kids {
		if l, ok := toLengthOf(it.get("hangingIndent")); ok && l != 0 {
			it = it.without("firstLineIndent")
		}
		out.kids = append(out.kids, it)
	}
	return root.with("paragraphStyles", out)
}

func toLengthOf(n *node) (float64, bool) {
	if n == nil {
		return 0, false
	}
	l, ok := toLength(n, "em")
	x, _, _ := readLength(l)
	return x, ok
}

// onDesigns applies f to the elements of every design slot; design is false for
// running heads.
func onDesigns(root *node, f func(v *view, design bool, it *node) *node, v *view) *node {
	slot := func(n *node, design bool) *node {
		l := n.get("elements")
		if l == nil || l.kind != list {
			return n
		}
		out := &node{kind: list}
		for _, it := range l.kids {
			if it.kind == object {
				it = f(v, design, it)
			}
			out.kids = append(out.kids, it)
		}
		return n.with("elements", out)
	}
	at := func(n *node, path string, design bool) *node {
		names := strings.Split(path, ".")
		var walk func(n *node, names []string) *node
		walk = func(n *node, names []string) *node {
			if len(names) == 0 {
				return slot(n, design)
			}
			if kid := n.get(names[0]); kid != nil {
				return n.with(names[0], walk(kid, names[1:]))
			}
			return n
		}
		return walk(n, names)
	}
	for _, p := range [...]string{"header", "footer"} {
		root = at(root, p, false)
	}
	for _, p := range [...]string{"parts.design", "parts.versoDesign", "toc.parts.design"} {
		root = at(root, p, !strings.HasPrefix(p, "toc"))
	}
	for _, up := range [...][]string{{"headings", "levels"}, {"headingStyles"}} {
		holder := root
		if len(up) == 2 {
			holder = root.get(up[0])
		}
		name := up[len(up)-1]
		l := holder.get(name)
		if l == nil || l.kind != list {
			continue
		}
		out := &node{kind: list}
		for _, it := range l.kids {
			it = at(it, "advancedDesign.slot", true)
			if len(up) == 1 {
				it = at(at(it, "header", false), "footer", false)
			}
			out.kids = append(out.kids, it)
		}
		if len(up) == 2 {
			root = root.with(up[0], holder.with(name, out))
		} else {
			root = root.with(name, out)
		}
	}
	return root
}

// pinDropCap writes out the size of a design's drop cap: capitals as high as its
// lines, 0.72 em the height of a capital (settings.md 7.2).
func pinDropCap(v *view, it *node) *node {
	cap := it.get("dropCap")
	if cap == nil || cap.kind != object || cap.get("fontSize") != nil {
		return it
	}
	size, leading, lines := 8.0, 1.2, 2.0
	unit := "pt"
	if n := it.get("fontSize"); n != nil {
		if l, ok := toLength(n, "pt"); ok {
			size, unit, _ = readLength(l)
		}
	}
	if n := it.get("lineHeight"); n != nil {
		if n.kind == number && n.num > 0 {
			leading = n.num
		} else if l, ok := toLength(n, "em"); ok {
			switch x, u, _ := readLength(l); {
			case u == "em" || u == "rem":
				leading = x
			case u == unit && size > 0:
				leading = x / size
			}
		}
	}
	if n := cap.get("lines"); n != nil && n.kind == number && n.num >= 1 {
		lines = n.num
	}
	x := float64(size * (1 + float64((lines-1)*leading)/0.72))
	return it.with("dropCap", cap.with("fontSize", lengthNode(math.Round(float64(x*1e4))/1e4, unit)))
}

// constructsOf looks a text over, line by line. It may take a code listing's
// words for text: a pin too many changes nothing that is not in the text.
func constructsOf(markdown string) (has construct) {
	boxes, colon := 0, false
	poem, plain := false, false // in a poem; one without || and layout so far
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, ":::"):
			name, attrs, _ := strings.Cut(strings.TrimLeft(trimmed, ":"), "{")
			switch name = strings.TrimSpace(name); {
			case name == "":
				boxes = max(boxes-1, 0)
				if poem && plain {
					has |= hasBaytless
				}
				poem = false
			case strings.HasPrefix(name, "callout"):
				boxes++
				has |= hasBox
			case strings.HasPrefix(name, "paragraphs"):
				has |= hasParagraphGroup
			case strings.HasPrefix(name, "columns"):
				has |= hasColumns
			case name == "verse":
				poem, plain = true, !strings.Contains(attrs, "layout")
			}
		case strings.HasPrefix(trimmed, "::resource"):
			has |= hasEmbed
			if boxes > 0 {
				has |= hasBoxEmbed
			}
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			has |= hasFence
		case strings.HasPrefix(trimmed, "#"):
			if t := strings.TrimLeft(trimmed, "#"); strings.HasPrefix(t, " ") && len(trimmed)-len(t) <= 6 {
				has |= hasHeading
				if strings.ContainsAny(t, "*_^~`[$") {
					has |= hasMarkedHeading
				}
			}
		case poem && strings.Contains(line, "||"):
			plain = false
		}
		if colon && isListLine(trimmed) {
			has |= hasColonList
		}
		if trimmed != "" {
			colon = strings.HasSuffix(trimmed, ":")
		}
		if strings.HasSuffix(line, `\`) || strings.Contains(line, `\\ `) {
			has |= hasHardBreak
		}
		if strings.Contains(line, "$") {
			has |= hasMaths
		}
		has |= joints(line)
	}
	return has
}

func isListLine(s string) bool {
	if len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && s[1] == ' ' {
		return true
	}
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	return digits > 0 && len(s) > digits+1 && (s[digits] == '.' || s[digits] == ')') && s[digits+1] == ' '
}

// joints finds dashes and hyphens between letters, and East Asian signs.
func joints(line string) (has construct) {
	before, joint := rune(0), rune(0)
	for _, r := range line {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xC0 && r < 0x2000
		if joint != 0 && letter {
			if joint == '-' {
				has |= hasCompound
			} else {
				has |= hasClosedDash
			}
		}
		joint = 0
		if (r == '-' || r == '–' || r == '—') && before != 0 {
			joint = r
		}
		before = 0
		if letter {
			before = r
		}
		switch {
		case r >= 0x2460 && r <= 0x24FF:
			has |= hasCircled
		case r >= 0x3040 && r <= 0x30FF, r >= 0x3400 && r <= 0x9FFF, r >= 0x20000 && r <= 0x3FFFF:
			has |= hasEastAsian
		}
	}
	return has
}

// rulesNumber reads the configVersion of a file: 1 where there is none, which
// means the oldest rules.
func rulesNumber(n *node) int {
	if n == nil {
		return 1
	}
	if n.kind == text {
		if v, err := strconv.Atoi(strings.TrimSpace(n.str)); err == nil {
			return v
		}
	}
	if n.kind == number && n.num >= 1 && n.num <= 1e6 {
		return int(n.num)
	}
	return 1
}
