package book

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Kinds of resources (document-format.md 13.1). Fonts and bibliographies are
// kept beside them under kinds of their own.
const (
	KindBitmap = "bitmap"
	KindSVG    = "svg"
	KindTable  = "table"
	KindVideo  = "video"
)

// Resource is a picture, table or video of the book, set by its id, or another
// file the book brings along. It is immutable; its JSON is that of the manifest
// (bundle.md 3), where Name is "file" and members this program does not know are
// kept.
type Resource struct {
	ID   string
	Kind string // bitmap, svg, table, video; font and bibliography
	// TypeID is the resource type that numbers it: figure, table, video or one
	// of the book's own.
	TypeID string
	Name   string // path of its file in the book, with slashes; "" without a file
	Alt    string // plain text in place of a picture
	// Caption and Note are inline Markdown.
	Caption, Note string
	// Width and Height are the natural size: pixels of a bitmap, points of an
	// SVG; 0 when unknown.
	Width, Height float64
	// Resolution is the bitmap's pixels per inch at its natural printed size,
	// FileResolution what its file states; 0 for none.
	Resolution, FileResolution float64
	// InlineFonts false keeps the fonts of an SVG's texts as its file has them.
	InlineFonts *bool
	SafeArea    *Area
	Placement   *Placement
	Table       *Table
	Video       *Video
	// Master is a one-page PDF printed in place of an SVG; Poster the picture of
	// a video.
	Master, Poster *File

	// Data is the content. Of a folder's large files it is nil until asked for:
	// use Bytes.
	Data []byte

	lazy  *lazyFile
	extra object
}

// File is a payload beside a resource's own: bytes under a path of the book.
type File struct {
	Name string
	Data []byte

	lazy *lazyFile
}

// LazyFile is a payload that is read when it is first asked for, once.
func LazyFile(name string, read func() ([]byte, error)) *File {
	return &File{Name: name, lazy: &lazyFile{read: read}}
}

// Bytes returns the content, reading it when it was left in its file.
func (f *File) Bytes() ([]byte, error) {
	if f.Data != nil || f.lazy == nil {
		return f.Data, nil
	}
	return f.lazy.bytes()
}

// Area is a rectangle in fractions of the picture's width and height.
type Area struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Placement says where a resource goes (document-format.md 13.5). A zero field
// is unset: the resource's type decides, then the built-in value.
type Placement struct {
	Position       string // auto, top, bottom, here
	Span           string // column, page, side
	Columns        int    // columns a column float lies over
	Width          float64
	Align          string // left, center, right
	CaptionSide    *bool
	CaptionMeasure string // slot, body
	Rotate         string // ccw, cw; none
	Shrink         string // never, page, slot
	MinScale       float64
	Wrap           string // none, left, right, start, end
	WrapGap        *Length
	CitingPage     *bool

	extra object
}

// Length is a measure as settings store it.
type Length struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// Video is what a video resource shows (document-format.md 14).
type Video struct {
	Source string // youtube, vimeo, file
	// URL is the page of a platform's video, or the production address of a file.
	URL           string
	Format        string // mp4, webm, ogv, mov, hls
	Width, Height float64
	Duration      float64         // seconds
	PosterTime    float64         // second of the film the poster shows
	Start, End    float64         // seconds
	Player        map[string]bool // switches that differ from the book's videoStyle.player

	extra object
}

func (r *Resource) fields(file, master, poster *string) []field {
	return []field{
		{"id", &r.ID, true}, {"typeId", &r.TypeID, false}, {"kind", &r.Kind, true},
		{"file", file, false}, {"pdfFile", master, false}, {"posterFile", poster, false},
		{"width", &r.Width, false}, {"height", &r.Height, false},
		{"resolution", &r.Resolution, false}, {"fileResolution", &r.FileResolution, false},
		{"inlineFonts", &r.InlineFonts, false},
		{"caption", &r.Caption, false}, {"note", &r.Note, false}, {"altText", &r.Alt, false},
		{"safeArea", &r.SafeArea, false}, {"placement", &r.Placement, false},
		{"table", &r.Table, false}, {"video", &r.Video, false},
	}
}

