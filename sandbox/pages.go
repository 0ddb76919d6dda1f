package sandbox

import (
	"context"
	"math"
	"strings"

	"postext/bridge"
	"postext/engine/check"
	"postext/engine/frame"
	"postext/engine/unit"
)

func (s *Session) pageTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_render_page", "See pages as pictures",
			"Paints pages as pictures, to judge them by eye: up to 8 in a row, or a crop magnified. As data: sandbox_inspect_pages. The reader's screen does not move. Example: {\"chapter\": 3, \"page\": 24, \"count\": 2, \"width\": 1200}.",
			reads, s.renderPage),
		define(s, "sandbox_inspect_pages", "Describe pages as data",
			"Describes pages as data: a row for each page of a chapter; with page or position each block with its text, lines, hyphens, loose lines, box and source, and how full each column is. As pictures: sandbox_render_page.",
			reads, s.inspectPages),
		define(s, "sandbox_inspect_point", "What is at a point of a page",
			"Says what is at a point of a page: the block, line and column of its Markdown, the word, a link's target, a table's cell (row and column from 1). With select the Text panel opens there. Example: {\"chapter\": 3, \"page\": 24, \"x\": 0.71, \"y\": 0.42}.",
			reads, s.inspectPoint),
	}
}

type inspectPagesArgs struct {
	pageArgs
	From   int    `json:"from,omitempty" min:"1" doc:"without page: first position"`
	Count  int    `json:"count,omitempty" min:"1" doc:"pages; with page or position at most 8"`
	Text   string `json:"text" default:"start" enum:"start,full,none" doc:"of each block"`
	Blocks bool   `json:"blocks" default:"true"`
	Lines  bool   `json:"lines" default:"false" doc:"with page or position: every line"`
}

type inspectAnswer struct {
	Chapter      int       `json:"chapter"`
	Title        string    `json:"title"`
	ChapterPages int       `json:"chapterPages"`
	Converged    bool      `json:"converged"`
	Pages        []pageRow `json:"pages"`
	Truncated    *nextPage `json:"truncated,omitempty"`
	Revision     int64     `json:"revision"`
}

type nextPage struct {
	NextPosition int    `json:"nextPosition"`
	Note         string `json:"note,omitempty"`
}

type pageRow struct {
	Position   int    `json:"position"`
	Label      string `json:"label"`
	Role       string `json:"role"`
	Blank      bool   `json:"blank"`
	Lines      int    `json:"lines"`
	Figures    int    `json:"figures"`
	Notes      int    `json:"notes,omitempty"`
	Starts     string `json:"starts"`
	LooseLines int    `json:"looseLines,omitempty"`
	Warnings   int    `json:"warnings,omitempty"`

	*pageDetail
}

type pageDetail struct {
	Size    mmSize       `json:"size"`
	Trim    *fracBox     `json:"trim,omitempty"` // the page on its sheet with crop marks
	Columns []columnInfo `json:"columns"`
	Header  string       `json:"header"`
	Footer  string       `json:"footer"`
	Floats  []blockInfo  `json:"floats"`
	Notes   []blockInfo  `json:"noteBlocks,omitempty"`
	Blocks  []blockInfo  `json:"blocks,omitempty"`
}

type mmSize struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Unit   string  `json:"unit"`
}

type columnInfo struct {
	Column int     `json:"column"`
	Box    fracBox `json:"box"`
	Fill   float64 `json:"fill"`
	Kind   string  `json:"kind"`
	Ended  string  `json:"ended,omitempty"` // the rule that ended it above its last line
	Why    string  `json:"why,omitempty"`   // the same in words
}

// fracBox is a rectangle in fractions of the page.
type fracBox struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

