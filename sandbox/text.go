package sandbox

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"postext/book"
	"postext/bridge"
)

// Limits of tools.md 1.
const (
	maxChapter = book.MaxChapter // bytes of a chapter's text
	maxText    = 60_000          // characters of a text part of an answer
)

func (s *Session) textTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_read_text", "Read a chapter's text",
			"Reads a chapter's Markdown with line numbers, all or some lines. Read before editing: edits match the source exactly. To find words: sandbox_search_text. Example: {\"chapter\": 2, \"fromLine\": 40, \"toLine\": 80}.",
			reads, s.readText),
		define(s, "sandbox_write_text", "Replace a chapter's text",
			"Replaces a chapter's whole Markdown. For some passages use sandbox_edit_text, for a new chapter sandbox_manage_chapters. One step of sandbox_undo_text.",
			writes, s.writeText),
		define(s, "sandbox_edit_text", "Edit passages of a chapter",
			"Replaces exact passages of a chapter: each find must match the source and occur once, unless all is true. All edits or none; one step of sandbox_undo_text. Example: {\"edits\": [{\"find\": \"colour\", \"replace\": \"color\", \"all\": true}]}.",
			writes, s.editText),
		define(s, "sandbox_undo_text", "Undo or redo text edits",
			"Takes back text edits made by tools, the last call first; with redo makes them again. Not what a person typed, nor chapters or settings: those go back with the from values of their answers.",
			writes, s.undoText),
		s.selectTool(),
		define(s, "sandbox_search_text", "Search the book's text",
			"Finds words or a regular expression in the book or a chapter, with line, offset and context. Ignores case and accents unless caseSensitive. Example: {\"query\": \"baseline grid\", \"pages\": true}.",
			reads, s.searchText),
	}
}

// The hints of reading and of changing tools; both answer with the book's text.
var (
	reads  = bridge.Hints{ReadOnly: true, Untrusted: true}
	writes = bridge.Hints{Untrusted: true}
)

type readTextArgs struct {
	Chapter  any         `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id; left out: the one on screen"`
	FromLine int         `json:"fromLine,omitempty" min:"1" doc:"from 1"`
	Column   int         `json:"fromColumn,omitempty" min:"1" doc:"where on fromLine to begin, in UTF-16 units from 1"`
	ToLine   int         `json:"toLine,omitempty" min:"1" doc:"the last one"`
	Around   *aroundArgs `json:"around,omitempty" doc:"instead of fromLine and toLine"`
	Numbers  bool        `json:"numbers" default:"true" doc:"\"12| \" before each line"`
}

type aroundArgs struct {
	Line  int `json:"line" min:"1"`
	Lines int `json:"lines" default:"8" min:"0" max:"1000" doc:"before and after it"`
}

type readTextAnswer struct {
	Chapter     int          `json:"chapter"`
	Title       string       `json:"title"`
	Lines       int          `json:"lines"`
	Words       int          `json:"words"`
	FromLine    int          `json:"fromLine"`
	FromColumn  int          `json:"fromColumn,omitempty"`
	ToLine      int          `json:"toLine"`
	Text        string       `json:"text"`
	FrontMatter *frontMatter `json:"frontMatter,omitempty"`
	Truncated   *nextLine    `json:"truncated,omitempty"`
	Revision    int64        `json:"revision"`
}

type frontMatter struct {
	FromLine int  `json:"fromLine"`
	ToLine   int  `json:"toLine"`
	Ignored  bool `json:"ignored,omitempty"`
}

type nextLine struct {
	NextLine   int    `json:"nextLine"`
	NextColumn int    `json:"nextColumn,omitempty"`
	Note       string `json:"note,omitempty"`
}

func (a readTextArgs) check() error {
	switch {
	case a.Around != nil && (a.FromLine > 0 || a.ToLine > 0):
		return bridge.Refuse("give around or fromLine and toLine, not both")
	case a.Around != nil && a.Column > 0:
		return bridge.Refuse("fromColumn goes with fromLine, not with around")
	case a.ToLine > 0 && a.ToLine < a.FromLine:
		return bridge.Refuse("toLine %d comes before fromLine %d", a.ToLine, a.FromLine)
	}
	return nil
}

