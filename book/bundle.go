package book

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// manifestFile is the name of a bundle's manifest.
const manifestFile = "preset.json"

// Bundle is an opened .postext file: a whole book, perhaps in several languages,
// in one zip archive (bundle.md). Opening reads the manifest only; Book reads one
// language.
type Bundle struct {
	// Warnings tell what was odd in the manifest, for a person to read.
	Warnings []string

	m     *manifest
	files bundleFiles
}

// OpenBundle opens a .postext file of size bytes. r must stay readable as long as
// the bundle and the books read from it are used. The error says what is wrong
// with a damaged or hostile file.
func OpenBundle(r io.ReaderAt, size int64) (*Bundle, error) {
	a, err := openArchive(r, size)
	if err != nil {
		return nil, err
	}
	folder, err := manifestFolder(a)
	if err != nil {
		return nil, err
	}
	return openBundle(below{a, folder})
}

// OpenBundleFS opens a bundle unzipped into a file system, its manifest at the
// root, as a sample is served.
func OpenBundleFS(fsys fs.FS) (*Bundle, error) {
	f := openFiles{fsys}
	if !f.has(manifestFile) {
		return nil, errors.New("the bundle has no manifest: there is no preset.json")
	}
	return openBundle(f)
}

// IsBundle reports whether a folder holds a bundle rather than a folder book.
func IsBundle(fsys fs.FS) bool { return openFiles{fsys}.has(manifestFile) }

