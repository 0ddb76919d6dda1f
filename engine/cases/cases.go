// Package cases holds the suite of small named cases: one rule of typesetting
// each, in a few lines of source, with the frame it gives (NAME.frame) and its
// picture (NAME.png) beside it. Read testdata/README.md to learn the form, and the
// cases to learn the rules.
//
// One command runs them, one flag writes them anew, and one draws the sheets that
// an eye can go over:
//
//	go test ./engine/cases
//	go test ./engine/cases -update
//	make gallery
package cases

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"postext/book"
	"postext/engine/settings"
)

// Case is a rule with a book that shows it.
type Case struct {
	Family, Name string
	Rule         string // in plain words
	Book         *book.Book
}

// pages are the pages a case may be set on, all of 20 lines of 12 points but the
// short one, which has 10.
var pages = map[string]string{
	"short":  `"layout":{"layoutType":"single"}`,
	"single": `"layout":{"layoutType":"single"}`,
	"double": `"layout":{"layoutType":"double","gutterWidth":"16pt"}`,
	"triple": `"layout":{"layoutType":"multiple","columnCount":3,"gutterWidth":"12pt"}`,
	"side":   `"layout":{"layoutType":"oneAndHalf","sideColumnRole":"floats","gutterWidth":"12pt"}`,
	"uneven": `"layout":{"layoutType":"oneAndHalf","gutterWidth":"12pt"}`,
}

const pageSettings = `{"page":{"sizePreset":"custom","width":"%dpt","height":"%dpt","margins":{"top":"20pt","bottom":"36pt","left":"20pt","right":"20pt"}},
"header":{"elements":[]},"bodyText":{"fontSize":"10pt","lineHeight":"12pt"},"headings":{"levels":[{"level":1,"fontSize":"14pt","lineHeight":"18pt","breakBefore":{"enabled":false}},{"level":2,"fontSize":"11pt"}]},%s}`

// Parse reads a case. Lines before the first blank one are its head:
//
//	# the rule in words, over as many lines as it takes
//	page: short, single, double, triple, side or uneven
//	set: path = value            a setting, as often as needed
//	resource: {…}                a resource in the manifest's form
//	figure: ID WIDTHxHEIGHT {…}  a drawing of that size in points, with its placement
//	table: ID ROWSxCOLUMNS {…}   a table of one head row and so many others
//	language: de
//
// The rest is the chapter; "=== chapter" begins another. @words N and @lines N
// alone on a line stand for a paragraph of so many words or lines.
func Parse(family, name, source string) (*Case, error) {
	head, text, ok := strings.Cut(source, "\n\n")
	if !ok {
		return nil, fmt.Errorf("%s: no text", name)
	}
	c := &Case{Family: family, Name: name, Book: &book.Book{ID: "case", Name: name, Title: "A Book of Cases", Language: "en"}}
	page := "single"
	var changes []settings.Change
	for _, line := range strings.Split(head, "\n") {
		if rule, ok := strings.CutPrefix(line, "# "); ok {
			c.Rule = strings.TrimSpace(c.Rule + " " + rule)
			continue
		}
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("%s: what is %q", name, line)
		}
		switch value = strings.TrimSpace(value); key {
		case "page":
			page = value
		case "language":
			c.Book.Language = value
		case "set":
			path, v, ok := strings.Cut(value, " = ")
			if !ok {
				return nil, fmt.Errorf("%s: set: path = value, not %q", name, value)
			}
			if !json.Valid([]byte(v)) {
				v = strconv.Quote(v)
			}
			changes = append(changes, settings.Change{Path: path, Value: json.RawMessage(v)})
		case "resource", "figure", "table":
			r, err := resource(key, value)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, key, err)
			}
			c.Book.Resources = append(c.Book.Resources, r)
		default:
			return nil, fmt.Errorf("%s: there is no %q in a head", name, key)
		}
	}
	layout, ok := pages[page]
	if !ok {
		return nil, fmt.Errorf("%s: there is no page %q", name, page)
	}
	width, height := 240, 296
	switch page {
	case "short":
		height = 176
	case "single":
	default:
		width = 300
	}
	tree, err := settings.Parse([]byte("{}"))
	if err != nil {
		return nil, err
	}
	o, err := tree.Patch(settings.Env{Language: c.Book.Language}, json.RawMessage(fmt.Sprintf(pageSettings, width, height, layout)))
	if err == nil && len(changes) > 0 {
		o, err = o.Tree.Apply(settings.Env{Language: c.Book.Language}, changes)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if c.Book, err = c.Book.WithConfig(o.Tree.Marshal()); err != nil {
		return nil, err
	}
	for i, chapter := range strings.Split(text, "=== chapter\n") {
		c.Book.Chapters = append(c.Book.Chapters, &book.Chapter{ID: fmt.Sprint("c", i), Title: fmt.Sprint("Chapter ", i+1), Markdown: filled(chapter)})
	}
	return c, nil
}

