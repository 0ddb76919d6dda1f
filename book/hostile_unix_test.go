//go:build unix

package book

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// open reads a folder, and fails the test when that does not end.
func open(t *testing.T, dir string) (*Book, error) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	type outcome struct {
		b   *Book
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		b, err := OpenFolder(dir)
		done <- outcome{b, err}
	}()
	select {
	case o := <-done:
		return o.b, o.err
	case <-ctx.Done():
		t.Fatalf("opening %s does not end", filepath.Base(dir))
		return nil, nil
	}
}

func TestANamedPipeIsNoFileOfABook(t *testing.T) {
	for _, c := range []struct{ pipe, refused string }{
		{"b.md", "b.md is not a file"},
		{"book.json", "book.json is not a file"},
		{"postext-config.json", "postext-config.json is not a file"},
		{"picture.png", ""},
		{"fonts/f.ttf", ""},
		{"refs.bib", ""},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, filepath.FromSlash(c.pipe))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("text\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(name, 0o644); err != nil {
			t.Fatal(err)
		}
		b, err := open(t, dir)
		switch {
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: %v", c.pipe, err)
		case c.refused == "" && (err != nil || len(b.Chapters) != 1 || len(b.Resources)+len(b.Fonts) != 0):
			t.Errorf("%s: %+v, %v", c.pipe, b, err)
		}
	}
}

func TestAFileWhoseNameIsNotUTF8IsLeftOut(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b\xff.md", "p\xfe.png"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text\n"), 0o644); err != nil {
			if name != "a.md" {
				continue // a file system that has only names in UTF-8
			}
			t.Fatal(err)
		}
	}
	b, err := open(t, dir)
	if err != nil || len(b.Chapters) != 1 || len(b.Resources) != 0 {
		t.Fatalf("%+v, %v", b, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(b.Warnings) != len(entries)-1 {
		t.Errorf("warnings %q, %v", b.Warnings, err)
	}
}

func TestNamesInBookJSONAreCleaned(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.md":      "text\n",
		"book.json": `{"title":"A\u0000B","author":["x\ud800y"],"language":"en","chapters":[{"file":"a.md","title":" T\u0000 "}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := open(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if b.Title != "A\uFFFDB" || b.Name != b.Title || b.Author != "x\uFFFDy" || b.Chapters[0].Title != "T\uFFFD" {
		t.Errorf("%q %q %q %q", b.Title, b.Name, b.Author, b.Chapters[0].Title)
	}
}

func TestLinksAndFilesThatCannotBeReadAreSaidPlainly(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ to, want string }{
		{outside, "chapter 2: b.md cannot be read: it is a link that leads out of the folder, where nothing is read or written: put the file itself there"},
		{"b.md", "chapter 2: b.md cannot be read: its links lead round in a circle: put the file itself there"},
	} {
		for _, name := range []string{"b.md", "picture.png", "book.json"} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("text\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			to, want := c.to, strings.ReplaceAll(c.want, "b.md", name)
			if to == "b.md" {
				to = name
			}
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			b, err := open(t, dir)
			text := ""
			switch {
			case name == "picture.png" && err == nil:
				text = strings.Join(b.Warnings, "; ")
				_, want, _ = strings.Cut(want, "cannot be read: ")
				want = name + " is left out: " + want
			case err != nil:
				text = err.Error()
			}
			if name == "book.json" {
				_, want, _ = strings.Cut(want, ": ")
			}
			if text != want {
				t.Errorf("%s to %s: %q, want %q", name, c.to, text, want)
			}
		}
	}
	if err := reason(&os.PathError{Op: "openat", Path: "x", Err: syscall.EACCES}); err.Error() != "this account may not do that: change the permissions of the file or its folder" {
		t.Error(err)
	}
}

func TestAChapterOfAFileHasAtMost16MB(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "01.md")
	text := strings.Repeat("0123456789abcde\n", MaxChapter/16)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := OpenFolder(dir)
	if err != nil || len(b.Chapters[0].Markdown) != MaxChapter {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text+strings.Repeat("x", 1<<20)), 0o644); err != nil {
		t.Fatal(err)
	}
	const want = "01.md: the text is 17.0 MB; a chapter may have 16 MB: divide it into several chapters"
	for _, from := range []string{dir, name} {
		if _, err := OpenFolder(from); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v", err)
		}
	}
	// What cleaning makes longer counts too.
	if err := os.WriteFile(name, []byte(strings.Repeat("\x00", MaxChapter/2)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(dir); err == nil || !strings.Contains(err.Error(), "the text is 24.0 MB") {
		t.Errorf("%v", err)
	}
}

func TestAnEmptyBundleIsSaidToBeEmpty(t *testing.T) {
	if _, err := OpenBundle(strings.NewReader(""), 0); err == nil || err.Error() != "the file is empty" {
		t.Error(err)
	}
}
