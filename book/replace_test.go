package book

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAReplacedFileKeepsItsModeAndItsLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.md", link); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(file)
	if data, _ := os.ReadFile(file); err != nil || string(data) != "new" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v", data, info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is one no more: %v, %v", info, err)
	}
	for name, want := range map[string]string{
		dir:                                "it is a folder",
		filepath.Join(dir, "none", "a.md"): "its folder: ",
	} {
		if err := ReplaceFile(name, nil); err == nil || !strings.Contains(err.Error(), name+" cannot be written: "+want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
