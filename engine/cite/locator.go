package cite

import (
	"strings"
	"unicode/utf8"
)

// The words of locators (document-format.md 10), by what they count.
var locatorWords = func() map[string]string {
	m := map[string]string{}
	for label, words := range map[string]string{
		"page": "p pp page pages pág págs página páginas s seite seiten 页", "chapter": "chap chaps chapter chapters ch cap caps capítulo capítulos kap 章",
		"section": "sec secs section sections § §§ sección secciones secc 节", "figure": "fig figs figure figures figura figuras 图",
		"volume": "vol vols volume volumes volumen volúmenes 卷 册", "note": "n nn note notes nota notas 注", "line": "l ll line lines línea líneas 行",
		"paragraph": "para paras paragraph paragraphs párr ¶ ¶¶ 段", "column": "col cols column columns columna columnas 栏", "book": "bk bks book books libro",
		"part": "pt pts part parts parte partes 部分", "verse": "v vv verse verses verso versos", "number": "no nos number núm número números 号",
		"opus": "op opp opus", "sub-verbo": "s.v s.vv", "article-locator": "art arts article artículo 条", "folio": "fol fols folio folios", "issue": "期",
	} {
		for _, w := range strings.Fields(words) {
			m[w] = label
		}
	}
	return m
}()

// Locator reads what stands behind a key: a term and its numbers, and what
// follows them. A bare number is a page; what has no number is all suffix.
func Locator(text string) (label, locator, suffix string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", "", ""
	}
	rest := text
	label = "page"
	// 第12页: the word stands behind its number.
	if tail, ok := strings.CutPrefix(text, "第"); ok {
		n := numbersAt(tail)
		word, after := tail[n:], ""
		if _, size := utf8.DecodeRuneInString(word); size > 0 {
			word, after = word[:size], word[size:]
		}
		if l := locatorWords[word]; n > 0 && l != "" {
			return l, pageRange(tail[:n]), suffixOf(after)
		}
	}
	// A term goes before a roman numeral of the same letters.
	if k := strings.IndexFunc(rest, func(r rune) bool { return r == ' ' || r == '\u00a0' || r >= '0' && r <= '9' }); k > 0 {
		word := strings.ToLower(strings.TrimSuffix(rest[:k], "."))
		tail := strings.TrimLeft(rest[k:], " \u00a0")
		switch l := locatorWords[word]; {
		case l == "sub-verbo": // it is followed by a word
			entry, after, comma := strings.Cut(tail, ",")
			if comma {
				after = "," + after
			}
			return l, strings.TrimSpace(entry), after
		case l != "" && numbersAt(tail) > 0:
			label, rest = l, tail
		}
	}
	n := numbersAt(rest)
	if n == 0 {
		return "", "", ", " + text
	}
	return label, pageRange(strings.TrimRight(rest[:n], " ")), suffixOf(rest[n:])
}

func suffixOf(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasPrefix(s, ",") || strings.HasPrefix(s, ";") {
		return s
	}
	return " " + s
}

// numbersAt is the length of the numbers a text begins with: figures and roman
// numerals, perhaps with letters, with dashes, commas and ampersands between.
func numbersAt(s string) int {
	end := 0
	for i := 0; i < len(s); {
		k := i
		for k < len(s) && (isFigure(s[k]) || s[k] >= 'a' && s[k] <= 'z' || s[k] >= 'A' && s[k] <= 'Z' || s[k] == '.' && k+1 < len(s) && isFigure(s[k+1]) || s[k] == ':' && k+1 < len(s) && isFigure(s[k+1])) {
			k++
		}
		word := s[i:k]
		lead := strings.TrimLeft(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if word == "" || !isFigureWord(lead) && strings.Trim(strings.ToLower(word), "ivxlcdm") != "" {
			break
		}
		end = k
		// What may stand between two numbers.
		j := k
		for j < len(s) && strings.IndexByte(" ,&-", s[j]) >= 0 || strings.HasPrefix(s[j:], "–") || strings.HasPrefix(s[j:], "—") {
			if s[j] >= 0x80 {
				j += 2
			}
			j++
		}
		if j == k || strings.TrimSpace(s[k:j]) == "" {
			break
		}
		i = j
	}
	return end
}

func isFigureWord(w string) bool {
	return w != "" && isFigure(w[0])
}
