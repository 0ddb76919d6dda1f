package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// long is a book of chapters with contents, a part, notes and numbering of its own.
func long(t *testing.T, chapters int, config string) *book.Book {
	t.Helper()
	b := &book.Book{Kind: "project", ID: "long", Name: "Long", Language: "en", Config: json.RawMessage(config)}
	for i := range chapters {
		text := fmt.Sprintf("# Chapter of things %d\n\n", i+1)
		switch i {
		case 0:
			text = "---\ntitle: Long\n---\n\n# Contents\n\n:::toc\n:::\n\n"
		case 2:
			text = ":::part{title=\"One\"}\n:::\n\n" + text
		case 4:
			text = ":::numbering{startAt=50}\n\n" + text
		}
		text += strings.Repeat("The lamp, the ledger and the letter lay where the rain had left them, and nobody in the house would say whose hands had moved them there.[^a]\n\n", 30+7*(i%4)) + "[^a]: A note.\n"
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprintf("c%d", i+1), Title: fmt.Sprintf("C%d", i+1), Markdown: text})
	}
	return b
}

// stored sends records through their JSON, as a visit does.
func stored(t *testing.T, r *Records) *Records {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	again := new(Records)
	if err := json.Unmarshal(data, again); err != nil {
		t.Fatal(err)
	}
	return again
}

// sandbox.md 4.2: page counts and numbers come from stored records; the chapter a
// reader looks at is laid out first and is then as it would have been in its turn.
func TestRecordsTellThePagesAndLetAChapterComeFirst(t *testing.T) {
	b := long(t, 9, `{"headings":{"levels":[{"level":1,"breakBefore":{"enabled":true,"parity":"odd"}}]}}`)
	first, err := New(fonttest.World(t)).Typeset(t.Context(), b, Observer{})
	if err != nil {
		t.Fatal(err)
	}
	ts := New(fonttest.World(t))
	var known []KnownPages
	var order []string
	var early *frame.Chapter
	again, err := ts.Typeset(t.Context(), b, Observer{Records: stored(t, first.Records), Wanted: 6,
		Known:   func(k []KnownPages) { known = k; order = append(order, "known") },
		Early:   func(i int, c *frame.Chapter) { early = c; order = append(order, fmt.Sprint("early ", i)) },
		Chapter: func(i, _ int, _ *frame.Chapter, _ bool) { order = append(order, fmt.Sprint(i)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(known) != 9 || !slices.Equal(order[:3], []string{"known", "early 6", "0"}) {
		t.Fatalf("%d known; %q", len(known), order)
	}
	for i, c := range again.Frames.Chapters {
		if k := known[i]; k.Pages != len(c.Pages) || k.First != c.Pages[0].Label || k.Last != c.Pages[len(c.Pages)-1].Label {
			t.Errorf("chapter %d: known %d pages, %s to %s; it has %d, %s to %s", i, k.Pages, k.First, k.Last, len(c.Pages), c.Pages[0].Label, c.Pages[len(c.Pages)-1].Label)
		}
	}
	if early != again.Frames.Chapters[6] {
		t.Error("the chapter laid out first was laid out again")
	}
	if c := ts.Counters(); c.ChaptersPlaced != 9 {
		t.Errorf("%d chapters placed, want 9: the contents knew their page numbers", c.ChaptersPlaced)
	}
	if frame.Hash(first.Frames) != frame.Hash(again.Frames) {
		t.Error("records changed the pages")
	}
}

// A record holds where page numbers moved but side and format did not, and no
// longer after another text, setting, side or format.
func TestRecordsHoldAsLongAsTheirChapterContinuesTheSame(t *testing.T) {
	config := `{"headings":{"levels":[{"level":1,"breakBefore":{"enabled":true,"parity":"odd"}}]}}`
	b := long(t, 4, config)
	whole, err := New(fonttest.World(t)).Typeset(t.Context(), b, Observer{})
	if err != nil {
		t.Fatal(err)
	}
	known := func(b *book.Book, r *Records) (list []KnownPages) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := New(fonttest.World(t)).Typeset(ctx, b, Observer{Records: r, Known: func(k []KnownPages) { list = k; cancel() }})
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		cancel()
		return list
	}
	if n := len(known(b, whole.Records)); n != 4 {
		t.Errorf("unchanged: %d known", n)
	}
	moved, err := b.WithConfig([]byte(`{"page":{"pageNumbering":{"startAt":11}},"headings":{"levels":[{"level":1,"breakBefore":{"enabled":true,"parity":"odd"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(known(moved, whole.Records)); n != 0 {
		t.Errorf("another setting: %d known", n)
	}
	// The same records under the other setting: numbers follow.
	r := stored(t, whole.Records)
	r.Config = (&Typesetter{}).configKey(moved)
	laid, err := New(fonttest.World(t)).Typeset(t.Context(), moved, Observer{})
	if err != nil {
		t.Fatal(err)
	}
	shifted := known(moved, r)
	if len(shifted) != 4 {
		t.Errorf("other numbers: %d known", len(shifted))
	}
	for i, k := range shifted {
		pages := laid.Frames.Chapters[i].Pages
		if k.First != pages[0].Label || k.Last != pages[len(pages)-1].Label {
			t.Errorf("chapter %d: known %s to %s, is %s to %s", i, k.First, k.Last, pages[0].Label, pages[len(pages)-1].Label)
		}
	}
	if n := len(known(b.WithText(2, b.Chapters[2].Markdown+"\n\nMore."), whole.Records)); n != 2 {
		t.Errorf("the third chapter changed: %d known", n)
	}
	r = stored(t, whole.Records)
	r.Chapters["c2"].Pages++ // the third chapter would begin on the other side
	if n := len(known(b, r)); n != 2 {
		t.Errorf("another side: %d known", n)
	}
	for _, bad := range []string{`{}`, `{"version":1}`, `{"version":1,"chapters":{"c1":null}}`, `{"version":2}`} {
		r := new(Records)
		if err := json.Unmarshal([]byte(bad), r); err != nil {
			t.Fatal(err)
		}
		r.Config, r.Resources = whole.Records.Config, whole.Records.Resources
		if n := len(known(b, r)); n != 0 {
			t.Errorf("%s: %d known", bad, n)
		}
	}
}
