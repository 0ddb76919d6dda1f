package sandbox

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"postext/book"
	"postext/sandbox/store"
)

// samples are the books of web/books as published: bundles and the guide.
func samples(t *testing.T) map[string]*book.Book {
	t.Helper()
	base := filepath.Join("..", "web", "books")
	entries, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]*book.Book{}
	for _, e := range entries {
		b, err := book.OpenFolder(filepath.Join(base, e.Name()))
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		if b.Warnings != nil {
			t.Errorf("%s: %q", e.Name(), b.Warnings)
		}
		list[e.Name()] = b
	}
	return list
}

// exportedBytes exports with deliver data and gives the file.
func exportedBytes(t *testing.T, s *Session, args string) ([]byte, map[string]any) {
	t.Helper()
	m := good(t, s, "sandbox_export", args)
	data, err := base64.StdEncoding.DecodeString(m["base64"].(string))
	if err != nil || float64(len(data)) != m["bytes"] {
		t.Fatalf("%d of %v bytes: %v", len(data), m["bytes"], err)
	}
	return data, m
}

func readBundle(t *testing.T, data []byte, language string) *book.Book {
	t.Helper()
	z, err := book.OpenBundle(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := z.Book(language)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// alike says what of two books differs: text, design, resources, fonts, cover,
// scope and language; "" when nothing does.
func alike(t *testing.T, a, b *book.Book) string {
	t.Helper()
	texts := func(b *book.Book) (list [][2]string) {
		for _, c := range b.Chapters {
			list = append(list, [2]string{c.Title, c.Markdown})
		}
		return list
	}
	config := func(b *book.Book) string {
		var m map[string]any
		if len(b.Config) > 0 {
			if err := json.Unmarshal(b.Config, &m); err != nil {
				t.Fatal(err)
			}
		}
		return fmt.Sprint(m)
	}
	switch {
	case !reflect.DeepEqual(texts(a), texts(b)):
		return "texts"
	case config(a) != config(b):
		return "configuration"
	case len(a.Resources) != len(b.Resources) || len(a.Fonts) != len(b.Fonts):
		return "resources or fonts"
	case a.Language != b.Language || a.Scope != b.Scope || a.Name != b.Name || a.Title != b.Title || a.Author != b.Author || a.Description != b.Description:
		return "what is told of the book"
	case (a.Cover == nil) != (b.Cover == nil):
		return "cover"
	}
	for i, r := range a.Resources {
		same, err := sameContent(r, b.Resources[i])
		if err != nil || !same {
			return "resource " + r.ID
		}
	}
	return ""
}

// sameContent compares resources but for the names of their files.
func sameContent(a, b *book.Resource) (bool, error) {
	x, y := a.Files(), b.Files()
	if len(x) != len(y) {
		return false, nil
	}
	for i := range x {
		p, err := x[i].Bytes()
		if err != nil {
			return false, err
		}
		q, err := y[i].Bytes()
		if err != nil || !bytes.Equal(p, q) {
			return false, err
		}
	}
	m, err := json.Marshal(a.WithContent("", nil))
	if err != nil {
		return false, err
	}
	n, err := json.Marshal(b.WithContent("", nil))
	return bytes.Equal(m, n), err
}

func TestRoundTripOfTheSampleBooks(t *testing.T) {
	for name, b := range samples(t) {
		if name == "postext-guide" {
			continue // its metadata stand in book.json: tested with folders
		}
		var first bytes.Buffer
		if warnings, err := book.WriteBundle(&first, []*book.Book{b}, book.BundleOptions{}); err != nil || warnings != nil {
			t.Fatalf("%s: %q %v", name, warnings, err)
		}
		s := opened(t, readBundle(t, first.Bytes(), ""), nil)
		before, _, _ := s.Book(context.Background())
		if what := alike(t, b, before); what != "" && what != "configuration" {
			t.Errorf("%s: imported, %s differ", name, what)
		}
		good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"\n# ","replace":"\n# A second look: ","all":true}]}`)
		good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"12.5pt"}]}`)
		good(t, s, "sandbox_save_resource", `{"id":"new-picture","caption":"A dot","image":{"base64":"`+onePixel+`"},"placement":{"position":"top"}}`)
		good(t, s, "sandbox_save_resource", `{"id":"new-table","table":{"rows":[[{"content":"both","colSpan":2}],["a","b"]]}}`)
		good(t, s, "sandbox_manage_chapters", `{"action":"add","title":"Coda","markdown":"# Coda\n\nSee :ref{id=\"new-table\"}.\n","position":99}`)
		edited, _, _ := s.Book(context.Background())
		data, m := exportedBytes(t, s, `{"format":"postext","deliver":"data"}`)
		if m["warnings"] != nil || m["mimeType"] != "application/zip" || m["fileName"] != book.Slug(b.Name)+".postext" {
			t.Errorf("%s: %v %v", name, m["fileName"], m["warnings"])
		}
		again := readBundle(t, data, "")
		if what := alike(t, edited, again); what != "" {
			t.Errorf("%s: exported and imported, %s differ", name, what)
		}
		s2 := opened(t, again, nil)
		data2, _ := exportedBytes(t, s2, `{"format":"postext","deliver":"data"}`)
		if what := alike(t, again, readBundle(t, data2, "")); what != "" {
			t.Errorf("%s: the second time, %s differ", name, what)
		}
	}
}

