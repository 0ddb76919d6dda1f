package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"postext/engine/bidi"
	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/linebreak"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// alignment of the lines of a block.
type alignment uint8

const (
	justify alignment = iota
	flushLeft
	flushRight
	centred
)

func alignOf(s string) alignment {
	switch s {
	case "left", "start":
		return flushLeft
	case "right", "end":
		return flushRight
	case "center":
		return centred
	}
	return justify
}

// setting is how the text of a block is set: with the text, everything its
// lines depend on.
type setting struct {
	ts      *typeStyle
	width   unit.Sp // of the measure, indents included
	leading unit.Sp
	align   alignment
	first   unit.Sp // indent of the first line
	hang    unit.Sp // indent of the others
	verse   bool    // every source line is a line of verse; turnovers hang by turn
	turn    unit.Sp
	strict  bool // a line of verse is not tightened before it turns over
	runts   bool // avoid short last lines
	byLine  bool // break line by line
	strike  bool // done tasks
	raw     bool // spaces and line ends as they are (code)
	loose   int  // 1: set in so many lines; 2, 3: with a little letter spacing
	lines   int
	drop    *drop              // the first letter over several lines
	tabs    *settings.TabStops // the paragraph has tabs: it is filled line by line
	from    int                // start at this offset of the plain text (a block that goes on
	// in a column of another width)
	dir     bidi.Direction
	closing int // this line, from 1, closes a column and is not divided; 0: none
	beside  beside
	sig     uint64
}

// seal computes the setting's signature; call it when the fields are final.
func (s *setting) seal(j *job) *setting {
	if s.dir == bidi.Auto {
		s.dir = directions[j.d.Direction]
	}
	t := &s.ts.text
	h := newHasher()
	h.num(s.ts.sig, uint64(s.width), uint64(s.first), uint64(s.hang), uint64(s.turn), uint64(s.align),
		flag(s.verse)|flag(s.runts)<<1|flag(s.byLine)<<2|flag(s.strike)<<3|flag(s.raw)<<4|
			flag(t.Compounds)<<5|flag(t.AfterDashes)<<6|flag(t.AfterHyphens)<<7|flag(t.Optimal)<<8|
			flag(t.OptimalRagged)<<9|flag(s.strict)<<13|flag(t.HyphenRagged)<<10|flag(t.RepeatHyphen)<<11,
		uint64(s.from)<<32|uint64(s.closing)<<8|uint64(s.dir)<<4|uint64(s.loose), uint64(t.MaxSpace)<<32|uint64(uint32(t.MinSpace)), uint64(t.MaxTracking), uint64(t.HyphenZone))
	if s.runts {
		p := &j.d.Para
		h.num(uint64(int64(p.RuntMinSpaces*1000)), uint64(p.RuntPenalty), flag(p.GradedRunt), flag(p.TightenRunts), uint64(p.MaxRuntTracking))
	}
	if s.loose > 0 {
		h.num(uint64(s.lines), uint64(j.d.Headings.Balance.Tracking))
	}
	if d := s.drop; d != nil {
		h.num(uint64(d.text)<<32|uint64(d.marks), uint64(d.lines), uint64(d.ends), uint64(d.width), uint64(d.shift), d.cap.f.sig, uint64(d.cap.rise), ink(d.color))
		if d.mark != nil {
			h.one(d.mark.f.sig)
		}
	}
	if s.beside.lines > 0 {
		h.num(uint64(s.beside.lines), uint64(s.beside.left), uint64(s.beside.right))
	}
	if s.tabs != nil {
		h.num(1, uint64(s.tabs.Interval))
		for i := range s.tabs.Stops {
			t := &s.tabs.Stops[i]
			h.num(uint64(t.At), uint64(t.Share), uint64(t.Gap))
			h.str(t.Align)
			h.str(t.Leader)
			h.str(t.Decimal)
		}
	}
	s.sig = h.sum()
	return s
}

