package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// What is done to books that need not be open: listed, copied, renamed, deleted,
// brought back; and the storage kept tidy.

// ListedSample is a sample as the shelf shows it.
type ListedSample struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Author      string   `json:"author,omitempty"`
	Description string   `json:"description"`
	Languages   []string `json:"languages"`
	Edited      bool     `json:"edited"`
	EditedIn    []string `json:"editedIn,omitempty"`
	Hidden      bool     `json:"hidden"`
	Open        bool     `json:"open,omitempty"`
	OpenIn      string   `json:"openIn,omitempty"`
	Licence     string   `json:"license,omitempty"`
	Credits     string   `json:"credits,omitempty"`
	Private     bool     `json:"private,omitempty"`
	// Folder: a folder of the reader's, given to postext serve.
	Folder bool `json:"folder,omitempty"`
	// Unavailable: no source serves it any more; what was changed is there.
	Unavailable bool `json:"unavailable,omitempty"`
	Cover       bool `json:"cover,omitempty"`
}

// ListedProject is an own book as the shelf shows it.
type ListedProject struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Language    string    `json:"language,omitempty"`
	Chapters    int       `json:"chapters"`
	Words       int       `json:"words"`
	Pages       *int      `json:"pages,omitempty"`
	UpdatedAt   time.Time `json:"updatedAt"`
	Open        bool      `json:"open,omitempty"`
	From        string    `json:"from,omitempty"`
	Cover       bool      `json:"cover,omitempty"`
}

// ListedDeleted is a book deleted lately, which can be brought back.
type ListedDeleted struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Chapters  int       `json:"chapters"`
	Words     int       `json:"words"`
	DeletedAt time.Time `json:"deletedAt"`
	Why       string    `json:"why,omitempty"`
}

// Listed is the whole shelf.
type Listed struct {
	Samples  []ListedSample  `json:"samples"`
	Projects []ListedProject `json:"projects"`
	Deleted  []ListedDeleted `json:"deleted,omitempty"`
	// Problem says what could not be listed.
	Problem string `json:"problem,omitempty"`
}

// List lists every book; open is the one that is open here.
func (l *Library) List(ctx context.Context, open Ref) (*Listed, error) {
	out := &Listed{Samples: []ListedSample{}, Projects: []ListedProject{}}
	own, names, bad, err := l.records(ctx, store.Projects)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(own))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return own[a].CreatedAt.Compare(own[b].CreatedAt) }) // oldest first
	for _, i := range order {
		r := own[i]
		p := ListedProject{ID: names[i], Name: r.Name, Description: r.Description, Language: r.Language, Chapters: len(r.Chapters), Words: r.words(),
			Pages: r.Pages, UpdatedAt: r.UpdatedAt, Open: open.Kind == "project" && open.ID == names[i], Cover: r.Cover != nil}
		if r.Source != nil {
			p.From = r.Source.ID
		}
		out.Projects = append(out.Projects, p)
	}
	if err := l.listSamples(ctx, out, open); err != nil {
		return nil, err
	}
	gone, _, worse, err := l.records(ctx, store.Trash)
	if err != nil {
		return nil, err
	}
	for _, r := range gone {
		out.Deleted = append(out.Deleted, ListedDeleted{ID: r.ID, Name: r.Name, Chapters: len(r.Chapters), Words: r.words(), Why: r.Why, DeletedAt: r.deleted()})
	}
	slices.SortStableFunc(out.Deleted, func(a, b ListedDeleted) int { return b.DeletedAt.Compare(a.DeletedAt) })
	if bad = errors.Join(bad, worse); bad != nil {
		out.Problem = strings.TrimPrefix(out.Problem+"; "+bad.Error(), "; ")
	}
	return out, nil
}

