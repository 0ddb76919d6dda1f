package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/internal/digest"
	"postext/sandbox/store"
)

func (s *Session) bookTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_list_books", "List the books",
			"Lists the samples (languages, and which are edited, hidden or open), the reader's own books, and those deleted lately.",
			reads, s.listBooks),
		define(s, "sandbox_open_book", "Open a book",
			"Opens another book; the one on screen is saved first. Answers as sandbox_get_state. Example: {\"kind\": \"sample\", \"id\": \"one-pot\", \"language\": \"es\"}.",
			writes, s.openBookTool),
		define(s, "sandbox_save_book", "Keep, copy, rename a book",
			"Makes and keeps own books: copies the one on screen, begins a blank one, duplicates, renames, sets a cover, hides a sample, restores a deleted book. Changes save themselves; save_now does it at once. For a file to take away use sandbox_export.",
			writes, s.saveBook),
		define(s, "sandbox_delete_book", "Delete an own book",
			"Deletes an own book; if it is on screen the built-in sample opens. The answer says how to bring it back.",
			removes, s.deleteBook),
	}
}

// library gives the library, or says that there is none.
func (s *Session) library() (*Library, error) {
	if s.opts.Library == nil {
		return nil, bridge.Refuse("there is only the one book here: books are kept in the browser's Sandbox, and by the command line with --library")
	}
	return s.opts.Library, nil
}

func (s *Session) listBooks(ctx context.Context, _ struct{}) (any, error) {
	l, err := s.library()
	if err != nil {
		return nil, err
	}
	list, err := l.List(ctx, s.openRef())
	if err != nil {
		return nil, err
	}
	s.freshen(list)
	return list, nil
}

// freshen gives the row of the open book what is newer than its record.
func (s *Session) freshen(list *Listed) {
	st := s.State()
	if st.Book == nil {
		return
	}
	s.mu.Lock()
	description, cover := s.cur.book.Description, s.cur.book.Cover != nil
	s.mu.Unlock()
	words := 0
	for _, c := range st.Chapters {
		words += c.Words
	}
	for i := range list.Projects {
		if p := &list.Projects[i]; p.Open {
			p.Name, p.Description, p.Cover, p.Chapters, p.Words = st.Book.Name, description, cover, len(st.Chapters), words
			if st.Pages != nil {
				p.Pages = st.Pages
			}
		}
	}
	for i := range list.Samples {
		if r := &list.Samples[i]; r.Open && st.Book.Edited {
			r.Edited = true
		}
	}
}

type openBookArgs struct {
	Kind     string `json:"kind" enum:"sample,project"`
	ID       string `json:"id,omitempty" doc:"from sandbox_list_books"`
	Name     string `json:"name,omitempty" doc:"instead of id"`
	Language string `json:"language,omitempty" doc:"of a sample"`
	Chapter  any    `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id"`
	Page     any    `json:"page,omitempty" types:"integer,string" minLen:"1" doc:"number printed on it"`
	Wait     bool   `json:"wait" default:"true"`
}

func (a openBookArgs) check() error {
	if (a.ID == "") == (a.Name == "") {
		return bridge.Refuse("give id, or the name of the book: sandbox_list_books lists both")
	}
	if a.Kind == "project" && a.Language != "" {
		return bridge.Refuse("language goes with a sample; an own book is in one language: leave it out")
	}
	if err := checkLanguage(a.Language); err != nil {
		return err
	}
	return pageArgs{Page: a.Page}.check()
}

func (s *Session) openBookTool(ctx context.Context, a openBookArgs) (_ any, err error) {
	defer s.missed(ctx, &err)
	l, err := s.library()
	if err != nil {
		return nil, err
	}
	r := Ref{Kind: a.Kind, ID: cmp.Or(a.ID, a.Name), Language: a.Language}
	if a.Kind == "project" {
		if r, err = l.find(ctx, r.ID); err != nil {
			return nil, err
		}
	} else if r, err = l.sample(ctx, r); err != nil {
		return nil, err
	}
	if err := s.OpenBook(ctx, r); err != nil {
		var no *bridge.Refusal
		if ctx.Err() != nil || errors.Is(err, errClosed) || errors.As(err, &no) {
			return nil, err
		}
		return nil, bridge.Refuse("the book cannot be opened: %v. The one that was open stays; sandbox_list_books tells the others", err)
	}
	// From here on the book is open, whatever becomes of the place in it.
	note := ""
	if a.Chapter != nil || a.Page != nil {
		_, failed := s.showChapter(ctx, chaptersArgs{Action: "show", Chapter: a.Chapter, Page: a.Page})
		var no *bridge.Refusal
		switch {
		case errors.As(failed, &no):
			note = "the book is open where it was left: " + no.Message
		case failed != nil && ctx.Err() == nil:
			return nil, failed
		}
	}
	ans, err := s.openedAnswer(ctx, a.Wait)
	if err != nil {
		return nil, err
	}
	ans.Note = note
	return ans, nil
}

