package book

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

// BundleOptions set up the writing of a .postext file.
type BundleOptions struct {
	// Time is the modification date of every entry, 1980 to 2099 in steps of two
	// seconds; with a fixed one the same book gives the same bytes. Zero is now.
	Time time.Time
	// ID is the manifest's id; left out, the book's own or its name's.
	ID string
	// OpenLocale is the language to open when none is asked for, or "".
	OpenLocale string
	// Read is the book as it was read from the folder it is in, when it is the first
	// edition's, or nil (Bundle.WriteInto).
	Read *Book
	// Layouts is the pagination of each edition, by language, or nil. Its member
	// chapters goes by the chapters' ids here and by their files in the bundle.
	Layouts map[string]json.RawMessage
	// Face names a font file that no family of the configuration names, as those
	// in the folder fonts of a folder book; nil leaves them out with a warning.
	Face func(data []byte) (family string, weight int, italic bool, err error)
}

// WriteBundle writes a book as a .postext file (bundle.md 8). Further editions
// are the same book in other languages: what they have in common with the first
// is written once. What has to be left out is told in the warnings; nothing else
// is lost.
func WriteBundle(w io.Writer, editions []*Book, o BundleOptions) (warnings []string, err error) {
	if len(editions) == 0 {
		return nil, errors.New("there is no book to write")
	}
	when := o.Time
	if when.IsZero() {
		when = time.Now()
	}
	if when.Year() < 1980 || when.Year() > 2099 {
		return nil, fmt.Errorf("the date of a bundle is in the years 1980 to 2099, not %d", when.Year())
	}
	b := bundleWriter{z: zip.NewWriter(w), time: when.Truncate(2 * time.Second), taken: map[string]bool{}, files: map[string]map[string]string{}, opts: o, first: editions[0]}
	// Entries are written one after another: one compressor serves them all.
	press, err := flate.NewWriter(io.Discard, 6)
	if err != nil {
		return nil, err
	}
	b.z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		press.Reset(w)
		return press, nil
	})
	if err := b.plan(editions); err != nil {
		return nil, err
	}
	if err := b.write(); err != nil {
		return nil, err
	}
	return b.warnings, b.z.Close()
}

type bundleWriter struct {
	z        *zip.Writer
	time     time.Time
	opts     BundleOptions
	first    *Book
	m        manifest
	taken    map[string]bool              // paths given out, in small letters
	files    map[string]map[string]string // of the chapters: by language, then by id
	entries  []entryToWrite
	warnings []string
}

// entryToWrite is a file planned: written when its turn comes, so that only one
// is held at a time.
type entryToWrite struct {
	name string
	file *File
}

func (b *bundleWriter) warn(format string, args ...any) {
	b.warnings = append(b.warnings, fmt.Sprintf(format, args...))
}

// claim gives a path that is not taken: stem, stem-2, stem-3 …
func (b *bundleWriter) claim(stem, ext string) string {
	name := stem + ext
	for n := 2; b.taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d%s", stem, n, ext)
	}
	b.taken[strings.ToLower(name)] = true
	return name
}

func (b *bundleWriter) add(name string, f *File) {
	b.entries = append(b.entries, entryToWrite{name, f})
}

