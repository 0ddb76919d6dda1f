package cite

import "strings"

// terms are what a language says in citations: by name and form ("page.short"),
// one and several. The names are those of CSL's locale files.
type terms struct {
	lang  string // primary subtag
	words map[string][2]string
	// text and numeric are the forms of dates, quoteInside puts . and , before a
	// closing quotation mark.
	text, numeric string
	quoteInside   bool
	own           []*element // <locale>s of the style, the nearest first
}

// table is what the library says of a language, "" where it says nothing: a file of
// terms each, name[.form] one[|several]. Dates are written with the parts y, m (month's
// name), n (its number), nn, d, dd; months and their short names stand in a row.
func table(lang string) (string, error) {
	text, err := file("terms/" + lang + ".txt")
	return strings.TrimSuffix(text, "\n"), err
}

// titles head a list of works.
var titles = map[string]string{"en": "References", "es": "Referencias", "fr": "Références", "de": "Literatur", "it": "Riferimenti bibliografici",
	"pt": "Referências", "ca": "Referències", "nl": "Literatuur", "zh": "参考文献", "ja": "参考文献", "ar": "المراجع"}

// Title is the heading of the list in a language.
func Title(locale string) string {
	if t := titles[primary(locale)]; t != "" {
		return t
	}
	return titles["en"]
}

// primary is the first subtag of a language tag.
func primary(tag string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tag)), "_", "-"), "-")
	return base
}

// termsOf gives the terms of a language, English where there are none, with
// those the style brings itself: these alone, and the error, without a library.
func termsOf(locale string, st *style) (*terms, error) {
	locale = strings.ReplaceAll(locale, "_", "-")
	t := &terms{lang: primary(locale), words: map[string][2]string{}}
	read := func(lines string) {
		for _, line := range strings.Split(lines, "\n") {
			// A name may have spaces; the names are few, so the longest fits.
			name, value := cutTerm(line)
			if name == "quotes" {
				f := strings.Split(value, " ")
				for i, q := range [...]string{"open-quote", "close-quote", "open-inner-quote", "close-inner-quote"} {
					t.words[q] = [2]string{f[i], f[i]}
				}
				continue
			}
			one, many, ok := strings.Cut(value, "|")
			if !ok {
				many = one
			}
			t.words[name] = [2]string{one, many}
		}
	}
	english, err := table("en")
	if err != nil {
		english = bareTerms
	}
	read(english)
	own, _ := table(t.lang) // it fails as the first did
	if own != "" && t.lang != "en" {
		for _, k := range [...]string{"ordinal-01", "ordinal-02", "ordinal-03", "ordinal-11", "ordinal-12", "ordinal-13"} {
			delete(t.words, k)
		}
		read(own)
	}
	t.text, t.numeric = t.words["text"][0], t.words["numeric"][0]
	t.quoteInside = own == "" || t.lang == "en"
	if low := strings.ToLower(locale); low == "en-gb" || low == "en-au" || low == "en-ie" || low == "en-nz" || low == "en-za" {
		t.quoteInside = false
		t.text, t.numeric = "d m y", "dd/nn/y"
		t.words["open-quote"], t.words["open-inner-quote"] = t.words["open-inner-quote"], t.words["open-quote"]
		t.words["close-quote"], t.words["close-inner-quote"] = t.words["close-inner-quote"], t.words["close-quote"]
	}
	for _, fit := range [...]func(tag string) bool{
		func(tag string) bool { return tag == "" },
		func(tag string) bool { return !strings.Contains(tag, "-") && primary(tag) == t.lang },
		func(tag string) bool { return strings.Contains(tag, "-") && strings.EqualFold(tag, locale) },
	} {
		for _, l := range st.locales {
			if fit(l.get("lang")) {
				t.take(l)
			}
		}
	}
	return t, err
}

// bareTerms are what every style may count upon.
const bareTerms = "quotes “ ” ‘ ’\ntext y-nn-dd\nnumeric y-nn-dd"

// spaced are the names of terms that have a space in them.
var spaced = []string{"and others", "no date", "no date.short", "available at", "in press", "presented at"}

func cutTerm(line string) (name, value string) {
	for _, s := range spaced {
		if v, ok := strings.CutPrefix(line, s+" "); ok {
			return s, v
		}
	}
	name, value, _ = strings.Cut(line, " ")
	return name, value
}

// take lets a style's <locale> have its way.
func (t *terms) take(l *element) {
	for _, k := range l.kids {
		switch k.name {
		case "style-options":
			if v := k.get("punctuation-in-quote"); v != "" {
				t.quoteInside = v == "true"
			}
		case "date":
			t.own = append([]*element{k}, t.own...)
		case "terms":
			ordinals := false
			for _, w := range k.all("term") {
				name := w.get("name")
				if strings.HasPrefix(name, "ordinal") && !ordinals {
					ordinals = true
					for k := range t.words {
						if strings.HasPrefix(k, "ordinal") {
							delete(t.words, k)
						}
					}
				}
				if f := w.get("form"); f != "" && f != "long" {
					name += "." + f
				}
				one, many := strings.TrimSpace(w.text), strings.TrimSpace(w.text)
				if w.text != "" && one == "" {
					one, many = w.text, w.text
				}
				if s := w.kid("single"); s != nil {
					one = s.text
				}
				if m := w.kid("multiple"); m != nil {
					many = m.text
				}
				t.words[name] = [2]string{one, many}
			}
		}
	}
}

// term is a term in a form, or in the nearest there is: verb-short is a verb,
// a symbol a short form, these the long one.
//
//go:noinline
func (t *terms) term(name, form string, several bool) string {
	w := t.pair(name, form)
	if several {
		return w[1]
	}
	return w[0]
}

func (t *terms) pair(name, form string) [2]string {
	for {
		key := name
		if form != "" && form != "long" {
			key += "." + form
		}
		if w, ok := t.words[key]; ok {
			return w
		}
		if n, ok := strings.CutPrefix(name, "month-"); ok {
			return t.listed("months", form, n)
		}
		if n, ok := strings.CutPrefix(name, "season-"); ok {
			return t.listed("seasons", "", n)
		}
		switch form {
		case "verb-short":
			form = "verb"
		case "symbol":
			form = "short"
		case "", "long":
			if name == "page-range-delimiter" {
				return [2]string{"–", "–"}
			}
			return [2]string{}
		default:
			form = ""
		}
	}
}

// listed takes the nth word of a row.
func (t *terms) listed(name, form, nth string) [2]string {
	if form == "short" {
		name += ".short"
	}
	n := number(nth)
	if f := strings.Fields(t.words[name][0]); n >= 1 && n <= len(f) {
		return [2]string{f[n-1], f[n-1]}
	}
	return [2]string{}
}

// ordinal writes a number as a place in a row: 2nd. The ends of two figures go
// before those of one.
func (t *terms) ordinal(n int) string {
	for _, end := range [...]int{100, 10} {
		k := n % end
		if w, ok := t.words["ordinal-"+string([]byte{'0' + byte(k/10), '0' + byte(k%10)})]; ok && (end == 100 || k > 0) && (t.lang != "fr" || n == k) {
			return itoa(n) + w[0]
		}
	}
	return itoa(n) + t.words["ordinal"][0]
}