// asPartly puts words before those of a refusal: what was done all the same.
func asPartly(err error, done string) error {
	if no, ok := err.(*bridge.Refusal); ok {
		return bridge.Refuse("%s%s", done, no.Message)
	}
	return err
}

// openedAnswer is the state once the pages are there; an ended wait is not an
// error, the book is open.
func (s *Session) openedAnswer(ctx context.Context, wait bool) (openedState, error) {
	ans := openedState{}
	if wait {
		if _, err := s.Layout(ctx); err != nil && ctx.Err() != nil {
			ans.Pending = true
		}
	}
	var err error
	if ans.stateAnswer, err = s.stateAbout(ctx); err != nil {
		return ans, err
	}
	ans.Pending = ans.Pending || ans.Pages == nil && !wait
	return ans, nil
}

type openedState struct {
	stateAnswer
	Note    string `json:"note,omitempty"`
	Pending bool   `json:"pending,omitempty"`
}

// sample finds a sample by id or, failing that, by name.
func (l *Library) sample(ctx context.Context, r Ref) (Ref, error) {
	samples, failed := l.Samples.List(ctx)
	if failed != nil && ctx.Err() != nil {
		return r, failed
	}
	var ids []string
	byName := ""
	for _, sm := range samples {
		if sm.ID == r.ID {
			return l.language(r, sm)
		}
		if foldText(sm.Name) == foldText(r.ID) {
			byName = sm.ID
		}
		ids = append(ids, sm.ID)
	}
	if byName != "" {
		r.ID = byName
		return l.sample(ctx, r)
	}
	drafts, err := l.Store.Keys(ctx, store.Drafts)
	if err != nil {
		return r, err
	}
	for _, d := range drafts {
		if strings.HasPrefix(d, r.ID+" ") {
			return r, nil // published no more, but changed by the reader
		}
	}
	if failed != nil {
		return r, bridge.Refuse("the list of samples cannot be fetched (%v), so the sample %s cannot be opened now: try again when the site can be reached; own books open without it", failed, bridge.Quote(r.ID))
	}
	return r, bridge.Refuse("there is no sample %s; the samples: %s", bridge.Quote(r.ID), bridge.Choices(bridge.Nearest(r.ID, ids), "sandbox_list_books"))
}

// language refuses a language that has nothing to do with those of a sample.
func (l *Library) language(r Ref, sm Sample) (Ref, error) {
	if r.Language == "" || len(sm.Languages) == 0 {
		return r, nil
	}
	for _, have := range sm.Languages {
		if sameLanguage(have, r.Language) {
			r.Language = book.PickLanguage(r.Language, sm.Languages, sm.Open)
			return r, nil
		}
	}
	return r, bridge.Refuse("the sample %s is not in %s; its languages: %s", bridge.Quote(sm.ID), bridge.Quote(r.Language), strings.Join(sm.Languages, ", "))
}

type saveBookArgs struct {
	Action      string    `json:"action" enum:"copy_current,new_blank,duplicate,rename,set_cover,remove_cover,hide_sample,show_sample,save_now,restore"`
	ID          string    `json:"id,omitempty" doc:"left out: the book on screen"`
	Name        *string   `json:"name,omitempty" maxLen:"200" doc:"copy_current, new_blank, duplicate, rename"`
	Description *string   `json:"description,omitempty" maxLen:"2000" doc:"new_blank, rename; empty clears it"`
	Language    string    `json:"language,omitempty" doc:"new_blank; duplicate: of a sample"`
	Cover       *fileArgs `json:"cover,omitempty" doc:"PNG, JPEG, WebP, GIF or SVG"`
}

// saveTakes says which arguments each action has.
var saveTakes = map[string][]string{
	"copy_current": {"name"}, "new_blank": {"name", "description", "language"}, "duplicate": {"id", "name", "language"}, "rename": {"id", "name", "description"},
	"set_cover": {"id", "cover"}, "remove_cover": {"id"}, "hide_sample": {"id"}, "show_sample": {"id"}, "save_now": {}, "restore": {"id"},
}

