package markup

import "strings"

// Walk calls visit for each block in source order, parents first; when visit
// returns false the block's children are passed over. The depth of the tree is
// bounded (maxDepth), so recursion is safe.
func Walk(blocks []*Block, visit func(*Block) bool) {
	for _, b := range blocks {
		if visit(b) {
			Walk(b.Children, visit)
		}
	}
}

// EachText calls visit for every list of inlines of a block itself: its words,
// its cells row by row, its caption.
func (b *Block) EachText(visit func([]Inline)) {
	if b.Inlines != nil {
		visit(b.Inlines)
	}
	for _, row := range b.Rows {
		for i := range row {
			if row[i].Inlines != nil {
				visit(row[i].Inlines)
			}
		}
	}
	if b.Caption != nil {
		visit(b.Caption)
	}
}

// Invisible reports a paragraph of index marks and anchors only: it prints
// nothing and takes no room; its marks belong to the text that follows.
func (b *Block) Invisible() bool {
	if b.Kind != Paragraph {
		return false
	}
	for i := range b.Inlines {
		if k := b.Inlines[i].Kind; k != Anchor && k != IndexMark {
			return false
		}
	}
	return true
}

// PlainText is the text of inlines as the page shows it: U+FFFC for each atom
// that stands for something else, a line feed for a forced break, a tab for a
// tab.
func PlainText(list []Inline) string {
	if len(list) == 1 && list[0].Kind == Text {
		return list[0].Text
	}
	var sb strings.Builder
	for i := range list {
		switch a := &list[i]; a.Kind {
		case Text, Citation, Chip, InlineImg:
			sb.WriteString(a.Text)
		case Break:
			sb.WriteByte('\n')
		case Tab:
			sb.WriteByte('\t')
		case Math, Ref, NoteRef, Swatch:
			sb.WriteString("\uFFFC")
		}
	}
	return sb.String()
}

// OneLine is a title's text where it is set on one line (running heads,
// contents, lists of chapters): forced breaks are spaces, atoms that print
// numbers or marks are left out.
func OneLine(list []Inline) string {
	s := strings.NewReplacer("\n", " ", "\t", " ", "\uFFFC", "").Replace(PlainText(list))
	return strings.TrimSpace(s)
}

// Title is the chapter's title: its first level-1 heading's words, else the
// front matter's title, else empty.
func Title(doc *Document) string {
	title := ""
	Walk(doc.Blocks, func(b *Block) bool {
		if title == "" && b.Kind == Heading && b.Level == 1 {
			title = OneLine(b.Inlines)
		}
		return b.Kind == Container && title == ""
	})
	if title == "" && doc.Meta != nil {
		title = strings.TrimSpace(doc.Meta.Title)
	}
	return title
}

// HeadingLine is a heading found by Headings.
type HeadingLine struct {
	Level      int
	Title      string // its words on one line, without marks and attributes
	Attrs      Attrs
	Start, End int // byte span of its line or lines
}

// Headings lists a chapter's headings in source order without reading the rest
// of its text: those of the flow and of containers, not those in quotes, lists
// and notes. Lines in code, raw blocks and front matter are none.
func Headings(source string) []HeadingLine {
	p := &parser{src: source, doc: &Document{Source: source}}
	p.in.p = p
	_, _, body, _ := frontMatterSpan(source)
	blocks := p.blocks(splitLines(source, body), blockContext{top: true}, 0)
	var list []HeadingLine
	for i := range p.texts {
		if p.texts[i].flags&flagHeading != 0 {
			p.readText(&p.texts[i])
		}
	}
	Walk(blocks, func(b *Block) bool {
		if b.Kind == Heading {
			list = append(list, HeadingLine{Level: b.Level, Title: OneLine(b.Inlines), Attrs: b.Attrs, Start: b.Start, End: b.End})
		}
		return b.Kind == Container
	})
	return list
}

// Words lists, in reading order, the words of a chapter that must stand on its
// pages: text, listings, cells, captions, then the notes somebody cites. Left
// out is what does not print as written: formulas, references, picture's
// alternative texts, hidden headings, raw blocks other than verse, and what
// designs print from attributes.
func Words(doc *Document) []string {
	var words []string
	add := func(blocks []*Block) {
		Walk(blocks, func(b *Block) bool {
			switch {
			case b.Kind == Heading && b.Attrs.On("hidden"):
				return false
			case b.Kind == Code:
				words = append(words, strings.Fields(b.Literal)...)
			case b.Kind == Image:
				words = append(words, wordsOf(b.Caption)...)
			case b.Kind != Raw:
				b.EachText(func(list []Inline) { words = append(words, wordsOf(list)...) })
			}
			return true
		})
	}
	add(doc.Blocks)
	cited := map[string]bool{}
	mark := func(list []Inline) {
		for i := range list {
			if list[i].Kind == NoteRef {
				cited[list[i].ID] = true
			}
		}
	}
	Walk(doc.Blocks, func(b *Block) bool { b.EachText(mark); return true })
	for _, n := range doc.Notes {
		if cited[n.ID] {
			add(n.Blocks)
		}
	}
	return words
}

// wordsOf splits the text of inlines at white space and at atoms.
func wordsOf(list []Inline) []string {
	var sb strings.Builder
	for i := range list {
		switch a := &list[i]; a.Kind {
		case Text, Citation, Chip:
			sb.WriteString(a.Text)
		case Anchor, IndexMark, NoteRef:
		default:
			sb.WriteByte(' ')
		}
	}
	return strings.Fields(sb.String())
}
