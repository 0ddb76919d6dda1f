package book

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// manifest is preset.json (bundle.md 2.1).
type manifest struct {
	Version       int
	ID, Name      string
	Description   string
	Locale        string
	Locales       []string
	OpenLocale    string
	Default       bool
	Thumbnail     string
	License       string
	Credits       string
	Tags          []string
	View          *manifestView
	ConfigVersion int
	Chapters      chapterLists
	Documents     documents // version 1
	Config        json.RawMessage
	Resources     []*Resource
	Fonts         []manifestFont
	Localized     localizations
	// Title, Subtitle and Author are ours: what book.json of a folder says in
	// place of front matter. Others pass over them.
	Title, Subtitle, Author string
	// Folder is not of the manifest: it is read from the file beside it.
	Folder *folderOrigin
}

type manifestView struct {
	CanvasScope string `json:"canvasScope,omitempty"`
}

type manifestChapter struct {
	Title string `json:"title"`
	File  string `json:"file"`
}

type manifestFont struct {
	Name            string            `json:"name"`
	Variants        []manifestVariant `json:"variants"`
	Redistributable *bool             `json:"redistributable,omitempty"`
}

type manifestVariant struct {
	Weight *float64 `json:"weight"`
	Style  string   `json:"style"`
	File   string   `json:"file"`
}

// chapterLists is one list of chapters for every language ("" is its tag), or
// one for each, in the order written.
type chapterLists []struct {
	tag  string
	list []manifestChapter
}

func (c *chapterLists) UnmarshalJSON(data []byte) error {
	one := func(tag string, data []byte) error {
		var list []manifestChapter
		if err := json.Unmarshal(data, &list); err != nil {
			return plainType(err)
		}
		*c = append(*c, struct {
			tag  string
			list []manifestChapter
		}{tag, list})
		return nil
	}
	if data[0] == '[' {
		return one("", data)
	}
	var o object
	if json.Unmarshal(data, &o) != nil {
		return errors.New("it is a list of {title, file}, or such a list for each language")
	}
	for _, m := range o {
		if err := one(m.key, m.value); err != nil {
			return fmt.Errorf("%s: %w", m.key, err)
		}
	}
	return nil
}

func (c chapterLists) MarshalJSON() ([]byte, error) {
	if len(c) == 1 && c[0].tag == "" {
		return marshal(c[0].list)
	}
	var o object
	for _, l := range c {
		text, err := marshal(l.list)
		if err != nil {
			return nil, err
		}
		o = append(o, member{l.tag, text})
	}
	return o.MarshalJSON()
}

// documents is the path of the one document of a book of version 1, or one for
// each language.
type documents []struct{ tag, file string }

func (d *documents) UnmarshalJSON(data []byte) error {
	var file string
	if json.Unmarshal(data, &file) == nil {
		*d = documents{{"", file}}
		return nil
	}
	var o object
	if json.Unmarshal(data, &o) != nil {
		return errors.New("it is the path of a document, or one for each language")
	}
	for _, m := range o {
		if json.Unmarshal(m.value, &file) != nil {
			return fmt.Errorf("%s: it is not the path of a document", m.key)
		}
		*d = append(*d, struct{ tag, file string }{m.key, file})
	}
	return nil
}

// localizations are what differs by language, in the order written.
type localizations []localization

type localization struct {
	tag       string
	config    object // each member replaces a key of the shared configuration
	resources []object
	view      *manifestView
}

func (l *localizations) UnmarshalJSON(data []byte) error {
	var o object
	if json.Unmarshal(data, &o) != nil {
		return errors.New("it is not an object")
	}
	for _, m := range o {
		e := localization{tag: m.key}
		if m.value[0] != '{' {
			return fmt.Errorf("%s: it is not an object", m.key)
		}
		if _, err := readFields(m.value, []field{{"config", &e.config, false}, {"resources", &e.resources, false}, {"view", &e.view, false}}); err != nil {
			return fmt.Errorf("%s: %w", m.key, err)
		}
		for _, r := range e.resources {
			if textMember(r, "id") == "" {
				return fmt.Errorf("%s: a resource has no id", m.key)
			}
		}
		*l = append(*l, e)
	}
	return nil
}

func (l localizations) MarshalJSON() ([]byte, error) {
	var o object
	for _, e := range l {
		text, err := writeFields([]field{{"config", &e.config, false}, {"resources", &e.resources, false}, {"view", &e.view, false}}, nil)
		if err != nil {
			return nil, err
		}
		o = append(o, member{e.tag, text})
	}
	return o.MarshalJSON()
}

