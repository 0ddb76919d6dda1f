package sandbox

import (
	"context"
	"hash/fnv"
	"strconv"

	"postext/book"
	"postext/bridge"
	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

func (s *Session) stateTools() []bridge.Tool {
	return []bridge.Tool{
		bridge.Define("sandbox_get_state", "What is open",
			"Says what is open: the book, its chapters with words and pages, the page on screen, undo steps, warnings, and whether all is saved. Call it first, and after a time-out or an abort: revision tells whether a change is in. Never waits. (Tools that change the book wait for its pages, unless wait is false.)",
			reads, func(_ context.Context, _ struct{}) (any, error) { return s.stateAnswer(), nil }),
	}
}

// stateAnswer is the state as a tool tells it: of a book with very many chapters
// not every one is listed.
type stateAnswer struct {
	State
	View *briefView `json:"view"`
	// ViewUnsaved: the book is in storage, how it is shown not yet.
	ViewUnsaved bool     `json:"viewUnsaved,omitempty"`
	Truncated   *leftOut `json:"truncated,omitempty"`
}

// leftOut says which chapters of a list are not in an answer.
type leftOut struct {
	Listed int    `json:"listed"`
	Of     int    `json:"of"`
	Note   string `json:"note"`
}

// stateAbout is stateAnswer for a call that is about one book: with another one
// open it refuses.
func (s *Session) stateAbout(ctx context.Context) (stateAnswer, error) {
	st := s.State()
	for st.Book == nil { // one is being opened
		if _, err := s.await(ctx); err != nil {
			return stateAnswer{}, err
		}
		st = s.State()
	}
	if err := about(ctx, snapshot{number: st.number}); err != nil {
		return stateAnswer{}, err
	}
	return told(st), nil
}

func (s *Session) stateAnswer() stateAnswer { return told(s.State()) }

func told(st State) stateAnswer {
	ans := stateAnswer{State: st}
	// The reader's place is kept in its own time: the book is saved all the same.
	ans.ViewUnsaved = st.Kept && !st.Saved
	ans.Saved, ans.Opening, ans.Kept = st.Kept, 0, false
	ans.Chapters, ans.Truncated = listedChapters(ans.Chapters, func(c StateChapter) StateChapter { return c })
	ans.View = briefly(st.View)
	return ans
}

// briefView is a view without what is as at the beginning: few readers change it,
// and every answer would carry it.
type briefView struct {
	*StateView
	ReaderFontScale *float64      `json:"readerFontScale,omitempty"`
	ReaderColumns   *string       `json:"readerColumns,omitempty"`
	EPUBLayout      *string       `json:"epubLayout,omitempty"`
	Guides          *guidesOnView `json:"guides,omitempty"`
}

func briefly(v *StateView) *briefView {
	if v == nil {
		return nil
	}
	brief := &briefView{StateView: v}
	if v.ReaderFontScale != startView.ReaderFontScale {
		brief.ReaderFontScale = &v.ReaderFontScale
	}
	if v.ReaderColumns != startView.ReaderColumns {
		brief.ReaderColumns = &v.ReaderColumns
	}
	if v.EPUBLayout != startView.EPUBLayout {
		brief.EPUBLayout = &v.EPUBLayout
	}
	if v.Guides != (guidesOnView{Caret: true, Selection: true}) {
		brief.Guides = &v.Guides
	}
	return brief
}

// listedChapters keeps of a list of chapters what one answer may hold: the first
// ones, and the one on screen.
func listedChapters[T any](list []T, row func(T) StateChapter) ([]T, *leftOut) {
	room := maxText - 5000 // for the rest of the answer
	var kept []T
	full := false
	for i, c := range list {
		r := row(c)
		size := 130 + len(r.ID) + len(r.Title) + len(r.FirstPage) + len(r.LastPage)
		if room -= size; room < 0 {
			full = true
		}
		if !full || r.OnScreen {
			kept = append(kept, list[i])
		}
	}
	if len(kept) == len(list) {
		return list, nil
	}
	return kept, &leftOut{len(kept), len(list), "every chapter can be named by its position; sandbox_search_text finds a chapter by its words"}
}

// State is the answer of sandbox_get_state, and what is published to the
// window at every change.
type State struct {
	Ready      bool       `json:"ready"`
	WaitingFor string     `json:"waitingFor,omitempty"`
	Book       *StateBook `json:"book"`
	Pages      *int       `json:"pages"`
	PagesKnown string     `json:"pagesKnown,omitempty"`
	// Setting: the number of pages is of an earlier visit; they are being set.
	Setting   bool           `json:"setting,omitempty"`
	Chapters  []StateChapter `json:"chapters"`
	View      *StateView     `json:"view"`
	Resources int            `json:"resources"`
	Warnings  int            `json:"warnings"`
	Question  *Question      `json:"question,omitempty"`
	Notice    string         `json:"notice,omitempty"`
	// LayoutError names a chapter that could not be laid out.
	LayoutError string `json:"layoutError,omitempty"`
	// ReadOnly says why the book can only be looked at here.
	ReadOnly string    `json:"readOnly,omitempty"`
	Undo     *undoLeft `json:"undo,omitempty"`
	Saved    bool      `json:"saved"`
	// Kept, for the window: every change of the book is in storage; only how it is
	// shown may not be.
	Kept     bool  `json:"kept,omitempty"`
	Revision int64 `json:"revision"`
	// Opening counts the books opened, for the window: another number, other texts.
	Opening int    `json:"opening,omitempty"`
	Recent  []Call `json:"recent,omitempty"`

	number int // of the book, as in snapshot
}

// StateBook names the open book.
type StateBook struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Name string `json:"name"`
	// Title is what its first chapter calls it, where that is not its name: a sample's
	// in another language.
	Title    string `json:"title,omitempty"`
	Language string `json:"language,omitempty"`
	Edited   bool   `json:"edited,omitempty"`
	// Live: the sample is followed while it is open; Newer: it has been published
	// anew since the reader's changes began.
	Live  bool `json:"live,omitempty"`
	Newer bool `json:"newer,omitempty"`
	// Folder: the sample is a folder of the reader's (postext serve --book).
	Folder bool `json:"folder,omitempty"`
}

