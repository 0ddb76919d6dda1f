package cite

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a source.
const (
	maxSource = 8 << 20
	maxWorks  = 50_000
	maxField  = 64 << 10
	maxNest   = 200
)

// bibtex is a reader of one source.
type bibtex struct {
	s       string
	pos     int
	strings map[string]string
	size    int // bytes put together by # so far
}

// ReadBibTeX reads a BibTeX or BibLaTeX source. What is damaged is passed over;
// the error tells of the first such place, and the works that could be read
// come with it.
func ReadBibTeX(src string) (works []Work, err error) {
	if len(src) > maxSource {
		return nil, fmt.Errorf("the references have %d MB; at most %d MB are read", len(src)>>20, maxSource>>20)
	}
	p := &bibtex{s: src, strings: map[string]string{}}
	for i, m := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		p.strings[m] = fmt.Sprint(i + 1)
	}
	cross := map[string]map[string]string{}
	type entry struct {
		kind, key string
		fields    map[string]string
	}
	var entries []entry
	note := func(at int, format string, args ...any) {
		if err == nil {
			err = fmt.Errorf("line %d: %s", 1+strings.Count(src[:min(at, len(src))], "\n"), fmt.Sprintf(format, args...))
		}
	}
	for len(entries) < maxWorks {
		k := strings.IndexByte(p.s[p.pos:], '@')
		if k < 0 {
			break
		}
		p.pos += k + 1
		at := p.pos
		kind := strings.ToLower(p.said())
		p.blank()
		if p.pos >= len(p.s) || p.s[p.pos] != '{' && p.s[p.pos] != '(' {
			if kind != "" {
				note(at, "@%s has no { behind it", kind)
			}
			continue
		}
		shut := byte('}')
		if p.s[p.pos] == '(' {
			shut = ')'
		}
		open := p.pos
		p.pos++
		switch kind {
		case "comment", "preamble":
			p.pos = open
			if !p.skip() {
				note(at, "@%s is never closed", kind)
				p.pos = len(p.s)
			}
			continue
		case "string":
			name := strings.ToLower(p.said())
			if v, ok := p.assigned(); ok && name != "" {
				p.strings[name] = v
			} else {
				note(at, "@string has no value")
			}
			continue
		}
		p.blank()
		from := p.pos
		for p.pos < len(p.s) && p.s[p.pos] != ',' && p.s[p.pos] != shut && p.s[p.pos] != '\n' {
			p.pos++
		}
		e := entry{kind, strings.TrimSpace(p.s[from:p.pos]), map[string]string{}}
		ok := true
		for ok {
			p.blank()
			for p.pos < len(p.s) && p.s[p.pos] == ',' {
				p.pos++
				p.blank()
			}
			if p.pos >= len(p.s) {
				note(at, "the entry %q is never closed", e.key)
				break
			}
			if p.s[p.pos] == shut {
				p.pos++
				break
			}
			name := strings.ToLower(p.said())
			v, has := "", false
			if name != "" {
				v, has = p.assigned()
			}
			if !has {
				note(p.pos, "the entry %q: a field is not written name = {value}", e.key)
				ok = false
				break
			}
			if _, twice := e.fields[name]; !twice {
				e.fields[name] = v
			}
		}
		if e.key == "" {
			note(at, "@%s has no key", kind)
			continue
		}
		entries = append(entries, e)
		if _, twice := cross[strings.ToLower(e.key)]; !twice {
			cross[strings.ToLower(e.key)] = e.fields
		}
	}
	for _, e := range entries {
		if c := cross[strings.ToLower(e.fields["crossref"])]; c != nil {
			for k, v := range c {
				if _, has := e.fields[k]; !has && k != "title" {
					e.fields[k] = v
				}
			}
			if e.fields["booktitle"] == "" {
				e.fields["booktitle"] = c["title"]
			}
		}
		works = append(works, workOf(e.kind, e.key, e.fields))
	}
	return works, err
}

func (p *bibtex) blank() {
	for p.pos < len(p.s) && (p.s[p.pos] == ' ' || p.s[p.pos] == '\n' || p.s[p.pos] == '\t' || p.s[p.pos] == '\r') {
		p.pos++
	}
}

