package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"postext/book"
	"postext/engine/layout"
	"postext/engine/settings"
)

// Records remember between visits how the chapters of a book were paginated
// (sandbox.md 4.2, bundle.md 7), so that the page numbers of a long book are known
// before it is laid out again, and the chapter a reader looks at can be laid out
// first. They are a shortcut and never the truth: the whole book is laid out all
// the same, and what they promised is put right by it.
type Records struct {
	Version int `json:"version"`
	// Engine tells programs apart that may lay out differently; whoever keeps the
	// records sets and compares it.
	Engine    string `json:"engine"`
	Config    string `json:"configKey"`
	Resources string `json:"resourcesKey"`
	// Chapters are the records by the chapter's id; in a file by its path.
	Chapters map[string]*Record `json:"chapters"`
}

// recordsVersion is the form of Records.
const recordsVersion = 1

// Record is how one chapter was paginated. It holds wherever the chapter's text is
// the same and it continues a state with the same key: page numbers may be others,
// the side of the sheet it begins on and their format may not.
type Record struct {
	Text         string `json:"textKey"`
	Continuation string `json:"continuationKey"`
	Pages        int    `json:"pageCount"`
	LeadingBlank int    `json:"leadingBlankPages"`
	// Of the first page with content and of the last page.
	FirstNumber int    `json:"firstContentPageNumber"`
	FirstFormat string `json:"firstContentPageFormat"`
	LastNumber  int    `json:"lastPageNumber"`
	LastFormat  string `json:"lastPageFormat"`
	// Outline are the pages of its headings and parts, from 0; OutlineKey is of the
	// outline that it prints, if it prints any.
	Outline    []int  `json:"outlinePages"`
	OutlineKey string `json:"outlineKey"`
	// Start is the number its first page was to have. Fixed: its text sets page
	// numbers, so they do not follow from it.
	Start int  `json:"start"`
	Fixed bool `json:"fixed,omitempty"`
	// Labels are printed on the outline's pages.
	Labels []string     `json:"outlineLabels"`
	First  string       `json:"firstLabel"`
	Last   string       `json:"lastLabel"`
	End    layout.State `json:"end"`
}

// KnownPages is what records say of a chapter: its number of pages, and what is
// printed on the first and on the last.
type KnownPages struct {
	Pages       int
	First, Last string
	end         layout.State
	labels      []string
}

func keyText(k uint64) string { return strconv.FormatUint(k, 36) }

// recordOf writes a laid-out chapter down.
func recordOf(text string, c *layout.Chapter, outline uint64) *Record {
	pages := c.Frame.Pages
	r := &Record{Text: text, Pages: len(pages), Start: c.Start.Next, Outline: []int{}, Labels: []string{}, End: c.End}
	r.End.Meta, r.End.Pages = layout.Meta{}, 0
	if outline != 0 {
		r.OutlineKey = keyText(outline)
	}
	r.Fixed = c.End.Next-c.Start.Next != len(pages) || c.End.Format != c.Start.Format
	content := true
	for i, p := range pages {
		r.Fixed = r.Fixed || p.Value != c.Start.Next+i || p.Label != "" && p.Label != layout.FormatNumber(p.Value, c.Start.Format)
		if content && p.Blank {
			r.LeadingBlank++
		} else if content {
			content = false
			r.FirstNumber, r.FirstFormat = p.Value, c.Start.Format
		}
		if r.First == "" {
			r.First = p.Label
		}
		if p.Label != "" {
			r.Last = p.Label
		}
	}
	if n := len(pages); n > 0 {
		r.LastNumber, r.LastFormat = pages[n-1].Value, c.End.Format
	}
	for _, e := range c.Entries {
		r.Outline, r.Labels = append(r.Outline, e.Page), append(r.Labels, e.Label)
	}
	r.Continuation = keyText(c.Start.Key(r.Fixed))
	return r
}

// follow is what the record says of the chapter continued after st; false when it
// does not hold there.
func (r *Record) follow(text string, st layout.State) (KnownPages, bool) {
	if r == nil || r.Pages < 0 || r.Pages > 1<<20 || r.Text != text || r.Continuation != keyText(st.Key(r.Fixed)) || len(r.Labels) != len(r.Outline) {
		return KnownPages{}, false
	}
	k := KnownPages{Pages: r.Pages, First: r.First, Last: r.Last, labels: r.Labels, end: r.End}
	k.end.Meta, k.end.Pages = st.Meta, st.Pages+r.Pages
	if by := st.Next - r.Start; by != 0 && !r.Fixed {
		k.end.Next = st.Next + r.Pages
		if r.First != "" {
			k.First = layout.FormatNumber(r.FirstNumber-r.LeadingBlank+by, st.Format)
		}
		if r.Last != "" {
			k.Last = layout.FormatNumber(r.LastNumber+by, st.Format)
		}
		k.labels = make([]string, len(r.Labels))
		for i, l := range r.Labels {
			if l != "" {
				k.labels[i] = layout.FormatNumber(st.Next+r.Outline[i], st.Format)
			}
		}
	}
	return k, true
}

