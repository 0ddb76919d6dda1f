package settings

// boxRows are settings.md 17.
var boxRows = []row{
	{"[]", Items, `[{"id":"note","name":"Note"}]`, "id", "", "Box styles", "Styles of boxes set off from the text.", 2},
	{"[].id", String, "", "", "", "Id", "Name the text refers to.", 2},
	{"[].name", String, "", "", ".id", "Name", "Name shown to the author.", 2},
	{"[].title", String, `""`, "", "", "Title", "Title of boxes that give none.", 2},
	{"[].span", Enum, "column", "column|page|side", "", "Width", "Column-wide, page-wide or in the side column.", 2},
	{"[].columns", Integer, "1", "columns: >=1", "", "Columns taken", "Columns a floated box takes.", 2},
	{"[].placement", Enum, "here", "here|auto|top|bottom|fixed", "", "Placement", "In the text, floated or pinned.", 2},
	{"[].sideAtColumnEnd", Enum, "before", "before|after", "", "Side box at a column end", "Where a side box goes when the text goes on elsewhere.", 2},
	{"[].fixed.anchor.to", Enum, "container", "container|page|bleed", "", "Pinned to", "Frame a pinned box hangs on.", 2},
	{"[].fixed.anchor.edge", Enum, "bottom-left", "top|top-left|top-right|bottom|bottom-left|bottom-right|left|right|center", "", "Pinned at", "Point of that frame.", 2},
	{"[].fixed.offset.x", Length, "0pt", "", "", "Offset to the right", "Distance from that point.", 2},
	{"[].fixed.offset.y", Length, "0pt", "", "", "Offset down", "Distance from that point.", 2},
	{"[].floatBarrier", Bool, "false", "", "", "After earlier figures", "Earlier figures are placed before the box.", 2},
	{"[].wrap", Enum, "none", "none|left|right|start|end", "", "Text beside", "Text runs beside the box.", 2},
	{"[].width", Enum, "fill", "fill|auto", "", "Box width", "The full width, or as wide as the title.", 2},
	{"[].backgroundEnabled", Bool, "true", "", "", "Fill", "Fills the box.", 2},
	{"[].background", Color, "#f4f4f4", "", "", "Fill colour", "Fill of the box.", 2},
	{"[].border.enabled", Bool, "false", "", "", "Border", "Outlines the box.", 2},
	{"[].border.color", Color, "#cccccc", "", "", "Border colour", "Colour of the outline.", 2},
	{"[].border.width", Length, "0.5pt", ">=0", "", "Border width", "Thickness of the outline.", 2},
	{"[].borderRadius", Length, "0pt", ">=0", "", "Corners", "Radius of the corners.", 2},
	{"[].padding.top", Length, "0.75em", ">=0", "", "Padding, top", "Room inside the box above.", 2},
	{"[].padding.right", Length, "0.75em", ">=0", "", "Padding, right", "Room inside the box on the right.", 2},
	{"[].padding.bottom", Length, "0.75em", ">=0", "", "Padding, bottom", "Room inside the box below.", 2},
	{"[].padding.left", Length, "0.75em", ">=0", "", "Padding, left", "Room inside the box on the left.", 2},
	{"[].stripe.enabled", Bool, "false", "", "", "Stripe", "A band along one edge.", 2},
	{"[].stripe.width", Length, "1.5em", ">=0", "", "Stripe width", "Width of the band.", 2},
	{"[].stripe.color", Color, "main", "", "", "Stripe colour", "Colour of the band.", 2},
	{"[].stripe.side", Enum, "left", "left|right|top|start|end", "", "Stripe side", "Edge the band runs along.", 2},
	{"[].icon.kind", Enum, "none", "none|glyph|resource", "", "Icon", "A letter or a picture as icon.", 2},
	{"[].icon.glyph", String, `""`, "", "", "Icon letter", "The letter or sign.", 2},
	{"[].icon.resourceId", String, `""`, "", "", "Icon picture", "Id of the picture.", 2},
	{"[].icon.fontFamily", Family, "", "", "headings.fontFamily", "Icon typeface", "Face of the letter.", 2},
	{"[].icon.fontWeight", Weight, "400", "", "", "Icon weight", "Weight of the letter.", 2},
	{"[].icon.size", Length, "1.5em", ">0", "", "Icon size", "Size of the icon.", 2},
	{"[].icon.color", Color, "main", "", "", "Icon colour", "Ink of the letter.", 2},
	{"[].icon.width", Length, "", ">0", ".size", "Icon width", "Box for wide artwork.", 2},
	{"[].icon.align", Enum, "top", "top|center", "", "Icon alignment", "Height it stands at.", 2},
	{"[].icon.position", Enum, "inline", "inline|corner", "", "Icon position", "Beside the text, or as a badge on the corner.", 2},
	{"[].icon.cornerSide", Enum, "right", "right|left|outer|inner|start|end", "", "Icon corner", "Corner of the badge.", 2},
	{"[].marker.kind", Enum, "none", "none|glyph|resource", "", "Marker", "A second icon outside the box.", 2},
	{"[].marker.glyph", String, `""`, "", "", "Marker letter", "The letter or sign.", 2},
	{"[].marker.resourceId", String, `""`, "", "", "Marker picture", "Id of the picture.", 2},
	{"[].marker.fontFamily", Family, "", "", "headings.fontFamily", "Marker typeface", "Face of the letter.", 2},
	{"[].marker.fontWeight", Weight, "400", "", "", "Marker weight", "Weight of the letter.", 2},
	{"[].marker.size", Length, "1.5em", ">0", "", "Marker size", "Size of the marker.", 2},
	{"[].marker.color", Color, "main", "", "", "Marker colour", "Ink of the letter.", 2},
	{"[].marker.align", Enum, "center", "top|center", "", "Marker alignment", "Height it stands at.", 2},
	{"[].marker.gap", Length, "0.5em", "", "", "Marker gap", "Between marker and box.", 2},
	{"[].marker.rule.enabled", Bool, "false", "", "", "Marker rule", "A rule between marker and box.", 2},
	{"[].marker.rule.color", Color, "main", "", "", "Marker rule colour", "Colour of that rule.", 2},
	{"[].marker.rule.width", Length, "0.5pt", ">=0", "", "Marker rule width", "Thickness of that rule.", 2},
	{"[].marker.rule.length", Length, "0pt", ">=0", "", "Marker rule length", "Least length; the box's height otherwise.", 2},
	{"[].label", Object, "", "", "", "Label tab", "When present, a tab prints the box's label.", 2},
	{"[].titleStyle.gap", Length, "0.5em", "", "", "Title gap", "Between title and text.", 2},
	{"[].body.fontFamily", Family, "", "", "bodyText.fontFamily", "Text typeface", "Face of the box's text.", 2},
	{"[].body.fontSize", Length, "", ">0", "bodyText.fontSize", "Text size", "Size of the box's text.", 2},
	{"[].body.lineHeight", Length, "", ">0", "bodyText.lineHeight", "Text leading", "Distance of baselines.", 2},
	{"[].body.color", Color, "", "", "bodyText.color", "Text colour", "Ink of the text.", 2},
	{"[].body.boldColor", Color, "", "", "bodyText.boldColor", "Bold colour", "Ink of bold runs.", 2},
	{"[].body.italicColor", Color, "", "", "bodyText.italicColor", "Italic colour", "Ink of italic runs.", 2},
	{"[].body.fontWeight", Weight, "", "", "bodyText.fontWeight", "Text weight", "Weight of the text.", 2},
	{"[].body.boldFontWeight", Weight, "", "", "bodyText.boldFontWeight", "Bold weight", "Weight of bold runs.", 2},
	{"[].body.textAlign", Enum, "", "left|justify|center|right|start|end", "bodyText.textAlign", "Text alignment", "Alignment of the text.", 2},
	{"[].body.hyphenation", Bool, "", "", "bodyText.hyphenation.enabled", "Hyphenation", "Lets words be divided.", 2},
	{"[].body.paragraphSpacing", Bool, "", "", "bodyText.paragraphSpacing", "Paragraph spacing", "A blank line between paragraphs.", 2},
	{"[].body.firstLineIndent", Length, "", "", "bodyText.firstLineIndent", "First-line indent", "Indent of first lines.", 2},
	{"[].body.tabStops[]", Items, "", "", "bodyText.tabStops", "Tab stops", "Places a tab goes to.", 2},
	{"[].body.tabInterval", Length, "", ">0", "bodyText.tabInterval", "Tab interval", "Further stops past the last.", 2},
	{"[].body.italic", Bool, "false", "", "", "Italic text", "Sets the text in italics.", 2},
	{"[].body.smallCaps", Bool, "false", "", "", "Small capitals", "Sets the text in small capitals.", 2},
	{"[].lists.bulletChar", String, "", "", "unorderedLists.bulletChar", "Bullet", "Bullet of lists in the box.", 2},
	{"[].lists.color", Color, "", "", "unorderedLists.color", "Bullet colour", "Ink of bullets in the box.", 2},
	{"[].lists.indent", Length, "", "", "unorderedLists.indent", "List indent", "Indent of lists in the box.", 2},
	{"[].lists.gap", Length, "", "", "unorderedLists.gap", "List gap", "Between bullet and text.", 2},
	{"[].lists.itemSpacing", Length, "", "", "unorderedLists.itemSpacing", "Item spacing", "Between items.", 2},
	{"[].lists.bulletFontSize", Length, "", ">0", "unorderedLists.bulletFontSize", "Bullet size", "Size of bullets in the box.", 2},
	{"[].lists.bulletFontWeight", Weight, "", "", "unorderedLists.fontWeight", "Bullet weight", "Weight of bullets in the box.", 2},
	{"[].columnGap", Length, "1.5em", ">=0", "", "Column gap", "Between columns inside the box.", 2},
	{"[].marginTop", Length, "0.75em", "", "", "Space above", "Above the box.", 2},
	{"[].marginBottom", Length, "0.75em", "", "", "Space below", "Least space below the box.", 2},
	{"[].snapToGrid", Bool, "true", "", "", "Return to the grid", "Text after the box goes back to the baseline grid.", 2},
	{"[].keepTogether", Bool, "true", "", "", "Keep together", "The box is not cut unless taller than a column.", 2},
	{"[].splitMinLines", Integer, "2", "lines: ~>=1", "", "Lines at a cut", "Lines left on each side of a cut.", 2},
	{"[].repeatTitle", Bool, "false", "", "", "Repeat the title", "Prints the title on each continuation.", 2},
	{"[].continuedSuffix", String, "", "", "!the language", "Words after a repeated title", "Such as (cont.).", 2},
	{"[].continuesMarkerEnabled", Bool, "false", "", "", "Mark of continuation", "A line under a part that goes on.", 2},
	{"[].continuesMarker", String, "", "", "!the language", "Words of continuation", "The words of that line.", 2},
	{"[].continuesMarkerAlign", Enum, "right", "left|center|right", "", "Alignment of that line", "Where the line stands.", 2},
	{"[].continuesMarkerItalic", Bool, "true", "", "", "Italic line", "Sets that line in italics.", 2},
	{"[].numbering.label", String, "", "", "", "Numbered as", "Word before the number, such as Theorem.", 2},
	{"[].numbering.counter", String, "", "false", "!the style's id", "Counter", "Shared counter, equation, or false for none.", 2},
	{"[].numbering.numberingTemplate", String, "{n}", "", "", "Number", "How the number is made up.", 2},
	{"[].numbering.resetOn", Enum, "never", resets, "", "Count anew at", "Headings at which the count starts again.", 2},
	{"[].numbering.counterFormat", Format, "decimal", "", "", "Counter format", "Format of the counter.", 2},
	{"[].numbering.placement", Enum, "runIn", "runIn|title", "", "Number placement", "Run in with the text, or in the title.", 2},
	{"[].numbering.bold", Bool, "true", "", "", "Bold number", "Sets label and number bold.", 2},
	{"[].numbering.italic", Bool, "false", "", "", "Italic number", "Sets label and number in italics.", 2},
	{"[].numbering.suffix", String, ".", "", "", "After the number", "Text after label and number.", 2},
	{"[].endMark", String, `""`, "", "", "End mark", "Sign flush right at the end.", 2},
}

