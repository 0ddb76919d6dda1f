package sandbox

// manyRows is the number of chapters from which on their list is sent to the window
// by its changes.
const manyRows = 40

// ChangedRows lists the rows of a list of chapters that are not as they were in the
// list sent before; false when the list is better sent whole.
func ChangedRows(before, now []StateChapter) ([]StateChapter, bool) {
	if len(now) < manyRows || len(before) != len(now) {
		return nil, false
	}
	changed := []StateChapter{}
	for i := range now {
		a, b := &before[i], &now[i]
		if a.ID != b.ID {
			return nil, false
		}
		samePages := a.Pages == b.Pages || a.Pages != nil && b.Pages != nil && *a.Pages == *b.Pages
		if a.Title != b.Title || a.OnScreen != b.OnScreen || a.Words != b.Words || a.FirstPage != b.FirstPage || a.LastPage != b.LastPage || !samePages {
			changed = append(changed, now[i])
		}
	}
	return changed, len(changed) <= len(now)/2
}
