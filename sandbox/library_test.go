package sandbox

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// published is a source of samples for tests.
type published struct {
	samples []Sample
	books   map[string]func() *book.Book // "id language"
	edition atomic.Int64
	gone    atomic.Bool
	fails   map[string]error // to load, by id
}

func (p *published) List(ctx context.Context) ([]Sample, error) {
	if p.gone.Load() {
		return nil, errors.New("the server does not answer")
	}
	return slices.Clone(p.samples), ctx.Err()
}

func (p *published) Load(ctx context.Context, id, language string) (*book.Book, error) {
	if err := p.fails[id]; err != nil {
		return nil, err
	}
	f := p.books[id+" "+language]
	if f == nil || p.gone.Load() {
		return nil, bridge.Refuse("there is no sample %s", bridge.Quote(id))
	}
	return f(), ctx.Err()
}

func (p *published) Edition(context.Context, string) (string, error) {
	return fmt.Sprint(p.edition.Load()), nil
}

// samplesOf publishes the book as the built-in sample, and a second one in two
// languages.
func samplesOf(b *book.Book) *published {
	poem := func(language, line string) func() *book.Book {
		return func() *book.Book {
			return &book.Book{Name: "Poems", Language: language, Chapters: []*book.Chapter{{ID: "p1", Title: "One", Markdown: line}},
				Resources: []*book.Resource{{ID: "fig", Kind: "bitmap", Name: "fig.png", Data: []byte("\x89PNG of " + language)}}}
		}
	}
	return &published{
		samples: []Sample{{ID: "poems", Name: "Poems", Description: "Verses", Languages: []string{"en", "es"}}, {ID: b.ID, Name: b.Name, Languages: []string{"en"}}},
		books: map[string]func() *book.Book{
			b.ID + " en": func() *book.Book {
				c := *b
				c.Chapters = nil
				for _, ch := range b.Chapters { // as if downloaded anew
					d := *ch
					c.Chapters = append(c.Chapters, &d)
				}
				return &c
			},
			"poems en": poem("en", "A line."), "poems es": poem("es", "Un verso.")},
	}
}

// visit is a session of a library on a store, as a page that was just opened.
func visit(t testing.TB, st store.Store, samples *published, change func(*Options)) (*Session, *Library) {
	t.Helper()
	l := &Library{Store: st, Samples: samples, Language: "en"}
	o := Options{Typesetter: &plainTypesetter{}, Library: l, SaveAfter: time.Hour}
	if change != nil {
		change(&o)
	}
	s := New(o)
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil && !errors.Is(err, store.ErrClosed) && !errors.Is(err, store.ErrQuota) {
			t.Error(err)
		}
	})
	if err := s.Start(context.Background(), Ref{}); err != nil {
		t.Fatal(err)
	}
	return s, l
}

// leave closes the page without a word: nothing is saved.
func leave(s *Session) {
	s.mu.Lock()
	o := s.opened
	s.barred = "gone"
	s.mu.Unlock()
	o.Release()
}

func save(t testing.TB, s *Session) {
	t.Helper()
	if err := s.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !s.State().Saved {
		t.Fatal("not saved")
	}
}

// sandbox.md 10.2: autosave after the last change; a sample's first change makes
// its draft, and the next visit finds it.
func TestAutosaveKeepsTheDraftOfASample(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, func(o *Options) { o.SaveAfter = 10 * time.Millisecond })
	if st := s.State(); !st.Saved || st.Book.Edited || st.Book.ID != BuiltIn {
		t.Errorf("just opened: %+v", st.Book)
	}
	good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"kept"}`)
	for range 500 {
		if s.State().Saved {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	if st := s.State(); !st.Book.Edited || textOf(t, s, 2) != "kept" {
		t.Errorf("the next visit finds %+v, %q", st.Book, textOf(t, s, 2))
	}
	// Taken back, it is as published again.
	good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"# Second\n\nThe last words of the opening.\n\nA colour and a colour.\n"}`)
	save(t, s)
	if keys, err := m.Keys(t.Context(), store.Drafts); err != nil || len(keys) != 0 || s.State().Book.Edited {
		t.Errorf("a draft that is as published is kept: %v %v", keys, err)
	}
}

// 10.2: a failed save is said, nothing is lost, and the next one tries again.
func TestAFailedSaveIsSaidAndTriedAgain(t *testing.T) {
	m := store.NewMemory()
	s, _ := visit(t, m, samplesOf(smallBook()), nil)
	m.SetFull(true)
	good(t, s, "sandbox_write_text", `{"markdown":"one"}`)
	if err := s.Save(t.Context()); !errors.Is(err, store.ErrQuota) {
		t.Errorf("the error is %v", err)
	}
	if st := s.State(); st.Saved || !strings.Contains(st.Notice, "storage is full") || textOf(t, s, 1) != "one" {
		t.Errorf("saved %v, notice %q", st.Saved, st.Notice)
	}
	refused(t, s, "sandbox_save_book", `{"action":"save_now"}`, "no room", "sandbox_delete_book")
	refused(t, s, "sandbox_save_book", `{"action":"copy_current"}`, "no room")
	m.SetFull(false)
	good(t, s, "sandbox_save_book", `{"action":"save_now"}`)
	if st := s.State(); !st.Saved || st.Notice != "" {
		t.Errorf("saved %v, notice %q", st.Saved, st.Notice)
	}
}

