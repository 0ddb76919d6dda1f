package settings

// mathRows are settings.md 13.
var mathRows = []row{
	{"enabled", Bool, "true", "", "", "Formulas", "Sets TeX as formulas; off prints its source.", 1},
	{"fontSizeScale", Number, "1", "× text: >0", "", "Formula size", "Size of formulas against the text around, usually 0.9 to 1.1.", 1},
	{"color", Color, "", "", "bodyText.color", "Formula colour", "Ink of formulas.", 2},
	{"marginTop", Length, "0.8em", "", "", "Space above", "Above a display formula.", 1},
	{"marginBottom", Length, "0.8em", "", "", "Space below", "Least space below a display formula.", 1},
	{"indentAfterDisplay", Bool, "true", "", "", "Indent after a formula", "Off: the paragraph after a display starts flush.", 2},
	{"keepWithLeadIn", Bool, "false", "", "", "Keep with the line before", "A display stays with the line that announces it.", 2},
	{"equationNumbering.enabled", Bool, "true", "", "", "Number equations", "Numbers formulas that carry a label.", 2},
	{"equationNumbering.numberingTemplate", String, "{n}", "", "", "Equation number", "How the number is made up.", 2},
	{"equationNumbering.resetOn", Enum, "never", resets, "", "Count anew at", "Headings at which the count starts again.", 2},
	{"equationNumbering.counterFormat", Format, "decimal", "", "", "Counter format", "Format of the counter.", 2},
	{"equationNumbering.format", String, "({n})", "", "", "Printed form", "The number as printed beside the formula.", 2},
}

const resets = "never|h1|h2|h3|h4|h5|h6"

// paragraphStyleRows are settings.md 14.
var paragraphStyleRows = []row{
	{"[]", Items, "[]", "id", "", "Paragraph styles", "Styles for groups of paragraphs.", 2},
	{"[].id", String, "", "", "", "Id", "Name the text refers to.", 2},
	{"[].name", String, "", "", ".id", "Name", "Name shown to the author.", 2},
	{"[].fontFamily", Family, "", "", "bodyText.fontFamily", "Typeface", "Face of the style.", 2},
	{"[].fontSize", Length, "", ">0", "bodyText.fontSize", "Size", "Size of the style.", 2},
	{"[].lineHeight", Length, "", ">0", "bodyText.lineHeight", "Leading", "Distance of baselines of the style.", 2},
	{"[].color", Color, "", "", "bodyText.color", "Colour", "Ink of the style.", 2},
	{"[].fontWeight", Weight, "", "", "bodyText.fontWeight", "Weight", "Weight of the style.", 2},
	{"[].boldFontWeight", Weight, "", "", "bodyText.boldFontWeight", "Bold weight", "Weight of bold runs in the style.", 2},
	{"[].boldColor", Color, "", "", "bodyText.boldColor", "Bold colour", "Ink of bold runs in the style.", 2},
	{"[].italicColor", Color, "", "", "bodyText.italicColor", "Italic colour", "Ink of italic runs in the style.", 2},
	{"[].textAlign", Enum, "", "left|justify|center|right|start|end", "bodyText.textAlign", "Alignment", "Alignment of the style.", 2},
	{"[].italic", Bool, "false", "", "", "Italic", "Sets the style in italics.", 2},
	{"[].smallCaps", Bool, "false", "", "", "Small capitals", "Sets the style in capitals at seven tenths.", 2},
	{"[].hyphenation", Bool, "", "", "bodyText.hyphenation.enabled", "Hyphenation", "Lets words be divided.", 2},
	{"[].indent", Length, "0pt", "", "", "Indent", "Indent of every line.", 2},
	{"[].endIndent", Length, "0pt", "", "", "End indent", "Indent at the end side.", 3},
	{"[].firstLineIndent", Length, "", "", "bodyText.firstLineIndent", "First-line indent", "Indent of the first line, counted from the style's indent.", 2},
	{"[].hangingIndent", Length, "0pt", "", "", "Hanging indent", "Indent of all lines but the first.", 2},
	{"[].spaceBetween", Length, "0pt", "", "", "Space between", "Between paragraphs of the group.", 2},
	{"[].marginTop", Length, "0pt", "", "", "Space above", "Above the group.", 2},
	{"[].marginBottom", Length, "0pt", "", "", "Space below", "Below the group.", 2},
	{"[].snapToGrid", Bool, "true", "", "", "Return to the grid", "Text under the group goes back to the baseline grid.", 2},
	{"[].textTransform", Enum, "none", "none|uppercase", "", "Capitals", "Sets the style in capitals.", 2},
	{"[].tabStops[]", Items, "", "", "bodyText.tabStops", "Tab stops", "Places a tab goes to, instead of the body's.", 2},
	{"[].tabInterval", Length, "", ">0", "bodyText.tabInterval", "Tab interval", "Further stops past the last.", 2},
	{"[].dropCap", Object, "", "", "", "Drop cap", "Enlarged first letter; false removes it.", 2},
	{"[].lineNumbers", Bool, "", "", "!lineNumbers.count", "Line numbers", "Counts these lines always or never.", 3},
	{"[].wordBreak", Enum, "", "normal|keep-all", "cjk.wordBreak", "Word break", "Where East Asian words may break.", 3},
}

// chipRows are settings.md 15.
var chipRows = []row{
	{"[]", Items, `[{"id":"chip"}]`, "id", "", "Inline labels", "Styles of small labels in the text.", 2},
	{"[].id", String, "", "", "", "Id", "Name the text refers to.", 2},
	{"[].name", String, "", "", ".id", "Name", "Name shown to the author.", 2},
	{"[].backgroundEnabled", Bool, "true", "", "", "Fill", "Fills the label.", 2},
	{"[].background", Color, "#e8eef7", "", "", "Fill colour", "Fill of the label.", 2},
	{"[].borderColor", Color, "main", "", "", "Outline colour", "Outline of the label.", 2},
	{"[].borderWidth", Length, "0.5pt", ">=0", "", "Outline width", "Thickness of the outline; 0 is none.", 2},
	{"[].borderRadius", Length, "0.3em", ">=0", "", "Corners", "Radius of the corners.", 2},
	{"[].paddingX", Length, "0.3em", "", "", "Padding, sides", "Room on both sides.", 2},
	{"[].paddingY", Length, "0.1em", "", "", "Padding, above and below", "Room above and below.", 2},
	{"[].paddingTop", Length, "", "", ".paddingY", "Padding, top", "Room above.", 2},
	{"[].paddingBottom", Length, "", "", ".paddingY", "Padding, bottom", "Room below.", 2},
	{"[].fontFamily", Family, "", "", "!the text around", "Typeface", "Face of the label.", 2},
	{"[].fontSize", Length, "", ">0", "!the text around", "Size", "Size of the label.", 2},
	{"[].color", Color, "", "", "!the text around", "Colour", "Ink of the label.", 2},
	{"[].bold", Bool, "false", "", "", "Bold", "Sets the label bold.", 2},
	{"[].italic", Bool, "false", "", "", "Italic", "Sets the label in italics.", 2},
	{"[].gap", Length, "0.25em", "", "", "Gap", "Least room to the neighbours.", 2},
}
