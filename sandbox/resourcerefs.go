package sandbox

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"postext/book"
	"postext/engine/markup"
)

// Where the text names resources (document-format.md 13): ::resource on a line
// of its own places one, :ref and its kin cite one, a Markdown picture and a
// comic's art name one.

// resourceRef is a place of a chapter that names a resource.
type resourceRef struct {
	id string // as written
	// from and to bound the whole construct, idFrom and idTo the id in it.
	from, to, idFrom, idTo int
	// cites: it cites the resource; the others place it.
	cites bool
	// bare: the id stands without quotes in a form that holds only simple ids
	// (\ref{…}, @fig:…), and the whole becomes a :ref when the id is not simple.
	bare bool
	// caption is what a picture of the text has under it, as plain text.
	caption string
}

// names reports whether the place names a resource.
func (r resourceRef) names(id string) bool {
	return r.id == id || r.bare && unprefixedRef(r.id) == id
}

// unprefixedRef is an id without the kind that pandoc's references put before it.
func unprefixedRef(id string) string {
	if kind, rest, ok := strings.Cut(id, ":"); ok && rest != "" && slices.Contains([]string{"sec", "fig", "tbl", "eq", "lst"}, kind) {
		return rest
	}
	return id
}

// refsOf lists the places of a parsed chapter that may name resources, in source
// order of their constructs.
func refsOf(doc *markup.Document) []resourceRef {
	var list []resourceRef
	src := doc.Source
	inside := func(from, to int, id string) (int, int, bool) {
		if from < 0 || to > len(src) || from > to {
			return 0, 0, false
		}
		at := strings.LastIndex(src[from:to], id)
		return from + at, from + at + len(id), at >= 0
	}
	attr := func(attrs markup.Attrs, key string, from, to int, r resourceRef) {
		for _, a := range slices.Backward(attrs) {
			if a.Key == key && a.Value != "" {
				r.id, r.from, r.to, r.idFrom, r.idTo = a.Value, from, to, a.Start, a.End
				if r.idTo <= len(src) && src[r.idFrom:r.idTo] == r.id {
					list = append(list, r)
				}
				return
			}
		}
	}
	inlines := func(words []markup.Inline) {
		for i := range words {
			in := &words[i]
			switch in.Kind {
			case markup.Ref:
				if len(in.Attrs) > 0 && in.Attrs[len(in.Attrs)-1].End > 0 {
					attr(in.Attrs, "id", in.Start, in.End, resourceRef{cites: true})
				} else if f, t, ok := inside(in.Start, in.End, in.ID); ok {
					list = append(list, resourceRef{id: in.ID, from: in.Start, to: in.End, idFrom: f, idTo: t, cites: true, bare: true})
				}
			case markup.InlineImg:
				if f, t, ok := inside(in.Start, in.End, in.Target); ok && in.Target != "" {
					list = append(list, resourceRef{id: in.Target, from: in.Start, to: in.End, idFrom: f, idTo: t})
				}
			}
		}
	}
	visit := func(b *markup.Block) bool {
		switch b.Kind {
		case markup.Embed:
			if f, t, ok := inside(b.Start, b.End, b.ID); ok {
				list = append(list, resourceRef{id: b.ID, from: b.Start, to: b.End, idFrom: f, idTo: t})
			}
		case markup.Image:
			if f, t, ok := inside(b.Start, b.End, b.Target); ok && b.Target != "" {
				list = append(list, resourceRef{id: b.Target, from: b.Start, to: b.End, idFrom: f, idTo: t, caption: b.Title})
			}
		default:
			attr(b.Attrs, "art", b.Start, b.End, resourceRef{})
		}
		b.EachText(inlines)
		return true
	}
	markup.Walk(doc.Blocks, visit)
	for _, n := range doc.Notes {
		markup.Walk(n.Blocks, visit)
	}
	slices.SortStableFunc(list, func(a, b resourceRef) int { return a.idFrom - b.idFrom })
	return list
}

// simpleID reports an id that every form of reference can hold.
func simpleID(id string) bool {
	for i, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case (c == '-' || c == '_') && i > 0:
		default:
			return false
		}
	}
	return id != ""
}

// renamed is the pass that makes a text name a resource by another id.
func renamed(text, id, newID string, first bool) pass {
	if !strings.Contains(text, id) {
		return nil
	}
	var p pass
	at := 0
	for _, r := range refsOf(markup.Parse(text, markup.Options{FirstChapter: first})) {
		if !r.names(id) || r.idFrom < at {
			continue
		}
		s := splice{From: r.idFrom, Old: text[r.idFrom:r.idTo], New: newID}
		if r.bare {
			s.New = strings.TrimSuffix(r.id, id) + newID // the kind before it stays
			if !simpleID(newID) {
				style := ""
				if strings.HasPrefix(text[r.from:], `\ref`) {
					style = ` style="number"`
				}
				s = splice{From: r.from, Old: text[r.from:r.to], New: `:ref{id="` + newID + `"` + style + `}`}
			}
		}
		p = append(p, s)
		at = s.From + len(s.Old)
	}
	return p
}

// renameInBook makes everything in a book name a resource by another id:
// chapters, captions, notes and cells of other resources, and the design. It
// gives the passes by chapter, and how many places were changed.
func renameInBook(b *book.Book, id, newID string) (next *book.Book, passes map[string]pass, n int, err error) {
	next, passes = b, map[string]pass{}
	for i, c := range b.Chapters {
		if p := renamed(c.Markdown, id, newID, i == 0); len(p) > 0 {
			next = next.WithText(i, p.apply(c.Markdown))
			passes[c.ID] = p
			n += len(p)
		}
	}
	list := slices.Clone(next.Resources)
	for i, r := range list {
		if c, k := renameInResource(r, id, newID); k > 0 {
			list[i] = c
			n += k
		}
	}
	next = next.WithResources(list)
	if config, k, err := renameInConfig(next.Config, id, newID); err != nil {
		return nil, nil, 0, err
	} else if k > 0 {
		if next, err = next.WithConfig(config); err != nil {
			return nil, nil, 0, err
		}
		n += k
	}
	return next, passes, n, nil
}

func renameInResource(r *book.Resource, id, newID string) (*book.Resource, int) {
	c := *r
	n := 0
	word := func(text string) string {
		p := renamed(text, id, newID, false)
		n += len(p)
		return p.apply(text)
	}
	c.Caption, c.Note = word(r.Caption), word(r.Note)
	if r.Table != nil {
		t := *r.Table
		t.Rows = slices.Clone(t.Rows)
		for y, row := range t.Rows {
			for x := range row {
				cell := row[x]
				before := n
				cell.Content = word(cell.Content)
				if cell.Image != nil && cell.Image.ResourceID == id {
					image := *cell.Image
					image.ResourceID = newID
					cell.Image = &image
					n++
				}
				if n > before {
					if &t.Rows[y][0] == &r.Table.Rows[y][0] {
						t.Rows[y] = slices.Clone(row)
					}
					t.Rows[y][x] = cell
				}
			}
		}
		c.Table = &t
	}
	return &c, n
}

// renameInConfig changes the settings called resourceId that hold the id.
func renameInConfig(config json.RawMessage, id, newID string) (json.RawMessage, int, error) {
	if !bytes.Contains(config, []byte(`"resourceId"`)) {
		return config, 0, nil
	}
	d := json.NewDecoder(bytes.NewReader(config))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, 0, err
	}
	n := 0
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["resourceId"] == id {
				v["resourceId"] = newID
				n++
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(tree)
	if n == 0 {
		return config, 0, nil
	}
	out, err := json.Marshal(tree)
	return out, n, err
}