// word reads a name of a field, kind or string.
func (p *bibtex) said() string {
	p.blank()
	from := p.pos
	for p.pos < len(p.s) && p.pos-from < 200 {
		c := p.s[p.pos]
		if c <= ' ' || strings.IndexByte(`{}()",=#%'\@`, c) >= 0 {
			break
		}
		p.pos++
	}
	return p.s[from:p.pos]
}

// assigned reads = value # value ….
func (p *bibtex) assigned() (string, bool) {
	p.blank()
	if p.pos >= len(p.s) || p.s[p.pos] != '=' {
		return "", false
	}
	p.pos++
	var b strings.Builder
	for {
		p.blank()
		if p.pos >= len(p.s) {
			return "", false
		}
		switch c := p.s[p.pos]; c {
		case '{':
			from := p.pos
			if !p.skip() {
				return "", false
			}
			b.WriteString(p.s[from+1 : p.pos-1])
		case '"':
			from := p.pos + 1
			depth := 0
			for p.pos++; p.pos < len(p.s); p.pos++ {
				c := p.s[p.pos]
				if c == '\\' {
					p.pos++
				} else if c == '{' {
					depth++
				} else if c == '}' {
					depth--
				} else if c == '"' && depth <= 0 {
					break
				}
			}
			if p.pos >= len(p.s) {
				return "", false
			}
			b.WriteString(p.s[from:p.pos])
			p.pos++
		default:
			w := p.said()
			if w == "" {
				return "", false
			}
			if v, ok := p.strings[strings.ToLower(w)]; ok {
				w = v
			}
			b.WriteString(w)
		}
		p.size += b.Len()
		if b.Len() > maxField || p.size > 4*maxSource {
			return cutAt(b.String(), maxField), true
		}
		p.blank()
		if p.pos >= len(p.s) || p.s[p.pos] != '#' {
			return b.String(), true
		}
		p.pos++
	}
}

func cutAt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// skip passes a balanced group in braces or parentheses.
func (p *bibtex) skip() bool {
	open := p.s[p.pos]
	shut := byte('}')
	if open == '(' {
		shut = ')'
	}
	depth := 0
	for ; p.pos < len(p.s); p.pos++ {
		switch c := p.s[p.pos]; c {
		case '\\':
			p.pos++
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				p.pos++
				return true
			}
		}
	}
	p.pos = len(p.s)
	return false
}

// kinds of BibTeX as types of CSL.
var kinds = map[string]string{
	"article": "article-journal", "book": "book", "mvbook": "book", "booklet": "pamphlet", "inbook": "chapter", "incollection": "chapter",
	"inproceedings": "paper-conference", "conference": "paper-conference", "proceedings": "book", "collection": "book", "manual": "book",
	"phdthesis": "thesis", "mastersthesis": "thesis", "thesis": "thesis", "techreport": "report", "report": "report", "online": "webpage",
	"electronic": "webpage", "www": "webpage", "unpublished": "manuscript", "patent": "patent", "software": "software", "dataset": "dataset",
	"misc": "document", "reference": "book", "inreference": "entry-encyclopedia",
}

// sameFields are variables of CSL and the fields of BibTeX that are no more than
// called otherwise.
const sameFields = "title-short=shorttitle container-title-short=shortjournal collection-title=series volume=volume ISBN=isbn ISSN=issn note=note " +
	"annote=annote version=version chapter-number=chapter event-title=eventtitle number-of-pages=pagetotal number-of-volumes=volumes"

