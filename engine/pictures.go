package engine

import (
	"context"
	"encoding/base64"
	"net/url"
	"path"
	"strings"

	"postext/book"
	"postext/engine/font"
	"postext/engine/layout"
	"postext/engine/picture"
)

// pictures finds the pictures the text names and keeps them opened. A resource
// is immutable, so that what was read of one stays true.
type pictures struct {
	list   []*book.Resource // of the book indexed
	byName map[string]*book.Resource
	byID   map[string]*book.Resource
	opened map[*book.Resource]*openPicture
	data   map[string]*openPicture // of data: addresses
}

// openPicture is a picture read, or why it could not be.
type openPicture struct {
	pic *picture.Picture
	why string
}

// index prepares to look names up in a book.
func (p *pictures) index(b *book.Book) {
	if len(p.list) == len(b.Resources) && (len(p.list) == 0 || &p.list[0] == &b.Resources[0]) && p.byName != nil {
		return
	}
	p.list = b.Resources
	p.byName, p.byID = make(map[string]*book.Resource, len(b.Resources)), make(map[string]*book.Resource, len(b.Resources))
	for _, r := range b.Resources {
		if _, twice := p.byName[r.Name]; !twice && r.Name != "" {
			p.byName[r.Name] = r
		}
		if _, twice := p.byID[r.ID]; !twice {
			p.byID[r.ID] = r
		}
	}
	old := p.opened
	p.opened = make(map[*book.Resource]*openPicture, len(old))
	for _, r := range b.Resources {
		if o := old[r]; o != nil {
			p.opened[r] = o
		}
	}
	p.data = map[string]*openPicture{}
}

// find looks up what the text of a chapter calls target: a resource by name or
// id, or a file beside the chapter.
func (p *pictures) find(c *book.Chapter, target string) *book.Resource {
	name := target
	if n, err := url.PathUnescape(target); err == nil {
		name = n
	}
	for _, n := range []string{target, name, path.Join(path.Dir(c.File), name), strings.TrimPrefix(path.Clean("/"+name), "/")} {
		if r := p.byName[n]; r != nil {
			return r
		}
		if r := p.byID[n]; r != nil {
			return r
		}
	}
	return nil
}

// record finds a resource that the text may cite: fonts and bibliographies are
// none.
func (p *pictures) record(id string) *book.Resource {
	r := p.byID[id]
	if r == nil || r.Kind == "font" || r.Kind == "bibliography" {
		return nil
	}
	return r
}

// picture answers the layout's question for a picture; it fails only with the
// context.
func (t *Typesetter) picture(ctx context.Context, c *book.Chapter, target string, r *book.Resource) (layout.Found, error) {
	if rest, ok := strings.CutPrefix(target, "data:"); ok {
		o := t.pics.data[target]
		if o == nil {
			if o = t.dataPicture(ctx, rest); ctx.Err() == nil {
				t.pics.data[target] = o
			}
		}
		return layout.Found{Picture: o.pic, Why: o.why}, ctx.Err()
	}
	if r == nil {
		r = t.pics.find(c, target)
	}
	if r == nil {
		why := "the book has no file of this name"
		if u, err := url.Parse(target); err == nil && u.Scheme != "" {
			why = "pictures are taken from the book's own files, not from the network"
		}
		return layout.Found{Why: why}, nil
	}
	o, err := t.open(ctx, r)
	if err != nil {
		return layout.Found{}, err
	}
	return layout.Found{Picture: o.pic, Why: o.why, Resource: r}, nil
}

// pictureOptions are how pictures are read: with the book's faces, until the layout
// is not wanted any more.
func (t *Typesetter) pictureOptions(ctx context.Context) picture.Options {
	return picture.Options{Face: t.svgFaces(ctx), Stop: func() bool { return t.look(ctx) != nil }}
}

// open reads a resource's picture, once.
func (t *Typesetter) open(ctx context.Context, r *book.Resource) (*openPicture, error) {
	if o := t.pics.opened[r]; o != nil {
		return o, nil
	}
	o := &openPicture{}
	data, err := t.world.Picture(ctx, r)
	if e := ctx.Err(); e != nil {
		return nil, e
	}
	switch {
	case err != nil:
		o.why = err.Error()
	case len(data) == 0:
		o.why = "its file is empty or missing"
	default:
		if o.pic, err = picture.Open(data, t.pictureOptions(ctx)); err != nil {
			o.pic, o.why = nil, err.Error()
		}
	}
	if err := t.look(ctx); err != nil {
		return nil, err
	}
	t.pics.opened[r] = o
	return o, nil
}

// dataPicture reads a picture written into its address (RFC 2397).
func (t *Typesetter) dataPicture(ctx context.Context, rest string) *openPicture {
	head, body, ok := strings.Cut(rest, ",")
	if !ok {
		return &openPicture{why: "the data: address has no data"}
	}
	var data []byte
	var err error
	if strings.HasSuffix(strings.TrimSpace(head), ";base64") {
		data, err = base64.StdEncoding.DecodeString(strings.TrimRight(body, "=") + strings.Repeat("=", (4-len(strings.TrimRight(body, "="))%4)%4))
	} else {
		var text string
		text, err = url.PathUnescape(body)
		data = []byte(text)
	}
	if err != nil {
		return &openPicture{why: "the data: address cannot be read"}
	}
	pic, err := picture.Open(data, t.pictureOptions(ctx))
	if err != nil {
		return &openPicture{why: err.Error()}
	}
	return &openPicture{pic: pic}
}

// svgFaces gives the faces for the text of an SVG: the family named, if there is
// one, else one of the same kind.
func (t *Typesetter) svgFaces(ctx context.Context) picture.FaceFunc {
	return func(family string, weight int, italic bool) (*font.Face, bool) {
		if f, err := t.load(ctx, faceKey{family, weight, italic}); err == nil && font.Fold(f.Family) == font.Fold(family) {
			return f, true
		}
		kind := kindOf(family)
		for _, name := range kind.try {
			if name == "" && t.design != nil {
				name = t.design.Body.Family
			}
			if f, err := t.load(ctx, faceKey{name, weight, italic}); err == nil {
				return f, kind.generic
			}
		}
		return nil, false
	}
}

// familyKind is what stands in for a family of a kind; "" is the body's.
type familyKind struct {
	try     []string
	generic bool // the name asks for a kind, not for a family
}

// kindOf sorts a family name into sans, serif and typewriter faces.
func kindOf(family string) familyKind {
	f := strings.ToLower(family)
	sans := []string{"Open Sans", "", "EB Garamond"}
	mono := []string{"JetBrains Mono", "Open Sans", ""}
	serif := []string{"", "EB Garamond", "Open Sans"}
	switch f {
	case "sans-serif", "system-ui", "ui-sans-serif":
		return familyKind{sans, true}
	case "monospace", "ui-monospace":
		return familyKind{mono, true}
	case "", "serif", "ui-serif", "inherit":
		return familyKind{serif, true}
	}
	for _, w := range []string{"mono", "courier", "consol", "code", "menlo"} {
		if strings.Contains(f, w) {
			return familyKind{mono, false}
		}
	}
	for _, w := range []string{"times", "serif", "georgia", "garamond", "roman", "book", "cambria", "palatino"} {
		if strings.Contains(f, w) && !strings.Contains(f, "sans") {
			return familyKind{serif, false}
		}
	}
	return familyKind{sans, false}
}
