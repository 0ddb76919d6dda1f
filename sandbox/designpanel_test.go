package sandbox

import (
	"encoding/json"
	"testing"
)

// sandbox.md 8: what is changed in a book is told from the design it came with, or the
// one it was given.
func TestTheDesignPanelTellsChangesFromTheFirstDesign(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	at := func(taken string) (changed int, was string) {
		t.Helper()
		d, err := s.Design(t.Context(), DesignQuestion{Paths: []string{"bodyText.fontSize"}, Taken: json.RawMessage(taken)})
		if err != nil || len(d.Fields) != 1 {
			t.Fatalf("%v, %v", d, err)
		}
		return d.Fields[0].Changed, string(d.Fields[0].WasEffective)
	}
	if n, _ := at(""); n != 0 {
		t.Error("the size is changed in a book as it came")
	}
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"13pt"}]}`)
	if n, was := at(""); n != 1 || was != `{"value":8,"unit":"pt"}` {
		t.Errorf("changed %d, it was %s", n, was)
	}
	if n, was := at(`{"bodyText":{"fontSize":{"value":13,"unit":"pt"}}}`); n != 0 {
		t.Errorf("against the design it was given %d, %s", n, was)
	}
	d, err := s.Design(t.Context(), DesignQuestion{Changed: true})
	if err != nil || len(d.Changed) != 1 || d.Changed[0].Section != "Body text" || len(d.Changed[0].Fields) != 1 {
		t.Errorf("%+v, %v", d.Changed, err)
	}
	if _, err := s.Design(t.Context(), DesignQuestion{Path: "nowhere.at.all"}); err == nil {
		t.Error("a path that is none is answered")
	}
}
