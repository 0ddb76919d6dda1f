package markup

import (
	"strconv"
	"strings"
	"unsafe"
)

// maxDepth is the deepest nesting of quotes, lists, notes and containers that
// is read; what is deeper prints as text. Deeper than any book and far below
// what a recursive reader of the tree could not stand.
const maxDepth = 100

// maxProblems bounds the list of problems: a hostile text must not drown it.
const maxProblems = 5000

// parser is the state of one Parse call.
type parser struct {
	src string
	o   Options
	doc *Document

	texts    []pendingText // text blocks whose inlines are still to be read
	notes    map[string]*Note
	links    map[string]linkDef
	longest  int // length of the longest link label
	cited    map[string]bool
	anchors  map[string]bool
	blockMem []Block
	inlMem   []Inline
	in       inliner
	lineMem  []line
	// noDisplay: no $$ that opens before this offset closes in its paragraph.
	noDisplay int
	filled    int // cells added to short table rows
	depthTold bool

	stop    func() bool // asked now and then whether the reading is still wanted
	asked   uint
	stopped bool
}

// pendingText is a text block between the passes.
type pendingText struct {
	block *Block
	lines []line
	flags inlineFlags
	into  *[]Inline
}

// Parse reads one chapter. It never fails; what is wrong is in Problems.
func Parse(source string, o Options) *Document { return ParseUntil(source, o, nil) }

// ParseUntil is Parse for a text that may be long: stop is asked now and then, and
// once it says true the reading is given up and the document is nil.
func ParseUntil(source string, o Options, stop func() bool) *Document {
	p := &parser{src: source, o: o, doc: &Document{Source: source}, stop: stop}
	p.in.p = p
	body := p.frontMatter()
	p.doc.Body = body
	lines := splitLines(source, body)
	p.doc.Blocks = p.blocks(lines, blockContext{top: true}, 0)
	if p.stopped {
		return nil
	}
	// No range: reading a text may not add texts, but order is kept if it did.
	for i := 0; i < len(p.texts); i++ {
		if p.readText(&p.texts[i]); p.unwanted() {
			return nil
		}
	}
	p.doc.Blocks = p.tidy(p.doc.Blocks)
	for _, n := range p.doc.Notes {
		n.Blocks = p.tidy(n.Blocks)
	}
	p.checkNotes()
	p.checkHeadings()
	p.checkFullwidth(lines)
	sortProblems(p.doc.Problems)
	return p.doc
}

// unwanted reports that the reading is given up. It is asked for every block, text
// and mark.
func (p *parser) unwanted() bool {
	if p.asked++; p.stop != nil && !p.stopped && p.asked&63 == 0 {
		p.stopped = p.stop()
	}
	return p.stopped
}

func (p *parser) problem(kind, detail string, start, end int, fields ...Attr) {
	if len(p.doc.Problems) < maxProblems {
		p.doc.Problems = append(p.doc.Problems, Problem{Kind: kind, Detail: detail, Start: start, End: end, Fields: fields})
	}
}

// tooDeep reports, once a chapter, what is nested deeper than is read.
func (p *parser) tooDeep(start, end int) {
	if !p.depthTold {
		p.depthTold = true
		p.problem("notLaidOut", "quotes, lists and fenced groups are nested more than "+strconv.Itoa(maxDepth)+" deep: what is deeper is set in the innermost of them, as its words", start, end)
	}
}

// sortProblems puts the problems in source order; the few there are come almost
// sorted already.
func sortProblems(ps []Problem) {
	for i := 1; i < len(ps); i++ {
		if ps[i].Start < ps[i-1].Start {
			stableByStart(ps)
			return
		}
	}
}

// newBlock gives a block from a slab: most chapters need a few allocations.
func (p *parser) newBlock(kind Kind, start, end int) *Block {
	if len(p.blockMem) == 0 {
		n := len(p.src)/200 + 8
		if limit := 1 << 15 / int(unsafe.Sizeof(Block{})); n > limit {
			n = limit
		}
		p.blockMem = make([]Block, n)
	}
	b := &p.blockMem[0]
	p.blockMem = p.blockMem[1:]
	b.Kind, b.Start, b.End = kind, start, end
	return b
}

// inlines copies a list into the slab; the result has no spare capacity, so an
// append by a reader never touches its neighbour.
func (p *parser) inlines(list []Inline) []Inline {
	n := len(list)
	if n == 0 {
		return nil
	}
	if len(p.inlMem) < n {
		size := len(p.src)/150 + 8
		if limit := 1 << 16 / int(unsafe.Sizeof(Inline{})); size > limit {
			size = limit
		}
		if size < n {
			size = n
		}
		p.inlMem = make([]Inline, size)
	}
	out := p.inlMem[:n:n]
	p.inlMem = p.inlMem[n:]
	copy(out, list)
	return out
}

// tidy takes out of the tree the blocks that turned out to print nothing (a
// paragraph of HTML tags only), and turns a paragraph of images only into Image
// blocks.
func (p *parser) tidy(blocks []*Block) []*Block {
	out := blocks[:0]
	for _, b := range blocks {
		if b.Children != nil {
			b.Children = p.tidy(b.Children)
		}
		if b.Kind == Paragraph {
			if len(b.Inlines) == 0 {
				continue
			}
			if onlyPictures(b.Inlines) {
				list := p.figures(b)
				if len(list) > 1 { // more than fit in the place of b
					out = append([]*Block(nil), out...)
				}
				out = append(out, list...)
				continue
			}
		}
		out = append(out, b)
	}
	return out
}