func (l *Library) listSamples(ctx context.Context, out *Listed, open Ref) error {
	samples, err := l.Samples.List(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		out.Problem = "the sample books cannot be listed: " + err.Error()
	}
	hidden, err := l.hidden(ctx)
	if err != nil {
		return err
	}
	drafts, names, bad, err := l.records(ctx, store.Drafts)
	if err != nil {
		return err
	}
	if bad != nil {
		out.Problem = strings.TrimPrefix(out.Problem+"; "+bad.Error(), "; ")
	}
	covers, err := l.Store.Keys(ctx, store.Covers)
	if err != nil {
		return err
	}
	slices.SortStableFunc(samples, func(a, b Sample) int { // the built-in one is always first
		return cmp.Compare(b2i(a.ID != BuiltIn), b2i(b.ID != BuiltIn))
	})
	for _, s := range samples {
		row := ListedSample{ID: s.ID, Name: s.Name, Author: s.Author, Description: s.Description, Languages: append([]string{}, s.Languages...),
			Hidden: slices.Contains(hidden, s.ID) && s.ID != BuiltIn, Licence: s.Licence, Credits: s.Credits, Private: s.Private, Folder: s.Folder, Cover: s.Cover != ""}
		for i := range drafts {
			if id, language, _ := strings.Cut(names[i], " "); id == s.ID {
				row.EditedIn = append(row.EditedIn, language)
				row.Edited = true
				row.Cover = row.Cover || drafts[i].Cover != nil
			}
		}
		row.Cover = row.Cover || slices.ContainsFunc(covers, func(k string) bool { return strings.HasPrefix(k, s.ID+" ") })
		if open.Kind == "sample" && open.ID == s.ID {
			row.Open, row.OpenIn = true, open.Language
		}
		out.Samples = append(out.Samples, row)
	}
	for i, r := range drafts {
		id, language, _ := strings.Cut(names[i], " ")
		if slices.ContainsFunc(out.Samples, func(s ListedSample) bool { return s.ID == id && !s.Unavailable }) {
			continue
		}
		row := ListedSample{ID: id, Name: r.Name, Author: r.Author, Languages: []string{}, Edited: true, EditedIn: []string{language}, Unavailable: true, Cover: r.Cover != nil}
		if language != "" {
			row.Languages = append(row.Languages, language)
		}
		row.Open = open.Kind == "sample" && open.ID == id && open.Language == language
		out.Samples = append(out.Samples, row)
	}
	return nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hidden lists the ids of the samples not shown.
func (l *Library) hidden(ctx context.Context) ([]string, error) {
	var list []string
	data, err := l.Store.Get(ctx, metaKey(hiddenName))
	if err != nil || data == nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("the list of hidden samples: %w", err)
	}
	return list, nil
}

// Hide shows a sample in the list or not; false when it was so already.
func (l *Library) Hide(ctx context.Context, id string, hide bool) (bool, error) {
	for {
		was, err := l.Store.Get(ctx, metaKey(hiddenName))
		if err != nil {
			return false, err
		}
		list, err := l.hidden(ctx)
		if err != nil {
			return false, err
		}
		if slices.Contains(list, id) == hide {
			return false, nil
		}
		if hide {
			list = append(list, id)
		} else {
			list = slices.DeleteFunc(list, func(s string) bool { return s == id })
		}
		data, err := json.Marshal(list)
		if err != nil {
			return false, err
		}
		err = l.commit(ctx, store.Batch{Guards: []store.Guard{{Key: metaKey(hiddenName), Want: was}}, Puts: []store.Put{{Key: metaKey(hiddenName), Data: data}}})
		if !errors.Is(err, store.ErrConflict) {
			return true, err
		}
	}
}

// alone does something to a book that no window has open.
func (l *Library) alone(ctx context.Context, r Ref, f func() error) error {
	o := &Opened{lib: l, Ref: r}
	unlock, err := l.Store.Lock(ctx, o.lockName(), false)
	if errors.Is(err, store.ErrHeld) {
		return bridge.Refuse("the book %s is open in another window: do it there, or close that window", bridge.Quote(r.ID))
	}
	if err != nil {
		return err
	}
	defer unlock()
	return f()
}

// Change changes the record of an own book that is not open.
func (l *Library) Change(ctx context.Context, r Ref, f func(*record) (puts []store.Put, err error)) error {
	return l.alone(ctx, r, func() error {
		rec, head, err := l.readRecord(ctx, r.key())
		if err != nil {
			return err
		}
		if rec == nil {
			return l.unknown(ctx, r.ID)
		}
		puts, err := f(rec)
		if err != nil {
			return err
		}
		rec.UpdatedAt = l.now()
		data, err := json.Marshal(rec)
		if err != nil {
			return err
		}
		return l.commit(ctx, store.Batch{Guards: []store.Guard{{Key: r.key(), Want: head}}, Puts: append(puts, store.Put{Key: r.key(), Data: data})})
	})
}

// Duplicate copies a book that is kept, an own one or a changed sample, to a new
// own one: texts and files are shared, chapters get fresh ids.
func (l *Library) Duplicate(ctx context.Context, r Ref, name string) (Ref, *record, error) {
	for {
		rec, head, err := l.readRecord(ctx, r.key())
		if err != nil || rec == nil {
			return Ref{}, nil, err
		}
		ref, err := l.addRecord(ctx, rec, name, store.Guard{Key: r.key(), Want: head}, nil)
		if !errors.Is(err, store.ErrConflict) {
			return ref, rec, err
		}
	}
}