// A sample nobody changed keeps only its view; a newer edition shows.
func TestAnUntouchedSampleKeepsItsViewOnly(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	s.SetView(func(v *View) { v.Chapter, v.Zoom = "b", 2 })
	save(t, s)
	leave(s)
	newer := smallBook()
	newer.Chapters[0].Markdown = "a newer edition"
	samples.books[BuiltIn+" en"] = func() *book.Book { return newer }
	s, _ = visit(t, m.Again(), samples, nil)
	if v := s.View(); v.Chapter != "b" || v.Zoom != 2 || textOf(t, s, 1) != "a newer edition" {
		t.Errorf("view %+v, text %q", v, textOf(t, s, 1))
	}
}

// sandbox.md 3.1 and tools.md 9: own books, from the copy to the way back.
func TestOwnBooks(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"last words","replace":"own words"}]}`)
	a := good(t, s, "sandbox_save_book", `{"action":"copy_current"}`)
	id := within(t, a, "book", "id").(string)
	if within(t, a, "book", "name") != "Postext guide" || a["open"] != true {
		t.Errorf("a copy of a sample keeps its name: %v", a)
	}
	st := s.State()
	if st.Book.Kind != "project" || st.Book.ID != id || st.Chapters[0].ID == "a" || !strings.Contains(textOf(t, s, 2), "own words") {
		t.Errorf("the copy is not open: %+v", st)
	}
	// Every change is written into it; the sample's draft stays what it was.
	good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"own words","replace":"other words"}]}`)
	good(t, s, "sandbox_save_book", `{"action":"rename","name":"  My   book ","description":"Two lines"}`)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"postext-guide"}`)
	if !strings.Contains(textOf(t, s, 2), "own words") {
		t.Errorf("the draft: %q", textOf(t, s, 2))
	}
	b := good(t, s, "sandbox_save_book", fmt.Sprintf(`{"action":"duplicate","id":%q}`, id))
	if within(t, b, "book", "name") != "My book copy" || s.State().Book.Kind != "sample" {
		t.Errorf("duplicate %v", b)
	}
	list := good(t, s, "sandbox_list_books", `{}`)
	if within(t, list, "projects", 0, "name") != "My book" || within(t, list, "projects", 0, "description") != "Two lines" ||
		within(t, list, "projects", 1, "name") != "My book copy" || within(t, list, "projects", 0, "from") != "postext-guide" ||
		within(t, list, "projects", 0, "chapters") != 2.0 || within(t, list, "projects", 0, "words") != 19.0 ||
		within(t, list, "samples", 0, "id") != "postext-guide" || within(t, list, "samples", 0, "edited") != true || within(t, list, "samples", 0, "open") != true {
		t.Errorf("the list: %v", list)
	}
	// By name, at the next visit.
	save(t, s)
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	o := good(t, s, "sandbox_open_book", `{"kind":"project","name":"my book","chapter":2}`)
	if within(t, o, "book", "id") != id || !strings.Contains(textOf(t, s, 2), "other words") || within(t, o, "view", "chapter") != 2.0 {
		t.Errorf("opened %v", o)
	}
	// Deleting the open book opens the built-in sample, and it comes back.
	good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"other words","replace":"very last words"}]}`)
	d := good(t, s, "sandbox_delete_book", fmt.Sprintf(`{"id":%q}`, id))
	if within(t, d, "deleted", "name") != "My book" || s.State().Book.ID != BuiltIn {
		t.Errorf("deleted %v", d)
	}
	refused(t, s, "sandbox_open_book", fmt.Sprintf(`{"kind":"project","id":%q}`, id), "no own book", "My book copy")
	list = good(t, s, "sandbox_list_books", `{}`)
	if within(t, list, "deleted", 0, "name") != "My book" || len(list["projects"].([]any)) != 1 {
		t.Errorf("after deleting: %v", list)
	}
	r := good(t, s, "sandbox_save_book", fmt.Sprintf(`{"action":"restore","id":%q}`, id))
	good(t, s, "sandbox_open_book", fmt.Sprintf(`{"kind":"project","id":%q}`, within(t, r, "book", "id")))
	if !strings.Contains(textOf(t, s, 2), "very last words") {
		t.Errorf("brought back with %q", textOf(t, s, 2))
	}
	refused(t, s, "sandbox_delete_book", `{"id":"poems"}`, "is a sample", "hide_sample")
	refused(t, s, "sandbox_delete_book", `{"id":"nothing"}`, "no own book")
	refused(t, s, "sandbox_save_book", `{"action":"rename","name":"x","cover":{"base64":"aa"}}`, "cover does not go")
}

func TestABlankBookHasOneEmptyChapter(t *testing.T) {
	s, _ := visit(t, store.NewMemory(), samplesOf(smallBook()), nil)
	a := good(t, s, "sandbox_save_book", `{"action":"new_blank","name":"Mine","language":"pt-br"}`)
	_ = a
	st := s.State()
	if st.Book.Kind != "project" || st.Book.Name != "Mine" || len(st.Chapters) != 1 || st.Chapters[0].Title != "Chapter 1" || st.Chapters[0].Words != 0 {
		t.Errorf("%+v %+v", st.Book, st.Chapters)
	}
}

