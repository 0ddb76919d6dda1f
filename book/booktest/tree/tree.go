// Package tree finds files of the repository, and the corpus beside it, for tests.
package tree

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Find gives the folder of the repository: the nearest one upwards with a
// go.mod.
func Find() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the test")
		}
		dir = up
	}
}

// Root is Find for a test, which fails where there is none.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Corpus is the path of a file or folder of the corpus, "" for the corpus
// itself; the test is skipped where it is absent.
func Corpus(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(Root(t), "..", "shared", "corpus", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	return path
}

// Texts are the paths of the chapters of a book of the corpus, in their order;
// the test is skipped where there are none.
func Texts(t testing.TB, name string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Corpus(t, name), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no chapters of %s in the corpus", name)
	}
	return files
}
