package settings

// headingRows are settings.md 10.1 and 10.2.
var headingRows = []row{
	{"fontFamily", Family, "Open Sans", "", "", "Typeface", "Face of every heading; also of box titles and labels.", 1},
	{"lineHeight", Length, "1.2em", ">0", "", "Leading", "Distance of a heading's baselines.", 1},
	{"color", Color, "main", "", "", "Colour", "Ink of the headings.", 1},
	{"textAlign", Enum, "left", "left|justify|center|right|start|end", "", "Alignment", "Alignment of every heading.", 1},
	{"fontWeight", Weight, "700", "", "", "Weight", "Weight of the headings.", 1},
	{"marginTop", Length, "1.5em", "", "", "Space above", "Space above a heading, in its own ems; none at the head of a column.", 1},
	{"marginBottom", Length, "0.5em", "", "", "Space below", "Least space under a heading, in its own ems.", 1},
	{"keepWithNext", Bool, "true", "", "", "Keep with the text", "A heading never ends a column.", 1},
	{"keepWithNextSpread", Bool, "false", "", "", "May face its text", "A heading may close a left page when its text starts on the facing one.", 3},
	{"keepWithNextSplit", Enum, "rules", "rules|fill", "", "Split under a heading", "How the paragraph under a heading may be cut.", 2},
	{"snapToGrid", Bool, "true", "", "", "Return to the grid", "The text under a heading goes back to the baseline grid.", 1},
	{"inlineMarks", Bool, "true", "", "", "Marks in titles", "Bold, italic, links and scripts inside titles.", 1},

	{"balancing.enabled", Bool, "true", "", "!the writing: off in vertical text and on a character grid", "Column balancing", "Makes the columns of a page end level.", 1},
	{"balancing.maxLinesPerHeading", Integer, "4", "lines: >=0", "", "Lines above a heading", "Most extra lines above one heading.", 2},
	{"balancing.stretchAfterLists", Bool, "true", "", "", "Stretch after lists", "Extra lines where a list ends.", 2},
	{"balancing.maxLinesAfterList", Integer, "1", "lines: >=0", "", "Lines after a list", "Most extra lines there.", 2},
	{"balancing.stretchAfterFloats", Bool, "true", "", "", "Stretch under figures", "Extra lines under a figure at a column head.", 2},
	{"balancing.maxLinesAfterFloat", Integer, "1", "lines: >=0", "", "Lines under a figure", "Most extra lines there.", 2},
	{"balancing.looseParagraphs", Bool, "true", "", "", "Loosen paragraphs", "Breaks a paragraph anew, one line longer.", 2},
	{"balancing.maxLooseParagraphs", Integer, "2", ">=0", "", "Paragraphs loosened", "Most paragraphs loosened in a short column.", 2},
	{"balancing.trackParagraphs", Bool, "true", "", "", "Track paragraphs", "May add letter spacing to gain the line.", 2},
	{"balancing.maxTracking", Number, "10", "1/1000 em: >=0", "", "Tracking allowed", "Most letter spacing for that.", 2},
	{"balancing.trailing", Bool, "true", "", "", "Level the last columns", "Cuts the columns that close a chapter level.", 1},
	{"balancing.beforeSpan", Bool, "true", "", "", "Level above page-wide boxes", "Cuts the columns above a page-wide box level.", 2},
	{"balancing.closingBox", Enum, "first", "first|last|off", "", "Closing box", "When a box that closes a column drops to its foot.", 2},
	{"balancing.gridLines", Enum, "allow", "allow|off", "", "Whole lines on a character grid", "Whether whole lines may be added on a character grid.", 3},

	{"levels[]", Items, "", "level", "", "Heading levels", "What differs from level to level, 1 to 6.", 1},
}