// sandbox.md 3.3: one draft for each sample and language; the language that opens.
func TestDraftsPerLanguage(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"es-MX"}`)
	if st := s.State(); st.Book.Language != "es" || textOf(t, s, 1) != "Un verso." {
		t.Fatalf("%+v", st.Book)
	}
	good(t, s, "sandbox_write_text", `{"markdown":"Mi verso."}`)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"postext-guide"}`)
	// A click on the row: edited only in Spanish, so that one opens.
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems"}`)
	if textOf(t, s, 1) != "Mi verso." {
		t.Errorf("opened %q", textOf(t, s, 1))
	}
	// A language asked for opens exactly that one.
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"en"}`)
	if st := s.State(); st.Book.Edited || textOf(t, s, 1) != "A line." {
		t.Errorf("opened %q", textOf(t, s, 1))
	}
	list := good(t, s, "sandbox_list_books", `{}`)
	if within(t, list, "samples", 1, "id") != "poems" || within(t, list, "samples", 1, "editedIn", 0) != "es" || within(t, list, "samples", 1, "openIn") != "en" {
		t.Errorf("%v", list)
	}
	refused(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"fr"}`, "en, es")
	refused(t, s, "sandbox_open_book", `{"kind":"sample","id":"peoms"}`, "poems")
	// Its files came along: they are the draft's even when nobody publishes them.
	samples.gone.Store(true)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"es"}`)
	b, _, err := s.Book(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := b.Resources[0].Bytes(); err != nil || string(data) != "\x89PNG of es" || !s.State().Book.Edited {
		t.Errorf("the picture holds %q (%v), edited %v", data, err, s.State().Book.Edited)
	}
	list = good(t, s, "sandbox_list_books", `{}`)
	if within(t, list, "samples", 0, "unavailable") != true || !strings.Contains(list["problem"].(string), "does not answer") {
		t.Errorf("%v", list)
	}
}

func TestHiddenSamplesStayHidden(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	good(t, s, "sandbox_save_book", `{"action":"hide_sample","id":"poems"}`)
	refused(t, s, "sandbox_save_book", `{"action":"hide_sample","id":"postext-guide"}`, "built-in")
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	if list := good(t, s, "sandbox_list_books", `{}`); within(t, list, "samples", 1, "hidden") != true {
		t.Errorf("%v", list)
	}
	if m := good(t, s, "sandbox_save_book", `{"action":"show_sample","id":"poems"}`); m["changed"] != true {
		t.Errorf("%v", m)
	}
	if list := good(t, s, "sandbox_list_books", `{}`); within(t, list, "samples", 1, "hidden") != false {
		t.Errorf("%v", list)
	}
}

// sandbox.md 3.2: five formats; anything else is refused; it travels with copies.
func TestCovers(t *testing.T) {
	m := store.NewMemory()
	s, l := visit(t, m, samplesOf(smallBook()), nil)
	refused(t, s, "sandbox_save_book", `{"action":"set_cover","cover":{"base64":"AAAA"}}`, "sample keeps its cover")
	a := good(t, s, "sandbox_save_book", `{"action":"copy_current"}`)
	id := within(t, a, "book", "id").(string)
	png := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n"))
	good(t, s, "sandbox_save_book", `{"action":"set_cover","cover":{"base64":"`+png+`"}}`)
	refused(t, s, "sandbox_save_book", `{"action":"set_cover","cover":{"url":"data:,hello"}}`, "PNG, JPEG, WebP, GIF and SVG")
	refused(t, s, "sandbox_save_book", `{"action":"set_cover"}`, "needs cover")
	save(t, s)
	b := good(t, s, "sandbox_save_book", fmt.Sprintf(`{"action":"duplicate","id":%q}`, id))
	copied := within(t, b, "book", "id").(string)
	good(t, s, "sandbox_save_book", `{"action":"remove_cover"}`)
	save(t, s)
	if err := l.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	good(t, s, "sandbox_open_book", fmt.Sprintf(`{"kind":"project","id":%q}`, copied))
	bk, _, err := s.Book(t.Context())
	if err != nil || bk.Cover == nil {
		t.Fatalf("the copy has no cover (%v)", err)
	}
	if data, err := bk.Cover.Bytes(); err != nil || string(data) != "\x89PNG\r\n" || bk.Cover.Name != "thumbnail.png" {
		t.Errorf("the copy's cover is %q %q (%v)", bk.Cover.Name, data, err)
	}
	// A book that is not open, too.
	good(t, s, "sandbox_save_book", fmt.Sprintf(`{"action":"set_cover","id":%q,"cover":{"base64":%q}}`, id, png))
	list := good(t, s, "sandbox_list_books", `{}`)
	if within(t, list, "projects", 0, "cover") != true || within(t, list, "projects", 1, "cover") != true {
		t.Errorf("%v", list)
	}
}

// Two windows on one store: the second may look, and gets the book, as the first
// left it, once the first lets go.
func TestTheSecondWindowMayLookAndGetsTheBookLater(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	first, _ := visit(t, m, samples, nil)
	second, _ := visit(t, m.Again(), samples, nil)
	if st := second.State(); !st.Ready || !strings.Contains(st.ReadOnly, "another window") {
		t.Fatalf("the second window: %+v", st)
	}
	good(t, second, "sandbox_read_text", `{}`)
	refused(t, second, "sandbox_write_text", `{"markdown":"x"}`, "another window", "copy_current")
	if _, err := second.Type(t.Context(), Typed{Chapter: "a", Changes: []TypedChange{{Insert: "x"}}}); err == nil {
		t.Error("typing was taken")
	}
	good(t, first, "sandbox_write_text", `{"chapter":2,"markdown":"by the first"}`)
	save(t, first)
	second.SetView(func(v *View) { v.Chapter = "b" })
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if second.State().ReadOnly == "" && second.State().Ready {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if st := second.State(); st.ReadOnly != "" || textOf(t, second, 2) != "by the first" || second.View().Chapter != "b" {
		t.Fatalf("after the first window closed: %+v, %q", st, textOf(t, second, 2))
	}
	good(t, second, "sandbox_write_text", `{"chapter":2,"markdown":"by the second"}`)
	// Another book is another window's to have.
	third, _ := visit(t, m.Again(), samples, nil)
	good(t, third, "sandbox_open_book", `{"kind":"sample","id":"poems"}`)
	good(t, third, "sandbox_write_text", `{"markdown":"by the third"}`)
	good(t, third, "sandbox_save_book", `{"action":"copy_current","name":"Third's"}`)
	refused(t, second, "sandbox_delete_book", fmt.Sprintf(`{"id":%q}`, third.State().Book.ID), "open in another window")
	refused(t, second, "sandbox_save_book", fmt.Sprintf(`{"action":"rename","id":%q,"name":"x"}`, third.State().Book.ID), "open in another window")
}

// noLocks is a store whose locks everybody gets, as a browser without Web Locks.
type noLocks struct{ store.Store }

func (noLocks) Lock(context.Context, string, bool) (func(), error) { return func() {}, nil }

// Where there are no locks, who saves second keeps a copy: nobody's work is lost.
func TestWithoutLocksTheSecondToSaveKeepsACopy(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	first, _ := visit(t, noLocks{m}, samples, nil)
	second, _ := visit(t, noLocks{m.Again()}, samples, nil)
	good(t, first, "sandbox_write_text", `{"chapter":2,"markdown":"by the first"}`)
	good(t, second, "sandbox_write_text", `{"chapter":2,"markdown":"by the second"}`)
	save(t, first)
	save(t, second)
	st := second.State()
	if st.Book.Kind != "project" || st.Book.Name != "Postext guide (from another window)" || !strings.Contains(st.Notice, "copy of their own") || textOf(t, second, 2) != "by the second" {
		t.Errorf("the second: %+v, %q", st.Book, st.Notice)
	}
	good(t, second, "sandbox_write_text", `{"chapter":2,"markdown":"further"}`)
	save(t, second)
	good(t, first, "sandbox_write_text", `{"chapter":2,"markdown":"first again"}`)
	save(t, first)
	leave(first)
	again, _ := visit(t, m.Again(), samples, nil)
	good(t, again, "sandbox_open_book", `{"kind":"sample","id":"postext-guide"}`)
	if textOf(t, again, 2) != "first again" {
		t.Errorf("the first: %q", textOf(t, again, 2))
	}
}

// sandbox.md 10.4: what no book has goes, what one has stays.
func TestTheSweepKeepsWhatBooksNeed(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, l := visit(t, m, samples, nil)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems"}`)
	good(t, s, "sandbox_write_text", `{"markdown":"one"}`)
	save(t, s)
	good(t, s, "sandbox_save_book", `{"action":"copy_current","name":"Copy"}`)
	for i := range 20 {
		good(t, s, "sandbox_write_text", fmt.Sprintf(`{"markdown":"state %d"}`, i))
		save(t, s)
	}
	count := func(table store.Table) int {
		keys, err := m.Keys(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		return len(keys)
	}
	if n := count(store.Texts); n < 20 {
		t.Fatalf("only %d texts: the test tests nothing", n)
	}
	if err := l.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, k := count(store.Texts), count(store.Blobs); n != 2 || k != 1 {
		t.Errorf("%d texts and %d files are left, want 2 and 1", n, k)
	}
	good(t, s, "sandbox_delete_book", fmt.Sprintf(`{"id":%q}`, s.State().Book.ID))
	if err := l.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := count(store.Texts); n != 2 {
		t.Errorf("a deleted book can be brought back, but %d texts are left", n)
	}
	l.Now = func() time.Time { return time.Now().AddDate(0, 0, trashDays+1) }
	if err := l.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, k := count(store.Texts), count(store.Blobs); n != 1 || k != 1 || count(store.Trash) != 0 {
		t.Errorf("after %d days %d texts, %d files, %d deleted books are left", trashDays, n, k, count(store.Trash))
	}
}

