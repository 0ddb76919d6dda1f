// Package collate orders words as the reference works of the supported languages
// do (Unicode Collation Algorithm, UTS 10, with the root order and the one
// tailoring that matters to them): word by word, accents and case deciding only
// between words that are otherwise equal, signs passed over, figures before
// letters.
package collate

import "strings"

// plain gives the letters of a letter with marks, for the Latin script. Each
// entry is a plain form and the letters that reduce to it.
var plain = func() map[rune]string {
	m := map[rune]string{}
	for _, e := range []struct{ to, from string }{
		{"a", "àáâãäåāăąǎǟǡǻȁȃȧạảấầẩẫậắằẳẵặ"}, {"ae", "æǽǣ"}, {"c", "çćĉċč"}, {"d", "ďđḍð"}, {"e", "èéêëēĕėęěȅȇȩẹẻẽếềểễệ"}, {"g", "ĝğġģǧǵ"},
		{"h", "ĥħḥ"}, {"i", "ìíîïĩīĭįıǐȉȋỉị"}, {"ij", "ĳ"}, {"j", "ĵǰ"}, {"k", "ķǩ"}, {"l", "ĺļľŀłḷ"}, {"n", "ñńņňŉǹṇ"}, {"o", "òóôõöøōŏőǒǫǿȍȏȯọỏốồổỗộơớờởỡợ"},
		{"oe", "œ"}, {"r", "ŕŗřȑȓṛ"}, {"s", "śŝşšșṣ"}, {"ss", "ß"}, {"t", "ţťŧțṭ"}, {"th", "þ"}, {"u", "ùúûüũūŭůűųǔǖǘǚǜȕȗụủưứừửữự"}, {"w", "ŵẁẃẅ"},
		{"y", "ýÿŷȳỳỵỷỹ"}, {"z", "źżžẓ"},
		{"α", "ά"}, {"ε", "έ"}, {"η", "ή"}, {"ι", "ίϊΐ"}, {"ο", "ό"}, {"υ", "ύϋΰ"}, {"ω", "ώ"}, {"σ", "ς"}, {"е", "ёѐ"}, {"и", "йѝ"},
	} {
		for _, r := range e.from {
			m[r] = e.to
		}
	}
	return m
}()

// Fold reduces text to plain small letters: accents and case go.
func Fold(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch p, ok := plain[r]; {
		case ok:
			b.WriteString(p)
		case r >= 0x300 && r < 0x370: // combining marks
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Key is a string that orders as the word does in a language (a BCP 47 tag).
// Words with equal keys differ in accents, case or signs alone.
func Key(s, lang string) string {
	spanish := strings.HasPrefix(lang, "es")
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if spanish && r == 'ñ' { // a letter of its own, behind n
			b.WriteString("n\uffff")
			continue
		}
		p, ok := plain[r]
		switch {
		case r == ' ' || r == '\u00a0' || r == '-' || r == '–' || r == '/' || r == '\t' || r == '\n':
			gap = b.Len() > 0
			continue
		case ok:
		case r >= 0x300 && r < 0x370:
			continue
		case r < '0' || r > '9' && r < 'a' || r > 'z' && r < 0xc0 || r >= 0x2000 && r < 0x2070 || r == 0x3001 || r == 0x3002:
			continue // a sign
		default:
			p = string(r)
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteString(p)
	}
	return b.String()
}

// Compare orders two words in a language; 0 only for equal ones.
func Compare(a, b, lang string) int {
	if c := strings.Compare(Key(a, lang), Key(b, lang)); c != 0 {
		return c
	}
	// Unaccented before accented, small before capital.
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return -strings.Compare(a, b)
}

// Initial is the letter a word is filed under, in capitals; "0" for figures, ""
// for signs.
func Initial(s, lang string) string {
	k := Key(s, lang)
	for _, r := range k {
		switch {
		case r >= '0' && r <= '9':
			return "0"
		case strings.HasPrefix(k, "n\uffff"):
			return "Ñ"
		}
		return strings.ToUpper(string(r))
	}
	return ""
}