// textMember is a member that is a text, "" when it is none.
func textMember(o object, key string) (text string) {
	if i := o.find(key); i >= 0 && json.Unmarshal(o[i].value, &text) != nil {
		return ""
	}
	return text
}

func (m *manifest) fields() []field {
	return []field{
		{"version", &m.Version, true}, {"id", &m.ID, true}, {"name", &m.Name, true}, {"description", &m.Description, false},
		{"title", &m.Title, false}, {"subtitle", &m.Subtitle, false}, {"author", &m.Author, false},
		{"locale", &m.Locale, false}, {"locales", &m.Locales, false}, {"openLocale", &m.OpenLocale, false}, {"default", &m.Default, false},
		{"thumbnail", &m.Thumbnail, false}, {"license", &m.License, false}, {"credits", &m.Credits, false}, {"tags", &m.Tags, false},
		{"view", &m.View, false}, {"configVersion", &m.ConfigVersion, false},
		{"chapters", &m.Chapters, false}, {"markdown", &m.Documents, false}, {"config", &m.Config, false},
		{"resources", &m.Resources, false}, {"fonts", &m.Fonts, false}, {"localized", &m.Localized, false},
	}
}

// readManifest reads and checks preset.json: a wrong type rejects it whole.
func readManifest(data []byte) (*manifest, error) {
	if len(data) >= 3 && string(data[:3]) == "\uFEFF" {
		data = data[3:]
	}
	if !json.Valid(data) {
		return nil, errors.New("the bundle's manifest preset.json is not valid JSON")
	}
	m := &manifest{}
	if _, err := readFields(data, m.fields()); err != nil {
		return nil, fmt.Errorf("invalid manifest: %w", plainType(err))
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("invalid manifest: %w", err)
	}
	return m, nil
}

func (m *manifest) check() error {
	switch {
	case m.Version != 1 && m.Version != 2:
		return fmt.Errorf("version is 1 or 2, not %d", m.Version)
	case m.ID == "":
		return errors.New("id is empty")
	case m.Name == "":
		return errors.New("name is empty")
	case slices.Contains(m.Locales, ""):
		return errors.New("locales has an empty tag")
	case m.ConfigVersion < 0:
		return errors.New("configVersion is a whole number from 0")
	case len(m.Config) > 0 && m.Config[0] != '{':
		return errors.New("config is not an object")
	}
	for _, v := range append([]*manifestView{m.View}, m.Localized.views()...) {
		if v != nil && v.CanvasScope != "" && v.CanvasScope != "book" && v.CanvasScope != "chapter" {
			return fmt.Errorf("view.canvasScope is book or chapter, not %s", quoteName(v.CanvasScope))
		}
	}
	if len(m.Documents) > 0 && len(m.Chapters) == 0 {
		for _, d := range m.Documents {
			m.Chapters = append(m.Chapters, struct {
				tag  string
				list []manifestChapter
			}{d.tag, []manifestChapter{{File: d.file}}})
		}
	}
	if len(m.Chapters) == 0 {
		return errors.New("it names no chapters")
	}
	for _, l := range m.Chapters {
		if len(l.list) == 0 {
			return errors.New("chapters is empty: a book has at least one chapter")
		}
		for i, c := range l.list {
			if c.File == "" {
				return fmt.Errorf("chapter %d has no file", i+1)
			}
		}
	}
	for i, r := range m.Resources {
		switch {
		case r == nil || r.ID == "":
			return fmt.Errorf("resource %d has no id", i+1)
		case r.TypeID == "":
			return fmt.Errorf("resource %s has no typeId", quoteName(r.ID))
		}
	}
	for i, f := range m.Fonts {
		if f.Name == "" || f.Variants == nil {
			return fmt.Errorf("font %d needs a name and variants", i+1)
		}
		for _, v := range f.Variants {
			if v.Weight == nil || v.File == "" {
				return fmt.Errorf("a variant of the font %s needs a weight and a file", quoteName(f.Name))
			}
		}
	}
	return nil
}

func (l localizations) views() (list []*manifestView) {
	for _, e := range l {
		list = append(list, e.view)
	}
	return list
}

// languages are the tags of the editions, in the manifest's order.
func (m *manifest) languages() []string {
	var list []string
	add := func(tag string) {
		if tag != "" && !slices.ContainsFunc(list, func(have string) bool { return sameTag(have, tag) }) {
			list = append(list, tag)
		}
	}
	if len(m.Chapters) > 1 || m.Chapters[0].tag != "" {
		for _, l := range m.Chapters {
			add(l.tag)
		}
		return list
	}
	add(m.Locale)
	for _, l := range m.Localized {
		add(l.tag)
	}
	return list
}
