package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"postext/book"
)

func TestEditTextWholeOrNothing(t *testing.T) {
	s := opened(t, smallBook(), nil)
	m := good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"The last words of the opening.","replace":"The closing words of the opening."},{"find":"colour","replace":"color","all":true}]}`)
	if got := within(t, m, "edits", 1, "occurrences"); got != 2.0 {
		t.Errorf("occurrences %v", got)
	}
	if got := within(t, m, "edits", 1, "line"); got != 5.0 {
		t.Errorf("line %v", got)
	}
	if got := textOf(t, s, 2); got != "# Second\n\nThe closing words of the opening.\n\nA color and a color.\n" {
		t.Errorf("text %q", got)
	}
	before := textOf(t, s, 2)
	refused(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Second","replace":"Third"},{"find":"nowhere","replace":""}]}`, "edits[1]", "nowhere", "sandbox_read_text")
	if got := textOf(t, s, 2); got != before {
		t.Errorf("a refused call changed the text to %q", got)
	}
}

func TestEditsApplyInOrder(t *testing.T) {
	s := opened(t, smallBook(), nil)
	good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"first","replace":"second"},{"find":"second","replace":"third"}]}`)
	if got := textOf(t, s, 1); !strings.Contains(got, "The third words.") {
		t.Errorf("text %q", got)
	}
}

func TestEditRefusals(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = "# Opening\n\nThe  quick\nbrown fox.\n\nCafé society, “quoted” here.\n\nword word word\n\nPrint typography spent five centuries on it, and nobody complained.\n"
	s := opened(t, b, nil)
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		find string
		want []string
	}{
		{"word", []string{"edits[0]", "occurs 3 times", "on line 8;", "all: true"}},
		{"The quick brown fox.", []string{"edits[0]", "line 3", "white space", "sandbox_read_text"}},
		{"cafe society", []string{"edits[0]", "line 6", "case, accents"}},
		{`"quoted"`, []string{"edits[0]", "quotation marks"}},
		{"Print typography spent six centuries on that", []string{"the nearest is line 10"}},
		{"3| The  quick\n4| brown fox.", []string{"without the line numbers"}},
		{"zzzz qqqq", []string{"nor anything like it", "sandbox_search_text"}},
		{long, []string{strings.Repeat("x", 80) + "…"}},
	} {
		args, err := json.Marshal(map[string]any{"edits": []map[string]any{{"find": c.find, "replace": "y"}}})
		if err != nil {
			t.Fatal(err)
		}
		refused(t, s, "sandbox_edit_text", string(args), c.want...)
	}
	refused(t, s, "sandbox_edit_text", `{"edits":[]}`, "1 to 200")
	many := strings.Repeat(`{"find":"word","replace":"x"},`, 1000)
	refused(t, s, "sandbox_edit_text", `{"edits":[`+many[:len(many)-1]+`]}`, "1 to 200", "1000")
}

func TestEditDryRunChangesNothing(t *testing.T) {
	s := opened(t, smallBook(), nil)
	before := textOf(t, s, 1)
	m := good(t, s, "sandbox_edit_text", `{"edits":[{"find":"first","replace":"other"}],"dryRun":true}`)
	if m["dryRun"] != true || m["changed"] != true || m["revision"] != 1.0 {
		t.Errorf("answer %v", m)
	}
	if textOf(t, s, 1) != before {
		t.Error("the text changed")
	}
}

func TestHostileText(t *testing.T) {
	s := opened(t, smallBook(), nil)
	good(t, s, "sandbox_write_text", `{"markdown":"a\u0000b \ud800 c\r\nd\re"}`)
	if got := textOf(t, s, 1); got != "a\uFFFDb \uFFFD c\nd\ne" {
		t.Errorf("text %q", got)
	}
	big := strings.Repeat("Lorem ipsum dolor sit amet. ", 5<<20/28)
	good(t, s, "sandbox_write_text", `{"markdown":"`+big+`"}`)
	m := good(t, s, "sandbox_read_text", `{}`)
	if n := len(m["text"].(string)); n > 60_100 {
		t.Errorf("read %d characters of one long line", n)
	}
	good(t, s, "sandbox_edit_text", `{"edits":[{"find":"Lorem","replace":"L","all":true}]}`)
	refused(t, s, "sandbox_edit_text", `{"edits":[{"find":"Lorem ipsum dolor sit","replace":"x"}]}`, "edits[0]")
	refused(t, s, "sandbox_write_text", `{"markdown":"`+strings.Repeat("x", 17<<20)+`"}`, "16 MB")
	refused(t, s, "sandbox_edit_text", `{"edits":[{"find":"ipsum","replace":"`+strings.Repeat("y", 1000)+`","all":true}]}`, "edits[0]", "16 MB")
}

func TestWriteText(t *testing.T) {
	s := opened(t, smallBook(), nil)
	refused(t, s, "sandbox_write_text", `{}`, "markdown", "file")
	refused(t, s, "sandbox_write_text", `{"markdown":"x","file":{"base64":"eA=="}}`, "one of the two")
	refused(t, s, "sandbox_write_text", `{"file":{}}`, "url", "base64")
	refused(t, s, "sandbox_write_text", `{"file":{"url":"http://example.org/a.md"}}`, "https:", "data:")
	refused(t, s, "sandbox_write_text", `{"file":{"url":"https://example.org/a.md"}}`, "data:", "base64")
	refused(t, s, "sandbox_write_text", `{"file":{"base64":"%%%"}}`, "base64")
	good(t, s, "sandbox_write_text", `{"file":{"base64":"IyBILQoK"}}`)
	if got := textOf(t, s, 1); got != "# H-\n\n" {
		t.Errorf("text %q", got)
	}
	good(t, s, "sandbox_write_text", `{"file":{"url":"data:text/markdown,%23%20Data"}}`)
	if got := textOf(t, s, 1); got != "# Data" {
		t.Errorf("text %q", got)
	}
	m := good(t, s, "sandbox_write_text", `{"markdown":"# Data"}`)
	if m["changed"] != false {
		t.Errorf("identical text: %v", m)
	}
	if n := len(s.undo.done); n != 2 {
		t.Errorf("%d undo steps", n)
	}
}

func TestUndoIsOneStepACall(t *testing.T) {
	s := opened(t, smallBook(), nil)
	first := textOf(t, s, 1)
	refused(t, s, "sandbox_undo_text", `{}`, "nothing to undo", "reload")
	refused(t, s, "sandbox_undo_text", `{"redo":true}`, "nothing to redo")
	good(t, s, "sandbox_edit_text", `{"edits":[{"find":"first","replace":"1st"},{"find":"words","replace":"WORDS"}]}`)
	second := textOf(t, s, 1)
	good(t, s, "sandbox_write_text", `{"markdown":"all new"}`)
	m := good(t, s, "sandbox_undo_text", `{}`)
	if textOf(t, s, 1) != second || within(t, m, "undone", 0, "tool") != "sandbox_write_text" || within(t, m, "undo", "undo") != 1.0 || within(t, m, "undo", "redo") != 1.0 {
		t.Errorf("undo: %v", m)
	}
	good(t, s, "sandbox_undo_text", `{}`)
	if textOf(t, s, 1) != first {
		t.Errorf("undo of two edits gave %q", textOf(t, s, 1))
	}
	good(t, s, "sandbox_undo_text", `{"redo":true,"steps":2}`)
	if textOf(t, s, 1) != "all new" {
		t.Errorf("redo gave %q", textOf(t, s, 1))
	}
	refused(t, s, "sandbox_undo_text", `{"steps":3}`, "2 steps to undo")
	good(t, s, "sandbox_undo_text", `{"steps":2}`)
	if textOf(t, s, 1) != first {
		t.Errorf("two steps gave %q", textOf(t, s, 1))
	}
}

func TestTypingIsNotUndone(t *testing.T) {
	s := opened(t, smallBook(), nil)
	good(t, s, "sandbox_edit_text", `{"edits":[{"find":"first","replace":"FIRST"}]}`)
	typeAt := func(find, insert string) {
		t.Helper()
		if _, err := s.typed(context.Background(), "a", func(text string) (pass, error) {
			return pass{{From: strings.Index(text, find), New: insert}}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	typeAt("# Opening", "typed before\n\n")
	typeAt("More", "typed after ")
	good(t, s, "sandbox_undo_text", `{}`)
	if got := textOf(t, s, 1); got != "typed before\n\n# Opening\n\nThe first words.\n\ntyped after More of them.\n" {
		t.Errorf("text %q", got)
	}
	good(t, s, "sandbox_edit_text", `{"edits":[{"find":"first","replace":"FIRST"}]}`)
	typeAt("IRST", "x")
	refused(t, s, "sandbox_undo_text", `{}`, "nothing to undo", "changed by hand")
}

// Whatever is typed between, undoing gives the typed text without the edits, as
// long as the list allows it.
func TestUndoUnderTypingKeepsEveryLetter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		text := strings.Repeat("abcdefghij", 10)
		var u undoList
		var typed []string
		cur, lost := text, false
		for k := range 6 {
			if rng.IntN(2) == 0 {
				at := rng.IntN(len(cur))
				n := rng.IntN(min(4, len(cur)-at))
				p := pass{{From: at, Old: cur[at : at+n], New: strings.Repeat("Z", rng.IntN(4))}}
				if second := at + n + 1 + rng.IntN(10); second+2 < len(cur) && rng.IntN(2) == 0 {
					p = append(p, splice{From: second, Old: cur[second : second+2], New: "YY"})
				}
				cur = p.apply(cur)
				u.push(step{chapter: "a", edit: edit{p}})
				continue
			}
			mark := string(rune('A' + k))
			at := rng.IntN(len(cur) + 1)
			p := pass{{From: at, New: mark}}
			cur = p.apply(cur)
			typed = append(typed, mark)
			u.changed("a", p, "changed")
			lost = lost || u.lost != ""
		}
		for len(u.done) > 0 {
			st := u.done[len(u.done)-1]
			inv := st.edit.inverse()
			if !inv[0].fits(cur) {
				t.Fatalf("round %d: step %+v does not fit %q", round, st.edit, cur)
			}
			cur = inv.apply(cur)
			u.move(false, 1)
		}
		for _, mark := range typed {
			if strings.Count(cur, mark) != 1 {
				t.Fatalf("round %d: typed %q is lost in %q", round, mark, cur)
			}
		}
		if !lost {
			for _, mark := range typed {
				cur = strings.Replace(cur, mark, "", 1)
			}
			if cur != text {
				t.Fatalf("round %d: undone to %q", round, cur)
			}
		}
	}
}

func TestUndoListIsBounded(t *testing.T) {
	var u undoList
	for range 300 {
		u.push(step{chapter: "a", edit: edit{{{New: "x"}}}})
	}
	if len(u.done) != maxUndoSteps {
		t.Errorf("%d steps", len(u.done))
	}
	big := strings.Repeat("x", 10<<20)
	for range 20 {
		u.push(step{chapter: "a", edit: edit{{{New: big}}}})
	}
	if u.bytes > maxUndoBytes || len(u.done) < 2 {
		t.Errorf("%d steps of %d bytes", len(u.done), u.bytes)
	}
}

func TestWritersQueueReadersSeeWholeBooks(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = "0\n0\n"
	s := opened(t, b, func(o *Options) { o.Typesetter = &plainTypesetter{delay: 2 * time.Millisecond} })
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for range 15 {
				// Reads the number, writes the next, as one call each: the edit is
				// made on the text as it then is.
				snap, err := s.await(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				n := strings.SplitN(snap.book.Chapters[0].Markdown, "\n", 2)[0]
				m, text := call(t, s, "sandbox_edit_text", fmt.Sprintf(`{"chapter":"a","edits":[{"find":"%s\n%s\n","replace":"%s1\n%s1\n"}]}`, n, n, n, n))
				if m["ok"] != true && !strings.Contains(text, "edits[0]") {
					t.Error(text)
				}
			}
		})
	}
	var readers sync.WaitGroup
	for range 10 {
		readers.Go(func() {
			last := 0.0
			for {
				select {
				case <-stop:
					return
				default:
				}
				m, text := call(t, s, "sandbox_read_text", `{"chapter":1,"numbers":false}`)
				lines := strings.Split(strings.TrimSuffix(m["text"].(string), "\n"), "\n")
				if len(lines) != 2 || lines[0] != lines[1] {
					t.Errorf("half an edit: %s", text)
				}
				if rev := m["revision"].(float64); rev < last {
					t.Errorf("revision went back from %v to %v", last, rev)
				} else {
					last = rev
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	readers.Wait()
}

func TestAnswersCarryPages(t *testing.T) {
	s := opened(t, smallBook(), nil)
	m := good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"`+strings.Repeat(`line\n`, 25)+`"}`)
	if m["pagesBefore"] != 2.0 || m["pagesAfter"] != 4.0 {
		t.Errorf("pages %v → %v", m["pagesBefore"], m["pagesAfter"])
	}
	row := within(t, m, "chapters", 0).(map[string]any)
	if row["chapter"] != 2.0 || row["title"] != "Second" || row["pages"] != 3.0 || row["pagesBefore"] != 1.0 {
		t.Errorf("chapters %v", m["chapters"])
	}
	if n := len(m["chapters"].([]any)); n != 1 {
		t.Errorf("%d chapters changed", n)
	}
}

