package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/book/booktest/tree"
)

func TestChapterAddresses(t *testing.T) {
	b := smallBook()
	b.Chapters = append(b.Chapters,
		&book.Chapter{ID: "x9", Title: "Second", Markdown: "again"},
		&book.Chapter{ID: "d", Title: "42", Markdown: "a number as title"},
		&book.Chapter{ID: "Opening", Title: "Café", Markdown: "an id like another's title"})
	s := opened(t, b, nil)
	for _, c := range []struct {
		arg  string
		want float64
	}{{`2`, 2}, {`"2"`, 2}, {`"Opening"`, 1}, {`"opening"`, 1}, {`" Opening "`, 1}, {`"x9"`, 3}, {`"cafe"`, 5}} {
		if m := good(t, s, "sandbox_read_text", `{"chapter":`+c.arg+`}`); m["chapter"] != c.want {
			t.Errorf("%s is chapter %v, not %v", c.arg, m["chapter"], c.want)
		}
	}
	refused(t, s, "sandbox_read_text", `{"chapter":"Second"}`, "2 chapters are called", "2, 3")
	refused(t, s, "sandbox_read_text", `{"chapter":"42"}`, "no chapter", `4 "42"`)
	refused(t, s, "sandbox_read_text", `{"chapter":0}`, `no chapter 0`, `1 "Opening"`)
	refused(t, s, "sandbox_read_text", `{"chapter":1.5}`, "1.5")
	refused(t, s, "sandbox_read_text", `{"chapter":"Opennig"}`, `"Opennig"`, `1 "Opening"`)
	long := smallBook()
	for i := range 40 {
		long.Chapters = append(long.Chapters, &book.Chapter{ID: fmt.Sprint("l", i), Title: fmt.Sprint("Letter ", i), Markdown: "x"})
	}
	s = opened(t, long, nil)
	refused(t, s, "sandbox_read_text", `{"chapter":"Letter 99"}`, "Letter", "and 30 more: call sandbox_get_state")
}

func TestPageAddresses(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = strings.Repeat("line\n", 25) // pages 1 to 3
	b.Chapters[1].Markdown = strings.Repeat("line\n", 15) // pages 4 and 5
	s := opened(t, b, nil)
	for _, c := range []struct {
		args string
		want float64
	}{
		{`{"chapter":2,"page":5}`, 2}, {`{"chapter":2,"page":"5"}`, 2}, {`{"chapter":1,"position":3}`, 3},
		{`{"chapter":1,"position":-1}`, 3}, {`{"chapter":1,"position":-3}`, 1},
	} {
		if m := good(t, s, "sandbox_inspect_pages", c.args); within(t, m, "pages", 0, "position") != c.want {
			t.Errorf("%s: position %v", c.args, within(t, m, "pages", 0, "position"))
		}
	}
	refused(t, s, "sandbox_inspect_pages", `{"chapter":1,"page":4}`, "pages 1 to 3", "chapter 2", `"Second"`)
	refused(t, s, "sandbox_inspect_pages", `{"chapter":1,"page":"iv"}`, `"iv"`, "pages 1 to 3")
	refused(t, s, "sandbox_inspect_pages", `{"chapter":1,"page":1,"position":1}`, "not both")
	refused(t, s, "sandbox_inspect_pages", `{"chapter":1,"position":0}`, "from 1, or from the end with -1")
	refused(t, s, "sandbox_inspect_pages", `{"chapter":1,"position":4}`, "positions 1 to 3")
	refused(t, s, "sandbox_inspect_pages", `{"chapter":1,"position":1,"count":9}`, "1 to 8")
	refused(t, s, "sandbox_inspect_pages", `{"chapter":1,"from":9}`, "positions 1 to 3")
	// Without a page the one on screen, when the chapter is on screen.
	s.SetView(func(v *View) { v.Position = 2 })
	if m := good(t, s, "sandbox_inspect_point", `{"x":0.5,"y":0.5}`); m["position"] != 2.0 {
		t.Errorf("position %v", m["position"])
	}
	if m := good(t, s, "sandbox_inspect_point", `{"chapter":2,"x":0.5,"y":0.5}`); m["position"] != 1.0 {
		t.Errorf("position %v", m["position"])
	}
	m := good(t, s, "sandbox_inspect_pages", `{"chapter":1,"from":2,"count":1}`)
	if n := len(m["pages"].([]any)); n != 1 || within(t, m, "pages", 0, "position") != 2.0 {
		t.Errorf("window %v", m["pages"])
	}
}

