package sandbox

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"postext/book"
)

// manyPages is a book of some three hundred pages in thirty chapters.
func manyPages() *book.Book {
	b := &book.Book{Name: "Three hundred pages", Language: "en"}
	sentence := "The tide clerk counts the boats that come in before the bell, and writes their names in a column of their own. "
	for i := range 30 {
		text := fmt.Sprintf("# Chapter %d\n\n", i+1)
		for k := range 45 {
			text += fmt.Sprintf("%d. %s\n\n", k+1, strings.Repeat(sentence, 8))
		}
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i+1), Title: fmt.Sprint("Chapter ", i+1), Markdown: text})
	}
	return b
}

// progress hears the progress of layouts; when is called at each step, if it is set.
type progress struct {
	mu   sync.Mutex
	done []int
	of   int
	when func(done, of int)
}

func (p *progress) hear(done, of int) {
	p.mu.Lock()
	p.done, p.of = append(p.done, done), of
	f := p.when
	p.mu.Unlock()
	if f != nil {
		f(done, of)
	}
}

func (p *progress) begin(f func(done, of int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.when = nil, f
}

func (p *progress) heard() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]int(nil), p.done...)
}

// A change of the body's size in a book of 300 pages tells how far its pages are, and
// is broken off by its caller at any moment: before the change is made nothing is
// changed, afterwards only the waiting ends. The revision tells which, and the next
// call works (tools.md 1, Waiting and Revision).
func TestALongChangeTellsItsProgressAndIsBrokenOff(t *testing.T) {
	const larger = `{"changes":[{"path":"bodyText.fontSize","value":"11pt"}]}`
	heard := &progress{}
	s := typeset(t, manyPages(), func(o *Options) { o.Listener.Progress = heard.hear })

	// While the pages there were are waited for.
	ctx, cancel := context.WithCancel(t.Context())
	heard.begin(func(done, _ int) {
		if done == 3 {
			cancel()
		}
	})
	if m, text := callContext(t, ctx, s, "sandbox_set_config", larger); m["ok"] != false || !strings.Contains(text, "cancelled") {
		t.Errorf("broken off before the change: %s", text)
	}
	heard.begin(nil)
	if st := good(t, s, "sandbox_get_state", `{}`); st["revision"] != 1.0 {
		t.Errorf("broken off before the change, and the revision is %v", st["revision"])
	}
	if m := good(t, s, "sandbox_get_config", `{"path":"bodyText.fontSize"}`); m["set"] != nil {
		t.Errorf("broken off before the change, and %v is stored", m["set"])
	}
	before := good(t, s, "sandbox_inspect_pages", `{"chapter":30}`)
	pages := *s.State().Pages
	if pages < 280 || before["revision"] != 1.0 {
		t.Fatalf("%d pages at revision %v", pages, before["revision"])
	}

	// While the new pages are laid out.
	ctx, cancel = context.WithCancel(t.Context())
	heard.begin(func(done, _ int) {
		if done == 5 {
			cancel()
		}
	})
	m, text := callContext(t, ctx, s, "sandbox_set_config", larger)
	if m["ok"] != true || m["pending"] != true || m["revision"] != 2.0 || m["pagesAfter"] != nil {
		t.Errorf("broken off after the change: %s", text)
	}
	heard.begin(nil)
	after := good(t, s, "sandbox_inspect_pages", `{"chapter":30}`)
	if after["revision"] != 2.0 || after["chapterPages"].(float64) <= before["chapterPages"].(float64) {
		t.Errorf("the call after it sees %v pages at revision %v", after["chapterPages"], after["revision"])
	}

	// To the end: every chapter is heard of, in order.
	heard.begin(nil)
	m = good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":null}]}`)
	if m["pagesAfter"] != float64(pages) || m["revision"] != 3.0 {
		t.Errorf("taken back: %v pages at revision %v", m["pagesAfter"], m["revision"])
	}
	done := heard.heard()
	if len(done) < 2 || done[len(done)-1] != 30 || heard.of != 30 {
		t.Fatalf("the progress heard of is %v of %d", done, heard.of)
	}
	for i := 1; i < len(done); i++ {
		if done[i] <= done[i-1] {
			t.Errorf("the progress heard of is %v", done)
			break
		}
	}
}