type saveBookAnswer struct {
	Action   string    `json:"action"`
	Changed  bool      `json:"changed"`
	Book     *savedRow `json:"book,omitempty"`
	From     *savedRow `json:"from,omitempty"`
	Open     bool      `json:"open,omitempty"`
	Note     string    `json:"note,omitempty"`
	Saved    bool      `json:"saved"`
	Revision int64     `json:"revision"`
}

type savedRow struct {
	Kind        string `json:"kind"`
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Language    string `json:"language,omitempty"`
}

func (a saveBookArgs) check() error {
	for _, g := range []struct {
		name string
		is   bool
	}{{"id", a.ID != ""}, {"name", a.Name != nil}, {"description", a.Description != nil}, {"language", a.Language != ""}, {"cover", a.Cover != nil}} {
		if g.is && !slices.Contains(saveTakes[a.Action], g.name) {
			return bridge.Refuse("%s does not go with action %q, which takes %s", g.name, a.Action, cmp.Or(strings.Join(saveTakes[a.Action], ", "), "nothing else"))
		}
	}
	switch a.Action {
	case "rename":
		if a.Name == nil && a.Description == nil {
			return bridge.Refuse("rename needs name or description, the new ones")
		}
	case "set_cover":
		if a.Cover == nil {
			return bridge.Refuse("set_cover needs cover, a picture: {\"url\": \"https:…\"} or {\"base64\": \"…\"}")
		}
		return a.Cover.check("cover")
	case "hide_sample", "show_sample":
		if a.ID == "" {
			return bridge.Refuse("%s needs id, the sample's", a.Action)
		}
	case "restore":
		if a.ID == "" {
			return bridge.Refuse("restore needs id, of a deleted book that sandbox_list_books lists")
		}
	}
	return checkLanguage(a.Language)
}

func (s *Session) saveBook(ctx context.Context, a saveBookArgs) (any, error) {
	l, err := s.library()
	if err != nil {
		return nil, err
	}
	ans := saveBookAnswer{Action: a.Action}
	switch a.Action {
	case "copy_current":
		err = s.copyCurrent(ctx, l, a, &ans)
	case "new_blank":
		err = s.newBlank(ctx, l, a, &ans)
	case "duplicate":
		err = s.duplicate(ctx, l, a, &ans)
	case "rename":
		err = s.renameBook(ctx, l, a, &ans)
	case "set_cover", "remove_cover":
		err = s.setCover(ctx, l, a, &ans)
	case "hide_sample", "show_sample":
		err = hideSample(ctx, l, a, &ans)
	case "restore":
		err = s.restore(ctx, l, a, &ans)
	case "save_now":
		if err = s.mayKeep(); err == nil {
			ans.Changed = !s.State().Saved
			err = saveRefusal(s.Save(ctx))
		}
	}
	if err != nil {
		return nil, err
	}
	st := s.State()
	ans.Saved, ans.Revision = st.Saved, st.Revision
	return ans, nil
}

func (s *Session) mayKeep() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.barred != "" {
		return bridge.Refuse("nothing was saved: %s", s.barred)
	}
	return nil
}

// saveRefusal puts a failed save into words an agent can act on.
func saveRefusal(err error) error {
	var disk *store.FullError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &disk):
		return bridge.Refuse("%s. Make room there, delete own books that are no longer needed (sandbox_delete_book), or take a copy elsewhere with sandbox_export; nothing of what was kept is lost", disk)
	case isQuota(err):
		return bridge.Refuse("there is no room: the browser's storage for this site is full. Delete own books that are no longer needed (sandbox_delete_book), or take a copy away with sandbox_export; what is open is not lost while the page stays open")
	}
	return err
}

// current is the open book for a copy: with what was changed a moment ago.
func (s *Session) current(ctx context.Context) (*book.Book, View, error) {
	snap, err := s.await(ctx)
	return snap.book, s.View(), err
}

