package settings

import (
	"slices"
	"strings"
)

// words are the built-in strings of a language (settings.md 9.2).
type words struct {
	lang                       string
	figure, figures, fig       string
	table, tables, tab         string
	video, videos              string
	suffix, marker             string
	chapter, section, page     string
	see, seeAlso, bibliography string
	symbols                    string
	tpl                        string // numbering template; "" is the usual one
}

// languages are tried by the whole tag, then by its language; the first is the
// one every other language gets.
var languages = []words{
	{lang: "en", figure: "Figure", figures: "Figures", fig: "Fig.", table: "Table", tables: "Tables", tab: "Tab.", video: "Video", videos: "Videos",
		suffix: "(cont.)", marker: "Continued", chapter: "chapter {n}", section: "section {n}", page: "p. {n}", see: "see", seeAlso: "see also", bibliography: "Bibliography", symbols: "Symbols"},
	{lang: "es", figure: "Figura", figures: "Figuras", fig: "Fig.", table: "Tabla", tables: "Tablas", tab: "Tabla", video: "Vídeo", videos: "Vídeos",
		suffix: "(cont.)", marker: "Continúa", chapter: "capítulo {n}", section: "sección {n}", page: "pág. {n}", see: "véase", seeAlso: "véase también", bibliography: "Bibliografía", symbols: "Símbolos"},
	{lang: "fr", figure: "Figure", figures: "Figures", fig: "Fig.", table: "Tableau", tables: "Tableaux", tab: "Tabl.", video: "Vidéo", videos: "Vidéos",
		suffix: "(suite)", marker: "À suivre", chapter: "chapitre {n}", section: "section {n}", page: "p. {n}", see: "voir", seeAlso: "voir aussi", bibliography: "Bibliographie", symbols: "Symboles"},
	{lang: "de", figure: "Abbildung", figures: "Abbildungen", fig: "Abb.", table: "Tabelle", tables: "Tabellen", tab: "Tab.", video: "Video", videos: "Videos",
		suffix: "(Forts.)", marker: "Wird fortgesetzt", chapter: "Kapitel {n}", section: "Abschnitt {n}", page: "S. {n}", see: "siehe", seeAlso: "siehe auch", bibliography: "Literatur", symbols: "Symbole"},
	{lang: "it", figure: "Figura", figures: "Figure", fig: "Fig.", table: "Tabella", tables: "Tabelle", tab: "Tab.", video: "Video", videos: "Video",
		suffix: "(segue)", marker: "Continua", chapter: "capitolo {n}", section: "sezione {n}", page: "p. {n}", see: "vedi", seeAlso: "vedi anche", bibliography: "Bibliografia", symbols: "Simboli"},
	{lang: "pt", figure: "Figura", figures: "Figuras", fig: "Fig.", table: "Tabela", tables: "Tabelas", tab: "Tab.", video: "Vídeo", videos: "Vídeos",
		suffix: "(cont.)", marker: "Continua", chapter: "capítulo {n}", section: "seção {n}", page: "p. {n}", see: "ver", seeAlso: "ver também", bibliography: "Bibliografia", symbols: "Símbolos"},
	{lang: "ca", figure: "Figura", figures: "Figures", fig: "Fig.", table: "Taula", tables: "Taules", tab: "Taula", video: "Vídeo", videos: "Vídeos",
		suffix: "(cont.)", marker: "Continua", chapter: "capítol {n}", section: "secció {n}", page: "p. {n}", see: "vegeu", seeAlso: "vegeu també", bibliography: "Bibliografia", symbols: "Símbols"},
	{lang: "nl", figure: "Figuur", figures: "Figuren", fig: "Fig.", table: "Tabel", tables: "Tabellen", tab: "Tab.", video: "Video", videos: "Video's",
		suffix: "(vervolg)", marker: "Wordt vervolgd", chapter: "hoofdstuk {n}", section: "paragraaf {n}", page: "p. {n}", see: "zie", seeAlso: "zie ook", bibliography: "Literatuur", symbols: "Symbolen"},
	{lang: "zh-hant", figure: "圖", figures: "圖", fig: "圖", table: "表", tables: "表", tab: "表", video: "影片", videos: "影片",
		suffix: "（續）", marker: "接下頁", chapter: "第{n}章", section: "第{n}節", page: "第{n}頁", see: "見", seeAlso: "另見", bibliography: "參考文獻", symbols: "符號", tpl: "{h1}-{n}"},
	{lang: "zh", figure: "图", figures: "图", fig: "图", table: "表", tables: "表", tab: "表", video: "视频", videos: "视频",
		suffix: "（续）", marker: "接下页", chapter: "第{n}章", section: "第{n}节", page: "第{n}页", see: "见", seeAlso: "另见", bibliography: "参考文献", symbols: "符号", tpl: "{h1}-{n}"},
	{lang: "ja", figure: "図", figures: "図", fig: "図", table: "表", tables: "表", tab: "表", video: "動画", videos: "動画",
		suffix: "（続）", marker: "次ページへ続く", chapter: "第{n}章", section: "第{n}節", page: "{n}ページ", see: "→", seeAlso: "→", bibliography: "参考文献", symbols: "記号", tpl: "{h1}-{n}"},
	{lang: "ar", figure: "شكل", figures: "أشكال", fig: "شكل", table: "جدول", tables: "جداول", tab: "جدول", video: "فيديو", videos: "فيديو",
		suffix: "(تابع)", marker: "يتبع", chapter: "الفصل {n}", section: "القسم {n}", page: "ص {n}", see: "انظر", seeAlso: "انظر أيضًا", bibliography: "المراجع", symbols: "رموز", tpl: "{h1}-{n}"},
}

