package layout

import (
	"strconv"
	"strings"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/markup"
	"postext/engine/picture"
	"postext/engine/settings"
	"postext/engine/unit"
)

// kindOf is a resource's type in the design at hand.
func (j *job) kindOf(n *Numbered) *settings.ResourceType {
	if t := j.d.Figures.Type(n.Type.ID); t != nil {
		return t
	}
	return n.Type
}

// placement resolves where a resource goes, field by field: its own record, its
// type, the built-in value (document-format.md 13.5).
func (j *job) placement(n *Numbered) settings.Placement {
	pl := j.kindOf(n).Place
	if n.Resource != nil && n.Resource.Placement != nil {
		r := n.Resource.Placement
		word := func(to *string, v string) {
			if v != "" {
				*to = v
			}
		}
		word(&pl.Position, r.Position)
		word(&pl.Span, r.Span)
		word(&pl.Align, r.Align)
		word(&pl.Shrink, r.Shrink)
		word(&pl.CaptionMeasure, r.CaptionMeasure)
		if r.Columns > 0 {
			pl.Columns = r.Columns
		}
		if r.Width > 0 {
			pl.Width = r.Width
		}
		if r.MinScale > 0 && r.MinScale <= 1 {
			pl.MinScale = r.MinScale
		}
		word(&pl.Rotate, r.Rotate)
		if r.Wrap != "" {
			pl.Wrap = wrapSide(r.Wrap)
		}
		if r.CaptionSide != nil {
			pl.CaptionSide = *r.CaptionSide
		}
		if r.CitingPage != nil {
			pl.CitingPage = *r.CitingPage
		}
		if g := r.WrapGap; g != nil {
			if x, ok := lengthIn(strconv.FormatFloat(g.Value, 'f', -1, 64)+g.Unit, "pt", j.d.Body.Size, j.d); ok && x >= 0 {
				pl.WrapGap = x
			}
		}
	}
	if pl.Span == "side" && !hasSide(j.d) {
		pl.Span = "column"
	}
	if pl.Position == "here" && !n.Embedded {
		// Nothing says where: it floats, so that it is not lost.
		pl.Position = "auto"
	}
	if pl.Position == "here" {
		pl.Rotate = ""
	}
	if turnOf(&pl) != frame.Upright { // it has a page of its own
		pl.Span, pl.CitingPage = "page", false
	}
	if pl.Span != "column" || pl.Columns > 1 {
		pl.Wrap = "none"
	}
	pl.CaptionSide = pl.CaptionSide && hasSide(j.d) && pl.Span == "column" && pl.Wrap == "none"
	return pl
}

// specOf says what a resource is made of; nil when nothing of it can be set.
func (j *job) specOf(n *Numbered, start, end int) (*figureSpec, error) {
	s := &figureSpec{id: n.ID, name: n.ID, number: n.Number, start: start, end: end, style: &j.kindOf(n).Caption, place: j.placement(n), foreign: true}
	r := n.Resource
	if n.Dangling {
		j.figureProblem("danglingTypeRef", r.ID, "#"+r.ID+" → "+r.TypeID+": there is no such type; it is set as a "+n.Type.ID, start, end,
			frame.Field{Key: "typeId", Value: r.TypeID})
	}
	s.alt = r.Alt
	s.caption, s.note = j.words(strings.TrimSpace(r.Caption)), j.words(strings.TrimSpace(r.Note))
	s.label = n.captionLabel(len(s.caption) > 0)
	switch r.Kind {
	case "table":
		if r.Table == nil {
			j.figureProblem("raggedTableGrid", r.ID, "#"+r.ID+" is a table without rows", start, end)
			s.noPicture = true
			break
		}
		s.table = r.Table
		known := false
		if s.tableStyle, known = j.d.Figures.TableStyle(r.Table.StyleID); !known {
			j.figureProblem("unknownTableStyle", r.ID, "#"+r.ID+" → "+r.Table.StyleID+": no table style has this id; the document's is used", start, end,
				frame.Field{Key: "styleId", Value: r.Table.StyleID})
		}
		j.checkTable(s)
		return s, nil
	case "video":
		s.video = true
		j.checkVideo(s, r)
		if r.Poster != nil {
			if data, err := r.Poster.Bytes(); err == nil && len(data) > 0 {
				if p, err := picture.Open(data, picture.Options{}); err == nil {
					s.found, s.poster = Found{Picture: p, Resource: r}, true
					return s, nil
				}
			}
		}
		j.figureProblem("videoWithoutPoster", r.ID, "#"+r.ID+" has no poster: print shows a dark box", start, end)
		s.found.Resource, s.noPicture = r, true
		return s, nil
	}
	f, err := j.lookAt(n.ID, r)
	if err != nil {
		return nil, err
	}
	s.found = f
	s.found.Resource = r
	s.safe = flexOf(r.SafeArea)
	if f.Picture == nil {
		j.figureProblem("missingImage", r.ID, "#"+r.ID+" — "+f.Why+"; a box stands in its place", start, end)
		s.noPicture = true
		return s, nil
	}
	j.pictureNotes(&s.found, n.ID, start, end)
	return s, nil
}