func (s *Session) copyCurrent(ctx context.Context, l *Library, a saveBookArgs, ans *saveBookAnswer) (err error) {
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return err
	}
	defer done()
	defer s.missed(ctx, &err)
	b, view, err := s.current(ctx)
	if err != nil {
		return err
	}
	if err := s.Save(ctx); err != nil { // the book being left
		return saveRefusal(err)
	}
	from := s.openRef()
	c := *b
	var source *Ref
	if b.Kind == "sample" {
		source = &Ref{Kind: "sample", ID: from.ID, Language: from.Language}
	} else {
		c.Name += " copy"
		if rec, _, err := l.readRecord(ctx, from.key()); err == nil && rec != nil {
			source = rec.Source
		}
	}
	if a.Name != nil {
		if name := oneLine(*a.Name); name != "" {
			c.Name = name
		}
	}
	if c.Cover == nil && from.Kind == "sample" {
		if c.Cover, err = l.cover(ctx, from); err != nil {
			return err
		}
	}
	ref, err := l.Add(ctx, &c, view, source, "", func() error { return s.opts.Yield(ctx) })
	if err != nil {
		return saveRefusal(err)
	}
	ans.Changed, ans.Open = true, true
	ans.Book = &savedRow{Kind: "project", ID: ref.ID, Name: c.Name, Description: c.Description, Language: c.Language}
	ans.From = &savedRow{Kind: from.Kind, ID: from.ID, Name: b.Name, Language: from.Language}
	return s.openBook(ctx, ref, c.Name, false)
}

// oneLine is a name as a call gives it.
func oneLine(name string) string { return strings.Join(strings.Fields(book.CleanText(name)), " ") }

func (s *Session) newBlank(ctx context.Context, l *Library, a saveBookArgs, ans *saveBookAnswer) (err error) {
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return err
	}
	defer done()
	defer s.missed(ctx, &err)
	b := &book.Book{Kind: "project", Name: "New book", Language: book.CanonicalLanguage(cmp.Or(a.Language, l.Language, "en")), ConfigVersion: book.ConfigVersion,
		Chapters: []*book.Chapter{{Title: "Chapter 1"}}}
	if a.Name != nil {
		b.Name = cmp.Or(oneLine(*a.Name), b.Name)
	}
	if a.Description != nil {
		b.Description = strings.TrimSpace(book.CleanText(*a.Description))
	}
	ref, err := l.Add(ctx, b, startView, nil, "", nil)
	if err != nil {
		return saveRefusal(err)
	}
	ans.Changed, ans.Open = true, true
	ans.Book = &savedRow{Kind: "project", ID: ref.ID, Name: b.Name, Description: b.Description, Language: b.Language}
	return s.openBook(ctx, ref, b.Name, false)
}

// named finds the book that a call means by id: an own one, else a sample; with
// no id the one on screen.
func (s *Session) named(ctx context.Context, l *Library, id, language string) (Ref, error) {
	if id == "" {
		r := s.openRef()
		if r.ID == "" {
			return r, bridge.Refuse("give id: sandbox_list_books lists the books")
		}
		return r, nil
	}
	if language == "" {
		r, err := l.find(ctx, id)
		if err == nil {
			return r, nil
		}
		if sm, e := l.sample(ctx, Ref{Kind: "sample", ID: id}); e == nil {
			return s.resolved(ctx, l, sm)
		}
		return r, err
	}
	r, err := l.sample(ctx, Ref{Kind: "sample", ID: id, Language: language})
	if err != nil {
		return r, err
	}
	return s.resolved(ctx, l, r)
}

func (s *Session) resolved(ctx context.Context, l *Library, r Ref) (Ref, error) {
	samples, err := l.Samples.List(ctx)
	if err != nil {
		return r, err
	}
	return l.resolve(ctx, r, samples)
}