// wordsOf returns the built-in strings of a language tag.
func wordsOf(tag string) *words {
	tag = strings.ReplaceAll(strings.ToLower(tag), "_", "-")
	if strings.HasPrefix(tag, "zh") && (strings.HasPrefix(tag, "zh-tw") || strings.HasPrefix(tag, "zh-hk") || strings.HasPrefix(tag, "zh-mo")) {
		tag = "zh-hant"
	}
	for _, want := range [...]string{tag, baseLanguage(tag)} {
		if want == "zh-hant" || strings.HasPrefix(want, "zh-hant-") {
			want = "zh-hant"
		}
		for i := range languages {
			if languages[i].lang == want {
				return &languages[i]
			}
		}
	}
	return &languages[0]
}

// builtInFor is the list that stands where none is stored; that of the resource
// types is named in the document's language.
func (s *Setting) builtInFor(lang string) *node {
	if s.Path != "resourceTypes" {
		return s.def
	}
	w := wordsOf(lang)
	kind := func(id, name, plural, short string) *node {
		n := objNode("id", strNode(id), "name", strNode(name), "namePlural", strNode(plural), "shortLabel", strNode(short), "captionPrefix", strNode(name))
		if w.tpl != "" {
			n = n.with("numberingTemplate", strNode(w.tpl))
		}
		return n
	}
	return &node{kind: list, kids: []*node{
		kind("figure", w.figure, w.figures, w.fig),
		kind("table", w.table, w.tables, w.tab),
		kind("video", w.video, w.videos, w.video),
	}}
}

