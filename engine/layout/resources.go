package layout

import (
	"strings"

	"postext/book"
	"postext/engine/markup"
	"postext/engine/settings"
)

// Resources are counted by their first mention in reading order, through the
// whole book (document-format.md 13.4). The mentions of a chapter depend on its
// text alone and are found once; numbering walks over them and the headings.

// Mention is one place where a chapter's text names a resource or declares one.
type Mention struct {
	ID, Alt string // Alt: the id without the prefix a reference spells it with
	// Kind is "ref", "embed", or, for what is declared in the text itself,
	// "table" or "figure".
	Kind  string
	Heads int // entries of the chapter's outline before it
}

// Mentions lists a document's mentions in reading order.
func Mentions(doc *markup.Document) []Mention {
	var out []Mention
	heads := 0
	inlines := func(in []markup.Inline) {
		for i := range in {
			if in[i].Kind == markup.Ref {
				out = append(out, Mention{ID: in[i].ID, Alt: in[i].Target, Kind: "ref", Heads: heads})
			}
		}
	}
	var walk func(bs []*markup.Block, top bool)
	walk = func(bs []*markup.Block, top bool) {
		for _, b := range bs {
			switch b.Kind {
			case markup.Heading:
				if top {
					heads++
				}
			case markup.Container:
				if top && b.Name == "part" {
					heads++
				}
			case markup.Embed:
				out = append(out, Mention{ID: b.ID, Kind: "embed", Heads: heads})
			case markup.Image:
				if b.ID != "" {
					out = append(out, Mention{ID: b.ID, Kind: "figure", Heads: heads})
				}
			}
			inlines(b.Inlines)
			for _, r := range b.Rows {
				for i := range r {
					inlines(r[i].Inlines)
				}
			}
			if b.Kind == markup.Table && b.ID != "" && len(b.Caption) > 0 {
				out = append(out, Mention{ID: b.ID, Kind: "table", Heads: heads})
			}
			inlines(b.Caption)
			walk(b.Children, top && (b.Kind == markup.Container || b.Kind == markup.Quote || b.Kind == markup.List || b.Kind == markup.Item))
		}
	}
	walk(doc.Blocks, true)
	for _, n := range doc.Notes {
		walk(n.Blocks, false)
	}
	return out
}

// HeadMark is a heading as the count of resources sees it.
type HeadMark struct {
	Level    int // 0: a part
	Numbered bool
	Counters [6]int // behind it
}

// Numbered is a resource the book mentions, with its number.
type Numbered struct {
	ID     string
	Type   *settings.ResourceType
	Number string
	// Chapter is where it is mentioned first; Embedded tells that somewhere an
	// embed asks for it.
	Chapter  int
	Embedded bool
	// Resource is the book's record; nil for what the text itself declares.
	Resource *book.Resource
	// Dangling: the record's type does not exist.
	Dangling bool
}

// Count numbers the resources of a book. get finds a record by id.
func Count(mentions [][]Mention, heads [][]HeadMark, start [6]int, f *settings.Figures, get func(id string) *book.Resource) map[string]*Numbered {
	any := false
	for _, m := range mentions {
		any = any || len(m) > 0
	}
	if !any {
		return nil
	}
	declared := map[string]string{}
	for _, list := range mentions {
		for _, m := range list {
			if m.Kind == "table" || m.Kind == "figure" {
				if declared[m.ID] == "" {
					declared[m.ID] = m.Kind
				}
			}
		}
	}
	out := map[string]*Numbered{}
	count := map[string]int{} // by type
	counters := start
	for ci, list := range mentions {
		next := 0
		upto := func(n int) {
			for ; next < n && next < len(heads[ci]); next++ {
				h := heads[ci][next]
				if h.Level == 0 || !h.Numbered {
					continue
				}
				counters = h.Counters
				for i := range f.Types {
					if t := &f.Types[i]; t.Reset > 0 && h.Level <= t.Reset {
						count[t.ID] = 0
					}
				}
			}
		}
		for _, m := range list {
			upto(m.Heads)
			n := out[m.ID]
			if n == nil && m.Alt != "" && m.Alt != m.ID {
				n = out[m.Alt]
			}
			if n == nil {
				id, r := m.ID, get(m.ID)
				kind := declared[m.ID]
				if r == nil && kind == "" && m.Alt != "" {
					id, r, kind = m.Alt, get(m.Alt), declared[m.Alt]
				}
				if r == nil && kind == "" {
					continue // a heading, or nothing
				}
				n = &Numbered{ID: id, Resource: r, Chapter: ci}
				if r != nil {
					kind = r.TypeID
					if n.Type = f.Type(kind); n.Type == nil {
						n.Dangling = kind != ""
						kind = map[string]string{"table": "table", "video": "video"}[r.Kind]
						if kind == "" {
							kind = "figure"
						}
					}
				}
				if n.Type == nil {
					n.Type = f.Type(kind)
				}
				if n.Type == nil && len(f.Types) > 0 {
					n.Type = &f.Types[0]
				}
				if n.Type == nil {
					continue
				}
				count[n.Type.ID]++
				n.Number = resourceNumber(n.Type.Template, count[n.Type.ID], n.Type.Format, counters)
				out[id] = n
			}
			n.Embedded = n.Embedded || m.Kind == "embed"
		}
		upto(len(heads[ci]))
	}
	return out
}