// checkTable reports a grid that is no rectangle (document-format.md 13.1).
func (j *job) checkTable(s *figureSpec) {
	t := s.table
	cols := 0
	for _, r := range t.Rows {
		cols = max(cols, len(r))
	}
	bad, row, col := 0, -1, -1
	if n, r, c := overlaps(t, cols); n > 0 {
		j.figureProblem("raggedTableGrid", s.id, "#"+s.id+" — row "+strconv.Itoa(r+1)+", column "+strconv.Itoa(c+1)+": merged cells lie over others or leave the table, and "+
			strconv.Itoa(n-1)+" more", s.start, s.end, frame.Field{Key: "reason", Value: "spanOverlap"},
			frame.Field{Key: "row", Value: strconv.Itoa(r)}, frame.Field{Key: "col", Value: strconv.Itoa(c)}, frame.Field{Key: "count", Value: strconv.Itoa(n)})
		return
	}
	for i, r := range t.Rows {
		if len(r) < cols {
			if bad++; row < 0 {
				row, col = i, len(r)
			}
		}
	}
	if bad > 0 {
		j.figureProblem("raggedTableGrid", s.id, "#"+s.id+" — row "+strconv.Itoa(row+1)+", column "+strconv.Itoa(col+1)+": a cell is missing; "+
			strconv.Itoa(bad)+" rows are short", s.start, s.end, frame.Field{Key: "reason", Value: "missingCells"},
			frame.Field{Key: "row", Value: strconv.Itoa(row)}, frame.Field{Key: "col", Value: strconv.Itoa(col)}, frame.Field{Key: "count", Value: strconv.Itoa(bad)})
	}
}

// overlaps counts the places of a table that two cells lie over, or that a merged
// cell covers outside of it, and gives the first. Cells hidden by a merge lie over
// nothing.
func overlaps(t *book.Table, cols int) (n, row, col int) {
	if len(t.Rows)*cols > 1<<22 {
		return 0, 0, 0
	}
	taken := make([]bool, len(t.Rows)*cols)
	for r := range t.Rows {
		for c := range t.Rows[r] {
			cell := &t.Rows[r][c]
			if cell.HiddenBy != nil {
				continue
			}
			over := false
			high, wide := max(cell.RowSpan, 1), max(cell.ColSpan, 1)
			over = r+high > len(t.Rows) || c+wide > cols
			for y := r; y < min(r+high, len(t.Rows)); y++ {
				for x := c; x < min(c+wide, cols); x++ {
					over = over || taken[y*cols+x]
					taken[y*cols+x] = true
				}
			}
			if over {
				if n++; n == 1 {
					row, col = r, c
				}
			}
		}
	}
	return n, row, col
}

// embed sets ::resource{…}: in the flow when its place is here, else as another
// reference (document-format.md 13.3).
func (w *walker) embed(b *markup.Block, p place) error {
	n := w.numbered(b.ID, "")
	if n == nil || n.Resource == nil {
		w.unknownResource(b.ID, "embed", b.Start, b.End)
		return nil
	}
	pl := w.placement(n)
	flows := p.group == 0 && !p.subcolumn && !p.onPart && p.kind != frame.Note
	if pl.Position != "here" {
		fl, err := w.bring(n, b.Start, b.End)
		if err != nil || fl < 0 {
			return err
		}
		w.flow.nodes = append(w.flow.nodes, node{what: nCite, start: b.Start, end: b.End, floats: []floatCall{{float: fl}}})
		return nil
	}
	s, err := w.specOf(n, b.Start, b.End)
	if err != nil {
		return err
	}
	w.smallBitmap(s, p.width)
	switch {
	case flows && (pl.Wrap != "none" || pl.Span == "side"):
		if pl.Span == "side" {
			s.place.Position = "auto"
		}
		fl := w.floated(n, s)
		w.flow.nodes = append(w.flow.nodes, node{what: nAside, start: b.Start, end: b.End, floats: []floatCall{{float: fl}}})
		w.afterPara, w.afterHeading = false, false
		return nil
	case flows && pl.Span == "page" && across(w.d):
		s.place.CaptionSide = false
		p.x, p.width = 0, contentWidth(w.d)
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanOpen, kind: frame.Resource, above: w.d.Body.Leading, start: b.Start, end: b.End})
		if err := w.inlineFigure(s, p); err != nil {
			return err
		}
		w.flow.nodes = append(w.flow.nodes, node{what: nSpanClose, start: b.End, end: b.End})
		return nil
	}
	return w.inlineFigure(s, p)
}

