package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/bridge/check"
	"postext/bridge/schema"
	"postext/engine"
	"postext/engine/settings"
	"postext/sandbox/store"
)

// registry is the session's tools with the checks of a real surface.
func registry(t testing.TB, s *Session) *bridge.Registry {
	t.Helper()
	r := bridge.NewRegistry(bridge.Options{Checker: check.New(schema.For), Log: func(id, tool string, err error, stack []byte) {
		t.Errorf("internal error %s in %s: %v\n%s", id, tool, err, stack)
	}})
	if err := r.Add(Tools(s)...); err != nil {
		t.Fatal(err)
	}
	return r
}

// mark is written into every chapter by one edit: a reader that sees two values
// in one answer has seen half a book.
func marked(n int) string { return fmt.Sprintf("mark %d mark %d\n", n, n) }

func TestAbortsAtAnyMomentLeaveTheBookWholeAndTheRevisionTells(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown, b.Chapters[1].Markdown = marked(0), strings.Repeat("line\n", 60)
	s := opened(t, b, func(o *Options) { o.Typesetter = &plainTypesetter{delay: 200 * time.Microsecond} })
	r := registry(t, s)
	rng := rand.New(rand.NewPCG(1, 2))
	now, rev := 0, s.State().Revision
	for i := 1; i <= 300; i++ {
		ctx, cancel := context.WithCancel(context.Background())
		switch rng.IntN(4) {
		case 0:
			cancel()
		default:
			time.AfterFunc(time.Duration(rng.IntN(1500))*time.Microsecond, cancel)
		}
		var a bridge.Answer
		switch rng.IntN(3) {
		case 0:
			a = r.Call(ctx, "sandbox_write_text", json.RawMessage(fmt.Sprintf(`{"chapter":"a","markdown":%q}`, marked(i))))
		case 1:
			a = r.Call(ctx, "sandbox_edit_text", json.RawMessage(fmt.Sprintf(`{"chapter":1,"edits":[{"find":"mark %d mark","replace":"mark %d mark"},{"find":"mark %d\n","replace":"mark %d\n"}]}`, now, i, now, i)))
		case 2:
			a = r.Call(ctx, "sandbox_set_config", json.RawMessage(fmt.Sprintf(`{"changes":[{"path":"bodyText.fontSize","value":%d}]}`, 8+i%5)))
		}
		cancel()
		text := textOf(t, s, 1)
		after := s.State().Revision
		var is int
		if _, err := fmt.Sscanf(text, "mark %d mark", &is); err != nil || text != marked(is) {
			t.Fatalf("call %d left half an edit: %q", i, text)
		}
		switch {
		case is != now && is != i:
			t.Fatalf("call %d left the text of another: %q", i, text)
		case is != now && after == rev:
			t.Fatalf("call %d changed the text, not the revision", i)
		case a.Refused && after != rev:
			t.Fatalf("call %d was refused and changed the book: %s", i, a)
		case after > rev+1:
			t.Fatalf("call %d took the revision from %d to %d", i, rev, after)
		}
		now, rev = is, after
	}
}

