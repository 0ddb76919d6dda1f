package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// faulty holds an error to be a refusal that says all of want.
func faulty(t *testing.T, what string, err error, want ...string) {
	t.Helper()
	var f Faults
	if !errors.As(err, &f) {
		t.Errorf("%s: %v", what, err)
		return
	}
	for _, w := range want {
		if !strings.Contains(f.Error(), w) {
			t.Errorf("%s: %q lacks %q", what, f.Error(), w)
		}
	}
	if len(f.Error()) > 1500 {
		t.Errorf("%s: the refusal has %d characters", what, len(f.Error()))
	}
}

func TestAnItemThatIsNotThereIsNotDescribed(t *testing.T) {
	for path, want := range map[string]string{
		"headings.levels[level=99]":                          "[level=1], [level=2]",
		"headings.levels[level=]":                            "[level=6]",
		"headings.levels[0]":                                 "[level=1]",
		"headings.levels[level=99].fontSize":                 "There is no item headings.levels[level=99]",
		"headingStyles[id=nope]":                             "The list is empty",
		"header.elements[id=nope].italic":                    "[id=titleOdd]",
		"colorPalette[id=nope]":                              "[id=main-color]",
		"colorPalette[7].value":                              "There is no item colorPalette[7]",
		"calloutStyles[id=" + strings.Repeat("x", 300) + "]": "…",
	} {
		_, err := Empty.Describe(Env{}, path, true)
		faulty(t, path, err, want)
	}
	for _, path := range []string{"headings.levels[level=6].fontSize", "header.elements[id=titleOdd].italic", "header.elements[0]", "colorPalette[id=main-color].value"} {
		if _, err := Empty.Describe(Env{}, path, true); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAPathIntoAValueNamesTheSetting(t *testing.T) {
	for path, whole := range map[string]string{
		"captionStyle.fontSize.value":             "captionStyle.fontSize.",
		"bodyText.fontSize.unit":                  "bodyText.fontSize.",
		"headings.levels[level=2].color.hex":      "headings.levels[level=2].color.",
		"header.elements[id=titleOdd].italic.now": "header.elements[id=titleOdd].italic.",
	} {
		_, err := Empty.Describe(Env{}, path, true)
		faulty(t, path, err, "read and set whole as "+whole)
		_, err = Empty.Apply(Env{}, []Change{{path, json.RawMessage(`1`)}})
		faulty(t, path, err, "read and set whole as "+whole)
	}
}

func TestALevelDoesNotFollowItsOwnSettings(t *testing.T) {
	for _, path := range []string{"headings.levels[level=2].color", "orderedLists.levels[level=3].color", "toc.levels[level=1].color"} {
		o, err := Empty.Apply(Env{}, []Change{{path, json.RawMessage(`"#1f3a5f"`)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range o.Followed {
			if strings.HasSuffix(m.Path, ".level") {
				t.Errorf("%s: %s followed, from %s to %s", path, m.Path, m.From, m.To)
			}
		}
	}
}

func TestListsAndTextsAreBounded(t *testing.T) {
	palette := func(n int) json.RawMessage {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(`{"id":"c%d","name":"x","value":{"hex":"#ffffff","model":"hex"}}`, i)
		}
		return json.RawMessage(`[` + strings.Join(items, ",") + `]`)
	}
	_, err := Empty.Apply(Env{}, []Change{{"colorPalette", palette(MaxItems + 1)}})
	faulty(t, "a long list", err, "1001 items: at most 1000")
	_, err = Empty.Replace(Env{}, json.RawMessage(`{"colorPalette":`+string(palette(20000))+`}`))
	faulty(t, "a longer list in a file", err, "20000 items")
	if _, err = Empty.Apply(Env{}, []Change{{"colorPalette", palette(MaxItems)}}); err != nil {
		t.Error(err)
	}
	many, err := Empty.Apply(Env{}, []Change{{"colorPalette", palette(MaxItems)}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = many.Tree.Apply(Env{}, []Change{{"bodyText.color", json.RawMessage(`{"paletteId":"nope"}`)}})
	faulty(t, "a colour that is not among many", err, `c11 … and 988 more: call sandbox_get_config with path "colorPalette".`)
	_, err = Empty.Apply(Env{}, []Change{{"locale", json.RawMessage(`"` + strings.Repeat("x", 101) + `"`)}})
	faulty(t, "a long language", err, "at most 100 characters")
	_, err = Empty.Apply(Env{}, []Change{{"calloutStyles[id=note].title", json.RawMessage(`"` + strings.Repeat("é", 20001) + `"`)}})
	faulty(t, "a long text", err, "at most 20000 characters, not 20001")
}

func TestAFileOfOtherRulesIsReadWithANote(t *testing.T) {
	for rules, noted := range map[string]bool{`11`: false, `12`: true, `99`: true, `3`: true, `"x"`: true} {
		o, err := Empty.Replace(Env{}, json.RawMessage(`{"type":"postext-config","version":1,"configVersion":`+rules+`,"config":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(o.Notes) > 0; got != noted {
			t.Errorf("configVersion %s: notes %v", rules, o.Notes)
		}
	}
}

// A patch of many unknown keys is refused with the first of them explained and
// the others counted.
func TestManyUnknownKeys(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, `,"nope%d":1`, i)
	}
	tree, err := Parse([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = tree.Patch(Env{}, []byte("{"+b.String()[1:]+"}"))
	if err == nil || !strings.HasSuffix(err.Error(), " … and 19988 more faults: mend these and call again, and the next are named.") {
		t.Fatalf("%.300v", err)
	}
}

// A style in CSL may be as long as the longest of those in use, and not without end.
func TestAStyleInCSLMayBeLong(t *testing.T) {
	tree, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, ok := range map[int]bool{100_000: true, 600_000: false} {
		value, err := json.Marshal(strings.Repeat("x", n))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := tree.Set(Env{}, "citations.customStyle", value); (err == nil) != ok {
			t.Errorf("%d characters: %v", n, err)
		}
	}
}