// levelRows are settings.md 10.3.
var levelRows = []row{
	{"level", Integer, "", "1..6", "", "Level", "Level of the heading, 1 to 6.", 1},
	{"fontSize", Length, "", ">0", "!the level: 18, 15, 12, 10, 9, 8 pt", "Size", "Size of headings of this level.", 1},
	{"fontFamily", Family, "", "", "headings.fontFamily", "Typeface", "Face of this level.", 1},
	{"lineHeight", Length, "", ">0", "headings.lineHeight", "Leading", "Distance of baselines of this level.", 1},
	{"color", Color, "", "", "headings.color", "Colour", "Ink of this level.", 1},
	{"fontWeight", Weight, "", "", "headings.fontWeight", "Weight", "Weight of this level.", 1},
	{"marginTop", Length, "", "", "headings.marginTop", "Space above", "Space above headings of this level.", 1},
	{"marginBottom", Length, "", "", "headings.marginBottom", "Space below", "Least space under headings of this level.", 1},
	{"snapToGrid", Bool, "", "", "headings.snapToGrid", "Return to the grid", "The text under this level goes back to the baseline grid.", 1},
	{"italic", Bool, "false", "", "", "Italic", "Sets this level in italics.", 1},
	{"textTransform", Enum, "none", "none|uppercase", "", "Capitals", "Sets this level in capitals.", 1},
	{"letterSpacing", Length, "0pt", "", "", "Letter spacing", "Tracking of this level; may be negative.", 1},
	{"numberingTemplate", String, `""`, "", "", "Numbering", "Automatic number, such as {1}.{2}; empty prints none.", 1},
	{"numberSeparator", String, " ", "", "", "Number separator", "Between the number and the title.", 1},
	{"numberPosition", Enum, "before", "before|replace", "", "Number position", "Before the title, or in its place.", 3},
	{"breakBefore.enabled", Bool, "", "", "!the level: on for level 1", "Start on a new page", "A page break before headings of this level.", 1},
	{"breakBefore.parity", Parity, "", "", "!the level: always-odd for level 1", "Side it opens on", "Parity of the page it opens on; always- adds at least one blank page.", 1},
	{"hidden", Bool, "false", "", "", "Hidden", "Prints nothing but still breaks, counts and is listed.", 2},
	{"span", Enum, "column", "column|page", "", "Width", "Column-wide, or a band across the page.", 1},
	{"spanBreak", Bool, "true", "", "", "Opener on its own page", "Off, with no break: the opener stands where the text reaches.", 2},
	{"advancedDesign.enabled", Bool, "false", "", "", "Own design", "Draws this level from its design.", 2},
	{"advancedDesign.minHeight", Length, "", ">=0", "", "Least height", "Least height kept free for the design.", 2},
	{"dropCap", Object, "", "", "", "Drop cap", "Enlarged first letter of the paragraph after the heading; false removes it.", 2},
	{"indent", Length, "0pt", "", "", "Indent", "Indent of the whole heading, in body ems.", 3},
	{"firstLineIndent", Length, "0pt", "", "", "First-line indent", "Indent of its first line, in body ems.", 3},
	{"lineSpan", Integer, "", "lines: >=1", "", "Height in lines", "Band of this many body lines.", 3},
	{"jidori", Integer, "", "em: >=1", "", "Spread to", "Spreads a short title evenly over this many ems.", 3},
}

// headingStyleRows are settings.md 11, without the fields of a level.
var headingStyleRows = []row{
	{"[]", Items, "[]", "id", "", "Heading styles", "Variants of headings, chosen by a style attribute.", 2},
	{"[].id", String, "", "", "", "Id", "Name the text refers to.", 2},
	{"[].name", String, "", "", ".id", "Name", "Name shown to the author.", 2},
	{"[].numbered", Bool, "true", "", "", "Numbered", "Counts and carries a number.", 1},
	{"[].toc", Bool, "true", "", "", "In the contents", "Listed in the contents.", 1},
	{"[].runningChapter", Bool, "true", "", "", "Running chapter", "Becomes the chapter of the running heads.", 2},
	{"[].palette", Free, "", "", "", "Palette", "Palette colours of its pages: id to colour.", 2},
}
