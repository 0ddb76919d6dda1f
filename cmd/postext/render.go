package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"postext/book"
	"postext/engine"
	"postext/engine/frame"
	"postext/engine/paint"
)

// RenderCmd paints one page.
type RenderCmd struct {
	Book     string `arg:"" help:"A folder, a .md or a .postext file; \"\" is the built-in guide."`
	Page     string `help:"The page by what is printed on it, else by its place in the book from 1." xor:"page" placeholder:"N"`
	Position int    `help:"The page by its place in the chapter (or the book), from 1; negative from the end." xor:"page" placeholder:"N"`
	Chapter  string `help:"A chapter: its place from 1, its title or its id." placeholder:"CHAPTER"`
	Language string `help:"Which of the book's languages." placeholder:"TAG"`
	Width    int    `help:"Width of the picture in pixels." default:"1200"`
	Output   string `short:"o" help:"File to write: .png or .jpg." default:"page.png" placeholder:"FILE"`
	Quality  int    `help:"Quality of a JPEG, 1 to 100." default:"85"`
	Grid     bool   `help:"Draw the baseline grid."`
	Margins  bool   `help:"Draw the type area."`
	Blocks   bool   `help:"Draw the box of each block."`
	Trimmed  bool   `help:"Without the bleed and the crop marks around the page."`
	Fonts    string `help:"A folder of further fonts: files, or npm font packages." placeholder:"FOLDER"`
}

// Run implements the command.
func (c *RenderCmd) Run(out io.Writer) error {
	ctx := context.Background()
	b, err := openBook(c.Book, c.Language)
	if err != nil {
		return err
	}
	w, err := newWorld(c.Book, c.Fonts)
	if err != nil {
		return err
	}
	res, err := engine.New(w).Typeset(ctx, b, engine.Observer{Bug: explain})
	if err != nil {
		return err
	}
	page, chapter, err := c.find(b, res.Frames)
	if err != nil {
		return err
	}
	var p paint.Painter
	m, err := p.Page(ctx, page, paint.Options{Width: c.Width, Trimmed: c.Trimmed, Guides: paint.Guides{BaselineGrid: c.Grid, Margins: c.Margins, Blocks: c.Blocks}})
	if err != nil {
		return err
	}
	var data []byte
	switch ext := strings.ToLower(filepath.Ext(c.Output)); ext {
	case ".png":
		data, err = p.PNG(m)
	case ".jpg", ".jpeg":
		data, err = p.JPEG(m, c.Quality)
	default:
		err = fmt.Errorf("-o %s: the picture is a .png or a .jpg", c.Output)
	}
	if err != nil {
		return err
	}
	if err := book.ReplaceFile(c.Output, data); err != nil {
		return err
	}
	label := page.Label
	if label == "" {
		label = "without a number"
	}
	if page.Blank {
		chapter += ", a blank page"
	}
	_, err = fmt.Fprintf(out, "%s: page %s (%d of %d), %s, %d × %d px, %d bytes\n", c.Output, label, page.Number, res.Frames.PageCount(), chapter, m.Width, m.Height, len(data))
	return err
}

// find looks the page up, in the chapter named or through the whole book.
func (c *RenderCmd) find(b *book.Book, f *frame.Book) (*frame.Page, string, error) {
	type place struct {
		page    *frame.Page
		chapter string
	}
	var pages []place
	only := -1
	if c.Chapter != "" {
		if only = chapterNamed(b, c.Chapter); only < 0 {
			return nil, "", fmt.Errorf("there is no chapter %q; the book has %d, from %q to %q", c.Chapter, len(b.Chapters), b.Chapters[0].Title, b.Chapters[len(b.Chapters)-1].Title)
		}
	}
	for i, ch := range f.Chapters {
		if only >= 0 && i != only {
			continue
		}
		for _, p := range ch.Pages {
			pages = append(pages, place{p, ch.Title})
		}
	}
	if len(pages) == 0 {
		return nil, "", fmt.Errorf("there are no pages")
	}
	if c.Page != "" {
		for _, p := range pages {
			if strings.EqualFold(p.page.Label, c.Page) {
				return p.page, p.chapter, nil
			}
		}
		if n, err := strconv.Atoi(c.Page); err == nil {
			for _, p := range pages {
				if p.page.Number == n {
					return p.page, p.chapter, nil
				}
			}
		}
		first, last := pages[0].page, pages[len(pages)-1].page
		return nil, "", fmt.Errorf("there is no page %s; the pages go from %s to %s (%d to %d in the book)", c.Page, first.Label, last.Label, first.Number, last.Number)
	}
	at := max(c.Position, 1)
	if c.Position < 0 {
		at = len(pages) + 1 + c.Position
	}
	if at < 1 || at > len(pages) {
		return nil, "", fmt.Errorf("there is no position %d; the pages: %s", c.Position, counted(len(pages), "page"))
	}
	return pages[at-1].page, pages[at-1].chapter, nil
}

// chapterNamed finds a chapter by place, title or id; -1 when there is none.
func chapterNamed(b *book.Book, name string) int {
	if n, err := strconv.Atoi(name); err == nil {
		if n >= 1 && n <= len(b.Chapters) {
			return n - 1
		}
		return -1
	}
	for i, c := range b.Chapters {
		if strings.EqualFold(c.Title, name) || c.ID == name {
			return i
		}
	}
	return -1
}
