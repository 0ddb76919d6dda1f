// Package frame is the result of typesetting: Book → Chapter → Page → Column →
// Block → Line → Run → Word, with positions and source spans. Every reader of
// pages (paint, inspection, checks, exporters) reads this and nothing else.
//
// Invariants:
//   - Frames are immutable once published; chapters, blocks' texts and line
//     sets are shared between layouts, so a reader never writes to them.
//   - All positions are absolute on their page, in scaled points from the top
//     left corner of the trimmed page, except inside a LineSet, whose X
//     coordinates count from the line's own left end, and in a turned block.
//   - Spans are byte offsets of the chapter's Markdown, front matter included.
package frame

import (
	"iter"
	"strconv"
	"strings"

	"postext/engine/font"
	"postext/engine/picture"
	"postext/engine/unit"
)

// Book is a typeset book.
type Book struct {
	Chapters []*Chapter
}

// PageCount is the number of pages of the whole book, blanks included.
func (b *Book) PageCount() int {
	n := 0
	for _, c := range b.Chapters {
		n += len(c.Pages)
	}
	return n
}

// Chapter is one chapter's run of pages.
type Chapter struct {
	ID, Title string
	// FirstPage is the physical number (from 1) in the book of Pages[0].
	FirstPage int
	Pages     []*Page
	// Converged is false when the refinement loop stopped at its bound.
	Converged bool
	Problems  []Problem
	// Targets are the places that links lead to, in no order that matters.
	Targets []Target

	plain *Chapter // that this one is a colouring of, or nil
}

// Plain is the chapter that c is a colouring of (Ink), else c: what does not depend on
// colours is the same for all colourings of one.
func (c *Chapter) Plain() *Chapter {
	if c.plain != nil {
		return c.plain
	}
	return c
}

// Target is a place that links lead to: the character of a block that has an id.
// What has an id in the text (headings, anchors, boxes, formulas, figures, works
// of a list) is a target of that id, of which the first in the book counts. Others
// have ids of their own: "note/ID", a note, reached from its own chapter; "heading/K"
// and "mark/K", the Kth entry of the outline and the Kth index mark of the chapter,
// which links of any chapter write "#heading/C.K" with the chapter's index, all from
// 0.
type Target struct {
	ID    string
	Page  int   // index in Chapter.Pages
	Block int   // Block.Index; −1: the page as a whole
	At    int32 // in the block's plain text
}

// Target finds where a link of a chapter leads: the chapter's index and the place
// in it. It is nil for addresses and for what is nowhere.
func (b *Book) Target(chapter int, link string) (int, *Target) {
	id, inside := strings.CutPrefix(link, "#")
	if !inside {
		return 0, nil
	}
	only := -1
	if kind, place, ok := strings.Cut(id, "/"); ok {
		switch kind {
		case "note":
			only = chapter
		case "heading", "mark":
			ch, k, _ := strings.Cut(place, ".")
			n, err := strconv.Atoi(ch)
			if err != nil {
				return 0, nil
			}
			only, id = n, kind+"/"+k
		}
	}
	for i, c := range b.Chapters {
		if only >= 0 && i != only {
			continue
		}
		for k := range c.Targets {
			if c.Targets[k].ID == id {
				return i, &c.Targets[k]
			}
		}
	}
	return 0, nil
}

// Problem is a content or layout warning (warnings.md 4).
type Problem struct {
	Kind       string // e.g. "unknownDirective"
	Detail     string // already in plain words
	Start, End int    // byte span in the chapter; Start < 0: no place
	Page       int    // index in Chapter.Pages, -1 when unknown
	Path       string // setting, if any
	Resource   string // resource id, if any
	Fields     []Field
}

// Field is one payload field of a problem (warnings.md 4).
type Field struct{ Key, Value string }

// Role says what a page is for (settings.md 7.4).
type Role uint8

// Page roles.
const (
	Body Role = iota
	Opener
	Part
	Blank
	Contents
	Index
)

// String gives the role's name as the tools write it.
func (r Role) String() string {
	return [...]string{"body", "opener", "part", "blank", "contents", "index"}[r]
}

// Page is one page.
type Page struct {
	Number int    // physical number in the book, from 1; odd is a recto
	Value  int    // the page number by the book's numbering
	Label  string // what is printed, e.g. "iv"
	Role   Role
	Blank  bool // no content of the flow
	Recto  bool

	Width, Height unit.Sp
	Content       unit.Rect // type area: margins applied, mirrored on versos
	Background    unit.Color
	Columns       []Column
	// Floats are the figures that stand apart from the running text, in bands at
	// the head and foot of the columns, in the order they were placed. Their
	// blocks belong to no column.
	Floats []*Block
	// Furniture is painted over the text, in order: running heads, folios, rules.
	Header, Footer []Item
	// LineNumbers stand in the margin beside the lines they count.
	LineNumbers []Item
	// Under is painted below the text: openers' designs, column rules.
	Under []Item
	// Grid is the baseline grid: first line and pitch. Baselines of body lines
	// lie on GridTop + k*GridPitch.
	GridTop, GridPitch unit.Sp
	// Marks are the bleed and the crop marks, when the page is to be cut out of a
	// larger sheet.
	Marks *CropMarks
}

