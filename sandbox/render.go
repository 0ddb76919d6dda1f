package sandbox

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine/frame"
	"postext/engine/paint"
	"postext/engine/settings"
	"postext/engine/unit"
)

// PictureEncoder writes RGBA pixels in a format Go does not.
type PictureEncoder func(ctx context.Context, format string, quality, width, height int, rgba []byte) ([]byte, error)

// Picture is an encoded picture on its way to the screen.
type Picture struct {
	MIMEType      string
	Data          []byte
	Width, Height int    // pixels
	Row           int    // place among the pictures of one call, from 0
	Title         string // what it shows, in words
}

// Shown says where on the screen a picture stands, in CSS pixels.
type Shown struct {
	Selector string  `json:"selector"`
	X        float64 `json:"x"`
	Y        float64 `json:"y"`
	Width    float64 `json:"width"`
	Height   float64 `json:"height"`
}

// Limits of one call: pages, and bytes of pictures in base64, which is what a
// client's connection has to carry.
const (
	maxPictures     = 8
	maxPictureBytes = 8 << 20
	maxSide         = 4096 // pixels
)

type renderArgs struct {
	pageArgs
	Count        int         `json:"count" default:"1" min:"1" max:"8" doc:"pages; a spread is 2 from its left one"`
	Width        int         `json:"width" default:"1000" min:"64" max:"4096" doc:"pixels of a page, or of the crop"`
	Crop         *cropArgs   `json:"crop,omitempty" doc:"fractions of the page from its top left"`
	Format       string      `json:"format" default:"png" enum:"png,jpeg,webp"`
	Quality      *int        `json:"quality" default:"85" min:"1" max:"100" doc:"of jpeg and webp"`
	PrintPreview bool        `json:"printPreview" default:"false" doc:"soft proof"`
	Trimmed      bool        `json:"trimmed" default:"false" doc:"without crop marks"`
	Guides       *guidesArgs `json:"guides,omitempty" doc:"in this picture only"`
	Show         bool        `json:"show" default:"false" doc:"put the picture on the screen, too"`
	Data         bool        `json:"data" default:"true" doc:"false: only with show, no picture in the answer"`
}

type cropArgs struct {
	X      float64 `json:"x" min:"0" max:"1"`
	Y      float64 `json:"y" min:"0" max:"1"`
	Width  float64 `json:"width" min:"0" max:"1"`
	Height float64 `json:"height" min:"0" max:"1"`
}

type guidesArgs struct {
	BaselineGrid bool `json:"baselineGrid,omitempty"`
	Margins      bool `json:"margins,omitempty"`
	Columns      bool `json:"columns,omitempty"`
	LooseLines   bool `json:"looseLines,omitempty"`
	Blocks       bool `json:"blocks,omitempty"`
}

type renderAnswer struct {
	OK        bool           `json:"ok"`
	Chapter   int            `json:"chapter"`
	Title     string         `json:"title"`
	Pages     []renderedPage `json:"pages"`
	Truncated *nextPage      `json:"truncated,omitempty"`
	Shown     *Shown         `json:"shown,omitempty"`
	Revision  int64          `json:"revision"`
}

type renderedPage struct {
	Position int           `json:"position"`
	Label    string        `json:"label"`
	Role     string        `json:"role"`
	Side     string        `json:"side"`
	Blank    bool          `json:"blank"`
	Pixels   pixelSize     `json:"pixels"`
	Crop     *cropArgs     `json:"crop,omitempty"`
	MM       printedSize   `json:"mm"`
	Trim     *fracBox      `json:"trim,omitempty"` // the page on its sheet with crop marks
	Bytes    int           `json:"bytes"`
	Short    []shortColumn `json:"shortColumns,omitempty"`
	Shown    *Shown        `json:"shown,omitempty"` // each page's, one under the other
}

type pixelSize struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

type printedSize struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

func (a renderArgs) check() error {
	switch {
	case a.PrintPreview:
		return bridge.Refuse("the soft proof (printPreview: true) is not there yet: leave printPreview out to see the page in its screen colours")
	case a.Crop != nil && (a.Crop.Width == 0 || a.Crop.Height == 0):
		return bridge.Refuse("crop.width and crop.height are fractions of the page above 0")
	case !a.Data && !a.Show:
		return bridge.Refuse("data: false goes with show: true; without it the answer would hold no picture")
	case a.Quality != nil && a.Format == "png":
		return bridge.Refuse("quality goes with format \"jpeg\" or \"webp\"; a PNG loses nothing")
	}
	return a.pageArgs.check()
}

