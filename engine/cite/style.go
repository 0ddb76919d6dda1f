package cite

// class is a kind of work a style has a form for.
type class uint8

const (
	article class = iota
	book
	chapter
	thesis
	report
	web
	classes
)

// classOf sorts the types of CSL.
func classOf(w *Work) class {
	switch w.Type {
	case "article-journal", "article-magazine", "article-newspaper", "article", "review", "review-book":
		return article
	case "chapter", "paper-conference", "entry", "entry-dictionary", "entry-encyclopedia":
		return chapter
	case "thesis":
		return thesis
	case "report":
		return report
	case "webpage", "post", "post-weblog":
		return web
	case "document", "manuscript", "dataset", "software":
		if w.Publisher == "" && (w.URL != "" || w.DOI != "") {
			return web
		}
	}
	return book
}

// nameForm says how the names of a list are written.
type nameForm struct {
	inverted int    // how many begin with the family name; -1: all
	given    string // full, spaced ("A. B."), tight ("A.B."), bare ("AB")
	comma    string // between family and given name
	between  string
	last     string // before the last of three or more
	pair     string // between two
	most     int    // names beyond which the list is cut
	use      int    // to so many
	ellipsis bool   // cut lists end … and the last name
}

// style is one way of citing. In the templates {x} is a field, [ ] a group that
// vanishes when a field of its own is empty, ⟦ ⟧ are brackets that print, * turns italics on and off and _
// bold type; « and » are the language's quotation marks.
type style struct {
	ids      []string
	numbered bool
	marker   string // brackets, superscript
	label    string // of the list's numbers

	and      string // in the text, between two names; "" the language's word
	yearGap  string // between name and year
	locGap   string // before a locator
	pageWord bool   // pages are marked in locators
	noYear   bool   // author and page alone
	most     int    // authors from which only the first is named

	names nameForm
	forms [classes]string
}

