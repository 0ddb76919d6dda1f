package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"postext/book"
	"postext/engine/font/fontdir"
	"postext/engine/settings"
	"postext/sandbox"
)

// ExportCmd writes a book as a file.
type ExportCmd struct {
	Book     string    `arg:"" help:"A folder, a .md or a .postext file; \"\" is the built-in guide."`
	Output   string    `short:"o" help:"File to write: .postext (the whole book), .md (its text), .zip (a file for each chapter) or .json (its design)." placeholder:"FILE" required:""`
	Chapter  string    `help:"With .md: one chapter, by its place from 1, its title or its id." placeholder:"CHAPTER"`
	Language string    `help:"Which of the book's languages." placeholder:"TAG"`
	Date     time.Time `help:"Date of the files in a .postext, so that the same book gives the same bytes." format:"2006-01-02"`
}

// Run implements the command.
func (c *ExportCmd) Run(out io.Writer) error {
	b, err := openBook(c.Book, c.Language)
	if err != nil {
		return err
	}
	ext := strings.ToLower(filepath.Ext(c.Output))
	if c.Chapter != "" && ext != ".md" {
		return errors.New("--chapter goes with a .md file: the others hold the whole book")
	}
	var data []byte
	var warnings []string
	switch ext {
	case ".postext":
		var buf bytes.Buffer
		o := book.BundleOptions{Time: c.Date, Face: fontdir.Describe}
		if !isBundle(c.Book) {
			o.Read = b
		}
		warnings, err = book.WriteBundle(&buf, []*book.Book{b}, o)
		data = buf.Bytes()
	case ".md":
		data = []byte(sandbox.JoinedChapters(b))
		if c.Chapter != "" {
			i := chapterNamed(b, c.Chapter)
			if i < 0 {
				return fmt.Errorf("there is no chapter %q; the book has %d", c.Chapter, len(b.Chapters))
			}
			data = []byte(b.Chapters[i].Markdown)
		}
	case ".zip":
		data, err = sandbox.ChaptersZip(b)
	case ".json":
		data, err = book.ConfigFile(b.Config)
	default:
		return fmt.Errorf("-o %s: the file is a .postext, .md, .zip or .json", c.Output)
	}
	if err != nil {
		return err
	}
	if err := book.ReplaceFile(c.Output, data); err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "postext: %s\n", w)
	}
	_, err = fmt.Fprintf(out, "%s: %s, %s\n", c.Output, counted(len(b.Chapters), "chapter"), counted(len(data), "byte"))
	return err
}

// counted is a number of things in words.
func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// ImportCmd makes a folder of plain files from a .postext file, or brings one that was
// made of a folder back into it.
type ImportCmd struct {
	File      string `arg:"" help:"A .postext file."`
	Folder    string `arg:"" optional:"" help:"The folder to make, or with --into the one to write into; left out: named after the book, here." placeholder:"FOLDER"`
	Language  string `help:"Which of its languages." placeholder:"TAG"`
	Inspect   bool   `help:"Only say what the file holds."`
	Into      bool   `help:"Write into the folder that the file was made of: what was changed in the book since. Nothing is written when the same was changed in the folder."`
	Overwrite bool   `help:"With --into: put the file's book in place of the folder's, whatever it holds. Its pictures and fonts stay."`
}

// Run implements the command.
func (c *ImportCmd) Run(out io.Writer) error {
	z, close, err := openBundle(c.File)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	defer close()
	if c.Inspect {
		return inspect(out, z)
	}
	if c.Overwrite && !c.Into {
		return errors.New("--overwrite goes with --into")
	}
	b, err := z.Wanted(c.Language)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, w := range b.Warnings {
		fmt.Fprintf(os.Stderr, "postext: %s\n", w)
	}
	if b, err = settings.Modernise(b); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	folder := c.Folder
	if folder == "" {
		if folder = book.Slug(b.Name); folder == "" {
			folder = "book"
		}
	}
	if c.Into {
		return c.into(out, z, b, folder)
	}
	if err := emptyFolder(folder); err != nil {
		return fmt.Errorf("%w; a file made of a folder goes back into it with --into", err)
	}
	b.KeepName()
	if _, err := book.SaveFolder(folder, nil, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s, %s, %s%s\n", folder, b.Name, counted(len(b.Chapters), "chapter"), counted(len(b.Resources), "resource"), inLanguage(b.Language, z.Languages()))
	return err
}

// into brings the book back into its folder and says which files were touched.
func (c *ImportCmd) into(out io.Writer, z *book.Bundle, b *book.Book, folder string) error {
	did, err := z.WriteInto(folder, b, c.Overwrite)
	var conflict *book.ConflictError
	switch {
	case errors.Is(err, book.ErrForeign):
		return fmt.Errorf("%s: %w, so nothing was written; --overwrite puts its book in place of the folder's", folder, err)
	case errors.As(err, &conflict):
		return fmt.Errorf("%s: changed in the folder too since the book was read from it: %s. Nothing was written; --overwrite puts the file's in their place", folder, strings.Join(conflict.Files, ", "))
	case err != nil:
		return fmt.Errorf("%s: %w", folder, err)
	}
	if len(did.Written)+len(did.Removed) == 0 {
		_, err = fmt.Fprintf(out, "%s: nothing to change, it holds the book as it is\n", folder)
		return err
	}
	var parts []string
	for _, p := range []struct {
		what  string
		files []string
	}{{"wrote", did.Written}, {"removed", did.Removed}} {
		if len(p.files) > 0 {
			parts = append(parts, p.what+" "+strings.Join(p.files, ", "))
		}
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", folder, strings.Join(parts, "; "))
	return err
}

func inLanguage(tag string, of []string) string {
	if len(of) < 2 {
		return ""
	}
	return fmt.Sprintf(", in %s (of %s)", tag, strings.Join(of, ", "))
}

// emptyFolder refuses a folder that holds something already.
func emptyFolder(name string) error {
	entries, err := os.ReadDir(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty: name a folder that is not there yet", name)
	}
	return nil
}

// openBundle opens a .postext file; close lets it go. Errors do not name the file.
func openBundle(name string) (z *book.Bundle, close func() error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, book.Plain(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err == nil {
		z, err = book.OpenBundle(f, info.Size())
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return z, f.Close, nil
}

// inspect tells what a bundle holds.
func inspect(out io.Writer, z *book.Bundle) error {
	_, err := fmt.Fprintf(out, "%s (%s), version %d\n", z.Name(), z.ID(), z.Version())
	if d := z.Description(); d != "" && err == nil {
		_, err = fmt.Fprintln(out, d)
	}
	languages := z.Languages()
	if len(languages) == 0 {
		languages = []string{""}
	}
	for _, tag := range languages {
		e := z.Edition(tag)
		if tag == "" {
			tag = "-"
		}
		if err == nil {
			_, err = fmt.Fprintf(out, "%-8s %s, %s, fonts: %s\n", tag, counted(len(e.Chapters), "chapter"), counted(e.Resources, "resource"), strings.Join(append(e.Fonts, "-")[:max(1, len(e.Fonts))], ", "))
		}
	}
	for _, w := range z.Warnings {
		if err == nil {
			_, err = fmt.Fprintf(out, "warning: %s\n", w)
		}
	}
	return err
}
