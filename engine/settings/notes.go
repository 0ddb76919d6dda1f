package settings

// footnoteRows are settings.md 21.
var footnoteRows = []row{
	{"placement", Enum, "column", "column|chapterEnd|spread", "", "Placement", "At the foot of the column, or after the chapter.", 2},
	{"numbering", Enum, "", "chapter|document|page|column|spread", "!chapter; page when symbols stand at the column foot", "Count anew at", "Where the count starts again.", 2},
	{"numberFormat", Format, "decimal", "symbols|*", "", "Number format", "How notes are numbered, or symbols.", 2},
	{"symbols", List, `["*","†","‡","§","‖","¶"]`, "", "", "Symbols", "Signs used in turn, then doubled and tripled.", 2},
	{"markerPosition", Enum, "auto", "auto|superscript|inline|side|right", "", "Mark in the text", "How the mark stands in the text.", 2},
	{"markerSize", Length, "1em", ">0", "", "Mark size", "Size of marks that are not raised.", 3},
	{"markerTemplate", String, "{n}", "", "", "Mark", "How the mark is made up; holds {n}.", 2},
	{"noteNumberPosition", Enum, "auto", "auto|superscript|inline", ".markerPosition", "Number of the note", "How the number opening the note stands.", 2},
	{"numberGap", Enum, "en", "en|em", "", "Gap after the number", "Space after that number.", 2},
	{"chapterEndAlign", Enum, "foot", "foot|text", "", "Notes at a chapter's end", "At the page foot, or under the text.", 2},
	{"fontSize", Length, "0.8em", ">0", "", "Size", "Size of notes, in body ems.", 2},
	{"lineHeight", Length, "1.25em", ">0", "", "Leading", "Distance of baselines, in note ems.", 2},
	{"color", Color, "", "", "bodyText.color", "Colour", "Ink of notes.", 2},
	{"textAlign", Enum, "", "left|justify|center|right|start|end", "bodyText.textAlign", "Alignment", "Alignment of notes.", 2},
	{"hangingIndent", Length, "0pt", "", "", "Hanging indent", "Indent of further lines.", 2},
	{"spaceBetween", Length, "0pt", "", "", "Space between notes", "From one note to the next.", 2},
	{"spaceAbove", Length, "0.5em", "", "", "Space above the rule", "From the text to the rule.", 2},
	{"spaceBelowRule", Length, "0.4em", "", "", "Space below the rule", "From the rule to the first note.", 2},
	{"separator.enabled", Bool, "true", "", "", "Rule", "A rule above the notes.", 2},
	{"separator.width", Number, "0.3", "× column: ~0..1", "", "Rule length", "Share of the column the rule takes.", 2},
	{"separator.lineWidth", Length, "0.5pt", ">=0", "", "Rule width", "Thickness of the rule.", 2},
	{"separator.color", Color, "", "", "footnotes.color", "Rule colour", "Colour of the rule.", 2},
}

// lineNumberRows are settings.md 22.
var lineNumberRows = []row{
	{"enabled", Bool, "false", "", "", "Line numbers", "Numbers the lines in the margin.", 3},
	{"count", Enum, "verse", "verse|all", "", "Lines counted", "Lines of poems, or all.", 3},
	{"interval", Integer, "5", "lines: >=1", "", "Every", "Prints every so many lines.", 3},
	{"numberFirst", Bool, "false", "", "", "Number the first", "Prints the first number too.", 3},
	{"restart", Enum, "", "document|chapter|section|page|poem", "!poem when verse is counted, else page", "Count anew at", "Where the count starts again.", 3},
	{"startAt", Integer, "1", "", "", "First number", "Number of the first line.", 3},
	{"position", Enum, "outer", "outer|inner|left|right|start|end|side", "", "Side", "Margin the numbers stand in.", 3},
	{"multiColumn", Enum, "outer-edges", "each|gutter|outer-edges", "", "Several columns", "Where numbers stand with several columns.", 3},
	{"gap", Length, "1em", ">=0", "", "Gap", "Between number and text.", 3},
	{"align", Enum, "auto", "auto|left|right", "", "Alignment", "Alignment of the numbers.", 3},
	{"fontFamily", Family, "", "", "bodyText.fontFamily", "Typeface", "Face of the numbers.", 3},
	{"fontWeight", Weight, "", "", "bodyText.fontWeight", "Weight", "Weight of the numbers.", 3},
	{"color", Color, "", "", "bodyText.color", "Colour", "Ink of the numbers.", 3},
	{"fontSize", Length, "0.8em", ">0", "", "Size", "Size of the numbers, in body ems.", 3},
	{"italic", Bool, "false", "", "", "Italic", "Sets the numbers in italics.", 3},
	{"format", Format, "decimal", "", "", "Format", "Format of the numbers.", 3},
}

