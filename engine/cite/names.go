package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameForm is how the names of a list are written: the options of cs:name with
// what they inherit.
type nameForm struct {
	form, and, delimiter     string
	beforeLast, beforeEtAl   string // delimiter-precedes-…
	min, use                 int
	useLast                  bool
	initialize               bool
	initials                 string // initialize-with
	hasInitials              bool
	order, separator         string // name-as-sort-order, sort-separator
	family, given            *element
	demote                   string
	hyphen                   bool
	etAl                     *element
	subsequentMin, subseqUse int
}

func (p *printer) formOf(names *element) nameForm {
	own := names.kid("name")
	get := func(name, inherited string) string { return p.st.option(own, p.part, name, inherited) }
	or := func(v, otherwise string) string {
		if v == "" {
			return otherwise
		}
		return v
	}
	f := nameForm{form: or(get("form", "name-form"), "long"), and: get("and", ""), beforeLast: or(get("delimiter-precedes-last", ""), "contextual"),
		beforeEtAl: or(get("delimiter-precedes-et-al", ""), "contextual"), min: number(get("et-al-min", "")), use: number(get("et-al-use-first", "")),
		useLast: get("et-al-use-last", "") == "true", initialize: get("initialize", "") != "false", initials: get("initialize-with", ""),
		order: get("name-as-sort-order", ""), demote: or(p.st.root.get("demote-non-dropping-particle"), "display-and-sort"),
		hyphen: p.st.root.get("initialize-with-hyphen") != "false", etAl: names.kid("et-al"),
		subsequentMin: number(get("et-al-subsequent-min", "")), subseqUse: number(get("et-al-subsequent-use-first", ""))}
	f.hasInitials = own.has("initialize-with") || p.part.has("initialize-with") || p.st.root.has("initialize-with")
	f.delimiter, f.separator = ", ", ", "
	if own.has("delimiter") || p.part.has("name-delimiter") || p.st.root.has("name-delimiter") {
		f.delimiter = get("delimiter", "name-delimiter")
	}
	if own.has("sort-separator") || p.part.has("sort-separator") || p.st.root.has("sort-separator") {
		f.separator = get("sort-separator", "")
	}
	for _, part := range own.all("name-part") {
		switch part.get("name") {
		case "family":
			f.family = part
		case "given":
			f.given = part
		}
	}
	if p.it != nil && p.role == inText && p.it.Place.Position != First && f.subsequentMin > 0 {
		f.min = f.subsequentMin
		if f.subseqUse > 0 {
			f.use = f.subseqUse
		}
	}
	return f
}

// namesOf prints the names of one variable or several, or what stands in for
// them.
func (p *printer) namesOf(e *element) piece {
	own := e
	if len(e.kids) == 0 && p.substituting != nil {
		own = p.substituting // the short form takes the look of what it stands for
	}
	if p.author == withoutAuthor && !p.met && p.role == inText {
		// The author stands in the text: what is printed here is silenced, and
		// so it is again in the rest.
		p.met = true
		p.author = whole
		saved := p.silent
		shown := p.namesOf(e)
		p.author = withoutAuthor
		for v := range p.silent {
			if p.silent[v] && !saved[v] {
				p.silence(v)
			}
		}
		return piece{called: shown.called}
	}
	variables := strings.Fields(e.get("variable"))
	var parts []rich
	filled := false
	variables = p.merged(variables)
	for _, v := range variables {
		of := v
		if v == "editortranslator" {
			of = "editor"
		}
		if p.silent[of] {
			continue
		}
		list := p.w.Names[of]
		if len(list) == 0 {
			continue
		}
		f := p.formOf(own)
		if p.role == forSort {
			f.order = "all"
		}
		r := p.list(list, &f)
		if r.empty() {
			continue
		}
		filled = true
		if l := own.kid("label"); l != nil && f.form != "count" && p.role != forSort {
			word := p.t.term(v, l.get("form"), plural(l, len(list) > 1))
			lab := p.finish(l, said(word))
			if labelFirst(own) {
				r = p.add(lab, r)
			} else {
				r = p.add(r, lab)
			}
		}
		parts = append(parts, r)
	}
	if filled {
		d := own.get("delimiter")
		if !own.has("delimiter") {
			d = p.st.option(nil, p.part, "names-delimiter", "")
		}
		r := p.finish(e, p.join(parts, d))
		p.met = true
		return piece{rich: r, called: true, filled: true}
	}
	sub := own.kid("substitute")
	if sub == nil || own != e {
		return piece{called: true}
	}
	before := p.substituting
	p.substituting = e
	defer func() { p.substituting = before }()
	for _, k := range sub.kids {
		met := p.met
		one := p.element(k)
		if one.rich.empty() {
			p.met = met
			continue
		}
		p.met = true
		for _, v := range p.variablesIn(k) {
			p.silence(v)
		}
		if p.replaced != nil && len(p.firsts) == 0 {
			p.firsts = []string{one.rich.plain()}
			if p.replaced.rule != "partial-each" && len(p.replaced.in([]rich{one.rich}, p.firsts)) == 0 {
				one.rich = said(p.replaced.by)
			}
		}
		one.rich = p.affixed(e, one.rich)
		return piece{rich: one.rich, called: true, filled: true}
	}
	return piece{called: true}
}