// StateChapter is one chapter of the list.
type StateChapter struct {
	Chapter  int    `json:"chapter"`
	ID       string `json:"id"`
	Title    string `json:"title"`
	OnScreen bool   `json:"onScreen,omitempty"`
	Words    int    `json:"words"`
	Pages    *int   `json:"pages"`
	// What is printed on its first and last page, once known.
	FirstPage string `json:"firstPage,omitempty"`
	LastPage  string `json:"lastPage,omitempty"`
}

// StateView is the view as the tools write it.
type StateView struct {
	Viewer       string  `json:"viewer"`
	Panel        string  `json:"panel"`
	Scope        string  `json:"scope"`
	Chapter      int     `json:"chapter"`
	Page         any     `json:"page,omitempty"`
	Position     int     `json:"position,omitempty"`
	Pages        string  `json:"pages"`
	Zoom         float64 `json:"zoom"`
	Fit          string  `json:"fit"`
	PrintPreview bool    `json:"printPreview"`
	DesignGroup  string  `json:"designGroup,omitempty"`

	ReaderFontScale float64      `json:"readerFontScale"`
	ReaderColumns   string       `json:"readerColumns"`
	EPUBLayout      string       `json:"epubLayout"`
	Guides          guidesOnView `json:"guides"`
}

// guidesOnView are the guides as the tools write them.
type guidesOnView struct {
	LooseLines   bool `json:"looseLines"`
	BaselineGrid bool `json:"baselineGrid"`
	Caret        bool `json:"caret"`
	Selection    bool `json:"selection"`
	Negative     bool `json:"negative"`
}