func TestMarkdownIsExportedByChapterAndWhole(t *testing.T) {
	b := smallBook()
	b.Chapters[1].Markdown = "---\ntitle: ignored\n---\n\n# Second\n"
	s := opened(t, b, nil)
	data, m := exportedBytes(t, s, `{"format":"markdown","scope":"chapter","chapter":2,"deliver":"data"}`)
	if m["fileName"] != "postext-guide-02-second.md" || m["mimeType"] != "text/markdown" || string(data) != b.Chapters[1].Markdown {
		t.Errorf("%v %q", m, data)
	}
	data, m = exportedBytes(t, s, `{"format":"markdown","deliver":"data"}`)
	if m["fileName"] != "postext-guide.md" || string(data) != "# Opening\n\nThe first words.\n\nMore of them.\n\n# Second\n" {
		t.Errorf("%v %q", m["fileName"], data)
	}
	data, m = exportedBytes(t, s, `{"format":"markdown","deliver":"data","fileName":"mine.zip"}`)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || m["fileName"] != "mine.zip" || m["mimeType"] != "application/zip" {
		t.Fatalf("%v %v", m, err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "01-opening.md 02-second.md" {
		t.Errorf("%s", got)
	}
	one := smallBook()
	one.Chapters = one.Chapters[:1]
	if _, m := exportedBytes(t, opened(t, one, nil), `{"format":"markdown","scope":"chapter","deliver":"data","fileName":"draft"}`); m["fileName"] != "draft.md" {
		t.Errorf("%v", m["fileName"])
	}
}

func TestTheDesignIsExportedWithoutFontFiles(t *testing.T) {
	b := smallBook()
	b.Config, b.ConfigVersion = json.RawMessage(`{"bodyText":{"fontSize":{"unit":"pt","value":12}},"customFonts":[{"name":"Mine","variants":[]}]}`), book.ConfigVersion
	s := opened(t, b, nil)
	data, m := exportedBytes(t, s, `{"format":"config","deliver":"data"}`)
	if m["fileName"] != "postext-config.json" || string(data) != `{
  "type": "postext-config",
  "version": 1,
  "configVersion": 11,
  "config": {
    "bodyText": {
      "fontSize": {
        "unit": "pt",
        "value": 12
      }
    }
  }
}
` {
		t.Errorf("%v %s", m["fileName"], data)
	}
	good(t, s, "sandbox_set_config", `{"replace":`+string(data)+`}`)
}

func TestALongFileIsGivenInParts(t *testing.T) {
	b := smallBook()
	noise := make([]byte, maxInline+5000)
	x := uint32(1)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = 'a' + byte(x>>24)%26
	}
	b.Chapters[0].Markdown = string(noise)
	s := opened(t, b, nil)
	refused(t, s, "sandbox_export", `{"format":"markdown","deliver":"data","part":{"offset":5}}`, "not there any more")
	m := good(t, s, "sandbox_export", `{"format":"markdown","deliver":"data"}`)
	if m["nextOffset"] != float64(maxInline) || m["totalBytes"] != m["bytes"] || m["sha256"] == "" || !strings.Contains(m["note"].(string), "part") {
		t.Errorf("%v %v", m["nextOffset"], m["note"])
	}
	n := good(t, s, "sandbox_export", fmt.Sprintf(`{"format":"markdown","deliver":"data","part":{"offset":%d}}`, maxInline))
	head, _ := base64.StdEncoding.DecodeString(m["base64"].(string))
	tail, _ := base64.StdEncoding.DecodeString(n["base64"].(string))
	if got := string(head) + string(tail); got != JoinedChapters(b) || n["nextOffset"] != nil || n["sha256"] != m["sha256"] {
		t.Errorf("%d bytes", len(got))
	}
	n = good(t, s, "sandbox_export", `{"format":"markdown","deliver":"data","part":{"offset":10,"length":4}}`)
	if part, _ := base64.StdEncoding.DecodeString(n["base64"].(string)); string(part) != string(noise[10:14]) {
		t.Errorf("%q", part)
	}
	refused(t, s, "sandbox_export", `{"format":"markdown","deliver":"data","part":{"offset":99999999}}`, "lies behind")
	refused(t, s, "sandbox_export", `{"format":"config","deliver":"data","part":{"offset":1}}`, "not there any more")
}

func TestExportsThatCannotBe(t *testing.T) {
	s := opened(t, smallBook(), nil)
	refused(t, s, "sandbox_export", `{"format":"postext","scope":"chapter","deliver":"data"}`, "holds the whole book")
	refused(t, s, "sandbox_export", `{"format":"markdown","chapter":1,"deliver":"data"}`, "chapter goes with scope")
	refused(t, s, "sandbox_export", `{"format":"markdown","scope":"chapter","chapter":9,"deliver":"data"}`, "no chapter 9")
	refused(t, s, "sandbox_export", `{"format":"config","part":{"offset":1}}`, "goes with deliver")
	refused(t, s, "sandbox_export", `{"format":"config","deliver":"data","fileName":"../x"}`, "without folders")
	refused(t, s, "sandbox_export", `{"format":"config"}`, "no browser here", "deliver")
}

func TestTheBrowserDownloadsAFile(t *testing.T) {
	var got string
	full := false
	s := opened(t, smallBook(), func(o *Options) {
		o.Download = func(_ context.Context, name, mime string, data []byte) error {
			if full {
				return errors.New("downloads are blocked")
			}
			got = name + " " + mime + " " + string(data[:1])
			return nil
		}
	})
	m := good(t, s, "sandbox_export", `{"format":"config"}`)
	if got != "postext-config.json application/json {" || m["downloaded"] != true || m["base64"] != nil {
		t.Errorf("%s %v", got, m)
	}
	full = true
	refused(t, s, "sandbox_export", `{"format":"config"}`, "downloads are blocked", "deliver")
}

func TestAnotherBookOfTheLibraryIsExported(t *testing.T) {
	s, _ := visit(t, store.NewMemory(), samplesOf(smallBook()), nil)
	if err := s.OpenBook(context.Background(), Ref{Kind: "sample", ID: "postext-guide"}); err != nil {
		t.Fatal(err)
	}
	data, m := exportedBytes(t, s, `{"format":"postext","deliver":"data","book":{"kind":"sample","id":"poems"}}`)
	z, err := book.OpenBundle(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(z.Languages(), " "); got != "en es" || z.ID() != "poems" || m["fileName"] != "poems.postext" {
		t.Errorf("%s %s %v", got, z.ID(), m)
	}
	if b, err := z.Book("es"); err != nil || b.Chapters[0].Markdown != "Un verso." {
		t.Errorf("%v", err)
	}
	data, _ = exportedBytes(t, s, `{"format":"postext","deliver":"data","book":{"kind":"sample","id":"poems","language":"es"}}`)
	if b := readBundle(t, data, ""); b.Language != "es" {
		t.Errorf("%s", b.Language)
	}
	good(t, s, "sandbox_save_book", `{"action":"copy_current","name":"Mine"}`)
	good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"first","replace":"foremost"}]}`)
	id := s.State().Book.ID
	data, _ = exportedBytes(t, s, `{"format":"postext","deliver":"data","book":{"kind":"project","id":"`+id+`"}}`)
	if b := readBundle(t, data, ""); b.Name != "Mine" || !strings.Contains(b.Chapters[0].Markdown, "foremost") {
		t.Errorf("%+v", b)
	}
	refused(t, s, "sandbox_export", `{"format":"postext","book":{"kind":"project","id":"nobody"}}`, "nobody")
	refused(t, s, "sandbox_export", `{"format":"config","book":{"kind":"sample","id":"poems"}}`, "sandbox_open_book")
}
