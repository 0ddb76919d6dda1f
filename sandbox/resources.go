package sandbox

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine/frame"
	"postext/engine/markup"
)

func (s *Session) resourceTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_list_resources", "List pictures, tables, videos",
			"Lists pictures, tables and videos with where each is placed and cited; with id one of them whole (a table's cells, an SVG's source, printed resolution).",
			reads, s.listResources),
		define(s, "sandbox_save_resource", "Add or change a picture, table, video",
			"Adds a picture, table or video, or changes what is given of one. Answers the line that places it, for sandbox_edit_text to write. Example: {\"id\": \"prices\", \"caption\": \"Prices\", \"table\": {\"rows\": [[\"Item\", \"Price\"], [\"Ink\", \"6 d\"]]}}.",
			writes, s.saveResource),
		define(s, "sandbox_delete_resource", "Delete a picture, table, video",
			"Deletes a picture, table or video for good; the references to it stay in the text. Answers where they are, and the record removed. Ask the person first.",
			removes, s.deleteResource),
	}
}

// isResource reports what the resource tools speak of: not the fonts and
// bibliographies kept beside.
func isResource(r *book.Resource) bool {
	switch r.Kind {
	case book.KindBitmap, book.KindSVG, book.KindTable, book.KindVideo:
		return true
	}
	return false
}

// resourcesOf are the resources of a book that the tools speak of.
func resourcesOf(b *book.Book) []*book.Resource {
	var list []*book.Resource
	for _, r := range b.Resources {
		if isResource(r) {
			list = append(list, r)
		}
	}
	return list
}

// resourceNamed finds a resource by its id; a refusal names the nearest.
func resourceNamed(b *book.Book, id string) (*book.Resource, error) {
	var ids []string
	for _, r := range resourcesOf(b) {
		if r.ID == id {
			return r, nil
		}
		ids = append(ids, r.ID)
	}
	if len(ids) == 0 {
		return nil, bridge.Refuse("there is no resource %s: the book has none yet; sandbox_save_resource adds one", bridge.Quote(id))
	}
	return nil, bridge.Refuse("there is no resource %s; there are %s", bridge.Quote(id), bridge.Choices(bridge.Nearest(id, ids), "sandbox_list_resources"))
}

type listResourcesArgs struct {
	ID     string `json:"id,omitempty" maxLen:"300" doc:"one resource, whole"`
	Kind   string `json:"kind,omitempty" enum:"bitmap,svg,table,video"`
	Search string `json:"search,omitempty" maxLen:"200" doc:"words of id or caption"`
	Limit  int    `json:"limit" default:"50" min:"1" max:"500"`
	After  string `json:"after,omitempty" doc:"next of an earlier answer"`
}

type listResourcesAnswer struct {
	Total     int            `json:"total"`
	Resources []resourceRow  `json:"resources"`
	ByKind    map[string]int `json:"byKind,omitempty"`
	Next      string         `json:"next,omitempty"`
	Revision  int64          `json:"revision"`
}

type resourceRow struct {
	ID       string      `json:"id"`
	Kind     string      `json:"kind"`
	TypeID   string      `json:"typeId"`
	Number   string      `json:"number,omitempty"`
	Caption  string      `json:"caption"`
	InText   string      `json:"captionInText,omitempty"` // of a picture in Markdown, from its title
	AltText  string      `json:"altText,omitempty"`
	Pixels   *pixels     `json:"pixels,omitempty"`
	Size     *sizeMM     `json:"size,omitempty"` // of an SVG
	Rows     int         `json:"rows,omitempty"`
	Columns  int         `json:"columns,omitempty"`
	PlacedIn []placement `json:"placedIn"`
	CitedIn  []placement `json:"citedIn,omitempty"`
	Problems []string    `json:"problems,omitempty"`
}

type pixels struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

type sizeMM struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Unit   string  `json:"unit"`
}

// placement is a line of the text that places or cites a resource, with the page
// on which it stands.
type placement struct {
	Chapter int `json:"chapter"`
	Line    int `json:"line"`
	Page    any `json:"page,omitempty"`
}

