package sandbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/book"
)

// edition is a sample book in one of its languages, "" where it says none.
type edition struct {
	*book.Book
	sample, language string
	bundle           bool
}

func (e edition) name() string { return e.sample + " " + e.language }

// eachSample calls f with every edition of every sample book; the design of each may
// be taken over by another book.
func eachSample(t *testing.T, f func(e edition)) {
	t.Helper()
	base := filepath.Join("..", "web", "books")
	dirs, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, d := range dirs {
		fsys := os.DirFS(filepath.Join(base, d.Name()))
		languages := []string{""}
		if book.IsBundle(fsys) {
			z, err := book.OpenBundleFS(fsys)
			if err != nil {
				t.Fatal(err)
			}
			if l := z.Languages(); len(l) > 0 {
				languages = l
			}
		}
		for _, tag := range languages {
			b, err := book.ReadSample(fsys, d.Name(), tag)
			if err != nil {
				t.Fatal(err)
			}
			read++
			f(edition{b, d.Name(), tag, book.IsBundle(fsys)})
		}
	}
	if read < 10 {
		t.Errorf("only %d editions", read)
	}
}

// The sample books are examples: in each of their languages the checks find nothing.
func TestSampleBooksHaveNoWarnings(t *testing.T) {
	eachSample(t, func(e edition) {
		for _, w := range good(t, typeset(t, e.Book, nil), "sandbox_get_warnings", `{"scope":"book"}`)["warnings"].([]any) {
			t.Errorf("%s: %v", e.name(), w)
		}
	})
}

// Every record of the sample books, in each of their languages: a resource is placed,
// has no fault and can be told in words; of another language its words are its own, and
// giving it what it has changes nothing.
func TestEveryRecordOfTheSampleBooksIsPlacedAndWorded(t *testing.T) {
	firsts := map[string]*book.Book{} // the first language of each sample
	eachSample(t, func(e edition) {
		if !e.bundle {
			return
		}
		name, b := e.name(), e.Book
		if firsts[e.sample] == nil {
			firsts[e.sample] = b
		}
		first := firsts[e.sample]

		if e.language != "" && b.Language != e.language || len(b.Chapters) != len(first.Chapters) || len(b.Resources) != len(first.Resources) {
			t.Errorf("%s opens in %q with %d chapters and %d resources, the first language has %d and %d", name, b.Language, len(b.Chapters), len(b.Resources), len(first.Chapters), len(first.Resources))
			return
		}
		s := typeset(t, b, nil)
		for i, c := range b.Chapters {
			if c.Title == "" || strings.TrimSpace(c.Markdown) == "" || b != first && c.Markdown == first.Chapters[i].Markdown {
				t.Errorf("%s: chapter %d, %q, has no text of its own", name, i+1, c.Title)
			}
		}
		for i, r := range b.Resources {
			row := good(t, s, "sandbox_list_resources", `{"id":`+jsonOf(r.ID)+`}`)
			if row["problems"] != nil {
				t.Errorf("%s: %s: %v", name, r.ID, row["problems"])
			}
			if placed, _ := row["placedIn"].([]any); len(placed) == 0 {
				t.Errorf("%s: %s stands nowhere", name, r.ID)
			}
			if r.Alt == "" && r.Kind != "table" {
				t.Errorf("%s: %s has no words for who cannot see it", name, r.ID)
			}
			if o := first.Resources[i]; b != first && (r.Alt != "" && r.Alt == o.Alt || r.Caption != "" && r.Caption == o.Caption) {
				t.Errorf("%s: %s is worded in the first language", name, r.ID)
			}
			if m := good(t, s, "sandbox_save_resource", `{"id":`+jsonOf(r.ID)+`,"altText":`+jsonOf(r.Alt)+`,"caption":`+jsonOf(r.Caption)+`}`); m["changed"] == true {
				t.Errorf("%s: %s is changed by what it has: %v", name, r.ID, m["from"])
			}
		}
		if s.State().Book.Edited {
			t.Errorf("%s counts as edited", name)
		}
	})
}

func jsonOf(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(data)
}