func TestReadText(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = "---\ntitle: X\n---\none\ntwo 😀 three\nfour\n"
	b.Chapters[1].Markdown = strings.Repeat(strings.Repeat("w", 99)+"\n", 1000)
	s := opened(t, b, nil)
	m := good(t, s, "sandbox_read_text", `{"fromLine":4,"toLine":5}`)
	if m["text"] != "4| one\n5| two 😀 three" || m["lines"] != 6.0 || m["words"] != 4.0 {
		t.Errorf("answer %v", m)
	}
	if within(t, m, "frontMatter", "toLine") != 3.0 {
		t.Errorf("front matter %v", m["frontMatter"])
	}
	m = good(t, s, "sandbox_read_text", `{"around":{"line":5,"lines":1},"numbers":false}`)
	if m["text"] != "one\ntwo 😀 three\nfour" {
		t.Errorf("text %q", m["text"])
	}
	m = good(t, s, "sandbox_read_text", `{"chapter":2}`)
	next := within(t, m, "truncated", "nextLine").(float64)
	if next != m["toLine"].(float64)+1 || len(m["text"].(string)) > 60_000 {
		t.Errorf("to %v, next %v", m["toLine"], next)
	}
	refused(t, s, "sandbox_read_text", `{"fromLine":7}`, "lines 1 to 6")
	refused(t, s, "sandbox_read_text", `{"fromLine":3,"toLine":2}`, "before fromLine")
	refused(t, s, "sandbox_read_text", `{"fromLine":3,"around":{"line":1}}`, "not both")
	refused(t, s, "sandbox_read_text", `{"around":{"line":99}}`, "lines 1 to 6")
}

// A chapter read without numbers and written back is the same chapter.
func TestWhatIsReadWithoutNumbersCanBeWrittenBack(t *testing.T) {
	for _, text := range []string{"one", "one\n", "one\n\n", "\n", "", "# A 😀\n\nb\n"} {
		b := smallBook()
		b.Chapters[0].Markdown = text
		s := opened(t, b, nil)
		m := good(t, s, "sandbox_read_text", `{"chapter":1,"numbers":false}`)
		args, err := json.Marshal(map[string]any{"chapter": 1, "markdown": m["text"]})
		if err != nil {
			t.Fatal(err)
		}
		if w := good(t, s, "sandbox_write_text", string(args)); w["changed"] != false {
			t.Errorf("%q is read as %q", text, m["text"])
		}
	}
}

