package book

import (
	"fmt"
	"strings"
	"testing"
)

func two(texts ...string) *Book {
	b := &Book{}
	for i, t := range texts {
		b.Chapters = append(b.Chapters, &Chapter{ID: fmt.Sprint("c", i+1), Title: fmt.Sprint("Old ", i+1), Markdown: t})
	}
	return b
}

func told(b *Book) string {
	var list []string
	for _, c := range b.Chapters {
		list = append(list, fmt.Sprintf("%s %q %q", c.ID, c.Title, c.Markdown))
	}
	return strings.Join(list, "\n")
}

// sandbox.md 4.1, Split at an offset.
func TestSplitDropsWhiteSpaceAtTheSeamAndNamesTheNewChapter(t *testing.T) {
	for _, c := range []struct {
		name, text, title, want string
		at                      int
	}{
		{"title from the new text", "One.\n\n\n# Two *parts*\n\nText.\n", "", "c1 \"Old 1\" \"One.\"\nnew \"Two parts\" \"# Two *parts*\\n\\nText.\\n\"", 5},
		{"the title given", "One.\n\n# Two\n", "  Mine ", "c1 \"Old 1\" \"One.\"\nnew \"Mine\" \"# Two\\n\"", 5},
		{"else the old title (2)", "One.\n\nTwo.\n", "", "c1 \"Old 1\" \"One.\"\nnew \"Old 1 (2)\" \"Two.\\n\"", 5},
		{"nothing after: nothing happens", "One.\n\n  \n", "", `c1 "Old 1" "One.\n\n  \n"`, 4},
		{"at the start", "# One\n", "", "c1 \"Old 1\" \"\"\nnew \"One\" \"# One\\n\"", 0},
	} {
		got := told(two(c.text).SplitChapter(0, c.at, &Chapter{ID: "new", Title: c.title}))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// sandbox.md 4.1, Split at level-1 headings and the heading scan.
func TestSplitAtHeadingsMakesOneChapterForEach(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"fewer than two: nothing", "# One\n\nText.\n", `c1 "Old 1" "# One\n\nText.\n"`},
		{"text before stays in the original", "Before.\n\n# One\n\nA.\n\n# Two\n\nB.\n",
			"c1 \"Old 1\" \"Before.\"\nn1 \"One\" \"# One\\n\\nA.\"\nn2 \"Two\" \"# Two\\n\\nB.\\n\""},
		{"only white space before: the heading stays", "\n\n# One\n\nA.\n\n# Two\n",
			"c1 \"Old 1\" \"\\n\\n# One\\n\\nA.\"\nn1 \"Two\" \"# Two\\n\""},
		{"only front matter before: the heading stays", "---\ntitle: T\n# no\n---\n\n# One\n\n# Two\n",
			"c1 \"Old 1\" \"---\\ntitle: T\\n# no\\n---\\n\\n# One\"\nn1 \"Two\" \"# Two\\n\""},
		{"fences hide headings and close by their own mark", "# One\n\n```\n# no\n~~~\n# no\n```\n\n# Two\n",
			"c1 \"Old 1\" \"# One\\n\\n```\\n# no\\n~~~\\n# no\\n```\"\nn1 \"Two\" \"# Two\\n\""},
		{"a part and page directives go with their heading", "# One\n\nA.\n\n:::part{title=\"P\"}\nWords.\n:::\n\n:::numbering{startAt=1}\n:::pagebreak\n\n# Two\n",
			"c1 \"Old 1\" \"# One\\n\\nA.\"\nn1 \"Two\" \":::part{title=\\\"P\\\"}\\nWords.\\n:::\\n\\n:::numbering{startAt=1}\\n:::pagebreak\\n\\n# Two\\n\""},
		{"another block does not", "# One\n\n:::callout\nA.\n:::\n\n# Two\n",
			"c1 \"Old 1\" \"# One\\n\\n:::callout\\nA.\\n:::\"\nn1 \"Two\" \"# Two\\n\""},
		{"directives before the first heading stay with it", ":::pagebreak\n\n# One\n\n# Two\n",
			"c1 \"Old 1\" \":::pagebreak\\n\\n# One\"\nn1 \"Two\" \"# Two\\n\""},
	} {
		n := 0
		got := told(two(c.text).SplitAtHeadings(0, func() string { n++; return fmt.Sprint("n", n) }))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// sandbox.md 4.1, Merge into previous.
func TestMergeAppendsAfterABlankLineWithoutFrontMatter(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"One.\n\n\n", "Two.\n", "One.\n\nTwo.\n"},
		{"One.", "---\ntitle: T\n---\n\nTwo.\n", "One.\n\nTwo.\n"},
		{"One.\n", "---\ntitle: T\n---\n", "One.\n"},
		{"", "Two.\n", "Two.\n"},
		{"One.\n", "    code\n", "One.\n\n    code\n"},
	} {
		b := two(c.first, c.second, "Three.").MergeChapter(1)
		if len(b.Chapters) != 2 || b.Chapters[0].Markdown != c.want || b.Chapters[1].ID != "c3" {
			t.Errorf("%q + %q: %s", c.first, c.second, told(b))
		}
	}
}

func FuzzSplitPoints(f *testing.F) {
	f.Add("# One\n\n:::part\n:::\n# Two\n")
	f.Add(":::\n:::part\n# One\n# Two")
	f.Fuzz(func(t *testing.T, text string) {
		text = CleanText(text)
		b := two(text).SplitAtHeadings(0, func() string { return "n" })
		var joined strings.Builder
		for _, c := range b.Chapters {
			joined.WriteString(c.Markdown)
		}
		strip := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if strip(joined.String()) != strip(text) {
			t.Fatalf("words lost: %q became %q", text, joined.String())
		}
	})
}
