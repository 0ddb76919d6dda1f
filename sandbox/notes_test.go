package sandbox

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"postext/book"
	"postext/sandbox/store"
)

// An answer says where the engine uses something else than was set (tools.md 5,
// sandbox_set_config: notes).
func TestNotesTellWhatCameOutOtherwise(t *testing.T) {
	b := &book.Book{Name: "Notes", Language: "en", Chapters: []*book.Chapter{{ID: "a", Title: "One", Markdown: "---\ntitle: Notes\n---\n# One\n\nWords.\n"}}}
	s := typeset(t, b, nil)
	for _, c := range []struct{ changes, path, note string }{
		{`[{"path":"citations.style","value":"custom"},{"path":"citations.customStyle","value":"<style>"}]`, "citations.", "customStyle cannot be read"},
		{`[{"path":"citations.style","value":"custom"},{"path":"citations.customStyle","value":null}]`, "citations.style", "no style in citations.customStyle"},
		{`[{"path":"citations.style","value":"nobody-knows"}]`, "citations.style", "is not there"},
		{`[{"path":"citations.style","value":null}]`, "", ""},
		{`[{"path":"bodyText.fontFamily","value":"Open Sans, serif"}]`, "", ""}, // the first family is what is stored
		{`[{"path":"header","value":{"elements":[{"id":"a","kind":"text","content":"{author}"}]}}]`, "", ""},
	} {
		for _, dry := range []string{"true", "false"} {
			m, text := call(t, s, "sandbox_set_config", `{"changes":`+c.changes+`,"dryRun":`+dry+`}`)
			if m["ok"] != true {
				t.Errorf("%s: %s", c.changes, text)
				continue
			}
			notes, _ := json.Marshal(m["notes"])
			if c.note != "" && (!strings.Contains(string(notes), c.note) || !strings.Contains(string(notes), c.path)) {
				t.Errorf("%s (dry run %s): notes %s, want %q", c.changes, dry, notes, c.note)
			}
			if c.note == "" && c.changes[len(c.changes)-7:] == `:null}]` && m["notes"] != nil {
				t.Errorf("%s: notes %s", c.changes, notes)
			}
		}
	}
}

// A freshly opened book is saved, and says so, also while the reader's place is not
// kept yet; a change is not until it is kept (tools.md 2: saved).
func TestAFreshlyOpenedBookIsSaved(t *testing.T) {
	s, _ := visit(t, store.NewMemory(), samplesOf(fixture(t)), nil)
	state := func() (saved, view any) {
		m := good(t, s, "sandbox_get_state", `{}`)
		return m["saved"], m["viewUnsaved"]
	}
	if saved, view := state(); saved != true || view != nil {
		t.Errorf("just opened: saved %v, view unsaved %v", saved, view)
	}
	s.SetView(func(v *View) { v.Panel, v.Fit = "text", "height" })
	if saved, view := state(); saved != true || view != true {
		t.Errorf("the view was changed: saved %v, view unsaved %v", saved, view)
	}
	good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"# Changed"}`)
	if saved, view := state(); saved != false || view != nil {
		t.Errorf("the text was changed: saved %v, view unsaved %v", saved, view)
	}
	if err := s.Save(context.Background()); err != nil {
		t.Fatal(err)
	}
	if saved, view := state(); saved != true || view != nil {
		t.Errorf("saved: saved %v, view unsaved %v", saved, view)
	}
}
