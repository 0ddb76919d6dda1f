package sandbox

import (
	"context"
	"errors"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/store"
)

// Questions and notices (sandbox.md 12).

// Question waits for the reader's answer.
type Question struct {
	Kind string `json:"kind"` // replaceCopy
	Text string `json:"text"`
	Book string `json:"book"` // name of the copy

	origin string
	fetch  func(context.Context) (*book.Book, error)
}

func isQuota(err error) bool { return errors.Is(err, store.ErrQuota) }

func (s *Session) answerTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_answer", "Answer a question or dismiss a notice",
			"Answers the question that sandbox_get_state shows (replaceCopy: false keeps the reader's copy, true replaces it by the published book), or closes the notice.",
			bridge.Hints{Consequential: true}, s.answer),
	}
}

type answerArgs struct {
	ReplaceCopy   *bool `json:"replaceCopy,omitempty"`
	DismissNotice *bool `json:"dismissNotice,omitempty"`
}

func (a answerArgs) check() error {
	if a.ReplaceCopy == nil && (a.DismissNotice == nil || !*a.DismissNotice) {
		return bridge.Refuse("give replaceCopy (true or false) to answer the question, or dismissNotice: true to close the notice")
	}
	return nil
}

func (s *Session) answer(ctx context.Context, a answerArgs) (any, error) {
	s.mu.Lock()
	question, notice := s.question, s.notice
	s.mu.Unlock()
	if a.ReplaceCopy != nil && question == nil {
		return nil, bridge.Refuse("there is no question to answer; sandbox_get_state shows one as question")
	}
	dismiss := a.DismissNotice != nil && *a.DismissNotice
	if a.ReplaceCopy == nil && notice == "" {
		return nil, bridge.Refuse("there is no notice to close; sandbox_get_state shows one as notice")
	}
	out := map[string]any{}
	if a.ReplaceCopy != nil {
		if err := s.answerReplace(ctx, question, *a.ReplaceCopy); err != nil {
			return nil, err
		}
		out["answered"] = map[string]any{"replaceCopy": *a.ReplaceCopy}
	}
	if dismiss {
		s.mu.Lock()
		if s.notice == notice {
			s.notice = ""
		}
		s.mu.Unlock()
		out["dismissed"] = notice
		s.changed()
	}
	st := s.State()
	out["ready"], out["book"], out["revision"] = st.Ready, st.Book, st.Revision
	return out, nil
}

// answerReplace keeps the copy that is open, or brings the published book in and
// then deletes the copy.
func (s *Session) answerReplace(ctx context.Context, q *Question, replace bool) error {
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return err
	}
	defer done()
	s.mu.Lock()
	current := s.question == q
	s.mu.Unlock()
	if !current {
		return bridge.Refuse("the question has been answered meanwhile; ask sandbox_get_state")
	}
	if replace {
		old := s.openRef()
		b, err := q.fetch(ctx)
		if err != nil {
			return err
		}
		ref, err := s.opts.Library.Add(ctx, b, startView, nil, q.origin, func() error { return s.opts.Yield(ctx) })
		if err != nil {
			return saveRefusal(err)
		}
		s.ask(nil)
		if err := s.openBook(ctx, ref, b.Name, false); err != nil {
			return err
		}
		if _, err := s.opts.Library.Delete(ctx, old, "replaced by the published book"); err != nil {
			return err
		}
		return nil
	}
	s.ask(nil)
	return nil
}

// ask sets the question, or with nil takes it back.
func (s *Session) ask(q *Question) {
	s.mu.Lock()
	s.question = q
	s.mu.Unlock()
	s.changed()
}

// OpenLink opens a book by a link of the page that embeds the Sandbox. origin
// names the book ("key:id:lang"), fetch brings it. The first time it is kept as
// an own book; after that the reader's copy opens, with the question whether to
// replace it.
func (s *Session) OpenLink(ctx context.Context, origin string, fetch func(context.Context) (*book.Book, error)) error {
	l, err := s.library()
	if err != nil {
		return err
	}
	done, err := s.onlyOpener(ctx)
	if err != nil {
		return err
	}
	defer done()
	list, names, _, err := l.records(ctx, store.Projects)
	if err != nil {
		return err
	}
	for i, r := range list {
		if r.Origin != origin || origin == "" {
			continue
		}
		if err := s.openBook(ctx, Ref{Kind: "project", ID: names[i]}, r.Name, false); err != nil {
			return err
		}
		s.ask(&Question{Kind: "replaceCopy", Book: r.Name, origin: origin, fetch: fetch,
			Text: "You already have a copy of the book " + bridge.Quote(r.Name) + ". Open your copy, or replace it with the published version?"})
		return nil
	}
	b, err := fetch(ctx)
	if err != nil {
		return err
	}
	ref, err := l.Add(ctx, b, startView, nil, origin, func() error { return s.opts.Yield(ctx) })
	if err != nil {
		return saveRefusal(err)
	}
	return s.openBook(ctx, ref, b.Name, false)
}