// manifestFolder is where the manifest stands: the root, "", or the one folder
// at the top that has one, with a slash after it.
func manifestFolder(a *archive) (string, error) {
	if a.has(manifestFile) {
		return "", nil
	}
	var found []string
	for _, name := range a.names() {
		if dir, file := path.Split(name); file == manifestFile && strings.Count(dir, "/") == 1 {
			found = append(found, dir)
		}
	}
	switch len(found) {
	case 0:
		return "", errors.New("the bundle has no manifest: there is no preset.json in it")
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("the archive has several manifests (%spreset.json, %spreset.json): it must hold one book", found[0], found[1])
}

func openBundle(files bundleFiles) (*Bundle, error) {
	data, err := files.read(manifestFile, maxManifest)
	if err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	m, err := readManifest(data)
	if err != nil {
		return nil, err
	}
	m.Folder = readOrigin(files)
	b := &Bundle{m: m, files: files}
	if m.ConfigVersion > ConfigVersion {
		b.warn("the book was written for configuration rules %d; it is read as %d", m.ConfigVersion, ConfigVersion)
	}
	for i, r := range m.Resources {
		if slices.ContainsFunc(m.Resources[:i], func(o *Resource) bool { return o.ID == r.ID }) {
			b.warn("two resources have the id %s; the first counts", quoteName(r.ID))
		}
	}
	return b, nil
}

func (z *Bundle) warn(format string, args ...any) {
	z.Warnings = append(z.Warnings, fmt.Sprintf(format, args...))
}

// ID is the book's stable id.
func (z *Bundle) ID() string { return z.m.ID }

// Name is the book's name.
func (z *Bundle) Name() string { return CleanText(z.m.Name) }

// Description is one or two lines about the book.
func (z *Bundle) Description() string { return CleanText(z.m.Description) }

// Version is that of the manifest's form, 1 or 2.
func (z *Bundle) Version() int { return z.m.Version }

// Locale is the language of the shared content, OpenLocale the one to open when
// none is asked for; "" when the manifest does not say.
func (z *Bundle) Locale() string     { return z.m.Locale }
func (z *Bundle) OpenLocale() string { return z.m.OpenLocale }

// Languages are the languages the bundle carries, in its order; none when it
// does not name any.
func (z *Bundle) Languages() []string { return z.m.languages() }

// Edition tells what a language of a bundle holds.
type Edition struct {
	Language  string
	Chapters  []string // titles as the manifest has them, perhaps empty
	Resources int
	Fonts     []string // families
}

// Edition tells what the language served for a tag holds, without reading it.
func (z *Bundle) Edition(locale string) Edition {
	served, list := z.served(locale)
	e := Edition{Language: served, Resources: len(z.m.Resources)}
	for _, c := range list {
		e.Chapters = append(e.Chapters, CleanText(c.Title))
	}
	for _, f := range z.m.Fonts {
		e.Fonts = append(e.Fonts, f.Name)
	}
	return e
}

// Wanted reads the book in a language that was asked for: "" is the book's own, and
// one it has nothing like is refused with those it has.
func (z *Bundle) Wanted(language string) (*Book, error) {
	primary := func(tag string) string {
		tag, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
		return tag
	}
	if have := z.Languages(); language != "" && len(have) > 0 && primary(z.Edition(language).Language) != primary(language) {
		return nil, fmt.Errorf("the book has no language %s; it has %s", language, strings.Join(have, ", "))
	}
	return z.Book(language)
}

// served chooses the language for a tag and its list of chapters.
func (z *Bundle) served(locale string) (string, []manifestChapter) {
	have := z.m.languages()
	at := MatchLanguage(locale, have, z.m.Locale)
	if at < 0 {
		return z.m.Locale, z.m.Chapters[0].list
	}
	for _, l := range z.m.Chapters {
		if sameTag(l.tag, have[at]) {
			return have[at], l.list
		}
	}
	return have[at], z.m.Chapters[0].list
}

// wording is what differs in the language served: an entry of its own tag or,
// unless it is the language of the shared content, of the same language in the
// same script.
func (z *Bundle) wording(served string) *localization {
	for i := range z.m.Localized {
		if sameTag(z.m.Localized[i].tag, served) {
			return &z.m.Localized[i]
		}
	}
	if sameTag(served, z.m.Locale) || served == "" {
		return nil
	}
	for i := range z.m.Localized {
		if sameScript(z.m.Localized[i].tag, served) {
			return &z.m.Localized[i]
		}
	}
	return nil
}

// Layouts is the pagination that travels with a language, nil when there is none
// (bundle.md 7). Whether it still holds is for the reader to find out.
func (z *Bundle) Layouts(locale string) []byte {
	served, _ := z.served(locale)
	for _, name := range []string{"layouts." + served + ".json", "layouts.json"} {
		if !z.files.has(name) {
			continue
		}
		data, err := z.files.read(name, maxManifest)
		if err != nil || !json.Valid(data) {
			continue
		}
		if names := z.m.Folder.names(); names != nil {
			if named, err := layoutByFile(data, names); err == nil {
				return named
			}
			continue
		}
		return data
	}
	return nil
}

// Book reads the book in the language that fits a tag best ("" for the book's
// own). Kind is project, ID the manifest's; the ids of chapters come from their
// files, so that they stay the same when the bundle is read again.
func (z *Bundle) Book(locale string) (*Book, error) {
	if locale == "" {
		locale = z.m.OpenLocale
	}
	served, list := z.served(locale)
	words := z.wording(served)
	m := z.m
	b := &Book{ID: m.ID, BundleID: m.ID, Name: z.Name(), Kind: "project", Language: served,
		Title: CleanText(m.Title), Subtitle: CleanText(m.Subtitle), Author: CleanText(m.Author),
		Description: z.Description(), Licence: CleanText(m.License), Credits: CleanText(m.Credits), Tags: m.Tags,
		Warnings: slices.Clone(z.Warnings), ConfigVersion: min(m.ConfigVersion, ConfigVersion)}
	r := bundleReader{Bundle: z, book: b}
	if err := r.chapters(list); err != nil {
		return nil, err
	}
	view := m.View
	if words != nil && words.view != nil {
		view = words.view
	}
	if view != nil && view.CanvasScope == "book" && len(b.Chapters) <= 200 {
		b.Scope = "book"
	}
	config, err := r.config(words)
	if err != nil {
		return nil, err
	}
	fonts, err := r.fonts()
	if err != nil {
		return nil, err
	}
	if len(fonts) > 0 {
		if err := appendFonts(&config, fonts); err != nil {
			return nil, fmt.Errorf("invalid manifest: config: %w", err)
		}
	}
	text, err := config.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if b.Config, err = CanonicalConfig(text); err != nil {
		return nil, err
	}
	if err := r.resources(words); err != nil {
		return nil, err
	}
	r.cover()
	m.Folder.rename(b)
	if err := r.bibliographies(); err != nil {
		return nil, err
	}
	if b.Language == "" {
		b.Language = configLanguage(config)
	}
	if matter, _ := FrontMatter(b.Chapters[0].Markdown); b.Language == "" {
		b.Language = strings.TrimSpace(matterValue(matter, "language"))
	}
	if b.origin != nil {
		read := *b
		b.read = &read
	}
	return b, nil
}

// configLanguage is the language a configuration names.
func configLanguage(config object) string {
	if tag := textMember(config, "locale"); tag != "" {
		return tag
	}
	var body struct {
		Hyphenation struct{ Locale string }
	}
	if i := config.find("bodyText"); i < 0 || json.Unmarshal(config[i].value, &body) != nil {
		return ""
	}
	return body.Hyphenation.Locale
}

type bundleReader struct {
	*Bundle
	book *Book
	held int64 // bytes of payloads in memory
}

func (r *bundleReader) warn(format string, args ...any) {
	r.book.Warnings = append(r.book.Warnings, fmt.Sprintf(format, args...))
}

// chaptersAtOnce is how many chapter files are read at a time.
const chaptersAtOnce = 8

// chapters reads the chapters of one list, eight at a time.
func (r *bundleReader) chapters(list []manifestChapter) error {
	texts := make([]string, len(list))
	errs := make([]error, len(list))
	turn := make(chan struct{}, chaptersAtOnce)
	var wg sync.WaitGroup
	for i, c := range list {
		wg.Add(1)
		turn <- struct{}{}
		go func() {
			defer func() { <-turn; wg.Done() }()
			name, err := bundlePath(c.File)
			if err == nil {
				var data []byte
				// More than a chapter may have is read to say how much it is.
				if data, err = r.files.read(name, 2*MaxChapter); err == nil {
					texts[i] = CleanText(string(data))
				}
				if why := ChapterTooLong(int64(len(texts[i]))); why != "" {
					texts[i], err = "", fmt.Errorf("%s: %s", name, why)
				}
			}
			errs[i] = err
		}()
	}
	wg.Wait()
	seen := map[string]bool{}
	total := 0
	for i, c := range list {
		if errs[i] != nil {
			return fmt.Errorf("chapter %d: %w", i+1, errs[i])
		}
		if total += len(texts[i]); total > maxTextBytes {
			return fmt.Errorf("the chapters have more than %d MiB of text", maxTextBytes>>20)
		}
		name, err := bundlePath(c.File)
		if err != nil {
			return err
		}
		ch := &Chapter{File: name, Markdown: texts[i], Title: strings.TrimSpace(CleanText(c.Title))}
		if ch.Title == "" {
			ch.Title = DeriveTitle(ch.Markdown, fmt.Sprintf("Chapter %d", i+1))
		}
		base := strings.ReplaceAll(strings.TrimSuffix(name, path.Ext(name)), "/", "-")
		ch.ID = base
		for n := 2; seen[ch.ID]; n++ {
			ch.ID = fmt.Sprintf("%s-%d", base, n)
		}
		seen[ch.ID] = true
		r.book.Chapters = append(r.book.Chapters, ch)
	}
	return nil
}

// config is the shared configuration, each top-level key replaced whole by that
// of the language.
func (r *bundleReader) config(words *localization) (object, error) {
	var config object
	if len(r.m.Config) > 0 {
		if err := json.Unmarshal(r.m.Config, &config); err != nil {
			return nil, fmt.Errorf("invalid manifest: config: %w", err)
		}
	}
	if words == nil {
		return config, nil
	}
	config = slices.Clone(config)
	for _, m := range words.config {
		value := m.value
		switch string(value) {
		case "null", "{}", "[]": // back to the default
			value = nil
		}
		config.set(m.key, value, "")
	}
	return config, nil
}

// payload reads a file the manifest names; larger ones are read through, so that
// damage shows now, and kept where they are until they are wanted.
func (r *bundleReader) payload(name string) (*File, error) {
	name, err := bundlePath(name)
	if err != nil {
		return nil, err
	}
	if !r.files.has(name) {
		return nil, fmt.Errorf("the bundle has no file %s", quoteName(name))
	}
	if r.held < eagerBytes {
		data, err := r.files.read(name, maxFileBytes)
		if err != nil {
			return nil, err
		}
		r.held += int64(len(data))
		return &File{Name: name, Data: data}, nil
	}
	if _, err := r.files.check(name, maxFileBytes); err != nil {
		return nil, err
	}
	files := r.files
	return &File{Name: name, lazy: &lazyFile{read: func() ([]byte, error) { return files.read(name, maxFileBytes) }}}, nil
}

// fontVariant and fontFamily are entries of the setting customFonts.
type fontFamily struct {
	Name            string        `json:"name"`
	Variants        []fontVariant `json:"variants"`
	Redistributable *bool         `json:"redistributable,omitempty"`
}

type fontVariant struct {
	Weight   float64 `json:"weight"`
	Style    string  `json:"style"`
	FileID   string  `json:"fileId"`
	Format   string  `json:"format"`
	FileName string  `json:"fileName,omitempty"`
}

// fonts reads the font files and gives the families for customFonts.
func (r *bundleReader) fonts() ([]fontFamily, error) {
	var families []fontFamily
	held := map[string]bool{}
	inFolder := r.m.Folder.names()
	for _, f := range r.m.Fonts {
		family := fontFamily{Name: CleanText(f.Name), Redistributable: f.Redistributable}
		named := false // by its files, as in the folder it came from
		for _, v := range f.Variants {
			ext := strings.ToLower(path.Ext(v.File))
			if ext != ".ttf" && ext != ".otf" && ext != ".woff2" {
				r.warn("%s of the font %s is left out: fonts are .ttf, .otf or .woff2", v.File, quoteName(f.Name))
				continue
			}
			p, err := r.payload(v.File)
			if err != nil {
				return nil, fmt.Errorf("font %s: %w", quoteName(f.Name), err)
			}
			loose := false
			if name := inFolder[p.Name]; name != "" {
				p.Name, loose = name, r.m.Folder.Files[name].Loose
			}
			if !held[p.Name] {
				held[p.Name] = true
				r.book.Fonts = append(r.book.Fonts, &Resource{ID: p.Name, Name: p.Name, Kind: "font", Data: p.Data, lazy: p.lazy})
			}
			if loose {
				named = true
				continue
			}
			style := "normal"
			if v.Style == "italic" {
				style = "italic"
			}
			family.Variants = append(family.Variants, fontVariant{*v.Weight, style, p.Name, ext[1:], path.Base(p.Name)})
		}
		if len(family.Variants) == 0 && named {
			continue
		}
		if len(family.Variants) == 0 {
			r.warn("the font %s is left out: it has no file that can be used", quoteName(f.Name))
			continue
		}
		families = append(families, family)
	}
	return families, nil
}

// appendFonts adds families to the setting customFonts.
func appendFonts(config *object, families []fontFamily) error {
	var list []json.RawMessage
	if i := config.find("customFonts"); i >= 0 {
		if err := json.Unmarshal((*config)[i].value, &list); err != nil {
			return fmt.Errorf("customFonts: %w", plainType(err))
		}
	}
	for _, f := range families {
		text, err := marshal(f)
		if err != nil {
			return err
		}
		list = append(list, text)
	}
	text, err := marshal(list)
	if err != nil {
		return err
	}
	config.set("customFonts", text, "")
	return nil
}

// Kinds of files by extension that a resource's file may have.
var videoFiles = []string{".mp4", ".webm", ".ogv", ".ogg", ".mov"}

// resources reads the resources with their files, in the wording of a language.
func (r *bundleReader) resources(words *localization) error {
	seen := map[string]bool{}
	worded := map[string]object{}
	if words != nil {
		for _, w := range words.resources {
			worded[textMember(w, "id")] = w
		}
	}
	for _, shared := range r.m.Resources {
		if seen[shared.ID] {
			continue
		}
		seen[shared.ID] = true
		res := *shared
		if w, ok := worded[res.ID]; ok {
			if err := res.reword(w); err != nil {
				return fmt.Errorf("invalid manifest: localized: resource %s: %w", quoteName(res.ID), err)
			}
		}
		if err := r.resource(&res); err != nil {
			return fmt.Errorf("resource %s: %w", quoteName(res.ID), err)
		}
	}
	if words != nil {
		for _, w := range words.resources {
			if id := textMember(w, "id"); !seen[id] {
				r.warn("the language %s words the resource %s, which the book does not have", words.tag, quoteName(id))
			}
		}
	}
	return nil
}

// reword lays a language's members over a resource.
func (r *Resource) reword(w object) error {
	text, err := w.MarshalJSON()
	if err != nil {
		return err
	}
	if w.find("file") >= 0 {
		// Another picture: its size is its own, and the shared master shows the
		// old one.
		r.Width, r.Height, r.FileResolution, r.Master = 0, 0, 0, nil
	}
	var file, master string
	var table *Table
	if _, err := readFields(text, []field{
		{"caption", &r.Caption, false}, {"note", &r.Note, false}, {"altText", &r.Alt, false}, {"table", &table, false},
		{"file", &file, false}, {"pdfFile", &master, false}, {"width", &r.Width, false}, {"height", &r.Height, false},
	}); err != nil {
		return err
	}
	if table != nil {
		r.Table = table
	}
	if file != "" {
		r.Name = file
	}
	if master != "" {
		r.Master = &File{Name: master}
	}
	return nil
}

func (r *bundleReader) resource(res *Resource) error {
	ext := strings.ToLower(path.Ext(res.Name))
	switch kind := kinds[ext]; {
	case res.Kind == KindTable:
		res.Name = ""
	case res.Kind == KindVideo:
		if res.Name != "" && !slices.Contains(videoFiles, ext) {
			r.warn("the file of the video %s is left out: %s is no video", quoteName(res.ID), res.Name)
			res.Name = ""
		}
	case kind == KindSVG || kind == KindBitmap:
		res.Kind = kind // the extension decides
	case res.Name == "":
		r.warn("the resource %s is left out: it names no file", quoteName(res.ID))
		return nil
	default:
		r.warn("the resource %s is left out: %s is no picture", quoteName(res.ID), res.Name)
		return nil
	}
	if res.Name != "" {
		p, err := r.payload(res.Name)
		if err != nil {
			return err
		}
		if res.Kind == KindSVG && p != nil {
			if p, err = r.drawing(res.ID, p); p == nil {
				return err
			}
		}
		res.Name, res.Data, res.lazy = p.Name, p.Data, p.lazy
	}
	if res.Master != nil {
		p, err := r.payload(res.Master.Name)
		if err != nil || strings.ToLower(path.Ext(p.Name)) != ".pdf" || res.Kind != KindSVG {
			r.warn("the print master of %s is left out: %s is no PDF of the bundle", quoteName(res.ID), res.Master.Name)
			p = nil
		}
		res.Master = p
	}
	if res.Poster != nil {
		p, err := r.payload(res.Poster.Name)
		if err != nil {
			return err
		}
		res.Poster = p
	}
	res.measure()
	for _, text := range []*string{&res.Caption, &res.Note, &res.Alt} {
		*text = CleanText(*text)
	}
	for _, why := range res.Faults() {
		r.warn("resource %s: %s", quoteName(res.ID), why)
	}
	r.book.Resources = append(r.book.Resources, res)
	return nil
}

// drawing takes up an SVG, without what is no drawing in it; nil when it is none.
func (r *bundleReader) drawing(id string, p *File) (*File, error) {
	data, err := p.Bytes()
	if err != nil {
		return nil, err
	}
	clean, took, err := CleanSVG(data)
	switch {
	case err != nil:
		r.warn("the resource %s is left out: %v", quoteName(id), err)
		return nil, nil
	case took == nil:
		return p, nil
	}
	r.warn("%s left out of the drawing %s", strings.Join(took, ", "), quoteName(id))
	return &File{Name: p.Name, Data: clean}, nil
}

// bibliographies takes up the lists of works of a folder, which the manifest's resources
// do not hold.
func (r *bundleReader) bibliographies() error {
	names := r.m.Folder.names()
	for _, at := range slices.Sorted(maps.Keys(names)) {
		name := names[at]
		if kinds[strings.ToLower(path.Ext(name))] != "bibliography" || !r.files.has(at) {
			continue
		}
		p, err := r.payload(at)
		if err != nil {
			return err
		}
		r.book.Resources = append(r.book.Resources, &Resource{ID: name, Name: name, Kind: "bibliography", Data: p.Data, lazy: p.lazy})
	}
	return nil
}

// cover takes up the cover; one that cannot be used is no cover.
func (r *bundleReader) cover() {
	if r.m.Thumbnail == "" {
		return
	}
	p, err := r.payload(r.m.Thumbnail)
	if err != nil {
		return
	}
	data, err := p.Bytes()
	if err != nil {
		return
	}
	pic, err := ReadPicture(data)
	if err != nil {
		return
	}
	if pic.Format == "svg" {
		clean, took, err := CleanSVG(data)
		if err != nil {
			return
		}
		if took != nil {
			p = &File{Name: p.Name, Data: clean}
		}
	}
	r.book.Cover = p
}
