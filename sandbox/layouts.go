package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"postext/book"
	"postext/engine"
	"postext/sandbox/store"
)

// Layout records (sandbox.md 4.2): how the chapters of a book were paginated, kept
// beside the book so that its pages are known at the next visit before they are
// set. They travel in .postext files. What they say is believed only of the same
// program (Options.Build) and put right by the layout that follows.

// layoutsAfter is the pause between a layout and the keeping of its records.
const layoutsAfter = 2 * time.Second

// layoutsKey is where the records of a book are kept.
func (r Ref) layoutsKey() store.Key {
	return store.Key{Table: store.Layouts, Name: string(r.table()) + "/" + r.name()}
}

// parseLayouts reads records; nil when they are none of this program's.
func (s *Session) parseLayouts(data []byte) *engine.Records {
	if len(data) == 0 || s.opts.Build == "" {
		return nil
	}
	r := new(engine.Records)
	if json.Unmarshal(data, r) != nil || r.Engine != s.opts.Build {
		return nil
	}
	return r
}

// layoutsOf writes records down; nil where nobody could tell later which program
// made them.
func (s *Session) layoutsOf(r *engine.Records) ([]byte, error) {
	if r == nil || s.opts.Build == "" {
		return nil, nil
	}
	named := *r
	named.Engine = s.opts.Build
	return json.Marshal(&named)
}

// rememberLayout notes the records of a finished layout, and keeps them once the
// book rests for a moment.
func (s *Session) rememberLayout(j *job, r *engine.Records) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cur.job != j {
		return
	}
	s.records.now = r
	if s.opened == nil || s.barred != "" || s.opts.Build == "" || s.ended {
		return
	}
	if s.records.timer != nil {
		s.records.timer.Stop()
	}
	o := s.opened
	s.records.timer = time.AfterFunc(layoutsAfter, func() {
		// A shortcut that cannot be kept is done without.
		if err := s.keepLayouts(context.Background(), o); err != nil && s.opts.Listener.Bug != nil {
			s.opts.Listener.Bug(fmt.Errorf("keeping the layout records: %w", err), nil)
		}
	})
}

// keepLayouts keeps the records of the open book, unless they are kept.
func (s *Session) keepLayouts(ctx context.Context, o *Opened) error {
	s.mu.Lock()
	r := s.records.now
	same := s.opened == o
	s.mu.Unlock()
	if !same {
		return nil
	}
	data, err := s.layoutsOf(r)
	if err != nil || data == nil {
		return err
	}
	return o.keepLayouts(ctx, data)
}

// keepLayouts keeps layout records of the book while it is this window's.
func (o *Opened) keepLayouts(ctx context.Context, data []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unlock == nil || bytes.Equal(o.layouts, data) {
		return nil
	}
	if err := o.lib.Store.Commit(ctx, store.Batch{Puts: []store.Put{{Key: o.Ref.layoutsKey(), Data: data}}}); err != nil {
		return err
	}
	o.layouts = data
	return nil
}

// layoutState is what a session knows of layout records.
type layoutState struct {
	now   *engine.Records // of the last layout of the open book, or of an earlier visit
	timer *time.Timer
	// cold: the open book has not been laid out since it was opened.
	cold bool
}

// adoptLayouts brings the layout records of a .postext file to an own book just
// made of it: its chapters have other ids there.
func (s *Session) adoptLayouts(ctx context.Context, l *Library, ref Ref, b *book.Book, data []byte) error {
	r := s.parseLayouts(data)
	if r == nil {
		return nil
	}
	rec, _, err := l.readRecord(ctx, ref.key())
	if err != nil || rec == nil || len(rec.Chapters) != len(b.Chapters) {
		return err
	}
	chapters := make(map[string]*engine.Record, len(rec.Chapters))
	for i, c := range rec.Chapters {
		if one := r.Chapters[b.Chapters[i].File]; one != nil {
			chapters[c.ID] = one
		}
	}
	r.Chapters = chapters
	if data, err = s.layoutsOf(r); err != nil {
		return err
	}
	return l.Store.Commit(ctx, store.Batch{Puts: []store.Put{{Key: ref.layoutsKey(), Data: data}}})
}

// exportedLayouts are the layout records that go into a file with a book: of the
// open one those of now, of another those kept.
func (s *Session) exportedLayouts(ctx context.Context, snap snapshot, a *bookArgs, editions []*book.Book) (map[string]json.RawMessage, error) {
	if s.opts.Build == "" || len(editions) != 1 {
		return nil, nil
	}
	var data []byte
	var err error
	if a == nil {
		select {
		case <-snap.job.done:
			if snap.job.res != nil {
				data, err = s.layoutsOf(snap.job.res.Records)
			}
		default:
		}
	} else if a.Kind == "project" && s.opts.Library != nil {
		data, err = s.opts.Library.Store.Get(ctx, Ref{Kind: "project", ID: editions[0].ID}.layoutsKey())
	}
	if err != nil || data == nil {
		return nil, err
	}
	return map[string]json.RawMessage{editions[0].Language: data}, nil
}

// strayLayouts are the layout records of books that are there no more.
func (l *Library) strayLayouts(ctx context.Context) ([]store.Key, error) {
	keys, err := l.Store.Keys(ctx, store.Layouts)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	projects, err := l.Store.Keys(ctx, store.Projects)
	if err != nil {
		return nil, err
	}
	here := map[string]bool{}
	for _, id := range projects {
		here[string(store.Projects)+"/"+id] = true
	}
	var stray []store.Key
	for _, k := range keys {
		// Those of samples stay: a sample is there whether it was changed or not.
		if !here[k] && strings.HasPrefix(k, string(store.Projects)+"/") {
			stray = append(stray, store.Key{Table: store.Layouts, Name: k})
		}
	}
	return stray, nil
}
