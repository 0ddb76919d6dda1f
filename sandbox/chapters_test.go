package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"postext/book"
)

func chapterBook() *book.Book {
	return &book.Book{Kind: "sample", ID: "b", Name: "B", Language: "en", Chapters: []*book.Chapter{
		{ID: "a", Title: "One", Markdown: "# One\n\nFirst words.\n\n## Second part\n\nMore words.\n"},
		{ID: "b", Title: "Two", Markdown: "---\ntitle: T\n---\n\n# Two\n\nA colour.\n\n# Two and a half\n\nEnd.\n"},
		{ID: "c", Title: "Three", Markdown: "# Three\n"},
	}}
}

func titles(t *testing.T, m map[string]any) string {
	t.Helper()
	var list []string
	for _, c := range m["chapters"].([]any) {
		list = append(list, c.(map[string]any)["title"].(string))
	}
	return strings.Join(list, "|")
}

// sandbox.md 4.1: a position is clamped to the list; without one a chapter comes
// after the active one.
func TestPositionsAreClampedToTheList(t *testing.T) {
	s := opened(t, chapterBook(), nil)
	for _, c := range []struct{ args, want string }{
		{`{"action":"move","chapter":3,"position":0}`, "Three|One|Two"},
		{`{"action":"move","chapter":"Three","position":-7}`, "Three|One|Two"},
		{`{"action":"move","chapter":"Three","position":99}`, "One|Two|Three"},
		{`{"action":"add","title":"Zero","position":0}`, "Zero|One|Two|Three"},
		{`{"action":"add","title":"After"}`, "Zero|After|One|Two|Three"},
	} {
		if got := titles(t, good(t, s, "sandbox_manage_chapters", c.args)); got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

// sandbox.md 4.1, Split at an offset: by passage, line or offset; the new chapter
// becomes active; nothing after, nothing happens.
func TestSplitMakesTheTextAfterAChapterAndShowsIt(t *testing.T) {
	for _, how := range []string{`"before":"## Second part"`, `"line":5`, `"offset":20`, `"offset":21`} {
		s := opened(t, chapterBook(), nil)
		m := good(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":"One",`+how+`}`)
		if titles(t, m) != "One|One (2)|Two|Three" || m["chapter"] != 2.0 || m["changed"] != true || s.View().Chapter != m["id"] {
			t.Errorf("%s: %v", how, m)
		}
		if a, b := textOf(t, s, 1), textOf(t, s, 2); a != "# One\n\nFirst words." || b != "## Second part\n\nMore words.\n" {
			t.Errorf("%s: %q and %q", how, a, b)
		}
	}
	s := opened(t, chapterBook(), nil)
	if m := good(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":1,"offset":49,"title":"x"}`); m["changed"] != false || titles(t, m) != "One|Two|Three" {
		t.Errorf("nothing after: %v", m)
	}
	if m := good(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":1,"line":3,"title":" Mine  own "}`); m["title"] != "Mine own" {
		t.Errorf("a title given: %v", m)
	}
	refused(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":1}`, "before", "line", "offset", "split_at_headings")
	refused(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":1,"line":1,"offset":1}`, "one of before")
	refused(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":"Two","before":"nowhere in it"}`, "not in the chapter")
	refused(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":"Two","before":"# Two"}`, "2 times", "lines 5, 9")
	refused(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":"Two","line":99}`, "lines 1 to 11")
	refused(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":"Two","offset":999}`, "offsets 0 to")
	refused(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":"Two","line":2}`, "front matter", "line 3")
	refused(t, s, "sandbox_manage_chapters", `{"action":"merge","chapter":2,"title":"x"}`, "title does not go")
}

// sandbox.md 4.1, Split at level-1 headings: the active chapter does not change.
func TestSplitAtHeadingsLeavesTheActiveChapter(t *testing.T) {
	s := opened(t, chapterBook(), nil)
	m := good(t, s, "sandbox_manage_chapters", `{"action":"split_at_headings","chapter":2}`)
	if titles(t, m) != "One|Two|Two and a half|Three" || s.View().Chapter != "a" || within(t, m, "made", 0, "title") != "Two and a half" {
		t.Errorf("%v", m)
	}
	if got := textOf(t, s, 2); got != "---\ntitle: T\n---\n\n# Two\n\nA colour." {
		t.Errorf("the original keeps %q", got)
	}
	refused(t, s, "sandbox_manage_chapters", `{"action":"split_at_headings","chapter":1}`, "one level-1 heading", "needs two")
}

// sandbox.md 4.1, Merge into previous.
func TestMergeJoinsTheChapterBefore(t *testing.T) {
	s := opened(t, chapterBook(), nil)
	s.SetView(func(v *View) { v.Chapter = "b" })
	m := good(t, s, "sandbox_manage_chapters", `{"action":"merge"}`)
	if titles(t, m) != "One|Three" || s.View().Chapter != "a" || within(t, m, "merged", "id") != "b" {
		t.Errorf("%v", m)
	}
	if got := textOf(t, s, 1); !strings.HasSuffix(got, "More words.\n\n# Two\n\nA colour.\n\n# Two and a half\n\nEnd.\n") || strings.Contains(got, "title: T") {
		t.Errorf("merged: %q", got)
	}
	refused(t, s, "sandbox_manage_chapters", `{"action":"merge","chapter":1}`, "first chapter")
}

// sandbox.md 4.1, Remove: refused on the only one; the next becomes active, else
// the one before; what was removed can be put back.
func TestRemoveGivesTheTextAndAWayBack(t *testing.T) {
	s := opened(t, chapterBook(), nil)
	refused(t, s, "sandbox_remove_chapter", `{}`, "chapter")
	s.SetView(func(v *View) { v.Chapter = "b" })
	m := good(t, s, "sandbox_remove_chapter", `{"chapter":"Two"}`)
	if within(t, m, "removed", "title") != "Two" || within(t, m, "removed", "words") != 8.0 ||
		!strings.HasPrefix(within(t, m, "removed", "markdown").(string), "---\ntitle: T") || s.View().Chapter != "c" || titles(t, m) != "One|Three" {
		t.Errorf("removed %v, on screen %s", m, s.View().Chapter)
	}
	if m = good(t, s, "sandbox_remove_chapter", `{"chapter":2}`); s.View().Chapter != "a" {
		t.Errorf("the last was removed; on screen is %s", s.View().Chapter)
	}
	refused(t, s, "sandbox_remove_chapter", `{"chapter":1}`, "only one", "sandbox_write_text")
	refused(t, s, "sandbox_manage_chapters", `{"action":"add","chapter":"x"}`, `one of c ("Three"), b ("Two")`)
	m = good(t, s, "sandbox_manage_chapters", `{"action":"add","chapter":"b"}`)
	if titles(t, m) != "One|Two" || !strings.HasPrefix(textOf(t, s, 2), "---\ntitle: T") || m["id"] != "b" {
		t.Errorf("put back: %v", m)
	}
	refused(t, s, "sandbox_manage_chapters", `{"action":"add","chapter":"b"}`, "one of c")
}

// A removed chapter longer than an answer comes back whole all the same.
func TestARemovedLongChapterComesBackWhole(t *testing.T) {
	b := chapterBook()
	long := strings.Repeat("Quire. ", 20_000)
	b.Chapters[2] = &book.Chapter{ID: "c", Title: "Three", Markdown: long}
	s := opened(t, b, nil)
	m := good(t, s, "sandbox_remove_chapter", `{"chapter":"Three"}`)
	if n := len(within(t, m, "removed", "markdown").(string)); n != maxText || within(t, m, "removed", "truncated", "of") != float64(len(long)) {
		t.Errorf("%d characters, %v", n, within(t, m, "removed", "truncated"))
	}
	good(t, s, "sandbox_manage_chapters", `{"action":"add","chapter":"c"}`)
	if now, _, err := s.Text(t.Context(), "c"); err != nil || now != long {
		t.Errorf("%d bytes came back of %d (%v)", len(now), len(long), err)
	}
}

// sandbox.md 5: chapter operations are not mixed with the undo list, and a step
// whose passage has moved to another chapter is said to be lost.
func TestUndoOverDividedAndMergedChapters(t *testing.T) {
	s := opened(t, chapterBook(), nil)
	good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"More words.","replace":"Fewer words."}]}`)
	good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"First words.","replace":"Early words."}]}`)
	good(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":1,"before":"## Second part"}`)
	good(t, s, "sandbox_undo_text", `{}`)
	if got := textOf(t, s, 1); got != "# One\n\nFirst words." {
		t.Errorf("undone over the division: %q", got)
	}
	refused(t, s, "sandbox_undo_text", `{}`, "divided")
	good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Fewer","replace":"Some"}]}`)
	good(t, s, "sandbox_manage_chapters", `{"action":"merge","chapter":2}`)
	refused(t, s, "sandbox_undo_text", `{}`, "merged")
}

// tools.md 4, sandbox_select_text.
func TestSelectTextOpensTheTextPanelOnThePage(t *testing.T) {
	b := chapterBook()
	b.Chapters[1] = &book.Chapter{ID: "b", Title: "Two", Markdown: strings.Repeat("A 😀 line\n", 25) + "the end\n"}
	var seen Reveal
	s := opened(t, b, func(o *Options) { o.Listener.Reveal = func(r Reveal) { seen = r } })
	for _, c := range []struct{ args, want string }{
		{`{"chapter":2,"text":"line"}`, "1:6-1:10 5-9"},
		{`{"chapter":2,"text":"line","occurrence":3}`, "3:6-3:10 25-29"},
		{`{"chapter":2,"line":26}`, "26:1-26:8 250-257"},
		{`{"chapter":2,"line":2,"toLine":3}`, "2:1-3:10 10-29"},
		{`{"chapter":2,"line":25,"toLine":99}`, "25:1-26:8 240-257"},
		{`{"chapter":2,"offset":3}`, "1:3-1:3 2-2"},
		{`{"chapter":2,"offset":250,"toOffset":253}`, "26:1-26:4 250-253"},
	} {
		m := good(t, s, "sandbox_select_text", c.args)
		got := fmt.Sprintf("%v:%v-%v:%v %v-%v", m["line"], m["column"], m["toLine"], m["toColumn"], m["offset"], m["toOffset"])
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
		if v := s.View(); v.Panel != "text" || v.Chapter != "b" || float64(v.Position) != m["position"] || seen.Panel != "text" || float64(seen.Offset) != m["offset"] {
			t.Errorf("%s: the view is %+v, told %+v", c.args, v, seen)
		}
	}
	if m := good(t, s, "sandbox_select_text", `{"chapter":2,"line":26}`); m["position"] != 3.0 || m["page"] == nil {
		t.Errorf("the page: %v", m)
	}
	for args, want := range map[string]string{
		`{}`: "one of text", `{"text":"a","line":1}`: "one of text", `{"line":1,"toOffset":3}`: "toOffset goes with offset",
		`{"chapter":2,"text":"absent words"}`: "not in the chapter", `{"chapter":2,"text":"line","occurrence":99}`: "25 times",
		`{"chapter":2,"line":27}`: "lines 1 to 26", `{"chapter":2,"offset":9999}`: "offsets 0 to", `{"chapter":2,"line":3,"toLine":2}`: "comes before",
	} {
		refused(t, s, "sandbox_select_text", args, want)
	}
}

// tools.md 1, Size: what is left out of a text is reached by the arguments that
// truncated names, also inside a line longer than an answer.
func TestReadTextReachesTheRestOfALongLine(t *testing.T) {
	long := strings.Repeat("ab😀", 40_000) // 160,000 UTF-16 units
	s := opened(t, &book.Book{ID: "b", Chapters: []*book.Chapter{{ID: "a", Title: "A", Markdown: "first\n" + long + "\nlast\n"}}}, nil)
	var got strings.Builder
	args := `{"numbers":false}`
	for range 10 {
		m := good(t, s, "sandbox_read_text", args)
		got.WriteString(m["text"].(string))
		cut, _ := m["truncated"].(map[string]any)
		if cut == nil {
			break
		}
		column := 1.0
		if n, ok := cut["nextColumn"].(float64); ok {
			column = n
		} else {
			got.WriteString("\n")
		}
		args = fmt.Sprintf(`{"numbers":false,"fromLine":%v,"fromColumn":%v}`, cut["nextLine"], column)
	}
	if got.String() != "first\n"+long+"\nlast\n" {
		t.Errorf("%d bytes read of %d", got.Len(), len(long)+12)
	}
	m := good(t, s, "sandbox_read_text", `{"fromLine":2,"fromColumn":159999}`)
	if m["text"] != "2| 😀\n3| last" || m["fromColumn"] != 159999.0 {
		t.Errorf("%q", m["text"])
	}
	refused(t, s, "sandbox_read_text", `{"fromLine":1,"fromColumn":7}`, "columns 1 to 6")
}

// tools.md 6, sandbox_set_view: at least one argument; what changed is told; the
// guides are drawn over the pages on screen and change their key.
func TestSetViewSaysWhatChanged(t *testing.T) {
	s := opened(t, chapterBook(), nil)
	if _, err := s.Layout(t.Context()); err != nil { // the page on screen is known from here on
		t.Fatal(err)
	}
	refused(t, s, "sandbox_set_view", `{}`, "give what to change")
	m := good(t, s, "sandbox_set_view", `{ "viewer": "canvas", "pages": "spread", "fit": "height", "guides": { "looseLines": true, "baselineGrid": true } }`)
	if got := fmt.Sprint(m["changed"]); got != "[pages fit guides]" || within(t, m, "view", "guides", "looseLines") != true {
		t.Errorf("changed %v", m)
	}
	refused(t, s, "sandbox_set_view", `{"viewer":"pdf"}`, "canvas only")
	if _, err := s.Layout(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, _, _ := s.PageList()
	m = good(t, s, "sandbox_set_view", `{"guides":{"baselineGrid":false},"zoom":2,"chapter":"Two","panel":"chapters","readerFontScale":1.5}`)
	if got := fmt.Sprint(m["changed"]); got != "[panel chapter page zoom fit readerFontScale guides]" {
		t.Errorf("changed %v", got)
	}
	good(t, s, "sandbox_set_view", `{"chapter":1}`)
	after, _, _ := s.PageList()
	if len(before) == 0 || len(after) == 0 || before[0].Key == after[0].Key {
		t.Errorf("the guides do not change the page's key: %+v, then %+v", before, after)
	}
	if m = good(t, s, "sandbox_set_view", `{"zoom":2}`); fmt.Sprint(m["changed"]) != "[]" {
		t.Errorf("the same again: %v", m)
	}
}

// tools.md 6, sandbox_go_to_page.
func TestGoToPageTurnsTheReadersPage(t *testing.T) {
	b := chapterBook()
	b.Chapters[0] = &book.Chapter{ID: "a", Title: "One", Markdown: strings.Repeat("line\n", 25) + "the place\n"}
	s := opened(t, b, nil)
	for _, c := range []struct{ args, want string }{
		{`{"step":"next"}`, "1 2"}, {`{"step":1}`, "1 3"}, {`{"step":"next"}`, "2 1"}, {`{"step":-1}`, "1 3"}, {`{"step":"first"}`, "1 1"},
		{`{"position":-1}`, "1 3"}, {`{"page":2}`, "1 2"}, {`{"page":4}`, "2 1"}, {`{"chapter":1,"text":"the place"}`, "1 3"}, {`{"step":"last"}`, "3 1"},
	} {
		m := good(t, s, "sandbox_go_to_page", c.args)
		if got := fmt.Sprint(m["chapter"], m["position"]); got != c.want || s.View().Position != int(m["position"].(float64)) {
			t.Errorf("%s: at %s, want %s", c.args, got, c.want)
		}
	}
	refused(t, s, "sandbox_go_to_page", `{}`, "one of step")
	refused(t, s, "sandbox_go_to_page", `{"anchor":"nowhere"}`, "nowhere")
	refused(t, s, "sandbox_go_to_page", `{"page":99}`, "99", "is not in")
}

// An anchor is whatever bears a name; one that is not there is answered with the names
// there are and another way on.
func TestAnAnchorIsFoundOrTheWayOnIsTold(t *testing.T) {
	b := &book.Book{Name: "B", Language: "en", Chapters: []*book.Chapter{
		{ID: "a", Title: "One", Markdown: "# One {#start}\n\n" + strings.Repeat("Words to fill the page with. ", 900) + "\n\nHere :anchor{#lamp} it stands.\n\n$$a \\label{eq:x}$$\n"},
		{ID: "b", Title: "Two", Markdown: "# Two {#second}\n\nMore.\n"}},
		Resources: []*book.Resource{{ID: "unplaced", Kind: "table", TypeID: "table", Table: &book.Table{Rows: [][]book.Cell{{{Content: "x"}}}}}}}
	s := typeset(t, b, nil)
	for anchor, chapter := range map[string]float64{"start": 1, "#second": 2, "lamp": 1, "eq:x": 1} {
		m := good(t, s, "sandbox_go_to_page", `{"anchor":"`+anchor+`"}`)
		if m["chapter"] != chapter {
			t.Errorf("%s: %v", anchor, m)
		}
		if anchor == "lamp" && m["position"].(float64) < 2 {
			t.Errorf("an anchor in the line: %v", m)
		}
	}
	refused(t, s, "sandbox_go_to_page", `{"anchor":"lmap"}`, "lamp", "text goes to a passage")
	refused(t, s, "sandbox_go_to_page", `{"anchor":"unplaced"}`, "on no page", "::resource")
	s = typeset(t, &book.Book{Name: "B", Chapters: []*book.Chapter{{ID: "a", Title: "One", Markdown: "Plain.\n"}}}, nil)
	refused(t, s, "sandbox_go_to_page", `{"anchor":"x"}`, "nothing in the book has a name", "{#name}")
}

// A page of a chapter is shown as soon as that chapter has its pages, whatever the
// rest of the book still takes.
func TestAPageOfAChapterDoesNotWaitForTheBook(t *testing.T) {
	gate := make(chan struct{}, 1)
	gate <- struct{}{} // the first chapter passes
	s := opened(t, chapterBook(), func(o *Options) { o.Typesetter = &plainTypesetter{gate: gate} })
	m := good(t, s, "sandbox_go_to_page", `{"chapter":1,"position":1}`)
	if m["chapter"] != 1.0 {
		t.Errorf("at %v", m)
	}
	if m = good(t, s, "sandbox_manage_chapters", `{"action":"show","chapter":1,"page":1}`); m["chapter"] != 1.0 {
		t.Errorf("shown %v", m)
	}
	close(gate)
	if _, err := s.Layout(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused(t, s, "sandbox_go_to_page", `{"chapter":1,"page":99}`, "page \"99\" is not in", "page 1")
}

// sandbox.md 4.1: splitting makes no empty chapter: with nothing after the place
// nothing happens, with nothing before it the call is refused.
func TestSplittingLeavesNoEmptyChapter(t *testing.T) {
	s := opened(t, &book.Book{Name: "B", Chapters: []*book.Chapter{{ID: "a", Title: "A", Markdown: "---\ntitle: T\n---\n\n# One\n\nText.\n"}, {ID: "b", Title: "B", Markdown: "  \n# Two\n"}}}, nil)
	for _, at := range []string{`"chapter":1,"offset":0`, `"chapter":1,"before":"# One"`, `"chapter":2,"offset":0`, `"chapter":2,"line":2`} {
		refused(t, s, "sandbox_manage_chapters", `{"action":"split",`+at+`}`, "left empty")
	}
	if m := good(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":2,"offset":9}`); m["changed"] != false {
		t.Error(m)
	}
	if m := good(t, s, "sandbox_manage_chapters", `{"action":"split","chapter":1,"before":"Text."}`); m["changed"] != true {
		t.Error(m)
	}
}
