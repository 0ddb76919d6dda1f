package settings

import (
	"strings"
	"testing"
)

func TestTableIsComplete(t *testing.T) {
	priorities := map[int]int{}
	for _, s := range schema().all {
		if !s.Leaf() {
			continue
		}
		priorities[s.Priority]++
		if s.Label == "" || s.About == "" {
			t.Errorf("%s has no label or help", s.Path)
		}
		if s.Section == nil && !strings.HasPrefix(s.Path, "customFonts") { // the Fonts panel's
			t.Errorf("%s has no section in the panel", s.Path)
		}
		if s.Priority < 1 || s.Priority > 3 {
			t.Errorf("%s has priority %d", s.Path, s.Priority)
		}
		if s.def != nil && !s.usable(s.def) {
			t.Errorf("%s: the default %s is not a value of it", s.Path, s.def)
		}
		if s.def != nil {
			if n, wrong := s.normalize(s.Path, s.def, newView(Empty.root, Env{}).palette); wrong != "" || !n.equal(s.def) {
				t.Errorf("%s: the default %s normalizes to %v %s", s.Path, s.def, n, wrong)
			}
		}
		if (s.Type == Enum || s.Type == Parity) && len(s.Enum) == 0 {
			t.Errorf("%s has no words", s.Path)
		}
	}
	t.Logf("%d settings, P1 %d, P2 %d, P3 %d; stored only %d", len(All()), priorities[1], priorities[2], priorities[3], StoredCount())
}

// The settings that are only stored may become fewer: who makes one work lowers
// the number.
func TestStoredSettingsOnlyBecomeFewer(t *testing.T) {
	const most = 217
	if n := StoredCount(); n > most {
		t.Errorf("%d settings are only stored, %d were", n, most)
	} else if n < most {
		t.Errorf("%d settings are only stored: write that number into this test", n)
	}
}

// Every setting that is only stored says why.
func TestStoredSettingsSayWhy(t *testing.T) {
	for _, s := range All() {
		if (s.Effect == Stored) != (s.Why != "") {
			t.Errorf("%s is %s; why: %q", s.Path, s.Effect, s.Why)
		}
	}
}

func TestTopLevelKeys(t *testing.T) {
	// settings.md 3
	want := strings.Fields("page layout header footer bodyText locale numerals direction headings headingStyles unorderedLists orderedLists math paragraphStyles chipStyles codeStyle calloutStyles parts toc index footnotes lineNumbers crossRefs citations resourceTypes captionStyle tableStyle tableStyles diagramStyle videoStyle colorPalette customFonts htmlViewer pdfGeneration print folio debug cjk comics")
	for _, k := range want {
		if s := At(k); s == nil || s.parent != nil {
			t.Errorf("no top-level key %s", k)
		}
	}
	if len(schema().roots) != len(want) {
		t.Errorf("%d top-level keys, want %d", len(schema().roots), len(want))
	}
}

func TestImplementedPatternsAreInTheTable(t *testing.T) {
	for _, p := range append(append([]string{}, implemented...), notYet...) {
		if At(p) == nil {
			t.Errorf("assembly.go names %s, which is not in the table", p)
		}
	}
	for p := range levelDefaults {
		if At(p) == nil {
			t.Errorf("levelDefaults names %s", p)
		}
	}
	for p := range presenceObjects {
		if s := At(p); s == nil || s.presence == nil {
			t.Errorf("presenceObjects names %s", p)
		}
	}
	for _, syn := range synonyms {
		for _, p := range syn.paths {
			if At(strings.TrimSuffix(strings.TrimSuffix(p, "."), "[]")) == nil {
				t.Errorf("synonyms name %s", p)
			}
		}
	}
}

func TestPathForms(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"headings.levels[level=2].fontSize", "headings.levels[level=2].fontSize"},
		{"headings.levels[0].fontSize", "headings.levels[0].fontSize"},
		{"headings.levels.0.fontSize", "headings.levels[0].fontSize"},
		{`header.elements[id="titleOdd"].italic`, "header.elements[id=titleOdd].italic"},
		{"calloutStyles[id=note]", "calloutStyles[id=note]"},
		{"bodyText.tabStops[0].position", "bodyText.tabStops[0].position"},
		{"footnotes.symbols[1]", "footnotes.symbols[1]"},
		{"customFonts[name=Acme Sans]", "customFonts[name=Acme Sans]"},
	} {
		p, ok := locate(c.path)
		if !ok {
			t.Errorf("%s is not found", c.path)
			continue
		}
		if got := canonicalPath(p); got != c.want {
			t.Errorf("%s is written %s", c.path, got)
		}
	}
	for _, bad := range []string{"", ".", "bodyText.", "bodyText[0]", "headings.levels[id=2].fontSize", "headings.levels.fontSize", "bodyText.fontSize.value", "a[", "levels[]", "bodyText..fontSize", "headings.levels[level=2]x"} {
		if _, ok := locate(bad); ok {
			t.Errorf("%q is found", bad)
		}
	}
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{"bodyText.fontSize", "headings.levels[level=2].fontSize", "a[0].b.1", "[", "x[=]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if p, ok := locate(path); ok {
			again, ok := locate(canonicalPath(p))
			if !ok || again.set != p.set {
				t.Fatalf("%q is written %q, which is something else", path, canonicalPath(p))
			}
			return
		}
		unknownPath(path)
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{}`, `{"bodyText":{"fontSize":{"value":9,"unit":"pt"}}}`, `{"headings":{"levels":[{"level":2},3]},"x":[1e400]}`,
		`{"header":{"elements":[]},"codeStyle":{"inline":{}},"page":{"cutLines":true},"bodyText":7}`, `{"calloutStyles":[{"id":"note"},{}],"colorPalette":5}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		tree, err := Parse([]byte(data))
		if err != nil {
			return
		}
		again, err := Parse(tree.Marshal())
		if err != nil {
			t.Fatalf("the canonical text does not parse: %v\n%s", err, tree.Marshal())
		}
		if string(again.Marshal()) != string(tree.Marshal()) {
			t.Fatalf("canonical twice:\n%s\n%s", tree.Marshal(), again.Marshal())
		}
		if _, err := Resolve(tree, Env{}); err != nil {
			if _, ok := err.(Faults); !ok {
				t.Fatal(err)
			}
		}
		Validate(tree)
		Diff(Env{}, Empty, tree)
	})
}
