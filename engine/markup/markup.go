// Package markup reads extended Markdown (document-format.md) into a document
// tree. It never fails: wrong input gives a node that keeps the words, and a
// Problem. Every node carries its span: byte offsets of the chapter's source,
// front matter included. (The tools speak UTF-16 offsets; they convert at their
// border.)
//
// # Ideas
//
// Two passes. The first (block.go and its neighbours) cuts the lines into
// blocks and leaves each text block as a run of lines; link and note
// definitions are then known from the whole chapter. The second (inline.go)
// reads each text block once from left to right and gives a flat list of
// inlines: nesting is folded into styles, so that no reader needs recursion.
//
// # Invariants
//
//   - A child's span lies inside its parent's; blocks stand in source order.
//   - A Text inline runs byte for byte in step with the source: Text[i] comes
//     from Source[Start+i]. Two pieces are substituted and hold to the length
//     only or to the span only: the space that joins two lines (it stands on the
//     line end's byte) and the no-break space written as ~ before \ref (an atom:
//     len(Text) differs from End-Start).
//   - Time and memory are linear in the source, and the tree is never deeper
//     than maxDepth: what is nested deeper prints as text.
//
// # Which rule wins
//
// document-format.md comes first; where it is silent, or only says that an
// ordinary construct prints as text, the construct is read as CommonMark 0.31.2
// and GitHub's tables, task items and strikethrough define it. The suite's
// exceptions (testdata/commonmark-exceptions.txt) name each place where the two
// differ. Three choices of ours: a backslash escapes any ASCII punctuation but a
// backslash, since ordinary Markdown's marks must be escapable too; a line
// indented by four columns is code only when no rule that ignores indentation
// reads it (Options.IndentedCode makes it code first); a list item is continued
// by lines indented two columns past its marker, the format's own measure.
package markup

// Document is one parsed chapter.
type Document struct {
	Source   string
	Meta     *Meta // front matter; nil when there is none
	Body     int   // offset where the body starts
	Blocks   []*Block
	Notes    []*Note // footnote definitions, in source order
	Problems []Problem
}

// Meta is the front matter's printed fields (document-format.md 1).
type Meta struct {
	Title, Subtitle, Author, PublishDate string
	Raw                                  map[string]any
}

// Problem is a content warning (document-format.md 17).
type Problem struct {
	Kind       string
	Detail     string // plain words for the author
	Start, End int
	// Fields are the payload of warnings.md 4.3 (name, id, key, value, …).
	Fields Attrs
}

// Kind is what a block is.
type Kind uint8

// Block kinds.
const (
	Paragraph  Kind = iota
	Heading         // Level, Inlines, Attrs
	Quote           // Children
	List            // Children are Items; Ordered, Start
	Item            // Children; Task, Checked
	Code            // Literal, Info, Attrs
	Formula         // Literal (TeX)
	Embed           // ::resource{id}; ID
	Image           // an image alone in a paragraph: Target, Title, Inlines = alternative text
	Table           // pipe table: Rows
	SceneBreak      // thematic break
	Container       // :::name{…}: Name, Attrs, Children
	Raw             // :::verse, :::references, :::page, :::strip: Name, Attrs, Literal (LitStart)
	Directive       // :::pagebreak … : Name, Attrs
	Stanza          // of a Raw verse: Children are Paragraphs, one a line of verse
)

// Block is a node of the block tree.
type Block struct {
	Kind       Kind
	Start, End int // byte span in the source
	Level      int // heading level 1..6; list item depth from 1; verse line: steps of indent
	Inlines    []Inline
	Children   []*Block
	Attrs      Attrs
	Name       string // container, raw or directive name
	ID         string // anchor id
	Literal    string // code, TeX, verse, as written
	LitStart   int    // offset of Literal's first byte
	// LineStarts gives the source offset of each line of Literal when Literal is
	// not Source[LitStart:LitStart+len(Literal)] (a listing in a quote or list).
	LineStarts []int
	Info       string // code: language
	Ordered    bool
	First      int // ordered list: number of its first item
	Tight      bool
	Task       bool
	Checked    bool
	Target     string
	Title      string
	Link       string   // Image: where it leads when it stands in a link
	Rows       [][]Cell // tables; the first HeaderRows are headers
	HeaderRows int
	// Caption is the caption of a Table (from its "Table:" line) or of an Image
	// (from its title); ID and Attrs come from the braces after it.
	Caption []Inline
	// AfterDisplay: the paragraph goes on after a display formula (4.7).
	AfterDisplay bool
	// Interrupts: the formula stands right under a paragraph's line (4.7).
	Interrupts bool
}

