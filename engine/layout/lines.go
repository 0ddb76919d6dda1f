package layout

import (
	"slices"
	"strings"

	"postext/engine/frame"
	"postext/engine/linebreak"
	"postext/engine/unit"
)

// raggedFrom: a justified line whose spaces would pass this many times the
// natural space is set ragged (layout.md 5.2).
const raggedFrom = 3

// Most hyphens in a row, what each beyond costs, and what two cost beside their
// own penalties. A third is taken only where a line would pass the widest space.
const (
	maxLadder       = 2
	ladderCost      = 1 << 30
	flaggedDemerits = 2_000_000
	// A paragraph of more lines is not set again for the sake of its last: paths
	// of every line count would have to be followed.
	maxTightened = 200
)

// flush breaks what has been gathered since the last forced break into lines.
// last: the paragraph or its forced line ends here.
func (b *builder) flush(last bool) error {
	for n := len(b.items); n > 0 && b.items[n-1].Kind != linebreak.Box; n-- {
		b.items, b.refs = b.items[:n-1], b.refs[:n-1]
	}
	if len(b.items) == 0 {
		if b.s.raw && last {
			b.lines = append(b.lines, frame.LineSet{Last: true, Start: b.at, End: b.at})
			b.tails = append(b.tails, int32(len(b.runs)))
			b.offs = append(b.offs, b.s.first)
		}
		b.restart()
		return nil
	}
	if b.s.tabs != nil {
		if !b.forceCut && slices.Contains(b.tooWide(), true) {
			return b.recut(last)
		}
		b.flushTabs(last)
		b.restart()
		return nil
	}
	if last {
		b.keepLastWord()
	}
	opt := b.options()
	first := len(b.lines)
	if b.s.verse && b.oneLine(&opt) {
		b.breaks = append(b.breaks[:0], linebreak.Break{Item: len(b.items)})
	} else {
		b.stopped = nil
		b.b.Stop = b.unwanted
		r := b.b.Break(b.items, opt)
		if b.stopped != nil {
			return b.stopped
		}
		b.breaks = append(b.breaks[:0], r.Breaks...)
		if !r.Feasible && !b.forceCut {
			// A word wider than its line: set the stretch again with cuts.
			return b.recut(last)
		}
		if b.s.runts && b.s.loose == 0 && last && b.j.d.Para.TightenRunts && b.s.align == justify {
			if b.tighten(opt); b.stopped != nil {
				return b.stopped
			}
		}
	}
	from := 0
	for i, br := range b.breaks {
		if i&63 == 63 {
			if err := b.j.wanted(); err != nil {
				return err
			}
		}
		end := last && i == len(b.breaks)-1
		b.line(from, br, opt.Widths[min(len(b.lines)-first, len(opt.Widths)-1)], len(b.lines) == 0 && b.s.from == 0, len(b.lines)-first, end)
		from = br.Item
		if from < len(b.items) {
			from++
		}
	}
	b.restart()
	return nil
}

// keepLastWord makes the word that ends a paragraph dear to divide, so that its
// last line is no word's rest: dearer than a short last line and than several
// lines as wide as they may be, cheaper than one wider still or a ladder of
// hyphens. Only what avoids short last lines asks for it.
func (b *builder) keepLastWord() {
	if !b.s.runts || b.s.raw {
		return
	}
	for i := len(b.items) - 1; i >= 0; i-- {
		switch it := &b.items[i]; {
		case it.Kind == linebreak.Glue:
			return
		case it.Kind == linebreak.Penalty && it.Penalty < linebreak.Never:
			if !it.Flagged {
				return
			}
			it.Penalty = max(it.Penalty, lastWordPenalty)
		}
	}
}

// unwanted tells the breaker, in the middle of a long paragraph, that its lines are
// not wanted any more.
func (b *builder) unwanted() bool {
	if err := b.j.wanted(); err != nil {
		b.stopped = err
	}
	return b.stopped != nil
}

