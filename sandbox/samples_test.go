package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"postext/book"
)

// The sample books are examples: in each of their languages the checks find nothing.
func TestSampleBooksHaveNoWarnings(t *testing.T) {
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
			for _, w := range good(t, typeset(t, b, nil), "sandbox_get_warnings", `{"scope":"book"}`)["warnings"].([]any) {
				t.Errorf("%s in %q: %v", d.Name(), tag, w)
			}
		}
	}
	if read < 10 {
		t.Errorf("only %d editions", read)
	}
}