func (p *printer) silence(v string) {
	m := map[string]bool{v: true}
	for k := range p.silent {
		m[k] = true
	}
	p.silent = m
}

// variablesIn lists the variables an element prints, by macros too, that are
// there.
func (p *printer) variablesIn(e *element) (out []string) {
	seen := map[*element]bool{}
	var in func(e *element)
	in = func(e *element) {
		if e == nil || seen[e] {
			return
		}
		seen[e] = true
		if e.name == "text" || e.name == "names" || e.name == "date" || e.name == "number" {
			out = append(out, strings.Fields(e.get("variable"))...)
			in(p.st.macros[e.get("macro")])
		}
		for _, k := range e.kids {
			in(k)
		}
	}
	in(e)
	return
}

// merged makes one of editors and translators who are the same people.
func (p *printer) merged(variables []string) []string {
	if len(variables) != 2 || variables[0] != "editor" && variables[0] != "translator" || variables[1] != "editor" && variables[1] != "translator" ||
		p.t.term("editortranslator", "", false) == "" {
		return variables
	}
	a, b := p.w.Names["editor"], p.w.Names["translator"]
	if len(a) == 0 || len(a) != len(b) {
		return variables
	}
	for i := range a {
		if a[i] != b[i] {
			return variables
		}
	}
	return []string{"editortranslator"}
}

// labelFirst reports whether a label stands before the names.
func labelFirst(names *element) bool {
	for _, k := range names.kids {
		switch k.name {
		case "label":
			return true
		case "name":
			return false
		}
	}
	return false
}

// list writes the names of one variable.
func (p *printer) list(names []Name, f *nameForm) rich {
	others := false
	var all []*Name
	for i := range names {
		if names[i].others() {
			others = true
		} else {
			all = append(all, &names[i])
		}
	}
	n := len(all)
	if n == 0 {
		return nil
	}
	shown, cut := n, others
	if f.min > 0 && f.use > 0 && n >= f.min && f.use < n {
		shown, cut = f.use, true
		if p.role != inList && p.shown > shown {
			shown = min(p.shown, n)
			cut = shown < n || others
		}
	}
	if f.form == "count" {
		return said(itoa(shown))
	}
	written := make([]rich, shown)
	for i := range written {
		written[i] = p.name(all[i], i, f)
	}
	last := rich(nil)
	if cut && f.useLast && shown < n && shown >= 1 && n-shown >= 2 {
		last = p.name(all[n-1], n-1, f)
	}
	first := !p.met
	if first && p.role == inList && p.replaced != nil && len(p.firsts) == 0 {
		for _, r := range written {
			p.firsts = append(p.firsts, r.plain())
		}
		if written = p.replaced.in(written, p.firsts); len(written) == 0 {
			return said(p.replaced.by)
		}
	}
	out := written[0]
	and := ""
	switch f.and {
	case "text":
		and = p.t.term("and", "", false)
	case "symbol":
		if p.author == authorOnly {
			and = p.t.term("and", "", false) // in the sentence it is a word
		} else if and = p.t.term("and", "symbol", false); and == "" || p.t.words["and.symbol"][0] == "" {
			and = "&"
		}
	}
	inverted := func(i int) bool {
		return all[i].Literal == "" && all[i].Given != "" && f.form != "short" && (f.order == "all" || f.order == "first" && i == 0)
	}
	takes := func(rule string, names int, before int) bool {
		switch rule {
		case "always":
			return true
		case "never":
			return false
		case "after-inverted-name":
			return inverted(before)
		}
		return names > 2
	}
	spaced := func(word string) string {
		if p.t.lang == "zh" || p.t.lang == "ja" {
			return word
		}
		return " " + word + " "
	}
	for i := 1; i < shown; i++ {
		d := f.delimiter
		if i == shown-1 && !cut && and != "" {
			if takes(f.beforeLast, shown, i-1) {
				d = strings.TrimRight(f.delimiter, " ") + spaced(and)
				if f.delimiter == "" {
					d = spaced(and)
				}
			} else {
				d = spaced(and)
			}
		}
		out = p.add(p.add(out, said(d)), written[i])
	}
	switch {
	case last != nil:
		out = p.add(p.add(out, said(strings.TrimRight(f.delimiter, " ")+" … ")), last)
	case cut:
		word := "et-al"
		if f.etAl != nil && f.etAl.get("term") != "" {
			word = f.etAl.get("term")
		}
		text := p.t.term(word, "", false)
		if text == "" {
			break
		}
		r := said(text)
		if f.etAl != nil {
			r = dress(f.etAl, r)
		}
		d := " "
		if p.t.lang == "zh" || p.t.lang == "ja" {
			d = ""
		}
		if f.beforeEtAl == "contextual" && shown > 1 || f.beforeEtAl == "always" || f.beforeEtAl == "after-inverted-name" && inverted(shown-1) {
			d = f.delimiter
		}
		out = p.add(p.add(out, said(d)), r)
	}
	return out
}