// tooWide marks the pieces that are to be cut: a word wider than its line, and
// every word of a unit wider than it, words that touch without a place to break
// between them (layout.md 5.4); a word that has syllables only where one of them is
// too wide by itself. What stands on a plate stays whole, and so does
// what is no text: formulas, pictures, room; and an enlarged first letter.
func (b *builder) tooWide() []bool {
	marks := make([]bool, len(b.pieces))
	room := b.narrowest()
	var parts []int32 // pieces of the unit at hand
	var width unit.Sp
	end := func() {
		if width > room {
			for _, k := range parts {
				marks[k] = !b.whole(&b.pieces[k]) && (len(b.pieces[k].w.cuts) == 0 || b.pieces[k].w.widest() > room)
			}
		}
		parts, width = parts[:0], 0
	}
	for i := range b.items {
		it := &b.items[i]
		switch {
		case it.Kind == linebreak.Box:
			width += it.Width
			if k := b.refs[i].piece; len(parts) == 0 || parts[len(parts)-1] != k {
				parts = append(parts, k)
			}
		case it.Kind == linebreak.Penalty && it.Penalty < linebreak.Never,
			it.Kind == linebreak.Glue && i > 0 && b.items[i-1].Kind == linebreak.Box:
			end()
		case it.Kind == linebreak.Glue: // no line ends at it
			width += it.Width
		}
	}
	end()
	return marks
}

// whole reports a piece that is never cut up.
func (b *builder) whole(p *piece) bool {
	d := b.dropped()
	return p.plate != 0 || p.bare || p.empty || p.w.drawing != nil || p.st.picW > 0 ||
		d != nil && int(p.start) < d.text
}

// recut gathers the current stretch again, dividing what is too wide.
func (b *builder) recut(last bool) error {
	cut := b.tooWide()
	saved := append([]piece(nil), b.pieces...)
	items := append([]linebreak.Item(nil), b.items...)
	refs := append([]ref(nil), b.refs...)
	b.forceCut = true
	b.restart()
	gap := b.gap // of what comes after the stretch
	b.gap = 0
	k := int32(-1)
	for i := range items {
		if i&511 == 511 {
			if err := b.j.wanted(); err != nil {
				return err
			}
		}
		it, r := items[i], refs[i]
		if it.Kind == linebreak.Box && r.piece != k {
			k = r.piece
			p := &saved[k]
			if cut[k] {
				if err := b.cutUp(p.w, p.st, p.link, int(p.start), int(p.end)); err != nil {
					return err
				}
				continue
			}
			b.pieces = append(b.pieces, *p)
		}
		if r.piece >= 0 && r.piece == k && cut[k] {
			continue // the syllables of what has been cut up
		}
		if r.piece >= 0 {
			r.piece = int32(len(b.pieces) - 1)
		}
		b.items, b.refs = append(b.items, it), append(b.refs, r)
	}
	b.gap, b.overfull = gap, true
	err := b.flush(last)
	b.forceCut = false
	return err
}

