package sandbox

import (
	"context"
	"strings"

	"postext/bridge"
	"postext/engine/frame"
	"postext/engine/unit"
)

type inspectPointArgs struct {
	pageArgs
	X      float64    `json:"x" doc:"fraction of the page from the left"`
	Y      float64    `json:"y" doc:"fraction from the top"`
	Select bool       `json:"select" default:"false" doc:"put the cursor there"`
	Word   bool       `json:"word" default:"false" doc:"with select: select the word"`
	To     *pointArgs `json:"to,omitempty" doc:"with select: select up to this point"`
}

type pointArgs struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type pointAnswer struct {
	Chapter  int           `json:"chapter"`
	Title    string        `json:"title"`
	Position int           `json:"position"`
	Page     any           `json:"page,omitempty"`
	Where    string        `json:"where"`
	Block    *pointBlock   `json:"block"`
	Source   *pointSource  `json:"source,omitempty"`
	Link     *pointLink    `json:"link,omitempty"`
	Resource *pointRes     `json:"resource,omitempty"`
	Text     string        `json:"text,omitempty"`
	Nearest  *pointNearest `json:"nearest,omitempty"`
	Selected *sourceSpan   `json:"selected,omitempty"`
	Revision int64         `json:"revision"`
}

type pointBlock struct {
	Kind   string  `json:"kind"`
	Index  int     `json:"index"`
	Text   string  `json:"text"`
	Box    fracBox `json:"box"`
	Column int     `json:"column"`
	Line   int     `json:"line,omitempty"`
}

type pointSource struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Offset int    `json:"offset"`
	Word   string `json:"word,omitempty"`
}

type pointLink struct {
	Kind    string `json:"kind"`
	Target  string `json:"target"`
	Page    any    `json:"page,omitempty"`
	Chapter int    `json:"chapter,omitempty"`
}

type pointRes struct {
	ID   string `json:"id"`
	Part string `json:"part"`
	// Row and Column of a cell count from 1, as in sandbox_save_resource's tableEdits.
	Row    *int `json:"row,omitempty"`
	Column *int `json:"column,omitempty"`
}

type pointNearest struct {
	Kind     string  `json:"kind"`
	Text     string  `json:"text"`
	Distance float64 `json:"distance"`
}

// maxFraction bounds the points that are looked at; beyond it everything is as
// far outside as it can be.
const maxFraction = 100

func (a inspectPointArgs) check() error {
	switch {
	case a.Word && !a.Select:
		return bridge.Refuse("word: true goes with select: true, and selects the word; without select leave word out: the answer's source.word is the word at the point")
	case a.To != nil && !a.Select:
		return bridge.Refuse("to goes with select: true, and selects up to that point; to look at two points call twice")
	}
	return a.pageArgs.check()
}

func (s *Session) inspectPoint(ctx context.Context, a inspectPointArgs) (any, error) {
	l, err := s.Layout(ctx)
	if err != nil {
		return nil, err
	}
	i, err := s.chapterAt(l.Book, a.Chapter)
	if err != nil {
		return nil, err
	}
	k, err := s.pageAt(l, i, a.pageArgs)
	if err != nil {
		return nil, err
	}
	c := l.Frames.Chapters[i]
	p := c.Pages[k]
	ans := pointAnswer{Chapter: i + 1, Title: shownTitle(l.Book.Chapters[i].Title), Position: k + 1, Page: pageName(p), Revision: l.Revision}
	if !(a.X >= -maxFraction && a.X <= maxFraction && a.Y >= -maxFraction && a.Y <= maxFraction) {
		a.X, a.Y = maxFraction, maxFraction
	}
	x, y := point(p, a.X, a.Y)
	text := l.Book.Chapters[i].Markdown
	lines := indexText(text)
	off, found := 0, false
	if sp, ok := hit(p, x, y); ok {
		off, found = s.describeHit(&ans, l, p, sp, text, lines), true
		ans.Link = linkAt(l, i, sp, x, y)
	} else {
		ans.Where, ans.Text = whereOnPage(p, x, y)
		if b, d := nearestBlock(p, x, y); b != nil {
			ans.Nearest = &pointNearest{Kind: string(b.Kind), Text: cutText(pieceText(b, text), 160), Distance: round(float64(d)/float64(max(p.Sheet().W, 1)), 3)}
		}
	}
	if !a.Select {
		return ans, nil
	}
	if !found {
		return nil, bridge.Refuse("there is no text at %s, %s of page %v to select; without select the answer names the nearest block", number(a.X), number(a.Y), orPosition(ans.Page, k))
	}
	from, to := off, off
	if a.Word {
		from, to = wordAround(text, off)
	}
	if a.To != nil {
		tx, ty := point(p, a.To.X, a.To.Y)
		sp, ok := hit(p, tx, ty)
		if !ok {
			return nil, bridge.Refuse("there is no text at the point to (%s, %s) of this page", number(a.To.X), number(a.To.Y))
		}
		end := sourceAt(sp)
		if a.Word {
			f, t := wordAround(text, end)
			from, to = min(from, f), max(to, t)
		} else {
			from, to = min(from, end), max(from, end)
		}
	}
	span := lines.span(from, to)
	ans.Selected = &span
	s.SetView(func(v *View) {
		v.Panel, v.Chapter, v.Position = "text", l.Book.Chapters[i].ID, k+1
	})
	if f := s.opts.Listener.Reveal; f != nil {
		f(Reveal{Panel: "text", Chapter: l.Book.Chapters[i].ID, Offset: span.Offset, ToOffset: span.ToOffset, Position: k + 1})
	}
	return ans, nil
}

