package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// The editions of a sample in other languages share its resources by their ids
// (bundle.md 5): one that gets another id in the edition on screen gets it in those
// the reader has changed, too, or a file of all of them would lose it in some.

// renamedElsewhere is an edition in which a resource got its new id, too.
type renamedElsewhere struct {
	Language   string `json:"language"`
	References int    `json:"references"` // rewritten
}

// renameElsewhere gives a resource its new id in the reader's drafts of the open
// sample in other languages. The notes name those where it could not be done.
func (s *Session) renameElsewhere(ctx context.Context, id, newID string) (done []renamedElsewhere, notes []string) {
	open, l := s.openRef(), s.opts.Library
	if open.Kind != "sample" || l == nil {
		return nil, nil
	}
	drafts, err := l.Store.Keys(ctx, store.Drafts)
	if err != nil {
		return nil, []string{"the editions in other languages could not be listed, so they keep the old id: " + err.Error()}
	}
	slices.Sort(drafts)
	for _, name := range drafts {
		of, language, _ := strings.Cut(name, " ")
		if of != open.ID || language == open.Language {
			continue
		}
		n, is, err := l.renameInDraft(ctx, Ref{Kind: "sample", ID: of, Language: language}, id, newID)
		switch {
		case err != nil:
			notes = append(notes, "the edition in "+bridge.Quote(language)+" keeps the old id: "+err.Error())
		case is:
			done = append(done, renamedElsewhere{language, n})
		}
	}
	return done, notes
}

// renameInDraft gives a resource another id in a book that is kept and open nowhere,
// with every place that names it; is tells whether the book has such a resource.
func (l *Library) renameInDraft(ctx context.Context, r Ref, id, newID string) (n int, is bool, err error) {
	err = l.alone(ctx, r, func() error {
		rec, head, err := l.readRecord(ctx, r.key())
		if err != nil || rec == nil {
			return err
		}
		var sh shelf
		b, removed, err := sh.read(ctx, l.Store, rec, nil)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(b.Resources, func(o *book.Resource) bool { return o.ID == id && isResource(o) })
		if at < 0 {
			return nil
		}
		if slices.ContainsFunc(b.Resources, func(o *book.Resource) bool { return o.ID == newID }) {
			return bridge.Refuse("another resource has the new one there")
		}
		next, passes, count, err := renameInBook(withResourceID(b, b.Resources[at], newID), id, newID)
		if err != nil {
			return err
		}
		kept := Kept{Book: next, View: rec.View, Revision: rec.Revision + 1, Removed: removed, Visit: rec.Visit, Texts: map[string]TextAt{}}
		for _, c := range rec.Chapters {
			kept.Texts[c.ID] = c.Changed
		}
		for _, c := range next.Chapters {
			if len(passes[c.ID]) == 0 {
				continue
			}
			if len(c.Markdown) > maxChapter {
				return bridge.Refuse("with the longer id chapter %s would have more than 16 MB", bridge.Quote(c.Title))
			}
			text := kept.Texts[c.ID]
			text.Tool = kept.Revision
			kept.Texts[c.ID] = text
		}
		w, err := sh.write(kept, rec, storedBy(rec), l.now(), ctx.Err)
		if err != nil {
			return err
		}
		w.Edition, w.Language = rec.Edition, cmp.Or(w.Language, rec.Language)
		data, err := json.Marshal(&w.record)
		if err != nil {
			return err
		}
		n, is = count, true
		return l.commit(ctx, store.Batch{Guards: []store.Guard{{Key: r.key(), Want: head}}, Puts: append(w.batch(), store.Put{Key: r.key(), Data: data})})
	})
	return n, is && err == nil, err
}

// withResourceID is the book with another id for one of its resources.
func withResourceID(b *book.Book, r *book.Resource, id string) *book.Book {
	c := *r
	c.ID = id
	list := slices.Clone(b.Resources)
	list[slices.Index(list, r)] = &c
	return b.WithResources(list)
}
