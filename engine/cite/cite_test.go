package cite

import (
	"os"
	"strings"
	"testing"
	"time"
)

// The works of the tests, ours.
const sample = `
@string{jar = "Journal of Apicultural Research"}
@comment{ nothing of this { counts } }
@article{hoffmann1998,
  author = {Hoffmann, Anna B. and Lim, Chi-Hao},
  title = {Pale honey of the linden},
  journal = jar, year = 1998, month = mar, volume = 12, number = 3, pages = {45--67}, doi = {10.1000/jar.1998},
}
@article{lim2011a, author = "Chi-Hao Lim", title = {Combs}, journal = jar, year = 2011, volume = 20, pages = {1--9}}
@article{lim2011b, author = {Lim, Chi-Hao}, title = {Brood}, journal = jar, year = 2011, volume = 21, pages = {10-19}}
@book{vidal2005, author = {Vidal, Rosa}, title = {The Beekeeper's Year}, edition = 2, publisher = {Hive Press}, address = {Vic}, year = {2005}}
@incollection{kern2001, author = {Ivo Kern and others}, title = {Swarms}, booktitle = {Bees of Europe}, editor = {M\"uller, J{\'e}r\^ome and von der Aa, Jan},
  pages = {101--120}, publisher = {Nord}, address = {Oslo}, year = 2001}
@phdthesis{dee1990, author = {Dee, Ada}, title = {Wax}, school = {University of Girona}, year = 1990}
@online{hives, author = {{Society of Hives}}, title = {Counting hives}, url = {https://example.org/a_b}, urldate = {2024-05-06}, date = {2023}}
@article{many, author = {Aa, A. and Bb, B. and Cc, C. and Dd, D. and Ee, E. and Ff, F. and Gg, G.}, title = {Many}, journal = {J}, year = 2000, volume = 1}
@misc{nobody, title = {Anonymous: a study}, year = {n.y.}}
`