func (b *bundleWriter) plan(editions []*Book) error {
	first := b.first
	for i, e := range editions {
		if len(e.Chapters) == 0 {
			return errors.New("a book has at least one chapter")
		}
		if len(editions) > 1 && e.Language == "" {
			return errors.New("a book in several languages needs the language of each edition")
		}
		if slices.ContainsFunc(editions[:i], func(o *Book) bool { return sameTag(o.Language, e.Language) }) {
			return fmt.Errorf("two editions have the language %s", e.Language)
		}
	}
	m := &b.m
	m.Version, m.ConfigVersion = 2, ConfigVersion
	m.ID, m.Name, m.Description, m.Locale = b.id(), first.Name, first.Description, first.Language
	if m.Name == "" {
		m.Name = m.ID
	}
	m.Title, m.Subtitle, m.Author = first.Title, first.Subtitle, first.Author
	m.License, m.Credits, m.Tags = first.Licence, first.Credits, first.Tags
	m.OpenLocale = b.opts.OpenLocale
	if first.Scope == "book" {
		m.View = &manifestView{"book"}
	}
	if len(editions) > 1 {
		for _, e := range editions {
			m.Locales = append(m.Locales, e.Language)
		}
	}
	if first.Folder && len(editions) == 1 {
		var err error
		if m.Folder, err = originOf(b.opts.Read); err != nil {
			return err
		}
		read := b.opts.Read
		if read == nil && first.origin != nil {
			m.Folder, read = first.origin.before(), first.read
		}
		m.Folder.stay(first)
		m.Folder.differs(first, read)
	}
	b.chapters(editions)
	config, err := b.config(first)
	if err != nil {
		return err
	}
	if m.Config, err = config.MarshalJSON(); err != nil {
		return err
	}
	if err := b.resources(first); err != nil {
		return err
	}
	if err := b.fonts(first); err != nil {
		return err
	}
	if c := first.Cover; c != nil {
		data, err := c.Bytes()
		if err != nil || data == nil {
			b.warn("the cover is left out: its file cannot be read")
		} else if p, err := ReadPicture(data); err != nil {
			b.warn("the cover is left out: %v", err)
		} else {
			m.Thumbnail = b.claim("thumbnail", p.Ext())
			m.Folder.put(c.Name, m.Thumbnail, false)
			b.add(m.Thumbnail, c)
		}
	}
	for _, e := range editions[1:] {
		l, err := b.localize(e, config)
		if err != nil {
			return err
		}
		if l.config != nil || l.resources != nil || l.view != nil || b.m.Chapters[0].tag == "" {
			m.Localized = append(m.Localized, l)
		}
	}
	for _, e := range editions {
		layout := b.opts.Layouts[e.Language]
		if len(layout) == 0 {
			continue
		}
		layout, err := layoutByFile(layout, b.files[e.Language])
		if err != nil {
			return fmt.Errorf("the pagination: %w", err)
		}
		name := "layouts.json"
		if len(editions) > 1 {
			name = "layouts." + e.Language + ".json"
		}
		b.add(b.claim(strings.TrimSuffix(name, ".json"), ".json"), &File{Data: layout})
	}
	if m.Folder != nil {
		text, err := indented(m.Folder, "  ")
		if err != nil {
			return err
		}
		b.add(originName, &File{Data: text})
	}
	return nil
}

// layoutByFile names the chapters of a pagination by their files.
func layoutByFile(layout json.RawMessage, files map[string]string) (json.RawMessage, error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(layout, &o); err != nil {
		return nil, err
	}
	var chapters map[string]json.RawMessage
	if o["chapters"] == nil {
		return layout, nil
	}
	if err := json.Unmarshal(o["chapters"], &chapters); err != nil {
		return nil, err
	}
	named := make(map[string]json.RawMessage, len(chapters))
	for id, c := range chapters {
		if file := files[id]; file != "" {
			named[file] = c
		}
	}
	var err error
	if o["chapters"], err = json.Marshal(named); err != nil {
		return nil, err
	}
	return json.Marshal(o)
}

func (b *bundleWriter) id() string {
	for _, id := range []string{b.opts.ID, b.first.BundleID, Slug(b.first.Name), b.first.ID} {
		if id != "" {
			return id
		}
	}
	return "book"
}

// chapters plans the chapters: one list when every edition has the same texts,
// else one for each language.
func (b *bundleWriter) chapters(editions []*Book) {
	same := true
	for _, e := range editions[1:] {
		same = same && slices.EqualFunc(e.Chapters, b.first.Chapters, func(x, y *Chapter) bool { return x.Title == y.Title && x.Markdown == y.Markdown })
	}
	if same {
		editions = editions[:1]
	}
	for _, e := range editions {
		folder, tag := "chapters/", ""
		if !same {
			folder, tag = "chapters/"+Slug(e.Language)+"/", e.Language
		}
		var list []manifestChapter
		width := max(2, len(fmt.Sprint(len(e.Chapters))))
		for i, c := range e.Chapters {
			title := strings.TrimSpace(c.Title)
			if title == "" {
				title = DeriveTitle(c.Markdown, fmt.Sprintf("Chapter %d", i+1))
			}
			name := b.claim(fmt.Sprintf("%s%0*d-%s", folder, width, i+1, shortSlug(title, "chapter")), ".md")
			list = append(list, manifestChapter{title, name})
			if b.files[e.Language] == nil {
				b.files[e.Language] = map[string]string{}
			}
			b.files[e.Language][c.ID] = name
			b.m.Folder.put(c.File, name, false)
			b.add(name, &File{Data: []byte(c.Markdown)})
		}
		b.m.Chapters = append(b.m.Chapters, struct {
			tag  string
			list []manifestChapter
		}{tag, list})
	}
}