func TestSearch(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = "😀 Café base*line* grid.\nA BASELINE\ngrid, and co\u00ADop\u2060eration.\n[Base](x)line of *two* words\nStraße"
	s := opened(t, b, nil)
	for _, c := range []struct {
		args string
		want []string
	}{
		{`{"query":"baseline grid"}`, []string{"base*line* grid", "BASELINE\ngrid"}},
		{`{"query":"cafe"}`, []string{"Café"}},
		{`{"query":"CAFÉ"}`, []string{"Café"}},
		{`{"query":"cooperation"}`, []string{"co\u00ADop\u2060eration"}},
		{`{"query":"strasse"}`, []string{"Straße"}},
		{`{"query":"cafe","caseSensitive":true}`, nil},
		{`{"query":"*line*"}`, []string{"*line*"}},
		{`{"query":"two words"}`, []string{"two* words"}},
		{`{"query":"grid","wholeWord":true}`, []string{"grid", "grid"}},
		{`{"query":"gri","wholeWord":true}`, nil},
		{`{"query":"g.id","regex":true}`, []string{"grid", "grid"}},
		{`{"query":"^A b","regex":true}`, []string{"A B"}},
		{`{"query":"x*","regex":true}`, []string{"x"}},
	} {
		m := good(t, s, "sandbox_search_text", strings.TrimSuffix(c.args, "}")+`,"chapter":1}`)
		var got []string
		units := indexText(b.Chapters[0].Markdown)
		for _, h := range m["matches"].([]any) {
			got = append(got, within(t, h, "match").(string))
			from, to := units.Byte(int(within(t, h, "offset").(float64))), units.Byte(int(within(t, h, "toOffset").(float64)))
			if text := b.Chapters[0].Markdown[from:to]; text != got[len(got)-1] {
				t.Errorf("%s: offsets give %q, match %q", c.args, text, got[len(got)-1])
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, not %q", c.args, got, c.want)
		}
	}
	m := good(t, s, "sandbox_search_text", `{"query":"cafe"}`)
	if within(t, m, "matches", 0, "offset") != 3.0 || within(t, m, "matches", 0, "column") != 4.0 || within(t, m, "matches", 0, "before") != "😀 " {
		t.Errorf("match %v", m["matches"])
	}
	m = good(t, s, "sandbox_search_text", `{"query":"e","limit":2}`)
	total := m["total"].(float64)
	seen := 2.0
	for m["next"] != nil {
		m = good(t, s, "sandbox_search_text", fmt.Sprintf(`{"query":"e","limit":2,"after":%q}`, m["next"]))
		seen += float64(len(m["matches"].([]any)))
	}
	if seen != total {
		t.Errorf("%v of %v matches in pages", seen, total)
	}
	refused(t, s, "sandbox_search_text", `{"query":"a(b","regex":true}`, "position 2", `\(`, "RE2")
	refused(t, s, "sandbox_search_text", `{"query":")","regex":true}`, "position 1", `write \)`)
	refused(t, s, "sandbox_search_text", `{"query":"[)]\\)(a))b","regex":true}`, `position 9: ")b"`)
	refused(t, s, "sandbox_search_text", `{"query":"ab[z-a]","regex":true}`, "position 4", "z-a")
	refused(t, s, "sandbox_search_text", `{"query":"(?<!a)b","regex":true}`, "position 1")
	refused(t, s, "sandbox_search_text", `{"query":"   "}`, "empty")
	refused(t, s, "sandbox_search_text", `{"query":"a","after":"zzz"}`, "next of an earlier answer")
}

func TestManageChapters(t *testing.T) {
	s := opened(t, smallBook(), nil)
	m := good(t, s, "sandbox_manage_chapters", `{"action":"add"}`)
	if m["chapter"] != 2.0 || m["title"] != "Chapter 3" || s.View().Chapter != m["id"] {
		t.Errorf("added %v", m)
	}
	m = good(t, s, "sandbox_manage_chapters", `{"action":"add","title":"Last","position":99,"file":{"url":"data:,text"}}`)
	if m["chapter"] != 4.0 || textOf(t, s, 4) != "text" {
		t.Errorf("added %v", m)
	}
	m = good(t, s, "sandbox_manage_chapters", `{"action":"rename","chapter":4,"title":"  The   last "}`)
	if m["title"] != "The last" || m["from"] != "Last" || m["changed"] != true {
		t.Errorf("renamed %v", m)
	}
	if m = good(t, s, "sandbox_manage_chapters", `{"action":"rename","chapter":4,"title":" "}`); m["changed"] != false {
		t.Errorf("an empty title: %v", m)
	}
	active := s.View().Chapter
	m = good(t, s, "sandbox_manage_chapters", `{"action":"move","chapter":"The last","position":1}`)
	if m["chapter"] != 1.0 || m["from"] != 4.0 || within(t, m, "chapters", 0, "title") != "The last" || s.View().Chapter != active {
		t.Errorf("moved %v", m)
	}
	if m = good(t, s, "sandbox_manage_chapters", `{"action":"move","chapter":1,"position":1}`); m["changed"] != false {
		t.Errorf("same place: %v", m)
	}
	m = good(t, s, "sandbox_manage_chapters", `{"action":"show","chapter":"Second","position":-1}`)
	if v := s.View(); v.Chapter != "b" || v.Position != 1 || m["page"] == nil {
		t.Errorf("shown %v, view %+v", m, v)
	}
	for args, want := range map[string]string{
		`{"action":"add","chapter":1}`:                             "position",
		`{"action":"add","markdown":"x","file":{"url":"data:,"}}`:  "not both",
		`{"action":"rename","chapter":1}`:                          "needs title",
		`{"action":"move","chapter":1}`:                            "needs position",
		`{"action":"move","chapter":1,"position":2,"title":"x"}`:   "title does not go with",
		`{"action":"show","chapter":1,"markdown":"x"}`:             "takes chapter, position, page",
		`{"action":"show","chapter":9}`:                            "no chapter 9",
		`{"action":"show","chapter":1,"page":99}`:                  "page",
		`{"action":"rename","chapter":"nobody","title":"x"}`:       "no chapter",
		`{"action":"add","file":{"base64":"//8="}}`:                "UTF-8",
		`{"action":"add","file":{"url":"ftp://example.org/a.md"}}`: "https:",
		`{"action":"add","file":{"url":"data:nocomma"}}`:           "comma",
		`{"action":"add","file":{"url":"data:,%zz"}}`:              "hexadecimal",
		`{"action":"add","file":{"base64":"a","url":"data:,"}}`:    "one of the two",
	} {
		refused(t, s, "sandbox_manage_chapters", args, want)
	}
}

func TestRenderRefusals(t *testing.T) {
	s := opened(t, smallBook(), nil)
	for args, want := range map[string]string{
		`{"printPreview":true}`: "soft proof",
		`{"format":"webp"}`:     "png or jpeg",
		`{"show":true}`:         "no screen",
		`{"data":false}`:        "show: true",
		`{"crop":{"x":0.9,"y":0,"width":0.5,"height":1}}`: "crop",
		`{"crop":{"x":0,"y":0,"width":0,"height":0.5}}`:   "crop",
		`{"chapter":1,"position":5}`:                      "positions",
	} {
		refused(t, s, "sandbox_render_page", args, want)
	}
	m := good(t, s, "sandbox_render_page", `{"format":"jpeg","quality":50,"width":200,"guides":{"margins":true,"columns":true}}`)
	if within(t, m, "content", 1, "mimeType") != "image/jpeg" {
		t.Errorf("parts %v", m["content"])
	}
}

func TestShowPutsThePictureOnScreen(t *testing.T) {
	var shown []Picture
	s := opened(t, smallBook(), func(o *Options) {
		o.Show = func(_ context.Context, p Picture) (Shown, error) {
			shown = append(shown, p)
			return Shown{Selector: "#picture", Width: 100, Height: 200}, nil
		}
	})
	m := good(t, s, "sandbox_render_page", `{"show":true,"data":false,"width":200}`)
	if len(m["content"].([]any)) != 1 || len(shown) != 1 || shown[0].Width != 200 {
		t.Errorf("content %v", m["content"])
	}
	if text := within(t, m, "content", 0, "text").(string); !strings.Contains(text, `"selector":"#picture"`) {
		t.Error(text)
	}
}

func TestPicturesOfOneAnswerStayUnderTheLimit(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = strings.Repeat("line\n", 80)
	s := opened(t, b, func(o *Options) {
		o.Picture = func(context.Context, string, int, int, int, []byte) ([]byte, error) { return make([]byte, 2<<20), nil }
	})
	m := good(t, s, "sandbox_render_page", `{"format":"webp","count":8,"width":100}`)
	if n := len(m["content"].([]any)); n != 2+1 {
		t.Errorf("%d parts", n)
	}
	if text := within(t, m, "content", 0, "text").(string); !strings.Contains(text, `"truncated":{"nextPosition":3`) {
		t.Error(text)
	}
}

func TestTyping(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = "a😀b\n"
	s := opened(t, b, nil)
	ctx := context.Background()
	rev, err := s.Type(ctx, Typed{Chapter: "a", Length: 5, Changes: []TypedChange{{From: 1, To: 3, Insert: "x"}, {From: 4, To: 4, Insert: "\r\ny"}}})
	if err != nil || rev != 2 || textOf(t, s, 1) != "axb\ny\n" {
		t.Errorf("revision %d, text %q, %v", rev, textOf(t, s, 1), err)
	}
	for _, bad := range []Typed{
		{Chapter: "zz"},
		{Chapter: "a", Length: 99, Changes: []TypedChange{{Insert: "x"}}},
		{Chapter: "a", Base: 1, Changes: []TypedChange{{Insert: "x"}}},
		{Chapter: "a", Changes: []TypedChange{{From: 4, To: 2}}},
		{Chapter: "a", Changes: []TypedChange{{From: 2, To: 200}}},
		{Chapter: "a", Changes: []TypedChange{{From: 3, To: 4}, {From: 1, To: 2}}},
	} {
		if _, err := s.Type(ctx, bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	refused(t, s, "sandbox_undo_text", `{}`, "nothing to undo")
}

func TestFolderStoreTouchesOnlyWhatChanged(t *testing.T) {
	dir := t.TempDir()
	b, err := book.SaveFolder(dir, nil, fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, b, func(o *Options) { o.Keeper = NewFolder(dir, b) })
	good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"The end.","replace":"The very end."}]}`)
	if err := s.Save(context.Background()); err != nil {
		t.Fatal(err)
	}
	again, err := book.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(again.Chapters[1].Markdown, "very end") || again.Chapters[0].Markdown != b.Chapters[0].Markdown {
		t.Error("the folder does not hold the edit")
	}
	good(t, s, "sandbox_undo_text", `{}`)
	if err := s.Save(context.Background()); err != nil {
		t.Fatal(err)
	}
	if again, err = book.OpenFolder(dir); err != nil || again.Chapters[1].Markdown != b.Chapters[1].Markdown {
		t.Errorf("what was taken back is still in the folder (%v)", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 4 {
		t.Errorf("files %v, %v", files, err)
	}
}

func TestViewIsMadeToFit(t *testing.T) {
	b := smallBook()
	v := View{Viewer: "hologram", Panel: "x", Scope: "all", Pages: "", Fit: "", Zoom: 99, Chapter: "gone", Position: -4}
	s := opened(t, nil, nil)
	if err := s.Open(b, &v, nil); err != nil {
		t.Fatal(err)
	}
	if got := s.View(); got.Viewer != "canvas" || got.Panel != "none" || got.Scope != "chapter" || got.Zoom != 4 || got.Chapter != "a" || got.Position != 1 {
		t.Errorf("view %+v", got)
	}
}

func TestLookingNeverMovesTheReader(t *testing.T) {
	s := opened(t, smallBook(), nil)
	before := s.View()
	for tool, args := range map[string]string{
		"sandbox_render_page":   `{"chapter":2,"width":100}`,
		"sandbox_inspect_pages": `{"chapter":2,"position":1}`,
		"sandbox_inspect_point": `{"chapter":2,"position":1,"x":0.5,"y":0.2}`,
		"sandbox_read_text":     `{"chapter":2}`,
		"sandbox_search_text":   `{"query":"a","pages":true}`,
		"sandbox_edit_text":     `{"chapter":2,"edits":[{"find":"# Second","replace":"# Two"}]}`,
	} {
		good(t, s, tool, args)
		if s.View() != before {
			t.Errorf("%s moved the reader to %+v", tool, s.View())
		}
	}
}

func TestStateJSONHasNoBookBeforeReady(t *testing.T) {
	s := opened(t, nil, nil)
	text, err := json.Marshal(s.State())
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if m["book"] != nil || m["view"] != nil || m["ready"] != false {
		t.Errorf("state %s", text)
	}
}

func TestPageKeysTellPagesApart(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = strings.Repeat("line\n", 25)
	s := typeset(t, b, nil)
	if _, err := s.Layout(context.Background()); err != nil {
		t.Fatal(err)
	}
	before, _, complete := s.PageList()
	if !complete || len(before) == 0 || before[0].Key == "" {
		t.Fatalf("pages %+v", before)
	}
	good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"colour","replace":"tint","all":true}]}`)
	after, _, _ := s.PageList()
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("an edit of another chapter changed the keys: %v → %v", before, after)
	}
	good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"line","replace":"lime","all":true}]}`)
	if after, _, _ = s.PageList(); after[0].Key == before[0].Key {
		t.Error("an edit kept the key")
	}
}

func TestCaretStandsWhereThePointIs(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	m := good(t, s, "sandbox_search_text", `{"chapter":1,"query":"half-closed"}`)
	off := int(within(t, m, "matches", 0, "offset").(float64))
	c, err := s.Caret(context.Background(), "a", off)
	if err != nil {
		t.Fatal(err)
	}
	p := good(t, s, "sandbox_inspect_point", fmt.Sprintf(`{"chapter":1,"position":%d,"x":%v,"y":%v}`, c.Position, c.X+0.004, c.Y+c.Height/2))
	if got := int(within(t, p, "source", "offset").(float64)); got < off || got > off+1 {
		t.Errorf("caret of %d is at %+v, where %d stands", off, c, got)
	}
}

func TestAnEditIsForTheBookItWasMeantFor(t *testing.T) {
	gate := make(chan struct{}, 10)
	s := opened(t, smallBook(), func(o *Options) { o.Typesetter = &plainTypesetter{gate: gate} })
	done := make(chan map[string]any)
	go func() {
		m, _ := call(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"x"}`)
		done <- m
	}()
	// The writer waits for the pages; another book comes in between.
	for len(s.writer) > 0 {
		time.Sleep(time.Millisecond)
	}
	other := smallBook()
	other.ID = "other"
	if err := s.Open(other, nil, nil); err != nil {
		t.Fatal(err)
	}
	close(gate)
	if m := <-done; m["ok"] != false || !strings.Contains(m["error"].(string), "another book") {
		t.Errorf("answer %v", m)
	}
	if textOf(t, s, 1) != other.Chapters[0].Markdown {
		t.Error("the other book was changed")
	}
}