// Cell is a table cell.
type Cell struct {
	Inlines    []Inline
	Align      string // "", left, center, right
	Start, End int    // byte span of the cell's content
}

// Attrs is an attribute block {key="value" flag}; order kept, last value wins.
type Attrs []Attr

// Attr is one attribute. A flag has an empty value and Flag set.
type Attr struct {
	Key, Value string
	Flag       bool
	// Start, End is the value's byte span (for a flag the key's); both 0 for an
	// attribute the parser supplied itself.
	Start, End int
}

// Get returns the last value of key.
func (a Attrs) Get(key string) (string, bool) {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i].Key == key {
			return a[i].Value, true
		}
	}
	return "", false
}

// Style is a set of inline styles.
type Style uint32

// Inline styles.
const (
	Bold Style = 1 << iota
	Italic
	Sup
	Sub
	CodeSpan
	Strike
	Underline
	SmallCaps
	Mark
	Small
	Kbd
)

// InlineKind is what an inline is.
type InlineKind uint8

// Inline kinds. The list is flat: nesting is folded into Style and Link.
const (
	Text      InlineKind = iota // Text in Style
	Break                       // forced line break
	Math                        // $…$: Text is TeX
	Ref                         // :ref{…}, \ref, @sec: ID, Attrs; Target = the id without its sec/fig/tbl/eq/lst prefix
	NoteRef                     // [^id]: ID
	Citation                    // [@key …]: Text as written
	Swatch                      // Attrs
	Chip                        // Text, Inner.Words, Attrs
	Tab                         // Attrs
	InlineImg                   // Target, Text = alternative text, Inner
	Anchor                      // invisible, ID; stands before the words it names, and its span covers them
	IndexMark                   // invisible, Attrs (always with "term"); Text when it prints something is its own Text inline
)

// Span is an inline mark without a style of its own: :dots[…], :ruby[…]{…},
// :name[…], :ltr[…] and their kin. The inlines inside point to the innermost.
type Span struct {
	Name       string
	Attrs      Attrs
	Start, End int
	Outer      *Span // the span around this one, or nil
}

// Inline is a piece of a text block. For Text inlines the source of Text[i] is
// Start+i when the piece has no escapes inside: the parser splits pieces so that
// text and source always run byte for byte in step (Start..Start+len(Text)),
// except for atoms, whose whole source span is Start..End.
type Inline struct {
	Kind       InlineKind
	Style      Style
	Start, End int
	Text       string
	Link       string // target, when inside a link
	ID         string
	Target     string
	Attrs      Attrs
	Lang, Dir  string
	Span       *Span
	Inner      *Inner // Chip, InlineImg
}

// Inner is what an atom holds besides its text.
type Inner struct {
	Words   []Inline // a chip's words, a picture's alternative text, with marks
	Title   string   // picture: the title as plain text
	Caption []Inline // picture: the title with its marks
}

// Note is a footnote definition.
type Note struct {
	ID         string
	Start, End int
	Blocks     []*Block
}

// Options are the switches of document-format.md 19.
type Options struct {
	NoHeadingMarks bool // headings.inlineMarks: false
	NoHardBreaks   bool // bodyText.hardLineBreaks: false
	NoCodeBlocks   bool // codeStyle.blocks: false
	IndentedCode   bool // codeStyle.indentedCode: true
	Locale         string
	HeadingNotes   bool // read note markers in headings, which the format prints as written
	FirstChapter   bool // its front matter is parsed; in others it is cut out (chapterFrontmatterIgnored)
}
