package catalogue_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"postext/engine/font/catalogue"
	"postext/engine/font/catalogue/families"
)

func TestTheCatalogue(t *testing.T) {
	l, err := families.List()
	if err != nil || len(l) < 1800 {
		t.Fatalf("%d families, %v", len(l), err)
	}
	f, ok := l.Find("eb garamond")
	if !ok || f.Family != "EB Garamond" || f.Category != "serif" || f.Licence != "OFL-1.1" || !slices.Contains(f.Weights, 400) || !slices.Contains(f.Italics, 800) {
		t.Errorf("%+v", f)
	}
	for _, x := range l {
		if !slices.Contains(catalogue.Categories(), x.Category) || len(x.Weights)+len(x.Italics) == 0 || len(x.Scripts) == 0 {
			t.Errorf("%+v", x)
		}
	}
	// The seed's example: search "Garamond" finds families.
	found := l.Search("Garamond", "", "")
	if len(found) < 2 || !slices.Contains(found.Names(), "EB Garamond") || !slices.Contains(found.Names(), "Cormorant Garamond") {
		t.Errorf("%v", found.Names())
	}
	if n := l.Search("open sans", "sans", "greek"); len(n) == 0 || n[0].Family != "Open Sans" {
		t.Errorf("%v", n.Names())
	}
	if n := l.Search("", "monospace", "cyrillic"); len(n) < 10 {
		t.Errorf("%d monospaced families with Cyrillic letters", len(n))
	}
	if n := l.Search("xyzzy", "", ""); len(n) != 0 {
		t.Errorf("%v", n.Names())
	}
	if w, it := f.Nearest(300, true); w != 400 || !it {
		t.Errorf("nearest %d %v", w, it)
	}
}

func TestWhereTheFilesLie(t *testing.T) {
	text := "X\tserif\t4\t\tlatin\tOFL-1.1\nY Z\tserif\t4\t\tlatin\tOFL-1.1\n"
	x, y := &catalogue.Family{Family: "X"}, &catalogue.Family{Family: "Y Z"}
	for _, c := range []struct {
		text string
		base string
		x, y bool
	}{
		{text, "", false, false},
		{catalogue.WithPlace(text, catalogue.Place{}), "", false, false},
		{catalogue.WithPlace(text, catalogue.Place{Base: "https://fonts.example/npm"}), "https://fonts.example/npm/", true, true},
		{catalogue.WithPlace(text, catalogue.Place{Base: "catalogue", Folders: []string{"y-z"}}), "catalogue/", false, true},
		{catalogue.WithPlace(text, catalogue.Place{Base: "catalogue", Folders: []string{}}), "catalogue/", false, false},
	} {
		// A list that said something else before says the same.
		for _, text := range []string{c.text, catalogue.WithPlace(catalogue.WithPlace(text, catalogue.Place{Base: "a", Folders: []string{"x"}}), catalogue.PlaceOf(c.text))} {
			p := catalogue.PlaceOf(text)
			if p.Base != c.base || p.Has(x) != c.x || p.Has(y) != c.y {
				t.Errorf("%q: %+v, X %v, Y Z %v", text, p, p.Has(x), p.Has(y))
			}
			if l, err := catalogue.Parse(text); err != nil || len(l) != 2 {
				t.Errorf("%q: %v %v", text, l, err)
			}
		}
	}
}

// The paths of the files are those of the npm packages.
func TestPathsAreThoseOfThePackages(t *testing.T) {
	l, err := families.List()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.FromSlash("../../../web/node_modules/@expo-google-fonts")
	for _, name := range []string{"EB Garamond", "Open Sans", "JetBrains Mono"} {
		f, _ := l.Find(name)
		for _, p := range []string{f.Path(400, false), f.Path(700, true)} {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
				t.Errorf("%v (make test installs the fonts)", err)
			}
		}
	}
}

func TestForeignLists(t *testing.T) {
	for _, bad := range []string{"a\tb", "a\tb\tc\td\te\tf\tg"} {
		if _, err := catalogue.Parse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if l, err := catalogue.Parse("# a list\n\nX\tserif\t4\t\tlatin\tOFL-1.1\r\n"); err != nil || len(l) != 1 || l[0].Licence != "OFL-1.1" {
		t.Errorf("%+v %v", l, err)
	}
}