func TestResumeAfterABookThatCannotBeOpened(t *testing.T) {
	s := opened(t, smallBook(), nil)
	if err := s.Loading(context.Background(), "Broken"); err != nil {
		t.Fatal(err)
	}
	broken := smallBook()
	broken.Config = []byte("[1]")
	if err := s.Open(broken, nil, nil); err == nil {
		t.Error("a broken configuration was opened")
	}
	s.Resume()
	if st := s.State(); !st.Ready || st.Book.ID != "postext-guide" {
		t.Errorf("state %+v", st)
	}
}

func FuzzEdits(f *testing.F) {
	f.Add("# A\n\nSome words here.\n", "Some  words", "x", true)
	f.Add("é\u0301\u2060*a*", "e", "", false)
	f.Fuzz(func(t *testing.T, text, find, replace string, all bool) {
		text = book.CleanText(text)
		out, done, passes, err := applyEdits(text, []oneEdit{{Find: find, Replace: replace, All: all}})
		if err != nil {
			return
		}
		if passes.apply(text) != out || passes.inverse().apply(out) != text {
			t.Errorf("%q %q %q: does not come back", text, find, replace)
		}
		if done[0].Line > indexText(text).Lines() {
			t.Errorf("line %d", done[0].Line)
		}
	})
}

