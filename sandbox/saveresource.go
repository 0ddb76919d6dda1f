package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
)

// Limits of the files of resources (tools.md 1, Files).
const (
	maxPicture = 25 << 20
	maxVideo   = 200 << 20
)

type saveResourceArgs struct {
	ID               string       `json:"id" minLen:"1" maxLen:"300"`
	NewID            string       `json:"newId,omitempty" maxLen:"100" doc:"renames it: letters, digits, -_.:/"`
	UpdateReferences bool         `json:"updateReferences" default:"true" doc:"with newId, in the whole book"`
	Image            *fileArgs    `json:"image,omitempty" doc:"PNG, JPEG, WebP or GIF"`
	SVG              *svgArgs     `json:"svg,omitempty" doc:"one of the three"`
	Table            *tableForm   `json:"table,omitempty"`
	TableEdits       []tableEdit  `json:"tableEdits,omitempty" doc:"1 to 200, in order"`
	Video            *videoArgs   `json:"video,omitempty"`
	Caption          *string      `json:"caption,omitempty" doc:"inline Markdown"`
	Note             *string      `json:"note,omitempty" doc:"smaller line under it"`
	AltText          *string      `json:"altText,omitempty" doc:"for those who do not see it"`
	TypeID           *string      `json:"typeId,omitempty" minLen:"1" doc:"figure, table, video or a type of the book"`
	Placement        placementArg `json:"placement,omitzero" doc:"changes what is given; null removes"`
	SafeArea         areaArg      `json:"safeArea,omitzero" doc:"never cropped away, in fractions"`
	Resolution       rawArg       `json:"resolution,omitzero" types:"number,null" doc:"pixels per inch in print"`
	Wait             bool         `json:"wait" default:"true"`
}

type svgArgs struct {
	Source string `json:"source,omitempty"`
	URL    string `json:"url,omitempty"`
	Base64 string `json:"base64,omitempty"`
}

type videoArgs struct {
	URL    string    `json:"url,omitempty" doc:"YouTube or Vimeo page, https: or data: film"`
	Poster *fileArgs `json:"poster,omitempty"`
	Start  *float64  `json:"start,omitempty" min:"0" doc:"seconds"`
	End    *float64  `json:"end,omitempty" min:"0"`
}

// rawArg keeps a value as written; null is one.
type rawArg struct{ raw json.RawMessage }

// UnmarshalJSON keeps the text.
func (r *rawArg) UnmarshalJSON(data []byte) error { r.raw = bytes.Clone(data); return nil }

// MarshalJSON writes it.
func (r rawArg) MarshalJSON() ([]byte, error) {
	if r.raw == nil {
		return []byte("null"), nil
	}
	return r.raw, nil
}

type placementArg struct{ rawArg }

// SchemaJSON gives the schema of a placement.
func (placementArg) SchemaJSON() string {
	return `{"type":["object","null"],"properties":{"position":{"enum":["auto","top","bottom","here",null]},"span":{"enum":["column","page","side",null]},"columns":{"type":["integer","null"]},"width":{"type":["number","null"],"description":"fraction of the slot"},"align":{"enum":["left","center","right",null]},"captionSide":{"type":["boolean","null"]},"captionMeasure":{"enum":["slot","body",null]},"rotate":{"enum":["none","ccw","cw",null]},"shrink":{"enum":["never","page","slot",null]},"minScale":{"type":["number","null"]},"wrap":{"enum":["none","left","right","start","end",null]},"wrapGap":{"type":["string","object","null"],"description":"\"4mm\""},"citingPage":{"type":["boolean","null"]}},"additionalProperties":false}`
}

type areaArg struct{ rawArg }

// SchemaJSON gives the schema of a safe area.
func (areaArg) SchemaJSON() string {
	return `{"type":["object","null"],"properties":{"x":{"type":"number"},"y":{"type":"number"},"width":{"type":"number"},"height":{"type":"number"}},"required":["x","y","width","height"],"additionalProperties":false}`
}

