package sandbox

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"postext/engine"
	"postext/engine/font/catalogue"
	"postext/engine/font/fonttest"
)

// away is a world of which one family is out of reach for a while.
type away struct {
	fonttest.Source
	family string
	back   atomic.Bool
	asked  atomic.Int64
}

func (w *away) Font(ctx context.Context, family string, weight int, italic bool) (engine.FontFile, error) {
	if family == w.family {
		if w.asked.Add(1); !w.back.Load() {
			return engine.FontFile{}, errors.New("the server does not answer")
		}
	}
	return w.Source.Font(ctx, family, weight, italic)
}

// A family that could not be had takes its place on the pages by itself once it can:
// nobody has to change anything.
func TestAFamilyComesBackByItself(t *testing.T) {
	w := &away{Source: fonttest.World(t), family: "Open Sans"}
	s := opened(t, fixture(t), func(o *Options) { o.Typesetter = engine.New(w) })
	l, err := s.Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l.Stands["Open Sans"] != "EB Garamond" {
		t.Fatalf("%v", l.Stands)
	}
	asked := w.asked.Load()
	s.Online()
	for end := time.Now().Add(time.Minute); w.asked.Load() == asked; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing was asked for")
		}
	}
	if again, err := s.Layout(t.Context()); err != nil || again.Frames != l.Frames {
		t.Errorf("the pages were laid out again though nothing has come back: %v", err)
	}
	w.back.Store(true)
	s.Online()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		now, err := s.Layout(t.Context())
		if err != nil || now.Revision != l.Revision {
			t.Fatalf("revision %d, %v", now.Revision, err)
		}
		if len(now.Stands) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the family is still stood in for")
		}
	}
	// And a family that there is not is not asked for again and again.
	good(t, s, "sandbox_set_config", `{"replace":{"bodyText":{"fontFamily":"Nowhere Sans"}}}`)
	if l, err = s.Layout(t.Context()); err != nil || l.Stands["Nowhere Sans"] == "" || l.Again != nil {
		t.Errorf("%v, %v, asked again: %v", err, l.Stands, l.Again != nil)
	}
}

// tools.md 5: of a family that has to be fetched an answer that does not wait for the
// pages says so, and of one whose files are not here what stands in.
func TestAnAnswerThatDoesNotWaitTellsOfFamilies(t *testing.T) {
	s := typeset(t, fixture(t), func(o *Options) {
		withCatalogue(o)
		o.Catalogued = func(f *catalogue.Family) bool { return f.Family == "Lora" }
	})
	for family, want := range map[string]string{"Lora": `the family "Lora"`, "Cormorant Garamond": `"EB Garamond" stands in for it`} {
		m := good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"`+family+`"}],"wait":false}`)
		notes, _ := m["notes"].([]any)
		if len(notes) != 1 || within(t, notes[0], "path") != "bodyText.fontFamily" || !strings.Contains(within(t, notes[0], "note").(string), want) {
			t.Errorf("%s: %v", family, m["notes"])
		}
	}
	if m := good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"Open Sans"}],"wait":false}`); m["notes"] != nil {
		t.Errorf("of a family that is here: %v", m["notes"])
	}
}