// shortSlug is a slug fit for a file's name.
func shortSlug(s, empty string) string {
	word := []rune(Slug(s))
	if len(word) > 60 {
		word = word[:60]
	}
	if w := strings.Trim(string(word), "-"); w != "" {
		return w
	}
	return empty
}

// config is the stored configuration without the font families, whose files are
// listed in the manifest.
func (b *bundleWriter) config(e *Book) (object, error) {
	config := object{}
	if len(e.Config) > 0 {
		if err := json.Unmarshal(e.Config, &config); err != nil {
			return nil, fmt.Errorf("the configuration: %w", err)
		}
	}
	config.set("customFonts", nil, "")
	return config, nil
}

// resources plans the resources of the shared content.
func (b *bundleWriter) resources(e *Book) error {
	for _, r := range e.Resources {
		res := *r
		if b.m.Folder != nil && res.Kind == "bibliography" {
			name := b.claim("resources/"+shortSlug(strings.TrimSuffix(path.Base(res.Name), path.Ext(res.Name)), "works"), strings.ToLower(path.Ext(res.Name)))
			b.m.Folder.put(res.Name, name, false)
			b.add(name, &File{res.Name, res.Data, res.lazy})
			continue
		}
		if !slices.Contains(resourceWords["kind"], res.Kind) {
			b.warn("%s is left out: a bundle holds pictures, tables and videos", res.Name)
			continue
		}
		if res.TypeID == "" {
			res.TypeID = map[string]string{KindTable: "table", KindVideo: "video"}[res.Kind]
			if res.TypeID == "" {
				res.TypeID = "figure"
			}
		}
		if ok := b.artwork(&res, "resources/"); ok {
			b.m.Resources = append(b.m.Resources, &res)
		}
	}
	return nil
}

// artwork plans the files of a resource and renames them in it; false when its
// own file cannot be had, and the resource with it.
func (b *bundleWriter) artwork(r *Resource, folder string) bool {
	stem := folder + shortSlug(r.ID, "resource")
	picture := r.Kind == KindBitmap || r.Kind == KindSVG
	switch {
	case r.Kind == KindTable:
		r.Name = ""
	case r.Name == "" && r.Data == nil && r.Kind == KindVideo:
	default:
		data, err := r.Bytes()
		if err != nil || data == nil {
			b.warn("the resource %s is left out: its file cannot be read", quoteName(r.ID))
			return false
		}
		ext := strings.ToLower(path.Ext(r.Name))
		if picture {
			p, err := ReadPicture(data)
			if err != nil {
				b.warn("the resource %s is left out: %v", quoteName(r.ID), err)
				return false
			}
			ext = p.Ext()
		} else if !slices.Contains(videoFiles, ext) {
			ext = ".mp4"
		}
		own := &File{r.Name, r.Data, r.lazy}
		r.Name = b.claim(stem, ext)
		b.m.Folder.put(own.Name, r.Name, false)
		b.add(r.Name, own)
		stem = strings.TrimSuffix(r.Name, ext)
	}
	if f := r.Master; f != nil {
		if data, err := f.Bytes(); err != nil || data == nil || r.Kind != KindSVG {
			b.warn("the print master of %s is left out: its file cannot be read", quoteName(r.ID))
			r.Master = nil
		} else {
			r.Master = &File{Name: b.claim(stem, ".pdf")}
			b.m.Folder.put(f.Name, r.Master.Name, false)
			b.add(r.Master.Name, f)
		}
	}
	if f := r.Poster; f != nil {
		data, err := f.Bytes()
		var p Picture
		if err == nil {
			p, err = ReadPicture(data)
		}
		if err != nil || r.Kind != KindVideo {
			b.warn("the poster of %s is left out: its file cannot be read", quoteName(r.ID))
			r.Poster = nil
		} else {
			r.Poster = &File{Name: b.claim(stem+"-poster", p.Ext())}
			b.m.Folder.put(f.Name, r.Poster.Name, false)
			b.add(r.Poster.Name, f)
		}
	}
	return true
}