func (b *builder) options() linebreak.Options {
	s := b.s
	t := &s.ts.text
	o := linebreak.DefaultOptions(0)
	first := s.first
	hang := s.hang
	if (len(b.lines) > 0 || s.from > 0) && !s.raw {
		first = s.hang
	}
	if s.verse {
		hang = max(hang, first+b.leadGap+s.turn)
		if hang > s.width/2 {
			hang = s.width / 2
		}
	}
	if s.raw && hang > 0 {
		hang = min(hang+b.blankLead(), s.width/2)
	}
	b.widths = append(b.widths[:0], max(s.width-first, 1))
	if d := b.dropped(); d != nil {
		// The letter is a part of the first line, and beside the next ones.
		for i := len(b.lines); i < d.lines; i++ {
			if i > 0 {
				b.widths = append(b.widths, max(s.width-hang-d.beside(i), 1))
			}
		}
		if n := len(b.lines); n > 0 && n < d.lines {
			b.widths = b.widths[1:]
		}
	}
	b.widths = append(b.widths, max(s.width-hang, 1))
	b.widths = s.beside.narrow(b.widths, len(b.lines))
	o.Widths = b.widths
	o.Em = t.Size
	o.MaxFlagged, o.Run = maxLadder, ladderCost
	if s.loose > 0 && len(b.lines) == 0 {
		o.Lines = s.lines
	}
	o.Limit = looseShare * linebreak.One
	o.FlaggedDemerits = flaggedDemerits
	if s.closing > 0 {
		o.Unflagged = max(s.closing-len(b.lines), 0)
	}
	o.Ragged = s.align != justify || s.verse
	o.FirstFit = s.byLine || b.forceCut || !t.Optimal || o.Ragged && !t.OptimalRagged
	if o.Ragged {
		o.Zone = t.HyphenZone
		return o
	}
	if s.runts {
		p := &b.j.d.Para
		o.RuntWidth = b.runtWidth()
		o.RuntPenalty = p.RuntPenalty * runtScale
		o.GradedRunt = p.GradedRunt
	}
	by := t.MaxTracking
	if by > 0 {
		o.RuntPenalty = o.RuntPenalty / runtScale * trackedRunt
	}
	if s.loose > 0 {
		// A paragraph loosened for its column must not end in a short line.
		o.RuntPenalty = 1_000_000
		by = max(by, int32(s.loose-1)*b.j.d.Headings.Balance.Tracking/2)
	}
	if by > 0 {
		b.track(by, false)
		o.TrackEnd = share(t.Size, int64(by))
	}
	return o
}

// repeatHyphen begins a line with the hyphen the line before ended in.
func (b *builder) repeatHyphen(from, to int, open func(*piece, *word), cur *int32, x *unit.Sp) {
	for i := from; i < to; i++ {
		r := b.refs[i]
		if b.items[i].Kind != linebreak.Box {
			continue
		}
		p := &b.pieces[r.piece]
		h := p.st.f.hyphen
		open(p, h)
		*cur = r.piece
		b.words = append(b.words, frame.Word{Shape: h.shape, Start: p.start, End: p.start})
		b.gaps = append(b.gaps, 0)
		*x += h.width
		return
	}
}

// letterspace spaces the characters of a line so that its word spaces come back
// to their limit, or as near to it as the letter spacing allowed goes, and
// returns what the line grew by and the letter spacing. Words with the same gap
// before them stand against each other.
func (b *builder) letterspace(words []frame.Word, gaps []unit.Sp, slack, gap unit.Sp, wider bool) (grow, trk unit.Sp) {
	t := &b.s.ts.text
	space := unit.Sp(-1) // joints lost or won at a word space
	if b.trackSpaces {
		space = 1
	}
	joints := unit.Sp(-1)
	for i := range words {
		joints += unit.Sp(words[i].Shape.Spaces())
		if i > 0 && gaps[i] != gaps[i-1] {
			joints += space
		}
	}
	most := share(t.Size, int64(b.trackBy))
	if joints <= 0 {
		return 0, 0
	}
	if wider {
		need := slack - gap*unit.Sp(t.MaxSpace-1000)/(1000*looseShare)
		trk = min((max(need, 0)+joints-1)/joints, most)
	} else {
		need := -slack - gap*unit.Sp(1000-t.MinSpace)/1000
		trk = -min((max(need, 0)+joints-1)/joints, most)
	}
	for i := range words {
		switch {
		case i == 0:
		case gaps[i] == gaps[i-1]:
			grow += trk
		default:
			grow += trk * (1 + space)
		}
		words[i].X += grow
		grow += trk * unit.Sp(words[i].Shape.Spaces()-1)
	}
	return grow, trk
}