// crossRefRows are settings.md 23.
var crossRefRows = []row{
	{"chapter", String, "", "", "!the language", "Chapter reference", "Words of a reference to a chapter, with {n}.", 2},
	{"section", String, "", "", "!the language", "Section reference", "Words of a reference to a section, with {n}.", 2},
	{"page", String, "", "", "!the language", "Page reference", "Words of a reference to a page, with {n}.", 2},
	{"defaultStyle", Enum, "default", "default|number|title|page", "", "Usual form", "Form of a reference that names none.", 2},
}

// citationRows are settings.md 24.
var citationRows = []row{
	{"style", String, "apa", "", "", "Style", "Citation style, or custom.", 2},
	{"customStyle", String, "", "", "", "Own style", "CSL text of a custom style.", 2},
	{"locale", String, "", "", "locale", "Language", "Language of the citations.", 2},
	{"link", Bool, "true", "", "", "Link", "Links a citation to its entry.", 2},
	{"marker", Enum, "style", "style|brackets|parentheses|superscript|corner", "", "Mark", "Form of numbered citations.", 2},
	{"collapseRanges", Bool, "true", "", "", "Ranges", "Writes 1–3 for 1, 2, 3.", 2},
	{"notes", Enum, "footnote", "footnote|warichu", "", "Notes", "Where note styles put their notes.", 2},
	{"numbering", Enum, "book", "book|chapter", "", "Numbering", "Counts through the book or each chapter.", 2},
	{"bibliography.title", String, "", "", "!the language", "List title", "Title of the list; blank prints none.", 2},
	{"bibliography.scope", Enum, "book", "book|chapter", "", "List scope", "One list, or one for each chapter.", 2},
	{"bibliography.auto", Bool, "true", "", "", "Automatic list", "Prints the list after the text when not placed.", 2},
	{"bibliography.fontSize", Length, "0.9em", ">0", "", "List size", "Size of the entries, in body ems.", 2},
	{"bibliography.lineHeight", Length, "", ">0", "bodyText.lineHeight", "List leading", "Distance of baselines of the entries.", 2},
	{"bibliography.hangingIndent", Length, "2em", "", "", "Hanging indent", "Indent of further lines.", 2},
	{"bibliography.entrySpacing", Length, "0.3em", "", "", "Space between entries", "From one entry to the next.", 2},
	{"bibliography.labelWidth", Length, "", ">=0", "!the longest label", "Label column", "Width of the labels.", 2},
	{"bibliography.labelAlign", Enum, "left", "left|right", "", "Label alignment", "Alignment of the labels.", 2},
	{"bibliography.doi", Enum, "link", "link|text|hide", "", "DOI", "Prints, links or hides DOIs.", 2},
	{"bibliography.includeUncited", Bool, "false", "", "", "Uncited works", "Lists works not cited too.", 2},
	{"bibliography.groupByLanguage", Bool, "false", "", "", "By language", "Groups entries by language.", 2},
}