// fonts plans the font files by the families of the configuration.
func (b *bundleWriter) fonts(e *Book) error {
	var families []fontFamily
	var config struct {
		CustomFonts []fontFamily `json:"customFonts"`
	}
	if len(e.Config) > 0 {
		if err := json.Unmarshal(e.Config, &config); err != nil {
			return fmt.Errorf("the configuration: customFonts: %w", plainType(err))
		}
		families = config.CustomFonts
	}
	named := map[string]string{} // paths in the bundle by file id
	used := map[string]bool{}
	for _, f := range families {
		for _, v := range f.Variants {
			used[v.FileID] = true
		}
		if f.Redistributable != nil && !*f.Redistributable {
			b.warn("the font %s is left out: it may not be passed on", quoteName(f.Name))
			continue
		}
		family := manifestFont{Name: f.Name, Variants: []manifestVariant{}, Redistributable: f.Redistributable}
		for _, v := range f.Variants {
			what := fmt.Sprintf("%s %v %s", quoteName(f.Name), v.Weight, v.Style)
			name, ok := named[v.FileID]
			if !ok {
				if name = b.fontFile(e, v, what, false); name == "" {
					continue
				}
				named[v.FileID] = name
			}
			weight := v.Weight
			family.Variants = append(family.Variants, manifestVariant{&weight, v.Style, name})
		}
		if len(family.Variants) > 0 {
			b.m.Fonts = append(b.m.Fonts, family)
		}
	}
	return b.looseFonts(e, used)
}

// fontFile plans a font file and gives its path, "" with a warning when it has
// to stay behind.
func (b *bundleWriter) fontFile(e *Book, v fontVariant, what string, loose bool) string {
	at := slices.IndexFunc(e.Fonts, func(r *Resource) bool { return r.ID == v.FileID || r.Name == v.FileID })
	if at < 0 {
		b.warn("the font %s is left out: its file is missing", what)
		return ""
	}
	r := e.Fonts[at]
	ext := fontExt(r, v)
	if ext == "" {
		b.warn("the font %s is left out: only .ttf, .otf and .woff2 files travel", what)
		return ""
	}
	if data, err := r.Bytes(); err != nil || data == nil {
		b.warn("the font %s is left out: its file cannot be read", what)
		return ""
	}
	file := v.FileName
	if file == "" {
		file = path.Base(r.Name)
	}
	stem := shortSlug(strings.TrimSuffix(file, path.Ext(file)), shortSlug(what, "font"))
	name := b.claim("fonts/"+stem, ext)
	b.m.Folder.put(r.Name, name, loose)
	b.add(name, &File{r.Name, r.Data, r.lazy})
	return name
}

func fontExt(r *Resource, v fontVariant) string {
	for _, ext := range []string{"." + strings.ToLower(v.Format), strings.ToLower(path.Ext(r.Name))} {
		switch ext {
		case ".ttf", ".otf", ".woff2":
			return ext
		case ".woff":
			return ""
		}
	}
	return ""
}

// looseFonts takes up the font files that no family of the configuration names.
func (b *bundleWriter) looseFonts(e *Book, used map[string]bool) error {
	for _, r := range e.Fonts {
		if used[r.ID] || used[r.Name] {
			continue
		}
		if b.opts.Face == nil {
			b.warn("the font file %s is left out: no family of the design names it", r.Name)
			continue
		}
		data, err := r.Bytes()
		if err != nil {
			b.warn("the font file %s is left out: %v", r.Name, err)
			continue
		}
		family, weight, italic, err := b.opts.Face(data)
		if err != nil {
			b.warn("the font file %s is left out: %v", r.Name, err)
			continue
		}
		v := fontVariant{Weight: float64(weight), Style: "normal", FileID: r.ID, Format: strings.TrimPrefix(strings.ToLower(path.Ext(r.Name)), ".")}
		if italic {
			v.Style = "italic"
		}
		name := b.fontFile(e, v, quoteName(family), true)
		if name == "" {
			continue
		}
		at := slices.IndexFunc(b.m.Fonts, func(f manifestFont) bool { return f.Name == family })
		if at < 0 {
			at = len(b.m.Fonts)
			b.m.Fonts = append(b.m.Fonts, manifestFont{Name: family})
		}
		b.m.Fonts[at].Variants = append(b.m.Fonts[at].Variants, manifestVariant{&v.Weight, v.Style, name})
	}
	return nil
}

// localize is what an edition has of its own.
func (b *bundleWriter) localize(e *Book, shared object) (localization, error) {
	l := localization{tag: e.Language}
	config, err := b.config(e)
	if err != nil {
		return l, err
	}
	for _, m := range config {
		if i := shared.find(m.key); i < 0 || !bytes.Equal(shared[i].value, m.value) {
			l.config = append(l.config, m)
		}
	}
	for _, m := range shared {
		if config.find(m.key) >= 0 {
			continue
		}
		empty := json.RawMessage("null")
		switch m.value[0] {
		case '{':
			empty = json.RawMessage("{}")
		case '[':
			empty = json.RawMessage("[]")
		}
		l.config = append(l.config, member{m.key, empty})
	}
	if e.Scope != b.first.Scope {
		l.view = &manifestView{"chapter"}
		if e.Scope == "book" {
			l.view.CanvasScope = "book"
		}
	}
	for _, r := range e.Resources {
		own, err := b.reworded(r, e.Language)
		if err != nil {
			return l, err
		}
		if own != nil {
			l.resources = append(l.resources, own)
		}
	}
	return l, nil
}