func (s *Session) readText(ctx context.Context, a readTextArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	i, err := s.chapterAt(snap.book, a.Chapter)
	if err != nil {
		return nil, err
	}
	c := snap.book.Chapters[i]
	lines := indexText(c.Markdown)
	n := lines.count()
	from, to := max(a.FromLine, 1), n
	if a.ToLine > 0 {
		to = a.ToLine
	}
	if a.Around != nil {
		if a.Around.Line > n {
			return nil, bridge.Refuse("chapter %d has lines 1 to %d, not %d", i+1, n, a.Around.Line)
		}
		from, to = max(a.Around.Line-a.Around.Lines, 1), a.Around.Line+a.Around.Lines
	}
	if from > n {
		return nil, bridge.Refuse("chapter %d has lines 1 to %d, not %d", i+1, n, from)
	}
	to = min(to, n)
	skip := 0 // bytes of the first line
	if a.Column > 1 {
		x := book.NewIndex(lines.text(from))
		if a.Column > x.UTF16Len()+1 {
			return nil, bridge.Refuse("line %d has columns 1 to %d, not %d", from, x.UTF16Len()+1, a.Column)
		}
		skip = x.Byte(a.Column - 1)
	}
	ans := readTextAnswer{Chapter: i + 1, Title: shownTitle(c.Title), Lines: n, FromLine: from, Revision: snap.rev,
		Words: book.Words(c.Markdown, isCJK(snap.book.Language))}
	if skip > 0 {
		ans.FromColumn = a.Column
	}
	if _, end := book.FrontMatter(c.Markdown); end > 0 {
		ans.FrontMatter = &frontMatter{FromLine: 1, ToLine: lines.line(end - 1), Ignored: i > 0}
	}
	var b strings.Builder
	room := maxText
	last := from
	for l := from; l <= to; l++ {
		text := lines.text(l)
		if l == from {
			text = text[skip:]
		}
		if a.Numbers {
			text = strconv.Itoa(l) + "| " + text
		}
		if l > from {
			text = "\n" + text
		}
		size := book.UTF16Len(text)
		if size > room {
			ans.Truncated = &nextLine{NextLine: l}
			if l == from { // a single line over the cap: give what there is room for
				part := text[:book.NewIndex(text).Byte(room)]
				b.WriteString(part)
				shown := len(part) - (len(text) - len(lines.text(l)[skip:]))
				ans.Truncated = &nextLine{NextLine: l, NextColumn: book.UTF16Len(lines.text(l)[:skip+shown]) + 1,
					Note: fmt.Sprintf("line %d is longer than an answer may be: read on with fromLine and fromColumn", l)}
			}
			break
		}
		room -= size
		b.WriteString(text)
		last = l
	}
	// What is read without numbers can be written back: the end of the chapter's
	// last line belongs to it.
	if !a.Numbers && a.Around == nil && ans.Truncated == nil && last == n &&
		strings.HasSuffix(c.Markdown, "\n") {
		b.WriteByte('\n')
	}
	ans.ToLine, ans.Text = last, b.String()
	return ans, nil
}

// fileArgs is a file given by address or by its bytes.
type fileArgs struct {
	URL    string `json:"url,omitempty" doc:"https: or data:"`
	Base64 string `json:"base64,omitempty" `
	Name   string `json:"name,omitempty" maxLen:"200"`
}

type writeTextArgs struct {
	Chapter  any       `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id; left out: the one on screen"`
	Markdown *string   `json:"markdown,omitempty" doc:"the new text; or give file"`
	File     *fileArgs `json:"file,omitempty" doc:"a .md file"`
	Wait     bool      `json:"wait" default:"true"`
}

type writeTextAnswer struct {
	Chapter int      `json:"chapter"`
	Title   string   `json:"title"`
	Changed bool     `json:"changed"`
	Lines   int      `json:"lines"`
	Words   int      `json:"words"`
	Undo    undoLeft `json:"undo"`
	// Note says what of the text could not be kept as it was given.
	Note string `json:"note,omitempty"`
	Pages
}