// onlyPictures reports a paragraph of pictures with nothing but white space
// between them.
func onlyPictures(list []Inline) bool {
	any := false
	for i := range list {
		switch a := &list[i]; {
		case a.Kind == InlineImg:
			any = true
		case a.Kind == Break, a.Kind == Text && strings.TrimSpace(a.Text) == "":
		default:
			return false
		}
	}
	return any
}

// figures turns the paragraph b into a block for each of its pictures.
func (p *parser) figures(b *Block) []*Block {
	var list []*Block
	for i := range b.Inlines {
		img := &b.Inlines[i]
		if img.Kind != InlineImg {
			continue
		}
		f := p.newBlock(Image, img.Start, img.End)
		f.Target, f.Link, f.Attrs, f.ID = img.Target, img.Link, img.Attrs, img.ID
		f.Inlines, f.Title, f.Caption = img.Inner.Words, img.Inner.Title, img.Inner.Caption
		list = append(list, f)
	}
	return list
}

// checkNotes reports markers without a note and notes without a marker.
func (p *parser) checkNotes() {
	for _, n := range p.doc.Notes {
		if !p.cited[n.ID] {
			p.problem("unusedFootnote", "[^"+n.ID+"]: is not set, for no marker cites it", n.Start, n.End, Attr{Key: "id", Value: n.ID})
		}
	}
}

// setAnchor registers an anchor; the first setting of an id wins.
func (p *parser) setAnchor(id string, start, end int) {
	if p.anchors[id] {
		p.problem("duplicateAnchor", "{#"+id+"} is set twice in this chapter; references reach the first", start, end, Attr{Key: "anchorId", Value: id})
		return
	}
	if p.anchors == nil {
		p.anchors = map[string]bool{}
	}
	p.anchors[id] = true
}

// takeID moves the attribute id to the block and registers it.
func (p *parser) takeID(b *Block) {
	if a, ok := b.Attrs.find("id"); ok && validAnchor(a.Value) {
		b.ID = a.Value
		p.setAnchor(a.Value, a.Start, a.End)
	}
}

// marksTypedFullWidth pairs marks an input method types with their ASCII form.
var marksTypedFullWidth = [...][2]string{
	{"：：：", ":::"}, {"＃", "#"}, {"［＾", "[^"}, {"｛", "{"}, {"＊＊", "**"},
}

// checkFullwidth reports lines that hold markup typed in full-width form.
func (p *parser) checkFullwidth(lines []line) {
	if !strings.Contains(p.src, "\xEF\xBC") && !strings.Contains(p.src, "\xEF\xBD") {
		return
	}
	fence := byte(0)
	fenceLen := 0
	for _, l := range lines {
		s := strings.TrimSpace(p.src[l.start:l.end])
		if n := fenceRun(s); n >= 3 && !p.o.NoCodeBlocks {
			if fence == 0 {
				fence, fenceLen = s[0], n
				continue
			}
			if s[0] == fence && n >= fenceLen && n == len(s) {
				fence = 0
				continue
			}
		}
		if fence != 0 {
			continue
		}
		for _, m := range marksTypedFullWidth {
			i := strings.Index(s, m[0])
			if i < 0 || !fullwidthMark(s, i, m[0]) {
				continue
			}
			at := int(l.start) + strings.Index(p.src[l.start:l.end], m[0])
			p.problem("fullwidthMarkup", m[0]+" → "+m[1], at, at+len(m[0]),
				Attr{Key: "typed", Value: m[0]}, Attr{Key: "ascii", Value: m[1]})
			break
		}
	}
}

// fullwidthMark tells markup from prose: the marks of a line's start stand
// there, the paired ones have their partner.
func fullwidthMark(s string, i int, mark string) bool {
	rest := s[i+len(mark):]
	switch mark {
	case "：：：":
		return i == 0
	case "＃":
		rest = strings.TrimLeft(rest, "＃")
		return i == 0 && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\u3000"))
	case "［＾":
		return strings.Contains(rest, "］")
	case "｛":
		n := strings.Index(rest, "｝")
		return n >= 0 && strings.ContainsAny(rest[:n], "=＝#＃|｜")
	}
	return strings.Contains(rest, mark)
}

// checkHeadings reports skipped ranks, and headings that are followed at once by
// another or by a list (warnings.md 4.3). Headings inside boxes and quotes stand
// apart from the chapter's ranks.
func (p *parser) checkHeadings() {
	last := 0
	var before *Block
	for _, b := range p.doc.Blocks {
		over := before
		if before = nil; b.Kind == Heading {
			before = b
		}
		if b.Kind == List && over != nil {
			p.problem("listAfterHeading", "no introduction before the list", b.Start, b.Start+firstLine(p.src[b.Start:b.End]))
		}
		if b.Kind != Heading {
			continue
		}
		if over != nil {
			p.problem("consecutiveHeadings", "no text between the two", b.Start, b.End)
		}
		if last > 0 && b.Level > last+1 {
			from, to := strconv.Itoa(last), strconv.Itoa(b.Level)
			p.problem("headingHierarchy", "H"+from+" → H"+to+" — a level is skipped", b.Start, b.End, Attr{Key: "from", Value: from}, Attr{Key: "to", Value: to})
		}
		last = b.Level
	}
}

// firstLine is the length of the first line of s.
func firstLine(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}