// workOf makes a work of an entry's fields.
func workOf(kind, key string, f map[string]string) Work {
	get := func(names ...string) string {
		for _, n := range names {
			if v := f[n]; v != "" {
				return texText(v)
			}
		}
		return ""
	}
	w := Work{ID: key, Type: kinds[kind]}
	if w.Type == "" {
		w.Type = "document"
	}
	title := get("title")
	if t := get("subtitle"); t != "" {
		title += ": " + t
	}
	url, publisher, container := urlOf(f["url"], get("url")), get("publisher", "institution", "school", "organization", "howpublished"), ""
	switch w.Type {
	case "article-journal":
		container = get("journaltitle", "journal")
		w.put("issue", get("issue", "number"))
	case "chapter", "paper-conference", "entry-encyclopedia":
		container = get("booktitle", "maintitle")
	case "webpage":
		container = get("organization", "maintitle", "journal")
	}
	genre := get("type")
	if kind == "mastersthesis" && genre == "" {
		genre = "Master’s thesis"
	}
	if strings.HasPrefix(strings.ToLower(publisher), "http") || strings.HasPrefix(f["howpublished"], `\url`) {
		if url == "" {
			url = urlOf(f["howpublished"], publisher)
		}
		publisher = ""
	}
	doi := doiOf(get("doi"))
	if e := get("eprint"); e != "" && doi == "" && url == "" && strings.EqualFold(f["archiveprefix"]+f["eprinttype"], "arxiv") {
		url = "https://arxiv.org/abs/" + e
		if container == "" && publisher == "" {
			publisher = "arXiv"
		}
	}
	number := get("number")
	if w.Type == "article-journal" {
		number = ""
	}
	w.put("title", title)
	w.put("container-title", container)
	w.put("page", pageRange(get("pages")))
	w.put("edition", strings.TrimSuffix(get("edition"), "."))
	w.put("publisher", publisher)
	w.put("publisher-place", get("location", "address"))
	w.put("number", number)
	w.put("genre", genre)
	w.put("language", get("langid", "language"))
	w.put("DOI", doi)
	w.put("URL", url)
	for pair := range strings.FieldsSeq(sameFields) {
		name, from, _ := strings.Cut(pair, "=")
		w.put(name, get(from))
	}
	for pair := range strings.FieldsSeq("author=author editor=editor translator=translator container-author=bookauthor recipient=holder") {
		name, from, _ := strings.Cut(pair, "=")
		w.putNames(name, namesOf(f[from]))
	}
	issued := dateOf(get("date"))
	if issued.Year == 0 && f["year"] != "" {
		issued = dateOf(get("year"))
		issued.Month = monthOf(get("month"))
	}
	w.putDate("issued", issued)
	w.putDate("accessed", dateOf(get("urldate")))
	w.putDate("original-date", dateOf(get("origdate")))
	w.putDate("event-date", dateOf(get("eventdate")))
	return w
}

// urlOf takes an address without reading TeX into it.
func urlOf(raw, read string) string {
	raw = strings.TrimSpace(raw)
	raw = strings.TrimSuffix(strings.TrimPrefix(raw, `\url{`), "}")
	raw = strings.NewReplacer(`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\~{}`, "~", `{`, "", `}`, "").Replace(raw)
	if strings.HasPrefix(raw, "http://") || strings.HasPrefix(raw, "https://") {
		return raw
	}
	return read
}

// doiOf strips what addresses put before a DOI.
func doiOf(s string) string {
	s = strings.TrimSpace(s)
	for _, p := range []string{"https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:", "DOI:", "doi.org/"} {
		s = strings.TrimPrefix(s, p)
	}
	return strings.TrimSpace(s)
}

// pageRange writes ranges with an en dash.
func pageRange(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "--", "–"), "—", "–")
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '-' && isFigure(s[i-1]) && (isFigure(s[i+1]) || s[i+1] == ' ') {
			s = s[:i] + "–" + s[i+1:]
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, " –", "–"), "– ", "–")
}

func isFigure(c byte) bool { return c >= '0' && c <= '9' }

// dateOf reads 2020, 2020-03, 2020-03-04, and two of them with / between.
func dateOf(s string) Date {
	s = strings.TrimSpace(s)
	if s == "" {
		return Date{}
	}
	from, to, ranged := strings.Cut(s, "/")
	d := oneDate(from)
	if d.Year == 0 {
		return Date{Literal: s}
	}
	if ranged {
		e := oneDate(to)
		d.EndYear, d.EndMonth, d.EndDay = e.Year, e.Month, e.Day
	}
	return d
}

func oneDate(s string) (d Date) {
	first, _, _ := strings.Cut(strings.TrimRight(strings.TrimSpace(s), "?%"), "T")
	first, d.Circa = strings.CutSuffix(first, "~")
	n, parts := 0, 0
	var v [3]int
	digits := 0
	for i := 0; i <= len(first) && parts < 3; i++ {
		if i < len(first) && isFigure(first[i]) && digits < 5 {
			n = n*10 + int(first[i]-'0')
			digits++
			continue
		}
		if i < len(first) && first[i] != '-' || digits == 0 {
			return Date{}
		}
		v[parts] = n
		parts++
		n, digits = 0, 0
	}
	d.Year, d.Month, d.Day = v[0], v[1], v[2]
	return d.sound()
}