func (s *Session) duplicate(ctx context.Context, l *Library, a saveBookArgs, ans *saveBookAnswer) error {
	r, err := s.named(ctx, l, a.ID, a.Language)
	if err != nil {
		return err
	}
	open := s.openRef()
	var b *book.Book
	view := startView
	switch {
	case r == open:
		if b, view, err = s.current(ctx); err != nil {
			return err
		}
	case r.Kind == "sample":
		if rec, _, err := l.readRecord(ctx, r.key()); err != nil {
			return err
		} else if rec == nil {
			if b, err = l.Samples.Load(ctx, r.ID, r.Language); err != nil {
				return err
			}
			b.Language = cmp.Or(b.Language, r.Language)
		}
	}
	rename := func(name string) string {
		if a.Name != nil {
			if n := oneLine(*a.Name); n != "" {
				return n
			}
		}
		if r.Kind == "project" {
			return name + " copy"
		}
		return name
	}
	var ref Ref
	var name string
	if b == nil {
		rec, _, err := l.readRecord(ctx, r.key())
		if err != nil {
			return err
		}
		if rec == nil {
			return l.unknown(ctx, r.ID)
		}
		name = rename(rec.Name)
		if ref, _, err = l.Duplicate(ctx, r, name); err != nil {
			return saveRefusal(err)
		}
	} else {
		c := *b
		name = rename(b.Name)
		c.Name = name
		var source *Ref
		if r.Kind == "sample" {
			source = &r
		} else if rec, _, err := l.readRecord(ctx, r.key()); err == nil && rec != nil {
			source = rec.Source
		}
		if c.Cover == nil && r.Kind == "sample" {
			if c.Cover, err = l.cover(ctx, r); err != nil {
				return err
			}
		}
		if ref, err = l.Add(ctx, &c, view, source, "", func() error { return s.opts.Yield(ctx) }); err != nil {
			return saveRefusal(err)
		}
	}
	ans.Changed = true
	ans.Book = &savedRow{Kind: "project", ID: ref.ID, Name: name}
	ans.From = &savedRow{Kind: r.Kind, ID: r.ID, Name: l.nameOf(ctx, r), Language: r.Language}
	ans.Note = "the copy is not open: sandbox_open_book opens it"
	return nil
}

func (s *Session) renameBook(ctx context.Context, l *Library, a saveBookArgs, ans *saveBookAnswer) error {
	r, err := s.named(ctx, l, a.ID, "")
	if err != nil {
		return err
	}
	if r.Kind != "project" {
		return bridge.Refuse("a sample keeps its name: copy_current makes an own book of it, under another name if you like")
	}
	set := func(name, description string) (string, string) {
		if a.Name != nil {
			name = cmp.Or(oneLine(*a.Name), name) // an empty name is ignored
		}
		if a.Description != nil {
			description = strings.TrimSpace(book.CleanText(*a.Description))
		}
		return name, description
	}
	note := func(was, wasDescription, name, description string) {
		ans.Changed = was != name || wasDescription != description
		ans.From = &savedRow{Kind: "project", ID: r.ID, Name: was, Description: wasDescription}
		ans.Book = &savedRow{Kind: "project", ID: r.ID, Name: name, Description: description}
	}
	if r == s.openRef() {
		_, err := s.write(ctx, false, func(snap snapshot) (*change, error) {
			name, description := set(snap.book.Name, snap.book.Description)
			note(snap.book.Name, snap.book.Description, name, description)
			if !ans.Changed {
				return nil, nil
			}
			n := *snap.book
			n.Name, n.Description = name, description
			return &change{book: &n}, nil
		})
		return err
	}
	return l.Change(ctx, r, func(rec *record) ([]store.Put, error) {
		name, description := set(rec.Name, rec.Description)
		note(rec.Name, rec.Description, name, description)
		rec.Name, rec.Description = name, description
		return nil, nil
	})
}

// coverKinds are the kinds of pictures a cover may be, by their first bytes.
func coverKind(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		return ".png"
	case bytes.HasPrefix(data, []byte("\xFF\xD8\xFF")):
		return ".jpg"
	case bytes.HasPrefix(data, []byte("GIF8")):
		return ".gif"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return ".webp"
	case bytes.Contains(data[:min(len(data), 4096)], []byte("<svg")):
		return ".svg"
	}
	return ""
}

// maxCover is the most bytes of a cover.
const maxCover = 25 << 20

func (s *Session) setCover(ctx context.Context, l *Library, a saveBookArgs, ans *saveBookAnswer) error {
	r, err := s.named(ctx, l, a.ID, "")
	if err != nil {
		return err
	}
	if r.Kind != "project" {
		return bridge.Refuse("a sample keeps its cover: copy_current makes an own book of it")
	}
	var cover *book.File
	var data []byte
	if a.Action == "set_cover" {
		if data, err = s.fetchFile(ctx, "cover", *a.Cover, maxCover); err != nil {
			return err
		}
		kind := coverKind(data)
		if kind == "" {
			return bridge.Refuse("the cover is none of PNG, JPEG, WebP, GIF and SVG")
		}
		if kind == ".svg" {
			if data, _, err = book.CleanSVG(data); err != nil {
				return bridge.Refuse("the cover: %v", err)
			}
		}
		cover = &book.File{Name: "thumbnail" + kind, Data: data}
	}
	ans.Changed = true
	if r == s.openRef() {
		_, err := s.write(ctx, false, func(snap snapshot) (*change, error) {
			ans.Book = &savedRow{Kind: "project", ID: r.ID, Name: snap.book.Name}
			if ans.Changed = snap.book.Cover != nil || cover != nil; !ans.Changed {
				return nil, nil
			}
			n := *snap.book
			n.Cover = cover
			return &change{book: &n, noCover: cover == nil}, nil
		})
		return err
	}
	return l.Change(ctx, r, func(rec *record) (puts []store.Put, err error) {
		ans.Book = &savedRow{Kind: "project", ID: r.ID, Name: rec.Name}
		ans.Changed = rec.Cover != nil || cover != nil
		rec.Cover = nil
		if cover != nil {
			rec.Cover = &keptFile{cover.Name, digest.Of(data)}
			puts = []store.Put{{Key: store.Key{Table: store.Blobs, Name: rec.Cover.Blob}, Data: data}}
		}
		return puts, nil
	})
}

