package check

import (
	"context"
	"encoding/json"
	"testing"

	"postext/book"
	"postext/engine"
	"postext/engine/font/fonttest"
)

// TestBook: parser's, layout's, configuration's and pages' warnings come out,
// the book's first.
func TestBook(t *testing.T) {
	b := &book.Book{Language: "en", Config: json.RawMessage(`{"debug":{"looseLineHighlight":{"threshold":1.2}},"bodyText":{"fontFamily":"No Such Family"}}`),
		Chapters: []*book.Chapter{{ID: "a", Markdown: "Some text, [^x] long enough to be justified over several lines of a column, with incomprehensibilities, characteristically, here and there in between, so that one of the lines is loose.\n\n:::nonsense\n"}}}
	r, err := engine.New(fonttest.World(t)).Typeset(context.Background(), b, engine.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	last := -1
	for _, w := range Book(r) {
		kinds[w.Kind]++
		if w.Chapter < last {
			t.Error("the book's warnings do not come first")
		}
		last = w.Chapter
	}
	for _, k := range []string{"fontFallback", "unknownDirective", "undefinedFootnote", "looseLine"} {
		if kinds[k] == 0 {
			t.Errorf("no %s among %v", k, kinds)
		}
	}
}
