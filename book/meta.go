package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// object is a JSON object with its members in the order written, so that a file
// someone wrote by hand keeps its look where it did not change.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

func (o *object) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err
		}
		key, _ := t.(string) // a member begins with its name
		*o = append(*o, member{key, v})
	}
	return nil
}

func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		key, err := marshal(m.key)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, key...), ':'), m.value...)
	}
	return append(out, '}'), nil
}

func (o object) find(key string) int {
	return slices.IndexFunc(o, func(m member) bool { return m.key == key })
}

// set replaces a member or adds it before the one named before, at the end
// when there is none; an empty value removes it.
func (o *object) set(key string, value json.RawMessage, before string) {
	i := o.find(key)
	switch {
	case i >= 0 && value == nil:
		*o = slices.Delete(*o, i, i+1)
	case i >= 0:
		(*o)[i].value = value
	case value != nil:
		at := o.find(before)
		if at < 0 {
			at = len(*o)
		}
		*o = slices.Insert(*o, at, member{key, value})
	}
}

// setText sets a text; one that is empty is left out.
func (o *object) setText(key, text, before string) error {
	if text == "" {
		o.set(key, nil, "")
		return nil
	}
	v, err := marshal(text)
	if err != nil {
		return err
	}
	o.set(key, v, before)
	return nil
}

func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// TitleInText is what the front matter of the first chapter calls the book; "" when
// it does not say.
func (b *Book) TitleInText() string {
	if len(b.Chapters) == 0 {
		return ""
	}
	matter, _ := FrontMatter(b.Chapters[0].Markdown)
	return CleanText(strings.TrimSpace(matterValue(matter, "title")))
}

// KeepName gives a book that is written into a new folder its name as title, when
// neither its text nor it says another: a folder's name is no more than a name.
func (b *Book) KeepName() {
	if b.Title == "" && b.TitleInText() == "" {
		b.Title = b.Name
	}
}

// meta plans book.json.
func (s *saver) meta(b *Book) error {
	data, err := readFile(s.root.FS(), metaFile, maxMetaBytes)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var o object
	if there {
		data = bytes.TrimPrefix(data, bom)
		if err := json.Unmarshal(data, &o); err != nil {
			return fmt.Errorf("%s: %w", metaFile, err)
		}
	}
	if !s.metaChanged(b, there) {
		return nil
	}
	if there && len(s.old.Chapters) == 0 { // another book's
		s.conflicts = append(s.conflicts, metaFile)
		return nil
	}
	language := b.Language
	if matter, _ := FrontMatter(b.Chapters[0].Markdown); !there && language == matterValue(matter, "language") {
		language = ""
	}
	for _, t := range []struct{ key, old, now, before string }{
		{"title", s.old.Title, b.Title, "author"},
		{"subtitle", s.old.Subtitle, b.Subtitle, "author"},
		{"author", s.old.Author, b.Author, "language"},
		{"language", s.old.Language, language, "chapters"},
	} {
		if t.old == t.now && o.find(t.key) >= 0 {
			continue // an author written as a list stays one
		}
		if err := o.setText(t.key, t.now, t.before); err != nil {
			return err
		}
	}
	if err := s.metaShelf(b, &o); err != nil {
		return err
	}
	list, err := s.metaChapters(b, o)
	if err != nil {
		return err
	}
	if o.find("chapters") >= 0 || !namesTell(b, list) {
		o.set("chapters", list, "")
	}
	out, err := indented(o, "  ")
	if err == nil && there {
		out, err = rewrite(data, out)
	}
	if err != nil {
		return err
	}
	if there && bytes.Equal(out, data) {
		return nil
	}
	s.writes = append(s.writes, write{metaFile, out})
	return nil
}

// metaShelf writes what a shelf shows, and the resources of which the files
// alone do not tell everything.
func (s *saver) metaShelf(b *Book, o *object) error {
	for _, t := range []struct{ key, text string }{
		{"description", b.Description}, {"license", b.Licence}, {"credits", b.Credits}, {"cover", coverName(b)},
	} {
		if err := o.setText(t.key, t.text, "chapters"); err != nil {
			return err
		}
	}
	if i := o.find("tags"); len(b.Tags) > 0 || i >= 0 {
		v, err := marshal(b.Tags)
		if err != nil {
			return err
		}
		if len(b.Tags) == 0 {
			v = nil
		}
		o.set("tags", v, "chapters")
	}
	var value json.RawMessage
	if list := toldBeside(b.Resources); len(list) > 0 {
		if err := s.asWritten(list, *o); err != nil {
			return err
		}
		value = json.RawMessage("[" + strings.Join(list, ",") + "]")
	}
	o.set("resources", value, "")
	return nil
}