type saveResourceAnswer struct {
	Created    bool            `json:"created"`
	Changed    bool            `json:"changed"`
	Resource   json.RawMessage `json:"resource"`
	Place      string          `json:"place"`
	Cite       string          `json:"cite"`
	References int             `json:"references"` // rewritten
	// Elsewhere are the editions in other languages that got the new id, too.
	Elsewhere []renamedElsewhere `json:"elsewhere,omitempty"`
	// From takes the change back when it is sent with the id; null for a new one.
	From  json.RawMessage `json:"from"`
	Notes []string        `json:"notes,omitempty"`
	Pages
}

// content is what a call brings for a resource, fetched before its turn.
type content struct {
	kind    string
	data    []byte
	picture book.Picture
	table   *tableForm
	video   *book.Video
	poster  []byte
	caption string // a video's title
	notes   []string
}

func (s *Session) saveResource(ctx context.Context, a saveResourceArgs) (any, error) {
	in, err := s.contentOf(ctx, a)
	if err != nil {
		return nil, err
	}
	var ans saveResourceAnswer
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		ans = saveResourceAnswer{}
		return a.change(snap.book, in, &ans)
	}, func(Pages) {
		if ans.Changed && a.NewID != "" && a.NewID != a.ID && a.UpdateReferences {
			// The change is made; whoever waits for its pages may break that off.
			done, notes := s.renameElsewhere(context.WithoutCancel(ctx), a.ID, a.NewID)
			ans.Elsewhere, ans.Notes = done, append(ans.Notes, notes...)
		}
	})
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	return ans, nil
}

func (a saveResourceArgs) check() error {
	var given []string
	for _, g := range []struct {
		name string
		is   bool
	}{{"image", a.Image != nil}, {"svg", a.SVG != nil}, {"table", a.Table != nil}, {"tableEdits", a.TableEdits != nil}, {"video", a.Video != nil}} {
		if g.is {
			given = append(given, g.name)
		}
	}
	switch {
	case len(given) > 1 && strings.Join(given, " ") != "table tableEdits":
		return bridge.Refuse("%s are given; a resource is one of image, svg, table (or tableEdits), video", strings.Join(given, " and "))
	case a.TableEdits != nil && (len(a.TableEdits) == 0 || len(a.TableEdits) > 200):
		return bridge.Refuse("tableEdits holds 1 to 200 edits, not %d", len(a.TableEdits))
	case !a.UpdateReferences && a.NewID == "":
		return bridge.Refuse("updateReferences goes with newId, the id that the references are to name")
	case a.NewID != "":
		if err := checkID("newId", a.NewID); err != nil {
			return err
		}
	}
	for k, e := range a.TableEdits {
		if err := e.check(); err != nil {
			return bridge.Refuse("tableEdits[%d]: %v", k, err)
		}
	}
	switch {
	case a.Image != nil:
		return a.Image.check("image")
	case a.SVG != nil && a.SVG.Source == "" && a.SVG.URL == "" && a.SVG.Base64 == "", a.SVG != nil && a.SVG.Source != "" && (a.SVG.URL != "" || a.SVG.Base64 != ""):
		return bridge.Refuse("svg is {source}, {url} or {base64}, one of the three")
	case a.SVG != nil && a.SVG.Source == "":
		return fileArgs{URL: a.SVG.URL, Base64: a.SVG.Base64}.check("svg")
	case a.Video != nil && a.Video.Poster != nil:
		return a.Video.Poster.check("video.poster")
	}
	return nil
}

