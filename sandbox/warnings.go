package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"postext/book"
	"postext/bridge"
	"postext/engine/check"
	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/settings"
)

// The checks of the open book (warnings.md): the tool, what the panel lists, and
// the counts that the state and the answers of changing tools give. All are the
// same report.

func (s *Session) warningTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_get_warnings", "What the checks found",
			"Lists what the checks found in a chapter or the book, each with its line, offsets, page, setting or resource. Mend it and call again.",
			reads, s.getWarnings),
	}
}

type warningsArgs struct {
	Scope    string `json:"scope" default:"chapter" enum:"chapter,book"`
	Chapter  any    `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id"`
	Category string `json:"category,omitempty" enum:"fonts,figures,markup,design,typesetting,preflight,system"`
	Kind     string `json:"kind,omitempty" maxLen:"60"`
	Limit    int    `json:"limit" default:"200" min:"1" max:"500"`
	After    string `json:"after,omitempty" doc:"next of an earlier answer"`
}

type warningsAnswer struct {
	Scope      string         `json:"scope"`
	Chapter    int            `json:"chapter,omitempty"`
	Title      string         `json:"chapterTitle,omitempty"`
	Total      int            `json:"total"`
	ByCategory map[string]int `json:"byCategory"`
	Warnings   []warningRow   `json:"warnings"`
	Next       string         `json:"next,omitempty"`
	// Note says why checks of the pages are missing.
	Note     string `json:"note,omitempty"`
	Revision int64  `json:"revision"`
}

// warningRow is a warning as the tool and the panel give it (warnings.md 1.2).
type warningRow struct {
	Kind         string `json:"kind"`
	Category     string `json:"category"`
	Title        string `json:"title"`
	Detail       string `json:"detail"`
	Chapter      int    `json:"chapter,omitempty"`
	ChapterTitle string `json:"chapterTitle,omitempty"`
	Line         int    `json:"line,omitempty"`
	Offset       *int   `json:"offset,omitempty"`
	ToOffset     *int   `json:"toOffset,omitempty"`
	Page         any    `json:"page,omitempty"`
	Position     int    `json:"position,omitempty"` // of the page in its chapter
	Path         string `json:"path,omitempty"`
	Resource     string `json:"resource,omitempty"`

	payload []frame.Field
}

// MarshalJSON writes the payload's fields after the common ones.
func (r warningRow) MarshalJSON() ([]byte, error) {
	type common warningRow
	out, err := json.Marshal(common(r))
	if err != nil || len(r.payload) == 0 {
		return out, err
	}
	out = out[:len(out)-1]
	taken := map[string]bool{"kind": true, "category": true, "title": true, "detail": true, "chapter": true, "chapterTitle": true,
		"line": true, "offset": true, "toOffset": true, "page": r.Page != nil, "position": true, "path": r.Path != "", "resource": true}
	for _, f := range r.payload {
		if taken[f.Key] {
			continue
		}
		taken[f.Key] = true
		key, err := json.Marshal(f.Key)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, ','), key...), ':'), check.Value(f)...)
	}
	return append(out, '}'), nil
}

// checks is what a session keeps of its checks.
type checks struct {
	mu      sync.Mutex
	checker check.Checker
}

// report checks a book as far as it is laid out; text says of which chapters
// without pages the text is looked at.
func (s *Session) report(src check.Source) *check.Report {
	s.mu.Lock()
	list := s.fontList
	s.mu.Unlock()
	if s.opts.Families != nil {
		here := s.opts.Families()
		src.Families = strings.Join(here, "\n") + strconv.Itoa(len(list))
		src.Family = func(name string) bool {
			if s.opts.Catalogue != nil && list == nil {
				return true // unheard of until the catalogue is read
			}
			_, listed := list.Find(name)
			return listed || slices.ContainsFunc(here, func(h string) bool { return font.Fold(h) == font.Fold(name) })
		}
	}
	src.Unstored = s.opts.Unstored
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	return s.checks.checker.Check(&src)
}

// reportOf is the report of a book with all its pages.
func (s *Session) reportOf(l *Settled) *check.Report {
	return s.report(check.Source{Book: l.Book, Design: l.Design, Chapters: l.Frames.Chapters, Problems: l.Problems})
}

