package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"postext/book"
	"postext/cmd/postext/assets"
	"postext/engine/settings"
)

// design is one a new book may begin with: that of a sample book.
type design struct{ name, sample string }

// designs are all of them.
var designs = []design{
	{"novel", "the-tide-clerk"},
	{"manual", "postext-guide"},
	{"article", "ten-summers"},
	{"report", "harbour-report"},
	{"poems", "salt-almanac"},
	{"cookbook", "one-pot"},
	{"picture-book", "the-sleepy-lighthouse"},
}

// noDesign leaves a book with the settings' defaults, a page of two narrow columns:
// what a new book has, here as in the browser (settings.md 2).
const noDesign = "none"

// NewCmd begins a book.
type NewCmd struct {
	Folder   string `arg:"" help:"The folder to make."`
	Title    string `help:"Title of the book; left out: the folder's name."`
	Author   string `help:"Its author."`
	Language string `help:"Its language." placeholder:"TAG"`
	Design   string `help:"novel, manual, article, report, poems, cookbook, picture-book; left out: the plain defaults, or the text's own." placeholder:"NAME"`
	From     string `help:"Begin with the text of a folder or a file of Markdown, or with a copy of a sample book: its id, such as postext-guide." placeholder:"WHAT"`
}

// Run implements the command.
func (c *NewCmd) Run(out io.Writer) error {
	if err := emptyFolder(c.Folder); err != nil {
		return err
	}
	design := c.Design
	var names []string
	for _, d := range designs {
		names = append(names, d.name)
	}
	if design != "" && design != noDesign && !slices.Contains(names, design) {
		return fmt.Errorf("there is no design %q; there are %s and %s", design, strings.Join(names, ", "), noDesign)
	}
	b, err := c.text()
	if err != nil {
		return err
	}
	if c.Title != "" {
		b.Title = c.Title
	}
	if c.Author != "" {
		b.Author = c.Author
	}
	if c.Language != "" {
		b.Language = c.Language
	}
	if b.Language == "" {
		b.Language = "en"
	}
	if design == "" && len(b.Config) == 0 {
		design = noDesign
	}
	switch design {
	case "":
		design = "its own design"
	case noDesign:
		b.Config, design = nil, "the plain design (--design "+strings.Join(names, ", ")+")"
	default:
		if b.Config, err = designOf(design, b.Language); err != nil {
			return err
		}
		design = "the design " + design
	}
	if _, err := book.SaveFolder(c.Folder, nil, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s, %s; postext serve --book %s shows it\n", c.Folder, counted(len(b.Chapters), "chapter"), design, c.Folder)
	return err
}

// text is what the book begins with.
func (c *NewCmd) text() (*book.Book, error) {
	if c.From == "" {
		return &book.Book{Title: filepath.Base(filepath.Clean(c.Folder)),
			Chapters: []*book.Chapter{{ID: "1", Title: "Chapter 1", Markdown: "# Chapter 1\n\n", File: "01-chapter-1.md"}}}, nil
	}
	// A sample's id is a plain word: a folder of that name here is meant before it
	// only when it is there.
	if _, err := os.Stat(c.From); err == nil {
		b, err := readBook(c.From, c.Language)
		if errors.Is(err, book.ErrOneLanguage) {
			b, err = readBook(c.From, "")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.From, err)
		}
		for _, w := range b.Warnings {
			fmt.Fprintf(os.Stderr, "postext: %s: %s\n", c.From, w)
		}
		return b, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", c.From, book.Plain(err))
	}
	files, err := assets.Book(c.From)
	if err != nil {
		if errors.Is(err, assets.ErrEmpty) {
			return nil, err
		}
		return nil, fmt.Errorf("%s is no folder or file here, and %w", c.From, err)
	}
	b, err := book.ReadSample(files, c.From, c.Language)
	if err != nil {
		return nil, fmt.Errorf("the sample %s: %w", c.From, err)
	}
	return b, nil
}

// designOf is the configuration of the sample a design is taken from. The names of
// figures and tables are the sample's language's, so another language keeps its own.
func designOf(name, language string) (json.RawMessage, error) {
	for _, d := range designs {
		if d.name != name {
			continue
		}
		files, err := assets.Book(d.sample)
		if err != nil {
			return nil, err
		}
		b, err := book.ReadSample(files, d.sample, language)
		if err != nil {
			return nil, fmt.Errorf("the sample %s: %w", d.sample, err)
		}
		var keys map[string]json.RawMessage
		if err := json.Unmarshal(b.Config, &keys); err != nil {
			return nil, fmt.Errorf("the design of %s: %w", d.sample, err)
		}
		delete(keys, "locale")
		if tag, _, _ := strings.Cut(strings.ToLower(language), "-"); tag != "en" {
			delete(keys, "resourceTypes")
		}
		text, err := json.Marshal(keys)
		if err != nil {
			return nil, err
		}
		tree, err := settings.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("the design of %s: %w", d.sample, err)
		}
		return tree.Marshal(), nil
	}
	return nil, fmt.Errorf("there is no design %q", name)
}
