package engine

import (
	"fmt"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/frame"
)

// Each setting of settings.md 24 by what it prints. Those of the list's measures
// have their cases in engine/cases.
func TestCitationSettings(t *testing.T) {
	const text = "One [@vidal], two [@lim; @dee; @vidal, 7]." + works
	for _, c := range []struct {
		setting, config string
		has, lacks      []string
	}{
		{"style", `"style":"modern-language-association"`, []string{"(Vidal and Kern)", "(Lim; Dee; Vidal and Kern 7)"}, nil},
		{"style: a note style", `"style":"chicago-notes-bibliography"`, []string{"One,1 ", "1\u2002Rosa Vidal and Ivo Kern, The Year (Vic: Hive, 2005).", "Vidal and Kern, The Year, 7."}, []string{"(Vidal"}},
		{"style: unknown", `"style":"none"`, []string{"(Vidal & Kern, 2005)"}, nil},
		{"customStyle", `"style":"custom","customStyle":"<style class='in-text'><citation><layout prefix='{' suffix='}' delimiter='+'><text variable='title'/></layout></citation></style>"`, []string{"One {The Year}", "{Combs+Wax+The Year}"}, []string{"References"}},
		{"customStyle without custom", `"style":"ieee","customStyle":"<style/>"`, []string{"[1]"}, nil},
		{"locale", `"locale":"de"`, []string{"Literatur", "S. 7"}, nil},
		{"marker brackets", `"style":"nature","marker":"brackets"`, []string{"One [1], two [1(p. 7),2,3]", "[1] Vidal"}, nil},
		{"marker parentheses", `"style":"ieee","marker":"parentheses"`, []string{"One (1)", "(1) R. Vidal"}, []string{"[1]"}},
		{"marker superscript", `"style":"ieee","marker":"superscript"`, []string{"One1,"}, []string{"[1]"}},
		{"marker corner", `"style":"ieee","marker":"corner"`, []string{"One[1],"}, nil},
		{"collapseRanges", `"style":"ieee","collapseRanges":true`, []string{"Three [1]–[3]"}, nil},
		{"collapseRanges off", `"style":"ieee","collapseRanges":false`, []string{"Three [1], [2], [3]"}, nil},
		{"notes in the line", `"style":"oscola","notes":"warichu"`, []string{"One (Rosa Vidal and Ivo Kern, The Year (Hive 2005)), two ("}, nil},
		{"bibliography.title", `"bibliography":{"title":"Works"}`, []string{"Works Dee"}, []string{"References"}},
		{"bibliography.title blank", `"bibliography":{"title":" "}`, nil, []string{"References"}},
		{"bibliography.auto", `"bibliography":{"auto":false}`, nil, []string{"References", "Hive."}},
		{"bibliography.doi text", `"bibliography":{"doi":"text"}`, []string{"https://doi.org/10.1/c"}, nil},
		{"bibliography.doi hide", `"bibliography":{"doi":"hide"}`, nil, []string{"10.1/c"}},
	} {
		got := printedText(lay(t, wideBook(`,"citations":{`+c.config+`}`), text+"\n\nThree [@vidal; @dee; @lim]."))
		for _, w := range c.has {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q lacks %q", c.setting, got, w)
			}
		}
		for _, w := range c.lacks {
			if strings.Contains(got, w) {
				t.Errorf("%s: %q has %q", c.setting, got, w)
			}
		}
	}
	uncited := func(config string) string { return printedText(lay(t, wideBook(config), "One [@vidal]."+works)) }
	if got := uncited(`,"citations":{"bibliography":{"includeUncited":true}}`); !strings.Contains(got, "Dee, A. (1990)") {
		t.Errorf("bibliography.includeUncited: %q", got)
	}
	if got := uncited(""); strings.Contains(got, "Dee, A. (1990)") {
		t.Errorf("bibliography.includeUncited off: %q", got)
	}
	chapters := printedText(lay(t, wideBook(`,"citations":{"bibliography":{"scope":"chapter"}}`), "One [@vidal]."+works, "Two [@lim]."))
	if strings.Count(chapters, "References") != 2 {
		t.Errorf("bibliography.scope: %q", chapters)
	}
	for _, link := range []string{"true", "false"} {
		found := false
		for _, b := range blocksOf(lay(t, wideBook(`,"citations":{"link":`+link+`}`), text), frame.Paragraph) {
			for _, l := range b.Lines {
				for _, r := range l.Runs {
					found = found || r.Link == "#ref-vidal"
				}
			}
		}
		if fmt.Sprint(found) != link {
			t.Errorf("link %s: %v", link, found)
		}
	}
}

// The count of positions goes through the book, or begins anew with each chapter;
// where later notes send the reader to the first, it begins anew where the notes'
// numbers do.
func TestLaterCitationsByScope(t *testing.T) {
	lay := func(style, numbering string) string {
		return printedText(lay(t, wideBook(`,"citations":{"style":"`+style+`","numbering":"`+numbering+`","bibliography":{"auto":false}}`),
			"# A\n\nOne [@vidal]."+works, "# B\n\nTwo [@vidal, 3]. Three [@dee]. Four [@vidal, 4]."))
	}
	wants(t, lay("chicago-notes-bibliography", "book"), "1\u2002Vidal and Kern, The Year, 3.")
	wants(t, lay("chicago-notes-bibliography", "chapter"), "1\u2002Rosa Vidal and Ivo Kern, The Year (Vic: Hive, 2005), 3.")
	wants(t, lay("oscola", "book"), "1\u2002Rosa Vidal and Ivo Kern, The Year (Hive 2005) 3.", "3\u2002Vidal and Kern (n 1) 4.")
}