// resourceNumber fills a template: {n} is the count, {h1} to {h6} the headings',
// always decimal; a token without a value vanishes with its separator.
func resourceNumber(template string, n int, format string, counters [6]int) string {
	return fillTemplate(template, func(name, _ string) (text string, has, known bool) {
		switch {
		case name == "n":
			return FormatNumber(n, format), true, true
		case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
			v := counters[name[1]-'1']
			return FormatNumber(v, "decimal"), v > 0, true
		}
		return "", false, false
	})
}

// numbered finds the resource a reference or embed names, nil when there is
// none; the flow holds while the answer stays.
func (j *job) numbered(id, alt string) *Numbered {
	n := j.in.Resources[id]
	if n == nil && alt != "" {
		n = j.in.Resources[alt]
	}
	if j.flow != nil {
		c := cited{id: id, alt: alt}
		c.sum = n.sum(j.in.Chapter)
		if n != nil {
			c.record = n.Resource
		}
		j.flow.named = append(j.flow.named, c)
	}
	return n
}

// cited is a resource a flow was built with.
type cited struct {
	id, alt string
	sum     uint64
	record  *book.Resource
}

func (n *Numbered) sum(chapter int) uint64 {
	if n == nil {
		return 0
	}
	h := newHasher()
	h.str(n.ID)
	h.str(n.Number)
	h.str(n.Type.ID)
	h.num(flag(n.Chapter == chapter) | flag(n.Embedded)<<1)
	return h.sum() | 1
}

// holds reports whether the resources a flow cites are what they were.
func (f *flow) holds(in *Input) bool {
	for i := range f.named {
		c := &f.named[i]
		n := in.Resources[c.id]
		if n == nil && c.alt != "" {
			n = in.Resources[c.alt]
		}
		if n.sum(in.Chapter) != c.sum || n != nil && n.Resource != c.record {
			return false
		}
	}
	return true
}

// label is what a reference to a resource prints; how changes the letters of its
// word.
func (n *Numbered) label(style, how string) string {
	word := n.Type.Short
	switch style {
	case "number":
		if n.Number != "" {
			return n.Number
		}
	case "full":
		word = n.Type.Name
	}
	return joined(letters(word, how), n.Type.Caption.NumberGap, n.Number)
}

func joined(label, gap, number string) string {
	if number == "" || label == "" {
		return label + number
	}
	return label + gap + number
}

// captionLabel is how a caption begins.
func (n *Numbered) captionLabel(words bool) string {
	c := &n.Type.Caption
	l := joined(n.Type.Prefix, c.NumberGap, n.Number)
	if l == "" || !words {
		return l
	}
	if n.Number == "" && strings.HasSuffix(c.Separator, " ") && strings.ContainsAny(l[len(l)-1:], ".:!?") || n.Number == "" && strings.HasSuffix(l, "…") {
		return l + " "
	}
	return l + c.Separator
}

// letters applies the case attribute of a reference.
func letters(text, how string) string {
	switch how {
	case "lower":
		return strings.ToLower(text)
	case "upper":
		return strings.ToUpper(text)
	case "capitalize":
		return title(text)
	}
	return text
}
