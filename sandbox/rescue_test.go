package sandbox

import (
	"context"
	"errors"
	"strings"
	"testing"

	"postext/book"
	"postext/engine"
	"postext/engine/font/fonttest"
)

// breaking is a world in which every picture makes the layout panic.
type breaking struct{ fonttest.Source }

func (breaking) Picture(context.Context, *book.Resource) ([]byte, error) {
	panic("the picture is bad")
}

// TestPanicOfOneChapterLeavesTheOthersTheirPages: the tools answer, the state, the
// change and the warnings name the chapter, and undoing brings its pages back.
func TestPanicOfOneChapterLeavesTheOthersTheirPages(t *testing.T) {
	b := smallBook()
	b.Resources = []*book.Resource{{ID: "bad", Kind: "bitmap", Name: "bad.png"}}
	told := 0
	s := opened(t, b, func(o *Options) {
		o.Typesetter = engine.New(breaking{fonttest.World(t)})
		o.Listener.Bug = func(error, []byte) { told++ }
	})
	m := good(t, s, "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"first","replace":"first ![](bad)"}]}`)
	const want = "this chapter could not be laid out (internal error "
	if text, _ := m["layoutError"].(string); !strings.Contains(text, "chapter 1") || !strings.Contains(text, want) || m["pagesAfter"] == nil || m["newWarnings"].(map[string]any)["typesetting"] != 1.0 {
		t.Errorf("the change says %v", m)
	}
	if st := s.State(); st.Pages == nil || !strings.Contains(st.LayoutError, want) || told != 1 {
		t.Errorf("the state says %q, pages %v, told %d times", st.LayoutError, st.Pages, told)
	}
	good(t, s, "sandbox_inspect_pages", `{"chapter":2}`)
	if _, text := call(t, s, "sandbox_inspect_pages", `{"chapter":1}`); !strings.Contains(text, `"blank":true`) || !strings.Contains(text, `"warnings":1`) {
		t.Errorf("the page that stands in is %s", text)
	}
	good(t, s, "sandbox_undo_text", `{}`)
	if st := s.State(); st.LayoutError != "" || st.Pages == nil {
		t.Errorf("after undoing: %q", st.LayoutError)
	}
}

// TestNoFontIsSaidInWords: pages that cannot be set for want of any font are refused
// with the cause.
func TestNoFontIsSaidInWords(t *testing.T) {
	s := opened(t, smallBook(), func(o *Options) {
		o.Typesetter = &plainTypesetter{fail: func(*book.Book) error { return &engine.NoFont{Cause: errors.New("the server does not answer")} }}
	})
	refused(t, s, "sandbox_render_page", `{}`, "no font can be had", "the server does not answer")
}
