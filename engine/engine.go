// Package engine is the typesetter's façade: a pure function from a book, its
// settings and its fonts to pages, with caches that make the next call cheap. An
// unchanged paragraph is never shaped or broken twice, an unchanged chapter
// never laid out twice.
package engine

import (
	"context"

	"postext/book"
	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
)

// World is everything a page needs from outside. Browser, server and tests
// differ here and nowhere else.
type World interface {
	// Font returns the font file that serves a family at a weight and slant,
	// the nearest the family has when it has not exactly that. An error names
	// the families there are; the layout then falls back and reports it. Of a
	// family that is not to be had here at all it is a NoFamily.
	Font(ctx context.Context, family string, weight int, italic bool) (FontFile, error)
	// Patterns returns a file of hyphenation patterns, named as package hyphen
	// names them. On an error words stay whole and the book's problems say so;
	// the next layout asks again.
	Patterns(ctx context.Context, name string) ([]byte, error)
	// Picture returns the bytes of a picture of the book, without going to the
	// network for it; an error says in plain words why there are none. The layout
	// then sets a box with words in its place and reports it.
	Picture(ctx context.Context, r *book.Resource) ([]byte, error)
	// Yield lets the host's event loop run and returns ctx's error when the
	// work is no longer wanted. It is called at least every 10 ms of work.
	Yield(ctx context.Context) error
}

// FontFile is a font as the world has it. The type lives in package font so
// that sources of fonts need not know the engine.
type FontFile = font.File

// Result is a typeset book with what it was made from.
type Result struct {
	Frames *frame.Book
	Design *settings.Design
	Docs   []*markup.Document // one per chapter
	// Records remember the pages for another visit; Engine is left to whoever
	// keeps them.
	Records *Records
	// Problems belong to the book, not to a chapter: faces that stand in for
	// others.
	Problems []frame.Problem
	// Stands names, for each family of which a face could not be had, the family set
	// in its place.
	Stands map[string]string
	// Again reports whether one of the faces that could not be had can be had now.
	// It may take as long as the network does, and be called from anywhere and after
	// the next layout. It is nil when asking again is of no use.
	Again func(ctx context.Context) bool
}

// Counters tell what the last calls cost; they only grow.
type Counters struct {
	ParagraphsShaped int64 // text blocks turned into boxes and glue (their own setting)
	ParagraphsBroken int64 // break searches run
	ChaptersParsed   int64
	ChaptersPlaced   int64
	PagesPlaced      int64
	Looks            int64 // how often the layout was ready to stop
}

// Observer hears of the progress of one Typeset call, and may bring what is known
// from an earlier visit. Everything may be left out.
type Observer struct {
	// Chapter is told each chapter as it is done, in order, with the number of
	// chapters of the book, and whether it took any work.
	Chapter func(i, of int, c *frame.Chapter, fresh bool)
	// Records are those of an earlier visit. Known is told at once what they say of
	// the first chapters, as many as they hold for.
	Records *Records
	Known   func(pages []KnownPages)
	// Wanted is the chapter (from 0) to lay out first, when the records tell where
	// it begins; Early is told its pages. Its place in the order comes later.
	Wanted int
	Early  func(i int, c *frame.Chapter)
	// Retry asks at once for the faces that could not be had before; without, that is
	// done when some time has passed.
	Retry bool
	// Bug is told of a panic while a chapter was laid out, once for each: the
	// warning of that chapter, of kind LayoutFailed, names its id.
	Bug func(err error, stack []byte)
}
