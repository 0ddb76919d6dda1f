package cite

import (
	"os"
	"strings"
	"testing"
)

// The styles of these tests are ours; what they print follows from CSL 1.0.2.

const head = `<?xml version="1.0"?><style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0" `

// own makes a set of works by a style.
func ownSet(t *testing.T, style string, works []Work, cited ...string) *Set {
	t.Helper()
	s := New(works, cited, Options{Style: "custom", Custom: style, Locale: "en-us", Collapse: true, DOI: "link"})
	if err := s.Fault(); err != nil {
		t.Fatal(err)
	}
	return s
}

// layout is a style whose citations are one element.
func layout(inside string) string {
	return head + `><citation><layout>` + inside + `</layout></citation></style>`
}

var jar = Work{ID: "jar", Type: "article-journal",
	Text: map[string]string{"title": "A study of <i>Apis mellifera</i> in the hive", "title-short": "Apis", "container-title": "Hive", "volume": "12", "issue": "3", "page": "321–328", "edition": "2", "note": "x.y."},
	Names: map[string][]Name{"author": {{Family: "Humboldt", Given: "Alexander", Dropping: "von"}, {Family: "Vlist", Given: "Eva Maria", Particle: "van der"}, {Family: "Lim", Given: "Chi-Hao", Suffix: "Jr."}},
		"editor": {{Family: "Kern", Given: "Ivo"}}, "translator": {{Family: "Kern", Given: "Ivo"}}},
	Dates: map[string]Date{"issued": {Year: 2004, Month: 3, Day: 5, EndYear: 2004, EndMonth: 3, EndDay: 9}, "accessed": {Year: 2005, Month: 11}}}

func printed(t *testing.T, style string, w Work, it Item) string {
	t.Helper()
	it.Key = w.ID
	return text(ownSet(t, style, []Work{w}, w.ID).Cite([]Item{it}, false))
}