// sound drops what no calendar has; the months 13 to 24 of CSL and EDTF are
// seasons.
func (d Date) sound() Date {
	season := func(month int) int {
		switch {
		case month >= 13 && month <= 16:
			return month - 12
		case month >= 21 && month <= 24:
			return month - 20
		}
		return 0
	}
	if d.Month < 0 || d.Month > 12 {
		d.Season, d.Month, d.Day = season(d.Month), 0, 0
	}
	if d.EndMonth < 0 || d.EndMonth > 12 {
		d.EndMonth, d.EndDay = 0, 0
	}
	d.Day, d.EndDay = max(min(d.Day, 31), 0), max(min(d.EndDay, 31), 0)
	return d
}

func monthOf(s string) int {
	s = strings.ToLower(strings.Trim(s, " ."))
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			n = 0
			break
		}
		n = min(n*10+int(c-'0'), 99)
	}
	if n >= 1 && n <= 12 {
		return n
	}
	for i, m := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		if strings.HasPrefix(s, m) {
			return i + 1
		}
	}
	return 0
}

// namesOf reads a list of names (The BibTeX manual, section 4: First von Last;
// von Last, First; von Last, Jr, First). A name wholly in braces is a body.
func namesOf(s string) (out []Name) {
	for _, one := range splitAnd(s) {
		one = strings.TrimSpace(one)
		if one == "" || len(out) >= 2000 {
			continue
		}
		if strings.EqualFold(one, "others") {
			out = append(out, Name{Literal: "others"})
			continue
		}
		if one[0] == '{' && matching(one) == len(one)-1 {
			out = append(out, Name{Literal: texText(one[1 : len(one)-1])})
			continue
		}
		parts := splitTop(one, ',')
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		var n Name
		switch len(parts) {
		case 1:
			words := splitTop(parts[0], ' ')
			von, last := -1, len(words)-1
			for i, w := range words {
				if i < last && lower(w) {
					if von < 0 {
						von = i
					}
				}
			}
			if von >= 0 {
				for last > von && !lower(words[last-1]) {
					last--
				}
				n.Given, n.Particle = texText(strings.Join(words[:von], " ")), texText(strings.Join(words[von:last], " "))
			} else {
				n.Given = texText(strings.Join(words[:max(last, 0)], " "))
			}
			n.Family = texText(strings.Join(words[max(last, 0):], " "))
		default:
			words := splitTop(parts[0], ' ')
			k := 0
			for k < len(words)-1 && lower(words[k]) {
				k++
			}
			n.Particle, n.Family = texText(strings.Join(words[:k], " ")), texText(strings.Join(words[k:], " "))
			n.Given = texText(parts[len(parts)-1])
			if len(parts) > 2 {
				n.Suffix = texText(parts[1])
			}
		}
		out = append(out, n)
	}
	return out
}

// lower reports whether a word begins with a small letter outside braces.
func lower(w string) bool {
	for _, r := range w {
		if r == '{' || r == '\\' {
			return false
		}
		if unicode.IsLetter(r) {
			return unicode.IsLower(r)
		}
	}
	return false
}

// matching is the index of the brace that closes the one s begins with.
func matching(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits at a byte outside braces; empty words of spaces go.
func splitTop(s string, at byte) (out []string) {
	depth, from := 0, 0
	add := func(p string) {
		if at != ' ' || strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if at == ' ' && (c == '\n' || c == '\t' || c == '~') {
			c = ' '
		}
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == at && depth <= 0:
			add(s[from:i])
			from = i + 1
		}
	}
	add(s[from:])
	return out
}

// splitAnd splits a list of names at the word and outside braces.
func splitAnd(s string) (out []string) {
	words := splitTop(s, ' ')
	from := 0
	for i, w := range words {
		if strings.EqualFold(strings.TrimSpace(w), "and") {
			out = append(out, strings.Join(words[from:i], " "))
			from = i + 1
		}
	}
	return append(out, strings.Join(words[from:], " "))
}
