package sandbox

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// What Reset restores (sandbox.md 9.4). What was there before goes among the
// deleted books, from where it can be brought back.

func (s *Session) resetTool() bridge.Tool {
	return define(s, "sandbox_reset_to_original", "Take everything back to the original",
		"Takes the book back to its sample: text (chapters, resources, their fonts), config (the design, its fonts) or all. For single steps use sandbox_undo_text or the from values of answers. The answer says how to bring the reader's version back.",
		removes, s.reset)
}

type resetArgs struct {
	Part   string       `json:"part" enum:"config,text,all"`
	Sample *resetSample `json:"sample,omitempty" doc:"with part all: a sample that need not be open"`
	Wait   bool         `json:"wait" default:"true"`
}

type resetSample struct {
	ID       string `json:"id" minLen:"1"`
	Language string `json:"language,omitempty" doc:"left out: every one"`
}

type resetAnswer struct {
	Part    string    `json:"part"`
	Changed bool      `json:"changed"`
	From    *savedRow `json:"from,omitempty"`
	// Kept names what was there before, among the deleted books.
	Kept []savedRow `json:"kept,omitempty"`
	Note string     `json:"note,omitempty"`
	Pages
}

func (a resetArgs) check() error {
	if a.Sample != nil && a.Part != "all" {
		return bridge.Refuse("with sample, part is \"all\": the reader's changes of that sample are one thing")
	}
	return nil
}

func (s *Session) reset(ctx context.Context, a resetArgs) (any, error) {
	l, err := s.library()
	if err != nil {
		return nil, err
	}
	if a.Sample != nil {
		return s.resetSample(ctx, l, a)
	}
	if _, err := s.await(ctx); err != nil {
		return nil, err
	}
	original, from, err := s.originalOf(ctx, l)
	if err != nil {
		return nil, err
	}
	ans := resetAnswer{Part: a.Part, From: &savedRow{Kind: "sample", ID: from.ID, Name: original.Name, Language: from.Language}}
	ans.Pages, err = s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		b := snap.book
		n := *b
		if a.Part != "config" {
			n.Chapters, n.Resources = original.Chapters, original.Resources
		}
		n.Fonts = original.Fonts
		if a.Part != "text" {
			c, err := n.WithConfig(original.Config)
			if err != nil {
				return nil, err
			}
			n = *c
		}
		if sameBook(b, &n) {
			return nil, nil
		}
		ans.Changed = true
		// The reader's version is put away before it is replaced.
		kept, err := s.putAway(ctx, l, b)
		if err != nil {
			return nil, saveRefusal(err)
		}
		ans.Kept = []savedRow{kept}
		var texts []string
		for _, c := range n.Chapters {
			texts = append(texts, c.ID)
		}
		return &change{book: &n, texts: texts, history: func(u *undoList) {
			for _, c := range b.Chapters {
				if now := chapterByID(&n, c.ID); now == nil || now.Markdown != c.Markdown {
					u.drop(c.ID, "the text has been reset since")
				}
			}
		}}, nil
	})
	if err != nil {
		return nil, err
	}
	if ans.Changed {
		ans.Note = "the version before can be brought back as an own book: sandbox_save_book with action restore and the id in kept"
	}
	return ans, nil
}

// sameBook reports whether resetting would change anything.
func sameBook(a, b *book.Book) bool {
	return string(a.Config) == string(b.Config) && slices.Equal(a.Resources, b.Resources) && slices.Equal(a.Fonts, b.Fonts) &&
		slices.EqualFunc(a.Chapters, b.Chapters, func(x, y *book.Chapter) bool { return x == y || *x == *y })
}

// originalOf is the sample that the open book is, or descends from.
func (s *Session) originalOf(ctx context.Context, l *Library) (*book.Book, Ref, error) {
	open := s.openRef()
	s.mu.Lock()
	original := s.original
	s.mu.Unlock()
	if open.Kind == "sample" {
		if original == nil {
			return nil, open, bridge.Refuse("this sample is not published any more: there is no original to go back to")
		}
		return original, open, nil
	}
	rec, _, err := l.readRecord(ctx, open.key())
	if err != nil {
		return nil, open, err
	}
	if rec == nil || rec.Source == nil {
		return nil, open, bridge.Refuse("this book is no copy of a sample: it has no original. sandbox_undo_text takes text edits back, the from values of answers settings")
	}
	original, err = l.Samples.Load(ctx, rec.Source.ID, rec.Source.Language)
	if err != nil {
		if ctx.Err() != nil {
			return nil, open, ctx.Err()
		}
		return nil, open, bridge.Refuse("the sample %s this book comes from cannot be had (%v): nothing was changed", bridge.Quote(rec.Source.ID), err)
	}
	if original, err = canonical(original); err != nil {
		return nil, open, err
	}
	// A copy's chapters have ids of their own; those of the original are taken
	// from them in order, so that what points at a chapter still finds it.
	n := *original
	n.Chapters = slices.Clone(original.Chapters)
	snap, err := s.await(ctx)
	if err != nil {
		return nil, open, err
	}
	for i, c := range n.Chapters {
		d := *c
		if i < len(snap.book.Chapters) {
			d.ID = snap.book.Chapters[i].ID
		} else {
			d.ID = freshID(snap.book)
		}
		n.Chapters[i] = &d
	}
	return &n, *rec.Source, nil
}