// boxLabelRows and boxTitleRows also serve code listings.
var boxLabelRows = []row{
	{"fontFamily", Family, "", "", "headings.fontFamily", "Label typeface", "Face of the label.", 2},
	{"fontSize", Length, "", ">0", "bodyText.fontSize", "Label size", "Size of the label.", 2},
	{"fontWeight", Weight, "700", "", "", "Label weight", "Weight of the label.", 2},
	{"color", Color, "#ffffff", "", "", "Label colour", "Ink of the label.", 2},
	{"background", Color, "main", "", "", "Tab colour", "Fill of the tab.", 2},
	{"position", Enum, "top-right", "top-right|top-left|top-start|top-end", "", "Tab position", "Corner of the tab.", 2},
	{"height", Length, "1.4em", ">0", "", "Tab height", "Height of the tab.", 2},
	{"paddingX", Length, "0.6em", ">=0", "", "Tab padding", "Room on both sides.", 2},
	{"offset", Length, "0pt", "", "", "Tab rise", "How far it rises above the box.", 2},
	{"inset", Length, "0pt", "", "", "Tab inset", "Distance from the corner.", 2},
	{"icon.resourceId", String, `""`, "", "", "Tab picture", "Id of a picture in the tab.", 2},
	{"icon.width", Length, "1em", ">0", "", "Tab picture width", "Width of that picture.", 2},
	{"icon.gap", Length, "0.3em", "", "", "Tab picture gap", "Between picture and label.", 2},
	{"rule.enabled", Bool, "false", "", "", "Tab rule", "A rule along the top edge.", 2},
	{"rule.color", Color, "main", "", "", "Tab rule colour", "Colour of that rule.", 2},
	{"rule.width", Length, "0.5pt", ">=0", "", "Tab rule width", "Thickness of that rule.", 2},
}

