package sandbox

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"postext/book"
	"postext/engine/paint"
	"postext/sandbox/internal/digest"
	"postext/sandbox/store"
)

// Covers (sandbox.md 3.2): a picture of the book, none of its resources.

// coverWidth is the width of a cover made of the first page, in pixels.
const coverWidth = 240

// coverPause is how long after the first page was painted its cover is made: the
// reader's own work comes first.
const coverPause = 2 * time.Second

// mimeOf is the media type of a picture's file name.
func mimeOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".gif":
		return "image/gif"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}

// Cover gives the cover of a book of the library, open or not; nil when it has
// none.
func (s *Session) Cover(ctx context.Context, r Ref) (mimeType string, data []byte, err error) {
	l, err := s.library()
	if err != nil {
		return "", nil, err
	}
	if open := s.openRef(); r.Kind == open.Kind && r.ID == open.ID && (r.Language == "" || r.Language == open.Language) {
		snap, err := s.await(ctx)
		if err != nil {
			return "", nil, err
		}
		if c := snap.book.Cover; c != nil {
			data, err := c.Bytes()
			return mimeOf(c.Name), data, err
		}
		if open.Kind == "project" {
			return "", nil, nil // what is kept may be older
		}
		r = open
	}
	if r.Kind != "project" && r.Language == "" {
		if r, err = s.resolved(ctx, l, r); err != nil {
			return "", nil, err
		}
	}
	rec, _, err := l.readRecord(ctx, r.key())
	if err != nil {
		return "", nil, err
	}
	f := keptFile{}
	if rec != nil && rec.Cover != nil {
		f = *rec.Cover
	} else if r.Kind != "project" {
		if f, err = l.sampleCover(ctx, r.name()); err != nil {
			return "", nil, err
		}
	}
	if f.Blob == "" {
		return "", nil, nil
	}
	data, err = l.Store.Get(ctx, store.Key{Table: store.Blobs, Name: f.Blob})
	return mimeOf(f.Name), data, err
}

// painted hears that a page was painted on the screen. The first page of the
// book's first chapter becomes its cover, if it has none, when nothing else goes
// on.
func (s *Session) painted(snap snapshot, chapter string, position int) {
	if s.opts.Library == nil || position != 1 || snap.book.Chapters[0].ID != chapter || snap.book.Cover != nil {
		return
	}
	s.mu.Lock()
	o := s.opened
	first := o != nil && !s.noCover && s.barred == "" && !s.coverDue
	if first {
		s.coverDue = true
	}
	s.mu.Unlock()
	if first {
		time.AfterFunc(coverPause, func() {
			if err := s.makeCover(context.Background(), o); err != nil {
				s.tell("a cover could not be made of the first page: " + err.Error())
			}
		})
	}
}

// makeCover makes the cover of the open book from its first page.
func (s *Session) makeCover(ctx context.Context, o *Opened) error {
	s.mu.Lock()
	here := s.opened == o && !s.ended
	if here {
		s.coverDue = false
	}
	b, job := s.cur.book, s.cur.job
	s.mu.Unlock()
	if !here || b.Cover != nil {
		return nil
	}
	select {
	case <-job.done:
	default:
		return nil // it is being laid out: the next painting asks again
	}
	if job.err != nil || len(job.res.Frames.Chapters[0].Pages) == 0 {
		return nil
	}
	data, err := s.coverOf(ctx, job)
	if err != nil {
		return err
	}
	cover := &book.File{Name: "thumbnail.jpg", Data: data}
	if o.Ref.Kind == "project" {
		// Only the record changes: no revision, no layout, no step to undo.
		s.mu.Lock()
		if s.opened == o && s.cur.book == b && !s.noCover {
			n := *b
			n.Cover = cover
			s.cur.book = &n
			s.save.touch(s, true)
		}
		s.mu.Unlock()
		s.changed()
		return nil
	}
	return o.lib.keepSampleCover(ctx, o.Ref, cover)
}

func (s *Session) coverOf(ctx context.Context, j *job) ([]byte, error) {
	painter, err := s.painter(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { s.painters <- painter }()
	m, err := painter.Page(ctx, j.res.Frames.Chapters[0].Pages[0], paint.Options{Width: coverWidth, Trimmed: true})
	if err != nil {
		return nil, err
	}
	data, err := painter.JPEG(m, 82)
	return slices.Clone(data), err
}

// keepSampleCover keeps the cover made of a sample, which stays its first.
func (l *Library) keepSampleCover(ctx context.Context, r Ref, cover *book.File) error {
	k := store.Key{Table: store.Covers, Name: r.name()}
	f := keptFile{cover.Name, digest.Of(cover.Data)}
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return l.commit(ctx, store.Batch{Puts: []store.Put{{Key: store.Key{Table: store.Blobs, Name: f.Blob}, Data: cover.Data}, {Key: k, Data: data}}})
}
