package settings

import "postext/engine/unit"

// What a design says of the constructs inside the text: boxes, listings, named
// paragraphs, labels, verse, tabs and notes.

// Relative is a length that counts from the text it stands in: a share of that
// text's size, or fixed.
type Relative struct {
	Ems   int64 // thousandths of the size
	Fixed unit.Sp
}

// Of is the length beside text of a size.
func (l Relative) Of(size unit.Sp) unit.Sp {
	return unit.Sp(unit.MulDiv(int64(size), l.Ems, 1000)) + l.Fixed
}

// Sides are lengths on the four sides of a box.
type Sides struct{ Top, Right, Bottom, Left unit.Sp }

// Frame is the rectangle around a box: its fill (transparent for none), its
// outline, drawn inside the edge, its corners and the room inside.
type Frame struct {
	Fill, Border unit.Color
	BorderWidth  unit.Sp
	Radius       unit.Sp
	Pad          Sides
}

// Break says how a box meets the end of a column (layout.md 9).
type Break struct {
	KeepTogether bool
	MinLines     int // of text on each side of a cut
	RepeatTitle  bool
	Suffix       string // behind a repeated title
	Continues    string // the line under a part that goes on; "" for none
	Align        string // of that line
	Italic       bool   // likewise
}

// BoxStyle is a style of boxes (settings.md 17).
type BoxStyle struct {
	ID        string
	Title     string
	Span      string // column, page, side
	Columns   int
	Placement string // here, auto, top, bottom, fixed
	SideAfter bool   // a side box goes on with the text where that goes on elsewhere
	Pin       Pin
	Barrier   bool
	Wrap      string // none, left, right
	AutoWidth bool   // a box of a title alone is as wide as the title
	Frame     Frame
	Stripe    Stripe
	Icon      Icon
	Marker    Icon // outside, on the left
	MarkRule  Rule // between marker and box
	MarkRuleH unit.Sp
	Label     BoxLabel
	Heading   BoxTitle
	Body      Text
	Spaced    bool // a blank line between paragraphs
	Tabs      TabStops
	Lists     BoxLists
	ColumnGap unit.Sp
	Above     unit.Sp
	Below     unit.Sp
	Snap      bool
	Break     Break
	Numbering Statement
	EndMark   string
}

// Pin is the place of a box pinned to its page.
type Pin struct {
	To   string // container, page, bleed
	Edge string
	X, Y unit.Sp // from that point, right and down
	// Bleed is how far the frame reaches beyond the page: the bleed, when it is the
	// box's frame and there is one.
	Bleed unit.Sp
}

// Stripe is a band along an edge of a box.
type Stripe struct {
	Enabled bool
	Width   unit.Sp
	Color   unit.Color
	Side    string // left, right, top
}

// Icon is a sign beside a box's text.
type Icon struct {
	Glyph    string // "" for none
	Resource string // "" for none
	Text     Text
	Width    unit.Sp // of its column
	Gap      unit.Sp
	Centre   bool
	Corner   string // "", else the corner it stands on as a badge: left, right, outer, inner
}

// Shown reports whether there is anything to print.
func (i *Icon) Shown() bool { return i.Glyph != "" || i.Resource != "" }

// BoxLabel is the tab on a box's upper edge.
type BoxLabel struct {
	Enabled       bool
	Text          Text
	Background    unit.Color
	Left          bool
	Height, PadX  unit.Sp
	Offset, Inset unit.Sp
	Resource      string
	IconWidth     unit.Sp
	IconGap       unit.Sp
	Rule          Rule
}

// BoxTitle is how the title over a box's text is set.
type BoxTitle struct {
	Text        Text
	Gap, Indent unit.Sp
}

// BoxLists is what a box changes in the lists inside it.
type BoxLists struct {
	Char                          string
	CharSet, ColorSet             bool
	Color                         unit.Color
	Indent, Gap, Spacing, Size    unit.Sp
	IndentSet, GapSet, SpacingSet bool
	SizeSet, WeightSet            bool
	Weight                        int
}

// Statement is the numbering of a style's boxes: "Theorem 2."
type Statement struct {
	Label     string
	Counter   string // shared name; "" counts nothing
	Template  string
	ResetOn   int // heading level, 0: never
	Format    string
	InTitle   bool
	Bold      bool
	Italic    bool
	Separator string // after label and number
}

// On reports whether the style's boxes carry a label.
func (s *Statement) On() bool { return s.Label != "" }

// Listing is how code blocks are set (settings.md 16).
type Listing struct {
	Frame        Frame
	Above, Below unit.Sp
	Snap         bool
	SpanPage     bool
	Overflow     string // wrap, shrink, clip
	MinScale     int64  // thousandths
	Numbers      bool
	NumberColor  unit.Color // of line numbers and of the wrap mark
	NumberGap    unit.Sp
	Mark         unit.Color // behind marked lines
	Weight, Bold int
	Break        Break
	Heading      BoxTitle
	Label        BoxLabel
	Highlight    bool
}

// Token is how a kind of word of a program is printed.
type Token struct {
	Color        unit.Color
	Bold, Italic bool
}