func TestManyCallersAtOnce(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = marked(0) + strings.Repeat("some words of a chapter\n", 40)
	s, _ := visit(t, store.NewMemory(), samplesOf(b), func(o *Options) {
		o.Typesetter = &plainTypesetter{delay: 100 * time.Microsecond}
		o.SaveAfter = time.Millisecond
	})
	r := registry(t, s)
	ctx, stop := context.WithTimeout(context.Background(), 60*time.Second)
	defer stop()
	calls := []string{
		`sandbox_get_state {}`, `sandbox_read_text {"chapter":1}`, `sandbox_inspect_pages {"chapter":1}`,
		`sandbox_inspect_pages {"chapter":1,"position":1,"lines":true}`, `sandbox_inspect_point {"chapter":1,"position":1,"x":0.5,"y":0.2}`,
		`sandbox_search_text {"query":"words","pages":true}`, `sandbox_get_config {"path":"bodyText"}`, `sandbox_find_setting {"query":"size"}`,
		`sandbox_undo_text {}`, `sandbox_undo_text {"redo":true}`, `sandbox_manage_chapters {"action":"add","title":"New","markdown":"x"}`,
		`sandbox_manage_chapters {"action":"move","chapter":1,"position":2}`, `sandbox_manage_chapters {"action":"rename","chapter":2,"title":"Other"}`,
		`sandbox_manage_chapters {"action":"show","chapter":1,"position":-1}`, `sandbox_render_page {"chapter":1,"width":64}`,
		`sandbox_set_config {"changes":[{"path":"bodyText.fontSize","value":"9pt"}]}`, `sandbox_set_config {"replace":{},"wait":false}`,
		`sandbox_edit_text {"chapter":"a","edits":[{"find":"words","replace":"wordz","all":true}],"wait":false}`,
		`sandbox_edit_text {"chapter":"a","edits":[{"find":"wordz","replace":"words","all":true}]}`,
	}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 7))
			for range 60 {
				call, cancel := context.WithCancel(ctx)
				if rng.IntN(5) == 0 {
					time.AfterFunc(time.Duration(rng.IntN(2000))*time.Microsecond, cancel)
				}
				tool, args, _ := strings.Cut(calls[rng.IntN(len(calls))], " ")
				if a := r.Call(call, tool, json.RawMessage(args)); a.Refused && strings.Contains(a.String(), "internal error") {
					t.Errorf("%s %s: %s", tool, args, a)
				}
				cancel()
				if rng.IntN(4) == 0 { // a person types meanwhile
					_, err := s.Type(ctx, Typed{Chapter: "a", Changes: []TypedChange{{From: 0, To: 0, Insert: "t"}}})
					var no *bridge.Refusal
					if err != nil && !errors.As(err, &no) {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		buf := make([]byte, 1<<20)
		t.Fatalf("the calls did not come to an end\n%s", buf[:runtime.Stack(buf, true)])
	}
	if _, err := s.Layout(ctx); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(ctx); err != nil || !s.State().Saved {
		t.Errorf("not saved: %v", err)
	}
}

// stubborn holds its first layout, whether it is wanted or not.
type stubborn struct {
	plainTypesetter
	begun, gate chan struct{}
}

func (p *stubborn) Typeset(ctx context.Context, b *book.Book, o engine.Observer) (*engine.Result, error) {
	if p.runs.Load() == 0 {
		close(p.begun)
		<-p.gate
	}
	return p.plainTypesetter.Typeset(ctx, b, o)
}

// A layout that was never begun, because the next change came first, must not be
// waited for.
func TestWaitingForALayoutThatIsPassedOver(t *testing.T) {
	p := &stubborn{begun: make(chan struct{}), gate: make(chan struct{})}
	s := opened(t, smallBook(), func(o *Options) { o.Typesetter = p })
	<-p.begun
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	const waiters = 20
	answers := make(chan error)
	for i := range waiters {
		if _, err := s.Type(ctx, Typed{Chapter: "a", Changes: []TypedChange{{Insert: "t"}}}); err != nil {
			t.Fatal(i, err)
		}
		snap := s.cur // no one else changes it
		go func() {
			if i%2 == 0 {
				_, _, err := s.chapterFrames(ctx, "b")
				answers <- err
				return
			}
			l, err := s.Layout(ctx)
			if err == nil && l.Revision != waiters+1 {
				err = fmt.Errorf("revision %d", l.Revision)
			}
			answers <- err
		}()
		time.Sleep(time.Millisecond) // most wait for this revision when the next comes
		if i < waiters-1 {
			defer func() { <-snap.job.done }()
		}
	}
	close(p.gate)
	for range waiters {
		if err := <-answers; err != nil {
			t.Fatal(err)
		}
	}
}

func TestUndoChainsGoThroughEveryChapterAndBack(t *testing.T) {
	b := smallBook()
	s := opened(t, b, nil)
	rng := rand.New(rand.NewPCG(3, 4))
	states := []string{}
	snap := func() string { return textOf(t, s, 1) + "\x00" + textOf(t, s, 2) }
	states = append(states, snap())
	const steps = 60
	for i := range steps {
		chapter := 1 + rng.IntN(2)
		good(t, s, "sandbox_write_text", fmt.Sprintf(`{"chapter":%d,"markdown":"text %d\n%s","wait":false}`, chapter, i, strings.Repeat("word ", rng.IntN(5))))
		states = append(states, snap())
	}
	at := steps
	for range 200 {
		n := 1 + rng.IntN(8)
		redo := rng.IntN(2) == 0
		to := at - n
		if redo {
			to = at + n
		}
		args := fmt.Sprintf(`{"steps":%d,"redo":%v,"wait":false}`, n, redo)
		if to < 0 || to > steps {
			if m, _ := call(t, s, "sandbox_undo_text", args); m["ok"] != false {
				t.Fatalf("%s at %d of %d", args, at, steps)
			}
			continue
		}
		m := good(t, s, "sandbox_undo_text", args)
		at = to
		if snap() != states[at] {
			t.Fatalf("after %s the text is not that of step %d", args, at)
		}
		if within(t, m, "undo", "undo") != float64(at) || within(t, m, "undo", "redo") != float64(steps-at) {
			t.Fatalf("at %d of %d: %v", at, steps, m["undo"])
		}
	}
}

func TestMemoryStaysBoundedOverThousandsOfEdits(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = strings.Repeat("A line of a long chapter with a few words.\n", 200) // 9 kB
	s := opened(t, b, nil)
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	edit := func(i int) {
		good(t, s, "sandbox_edit_text", fmt.Sprintf(`{"chapter":1,"edits":[{"find":%q,"replace":%q,"all":true}]}`,
			[]string{"few", "some"}[i%2], []string{"some", "few"}[i%2]))
	}
	for i := range 300 { // fills the undo list
		edit(i)
	}
	before := heap()
	for i := range 1700 {
		edit(i)
	}
	if after := heap(); after > before+before/2+(2<<20) {
		t.Errorf("%d kB after 300 edits, %d kB after 2000", before>>10, after>>10)
	}
	runtime.KeepAlive(s)
}

func TestAnEditOfManyPlacesTakesLittleMemory(t *testing.T) {
	text := strings.Repeat("a ", 2<<20)
	out, done, e, err := applyEdits(text, []oneEdit{{Find: "a", Replace: "b", All: true}})
	if err != nil || done[0].Occurrences != 2<<20 {
		t.Fatal(err, done)
	}
	if n := e.size(); n > 3*len(text) {
		t.Errorf("the step of %d kB of text takes %d kB", len(text)>>10, n>>10)
	}
	if e.inverse().apply(out) != text {
		t.Error("the edit cannot be taken back")
	}
}

func TestAPassageThatOverlapsItselfIsNotOne(t *testing.T) {
	for _, c := range []struct {
		text, find string
		all        bool
		want       string // the outcome, "" when refused
	}{
		{"aaa", "aa", false, ""},
		{"aaa", "aa", true, "xa"},
		{"abab", "ab", false, ""},
		{"ababa", "aba", false, ""},
		{"…—…—…", "…—…", false, ""},
		{"aa b", "aa", false, "x b"},
		{"é\u0301é", "é\u0301", false, "xé"},
	} {
		out, _, _, err := applyEdits(c.text, []oneEdit{{Find: c.find, Replace: "x", All: c.all}})
		if err != nil && c.want != "" || err == nil && out != c.want {
			t.Errorf("%q in %q: %q, %v", c.find, c.text, out, err)
		}
	}
}

func TestSearchFindsWhatAReaderSees(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = "😀 e\u0301te\u0301, ﬁnder oﬃce, ΟΔΟΣ οδος, x\u0304\u0323y, Đà Nẵng, Wa\u00ADter.\n"
	s := opened(t, b, nil)
	for _, c := range []struct{ query, match string }{
		{"ete", "e\u0301te\u0301"}, {"été", "e\u0301te\u0301"}, {"et", "e\u0301t"}, {"finder", "ﬁnder"}, {"office", "oﬃce"}, {"FINDER", "ﬁnder"},
		{"οδος", "ΟΔΟΣ"}, {"ΟΔΟΣ", "ΟΔΟΣ"}, {"x", "x\u0304\u0323"}, {"xy", "x\u0304\u0323y"}, {"da nang", "Đà Nẵng"}, {"water", "Wa\u00ADter"}, {"😀", "😀"},
	} {
		args, err := json.Marshal(map[string]any{"query": c.query, "chapter": 1})
		if err != nil {
			t.Fatal(err)
		}
		m := good(t, s, "sandbox_search_text", string(args))
		if len(m["matches"].([]any)) == 0 {
			t.Errorf("%q is not found", c.query)
			continue
		}
		if got := within(t, m, "matches", 0, "match"); got != c.match {
			t.Errorf("%q finds %q, not %q", c.query, got, c.match)
		}
		units := book.NewIndex(b.Chapters[0].Markdown)
		from, to := within(t, m, "matches", 0, "offset").(float64), within(t, m, "matches", 0, "toOffset").(float64)
		if got := b.Chapters[0].Markdown[units.Byte(int(from)):units.Byte(int(to))]; got != c.match {
			t.Errorf("%q: the offsets hold %q", c.query, got)
		}
	}
}

func TestRegularExpressionsAreMatchedByLinesAsByTheWhole(t *testing.T) {
	b := smallBook()
	var text strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&text, "line %d with word%d\n\n", i, i%7)
	}
	b.Chapters[0].Markdown = text.String()
	s := opened(t, b, nil)
	for _, c := range []struct {
		query string
		total float64
	}{
		{`^line`, 4000}, {`word3$`, 571}, {`\bword\d\b`, 4000}, {`\Aline`, 1}, {`word6\n\z`, 0}, {`word2\n\n\z`, 1},
		{`word0\n\nline`, 572}, {`[^a]\n\n`, 4000}, {`line 12 `, 1}, {`(?s)line 0 .*word3`, 1}, {`$`, 0}, {`(?i:LINE) 1\d{3} `, 1000},
	} {
		args, err := json.Marshal(map[string]any{"query": c.query, "chapter": 1, "regex": true, "limit": 1})
		if err != nil {
			t.Fatal(err)
		}
		if m := good(t, s, "sandbox_search_text", string(args)); m["total"] != c.total {
			t.Errorf("%s: %v matches, not %v", c.query, m["total"], c.total)
		}
	}
}

