package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wild is a folder whose files have names of their own, in an order of their own.
var wild = map[string]string{
	"b second.md":         "# Second\n",
	"text/a.md":           "# First\n\n![](art/My%20Pic.svg)\n",
	"art/My Pic.svg":      `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="8"/>`,
	"art/told.svg":        `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>`,
	"refs.bib":            "@book{a, title={T}}\n",
	"book.json":           "{\n   \"title\": \"Wild\",\n   \"chapters\": [{\"file\":\"b second.md\"}, {\"file\":\"text/a.md\",\"title\":\"One\"}],\n   \"resources\": [{\"id\":\"told\",\"kind\":\"svg\",\"typeId\":\"figure\",\"file\":\"art/told.svg\",\"caption\":\"Told\"},\n     {\"id\":\"sums\",\"kind\":\"table\",\"typeId\":\"table\",\"table\":{\"model\":{\"rows\":[[{\"content\":\"1\"}]]}}}],\n   \"own\": 1\n}\n",
	"postext-config.json": "{\"type\":\"postext-config\",\"version\":1,\"configVersion\":11,\n \"config\": {\"bodyText\": {\"fontSize\": 10.0}}}\n",
	"notes.txt":           "not the book's\n",
}

// outAs makes a bundle of the book b, which was read as read, and opens it.
func outAs(t *testing.T, b, read *Book) (*Bundle, *Book) {
	t.Helper()
	var file bytes.Buffer
	warnings, err := WriteBundle(&file, []*Book{b}, BundleOptions{Read: read})
	if err != nil || warnings != nil {
		t.Fatalf("%q %v", warnings, err)
	}
	z, err := OpenBundle(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	again, err := z.Book("")
	if err != nil || again.Warnings != nil {
		t.Fatalf("%v %v", again, err)
	}
	return z, again
}

// bundle.md 8: a folder goes out and comes back with the names of its files.
func TestAFolderGoesOutAndComesBackUnderItsNames(t *testing.T) {
	_, b, before := folderBook(t, wild)
	_, again := outAs(t, b, b)
	dir := filepath.Join(t.TempDir(), "made")
	if _, err := SaveFolder(dir, nil, again); err != nil {
		t.Fatal(err)
	}
	made := snapshot(t, dir)
	for name, text := range before {
		if name != "notes.txt" && !strings.HasSuffix(name, ".json") && made[name] != text {
			t.Errorf("%s: %q", name, made[name])
		}
		delete(made, name)
	}
	if len(made) > 0 {
		t.Errorf("more than there was: %v", made)
	}
	back, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if chapterFiles(back) != chapterFiles(b) || back.Title != "Wild" || len(back.Resources) != len(b.Resources) {
		t.Errorf("%s, %s", chapterFiles(back), chapterFiles(b))
	}
}

// A folder as a book: what was changed in a bundle made of it comes back into it, and
// only that.
func TestChangesComeBackIntoTheFolder(t *testing.T) {
	about := func(r *Resource, caption string) *Resource { c := *r; c.Caption = caption; return &c }
	for _, c := range []struct {
		name   string
		change func(b *Book) *Book
		want   string // touched
	}{
		{"nothing", func(b *Book) *Book { return b }, ""},
		{"a text", func(b *Book) *Book { return b.WithText(1, "# First\n\nmore\n") }, "text/a.md"},
		{"a title", func(b *Book) *Book { return b.RenameChapter(1, "Two") }, "book.json"},
		{"the order", func(b *Book) *Book { return b.MoveChapter(0, 1) }, "book.json"},
		{"a chapter gone", func(b *Book) *Book { return b.RemoveChapter(0) }, "-b second.md book.json"},
		{"a chapter more", func(b *Book) *Book { return b.InsertChapter(2, &Chapter{ID: "n", Title: "New", Markdown: "# New\n"}) }, "book.json text/03-new.md"},
		{"a setting", func(b *Book) *Book {
			n, err := b.WithConfig(json.RawMessage(`{"bodyText":{"fontSize":11}}`))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}, "postext-config.json"},
		{"a caption", func(b *Book) *Book { return b.WithResource(about(b.Resource("told"), "Said")) }, "book.json"},
		{"a table gone", func(b *Book) *Book {
			return b.WithResources(slices.DeleteFunc(slices.Clone(b.Resources), func(r *Resource) bool { return r.ID == "sums" }))
		}, "book.json"},
		{"a picture gone", func(b *Book) *Book {
			return b.WithResources(slices.DeleteFunc(slices.Clone(b.Resources), func(r *Resource) bool { return r.Name == "art/My Pic.svg" }))
		}, "-art/My Pic.svg"},
		{"a picture more", func(b *Book) *Book {
			return b.WithResource(&Resource{ID: "dot", Kind: KindSVG, TypeID: "figure", Data: []byte(`<svg viewBox="0 0 3 4"/>`)})
		}, "book.json resources/dot.svg"},
		{"the book's title", func(b *Book) *Book { n := *b; n.Title = "Tame"; return &n }, "book.json"},
	} {
		dir, b, before := folderBook(t, wild)
		z, changed := outAs(t, c.change(b), b)
		did, err := z.WriteInto(dir, changed, false)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := touched(t, dir, before); got != c.want {
			t.Errorf("%s: touched %q, want %q", c.name, got, c.want)
		}
		if n := len(strings.Fields(strings.ReplaceAll(strings.ReplaceAll(c.want, "b second", "b"), "My Pic", "M"))); len(did.Written)+len(did.Removed) != n {
			t.Errorf("%s: %+v", c.name, did)
		}
		// Once more changes nothing.
		if did, err := z.WriteInto(dir, changed, false); err != nil || len(did.Written)+len(did.Removed) != 0 {
			t.Errorf("%s: again %+v, %v", c.name, did, err)
		}
	}
}

// What was changed on both sides is not written over, unless that is asked for.
func TestAFolderChangedMeanwhileIsNotWrittenOver(t *testing.T) {
	for _, c := range []struct {
		name      string
		file, now string // what the folder holds meanwhile; "" takes the file away
		change    func(b *Book) *Book
		want      string // the files in conflict; "" none
	}{
		{"another chapter", "b second.md", "# Second\n\nmeanwhile\n", func(b *Book) *Book { return b.WithText(0, "# Second\n") }, "b second.md"},
		{"the chapter changed", "text/a.md", "# First\n\nmeanwhile\n", func(b *Book) *Book { return b.WithText(1, "# First\n\nmine\n") }, "text/a.md"},
		{"the same change", "text/a.md", "# First\n\nmine\n", func(b *Book) *Book { return b.WithText(1, "# First\n\nmine\n") }, ""},
		{"a chapter taken out here", "text/a.md", "# First\n\nmeanwhile\n", func(b *Book) *Book { return b.RemoveChapter(1) }, "text/a.md"},
		{"a picture drawn anew", "art/told.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>`, func(b *Book) *Book { return b }, "art/told.svg"},
		{"the design", "postext-config.json", "{\"type\":\"postext-config\",\"version\":1,\"configVersion\":11,\"config\":{\"bodyText\":{\"fontSize\":9}}}", func(b *Book) *Book {
			n, err := b.WithConfig(json.RawMessage(`{"bodyText":{"fontSize":11}}`))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}, "postext-config.json"},
		{"the design, which is the same here", "postext-config.json", "{\"type\":\"postext-config\",\"version\":1,\"configVersion\":11,\"config\":{\"bodyText\":{\"fontSize\":9}}}", func(b *Book) *Book { return b }, ""},
	} {
		dir, b, _ := folderBook(t, wild)
		z, changed := outAs(t, c.change(b), b)
		put(t, dir, c.file, c.now)
		before := snapshot(t, dir)
		_, err := z.WriteInto(dir, changed, false)
		var conflict *ConflictError
		if c.want == "" {
			if err != nil || snapshot(t, dir)[c.file] != c.now {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.As(err, &conflict) || !slices.ContainsFunc(conflict.Files, func(f string) bool { return strings.HasPrefix(f, c.want) }) {
			t.Errorf("%s: %v", c.name, err)
		}
		for name, text := range snapshot(t, dir) {
			if before[name] != text {
				t.Errorf("%s: %s was touched", c.name, name)
			}
		}
		if _, err := z.WriteInto(dir, changed, true); err != nil || snapshot(t, dir)[c.file] == c.now {
			t.Errorf("%s: overwriting: %v", c.name, err)
		}
	}
}

// A bundle of no folder, or of another, is written into one only when that is asked
// for; its chapters go into the files of those they are like.
func TestAnotherBookIntoAFolder(t *testing.T) {
	dir, _, _ := folderBook(t, wild)
	other := &Book{Name: "Other", Language: "en", Chapters: []*Chapter{
		{ID: "1", Title: "One", Markdown: "# First\n\nof another\n"},
		{ID: "2", Title: "Third", Markdown: "# Third\n"},
		{ID: "3", Title: "Second", Markdown: "# Second\n"},
	}}
	z, b := outAs(t, other, nil)
	before := snapshot(t, dir)
	if _, err := z.WriteInto(dir, b, false); !errors.Is(err, ErrForeign) {
		t.Fatal(err)
	}
	if now := snapshot(t, dir); len(now) != len(before) || now["book.json"] != before["book.json"] {
		t.Error("it was written to")
	}
	if _, err := z.WriteInto(dir, b, true); err != nil {
		t.Fatal(err)
	}
	now, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := chapterFiles(now); got != "text/a.md text/02-third.md b second.md" {
		t.Errorf("chapters %s", got)
	}
	if len(now.Resources) != 4 {
		t.Errorf("%d resources", len(now.Resources))
	}
}

// When a file cannot be written, those before it are put back.
func TestAFolderHalfWrittenIsPutBack(t *testing.T) {
	dir, b, _ := folderBook(t, wild)
	before := snapshot(t, dir)
	n := b.WithText(0, "# Second\n\nchanged\n").RemoveChapter(1)
	n = n.WithResource(&Resource{ID: "dot", Kind: KindSVG, TypeID: "figure", Name: "art/told.svg/dot.svg", Data: []byte(`<svg viewBox="0 0 3 4"/>`)})
	if _, err := SaveFolder(dir, b, n); err == nil {
		t.Fatal("a picture stands in a file")
	}
	now := snapshot(t, dir)
	for name, text := range before {
		if now[name] != text {
			t.Errorf("%s: %q", name, now[name])
		}
	}
	if len(now) != len(before) {
		t.Errorf("%d files of %d", len(now), len(before))
	}
}

// Names that a folder book could not have are passed over, whoever wrote them.
func TestNamesOfAHostileFolderArePassedOver(t *testing.T) {
	for _, name := range []string{"../out.md", "/etc/x.md", ".hidden.md", "a/../../b.md", "postext-config.json", "book.json", "x.svg", "node_modules/a.md", `..\x.md`} {
		o := &folderOrigin{Files: map[string]originFile{name: {At: "chapters/01-a.md"}}}
		if got := o.names(); len(got) > 0 && !(name == `..\x.md` && os.PathSeparator == '/') {
			t.Errorf("%s: %v", name, got)
		}
	}
}
