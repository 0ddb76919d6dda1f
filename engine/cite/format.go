package cite

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func sortBy[T any](list []T, less func(a, b T) bool) {
	sort.SliceStable(list, func(i, j int) bool { return less(list[i], list[j]) })
}

// Entry is one work of a list.
type Entry struct {
	Key   string
	Label string // of numbered styles
	Spans []Span
}

// List gives the entries of the keys given, which may repeat, in the order of
// the style. Keys of no work are left out.
func (s *Set) List(keys []string) []Entry {
	seen := map[string]bool{}
	var unique []string
	for _, k := range keys {
		if s.works[k] != nil && !seen[k] {
			seen[k] = true
			unique = append(unique, k)
		}
	}
	if s.style.numbered {
		sortBy(unique, func(a, b string) bool {
			x, y := s.number[a], s.number[b]
			if (x == 0) != (y == 0) {
				return y == 0 // works never cited come last
			}
			if x == 0 {
				return a < b
			}
			return x < y
		})
	} else {
		unique = s.sorted(unique)
		if s.o.ByLanguage {
			s.byLanguage(unique)
		}
	}
	out := make([]Entry, 0, len(unique))
	for _, k := range unique {
		e := Entry{Key: k, Spans: s.entry(s.works[k])}
		if n := s.number[k]; s.style.numbered && n > 0 {
			e.Label = strings.ReplaceAll(s.style.label, "{n}", strconv.Itoa(n))
			switch s.o.Marker {
			case "brackets":
				e.Label = "[" + strconv.Itoa(n) + "]"
			case "parentheses":
				e.Label = "(" + strconv.Itoa(n) + ")"
			}
		}
		out = append(out, e)
	}
	return out
}

// languageNames are the names BibTeX files give to languages (langid, those of the
// babel package), in the place of tags.
var languageNames = map[string]string{
	"english": "en", "american": "en", "usenglish": "en", "british": "en", "ukenglish": "en", "canadian": "en", "australian": "en",
	"french": "fr", "acadian": "fr", "german": "de", "ngerman": "de", "austrian": "de", "naustrian": "de", "spanish": "es", "italian": "it",
	"portuguese": "pt", "brazilian": "pt", "catalan": "ca", "dutch": "nl", "latin": "la", "greek": "el", "russian": "ru", "polish": "pl",
	"czech": "cs", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "chinese": "zh", "japanese": "ja", "korean": "ko",
	"arabic": "ar", "hebrew": "he", "turkish": "tr",
}

// byLanguage brings the works of a language together: first the document's own,
// which works that name none count to, then the others by their tags. Inside a
// language the order stays.
func (s *Set) byLanguage(keys []string) {
	of := func(tag string) string {
		base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tag)), "_", "-"), "-")
		if t := languageNames[base]; t != "" {
			return t
		}
		return base
	}
	own := of(s.o.Locale)
	slices.SortStableFunc(keys, func(a, b string) int {
		x, y := of(s.works[a].Language), of(s.works[b].Language)
		if x == own {
			x = ""
		}
		if y == own {
			y = ""
		}
		return strings.Compare(x, y)
	})
}

