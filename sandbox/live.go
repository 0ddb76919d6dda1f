package sandbox

import (
	"context"
	"slices"

	"postext/book"
)

// Live samples (sandbox.md 9.3): a sample that is published anew while it is open
// is shown as it is now; one that the reader changed stays, and is told of.

// What is said of a changed sample that has been published anew, and of a folder.
const (
	newerNotice  = "A newer version of this sample has been published. Your changes stay; loading the new version discards them."
	folderNotice = "The folder of this book has changed. Your changes here stay; loading the folder as it is now discards them."
)

// tellNewer says that the open book has been published anew since its reader's changes
// began; s.mu is held.
func (s *Session) tellNewer(b *book.Book) {
	s.newer, s.notice = true, newerNotice
	if b.Folder {
		s.notice = folderNotice
	}
}

// untellNewer takes that back; s.mu is held.
func (s *Session) untellNewer() {
	s.newer = false
	if s.notice == newerNotice || s.notice == folderNotice {
		s.notice = ""
	}
}

// CheckEdition looks whether the open sample has been published anew.
func (s *Session) CheckEdition(ctx context.Context) error {
	s.mu.Lock()
	o := s.opened
	s.mu.Unlock()
	if o == nil || o.Ref.Kind != "sample" || o.Published == "" {
		return nil
	}
	now, err := o.lib.Samples.Edition(ctx, o.Ref.ID)
	if err != nil || now == "" {
		return err
	}
	s.mu.Lock()
	same := now == o.Published && !(s.newer && !s.editedLocked()) // or the changes were taken back
	s.mu.Unlock()
	if same {
		return nil
	}
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return err
	}
	defer done()
	s.mu.Lock()
	here := s.opened == o && s.barred == ""
	changed, b, view := s.editedLocked(), s.cur.book, s.view
	s.mu.Unlock()
	if !here {
		return nil
	}
	if changed {
		same, err := s.isPublished(ctx, o, b)
		if err != nil {
			return err
		}
		s.mu.Lock()
		told := false
		if same = same && s.cur.book == b; !same {
			o.Published = now
			if told = !s.newer; told {
				s.tellNewer(b)
			}
		}
		s.mu.Unlock()
		if !same {
			if told {
				s.changed()
			}
			return nil
		}
		// The reader's changes are what is published now, as after they were brought
		// back into their folder.
		if err := s.openPublished(ctx, o); err != nil {
			return err
		}
		s.SetView(func(v *View) { *v = view })
		return nil
	}
	if err := s.openBook(ctx, o.Ref, "", true); err != nil {
		return err
	}
	s.SetView(func(v *View) { *v = view })
	if b.Folder {
		s.tell("The folder has changed and is shown as it is now.")
	} else {
		s.tell("The sample was published anew and is shown as it is now.")
	}
	return nil
}

// isPublished reports whether a book is what is published of it now.
func (s *Session) isPublished(ctx context.Context, o *Opened, b *book.Book) (bool, error) {
	p, err := o.lib.Samples.Load(ctx, o.Ref.ID, o.Ref.Language)
	if err == nil {
		p, err = canonical(p)
	}
	if err != nil {
		return false, err
	}
	n := *b
	n.Chapters = slices.Clone(b.Chapters)
	// A chapter made here gets its id from its file there.
	for i := range n.Chapters {
		if i < len(p.Chapters) {
			c := *n.Chapters[i]
			c.ID = p.Chapters[i].ID
			n.Chapters[i] = &c
		}
	}
	return !edited(&n, p), nil
}
