package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine/settings"
)

func (s *Session) importTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_import_book", "Import a .postext file",
			"Makes an own book of a .postext file and opens it; the one on screen is saved first. A Word manuscript cannot be imported yet: give its text to sandbox_manage_chapters as Markdown.",
			writes, s.importBook),
	}
}

// maxBundleFile is the most bytes of a .postext file (tools.md 1, Files).
const maxBundleFile = 100 << 20

type importArgs struct {
	File     fileArgs `json:"file"`
	Language string   `json:"language,omitempty" doc:"when the file has several"`
	Inspect  bool     `json:"inspect" default:"false" doc:"only say what is in it"`
	Wait     bool     `json:"wait" default:"true"`
}

// inspected is what a file holds.
type inspected struct {
	Name        string        `json:"name"`
	ID          string        `json:"id"`
	Description string        `json:"description,omitempty"`
	Version     int           `json:"version"`
	Languages   []string      `json:"languages"`
	Locale      string        `json:"locale,omitempty"`
	Editions    []inspectedIn `json:"editions"`
	Chapters    int           `json:"chapters"`
	Fonts       []string      `json:"fonts"`
	Resources   int           `json:"resources"`
	Problems    []string      `json:"problems"`
	Imported    bool          `json:"imported"`
}

// inspectedIn is one language of a file.
type inspectedIn struct {
	Language string   `json:"language"`
	Chapters int      `json:"chapters"`
	Titles   []string `json:"titles"`
}

// imported is the answer when the book is open.
type importedAnswer struct {
	openedState
	Imported importedBook `json:"imported"`
}

type importedBook struct {
	Name      string   `json:"name"`
	ID        string   `json:"id"`
	Language  string   `json:"language,omitempty"`
	Languages []string `json:"languages,omitempty"` // of the file, when there are several
	Chapters  int      `json:"chapters"`
	Resources int      `json:"resources"`
	Fonts     int      `json:"fonts"`
	Warnings  []string `json:"warnings,omitempty"`
}

func (a importArgs) check() error {
	if err := checkLanguage(a.Language); err != nil {
		return err
	}
	return a.File.check("file")
}

// checkLanguage refuses what is given as a language and is no tag.
func checkLanguage(tag string) error {
	if tag != "" && !book.ValidLanguage(tag) {
		return bridge.Refuse("language is a tag such as \"es\" or \"pt-BR\", not %s", bridge.Quote(tag))
	}
	return nil
}

func (s *Session) importBook(ctx context.Context, a importArgs) (any, error) {
	if !a.Inspect {
		if _, err := s.library(); err != nil {
			return nil, bridge.Refuse("there is only the one book here: nothing was imported. The command postext import makes a folder of the file")
		}
	}
	data, err := s.fetchFile(ctx, "file", a.File, maxBundleFile)
	if err != nil {
		return nil, err
	}
	z, err := book.OpenBundle(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, bridge.Refuse("nothing was imported: %v", err)
	}
	languages := z.Languages()
	if served := z.Edition(a.Language).Language; a.Language != "" && len(languages) > 0 && !sameLanguage(served, a.Language) {
		return nil, bridge.Refuse("nothing was imported: the file has no language %s; it has %s", bridge.Quote(a.Language), bridge.Choices(languages, "sandbox_import_book with inspect: true"))
	}
	if a.Inspect {
		return inspectBundle(z, a.Language)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := z.Book(a.Language)
	if err != nil {
		return nil, bridge.Refuse("nothing was imported: %v", err)
	}
	ans := importedAnswer{Imported: importedBook{Name: b.Name, Language: b.Language, Chapters: len(b.Chapters), Resources: len(resourcesOf(b)), Fonts: len(b.Fonts), Warnings: b.Warnings}}
	if len(languages) > 1 {
		ans.Imported.Languages = languages
	}
	if ans.Imported.ID, err = s.addAndOpen(ctx, b, z.Layouts(a.Language)); err != nil {
		return nil, err
	}
	if len(b.Warnings) > 0 {
		s.tell(fmt.Sprintf("%s was imported; %s", b.Name, strings.Join(b.Warnings, "; ")))
	}
	state, err := s.openedAnswer(ctx, a.Wait)
	if err != nil {
		return nil, asPartly(err, "the book was imported, as "+ans.Imported.ID+", but ")
	}
	ans.openedState = state
	return ans, nil
}

// OpenFiles makes an own book of a person's files, a folder's or some of Markdown
// (bundle.md, A folder as a book), and opens it; name is the book's when they give
// none. What could not be used is told in the notice.
func (s *Session) OpenFiles(ctx context.Context, files fs.FS, name string) (string, error) {
	b, err := book.ReadFolder(files, name, "")
	if err != nil {
		return "", bridge.Refuse("nothing was opened: %v", err)
	}
	if b, err = settings.Modernise(b); err != nil {
		return "", bridge.Refuse("nothing was opened: its design, postext-config.json: %v", err)
	}
	if b.Language == "" && s.opts.Library != nil {
		b.Language = book.CanonicalLanguage(cmp.Or(s.opts.Library.Language, "en"))
	}
	if _, err = s.addAndOpen(ctx, b, nil); err != nil {
		return "", err
	}
	if len(b.Warnings) > 0 {
		s.tell(fmt.Sprintf("%s was opened; %s", b.Name, strings.Join(b.Warnings, "; ")))
	}
	return b.Name, nil
}

// addAndOpen keeps a book as a new own one, with the layout records of its file or
// nil, and opens it; gives its id.
func (s *Session) addAndOpen(ctx context.Context, b *book.Book, layouts []byte) (string, error) {
	l, err := s.library()
	if err != nil {
		return "", err
	}
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	view := startView
	if b.Scope != "" {
		view.Scope = b.Scope
	}
	ref, err := l.Add(ctx, b, view, nil, "", func() error { return s.opts.Yield(ctx) })
	if err != nil {
		return "", saveRefusal(err)
	}
	if err := s.adoptLayouts(ctx, l, ref, b, layouts); err != nil {
		return "", saveRefusal(err)
	}
	return ref.ID, s.openBook(ctx, ref, b.Name, false)
}

// inspectBundle reads a file without keeping anything of it.
func inspectBundle(z *book.Bundle, language string) (any, error) {
	in := inspected{Name: z.Name(), ID: z.ID(), Description: z.Description(), Version: z.Version(), Languages: z.Languages(), Locale: z.Locale(),
		Fonts: []string{}, Problems: z.Warnings, Editions: []inspectedIn{}}
	if in.Languages == nil {
		in.Languages = []string{}
	}
	room := 400 // titles in all
	for _, tag := range append([]string{}, in.Languages...) {
		e := z.Edition(tag)
		one := inspectedIn{Language: tag, Chapters: len(e.Chapters), Titles: e.Chapters[:min(len(e.Chapters), room)]}
		room -= len(one.Titles)
		in.Editions = append(in.Editions, one)
	}
	e := z.Edition(language)
	in.Chapters, in.Resources = len(e.Chapters), e.Resources
	in.Fonts = append(in.Fonts, e.Fonts...)
	// What a reading would run into is found by reading.
	if b, err := z.Book(language); err != nil {
		in.Problems = append(in.Problems, "it cannot be imported: "+err.Error())
	} else {
		in.Problems = b.Warnings
	}
	if in.Problems == nil {
		in.Problems = []string{}
	}
	return in, nil
}
