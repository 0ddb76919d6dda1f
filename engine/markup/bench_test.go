package markup

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"postext/book/booktest/tree"
)

// corpusBooks gives each book of the corpus as its chapters; nil when the
// corpus is not there.
func corpusBooks(t testing.TB) map[string][]string {
	dir := filepath.Join(filepath.Dir(tree.Root(t)), "shared", "corpus")
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	books := map[string][]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") && d.Name() != "README.md" && d.Name() != "SOURCES.md" {
			books[filepath.Base(filepath.Dir(path))] = append(books[filepath.Base(filepath.Dir(path))], path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, paths := range books {
		sort.Strings(paths)
		for i, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			books[name][i] = string(data)
		}
	}
	return books
}

func BenchmarkParse(b *testing.B) {
	books := corpusBooks(b)
	for _, name := range []string{"moby-dick", "leaves-of-grass", "wealth-of-nations", "college-physics"} {
		chapters := books[name]
		if chapters == nil {
			continue
		}
		size := 0
		for _, c := range chapters {
			size += len(c)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, c := range chapters {
					Parse(c, Options{FirstChapter: true})
				}
			}
		})
	}
}
