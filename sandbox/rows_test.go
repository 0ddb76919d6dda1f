package sandbox

import (
	"fmt"
	"testing"
)

// A long list of chapters goes to the window by its changes, never by others.
func TestChangedRowsAreTheChangesOfAList(t *testing.T) {
	list := func(n int) (rows []StateChapter) {
		for i := range n {
			pages := 3
			rows = append(rows, StateChapter{Chapter: i + 1, ID: fmt.Sprint("c", i), Title: "T", Words: 10, Pages: &pages})
		}
		return rows
	}
	before, now := list(50), list(50)
	if rows, ok := ChangedRows(before, now); !ok || rows == nil || len(rows) != 0 {
		t.Errorf("unchanged: %v, %v", rows, ok)
	}
	four := 4
	now[7].Words, now[9].Pages, now[11].OnScreen = 11, &four, true
	if rows, ok := ChangedRows(before, now); !ok || len(rows) != 3 || rows[0].Chapter != 8 || rows[2].Chapter != 12 {
		t.Errorf("three changed: %v, %v", rows, ok)
	}
	now[3].ID = "other"
	if _, ok := ChangedRows(before, now); ok {
		t.Error("another chapter stands in the place of one")
	}
	for i := range now {
		now[i] = list(50)[i]
		now[i].Words = 1
	}
	if _, ok := ChangedRows(before, now); ok {
		t.Error("all changed, and they are sent one by one")
	}
	if _, ok := ChangedRows(before, list(51)); ok {
		t.Error("another length")
	}
	if _, ok := ChangedRows(list(5), list(5)); ok {
		t.Error("a short list")
	}
}
