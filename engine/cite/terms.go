package cite

import (
	"strings"
)

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

// languages are the terms by language: name[.form] one[|several]. Dates are
// written with the parts y, m (month's name), n (its number), nn, d, dd; months
// and their short names stand in a row.
var languages = map[string]string{
	"en": `and and
and.symbol &
et-al et al.
and others and others
no date no date
no date.short n.d.
in in
edition edition|editions
edition.short ed.|eds.
accessed accessed
retrieved retrieved
available at available at
from from
by by
at at
cited cited
ibid ibid.
anonymous anonymous
forthcoming forthcoming
in press in press
online online
internet internet
interview interview
letter letter
personal-communication personal communication
presented at presented at the
review-of review of
reference reference|references
version version
version.short v.
circa circa
circa.short c.
ad AD
bc BC
thesis PhD thesis
book book|books
book.short bk.|bks.
chapter chapter|chapters
chapter.short chap.|chaps.
column column|columns
column.short col.|cols.
figure figure|figures
figure.short fig.|figs.
folio folio|folios
folio.short fol.|fols.
issue number|numbers
issue.short no.|nos.
line line|lines
line.short l.|ll.
note note|notes
note.short n.|nn.
number number|numbers
number.short no.|nos.
opus opus|opera
opus.short op.|opp.
page page|pages
page.short p.|pp.
number-of-pages page|pages
number-of-pages.short p.|pp.
paragraph paragraph|paragraphs
paragraph.short para.|paras.
paragraph.symbol ¶|¶¶
part part|parts
part.short pt.|pts.
section section|sections
section.short sec.|secs.
section.symbol §|§§
sub-verbo sub verbo|sub verbis
sub-verbo.short s.v.|s.vv.
verse verse|verses
verse.short v.|vv.
volume volume|volumes
volume.short vol.|vols.
article-locator article|articles
article-locator.short art.|arts.
director director|directors
director.short dir.|dirs.
director.verb directed by
editor editor|editors
editor.short ed.|eds.
editor.verb edited by
editor.verb-short ed. by
editorial-director editor|editors
editorial-director.short ed.|eds.
illustrator illustrator|illustrators
illustrator.short ill.|ills.
illustrator.verb illustrated by
translator translator|translators
translator.short trans.|trans.
translator.verb translated by
translator.verb-short trans. by
editortranslator editor and translator|editors and translators
editortranslator.short ed. and trans.|eds. and trans.
editortranslator.verb edited and translated by
interviewer.verb interview by
container-author.verb by
reviewed-author.verb by
collection-editor editor|editors
collection-editor.short ed.|eds.
collection-editor.verb edited by
recipient.verb to
ordinal th
ordinal-01 st
ordinal-02 nd
ordinal-03 rd
ordinal-11 th
ordinal-12 th
ordinal-13 th
long-ordinal-01 first
long-ordinal-02 second
long-ordinal-03 third
long-ordinal-04 fourth
long-ordinal-05 fifth
long-ordinal-06 sixth
long-ordinal-07 seventh
long-ordinal-08 eighth
long-ordinal-09 ninth
long-ordinal-10 tenth
seasons Spring Summer Autumn Winter
months January February March April May June July August September October November December
months.short Jan. Feb. Mar. Apr. May June July Aug. Sep. Oct. Nov. Dec.
quotes “ ” ‘ ’
text m d, y
numeric nn/dd/y`,
	"es": `and y
et-al et al.
and others y otros
no date sin fecha
no date.short s. f.
in en
edition edición|ediciones
edition.short ed.|eds.
accessed accedido
retrieved recuperado
available at disponible en
from de
by por
at en
ibid ibid.
anonymous anónimo
forthcoming en preparación
in press en imprenta
online en línea
interview entrevista
version versión
circa circa
circa.short c.
ad d. C.
bc a. C.
thesis tesis doctoral
book libro|libros
chapter capítulo|capítulos
chapter.short cap.|caps.
column columna|columnas
column.short col.|cols.
figure figura|figuras
figure.short fig.|figs.
issue número|números
issue.short n.º|n.º
line línea|líneas
line.short l.|ls.
note nota|notas
note.short n.|nn.
number número|números
number.short n.º|n.º
page página|páginas
page.short p.|pp.
number-of-pages página|páginas
number-of-pages.short p.|pp.
paragraph párrafo|párrafos
paragraph.short párr.|párrs.
part parte|partes
part.short pt.|pts.
section sección|secciones
section.short sec.|secs.
verse verso|versos
verse.short v.|vv.
volume volumen|volúmenes
volume.short vol.|vols.
article-locator artículo|artículos
article-locator.short art.|arts.
editor editor|editores
editor.short ed.|eds.
editor.verb editado por
editor.verb-short ed. por
translator traductor|traductores
translator.short trad.|trads.
translator.verb traducido por
translator.verb-short trad. por
editortranslator.verb editado y traducido por
ordinal .ª
seasons primavera verano otoño invierno
months enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
months.short ene. feb. mar. abr. may. jun. jul. ago. sep. oct. nov. dic.
quotes « » “ ”
text d de m de y
numeric dd/nn/y`,
	"fr": `and et
et-al et al.
and others et autres
no date sans date
no date.short s. d.
in dans
edition édition|éditions
edition.short éd.|éd.
accessed consulté le
retrieved consulté
available at disponible à l’adresse
from à l’adresse
by par
at à
ibid ibid.
anonymous anonyme
forthcoming à paraître
in press sous presse
online en ligne
interview entretien
version version
circa vers
circa.short v.
ad apr. J.-C.
bc av. J.-C.
thesis thèse de doctorat
book livre|livres
chapter chapitre|chapitres
chapter.short chap.|chap.
column colonne|colonnes
column.short col.|col.
figure figure|figures
figure.short fig.|fig.
issue numéro|numéros
issue.short nᵒ|nᵒˢ
line ligne|lignes
line.short l.|l.
note note|notes
note.short n.|n.
number numéro|numéros
number.short nᵒ|nᵒˢ
page page|pages
page.short p.|p.
number-of-pages page|pages
number-of-pages.short p.|p.
paragraph paragraphe|paragraphes
paragraph.short paragr.|paragr.
part partie|parties
part.short part.|part.
section section|sections
section.short sect.|sect.
verse verset|versets
verse.short v.|v.
volume volume|volumes
volume.short vol.|vol.
article-locator article|articles
article-locator.short art.|art.
editor éditeur|éditeurs
editor.short éd.|éds.
editor.verb édité par
editor.verb-short éd. par
translator traducteur|traducteurs
translator.short trad.|trad.
translator.verb traduit par
translator.verb-short trad. par
editortranslator.verb édité et traduit par
ordinal ᵉ
ordinal-01 ʳᵉ
seasons printemps été automne hiver
months janvier février mars avril mai juin juillet août septembre octobre novembre décembre
months.short janv. févr. mars avr. mai juin juill. août sept. oct. nov. déc.
quotes «` + "\u202f \u202f" + `» “ ”
text d m y
numeric dd/nn/y`,
	"de": `and und
et-al u. a.
and others und andere
no date ohne Datum
no date.short o. J.
in in
edition Auflage|Auflagen
edition.short Aufl.|Aufl.
accessed zugegriffen
retrieved abgerufen
available at verfügbar unter
from von
by von
at auf
ibid ebd.
anonymous anonym
forthcoming im Erscheinen
in press im Druck
online online
interview Interview
version Version
circa circa
circa.short ca.
ad n. Chr.
bc v. Chr.
thesis Dissertation
book Buch|Bücher
chapter Kapitel|Kapitel
chapter.short Kap.|Kap.
column Spalte|Spalten
column.short Sp.|Sp.
figure Abbildung|Abbildungen
figure.short Abb.|Abb.
issue Nummer|Nummern
issue.short Nr.|Nr.
line Zeile|Zeilen
line.short Z.|Z.
note Fußnote|Fußnoten
note.short Fn.|Fn.
number Nummer|Nummern
number.short Nr.|Nr.
page Seite|Seiten
page.short S.|S.
number-of-pages Seite|Seiten
number-of-pages.short S.|S.
paragraph Absatz|Absätze
paragraph.short Abs.|Abs.
part Teil|Teile
part.short Teil|Teile
section Abschnitt|Abschnitte
section.short Abschn.|Abschn.
verse Vers|Verse
verse.short V.|V.
volume Band|Bände
volume.short Bd.|Bde.
article-locator Artikel|Artikel
article-locator.short Art.|Art.
editor Herausgeber|Herausgeber
editor.short Hrsg.|Hrsg.
editor.verb herausgegeben von
editor.verb-short hg. von
translator Übersetzer|Übersetzer
translator.short Übers.|Übers.
translator.verb übersetzt von
translator.verb-short übers. von
editortranslator.verb herausgegeben und übersetzt von
ordinal .
seasons Frühjahr Sommer Herbst Winter
months Januar Februar März April Mai Juni Juli August September Oktober November Dezember
months.short Jan. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.
quotes „ “ ‚ ‘
text d. m y
numeric d.nn.y`,
	"it": `and e
et-al et al.
no date senza data
no date.short s.d.
in in
edition edizione|edizioni
edition.short ed.|ed.
accessed consultato
retrieved consultato
available at disponibile su
from da
by di
at a
ibid ibid.
anonymous anonimo
in press in stampa
online online
circa.short c.
thesis tesi di dottorato
chapter capitolo|capitoli
chapter.short cap.|capp.
column.short col.|coll.
figure.short fig.|figg.
issue numero|numeri
issue.short fasc.|fasc.
line.short l.|ll.
note.short n.|nn.
number.short n.|nn.
page pagina|pagine
page.short p.|pp.
number-of-pages.short p.|pp.
paragraph.short par.|par.
part.short pt.|pt.
section.short sez.|sez.
verse.short v.|vv.
volume volume|volumi
volume.short vol.|vol.
editor curatore|curatori
editor.short a c. di|a c. di
editor.verb a cura di
translator.short trad.|trad.
translator.verb tradotto da
editortranslator.verb a cura e tradotto da
ordinal ª
seasons primavera estate autunno inverno
months gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
months.short gen. feb. mar. apr. mag. giu. lug. ago. set. ott. nov. dic.
quotes « » “ ”
text d m y
numeric dd/nn/y`,
	"pt": `and e
et-al et al.
no date sem data
no date.short s.d.
in em
edition edição|edições
edition.short ed.|eds.
accessed acedido
retrieved obtido
available at disponível em
from de
by por
at em
ibid ibid.
anonymous anónimo
in press no prelo
online em linha
circa.short c.
thesis tese de doutoramento
chapter capítulo|capítulos
chapter.short cap.|caps.
column.short col.|cols.
figure.short fig.|figs.
issue número|números
issue.short n.º|n.º
line.short l.|ll.
note.short n.|nn.
number.short n.º|n.º
page página|páginas
page.short p.|pp.
number-of-pages.short p.|pp.
paragraph.short par.|pars.
part.short pt.|pts.
section.short sec.|secs.
verse.short v.|vv.
volume volume|volumes
volume.short vol.|vols.
editor editor|editores
editor.short ed.|eds.
editor.verb editado por
translator.short trad.|trads.
translator.verb traduzido por
editortranslator.verb editado e traduzido por
ordinal .ª
seasons Primavera Verão Outono Inverno
months janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
months.short jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.
quotes « » “ ”
text d de m de y
numeric dd/nn/y`,
	"ca": `and i
et-al et al.
no date sense data
no date.short s.d.
in dins
edition edició|edicions
edition.short ed.|ed.
accessed consultat
retrieved recuperat
available at disponible a
from de
by per
at a
ibid ibíd.
anonymous anònim
in press en premsa
online en línia
circa.short c.
thesis tesi doctoral
chapter capítol|capítols
chapter.short cap.|cap.
column.short col.|col.
figure.short fig.|fig.
issue número|números
issue.short núm.|núm.
line.short l.|l.
note.short n.|n.
number.short núm.|núm.
page pàgina|pàgines
page.short p.|p.
number-of-pages.short p.|p.
paragraph.short par.|par.
part.short pt.|pt.
section.short sec.|sec.
verse.short v.|v.
volume volum|volums
volume.short vol.|vol.
editor editor|editors
editor.short ed.|ed.
editor.verb editat per
translator.short trad.|trad.
translator.verb traduït per
editortranslator.verb editat i traduït per
ordinal a
seasons primavera estiu tardor hivern
months gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
months.short gen. febr. març abr. maig juny jul. ag. set. oct. nov. des.
quotes « » “ ”
text d m y
numeric d/nn/y`,
	"nl": `and en
et-al et al.
no date zonder datum
no date.short z.d.
in in
edition druk|drukken
edition.short dr.|drn.
accessed geraadpleegd
retrieved geraadpleegd
available at beschikbaar op
from van
by door
at bij
ibid ibid.
anonymous anoniem
in press in druk
online online
circa.short ca.
thesis proefschrift
chapter hoofdstuk|hoofdstukken
chapter.short hfdst.|hfdst.
column.short kol.|kol.
figure.short fig.|fig.
issue nummer|nummers
issue.short nr.|nrs.
line.short r.|r.
note.short n.|n.
number.short nr.|nrs.
page pagina|pagina’s
page.short p.|pp.
number-of-pages.short p.|pp.
paragraph.short par.|par.
part.short dl.|dln.
section.short sec.|sec.
verse.short v.|v.
volume volume|volumes
volume.short vol.|vols.
editor redacteur|redacteuren
editor.short red.|red.
editor.verb onder redactie van
translator.short vert.|vert.
translator.verb vertaald door
editortranslator.verb onder redactie van en vertaald door
ordinal e
seasons lente zomer herfst winter
months januari februari maart april mei juni juli augustus september oktober november december
months.short jan. feb. mrt. apr. mei juni juli aug. sep. okt. nov. dec.
quotes ‘ ’ “ ”
text d m y
numeric dd-nn-y`,
	"zh": `and 和
and.symbol 和
et-al 等
and others 等
no date 不详
no date.short 不详
in 收入
edition 版
edition.short 版
accessed 见于
available at 载于
ibid 同上
anonymous 佚名
in press 印刷中
online 在线
thesis 博士学位论文
chapter 章
page 页
page.short 页
section 节
volume 卷
volume.short 卷
issue 期
issue.short 期
editor 编
editor.short 编
translator 译
translator.short 译
ordinal ` + "\u200b" + `
months 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月
months.short 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月
quotes “ ” ‘ ’
text y年md日
numeric y-nn-dd`,
	"ja": `and と
et-al ほか
and others ほか
no date 日付なし
no date.short n.d.
in in
edition 版
edition.short 版
accessed 参照
available at から取得
ibid 同書
anonymous 匿名
in press 印刷中
online オンライン
thesis 博士論文
chapter 章
page ページ
page.short p.|pp.
section 節
volume 巻
volume.short vol.|vols.
issue 号
issue.short no.|nos.
editor 編集者
editor.short 編
editor.verb 編集者：
translator 訳者
translator.short 訳
ordinal 番目
months 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月
months.short 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月
quotes 「 」 『 』
text y年md日
numeric y/n/d`,
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
// those the style brings itself.
func termsOf(locale string, st *style) *terms {
	locale = strings.ReplaceAll(locale, "_", "-")
	t := &terms{lang: primary(locale), words: map[string][2]string{}}
	read := func(table string) {
		for _, line := range strings.Split(table, "\n") {
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
	read(languages["en"])
	if own := languages[t.lang]; own != "" && t.lang != "en" {
		for _, k := range [...]string{"ordinal-01", "ordinal-02", "ordinal-03", "ordinal-11", "ordinal-12", "ordinal-13"} {
			delete(t.words, k)
		}
		read(own)
	}
	t.text, t.numeric = t.words["text"][0], t.words["numeric"][0]
	t.quoteInside = languages[t.lang] == "" || t.lang == "en"
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
	return t
}

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