// blankLead is the width of the blanks a line of code begins with.
func (b *builder) blankLead() (w unit.Sp) {
	for i := range b.pieces {
		p := b.pieces[i].w
		if strings.Trim(p.shape.Text, " ") != "" {
			break
		}
		w += p.width
	}
	return
}

// runtWidth is the width under which a last line is short.
func (b *builder) runtWidth() unit.Sp {
	return unit.Sp(int64(b.j.d.Para.RuntMinSpaces*1000)) * b.space / 1000
}

// track tells the breaker how far each item may be spaced out: per between two
// characters. Word spaces keep to their limits, unless they are given along with
// the letters (a space is then a character like the others).
func (b *builder) track(by int32, spaces bool) {
	b.trackBy, b.trackSpaces = by, spaces
	per := share(b.s.ts.text.Size, int64(by))
	gap := -per
	if spaces {
		gap = per
	}
	for i := range b.items {
		it, r := &b.items[i], b.refs[i]
		switch {
		case it.Kind == linebreak.Glue:
			it.Track = gap
		case it.Kind == linebreak.Box && r.piece >= 0:
			it.Track = per * unit.Sp(b.glyphs(r))
		}
	}
}

// glyphs counts the glyphs of a box that letter spacing goes behind.
func (b *builder) glyphs(r ref) int {
	w := b.pieces[r.piece].w
	if len(w.cuts) == 0 {
		return w.shape.Spaces()
	}
	from, to := int32(0), int32(1<<30)
	if r.seg > 0 {
		from = w.cuts[r.seg-1].at
	}
	if int(r.seg) < len(w.cuts) {
		to = w.cuts[r.seg].at
	}
	n := 0
	for i := range w.shape.Glyphs {
		if c := w.shape.Glyphs[i].Cluster; c >= from && c < to && w.shape.Spaced(i) {
			n++
		}
	}
	return n
}

// oneLine reports whether a line of verse fits its first line, at worst with its
// spaces tightened.
func (b *builder) oneLine(o *linebreak.Options) bool {
	var w, sh unit.Sp
	for i := range b.items {
		if it := &b.items[i]; it.Kind != linebreak.Penalty {
			w += it.Width
			sh += it.Shrink
		}
	}
	if b.s.strict {
		sh = 0
	}
	return w-sh <= o.Widths[0]
}

// tighten removes a short last line by setting the paragraph a line shorter, if
// that neither breaks the limits nor spoils other lines (layout.md 5.5).
func (b *builder) tighten(o linebreak.Options) {
	n := len(b.breaks)
	if n < 2 || n > maxTightened || b.forceCut || b.lastWidth() >= o.RuntWidth {
		return
	}
	worst, ragged := b.loosest(b.breaks)
	kept := append([]linebreak.Break(nil), b.breaks...)
	o.Looseness = -1
	by, spaces := b.trackBy, b.trackSpaces
	if t := b.j.d.Para.MaxRuntTracking; t > 0 {
		b.track(t, true)
		o.TrackEnd = share(b.s.ts.text.Size, int64(t))
	}
	r := b.b.Break(b.items, o)
	if b.stopped != nil {
		return
	}
	ok := r.Feasible && len(r.Breaks) == n-1
	if ok {
		w, g := b.loosest(r.Breaks)
		ok = w <= max(worst, looseShare*linebreak.One) && g <= ragged
		for _, br := range r.Breaks {
			ok = ok && br.Track <= 0
		}
	}
	if ok {
		b.breaks = append(b.breaks[:0], r.Breaks...)
	} else {
		b.breaks = append(b.breaks[:0], kept...)
		b.trackBy, b.trackSpaces = by, spaces
	}
}