var boxTitleRows = []row{
	{"fontFamily", Family, "", "", "headings.fontFamily", "Title typeface", "Face of the title.", 2},
	{"fontSize", Length, "", ">0", "bodyText.fontSize", "Title size", "Size of the title.", 2},
	{"fontWeight", Weight, "700", "", "", "Title weight", "Weight of the title.", 2},
	{"italic", Bool, "false", "", "", "Italic title", "Sets the title in italics.", 2},
	{"color", Color, "main", "", "", "Title colour", "Ink of the title.", 2},
	{"textTransform", Enum, "none", "none|uppercase", "", "Title capitals", "Sets the title in capitals.", 2},
	{"letterSpacing", Length, "0pt", "", "", "Title letter spacing", "Tracking of the title.", 2},
	{"indent", Length, "0pt", "", "", "Title indent", "Indent of the title.", 2},
	{"lineHeight", Length, "1.2em", ">0", "", "Title leading", "Distance of baselines of the title.", 2},
}

// codeTitleRows are the title fields of listings, with their own defaults.
var codeTitleRows = []row{
	{"fontFamily", Family, "", "", "codeStyle.fontFamily", "Title typeface", "Face of a listing's title.", 2},
	{"fontSize", Length, "", ">0", "0.9*codeStyle.fontSize", "Title size", "Size of a listing's title.", 2},
	{"fontWeight", Weight, "700", "", "", "Title weight", "Weight of a listing's title.", 2},
	{"italic", Bool, "false", "", "", "Italic title", "Sets a listing's title in italics.", 2},
	{"color", Color, "main", "", "", "Title colour", "Ink of a listing's title.", 2},
	{"textTransform", Enum, "none", "none|uppercase", "", "Title capitals", "Sets a listing's title in capitals.", 2},
	{"gap", Length, "0.5em", "", "", "Title gap", "Between title and code.", 2},
	{"letterSpacing", Length, "0pt", "", "", "Title letter spacing", "Tracking of a listing's title.", 2},
	{"indent", Length, "0pt", "", "", "Title indent", "Indent of a listing's title.", 2},
	{"lineHeight", Length, "1.2em", ">0", "", "Title leading", "Distance of baselines of a listing's title.", 2},
}