// A resource let go during a visit can still be wanted back in the same visit.
func TestFilesLetGoStayUntilTheBookIsOpenedAgain(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, l := visit(t, m, samples, nil)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems"}`)
	good(t, s, "sandbox_save_book", `{"action":"copy_current"}`)
	change := func(f func(b *book.Book) *book.Book) {
		if _, err := s.write(t.Context(), false, func(snap snapshot) (*change, error) { return &change{book: f(snap.book)}, nil }); err != nil {
			t.Fatal(err)
		}
		save(t, s)
		if err := l.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var was []*book.Resource
	change(func(b *book.Book) *book.Book { was = b.Resources; return b.WithResources(nil) })
	change(func(b *book.Book) *book.Book { return b.WithText(0, "between") })
	change(func(b *book.Book) *book.Book { return b.WithResources(was) })
	id := s.State().Book.ID
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	good(t, s, "sandbox_open_book", fmt.Sprintf(`{"kind":"project","id":%q}`, id))
	b, _, err := s.Book(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := b.Resources[0].Bytes(); err != nil || string(data) != "\x89PNG of en" {
		t.Errorf("the picture holds %q (%v)", data, err)
	}
}

// What the first issue kept becomes drafts.
func TestRecordsOfTheFirstIssueAreTakenOver(t *testing.T) {
	m := store.NewMemory()
	old := `{"version":1,"kind":"sample","id":"postext-guide","name":"Postext guide","language":"en","chapters":[{"id":"a","title":"Opening","markdown":"old edit"},{"id":"b","title":"Second","markdown":"x"}],"config":{"bodyText":{"fontSize":{"unit":"pt","value":9}}},"view":{"chapter":"b","zoom":2},"revision":7}`
	if err := m.Commit(t.Context(), store.Batch{Puts: []store.Put{
		{Key: store.Key{Table: store.Early, Name: "sample/postext-guide"}, Data: []byte(old)},
		{Key: store.Key{Table: store.Early, Name: "sample/damaged"}, Data: []byte(`{"version":1`)},
		{Key: metaKey("open"), Data: []byte("sample/postext-guide")}}}); err != nil {
		t.Fatal(err)
	}
	s, _ := visit(t, m, samplesOf(smallBook()), nil)
	if st := s.State(); textOf(t, s, 1) != "old edit" || !st.Book.Edited || s.View().Chapter != "b" || s.View().Zoom != 2 || !strings.Contains(st.Notice, "damaged") {
		t.Errorf("%+v, %q, notice %q", st.Book, textOf(t, s, 1), st.Notice)
	}
	keys, err := m.Keys(t.Context(), store.Early)
	if err != nil || len(keys) != 1 {
		t.Errorf("of the old records %v are left (%v)", keys, err)
	}
}

// sandbox.md 12: a link to a book the reader has asks; both answers.
func TestALinkToABookTheReaderHasAsks(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	text := "first edition"
	fetch := func(context.Context) (*book.Book, error) {
		return &book.Book{Name: "Recipe", Language: "en", Chapters: []*book.Chapter{{ID: "r", Title: "R", Markdown: text}}}, nil
	}
	if err := s.OpenLink(t.Context(), "recipe:soup:en", fetch); err != nil {
		t.Fatal(err)
	}
	if st := s.State(); st.Question != nil || st.Book.Name != "Recipe" || st.Book.Kind != "project" {
		t.Fatalf("the first visit: %+v", st)
	}
	good(t, s, "sandbox_write_text", `{"markdown":"my edit"}`)
	refused(t, s, "sandbox_answer", `{"replaceCopy":true}`, "no question")
	refused(t, s, "sandbox_answer", `{"dismissNotice":true}`, "no notice")
	text = "second edition"
	if err := s.OpenLink(t.Context(), "recipe:soup:en", fetch); err != nil {
		t.Fatal(err)
	}
	st := good(t, s, "sandbox_get_state", `{}`)
	if st["ready"] != false || within(t, st, "question", "kind") != "replaceCopy" || !strings.Contains(st["waitingFor"].(string), "question below") {
		t.Fatalf("the second visit: %v", st)
	}
	refused(t, s, "sandbox_write_text", `{"markdown":"x"}`, "sandbox_answer")
	good(t, s, "sandbox_answer", `{"replaceCopy":false}`)
	if st := s.State(); !st.Ready || textOf(t, s, 1) != "my edit" {
		t.Errorf("kept: %q", textOf(t, s, 1))
	}
	if err := s.OpenLink(t.Context(), "recipe:soup:en", fetch); err != nil {
		t.Fatal(err)
	}
	mine := s.State().Book.ID
	good(t, s, "sandbox_answer", `{"replaceCopy":true}`)
	if st := s.State(); !st.Ready || st.Book.ID == mine || textOf(t, s, 1) != "second edition" {
		t.Errorf("replaced: %+v %q", st.Book, textOf(t, s, 1))
	}
	list := good(t, s, "sandbox_list_books", `{}`)
	if len(list["projects"].([]any)) != 1 || within(t, list, "deleted", 0, "id") != mine {
		t.Errorf("%v", list)
	}
}

// A removed chapter can be put back at the next visit too.
func TestARemovedChapterIsKeptWithTheBook(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	good(t, s, "sandbox_remove_chapter", `{"chapter":"Second"}`)
	save(t, s)
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	a := good(t, s, "sandbox_manage_chapters", `{"action":"add","chapter":"b"}`)
	if titles(t, a) != "Opening|Second" || !strings.Contains(textOf(t, s, 2), "last words") {
		t.Errorf("%v", a)
	}
}

// A save writes only what changed.
func TestASaveWritesOnlyTheChapterThatChanged(t *testing.T) {
	counting := &countingStore{Store: store.NewMemory()}
	b := smallBook()
	for i := range 300 {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i), Title: fmt.Sprint("C", i), Markdown: strings.Repeat(fmt.Sprint("word ", i), 1000)})
	}
	s, _ := visit(t, counting, samplesOf(b), nil)
	good(t, s, "sandbox_write_text", `{"chapter":5,"markdown":"first"}`)
	save(t, s)
	counting.bytes.Store(0)
	good(t, s, "sandbox_write_text", `{"chapter":7,"markdown":"second"}`)
	save(t, s)
	if n := counting.bytes.Load(); n > 120_000 {
		t.Errorf("a save after a small edit wrote %d bytes", n)
	}
}

