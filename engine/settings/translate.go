package settings

import (
	"strings"
	"sync"
)

// Words of the interface's other languages for the words labels are made of. A
// query is read word by word: "marge du haut" is "margin top". An entry of
// several English words stands for a compound ("Zeilenabstand").
var foreign = []struct{ english, words string }{
	{"margin", "margen margenes marge marges margine margini margem margens marges rand rander seitenrand seitenrander satzspiegel 页边距 边距 余白 マージン هامش هوامش"},
	{"top", "superior haut dessus oben obere oberer superiore alto sopra topo dalt 上 天 علوي أعلى"},
	{"bottom", "inferior bas dessous unten untere unterer inferiore basso sotto baix 下 地 سفلي أسفل"},
	{"left", "izquierdo izquierda gauche links linke linker sinistro sinistra esquerdo esquerda esquerre 左 أيسر يسار"},
	{"right", "derecho derecha droite droit rechts rechte rechter destro destra direito direita dret dreta 右 أيمن يمين"},
	{"inner", "interior interieur interieure innen innerer interno interna intern"},
	{"outer", "exterior exterieur exterieure aussen ausserer esterno esterna externo extern"},
	{"page", "pagina paginas pagine pages seite seiten pagines 页 页面 頁 ページ صفحة الصفحة"},
	{"size", "tamano taille grosse dimensione dimensioni grandezza tamanho mida corpo cuerpo corps cos 大小 尺寸 字号 サイズ 大きさ حجم مقاس"},
	{"colour", "colore colori couleur couleurs farbe farben cor cores kleur 颜色 顏色 色 لون ألوان"},
	{"heading", "subtitulo subtitulos sottotitolo sottotitoli titulo titulos titre titres intertitre uberschrift uberschriften titolo titoli encabezado encabezados titol titols 标题 標題 見出し عنوان العناوين"},
	{"text", "texto texte textes testo testi 正文 文字 文本 本文 テキスト نص النص"},
	{"column", "columna columnas colonne colonnes colonna spalte spalten coluna colunas columnes 栏 分栏 欄 段組 段 عمود أعمدة"},
	{"gutter", "medianil corredor medianiz gouttiere intercolonna spaltenabstand 栏间距 段間"},
	{"leading", "interlineado interlinea interligne interlineage interlinha entrelinha zeilenabstand durchschuss interlineat entrelinia 行距 行間 行高 التباعد"},
	{"typeface", "fuente tipografia letra police caractere caracteres schrift schriftart schriftfamilie carattere fonte tipus 字体 字體 書体 フォント خط الخط"},
	{"body size", "schriftgrosse schriftgrad"},
	{"weight", "grosor graisse strichstarke schriftschnitt peso pes 字重 太さ"},
	{"bold", "negrita gras fett grassetto neretto negrito 粗体 太字 عريض"},
	{"italic", "cursiva italique kursiv corsivo italico 斜体 斜體 イタリック مائل"},
	{"indent", "sangria alinea retrait einzug rientro recuo avanco sagnat 缩进 縮排 字下げ إزاحة"},
	{"alignment", "alineacion alignement ausrichtung allineamento alinhamento alineacio 对齐 對齊 揃え محاذاة"},
	{"justify", "justificado justifie blocksatz giustificato giustificazione justificat 两端对齐 両端揃え ضبط"},
	{"ragged", "bandera drapeau flattersatz bandiera"},
	{"hyphenation", "guiones particion division cesure cesures coupure silbentrennung worttrennung trennung sillabazione hifenizacao translineacao guionet 断字 連字 ハイフネーション"},
	{"footnote", "pie nota notas notes fussnote fussnoten rodape peu 脚注 腳註 حاشية حواشي"},
	{"caption", "leyenda pie legende legendes bildunterschrift bildunterschriften didascalia didascalie legenda llegenda peu 图注 圖說 キャプション"},
	{"figure", "figura figuras abbildung abbildungen bild bilder immagine immagini imagen imagenes image images imagem figures 图 圖 図 شكل صورة"},
	{"table", "tabla tablas tableau tableaux tabelle tabellen tabella tabela tabelas taula taules 表 表格 جدول"},
	{"list", "lista listas liste listes listen elenco elenchi llista llistes 列表 箇条書き リスト قائمة"},
	{"number", "numero numeros nummer numeracion numerotation nummerierung numerazione numeracao numeracio 编号 編號 番号 رقم ترقيم"},
	{"page number", "seitenzahl seitenzahlen folios paginazione paginacion 页码 頁碼 ノンブル"},
	{"bullet", "vineta vinetas puce puces aufzahlungszeichen marcador punto elenco vinyeta 项目符号 項目符號 行頭記号"},
	{"blockquote", "cita citas citation zitat zitate citazione citacao cites 引用 اقتباس"},
	{"chapter", "capitulo capitulos chapitre chapitres kapitel capitolo capitoli capitols capitol 章 فصل"},
	{"header", "cabecera encabezado cabezal entete kopfzeile kolumnentitel testatina intestazione cabecalho capcalera 页眉 頁眉 柱 رأس"},
	{"footer", "fusszeile piedino rodape pied pie 页脚 頁腳 フッター تذييل"},
	{"width", "ancho anchura largeur breite larghezza largura amplada 宽度 寬度 幅 عرض"},
	{"height", "alto altura hauteur hohe altezza alcada 高度 高さ ارتفاع"},
	{"background", "fondo fond hintergrund sfondo fundo fons 背景 خلفية"},
	{"border", "borde bordure rahmen bordo borda vora 边框 枠 إطار"},
	{"space", "espacio espace abstand spazio espaco espai 间距 間隔 アキ مسافة"},
	{"word", "palabra palabras mot mots wort worte parola parole palavra paraula 词 語 كلمة"},
	{"letter", "letra lettre lettres buchstabe lettera lettere lletra 字母"},
	{"paragraph", "parrafo parrafos paragraphe paragraphes absatz absatze paragrafo paragrafi paragraf 段落 فقرة"},
	{"line", "linea lineas ligne lignes zeile zeilen riga righe linha linies 行 سطر"},
	{"first", "primera primer premiere premier erste ersten erstzeile prima primo primeira"},
	{"new", "nueva nuevo nouvelle neue neuen nuova nuovo nova novo"},
	{"widow", "viuda viudas veuve veuves hurenkind orfana orfane viuva vidua"},
	{"orphan", "huerfana huerfanas orpheline orphelines schusterjunge vedova vedove orfa orfes"},
	{"contents", "indice sumario sommaire inhaltsverzeichnis inhalt sumari 目录 目錄 目次 فهرس المحتويات"},
	{"index", "indice register stichwortverzeichnis analitico remissivo alfabetico 索引"},
	{"code", "codigo codice quelltext quellcode codi 代码 コード"},
	{"formula", "formula formule formules formeln formel equazioni ecuacion 公式 数式"},
	{"language", "idioma lengua langue langues sprache lingua llengua 语言 語言 言語 لغة اللغة"},
	{"paper", "papel papier carta paper 纸 用紙 ورق"},
	{"baseline", "base grundlinie grundlinienraster 基线 ベースライン"},
	{"grid", "reticula rejilla grille raster griglia grelha 网格 グリッド شبكة"},
	{"bleed", "sangrado fondperdu beschnitt anschnitt abbondanza 出血 裁ち落とし"},
	{"crop", "corte coupe schnittmarken taglio 裁切"},
	{"rule", "filete filet linie linien filetto fio"},
	{"box", "recuadro caja encadre kasten riquadro caixa quadre 框 コラム مربع"},
	{"bibliography", "bibliografia bibliographie literaturverzeichnis 参考文献 文献"},
	{"drop cap", "capitular capitulares lettrine initiale capolettera caplletra 首字下沉 ドロップキャップ"},
	{"binding", "encuadernacion reliure bindung rilegatura lombada 装订 綴じ تجليد"},
	{"body size", "schriftgroesse"},
	{"text colour", "textfarbe"},
	{"heading colour", "uberschriftenfarbe"},
	{"column width", "spaltenbreite"},
	{"column number", "spaltenzahl"},
	{"first indent", "erstzeileneinzug"},
	{"line break", "zeilenumbruch umbruch salto 换行 改行"},
	{"page break", "seitenumbruch"},
	{"word space", "wortabstand wortzwischenraum"},
	{"figure", "picture pictures photo photos illustration illustrations foto fotos"},
	{"link", "enlace enlaces vinculo vinculos lien liens collegamento collegamenti verweis verweise"},
	{"side", "lateral laterale laterali lateraux"},
	{"roman", "romano romanos romana romanas romani romane romain romains romische romischen"},
	{"above", "antes encima arriba avant davor"},
	{"below", "despues debajo abajo apres danach"},
	{"letter spacing", "sperren laufweite crenage 字距 字間"},
}

