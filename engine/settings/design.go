package settings

import "postext/engine/unit"

// Design is the resolved configuration: every length in scaled points, every
// default and cascade applied (settings.md 4). It is immutable; two equal
// designs have equal Keys.
type Design struct {
	// Key identifies what decides lines and pages (a hash): a change of ink or of
	// running heads keeps it. FlowKey identifies the inks of the text as well,
	// InkKey everything.
	Key, FlowKey, InkKey uint64

	Locale string // document language, e.g. "en-us"
	// Direction is the document's: "rtl" where the setting or the script of the
	// language says so, "ltr" where the setting does, else "".
	Direction   string
	Page        Page
	Layout      Layout
	Body        Text
	Para        ParaRules
	Headings    Headings
	Quote       Quote
	Bullets     BulletList
	Numbers     NumberList
	Header      Slot
	Footer      Slot
	Parts       Parts
	Contents    Contents
	Code        Code
	Math        Math
	Citations   Citations
	Index       Index
	Refs        Refs
	Listing     Listing
	Boxes       []BoxStyle
	BoxesGiven  bool // the book has a list of box styles of its own
	Styles      []ParagraphStyle
	Chips       []ChipStyle
	Tabs        TabStops
	Palette     []PaletteColor
	Verse       Verse
	Notes       Notes
	LineNumbers LineNumbers
	Debug       Debug
	Reading     Reading
	Warnings    []Warning // configuration warnings, settings.md 36.1
	Figures     Figures

	looks *looks // the designs of its parts and sections
	// numbered is what its colours stand for, in a design with numbers for colours.
	numbered *numbered
}

// Warning is a configuration warning.
type Warning struct{ Kind, Path, Value, Used, Suggestion string }

// Page geometry (settings.md 5).
type Page struct {
	Width, Height            unit.Sp
	Top, Bottom, Left, Right unit.Sp
	Mirror                   bool
	Background               unit.Color
	DPI                      float64
	RightBound               bool
	NumberFormat             string // canonical page.pageNumbering spelling
	StartAt                  int
	Grid                     Rule // drawn baseline grid
	Cut                      CutLines
}

// CutLines are the bleed and the crop marks around the trimmed page (settings.md
// 5): they make the sheet larger and move nothing on the page.
type CutLines struct {
	Enabled               bool
	Bleed                 unit.Sp
	Offset, Length, Width unit.Sp // of a mark: from the trim to its start, its own
	Color                 unit.Color
}

// Rule is a stroke that may be off.
type Rule struct {
	Enabled bool
	Color   unit.Color
	Width   unit.Sp
}

// Layout is the arrangement of columns (settings.md 6).
type Layout struct {
	Type        string // single, double, oneAndHalf, multiple
	Columns     int    // resolved number of text columns: 1, 2, 3…8
	Gutter      unit.Sp
	SidePercent float64
	SideRole    string
	SideSide    string
	Rule        Rule
	FlowColumns bool
	BoxChildMin int // lines of a box's child on each side of a cut
}

// Text is how running text looks (settings.md 8.1, 8.2).
type Text struct {
	Family       string
	Size         unit.Sp
	Leading      unit.Sp // distance of baselines
	Weight       int
	BoldWeight   int
	Italic       bool
	Color        unit.Color
	MathColor    unit.Color // of formulas; transparent: the text's
	BoldColor    unit.Color
	ItalicColor  unit.Color
	RefColor     unit.Color
	RefBold      bool
	RefItalic    bool
	Align        string // justify, left, right, center
	Indent       unit.Sp
	Hanging      bool
	Transform    string // none, uppercase
	SmallCaps    bool
	Tracking     unit.Sp
	Hyphenate    bool
	HyphenLang   string
	HyphenRagged bool
	HyphenZone   unit.Sp
	Compounds    bool
	// Word spacing limits and tracking, in thousandths (of the natural space;
	// of an em).
	MaxSpace, MinSpace int32
	MaxTracking        int32
	Optimal            bool
	OptimalRagged      bool
	AfterDashes        bool
	AfterHyphens       bool
	RepeatHyphen       bool
	AcrossColumns      bool
}