// asWritten leaves out of the resources' JSON what book.json left to be found out, such
// as the size of a picture, and is still the same.
func (s *saver) asWritten(list []string, o object) error {
	at := o.find("resources")
	if at < 0 {
		return nil
	}
	var entries []object
	if err := json.Unmarshal(o[at].value, &entries); err != nil {
		return fmt.Errorf("%s: resources: %w", metaFile, err)
	}
	written, known := map[string]object{}, map[string]object{}
	for _, e := range entries {
		written[textMember(e, "id")] = e
	}
	for _, r := range s.old.Resources {
		var was object
		if text, err := r.MarshalJSON(); err != nil {
			return err
		} else if err := json.Unmarshal(text, &was); err != nil {
			return err
		}
		known[r.ID] = was
	}
	for i, text := range list {
		var now object
		if err := json.Unmarshal([]byte(text), &now); err != nil {
			return err
		}
		id := textMember(now, "id")
		e, was := written[id], known[id]
		if e == nil {
			continue
		}
		now = slices.DeleteFunc(now, func(m member) bool {
			k := was.find(m.key)
			return e.find(m.key) < 0 && k >= 0 && bytes.Equal(was[k].value, m.value)
		})
		out, err := now.MarshalJSON()
		if err != nil {
			return err
		}
		list[i] = string(out)
	}
	return nil
}

func coverName(b *Book) string {
	if b.Cover == nil {
		return ""
	}
	return b.Cover.Name
}

// toldBeside lists, as JSON, the resources of which something is known that their file
// alone does not tell.
func toldBeside(list []*Resource) []string {
	var out []string
	for _, r := range list {
		plain := &Resource{ID: r.Name, Name: r.Name, Kind: r.Kind, TypeID: r.TypeID, Width: r.Width, Height: r.Height, FileResolution: r.FileResolution}
		if r.TypeID != "" && r.TypeID != "figure" {
			plain.TypeID = "figure"
		}
		have, err1 := r.MarshalJSON()
		from, err2 := plain.MarshalJSON()
		if err1 != nil || err2 != nil || string(have) != string(from) || r.Name == "" {
			out = append(out, string(have))
		}
	}
	return out
}

// metaChanged reports whether book.json has to be written: something it tells
// changed, or it is not there and file names alone tell something else.
func (s *saver) metaChanged(b *Book, there bool) bool {
	o := s.old
	if !slices.Equal(toldBeside(b.Resources), toldBeside(o.Resources)) || b.Description != o.Description || b.Licence != o.Licence ||
		b.Credits != o.Credits || !slices.Equal(b.Tags, o.Tags) || coverName(b) != coverName(o) {
		return true
	}
	if b.Title != o.Title || b.Subtitle != o.Subtitle || b.Author != o.Author || b.Language != o.Language {
		return true
	}
	if there && !slices.EqualFunc(o.Chapters, b.Chapters, func(x, y *Chapter) bool { return x.File == y.File }) {
		return true
	}
	if !there && !slices.IsSortedFunc(b.Chapters, func(x, y *Chapter) int { return compareNatural(x.File, y.File) }) {
		return true
	}
	for i, c := range b.Chapters {
		if s.titleWanted(c, i) {
			return true
		}
	}
	return false
}

// titleWanted reports whether the title of chapter i is to be written anew: it
// changed, and the text does not say it. A title once derived from a heading
// that has changed since is not.
func (s *saver) titleWanted(c *Chapter, i int) bool {
	if o := s.oldFiles[c.File]; o != nil {
		return o.Title != c.Title
	}
	return c.Title != DeriveTitle(c.Markdown, fmt.Sprintf("Chapter %d", i+1))
}

// namesTell reports whether the chapters are read from the folder in this order and
// under these titles without a list: one that is not there hides no file that is put
// beside them.
func namesTell(b *Book, list json.RawMessage) bool {
	var names []string
	for _, c := range b.Chapters {
		names = append(names, c.File)
	}
	dir := path.Dir(names[0])
	return !bytes.Contains(list, []byte(`"title":`)) && (dir == "." || dir == "chapters") &&
		!slices.ContainsFunc(names, func(n string) bool { return path.Dir(n) != dir }) && slices.IsSortedFunc(names, compareNatural)
}

// metaChapters is the list of chapters, entries kept as they were written where
// they still hold.
func (s *saver) metaChapters(b *Book, o object) (json.RawMessage, error) {
	had := map[string]object{}
	if i := o.find("chapters"); i >= 0 {
		var entries []object
		if err := json.Unmarshal(o[i].value, &entries); err != nil {
			return nil, fmt.Errorf("%s: chapters: %w", metaFile, err)
		}
		for _, e := range entries {
			var m metaChapter
			if k := e.find("file"); k >= 0 {
				if err := json.Unmarshal(e[k].value, &m.File); err != nil {
					return nil, fmt.Errorf("%s: chapters: %w", metaFile, err)
				}
				had[m.File] = e
			}
		}
	}
	list := make([]object, len(b.Chapters))
	for i, c := range b.Chapters {
		e := slices.Clone(had[c.File])
		if err := e.setText("file", c.File, "title"); err != nil {
			return nil, err
		}
		if s.titleWanted(c, i) {
			title := c.Title
			if title == DeriveTitle(c.Markdown, fmt.Sprintf("Chapter %d", i+1)) {
				title = "" // the text says it
			}
			if err := e.setText("title", title, ""); err != nil {
				return nil, err
			}
		}
		list[i] = e
	}
	return marshal(list)
}

// indentOf is how a JSON text is indented.
func indentOf(data []byte) string {
	_, rest, found := bytes.Cut(data, []byte("\n"))
	if !found {
		return "  "
	}
	n := 0
	for n < len(rest) && n < 8 && (rest[n] == ' ' || rest[n] == '\t') {
		n++
	}
	if n == 0 {
		return "  "
	}
	return string(rest[:n])
}