// addRecord keeps a record as a new own book, under a guard; gone is deleted
// with it.
func (l *Library) addRecord(ctx context.Context, from *record, name string, guard store.Guard, gone []store.Key) (Ref, error) {
	n := *from
	now := l.now()
	if from.Kind == "sample" {
		n.Source = &Ref{Kind: "sample", ID: from.ID, Language: from.Language}
	}
	n.Kind, n.ID, n.Name, n.Edition, n.Why, n.DeletedAt, n.Spare = "project", freshBookID(), name, "", "", nil, nil
	n.CreatedAt, n.UpdatedAt = now, now
	n.Chapters = slices.Clone(from.Chapters)
	ids := &book.Book{}
	for i := range n.Chapters {
		old := n.Chapters[i].ID
		n.Chapters[i].ID = freshID(ids)
		ids.Chapters = append(ids.Chapters, &book.Chapter{ID: n.Chapters[i].ID})
		if n.View.Chapter == old {
			n.View.Chapter = n.Chapters[i].ID
		}
	}
	n.Removed = nil
	ref := Ref{Kind: "project", ID: n.ID}
	data, err := json.Marshal(&n)
	if err != nil {
		return ref, err
	}
	return ref, l.commit(ctx, store.Batch{Guards: []store.Guard{guard, {Key: ref.key()}}, Puts: []store.Put{{Key: ref.key(), Data: data}}, Deletes: gone})
}

// Delete takes a book away: it goes among the deleted ones, from where it can be
// brought back. The book must not be open here, or Released.
func (l *Library) Delete(ctx context.Context, r Ref, why string) (*record, error) {
	var rec *record
	err := l.alone(ctx, r, func() error {
		var head []byte
		var err error
		if rec, head, err = l.readRecord(ctx, r.key()); err != nil {
			return err
		}
		if rec == nil {
			if r.Kind == "project" {
				return l.unknown(ctx, r.ID)
			}
			return nil
		}
		put, err := l.trashed(rec, why)
		if err != nil {
			return err
		}
		return l.commit(ctx, store.Batch{Guards: []store.Guard{{Key: r.key(), Want: head}}, Puts: []store.Put{put}, Deletes: []store.Key{r.key(), r.layoutsKey()}})
	})
	return rec, err
}

// trashed is the record among the deleted books.
func (l *Library) trashed(rec *record, why string) (store.Put, error) {
	gone := *rec
	now := l.now()
	gone.DeletedAt, gone.Why = &now, why
	if gone.Kind == "sample" {
		gone.ID = freshBookID() // one sample may be there several times
		gone.Source = &Ref{Kind: "sample", ID: rec.ID, Language: rec.Language}
	}
	data, err := json.Marshal(&gone)
	return store.Put{Key: store.Key{Table: store.Trash, Name: gone.ID}, Data: data}, err
}

// Restore brings a deleted book back as an own one.
func (l *Library) Restore(ctx context.Context, id string) (Ref, *record, error) {
	k := store.Key{Table: store.Trash, Name: id}
	rec, head, err := l.readRecord(ctx, k)
	if err != nil {
		return Ref{}, nil, err
	}
	if rec == nil {
		return Ref{}, nil, bridge.Refuse("there is no deleted book %s; sandbox_list_books lists the deleted ones that can be brought back", bridge.Quote(id))
	}
	if rec.Kind == "sample" {
		rec.ID = rec.Source.ID
	}
	ref, err := l.addRecord(ctx, rec, rec.Name, store.Guard{Key: k, Want: head}, []store.Key{k})
	return ref, rec, err
}

// How long deleted books are kept, and how many.
const (
	trashDays = 30
	maxTrash  = 50
)

// emptyTrash deletes the deleted books for good and what only they had; false
// when there was nothing.
func (l *Library) emptyTrash(ctx context.Context) (bool, error) {
	keys, err := l.Store.Keys(ctx, store.Trash)
	if err != nil || len(keys) == 0 {
		return false, err
	}
	var b store.Batch
	for _, k := range keys {
		b.Deletes = append(b.Deletes, store.Key{Table: store.Trash, Name: k})
	}
	if err := l.Store.Commit(ctx, b); err != nil {
		return false, err
	}
	return true, l.Sweep(ctx)
}

// deleted is when the book was deleted.
func (r *record) deleted() time.Time {
	if r.DeletedAt == nil {
		return time.Time{}
	}
	return *r.DeletedAt
}