func hideSample(ctx context.Context, l *Library, a saveBookArgs, ans *saveBookAnswer) error {
	hide := a.Action == "hide_sample"
	r, err := l.sample(ctx, Ref{Kind: "sample", ID: a.ID})
	if err != nil {
		return err
	}
	if hide && r.ID == BuiltIn {
		return bridge.Refuse("the built-in sample stays in the list")
	}
	ans.Book = &savedRow{Kind: "sample", ID: r.ID, Name: l.nameOf(ctx, r)}
	ans.Changed, err = l.Hide(ctx, r.ID, hide)
	return err
}

func (s *Session) restore(ctx context.Context, l *Library, a saveBookArgs, ans *saveBookAnswer) error {
	ref, rec, err := l.Restore(ctx, a.ID)
	if err != nil {
		return saveRefusal(err)
	}
	ans.Changed = true
	ans.Book = &savedRow{Kind: "project", ID: ref.ID, Name: rec.Name, Description: rec.Description}
	ans.Note = "it is among the own books again; sandbox_open_book opens it"
	return nil
}

type deleteBookArgs struct {
	ID string `json:"id" minLen:"1" doc:"from sandbox_list_books"`
}

func (s *Session) deleteBook(ctx context.Context, a deleteBookArgs) (any, error) {
	l, err := s.library()
	if err != nil {
		return nil, err
	}
	r, err := l.find(ctx, a.ID)
	if err != nil {
		if sm, e := l.sample(ctx, Ref{Kind: "sample", ID: a.ID}); e == nil {
			return nil, bridge.Refuse("%s is a sample: it is not deleted, but sandbox_save_book hides it (hide_sample), and sandbox_reset_to_original takes its changes back", bridge.Quote(sm.ID))
		}
		return nil, err
	}
	open := r == s.openRef()
	var rec *record
	if open {
		rec, err = s.deleteOpen(ctx, l, r)
	} else {
		rec, err = l.Delete(ctx, r, "")
	}
	if err != nil {
		return nil, err
	}
	st := s.State()
	return map[string]any{
		"deleted":  map[string]any{"kind": "project", "id": r.ID, "name": rec.Name, "chapters": len(rec.Chapters), "words": rec.words()},
		"note":     fmt.Sprintf("it can be brought back for %d days: sandbox_save_book with action restore and this id", trashDays),
		"book":     st.Book,
		"revision": st.Revision,
	}, nil
}

// deleteOpen deletes the book on screen: its last changes are kept with it, and
// the built-in sample opens.
func (s *Session) deleteOpen(ctx context.Context, l *Library, r Ref) (_ *record, err error) {
	if err := s.mayChange(); err != nil {
		return nil, err
	}
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	defer s.missed(ctx, &err)
	if s.openRef() != r {
		return nil, bridge.Refuse("another book was opened meanwhile; nothing was deleted: ask sandbox_get_state")
	}
	if err := s.openBook(ctx, Ref{Kind: "sample", ID: BuiltIn}, "", false); err != nil {
		return nil, fmt.Errorf("the built-in sample could not be opened in its place, so nothing was deleted: %w", err)
	}
	return l.Delete(ctx, r, "")
}

// cover is the picture of a sample: the one published, else the one made of it.
func (l *Library) cover(ctx context.Context, r Ref) (*book.File, error) {
	f, err := l.sampleCover(ctx, r.name())
	if err != nil || f.Blob == "" {
		return nil, err
	}
	return lazyBlob(l.Store, keptFile{"thumbnail" + path.Ext(f.Name), f.Blob}), nil
}