func (s *Session) renderPage(ctx context.Context, a renderArgs) (any, error) {
	if a.Quality == nil {
		a.Quality = new(int)
		*a.Quality = 85
	}
	switch {
	case a.Format == "webp" && s.opts.Picture == nil:
		return nil, bridge.Refuse("WebP is written by the browser, and there is none here: ask for png or jpeg")
	case a.Show && s.opts.Show == nil:
		return nil, bridge.Refuse("there is no screen here to show the picture on: leave show out; the picture is in the answer")
	}
	l, err := s.Layout(ctx)
	if err != nil {
		return nil, err
	}
	i, err := s.chapterAt(l.Book, a.Chapter)
	if err != nil {
		return nil, err
	}
	first, err := s.pageAt(l, i, a.pageArgs)
	if err != nil {
		return nil, err
	}
	c := l.Frames.Chapters[i]
	ans := renderAnswer{OK: true, Chapter: i + 1, Title: shownTitle(l.Book.Chapters[i].Title), Pages: []renderedPage{}, Revision: l.Revision}
	parts := []bridge.Part{{}}
	room := maxPictureBytes
	for k := first; k < min(first+a.Count, len(c.Pages)); k++ {
		p := c.Pages[k]
		pic, err := s.picture(ctx, l, p, a)
		if err != nil {
			return nil, err
		}
		if size := base64.StdEncoding.EncodedLen(len(pic.Data)); a.Data {
			if room -= size; room < 0 {
				if k == first {
					return nil, bridge.Refuse("the picture is %.1f MB, more than the 8 MB of one answer: take a smaller width, a crop or format: \"jpeg\"", float64(size)/(1<<20))
				}
				ans.Truncated = &nextPage{NextPosition: k + 1, Note: "one answer holds 8 MB of pictures; call again with position"}
				break
			}
			parts = append(parts, bridge.Part{Type: "image", MIMEType: pic.MIMEType, Data: pic.Data})
		}
		printed, trim := printedSize{}, trimOf(p)
		if printed.Width, printed.Height = sheetSize(p); a.Trimmed {
			printed, trim = printedSize{round(p.Width.MM(), 1), round(p.Height.MM(), 1)}, nil
		}
		row := renderedPage{Position: k + 1, Label: p.Label, Role: p.Role.String(), Side: side(p), Blank: p.Blank,
			Pixels: pixelSize{pic.Width, pic.Height}, Crop: a.Crop, Bytes: len(pic.Data),
			MM: printed, Trim: trim, Short: shortColumns(p)}
		if a.Show {
			pic.Row, pic.Title = k-first, pageTitle(p, k)
			shown, err := s.opts.Show(ctx, pic)
			if err != nil {
				return nil, err
			}
			row.Shown = &shown
			if ans.Shown == nil {
				ans.Shown = &shown
			}
		}
		ans.Pages = append(ans.Pages, row)
		if err := s.opts.Yield(ctx); err != nil {
			return nil, err
		}
	}
	text, err := marshal(ans)
	if err != nil {
		return nil, err
	}
	parts[0] = bridge.Part{Type: "text", Text: text}
	return bridge.Content{Content: parts}, nil
}

// marshal writes JSON as the answers have it, without HTML escapes.
func marshal(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}

// pageTitle names a page for a person; k is its place from 0.
func pageTitle(p *frame.Page, k int) string {
	if p.Label == "" {
		return "the unnumbered page at position " + strconv.Itoa(k+1)
	}
	return "page " + p.Label
}

func side(p *frame.Page) string {
	if p.Recto {
		return "recto"
	}
	return "verso"
}