// storageFields are members that belong to storage and are never written
// (bundle.md 3).
var storageFields = []string{"createdAt", "updatedAt", "fileId", "pdfFileId"}

// UnmarshalJSON reads a resource in the manifest's form. Its files are named but
// have no bytes yet.
func (r *Resource) UnmarshalJSON(data []byte) error {
	*r = Resource{}
	var master, poster string
	extra, err := readFields(data, r.fields(&r.Name, &master, &poster))
	if err != nil {
		return err
	}
	r.extra = slices.DeleteFunc(extra, func(m member) bool { return slices.Contains(storageFields, m.key) })
	if master != "" {
		r.Master = &File{Name: master}
	}
	if poster != "" {
		r.Poster = &File{Name: poster}
	}
	return nil
}

// MarshalJSON writes the resource in the manifest's form, without its bytes.
func (r *Resource) MarshalJSON() ([]byte, error) {
	c := *r
	var master, poster string
	if r.Master != nil {
		master = r.Master.Name
	}
	if r.Poster != nil {
		poster = r.Poster.Name
	}
	return writeFields(c.fields(&c.Name, &master, &poster), c.extra)
}

func (p *Placement) fields() []field {
	return []field{
		{"position", &p.Position, false}, {"span", &p.Span, false}, {"columns", &p.Columns, false},
		{"width", &p.Width, false}, {"align", &p.Align, false},
		{"captionSide", &p.CaptionSide, false}, {"captionMeasure", &p.CaptionMeasure, false},
		{"rotate", &p.Rotate, false}, {"shrink", &p.Shrink, false}, {"minScale", &p.MinScale, false},
		{"wrap", &p.Wrap, false}, {"wrapGap", &p.WrapGap, false}, {"citingPage", &p.CitingPage, false},
	}
}

// UnmarshalJSON reads a stored placement.
func (p *Placement) UnmarshalJSON(data []byte) (err error) {
	*p = Placement{}
	p.extra, err = readFields(data, p.fields())
	return err
}

// MarshalJSON writes it.
func (p *Placement) MarshalJSON() ([]byte, error) { c := *p; return writeFields(c.fields(), c.extra) }

func (v *Video) fields() []field {
	return []field{
		{"source", &v.Source, false}, {"url", &v.URL, false}, {"format", &v.Format, false},
		{"width", &v.Width, false}, {"height", &v.Height, false}, {"duration", &v.Duration, false},
		{"posterTime", &v.PosterTime, false}, {"start", &v.Start, false}, {"end", &v.End, false},
		{"player", &v.Player, false},
	}
}

// UnmarshalJSON reads a stored video; internal ids of files are dropped.
func (v *Video) UnmarshalJSON(data []byte) error {
	*v = Video{}
	extra, err := readFields(data, v.fields())
	v.extra = slices.DeleteFunc(extra, func(m member) bool { return m.key == "fileId" })
	return err
}

// MarshalJSON writes it.
func (v *Video) MarshalJSON() ([]byte, error) { c := *v; return writeFields(c.fields(), c.extra) }

// Words that a field of a resource may have; the empty word is unset.
var resourceWords = map[string][]string{
	"kind":                     {KindBitmap, KindSVG, KindTable, KindVideo},
	"placement.position":       {"auto", "top", "bottom", "here"},
	"placement.span":           {"column", "page", "side"},
	"placement.align":          {"left", "center", "right"},
	"placement.captionMeasure": {"slot", "body"},
	"placement.rotate":         {"none", "ccw", "cw"},
	"placement.shrink":         {"never", "page", "slot"},
	"placement.wrap":           {"none", "left", "right", "start", "end"},
	"video.source":             {"youtube", "vimeo", "file"},
	"video.format":             {"mp4", "webm", "ogv", "mov", "hls"},
}