// putAway keeps a copy of a book among the deleted ones.
func (s *Session) putAway(ctx context.Context, l *Library, b *book.Book) (savedRow, error) {
	var sh shelf
	w, err := sh.write(Kept{Book: b, View: s.View()}, nil, nil, l.now(), func() error { return s.opts.Yield(ctx) })
	if err != nil {
		return savedRow{}, err
	}
	open := s.openRef()
	w.ID, w.Language = open.ID, cmp.Or(w.Language, open.Language)
	if open.Kind == "project" {
		w.ID = freshBookID()
	}
	put, err := l.trashed(&w.record, "before it was reset")
	if err != nil {
		return savedRow{}, err
	}
	return savedRow{Kind: "project", ID: put.Name, Name: b.Name}, l.commit(ctx, store.Batch{Puts: append(w.batch(), put)})
}

// resetSample deletes the drafts of a sample: of one language, or of all.
func (s *Session) resetSample(ctx context.Context, l *Library, a resetArgs) (any, error) {
	r, err := l.sample(ctx, Ref{Kind: "sample", ID: a.Sample.ID, Language: a.Sample.Language})
	if err != nil {
		return nil, err
	}
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := s.mayChange(); err != nil && s.openRef().ID == r.ID {
		return nil, err
	}
	if err := s.Save(ctx); err != nil {
		return nil, saveRefusal(err)
	}
	keys, err := l.Store.Keys(ctx, store.Drafts)
	if err != nil {
		return nil, err
	}
	ans := resetAnswer{Part: "all", From: &savedRow{Kind: "sample", ID: r.ID, Name: l.nameOf(ctx, r), Language: r.Language}}
	ans.Pages = Pages{Chapters: []ChapterPages{}, Revision: s.State().Revision}
	open := s.openRef()
	for _, k := range keys {
		id, language, _ := strings.Cut(k, " ")
		if id != r.ID || a.Sample.Language != "" && language != r.Language {
			continue
		}
		draft := Ref{Kind: "sample", ID: id, Language: language}
		if draft == open {
			continue
		}
		rec, err := l.Delete(ctx, draft, "before it was reset")
		if err != nil {
			return nil, err
		}
		if rec != nil {
			ans.Changed = true
			ans.Kept = append(ans.Kept, savedRow{Kind: "sample", ID: rec.ID, Name: rec.Name, Language: language})
		}
	}
	if open.Kind == "sample" && open.ID == r.ID && (a.Sample.Language == "" || open.Language == r.Language) {
		changed, kept, err := s.resetOpen(ctx, l, open)
		if err != nil {
			return nil, err
		}
		if changed {
			ans.Changed = true
			ans.Kept = append(ans.Kept, kept)
		}
	}
	if ans.Changed {
		ans.Note = "the versions before can be brought back as own books: sandbox_list_books lists them as deleted, sandbox_save_book with action restore brings one back"
	}
	if a.Wait {
		if lay, err := s.Layout(ctx); err == nil {
			n := lay.Frames.PageCount()
			ans.PagesAfter = &n
		} else {
			ans.Pending = true
		}
	}
	ans.Revision = s.State().Revision
	return ans, nil
}

// resetOpen opens the published version in place of the reader's, which has just
// been saved and is put away.
func (s *Session) resetOpen(ctx context.Context, l *Library, open Ref) (bool, savedRow, error) {
	s.mu.Lock()
	original, changed, b, newer := s.original, s.editedLocked(), s.cur.book, s.newer
	s.mu.Unlock()
	if original == nil {
		return false, savedRow{}, bridge.Refuse("this sample is not published any more: there is no original to go back to")
	}
	if !changed {
		if newer { // the changes have been taken back, and the newer version waits
			return false, savedRow{}, s.openBook(ctx, open, b.Name, true)
		}
		return false, savedRow{}, nil
	}
	kept, err := s.putAway(ctx, l, b)
	if err != nil {
		return false, kept, saveRefusal(err)
	}
	err = s.openPublished(ctx, s.openedNow())
	return err == nil, kept, err
}

// openPublished deletes the draft of the open sample and opens it anew, so that what is
// published shows; what is typed in between would make a draft again.
func (s *Session) openPublished(ctx context.Context, o *Opened) error {
	s.mu.Lock()
	name := s.cur.book.Name
	s.barred = "the original is being restored"
	s.mu.Unlock()
	err := o.discard(ctx)
	if err == nil {
		err = s.openBook(ctx, o.Ref, name, true)
	}
	if err != nil {
		s.mu.Lock()
		s.barred = ""
		s.mu.Unlock()
	}
	return err
}

// openedNow is the open book's place in the library.
func (s *Session) openedNow() *Opened {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

// discard deletes what is kept of the open book.
func (o *Opened) discard(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.head == nil {
		return nil
	}
	err := o.lib.commit(ctx, store.Batch{Guards: []store.Guard{{Key: o.Ref.key(), Want: o.head}}, Deletes: []store.Key{o.Ref.key()}})
	if err == nil {
		o.rec, o.head, o.stored = nil, nil, nil
	}
	return err
}