// floated adds a float of a figure.
func (w *walker) floated(n *Numbered, s *figureSpec) int32 {
	fl := float{n: n, spec: s, index: w.index}
	if s.place.Wrap != "none" {
		// Its width is a share of its column, and all of what the figure has.
		fl.share = w.d.Figures.Wrap.Width
		if x := s.place.Width; x > 0 && x < 1 {
			fl.share = max(int64(float64(x*1000)), 1)
		}
		s.place.Width = 1
	}
	w.index++
	w.flow.floats = append(w.flow.floats, fl)
	return int32(len(w.flow.floats) - 1)
}

func (j *job) unknownResource(id, usage string, start, end int) {
	detail := "no resource has the id " + id
	switch usage {
	case "embed":
		detail = "::resource{id=\"" + id + "\"} — " + detail + "; it is left out"
	default:
		detail = "nothing has the id " + id + "; the reference prints ?"
	}
	j.figureProblem("unknownResourceId", id, detail, start, end, frame.Field{Key: "usage", Value: usage})
}

// smallBitmap reports a bitmap set wider than one and a half times its pixels.
func (j *job) smallBitmap(s *figureSpec, slot unit.Sp) {
	p := s.found.Picture
	if p == nil || p.Drawing != nil {
		return
	}
	w, _ := p.Natural(j.dots(&s.found))
	w = min(w, slot)
	px := int64(float64(w.Pt() * j.d.Page.DPI / 72))
	if px > int64(p.Width)*3/2 {
		j.figureProblem("bitmapTooSmall", s.id, "#"+s.id+" · drawn "+strconv.FormatInt(px, 10)+" px / own "+strconv.Itoa(p.Width)+" px", s.start, s.end,
			frame.Field{Key: "renderedWidth", Value: strconv.FormatInt(px, 10)}, frame.Field{Key: "bitmapWidth", Value: strconv.Itoa(p.Width)})
	}
}

// bring makes a float of a resource at its first mention in the book; −1 when
// this is not it, or it does not float.
func (w *walker) bring(n *Numbered, start, end int) (int32, error) {
	if n == nil || n.Resource == nil || n.Chapter != w.in.Chapter || w.brought[n.ID] || w.placement(n).Position == "here" {
		return -1, nil
	}
	if w.brought == nil {
		w.brought = map[string]bool{}
	}
	w.brought[n.ID] = true
	s, err := w.specOf(n, start, end)
	if err != nil {
		return -1, err
	}
	slot := w.columnWidth()
	if turnOf(&s.place) != frame.Upright {
		slot = turnedWidth(w.d)
	}
	w.smallBitmap(s, slot)
	return w.floated(n, s), nil
}

// floatsOf finds the resources a text mentions for the first time.
func (w *walker) floatsOf(m *measured, in []markup.Inline) ([]floatCall, error) {
	if len(w.in.Resources) == 0 {
		return nil, nil
	}
	var out []floatCall
	at := 0
	for i := range in {
		start := at
		at += len(plainOf(&in[i]))
		if in[i].Kind != markup.Ref {
			continue
		}
		fl, err := w.bring(w.numbered(in[i].ID, in[i].Target), in[i].Start, in[i].End)
		if err != nil {
			return nil, err
		}
		if fl >= 0 {
			out = append(out, floatCall{line: int32(m.lineAt(start)), at: int32(start), float: fl})
		}
	}
	return out, nil
}

// strays brings in what the chapter mentions first but the walk did not meet in
// a place that could hold it, so that no resource is lost.
func (w *walker) strays() error {
	if len(w.in.Resources) == 0 {
		return nil
	}
	for _, m := range Mentions(w.doc) {
		n := w.numbered(m.ID, m.Alt)
		fl, err := w.bring(n, 0, 0)
		if err != nil {
			return err
		}
		if fl >= 0 {
			w.flow.nodes = append(w.flow.nodes, node{what: nCite, floats: []floatCall{{float: fl}}})
		}
	}
	return nil
}
