package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/linebreak"
	"postext/engine/markup"
	"postext/engine/unit"
)

// ref ties an item to the piece it belongs to: for a box the stretch of the
// word that begins at cut seg (0: its start), for a penalty the cut it stands at.
// Glue has no piece; its seg is the width its stretch is reckoned from.
type ref struct{ piece, seg int32 }

// builder turns the inlines of one block into lines. Its slices are scratch
// memory, reused from block to block.
type builder struct {
	j  *job
	s  *setting
	b  linebreak.Breaker
	in []markup.Inline

	plain  string
	levels []uint8 // of the bytes of plain that text runs both ways in; nil: it runs from left to right
	rtl    bool    // the paragraph runs from right to left
	buf    []byte
	bounds []int32 // end of each inline in plain

	items  []linebreak.Item
	refs   []ref
	pieces []piece
	widths []unit.Sp
	plates []plate
	// platedWords are those of the line being set.
	platedWords []plated
	gap         unit.Sp // room a chip keeps to what follows it
	gapAt       int     // where that chip ends
	afterTab    bool
	rules       []frame.Plate // leaders of the line being set

	words []frame.Word
	gaps  []unit.Sp // natural space before each word, summed over its line
	runs  []frame.Run
	ends  []int32 // end of each run's words

	styles []int32 // of each run: where its colour comes from, see inkKey
	lines  []frame.LineSet
	tails  []int32   // end of each line's runs
	offs   []unit.Sp // indent of each line

	at          int32 // where the stretch being broken ends
	forceCut    bool  // divide words wider than the line at any character
	overfull    bool
	trackBy     int32   // letter spacing the breaker may use, thousandths of an em
	trackSpaces bool    // word spaces are letterspaced too
	space       unit.Sp // word space of the block's first type
	leadGap     unit.Sp // fixed spaces that open a verse line
	glued       bool    // nothing but pieces since the last glue
	breaks      []linebreak.Break
	stopped     error // the work is not wanted any more
}

// Costs of ends of lines. The numbers of layout.md 5.1 (50 for a hyphen, 3000
// for two in a row, 1000 for a short last line) leave one line in seven of
// bench 2 over one and a half times its natural space. To come under three in a
// hundred with less than one hyphen in ten, a line past the middle between
// natural and widest space must cost what one past the widest costs there
// (looseShare), and the other defects must keep their rank below it; the values
// were found on the bench books.
const (
	looseShare    = 2 // the breaker's stretch is this part of what is allowed
	hyphenPenalty = 1700
	runtScale     = 2    // times the setting's penalty
	trackedRunt   = 4    // the same where letter spacing can bring lines back
	cutPenalty    = 3000 // a word cut at any character
	// A hyphen in the last word of a paragraph: below linebreak.Never, its square
	// above that of a short last line and five lines at their widest.
	lastWordPenalty = 9900
	maxPiece        = 480 // bytes shaped in one cut; longer text is shaped in steps
	maxChunk        = 1 << 16
)

// object stands in the plain text for what is no text.
const object = "\uFFFC"

// join makes the plain text of the inlines.
func (b *builder) join() {
	b.bounds = b.bounds[:0]
	if len(b.in) == 1 && b.in[0].Kind == markup.Text {
		b.plain = b.in[0].Text
		b.bounds = append(b.bounds, int32(len(b.plain)))
		return
	}
	b.buf = b.buf[:0]
	for i := range b.in {
		b.buf = append(b.buf, plainOf(&b.in[i])...)
		b.bounds = append(b.bounds, int32(len(b.buf)))
	}
	b.plain = string(b.buf)
	for i := 1; i < len(b.in); i++ {
		// A mark at the head of an inline belongs to the letter before it.
		at, end := int(b.bounds[i-1]), int(b.bounds[i])
		if at == 0 || at == end || b.plain[at] < 0xCC || b.in[i].Kind != markup.Text || b.in[i-1].Kind != markup.Text {
			continue
		}
		for at < end {
			r, n := utf8.DecodeRuneInString(b.plain[at:end])
			if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc) {
				break
			}
			at += n
		}
		b.bounds[i-1] = int32(at)
	}
}

// plainOf is an inline's part of the plain text.
func plainOf(in *markup.Inline) string {
	switch in.Kind {
	case markup.Text:
		return in.Text
	case markup.Break:
		return "\n"
	case markup.Anchor, markup.IndexMark:
		return ""
	case markup.Tab:
		return "\t"
	}
	return object
}

