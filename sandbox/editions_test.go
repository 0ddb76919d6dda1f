package sandbox

import (
	"errors"
	"strings"
	"testing"

	"postext/sandbox/store"
)

// A resource that gets another id gets it in the reader's drafts of the same sample in
// other languages too, with the places that name it; sent back, all is as it was.
func TestANewIDReachesTheDraftsInOtherLanguages(t *testing.T) {
	m := store.NewMemory()
	s, l := visit(t, m, samplesOf(smallBook()), nil)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"es"}`)
	good(t, s, "sandbox_write_text", `{"markdown":"Un verso, :ref{id=\"fig\"} y otra vez :ref{id=\"fig\"}.\n\n::resource{id=\"fig\"}\n"}`)
	good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"en"}`)
	good(t, s, "sandbox_write_text", `{"markdown":"A line, :ref{id=\"fig\"}.\n"}`)
	open := s.openRef()

	a := good(t, s, "sandbox_save_resource", `{"id":"fig","newId":"harbour"}`)
	if a["references"] != 1.0 || within(t, a, "elsewhere", 0, "language") != "es" || within(t, a, "elsewhere", 0, "references") != 3.0 || a["notes"] != nil {
		t.Errorf("answer %v", a)
	}
	if last, _, err := l.Last(t.Context()); err != nil || last != open {
		t.Errorf("the book to open next time is %v (%v)", last, err)
	}
	text := func(language string) string {
		t.Helper()
		good(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"`+language+`"}`)
		return textOf(t, s, 1)
	}
	if got := text("es"); strings.Count(got, `"harbour"`) != 3 || strings.Contains(got, `"fig"`) {
		t.Errorf("in Spanish: %q", got)
	}
	if row := good(t, s, "sandbox_list_resources", `{"id":"harbour"}`); row["ok"] != true {
		t.Errorf("the resource in Spanish: %v", row)
	}
	text("en")
	good(t, s, "sandbox_save_resource", `{"id":"harbour","newId":"fig"}`)
	if got := text("es"); strings.Count(got, `"fig"`) != 3 {
		t.Errorf("sent back: %q", got)
	}

	// A draft that another window has open keeps the old id, and the answer says so.
	text("en")
	other, _ := visit(t, m.Again(), samplesOf(smallBook()), nil)
	good(t, other, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"es"}`)
	a = good(t, s, "sandbox_save_resource", `{"id":"fig","newId":"quay"}`)
	if a["elsewhere"] != nil || !strings.Contains(within(t, a, "notes", 0).(string), "open in another window") {
		t.Errorf("with another window: %v", a)
	}
}

// A sample whose files are wrong says what is wrong with them.
func TestASampleThatCannotBeReadSaysWhy(t *testing.T) {
	samples := samplesOf(smallBook())
	samples.fails = map[string]error{"poems": errors.New(`postext-config.json: "type" must be "postext-config"`)}
	s, _ := visit(t, store.NewMemory(), samples, nil)
	refused(t, s, "sandbox_open_book", `{"kind":"sample","id":"poems","language":"es"}`, `"type" must be "postext-config"`)
	if st := good(t, s, "sandbox_get_state", `{}`); within(t, st, "book", "id") == "poems" {
		t.Errorf("open is %v", st["book"])
	}
}
