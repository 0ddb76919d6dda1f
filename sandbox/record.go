package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"postext/book"
	"postext/sandbox/internal/digest"
	"postext/sandbox/store"
)

// recordForm is the number of the record's form; the first issue's was 1.
const recordForm = 2

// record is a book as kept. Texts and files are kept apart, under the hash of
// their bytes, so that a save writes what changed and copies share the rest.
type record struct {
	Form        int             `json:"form"`
	Version     int             `json:"version"` // of the configuration rules
	Kind        string          `json:"kind"`
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Language    string          `json:"locale,omitempty"`
	BundleID    string          `json:"bundleId,omitempty"`
	Licence     string          `json:"license,omitempty"`
	Credits     string          `json:"credits,omitempty"`
	Tags        []string        `json:"tags,omitempty"`
	Title       string          `json:"title,omitempty"`
	Subtitle    string          `json:"subtitle,omitempty"`
	Author      string          `json:"author,omitempty"`
	Scope       string          `json:"canvasScope,omitempty"`
	Folder      bool            `json:"folder,omitempty"` // its files are named as in one
	Source      *Ref            `json:"source,omitempty"` // the sample it descends from
	Origin      string          `json:"origin,omitempty"` // the link it came by
	Edition     string          `json:"edition,omitempty"`
	CreatedAt   time.Time       `json:"createdAt"`
	UpdatedAt   time.Time       `json:"updatedAt"`
	DeletedAt   *time.Time      `json:"deletedAt,omitempty"`
	Why         string          `json:"why,omitempty"` // it is among the deleted ones
	Chapters    []keptChapter   `json:"chapters"`
	Removed     []keptChapter   `json:"removed,omitempty"`
	Config      json.RawMessage `json:"config,omitempty"`
	Resources   []keptResource  `json:"resources,omitempty"`
	Fonts       []keptResource  `json:"fonts,omitempty"`
	Cover       *keptFile       `json:"cover,omitempty"`
	View        View            `json:"view"`
	Revision    int64           `json:"revision"`
	Visit       string          `json:"visit,omitempty"` // that kept it
	Pages       *int            `json:"pages,omitempty"`
	// Spare are files let go since the book was opened: what still has them in
	// hand may want them back.
	Spare []string `json:"spare,omitempty"`
}

