package cite

import "strings"

// Work is one entry of a bibliography. Its parts have the names of CSL 1.0.2's
// variables: title, container-title, volume, page …; author, editor …; issued,
// accessed ….
type Work struct {
	ID, Type string // Type of CSL: article-journal, book, chapter, …
	Text     map[string]string
	Names    map[string][]Name
	Dates    map[string]Date
}

// put sets a part that is not empty.
//
//go:noinline
func (w *Work) put(variable, value string) {
	if value == "" {
		return
	}
	if w.Text == nil {
		w.Text = map[string]string{}
	}
	w.Text[variable] = value
}

//go:noinline
func (w *Work) putNames(variable string, names []Name) {
	if len(names) == 0 {
		return
	}
	if w.Names == nil {
		w.Names = map[string][]Name{}
	}
	w.Names[variable] = names
}

//go:noinline
func (w *Work) putDate(variable string, d Date) {
	if d == (Date{}) {
		return
	}
	if w.Dates == nil {
		w.Dates = map[string]Date{}
	}
	w.Dates[variable] = d
}

// Name is a person, or a body in Literal. A non-dropping particle (van der
// Vlist) stays with the family name where the given name goes; a dropping one
// (Alexander von Humboldt, Humboldt) goes with it.
type Name struct {
	Family, Given, Suffix string
	Particle, Dropping    string
	Literal               string
}

// others is the name that stands for "and others".
func (n *Name) others() bool {
	return strings.EqualFold(n.Literal, "others") || n.Given == "" && n.Particle == "" && strings.EqualFold(n.Family, "others")
}

// Date is a date as far as it is known; Year 0: not at all. A range has an end.
type Date struct {
	Year, Month, Day          int
	EndYear, EndMonth, EndDay int
	Season                    int // 1 spring … 4 winter
	Circa                     bool
	Literal                   string
}

// The kinds of variables. What is in none of these is text.
var (
	nameVariables = wordSet("author chair collection-editor compiler composer container-author contributor curator director editor editor-translator " +
		"editorial-director executive-producer guest host illustrator interviewer narrator organizer original-author performer producer recipient " +
		"reviewed-author script-writer series-creator translator")
	dateVariables   = wordSet("accessed available-date event-date issued original-date submitted")
	numberVariables = wordSet("chapter-number citation-number collection-number edition first-reference-note-number issue locator number number-of-pages " +
		"number-of-volumes page page-first part-number printing-number section supplement-number version volume")
)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