// readCatalogue reads the open catalogue when a family of the book may be in it.
// Where it cannot be had, no family is called unknown.
func (s *Session) readCatalogue(ctx context.Context, b *book.Book) error {
	if s.opts.Families == nil || s.opts.Catalogue == nil {
		return nil
	}
	tree, err := settings.Parse(b.Config)
	if err != nil {
		return nil // the design tells it
	}
	here, own := s.opts.Families(), settings.CustomFonts(tree)
	for _, u := range settings.FamiliesUsed(tree, s.env(b), true) {
		same := func(name string) bool { return font.Fold(name) == font.Fold(u.Family) }
		if slices.ContainsFunc(here, same) || slices.ContainsFunc(own, func(f settings.CustomFont) bool { return same(f.Name) }) {
			continue
		}
		if _, err := s.catalogue(ctx); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		return nil
	}
	return nil
}

func (a warningsArgs) check() error {
	if a.Scope == "book" && a.Chapter != nil {
		return bridge.Refuse(`scope "book" is every chapter: leave chapter out, or scope`)
	}
	if a.Kind != "" {
		var names []string
		for _, k := range check.Kinds() {
			if k.Name == a.Kind && a.Category != "" && a.Category != k.Category {
				return bridge.Refuse("%s is a warning of the category %s, not %s: leave category out", a.Kind, k.Category, a.Category)
			}
			names = append(names, k.Name)
		}
		if slices.Contains(names, a.Kind) {
			return nil
		}
		return bridge.Refuse("there is no kind %s of warning; nearest are %s. Without kind the answer holds every kind there is", bridge.Quote(a.Kind), strings.Join(bridge.Nearest(a.Kind, names)[:6], ", "))
	}
	_, err := afterCount(a.After)
	return err
}