// piece is a word in its place: between two pieces there may be glue, a place
// to break, or nothing.
type piece struct {
	w          *word
	st         *runStyle
	link       string
	start, end int32   // span in the plain text
	dx         unit.Sp // how far it stands from its place
	// The plate it stands on, from 1, and the plate's padding at its ends.
	plate       int32
	left, right unit.Sp
	bare        bool // it is no text of its own: a swatch, room
	empty       bool // it sets no word
	tab         *tabbed
}

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
	cutPenalty    = 3000 // a word cut at any character
	maxPiece      = 480  // bytes shaped in one cut; longer text is shaped in steps
	maxChunk      = 1 << 16
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
	b.forceCut, b.space = false, 0
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

// stop adds a place where the line may end.
func (b *builder) stop(penalty int32, flagged bool, width unit.Sp, piece, seg int32) {
	b.items = append(b.items, linebreak.Item{Kind: linebreak.Penalty, Penalty: penalty, Flagged: flagged, Width: width})
	b.refs = append(b.refs, ref{piece, seg})
}

// put adds a word.
func (b *builder) put(w *word, rs *runStyle, link string, start, end int) {
	if w.more != nil {
		text, at := w.text(), 0
		for s := range w.shapes() {
			from, to := b.spot(text, start, end, at, at+len(s.Text))
			b.put(&word{shape: s, face: s.Face, width: rs.f.extent(s)}, rs, link, from, to)
			at += len(s.Text)
		}
		return
	}
	b.afterTab = false
	if b.gap > 0 {
		// Text stands against a chip: a word keeps its distance, a mark does not.
		gap := b.gap
		b.gap = 0
		if r := after(b.plain, start); start == b.gapAt && (letter(r) || digit(r)) {
			b.glued = true
			b.roomBefore(gap, b.gapAt)
		}
	}
	k := int32(len(b.pieces))
	b.pieces = append(b.pieces, piece{w: w, st: rs, link: link, start: int32(start), end: int32(end)})
	var pos unit.Sp
	for i := range w.cuts {
		c := &w.cuts[i]
		b.items = append(b.items, linebreak.Item{Kind: linebreak.Box, Width: c.pos - pos})
		b.refs = append(b.refs, ref{k, int32(i)})
		pos = c.pos
		b.stop(hyphenPenalty, true, c.hyphen, k, int32(i+1))
	}
	b.items = append(b.items, linebreak.Item{Kind: linebreak.Box, Width: w.width - pos})
	b.refs = append(b.refs, ref{k, int32(len(w.cuts))})
	b.glued = true
}

// piece adds plain[from:to], which has no break but syllables.
func (b *builder) piece(rs *runStyle, link string, from, to int) {
	if from >= to {
		return
	}
	text := b.plain[from:to]
	if len(text) > maxPiece {
		n := font.ClusterLen(text[:maxPiece])
		for { // whole characters with their marks
			k := font.ClusterLen(text[n:min(n+maxPiece, len(text))])
			if n+k > maxPiece {
				break
			}
			n += k
		}
		b.piece(rs, link, from, from+n)
		b.piece(rs, link, from+n, to)
		return
	}
	if rs.synth != nil {
		b.smallCaps(rs, link, from, to)
		return
	}
	if rs.upper {
		text = capitals(text)
	}
	w := (*word)(nil)
	if !b.s.ts.text.Compounds && b.compound(from, to) {
		w = rs.f.part(text)
	} else {
		w = rs.f.word(text)
	}
	if rs.reserve != nil && !smallCapped(w) {
		b.smallCaps(rs.reserve, link, from, to)
		return
	}
	b.put(w, rs, link, from, to)
}

// compound reports whether plain[from:to] is a part of a hyphened compound or one
// itself.
func (b *builder) compound(from, to int) bool {
	if from > 0 && b.plain[from-1] == '-' {
		return true
	}
	k := strings.IndexByte(b.plain[from:to], '-')
	return k > 0 && from+k+1 < len(b.plain) && asciiClassAt(b.plain[from+k+1]) != blank
}

