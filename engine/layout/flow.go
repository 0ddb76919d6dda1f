package layout

import (
	"strings"

	"postext/engine/bidi"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
	"postext/engine/unit"
)

// nodeKind says what the placer does with a node.
type nodeKind uint8

const (
	nText      nodeKind = iota // lines
	nRow                       // cells side by side
	nFigure                    // a picture or table with its caption
	nBreak                     // begin a page
	nColumn                    // begin a column
	nSpace                     // vertical room
	nNumbering                 // change of page numbers
	nMark                      // prints nothing: a hidden heading, a part without a page
	nPartOpen                  // begin a part's page
	nPartClose                 // end it
	nSpanOpen                  // what follows stands across the columns
	nSpanClose                 // the columns go on
	nBoxOpen                   // begin a box
	nBoxClose                  // end it
	nColsOpen                  // what follows stands in columns of its own
	nColsClose                 // the column goes on
	nNotes                     // notes of a chapter at the foot of its last column
	nCite                      // an embed of a resource that floats
	nAside                     // a box or figure that stands apart from the flow, or has it beside it
	nBarrier                   // what floats has to be placed before it
	nLook                      // a section or part begins or ends
)

// node is a block of the flow, measured, with the rules that bind it.
type node struct {
	what nodeKind
	kind frame.BlockKind

	m       *measured
	from    *measured       // what m was made from, if it is not in the cache itself
	in      []markup.Inline // to measure again at another width
	set     *setting
	text    *frame.Text
	formula *displayed // a display formula

	start, end        int
	index, level      int
	number, style, id string

	x            unit.Sp // from the column's left edge
	leading      unit.Sp
	above, below unit.Sp
	snap         bool // the text under it returns to the grid
	snapTop      bool // it begins on the grid itself
	settles      bool // it, or what begins with it, is moved into the room the grid leaves under it
	keepNext     bool // it stands with the lines that follow
	whole        bool // it is not divided
	free         bool // no orphan and widow rules
	colon        bool // its last line stays with the list or poem that follows
	goesOn       bool // its first lines stand in an earlier column

	marker   *frame.LineSet // of a list item, at markerX on the first line
	markerX  unit.Sp
	markerY  unit.Sp        // downwards
	wrapped  *frame.LineSet // before the rest of a line of code that turned over
	turned   *frame.LineSet // before what a line of verse turned over to the right
	listing  *listing       // line numbers and marked lines of code
	tick     unit.Sp        // side of the box drawn for a task, 0: none
	tickInk  unit.Color
	group    int32          // the box the node stands in, from 1
	box      int32          // nBoxOpen, nBoxClose, nAside: which
	cols     int32          // nColsOpen, nColsClose: which group
	solid    int            // its first lines are not divided
	least    unit.Sp        // least height: a drop cap taller than its paragraph
	rise     unit.Sp        // room above for a raised initial, at the head of a column too
	addBelow bool           // the space below does not merge with the next block's
	counted  *frame.Counted // nil: its lines are not counted
	endMark  *frame.LineSet // flush right on the last line, at endMarkX
	endMarkX unit.Sp
	label    string // what endMark says, of an entry of the contents
	cells    []cell
	heads    []node     // of a table's row: the head it goes on under in a new column
	fill     unit.Color // behind the lines, pad around them
	edge     unit.Color // hairline around the fill
	pad      unit.Sp
	row      *tableRow   // how a table's row is drawn
	fig      *figure     // nFigure
	spec     *figureSpec // to measure it for another width
	next     int         // of a table: the body row it goes on from

	parity string // nBreak
	center bool
	room   unit.Sp     // nSpace
	format string      // nNumbering
	at     int         // nNumbering: first number, 0 to count on
	head   *headingRef // heading: what running heads say from here on
	drawn  *drawing    // what a heading or part is drawn from
	calls  []call
	notes  []int32       // nNotes
	ruled  bool          // the rule over notes stands above it
	look   settings.Look // nLook
	floats []floatCall
}

// cell is one cell of a table row.
type cell struct {
	in         []markup.Inline
	set        *setting
	m          *measured
	text       *frame.Text
	x, w       unit.Sp
	start, end int
}

// headingRef is a heading as running heads and contents see it.
type headingRef struct {
	level   int
	title   string
	number  string
	ordinal int
	attrs   markup.Attrs
	running bool // becomes the running chapter
	id      string
	style   string
	part    *Part         // the node opens a part instead
	entry   Entry         // in the outline, without its page
	look    settings.Look // of the pages that begin after it
	index   int           // of its block in the flow
}

