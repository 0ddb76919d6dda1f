package cite

import (
	"strings"
	"unicode/utf8"
)

// accents of TeX, and the combining characters they are.
var texAccents = map[byte]rune{'`': 0x300, '\'': 0x301, '^': 0x302, '~': 0x303, '=': 0x304, 'u': 0x306, '.': 0x307, '"': 0x308, 'r': 0x30A,
	'H': 0x30B, 'v': 0x30C, 'd': 0x323, 'c': 0x327, 'k': 0x328, 'b': 0x331}

// composed are the letters with those accents, by accent: base and letter in
// turn.
var composed = map[rune]string{
	0x300: "AÀaàEÈeèIÌiìOÒoòUÙuùNǸnǹ", 0x301: "AÁaáCĆcćEÉeéIÍiíLĹlĺNŃnńOÓoóRŔrŕSŚsśUÚuúYÝyýZŹzź", 0x302: "AÂaâCĈcĉEÊeêGĜgĝHĤhĥIÎiîJĴjĵOÔoôSŜsŝUÛuûWŴwŵYŶyŷ",
	0x303: "AÃaãIĨiĩNÑnñOÕoõUŨuũ", 0x304: "AĀaāEĒeēIĪiīOŌoōUŪuū", 0x306: "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭ", 0x307: "CĊcċEĖeėGĠgġIİZŻzż",
	0x308: "AÄaäEËeëIÏiïOÖoöUÜuüYŸyÿ", 0x30A: "AÅaåUŮuů", 0x30B: "OŐoőUŰuű", 0x30C: "CČcčDĎdďEĚeěNŇnňRŘrřSŠsšTŤtťZŽzžGǦgǧ",
	0x323: "AẠaạSṢsṣTṬtṭHḤhḥ", 0x327: "CÇcçSŞsşTŢtţKĶkķLĻlļNŅnņ", 0x328: "AĄaąEĘeęIĮiįUŲuų",
}

// texLetters are letters and signs by command.
var texLetters = map[string]string{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł",
	"i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "S": "§", "P": "¶", "copyright": "©", "pounds": "£",
	"ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
	"textquotedblright": "”", "textasciitilde": "~", "textbackslash": "\\", "textregistered": "®", "texttrademark": "™", "textdegree": "°", "degree": "°",
	"LaTeX": "LaTeX", "TeX": "TeX", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "lambda": "λ", "mu": "μ", "pi": "π", "sigma": "σ",
	"times": "×", "pm": "±", "to": "→", "rightarrow": "→", "leq": "≤", "geq": "≥", "infty": "∞", "guillemotleft": "«", "guillemotright": "»",
	"slash": "/", "newline": " ", " ": " ", "-": "", "/": "", ",": "\u2009"}

// texText turns a BibTeX value into plain text: accents are composed, braces and
// commands of type go, dashes and quotes become what they stand for.
func texText(s string) string {
	if !strings.ContainsAny(s, "\\{}~$-`'\n\t ") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i += texCommand(&b, s, i+1) + 1
		case c == '{' || c == '}' || c == '$':
			i++
		case c == '~':
			b.WriteString("\u00a0")
			i++
		case c == '-' && strings.HasPrefix(s[i:], "---"):
			b.WriteString("—")
			i += 3
		case c == '-' && strings.HasPrefix(s[i:], "--"):
			b.WriteString("–")
			i += 2
		case strings.HasPrefix(s[i:], "``"):
			b.WriteString("“")
			i += 2
		case strings.HasPrefix(s[i:], "''"):
			b.WriteString("”")
			i += 2
		case c == '\'':
			b.WriteString("’")
			i++
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			if t := b.String(); t != "" && t[len(t)-1] != ' ' {
				b.WriteByte(' ')
			}
			i++
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
			i += n
		}
	}
	return strings.TrimSpace(b.String())
}

// texCommand reads the command behind a backslash and returns its length.
func texCommand(b *strings.Builder, s string, at int) int {
	i := at
	for i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
		i++
	}
	name := s[at:i]
	if name == "" {
		_, n := utf8.DecodeRuneInString(s[at:])
		name, i = s[at:at+n], at+n
	}
	if len(name) == 1 {
		if mark, ok := texAccents[name[0]]; ok {
			// The letter follows, in braces or not.
			k := i
			for k < len(s) && (s[k] == ' ' || s[k] == '{') {
				k++
			}
			if k < len(s) {
				base, n := utf8.DecodeRuneInString(s[k:])
				if base == '\\' && k+1 < len(s) && (s[k+1] == 'i' || s[k+1] == 'j') {
					base, n = rune(s[k+1]), 2
				}
				if base != '}' && base != '\\' {
					b.WriteString(compose(base, mark))
					return k + n - at
				}
			}
			return i - at
		}
	}
	if t, ok := texLetters[name]; ok {
		b.WriteString(t)
		if i < len(s) && s[i] == ' ' && name[0] >= 'A' {
			i++
		}
		return i - at
	}
	switch name {
	case "&", "%", "$", "#", "_", "{", "}":
		b.WriteString(name)
	}
	// Anything else is a change of type: what it applies to is text.
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i - at
}

func compose(base, mark rune) string {
	list := []rune(composed[mark])
	for i := 0; i+1 < len(list); i += 2 {
		if list[i] == base {
			return string(list[i+1])
		}
	}
	return string([]rune{base, mark})
}