type blockInfo struct {
	Index           int         `json:"index"`
	Kind            string      `json:"kind"`
	Column          int         `json:"column"`
	Text            *string     `json:"text,omitempty"`
	Lines           int         `json:"lines"`
	HyphenatedLines []int       `json:"hyphenatedLines"`
	LooseLines      []looseLine `json:"looseLines"`
	Box             fracBox     `json:"box"`
	Source          sourceSpan  `json:"source"`
	Style           string      `json:"style,omitempty"`
	Resource        string      `json:"resource,omitempty"`
	Part            string      `json:"part,omitempty"`   // picture, caption, note or cell
	Rotate          string      `json:"rotate,omitempty"` // ccw or cw: it stands on its side
	Alt             string      `json:"altText,omitempty"`
	Level           int         `json:"level,omitempty"`
	Number          string      `json:"number,omitempty"`
	Continued       bool        `json:"continued,omitempty"`
	Continues       bool        `json:"continues,omitempty"`
	LineList        []lineInfo  `json:"lineList,omitempty"`
}

type looseLine struct {
	Line  int     `json:"line"`
	Ratio float64 `json:"ratio"`
}

type sourceSpan struct {
	Line     int `json:"line"`
	ToLine   int `json:"toLine"`
	Offset   int `json:"offset"`
	ToOffset int `json:"toOffset"`
}

type lineInfo struct {
	Line          int     `json:"line"`
	Text          string  `json:"text"`
	Baseline      float64 `json:"baseline"`
	Box           fracBox `json:"box"`
	Ratio         float64 `json:"ratio,omitempty"`
	Hyphenated    bool    `json:"hyphenated,omitempty"`
	LetterSpacing float64 `json:"letterSpacing,omitempty"`
}

// maxRows is how many page rows one answer lists.
const maxRows = 200

func (a inspectPagesArgs) check() error {
	switch {
	case a.given() && a.From > 0:
		return bridge.Refuse("give from (to list the chapter's pages) or page or position (to see pages in detail), not both")
	case a.given() && a.Count > 8:
		return bridge.Refuse("with page or position count is 1 to 8, not %d", a.Count)
	case !a.given() && a.Lines:
		return bridge.Refuse("lines: true goes with page or position, which show pages in detail; without them there is a row for each page")
	case !a.given() && a.Text == "full":
		return bridge.Refuse("text: \"full\" goes with page or position, which show pages in detail; without them there is a row for each page. The chapter's whole text is read with sandbox_read_text")
	}
	return a.pageArgs.check()
}

func (s *Session) inspectPages(ctx context.Context, a inspectPagesArgs) (any, error) {
	l, err := s.Layout(ctx)
	if err != nil {
		return nil, err
	}
	i, err := s.chapterAt(l.Book, a.Chapter)
	if err != nil {
		return nil, err
	}
	c := l.Frames.Chapters[i]
	ans := inspectAnswer{Chapter: i + 1, Title: shownTitle(l.Book.Chapters[i].Title), ChapterPages: len(c.Pages), Converged: c.Converged, Pages: []pageRow{}, Revision: l.Revision}
	threshold := looseThreshold(l)
	src := l.Book.Chapters[i].Markdown
	found := s.reportOf(l).Chapters[i]
	if !a.given() {
		first := max(a.From, 1) - 1
		if first >= len(c.Pages) && len(c.Pages) > 0 {
			return nil, bridge.Refuse("chapter %d has positions 1 to %d, not %d", i+1, len(c.Pages), a.From)
		}
		last := len(c.Pages)
		if a.Count > 0 {
			last = min(last, first+a.Count)
		}
		if last-first > maxRows {
			last = first + maxRows
			ans.Truncated = &nextPage{NextPosition: last + 1, Note: "call again with from"}
		}
		for k := first; k < last; k++ {
			ans.Pages = append(ans.Pages, rowOf(c, k, src, threshold, found))
		}
		return ans, nil
	}
	first, err := s.pageAt(l, i, a.pageArgs)
	if err != nil {
		return nil, err
	}
	lines := indexText(src)
	room := maxText
	for k := first; k < min(first+max(a.Count, 1), len(c.Pages)); k++ {
		row := rowOf(c, k, src, threshold, found)
		row.pageDetail = detail(c.Pages[k], lines, a, threshold)
		size := row.pageDetail.size()
		if size > room && k > first {
			ans.Truncated = &nextPage{NextPosition: k + 1, Note: "call again with position; text: \"none\" or lines: false make the answer shorter"}
			break
		}
		room -= size
		ans.Pages = append(ans.Pages, row)
	}
	return ans, nil
}