// Citations in captions of resources are numbered where the resource is mentioned;
// those in cells print as written (10).
func TestCitationsInCaptionsAndCells(t *testing.T) {
	b := small(t, wideBook(`,"citations":{"style":"ieee"}`), "One [@vidal]. See :ref{id=\"tab\"}. Two [@dee].\n\n::resource{id=\"tab\"}"+works)
	b.Resources = []*book.Resource{{ID: "tab", Kind: book.KindTable, TypeID: "table", Caption: "After [@lim]",
		Table: &book.Table{Rows: [][]book.Cell{{{Content: "a [@dee]"}, {Content: "b"}}}}}}
	frames := typeset(t, rulesTypesetter(t), b).Frames
	got := printedText(frames)
	for _, p := range frames.Chapters[0].Pages {
		for _, bl := range p.Floats {
			for k := range bl.Lines {
				got += textOfLine(&bl.Lines[k]) + "|"
			}
		}
	}
	wants(t, got, "One [1].", "Two [3].", "After[2]", "a[@dee]", "[2] C. Lim")
}

// Everything that depends on where it lands, together: contents, index, page
// references, notes counted by page, notes of citations that name the numbers of
// others. It settles within the bounds, nothing is left unknown, and a second layout
// is the same.
func TestEverythingThatDependsOnPagesSettles(t *testing.T) {
	for _, numbering := range []string{"chapter", "page", "column", "spread"} {
		for _, style := range []string{"oscola", "chicago-notes-bibliography", "ieee"} {
			var chapters []string
			chapters = append(chapters, "# Contents {toc=false}\n\n:::toc\n\n:::pagebreak\n\n# Index\n\n:::index")
			for c := range 4 {
				var s strings.Builder
				fmt.Fprintf(&s, "# Chapter %d {#c%d}\n\n", c, c)
				for i := range 14 {
					fmt.Fprintf(&s, "## Section %d {#s%d-%d}\n\nThe keeper :index[term %d] walked[^n%d] to :ref{id=\"s%d-%d\" style=page} and wrote [@%s, %d]; see \\ref{c%d} on :ref{id=\"c%d\" style=page} [@%s]. %s\n\n[^n%d]: A note of page :ref{id=\"s%d-%d\" style=pageNumber}, with [@%s].\n\n",
						i, c, i, i%5, i, (c+1)%4, (i+3)%14, []string{"lim", "vidal", "dee"}[i%3], i+1, (c+2)%4, (c+3)%4, []string{"dee", "lim"}[i%2],
						strings.Repeat("Combs stand in the box and the wax is pale. ", i%4), i, (c+3)%4, i, []string{"vidal", "lim"}[i%2])
				}
				if c == 0 {
					s.WriteString(works)
				}
				chapters = append(chapters, s.String())
			}
			config := strings.TrimSuffix(fmt.Sprintf(tiny, "false", "any"), "}") + `,"toc":{"levels":[{"level":1},{"level":2}]},"footnotes":{"numbering":"` + numbering + `"},"citations":{"style":"` + style + `"}}`
			name := numbering + " " + style
			b := lay(t, config, chapters...)
			for i, c := range b.Chapters {
				if !c.Converged {
					t.Errorf("%s: chapter %d has not settled", name, i)
				}
			}
			if got := printedText(b); strings.Contains(got, "?") {
				k := strings.Index(got, "?")
				t.Errorf("%s: something is not known: …%s", name, got[max(k-60, 0):min(k+20, len(got))])
			}
			if frame.Hash(b) != frame.Hash(lay(t, config, chapters...)) {
				t.Errorf("%s: a second layout differs", name)
			}
		}
	}
}

// A style whose macros double each other prints nothing of a work: the citation
// stands as it is written, the entry is its key, and a warning says why.
func TestStyleWithoutEnd(t *testing.T) {
	var style strings.Builder
	style.WriteString("<style class='in-text'>")
	for i := range 30 {
		fmt.Fprintf(&style, "<macro name='m%d'><text macro='m%d'/><text macro='m%d'/></macro>", i, i+1, i+1)
	}
	style.WriteString("<macro name='m30'><text value='again and '/></macro><citation><layout><text macro='m0'/></layout></citation><bibliography><layout><text macro='m0'/></layout></bibliography></style>")
	for _, class := range []string{"in-text", "note"} {
		text := strings.Replace(style.String(), "in-text", class, 1)
		r := typeset(t, rulesTypesetter(t), small(t, wideBook(fmt.Sprintf(`,"citations":{"style":"custom","customStyle":%q}`, text)), "One [@vidal], two."+works))
		got := printedText(r.Frames)
		if !strings.Contains(got, "[@vidal]") || !strings.Contains(got, "References vidal") || strings.Contains(got, "again") || r.Frames.PageCount() > 2 {
			t.Errorf("%s: %d pages, %.200q", class, r.Frames.PageCount(), got)
		}
		if got := kinds(r); strings.Count(got, "citationsUnavailable") != 2 {
			t.Errorf("%s: %s", class, got)
		}
	}
}