func TestCostlyExpressionsEnd(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = strings.Repeat("some words on a line that is not short at all\n", 20000) // 1 MB
	s := opened(t, b, nil)
	refused(t, s, "sandbox_search_text", `{"query":"(.{0,900}x?){0,1}(.{0,900}y?){0,1}(.{0,900}z?){0,1}q","regex":true}`, "too large", "repetitions")
	refused(t, s, "sandbox_search_text", `{"query":"(?s)(.{0,500}){0,2}zq","regex":true}`, "too costly", "repetitions")
	// Linear, however it looks.
	if m := good(t, s, "sandbox_search_text", `{"query":"(a+)+$","regex":true}`); m["total"] != 0.0 {
		t.Errorf("%v matches", m["total"])
	}
	// One that takes long everywhere ends with its caller.
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	m, text := callContext(t, ctx, s, "sandbox_search_text", `{"query":"(.{0,500}){0,2}zq","regex":true}`)
	if m["ok"] != false || !strings.Contains(text, "cancelled") {
		t.Errorf("after %v: %.200s", time.Since(begun), text)
	}
}

func TestPicturesHaveAtMost4096PixelsASide(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	refused(t, s, "sandbox_render_page", `{"width":4096}`, "a side has at most 4096", "a width of at most")
	refused(t, s, "sandbox_render_page", `{"crop":{"x":0,"y":0,"width":0.1,"height":1}}`, "at most 4096")
	refused(t, s, "sandbox_render_page", `{"crop":{"x":0,"y":0,"width":0,"height":0}}`, "above 0")
	refused(t, s, "sandbox_render_page", `{"crop":{"x":0.5,"y":0.5,"width":0.5,"height":0}}`, "above 0")
	refused(t, s, "sandbox_render_page", `{"crop":{"x":0.9,"y":0,"width":0.5,"height":1}}`, "x + width", "at most 1")
	_, text := call(t, s, "sandbox_render_page", `{"width":4096}`)
	var fits int
	at := strings.Index(text, "a width of at most ")
	if _, err := fmt.Sscanf(text[at:], "a width of at most %d", &fits); err != nil {
		t.Fatal(text)
	}
	good(t, s, "sandbox_render_page", fmt.Sprintf(`{"width":%d}`, fits))
}