// byLanguage are the values taken from the document's language, and those that
// depend on several settings outside the first sections.
func (v *view) byLanguage(s *Setting, keys []string) *node {
	w := v.words
	switch s.name {
	case "continuedSuffix":
		if s.Follows == "" {
			return strNode(w.suffix)
		}
	case "continuesMarker":
		if s.Follows == "" {
			return strNode(w.marker)
		}
	}
	japanese := baseLanguage(v.lang) == "ja"
	switch s.Path {
	case "captionStyle.labelNumberGap":
		if japanese {
			return strNode("")
		}
		return strNode("\u00a0")
	case "captionStyle.labelSeparator":
		if japanese {
			return strNode("\u3000")
		}
		return strNode(". ")
	case "crossRefs.chapter":
		return strNode(w.chapter)
	case "crossRefs.section":
		return strNode(w.section)
	case "crossRefs.page":
		return strNode(w.page)
	case "index.see.label":
		return strNode(w.see)
	case "index.see.alsoLabel":
		return strNode(w.seeAlso)
	case "index.groups.symbolsLabel":
		return strNode(w.symbols)
	case "index.groups.marginTop":
		return v.at("index.lineHeight")
	case "index.ignoreArticle":
		return boolNode(baseLanguage(v.lang) == "ar")
	case "citations.bibliography.title":
		return strNode(w.bibliography)
	case "calloutStyles[].numbering.counter":
		if len(keys) > 0 {
			return strNode(keys[0])
		}
	case "toc.levels[].numberFontWeight":
		if v.set("toc.levels[].fontWeight", keys...) {
			return v.at("toc.levels[].fontWeight", keys...)
		}
		return v.at("bodyText.boldFontWeight")
	case "toc.pageNumber.fontFamily", "toc.subtitle.fontFamily":
		return v.firstListed("fontFamily")
	case "toc.pageNumber.fontSize", "toc.subtitle.fontSize":
		return v.firstListed("fontSize")
	case "footnotes.numbering":
		if v.at("footnotes.placement").str == "column" && (v.at("footnotes.numberFormat").str == "symbols" || v.at("footnotes.numberFormat").str == "*") || japanese {
			return strNode("page")
		}
		return strNode("chapter")
	case "lineNumbers.restart":
		if v.at("lineNumbers.count").str == "verse" {
			return strNode("poem")
		}
		return strNode("page")
	case "print.inkLimit":
		return v.inkLimit()
	case "folio.paper.type":
		if v.newspaper() {
			return strNode("newsprint")
		}
	case "folio.binding.type":
		if v.newspaper() {
			return strNode("folded")
		}
	case "folio.paper.grammage", "folio.paper.bulk", "folio.paper.finish", "folio.paper.texture", "folio.paper.shade":
		return v.stock(s.name)
	case "comics.lettering.fontFamily":
		return strNode(v.lettering())
	case "comics.lettering.lineHeight":
		switch baseLanguage(v.lang) {
		case "zh", "ja":
			return numNode(1.5)
		case "ar":
			return numNode(1.45)
		}
		return numNode(1.15)
	}
	return nil
}

func (v *view) firstListed(field string) *node {
	if selectors, _ := v.items(schema().byPath["toc.levels"], nil); len(selectors) > 0 {
		return v.at("toc.levels[]."+field, selectors[0])
	}
	return v.at("bodyText." + field)
}

func (v *view) newspaper() bool {
	return slices.Contains([]string{"broadsheet", "berliner", "tabloid", "compact"}, v.at("page.sizePreset").str)
}

// inkLimit is the limit of the output profile (settings.md 33.1).
func (v *view) inkLimit() *node {
	switch v.at("print.outputProfile").str {
	case "fogra30", "fogra40":
		return numNode(340)
	case "ifra26":
		return numNode(230)
	case "snap2007":
		return numNode(320)
	case "custom":
		return v.at("print.customProfile.inkLimit")
	}
	return numNode(300)
}

// stocks are the papers of settings.md 35: grammage, bulk, finish, texture, shade.
var stocks = map[string]struct {
	grammage, bulk         float64
	finish, texture, shade string
}{
	"uncoated":    {90, 1.25, "uncoated", "wove", "#fcfbf8"},
	"bookWove":    {80, 1.6, "uncoated", "wove", "#f6efdc"},
	"coatedMatte": {115, 1.0, "matte", "smooth", "#fdfdfc"},
	"coatedSilk":  {115, 0.9, "silk", "smooth", "#ffffff"},
	"coatedGloss": {115, 0.8, "gloss", "smooth", "#ffffff"},
	"bible":       {40, 1.1, "uncoated", "vellum", "#f9f6ee"},
	"newsprint":   {48, 1.5, "uncoated", "wove", "#ebe7dc"},
	"cardStock":   {250, 1.2, "uncoated", "vellum", "#fbfaf6"},
	"board":       {1250, 1.6, "silk", "smooth", "#ffffff"},
}

func (v *view) stock(field string) *node {
	st := stocks[v.at("folio.paper.type").str]
	switch field {
	case "grammage":
		return numNode(st.grammage)
	case "bulk":
		return numNode(st.bulk)
	case "finish":
		return strNode(st.finish)
	case "texture":
		return strNode(st.texture)
	}
	return objNode("hex", strNode(st.shade), "model", strNode("hex"))
}

func (v *view) lettering() string {
	tag := strings.ToLower(v.lang)
	switch baseLanguage(tag) {
	case "ja":
		return "Zen Antique"
	case "zh":
		if wordsOf(tag).lang == "zh-hant" {
			return "LXGW WenKai TC"
		}
		return "Noto Sans SC"
	case "ar":
		return "Playpen Sans Arabic"
	}
	return "Comic Neue"
}
