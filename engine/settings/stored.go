package settings

import "strings"

// storedFor says why settings are kept and not used, by the beginnings of their
// patterns; the first that fits counts. Each completes "it is …".
var storedFor = [][2]string{
	{"print", "for printing: there is no print output yet"},
	{"pdfGeneration", "of the PDF output, which there is not yet"},
	{"htmlViewer", "of the web reader, which there is not yet"},
	{"videoStyle", "of outputs that can be clicked, which there are not yet: pages show the poster and the code"},
	{"diagramStyle.inlineFonts", "of outputs that carry pictures as they are, which there are not yet: pages draw the letters themselves"},
	{"folio", "of the view of the book as a solid, which there is not yet"},
	{"comics", "of comics, which are not laid out yet"},
	{"cjk", "of Chinese and Japanese composition, which there is not yet"},
	{"numerals", "of digits in other scripts, which there are not yet"},
	{"bodyText.emphasis", "of Arabic text, which has no emphasis of its own yet"},
	{"bodyText.tashkil", "of Arabic text, whose vowel marks are set as they are"},
	{"bodyText.kashida", "of Arabic text, which is not lengthened yet"},
	{"bodyText.verse.layout", "of Arabic poems, whose half lines are not set side by side yet"},
	{"headings.balancing.gridLines", "of the grid of characters, which there is not yet"},
	{"footnotes.markerSize", "of marks that are not raised: they have the size of their text"},
}

// storedFields say the same of fields that stand in several places, by their
// ends.
var storedFields = [][2]string{
	{".writingMode", "of vertical text, which there is not yet"},
	{".wordBreak", "of Korean and Japanese text, which is not broken by it yet"},
	{".jidori", "of Japanese headings, which are not spread out yet"},
	{".lineSpan", "of Chinese and Japanese headings, which are not set on a band of lines yet"},
	{".reserve", "of the designs of headings: nothing else keeps room free"},
	{".dropCap.each", "of paragraph styles: a heading's drop cap is that of the one paragraph under it"},
}

// whyStored completes "kept and validated, but not used: it is …".
func whyStored(pattern string) string {
	for _, w := range storedFor {
		if under(pattern, w[:1]) || strings.HasPrefix(pattern, w[0]) && w[0] == "bodyText.kashida" {
			return w[1]
		}
	}
	for _, w := range storedFields {
		if strings.HasSuffix(pattern, w[0]) {
			return w[1]
		}
	}
	return ""
}