type undoLeft struct {
	Undo int    `json:"undo"`
	Redo int    `json:"redo"`
	Next string `json:"next,omitempty"`
}

func (a writeTextArgs) check() error {
	if (a.Markdown == nil) == (a.File == nil) {
		return bridge.Refuse("give markdown (the text itself) or file (a .md file), one of the two")
	}
	if a.File != nil {
		return a.File.check("file")
	}
	return fitsChapter(*a.Markdown)
}

func (s *Session) writeText(ctx context.Context, a writeTextArgs) (any, error) {
	var text string
	if a.Markdown != nil {
		text = *a.Markdown
	} else {
		var err error
		if text, err = s.fetchText(ctx, *a.File); err != nil {
			return nil, err
		}
	}
	if err := fitsChapter(text); err != nil {
		return nil, err
	}
	cleaned := book.Cleaned(text)
	text = book.CleanText(text)
	var ans writeTextAnswer
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		i, err := s.chapterAt(snap.book, a.Chapter)
		if err != nil {
			return nil, err
		}
		c := snap.book.Chapters[i]
		ans = writeTextAnswer{Chapter: i + 1, Title: shownTitle(c.Title), Lines: indexText(text).count(), Words: book.Words(text, isCJK(snap.book.Language))}
		p := difference(c.Markdown, text)
		if len(p) == 0 {
			return nil, nil
		}
		ans.Changed = true
		return &change{book: withText(snap.book, c.ID, text), texts: []string{c.ID},
			step: &step{chapter: c.ID, tool: "sandbox_write_text", summary: "whole text replaced", edit: edit{p}}}, nil
	}, func(Pages) { ans.Undo = s.undoCounts() })
	if err != nil {
		return nil, err
	}
	ans.Note, ans.Pages = cleaned, pages
	return ans, nil
}

func fitsChapter(text string) error {
	if why := book.ChapterTooLong(int64(len(text))); why != "" {
		return bridge.Refuse("%s", why)
	}
	return nil
}

type editTextArgs struct {
	Chapter any       `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id; left out: the one on screen"`
	Edits   []oneEdit `json:"edits" doc:"1 to 200, each on the outcome of those before"`
	Wait    bool      `json:"wait" default:"true"`
	DryRun  bool      `json:"dryRun" default:"false" doc:"only say what would be done"`
}

type oneEdit struct {
	Find    string `json:"find" minLen:"1" doc:"exact passage of the source"`
	Replace string `json:"replace"`
	All     bool   `json:"all,omitempty" default:"false" doc:"every occurrence"`
}

type editTextAnswer struct {
	Chapter int          `json:"chapter"`
	Title   string       `json:"title"`
	Edits   []editedText `json:"edits"`
	Changed bool         `json:"changed"`
	DryRun  bool         `json:"dryRun,omitempty"`
	Undo    undoLeft     `json:"undo"`
	Pages
}

type editedText struct {
	Occurrences int `json:"occurrences"`
	Line        int `json:"line"`
}

func (a editTextArgs) check() error {
	if len(a.Edits) == 0 || len(a.Edits) > 200 {
		return bridge.Refuse("edits holds 1 to 200 edits of the form {\"find\": …, \"replace\": …}, not %d", len(a.Edits))
	}
	for k, e := range a.Edits {
		if book.CleanText(e.Find) == "" {
			return bridge.Refuse("edits[%d].find is empty: give the exact passage to replace", k)
		}
	}
	return nil
}

func (s *Session) editText(ctx context.Context, a editTextArgs) (any, error) {
	var ans editTextAnswer
	make := func(snap snapshot) (*change, error) {
		i, err := s.chapterAt(snap.book, a.Chapter)
		if err != nil {
			return nil, err
		}
		c := snap.book.Chapters[i]
		ans = editTextAnswer{Chapter: i + 1, Title: shownTitle(c.Title), DryRun: a.DryRun}
		text, done, passes, err := applyEdits(c.Markdown, a.Edits)
		if err != nil {
			return nil, err
		}
		ans.Edits = done
		ans.Changed = text != c.Markdown
		if !ans.Changed || a.DryRun {
			return nil, nil
		}
		return &change{book: withText(snap.book, c.ID, text), texts: []string{c.ID},
			step: &step{chapter: c.ID, tool: "sandbox_edit_text", summary: editSummary(done), edit: passes}}, nil
	}
	pages, err := s.write(ctx, a.Wait && !a.DryRun, make, func(Pages) { ans.Undo = s.undoCounts() })
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	return ans, nil
}

