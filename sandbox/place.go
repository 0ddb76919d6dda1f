package sandbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/unit"
)

// Between the pages and the text: which place of the source stands where.

// spot is a place on the pages of a chapter.
type spot struct {
	page   int // index in Chapter.Pages
	column int // index in Page.Columns, −1 for a float
	block  *frame.Block
	line   int     // index in Block.Lines, -1 when the block has none
	x      unit.Sp // of a point: how far along the block's lines it lies
}

// locate finds where the source byte off of a chapter is set: the line that
// holds it, else the block, else the last thing set before it.
func locate(c *frame.Chapter, off int) (spot, bool) {
	var best spot
	found := false
	for pi, p := range c.Pages {
		for ci := range p.Columns {
			for _, b := range p.Columns[ci].Blocks {
				if b.Start > off {
					continue
				}
				inside := off < b.End
				if !inside && found && best.block.Start > b.Start {
					continue
				}
				if len(b.Lines) == 0 {
					best, found = spot{page: pi, column: ci, block: b, line: -1}, true
					continue
				}
				from, _ := lineSource(b, 0)
				if from > off && b.Continued {
					continue
				}
				at := 0
				for k := range b.Lines {
					if f, _ := lineSource(b, k); f <= off {
						at = k
					}
				}
				best, found = spot{page: pi, column: ci, block: b, line: at}, true
			}
		}
	}
	return best, found
}

// lineSource is the source span of line k of a block's piece.
func lineSource(b *frame.Block, k int) (from, to int) {
	l := b.Lines[k]
	if l.LineSet == nil || b.Text == nil || len(b.Text.Map) == 0 {
		return b.Start, b.End
	}
	return b.Text.Source(int(l.Start)), b.Text.Source(int(l.End))
}

// pieceSource is the source span of the part of a block that stands here.
func pieceSource(b *frame.Block) (from, to int) {
	from, to = b.Start, b.End
	if len(b.Lines) == 0 {
		return from, to
	}
	if b.Continued {
		from, _ = lineSource(b, 0)
	}
	if b.Continues {
		_, to = lineSource(b, len(b.Lines)-1)
	}
	return from, max(from, to)
}

// object stands in a block's plain text for what is printed in its place.
const object = "\uFFFC"

// pieceText is the text of the part of a block that stands here, as it is printed;
// formulas are given as the chapter's source src writes them.
func pieceText(b *frame.Block, src string) string {
	if b.Text == nil {
		return ""
	}
	from, to := int32(0), int32(len(b.Text.Plain))
	if n := len(b.Lines); n > 0 {
		if first, last := b.Lines[0], b.Lines[n-1]; first.LineSet != nil && last.LineSet != nil {
			from, to = min(max(first.Start, 0), to), min(max(last.End, 0), to)
		}
	}
	return strings.TrimSpace(wordsOf(b, b.Lines, src, from, to))
}

// lineText is the text of line k, as it is printed.
func lineText(b *frame.Block, k int, src string) string {
	l := b.Lines[k]
	if b.Text == nil || l.LineSet == nil {
		return ""
	}
	n := int32(len(b.Text.Plain))
	text := strings.TrimRight(wordsOf(b, b.Lines[k:k+1], src, min(max(l.Start, 0), n), min(max(l.End, 0), n)), " \n")
	if l.Hyphenated {
		text += "-"
	}
	return text
}

