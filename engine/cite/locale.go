package cite

import "strings"

// words are what a language says in citations (CSL locale files, in the forms
// the styles use).
type words struct {
	title                         string // of the list
	and, etAl, noDate             string
	page, pages, chapter          string
	editor, editors, editedBy     string // (Ed.), (Eds.), edited by
	translatedBy, in              string
	edition                       string
	volume, number                string
	accessed, availableAt, thesis string
	open, shut, openIn, shutIn    string // quotation marks, outer and inner
	months                        string
	ordinal                       func(n string) string
}

func ordinalEn(n string) string {
	suffix := "th"
	switch {
	case strings.HasSuffix(n, "11"), strings.HasSuffix(n, "12"), strings.HasSuffix(n, "13"):
	case strings.HasSuffix(n, "1"):
		suffix = "st"
	case strings.HasSuffix(n, "2"):
		suffix = "nd"
	case strings.HasSuffix(n, "3"):
		suffix = "rd"
	}
	return n + suffix
}

func dotted(n string) string { return n + "." }

var languages = map[string]*words{
	"en": {"References", "and", "et al.", "n.d.", "p.", "pp.", "chap.", "Ed.", "Eds.", "edited by", "translated by", "In", "ed.", "vol.", "no.",
		"Accessed", "Available at:", "PhD thesis", "“", "”", "‘", "’",
		"January February March April May June July August September October November December", ordinalEn},
	"es": {"Referencias", "y", "et al.", "s. f.", "p.", "pp.", "cap.", "Ed.", "Eds.", "editado por", "traducido por", "En", "ed.", "vol.", "n.º",
		"Consultado el", "Disponible en:", "Tesis doctoral", "«", "»", "“", "”",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", func(n string) string { return n + ".ª" }},
	"fr": {"Références", "et", "et al.", "s. d.", "p.", "p.", "chap.", "éd.", "éds.", "édité par", "traduit par", "Dans", "éd.", "vol.", "nᵒ",
		"Consulté le", "Disponible à l’adresse :", "Thèse de doctorat", "«\u202f", "\u202f»", "“", "”",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre", func(n string) string {
			if n == "1" {
				return "1ʳᵉ"
			}
			return n + "ᵉ"
		}},
	"de": {"Literatur", "und", "et al.", "o. J.", "S.", "S.", "Kap.", "Hrsg.", "Hrsg.", "herausgegeben von", "übersetzt von", "In", "Aufl.", "Bd.", "Nr.",
		"Zugegriffen am", "Verfügbar unter:", "Dissertation", "„", "“", "‚", "‘",
		"Januar Februar März April Mai Juni Juli August September Oktober November Dezember", dotted},
	"it": {"Riferimenti bibliografici", "e", "et al.", "s.d.", "p.", "pp.", "cap.", "a c. di", "a c. di", "a cura di", "tradotto da", "In", "ed.", "vol.", "fasc.",
		"Consultato il", "Disponibile su:", "Tesi di dottorato", "«", "»", "“", "”",
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre", func(n string) string { return n + "ª" }},
	"pt": {"Referências", "e", "et al.", "s.d.", "p.", "pp.", "cap.", "Org.", "Orgs.", "editado por", "traduzido por", "Em", "ed.", "vol.", "n.º",
		"Consultado em", "Disponível em:", "Tese de doutoramento", "«", "»", "“", "”",
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro", func(n string) string { return n + ".ª" }},
	"ca": {"Referències", "i", "et al.", "s.d.", "p.", "p.", "cap.", "ed.", "ed.", "editat per", "traduït per", "Dins", "ed.", "vol.", "núm.",
		"Consultat el", "Disponible a:", "Tesi doctoral", "«", "»", "“", "”",
		"gener febrer març abril maig juny juliol agost setembre octubre novembre desembre", func(n string) string { return n + "a" }},
	"nl": {"Literatuur", "en", "et al.", "z.d.", "p.", "pp.", "hfdst.", "red.", "red.", "onder redactie van", "vertaald door", "In", "dr.", "vol.", "nr.",
		"Geraadpleegd", "Beschikbaar op:", "Proefschrift", "‘", "’", "“", "”",
		"januari februari maart april mei juni juli augustus september oktober november december", func(n string) string { return n + "e" }},
}

// wordsOf gives the words of a language, English for one that is not here.
func wordsOf(locale string) *words {
	lang, _, _ := strings.Cut(strings.ToLower(locale), "-")
	if w := languages[lang]; w != nil {
		return w
	}
	return languages["en"]
}

// Title is the heading of the list in a language.
func Title(locale string) string { return wordsOf(locale).title }

// month names a month; short cuts it for the styles that do.
func (w *words) month(n int, short bool) string {
	f := strings.Fields(w.months)
	if n < 1 || n > len(f) {
		return ""
	}
	m := f[n-1]
	if r := []rune(m); short && len(r) > 4 {
		return string(r[:3]) + "."
	}
	return m
}