// State gives the published state. It never waits.
func (s *Session) State() State {
	s.mu.Lock()
	snap, view, notice := s.cur, s.view, s.notice
	st := State{WaitingFor: s.waiting, Revision: snap.rev, Saved: s.save.clean, Kept: s.save.clean || s.save.viewOnly, Notice: notice, Opening: snap.opening, number: snap.number, Chapters: []StateChapter{}}
	select {
	case <-s.ready:
		st.Ready = true
	default:
	}
	if s.question != nil && st.Ready {
		st.Question = s.question
		st.Ready, st.WaitingFor = false, "an answer to the question below"
	}
	ready := st.Ready || st.Question != nil
	st.Recent = append([]Call(nil), s.recent...)
	if !ready || snap.book == nil {
		s.mu.Unlock()
		return st
	}
	isEdited := s.editedLocked()
	live, newer := s.opened != nil && s.opened.Published != "", s.newer
	undo := s.undoCountsLocked()
	chapters, known, early := snap.job.chapters, snap.job.known, snap.job.early
	st.ReadOnly = s.barred
	s.mu.Unlock()

	if st.Ready {
		st.WaitingFor = ""
	}
	title := snap.book.TitleInText()
	if title == snap.book.Name {
		title = ""
	}
	st.Book = &StateBook{Title: title, Kind: snap.book.Kind, ID: snap.book.ID, Name: snap.book.Name, Language: snap.book.Language, Edited: isEdited, Live: live, Newer: newer,
		Folder: snap.book.Kind == "sample" && snap.book.Folder}
	st.Resources = len(snap.book.Resources)
	if undo.Undo > 0 || undo.Redo > 0 {
		st.Undo = &undo
	}
	select {
	case <-snap.job.done:
		if snap.job.res != nil {
			n := snap.job.res.Frames.PageCount()
			st.Pages = &n
		}
	default:
	}
	if st.Pages == nil && len(known) == len(snap.book.Chapters) {
		// Of an earlier visit: they are being set anew behind the reader's back.
		n := 0
		for _, k := range known {
			n += k.Pages
		}
		st.Pages, st.Setting = &n, true
	}
	if st.Pages == nil {
		st.PagesKnown = strconv.Itoa(len(chapters)) + " of " + strconv.Itoa(len(snap.book.Chapters))
	}
	st.Warnings = s.report(s.laidSoFar(snap)).Count()
	st.LayoutError = unset(chapters)
	st.View = viewState(snap.book, view, s.aids(snap.book), chapters, early)
	st.Chapters = s.chapterList(snap.book, view.Chapter, chapters, known)
	return st
}

func viewState(b *book.Book, v View, aids settings.Debug, chapters []*frame.Chapter, early *frame.Chapter) *StateView {
	st := &StateView{Viewer: v.Viewer, Panel: v.Panel, Scope: v.Scope, Chapter: positionOf(b, v.Chapter), Position: v.Position,
		Pages: v.Pages, Zoom: v.Zoom, Fit: v.Fit, PrintPreview: v.PrintPreview, DesignGroup: v.DesignGroup,
		ReaderFontScale: v.ReaderFontScale, ReaderColumns: v.ReaderColumns, EPUBLayout: v.EPUBLayout,
		Guides: v.Guides.over(aids)}
	shown := early
	if i := st.Chapter - 1; i >= 0 && i < len(chapters) {
		shown = chapters[i]
	}
	if shown != nil && shown.ID == v.Chapter && len(shown.Pages) > 0 {
		st.Position = min(v.Position, len(shown.Pages))
		st.Page = pageName(shown.Pages[st.Position-1])
	}
	return st
}

// PageInfo is a page as the window lists it.
type PageInfo struct {
	Chapter  string  `json:"chapter"` // id
	Position int     `json:"position"`
	Label    string  `json:"label"`
	Side     string  `json:"side"`
	Width    float64 `json:"width"` // CSS pixels at zoom 1
	Height   float64 `json:"height"`
	Blank    bool    `json:"blank,omitempty"`
	Role     string  `json:"role"`
	Key      string  `json:"key"` // changes when the page has to be painted again
}

