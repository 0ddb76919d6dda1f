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
		kind := strings.ToLower(p.word())
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
			name := strings.ToLower(p.word())
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
			name := strings.ToLower(p.word())
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
func (p *bibtex) word() string {
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
			w := p.word()
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
	w := Work{ID: key, Type: kinds[kind], Title: get("title"), Volume: get("volume"), Page: pageRange(get("pages")),
		Edition: strings.TrimSuffix(get("edition"), "."), Publisher: get("publisher", "institution", "school", "organization", "howpublished"),
		Place: get("location", "address"), Number: get("number"), Genre: get("type"), Language: get("langid", "language"), DOI: doiOf(get("doi")), URL: urlOf(f["url"], get("url"))}
	if w.Type == "" {
		w.Type = "document"
	}
	if t := get("subtitle"); t != "" {
		w.Title += ": " + t
	}
	switch w.Type {
	case "article-journal":
		w.Container, w.Issue = get("journaltitle", "journal"), get("issue", "number")
	case "chapter", "paper-conference", "entry-encyclopedia":
		w.Container = get("booktitle", "maintitle")
	case "webpage":
		w.Container = get("organization", "maintitle", "journal")
	case "thesis":
		if kind == "mastersthesis" && w.Genre == "" {
			w.Genre = "Master’s thesis"
		}
	}
	if strings.HasPrefix(strings.ToLower(w.Publisher), "http") || strings.HasPrefix(f["howpublished"], `\url`) {
		if w.URL == "" {
			w.URL = urlOf(f["howpublished"], w.Publisher)
		}
		w.Publisher = ""
	}
	if e := get("eprint"); e != "" && w.DOI == "" && w.URL == "" && strings.EqualFold(f["archiveprefix"]+f["eprinttype"], "arxiv") {
		w.URL = "https://arxiv.org/abs/" + e
		if w.Container == "" && w.Publisher == "" {
			w.Publisher = "arXiv"
		}
	}
	w.Collection = get("series")
	w.Authors, w.Editors, w.Translators = namesOf(f["author"]), namesOf(f["editor"]), namesOf(f["translator"])
	w.Issued = dateOf(get("date"))
	if w.Issued.Year == 0 {
		w.Issued = dateOf(get("year"))
		w.Issued.Month = monthOf(get("month"))
	}
	w.Accessed = dateOf(get("urldate"))
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

// dateOf reads 2020, 2020-03, 2020-03-04, and takes the first of a range.
func dateOf(s string) (d Date) {
	s = strings.TrimSpace(s)
	first, _, _ := strings.Cut(s, "/")
	first, _, _ = strings.Cut(strings.TrimRight(first, "~?%"), "T")
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
			return Date{Literal: s}
		}
		v[parts] = n
		parts++
		n, digits = 0, 0
	}
	if v[0] == 0 {
		return Date{Literal: s}
	}
	if v[1] > 12 {
		v[1], v[2] = 0, 0
	}
	return Date{Year: v[0], Month: v[1], Day: min(v[2], 31)}
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