// TokenKinds is the number of kinds of words in a program.
const TokenKinds = 12

// TokenNames are the kinds, as codeStyle.tokens calls them.
var TokenNames = func() (names [TokenKinds]string) {
	for i, k := range tokenKinds {
		names[i] = k[0]
	}
	return
}()

// InlineCode is how code spans look beside their face.
type InlineCode struct {
	Family      string
	Color       unit.Color
	ColorSet    bool
	Bold        bool
	Italic      bool
	Fill        unit.Color
	Border      unit.Color
	BorderWidth Relative
	Radius      Relative
	PadX, PadY  Relative
}

// ParagraphStyle is a style of paragraphs (settings.md 14). Text.Indent is the
// indent of first lines, counted from Indent.
type ParagraphStyle struct {
	ID              string
	Text            Text
	Indent          unit.Sp
	EndIndent       unit.Sp
	Hang            unit.Sp // of all lines but the first, from Indent
	Between         unit.Sp
	Above, Below    unit.Sp
	Snap            bool
	Tabs            TabStops
	DropCap         DropCap
	IndentGiven     bool // the style says how first lines are set in
	CountLines      bool // lines are counted always or never
	CountLinesGiven bool
}

// DropCap is an enlarged first letter (settings.md 8.5).
type DropCap struct {
	On          bool
	Lines, Sink int
	Chars       int
	Family      string // "" is the paragraph's
	Weight      int    // 0 is the paragraph's
	Italic      bool
	ItalicSet   bool
	Color       unit.Color
	ColorSet    bool
	Size        Relative // zero: computed from the lines
	Gap         Relative
	Punctuation string // with-cap, hang, text
	LeadWords   int    // words after it in small capitals; LeadLine is the line
	LeadCaps    bool
	LeadUpper   bool
	Short       string // reserve, shrink, skip
	Each        bool
}

// LeadLine as DropCap.LeadWords means the whole first line.
const LeadLine = -1

// ChipStyle is a style of boxed words (settings.md 15). Lengths count from the
// chip's own size, Size from the text around.
type ChipStyle struct {
	ID                string
	Fill, Border      unit.Color
	BorderWidth       Relative
	Radius            Relative
	PadX              Relative
	PadTop, PadBottom Relative
	Family            string // "" is that of the text around
	Size              Relative
	Color             unit.Color
	ColorSet          bool
	Bold, Italic      bool
	Gap               Relative
}

// TabStops are the stops of a paragraph (settings.md 8.4).
type TabStops struct {
	Stops    []TabStop
	Interval unit.Sp // further stops past the last; 0: none
}

// Any reports whether a typed tab is a tab.
func (t *TabStops) Any() bool { return len(t.Stops) > 0 || t.Interval > 0 }

// TabStop is one stop.
type TabStop struct {
	At      unit.Sp
	Share   int64 // of the measure, in hundred-thousandths; counts when not zero
	Align   string
	Leader  string
	Gap     unit.Sp
	Decimal string
}

// Verse is how poems are set (settings.md 8.4).
type Verse struct {
	IndentStep  Relative
	Right       bool // turnovers stand flush right
	Hang        Relative
	Mark        string
	StanzaSpace int64 // thousandths of a line
	Keep        int
	Tighten     bool
}

// LineNumbers is how lines are numbered (settings.md 22).
type LineNumbers struct {
	On       bool
	All      bool   // all lines are counted, not those of poems alone
	Interval int    // lines from one number printed to the next, 1 or more
	First    bool   // the first number of a count is printed too
	Restart  string // document, chapter, section, page, poem
	StartAt  int
	Position string // outer, inner, left, right, start, end, side
	Columns  string // each, gutter, outer-edges
	Gap      unit.Sp
	Align    string // auto, left, right
	Text     Text
	Format   string // canonical page.pageNumbering spelling
}

// Notes is how footnotes are set (settings.md 21).
type Notes struct {
	ChapterEnd   bool
	AtText       bool   // notes at a chapter's end stand under the text
	Numbering    string // chapter, document, page, column, spread
	Format       string // canonical page.pageNumbering spelling, or "symbols"
	Symbols      []string
	Inline       bool // marks in the text are not raised
	NumberInline bool // nor are numbers of notes
	Template     string
	Gap          string // after the number
	Text         Text
	Hang         unit.Sp
	Between      unit.Sp
	Above        unit.Sp // text to rule
	BelowRule    unit.Sp
	Rule         bool
	RuleShare    int64 // thousandths of the column
	RuleWidth    unit.Sp
	RuleColor    unit.Color
}

// PaletteColor is an entry of the book's palette.
type PaletteColor struct {
	ID    string
	Color unit.Color
}

// Color reads a colour as an attribute writes it: a palette id, or any of the
// written forms of settings.md 1.2; ok is false when it is none.
func (d *Design) Color(s string) (c unit.Color, ok bool) {
	for i := range d.Palette {
		if d.Palette[i].ID == s {
			return d.Palette[i].Color, true
		}
	}
	if c, ok = colorOf(strNode(s)); ok && d.numbered != nil {
		c = d.numbered.literal(c)
	}
	return c, ok
}