// build breaks the block into lines, from b.in and b.s; the result is in
// b.lines and its companions.
func (b *builder) build() error {
	if err := b.gather(); err != nil {
		return err
	}
	return b.flush(true)
}

// gather makes the items of the block and sets what stands before its last
// forced break.
func (b *builder) gather() error {
	b.words, b.gaps, b.runs, b.ends = b.words[:0], b.gaps[:0], b.runs[:0], b.ends[:0]
	b.styles = b.styles[:0]
	b.lines, b.tails, b.offs = b.lines[:0], b.tails[:0], b.offs[:0]
	b.forceCut, b.space, b.widths = false, 0, b.widths[:0]
	b.plates, b.gap = b.plates[:0], 0
	b.restart()
	at := 0
	begin := b.s.from
	if d := b.dropped(); d != nil {
		b.dropCap(d)
		begin = d.text
	}
	column := 0 // of a listing
	for i := range b.in {
		if i&31 == 31 {
			if err := b.j.wanted(); err != nil {
				return err
			}
		}
		in := &b.in[i]
		end := int(b.bounds[i])
		if end <= begin {
			at = end
			continue
		}
		if at < begin {
			at = begin
		}
		switch in.Kind {
		case markup.Text:
			rs, err := b.j.l.style(b.j.ctx, b.typeOf(in), b.styleOf(in), false)
			if err != nil {
				return err
			}
			first := len(b.pieces)
			for at < end {
				// A text without end is set in stretches, so that memory holds.
				stop := min(end, at+maxChunk)
				for stop < end && b.plain[stop] != ' ' && stop-at < 2*maxChunk {
					stop++
				}
				for stop < end && !utf8.RuneStart(b.plain[stop]) {
					stop++
				}
				if b.levels == nil {
					b.text(rs, in.Link, at, stop)
				} else if err := b.stretches(rs, at, stop, func(rs *runStyle, from, to int) { b.text(rs, in.Link, from, to) }); err != nil {
					return err
				}
				if at = stop; at < end {
					if err := b.j.wanted(); err != nil {
						return err
					}
				}
				if len(b.items) > 4*maxChunk {
					if err := b.flush(false); err != nil {
						return err
					}
				}
			}
			if in.Style&markup.CodeSpan != 0 && !b.s.raw && (b.j.d.Code.Span.Fill.A > 0 || b.j.d.Code.Span.Border.A > 0) && first <= len(b.pieces) {
				code := func(k int) bool {
					return k >= 0 && k < len(b.in) && b.in[k].Kind == markup.Text && b.in[k].Style&markup.CodeSpan != 0
				}
				b.codeGround(rs, first, !code(i-1), !code(i+1))
			}
		case markup.Break:
			column = 0
			b.at = int32(at)
			if err := b.flush(true); err != nil {
				return err
			}
		case markup.Anchor, markup.IndexMark:
		case markup.Math:
			if err := b.math(in, at, end); err != nil {
				return err
			}
		case markup.Citation:
			if err := b.cite(in, at, end); err != nil {
				return err
			}
		case markup.Swatch:
			if err := b.swatch(in, at, end); err != nil {
				return err
			}
		case markup.Tab:
			rs, err := b.j.l.style(b.j.ctx, b.s.ts, b.styleOf(in), false)
			if err != nil {
				return err
			}
			if b.s.raw {
				size := max(b.s.ts.code.TabSize, 1)
				n := size - column%size
				b.tab(rs, n, at)
				column += n
			} else if b.s.tabs != nil && in.End-in.Start >= len(":tab") {
				b.tabStop(rs, b.ownStop(in.Attrs), at)
			} else {
				b.glue(rs)
			}
		case markup.Chip:
			set := b.atom
			if in.Inner != nil {
				set = b.chip
			}
			if err := set(in, at, end); err != nil {
				return err
			}
		default:
			if in.Kind == markup.NoteRef && i > 0 && b.in[i-1].Kind == markup.NoteRef && !b.j.d.Notes.Inline {
				if err := b.parted(in, at); err != nil {
					return err
				}
			}
			if err := b.atom(in, at, end); err != nil {
				return err
			}
		}
		if b.s.raw && in.Kind == markup.Text {
			column += utf8.RuneCountInString(in.Text)
		}
		at = end
	}
	b.at = int32(at)
	return nil
}