func FuzzSearch(f *testing.F) {
	f.Add("Café base*line*\ngrid [a](b)c", "baseline grid", false)
	f.Add("\u0130I\u0307ẞ", "i", true)
	f.Fuzz(func(t *testing.T, text, query string, word bool) {
		text = book.CleanText(text)
		find, err := newFinder(searchArgs{Query: query, WholeWord: word}, func() error { return nil })
		if err != nil {
			return
		}
		last := 0
		hits, err := find(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if h[0] < last || h[1] <= h[0] || h[1] > len(text) {
				t.Fatalf("%q in %q: match %v after %d", query, text, h, last)
			}
			last = h[1]
		}
	})
}

// corpus is a long book of the shared corpus.
func corpus(b *testing.B) *book.Book {
	b.Helper()
	long, err := book.OpenFolder(tree.Corpus(b, "moby-dick"))
	if err != nil {
		b.Fatal(err)
	}
	return long
}

func BenchmarkSearchLongBook(b *testing.B) {
	s := opened(b, corpus(b), nil)
	for b.Loop() {
		good(b, s, "sandbox_search_text", `{"query":"white whale"}`)
	}
}

func BenchmarkStateOfLongBook(b *testing.B) {
	s := opened(b, corpus(b), nil)
	if _, err := s.Layout(context.Background()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.State()
	}
}

