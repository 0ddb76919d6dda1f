package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"postext/engine/settings"
)

// DesignQuestion asks for one thing of the Design panel: the fields of a section,
// those under a path, those at paths, those that changed, or those that have the colour
// of a palette entry; with none of them for its groups.
type DesignQuestion struct {
	Section string
	Path    string
	Paths   []string
	Changed bool
	Uses    string
	// Taken is the design that the reader gave the book; without it changes are told
	// from the design of the sample that the book is or comes from.
	Taken json.RawMessage
}

// DesignFields answers it.
type DesignFields struct {
	Groups  []settings.PanelGroup `json:"groups,omitempty"`
	Fields  []settings.Field      `json:"fields,omitempty"`
	Changed []settings.SectionOf  `json:"changed,omitempty"`
	// From names the sample whose design the book began with, Note says why it is not
	// known.
	From string `json:"from,omitempty"`
	Note string `json:"note,omitempty"`
}

// Design tells of the settings as the Design panel shows them.
func (s *Session) Design(ctx context.Context, q DesignQuestion) (*DesignFields, error) {
	snap, tree, err := s.settings(ctx)
	if err != nil {
		return nil, err
	}
	var out DesignFields
	began := []byte(q.Taken)
	if len(began) == 0 {
		if began, out.From, err = s.beganWith(ctx); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			out.Note = err.Error()
		}
	}
	was, err := settings.Parse(began)
	if err != nil {
		return nil, faults(err)
	}
	p := settings.NewPanel(tree, was, s.env(snap.book))
	switch {
	case q.Section != "":
		out.Fields = p.Section(q.Section)
	case q.Path != "":
		out.Fields, err = p.Under(q.Path)
	case len(q.Paths) > 0:
		out.Fields = p.At(q.Paths)
	case q.Uses != "":
		out.Fields = p.Uses(q.Uses)
	case q.Changed:
		out.Changed = p.Changed()
	default:
		out.Groups = p.Groups()
	}
	return &out, faults(err)
}

// beganCache keeps the design that the open book began with.
type beganCache struct {
	mu      sync.Mutex
	opening int
	config  []byte
	from    string
}

// beganWith is the design of the sample that the open book is or comes from, and the
// sample's name; nothing for a book of the reader's own.
func (s *Session) beganWith(ctx context.Context) ([]byte, string, error) {
	c := &s.began
	c.mu.Lock()
	defer c.mu.Unlock()
	s.mu.Lock()
	opening, original, open := s.cur.opening, s.original, s.opened
	s.mu.Unlock()
	switch {
	case open == nil || open.Ref.Kind == "sample":
		if original == nil {
			return nil, "", nil // not published any more
		}
		return original.Config, original.Name, nil
	case c.opening == opening:
		return bytes.Clone(c.config), c.from, nil
	}
	l, err := s.library()
	if err != nil {
		return nil, "", err
	}
	rec, _, err := l.readRecord(ctx, open.Ref.key())
	if err != nil {
		return nil, "", err
	}
	if rec == nil || rec.Source == nil {
		c.opening, c.config, c.from = opening, nil, ""
		return nil, "", nil
	}
	b, err := l.Samples.Load(ctx, rec.Source.ID, rec.Source.Language)
	if err == nil {
		b, err = canonical(b)
	}
	if err != nil {
		return nil, "", err
	}
	c.opening, c.config, c.from = opening, b.Config, b.Name
	return bytes.Clone(c.config), c.from, nil
}