// Blocks gives every block on the page with the index of its column, −1 for a
// float: first the text, column by column, then the floats.
func (p *Page) Blocks() iter.Seq2[int, *Block] {
	return func(yield func(int, *Block) bool) {
		for i := range p.Columns {
			for _, b := range p.Columns[i].Blocks {
				if !yield(i, b) {
					return
				}
			}
		}
		for _, b := range p.Floats {
			if !yield(-1, b) {
				return
			}
		}
	}
}

// Column is one column of a page.
type Column struct {
	Index, Band int
	Box         unit.Rect
	Blocks      []*Block
	// Used is the height from the column's top to the foot of its last line.
	Used unit.Sp
	// Short says which rule ended the column before its last grid line:
	// "" for a full column, else "end", "break", "columnbreak", "opener",
	// "keepWithNext", "orphans", "widows", "keep", "notes" and "float" (they take the
	// rest), "height" (what follows does not fit), "levelled" (cut level with the
	// columns beside it).
	Short string
	// Span marks a full-width column between bands.
	Span bool
}

// BlockKind names what a block is.
type BlockKind string

// Block kinds.
const (
	Heading    BlockKind = "heading"
	Paragraph  BlockKind = "paragraph"
	ListItem   BlockKind = "listItem"
	Quote      BlockKind = "blockquote"
	Code       BlockKind = "code"
	Formula    BlockKind = "formula"
	Resource   BlockKind = "resource"
	Callout    BlockKind = "callout"
	Note       BlockKind = "note"
	Verse      BlockKind = "verse"
	Table      BlockKind = "table"
	SceneBreak BlockKind = "sceneBreak"
	TOC        BlockKind = "toc"
	IndexEntry BlockKind = "index" // an entry or a head of a back-of-book index
	// Frame is the frame of a box or listing in a column: it has a Box and what is
	// painted around the text, but no lines; the blocks of its content follow it.
	Frame BlockKind = "frame"
)

// Block is the part of one block of the flow that stands in one column.
type Block struct {
	Kind  BlockKind
	Index int // place of the block among the chapter's blocks, from 0
	Level int // heading or list level, from 1; 0 elsewhere
	Box   unit.Rect
	Lines []Line
	Text  *Text // plain text of the whole block with its source map
	Start int   // byte span of the whole block in the chapter
	End   int
	// Number is the printed number of a heading, list item, note; "" for none.
	Number string
	Style  string // named style, if any
	ID     string // anchor or resource id, if any
	// Part says what of a resource the block is: "picture", "caption", "note" or
	// "cell" (then Row and Col count from 0); "" elsewhere.
	Part     string
	Row, Col int
	// Continued: the block began in an earlier column; Continues: it goes on.
	Continued, Continues bool
	// FirstLine is the index, in the whole block, of Lines[0].
	FirstLine int
	Snapped   bool
	// Turn is set for what stands on its side: Lines, Under and Over are then those
	// of the page held so that they read upright.
	Turn Turn
	// Under is painted below the block's lines (fills, stripes), Over above.
	Under, Over []Item
	// Counted says how the block's lines take part in the numbering of lines; nil
	// for text that is never counted.
	Counted *Counted
	// Balance says what was done to the block to bring its column to its foot;
	// nil for nothing.
	Balance *Balance
}

// Counted is the part a block's lines have in the numbering of lines (settings.md
// 22).
type Counted struct {
	Verse  bool // one line of verse, whatever of it turns over
	Poem   bool // the first line of its poem
	Always bool // its paragraph style has its lines counted
	Inner  bool // it stands in a group in columns within the page's column
	From   int  // number of its first line; 0: the count goes on
	Every  int  // its poem's own interval; 0: the setting's
}

// Balance is what brought a column to its foot (layout.md 8).
type Balance struct {
	// Levers are "closingBox", "picture", "heading", "list", "float", "paragraph".
	Levers     []string
	SpaceAbove unit.Sp // added above the block
	ExtraLines int     // its paragraph was set that many lines longer
	Tracking   int32   // with that much letter spacing, in thousandths of an em
	Growth     unit.Sp // of a picture, within its crop
}

// Text is a block's plain text and the way back to the source. Map entries are
// sorted by Plain; between two entries text and source run byte for byte in
// step; Atom entries stand for one placeholder covering a whole source span.
type Text struct {
	Plain string
	Map   []MapEntry
}

// MapEntry says that Plain[entry.Plain:] comes from source offset Src.
type MapEntry struct {
	Plain, Src int32
	// SrcLen > 0 marks an atom: the bytes up to the next entry stand for the
	// source span [Src, Src+SrcLen).
	SrcLen int32
}