// flow is a chapter as a list of nodes.
type flow struct {
	doc      *markup.Document
	design   *settings.Design
	start    structure
	end      structure
	meta     Meta
	key      uint64 // of the outline and anchors it printed
	nodes    []node
	heads    []*headingRef
	notes    []note
	given    map[string]int // the numbers of its notes
	extra    []*measured    // paragraphs tried a line longer by the last placement
	boxes    []box
	contents bool
	columns  []subcolumns
	used     []used  // pictures looked up
	named    []cited // resources named
	floats   []float
	figures  []*figure       // measured by the last placement
	swatches bool            // it shows colours of the palette
	posters  bool            // it has marks drawn on posters of videos
	marks    []landmark      // anchors and index marks, by their blocks
	look     settings.Look   // it begins in
	looks    []settings.Look // all it is set in besides
	problems []frame.Problem
}

// place is where in the tree the walk stands: the measure, the type and the
// indents that hold there.
type place struct {
	x, width   unit.Sp
	text       settings.Text
	plainInk   bool
	quote      int
	depth      int     // of lists
	origin     unit.Sp // where the outermost list begins
	style      string
	group      int32
	boxes      int     // how many are open around
	padded     unit.Sp // what they keep above and under their text
	kind       frame.BlockKind
	leading    unit.Sp
	list       bool
	align      string  // over the text's own
	noteIndent unit.Sp // of a note's paragraphs after its first
	spaced     bool    // a blank line between paragraphs
	styled     *group  // the group of styled paragraphs
	tabs       *settings.TabStops
	lists      *settings.BoxLists // what the box around changes in lists
	subcolumn  bool               // inside a group in columns
	columnGap  unit.Sp            // between columns of a group; 0: a line
	onPart     bool               // on the page of a part
	look       settings.Look
}

// buildFlow walks a document and measures it.
func (j *job) buildFlow() (*flow, error) {
	f := &flow{doc: j.doc, design: j.d, start: j.st.structure(), meta: j.st.Meta}
	f.nodes = make([]node, 0, len(j.doc.Blocks)+8)
	j.flow = f
	f.look = settings.Look{Palette: j.st.Part.Palette}
	j.wear(f.look, 0)
	w := walker{job: j, afterHeading: true, dir: directions[j.d.Direction]}
	p := w.running()
	for i := range j.doc.Problems {
		f.problems = append(f.problems, ProblemOf(&j.doc.Problems[i]))
	}
	w.first = true
	if j.d.Notes.Numbering == "document" {
		j.noteCount = j.st.Notes
	}
	w.poems = mostlyVerse(j.doc.Blocks)
	if err := w.blocks(j.doc.Blocks, p); err != nil {
		return nil, err
	}
	if err := w.strays(); err != nil {
		return nil, err
	}
	w.endNotes()
	if p.look != w.worn {
		p = w.running()
	}
	if c := j.in.Cites; c != nil {
		if c.List {
			end := &markup.Block{Kind: markup.Directive, Name: "bibliography", Start: len(j.doc.Source), End: len(j.doc.Source)}
			if err := w.bibliography(end, p); err != nil {
				return nil, err
			}
		}
		f.problems = append(f.problems, c.Problems...)
	}
	if j.d.Notes.Numbering == "document" {
		j.st.Notes = j.noteCount
	}
	if f.given = j.given; f.given == nil {
		f.given = j.notes
	}
	f.problems = append(f.problems, j.problems...)
	f.end = j.st.structure()
	j.d = j.in.Design
	return f, nil
}

// ProblemOf is what the parser found as a chapter's frames tell it.
func ProblemOf(p *markup.Problem) frame.Problem {
	out := frame.Problem{Kind: p.Kind, Detail: p.Detail, Start: p.Start, End: p.End, Page: -1}
	for _, a := range p.Fields {
		out.Fields = append(out.Fields, frame.Field{Key: a.Key, Value: a.Value})
		if a.Key == "resourceId" {
			out.Resource = a.Value
		}
	}
	return out
}

