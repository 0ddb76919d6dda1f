package book

import (
	"cmp"
	"encoding/json"
)

// Listing is one row of books/index.json: what a site tells of a book it offers.
type Listing struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Author   string `json:"author,omitempty"`
	Language string `json:"language,omitempty"`
	// A book in several languages, and what its shelf shows.
	Languages   []string `json:"languages,omitempty"`
	Description string   `json:"description,omitempty"`
	Licence     string   `json:"license,omitempty"`
	Credits     string   `json:"credits,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Cover       string   `json:"cover,omitempty"` // a file of the book
	// Live: the folder may change while it is served; fingerprint.json beside its
	// files tells its states apart (bundle.md 9).
	Live  bool     `json:"live,omitempty"`
	Files []string `json:"files"` // paths under books/<id>/, sorted
}

// Describe takes over what the JSON of a folder's book.json or of a bundle's
// manifest says about the book.
func (l *Listing) Describe(data []byte) error {
	var m struct {
		Name        string   `json:"name"` // of a bundle, as are locale and locales
		Title       string   `json:"title"`
		Author      string   `json:"author"`
		Language    string   `json:"language"`
		Locale      string   `json:"locale"`
		Locales     []string `json:"locales"`
		Description string   `json:"description"`
		Licence     string   `json:"license"`
		Credits     string   `json:"credits"`
		Tags        []string `json:"tags"`
		Thumbnail   string   `json:"thumbnail"` // of a bundle, as cover is of a folder
		Cover       string   `json:"cover"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	l.Name = cmp.Or(m.Name, m.Title, l.Name)
	l.Author, l.Language, l.Languages = m.Author, cmp.Or(m.Language, m.Locale), m.Locales
	l.Description, l.Licence, l.Credits, l.Tags = m.Description, m.Licence, m.Credits, m.Tags
	l.Cover = cmp.Or(m.Thumbnail, m.Cover)
	return nil
}

// Editions are the languages the book is in, none when the site does not say.
func (l *Listing) Editions() []string {
	if len(l.Languages) == 0 && l.Language != "" {
		return []string{l.Language}
	}
	return l.Languages
}
