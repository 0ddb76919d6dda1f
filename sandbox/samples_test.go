package sandbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/book"
	"postext/sandbox/store"
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

// Every call that the guide prints runs, in order, on the guide in the same language.
// (What is meant for the console is run in the browser's tests.)
func TestEveryCallOfTheGuideRunsInEachLanguage(t *testing.T) {
	eachSample(t, func(e edition) {
		if e.sample != BuiltIn {
			return
		}
		s := typeset(t, e.Book, nil)
		n := 0
		for _, c := range e.Book.Chapters {
			tool, args := "", ""
			for line := range strings.Lines(c.Markdown) {
				switch rest, begins := strings.CutPrefix(line, "```json {title=\""); {
				case begins:
					tool, args = strings.TrimSuffix(rest, "\"}\n"), ""
				case tool != "" && line == "```\n":
					checked(t, s, tool, args)
					tool = ""
					n++
				case tool != "":
					args += line
				}
			}
		}
		if n < 30 {
			t.Errorf("%s: only %d calls", e.name(), n)
		}
	})
}

// The public document opens the guide in Spanish, so it is there in Spanish.
func TestSeedOpenBook(t *testing.T) {
	languages := 0
	eachSample(t, func(e edition) {
		if e.sample != BuiltIn {
			return
		}
		languages++
		if e.language != "es" {
			return
		}
		list := samplesOf(smallBook())
		list.samples[1].Languages = []string{"en", "es"}
		list.books[BuiltIn+" es"] = func() *book.Book { return e.Book }
		s, _ := visit(t, store.NewMemory(), list, nil)
		m := checked(t, s, "sandbox_open_book", `{ "kind": "sample", "id": "postext-guide", "language": "es" }`)
		if within(t, m, "book", "language") != "es" || within(t, m, "book", "title") != "Guía de Postext" {
			t.Errorf("opened %v", m["book"])
		}
	})
	if languages < 2 {
		t.Errorf("the guide is in %d languages", languages)
	}
}

func jsonOf(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(data)
}