// ParaRules are the rules at paragraph ends and column breaks (settings.md 8.3).
type ParaRules struct {
	IndentAfterHeading bool
	ParagraphSpacing   bool
	AddUnderGroups     bool // the space under a group adds to the next block's
	AvoidOrphans       bool // head of the next column
	OrphanMin          int
	OrphanPenalty      int64
	OrphansInLists     bool
	AvoidWidows        bool // foot of the column
	WidowMin           int
	WidowPenalty       int64
	WidowsInLists      bool
	SlackWeight        int64
	AvoidRunts         bool
	RuntMinSpaces      float64
	RuntPenalty        int32
	GradedRunt         bool
	RuntsInLists       bool
	TightenRunts       bool
	MaxRuntTracking    int32 // thousandths of an em
	KeepColonWithList  bool
	ColonRoom          string
}

// Headings holds the six levels, resolved (settings.md 10).
type Headings struct {
	KeepWithNext       bool
	KeepWithNextSpread bool
	KeepWithNextSplit  string
	InlineMarks        bool
	Balance            Balance
	Levels             [6]HeadingLevel // [0] is level 1
	Styles             []HeadingStyle
}

// Balance is what may be done to bring columns to their foot (settings.md 10.2).
type Balance struct {
	Enabled    bool
	PerHeading int // most lines added above a heading
	AfterList  int // … where a list ends and under displays and boxes; 0: off
	AfterFloat int // … under a picture that heads the column; 0: off
	Loose      int // most paragraphs set a line longer in a column; 0: off
	// Tracking is the letter spacing they may take for it, in thousandths of an
	// em; 0: none.
	Tracking   int32
	Trailing   bool   // the closing band is cut level
	BeforeSpan bool   // so is the band before a block across the columns
	ClosingBox string // first, last, off
}

// HeadingLevel is one level.
type HeadingLevel struct {
	Text           Text
	MarginTop      unit.Sp
	MarginBottom   unit.Sp
	Snap           bool
	Template       string
	Separator      string
	NumberReplaces bool
	// Indent sets the whole heading in, FirstIndent its first line besides.
	Indent, FirstIndent unit.Sp
	BreakBefore         bool
	Parity              string
	Hidden              bool
	SpanPage            bool
	SpanBreak           bool
	Numbered            bool // false only through a style
	TOC                 bool
	RunningChapter      bool
	DropCap             DropCap // of the paragraph under it
	// Designed: the level is drawn from Design, on at least MinHeight.
	Designed  bool
	Design    Slot
	MinHeight unit.Sp
}

// HeadingStyle is a named variant, and what holds on the pages of its section.
type HeadingStyle struct {
	ID     string
	Levels [6]HeadingLevel
	// Header and Footer replace the document's where they are set.
	Header, Footer       Slot
	HeaderSet, FooterSet bool
	Pages                Pages // of its section
}

// Parts is how parts are set (settings.md 18).
type Parts struct {
	Page        bool // a divider page of its own
	Parity      string
	After       bool   // what follows begins a page
	AfterParity string // of that page
	Design      Slot
	Verso       Slot  // of the blank page behind it
	Pages       Pages // its page
}

// Quote is the block quote (settings.md 8.4).
type Quote struct {
	Color       unit.Color
	Italic      bool
	Indent      unit.Sp
	FirstIndent unit.Sp
}

// BulletList is unorderedLists resolved per depth (settings.md 12.1).
type BulletList struct {
	Family                               string
	MarginTop, MarginBottom, ItemSpacing unit.Sp
	Hanging                              bool
	SnapTop                              bool
	TaskOpen, TaskDone                   string
	TaskStrike                           bool
	TaskDoneColor                        unit.Color
	TaskDoneColorSet                     bool
	Levels                               [5]Marker
}

// NumberList is orderedLists resolved per depth (settings.md 12.2).
type NumberList struct {
	Family                               string
	MarginTop, MarginBottom, ItemSpacing unit.Sp
	Hanging                              bool
	SnapTop                              bool
	WidthByLevel                         bool
	Levels                               [5]Marker
}

// Marker is the bullet or number of one depth.
type Marker struct {
	Char      string // bullets
	Format    string // numbers, canonical page.pageNumbering spelling
	Prefix    string
	Separator string
	SepFamily string
	SepWeight int
	SepItalic bool
	SepColor  unit.Color // transparent: the number's
	SepGap    unit.Sp
	Family    string
	Size      unit.Sp
	Weight    int
	Italic    bool
	Color     unit.Color
	Offset    unit.Sp // downwards
	Gap       unit.Sp
	Indent    unit.Sp
	IndentSet bool // else: the parent's text start
}

