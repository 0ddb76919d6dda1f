package sandbox

import (
	"context"

	"postext/book"
	"postext/bridge"
)

// Typed is what a person typed into the editor of a chapter: replacements in
// the text as the editor had it, in order and not overlapping.
type Typed struct {
	Chapter string        `json:"chapter"` // id
	Changes []TypedChange `json:"changes"`
	// Length is the text's length before, in UTF-16 units, and Base the revision
	// the editor's text belongs to. Either tells a text that is another one by
	// now; 0 is not looked at.
	Length int   `json:"length"`
	Base   int64 `json:"base"`
}

// TypedChange replaces the UTF-16 units From to To.
type TypedChange struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Insert string `json:"insert"`
}

// Type makes typed changes and gives the new revision. They are not in the undo
// list of tools, and wait for no tool: a layout under way is begun anew.
func (s *Session) Type(ctx context.Context, t Typed) (int64, error) {
	return s.typed(ctx, t.Chapter, func(text string) (pass, error) {
		if t.Base > 0 {
			s.mu.Lock()
			at := s.texts[t.Chapter]
			s.mu.Unlock()
			last := max(at.Tool, at.Typed)
			if last > t.Base {
				return nil, bridge.Refuse("the text was changed at revision %d, after %d; read it again", last, t.Base)
			}
		}
		x := book.NewIndex(text)
		if t.Length > 0 && t.Length != x.UTF16Len() {
			return nil, bridge.Refuse("the text has %d characters, not %d: it is another one by now; read it again", x.UTF16Len(), t.Length)
		}
		p := make(pass, 0, len(t.Changes))
		at, grown := 0, len(text)
		for _, c := range t.Changes {
			if c.From < at || c.To < c.From || c.To > x.UTF16Len() {
				return nil, bridge.Refuse("the change from %d to %d is not in the text of %d characters", c.From, c.To, x.UTF16Len())
			}
			from, to := x.Byte(c.From), x.Byte(c.To)
			one := splice{From: from, Old: text[from:to], New: book.CleanText(c.Insert)}
			if one.Old != one.New {
				p = append(p, one)
			}
			grown += len(one.New) - len(one.Old)
			at = c.To
		}
		if grown > maxChapter && grown > len(text) {
			return nil, bridge.Refuse("a chapter may have 16 MB of text: divide it into several chapters")
		}
		return p, nil
	})
}

// typed makes the changes that f reads off the text as it is.
func (s *Session) typed(ctx context.Context, chapter string, f func(text string) (pass, error)) (int64, error) {
	for {
		snap, err := s.await(ctx)
		if err != nil {
			return 0, err
		}
		if err := s.mayChange(); err != nil {
			return snap.rev, err
		}
		c := chapterByID(snap.book, chapter)
		if c == nil {
			return snap.rev, bridge.Refuse("the chapter is no longer in the book")
		}
		p, err := f(c.Markdown)
		if err != nil {
			return snap.rev, err
		}
		if len(p) == 0 {
			return snap.rev, nil
		}
		if !p.fits(c.Markdown) {
			return snap.rev, bridge.Refuse("the changes do not fit the text; read it again")
		}
		next := withText(snap.book, chapter, p.apply(c.Markdown))
		if rev, ok := s.publish(snap, &change{book: next, typed: true, history: func(u *undoList) { u.changed(chapter, p, "that passage has been changed by hand since") }}); ok {
			return rev, nil
		}
	}
}

// TextAt are the revisions at which a tool and the person last changed a chapter's
// text in a visit; 0 for never.
type TextAt struct {
	Tool  int64 `json:"tool"`
	Typed int64 `json:"typed"`
}

// Left is how a chapter was left by the visit that kept it. It tells a window that
// noted down, when it was left, what had been typed, whether a tool has changed the
// text since the note.
type Left struct {
	Visit string `json:"visit"`
	TextAt
}

// Visit names this session, and how the chapter of an id was left by the one before.
func (s *Session) Visit(chapter string) (now string, before Left) {
	s.mu.Lock()
	o := s.opened
	s.mu.Unlock()
	if o != nil {
		before = o.left[chapter]
	}
	return s.visit, before
}

// Text gives the text of a chapter, by id, and the book's revision.
func (s *Session) Text(ctx context.Context, chapter string) (string, int64, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return "", 0, err
	}
	c := chapterByID(snap.book, chapter)
	if c == nil {
		return "", snap.rev, bridge.Refuse("the chapter is not in the book")
	}
	return c.Markdown, snap.rev, nil
}
