package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"postext/engine/frame"
	"postext/engine/layout"
	"postext/engine/markup"
	"postext/engine/settings"
)

// A fault of the layout itself costs the chapter it happened in, not the book: an
// empty page with a warning stands in the chapter's place until what it is laid
// out from changes.

// LayoutFailed is the kind of the warning on a page that stands in for a chapter.
const LayoutFailed = "layoutFailed"

// fault is a panic of the layout.
type fault struct {
	what  any
	stack []byte
}

func (f *fault) Error() string { return fmt.Sprint(f.what) }

// attempt is what a chapter was laid out from, as far as a failure may hang on it.
type attempt struct {
	doc       *markup.Document
	design    *settings.Design
	start     layout.State
	outline   uint64
	resources string
}

// failure is a chapter that could not be laid out.
type failure struct {
	of    attempt
	id    string // of the internal error
	laid  *layout.Chapter
	total int // the number of pages printed on it
}

// chapter lays a chapter out, or gives the page that stands in for it.
func (t *Typesetter) chapter(ctx context.Context, in *layout.Input, e *chapter, resources string, o Observer) (*layout.Chapter, error) {
	of := attempt{in.Doc, in.Design, in.Start, in.OutlineKey, resources}
	prev := e.laid
	if e.failed != nil {
		if f := e.failed; f.of == of && (!f.laid.Totals || f.total == in.BookTotal) {
			return f.laid, nil
		}
		prev = nil
	}
	c, err := t.guarded(ctx, in, prev)
	var f *fault
	if !errors.As(err, &f) {
		if err == nil {
			e.failed = nil
		}
		return c, err
	}
	t.lay.Renew()
	id := fmt.Sprintf("%08x", uint32(layout.KeyOf(in.ID, in.Doc.Source, f.Error())))
	if o.Bug != nil && (e.failed == nil || e.failed.id != id) {
		o.Bug(fmt.Errorf("internal error %s: laying out chapter %d: %w", id, in.Chapter+1, f), f.stack)
	}
	empty := &layout.Input{ID: in.ID, Title: in.Title, Doc: markup.Parse("", e.options), Design: in.Design, Start: in.Start,
		BookTotal: in.BookTotal, Pictures: in.Pictures, Record: in.Record, Chapter: in.Chapter}
	if c, err = t.guarded(ctx, empty, nil); err != nil {
		if errors.As(err, &f) { // not even an empty page: the design is at fault
			t.lay.Renew()
		}
		return nil, err
	}
	// The chapters after it count on as if it were there.
	_, _, _, end := layout.Scan(in.Doc, in.Design, in.Start)
	c.End.Counters, c.End.Ordinal, c.End.Part, c.End.Boxes, c.End.Equations = end.Counters, end.Ordinal, end.Part, end.Boxes, end.Equations
	c.Frame.Problems = append(c.Frame.Problems, frame.Problem{Kind: LayoutFailed, Start: -1, Page: 0,
		Detail: fmt.Sprintf("this chapter could not be laid out (internal error %s): undo the last change, or edit chapter %d", id, in.Chapter+1),
		Fields: []frame.Field{{Key: "internalError", Value: id}}})
	e.failed = &failure{of, id, c, in.BookTotal}
	return c, nil
}

// guarded lays a chapter out; a panic is an error of type fault.
func (t *Typesetter) guarded(ctx context.Context, in *layout.Input, prev *layout.Chapter) (c *layout.Chapter, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = nil, &fault{p, debug.Stack()}
		}
	}()
	return t.lay.Chapter(ctx, in, prev)
}