// All lists the keys of every work, in no order that matters.
func (s *Set) All() []string {
	out := make([]string, 0, len(s.works))
	for k := range s.works {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Cited lists the keys cited, in order of their first citation.
func (s *Set) Cited() []string { return s.order }

// given writes a given name in a form.
func given(name, form string) string {
	if form == "full" {
		return name
	}
	var b strings.Builder
	start, hyphen := true, false
	for i, r := range name {
		switch {
		case r == ' ' || r == '.' || r == '\u00a0':
			start = true
		case r == '-' || r == '‐':
			start, hyphen = true, true
		case start && unicode.IsLetter(r):
			if form == "bare" {
				b.WriteRune(unicode.ToUpper(r))
			} else {
				if b.Len() > 0 {
					switch {
					case hyphen:
						b.WriteByte('-')
					case form == "spaced":
						b.WriteString("\u00a0")
					}
				}
				b.WriteRune(unicode.ToUpper(r))
				b.WriteByte('.')
			}
			start, hyphen = false, false
		}
		_ = i
	}
	return b.String()
}

// one writes a name of a list.
func (f *nameForm) one(n *Name, inverted bool) string {
	if n.Literal != "" {
		return n.Literal
	}
	g := given(n.Given, f.given)
	family := n.last()
	if g == "" || n.Family == "" {
		return family
	}
	suffix := n.Suffix
	if inverted {
		if suffix != "" {
			suffix = ", " + suffix
		}
		return family + f.comma + g + suffix
	}
	if suffix != "" {
		suffix = " " + suffix
	}
	return g + "\u00a0" + family + suffix
}

// list writes names for the list of works.
func (s *Set) list(names []Name, f *nameForm, invert int) string {
	others := false
	var all []string
	for i := range names {
		if names[i].others() {
			others = true
			continue
		}
		all = append(all, f.one(&names[i], invert < 0 || len(all) < invert))
	}
	word := func(t string) string { return strings.ReplaceAll(t, "{and}", s.words.and) }
	pair := f.pair
	if invert == 0 { // the comma parts inverted names
		pair = strings.TrimPrefix(pair, ",")
	}
	n := len(all)
	switch {
	case n == 0:
		return ""
	case others || n > f.most:
		k := n
		if n > f.most {
			k = min(f.use, n)
		}
		if f.ellipsis && n > f.most {
			return strings.Join(all[:k], f.between) + ", … " + all[n-1]
		}
		gap := f.between
		if k == 1 && invert == 0 || k == 1 && f.given != "bare" && f.most <= 5 && f.inverted != 1 && f.comma != "" {
			gap = " "
		}
		return strings.Join(all[:k], f.between) + gap + s.words.etAl
	case n == 1:
		return all[0]
	case n == 2:
		return all[0] + word(pair) + all[1]
	}
	return strings.Join(all[:n-1], f.between) + word(f.last) + all[n-1]
}

// short is how a work's authors are named in the text.
func (s *Set) short(w *Work) string { return s.shortAs(w, false) }

func (s *Set) shortAs(w *Work, narrative bool) string {
	names := w.Authors
	if len(names) == 0 {
		names = w.Editors
	}
	var last []string
	others := false
	for i := range names {
		if names[i].others() {
			others = true
		} else {
			last = append(last, names[i].last())
		}
	}
	and := s.style.and
	if and == "" || narrative {
		and = s.words.and
	}
	switch n := len(last); {
	case n == 0:
		return s.shortTitle(w)
	case others || n >= s.style.most && n > 2:
		return last[0] + " " + s.words.etAl
	case n == 1:
		return last[0]
	case n == 2:
		return last[0] + " " + and + " " + last[1]
	default:
		return strings.Join(last[:n-1], ", ") + ", " + and + " " + last[n-1]
	}
}

// shortTitle stands for the authors of a work without any.
func (s *Set) shortTitle(w *Work) string {
	t, _, _ := strings.Cut(w.Title, ":")
	if t == "" {
		return w.ID
	}
	switch classOf(w) {
	case article, chapter, web:
		return s.words.open + t + s.words.shut
	}
	return t
}

// writer gathers the spans of an entry.
type writer struct {
	spans        []Span
	italic, bold bool
	last         rune // written last, closing quotes left out
}

// back takes the space written last away.
func (o *writer) back() {
	k := len(o.spans) - 1
	o.spans[k].Text = strings.TrimRight(o.spans[k].Text, " ")
	o.last = 0
	for i := k; i >= 0 && o.last == 0; i-- {
		for _, r := range o.spans[i].Text {
			if r != '”' && r != '’' && r != '»' {
				o.last = r
			}
		}
	}
}

func (o *writer) add(text, link string) {
	if text == "" {
		return
	}
	first, n := utf8.DecodeRuneInString(text)
	if (first == '.' || first == ',') && o.last == ' ' { // what stood between is empty
		o.back()
	}
	if first == '.' && (o.last == '.' || o.last == '?' || o.last == '!' || o.last == '…') || first == ',' && o.last == ',' {
		if text = text[n:]; text == "" {
			return
		}
	}
	if first == ' ' && (o.last == ' ' || o.last == 0) {
		if text = text[n:]; text == "" {
			return
		}
	}
	if k := len(o.spans) - 1; k >= 0 && link == "" && o.spans[k].Link == "" && o.spans[k].Italic == o.italic && o.spans[k].Bold == o.bold {
		o.spans[k].Text += text
	} else {
		o.spans = append(o.spans, Span{Text: text, Italic: o.italic, Bold: o.bold, Link: link})
	}
	for _, r := range text {
		if r != '”' && r != '’' && r != '»' {
			o.last = r
		}
	}
}

// entry prints a work for the list.
func (s *Set) entry(w *Work) []Span {
	var o writer
	f := s.fields(w)
	s.fill(&o, s.style.forms[classOf(w)], f, 0)
	out := o.spans
	if n := len(out); n > 0 {
		out[n-1].Text = strings.TrimRight(out[n-1].Text, " ")
	}
	return out
}

// field is what a template's {x} prints; link makes it an address.
type field struct{ text, link string }

// fill writes a template. It reports whether a field at its own level was empty.
func (s *Set) fill(o *writer, t string, f func(string) field, depth int) (missing bool) {
	for i := 0; i < len(t); {
		switch c := t[i]; {
		case c == '{':
			n := strings.IndexByte(t[i:], '}')
			v := f(t[i+1 : i+n])
			if v.text == "" {
				missing = true
			}
			o.add(v.text, v.link)
			i += n + 1
		case c == '[':
			n := matchingBracket(t[i:])
			inner := t[i+1 : i+n]
			saved := *o
			saved.spans = append([]Span(nil), o.spans...)
			if s.fill(o, inner, f, depth+1) {
				*o = saved
			}
			i += n + 1
		case c == '*':
			o.italic = !o.italic
			i++
		case c == '_':
			o.bold = !o.bold
			i++
		case strings.HasPrefix(t[i:], "⟦"):
			o.add("[", "")
			i += len("⟦")
		case strings.HasPrefix(t[i:], "⟧"):
			o.add("]", "")
			i += len("⟧")
		case strings.HasPrefix(t[i:], "«"):
			o.add(s.words.open, "")
			i += len("«")
		case strings.HasPrefix(t[i:], "»"):
			o.add(s.words.shut, "")
			i += len("»")
		default:
			n := strings.IndexAny(t[i:], "{[*_«»⟦⟧")
			if n <= 0 {
				n = len(t) - i
			}
			o.add(t[i:i+n], "")
			i += n
		}
	}
	return missing
}

func matchingBracket(t string) int {
	depth := 0
	for i := range len(t) {
		switch t[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(t) - 1
}

// fields gives the values a template may ask for.
func (s *Set) fields(w *Work) func(string) field {
	l := s.words
	names, title := w.Authors, w.Title
	byEditors := len(names) == 0 && len(w.Editors) > 0
	if byEditors {
		names = w.Editors
	}
	authors := s.list(names, &s.style.names, s.style.names.inverted)
	if byEditors {
		authors += " (" + s.ed(w) + ")"
	}
	if authors == "" {
		authors, title = title, ""
	}
	one := func(t string) field { return field{text: t} }
	date := func(monthFirst bool) string {
		d := w.Issued
		switch {
		case d.Month == 0:
			return s.year(w)
		case d.Day == 0 || !monthFirst:
			return l.month(d.Month, false) + " " + s.year(w)
		}
		return l.month(d.Month, false) + " " + strconv.Itoa(d.Day) + ", " + s.year(w)
	}
	day := func(d Date) string {
		if d.Year == 0 {
			return ""
		}
		t := strconv.Itoa(d.Year)
		if d.Month > 0 {
			t = l.month(d.Month, false) + " " + t
			if d.Day > 0 {
				t = strconv.Itoa(d.Day) + " " + t
			}
		}
		return t
	}
	return func(name string) field {
		switch name {
		case "authors":
			return one(authors)
		case "title":
			return one(title)
		case "year":
			return one(s.year(w) + s.letter[w.ID])
		case "yearmonth":
			if w.Type == "article-newspaper" || w.Type == "article-magazine" {
				if w.Issued.Month > 0 {
					return one(s.year(w) + s.letter[w.ID] + ", " + strings.TrimSpace(l.month(w.Issued.Month, false)+dayOf(w.Issued)))
				}
			}
			return one(s.year(w) + s.letter[w.ID])
		case "fulldate":
			if w.Issued.Month > 0 {
				return one(s.year(w) + s.letter[w.ID] + ", " + l.month(w.Issued.Month, false) + dayOf(w.Issued))
			}
			return one(s.year(w) + s.letter[w.ID])
		case "monthyear":
			if w.Issued.Month > 0 {
				return one(l.month(w.Issued.Month, true) + " " + s.year(w))
			}
			return one(s.year(w))
		case "daymonth":
			if w.Issued.Month > 0 {
				return one(strings.TrimSpace(l.month(w.Issued.Month, false) + dayOf(w.Issued)))
			}
		case "datemla":
			return one(day(w.Issued))
		case "date":
			return one(date(true))
		case "container":
			return one(w.Container)
		case "volume":
			return one(w.Volume)
		case "volword":
			return one(l.volume)
		case "numberword":
			return one(l.number)
		case "issue":
			return one(w.Issue)
		case "number":
			return one(w.Number)
		case "pages":
			return one(w.Page)
		case "pagesof":
			if w.Page == "" {
				return field{}
			}
			return one(s.pageWord(w.Page) + "\u00a0" + w.Page)
		case "edition":
			if w.Edition == "" || w.Edition == "1" {
				return field{}
			}
			if _, err := strconv.Atoi(w.Edition); err == nil {
				word := l.edition
				if s.style.ids[0] == "harvard-cite-them-right" && l == languages["en"] {
					word = "edn"
				}
				return one(l.ordinal(w.Edition) + " " + word)
			}
			return one(w.Edition)
		case "publisher":
			return one(w.Publisher)
		case "publisheralone":
			if w.Place == "" {
				return one(w.Publisher)
			}
		case "place":
			return one(w.Place)
		case "publisherplace":
			t := w.Publisher
			if w.Place != "" {
				t = strings.TrimPrefix(t+", "+w.Place, ", ")
			}
			if t != "" {
				t += ", "
			}
			if t == "" {
				return one("\u200b") // nothing, and no reason to drop the group
			}
			return one(t)
		case "genre":
			switch {
			case w.Genre != "":
				return one(w.Genre)
			case w.Type == "thesis":
				return one(l.thesis)
			}
		case "kind":
			switch w.Type {
			case "software":
				return one("Computer software")
			case "dataset":
				return one("Data set")
			}
		case "editorsfirst":
			if !byEditors {
				e := s.style.names
				e.inverted = 0
				e.ellipsis = false
				inv := 0
				if e.given == "bare" || s.style.ids[0] == "nature" || s.style.ids[0] == "harvard-cite-them-right" {
					inv = -1
				}
				return one(s.list(w.Editors, &e, inv))
			}
		case "ed":
			return one(s.ed(w))
		case "edshort":
			if len(w.Editors) > 0 {
				return one(strings.ToLower(s.ed(w)))
			}
		case "editedby":
			if len(w.Editors) > 0 && !byEditors {
				e := s.style.names
				return one(l.editedBy + " " + s.list(w.Editors, &e, 0))
			}
		case "Translated":
			if len(w.Translators) > 0 {
				e := s.style.names
				return one(capital(l.translatedBy) + " " + s.list(w.Translators, &e, 0))
			}
		case "In":
			return one(l.in)
		case "in":
			return one(strings.ToLower(l.in))
		case "available":
			return one(l.availableAt)
		case "accessed", "Accessed":
			if d := day(w.Accessed); d != "" {
				word := l.accessed
				if name == "accessed" {
					word += ":"
				}
				return one(word + " " + d)
			}
		case "doi":
			if s.o.DOI != "hide" && w.DOI != "" {
				return s.linked(w.DOI, "https://doi.org/"+w.DOI)
			}
		case "url":
			if w.DOI == "" && w.URL != "" {
				return s.linked(w.URL, w.URL)
			}
		case "link":
			if w.DOI != "" {
				if s.o.DOI == "hide" {
					return field{}
				}
				return s.linked("https://doi.org/"+w.DOI, "https://doi.org/"+w.DOI)
			}
			if w.URL != "" {
				return s.linked(w.URL, w.URL)
			}
		}
		return field{}
	}
}

// linked is an address, a link unless the setting says text.
func (s *Set) linked(text, to string) field {
	if s.o.DOI == "text" || !strings.HasPrefix(to, "http") {
		return field{text: text}
	}
	return field{text, to}
}

func dayOf(d Date) string {
	if d.Day == 0 {
		return ""
	}
	return " " + strconv.Itoa(d.Day)
}

func (s *Set) ed(w *Work) string {
	if len(w.Editors) > 1 {
		return s.words.editors
	}
	return s.words.editor
}

func capital(t string) string {
	r, n := utf8.DecodeRuneInString(t)
	return string(unicode.ToUpper(r)) + t[n:]
}

// pageWord is p. or pp., by the pages.
func (s *Set) pageWord(pages string) string {
	if strings.ContainsAny(pages, "–,&-") {
		return s.words.pages
	}
	return s.words.page
}