func pool(t testing.TB) []Work {
	t.Helper()
	w, err := ReadBibTeX(sample)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func setOf(t testing.TB, style, locale string, cited ...string) *Set {
	return New(pool(t), cited, Options{Style: style, Locale: locale, Link: true, Collapse: true, DOI: "link"})
}

var everything = []string{"hoffmann1998", "lim2011a", "lim2011b", "vidal2005", "kern2001", "dee1990", "hives", "many", "nobody"}

func TestReadBibTeX(t *testing.T) {
	w := pool(t)
	if len(w) != 9 {
		t.Fatalf("%d works", len(w))
	}
	h := w[0]
	if h.ID != "hoffmann1998" || h.Type != "article-journal" || h.Text["container-title"] != "Journal of Apicultural Research" || h.Text["page"] != "45–67" || h.Text["issue"] != "3" ||
		h.Dates["issued"] != (Date{Year: 1998, Month: 3}) || len(h.Names["author"]) != 2 || h.Names["author"][1] != (Name{Family: "Lim", Given: "Chi-Hao"}) {
		t.Errorf("%+v", h)
	}
	if k := w[4]; len(k.Names["author"]) != 2 || !k.Names["author"][1].others() || k.Names["editor"][0] != (Name{Family: "Müller", Given: "Jérôme"}) ||
		k.Names["editor"][1] != (Name{Family: "Aa", Particle: "von der", Given: "Jan"}) {
		t.Errorf("%+v", k)
	}
	if o := w[6]; o.Names["author"][0].Literal != "Society of Hives" || o.Text["URL"] != "https://example.org/a_b" || o.Dates["accessed"] != (Date{Year: 2024, Month: 5, Day: 6}) {
		t.Errorf("%+v", o)
	}
	for in, want := range map[string]string{`Ludwig van Beethoven`: "|Ludwig|van|Beethoven|", `de la Fontaine, Jean`: "|Jean|de la|Fontaine|",
		`King, Jr., Martin Luther`: "Jr.|Martin Luther||King|", `{Barnes and Noble}`: "Barnes and Noble", `\'Eluard, Paul`: "|Paul||Éluard|"} {
		n := namesOf(in)[0]
		got := n.Suffix + "|" + n.Given + "|" + n.Particle + "|" + n.Family + "|"
		if n.Literal != "" {
			got = n.Literal
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{`{\"o}ber \v{C}apek \c{c}a Stra{\ss}e`: "öber Čapek ça Straße", `a~b -- c`: "a\u00a0b – c", `\emph{x} \textit {y}`: "x y", `L'\'Etoile`: "L’Étoile", `\O re`: "Øre"} {
		if got := texText(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestReadCSL(t *testing.T) {
	const data = `[{"id":"a","type":"book","title":"T","author":[{"family":"Gogh","given":"Vincent","non-dropping-particle":"van"},{"literal":"WHO"}],
		"issued":{"date-parts":[[1999,"2",3]]},"page":"1-3","DOI":"https://doi.org/10.1/x"},{"title":"no id"}]`
	w, err := Read(data, "")
	if len(w) != 1 || err == nil || !strings.Contains(err.Error(), "2 has no id") {
		t.Fatalf("%v, %v", w, err)
	}
	if g := w[0]; g.Names["author"][0] != (Name{Family: "Gogh", Given: "Vincent", Particle: "van"}) || g.Names["author"][1].Literal != "WHO" || g.Dates["issued"] != (Date{Year: 1999, Month: 2, Day: 3}) || g.Text["page"] != "1–3" || g.Text["DOI"] != "10.1/x" {
		t.Errorf("%+v", g)
	}
	y, err := Read("references:\n- id: b\n  type: article-journal\n  title: T\n  author:\n  - family: Lim\n    given: C.\n  - family: others\n  issued: 2011\n- id: c\n  issued: {year: 2001}\n", "csl-yaml")
	if err != nil || len(y) != 2 || y[0].Dates["issued"].Year != 2011 || y[1].Dates["issued"].Year != 2001 || !y[0].Names["author"][1].others() {
		t.Errorf("%+v, %v", y, err)
	}
	for _, bad := range []string{"{", "[1]", "5"} {
		if _, err := Read(bad, "json"); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if _, err := Read("x", "marc"); err == nil || !strings.Contains(err.Error(), "bibtex") {
		t.Errorf("an unknown format: %v", err)
	}
}

// at is a work cited at a place, as it is written behind the key.
func at(key, place string) Item {
	it := Item{Key: key}
	it.Label, it.Locator, it.Suffix = Locator(place)
	return it
}

func plainOf(spans []Span) string { return rich(spans).plain() }

func text(c Citation) string { return plainOf(c.Spans) }

// In-text citations of the author-date styles.
func TestAuthorDate(t *testing.T) {
	for _, c := range []struct {
		style, locale string
		items         []Item
		narrative     bool
		want          string
	}{
		{"apa", "en-us", []Item{at("hoffmann1998", "pp. 12--15"), {Key: "vidal2005", Prefix: "see"}}, false, "(Hoffmann & Lim, 1998, pp.\u00a012–15; see Vidal, 2005)"},
		{"apa", "en-us", []Item{{Key: "lim2011a"}, {Key: "lim2011b"}}, false, "(Lim, 2011a, 2011b)"},
		{"apa", "en-us", []Item{at("hoffmann1998", "chap. 2")}, true, "Hoffmann and Lim (1998, chap.\u00a02)"},
		{"apa", "en-us", []Item{{Key: "hoffmann1998", NoAuthor: true}}, false, "(1998)"},
		{"apa", "en-us", []Item{at("many", "33")}, false, "(Aa et al., 2000, p.\u00a033)"},
		{"apa", "en-us", []Item{{Key: "kern2001"}}, false, "(Kern et al., 2001)"},
		{"apa", "en-us", []Item{{Key: "nobody"}}, false, "(Anonymous: a study, n.y.)"},
		{"apa", "es", []Item{at("hoffmann1998", "12")}, true, "Hoffmann y Lim (1998, p.\u00a012)"},
		{"apa", "de", []Item{at("hoffmann1998", "12–13, besonders")}, false, "(Hoffmann & Lim, 1998, S.\u00a012–13, besonders)"},
		{"chicago-author-date", "en", []Item{at("hoffmann1998", "12-15")}, false, "(Hoffmann and Lim 1998, 12–15)"},
		{"harvard-cite-them-right", "en", []Item{at("hoffmann1998", "12")}, false, "(Hoffmann and Lim, 1998, p.\u00a012)"},
		{"modern-language-association", "en", []Item{at("hoffmann1998", "12")}, false, "(Hoffmann and Lim 12)"},
		{"modern-language-association", "en", []Item{at("hoffmann1998", "12")}, true, "Hoffmann and Lim (12)"},
		{"apa", "en", []Item{{Key: "vidal2005"}, {Key: "lost"}}, false, "(Vidal, 2005) lost?"},
	} {
		got := setOf(t, c.style, c.locale, everything...).Cite(c.items, c.narrative)
		if text(got) != c.want {
			t.Errorf("%s %s: %q, want %q", c.style, c.locale, text(got), c.want)
		}
	}
	if c := setOf(t, "apa", "en").Cite([]Item{{Key: "lost"}}, false); len(c.Spans) != 0 || len(c.Unknown) != 1 {
		t.Errorf("an unknown key: %+v", c)
	}
	if c := setOf(t, "apa", "en", "vidal2005").Cite([]Item{{Key: "vidal2005"}}, false); c.Spans[1].Link != "#ref-vidal2005" {
		t.Errorf("%+v", c)
	}
}

// Numbers follow the first citation; three or more in a row make a range.
func TestNumbered(t *testing.T) {
	items := func(keys ...string) (out []Item) {
		for _, k := range keys {
			out = append(out, Item{Key: k})
		}
		return
	}
	for _, c := range []struct {
		style string
		items []Item
		narr  bool
		want  string
	}{
		{"ieee", items("vidal2005", "hoffmann1998", "lim2011b", "lim2011a"), false, "[1]–[4]"},
		{"ieee", items("hoffmann1998", "vidal2005"), false, "[1], [4]"},
		{"ieee", []Item{at("hoffmann1998", "p. 5")}, false, "[1, p.\u00a05]"},
		{"elsevier-vancouver", items("hoffmann1998", "lim2011a", "many"), false, "[1,2,8]"},
		{"nature", items("lim2011a", "lim2011b", "hoffmann1998"), false, "1–3"},
		{"ieee", items("hoffmann1998"), true, "Hoffmann and Lim\u00a0[1]"},
	} {
		if got := text(setOf(t, c.style, "en", everything...).Cite(c.items, c.narr)); got != c.want {
			t.Errorf("%s: %q, want %q", c.style, got, c.want)
		}
	}
	if c := setOf(t, "nature", "en", everything...).Cite(items("many"), false); c.Spans[0].Look&Raise == 0 {
		t.Error("nature's numbers are raised")
	}
}

// The list, style by style.
func TestBibliography(t *testing.T) {
	for _, c := range []struct{ style, key, want string }{
		{"apa", "hoffmann1998", "Hoffmann, A.\u00a0B., & Lim, C.-H. (1998). Pale honey of the linden. Journal of Apicultural Research, 12(3), 45–67. https://doi.org/10.1000/jar.1998"},
		{"apa", "vidal2005", "Vidal, R. (2005). The Beekeeper’s Year (2nd ed.). Hive Press."},
		{"apa", "kern2001", "Kern, I., et al. (2001). Swarms. In J.\u00a0Müller & J.\u00a0von der Aa (Eds.), Bees of Europe (pp.\u00a0101–120). Nord."},
		{"apa", "dee1990", "Dee, A. (1990). Wax [PhD thesis, University of Girona]."},
		{"apa", "hives", "Society of Hives. (2023). Counting hives. https://example.org/a_b"},
		{"apa", "lim2011a", "Lim, C.-H. (2011b). Combs. Journal of Apicultural Research, 20, 1–9."},
		{"apa", "nobody", "Anonymous: a study. (n.y.)."},
		{"chicago-author-date", "hoffmann1998", "Hoffmann, Anna B., and Chi-Hao\u00a0Lim. 1998. “Pale Honey of the Linden.” Journal of Apicultural Research 12 (3): 45–67. https://doi.org/10.1000/jar.1998."},
		{"chicago-author-date", "vidal2005", "Vidal, Rosa. 2005. The Beekeeper’s Year. 2nd ed. Vic: Hive Press."},
		{"chicago-author-date", "kern2001", "Kern, Ivo, et al. 2001. “Swarms.” In Bees of Europe, edited by Jérôme\u00a0Müller and Jan\u00a0von der Aa, 101–20. Oslo: Nord."},
		{"harvard-cite-them-right", "hoffmann1998", "Hoffmann, A.B. and Lim, C.-H. (1998) ‘Pale honey of the linden’, Journal of Apicultural Research, 12(3), pp.\u00a045–67. Available at: https://doi.org/10.1000/jar.1998."},
		{"harvard-cite-them-right", "vidal2005", "Vidal, R. (2005) The Beekeeper’s Year. 2nd edn. Vic: Hive Press."},
		{"modern-language-association", "hoffmann1998", "Hoffmann, Anna B., and Chi-Hao\u00a0Lim. “Pale Honey of the Linden.” Journal of Apicultural Research, vol. 12, no. 3, Mar. 1998, pp.\u00a045–67, https://doi.org/10.1000/jar.1998."},
		{"modern-language-association", "vidal2005", "Vidal, Rosa. The Beekeeper’s Year. 2nd ed., Hive Press, 2005."},
		{"ieee", "hoffmann1998", "A.\u00a0B.\u00a0Hoffmann and C.-H.\u00a0Lim, “Pale honey of the linden,” Journal of Apicultural Research, vol. 12, no. 3, pp.\u00a045–67, Mar. 1998, doi: 10.1000/jar.1998."},
		{"ieee", "vidal2005", "R.\u00a0Vidal, The Beekeeper’s Year, 2nd ed. Vic: Hive Press, 2005."},
		{"ieee", "kern2001", "I.\u00a0Kern et al., “Swarms,” in Bees of Europe, J.\u00a0Müller and J.\u00a0von der Aa, Eds., Oslo: Nord, 2001, pp.\u00a0101–120."},
		{"elsevier-vancouver", "hoffmann1998", "Hoffmann AB, Lim CH. Pale honey of the linden. Journal of Apicultural Research 1998;12:45–67. https://doi.org/10.1000/jar.1998."},
		{"american-medical-association", "many", "Aa A, Bb B, Cc C, et al. Many. J. 2000;1."},
		{"nature", "hoffmann1998", "Hoffmann, A.\u00a0B. & Lim, C.-H. Pale honey of the linden. Journal of Apicultural Research 12, 45–67 (1998). https://doi.org/10.1000/jar.1998"},
		{"nature", "vidal2005", "Vidal, R. The Beekeeper’s Year (Hive Press, Vic, 2005)."},
		{"nature", "many", "Aa, A. et al. Many. J 1 (2000)."},
	} {
		s := setOf(t, c.style, "en", everything...)
		if got := strings.ReplaceAll(plainOf(s.List([]string{c.key})[0].Spans), "\u200b", ""); got != c.want {
			t.Errorf("%s %s:\n got %q\nwant %q", c.style, c.key, got, c.want)
		}
	}
	var order []string
	for _, e := range setOf(t, "apa", "en", everything...).List(everything) {
		order = append(order, e.Key)
	}
	if got := strings.Join(order, " "); got != "many nobody dee1990 hoffmann1998 kern2001 lim2011b lim2011a hives vidal2005" {
		t.Errorf("order: %s", got)
	}
	e := setOf(t, "ieee", "en", "vidal2005", "hoffmann1998").List([]string{"hoffmann1998", "vidal2005", "hoffmann1998"})
	if len(e) != 2 || e[0].Key != "vidal2005" || e[0].Label != "[1]" {
		t.Errorf("%+v", e)
	}
	italic := ""
	for _, sp := range setOf(t, "apa", "en", everything...).List([]string{"hoffmann1998"})[0].Spans {
		if sp.Look&Italic != 0 {
			italic += sp.Text + "|"
		}
	}
	if italic != "Journal of Apicultural Research|12|" {
		t.Errorf("italic: %s", italic)
	}
}

// Every style prints every kind of work in every language, without a sign left
// over from its template.
func TestTemplates(t *testing.T) {
	ours, err := os.ReadDir("library/terms")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range Styles() {
		for _, f := range ours {
			lang := strings.TrimSuffix(f.Name(), ".txt")
			s := setOf(t, id, lang, everything...)
			for _, e := range s.List(everything) {
				got := plainOf(e.Spans)
				for _, bad := range []string{"{", "}", "*", "_{", "..", ",,", "  ", " .", " ,", "()"} {
					if strings.Contains(strings.ReplaceAll(got, "\u200b", ""), bad) && !strings.Contains(got, "…") && !(bad == "_{") {
						t.Errorf("%s %s: %q has %q", id, lang, got, bad)
					}
				}
			}
		}
	}
}

func TestHostileReferences(t *testing.T) {
	for name, src := range map[string]string{
		"braces":  "@book{a, title = " + strings.Repeat("{", 1<<20),
		"hashes":  `@string{a = "` + strings.Repeat("x", 5000) + `"} @book{k, title = ` + strings.Repeat("a # ", 20000) + `a}`,
		"at":      strings.Repeat("@", 1<<20),
		"entries": strings.Repeat("@book{k,author={A and B}}\n", 60_000),
		"and":     "@book{k, author = {" + strings.Repeat("a and ", 100_000) + "b}}",
		"slash":   "@book{k, title = {" + strings.Repeat(`\`, 100_000) + "}}",
		"string":  strings.Repeat(`@string{b = b # b # b # "xx"}`, 2000),
	} {
		start := time.Now()
		works, _ := ReadBibTeX(src)
		for i := range works {
			if n := len(works[i].Text["title"]); n > maxField {
				t.Errorf("%s: a title of %d bytes", name, n)
			}
		}
		New(works, nil, Options{})
		t.Logf("%s: %d works in %v", name, len(works), time.Since(start))
	}
	for _, y := range []string{"a: &a [*a]", strings.Repeat("[", 10000), "- - - -", "? ?"} {
		if w, err := Read(y, "yaml"); err == nil && len(w) > 0 {
			t.Errorf("%.20q gives %d works", y, len(w))
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample, "")
	f.Add(`[{"id":"a","author":[{"family":"x"}],"issued":{"date-parts":[[1]]}}]`, "json")
	f.Add("- id: a\n  author: [b]\n", "yaml")
	f.Fuzz(func(t *testing.T, src, format string) {
		works, _ := Read(src, format)
		var keys []string
		for i := range works {
			keys = append(keys, works[i].ID)
		}
		for _, st := range []string{"apa", "ieee", "modern-language-association", "nature"} {
			s := New(works, keys, Options{Style: st, Collapse: true})
			s.List(keys)
			for _, k := range keys {
				s.Cite([]Item{at(k, "p. 3"), at(k, src[:min(len(src), 9)])}, false)
			}
		}
	})
}

// citations.bibliography.groupByLanguage: the document's language first, each other
// together, in the order of the list inside them.
func TestListByLanguage(t *testing.T) {
	one := func(id, title, language, author string) Work {
		return Work{ID: id, Type: "book", Text: map[string]string{"title": title, "language": language}, Names: map[string][]Name{"author": {{Family: author}}}}
	}
	works := []Work{
		one("a", "Un an", "fr-FR", "Abel"),
		one("b", "A year", "", "Bell"),
		one("c", "Jahr", "ngerman", "Calw"),
		one("d", "Years", "english", "Dee"),
		one("e", "Ans", "french", "Elie"),
	}
	keys := []string{"a", "b", "c", "d", "e"}
	order := func(style string) (out string) {
		for _, e := range New(works, keys, Options{Style: style, Locale: "en-us", ByLanguage: true}).List(keys) {
			out += e.Key
		}
		return
	}
	if got := order("apa"); got != "bdcae" {
		t.Errorf("by names: %s", got)
	}
	if got := order("ieee"); got != "abcde" {
		t.Errorf("by number: %s", got)
	}
}

// Every id of document-format.md 10 is a style, whatever language or edition its end
// names.
func TestEveryStyleOfTheFormat(t *testing.T) {
	for id, want := range map[string]string{ // in a note, or in the text, of a book at a page
		"apa": "(Vidal, 2005, p. 7)", "chicago-author-date": "(Vidal 2005, 7)", "harvard-cite-them-right": "(Vidal, 2005, p. 7)",
		"modern-language-association": "(Vidal 7)", "ieee": "[4, p. 7]", "elsevier-vancouver": "[4, p. 7]", "american-medical-association": "4(p7)", "nature": "4(p. 7)",
		"iso690-author-date-en": "(Vidal 2005, p. 7)", "iso690-author-date-fr": "(Vidal 2005, p. 7)", "iso690-numeric-en": "(4, p. 7)",
		"iso690-note-cs":             "VIDAL, Rosa. The Beekeeper’s Year. 2nd ed. Vic: Hive Press, 2005, p. 7.",
		"iso690-full-note-sk":        "VIDAL, Rosa. The Beekeeper’s Year. 2nd ed. Vic: Hive Press, 2005, p. 7.",
		"chicago-notes-bibliography": "Rosa Vidal, The Beekeeper’s Year, 2nd ed. (Vic: Hive Press, 2005), 7.",
		"oscola":                     "Rosa Vidal, The Beekeeper’s Year (2nd edn, Hive Press 2005) 7.",
		"china-national-standard-gb-t-7714-2015-numeric": "[4, 7]", "china-national-standard-gb-t-7714-2025-numeric": "[4, 7]",
		"china-national-standard-gb-t-7714-2015-author-date": "(VIDAL, 2005: 7)", "china-national-standard-gb-t-7714-2025-author-date": "(VIDAL, 2005: 7)",
		"china-national-standard-gb-t-7714-2015-note": "VIDAL R. The Beekeeper’s Year[M]. 2nd ed. Vic: Hive Press, 2005: 7.",
		"sist02": "4)(7)",
	} {
		s := setOf(t, id, "en", everything...)
		if err := s.Fault(); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		if got := strings.ReplaceAll(text(s.Cite([]Item{at("vidal2005", "7")}, false)), "\u00a0", " "); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if err := setOf(t, "turabian-fullnote", "en").Fault(); err == nil || !strings.Contains(err.Error(), "citations.customStyle") {
		t.Errorf("an id that is not there: %v", err)
	}
}

// The entries of the styles that came with CSL, and their later citations.
func TestNewStyles(t *testing.T) {
	for _, c := range []struct{ style, key, want string }{
		{"chicago-notes-bibliography", "hoffmann1998", "Hoffmann, Anna B., and Chi-Hao Lim. “Pale Honey of the Linden.” Journal of Apicultural Research 12, no. 3 (1998): 45–67. https://doi.org/10.1000/jar.1998."},
		{"chicago-notes-bibliography", "kern2001", "Kern, Ivo, et al. “Swarms.” In Bees of Europe, edited by Jérôme Müller and Jan von der Aa, 101–20. Oslo: Nord, 2001."},
		{"oscola", "hoffmann1998", "Hoffmann AB and Lim C-H, ‘Pale honey of the linden’ (1998) 12(3) Journal of Apicultural Research 45"},
		{"oscola", "dee1990", "Dee A, ‘Wax’ (PhD thesis, University of Girona 1990)"},
		{"oscola", "hives", "Society of Hives, ‘Counting hives’ (2023) <https://example.org/a_b> accessed 6 May 2024"},
		{"iso690-author-date-en", "hoffmann1998", "HOFFMANN, Anna B. and LIM, Chi-Hao, 1998. Pale honey of the linden. Journal of Apicultural Research [online]. Vol. 12, no. 3, pp. 45–67. DOI: 10.1000/jar.1998."},
		{"iso690-numeric-en", "kern2001", "KERN, Ivo et al. Swarms. In: MÜLLER, Jérôme and Jan VON DER AA (eds.), Bees of Europe. Oslo: Nord, 2001, pp. 101–120."},
		{"china-national-standard-gb-t-7714-2015-numeric", "hoffmann1998", "HOFFMANN A B, LIM C H. Pale honey of the linden[J/OL]. Journal of Apicultural Research, 1998, 12(3): 45–67. DOI: 10.1000/jar.1998."},
		{"china-national-standard-gb-t-7714-2015-numeric", "many", "AA A, BB B, CC C, et al. Many[J]. J, 2000, 1."},
		{"sist02", "kern2001", "Kern, Ivo; et al. Swarms. Bees of Europe. Müller, Jérôme; von der Aa, Jan, eds. Oslo, Nord, 2001, p. 101–120."},
	} {
		s := setOf(t, c.style, "en", everything...)
		if got := strings.ReplaceAll(plainOf(s.List([]string{c.key})[0].Spans), "\u00a0", " "); got != c.want {
			t.Errorf("%s %s:\n got %q\nwant %q", c.style, c.key, got, c.want)
		}
	}
	for _, c := range []struct {
		style string
		at    Position
		want  string
	}{
		{"chicago-notes-bibliography", Subsequent, "Hoffmann and Lim, “Pale Honey of the Linden,” 9."}, {"chicago-notes-bibliography", IbidWithLocator, "Hoffmann and Lim, 9."},
		{"oscola", Subsequent, "Hoffmann and Lim (n 3) 9."}, {"oscola", IbidWithLocator, "ibid 9."},
		{"iso690-note-cs", Subsequent, "HOFFMANN and LIM (ref. 3), p. 9."}, {"iso690-note-cs", IbidWithLocator, "Ibid., p. 9."},
	} {
		it := at("hoffmann1998", "9")
		it.Place = Place{Position: c.at, First: 3}
		if got := strings.ReplaceAll(text(setOf(t, c.style, "en", everything...).Cite([]Item{it}, false)), "\u00a0", " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.style, got, c.want)
		}
	}
	// A list by name: a dash for the authors of the entry before.
	list := setOf(t, "chicago-notes-bibliography", "en", everything...).List([]string{"lim2011a", "lim2011b"})
	if got := plainOf(list[1].Spans); !strings.HasPrefix(got, "———. “Combs.”") {
		t.Errorf("%q", got)
	}
	// The words of GB/T 7714 are those of each work's language.
	works := []Work{{ID: "z", Type: "book", Text: map[string]string{"title": "蜜蜂", "publisher": "出版社"}, Dates: map[string]Date{"issued": {Year: 2001}},
		Names: map[string][]Name{"author": {{Family: "王", Given: "明"}, {Family: "李", Given: "华"}, {Family: "张", Given: "三"}, {Family: "赵", Given: "四"}}}}}
	z := New(works, []string{"z"}, Options{Style: "china-national-standard-gb-t-7714-2015-numeric", Locale: "en"})
	if got := plainOf(z.List([]string{"z"})[0].Spans); got != "王明, 李华, 张三, 等. 蜜蜂[M]. 出版社, 2001." {
		t.Errorf("%q", got)
	}
}