// tokenKinds are the parts of a program that codeStyle.tokens colours, with
// their colour; "" is the code colour. Comments are italic, prompts bold.
var tokenKinds = [][2]string{
	{"keyword", "#8b2c8f"}, {"string", "#3d7a2a"}, {"number", "#985f00"}, {"comment", "#7a7f87"},
	{"function", "#2b5fb4"}, {"type", "#99540a"}, {"variable", "#b23b2e"}, {"meta", "#985f00"},
	{"output", "#5c6168"}, {"prompt", ""}, {"operator", ""}, {"punctuation", ""},
}

func tokenRows() []row {
	var out []row
	for _, k := range tokenKinds {
		follow := ""
		if k[1] == "" {
			follow = "codeStyle.color"
		}
		bold, italic := "false", "false"
		if k[0] == "prompt" {
			bold = "true"
		}
		if k[0] == "comment" {
			italic = "true"
		}
		out = append(out,
			row{k[0] + ".color", Color, k[1], "", follow, "Colour of " + k[0], "Ink of this part of a program.", 2},
			row{k[0] + ".bold", Bool, bold, "", "", "Bold " + k[0], "Sets this part of a program bold.", 2},
			row{k[0] + ".italic", Bool, italic, "", "", "Italic " + k[0], "Sets this part of a program in italics.", 2})
	}
	return out
}
