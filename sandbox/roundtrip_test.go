package sandbox

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"testing"

	"postext/book"
	"postext/sandbox/store"
)

// entries are the files of an archive.
func entries(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list[f.Name] = string(text)
	}
	return list
}

// bundle.md 8: the sample books, in every language they have, go in by a file, are
// changed, go out, go in and go out again: the two files hold the same bytes.
func TestSampleBooksGoInAreChangedAndGoOutByteForByte(t *testing.T) {
	base := filepath.Join("..", "web", "books")
	dirs, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	books, inLanguages := 0, 0
	for _, d := range dirs {
		fsys := os.DirFS(filepath.Join(base, d.Name()))
		if !book.IsBundle(fsys) {
			continue // a folder of plain files: tested with folders
		}
		z, err := book.OpenBundleFS(fsys)
		if err != nil {
			t.Fatal(err)
		}
		languages := z.Languages()
		if len(languages) == 0 {
			languages = []string{z.Locale()}
		}
		var editions []*book.Book
		for _, tag := range languages {
			b, err := z.Book(tag)
			if err != nil {
				t.Fatal(err)
			}
			editions = append(editions, b)
		}
		var file bytes.Buffer
		if warnings, err := book.WriteBundle(&file, editions, book.BundleOptions{}); err != nil || warnings != nil {
			t.Fatalf("%s: %q %v", d.Name(), warnings, err)
		}
		books++
		for i, tag := range languages {
			inLanguages++
			s, _ := visit(t, store.NewMemory(), samplesOf(smallBook()), nil)
			in := func(data []byte) {
				t.Helper()
				good(t, s, "sandbox_import_book", `{"file":{"base64":"`+base64.StdEncoding.EncodeToString(data)+`"},"language":"`+tag+`"}`)
			}
			in(file.Bytes())
			imported, _, err := s.Book(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if what := alike(t, editions[i], imported); what != "" && what != "configuration" {
				t.Errorf("%s in %s: imported, %s differ", d.Name(), tag, what)
			}
			good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"# Ähnlich\n\n*Olá*, naïve “words”\\\nand more.\n"}`)
			good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"12.5pt"}]}`)
			good(t, s, "sandbox_save_resource", `{"id":"new-picture","caption":"A dot","altText":"A dot","image":{"base64":"`+onePixel+`"},"placement":{"position":"top"}}`)
			good(t, s, "sandbox_save_font", `{"action":"add","family":"Mine","redistributable":true,"file":{"base64":"`+fontBase64(t, monoWOFF2)+`"}}`)
			film := base64.StdEncoding.EncodeToString([]byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"))
			good(t, s, "sandbox_save_resource", `{"id":"film","caption":"A film","video":{"url":"data:video/mp4;base64,`+film+`","poster":{"base64":"`+onePixel+`"},"start":2,"end":9}}`)
			good(t, s, "sandbox_manage_chapters", `{"action":"add","title":"終わり Coda","markdown":"# 終わり\n","position":99}`)
			first, _ := exportedBytes(t, s, `{"format":"postext","deliver":"data"}`)
			in(first)
			second, _ := exportedBytes(t, s, `{"format":"postext","deliver":"data"}`)
			a, b := entries(t, first), entries(t, second)
			for name, text := range a {
				if b[name] != text {
					t.Errorf("%s in %s: %s has %d bytes the first time and %d the second", d.Name(), tag, name, len(text), len(b[name]))
				}
			}
			if len(a) != len(b) {
				t.Errorf("%s in %s: %d files and then %d", d.Name(), tag, len(a), len(b))
			}
		}
	}
	if books < 5 || inLanguages <= books {
		t.Errorf("%d books in %d languages", books, inLanguages)
	}
	t.Logf("%d books, %d editions", books, inLanguages)
}