// narrowest is the width of the narrowest line.
func (b *builder) narrowest() unit.Sp {
	if b.s.raw { // its own blanks narrow a line of code
		return slices.Min(b.widths)
	}
	return max(min(b.s.width-b.s.first, b.s.width-b.s.hang), 1)
}

// cutUp sets a word that fits no line in steps, each an eighth of a line, with
// a place to break behind each.
func (b *builder) cutUp(w *word, rs *runStyle, link string, from, to int) {
	if w.drawing != nil { // a formula is never divided
		b.put(w, rs, link, from, to)
		return
	}
	text := w.text()
	room, start := b.narrowest()/8, 0
	for i := 0; i < len(text); {
		n := font.ClusterLen(text[i:min(i+maxPiece, len(text))])
		i += n
		p := rs.f.part(text[start:i])
		if p.width < room && i < len(text) {
			continue
		}
		first, end := b.spot(text, from, to, start, i)
		b.put(p, rs, link, first, end)
		if i < len(text) {
			b.stop(cutPenalty, false, 0, -1, 0)
		}
		start = i
	}
	if to < len(b.plain) && b.plain[to] != ' ' {
		b.stop(cutPenalty, false, 0, -1, 0)
	}
}

// spot is the part of the plain text that text[i:k] is printed for, where text is
// printed for plain[from:to]. Capitals may take other bytes than the letters they
// are for, but as many characters; a reference or the source of a formula is
// printed for one sign of the plain text, and so is every part of it.
func (b *builder) spot(text string, from, to, i, k int) (int, int) {
	src := b.plain[from:to]
	switch {
	case src == object:
		return from, to
	case len(src) == len(text):
		return from + i, from + k
	case utf8.RuneCountInString(src) != utf8.RuneCountInString(text):
		return from, to
	}
	behind := func(n int) int { // n characters
		at := 0
		for ; n > 0; n-- {
			_, size := utf8.DecodeRuneInString(src[at:])
			at += size
		}
		return from + at
	}
	n := utf8.RuneCountInString(text[:i])
	return behind(n), behind(n + utf8.RuneCountInString(text[i:k]))
}

// smallCaps sets lowercase letters as small capitals, the rest as it is; marks
// stay with their letters.
func (b *builder) smallCaps(rs *runStyle, link string, from, to int) {
	low := func(i int) bool {
		r, _ := utf8.DecodeRuneInString(b.plain[i:to])
		return unicode.IsLower(r)
	}
	for i := from; i < to; {
		k := i
		for k < to && low(k) == low(i) {
			k += font.ClusterLen(b.plain[k:to])
		}
		if low(i) {
			st := rs.synth
			b.put(st.f.part(capitals(b.plain[i:k])), st, link, i, k)
		} else {
			b.put(rs.f.part(b.plain[i:k]), rs, link, i, k)
		}
		i = k
	}
}

// smallCapped reports whether the face's own small capitals have set every
// lowercase letter of a word: many faces have them for Latin letters alone.
func smallCapped(w *word) bool {
	for s := range w.shapes() {
		for _, g := range s.Glyphs {
			r, _ := utf8.DecodeRuneInString(s.Text[g.Cluster:])
			if r >= utf8.RuneSelf && unicode.IsLower(r) {
				if id, ok := s.Face.Glyph(r); ok && id == g.ID || s.Missing && g.ID == 0 {
					return false
				}
			}
		}
	}
	return true
}

// capitals is text in capitals, character by character, so that its length in
// characters stays (ß stays).
func capitals(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 'ß' {
			return r
		}
		return unicode.ToUpper(r)
	}, s)
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
	if isRef && link == "" && in.ID != "" {
		link = "#" + in.ID
	}
	b.phrase(text, rs, link, from, to)
	return nil
}
