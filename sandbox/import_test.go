package sandbox

import (
	"bytes"
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"postext/book"
	"postext/sandbox/store"
)

// bundled is a .postext file of editions, as base64.
func bundled(t *testing.T, editions ...*book.Book) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := book.WriteBundle(&out, editions, book.BundleOptions{}); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// tales is a book in English or Spanish with a picture and a cover.
func tales(t *testing.T, language string) *book.Book {
	t.Helper()
	b := withResources(t)
	b.Name, b.Language, b.Scope, b.BundleID = "Tales", language, "book", "tales"
	b.Chapters = b.Chapters[:2]
	if language == "es" {
		b.Chapters = []*book.Chapter{{ID: "u", Title: "Uno", Markdown: "# Uno\n"}}
	}
	b.Cover = &book.File{Name: "c.png", Data: b.Resources[0].Data}
	return b
}

func TestImportingMakesAnOwnBookAndOpensIt(t *testing.T) {
	st := store.NewMemory()
	s, l := visit(t, st, samplesOf(smallBook()), nil)
	if err := s.OpenBook(context.Background(), Ref{Kind: "sample", ID: "postext-guide"}); err != nil {
		t.Fatal(err)
	}
	file := bundled(t, tales(t, "en"), tales(t, "es"))
	m := good(t, s, "sandbox_import_book", `{"file":{"base64":"`+file+`"},"inspect":true}`)
	if m["name"] != "Tales" || m["imported"] != false || within(t, m, "languages", 1) != "es" || within(t, m, "editions", 1, "titles", 0) != "Uno" || m["chapters"] != 2.0 || m["resources"] != 3.0 || m["version"] != 2.0 {
		t.Errorf("%v", m)
	}
	if got := s.State().Book.ID; got != "postext-guide" {
		t.Errorf("inspecting opened %s", got)
	}
	m = good(t, s, "sandbox_import_book", `{"file":{"base64":"`+file+`"},"language":"es-MX"}`)
	if within(t, m, "book", "kind") != "project" || within(t, m, "book", "name") != "Tales" || within(t, m, "imported", "language") != "es" || within(t, m, "chapters", 0, "title") != "Uno" || within(t, m, "view", "scope") != "book" || m["pages"] == nil {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_import_book", `{"file":{"base64":"`+file+`"}}`)
	if within(t, m, "imported", "language") != "en" || within(t, m, "imported", "languages", 1) != "es" {
		t.Errorf("%v", m["imported"])
	}
	// Both are kept, each with its files.
	list, err := l.List(context.Background(), Ref{})
	if err != nil || len(list.Projects) != 2 {
		t.Fatalf("%v %v", list, err)
	}
	good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"# Opening","replace":"# The opening"}]}`)
	good(t, s, "sandbox_save_resource", `{"id":"dot","image":{"base64":"`+onePixel+`"}}`)
	edited, _, _ := s.Book(context.Background())
	if err := s.Save(context.Background()); err != nil {
		t.Fatal(err)
	}
	// Reloaded, exported and imported it is the same book.
	s2, _ := visit(t, st, samplesOf(smallBook()), nil)
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	id, _ := within(t, m, "imported", "id").(string)
	if err := s2.OpenBook(context.Background(), Ref{Kind: "project", ID: id}); err != nil {
		t.Fatal(err)
	}
	now, _, _ := s2.Book(context.Background())
	if what := alike(t, edited, now); what != "" {
		t.Errorf("reloaded, %s differ", what)
	}
	data, _ := exportedBytes(t, s2, `{"format":"postext","deliver":"data"}`)
	m = good(t, s2, "sandbox_import_book", `{"file":{"base64":"`+base64.StdEncoding.EncodeToString(data)+`"}}`)
	again, _, _ := s2.Book(context.Background())
	if what := alike(t, edited, again); what != "" {
		t.Errorf("exported and imported, %s differ", what)
	}
	if again.BundleID != "tales" {
		t.Errorf("bundle id %q", again.BundleID)
	}
}

func TestADamagedFileIsNotImported(t *testing.T) {
	s, l := visit(t, store.NewMemory(), samplesOf(smallBook()), nil)
	if err := s.OpenBook(context.Background(), Ref{Kind: "sample", ID: "postext-guide"}); err != nil {
		t.Fatal(err)
	}
	file, err := base64.StdEncoding.DecodeString(bundled(t, tales(t, "en")))
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(file, []byte("PK\x01\x02"))
	broken := bytes.Clone(file)
	broken[at/2] ^= 0x40
	for _, c := range []struct{ file, want string }{
		{"data:,hello", "not a zip archive"},
		{"data:application/zip;base64," + base64.StdEncoding.EncodeToString(file[:len(file)/2]), "not a zip archive"},
		{"data:application/zip;base64," + base64.StdEncoding.EncodeToString(broken), "damaged"},
	} {
		refused(t, s, "sandbox_import_book", `{"file":{"url":"`+c.file+`"}}`, "nothing was imported", c.want)
	}
	refused(t, s, "sandbox_import_book", `{"file":{"base64":"`+base64.StdEncoding.EncodeToString(file)+`"},"language":"fr"}`, `no language "fr"`, "en")
	refused(t, s, "sandbox_import_book", `{"file":{"base64":"aGk="},"language":"a b"}`, "language is a tag")
	if list, err := l.List(context.Background(), Ref{}); err != nil || len(list.Projects) != 0 || s.State().Book.ID != "postext-guide" {
		t.Errorf("%v %v", list, err)
	}
	alone := opened(t, smallBook(), nil)
	refused(t, alone, "sandbox_import_book", `{"file":{"base64":"aGk="}}`, "postext import")
	if m := good(t, alone, "sandbox_import_book", `{"file":{"base64":"`+base64.StdEncoding.EncodeToString(file)+`"},"inspect":true}`); !strings.Contains(m["name"].(string), "Tales") {
		t.Errorf("%v", m)
	}
}

// A folder of Markdown, or some files of it, becomes an own book with its pictures and
// its design (bundle.md, A folder as a book).
func TestAPersonsFilesBecomeAnOwnBook(t *testing.T) {
	s, l := visit(t, store.NewMemory(), samplesOf(smallBook()), nil)
	files := book.MemFS{
		"2-end.md":            []byte("# The end\n"),
		"1-start.md":          []byte("---\ntitle: Two tides\n---\n# The start\n\n![A dot](dot.png)\n"),
		"dot.png":             pngBytes(t),
		"postext-config.json": []byte(`{"type":"postext-config","version":1,"configVersion":11,"config":{"bodyText":{"fontSize":{"value":9,"unit":"pt"}}}}`),
	}
	name, err := s.OpenFiles(t.Context(), files, "tides")
	if err != nil || name != "Two tides" {
		t.Fatalf("%q %v", name, err)
	}
	b, _, err := s.Book(t.Context())
	if err != nil || b.Kind != "project" || len(b.Chapters) != 2 || !strings.HasPrefix(b.Chapters[1].Markdown, "# The end") || len(b.Resources) != 1 || b.Language != "en" ||
		!strings.Contains(string(b.Config), `"fontSize"`) {
		t.Fatalf("%+v %v", b, err)
	}
	list, err := l.List(t.Context(), Ref{})
	if err != nil || len(list.Projects) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := s.OpenFiles(t.Context(), book.MemFS{"a.txt": []byte("x")}, "none"); err == nil || !strings.Contains(err.Error(), "no Markdown") {
		t.Errorf("without chapters: %v", err)
	}
	if now, _, _ := s.Book(t.Context()); now.Name != "Two tides" {
		t.Errorf("%q is open", now.Name)
	}
}

func pngBytes(t *testing.T) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(onePixel)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