// reworded is what an edition changes of a resource, nil for nothing.
func (b *bundleWriter) reworded(r *Resource, tag string) (object, error) {
	of := func(list []*Resource) *Resource {
		if i := slices.IndexFunc(list, func(o *Resource) bool { return o.ID == r.ID }); i >= 0 {
			return list[i]
		}
		return nil
	}
	shared, written := of(b.first.Resources), of(b.m.Resources)
	if shared == nil || written == nil {
		b.warn("the resource %s of the language %s is left out: the book in %s has none of this id", quoteName(r.ID), tag, b.first.Language)
		return nil, nil
	}
	var o object
	for _, t := range []struct{ key, own, shared string }{
		{"caption", r.Caption, shared.Caption}, {"note", r.Note, shared.Note}, {"altText", r.Alt, shared.Alt},
	} {
		if t.own != t.shared {
			v, err := marshal(t.own)
			if err != nil {
				return nil, err
			}
			o = append(o, member{t.key, v})
		}
	}
	if r.Table != nil {
		own, err := marshal(r.Table)
		if err != nil {
			return nil, err
		}
		if was, err := marshal(shared.Table); err != nil || !bytes.Equal(own, was) {
			o = append(o, member{"table", own})
		}
	}
	same, err := sameArtwork(r, shared)
	if err != nil {
		b.warn("the picture of %s in %s is left out: %v", quoteName(r.ID), tag, err)
	} else if !same {
		c := *r
		if b.artwork(&c, "resources/"+Slug(tag)+"/") {
			var master, poster string
			if c.Master != nil {
				master = c.Master.Name
			}
			text, err := writeFields([]field{{"file", &c.Name, false}, {"pdfFile", &master, false}, {"posterFile", &poster, false},
				{"width", &c.Width, false}, {"height", &c.Height, false}}, nil)
			if err != nil {
				return nil, err
			}
			var more object
			if err := json.Unmarshal(text, &more); err != nil {
				return nil, err
			}
			o = append(o, more...)
		}
	}
	if o == nil {
		return nil, nil
	}
	id, err := marshal(r.ID)
	if err != nil {
		return nil, err
	}
	return slices.Insert(o, 0, member{"id", id}), nil
}

// sameArtwork reports whether two resources show the same picture.
func sameArtwork(a, b *Resource) (bool, error) {
	if a.Kind != KindBitmap && a.Kind != KindSVG {
		return true, nil
	}
	x, err := a.Bytes()
	if err != nil {
		return false, err
	}
	y, err := b.Bytes()
	if err != nil {
		return false, err
	}
	return bytes.Equal(x, y), nil
}

// packed are the kinds of files that are stored as they are.
var packed = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".woff2"}

// write writes the manifest and, one after another, the files.
func (b *bundleWriter) write() error {
	raw, err := writeFields(b.m.fields(), nil)
	if err != nil {
		return err
	}
	text, err := indented(json.RawMessage(raw), "  ")
	if err != nil {
		return err
	}
	if err := b.entry(manifestFile, text); err != nil {
		return err
	}
	for _, e := range b.entries {
		data, err := e.file.Bytes()
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if err := b.entry(e.name, data); err != nil {
			return err
		}
	}
	return nil
}

func (b *bundleWriter) entry(name string, data []byte) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: b.time}
	if slices.Contains(packed, path.Ext(name)) {
		h.Method = zip.Store
	} else if n, err := deflated(data); err != nil {
		return err
	} else if tooPacked(uint64(len(data)), uint64(n)) {
		h.Method = zip.Store // or it would be refused as a bomb
	}
	w, err := b.z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// deflated is how long data would be packed, rather too short than too long;
// what is short enough not to matter is not tried.
func deflated(data []byte) (n int, err error) {
	if len(data) <= ratioFrom {
		return len(data), nil
	}
	var c counter
	w, err := flate.NewWriter(&c, 1)
	if err != nil {
		return 0, err
	}
	if _, err := w.Write(data); err != nil {
		return 0, err
	}
	err = w.Close()
	// A higher level packs a little better than this one.
	return int(c) / 2, err
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
