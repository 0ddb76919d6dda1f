package sandbox

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"postext/engine"
	"postext/engine/font/fonttest"
	"postext/sandbox/store"
)

// fontless is a world whose fonts may be out of reach.
type fontless struct {
	fonttest.Source
	down atomic.Bool
}

func (w *fontless) Font(ctx context.Context, family string, weight int, italic bool) (engine.FontFile, error) {
	if w.down.Load() {
		return engine.FontFile{}, errors.New("the server does not answer")
	}
	return w.Source.Font(ctx, family, weight, italic)
}

// Without any font there are no pages; a call that reads tries again, and so does the
// session by itself.
func TestPagesComeOnceAFontCanBeHad(t *testing.T) {
	w := &fontless{Source: fonttest.World(t)}
	w.down.Store(true)
	visit := func() *Session {
		return opened(t, fixture(t), func(o *Options) { o.Typesetter = engine.New(w) })
	}
	s := visit()
	refused(t, s, "sandbox_render_page", `{"width":64}`, "no font can be had: the server does not answer", "tried again")
	w.down.Store(false)
	before := good(t, s, "sandbox_get_state", `{}`)["revision"]
	good(t, s, "sandbox_render_page", `{"width":64}`)
	if now := good(t, s, "sandbox_get_state", `{}`)["revision"]; now != before {
		t.Errorf("the revision went from %v to %v though nothing was changed", before, now)
	}

	w.down.Store(true)
	s = visit()
	if _, err := s.Layout(t.Context()); err == nil {
		t.Fatal("there are pages without a font")
	}
	w.down.Store(false)
	for end := time.Now().Add(time.Minute); s.State().Pages == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the session did not try again by itself")
		}
	}
}

// late is a store whose locks are given by a browser with much to do.
type late struct{ store.Store }

func (l late) Lock(ctx context.Context, name string, wait bool) (func(), error) {
	select {
	case <-time.After(patience + 100*time.Millisecond):
		return l.Store.Lock(ctx, name, wait)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A lock that is given late is not another window's: the book is opened to be changed,
// and nobody is told of a window that there is not.
func TestALateLockIsNoOtherWindow(t *testing.T) {
	s, _ := visit(t, late{store.NewMemory()}, samplesOf(fixture(t)), nil)
	good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"smallest","replace":"least"}]}`)
	if st := s.State(); st.ReadOnly != "" || strings.Contains(st.Notice, "window") {
		t.Errorf("read only: %q, notice: %q", st.ReadOnly, st.Notice)
	}
}

// What of a text cannot be kept as it was given is told.
func TestWriteTextTellsWhatItDidNotKeep(t *testing.T) {
	s := opened(t, fixture(t), nil)
	m := good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"\ufeff# One\r\n\r\nA\u0000B\n"}`)
	for _, want := range []string{"byte order mark", "LF", "U+FFFD", "once"} {
		if note, _ := m["note"].(string); !strings.Contains(note, want) {
			t.Errorf("the note %q does not tell of %s", note, want)
		}
	}
	if m = good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"# One\n\nPlain.\n"}`); m["note"] != nil {
		t.Errorf("of a plain text: %v", m["note"])
	}
}