func (a listResourcesArgs) check() error {
	if a.ID != "" && (a.Kind != "" || a.Search != "" || a.After != "") {
		return bridge.Refuse("id asks for one resource: leave kind, search and after out")
	}
	return nil
}

func (s *Session) listResources(ctx context.Context, a listResourcesArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	if a.ID != "" {
		if _, err := resourceNamed(snap.book, a.ID); err != nil {
			return nil, err
		}
	}
	laid, err := s.pagesNow(ctx, true)
	if err != nil {
		return nil, err
	}
	b, rev := snap.book, snap.rev
	if laid != nil {
		b, rev = laid.Book, laid.Revision
	}
	if a.ID != "" {
		r, err := resourceNamed(b, a.ID)
		if err != nil {
			return nil, err
		}
		return s.wholeResource(b, rev, laid, r, maxText)
	}
	ans := listResourcesAnswer{Resources: []resourceRow{}, Revision: rev}
	var found []*book.Resource
	words := strings.Fields(foldText(a.Search))
	for _, r := range resourcesOf(b) {
		if a.Kind != "" && r.Kind != a.Kind {
			continue
		}
		text := foldText(r.ID + " " + r.Caption)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			found = append(found, r)
		}
	}
	ans.Total = len(found)
	if len(found) > 1 {
		ans.ByKind = map[string]int{}
		for _, r := range found {
			ans.ByKind[r.Kind]++
		}
	}
	from := 0
	if a.After != "" {
		if from = 1 + slices.IndexFunc(found, func(r *book.Resource) bool { return r.ID == a.After }); from == 0 {
			return nil, bridge.Refuse("after is the next of an earlier answer; there is no resource %s", bridge.Quote(a.After))
		}
	}
	uses := usesOf(b, laid)
	room := maxText
	for k, r := range found[from:] {
		row := describeResource(b, r, laid, uses)
		text, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		if room -= len(text); k > 0 && (k == a.Limit || room < 0) {
			ans.Next = found[from+k-1].ID
			break
		}
		ans.Resources = append(ans.Resources, row)
	}
	return ans, nil
}

// uses are the places of a book that name resources, by the id written.
type uses map[string][]use

type use struct {
	chapter, line int // from 1
	resourceRef
}

// usesOf reads the text, from the layout's own parse where there is one.
func usesOf(b *book.Book, laid *Settled) uses {
	u := uses{}
	for i, c := range b.Chapters {
		var doc *markup.Document
		if laid != nil && i < len(laid.Docs) && laid.Docs[i].Source == c.Markdown {
			doc = laid.Docs[i]
		} else {
			doc = markup.Parse(c.Markdown, markup.Options{FirstChapter: i == 0})
		}
		refs := refsOf(doc)
		if len(refs) == 0 {
			continue
		}
		lines := indexText(c.Markdown)
		for _, r := range refs {
			at := use{i + 1, lines.line(r.from), r}
			u[r.id] = append(u[r.id], at)
			if plain := unprefixedRef(r.id); r.bare && plain != r.id {
				u[plain] = append(u[plain], at)
			}
		}
	}
	return u
}

// of lists where a resource is named: by its id or, as a picture, by its file.
func (u uses) of(r *book.Resource) []use {
	list := u[r.ID]
	if r.Name != "" && r.Name != r.ID {
		list = append(slices.Clone(list), u[r.Name]...)
	}
	return list
}

// maxPlaces is how many lines an answer lists of one resource.
const maxPlaces = 20