func TestAroundTakesEightLinesEachSide(t *testing.T) {
	b := smallBook()
	b.Chapters[0].Markdown = strings.Repeat("line\n", 40)
	s := opened(t, b, nil)
	for args, want := range map[string][2]float64{
		`{"around":{"line":20}}`:           {12, 28},
		`{"around":{"line":3}}`:            {1, 11},
		`{"around":{"line":40}}`:           {32, 40},
		`{"around":{"line":20,"lines":0}}`: {20, 20},
		`{"around":{"line":20,"lines":2}}`: {18, 22},
	} {
		if m := good(t, s, "sandbox_read_text", args); m["fromLine"] != want[0] || m["toLine"] != want[1] {
			t.Errorf("%s: lines %v to %v, not %v", args, m["fromLine"], m["toLine"], want)
		}
	}
}

func TestADesignThatDoesNotWorkOutIsSaidInWords(t *testing.T) {
	fault := settings.Faults{{Path: "page.width", Message: "The margins leave no room."}}
	s := opened(t, smallBook(), func(o *Options) {
		o.Typesetter = &plainTypesetter{fail: func(*book.Book) error { return fmt.Errorf("the book's configuration: %w", fault) }}
	})
	for _, one := range []string{`sandbox_render_page {}`, `sandbox_inspect_pages {}`, `sandbox_inspect_point {"x":0,"y":0}`,
		`sandbox_search_text {"query":"first","pages":true}`, `sandbox_manage_chapters {"action":"show","position":1}`} {
		tool, args, _ := strings.Cut(one, " ")
		refused(t, s, tool, args, "The margins leave no room.", "sandbox_set_config")
	}
	m := good(t, s, "sandbox_edit_text", `{"edits":[{"find":"first","replace":"1st"}]}`)
	if text, _ := m["layoutError"].(string); !strings.Contains(text, "The margins leave no room.") || m["revision"] != 2.0 {
		t.Errorf("%v", m)
	}
}