// size is about how many characters of JSON the detail takes.
func (d *pageDetail) size() int {
	n := 300
	for _, list := range [][]blockInfo{d.Blocks, d.Floats, d.Notes} {
		for _, b := range list {
			n += 250
			if b.Text != nil {
				n += len(*b.Text)
			}
			for _, l := range b.LineList {
				n += 120 + len(l.Text)
			}
		}
	}
	return n
}

// looseThreshold is the multiple of the normal word space beyond which a line
// is loose.
func looseThreshold(l *Settled) float64 {
	if l.Design != nil && l.Design.Debug.LooseThreshold > 0 {
		return l.Design.Debug.LooseThreshold
	}
	return 3
}

func isLoose(l *frame.Line, threshold float64) bool {
	return l.LineSet != nil && float64(l.Loose()) > float64(threshold*1000)
}

// rowOf is the short description of a page.
func rowOf(c *frame.Chapter, k int, src string, threshold float64, found []check.Warning) pageRow {
	p := c.Pages[k]
	r := pageRow{Position: k + 1, Label: p.Label, Role: p.Role.String(), Blank: p.Blank}
	figure := -1 // the block index of the figure counted last
	for ci, b := range p.Blocks() {
		switch b.Kind {
		case frame.Resource:
			// The parts of a figure share an index.
			if b.Index != figure {
				r.Figures++
				figure = b.Index
			}
		case frame.Note:
			r.Notes++
		}
		if b.Kind != frame.Note && ci >= 0 {
			r.Lines += len(b.Lines)
		}
		for li := range b.Lines {
			if isLoose(&b.Lines[li], threshold) {
				r.LooseLines++
			}
		}
		if r.Starts == "" && b.Part != "picture" {
			r.Starts = beginning(pieceText(b, src), 48)
		}
	}
	for i := range found {
		if found[i].Page == k {
			r.Warnings++
		}
	}
	return r
}

