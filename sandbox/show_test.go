package sandbox

import (
	"context"
	"testing"

	"postext/engine"
	"postext/engine/font/fonttest"
)

// tools.md 1: showing a chapter waits for the pages like every other action, and
// answers pending only when it was told not to.
func TestShowingAChapterWaitsForThePages(t *testing.T) {
	for _, wait := range []string{"true", "false"} {
		s := New(Options{Typesetter: engine.New(fonttest.World(t))})
		t.Cleanup(func() {
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		if err := s.Open(fixture(t), nil, nil); err != nil {
			t.Fatal(err)
		}
		m := good(t, s, "sandbox_manage_chapters", `{"action":"show","chapter":2,"wait":`+wait+`}`)
		if wait == "true" && (m["pending"] != nil || m["pagesAfter"] == nil || m["page"] == nil) {
			t.Errorf("wait: %v", m)
		}
		if st := s.State(); st.View.Chapter != 2 {
			t.Errorf("%+v", st.View)
		}
	}
}