func TestAnswersStayUnderTheCap(t *testing.T) {
	b := smallBook()
	for i := range 3000 {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i), Title: fmt.Sprintf("The %d. chapter of a very long book", i), Markdown: "Some words.\n"})
	}
	s := opened(t, b, nil)
	if _, err := s.Layout(context.Background()); err != nil {
		t.Fatal(err)
	}
	const most = maxText + 2000
	good(t, s, "sandbox_manage_chapters", `{"action":"show","chapter":2900}`)
	for _, one := range []string{`sandbox_get_state {}`, `sandbox_manage_chapters {"action":"show","chapter":2900}`, `sandbox_manage_chapters {"action":"rename","chapter":5,"title":"x"}`} {
		tool, args, _ := strings.Cut(one, " ")
		m, text := call(t, s, tool, args)
		if len(text) > most || within(t, m, "truncated", "of") != 3002.0 {
			t.Errorf("%s: %d characters, truncated %v", one, len(text), m["truncated"])
		}
		if !slices.ContainsFunc(m["chapters"].([]any), func(row any) bool {
			r := row.(map[string]any)
			return r["onScreen"] == true && r["chapter"] == 2900.0
		}) {
			t.Errorf("%s: the chapter on screen is not in the list", one)
		}
	}
	var palette []string
	for i := range settings.MaxItems {
		palette = append(palette, fmt.Sprintf(`{"id":"colour-%d","name":"A colour of the palette","value":{"hex":"#ffffff","model":"hex"}}`, i))
	}
	all := "[" + strings.Join(palette, ",") + "]"
	changed := good(t, s, "sandbox_set_config", `{"replace":{"colorPalette":`+all+`}}`)
	if _, text := call(t, s, "sandbox_get_config", `{}`); len(text) > 3000 || !strings.Contains(text, "… and ") {
		t.Errorf("the sections have %d characters", len(text))
	}
	for _, args := range []string{`{"defaults":false}`, `{"path":"colorPalette"}`} {
		if m, text := call(t, s, "sandbox_get_config", args); len(text) > most || m["truncated"] == nil {
			t.Errorf("get_config %s: %d characters", args, len(text))
		}
	}
	if _, text := call(t, s, "sandbox_get_config", `{"path":"colorPalette[id=colour-7]"}`); len(text) > 2000 || !strings.Contains(text, "colour-7") {
		t.Errorf("one colour: %.300s", text)
	}
	// However long, the answer says what was stored, to undo.
	before := s.State()
	m := good(t, s, "sandbox_set_config", `{"changes":[{"path":"colorPalette","value":null}]}`)
	from, err := json.Marshal(within(t, m, "changed", 0, "from"))
	if err != nil || changed["truncated"] == nil || m["truncated"] == nil {
		t.Fatal(err, changed["truncated"], m["truncated"])
	}
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"colorPalette","value":`+string(from)+`}]}`)
	if s.State().Book.Edited != before.Book.Edited || string(s.cur.book.Config) != `{"colorPalette":`+all+`}` {
		t.Errorf("not put back: %.200s", s.cur.book.Config)
	}
	refused(t, s, "sandbox_set_config", `{"replace":{"colorPalette":`+strings.Replace(all, "]", `,{"id":"more","name":"x","value":{"hex":"#ffffff","model":"hex"}}]`, 1)+`}}`, "1001 items", "at most 1000")
}