// known lists what records say of the chapters of a book, as many from the first
// on as they hold for.
func (t *Typesetter) known(b *book.Book, d *settings.Design, r *Records) []KnownPages {
	if r == nil || r.Version != recordsVersion || r.Config != t.configKey(b) || r.Resources != t.resourcesKey(b) {
		return nil
	}
	st := layout.State{Next: d.Page.StartAt, Format: d.Page.NumberFormat}
	var list []KnownPages
	for _, c := range b.Chapters {
		k, ok := r.Chapters[c.ID].follow(keyText(layout.KeyOf(c.Markdown)), st)
		if !ok {
			break
		}
		list = append(list, k)
		st = k.end
	}
	return list
}

// recall takes the page numbers that the records tell in place of those of a layout
// before, when there was none.
func (t *Typesetter) recall(known []KnownPages, chapters int) {
	if len(known) == 0 || t.outline != nil {
		return
	}
	for _, k := range known {
		var list []layout.Entry
		for _, l := range k.labels {
			list = append(list, layout.Entry{Label: l})
		}
		t.outline = append(t.outline, list)
	}
	if len(known) == chapters {
		t.total = known[chapters-1].end.Pages
	}
}

// remember writes the chapters of a finished layout down.
func (t *Typesetter) remember(b *book.Book, entries []*chapter) *Records {
	r := &Records{Version: recordsVersion, Config: t.configKey(b), Resources: t.resourcesKey(b), Chapters: make(map[string]*Record, len(entries))}
	for i, e := range entries {
		if e.failed != nil {
			continue // its pages are not known
		}
		if e.record == nil || e.recorded != e.laid {
			if e.text == "" {
				e.text = keyText(layout.KeyOf(b.Chapters[i].Markdown))
			}
			e.record, e.recorded = recordOf(e.text, e.laid, e.outlineKey), e.laid
		}
		r.Chapters[b.Chapters[i].ID] = e.record
	}
	return r
}

// configKey is of the settings and the language. Of the book's own fonts their
// names count: the same files have other names once the book went through a file.
func (t *Typesetter) configKey(b *book.Book) string {
	if t.configKeyed != "" && t.configOf == string(b.Config) && t.languageOf == b.Language {
		return t.configKeyed
	}
	parts := []string{b.Language}
	config := string(b.Config)
	if strings.Contains(config, `"customFonts"`) {
		if tree, err := settings.Parse(b.Config); err == nil {
			for _, f := range settings.CustomFonts(tree) {
				parts = append(parts, f.Name)
				for _, v := range f.Variants {
					parts = append(parts, fmt.Sprint(v.Weight, v.Italic, v.Format))
				}
			}
			if bare, _, err := tree.Set(settings.Env{Language: b.Language}, "customFonts", json.RawMessage("null")); err == nil {
				config = string(bare.Marshal())
			}
		}
	}
	t.configOf, t.languageOf, t.configKeyed = string(b.Config), b.Language, keyText(layout.KeyOf(append(parts, config)...))
	return t.configKeyed
}

// resourcesKey is of what the pages need to know of pictures and tables: their
// records, which hold the sizes of pictures, but not the names of their files.
func (t *Typesetter) resourcesKey(b *book.Book) string {
	if t.keyed != "" && slices.Equal(t.keyedOf, b.Resources) {
		return t.keyed
	}
	var parts []string
	for _, r := range b.Resources {
		slim := *r
		slim.Name, slim.Master, slim.Poster = "", nil, nil
		text, err := json.Marshal(&slim)
		if err != nil {
			text = []byte(r.ID) // then only its id tells it apart
		}
		parts = append(parts, string(text), fmt.Sprint(r.Name != "", r.Poster != nil))
	}
	t.keyedOf, t.keyed = b.Resources, keyText(layout.KeyOf(parts...))
	return t.keyed
}

// wantedFirst lays out the chapter that a reader looks at before those in front of
// it, continued after what the records say of these.
func (t *Typesetter) wantedFirst(known []KnownPages, entries []*chapter, o Observer, start layout.State, lay func(i int, st layout.State) (*layout.Chapter, error)) error {
	w := o.Wanted
	if o.Early == nil || w <= 0 || w > len(known) || w >= len(entries) || entries[w].laid != nil {
		return nil
	}
	st := known[w-1].end
	st.Meta = start.Meta
	c, err := lay(w, st)
	if err != nil {
		return err
	}
	entries[w].laid = c
	o.Early(w, t.frame(entries[w], c))
	return nil
}
