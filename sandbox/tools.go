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
			all[i].Run = s.noted(all[i].Name, s.inOrder(all[i].Name, all[i].Run))
		}
	}
	return all
}

// inOrder begins a call once the books that calls before it open are open, and
// ends its part in the queue. An answer to a question may be what the others wait
// for; and the books are listed while the first one loads.
func (s *Session) inOrder(name string, run func(context.Context, json.RawMessage) (any, error)) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, args json.RawMessage) (any, error) {
		if arrivalOf(ctx) == nil {
			arrived, end := s.Arrive(ctx, name)
			defer end()
			ctx = arrived
		}
		a := arrivalOf(ctx)
		if name != "sandbox_answer" && (name != "sandbox_list_books" || a.opening > 0) {
			if err := s.isReached(ctx, a); err != nil {
				return nil, err
			}
		}
		if a.missed && !independent[name] {
			return nil, bridge.Refuse("a book was to be opened before this call, and could not be: nothing was done; ask sandbox_get_state which one is open, and call again")
		}
		return run(ctx, args)
	}
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