// Faults lists what is wrong with the resource's fields, each in words that name
// the field and what it may be; nil when nothing is.
func (r *Resource) Faults() []string {
	var list []string
	fault := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	word := func(path, value string) {
		if value != "" && !slices.Contains(resourceWords[path], value) {
			fault("%s is one of %s, not %q", path, strings.Join(resourceWords[path], ", "), value)
		}
	}
	within := func(path string, v, low, high float64) {
		if v != 0 && !(v >= low && v <= high) {
			fault("%s is %v to %v, not %v", path, low, high, v)
		}
	}
	if r.ID == "" {
		fault("id is empty")
	}
	word("kind", r.Kind)
	within("resolution", r.Resolution, 1, 100_000)
	within("width", r.Width, 0, 1e6)
	within("height", r.Height, 0, 1e6)
	if a := r.SafeArea; a != nil {
		inside := func(v float64) bool { return v >= 0 && v <= 1 }
		const round = 1e-6
		if !inside(a.X) || !inside(a.Y) || !inside(a.Width) || !inside(a.Height) || a.X+a.Width > 1+round || a.Y+a.Height > 1+round {
			fault("safeArea is {x, y, width, height} in fractions 0 to 1 inside the picture")
		} else if a.Width < 0.02 || a.Height < 0.02 {
			fault("safeArea has a side under 0.02: it would be ignored")
		}
	}
	if p := r.Placement; p != nil {
		word("placement.position", p.Position)
		word("placement.span", p.Span)
		word("placement.align", p.Align)
		word("placement.captionMeasure", p.CaptionMeasure)
		word("placement.rotate", p.Rotate)
		word("placement.shrink", p.Shrink)
		word("placement.wrap", p.Wrap)
		within("placement.columns", float64(p.Columns), 1, 8)
		within("placement.width", p.Width, 0.01, 1)
		within("placement.minScale", p.MinScale, 0.05, 1)
		if g := p.WrapGap; g != nil && (!(g.Value >= 0 && g.Value <= 1e4) || g.Unit == "") {
			fault("placement.wrapGap is a length such as {\"value\": 4, \"unit\": \"mm\"}")
		}
	}
	if v := r.Video; v != nil {
		word("video.source", v.Source)
		word("video.format", v.Format)
		within("video.start", v.Start, 0, 1e6)
		within("video.end", v.End, 0, 1e6)
		if v.End != 0 && v.End <= v.Start {
			fault("video.end %v does not come after video.start %v", v.End, v.Start)
		}
	}
	if r.Kind == KindTable {
		if r.Table == nil {
			fault("table is missing")
		} else if why := r.Table.Fault(); why != "" {
			fault("%s", why)
		}
	}
	return list
}

// measure reads from a picture's header what is not known of it yet: its size
// and, of a bitmap, the resolution stated.
func (r *Resource) measure() {
	if r.Data == nil || r.Kind != KindBitmap && r.Kind != KindSVG || r.Width != 0 && r.Height != 0 && r.FileResolution != 0 {
		return
	}
	p, err := ReadPicture(r.Data)
	if err != nil {
		return // whoever sets the picture says what is wrong with it
	}
	if r.Width == 0 || r.Height == 0 {
		r.Width, r.Height = p.Width, p.Height
	}
	if r.FileResolution == 0 {
		r.FileResolution = p.Resolution
	}
}

// Files lists the payloads of the resource: its own file, the PDF master, the
// poster.
func (r *Resource) Files() []*File {
	var list []*File
	if r.Name != "" {
		list = append(list, &File{r.Name, r.Data, r.lazy})
	}
	for _, f := range []*File{r.Master, r.Poster} {
		if f != nil {
			list = append(list, f)
		}
	}
	return list
}

// isSame reports whether two files are one, without reading them: from one source, or
// the same bytes in memory.
func (f *File) isSame(o *File) bool {
	return f.lazy != nil && f.lazy == o.lazy || len(f.Data) > 0 && len(f.Data) == len(o.Data) && &f.Data[0] == &o.Data[0]
}

// IsLike reports whether two resources are alike: one record, or records that say the
// same of the same files. Files that would have to be read to tell count as others.
func (r *Resource) IsLike(o *Resource) bool {
	if r == o {
		return true
	}
	mine, theirs := r.Files(), o.Files()
	if !slices.EqualFunc(mine, theirs, func(a, b *File) bool {
		return a.Name == b.Name && (a.isSame(b) || a.lazy == nil && b.lazy == nil && bytes.Equal(a.Data, b.Data))
	}) {
		return false
	}
	a, err := r.MarshalJSON()
	if err != nil {
		return false
	}
	b, err := o.MarshalJSON()
	return err == nil && bytes.Equal(a, b)
}