// loosest is the greatest ratio of a set of breaks and how many lines pass the
// limit at which a line is set ragged.
func (b *builder) loosest(brs []linebreak.Break) (worst int32, ragged int) {
	limit := int32((raggedFrom - 1) * 1000 * looseShare * int64(linebreak.One) / int64(max(b.s.ts.text.MaxSpace-1000, 1)))
	for _, br := range brs {
		worst = max(worst, br.Ratio)
		if br.Ratio > limit {
			ragged++
		}
	}
	return
}

// lastWidth is the natural width of the last line.
func (b *builder) lastWidth() unit.Sp {
	from := 0
	if n := len(b.breaks); n > 1 {
		from = b.breaks[n-2].Item + 1
	}
	var w unit.Sp
	box := false
	for i := from; i < len(b.items); i++ {
		it := &b.items[i]
		if it.Kind == linebreak.Box {
			box = true
		}
		if box && it.Kind != linebreak.Penalty {
			w += it.Width
		}
	}
	return w
}

// line sets items[from:br.Item] as a line.
func (b *builder) line(from int, br linebreak.Break, width unit.Sp, opening bool, nth int, last bool) {
	s := b.s
	to := min(br.Item, len(b.items))
	var ls frame.LineSet
	off := s.hang
	if opening || s.raw && nth == 0 {
		off = s.first
	}
	if (s.verse || s.raw) && nth > 0 {
		off = s.width - width
	}

	firstWord, firstRun := len(b.words), len(b.runs)
	b.platedWords, b.rules = b.platedWords[:0], b.rules[:0]
	var x, gap, pending, elastic unit.Sp
	started := false
	cur := int32(-2) // style identity of the open run: index of its first piece
	open := func(p *piece, w *word) {
		if cur >= 0 {
			q := &b.pieces[cur]
			if q.st == p.st && q.link == p.link && b.runs[len(b.runs)-1].Face == w.face {
				return
			}
			b.ends = append(b.ends, int32(len(b.words)))
		}
		b.runs = append(b.runs, frame.Run{Face: w.face, Size: p.st.f.key.size, Rise: p.st.rise, Color: p.st.color,
			Tracking: p.st.f.key.track, Underline: p.st.underline, Strike: p.st.strike, Link: p.link,
			Picture: p.st.pic, PicW: p.st.picW, PicH: p.st.picH})
		b.styles = append(b.styles, p.st.inkKey())
	}
	if from > 0 && b.items[from-1].After > 0 {
		b.repeatHyphen(from, to, open, &cur, &x)
	}
	for i := from; i < to; i++ {
		it := &b.items[i]
		switch it.Kind {
		case linebreak.Glue:
			if started {
				pending += it.Width
				elastic += unit.Sp(b.refs[i].seg)
			}
			continue
		case linebreak.Penalty:
			continue
		}
		r := b.refs[i]
		p := &b.pieces[r.piece]
		seg, upto := r.seg, r.seg
		for i+1 < to && b.refs[i+1].piece == r.piece && b.refs[i+1].seg > 0 {
			i++
			if b.items[i].Kind == linebreak.Box {
				upto = b.refs[i].seg
			}
		}
		x += pending
		gap += elastic
		pending, elastic = 0, 0
		started = true
		w := p.w
		start, end := p.start, p.end
		if seg > 0 || int(upto) < len(w.cuts) {
			// A part of a divided word, shaped as it stands.
			text := w.shape.Text
			a, z := int32(0), int32(len(text))
			if seg > 0 {
				a = w.cuts[seg-1].at
			}
			if int(upto) < len(w.cuts) {
				z = w.cuts[upto].at
			}
			if int(p.end-p.start) == len(text) {
				start, end = p.start+a, p.start+z
			}
			w = p.st.f.part(text[a:z])
		}
		if p.empty {
			if t := p.tab; t != nil && t.stop.Leader != "" {
				if t.stop.Leader != "rule" {
					open(p, t.rs.f.part(t.stop.Leader))
					cur = r.piece
				}
				b.setLeader(t, x, off, p.start, gap)
			}
			x += w.width
			continue
		}
		open(p, w)
		cur = r.piece
		if p.plate > 0 {
			b.platedWords = append(b.platedWords, plated{word: int32(len(b.words)), plate: p.plate, left: p.left, right: p.right, width: w.width - p.left - p.right})
		}
		b.words = append(b.words, frame.Word{X: x + p.dx, Shape: w.shape, Start: start, End: end, Drawing: w.drawing})
		b.gaps = append(b.gaps, gap)
		x += w.width
	}
	if to < len(b.items) && b.items[to].Kind == linebreak.Penalty {
		r := b.refs[to]
		switch {
		case r.piece >= 0 && len(b.words) > firstWord: // a hyphen is added
			p := &b.pieces[r.piece]
			w := &b.words[len(b.words)-1]
			h := p.st.f.hyphen
			x += p.st.f.hyphenAt(w.Shape)
			b.words = append(b.words, frame.Word{X: x, Shape: h.shape, Start: w.End, End: w.End})
			b.gaps = append(b.gaps, gap)
			x += h.width
			ls.Hyphenated = true
		case b.items[to].Flagged:
			ls.HardHyphen = true
		}
	}
	if len(b.runs) > firstRun {
		b.ends = append(b.ends, int32(len(b.words)))
	}

	words, gaps := b.words[firstWord:], b.gaps[firstWord:]
	if br.Track != 0 {
		grow, trk := b.letterspace(words, gaps, width-x, gap, br.Track > 0)
		x += grow
		if ls.Tracking = int32(int64(trk) * 1000 / int64(s.ts.text.Size)); ls.Tracking == 0 && trk != 0 {
			ls.Tracking = 1
			if trk < 0 {
				ls.Tracking = -1
			}
		}
		for i := firstRun; i < len(b.runs); i++ {
			b.runs[i].Tracking += trk
		}
	}
	slack := width - x
	ls.Last = last
	ls.Width = x
	just := s.align == justify && !s.verse && (!last || slack < 0) || slack < 0 && gap > 0
	switch {
	case gap <= 0:
		if ls.Ragged = just && !last && slack > 0; ls.Ragged {
			ls.Wanted = frame.MaxWanted
		}
	case just && slack > gap*(raggedFrom-1):
		ls.Ragged = true
		ls.Ratio = 1000
		ls.Wanted = int32(min((int64(gap+slack)*1000+int64(gap)/2)/int64(gap), frame.MaxWanted))
	case just:
		if !last {
			ls.Justified = true
		}
		for i := range words {
			if g := gaps[i]; g != 0 {
				words[i].X += unit.Sp(int64(slack) * int64(g) / int64(gap))
			}
		}
		ls.Ratio = int32((int64(gap+slack)*1000 + int64(gap)/2) / int64(gap))
		ls.Width = width
	default:
		ls.Ratio = 1000
	}
	b.reorder(firstWord, firstRun)
	if len(b.platedWords)+len(b.rules) > 0 {
		ls.Plates = append(b.linePlates(), b.rules...)
	}
	if len(words) > 0 {
		ls.Start, ls.End = words[0].Start, words[len(words)-1].End
	}
	align := s.align
	if b.rtl { // the line begins at the right: its indent is room there
		off = 0
		switch align {
		case flushRight:
			align = flushLeft
		case flushLeft, justify:
			align = flushRight
		}
		slack = width - ls.Width
	}
	switch align {
	case centred:
		if slack > 0 {
			off += slack / 2
		}
	case flushRight:
		if slack > 0 {
			off += slack
		}
	}
	if d := b.dropped(); d != nil && !b.rtl {
		if n := len(b.lines); n > 0 && n < d.lines {
			off += d.beside(n)
		}
	}
	if len(b.lines) < s.beside.lines {
		off += s.beside.left
	}
	b.lines = append(b.lines, ls)
	b.tails = append(b.tails, int32(len(b.runs)))
	b.offs = append(b.offs, off)
}
