package markup

import (
	"strconv"
	"strings"
	"time"
)

// months are the names of the months as they stand in a date. A Catalan name
// brings its preposition along.
var months = map[string][12]string{
	"en": {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	"es": {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
	"de": {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
	"fr": {"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
	"it": {"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"},
	"pt": {"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"},
	"ca": {"de gener", "de febrer", "de març", "d’abril", "de maig", "de juny", "de juliol", "d’agost", "de setembre", "d’octubre", "de novembre", "de desembre"},
	"nl": {"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"},
	"ar": {"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"},
}

// dateForms say how a date is written: D day, M month's name, m its number, Y
// year. A region's form goes before its language's.
var dateForms = map[string]string{
	"en": "M D, Y", "es": "D de M de Y", "de": "D. M Y", "fr": "D M Y", "it": "D M Y", "pt": "D de M de Y",
	"ca": "D M del Y", "nl": "D M Y", "ar": "D M Y",
	"zh": "Y年m月D日", "ja": "Y年m月D日", "ko": "Y년 m월 D일",
	"en-gb": "D M Y", "en-ie": "D M Y", "en-au": "D M Y", "en-nz": "D M Y", "en-in": "D M Y", "en-za": "D M Y",
}

// LongDate writes out a calendar day in a language (a BCP 47 tag; unknown ones
// get the English form).
func LongDate(t time.Time, locale string) string {
	tag := strings.ToLower(strings.ReplaceAll(locale, "_", "-"))
	language, rest, _ := strings.Cut(tag, "-")
	region, _, _ := strings.Cut(rest, "-")
	form, ok := dateForms[language+"-"+region]
	if !ok {
		form, ok = dateForms[language]
	}
	if !ok {
		language, form = "en", dateForms["en"]
	}
	var sb strings.Builder
	for _, c := range form {
		switch c {
		case 'D':
			sb.WriteString(strconv.Itoa(t.Day()))
		case 'M':
			sb.WriteString(months[language][t.Month()-1])
		case 'm':
			sb.WriteString(strconv.Itoa(int(t.Month())))
		case 'Y':
			sb.WriteString(strconv.Itoa(t.Year()))
		default:
			sb.WriteRune(c)
		}
	}
	if language == "ar" && arabicDigits(tag, region) {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r - '0' + '٠'
			}
			return r
		}, sb.String())
	}
	return sb.String()
}

// arabicDigits reports whether an Arabic tag writes ٠١٢: unless it asks for
// other digits, all but the Maghreb and the Emirates do.
func arabicDigits(tag, region string) bool {
	if i := strings.Index(tag, "-nu-"); i >= 0 {
		return strings.HasPrefix(tag[i+4:], "arab")
	}
	switch region {
	case "ae", "dz", "eh", "ly", "ma", "tn":
		return false
	}
	return true
}