// name writes one name.
func (p *printer) name(n *Name, i int, f *nameForm) rich {
	if n.Literal != "" {
		return p.partOfName(f.family, n.Literal)
	}
	form := f.form
	level := 0
	if p.role == inText && form == "short" && i < len(p.given) {
		level = int(p.given[i])
	}
	if eastern(n.Family) && eastern(n.Given) { // the family name first, nothing between
		if form == "short" && level == 0 {
			return p.partOfName(f.family, n.Family)
		}
		return p.join([]rich{p.partOfName(f.family, n.Family), p.partOfName(f.given, n.Given)}, "")
	}
	family := n.Family
	if family == "" {
		return p.partOfName(f.family, n.Given)
	}
	full := strings.TrimSpace(n.Particle + " " + family)
	if strings.HasSuffix(n.Particle, "’") || strings.HasSuffix(n.Particle, "'") {
		full = n.Particle + family
	}
	if form == "short" && level == 0 {
		return p.partOfName(f.family, full)
	}
	given := n.Given
	if f.hasInitials && f.initialize && level != fullName {
		given = initials(given, f.initials, f.hyphen)
	} else if f.hasInitials && !f.initialize {
		given = stops(given, f.initials)
	}
	join := func(words ...string) string {
		out := ""
		for _, w := range words {
			if w == "" {
				continue
			}
			if out != "" && !strings.HasSuffix(out, "’") {
				out += " "
			}
			out += w
		}
		return out
	}
	suffix := func(r rich, comma string) rich {
		if n.Suffix == "" {
			return r
		}
		return p.add(r, said(comma+n.Suffix))
	}
	if form != "short" && (f.order == "all" || f.order == "first" && i == 0) {
		demoted := f.demote == "display-and-sort" || f.demote == "sort-only" && p.role == forSort
		head, tail := full, join(given, n.Dropping)
		if demoted {
			head, tail = family, join(given, n.Dropping, n.Particle)
		}
		r := p.partOfName(f.family, head)
		if tail != "" {
			r = p.add(p.add(r, said(f.separator)), p.partOfName(f.given, tail))
		}
		return suffix(r, f.separator)
	}
	if given == "" {
		return suffix(p.partOfName(f.family, join(n.Dropping, full)), " ")
	}
	// Initials that touch their name in the style (A.B.Name) have their own space.
	r := p.add(p.partOfName(f.given, given), said("\u00a0"))
	if n.Dropping != "" {
		r = p.add(r, p.partOfName(f.given, n.Dropping+" "))
	}
	return suffix(p.add(r, p.partOfName(f.family, full)), " ")
}

// partOfName writes a part of a name in the look of its cs:name-part.
func (p *printer) partOfName(e *element, text string) rich {
	r := field(text)
	if e == nil {
		return r
	}
	if how := e.get("text-case"); how != "" {
		r = letters(r, how, true)
	}
	return p.affixed(e, dress(e, r))
}

// eastern reports a text in Chinese, Japanese or Korean letters.
func eastern(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// initials cuts given names to their first letters with a sign behind each, which
// is ". " in most styles; the space at the end goes.
func initials(given, sign string, hyphens bool) string {
	var b strings.Builder
	start, hyphen := true, false
	tight := strings.TrimRight(sign, " \u00a0")
	spaces := len(tight) < len(sign)
	for _, c := range given {
		switch {
		case c == ' ' || c == '.' || c == '\u00a0':
			start = true
		case c == '-' || c == '‐':
			start, hyphen = true, true
		case start && unicode.IsLetter(c):
			if b.Len() > 0 {
				switch {
				case hyphen && hyphens:
					b.WriteByte('-')
				case spaces:
					b.WriteString("\u00a0")
				}
			}
			b.WriteRune(unicode.ToUpper(c))
			b.WriteString(tight)
			start, hyphen = false, false
		default:
			start = false
		}
	}
	return b.String()
}

// stops writes the initials among given names with their sign, names in full as
// they are (initialize false).
func stops(given, sign string) string {
	words := strings.Fields(strings.ReplaceAll(given, ".", ". "))
	for i, w := range words {
		if utf8.RuneCountInString(strings.TrimSuffix(w, ".")) == 1 {
			words[i] = strings.TrimSuffix(w, ".") + strings.TrimRight(sign, " ")
		}
	}
	return strings.Join(words, " ")
}

// replacement is what stands for names that are those of the entry before
// (CSL 1.0.2, subsequent-author-substitute).
type replacement struct {
	by, rule string
	before   []string
}

// in replaces the names that are those of the entry before; nothing is left where
// one sign stands for them all.
func (s *replacement) in(written []rich, now []string) []rich {
	same := 0
	for same < len(now) && same < len(s.before) && now[same] == s.before[same] {
		same++
	}
	all := same == len(now) && same == len(s.before) && same > 0
	switch s.rule {
	case "", "complete-all":
		if all {
			return nil
		}
		same = 0
	case "complete-each":
		if !all {
			same = 0
		}
	case "partial-first":
		same = min(same, 1)
	}
	for i := range same {
		written[i] = said(s.by)
	}
	return written
}