// Each rendering element, with its attributes (CSL 1.0.2, Rendering Elements).
func TestElements(t *testing.T) {
	for _, c := range []struct{ rule, style, want string }{
		{"text variable", `<text variable="container-title"/>`, "Hive"},
		{"text short form", `<text variable="title" form="short"/>`, "Apis"},
		{"text value, affixes outside quotes", `<text value="a" quotes="true" prefix="(" suffix=")"/>`, "(“a”)"},
		{"strip-periods", `<text variable="note" strip-periods="true"/>`, "xy"},
		{"term plural", `<text term="editor" plural="true" form="short"/>`, "eds."},
		{"a term's symbol falls back on its short form", `<text term="volume" form="symbol"/>`, "vol."},
		{"number ordinal", `<number variable="edition" form="ordinal"/>`, "2nd"},
		{"number long-ordinal", `<number variable="edition" form="long-ordinal"/>`, "second"},
		{"number roman", `<number variable="volume" form="roman"/>`, "xii"},
		{"label, contextual plural", `<label variable="page" form="short" suffix=" "/><text variable="page"/>`, "pp. 321–328"},
		{"label never plural", `<label variable="page" plural="never"/>`, "page"},
		{"label of a number", `<label variable="volume" form="short"/>`, "vol."},
		{"group delimiter", `<group delimiter=", " prefix="[" suffix="]"><text variable="volume"/><text variable="number"/><text variable="issue"/></group>`, "[12, 3]"},
		{"a group whose variables are all empty is suppressed", `<text value="x"/><group><text term="in"/><text variable="publisher"/></group>`, "x"},
		{"a group without variables prints", `<group delimiter=" "><text term="in"/><text value="y"/></group>`, "in y"},
		{"a group with a group that prints", `<group><text value="a"/><group><text variable="publisher"/></group><group><text variable="volume"/></group></group>`, "a12"},
		{"choose, if any", `<choose><if type="book" variable="volume" match="any"><text value="1"/></if><else><text value="2"/></else></choose>`, "1"},
		{"choose, if all", `<choose><if type="book" variable="volume"><text value="1"/></if><else-if is-numeric="volume issue"><text value="2"/></else-if></choose>`, "2"},
		{"choose, if none", `<choose><if type="book thesis" match="none"><text value="1"/></if></choose>`, "1"},
		{"is-numeric of words", `<choose><if is-numeric="title"><text value="1"/></if><else><text value="2"/></else></choose>`, "2"},
		{"date text form", `<date variable="issued" form="text"/>`, "March 5–9, 2004"},
		{"date numeric form", `<date variable="accessed" form="numeric"/>`, "11/2005"},
		{"date-parts year-month", `<date variable="issued" form="text" date-parts="year-month"/>`, "March 2004"},
		{"date-parts year", `<date variable="issued" form="text" date-parts="year"/>`, "2004"},
		{"own date parts", `<date variable="issued" delimiter="."><date-part name="day" form="numeric-leading-zeros"/><date-part name="month" form="numeric"/><date-part name="year" form="short"/></date>`, "05–09.3.04"},
		{"month short, stripped", `<date variable="accessed"><date-part name="month" form="short" strip-periods="true" suffix=" "/><date-part name="year"/></date>`, "Nov 2005"},
		{"day ordinal", `<date variable="issued"><date-part name="day" form="ordinal" range-delimiter="/"/></date>`, "5th/9th"},
		{"text-case title", `<text variable="title" text-case="title"/>`, "A Study of Apis Mellifera in the Hive"},
		{"text-case sentence", `<text value="THE Hive"  text-case="sentence"/>`, "THE Hive"},
		{"text-case sentence of capitals", `<text value="THE HIVE" text-case="sentence"/>`, "The hive"},
		{"text-case capitalize-first", `<text value="the hive" text-case="capitalize-first"/>`, "The hive"},
		{"text-case capitalize-all", `<text value="the hive" text-case="capitalize-all"/>`, "The Hive"},
		{"text-case uppercase", `<text value="the hive" text-case="uppercase"/>`, "THE HIVE"},
		{"one full stop", `<group delimiter=". "><text value="a."/><text value="b"/></group>`, "a. b"},
		{"a question mark swallows the full stop", `<group delimiter=". "><text value="a?"/><text value="b"/></group>`, "a? b"},
		{"a comma after a full stop stays", `<group delimiter=", "><text value="ed."/><text value="b"/></group>`, "ed., b"},
		{"punctuation-in-quote", `<group delimiter=", "><text value="a" quotes="true"/><text value="b"/></group>`, "“a,” b"},
		{"inner quotes", `<text value="a “b” c" quotes="true"/>`, "“a ‘b’ c”"},
		{"names", `<names variable="author"/>`, "Alexander von Humboldt, Eva Maria van der Vlist, Chi-Hao Lim Jr."},
		{"names and", `<names variable="author"><name and="text"/></names>`, "Alexander von Humboldt, Eva Maria van der Vlist, and Chi-Hao Lim Jr."},
		{"delimiter-precedes-last never", `<names variable="author"><name and="symbol" delimiter-precedes-last="never"/></names>`, "Alexander von Humboldt, Eva Maria van der Vlist & Chi-Hao Lim Jr."},
		{"name-as-sort-order first", `<names variable="author"><name name-as-sort-order="first" initialize-with="."/></names>`, "Humboldt, A. von, E.M. van der Vlist, C.-H. Lim Jr."},
		{"name-as-sort-order all, sort-separator", `<names variable="author"><name name-as-sort-order="all" sort-separator=" " delimiter="; " initialize-with=""/></names>`, "Humboldt A von; Vlist EM van der; Lim C-H Jr."},
		{"initialize false", `<names variable="author"><name initialize="false" initialize-with=". " et-al-min="2" et-al-use-first="1"/></names>`, "Alexander von Humboldt et al."},
		{"et-al-use-last", `<names variable="author"><name form="short" et-al-min="3" et-al-use-first="1" et-al-use-last="true"/></names>`, "Humboldt, … Lim"},
		{"et-al's own term", `<names variable="author"><name form="short" et-al-min="3" et-al-use-first="1"/><et-al term="and others"/></names>`, "Humboldt and others"},
		{"delimiter-precedes-et-al always", `<names variable="author"><name form="short" et-al-min="3" et-al-use-first="1" delimiter-precedes-et-al="always"/></names>`, "Humboldt, et al."},
		{"name form count", `<names variable="author"><name form="count"/></names>`, "3"},
		{"name-part", `<names variable="author"><name form="short" et-al-min="3" et-al-use-first="2"><name-part name="family" text-case="uppercase"/></name></names>`, "HUMBOLDT, VAN DER VLIST, et al."},
		{"label before names", `<names variable="editor"><label form="verb" suffix=" "/><name/></names>`, "edited by Ivo Kern"},
		{"label after names", `<names variable="editor"><name/><label form="short" prefix=" (" suffix=")"/></names>`, "Ivo Kern (ed.)"},
		{"editor and translator of one name", `<names variable="editor translator"><name/><label form="short" prefix=", "/></names>`, "Ivo Kern, ed. and trans."},
		{"substitute silences what it prints", `<names variable="composer"><name/><substitute><names variable="illustrator"/><names variable="editor"/></substitute></names><names variable="editor" prefix="!"/>`, "Ivo Kern"},
		{"substitute with text", `<names variable="composer"><substitute><text variable="title" form="short"/></substitute></names><text variable="title" prefix="!"/>`, "Apis"},
	} {
		if got := strings.ReplaceAll(printed(t, layout(c.style), jar, Item{}), "\u00a0", " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}

// page-range-format (CSL 1.0.2, appendix V).
func TestPageRanges(t *testing.T) {
	for _, c := range [][5]string{ // first–last, expanded, minimal, minimal-two, chicago
		{"42–45", "42–45", "42–5", "42–45", "42–45"},
		{"321–328", "321–328", "321–8", "321–28", "321–28"},
		{"321–28", "321–328", "321–8", "321–28", "321–28"},
		{"2787–2816", "2787–2816", "2787–816", "2787–816", "2787–2816"},
		{"100–104", "100–104", "100–4", "100–04", "100–104"},
		{"101–108", "101–108", "101–8", "101–08", "101–8"},
		{"1100–1113", "1100–1113", "1100–13", "1100–13", "1100–1113"},
		{"1496–1500", "1496–1500", "1496–500", "1496–500", "1496–1500"},
		{"S12–S18", "S12–S18", "S12–8", "S12–18", "S12–S18"},
	} {
		for i, format := range []string{"expanded", "minimal", "minimal-two", "chicago"} {
			if got := func() string {
				w := Work{ID: "a", Text: map[string]string{"page": c[0]}}
				return printed(t, head+`page-range-format="`+format+`"><citation><layout><text variable="page"/></layout></citation></style>`, w, Item{})
			}(); got != c[i+1] && !(format == "chicago" && c[0] == "S12–S18") {
				t.Errorf("%s of %s: %s, want %s", format, c[0], got, c[i+1])
			}
		}
	}
}

// Where a particle goes (CSL 1.0.2, demote-non-dropping-particle).
func TestParticles(t *testing.T) {
	w := Work{ID: "a", Names: map[string][]Name{"author": {{Family: "Vlist", Given: "Eva", Particle: "van der"}}}}
	for rule, want := range map[string]string{"never": "van der Vlist, Eva", "sort-only": "van der Vlist, Eva", "display-and-sort": "Vlist, Eva van der"} {
		style := head + `demote-non-dropping-particle="` + rule + `"><citation><layout><names variable="author"><name name-as-sort-order="all"/></names></layout></citation></style>`
		if got := printed(t, style, w, Item{}); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

// An author-date style: letters, more names, given names, collapsing, the sorted
// list and its repeated authors.
func TestAuthorDateStyle(t *testing.T) {
	const style = head + `>
<macro name="who"><names variable="author"><name form="short" and="text" initialize-with=". "/></names></macro>
<citation et-al-min="3" et-al-use-first="1" disambiguate-add-names="true" disambiguate-add-givenname="true" disambiguate-add-year-suffix="true" collapse="year-suffix" year-suffix-delimiter="," after-collapse-delimiter=" / ">
 <sort><key macro="who"/><key variable="issued"/></sort>
 <layout prefix="(" suffix=")" delimiter="; "><group delimiter=", "><group delimiter=" "><text macro="who"/><date variable="issued"><date-part name="year"/></date></group><group><label variable="locator" form="short" suffix=" "/><text variable="locator"/></group></group></layout>
</citation>
<bibliography subsequent-author-substitute="—" et-al-min="4" et-al-use-first="1">
 <sort><key variable="author"/><key variable="issued" sort="descending"/><key variable="title"/></sort>
 <layout suffix="."><group delimiter=". "><names variable="author"><name name-as-sort-order="all" initialize-with=". "/></names><date variable="issued"><date-part name="year"/></date><text variable="title"/></group></layout>
</bibliography></style>`
	n := func(names ...string) (out []Name) {
		for _, s := range names {
			family, given, _ := strings.Cut(s, " ")
			out = append(out, Name{Family: family, Given: given})
		}
		return
	}
	w := func(id string, year int, title string, names ...string) Work {
		return Work{ID: id, Type: "book", Text: map[string]string{"title": title}, Names: map[string][]Name{"author": n(names...)}, Dates: map[string]Date{"issued": {Year: year}}}
	}
	works := []Work{w("a1", 2001, "Zeta", "Abel Ann"), w("a2", 2001, "Alpha", "Abel Ann"), w("a3", 1999, "Old", "Abel Ann"),
		w("b1", 2000, "One", "Bell Bo", "Cole Cy", "Dee Di"), w("b2", 2000, "Two", "Bell Bo", "Cole Cy", "Eve Ed"),
		w("k1", 2005, "K", "Kern Ivo"), w("k2", 2005, "L", "Kern Rosa")}
	s := ownSet(t, style, works, "a1", "a2", "a3", "b1", "b2", "k1", "k2")
	for _, c := range []struct {
		rule  string
		items []Item
		want  string
	}{
		{"the letters follow the list", []Item{{Key: "a1"}}, "(Abel 2001b)"},
		{"names until they differ", []Item{{Key: "b1"}}, "(Bell, Cole, and Dee 2000)"},
		{"initials of given names", []Item{{Key: "k1"}}, "(I. Kern 2005)"},
		{"years collapse, letters too", []Item{{Key: "a1"}, {Key: "a3"}, {Key: "a2"}, {Key: "k2"}}, "(Abel 1999, 2001a,b / R. Kern 2005)"},
		{"locators stand apart", []Item{at("a1", "p. 5"), at("a2", "")}, "(Abel 2001a, 2001b, p. 5)"},
		{"the author left out", []Item{{Key: "k1", NoAuthor: true}}, "(2005)"},
	} {
		if got := strings.ReplaceAll(text(s.Cite(c.items, false)), "\u00a0", " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
	if got := strings.ReplaceAll(text(s.Cite([]Item{at("b1", "7")}, true)), "\u00a0", " "); got != "Bell, Cole, and Dee (2000, p. 7)" {
		t.Errorf("in the sentence: %q", got)
	}
	var list []string
	for _, e := range s.List([]string{"a1", "a2", "a3", "b1", "k1"}) {
		list = append(list, strings.ReplaceAll(plainOf(e.Spans), "\u00a0", " "))
	}
	want := "Abel, A. 2001a. Alpha.|—. 2001b. Zeta.|—. 1999. Old.|Bell, B., Cole, C., Dee, D. 2000. One.|Kern, I. 2005. K."
	if got := strings.Join(list, "|"); got != want {
		t.Errorf("the list:\n got %s\nwant %s", got, want)
	}
}

// A numbered style whose list is sorted: numbers follow the list.
func TestNumberedStyle(t *testing.T) {
	const style = head + `>
<citation collapse="citation-number"><sort><key variable="citation-number"/></sort>
 <layout prefix="[" suffix="]" delimiter=", "><text variable="citation-number"/><text variable="locator" prefix=": "/></layout></citation>
<bibliography second-field-align="flush" entry-spacing="0"><sort><key variable="title"/></sort>
 <layout><text variable="citation-number" suffix="."/><text variable="title" prefix=" "/></layout></bibliography></style>`
	var works []Work
	for _, id := range []string{"d", "c", "b", "a"} {
		works = append(works, Work{ID: id, Type: "book", Text: map[string]string{"title": id}})
	}
	s := ownSet(t, style, works, "d", "c", "b", "a")
	if got := text(s.Cite([]Item{{Key: "d"}, {Key: "a"}, {Key: "b"}, {Key: "c"}}, false)); got != "[1–4]" {
		t.Error(got)
	}
	if got := text(s.Cite([]Item{at("d", "7"), at("a", "")}, false)); got != "[1, 4: 7]" {
		t.Error(got)
	}
	e := s.List([]string{"d", "a"})
	if e[0].Label != "1." || plainOf(e[0].Spans) != "a" || e[1].Label != "4." {
		t.Errorf("%+v", e)
	}
}

// A style in notes: position, near notes, the first note's number.
func TestNoteStyle(t *testing.T) {
	style := strings.Replace(head, "in-text", "note", 1) + `><citation near-note-distance="2"><layout suffix="."><choose>
<if position="ibid-with-locator"><text term="ibid" text-case="capitalize-first"/><text variable="locator" prefix=" "/></if>
<else-if position="ibid"><text term="ibid" text-case="capitalize-first"/></else-if>
<else-if position="near-note"><text variable="title" prefix="near "/></else-if>
<else-if position="subsequent"><text variable="title"/><text variable="first-reference-note-number" prefix=" n "/></else-if>
<else><text variable="title" prefix="full "/><text variable="locator" prefix=" "/></else></choose></layout></citation></style>`
	var works []Work
	for _, id := range []string{"a", "b", "c", "d"} {
		works = append(works, Work{ID: id, Type: "book", Text: map[string]string{"title": strings.ToUpper(id)}})
	}
	s := ownSet(t, style, works, "a", "b", "c", "d")
	if !s.Notes() || s.Crosses() != true {
		t.Error("the style cites in notes")
	}
	uses := []Use{{Items: []Item{at("a", "1")}}, {Items: []Item{at("a", "1")}}, {Items: []Item{at("a", "2")}}, {Items: []Item{at("a", "")}}, {Items: []Item{at("b", "")}},
		{Items: []Item{at("a", "")}}, {Items: []Item{at("c", ""), at("c", "")}}, {Items: []Item{at("d", "")}}, {Items: []Item{at("b", "")}}, {Items: []Item{at("b", "")}, Scope: 1}}
	places, firsts := s.Places(uses)
	var got []string
	for i, u := range uses {
		for k := range u.Items {
			it := u.Items[k]
			it.Place = places[i][k]
			if f := firsts[i][k]; f >= 0 {
				it.Place.First = f + 1
			}
			got = append(got, text(s.Cite([]Item{it}, false)))
		}
	}
	want := "full A 1.|Ibid.|Ibid. 2.|near A.|full B.|near A.|full C.|Ibid.|full D.|B n 5.|full B."
	if g := strings.Join(got, "|"); g != want {
		t.Errorf("\n got %s\nwant %s", g, want)
	}
}

// Terms of the style's own go before the language's; a language that is not there
// takes English.
func TestOwnTerms(t *testing.T) {
	style := head + `><locale><terms><term name="in">within</term></terms></locale><locale xml:lang="de"><terms><term name="in">innen</term></terms></locale><citation><layout><text term="in"/></layout></citation></style>`
	w := []Work{{ID: "a", Type: "book"}}
	for lang, want := range map[string]string{"en-us": "within", "de-at": "innen", "sw": "within"} {
		s := New(w, []string{"a"}, Options{Style: "custom", Custom: style, Locale: lang})
		if got := text(s.Cite([]Item{{Key: "a"}}, false)); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}

// What is no style says what to do.
func TestUnreadableStyles(t *testing.T) {
	for src, want := range map[string]string{
		"":                             "put the text of a .csl file there",
		"not xml":                      "there is no XML in it",
		"<html/>":                      "not with <style>",
		"<style/>":                     "has no <citation>",
		"<style><citation/></style>":   "has no <layout>",
		"<style><citation>":            "no readable CSL",
		layout(`<text macro="gone"/>`): `macro "gone"`,
		head + `><macro name="a"><text macro="b"/></macro><macro name="b"><text macro="a"/></macro><citation><layout><text macro="a"/></layout></citation></style>`: "calls itself",
		head + `><info><link href="http://www.zotero.org/styles/nature" rel="independent-parent"/></info></style>`:                                                  "it is nature under another name",
		strings.Repeat("<a>", 5000):            "inside one another",
		"<style>" + strings.Repeat(" ", 2<<20): "at most",
	} {
		s := New(nil, nil, Options{Style: "custom", Custom: src})
		if err := s.Fault(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", src, err, want)
		}
		if len(s.List(nil)) != 0 {
			t.Error("a list of nothing")
		}
	}
}

// A style whose macros double with each call prints nothing of a work: the citation
// prints as it was written, the entry as its key.
func TestMacrosThatDouble(t *testing.T) {
	var b strings.Builder
	b.WriteString(head + ">")
	for i := range 60 {
		name := string([]byte{'a' + byte(i/26), 'a' + byte(i%26)})
		next := string([]byte{'a' + byte((i+1)/26), 'a' + byte((i+1)%26)})
		b.WriteString(`<macro name="` + name + `"><text macro="` + next + `"/><text macro="` + next + `"/></macro>`)
	}
	b.WriteString(`<macro name="ci"><text value="x"/></macro><citation disambiguate-add-year-suffix="true"><layout><text macro="aa"/></layout></citation></style>`)
	s := ownSet(t, b.String(), []Work{{ID: "a"}, {ID: "b"}}, "a", "b")
	if c := s.Cite([]Item{{Key: "a"}, {Key: "b"}}, false); !c.Overrun || len(c.Spans) > 0 || !s.Overrun() {
		t.Errorf("%+v", c)
	}
	// So does one that repeats a text, or puts much around each of many.
	long := strings.Repeat("long ", 1000)
	for _, layout := range []string{`<text value="` + long + `"/>`, `<group delimiter="` + long + `">` + strings.Repeat(`<text variable="title"/>`, 30) + `</group>`,
		strings.Repeat(`<group prefix="a, ">`, 40) + strings.Repeat(`<text variable="title"/>`, 200) + strings.Repeat(`</group>`, 40)} {
		s := ownSet(t, head+`><citation><layout>`+layout+`</layout></citation><bibliography><layout>`+layout+`</layout></bibliography></style>`,
			[]Work{{ID: "a", Text: map[string]string{"title": "A title"}}}, "a")
		if c := s.Cite([]Item{{Key: "a"}}, false); !c.Overrun || len(c.Spans) > 0 {
			t.Errorf("%.60s: %d bytes", layout, len(text(c)))
		}
		if e := s.List([]string{"a"})[0]; !e.Overrun || plainOf(e.Spans) != "a" {
			t.Errorf("%.60s: the entry %+v", layout, e)
		}
	}
	// A work may be as long as it likes.
	w := Work{ID: "a", Text: map[string]string{"title": long + long, "note": "x"}}
	s = ownSet(t, head+`><citation><layout><text variable="title"/><text variable="note" prefix=". "/></layout></citation></style>`, []Work{w}, "a")
	if c := s.Cite([]Item{{Key: "a"}}, false); c.Overrun || len(text(c)) < 2*len(long) {
		t.Errorf("a long work: %d bytes", len(text(c)))
	}
}

func TestLocators(t *testing.T) {
	for in, want := range map[string]string{
		"12": "page|12|", "pp. 12--15": "page|12–15|", "p 3, 5-7": "page|3, 5–7|", "chap. 2": "chapter|2|", "12–13, besonders": "page|12–13|, besonders",
		"xii": "page|xii|", "passim": "||, passim", "§ 4": "section|4|", "§4": "section|4|", "第12页": "page|12|", "fig. 3a and text": "figure|3a| and text",
		"s.v. bee": "sub-verbo|bee|", "vol. 2, p. 5": "volume|2|, p. 5", "": "||", "A12–A15": "page|A12–A15|", "l. 7 ff.": "line|7| ff.",
	} {
		label, locator, suffix := Locator(in)
		if got := label + "|" + locator + "|" + suffix; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzStyle(f *testing.F) {
	for _, id := range []string{"apa", "oscola", "ieee", "gb7714-numeric", "common"} {
		data, err := os.ReadFile("library/styles/" + id + ".csl")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := New(append(pool(t), jar), everything, Options{Style: "custom", Custom: src, Locale: "en", Collapse: true, Link: true})
		s.List(everything)
		items := []Item{at("hoffmann1998", "5"), at("lim2011a", ""), at("lim2011b", "")}
		s.Cite(items, false)
		s.Cite(items[:1], true)
		s.Places([]Use{{Items: items}, {Items: items[1:2]}, {Items: items[1:2]}})
	})
}
