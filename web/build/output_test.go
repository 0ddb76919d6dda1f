package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOutputKeepsWhatIsWrittenAndSweepsTheRest(t *testing.T) {
	dir := t.TempDir()
	o := newOutput(dir, "", false)
	for _, name := range []string{"a.txt", "sub/b.txt"} {
		if err := o.put(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"old.txt", "sub/old.txt", ".stamp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.sweep("."); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a.txt": true, "sub/b.txt": true, ".stamp": true, "old.txt": false, "sub/old.txt": false} {
		_, err := os.Stat(filepath.Join(dir, name))
		if (err == nil) != want {
			t.Errorf("%s: there %v, want %v", name, err == nil, want)
		}
	}
}

func TestAFileWithTheSameContentIsNotTouched(t *testing.T) {
	dir := t.TempDir()
	o := newOutput(dir, "", false)
	if err := o.put("a.txt", []byte("same")); err != nil {
		t.Fatal(err)
	}
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	file := filepath.Join(dir, "a.txt")
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		content string
		touched bool
	}{{"same", false}, {"other", true}} {
		if err := o.put("a.txt", []byte(c.content)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if touched := !info.ModTime().Equal(old); touched != c.touched {
			t.Errorf("put %q: touched %v", c.content, touched)
		}
	}
}

func TestCompressedFormsReadBack(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	text := strings.Repeat("a book is a list of chapters ", 200)
	build := func() {
		o := newOutput(dir, cache, true)
		for name, content := range map[string]string{"page.html": text, "tiny.html": "x", "picture.png": text} {
			if err := o.put(name, []byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		if err := o.sweep("."); err != nil {
			t.Fatal(err)
		}
	}
	build()
	build() // the second time from the cache
	for suffix, reader := range map[string]string{".br": "brotliDecompressSync", ".gz": "gunzipSync"} {
		read := exec.Command("node", "-e", "process.stdout.write(require('zlib')."+reader+"(require('fs').readFileSync(process.argv[1])))", filepath.Join(dir, "page.html"+suffix))
		back, err := read.Output()
		if err != nil || string(back) != text {
			t.Errorf("%s does not read back: %v", suffix, err)
		}
		for _, name := range []string{"tiny.html", "picture.png"} {
			if _, err := os.Stat(filepath.Join(dir, name+suffix)); err == nil {
				t.Errorf("%s%s was written", name, suffix)
			}
		}
	}
	plain, err := os.Stat(filepath.Join(dir, "page.html"))
	if err != nil {
		t.Fatal(err)
	}
	form, err := os.Stat(filepath.Join(dir, "page.html.br"))
	if err != nil {
		t.Fatal(err)
	}
	if form.ModTime().Before(plain.ModTime()) {
		t.Error("the compressed form is older than its original: the server would not serve it")
	}
}