// foreignWords maps a folded word of another language to the English ones.
var foreignWords = sync.OnceValue(func() map[string][][]string {
	m := make(map[string][][]string)
	for _, f := range foreign {
		english := strings.Fields(f.english)
		for _, w := range splitWords(f.words) {
			m[w] = append(m[w], english)
		}
	}
	return m
})

// phrases are expressions whose words would mislead, and what they say.
var phrases = strings.NewReplacer("a pie de pagina", "footnote", "al pie de pagina", "footnote", "a pie di pagina", "footnote", "pie de pagina", "footer",
	"pie di pagina", "footer", "bas de page", "footnote", "pie de figura", "caption", "pie de foto", "caption",
	"tabla de contenidos", "contents", "indice de contenidos", "contents", "indice generale", "contents", "table des matieres", "contents")

// fillersAbroad are left out of a query as the English ones are.
var fillersAbroad = strings.Fields("al als am and au aux auf aus bei con como da das de degli dei del della delle dels den der des di die do dos du e ein eine el els en entre et fur gli i il im la las le les lo los mit nel no o os para per por pour sur sul tra um un una une uno und unter von y zu zum zur zwischen 的 の من في ال")

// translate returns what the words of a query stand for: for each place in it,
// the words that may be meant there.
func (ix *index) translate(words []string) [][]string {
	var out [][]string
	dict := foreignWords()
	for _, q := range words {
		known := ix.known(q)
		found := dict[q]
		if !known && len(found) == 0 && q[0] >= 0x80 {
			if parts := segment(q, dict); parts != nil {
				out = append(out, parts...)
				continue
			}
		}
		switch {
		case len(found) == 0 && known:
			out = append(out, []string{q})
		case len(found) == 0:
			alts := ix.similar(q)
			if len(alts) == 0 {
				for _, w := range near(q, dict) {
					for _, e := range dict[w] {
						alts = append(alts, e...)
					}
				}
			}
			out = append(out, alts)
		case len(found) == 1 && len(found[0]) > 1 && !known:
			for _, e := range found[0] {
				out = append(out, []string{e})
			}
		default:
			alts := []string{}
			if known {
				alts = append(alts, q)
			}
			for _, e := range found {
				if !known || len(e) == 1 {
					alts = append(alts, e...)
				}
			}
			out = append(out, alts)
		}
	}
	return out
}

// segment cuts a run of letters written without spaces into words of the
// dictionary, longest first; nil when there is none.
func segment(q string, dict map[string][][]string) (out [][]string) {
	letters := []rune(q)
	for i := 0; i < len(letters); {
		n := min(len(letters)-i, 8)
		for ; n > 0; n-- {
			if e := dict[string(letters[i:i+n])]; e != nil {
				var alts []string
				for _, words := range e {
					alts = append(alts, words...)
				}
				out = append(out, alts)
				break
			}
		}
		i += max(n, 1)
	}
	return out
}

// near lists the words of the dictionary one letter off, for long words.
func near(q string, dict map[string][][]string) (out []string) {
	if len(q) < 6 {
		return nil
	}
	for w := range dict {
		if distance(q, w, 1) <= 1 {
			out = append(out, w)
		}
	}
	return out
}
