package cite

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// The files of package library, which cannot be imported from here.
func init() { Library = readLibrary }

func readLibrary() (string, error) {
	var out strings.Builder
	files := os.DirFS("library")
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".go") {
			return err
		}
		data, err := fs.ReadFile(files, name)
		out.WriteString(FileMark + name + "\n" + string(data))
		return err
	})
	return out.String(), err
}

// forget makes the next set ask for the library.
func forget() {
	library.Lock()
	library.files, library.styles, library.shared = nil, nil, nil
	library.Unlock()
}

// Where the library cannot be had works are cited by author and year, the fault says
// so, and the next set asks again.
func TestWithoutTheLibraryWorksAreCitedByAuthorAndYear(t *testing.T) {
	works, err := Read("@book{vidal, author = {Vidal, Ana}, title = {Salt and Sheep}, year = 1998, publisher = {Marea}}", "")
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("no network")
	Library = func() (string, error) { return "", gone }
	forget()
	defer func() { Library = readLibrary; forget() }()
	for _, o := range []Options{{}, {Style: "ieee"}, {Style: "apa", Locale: "de"}, {Style: "custom"}} {
		s := New(works, []string{"vidal"}, o)
		if err := s.Fault(); !errors.Is(err, ErrLibrary) || !errors.Is(err, gone) {
			t.Errorf("%+v: the fault is %v", o, err)
		}
		if got := text(s.Cite([]Item{{Key: "vidal"}}, false)); got != "(Vidal, 1998)" {
			t.Errorf("%+v: cited as %q", o, got)
		}
	}
	if err := Unusable("apa", ""); err == nil || !strings.Contains(err.Error(), "by author and year alone") {
		t.Errorf("of a style that cannot be had is said %v", err)
	}
	Library = readLibrary
	s := New(works, []string{"vidal"}, Options{})
	if got := text(s.Cite([]Item{{Key: "vidal"}}, false)); s.Fault() != nil || got != "(Vidal, 1998)" {
		t.Errorf("once it can be had again: %q, %v", got, s.Fault())
	}
}