func (s *Session) getWarnings(ctx context.Context, a warningsArgs) (any, error) {
	skip, err := afterCount(a.After)
	if err != nil {
		return nil, err
	}
	l, note, err := s.laidOrNot(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.readCatalogue(ctx, l.Book); err != nil {
		return nil, err
	}
	ans := warningsAnswer{Scope: a.Scope, ByCategory: map[string]int{}, Warnings: []warningRow{}, Note: note, Revision: l.Revision}
	chapter := -1
	if a.Scope == "chapter" {
		if chapter, err = s.chapterAt(l.Book, a.Chapter); err != nil {
			return nil, err
		}
		ans.Chapter, ans.Title = chapter+1, shownTitle(l.Book.Chapters[chapter].Title)
	}
	src := check.Source{Book: l.Book, Text: func(i int) bool { return chapter < 0 || i == chapter }}
	if l.Result != nil {
		src.Design, src.Chapters, src.Problems = l.Design, l.Frames.Chapters, l.Problems
	}
	found := s.report(src).Select(chapter, a.Category)
	if a.Kind != "" {
		found = slices.DeleteFunc(found, func(w check.Warning) bool { return w.Kind != a.Kind })
	}
	ans.Total = len(found)
	for i := range found {
		ans.ByCategory[found[i].Of.Category]++
	}
	rows := rowsOf(l.Book, src.Chapters)
	room := maxText
	for k := skip; k < len(found); k++ {
		row := rows.of(&found[k])
		room -= len(row.Detail) + len(row.Title) + len(row.ChapterTitle) + 200
		for _, f := range row.payload {
			room -= len(f.Key) + len(f.Value) + 6
		}
		if n := len(ans.Warnings); n == a.Limit || n > 0 && room < 0 {
			ans.Next = strconv.Itoa(k)
			break
		}
		ans.Warnings = append(ans.Warnings, row)
	}
	return ans, nil
}

// laidOrNot waits for the pages; of a book that cannot be laid out it gives the
// book alone and says why.
func (s *Session) laidOrNot(ctx context.Context) (*Settled, string, error) {
	l, err := s.Layout(ctx)
	if err == nil {
		return l, "", nil
	}
	var no *bridge.Refusal
	if !errors.As(err, &no) {
		return nil, "", err
	}
	snap, err := s.await(ctx)
	if err != nil {
		return nil, "", err
	}
	return &Settled{Book: snap.book, Revision: snap.rev}, "only what needs no pages was checked: " + no.Message, nil
}

// rowMaker turns warnings into rows; the chapters' lines are counted once each.
type rowMaker struct {
	book     *book.Book
	chapters []*frame.Chapter
	lines    map[int]*textIndex
}

func rowsOf(b *book.Book, chapters []*frame.Chapter) *rowMaker {
	return &rowMaker{b, chapters, map[int]*textIndex{}}
}

func (m *rowMaker) of(w *check.Warning) warningRow {
	r := warningRow{Kind: w.Kind, Category: w.Of.Category, Title: w.Of.Title, Detail: w.Detail, Path: w.Path, Resource: w.Resource, payload: w.Fields}
	if w.Chapter < 0 {
		return r
	}
	c := m.book.Chapters[w.Chapter]
	r.Chapter, r.ChapterTitle = w.Chapter+1, shownTitle(c.Title)
	if w.Start >= 0 {
		t := m.lines[w.Chapter]
		if t == nil {
			t = indexText(c.Markdown)
			m.lines[w.Chapter] = t
		}
		from := min(w.Start, len(c.Markdown))
		to := min(max(w.End, from), len(c.Markdown))
		offset, toOffset := t.utf16(from), t.utf16(to)
		r.Line, r.Offset, r.ToOffset = t.line(from), &offset, &toOffset
	}
	if w.Chapter < len(m.chapters) {
		if pages := m.chapters[w.Chapter].Pages; w.Page >= 0 && w.Page < len(pages) {
			r.Page, r.Position = pageName(pages[w.Page]), w.Page+1
		}
	}
	return r
}

// WarningList is what the Checks panel shows: the warnings of the whole book as far
// as it is laid out.
type WarningList struct {
	Total    int          `json:"total"`
	Warnings []warningRow `json:"warnings"`
	Revision int64        `json:"revision"`
}

// maxListed is the most warnings the panel shows.
const maxListed = 1000

// WarningList lists the warnings of the book. It never waits for pages: of a
// chapter on screen that has none yet it tells what needs none.
func (s *Session) WarningList(ctx context.Context) (WarningList, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return WarningList{}, err
	}
	if err := s.readCatalogue(ctx, snap.book); err != nil {
		return WarningList{}, err
	}
	src := s.laidSoFar(snap)
	on := s.View().Chapter
	src.Text = func(i int) bool { return snap.book.Chapters[i].ID == on }
	found := s.report(src).Select(-1, "")
	list := WarningList{Total: len(found), Warnings: []warningRow{}, Revision: snap.rev}
	rows := rowsOf(snap.book, src.Chapters)
	for i := range found[:min(len(found), maxListed)] {
		list.Warnings = append(list.Warnings, rows.of(&found[i]))
	}
	return list, nil
}

// laidSoFar is a book with the chapters that have been laid out.
func (s *Session) laidSoFar(snap snapshot) check.Source {
	src := check.Source{Book: snap.book}
	s.mu.Lock()
	src.Chapters = snap.job.chapters
	s.mu.Unlock()
	select {
	case <-snap.job.done:
		if r := snap.job.res; r != nil {
			src.Design, src.Problems = r.Design, r.Problems
		}
	default:
	}
	return src
}

// appeared counts by category the warnings of after that before did not have.
func (s *Session) appeared(before, after *Settled) map[string]int {
	type key struct{ chapter, kind, detail, path, resource string }
	old := map[key]int{}
	each := func(l *Settled, f func(key, string)) {
		for _, w := range s.reportOf(l).Select(-1, "") {
			k := key{kind: w.Kind, detail: w.Detail, path: w.Path, resource: w.Resource}
			if w.Chapter >= 0 {
				k.chapter = l.Book.Chapters[w.Chapter].ID
			}
			f(k, w.Of.Category)
		}
	}
	each(before, func(k key, _ string) { old[k]++ })
	var fresh map[string]int
	each(after, func(k key, category string) {
		if old[k] > 0 {
			old[k]--
			return
		}
		if fresh == nil {
			fresh = map[string]int{}
		}
		fresh[category]++
	})
	return fresh
}