// WithFiles returns the resource with other payloads, in the order of Files:
// those of the names it has.
func (r *Resource) WithFiles(files []*File) *Resource {
	n := *r
	if n.Name != "" && len(files) > 0 {
		n.Name, n.Data, n.lazy = files[0].Name, files[0].Data, files[0].lazy
		files = files[1:]
	}
	for _, to := range []**File{&n.Master, &n.Poster} {
		if *to != nil && len(files) > 0 {
			*to, files = files[0], files[1:]
		}
	}
	return &n
}

// WithContent returns the resource with another file of its own; an empty name
// takes the file away.
func (r *Resource) WithContent(name string, data []byte) *Resource {
	n := *r
	n.Name, n.Data, n.lazy = name, data, nil
	return &n
}

// WithResource returns the book with a resource in the place of the one of its
// id, or added at the end.
func (b *Book) WithResource(r *Resource) *Book {
	list := slices.Clone(b.Resources)
	if i := slices.IndexFunc(list, func(o *Resource) bool { return o.ID == r.ID }); i >= 0 {
		list[i] = r
	} else {
		list = append(list, r)
	}
	return b.WithResources(list)
}

// WithoutResource returns the book without the resource of an id.
func (b *Book) WithoutResource(id string) *Book {
	return b.WithResources(slices.DeleteFunc(slices.Clone(b.Resources), func(r *Resource) bool { return r.ID == id }))
}

var _ json.Marshaler = (*Resource)(nil)

// Merge returns the resource with members of its JSON changed: patch is an
// object whose members replace those of the same name, null taking one away;
// placement and video are merged member by member. The files stay. was is an
// object that takes the change back: merging it gives the same bytes again. The
// error is in plain words.
func (r *Resource) Merge(patch []byte) (next *Resource, was json.RawMessage, err error) {
	var p, back object
	if err := json.Unmarshal(patch, &p); err != nil {
		return nil, nil, err
	}
	text, err := r.MarshalJSON()
	if err != nil {
		return nil, nil, err
	}
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, nil, err
	}
	null := json.RawMessage("null")
	for _, m := range p {
		i := o.find(m.key)
		deep := (m.key == "placement" || m.key == "video") && i >= 0 && m.value[0] == '{'
		if !deep {
			old := null
			if i >= 0 {
				old = o[i].value
			}
			back = append(back, member{m.key, old})
			o.replace(m.key, m.value)
			continue
		}
		var inner, changes, undo object
		if err := json.Unmarshal(o[i].value, &inner); err != nil {
			return nil, nil, err
		}
		if err := json.Unmarshal(m.value, &changes); err != nil {
			return nil, nil, err
		}
		for _, c := range changes {
			old := null
			if k := inner.find(c.key); k >= 0 {
				old = inner[k].value
			}
			undo = append(undo, member{c.key, old})
			inner.replace(c.key, c.value)
		}
		merged, err := inner.MarshalJSON()
		if err != nil {
			return nil, nil, err
		}
		before, err := undo.MarshalJSON()
		if err != nil {
			return nil, nil, err
		}
		if len(inner) == 0 {
			merged = null
		}
		back = append(back, member{m.key, before})
		o.replace(m.key, merged)
	}
	if text, err = o.MarshalJSON(); err != nil {
		return nil, nil, err
	}
	next = &Resource{}
	if err := next.UnmarshalJSON(text); err != nil {
		return nil, nil, err
	}
	next.Data, next.lazy, next.Master, next.Poster = r.Data, r.lazy, r.Master, r.Poster
	was, err = back.MarshalJSON()
	return next, was, err
}

// replace sets a member, takes it away with null, or adds it at the end.
func (o *object) replace(key string, value json.RawMessage) {
	if string(value) == "null" {
		value = nil
	}
	o.set(key, value, "")
}
