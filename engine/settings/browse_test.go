package settings

import (
	"strings"
	"testing"
)

// settings.md 39: going through the groups, sections and lists of the Design panel
// leads to every setting, once, under a label and with a word of help; the count of
// what is set is that of what is stored.
func TestThePanelLeadsToEverySetting(t *testing.T) {
	tree := mustParse(t, strings.Replace(testBases[1], `,"header":{"elements":[],"unknown":1}`, "", 1))
	panel := NewPanel(tree, nil, Env{})
	met, empty := map[string]string{}, map[string]bool{}
	var walk func(at string, fields []Field)
	walk = func(at string, fields []Field) {
		for _, f := range fields {
			if f.Label == "" {
				t.Errorf("%s: %s has no label", at, f.Path)
			}
			p, ok := locate(f.Path)
			if !ok {
				t.Fatalf("%s: %s is no path", at, f.Path)
			}
			switch {
			case f.Setting != nil:
				if f.Setting.About == "" {
					t.Errorf("%s has no help", f.Path)
				}
				if was := met[f.Path]; was != "" {
					t.Errorf("%s stands in %s and in %s", f.Path, was, at)
				}
				met[f.Path], met[p.set.Path] = at, at
			case f.List:
				empty[p.set.Path+"[]."] = len(f.Items) == 0
				for _, it := range f.Items {
					sub, err := panel.Under(it.Path)
					if err != nil {
						t.Fatalf("%s: %v", it.Path, err)
					}
					walk(at, sub)
				}
			default:
				sub, err := panel.Under(f.Path)
				if err != nil {
					t.Fatalf("%s: %v", f.Path, err)
				}
				walk(at, sub)
			}
		}
	}
	changed := 0
	for _, g := range panel.Groups() {
		for _, s := range g.Sections {
			changed += s.Changed
			walk(s.ID, panel.Section(s.ID))
		}
	}
	for _, s := range All() {
		if at := strings.LastIndex(s.Path, "[]."); at >= 0 && empty[s.Path[:at+3]] {
			continue // reached once there is an item
		}
		if s.Section != nil && met[s.Path] == "" && s.name != "level" {
			t.Errorf("%s is not reached", s.Path)
		}
	}
	differ := 0
	for _, d := range tree.Since(nil, Env{}) {
		if d.set.Section != nil {
			differ++
		}
	}
	if changed != differ || changed == 0 {
		t.Errorf("%d settings are told as changed, %d are", changed, differ)
	}
	if _, err := panel.Under("nowhere.at.all"); err == nil {
		t.Error("a path that is none has fields")
	}
}

func TestFollowsInWords(t *testing.T) {
	for pattern, want := range map[string]string{
		"captionStyle.fontFamily":         "Body text › Typeface",
		"captionStyle.note.fontSize":      "0.85 × Captions › ",
		"page.width":                      "the size preset",
		"bodyText.hyphenation.locale":     "Language and direction › ",
		"headings.levels[].fontFamily":    "Headings › ",
		"unorderedLists.levels[].color":   "Bulleted lists › ",
		"calloutStyles[].body.fontFamily": "Body text › ",
	} {
		if got := At(pattern).takes(); !strings.HasPrefix(got, want) {
			t.Errorf("%s takes %q, want %q", pattern, got, want)
		}
	}
}