// dropped is the drop cap of the lines to be set, nil where the paragraph goes on
// or has none.
func (b *builder) dropped() *drop {
	if b.s.from > 0 {
		return nil
	}
	return b.s.drop
}

// dropCap begins the first line with its enlarged letter.
func (b *builder) dropCap(d *drop) {
	left := d.width
	x := -d.shift
	set := func(rs *runStyle, from, to int) {
		if from == to {
			return
		}
		w := *rs.f.part(b.plain[from:to])
		w.cuts = nil
		next := x + w.width
		w.width = 0
		if to == d.text {
			w.width = left
		}
		b.pieces = append(b.pieces, piece{w: &w, st: rs, start: int32(from), end: int32(to), dx: x})
		b.items = append(b.items, linebreak.Item{Kind: linebreak.Box, Width: w.width, NoTrack: true})
		b.refs = append(b.refs, ref{int32(len(b.pieces) - 1), 0})
		x = next
	}
	mark := d.mark
	if mark == nil {
		mark = d.cap
	}
	set(mark, 0, d.marks)
	set(d.cap, d.marks, d.text)
	b.glued = true
}

// typeOf is the type of an inline: the block's, in the language of the words.
func (b *builder) typeOf(in *markup.Inline) *typeStyle {
	if in.Lang == "" || in.Lang == b.s.ts.text.HyphenLang {
		return b.s.ts
	}
	t := b.s.ts.text
	t.HyphenLang = in.Lang
	return b.j.l.typeOf(t, b.s.ts.code, b.s.ts.plainInk)
}

func (b *builder) styleOf(in *markup.Inline) markup.Style {
	st := in.Style
	if b.s.strike {
		st |= markup.Strike
	}
	if b.s.raw {
		st |= codeBlock
	}
	return st
}

func (b *builder) restart() {
	b.items, b.refs, b.pieces = b.items[:0], b.refs[:0], b.pieces[:0]
	b.leadGap, b.glued, b.afterTab = 0, false, false
}

// glue adds a word space, unless the line has not begun or has one already.
func (b *builder) glue(rs *runStyle) {
	n := len(b.items)
	if n > 0 && b.s.spaces && b.items[n-1].Kind == linebreak.Glue {
		b.items[n-1].Width += rs.f.space
	}
	if n == 0 || b.items[n-1].Kind == linebreak.Glue || b.afterTab {
		return
	}
	s := rs.f.space
	if b.space == 0 {
		b.space = s
	}
	it := linebreak.Item{Kind: linebreak.Glue, Width: s}
	room := b.gap
	b.gap = 0
	if rs.elastic > 0 {
		s = rs.elastic
	}
	if b.s.align == justify || b.s.verse {
		t := &b.s.ts.text
		it.Stretch = s * unit.Sp(t.MaxSpace-1000) / (1000 * looseShare)
		it.Shrink = s * unit.Sp(1000-t.MinSpace) / 1000
	}
	if room > 0 {
		it.Width = max(it.Width, room)
		it.Shrink = min(it.Shrink, it.Width-room)
	}
	b.items = append(b.items, it)
	b.refs = append(b.refs, ref{-1, int32(min(s, 1<<30))})
	b.glued = false
}

// tab fills a line of code up to the next tab stop.
func (b *builder) tab(rs *runStyle, cells, at int) {
	b.put(rs.f.part(strings.Repeat(" ", cells)), rs, "", at, at+1)
	if at+1 < len(b.plain) {
		b.stop(0, false, 0, -1, 0)
	}
}

