package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"postext/bridge"
)

//go:generate go run ./gen

// Tools are the tools that work on a session, in the order they are listed.
func Tools(s *Session) []bridge.Tool {
	all := slices.Concat(s.stateTools(), s.pageTools(), s.textTools(), s.chapterTools(), s.designTools(), s.viewTools(), s.resourceTools(), s.fontTools(), s.exportTools(), s.importTools(), s.bookTools(), []bridge.Tool{s.resetTool()}, s.answerTools(), s.warningTools())
	for i := range all {
		if all[i].Name != "sandbox_get_state" {
			all[i].Run = s.noted(all[i].Name, all[i].Run)
		}
	}
	return all
}

// checkedArgs are arguments that can be wrong by themselves, in a way that no schema
// says: what goes with what, exactly one of several.
type checkedArgs interface{ check() error }

// define declares a tool. Arguments that are wrong by themselves are refused at
// once; the others are looked at in the call's turn.
func define[A any](s *Session, name, title, description string, hints bridge.Hints, run func(context.Context, A) (any, error)) bridge.Tool {
	return bridge.Define(name, title, description, hints, func(ctx context.Context, a A) (any, error) {
		if c, ok := any(a).(checkedArgs); ok {
			if err := c.check(); err != nil {
				if name == "sandbox_open_book" { // calls sent after it are not about the book that stays open
					s.missed(ctx, &err)
				}
				return nil, err
			}
		}
		ctx, end, err := s.inOrder(ctx, name)
		defer end()
		if err != nil {
			return nil, err
		}
		return run(ctx, a)
	})
}

// inOrder begins a call once the books that calls before it open are open; end is
// its part's end in the queue. An answer to a question may be what the others wait
// for; and the books are listed while the first one loads.
func (s *Session) inOrder(ctx context.Context, name string) (_ context.Context, end func(), _ error) {
	end = func() {} // the receiver's
	if arrivalOf(ctx) == nil {
		ctx, end = s.Arrive(ctx, name)
	}
	a := arrivalOf(ctx)
	if name != "sandbox_answer" && (name != "sandbox_list_books" || a.number > 0) {
		if err := s.isReached(ctx, a); err != nil {
			return ctx, end, err
		}
	}
	if a.missed && !independent[name] {
		return ctx, end, bridge.Refuse("a book was to be opened before this call, and could not be: nothing was done; ask sandbox_get_state which one is open, and call again")
	}
	return ctx, end, nil
}

// noted keeps the call among the recent ones of sandbox_get_state.
func (s *Session) noted(name string, run func(context.Context, json.RawMessage) (any, error)) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, args json.RawMessage) (answer any, err error) {
		begun := time.Now()
		outcome := "internal error" // what a panic leaves behind
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.recent = append(slices.Clone(s.recent), Call{Tool: name, Revision: s.cur.rev, Outcome: outcome, MS: time.Since(begun).Milliseconds()})
			if n := len(s.recent); n > 5 {
				s.recent = s.recent[n-5:]
			}
		}()
		answer, err = run(ctx, args)
		var no *bridge.Refusal
		switch {
		case err == nil:
			outcome = "ok"
		case errors.As(err, &no):
			outcome = "refused"
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			outcome = "aborted"
		}
		return answer, err
	}
}