type countingStore struct {
	store.Store
	bytes atomic.Int64
}

func (c *countingStore) Commit(ctx context.Context, b store.Batch) error {
	for _, p := range b.Puts {
		c.bytes.Add(int64(len(p.Data)))
	}
	return c.Store.Commit(ctx, b)
}

// sandbox.md 9.3: a sample published anew is shown as it is now when nobody
// changed it; changes stay, and are told of until the new version is loaded.
func TestASamplePublishedAnew(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	publish := func(text string) {
		b := smallBook()
		b.Chapters[0].Markdown = text
		samples.books[BuiltIn+" en"] = func() *book.Book { return b }
		samples.edition.Add(1)
		if err := s.CheckEdition(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s.SetView(func(v *View) { v.Chapter = "b" })
	publish("second edition")
	if st := s.State(); textOf(t, s, 1) != "second edition" || s.View().Chapter != "b" || st.Book.Newer || !strings.Contains(st.Notice, "published anew") {
		t.Errorf("untouched: %q, %+v, %q", textOf(t, s, 1), st.Book, st.Notice)
	}
	good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"mine"}`)
	publish("third edition")
	if st := s.State(); textOf(t, s, 1) != "second edition" || textOf(t, s, 2) != "mine" || !st.Book.Newer || !strings.Contains(st.Notice, "newer version") {
		t.Errorf("changed: %q, %+v, %q", textOf(t, s, 1), st.Book, st.Notice)
	}
	save(t, s)
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	if st := s.State(); textOf(t, s, 2) != "mine" || !st.Book.Newer {
		t.Errorf("the next visit: %+v", st.Book)
	}
	a := good(t, s, "sandbox_reset_to_original", `{"part":"all","sample":{"id":"postext-guide","language":"en"}}`)
	if st := s.State(); textOf(t, s, 1) != "third edition" || st.Book.Newer || st.Book.Edited || st.Notice != "" || a["changed"] != true {
		t.Errorf("the new version loaded: %q, %+v, %v", textOf(t, s, 1), st.Book, a)
	}
	r := good(t, s, "sandbox_save_book", fmt.Sprintf(`{"action":"restore","id":%q}`, within(t, a, "kept", 0, "id")))
	good(t, s, "sandbox_open_book", fmt.Sprintf(`{"kind":"project","id":%q}`, within(t, r, "book", "id")))
	if textOf(t, s, 2) != "mine" {
		t.Errorf("brought back: %q", textOf(t, s, 2))
	}
}

// A sample published anew whose changes are taken back has none to keep: it is shown as
// it is now, and nothing more is told of.
func TestANewerSampleWhoseChangesAreTakenBack(t *testing.T) {
	samples := samplesOf(smallBook())
	s, _ := visit(t, store.NewMemory(), samples, nil)
	good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"mine"}`)
	b := smallBook()
	b.Chapters[0].Markdown = "second edition"
	samples.books[BuiltIn+" en"] = func() *book.Book { return b }
	samples.edition.Add(1)
	look := func() {
		t.Helper()
		if err := s.CheckEdition(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	look()
	if st := s.State(); !st.Book.Newer || st.Notice == "" {
		t.Fatalf("%+v %q", st.Book, st.Notice)
	}
	good(t, s, "sandbox_undo_text", `{}`)
	look()
	if st := s.State(); st.Book.Newer || strings.Contains(st.Notice, "discards") || textOf(t, s, 1) != "second edition" {
		t.Errorf("%+v %q %q", st.Book, st.Notice, textOf(t, s, 1))
	}
}

// A folder that changed is called one.
func TestAFolderThatChangedIsCalledOne(t *testing.T) {
	folder := func(text string) func() *book.Book {
		return func() *book.Book {
			b := smallBook()
			b.Folder, b.Chapters[0].Markdown = true, text
			return b
		}
	}
	samples := samplesOf(smallBook())
	samples.books[BuiltIn+" en"] = folder("first")
	m := store.NewMemory()
	s, _ := visit(t, m, samples, nil)
	good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"mine"}`)
	samples.books[BuiltIn+" en"] = folder("second")
	samples.edition.Add(1)
	if err := s.CheckEdition(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if st := s.State(); !st.Book.Folder || !st.Book.Newer || !strings.HasPrefix(st.Notice, "The folder of this book has changed.") {
			t.Errorf("%+v %q", st.Book, st.Notice)
		}
		save(t, s)
		leave(s)
		s, _ = visit(t, m.Again(), samples, nil)
	}
}

// sandbox.md 9.4: what Reset restores, of a sample and of a copy of one.
func TestResetToOriginal(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	change := func() {
		good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"mine"}`)
		good(t, s, "sandbox_manage_chapters", `{"action":"add","title":"Extra"}`)
		good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"14pt"}]}`)
	}
	change()
	a := good(t, s, "sandbox_reset_to_original", `{"part":"text"}`)
	if st := s.State(); len(st.Chapters) != 2 || textOf(t, s, 2) == "mine" || !st.Book.Edited || a["changed"] != true {
		t.Errorf("the text: %v %+v", a, st.Book)
	}
	refused(t, s, "sandbox_undo_text", `{}`, "reset")
	good(t, s, "sandbox_reset_to_original", `{"part":"config"}`)
	if s.State().Book.Edited {
		t.Error("text and design are reset, but the sample is edited")
	}
	if a := good(t, s, "sandbox_reset_to_original", `{"part":"all"}`); a["changed"] != false || a["kept"] != nil {
		t.Errorf("nothing to reset: %v", a)
	}
	change()
	good(t, s, "sandbox_save_book", `{"action":"copy_current"}`)
	ids := s.State().Chapters
	good(t, s, "sandbox_reset_to_original", `{"part":"all"}`)
	if st := s.State(); len(st.Chapters) != 2 || strings.Contains(textOf(t, s, 2), "mine") || st.Chapters[0].ID != ids[0].ID || st.Book.Kind != "project" {
		t.Errorf("a copy: %+v", st.Chapters)
	}
	list := good(t, s, "sandbox_list_books", `{}`)
	if n := len(list["deleted"].([]any)); n != 3 || within(t, list, "deleted", 0, "why") != "before it was reset" {
		t.Errorf("%v", list["deleted"])
	}
	good(t, s, "sandbox_save_book", `{"action":"new_blank"}`)
	refused(t, s, "sandbox_reset_to_original", `{"part":"text"}`, "no copy of a sample")
	refused(t, s, "sandbox_reset_to_original", `{"part":"text","sample":{"id":"poems"}}`, `part is "all"`)
	// The draft of the sample is still there: every language of it goes.
	if a := good(t, s, "sandbox_reset_to_original", `{"part":"all","sample":{"id":"postext-guide"}}`); a["changed"] != true {
		t.Errorf("%v", a)
	}
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"postext-guide"}`)
	if s.State().Book.Edited {
		t.Error("the draft is still there")
	}
}