func BenchmarkEditLongBook(b *testing.B) {
	s := typeset(b, corpus(b), nil)
	if _, err := s.Layout(context.Background()); err != nil {
		b.Fatal(err)
	}
	words := []string{"Call me Ishmael.", "Call me Ahab."}
	for i := 0; b.Loop(); i++ {
		good(b, s, "sandbox_edit_text", fmt.Sprintf(`{"chapter":4,"edits":[{"find":%q,"replace":%q}]}`, words[i%2], words[1-i%2]))
	}
}

// Numbers and passages out of all measure are refused shortly and at once.
func TestHugeNumbersAndPassagesAreToldShortly(t *testing.T) {
	s := opened(t, fixture(t), nil)
	m, text := call(t, s, "sandbox_read_text", `{"chapter":1e308}`)
	if m["ok"] != false || len(text) > 400 || !strings.Contains(text, "1e+308") {
		t.Error(text)
	}
	begun := time.Now()
	long := strings.Repeat("never there ", 1<<20/6)
	refused(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"`+long+`","replace":"x"}]}`, "2097144 characters", "nor is its beginning")
	own := textOf(t, s, 1)
	data, err := json.Marshal(map[string]any{"chapter": 1, "edits": []any{map[string]any{"find": own[:60] + long, "replace": "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	refused(t, s, "sandbox_edit_text", string(data), "the first 60 are in the chapter, from line 1 on")
	if d := time.Since(begun); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}