// describeResource describes a resource: placed where it is embedded, shown as a picture,
// drawn by a design or first cited (which brings a floated one into the page), cited
// elsewhere.
func describeResource(b *book.Book, r *book.Resource, laid *Settled, u uses) resourceRow {
	row := resourceRow{ID: r.ID, Kind: r.Kind, TypeID: r.TypeID, Caption: r.Caption, AltText: r.Alt, PlacedIn: []placement{}, Problems: resourceProblems(b, r)}
	switch {
	case r.Kind == book.KindBitmap && r.Width > 0:
		row.Pixels = &pixels{int(r.Width), int(r.Height)}
	case r.Kind == book.KindSVG && r.Width > 0:
		row.Size = &sizeMM{round(float64(r.Width*25.4)/72, 2), round(float64(r.Height*25.4)/72, 2), "mm"}
	case r.Table != nil:
		row.Rows, row.Columns = len(r.Table.Rows), r.Table.Columns()
	}
	set := setPlaces(r, laid)
	if len(set) > 0 {
		row.Number = set[0].block.Number
	}
	placed := map[int]bool{}
	for k, at := range u.of(r) {
		row.InText = cmp.Or(row.InText, at.caption)
		p := placement{Chapter: at.chapter, Line: at.line}
		// The first mention brings a floated resource into the page.
		first := k == 0 && len(set) > 0 && set[0].chapter == at.chapter-1
		if at.cites && !first {
			if laid != nil {
				p.Page = pageOfOffset(laid, at.chapter-1, at.from)
			}
			if len(row.CitedIn) < maxPlaces {
				row.CitedIn = append(row.CitedIn, p)
			}
			continue
		}
		if laid != nil {
			p.Page = pageOfOffset(laid, at.chapter-1, at.from)
			for _, sp := range set {
				if sp.chapter == at.chapter-1 && !placed[sp.page] {
					p.Page, placed[sp.page] = pageName(laid.Frames.Chapters[sp.chapter].Pages[sp.page]), true
					break
				}
			}
		}
		if len(row.PlacedIn) < maxPlaces {
			row.PlacedIn = append(row.PlacedIn, p)
		}
	}
	for _, at := range drawnPlaces(r, laid, maxPlaces-len(row.PlacedIn)) {
		row.PlacedIn = append(row.PlacedIn, at)
	}
	return row
}

// drawnPlaces lists the pages on which designs draw a resource, at most so many: the
// line is that of the text the page begins with.
func drawnPlaces(r *book.Resource, laid *Settled, most int) []placement {
	if laid == nil {
		return nil
	}
	var list []placement
	for ci, c := range laid.Frames.Chapters {
		var lines *textIndex
		for _, p := range c.Pages {
			if len(list) >= most {
				return list
			}
			draws := func(i frame.Item) bool { return i.Image != "" && (i.Image == r.ID || i.Image == r.Name) }
			if !slices.ContainsFunc(p.Under, draws) && !slices.ContainsFunc(p.Header, draws) && !slices.ContainsFunc(p.Footer, draws) {
				continue
			}
			at := placement{Chapter: ci + 1, Line: 1, Page: pageName(p)}
			for _, b := range p.Blocks() {
				if lines == nil {
					lines = indexText(laid.Book.Chapters[ci].Markdown)
				}
				at.Line = lines.line(b.Start)
				break
			}
			list = append(list, at)
		}
	}
	return list
}

// pageOfOffset names the page on which a place of the text is set.
func pageOfOffset(laid *Settled, chapter, off int) any {
	c := laid.Frames.Chapters[chapter]
	sp, ok := locate(c, off)
	if !ok {
		return nil
	}
	return pageName(c.Pages[sp.page])
}

// setPlace is a place on the pages where a resource is set.
type setPlace struct {
	chapter, page int
	block         *frame.Block
}

// setPlaces lists where a resource is set, in reading order.
func setPlaces(r *book.Resource, laid *Settled) []setPlace {
	if laid == nil {
		return nil
	}
	var list []setPlace
	for ci, c := range laid.Frames.Chapters {
		for pi, p := range c.Pages {
			for _, b := range p.Blocks() {
				if b.Kind == frame.Resource && b.ID != "" && (b.ID == r.ID || b.ID == r.Name) {
					list = append(list, setPlace{ci, pi, b})
				}
			}
		}
	}
	return list
}

// resourceProblems says in words what is wrong with a resource itself.
func resourceProblems(b *book.Book, r *book.Resource) []string {
	list := r.Faults()
	for _, o := range b.Resources {
		if o == r {
			break
		}
		if o.ID == r.ID {
			list = append(list, "another resource before it has the same id: only that one is found")
			break
		}
	}
	if r.Kind == book.KindBitmap || r.Kind == book.KindSVG {
		if data, err := r.Bytes(); err != nil {
			list = append(list, "its file cannot be read: "+err.Error())
		} else if _, err := book.ReadPicture(data); err != nil {
			list = append(list, err.Error())
		}
	}
	if r.TypeID != "" && !slices.Contains(typeIDs(b), r.TypeID) {
		list = append(list, "its type "+bridge.Quote(r.TypeID)+" is none of the book's resourceTypes")
	}
	return list
}

