package sandbox

import (
	"bytes"

	"postext/book"
	"postext/engine/settings"
)

// View is how the book is shown. It is kept with the book and is never part of
// it.
type View struct {
	Viewer       string  `json:"viewer"`
	Panel        string  `json:"panel"`
	Scope        string  `json:"scope"`
	Chapter      string  `json:"chapter"`  // id
	Position     int     `json:"position"` // page among the chapter's, from 1
	Pages        string  `json:"pages"`    // single, spread
	Zoom         float64 `json:"zoom"`
	Fit          string  `json:"fit"` // none, width, height
	PrintPreview bool    `json:"printPreview"`
	DesignGroup  string  `json:"designGroup,omitempty"`
	// Of the viewers for reading: their type's scale, their columns, and how an
	// EPUB is laid out.
	ReaderFontScale float64    `json:"readerFontScale"`
	ReaderColumns   string     `json:"readerColumns"` // single, multi
	EPUBLayout      string     `json:"epubLayout"`    // reflowable, fixed
	Guides          ViewGuides `json:"guides"`
}

// ViewGuides are what is drawn over the pages on screen, never in the book: what is
// not said is as the design's debug settings have it.
type ViewGuides struct {
	LooseLines   guide `json:"looseLines,omitempty"`
	BaselineGrid guide `json:"baselineGrid,omitempty"`
	Caret        guide `json:"caret,omitempty"`
	Selection    guide `json:"selection,omitempty"`
	Negative     guide `json:"negative,omitempty"`
}

// guide is asked for ("on"), refused ("off") or left to the design ("").
type guide string

func (g guide) on(design bool) bool { return g == "on" || g == "" && design }

func (g *guide) set(on *bool) {
	switch {
	case on == nil:
	case *on:
		*g = "on"
	default:
		*g = "off"
	}
}

// UnmarshalJSON reads also what earlier records hold: true, or false for what was not
// asked for.
func (g *guide) UnmarshalJSON(data []byte) error {
	*g = ""
	if bytes.Equal(data, []byte("true")) || bytes.Equal(data, []byte(`"on"`)) {
		*g = "on"
	} else if bytes.Equal(data, []byte(`"off"`)) {
		*g = "off"
	}
	return nil
}

// over are the guides that are on over a design.
func (g ViewGuides) over(d settings.Debug) guidesOnView {
	return guidesOnView{g.LooseLines.on(d.Loose), g.BaselineGrid.on(false), g.Caret.on(d.Caret), g.Selection.on(d.Selection), g.Negative.on(d.Negative)}
}

// key tells apart what the guides make of a page's picture.
func (g guidesOnView) key() string {
	k := ""
	for _, f := range []struct {
		on   bool
		mark string
	}{{g.LooseLines, "l"}, {g.BaselineGrid, "g"}, {g.Negative, "n"}} {
		if f.on {
			k += f.mark
		}
	}
	if k == "" {
		return ""
	}
	return "+" + k
}

// startView is how a book is shown the first time.
var startView = View{Viewer: "canvas", Panel: "none", Scope: "chapter", Position: 1, Pages: "single", Zoom: 1, Fit: "width",
	ReaderFontScale: 1, ReaderColumns: "multi", EPUBLayout: "reflowable"}

// words are the values a view may have; the first is the fallback.
var words = map[string][]string{
	"viewer": {"canvas", "pdf", "folio", "html", "epub"},
	"panel":  {"none", "books", "chapters", "text", "resources", "fonts", "design", "checks"},
	"scope":  {"chapter", "book"},
	"pages":  {"single", "spread"},
	"fit":    {"none", "width", "height"},

	"readerColumns": {"multi", "single"},
	"epubLayout":    {"reflowable", "fixed"},
}

func oneOf(kind, word, fallback string) string {
	for _, w := range words[kind] {
		if w == word {
			return word
		}
	}
	return fallback
}

// settle makes a view (perhaps stored by another program) fit the book.
func (v *View) settle(b *book.Book) {
	v.Viewer = oneOf("viewer", v.Viewer, startView.Viewer)
	v.Panel = oneOf("panel", v.Panel, startView.Panel)
	v.Scope = oneOf("scope", v.Scope, startView.Scope)
	v.Pages = oneOf("pages", v.Pages, startView.Pages)
	v.Fit = oneOf("fit", v.Fit, startView.Fit)
	v.ReaderColumns = oneOf("readerColumns", v.ReaderColumns, startView.ReaderColumns)
	v.EPUBLayout = oneOf("epubLayout", v.EPUBLayout, startView.EPUBLayout)
	switch {
	case !(v.ReaderFontScale >= 0.6): // also the zero of an old record
		v.ReaderFontScale = startView.ReaderFontScale
	case v.ReaderFontScale > 2.5:
		v.ReaderFontScale = 2.5
	}
	switch {
	case !(v.Zoom >= 0.25): // also NaN and the zero of an old record
		v.Zoom = startView.Zoom
	case v.Zoom > 4:
		v.Zoom = 4
	}
	if len(b.Chapters) > 200 {
		v.Scope = "chapter" // sandbox.md 4.2
	}
	if chapterByID(b, v.Chapter) == nil {
		v.Chapter, v.Position = b.Chapters[0].ID, 1
	}
	v.Position = max(v.Position, 1)
}

// SetView changes the view by hand (the window's doing; no tool's answer waits
// for it). It is kept at once, like every change of the view.
func (s *Session) SetView(f func(*View)) View {
	s.mu.Lock()
	if s.cur.book == nil {
		v := s.view
		s.mu.Unlock()
		return v
	}
	before := s.view
	f(&s.view)
	s.view.settle(s.cur.book)
	v := s.view
	if v != before {
		viewOnly := s.save.clean || s.save.viewOnly
		s.save.touch(s, true)
		s.save.viewOnly = viewOnly
	}
	s.mu.Unlock()
	if v != before {
		s.changed()
	}
	return v
}

// View gives the view as it is.
func (s *Session) View() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view
}