// overfullWord reports the first word of a node that had to be cut.
func (w *walker) overfullWord(n *node) {
	start, end, word := n.start, n.end, ""
	for i := range n.m.lines {
		l := &n.m.lines[i]
		at := int(l.End)
		if l.Last || l.Hyphenated || l.HardHyphen || at <= 0 || at >= len(n.m.plain) || n.m.plain[at-1] == ' ' || n.m.plain[at] == ' ' {
			continue
		}
		from := strings.LastIndexByte(n.m.plain[:at], ' ') + 1
		to := len(n.m.plain)
		if k := strings.IndexByte(n.m.plain[at:], ' '); k >= 0 {
			to = at + k
		}
		word, start, end = n.m.plain[from:to], n.text.Source(from), n.text.Source(to)
		if strings.Contains(word, "\uFFFC") && 0 <= start && start < end && end <= len(w.doc.Source) {
			word = w.doc.Source[start:end] // a citation, a formula: as it is written
		}
		break
	}
	if word == "" {
		w.report("overfullLine", "a word is wider than its line and was cut", start, end)
		return
	}
	w.report("overfullLine", cutText(word, 60)+" — is wider than its line and was cut", start, end, frame.Field{Key: "text", Value: cutText(word, 60)})
}

// walker turns blocks into nodes.
type walker struct {
	*job
	afterHeading bool
	afterPara    bool
	stanza       bool            // the paragraph before was a stanza
	afterFormula bool            // a display formula stands before
	listed       map[string]bool // works that a list of the chapter has
	poems        bool            // most paragraphs of the chapter are stanzas
	first        bool
	index        int
	settings     map[settingKey]*setting
	noteSet      map[string]bool // notes that have been set
	noteIndex    map[string]*markup.Note
	runIn        statement        // of the box that begins
	lead         []markup.Inline  // opens the next paragraph
	ending       []int32          // notes to be set after the chapter
	drop         settings.DropCap // of the next paragraph of the flow
	brought      map[string]bool  // resources that have become floats
	dir          bidi.Direction   // of the container at hand
	uncounted    int              // containers around whose lines are not counted
	inner        int              // groups in columns around
	countFrom    int              // number of the next line counted; 0: the count goes on
	open         []opened         // sections
	numbers      [5]unit.Sp       // widest number of lists at each depth,
	counted      bool             // once it is known
}

type settingKey struct {
	text     settings.Text
	plainInk bool
	width    unit.Sp
	first    unit.Sp
	hang     unit.Sp
	turn     unit.Sp // of lines of verse; 0: 2 em
	flags    uint8
	align    alignment
	dir      bidi.Direction
}

// setting returns the sealed setting of these values.
func (w *walker) setting(k settingKey) *setting {
	if k.dir == bidi.Auto {
		k.dir = w.dir
	}
	if s := w.settings[k]; s != nil {
		return s
	}
	if w.settings == nil {
		w.settings = map[settingKey]*setting{}
	}
	s := &setting{ts: w.l.typeOf(k.text, &w.d.Code, k.plainInk), width: k.width, leading: k.text.Leading,
		align: k.align, first: k.first, hang: k.hang,
		verse: k.flags&1 != 0, runts: k.flags&2 != 0, byLine: k.flags&4 != 0, strike: k.flags&8 != 0, raw: k.flags&16 != 0,
		turn: k.turn, dir: k.dir, strict: k.flags&fStrict != 0, spaces: k.flags&fSpaces != 0}
	if s.turn == 0 {
		s.turn = k.text.Size * 2
	}
	s.seal(w.job)
	w.settings[k] = s
	return s
}

const (
	fVerse = 1 << iota
	fRunts
	fByLine
	fStrike
	fRaw
	fStrict
	fSpaces
)

// add measures a node's text and appends the node.
func (w *walker) add(n node) (*node, error) {
	m, err := w.measure(n.in, n.set)
	if err != nil {
		return nil, err
	}
	n.m = m
	n.text = w.textOf(m, n.in)
	n.index = w.index
	w.index++
	w.landmarks(n.in, n.index)
	w.countLines(&n)
	if n.leading == 0 {
		n.leading = n.set.leading
	}
	if len(w.doc.Notes) > 0 {
		if n.calls, err = w.callsOf(m, n.in); err != nil {
			return nil, err
		}
	}
	if n.floats, err = w.floatsOf(m, n.in); err != nil {
		return nil, err
	}
	if err := w.badFormulas(n.in, n.set); err != nil {
		return nil, err
	}
	w.unknownCitations(n.in)
	if m.overfull && n.kind != frame.Code { // a listing tells of its own lines
		w.overfullWord(&n)
	}
	w.flow.nodes = append(w.flow.nodes, n)
	return &w.flow.nodes[len(w.flow.nodes)-1], nil
}

