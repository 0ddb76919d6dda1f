package layout

import (
	"postext/engine/markup"
	"strings"

	"postext/engine/frame"
	"postext/engine/settings"
)

// State is what one chapter hands to the next (document-format.md 16). Two
// chapters that start from equal states, with equal text and design, are equal.
type State struct {
	Pages     int    // physical pages before this chapter
	Next      int    // value of the next page's number
	Format    string // of page numbers
	Counters  [6]int // of headings, by level
	Ordinal   int    // level-1 headings so far
	Notes     int    // notes so far (only where their numbers do not restart)
	Boxes     counts // numbered boxes so far
	Equations int    // numbered formulas since the count began
	Lines     int    `json:",omitempty"` // number of the next line counted, 0 before the first
	Part      Part
	Meta      Meta
	Running   Running // of the chapter before, for a blank that belongs to it
}

// Running is a chapter's heading as running heads print it.
type Running struct {
	Title, Number string
	Attrs         string // "key\x00value\x00" of each attribute
}

// attr looks an attribute up.
func (r *Running) attr(key string) string {
	f := strings.Split(r.Attrs, "\x00")
	for i := len(f)/2*2 - 2; i >= 0; i -= 2 {
		if f[i] == key {
			return f[i+1]
		}
	}
	return ""
}

// Part is the part a page stands in.
type Part struct {
	Number, Title string
	Palette       string // as its fence writes it
}

// Meta is the first chapter's front matter, which reaches every chapter.
type Meta struct{ Title, Subtitle, Author, PublishDate string }

// structure is the part of a state the flow of a chapter depends on.
type structure struct {
	Counters  [6]int
	Ordinal   int
	Notes     int
	Boxes     counts
	Equations int
	Part      Part
}

func (s State) structure() structure {
	return structure{s.Counters, s.Ordinal, s.Notes, s.Boxes, s.Equations, s.Part}
}

// Key is of what of a state the pages of the chapter after it depend on besides
// their numbers: two states with one key give the same pages but for these. With
// numbers it is of the next page's number too. It is the same in every program.
func (s State) Key(numbers bool) uint64 {
	h := newHasher()
	for _, c := range s.Counters {
		h.num(uint64(c))
	}
	h.num(uint64(s.Ordinal), uint64(s.Notes), uint64(s.Equations), uint64(s.Pages&1), flag(s.Pages == 0), flag(numbers))
	if numbers {
		h.num(uint64(s.Next), uint64(s.Lines))
	}
	for _, t := range []string{string(s.Boxes), s.Part.Number, s.Part.Title, s.Part.Palette, s.Format, s.Running.Title, s.Running.Number, s.Running.Attrs} {
		h.str(t)
	}
	return h.sum()
}

// Entry is one line of the book's outline: a heading or a part.
type Entry struct {
	Level  int // 0 for a part
	Number string
	Title  string
	ID     string
	Page   int    // index in the chapter's pages
	Label  string // printed page number
	TOC    bool
	// Spelled: the number spells its word itself.
	Spelled bool
	// What the contents print besides: the chapter's ordinal, where it has no
	// number; the title with its marks, nil when it has none; a second line.
	Ordinal    int
	Marked     []markup.Inline
	Subtitle   string
	Unnumbered bool // its style is not counted
}

// Outline is the outline of a whole book, chapter by chapter.
type Outline [][]Entry

// Chapter is a laid-out chapter with what it hands on.
type Chapter struct {
	Frame   *frame.Chapter
	Start   State
	End     State
	Entries []Entry
	// Contents: the chapter prints the book's outline.
	Contents bool
	// Totals: its running heads print the number of pages of the whole book.
	Totals bool

	flow   *flow
	design *settings.Design
	pages  []placedPage
	placed []placedHead
	total  int // the number printed for it
}
