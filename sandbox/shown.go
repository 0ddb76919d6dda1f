package sandbox

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"

	"postext/book"
	"postext/bridge"
	"postext/engine/font"
	"postext/engine/settings"
)

// What the window's panels show of resources and fonts. Unlike the tools these
// never wait for pages: what is not laid out yet comes with the next revision of
// the state.

// ResourceType is a resource type as a panel names it.
type ResourceType struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Plural is the name of several; empty for a table style.
	Plural string `json:"plural,omitempty"`
}

// ResourceList is what the panel of resources lists.
type ResourceList struct {
	Resources []listedResource `json:"resources"`
	// Types are the book's resource types, in order; Styles its table styles.
	Types    []ResourceType `json:"types"`
	Styles   []ResourceType `json:"styles"`
	Revision int64          `json:"revision"`
}

// listedResource is a row of the panel; Version is another one when the picture
// may have changed.
type listedResource struct {
	resourceRow
	Version string `json:"version"`
}

// versionOf tells the pictures of a resource apart by their length and ends.
func versionOf(r *book.Resource) string {
	h := fnv.New64a()
	for _, f := range r.Files() {
		data, err := f.Bytes()
		if err != nil {
			continue // the row's problems say so
		}
		h.Write(data[:min(len(data), 64<<10)]) // a hash takes all bytes
		h.Write(data[max(0, len(data)-64<<10):])
		h.Write([]byte{byte(len(data)), byte(len(data) >> 8), byte(len(data) >> 16)})
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// laidNow gives the book as it is, with its pages when they are there.
func (s *Session) laidNow(ctx context.Context) (*book.Book, int64, *Settled, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, 0, nil, err
	}
	laid, err := s.pagesNow(ctx, false)
	if err != nil {
		return nil, 0, nil, err
	}
	if laid != nil {
		return laid.Book, laid.Revision, laid, nil
	}
	return snap.book, snap.rev, nil, nil
}

// ResourceList lists the resources of the book.
func (s *Session) ResourceList(ctx context.Context) (ResourceList, error) {
	b, rev, laid, err := s.laidNow(ctx)
	if err != nil {
		return ResourceList{}, err
	}
	list := ResourceList{Resources: []listedResource{}, Types: []ResourceType{}, Styles: []ResourceType{}, Revision: rev}
	u := usesOf(b, laid)
	for _, r := range resourcesOf(b) {
		list.Resources = append(list.Resources, listedResource{describeResource(b, r, laid, u), versionOf(r)})
	}
	names := map[string]ResourceType{"figure": {Name: "Figure", Plural: "Figures"}, "table": {Name: "Table", Plural: "Tables"},
		"video": {Name: "Video", Plural: "Videos"}}
	if laid != nil {
		for _, t := range laid.Design.Figures.Types {
			names[t.ID] = ResourceType{t.ID, t.Name, t.Plural}
		}
		for _, t := range laid.Design.Figures.Tables {
			list.Styles = append(list.Styles, ResourceType{ID: t.ID, Name: t.ID})
		}
	}
	for _, id := range typeIDs(b) {
		t := names[id]
		if t.ID = id; t.Name == "" {
			t.Name = id
		}
		list.Types = append(list.Types, t)
	}
	return list, nil
}

// maxShown is how much of a resource the window shows at once, in characters: of a
// table as many cells as it can have fields for, of a drawing a source that a text
// field is still quick with.
const maxShown = 600_000

// Resource is one resource with everything about it, in the form of
// sandbox_list_resources, whose answers are shorter.
func (s *Session) Resource(ctx context.Context, id string) (any, error) {
	b, rev, laid, err := s.laidNow(ctx)
	if err != nil {
		return nil, err
	}
	r, err := resourceNamed(b, id)
	if err != nil {
		return nil, err
	}
	return s.wholeResource(b, rev, laid, r, maxShown)
}

// ResourcePicture gives the picture that shows a resource: its own, or a video's
// poster; nil when it has none.
func (s *Session) ResourcePicture(ctx context.Context, id string) (mimeType string, data []byte, err error) {
	snap, err := s.await(ctx)
	if err != nil {
		return "", nil, err
	}
	r, err := resourceNamed(snap.book, id)
	if err != nil {
		return "", nil, err
	}
	name := r.Name
	switch {
	case r.Kind == book.KindVideo && r.Poster != nil:
		name = r.Poster.Name
		data, err = r.Poster.Bytes()
	case r.Kind == book.KindBitmap || r.Kind == book.KindSVG:
		data, err = r.Bytes()
	default:
		return "", nil, nil
	}
	return mimeOf(name), data, err
}

// FontFile gives a font file of the book by family, weight and style.
func (s *Session) FontFile(ctx context.Context, family string, weight int, italic bool) ([]byte, error) {
	snap, tree, err := s.settings(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range settings.CustomFonts(tree) {
		if font.Fold(f.Name) != font.Fold(family) {
			continue
		}
		for _, v := range f.Variants {
			if v.Weight != weight || v.Italic != italic {
				continue
			}
			if r := fontFile(snap.book, v.FileID); r != nil {
				return r.Bytes()
			}
		}
	}
	return nil, bridge.Refuse("the book has no file for %s %d %s", bridge.Quote(family), weight, styleName(italic))
}

// FontName is what a font file calls itself.
type FontName struct {
	Family  string `json:"family"`
	Weights []int  `json:"weights"`
	Style   string `json:"style"`
	Format  string `json:"format"`
}

// NameFont reads the name of a font file that the person chose.
func NameFont(data []byte) (FontName, error) {
	if len(data) > maxFontFile {
		return FontName{}, bridge.Refuse("the file has %d MB; a font file has at most %d", len(data)>>20, maxFontFile>>20)
	}
	n := FontName{Format: font.Format(data), Weights: []int{400}, Style: "normal"}
	members, err := font.Members(data)
	if err != nil || n.Format == "" {
		return n, bridge.Refuse("the file is no font: TTF, OTF, WOFF2 and WOFF are taken")
	}
	if i := slices.IndexFunc(members, func(m font.Member) bool { return m.Family != "" }); i >= 0 {
		n.Family, n.Weights, n.Style = members[i].Family, members[i].Weights(), styleName(members[i].Italic)
	}
	return n, nil
}
