package engine

import "maps"

// textNeeds are the needs of settings of paragraphs, chips, tabs and notes.
var textNeeds = map[string]string{
	"paragraphStyles[].dropCap":                   `[{"path":"paragraphStyles[id=probe].dropCap","value":{"lines":2}}]`,
	"paragraphStyles[].dropCap.leadIn":            `[{"path":"paragraphStyles[id=probe].dropCap","value":{"lines":2,"leadIn":{"words":2}}}]`,
	"paragraphStyles[].dropCap.shortParagraph":    `[{"path":"paragraphStyles[id=probe].dropCap","value":{"lines":3,"each":true}}]`,
	"headings.levels[].dropCap":                   `[{"path":"headings.levels[level=1].dropCap","value":{"lines":2}}]`,
	"headings.levels[].dropCap.leadIn":            `[{"path":"headings.levels[level=1].dropCap","value":{"lines":2,"leadIn":{"words":2}}}]`,
	"headingStyles[].dropCap":                     `[{"path":"headingStyles[id=probe].dropCap","value":{"lines":2}}]`,
	"headingStyles[].dropCap.leadIn":              `[{"path":"headingStyles[id=probe].dropCap","value":{"lines":2,"leadIn":{"words":2}}}]`,
	"bodyText.paragraphContainerSpacing":          `[{"path":"paragraphStyles[id=probe].marginBottom","value":"20pt"},{"path":"bodyText.paragraphSpacing","value":true}]`,
	"footnotes.symbols":                           `[{"path":"footnotes.numberFormat","value":"symbols"}]`,
	"footnotes.chapterEndAlign":                   `[{"path":"footnotes.placement","value":"chapterEnd"}]`,
	"codeStyle.inline.borderWidth":                `[{"path":"codeStyle.inline","value":{}},{"path":"codeStyle.inline.borderColor","value":"#333333"}]`,
	"codeStyle.inline.borderRadius":               `[{"path":"codeStyle.inline","value":{}},{"path":"codeStyle.inline.borderColor","value":"#333333"}]`,
	"codeStyle.inline.paddingX":                   `[{"path":"codeStyle.inline","value":{}},{"path":"codeStyle.inline.borderColor","value":"#333333"}]`,
	"codeStyle.inline.paddingY":                   `[{"path":"codeStyle.inline","value":{}},{"path":"codeStyle.inline.borderColor","value":"#333333"}]`,
	"bodyText.tabStops[]":                         `[{"path":"bodyText.tabStops","value":[{"position":"60%"},{"position":"90%"}]}]`,
	"bodyText.tabStops[].decimalChar":             `[{"path":"bodyText.tabStops","value":[{"position":"60%","align":"decimal"},{"position":"90%"}]}]`,
	"bodyText.tabStops[].leaderGap":               `[{"path":"bodyText.tabStops","value":[{"position":"60%","leader":"."},{"position":"90%"}]}]`,
	"paragraphStyles[].tabStops[]":                `[{"path":"paragraphStyles[id=probe].tabStops","value":[{"position":"60%"},{"position":"90%"}]}]`,
	"paragraphStyles[].tabStops[].decimalChar":    `[{"path":"paragraphStyles[id=probe].tabStops","value":[{"position":"60%","align":"decimal"},{"position":"90%"}]}]`,
	"paragraphStyles[].tabStops[].leaderGap":      `[{"path":"paragraphStyles[id=probe].tabStops","value":[{"position":"60%","leader":"."},{"position":"90%"}]}]`,
	"calloutStyles[].body.tabStops[]":             `[{"path":"calloutStyles[id=note].body.tabStops","value":[{"position":"60%"},{"position":"90%"}]}]`,
	"calloutStyles[].body.tabStops[].decimalChar": `[{"path":"calloutStyles[id=note].body.tabStops","value":[{"position":"60%","align":"decimal"},{"position":"90%"}]}]`,
	"calloutStyles[].body.tabStops[].leaderGap":   `[{"path":"calloutStyles[id=note].body.tabStops","value":[{"position":"60%","leader":"."},{"position":"90%"}]}]`,
	"index.groups.marginTop":                      `[{"path":"index.entrySpacing","value":"1pt"}]`,
	"crossRefs.chapter":                           `[{"path":"headings.levels[level=1].numberingTemplate","value":"{1}"}]`,
	"crossRefs.section":                           `[{"path":"headings.levels[level=2].numberingTemplate","value":"{1}.{2}"}]`,
	"bodyText.verse.turnoverMark":                 `[{"path":"bodyText.verse.turnover","value":"right"}]`,
}

// textValues are telling values of theirs.
var textValues = map[string]string{
	"index.locale":  `"es"`,
	"index.groupBy": `"none"`,
	"direction":     `"rtl"`,
}

func init() {
	maps.Copy(probeNeeds, textNeeds)
	maps.Copy(probeValues, textValues)
}
