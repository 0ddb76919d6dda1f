package sandbox

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"postext/book"
	"postext/engine/frame"
)

// rowsFor is a list of n chapters of three pages each.
func rowsFor(n int) (rows []StateChapter) {
	for i := range n {
		pages := 3
		rows = append(rows, StateChapter{Chapter: i + 1, ID: fmt.Sprint("c", i), Title: "T", Words: 10, Pages: &pages})
	}
	return rows
}

// applied makes of the list of before what the window makes of it.
func applied(before []StateChapter, c RowChanges) []StateChapter {
	list := slices.Replace(slices.Clone(before), c.At, c.At+c.Gone, make([]StateChapter, c.Come)...)
	for i := range list {
		list[i].Chapter = i + 1
	}
	for _, r := range c.Rows {
		list[r.Chapter-1] = r
	}
	return list
}

// A long list of chapters goes to the window by its changes, never by others.
func TestChangedRowsAreTheChangesOfAList(t *testing.T) {
	four := 4
	for name, c := range map[string]struct {
		change func([]StateChapter) []StateChapter
		rows   int
	}{
		"nothing": {func(l []StateChapter) []StateChapter { return l }, 0},
		"three rows": {func(l []StateChapter) []StateChapter {
			l[7].Words, l[9].Pages, l[11].OnScreen = 11, &four, true
			return l
		}, 3},
		"one in another's place": {func(l []StateChapter) []StateChapter { l[3].ID = "other"; return l }, 1},
		"one more in the middle": {func(l []StateChapter) []StateChapter {
			return slices.Insert(l, 20, StateChapter{ID: "new"})
		}, 1},
		"one more at the end":  {func(l []StateChapter) []StateChapter { return append(l, StateChapter{ID: "new"}) }, 1},
		"two gone at the head": {func(l []StateChapter) []StateChapter { return l[2:] }, 0},
		"one moved":            {func(l []StateChapter) []StateChapter { return slices.Insert(slices.Delete(l, 5, 6), 9, l[5]) }, 5},
		"gone, and another changed": {func(l []StateChapter) []StateChapter {
			l = slices.Delete(l, 30, 31)
			l[44].Words = 1
			return l
		}, 1},
	} {
		now := c.change(rowsFor(50))
		for i := range now {
			now[i].Chapter = i + 1
		}
		got, ok := ChangedRows(rowsFor(50), now)
		if !ok || len(got.Rows) != c.rows || got.Rows == nil {
			t.Errorf("%s: %v, %d rows", name, ok, len(got.Rows))
		}
		if !reflect.DeepEqual(applied(rowsFor(50), got), now) {
			t.Errorf("%s: the changes do not make the list", name)
		}
	}
	all := rowsFor(50)
	for i := range all {
		all[i].Words = 1
	}
	if _, ok := ChangedRows(rowsFor(50), all); ok {
		t.Error("all changed, and they are sent one by one")
	}
	if _, ok := ChangedRows(rowsFor(5), rowsFor(5)); ok {
		t.Error("a short list")
	}
}

// While pages are being set the window goes on showing those that were there.
func TestChaptersKeepTheirPagesInTheWindowWhileTheyAreSet(t *testing.T) {
	before, now := rowsFor(4), rowsFor(5)
	before[1].FirstPage, before[1].LastPage = "4", "6"
	for i := range now {
		now[i].Pages = nil
	}
	five := 5
	now[0].Pages = &five
	got := StillShown(before, now)
	if *got[0].Pages != 5 || *got[1].Pages != 3 || got[1].LastPage != "6" || got[4].Pages != nil {
		t.Errorf("%+v", got)
	}
	if now[1].Pages != nil {
		t.Error("the list that was given is written to")
	}
}

// Of a list of chapters only what changed is made anew, and what was told stays.
func TestTheListOfChaptersIsMadeAnewOnlyWhereItChanged(t *testing.T) {
	s := &Session{counts: map[string]counted{}}
	b := &book.Book{Language: "en"}
	var laid []*frame.Chapter
	for i := range 4 {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i), Title: "T", Markdown: "two words"})
		laid = append(laid, &frame.Chapter{Pages: []*frame.Page{{Label: fmt.Sprint(i + 1)}}})
	}
	first := s.chapterList(b, "c0", laid, nil)
	if again := s.chapterList(b, "c0", laid, nil); &again[0] != &first[0] {
		t.Error("an unchanged list is another")
	}
	next := b.WithText(2, "and now three").InsertChapter(1, &book.Chapter{ID: "new", Markdown: "one"})
	got := s.chapterList(next, "c0", laid[:1], nil)
	for i, want := range []StateChapter{{ID: "c0", Words: 2}, {ID: "new", Words: 1}, {ID: "c1", Words: 2}, {ID: "c2", Words: 3}, {ID: "c3", Words: 2}} {
		if got[i].Chapter != i+1 || got[i].ID != want.ID || got[i].Words != want.Words || (got[i].Pages != nil) != (i == 0) {
			t.Errorf("row %d: %+v", i+1, got[i])
		}
	}
	if len(first) != 4 || first[2].Words != 2 || *first[2].Pages != 1 {
		t.Errorf("the list told before was changed: %+v", first[2])
	}
}

// The answer to a change of a book with very many chapters lists those around it.
func TestChangesInAVeryLongListAnswerWithTheChaptersAroundThem(t *testing.T) {
	var rows []chapterRow
	for _, r := range rowsFor(200) {
		rows = append(rows, chapterRow{StateChapter: r})
	}
	for _, c := range []struct{ chapter, first, last int }{{1, 1, 12}, {100, 94, 105}, {200, 189, 200}} {
		got, cut := listedAround(rows, c.chapter)
		if len(got) != 12 || got[0].Chapter != c.first || got[11].Chapter != c.last || cut == nil || cut.Listed != 12 || cut.Of != 200 {
			t.Errorf("around %d: %d to %d, %+v", c.chapter, got[0].Chapter, got[len(got)-1].Chapter, cut)
		}
	}
	rows[149].OnScreen = true
	if got, cut := listedAround(rows, 100); len(got) != 13 || got[12].Chapter != 150 || cut.Listed != 13 {
		t.Errorf("with the one on screen: %d, %+v", len(got), cut)
	}
	if got, cut := listedAround(rows[:60], 3); len(got) != 60 || cut != nil {
		t.Errorf("of 60 chapters %d are listed", len(got))
	}
}
