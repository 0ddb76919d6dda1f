package sandbox

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"postext/book"
	"postext/engine"
	"postext/engine/font/fonttest"
	"postext/sandbox/store"
)

// sandbox.md 10.3, item by item: what survives a reload and what does not.
func TestWhatAReloadKeepsAndWhatItForgets(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(chaptered(3))
	set := func(o *Options) {
		o.Build = "one"
		o.Typesetter = engine.New(fonttest.World(t))
	}
	s, _ := visit(t, m, samples, set)
	good(t, s, "sandbox_save_book", `{"action":"copy_current","name":"Mine"}`)
	good(t, s, "sandbox_write_text", `{"chapter":3,"markdown":"# Three\n\nChanged.\n"}`)
	good(t, s, "sandbox_manage_chapters", `{"action":"add","title":"Four","markdown":"# Four\n"}`)
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"12.5pt"}]}`)
	good(t, s, "sandbox_save_resource", `{"id":"dot","caption":"A dot","image":{"base64":"`+onePixel+`"}}`)
	good(t, s, "sandbox_save_font", `{"action":"add","family":"Mine","file":{"base64":"`+fontBase64(t, monoWOFF2)+`"}}`)
	good(t, s, "sandbox_save_book", `{"action":"hide_sample","id":"poems"}`)
	good(t, s, "sandbox_set_view", `{"panel":"design","designGroup":"text","scope":"book","chapter":2,"pages":"spread","fit":"none","zoom":1.5,"readerFontScale":1.21,"readerColumns":"single","epubLayout":"fixed","printPreview":true,"guides":{"looseLines":true,"baselineGrid":true,"caret":false,"negative":true}}`)
	good(t, s, "sandbox_go_to_page", `{"chapter":2,"position":2}`)
	if _, err := s.Layout(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.tell("a notice")
	before := s.State()
	if before.Undo == nil || before.Undo.Undo == 0 || before.Notice == "" {
		t.Fatalf("nothing to forget: %+v, %q", before.Undo, before.Notice)
	}
	kept, _, err := s.Book(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	save(t, s)
	if err := s.keepLayouts(t.Context(), s.opened); err != nil {
		t.Fatal(err)
	}
	leave(s)

	gate := make(chan struct{})
	s, l := visit(t, m.Again(), samples, func(o *Options) {
		set(o)
		o.Typesetter = &gated{engine.New(fonttest.World(t)), gate}
	})
	known, _, err := s.chapterFrames(t.Context(), s.View().Chapter)
	if err != nil {
		t.Fatal(err)
	}
	after := s.State()
	again, _, err := s.Book(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := l.hidden(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	view := func(f func(v *StateView) any) (x, y any) { return f(before.View), f(after.View) }
	for _, item := range []struct {
		name string
		is   func() (want, got any)
	}{
		{"the open book", func() (any, any) { return before.Book.ID, after.Book.ID }},
		{"every edit", func() (any, any) { return "", alike(t, kept, again) }},
		{"the revision, which tells whether a change is in", func() (any, any) { return before.Revision, after.Revision }},
		{"fonts", func() (any, any) { return len(kept.Fonts), len(again.Fonts) }},
		{"active chapter", func() (any, any) { return view(func(v *StateView) any { return v.Chapter }) }},
		{"scope", func() (any, any) { return view(func(v *StateView) any { return v.Scope }) }},
		{"viewer", func() (any, any) { return view(func(v *StateView) any { return v.Viewer }) }},
		{"panel", func() (any, any) { return view(func(v *StateView) any { return v.Panel }) }},
		{"zoom", func() (any, any) { return view(func(v *StateView) any { return v.Zoom }) }},
		{"fit", func() (any, any) { return view(func(v *StateView) any { return v.Fit }) }},
		{"page layout mode", func() (any, any) { return view(func(v *StateView) any { return v.Pages }) }},
		{"font scale", func() (any, any) { return view(func(v *StateView) any { return v.ReaderFontScale }) }},
		{"column mode", func() (any, any) { return view(func(v *StateView) any { return v.ReaderColumns }) }},
		{"EPUB layout", func() (any, any) { return view(func(v *StateView) any { return v.EPUBLayout }) }},
		{"Design group", func() (any, any) { return view(func(v *StateView) any { return v.DesignGroup }) }},
		{"print preview", func() (any, any) { return view(func(v *StateView) any { return v.PrintPreview }) }},
		{"guides", func() (any, any) { return view(func(v *StateView) any { return v.Guides }) }},
		{"page on screen", func() (any, any) { return view(func(v *StateView) any { return fmt.Sprint(v.Position, v.Page) }) }},
		{"hidden samples", func() (any, any) { return "[poems]", fmt.Sprint(hidden) }},
		{"layout records", func() (any, any) { return *before.Pages, pagesOf(after) }},
		{"they come before the pages", func() (any, any) { return true, len(known.job.chapters) < len(again.Chapters) }},
		{"not: the agent's undo list", func() (any, any) { return true, after.Undo == nil }},
		{"not: notices", func() (any, any) { return "", after.Notice }},
		{"not: the last calls", func() (any, any) { return 0, len(after.Recent) }},
	} {
		if want, got := item.is(); want != got {
			t.Errorf("%s: %v, want %v", item.name, got, want)
		}
	}
	close(gate)
	refused(t, s, "sandbox_undo_text", `{}`, "reload")
}

// pagesOf is the number of pages a state tells, −1 for none.
func pagesOf(s State) int {
	if s.Pages == nil {
		return -1
	}
	return *s.Pages
}

// sandbox.md 10.2, and the storage's rule: a store that is full is told of, the book
// stays as it is, and it is kept as soon as there is room; what was stored before
// stays whole.
func TestAFullStoreLosesNothing(t *testing.T) {
	m := store.NewMemory()
	samples := samplesOf(smallBook())
	full := &refusingStore{Store: m}
	s, _ := visit(t, full, samples, nil)
	good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"kept before"}`)
	save(t, s)
	full.refuses.Store(true)
	good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"not kept yet"}`)
	good(t, s, "sandbox_save_resource", `{"id":"dot","image":{"base64":"`+onePixel+`"}}`)
	refused(t, s, "sandbox_save_book", `{"action":"save_now"}`, "full")
	if st := s.State(); st.Saved || st.Notice == "" {
		t.Errorf("full: saved %v, notice %q", st.Saved, st.Notice)
	}
	refused(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems"}`, "stays open", "full")
	refused(t, s, "sandbox_save_book", `{"action":"copy_current"}`, "full")
	if textOf(t, s, 1) != "not kept yet" {
		t.Error("the change is gone from the open book")
	}
	// Another visit meanwhile finds the state saved before, whole.
	old, err := (&Library{Store: m, Samples: samples, Language: "en"}).Open(t.Context(), Ref{Kind: "sample", ID: BuiltIn, Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if old.Book.Chapters[0].Markdown != "kept before" || len(old.Book.Resources) != 0 {
		t.Errorf("stored is %q with %d resources", old.Book.Chapters[0].Markdown, len(old.Book.Resources))
	}
	old.Release()
	full.refuses.Store(false)
	good(t, s, "sandbox_save_book", `{"action":"save_now"}`)
	if st := s.State(); !st.Saved || st.Notice != "" {
		t.Errorf("with room: saved %v, notice %q", st.Saved, st.Notice)
	}
	leave(s)
	s, _ = visit(t, m.Again(), samples, nil)
	var b *book.Book
	if b, _, err = s.Book(t.Context()); err != nil || b.Chapters[0].Markdown != "not kept yet" || len(b.Resources) != 1 {
		t.Errorf("the next visit finds %q with %d resources (%v)", b.Chapters[0].Markdown, len(b.Resources), err)
	}
}

// refusingStore is a store that is full when told so.
type refusingStore struct {
	store.Store
	refuses atomic.Bool
}

func (r *refusingStore) Commit(ctx context.Context, b store.Batch) error {
	if r.refuses.Load() && len(b.Puts) > 0 {
		return store.ErrQuota
	}
	return r.Store.Commit(ctx, b)
}
