package settings

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"postext/book"
)

func oldBook(version int, config string, texts ...string) *book.Book {
	b := &book.Book{ID: "b", Name: "Old", Language: "en", Config: json.RawMessage(config), ConfigVersion: version}
	for _, x := range texts {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: x, Markdown: x})
	}
	return b
}

// Every row of bundle.md 6: what is read at the version before the rules
// changed, and at the version after.
func TestPins(t *testing.T) {
	for _, c := range []struct {
		older              int
		name, config, text string
		want               string
	}{
		{3, "a heading that did not break", `{"headings":{"fontFamily":"X"}}`, "",
			`{"headings":{"fontFamily":"X","levels":[{"level":1,"breakBefore":{"enabled":false}}]}}`},
		{3, "a break without a side", `{"headings":{"levels":[{"level":1,"breakBefore":{"enabled":true}}]},"headingStyles":[{"id":"s","breakBefore":{"enabled":true}}]}`, "",
			`{"headingStyles":[{"id":"s","breakBefore":{"enabled":true,"parity":"any"}}],"headings":{"levels":[{"level":1,"breakBefore":{"enabled":true,"parity":"any"}}]}}`},
		{3, "no headings object", `{"locale":"es"}`, "", `{"locale":"es"}`},
		{4, "formulas", `{"math":{"marginTop":{"value":1,"unit":"em"}}}`, "a $x$",
			`{"math":{"fontSizeScale":1.1312,"marginBottom":{"value":0.7072,"unit":"em"},"marginTop":{"value":0.884,"unit":"em"}}}`},
		{4, "formulas switched off", `{"math":{"enabled":false}}`, "a $x$", `{"math":{"enabled":false}}`},
		{5, "an embedded resource", `{"locale":"es"}`, "a\n\n::resource{id=\"x\"}\n", `{"layout":{"inlineResourceGap":"above"},"locale":"es","tableStyle":{"splitInline":false}}`},
		{6, "one in a box", `{"locale":"es"}`, ":::callout{type=note}\n::resource{id=\"x\"}\n:::\n",
			`{"layout":{"boxChildSplitMinLines":1,"inlineResourceGapInBoxes":false},"locale":"es","tableStyle":{"splitInline":false}}`},
		{6, "a marked heading", `{"headings":{"keepWithNext":false}}`, "# A *b*\n", `{"headings":{"inlineMarks":false,"keepWithNext":false}}`},
		{6, "a design's drop cap", `{"header":{"elements":[{"id":"t","kind":"text","fontSize":{"value":9,"unit":"pt"},"lineHeight":1,"dropCap":{"lines":3}}]}}`, "",
			`{"header":{"elements":[{"id":"t","kind":"text","dropCap":{"fontSize":{"value":34,"unit":"pt"},"lines":3},"fontSize":{"value":9,"unit":"pt"},"lineHeight":1}]}}`},
		{6, "a list after a colon", `{"locale":"es"}`, "As follows:\n\n- one\n", `{"bodyText":{"colonListRoom":"line"},"locale":"es"}`},
		{7, "a closed dash", `{"locale":"es"}`, "word—word", `{"bodyText":{"breakAfterDashes":false},"locale":"es"}`},
		{7, "ragged text", `{"bodyText":{"textAlign":"left"}}`, "", `{"bodyText":{"optimalRagged":false,"textAlign":"left"}}`},
		{7, "ragged boxes", `{"calloutStyles":[{"id":"x","body":{"textAlign":"left"}}]}`, "", `{"bodyText":{"optimalRagged":false},"calloutStyles":[{"id":"x","body":{"textAlign":"left"}}]}`},
		{8, "a heading", `{"locale":"es"}`, "## A\n", `{"headings":{"keepWithNextSplit":"fill"},"locale":"es"}`},
		{8, "a heading not kept", `{"headings":{"keepWithNext":false}}`, "## A\n", `{"headings":{"keepWithNext":false}}`},
		{8, "a paragraph group", `{"paragraphStyles":[{"id":"x"}]}`, ":::paragraphs{style=x}\na\n:::\n", `{"bodyText":{"paragraphContainerSpacing":"add"},"paragraphStyles":[{"id":"x"}]}`},
		{8, "a compound", `{"locale":"es"}`, "well-known", `{"bodyText":{"breakAfterHyphens":false},"locale":"es"}`},
		{9, "a poem", `{"bodyText":{"verse":{"tighten":true}}}`, ":::verse\na line\n:::\n", `{"bodyText":{"verse":{"layout":"bayt"}}}`},
		{10, "a poem set line by line", `{"locale":"es"}`, ":::verse\na line\n:::\n", `{"bodyText":{"verse":{"tighten":false}},"locale":"es"}`},
		{9, "a poem of two halves", `{"locale":"es"}`, ":::verse\na || line\n:::\n", `{"locale":"es"}`},
		{9, "an indent beside a hanging one", `{"paragraphStyles":[{"id":"x","firstLineIndent":{"value":1,"unit":"em"},"hangingIndent":{"value":2,"unit":"em"}}]}`, "",
			`{"paragraphStyles":[{"id":"x","hangingIndent":{"value":2,"unit":"em"}}]}`},
		{9, "a forced line", `{"locale":"es"}`, "a\\\nb", `{"bodyText":{"hardLineBreaks":false},"locale":"es"}`},
		{9, "a fence", `{"locale":"es"}`, "```\nx\n```\n", `{"codeStyle":{"blocks":false},"locale":"es"}`},
		{10, "texts of designs", `{"parts":{"design":{"elements":[{"id":"a","kind":"text","content":"x"},{"id":"b","kind":"text","content":"x","overflow":"clip"},{"id":"c","kind":"rule"}]}}}`, "",
			`{"parts":{"design":{"elements":[{"id":"a","kind":"text","content":"x","overflow":"ellipsis-end"},{"id":"b","kind":"text","content":"x","overflow":"clip"},{"id":"c","kind":"rule"}]}}}`},
		{11, "a character grid", `{"cjk":{"grid":{"enabled":true}}}`, "", `{"cjk":{"grid":{"enabled":true}},"headings":{"balancing":{"enabled":true}}}`},
		{11, "East Asian text", `{"locale":"zh"}`, "春眠①", `{"cjk":{"circledNumbers":"western","composeDesignText":false,"titleMinChars":1},"locale":"zh"}`},
		{11, "columns in the text", `{"locale":"es"}`, ":::columns\na\n:::\n", `{"layout":{"flowColumns":false},"locale":"es"}`},
		{11, "page-wide openers", `{"headings":{"levels":[{"level":2,"span":"page"}]}}`, "## A\n", `{"headings":{"levels":[{"level":2,"span":"page"}]},"layout":{"floatsUnderOpener":false}}`},
	} {
		b, err := Modernise(oldBook(c.older-1, c.config, c.text))
		if err != nil {
			t.Fatal(err)
		}
		want := string(mustParse(t, c.want).Marshal())
		if got := string(mustParse(t, string(b.Config)).Marshal()); got != want || b.ConfigVersion != book.ConfigVersion {
			t.Errorf("older than %d, %s:\n%s\nwant\n%s", c.older, c.name, got, want)
		}
		// Read once only, and what is set stays.
		if again, err := Modernise(b); err != nil || again != b {
			t.Errorf("%s: pinned twice", c.name)
		}
	}
}

