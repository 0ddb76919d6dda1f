package sandbox

import (
	"context"
	"errors"
	"testing"
	"time"

	"postext/book"
	"postext/sandbox/store"
)

// Where the program may be ended at any moment a change is in storage before its call
// is answered, and typing does not put off the saving of one that was.
func TestAnAnsweredChangeIsInStorage(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, func(o *Options) { o.SaveAnswered = true })
	for _, args := range []string{`{"markdown":"# One"}`, `{"markdown":"# Two","wait":false}`} {
		if a := good(t, s, "sandbox_write_text", args); a["saved"] != true || !s.State().Saved {
			t.Errorf("%s: answered %v, saved: %v", args, a["saved"], s.State().Saved)
		}
	}
	leave(s)
	again, _ := visit(t, m.Again(), samples, nil)
	if text := textOf(t, again, 1); text != "# Two" {
		t.Errorf("the next visit: %q", text)
	}
	if a := good(t, again, "sandbox_write_text", `{"markdown":"# Three"}`); a["saved"] != nil {
		t.Errorf("saved is told where it is not waited for: %v", a["saved"])
	}
}

// full is a keeper that has no room.
type full struct{}

func (full) Keep(context.Context, Kept, func() error) error { return errors.New("no room") }

func TestAnAnsweredChangeThatIsNotInStorageSaysSo(t *testing.T) {
	s := opened(t, smallBook(), func(o *Options) { o.SaveAnswered, o.Keeper = true, full{} })
	if a := good(t, s, "sandbox_write_text", `{"markdown":"# One"}`); a["saved"] != false || s.State().Notice == "" {
		t.Errorf("answered %v, notice %q", a["saved"], s.State().Notice)
	}
	s.mu.Lock()
	s.keeper = nil // nothing to keep at the end of the test
	s.mu.Unlock()
}

// counting is a keeper that tells when it was called.
type counting struct{ kept chan *book.Book }

func (c counting) Keep(_ context.Context, k Kept, _ func() error) error {
	c.kept <- k.Book
	return nil
}

func TestTypingDoesNotPutOffTheSavingOfAnAnsweredChange(t *testing.T) {
	c := counting{make(chan *book.Book, 10)}
	s := opened(t, smallBook(), func(o *Options) { o.SaveAfter, o.Keeper = time.Hour, c })
	id := s.cur.book.Chapters[0].ID
	good(t, s, "sandbox_write_text", `{"markdown":"answered"}`)
	s.mu.Lock()
	first := s.save.timer
	s.mu.Unlock()
	if _, err := s.Type(t.Context(), Typed{Chapter: id, Changes: []TypedChange{{Insert: "typed and "}}}); err != nil {
		t.Fatal(err)
	}
	s.SetView(func(v *View) { v.Zoom = 2 })
	s.mu.Lock()
	same := s.save.timer == first
	s.mu.Unlock()
	if !same {
		t.Error("the save of the answered change was put off")
	}
	save(t, s)
	if b := <-c.kept; b.Chapters[0].Markdown != "typed and answered" {
		t.Errorf("kept %q", b.Chapters[0].Markdown)
	}
	if _, err := s.Type(t.Context(), Typed{Chapter: id, Changes: []TypedChange{{Insert: "x"}}}); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	same = s.save.timer == first
	s.mu.Unlock()
	if same {
		t.Error("what is typed after a save has none of its own")
	}
}

// A record tells, in revisions of its visit, when tools and the person last changed
// each chapter: a window that goes notes down what was typed and compares.
func TestARecordTellsWhoLastChangedAChapter(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	s, _ := visit(t, m, samples, nil)
	id := s.cur.book.Chapters[0].ID
	tool := int64(good(t, s, "sandbox_write_text", `{"markdown":"text"}`)["revision"].(float64))
	typed, err := s.Type(t.Context(), Typed{Chapter: id, Changes: []TypedChange{{Insert: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	visited, before := s.Visit(id)
	if before != (Left{}) {
		t.Errorf("before anything was kept: %+v", before)
	}
	save(t, s)
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	now, left := s.Visit(id)
	if want := (Left{visited, TextAt{tool, typed}}); left != want || now == visited || now == "" {
		t.Errorf("%+v, want %+v; this visit is %q", left, want, now)
	}
	// A chapter that this visit leaves alone was changed by nobody in it.
	other := s.cur.book.Chapters[1].ID
	good(t, s, "sandbox_write_text", `{"chapter":2,"markdown":"text"}`)
	save(t, s)
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	if _, left := s.Visit(id); left.TextAt != (TextAt{}) || left.Visit != now {
		t.Errorf("left alone: %+v", left)
	}
	if _, left := s.Visit(other); left.Tool == 0 {
		t.Errorf("changed: %+v", left)
	}
}