// typeIDs are the resource types of a book: the built-in ones and its own.
func typeIDs(b *book.Book) []string {
	list := []string{"figure", "table", "video"}
	var config struct {
		ResourceTypes []struct {
			ID string `json:"id"`
		} `json:"resourceTypes"`
	}
	if len(b.Config) == 0 || json.Unmarshal(b.Config, &config) != nil || config.ResourceTypes == nil {
		return list
	}
	list = list[2:] // a stored list without video still numbers videos
	for _, t := range config.ResourceTypes {
		if t.ID != "" && !slices.Contains(list, t.ID) {
			list = append(list, t.ID)
		}
	}
	return list
}

// wholeAnswer is one resource with everything about it.
type wholeAnswer struct {
	resourceRow
	Resource json.RawMessage `json:"resource"` // the record; a table's cells stand in table
	SVG      *svgSource      `json:"svg,omitempty"`
	Table    *tableForm      `json:"table,omitempty"`
	Printed  []printedAt     `json:"printed,omitempty"`
	Place    string          `json:"place"`
	Cite     string          `json:"cite"`
	// Truncated says what a long answer leaves out.
	Truncated *nextLine `json:"truncated,omitempty"`
	Revision  int64     `json:"revision"`
}

type svgSource struct {
	Source string `json:"source"`
}

// printedAt is a size at which a picture is printed.
type printedAt struct {
	Page any     `json:"page"`
	MM   sizeMM  `json:"size"`
	PPI  float64 `json:"ppi,omitempty"` // of a bitmap
}

// wholeResource describes a resource; of a table's cells and of a drawing's source at
// most room characters are given.
func (s *Session) wholeResource(b *book.Book, rev int64, laid *Settled, r *book.Resource, room int) (any, error) {
	ans := wholeAnswer{resourceRow: describeResource(b, r, laid, usesOf(b, laid)), Place: placeLine(r.ID), Cite: citeMark(r.ID), Revision: rev}
	record := *r
	if r.Table != nil {
		ans.Table = formOf(r.Table)
		slim := *r.Table
		slim.Rows = nil
		record.Table = &slim
		text, err := json.Marshal(ans.Table)
		if err != nil {
			return nil, err
		}
		if len(text) > room {
			kept, size := 0, 0
			for _, row := range ans.Table.Rows {
				one, err := json.Marshal(row)
				if err != nil {
					return nil, err
				}
				if size += len(one); size > room {
					break
				}
				kept++
			}
			ans.Table.Rows = ans.Table.Rows[:kept]
			ans.Truncated = &nextLine{Note: fmt.Sprintf("the first %d of %d rows are given; change cells by tableEdits", kept, len(r.Table.Rows))}
		}
	}
	text, err := json.Marshal(&record)
	if err != nil {
		return nil, err
	}
	ans.Resource = text
	if r.Kind == book.KindSVG {
		data, err := r.Bytes()
		if err != nil {
			return nil, err
		}
		src := strings.ToValidUTF8(string(data), "\uFFFD")
		if n := book.UTF16Len(src); n > room {
			src = src[:book.NewIndex(src).Byte(room)]
			ans.Truncated = &nextLine{Note: fmt.Sprintf("the first %d of %d characters of the SVG's source are given", room, n)}
		}
		ans.SVG = &svgSource{src}
	}
	ans.Printed = printedSizes(r, laid)
	return ans, nil
}