// beginning is the first words of a text, with an ellipsis when there are more.
func beginning(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	cut := cutRunes(text, n)
	if len(cut) == len(text) {
		return text
	}
	if j := strings.LastIndexByte(cut, ' '); j > len(cut)/2 {
		cut = cut[:j]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

func detail(p *frame.Page, lines *textIndex, a inspectPagesArgs, threshold float64) *pageDetail {
	w, h := sheetSize(p)
	d := &pageDetail{
		Size: mmSize{w, h, "mm"}, Trim: trimOf(p),
		Header: itemTexts(p.Header), Footer: itemTexts(p.Footer),
		Columns: []columnInfo{}, Floats: []blockInfo{},
	}
	for ci := range p.Columns {
		col := &p.Columns[ci]
		info := columnInfo{Column: ci + 1, Box: fraction(p, col.Box), Kind: "text", Fill: fillOf(col), Ended: col.Short, Why: endings[col.Short]}
		if col.Span {
			info.Kind = "span"
		}
		d.Columns = append(d.Columns, info)
		for _, b := range col.Blocks {
			bi := describe(p, b, ci, lines, a, threshold)
			switch {
			case b.Kind == frame.Note:
				d.Notes = append(d.Notes, bi)
			case a.Blocks:
				d.Blocks = append(d.Blocks, bi)
			}
		}
	}
	for _, b := range p.Floats {
		d.Floats = append(d.Floats, describe(p, b, columnUnder(p, b), lines, a, threshold))
	}
	return d
}

// columnUnder is the first column a float stands over.
func columnUnder(p *frame.Page, b *frame.Block) int {
	for i := range p.Columns {
		if c := p.Columns[i].Box; b.Box.X < c.Right() && b.Box.Right() > c.X && !p.Columns[i].Span {
			return i
		}
	}
	return 0
}

func describe(p *frame.Page, b *frame.Block, column int, lines *textIndex, a inspectPagesArgs, threshold float64) blockInfo {
	from, to := pieceSource(b)
	bi := blockInfo{
		Index: b.Index, Kind: string(b.Kind), Column: column + 1, Lines: len(b.Lines),
		HyphenatedLines: []int{}, LooseLines: []looseLine{}, Box: fraction(p, b.Box),
		Source: lines.span(from, to), Style: b.Style, Level: b.Level, Number: b.Number,
		Continued: b.Continued, Continues: b.Continues, Rotate: b.Turn.String(),
	}
	if b.Kind == frame.Resource {
		bi.Resource, bi.Part = b.ID, b.Part
		if len(b.Over) > 0 {
			bi.Alt = b.Over[0].Plain
		}
	}
	if a.Text != "none" {
		text := pieceText(b, lines.src)
		if a.Text != "full" {
			text = cutText(text, 160)
		}
		bi.Text = &text
	}
	for k := range b.Lines {
		l := &b.Lines[k]
		if l.LineSet == nil {
			continue
		}
		if l.Hyphenated {
			bi.HyphenatedLines = append(bi.HyphenatedLines, k+1)
		}
		if isLoose(l, threshold) {
			bi.LooseLines = append(bi.LooseLines, looseLine{k + 1, round(float64(l.Loose())/1000, 2)})
		}
		if a.Lines {
			// The baseline of what is turned runs down the page: it is a fraction of its width.
			base := fraction(p, p.Placed(b.Turn, unit.Rect{Y: l.Baseline}))
			baseline := base.Y
			if b.Turn != frame.Upright {
				baseline = base.X
			}
			bi.LineList = append(bi.LineList, lineInfo{Line: k + 1, Text: lineText(b, k, lines.src),
				Baseline:   baseline,
				Box:        fraction(p, p.Placed(b.Turn, unit.Rect{X: l.X, Y: l.Top, W: l.Width, H: l.Height})),
				Ratio:      round(float64(l.Ratio)/1000, 3),
				Hyphenated: l.Hyphenated, LetterSpacing: round(float64(l.Tracking)/1000, 4)})
		}
	}
	return bi
}

// span writes a byte span as the tools do.
func (t *textIndex) span(from, to int) sourceSpan {
	from, to = min(max(from, 0), len(t.src)), min(max(to, 0), len(t.src))
	last := to
	if last > from && t.src[last-1] == '\n' {
		last--
	}
	return sourceSpan{Line: t.line(from), ToLine: t.line(last), Offset: t.utf16(from), ToOffset: t.utf16(to)}
}

// itemTexts joins the texts of furniture.
func itemTexts(items []frame.Item) string {
	var list []string
	for _, it := range items {
		if it.Plain != "" {
			list = append(list, it.Plain)
		}
	}
	return strings.Join(list, " · ")
}

// fraction writes a box in fractions of what a picture of the page shows: its
// sheet, which is larger than the page where it has crop marks.
func fraction(p *frame.Page, r unit.Rect) fracBox {
	s := p.Sheet()
	w, h := float64(max(s.W, 1)), float64(max(s.H, 1))
	return fracBox{round(float64(r.X-s.X)/w, 4), round(float64(r.Y-s.Y)/h, 4), round(float64(r.W)/w, 4), round(float64(r.H)/h, 4)}
}

// point is the place on a page of fractions of its sheet.
func point(p *frame.Page, x, y float64) (unit.Sp, unit.Sp) {
	s := p.Sheet()
	return s.X + unit.Sp(float64(float64(s.W)*x)), s.Y + unit.Sp(float64(float64(s.H)*y))
}

// sheetSize is what a picture of the page measures, in millimetres.
func sheetSize(p *frame.Page) (width, height float64) {
	s := p.Sheet()
	return round(s.W.MM(), 1), round(s.H.MM(), 1)
}

// trimOf is the trimmed page on a sheet with crop marks, nil without.
func trimOf(p *frame.Page) *fracBox {
	if p.Marks == nil {
		return nil
	}
	b := fraction(p, unit.Rect{W: p.Width, H: p.Height})
	return &b
}

func round(v float64, places int) float64 {
	p := math.Pow10(places)
	return math.Round(float64(v*p)) / p
}