func TestWaitFalseAnswersAtOnce(t *testing.T) {
	gate := make(chan struct{})
	s := opened(t, smallBook(), func(o *Options) { o.Typesetter = &plainTypesetter{gate: gate} })
	m := good(t, s, "sandbox_write_text", `{"markdown":"x","wait":false}`)
	if m["pending"] != true || m["revision"] != 2.0 || m["pagesAfter"] != nil {
		t.Errorf("answer %v", m)
	}
	st := good(t, s, "sandbox_get_state", `{}`)
	if st["pages"] != nil || st["pagesKnown"] != "0 of 2" {
		t.Errorf("state %v", st)
	}
	close(gate)
	if _, err := s.Layout(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestAbortBeforeAndAfterCommit(t *testing.T) {
	gate := make(chan struct{}, 100)
	var committed func() // what happens when an edit is in
	s := opened(t, smallBook(), func(o *Options) {
		o.Typesetter = &plainTypesetter{gate: gate}
		o.Listener.Text = func(string, string, int64) { committed() }
	})
	// Before: the pages as they were are still being laid out.
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	m, text := callContext(t, ctx, s, "sandbox_write_text", `{"markdown":"x"}`)
	if m["ok"] != false || !strings.Contains(text, "cancelled") {
		t.Errorf("answer %s", text)
	}
	if st := good(t, s, "sandbox_get_state", `{}`); st["revision"] != 1.0 {
		t.Errorf("revision %v", st["revision"])
	}
	// After: the edit is in, only the waiting ends.
	gate <- struct{}{}
	gate <- struct{}{}
	if _, err := s.Layout(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	committed = cancel
	m, text = callContext(t, ctx, s, "sandbox_write_text", `{"markdown":"x"}`)
	if m["ok"] != true || m["pending"] != true || m["revision"] != 2.0 {
		t.Errorf("answer %s", text)
	}
	if textOf(t, s, 1) != "x" {
		t.Error("the edit is not in")
	}
	close(gate)
	if m := good(t, s, "sandbox_read_text", `{}`); m["text"] != "1| x" {
		t.Errorf("text %v", m["text"])
	}
}

func TestNewChangeCancelsLayout(t *testing.T) {
	ts := &plainTypesetter{gate: make(chan struct{})}
	s := opened(t, smallBook(), func(o *Options) { o.Typesetter = ts })
	for i := range 5 {
		good(t, s, "sandbox_write_text", fmt.Sprintf(`{"markdown":"%d","wait":false}`, i))
	}
	close(ts.gate)
	l, err := s.Layout(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if l.Revision != 6 || l.Book.Chapters[0].Markdown != "4" {
		t.Errorf("laid out revision %d, %q", l.Revision, l.Book.Chapters[0].Markdown)
	}
}

func TestAFailedLayoutCanBeMended(t *testing.T) {
	bad := errors.New("cannot lay out")
	ts := &plainTypesetter{fail: func(b *book.Book) error {
		if strings.Contains(b.Chapters[0].Markdown, "BAD") {
			return bad
		}
		if strings.Contains(b.Chapters[0].Markdown, "PANIC") {
			panic("inside the typesetter")
		}
		return nil
	}}
	s := opened(t, smallBook(), func(o *Options) { o.Typesetter = ts })
	for _, word := range []string{"BAD", "PANIC"} {
		m := good(t, s, "sandbox_write_text", `{"markdown":"`+word+`"}`)
		if m["layoutError"] == nil || m["pagesAfter"] != nil {
			t.Errorf("%s: %v", word, m)
		}
		if m := good(t, s, "sandbox_undo_text", `{}`); m["pagesAfter"] != 2.0 {
			t.Errorf("after undoing %s: %v", word, m)
		}
	}
}

func TestToolsWaitForABook(t *testing.T) {
	s := opened(t, nil, nil)
	st := good(t, s, "sandbox_get_state", `{}`)
	if st["ready"] != false || st["waitingFor"] != "the typesetter is loading" || st["revision"] != 0.0 {
		t.Errorf("state %v", st)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if m, text := callContext(t, ctx, s, "sandbox_read_text", `{}`); m["ok"] != false {
		t.Error(text)
	}
	done := make(chan map[string]any)
	go func() {
		m, _ := call(t, s, "sandbox_read_text", `{}`)
		done <- m
	}()
	if err := s.Open(smallBook(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if m := <-done; m["ok"] != true {
		t.Errorf("answer %v", m)
	}
	if err := s.Loading(context.Background(), "Another"); err != nil {
		t.Fatal(err)
	}
	st = good(t, s, "sandbox_get_state", `{}`)
	if st["ready"] != false || st["waitingFor"] != `the book "Another" is loading` {
		t.Errorf("state %v", st)
	}
}

func TestRecentCalls(t *testing.T) {
	s := opened(t, smallBook(), nil)
	for range 7 {
		good(t, s, "sandbox_read_text", `{}`)
	}
	refused(t, s, "sandbox_read_text", `{"chapter":9}`, "no chapter 9", `1 "Opening", 2 "Second"`)
	st := good(t, s, "sandbox_get_state", `{}`)
	recent := st["recent"].([]any)
	if len(recent) != 5 {
		t.Fatalf("%d calls", len(recent))
	}
	last := recent[4].(map[string]any)
	if last["tool"] != "sandbox_read_text" || last["outcome"] != "refused" || last["revision"] != 1.0 {
		t.Errorf("last %v", last)
	}
}