// wordsOf is a block's plain text between two offsets with the words that lines
// print in the place of objects: of references, entries of contents, formulas.
func wordsOf(b *frame.Block, lines []frame.Line, src string, from, to int32) string {
	if from >= to {
		return ""
	}
	text := b.Text.Plain[from:to]
	if !strings.Contains(text, object) {
		return text
	}
	words := map[int32]string{} // by the offset of the object
	var end int32 = -1          // of the object before, and where it ends on the line
	var x unit.Sp
	for i := range lines {
		if lines[i].LineSet == nil {
			continue
		}
		for ri := range lines[i].Runs {
			r := &lines[i].Runs[ri]
			for wi := range r.Words {
				w := &r.Words[wi]
				if w.Start < from || w.End > to || w.Start >= w.End || b.Text.Plain[w.Start:w.End] != object || w.Shape == nil {
					continue
				}
				said := w.Shape.Text
				if w.Drawing != nil {
					said = formulaSource(b, w.Start, src)
				} else if said == object {
					said = ""
				}
				width := wordWidth(r, w)
				// A space inside an object, or between two, shows as a gap only.
				if gap := max(w.X-x, x-w.X-width); end >= 0 && (w.Start == end || w.End == end) && (wi+ri == 0 || gap > r.Size/16) {
					said = " " + said
				}
				words[w.Start] += said
				end, x = w.End, w.X+width
			}
		}
	}
	var out strings.Builder
	for {
		k := strings.Index(text, object)
		if k < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:k])
		out.WriteString(words[from+int32(k)])
		text = text[k+len(object):]
		from += int32(k + len(object))
	}
}

// formulaSource is a formula as the text writes it, on one line.
func formulaSource(b *frame.Block, at int32, src string) string {
	for _, m := range b.Text.Map {
		if m.Plain != at || m.SrcLen <= 0 || m.Src < 0 || int(m.Src)+int(m.SrcLen) > len(src) {
			continue
		}
		// A caption lies in the figure: its places are those of the figure's mention.
		if s := strings.Join(strings.Fields(src[m.Src:m.Src+m.SrcLen]), " "); strings.HasPrefix(s, "$") || strings.HasPrefix(s, "`") {
			return s
		}
	}
	return "[formula]"
}

// pageName is how an answer names a page: its number when it is one, else the
// label; nil on an unnumbered page.
func pageName(p *frame.Page) any {
	if p.Label == "" {
		return nil
	}
	if digits(p.Label) && len(p.Label) < 10 {
		n := 0
		for _, c := range p.Label {
			n = n*10 + int(c-'0')
		}
		return n
	}
	return p.Label
}

// hit finds the block at a point of a page.
func hit(p *frame.Page, x, y unit.Sp) (spot, bool) {
	for ci, b := range p.Blocks() {
		bx, by := p.Within(b.Turn, x, y)
		for k := range b.Lines {
			l := &b.Lines[k]
			if l.LineSet == nil || by < l.Top || by >= l.Top+l.Height {
				continue
			}
			if bx >= l.X && bx < l.X+l.Width || b.Box.Contains(x, y) {
				return spot{column: ci, block: b, line: k, x: bx}, true
			}
		}
		if b.Box.Contains(x, y) {
			return spot{column: ci, block: b, line: -1, x: bx}, true
		}
	}
	return spot{}, false
}

// nearestBlock is the block whose box is closest to a point, and how far it is.
func nearestBlock(p *frame.Page, x, y unit.Sp) (*frame.Block, unit.Sp) {
	var best *frame.Block
	var least unit.Sp
	for _, b := range p.Blocks() {
		dx := max(b.Box.X-x, x-b.Box.Right(), 0)
		dy := max(b.Box.Y-y, y-b.Box.Bottom(), 0)
		if d := dx + dy; best == nil || d < least {
			best, least = b, d
		}
	}
	return best, least
}

// plainAt is the plain-text offset at a point of a line, and the run there.
func plainAt(l *frame.Line, x unit.Sp) (int, *frame.Run) {
	if l.LineSet == nil {
		return 0, nil
	}
	at, best, run := int(l.Start), unit.Sp(-1), (*frame.Run)(nil)
	for ri := range l.Runs {
		r := &l.Runs[ri]
		for wi := range r.Words {
			w := &r.Words[wi]
			left := l.X + w.X
			right := left + wordWidth(r, w)
			d := max(left-x, x-right, 0)
			if best >= 0 && d >= best {
				continue
			}
			best, run = d, r
			at = int(w.Start) + clusterAt(r, w, x-left)
		}
	}
	return at, run
}