func editSummary(done []editedText) string {
	n := 0
	for _, d := range done {
		n += d.Occurrences
	}
	if n == 1 {
		return fmt.Sprintf("1 passage, line %d", done[0].Line)
	}
	return fmt.Sprintf("%d passages, first on line %d", n, done[0].Line)
}

// applyEdits makes the edits in order; the error names the edit that cannot be
// made and what to do about it.
func applyEdits(text string, edits []oneEdit) (string, []editedText, edit, error) {
	var done []editedText
	var passes edit
	for k, e := range edits {
		find, replace := book.CleanText(e.Find), book.CleanText(e.Replace)
		if find == "" {
			return "", nil, nil, bridge.Refuse("edits[%d].find is empty: give the exact passage to replace", k)
		}
		n := strings.Count(text, find)
		if n == 0 {
			return "", nil, nil, notFound(text, find, fmt.Sprintf("edits[%d]", k))
		}
		if n == 1 && !e.All {
			// "aa" stands in "aaa" twice, whichever is meant.
			first := strings.Index(text, find)
			_, size := utf8.DecodeRuneInString(find)
			if strings.Contains(text[first+size:min(len(text), first+2*len(find)-1)], find) {
				return "", nil, nil, bridge.Refuse("edits[%d]: the passage %s occurs twice on line %d, the second overlapping the first; give more of its surroundings",
					k, bridge.Quote(find), lineAt(text, first))
			}
		}
		if n > 1 && !e.All {
			return "", nil, nil, bridge.Refuse("edits[%d]: the passage %s occurs %d times, on %s; give more of its surroundings, or all: true",
				k, bridge.Quote(find), n, linesOf(text, find))
		}
		done = append(done, editedText{Occurrences: n, Line: lineAt(text, strings.Index(text, find))})
		if find == replace {
			continue
		}
		if grown := len(text) + n*(len(replace)-len(find)); grown > maxChapter && grown > len(text) {
			return "", nil, nil, bridge.Refuse("edits[%d] would make the chapter %.1f MB; a chapter may have 16 MB", k, float64(grown)/(1<<20))
		}
		p := replaced(text, find, replace, n)
		text = p.apply(text)
		passes = append(passes, p)
	}
	return text, done, passes, nil
}

// maxSplices is how many places of one edit are kept apart: beyond it the whole
// stretch from the first to the last is one splice, which takes less memory.
const maxSplices = 20_000

// replaced is the pass that replaces the n occurrences of find.
func replaced(text, find, replace string, n int) pass {
	if n > maxSplices {
		return difference(text, strings.ReplaceAll(text, find, replace))
	}
	p := make(pass, 0, n)
	for at := 0; ; {
		j := strings.Index(text[at:], find)
		if j < 0 {
			return p
		}
		p = append(p, splice{From: at + j, Old: find, New: replace})
		at += j + len(find)
	}
}

// linesOf lists the lines on which a passage occurs, each once, at most 12.
func linesOf(text, find string) string {
	var lines []string
	line, at, more, told := 1, 0, 0, 0
	for {
		j := strings.Index(text[at:], find)
		if j < 0 {
			break
		}
		line += strings.Count(text[at:at+j], "\n")
		switch {
		case line == told: // each line once
		case len(lines) < 12:
			lines = append(lines, strconv.Itoa(line))
		default:
			more++
		}
		told = line
		line += strings.Count(find, "\n")
		at += j + len(find)
	}
	list := "lines " + strings.Join(lines, ", ")
	switch {
	case more == 1: // named like the others
		list += ", " + strconv.Itoa(told)
	case more > 1:
		list += fmt.Sprintf(" … and %d more: call sandbox_search_text", more)
	case len(lines) == 1:
		list = "line " + lines[0]
	}
	return list
}

