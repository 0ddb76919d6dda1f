package sandbox

import "context"

// Live samples (sandbox.md 9.3): a sample that is published anew while it is open
// is shown as it is now; one that the reader changed stays, and is told of.

// newerNotice is said of a changed sample that has been published anew.
const newerNotice = "A newer version of this sample has been published. Your changes stay; loading the new version discards them."

// CheckEdition looks whether the open sample has been published anew.
func (s *Session) CheckEdition(ctx context.Context) error {
	s.mu.Lock()
	o := s.opened
	s.mu.Unlock()
	if o == nil || o.Ref.Kind != "sample" || o.Published == "" {
		return nil
	}
	now, err := o.lib.Samples.Edition(ctx, o.Ref.ID)
	if err != nil || now == "" || now == o.Published {
		return err
	}
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return err
	}
	defer done()
	s.mu.Lock()
	here := s.opened == o && s.barred == ""
	changed := s.editedLocked()
	view := s.view
	if here && changed && !s.newer {
		s.newer, s.notice = true, newerNotice
		o.Published = now
	}
	s.mu.Unlock()
	if !here {
		return nil
	}
	if changed {
		s.changed()
		return nil
	}
	if err := s.openBook(ctx, o.Ref, "", true); err != nil {
		return err
	}
	s.SetView(func(v *View) { *v = view })
	s.tell("The sample was published anew and is shown as it is now.")
	return nil
}
