package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/engine/settings"
)

// run runs a command that must succeed and gives what it prints.
func run(t *testing.T, c interface{ Run(out *bytes.Buffer) error }) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.Run(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// exporting, importing and beginning are the commands as run takes them.
type exporting struct{ ExportCmd }

func (c exporting) Run(out *bytes.Buffer) error { return c.ExportCmd.Run(out) }

type importing struct{ ImportCmd }

func (c importing) Run(out *bytes.Buffer) error { return c.ImportCmd.Run(out) }

type beginning struct{ NewCmd }

func (c beginning) Run(out *bytes.Buffer) error { return c.NewCmd.Run(out) }

var day = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

// sampleFolders are the sample books of the site.
func sampleFolders(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join("..", "..", "web", "books", "*"))
	if err != nil || len(list) < 6 {
		t.Fatal(list, err)
	}
	return list
}

func TestSamplesGoOutComeInAndGoOutAgain(t *testing.T) {
	for _, folder := range sampleFolders(t) {
		dir := t.TempDir()
		first, second := filepath.Join(dir, "a.postext"), filepath.Join(dir, "b.postext")
		run(t, exporting{ExportCmd{Book: folder, Output: first, Date: day}})
		here := filepath.Join(dir, "here")
		if text := run(t, importing{ImportCmd{File: first, Folder: here}}); !strings.HasPrefix(text, here+": ") {
			t.Errorf("%s: %s", folder, text)
		}
		was, err := openBook(folder, "")
		if err != nil {
			t.Fatal(err)
		}
		now, err := openBook(here, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(was.Chapters) != len(now.Chapters) || string(was.Config) != string(now.Config) || len(was.Resources) != len(now.Resources) ||
			was.Title != now.Title || was.Author != now.Author || was.Language != now.Language || was.Description != now.Description {
			t.Errorf("%s is another book in its folder:\n%+v\n%+v", folder, was, now)
		}
		for i, c := range was.Chapters {
			if c.Markdown != now.Chapters[i].Markdown || c.Title != now.Chapters[i].Title {
				t.Errorf("%s: chapter %d %q %q", folder, i+1, c.Title, now.Chapters[i].Title)
			}
		}
		for i, r := range was.Resources {
			if r.ID != now.Resources[i].ID || r.Caption != now.Resources[i].Caption {
				t.Errorf("%s: resource %s", folder, r.ID)
			}
		}
		run(t, exporting{ExportCmd{Book: here, Output: second, Date: day}})
		var third bytes.Buffer
		z, _, err := openBundle(second)
		if err != nil {
			t.Fatal(err)
		}
		b, err := z.Book("")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := book.WriteBundle(&third, []*book.Book{b}, book.BundleOptions{Time: day}); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(second); err != nil || !bytes.Equal(data, third.Bytes()) {
			t.Errorf("%s: read and written again the file has other bytes", folder)
		}
	}
}

func TestAPostextFileIsPaintedAndRefusedAsAFolder(t *testing.T) {
	dir := small(t)
	file := filepath.Join(t.TempDir(), "small.postext")
	run(t, exporting{ExportCmd{Book: dir, Output: file}})
	var out bytes.Buffer
	render := RenderCmd{Book: file, Width: 200, Output: filepath.Join(t.TempDir(), "p.png"), Position: 1}
	if err := render.Run(&out); err != nil {
		t.Fatal(err)
	}
	call := CallCmd{Tool: "sandbox_get_state", Args: "{}", Book: file, Save: true}
	if err := call.Run(&out); err == nil || !strings.Contains(err.Error(), "postext import") {
		t.Errorf("--save into a .postext: %v", err)
	}
	out.Reset()
	call = CallCmd{Tool: "sandbox_list_resources", Args: "{}", Book: file}
	if err := call.Run(&out); err != nil || !strings.Contains(out.String(), `"total":0`) {
		t.Errorf("%v %s", err, out.String())
	}
}

func TestExportByTheFilesName(t *testing.T) {
	dir, to := small(t), t.TempDir()
	for name, want := range map[string]string{"b.md": "# One\n\nThe first chapter.\n\n# Two\n\nThe second chapter.\n", "b.json": `"postext-config"`, "b.zip": "PK", "b.postext": "preset.json"} {
		out := filepath.Join(to, name)
		run(t, exporting{ExportCmd{Book: dir, Output: out}})
		if data, err := os.ReadFile(out); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v %.200q", name, err, data)
		}
	}
	out := filepath.Join(to, "two.md")
	run(t, exporting{ExportCmd{Book: dir, Output: out, Chapter: "two"}})
	if data, _ := os.ReadFile(out); string(data) != "# Two\n\nThe second chapter.\n" {
		t.Errorf("%s", data)
	}
	for _, c := range []ExportCmd{{Book: dir, Output: "b.doc"}, {Book: dir, Output: "b.zip", Chapter: "1"}, {Book: dir, Output: "b.md", Chapter: "9"}, {Book: "nowhere", Output: "b.md"}} {
		if err := c.Run(&bytes.Buffer{}); err == nil {
			t.Errorf("%+v is not refused", c)
		}
	}
}