func TestPinsOfCurrentRulesAreNone(t *testing.T) {
	b := oldBook(book.ConfigVersion, `{"headings":{}}`, "# A *b*\n\nwell-known $x$ word—word\n\n```\n```\n")
	if got, err := Modernise(b); err != nil || got != b {
		t.Error("a current book is changed")
	}
	b = oldBook(0, "", "# A\n")
	if got, err := Modernise(b); err != nil || got != b {
		t.Error("a book without a configuration is changed")
	}
}

// A configuration file tells no text: every pin of its age is written.
func TestReplacePinsOldFiles(t *testing.T) {
	o, err := Empty.Replace(Env{}, []byte(`{"type":"postext-config","version":1,"configVersion":10,"config":{"locale":"es"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"cjk":{"circledNumbers":"western","composeDesignText":false,"titleMinChars":1},"layout":{"flowColumns":false},"locale":"es","tableStyle":{"splitInline":false}}`
	if got := string(o.Tree.Marshal()); got != want {
		t.Errorf("%s", got)
	}
	if len(o.Notes) == 0 {
		t.Error("the age of the file is told")
	}
	undo(t, o, Empty)
	o, err = Empty.Replace(Env{}, []byte(`{"type":"postext-config","version":1,"config":{"headings":{"fontWeight":600}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"headings.levels[level=1].breakBefore.enabled": "false", "math.fontSizeScale": "1.1312", "bodyText.verse.layout": `"bayt"`} {
		if got, _ := o.Tree.Get(path); string(got) != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	undo(t, o, Empty)
	o, err = Empty.Replace(Env{}, []byte(`{"type":"postext-config","version":1,"configVersion":12,"config":{"locale":"es"}}`))
	if err != nil || string(o.Tree.Marshal()) != `{"locale":"es"}` || len(o.Notes) != 1 {
		t.Errorf("rules of the future: %v %v", o, err)
	}
}

// Any configuration put in place of any other is taken back, key by key.
func TestReplaceIsTakenBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := All()
	grow := func(base string) *Tree {
		tree := mustParse(t, base)
		for range 12 {
			s := all[r.IntN(len(all))]
			path := concrete(r, tree, s)
			if path == "" || itemKey(s.Path) {
				continue
			}
			if o, err := tree.Apply(Env{}, []Change{{path, []byte(sample(r, s))}}); err == nil {
				tree = o.Tree
			}
		}
		return tree
	}
	for range 30 {
		from, to := grow(testBases[r.IntN(len(testBases))]), grow(testBases[r.IntN(len(testBases))])
		file := `{"type":"postext-config","version":1,"configVersion":11,"config":` + string(to.Marshal()) + `}`
		o, err := from.Replace(Env{}, []byte(file))
		if err != nil {
			t.Fatalf("%s\nby %s: %v", from.Marshal(), to.Marshal(), err)
		}
		if string(o.Tree.Marshal()) != string(to.Marshal()) {
			t.Errorf("%s\nis put in place as %s", to.Marshal(), o.Tree.Marshal())
		}
		undo(t, o, from)
	}
}
