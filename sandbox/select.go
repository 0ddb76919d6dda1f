package sandbox

import (
	"context"
	"fmt"
	"strings"

	"postext/book"
	"postext/bridge"
)

func (s *Session) selectTool() bridge.Tool {
	return define(s, "sandbox_select_text", "Select a passage for the reader",
		"Shows the reader a passage: selected in the Text panel, the preview on its page. To change it: sandbox_edit_text.",
		reads, s.selectText)
}

type selectArgs struct {
	Chapter    any     `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id; left out: the one on screen"`
	Text       *string `json:"text,omitempty" doc:"exact passage of the source"`
	Occurrence *int    `json:"occurrence,omitempty" min:"1" doc:"of text: which one, from 1"`
	Line       *int    `json:"line,omitempty" min:"1" doc:"a whole line"`
	ToLine     *int    `json:"toLine,omitempty" min:"1" doc:"with line"`
	Offset     *int    `json:"offset,omitempty" min:"0" doc:"in UTF-16 units: the caret, or with toOffset a selection"`
	ToOffset   *int    `json:"toOffset,omitempty" min:"0"`
}

type selectAnswer struct {
	Chapter  int    `json:"chapter"`
	Title    string `json:"title"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	ToLine   int    `json:"toLine"`
	ToColumn int    `json:"toColumn"`
	Offset   int    `json:"offset"`
	ToOffset int    `json:"toOffset"`
	Selected string `json:"selected"`
	// Occurrences is how often the chapter has the passage, when it was text.
	Occurrences int   `json:"occurrences,omitempty"`
	Page        any   `json:"page"`
	Position    int   `json:"position,omitempty"`
	Revision    int64 `json:"revision"`
}

func (a selectArgs) check() error {
	n := 0
	for _, is := range []bool{a.Text != nil, a.Line != nil, a.Offset != nil} {
		if is {
			n++
		}
	}
	if n != 1 {
		return bridge.Refuse("give one of text (a passage), line or offset")
	}
	for _, with := range []struct {
		name, to string
		is, ok   bool
	}{{"occurrence", "text", a.Occurrence != nil, a.Text != nil}, {"toLine", "line", a.ToLine != nil, a.Line != nil}, {"toOffset", "offset", a.ToOffset != nil, a.Offset != nil}} {
		if with.is && !with.ok {
			return bridge.Refuse("%s goes with %s", with.name, with.to)
		}
	}
	switch {
	case a.Text != nil && book.CleanText(*a.Text) == "":
		return bridge.Refuse("text is empty: give the exact passage")
	case a.Line != nil && a.ToLine != nil && *a.ToLine < *a.Line:
		return bridge.Refuse("toLine %d comes before line %d", *a.ToLine, *a.Line)
	case a.Offset != nil && a.ToOffset != nil && *a.ToOffset < *a.Offset:
		return bridge.Refuse("toOffset %d comes before offset %d", *a.ToOffset, *a.Offset)
	}
	return nil
}

// selectText leads the reader to a passage. It waits for the pages, so that the
// page it names is that of the text it names; a book without pages still has
// its text selected.
func (s *Session) selectText(ctx context.Context, a selectArgs) (any, error) {
	l, err := s.Layout(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		snap, waited := s.await(ctx)
		if waited != nil {
			return nil, waited
		}
		l = &Settled{Book: snap.book, Revision: snap.rev}
	}
	i, err := s.chapterAt(l.Book, a.Chapter)
	if err != nil {
		return nil, err
	}
	c := l.Book.Chapters[i]
	lines := indexText(c.Markdown)
	from, to, err := a.span(lines, i)
	if err != nil {
		return nil, err
	}
	ans := selectAnswer{Chapter: i + 1, Title: shownTitle(c.Title), Line: lines.line(from), Column: lines.column(from), ToLine: lines.line(to), ToColumn: lines.column(to),
		Offset: lines.utf16(from), ToOffset: lines.utf16(to), Selected: cutText(c.Markdown[from:to], 300), Revision: l.Revision}
	if a.Text != nil {
		ans.Occurrences = strings.Count(c.Markdown, c.Markdown[from:to])
	}
	position := 1
	if l.Result != nil {
		if at, ok := locate(l.Frames.Chapters[i], from); ok {
			position = at.page + 1
			ans.Page, ans.Position = pageName(l.Frames.Chapters[i].Pages[at.page]), position
		}
	}
	s.SetView(func(v *View) { v.Panel, v.Chapter, v.Position = "text", c.ID, position })
	if f := s.opts.Listener.Reveal; f != nil {
		f(Reveal{Panel: "text", Chapter: c.ID, Offset: ans.Offset, ToOffset: ans.ToOffset, Position: position})
	}
	return ans, nil
}

// span is the bytes to select in the chapter at index i.
func (a selectArgs) span(lines *textIndex, i int) (from, to int, err error) {
	switch {
	case a.Line != nil:
		n, last := lines.count(), *a.Line
		if a.ToLine != nil {
			last = *a.ToLine
		}
		if *a.Line < 1 || *a.Line > n {
			return 0, 0, bridge.Refuse("chapter %d has lines 1 to %d, not %d", i+1, n, *a.Line)
		}
		if last < *a.Line {
			return 0, 0, bridge.Refuse("toLine %d comes before line %d", last, *a.Line)
		}
		_, from = lines.Line(*a.Line - 1)
		text, at := lines.Line(min(last, n) - 1)
		return from, at + len(text), nil
	case a.Offset != nil:
		n, last := lines.UTF16Len(), *a.Offset
		if a.ToOffset != nil {
			last = *a.ToOffset
		}
		if *a.Offset < 0 || *a.Offset > n || last > n {
			return 0, 0, bridge.Refuse("chapter %d has offsets 0 to %d, not %d", i+1, n, max(*a.Offset, last))
		}
		if last < *a.Offset {
			return 0, 0, bridge.Refuse("toOffset %d comes before offset %d", last, *a.Offset)
		}
		return lines.Byte(*a.Offset), lines.Byte(last), nil
	}
	find := book.CleanText(*a.Text)
	if find == "" {
		return 0, 0, bridge.Refuse("text is empty: give the exact passage")
	}
	want := 1
	if a.Occurrence != nil {
		want = *a.Occurrence
	}
	// The occurrences that edit_text counts: none overlapping another.
	n, at := 0, 0
	for {
		j := strings.Index(lines.src[at:], find)
		if j < 0 {
			break
		}
		if n++; n == want {
			return at + j, at + j + len(find), nil
		}
		at += j + len(find)
	}
	if n == 0 {
		return 0, 0, notFound(lines.src, find, "text")
	}
	times := "once"
	if n > 1 {
		times = fmt.Sprintf("%d times", n)
	}
	return 0, 0, bridge.Refuse("the passage %s occurs %s, on %s; there is no occurrence %d", bridge.Quote(find), times, linesOf(lines.src, find), want)
}
