package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"postext/book"
	"postext/engine/cite/library"
	"postext/engine/font/brotli/words"
	"postext/engine/font/catalogue"
	catalogued "postext/engine/font/catalogue/families"
	"postext/engine/hyphen/patterns"
)

// families are the fonts that ship with the site: whole files, from the npm
// packages named in web/package.json.
var families = []struct {
	name, folder, prefix string
	weights              []weight
}{
	{"EB Garamond", "eb-garamond", "EBGaramond", []weight{
		{400, "Regular", true}, {500, "Medium", true}, {600, "SemiBold", true}, {700, "Bold", true}}},
	{"JetBrains Mono", "jetbrains-mono", "JetBrainsMono", []weight{
		{400, "Regular", true}, {700, "Bold", true}}},
	{"Open Sans", "open-sans", "OpenSans", []weight{
		{400, "Regular", true}, {600, "SemiBold", true}, {700, "Bold", true}}},
	{"Source Code Pro", "source-code-pro", "SourceCodePro", []weight{
		{400, "Regular", true}, {700, "Bold", true}}},
	// The face of formulas: fetched when a book has one.
	{"STIX Two Math", "stix-two-math", "STIXTwoMath", []weight{{400, "Regular", false}}},
	// For the characters of their scripts: fetched when a book has one.
	{"Noto Serif Hebrew", "noto-serif-hebrew", "NotoSerifHebrew", []weight{{400, "Regular", false}, {700, "Bold", false}}},
	{"Noto Naskh Arabic", "noto-naskh-arabic", "NotoNaskhArabic", []weight{{400, "Regular", false}, {700, "Bold", false}}},
}

type weight struct {
	value  int
	name   string
	italic bool // there is an italic too
}

// font is one row of fonts/index.json.
type font struct {
	Family string `json:"family"`
	Weight int    `json:"weight"`
	Italic bool   `json:"italic"`
	File   string `json:"file"`
}

// patterns copies the files of hyphenation patterns. They are deflated already.
func (b *builder) patterns() error {
	return fs.WalkDir(patterns.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(patterns.Files(), name)
		if err != nil {
			return err
		}
		return b.dist.put("hyphenation/"+name, data)
	})
}

// brotli copies the dictionary that packed fonts are read with.
func (b *builder) brotli() error {
	return b.dist.put("fonts/brotli-dictionary.bin", []byte(words.File))
}

// citations copies the styles of citations.
func (b *builder) citations() error {
	text, err := library.Text()
	if err != nil {
		return err
	}
	return b.dist.put("citations/library.txt", []byte(text))
}

// fonts copies the font files and writes their index, in order of family,
// weight and slant.
func (b *builder) fonts(outs ...*output) error {
	var index []font
	for _, f := range families {
		folder := b.path("web", "node_modules", "@expo-google-fonts", f.folder)
		for _, w := range f.weights {
			for _, italic := range []bool{false, true} {
				if italic && !w.italic {
					continue
				}
				style := fmt.Sprintf("%d%s", w.value, w.name)
				if italic {
					style += "_Italic"
				}
				file := f.prefix + "_" + style + ".ttf"
				data, err := os.ReadFile(filepath.Join(folder, style, file))
				if err != nil {
					return fmt.Errorf("font %s: %w", f.name, err)
				}
				index = append(index, font{f.name, w.value, italic, file})
				if err := putAll(outs, "fonts/"+file, data); err != nil {
					return err
				}
			}
		}
		licence, err := os.ReadFile(filepath.Join(folder, "LICENSE_FONT"))
		if err != nil {
			return fmt.Errorf("licence of %s: %w", f.name, err)
		}
		if err := putAll(outs, "fonts/"+f.prefix+"-LICENSE.txt", licence); err != nil {
			return err
		}
	}
	data, err := json.Marshal(index)
	if err != nil {
		return err
	}
	if err := putAll(outs, "fonts/index.json", data); err != nil {
		return err
	}
	return b.dist.put("fonts/"+catalogue.File, []byte(catalogue.WithPlace(catalogued.Text(), catalogue.Place{Base: b.fontFiles})))
}

var bookID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// books copies the sample books of web/books, one folder each, the guide first.
func (b *builder) books(outs ...*output) error {
	base := b.path("web", "books")
	folders, err := os.ReadDir(base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	index := []book.Listing{}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		e := book.Listing{ID: folder.Name(), Name: folder.Name(), Files: []string{}}
		if !bookID.MatchString(e.ID) {
			return fmt.Errorf("web/books/%s: name a book's folder with small letters, digits and hyphens", e.ID)
		}
		dir := os.DirFS(filepath.Join(base, e.ID))
		err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), ".") {
				return err
			}
			data, err := fs.ReadFile(dir, name)
			if err != nil {
				return err
			}
			e.Files = append(e.Files, name)
			if name == "book.json" || name == "preset.json" {
				if err := e.Describe(data); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return putAll(outs, "books/"+e.ID+"/"+name, data)
		})
		if err != nil {
			return fmt.Errorf("web/books/%s: %w", e.ID, err)
		}
		index = append(index, e)
	}
	slices.SortStableFunc(index, func(a, c book.Listing) int {
		first := func(e book.Listing) int {
			if e.ID == "postext-guide" {
				return 0
			}
			return 1
		}
		return first(a) - first(c)
	})
	data, err := json.Marshal(index)
	if err != nil {
		return err
	}
	return putAll(outs, "books/index.json", data)
}

func putAll(outs []*output, name string, data []byte) error {
	for _, o := range outs {
		if err := o.put(name, data); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
