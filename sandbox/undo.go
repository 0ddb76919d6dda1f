package sandbox

// What the undo list may hold: the last steps, and together no more text than
// this. Older steps fall off its end.
const (
	maxUndoSteps = 200
	maxUndoBytes = 64 << 20
)

// A step is one call's change of one chapter's text.
type step struct {
	chapter string // id
	tool    string
	summary string
	edit    edit
}

// undoList is the list of sandbox_undo_text: the text edits of tools, one call
// one step. Typing is not in it, but passes through it (typed), so that a step
// under typed text can still be taken back as long as they do not touch the
// same passage.
//
// Invariant: for a chapter, done[last].edit was the last to change the text, and
// taking the steps back in order always meets the text it expects.
type undoList struct {
	done, undone []step
	bytes        int
	// lost says why the list ended, when text changed by other means cut it.
	lost string
}

// push adds a step and forgets what had been undone.
func (u *undoList) push(s step) {
	for _, t := range u.undone {
		u.bytes -= t.edit.size()
	}
	u.undone = nil
	u.done = append(u.done, s)
	u.bytes += s.edit.size()
	u.lost = ""
	for len(u.done) > maxUndoSteps || u.bytes > maxUndoBytes && len(u.done) > 1 {
		u.bytes -= u.done[0].edit.size()
		u.done = append([]step(nil), u.done[1:]...)
	}
}

// changed tells the list that a chapter's text was changed by other means. What
// was undone cannot be redone over it; steps below it stay as long as they are
// elsewhere in the text. why is said of those that are lost.
func (u *undoList) changed(chapter string, p pass, why string) {
	if len(p) == 0 {
		return
	}
	kept := u.undone[:0:0]
	for _, s := range u.undone {
		if s.chapter == chapter {
			u.bytes -= s.edit.size()
			continue
		}
		kept = append(kept, s)
	}
	u.undone = kept
	done := append([]step(nil), u.done...)
	for i := len(done) - 1; i >= 0; i-- {
		if done[i].chapter != chapter {
			continue
		}
		moved, before, ok := done[i].edit.over(p)
		if !ok {
			u.cut(done, i, chapter, why)
			return
		}
		done[i].edit, p = moved, before
	}
	u.done = done
}

// cut drops the chapter's steps up to done[i].
func (u *undoList) cut(done []step, i int, chapter, why string) {
	kept := done[:0:0]
	for j, s := range done {
		if j <= i && s.chapter == chapter {
			u.bytes -= s.edit.size()
			continue
		}
		kept = append(kept, s)
	}
	u.done = kept
	u.lost = why
}

// drop forgets every step of a chapter that is no longer in the book.
func (u *undoList) drop(chapter, why string) {
	before := len(u.done)
	for _, list := range []*[]step{&u.done, &u.undone} {
		kept := (*list)[:0:0]
		for _, s := range *list {
			if s.chapter == chapter {
				u.bytes -= s.edit.size()
				continue
			}
			kept = append(kept, s)
		}
		*list = kept
	}
	if len(u.done) < before {
		u.lost = why
	}
}

// next describes the step that would be undone.
func (u *undoList) next() (step, bool) {
	if len(u.done) == 0 {
		return step{}, false
	}
	return u.done[len(u.done)-1], true
}

// move takes n steps from done to undone, or with redo the other way.
func (u *undoList) move(redo bool, n int) {
	from, to := &u.done, &u.undone
	if redo {
		from, to = to, from
	}
	moved := append([]step(nil), *to...)
	for k := range n {
		moved = append(moved, (*from)[len(*from)-1-k])
	}
	*to = moved
	*from = append([]step(nil), (*from)[:len(*from)-n]...)
}