// picture paints and encodes one page.
func (s *Session) picture(ctx context.Context, l *Settled, p *frame.Page, a renderArgs) (Picture, error) {
	o := paint.Options{Width: a.Width, Trimmed: a.Trimmed, Yield: s.opts.Yield}
	if a.Crop != nil {
		o.Crop = paint.Crop{X: a.Crop.X, Y: a.Crop.Y, W: a.Crop.Width, H: a.Crop.Height}
	}
	if g := a.Guides; g != nil {
		o.Guides = g.over(l.Design.Debug)
	}
	w, h, err := paint.Size(p, o)
	if errors.Is(err, paint.ErrSize) {
		return Picture{}, bridge.Refuse("%v", err)
	}
	if err != nil {
		return Picture{}, err
	}
	if h > maxSide {
		least := ""
		if fits := maxSide * w / h; fits >= paint.MinWidth {
			least = fmt.Sprintf(": take a width of at most %d", fits)
		}
		return Picture{}, bridge.Refuse("the picture would be %d × %d px; a side has at most %d%s, or crop a part of less height", w, h, maxSide, least)
	}
	painter, err := s.painter(ctx)
	if err != nil {
		return Picture{}, err
	}
	defer func() { s.painters <- painter }()
	m, err := painter.Page(ctx, p, o)
	if err != nil {
		return Picture{}, err
	}
	pic := Picture{Width: m.Width, Height: m.Height, MIMEType: "image/" + a.Format}
	switch a.Format {
	case "jpeg":
		pic.Data, err = painter.JPEG(m, *a.Quality)
	case "webp":
		pic.Data, err = s.opts.Picture(ctx, "image/webp", *a.Quality, m.Width, m.Height, m.Pix)
	default:
		pic.Data, err = painter.PNG(m)
	}
	return pic, err
}

