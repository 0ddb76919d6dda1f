package sandbox

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/settings"
)

func (s *Session) viewTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_set_view", "Change how the book is shown",
			"Changes what the reader sees: panel, chapter, single pages or spreads, fit, zoom, guides; never the book. To turn pages: sandbox_go_to_page.",
			reads, s.setView),
		define(s, "sandbox_go_to_page", "Turn to a page",
			"Turns the reader's preview to a page: by step, printed page, position, a passage, an anchor or an entry of the contents. To look without moving the reader: sandbox_render_page.",
			reads, s.goToPage),
	}
}

type setViewArgs struct {
	Viewer          string        `json:"viewer,omitempty" enum:"canvas,pdf,folio,html,epub"`
	Panel           string        `json:"panel,omitempty" enum:"none,books,chapters,text,resources,fonts,design,checks"`
	DesignGroup     *string       `json:"designGroup,omitempty" doc:"of the Design panel"`
	Scope           string        `json:"scope,omitempty" enum:"chapter,book" doc:"what the preview shows"`
	Chapter         any           `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id"`
	Pages           string        `json:"pages,omitempty" enum:"single,spread"`
	Fit             string        `json:"fit,omitempty" enum:"none,width,height"`
	Zoom            *float64      `json:"zoom,omitempty" min:"0.25" max:"4"`
	ReaderFontScale *float64      `json:"readerFontScale,omitempty" min:"0.6" max:"2.5"`
	ReaderColumns   string        `json:"readerColumns,omitempty" enum:"single,multi"`
	EPUBLayout      string        `json:"epubLayout,omitempty" enum:"fixed,reflowable"`
	PrintPreview    *bool         `json:"printPreview,omitempty"`
	Guides          *guidesToView `json:"guides,omitempty"`
}

type guidesToView struct {
	LooseLines   *bool `json:"looseLines,omitempty"`
	BaselineGrid *bool `json:"baselineGrid,omitempty"`
	Caret        *bool `json:"caret,omitempty"`
	Selection    *bool `json:"selection,omitempty"`
	Negative     *bool `json:"negative,omitempty"`
}

// viewersHere are the viewers that this version of the page has.
var viewersHere = []string{"canvas"}

func (a setViewArgs) check() error {
	if a == (setViewArgs{}) || a.Guides != nil && *a.Guides == (guidesToView{}) && a == (setViewArgs{Guides: a.Guides}) {
		return bridge.Refuse("give what to change: viewer, panel, designGroup, scope, chapter, pages, fit, zoom, readerFontScale, readerColumns, epubLayout, printPreview or guides")
	}
	if a.Viewer != "" && !slices.Contains(viewersHere, a.Viewer) {
		return bridge.Refuse("this version of the page shows the %s only, not %s: nothing was changed", strings.Join(viewersHere, ", "), a.Viewer)
	}
	if a.DesignGroup != nil && *a.DesignGroup != "" {
		var ids []string
		for _, g := range settings.Groups() {
			ids = append(ids, g.ID)
		}
		if !slices.Contains(ids, *a.DesignGroup) {
			return bridge.Refuse("there is no group %s of settings; there are %s", bridge.Quote(*a.DesignGroup), strings.Join(bridge.Nearest(*a.DesignGroup, ids), ", "))
		}
	}
	if a.Zoom != nil && a.Fit != "" && a.Fit != "none" {
		return bridge.Refuse("zoom goes with fit \"none\", or without fit: fit %q sets the zoom itself", a.Fit)
	}
	return nil
}

func (s *Session) setView(ctx context.Context, a setViewArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	chapter := ""
	if a.Chapter != nil {
		i, err := s.chapterAt(snap.book, a.Chapter)
		if err != nil {
			return nil, err
		}
		chapter = snap.book.Chapters[i].ID
	}
	if a.Scope == "book" && len(snap.book.Chapters) > 200 {
		return nil, bridge.Refuse("a book of more than 200 chapters is shown chapter by chapter; this one has %d", len(snap.book.Chapters))
	}
	before := s.State().View
	s.SetView(func(v *View) {
		for _, f := range []struct {
			to   *string
			word string
		}{{&v.Viewer, a.Viewer}, {&v.Panel, a.Panel}, {&v.Scope, a.Scope}, {&v.Pages, a.Pages}, {&v.Fit, a.Fit}, {&v.ReaderColumns, a.ReaderColumns}, {&v.EPUBLayout, a.EPUBLayout}} {
			if f.word != "" {
				*f.to = f.word
			}
		}
		if a.DesignGroup != nil {
			v.DesignGroup = *a.DesignGroup
		}
		if a.Zoom != nil {
			v.Zoom = *a.Zoom
			if a.Fit == "" {
				v.Fit = "none" // a zoom of its own fits nothing
			}
		}
		if a.ReaderFontScale != nil {
			v.ReaderFontScale = *a.ReaderFontScale
		}
		if a.PrintPreview != nil {
			v.PrintPreview = *a.PrintPreview
		}
		if g := a.Guides; g != nil {
			v.Guides.LooseLines.set(g.LooseLines)
			v.Guides.BaselineGrid.set(g.BaselineGrid)
			v.Guides.Negative.set(g.Negative)
			v.Guides.Caret.set(g.Caret)
			v.Guides.Selection.set(g.Selection)
		}
		if chapter != "" && chapter != v.Chapter {
			v.Chapter, v.Position = chapter, 1
		}
	})
	after := s.State()
	return map[string]any{"view": after.View, "changed": changedFields(before, after.View), "revision": after.Revision}, nil
}

