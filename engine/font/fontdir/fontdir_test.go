package fontdir_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"postext/engine/font"
	"postext/engine/font/fontdir"
	"postext/engine/font/fonttest"
)

func TestIndexOfNpmFonts(t *testing.T) {
	w := fonttest.World(t)
	if got := strings.Join(w.Families(), ", "); got != "EB Garamond, JetBrains Mono, Noto Naskh Arabic, Noto Serif Hebrew, Open Sans, STIX Two Math, Source Code Pro" {
		t.Errorf("families %s", got)
	}
	for _, c := range []struct {
		family string
		weight int
		italic bool
		found  int
	}{
		{"EB Garamond", 400, true, 400}, {"eb garamond", 900, false, 800}, {"Open Sans", 100, false, 300},
		{"OpenSans", 700, true, 700}, {"jetbrains-mono", 450, false, 500}, {"JetBrains Mono", 50, false, 100},
	} {
		f, err := w.Font(context.Background(), c.family, c.weight, c.italic)
		if err != nil {
			t.Fatal(err)
		}
		if f.Weight != c.found || f.Italic != c.italic || len(f.Data) < 10_000 {
			t.Errorf("%s %d: %d italic %v, %d bytes", c.family, c.weight, f.Weight, f.Italic, len(f.Data))
		}
		again, err := w.Font(context.Background(), c.family, c.weight, c.italic)
		if err != nil || &again.Data[0] != &f.Data[0] {
			t.Errorf("%s is read twice (%v)", c.family, err)
		}
	}
}

func TestUnknownFamilyNamesWhatThereIs(t *testing.T) {
	_, err := fonttest.World(t).Font(context.Background(), "Comic Sans", 400, false)
	var unknown *fontdir.UnknownFamily
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "EB Garamond") {
		t.Errorf("error %v", err)
	}
}

// Files named otherwise are known by their tables; others are passed over.
func TestNamesFromTables(t *testing.T) {
	file, err := fonttest.World(t).Font(context.Background(), "Open Sans", 600, true)
	if err != nil {
		t.Fatal(err)
	}
	d, err := fontdir.OpenFS(fstest.MapFS{
		"a/some file.TTF": {Data: file.Data},
		"broken.ttf":      {Data: []byte("not a font")},
		"readme.md":       {Data: []byte("x")},
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Font(context.Background(), "Open Sans", 400, false)
	if err != nil || f.Weight != 600 || !f.Italic {
		t.Fatalf("%v %d %v; families %v", err, f.Weight, f.Italic, d.Families())
	}
	if _, err := font.Parse(f.Data, f.Family, f.Weight, f.Italic); err != nil {
		t.Error(err)
	}
	if got := strings.Join(d.Skipped(), " "); len(d.Families()) != 1 || got != "broken.ttf" {
		t.Errorf("families %v, skipped %s", d.Families(), got)
	}
}

func TestNoFolder(t *testing.T) {
	if _, err := fontdir.Open("does-not-exist"); err == nil {
		t.Error("a folder that is not there opens")
	}
}