// text cuts plain[from:to] into pieces, spaces and places to break.
func (b *builder) text(rs *runStyle, link string, from, to int) {
	p := b.plain
	t := &b.s.ts.text
	start := from
	for i := from; i < to; {
		c := p[i]
		cl := plain
		n := 1
		if c < utf8.RuneSelf {
			if cl = asciiClass[c]; cl == plain {
				i++
				continue
			}
		} else {
			var r rune
			if r, n = utf8.DecodeRuneInString(p[i:]); r >= 0x80 {
				cl = classify(r)
			}
			if cl == plain {
				i += n
				continue
			}
		}
		end := i + n
		switch cl {
		case blank:
			b.piece(rs, link, start, i)
			if b.s.raw {
				// Blanks in a row are one piece: a line is not broken among them,
				// and they take no more than half of it.
				for end < to && p[end] == ' ' {
					end++
				}
				if most := int(b.s.width / 2 / max(rs.f.space, 1)); end-i > most {
					b.put(rs.f.part(strings.Repeat(" ", max(most, 1))), rs, link, i, end)
				} else {
					b.piece(rs, link, i, end)
				}
				if b.glued && end < len(p) && p[end] != ' ' {
					b.stop(0, false, 0, -1, 0)
				}
			} else if c == '\t' && b.s.tabs != nil && b.s.tabs.Any() {
				b.tabStop(rs, nil, i)
			} else if d := b.s.drop; d != nil && d.ends == i {
				b.stop(linebreak.Forced, false, 0, -1, 0)
			} else {
				b.glue(rs)
			}
			start = end
		case hyphen:
			if t.AfterHyphens && breakAfterHyphen(p, i, end) && !b.inAddress(i) {
				b.piece(rs, link, start, end)
				b.stop(hyphenPenalty, true, 0, -1, 0)
				if t.RepeatHyphen {
					b.items[len(b.items)-1].After = rs.f.hyphen.width
				}
				start = end
			}
		case dash:
			if t.AfterDashes && breakAfterDash(p, i, end) {
				b.piece(rs, link, start, end)
				b.stop(0, false, 0, -1, 0)
				start = end
			}
		case joiner:
			b.piece(rs, link, start, i)
			start = end
		case zeroBreak:
			b.piece(rs, link, start, i)
			if b.glued {
				b.stop(0, false, 0, -1, 0)
			}
			start = end
		case softHyph:
			b.piece(rs, link, start, i)
			if b.glued && end < len(p) {
				b.stop(hyphenPenalty, true, rs.f.hyphen.width, int32(len(b.pieces)-1), -1)
			}
			start = end
		case fixedGap:
			b.piece(rs, link, start, i)
			open := len(b.items) == 0 || b.leadGap > 0 && !b.glued
			b.piece(rs, link, i, end)
			if open && len(b.pieces) > 0 {
				b.leadGap += b.pieces[len(b.pieces)-1].w.width
				b.glued = false
			} else if r, _ := utf8.DecodeRuneInString(p[end:]); classify(r) != fixedGap {
				b.stop(0, false, 0, -1, 0)
			}
			start = end
		case ideograph:
			if i > start {
				b.piece(rs, link, start, i)
				if r, _ := utf8.DecodeRuneInString(p[i:]); b.glued && !noStart(r) && !noEnd(before(p, i)) {
					b.stop(0, false, 0, -1, 0)
				}
			}
			b.piece(rs, link, i, end)
			r, _ := utf8.DecodeRuneInString(p[i:])
			if nx := after(p, end); end < len(p) && p[end] != ' ' && !noStart(nx) && !noEnd(r) {
				b.stop(0, false, 0, -1, 0)
			}
			start = end
		case solidus:
			if b.glued || i > start {
				if b.inAddress(i) && end < len(p) && p[end] != '/' && p[end] != ' ' {
					b.piece(rs, link, start, end)
					b.stop(hyphenPenalty, false, 0, -1, 0)
					start = end
				}
			}
		}
		i = end
	}
	b.piece(rs, link, start, to)
}

// inAddress reports whether the word around offset i is an address.
func (b *builder) inAddress(i int) bool {
	a, z := i, i
	for a > 0 && i-a < 400 && asciiClassAt(b.plain[a-1]) != blank {
		a--
	}
	for z < len(b.plain) && z-i < 400 && asciiClassAt(b.plain[z]) != blank {
		z++
	}
	return addressLike(b.plain[a:z])
}

func asciiClassAt(c byte) charClass {
	if c < utf8.RuneSelf {
		return asciiClass[c]
	}
	return plain
}

// atom adds an inline that stands in the text as one object.
func (b *builder) atom(in *markup.Inline, from, to int) error {
	text, st, isRef := b.j.printed(in)
	if text == "" {
		return nil
	}
	rs, err := b.j.l.style(b.j.ctx, b.s.ts, b.styleOf(in)|st, isRef)
	if err != nil {
		return err
	}
	if in.Kind == markup.InlineImg {
		ps, err := b.picture(in, rs)
		if err != nil {
			return err
		}
		if ps != nil {
			b.put(&word{shape: &font.Shape{Face: rs.f.face, Text: object}, face: rs.f.face, width: ps.picW}, ps, in.Link, from, to)
			return nil
		}
	}
	link := in.Link
	if link == "" {
		link = b.j.target(in)
	}
	b.phrase(text, rs, link, from, to)
	return nil
}