// PageList lists the pages the window shows: of the chapter on screen, or with
// the view's scope "book" of every chapter laid out so far. It never waits.
func (s *Session) PageList() (pages []PageInfo, revision int64, complete bool) {
	s.mu.Lock()
	snap, view := s.cur, s.view
	pages = []PageInfo{}
	if snap.job == nil {
		s.mu.Unlock()
		return pages, snap.rev, false
	}
	chapters := snap.job.chapters
	if c := snap.job.early; c != nil && view.Scope != "book" && c.ID == view.Chapter && positionOf(snap.book, c.ID) > len(chapters) {
		chapters = []*frame.Chapter{c}
	}
	s.mu.Unlock()
	select {
	case <-snap.job.done:
		complete = true
	default:
	}
	aids := s.aids(snap.book)
	guides := guidesKey(view.Guides.over(aids), aids)
	for _, c := range chapters {
		if view.Scope != "book" && c.ID != view.Chapter {
			continue
		}
		for k, p := range c.Pages {
			sheet := p.Sheet()
			pages = append(pages, PageInfo{Chapter: c.ID, Position: k + 1, Label: p.Label, Side: side(p), Blank: p.Blank, Role: p.Role.String(),
				Width: round(sheet.W.Pt()*96/72, 2), Height: round(sheet.H.Pt()*96/72, 2), Key: pageKey(p) + guides})
		}
		if view.Scope != "book" {
			complete = true
		}
	}
	return pages, snap.rev, complete
}

// pageKey identifies what a page looks like: equal keys, equal pictures.
func pageKey(p *frame.Page) string {
	h := fnv.New64a()
	var buf [8]byte
	num := func(v int64) {
		for i := range buf {
			buf[i] = byte(v >> (8 * i))
		}
		// A hash never fails to take bytes.
		h.Write(buf[:])
	}
	color := func(c unit.Color) { num(int64(c.R) | int64(c.G)<<8 | int64(c.B)<<16 | int64(c.A)<<24) }
	rect := func(r unit.Rect) { num(int64(r.X)); num(int64(r.Y)); num(int64(r.W)); num(int64(r.H)) }
	line := func(l *frame.Line) {
		num(int64(l.X))
		num(int64(l.Baseline))
		if l.LineSet == nil {
			return
		}
		for ri := range l.Runs {
			r := &l.Runs[ri]
			if r.Face != nil {
				num(int64(r.Face.Key))
			}
			num(int64(r.Size))
			num(int64(r.Rise))
			if r.Picture != nil {
				num(int64(r.Picture.Hash))
				num(int64(r.PicW)<<32 ^ int64(r.PicH))
			}
			num(int64(r.Tracking))
			color(r.Color)
			if r.Underline {
				num(1)
			}
			if r.Strike {
				num(2)
			}
			for wi := range r.Words {
				w := &r.Words[wi]
				num(int64(w.X))
				num(int64(w.From)<<32 | int64(w.To))
				if w.Shape != nil {
					h.Write([]byte(w.Shape.Text))
				}
			}
		}
	}
	items := func(list []frame.Item) {
		for i := range list {
			it := &list[i]
			rect(it.Box)
			color(it.Fill)
			color(it.Stroke)
			num(int64(it.Line))
			h.Write([]byte(it.Image))
			if it.Picture != nil {
				num(int64(it.Picture.Hash))
				num(int64(it.Crop.X0)<<32 | int64(it.Crop.Y0))
				num(int64(it.Crop.X1)<<32 | int64(it.Crop.Y1))
			}
			if it.Text != nil {
				line(it.Text)
			}
		}
	}
	num(int64(p.Width))
	num(int64(p.Height))
	rect(p.Content)
	color(p.Background)
	num(int64(p.GridTop))
	num(int64(p.GridPitch))
	if m := p.Marks; m != nil {
		for _, v := range [...]unit.Sp{m.Bleed, m.Margin, m.Start, m.Length, m.Width} {
			num(int64(v))
		}
		color(m.Color)
	}
	items(p.Under)
	items(p.LineNumbers)
	items(p.Header)
	items(p.Footer)
	for ci := range p.Columns {
		rect(p.Columns[ci].Box)
	}
	for _, b := range p.Blocks() {
		num(int64(b.Turn))
		items(b.Under)
		for k := range b.Lines {
			line(&b.Lines[k])
		}
		items(b.Over)
	}
	return strconv.FormatUint(h.Sum64(), 36)
}
