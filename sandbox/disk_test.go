package sandbox

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"postext/book"
	"postext/sandbox/store"
)

func TestASampleIsNotDeniedWhileTheListCannotBeFetched(t *testing.T) {
	samples := samplesOf(smallBook())
	s, _ := visit(t, store.NewMemory(), samples, nil)
	samples.gone.Store(true)
	refused(t, s, "sandbox_open_book", `{"id":"poems","kind":"sample"}`, "the list of samples cannot be fetched (the server does not answer)", "try again")
	samples.gone.Store(false)
	refused(t, s, "sandbox_open_book", `{"id":"prose","kind":"sample"}`, `there is no sample "prose"`, "poems")
}

func TestAFullDiskIsNotTheBrowsersStorage(t *testing.T) {
	err := saveRefusal(&store.FullError{Folder: "/shelf", Cause: errors.New("no space left on device")})
	if err == nil || !strings.Contains(err.Error(), "folder /shelf: no space left on device") || strings.Contains(err.Error(), "browser") {
		t.Error(err)
	}
	if err := saveRefusal(store.ErrQuota); err == nil || !strings.Contains(err.Error(), "browser's storage") {
		t.Error(err)
	}
}

func TestALongHeadingIsCutInAnswers(t *testing.T) {
	long := strings.Repeat("wörd ", 50000)
	b := &book.Book{Name: "Long", Language: "en", Chapters: []*book.Chapter{{ID: "a", Title: strings.TrimSpace(long), Markdown: "# " + long + "\n\nText.\n"}}}
	s := opened(t, b, nil)
	for tool, args := range map[string]string{
		"sandbox_get_state": `{}`, "sandbox_read_text": `{"chapter":1,"fromLine":3}`, "sandbox_search_text": `{"query":"Text."}`,
	} {
		if _, text := call(t, s, tool, args); len(text) > 4000 {
			t.Errorf("%s: %d bytes", tool, len(text))
		}
	}
	m := good(t, s, "sandbox_read_text", `{"chapter":1,"fromLine":3}`)
	if title := m["title"].(string); utf8.RuneCountInString(title) > 201 || !strings.HasSuffix(title, "…") || !strings.HasPrefix(long, strings.TrimSuffix(title, "…")) {
		t.Errorf("%q", title)
	}
	// What the tools themselves take is told whole.
	if whole := strings.Repeat("x", 300); shownTitle(whole) != whole || len(shownTitle(whole+"y")) != 200+len("…") {
		t.Error("300 characters are cut, or 301 are not")
	}
}