// changedFields names the fields of a view that are not what they were.
func changedFields(before, after *StateView) []string {
	list := []string{}
	if before == nil || after == nil {
		return list
	}
	a, b := reflect.ValueOf(*before), reflect.ValueOf(*after)
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
			list = append(list, name)
		}
	}
	return list
}

type goToPageArgs struct {
	pageArgs
	Step   any     `json:"step,omitempty" types:"integer,string" doc:"pages on (negative: back), next, previous, first or last"`
	Text   *string `json:"text,omitempty" minLen:"1"`
	Anchor *string `json:"anchor,omitempty" minLen:"1" doc:"heading id, resource id or note"`
	// Contents is an entry of the table of contents.
	Contents any `json:"contents,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"entry: number from 1, or title"`
}

func (a goToPageArgs) check() error {
	given := 0
	for _, is := range []bool{a.Step != nil, a.Page != nil, a.Position != nil, a.Text != nil, a.Anchor != nil, a.Contents != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		return bridge.Refuse("give one of step, page, position, text, anchor or contents")
	}
	switch step := a.Step.(type) {
	case float64:
		if math.Abs(step) > 1e6 {
			return bridge.Refuse("step is a whole number of pages")
		}
	case string:
		if !slices.Contains(steps, step) {
			return bridge.Refuse("step is a number of pages, or next, previous, first or last, not %s", bridge.Quote(step))
		}
	}
	switch {
	case a.Chapter != nil && (a.Step != nil || a.Anchor != nil || a.Contents != nil):
		return bridge.Refuse("chapter goes with page, position or text; step, anchor and contents look through the whole book")
	case a.Text != nil && *a.Text == "":
		return bridge.Refuse("text is empty: give a passage of the chapter")
	case a.Anchor != nil && strings.Trim(*a.Anchor, "# ") == "":
		return bridge.Refuse("anchor is empty: give the id of a heading or resource, or the number of a note")
	}
	return a.pageArgs.check()
}

// steps are the words that a step may be.
var steps = []string{"next", "previous", "first", "last"}

func (s *Session) goToPage(ctx context.Context, a goToPageArgs) (any, error) {
	if a.Chapter != nil && a.given() {
		snap, i, c, k, found, err := s.pageOfChapter(ctx, a.Chapter, a.pageArgs)
		if err != nil {
			return nil, err
		}
		if found {
			return s.turnedTo(snap.book, i, c, k, snap.rev), nil
		}
	}
	l, err := s.Layout(ctx)
	if err != nil {
		return nil, err
	}
	i, err := s.chapterAt(l.Book, a.Chapter)
	if err != nil {
		return nil, err
	}
	k := 0
	switch {
	case a.Step != nil:
		i, k, err = s.stepped(l, i, a.Step)
	case a.Text != nil:
		off := strings.Index(l.Book.Chapters[i].Markdown, *a.Text)
		if off < 0 {
			return nil, bridge.Refuse("the chapter has no passage %s; sandbox_search_text finds words in the whole book", bridge.Quote(*a.Text))
		}
		if sp, ok := locate(l.Frames.Chapters[i], off); ok {
			k = sp.page
		}
	case a.Anchor != nil:
		i, k, err = anchored(l, strings.TrimPrefix(strings.TrimSpace(*a.Anchor), "#"))
	case a.Contents != nil:
		i, k, err = contentsEntry(l, a.Contents)
	case a.Page != nil && a.Chapter == nil:
		i, k, err = s.pageAnywhere(l, i, a.pageArgs)
	default:
		k, err = s.pageAt(l, i, a.pageArgs)
	}
	if err != nil {
		return nil, err
	}
	if k >= len(l.Frames.Chapters[i].Pages) {
		return nil, bridge.Refuse("chapter %d has no pages", i+1)
	}
	return s.turnedTo(l.Book, i, l.Frames.Chapters[i], k, l.Revision), nil
}

// turnedTo shows page k of the chapter at index i and says which it is.
func (s *Session) turnedTo(b *book.Book, i int, c *frame.Chapter, k int, rev int64) map[string]any {
	id := b.Chapters[i].ID
	s.SetView(func(v *View) { v.Chapter, v.Position = id, k+1 })
	if f := s.opts.Listener.Reveal; f != nil {
		f(Reveal{Chapter: id, Position: k + 1})
	}
	return map[string]any{"chapter": i + 1, "title": shownTitle(b.Chapters[i].Title), "position": k + 1, "page": pageName(c.Pages[k]), "revision": rev}
}