// printedSizes lists the sizes at which a picture is printed, at most 20.
func printedSizes(r *book.Resource, laid *Settled) []printedAt {
	if laid == nil || r.Kind == book.KindTable {
		return nil
	}
	var list []printedAt
	for _, c := range laid.Frames.Chapters {
		for _, p := range c.Pages {
			each := func(items []frame.Item) {
				for i := range items {
					it := &items[i]
					if it.Image == "" || it.Image != r.ID && it.Image != r.Name || len(list) == maxPlaces {
						continue
					}
					at := printedAt{Page: pageName(p), MM: sizeMM{round(it.Box.W.Pt()*25.4/72, 2), round(it.Box.H.Pt()*25.4/72, 2), "mm"}}
					if r.Kind == book.KindBitmap && it.Box.W > 0 {
						at.PPI = round(float64(r.Width*72)/it.Box.W.Pt(), 0)
					}
					list = append(list, at)
				}
			}
			each(p.Under)
			for k := range p.Columns {
				for _, b := range p.Columns[k].Blocks {
					each(b.Under)
					each(b.Over)
				}
			}
		}
	}
	return list
}

func placeLine(id string) string { return `::resource{id="` + id + `"}` }
func citeMark(id string) string  { return `:ref{id="` + id + `"}` }

type deleteResourceArgs struct {
	ID   string `json:"id" minLen:"1" maxLen:"300"`
	Wait bool   `json:"wait" default:"true"`
}

type deleteResourceAnswer struct {
	Deleted    string      `json:"deleted"`
	References []reference `json:"references"`
	// Design are the settings that name it.
	Design  int           `json:"design,omitempty"`
	Removed *backResource `json:"removed"`
	Pages
}

type reference struct {
	Chapter int `json:"chapter"`
	Line    int `json:"line"`
}

// backResource is a resource as an answer gives it back: sent to
// sandbox_save_resource it makes it again.
type backResource struct {
	Resource json.RawMessage `json:"resource"`
	Table    *tableForm      `json:"table,omitempty"`
	SVG      *svgSource      `json:"svg,omitempty"`
	Image    *imageBack      `json:"image,omitempty"`
	Note     string          `json:"note,omitempty"`
}

type imageBack struct {
	Base64 string `json:"base64"`
}

// maxBack is the most bytes of a picture an answer gives back.
const maxBack = 40 << 10

// giveBack writes a resource for an answer, its content as far as it is short
// enough.
func giveBack(r *book.Resource) (*backResource, error) {
	back := &backResource{}
	record := *r
	if r.Table != nil {
		back.Table = formOf(r.Table)
		slim := *r.Table
		slim.Rows = nil
		record.Table = &slim
		if text, err := json.Marshal(back.Table); err != nil {
			return nil, err
		} else if len(text) > maxText {
			back.Table, back.Note = nil, "the table is too large to be given back here"
		}
	}
	text, err := json.Marshal(&record)
	if err != nil {
		return nil, err
	}
	back.Resource = text
	if r.Kind == book.KindBitmap || r.Kind == book.KindSVG {
		data, err := r.Bytes()
		switch {
		case err != nil:
			back.Note = "its file could not be read"
		case len(data) > maxBack:
			back.Note = fmt.Sprintf("its file of %d KB is too large to be given back here", len(data)>>10)
		case r.Kind == book.KindSVG:
			back.SVG = &svgSource{strings.ToValidUTF8(string(data), "\uFFFD")}
		default:
			back.Image = &imageBack{base64.StdEncoding.EncodeToString(data)}
		}
	}
	return back, nil
}

func (s *Session) deleteResource(ctx context.Context, a deleteResourceArgs) (any, error) {
	var ans deleteResourceAnswer
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		r, err := resourceNamed(snap.book, a.ID)
		if err != nil {
			return nil, err
		}
		ans = deleteResourceAnswer{Deleted: a.ID, References: []reference{}}
		for _, u := range usesOf(snap.book, nil).of(r) {
			if len(ans.References) < 500 {
				ans.References = append(ans.References, reference{u.chapter, u.line})
			}
		}
		if _, ans.Design, err = renameInConfig(snap.book.Config, a.ID, ""); err != nil {
			return nil, err
		}
		if ans.Removed, err = giveBack(r); err != nil {
			return nil, err
		}
		list := slices.DeleteFunc(slices.Clone(snap.book.Resources), func(o *book.Resource) bool { return o == r })
		return &change{book: snap.book.WithResources(list)}, nil
	})
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	return ans, nil
}