func (w *walker) blocks(bs []*markup.Block, p place) error {
	for i, b := range bs {
		var next *markup.Block
		if i+1 < len(bs) {
			next = bs[i+1]
		}
		if p.inFlow() {
			if b.Kind == markup.Heading {
				w.section(b)
			}
			if p.look != w.worn {
				p = w.running()
			}
		}
		if err := w.tick(); err != nil {
			return err
		}
		if err := w.block(b, next, p); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) block(b, next *markup.Block, p place) error {
	if b.Kind != markup.Paragraph && b.Kind != markup.Quote {
		w.stanza = false
	}
	if p.styled != nil && b.Kind != markup.Paragraph && !(b.Kind == markup.Container && b.Name == "paragraphs") {
		outer := *p.styled.outer
		outer.depth, outer.list, outer.quote = p.depth, p.list, p.quote
		p = outer
	}
	switch b.Kind {
	case markup.List, markup.Quote, markup.Code, markup.Table, markup.Formula, markup.Image, markup.Raw, markup.SceneBreak:
		w.drop = settings.DropCap{} // it was for the paragraph under the heading
	}
	defer func() { w.afterFormula = b.Kind == markup.Formula }()
	switch b.Kind {
	case markup.Heading:
		return w.heading(b, next, p)
	case markup.Paragraph:
		return w.paragraph(b, next, p)
	case markup.Quote:
		return w.quote(b, p)
	case markup.List:
		return w.list(b, p)
	case markup.Code:
		return w.code(b, p)
	case markup.Formula:
		return w.formula(b, p)
	case markup.Embed:
		return w.embed(b, p)
	case markup.Image:
		return w.image(b, p)
	case markup.Table:
		return w.table(b, p)
	case markup.SceneBreak:
		return w.sceneBreak(b, p)
	case markup.Container:
		return w.container(b, p)
	case markup.Raw:
		return w.raw(b, p)
	case markup.Directive:
		return w.directive(b, p)
	}
	return w.blocks(b.Children, p)
}

// paragraph sets a paragraph of running text.
func (w *walker) paragraph(b, next *markup.Block, p place) error {
	t := p.text
	k := settingKey{text: t, plainInk: p.plainInk, width: p.width, align: alignOf(t.Align)}
	if p.align != "" {
		k.align = alignOf(p.align)
	}
	verse := verseLike(b.Inlines, p.quote > 0 || w.stanza || w.poems || next != nil && next.Kind == markup.Paragraph && breaksOf(next.Inlines) > 0)
	if !verse && w.poems && p.group == 0 && loneLine(b.Inlines) {
		verse = w.stanza || next != nil && next.Kind == markup.Paragraph && breaksOf(next.Inlines) > 0
	}
	stanza := verse && (p.quote > 0 || b.Inlines[0].Style&markup.Bold == 0) && !p.list && p.kind != frame.Note
	second := stanza && w.stanza
	w.stanza = stanza
	if stanza && p.quote > 0 && t.Indent > 0 && p.width > 8*t.Indent {
		p.x += t.Indent
		p.width -= t.Indent
		k.width = p.width
	}
	indent := t.Indent
	if p.quote > 0 && p.kind == frame.Quote {
		indent = w.d.Quote.FirstIndent
	}
	if k.align == centred || k.align == flushRight {
		indent = 0
	}
	if p.kind == frame.Note && w.afterPara {
		indent = p.noteIndent
	}
	if t.Hanging {
		k.hang = indent
	} else {
		k.first = indent
		flush := stanza || w.afterHeading && !w.d.Para.IndentAfterHeading && (p.styled == nil || !p.styled.indent) || b.AfterDisplay ||
			w.afterFormula && !w.d.Math.IndentAfter
		if flush {
			k.first = 0
		}
	}
	if p.kind == frame.Note && !w.afterPara && p.text.Size == w.d.Notes.Text.Size {
		k.first, k.hang = 0, w.d.Notes.Hang
	}
	if g := p.styled; g != nil && g.hang > 0 {
		k.hang = g.hang
	}
	if k.first+k.hang > p.width/2 {
		k.first, k.hang = 0, 0
	}
	if verse {
		k.flags |= fVerse
	} else if w.d.Para.AvoidRunts && (!p.list || w.d.Para.RuntsInLists) {
		k.flags |= fRunts
	}
	if k.align != justify && !t.HyphenRagged || verse {
		k.text.Hyphenate = false
	}
	in := b.Inlines
	if len(w.lead) > 0 {
		in, w.lead = append(w.lead, in...), nil
	}
	n := node{kind: p.kind, in: in, start: b.Start, end: b.End, set: w.setting(k), x: p.x, level: p.depth,
		style: p.style, group: p.group, leading: p.leading}
	if p.list {
		n.free = !w.d.Para.OrphansInLists && !w.d.Para.WidowsInLists
	}
	if g := p.styled; g != nil && g.between > 0 && w.afterPara {
		n.above = g.between
	}
	if p.spaced && w.afterPara || second {
		n.above = p.leading
	}
	if next != nil {
		n.colon = next.Kind == markup.Formula && w.d.Math.KeepWithLeadIn ||
			next.Kind == markup.List && w.d.Para.KeepColonWithList && endsInColon(b.Inlines) ||
			next.Kind == markup.Raw && next.Name == "verse"
	}
	if hasTabs(n.in, p.tabs) {
		s := *n.set
		if s.tabs = p.tabs; s.tabs == nil {
			s.tabs = &settings.TabStops{}
		}
		n.set = s.seal(w.job)
		w.drop = settings.DropCap{} // its lines are not broken together
	}
	var got *node
	var err error
	if p.kind == frame.Paragraph && p.group == 0 && !p.list && p.quote == 0 && !verse {
		if c := w.takeDrop(&p); c.On {
			got, err = w.dropCap(c, n, k)
		}
	}
	if got == nil && err == nil {
		got, err = w.add(n)
	}
	if err != nil {
		return err
	}
	if len(got.m.lines) == 0 {
		w.flow.nodes = w.flow.nodes[:len(w.flow.nodes)-1]
		w.flow.moveMarks(w.index-1, w.index)
	} else {
		w.afterHeading = false
		w.afterPara = true
	}
	return nil
}

// verseLike: a paragraph of three lines of its own or more is verse, an address
// or the like; its turnovers hang, so that the lines can be told. Outside lists
// and notes it is a stanza: flush, in quotations set in, with a blank line
// between it and a stanza before (a paragraph that opens in bold is a speech in
// a play and keeps its indent instead).
// Where verse is about, in quotations, beside other stanzas and in chapters of
// poems, two lines do.
func verseLike(in []markup.Inline, verseAbout bool) bool {
	n := breaksOf(in)
	return n >= 2 || n == 1 && verseAbout
}

// loneLine reports a paragraph that may be a stanza of one line where it stands
// among others: plain words, as many as a long line has. In a play those that open
// in bold or italics are speeches and directions.
func loneLine(in []markup.Inline) bool {
	const most = 200 // bytes
	n := 0
	for i := range in {
		if in[i].Kind == markup.Break || i == 0 && in[i].Style&(markup.Bold|markup.Italic) != 0 {
			return false
		}
		n += len(in[i].Text)
	}
	return n <= most
}

// mostlyVerse reports whether most paragraphs are verse by their lines alone.
func mostlyVerse(bs []*markup.Block) bool {
	all, verse := 0, 0
	for _, b := range bs {
		if b.Kind == markup.Paragraph {
			all++
			if breaksOf(b.Inlines) > 1 {
				verse++
			}
		}
	}
	return verse > 2 && 2*verse > all
}

func breaksOf(in []markup.Inline) (n int) {
	for i := range in {
		if in[i].Kind == markup.Break {
			n++
		}
	}
	return n
}

func endsInColon(in []markup.Inline) bool {
	for i := len(in) - 1; i >= 0; i-- {
		if in[i].Kind == markup.Text {
			t := strings.TrimRight(in[i].Text, " \u00a0\n")
			if t == "" {
				continue
			}
			return strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：")
		}
		if in[i].Kind != markup.Anchor && in[i].Kind != markup.IndexMark {
			return false
		}
	}
	return false
}

// quote sets a block quotation (settings.md 8.4). No setting gives it room: one in
// running text stands off by half a line above and below, one among paragraphs a
// blank line apart as they do.
func (w *walker) quote(b *markup.Block, p place) error {
	q := &w.d.Quote
	p.quote++
	if p.kind == frame.Paragraph {
		p.kind = frame.Quote
	}
	in := q.Indent
	if p.quote > 1 {
		in = max(in, w.d.Body.Size)
	}
	if p.width > 4*in {
		p.x += in
		p.width -= 2 * in
	}
	p.text.Color = q.Color
	p.plainInk = true
	if q.Italic {
		p.text.Italic = !w.d.Body.Italic
	}
	at := len(w.flow.nodes)
	if err := w.blocks(b.Children, p); err != nil {
		return err
	}
	if p.kind == frame.Quote && p.quote == 1 && !p.list && !p.spaced && len(w.flow.nodes) > at {
		first, last := &w.flow.nodes[at], &w.flow.nodes[len(w.flow.nodes)-1]
		first.above = max(first.above, p.leading/2)
		first.settles = true
		last.below = max(last.below, p.leading/2)
		last.snap = true
	}
	return nil
}

// columnWidth is the measure of the first text column.
func (j *job) columnWidth() unit.Sp { return columnsOf(j.d, true)[0].W }