// pageAnywhere finds a printed page in the chapter on screen, else in the first
// chapter that has it.
func (s *Session) pageAnywhere(l *Settled, i int, a pageArgs) (int, int, error) {
	k, err := s.pageAt(l, i, a)
	if err == nil {
		return i, k, nil
	}
	for j := range l.Frames.Chapters {
		if k, err := s.pageAt(l, j, a); err == nil {
			return j, k, nil
		}
	}
	return i, 0, err
}

// stepped is the page some steps from the one on screen, through the whole book.
func (s *Session) stepped(l *Settled, i int, step any) (int, int, error) {
	v := s.View()
	var list []struct{ chapter, page int }
	now := 0
	for ci, c := range l.Frames.Chapters {
		for k := range c.Pages {
			if l.Book.Chapters[ci].ID == v.Chapter && k+1 <= v.Position {
				now = len(list)
			}
			list = append(list, struct{ chapter, page int }{ci, k})
		}
	}
	switch st := step.(type) {
	case float64:
		now += int(st)
	case string:
		switch st {
		case "next":
			now++
		case "previous":
			now--
		case "first":
			now = 0
		case "last":
			now = len(list) - 1
		}
	}
	if len(list) == 0 {
		return i, 0, bridge.Refuse("the book has no pages")
	}
	at := list[min(max(now, 0), len(list)-1)]
	return at.chapter, at.page, nil
}

// contentsEntry finds the page of an entry of the contents: the headings of the
// book in order, as its EPUB lists them.
func contentsEntry(l *Settled, entry any) (int, int, error) {
	type place struct {
		chapter, page int
		title         string
	}
	var list []place
	for i, c := range l.Frames.Chapters {
		for k, p := range c.Pages {
			for _, b := range p.Blocks() {
				if b.Kind == frame.Heading && !b.Continued {
					list = append(list, place{i, k, strings.Join(strings.Fields(pieceText(b, l.Book.Chapters[i].Markdown)), " ")})
				}
			}
		}
	}
	if len(list) == 0 {
		return 0, 0, bridge.Refuse("the book has no headings, so its contents have no entries; page and text find a place too")
	}
	switch e := entry.(type) {
	case float64:
		if n := int(e); float64(n) == e && n >= 1 && n <= len(list) {
			return list[n-1].chapter, list[n-1].page, nil
		}
		return 0, 0, bridge.Refuse("the contents have the entries 1 to %d", len(list))
	case string:
		var titles []string
		for _, exact := range []bool{true, false} {
			for _, at := range list {
				if exact && at.title == e || !exact && foldText(at.title) == foldText(e) {
					return at.chapter, at.page, nil
				}
				if exact {
					titles = append(titles, at.title)
				}
			}
		}
		return 0, 0, bridge.Refuse("the contents have no entry %s; there are %s", bridge.Quote(e), bridge.Choices(bridge.Nearest(e, titles), "sandbox_inspect_pages"))
	}
	return 0, 0, bridge.Refuse("contents is an entry's number or title")
}

// anchored finds the page of what bears a name: a heading, a box, a figure, a table,
// a formula, an anchor in the line; or of a note by its number.
func anchored(l *Settled, id string) (int, int, error) {
	for i, c := range l.Frames.Chapters {
		for k, p := range c.Pages {
			for _, b := range p.Blocks() {
				if b.ID == id && id != "" || b.Kind == frame.Note && b.Number == id {
					return i, k, nil
				}
			}
		}
	}
	var names []string
	for i, doc := range l.Docs {
		at := -1
		named := func(name string, start int) {
			if name == "" {
				return
			}
			names = append(names, name)
			if name == id && at < 0 {
				at = start
			}
		}
		markup.Walk(doc.Blocks, func(b *markup.Block) bool {
			named(b.ID, b.Start)
			b.EachText(func(in []markup.Inline) {
				for k := range in {
					if in[k].Kind == markup.Anchor {
						named(in[k].ID, in[k].Start)
					}
				}
			})
			return true
		})
		if at < 0 {
			continue
		}
		if sp, ok := locate(l.Frames.Chapters[i], at); ok {
			return i, sp.page, nil
		}
	}
	for _, r := range resourcesOf(l.Book) {
		if r.ID == id {
			return 0, 0, bridge.Refuse("the resource %s stands on no page: place it with %s or cite it with %s (sandbox_edit_text)", bridge.Quote(id), placeLine(r.ID), citeMark(r.ID))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return 0, 0, bridge.Refuse("there is no anchor %s: nothing in the book has a name. A heading gets one in braces, \"## Title {#name}\"; text goes to a passage, contents to a heading by its title", bridge.Quote(id))
	}
	return 0, 0, bridge.Refuse("there is no anchor %s; there are %s. text goes to a passage, contents to a heading by its title", bridge.Quote(id), bridge.Choices(bridge.Nearest(id, names), "sandbox_search_text"))
}