// sandbox.md 3.2: a book without a cover gets one of its first page, once it was
// painted; one taken away is not made again during the visit.
func TestAutomaticCover(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	paint := func() {
		if _, _, err := s.Paint(t.Context(), PaintRequest{Chapter: s.State().Chapters[0].ID, Position: 1, Width: 64}); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		o := s.opened
		s.mu.Unlock()
		if _, err := s.Layout(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.makeCover(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	paint()
	kind, data, err := s.Cover(t.Context(), Ref{Kind: "sample", ID: BuiltIn})
	if err != nil || kind != "image/jpeg" || len(data) < 100 {
		t.Fatalf("the sample's cover: %s, %d bytes, %v", kind, len(data), err)
	}
	a := good(t, s, "sandbox_save_book", `{"action":"copy_current"}`)
	id := within(t, a, "book", "id").(string)
	if _, copied, err := s.Cover(t.Context(), Ref{Kind: "project", ID: id}); err != nil || string(copied) != string(data) {
		t.Errorf("a copy adopts it: %d bytes, %v", len(copied), err)
	}
	good(t, s, "sandbox_save_book", `{"action":"remove_cover"}`)
	paint()
	if _, data, err := s.Cover(t.Context(), Ref{Kind: "project", ID: id}); err != nil || data != nil {
		t.Errorf("a cover taken away was made again: %d bytes, %v", len(data), err)
	}
	save(t, s)
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	rev := s.State().Revision
	paint()
	if _, data, err := s.Cover(t.Context(), Ref{Kind: "project", ID: id}); err != nil || data == nil || s.State().Revision != rev {
		t.Errorf("at the next visit: %d bytes, %v, revision %d to %d", len(data), err, rev, s.State().Revision)
	}
}

// sandbox.md 10.3: panel, zoom and layout of the window are the reader's: another
// book does not change them; chapter and page are the book's.
func TestOpeningABookLeavesTheWindowAsItIs(t *testing.T) {
	m := store.NewMemory()
	s, _ := visit(t, m, samplesOf(smallBook()), nil)
	s.SetView(func(v *View) { v.Chapter = "b" })
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems"}`)
	s.SetView(func(v *View) { v.Panel, v.Zoom, v.Pages = "books", 2, "spread" })
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"postext-guide"}`)
	if v := s.View(); v.Panel != "books" || v.Zoom != 2 || v.Pages != "spread" || v.Chapter != "b" {
		t.Errorf("%+v", v)
	}
}

// sandbox.md 11 and 12: a link to a book that is not there opens what was open, and a
// notice says which was not found and what is open instead, until a book opens.
func TestALinkToABookThatIsNotThereSaysWhatIsOpenInstead(t *testing.T) {
	samples := samplesOf(smallBook())
	for _, c := range []struct {
		link Ref
		want string
	}{
		{Ref{Kind: "project", ID: "pnope"}, `The link leads to the own book "pnope", which is not in this browser. "Postext guide" is open instead.`},
		{Ref{Kind: "sample", ID: "nope", Language: "fr"}, `The link leads to the sample book "nope", which is not on this site. "Postext guide" is open instead.`},
	} {
		l := &Library{Store: store.NewMemory(), Samples: samples, Language: "en"}
		s := New(Options{Typesetter: &plainTypesetter{}, Library: l, SaveAfter: time.Hour})
		t.Cleanup(func() { s.Close(context.Background()) })
		if err := s.Start(t.Context(), c.link); err != nil {
			t.Fatal(err)
		}
		if st := s.State(); st.Notice != c.want || st.Book.ID != BuiltIn {
			t.Errorf("at the start: %q, %s is open", st.Notice, st.Book.ID)
		}
		good(t, s, "sandbox_answer", `{"dismissNotice":true}`)
		opening := s.State().Opening
		if found, err := s.Follow(t.Context(), c.link); found || err != nil {
			t.Fatal(found, err)
		}
		if st := s.State(); st.Notice != c.want || st.Opening != opening || !st.Ready {
			t.Errorf("while a book is open: %q, opening %d after %d", st.Notice, st.Opening, opening)
		}
		if found, err := s.Follow(t.Context(), Ref{Kind: "sample", ID: "poems"}); !found || err != nil {
			t.Fatal(found, err)
		}
		if st := s.State(); st.Notice != "" || st.Book.ID != "poems" {
			t.Errorf("another book: %q, %s is open", st.Notice, st.Book.ID)
		}
		// The site cannot be asked: nobody says that the book is not there.
		samples.gone.Store(true)
		if found, _ := s.Follow(t.Context(), Ref{Kind: "sample", ID: "nope"}); found || !strings.HasPrefix(s.State().Notice, "The book that the link leads to could not be opened: ") {
			t.Errorf("without the site: %q", s.State().Notice)
		}
		samples.gone.Store(false)
	}
}

// A sample whose every change was taken back counts as published again: nothing of it
// is kept, and the shelf does not call it edited.
func TestASampleIsNotEditedOnceEverythingIsTakenBack(t *testing.T) {
	b := smallBook()
	b.Resources = []*book.Resource{{ID: "dots", TypeID: "table", Kind: "table", Caption: "Dots", Table: &book.Table{Rows: [][]book.Cell{{{Content: "a"}, {Content: "b"}}}}}}
	m := store.NewMemory()
	s, l := visit(t, m, samplesOf(b), nil)
	edited := func() bool {
		t.Helper()
		save(t, s)
		list := good(t, s, "sandbox_list_books", `{}`)
		row := within(t, list, "samples", 0, "edited").(bool)
		keys, err := l.Store.Keys(t.Context(), store.Drafts)
		if err != nil || row != s.State().Book.Edited || row != (len(keys) > 0) {
			t.Errorf("the shelf says %v, the state %v, kept are %v (%v)", row, s.State().Book.Edited, keys, err)
		}
		return row
	}
	for _, c := range []struct{ tool, there, back string }{
		{"sandbox_edit_text", `{"chapter":1,"edits":[{"find":"first","replace":"last"}]}`, `{"chapter":1,"edits":[{"find":"last","replace":"first"}]}`},
		{"sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"9pt"}]}`, `{"changes":[{"path":"bodyText.fontSize","value":null}]}`},
		{"sandbox_save_resource", `{"id":"dots","caption":"More dots"}`, `{"id":"dots","caption":"Dots"}`},
		{"sandbox_save_resource", `{"id":"dots","tableEdits":[{"action":"insert_row","row":1}]}`, `{"id":"dots","tableEdits":[{"action":"delete_row","row":1}]}`},
		{"sandbox_manage_chapters", `{"action":"rename","chapter":1,"title":"Other"}`, `{"action":"rename","chapter":1,"title":"` + b.Chapters[0].Title + `"}`},
		{"sandbox_manage_chapters", `{"action":"move","chapter":1,"position":2}`, `{"action":"move","chapter":1,"position":2}`},
	} {
		good(t, s, c.tool, c.there)
		if !edited() {
			t.Errorf("%s: not edited", c.there)
		}
		good(t, s, c.tool, c.back)
		if edited() {
			t.Errorf("%s: edited still", c.back)
		}
	}
}
