package sandbox

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// slowSamples take their time to bring a book, so that calls overlap.
type slowSamples struct{ *published }

func (p slowSamples) Load(ctx context.Context, id, language string) (*book.Book, error) {
	time.Sleep(20 * time.Millisecond)
	return p.published.Load(ctx, id, language)
}

// atOnce makes calls that arrive in this order without waiting for each other.
func atOnce(t *testing.T, s *Session, calls ...[2]string) []map[string]any {
	t.Helper()
	r := registry(t, s)
	answers := make([]map[string]any, len(calls))
	var wg sync.WaitGroup
	for i, c := range calls {
		ctx, end := s.Arrive(t.Context(), c[0])
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer end()
			if err := json.Unmarshal([]byte(r.Call(ctx, c[0], json.RawMessage(c[1])).String()), &answers[i]); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	return answers
}

func shelved(t *testing.T) *Session {
	s, _ := visit(t, store.NewMemory(), samplesOf(fixture(t)), func(o *Options) {
		o.Library.Samples = slowSamples{o.Library.Samples.(*published)}
	})
	return s
}

const (
	openGuide = `{"kind":"sample","id":"postext-guide"}`
	openPoems = `{"kind":"sample","id":"poems","language":"es"}`
)

// tools.md 1, Concurrency: an answer is about the book that its call opened, or
// says that another one was opened since; of two at once never both name the last.
func TestTwoOpeningsAtOnceEachAnswerForTheirOwnBook(t *testing.T) {
	s := shelved(t)
	for range 10 {
		a := atOnce(t, s, [2]string{"sandbox_open_book", openPoems}, [2]string{"sandbox_open_book", openGuide})
		for i, id := range []string{"poems", "postext-guide"} {
			if a[i]["ok"] == true {
				if got := within(t, a[i], "book", "id"); got != id {
					t.Fatalf("opening %s answered for %v", id, got)
				}
			} else if !strings.Contains(a[i]["error"].(string), "another book was opened meanwhile") {
				t.Fatal(a[i])
			}
		}
		if a[1]["ok"] != true || s.openRef().ID != "postext-guide" {
			t.Fatalf("the last one is not open: %v", a[1])
		}
	}
}

// A writer works on the book that was to be open when it arrived, or refuses.
func TestAChangeRacingAnOpeningNeverGoesIntoTheOtherBook(t *testing.T) {
	edit := [2]string{"sandbox_write_text", `{"chapter":1,"markdown":"# Mine"}`}
	config := [2]string{"sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"13pt"}]}`}
	rename := [2]string{"sandbox_save_book", `{"action":"rename","name":"Renamed"}`}
	s := shelved(t)
	for range 5 {
		for _, c := range [][2]string{edit, config} {
			good(t, s, "sandbox_open_book", openGuide)
			good(t, s, "sandbox_reset_to_original", `{"part":"all"}`)
			good(t, s, "sandbox_open_book", openPoems)
			good(t, s, "sandbox_reset_to_original", `{"part":"all"}`)
			// First the opening: the guide is changed. Then the change: it is the poems'.
			atOnce(t, s, [2]string{"sandbox_open_book", openGuide}, c, [2]string{"sandbox_open_book", openPoems})
			if st := s.State(); st.Book.ID != "poems" || st.Book.Edited {
				t.Fatalf("%s went into the book opened after it: %+v", c[0], st.Book)
			}
			a := atOnce(t, s, c, [2]string{"sandbox_open_book", openGuide}, [2]string{"sandbox_get_state", `{}`})
			edited := a[0]["ok"] == true
			if !edited && !strings.Contains(a[0]["error"].(string), "another book") {
				t.Fatal(a[0])
			}
			good(t, s, "sandbox_open_book", openPoems)
			if s.State().Book.Edited != edited {
				t.Fatalf("answered %v, the poems edited: %v", a[0], s.State().Book.Edited)
			}
		}
	}
	// A copy is opened: what comes after it goes into the copy.
	a := atOnce(t, s, [2]string{"sandbox_save_book", `{"action":"copy_current","name":"Copy"}`}, rename, edit)
	for _, x := range a {
		if x["ok"] != true {
			t.Fatal(x)
		}
	}
	if st := s.State(); st.Book.Kind != "project" || st.Book.Name != "Renamed" || textOf(t, s, 1) != "# Mine" {
		t.Fatalf("%+v", st.Book)
	}
	// And after a deletion into the guide.
	id := s.openRef().ID
	good(t, s, "sandbox_open_book", openGuide)
	good(t, s, "sandbox_reset_to_original", `{"part":"all"}`)
	good(t, s, "sandbox_open_book", `{"kind":"project","id":"`+id+`"}`)
	a = atOnce(t, s, [2]string{"sandbox_delete_book", `{"id":"` + id + `"}`}, edit)
	if a[0]["ok"] != true || a[1]["ok"] != true || s.openRef().ID != "postext-guide" || textOf(t, s, 1) != "# Mine" {
		t.Fatal(a, s.openRef())
	}
}

// A book that cannot be opened leaves the one before it; what was called after
// it is not done to that one.
func TestAChangeAfterAFailedOpeningIsRefused(t *testing.T) {
	s := shelved(t)
	a := atOnce(t, s, [2]string{"sandbox_open_book", `{"kind":"sample","id":"nope"}`}, [2]string{"sandbox_write_text", `{"chapter":1,"markdown":"x"}`},
		[2]string{"sandbox_list_books", `{}`})
	if a[0]["ok"] != false || a[1]["ok"] != false || a[2]["ok"] != true || s.State().Book.Edited {
		t.Fatal(a)
	}
	if !strings.Contains(a[1]["error"].(string), "could not be") {
		t.Error(a[1])
	}
	good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"x"}`)
}

// A file that takes long to come belongs to the book its call was about.
func TestAFetchedFileNeverGoesIntoABookOpenedMeanwhile(t *testing.T) {
	fetching, goOn := make(chan bool), make(chan bool)
	s, _ := visit(t, store.NewMemory(), samplesOf(fixture(t)), func(o *Options) {
		o.Fetch = func(context.Context, string, int) ([]byte, error) {
			close(fetching)
			<-goOn
			return []byte("# Fetched"), nil
		}
	})
	r := registry(t, s)
	var answer bridge.Answer
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		answer = r.Call(t.Context(), "sandbox_write_text", json.RawMessage(`{"chapter":1,"file":{"url":"https://example.org/a.md"}}`))
	}()
	<-fetching
	good(t, s, "sandbox_open_book", openPoems)
	close(goOn)
	wg.Wait()
	if text := answer.String(); !strings.Contains(text, `"ok":false`) || !strings.Contains(text, otherBook) {
		t.Error(text)
	}
	if s.State().Book.Edited {
		t.Error("it was written into the other book")
	}
}

func TestACallThatIsGivenUpDoesNotHoldTheQueue(t *testing.T) {
	s := shelved(t)
	ctx, end := s.Arrive(t.Context(), "sandbox_open_book")
	_ = ctx
	end()
	good(t, s, "sandbox_open_book", openPoems)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	callContext(t, gone, s, "sandbox_open_book", openGuide)
	good(t, s, "sandbox_open_book", openGuide)
}

// lateList takes its time over the first list it is asked for, and says when it is.
type lateList struct {
	slowSamples
	asked   atomic.Bool
	listing chan struct{}
}

func (p *lateList) List(ctx context.Context) ([]Sample, error) {
	if p.asked.CompareAndSwap(false, true) {
		close(p.listing)
		time.Sleep(60 * time.Millisecond)
	}
	return p.published.List(ctx)
}

// A book that a call opens before the session has chosen its first one is not
// replaced by it: the call's next words are about that book.
func TestABookOpenedBeforeTheFirstStays(t *testing.T) {
	for _, c := range []struct{ tool, args, id string }{
		{"sandbox_save_book", `{"action":"new_blank","name":"Blank"}`, ""},
		{"sandbox_open_book", openPoems, "poems"},
	} {
		samples := &lateList{slowSamples: slowSamples{samplesOf(fixture(t))}, listing: make(chan struct{})}
		l := &Library{Store: store.NewMemory(), Samples: samples, Language: "en"}
		s := New(Options{Typesetter: &plainTypesetter{}, Library: l, SaveAfter: time.Hour})
		t.Cleanup(func() {
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		started := make(chan error, 1)
		go func() { started <- s.Start(context.Background(), Ref{}) }()
		<-samples.listing // it has not chosen its book yet
		a := atOnce(t, s, [2]string{c.tool, c.args}, [2]string{"sandbox_write_text", `{"chapter":1,"markdown":"# Mine"}`})
		if err := <-started; err != nil {
			t.Fatal(err)
		}
		for _, x := range a {
			if x["ok"] != true {
				t.Fatalf("%s: %v", c.tool, x)
			}
		}
		st := s.State()
		if textOf(t, s, 1) != "# Mine" || st.Book.ID == BuiltIn || c.id != "" && st.Book.ID != c.id {
			t.Errorf("%s: %+v is open, with %q", c.tool, st.Book, textOf(t, s, 1))
		}
	}
}

// A book that is opened anew because another window let go of it, as the page before a
// reload does, is not another book: a call that came before it is answered.
func TestACallOutlastsItsBookBeingOpenedAnew(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	first, _ := visit(t, m, samples, nil)
	slow := &stubborn{begun: make(chan struct{}), gate: make(chan struct{})}
	second, _ := visit(t, m.Again(), samples, func(o *Options) { o.Typesetter = slow })
	<-slow.begun
	before := second.State()
	answers := make(chan string, 1)
	arrived, end := second.Arrive(t.Context(), "sandbox_inspect_pages")
	defer end()
	go func() {
		_, text := callContext(t, arrived, second, "sandbox_inspect_pages", `{"chapter":1}`)
		answers <- text
	}()
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if st := second.State(); st.ReadOnly == "" && st.Opening > before.Opening {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if st := second.State(); st.Opening == before.Opening {
		t.Fatalf("the book was not opened anew: %+v", st)
	}
	close(slow.gate)
	if text := <-answers; !strings.Contains(text, `"ok":true`) {
		t.Errorf("the call is answered %s", text)
	}
}

// A refusal changes nothing (tools.md 1): a book that opens is no refusal, also where
// it has no such chapter or page, and the answer says so.
func TestABookOpensAlsoWhereItsChapterIsNotThere(t *testing.T) {
	s := shelved(t)
	m := good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","chapter":"nowhere"}`)
	if note, _ := m["note"].(string); !strings.Contains(note, `there is no chapter "nowhere"`) || s.State().Book.ID != "poems" {
		t.Errorf("the note is %q, and %s is open", note, s.State().Book.ID)
	}
	m = good(t, s, "sandbox_open_book", `{"kind":"sample","id":"postext-guide","page":999}`)
	if note, _ := m["note"].(string); !strings.Contains(note, `page "999" is not in`) || s.State().Book.ID != "postext-guide" {
		t.Errorf("the note is %q, and %s is open", note, s.State().Book.ID)
	}
	if m = good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","chapter":1}`); m["note"] != nil {
		t.Errorf("a chapter that is there: %v", m["note"])
	}
}