var validID = regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:/-]*$`)

// checkID refuses an id that references could not hold.
func checkID(name, id string) error {
	if len(id) <= 100 && validID.MatchString(id) && !strings.Contains(id, "//") {
		return nil
	}
	hint := ""
	if slug := book.Slug(id); slug != "" && slug != id {
		hint = ", such as " + bridge.Quote(slug)
	}
	return bridge.Refuse("%s %s cannot be an id: give letters, digits, hyphens, underscores, points, colons and slashes, without spaces%s", name, bridge.Quote(id), hint)
}

// contentOf brings the files a call names.
func (s *Session) contentOf(ctx context.Context, a saveResourceArgs) (in content, err error) {
	picture := func(name string, f fileArgs) ([]byte, book.Picture, error) {
		data, err := s.fetchFile(ctx, name, f, maxPicture)
		if err != nil {
			return nil, book.Picture{}, err
		}
		p, err := book.ReadPicture(data)
		if err != nil {
			return nil, p, bridge.Refuse("%s: %v", name, err)
		}
		return data, p, nil
	}
	switch {
	case a.Image != nil:
		if in.data, in.picture, err = picture("image", *a.Image); err != nil {
			return in, err
		}
		in.kind = in.picture.Kind()
	case a.SVG != nil:
		if a.SVG.Source != "" {
			in.data = []byte(a.SVG.Source)
			if len(in.data) > maxPicture {
				return in, bridge.Refuse("svg is %.1f MB; at most %d MB are taken", float64(len(in.data))/(1<<20), maxPicture>>20)
			}
			if in.picture, err = book.ReadPicture(in.data); err != nil {
				return in, bridge.Refuse("svg: %v", err)
			}
		} else if in.data, in.picture, err = picture("svg", fileArgs{URL: a.SVG.URL, Base64: a.SVG.Base64}); err != nil {
			return in, err
		}
		if in.kind = in.picture.Kind(); in.kind != book.KindSVG {
			return in, bridge.Refuse("svg holds a %s picture: give it as image", strings.ToUpper(in.picture.Format))
		}
	case a.Table != nil || a.TableEdits != nil:
		in.kind, in.table = book.KindTable, a.Table
	case a.Video != nil:
		in.kind = book.KindVideo
		if err = s.videoOf(ctx, *a.Video, &in); err != nil {
			return in, err
		}
		if a.Video.Poster != nil {
			if in.poster, _, err = picture("video.poster", *a.Video.Poster); err != nil {
				return in, err
			}
		}
	}
	if in.kind == book.KindSVG {
		took := []string(nil)
		if in.data, took, err = book.CleanSVG(in.data); err != nil {
			return in, bridge.Refuse("svg: %v", err)
		}
		if took != nil {
			in.notes = append(in.notes, "left out of the drawing: "+strings.Join(took, ", "))
		}
	}
	return in, nil
}

// platform tells the film pages of YouTube and Vimeo by host and path, whatever the
// film's id looks like; "" for other addresses, and ok is false for a page of theirs
// that shows no film.
func platform(u *url.URL) (source string, ok bool) {
	host := strings.ToLower(u.Hostname())
	for _, sub := range [...]string{"www.", "m.", "music.", "player."} {
		host = strings.TrimPrefix(host, sub)
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch host {
	case "youtube.com", "youtube-nocookie.com":
		inPath := len(parts) == 2 && parts[1] != "" && slices.Contains([]string{"embed", "shorts", "live", "v"}, parts[0])
		return "youtube", inPath || parts[0] == "watch" && u.Query().Get("v") != ""
	case "youtu.be":
		return "youtube", len(parts) == 1 && parts[0] != ""
	case "vimeo.com":
		for _, p := range parts {
			if n := strings.Trim(p, "0123456789"); n == "" && p != "" {
				return "vimeo", true
			}
		}
		return "vimeo", false
	}
	return "", true
}

// films are the films and streams that an address's extension tells; without one
// of these it is an MP4 (document-format.md, Videos).
var films = map[string]string{".m3u8": "hls", ".webm": "webm", ".mov": "mov", ".ogv": "ogv", ".ogg": "ogv"}

// videoOf reads where a video is; of a platform's it asks for title, size and
// poster, which may fail.
func (s *Session) videoOf(ctx context.Context, a videoArgs, in *content) error {
	if a.URL == "" {
		return nil // other members of a video that is there
	}
	v := &book.Video{URL: a.URL}
	in.video = v
	about := ""
	switch {
	case strings.HasPrefix(a.URL, "data:"):
		data, err := s.fetchFile(ctx, "video", fileArgs{URL: a.URL}, maxVideo)
		if err != nil {
			return err
		}
		if v.Format = filmFormat(data); v.Format == "" {
			return bridge.Refuse("video.url holds no MP4, QuickTime, WebM or Ogg film")
		}
		v.Source, v.URL, in.data = "file", "", data
		return nil
	case strings.HasPrefix(a.URL, "https://") || strings.HasPrefix(a.URL, "http://"):
		u, err := url.Parse(a.URL)
		if err != nil || u.Host == "" {
			return bridge.Refuse("video.url is no address: %s", bridge.Quote(a.URL))
		}
		source, isFilm := platform(u)
		switch {
		case !isFilm:
			return bridge.Refuse("video.url %s shows no film: give the address of its page, such as https://www.youtube.com/watch?v=… or https://vimeo.com/123456", bridge.Quote(a.URL))
		case source == "youtube":
			v.Source, about = source, "https://www.youtube.com/oembed?format=json&url="+url.QueryEscape(a.URL)
		case source == "vimeo":
			v.Source, about = source, "https://vimeo.com/api/oembed.json?url="+url.QueryEscape(a.URL)
		case u.Scheme == "http":
			return bridge.Refuse("video.url must be an https: address: %s", bridge.Quote(a.URL))
		default:
			v.Source = "file"
			if v.Format = films[strings.ToLower(path.Ext(u.Path))]; v.Format == "" {
				v.Format = "mp4"
			}
			return nil
		}
	default:
		return bridge.Refuse("video.url is a YouTube or Vimeo page, an https: address of a film or stream, or a data: address, not %s", bridge.Quote(a.URL))
	}
	if s.opts.Fetch == nil {
		in.notes = append(in.notes, "nothing is downloaded here: give the poster and the caption yourself")
		return nil
	}
	data, err := s.opts.Fetch(ctx, about, 1<<20)
	var told struct {
		Title     string  `json:"title"`
		Thumbnail string  `json:"thumbnail_url"`
		Width     float64 `json:"width"`
		Height    float64 `json:"height"`
	}
	if err == nil {
		err = json.Unmarshal(data, &told)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		in.notes = append(in.notes, "what "+v.Source+" says of the video could not be had: give the poster and the caption yourself")
		return nil
	}
	in.caption = book.CleanText(told.Title)
	if told.Width > 0 && told.Height > 0 && told.Width < 1e5 && told.Height < 1e5 {
		v.Width, v.Height = told.Width, told.Height
	}
	if a.Poster == nil && strings.HasPrefix(told.Thumbnail, "https://") {
		if in.poster, err = s.opts.Fetch(ctx, told.Thumbnail, maxPicture); err == nil {
			_, err = book.ReadPicture(in.poster)
		}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			in.poster = nil
			in.notes = append(in.notes, "its poster could not be had: give video.poster")
		}
	}
	return nil
}

// filmFormat tells a film by its first bytes; "" for something else.
func filmFormat(data []byte) string {
	switch {
	case len(data) > 12 && string(data[4:8]) == "ftyp":
		if string(data[8:10]) == "qt" {
			return "mov"
		}
		return "mp4"
	case bytes.HasPrefix(data, []byte("\x1A\x45\xDF\xA3")):
		return "webm"
	case bytes.HasPrefix(data, []byte("OggS")):
		return "ogv"
	}
	return ""
}

// change makes the resource from the book as it is.
func (a *saveResourceArgs) change(b *book.Book, in content, ans *saveResourceAnswer) (*change, error) {
	var old *book.Resource
	for _, r := range resourcesOf(b) {
		if r.ID == a.ID {
			old = r
			break
		}
	}
	ans.Created = old == nil
	ans.Notes = in.notes
	next := &book.Resource{ID: a.ID}
	if old == nil {
		if err := a.fresh(b, in); err != nil {
			return nil, err
		}
	} else {
		c := *old
		next = &c
	}
	from := map[string]any{}
	if err := a.fill(b, old, next, in, from); err != nil {
		return nil, err
	}
	if next.Kind == book.KindTable {
		for _, g := range []struct {
			name string
			raw  json.RawMessage
		}{{"safeArea", a.SafeArea.raw}, {"resolution", a.Resolution.raw}} {
			if g.raw != nil && string(g.raw) != "null" {
				return nil, bridge.Refuse("%s is of a picture; %s is a table", g.name, bridge.Quote(a.ID))
			}
		}
	}
	patch, err := a.patch(b, old, in)
	if err != nil {
		return nil, err
	}
	merged, was, err := next.Merge(patch)
	if err != nil {
		return nil, bridge.Refuse("the resource: %v", err)
	}
	next = merged
	if why := next.Faults(); why != nil {
		return nil, bridge.Refuse("%s", strings.Join(why, "; "))
	}
	list := slices.Clone(b.Resources)
	if old == nil {
		list = append(list, next)
	} else {
		list[slices.Index(list, old)] = next
	}
	made := b.WithResources(list)
	out := &change{}
	if a.NewID != "" && a.NewID != a.ID {
		if made, err = a.rename(made, next, out, ans); err != nil {
			return nil, err
		}
		next = made.Resources[slices.IndexFunc(made.Resources, func(r *book.Resource) bool { return r.ID == a.NewID && isResource(r) })]
		from["newId"] = a.ID
	}
	out.book = made
	slim := *next
	if next.Table != nil {
		t := *next.Table
		if len(t.Rows)*t.Columns() > 400 {
			ans.Notes = append(ans.Notes, fmt.Sprintf("the first of %d rows are shown; sandbox_list_resources with the id gives them", len(t.Rows)))
			t.Rows = t.Rows[:max(1, 400/t.Columns())]
			slim.Table = &t
		}
	}
	if ans.Resource, err = json.Marshal(&slim); err != nil {
		return nil, err
	}
	ans.Place, ans.Cite, ans.From = placeLine(next.ID), citeMark(next.ID), json.RawMessage("null")
	if old == nil {
		ans.Changed = true
		return out, nil
	}
	for k, v := range from {
		if v == nil {
			delete(from, k)
		}
	}
	back, err := withMembers(was, from)
	if err != nil {
		return nil, err
	}
	ans.From = back
	same, err := alikeResources(old, next)
	if err != nil {
		return nil, err
	}
	if ans.Changed = !same; same {
		return nil, nil
	}
	return out, nil
}

// fresh checks a resource that is not there yet.
func (a *saveResourceArgs) fresh(b *book.Book, in content) error {
	switch {
	case a.NewID != "" || in.kind == "" || in.kind == book.KindTable && in.table == nil || in.kind == book.KindVideo && in.video == nil:
		_, err := resourceNamed(b, a.ID)
		var no *bridge.Refusal
		if errors.As(err, &no) && a.NewID == "" {
			return bridge.Refuse("%s. To make it give its content: image, svg, table or video", no.Message)
		}
		return err
	}
	return checkID("id", a.ID)
}

// fill puts content into the resource and notes what takes it back.
func (a *saveResourceArgs) fill(b *book.Book, old, next *book.Resource, in content, from map[string]any) error {
	if in.kind == "" {
		return nil
	}
	if old != nil && in.kind == book.KindTable && in.table == nil && old.Table == nil {
		return bridge.Refuse("%s is a %s: tableEdits change a table", bridge.Quote(a.ID), old.Kind)
	}
	if old != nil {
		back, err := giveBack(old)
		if err != nil {
			return err
		}
		switch {
		case old.Kind == book.KindTable:
			from["table"] = back.Table
		case back.SVG != nil:
			from["svg"] = back.SVG
		case back.Image != nil:
			from["image"] = back.Image
		}
	}
	wasPicture := old != nil && (old.Kind == book.KindBitmap || old.Kind == book.KindSVG)
	wasKind := next.Kind
	next.Kind = in.kind
	switch in.kind {
	case book.KindBitmap, book.KindSVG:
		*next = *next.WithContent(freshName(b, old, a.ID, in.picture.Ext()), in.data)
		next.Width, next.Height, next.FileResolution = in.picture.Width, in.picture.Height, in.picture.Resolution
		next.Master, next.Table, next.Video, next.Poster = nil, nil, nil, nil // an edited SVG lets its master go
		if in.kind == book.KindSVG {
			next.Resolution = 0
		}
		if !wasPicture {
			next.SafeArea = nil
		}
	case book.KindTable:
		var was *book.Table
		if wasKind == book.KindTable {
			was = next.Table
		}
		t := was
		if in.table != nil {
			var err error
			if t, err = in.table.table(was); err != nil {
				return err
			}
		}
		t, err := applyTableEdits(t, a.TableEdits)
		if err != nil {
			return err
		}
		*next = withoutFiles(*next)
		next.Table = t
	case book.KindVideo:
		if wasKind != book.KindVideo {
			*next = withoutFiles(*next)
			next.Table, next.Video = nil, nil
		}
		if in.video != nil {
			v := in.video
			if next.Video != nil { // its own switches and cuts stay
				c := *next.Video
				c.Source, c.URL, c.Format, c.Width, c.Height = v.Source, v.URL, v.Format, v.Width, v.Height
				v = &c
			}
			next.Video = v
			*next = *next.WithContent("", nil)
			if in.data != nil {
				*next = *next.WithContent(freshName(b, old, a.ID, "."+v.Format), in.data)
			}
		}
		if next.Video == nil {
			next.Video = &book.Video{}
		}
		if in.poster != nil {
			p, err := book.ReadPicture(in.poster)
			if err != nil {
				return err
			}
			next.Poster = &book.File{Name: freshName(b, nil, a.ID+"-poster", p.Ext()), Data: in.poster}
		}
	}
	if old == nil || wasKind != in.kind && next.TypeID == typeOf(wasKind) {
		next.TypeID = typeOf(in.kind)
	}
	return nil
}

func withoutFiles(r book.Resource) book.Resource {
	r = *r.WithContent("", nil)
	r.Master, r.Poster = nil, nil
	r.Width, r.Height, r.Resolution, r.FileResolution, r.SafeArea = 0, 0, 0, 0, nil
	return r
}

// typeOf is the built-in type of a kind.
func typeOf(kind string) string {
	switch kind {
	case book.KindTable:
		return "table"
	case book.KindVideo:
		return "video"
	}
	return "figure"
}

// freshName is the path of a new file: that of the old one when it has the same
// extension, else one that no other file has.
func freshName(b *book.Book, old *book.Resource, id, ext string) string {
	if old != nil && strings.EqualFold(path.Ext(old.Name), ext) {
		return old.Name
	}
	taken := map[string]bool{}
	for _, f := range b.Files() {
		taken[strings.ToLower(f.Name)] = true
	}
	stem := book.Slug(strings.TrimSuffix(path.Base(id), path.Ext(id)))
	if stem == "" {
		stem = "picture"
	}
	name := "images/" + stem + ext
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("images/%s-%d%s", stem, n, ext)
	}
	return name
}

// patch is the members a call sets, in the form of the record.
func (a *saveResourceArgs) patch(b *book.Book, old *book.Resource, in content) (json.RawMessage, error) {
	p := map[string]any{}
	for _, t := range []struct {
		key  string
		text *string
	}{{"caption", a.Caption}, {"note", a.Note}, {"altText", a.AltText}} {
		if t.text != nil {
			if p[t.key] = book.CleanText(*t.text); *t.text == "" {
				p[t.key] = nil
			}
		}
	}
	if a.Caption == nil && in.caption != "" && (old == nil || old.Caption == "") {
		p["caption"] = in.caption
	}
	if a.TypeID != nil {
		if known := typeIDs(b); !slices.Contains(known, *a.TypeID) {
			return nil, bridge.Refuse("typeId %s is no resource type of the book: give one of %s", bridge.Quote(*a.TypeID), bridge.Choices(known, "sandbox_get_config with path \"resourceTypes\""))
		}
		p["typeId"] = *a.TypeID
	}
	if a.Resolution.raw != nil {
		p["resolution"] = a.Resolution.raw
	}
	if a.SafeArea.raw != nil {
		p["safeArea"] = a.SafeArea.raw
	}
	if a.Placement.raw != nil {
		raw, err := lengthIn(a.Placement.raw, "wrapGap")
		if err != nil {
			return nil, err
		}
		p["placement"] = raw
	}
	if v := a.Video; v != nil && (v.Start != nil || v.End != nil) {
		times := map[string]any{}
		if v.Start != nil {
			times["start"] = orNull(*v.Start)
		}
		if v.End != nil {
			times["end"] = orNull(*v.End)
		}
		p["video"] = times
	}
	return json.Marshal(p)
}

func orNull(v float64) any {
	if v == 0 {
		return nil
	}
	return v
}

var lengthText = regexp.MustCompile(`^\s*([0-9]+(?:\.[0-9]+)?)\s*(cm|mm|in|pt|px|em|rem)\s*$`)

// lengthIn writes a length given as "4mm" in the form that is stored.
func lengthIn(object json.RawMessage, key string) (json.RawMessage, error) {
	var o map[string]json.RawMessage
	if json.Unmarshal(object, &o) != nil || o[key] == nil {
		return object, nil
	}
	var text string
	if o[key][0] != '"' {
		return object, nil
	}
	if err := json.Unmarshal(o[key], &text); err != nil {
		return nil, err
	}
	m := lengthText.FindStringSubmatch(text)
	if m == nil {
		return nil, bridge.Refuse("%s is a length such as \"4mm\" or {\"value\": 4, \"unit\": \"mm\"}, not %s", key, bridge.Quote(text))
	}
	o[key] = json.RawMessage(`{"value":` + m[1] + `,"unit":"` + m[2] + `"}`)
	return json.Marshal(o)
}

// rename gives the resource its new id, and with it every place that names it.
func (a *saveResourceArgs) rename(b *book.Book, r *book.Resource, out *change, ans *saveResourceAnswer) (*book.Book, error) {
	for _, o := range b.Resources {
		if o.ID == a.NewID {
			return nil, bridge.Refuse("newId %s is taken: another resource has that id", bridge.Quote(a.NewID))
		}
	}
	b = withResourceID(b, r, a.NewID)
	if !a.UpdateReferences {
		return b, nil
	}
	next, passes, n, err := renameInBook(b, a.ID, a.NewID)
	if err != nil {
		return nil, err
	}
	for _, ch := range next.Chapters {
		if len(passes[ch.ID]) > 0 && len(ch.Markdown) > maxChapter {
			return nil, bridge.Refuse("with the longer id chapter %s would have more than 16 MB", bridge.Quote(ch.Title))
		}
	}
	ans.References = n
	out.texts = slices.Sorted(maps.Keys(passes))
	out.history = func(u *undoList) {
		for id, p := range passes {
			u.changed(id, p, "a reference in that passage has been renamed since")
		}
	}
	return next, nil
}

// alikeResources reports whether two resources are alike, content and all.
func alikeResources(a, b *book.Resource) (bool, error) {
	x, err := json.Marshal(a)
	if err != nil {
		return false, err
	}
	y, err := json.Marshal(b)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(x, y) {
		return false, nil
	}
	fa, fb := a.Files(), b.Files()
	for i := range fa {
		p, err := fa[i].Bytes()
		if err != nil {
			return false, nil
		}
		q, err := fb[i].Bytes()
		if err != nil {
			return false, nil
		}
		if !bytes.Equal(p, q) {
			return false, nil
		}
	}
	return len(fa) == len(fb), nil
}

// withMembers adds members to a JSON object.
func withMembers(object json.RawMessage, members map[string]any) (json.RawMessage, error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(object, &o); err != nil {
		return nil, err
	}
	if o == nil {
		o = map[string]json.RawMessage{}
	}
	for k, v := range members {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		o[k] = text
	}
	// What is empty is sent back as an empty text.
	for _, k := range []string{"caption", "note", "altText"} {
		if string(o[k]) == "null" {
			o[k] = json.RawMessage(`""`)
		}
	}
	return json.Marshal(o)
}