func resource(key, value string) (*book.Resource, error) {
	if key == "resource" {
		r := &book.Resource{}
		err := json.Unmarshal([]byte(value), r)
		if r.Kind == book.KindSVG && len(r.Data) == 0 {
			r.Name, r.Data = r.ID+".svg", drawing(int(r.Width), int(r.Height))
		}
		return r, err
	}
	f := strings.SplitN(value, " ", 3)
	if len(f) < 2 {
		return nil, fmt.Errorf("ID and size, not %q", value)
	}
	var a, b int
	if _, err := fmt.Sscanf(f[1], "%dx%d", &a, &b); err != nil {
		return nil, err
	}
	r := &book.Resource{ID: f[0], Kind: book.KindSVG, TypeID: key}
	if len(f) > 2 {
		if err := json.Unmarshal([]byte(f[2]), &r.Placement); err != nil {
			return nil, err
		}
	}
	if key == "figure" {
		r.Name, r.Caption, r.Data = f[0]+".svg", "What figure "+f[0]+" shows.", drawing(a, b)
		return r, nil
	}
	r.Kind, r.Caption = book.KindTable, "What table "+f[0]+" lists."
	r.Table = &book.Table{HeaderRows: 1}
	for i := range a + 1 {
		var row []book.Cell
		for k := range b {
			text := fmt.Sprintf("%c%d", 'a'+k, i)
			if i == 0 {
				text = fmt.Sprintf("Head %c", 'A'+k)
			}
			row = append(row, book.Cell{Content: text})
		}
		r.Table.Rows = append(r.Table.Rows, row)
	}
	return r, nil
}

// drawing is a landscape of a size in points.
func drawing(w, h int) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%dpt" height="%dpt" viewBox="0 0 100 100" preserveAspectRatio="none">`+
		`<rect width="100" height="100" fill="#dfe8ee"/><circle cx="72" cy="26" r="10" fill="#e8b84a"/>`+
		`<path d="M0 78L28 40L52 70L70 52L100 82V100H0z" fill="#5b7a8c"/><path d="M0 90L40 76L100 92V100H0z" fill="#2f4a58"/></svg>`, w, h)
}

// filler is what @words sets.
var filler = strings.Fields(`The keeper walked down to the landing before the light was out and counted the steps as he went,
for there had been one fewer since the autumn storms. Under the wall lay the two boats of the station, drawn up and turned over,
and between them the rope that nobody had coiled. He looked at the sea for as long as it takes to be certain of a thing, which
at that hour is long. Then he went up again, wound the clock, trimmed the lamp that would not be needed until evening, and wrote
the wind and the glass into the book with the ruled columns, as the keepers before him had done every morning of their lives.`)

func filled(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		var n int
		if _, err := fmt.Sscanf(l, "@words %d", &n); err == nil {
			words := make([]string, n)
			for k := range words {
				words[k] = filler[k%len(filler)]
			}
			lines[i] = strings.TrimRight(strings.Join(words, " "), ".,") + "."
		} else if _, err := fmt.Sscanf(l, "@lines %d", &n); err == nil {
			words := make([]string, n)
			for k := range words {
				words[k] = "line " + strconv.Itoa(k+1)
			}
			lines[i] = strings.Join(words, "\\\n")
		}
	}
	return strings.Join(lines, "\n")
}