// Source returns the source offset of plain-text offset p (clamped).
func (t *Text) Source(p int) int {
	if t == nil || len(t.Map) == 0 {
		return 0
	}
	lo, hi := 0, len(t.Map)
	for lo+1 < hi {
		m := (lo + hi) / 2
		if int(t.Map[m].Plain) <= p {
			lo = m
		} else {
			hi = m
		}
	}
	e := t.Map[lo]
	if e.SrcLen > 0 {
		if lo+1 < len(t.Map) && p >= int(t.Map[lo+1].Plain) || lo+1 == len(t.Map) && p >= len(t.Plain) {
			return int(e.Src + e.SrcLen)
		}
		return int(e.Src)
	}
	d := p - int(e.Plain)
	if d < 0 {
		d = 0
	}
	return int(e.Src) + d
}

// Line is a set line at its place on the page.
type Line struct {
	X, Baseline unit.Sp
	// Top and Height give the line's box (baseline at 0.8 of the line height).
	Top, Height unit.Sp
	*LineSet
}

// LineSet is the content of a broken line, shared between layouts.
type LineSet struct {
	Runs  []Run
	Width unit.Sp // natural extent as set, from X
	// Start, End: the line's span in the block's plain text.
	Start, End int32
	// Ratio is the set word space over the natural one, in thousandths
	// (1000 = natural); 0 when the line has no stretchable space.
	Ratio      int32
	Hyphenated bool // a syllable hyphen was added
	HardHyphen bool // ends at a hyphen of the text
	Last       bool // last line of its paragraph (or before a forced break)
	Ragged     bool // set at natural spaces although the block is justified
	// Wanted is the Ratio a Ragged line would have had to have to fill its measure,
	// at most MaxWanted; MaxWanted for a line without a space.
	Wanted    int32
	Justified bool
	Tracking  int32 // thousandths of an em added per character
	// Plates are painted behind the words: chips, swatches, the ground of code.
	Plates []Plate
}

// MaxWanted bounds LineSet.Wanted.
const MaxWanted = 99_990

// Loose is how far a justified line misses its natural spaces, in thousandths of
// them: what its spaces are, or would have had to be. It is 0 for other lines.
func (l *LineSet) Loose() int32 {
	switch {
	case l.Justified:
		return l.Ratio
	case l.Ragged:
		return l.Wanted
	}
	return 0
}

// Plate is a filled or outlined rectangle in a line.
type Plate struct {
	X, W         unit.Sp // from the line's left end
	Above, Below unit.Sp // how far it reaches from the baseline
	Fill, Stroke unit.Color
	Line, Radius unit.Sp // of the stroke, drawn inside; of the corners
}

// Run is a stretch of words in one face, size and colour.
type Run struct {
	Face      *font.Face
	Size      unit.Sp
	Rise      unit.Sp // above the baseline; negative for subscripts
	Color     unit.Color
	Tracking  unit.Sp // added after every glyph
	Underline bool
	Strike    bool
	Link      string // address, or "#" and the id of a Target
	Words     []Word
	// Picture, when not nil, stands at the run's one word, which has no glyphs:
	// PicW × PicH, its foot on the run's baseline.
	Picture    *picture.Picture
	PicW, PicH unit.Sp
}

// Word is a shaped piece of text without stretchable space.
type Word struct {
	X     unit.Sp     // from the line's left end
	Shape *font.Shape // shared, at units per em
	// Start, End: span in the block's plain text; a hyphen added at a line's
	// end is a word with Start == End.
	Start, End int32
	// From, To: the glyphs of Shape that are set (a divided word shows a part
	// only when its parts were not shaped apart). To == 0 means all.
	From, To int32
	// Drawing stands in the place of text; Shape is then without glyphs.
	Drawing *Drawing
}

// Drawing is what stands in a line and is no text: a set formula. It is shared
// like shapes. Places count from the start of its baseline, X to the right and Y
// upwards.
type Drawing struct {
	Width, Height, Depth unit.Sp
	Marks                []Mark
	Bars                 []Bar
}

// Mark is a glyph of a drawing.
type Mark struct {
	Face  *font.Face
	Glyph uint32
	Size  unit.Sp
	X, Y  unit.Sp
	Color unit.Color // transparent: the run's
}

// Bar is a filled rectangle of a drawing; X and Y are its lower left corner.
type Bar struct {
	X, Y, W, H unit.Sp
	Color      unit.Color // transparent: the run's
}

// Pen draws along the edges of letters, its middle on them.
type Pen struct {
	Width  unit.Sp
	Color  unit.Color
	Hollow bool // the letters are not filled
}

// GridLine is the ID of the items that draw the baseline grid: an aid on screen,
// which no printed or exported page shows.
const GridLine = "baselineGrid"

// Item is a piece of furniture at an absolute place on the page.
type Item struct {
	Box    unit.Rect
	Fill   unit.Color // of the whole box, if not transparent
	Stroke unit.Color
	Line   unit.Sp // stroke thickness; drawn inside Box
	Radius unit.Sp // of the corners
	Text   *Line   // a set line, if any; its spans point nowhere
	Pen    *Pen    // along the edges of its letters, if any
	Plain  string  // the text of Text
	ID     string  // element id of the design, e.g. "titleOdd"
	Image  string  // resource id or file name of the picture, if any
	// Picture fills Box; nil with Image set when it could not be had. Crop is the
	// part of it that is shown.
	Picture *picture.Picture
	Crop    picture.Crop
}