// Sweep deletes the texts and files that no book has, and deleted books that are
// old. Every change is one batch, so nothing under way is mistaken for waste; when
// another window changes something meanwhile nothing is deleted: the next sweep
// comes soon.
func (l *Library) Sweep(ctx context.Context) error {
	mark, err := l.Store.Get(ctx, metaKey(commitName))
	if err != nil {
		return err
	}
	b := store.Batch{Guards: []store.Guard{{Key: metaKey(commitName), Want: mark}}}
	needed := map[string]bool{}
	now := l.now()
	for _, t := range []store.Table{store.Projects, store.Drafts, store.Trash} {
		list, names, bad, err := l.records(ctx, t)
		if err != nil {
			return err
		}
		if bad != nil {
			return nil // what it needs is not known: nothing is thrown away
		}
		if t == store.Trash {
			slices.SortStableFunc(list, func(a, b *record) int { return b.deleted().Compare(a.deleted()) })
			names = nil
			for _, r := range list {
				names = append(names, r.ID)
			}
		}
		for i, r := range list {
			if t == store.Trash && (i >= maxTrash || now.Sub(r.deleted()) > trashDays*24*time.Hour) {
				b.Deletes = append(b.Deletes, store.Key{Table: t, Name: names[i]})
				continue
			}
			texts, blobs := r.hashes()
			for _, h := range slices.Concat(texts, blobs) {
				needed[h] = true
			}
		}
	}
	covers, err := l.Store.Keys(ctx, store.Covers)
	if err != nil {
		return err
	}
	for _, k := range covers {
		f, err := l.sampleCover(ctx, k)
		if err != nil {
			return err
		}
		needed[f.Blob] = true
	}
	for _, t := range []struct {
		table store.Table
		keep  func(name string) bool
	}{
		{store.Texts, func(n string) bool { return needed[n] }},
		{store.Blobs, func(n string) bool { return needed[n] }},
	} {
		names, err := l.Store.Keys(ctx, t.table)
		if err != nil {
			return err
		}
		for _, n := range names {
			if !t.keep(n) {
				b.Deletes = append(b.Deletes, store.Key{Table: t.table, Name: n})
			}
		}
	}
	stray, err := l.strayLayouts(ctx)
	if err != nil {
		return err
	}
	if b.Deletes = append(b.Deletes, stray...); len(b.Deletes) == 0 {
		return nil
	}
	if err := l.Store.Commit(ctx, b); !errors.Is(err, store.ErrConflict) {
		return err
	}
	return nil
}

// sampleCover is the cover made of a sample, by name; zero when there is none.
func (l *Library) sampleCover(ctx context.Context, name string) (keptFile, error) {
	var f keptFile
	data, err := l.Store.Get(ctx, store.Key{Table: store.Covers, Name: name})
	if err != nil || data == nil {
		return f, err
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return f, fmt.Errorf("a cover's record cannot be read: %w", err)
	}
	return f, nil
}

// Migrate brings what the first issue kept into today's form, each book in one
// step; books that cannot be read stay where they are.
func (l *Library) Migrate(ctx context.Context) error {
	names, err := l.Store.Keys(ctx, store.Early)
	if err != nil {
		return err
	}
	var bad error
	for _, name := range names {
		bad = errors.Join(bad, l.migrate(ctx, name))
	}
	return bad
}

func (l *Library) migrate(ctx context.Context, name string) error {
	from := store.Key{Table: store.Early, Name: name}
	data, err := l.Store.Get(ctx, from)
	if err != nil || data == nil {
		return err
	}
	var old struct {
		Version                  int
		Kind, ID, Name, Language string
		Title, Subtitle, Author  string
		Chapters                 []struct{ ID, Title, Markdown, File string }
		Config                   json.RawMessage
		View                     View
		Revision                 int64
	}
	if err := json.Unmarshal(data, &old); err != nil || old.Version != 1 || old.ID == "" || len(old.Chapters) == 0 {
		return fmt.Errorf("what the first issue kept of %q cannot be read (%v)", name, err)
	}
	b := &book.Book{Kind: "sample", ID: old.ID, Name: old.Name, Language: old.Language, Title: old.Title, Subtitle: old.Subtitle, Author: old.Author,
		Config: old.Config, ConfigVersion: book.ConfigVersion}
	for _, c := range old.Chapters {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: c.ID, Title: c.Title, Markdown: c.Markdown, File: c.File})
	}
	// It kept no files: those of the published book are the book's.
	if original, err := l.Samples.Load(ctx, old.ID, old.Language); err == nil {
		b.Resources, b.Fonts, b.Cover = original.Resources, original.Fonts, original.Cover
	} else if ctx.Err() != nil {
		return ctx.Err()
	}
	var s shelf
	w, err := s.write(Kept{Book: b, View: old.View, Revision: old.Revision}, nil, nil, l.now(), ctx.Err)
	if err != nil {
		return err
	}
	samples, err := l.Samples.List(ctx)
	if err != nil {
		return err
	}
	ref, err := l.resolve(ctx, Ref{Kind: "sample", ID: old.ID, Language: old.Language}, samples)
	if err != nil {
		return err
	}
	head, err := json.Marshal(&w.record)
	if err != nil {
		return err
	}
	err = l.commit(ctx, store.Batch{Guards: []store.Guard{{Key: from, Want: data}, {Key: ref.key()}},
		Puts: append(w.batch(), store.Put{Key: ref.key(), Data: head}), Deletes: []store.Key{from}})
	if errors.Is(err, store.ErrConflict) {
		return nil // another window did it
	}
	return err
}