// painter takes the one painter; it keeps glyphs from page to page and serves
// one picture at a time.
func (s *Session) painter(ctx context.Context) (*paint.Painter, error) {
	select {
	case p := <-s.painters:
		return p, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// over are the guides asked for, with the design's tint of loose lines.
func (g *guidesArgs) over(d settings.Debug) paint.Guides {
	return tinted(paint.Guides{BaselineGrid: g.BaselineGrid, Margins: g.Margins, Columns: g.Columns, LooseLines: g.LooseLines, Blocks: g.Blocks}, d)
}

// PaintRequest asks for the pixels of a page for the screen.
type PaintRequest struct {
	Chapter  string      `json:"chapter"`  // id
	Position int         `json:"position"` // from 1
	Width    int         `json:"width"`    // device pixels
	Guides   *guidesArgs `json:"guides,omitempty"`
	Negative bool        `json:"negative,omitempty"`
}

// Paint gives the RGBA pixels of a page as it is now, as soon as its chapter is
// laid out, and the key the published state has for it.
func (s *Session) Paint(ctx context.Context, r PaintRequest) (*paint.Image, string, error) {
	snap, c, err := s.chapterFrames(ctx, r.Chapter)
	if err != nil {
		return nil, "", err
	}
	if r.Position < 1 || r.Position > len(c.Pages) {
		pages := "1 page"
		if len(c.Pages) != 1 {
			pages = fmt.Sprintf("%d pages", len(c.Pages))
		}
		return nil, "", bridge.Refuse("the chapter has %s; there is no position %d", pages, r.Position)
	}
	aids := s.aids(snap.book)
	view := s.View().Guides.over(aids)
	o := paint.Options{Width: r.Width, Negative: r.Negative || view.Negative, Guides: screenGuides(view, aids), Yield: s.opts.Yield}
	if g := r.Guides; g != nil {
		o.Guides = g.over(aids)
	}
	painter, err := s.painter(ctx)
	if err != nil {
		return nil, "", err
	}
	defer func() { s.painters <- painter }()
	m, err := painter.Page(ctx, c.Pages[r.Position-1], o)
	if errors.Is(err, paint.ErrSize) {
		return nil, "", bridge.Refuse("%v", err)
	}
	if err == nil {
		s.painted(snap, r.Chapter, r.Position)
	}
	return m, pageKey(c.Pages[r.Position-1]) + guidesKey(view, aids), err
}

// CaretPlace is where a text offset stands: the page's place in its chapter from
// 1, and the caret's box in fractions of the page.
type CaretPlace struct {
	Position int `json:"position"`
	Page     any `json:"page,omitempty"`
	fracBox
	// Color of the caret in CSS; "" where the design shows none.
	Color string `json:"color"`
}

// PassagePart is a line's part of a passage on a page, in fractions of it.
type PassagePart struct {
	Position int `json:"position"`
	fracBox
}

// maxParts is how many lines of a passage are told.
const maxParts = 400

// Passage finds where a passage of a chapter's text, in UTF-16 offsets, stands on
// its pages, line by line, and the colour it is marked in, in CSS: "" and no parts
// where the design marks none.
func (s *Session) Passage(ctx context.Context, chapter string, from, to int) ([]PassagePart, string, error) {
	snap, c, err := s.chapterFrames(ctx, chapter)
	if err != nil {
		return nil, "", err
	}
	aids := s.aids(snap.book)
	if !s.View().Guides.Selection.on(aids.Selection) {
		return []PassagePart{}, "", nil
	}
	ch := chapterByID(snap.book, chapter)
	if ch == nil {
		return nil, "", bridge.Refuse("the chapter is not in the book")
	}
	index := book.NewIndex(ch.Markdown)
	start, end := index.Byte(from), index.Byte(to)
	parts := []PassagePart{}
	for pi, p := range c.Pages {
		for _, b := range p.Blocks() {
			if b.End <= start || b.Start >= end || b.Text == nil {
				continue
			}
			for k := range b.Lines {
				l := &b.Lines[k]
				lf, lt := lineSource(b, k)
				if l.LineSet == nil || lt <= start || lf >= end {
					continue
				}
				x0, x1 := unit.Sp(0), l.Width
				if start > lf {
					x0 = xAt(l, plainOf(b, start))
				}
				if end < lt {
					x1 = xAt(l, plainOf(b, end))
				}
				if x1 > x0 && len(parts) < maxParts {
					parts = append(parts, PassagePart{pi + 1, fraction(p, p.Placed(b.Turn, unit.Rect{X: l.X + x0, Y: l.Top, W: x1 - x0, H: l.Height}))})
				}
			}
		}
	}
	return parts, cssColor(aids.SelectionColor), nil
}

// Caret finds where a UTF-16 offset of a chapter's text stands on its pages.
func (s *Session) Caret(ctx context.Context, chapter string, offset int) (CaretPlace, error) {
	snap, c, err := s.chapterFrames(ctx, chapter)
	if err != nil {
		return CaretPlace{}, err
	}
	ch := chapterByID(snap.book, chapter)
	if ch == nil {
		return CaretPlace{}, bridge.Refuse("the chapter is not in the book")
	}
	off := book.NewIndex(ch.Markdown).Byte(offset)
	sp, ok := locate(c, off)
	if !ok {
		return CaretPlace{}, bridge.Refuse("the chapter has no text on its pages")
	}
	p := c.Pages[sp.page]
	// In a picture, a box or the place of a large title it is no higher than a line.
	r := unit.Rect{X: sp.block.Box.X, Y: sp.block.Box.Y, H: min(sp.block.Box.H, p.GridPitch)}
	if sp.line >= 0 && sp.block.Lines[sp.line].LineSet != nil {
		l := &sp.block.Lines[sp.line]
		r = unit.Rect{X: l.X + xAt(l, plainOf(sp.block, off)), Y: l.Top, H: l.Height}
		var size unit.Sp
		for i := range l.Runs {
			size = max(size, l.Runs[i].Size)
		}
		if high := size * 3 / 2; high < r.H && high > 0 { // a formula, a line with much room
			r.Y, r.H = max(l.Baseline-size, l.Top), high
		}
	}
	place := CaretPlace{Position: sp.page + 1, Page: pageName(p), fracBox: fraction(p, r)}
	if aids := s.aids(snap.book); s.View().Guides.Caret.on(aids.Caret) {
		place.Color = cssColor(aids.CaretColor)
	}
	return place, nil
}

// plainOf is the plain-text offset of a source offset of a block.
func plainOf(b *frame.Block, off int) int {
	if b.Text == nil {
		return 0
	}
	at := 0
	for k, e := range b.Text.Map {
		if int(e.Src) > off {
			break
		}
		end := len(b.Text.Plain)
		if k+1 < len(b.Text.Map) {
			end = int(b.Text.Map[k+1].Plain)
		}
		if e.SrcLen > 0 {
			at = int(e.Plain)
			if off >= int(e.Src+e.SrcLen) {
				at = end
			}
			continue
		}
		at = min(int(e.Plain)+off-int(e.Src), end)
	}
	return at
}
