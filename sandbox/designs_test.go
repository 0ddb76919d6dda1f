package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"unicode"

	"postext/engine/settings"
)

// A design is taken over by other books: what it prints is placeholders and signs,
// and the pictures it draws are named by the headings, never words or pictures of
// the sample it is made for. The names of figures and tables are of the language,
// and go only to books of that language.
func TestADesignCarriesNoWordsOfItsSample(t *testing.T) {
	printed := []string{"content", "resourceId", "title", "label", "prefix", "suffix", "separator", "numberSeparator", "locatorSeparator", "rangeSeparator",
		"numberingTemplate", "markerTemplate", "glyph", "bulletChar", "endMark", "continuedSuffix", "continuesMarker", "alsoLabel", "symbolsLabel",
		"numbersLabel", "labelSeparator", "char", "leader", "spineImage", "format", "turnoverMark"}
	placeholder := regexp.MustCompile(`\{[^{}]*\}`)
	plain := map[string]string{"Figure": "", "Figures": "", "Fig.": "", "Table": "", "Tables": ""}
	eachSample(t, func(e edition) {
		name, b := e.name(), e.Book
		var walk func(at, key string, v any)
		walk = func(at, key string, v any) {
			switch v := v.(type) {
			case map[string]any:
				for k, in := range v {
					walk(at+"."+k, k, in)
				}
			case []any:
				for i, in := range v {
					walk(fmt.Sprintf("%s[%d]", at, i), key, in)
				}
			case string:
				if slices.Contains(printed, key) {
					for _, r := range placeholder.ReplaceAllString(v, "") {
						if unicode.IsLetter(r) {
							t.Errorf("%s: %s says %q", name, at[1:], v)
							break
						}
					}
				}
			}
		}
		var config map[string]any
		if err := json.Unmarshal(b.Config, &config); err != nil {
			t.Fatal(err)
		}
		walk("", "", config)
		types, _ := config["resourceTypes"].([]any)
		for _, one := range types {
			for _, key := range []string{"name", "namePlural", "shortLabel", "captionPrefix"} {
				if s, _ := one.(map[string]any)[key].(string); s != "" {
					if _, known := plain[s]; !known {
						t.Errorf("%s: a figure or table is called %q", name, s)
					}
				}
			}
		}
	})
}

// The ranks of headings step down: no level is larger than the one above it, nor of
// its size and heavier, nor upright under italics of its size and weight, nor set
// off by more room. None is smaller than the text it heads, and no two look alike.
func TestHeadingsStepDownInEveryDesign(t *testing.T) {
	eachSample(t, func(e edition) {
		name, b := e.name(), e.Book
		tree, err := settings.Parse(b.Config)
		if err != nil {
			t.Fatal(err)
		}
		d, err := settings.Resolve(tree, settings.Env{Language: b.Language})
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range d.Headings.Levels {
			text := l.Text
			if text.Size < d.Body.Size {
				t.Errorf("%s: level %d, of %v pt, is smaller than the text, of %v pt", name, i+1, text.Size.Pt(), d.Body.Size.Pt())
			}
			if i == 0 {
				continue
			}
			over := d.Headings.Levels[i-1]
			switch above := over.Text; {
			case text.Size > above.Size:
				t.Errorf("%s: level %d, of %v pt, is larger than level %d, of %v pt", name, i+1, text.Size.Pt(), i, above.Size.Pt())
			case text.Size < above.Size:
			case text.Weight > above.Weight:
				t.Errorf("%s: level %d is heavier than level %d", name, i+1, i)
			case text.Weight == above.Weight && above.Italic && !text.Italic:
				t.Errorf("%s: level %d is upright, level %d italic", name, i+1, i)
			case text.Weight == above.Weight && above.Italic == text.Italic && text.Color == above.Color && text.Family == above.Family:
				t.Errorf("%s: levels %d and %d look alike", name, i, i+1)
			}
			// The first level begins a page: what is above it is the page.
			if i > 1 && l.MarginTop > over.MarginTop {
				t.Errorf("%s: level %d has %v pt above it, level %d %v pt", name, i+1, l.MarginTop.Pt(), i, over.MarginTop.Pt())
			}
			if over.Template == "" && l.Template != "" && i > 1 {
				t.Errorf("%s: level %d is numbered, level %d is not", name, i+1, i)
			}
		}
	})
}