type keptChapter struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"` // hash
	Words int    `json:"words"`
	File  string `json:"file,omitempty"`
	At    int    `json:"at,omitempty"` // of a removed one: its place
	// When it was last changed by a tool and by hand, in revisions of the visit that
	// kept it.
	Changed   TextAt    `json:"changed,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

type keptResource struct {
	About *book.Resource `json:"about"`
	Files []keptFile     `json:"files,omitempty"`
}

type keptFile struct {
	Name string `json:"name"`
	Blob string `json:"blob"` // hash
}

// words is the number of words of the whole book.
func (r *record) words() int {
	n := 0
	for _, c := range r.Chapters {
		n += c.Words
	}
	return n
}

// hashes lists what the record needs of the tables of texts and files.
func (r *record) hashes() (texts, blobs []string) {
	for _, c := range slices.Concat(r.Chapters, r.Removed) {
		texts = append(texts, c.Text)
	}
	for _, k := range slices.Concat(r.Resources, r.Fonts) {
		for _, f := range k.Files {
			blobs = append(blobs, f.Blob)
		}
	}
	if r.Cover != nil {
		blobs = append(blobs, r.Cover.Blob)
	}
	return texts, append(blobs, r.Spare...)
}

// Kept is what a session gives to be kept.
type Kept struct {
	Book     *book.Book
	Original *book.Book // as published; nil when it is not known
	View     View
	Revision int64
	Removed  []Removed
	Pages    *int // of the whole book, when they are known
	Texts    map[string]TextAt
	Visit    string // tells this session from others
}

// shelf turns books into records and back, and remembers what it has hashed.
type shelf struct {
	texts     map[*book.Chapter]keptChapter
	resources map[*book.Resource]keptResource
	cover     *book.File
	coverKept *keptFile
}

// written is a record being put together with what has to be stored for it.
type written struct {
	record
	puts map[store.Key][]byte
}

func (w *written) need(table store.Table, data []byte, stored map[string]bool) string {
	h := digest.Of(data)
	if !stored[h] {
		if data == nil {
			data = []byte{}
		}
		w.puts[store.Key{Table: table, Name: h}] = data
	}
	return h
}

// write puts a book down. before is its record as stored, or nil; stored holds
// the hashes that are known to be in the store.
func (s *shelf) write(k Kept, before *record, stored map[string]bool, now time.Time, pause func() error) (*written, error) {
	b := k.Book
	w := &written{puts: map[store.Key][]byte{}, record: record{
		Form: recordForm, Version: b.ConfigVersion, Kind: b.Kind, ID: b.ID, Name: b.Name, Description: b.Description, Language: b.Language,
		BundleID: b.BundleID, Licence: b.Licence, Credits: b.Credits, Tags: b.Tags, Title: b.Title, Subtitle: b.Subtitle, Author: b.Author,
		Scope: b.Scope, Folder: b.Folder, Config: b.Config, View: k.View, Revision: k.Revision, Visit: k.Visit, Pages: k.Pages, CreatedAt: now, UpdatedAt: now}}
	old := map[string]keptChapter{}
	if before != nil {
		w.Source, w.Origin, w.Edition, w.CreatedAt = before.Source, before.Origin, before.Edition, before.CreatedAt
		for _, c := range before.Chapters {
			old[c.ID] = c
		}
	}
	cjk := isCJK(b.Language)
	texts := make(map[*book.Chapter]keptChapter, len(b.Chapters))
	chapter := func(c *book.Chapter) (keptChapter, error) {
		kc, known := s.texts[c]
		if !known || !stored[kc.Text] {
			if err := pause(); err != nil {
				return kc, err
			}
			kc = keptChapter{ID: c.ID, Title: c.Title, File: c.File, Text: w.need(store.Texts, []byte(c.Markdown), stored), CreatedAt: now, UpdatedAt: now}
			if was, ok := old[c.ID]; ok {
				kc.CreatedAt = was.CreatedAt
				if was.Text == kc.Text && was.Title == kc.Title {
					kc.UpdatedAt = was.UpdatedAt
				}
			}
			kc.Words = book.Words(c.Markdown, cjk)
		}
		kc.Changed = k.Texts[c.ID] // of this visit, or never
		texts[c] = kc
		return kc, nil
	}
	for _, c := range b.Chapters {
		kc, err := chapter(c)
		if err != nil {
			return nil, err
		}
		w.Chapters = append(w.Chapters, kc)
	}
	for _, r := range k.Removed {
		kc, err := chapter(r.Chapter)
		if err != nil {
			return nil, err
		}
		kc.At = r.At
		w.Removed = append(w.Removed, kc)
	}
	resources := make(map[*book.Resource]keptResource, len(b.Resources))
	for _, list := range []struct {
		from []*book.Resource
		to   *[]keptResource
	}{{b.Resources, &w.Resources}, {b.Fonts, &w.Fonts}} {
		for _, r := range list.from {
			kr, known := s.resources[r]
			if !known || slices.ContainsFunc(kr.Files, func(f keptFile) bool { return !stored[f.Blob] }) {
				kr = keptResource{About: r}
				for _, f := range r.Files() {
					if err := pause(); err != nil {
						return nil, err
					}
					data, err := f.Bytes()
					if err != nil {
						return nil, fmt.Errorf("the file %s: %w", f.Name, err)
					}
					kr.Files = append(kr.Files, keptFile{f.Name, w.need(store.Blobs, data, stored)})
				}
			}
			resources[r] = kr
			*list.to = append(*list.to, kr)
		}
	}
	if b.Cover != nil {
		kept := s.coverKept
		if s.cover != b.Cover || kept == nil || !stored[kept.Blob] {
			data, err := b.Cover.Bytes()
			if err != nil {
				return nil, fmt.Errorf("the cover: %w", err)
			}
			kept = &keptFile{b.Cover.Name, w.need(store.Blobs, data, stored)}
		}
		w.Cover, s.cover, s.coverKept = kept, b.Cover, kept
	}
	s.texts, s.resources = texts, resources
	if before != nil {
		w.Spare = dropped(before, &w.record)
	}
	return w, nil
}

// dropped lists the files that before has and now has not any more.
func dropped(before, now *record) []string {
	_, had := before.hashes()
	_, has := now.hashes()
	var list []string
	for _, h := range had {
		if !slices.Contains(has, h) && !slices.Contains(list, h) {
			list = append(list, h)
		}
	}
	return list
}

// reader gets what a record names.
type reader struct {
	ctx   context.Context
	store store.Store
}

func (r reader) get(table store.Table, hash string) ([]byte, error) {
	data, err := r.store.Get(r.ctx, store.Key{Table: table, Name: hash})
	if err == nil && data == nil {
		err = errors.New("a part of it is missing in the storage")
	}
	return data, err
}

// read makes a book of its record. Chapters and resources that original has in
// the same form are original's own, so that comparing is cheap; files are read
// when they are first wanted.
func (s *shelf) read(ctx context.Context, st store.Store, r *record, original *book.Book) (*book.Book, []Removed, error) {
	if r.Form != recordForm {
		return nil, nil, fmt.Errorf("the kept book %q has form %d, which this version of the page does not know: reload the page", r.Name, r.Form)
	}
	get := reader{ctx, st}
	b := &book.Book{Kind: r.Kind, ID: r.ID, Name: r.Name, Description: r.Description, Language: r.Language, BundleID: r.BundleID,
		Licence: r.Licence, Credits: r.Credits, Tags: r.Tags, Title: r.Title, Subtitle: r.Subtitle, Author: r.Author, Scope: r.Scope,
		Folder: r.Folder || original != nil && original.Folder, Config: r.Config, ConfigVersion: r.Version}
	s.texts, s.resources = map[*book.Chapter]keptChapter{}, map[*book.Resource]keptResource{}
	published := map[string]*book.Chapter{}
	if original != nil {
		for _, c := range original.Chapters {
			published[c.ID] = c
		}
	}
	seen := map[string]bool{}
	chapter := func(k keptChapter) (*book.Chapter, error) {
		if k.ID == "" || seen[k.ID] {
			return nil, fmt.Errorf("the kept book %q has two chapters with one id: it is not read", r.Name)
		}
		seen[k.ID] = true
		text, err := get.get(store.Texts, k.Text)
		if err != nil {
			return nil, fmt.Errorf("chapter %q of the kept book %q: %w", k.Title, r.Name, err)
		}
		c := &book.Chapter{ID: k.ID, Title: k.Title, Markdown: book.CleanText(string(text)), File: k.File}
		if p := published[k.ID]; p != nil && *p == *c {
			c = p
		}
		s.texts[c] = k
		return c, nil
	}
	for _, k := range r.Chapters {
		c, err := chapter(k)
		if err != nil {
			return nil, nil, err
		}
		b.Chapters = append(b.Chapters, c)
	}
	if len(b.Chapters) == 0 {
		return nil, nil, fmt.Errorf("the kept book %q has no chapters", r.Name)
	}
	var removed []Removed
	for _, k := range r.Removed {
		if seen[k.ID] {
			continue // it has been put back
		}
		c, err := chapter(k)
		if err != nil {
			return nil, nil, err
		}
		removed = append(removed, Removed{c, k.At})
	}
	var theirs []*book.Resource
	if original != nil {
		theirs = slices.Concat(original.Resources, original.Fonts)
	}
	for _, list := range []struct {
		from []keptResource
		to   *[]*book.Resource
	}{{r.Resources, &b.Resources}, {r.Fonts, &b.Fonts}} {
		for _, k := range list.from {
			res, err := s.resource(st, k, theirs)
			if err != nil {
				return nil, nil, err
			}
			*list.to = append(*list.to, res)
		}
	}
	if r.Cover != nil {
		b.Cover = lazyBlob(st, *r.Cover)
		if original != nil && original.Cover != nil && original.Cover.Name == r.Cover.Name {
			if data, err := original.Cover.Bytes(); err == nil && digest.Of(data) == r.Cover.Blob {
				b.Cover = original.Cover
			}
		}
		s.cover, s.coverKept = b.Cover, r.Cover
	}
	return b, removed, nil
}

func (s *shelf) resource(st store.Store, k keptResource, theirs []*book.Resource) (*book.Resource, error) {
	if k.About == nil {
		return nil, errors.New("a kept resource has no record: the book is not read")
	}
	for _, p := range theirs {
		if p.ID == k.About.ID && sameResource(p, k) {
			s.resources[p] = k
			return p, nil
		}
	}
	var files []*book.File
	for _, f := range k.Files {
		files = append(files, lazyBlob(st, f))
	}
	res := k.About.WithFiles(files)
	s.resources[res] = k
	return res, nil
}

// sameResource reports whether a published resource is what was kept.
func sameResource(p *book.Resource, k keptResource) bool {
	a, err := json.Marshal(p)
	if err != nil {
		return false
	}
	b, err := json.Marshal(k.About)
	if err != nil || !bytes.Equal(a, b) {
		return false
	}
	files := p.Files()
	if len(files) != len(k.Files) {
		return false
	}
	for i, f := range files {
		data, err := f.Bytes()
		if err != nil || digest.Of(data) != k.Files[i].Blob {
			return false
		}
	}
	return true
}

// lazyBlob is a file of the store, read when it is first wanted.
func lazyBlob(st store.Store, f keptFile) *book.File {
	return book.LazyFile(f.Name, func() ([]byte, error) {
		return reader{context.Background(), st}.get(store.Blobs, f.Blob)
	})
}