// Code is the face of code listings and spans.
type Code struct {
	Family  string
	Size    unit.Sp
	Leading unit.Sp
	Color   unit.Color
	Inline  bool // spans take the code face
	// InlineSize is the size of spans in thousandths of the text's around them.
	InlineSize int64
	Blocks     bool
	Indented   bool
	TabSize    int    // cells a tab fills up to
	WrapIndent int    // cells the rest of a wrapped line is set in
	WrapMarker string // stands before it; "" for none
	Span       InlineCode
	Tokens     [TokenKinds]Token // in the order of TokenNames
}

// Math is how formulas are set (settings.md 13).
type Math struct {
	Enabled bool
	// Scale is the em of formulas in thousandths of the text's around them.
	Scale            int64
	Above, Below     unit.Sp // around displays
	IndentAfter      bool
	KeepWithLeadIn   bool
	Numbered         bool
	Template, Format string // of numbers; Format has {n} in it
	Reset            int    // level of headings that begin the count anew, 0: none
	Counter          string // number format
}

// Citations is how works are cited and listed (settings.md 24).
type Citations struct {
	Style, Locale, Marker string
	Custom                string // CSL text of the style custom
	InLine                bool   // notes of styles that cite in notes stand in the line
	Link, Collapse        bool
	PerChapter            bool // numbers begin anew in each chapter
	Title                 string
	TitleGiven            bool
	Scope                 string // book, chapter
	Auto                  bool
	Size, Leading         unit.Sp
	Hanging, Spacing      unit.Sp
	LabelWidth            unit.Sp // 0: the longest label
	LabelRight            bool
	DOI                   string // link, text, hide
	Uncited               bool
	ByLanguage            bool // the list brings works of a language together
}

// Index is how back-of-book indexes are set (settings.md 20).
type Index struct {
	Text                      Text
	Indent, Turnover, Spacing unit.Sp
	Separator                 string // between an entry and its pages
	Between, Dash             string // between pages, in ranges
	Merge, Short              bool   // consecutive pages become a range; its second number is shortened
	MainBold, MainItalic      bool
	See, Also                 string
	SeeItalic                 bool
	Locale                    string
	Groups                    bool // heads stand above groups
	Head                      Text // of the heads
	HeadAbove                 unit.Sp
	Symbols, Figures          string // heads of signs and numbers
	NoArticle                 bool   // the Arabic article is passed over in sorting
}

// Refs is what references print (settings.md 23); the words have {n} in them.
type Refs struct {
	Chapter, Section, Page string
	Style                  string // of a reference that names none: "", number, title, page
}

// Slot is a header or footer (settings.md 7).
type Slot struct{ Elements []Element }

// Element is one piece of a slot.
type Element struct {
	Kind     string // text, rule, box, image
	ID       string
	Parity   string // all, odd, even
	Pages    string // all, body, opener, part, blank
	AnchorTo string // container, page, bleed, outer, #id
	Edge     string
	OffsetX  unit.Sp
	OffsetY  unit.Sp
	Width    Extent
	Height   Extent
	MaxWidth unit.Sp // 0: none

	// Reserve: counts toward the height a heading's design keeps free.
	Reserve       bool
	Content       string
	Text          Text // family, size, weight, italic, colour, align, leading, tracking, transform
	VerticalAlign string
	Overflow      string
	InlineMarks   bool
	ParaIndent    unit.Sp // of the first lines of paragraphs after the first
	DropCap       DropCap // of the first
	// Pen draws along the edges of the letters; with Hollow they are not filled.
	Pen      unit.Sp
	PenColor unit.Color
	Hollow   bool

	Vertical  bool // rules
	Color     unit.Color
	Thickness unit.Sp

	Fill        unit.Color // boxes and plates
	Border      unit.Color
	BorderWidth unit.Sp
	Radius      unit.Sp
	Pad         [4]unit.Sp // top, right, bottom, left
	ResourceID  string     // images
	Decorative  bool
}

// Extent is a width or height: a length, "auto" or "fill".
type Extent struct {
	Mode   string // "length", "auto", "fill"
	Length unit.Sp
}

// Debug are screen aids.
type Debug struct {
	LooseThreshold float64
	LooseColor     unit.Color
	Loose          bool
	Caret          bool
	CaretColor     unit.Color
	Selection      bool
	SelectionColor unit.Color
	Negative       bool
}

// Reading are the switches of document-format.md 19 that the parser takes.
type Reading struct {
	HeadingMarks bool
	HardBreaks   bool
	CodeBlocks   bool
	IndentedCode bool
}
