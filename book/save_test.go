package book

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// snapshot is every file of a folder with its content.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// touched lists the files whose time or content changed since old was set.
func touched(t *testing.T, dir string, before map[string]string) string {
	t.Helper()
	var list []string
	now := snapshot(t, dir)
	for name := range now {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !info.ModTime().Equal(longAgo) {
			list = append(list, name)
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			list = append(list, "-"+name)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

var longAgo = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

// folderBook writes files, sets their times back and opens the book.
func folderBook(t *testing.T, files map[string]string) (dir string, b *Book, before map[string]string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		put(t, dir, name, text)
	}
	b, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	before = snapshot(t, dir)
	for name := range before {
		if err := os.Chtimes(filepath.Join(dir, name), longAgo, longAgo); err != nil {
			t.Fatal(err)
		}
	}
	return dir, b, before
}

var plain = map[string]string{"01-a.md": "# A\r\n", "02-b.md": "# B\n", "03-c.md": "# C\n", "images/x.png": "\x89PNG"}

func with(m map[string]string, name, text string) map[string]string {
	n := map[string]string{name: text}
	for k, v := range m {
		n[k] = v
	}
	return n
}

const listed = `{
 "title": "T",
 "author": ["A", "B"],
 "source": "somewhere",
 "chapters": [
  {
   "file": "01-a.md",
   "title": "First",
   "note": "kept"
  },
  {
   "file": "02-b.md"
  },
  {
   "file": "03-c.md"
  }
 ],
 "words": 3
}
`

func TestSaveTouchesOnlyWhatChanged(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		edit  func(b *Book) *Book
		want  string // files touched, − removed
	}{
		{"nothing", plain, func(b *Book) *Book { return b }, ""},
		{"nothing, with book.json", with(plain, "book.json", listed), func(b *Book) *Book { return b }, ""},
		{"a text", plain, func(b *Book) *Book { return b.WithText(1, "# B\n\nmore\n") }, "02-b.md"},
		{"a heading the title came from", plain, func(b *Book) *Book { return b.WithText(1, "# Another\n") }, "02-b.md"},
		{"a title", plain, func(b *Book) *Book { return b.RenameChapter(0, "Other") }, "book.json"},
		{"the order", plain, func(b *Book) *Book { return b.MoveChapter(0, 2) }, "book.json"},
		{"a chapter removed", plain, func(b *Book) *Book { return b.RemoveChapter(1) }, "-02-b.md"},
		{"a chapter at the end", plain, func(b *Book) *Book { return b.InsertChapter(9, &Chapter{Title: "D é", Markdown: "# D é"}) }, "04-d-e.md"},
		{"a chapter at the start", plain, func(b *Book) *Book { return b.InsertChapter(0, &Chapter{Title: "Zero", Markdown: "# Zero"}) }, "01-zero.md book.json"},
		{"a chapter removed, listed", with(plain, "book.json", listed), func(b *Book) *Book { return b.RemoveChapter(1) }, "-02-b.md book.json"},
		{"the configuration", plain, func(b *Book) *Book { n, _ := b.WithConfig([]byte(`{"a":1}`)); return n }, "postext-config.json"},
		{"a picture", plain, func(b *Book) *Book {
			return b.WithResources(append(slices.Clone(b.Resources), &Resource{ID: "New pic", Kind: "bitmap", Data: []byte("GIF89a\x01\x00\x01\x00")}))
		}, "book.json images/new-pic.gif"},
		{"a picture removed", plain, func(b *Book) *Book { return b.WithResources(nil) }, "-images/x.png"},
		{"metadata", plain, func(b *Book) *Book { n := *b; n.Title = "T"; return &n }, "book.json"},
	} {
		dir, old, before := folderBook(t, c.files)
		b := c.edit(old)
		saved, err := SaveFolder(dir, old, b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := touched(t, dir, before); got != c.want {
			t.Errorf("%s: touched %q, want %q", c.name, got, c.want)
		}
		again, err := OpenFolder(dir)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if chapterFiles(again) != chapterFiles(saved) || string(again.Config) != string(saved.Config) || again.Title != saved.Title || len(again.Resources) != len(saved.Resources) {
			t.Errorf("%s: read back %s, saved %s", c.name, chapterFiles(again), chapterFiles(saved))
		}
		for i, ch := range again.Chapters {
			if ch.Markdown != saved.Chapters[i].Markdown || ch.Title != saved.Chapters[i].Title && c.name != "a heading the title came from" {
				t.Errorf("%s: chapter %d reads back as %+v", c.name, i, ch)
			}
		}
	}
}

func TestSaveKeepsBookJSON(t *testing.T) {
	dir, old, _ := folderBook(t, with(plain, "book.json", listed))
	if _, err := SaveFolder(dir, old, old.RenameChapter(1, "Se<cond")); err != nil {
		t.Fatal(err)
	}
	got := snapshot(t, dir)["book.json"]
	want := strings.Replace(listed, `"file": "02-b.md"`, "\"file\": \"02-b.md\",\n   \"title\": \"Se<cond\"", 1)
	if got != want {
		t.Errorf("got %s", got)
	}
}

func TestSaveRefusesWhatChangedMeanwhile(t *testing.T) {
	dir, old, _ := folderBook(t, plain)
	put(t, dir, "02-b.md", "# B by another hand\n")
	before := snapshot(t, dir)
	_, err := SaveFolder(dir, old, old.WithText(0, "new").WithText(1, "new"))
	var conflict *ConflictError
	if !errors.As(err, &conflict) || len(conflict.Files) != 1 || conflict.Files[0] != "02-b.md" {
		t.Fatal(err)
	}
	if now := snapshot(t, dir); now["01-a.md"] != before["01-a.md"] || now["02-b.md"] != before["02-b.md"] {
		t.Error("written all the same")
	}
	if _, err := SaveFolder(dir, old, old.RemoveChapter(1)); !errors.As(err, &conflict) {
		t.Error("removed what another wrote", err)
	}
	// The other hand may have written the same text.
	if _, err := SaveFolder(dir, old, old.WithText(1, "# B by another hand\n")); err != nil {
		t.Error(err)
	}
}

func TestSaveNewFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "book")
	b := &Book{Title: "A book", Language: "en", Chapters: []*Chapter{
		{ID: "1", Title: "One", Markdown: "# One"}, {ID: "2", Title: "Own title", Markdown: "text"},
		{ID: "3", Title: "One", Markdown: "# One"},
	}}
	saved, err := SaveFolder(dir, nil, b)
	if err != nil {
		t.Fatal(err)
	}
	if got := chapterFiles(saved); got != "01-one.md 02-own-title.md 03-one.md" {
		t.Error(got)
	}
	again, err := OpenFolder(dir)
	if err != nil || again.Title != "A book" || again.Chapters[1].Title != "Own title" || again.Language != "en" {
		t.Errorf("%v %+v", err, again)
	}
	for name := range snapshot(t, dir) {
		if strings.HasSuffix(name, ".tmp") {
			t.Error("left behind", name)
		}
	}
	var conflict *ConflictError
	other := &Book{Chapters: []*Chapter{{Title: "One", Markdown: "# Other", File: "01-one.md"}}}
	if _, err := SaveFolder(dir, nil, other); !errors.As(err, &conflict) {
		t.Error("a new book over an old one:", err)
	}
}

