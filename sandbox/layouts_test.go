package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"postext/book"
	"postext/engine"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/sandbox/store"
)

// gated lays out as the typesetter does, but goes on to the second chapter in its
// turn only when told.
type gated struct {
	*engine.Typesetter
	gate chan struct{}
}

func (g *gated) Typeset(ctx context.Context, b *book.Book, o engine.Observer) (*engine.Result, error) {
	tell := o.Chapter
	o.Chapter = func(i, of int, c *frame.Chapter, fresh bool) {
		tell(i, of, c, fresh)
		if i == 0 {
			select {
			case <-g.gate:
			case <-ctx.Done():
			}
		}
	}
	return g.Typesetter.Typeset(ctx, b, o)
}

// chaptered is a book of some pages in each of n chapters.
func chaptered(n int) *book.Book {
	b := &book.Book{Kind: "sample", ID: BuiltIn, Name: "Chaptered", Language: "en"}
	for i := range n {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprintf("c%d", i+1), Title: fmt.Sprintf("C%d", i+1),
			Markdown: fmt.Sprintf("# Chapter %d\n\n", i+1) + strings.Repeat("The lamp and the ledger lay where the rain had left them all night long.\n\n", 60+20*i)})
	}
	return b
}

// sandbox.md 4.2, 10.3: at the next visit the pages are known before they are set,
// and the reader's chapter can be painted before those in front of it.
func TestPagesAreKnownAtTheNextVisit(t *testing.T) {
	st, samples := store.NewMemory(), samplesOf(chaptered(6))
	build := func(name string, gate chan struct{}) func(*Options) {
		return func(o *Options) {
			o.Build = name
			o.Typesetter = &gated{engine.New(fonttest.World(t)), gate}
		}
	}
	open := make(chan struct{})
	close(open)
	s, l := visit(t, st, samples, build("one", open))
	good(t, s, "sandbox_save_book", `{"action":"copy_current"}`)
	laid, err := s.Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	good(t, s, "sandbox_set_view", `{"chapter":5}`)
	save(t, s)
	if err := s.keepLayouts(t.Context(), s.opened); err != nil {
		t.Fatal(err)
	}
	file := good(t, s, "sandbox_export", `{"format":"postext","deliver":"data"}`)["base64"].(string)
	ref := s.openRef()
	leave(s)

	check := func(s *Session, gate chan struct{}) {
		t.Helper()
		snap, c, err := s.chapterFrames(t.Context(), s.View().Chapter)
		if err != nil {
			t.Fatal(err)
		}
		if len(snap.job.chapters) > 1 || len(c.Pages) != len(laid.Frames.Chapters[4].Pages) || c.Pages[0].Label != laid.Frames.Chapters[4].Pages[0].Label {
			t.Errorf("%d chapters are set; the reader's has %d pages from %s", len(snap.job.chapters), len(c.Pages), c.Pages[0].Label)
		}
		state := s.State()
		if state.Pages == nil || *state.Pages != laid.Frames.PageCount() || !state.Setting {
			t.Errorf("pages %v, setting %v; want %d", state.Pages, state.Setting, laid.Frames.PageCount())
		}
		for i, row := range state.Chapters {
			first, last := ends(laid.Frames.Chapters[i])
			if row.Pages == nil || *row.Pages != len(laid.Frames.Chapters[i].Pages) || row.FirstPage != first || row.LastPage != last {
				t.Errorf("chapter %d: %v pages, %s to %s", i+1, row.Pages, row.FirstPage, row.LastPage)
			}
		}
		if list, _, _ := s.PageList(); len(list) != len(c.Pages) {
			t.Errorf("%d pages are listed, want %d", len(list), len(c.Pages))
		}
		close(gate)
		again, err := s.Layout(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if frame.Hash(again.Frames) != frame.Hash(laid.Frames) && s.openRef() == ref {
			t.Error("the pages are others")
		}
		if state := s.State(); state.Setting || state.Pages == nil || *state.Pages != laid.Frames.PageCount() {
			t.Errorf("once set: %v pages, setting %v", state.Pages, state.Setting)
		}
	}
	gate := make(chan struct{})
	s, _ = visit(t, st, samples, build("one", gate))
	check(s, gate)
	leave(s)

	// Another program believes none of it.
	gate = make(chan struct{})
	s, _ = visit(t, st, samples, build("two", gate))
	if _, _, err := s.chapterFrames(t.Context(), s.cur.book.Chapters[0].ID); err != nil {
		t.Fatal(err)
	}
	if state := s.State(); state.Pages != nil || state.Chapters[5].Pages != nil {
		t.Errorf("another program: %v pages", state.Pages)
	}
	close(gate)
	leave(s)

	// They travel in the file (bundle.md 5.2, 7).
	gate = make(chan struct{})
	s, l = visit(t, st, samples, build("one", gate))
	imported := good(t, s, "sandbox_import_book", `{"file":{"base64":"`+file+`"},"wait":false}`)
	s.SetView(func(v *View) { v.Chapter = s.cur.book.Chapters[4].ID })
	s.mu.Lock()
	s.put(s.cur.book) // as a visit that begins at that chapter
	s.mu.Unlock()
	check(s, gate)
	if err := s.keepLayouts(t.Context(), s.opened); err != nil {
		t.Fatal(err)
	}
	// A book that is deleted takes its records along, and strays are swept.
	if err := st.Commit(t.Context(), store.Batch{Puts: []store.Put{{Key: Ref{Kind: "project", ID: "gone"}.layoutsKey(), Data: []byte("{}")}}}); err != nil {
		t.Fatal(err)
	}
	id, _ := imported["imported"].(map[string]any)["id"].(string)
	good(t, s, "sandbox_delete_book", `{"id":"`+id+`"}`)
	if err := l.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	keys, err := st.Keys(t.Context(), store.Layouts)
	if err != nil || len(keys) != 1 || keys[0] != ref.layoutsKey().Name {
		t.Errorf("records left: %q, %v", keys, err)
	}
}

// A damaged record is as none.
func TestDamagedLayoutRecordsAreIgnored(t *testing.T) {
	s := New(Options{Build: "one"})
	defer s.Close(t.Context())
	for _, data := range []string{"", "null", "[]", "{", `{"engine":"two"}`, `{"engine":1}`, strings.Repeat("[", 1<<16)} {
		if s.parseLayouts([]byte(data)) != nil && data != "null" {
			t.Errorf("%.20q is read", data)
		}
	}
	good, err := json.Marshal(engine.Records{Version: 1, Engine: "one"})
	if err != nil {
		t.Fatal(err)
	}
	if s.parseLayouts(good) == nil {
		t.Error("a good one is not")
	}
}

// tools.md 1: the revision grows with every change; a session that takes over
// from one that ended counts on from there.
func TestTheRevisionGoesOn(t *testing.T) {
	s := New(Options{Revision: 41, Typesetter: &plainTypesetter{}})
	defer func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.put(&book.Book{ID: "a"}); s.cur.rev != 42 {
		t.Errorf("the first revision is %d", s.cur.rev)
	}
}