var styles = []style{
	{ids: []string{"apa"}, and: "&", yearGap: ", ", locGap: ", ", pageWord: true, most: 3,
		names: nameForm{-1, "spaced", ", ", ", ", ", & ", ", & ", 20, 19, true},
		forms: [classes]string{
			article: "{authors}. ({yearmonth}). {title}.[ *{container}*][, *{volume}*][({issue})][, {pages}].[ {link}]",
			book:    "{authors}. ({year}). *{title}*[ ({edition})][ ⟦{kind}⟧].[ {publisher}.][ {link}]",
			chapter: "{authors}. ({year}). {title}. {In}[ {editorsfirst} ({ed}),] *{container}*[ ({pagesof})].[ {publisher}.][ {link}]",
			thesis:  "{authors}. ({year}). *{title}* ⟦{genre}[, {publisher}]⟧.[ {link}]",
			report:  "{authors}. ({year}). *{title}*[ ({genre}[ {numberword} {number}])].[ {publisher}.][ {link}]",
			web:     "{authors}. ({fulldate}). *{title}*.[ {container}.][ {link}]",
		}},
	{ids: []string{"chicago-author-date"}, yearGap: " ", locGap: ", ", most: 4,
		names: nameForm{1, "full", ", ", ", ", ", {and} ", ", {and} ", 10, 7, false},
		forms: [classes]string{
			article: "{authors}. {year}.[ «{title}.»][ *{container}*][ {volume}][ ({issue})][: {pages}].[ {link}.]",
			book:    "{authors}. {year}. *{title}*.[ {edition}.][ {Translated}.][ {place}[: {publisher}].][ {publisheralone}.][ {link}.]",
			chapter: "{authors}. {year}.[ «{title}.»] {In} *{container}*[, {editedby}][, {pages}].[ {place}[: {publisher}].][ {publisheralone}.][ {link}.]",
			thesis:  "{authors}. {year}.[ «{title}.»] {genre}[, {publisher}].[ {link}.]",
			report:  "{authors}. {year}. *{title}*.[ {genre}[ {number}].][ {place}[: {publisher}].][ {publisheralone}.][ {link}.]",
			web:     "{authors}. {year}.[ «{title}.»][ {container}.][ {daymonth}.][ {link}.]",
		}},
	{ids: []string{"harvard-cite-them-right"}, yearGap: ", ", locGap: ", ", pageWord: true, most: 4,
		names: nameForm{-1, "tight", ", ", ", ", " {and} ", " {and} ", 3, 1, false},
		forms: [classes]string{
			article: "{authors} ({year})[ ‘{title}’][, *{container}*][, {volume}][({issue})][, {pagesof}].[ {available} {link}.]",
			book:    "{authors} ({year}) *{title}*.[ {edition}.][ {place}[: {publisher}].][ {publisheralone}.][ {available} {link}.]",
			chapter: "{authors} ({year})[ ‘{title}’], {in}[ {editorsfirst} ({ed})] *{container}*.[ {place}[: {publisher}]][ {publisheralone}][, {pagesof}].[ {available} {link}.]",
			thesis:  "{authors} ({year}) *{title}*. {genre}.[ {publisher}.][ {available} {link}.]",
			report:  "{authors} ({year}) *{title}*.[ {genre}[ {number}].][ {place}[: {publisher}].][ {publisheralone}.][ {available} {link}.]",
			web:     "{authors} ({year}) *{title}*[, *{container}*].[ {available} {link}][ ({accessed})].",
		}},
	{ids: []string{"modern-language-association"}, locGap: " ", noYear: true, most: 3,
		names: nameForm{1, "full", ", ", ", ", ", {and} ", ", {and} ", 2, 1, false},
		forms: [classes]string{
			article: "{authors}.[ «{title}.»][ *{container}*][, {volword} {volume}][, {numberword} {issue}][, {monthyear}][, {pagesof}][, {link}].",
			book:    "{authors}. *{title}*.[ {Translated},][ {edition},][ {publisher},][ {year}][, {link}].",
			chapter: "{authors}.[ «{title}.»] *{container}*[, {editedby}][, {publisher}][, {year}][, {pagesof}][, {link}].",
			thesis:  "{authors}. *{title}*. {year}.[ {publisher},] {genre}[, {link}].",
			report:  "{authors}. *{title}*.[ {publisher},][ {year}][, {link}].",
			web:     "{authors}.[ «{title}.»][ *{container}*,][ {datemla}][, {link}].[ {Accessed}.]",
		}},
	{ids: []string{"ieee"}, numbered: true, marker: "brackets", label: "[{n}]", locGap: ", ", pageWord: true,
		names: nameForm{0, "spaced", "", ", ", ", {and} ", " {and} ", 6, 1, false},
		forms: [classes]string{
			article: "{authors},[ «{title},»][ *{container}*][, {volword} {volume}][, {numberword} {issue}][, {pagesof}][, {monthyear}][, doi: {doi}][. {url}].",
			book:    "{authors}, *{title}*[, {edition}].[ {place}[: {publisher}]][ {publisheralone}][, {year}][, doi: {doi}][. {url}].",
			chapter: "{authors},[ «{title},»] {in} *{container}*[, {editorsfirst}, {ed}][, {place}[: {publisher}]][, {publisheralone}][, {year}][, {pagesof}][, doi: {doi}][. {url}].",
			thesis:  "{authors},[ «{title},»] {genre}[, {publisher}][, {place}][, {year}][. {url}].",
			report:  "{authors},[ «{title},»][ {publisher}][, {place}][, {genre}[ {number}]][, {year}][, doi: {doi}][. {url}].",
			web:     "{authors},[ «{title},»][ *{container}*][, {year}].[ {Accessed}.][ {link}]",
		}},
	{ids: []string{"elsevier-vancouver", "vancouver"}, numbered: true, marker: "brackets", label: "[{n}]", locGap: ", ", pageWord: true,
		names: nameForm{-1, "bare", " ", ", ", ", ", ", ", 6, 6, false},
		forms: [classes]string{
			article: "{authors}. {title}.[ {container}][ {year}][;{volume}][:{pages}].[ {link}.]",
			book:    "{authors}. {title}.[ {edition}.][ {place}[: {publisher}];][ {publisheralone};] {year}.[ {link}.]",
			chapter: "{authors}. {title}. {In}[: {editorsfirst}, {ed}.] {container}[, {place}[: {publisher}]][, {publisheralone}]; {year}[, {pagesof}].[ {link}.]",
			thesis:  "{authors}. {title}. {genre}.[ {publisher}][, {year}].[ {link}.]",
			report:  "{authors}. {title}.[ {place}[: {publisher}];][ {publisheralone};] {year}.[ {link}.]",
			web:     "{authors}. {title}.[ {container}][ {year}].[ {link}][ ({accessed})].",
		}},
	{ids: []string{"american-medical-association"}, numbered: true, marker: "superscript", label: "{n}.", locGap: "",
		names: nameForm{-1, "bare", " ", ", ", ", ", ", ", 6, 3, false},
		forms: [classes]string{
			article: "{authors}. {title}.[ *{container}*.][ {year}][;{volume}][({issue})][:{pages}].[ doi:{doi}][ {url}]",
			book:    "{authors}. *{title}*.[ {edition}.][ {publisher};] {year}.[ doi:{doi}][ {url}]",
			chapter: "{authors}. {title}. {In}[: {editorsfirst}, {ed}] *{container}*.[ {publisher};] {year}[:{pages}].[ doi:{doi}][ {url}]",
			thesis:  "{authors}. *{title}*. {genre}.[ {publisher};] {year}.[ {url}]",
			report:  "{authors}. *{title}*.[ {publisher};] {year}.[ doi:{doi}][ {url}]",
			web:     "{authors}. {title}.[ {container}.][ {fulldate}.][ {Accessed}.][ {link}]",
		}},
	{ids: []string{"nature"}, numbered: true, marker: "superscript", label: "{n}.", locGap: "",
		names: nameForm{-1, "spaced", ", ", ", ", " & ", " & ", 5, 1, false},
		forms: [classes]string{
			article: "{authors}. {title}.[ *{container}*][ _{volume}_][, {pages}][ ({year})].[ {link}]",
			book:    "{authors}. *{title}*[ ({publisherplace}{year})].[ {link}]",
			chapter: "{authors}. {title}. {in} *{container}*[ ({edshort} {editorsfirst})][ {pages}][ ({publisherplace}{year})].[ {link}]",
			thesis:  "{authors}. {title}. {genre}[ ({publisherplace}{year})].[ {link}]",
			report:  "{authors}. *{title}*[ ({publisherplace}{year})].[ {link}]",
			web:     "{authors}. {title}.[ *{container}*][ {link}][ ({year})].",
		}},
}

// styleOf finds a style by id; an unknown one is the first.
func styleOf(id string) (*style, bool) {
	for i := range styles {
		for _, s := range styles[i].ids {
			if s == id {
				return &styles[i], true
			}
		}
	}
	return &styles[0], id == ""
}