func TestSaveStaysInside(t *testing.T) {
	dir, old, _ := folderBook(t, plain)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../x.md", "/tmp/x.md", "link/x.md", ".", "a//b.md", "01-A.md"} {
		b := old.InsertChapter(9, &Chapter{Title: "X", Markdown: "x", File: name})
		if _, err := SaveFolder(dir, old, b); err == nil {
			t.Errorf("%q written", name)
		}
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Error(entries, err)
	}
	if _, err := SaveFolder(dir, old, &Book{}); err == nil {
		t.Error("no chapters")
	}
}

func TestAFolderKeepsWhatIsToldOfResources(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\x0DIHDR\x00\x00\x00\x1F\x00\x00\x00\x11\x08\x00\x00\x00\x00\x00\x00\x00\x00"
	dir, b, _ := folderBook(t, map[string]string{
		"01-a.md": "# A\n", "images/hive.png": png, "images/other.png": png, "cover.png": png, "images/hive.pdf": "%PDF-1.7",
		"book.json": `{"title":"T","description":"A *short* book.","license":"CC0","credits":"By hand","tags":["x"],"cover":"cover.png",
			"resources":[
			{"id":"hive","typeId":"figure","kind":"bitmap","file":"images/hive.png","caption":"The hive","placement":{"position":"top"},"later":1},
			{"id":"prices","typeId":"table","kind":"table","table":{"model":{"rows":[["Item","Price"],["Ink","6 d"]],"headerRowCount":1}}},
			{"id":"gone","typeId":"figure","kind":"bitmap","file":"images/gone.png"}]}`,
	})
	if len(b.Resources) != 3 || b.Resources[0].ID != "hive" || b.Resources[0].Width != 31 || b.Resources[2].ID != "images/other.png" {
		t.Fatalf("%d resources", len(b.Resources))
	}
	if b.Cover == nil || b.Cover.Name != "cover.png" || b.Description != "A *short* book." || len(b.Warnings) != 2 {
		t.Fatalf("cover %v, warnings %q", b.Cover, b.Warnings)
	}
	hive := *b.Resources[0]
	hive.Caption = "The old hive"
	next := b.WithResource(&hive)
	next = next.WithResource(&Resource{ID: "drawn", Kind: KindSVG, TypeID: "figure", Data: []byte(`<svg viewBox="0 0 3 4"/>`)})
	if _, err := SaveFolder(dir, b, next); err != nil {
		t.Fatal(err)
	}
	again, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r := again.Resource("hive"); r == nil || r.Caption != "The old hive" || r.Placement.Position != "top" {
		t.Errorf("hive: %+v", r)
	}
	if r := again.Resource("drawn"); r == nil || r.Name != "images/drawn.svg" || r.Height != 4 {
		t.Errorf("drawn: %+v", r)
	}
	if r := again.Resource("prices"); r == nil || r.Table.Rows[1][1].Content != "6 d" {
		t.Errorf("prices: %+v", r)
	}
	text, err := os.ReadFile(filepath.Join(dir, "book.json"))
	if err != nil || !strings.Contains(string(text), `"later":1`) {
		t.Errorf("%v: %s", err, text)
	}
}