type undoTextArgs struct {
	Redo  bool `json:"redo" default:"false" `
	Steps int  `json:"steps" default:"1" min:"1" max:"200"`
	Wait  bool `json:"wait" default:"true"`
}

type undoTextAnswer struct {
	Undone []undoneStep `json:"undone,omitempty"`
	Redone []undoneStep `json:"redone,omitempty"`
	Undo   undoLeft     `json:"undo"`
	Pages
}

type undoneStep struct {
	Chapter int    `json:"chapter"`
	Title   string `json:"title"`
	Tool    string `json:"tool"`
	Summary string `json:"summary"`
}

func (s *Session) undoText(ctx context.Context, a undoTextArgs) (any, error) {
	var steps []undoneStep
	var left undoLeft
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		steps = nil
		s.mu.Lock()
		list := s.undo
		s.mu.Unlock()
		from := list.done
		if a.Redo {
			from = list.undone
		}
		if len(from) == 0 {
			return nil, nothingTo(a.Redo, list.lost)
		}
		if a.Steps > len(from) {
			have := "there is 1 step"
			if len(from) > 1 {
				have = fmt.Sprintf("there are %d steps", len(from))
			}
			return nil, bridge.Refuse("%s to %s, not %d", have, undoWord(a.Redo), a.Steps)
		}
		b := snap.book
		var texts []string
		for k := range a.Steps {
			st := from[len(from)-1-k]
			c := chapterByID(b, st.chapter)
			if c == nil {
				return nil, bridge.Refuse("step %d cannot be taken: its chapter is no longer in the book", k+1)
			}
			e := st.edit
			if !a.Redo {
				e = e.inverse()
			}
			if len(e) > 0 && !e[0].fits(c.Markdown) {
				return nil, bridge.Refuse("step %d cannot be taken: that passage has been changed since; read chapter %s again and use sandbox_edit_text", k+1, bridge.Quote(c.Title))
			}
			b = withText(b, c.ID, e.apply(c.Markdown))
			texts = append(texts, c.ID)
			steps = append(steps, undoneStep{Chapter: positionOf(b, c.ID), Title: shownTitle(c.Title), Tool: st.tool, Summary: st.summary})
		}
		return &change{book: b, texts: distinct(texts), history: func(u *undoList) { u.move(a.Redo, a.Steps) }}, nil
	}, func(Pages) { left = s.undoCounts() })
	if err != nil {
		return nil, err
	}
	ans := undoTextAnswer{Undo: left, Pages: pages}
	if a.Redo {
		ans.Redone = steps
	} else {
		ans.Undone = steps
	}
	return ans, nil
}

func undoWord(redo bool) string {
	if redo {
		return "redo"
	}
	return "undo"
}

func nothingTo(redo bool, lost string) error {
	if redo {
		return bridge.Refuse("there is nothing to redo: only text edits undone by sandbox_undo_text since the last edit can be redone")
	}
	why := "no tool has edited the text since the book was opened"
	if lost != "" {
		why = lost
	}
	return bridge.Refuse("there is nothing to undo: %s. Typed text has its own undo in the editor, settings and chapters are put back with the values of their answers, and the list is lost on reload", why)
}

// undoCounts says what is left to undo and redo.
func (s *Session) undoCounts() undoLeft {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.undoCountsLocked()
}

func (s *Session) undoCountsLocked() undoLeft {
	u := undoLeft{Undo: len(s.undo.done), Redo: len(s.undo.undone)}
	if st, ok := s.undo.next(); ok && s.cur.book != nil {
		u.Next = fmt.Sprintf("edit of chapter %d", positionOf(s.cur.book, st.chapter))
	}
	return u
}

// positionOf is a chapter's place from 1; 0 when it is gone.
func positionOf(b *book.Book, id string) int {
	for i, c := range b.Chapters {
		if c.ID == id {
			return i + 1
		}
	}
	return 0
}

func distinct(list []string) []string {
	seen := map[string]bool{}
	out := list[:0:0]
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