func TestImportByLanguage(t *testing.T) {
	dir := t.TempDir()
	en := &book.Book{Name: "Two", Language: "en", Chapters: []*book.Chapter{{Title: "One", Markdown: "# One\n"}}}
	es := &book.Book{Name: "Two", Language: "es", Chapters: []*book.Chapter{{Title: "Uno", Markdown: "# Uno\n"}}}
	var buf bytes.Buffer
	if _, err := book.WriteBundle(&buf, []*book.Book{en, es}, book.BundleOptions{Time: day}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "two.postext")
	if err := os.WriteFile(file, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if text := run(t, importing{ImportCmd{File: file, Inspect: true}}); !strings.Contains(text, "Two (two), version 2") || !strings.Contains(text, "es       1 chapter, 0 resources") {
		t.Errorf("%s", text)
	}
	text := run(t, importing{ImportCmd{File: file, Folder: filepath.Join(dir, "es"), Language: "es-MX"}})
	if !strings.Contains(text, "in es (of en, es)") {
		t.Errorf("%s", text)
	}
	if b, err := openBook(filepath.Join(dir, "es"), ""); err != nil || b.Chapters[0].Title != "Uno" || b.Language != "es" {
		t.Errorf("%v %+v", err, b)
	}
	c := ImportCmd{File: file, Folder: filepath.Join(dir, "fr"), Language: "fr"}
	if err := c.Run(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "it has en, es") {
		t.Errorf("%v", err)
	}
	c = ImportCmd{File: file, Folder: filepath.Join(dir, "es")}
	if err := c.Run(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(file, []byte("no zip"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := c.Run(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "not a zip archive") {
		t.Errorf("%v", err)
	}
}

func TestNewBooks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "My book")
	run(t, beginning{NewCmd{Folder: dir, Author: "Ada", Language: "it"}})
	b, err := openBook(dir, "")
	if err != nil || b.Title != "My book" || b.Author != "Ada" || b.Language != "it" || len(b.Chapters) != 1 {
		t.Fatalf("%v %+v", err, b)
	}
	if _, err := json.Marshal(b.Chapters[0]); err != nil {
		t.Error(err)
	}
	again := NewCmd{Folder: dir}
	if err := again.Run(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("%v", err)
	}
	copied := filepath.Join(t.TempDir(), "guide")
	run(t, beginning{NewCmd{Folder: copied, From: "postext-guide"}})
	if b, err := openBook(copied, ""); err != nil || len(b.Chapters) < 2 {
		t.Errorf("%v", err)
	}
	nobody := NewCmd{Folder: filepath.Join(t.TempDir(), "x"), From: "nobody"}
	if err := nobody.Run(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "postext-guide") {
		t.Errorf("%v", err)
	}
}

// A new book has the design asked for, and its own where its text brought one.
func TestNewBooksHaveADesign(t *testing.T) {
	columns := func(b *book.Book) string {
		t.Helper()
		tree, err := settings.Parse([]byte(b.Config))
		if err != nil {
			t.Fatal(err)
		}
		d, err := settings.Resolve(tree, settings.Env{Language: b.Language})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(d.Layout.Columns)
	}
	made := func(c NewCmd) *book.Book {
		t.Helper()
		c.Folder = filepath.Join(t.TempDir(), "made")
		run(t, beginning{c})
		b, err := openBook(c.Folder, "")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, d := range designs {
		if b := made(NewCmd{Design: d.name}); len(b.Config) < 100 {
			t.Errorf("%s: %s", d.name, b.Config)
		} else if columns(b); d.name == "article" && columns(b) == columns(made(NewCmd{Design: "novel"})) {
			t.Error("an article has the columns of a novel")
		}
	}
	for _, none := range []string{"", noDesign} { // a blank book is the browser's
		if b := made(NewCmd{Design: none}); len(b.Config) > 2 {
			t.Errorf("none: %s", b.Config)
		}
	}
	if b := made(NewCmd{Design: "article", Language: "es"}); strings.Contains(string(b.Config), "Figures") {
		t.Error("a Spanish article names its figures in English")
	}
	unknown := NewCmd{Folder: filepath.Join(t.TempDir(), "x"), Design: "opera"}
	if err := unknown.Run(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "novel") {
		t.Errorf("%v", err)
	}

	texts := t.TempDir()
	for name, text := range map[string]string{"b.md": "# Second\n\nMore.\n", "a.md": "# First\n\nWords.\n"} {
		if err := os.WriteFile(filepath.Join(texts, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b := made(NewCmd{From: texts, Title: "Old texts", Language: "es"})
	if len(b.Chapters) != 2 || b.Chapters[0].Title != "First" || b.Title != "Old texts" || b.Language != "es" || len(b.Config) > 2 {
		t.Errorf("from a folder: %q %q %d chapters, %s", b.Title, b.Language, len(b.Chapters), b.Config)
	}
	if one := made(NewCmd{From: filepath.Join(texts, "b.md")}); len(one.Chapters) != 1 || one.Chapters[0].Title != "Second" {
		t.Errorf("from a file: %+v", one.Chapters)
	}
	own := `{"type":"postext-config","version":1,"configVersion":11,"config":{"bodyText":{"fontSize":{"value":9,"unit":"pt"}}}}`
	if err := os.WriteFile(filepath.Join(texts, "postext-config.json"), []byte(own), 0o666); err != nil {
		t.Fatal(err)
	}
	if b := made(NewCmd{From: texts}); !strings.Contains(string(b.Config), "9") || strings.Contains(string(b.Config), "headings") {
		t.Errorf("its own design: %s", b.Config)
	}
}

// What a book is called goes out and comes in again, whatever its folder is called
// and whether or not its text says it.
func TestTheNameOfABookSurvivesTheRoundTrip(t *testing.T) {
	for _, text := range []string{"# One\n", "---\ntitle: Another\n---\n# One\n"} {
		dir := t.TempDir()
		file, folder := filepath.Join(dir, "a.postext"), filepath.Join(dir, "out-here")
		var data bytes.Buffer
		b := &book.Book{Kind: "project", Name: "Tales of the Sea", Language: "en", ConfigVersion: book.ConfigVersion, Chapters: []*book.Chapter{{ID: "a", Title: "One", Markdown: text}}}
		if _, err := book.WriteBundle(&data, []*book.Book{b}, book.BundleOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		run(t, importing{ImportCmd{File: file, Folder: folder}})
		now, err := openBook(folder, "")
		want := "Tales of the Sea"
		if strings.Contains(text, "Another") {
			want = "Another" // the text wins
		}
		if err != nil || now.Name != want {
			t.Errorf("%q: it is called %q, %v", text, now.Name, err)
		}
	}
}

// What a command cannot open it names once and says why in plain words.
func TestWhatCannotBeOpenedIsSaidPlainly(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"loop.md", "loop.postext"} {
		if err := os.Symlink(name, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	const loop, gone, file = "its links lead round in a circle: put the file itself there", "there is no such file or folder", "a part of its path is a file, not a folder"
	for name, why := range map[string]string{"loop.md": loop, "loop.postext": loop, "gone.md": gone, "gone.postext": gone, "gone": gone, "a.md/b.md": file} {
		name = filepath.Join(dir, name)
		want := name + ": " + why
		if _, err := openBook(name, ""); err == nil || err.Error() != want {
			t.Errorf("opening: %v, want %s", err, want)
		}
		if err := (&ImportCmd{File: name, Folder: filepath.Join(dir, "out")}).Run(io.Discard); err == nil || err.Error() != want {
			t.Errorf("importing: %v, want %s", err, want)
		}
	}
	if _, err := (&NewCmd{Folder: filepath.Join(dir, "new"), From: filepath.Join(dir, "loop.md")}).text(); err == nil || !strings.HasSuffix(err.Error(), "loop.md: "+loop) {
		t.Errorf("new: %v", err)
	}
}

// bundle.md, A folder as a book: what a person changed in a book made of a folder comes
// back into the folder by --into, and nothing changed there meanwhile is lost.
func TestImportIntoTheFolderOfTheBook(t *testing.T) {
	dir := small(t)
	file := filepath.Join(t.TempDir(), "small.postext")
	run(t, exporting{ExportCmd{Book: dir, Output: file, Date: day}})
	into := ImportCmd{File: file, Folder: dir, Into: true}
	if text := run(t, importing{into}); !strings.Contains(text, "nothing to change") {
		t.Errorf("%s", text)
	}
	b, err := openBook(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	chapter := filepath.Join(dir, b.Chapters[0].File)
	if err := os.WriteFile(chapter, []byte("# Changed here\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := into.Run(&out); err == nil || !strings.Contains(err.Error(), b.Chapters[0].File) || !strings.Contains(err.Error(), "--overwrite") {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(chapter); err != nil || string(text) != "# Changed here\n" {
		t.Errorf("%v %s", err, text)
	}
	into.Overwrite = true
	if text := run(t, importing{into}); text != dir+": wrote "+b.Chapters[0].File+"\n" {
		t.Errorf("%s", text)
	}
	if text, err := os.ReadFile(chapter); err != nil || string(text) != b.Chapters[0].Markdown {
		t.Errorf("%v %s", err, text)
	}
}

// A file that is put beside the chapters of a new book is a chapter; and to change a
// text leaves the design alone, as it is written there.
func TestANewFolderTakesFilesAndKeepsItsDesign(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tide")
	run(t, beginning{NewCmd{Folder: dir, Author: "Ada", Design: "novel"}})
	if err := os.WriteFile(filepath.Join(dir, "02-sand.md"), []byte("# Sand\n\nIt was old.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// A design with a value that is the default, as people write it.
	const design = "{\"type\": \"postext-config\", \"version\": 1, \"configVersion\": 11,\n\t\"config\": {\"page\": {\"dpi\": 300}, \"bodyText\": {\"fontSize\": {\"value\": 8, \"unit\": \"pt\"}}}}\n"
	file := filepath.Join(dir, "postext-config.json")
	if err := os.WriteFile(file, []byte(design), 0o644); err != nil {
		t.Fatal(err)
	}
	edit := CallCmd{Tool: "sandbox_edit_text", Args: `{"chapter":2,"edits":[{"find":"old","replace":"grey"}]}`, Book: dir, Save: true}
	if err := edit.Run(&bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	b, err := openBook(dir, "")
	if err != nil || len(b.Chapters) != 2 || !strings.Contains(b.Chapters[1].Markdown, "It was grey.") {
		t.Errorf("%v %+v", err, b)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != design {
		t.Errorf("the design is now %s (%v)", now, err)
	}
}