// glyphs are which glyphs of a word are set.
func glyphs(w *frame.Word) (from, to int) {
	if w.Shape == nil {
		return 0, 0
	}
	n := len(w.Shape.Glyphs)
	if w.To > 0 && int(w.To) <= n && w.From >= 0 && w.From <= w.To {
		return int(w.From), int(w.To)
	}
	return 0, n
}

func wordWidth(r *frame.Run, w *frame.Word) unit.Sp {
	if d := w.Drawing; d != nil {
		return d.Width
	}
	var sum unit.Sp
	from, to := glyphs(w)
	for i := from; i < to; i++ {
		sum += advance(r, w.Shape, i)
	}
	return sum
}

func advance(r *frame.Run, s *font.Shape, i int) unit.Sp {
	if r.Face == nil {
		return 0
	}
	a := unit.Scale(s.Glyphs[i].Advance, r.Size, r.Face.UPem)
	if s.Spaced(i) {
		a += r.Tracking
	}
	return a
}

// firstCluster is the place in a word's shape where its text begins.
func firstCluster(s *font.Shape, from, to int) int32 {
	first := s.Glyphs[from].Cluster
	for _, g := range s.Glyphs[from:to] {
		first = min(first, g.Cluster)
	}
	return first
}

// clusterAt is the text offset within a word at a distance from its left end.
func clusterAt(r *frame.Run, w *frame.Word, x unit.Sp) int {
	from, to := glyphs(w)
	if from == to {
		return 0
	}
	var pen unit.Sp
	at := w.Shape.Glyphs[from].Cluster
	for i := from; i < to; i++ {
		at = w.Shape.Glyphs[i].Cluster
		pen += advance(r, w.Shape, i)
		if x < pen {
			break
		}
	}
	n := int(at - firstCluster(w.Shape, from, to))
	return min(n, max(int(w.End-w.Start)-1, 0))
}

// xAt is the distance of a plain-text offset from the left end of a line: of the
// left edge of its character, of the right one where the text runs from right to
// left.
func xAt(l *frame.Line, plain int) unit.Sp {
	var x unit.Sp
	for ri := range l.Runs {
		r := &l.Runs[ri]
		for wi := range r.Words {
			w := &r.Words[wi]
			if w.Shape == nil {
				continue
			}
			if plain < int(w.Start) {
				return x
			}
			if plain < int(w.End) {
				return w.X + offsetX(r, w, plain-int(w.Start))
			}
			x = w.X
			if !w.Shape.RTL {
				x += wordWidth(r, w)
			}
		}
	}
	return x
}

// offsetX is the distance of a text offset of a word from its left end.
func offsetX(r *frame.Run, w *frame.Word, off int) unit.Sp {
	from, to := glyphs(w)
	if from == to {
		return 0
	}
	first := firstCluster(w.Shape, from, to)
	var pen unit.Sp
	for i := from; i < to; i++ {
		c := int(w.Shape.Glyphs[i].Cluster - first)
		// From right to left the character's glyphs end at its leading edge, and
		// what stands to the left of them comes later in the text.
		if !w.Shape.RTL && c >= off || w.Shape.RTL && c < off {
			return pen
		}
		pen += advance(r, w.Shape, i)
	}
	return pen
}

// wordAround is the word of a text that holds or touches an offset.
func wordAround(text string, off int) (from, to int) {
	word := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '\'' || r == '’' || r == '\u00AD' || r == '\u2060'
	}
	from, to = off, off
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:from])
		if !word(r) {
			break
		}
		from -= n
	}
	for to < len(text) {
		r, n := utf8.DecodeRuneInString(text[to:])
		if !word(r) {
			break
		}
		to += n
	}
	return from, to
}