func orPosition(page any, k int) any {
	if page != nil {
		return page
	}
	return "at position " + number(float64(k+1))
}

// sourceAt is the source offset at a point of a block.
func sourceAt(sp spot) int {
	b := sp.block
	if sp.line < 0 || b.Text == nil || len(b.Text.Map) == 0 {
		return b.Start
	}
	plain, _ := plainAt(&b.Lines[sp.line], sp.x)
	return b.Text.Source(plain)
}

// describeHit fills in what stands at the point and gives its source offset.
func (s *Session) describeHit(ans *pointAnswer, l *Settled, p *frame.Page, sp spot, text string, lines *textIndex) int {
	b := sp.block
	ans.Where = "text"
	ans.Block = &pointBlock{Kind: string(b.Kind), Index: b.Index, Text: cutText(pieceText(b, text), 160), Box: fraction(p, b.Box), Column: max(sp.column, 0) + 1, Line: sp.line + 1}
	if sp.column < 0 {
		ans.Block.Column = columnUnder(p, b) + 1
	}
	off := min(max(sourceAt(sp), 0), len(text))
	ans.Source = &pointSource{Line: lines.line(off), Column: lines.column(off), Offset: lines.utf16(off)}
	if from, to := wordAround(text, off); to > from {
		ans.Source.Word = cutText(text[from:to], 80)
	}
	if b.Kind == frame.Resource {
		if ans.Resource = resourceAt(b, sp.line); sp.column < 0 {
			ans.Where = "float"
		}
	}
	return off
}

// linkAt is the link under a point: of a word of the line, or of what stands beside
// it, such as the number and the page of an entry of the contents.
func linkAt(l *Settled, chapter int, sp spot, x, y unit.Sp) *pointLink {
	for i := range sp.block.Over {
		it := &sp.block.Over[i]
		if it.Text != nil && len(it.Text.Runs) > 0 && it.Text.Runs[0].Link != "" && it.Box.Contains(x, y) {
			return linkOf(l, chapter, it.Text.Runs[0].Link)
		}
	}
	if sp.line >= 0 {
		if _, run := plainAt(&sp.block.Lines[sp.line], sp.x); run != nil && run.Link != "" {
			return linkOf(l, chapter, run.Link)
		}
	}
	return nil
}

// resourceAt names the resource a block belongs to, and which part of it it is.
func resourceAt(b *frame.Block, line int) *pointRes {
	r := &pointRes{ID: b.ID, Part: b.Part}
	switch {
	case b.Part == "cell":
		row, col := b.Row+1, b.Col+1
		r.Row, r.Column = &row, &col
	case b.Part != "":
	case line >= 0: // the words in place of a missing picture
		r.Part = "caption"
	default:
		r.Part = "picture"
	}
	return r
}

// linkOf says where a link of a chapter leads.
func linkOf(l *Settled, chapter int, target string) *pointLink {
	if !strings.HasPrefix(target, "#") {
		return &pointLink{Kind: "url", Target: target}
	}
	link := &pointLink{Kind: "anchor", Target: target}
	at, t := l.Frames.Target(chapter, target)
	if t == nil {
		return link
	}
	p := l.Frames.Chapters[at].Pages[t.Page]
	link.Page, link.Chapter = pageName(p), at+1
	for _, b := range p.Blocks() {
		if b.Index != t.Block {
			continue
		}
		switch b.Kind {
		case frame.Note:
			link.Kind = "note"
		case frame.Resource:
			link.Kind = "reference"
		}
		break
	}
	return link
}

// whereOnPage names the part of the page where no block stands.
func whereOnPage(p *frame.Page, x, y unit.Sp) (where, text string) {
	if x < 0 || y < 0 || x >= p.Width || y >= p.Height {
		return "outside", ""
	}
	for _, slot := range []struct {
		name  string
		items []frame.Item
	}{{"header", p.Header}, {"footer", p.Footer}} {
		for _, it := range slot.items {
			if it.Box.Contains(x, y) {
				return slot.name, it.Plain
			}
		}
	}
	for ci := range p.Columns {
		if p.Columns[ci].Box.Contains(x, y) {
			return "text", ""
		}
	}
	if p.Content.Contains(x, y) && len(p.Columns) > 1 {
		return "gutter", ""
	}
	if p.Content.Contains(x, y) {
		return "text", ""
	}
	return "margin", ""
}
